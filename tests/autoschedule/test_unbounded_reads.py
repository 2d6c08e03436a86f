"""Funcs that are read at coordinates without limits: searches leave them inline, as lowering demands."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.problem import problem_of
from pipec.errors import UnboundedError

x, y = hl.vars("x y")
WIDTH, HEIGHT = 64, 48
BORDERS = ["repeat_edge", "repeat_image", "mirror_image", "mirror_interior", "constant_exterior"]


def bounded(border: str, source: hl.Func | hl.ImageParam, image: hl.ImageParam) -> hl.Func:
    sides = [(0, image.width()), (0, image.height())]
    more = [0.0] if border == "constant_exterior" else []
    return getattr(hl.BoundaryConditions, border)(source, *more, sides)


def warp(border: str, between: str = "nothing") -> tuple[hl.Func, hl.Func]:
    """Bilinear samples of an image at places that another image gives, and the Func that is read there."""
    image, shift = hl.ImageParam(hl.Float(32), 2, "image"), hl.ImageParam(hl.Float(32), 2, "shift")
    rng = np.random.default_rng(3)
    image.set(hl.Buffer(rng.random((HEIGHT, WIDTH), np.float32)))
    shift.set(hl.Buffer(rng.normal(0, 9, (HEIGHT, WIDTH)).astype(np.float32)))
    for one in (image, shift):
        one.set_estimates([(0, WIDTH), (0, HEIGHT)])
    source, blur = image, hl.Func("blur")
    if between == "a stored Func":
        edge = hl.BoundaryConditions.repeat_edge(image)
        blur[x, y] = edge[x - 1, y] + edge[x, y] + edge[x + 1, y]
        source = blur
    read = bounded(border, source, image)
    if between == "an inlined Func":
        doubled = hl.Func("doubled")
        doubled[x, y] = read[2 * x + 1, -y] + hl.f32(x)
        read = doubled
    warped, out = hl.Func("warped"), hl.Func("out")
    place = hl.f32(x) + shift[x, y]
    column = hl.i32(hl.floor(place))
    warped[x, y] = hl.lerp(read[column, y], read[column + 1, y], place - hl.f32(column))
    out[x, y] = warped[x, y] * 0.5 + warped[hl.max(x - 1, 0), y] * 0.5
    return out, read


@pytest.mark.parametrize("border", BORDERS)
def test_coordinates_that_have_no_limits_have_those_of_the_edges(border: str) -> None:
    out, read = warp(border)
    info = problem_of([out.function], sizes=[WIDTH, HEIGHT]).dag.funcs[read.name()]
    assert (info.minimum, info.extent) == ((0, 0), (WIDTH, HEIGHT))


def test_limits_are_followed_through_inlined_funcs() -> None:
    out, doubled = warp("repeat_edge", "an inlined Func")
    info = problem_of([out.function], sizes=[WIDTH, HEIGHT]).dag.funcs[doubled.name()]
    assert (info.minimum[0], info.extent[0]) == (-1, WIDTH // 2 + 1), "2 * x + 1 is 0 to 63"


def test_limits_of_long_chains_take_no_time() -> None:
    source, places, out = hl.ImageParam(hl.Float(32), 1), hl.ImageParam(hl.Int(32), 1), hl.Func("out")
    source.set_estimates([(0, 30)])
    places.set_estimates([(0, 8)])
    func: hl.Func = hl.BoundaryConditions.repeat_edge(source)
    for stage in range(40):
        link = hl.Func(f"link_{stage}")
        link[x] = func[x - 1] + func[x] + func[x + 1]
        func = link
    out[x] = func[places[x]]
    last = problem_of([out.function], sizes=[8]).dag.funcs[func.name()]
    assert (last.minimum, last.extent) == ((-40,), (30 + 2 * 40,))


@pytest.mark.parametrize("between", ["nothing", "a stored Func", "an inlined Func"])
@pytest.mark.parametrize("strategy", ["trivial", "grouping", "beam"])
@pytest.mark.part(3)
def test_schedules_change_no_pixels(strategy: str, between: str) -> None:
    expected = np.array(warp("repeat_edge", between)[0].realize([WIDTH, HEIGHT]))
    out, _ = warp("repeat_edge", between)
    hl.Pipeline(out).autoschedule(sizes=[WIDTH, HEIGHT], strategy=strategy, search_seconds=0.3, threads=2, verify=False)
    np.testing.assert_allclose(np.array(out.realize([WIDTH, HEIGHT])), expected, rtol=1e-5)


def scaled(between: str) -> tuple[hl.Func, hl.Func]:
    """An image read at columns scaled by a number from another image, and the Func that is read there."""
    image, factor = hl.ImageParam(hl.Float(32), 2, "image"), hl.ImageParam(hl.Float(32), 1, "factor")
    image.set(hl.Buffer(np.random.default_rng(3).random((HEIGHT, WIDTH), np.float32)))
    factor.set(hl.Buffer(np.array([0.7], np.float32)))
    image.set_estimates([(0, WIDTH), (0, HEIGHT)])
    factor.set_estimates([(0, 1)])
    read = hl.BoundaryConditions.repeat_edge(image)
    if between == "an update":
        total, r = hl.Func("total"), hl.RDom([(-2, 4)])
        total[x, y] = hl.f32(0)
        total[x, y] += read[x + r.x, y]
        read = total
    out = hl.Func("out")
    column = factor[0] * x
    whole = hl.i32(hl.floor(column))
    out[x, y] = hl.lerp(read[whole, y], read[whole + 1, y], column - hl.f32(whole))
    return out, read


@pytest.mark.parametrize(("between", "minimum", "extent"), [("nothing", 0, WIDTH), ("an update", -1, WIDTH + 3)])
def test_coordinates_that_an_image_scales_have_the_limits_of_the_edges(between: str, minimum: int, extent: int) -> None:
    out, read = scaled(between)
    expected = np.array(out.realize([WIDTH, HEIGHT]))
    info = problem_of([out.function], sizes=[WIDTH, HEIGHT]).dag.funcs[read.name()]
    assert (info.minimum[0], info.extent[0]) == (minimum, extent)
    hl.Pipeline(out).autoschedule(sizes=[WIDTH, HEIGHT], search_seconds=0.3, threads=2, verify=False)
    np.testing.assert_allclose(np.array(out.realize([WIDTH, HEIGHT])), expected, rtol=1e-5)


def test_reductions_from_where_an_image_says_have_no_limits() -> None:
    out, starts, total = hl.Func("out"), hl.ImageParam(hl.Int(32), 1, "starts"), hl.Func("total")
    image, factor = hl.ImageParam(hl.Float(32), 1, "image"), hl.ImageParam(hl.Float(32), 1, "factor")
    for one in (starts, image, factor):
        one.set_estimates([(0, WIDTH)])
    r = hl.RDom([(starts[0], starts[1])], "r")
    total[x] = 0.0
    total[x] += hl.BoundaryConditions.repeat_edge(image)[x + r]
    out[x] = total[hl.i32(factor[0] * x)]
    with pytest.raises(UnboundedError, match=r"total\S* is accessed by stage 0 of Func out"):
        problem_of([out.function], sizes=[WIDTH])


def test_what_must_be_stored_is_refused() -> None:
    out, read = warp("repeat_edge")
    read.compute_root()
    with pytest.raises(UnboundedError, match=r"is accessed by stage 0 of Func warped.* in an unbounded way"):
        hl.Pipeline(out).autoschedule(sizes=[WIDTH, HEIGHT], verify=False)
