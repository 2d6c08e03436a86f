"""How many blocks of a kernel a unit of a device holds at once, and what no device of the kind can run."""

from __future__ import annotations

import math

from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.features.gpu.kernel import Kernel
from pipec.autoschedule.space.gpu.nests import THREAD
from pipec.records import dataclass


@dataclass(frozen=True)
class Footing:
    """`local` and `private`: bytes of a block, and of a thread, for the Funcs that are computed there."""

    threads: int
    local: int
    private: int
    registers: float


def footing(kernel: Kernel, sizes: dict[str, int], registers: float) -> Footing:
    """`sizes`: bytes of what is computed at once of each Func in the kernel."""
    local = sum([sizes[name] for name, member in kernel.members.items() if member.level != THREAD])
    own = sum([sizes[name] for name, member in kernel.members.items() if member.level == THREAD])
    return Footing(kernel.threads, local, own, registers)


def refusal(found: Footing, group: tuple[int, ...], device: GpuDevice) -> str | None:
    """Why a device can't run a kernel; None when it can."""
    if found.threads > device.most_threads:
        return f"its blocks have {found.threads} threads, more than {device.most_threads}"
    if any(size > most for size, most in zip(group, device.most_threads_of_axes, strict=False)):
        return f"its blocks of {group} threads are longer than {device.most_threads_of_axes}"
    if found.local > device.local_bytes:
        return f"its blocks need {found.local} bytes of local memory, more than {device.local_bytes}"
    if found.private > device.private_bytes:
        return f"its threads need {found.private} bytes each, more than {device.private_bytes}"
    return None


def active_blocks(found: Footing, device: GpuDevice) -> int:
    """The blocks that a unit holds at once: at least one, with fewer registers if need be."""
    threads = math.ceil(found.threads / device.lanes) * device.lanes
    registers = min(found.registers, device.most_registers) * threads
    limits = [device.blocks_of_unit, device.threads_of_unit // threads, int(device.registers_of_unit / registers)]
    if found.local:
        limits.append(device.local_bytes_of_unit // found.local)
    return max(1, min(limits))
