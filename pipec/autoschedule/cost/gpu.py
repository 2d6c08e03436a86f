"""Costs of states for a GPU: kernels evaluated by what the device can do; the CPU's part by a guess."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pipec.autoschedule.cost.evaluator import Evaluator, Orders, StageName
from pipec.autoschedule.cost.explain import shares, stage_text
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.emit.gpu.loops import group_of
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.features.gpu.kernel import Kernel, kernel
from pipec.autoschedule.features.gpu.occupancy import Footing, active_blocks, footing, refusal
from pipec.autoschedule.features.gpu.work import PRIVATE_BYTES, Counter, Work
from pipec.autoschedule.space.gpu.boxes import Boxes
from pipec.autoschedule.space.gpu.nests import THREAD, is_single, on_gpu
from pipec.autoschedule.space.space import Space
from pipec.autoschedule.space.state import State
from pipec.records import dataclass, field

SHARE = 0.15
"""Of what is done beside that which takes longest: it is never hidden completely."""
LONG_CODE = 512.0
"""Instructions of a kernel that pipec, the device's compiler and the instruction cache take quickly."""
SPILL = 3.0
"""Accesses of a thread's own memory for each word that registers cannot hold."""


@dataclass(frozen=True)
class KernelCost:
    """Seconds of a kernel: `terms` by what takes them, as if each were alone; `stages`: of the whole, by stage.

    `patience`: by how much a kernel is made dearer whose code is so long that it would take seconds to compile.
    """

    seconds: float
    terms: Mapping[str, float]
    stages: Mapping[StageName, float]
    active: int
    patience: float


def cost(kernel: Kernel, works: Mapping[StageName, Work], found: Footing, device: GpuDevice) -> KernelCost:
    """What a kernel is expected to take."""
    active = active_blocks(found, device)
    # The unit with most blocks ends last.
    of_unit = max(1.0, kernel.blocks / device.units)
    waves = max(1.0, of_unit / active)
    clock = 1 / device.hertz
    spilled = max(0.0, found.registers - device.most_registers) * SPILL * kernel.threads * 4

    def total(name: str) -> float:
        return float(sum([getattr(work, name) for work in works.values()]))

    terms = {
        "arithmetic": of_unit * total("instructions") / device.issue * clock,
        "near": of_unit * (total("near") + spilled) / device.unit_bandwidth,
        "local": of_unit * total("local") * clock,
        "far": kernel.blocks * total("far") / device.l2_bandwidth,
        "memory": total("memory") / device.bandwidth,
        "waiting": waves * total("waiting") * clock,
        "atomics": total("atomics") * clock,
    }
    longest = max(terms.values())
    seconds = longest + SHARE * (sum(terms.values()) - longest) + device.launch
    patience = 1 + max(0.0, total("code") / LONG_CODE - 1)
    shares = {name: _share(work, device, of_unit, waves) for name, work in works.items()}
    whole = sum(shares.values()) or 1.0
    named = {**terms, "launches": device.launch}
    return KernelCost(
        seconds, named, {name: seconds * share / whole for name, share in shares.items()}, active, patience
    )


def _share(work: Work, device: GpuDevice, of_unit: float, waves: float) -> float:
    """How much of a kernel's time is due to one of its stages, in clocks."""
    busy = max(work.instructions / device.issue, work.near / (4 * device.banks), work.local)
    return of_unit * busy + waves * work.waiting + work.atomics + work.memory / device.bandwidth * device.hertz + 1.0


WORDS = {
    "arithmetic": "arithmetic",
    "near": "traffic with the nearest cache",
    "local": "local memory",
    "far": "traffic with the cache of the device",
    "memory": "traffic with memory",
    "waiting": "waiting for memory",
    "atomics": "atomic updates",
    "launches": "launching",
}


def explanation(dag: Dag, state: State, groups: Sequence[Group], device: GpuDevice) -> str:
    """A line for each kernel, the most expensive first: milliseconds, share, blocks, threads, what costs most."""
    lines: list[tuple[float, str]] = []
    for group in groups:
        for made, usage, estimate in group.kernels.values():
            nest = state[made.name[0]].nests[made.name[1]]
            shape = "one thread" if is_single(nest) else _shape(made, group_of(nest))
            text = f"{shape}, {usage.local} bytes of local memory" if usage.local else shape
            lines.append(
                (estimate.seconds, f"{stage_text(dag, made.name)}  {text}; {_reasons(estimate)}{_inside(made)}")
            )
        for name, seconds in group.on_cpu.items():
            why = "as you scheduled it" if dag.funcs[name[0]].fixed else "on the CPU: the device cannot compute it"
            lines.append((seconds, f"{stage_text(dag, name)}  {why}"))
    return shares(lines, state, f"in all, on {device.name}", "kernels")


def _shape(kernel: Kernel, group: Sequence[int]) -> str:
    return f"{kernel.blocks} blocks of {' x '.join(map(str, group)) or '1'} threads"


def _reasons(cost: KernelCost) -> str:
    named = sorted(cost.terms, key=lambda name: -cost.terms[name])[:2]
    return "mostly " + " and ".join(map(WORDS.__getitem__, named))


def _inside(kernel: Kernel) -> str:
    parts = [
        f"{name} in each {'thread' if member.level == THREAD else 'block'}" for name, member in kernel.members.items()
    ]
    return f"; {', '.join(parts)}" if parts else ""


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
