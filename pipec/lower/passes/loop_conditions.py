"""The iterations of a loop in which an inequality holds for every iteration of the loops inside it.

for x { for xi in 0..8 { ... 8*x + xi <= w - 1 ... } }  -->  -8*x + (w - 8) >= 0
"""

from __future__ import annotations

from collections.abc import Sequence

from pipec.bounds.conditions import inequalities, is_likely, negation, unmarked
from pipec.bounds.linear import Linear, from_linear, linear
from pipec.bounds.ranges import Ranges
from pipec.ir.build import as_expr, constant, div, sub
from pipec.ir.expr import (
    EQ,
    FALSE,
    NE,
    TRUE,
    Compare,
    Div,
    Expr,
    FuncCall,
    ImageCall,
    Load,
    Max,
    Min,
    Mod,
    Select,
    Variable,
)
from pipec.ir.node import Node
from pipec.ir.stmt import Allocate, CallExtern, For, LetStmt, Provide, Realize, Store
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, instances
from pipec.records import dataclass

# The parts of an inequality; one with more is not solved.
_MAX_PARTS = 32
_ranges = Ranges()


@dataclass(frozen=True)
class LinearCondition:
    """slope * v + rest >= 0, where rest is invariant in the loop; with slope 0 it holds always or never."""

    slope: int
    rest: Linear

    def implies(self, other: LinearCondition) -> bool:
        """Whether `other` certainly holds wherever this one does."""
        return self.slope == other.slope and other.rest.is_at_least(self.rest)

    def limit(self) -> Expr:
        """The smallest v (slope > 0) or the largest v (slope < 0) for which it holds; not of slope 0."""
        rest = from_linear(self.rest, INT32)
        if self.slope > 0:
            return sub(as_expr(0), div(rest, self.slope))
        return div(rest, -self.slope)


class ConditionScope:
    """The ranges of loop variables and the values of lets. `rank` grows from outer to inner bindings."""

    def __init__(self) -> None:
        self.loops: dict[str, tuple[Expr, Expr]] = {}
        self.lets: dict[str, Expr] = {}
        self.rank: dict[str, int] = {}
        self._bindings = 0

    def _bind(self, name: str) -> None:
        self._bindings += 1
        self.rank[name] = self._bindings

    def enter(self, root: Node) -> None:
        """Adds the bindings inside `root`."""
        # In postorder an inner binding comes before the one around it.
        for node in reversed(list(instances((For, LetStmt), root))):
            if isinstance(node, For):
                self.loops[node.name] = (node.minimum, node.extent)
                self._bind(node.name)
            else:
                self.lets[node.name] = node.value
                self._bind(node.name)


class LoopConditions:
    """Solves conditions for the variable of one loop. `nodes`: those of its body."""

    def __init__(self, loop: For, nodes: Sequence[Node], scope: ConditionScope) -> None:
        self.loop = loop
        self.name = loop.name
        self.inner = frozenset([node.name for node in nodes if isinstance(node, (For, LetStmt))])
        self.varying = self.inner | {loop.name}
        self._stored = _stored(nodes)
        self.scope = scope
        # The expressions of the body under the decisions so far.
        self.current: dict[Node, Expr] = {}
        self._parts = 0

    def inequalities(self, condition: Compare, truth: bool) -> list[Linear] | None:
        """Forms that are all >= 0 in the iterations where an int32 comparison has this value."""
        if condition.a.type is not INT32:
            return None
        required = condition if truth else negation(condition)
        if isinstance(required, NE):
            return self._different(linear(condition.b).plus(linear(condition.a), -1))
        return None if isinstance(required, EQ) else inequalities(required)

    def _different(self, gap: Linear) -> list[Linear] | None:
        """gap != 0, for a gap that is 0 in the first or in the last iteration and has one sign in all others."""
        slope = gap.terms.get(Variable(INT32, self.name), 0)
        if abs(slope) != 1:
            return None
        first, last = self.at_ends(gap)
        if first.is_constant and first.constant * slope >= 0:
            return [gap.times(slope).shifted(-1)]
        if last.is_constant and last.constant * slope <= 0:
            return [gap.times(-slope).shifted(-1)]
        return None

    def at_ends(self, form: Linear) -> tuple[Linear, Linear]:
        """`form` in the first and in the last iteration."""
        variable = Variable(INT32, self.name)
        slope = form.terms.get(variable, 0)
        rest = form.plus(Linear(0, {variable: 1}), -slope)
        first = linear(self.loop.minimum)
        last = first.plus(linear(self.loop.extent)).shifted(-1)
        return rest.plus(first, slope), rest.plus(last, slope)

    def bounds(self, forms: Sequence[Linear]) -> list[LinearCondition] | None:
        """Bounds on the variable under which all forms are >= 0 in all inner iterations; None when there are none.

        A bound of slope 0 is no bound on the variable, but may come with others.
        """
        self._parts = 0
        bounds = self._bounds(list(forms))
        return None if bounds and not any(bound.slope for bound in bounds) else bounds

    def _bounds(self, work: list[Linear]) -> list[LinearCondition] | None:
        bounds: list[LinearCondition] = []
        variable = Variable(INT32, self.name)
        while work:
            form = work.pop()
            self._parts += 1
            if self._parts > _MAX_PARTS:
                return None
            choices = self._reduced(form)
            if choices is None:
                slope = form.terms.get(variable, 0)
                if slope:
                    bounds.append(LinearCondition(slope, form.plus(Linear(0, {variable: 1}), -slope)))
                elif not form.is_constant:
                    bounds.append(LinearCondition(0, form))
                elif form.constant < 0:
                    return None
            elif len(choices) == 1:
                work.extend(choices[0])
            else:
                candidates = [b for c in choices if (b := self._bounds([*work, *c])) is not None]
                rest = next(
                    (b for b in candidates if all(bound.slope for bound in b)), candidates[0] if candidates else None
                )
                return None if rest is None else bounds + rest
        return bounds

    def always(self, bound: LinearCondition) -> bool:
        """Whether the bound certainly holds in all iterations."""
        return self._at_end(bound, worst=True) is True

    def never(self, bound: LinearCondition) -> bool:
        """Whether the bound certainly holds in no iteration."""
        return self._at_end(bound, worst=False) is False

    def _at_end(self, bound: LinearCondition, worst: bool) -> bool | None:
        form = bound.rest.plus(Linear(0, {Variable(INT32, self.name): 1}), bound.slope)
        first, last = self.at_ends(form)
        value = from_linear(first if (bound.slope > 0) == worst else last, INT32)
        if _ranges.proves_at_least(value, as_expr(0)):
            return True
        return False if _ranges.proves_at_least(as_expr(-1), value) else None

    def _reduced(self, form: Linear) -> list[list[Linear]] | None:
        """Lists of forms, each of which implies form >= 0; None when the form is linear in the variable already.

        An empty result: no bound of the form can be derived.
        """
        innermost: Variable | None = None
        for atom, coefficient in form.terms.items():
            if isinstance(atom, Variable):
                if atom.name in self.inner and (innermost is None or self._rank(atom) > self._rank(innermost)):
                    innermost = atom
            elif self.varies(atom):
                return self._without_atom(form, atom, coefficient)
        return None if innermost is None else self._without_variable(form, innermost)

    def _rank(self, variable: Variable) -> int:
        return self.scope.rank.get(variable.name, 0)

    def _without_variable(self, form: Linear, variable: Variable) -> list[list[Linear]]:
        coefficient = form.terms[variable]
        rest = form.plus(Linear(0, {variable: 1}), -coefficient)
        value = self.scope.lets.get(variable.name)
        if value is not None:
            return [[rest.plus(self._form(value), coefficient)]] if value.type is INT32 else []
        limits = self.scope.loops.get(variable.name)
        if limits is None:
            return []
        worst = self._form(limits[0])
        if coefficient < 0:
            worst = worst.plus(self._form(limits[1])).shifted(-1)
        return [[rest.plus(worst, coefficient)]]

    def _form(self, e: Expr) -> Linear:
        return linear(self.current.get(e, e))

    def _without_atom(self, form: Linear, atom: Expr, coefficient: int) -> list[list[Linear]]:
        rest = form.plus(Linear(0, {atom: 1}), -coefficient)
        if is_likely(atom, innermost=True):
            return [[rest.plus(linear(unmarked(atom)), coefficient)]]
        if isinstance(atom, (Min, Max)):
            sides = [rest.plus(linear(side), coefficient) for side in (atom.a, atom.b)]
            if isinstance(atom, Min) == (coefficient > 0):
                return [sides]
            # Either side is sufficient: the one that varies less may hold always.
            return [[side] for side in (sides if self.varies(atom.b) else reversed(sides))]
        if isinstance(atom, Select):
            return [[rest.plus(linear(side), coefficient) for side in (atom.true_value, atom.false_value)]]
        by = constant(atom.b) if isinstance(atom, (Div, Mod)) else None
        if by is None or by <= 0:
            return []
        if isinstance(atom, Mod):
            return [[rest if coefficient > 0 else rest.shifted(coefficient * (int(by) - 1))]]
        assert isinstance(atom, Div)
        # c * (x / c) lies between x - c + 1 and x.
        bound = linear(atom.a).shifted(1 - int(by) if coefficient > 0 else 0)
        return [[rest.times(int(by)).plus(bound, coefficient)]]

    def varies(self, e: Expr) -> bool:
        """Whether an expression may have different values in different iterations, also by what they store."""
        if not free_variables(e).isdisjoint(self.varying):
            return True
        reads = map(_read, instances((FuncCall, ImageCall, Load), e))
        return any(name in self._stored for name in reads)


def _stored(nodes: Sequence[Node]) -> frozenset[str]:
    """The Funcs and buffers that are stored to, or whose storage begins, among the nodes."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, (Provide, Realize, Allocate)):
            names.add(node.name)
        elif isinstance(node, Store):
            names.add(node.buffer)
        elif isinstance(node, CallExtern):
            # The buffers of a Func with several values are f.0, f.1, ...
            names.update(part for name in node.buffers() for part in (name, name.rpartition(".")[0]))
    return frozenset(names)


def _read(node: FuncCall | ImageCall | Load) -> str:
    return node.buffer if isinstance(node, Load) else node.name


def truth(value: bool) -> Expr:
    """A boolean constant."""
    return TRUE if value else FALSE
