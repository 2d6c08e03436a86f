"""The forms of the interface, ties, infinities, integers, reported zeros, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec import diagnostics
from pipec.autodiff import rules

x, y = hl.vars("x y")
ROW = np.array([1, 2, 4, 8], np.float32)


def row(name: str = "row", values: Any = ROW) -> hl.Buffer:
    return hl.Buffer(np.array(values, np.float32), name)


def values(f: hl.Func, *sizes: int) -> Any:
    return f.realize(list(sizes)).numpy().tolist()


def squares(b: hl.Buffer) -> hl.Func:
    f = hl.Func("f")
    f[x] = b[x] * b[x]
    return f


# The interface


def test_the_adjoint_may_be_ones_a_buffer_an_array_a_func_or_an_image_param() -> None:
    b = row()
    weights, image = np.array([1, 0, 2, 1], np.float32), hl.ImageParam(hl.Float(32), 1, "weights")
    image.set(weights)
    g = hl.Func("g")
    g[x] = hl.f32(x)
    expected = {"ones": [2, 4, 8, 16], "weights": [2, 0, 16, 16], "func": [0, 4, 16, 48]}
    assert values(hl.grad(squares(b), b, bounds=[(0, 4)]), 4) == expected["ones"]
    assert values(hl.propagate_adjoints(squares(b), [(0, 4)])[b], 4) == expected["ones"]
    for adjoint in (weights, hl.Buffer(weights), image):
        assert values(hl.propagate_adjoints(squares(b), adjoint)[b], 4) == expected["weights"]
    assert values(hl.propagate_adjoints(squares(b), g, [(0, 4)])[b], 4) == expected["func"]
    assert values(hl.propagate_adjoints(squares(b), g, [hl.Range(0, 4)])[b], 4) == expected["func"]


def test_a_func_has_an_adjoint_after_each_of_its_definitions() -> None:
    b, f, total, r = row(), hl.Func("f"), hl.Func("total"), hl.RDom([(0, 4)])
    f[x] = b[x]
    f[x] = f[x] * 2.0
    f[x] += 3.0
    total[()] = 0.0
    total[()] += f[r]
    d = hl.propagate_adjoints(total)
    assert [values(d[f], 2), values(d[f, 0], 2), values(d[f, 1], 2)] == [[2, 2], [1, 1], [1, 1]]
    assert values(d[b], 2) == [2, 2]
    assert values(hl.grad(total, f), 2) == [1, 1]
    with pytest.raises(hl.ArgumentError, match="has no update number 2: it has 2 update"):
        d[f, 2]
    with pytest.raises(hl.ArgumentError, match="Could not find Func other"):
        d[squares_named_other()]


def squares_named_other() -> hl.Func:
    other = hl.Func("other")
    other[x] = 1.0
    return other


def test_params_and_image_params_of_any_size() -> None:
    image, gain = hl.ImageParam(hl.Float(32), 2, "image"), hl.Param(hl.Float(32), "gain", 2.0)
    e, f, loss = hl.BoundaryConditions.repeat_edge(image), hl.Func("f"), hl.Func("loss")
    f[x, y] = e[x - 1, y] * gain + e[x, y + 1]
    r = hl.RDom([(0, image.width()), (0, image.height())])
    loss[()] = 0.0
    loss[()] += f[r.x, r.y]
    d_image, d_gain = hl.grad(loss, [image, gain])
    for width, height in ((4, 3), (1, 1), (2, 5)):
        pixels = np.arange(width * height, dtype=np.float32).reshape(height, width)
        image.set(pixels)
        shifted = np.concatenate([pixels[:, :1], pixels[:, :-1]], 1)
        assert d_gain.realize().numpy() == shifted.sum()
        counts = np.zeros((height, width), np.float32)
        for i in range(height):
            for j in range(width):
                counts[i, max(j - 1, 0)] += 2
                counts[min(i + 1, height - 1), j] += 1
        assert np.array_equal(d_image.realize([width, height]).numpy(), counts)


def test_gradients_are_zero_outside_and_for_what_has_no_influence() -> None:
    b, other, f = row(), row("other"), hl.Func("f")
    f[x] = b[x] * 2.0 + hl.f32(hl.i32(other[x]))
    d = hl.propagate_adjoints(f, [(0, 3)])
    out = hl.Buffer(hl.Float(32), [8])
    out.set_min([-2])
    d[b].realize(out)
    assert out.numpy().tolist() == [0, 0, 2, 2, 2, 0, 0, 0]
    assert values(d[other], 4) == [0, 0, 0, 0]


# Clean definitions


def test_a_convolution_has_a_gather_and_a_sum_as_gradients() -> None:
    b, w = hl.Buffer(np.zeros((9, 9), np.float32), "b"), hl.Buffer(np.zeros((5, 5), np.float32), "w")
    f, r = hl.Func("f"), hl.RDom([(0, 5), (0, 5)], "r")
    f[x, y] = 0.0
    f[x, y] += b[x + r.x, y + r.y] * w[r.x, r.y]
    d_b, d_w = hl.grad(f, [b, w], bounds=[(0, 5), (0, 5)])
    for g, sizes in ((d_b, (5, 5)), (d_w, (5, 5))):
        assert g.num_update_definitions() == 1
        assert [str(arg) for arg in g.function.stages[1].args] == ["x", "y"]
        assert tuple(loop.extent.value for loop in g.function.stages[1].rvars) == sizes


def test_taps_that_are_written_out_become_one_pure_gather() -> None:
    b, f = hl.Buffer(np.zeros((9, 9), np.float32), "b"), hl.Func("f")
    f[x, y] = b[x, y] + b[x + 1, y] * 2 + b[x, y + 2] * 3
    assert not hl.grad(f, b, bounds=[(0, 5), (0, 5)]).has_update_definition()


def test_doubling_the_size_has_a_pure_gather_as_gradient() -> None:
    b, f = hl.Buffer(np.zeros((9, 9), np.float32), "b"), hl.Func("f")
    f[x, y] = b[x // 2, y // 2]
    assert not hl.grad(f, b, bounds=[(0, 18), (0, 18)]).has_update_definition()


# Meaning


def test_ties_go_to_one_side() -> None:
    b, f = row(values=[1, 1, 1, 1]), hl.Func("f")
    f[x] = hl.max(b[x], b[x]) + hl.min(b[x], 1.0) * 10 + hl.max(b[x], b[3 - x])
    assert values(hl.grad(f, b, bounds=[(0, 4)]), 4) == [12, 12, 12, 12]
    top, r = hl.Func("top"), hl.RDom([(0, 4)])
    top[()] = hl.maximum(b[r])
    assert values(hl.grad(top, b), 4) == [1, 0, 0, 0]


def test_infinite_slopes_behind_a_select_do_no_harm() -> None:
    b, f, g = row(values=[0, 1, 4, 0]), hl.Func("f"), hl.Func("g")
    f[x] = hl.select(b[x] > 0, hl.log(b[x]) + hl.sqrt(b[x]) + 1 / b[x], 0.0)
    expected = [0, 0.5, 0.25 + 0.25 - 1 / 16, 0]
    assert values(hl.grad(f, b, bounds=[(0, 4)]), 4) == expected
    # The same with a Func between the select and the function.
    inner = hl.Func("inner")
    inner[x] = hl.log(b[x]) + hl.sqrt(b[x]) + 1 / b[x]
    g[x] = hl.select(b[x] > 0, inner[x], 0.0)
    assert values(hl.grad(g, b, bounds=[(0, 4)]), 4) == expected


def test_integers_on_the_way_to_a_float_count_as_real_numbers() -> None:
    b, f = hl.Buffer(np.array([1, 2, 3, 4], np.uint8), "b"), hl.Func("f")
    f[x] = hl.f32(hl.i32(b[x]) * 3 - hl.i32(b[3 - x])) * 0.5
    g = hl.grad(f, b, bounds=[(0, 4)])
    assert g.type() == hl.Float(32) and values(g, 4) == [1, 1, 1, 1]


def test_saturated_sums_are_constant_and_shifts_are_products() -> None:
    b, f = hl.Buffer(np.array([1, 20, 200, 250], np.uint8), "b"), hl.Func("f")
    f[x] = hl.f32(hl.saturating_add(b[x], hl.u8(50))) + hl.f32(hl.saturating_sub(b[x], hl.u8(10)))
    assert values(hl.grad(f, b, bounds=[(0, 4)]), 4) == [1, 2, 2, 1]
    g = hl.Func("g")
    g[x] = hl.f32(hl.i32(b[x]) << 3)
    assert values(hl.grad(g, b, bounds=[(0, 4)]), 4) == [8, 8, 8, 8]


def test_what_has_steps_instead_of_a_slope_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    diagnostics._warned.clear()
    b = row()
    for _ in range(2):
        f = hl.Func("stepped")
        f[x] = hl.floor(b[x]) * b[x]
        assert values(hl.grad(f, b, bounds=[(0, 4)]), 4) == [1, 2, 4, 8]
        reports = capsys.readouterr().out
    hl.grad(f, b, bounds=[(0, 4)])
    assert "the derivative of floor() in the definition of Func stepped" in reports
    assert "floor" not in capsys.readouterr().out


def test_coordinates_change_in_jumps_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    diagnostics._warned.clear()
    b, f, whole, g = row(), *hl.funcs("f whole g")
    position = hl.clamp(b[x], 0.0, 2.5)
    at = hl.i32(hl.floor(position))
    f[x] = hl.lerp(b[at], b[at + 1], position - hl.f32(at))
    whole[x] = at
    g[x] = hl.lerp(b[whole[x]], b[whole[x] + 1], position - whole[x])
    assert values(hl.grad(f, b, bounds=[(0, 4)]), 4) == values(hl.grad(g, b, bounds=[(0, 4)]), 4)
    assert not capsys.readouterr().out
    other = hl.Func("other")
    other[x] = hl.f32(whole[x])
    hl.grad(other, b, bounds=[(0, 4)])
    assert "the derivative of a cast from float32 to int32" in capsys.readouterr().out


def test_integer_tables_stay_integers_in_central_differences() -> None:
    b, f = row(), hl.Func("f")
    places = hl.Buffer(np.array([3, 0, 0, 2], np.int32), "places")
    f[x] = b[hl.clamp(places[x], 0, 3)] * b[x]
    assert hl.check_gradient(f, bounds=[(0, 4)])


# What is refused


def test_overwriting_in_an_unknown_order_is_refused() -> None:
    b, f, r = row(), hl.Func("f"), hl.RDom([(0, 4)])
    f[x] = 0.0
    f[hl.clamp(hl.i32(b[r]), 0, 3)] = b[r]
    with pytest.raises(hl.NotSupportedError, match="it may write an element twice.*order of the iterations"):
        hl.grad(f, b, bounds=[(0, 4)])


def test_two_values_for_one_element_at_once_are_refused() -> None:
    b, f, number = row(), hl.Func("f"), hl.Param(hl.Int(32), "number", 2)
    f[x] = b[x]
    f[hl.scatter([hl.clamp(number, 0, 3), 2])] += hl.gather([3.0, 4.0])
    with pytest.raises(hl.NotSupportedError, match="may be the same element"):
        hl.grad(f, b, bounds=[(0, 4)])


def test_a_sweep_over_itself_again_and_again_is_refused() -> None:
    b, f, r = row(), hl.Func("f"), hl.RDom([(1, 2), (0, 3)])
    f[x] = b[x]
    f[r.x] = f[r.x - 1] * f[r.x + 1]
    with pytest.raises(hl.NotSupportedError, match="Give the Func a dimension for time"):
        hl.grad(f, b, bounds=[(0, 4)])


def test_extern_stages_are_refused_where_the_gradient_passes_them() -> None:
    b, e, f = row(), hl.Func("e"), hl.Func("f")
    e.define_extern("unknown_function", [b], hl.Float(32), 1)
    f[x] = e[x] + b[x]
    with pytest.raises(hl.NotSupportedError, match="computed by the C function unknown_function"):
        hl.propagate_adjoints(f, [(0, 4)])


def test_places_without_limits_are_refused() -> None:
    b, f, g = row(), hl.Func("unlimited"), hl.Func("g")
    f[x] = b[x] * 2.0
    g[x] = f[hl.i32(b[x])]
    with pytest.raises(hl.BoundsError, match="Access to function or buffer unlimited at dimension 0 is not bounded"):
        hl.grad(g, b, bounds=[(0, 4)])


def test_wrong_arguments_are_refused() -> None:
    b, whole = row(), hl.Func("whole")
    whole[x] = x
    with pytest.raises(hl.ArgumentError, match="only floats have a derivative"):
        hl.grad(whole, b, bounds=[(0, 4)])
    with pytest.raises(hl.ArgumentError, match=r"needs an adjoint or bounds: a \(min, extent\) pair for each of x"):
        hl.propagate_adjoints(squares(b))
    with pytest.raises(hl.ArgumentError, match="has 2 dimensions, but Func"):
        hl.grad(squares(b), b, np.zeros((2, 2), np.float32))
    with pytest.raises(TypeError, match="with respect to a Func, Buffer, ImageParam or Param"):
        hl.grad(squares(b), x, bounds=[(0, 4)])  # type: ignore[call-overload]


def test_an_intrinsic_without_a_derivative_rule_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(rules.INTRINSICS, "tanh")
    b, f = row(), hl.Func("f")
    f[x] = hl.tanh(b[x])
    with pytest.raises(hl.NotSupportedError, match=r"the definition of Func f.* calls tanh\(\), which has no derivati"):
        hl.grad(f, b, bounds=[(0, 4)])
