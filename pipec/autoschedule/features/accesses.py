"""How the vectors of a block reach memory: dense, a few elements apart, across rows, or lane by lane."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.dag.dag import Access, Operation, StageInfo
from pipec.autoschedule.features.distinct_places import Axes, depends, distinct, is_quotient, period_of, varies
from pipec.autoschedule.features.register_block import BROADCAST, DENSE, GATHERED, SCALAR, STRIDED, BlockShape
from pipec.ir.lanes import MAX_LANE_BYTES, MAX_SHUFFLED_STRIDE
from pipec.jit.llvm.memory.near_lanes import within_reach
from pipec.jit.llvm.memory.quotients import MAX_SCALARS
from pipec.jit.llvm.memory.strided import MIN_RUN_LANES
from pipec.jit.llvm.memory.table_lookup import MAX_TABLE_BYTES, MIN_TABLE_LANES
from pipec.jit.llvm.memory.transpose import transposable
from pipec.target import LINE_BYTES

Limits = Sequence[tuple[int, int]]
"""The first and the last coordinate of each dimension."""
NEAR_INSTRUCTIONS = 3.0
"""For each vector of coordinates of a load whose lanes are permuted from two registers, and twice for the load."""
GATHERABLE = 4
"""Bytes of an element from which on there are instructions that gather."""
_LOOKED_UP = {1: 1.7, 2: 1.0, 4: 0.7}
"""Cycles for one stretch of a table, by the bytes of an element: two registers permuted, one chosen."""


class BlockAccesses:
    """The loads and stores of a stage, with some Funcs inlined, in blocks of any shape.

    `types`: bytes of the values of each Func and image; `innermost`: the dimension that is innermost in memory;
    `boxes`: all of their coordinates; `strides`: of those arrays that are not dense in that dimension, or packed.
    """

    def __init__(
        self,
        machine: MachineModel,
        own: StageInfo,
        stage: StageInfo,
        types: Mapping[str, tuple[int, ...]],
        innermost: Mapping[str, int],
        boxes: Mapping[str, Limits],
        strides: Mapping[str, Mapping[int, int]],
    ) -> None:
        self.machine, self.own, self.stage = machine, own, stage
        self.types, self.innermost, self.boxes, self.strides = types, innermost, boxes, strides
        self.moduli = stage.moduli or (1,) * len(stage.loops)
        self._distinct: dict[tuple[int, Axes], float] = {}

    def places(self, access: Access, axes: Axes) -> float:
        """Returns `distinct` of an access of this stage, cached."""
        key = id(access), axes
        count = self._distinct.get(key)
        if count is None:
            periods = list(self.moduli)
            for d, number, apart in axes[: len(periods)]:
                periods[d] = period_of(periods[d], number * apart)
            count = self._distinct[key] = distinct(access, axes, periods)
        return count

    def natives(self, name: str, lanes: int) -> float:
        return float(sum([-(-lanes * size // self.machine.vector_bytes) for size in self.types[name]]))

    def share_alone(self, load: Access, shape: BlockShape) -> float:
        """Returns the share of gathered loads that are left when neighbours are read by one."""
        together = MAX_LANE_BYTES // max(self.types[load.name])
        if self.innermost[load.name] != 0 or together < 2:
            return 1.0
        along = zip(load.jacobian[0] or (), shape.extents, strict=False)
        copies = max([size for d, (step, size) in enumerate(along) if abs(step) == 1 and d != shape.vector], default=1)
        return min(1.0 - load.pairs / load.count, -(-copies // together) / copies)

    def uses(self, load: Access, axes: Axes) -> int:
        """Returns how many places a load would have if no two points of the block shared any."""
        return load.count * math.prod([n for d, n, _ in axes if depends(load, d)])

    def bases(self, access: Access, axes: Axes, shape: BlockShape) -> float:
        """Returns how many vectors of coordinates of a gather become addresses; lanes a constant step apart do not."""
        if shape.vector is None or not varies(access, shape.vector, shape.lanes // shape.width):
            return 0.0
        return access.bases * math.prod([n for d, n, apart in axes if n > 1 and varies(access, d, apart)])

    def apart(self, load: Access, shape: BlockShape) -> float:
        """The share of dense loads that do not begin at a multiple of the lanes."""
        if not load.offsets:
            return 0.0
        inner = self.innermost[load.name]
        return sum([1 for offset in load.offsets if offset[inner] % shape.width]) / len(load.offsets)

    def share_at_edges(self, load: Access, shape: BlockShape) -> float:
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

    def share_of_line(self, load: Access, shape: BlockShape) -> float:
        """Returns the share of such loads that reach into a second cache line."""
        return min(shape.width * max(self.types[load.name]), self.machine.vector_bytes) / LINE_BYTES

    def kind(self, access: Access, shape: BlockShape) -> tuple[int, float]:
        """Returns the kind of a vector load, and the number of instructions (or elements) that each takes."""
        values = len(self.types[access.name])
        if shape.vector is None or shape.lanes == 1:
            return SCALAR, 1.0
        if not depends(access, shape.vector):
            return BROADCAST, 1.0
        stride = self.stride(access, shape.vector)
        natives = self.natives(access.name, shape.width) / values
        if stride is not None:
            stride *= shape.phases
        if stride == 1 and not self.scattered(access, shape.vector):
            return DENSE, natives
        if stride is not None and 0 < stride <= MAX_SHUFFLED_STRIDE and access.offsets and self.regular(stride, shape):
            return STRIDED, natives * math.ceil(stride)
        if self.crosses(access, shape):
            return STRIDED, natives * math.log2(shape.width)
        at_remainders = self.at_remainders(access, shape)
        if at_remainders is not None:
            return at_remainders
        looked_up = self.looked_up(access, shape)
        if looked_up:
            return Operation.OTHER, looked_up
        if stride is not None and 0 < stride < 1 and access.offsets and is_quotient(stride):
            # Each element is read once, and put into the lanes of its quotient.
            elements = math.ceil((shape.width - 1) * stride) + 1
            if self.is_permuted(elements):
                return STRIDED, natives + min(elements, MAX_SCALARS)
        if stride is not None and self.near(stride, access, shape):
            return STRIDED, natives + NEAR_INSTRUCTIONS * (2.0 + 4 * shape.width / self.machine.vector_bytes)
        narrow = max(self.types[access.name]) < GATHERABLE
        one = self.machine.insert / self.machine.gather if narrow else 1.0
        return GATHERED, one * shape.width

    def at_remainders(self, access: Access, shape: BlockShape) -> tuple[int, float] | None:
        """The kind and the instructions of a load at `x % m`: dense runs of blocks as `f[x % 8, x / 8]` has them, or
        a few elements, each put into its lanes; None for others."""
        vector, inner = shape.vector, self.innermost[access.name]
        if vector is None or not access.values or self.strides.get(access.name):
            return None
        row, modulus = access.jacobian[inner], self.moduli[vector]
        if row is not None and row[vector]:
            return None
        least, most = self.boxes[access.name][inner] if row is None else (access.low[inner], access.high[inner])
        rows = enumerate(access.jacobian)
        others = [row for d, row in rows if d != inner and (row is not None or vector in access.values[d])]
        # All remainders are read, and nothing but these.
        is_remainder = access.values[inner] == frozenset((vector,)) and most - least + 1 == modulus
        if not is_remainder or None in others:
            return None
        steps, natives = {row[vector] for row in others if row is not None}, self.natives(access.name, shape.width)
        if steps - {0} == {1 / modulus} and self.begins_at_multiples(vector, modulus, shape.lanes):
            count = max(1, shape.width // modulus)
            if min(shape.width, modulus) >= MIN_RUN_LANES:
                return (DENSE, natives) if count == 1 else (STRIDED, 2.0 * count)
        if steps <= {0} and modulus <= shape.lanes and self.is_permuted(modulus):
            return STRIDED, natives + min(modulus, MAX_SCALARS)
        return None

    def begins_at_multiples(self, vector: int, modulus: int, lanes: int) -> bool:
        """Whether vectors lie in whole blocks of so many points, to which the bounds of a loop are aligned for every
        size only if they are at the estimates."""
        loop = self.stage.loops[vector]
        is_aligned = loop.minimum % modulus == 0 and loop.extent % modulus == 0
        return is_aligned and 0 in (lanes % modulus, modulus % lanes)

    def is_permuted(self, elements: int) -> bool:
        """Whether so few elements are put into the lanes that read them by scalars or by a permutation of registers."""
        return elements <= MAX_SCALARS or self.machine.vector_bytes == LINE_BYTES

    def near(self, stride: float, access: Access, shape: BlockShape) -> bool:
        """Whether lanes lie so near each other, as a rule, that a permutation of registers reaches all of them."""
        size = max(self.types[access.name])
        if self.machine.vector_bytes < LINE_BYTES or shape.width < MIN_TABLE_LANES or size > 4:
            return False
        anywhere = shape.vector is None or self.scattered(access, shape.vector)
        return not anywhere and within_reach(stride, shape.width, 2 * self.machine.vector_bytes // size)

    def crosses(self, access: Access, shape: BlockShape) -> bool:
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

    def step(self, load: Access, shape: BlockShape) -> float:
        """The distance of neighbouring lanes in memory, in elements; 0 where it is not known."""
        stride = None if shape.vector is None else self.stride(load, shape.vector)
        return 0.0 if stride is None else stride * shape.phases

    def windows(self, load: Access, shape: BlockShape) -> float:
        """How many windows of memory loads a few elements apart are picked out of, divided by the loads; 0 for others.

        Loads of neighbours, as of the two columns of a pair, share their window.
        """
        step = self.step(load, shape)
        if not 1 < step <= MAX_SHUFFLED_STRIDE or step != int(step) or not load.offsets:
            return 0.0
        if not self.regular(step, shape):
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

    def regular(self, stride: float, shape: BlockShape) -> bool:
        """Whether it is known which of the lanes read the same element."""
        assert shape.vector is not None
        period = period_of(self.moduli[shape.vector], shape.lanes)
        return stride * period == int(stride * period)

    def scattered(self, access: Access, vector: int) -> bool:
        """Whether each lane adds a value of its own to where it would read side by side with its neighbours."""
        inner = self.innermost[access.name]
        return access.scattered and any([vector in loops for loops in access.values[inner : inner + 1]])

    def looked_up(self, access: Access, shape: BlockShape) -> float:
        """The cycles of permutations of registers that hold a small table; 0 when it is not one."""
        (size, *others) = self.types[access.name]
        if others or size not in _LOOKED_UP or shape.width < MIN_TABLE_LANES or access.jacobian != (None,):
            return 0.0
        table = size * (access.high[0] - access.low[0] + 1)
        if table > MAX_TABLE_BYTES:
            return 0.0
        stretches = math.ceil(table / (2 * self.machine.vector_bytes))
        # Half a register of places takes as long as a whole one.
        natives = max(1.0, shape.width * size / self.machine.vector_bytes)
        return stretches * natives * _LOOKED_UP[size]

    def stride(self, access: Access, dim: int) -> float | None:
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

    def stores_pixels(self, shape: BlockShape) -> bool:
        """Whether the lanes are pixels all of whose interleaved channels the block stores: whole vectors, shuffled."""
        own = self.own.func
        number = max(self.strides.get(own, {}).values(), default=1)
        if number == 1 or self.stride(self.stage.store, shape.vector or 0) != number:
            return False
        row = self.stage.store.jacobian[self.innermost[own]] or ()
        steps = [(step, extent) for step, extent in zip(row, shape.extents, strict=False) if step]
        return steps == [(1, number)]
