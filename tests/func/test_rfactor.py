"""rfactor: what it computes, what it leaves of the schedule, what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.lower.legality.apply_schedule import apply_schedule
from pipec.schedule.schedule import Schedule

PIXELS = np.random.default_rng(7).integers(0, 256, (9, 21)).astype(np.uint8)
image = hl.Buffer(PIXELS, "image")
count = hl.Param(hl.Int(32), "count", 4)
x, y, xo, xi, u, v, w = hl.vars("x y xo xi u v w")
ro, ri, rf = hl.RVar("ro"), hl.RVar("ri"), hl.RVar("rf")


def pixels(name: str = "r") -> hl.RDom:
    return hl.RDom([(0, 21), (0, 9)], name)


def histogram() -> tuple[hl.Func, hl.RDom]:
    f, r = hl.Func("histogram"), pixels()
    f[x] = 0
    f[hl.i32(image[r.x, r.y])] += 1
    return f, r


def sums() -> tuple[hl.Func, hl.RDom]:
    f, r = hl.Func("sums"), pixels()
    r.where(r.x + r.y < 15 + x)
    r.where(r.y != 3)
    f[x, y] = hl.i32(1)
    f[x, y] += image[r.x, r.y] * (y + 1)
    return f, r


def argmax() -> tuple[hl.Func, hl.RDom]:
    f, r = hl.Func("argmax"), pixels()
    value = image[hl.clamp(r.x + x, 0, 20), r.y] / 16
    f[x] = (7, 7, hl.u8(0))
    larger = value > f[x][2]
    f[x] = tuple(
        [hl.select(larger, new, old) for new, old in zip((r.x, r.y, value), (f[x][0], f[x][1], f[x][2]), strict=True)]
    )
    return f, r


def last_maximum() -> tuple[hl.Func, hl.RDom]:
    f, r = hl.Func("last"), pixels()
    value = image[r.x, r.y] / 16
    f[x] = (hl.u8(x), 9)
    f[x] = (hl.max(f[x][0], value), hl.select(f[x][0] <= value, r.x + 21 * r.y, f[x][1]))
    return f, r


def complex_products() -> tuple[hl.Func, hl.RDom]:
    f, r = hl.Func("products"), pixels()
    a, b = hl.u32(image[r.x, r.y]), hl.u32(image[r.x, r.y]) + hl.u32(x)
    f[x] = (hl.u32(1), hl.u32(2))
    f[x] = (f[x][0] * a - f[x][1] * b, f[x][0] * b + f[x][1] * a)
    return f, r


def recurrence() -> tuple[hl.Func, hl.RDom]:
    f, r = hl.Func("recurrence"), pixels()
    a, b = hl.u32(image[r.x, r.y]), hl.u32(r.x) + hl.u32(x)
    f[x] = (hl.u32(1), hl.u32(2))
    f[x] = (f[x][0] * a, f[x][1] * a + b)
    return f, r


def by_count() -> tuple[hl.Func, hl.RDom]:
    f, r = hl.Func("by_count"), hl.RDom([(1, count * 3 + 1), (2, 5)], "r")
    f[x] = 0
    f[x] += image[r.x, r.y] * x
    return f, r


def by_count_twice(f: hl.Func, r: hl.RDom) -> None:
    f.update().rfactor([(r.x, u), (r.y, v)]).compute_root()
    f.update().rfactor(r.y, w).compute_root()


def nested(f: hl.Func, r: hl.RDom) -> None:
    rows = f.update().rfactor(r.y, u)
    rows.compute_root()
    rows.update().rfactor(r.x, v).compute_at(rows, u).update().vectorize(v, 4)


CASES: dict[str, tuple[Callable[[], tuple[hl.Func, hl.RDom]], Callable[[hl.Func, hl.RDom], Any], list[int]]] = {
    "rows of a histogram": (
        histogram,
        lambda f, r: f.update().rfactor(r.y, u).compute_root().update().parallel(u),
        [256],
    ),
    "columns of a histogram in lanes": (
        histogram,
        lambda f, r: f.update().rfactor(r.x, u).compute_root().update().vectorize(u, 8),
        [256],
    ),
    "blocks of a histogram": (
        histogram,
        lambda f, r: (
            f.update().split(r.x, ro, ri, 4).rfactor([(ro, u), (r.y, v)]).compute_root().update().vectorize(u, 4)
        ),
        [256],
    ),
    "where it is used": (histogram, lambda f, r: f.update().rfactor(r.x, u).compute_at(f, x), [256]),
    "lanes": (sums, lambda f, r: f.update().split(r.x, ro, ri, 8).rfactor(ri, u).update().vectorize(u), [5, 4]),
    "a fused domain": (
        sums,
        lambda f, r: f.update().fuse(r.x, r.y, rf).split(rf, ro, ri, 16).rfactor([(ri, v), (ro, u)]).compute_root(),
        [5, 4],
    ),
    "a split of a split": (
        sums,
        lambda f, r: f.update().split(r.x, ro, ri, 5).split(ro, rf, hl.RVar("ri2"), 2).rfactor(rf, u).compute_root(),
        [5, 4],
    ),
    "loops over Vars": (
        sums,
        lambda f, r: (
            f.update()
            .split(x, xo, xi, 4)
            .vectorize(xi)
            .parallel(y)
            .reorder(r.x, xi, r.y, xo, y)
            .rfactor(r.x, u)
            .compute_at(f, xo)
        ),
        [5, 4],
    ),
    "argmax": (argmax, lambda f, r: f.update().rfactor(r.y, u).compute_root().update().parallel(u), [6]),
    "argmax of blocks": (argmax, lambda f, r: f.update().split(r.y, ro, ri, 2).rfactor(ro, u).compute_root(), [6]),
    "the last maximum": (last_maximum, lambda f, r: f.update().rfactor(r.y, u).compute_root(), [20]),
    "the last maximum of blocks": (
        last_maximum,
        lambda f, r: f.update().split(r.y, ro, ri, 2).rfactor(ro, u).compute_root(),
        [20],
    ),
    "complex products": (
        complex_products,
        lambda f, r: f.update().rfactor(r.x, u).compute_root().update().parallel(u).vectorize(x, 4),
        [6],
    ),
    "a recurrence": (recurrence, lambda f, r: f.update().rfactor(r.y, u).compute_root().update().parallel(u), [6]),
    "extents from a Param": (
        by_count,
        lambda f, r: (
            f.update().split(r.x, ro, ri, count).rfactor([(r.y, v), (ro, u)]).compute_root().update().vectorize(u, 4)
        ),
        [6],
    ),
    "twice": (by_count, by_count_twice, [6]),
    "the intermediate Func as well": (by_count, nested, [6]),
}


def values(f: hl.Func, size: list[int]) -> list[Any]:
    result = f.realize(size)
    return [np.asarray(part) for part in (result if isinstance(result, tuple) else [result])]


@pytest.mark.part(3)
@pytest.mark.parametrize("name", CASES)
def test_parts_merge_to_the_same(name: str) -> None:
    make, schedule, size = CASES[name]
    plain, _ = make()
    factored, r = make()
    schedule(factored, r)
    for result, expected in zip(values(factored, size), values(plain, size), strict=True):
        np.testing.assert_array_equal(result, expected)


def test_the_schedule_is_divided_between_the_two_updates() -> None:
    f, r = sums()
    built = f.update().split(x, xo, xi, 4).vectorize(xi).parallel(y).reorder(r.y, xi, r.x, xo, y).rfactor(r.y, u)
    assert built.name() == f"{f.name()}_intm"
    assert [var.name() for var in built.args()] == ["x", "y", "u"]
    assert built.update().dump_argument_list() == "Vars: u xi r$x xo y __outermost\n"
    assert f.update().dump_argument_list() == "Vars: r$y xi xo y __outermost\n"
    assert [rvar.name() for rvar in f.rvars(0)] == ["r$y"]


def test_text_of_the_schedule_makes_it_again() -> None:
    f, r = by_count()
    built = f.update().split(r.x, ro, ri, count).split(x, xo, xi, 4).vectorize(xi).rfactor([(ro, u), (r.y, v)])
    built.compute_root().vectorize(x, 8).update().parallel(v).reorder(u, ri)
    built.update().rfactor(ri, w).compute_at(built, v)
    f.update().rfactor(r.y, y).compute_root()
    f.update().unroll(xo, 2)
    schedule = schedule_of([f.function])
    assert Schedule.from_json(schedule.to_json()) == schedule
    assert apply_schedule(freeze([f.function])[0], schedule) == schedule
    text = schedule.to_python()
    assert text.count("rfactor") == 3
    other, _ = by_count()
    # In the text a Func has the name that it has in the program.
    name = f.name().replace("$", "_")
    exec(text, {"hl": hl, "count": count, name: other})
    assert schedule_of([other.function]).to_python().replace(other.name().replace("$", "_"), name) == text
    np.testing.assert_array_equal(values(other, [6])[0], values(by_count()[0], [6])[0])


def test_a_serialized_pipeline_keeps_it() -> None:
    f, r = sums()
    f.update().split(r.x, ro, ri, 4).rfactor([(ro, u), (r.y, v)]).compute_root().update().parallel(v)
    expected = values(f, [6, 3])[0]
    second = hl.deserialize_pipeline(hl.serialize_pipeline(hl.Pipeline(f)))
    assert "rfactor" in schedule_of([func.function for func in second.outputs()]).to_python()
    np.testing.assert_array_equal(np.asarray(second.realize([6, 3])), expected)


def test_the_new_dimensions_come_in_the_order_of_the_loops() -> None:
    f, r = sums()
    built = f.update().reorder(r.y, r.x).rfactor([(r.x, v), (r.y, u)])
    assert [var.name() for var in built.args()] == ["x", "y", "u", "v"]


def test_rfactor_after_realize_compiles_anew() -> None:
    f, r = sums()
    before = values(f, [5, 4])[0]
    f.update().rfactor(r.y, u).compute_root()
    np.testing.assert_array_equal(values(f, [5, 4])[0], before)


def test_an_update_of_a_clone() -> None:
    def program(change: Callable[[hl.Func], Any]) -> Any:
        source, f, g = hl.funcs("source f g")
        r = hl.RDom([(0, 21), (0, 9)], "r")
        source[x, y] = hl.i32(image[hl.clamp(x, 0, 20), hl.clamp(y, 0, 8)])
        f[x] = 0
        f[x] += source[r.x, r.y] * x + count
        g[x] = f[x] + f[x + 1]
        source.compute_root()
        change(f.clone_in(g))
        return values(g, [5])[0]

    def factored(clone: hl.Func) -> None:
        clone.compute_root().update().rfactor(hl.RVar("r$y"), u).compute_root().update().parallel(u)

    np.testing.assert_array_equal(program(factored), program(lambda clone: clone.compute_root()))


def refused(make: Callable[[], tuple[hl.Func, hl.RDom]], schedule: Callable[[hl.Func, hl.RDom], Any]) -> str:
    f, r = make()
    with pytest.raises(hl.HalideError) as caught:
        schedule(f, r)
    return str(caught.value)


def test_refusals() -> None:
    text = refused(sums, lambda f, r: f.update().split(r.x, ro, ri, 4).rfactor(r.x, u))
    assert "can't perform rfactor() on r$x since either it is not in the reduction domain, or has already" in text
    text = refused(sums, lambda f, r: f.update().rfactor(r.x, x))
    assert "can't perform rfactor() on r$x because the name x is already used elsewhere in the Func's schedule" in text
    text = refused(sums, lambda f, r: f.update().rfactor([(r.x, u), (r.y, u)]))
    assert "because the name u is already used" in text
    text = refused(sums, lambda f, r: f.update().rfactor([(r.x, u), (r.x, v)]))
    assert "can't perform rfactor() on r$x twice" in text
    text = refused(sums, lambda f, r: f.update().fuse(r.y, x, rf).rfactor(r.x, u))
    assert "can't rfactor an Func that has fused a Var into an RVar: r$y, x" in text


def test_refusals_of_operators() -> None:
    def scan() -> tuple[hl.Func, hl.RDom]:
        f, r = hl.Func("scan"), hl.RDom([(1, 8), (0, 8)], "r")
        f[x, y] = 0
        f[r.x, y] += f[r.x - 1, y] + r.y
        return f, r

    text = refused(scan, lambda f, r: f.update().rfactor(r.y, u))
    assert "can't perform rfactor() because we can't prove associativity of the operator" in text
    text = refused(argmax, lambda f, r: f.update().rfactor(r.x, u))
    assert "can't rfactor an inner dimension r$x without rfactoring the outer dimensions" in text
    blocks = refused(last_maximum, lambda f, r: f.update().split(r.y, ro, ri, 2).rfactor([(ro, u), (ri, v)]))
    assert "for parts that no iteration reaches" in blocks


def test_arguments_of_another_kind() -> None:
    f, r = sums()
    for wrong in ((x, u), (r.x, r.y), (3, u)):
        with pytest.raises(TypeError, match="rfactor\\(\\): incompatible function arguments"):
            f.update().rfactor(*wrong)


def test_versions_of_an_update_are_factored_together_only() -> None:
    gain, f = hl.Param(hl.Int(32), "gain", 1), hl.Func("f")
    r = hl.RDom([(0, 8), (0, 6)])
    f[x] = 0
    f[x] += x + r.x * r.y
    version = f.update().specialize(gain == 1)
    with pytest.raises(hl.HalideError, match=r"rfactor\(\) of one specialization is not supported"):
        version.rfactor(r.x, u)
    with pytest.raises(
        hl.HalideError, match=r"rfactor\(\) after specialize\(\) is not supported. Give rfactor\(\) first"
    ):
        f.update().rfactor(r.x, u)
    with pytest.raises(hl.HalideError, match=r"rfactor\(\) must be called on an update definition"):
        f.specialize(gain == 1).rfactor(r.x, u)


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("test_first", [True, False])
def test_extremes_that_nan_passes_through_are_merged(largest: bool, test_first: bool) -> None:
    data = np.random.default_rng(0).standard_normal((20, 64)).astype(np.float32)
    data[3, 5], data[8, 63], data[9, 0], data[7] = np.nan, np.nan, np.nan, -np.inf
    values, r, f = hl.Buffer(data), hl.RDom([(0, 64)], "r"), hl.Func("f")
    f[y] = hl.f32(-np.inf if largest else np.inf)
    value, is_nan = values[r.x, y], hl.is_nan(f[y])
    beyond = f[y] > value if largest else value > f[y]
    f[y] = hl.select((is_nan | beyond) if test_first else (beyond | is_nan), f[y], value)
    f.update().split(r.x, ro, ri, 16).rfactor(ri, u).compute_root().vectorize(u).update().vectorize(u)
    expected = (np.max if largest else np.min)(data, axis=1)
    np.testing.assert_array_equal(np.asarray(f.realize([20])), expected)
