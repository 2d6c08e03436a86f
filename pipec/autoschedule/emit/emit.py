"""States as schedules: the directives that make the loops of a state, and Funcs that are given a schedule."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.autoschedule.dag.dag import Dag, FuncInfo
from pipec.autoschedule.emit.alignment import alignments
from pipec.autoschedule.emit.constants import Constants
from pipec.autoschedule.emit.loops import EmittedLoops, directives_of_loops, loops_of
from pipec.autoschedule.emit.tails import StageTails, reaching_out, widths
from pipec.autoschedule.rfactor.definitions import apply_rfactor, renamed, rfactor_directives
from pipec.autoschedule.space.state import ROOT_STORE, FuncPlacement, NestLevel, State, Where
from pipec.errors import PipecError
from pipec.func.directives.scheduled import replay
from pipec.func.functions.freeze import reachable
from pipec.func.functions.function import Function
from pipec.ir.expr import Const
from pipec.ir.types import INT32
from pipec.schedule.bounds import AlignBounds, ExpectBounds
from pipec.schedule.compute_with import ComputeWith
from pipec.schedule.directive import Directive
from pipec.schedule.fields import OUTERMOST, ROOT, LevelRef, Renaming, StageRef
from pipec.schedule.placement import ComputeAt, StoreAt
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Schedule
from pipec.schedule.storage import ReorderStorage, StreamStores


def emit(dag: Dag, state: State) -> Schedule:
    """Returns the schedule of a complete state for a CPU."""
    return _CpuEmission(dag, state).schedule()


def apply(schedule: Schedule, outputs: Sequence[Function]) -> None:
    """Give the Funcs behind `outputs` the directives of `schedule`; all or, when one is refused, none of them."""
    functions = {function.name: function for function in reachable(outputs)}
    before = {function: function.state() for function in functions.values()}
    try:
        for directive in schedule.directives:
            if isinstance(directive, Rfactor):
                apply_rfactor(directive, functions)
            else:
                named = {function.name: function for function in functions.values()}
                replay(renamed(directive, functions), named)
    except PipecError:
        for function, state in before.items():
            function.return_to(state)
        raise


class ScheduleEmission:
    """The directives of a state, Func by Func. `loops`: of every stage that is not inlined."""

    def __init__(self, dag: Dag, state: State) -> None:
        self.dag, self.state = dag, state
        self.placed = [f for f in dag.funcs.values() if state[f.name].where is not Where.INLINE and not f.fixed]
        self.loops: dict[tuple[str, int], EmittedLoops] = {}

    def schedule(self) -> Schedule:
        """Returns the schedule, outputs first; Funcs that the user scheduled have no directives here."""
        directives: list[Directive] = [*rfactor_directives(self.state.factorings)]
        for func in self.placed:
            own = [*self.placement(func, self.state[func.name]), *directives_of_loops(func, self.loops)]
            directives += own
            for other in self.dag.joint.get(func.name, ()):
                directives += self._joint(func, other, own)
        return Schedule(tuple(directives))

    def _joint(self, func: FuncInfo, other: str, directives: Sequence[Directive]) -> list[Directive]:
        """Returns the directives for a Func that shares all loops of `func`, which has these."""
        same = Renaming(lambda name: other if name == func.name else name)
        result = [directive.renamed(same) for directive in directives]
        for stage in func.stages:
            innermost = self.loops[func.name, stage.number].innermost
            if innermost != OUTERMOST:
                number = stage.number
                result.append(ComputeWith(StageRef(other, number), StageRef(func.name, number), innermost))
        return result

    def placement(self, func: FuncInfo, placement: FuncPlacement) -> list[Directive]:
        """Returns the directives for the compute and store levels, bounds and storage of a Func."""
        result: list[Directive] = []
        if not func.output:
            if placement.store is not None:
                result.append(StoreAt(func.name, self._level(placement.store)))
            result.append(ComputeAt(func.name, ROOT if placement.compute is None else self._level(placement.compute)))
        result += self.bounds(func)
        if placement.storage and placement.storage != tuple(range(len(func.arguments))):
            result.append(ReorderStorage(func.name, tuple([func.arguments[d] for d in placement.storage])))
        if placement.streamed and func.output:
            result.append(StreamStores(func.name, True))
        return result

    def bounds(self, func: FuncInfo) -> list[Directive]:
        """Returns the directives for the bounds of a Func."""
        return []

    def _level(self, nest_level: NestLevel) -> LevelRef:
        if nest_level == ROOT_STORE:
            return ROOT
        loop = self.loops[nest_level.func, nest_level.stage].nest_levels[nest_level.level]
        several = len(self.dag.funcs[nest_level.func].stages) > 1
        return LevelRef(nest_level.func, loop, nest_level.stage if several else None)


class _CpuEmission(ScheduleEmission):
    def __init__(self, dag: Dag, state: State) -> None:
        super().__init__(dag, state)
        self.reaching_out = reaching_out(dag, state)
        self.constants = Constants(dag, state)
        self.alignments = alignments(dag, state, self.constants)
        for func in self.placed:
            for stage, nest in zip(func.stages, state[func.name].nests, strict=True):
                if func.extern and stage.number == 0:
                    self.loops[func.name, 0] = EmittedLoops((), ())
                    continue
                dims = self.reaching_out[func.name, stage.number]
                sizes = widths(dag, state, func) if dims else func.extent
                tails = StageTails(func, stage, tuple([size if d in dims else None for d, size in enumerate(sizes)]))
                constant = self.constants.of(func, stage, nest)
                extents = self.constants.at_nest_level(func)
                apart = self.constants.interleave(func, stage, nest)
                self.loops[func.name, stage.number] = loops_of(stage, nest, tails, constant, extents, apart)

    def bounds(self, func: FuncInfo) -> list[Directive]:
        result: list[Directive] = []
        for d, argument in enumerate(func.arguments):
            if (func.name, d) in self.alignments:
                result.append(AlignBounds(func.name, argument, Const(INT32, self.alignments[func.name, d])))
            if (func.name, d) in self.constants.expected:
                ends = (Const(INT32, end[d]) for end in (func.minimum, func.extent))
                result.append(ExpectBounds(func.name, argument, *ends))
        return result
