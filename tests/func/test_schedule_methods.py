"""The scheduling methods of Func and Stage: their forms, and the directives that they make."""

import pytest

import pipec as hl
from pipec.errors import NotSupportedError, ScheduleError
from pipec.ir.build import as_expr
from pipec.ir.stmt import LoopKind
from pipec.schedule.bounds import AlignBounds, Bound, Estimate
from pipec.schedule.fields import ROOT, StageRef
from pipec.schedule.placement import ComputeAt, StoreAt, func_schedule
from pipec.schedule.schedule import Dim, stage_loops
from pipec.schedule.split import Split, TailStrategy
from pipec.schedule.storage import ReorderStorage, StoreIn

x, y, xo, yo, xi, yi, t = hl.vars("x y xo yo xi yi t")


def two_funcs():
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x + 1, y]
    return f, g


def loops(func, stage=0, dims=("x", "y")):
    ref = StageRef(func.name(), stage)
    result = stage_loops(func.function.schedule, ref, tuple(Dim(d, "$" in d) for d in dims)).loops
    return [loop.name if loop.kind is LoopKind.SERIAL else f"{loop.kind.name.lower()} {loop.name}" for loop in result]


@pytest.mark.parametrize(
    "arguments",
    [(x, y, xo, yo, xi, yi, 8, 4), ([x, y], [xo, yo], [xi, yi], [8, 4])],
)
def test_forms_of_tile(arguments):
    f, _ = two_funcs()
    assert f.tile(*arguments) is f
    assert loops(f) == ["xi", "yi", "xo", "yo"]


@pytest.mark.parametrize(
    ("arguments", "keywords"),
    [
        ((x, y, xi, yi, 8, 4, TailStrategy.GuardWithIf), {}),
        (([x, y], [xi, yi], [8, 4], TailStrategy.GuardWithIf), {}),
        ((x, y, xi, yi), {"xfactor": 8, "yfactor": 4, "tail": TailStrategy.GuardWithIf}),
    ],
)
def test_forms_of_tile_that_keep_the_outer_names(arguments, keywords):
    f, _ = two_funcs()
    f.tile(*arguments, **keywords)
    assert loops(f) == ["xi", "yi", "x", "y"]
    assert {d.tail for d in f.function.schedule.directives if isinstance(d, Split)} == {TailStrategy.GuardWithIf}


def test_tile_refuses_other_forms():
    f, _ = two_funcs()
    with pytest.raises(TypeError, match="incompatible function arguments"):
        f.tile(x, y, xi, yi, 8)
    with pytest.raises(ScheduleError, match="Vectors passed to Stage::tile must all be the same length"):
        f.tile([x, y], [xi, yi], [8])


def test_calls_chain():
    f, _ = two_funcs()
    f.compute_root().vectorize(x, 8).unroll(x, 2).parallel(y).reorder_storage(y, x).store_in(hl.MemoryType.Heap)
    assert loops(f) == ["vectorized x.v", "unrolled x.u", "x", "parallel y"]
    placed = func_schedule(f.function.schedule, f.name())
    assert placed.compute == ROOT and placed.last(ReorderStorage).variables == ("y", "x")
    assert placed.last(StoreIn).memory is hl.MemoryType.Heap


def test_reorder_fuse_and_rename():
    f, _ = two_funcs()
    f.reorder(y, x).rename(y, t)
    assert loops(f) == ["t", "x"]
    f.reorder([x, t]).fuse(x, t, xo)
    assert loops(f) == ["xo"]


def test_places():
    f, g = two_funcs()
    f.compute_at(g, x).store_at(g, y)
    compute, store = f.function.schedule.directives
    assert isinstance(compute, ComputeAt) and (compute.level.func, compute.level.var) == (g.name(), "x")
    assert isinstance(store, StoreAt) and store.level.var == "y"
    f.compute_at(hl.LoopLevel.root())
    assert f.compute_inline() is f


def test_updates_are_scheduled_apart():
    f, r = hl.Func("f"), hl.RDom([(0, 4), (0, 5)], "r")
    f[x, y] = 0
    f[x, r.x] += r.y
    stage = f.update()
    assert loops(f, 1, ("r$x", "r$y", "x")) == ["r$x", "r$y", "x"]
    assert stage.vectorize(x, 8).reorder(r.y, r.x) is stage
    assert loops(f, 1, ("r$x", "r$y", "x")) == ["r$y", "r$x", "vectorized x.v", "x"]
    assert loops(f) == ["x", "y"]
    stage.split(r.x, hl.RVar("ro"), hl.RVar("ri"), 2)
    with pytest.raises(
        ScheduleError, match="marking var r\\$y as parallel or vectorized may introduce a race condition"
    ):
        stage.parallel(r.y)


def test_a_producer_may_be_placed_in_an_update():
    f, g = two_funcs()
    r = hl.RDom([(0, 4)], "r")
    g[x, r.x] += f[x, r.x]
    f.compute_at(g.update(0), r.x)
    (directive,) = f.function.schedule.directives
    assert (directive.level.var, directive.level.stage) == ("r$x", 1)


def test_bounds_and_estimates():
    f, _ = two_funcs()
    f.bound(x, 0, 8).bound_extent(y, 3).align_bounds(x, 4, 1).set_estimates([(0, 100), (0, 50)])
    placed = func_schedule(f.function.schedule, f.name())
    bounds = placed.by_dim(Bound)
    assert bounds["x"].extent.value == 8 and bounds["y"].minimum is None
    assert placed.by_dim(AlignBounds)["x"] == AlignBounds(f.name(), "x", as_expr(4), as_expr(1))
    assert placed.by_dim(Estimate)["y"].extent.value == 50
    with pytest.raises(ScheduleError, match="has 2 dimensions, but the estimates"):
        f.set_estimates([(0, 100)])


@pytest.mark.parametrize("name", ["hexagon"])
def test_what_is_missing_says_so(name):
    f, _ = two_funcs()
    with pytest.raises(NotSupportedError, match=f"{name} is not supported yet"):
        getattr(f, name)(x)


def test_only_vars_name_loops():
    f, g = two_funcs()
    for wrong in (lambda: f.vectorize("x"), lambda: f.compute_at(g), lambda: f.split(x, 3, xi, 4)):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            wrong()
