"""Vector loads whose coordinates are mirrored or wrapped in some lanes: a dense load for each side.

    vectorized (xi, 0, 8) { f[x + xi] = in[select(x + xi < 0, -x - xi, x + xi)] }
    -->
    if (x > -w)   vectorized (xi, 0, 8) { f[x + xi] = select(x + xi < 0, in[-x - xi] where x + xi < 0,
                                                                         in[x + xi] where x + xi >= 0) }
    else          for (o, 0, 2) vectorized (xi, 0, 4) { ... as before }

Such vectors would gather their elements one by one though few are beyond the edge. Where the coordinates are not what
`bounds/piecewise.py` finds next to the edges, as far away from an image, the loop runs as it is, in short vectors.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from pipec.bounds.linear import Linear, from_linear, linear
from pipec.bounds.piecewise import AffinePiece, AffinePieces, pieces_of
from pipec.ir import build
from pipec.ir.build import add, all_of, and_, as_expr, constant, ge, mul
from pipec.ir.expr import Expr, Load, Select, Variable
from pipec.ir.node import Node, kinds_of
from pipec.ir.stmt import GPU_KINDS, AtomicUpdate, For, IfThenElse, LetStmt, LoopKind, Stmt, Store
from pipec.ir.types import INT32
from pipec.ir.unroll import bound_names, fresh_copy
from pipec.ir.walk import free_variables, postorder, rewrite, substitute
from pipec.lower.statements import map_statements

# Nodes of a body that is copied.
_MAX_COPIED_NODES = 1_500
# Lanes of the vectors of the loop as it is.
_SHORT_VECTOR = 8


def divide_folded_loads(stmt: Stmt) -> Stmt:
    """`stmt` with vector loops in two versions where coordinates are folded."""
    if isinstance(stmt, For) and stmt.kind in GPU_KINDS or not stmt.kinds & kinds_of(Load):
        return stmt
    if not isinstance(stmt, For) or stmt.kind is not LoopKind.VECTORIZED:
        return map_statements(stmt, divide_folded_loads)
    return _FoldedLoop(stmt).divided() if stmt.kinds & kinds_of(Select) else stmt


class _FoldedLoop:
    def __init__(self, loop: For) -> None:
        self.loop = loop
        self.lane = Variable(INT32, loop.name)
        self.nodes = list(postorder(loop.body))
        # The values of lets, and the first and last iterations of loops, innermost first.
        self.lets: dict[str, Expr] = {}
        self.inner: dict[str, tuple[Linear, Linear]] = {}
        for node in self.nodes:
            if isinstance(node, For):
                first, extent = linear(node.minimum), linear(node.extent)
                self.inner[node.name] = first, first.plus(extent).shifted(-1)
        for let in reversed([node for node in self.nodes if isinstance(node, LetStmt)]):
            if let.value.type is INT32:
                self.lets[let.name] = substitute(let.value, self.lets)

    def divided(self) -> Stmt:
        """The loop in two versions, or as it is where nothing is folded."""
        lanes = constant(self.loop.extent)
        if lanes is None or not self._copies_pay():
            return self.loop
        values: dict[Node, Expr] = {}
        needs: dict[object, Linear] = {}
        for load in dict.fromkeys(node for node in self.nodes if isinstance(node, Load)):
            folded = self._folded(load)
            if folded is None:
                continue
            index, choice, pieces = folded
            demanded = self._demanded(pieces, int(lanes))
            if demanded is not None:
                values[load] = _value(load, index, choice, pieces.pieces)
                for form in demanded:
                    key = frozenset(form.terms.items())
                    if key not in needs or form.constant < needs[key].constant:
                        needs[key] = form
        if not values:
            return self.loop
        condition = all_of([ge(from_linear(form, INT32), 0) for form in needs.values()])
        dense = For(
            self.loop.name,
            self.loop.minimum,
            self.loop.extent,
            self.loop.kind,
            rewrite(self.loop.body, lambda node: values.get(node, node), kinds=kinds_of(Load)),
        )
        return IfThenElse(condition, dense, _in_short_vectors(self.loop, int(lanes)))

    def _copies_pay(self) -> bool:
        """Whether the body is short, and each lane stores elements of its own."""
        if len(self.nodes) > _MAX_COPIED_NODES or any(isinstance(node, AtomicUpdate) for node in self.nodes):
            return False
        stores = [node for node in self.nodes if isinstance(node, Store)]
        return all(self._varies(store.index) for store in stores)

    def _varies(self, e: Expr) -> bool:
        return self.loop.name in free_variables(substitute(e, self.lets))

    def _folded(self, load: Load) -> tuple[Expr, Select, AffinePieces] | None:
        """The index of a load, the choice in it that varies, and its pieces; None if it has no single one."""
        if not load.index.kinds & kinds_of(Select, Variable) or load.index.kinds & kinds_of(Load):
            return None
        index = substitute(load.index, self.lets)
        choices = [choice for choice in _outermost_choices(index) if self._varies(choice)]
        if len(choices) != 1 or index.kinds & kinds_of(Load):
            return None
        pieces = pieces_of(choices[0], self.lane)
        return None if pieces is None else (index, choices[0], pieces)

    def _demanded(self, pieces: AffinePieces, lanes: int) -> list[Linear] | None:
        """What must be >= 0 for the pieces to hold in all lanes, outside of the loop; None if that is not certain."""
        forms = list(pieces.needs)
        for piece in pieces.pieces:
            forms += [self._in_all_lanes(form, piece.limits, lanes) for form in piece.needs]
        result = []
        bound = {self.loop.name, *bound_names(self.loop.body)[0]}
        for form in forms:
            form = self._in_all_iterations(form)
            if any(free_variables(atom) & bound or atom.kinds & kinds_of(Load) for atom in form.terms):
                return None
            if form.is_constant and form.constant < 0:
                return None
            if not form.is_constant:
                result.append(_in_lowest_terms(form))
        return result

    def _in_all_lanes(self, form: Linear, limits: Iterable[Linear], lanes: int) -> Linear:
        """What is >= 0 only if `form` is in all lanes within the limits."""
        slope = form.terms.get(self.lane, 0)
        along = [limit for limit in limits if slope * limit.terms[self.lane] > 0]
        rests = [form.plus(limit, -abs(slope)) for limit in along]
        if rests:
            return next((rest for rest in rests if rest.is_constant and rest.constant >= 0), rests[0])
        end = linear(add(self.loop.minimum, 0 if slope > 0 else lanes - 1))
        return form.without(self.lane).plus(end, slope)

    def _in_all_iterations(self, form: Linear) -> Linear:
        """The least value of `form` in the loops inside."""
        for name, (first, last) in self.inner.items():
            variable = Variable(INT32, name)
            slope = form.terms.get(variable, 0)
            if slope:
                form = form.without(variable).plus(first if slope > 0 else last, slope)
        return form


def _outermost_choices(e: Expr) -> list[Select]:
    choices, stack, visited = [], [e], set()
    while stack:
        node: Any = stack.pop()
        if node in visited:
            continue
        visited.add(node)
        if isinstance(node, Select):
            choices.append(node)
        else:
            stack += node.children()
    return choices


def _value(load: Load, index: Expr, choice: Select, pieces: Iterable[AffinePiece]) -> Expr:
    result: Expr | None = None
    for piece in reversed(list(pieces)):
        place = from_linear(piece.value, INT32)
        at = rewrite(index, lambda node: node, {choice: place})
        value = Load(load.type, load.buffer, at, and_(load.predicate, piece.condition))
        result = value if result is None else build.select(piece.condition, value, result)
    assert result is not None
    return result


def _in_lowest_terms(form: Linear) -> Linear:
    """A form that is >= 0 exactly where `form` is."""
    factor = math.gcd(*form.terms.values())
    return Linear(form.constant // factor, {atom: c // factor for atom, c in form.terms.items()})


def _in_short_vectors(loop: For, lanes: int) -> Stmt:
    copy = fresh_copy(loop, ".far")
    assert isinstance(copy, For)
    if lanes % _SHORT_VECTOR or lanes == _SHORT_VECTOR:
        return copy
    part = Variable(INT32, f"{copy.name}.part")
    start = add(copy.minimum, mul(part, _SHORT_VECTOR))
    lane = Variable(INT32, copy.name)
    body = substitute(copy.body, {copy.name: add(start, lane)})
    vector = For(copy.name, as_expr(0), as_expr(_SHORT_VECTOR), copy.kind, body)
    return For(part.name, as_expr(0), as_expr(lanes // _SHORT_VECTOR), LoopKind.SERIAL, vector)
