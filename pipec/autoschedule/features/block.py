"""The instructions of one block of a nest: straight vector code in which nothing is computed twice."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.dag.dag import Access, Operation, OperationCounts, Parts, Recurrence, StageInfo, TensorMatch
from pipec.autoschedule.dag.inlining import Evaluation
from pipec.autoschedule.features.accesses import BlockAccesses, Limits
from pipec.autoschedule.features.distinct_places import FRACTIONS, depends, period_of, varies
from pipec.autoschedule.features.register_block import (
    ADDRESSES,
    BROADCAST,
    COUNTS,
    DENSE,
    GATHERED,
    LOADS,
    SCALAR,
    SCATTERED,
    SPLIT,
    STORED,
    STORED_SCALAR,
    STORES,
    STRIDED,
    BlockShape,
    RegisterBlock,
    instructions_of,
)
from pipec.autoschedule.features.tensor import operation_cycles, tensor_load
from pipec.ir.lanes import MIN_PHASE_LANES, phase_count
from pipec.lower.passes.carry_values import MAX_DISTANCE
from pipec.lower.passes.promote_accumulators import MAX_PROMOTED_BYTES
from pipec.records import replace

MAX_LIVE_RESULTS = 4
"""Vectors of results that the scheduler of LLVM computes side by side before it stores them."""
EDGE_ELEMENT_CYCLES = 1.6
"""For each element of a tensor operand, gathered row by row, some rows of which lie beyond an edge."""
MIN_DIVISION_TIME = 0.5
"""The time of a division in a short vector over that in a native one; other operations take the same time in both."""
STORE_FORWARDING_CYCLES = 6.0
"""Cycles from a store to the load of the same element."""


def _settled(
    info: StageInfo,
    coordinates: Sequence[Sequence[float] | None],
    shape: BlockShape,
    lanes: int,
    beside: bool = False,
) -> Parts:
    """Returns the operations of a point of a stage; `coordinates`: of its loops, by those of the block; `lanes`: how
    many lanes of a vector compute only what they choose, all or 1; `beside`: without conversions of loads.

    What loops further out choose is chosen before the innermost one (lower/passes/unswitch_selects.py), what lanes do
    where they are computed in vectors by their phases (lower/vectorize/lane_phases.py).
    """
    if info.phases is None:
        return info.parts_beside if beside else info.parts
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
    """Counts blocks of one stage with some Funcs inlined; `types` and what follows: see BlockAccesses."""

    def __init__(
        self,
        machine: MachineModel,
        own: StageInfo,
        stage: StageInfo,
        evaluations: Sequence[tuple[Evaluation, StageInfo]],
        types: Mapping[str, tuple[int, ...]],
        innermost: Mapping[str, int],
        boxes: Mapping[str, Limits],
        strides: Mapping[str, Mapping[int, int]],
    ) -> None:
        self.machine, self.own, self.stage, self.evaluations = machine, own, stage, evaluations
        self.types, self.strides = types, strides
        self.accesses = BlockAccesses(machine, own, stage, types, innermost, boxes, strides)
        self._projections: dict[tuple[int, tuple[int, ...]], Access] = {}

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
        own = tensor.parts if tensor is not None else _settled(self.own, unit, shape, lanes, beside=True)
        for loops, operations in own:
            target = each if shape.innermost is None or shape.innermost in loops else once
            number = math.prod([n for d, n, _ in axes if d in loops])
            self._compute(target, operations, width if shape.vector in loops else 1, number)
        for access, operations in self.own.conversions if tensor is None and self.own.phases is None else ():
            target = each if depends(access, shape.innermost) else once
            along = width if depends(access, shape.vector) else 1
            self._compute(target, operations, along, self.accesses.places(access, axes))
        for evaluation, info in self.evaluations:
            for loops, operations in _settled(info, evaluation.access.jacobian, shape, lanes):
                access = self._projected(evaluation.access, loops)
                target = each if depends(access, shape.innermost) else once
                along = width if depends(access, shape.vector) else 1
                self._compute(target, operations, along, self.accesses.places(access, axes))
        computed = sum(each[:LOADS]) + (sum(once[:LOADS]) if shape.innermost is None else 0.0)
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
        instructions = instructions_of(each) + (instructions_of(once) if shape.innermost is None else 0.0)
        self._load_constants(each, shape, live)  # which are operands in memory, as a rule
        return RegisterBlock(
            tuple(each),
            tuple(once),
            math.prod(shape.extents),
            stored,
            live,
            max(self._chain(shape, sums, each), self._wait(shape, each)),
            instructions,
            2 * computed + sum([self.accesses.places(one, axes) for one in self.stage.loads + self.stage.self_loads]),
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
        uses += sum([info.constant_uses * self.accesses.places(one.access, axes) for one, info in self.evaluations])
        natives = max(1.0, shape.width * min(self.types[self.own.func]) / self.machine.vector_bytes)
        counts[BROADCAST] += uses * natives * beyond / constants

    def _wait(self, shape: BlockShape, counts: Sequence[float]) -> float:
        """The cycles from the first load of a block to its last store in which no other block makes progress."""
        reduced = [e for e, loop in zip(shape.extents, self.stage.loops, strict=True) if loop.reduction]
        steps = self.stage.depth + (math.prod(reduced) - 1 if self.stage.self_loads else 0)
        instructions = 2 * sum(counts[:LOADS]) + sum(counts[STORES:ADDRESSES]) + counts[BROADCAST]
        return steps * self.machine.latency * min(1.0, instructions / self.machine.in_flight)

    def _tensor(self, shape: BlockShape) -> TensorMatch | None:
        matches = [match for match in self.own.tensors if (match.name, match.vector) == (shape.tensor, shape.vector)]
        return matches[0] if matches else None

    def _tensor_load(
        self, each: list[float], once: list[float], load: Access, shape: BlockShape, tensor: TensorMatch
    ) -> float:
        """Counts what an operand of a tensor intrinsic loads; returns how many of its vectors live."""
        target = each if depends(load, shape.innermost) else once
        kind, factor, by_rows, shuffles = tensor_load(load, self.accesses.innermost[load.name], tensor)
        axes = shape.axes()
        if not by_rows:
            axes = tuple([(d, n // tensor.terms, tensor.terms) if d == tensor.rvar else (d, n, a) for d, n, a in axes])
        number = self.accesses.places(load, axes)
        column = {"broadcast": BROADCAST, "dense": DENSE, "gathered": GATHERED}[kind]
        width = 1.0
        if kind == "dense":
            width = self.accesses.natives(load.name, tensor.lanes * (1 if by_rows else tensor.terms))
        if kind == "gathered":
            factor *= self.machine.insert / self.machine.gather
        target[column] += number * factor * width
        target[Operation.CAST] += number * shuffles * self.machine.shuffle
        rows = [load.jacobian[d] for d in load.clamped]
        if kind == "gathered" and all(row is not None and not row[tensor.rvar] for row in rows):
            # There each operation has its operand put together from elements.
            each[Operation.CAST] += (
                self.accesses.share_at_edges(load, shape) * math.prod(shape.extents) * EDGE_ELEMENT_CYCLES
            )
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
        period = period_of(self.accesses.moduli[vector], shape.lanes)
        steps = [row[vector] * period for load in self.stage.loads for row in load.jacobian if row is not None]
        fractions = [Fraction(step).limit_denominator(FRACTIONS).denominator for step in steps if step]
        count = phase_count(fractions, shape.lanes) if min(fractions, default=1) > 1 else 1
        return count if shape.lanes // count >= MIN_PHASE_LANES else 1

    def _has_quotients(self, vector: int | None) -> bool:
        """Whether lanes are computed in vectors by their phases, in which quotients of coordinates go up by one."""
        rows = [row for load in self.stage.loads for row in load.jacobian if row is not None]
        return vector is not None and any([row[vector] != int(row[vector]) for row in rows])

    def _compute(self, counts: list[float], operations: OperationCounts, lanes: int, vectors: float) -> None:
        table, scalar = self.machine.operations, self.machine.scalar
        for operation, row in enumerate(operations):
            for kind, number in enumerate(row):
                if number:
                    least = MIN_DIVISION_TIME if operation == Operation.DIVIDE else 1.0
                    natives = max(least, lanes * _WIDTHS[kind] / self.machine.vector_bytes) if lanes > 1 else scalar
                    counts[operation] += number * vectors * natives * table[operation][kind]

    def _load(self, each: list[float], once: list[float], load: Access, shape: BlockShape) -> float:
        """Counts a load; returns how many of its vectors live while others are computed."""
        accesses = self.accesses
        target = each if depends(load, shape.innermost) else once
        axes = shape.axes()
        number = accesses.places(load, axes)
        kind, factor = accesses.kind(load, shape)
        windows = accesses.windows(load, shape) if kind == STRIDED else 0.0
        if windows:
            target[DENSE] += number * windows * factor
            target[Operation.CAST] += number * (factor - factor / accesses.step(load, shape)) * self.machine.shuffle
        else:
            target[kind] += number * factor * (accesses.share_alone(load, shape) if kind == GATHERED else 1.0)
        if kind == GATHERED:
            inner = shape.innermost
            varying = each if inner is not None and varies(load, inner, shape.extents[inner]) else once
            varying[ADDRESSES] += shape.width * min(number, accesses.bases(load, axes, shape))
        if kind == DENSE:
            target[SPLIT] += accesses.apart(load, shape) * number * factor * accesses.share_of_line(load, shape)
            target[Operation.CAST] += accesses.share_at_edges(load, shape) * number * factor * self.machine.edge
        if target is each or (shape.innermost is None and number == accesses.uses(load, axes)):
            number = 1.0
        return min(number, 8.0) if kind in (GATHERED, SCALAR, BROADCAST, Operation.OTHER) else factor * number

    def _unaligned(self, load: Access, shape: BlockShape) -> float:
        kind, factor = self.accesses.kind(load, shape)
        number = self.accesses.places(load, shape.axes())
        if kind == GATHERED and load.name == self.own.func and load.offsets != self.stage.store.offsets:
            return factor * number
        if kind == STRIDED and not self.accesses.crosses(load, shape):
            return number
        if kind != DENSE:
            return 0.0
        return factor * number * self.accesses.apart(load, shape)

    def _store(self, counts: list[float], shape: BlockShape) -> float:
        accesses, store = self.accesses, self.stage.store
        vectors = accesses.places(store, shape.axes())
        values = len(self.types[store.name])
        if shape.vector is None or shape.lanes == 1 or not depends(store, shape.vector):
            counts[STORED_SCALAR] += vectors * values
            return vectors * values * (accesses.natives(store.name, shape.lanes) / values if shape.lanes > 1 else 1)
        natives = accesses.natives(store.name, shape.lanes)
        if accesses.stride(store, shape.vector) == 1:
            counts[STORED] += vectors * natives
        elif accesses.stores_pixels(shape):
            counts[STORED] += vectors * natives
            counts[Operation.CAST] += vectors * natives * max(self.strides[store.name].values()) * self.machine.shuffle
        elif accesses.crosses(store, shape):
            counts[STORED] += vectors * natives
            counts[Operation.CAST] += vectors * natives * math.log2(shape.lanes) * self.machine.shuffle
        else:
            counts[SCATTERED] += vectors * shape.lanes * values
        return vectors * natives

    def _sums(self, shape: BlockShape) -> bool:
        """Whether what the block updates stays in registers while the innermost loop runs."""
        store = self.stage.store
        if shape.innermost is None or not self.stage.self_loads or depends(store, shape.innermost):
            return False
        own = [load for load in self.stage.self_loads if load.meets(store)]
        if not own or any(load.jacobian != store.jacobian or load.offsets != store.offsets for load in own):
            return False
        if shape.vector is not None and depends(store, shape.vector) and self.accesses.stride(store, shape.vector) != 1:
            return False
        size = sum(self.types[store.name])
        return size * math.prod(e for d, e in enumerate(shape.extents) if depends(store, d)) <= MAX_PROMOTED_BYTES

    def _chain(self, shape: BlockShape, sums: bool, counts: Sequence[float]) -> float:
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
            return (1 if across else repeats) * self._waits(self.stage.recurrence, counts)
        if any(row is None for row in self.stage.store.jacobian):
            return 2.0 * repeats * shape.lanes  # to places that are rarely the same
        forwarding = 0.0 if self._carries(shape) else STORE_FORWARDING_CYCLES
        return repeats * (forwarding + self._waits(self.stage.scan, counts))

    def _waits(self, recurrence: Recurrence, counts: Sequence[float]) -> float:
        """The cycles from one iteration's value to the next: the chain of operations, and the arithmetic beside it that
        begins only then, which is next to nothing for a sum."""
        depth = max(1.0, recurrence.depth)
        divisions = self.machine.divide * counts[Operation.DIVIDE]
        others = (sum(counts[:LOADS]) - counts[Operation.DIVIDE]) / self.machine.pipes
        return self.machine.latency * depth + recurrence.share * max(divisions, others) * (1 - 1 / depth)

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
