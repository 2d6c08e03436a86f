"""Loop nests of a plan: loops, lets and guards around the update of one stage, and levels inside them."""

from __future__ import annotations

from collections.abc import Iterable

from pipec.bounds.interval import Interval
from pipec.ir import build
from pipec.ir.expr import TRUE, Effect, Expr, ExternValue, FuncCall, ImageCall
from pipec.ir.stmt import LoopKind, Partition
from pipec.ir.walk import postorder
from pipec.lower.planning.assumptions import NO_ASSUMPTIONS, Assumptions
from pipec.records import dataclass, field
from pipec.schedule.execution import Prefetch
from pipec.schedule.fields import OUTERMOST


@dataclass(eq=False)
class LoopItem:
    """A loop over `name` (unique in the program); `var` is its name in the schedule.

    `partition`: what the schedule says about partitioning it. `lower_limits` and `upper_limits`: further bounds on the
    variable, which a where-condition implies. `effects`: the prints and requirements in its bounds.
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

    @property
    def last(self) -> Expr:
        """The value of the variable in the last iteration."""
        return build.sub(build.add(self.minimum, self.extent), 1)


@dataclass(eq=False)
class LetItem:
    """`name` is `value` in all following items of the nest.

    `extremes`: the smallest and largest value when the loops that make it vary are all inside; None: those of `value`.
    `upper_limit`: a guard keeps the name at or below this.
    `domain`: the interval that was split; values that the split adds by rounding up or shifting may compute anything.
    `factor`: the split adds no values when the size of the domain is a multiple of this.
    `is_bound`: the name is an end of the region of a stage of a Func that is no output.
    `bound_of`: where that is the last stage, the Func, the dimension, and which end: "min" or "max".
    """

    name: str
    value: Expr
    extremes: Interval | None = None
    upper_limit: Expr | None = None
    domain: Interval | None = None
    factor: Expr | None = None
    is_bound: bool = False
    bound_of: tuple[str, int, str] | None = None


@dataclass(eq=False)
class FusedLet(LetItem):
    """The variable of a loop that a stage shares with fused ones: its own value in an iteration of the fused loop.

    `var`: the name of the loop in the schedule. `first` and `last`: the limits of the stage's own values; None where
    the fused loop has no others on that side. `lower_limits` and `upper_limits`: as those of a loop.
    """

    var: str = ""
    first: Expr | None = None
    last: Expr | None = None
    lower_limits: list[Expr] = field(default_factory=list)
    upper_limits: list[Expr] = field(default_factory=list)


@dataclass(eq=False)
class GuardItem:
    """A condition under which everything inside runs; `effects`: the prints and requirements in it.

    `reads_producers`: the condition reads Funcs that are computed in the loop around it, so their level is before it.
    `speculatable`: as of IfThenElse.
    """

    condition: Expr
    effects: tuple[Effect, ...] = ()
    reads_producers: bool = False
    speculatable: bool = False


Item = LoopItem | LetItem | GuardItem


@dataclass(frozen=True)
class Level:
    """A compute or store level: inside `nest`, right after its item number `position`; nest None: outside all loops."""

    nest: LoopNest | None
    position: int = -1


ROOT_LEVEL = Level(None)


@dataclass(eq=False)
class LoopNest:
    """Stage `stage` of Func `func` as loops: items, outermost first, around one Provide of `values` at `args`.

    A nest with `members` holds the loops that fused stages share and is named after the first of them; inside its items
    are the nests of the members, one after the other.

    `level`: the level around the nest. `path`: the version of the stage, if it is specialized; `condition`: when it
    runs, if none of the versions before it does; `runs`: when it runs; `assumptions`: what holds then.
    `atomic`: threads may update one element at the same time. `effects`: the prints and requirements of an iteration,
    in order. `ends`: a C function, `extern`, computes the box from `args` to `ends`. `conditional_calls`: the
    coordinates and demands of the calls of Funcs that are not always needed.
    """

    func: str
    stage: int
    items: list[Item]
    args: tuple[Expr, ...]
    values: tuple[Expr, ...]
    predicate: Expr
    level: Level = ROOT_LEVEL
    path: tuple[int, ...] = ()
    condition: Expr = TRUE
    runs: Expr = TRUE
    assumptions: Assumptions = NO_ASSUMPTIONS
    atomic: bool = False
    prefetches: list[Prefetch] = field(default_factory=list)
    effects: tuple[Effect, ...] = ()
    func_calls: dict[str, list[tuple[Expr, ...]]] = field(default_factory=dict)
    image_calls: dict[str, list[tuple[Expr, ...]]] = field(default_factory=dict)
    ends: tuple[Expr, ...] = ()
    extern: ExternValue | None = None
    members: list[LoopNest] = field(default_factory=list)
    conditional_calls: dict[str, list[tuple[tuple[Expr, ...], Expr]]] = field(default_factory=dict)

    def guards(self) -> list[Expr]:
        """Returns the conditions of the guards, and the prints and requirements in them."""
        guards = [item for item in self.items if isinstance(item, GuardItem)]
        return [e for guard in guards for e in (guard.condition, *guard.effects)]

    def written(self) -> list[tuple[Expr, ...]]:
        """Returns the coordinates of the stores, or the first and last corner of the box that a C function computes."""
        return [self.args] if self.extern is None else [self.args, self.ends]

    def around(self) -> LoopNest | None:
        """Returns the nest of fused loops that this one is a member of."""
        outer = self.level.nest
        return outer if outer is not None and self in outer.members else None

    def fused_around(self) -> list[LoopNest]:
        """Returns all nests of fused loops around this one, inner ones first."""
        outer = self.around()
        return [] if outer is None else [outer, *outer.fused_around()]

    def outermost(self) -> LoopNest:
        """Returns the outermost nest of fused loops around this one, or the nest itself."""
        return [self, *self.fused_around()][-1]

    def innermost(self) -> Level:
        """Returns the level inside all items."""
        return Level(self, len(self.items) - 1)

    def innermost_producers(self) -> Level:
        """Returns the level inside all loops where producers are computed: before the guards that read them."""
        loops = [position for position, item in enumerate(self.items) if isinstance(item, LoopItem)]
        return Level(self, self._end(loops[-1] if loops else -1))

    def level_of_loop(self, var: str) -> Level | None:
        """Returns the level inside loop `var`, after its lets and guards; for a fused loop the shared level."""
        outer = self.around()
        if outer is not None and (var == OUTERMOST or any(item.var == var for item in self.fused_lets())):
            return outer.level_of_loop(var)
        if var == OUTERMOST:
            return Level(self, -1)
        for position, item in enumerate(self.items):
            if isinstance(item, LoopItem) and item.var == var:
                return Level(self, self._end(position))
        return None

    def own_level_of_loop(self, var: str) -> Level | None:
        """Returns the level inside the innermost fused loop, named `var`, that belongs to this member only."""
        lets = self.fused_lets()
        return Level(self, self._end(self.items.index(lets[-1]))) if lets and lets[-1].var == var else None

    def fused_lets(self) -> list[FusedLet]:
        """Returns the variables of the fused loops around this nest."""
        return [item for item in self.items if isinstance(item, FusedLet)] if self.around() is not None else []

    def _end(self, position: int) -> int:
        """Returns the position of the last let or guard that follows an item, before guards that read producers."""
        for item in self.items[position + 1 :]:
            if isinstance(item, LoopItem) or (isinstance(item, GuardItem) and item.reads_producers):
                break
            position += 1
        return position


def by_stage(nests: Iterable[LoopNest]) -> list[list[LoopNest]]:
    """Returns the nests of each stage, in the order in which its versions are tried."""
    stages: dict[tuple[str, int], list[LoopNest]] = {}
    for nest in nests:
        stages.setdefault((nest.func, nest.stage), []).append(nest)
    return list(stages.values())


def collect_calls(nest: LoopNest) -> None:
    """Fills `func_calls` and `image_calls`: the coordinates at which a nest reads each Func and image."""
    for node in postorder(*nest.args, *nest.values, *nest.effects, *nest.guards()):
        if isinstance(node, FuncCall):
            nest.func_calls.setdefault(node.name, []).append(node.args)
        elif isinstance(node, ImageCall):
            nest.image_calls.setdefault(node.name, []).append(node.args)
