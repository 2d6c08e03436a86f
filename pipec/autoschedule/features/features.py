"""The features of one stage of a state: the input of every cost model."""

from __future__ import annotations

from typing import NamedTuple


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
    working_set: float  # bytes that one iteration at the Func's site touches
    # threads
    tasks: float  # of the parallel loops around the stage
    launches: float  # parallel loops that are started for this stage
    threads: float
