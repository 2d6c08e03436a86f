"""What the bounds of a Func follow from."""

from __future__ import annotations

import pipec as hl
from pipec.autoschedule.dag.constant_bounds import origins_of_bounds
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
