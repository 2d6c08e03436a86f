"""Checks of all loads and stores, for targets with the feature `checked`.

    allocate f[n] { f[x] = in[x] + 1; if (f[x] > 2) out[x] = f[x] }
    -->
    allocate f[n] { allocate f.shadow[n] {
      fill f with a pattern; fill f.shadow with the number of f
      assert 0 <= x < n; assert in.first <= x <= in.last; f[x] = in[x] + 1; f.shadow[x] = 0
      assert f.shadow[x] == 0; assert out.first <= x <= out.last; if (f[x] > 2) out[x] = f[x] } }

Every index must lie in its memory. Undefined values (`definedness`) may be computed and stored, but may not decide
anything: conditions, the bounds of loops and the indices of stores must be defined, and outputs when the program ends.
What C functions and the cache of memoized Funcs read and write is checked as a box; all of it counts as written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from math import nan
from typing import Any

from pipec.errors import NotSupportedError
from pipec.ir import build
from pipec.ir.build import block, constant
from pipec.ir.expr import (
    TRUE,
    BufferView,
    Const,
    Expr,
    Intrinsic,
    Load,
    Variable,
    const,
    variable,
)
from pipec.ir.node import Node
from pipec.ir.program import Check, ProgramArgument, ProgramArgumentKind
from pipec.ir.stmt import (
    GPU_KINDS,
    Allocate,
    Assert,
    AtomicUpdate,
    Block,
    CallExtern,
    Evaluate,
    For,
    Fork,
    IfThenElse,
    LetStmt,
    LoopKind,
    MemoryType,
    PrefetchLoad,
    ProducerConsumer,
    Report,
    Stmt,
    Store,
    Wait,
)
from pipec.ir.types import INT32, INT64, Type
from pipec.ir.walk import postorder, statements
from pipec.lower.passes.access_limits import Limits, corners, distance, ends_of, extreme, limits_of, properties, reduced
from pipec.lower.passes.definedness import (
    DEFINED,
    DEFINEDNESS,
    FIRST_BUFFER,
    LAST_BUFFER,
    Definedness,
    shadow_name,
)
from pipec.lower.passes.linear_index import ONE, ZERO, wide
from pipec.lower.statements import map_statements, with_lets

# Loop counters are int32, sizes int64: memory is filled in pieces of this many elements.
_PIECE = Const(INT64, 1 << 16)


def check_accesses(
    stmt: Stmt, arguments: Sequence[ProgramArgument], initialized: frozenset[str], checks: list[Check]
) -> Stmt:
    """`stmt`, the body of a program with these arguments, with checks, whose meanings are appended to `checks`.

    `initialized`: outputs whose elements have values before the program runs. Raises NotSupportedError for kernels.
    """
    for node in statements(stmt):
        if isinstance(node, For) and node.kind in GPU_KINDS:
            raise NotSupportedError(
                f"Error: The target feature checked does not check kernels, but loop {node.name} runs on a device."
                " Remove the feature, or the GPU directives."
            )
    buffers = [argument for argument in arguments if argument.kind is not ProgramArgumentKind.SCALAR]
    outputs = [b for b in buffers if b.kind is ProgramArgumentKind.OUTPUT and b.name not in initialized]
    allocated = [node.name for node in statements(stmt) if isinstance(node, Allocate)]
    return _Checker([*[b.name for b in outputs], *allocated], checks).program(stmt, buffers, outputs)


class _Checker:
    def __init__(self, names: Sequence[str], checks: list[Check]) -> None:
        self.checks = checks
        self.codes: dict[Check, int] = {}
        self.origins = (("origins", "\n".join(names)),)
        self.numbers = {name: min(number, LAST_BUFFER) for number, name in enumerate(names, FIRST_BUFFER)}
        self.limits: dict[str, Limits] = {}
        self.definedness = Definedness()
        self.calls = 0
        # What has been checked on the way to a statement, for indices that stay what they are.
        self.checked: set[Assert] = set()

    def program(self, stmt: Stmt, buffers: Sequence[ProgramArgument], outputs: Sequence[ProgramArgument]) -> Stmt:
        """The whole body."""
        lets: list[tuple[str, Expr]] = []
        for buffer in buffers:
            limits = limits_of(buffer)
            first, last = f"{buffer.name}.first", f"{buffer.name}.last"
            lets += [(first, limits.first), (last, limits.last)]
            self.limits[buffer.name] = Limits(Variable(INT64, first), Variable(INT64, last))
        for output in outputs:
            self.definedness.shadows[output.name] = self.limits[output.name].first
        body = block([self.statement(stmt), *[self.written(output) for output in outputs]])
        for output in outputs:
            limits = self.limits[output.name]
            size = build.add(build.sub(limits.last, limits.first), ONE)
            name = f"{output.name}.size"
            body = self.with_shadow(output.name, MemoryType.Heap, Variable(INT64, name), body)
            body = LetStmt(name, size, body)
        return with_lets(lets, body)

    def statement(self, stmt: Stmt) -> Stmt:
        """A statement after the checks of all that it reads and stores itself."""
        rule = _RULES.get(type(stmt))
        return self.inside(stmt) if rule is None else rule(self, stmt)

    def inside(self, stmt: Stmt) -> Stmt:
        """The statement with checks in the statements that it holds."""
        return map_statements(stmt, self.scoped)

    def scoped(self, stmt: Stmt) -> Stmt:
        """A statement that does not always run: what it checks is not checked after it."""
        outer = self.checked
        self.checked = set(outer)
        result = self.statement(stmt)
        self.checked = outer
        return result

    # Checks

    def code(self, kind: str, details: tuple[tuple[str, str], ...], values: tuple[str, ...]) -> int:
        """The number of a check."""
        check = Check(kind, details, values)
        if check not in self.codes:
            self.codes[check] = len(self.checks)
            self.checks.append(check)
        return self.codes[check]

    def in_memory(self, verb: str, buffer: str, accesses: Iterable[tuple[Expr, Expr]]) -> Assert | None:
        """Checks that indices, in the lanes where their predicates hold, lie in the memory of a buffer."""
        limits = self.limits[buffer]
        ends = [ends_of(index, predicate, limits) for index, predicate in dict.fromkeys(accesses)]
        first, last = extreme(build.min_, [low for low, _ in ends]), extreme(build.max_, [high for _, high in ends])
        values = (first, last, limits.first, limits.last)
        code = self.code("access", (("buffer", buffer), ("verb", verb)), ("first", "last", "min", "max"))
        check = Assert(build.and_(build.ge(first, limits.first), build.le(last, limits.last)), code, values)
        if constant(check.condition) == 1 or check in self.checked:
            return None
        if not any(isinstance(node, Load) for node in postorder(check)):
            self.checked.add(check)
        return check

    def loads(self, *roots: Expr) -> list[Stmt | None]:
        """Checks of all loads in expressions; those inside of indices first."""
        levels: list[dict[str, list[tuple[Expr, Expr]]]] = []
        depths: dict[Node, int] = {}
        for node in postorder(*roots):
            depth = max([depths[child] for child in node.below], default=0)
            if isinstance(node, Load):
                levels += [{} for _ in range(depth + 1 - len(levels))]
                levels[depth].setdefault(node.buffer, []).append((node.index, node.predicate))
                depth += 1
            depths[node] = depth
        return [self.in_memory("reads", buffer, all_) for level in levels for buffer, all_ in level.items()]

    def defined(self, use: str, *roots: Expr, where: Expr = TRUE) -> list[Stmt | None]:
        """Checks that values are defined, in the lanes where a predicate holds."""
        parts = [build.select(where, part, 0) for part in map(self.definedness.of, roots) if constant(part) != 0]
        if not parts:
            return []
        worst = reduce(build.max_, [reduced("max", part) for part in parts])
        code = self.code("undefined", (("use", use), *self.origins), ("origin",))
        return [Assert(build.eq(worst, 0), code, (_origin(worst),))]

    # Statements

    def let(self, stmt: LetStmt) -> Stmt:
        before = self.loads(stmt.value)
        value = self.definedness.of(stmt.value)
        if constant(value) == 0:
            return block([*before, LetStmt(stmt.name, stmt.value, self.statement(stmt.body))])
        self.definedness.variables.add(stmt.name)
        body = LetStmt(shadow_name(stmt.name), value, self.statement(stmt.body))
        return block([*before, LetStmt(stmt.name, stmt.value, body)])

    def loop(self, stmt: For) -> Stmt:
        ends = (stmt.minimum, stmt.extent)
        return block([*self.loads(*ends), *self.defined(f"the bounds of loop {stmt.name}", *ends), self.inside(stmt)])

    def choice(self, stmt: IfThenElse) -> Stmt:
        condition = stmt.condition
        return block([*self.loads(condition), *self.defined("a condition", condition), self.inside(stmt)])

    def requirement(self, stmt: Assert) -> Stmt:
        before = [*self.loads(stmt.condition, *stmt.values), *self.defined("a condition", stmt.condition)]
        return block([*before, stmt])

    def evaluated(self, stmt: Evaluate | Report | Fork) -> Stmt:
        """Values that are passed on, to the user at most."""
        roots = [_passed(child) for child in stmt.below if isinstance(child, Expr)]
        return block([*self.loads(*roots), self.inside(stmt)])

    def store(self, stmt: Store) -> Stmt:
        before = self.store_checks(stmt)
        return block([*before, *self.store_definedness(stmt), stmt])

    def atomic(self, stmt: AtomicUpdate) -> Stmt:
        store = stmt.body
        assert isinstance(store, Store)
        # All threads store the same definedness, unless elements are undefined.
        return block([*self.store_checks(store), *self.store_definedness(store), stmt])

    def store_checks(self, stmt: Store) -> list[Stmt | None]:
        """Checks of what a store reads and of where it stores."""
        place = (stmt.index, stmt.predicate)
        return [
            *self.loads(stmt.value, *place),
            *self.defined(f"a predicate of {stmt.buffer}", stmt.predicate),
            *self.defined(f"an index of {stmt.buffer}", stmt.index, where=stmt.predicate),
            self.in_memory("stores to", stmt.buffer, [place]),
        ]

    def store_definedness(self, stmt: Store) -> list[Stmt]:
        """Stores of definedness; they come before the store, which may change what the value depends on."""
        if stmt.buffer not in self.definedness.shadows:
            return []
        index = self.definedness.element(stmt.buffer, stmt.index)
        return [Store(shadow_name(stmt.buffer), self.definedness.of(stmt.value), index, stmt.predicate)]

    def allocate(self, stmt: Allocate) -> Stmt:
        before = self.loads(stmt.size)
        lets: list[tuple[str, Expr]] = []
        size = stmt.size
        if constant(size) is None:
            lets = [(f"{stmt.name}.size", size)]
            size = Variable(INT64, f"{stmt.name}.size")
        self.limits[stmt.name] = Limits(ZERO, build.sub(size, ONE))
        self.definedness.shadows[stmt.name] = ZERO
        filled = block([_fill(stmt.name, _pattern(stmt.type), size), self.statement(stmt.body)])
        body = self.with_shadow(stmt.name, stmt.memory, size, filled)
        return block([*before, with_lets(lets, Allocate(stmt.name, stmt.type, stmt.memory, size, body))])

    def with_shadow(self, name: str, memory: MemoryType, size: Expr, body: Stmt) -> Stmt:
        """`body` with the shadow of a buffer, in which no element has been written."""
        shadow = shadow_name(name)
        fill = _fill(shadow, Const(DEFINEDNESS, self.numbers[name]), size)
        return Allocate(shadow, DEFINEDNESS, memory, size, block([fill, body]))

    def wait(self, stmt: Wait) -> Stmt:
        shadows = [shadow_name(name) for name in stmt.buffers if name in self.definedness.shadows]
        return Wait(stmt.name, stmt.index, (*stmt.buffers, *shadows))

    def sequence(self, stmt: Block) -> Stmt:
        return block([self.statement(child) for child in stmt.stmts])

    def call(self, stmt: CallExtern) -> Stmt:
        scalars = [operand for operand in stmt.operands if not isinstance(operand, BufferView)]
        roots = [child for child in stmt.below if isinstance(child, Expr)]
        before = [*self.loads(*roots), *self.defined(f"an operand of {stmt.symbol}", *scalars)]
        after: list[Stmt] = []
        for view in stmt.views():
            if view.name:
                before.append(self.in_memory("lets C code use", view.name, corners(view)))
            if view.name in self.definedness.shadows:
                after.append(self.mark_written(view))
        if stmt.results:
            count = build.cast(INT32, build.add(self.limits[stmt.results].last, ONE))
            after.append(self.mark_written(BufferView(INT32, stmt.results, 0, ((const(0), count),), (ONE,), ZERO)))
        return block([*before, stmt, *after])

    # Boxes

    def mark_written(self, view: BufferView) -> Stmt:
        """Marks a box of elements as written."""
        self.calls += 1
        shadow = shadow_name(view.name)
        point = [Variable(INT32, f"{shadow}.{self.calls}.{d}") for d in range(len(view.box))]
        index = build.add(wide(view.offset), distance(point, view.strides))
        mark = Store(shadow, DEFINED, self.definedness.element(view.name, index), TRUE)
        return _loops([(c.name, extent) for c, (_, extent) in zip(point, view.box, strict=True)], mark)

    def written(self, output: ProgramArgument) -> Stmt:
        """Checks that all elements of an output are defined."""
        shadow = shadow_name(output.name)
        point = [Variable(INT32, f"{shadow}.{d}") for d in range(output.dimensions)]
        index = self.definedness.element(output.name, distance(point, properties(output, "stride")))
        value = Load(DEFINEDNESS, shadow, index, TRUE)
        names = ("origin", *[f"coordinate {d}" for d in range(output.dimensions)])
        code = self.code("undefined_output", (("output", output.name), *self.origins), names)
        minima = properties(output, "min")
        coordinates = [wide(build.add(c, minimum)) for c, minimum in zip(point, minima, strict=True)]
        check = Assert(build.eq(value, 0), code, (_origin(value), *coordinates))
        extents = properties(output, "extent")
        return _loops([(c.name, extent) for c, extent in zip(point, extents, strict=True)], check)


_RULES: dict[type, Callable[[_Checker, Any], Stmt]] = {
    LetStmt: _Checker.let,
    Block: _Checker.sequence,
    For: _Checker.loop,
    IfThenElse: _Checker.choice,
    Assert: _Checker.requirement,
    Evaluate: _Checker.evaluated,
    Report: _Checker.evaluated,
    Fork: _Checker.evaluated,
    Store: _Checker.store,
    AtomicUpdate: _Checker.atomic,
    Allocate: _Checker.allocate,
    Wait: _Checker.wait,
    CallExtern: _Checker.call,
    # Its body always runs.
    ProducerConsumer: lambda self, stmt: map_statements(stmt, self.statement),
    # What it reads may lie outside of its buffer.
    PrefetchLoad: lambda self, stmt: stmt,
}


def _origin(definedness: Expr) -> Expr:
    """The place, in the list of names, of the buffer whose unwritten element was read; negative for no buffer."""
    return build.sub(build.cast(INT64, definedness), FIRST_BUFFER)


def _passed(value: Expr) -> Expr:
    """What is read of a value of a Report: only the index of an element whose address it is."""
    if isinstance(value, Intrinsic) and value.name == "address_of":
        (load,) = value.args
        return load.index if isinstance(load, Load) else value
    return value


def _loops(extents: Sequence[tuple[str, Expr]], body: Stmt) -> Stmt:
    """Loops from 0 to extents, the first one innermost."""
    for name, extent in extents:
        body = For(name, const(0), extent, LoopKind.SERIAL, body)
    return body


def _fill(buffer: str, value: Expr, size: Expr) -> Stmt:
    """Stores of one value to all elements of a buffer."""
    piece, at = f"{buffer}.piece", f"{buffer}.fill"
    start = build.mul(wide(variable(piece)), _PIECE)
    store = Store(buffer, value, build.add(start, wide(variable(at))), TRUE)
    pieces = build.cast(INT32, build.div(build.add(size, _PIECE.value - 1), _PIECE))
    count = build.cast(INT32, build.min_(_PIECE, build.sub(size, start)))
    return _loops([(at, count), (piece, pieces)], store)


def _pattern(kind: Type) -> Const:
    """A conspicuous value: NaN, or the bytes 0xAA."""
    return Const(kind, nan if kind.floating else int.from_bytes(b"\xaa" * 8))
