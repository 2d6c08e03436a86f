"""Values that are not stored, several stores at once, promises and questions about the target; against the wheel."""

import numpy as np
import pytest
from differential import equals, same

import pipec


def _into(build, count=8, initial=77):
    """A program that realizes what `build(hl, f)` defines into memory full of `initial`."""

    def program(hl):
        f = hl.Func("f")
        build(hl, f, hl.Var("x"))
        out = np.full(count, initial, np.int32)
        f.realize(hl.Buffer(out))
        return out

    return program


def _absent(hl):
    return hl.undef(hl.Int(32))


def _inlined(hl, f, x):
    g = hl.Func("g")
    g[x] = hl.select(x < 3, _absent(hl), x)
    f[x] = g[x] + 1


def _set(f, x, value):
    f[x] = value


CONDITIONS = {
    "always": lambda hl, f, x: _set(f, x, _absent(hl)),
    "for small x": lambda hl, f, x: _set(f, x, hl.select(x < 3, _absent(hl), x)),
    "in the middle": lambda hl, f, x: _set(f, x, hl.select(x < 3, 1, x < 5, _absent(hl), 2)),
    "inside a sum": lambda hl, f, x: _set(f, x, 1 + hl.select(x < 3, _absent(hl), x)),
    "converted": lambda hl, f, x: _set(f, x, hl.i32(hl.undef(hl.UInt(8)))),
    "in an inlined Func": _inlined,
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_undef_is_not_stored(name):
    same(_into(CONDITIONS[name]))


def test_elements_of_a_tuple_are_undef_together():
    def program(hl):
        x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
        f[x] = (_absent(hl), x)
        g[x] = tuple([hl.select(x < 2, _absent(hl), x * k) for k in (1, 2)])
        out = [np.full(8, 77, np.int32) for _ in range(4)]
        for func, pair in ((f, out[:2]), (g, out[2:])):
            func.realize([hl.Buffer(a) for a in pair])
        return np.stack(out)

    same(program)


def test_elements_of_a_tuple_undef_under_different_conditions_are_refused():
    x, f = pipec.Var("x"), pipec.Func("f")
    f[x] = (pipec.select(x < 2, _absent(pipec), x), x)
    with pytest.raises(pipec.HalideError, match="Conditionally-undef values in a Tuple should have the same"):
        f.realize([3])


def _swap(hl, f, x):
    r = hl.RDom([(0, 4)])
    f[x] = x
    f[hl.scatter([r.x, 7 - r.x])] = f[hl.gather([7 - r.x, r.x])]


def _combined(hl, f, x):
    g, r = hl.Func("g"), hl.RDom([(0, 4)])
    g[x] = x * 3
    g.compute_root()
    f[x] = x
    f[hl.scatter([r.x, 7 - r.x])] += hl.select(g[hl.gather([5, 6])] > 15, hl.gather([r.x, r.x + 1]) * 10, 3)


def _two_places(hl, f, x):
    f[x] = x
    f[hl.scatter([1, 2])] = f[hl.gather([2, 1])] + 5


@pytest.mark.parametrize("build", [_swap, _combined, _two_places], ids=lambda f: f.__name__)
def test_scatter_stores_several_values_at_once(build):
    same(_into(build))


def test_scatter_in_a_tuple_and_a_vector_of_rows():
    def program(hl):
        x, y, f, r = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.RDom([(0, 5)])
        f[x, y] = (x + y * 10, x - y)
        places = hl.gather([9 - r.x, r.x])
        f[hl.scatter([r.x, 9 - r.x]), y] = (f[places, y][0] + 1, f[places, y][1] * hl.gather([2, 3]))
        f.update().vectorize(y, 8)
        return np.stack([np.asarray(b) for b in f.realize([10, 21])])

    same(program)


def test_gather_and_scatter_of_different_lengths_are_refused():
    x, f = pipec.Var("x"), pipec.Func("f")
    f[x] = x
    with pytest.raises(pipec.HalideError, match="mismatched sizes used in definition of f.*: 3 vs 2"):
        f[pipec.scatter([1, 2])] = pipec.gather([1, 2, 3])


def test_a_scatter_is_a_race_between_iterations():
    x, f, r = pipec.Var("x"), pipec.Func("f"), pipec.RDom([(0, 4)])
    f[x] = x
    f[pipec.scatter([r.x, 7 - r.x])] = f[pipec.gather([7 - r.x, r.x])]
    with pytest.raises(pipec.HalideError, match="race condition"):
        f.update().parallel(r.x)


def test_a_promise_bounds_what_is_read_and_computes_nothing():
    def program(hl):
        x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
        table = hl.Buffer(np.arange(10, dtype=np.int32) * 7)
        g[x] = x * x % 9
        f[x] = table[hl.unsafe_promise_clamped(g[x], 0, 9)] + table[hl.unsafe_promise_clamped(g[x], 0, hl.i32(8))]
        g.compute_root()
        stored = hl.evaluate(hl.unsafe_promise_clamped(9, 0, 5))
        return np.append(np.asarray(f.realize([20])), stored)

    same(program)


def test_questions_about_the_target():
    def program(hl):
        result = [
            hl.target_bits(),
            hl.target_natural_vector_size(hl.Float(32)),
            hl.i32(hl.target_arch_is(hl.TargetArch.X86)),
            hl.i32(hl.target_arch_is(hl.TargetArch.ARM)),
            hl.i32(hl.target_os_is(hl.TargetOS.Linux)),
            hl.select(hl.target_has_feature(hl.TargetFeature.AVX2), 3, 4),
        ]
        return np.array([hl.evaluate(e) for e in result], np.int32)

    same(program)


def test_a_target_answers_for_itself(tmp_path):
    f = pipec.Func("f")
    f[()] = pipec.target_natural_vector_size(pipec.UInt(8))
    f.compile_to_lowered_stmt(tmp_path / "f.txt", [], target=pipec.Target("arm-64-linux"))
    assert "] = 16" in (tmp_path / "f.txt").read_text()


def test_the_target_cannot_be_asked_in_a_directive():
    x, f = pipec.Var("x"), pipec.Func("f")
    f[x] = x
    f.bound(x, 0, pipec.target_bits())
    with pytest.raises(pipec.HalideError, match="ask the Target in Python"):
        f.realize([4])


def test_the_user_context_of_a_call_from_python_is_null():
    equals(lambda hl: np.uint64(hl.evaluate(hl.reinterpret(hl.UInt(64), hl.user_context_value()))), np.uint64(0))


def test_broken_promises_are_detected_where_the_target_asks_for_it():
    x, f = pipec.Var("x"), pipec.Func("f")
    numbers, table = pipec.ImageParam(pipec.UInt(16), 1, "numbers"), pipec.Buffer(np.arange(1024, dtype=np.int32))
    f[x] = table[pipec.unsafe_promise_clamped(pipec.i32(numbers[x]), 0, 1023)]
    target = pipec.get_jit_target_from_environment().with_feature(pipec.TargetFeature.CheckUnsafePromises)
    numbers.set(pipec.Buffer(np.array([5, 1023, 0], np.uint16)))
    assert np.asarray(f.realize([3], target)).tolist() == [5, 1023, 0]
    numbers.set(pipec.Buffer(np.array([5, 1024, 0], np.uint16)))
    with pytest.raises(pipec.RequirementError, match="Requirement Failed: .*1023.* from unsafe_promise_clamped"):
        f.realize([3], target)


def test_undef_places_of_a_tuple_under_different_conditions_are_refused():
    x, y, f, r = pipec.Var("x"), pipec.Var("y"), pipec.Func("f"), pipec.RDom([(0, 10)])
    f[x, y] = (x, y)
    places = [pipec.unsafe_promise_clamped(pipec.select(r < n, _absent(pipec), r), 0, 9) for n in (2, 5)]
    f[tuple(places)] = (1, 2)
    with pytest.raises(pipec.HalideError, match="Conditionally-undef args in a Tuple should have the same conditions"):
        f.realize([10, 10])
