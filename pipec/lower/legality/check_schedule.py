"""Checks that the compute and store levels of all Funcs are legal in the whole pipeline."""

from __future__ import annotations

from collections.abc import Iterable

from pipec.errors import PlacementError, ScheduleError
from pipec.func.functions.definition import FuncDef, PipelineDef, StageDef, require_func, require_stage
from pipec.ir.build import constant
from pipec.ir.stmt import CONCURRENT, LoopKind
from pipec.lower.legality.check_fused_stages import check_sharing
from pipec.lower.planning.fused_stages import FusedStages, copy_specializations, outer_loops
from pipec.lower.planning.versions import specialize, versions_of
from pipec.records import dataclass
from pipec.schedule.execution import Memoize
from pipec.schedule.fields import LevelRef, StageRef
from pipec.schedule.loops import Mark
from pipec.schedule.placement import FuncSchedule, HoistStorage, RingBuffer, func_schedule
from pipec.schedule.schedule import Loop, Schedule
from pipec.schedule.specialize import Specialize, SpecializeFail, require_version
from pipec.schedule.storage import AlignStorage, FoldStorage, TileStorage

OUTERMOST = "__outermost"
_VERBS = {
    LoopKind.PARALLEL: "parallelize",
    LoopKind.VECTORIZED: "vectorize",
    LoopKind.UNROLLED: "unroll",
    LoopKind.GPU_BLOCK: "distribute over GPU blocks",
    LoopKind.GPU_THREAD: "distribute over GPU threads",
    LoopKind.GPU_LANE: "distribute over GPU lanes",
}


def check_schedule(definition: PipelineDef, schedule: Schedule) -> None:
    """Raises a ScheduleError for the first Func, consumers first, whose compute or store level is illegal."""
    _Checker(definition, schedule).check()


@dataclass(frozen=True)
class _Enclosing:
    """A loop around a use of a Func; var `__outermost`: the level before the loops of a stage begin."""

    func: str
    stage: int
    var: str
    kind: LoopKind = LoopKind.SERIAL
    # The other stages that share the loop.
    others: tuple[StageRef, ...] = ()

    def matches(self, level: LevelRef) -> bool:
        if self.var != level.var:
            return False
        stages = (StageRef(self.func, self.stage), *self.others)
        return any(stage.func == level.func and level.stage in (None, stage.stage) for stage in stages)

    def __str__(self) -> str:
        return f"{self.func}.{self.var}" if self.stage == 0 else f"{self.func}.update({self.stage - 1}).{self.var}"


_Path = tuple[_Enclosing, ...]


class _Checker:
    """Resolves levels from the outputs to the inputs. A path: the loops around a level, outermost first."""

    def __init__(self, definition: PipelineDef, schedule: Schedule) -> None:
        self.definition = definition
        self.schedule = schedule
        self.places = {name: func_schedule(schedule, name) for name in definition.funcs}
        # Where each Func is used: the user and the paths of the user's innermost loops.
        self.uses: dict[str, list[tuple[str, _Path]]] = {}
        # What each inlined Func reads.
        self.reads: dict[str, dict[str, None]] = {}
        self.fused = FusedStages({}, Schedule())

    def check(self) -> None:
        self._check_names()
        for func in self.definition.funcs.values():
            self._check_inlined(func)
            if func.extern is not None:
                self._check_extern(func)
            if Memoize in self.places[func.name]:
                self._check_memoized(func)
            if self.places[func.name].by_dim(TileStorage):
                self._check_tiled(func)
        check_sharing(self.definition, self.schedule)
        self.schedule = copy_specializations(self.schedule)
        self.fused = FusedStages(self.definition.funcs, self.schedule)
        for func in reversed(list(self.definition.funcs.values())):
            if not self._is_inlined(func):
                self._place(func)

    def _check_memoized(self, func: FuncDef) -> None:
        name, place = func.name, self.places[func.name]
        if name in self.definition.outputs:
            raise PlacementError(
                f"Error: Can't compile Pipeline with memoized output Func: {name}. Memoization is valid only on "
                f"intermediate Funcs because it takes control of buffer allocation. Defined at {func.location}."
            )
        if self._is_inlined(func):
            raise PlacementError(
                f"Error: Cannot memoize function {name} because the function is scheduled inline. Give it a "
                f"compute_root() or compute_at(). Defined at {func.location}."
            )
        if place.store_explicit and place.store != place.compute:
            raise PlacementError(
                f"Error: Function {name} cannot be memoized because it has compute and storage scheduled at different "
                f"loop levels. Defined at {func.location}."
            )

    def _check_tiled(self, func: FuncDef) -> None:
        name, place = func.name, self.places[func.name]
        by_others = name in self.definition.outputs or Memoize in place or func.extern is not None
        readers = [other for other in self.definition.funcs.values() if other.extern is not None]
        if by_others or any(name in reader.stages[0].callees for reader in readers):
            raise ScheduleError(
                f"Error: The storage of Func {name} can't be tiled: an output, a memoized Func and what a C function "
                "sees have one stride for each dimension. Tile a Func that only other Funcs read, for example "
                f"{name}.in_(). Defined at {func.location}."
            )
        for var in place.by_dim(TileStorage):
            for kind in (FoldStorage, AlignStorage):
                if var in place.by_dim(kind):
                    raise ScheduleError(
                        f"Error: The storage of Func {name} has both {kind.METHOD} and tile_storage for {var}: only "
                        f"one is possible. Defined at {func.location}."
                    )

    def _check_extern(self, func: FuncDef) -> None:
        for name in func.stages[0].callees:
            if self._is_inlined(self.definition.funcs[name]):
                raise PlacementError(
                    f"Error: Func {name} cannot be scheduled to be computed inline, because it is used in the "
                    f"externally-computed function {func.name}\n"
                    f"A C function reads it from memory: give {name} a compute_root() or compute_at()."
                )

    def _check_names(self) -> None:
        for name in self.schedule.funcs():
            require_func(self.definition.funcs, name)
        for stage in self.schedule.scheduled_stages():
            require_stage(self.definition.funcs, stage)
            require_version(self.schedule, stage)

    def _is_inlined(self, func: FuncDef) -> bool:
        """Whether calls of the Func are replaced by its definition."""
        return func.pure and func.name not in self.definition.outputs and self.places[func.name].compute.is_inlined

    def _check_inlined(self, func: FuncDef) -> None:
        name, place = func.name, self.places[func.name]
        if name in self.definition.outputs:
            self._check_output(func)
        elif place.compute.is_inlined and place.store_explicit:
            root = place.store.is_root
            method, needed = ("store_root", "compute_root or compute_at") if root else ("store_at", "compute_at")
            raise ScheduleError(
                f'Error: Func "{name}" is scheduled {method}(), but is inlined. Funcs that use {method} must '
                f"also call {needed}.\nDefined at {func.location}."
            )
        self._check_hoisted(func)
        if not self._is_inlined(func):
            return
        for directive in self.schedule.of_stage(StageRef(name)):
            # As in Halide, a condition that is decided makes no versions.
            is_decided = isinstance(directive, Specialize) and constant(directive.condition) is not None
            if isinstance(directive, (Specialize, SpecializeFail)) and not is_decided:
                raise ScheduleError(
                    f"Error: Function {name} is scheduled inline, so it must not have any specializations. Specialize "
                    f"on the scheduled function instead.\nGive it a place first, as {name}.compute_root() or "
                    f"{name}.compute_at(consumer, variable), or specialize the Func that uses it. "
                    f"Defined at {func.location}."
                )
            if isinstance(directive, Mark) and directive.kind in _VERBS:
                raise ScheduleError(
                    f"Error: Cannot {_VERBS[directive.kind]} dimension {directive.var} of function {name} because the "
                    f"function is scheduled inline.\nGive it a place first: {name}.compute_root() or "
                    f"{name}.compute_at(consumer, variable). Defined at {func.location}."
                )

    def _check_hoisted(self, func: FuncDef) -> None:
        name, place = func.name, self.places[func.name]
        hoist = place.last(HoistStorage)
        in_ring = RingBuffer in place and not place.compute.is_inlined
        if in_ring and (hoist is None or hoist.level == place.store):
            raise ScheduleError(
                f'Error: Func "{name}" is scheduled with ring_buffer(), but has matching store_at and hoist_storage '
                "levels. Add an explicit hoist_storage directive to the schedule to fix the issue.\nThe iterations of "
                f"the loops between the two take the buffers in turn. Defined at {func.location}."
            )
        if hoist is None or not place.compute.is_inlined or name in self.definition.outputs:
            return
        method, needed = ("hoist_storage_root", "compute_root or ") if hoist.level.is_root else ("hoist_storage", "")
        raise ScheduleError(
            f'Error: Func "{name}" is scheduled {method}(), but is inlined. Funcs that use hoist_storage_root must '
            f"also call {needed}compute_at.\nDefined at {func.location}."
        )

    def _check_output(self, func: FuncDef) -> None:
        """Refuses a compute level for an output; one in a Func that the pipeline does not have is ignored."""
        level = self.places[func.name].compute
        if not level.is_root and not level.is_inlined and level.func in self.definition.funcs:
            raise ScheduleError(
                f'Error: Func "{func.name}" is an output of this pipeline, so it can\'t be computed at '
                f"{level.func}.{level.var}: outputs are computed at root.\nRead it through another Func "
                f"({func.name}.in_()) for a copy inside {level.func}. Defined at {func.location}."
            )

    def _place(self, func: FuncDef) -> None:
        """Resolves the levels of a Func and records the Funcs that its stages use inside its loops."""
        prefixes = self._prefixes(func)
        for number, stage in enumerate(specialize(func, self.schedule).stages):
            for version in versions_of(stage):
                if version.failure:
                    continue
                own = self._own_loops(func, number, version.path)
                paths = [(*prefix, *own) for prefix in prefixes]
                for used in self._used(version.stage):
                    if used != func.name:
                        self.uses.setdefault(used, []).extend((func.name, path) for path in paths)

    def _own_loops(self, func: FuncDef, number: int, path: tuple[int, ...] = ()) -> _Path:
        loops = [Loop(OUTERMOST), *outer_loops(func, self.schedule, StageRef(func.name, number, path))]
        loops = [loop for loop in loops if loop.kind is not LoopKind.EXTERN]
        enclosing = []
        for depth, loop in enumerate(loops):
            leader, *others = self.fused.fused_with(StageRef(func.name, number, path), depth)
            enclosing.append(_Enclosing(leader.func, leader.stage, loop.name, loop.kind, tuple(others)))
        return tuple(enclosing)

    def _used(self, stage: StageDef) -> dict[str, None]:
        """The Funcs with storage that a stage reads, itself or through inlined ones."""
        funcs: dict[str, None] = {}
        for name in stage.callees:
            if self._is_inlined(self.definition.funcs[name]):
                if name not in self.reads:
                    self.reads[name] = self._used(self.definition.funcs[name].stages[0])
                funcs.update(self.reads[name])
            else:
                funcs[name] = None
        return funcs

    def _prefixes(self, func: FuncDef) -> list[_Path]:
        name, place = func.name, self.places[func.name]
        uses = self.uses.get(name, [])
        if name in self.definition.outputs:
            return [()]
        if place.compute.is_inlined:
            return list(dict.fromkeys(path for _, path in uses))
        prefixes: dict[_Path, None] = {}
        for _, path in uses:
            inside = _depth(path, place.compute)
            if inside is None:
                raise self._illegal(func)
            outside = 0 if place.store.is_inlined else _depth(path, place.store)
            if outside is None or outside > inside:
                raise self._illegal(func)
            self._check_concurrent(func, path[outside:inside])
            hoist = place.last(HoistStorage)
            hoisted = outside if hoist is None else _depth(path, hoist.level)
            if hoisted is None or hoisted > outside:
                raise self._illegal(func)
            self._check_concurrent(func, path[hoisted:outside], hoisted=True)
            prefixes[path[:inside]] = None
        return list(prefixes)

    def _check_concurrent(self, func: FuncDef, between: _Path, hoisted: bool = False) -> None:
        """Refuses concurrent loops between the store (or hoist) level and the compute level: they share the storage."""
        if self.places[func.name].store == self.places[func.name].compute and not hoisted:
            return
        for loop in between:
            if loop.kind in CONCURRENT:
                stored = "hoisted" if hoisted else "stored"
                raise self._illegal(
                    func,
                    f'Func "{func.name}" is {stored} outside the parallel/vectorized/gpu_block loop over {loop} but '
                    "computed within it. This is a potential race condition.\n",
                )

    def _illegal(self, func: FuncDef, reason: str = "") -> PlacementError:
        name, place = func.name, self.places[func.name]
        uses = self.uses.get(name, [])
        places = [".compute_root()", *_common_places(path for _, path in uses)]
        legal = "".join(f"  {name}{text};\n" for text in places)
        return PlacementError(
            f'Error: {reason}Func "{name}" is computed at the following invalid location:\n'
            f"  {name}{self._place_text(place)};\n"
            f"{self._why(place)}"
            f"Legal locations for this function are:\n{legal}"
            f'"{name}" is used in the following places:\n{_use_tree(name, uses)}'
            f"Defined at {func.location}."
        )

    def _place_text(self, place: FuncSchedule) -> str:
        store = ""
        if place.store != place.compute:
            store = ".store_root()" if place.store.is_root else f".store_at({_level_text(place.store)})"
        return store + (".compute_root()" if place.compute.is_root else f".compute_at({_level_text(place.compute)})")

    def _why(self, place: FuncSchedule) -> str:
        """The reason why a named level does not exist; empty when it does."""
        for level in (place.compute, place.store):
            if level.is_root or level.is_inlined:
                continue
            target = self.definition.funcs.get(level.func)
            if target is None:
                return f"{level.func} is not part of this pipeline.\n"
            if self._is_inlined(target):
                return f"{level.func} is inlined, so it has no loops; give it a compute_root() or compute_at() first.\n"
            stages = range(len(target.stages)) if level.stage is None else [level.stage]
            names = {loop.var for n in stages if n < len(target.stages) for loop in self._own_loops(target, n)}
            if level.var not in names:
                choices = " ".join(sorted(names - {OUTERMOST}))
                return f"{level.func} has no loop {level.var}; its loops are: {choices}.\n"
        return ""


def _depth(path: _Path, level: LevelRef) -> int | None:
    """The number of loops of the path around `level`; None when the path does not go through it."""
    if level.is_root:
        return 0
    return next((at + 1 for at, loop in enumerate(path) if loop.matches(level)), None)


def _common_places(paths: Iterable[_Path]) -> list[str]:
    """compute_at for each loop that is around all uses, outermost first."""
    keys = [[(loop.func, loop.var) for loop in path] for path in paths]
    common = [key for key in dict.fromkeys(keys[0]) if all(key in other for other in keys)] if keys else []
    return [f".compute_at({_level_text(LevelRef(func, var))})" for func, var in common]


def _level_text(level: LevelRef) -> str:
    var = "Var::outermost()" if level.var == OUTERMOST else level.var
    return f"{level.func}, {var}" if level.stage is None else f"LoopLevel({level.func}, {var}, {level.stage})"


def _use_tree(name: str, uses: list[tuple[str, _Path]]) -> str:
    """The loops around all uses as an indented tree."""
    lines: list[str] = []
    before: _Path = ()
    for user, path in uses:
        loops = tuple(loop for loop in path if loop.var != OUTERMOST)
        shared = 0
        while shared < min(len(before), len(loops)) and before[shared] == loops[shared]:
            shared += 1
        for at in range(shared, len(loops)):
            loop = loops[at]
            lines.append(f"{' ' * (at + 1)}for {loop.func}.s{loop.stage}.{loop.var}:")
        lines.append(f"{' ' * (len(loops) + 1)}{user} uses {name}")
        before = loops
    return "".join(f"{line}\n" for line in lines)
