"""Random numbers: their ranges and spread, and what they depend on; beside the wheel's, whose numbers are others."""

import halide
import numpy as np
import pytest

import pipec

SIZE = 128


@pytest.fixture(params=[halide, pipec], ids=["wheel", "pipec"])
def hl(request):
    return request.param


def noise(hl, function, *seed):
    f, x, y = hl.Func("noise"), hl.Var("x"), hl.Var("y")
    f[x, y] = getattr(hl, function)(*seed)
    return f, x, y


def computed(f):
    return np.array(f.realize([SIZE, SIZE]))


@pytest.mark.parametrize("function", ["random_uint", "random_int", "random_float"])
@pytest.mark.parametrize("seed", [(), (7,)])
def test_numbers_are_spread_evenly(hl, function, seed):
    result = computed(noise(hl, function, *seed)[0])
    low, high = {"random_uint": (0, 2**32), "random_int": (-(2**31), 2**31), "random_float": (0, 1)}[function]
    assert result.dtype == {"random_uint": np.uint32, "random_int": np.int32, "random_float": np.float32}[function]
    assert low <= result.min() and result.max() < high
    unit = (result.astype(np.float64) - low) / (high - low)
    counts = np.histogram(unit, 16, (0, 1))[0]
    assert ((counts - SIZE * SIZE / 16) ** 2 / (SIZE * SIZE / 16)).sum() < 50
    for neighbour in (unit[1:] - unit[:-1], unit[:, 1:] - unit[:, :-1]):
        # The difference of independent numbers has twice their variance.
        assert abs(neighbour.var() * 6 - 1) < 0.05


def test_a_func_holds_the_same_numbers_whenever_it_is_computed(hl):
    f, x, y = noise(hl, "random_int")
    first = computed(f)
    second = hl.Func("again")
    second[x, y] = f[x, y] - f[x, y]
    assert not computed(second).any()
    f.vectorize(x, 8).parallel(y)
    np.testing.assert_array_equal(computed(f), first)


def test_two_calls_are_two_numbers(hl):
    for seed in ((), (3,)):
        f, x = hl.Func("f"), hl.Var("x")
        f[x] = hl.random_uint(*seed) - hl.random_uint(*seed)
        assert np.count_nonzero(f.realize([SIZE])) > SIZE - 3


def test_seeds_may_be_params(hl):
    seed = hl.Param(hl.Int(32), "seed", 1)
    f = noise(hl, "random_int", seed + 0)[0]
    first = computed(f)
    seed.set(2)
    assert np.count_nonzero(computed(f) == first) < 3


def test_updates_draw_at_each_point_of_their_domain(hl):
    f, x, r = hl.Func("f"), hl.Var("x"), hl.RDom([(0, 400)], "r")
    f[x] = hl.f32(0)
    f[x] += hl.random_float() * hl.f32(hl.select(r >= 0, 1, 0))
    result = np.array(f.realize([16])) / 400
    assert abs(result.mean() - 0.5) < 0.02 and len(set(result.tolist())) == 16


def test_a_domain_may_be_thinned_at_random():
    hl = pipec
    r = hl.RDom([(0, 4000)], "r")
    r.where(hl.random_float() < hl.f32(0.25) + 0 * hl.f32(r.x))
    f = hl.Func("f")
    f[()] = 0
    f[()] += hl.select(r.x >= 0, 1, 0)
    assert 850 < f.realize([])[()] < 1150


def test_seeds_are_integers():
    with pytest.raises(pipec.HalideError, match="The seed of random_int.. is an integer"):
        pipec.random_int(pipec.f32(1.5))
    with pytest.raises(TypeError, match="incompatible function arguments"):
        pipec.random_int("seed")
