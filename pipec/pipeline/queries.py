"""Bounds queries: the regions of outputs and inputs that a run requires, computed before it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from pipec.errors import BoundsError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import PipelineDef, is_pure_arg
from pipec.ir.expr import FuncCall
from pipec.ir.walk import postorder
from pipec.pipeline.calls.arguments import constraint_number, new_buffer, properties
from pipec.schedule.bounds import AlignBounds, AlignExtent, Bound
from pipec.schedule.placement import func_schedule
from pipec.schedule.schedule import Schedule

if TYPE_CHECKING:
    from pipec.lower.required_boxes import RegionQuery

Box = list[tuple[int, int]]
# Queries converge after as many steps as buffers depend on each other; beyond this they diverge.
MAX_STEPS = 64


def output_buffers(definition: PipelineDef) -> list[tuple[str, str, int]]:
    """(buffer, Func, number of the value) of every output."""
    buffers = []
    for name in definition.outputs:
        count = len(definition.funcs[name].types)
        buffers += [(name if count == 1 else f"{name}.{i}", name, i) for i in range(count)]
    return buffers


def may_need_more(definition: PipelineDef, schedule: Schedule) -> bool:
    """Whether an output may have to hold more than is asked for: updates write it, or others read it, elsewhere; or
    bound(), align_bounds() or align_extent() say so."""
    outputs = set(definition.outputs)
    for name in outputs:
        demanded = func_schedule(schedule, name)
        if any(kind in demanded for kind in (Bound, AlignBounds, AlignExtent)):
            return True
    for name, func in definition.funcs.items():
        for stage in func.stages:
            if name in outputs and not all(map(is_pure_arg, stage.args, func.args)):
                return True
            for node in postorder(*stage.roots):
                if isinstance(node, FuncCall) and node.name in outputs:
                    if node.name != name or not all(map(is_pure_arg, node.args, func.args)):
                        return True
    return False


def grown_outputs(
    definition: PipelineDef,
    schedule: Schedule,
    requested: Mapping[str, Box],
    values: Mapping[str, Any],
    images: Mapping[str, Box],
) -> dict[str, Box]:
    """Boxes of the outputs, at least `requested`, that hold all that the pipeline writes into them."""
    from pipec.lower.required_boxes import RegionQuery

    return grown_by(RegionQuery(definition, schedule), requested, values, images)


def grown_by(
    query: RegionQuery, requested: Mapping[str, Box], values: Mapping[str, Any], images: Mapping[str, Box]
) -> dict[str, Box]:
    """As grown_outputs, for a pipeline that has been planned."""
    definition = query.definition
    boxes = {name: list(box) for name, box in requested.items()}
    for _ in range(MAX_STEPS):
        required = query.outputs(boxes, values, images)
        grown = {name: _union(box, required[name]) for name, box in boxes.items()}
        for buffer, func, _ in output_buffers(definition):
            if buffer != func:
                grown[buffer] = _union(grown[buffer], grown[f"{func}.0"])
                grown[f"{func}.0"] = grown[buffer]
        if grown == boxes:
            return boxes
        boxes = grown
    raise BoundsError(
        f"Error: The outputs of {definition.name} depend on each other such that no finite size holds what is written."
    )


def _union(a: Box, b: Box) -> Box:
    result = []
    for (min_a, extent_a), (min_b, extent_b) in zip(a, b, strict=True):
        if extent_b <= 0:
            result.append((min_a, extent_a))
            continue
        if extent_a <= 0:
            result.append((min_b, extent_b))
            continue
        low, high = min(min_a, min_b), max(min_a + extent_a, min_b + extent_b)
        result.append((low, high - low))
    return result


def fixed_outputs(
    boxes: Mapping[str, Box], parameters: Mapping[str, Any], values: Mapping[str, Any], free: Collection[str]
) -> dict[str, Box]:
    """`boxes` of outputs with the minima and extents that the user demands of them, as far as those are known.

    Demands may mention the boxes themselves: those of `free` outputs, which have no memory yet, change until they meet
    them. Raises BoundsError where none do.
    """
    names = set(boxes)
    for _ in range(MAX_STEPS):
        symbols = {**values, **_properties(boxes)}
        fixed = {
            name: _fixed(box, parameters.get(name), symbols) if name in names else box for name, box in boxes.items()
        }
        if fixed == boxes:
            return fixed
        boxes, names = fixed, names & set(free)
    raise BoundsError(
        f"Error: No finite size of {', '.join(names)} meets the constraints on its output_buffer(), which grow with it."
    )


def _properties(boxes: Mapping[str, Box]) -> dict[str, int]:
    return {symbol: value for name, box in boxes.items() for symbol, value in properties(name, box).items()}


def _fixed(box: Box, bound: Any, values: Mapping[str, Any]) -> Box:
    result = []
    for d, interval in enumerate(box):
        demands = (constraint_number(bound, kind, d, values) for kind in ("min", "extent"))
        low, size = (default if demand is None else demand for demand, default in zip(demands, interval, strict=True))
        result.append((low, size))
    return result


def constrained(box: Box, bound: Any, values: Mapping[str, Any]) -> Box:
    """`box` widened to the bounds that `bound` demands, where those are numbers and cover it."""
    result = []
    for d, (minimum, extent) in enumerate(box):
        low, size = constraint_number(bound, "min", d, values), constraint_number(bound, "extent", d, values)
        low = minimum if low is None else low
        size = minimum + extent - low if size is None else size
        covers = low <= minimum and minimum + extent <= low + size
        result.append((low, size) if covers else (minimum, extent))
    return result


def _require_constraints(name: str, box: Box, bound: Any, values: Mapping[str, Any]) -> None:
    """Raises BoundsError where the user demands bounds of an input that do not hold all that is read."""
    for d, (minimum, extent) in enumerate(box):
        low, size = constraint_number(bound, "min", d, values), constraint_number(bound, "extent", d, values)
        low, size = minimum if low is None else low, extent if size is None else size
        if (low, size) != (minimum, extent):
            raise BoundsError(
                f"Error: Invalid arguments to infer_input_bounds: {name} is read from {minimum} to "
                f"{minimum + extent - 1} in dimension {d}, but its constraints demand {low} to {low + size - 1}."
            )


def inferred_inputs(
    definition: PipelineDef,
    schedule: Schedule,
    outputs: Mapping[str, Box],
    values: Mapping[str, Any],
    image_boxes: Mapping[str, Box],
    unset: Mapping[str, Any],
) -> dict[str, Buffer]:
    """A new Buffer for each ImageParam of `unset` (name -> Parameter), large enough for the outputs.

    `image_boxes`: the boxes of the other inputs. What an input must cover may depend on its own size: the query is
    repeated until nothing changes. Constraints that mention an input's own box, as a minimum that is a multiple of
    four, begin with what the pipeline reads.
    """
    from pipec.lower.required_boxes import RegionQuery

    query = RegionQuery(definition, schedule)
    boxes: dict[str, Box] = {name: [(0, 0)] * bound.dimensions() for name, bound in unset.items()}
    for step in range(MAX_STEPS):
        images = {**image_boxes, **boxes}
        required = query.boxes(outputs, values, images)
        required = {name: required.get(name, box) for name, box in boxes.items()}
        images |= required if step == 0 else {}
        symbols = {**values, **_properties(outputs), **_properties(images)}
        demanded = {name: constrained(required[name], unset[name], symbols) for name in boxes}
        if demanded == boxes:
            for name, box in boxes.items():
                _require_constraints(name, box, unset[name], symbols)
            return {
                name: new_buffer(definition.images[name].type, box, unset[name], symbols, name)
                for name, box in boxes.items()
            }
        boxes = demanded
    raise BoundsError(
        f"Error: Invalid arguments to infer_input_bounds: what {', '.join(boxes)} must cover grows with the size"
        f" itself, so no size is large enough for {definition.name}."
    )
