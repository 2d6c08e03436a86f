"""WindowedPipeline: a pipeline that computes any box of its outputs from windows of its inputs.

The sizes of the whole images become scalar arguments, so that boundary conditions and reductions see the whole while
a call is given only the elements that the box depends on. Which those are is what bounds inference says.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from pipec.errors import ArgumentError, OutOfBoundsError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import ImageDef, PipelineDef
from pipec.func.functions.freeze import freeze, reachable, schedule_of
from pipec.func.functions.handlers import Handlers
from pipec.func.math.target_query import for_target
from pipec.ir.expr import Const, ParameterRef
from pipec.ir.program import ProgramArgumentKind
from pipec.ir.types import INT32, Type
from pipec.ir.walk import substitute
from pipec.lower.lower import unaligned
from pipec.lower.required_boxes import RegionQuery
from pipec.pipeline.calls.arguments import bound_value, constraint_number, new_buffer, properties
from pipec.pipeline.calls.compiled import CompiledPipeline, box_of
from pipec.pipeline.calls.runnable import check_call, jit_target, mentioned_in, output_parameters
from pipec.pipeline.pipeline import Pipeline
from pipec.pipeline.queries import Box, grown_by, may_need_more, output_buffers
from pipec.records import dataclass, replace
from pipec.region_picture import OutsideRegion
from pipec.schedule.schedule import Schedule
from pipec.target import Target

# Dimensions of so few elements are not divided where their bounds are demanded.
MAX_UNDIVIDED = 16


@dataclass(frozen=True, eq=False)
class FrozenPipeline:
    """A frozen pipeline with what its calls need.

    `bindings`: the live Parameters and Buffers behind the arguments; `parameters`: the Parameters of the outputs that
    have constraints, by buffer.
    """

    definition: PipelineDef
    schedule: Schedule
    target: Target
    bindings: Mapping[str, Any]
    parameters: Mapping[str, Any]
    requirements: tuple[Any, ...]
    handlers: Handlers


def program_of(pipeline: Pipeline, target: Target | None = None) -> FrozenPipeline:
    """Freezes a pipeline."""
    functions = pipeline._checked()
    requirements = tuple(pipeline.requirements())
    definition, bindings = freeze(functions, mentioned=mentioned_in(requirements))
    chosen = jit_target(target)
    return FrozenPipeline(
        for_target(definition, chosen),
        schedule_of(functions),
        chosen,
        bindings,
        output_parameters(reachable(functions), definition.outputs),
        requirements,
        functions[0].handlers,
    )


def whole_name(buffer: str, kind: str, dimension: int) -> str:
    """The scalar argument that holds the `min` or `extent` of a whole image."""
    return f"{buffer}.whole.{kind}.{dimension}"


def with_whole_sizes(definition: PipelineDef, windowed: Mapping[str, int]) -> PipelineDef:
    """The pipeline with scalar arguments in the place of the bounds of `windowed` buffers (name -> dimensions)."""
    scalars: dict[str, Type] = {}
    values = {}
    for name, dimensions in windowed.items():
        for d in range(dimensions):
            for kind in ("min", "extent"):
                whole = whole_name(name, kind, d)
                scalars[whole] = INT32
                values[f"{name}.{kind}.{d}"] = ParameterRef(INT32, whole, None)
    memo: dict[Any, Any] = {}
    funcs = {n: f.mapped(lambda e: substitute(e, values, ParameterRef, memo)) for n, f in definition.funcs.items()}
    images = {n: _unbounded(image) if n in windowed else image for n, image in definition.images.items()}
    outputs = {n: _unbounded(image) for n, image in definition.output_constraints.items()}
    scalars = {**definition.scalars, **scalars}
    return replace(definition, funcs=funcs, images=images, scalars=scalars, output_constraints=outputs)


def _unbounded(image: ImageDef) -> ImageDef:
    """The image without demands on its bounds, which are about the whole; strides that are numbers stay.

    The bounds of few elements, such as channels, stay too: schedules rely on them, and tiles do not divide them.
    """
    constraints = []
    for minimum, extent, stride in image.constraints:
        whole = isinstance(minimum, Const) and isinstance(extent, Const) and extent.value <= MAX_UNDIVIDED
        bounds = (minimum, extent) if whole else (None, None)
        constraints.append((*bounds, stride if isinstance(stride, Const) else None))
    return replace(image, constraints=tuple(constraints))


class WindowedPipeline:
    """A pipeline compiled for windows of its images `windowed`; all other inputs are whole.

    `whole`: the boxes of the windowed images and of the outputs as a whole, by buffer, dimension 0 first.
    `scalars`: values of Params, where those that are bound shall not count.
    """

    def __init__(
        self,
        program: FrozenPipeline,
        windowed: Collection[str],
        whole: Mapping[str, Box],
        scalars: Mapping[str, Any] | None = None,
    ) -> None:
        self.program = program
        self.windowed = tuple(windowed)
        self.outputs = tuple([name for name, _, _ in output_buffers(program.definition)])
        self.output_types = {
            name: program.definition.funcs[func].types[at] for name, func, at in output_buffers(program.definition)
        }
        self.whole = {name: list(box) for name, box in whole.items()}
        self.inputs: dict[str, Any] = {}
        for name, bound in program.bindings.items():
            if name not in self.windowed:
                value = (scalars or {}).get(name)
                self.inputs[name] = bound_value(name, bound) if value is None else value
        self._check_whole()
        dimensions = {name: len(box) for name, box in self.whole.items()}
        self.definition = with_whole_sizes(program.definition, dimensions)
        self.numbers = self._numbers()

    def _numbers(self) -> dict[str, Any]:
        numbers = {name: value for name, value in self.inputs.items() if not isinstance(value, Buffer)}
        for name, value in self.inputs.items():
            if isinstance(value, Buffer):
                numbers.update(properties(name, box_of(value)))
        for name, box in self.whole.items():
            for d, (low, extent) in enumerate(box):
                numbers[whole_name(name, "min", d)] = low
                numbers[whole_name(name, "extent", d)] = extent
        return numbers

    def _check_whole(self) -> None:
        """Requirements, ranges of Params and demands on bounds hold for the whole images."""
        program = self.program
        numbers = {name: value for name, value in self.inputs.items() if not isinstance(value, Buffer)}
        for name, box in self.whole.items():
            numbers.update(properties(name, box))
        check_call(program.bindings, program.requirements, numbers)
        for name, box in self.whole.items():
            bound = program.bindings.get(name) or program.parameters.get(name)
            for d, interval in enumerate(box):
                for kind, actual in zip(("min", "extent"), interval, strict=True):
                    demanded = constraint_number(bound, kind, d, numbers)
                    if demanded is not None and demanded != actual:
                        raise ArgumentError(
                            f"Error: Constraint violated: {name}.{kind}.{d} ({actual}) == {demanded}\nIt was demanded"
                            f" by dim({d}).set_{kind} or set_bounds of {name}, and holds for the whole array."
                        )

    # RootRegions

    @cached_property
    def _fast_query(self) -> RegionQuery:
        return RegionQuery(self.definition, self.program.schedule, exact_tails=False)

    @cached_property
    def _exact_query(self) -> RegionQuery:
        # As the exact code, which aligns no bounds.
        return RegionQuery(self.definition, unaligned(self.program.schedule))

    @cached_property
    def _grows(self) -> bool:
        return may_need_more(self.definition, self.program.schedule)

    @cached_property
    def constant_boxes(self) -> dict[str, Box]:
        """The boxes of the inputs that are whole."""
        return {name: box_of(value) for name, value in self.inputs.items() if isinstance(value, Buffer)}

    def grown(self, boxes: Mapping[str, Box]) -> dict[str, Box]:
        """The boxes that hold all that computing these boxes of the outputs writes."""
        if not self._grows:
            return {name: list(box) for name, box in boxes.items()}
        return grown_by(self._exact_query, boxes, self.numbers, self.constant_boxes)

    def required(self, boxes: Mapping[str, Box]) -> dict[str, Box]:
        """The window of each windowed image that these (grown) boxes of the outputs need.

        Raises OutOfBoundsError when that is not inside of the whole image.
        """
        wide = self._fast_query.boxes(boxes, self.numbers, self.constant_boxes)
        exact: dict[str, Box] | None = None
        windows = {}
        # Of the others only whole-image reductions read, which are computed before.
        for name in [name for name in self.windowed if name in self.definition.images]:
            window = wide.get(name, [(low, 0) for low, _ in self.whole[name]])
            if not _is_inside(window, self.whole[name]):
                # Whole strips of loops reach beyond the image; the exact code does not.
                exact = exact or self._exact_query.boxes(boxes, self.numbers, self.constant_boxes)
                self._check_inside(name, exact[name])
                window = _intersection(window, self.whole[name])
            windows[name] = self._with_demanded_bounds(name, window)
        return windows

    def _with_demanded_bounds(self, name: str, window: Box) -> Box:
        """The window with all of the dimensions whose bounds the pipeline demands."""
        constraints = self.definition.images[name].constraints
        demanded = [d for d, (minimum, _, _) in enumerate(constraints) if minimum is not None]
        return [self.whole[name][d] if d in demanded else interval for d, interval in enumerate(window)]

    def _check_inside(self, name: str, box: Box) -> None:
        for d, ((low, extent), (first, size)) in enumerate(zip(box, self.whole[name], strict=True)):
            if extent and not (first <= low and low + extent <= first + size):
                where = f"{low}, which is before the min ({first})"
                if low >= first:
                    where = f"{low + extent - 1}, which is beyond the max ({first + size - 1})"
                raise OutOfBoundsError(
                    f"Error: Input buffer {name} is accessed at {where} in dimension {d}: pass a larger array, ask for"
                    " a smaller output, or read it through a BoundaryConditions function.",
                    OutsideRegion(name, tuple(self.whole[name]), d, (low, low + extent - 1)),
                )

    def intermediate_bytes(self, boxes: Mapping[str, Box]) -> int:
        """An upper limit of the memory of the Funcs that a call for these boxes stores outside of its loops."""
        total = 0
        for name, box in self._exact_query.root_storage(boxes, self.numbers).items():
            size = sum([kind.bytes() for kind in self.definition.funcs[name].types])
            total += size * math.prod([extent for _, extent in box])
        return total

    def output_bytes(self, boxes: Mapping[str, Box]) -> int:
        """The bytes of these boxes of the outputs."""
        return sum(
            [self.output_types[name].bytes() * math.prod([extent for _, extent in box]) for name, box in boxes.items()]
        )

    # Calls

    def new_window(self, name: str, box: Box) -> Buffer:
        """Allocates a window of an image, or a part of an output, laid out as the pipeline demands."""
        kind = self.output_types.get(name) or self.program.definition.images[name].type
        bound = self.program.bindings.get(name) or self.program.parameters.get(name)
        return new_buffer(kind, box, bound, self.numbers, name)

    @cached_property
    def compiled(self) -> CompiledPipeline:
        """The machine code."""
        program = self.program
        return CompiledPipeline(self.definition, program.schedule, program.target, program.handlers)

    def run(
        self,
        windows: Mapping[str, Buffer],
        outputs: Mapping[str, Buffer],
        numbers: Mapping[str, Any] | None = None,
    ) -> None:
        """Computes the boxes of `outputs` from windows that cover what `required` says. From any thread.

        `numbers`: those of this call, where they differ from the pipeline's.
        """
        scalars = self.numbers if numbers is None else {**self.numbers, **numbers}
        values: list[Any] = []
        for argument in self.compiled.arguments:
            name = argument.name
            if argument.kind is ProgramArgumentKind.SCALAR:
                values.append(scalars[name])
            elif argument.kind is ProgramArgumentKind.OUTPUT:
                values.append(outputs[name])
            else:
                values.append(windows[name] if name in windows else self.inputs[name])
        self.compiled(values)


def _is_inside(box: Sequence[tuple[int, int]], whole: Sequence[tuple[int, int]]) -> bool:
    return all(
        extent == 0 or (first <= low and low + extent <= first + size)
        for (low, extent), (first, size) in zip(box, whole, strict=True)
    )


def _intersection(a: Sequence[tuple[int, int]], b: Sequence[tuple[int, int]]) -> Box:
    result = []
    for (low, extent), (first, size) in zip(a, b, strict=True):
        start, end = max(low, first), min(low + extent, first + size)
        result.append((start, max(0, end - start)))
    return result
