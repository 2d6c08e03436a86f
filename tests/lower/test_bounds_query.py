"""The program that answers bounds queries gives the boxes that planning gives as numbers."""

import numpy as np
import pytest

from pipec.errors import NotSupportedError
from pipec.ir import interp
from pipec.ir.program import ProgramArgumentKind
from pipec.lower.bounds_query import bounds_query
from pipec.lower.required_boxes import RegionQuery
from pipec.records import replace
from tests.fuzz.case import make_case
from tests.fuzz.runs import Image, legalized, plan_only

# An extern stage says what it reads.
EXTERN = 1075


def is_constrained(definition, name):
    image = definition.images.get(name) or definition.output_constraints.get(name)
    return image is not None and any(low is not None or size is not None for low, size, _ in image.constraints)


def answers(query, images, boxes, scalars):
    """The boxes that the program stores, by buffer."""
    arguments = query.program.arguments[:-1]
    buffers = dict(images)
    for argument in arguments:
        if argument.kind is ProgramArgumentKind.OUTPUT:
            box = boxes[argument.name]
            zeros = np.zeros([extent for _, extent in box], argument.type.numpy())
            buffers[argument.name] = Image(zeros, tuple([low for low, _ in box]))
    count = sum(3 * argument.dimensions for argument in arguments)
    buffers[query.result] = Image(np.zeros(count, np.int32), (0,))
    # The interpreter demands that a program stores all its outputs.
    inputs = [a if a.name not in boxes else replace(a, kind=ProgramArgumentKind.INPUT) for a in arguments]
    program = replace(query.program, arguments=(*inputs, query.program.arguments[-1]))
    numbers = iter(interp.run(program, buffers, scalars, strict=False)[query.result].reshape(-1, 3).tolist())
    return {a.name: [tuple(next(numbers)[:2]) for _ in range(a.dimensions)] for a in arguments if a.name in buffers}


def test_regions_that_an_extern_stage_decides_have_no_query():
    prepared = legalized(make_case(EXTERN), plan_only)
    with pytest.raises(NotSupportedError, match="answers no bounds queries: .* depend on what an extern stage says"):
        bounds_query(prepared.definition, prepared.schedule)


@pytest.mark.parametrize("seed", range(1000, 1016))
@pytest.mark.part(3)
def test_random_pipelines(seed):
    prepared = legalized(make_case(seed), plan_only)
    definition = prepared.definition
    query = bounds_query(definition, prepared.schedule)
    region = RegionQuery(definition, prepared.schedule)
    for variant in prepared.case.variants():
        buffers = [a for a in query.program.arguments[:-1] if a.kind is ProgramArgumentKind.OUTPUT]
        boxes = {buffer.name: [tuple(side) for side in variant.box] for buffer in buffers}
        images, scalars = prepared.inputs(variant), prepared.scalars(variant)
        shapes = {n: [(i.minimum(d), i.array.shape[d]) for d in range(i.array.ndim)] for n, i in images.items()}
        if not any(map(len, [*boxes.values(), *shapes.values()])):
            continue
        expected = region.boxes(boxes, scalars, shapes)
        for name, box in answers(query, images, boxes, scalars).items():
            if name in expected and not is_constrained(definition, name):
                assert box == expected[name], name
