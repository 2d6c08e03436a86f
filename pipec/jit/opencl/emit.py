"""A kernel in OpenCL C: its signature, and what the threads of a block do together.

Threads meet at barriers. A piece of a block is run by its threads one by one; before a piece that touches what an
earlier one has written, or writes what it has read, all of them wait.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipec.errors import NotSupportedError
from pipec.ir import stmt as s
from pipec.ir.build import constant
from pipec.ir.expr import Const, Expr, Load
from pipec.ir.types import Type
from pipec.ir.walk import free_variables, postorder
from pipec.jit.c.expr import UNARY
from pipec.jit.c.stmt import indented
from pipec.jit.c.types import storage_type, value_type
from pipec.jit.opencl.work_group import AXES, WorkGroup, is_plain_nest
from pipec.jit.opencl.work_item import ThreadStatements, added, func_of
from pipec.records import dataclass, field


@dataclass
class Accesses:
    """The buffers that some statements read and write."""

    read: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)

    def add(self, other: Accesses) -> None:
        """Adds the buffers of other accesses."""
        self.read |= other.read
        self.written |= other.written

    def collisions(self, later: Accesses) -> set[str]:
        """The buffers for which the order of these accesses and `later` ones matters."""
        return (self.written & (later.read | later.written)) | (self.read & later.written)

    def copy(self) -> Accesses:
        """Returns a copy that can change independently."""
        return Accesses(set(self.read), set(self.written))


def accesses(*roots: s.Stmt | Expr) -> Accesses:
    """Returns the buffers that statements and expressions read and write."""
    result = Accesses()
    for node in postorder(*roots):
        if isinstance(node, Load):
            result.read.add(node.buffer)
        elif isinstance(node, s.Store):
            result.written.add(node.buffer)
    return result


class BlockWriter:
    """Writes what the threads of a block do: `lines` for a statement that all of them reach."""

    def __init__(self, thread: ThreadStatements, group: WorkGroup) -> None:
        self.thread, self.group = thread, group
        self.pending = Accesses()
        # The loops over threads that all threads are in, by dimension, and what else must hold for a thread to act.
        self.inside: dict[int, s.For] = {}
        self.guards: list[str] = []
        # What differs between the threads: these loops, and lets that depend on them.
        self.varying: set[str] = set()

    def lines(self, node: s.Stmt) -> list[str]:
        """A statement, to stand in braces of its own or at the end of others."""
        out: list[str] = []
        while self.group.has_threads(node) and isinstance(node, s.LetStmt | s.ProducerConsumer | s.Allocate):
            if isinstance(node, s.LetStmt):
                out += [*self._before(accesses(node.value)), *self._let(node)]
            elif isinstance(node, s.Allocate):
                out += self._array(node)
            elif node.is_producer:
                out.append(f"/* {func_of(node.name)} */")
            node = node.body
        return out + self._plain(node)

    def _plain(self, node: s.Stmt) -> list[str]:
        if not self.group.has_threads(node):
            return self._piece(node)
        if isinstance(node, s.Block):
            return self._sequence(node.stmts)
        if isinstance(node, s.For) and node.kind in s.GPU_THREADS:
            return self._piece(node) if is_plain_nest(node, self.group) else self._together(node)
        if isinstance(node, s.For):
            return self._loop(node)
        if isinstance(node, s.IfThenElse):
            return self._if(node)
        raise NotSupportedError(f"Error: a GPU kernel can't hold {type(node).__name__} around loops over threads.")

    def _sequence(self, stmts: Sequence[s.Stmt]) -> list[str]:
        out: list[str] = []
        for part in stmts:
            lines = self.lines(part)
            inner = part
            while isinstance(inner, s.ProducerConsumer):
                inner = inner.body
            declares = isinstance(inner, s.LetStmt) and self.group.has_threads(inner)
            out += ["{", *indented(lines), "}"] if declares else lines
        return out

    # Pieces

    def _piece(self, node: s.Stmt) -> list[str]:
        """The work of single threads: a nest of loops over threads, or code outside, which the first one runs."""
        axes = {self.group.axis(loop) for loop in _nest(node, self.group)} | self.inside.keys()
        idle = [axis for axis in range(AXES) if axis not in axes and self.group.constant(axis) != 1]
        guards = [*self.guards, *[f"get_local_id({axis}) == 0" for axis in idle]]
        own = accesses(node)
        before = self._before(own)
        self.pending.add(own)
        lines = self.thread.lines(node)
        head = f"if ({' && '.join(guards)}) {{" if guards else "{"
        return [*before, head, *indented(lines), "}"]

    def _before(self, own: Accesses) -> list[str]:
        """A barrier, where what comes next collides with what threads may still be doing."""
        shared = ("__local", "__global")
        colliding = {name for name in self.pending.collisions(own) if self.thread.spaces.get(name) in shared}
        if not colliding or self.group.is_single():
            return []
        self.pending = Accesses()
        spaces = {self.thread.spaces[name] for name in colliding}
        fences = [f"CLK_{space[2:].upper()}_MEM_FENCE" for space in shared if space in spaces]
        return [f"barrier({' | '.join(fences)});"]

    # What all threads do together

    def _let(self, node: s.LetStmt) -> list[str]:
        lines = self.thread._let(node)
        if free_variables(node.value) & self.varying:
            self.varying.add(node.name)
        reads = accesses(node.value)
        if reads.read and self.guards:
            raise NotSupportedError(
                f"Error: {node.name} is read from memory between loops over GPU threads: {node.value}. Compute what it"
                " reads inside the inner loop over threads."
            )
        self.pending.add(reads)
        return lines

    def _loop(self, node: s.For) -> list[str]:
        self._require_uniform(node, node.extent)
        if free_variables(node.minimum) & self.varying:
            self.varying.add(node.name)
        x = self.thread._expressions(node.minimum, node.extent)
        name = self.thread.name_of(node.name)
        minimum, extent = x.scalar(node.minimum, True), x.scalar(node.extent, True, UNARY)
        bounds = accesses(node.minimum, node.extent)
        out = [*self._before(bounds), *x.frame.lines]
        body = self.lines(node.body)
        end = self._before(accesses(node.body))
        head = f"for (int32_t {name} = {minimum}; {name} < {minimum} + {extent}; {name}++) {{"
        lines = [*out, head, *indented([*body, *end]), "}"]
        return ["{", *indented(lines), "}"] if x.frame.lines else lines

    def _if(self, node: s.IfThenElse) -> list[str]:
        reads = accesses(node.condition)
        x = self.thread._expressions(node.condition)
        condition = x.scalar(node.condition)
        out = [*self._before(reads), *x.frame.lines]
        self.pending.add(reads)
        if free_variables(node.condition) & self.varying and node.otherwise is None:
            # Only some threads act; the others reach the barriers too.
            self.guards.append(f"({condition})")
            out += self.lines(node.then)
            self.guards.pop()
            return ["{", *indented(out), "}"]
        self._require_uniform(node, node.condition)
        start = self.pending.copy()
        out += [f"if ({condition}) {{", *indented(self.lines(node.then))]
        after, self.pending = self.pending, start
        if node.otherwise is not None:
            out += ["} else {", *indented(self.lines(node.otherwise))]
        self.pending.add(after)
        return [*out, "}"]

    def _require_uniform(self, node: s.Stmt, *values: Expr) -> None:
        """All threads of a block must come to the same barriers."""
        varying = sorted({name for value in values for name in free_variables(value) & self.varying})
        if varying:
            raise NotSupportedError(
                f"Error: Threads of a GPU block meet inside a loop or condition that depends on {varying[0]}, which is"
                f" not the same for all of them: {str(node).strip().splitlines()[0]}\nMake the inner loops over threads"
                " serial, or compute what they share at the loop over blocks."
            )

    def _together(self, node: s.For) -> list[str]:
        """A loop over threads in which the threads of its inner loops wait for each other."""
        axis = self.group.axis(node)
        extent, size = constant(node.extent), self.group.constant(axis)
        if extent is None or size is None:
            raise NotSupportedError(
                f"Error: Threads of a GPU block meet inside the loop over threads {node.name}, whose extent"
                f" {node.extent} is not constant. Split it by a constant, or compute what its inner loops share at"
                " the loop over blocks."
            )
        x = self.thread._expressions(node.minimum)
        value = added(x.scalar(node.minimum, True), f"get_local_id({axis})")
        out = [*x.frame.lines, f"const int32_t {self.thread.name_of(node.name)} = {value};"]
        guard = f"get_local_id({axis}) < {int(extent)}"
        self.inside[axis] = node
        self.varying.add(node.name)
        if extent < size:
            self.guards.append(guard)
        out += self.lines(node.body)
        if extent < size:
            self.guards.remove(guard)
        del self.inside[axis]
        return ["{", *indented(out), "}"]

    # Memory that the threads of a block share

    def _array(self, node: s.Allocate) -> list[str]:
        size = node.size
        if node.memory is s.MemoryType.Heap:
            return self.thread.in_heap(node, self.inside)
        if not isinstance(size, Const):
            raise NotSupportedError(
                f"Error: Func {func_of(node.name)} is stored in the local memory of GPU blocks, but its size {size} is"
                " not constant. Split the loops over blocks by constants, bound it with bound_storage(), or store it in"
                " global memory: store_in(MemoryType.Heap)."
            )
        if node.memory in (s.MemoryType.Register, s.MemoryType.Stack):
            raise NotSupportedError(
                f"Error: Func {func_of(node.name)} is stored in blocks of a GPU and so shared by their threads, which"
                f" MemoryType.{node.memory.value} does not allow. Leave store_in() out, or compute it at a loop over"
                " threads."
            )
        return self.thread.shared(node, max(int(size.value), 1), self.inside)


def _nest(node: s.Stmt, group: WorkGroup) -> list[s.For]:
    """The loops over threads of a plain nest."""
    loops = []
    while group.has_threads(node):
        if isinstance(node, s.For):
            loops.append(node)
        assert isinstance(node, s.For | s.LetStmt | s.ProducerConsumer | s.IfThenElse)
        node = node.then if isinstance(node, s.IfThenElse) else node.body
    return loops


def signature(name: str, group: WorkGroup, names: Sequence[str], kinds: Sequence[tuple[Type, bool, bool]]) -> list[str]:
    """The head of a kernel. `kinds`: for each parameter its type, and whether it is a buffer, and written."""
    parameters = []
    for word, (kind, buffer, written) in zip(names, kinds, strict=True):
        if buffer:
            parameters.append(f"__global {'' if written else 'const '}{storage_type(kind)} *restrict {word}")
        else:
            parameters.append(f"const {'uint8_t' if kind.boolean else value_type(kind)} {word}")
    sizes = [group.constant(axis) for axis in range(AXES)]
    fixed = f"__attribute__((reqd_work_group_size({', '.join(map(str, sizes))})))\n" if None not in sizes else ""
    return [f"__kernel {fixed}void {name}({', '.join(parameters)}) {{"]
