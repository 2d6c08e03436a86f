"""Hand-made terms of a stage's time: non-negative, in seconds, from features. A cost model only costs them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.features.features import StageFeatures

Array = NDArray[np.float64]

TERMS = (
    *(
        "bound",
        "arithmetic",
        "loads",
        "stores",
        "chain",
        "instructions",
        "iterations",
        "spills",
        "stalls",
        "contested",
        "outer",
        "entries",
        "windows",
    ),
    *("l2", "l3", "dram", "streamed", "jumps", "tasks", "launches", "allocations", "atomics", "code"),
)
"""`bound` is the longest of those that run side by side (arithmetic, loads, stores, chain, l2, l3, dram); the others
are each of them alone, of which a part adds to it."""

SCALAR_PIPES = 2.0
"""The same as `pipes` for instructions on single values, which have units of their own."""
CODE = 1500.0
"""Instructions of a block from which on it is too long for the caches of instructions."""


def terms(features: Array, machine: MachineModel) -> Array:
    """[rows, TERMS] from [rows, StageFeatures]."""
    f = dict(zip(StageFeatures._fields, features.T, strict=True))
    m = machine
    cycle = 1 / m.clock
    waves = np.ceil(f["tasks"] / f["threads"])
    share = waves / f["tasks"]  # of the work that the busiest thread does
    used = 1 / share
    everything = sum(f[name] for name in StageFeatures._fields if name.startswith("cycles_"))
    pipes = np.where(f["lanes"] > 1, m.pipes, np.maximum(m.pipes, SCALAR_PIPES))
    # Multiplications have units of their own, beside those of additions; most of the rest runs on all of them.
    heavy = f["cycles_multiply"] + f["cycles_divide"] + f["cycles_transcendental"] + f["cycles_other"]
    arithmetic = np.maximum(np.maximum(f["cycles_add"], heavy), everything / pipes)
    loads = (
        m.load * (f["loads_dense"] + f["loads_broadcast"] + f["loads_scalar"] + f["loads_split"])
        + (m.load + m.shuffle) * f["loads_strided"]
        + m.gather * f["loads_gathered"]
    )
    stores = m.store * f["stores_dense"] + m.store_scalar * f["stores_scalar"] + m.scatter * f["stores_scattered"]
    spills = (m.load + m.store) / 2 * f["spills"]
    instructions = (2 * everything + loads / m.load + stores + 2 * f["iterations_innermost"]) / m.width
    iterations = m.iteration * f["iterations_innermost"]
    core = share * cycle
    bandwidth = np.minimum(used * m.dram_bandwidth, m.dram_bandwidth_all)
    dram, streamed = f["bytes_dram"] / bandwidth, f["bytes_streamed"] / bandwidth
    l2, l3 = share * f["bytes_l2"] / m.l2_bandwidth, share * f["bytes_l3"] / m.l3_bandwidth
    l3 = l3 + m.stretch * f["stretches"] * core  # which other work may hide, unlike jumps
    parts = [
        arithmetic * core,
        loads * core,
        stores * core,
        f["chain_cycles"] * core,
        instructions * core,
        iterations * core,
    ]
    bound = np.maximum.reduce([*parts, l2, l3, dram + streamed])
    jumps = (
        m.read_l2 * f["lines_read_l2"]
        + m.read_l3 * f["lines_read_l3"]
        + m.write_l2 * f["lines_written_l2"]
        + m.write_l3 * f["lines_written_l3"]
    )
    code = np.maximum(0.0, f["code"] - CODE) * f["blocks"] * core
    columns = [
        bound,
        *parts,
        spills * core,
        m.stall * f["stalls"] * core,
        m.contested * f["contested"] * core,
        m.iteration * f["iterations_outer"] * core,
        m.entry * (f["productions"] + f["iterations_innermost"] / np.maximum(1.0, f["trips_innermost"])) * core,
        m.window * f["windows"] * core,
        l2,
        l3,
        dram,
        streamed,
        jumps * core,
        m.task * f["tasks"] * (f["launches"] > 0) * share,
        m.launch * f["launches"],
        m.allocation * f["allocations"] * share,
        m.atomic * f["atomics"] * core,
        code,
    ]
    return np.stack(columns, 1)
