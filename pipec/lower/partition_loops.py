"""No boundary test in the steady state of a loop.

    for x in 0..w { f[x] = in[max(min(likely(x - 1), w - 1), 0)] }
    -->
    for x in 0..1 { f[x] = in[max(min(x - 1, w - 1), 0)] }
    for x in 1..w { f[x] = in[x - 1] }

Conditions with a side marked likely are solved for the loop variable, and in loops that are innermost for some
stage the clamps of indices, lets and extents as well. Where all of them are decided for all inner iterations is the
steady state. In an outer loop only what inner loops would ask again and again is worth a copy of its body.
An innermost loop is cut in up to three loops. An outer one that would become three, or a parallel one, asks once an
iteration which of two bodies to run instead: fewer copies, and one loop for the threads to share. All markers are
gone afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pipec.ir import build
from pipec.ir.build import NOTHING, add, and_, as_expr, block, constant, ge, max_, min_, sub
from pipec.ir.expr import (
    And,
    Compare,
    Expr,
    FuncCall,
    ImageCall,
    Intrinsic,
    Load,
    Max,
    Min,
    Not,
    Or,
    Select,
    Variable,
)
from pipec.ir.linear import linear
from pipec.ir.node import Node
from pipec.ir.stmt import Block, For, IfThenElse, LetStmt, LoopKind, Provide, Stmt, Store
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, rewrite, substitute
from pipec.lower.loop_conditions import Bound, LoopConditions, Scope, truth
from pipec.lower.uniquify import fresh_copy

_MARKERS = ("likely", "likely_if_innermost")
# Loops of a constant number of iterations up to this one are taken for unrolled.
_FEW = 8
_SPLIT = (LoopKind.SERIAL, LoopKind.PARALLEL)
# Bodies of more nodes are not copied at all; of at most this many, the copy for the border is partitioned as well.
_LARGEST = 20_000
_SMALL = 1_500


def partition_loops(stmt: Stmt) -> Stmt:
    """`stmt` with boundary tests only where they matter."""
    scope = Scope()
    scope.enter(stmt)
    partitioned: Stmt = strip_markers(_Partitioner(scope).statement(stmt))
    return partitioned


def strip_markers(node: Any, memo: dict[Node, Any] | None = None) -> Any:
    """`node` without likely and likely_if_innermost."""

    def change(e: Any) -> Any:
        return e.args[0] if isinstance(e, Intrinsic) and e.name in _MARKERS else e

    return rewrite(node, change, memo)


class _Partitioner:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.copies = 0
        # In a copy for a border the outer loops stay whole.
        self.in_border = False

    def fresh(self, what: str) -> str:
        """A suffix for the names in a copy."""
        self.copies += 1
        return f".{what}{self.copies}"

    def statement(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, Block):
            return block([self.statement(child) for child in stmt.stmts])
        if isinstance(stmt, For) and stmt.kind in _SPLIT:
            return self.loop(stmt)
        new: Stmt = stmt.rebuild(lambda child: self.statement(child) if isinstance(child, Stmt) else child)
        return new

    def loop(self, loop: For) -> Stmt:
        if self.in_border and not _is_innermost(loop):
            # Borders of borders would be many copies.
            return For(loop.name, loop.minimum, loop.extent, loop.kind, self.statement(loop.body))
        nodes = list(postorder(loop.body))
        steady = _SteadyState(loop, nodes, self.scope)
        few = not _is_long(loop) and not steady.known
        if not steady.decided or (steady.bounds and (len(nodes) > _LARGEST or (few and not self.in_border))):
            return For(loop.name, loop.minimum, loop.extent, loop.kind, self.statement(loop.body))
        body = steady.body()
        self.scope.enter(body)
        inside = self.statement(body)
        if not steady.bounds:
            return For(loop.name, loop.minimum, loop.extent, loop.kind, inside)
        # Inside the border tiles, vectors that lie within are told one by one.
        partition = len(nodes) <= _SMALL and any(isinstance(node, For) and node.kind in _SPLIT for node in nodes)
        if few or loop.kind is LoopKind.PARALLEL or (steady.two_sided and not steady.innermost):
            border = self.border(fresh_copy(loop.body, self.fresh("border")), partition)
            choice = IfThenElse(steady.holds(), inside, border)
            return For(loop.name, loop.minimum, loop.extent, loop.kind, choice)
        return self.cut(loop, steady, inside, partition)

    def border(self, body: Stmt, partition: bool) -> Stmt:
        """A copy of a body for iterations outside the steady state, with its innermost loops partitioned."""
        if not partition or self.in_border:
            return body
        self.scope.enter(body)
        self.in_border = True
        result = self.statement(body)
        self.in_border = False
        return result

    def cut(self, loop: For, steady: _SteadyState, inside: Stmt, partition: bool) -> Stmt:
        """Up to three loops in the order of the iterations."""
        end = add(loop.minimum, loop.extent)
        first, stop = steady.interval(loop.minimum, end)
        lets: list[tuple[str, Expr]] = []

        def named(suffix: str, value: Expr) -> Expr:
            if constant(value) is not None or isinstance(value, Variable):
                return value
            lets.append((f"{loop.name}.{suffix}", value))
            return Variable(INT32, f"{loop.name}.{suffix}")

        start = loop.minimum if first is None else named("steady", min_(first, end))
        finish = end if stop is None else named("rest", max_(min_(stop, end), start))

        def copied(what: str, low: Expr, high: Expr) -> Stmt:
            suffix = self.fresh(what)
            return _piece(loop, suffix, low, high, self.border(fresh_copy(loop.body, suffix), partition))

        pieces = [_piece(loop, "", start, finish, inside)]
        if first is not None:
            pieces.insert(0, copied("before", loop.minimum, start))
        if stop is not None:
            pieces.append(copied("after", finish, end))
        body = block(pieces)
        for name, value in reversed(lets):
            body = LetStmt(name, value, body)
        return body


def _piece(loop: For, suffix: str, start: Expr, end: Expr, body: Stmt) -> Stmt:
    """The iterations from `start` to `end` of `loop`."""
    gap = linear(end).plus(linear(start), -1)
    extent = as_expr(gap.constant) if gap.is_constant else sub(end, start)
    name = loop.name + suffix
    if gap.is_constant and gap.constant <= 0:
        return NOTHING
    if gap.is_constant and gap.constant == 1:
        return substitute(body, {loop.name: start})
    return For(name, start, extent, loop.kind, substitute(body, {loop.name: Variable(INT32, name)}) if suffix else body)


class _SteadyState:
    """What is decided in the steady state of a loop, and the bounds on its variable that make it so."""

    def __init__(self, loop: For, nodes: list[Node], scope: Scope) -> None:
        self.loop = loop
        self.nodes = nodes
        inner = frozenset(node.name for node in nodes if isinstance(node, For | LetStmt))
        self.innermost = _is_innermost(loop)
        self.conditions = LoopConditions(loop, inner, scope)
        self.bounds: list[Bound] = []
        # The boolean that a comparison has, or the operand that a Min or Max is.
        self.decided: dict[Node, Expr] = {}
        marked = _Marked(nodes, self.innermost)
        wanted: dict[Node, bool | None] = dict(marked.wanted)
        clamps: dict[Node, bool | None] = dict.fromkeys(marked.clamps)
        if wanted and not (self.innermost and _is_long(loop)):
            worthwhile = _asked_by_inner_loops(nodes) if _is_long(loop) else _varying(nodes, _vectors(nodes))
            clamps |= {node: value for node, value in wanted.items() if node not in worthwhile}
            wanted = {node: value for node, value in wanted.items() if node in worthwhile}
        if self.innermost and (wanted or clamps):
            self._decide(clamps | wanted, extend=True)
        elif wanted:
            self._decide(wanted, extend=True)
            if self.bounds and clamps:
                self._decide(clamps, extend=False)

    def _decide(self, wanted: Mapping[Node, bool | None], extend: bool) -> None:
        """Decide the wanted nodes, inner ones first; adding bounds only if `extend`."""
        memo = self.conditions.current = {}
        plain: dict[Node, Any] = {}
        for node in self.nodes:
            new = _fold(node.rebuild(memo.__getitem__))
            if node in self.decided:
                new = self.decided[node] if isinstance(node, Compare) else memo[self.decided[node]]
            elif node in wanted:
                choice = self._try(strip_markers(new, plain), wanted[node], extend)
                if choice is not None and isinstance(node, Min | Max):
                    self.decided[node] = node.a if choice else node.b
                    new = memo[self.decided[node]]
                elif choice is not None:
                    self.decided[node] = new = truth(choice)
            memo[node] = new

    def _try(self, node: Any, preferred: bool | None, extend: bool) -> bool | None:
        """The truth, or whether it is the first operand, of `node` in the steady state; None: not decided."""
        if isinstance(node, Min | Max):
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
        """Whether the first operand of a clamp is the one that varies in the loop; None: not just one does."""
        first, second = (not free_variables(e).isdisjoint(self.conditions.varying) for e in (node.a, node.b))
        return first if first != second else None

    def _holds(self, bounds: list[Bound] | None, extend: bool) -> bool:
        """Whether the bounds hold in the steady state, which is cut down to them if `extend`."""
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
    def known(self) -> bool:
        """Whether the iterations of the steady state are known."""
        return all(bound.rest.is_constant for bound in self.bounds)

    @property
    def two_sided(self) -> bool:
        return len({bound.slope > 0 for bound in self.bounds}) == 2

    def body(self) -> Stmt:
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
            limit = bound.limit()
            test = ge(variable, limit) if bound.slope > 0 else build.le(variable, limit)
            total = and_(total, test)
        return total

    def interval(self, minimum: Expr, end: Expr) -> tuple[Expr | None, Expr | None]:
        """The first iteration of the steady state and the one after its last; None: those of the whole loop."""
        first: Expr | None = None
        stop: Expr | None = None
        for bound in self.bounds:
            if bound.slope > 0:
                first = max_(minimum if first is None else first, bound.limit())
            else:
                limit = add(bound.limit(), 1)
                stop = limit if stop is None else min_(stop, limit)
        return first, stop


class _Marked:
    """The conditions worth deciding in a body."""

    def __init__(self, nodes: list[Node], innermost: bool) -> None:
        # Comparisons with the truth hoped for; Mins and Maxes with whether it is the first operand.
        self.wanted: dict[Node, bool] = {}
        self.clamps: list[Node] = []
        self._markers = _MARKERS if innermost else _MARKERS[:1]
        self._tagged: set[Node] = set()
        for node in nodes:
            self._visit(node)
        seen: set[Node] = set()
        for e in _indices(nodes):
            self.clamps += [node for node in postorder(e, seen) if self._is_clamp(node)]

    def _is_clamp(self, node: Node) -> bool:
        return isinstance(node, Min | Max) and node.type is INT32 and node not in self.wanted

    def _visit(self, node: Node) -> None:
        tagged = self._tagged
        if isinstance(node, Intrinsic):
            if node.name in self._markers:
                tagged.add(node)
                if node.type.boolean:
                    self._want(node.args[0], True)
        elif isinstance(node, Select):
            first, second = node.true_value in tagged, node.false_value in tagged
            if first != second:
                self._want(node.condition, first)
        elif isinstance(node, Min | Max):
            first, second = node.a in tagged, node.b in tagged
            if first != second:
                self.wanted[node] = first
            if first or second:
                tagged.add(node)
        elif isinstance(node, Expr) and not isinstance(node, FuncCall | ImageCall | Load):
            if any(child in tagged for child in node.children()):
                tagged.add(node)

    def _want(self, condition: Expr, hoped: bool) -> None:
        """Ask for the parts of a condition that must all be decided for it to be as hoped."""
        stack = [(condition, hoped)]
        while stack:
            e, value = stack.pop()
            if isinstance(e, Not):
                stack.append((e.value, not value))
            elif isinstance(e, Intrinsic) and e.name in _MARKERS:
                stack.append((e.args[0], value))
            elif isinstance(e, And if value else Or):
                stack += [(e.a, value), (e.b, value)]
            elif isinstance(e, Compare):
                self.wanted.setdefault(e, value)


def _indices(nodes: Iterable[Node]) -> Iterable[Expr]:
    """The expressions that say where things are and how often loops run."""
    for node in nodes:
        if isinstance(node, FuncCall | ImageCall | Provide):
            yield from node.args
        elif isinstance(node, Load | Store):
            yield node.index
        elif isinstance(node, For):
            yield from (node.minimum, node.extent)
        elif isinstance(node, LetStmt) and node.value.type is INT32:
            yield node.value


def _vectors(nodes: list[Node]) -> set[str]:
    return {node.name for node in nodes if isinstance(node, For) and node.kind is LoopKind.VECTORIZED}


def _varying(nodes: list[Node], names: set[str]) -> set[Node]:
    """The expressions in a loop's body that vary with the named variables."""
    named: dict[Node, list[str]] = {}
    for node in nodes:
        if isinstance(node, LetStmt):
            named.setdefault(node.value, []).append(node.name)
    varying = set(names)
    found: set[Node] = set()
    for node in nodes:
        if isinstance(node, Variable):
            if node.name in varying:
                found.add(node)
        elif isinstance(node, Expr) and any(child in found for child in node.children()):
            found.add(node)
        if node in found:
            varying.update(named.get(node, ()))
    return found


def _asked_by_inner_loops(nodes: list[Node]) -> set[Node]:
    """Of a loop's body, what varies with an innermost loop in it, and the comparisons that are made in loops.

    A clamp that does not vary in innermost loops is found before them, and costs nothing beside them.
    """
    names = {node.name for node in nodes if isinstance(node, For) and (not _is_long(node) or _is_innermost(node))}
    lets = {node.name: node.value for node in nodes if isinstance(node, LetStmt)}
    found = _varying(nodes, names)
    bodies: set[Node] = set()
    for loop in nodes:
        if isinstance(loop, For) and _is_long(loop):
            found.update(node for node in postorder(loop.body, bodies) if isinstance(node, Compare))
    # What a let stands for is found once; but the extents of loops within loops are best known beforehand.
    work = [node.extent for node in bodies if isinstance(node, For)]
    extents: set[Node] = set()
    while work:
        for node in postorder(work.pop(), extents):
            if isinstance(node, Compare):
                found.add(node)
            elif isinstance(node, Variable) and node.name in lets:
                work.append(lets[node.name])
    return found


def _is_long(loop: For) -> bool:
    extent = constant(loop.extent)
    return loop.kind in _SPLIT and (extent is None or extent > _FEW)


def _is_innermost(loop: For) -> bool:
    """Whether some store lies in no other loop inside of `loop`, unrolled and vector ones aside."""
    stack: list[Node] = [loop.body]
    while stack:
        node = stack.pop()
        if isinstance(node, Provide | Store):
            return True
        if not (isinstance(node, For) and _is_long(node)):
            stack.extend([child for child in node.children() if isinstance(child, Stmt)])
    return False


def _fold(node: Any) -> Any:
    """A rebuilt node without the parts that decided conditions leave dead."""
    if isinstance(node, And):
        return and_(node.a, node.b)
    if isinstance(node, Or):
        return build.or_(node.a, node.b)
    if isinstance(node, Not):
        return build.not_(node.value)
    if isinstance(node, Select):
        return build.select(node.condition, node.true_value, node.false_value)
    if isinstance(node, Intrinsic) and node.name in _MARKERS and constant(node.args[0]) is not None:
        return node.args[0]
    if isinstance(node, IfThenElse):
        value = constant(node.condition)
        if value is not None:
            return node.then if value else NOTHING if node.otherwise is None else node.otherwise
    if isinstance(node, Block):
        return block(node.stmts)
    return node
