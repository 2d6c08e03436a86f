"""A lowered Program as the text of an LLVM module with one entry point: `i32 @pipec_entry(ptr slots)`.

The slots (64 bits each) hold, for each argument in order, a buffer's address and then minimum, extent and stride of
each dimension, or a scalar's bits; after them the address of the call table (`jit.runtime.call_table`; it may be 0 for
programs without Reports), an error code and values. The entry returns 0 when all is done, 1 when an assertion failed
(code and values are in the error slots), 2 when memory ran out (value 1: the bytes asked), 3 when a function of the
call table ended it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pipec.ir.expr import Cast, Expr, Intrinsic, TensorCall, Variable, VectorReduce
from pipec.ir.program import Program, ProgramArgumentKind
from pipec.ir.stmt import Stmt
from pipec.ir.strict_floats import has_strict_floats
from pipec.ir.types import INT64, Type
from pipec.ir.walk import postorder
from pipec.jit.llvm.control import StatementWriter
from pipec.jit.llvm.expr import ExprFunction, Outside
from pipec.jit.llvm.failure import error_values
from pipec.jit.llvm.function import ModuleWriter
from pipec.jit.llvm.math import arithmetic as llvm_arithmetic
from pipec.jit.llvm.math import intrinsics as llvm_math
from pipec.jit.llvm.math import vector as llvm_vector
from pipec.jit.llvm.math.bfloat import with_bfloats_in_float32
from pipec.jit.llvm.math.dot_product import emit_vector_reduce
from pipec.jit.llvm.math.rounding_product import emit_cast
from pipec.jit.llvm.math.tensor import emit_tensor_call, with_implementations
from pipec.jit.llvm.memory.load import emit_load
from pipec.jit.llvm.memory.nontemporal import streamed_outputs
from pipec.jit.llvm.parts import Symbols, write_parts
from pipec.jit.llvm.profile import ProfileCounters
from pipec.jit.llvm.types import scalar_type
from pipec.jit.runtime.call_table import ENTRY, OVERHEAD, Profiled


class Layout:
    """The layout of the argument slots."""

    def __init__(self, program: Program) -> None:
        self.buffers: dict[str, int] = {}
        self.scalars: dict[str, tuple[int, Type]] = {}
        self.properties: dict[str, int] = {}
        self.extent_slots: dict[str, list[int]] = {}
        slot = 0
        for argument in program.arguments:
            if argument.kind is ProgramArgumentKind.SCALAR:
                self.scalars[argument.name] = (slot, argument.type)
                slot += 1
                continue
            self.buffers[argument.name] = slot
            slot += 1
            self.extent_slots[argument.name] = [slot + 1 + 3 * i for i in range(argument.dimensions)]
            for dimension in range(argument.dimensions):
                for name in ("min", "extent", "stride"):
                    self.properties[f"{argument.name}.{name}.{dimension}"] = slot
                    slot += 1
        self.table_slot, self.error_slot = slot, slot + 1
        self.slots = self.error_slot + 1 + error_values(program)


class Arguments(Outside):
    """The arguments of a program, read from the slots at the head of each function that uses them."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def _slot(self, f: ExprFunction, slot: int, type_: str) -> str:
        place = f.entry(f"getelementptr i64, ptr %slots, i64 {slot}")
        return f.entry(f"load {type_}, ptr {place}, align 8")

    def variable(self, f: ExprFunction, node: Variable) -> str | None:
        """Returns the LLVM value of an argument's scalar or size, loaded from its slot; None for other variables."""
        slot = self.layout.properties.get(node.name)
        if slot is not None:
            # A slot holds the number in 64 bits; its low half, read alone, is the int32.
            return self._slot(f, slot, "i64" if node.type is INT64 else "i32")
        if node.name not in self.layout.scalars:
            return None
        slot, kind = self.layout.scalars[node.name]
        if kind.boolean:
            return f.entry(f"trunc i8 {self._slot(f, slot, 'i8')} to i1")
        own = self._slot(f, slot, scalar_type(kind))
        # Asked for in 64 bits: not read so, as a caller may have filled the low half only.
        return own if node.type is kind else f.entry(f"sext {scalar_type(kind)} {own} to i64")

    def has_wide(self, name: str) -> bool:
        """Returns whether the slot of a variable holds it in 64 bits."""
        return name in self.layout.properties or name in self.layout.scalars

    def is_argument(self, name: str) -> bool:
        """Returns whether a name is an argument, or a size of one."""
        layout = self.layout
        return name in layout.properties or name in layout.scalars or name in layout.buffers

    def buffer(self, f: ExprFunction, name: str) -> str | None:
        """Returns the address of an argument's elements; None for other buffers."""
        slot = self.layout.buffers.get(name)
        return None if slot is None else self._slot(f, slot, "ptr")


def emit_module(
    program: Program,
    float_flags: str = "contract ",
    abilities: frozenset[str] = frozenset({"fma"}),
    profiled: Profiled | None = None,
    interruptible: bool = False,
) -> str:
    """The LLVM module of a program.

    `float_flags`: LLVM's, of operations on floats (machine.py). `abilities`: as in Module.can. `profiled`: the Funcs
    whose time and memory are counted while the program runs. `interruptible`: signals can end calls
    (runtime/interrupt.c).
    """
    module = _begun(program, float_flags, abilities, profiled, interruptible)
    for _ in module.write_tasks():
        pass
    return module.text(module.functions, list(module.outside_symbols().values()))


def emit_parts(
    program: Program,
    float_flags: str,
    abilities: frozenset[str],
    profiled: Profiled | None,
    take: Callable[[str], None],
) -> tuple[list[Symbols], str | None]:
    """Writes the module of a program that signals can end, in parts (see `write_parts`); arguments as of
    `emit_module`."""
    return write_parts(_begun(program, float_flags, abilities, profiled, True), take)


def _begun(
    program: Program, float_flags: str, abilities: frozenset[str], profiled: Profiled | None, interruptible: bool
) -> ModuleWriter:
    """The module with the entry of a program; its tasks are pending."""
    layout = Layout(program)
    rules: dict[type, Callable[..., str]] = {
        **llvm_arithmetic.RULES,
        **llvm_vector.RULES,
        Cast: emit_cast,
        Intrinsic: llvm_math.emit_intrinsic,
        VectorReduce: emit_vector_reduce,
        TensorCall: emit_tensor_call,
    }
    module = ModuleWriter(float_flags, abilities, rules, emit_load)
    module.inputs = frozenset(a.name for a in program.arguments if a.kind is ProgramArgumentKind.INPUT)
    module.any_byte, module.tables = program.any_byte, dict(program.tables)
    module.streams = streamed_outputs(program, layout.extent_slots)
    module.interruptible = interruptible
    body = with_bfloats_in_float32(with_implementations(program.body, module.can))
    module.has_strict_floats = not float_flags or has_strict_floats(body)
    module.has_floats = _computes_with_floats(body, rules)
    profile = None if profiled is None else ProfileCounters(profiled, layout.table_slot)
    statements = StatementWriter(module, layout.error_slot, layout.table_slot, profile)
    f = ExprFunction(module, Arguments(layout))
    place = f.emit(f"getelementptr i64, ptr %slots, i64 {layout.error_slot}")
    f.line(f"store i64 -1, ptr {place}, align 8")
    statements.function(f, body, OVERHEAD, is_first=True)
    module.mode.define("", f"@{ENTRY}", "ptr %slots", f.body())
    return module


def _computes_with_floats(body: Stmt, rules: Mapping[type, object]) -> bool:
    return any(isinstance(node, Expr) and node.type.floating and type(node) in rules for node in postorder(body))
