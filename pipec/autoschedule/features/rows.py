"""Rows of features of one group: its tree of loops, the blocks in them and the memory they touch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.dag.regions import extents
from pipec.autoschedule.features.accesses import GATHERABLE
from pipec.autoschedule.features.features import StageFeatures
from pipec.autoschedule.features.func_features import Operations, Order, Place, Placed, Places
from pipec.autoschedule.features.register_block import COUNTS
from pipec.autoschedule.features.traffic import (
    USABLE_CACHE_FRACTION,
    ArrayMemory,
    Cache,
    Footprints,
    Met,
    contested,
)
from pipec.autoschedule.space.loop_tree import StageName, StagePosition
from pipec.autoschedule.space.state import FuncPlacement, Nest
from pipec.jit.llvm.control import STACK_BUFFER_BYTES

MAX_STALLS = 2
MAX_FOLDED_INSTRUCTIONS = 2000
"""Instructions that LLVM carries out itself where it knows all operands."""
RESERVED_REGISTERS = 2


class GroupFeatures(NamedTuple):
    """The features of a root Func and all that is computed in its loops, one entry per stage."""

    names: list[StageName]
    features: list[StageFeatures]
    operations: list[Operations]


class Rows:
    """Computes the rows of groups; Funcs in places that groups share are computed once."""

    def __init__(self, dag: Dag, machine: MachineModel) -> None:
        self.dag, self.machine = dag, machine
        usable = USABLE_CACHE_FRACTION
        self.caches = [
            (
                Cache(machine.l1, usable * machine.l1, machine.l1_ways, copies=threads),
                Cache(machine.l2, usable * machine.l2, machine.l2_ways, copies=threads),
                Cache(machine.l3, usable * machine.l3, 0, sharers=threads),
            )
            for threads in range(1, dag.threads + 1)
        ]
        self.places = Places(dag, machine)

    def forget(self) -> None:
        """Clears the caches."""
        self.places.forget()

    def group(
        self,
        members: Sequence[str],
        placements: Mapping[str, FuncPlacement],
        into: Mapping[str, frozenset[str]],
        storage: Mapping[str, Order],
    ) -> GroupFeatures:
        """The rows of a root Func and of all that is computed in its loops (consumers first).

        `storage`: the orders in memory of those Funcs whose first argument is not the innermost dimension.
        """
        self.places.forget_many()
        places: dict[str, Place] = {}
        readers: dict[str, list[Placed]] = {name: [] for name in members}
        stages: list[Placed] = []
        for name in members:
            place = places[name] = self.places.place(name, placements[name], into[name], storage, places, readers[name])
            stages += [placed for placed in place.stages if not placed.stage.info.undefined]
            for placed in place.stages:
                for load in placed.view.needs:
                    if load in readers and load != name:
                        readers[load].append(placed)
        prints = [self._prints(placed, places, storage) for placed in stages]
        touched = _touched(prints)
        rows = [
            self._row(placed, own, own.enlarged(touched), own.met(earlier), places)
            for placed, own, earlier in zip(stages, prints, _earlier(stages, prints), strict=True)
        ]
        return GroupFeatures([placed.name for placed in stages], rows, [placed.view.operations for placed in stages])

    def _prints(self, placed: Placed, places: Mapping[str, Place], storage: Mapping[str, Order]) -> Footprints:
        arrays = [
            places[name].array if name in places else self.places.whole(name, storage.get(name, ()))
            for name in placed.view.needs
        ]
        # Arrays live as long as what is remembered of them.
        key = tuple(map(id, arrays))
        cached = placed.prints.get(key)
        if cached is None:
            named = dict(zip(placed.view.needs, arrays, strict=True))
            cached = placed.prints[key] = Footprints(placed.stage, placed.needs, named, placed.view.footprints)
        return cached

    def _fixed(self, placed: Placed, array: ArrayMemory) -> list[float]:
        """The row with zeros where the caches and other Funcs of the group matter."""
        stage, block, loops = placed.stage, placed.block, placed.loops
        member, nest, machine = stage.member, stage.nest, self.machine
        blocks = placed.blocks
        counts = [blocks * a + placed.entries * b for a, b in zip(block.each, block.once, strict=True)]
        if stage.alone and max(self.places.bytes[member.func.name]) < GATHERABLE:
            # Without an instruction for all lanes at once, no code is made for those that are known not to be needed.
            for place in ELEMENTS:
                counts[place] /= nest.lanes
        if _is_folded(stage, block.instructions * placed.blocks):
            for place in CYCLES:
                counts[place] = 0.0
        productions = stage.iterations[stage.depth]
        tasks, launches = _tasks(stage)
        spilled = max(0.0, block.registers + RESERVED_REGISTERS - machine.registers)
        stack = member.depth and array.total <= STACK_BUFFER_BYTES
        reduced = [d for d, loop in enumerate(stage.info.loops) if loop.reduction]
        atomic = blocks * block.vectors if nest.atomic and any(d in nest.parallel for d in reduced) else 0
        row = StageFeatures(
            realizations=member.iterations[member.store],
            productions=productions,
            points=blocks * block.points,
            points_least=float(math.prod([loop.extent for loop in stage.info.loops])) * stage.info.share,
            blocks=blocks,
            block_points=block.points,
            block_vectors=block.vectors,
            lanes=nest.lanes,
            native_lanes=machine.vector_bytes / max(1, max(self.places.bytes[member.func.name])),
            trips_innermost=loops[0][1] if loops else 1.0,
            trips_reduction=math.prod([stage.info.loops[d].extent for d in reduced]),
            iterations_innermost=blocks,
            iterations_outer=placed.outer,
            **dict(zip(COLUMNS, counts, strict=True)),
            registers=block.registers,
            spills=2 * spilled * blocks,
            code=block.instructions,
            contested=contested(stage, array) * sum(counts[place] for place in STORES) if self.dag.threads > 1 else 0.0,
            windows=productions if member.slid else 0.0,
            chain_cycles=blocks * block.chain,
            atomics=float(atomic),
            allocations=0.0 if stack or not member.depth else float(_allocations(stage, tasks)),
            bytes_at_production=float(array.bytes * math.prod(extents(member.boxes[-1]))),
            bytes_at_realization=array.total,
            bytes_at_root=float(array.bytes * math.prod(member.func.extent)),
            tasks=tasks,
            launches=launches,
            threads=float(self.dag.threads),
            **dict.fromkeys(VARYING, 0.0),
        )
        return list(row)

    def _row(
        self, placed: Placed, prints: Footprints, working: tuple[float, ...], met: Met, places: Mapping[str, Place]
    ) -> StageFeatures:
        stalls = self._stalls(placed, places)
        row = prints.rows.get((stalls, working, met))
        if row is None:
            placed.fixed = placed.fixed or self._fixed(placed, places[placed.name[0]].array)
            values = placed.fixed.copy()
            for place, value in zip(VARYING.values(), self._varying(placed, prints, working, met), strict=True):
                values[place] = value
            values[STALLS] = stalls
            row = prints.rows[stalls, working, met] = StageFeatures._make(values)
        return row

    def _varying(self, placed: Placed, prints: Footprints, working: tuple[float, ...], met: Met) -> tuple[float, ...]:
        """The columns VARYING but for the stalls."""
        name = placed.name[0]
        l2, l3, dram = [prints.moved(cache, name, working, met) for cache in self._caches(placed.stage)]
        streamed = prints.bytes[name][-1] if prints.arrays[name].streamed else 0.0
        production = _outermost(prints, placed.stage.depth)
        return (
            0.0,
            l2.bytes,
            l3.bytes,
            dram.bytes,
            l2.lines_read,
            l3.lines_read,
            l2.lines_written,
            l3.lines_written,
            l3.stretches,
            streamed,
            sum([sizes[production] for other, sizes in prints.bytes.items() if other != name]),
            working[production],
        )

    def _caches(self, stage: StagePosition) -> tuple[Cache, ...]:
        """Returns the caches for as many threads as run the stage."""
        tasks, _ = _tasks(stage)
        return self.caches[min(self.dag.threads, int(tasks)) - 1]

    def _stalls(self, placed: Placed, places: Mapping[str, Place]) -> float:
        """Vectors that were stored a moment ago, but not as they are loaded: they wait for the cache.

        After a few of them the stores are done.
        """
        total, waits, moments, own, blocks = 0.0, 0.0, 0.0, placed.name[0], placed.blocks
        for name, number in placed.block.unaligned:
            if not number:
                continue
            if name == own:
                total += number * blocks
            elif name in places and (member := places[name].member).depth:
                share = math.prod(extents(member.boxes[-1])) / math.prod(extents(member.whole))
                waits, moments = waits + number * share * blocks, max(moments, member.iterations[-1])
        return total + min(waits, MAX_STALLS * moments)


def _is_folded(stage: StagePosition, instructions: float) -> bool:
    """Whether LLVM calculates all values: each production has the same few, at constant places."""
    info, member = stage.info, stage.member
    return (
        info.position_only
        and instructions <= MAX_FOLDED_INSTRUCTIONS * stage.iterations[stage.depth]
        and all(member.func.settled(info, d) for d in range(len(info.loops)))
        and math.prod(extents(member.boxes[-1])) == math.prod(member.func.extent)
    )


def _earlier(stages: Sequence[Placed], prints: Sequence[Footprints]) -> list[list[Footprints]]:
    """For each stage of a group (consumers first) those that run before it: of producers, and its Func's earlier."""
    result = []
    for number, placed in enumerate(stages):
        own = placed.name[0]
        before = [k for k, other in enumerate(stages) if (k < number if other.name[0] == own else k > number)]
        result.append([prints[k] for k in before])
    return result


def _touched(prints: Sequence[Footprints]) -> dict[tuple[StageName, int], float]:
    """Returns the memory that one iteration at each compute level touches, all stages together."""
    nest_levels: dict[tuple[StageName, int], dict[str, float]] = {}
    for own in prints:
        own.share(nest_levels)
    return {nest_level: sum(sizes.values()) for nest_level, sizes in nest_levels.items()}


_NAMES = {
    "dense": "loads_dense",
    "broadcast": "loads_broadcast",
    "strided": "loads_strided",
    "gathered": "loads_gathered",
    "scalar": "loads_scalar",
    "split": "loads_split",
    "stored": "stores_dense",
    "scattered": "stores_scattered",
    "stored_scalar": "stores_scalar",
    "addresses": "addresses",
}
COLUMNS = tuple([_NAMES.get(name, f"cycles_{name}") for name in COUNTS])
"""The features that are counts of a block."""
STORES = [place for place, name in enumerate(COLUMNS) if name.startswith("stores_")]
CYCLES = [place for place, name in enumerate(COLUMNS) if name.startswith("cycles_")]
ELEMENTS = [COLUMNS.index(name) for name in ("loads_gathered", "addresses", "stores_scattered")]
VARYING = {
    name: StageFeatures._fields.index(name)
    for name in (
        "stalls",
        "bytes_l2",
        "bytes_l3",
        "bytes_dram",
        "lines_read_l2",
        "lines_read_l3",
        "lines_written_l2",
        "lines_written_l3",
        "stretches",
        "bytes_streamed",
        "bytes_read_at_production",
        "working_set",
    )
}
"""Where in a row that is which depends on the group."""
STALLS = VARYING["stalls"]


def _tasks(stage: StagePosition) -> tuple[float, float]:
    """Tasks of the parallel loops around a stage, and how many parallel loops it starts itself."""
    around, level = stage.member.nest_levels[0] if stage.member.nest_levels else (stage, 0)
    nest: Nest = around.nest
    tasks = math.prod(around.trips[0][d] for d in nest.parallel)
    return float(tasks), 1.0 if around is stage and nest.parallel else 0.0


def _allocations(stage: StagePosition, tasks: float) -> float:
    """Blocks from the heap: those of serial loops are allocated once around them."""
    member = stage.member
    return min(tasks, member.iterations[member.store]) if stage.info.number == 0 else 0.0


def _outermost(prints: Footprints, depth: int) -> int:
    """The number of the loop that covers one production."""
    for number, level in enumerate(prints.levels):
        if 0 <= level.depth <= depth:
            return number
    return len(prints.levels) - 1
