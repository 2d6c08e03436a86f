"""Producers in threads of their own.

    realize f { for y { produce f; use f } }
    -->
    realize f { fork { for y { wait for room; produce f; post ready } }
                beside { for y { wait for ready; use f; post room } } }

Funcs that are computed together (`compute_with`) are one producer: if one is async, a thread computes all of them.

Both sides go through the same iterations, so that the n-th time one posts is the n-th time the other waits. The thread
is not one of the pool's: it may wait for its consumer, and its consumer for it, whatever the other threads do.
"""

from __future__ import annotations

from functools import reduce

from pipec.errors import ScheduleError
from pipec.ir.build import NOTHING, as_expr, block, cast, max_, min_
from pipec.ir.expr import BufferView, Expr, FuncCall, const
from pipec.ir.node import Node
from pipec.ir.stmt import Block, CallExtern, For, Fork, Post, ProducerConsumer, Realize, Stmt, Wait
from pipec.ir.types import INT64
from pipec.ir.unroll import fresh_copy
from pipec.ir.walk import postorder
from pipec.lower.planning.names import hoisted_memory
from pipec.lower.planning.plan import FuncPlan, LoweringPlan
from pipec.lower.statements import map_statements
from pipec.schedule.execution import Async
from pipec.schedule.placement import RingBuffer

# The counters of a fork: values that are ready, room for more, storages of a ring that are free, and values of other
# forks that are ready for both sides: the producer waits for those, and passes it on to the consumers.
READY, ROOM, RING, PASSED_ON = range(4)


def fork_async(stmt: Stmt, plan: LoweringPlan) -> Stmt:
    """`stmt` with a Fork for each Func, or group of Funcs, that is to be computed beside its consumers."""
    forked: set[str] = set()
    for number, func in enumerate(plan.funcs.values()):
        if Async in func.schedule and not func.is_output and func.definition.name not in forked:
            group = plan.groups.get(func.definition.name)
            members = (func,) if group is None else tuple(group.funcs)
            forked.update([member.definition.name for member in members])
            stmt = _Forker(plan, func, members, number).around(stmt)
    return stmt


class _Forker:
    """Moves the production of a Func, and of those computed with it, into a thread beside the statement around it."""

    def __init__(self, plan: LoweringPlan, func: FuncPlan, members: tuple[FuncPlan, ...], number: int) -> None:
        self.func = func
        self.name = func.definition.name
        self.members = tuple([member.definition.name for member in members])
        self.memories = {hoisted_memory(member, 0) for member in self.members}
        self.number = number
        self.forks = 0
        self.fork = ""
        # Counters of enclosing forks, for Funcs that only this one reads: its thread waits for them, not its consumers.
        self.private: set[tuple[str, int]] = set()
        # The same for Funcs that its consumers read too.
        self.shared: set[tuple[str, int]] = set()
        self.storages = _storages(members)
        rooms = [room for room in (_room(plan, member) for member in members) if room is not None]
        self.room = min(rooms, default=None)

    def around(self, stmt: Stmt) -> Stmt:
        """`stmt` with what is inside the Func's storage, or its memory, forked; of several Funcs, the innermost one."""
        outer = (
            isinstance(stmt, Realize) and self.is_storage(stmt) and not any(map(self.is_storage, postorder(stmt.body)))
        )
        if self.storages is not None:
            outer = self.is_memory(stmt) and not any(map(self.is_memory, postorder(stmt.body)))  # type: ignore[attr-defined]
        if outer:
            body: Stmt = stmt.body  # type: ignore[attr-defined]
            forked: Stmt = stmt.rebuild(lambda child: self.forked(child) if child is body else child)
            return forked
        return map_statements(stmt, self.around)

    def forked(self, stmt: Stmt) -> Stmt:
        """`stmt`, which produces and uses the Func, with a Fork as far inside as possible."""
        if not self.produces(stmt):
            return stmt
        if isinstance(stmt, Block):
            at = [self.produces(part) for part in stmt.stmts].index(True)
            if not self.is_production(stmt.stmts[at]):
                return block([*stmt.stmts[:at], self.forked(stmt.stmts[at]), *stmt.stmts[at + 1 :]])
            self.name_fork()
            first = block([stmt.stmts[at], Post(self.fork, READY)])
            return block([*stmt.stmts[:at], self.fork_statement(first, self.with_wait(stmt.stmts[at + 1 :]))])
        if isinstance(stmt, For) or self.is_stored(stmt):
            self.name_fork()
            self.private, self.shared = self.counters_read(stmt)
            first, second = self.producing(stmt), self.consuming(stmt)
            self.check(first, second)
            return self.fork_statement(fresh_copy(first, f".ahead{self.number}.ahead{self.forks}"), second)
        if self.is_production(stmt):
            return stmt
        return map_statements(stmt, self.forked)

    def name_fork(self) -> None:
        """Specialised consumers have a Fork each."""
        self.forks += 1
        self.fork = f"{self.name}.fork{self.forks}"

    def fork_statement(self, first: Stmt, second: Stmt) -> Stmt:
        storages = const(0) if self.storages is None else max_(self.storages, 1)
        none = as_expr(0, INT64)
        return Fork(self.fork, (none, as_expr(self.room or 0, INT64), cast(INT64, storages), none), first, second)

    def counters_read(self, stmt: Stmt) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
        """Counters of forks around `stmt`: of Funcs that only the Func reads, and that its consumers read too."""
        nodes = list(postorder(stmt))
        own = [node for node in nodes if isinstance(node, Stmt) and self.is_production(node)]
        read = set().union(*map(_read, own))
        others = _read(self.without_production(stmt))
        waits = [node for node in nodes if isinstance(node, Wait) and read & {*node.buffers}]
        private = {(wait.name, wait.index) for wait in waits if read & {*wait.buffers} - others}
        return private, {(wait.name, wait.index) for wait in waits} - private

    def without_production(self, stmt: Stmt) -> Stmt:
        if self.is_production(stmt):
            return NOTHING
        return map_statements(stmt, self.without_production)

    def producing(self, stmt: Stmt) -> Stmt:
        """The part of `stmt` that leads to the production of the Func."""
        if self.is_private(stmt):
            return stmt
        if self.is_shared_wait(stmt):
            return block([stmt, Post(self.fork, PASSED_ON)])
        if isinstance(stmt, CallExtern) and stmt.results:
            # The bounds query of a C function is part of the bounds.
            return stmt
        if self.is_production(stmt):
            ahead = [Wait(self.fork, ROOM, ())] if self.room else []
            return block([*ahead, stmt, Post(self.fork, READY)])
        if not self.concerns(stmt):
            return NOTHING
        forked: Stmt
        if isinstance(stmt, Block):
            return block([self.producing(part) for part in stmt.stmts])
        forked = map_statements(stmt, self.producing)
        return block([Wait(self.fork, RING, ()), forked]) if self.is_stored(stmt) else forked

    def consuming(self, stmt: Stmt) -> Stmt:
        """`stmt` without the production of the Func, for which its users wait."""
        if self.is_production(stmt):
            return self.with_wait(())
        if self.is_shared_wait(stmt):
            return Wait(self.fork, PASSED_ON, stmt.buffers)  # type: ignore[attr-defined]
        if not self.concerns(stmt):
            return stmt
        if isinstance(stmt, Block):
            parts = [part for part in stmt.stmts if not self.is_private(part)]
            at = next((at for at, part in enumerate(parts) if self.is_production(part)), len(parts))
            around = [self.consuming(part) for part in (*parts[:at], *parts[at + 1 :])]
            return block(around if at == len(parts) else [*around[:at], self.with_wait(tuple(around[at:]))])
        forked = map_statements(stmt, self.consuming)
        return block([forked, Post(self.fork, RING)]) if self.is_stored(stmt) else forked

    def with_wait(self, users: tuple[Stmt, ...]) -> Stmt:
        """The statements with a Wait before the first that uses the Func; after the last there is room again."""
        members = {*self.members}
        first = next((at for at, part in enumerate(users) if members & _read(part)), len(users))
        after = [Post(self.fork, ROOM)] if self.room else []
        return block([*users[:first], Wait(self.fork, READY, self.members), *users[first:], *after])

    def check(self, first: Stmt, second: Stmt) -> None:
        """Refuses Funcs that the thread reads and that are computed beside it."""
        read = _read(first) - {*self.members}
        computed = {n.name for n in postorder(second) if isinstance(n, ProducerConsumer) and n.is_producer}
        for name in sorted(read & computed):
            raise ScheduleError(
                f"Error: The Func {name} is consumed by async Func {self.name} and has a compute_at location in "
                f"between the store_at location and the compute_at location of {self.name}. This is only legal when "
                f"{name} is both async and has a store_at location outside the store_at location of {self.name}.\n"
                f"Compute {name} where {self.name} is computed ({name}.compute_at({self.name}, ...)), or outside of "
                f"where {self.name} is stored. ({self.func.definition.location})"
            )

    def produces(self, stmt: Stmt) -> bool:
        return any(isinstance(node, ProducerConsumer) and self.is_production(node) for node in postorder(stmt))

    def concerns(self, stmt: Stmt) -> bool:
        """Whether the producer executes `stmt`: it produces the Func or waits for what both sides read."""
        return any(
            isinstance(node, Stmt) and (self.is_production(node) or self.is_shared_wait(node))
            for node in postorder(stmt)
        )

    def is_shared_wait(self, stmt: Stmt) -> bool:
        return isinstance(stmt, Wait) and (stmt.name, stmt.index) in self.shared

    def is_private(self, stmt: Stmt) -> bool:
        """Whether it waits for a Func that only this one reads, or says that this one has read it."""
        if isinstance(stmt, Post):
            return (stmt.name, READY) in self.private
        return isinstance(stmt, Wait) and (stmt.name, stmt.index) in self.private

    def is_production(self, stmt: Stmt) -> bool:
        return isinstance(stmt, ProducerConsumer) and stmt.is_producer and stmt.name in self.members

    def is_storage(self, node: Node) -> bool:
        """Whether the statement is the storage of the Func or of one that is computed with it."""
        return isinstance(node, Realize) and node.name in self.members

    def is_memory(self, node: Node) -> bool:
        """Whether the statement is the memory of several storages of the Func, or of one that is computed with it."""
        return getattr(node, "name", "") in self.memories and hasattr(node, "size")

    def is_stored(self, stmt: Stmt) -> bool:
        """Whether the statement is one of several storages, in memory around, of all Funcs that are computed here."""
        if self.storages is None or not isinstance(stmt, Realize) or not self.is_storage(stmt):
            return False
        inside = {node.name for node in postorder(stmt.body) if isinstance(node, Realize)}
        return {*self.members} <= {stmt.name, *inside}


def _storages(members: tuple[FuncPlan, ...]) -> Expr | None:
    """The number of storages that the thread may fill ahead: that of the Func with the fewest.

    None unless all have rings, whose storages begin in the same loop.
    """
    rings = [None if member.hoist_level is None else member.schedule.last(RingBuffer) for member in members]
    extents = [ring.extent for ring in rings if ring is not None]
    if len(extents) < len(members) or any(member.store_level != members[0].store_level for member in members):
        return None
    return reduce(min_, extents)


def _read(stmt: Stmt) -> set[str]:
    """The Funcs that a statement reads, itself or by a C function."""
    return {node.name for node in postorder(stmt) if isinstance(node, (FuncCall, BufferView))}


def _room(plan: LoweringPlan, func: FuncPlan) -> int | None:
    """The number of iterations that the thread may be ahead of its consumers; None: any number.

    Sliding windows write where no consumer reads any more, as far as the storage reaches. Otherwise an iteration may
    overwrite values of an earlier one that are still read.
    """
    loops = [loop for loop, _ in plan.enclosing_loops(func.store_level, func.compute_level)]
    if not loops:
        return None
    slides = len(loops) == 1 and loops[0] in func.sliding_loops.values() and len(func.definition.stages) == 1
    if slides and all(fold is None for fold in func.folds):
        return None
    return func.windows_held if slides else 1
