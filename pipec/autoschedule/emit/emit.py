"""States as schedules: the directives that make the loops of a state, and Funcs that are given a schedule."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.autoschedule.dag.dag import Dag, FuncInfo
from pipec.autoschedule.emit.alignment import alignments
from pipec.autoschedule.emit.constants import Constants
from pipec.autoschedule.emit.loops import StageLoops, directives_of_loops, loops_of
from pipec.autoschedule.emit.tails import StageTails, reaching_out, widths
from pipec.autoschedule.rfactor.definitions import apply_rfactor, renamed, rfactor_directives
from pipec.autoschedule.space.state import ROOT_STORE, Placement, Site, State, Where
from pipec.errors import PipecError
from pipec.func.directives.scheduled import replay
from pipec.func.functions.freeze import reachable
from pipec.func.functions.function import Function
from pipec.ir.expr import Const
from pipec.ir.types import INT32
from pipec.schedule.bounds import AlignBounds, ExpectBounds
from pipec.schedule.directive import Directive
from pipec.schedule.fields import ROOT, LoopLevel
from pipec.schedule.placement import ComputeAt, StoreAt
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Schedule
from pipec.schedule.storage import ReorderStorage, StreamStores


def emit(dag: Dag, state: State) -> Schedule:
    """The directives of a complete state, outputs first. Funcs that the user scheduled have none here."""
    return Schedule((*rfactor_directives(state.factorings), *_Emission(dag, state).directives()))


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


class _Emission:
    def __init__(self, dag: Dag, state: State) -> None:
        self.dag, self.state = dag, state
        self.reaching_out = reaching_out(dag, state)
        self.constants = Constants(dag, state)
        self.alignments = alignments(dag, state, self.constants)
        self.placed = [
            func for func in dag.funcs.values() if state[func.name].where is not Where.INLINE and not func.fixed
        ]
        self.loops: dict[tuple[str, int], StageLoops] = {}
        for func in self.placed:
            for stage, nest in zip(func.stages, state[func.name].nests, strict=True):
                reaches_out = (func.name, stage.number) in self.reaching_out
                if func.extern and stage.number == 0:
                    self.loops[func.name, 0] = StageLoops((), ())
                    continue
                tails = StageTails(func, stage, widths(dag, state, func) if reaches_out else None)
                constant = self.constants.of(func, stage, nest)
                known = self.constants.at_site(func)
                apart = self.constants.interleave(func, stage, nest)
                self.loops[func.name, stage.number] = loops_of(stage, nest, tails, constant, known, apart)

    def directives(self) -> list[Directive]:
        found: list[Directive] = []
        for func in self.placed:
            found += self._placement(func, self.state[func.name])
            found += directives_of_loops(func, self.loops)
        return found

    def _placement(self, func: FuncInfo, placement: Placement) -> list[Directive]:
        found: list[Directive] = []
        if not func.output:
            if placement.store is not None:
                found.append(StoreAt(func.name, self._level(placement.store)))
            site = ROOT if placement.compute is None else self._level(placement.compute)
            found.append(ComputeAt(func.name, site))
        for d, argument in enumerate(func.arguments):
            if (func.name, d) in self.alignments:
                found.append(AlignBounds(func.name, argument, self.alignments[func.name, d]))
            if (func.name, d) in self.constants.expected:
                ends = (Const(INT32, end[d]) for end in (func.minimum, func.extent))
                found.append(ExpectBounds(func.name, argument, *ends))
        if placement.storage and placement.storage != tuple(range(len(func.arguments))):
            found.append(ReorderStorage(func.name, tuple([func.arguments[d] for d in placement.storage])))
        if placement.streamed and func.output:
            found.append(StreamStores(func.name, True))
        return found

    def _level(self, site: Site) -> LoopLevel:
        if site == ROOT_STORE:
            return ROOT
        loop = self.loops[site.func, site.stage].sites[site.level]
        several = len(self.dag.funcs[site.func].stages) > 1
        return LoopLevel(site.func, loop, site.stage if several else None)
