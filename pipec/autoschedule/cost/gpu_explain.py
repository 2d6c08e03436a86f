"""What a state for a GPU is expected to cost, kernel by kernel, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipec.autoschedule.cost.explain import shares, stage_text
from pipec.autoschedule.cost.gpu_kernel import KernelCost
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.emit.gpu.loops import group_of
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.features.gpu.kernel import Kernel
from pipec.autoschedule.space.gpu.nests import THREAD, is_single
from pipec.autoschedule.space.state import State

if TYPE_CHECKING:
    from pipec.autoschedule.cost.gpu import Group

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
        for kernel, taken, cost in group.kernels.values():
            nest = state[kernel.name[0]].nests[kernel.name[1]]
            shape = "one thread" if is_single(nest) else _shape(kernel, group_of(nest))
            text = f"{shape}, {taken.local} bytes of local memory" if taken.local else shape
            lines.append((cost.seconds, f"{stage_text(dag, kernel.name)}  {text}; {_reasons(cost)}{_inside(kernel)}"))
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
