"""Stages that share loops compute what they would alone."""

from functools import cache

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.expr import Select
from pipec.ir.stmt import For, IfThenElse, LoopKind, Store
from pipec.ir.walk import postorder
from pipec.lower.legality.apply_schedule import apply_schedule
from pipec.lower.lower import lower
from pipec.schedule.schedule import Schedule

Align = hl.LoopAlignStrategy
x, y, xo, xi, yo, yi = hl.vars("x y xo xi yo yi")
SIZES = [(1, 1), (3, 2), (8, 8), (13, 9), (40, 21)]


def stencils():
    """Two Funcs over different intervals and their consumer."""
    source = hl.Func("source")
    f, g, h = hl.funcs("f g h")
    source[x, y] = x * x + 3 * y
    f[x, y] = source[x, y] + source[x, y + 1]
    g[x, y] = source[x + 2, y - 1] * 2
    h[x, y] = f[x - 1, y + 1] + g[x + 2, y - 2] + g[x, y]
    return source, f, g, h


@cache
def unscheduled(make):
    return make()[-1]


def unchanged(make, schedule, sizes=SIZES):
    """The last of the Funcs has the same pixels with the schedule."""
    plain, funcs = unscheduled(make), make()
    schedule(*funcs)
    for size in map(list, sizes):
        np.testing.assert_array_equal(np.asarray(funcs[-1].realize(size)), np.asarray(plain.realize(size)))


@pytest.mark.parametrize("align", list(Align))
@pytest.mark.parametrize("var", [x, y, hl.Var.outermost()], ids=["x", "y", "outermost"])
def test_at_root_for_every_alignment(var, align):
    def schedule(source, f, g, h):
        f.compute_root()
        g.compute_root().compute_with(f, var, align)

    unchanged(stencils, schedule)


def tiled(func, tail=hl.TailStrategy.Auto):
    return func.tile(x, y, xo, yo, xi, yi, 8, 4, tail)


@pytest.mark.parametrize("tail", ["RoundUp", "GuardWithIf", "ShiftInwards", "PredicateStores"])
@pytest.mark.parametrize("align", [Align.AlignEnd, Align.NoAlign])
@pytest.mark.part(3)
def test_tiles_that_are_vectors_in_parallel(tail, align):
    def schedule(source, f, g, h):
        for func in (f, g):
            tiled(func.compute_root(), getattr(hl.TailStrategy, tail)).parallel(yo).vectorize(xi).unroll(yi)
        g.compute_with(f, xo, align)

    unchanged(stencils, schedule)


def test_the_loop_shared_may_be_a_vector():
    def schedule(source, f, g, h):
        for func in (f, g):
            func.compute_root().split(x, xo, xi, 8).vectorize(xi)
        g.compute_with(f, xi, Align.AlignEnd)

    unchanged(stencils, schedule)


def test_inside_the_tiles_of_a_consumer():
    def schedule(source, f, g, h):
        tiled(h)
        for func in (f, g):
            func.compute_at(h, xo).split(x, x, xi, 4).vectorize(xi)
        g.compute_with(f, y)

    unchanged(stencils, schedule)


@pytest.mark.parametrize("consumer", ["f", "g"])
@pytest.mark.parametrize("var", [x, y, hl.Var.outermost()], ids=["x", "y", "outermost"])
@pytest.mark.part(3)
def test_a_producer_of_both_inside_the_loops_that_they_share(var, consumer):
    def schedule(source, f, g, h):
        f.compute_root()
        g.compute_root().compute_with(f, x)
        source.compute_at({"f": f, "g": g}[consumer], var)

    unchanged(stencils, schedule)


@pytest.mark.parametrize("align", [Align.AlignStart, Align.AlignEnd, Align.NoAlign])
def test_a_window_that_slides_along_shared_loops(align):
    def schedule(source, f, g, h):
        f.compute_root()
        g.compute_root().compute_with(f, y, align)
        source.store_root().compute_at(f, y)

    unchanged(stencils, schedule)


def test_a_window_of_one_of_the_stages():
    def make():
        p, f, g, h = hl.funcs("p f g h")
        p[x, y] = x * y
        f[x, y] = x + y
        g[x, y] = p[x, y - 1] + p[x, y + 1]
        h[x, y] = f[x, y] + g[x, y + 3]
        return p, f, g, h

    def schedule(p, f, g, h):
        f.compute_root()
        g.compute_root().compute_with(f, y)
        p.store_root().compute_at(g, y)

    unchanged(make, schedule)


def updated():
    r = hl.RDom([(0, 5)], "r")
    f, g, h = hl.funcs("f g h")
    f[x, y] = x + y
    f[x, y] += r * x
    f[x, y] = f[x, y] * 2
    g[x, y] = x - y
    g[x, y] += r
    h[x, y] = f[x, y + 1] + g[x + 2, y]
    return r, f, g, h


def test_updates_share_loops_over_reductions():
    def schedule(r, f, g, h):
        f.compute_root()
        g.compute_root()
        g.compute_with(f, x)
        g.update(0).compute_with(f.update(0), r.x)

    unchanged(updated, schedule)


def test_an_update_shares_loops_with_a_pure_stage():
    def schedule(r, f, g, h):
        f.compute_root()
        g.compute_root()
        g.compute_with(f.update(1), y)

    unchanged(updated, schedule)


def test_a_chain_of_three():
    def make():
        f, g, k, h = hl.funcs("f g k h")
        f[x, y], g[x, y] = x, (x + y, y)
        k[x, y] = x * y
        h[x, y] = f[x + 1, y] + g[x, y - 2][0] * g[x, y][1] + k[x, y + 5]
        return f, g, k, h

    def schedule(f, g, k, h):
        for func in (f, g, k):
            func.compute_root()
        g.compute_with(f, y, Align.AlignEnd)
        k.compute_with(hl.LoopLevel(g, x, 0), [(y, Align.AlignStart)])

    unchanged(make, schedule)


def test_funcs_used_by_two_stages_are_together_in_both_places():
    def make():
        f, g, h = hl.funcs("f g h")
        f[x, y], g[x, y] = x * 2, y
        h[x, y] = g[x + 2, y - 2] + f[x, y]
        h[x, y] += f[x - 1, y + 1] + g[x, y]
        return f, g, h

    def schedule(f, g, h):
        f.compute_at(h, y)
        g.compute_at(h, y).compute_with(f, x)

    unchanged(make, schedule)


def test_outputs_of_different_sizes():
    for align in Align:
        f, g, source = hl.funcs("f g source")
        source[x, y] = x + 7 * y
        f[x, y] = 100 - source[x, y]
        g[x, y] = source[x + 1, y + 1]
        source.compute_at(f, y)
        g.compute_with(f, y, align)
        small, large = hl.Buffer(hl.Int(32), [4, 5]), hl.Buffer(hl.Int(32), [6, 3])
        large.set_min([2, 3])
        hl.Pipeline([f, g]).realize([small, large])
        row, column = np.mgrid[:5, :4]
        np.testing.assert_array_equal(np.asarray(small), 100 - column - 7 * row)
        row, column = np.mgrid[4:7, 3:9]
        np.testing.assert_array_equal(np.asarray(large), column + 7 * row)


def test_no_more_of_an_input_is_needed_than_alone():
    source = hl.ImageParam(hl.Int(32), 2, "source")
    f, g, h = hl.funcs("f g h")
    f[x, y] = source[x, y]
    g[x, y] = source[x, y + 20]
    h[x, y] = f[x, y] + f[x, y + 7] + g[x, y]
    f.compute_root()
    g.compute_root().compute_with(f, y)
    source.set(hl.Buffer(np.arange(30 * 4, dtype=np.int32).reshape(30, 4)))
    result = np.asarray(h.realize([4, 10]))
    pixels = np.arange(30 * 4).reshape(30, 4)
    np.testing.assert_array_equal(result, pixels[:10] + pixels[7:17] + pixels[20:])


@pytest.mark.parametrize("number", [0, 5])
def test_versions_of_a_stage_take_along_what_shares_its_loops(number):
    expected = hl.Param(hl.Int(32), "wanted", number)

    def schedule(source, f, g, h):
        f.compute_root().specialize(expected > 3).split(x, xo, xi, 8).vectorize(xi)
        g.compute_root().compute_with(f, y, Align.AlignEnd)
        source.compute_at(f, y)

    unchanged(stencils, schedule)
    source, f, g, h = stencils()
    schedule(source, f, g, h)
    f.specialize(expected > 3).reorder(y, xi, xo)
    with pytest.raises(hl.HalideError, match="# of fused dims of"):
        h.compile_jit()


@pytest.mark.parametrize("number", [0, 5])
def test_all_versions_need_a_producer_outside_the_loops_they_share(number):
    expected = hl.Param(hl.Int(32), "wanted", number)

    def schedule(source, f, g, h):
        f.compute_root().specialize(expected > 3)
        g.compute_root().compute_with(f, y)
        source.compute_root()

    unchanged(stencils, schedule)


@pytest.mark.parametrize("number", [0, 5])
def test_what_is_computed_along_with_others_finds_its_producers_computed(number):
    expected = hl.Param(hl.Int(32), "wanted", number)
    table = hl.Buffer(np.arange(8, dtype=np.int32))

    def make():
        index, f, g, h = hl.funcs("index f g h")
        index[x, y] = (x + y) % 8
        f[x, y] = x - y
        g[x, y] = table[index[x, y]]
        h[x, y] = hl.select(expected > 3, g[x, y] * 10, f[x, y])
        return index, f, g, h

    def schedule(index, f, g, h):
        index.compute_root()
        f.compute_root()
        g.compute_root().compute_with(f, y)
        h.specialize(expected > 3)

    unchanged(make, schedule, SIZES[:3])
    funcs = make()
    schedule(*funcs)
    stored = []
    funcs[0].trace_stores()
    pipeline = hl.Pipeline(funcs[-1])
    pipeline.set_custom_trace(lambda event: stored.append(event))
    pipeline.realize([3, 2])
    assert stored


def test_the_steady_state_is_one_loop_nest_without_conditions():
    source = hl.ImageParam(hl.UInt(8), 3, "source")
    u, v = hl.funcs("u v")
    u[x, y] = source[x, y, 0] + source[x, y, 1]
    v[x, y] = source[x, y, 1] - source[x, y, 2]
    for func in (u, v):
        func.tile(x, y, xo, yo, xi, yi, 64, 8).parallel(yo).vectorize(xi, 16)
    v.compute_with(u, xo)
    outputs = [u.function, v.function]
    program = lower(freeze(outputs)[0], schedule_of(outputs), hl.get_host_target())
    (rows,) = [s for s in postorder(program.body) if isinstance(s, For) and s.kind is LoopKind.PARALLEL]
    assert isinstance(rows.body, IfThenElse)
    tiles = [s for s in postorder(rows.body.then) if isinstance(s, For) and s.name == f"{u.name()}.s0.fused.xo"]
    assert len(tiles) == 1
    inside = list(postorder(tiles[0].body))
    assert {s.buffer for s in inside if isinstance(s, Store)} == {u.name(), v.name()}
    assert not any(isinstance(s, IfThenElse | Select) for s in inside)


def test_schedules_with_shared_loops_survive_text():
    _, f, g, h = stencils()
    f.compute_root()
    g.compute_root().compute_with(f, x, [(x, Align.AlignStart), (y, Align.AlignEnd)])
    schedule = schedule_of([h.function])
    assert Schedule.from_json(schedule.to_json()) == schedule
    assert apply_schedule(freeze([h.function])[0], schedule) == schedule
    assert ", x, [(x, hl.LoopAlignStrategy.AlignStart), (y, hl.LoopAlignStrategy.AlignEnd)])" in schedule.to_python()
    second = hl.deserialize_pipeline(hl.serialize_pipeline(hl.Pipeline(h)))
    np.testing.assert_array_equal(np.asarray(second.realize([9, 7])), np.asarray(h.realize([9, 7])))


def test_a_pair_in_the_loops_that_another_pair_shares():
    def make():
        source, f, g, first, second = hl.funcs("source f g first second")
        source[x, y] = x + 3 * y
        f[x, y] = source[x, y] + 20
        g[x, y] = source[x, y] * source[x, y + 1]
        first[x, y] = f[x, y] + x + y
        second[x, y] = f[x, y] * g[x, y]
        return source, f, g, first, second

    source, f, g, first, second = make()
    source.compute_at(f, y)
    f.compute_at(first, y)
    g.compute_at(first, y).compute_with(f, y, Align.AlignEnd)
    second.compute_with(first, x, Align.AlignStart)
    result = hl.Buffer(hl.Int(32), [20, 7]), hl.Buffer(hl.Int(32), [10, 12])
    hl.Pipeline([first, second]).realize(list(result))
    for func, buffer in zip(make()[3:], result, strict=True):
        size = [buffer.width(), buffer.height()]
        np.testing.assert_array_equal(np.asarray(buffer), np.asarray(func.realize(size)))


def test_a_producer_before_funcs_that_come_one_after_the_other():
    def schedule(source, f, g, h):
        f.compute_root()
        g.compute_root().compute_with(f, hl.Var.outermost())
        source.compute_at(f, hl.Var.outermost())

    unchanged(stencils, schedule, SIZES[:3])


TWO_STAGES_WITH_ONE = {
    "two definitions": lambda f, g, x, y: (f.compute_with(g, y), f.update(0).compute_with(g, y)),
    "two updates": lambda f, g, x, y: (f.update(0).compute_with(g, x), f.update(1).compute_with(g, x)),
    "the later one shares fewer loops": lambda f, g, x, y: (f.compute_with(g, x), f.update(0).compute_with(g, y)),
    "their loops are aligned differently": lambda f, g, x, y: (
        f.compute_with(g, y, hl.LoopAlignStrategy.AlignStart),
        f.update(0).compute_with(g, y, hl.LoopAlignStrategy.AlignEnd),
    ),
}


@pytest.mark.parametrize("name", TWO_STAGES_WITH_ONE)
def test_stages_of_one_func_share_the_loops_of_one_stage(name):
    def pixels(schedule):
        a, b = hl.vars("a b")
        f, g, h = hl.funcs("f g h")
        f[a, b] = a + b
        f[a, b] += 1
        f[a, b] = f[a, b] * 2 + b
        g[a, b] = a - b
        h[a, b] = f[a, b - 1] + g[a + 1, b + 2]
        f.compute_root()
        g.compute_root()
        schedule(f, g, a, b)
        return np.asarray(h.realize([11, 7]))

    np.testing.assert_array_equal(pixels(TWO_STAGES_WITH_ONE[name]), pixels(lambda *_: None))


def test_stages_of_one_func_share_no_reduction_loop():
    a, r = hl.Var("a"), hl.RDom([(0, 5)], "r")
    f, g = hl.funcs("f g")
    f[a] = a
    f[a] += r
    f[a] = f[a] * 2 + r
    g[a] = a
    g[a] += r * 3
    for stage in (f.update(0), f.update(1), g.update(0)):
        stage.reorder(a, r.x)
    f.update(0).compute_with(g.update(0), r.x)
    f.update(1).compute_with(g.update(0), r.x)
    with pytest.raises(hl.ScheduleError, match="share no loops over RVars"):
        hl.Pipeline([f, g]).compile_jit()
