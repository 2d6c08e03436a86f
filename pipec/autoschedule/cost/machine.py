"""The machine model: rates and latencies, shipped for a common core, measured on request."""

from __future__ import annotations

from collections.abc import Mapping

from pipec.autoschedule.dag.dag import Operation
from pipec.records import dataclass, field


def _operations() -> dict[int, tuple[float, ...]]:
    """Cycles of a native vector instruction: columns are TYPE_CLASSES (int8, 16, 32, 64, float16, 32, 64)."""
    return {
        Operation.ADD: (0.35, 0.35, 0.35, 0.35, 1.0, 0.5, 0.5),
        Operation.MULTIPLY: (2.0, 0.5, 0.7, 1.5, 1.0, 0.5, 0.5),
        Operation.DIVIDE: (60.0, 40.0, 30.0, 60.0, 10.0, 8.0, 13.0),
        Operation.COMPARE: (0.5, 0.5, 0.5, 0.5, 1.0, 0.5, 0.5),
        Operation.SHIFT: (1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5),
        Operation.CAST: (0.5, 0.5, 0.5, 0.5, 1.0, 0.5, 0.5),
        Operation.TRANSCENDENTAL: (20.0, 20.0, 20.0, 20.0, 20.0, 12.0, 50.0),
        Operation.OTHER: (10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0),
    }


@dataclass(frozen=True)
class MachineModel:
    """One core's rates in cycles, sizes in bytes, bandwidths in bytes a second, the rest in seconds."""

    clock: float = 4.0e9
    threads: int = 2
    vector_bytes: int = 64
    registers: int = 32
    l1: float = 48 * 1024
    l1_ways: float = 12
    l2_ways: float = 16
    l2: float = 1024 * 1024
    l3: float = 32 * 1024 * 1024
    pipes: float = 2.0  # vector instructions of one cycle of throughput that run at once
    alone: float = 1.0  # times the cycles of additions, or of multiplications, where there are no others to run beside
    divide: float = 1.0  # times the cycles of divisions
    load: float = 0.6  # of a vector
    load_scalar: float = 0.4
    store: float = 1.0  # of a vector
    store_scalar: float = 0.5
    scatter: float = 2.0  # an element
    scalar: float = 0.5  # arithmetic of one lane, beside that of a vector
    shuffle: float = 1.5
    gather: float = 1.2  # an element
    insert: float = 2.0  # an element that is loaded alone and put into a lane of a vector
    extract: float = 1.0  # a lane of coordinates that becomes an address, once for loads at constant distances
    stall: float = 3.0  # of a vector whose parts were just stored
    contested: float = 8.0  # of a store to a line that another core writes too
    latency: float = 3.0  # of an arithmetic instruction
    width: float = 6.0  # instructions that are started in a cycle
    in_flight: float = 320.0  # instructions that have been started and are not done
    iteration: float = 1.0  # of a loop
    entry: float = 1.5  # of a loop that begins
    window: float = 10.0  # of a sliding window that moves
    atomic: float = 20.0
    l2_bandwidth: float = 300e9
    # Cycles for a line alone, where nothing is fetched ahead.
    read_l2: float = 2.0
    read_l3: float = 10.0
    write_l2: float = 1.0
    write_l3: float = 10.0
    stretch: float = 40.0  # until what comes next is fetched ahead
    l3_bandwidth: float = 150e9
    dram_bandwidth: float = 55e9
    dram_bandwidth_all: float = 60e9
    allocation: float = 0.05e-6
    launch: float = 1.5e-6
    task: float = 0.05e-6
    operations: Mapping[int, tuple[float, ...]] = field(default_factory=_operations)

    @property
    def edge(self) -> float:
        """Cycles that a vector which reaches beyond the edge of an image takes more: selections, by masks of AVX-512
        or by comparisons."""
        return 2.0 if self.vector_bytes >= 64 else 6.0
