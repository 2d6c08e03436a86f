"""The features of one stage of a state, the input of every cost model, and the hand-made terms of its time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipec.autoschedule.cost.machine import MachineModel


class StageFeatures(NamedTuple):
    """One stage that is not inlined. Totals are over one run of the pipeline, recomputation and rounding included.

    A block is what remains when all loops of the nest are taken away; vectors are native ones (as many lanes as fill
    a register of the target), so one instruction on 64 lanes of 32 bits counts four times.
    """

    # how often
    realizations: float  # allocations of the Func
    productions: float  # runs of the stage's loops
    points: float  # points that are computed
    points_least: float  # points that would be if all was at root
    blocks: float  # blocks that are executed
    block_points: float  # points of a block
    block_vectors: float  # native vectors of values of a block
    lanes: float  # 1: scalar
    native_lanes: float
    trips_innermost: float  # of the loop around the block
    trips_reduction: float  # RVar iterations for one point
    iterations_innermost: float  # total, of the loop right around the blocks
    iterations_outer: float  # total, of all other loops
    # computation: native vector instructions (or scalar ones), in cycles of throughput
    cycles_add: float
    cycles_multiply: float
    cycles_divide: float
    cycles_compare: float
    cycles_shift: float
    cycles_cast: float
    cycles_transcendental: float
    cycles_other: float
    # accesses, of distinct elements within a block: native vectors, or elements
    loads_dense: float
    loads_broadcast: float
    loads_strided: float  # vectors that are loaded and shuffled for strides of 2 to 4
    loads_gathered: float  # elements
    loads_scalar: float
    loads_split: float  # lines that dense loads touch beyond one each
    stores_dense: float
    stores_scattered: float  # elements
    stores_scalar: float
    addresses: float  # lanes of computed coordinates that become addresses; of loads at constant distances once
    # registers, code, chains
    registers: float  # native vectors that live at once in a block
    spills: float  # total of vectors that are stored and reloaded
    code: float  # instructions of a block
    stalls: float  # total of vectors that are loaded just after parts of them were stored
    contested: float  # total of stores to lines that other threads write too
    windows: float  # productions that have to find out where the window stands
    chain_cycles: float  # total of cycles that iterations wait for the ones before
    atomics: float  # total
    # memory
    bytes_l2: float  # moved between L1 and L2
    bytes_l3: float  # between L2 and L3
    bytes_dram: float  # between L3 and memory
    lines_read_l2: float  # lines among those that are not neighbours of others
    lines_read_l3: float
    lines_written_l2: float
    lines_written_l3: float
    stretches: float  # of neighbouring lines, from beyond L2
    bytes_streamed: float  # stored past the cache
    allocations: float  # on the heap
    bytes_at_production: float
    bytes_at_realization: float
    bytes_at_root: float
    bytes_read_at_production: float  # distinct
    working_set: float  # bytes that one iteration at the Func's compute level touches
    # threads
    tasks: float  # of the parallel loops around the stage
    launches: float  # parallel loops that are started for this stage
    threads: float


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
    # Multiplications have units of their own, beside those of additions; most of the rest runs on all of them. A
    # division is one instruction of a unit that is busy for long, beside which all others go on.
    alone = np.where(f["lanes"] > 1, m.alone, 1.0)
    divisions = m.divide * f["cycles_divide"]
    heavy = alone * f["cycles_multiply"] + f["cycles_transcendental"] + f["cycles_other"]
    others = (everything - f["cycles_divide"]) / pipes
    arithmetic = np.maximum.reduce([alone * f["cycles_add"], heavy, divisions, others])
    loads = (
        m.load * (f["loads_dense"] + f["loads_broadcast"] + f["loads_split"])
        + m.load_scalar * f["loads_scalar"]
        + (m.load + m.shuffle) * f["loads_strided"]
        + m.gather * f["loads_gathered"]
        + m.extract * f["addresses"]
    )
    stores = m.store * f["stores_dense"] + m.store_scalar * f["stores_scalar"] + m.scatter * f["stores_scattered"]
    spills = (m.load + m.store) / 2 * f["spills"]
    instructions = (2 * everything + loads / m.load + stores / m.store + 2 * f["iterations_innermost"]) / m.width
    iterations = m.iteration * f["iterations_innermost"]
    core = share * cycle
    bandwidth = np.minimum(used * m.dram_bandwidth, m.dram_bandwidth_all)
    dram, streamed = f["bytes_dram"] / bandwidth, f["bytes_streamed"] / bandwidth
    l2, l3 = share * f["bytes_l2"] / m.l2_bandwidth, share * f["bytes_l3"] / m.l3_bandwidth
    begun = m.stretch * f["stretches"] * core  # which other work may hide, unlike jumps
    l3, dram = l3 + begun, dram + begun
    parts = [part * core for part in (arithmetic, loads, stores, f["chain_cycles"], instructions, iterations)]
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
