"""Fused loops: stages joined by `compute_with` share their outer loops.

for y: for x: f(x, y) = ...
for y: for x: g(x, y) = ...
-->
for y over both intervals: { if y in f's: for x: f(x, y) = ...    if y in g's: for x: g(x, y) = ... }
"""

from __future__ import annotations

from pipec.bounds.conditions import likely
from pipec.bounds.interval import Interval
from pipec.bounds.linear import difference
from pipec.ir import build
from pipec.ir.expr import TRUE, Expr, Max, Min, const, variable
from pipec.ir.stmt import LoopKind, Partition
from pipec.ir.walk import free_variables, substitute
from pipec.lower.planning.fused_stages import FusedStages, order_by_group
from pipec.lower.planning.nest import FusedLet, GuardItem, LoopItem, LoopNest
from pipec.lower.planning.plan import FuncPlan, FusedGroup, FusedLoop, FusedMember, LoweringPlan
from pipec.records import replace
from pipec.schedule.fields import StageRef


def fuse_loops(plan: LoweringPlan) -> None:
    """Sets `plan.groups`, the Funcs with fused stages and their nests, and makes the Funcs of a group adjacent."""
    definitions = {name: func.definition for name, func in plan.funcs.items()}
    fused = FusedStages(definitions, plan.schedule)
    if not fused.pairs:
        return
    for names in fused.groups():
        funcs = _in_order_of_production(fused, [plan.funcs[name] for name in names])
        fuser = _Fuser(plan, fused)
        group = FusedGroup(funcs, fuser.nests(funcs), fuser.loops)
        plan.groups.update(dict.fromkeys(names, group))
    _gather(plan)


def _in_order_of_production(fused: FusedStages, funcs: list[FuncPlan]) -> list[FuncPlan]:
    """Returns the leader, then its last child with that one's children, then the child before."""
    children: dict[str, set[str]] = {}
    for stage, pair in fused.pairs.items():
        children.setdefault(pair.parent.func, set()).add(stage.func)
    by_name = {func.definition.name: func for func in funcs}
    leaders = [name for name in by_name if not any(name in below for below in children.values())]
    order: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in order:
            order[name] = None
            for child in sorted(children.get(name, ()), reverse=True):
                visit(child)

    for name in [*leaders, *by_name]:
        visit(name)
    return [by_name[name] for name in order]


def _gather(plan: LoweringPlan) -> None:
    """Makes the Funcs of each group adjacent, with everything that any of them needs before them."""
    needs = {name: [read for nest in func.nests for read in nest.func_calls] for name, func in plan.funcs.items()}
    groups = {name: [func.definition.name for func in group.funcs] for name, group in plan.groups.items()}
    plan.funcs = {name: plan.funcs[name] for name in order_by_group(needs, groups)}


class _Fuser:
    """Builds the nests of one group."""

    def __init__(self, plan: LoweringPlan, fused: FusedStages) -> None:
        self.plan = plan
        self.fused = fused
        self.loops: list[FusedLoop] = []

    def nests(self, funcs: list[FuncPlan]) -> list[LoopNest]:
        """Returns all nests of the Funcs, fused, in an order that keeps the stages of each Func in sequence."""
        order: list[LoopNest] = []
        entered: set[StageRef] = set()

        def visit(stage: StageRef) -> None:
            members = self.fused.fused_with(stage, 0)
            if members[0] in entered:
                return
            entered.add(members[0])
            for member in [*members[1:], members[0]]:
                if member.stage > 0:
                    visit(StageRef(member.func, member.stage - 1))
            versions = [nest.path for nest in self.plan.funcs[stage.func].nests if nest.stage == stage.stage]
            fused = [self.fuse([self.nest(replace(s, path=path)) for s in members], 0) for path in versions]
            for nests in zip(*fused, strict=True):
                order.extend(nests)

        for func in funcs:
            # `visit` puts the stages before this one first.
            for number in reversed(range(len(func.definition.stages))):
                visit(StageRef(func.definition.name, number))
        return order

    def nest(self, stage: StageRef) -> LoopNest:
        """Returns the nest of a stage."""
        nests = self.plan.funcs[stage.func].nests
        return next(nest for nest in nests if (nest.stage, nest.path) == (stage.stage, stage.path))

    def members(self, nest: LoopNest, depth: int) -> list[StageRef]:
        """Returns the stages that share the `depth` outermost loops of a nest, its own included."""
        return self.fused.fused_with(StageRef(nest.func, nest.stage, nest.path), depth)

    def fuse(self, nests: list[LoopNest], depth: int) -> list[LoopNest]:
        """Nests that share `depth` loops; those that share more are joined in nests of fused loops."""
        fused: list[LoopNest] = []
        pending = list(nests)
        while pending:
            first = pending[0]
            stages = self.members(first, depth + 1)
            if len(stages) == 1:
                fused.append(pending.pop(0))
                continue
            end = depth + 1
            while self.members(first, end + 1) == stages:
                end += 1
            members = [self.nest(stage) for stage in stages]
            pending = [nest for nest in pending if nest not in members]
            fused.append(self.join(members, depth, end))
        return fused

    def join(self, members: list[LoopNest], start: int, end: int) -> LoopNest:
        """Returns the loops number `start` to `end` of the members, outermost first, as one nest around them."""
        leader = members[0]
        outer = LoopNest(leader.func, leader.stage, [], (), (), leader.predicate)
        outer.path, outer.condition, outer.runs = leader.path, leader.condition, leader.runs
        outer.assumptions = leader.assumptions
        loops = [[item for item in nest.items if isinstance(item, LoopItem)] for nest in members]
        for number in range(end - start):
            own = [member_loops[number] for member_loops in loops]
            shifts = self.shifts(members, own, start + number)
            loop = self.loop(leader, own)
            outer.items.append(loop)
            fused = [_replace(*member, loop, self.plan) for member in zip(members, own, shifts, strict=True)]
            self.loops.append(FusedLoop(loop, fused))
        outer.members = self.fuse(members, end)
        for member in outer.members:
            member.level = outer.innermost()
        return outer

    def loop(self, leader: LoopNest, own: list[LoopItem]) -> LoopItem:
        """Returns the fused loop in place of the members' own loops. Its interval is set by `set_fused_intervals`."""
        first = own[0]
        name = f"{leader.func}.s{leader.stage}.fused.{first.name.removeprefix(f'{leader.func}.s{leader.stage}.')}"
        kind = first.kind if all(item.kind is first.kind for item in own) else LoopKind.SERIAL
        loop = LoopItem(name, first.var, first.minimum, first.extent, kind)
        loop.partition = next((i.partition for i in own if i.partition is not Partition.Auto), Partition.Auto)
        return loop

    def shifts(self, members: list[LoopNest], own: list[LoopItem], depth: int) -> list[Expr]:
        """Returns the shift of each member: its own value + the shift is the value of the fused loop.

        Stages of one Func have the same shift: each finds the values of the one before it.
        """
        shifts: dict[StageRef, tuple[LoopItem, Expr]] = {}
        for nest, item in zip(members, own, strict=True):
            stage = StageRef(nest.func, nest.stage, nest.path)
            pair = self.fused.pairs.get(stage)
            shift: Expr = const(0)
            before = next((shift for other, (_, shift) in shifts.items() if other.func == nest.func), None)
            if before is not None:
                shift = before
            elif pair is not None and pair.parent in shifts and pair.depth > depth:
                parent, parent_shift = shifts[pair.parent]
                gap = None
                if item.var in pair.directive.starts:
                    gap = build.sub(parent.minimum, item.minimum)
                elif item.var in pair.directive.ends:
                    gap = build.sub(parent.last, item.last)
                shift = shift if gap is None else self.plan.simplifier(build.add(gap, parent_shift))
            shifts[stage] = item, shift
        return [shift for _, shift in shifts.values()]


def _replace(nest: LoopNest, old: LoopItem, shift: Expr, loop: LoopItem, plan: LoweringPlan) -> FusedMember:
    """Replaces a member's own loop by its value in an iteration of the fused loop, and guards around that."""
    value = plan.simplifier(build.sub(variable(loop.name), shift))
    first, last = old.minimum, plan.simplifier(old.last)
    item = FusedLet(old.name, value, domain=Interval(first, last), factor=const(1), var=old.var)
    item.first, item.last = first, last
    item.lower_limits, item.upper_limits = old.lower_limits, old.upper_limits
    own = variable(old.name)
    guards = GuardItem(likely(build.le(first, own))), GuardItem(likely(build.le(own, last)))
    at = nest.items.index(old)
    nest.items[at : at + 1] = [item, *guards]
    return FusedMember(item, (first, last), shift, guards)


def set_fused_intervals(plan: LoweringPlan, func: FuncPlan) -> None:
    """Sets the intervals of a group's fused loops and drops guards that always hold.

    Does so when `func` is the Func of the group whose bounds are defined last.
    """
    group = plan.groups.get(func.definition.name)
    if group is None or func is not group.funcs[0]:
        return
    bounds = {let.name: let.value for member in group.funcs for let in member.bound_lets}
    for loop in group.loops:
        firsts = [build.add(member.ends[0], member.shift) for member in loop.members]
        lasts = [build.add(member.ends[1], member.shift) for member in loop.members]
        minimum, is_first = _union(plan, firsts, bounds, Min)
        maximum, is_last = _union(plan, lasts, bounds, Max)
        loop.loop.minimum = minimum
        loop.loop.extent = plan.simplifier(Interval(minimum, maximum).extent)
        for number, member in enumerate(loop.members):
            if is_first[number]:
                member.item.first, member.guards[0].condition = None, TRUE
            if is_last[number]:
                member.item.last, member.guards[1].condition = None, TRUE


def _union(
    plan: LoweringPlan, ends: list[Expr], bounds: dict[str, Expr], kind: type[Min | Max]
) -> tuple[Expr, list[bool]]:
    """Returns the least or largest of the ends, and for each end whether it is certainly that one."""
    plain = [_expanded(plan, end, bounds) for end in ends]
    sign = 1 if kind is Min else -1
    extremes: list[int] = []
    for number, end in enumerate(plain):
        gaps = [difference(end, plain[other]) for other in extremes]
        if not any(gap is not None and gap * sign >= 0 for gap in gaps):
            extremes = [other for other, gap in zip(extremes, gaps, strict=True) if gap is None] + [number]
    extreme = ends[extremes[0]]
    for number in extremes[1:]:
        extreme = kind(extreme, ends[number])
    certain = [len(extremes) == 1 and difference(end, plain[extremes[0]]) == 0 for end in plain]
    return plan.simplifier(extreme), certain


def _expanded(plan: LoweringPlan, e: Expr, bounds: dict[str, Expr]) -> Expr:
    """`e` with the names of bounds replaced by their values."""
    while True:
        values = {name: bounds[name] for name in free_variables(e) if name in bounds}
        if not values:
            return plan.simplifier(e)
        e = substitute(e, values)
