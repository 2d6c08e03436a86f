"""Bounds queries: which boxes of inputs and outputs a pipeline accesses to compute given outputs, as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipec.bounds.box import Box
from pipec.errors import BoundsError
from pipec.func.functions.definition import PipelineDef
from pipec.ir.expr import Expr, ImageCall
from pipec.ir.tape import evaluate
from pipec.ir.walk import free_variables, instances
from pipec.lower.lower import make_plan
from pipec.lower.planning.extern_stage import evaluate_query, queried_image_boxes
from pipec.lower.planning.names import output_buffers, scalar_alias
from pipec.lower.planning.plan import LoweringPlan
from pipec.schedule.schedule import Schedule

IntegerBox = list[tuple[int, int]]


class RegionQuery:
    """The boxes that a pipeline accesses, as numbers, for any output boxes; the pipeline is planned once.

    `exact_tails`: no split computes anything beyond its interval.
    """

    def __init__(self, definition: PipelineDef, schedule: Schedule, exact_tails: bool = True) -> None:
        self.definition = definition
        self.plan = make_plan(definition, schedule, exact_tails=exact_tails)

    def boxes(
        self,
        output_boxes: Mapping[str, Sequence[tuple[int, int]]],
        scalars: Mapping[str, int | float],
        image_boxes: Mapping[str, Sequence[tuple[int, int]]] | None = None,
    ) -> dict[str, IntegerBox]:
        """Returns, for each input and each output buffer, the box [(min, extent), ...] that is accessed.

        `output_boxes`: the required boxes of the outputs, by buffer (`f`, or `f.0`, ... for Tuples). `image_boxes`: the
        boxes of the inputs, for pipelines whose regions depend on them (boundary conditions). Raises BoundsError when a
        region depends on a name without a value.
        """
        plan, values = self.plan, self._values(output_boxes, scalars, image_boxes)
        boxes = {name: _evaluated(plan, box, values) for name, box in plan.input_boxes.items()}
        for name, read in queried_image_boxes(plan):
            boxes[name] = _joined(boxes.get(name), _evaluated(plan, read, values))
        return boxes | self._of_outputs(values)

    def outputs(
        self,
        output_boxes: Mapping[str, Sequence[tuple[int, int]]],
        scalars: Mapping[str, int | float],
        image_boxes: Mapping[str, Sequence[tuple[int, int]]] | None = None,
    ) -> dict[str, IntegerBox]:
        """As `boxes`, of the outputs only: what is read of the inputs may depend on their pixels."""
        return self._of_outputs(self._values(output_boxes, scalars, image_boxes))

    def _of_outputs(self, values: Mapping[str, int | float]) -> dict[str, IntegerBox]:
        funcs = [self.plan.funcs[output] for output in self.definition.outputs]
        return {
            buffer: _evaluated(self.plan, func.storage, values)
            for func in funcs
            for buffer in output_buffers(func.definition)
        }

    def root_storage(
        self,
        output_boxes: Mapping[str, Sequence[tuple[int, int]]],
        scalars: Mapping[str, int | float],
        image_boxes: Mapping[str, Sequence[tuple[int, int]]] | None = None,
    ) -> dict[str, IntegerBox]:
        """Returns the boxes of the Funcs, outputs apart, that are stored outside all loops."""
        values = self._values(output_boxes, scalars, image_boxes)
        return {
            name: _evaluated(self.plan, func.storage, values)
            for name, func in self.plan.funcs.items()
            if func.store_level.nest is None and not func.is_output
        }

    def _values(
        self,
        output_boxes: Mapping[str, Sequence[tuple[int, int]]],
        scalars: Mapping[str, int | float],
        image_boxes: Mapping[str, Sequence[tuple[int, int]]] | None,
    ) -> dict[str, int | float]:
        values: dict[str, int | float] = dict(scalars)
        values.update({scalar_alias(name): value for name, value in scalars.items()})
        # The conditions of specializations may depend on strides: buffers are taken to be dense.
        values.update({f"{name}.stride.0": 1 for name in (*self.definition.images, *output_boxes)})
        for name, box in (*output_boxes.items(), *(image_boxes or {}).items()):
            for dimension, (low, extent) in enumerate(box):
                values[f"{name}.min.{dimension}"] = low
                values[f"{name}.extent.{dimension}"] = extent
                values[f"{name}.stride.{dimension + 1}"] = values[f"{name}.stride.{dimension}"] * extent
        return values


def _evaluated(plan: LoweringPlan, box: Box, values: Mapping[str, int | float]) -> IntegerBox:
    """A box in numbers; lets and queries of extern stages are evaluated when they are needed."""
    numbers: dict[str, int | float] = dict(values)

    def value(e: Expr) -> int:
        return int(number(e))

    def number(e: Expr) -> int | float:
        for name in free_variables(e):
            if name not in numbers:
                query = next(
                    (q for queries in plan.queries.values() for q in queries.values() if q.defines(name)), None
                )
                if query is not None:
                    numbers.update(evaluate_query(plan, query, number))
                    continue
                let = plan.let_value(name)
                if let is None:
                    raise BoundsError(f"The region depends on {name}, which is not known.")
                numbers[name] = value(let)
        element = next(instances(ImageCall, e), None)
        if element is not None:
            raise BoundsError(f"The region depends on {element}, which is read when the pipeline runs.")
        result: int | float = evaluate(e, numbers).item()
        return result

    result = []
    for interval in box:
        low, high = map(value, interval.ends)
        result.append((low, max(0, high - low + 1)))
    return result


def _joined(a: IntegerBox | None, b: IntegerBox) -> IntegerBox:
    """The smallest box that holds both."""
    if a is None:
        return b
    lows = [min(p[0], q[0]) for p, q in zip(a, b, strict=True)]
    ends = [max(p[0] + p[1], q[0] + q[1]) for p, q in zip(a, b, strict=True)]
    return [(low, end - low) for low, end in zip(lows, ends, strict=True)]
