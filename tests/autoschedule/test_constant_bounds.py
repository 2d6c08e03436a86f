"""What the bounds of a Func follow from."""

from __future__ import annotations

import pytest

import pipec as hl
from pipec.autoschedule.dag.constant_bounds import origins_of_bounds
from pipec.autoschedule.dag.inlining import InlinedStages
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.cpu.variations import slabs
from pipec.autoschedule.space.state import FULL, Nest
from pipec.func.functions.freeze import freeze
from pipec.schedule.schedule import Schedule

x, c = hl.vars("x c")


def origins(output):
    definition, _ = freeze([output.function])
    result = origins_of_bounds(definition, Schedule())
    return [result[name] for name in definition.funcs], definition.outputs[0]


def test_a_dimension_follows_from_the_one_of_the_output_that_it_is_read_along():
    f, g = hl.funcs("f g")
    f[x, c] = x + c
    g[x, c] = f[x + 1, c] + f[x, 0]
    (own, _), name = origins(g)
    assert own == (frozenset({(name, 0)}), frozenset({(name, 1)}))


def test_constant_coordinates_follow_from_nothing():
    f, g = hl.funcs("f g")
    r = hl.RDom([(0, 3)])
    f[x, c] = x + c
    g[x] = 0
    g[x] += f[x, r.x] + f[x, 5]
    (own, _), _ = origins(g)
    assert own[1] == frozenset()


def test_sizes_of_images_params_and_pixels_are_no_constants():
    f, g = hl.funcs("f g")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    r = hl.RDom([(0, image.width())])
    for index in (r.x, image.width(), hl.Param(hl.Int(32)), hl.i32(image[0])):
        f, g = hl.funcs("f g")
        f[c] = c
        g[x] = 0
        g[x] += f[index] + r.x
        (own, _), _ = origins(g)
        assert own == (None,)


def test_updates_widen_the_bounds_of_their_own_func():
    f, g = hl.funcs("f g")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    r = hl.RDom([(0, image.width())])
    f[c] = c
    f[r.x] = 1
    g[x] = f[x]
    (own, _), _ = origins(g)
    assert own == (None,)


def test_what_a_c_function_needs_is_no_constant():
    f, g = hl.funcs("f g")
    f[x, c] = x + c
    g.define_extern("some_filter", [f], hl.Int(32), [x, c])
    (own, _), _ = origins(g)
    assert own == (None, None)


def loads_of(out, sizes):
    return problem_of([out.function], sizes=sizes).dag.funcs[out.name()].stages[0].loads


@pytest.mark.parametrize(
    "form",
    [lambda y: y % 5, lambda y: y / 5, lambda y: hl.i32(hl.floor(y / 5.0))],
    ids=["remainder", "quotient", "floor"],
)
def test_coordinates_that_are_simpler_at_the_estimated_sizes_fix_no_extent(form) -> None:
    """`y % 5` is `y` for the estimated sizes: what is read there and at `y` has another extent where `y` is larger."""
    x, y = hl.vars("x y")
    table, out = hl.funcs("table_of_fives out_of_fives")
    table[x, y] = hl.i32(x * y)
    table[x, 0] += 1
    out[x, y] = table[x, form(y)] + table[x, y]
    small, large = (loads_of(out, [64, height]) for height in (3, 30))
    assert any(load.estimated and load.whole_steps(1) is None for load in small)
    assert not any(load.estimated for load in large)


def test_remainders_of_dimensions_with_constant_extents_are_what_they_seem() -> None:
    x, c = hl.vars("x c")
    table, out = hl.funcs("table_of_channels out_of_channels")
    table[x, c] = hl.i32(x * c)
    out[x, c] = table[x, c % 4]
    out.bound(c, 0, 3)
    assert not any(load.estimated for load in loads_of(out, [64, 3]))


def test_what_is_read_at_rounded_coordinates_is_no_constant_because_the_output_is_a_point() -> None:
    x, y = hl.vars("x y")
    first, out = hl.funcs("first_of_points out_of_points")
    first[x, y] = x + y
    out[x, y] = first[hl.i32(hl.f32(x)), 1] + first[1, y]
    assert [load.estimated for load in loads_of(out, [1, 1])] == [True, False]


def test_a_nest_of_one_level_has_slabs() -> None:
    """The size of the levels inside was the maximum of none."""
    func = hl.Func("a_point")
    x, y = hl.vars("x y")
    func[x, y] = x * y
    stage = problem_of([func.function], sizes=[640, 480], threads=2).dag.funcs[func.name()].stages[0]
    nest = Nest(((16, 1),), (0, 1), 0, 16, (1,))
    for whole, cut in ((0, 1), (1, 0)):
        tiles = [varied.tiles[0] for varied, _ in slabs(stage, nest, frozenset({whole}))]
        assert tiles and all(tile[whole] == FULL != tile[cut] for tile in tiles)


@pytest.mark.parametrize("extent", [3, "param"])
def test_remainders_of_reductions_are_estimates_where_their_extents_are(extent) -> None:
    x, y = hl.vars("x y")
    length = hl.Param(hl.Int(32), "length")
    length.set_estimate(3)
    read, out = hl.funcs("read_in_turn out_in_turn")
    r = hl.RDom([(0, length if extent == "param" else extent)], "r")
    read[x, y] = x + y
    out[x] = 0
    out[x] += read[x, r % 4]
    (load,) = [
        load
        for load in problem_of([out.function], sizes=[64]).dag.funcs[out.name()].stages[1].loads
        if load.name == read.name()
    ]
    assert load.estimated == (extent == "param")


@pytest.mark.parametrize("inlined", [False, True])
def test_clamps_that_no_iteration_reaches_fix_no_extent(inlined) -> None:
    x = hl.Var("x")
    source, middle, out = hl.funcs("source middle out")
    source[x] = x
    middle[x] = source[hl.clamp(x, 0, 99)]
    out[x] = middle[x] if inlined else source[hl.clamp(x, 0, 99)]
    dag = problem_of([out.function], sizes=[60]).dag
    (load,) = InlinedStages(dag).stage(out.name(), 0, frozenset([middle.name()] if inlined else [])).loads
    assert (load.low, load.high, load.boundary) == ((0,), (0,), False)
    assert load.estimated and load.whole_steps(0) is None, "larger outputs reach them"
