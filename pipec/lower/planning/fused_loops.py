"""Stages that compute_with joins get their outer loops in common.

for y: for x: f(x, y) = ...
for y: for x: g(x, y) = ...
-->  for y over both ranges: { if (y is f's) for x: f(x, y) = ...    if (y is g's) for x: g(x, y) = ... }
"""

from __future__ import annotations

from pipec.bounds.interval import Interval
from pipec.ir import build
from pipec.ir.conditions import likely
from pipec.ir.expr import TRUE, Expr, Max, Min, const, variable
from pipec.ir.linear import difference
from pipec.ir.stmt import LoopKind, Partition
from pipec.ir.walk import free_variables, substitute
from pipec.lower.planning.fused_stages import Sharing, gathered
from pipec.lower.planning.plan import (
    FuncPlan,
    Group,
    GuardItem,
    LoopItem,
    Nest,
    Plan,
    SharedItem,
    SharedLoop,
    SharedPart,
)
from pipec.records import replace
from pipec.schedule.directive import StageRef


def fuse_loops(plan: Plan) -> None:
    """Sets the groups of Funcs that are computed together, next to one another among all Funcs, and their nests."""
    definitions = {name: func.definition for name, func in plan.funcs.items()}
    sharing = Sharing(definitions, plan.schedule)
    if not sharing.pairs:
        return
    for names in sharing.groups():
        funcs = _in_order_of_production(sharing, [plan.funcs[name] for name in names])
        fuser = _Fuser(plan, sharing)
        group = Group(funcs, fuser.nests(funcs), fuser.loops)
        plan.groups.update(dict.fromkeys(names, group))
    _gather(plan)


def _in_order_of_production(sharing: Sharing, funcs: list[FuncPlan]) -> list[FuncPlan]:
    """The leader, then the last child with what follows it, then the child before."""
    children: dict[str, set[str]] = {}
    for stage, pair in sharing.pairs.items():
        children.setdefault(pair.parent.func, set()).add(stage.func)
    byname = {func.definition.name: func for func in funcs}
    leaders = [name for name in byname if not any(name in below for below in children.values())]
    order: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in order:
            order[name] = None
            for child in sorted(children.get(name, ()), reverse=True):
                visit(child)

    for name in [*leaders, *byname]:
        visit(name)
    return [byname[name] for name in order]


def _gather(plan: Plan) -> None:
    """Brings the Funcs of a group together, all that any of them needs before them."""
    needs = {name: [used for nest in func.nests for used in nest.func_calls] for name, func in plan.funcs.items()}
    groups = {name: [func.definition.name for func in group.funcs] for name, group in plan.groups.items()}
    plan.funcs = {name: plan.funcs[name] for name in gathered(needs, groups)}


class _Fuser:
    """Makes the nests of one group."""

    def __init__(self, plan: Plan, sharing: Sharing) -> None:
        self.plan = plan
        self.sharing = sharing
        self.loops: list[SharedLoop] = []

    def nests(self, funcs: list[FuncPlan]) -> list[Nest]:
        """All nests of the Funcs in an order that keeps each Func's stages in theirs."""
        order: list[Nest] = []
        entered: set[StageRef] = set()

        def visit(stage: StageRef) -> None:
            together = self.sharing.sharers(stage, 0)
            if together[0] in entered:
                return
            entered.add(together[0])
            for member in [*together[1:], together[0]]:
                if member.stage > 0:
                    visit(StageRef(member.func, member.stage - 1))
            versions = [nest.path for nest in self.plan.funcs[stage.func].nests if nest.stage == stage.stage]
            made = [self.shared([self.nest(replace(s, path=path)) for s in together], 0) for path in versions]
            for nests in zip(*made, strict=True):
                order.extend(nests)

        for func in funcs:
            # What comes before the last stages is visited first.
            for number in reversed(range(len(func.definition.stages))):
                visit(StageRef(func.definition.name, number))
        return order

    def nest(self, stage: StageRef) -> Nest:
        nests = self.plan.funcs[stage.func].nests
        return next(nest for nest in nests if (nest.stage, nest.path) == (stage.stage, stage.path))

    def together(self, nest: Nest, depth: int) -> list[StageRef]:
        return self.sharing.sharers(StageRef(nest.func, nest.stage, nest.path), depth)

    def shared(self, nests: list[Nest], depth: int) -> list[Nest]:
        """Nests that share `depth` loops, inside of which those that share more get nests of shared loops."""
        done: list[Nest] = []
        pending = list(nests)
        while pending:
            first = pending[0]
            stages = self.together(first, depth + 1)
            if len(stages) == 1:
                done.append(pending.pop(0))
                continue
            end = depth + 1
            while self.together(first, end + 1) == stages:
                end += 1
            members = [self.nest(stage) for stage in stages]
            pending = [nest for nest in pending if nest not in members]
            done.append(self.join(members, depth, end))
        return done

    def join(self, members: list[Nest], start: int, end: int) -> Nest:
        """The loops number `start` to `end`, the outermost being number 0, of the members as one nest around them."""
        leader = members[0]
        outer = Nest(leader.func, leader.stage, [], (), (), leader.predicate)
        outer.path, outer.condition, outer.runs = leader.path, leader.condition, leader.runs
        outer.facts = leader.facts
        loops = [[item for item in nest.items if isinstance(item, LoopItem)] for nest in members]
        for number in range(end - start):
            own = [found[number] for found in loops]
            shifts = self.shifts(members, own, start + number)
            loop = self.loop(leader, own)
            outer.items.append(loop)
            parts = [_replace(*part, loop, self.plan) for part in zip(members, own, shifts, strict=True)]
            self.loops.append(SharedLoop(loop, parts))
        outer.members = self.shared(members, end)
        for member in outer.members:
            member.site = outer.innermost()
        return outer

    def loop(self, leader: Nest, own: list[LoopItem]) -> LoopItem:
        first = own[0]
        name = f"{leader.func}.s{leader.stage}.fused.{first.name.removeprefix(f'{leader.func}.s{leader.stage}.')}"
        kind = first.kind if all(item.kind is first.kind for item in own) else LoopKind.SERIAL
        loop = LoopItem(name, first.var, first.minimum, first.extent, kind)
        loop.partition = next((i.partition for i in own if i.partition is not Partition.Auto), Partition.Auto)
        return loop

    def shifts(self, members: list[Nest], own: list[LoopItem], depth: int) -> list[Expr]:
        """What is added to each member's own value to get that of the shared loop."""
        found: dict[StageRef, tuple[LoopItem, Expr]] = {}
        for nest, item in zip(members, own, strict=True):
            stage = StageRef(nest.func, nest.stage, nest.path)
            pair = self.sharing.pairs.get(stage)
            shift: Expr = const(0)
            if pair is not None and pair.parent in found and pair.depth > depth:
                parent, by = found[pair.parent]
                gap = None
                if item.var in pair.wish.starts:
                    gap = build.sub(parent.minimum, item.minimum)
                elif item.var in pair.wish.ends:
                    gap = build.sub(_last(parent), _last(item))
                shift = shift if gap is None else self.plan.simplifier(build.add(gap, by))
            found[stage] = item, shift
        return [shift for _, shift in found.values()]


def _last(loop: LoopItem) -> Expr:
    return build.sub(build.add(loop.minimum, loop.extent), 1)


def _replace(nest: Nest, old: LoopItem, shift: Expr, loop: LoopItem, plan: Plan) -> SharedPart:
    """The loop becomes the value that its variable has in an iteration of the shared loop, if it has one there."""
    value = plan.simplifier(build.sub(variable(loop.name), shift))
    first, last = old.minimum, plan.simplifier(_last(old))
    item = SharedItem(old.name, value, wanted=Interval(first, last), factor=const(1), var=old.var)
    item.first, item.last = first, last
    item.lower_limits, item.upper_limits = old.lower_limits, old.upper_limits
    own = variable(old.name)
    guards = GuardItem(likely(build.le(first, own))), GuardItem(likely(build.le(own, last)))
    at = nest.items.index(old)
    nest.items[at : at + 1] = [item, *guards]
    return SharedPart(item, (first, last), shift, guards)


def settle(plan: Plan, func: FuncPlan) -> None:
    """The intervals of shared loops, as soon as the bounds of all Funcs in a group are known; drops idle guards."""
    group = plan.groups.get(func.definition.name)
    if group is None or func is not group.funcs[0]:
        return
    bounds = {let.name: let.value for member in group.funcs for let in member.bound_lets}
    for loop in group.loops:
        firsts = [build.add(part.ends[0], part.shift) for part in loop.parts]
        lasts = [build.add(part.ends[1], part.shift) for part in loop.parts]
        minimum, whole = _union(plan, firsts, bounds, Min)
        maximum, full = _union(plan, lasts, bounds, Max)
        loop.loop.minimum = minimum
        loop.loop.extent = plan.simplifier(build.add(build.sub(maximum, minimum), 1))
        for number, part in enumerate(loop.parts):
            if whole[number]:
                part.item.first, part.guards[0].condition = None, TRUE
            if full[number]:
                part.item.last, part.guards[1].condition = None, TRUE


def _union(plan: Plan, ends: list[Expr], bounds: dict[str, Expr], kind: type[Min | Max]) -> tuple[Expr, list[bool]]:
    """The least or largest of the ends, and which of them it is for sure."""
    plain = [_expanded(plan, end, bounds) for end in ends]
    sign = 1 if kind is Min else -1
    kept: list[int] = []
    for number, end in enumerate(plain):
        gaps = [difference(end, plain[other]) for other in kept]
        if not any(gap is not None and gap * sign >= 0 for gap in gaps):
            kept = [other for other, gap in zip(kept, gaps, strict=True) if gap is None] + [number]
    found = ends[kept[0]]
    for number in kept[1:]:
        found = kind(found, ends[number])
    sure = [len(kept) == 1 and difference(end, plain[kept[0]]) == 0 for end in plain]
    return plan.simplifier(found), sure


def _expanded(plan: Plan, e: Expr, bounds: dict[str, Expr]) -> Expr:
    """`e` with the bounds of the Funcs of a group replaced by what they are."""
    while True:
        values = {name: bounds[name] for name in free_variables(e) if name in bounds}
        if not values:
            return plan.simplifier(e)
        e = substitute(e, values)
