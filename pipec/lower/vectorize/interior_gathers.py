"""Gathers at clamped places: a version of a statement for vectors none of whose lanes is clamped.

    out[x] = in[max(min(i, b), a)] + in[max(min(i + 1, b), a)]         where i is a vector of any coordinates
    -->
    if (all lanes: a <= i && i <= b - 1)   out[x] = in[i] + in[i + 1]
    else                                   out[x] = in[max(min(i, b), a)] + in[max(min(i + 1, b), a)]

Loads of neighbours are then a constant apart, and one load for each lane reads several of them
(`jit/llvm/memory/neighbours.py`). So interpolation between the pixels of an image with a boundary condition takes half
of the loads, and conditions that tell the outside of the image are decided, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

from pipec.bounds.linear import Linear, from_linear, linear
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import (
    GE,
    LE,
    LT,
    Add,
    And,
    Broadcast,
    Cast,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Or,
    Ramp,
    Select,
    Variable,
    VectorReduce,
)
from pipec.ir.lanes import MAX_LANE_BYTES
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import GPU_KINDS, Block, For, IfThenElse, LetStmt, LoopKind, Stmt, Store
from pipec.ir.types import INT32, INT64
from pipec.ir.unroll import constant_extent, fresh_copy, unrolled
from pipec.ir.walk import instances, mentions, rewrite, statements
from pipec.lower.statements import map_statements, with_lets

MAX_TABLE = 256
"""Elements of a table that may be looked up in registers."""
MAX_COPIES = 8
"""Iterations of a loop that are written out to join their gathers."""
_STRAIGHT = (Store, Block, LetStmt)
_OF_INDEX = kinds_of(Min, Max, Cast, Mul)
_CHANGED = kinds_of(Load, LT, GE, And, Or, Select)


def split_interior_gathers(stmt: Stmt) -> Stmt:
    """`stmt` with two versions of the stores that gather neighbours at clamped places."""
    numbers = itertools.count()

    def split(stmt: Stmt) -> Stmt:
        if not stmt.kinds & kinds_of(Load) or (isinstance(stmt, For) and stmt.kind in GPU_KINDS):
            return stmt
        if isinstance(stmt, (Store, Block)) and all(isinstance(part, _STRAIGHT) for part in statements(stmt)):
            return _versions(stmt, numbers)
        if isinstance(stmt, For) and _may_have_neighbours(stmt):
            copies = unrolled(stmt)
            versions = split(copies)
            if versions is not copies:
                return versions
        return map_statements(stmt, split)

    return split(stmt)


def _may_have_neighbours(loop: For) -> bool:
    """Whether iterations of an innermost loop may gather neighbours of each other."""
    count = constant_extent(loop) if loop.kind is LoopKind.SERIAL else None
    if count is None or not 1 < count <= MAX_COPIES or loop.body.kinds & kinds_of(For):
        return False
    return any(_moves_by_one(load, loop.name) for load in instances(Load, loop.body) if load.type.nlanes > 1)


def _moves_by_one(load: Load, name: str) -> bool:
    """Whether the innermost coordinate of a load is clamped and depends on a variable."""
    return any(
        factor == 1 and atom.type.nlanes > 1 and atom.kinds & kinds_of(Min, Max) and mentions(atom, {name})
        for atom, factor in linear(load.index).terms.items()
        if not isinstance(atom, Mul)
    )


def _versions(stmt: Stmt, numbers: Iterator[int]) -> Stmt:
    """The statement, in two versions if gathers are joined in that for the interior."""
    loads = [load for load in instances(Load, stmt) if load.type.nlanes > 1]
    interior = _Interior(stmt, numbers)
    inside = interior.loads(loads)
    joined = _neighbours(inside)
    if not joined:
        return stmt
    if len(joined) < len(loads):
        # With the limits of other places, fewer vectors would be inside.
        interior = _Interior(stmt, numbers)
        inside = interior.loads(joined)
    memo: dict[Node, Expr] = dict(inside.items())
    version = rewrite(stmt, interior.condition, memo, _CHANGED)
    choice = IfThenElse(interior.test(), version, fresh_copy(stmt, ".clamped"))
    return with_lets([(place.variable.name, place.value) for place in dict.fromkeys(interior.places.values())], choice)


def _neighbours(inside: Mapping[Load, Load]) -> list[Load]:
    """The loads, of those with others instead of them, that one load for each lane reads with a neighbour."""
    groups: dict[object, dict[int, Load]] = {}
    for load, moved in inside.items():
        if 2 * load.type.bytes() <= MAX_LANE_BYTES:
            form = linear(moved.index)
            groups.setdefault((load.buffer, load.type, frozenset(form.terms.items())), {})[form.constant] = load
    return [load for group in groups.values() for at, load in group.items() if at - 1 in group or at + 1 in group]


_Terms = frozenset[tuple[Expr, int]]


class _Place:
    """Coordinates of lanes: a variable, its value, and the limits from which on nothing clamps them.

    Limits are constants by the terms that they are added to.
    """

    def __init__(self, variable: Variable, value: Expr) -> None:
        self.variable, self.value = variable, value
        self.low: dict[_Terms, int] = {}
        self.high: dict[_Terms, int] = {}

    def limit(self, kind: type[Expr], limit: Linear) -> None:
        """Notes that the place is not below a limit (`kind` is Max) or not above it (Min)."""
        terms, end = frozenset(limit.terms.items()), limit.constant
        if kind is Max:
            self.low[terms] = max(end, self.low.get(terms, end))
        else:
            self.high[terms] = min(end, self.high.get(terms, end))

    @property
    def is_table(self) -> bool:
        """Whether the elements between the limits may be looked up in registers."""
        constants = frozenset[tuple[Expr, int]]()
        low, high = self.low.get(constants), self.high.get(constants)
        return low is not None and high is not None and high - low < MAX_TABLE

    def is_below(self, limit: Linear) -> bool | None:
        """Whether the place is below a limit; None where that is not known."""
        terms = frozenset(limit.terms.items())
        if terms in self.low and self.low[terms] >= limit.constant:
            return False
        if terms in self.high and self.high[terms] < limit.constant:
            return True
        return None

    def test(self) -> Expr:
        """Whether all lanes are within the limits."""
        lanes = self.variable.type.nlanes

        def sides(kind: Callable[[Expr, Expr], Expr], limits: Mapping[_Terms, int]) -> list[Expr]:
            values = [from_linear(Linear(end, dict(terms)), INT32) for terms, end in limits.items()]
            return [kind(self.variable, Broadcast(value, lanes)) for value in values]

        return VectorReduce("and", build.all_of([*sides(GE, self.low), *sides(LE, self.high)]), 1)


class _Interior:
    """What a statement is where no place of a gather is clamped."""

    def __init__(self, stmt: Stmt, numbers: Iterator[int]) -> None:
        self.own = {part.name for part in statements(stmt) if isinstance(part, LetStmt)}
        self.stored = {part.buffer for part in statements(stmt) if isinstance(part, Store)}
        self.numbers = numbers
        self.places: dict[_Terms, _Place] = {}

    def test(self) -> Expr:
        """Whether no lane is clamped."""
        return build.all_of([place.test() for place in dict.fromkeys(self.places.values())])

    def loads(self, loads: Sequence[Load]) -> dict[Load, Load]:
        """The loads that lose clamps, with those instead of them."""
        for load in loads:
            self._index(load)
        # Again, as any of them may have a place that others have limits for.
        indices = {load: self._index(load) for load in loads} if self.places else {}
        tables = {place.variable.name for place in self.places.values() if place.is_table}
        return {
            load: Load(load.type, load.buffer, index, load.predicate)
            for load, index in indices.items()
            if index is not load.index and not mentions(index, tables)
        }

    def _index(self, load: Load) -> Expr:
        whole: dict[Node, Expr] = {inner: inner for inner in instances(Load, load.index)}
        return rewrite(load.index, self._unclamped, whole, _OF_INDEX)

    def _unclamped(self, node: Expr) -> Expr:
        if isinstance(node, (Min, Max)) and node.type.element_of() is INT32:
            for value, limit in ((node.a, node.b), (node.b, node.a)):
                if not isinstance(limit, Broadcast) or not self._is_unchanged(limit):
                    continue
                place = self._place(value)
                if place is not None:
                    form = linear(value)
                    place.limit(type(node), linear(limit.value).shifted(-form.constant))
                    return _moved(place.variable, form.constant)
        # Constant distances from a place stay constants of the index.
        if isinstance(node, Cast) and node.type.element_of() is INT64 and node.value.type.element_of() is INT32:
            form = linear(node.value)
            place = self._met(form)
            if place is not None:
                return _moved(Cast(node.type, place.variable), form.constant)
        if isinstance(node, Mul) and isinstance(node.a, Add) and isinstance(node.b, Broadcast):
            at, distance = node.a.a, constant(node.a.b)
            if distance is not None and isinstance(at, Cast) and self._met(linear(at.value)) is not None:
                return Add(Mul(at, node.b), Broadcast(build.mul(node.b.value, int(distance)), node.b.lanes))
        return node

    def condition(self, node: Expr) -> Expr:
        """A condition, or what it chooses, as far as the limits decide it."""
        if isinstance(node, (And, Or)):
            return (build.and_ if isinstance(node, And) else build.or_)(node.a, node.b)
        if isinstance(node, Select):
            return build.select(node.condition, node.true_value, node.false_value)
        if isinstance(node, (LT, GE)) and node.a.type.element_of() is INT32 and isinstance(node.b, Broadcast):
            form = linear(node.a)
            place = self._met(form)
            below = None if place is None else place.is_below(linear(node.b.value).shifted(-form.constant))
            if below is not None:
                return build.as_expr(below == isinstance(node, LT), node.type)
        return node

    def _place(self, value: Expr) -> _Place | None:
        """The place that a clamped value is, but for a constant; None where it is not known or regular."""
        form = linear(value)
        place = self._met(form)
        if place is not None or not self._is_unchanged(value) or not any(map(_is_irregular, form.terms)):
            return place
        variable = Variable(value.type, f"interior.{next(self.numbers)}")
        place = _Place(variable, from_linear(Linear(0, form.terms), value.type))
        self.places[frozenset(form.terms.items())] = self.places[frozenset({(variable, 1)})] = place
        return place

    def _is_unchanged(self, value: Expr) -> bool:
        """Whether a value is the same before the statement."""
        return not mentions(value, self.own) and all(load.buffer not in self.stored for load in instances(Load, value))

    def _met(self, form: Linear) -> _Place | None:
        return self.places.get(frozenset(form.terms.items()))


def _moved(value: Expr, distance: int) -> Expr:
    return Add(value, build.as_expr(distance, value.type)) if distance else value


def _is_irregular(atom: Expr) -> bool:
    """Whether lanes are anywhere: by loads, by values in floats, or by a step that is not constant."""
    return any(
        isinstance(node, Load) or node.type.floating or (isinstance(node, Ramp) and constant(node.stride) is None)
        for node in instances(Expr, atom)
    )
