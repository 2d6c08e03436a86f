"""The work of a kernel's stages: instructions, traffic with each memory, latency, registers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from pipec.autoschedule.dag.dag import TYPE_CLASSES, Access, Dag, Operation
from pipec.autoschedule.dag.operations import Counts
from pipec.autoschedule.dag.regions import Box, extents
from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.features.gpu.kernel import KernelStage, KernelState
from pipec.autoschedule.space.gpu.boxes import Boxes
from pipec.autoschedule.space.gpu.nests import THREAD
from pipec.records import dataclass, replace

WORD = 4
"""Bytes of a word of local memory."""


@lru_cache(maxsize=100_000)
def sectors(group: tuple[int, ...], steps: tuple[float, ...], size: int, lanes: int, sector: int) -> int:
    """Pieces of `sector` bytes that the lanes of a warp touch.

    `group`: threads of a block by dimension; `steps`: elements between neighbours in each; `size`: bytes of an element.
    """
    return len({int(place) * size // sector for place in _places(group, steps, lanes)})


@lru_cache(maxsize=100_000)
def conflicts(group: tuple[int, ...], steps: tuple[float, ...], size: int, lanes: int, banks: int) -> int:
    """Returns the accesses of local memory until every lane has its element: a bank delivers one word at a time."""
    words_of: dict[int, set[int]] = {}
    for place in _places(group, steps, lanes):
        word = int(place) * size // WORD
        words_of.setdefault(word % banks, set()).add(word)
    return max(map(len, words_of.values())) * max(1, size // WORD)


def _places(group: Sequence[int], steps: Sequence[float], lanes: int) -> list[float]:
    """The elements of the first warp, in the middle of a long row so that rounding down shows."""
    places = []
    threads = 1
    for size in group:
        threads *= size
    for lane in range(min(lanes, threads)):
        place, rest = 0.0, lane
        for size, step in zip(group, steps, strict=True):
            place += step * (rest % size)
            rest //= size
        places.append(place + 1e-6)
    return places


INSTRUCTIONS = {
    Operation.ADD: 1.0,
    Operation.MULTIPLY: 1.0,
    Operation.DIVIDE: 10.0,
    Operation.COMPARE: 1.0,
    Operation.SHIFT: 1.0,
    Operation.CAST: 1.0,
    Operation.TRANSCENDENTAL: 16.0,
    Operation.OTHER: 20.0,
}
LINE = 128
"""Bytes that the nearest cache delivers at once."""
ADDRESS = 2.0
"""Instructions for the address of an access that is not known when the kernel is compiled."""
TURN = 3.0
"""Instructions for a turn of a loop."""
OVERLAPPING = 4.0
"""Iterations of a loop whose loads overlap, where none depends on the one before."""
PRIVATE_BYTES = 256
"""Of a thread's own memory that registers can hold."""
BASE_REGISTERS = 20.0
LIVE = 0.5
"""Of the values of an inlined Func, the share that is kept at once for others to read."""


@dataclass
class Work:
    """The work of one stage in a block, unless noted otherwise. `instructions`: of warps. Bytes: `near` between a unit
    and its nearest cache, `far` with the cache of the whole device, `memory` with global memory, of the whole kernel.
    `local`: turns of local memory. `waiting`: clocks that a thread waits for results. `atomics`: of the whole kernel,
    in clocks. `registers`: of a thread; `code`: instructions of its straight code.
    """

    instructions: float = 0.0
    near: float = 0.0
    far: float = 0.0
    memory: float = 0.0
    local: float = 0.0
    waiting: float = 0.0
    atomics: float = 0.0
    registers: float = 0.0
    code: float = 0.0


@dataclass(frozen=True)
class ArrayLayout:
    """The memory layout of a Func or image. `place`: global, cached (small and just written), local or private."""

    extents: tuple[int, ...]
    order: tuple[int, ...]
    bytes: int
    place: str
    parts: int = 1  # elements of a Tuple lie in arrays of their own

    @cached_property
    def pitches(self) -> list[int]:
        """Returns the stride of each dimension, in elements."""
        pitches, pitch = [1] * len(self.extents), 1
        for d in self.order:
            pitches[d] = pitch
            pitch *= self.extents[d]
        return pitches

    @cached_property
    def total(self) -> int:
        """The bytes of the whole array."""
        return math.prod(self.extents) * self.bytes * self.parts


class WorkCounter:
    """Counts the work of stages. `storage`: orders in memory other than that of the arguments."""

    def __init__(self, dag: Dag, boxes: Boxes, device: GpuDevice, storage: Mapping[str, tuple[int, ...]]) -> None:
        self.dag, self.boxes, self.device, self.storage = dag, boxes, device, storage
        self._whole: dict[str, ArrayLayout] = {}
        self._counts_memo: dict[int, tuple[Counts, float]] = {}

    def array(self, kernel: KernelState, name: str) -> ArrayLayout:
        """Returns the memory from which a kernel reads a Func or an image."""
        whole = self._whole.get(name)
        if whole is None:
            whole = self._whole[name] = self._of_device(name)
        member = kernel.members.get(name)
        if member is None:
            return whole
        place = "private" if member.level == THREAD else "local"
        return ArrayLayout(member.own.extents, whole.order, whole.bytes, place, whole.parts)

    def _of_device(self, name: str) -> ArrayLayout:
        image = self.dag.images.get(name)
        if image is not None:
            return ArrayLayout(tuple(image.extent), self.dag.order(name), image.bytes_per_point, "global")
        func = self.dag.funcs[name]
        parts = len(func.types)
        size = max(1, func.bytes_per_point // parts)
        order = self.storage.get(name) or self.dag.order(name)
        whole = ArrayLayout(tuple(func.extent), order, size, "global", parts)
        cached = not func.output and 2 * whole.total <= self.device.l2_bytes
        return replace(whole, place="cached") if cached else whole

    def work(self, kernel: KernelState, stage: KernelStage) -> Work:
        """Returns the work of one stage."""
        result = Work(registers=BASE_REGISTERS)
        steps = stage.visits * stage.turns * stage.warps
        result.code, live = self._straight(stage)
        result.instructions = steps * (result.code + TURN * (stage.turns > 1))
        slowest = 0.0
        taps = 0.0
        for name in dict.fromkeys([load.name for load in stage.info.loads]):
            latency, loads = self._load(kernel, stage, name, steps, result)
            slowest, taps = max(slowest, latency), taps + loads
        result.code += taps * (1 + ADDRESS)
        slowest = max(slowest, self._update(kernel, stage, result))
        words = max(1.0, sum(t.nbits for t in self.dag.funcs[stage.name[0]].types) / 32)
        result.registers += stage.copies * words + live + min(24.0, taps / 2)
        result.waiting += self._waiting(stage, slowest, result)
        return result

    # Arithmetic

    def _straight(self, stage: KernelStage) -> tuple[float, float]:
        """Instructions of one turn of the straight code, in which nothing is computed twice; values that wait in it."""
        live = 0.0
        own = self._instructions(self.dag.funcs[stage.name[0]].stages[stage.name[1]].operations) * stage.copies
        for func, access in stage.evaluations:
            each = self._instructions(self.dag.funcs[func].stages[0].operations)
            distinct = self._distinct(access, access.count, stage, 1)
            if _is_rounded_twice(access):
                # Coordinates that are rounded down in several steps are not seen to be the same.
                distinct = max(distinct, self.boxes.calls(stage.name, stage.evaluations)[func] * stage.copies)
            own += each * distinct
            live = max(live, distinct * LIVE)
        return own, live

    def _instructions(self, counts: Counts) -> float:
        cached = self._counts_memo.get(id(counts))
        if cached is None:
            # The memo holds the counts, so that no others get their id.
            cached = self._counts_memo[id(counts)] = counts, self._counted(counts)
        return cached[1]

    def _counted(self, counts: Counts) -> float:
        total = 0.0
        for kind, row in zip(Operation, counts, strict=True):
            if any(row):
                types = zip(TYPE_CLASSES, row, strict=True)
                total += INSTRUCTIONS[kind] * sum([count * self._of_type(name) for name, count in types if count])
        return total

    def _of_type(self, name: str) -> float:
        if name == "int64":
            return 3.0
        return 1 / self.device.double_rate if name == "float64" else 1.0

    def _distinct(self, access: Access, count: float, stage: KernelStage, parts: int) -> float:
        """Returns the distinct places that one iteration of the straight code accesses."""
        most = count * stage.copies
        if stage.copies == 1:
            return most
        func = self.dag.funcs.get(access.name) or self.dag.images[access.name]
        need = self.boxes.need_of(access, func)
        together = math.prod(extents(need.box(*stage.straight_box)))
        return min(most, together * stage.straight_boxes * parts)

    # Memory

    def _load(
        self, kernel: KernelState, stage: KernelStage, name: str, steps: float, result: Work
    ) -> tuple[float, float]:
        """The latency of loads of `name`, and how many there are in one turn."""
        array = self.array(kernel, name)
        number = 0.0
        loads = [load for load in stage.info.loads if load.name == name]
        for load in loads:
            distinct = self._distinct(load, load.count, stage, array.parts)
            number += distinct
            self._access(array, stage, load, steps * distinct, result)
        if array.place == "private":
            return 0.0, 0.0
        if array.place == "local":
            return self.device.local_latency, number
        need = self.boxes.need(stage.info, name)
        near = min(
            stage.repeats * self._bytes(array, need.box(*stage.block_box)),
            steps * number * self.device.lanes * self.device.sector,
        )
        result.far += near
        if array.place == "global":
            whole = self._bytes(array, need.box(*stage.box))
            result.memory += min(whole, near * kernel.blocks)
            return self.device.memory_latency, number
        return self.device.memory_latency * 0.6, number

    def _access(self, array: ArrayLayout, stage: KernelStage, access: Access, times: float, result: Work) -> None:
        """`times` accesses by warps."""
        if array.place == "private":
            if array.total > PRIVATE_BYTES:
                result.near += times * self.device.lanes * WORD
                result.instructions += times * ADDRESS
            return
        result.instructions += times * (1 + ADDRESS)
        steps = self._steps(array, stage, access)
        if array.place == "local":
            numbers = tuple([0.0 if s is None else s for s in steps])
            result.local += times * conflicts(stage.group, numbers, array.bytes, self.device.lanes, self.device.banks)
            return
        # The nearest cache gives one line at a time.
        result.near += times * self._pieces(array, stage, steps, LINE) * LINE

    def _pieces(self, array: ArrayLayout, stage: KernelStage, steps: Sequence[float | None], size: int) -> float:
        """Pieces of memory for one access of a warp; as many as lanes where values decide, if there are so many."""
        lanes = self.device.lanes
        if any(step is None for step in steps):
            return min(lanes, max(1.0, array.total / size))
        numbers = tuple([step or 0.0 for step in steps])
        return sectors(stage.group, numbers, array.bytes, lanes, size)

    def _steps(self, array: ArrayLayout, stage: KernelStage, access: Access) -> list[float | None]:
        """Elements between what neighbouring threads access, in each dimension of the block; None: values decide."""
        steps: list[float | None] = [0.0] * len(stage.group)
        for pitch, row in zip(array.pitches, access.jacobian, strict=True):
            if row is None:
                return [None] * len(stage.group)
            for j, factor in enumerate(row):
                if factor:
                    for k, moved in enumerate(stage.motion[j]):
                        steps[k] = (steps[k] or 0.0) + pitch * factor * moved
        return steps

    def _bytes(self, array: ArrayLayout, box: Box) -> float:
        """Bytes of a box, in whole pieces along the rows."""
        sizes = extents(box)
        if not sizes:
            return float(array.bytes * array.parts)
        sector = self.device.sector
        inner = array.order[0]
        row = math.ceil(sizes[inner] * array.bytes / sector) * sector
        return float(min(row * math.prod(sizes) // max(1, sizes[inner]), math.prod(sizes) * sector) * array.parts)

    # Results

    def _update(self, kernel: KernelState, stage: KernelStage, result: Work) -> float:
        """The stores, and the loads of old values; the latency of what a turn waits for besides its loads."""
        name, store = stage.name[0], stage.info.store
        array = self.array(kernel, name)
        promoted = self._is_promoted(stage)
        counted = [d for d, loop in enumerate(stage.info.loops) if not (promoted and loop.reduction)]
        times = stage.visits * stage.warps * math.prod([stage.extent(d) for d in counted])
        accesses = [store, *stage.info.self_loads] if stage.info.number else [store]
        if kernel.atomic and stage.member is None:
            result.atomics += self._atomics(kernel, stage, array)
            return self.device.arithmetic_latency
        for access in accesses:
            self._access(array, stage, access, times * array.parts, result)
        if array.place in ("global", "cached"):
            # Stores of different warps meet in the cache of the device only.
            pieces = self._pieces(array, stage, self._steps(array, stage, store), self.device.sector)
            far = times * array.parts * pieces * self.device.sector * len(accesses)
            result.far += far
            if array.place == "global":
                whole = self._bytes(array, self.boxes.need_of(store, self.dag.funcs[name]).box(*stage.box))
                result.memory += min(whole * len(accesses), far * kernel.blocks)
        if promoted or not stage.info.self_loads:
            return 0.0
        return {"private": 0.0, "local": self.device.local_latency}.get(array.place, self.device.memory_latency / 2)

    def _is_promoted(self, stage: KernelStage) -> bool:
        """Whether sums stay in registers as long as the loops over RVars run."""
        reduced = [d for d, loop in enumerate(stage.info.loops) if loop.reduction]
        rows = [*stage.info.store.jacobian, *[row for load in stage.info.self_loads for row in load.jacobian]]
        return bool(reduced) and all(row is not None and not any(row[d] for d in reduced) for row in rows)

    def _atomics(self, kernel: KernelState, stage: KernelStage, array: ArrayLayout) -> float:
        """Clocks: one for each update of the same place, in as many places at once as there are, up to a limit."""
        updates = math.prod([loop.extent for loop in stage.info.loops])
        func = self.dag.funcs[stage.name[0]]
        exchange = 4.0 if func.types[0].floating else 1.0
        places = min(math.prod(func.extent), self.device.units * 2)
        return exchange * updates / max(1, places)

    # Waiting

    def _waiting(self, stage: KernelStage, slowest: float, result: Work) -> float:
        """Returns the clocks from the first to the last iteration of a thread that runs alone."""
        turns = stage.turns
        depends = bool(stage.info.self_loads) and turns > 1
        carried = depends and not self._is_promoted(stage)
        overlapping = 1.0 if carried else min(OVERLAPPING, turns)
        # Two instructions of a thread are under way at once, more where the straight code has several points.
        arithmetic = result.code * self.device.arithmetic_latency / min(8.0, 1.0 + stage.copies)
        return stage.visits * turns * (slowest / overlapping + arithmetic)


def _is_rounded_twice(access: Access) -> bool:
    return any(2 * factor != int(2 * factor) for row in access.jacobian if row is not None for factor in row)
