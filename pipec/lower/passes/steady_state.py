"""The iterations of a loop in which all boundary tests are decided, and its body there.

for x in 0..w { f[x] = in[max(min(likely(x - 1), w - 1), 0)] }  -->  x >= 1; f[x] = in[x - 1]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipec.bounds.conditions import is_likely, unmarked, without_marks
from pipec.bounds.linear import from_linear, linear
from pipec.ir import build
from pipec.ir.build import NOTHING, add, and_, block, constant, ge, max_, min_
from pipec.ir.expr import And, Compare, Expr, Max, Min, Not, Or, Select, Variable
from pipec.ir.node import Node
from pipec.ir.stmt import Block, For, IfThenElse, LetStmt, LoopKind, Stmt
from pipec.ir.types import INT32
from pipec.ir.walk import postorder, statements
from pipec.lower.passes.loop_conditions import ConditionScope, LinearCondition, LoopConditions, truth
from pipec.lower.passes.marked_conditions import (
    MarkedConditions,
    evaluated_in_inner_loops,
    is_innermost,
    is_long,
    varying_with,
    vector_variables,
)

# Nodes of a body in which the arithmetic of a clamp is a considerable part.
_MAX_SMALL_BODY_NODES = 200
# Iterations of loops without tests, for each test outside of them, beside which it takes no time.
_MANY_ITERATIONS = 100


class SteadyState:
    """The conditions that are decided in the steady state of a loop, and the bounds of its variable there."""

    def __init__(self, loop: For, nodes: list[Node], scope: ConditionScope, always: bool = False) -> None:
        """`always`: decides all conditions that it can, also where that is not worth a copy of the body."""
        self.loop = loop
        self.nodes = nodes
        self.innermost = is_innermost(loop)
        self.conditions = LoopConditions(loop, nodes, scope)
        self.bounds: list[LinearCondition] = []
        # The value of a comparison, or the operand that a Min or Max equals.
        self.decided: dict[Node, Expr] = {}
        marked = MarkedConditions(nodes, self.innermost)
        preferred: dict[Node, bool | None] = dict(marked.preferred)
        self.preferred = preferred
        clamps: dict[Node, bool | None] = dict.fromkeys(marked.clamps)
        every = clamps | preferred
        if always:
            pass
        elif not is_long(loop):
            worthwhile = varying_with(nodes, vector_variables(nodes))
            every = {node: value for node, value in every.items() if node in worthwhile}
        elif not self.innermost:
            worthwhile = evaluated_in_inner_loops(nodes) if preferred else set()
            every = {node: value for node, value in preferred.items() if node in worthwhile}
        if every:
            self._decide(every, extend=True)
            rest = {node: value for node, value in (clamps | preferred).items() if node not in every}
            if self.bounds and rest:
                self._decide(rest, extend=False)

    def _decide(self, choices: Mapping[Node, bool | None], extend: bool) -> None:
        """Decides the nodes of `choices`, inner ones first; adds bounds only if `extend`."""
        memo = self.conditions.current = {}
        plain: dict[Node, Any] = {}
        for node in self.nodes:
            new = _fold(node.rebuild(memo.__getitem__))
            if node in self.decided:
                new = self.decided[node] if isinstance(node, Compare) else memo[self.decided[node]]
            elif node in choices:
                decision = self._try(without_marks(new, plain), choices[node], extend)
                if decision is not None and isinstance(node, (Min, Max)):
                    self.decided[node] = node.a if decision else node.b
                    new = memo[self.decided[node]]
                elif decision is not None:
                    self.decided[node] = new = truth(decision)
            memo[node] = new

    def _try(self, node: Any, preferred: bool | None, extend: bool) -> bool | None:
        """The value of a comparison, or whether a clamp is its first operand, in the steady state; None: undecided."""
        if isinstance(node, (Min, Max)):
            if node.type is not INT32:
                return None
            first = self._varying_side(node) if preferred is None else preferred
            if first is None:
                return None
            gap = linear(node.b).plus(linear(node.a), -1)
            forms = [gap if isinstance(node, Min) == first else gap.times(-1)]
            return first if self._holds(self.conditions.bounds(forms), extend) else None
        if not isinstance(node, Compare) or preferred is None:
            return None
        inequalities = self.conditions.inequalities(node, preferred)
        if inequalities is None:
            return None
        return preferred if self._holds(self.conditions.bounds(inequalities), extend) else None

    def _varying_side(self, node: Min | Max) -> bool | None:
        """Whether the first operand of a clamp is the one that varies in the loop; None: both or neither do."""
        first, second = self.conditions.varies(node.a), self.conditions.varies(node.b)
        return first if first != second else None

    def _holds(self, bounds: list[LinearCondition] | None, extend: bool) -> bool:
        """Whether the bounds hold in the steady state, which is restricted to them if `extend`."""
        if bounds is None:
            return False
        new = [b for b in bounds if not self.conditions.always(b) and not any(old.implies(b) for old in self.bounds)]
        if not new:
            return True
        if not extend or any(self.conditions.never(b) for b in new):
            return False
        self.bounds = [old for old in self.bounds if not any(b.implies(old) for b in new)]
        for b in new:
            if not any(old.implies(b) for old in self.bounds):
                self.bounds.append(b)
        return True

    @property
    def worthwhile(self) -> bool:
        """Whether the decisions save more than arithmetic of a vector's first index, which costs little, and are not
        beside loops that take far longer."""
        if self._decides_extents():
            return True
        if self._iterations_without_tests() >= _MANY_ITERATIONS * len(self.decided):
            return False
        lanes = vector_variables(self.nodes)
        if not lanes or any(node in self.preferred for node in self.decided):
            return True
        if self.innermost and len(self.nodes) <= _MAX_SMALL_BODY_NODES:
            return True
        lane_varying = varying_with(self.nodes, lanes)
        return any(node in lane_varying for node in self.decided)

    def _iterations_without_tests(self) -> int:
        """The iterations of loops of constant extents in which nothing is decided, for one of each loop around them."""
        tested: set[Node] = set(self.decided)
        for node in self.nodes:
            if any([child in tested for child in node.children()]):
                tested.add(node)
        iterations: dict[Node, int] = {}
        for stmt in statements(self.loop.body):
            count = sum([iterations[child] for child in stmt.below if isinstance(child, Stmt)])
            if isinstance(stmt, For) and stmt not in tested and stmt.kind is not LoopKind.VECTORIZED:
                count = max(count, 1) * int(constant(stmt.extent) or 1)
            iterations[stmt] = count
        return iterations[self.loop.body]

    def _decides_extents(self) -> bool:
        """Whether the extent of a loop inside depends on a decision."""
        lets = {node.name: node.value for node in self.nodes if isinstance(node, LetStmt)}
        work = [node.extent for node in self.nodes if isinstance(node, For)]
        visited: set[Node] = set()
        while work:
            for node in postorder(work.pop(), visited=visited):
                if node in self.decided:
                    return True
                if isinstance(node, Variable) and node.name in lets:
                    work.append(lets[node.name])
        return False

    @property
    def has_constant_bounds(self) -> bool:
        """Whether the first and the last iteration of the steady state are constant."""
        return all(bound.rest.is_constant for bound in self.bounds)

    @property
    def two_sided(self) -> bool:
        """Whether there may be iterations both before and after the steady state."""
        return len({bound.slope > 0 for bound in self.bounds if bound.slope}) == 2

    def body(self) -> Stmt:
        """The body of the loop in the steady state."""
        memo: dict[Node, Any] = {}
        for node in self.nodes:
            choice = self.decided.get(node)
            if choice is None:
                memo[node] = _fold(node.rebuild(memo.__getitem__))
            else:
                memo[node] = choice if isinstance(node, Compare) else memo[choice]
        result: Stmt = memo[self.loop.body]
        return result

    def holds(self) -> Expr:
        """The condition that the current iteration is in the steady state."""
        total: Expr = truth(True)
        variable = Variable(INT32, self.loop.name)
        for bound in self.bounds:
            total = and_(total, _test(bound, variable))
        return total

    def interval(self, minimum: Expr, end: Expr) -> tuple[Expr | None, Expr | None]:
        """The first iteration of the steady state and the one after its last; None: those of the whole loop."""
        first: Expr | None = None
        stop: Expr | None = None
        for bound in self.bounds:
            if bound.slope >= 0:
                limit = bound.limit() if bound.slope else build.select(_test(bound), minimum, end)
                first = max_(minimum if first is None else first, limit)
            else:
                limit = add(bound.limit(), 1)
                stop = limit if stop is None else min_(stop, limit)
        return first, stop


def _test(bound: LinearCondition, variable: Expr | None = None) -> Expr:
    """The condition that a bound holds."""
    if not bound.slope:
        return ge(from_linear(bound.rest, INT32), 0)
    assert variable is not None
    return ge(variable, bound.limit()) if bound.slope > 0 else build.le(variable, bound.limit())


def _fold(node: Any) -> Any:
    """A rebuilt node without the parts that are dead under the decisions."""
    if isinstance(node, And):
        return and_(node.a, node.b)
    if isinstance(node, Or):
        return build.or_(node.a, node.b)
    if isinstance(node, Not):
        return build.not_(node.value)
    if isinstance(node, Select):
        return build.select(node.condition, node.true_value, node.false_value)
    if is_likely(node, innermost=True) and constant(unmarked(node)) is not None:
        return unmarked(node)
    if isinstance(node, IfThenElse):
        value = constant(node.condition)
        if value is not None:
            return node.then if value else NOTHING if node.otherwise is None else node.otherwise
    if isinstance(node, Block):
        return block(node.stmts)
    return node
