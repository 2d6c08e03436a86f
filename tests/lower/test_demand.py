"""Values that no consumer needs are not computed; all others are, whatever the condition and the schedule."""

import ctypes
import re

import numpy as np
import pytest

import pipec as hl

x, y, xo, xi, yo, yi = hl.vars("x y xo xi yo yi")
t, u = hl.Param(hl.Bool(), "t"), hl.Param(hl.Bool(), "u")
n, m = hl.Param(hl.Int(32), "n"), hl.Param(hl.Int(32), "m")
z = hl.Param(hl.Float(32), "z")


def stored(output, func, size):
    """The coordinates of `func` that are stored while `output` is realized over `size`, and the pixels."""
    points = []
    pipeline = hl.Pipeline(output)

    def record(event):
        if event.event.name == "store" and event.func == func.name():
            lanes = np.broadcast_arrays(*[np.atleast_1d(np.array(one)) for one in event.coordinates])
            points.extend(zip(*[lane.tolist() for lane in lanes], strict=True))

    func.trace_stores()
    pipeline.set_custom_trace(record)
    return points, np.asarray(pipeline.realize(size))


def run(value, size=(200,), producer=lambda f: f.compute_root()):
    """How many elements of f(x) = 3 * x a Func of this value needs, and its pixels."""
    f, g = hl.funcs("f g")
    f[x] = x * 3
    g[x] = value(f)
    producer(f)
    points, pixels = stored(g, f, list(size))
    return len(points), pixels


def set_params(t_value=False, u_value=False, n_value=0, m_value=0, z_value=0.0):
    for param, value in ((t, t_value), (u, u_value), (n, n_value), (m, m_value), (z, z_value)):
        param.set(value)


@pytest.mark.parametrize("value", [True, False])
def test_a_stage_under_a_false_param_is_not_computed(value):
    set_params(value)
    count, pixels = run(lambda f: hl.select(t, f[x], 0))
    assert count == (200 if value else 0)
    assert (pixels == np.arange(200) * 3 * value).all()


i = np.arange(200)
CONDITIONS = {
    "one side of a param": (lambda: t, lambda p: np.full(200, p["t"]), None),
    "not": (lambda: ~t, lambda p: np.full(200, not p["t"]), None),
    "and": (lambda: t & u, lambda p: np.full(200, p["t"] and p["u"]), None),
    "or": (lambda: t | u, lambda p: np.full(200, p["t"] or p["u"]), None),
    "an integer param": (lambda: n > 3, lambda p: np.full(200, p["n"] > 3), None),
    "a float param": (lambda: z > 0.5, lambda p: np.full(200, p["z"] > 0.5), None),
    "NaN": (lambda: ~(z > 0.5), lambda p: np.full(200, not p["z"] > 0.5), None),
    "below": (lambda: x < 100, lambda p: i < 100, None),
    "at least": (lambda: x >= 150, lambda p: i >= 150, None),
    "one place": (lambda: x == 17, lambda p: i == 17, None),
    "a param as limit": (lambda: x < n, lambda p: i < p["n"], None),
    "between": (lambda: (x >= n) & (x <= m), lambda p: (i >= p["n"]) & (i <= p["m"]), None),
    "a multiple": (lambda: 3 * x + n < 100, lambda p: 3 * i + p["n"] < 100, None),
    "a negative multiple": (lambda: m - 2 * x < 7, lambda p: p["m"] - 2 * i < 7, None),
    "a coordinate and a param": (lambda: (x < 50) & t, lambda p: (i < 50) & p["t"], None),
    "two intervals": (lambda: (x < 20) | ((x > 150) & u), lambda p: (i < 20) | ((i > 150) & p["u"]), "hull"),
    "unequal": (lambda: x != 5, lambda p: i != 5, "all"),
    "a remainder": (lambda: x % 2 == 0, lambda p: i % 2 == 0, "all"),
}  # fmt: skip
PARAMS = [
    {"t": t_value, "u": u_value, "n": n_value, "m": m_value, "z": z_value}
    for t_value, u_value, n_value, m_value, z_value in (
        (False, False, 0, 0, 0.0),
        (True, False, 5, 60, 0.75),
        (False, True, 60, 5, float("nan")),
        (True, True, -100, 1000, 1.0),
        (False, False, 1000, -100, -1.0),
    )
]


@pytest.mark.part(5)
@pytest.mark.parametrize("name", CONDITIONS)
@pytest.mark.parametrize("vectorized", [False, True])
def test_only_what_is_needed_is_computed(name, vectorized):
    condition, model, kind = CONDITIONS[name]
    for params in PARAMS:
        set_params(*params.values())
        holds = model(params)
        f, g = hl.funcs("f g")
        f[x] = x * 3
        g[x] = hl.select(condition(), f[x + 2], -1)
        f.compute_root()
        if vectorized:
            g.vectorize(x, 8)
        points, pixels = stored(g, f, [200])
        assert (pixels == np.where(holds, 3 * (i + 2), -1)).all(), params
        places = np.flatnonzero(holds)
        if kind == "hull" and len(places):
            assert len(points) == places[-1] - places[0] + 1, params
        elif kind is None:
            assert sorted(points) == [(place + 2,) for place in places], params


def test_a_stage_is_computed_if_any_use_needs_it():
    for t_value, u_value in ((False, False), (True, False), (False, True), (True, True)):
        set_params(t_value, u_value)
        count, pixels = run(lambda f: hl.select(t, f[x], 0) + hl.select(u, f[x + 1], 0))
        assert count == (0, 200, 200, 201)[t_value + 2 * u_value if not (t_value and u_value) else 3]
        assert (pixels == 3 * i * t_value + 3 * (i + 1) * u_value).all()
        count, pixels = run(lambda f: hl.select(t, f[x], 0) + f[x])
        assert count == 200


def test_producers_of_a_stage_that_is_not_needed_are_not_computed():
    for value in (False, True):
        set_params(value, n_value=50)
        e, f, g = hl.funcs("e f g")
        e[x] = x
        f[x] = e[x] + e[x + 1]
        g[x] = hl.select(t & (x < n), f[x], 0)
        for func in (e, f):
            func.compute_root()
        points, pixels = stored(g, e, [200])
        assert len(points) == (51 if value else 0)
        assert (pixels == np.where((i < 50) & value, 2 * i + 1, 0)).all()


def test_a_producer_of_loops_is_skipped_in_the_iterations_that_need_none():
    set_params(n_value=3)
    for schedule in ("row", "tile", "parallel tile"):
        f, g = hl.funcs("f g")
        f[x, y] = x + 10 * y
        g[x, y] = hl.select((y < n) & (x > 4), f[x, y], 0)
        if schedule == "row":
            f.compute_at(g, y)
        else:
            g.tile(x, y, xo, yo, xi, yi, 4, 2)
            f.compute_at(g, xo).vectorize(x, 4)
            if schedule == "parallel tile":
                g.parallel(yo)
        points, pixels = stored(g, f, [16, 8])
        ys, xs = np.mgrid[0:8, 0:16]
        assert (pixels == np.where((ys < 3) & (xs > 4), xs + 10 * ys, 0)).all()
        needed = {(a, b) for a in range(5, 16) for b in range(3)}
        assert needed <= set(points)
        if schedule == "row":
            assert set(points) == needed


def test_blocks_all_of_which_is_needed_have_loops_of_constant_extent(tmp_path):
    f, g = hl.funcs("f g")
    f[x, y] = x + 10 * y
    g[x, y] = hl.select(x <= y, f[x, y], 0)
    g.tile(x, y, xo, yo, xi, yi, 8, 4)
    f.compute_at(g, xo)
    path = tmp_path / "g.stmt"
    hl.Pipeline(g).compile_to_lowered_stmt(str(path), [])
    assert re.search(r"for f\S*\.s0\.x from .* for 8:", path.read_text())
    points, pixels = stored(g, f, [32, 32])
    ys, xs = np.mgrid[0:32, 0:32]
    assert (pixels == np.where(xs <= ys, xs + 10 * ys, 0)).all()
    assert len(points) < 32 * 32 * 3 // 4


def test_windows_slide_over_iterations_that_need_nothing():
    set_params(True, n_value=5)
    for condition, model in (((lambda: x != n), i != 5), ((lambda: t), i >= 0), ((lambda: x > 20), i > 20)):
        f, g = hl.funcs("f g")
        f[x] = x
        g[x] = hl.select(condition(), f[x] + f[x - 1], 0)
        f.store_root().compute_at(g, x)
        points, pixels = stored(g, f, [200])
        assert (pixels == np.where(model, 2 * i - 1, 0)).all()
        assert len(points) == 201


def test_updates_and_reductions_under_conditions():
    for value in (False, True):
        set_params(value, n_value=4)
        f, g = hl.funcs("f g")
        r = hl.RDom([(0, 10)])
        f[x] = x
        f[x] += 1
        g[x] = 0
        g[x] += hl.select(t & (r.x < n), f[r.x], 0)
        f.compute_root()
        points, pixels = stored(g, f, [3])
        assert len(points) == (8 if value else 0)
        assert (pixels == (10 if value else 0)).all()


def test_the_predicate_of_a_reduction_domain():
    for value in (2, 5):
        set_params(n_value=value)
        f, g = hl.funcs("f g")
        r = hl.RDom([(0, 10)])
        r.where(n > 3)
        f[x] = x
        g[x] = 0
        g[x] += f[r.x]
        f.compute_root()
        points, pixels = stored(g, f, [3])
        assert len(points) == (10 if value > 3 else 0)
        assert (pixels == (45 if value > 3 else 0)).all()


def test_coordinates_of_others_are_always_computed():
    set_params(False)
    table = hl.Buffer(np.arange(8, dtype=np.int32))
    f, g = hl.funcs("f g")
    f[x] = x % 8
    g[x] = hl.select(t, table[f[x]], 7)
    f.compute_root()
    assert (np.asarray(g.realize([20])) == 7).all()


def test_the_input_of_a_stage_that_is_not_needed_may_be_small():
    image = hl.ImageParam(hl.Int(32), 1, "image")
    f, g = hl.funcs("f g")
    f[x] = image[x] + 1
    g[x] = hl.select(t & (x < 10), f[x], -1)
    f.compute_root()
    image.set(np.zeros(10, np.int32))
    set_params(True)
    assert (np.asarray(g.realize([20])) == np.where(np.arange(20) < 10, 1, -1)).all()
    image.set(np.zeros(1, np.int32))
    set_params(False)
    assert (np.asarray(g.realize([20])) == -1).all()
    set_params(True)
    with pytest.raises(hl.HalideError):
        g.realize([20])


@pytest.mark.parametrize("memoized", [False, True])
def test_extern_and_memoized_stages(memoized):
    calls = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
    def fill(buffer):
        host = ctypes.c_uint64.from_address(buffer + 16).value
        dimension = ctypes.c_uint64.from_address(buffer + 40).value
        if host:
            minimum, extent = (ctypes.c_int32.from_address(dimension + at).value for at in (0, 4))
            calls.append((minimum, extent))
            for at in range(extent):
                ctypes.c_int32.from_address(host + 4 * at).value = minimum + at
        return 0

    hl.memoization_cache_clear()
    f, g = hl.funcs("f g")
    f.define_extern(fill, [], hl.Int(32), 1)
    g[x] = hl.select(t & (x >= n) & (x < m), f[x], -1)
    f.compute_root()
    if memoized:
        f.memoize()
    for t_value, low, high in ((False, 0, 100), (True, 20, 60), (True, 60, 20), (True, 20, 60), (True, 500, 600)):
        set_params(t_value, False, low, high)
        places = np.arange(200)
        inside = t_value & (places >= low) & (places < high)
        assert (np.asarray(g.realize([200])) == np.where(inside, places, -1)).all()
    assert calls == [(20, 40)] * (1 if memoized else 2)
    hl.memoization_cache_clear()


def test_boundary_conditions_are_computed_as_before():
    f, g = hl.funcs("f g")
    f[x, y] = x + y
    outside = hl.BoundaryConditions.constant_exterior(f, -1, [(0, 10), (0, 10)])
    g[x, y] = outside[x - 1, y] + outside[x + 1, y]
    f.compute_root()
    padded = np.full((10, 12), -1)
    padded[:, 1:-1] = np.add.outer(np.arange(10), np.arange(10))
    assert (np.asarray(g.realize([10, 10])) == padded[:, :-2] + padded[:, 2:]).all()


def test_many_conditions_are_needed_always():
    f, g = hl.funcs("f g")
    f[x] = x
    total = hl.i32(0)
    for k in range(40):
        total = total + hl.select((x > k) & ((n == k) | (m == 2 * k)), f[x + k], 0)
    g[x] = total
    f.compute_root()
    set_params(n_value=3, m_value=10)
    expected = np.where(i > 3, i + 3, 0) + np.where(i > 5, i + 5, 0)
    assert (np.asarray(g.realize([200])) == expected).all()


def test_a_window_that_does_not_move_is_computed_once():
    set_params(True, n_value=3)
    for value in (lambda f: f[0] + f[5], lambda f: hl.select(t, f[n], 0)):
        f, g = hl.funcs("f g")
        f[x] = x * 3
        g[x, y] = value(f) + x
        f.store_root().compute_at(g, x)
        points, pixels = stored(g, f, [50, 4])
        assert len(points) in (1, 6) and len(set(points)) == len(points)
        assert (pixels == np.arange(50) + (15 if len(points) == 6 else 9)).all()


def test_a_window_that_moves_in_an_outer_loop_only_is_computed_in_the_first_inner_iteration():
    f, g = hl.funcs("f g")
    f[y] = y * 3
    g[x, y] = f[y] + f[y + 1] + x
    f.store_root().compute_at(g, x)
    points, pixels = stored(g, f, [50, 4])
    assert points == [(0,), (1,), (2,), (3,), (4,)]
    assert (pixels == np.arange(50) + 6 * np.arange(4)[:, None] + 3).all()


@pytest.mark.parametrize("vectorized", [False, True])
def test_conditions_whose_parts_are_shared_are_looked_at_once(vectorized):
    """Written out, this condition has 2 ** 40 parts."""
    x = hl.Var("x")
    image, limits = hl.ImageParam(hl.Int(32), 1, "image"), [hl.Param(hl.Int(32), f"limit_{k}") for k in range(40)]
    f, g = hl.funcs("f g")
    f[x] = image[x]
    condition = x > 0
    for limit in limits:
        condition = (condition | (x > limit)) & (condition | (x < limit * 2))
        limit.set(3)
    g[x] = hl.select(condition, f[x], 0)
    if vectorized:
        g.vectorize(x, 8)
        f.compute_at(g, x)
    else:
        f.compute_root()
    image.set(hl.Buffer(np.arange(1, 9, dtype=np.int32)))
    np.testing.assert_array_equal(np.asarray(g.realize([8])), [0, 2, 3, 4, 5, 6, 7, 8])
