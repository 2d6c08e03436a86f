"""Loop partitioning: a prologue, a steady state without boundary tests, and an epilogue.

    for x in 0..w { f[x] = in[max(min(likely(x - 1), w - 1), 0)] }
    -->
    for x in 0..1 { f[x] = in[max(min(x - 1, w - 1), 0)] }
    for x in 1..w { f[x] = in[x - 1] }

Conditions with a side marked likely are solved for the loop variable, and in loops that are innermost for some
stage the clamps of indices, lets and extents too. The steady state is the iterations in which all of them are decided
for all inner iterations. In an outer loop only conditions that inner loops evaluate are worth a copy of its body.
An innermost loop is cut in up to three loops. An outer one that would become three, one with a large body, and a
parallel one test once an iteration which of two bodies to run instead: fewer copies, and one loop for the threads to
share. One that updates the same elements in each iteration is there a third time, without the test, for when all of it
is in the steady state. Long unrolled loops stay loops where they run a few times only: in the prologue, in the
epilogue, and in the border of a large body, unless these are a large share of the iterations because a loop has few.
Tests beside loops that take far longer are left where they are. No marks remain afterwards. A schedule may forbid to
cut a loop, or require it however large its body is.
"""

from __future__ import annotations

import math
import re
from typing import Any, TypeGuard

from pipec.bounds.conditions import without_marks
from pipec.bounds.linear import linear
from pipec.errors import ScheduleError
from pipec.ir.build import NOTHING, add, and_, as_expr, block, constant, le, max_, min_, sub
from pipec.ir.expr import TRUE, Expr, Variable
from pipec.ir.node import kinds_of
from pipec.ir.stmt import Block, For, IfThenElse, LoopKind, Partition, Provide, Stmt
from pipec.ir.types import INT32
from pipec.ir.unroll import fresh_copy
from pipec.ir.walk import instances, mentions, postorder, rewrite, statements, substitute
from pipec.lower.passes.loop_conditions import ConditionScope
from pipec.lower.passes.marked_conditions import SPLIT, is_innermost, is_long, steps_by_vectors
from pipec.lower.passes.steady_state import SteadyState
from pipec.lower.statements import map_statements, with_body, with_lets

# Nodes of a body that is copied.
_MAX_COPIED_NODES = 20_000
# Nodes after unrolling of a body beside which a test takes no time.
_MIN_LARGE_BODY_NODES = 1_000
# Nodes after unrolling of a loop that is unrolled in the prologue and the epilogue, and where these are a large share
# of the iterations because these are few.
_MAX_UNROLLED_BORDER_NODES = 400
_MAX_UNROLLED_FREQUENT_BORDER_NODES = 10_000
_MAX_FEW_ITERATIONS = 8
_COPY_SUFFIX = re.compile(r"(\.(before|after|border|ahead|steady)\d+)+$")


def partition_loops(stmt: Stmt) -> Stmt:
    """`stmt` with boundary tests only where they matter.

    Raises ScheduleError for a loop that the schedule wants partitioned (`Partition.Always`) and that cannot be.
    """
    scope = ConditionScope()
    scope.enter(stmt)
    partitioner = _Partitioner(scope)
    partitioned: Stmt = without_marks(partitioner.statement(stmt))
    policies = {original_name(loop.name): loop.partition for loop in statements(stmt) if _has_policy(loop)}
    if not policies:
        return partitioned
    for name, policy in policies.items():
        if policy is Partition.Always and name not in partitioner.partitioned:
            raise ScheduleError(
                f"Error: Loop Partition Policy is set to Always for {name}, but no loop partitioning was performed.\n"
                "Its body has no condition that would be decided in a part of the iterations. Leave the loop to "
                "Partition.Auto."
            )
    return _without_policies(partitioned)


def _has_policy(node: Any) -> TypeGuard[For]:
    return isinstance(node, For) and node.partition is not Partition.Auto


def _without_policies(stmt: Stmt) -> Stmt:
    def change(node: Any) -> Any:
        return For(node.name, node.minimum, node.extent, node.kind, node.body) if _has_policy(node) else node

    result: Stmt = rewrite(stmt, change, kinds=kinds_of(For))
    return result


def original_name(name: str) -> str:
    """The name of a loop or variable before its loop was cut."""
    return _COPY_SUFFIX.sub("", name)


class _Partitioner:
    def __init__(self, scope: ConditionScope) -> None:
        self.scope = scope
        # The loops with Partition.Always of which some copy was partitioned.
        self.partitioned: set[str] = set()
        self.copies = 0
        # Outer loops are not partitioned in a copy for a border.
        self.in_border = False
        # Nodes after unrolling of a loop that is unrolled in a border.
        self.max_unrolled = _MAX_UNROLLED_BORDER_NODES
        # On a device a condition costs less than code for each of its outcomes.
        self.in_kernel = False

    def fresh(self, what: str) -> str:
        """A suffix for the names in a copy."""
        self.copies += 1
        return f".{what}{self.copies}"

    def statement(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, Block):
            return block([self.statement(child) for child in stmt.stmts])
        if isinstance(stmt, For) and stmt.kind in SPLIT:
            return self.loop(stmt)
        if isinstance(stmt, For) and stmt.kind is LoopKind.GPU_BLOCK and not self.in_kernel:
            self.in_kernel = True
            kernel: Stmt = with_body(stmt, self.statement(stmt.body))
            self.in_kernel = False
            return kernel
        return map_statements(stmt, self.statement)

    def loop(self, loop: For) -> Stmt:
        policy = loop.partition
        # Borders of borders would be many copies.
        forbidden = policy is Partition.Auto and (self.in_kernel or (self.in_border and not is_innermost(loop)))
        if forbidden or policy is Partition.Never:
            return with_body(loop, self.statement(loop.body))
        nodes = list(postorder(loop.body))
        steady = SteadyState(loop, nodes, self.scope, policy is Partition.Always)
        few = not (is_long(loop) or steady.has_constant_bounds or steps_by_vectors(loop))
        if not steady.decided:
            return with_body(loop, self.statement(loop.body))
        if steady.bounds and policy is Partition.Always:
            self.partitioned.add(original_name(loop.name))
        elif steady.bounds:
            # In a border the vectors of a tile are worth a copy each, unless they are many.
            whole = few and (not self.in_border or _unrolled_nodes(loop) > self.max_unrolled)
            if len(nodes) > _MAX_COPIED_NODES or whole or not steady.worthwhile:
                return with_body(loop, self.statement(loop.body))
        body = steady.body()
        self.scope.enter(body)
        inside = self.statement(body)
        if not steady.bounds:
            return with_body(loop, inside)
        # Vectors inside a border tile that need no tests are tested individually.
        partition = any(isinstance(node, For) and node.kind in SPLIT for node in nodes)
        large = steady.two_sided and _unrolled_nodes(loop) >= _MIN_LARGE_BODY_NODES
        if few or loop.kind is LoopKind.PARALLEL or large or (steady.two_sided and not steady.innermost):
            copy = fresh_copy(loop.body, self.fresh("border"))
            border = self.border(loop, copy, roll=large, partition=partition)
            tested = with_body(loop, IfThenElse(steady.holds(), inside, border))
            if not _accumulates(loop):
                return tested
            # Sums stay in registers if no test is around them.
            untested = fresh_copy(with_body(loop, inside), self.fresh("steady"))
            return IfThenElse(_holds_throughout(loop, steady), untested, tested)
        return self.cut(loop, steady, inside, partition)

    def border(self, loop: For, body: Stmt, *, roll: bool, partition: bool) -> Stmt:
        """`body`, a copy of that of a loop, for iterations outside the steady state.

        `roll`: long unrolled loops become serial. `partition`: its innermost loops are partitioned.
        """
        outside = self.in_border, self.max_unrolled
        if _has_few_iterations(loop):
            self.max_unrolled = _MAX_UNROLLED_FREQUENT_BORDER_NODES
        if roll:
            body = _rolled(body, self.max_unrolled)
        if partition and not self.in_border:
            self.scope.enter(body)
            self.in_border = True
            body = self.statement(body)
        self.in_border, self.max_unrolled = outside
        return body

    def cut(self, loop: For, steady: SteadyState, inside: Stmt, partition: bool) -> Stmt:
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
            body = self.border(loop, fresh_copy(loop.body, suffix), roll=True, partition=partition)
            return _piece(loop, suffix, low, high, body)

        pieces = [_piece(loop, "", start, finish, inside)]
        if first is not None:
            pieces.insert(0, copied("before", loop.minimum, start))
        if stop is not None:
            pieces.append(copied("after", finish, end))
        body = block(pieces)
        return with_lets(lets, body)


def _holds_throughout(loop: For, steady: SteadyState) -> Expr:
    """Whether all iterations of a loop are in the steady state."""
    end = add(loop.minimum, loop.extent)
    first, stop = steady.interval(loop.minimum, end)
    return and_(TRUE if first is None else le(first, loop.minimum), TRUE if stop is None else le(end, stop))


def _accumulates(loop: For) -> bool:
    """Whether a serial loop updates the same elements in each iteration."""
    provides = list(instances(Provide, loop.body)) if loop.kind is LoopKind.SERIAL else []
    return bool(provides) and not any(mentions(arg, {loop.name}) for provide in provides for arg in provide.args)


def _has_few_iterations(loop: For) -> bool:
    extent = constant(loop.extent)
    return extent is not None and extent <= _MAX_FEW_ITERATIONS


def _rolled(body: Stmt, max_nodes: int) -> Stmt:
    """A body that runs a few times only, with serial loops in place of unrolled ones that are long or hold loops.

    Those inside of long loops run often. `max_nodes`: after unrolling, of a loop that is not long.
    """
    if isinstance(body, For) and is_long(body):
        return body
    new = map_statements(body, lambda child: _rolled(child, max_nodes))
    if (
        isinstance(body, For)
        and body.kind is LoopKind.UNROLLED
        and (_unrolled_nodes(body) > max_nodes or _has_long_loop(body))
    ):
        assert isinstance(new, For)
        return with_body(new, new.body, LoopKind.SERIAL)
    return new


def _has_long_loop(loop: For) -> bool:
    return any(isinstance(inner, For) and is_long(inner) for inner in statements(loop.body))


def _unrolled_nodes(loop: For) -> int:
    """The approximate number of nodes after unrolling."""
    nodes = list(postorder(loop))
    loops = [node for node in nodes if isinstance(node, For) and node.kind is LoopKind.UNROLLED]
    return math.prod([int(constant(node.extent) or 1) for node in loops], start=len(nodes))


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
