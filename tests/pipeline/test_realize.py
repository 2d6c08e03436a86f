"""Pipeline.realize: its forms, several outputs, sizes beyond what was asked for."""

import pickle

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ArgumentError, DefinitionError, PipecError

x, y = hl.vars("x y")


@pytest.fixture
def ramp():
    f = hl.Func()
    f[x, y] = x + 10 * y
    return f


RAMP = np.arange(4) + 10 * np.arange(3)[:, None]


@pytest.mark.parametrize("args", [([4, 3],), ((4, 3),), ([np.int64(4), 3],), ([4, 3], hl.get_host_target())])
def test_sizes(ramp, args):
    r = ramp.realize(*args)
    assert isinstance(r, hl.Buffer) and (r.width(), r.height(), r.type()) == (4, 3, hl.Int(32))
    np.testing.assert_array_equal(np.asarray(r), RAMP)
    assert r[3, 2] == 23


def test_sizes_and_target_by_keyword(ramp):
    assert ramp.realize(sizes=[4, 3], target=hl.get_jit_target_from_environment())[3, 2] == 23
    b = hl.Buffer(hl.Int(32), [4, 3])
    assert ramp.realize(dst=b) is None and b[3, 2] == 23


def test_a_buffer_is_filled(ramp):
    b = hl.Buffer(hl.Int(32), [4, 3])
    b.set_min([5, -2])
    assert ramp.realize(b) is None
    np.testing.assert_array_equal(np.asarray(b), RAMP + 5 - 20)
    a = np.zeros((3, 4), np.int32)
    ramp.realize([hl.Buffer(a)])
    np.testing.assert_array_equal(a, RAMP)


def test_nothing_else_is_touched(ramp):
    a = np.full((9, 9), -1, np.int32)
    ramp.realize(hl.Buffer(a[2:5, 3:7]))
    np.testing.assert_array_equal(a[2:5, 3:7], RAMP)
    assert (a == -1).sum() == 81 - 12


def test_scalars():
    f = hl.Func()
    f[()] = 5
    assert f.realize()[()] == 5 and f.realize([])[()] == 5 and hl.Pipeline(f).realize(())[()] == 5


def test_empty_sizes_do_nothing(ramp):
    assert np.asarray(ramp.realize([0, 3])).shape == (3, 0)


@pytest.mark.parametrize("args", [(4, 3), ([4.0, 3],), ("ab",), ([[4, 3]],), ([4, 3], 7), ([None],)])
def test_other_forms_are_refused(ramp, args):
    with pytest.raises(TypeError, match="incompatible function arguments"):
        ramp.realize(*args)


def test_the_number_of_sizes_must_fit(ramp):
    for sizes in ([], [4], [1, 2, 3]):
        with pytest.raises(ArgumentError, match=f"requesting a realization with {len(sizes)} dimensions"):
            ramp.realize(sizes)
    with pytest.raises(ArgumentError, match=r"dimension 1 is negative \(-1\)"):
        ramp.realize([4, -1])


def test_undefined_pipelines():
    with pytest.raises(DefinitionError, match="Can't realize undefined Func"):
        hl.Func("nothing_there").realize([3])
    with pytest.raises(ArgumentError, match="Pipeline is undefined"):
        hl.Pipeline().realize([3])


def test_tuples_and_several_funcs():
    f, g = hl.Func(), hl.Func()
    f[x] = (x, x + 0.5)
    g[x] = hl.u8(x)
    a, b, c = hl.Pipeline([f, g]).realize([3])
    assert [np.asarray(r).tolist() for r in (a, b, c)] == [[0, 1, 2], [0.5, 1.5, 2.5], [0, 1, 2]]
    assert [r.type() for r in (a, b, c)] == [hl.Int(32), hl.Float(32), hl.UInt(8)]
    a.fill(0)
    f.realize([a, b])
    assert a[2] == 2


def test_the_number_of_buffers_must_fit(ramp):
    b = hl.Buffer(hl.Int(32), [4, 3])
    with pytest.raises(ArgumentError, match=r"Realization requires 2 output\(s\) but pipeline produces 1 result"):
        ramp.realize([b, b])
    with pytest.raises(ArgumentError, match="Undefined buffer"):
        ramp.realize(hl.Buffer())


def test_the_values_of_a_func_cover_the_same_box():
    f = hl.Func()
    f[x] = (x, x)
    with pytest.raises(ArgumentError, match=r"Constraint violated: .*\.1\.extent\.0 \(4\) == .*\.0\.extent\.0 \(3\)"):
        f.realize([hl.Buffer(hl.Int(32), [3]), hl.Buffer(hl.Int(32), [4])])


def test_an_output_that_another_reads_is_stored_whole_and_cropped():
    f, g = hl.Func(), hl.Func()
    f[x] = x * 2
    g[x] = f[x + 3] + f[x - 1]
    f.compute_root()
    a, b = hl.Pipeline([f, g]).realize([3])
    assert np.asarray(a).tolist() == [0, 2, 4] and np.asarray(b).tolist() == [4, 8, 12]


def test_updates_that_write_elsewhere_are_stored_whole_and_cropped():
    f, r = hl.Func(), hl.RDom([(0, 10)])
    f[x] = 1
    f[r] += r
    b = f.realize([4])
    assert np.asarray(b).tolist() == [1, 2, 3, 4] and b.width() == 4
    with pytest.raises(PipecError, match="is accessed at 9, which is beyond the max"):
        f.realize(hl.Buffer(hl.Int(32), [4]))


def test_a_func_is_an_output_once(ramp):
    with pytest.raises(ArgumentError, match="twice"):
        hl.Pipeline([ramp, ramp])


def test_schedules_may_change_between_runs(ramp):
    first = np.asarray(ramp.realize([9, 5]))
    ramp.vectorize(x, 4).parallel(y)
    np.testing.assert_array_equal(np.asarray(ramp.realize([9, 5])), first)


def test_compiled_once(ramp, monkeypatch):
    import pipec.pipeline.calls.compiled as compiled

    ramp.realize([4, 3])
    monkeypatch.setattr(compiled, "compile_program", None)
    ramp.realize([14, 13])
    hl.Pipeline(ramp).realize([14, 13])


def test_code_for_other_machines_cannot_run(ramp):
    with pytest.raises(ArgumentError, match="cannot run in this process"):
        ramp.realize([4, 3], hl.Target("arm-64-osx"))


def test_texts_and_funcs():
    f, g = hl.Func("tf"), hl.Func("tg")
    f[x] = x
    g[x] = f[x]
    p = hl.Pipeline([g])
    assert repr(p) == f"<halide.Pipeline ['{g.name()}']>" and repr(hl.Pipeline()) == "<halide.Pipeline Pipeline()>"
    assert [h.name() for h in p.outputs()] == [g.name()] and p.get_func(0).name() == f.name()
    assert p.defined() and not hl.Pipeline().defined()
    with pytest.raises(ArgumentError):
        p.get_func(2)
    with pytest.raises(TypeError):
        hl.Pipeline(3)


def test_evaluate():
    assert hl.evaluate(hl.i32(3) + 4) == 7 and hl.evaluate(3) == 3
    assert hl.evaluate((hl.i32(3), hl.f32(2.5))) == (3, 2.5)
    assert hl.evaluate(hl.u8(3) == 3) is True
    with pytest.raises(ValueError, match="Expected an Expr or tuple-of-Expr"):
        hl.evaluate("x")


def test_memory_is_freed_with_the_func():
    import gc
    import weakref

    f = hl.Func()
    f[x] = x
    f.realize([3])
    removed = weakref.ref(f.function)
    del f
    gc.collect()
    assert removed() is None


def test_arrays_are_written_in_place(ramp):
    a = np.zeros((3, 4), np.int32)
    ramp.realize(a)
    np.testing.assert_array_equal(a, RAMP)
    with pytest.raises(ArgumentError, match="has type int32 but type of the buffer passed in is float32"):
        ramp.realize(a.astype(np.float32))


def test_funcs_refuse_to_be_pickled_with_a_hint():
    x = hl.Var("x")
    f = hl.Func("kept")
    f[x] = x
    for part in (f, f[x], hl.Stage(f)):
        with pytest.raises(TypeError, match="hl.serialize_pipeline"):
            pickle.dumps(part)


def test_new_demands_count_and_repeated_ones_do_not():
    x = hl.Var("x")
    image, f = hl.ImageParam(hl.Int(32), 1, "image"), hl.Func("f")
    f[x] = image[x]
    image.dim(0).set_stride(1)
    image.set(hl.Buffer(np.arange(8, dtype=np.int32)[::2]))
    with pytest.raises(hl.HalideError, match="stride"):
        f.realize([4])
    image.dim(0).set_stride(2)
    assert f.realize([4]).numpy().tolist() == [0, 2, 4, 6]
    [(_, run)] = f._function.compiled.values()
    image.dim(0).set_stride(2)
    image.set_host_alignment(1)
    assert f.realize([4]).numpy().tolist() == [0, 2, 4, 6]
    assert [result for _, result in f._function.compiled.values()] == [run]
    image.dim(0).set_extent(5)
    with pytest.raises(hl.HalideError, match="extent"):
        f.realize([4])
    image.dim(0).set_extent(hl.Expr())
    factor = hl.Param(hl.Int(32), "factor", 7)
    g = hl.Func("g")
    g[x] = x * factor
    assert g.realize([2]).numpy().tolist() == [0, 7]
    factor.set_range(0, 5)
    with pytest.raises(hl.HalideError, match="at most 5"):
        g.realize([2])
