"""The cost of a kernel: which of the things that go on at once takes longest, and a share of the others.

An analytic model in the manner of Hong and Kim, "An analytical model for a GPU architecture with memory-level and
thread-level parallelism awareness" (ISCA 2009), and of the roofline; what warps wait for is hidden by other blocks.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.features.gpu.kernel import Kernel
from pipec.autoschedule.features.gpu.occupancy import Footing, active_blocks
from pipec.autoschedule.features.gpu.work import Work
from pipec.autoschedule.space.gpu.boxes import StageName
from pipec.records import dataclass

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
