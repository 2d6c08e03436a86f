"""What lowering finds to be required of Funcs and images when all is computed at root: the oracle of a Dag."""

from __future__ import annotations

from collections.abc import Mapping

from pipec.autoschedule.dag.build_dag import Sizes
from pipec.autoschedule.measure.task import all_at_root
from pipec.func.functions.definition import PipelineDef
from pipec.ir.tape import evaluate
from pipec.ir.walk import free_variables
from pipec.lower.lower import make_plan
from pipec.lower.planning.names import output_buffers

Boxes = dict[str, list[tuple[int, int]]]


def required_at_root(definition: PipelineDef, sizes: Sizes) -> Boxes:
    """(first, last) of each dimension of every Func and image, in numbers."""
    plan = make_plan(definition, all_at_root(definition), True)
    facts: dict[str, int | float] = dict(sizes.scalars)
    boxes = dict(sizes.images)
    for name in definition.outputs:
        boxes |= {buffer: sizes.outputs[name] for buffer in output_buffers(definition.funcs[name])}
    for name, box in boxes.items():
        stride = 1
        for d, (low, extent) in enumerate(box):
            facts |= {f"{name}.min.{d}": low, f"{name}.extent.{d}": extent, f"{name}.stride.{d}": stride}
            stride *= extent

    def value(e) -> int:
        for name in free_variables(e):
            if name not in facts:
                facts[name] = value(plan.let_value(name))
        return int(evaluate(e, facts))

    result = {name: [(value(i.low), value(i.high)) for i in func.storage] for name, func in plan.funcs.items()}
    return result | {name: [(value(i.low), value(i.high)) for i in box] for name, box in plan.input_boxes.items()}


def sizes_of_app(app, algorithm, size) -> Mapping[str, object]:
    """Output, images and Params of an app for an output of that size."""
    arrays = app.example(size)
    images = {image.name(): tuple((0, n) for n in arrays[key].shape[::-1]) for key, image in algorithm.images.items()}
    output = {algorithm.output.name(): tuple((0, n) for n in size)}
    return Sizes(output, images, {param.name(): app.settings.get(key, 1) for key, param in algorithm.params.items()})
