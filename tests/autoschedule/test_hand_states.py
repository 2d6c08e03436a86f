"""The space can say what the hand schedules say: their states are legal, compile, and give the right pixels."""

from __future__ import annotations

import numpy as np
import pytest
from hand_states import HAND_STATES, hand_state

import pipec as hl
from apps.registry import APPS
from pipec.autoschedule.dag.build_dag import Sizes, build_dag
from pipec.autoschedule.emit.emit import apply, emit
from pipec.autoschedule.space.cpu.legality import problems
from pipec.func.functions.freeze import freeze


@pytest.mark.part(3)
@pytest.mark.parametrize("name", [name for name in HAND_STATES if name not in ("stencil_chain", "max_filter")])
def test_hand_schedules_are_in_the_space(name):
    app = APPS[name]
    algorithm = app.build(hl)
    definition, _ = freeze([algorithm.output.function])
    images = app.example(app.test_size)
    boxes = {image: tuple((0, extent) for extent in array.shape[::-1]) for image, array in images.items()}
    output = {definition.outputs[0]: tuple((0, extent) for extent in app.test_size)}
    dag = build_dag(definition, Sizes(output, boxes, dict(app.settings)), threads=2)
    state = hand_state(name, dag)
    assert problems(dag, state) == []
    schedule = emit(dag, state)
    # Tiles of the mosaic hold whole groups of four sensor pixels.
    assert ("align_bounds(x, 2).align_bounds(y, 2)" in schedule.to_python()) == (name == "camera_pipe")
    apply(schedule, [algorithm.output.function])
    compiled = algorithm.output.compile_to_callable(algorithm.arguments())
    result = app.empty_output(app.test_size)
    compiled(*[images[n] for n in algorithm.images], *[app.settings[n] for n in algorithm.params], result)
    np.testing.assert_allclose(result.astype(float), app.reference(images, app.settings), atol=app.tolerance, rtol=0)
