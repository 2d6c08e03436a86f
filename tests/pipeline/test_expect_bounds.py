"""expect_bounds makes loops for one interval, and every other interval is right all the same."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ScheduleError
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.printer import to_text
from pipec.lower.lower import lower
from pipec.schedule.schedule import Schedule

x, y, c = hl.vars("x y c")


def colours():
    image = np.arange(5 * 6 * 7, dtype=np.uint8).reshape(5, 6, 7)
    source = hl.Buffer(image, "source")
    middle, output = hl.funcs("middle output")
    middle[x, y, c] = source[x, y, c] + 1
    output[x, y, c] = hl.mux(c, [middle[x, y, 0], middle[x, y, 1] * 2, middle[x, y, 2] * 3, middle[x, y, 3] * 5])
    factors = np.array([1, 2, 3, 5], np.uint8)[:, None, None]
    return output, middle, (image[:4] + 1) * factors


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_other_extents_than_the_expected_one_are_right(channels):
    output, middle, expected = colours()
    output.expect_bounds(c, 0, 3).reorder(c, x, y).unroll(c).vectorize(x, 4)
    middle.compute_at(output, x).expect_bounds(c, 0, 4).unroll(c)
    np.testing.assert_array_equal(output.realize([7, 6, channels]).numpy(), expected[:channels])


@pytest.mark.parametrize("minimum", [0, 1])
def test_other_minima_than_the_expected_one_are_right(minimum):
    output, _, expected = colours()
    output.expect_bounds(c, 0, 3).reorder(c, x, y).unroll(c)
    buffer = hl.Buffer(hl.UInt(8), [7, 6, 3])
    buffer.set_min([0, 0, minimum])
    output.realize(buffer)
    np.testing.assert_array_equal(np.asarray(buffer), expected[minimum : minimum + 3])


def test_the_variant_that_is_expected_knows_the_coordinates():
    output, _, _ = colours()
    output.expect_bounds(c, 0, 3).reorder(c, x, y).unroll(c)
    definition, _ = freeze([output.function])
    schedule = schedule_of([output.function])
    fast, general = (
        to_text(lower(definition, schedule, hl.get_host_target(), exact_tails=exact).body) for exact in (False, True)
    )
    assert "select" not in fast
    assert "select" in general


def test_what_inputs_must_cover_does_not_depend_on_it():
    source = hl.ImageParam(hl.UInt(8), 3, "source")
    output = hl.Func("output")
    output[x, y, c] = source[x, y, c]
    output.expect_bounds(c, 0, 3).unroll(c)
    output.infer_input_bounds([4, 5, 2])
    assert source.get().dim(2).extent() == 2


def test_it_comes_back_from_python_and_json():
    output, _, _ = colours()
    output.expect_bounds(c, 0, 3)
    schedule = output.function.schedule
    assert Schedule.from_json(schedule.to_json()) == schedule
    data = hl.serialize_pipeline(hl.Pipeline(output))
    second = hl.deserialize_pipeline(data, {}).outputs()[0]
    assert "expect_bounds(c, 0, 3)" in second.function.schedule.to_python()


def test_an_empty_interval_is_refused():
    output, _, _ = colours()
    with pytest.raises(ScheduleError, match="extent expected of c is 0, but must be at least 1"):
        output.expect_bounds(c, 0, 0)
    with pytest.raises(ScheduleError, match="not one of the pure variables"):
        output.expect_bounds(hl.Var("z"), 0, 3)


@pytest.mark.parametrize("size", [1, 5, 8])
def test_aligned_bounds_ask_no_more_of_an_input_than_it_has(size):
    image = np.arange(8, dtype=np.uint8)[:size]
    f, g = hl.funcs("f g")
    f[x] = hl.Buffer(image, "image")[x] + x % 2
    g[x] = f[x] * 2
    f.compute_root().align_bounds(x, 4)
    np.testing.assert_array_equal(g.realize([size]).numpy(), (image + np.arange(size) % 2) * 2)
