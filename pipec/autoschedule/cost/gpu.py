"""Costs of states for a GPU: kernels evaluated by what the device can do; the CPU's part by a guess."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pipec.autoschedule.cost.evaluator import Evaluator, Orders, StageName
from pipec.autoschedule.cost.gpu_explain import explanation
from pipec.autoschedule.cost.gpu_kernel import KernelCost, cost
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.emit.gpu.loops import group_of
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.features.gpu.kernel import Kernel, kernel
from pipec.autoschedule.features.gpu.occupancy import Footing, footing, refusal
from pipec.autoschedule.features.gpu.work import PRIVATE_BYTES, Counter
from pipec.autoschedule.space.gpu.boxes import Boxes
from pipec.autoschedule.space.gpu.nests import on_gpu
from pipec.autoschedule.space.space import Space
from pipec.autoschedule.space.state import State
from pipec.records import dataclass, field

CPU_OPERATIONS = 2e9
"""Operations in a second of the CPU that runs what the GPU cannot."""


@dataclass(frozen=True, eq=False)
class Group:
    """A root Func: a kernel for each stage that runs on the GPU, seconds for the others; why one cannot run."""

    kernels: Mapping[StageName, tuple[Kernel, Footing, KernelCost]]
    on_cpu: Mapping[StageName, float]
    refusals: Sequence[str] = field(default_factory=tuple)

    @property
    def seconds(self) -> float:
        """The estimated seconds of all kernels and of the CPU's part; infinite when the device cannot run a kernel."""
        if self.refusals:
            return math.inf
        return sum([found.seconds * found.patience for _, _, found in self.kernels.values()]) + sum(
            self.on_cpu.values()
        )


class GpuEvaluator(Evaluator[Group]):
    """Costs complete states for one device."""

    def __init__(self, dag: Dag, device: GpuDevice, boxes: Boxes, space: Space) -> None:
        super().__init__(dag, space)
        self.device, self.boxes = device, boxes
        self._counters: dict[frozenset[tuple[str, tuple[int, ...]]], Counter] = {}

    def group(self, members: Sequence[str], state: State, into: Mapping[str, frozenset[str]], storage: Orders) -> Group:
        """Returns the kernels of a root Func and all that is computed in its loops."""
        root = members[0]
        kernels: dict[StageName, tuple[Kernel, Footing, KernelCost]] = {}
        on_cpu: dict[StageName, float] = {}
        refusals: list[str] = []
        for number, nest in enumerate(state[root].nests):
            if self.dag.funcs[root].fixed:
                on_cpu[root, number] = 0.0
            elif not on_gpu(nest):
                on_cpu[root, number] = self._on_cpu(root, number)
            else:
                self._kernel(state, (root, number), members, storage, kernels, refusals)
        return Group(kernels, on_cpu, refusals)

    def evaluated(self, new: Sequence[Group]) -> list[float]:
        """Returns the estimated seconds of each group."""
        return [group.seconds for group in new]

    def per_stage(self, state: State) -> dict[StageName, float]:
        """Returns the estimated seconds of each stage."""
        found: dict[StageName, float] = {}
        for group in self.groups(state):
            found |= group.on_cpu
            for _, _, of_kernel in group.kernels.values():
                found |= of_kernel.stages
        return found

    def explain(self, state: State) -> str:
        """Returns the estimated cost of each kernel and its reasons as text."""
        return explanation(self.dag, state, self.groups(state), self.device)

    def refusals(self, state: State) -> list[str]:
        """What the device cannot run of a state."""
        return [text for group in self.groups(state) for text in group.refusals]

    def _kernel(
        self,
        state: State,
        name: StageName,
        members: Sequence[str],
        storage: Orders,
        kernels: dict[StageName, tuple[Kernel, Footing, KernelCost]],
        refusals: list[str],
    ) -> None:
        made = kernel(self.dag, self.boxes, state, *name, members, self.device.lanes)
        counter = self._counter(storage)
        works = {stage.name: counter.work(made, stage) for stage in made.stages}
        sizes = {member: counter.array(made, member).total for member in made.members}
        own = sum([size for member, size in sizes.items() if counter.array(made, member).place == "private"])
        registers = max([work.registers for work in works.values()]) + min(own, PRIVATE_BYTES) / 4
        found = footing(made, sizes, registers)
        why = refusal(found, group_of(state[name[0]].nests[name[1]]), self.device)
        if why is not None:
            refusals.append(f"{name[0]}: stage {name[1]}: {why}")
        kernels[name] = made, found, cost(made, works, found, self.device)

    def _counter(self, storage: Orders) -> Counter:
        key = frozenset(storage.items())
        found = self._counters.get(key)
        if found is None:
            if len(self._counters) > 1000:
                self._counters.clear()
            found = self._counters[key] = Counter(self.dag, self.boxes, self.device, storage)
        return found

    def _on_cpu(self, root: str, number: int) -> float:
        """Seconds of a stage on the CPU, and of bringing there what it reads and back what it writes."""
        func = self.dag.funcs[root]
        stage = func.stages[number]
        moved = math.prod(func.extent) * func.bytes_per_point
        for name in dict.fromkeys([load.name for load in stage.loads if load.name in self.dag.funcs]):
            other = self.dag.funcs[name]
            moved += math.prod(other.extent) * other.bytes_per_point
        points = math.prod([loop.extent for loop in stage.loops])
        operations = sum(map(sum, stage.operations)) + sum([load.count for load in stage.loads]) + 1
        return points * operations / CPU_OPERATIONS + moved / self.device.transfer
