"""Pipelines and Callables are pickled and copied; their Params keep their identity."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pipec as hl

COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "pickle, protocol 2": lambda value: pickle.loads(pickle.dumps(value, 2)),
    "deepcopy": copy.deepcopy,
}
x, y = hl.vars("x y")


def blurred() -> tuple[hl.ImageParam, hl.Param, hl.Func]:
    image, gain = hl.ImageParam(hl.Int(32), 2, "image"), hl.Param(hl.Int(32), "gain", 3)
    table = hl.Buffer(np.arange(100, dtype=np.int32), "table")
    rows, f = hl.funcs("rows f")
    rows[x, y] = image[x, y] + image[x + 1, y]
    f[x, y] = (rows[x, y] + rows[x, y + 1]) * gain + table[hl.clamp(x, 0, 99)]
    rows.compute_root().vectorize(x, 4)
    f.parallel(y)
    image.set(np.arange(30, dtype=np.int32).reshape(5, 6))
    return image, gain, f


def expected(gain: int = 3) -> np.ndarray:
    a = np.arange(30, dtype=np.int32).reshape(5, 6)
    rows = a[:, :-1] + a[:, 1:]
    return (rows[:-1] + rows[1:]) * gain + np.arange(5, dtype=np.int32)


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_a_pipeline_with_its_schedule_and_values(duplicate: Callable[[Any], Any]) -> None:
    image, gain, f = blurred()
    pipeline = hl.Pipeline(f)
    pipeline.add_requirement(gain < 100, "gain is", gain)
    twin = duplicate(pipeline)
    assert (np.asarray(twin.realize([5, 4])) == expected()).all()
    gain.set(1000)
    assert (np.asarray(twin.realize([5, 4])) == expected()).all(), "the copy has values of its own"
    with pytest.raises(hl.HalideError, match="gain is 1000"):
        pipeline.realize([5, 4])


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_params_beside_a_pipeline_stay_its_params(duplicate: Callable[[Any], Any]) -> None:
    image, gain, f = blurred()
    new_image, twin, new_gain = duplicate((image, hl.Pipeline(f), gain))
    new_gain.set(7)
    assert (np.asarray(twin.realize([5, 4])) == expected(7)).all()
    new_image.set(np.zeros((5, 6), np.int32))
    assert (np.asarray(twin.realize([5, 4])) == np.arange(5)).all()
    assert (np.asarray(f.realize([5, 4])) == expected()).all()


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_callables_keep_the_order_of_their_arguments(duplicate: Callable[[Any], Any]) -> None:
    _, gain, f = blurred()
    image = np.arange(30, dtype=np.int32).reshape(5, 6)
    source = f.infer_arguments()[0]
    run = duplicate(f.compile_to_callable([gain, source]))
    for number in (2, 5):
        out = np.zeros((4, 5), np.int32)
        run(number, image, out)
        assert (out == expected(number)).all()


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_several_outputs_tuples_updates_and_constraints(duplicate: Callable[[Any], Any]) -> None:
    f, g = hl.funcs("f g")
    r = hl.RDom([(0, 3)], "r")
    f[x] = (x, hl.f32(x) / 2)
    g[x] = 0
    g[r] += f[r][0] * 10
    f.compute_root()
    f.output_buffer().dim(0).set_min(0)
    first, halves, sums = duplicate(hl.Pipeline([f, g])).realize([4])
    assert [np.asarray(b).tolist() for b in (first, halves, sums)] == [[0, 1, 2, 3], [0, 0.5, 1, 1.5], [0, 10, 20, 0]]


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
def test_the_copy_calls_the_same_extern_functions(duplicate: Callable[[Any], Any]) -> None:
    f = hl.Func("f")
    f.define_extern("abs", [], hl.Int(32), 1)
    assert duplicate(hl.Pipeline(f)).outputs()[0].extern_function_name() == "abs"


def test_an_undefined_pipeline() -> None:
    assert not pickle.loads(pickle.dumps(hl.Pipeline())).defined()


def test_a_shallow_copy_shares_the_funcs() -> None:
    _, gain, f = blurred()
    pipeline = hl.Pipeline(f)
    twin = copy.copy(pipeline)
    twin.add_requirement(gain < 0)
    assert twin.outputs()[0].function is f.function and not pipeline.requirements()


def _run(task: tuple[Any, np.ndarray]) -> np.ndarray:
    run, image = task
    out = np.zeros((4, 5), np.int32)
    run(image, 3, out)
    return out


def test_callables_run_in_other_processes() -> None:
    _, gain, f = blurred()
    run = f.compile_to_callable([f.infer_arguments()[0], gain])
    image = np.arange(30, dtype=np.int32).reshape(5, 6)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert all((out == expected()).all() for out in pool.map(_run, [(run, image)] * 2))


def test_what_belongs_to_live_funcs_says_what_to_pickle():
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x * x
    result = hl.Pipeline(f).autoschedule(sizes=[64], strategy="trivial", verify=False)
    for value, advice in (
        (result, "Pickle its schedule, which is a value"),
        (result.top(1)[0], "Pickle its schedule, which is a value"),
        (f.compile_to_module([], "squares"), "Module squares cannot be pickled or copied. Write its code with compile"),
    ):
        for copied in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=advice):
                copied(value)
    assert pickle.loads(pickle.dumps(result.schedule)) == result.schedule
