"""The plan of a program: the loop nest of every stage, compute and store levels, regions, and what names stand for.

The passes of planning fill it in, consumers before producers; `build_statement` writes it as one statement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pipec.bounds.box import Box
from pipec.bounds.interval import IntervalAnalysis
from pipec.bounds.ranges import Ranges
from pipec.bounds.simplify import Simplifier
from pipec.func.functions.definition import FuncDef, ImageDef, PipelineDef
from pipec.ir.expr import TRUE, Const, Expr
from pipec.lower.planning.level_intervals import LoopDependence, RegionView, interval_lookup
from pipec.lower.planning.names import Alignment, alignment_of
from pipec.lower.planning.nest import ROOT_LEVEL, FusedLet, GuardItem, LetItem, Level, LoopItem, LoopNest
from pipec.lower.planning.value_ranges import ValueRanges
from pipec.records import dataclass, field
from pipec.schedule.placement import FuncSchedule
from pipec.schedule.schedule import Schedule

if TYPE_CHECKING:
    from pipec.lower.planning.extern_stage import ExternQuery


@dataclass(eq=False)
class ScopedSymbol:
    """The item that binds a name, and the level from which the name is in scope."""

    level: Level
    item: LoopItem | LetItem


@dataclass(eq=False)
class FuncPlan:
    """The decisions about one Func that has storage.

    `hoist_level`: the level at which memory for the largest of the storages is allocated; None: the store level.
    `original`: the user's name of the Func, which may be a clone.
    `required`: the region that consumers need, in terms of names at the compute level, before sliding.
    `storage`: the region that is stored, in terms of names at the store level.
    `compute_predicate`: when any consumer runs.
    `bound_lets`: the lets of each stage's bounds at the compute level, in order.
    `folds`: for each dimension the fold factor, or None.
    `windows_held`: how many successive iterations' windows fit into a fold factor that the schedule gives.
    `sliding_loops`: by dimension, the loop of which each iteration computes only values that earlier ones did not.
    `shared_loops`: those of which only the first iteration computes anything, since all need the same values.
    """

    definition: FuncDef
    schedule: FuncSchedule
    nests: list[LoopNest] = field(default_factory=list)
    compute_level: Level = ROOT_LEVEL
    store_level: Level = ROOT_LEVEL
    hoist_level: Level | None = None
    is_output: bool = False
    original: str = ""
    required: Box = ()
    storage: Box = ()
    compute_predicate: Expr = TRUE
    bound_lets: list[LetItem] = field(default_factory=list)
    folds: list[Expr | None] = field(default_factory=list)
    windows_held: int = 1
    sliding_loops: dict[int, LoopItem] = field(default_factory=dict)
    shared_loops: list[LoopItem] = field(default_factory=list)

    def alignment(self, stage: int, dimension: int) -> Alignment:
        """Returns the grid on which a stage's bounds lie; stage -1 is the last one."""
        number = stage % len(self.definition.stages)
        return alignment_of(self.definition, self.schedule, number, self.definition.args[dimension])


@dataclass(eq=False)
class FusedMember:
    """The share of one stage in a fused loop: a value `item` of its own + `shift` is that of the loop.

    `ends`: the first and last own value; `guards` skip the iterations before and after them.
    """

    item: FusedLet
    ends: tuple[Expr, Expr]
    shift: Expr
    guards: tuple[GuardItem, GuardItem]


@dataclass(eq=False)
class FusedLoop:
    """A loop that fused stages share, over the union of their intervals."""

    loop: LoopItem
    members: list[FusedMember]


@dataclass(eq=False)
class FusedGroup:
    """Funcs with fused stages: `funcs` in the order of their production, `nests` in the order in which they run."""

    funcs: list[FuncPlan]
    nests: list[LoopNest]
    loops: list[FusedLoop]
    level: Level | None = None

    def fused_nests(self) -> list[LoopNest]:
        """Returns the nests of fused loops, outer ones first."""
        fused: list[LoopNest] = []
        pending = list(self.nests)
        while pending:
            nest = pending.pop(0)
            if nest.members:
                fused.append(nest)
                pending += nest.members
        return fused


@dataclass(eq=False)
class PlannedCheck:
    """A condition that is tested when the program runs, at `level`, before anything there is computed."""

    condition: Expr
    kind: str
    details: tuple[tuple[str, str], ...]
    values: tuple[tuple[str, Expr], ...]
    level: Level = ROOT_LEVEL


@dataclass(eq=False)
class LoweringPlan:
    """The decisions about a whole program.

    `constants`: run-time values that constraints fix, by name. `unslid`: for bounds of sliding windows, by name, the
    value without sliding. `groups`: the group of each Func with fused stages. `queries`: the queries of extern stages,
    by level and Func. `required_box`: the box of a Func that all its consumers inside a level need; set during bounds
    inference. `is_conditional`: some stage needs a Func under a condition only. `bound_values`: values of the
    bounds of regions that mention no other bound of a region that does not slide. `tables`: for inputs of one
    dimension, how many elements they are checked to have from coordinate 0 on.
    """

    definition: PipelineDef
    schedule: Schedule
    exact_tails: bool
    funcs: dict[str, FuncPlan] = field(default_factory=dict)
    images: dict[str, ImageDef] = field(default_factory=dict)
    symbols: dict[str, ScopedSymbol] = field(default_factory=dict)
    checks: list[PlannedCheck] = field(default_factory=list)
    constants: dict[str, Const] = field(default_factory=dict)
    input_boxes: dict[str, Box] = field(default_factory=dict)
    tables: dict[str, int] = field(default_factory=dict)
    unslid: dict[str, Expr] = field(default_factory=dict)
    simplifier: Simplifier = field(default_factory=lambda: Simplifier(Ranges()))
    value_ranges: ValueRanges = field(default_factory=lambda: ValueRanges({}, ()))
    groups: dict[str, FusedGroup] = field(default_factory=dict)
    queries: dict[Level, dict[str, ExternQuery]] = field(default_factory=dict)
    required_box: Callable[[str, Level], Box] | None = None
    is_conditional: bool = False
    bound_values: dict[str, Expr] = field(default_factory=dict)
    _analyses: dict[tuple[Level, RegionView], IntervalAnalysis] = field(default_factory=dict)
    _dependences: dict[tuple[LoopItem, bool], LoopDependence] = field(default_factory=dict)

    def code_of(self, kind: str, *details: tuple[str, str]) -> int:
        """Returns the number of the first check of a kind with these details."""
        checks = enumerate(self.checks)
        return next(n for n, check in checks if check.kind == kind and set(details) <= set(check.details))

    def all_queries(self) -> list[ExternQuery]:
        """Returns the queries of all levels."""
        return [query for queries in self.queries.values() for query in queries.values()]

    def nests(self) -> list[LoopNest]:
        """Returns the nests of fused loops, and those of all stages."""
        groups = {id(group): group for group in self.groups.values()}
        fused = [nest for group in groups.values() for nest in group.fused_nests()]
        return fused + [nest for func in self.funcs.values() for nest in func.nests]

    def consumers(self) -> dict[str, list[LoopNest]]:
        """For each Func the nests of other Funcs that read it, those of the last Funcs first."""
        readers: dict[str, list[LoopNest]] = {}
        for func in reversed(list(self.funcs.values())):
            for nest in func.nests:
                for read in nest.func_calls:
                    if read != nest.func:
                        readers.setdefault(read, []).append(nest)
        return readers

    def chain(self, level: Level) -> dict[LoopNest, int]:
        """Returns the nests around a level, each with the position of its last item that is in scope there."""
        around: dict[LoopNest, int] = {}
        while level.nest is not None:
            around[level.nest] = level.position
            level = level.nest.level
        return around

    def encloses(self, outer: Level, inner: Level) -> bool:
        """Returns whether `inner` is inside `outer`, or the same level."""
        return outer.nest is None or self.chain(inner).get(outer.nest, -2) >= outer.position

    def enclosing_loops(self, outer: Level, inner: Level) -> list[tuple[LoopItem, Level]]:
        """Returns the loops inside `outer` around `inner`, outermost first, each with the level just inside it."""
        loops: list[tuple[LoopItem, Level]] = []
        outside = self.chain(outer)
        level = inner
        while level.nest is not None:
            start = outside.get(level.nest, -1)
            for position in range(level.position, start, -1):
                item = level.nest.items[position]
                if isinstance(item, LoopItem):
                    inside = level.nest.level_of_loop(item.var)
                    assert inside is not None
                    loops.append((item, inside))
            if level.nest in outside:
                break
            level = level.nest.level
        return loops[::-1]

    def define(self, level: Level, item: LoopItem | LetItem) -> None:
        """Records that `item` binds its name at `level`."""
        self.symbols[item.name] = ScopedSymbol(level, item)

    def let_value(self, name: str) -> Expr | None:
        """Returns the value of a let, for bounds of sliding windows that before sliding; None for other names."""
        return self.unslid.get(name) or self.slid_value(name)

    def slid_value(self, name: str) -> Expr | None:
        """Returns the value of a let, after sliding. None for other names."""
        symbol = self.symbols.get(name)
        return symbol.item.value if symbol is not None and isinstance(symbol.item, LetItem) else None

    def dependence(self, loop: LoopItem, slid: bool = False) -> LoopDependence:
        """Returns how expressions depend on a loop; `slid`: with the bounds of sliding windows after sliding."""
        if (loop, slid) not in self._dependences:
            value_of = self.slid_value if slid else self.let_value
            self._dependences[loop, slid] = LoopDependence(loop.name, value_of)
        return self._dependences[loop, slid]

    def analysis(self, level: Level, view: RegionView = RegionView.ACCESSED) -> IntervalAnalysis:
        """Intervals as seen from `level`: names in scope there stay symbolic, all others vary."""
        if (level, view) not in self._analyses:
            lookup = interval_lookup(self, level, view)
            self._analyses[level, view] = IntervalAnalysis(lookup, self.value_ranges.of)
        return self._analyses[level, view]
