"""The plan of a program: the loop nest of every stage, where each is computed and stored, what its names stand for.

Passes over the plan fill it in, consumers before producers; `build_stmt` then writes it out as one statement.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from itertools import groupby
from typing import Any

from pipec.bounds.box import Box
from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.func.functions.definition import FuncDef, ImageDef, PipelineDef
from pipec.ir import build
from pipec.ir.conditions import likely
from pipec.ir.expr import (
    TRUE,
    Const,
    Effect,
    Expr,
    ExternValue,
    FuncCall,
    ImageCall,
    Max,
    Min,
    Select,
    Variable,
    variable,
)
from pipec.ir.linear import difference
from pipec.ir.node import Node
from pipec.ir.ranges import Ranges
from pipec.ir.simplify import Simplifier, simplify
from pipec.ir.stmt import LoopKind, Partition
from pipec.ir.walk import free_variables, postorder, substitute
from pipec.lower.planning.known_conditions import NOTHING_KNOWN, Facts
from pipec.lower.planning.loop_dependence import Motion
from pipec.lower.planning.value_ranges import ValueRanges
from pipec.records import dataclass, field
from pipec.schedule.directive import Prefetch
from pipec.schedule.schedule import FuncSchedule, Schedule


@dataclass(eq=False)
class LoopItem:
    """A loop over `name` (unique in the program); `var` is what the schedule calls it.

    `partition`: whether the loop is to be cut into borders and a steady state.
    `lower_limits` and `upper_limits` are further bounds on the variable, known from a where-condition.
    `effects`: what finding out its bounds tells or demands.
    """

    name: str
    var: str
    minimum: Expr
    extent: Expr
    kind: LoopKind
    partition: Partition = Partition.Auto
    lower_limits: list[Expr] = field(default_factory=list)
    upper_limits: list[Expr] = field(default_factory=list)
    effects: tuple[Effect, ...] = ()


@dataclass(eq=False)
class LetItem:
    """`name` stands for `value` from here inwards.

    `span`: its smallest and largest value when the loops that make it vary are all inside; None: that of `value`.
    `limit`: a guard keeps the name at or below this.
    `wanted`: the values that a split is there for; those it adds by rounding up or shifting may compute anything.
    `factor`: the split adds none when the number of wanted values is a multiple of this.
    `bounds`: the Func whose region the name bounds, the dimension, and which end: "min" or "max".
    """

    name: str
    value: Expr
    span: Interval | None = None
    limit: Expr | None = None
    wanted: Interval | None = None
    factor: Expr | None = None
    bounds: tuple[str, int, str] | None = None


@dataclass(eq=False)
class SharedItem(LetItem):
    """The variable of a loop that a stage shares with others: its own value in an iteration of the shared loop.

    `var`: what the schedule calls the loop. `first` and `last`: the values that are the stage's; None where the
    shared loop has no others on that side. The limits are known from a where-condition.
    """

    var: str = ""
    first: Expr | None = None
    last: Expr | None = None
    lower_limits: list[Expr] = field(default_factory=list)
    upper_limits: list[Expr] = field(default_factory=list)


@dataclass(eq=False)
class GuardItem:
    """What is inside happens only where the condition holds; `effects`: what evaluating it tells or demands.

    `reads_producers`: the condition reads Funcs that are computed in the loop around it, so their place is before it.
    """

    condition: Expr
    effects: tuple[Effect, ...] = ()
    reads_producers: bool = False


Item = LoopItem | LetItem | GuardItem


@dataclass(frozen=True)
class Site:
    """A place in the program: inside `nest`, right after its item number `position`; nest None: outside everything."""

    nest: Nest | None
    position: int = -1


ROOT_SITE = Site(None)


@dataclass(eq=False)
class Nest:
    """Stage `stage` of Func `func` as loops: items outermost first around one Provide of `values` at `args`.

    With `members` it is a nest of loops that stages share instead, named after the first of them: inside the items are
    the nests of the members, one after the other.
    `path`: the version of the stage, where it has several; `condition`: when it runs, if none of the versions before it
    in the Func's nests does; `runs`: when it runs; `facts`: what is known then.
    """

    func: str
    stage: int
    items: list[Item]
    args: tuple[Expr, ...]
    values: tuple[Expr, ...]
    predicate: Expr
    site: Site = ROOT_SITE
    path: tuple[int, ...] = ()
    condition: Expr = TRUE
    runs: Expr = TRUE
    facts: Facts = NOTHING_KNOWN
    # Threads may update one element at the same time.
    atomic: bool = False
    prefetches: list[Prefetch] = field(default_factory=list)
    # What each evaluation tells or demands, in order.
    effects: tuple[Effect, ...] = ()
    func_calls: dict[str, list[tuple[Expr, ...]]] = field(default_factory=dict)
    image_calls: dict[str, list[tuple[Expr, ...]]] = field(default_factory=dict)
    # A C function computes the box from `args` to `ends`.
    ends: tuple[Expr, ...] = ()
    extern: ExternValue | None = None

    def written(self) -> list[tuple[Expr, ...]]:
        """The coordinates that are stored to, or the corners of the box that is."""
        return [self.args] if self.extern is None else [self.args, self.ends]

    members: list[Nest] = field(default_factory=list)

    def around(self) -> Nest | None:
        """The shared loops that the nest is in."""
        outer = self.site.nest
        return outer if outer is not None and self in outer.members else None

    def shared_around(self) -> list[Nest]:
        """All nests of shared loops that the nest is in, inner ones first."""
        outer = self.around()
        return [] if outer is None else [outer, *outer.shared_around()]

    def outermost(self) -> Nest:
        """The nest itself, or the outermost shared loops that it is in."""
        return [self, *self.shared_around()][-1]

    def innermost(self) -> Site:
        return Site(self, len(self.items) - 1)

    def innermost_producers(self) -> Site:
        """The place inside all loops where producers are computed: before the guards that read them."""
        loops = [position for position, item in enumerate(self.items) if isinstance(item, LoopItem)]
        return Site(self, self._end(loops[-1] if loops else -1))

    def site_of_loop(self, var: str) -> Site | None:
        """The place inside loop `var`, after the lets and guards that follow it; of a shared one that for all."""
        outer = self.around()
        if outer is not None and (var == "__outermost" or any(item.var == var for item in self.shared_items())):
            return outer.site_of_loop(var)
        if var == "__outermost":
            return Site(self, -1)
        for position, item in enumerate(self.items):
            if isinstance(item, LoopItem) and item.var == var:
                return Site(self, self._end(position))
        return None

    def own_site_of_loop(self, var: str) -> Site | None:
        """The place inside the innermost shared loop, called `var`, where only this nest is."""
        shared = self.shared_items()
        return Site(self, self._end(self.items.index(shared[-1]))) if shared and shared[-1].var == var else None

    def shared_items(self) -> list[SharedItem]:
        return [item for item in self.items if isinstance(item, SharedItem)] if self.around() is not None else []

    def _end(self, position: int) -> int:
        """The last of the lets and guards that follow an item, before those that read what is computed there."""
        for item in self.items[position + 1 :]:
            if isinstance(item, LoopItem) or (isinstance(item, GuardItem) and item.reads_producers):
                break
            position += 1
        return position


@dataclass(eq=False)
class Symbol:
    """What a name means and from where on it is known."""

    site: Site
    item: LoopItem | LetItem


@dataclass(frozen=True)
class Alignment:
    """Bounds that lie on a grid: first coordinates are modulus * n + remainder, last ones one less."""

    modulus: int = 1
    remainder: int = 0

    def cell(self, e: Expr) -> Expr:
        """The number of the grid's cell that coordinate `e` lies in."""
        if self.modulus == 1:
            return e
        if isinstance(e, Select):
            return build.select(e.condition, self.cell(e.true_value), self.cell(e.false_value))
        if isinstance(e, (Min, Max)):
            return type(e)(self.cell(e.a), self.cell(e.b))
        return simplify(build.div(build.sub(e, self.remainder), self.modulus))

    def coordinates(self, first: Expr, last: Expr) -> Interval:
        """From the first coordinate of one cell to the last of another."""
        low, high = (build.add(build.mul(cell, self.modulus), self.remainder) for cell in (first, last))
        return Interval(low, build.add(high, self.modulus - 1))


def alignment_of(func: FuncDef, schedule: FuncSchedule, stage: int, var: str) -> Alignment:
    """The grid of a stage's bounds. Names of bounds stand for cells, so that all can see where coordinates lie."""
    # Earlier stages also compute what later ones read of the Func itself, wherever that lies.
    last = stage == len(func.stages) - 1
    return Alignment(*schedule.align_bounds[var]) if last and var in schedule.align_bounds else Alignment()


@dataclass(eq=False)
class FuncPlan:
    """All that is decided about one Func that has storage."""

    definition: FuncDef
    schedule: FuncSchedule
    nests: list[Nest] = field(default_factory=list)
    compute: Site = ROOT_SITE
    store: Site = ROOT_SITE
    # Where memory is claimed for the largest of all storages inside; None: where the storage is.
    hoist: Site | None = None
    is_output: bool = False
    # The user's name for it, where it is a copy.
    original: str = ""
    # Required by consumers, relative to `compute`, before sliding.
    required: Box = ()
    # Needed in storage, relative to `store`.
    storage: Box = ()
    # Whether anything that runs uses it.
    needed: Expr = TRUE
    # For each stage, the lets of its bounds at `compute`, in order.
    bound_lets: list[LetItem] = field(default_factory=list)
    folds: list[Expr | None] = field(default_factory=list)
    # How many iterations in succession a ring that was asked for holds the windows of.
    ahead: int = 1
    # The loops along which each dimension slides: only new values are computed in each iteration.
    slid: dict[int, LoopItem] = field(default_factory=dict)

    def alignment(self, stage: int, dimension: int) -> Alignment:
        """The grid on which a stage's bounds lie; stage -1 is the last one."""
        number = stage % len(self.definition.stages)
        return alignment_of(self.definition, self.schedule, number, self.definition.args[dimension])


@dataclass(eq=False)
class SharedPart:
    """What one stage has of a shared loop: `ends`, where its own value + `shift` is that of the loop; two guards."""

    item: SharedItem
    ends: tuple[Expr, Expr]
    shift: Expr
    guards: tuple[GuardItem, GuardItem]


@dataclass(eq=False)
class SharedLoop:
    """A loop of several stages, over the intervals of all of them."""

    loop: LoopItem
    parts: list[SharedPart]


@dataclass(eq=False)
class Group:
    """Funcs that are computed together: the order of their production, and the nests in the order they run."""

    funcs: list[FuncPlan]
    nests: list[Nest]
    loops: list[SharedLoop]
    site: Site | None = None

    def shared(self) -> list[Nest]:
        """The nests of shared loops, outer ones first."""
        found: list[Nest] = []
        pending = list(self.nests)
        while pending:
            nest = pending.pop(0)
            if nest.members:
                found.append(nest)
                pending += nest.members
        return found


@dataclass(eq=False)
class CheckPlan:
    """A condition tested before anything is computed."""

    condition: Expr
    kind: str
    details: tuple[tuple[str, str], ...]
    values: tuple[tuple[str, Expr], ...]
    site: Site = ROOT_SITE


class View(enum.Enum):
    """What boxes are to hold."""

    NEEDED = "what must be right: splits add nothing"
    TOUCHED = "every access that happens"
    UNSLID = "every access, were each iteration to compute all it needs"


@dataclass(eq=False)
class Plan:
    """The whole program while it is being planned."""

    definition: PipelineDef
    schedule: Schedule
    exact_tails: bool
    funcs: dict[str, FuncPlan] = field(default_factory=dict)
    images: dict[str, ImageDef] = field(default_factory=dict)
    symbols: dict[str, Symbol] = field(default_factory=dict)
    checks: list[CheckPlan] = field(default_factory=list)
    # Properties of buffer arguments that constraints fix.
    numbers: dict[str, Const] = field(default_factory=dict)
    input_boxes: dict[str, Box] = field(default_factory=dict)
    # For bounds that slide: their value without sliding, which holds the slid interval.
    unslid: dict[str, Expr] = field(default_factory=dict)
    simplifier: Simplifier = field(default_factory=lambda: Simplifier(Ranges()))
    value_ranges: ValueRanges = field(default_factory=lambda: ValueRanges({}, ()))
    # The Funcs that are computed together, by each of them.
    groups: dict[str, Group] = field(default_factory=dict)
    # Queries of extern stages, by place and Func.
    queries: dict[Site, dict[str, Any]] = field(default_factory=dict)
    # The box of a Func that all its consumers inside a place need; known while bounds are inferred.
    needed_box: Callable[[str, Site], Box] | None = None
    _analyses: dict[tuple[Site, View], IntervalAnalysis] = field(default_factory=dict)
    _motions: dict[tuple[LoopItem, bool], Motion] = field(default_factory=dict)

    def nests(self) -> list[Nest]:
        """The nests of all stages, and those of shared loops."""
        groups = {id(group): group for group in self.groups.values()}
        shared = [nest for group in groups.values() for nest in group.shared()]
        return shared + [nest for func in self.funcs.values() for nest in func.nests]

    def chain(self, site: Site) -> dict[Nest, int]:
        """The nests around a site, each with the position up to which its items are known there."""
        found: dict[Nest, int] = {}
        while site.nest is not None:
            found[site.nest] = site.position
            site = site.nest.site
        return found

    def let_value(self, name: str) -> Expr | None:
        """The value of a let; of bounds that slide, the value without sliding. None for all other names."""
        found = self.unslid.get(name)
        if found is None:
            symbol = self.symbols.get(name)
            found = symbol.item.value if symbol is not None and isinstance(symbol.item, LetItem) else None
        return found

    def motion(self, loop: LoopItem, slid: bool = False) -> Motion:
        """How expressions move along a loop; `slid`: with the bounds of sliding windows as they are after sliding."""
        found = self._motions.get((loop, slid))
        if found is None:
            value_of = self.slid_value if slid else self.let_value
            found = self._motions[loop, slid] = Motion(loop.name, value_of)
        return found

    def slid_value(self, name: str) -> Expr | None:
        """The value of a let, after sliding. None for all other names."""
        symbol = self.symbols.get(name)
        return symbol.item.value if symbol is not None and isinstance(symbol.item, LetItem) else None

    def define(self, site: Site, item: LoopItem | LetItem) -> None:
        self.symbols[item.name] = Symbol(site, item)

    def analysis(self, site: Site, view: View = View.TOUCHED) -> IntervalAnalysis:
        """Intervals as seen from `site`: what is known there stays symbolic, all else varies."""
        found = self._analyses.get((site, view))
        if found is None:
            found = self._analyses[site, view] = IntervalAnalysis(self._lookup(site, view), self.value_ranges.of)
        return found

    def _lookup(self, site: Site, view: View):  # type: ignore[no-untyped-def]
        chain = self.chain(site)

        def lookup(name: str) -> Interval | None:
            symbol = self.symbols.get(name)
            if symbol is None or _known(symbol.site, chain):
                return None
            analysis = self.analysis(site, view)
            if view is View.UNSLID and name in self.unslid:
                return analysis.of(self.unslid[name])
            if view is View.NEEDED:
                wanted = self._wanted(symbol, site, chain, analysis)
            else:
                wanted = self._split_evenly(symbol, chain)
            if wanted is not None:
                low, high = wanted
                assert low is not None and high is not None
                return Interval(analysis.of(low).low, analysis.of(high).high)
            return _range_of(symbol.item, analysis)

        return lookup

    def _wanted(
        self, symbol: Symbol, site: Site, chain: dict[Nest, int], analysis: IntervalAnalysis
    ) -> Interval | None:
        """The values of a let that matter, seen from `site`; None: those that it takes."""
        item = symbol.item
        if isinstance(item, LoopItem):
            return None
        if item.bounds is not None and self.needed_box is not None:
            func, dimension, end = item.bounds
            low, high = self.needed_box(func, site)[dimension]
            assert low is not None and high is not None
            cell = self.funcs[func].alignment(-1, dimension).cell
            # The least index is not as large as the largest one: sums of both would count the extent twice.
            taken = _range_of(item, analysis)
            if end == "min":
                return Interval(cell(low), taken.high if taken.high is not None else cell(high))
            return Interval(taken.low if taken.low is not None else cell(low), cell(high))
        return item.wanted if item.wanted is not None and self._varies_wholly(symbol, chain) else None

    def _split_evenly(self, symbol: Symbol, chain: dict[Nest, int]) -> Interval | None:
        """The values of a let whose split adds nothing to what is wanted, however its loops run."""
        item = symbol.item
        if isinstance(item, LoopItem) or item.wanted is None or item.factor is None:
            return None
        low, high = item.wanted
        factor = build.constant(item.factor)
        assert low is not None and high is not None
        if factor is None or factor <= 0:
            return None
        if factor != 1:
            distance = difference(*(simplify(substitute(end, self._bounds_in(end))) for end in (high, low)))
            if distance is None or (distance + 1) % int(factor):
                return None
        if not self._varies_wholly(symbol, chain):
            return None
        return item.wanted

    def _bounds_in(self, e: Expr) -> dict[str, Expr]:
        """The values of the bounds that `e` mentions and that do not slide."""
        symbols = {name: self.symbols.get(name) for name in free_variables(e) if name not in self.unslid}
        return {
            name: symbol.item.value
            for name, symbol in symbols.items()
            if symbol is not None and isinstance(symbol.item, LetItem) and symbol.item.bounds is not None
        }

    def _varies_wholly(self, symbol: Symbol, chain: dict[Nest, int]) -> bool:
        """Whether all loops of its own nest that a let depends on are inside the place `chain` leads to."""
        if _known(symbol.site, chain):
            return False
        if isinstance(symbol.item, LoopItem):
            return True
        parts = (self.symbols.get(name) for name in free_variables(symbol.item.value))
        own = (part for part in parts if part is not None and _of_stage(part.site.nest, symbol.site.nest))
        return all(self._varies_wholly(part, chain) for part in own)

    def enclosing_loops(self, outer: Site, inner: Site) -> list[tuple[LoopItem, Site]]:
        """The loops inside `outer` around `inner`, outermost first, each with the site just inside it."""
        found: list[tuple[LoopItem, Site]] = []
        outside = self.chain(outer)
        site = inner
        while site.nest is not None:
            start = outside.get(site.nest, -1)
            for position in range(site.position, start, -1):
                item = site.nest.items[position]
                if isinstance(item, LoopItem):
                    inside = site.nest.site_of_loop(item.var)
                    assert inside is not None
                    found.append((item, inside))
            if site.nest in outside:
                break
            site = site.nest.site
        return found[::-1]


def by_stage(nests: list[Nest]) -> list[list[Nest]]:
    """The nests of each stage, in the order in which its versions are tried."""
    return [list(found) for _, found in groupby(nests, lambda nest: (nest.func, nest.stage))]


def _known(site: Site, chain: dict[Nest, int]) -> bool:
    return site.nest is None or (site.nest in chain and site.position <= chain[site.nest])


def _of_stage(outer: Nest | None, nest: Nest | None) -> bool:
    """Whether `outer` is the nest itself or one of the shared loops that it is in."""
    while nest is not None and nest is not outer:
        nest = nest.around()
    return nest is not None


def _range_of(item: LoopItem | LetItem, analysis: IntervalAnalysis) -> Interval:
    if isinstance(item, SharedItem):
        # The loop is outside, and mostly in an iteration that is the stage's.
        low, high = analysis.of(item.value)
        if item.first is not None and low is not None:
            low = simplify(Max(likely(low), item.first))
        if item.last is not None and high is not None:
            high = simplify(Min(likely(high), item.last))
        return _limited(Interval(low, high), item, analysis)
    if isinstance(item, LetItem):
        if item.span is not None:
            low, high = item.span
            assert low is not None and high is not None
            found = Interval(analysis.of(low).low, analysis.of(high).high)
        else:
            found = analysis.of(item.value)
        if item.limit is not None:
            found = found.intersection(Interval(None, analysis.of(item.limit).high))
        return found
    last = build.sub(build.add(item.minimum, item.extent), 1)
    return _limited(Interval(analysis.of(item.minimum).low, analysis.of(last).high), item, analysis)


def _limited(found: Interval, item: LoopItem | SharedItem, analysis: IntervalAnalysis) -> Interval:
    for limit in item.lower_limits:
        found = found.intersection(Interval(analysis.of(limit).low, None))
    for limit in item.upper_limits:
        found = found.intersection(Interval(None, analysis.of(limit).high))
    return found


def collect_calls(nest: Nest) -> None:
    """Lists the coordinates at which a nest reads each Func and image."""
    seen: set[Node] = set()
    roots: list[Expr] = [*nest.args, *nest.values, *nest.effects]
    for item in nest.items:
        if isinstance(item, GuardItem):
            roots += [item.condition, *item.effects]
    for root in roots:
        for node in postorder(root, seen):
            if isinstance(node, FuncCall):
                nest.func_calls.setdefault(node.name, []).append(node.args)
            elif isinstance(node, ImageCall):
                nest.image_calls.setdefault(node.name, []).append(node.args)


def bound_name(func: str, stage: int, var: str, end: str) -> str:
    """The name of the first (`min`) or last (`max`) coordinate that a stage computes, or of its cell if aligned."""
    return f"{func}.s{stage}.{var}.{end}"


def bound_symbols(func: FuncDef, schedule: FuncSchedule, stage: int, var: str) -> Interval:
    """The first and last coordinate that a stage computes in dimension `var`, in terms of the names of its bounds."""
    first, last = (variable(bound_name(func.name, stage, var, end)) for end in ("min", "max"))
    return alignment_of(func, schedule, stage, var).coordinates(first, last)


def hoisted_memory(func: str, element: int) -> str:
    """The buffer, claimed further out, in which a Func (or an element of a Tuple) is stored."""
    return f"{func}.hoisted.{element}"


def output_buffers(func: FuncDef) -> list[str]:
    """The storage names of a Func: its own, or one for each element of a Tuple."""
    return [func.name] if len(func.types) == 1 else [f"{func.name}.{i}" for i in range(len(func.types))]


def buffer_symbol(buffer: str, what: str, dimension: int) -> Variable:
    """The run-time `min`, `extent` or `stride` of a buffer argument."""
    return variable(f"{buffer}.{what}.{dimension}")


def ring_stride(func: str) -> str:
    """The name of the size of one storage in the memory of a Func that holds several."""
    return f"{func}.ring.stride"
