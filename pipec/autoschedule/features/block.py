"""The instructions of one block of a nest: straight vector code in which nothing is computed twice."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.dag.dag import Access, Operation, Parts, StageInfo, TensorMatch
from pipec.autoschedule.dag.inlining import Evaluation
from pipec.autoschedule.features.distinct_places import (
    FRACTIONS,
    Axes,
    depends,
    distinct,
    is_quotient,
    period_of,
    varies,
)
from pipec.autoschedule.features.tensor import operation_cycles, tensor_load
from pipec.ir.lanes import MAX_LANE_BYTES, MAX_SHUFFLED_STRIDE, MIN_PHASE_LANES, phase_count
from pipec.jit.llvm.memory.near_lanes import within_reach
from pipec.jit.llvm.memory.quotients import MAX_SCALARS
from pipec.jit.llvm.memory.table_lookup import MAX_TABLE_BYTES, MIN_TABLE_LANES
from pipec.jit.llvm.memory.transpose import transposable
from pipec.lower.passes.carry_values import MAX_DISTANCE
from pipec.lower.passes.promote_accumulators import MAX_PROMOTED_BYTES
from pipec.records import replace
from pipec.target import LINE_BYTES

Counts = tuple[float, ...]
Limits = Sequence[tuple[int, int]]
"""The first and the last coordinate of each dimension."""
COUNTS = (
    *("add", "multiply", "divide", "compare", "shift", "cast", "transcendental", "other"),  # cycles, as Operation
    *("dense", "broadcast", "strided", "gathered", "scalar", "split"),  # loads, and lines more that they touch
    *("stored", "scattered", "stored_scalar"),
    "addresses",  # of lanes, once for loads at constant distances
)
_LOADS, _STORES = len(Operation), len(Operation) + 6
_DENSE, _BROADCAST, _STRIDED, _GATHERED, _SCALAR, _SPLIT = range(_LOADS, _LOADS + 6)
_STORED, _SCATTERED, _STORED_SCALAR, _ADDRESSES = range(_STORES, _STORES + 4)
MAX_LIVE_RESULTS = 4
"""Vectors of results that the scheduler of LLVM computes side by side before it stores them."""
EDGE_ELEMENT_CYCLES = 1.6
"""For each element of a tensor operand, gathered row by row, some rows of which lie beyond an edge."""
MIN_DIVISION_TIME = 0.5
"""The time of a division in a short vector over that in a native one; other operations take the same time in both."""
NEAR_INSTRUCTIONS = 3.0
"""For each vector of coordinates of a load whose lanes are permuted from two registers, and twice for the load."""
STORE_FORWARDING_CYCLES = 6.0
"""Cycles from a store to the load of the same element."""


class RegisterBlock(NamedTuple):
    """`each`: COUNTS for every execution; `once`: what moves out of the innermost loop, for each of its runs."""

    each: Counts
    once: Counts
    points: int
    vectors: float  # native vectors of values
    registers: float
    chain: float  # cycles that one execution waits for the one before
    instructions: float
    unaligned: tuple[tuple[str, float], ...]  # vectors of each Func or image that no vector was stored as


class BlockShape(NamedTuple):
    """A block: points of each dimension, the dimension of the lanes, and that of the innermost loop around it."""

    extents: tuple[int, ...]
    vector: int | None
    lanes: int
    innermost: int | None
    phases: int = 1  # vectors that the lanes are computed in: lanes 0, 2, 4, ... and 1, 3, 5, ... where x / 2 is read
    tensor: str = ""  # the tensor intrinsic that computes it

    @property
    def width(self) -> int:
        """Lanes of one vector."""
        return self.lanes // self.phases

    def axes(self) -> Axes:
        """Returns the axes of the block: dimension, number of vectors or elements, distance between them."""
        axes = [
            (d, -(-extent // self.lanes), self.lanes) if d == self.vector else (d, extent, 1)
            for d, extent in enumerate(self.extents)
        ]
        if self.phases > 1 and self.vector is not None:
            axes.append((self.vector, self.phases, 1))
        return tuple(axes)


Operations = Sequence[Sequence[float]]


def _settled(info: StageInfo, coordinates: Sequence[Sequence[float] | None], shape: BlockShape, lanes: int) -> Parts:
    """Returns the operations of a point of a stage; `coordinates`: of its loops, by those of the block; `lanes`: how
    many lanes of a vector compute only what they choose, all or 1.

    What loops further out choose is chosen before the innermost one (lower/passes/unswitch_selects.py), what lanes do
    where they are computed in vectors by their phases (lower/vectorize/lane_phases.py).
    """
    if info.phases is None:
        return info.parts
    pairs = enumerate(zip(info.phases.periods, coordinates, strict=False))
    open_choices = [k for k, (period, row) in pairs if period > 1 and not _is_constant(period, row, shape, lanes)]
    if len(open_choices) > 1:
        return info.parts
    return (info.phases.parts_without[open_choices[0]] or info.parts) if open_choices else info.phases.parts


def _is_constant(period: int, row: Sequence[float] | None, shape: BlockShape, lanes: int) -> bool:
    """Whether a coordinate's remainder is the same in each vector of a block."""
    if row is None:
        return False
    for d, factor in enumerate(row):
        size = lanes if d == shape.vector else shape.extents[d]
        is_further_out = size == 1 and d not in (shape.vector, shape.innermost)
        if factor and not is_further_out and (factor != int(factor) or size % period):
            return False
    return True


class BlockMaker:
    """Counts blocks of one stage with some Funcs inlined."""

    def __init__(
        self,
        machine: MachineModel,
        own: StageInfo,
        stage: StageInfo,
        evaluations: Sequence[tuple[Evaluation, StageInfo]],
        types: Mapping[str, tuple[int, ...]],  # bytes of the values of each Func and image
        innermost: Mapping[str, int],  # the dimension that is innermost in memory
        boxes: Mapping[str, Limits],
        strides: Mapping[str, Mapping[int, int]],  # of those arrays that are not dense in that dimension, or packed
    ) -> None:
        self.machine, self.own, self.stage = machine, own, stage
        self.evaluations, self.types, self.innermost, self.boxes = evaluations, types, innermost, boxes
        self.strides = strides
        self.moduli = stage.moduli or (1,) * len(stage.loops)
        self._distinct: dict[tuple[int, Axes], float] = {}
        self._projections: dict[tuple[int, tuple[int, ...]], Access] = {}

    def _places(self, access: Access, axes: Axes) -> float:
        """Returns `distinct` of an access of this stage, cached."""
        key = id(access), axes
        count = self._distinct.get(key)
        if count is None:
            periods = list(self.moduli)
            for d, number, apart in axes[: len(periods)]:
                periods[d] = period_of(periods[d], number * apart)
            count = self._distinct[key] = distinct(access, axes, periods)
        return count

    def block(self, shape: BlockShape) -> RegisterBlock:
        """Returns the counts of a block of this shape."""
        stored_shape, shape = shape, shape._replace(phases=self._phases(shape))
        tensor = self._tensor(shape)
        axes = shape.axes()
        each, once = [0.0] * len(COUNTS), [0.0] * len(COUNTS)
        width = shape.width if shape.vector is not None else 1
        unit = tuple([tuple([float(d == j) for j in range(len(shape.extents))]) for d in range(len(shape.extents))])
        if tensor is not None:
            each[Operation.MULTIPLY] += operation_cycles(tensor, shape.extents, self.machine)
        lanes = shape.lanes if self._has_quotients(shape.vector) else 1
        for loops, operations in tensor.parts if tensor is not None else _settled(self.own, unit, shape, lanes):
            target = each if shape.innermost is None or shape.innermost in loops else once
            number = math.prod([n for d, n, _ in axes if d in loops])
            self._compute(target, operations, width if shape.vector in loops else 1, number)
        for evaluation, info in self.evaluations:
            for loops, operations in _settled(info, evaluation.access.jacobian, shape, lanes):
                access = self._projected(evaluation.access, loops)
                target = each if depends(access, shape.innermost) else once
                along = width if depends(access, shape.vector) else 1
                self._compute(target, operations, along, self._places(access, axes))
        window = 0.0
        for load in self.stage.loads:
            if tensor is not None and depends(load, tensor.rvar):
                window += self._tensor_load(each, once, load, shape, tensor)
            else:
                window += self._load(each, once, load, shape)
        sums = self._sums(shape)
        for load in self.stage.self_loads:
            into = once if sums and load.meets(self.stage.store) else each
            window += self._load(into, once, load, shape)
        stored = self._store(once if sums else each, stored_shape)
        if shape.phases > 1:
            each[Operation.CAST] += self.machine.shuffle * stored
        live = (stored if sums else min(stored, MAX_LIVE_RESULTS)) + window
        instructions = _code(each) + (_code(once) if shape.innermost is None else 0.0)
        self._load_constants(each, shape, live)  # which are operands in memory, as a rule
        return RegisterBlock(
            tuple(each),
            tuple(once),
            math.prod(shape.extents),
            stored,
            live,
            max(self._chain(shape, sums), self._wait(shape, each)),
            instructions,
            tuple(
                [
                    (load.name, self._unaligned(load, shape))
                    for load in (*(self.stage.loads if tensor is None else ()), *self.stage.self_loads)
                    if not sums or load.name != self.own.func
                ]
            ),
        )

    def _load_constants(self, counts: list[float], shape: BlockShape, live: float) -> None:
        """Counts the loads of constants for which no register is left: one for each operation that takes one."""
        constants = len(self.stage.constants)
        beyond = constants - max(0.0, self.machine.registers - live)
        if beyond <= 0:
            return
        axes = shape.axes()
        uses = float(self.own.constant_uses * math.prod([n for _, n, _ in axes]))
        uses += sum([info.constant_uses * self._places(one.access, axes) for one, info in self.evaluations])
        natives = max(1.0, shape.width * min(self.types[self.own.func]) / self.machine.vector_bytes)
        counts[_BROADCAST] += uses * natives * beyond / constants

    def _wait(self, shape: BlockShape, counts: Sequence[float]) -> float:
        """The cycles from the first load of a block to its last store in which no other block makes progress."""
        reduced = [e for e, loop in zip(shape.extents, self.stage.loops, strict=True) if loop.reduction]
        steps = self.stage.depth + (math.prod(reduced) - 1 if self.stage.self_loads else 0)
        instructions = 2 * sum(counts[:_LOADS]) + sum(counts[_STORES:_ADDRESSES]) + counts[_BROADCAST]
        return steps * self.machine.latency * min(1.0, instructions / self.machine.in_flight)

    def _tensor(self, shape: BlockShape) -> TensorMatch | None:
        matches = [match for match in self.own.tensors if (match.name, match.vector) == (shape.tensor, shape.vector)]
        return matches[0] if matches else None

    def _tensor_load(
        self, each: list[float], once: list[float], load: Access, shape: BlockShape, tensor: TensorMatch
    ) -> float:
        """Counts what an operand of a tensor intrinsic loads; returns how many of its vectors live."""
        target = each if depends(load, shape.innermost) else once
        kind, factor, by_rows, shuffles = tensor_load(load, self.innermost[load.name], tensor)
        axes = shape.axes()
        if not by_rows:
            axes = tuple([(d, n // tensor.terms, tensor.terms) if d == tensor.rvar else (d, n, a) for d, n, a in axes])
        number = self._places(load, axes)
        column = {"broadcast": _BROADCAST, "dense": _DENSE, "gathered": _GATHERED}[kind]
        width = 1.0
        if kind == "dense":
            width = self._natives(load.name, tensor.lanes * (1 if by_rows else tensor.terms))
        if kind == "gathered":
            factor *= self.machine.insert / self.machine.gather
        target[column] += number * factor * width
        target[Operation.CAST] += number * shuffles * self.machine.shuffle
        rows = [load.jacobian[d] for d in load.clamped]
        if kind == "gathered" and all(row is not None and not row[tensor.rvar] for row in rows):
            # There each operation has its operand put together from elements.
            each[Operation.CAST] += self._share_at_edges(load, shape) * math.prod(shape.extents) * EDGE_ELEMENT_CYCLES
        return 1.0 if target is each else number

    def _projected(self, access: Access, dims: tuple[int, ...]) -> Access:
        """An access as far as it moves in some dimensions."""
        if all(d in dims or (row is not None and not any(row)) for d, row in enumerate(access.jacobian)):
            return access
        cached = self._projections.get((id(access), dims))
        if cached is None:
            still = (0.0,) * len(self.stage.loops)
            rows = tuple([row if d in dims else still for d, row in enumerate(access.jacobian)])
            moved = [tuple([x if d in dims else 0.0 for d, x in enumerate(place)]) for place in access.offsets]
            offsets = tuple(dict.fromkeys(moved))
            count = max(1, access.count * len(offsets) // len(moved)) if moved else access.count
            values = tuple([loops if d in dims else frozenset[int]() for d, loops in enumerate(access.values)])
            projection = replace(access, jacobian=rows, offsets=offsets, count=count, values=values)
            cached = self._projections[id(access), dims] = projection
        return cached

    def _phases(self, shape: BlockShape) -> int:
        """In how many vectors the lanes are computed by themselves, so that quotients of coordinates go up by one.

        As the code generator does (lower/vectorize/lane_phases.py) where all differences between lanes are quotients.
        """
        vector = shape.vector
        if vector is None or shape.lanes == 1:
            return 1
        period = period_of(self.moduli[vector], shape.lanes)
        steps = [row[vector] * period for load in self.stage.loads for row in load.jacobian if row is not None]
        fractions = [Fraction(step).limit_denominator(FRACTIONS).denominator for step in steps if step]
        count = phase_count(fractions, shape.lanes) if min(fractions, default=1) > 1 else 1
        return count if shape.lanes // count >= MIN_PHASE_LANES else 1

    def _has_quotients(self, vector: int | None) -> bool:
        """Whether lanes are computed in vectors by their phases, in which quotients of coordinates go up by one."""
        rows = [row for load in self.stage.loads for row in load.jacobian if row is not None]
        return vector is not None and any([row[vector] != int(row[vector]) for row in rows])

    def _compute(self, counts: list[float], operations: Operations, lanes: int, vectors: float) -> None:
        table, scalar = self.machine.operations, self.machine.scalar
        for operation, row in enumerate(operations):
            for kind, number in enumerate(row):
                if number:
                    least = MIN_DIVISION_TIME if operation == Operation.DIVIDE else 1.0
                    natives = max(least, lanes * _WIDTHS[kind] / self.machine.vector_bytes) if lanes > 1 else scalar
                    counts[operation] += number * vectors * natives * table[operation][kind]

    def _natives(self, name: str, lanes: int) -> float:
        return float(sum([-(-lanes * size // self.machine.vector_bytes) for size in self.types[name]]))

    def _load(self, each: list[float], once: list[float], load: Access, shape: BlockShape) -> float:
        """Counts a load; returns how many of its vectors live while others are computed."""
        target = each if depends(load, shape.innermost) else once
        axes = shape.axes()
        number = self._places(load, axes)
        kind, factor = self._kind(load, shape)
        windows = self._windows(load, shape) if kind == _STRIDED else 0.0
        if windows:
            target[_DENSE] += number * windows * factor
            target[Operation.CAST] += number * (factor - factor / self._step(load, shape)) * self.machine.shuffle
        else:
            target[kind] += number * factor * (self._share_alone(load) if kind == _GATHERED else 1.0)
        if kind == _GATHERED:
            inner = shape.innermost
            varying = each if inner is not None and varies(load, inner, shape.extents[inner]) else once
            varying[_ADDRESSES] += shape.width * min(number, self._bases(load, axes, shape))
        if kind == _DENSE:
            target[_SPLIT] += self._apart(load, shape) * number * factor * self._share_of_line(load, shape)
            target[Operation.CAST] += self._share_at_edges(load, shape) * number * factor * self.machine.edge
        if target is each or (shape.innermost is None and number == self._uses(load, axes)):
            number = 1.0
        return min(number, 8.0) if kind in (_GATHERED, _SCALAR, _BROADCAST, Operation.OTHER) else factor * number

    def _uses(self, load: Access, axes: Axes) -> int:
        """Returns how many places a load would have if no two points of the block shared any."""
        return load.count * math.prod([n for d, n, _ in axes if depends(load, d)])

    def _share_alone(self, load: Access) -> float:
        """Returns the share of gathered loads that are left when neighbours are read by one."""
        paired = self.innermost[load.name] == 0 and 2 * max(self.types[load.name]) <= MAX_LANE_BYTES
        return 1.0 - load.pairs / load.count if paired else 1.0

    def _bases(self, access: Access, axes: Axes, shape: BlockShape) -> float:
        """Returns how many vectors of coordinates of a gather become addresses; lanes a constant step apart do not."""
        if shape.vector is None or not varies(access, shape.vector, shape.lanes // shape.width):
            return 0.0
        return access.bases * math.prod([n for d, n, apart in axes if n > 1 and varies(access, d, apart)])

    def _unaligned(self, load: Access, shape: BlockShape) -> float:
        kind, factor = self._kind(load, shape)
        number = self._places(load, shape.axes())
        if kind == _GATHERED and load.name == self.own.func and load.offsets != self.stage.store.offsets:
            return factor * number
        if kind == _STRIDED and not self._crosses(load, shape):
            return number
        if kind != _DENSE:
            return 0.0
        return factor * number * self._apart(load, shape)

    def _apart(self, load: Access, shape: BlockShape) -> float:
        """The share of dense loads that do not begin at a multiple of the lanes."""
        if not load.offsets:
            return 0.0
        inner = self.innermost[load.name]
        return sum([1 for offset in load.offsets if offset[inner] % shape.width]) / len(load.offsets)

    def _share_at_edges(self, load: Access, shape: BlockShape) -> float:
        """Returns the share of blocks in which vectors of a load that is clamped reach beyond the edge."""
        vector = shape.vector
        if vector is None or not load.clamped:
            return 0.0
        loops, block = self.stage.loops, shape.extents[vector]
        share = 0.0
        for d in load.clamped:
            row = load.jacobian[d]
            if row is None or not row[vector]:
                continue
            step = abs(row[vector]) * block
            ends = [(c * v.minimum, c * (v.minimum + v.extent - 1)) for c, v in zip(row, loops, strict=True)]
            least, most = self.boxes[load.name][d]
            before = least - (load.low[d] + sum(map(min, ends)))
            after = load.high[d] + sum(map(max, ends)) - most
            beyond = sum([math.ceil(reach / step) for reach in (before, after) if reach > 0 and math.isfinite(reach)])
            share = max(share, beyond / math.ceil(loops[vector].extent / block))
        return min(1.0, share)

    def _share_of_line(self, load: Access, shape: BlockShape) -> float:
        """Returns the share of such loads that reach into a second cache line."""
        return min(shape.width * max(self.types[load.name]), self.machine.vector_bytes) / LINE_BYTES

    def _kind(self, access: Access, shape: BlockShape) -> tuple[int, float]:
        """Returns the kind of a vector load, and the number of instructions (or elements) that each takes."""
        values = len(self.types[access.name])
        if shape.vector is None or shape.lanes == 1:
            return _SCALAR, 1.0
        if not depends(access, shape.vector):
            return _BROADCAST, 1.0
        stride = self._stride(access, shape.vector)
        natives = self._natives(access.name, shape.width) / values
        if stride is not None:
            stride *= shape.phases
        if stride == 1 and not self._scattered(access, shape.vector):
            return _DENSE, natives
        if stride is not None and 0 < stride <= MAX_SHUFFLED_STRIDE and access.offsets and self._regular(stride, shape):
            return _STRIDED, natives * math.ceil(stride)
        if self._crosses(access, shape):
            return _STRIDED, natives * math.log2(shape.width)
        looked_up = self._looked_up(access, shape)
        if looked_up:
            return Operation.OTHER, looked_up
        if stride is not None and 0 < stride < 1 and access.offsets and is_quotient(stride):
            # Each element is read once, and put into the lanes of its quotient.
            elements = math.ceil((shape.width - 1) * stride) + 1
            if elements <= MAX_SCALARS or self.machine.vector_bytes == LINE_BYTES:
                return _STRIDED, natives + min(elements, MAX_SCALARS)
        if stride is not None and self._near(stride, access, shape):
            return _STRIDED, natives + NEAR_INSTRUCTIONS * (2.0 + 4 * shape.width / self.machine.vector_bytes)
        narrow = max(self.types[access.name]) < GATHERABLE
        one = self.machine.insert / self.machine.gather if narrow else 1.0
        return _GATHERED, one * shape.width

    def _near(self, stride: float, access: Access, shape: BlockShape) -> bool:
        """Whether lanes lie so near each other, as a rule, that a permutation of registers reaches all of them."""
        size = max(self.types[access.name])
        if self.machine.vector_bytes < LINE_BYTES or shape.width < MIN_TABLE_LANES or size > 4:
            return False
        anywhere = shape.vector is None or self._scattered(access, shape.vector)
        return not anywhere and within_reach(stride, shape.width, 2 * self.machine.vector_bytes // size)

    def _crosses(self, access: Access, shape: BlockShape) -> bool:
        """Whether lanes go across the rows of memory of which the block has all of squares: dense vectors that are
        transposed in registers."""
        if access.name == self.own.func and self.stage.self_loads:
            return False  # what is loaded again is not stored out of order
        if self.own.phases is not None:
            return False  # nor values that are selected by `x % 2`, whose rows are separate vectors
        inner, lanes = access.jacobian[self.innermost[access.name]], shape.width
        if inner is None or shape.vector is None or not access.offsets or not transposable(lanes):
            return False
        if inner[shape.vector] or any(row is None for row in access.jacobian):
            return False
        # Each copy for an iteration of an RVar has a guard of its own.
        loops = zip(self.stage.loops, shape.extents, inner, strict=True)
        return any(abs(step) == 1 and extent % lanes == 0 and not loop.reduction for loop, extent, step in loops)

    def _step(self, load: Access, shape: BlockShape) -> float:
        """The distance of neighbouring lanes in memory, in elements; 0 where it is not known."""
        stride = None if shape.vector is None else self._stride(load, shape.vector)
        return 0.0 if stride is None else stride * shape.phases

    def _windows(self, load: Access, shape: BlockShape) -> float:
        """How many windows of memory loads a few elements apart are picked out of, divided by the loads; 0 for others.

        Loads of neighbours, as of the two columns of a pair, share their window.
        """
        step = self._step(load, shape)
        if not 1 < step <= MAX_SHUFFLED_STRIDE or step != int(step) or not load.offsets:
            return 0.0
        if not self._regular(step, shape):
            return 0.0
        steps = self.strides.get(load.name) or {self.innermost[load.name]: 1}
        starts = {
            (
                sum([steps[d] * x for d, x in enumerate(offset) if d in steps]) // step,
                *[x for d, x in enumerate(offset) if d not in steps],
            )
            for offset in load.offsets
        }
        return len(starts) / len(load.offsets)

    def _regular(self, stride: float, shape: BlockShape) -> bool:
        """Whether it is known which of the lanes read the same element."""
        assert shape.vector is not None
        period = period_of(self.moduli[shape.vector], shape.lanes)
        return stride * period == int(stride * period)

    def _scattered(self, access: Access, vector: int) -> bool:
        """Whether each lane adds a value of its own to where it would read side by side with its neighbours."""
        inner = self.innermost[access.name]
        return access.scattered and any([vector in loops for loops in access.values[inner : inner + 1]])

    def _looked_up(self, access: Access, shape: BlockShape) -> float:
        """The cycles of permutations of registers that hold a small table; 0 when it is not one."""
        (size, *others) = self.types[access.name]
        if others or size not in _LOOKED_UP or shape.width < MIN_TABLE_LANES or access.jacobian != (None,):
            return 0.0
        table = size * (access.high[0] - access.low[0] + 1)
        stretches = table / (2 * self.machine.vector_bytes)
        if table > MAX_TABLE_BYTES or stretches != int(stretches):
            return 0.0
        # Half a register of places takes as long as a whole one.
        natives = max(1.0, shape.width * size / self.machine.vector_bytes)
        return stretches * natives * _LOOKED_UP[size]

    def _stride(self, access: Access, dim: int) -> float | None:
        """Returns the distance of neighbouring lanes in memory; None when they are in different rows or anywhere."""
        steps = self.strides.get(access.name) or {self.innermost[access.name]: 1}
        stride = 0.0
        for d, row in enumerate(access.jacobian):
            if row is None and (d in steps or not access.values or dim in access.values[d]):
                return None
            if row is not None and row[dim]:
                if d not in steps:
                    return None
                stride += steps[d] * row[dim]
        return abs(stride)

    def _store(self, counts: list[float], shape: BlockShape) -> float:
        store = self.stage.store
        vectors = self._places(store, shape.axes())
        values = len(self.types[store.name])
        if shape.vector is None or shape.lanes == 1 or not depends(store, shape.vector):
            counts[_STORED_SCALAR] += vectors * values
            return vectors * values * (self._natives(store.name, shape.lanes) / values if shape.lanes > 1 else 1)
        natives = self._natives(store.name, shape.lanes)
        if self._stride(store, shape.vector) == 1:
            counts[_STORED] += vectors * natives
        elif self._stores_pixels(shape):
            counts[_STORED] += vectors * natives
            counts[Operation.CAST] += vectors * natives * max(self.strides[store.name].values()) * self.machine.shuffle
        elif self._crosses(store, shape):
            counts[_STORED] += vectors * natives
            counts[Operation.CAST] += vectors * natives * math.log2(shape.lanes) * self.machine.shuffle
        else:
            counts[_SCATTERED] += vectors * shape.lanes * values
        return vectors * natives

    def _stores_pixels(self, shape: BlockShape) -> bool:
        """Whether the lanes are pixels all of whose interleaved channels the block stores: whole vectors, shuffled."""
        own = self.own.func
        number = max(self.strides.get(own, {}).values(), default=1)
        if number == 1 or self._stride(self.stage.store, shape.vector or 0) != number:
            return False
        row = self.stage.store.jacobian[self.innermost[own]] or ()
        steps = [(step, extent) for step, extent in zip(row, shape.extents, strict=False) if step]
        return steps == [(1, number)]

    def _sums(self, shape: BlockShape) -> bool:
        """Whether what the block updates stays in registers while the innermost loop runs."""
        store = self.stage.store
        if shape.innermost is None or not self.stage.self_loads or depends(store, shape.innermost):
            return False
        own = [load for load in self.stage.self_loads if load.meets(store)]
        if not own or any(load.jacobian != store.jacobian or load.offsets != store.offsets for load in own):
            return False
        if shape.vector is not None and depends(store, shape.vector) and self._stride(store, shape.vector) != 1:
            return False
        size = sum(self.types[store.name])
        return size * math.prod(e for d, e in enumerate(shape.extents) if depends(store, d)) <= MAX_PROMOTED_BYTES

    def _chain(self, shape: BlockShape, sums: bool) -> float:
        if shape.innermost is None or not self.stage.self_loads or not self.stage.loops[shape.innermost].reduction:
            return 0.0
        tensor = self._tensor(shape)
        together = {} if tensor is None else {tensor.rvar: tensor.terms}
        repeats = math.prod(
            -(-e // shape.lanes) if d == shape.vector else -(-e // together.get(d, 1))
            for d, e in enumerate(shape.extents)
            if self.stage.loops[d].reduction
        )
        if sums:
            # Copies of a reduction over lanes have accumulators of their own.
            across = shape.vector is not None and self.stage.loops[shape.vector].reduction
            return (1 if across else repeats) * self.machine.latency
        if any(row is None for row in self.stage.store.jacobian):
            return 2.0 * repeats * shape.lanes  # to places that are rarely the same
        operations = sum(sum(row) for row in self.own.operations)
        forwarding = 0.0 if self._carries(shape) else STORE_FORWARDING_CYCLES
        return repeats * (forwarding + self.machine.latency * min(operations, 3))

    def _carries(self, shape: BlockShape) -> bool:
        """Whether iterations of the innermost loop leave values of the stage to later ones in registers."""
        store, loop = self.stage.store, shape.innermost
        if loop is None or shape.extents[loop] > 1 or not store.offsets:
            return False
        step = [0.0 if row is None else row[loop] for row in store.jacobian]
        behind = [
            [a - b for a, b in zip(store.offsets[0], offset, strict=True)]
            for load in self.stage.self_loads
            for offset in load.offsets
        ]
        multiples = [[age * part for part in step] for age in range(MAX_DISTANCE + 1)]
        return all(distance in multiples for distance in behind)


_WIDTHS = (1, 2, 4, 8, 2, 4, 8)
GATHERABLE = 4
"""Bytes of an element from which on there are instructions that gather."""
_LOOKED_UP = {1: 1.7, 2: 1.0, 4: 0.7}
"""Cycles for one stretch of a table, by the bytes of an element: two registers permuted, one chosen."""


def _code(each: Sequence[float]) -> float:
    return 2 * sum(each[:_LOADS]) + sum(each[_LOADS:]) - each[_SPLIT] - each[_ADDRESSES]
