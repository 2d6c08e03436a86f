"""Schedules by hand as states: whether the space of the search has them, and if not, what it lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.cpu.nests import natural_lanes
from pipec.autoschedule.space.state import FULL, INLINED, ROOT_STORE, FuncPlacement, Nest, NestLevel, State, Where
from pipec.ir.build import constant
from pipec.ir.stmt import LoopKind
from pipec.schedule.compute_with import ComputeWith
from pipec.schedule.directive import Directive
from pipec.schedule.fields import LevelRef, StageRef
from pipec.schedule.loops import Fuse, Mark, Rename
from pipec.schedule.placement import ComputeAt, StoreAt
from pipec.schedule.races import Atomic
from pipec.schedule.schedule import Dim, Schedule, stage_loops
from pipec.schedule.split import Split
from pipec.schedule.storage import ReorderStorage

BLOCK = (LoopKind.VECTORIZED, LoopKind.UNROLLED)


class OutsideSpace(Exception):
    """No state has the loops of the schedule; the text says why."""


@dataclass
class Loop:
    """A loop over one dimension, or several that are fused. `step`: points that one iteration covers of each."""

    name: str
    dims: tuple[int, ...]
    kind: LoopKind
    trips: int | None = None  # where they are a number
    step: int = 1


@dataclass
class StageSchedule:
    """The loops of one stage, outermost first, and the loops at which others are computed (`cuts`)."""

    stage: StageInfo
    loops: list[Loop]
    atomic: bool
    natural_lanes: int = 1
    cuts: set[str] = field(default_factory=set)
    levels: list[list[Loop]] = field(default_factory=list)

    def level_of(self, name: str) -> int:
        """The level inside whose loops the body of the loop `name` lies."""
        for level, loops in enumerate(self.levels):
            if loops[-1].name == name:
                return level
        if not self.levels or any(loop.name == name and loop.kind in BLOCK for loop in self.loops):
            raise OutsideSpace(f"a compute level at {name}, which is inside the register block of {self.stage.func}")
        raise OutsideSpace(f"a compute level at {name} of {self.stage.func}")

    def nest(self) -> Nest:
        """The loops as tile levels."""
        body = self._body()
        self._divide(body)
        block = dict.fromkeys(range(len(self.stage.loops)), 1)
        for loop in self.loops:
            if loop.kind in BLOCK:
                for d in loop.dims:
                    block[d] *= loop.trips or FULL
        tiles = self._tiles(block)
        vectors = [loop for loop in self.loops if loop.kind is LoopKind.VECTORIZED]
        if len(vectors) > 1:
            raise OutsideSpace(f"vectors in {len(vectors)} dimensions of {self._name}")
        vector = vectors[0].dims[0] if vectors else None
        lanes = (vectors[0].trips or self.natural_lanes) if vectors else 1
        outer = [loop for loop in body if loop.kind is LoopKind.PARALLEL]
        parallel = tuple(d for loop in outer for d in loop.dims)
        if not set(map(id, outer)) <= set(map(id, self.levels[0] if self.levels else [])):
            raise OutsideSpace(f"a parallel loop of {self._name} inside other loops")
        return Nest(tiles, self._order(), vector, lanes, parallel, self.atomic)

    @property
    def _name(self) -> str:
        return f"{self.stage.func}.update({self.stage.number - 1})" if self.stage.number else self.stage.func

    def _body(self) -> list[Loop]:
        """The loops outside the block, outermost first. Unrolled loops around serial ones count as part of the block:
        points of a pure stage may be computed in any order."""
        serial = [loop for loop in self.loops if loop.kind not in BLOCK]
        reduced = any(self.stage.loops[d].reduction and not self.stage.loops[d].reorderable for d in self._block_dims())
        if reduced and self.loops[: len(serial)] != serial:
            raise OutsideSpace(f"a loop of {self._name} that is unrolled outside of a serial one")
        return serial

    def _block_dims(self) -> list[int]:
        return [d for loop in self.loops if loop.kind in BLOCK for d in loop.dims]

    def _divide(self, body: Sequence[Loop]) -> None:
        """Divides loops into levels: each has a dimension once, and one order of dimensions serves all of them."""
        self.levels = []
        current: list[Loop] = []
        for loop in body:
            if current and (self._twice(current, loop) or not self._ordered([*self.levels, [*current, loop]])):
                self.levels.append(current)
                current = []
            current.append(loop)
            if loop.name in self.cuts:
                self.levels.append(current)
                current = []
        if current:
            self.levels.append(current)

    def _twice(self, level: Sequence[Loop], loop: Loop) -> bool:
        return any(set(other.dims) & set(loop.dims) for other in level)

    def _ordered(self, levels: Sequence[Sequence[Loop]]) -> bool:
        try:
            self._sorted(levels)
        except CycleError:
            return False
        return True

    def _sorted(self, levels: Sequence[Sequence[Loop]]) -> list[int]:
        """The dimensions innermost first, as all levels and the block have them."""
        sorter: TopologicalSorter[int] = TopologicalSorter({d: () for d in range(len(self.stage.loops))})
        body = {id(loop) for level in levels for loop in level}
        block = [loop for loop in self.loops if id(loop) not in body and loop.kind in BLOCK]
        for level in (*levels, block):
            dims = list(dict.fromkeys([d for loop in reversed(level) for d in reversed(loop.dims)]))
            for inner, outer in zip(dims, dims[1:], strict=False):
                sorter.add(outer, inner)
        return list(sorter.static_order())

    def _order(self) -> tuple[int, ...]:
        vectors = [loop.dims[0] for loop in self.loops if loop.kind is LoopKind.VECTORIZED]
        order = self._sorted(self.levels)
        return tuple(vectors[:1] + [d for d in order if d not in vectors[:1]])

    def _tiles(self, block: dict[int, int]) -> tuple[tuple[int, ...], ...]:
        count = len(self.stage.loops)
        tiles: list[tuple[int, ...]] = []
        tile = [FULL] * count
        for level in self.levels:
            for loop in level:
                for d in loop.dims:
                    tile[d] = loop.step
            tiles.append(tuple(tile))
        looped = {d for level in self.levels for loop in level for d in loop.dims}
        if not tiles:
            return (tuple([block[d] if block[d] > 1 else FULL for d in range(count)]),)
        last = [tiles[-1][d] if d in looped else FULL if block[d] != 1 else 1 for d in range(count)]
        for d in range(count):
            if d not in looped and self.stage.loops[d].extent == 1:
                last[d] = 1
        return (*tiles[:-1], tuple(last))


def stage_schedule(dag: Dag, schedule: Schedule, stage: StageInfo) -> StageSchedule:
    """The loops that directives give a stage."""
    ref = StageRef(stage.func, stage.number)
    own = schedule.of_stage(ref)
    dims: dict[str, tuple[int, ...]] = {loop.name: (d,) for d, loop in enumerate(stage.loops)}
    trips: dict[str, int | None] = dict.fromkeys(dims)
    for directive in own:
        _transform(directive, dims, trips, ref)
    defined = sorted(stage.loops, key=lambda loop: not loop.reduction)
    names = stage_loops(Schedule(tuple(own)), ref, tuple([Dim(loop.name, loop.reduction) for loop in defined])).names()
    kinds = {d.var: d.kind for d in own if isinstance(d, Mark)}
    loops = [Loop(name, dims[name], kinds.get(name, LoopKind.SERIAL), trips[name]) for name in reversed(names)]
    loops = [loop for loop in loops if any(d >= 0 for d in loop.dims)]
    covered: dict[int, int] = {}
    for loop in reversed(loops):
        loop.step = max([covered.get(d, 1) for d in loop.dims])
        for d in loop.dims:
            covered[d] = covered.get(d, 1) * (loop.trips or stage.loops[d].extent)
    return StageSchedule(stage, loops, any(isinstance(d, Atomic) for d in own), natural_lanes(dag, stage))


def _transform(
    directive: Directive, dims: dict[str, tuple[int, ...]], trips: dict[str, int | None], ref: StageRef
) -> None:
    match directive:
        case Split(old=old, outer=outer, inner=inner, factor=factor):
            own, count = dims.pop(old), trips.pop(old)
            size = constant(factor)
            if not isinstance(size, int):
                raise OutsideSpace(f"a split of {old} of {ref} by a factor that is no number")
            dims[inner], trips[inner] = own, size
            dims[outer], trips[outer] = own, None if count is None else -(-count // size)
        case Fuse(inner=inner, outer=outer, fused=fused):
            both = (*dims.pop(outer), *dims.pop(inner))
            del trips[inner], trips[outer]
            dims[fused], trips[fused] = both, None
        case Rename(old=old, new=new):
            dims[new], trips[new] = dims.pop(old), trips.pop(old)


def _stage(dag: Dag, stages: Mapping[tuple[str, int], StageSchedule], func: str, level: LevelRef) -> tuple[str, int]:
    """The stage that the level of a Func is in; where it names none, a reader that has the loop, else the last one."""
    numbers = [level.stage] if level.stage is not None else [n for name, n in dag.consumers[func] if name == level.func]
    numbers += [n for name, n in reversed(stages) if name == level.func and level.stage is None]
    for number in numbers:
        if any(loop.name == level.var for loop in stages[level.func, number].loops):
            return level.func, number
    raise OutsideSpace(f"a compute level at {level.var} of {level.func}")


def state_of(dag: Dag, schedule: Schedule) -> State:
    """The state with the loops and compute levels of a schedule. OutsideSpace when there is none, which says why."""
    if fused := next((d for d in schedule.directives if isinstance(d, ComputeWith)), None):
        raise OutsideSpace(f"compute_with of {fused.owner}")
    stages = {(f.name, s.number): stage_schedule(dag, schedule, s) for f in dag.funcs.values() for s in f.stages}
    compute = {d.func: d.level for d in schedule.directives if isinstance(d, ComputeAt)}
    store = {d.func: d.level for d in schedule.directives if isinstance(d, StoreAt)}
    orders = {d.func: d.variables for d in schedule.directives if isinstance(d, ReorderStorage)}
    for name, level in (*compute.items(), *store.items()):
        if not (level.is_root or level.is_inlined):
            stages[_stage(dag, stages, name, level)].cuts.add(level.var)
    nests = {key: stage.nest() for key, stage in stages.items()}

    def nest_level(name: str, level: LevelRef) -> NestLevel:
        func, number = _stage(dag, stages, name, level)
        return NestLevel(func, number, stages[func, number].level_of(level.var))

    def placement(func: FuncInfo) -> FuncPlacement:
        level = compute.get(func.name)
        own = tuple([nests[func.name, stage.number] for stage in func.stages])
        storage = tuple([func.arguments.index(name) for name in orders.get(func.name, ())])
        if func.output or (level is not None and level.is_root):
            return FuncPlacement(Where.ROOT, nests=own, storage=storage)
        if level is None or level.is_inlined:
            return INLINED
        where, outer = nest_level(func.name, level), store.get(func.name)
        if outer is None or outer == level:
            return FuncPlacement(Where.AT, where, None, own, storage)
        stored = ROOT_STORE if outer.is_root else nest_level(func.name, outer)
        return FuncPlacement(Where.AT, where, stored, own, storage)

    state = State({func.name: placement(func) for func in dag.funcs.values()})
    if reasons := problems(dag, state):
        raise OutsideSpace("; ".join(reasons))
    return state
