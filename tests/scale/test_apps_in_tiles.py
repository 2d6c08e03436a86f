"""Every application and every pipeline of the zoo gives in tiles what it gives as a whole."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from apps.registry import APPS
from bench.zoo.registry import ZOO


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(APPS))
def test_an_application_is_the_same_in_tiles(name: str) -> None:
    app = APPS[name]
    algorithm = app.build(hl)
    app.schedule(hl, algorithm)
    for key, param in algorithm.params.items():
        param.set(app.settings[key])
    size = app.bench_size if app.fixed else app.test_size
    inputs = app.example(size)
    for key, image in algorithm.images.items():
        image.set(hl.Buffer(inputs[key]))
    expected = app.empty_output(size)
    algorithm.output.realize(expected)
    result = np.zeros_like(expected)
    steps = [app.granularity[app.axes.index(d)] if d in app.axes else 1 for d in range(len(size))]
    tile = [
        extent if extent <= 4 else max(step, -(-extent // (3 * step)) * step)
        for extent, step in zip(size, steps, strict=True)
    ]
    arrays = {image.name(): inputs[key] for key, image in algorithm.images.items()}
    run = algorithm.output.realize_tiled(arrays, result, sizes=list(size), tile=tile[::-1])
    assert run.tiles > 1
    if app.tolerance and expected.dtype.kind == "f":
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
    else:
        np.testing.assert_array_equal(result, expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ZOO))
def test_a_pipeline_of_the_zoo_is_the_same_in_tiles(name: str) -> None:
    entry = ZOO[name]
    algorithm = entry.build(hl)
    for key, param in algorithm.params.items():
        param.set(entry.settings[key])
    inputs, expected = entry.inputs(entry.test_size), entry.empty_output(entry.test_size)
    for key, image in algorithm.images.items():
        image.set(hl.Buffer(inputs[key]))
    sizes = list(reversed(expected.shape))
    algorithm.output.autoschedule(sizes=sizes, strategy="trivial", verify=False, verbose=False)
    algorithm.output.realize(expected)
    result = np.zeros_like(expected)
    tile = [extent if extent <= 4 else -(-extent // 3) for extent in expected.shape]
    needed = {argument.name for argument in algorithm.output.infer_arguments()}
    arrays = {i.name(): inputs[key] for key, i in algorithm.images.items() if i.name() in needed}
    run = algorithm.output.realize_tiled(arrays, result, sizes=sizes, tile=tile)
    assert run.tiles > 1
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5 * max(1.0, np.abs(expected).max()))
    else:
        np.testing.assert_array_equal(result, expected)
