"""What the machine can do: rates and latencies, shipped for a common core, measured on request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipec.autoschedule.dag import Operation


@dataclass(frozen=True)
class Machine:
    """One core's rates in cycles, sizes in bytes, bandwidths in bytes a second, the rest in seconds."""

    clock: float = 3.7e9
    threads: int = 2
    vector_bytes: int = 64
    registers: int = 32
    l1: float = 48 * 1024
    l2: float = 1024 * 1024
    l3: float = 32 * 1024 * 1024
    load: float = 0.5
    store: float = 1.0
    shuffle: float = 1.0
    gather: float = 1.0  # an element
    latency: float = 4.0  # of an arithmetic instruction
    iteration: float = 1.0  # of a loop
    l2_bandwidth: float = 100e9
    l3_bandwidth: float = 40e9
    dram_bandwidth: float = 20e9
    dram_bandwidth_all: float = 30e9
    fault: float = 0.25e-6  # for a page of 4096 bytes
    allocation: float = 0.05e-6
    launch: float = 1.0e-6
    task: float = 0.1e-6
    operations: Mapping[Operation, tuple[float, ...]] = field(default_factory=dict)
