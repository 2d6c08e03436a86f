"""One LLVM function while it is emitted: blocks of lines, scopes, and the values available in each.

Each distinct value is written once where it dominates its uses, outside all loops that it does not vary with.
The text is a sequence of chunks (lists of lines). An open loop has a chunk of its own before it, to which values
that turn out to be invariant while its body is emitted are still added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pipec.bounds.lane_ranges import LaneRanges
from pipec.deep_stack import end_if_cancelled
from pipec.errors import InternalError
from pipec.jit.llvm.float_mode import FloatMode
from pipec.records import dataclass, field
from pipec.target import LINE_BYTES

# Buffers that a value was loaded from, directly or through its operands.
Buffers = frozenset[str]
NO_BUFFERS: Buffers = frozenset()


class LlvmValue(NamedTuple):
    """An LLVM operand (without its type), the depth of its scope, and the buffers that it was read from."""

    text: str
    place: int
    buffers: Buffers


class FunctionScope:
    """The function itself, a loop's body, or a branch."""

    __slots__ = ("is_loop", "certain", "stores", "barrier", "before", "keys")

    def __init__(self, is_loop: bool, certain: bool = False, stores: Buffers = NO_BUFFERS) -> None:
        self.is_loop = is_loop
        self.certain = certain  # the body runs at least once
        self.stores = stores  # buffers that the body stores to
        self.barrier = False  # the body has an Assert: later loads may not be hoisted out of it
        self.before: list[str] = []
        self.keys: list[Any] = []


class ModuleWriter:
    """The state that functions of a module share: declarations, metadata, options, functions yet to be written."""

    def __init__(
        self,
        float_flags: str,
        abilities: frozenset[str],
        rules: dict[type, Callable[..., str]],
        load_rule: Callable[..., LlvmValue],
    ) -> None:
        self.float_flags = float_flags  # of operations on floats, with a space behind; none if they are strict
        # Whether operations of the program are rounded one by one, and denormal numbers stay.
        self.has_strict_floats = not float_flags
        # Whether the program computes with floats.
        self.has_floats = False
        self.abilities = abilities
        self.mode = FloatMode(self)
        self.rules = rules  # how each class of pure expression nodes is written
        self.load_rule = load_rule
        self.declarations: dict[str, str] = {}
        self.globals: dict[str, str] = {}
        self.internal: set[str] = set()  # functions that the module defines for itself
        self.functions: list[str] = []
        self.metadata: list[str] = []
        self.alias_types: dict[str, str] = {}
        self.sizes: dict[str, int] = {}  # bytes of the buffers allocated with a constant size
        self.shared_metadata: dict[str, str] = {}
        self.streams: dict[str, Any] = {}
        # Buffers that the caller gives and nothing writes to.
        self.inputs: frozenset[str] = frozenset()
        # Buffers whose values bounds inference took for any byte where they are coordinates.
        self.any_byte: frozenset[str] = frozenset()
        # Inputs of one dimension, and how many elements they have from coordinate 0 on.
        self.tables: Mapping[str, int] = {}
        self.pending: list[Callable[[], None]] = []
        # Whether outer loops and tasks look for signals.
        self.interruptible = False
        self.counter = 0

    def write_tasks(self) -> Iterator[None]:
        """Writes the functions that are pending, each with those that it leads to; yields after each such group."""
        while self.pending:
            others = len(self.pending) - 1
            write = self.pending.pop(0)
            while True:
                end_if_cancelled()
                write()
                if len(self.pending) == others:
                    break
                write = self.pending.pop(others)
            yield

    def text(self, functions: Sequence[str], lines: Sequence[str]) -> str:
        """The module with some of its functions, and lines that declare what they use."""
        small = self.mode.attribute
        # LLVM aligns registers that it puts on the stack only where it knows beforehand that it has to align the stack.
        # Half of those of 64 bytes would lie across two cache lines.
        attributes = [
            f"attributes #0 = {{ nounwind{small} }}",
            "attributes #1 = { nounwind }",
            f"attributes #2 = {{ nounwind memory(none) noinline{small} }}",
            f"attributes #3 = {{ nounwind noinline alignstack={LINE_BYTES}{small} }}",
        ]
        metadata = [f"!{i} = {body}" for i, body in enumerate(self.metadata)]
        return "\n".join([*lines, "", *functions, *attributes, "", *metadata, ""])

    def outside_symbols(self) -> dict[str, str]:
        """The lines that declare what functions of the module use from outside, by symbol."""
        lines = {name: f"declare {signature} #1" for name, signature in self.declarations.items()}
        return lines | {name: f"{name} = {text}" for name, text in self.globals.items()}

    def can(self, ability: str) -> bool:
        """Whether the machine has this kind of instruction.

        `fma`, `mxcsr` and `fpcr` (the registers with the mode of floats), `scale` (floats composed of mantissas and
        exponents, and decomposed), `permute bytes` (of two 64-byte registers), `inline assembly`, `byte masks` (stores
        of single bytes of a register), `multiply words`, `dot bytes`, `dot bfloats` (products of neighbours, summed),
        `sum bytes`; or a feature by LLVM's name.
        """
        return ability in self.abilities

    def declare(self, name: str, signature: str) -> None:
        """`signature`: the text after `declare`, such as `float @expf(float)`."""
        if name not in self.internal:
            self.declarations.setdefault(name, signature)

    def metadata_node(self, body: str) -> str:
        """Adds a metadata node and returns its reference."""
        self.metadata.append(body)
        return f"!{len(self.metadata) - 1}"

    def metadata_once(self, body: str) -> str:
        """A node that all users share."""
        if body not in self.shared_metadata:
            self.shared_metadata[body] = self.metadata_node(body)
        return self.shared_metadata[body]

    def alias_type(self, buffer: str) -> str:
        """The alias metadata that separates accesses of this buffer from those of all others."""
        alias = self.alias_types.get(buffer)
        if alias is None:
            if not self.alias_types:
                self.alias_types[""] = self.metadata_node('!{!"pipec"}')
            kind = self.metadata_node(f'!{{!"buffer {len(self.alias_types)}", {self.alias_types[""]}}}')
            alias = self.alias_types[buffer] = self.metadata_node(f"!{{{kind}, {kind}, i64 0}}")
        return alias

    def fresh(self, stem: str) -> str:
        """Returns a name that is unique in the module."""
        self.counter += 1
        return f"{stem}.{self.counter}"


@dataclass
class Cleanup:
    """A line that early exits run, the block that contains it, and the statuses and labels of its predecessors."""

    line: str
    label: str
    statuses: list[str] = field(default_factory=list)


class FunctionWriter:
    """A function whose body is being emitted. `label` is the current block."""

    def __init__(self, module: ModuleWriter) -> None:
        self.module = module
        self.allocas: list[str] = []
        self.chunks: list[list[str]] = [[]]
        self.scopes = [FunctionScope(False)]
        self.values: dict[Any, LlvmValue] = {}
        self.readers: dict[str, set[Any]] = {}
        self.label = "start"
        self.count = 0
        self.target = self.chunks[0]
        self.cleanups: list[Cleanup] = []
        self.endings: list[str] = []
        self.stack_bytes = 0
        self.ranges = LaneRanges()

    # Lines and blocks

    def name(self) -> str:
        """Returns a new value name."""
        self.count += 1
        return f"%v{self.count}"

    def op(self, text: str) -> str:
        """Adds an instruction in the scope of the current value; returns the name of its result."""
        self.count += 1
        name = f"%v{self.count}"
        self.target.append(f"  {name} = {text}")
        return name

    def line(self, text: str) -> None:
        """Add a line at the current point."""
        self.chunks[-1].append("  " + text)

    def emit(self, text: str) -> str:
        """Adds an instruction at the current point; returns the name of its result."""
        self.count += 1
        name = f"%v{self.count}"
        self.chunks[-1].append(f"  {name} = {text}")
        return name

    def fresh_label(self, stem: str) -> str:
        """Returns a label that is unique in the function."""
        self.count += 1
        return f"{stem}{self.count}"

    def start_block(self, label: str) -> None:
        """Starts a basic block."""
        self.chunks[-1].append(f"{label}:")
        self.label = label

    # Scopes

    def open_scope(self, scope: FunctionScope) -> None:
        """Opens a scope; for a loop the current block is its preheader."""
        for buffer in scope.stores:
            self.invalidate(buffer)
        if scope.is_loop:
            self.chunks.append(scope.before)
            self.chunks.append([])
        self.scopes.append(scope)

    def close_scope(self) -> None:
        """Forgets the values that were computed since the scope opened."""
        scope = self.scopes.pop()
        for key in scope.keys:
            self.values.pop(key, None)

    def hoist_depth(self, place: int) -> int:
        """The depth of the outermost scope for a value with operands in scope `place`: out of loops, not branches."""
        target = len(self.scopes) - 1
        for depth in range(target, place, -1):
            if self.scopes[depth].is_loop:
                target = depth - 1
        return target

    def load_hoist_depth(self, place: int, buffer: str) -> int:
        """As `hoist_depth`, for a load: it must not move before a store, nor run where it might not have run."""
        target = len(self.scopes) - 1
        for depth in range(target, place, -1):
            scope = self.scopes[depth]
            if not scope.is_loop or scope.barrier or buffer in scope.stores:
                break
            target = depth - 1
            if not scope.certain:
                break
        return target

    def insert_in_scope(self, place: int) -> None:
        """Makes `op` add its lines to scope `place`."""
        top = len(self.scopes) - 1
        if place == top:
            self.target = self.chunks[-1]
        else:
            scope = self.scopes[place + 1]
            if not scope.is_loop:
                raise InternalError("A value was to be written before a branch.")
            self.target = scope.before

    def record(self, key: Any, text: str, place: int, buffers: Buffers = NO_BUFFERS) -> LlvmValue:
        """Records a value that was emitted in scope `place`."""
        value = LlvmValue(text, place, buffers)
        self.values[key] = value
        self.scopes[min(place + 1, len(self.scopes) - 1)].keys.append(key)
        for buffer in buffers:
            self.readers.setdefault(buffer, set()).add(key)
        return value

    def invalidate(self, buffer: str) -> None:
        """Drops the values that were read from `buffer`, which has changed."""
        for key in self.readers.pop(buffer, ()):
            self.values.pop(key, None)

    def shared(self, key: Any, operands: Iterable[LlvmValue], write: Callable[[], str]) -> LlvmValue:
        """The value `key`, emitted by `write` if it is not available."""
        value = self.values.get(key)
        if value is not None:
            return value
        place, buffers = 0, NO_BUFFERS
        for operand in operands:
            place = max(place, operand.place)
            buffers = buffers | operand.buffers if operand.buffers else buffers
        place = self.hoist_depth(place)
        self.insert_in_scope(place)
        return self.record(key, write(), place, buffers)

    def body(self) -> str:
        """Returns the text between the braces of the function."""
        lines = ["start:", *self.allocas]
        for chunk in self.chunks:
            lines += chunk
        lines += self.endings
        return "\n".join(lines)
