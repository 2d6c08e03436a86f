"""Costs of states for a GPU: kernels evaluated by what the device can do; the CPU's part by a guess."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pipec.autoschedule.cost.evaluator import Evaluator, Orders, StageName
from pipec.autoschedule.cost.explain import shares, stage_text
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.emit.gpu import group_of
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.features.gpu.kernel import KernelState, kernel
from pipec.autoschedule.features.gpu.work import PRIVATE_BYTES, Work, WorkCounter
from pipec.autoschedule.space.gpu.boxes import Boxes
from pipec.autoschedule.space.gpu.nests import THREAD, is_single, on_gpu
from pipec.autoschedule.space.space import Space
from pipec.autoschedule.space.state import State
from pipec.records import dataclass, field


@dataclass(frozen=True)
class Footing:
    """`local` and `private`: bytes of a block, and of a thread, for the Funcs that are computed there."""

    threads: int
    local: int
    private: int
    registers: float


def footing(kernel: KernelState, sizes: dict[str, int], registers: float) -> Footing:
    """`sizes`: bytes of what is computed at once of each Func in the kernel."""
    local = sum([sizes[name] for name, member in kernel.members.items() if member.level != THREAD])
    own = sum([sizes[name] for name, member in kernel.members.items() if member.level == THREAD])
    return Footing(kernel.threads, local, own, registers)


def refusal(usage: Footing, group: tuple[int, ...], device: GpuDevice) -> str | None:
    """Why a device can't run a kernel; None when it can."""
    if usage.threads > device.max_threads:
        return f"its blocks have {usage.threads} threads, more than {device.max_threads}"
    if any(size > most for size, most in zip(group, device.max_threads_of_axes, strict=False)):
        return f"its blocks of {group} threads are longer than {device.max_threads_of_axes}"
    if usage.local > device.local_bytes:
        return f"its blocks need {usage.local} bytes of local memory, more than {device.local_bytes}"
    if usage.private > device.private_bytes:
        return f"its threads need {usage.private} bytes each, more than {device.private_bytes}"
    return None


def active_blocks(usage: Footing, device: GpuDevice) -> int:
    """The blocks that a unit holds at once: at least one, with fewer registers if need be."""
    threads = math.ceil(usage.threads / device.lanes) * device.lanes
    registers = min(usage.registers, device.max_registers) * threads
    limits = [device.blocks_of_unit, device.threads_of_unit // threads, int(device.registers_of_unit / registers)]
    if usage.local:
        limits.append(device.local_bytes_of_unit // usage.local)
    return max(1, min(limits))


SHARE = 0.15
"""Of what is done beside that which takes longest: it is never hidden completely."""
LONG_CODE = 512.0
"""Instructions of a kernel that pipec, the device's compiler and the instruction cache take quickly."""
SPILL = 3.0
"""Accesses of a thread's own memory for each word that registers cannot hold."""


@dataclass(frozen=True)
class KernelCost:
    """Seconds of a kernel: `terms` by what takes them, as if each were alone; `stages`: of the whole, by stage.

    `patience`: the factor on the cost of a kernel for code so long that it takes seconds to compile.
    """

    seconds: float
    terms: Mapping[str, float]
    stages: Mapping[StageName, float]
    active: int
    patience: float


def cost(kernel: KernelState, works: Mapping[StageName, Work], footing: Footing, device: GpuDevice) -> KernelCost:
    """Returns the estimated seconds of a kernel."""
    active = active_blocks(footing, device)
    # The unit with most blocks ends last.
    of_unit = max(1.0, kernel.blocks / device.units)
    waves = max(1.0, of_unit / active)
    clock = 1 / device.hertz
    spilled = max(0.0, footing.registers - device.max_registers) * SPILL * kernel.threads * 4

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
    """Returns the clocks of a kernel's time that are due to one of its stages."""
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


def explanation(dag: Dag, state: State, groups: Sequence[KernelGroup], device: GpuDevice) -> str:
    """A line for each kernel, the most expensive first: milliseconds, share, blocks, threads, what costs most."""
    lines: list[tuple[float, str]] = []
    for group in groups:
        for own, usage, estimate in group.kernels.values():
            nest = state[own.name[0]].nests[own.name[1]]
            shape = "one thread" if is_single(nest) else _shape(own, group_of(nest))
            text = f"{shape}, {usage.local} bytes of local memory" if usage.local else shape
            lines.append((estimate.seconds, f"{stage_text(dag, own.name)}  {text}; {_reasons(estimate)}{_inside(own)}"))
        for name, seconds in group.on_cpu.items():
            why = "as you scheduled it" if dag.funcs[name[0]].fixed else "on the CPU: the device cannot compute it"
            lines.append((seconds, f"{stage_text(dag, name)}  {why}"))
    return shares(lines, state, f"in all, on {device.name}", "kernels")


def _shape(kernel: KernelState, group: Sequence[int]) -> str:
    return f"{kernel.blocks} blocks of {' x '.join(map(str, group)) or '1'} threads"


def _reasons(cost: KernelCost) -> str:
    named = sorted(cost.terms, key=lambda name: -cost.terms[name])[:2]
    return "mostly " + " and ".join(map(WORDS.__getitem__, named))


def _inside(kernel: KernelState) -> str:
    parts = [
        f"{name} in each {'thread' if member.level == THREAD else 'block'}" for name, member in kernel.members.items()
    ]
    return f"; {', '.join(parts)}" if parts else ""


CPU_OPERATIONS = 2e9
"""Operations in a second of the CPU that runs what the GPU cannot."""


@dataclass(frozen=True, eq=False)
class KernelGroup:
    """A root Func: a kernel for each stage that runs on the GPU, seconds for the others; why one cannot run."""

    kernels: Mapping[StageName, tuple[KernelState, Footing, KernelCost]]
    on_cpu: Mapping[StageName, float]
    refusals: Sequence[str] = field(default_factory=tuple)

    @property
    def seconds(self) -> float:
        """The estimated seconds of all kernels and of the CPU's part; infinite when the device cannot run a kernel."""
        if self.refusals:
            return math.inf
        return sum([estimate.seconds * estimate.patience for _, _, estimate in self.kernels.values()]) + sum(
            self.on_cpu.values()
        )


class GpuEvaluator(Evaluator[KernelGroup]):
    """Costs complete states for one device."""

    def __init__(self, dag: Dag, device: GpuDevice, boxes: Boxes, space: Space) -> None:
        super().__init__(dag, space)
        self.device, self.boxes = device, boxes
        self._counters: dict[frozenset[tuple[str, tuple[int, ...]]], WorkCounter] = {}

    def group(
        self, members: Sequence[str], state: State, into: Mapping[str, frozenset[str]], storage: Orders
    ) -> KernelGroup:
        """Returns the kernels of a root Func and all that is computed in its loops."""
        root = members[0]
        kernels: dict[StageName, tuple[KernelState, Footing, KernelCost]] = {}
        on_cpu: dict[StageName, float] = {}
        refusals: list[str] = []
        for number, nest in enumerate(state[root].nests):
            if self.dag.funcs[root].fixed:
                on_cpu[root, number] = 0.0
            elif not on_gpu(nest):
                on_cpu[root, number] = self._on_cpu(root, number)
            else:
                self._kernel(state, (root, number), members, storage, kernels, refusals)
        return KernelGroup(kernels, on_cpu, refusals)

    def evaluated(self, new: Sequence[KernelGroup]) -> list[float]:
        """Returns the estimated seconds of each group."""
        return [group.seconds for group in new]

    def per_stage(self, state: State) -> dict[StageName, float]:
        """Returns the estimated seconds of each stage."""
        seconds: dict[StageName, float] = {}
        for group in self.groups(state):
            seconds |= group.on_cpu
            for _, _, of_kernel in group.kernels.values():
                seconds |= of_kernel.stages
        return seconds

    def explain(self, state: State) -> str:
        """Returns the estimated cost of each kernel and its reasons as text."""
        return explanation(self.dag, state, self.groups(state), self.device)

    def refusals(self, state: State) -> list[str]:
        """Returns a reason for each part of a state that the device cannot run."""
        return [text for group in self.groups(state) for text in group.refusals]

    def _kernel(
        self,
        state: State,
        name: StageName,
        members: Sequence[str],
        storage: Orders,
        kernels: dict[StageName, tuple[KernelState, Footing, KernelCost]],
        refusals: list[str],
    ) -> None:
        new = kernel(self.dag, self.boxes, state, *name, members, self.device.lanes)
        counter = self._counter(storage)
        works = {stage.name: counter.work(new, stage) for stage in new.stages}
        sizes = {member: counter.array(new, member).total for member in new.members}
        own = sum([size for member, size in sizes.items() if counter.array(new, member).place == "private"])
        registers = max([work.registers for work in works.values()]) + min(own, PRIVATE_BYTES) / 4
        usage = footing(new, sizes, registers)
        why = refusal(usage, group_of(state[name[0]].nests[name[1]]), self.device)
        if why is not None:
            refusals.append(f"{name[0]}: stage {name[1]}: {why}")
        kernels[name] = new, usage, cost(new, works, usage, self.device)

    def _counter(self, storage: Orders) -> WorkCounter:
        key = frozenset(storage.items())
        counter = self._counters.get(key)
        if counter is None:
            if len(self._counters) > 1000:
                self._counters.clear()
            counter = self._counters[key] = WorkCounter(self.dag, self.boxes, self.device, storage)
        return counter

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
