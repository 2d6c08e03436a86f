"""What one block of a nest takes: a straight run of vector instructions, in which nothing happens twice."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pipec.autoschedule.cost.machine import Machine
from pipec.autoschedule.dag import Access, Operation, StageInfo
from pipec.autoschedule.inlining import Evaluation

Counts = tuple[float, ...]
COUNTS = (
    *("add", "multiply", "divide", "compare", "shift", "cast", "transcendental", "other"),  # cycles, as Operation
    *("dense", "broadcast", "strided", "gathered", "scalar", "split"),  # loads, and lines more that they touch
    *("stored", "scattered", "stored_scalar"),
)
_LOADS, _STORES = len(Operation), len(Operation) + 6
_DENSE, _BROADCAST, _STRIDED, _GATHERED, _SCALAR, _SPLIT = range(_LOADS, _LOADS + 6)
_STORED, _SCATTERED, _STORED_SCALAR = range(_STORES, _STORES + 3)
MOST_STRIDE = 4
ACCUMULATOR_BYTES = 2048
LARGEST_TABLE_BYTES = 1024
FEWEST_LOOKED_UP = 16
"""Lanes from which on small tables are looked up in registers."""
MOST_AT_ONCE = 4
"""Vectors of values that are computed side by side before they are stored."""
FORWARD = 6.0
"""Cycles from a store to the load of the same element."""


class Block(NamedTuple):
    """`each`: COUNTS for every execution; `once`: what moves out of the innermost loop, for each of its runs."""

    each: Counts
    once: Counts
    points: int
    vectors: float  # native vectors of values
    registers: float
    chain: float  # cycles that one execution waits for the one before
    instructions: float
    unaligned: tuple[tuple[str, float], ...]  # vectors of each Func or image that no vector was stored as


class Shape(NamedTuple):
    """A block: points of each dimension, the dimension of the lanes, and that of the innermost loop around it."""

    extents: tuple[int, ...]
    vector: int | None
    lanes: int
    innermost: int | None
    active: int  # lanes that are needed where the region is narrower than a vector

    def positions(self) -> tuple[tuple[int, int], ...]:
        """For each dimension, how many vectors or elements the block has along it and how far apart they are."""
        return tuple(
            [(-(-e // self.lanes), self.lanes) if d == self.vector else (e, 1) for d, e in enumerate(self.extents)]
        )


def distinct(access: Access, positions: Sequence[tuple[int, int]]) -> float:
    """How many different places an access of a block begins at."""
    affine = [row for row in access.jacobian if row is not None]
    known = len(affine) == len(access.jacobian) and bool(access.offsets)
    moving = [d for d, (n, _) in enumerate(positions) if n > 1 and (not known or any(row[d] for row in affine))]
    if not known:
        return access.count * math.prod(positions[d][0] for d in moving)
    scale = access.count / len(access.offsets)
    if not moving:
        return float(access.count)
    number = math.prod(positions[d][0] for d in moving)
    if number * len(access.offsets) > 4096:
        return access.count * number
    if number * len(access.offsets) <= 512:
        axes = [(positions[d][0], [row[d] * positions[d][1] for row in affine]) for d in moving]
        if all(step == int(step) for _, moves in axes for step in moves):
            return scale * _whole_places(access.offsets, axes)
        return scale * len(_places(access.offsets, axes))
    steps = [np.arange(positions[d][0]) * positions[d][1] for d in moving]
    grid = np.stack(np.meshgrid(*steps, indexing="ij"), -1).reshape(-1, len(moving))
    jacobian = np.array([[row[d] for d in moving] for row in affine])
    places = np.floor((grid @ jacobian.T)[:, None, :] + np.array(access.offsets)[None] + 1e-6)
    flat = places.reshape(-1, places.shape[-1])
    low = flat.min(0)
    spans = flat.max(0) - low + 1
    keys = ((flat - low) * np.concatenate([[1.0], np.cumprod(spans[:-1])])).sum(1)
    return scale * len(np.unique(keys))


Axes = Sequence[tuple[int, Sequence[float]]]
"""How many positions, and how far apart they are in each coordinate."""
FAR = 1 << 20


def _whole_places(offsets: Sequence[tuple[float, ...]], axes: Axes) -> int:
    """How many places there are when all steps are whole; each place is one number."""
    weights = [FAR**k for k in range(len(offsets[0]))]
    places = {sum([math.floor(x + 1e-6) * w for x, w in zip(offset, weights, strict=True)]) for offset in offsets}
    for number, moves in axes:
        step = sum([int(move) * w for move, w in zip(moves, weights, strict=True)])
        places = {place + k * step for place in places for k in range(number)}
    return len(places)


def _places(offsets: Sequence[tuple[float, ...]], axes: Axes) -> set[tuple[int, ...]]:
    """The coordinates that offsets and positions lead to."""
    places: list[tuple[float, ...]] = list(offsets)
    for number, moves in axes:
        places = [
            tuple([x + k * m for x, m in zip(place, moves, strict=True)]) for place in places for k in range(number)
        ]
    return {tuple([math.floor(x + 1e-6) for x in place]) for place in places}


def depends(access: Access, dim: int | None) -> bool:
    return dim is not None and any(row is None or row[dim] != 0 for row in access.jacobian)


Operations = Sequence[Sequence[float]]


def _settled(info: StageInfo, coordinates: Sequence[Sequence[float] | None], shape: Shape) -> Operations:
    """What a point of a stage computes; `coordinates`: of its loops, by those of the block."""
    if info.phases is None:
        return info.operations
    for period, row in zip(info.phases.periods, coordinates, strict=False):
        if period == 1:
            continue
        if row is None:
            return info.operations
        for d, factor in enumerate(row):
            size = shape.lanes if d == shape.vector else shape.extents[d]
            if factor and (factor != int(factor) or size % period):
                return info.operations
    return info.phases.operations


def _unknown(access: Access) -> bool:
    """Whether a coordinate is partly a value, of pixels or of another Func, which each lane has its own of."""
    return not access.offsets and access.count == 1 and access.low != access.high


class BlockMaker:
    """Counts blocks of one stage with some Funcs inlined."""

    def __init__(
        self,
        machine: Machine,
        own: StageInfo,
        stage: StageInfo,
        evaluations: Sequence[tuple[Evaluation, StageInfo]],
        types: Mapping[str, tuple[int, ...]],  # bytes of the values of each Func and image
        innermost: Mapping[str, int],  # the dimension that is innermost in memory
    ) -> None:
        self.machine, self.own, self.stage = machine, own, stage
        self.evaluations, self.types, self.innermost = evaluations, types, innermost
        self._distinct: dict[tuple[int, tuple[tuple[int, int], ...]], float] = {}

    def _places(self, access: Access, positions: tuple[tuple[int, int], ...]) -> float:
        """`distinct`, remembered for the accesses of this stage."""
        key = id(access), positions
        found = self._distinct.get(key)
        if found is None:
            found = self._distinct[key] = distinct(access, positions)
        return found

    def block(self, shape: Shape) -> Block:
        positions = shape.positions()
        each, once = [0.0] * len(COUNTS), [0.0] * len(COUNTS)
        vectors = math.prod(n for n, _ in positions)
        lanes = shape.lanes if shape.vector is not None else 1
        unit = tuple([tuple([float(d == j) for j in range(len(shape.extents))]) for d in range(len(shape.extents))])
        self._compute(each, _settled(self.own, unit, shape), lanes, vectors)
        for evaluation, info in self.evaluations:
            target = each if depends(evaluation.access, shape.innermost) else once
            along = lanes if depends(evaluation.access, shape.vector) else 1
            operations = _settled(info, evaluation.access.jacobian, shape)
            self._compute(target, operations, along, self._places(evaluation.access, positions))
        window = 0.0
        for load in self.stage.loads:
            window += self._load(each, once, load, shape, positions)
        sums = self._sums(shape)
        for load in self.stage.self_loads:
            into = once if sums else each
            window += self._load(into, once, load, shape, positions)
        stored = self._store(once if sums else each, shape, positions)
        return Block(
            tuple(each),
            tuple(once),
            math.prod(shape.extents),
            stored,
            (stored if sums else min(stored, MOST_AT_ONCE)) + window,
            self._chain(shape, sums),
            _code(each) + (_code(once) if shape.innermost is None else 0.0),
            tuple(
                [
                    (load.name, self._unaligned(load, shape, positions))
                    for load in (*self.stage.loads, *self.stage.self_loads)
                    if not sums or load.name != self.own.func
                ]
            ),
        )

    def _compute(self, counts: list[float], operations: Operations, lanes: int, vectors: float) -> None:
        table, scalar = self.machine.operations, self.machine.scalar
        for operation, row in enumerate(operations):
            for kind, number in enumerate(row):
                if number:
                    natives = max(1.0, lanes * _WIDTHS[kind] / self.machine.vector_bytes) if lanes > 1 else scalar
                    counts[operation] += number * vectors * natives * table[operation][kind]

    def _natives(self, name: str, lanes: int) -> float:
        return float(sum([-(-lanes * size // self.machine.vector_bytes) for size in self.types[name]]))

    def _load(
        self, each: list[float], once: list[float], load: Access, shape: Shape, positions: tuple[tuple[int, int], ...]
    ) -> float:
        """Counts a load; returns how many of its vectors live while others are computed."""
        moving = depends(load, shape.innermost) or (shape.innermost is not None and _unknown(load))
        target = each if moving else once
        number = self._places(load, positions)
        kind, factor = self._kind(load, shape)
        target[kind] += number * factor
        if kind == _DENSE:
            target[_SPLIT] += self._apart(load, shape) * number * factor * self._share_of_line(load, shape)
        if kind in (_GATHERED, _SCALAR, _BROADCAST):
            return 1.0 if target is each else min(number, 8.0)
        total = load.count * math.prod(n for n, _ in positions)
        shared = 1 - number / total
        return factor * max(1.0, shared * min(number, load.count) if target is each else number)

    def _unaligned(self, load: Access, shape: Shape, positions: tuple[tuple[int, int], ...]) -> float:
        kind, factor = self._kind(load, shape)
        if kind == _GATHERED and load.name == self.own.func and load.offsets != self.stage.store.offsets:
            return factor * self._places(load, positions)
        if kind == _STRIDED:
            return self._places(load, positions)
        if kind != _DENSE:
            return 0.0
        return factor * self._places(load, positions) * self._apart(load, shape)

    def _apart(self, load: Access, shape: Shape) -> float:
        """The share of dense loads that do not begin at a multiple of the lanes."""
        if not load.offsets:
            return 0.0
        inner = self.innermost[load.name]
        return sum([1 for offset in load.offsets if offset[inner] % shape.lanes]) / len(load.offsets)

    def _share_of_line(self, load: Access, shape: Shape) -> float:
        """How many of such loads reach into another line."""
        return min(1.0, shape.lanes * max(self.types[load.name]) / self.machine.vector_bytes)

    def _kind(self, access: Access, shape: Shape) -> tuple[int, float]:
        """How vectors are loaded, and how many instructions (or elements) each takes."""
        values = len(self.types[access.name])
        if shape.vector is None or shape.lanes == 1:
            return _SCALAR, 1.0
        if not depends(access, shape.vector) and not _unknown(access):
            return _BROADCAST, 1.0
        stride = self._stride(access, shape.vector)
        natives = self._natives(access.name, shape.lanes) / values
        if stride == 1 and not self._scattered(access):
            return _DENSE, natives
        if stride is not None and 0 < stride <= MOST_STRIDE and access.offsets:
            return _STRIDED, natives * math.ceil(stride)
        return _GATHERED, self._looked_up(access, shape) or float(shape.active)

    def _scattered(self, access: Access) -> bool:
        """Whether each lane adds a value of its own to where it would read side by side with its neighbours."""
        inner = self.innermost[access.name]
        return _unknown(access) and not access.boundary and access.low[inner] != access.high[inner]

    def _looked_up(self, access: Access, shape: Shape) -> float:
        """What permutations of registers that hold a small table cost, in elements gathered; 0 when it is not one."""
        (size, *others) = self.types[access.name]
        if others or size not in _LOOKED_UP or shape.lanes < FEWEST_LOOKED_UP or access.jacobian != (None,):
            return 0.0
        table = size * (access.high[0] - access.low[0] + 1)
        stretches = table / (2 * self.machine.vector_bytes)
        if table > LARGEST_TABLE_BYTES or stretches != int(stretches):
            return 0.0
        natives = shape.lanes * size / self.machine.vector_bytes
        return stretches * natives * _LOOKED_UP[size] / self.machine.gather

    def _stride(self, access: Access, dim: int) -> float | None:
        """How far apart neighbouring lanes lie in memory; None when they are in different rows or anywhere."""
        inner = self.innermost[access.name]
        for d, row in enumerate(access.jacobian):
            if row is None or (d != inner and row[dim]):
                return None
        row = access.jacobian[inner]
        assert row is not None
        return abs(row[dim])

    def _store(self, counts: list[float], shape: Shape, positions: tuple[tuple[int, int], ...]) -> float:
        store = self.stage.store
        vectors = self._places(store, positions)
        values = len(self.types[store.name])
        if shape.vector is None or shape.lanes == 1 or not depends(store, shape.vector):
            counts[_STORED_SCALAR] += vectors * values
            return vectors * values * (self._natives(store.name, shape.lanes) / values if shape.lanes > 1 else 1)
        natives = self._natives(store.name, shape.lanes)
        if self._stride(store, shape.vector) == 1:
            counts[_STORED] += vectors * natives
        else:
            counts[_SCATTERED] += vectors * shape.active * values
        return vectors * natives

    def _sums(self, shape: Shape) -> bool:
        """Whether what the block updates stays in registers while the innermost loop runs."""
        store = self.stage.store
        if shape.innermost is None or not self.stage.self_loads or depends(store, shape.innermost):
            return False
        if any(load.jacobian != store.jacobian or load.offsets != store.offsets for load in self.stage.self_loads):
            return False
        size = sum(self.types[store.name])
        return size * math.prod(e for d, e in enumerate(shape.extents) if depends(store, d)) <= ACCUMULATOR_BYTES

    def _chain(self, shape: Shape, sums: bool) -> float:
        if shape.innermost is None or not self.stage.self_loads or not self.stage.loops[shape.innermost].reduction:
            return 0.0
        repeats = math.prod(
            -(-e // shape.lanes) if d == shape.vector else e
            for d, e in enumerate(shape.extents)
            if self.stage.loops[d].reduction
        )
        if sums:
            return repeats * self.machine.latency
        if any(row is None for row in self.stage.store.jacobian):
            return 2.0 * repeats * shape.lanes  # to places that are rarely the same
        operations = sum(sum(row) for row in self.own.operations)
        return repeats * (FORWARD + self.machine.latency * min(operations, 3))


_WIDTHS = (1, 2, 4, 8, 2, 4, 8)
_LOOKED_UP = {1: 2.2, 2: 1.2, 4: 0.9}
"""Cycles for one stretch of a table, by the bytes of an element: two registers permuted, one chosen."""


def _code(each: Sequence[float]) -> float:
    return 2 * sum(each[:_LOADS]) + sum(each[_LOADS:]) - each[_SPLIT]
