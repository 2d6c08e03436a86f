"""The space of states for a GPU, after Anderson et al., "Efficient automatic scheduling of imaging and vision pipelines
for the GPU" (OOPSLA 2021): kernels of blocks, threads and points of a thread; Funcs inline, in blocks, in threads."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence

from pipec.autoschedule.cost.gpu import GpuEvaluator
from pipec.autoschedule.dag.dag import Dag, StageInfo
from pipec.autoschedule.emit.gpu import emit
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.rfactor.choices import gpu_choices, gpu_targets
from pipec.autoschedule.space.cpu.fallback import fallback
from pipec.autoschedule.space.gpu.boxes import Boxes
from pipec.autoschedule.space.gpu.compute_levels import ComputeLevels
from pipec.autoschedule.space.gpu.legality import problems
from pipec.autoschedule.space.gpu.moves import Moves
from pipec.autoschedule.space.gpu.nests import root_placement
from pipec.autoschedule.space.gpu.options import GpuOptions
from pipec.autoschedule.space.space import Space
from pipec.autoschedule.space.state import INLINED, Choice, FuncPlacement, State, Where
from pipec.schedule.schedule import Schedule


class GpuSpace(Space):
    """`cpu_only`: Funcs that stay on the CPU. `frozen`: Funcs that are inlined, or kernels, from the start."""

    def __init__(
        self,
        dag: Dag,
        device: GpuDevice,
        cpu_only: frozenset[str] = frozenset(),
        options: GpuOptions | None = None,
    ) -> None:
        super().__init__(dag)
        self.device, self.cpu_only, self.options = device, cpu_only, options or GpuOptions()
        self.boxes = Boxes(dag)
        self.evaluator = GpuEvaluator(dag, device, self.boxes, self)
        self.nest_levels = ComputeLevels(dag, self.boxes, cpu_only, self.options)
        self.moves = Moves(dag, device, self.nest_levels, self.options)
        self.frozen: frozenset[str] = frozenset()
        self._rng = random.Random(0)

    def start(self) -> State:
        """The first state: cheap Funcs inline, every other Func a kernel."""
        placements = dict(fallback(self.dag).placements)
        for name, placement in placements.items():
            info = self.dag.funcs[name]
            if info.fixed or (placement.where is Where.INLINE and self.moves.may_inline(info)):
                continue
            placements[name] = root_placement(self.dag, info, name in self.cpu_only)
        return State(placements)

    def children(self, state: State, func: str) -> list[State]:
        """Returns the states that decide `func`, those that a device cannot run left out."""
        info = self.dag.funcs[func]
        if info.fixed or func in self.cpu_only:
            return [state]
        states = dict.fromkeys([state, *self.moves.children(state, func, self._rng)])
        if info.must_inline and self.moves.may_inline(info):
            states.pop(state)
        return self._running(states) or [state]

    def neighbours(self, state: State, func: str) -> list[State]:
        """Returns states that differ in one change of `func`, those that a device cannot run left out."""
        info = self.dag.funcs[func]
        if info.fixed or func in self.cpu_only or (info.must_inline and self.moves.may_inline(info)):
            return []
        states = dict.fromkeys(self.moves.neighbours(state, func))
        states.pop(state, None)
        return self._running(states)

    def _running(self, states: Iterable[State]) -> list[State]:
        """Returns the states that the device can run."""
        several = list(states)
        costs = self.evaluator.costs(several)
        return [state for state, cost in zip(several, costs, strict=True) if math.isfinite(cost)]

    def placed(self, state: State, func: str, placement: FuncPlacement) -> State:
        """Returns the state with another placement of `func`, legalized."""
        return self.nest_levels.placed(state, func, placement)

    def emit(self, state: State) -> Schedule:
        """Returns the schedule of a state."""
        return emit(self.dag, state, self.boxes)

    def problems(self, state: State) -> list[str]:
        """Returns what makes a state illegal, as texts."""
        return problems(self.dag, state, self.nest_levels) or self.evaluator.refusals(state)

    def targets(self) -> list[StageInfo]:
        """Returns the updates that are worth factoring."""
        return [stage for stage in gpu_targets(self.dag) if stage.func not in self.cpu_only]

    def choices(self, stage: StageInfo) -> list[Choice]:
        """Returns the ways to factor an update."""
        return gpu_choices(self.dag, stage)

    def decided(self) -> Sequence[str]:
        """Returns the Funcs that the search decides, in order; frozen ones are left out."""
        return [name for name in super().decided() if name not in self.frozen]


FREE = 12
"""Funcs of a pipeline that is searched without freezing."""
SHARE = 0.98
"""Of the time of the first pass, that is due to the Funcs that stay free."""
SHARE_OF_MOST_EXPENSIVE = 0.75
"""As above, of the Funcs whose inlined producers stay free, too."""


def freeze_most(space: GpuSpace, start: State) -> State:
    """Decides between inline and root, freezes the cheapest Funcs in `space`, and returns the resulting state."""
    space.frozen = frozenset()
    free = list(space.decided())
    freeze = space.options.freeze
    if freeze is False or (freeze is None and len(free) <= FREE):
        return start
    state = start
    for name in free:
        info = space.dag.funcs[name]
        if info.must_inline or name in space.cpu_only:
            continue
        options = [state, space.placed(state, name, root_placement(space.dag, info))]
        if space.moves.may_inline(info):
            options.append(space.placed(state, name, INLINED))
        costs = space.evaluator.costs(options)
        state = options[costs.index(min(costs))]
    space.frozen = _cheapest(space, state, free) if len(free) > 1 else frozenset()
    return state


def _cheapest(space: GpuSpace, state: State, free: list[str]) -> frozenset[str]:
    costs = dict.fromkeys(free, 0.0)
    for (func, _), seconds in space.evaluator.per_stage(state).items():
        if func in costs:
            costs[func] += seconds
    ranked = sorted(free, key=lambda name: -costs[name])
    least = math.ceil(math.log2(len(free))) + (0 if space.options.freeze else FREE)
    total, seconds_free = sum(costs.values()), 0.0
    expensive: set[str] = set()
    most_expensive: set[str] = set()
    for name in ranked:
        if len(expensive) >= least and seconds_free >= SHARE * total:
            break
        expensive.add(name)
        if seconds_free < SHARE_OF_MOST_EXPENSIVE * total:
            most_expensive.add(name)
        seconds_free += costs[name]
    into = space.boxes.into(state)
    expensive.update(*[into[name] for name in most_expensive])
    return frozenset([name for name in free if name not in expensive and state[name].where is not Where.AT])
