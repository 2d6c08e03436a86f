"""Where the sizes come from that a search reckons with, and which come first."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.dag.estimates import estimated
from pipec.errors import ArgumentError
from pipec.func.functions.freeze import freeze, schedule_of


def _sizes(output: hl.Func, **arguments):
    outputs = [output.function]
    definition, bindings = freeze(outputs)
    return estimated(outputs, definition, bindings, schedule_of(outputs), **arguments)


def _filter(dimensions: int = 2) -> tuple[hl.Func, hl.ImageParam, hl.Param]:
    variables = hl.vars("x y c")[:dimensions]
    image, gain = hl.ImageParam(hl.UInt(8), dimensions, "image"), hl.Param(hl.Float(32), "gain")
    f = hl.Func("f")
    f[variables] = hl.f32(hl.BoundaryConditions.repeat_edge(image)[variables]) * gain
    return f, image, gain


def test_an_array_is_the_image_and_tells_the_size_of_the_output() -> None:
    f, _, _ = _filter()
    sizes = _sizes(f, like=np.zeros((480, 640), np.uint8))
    assert sizes.images == {"image": ((0, 640), (0, 480))} and sizes.outputs == {"f": ((0, 640), (0, 480))}
    assert sizes.scalars == {"gain": 1}


def test_a_buffer_keeps_its_minimum_and_sizes_come_before_it() -> None:
    f, _, _ = _filter()
    photo = hl.Buffer(hl.UInt(8), [64, 48])
    photo.set_min([-3, 5])
    sizes = _sizes(f, like=photo, sizes=[10, 20])
    assert sizes.images == {"image": ((-3, 64), (5, 48))} and sizes.outputs == {"f": ((0, 10), (0, 20))}


def test_names_give_arrays_sizes_and_numbers() -> None:
    f, _, gain = _filter()
    gain.set(3.0)
    assert _sizes(f).scalars == {"gain": 3.0}
    sizes = _sizes(f, like={"image": [100, 50], "gain": 2.5, "f": [90, (1, 40)]})
    assert sizes.images == {"image": ((0, 100), (0, 50))} and sizes.scalars == {"gain": 2.5}
    assert sizes.outputs == {"f": ((0, 90), (1, 40))}


def test_estimates_of_users_are_heeded() -> None:
    f, image, gain = _filter(3)
    image.set_estimates([(0, 200), (0, 100), (0, 4)])
    f.set_estimates([(0, 180), (10, 90), (0, 4)])
    gain.set_estimate(0.5)
    sizes = _sizes(f)
    assert sizes.images == {"image": ((0, 200), (0, 100), (0, 4))}
    assert sizes.outputs == {"f": ((0, 180), (10, 90), (0, 4))} and sizes.scalars == {"gain": 0.5}


def test_bounds_and_constraints_are_estimates() -> None:
    f, image, _ = _filter(3)
    f.bound(f.args()[2], 0, 4)
    image.dim(2).set_bounds(0, 4)
    image.dim(0).set_estimate(0, 320)
    image.dim(1).set_estimate(0, 240)
    sizes = _sizes(f)
    assert sizes.outputs["f"][2] == (0, 4) and sizes.images["image"] == ((0, 320), (0, 240), (0, 4))


def test_what_is_bound_counts_and_without_anything_a_photograph_is_expected() -> None:
    f, image, _ = _filter(3)
    usual = _sizes(f)
    assert usual.outputs == {"f": ((0, 1536), (0, 2560), (0, 3))} and usual.images["image"] == usual.outputs["f"]
    image.set(np.zeros((3, 48, 64), np.uint8))
    assert _sizes(f).outputs == {"f": ((0, 64), (0, 48), (0, 3))}


def test_output_buffers_have_estimates_of_their_own() -> None:
    f, _, _ = _filter()
    f.output_buffer().set_estimates([(0, 33), (0, 44)])
    assert _sizes(f).outputs == {"f": ((0, 33), (0, 44))}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"like": np.zeros(4, np.uint8)}, "has 1 dimensions; no image or output of f has as many"),
        ({"like": {"image": [1, 2, 3]}}, "image has 2 dimensions, but the sizes"),
        ({"like": {"image": np.zeros((2, 2, 2), np.uint8)}}, "image has 2 dimensions; what was given for it has 3"),
        ({"like": {"gain": "much"}}, "give a number"),
        ({"like": {"image": "large"}}, "is no size of image"),
        ({"like": {"image": [0, 4]}}, "not positive whole numbers"),
        ({"sizes": {"g": [4, 4]}}, "sizes= names 'g'"),
        ({"sizes": [1.5, 2]}, "not positive whole numbers"),
    ],
)
def test_what_does_not_fit_is_refused(arguments: dict, text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        _sizes(_filter()[0], **arguments)
