"""stream_stores: an output past the cache because the schedule says so, or never; the same pixels."""

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.jit.llvm.emit import emit_module
from pipec.lower.lower import lower
from pipec.schedule.python_text import to_python

x, y = hl.vars("x y")
IMAGE = np.random.default_rng(3).integers(0, 60000, (20, 128)).astype(np.uint16)


def doubled(*setting):
    f = hl.Func("f")
    f[x, y] = hl.Buffer(IMAGE)[x, y] * 2
    f.vectorize(x, 32)
    return f.stream_stores(*setting)


def text_of(f):
    functions = [f.function]
    program = lower(freeze(functions, "f")[0], schedule_of(functions), hl.get_jit_target_from_environment())
    return emit_module(program, abilities=frozenset({"fma", "stream"}))


@pytest.mark.parametrize("setting", [(), (True,), (False,)])
def test_the_pixels_are_the_same(setting):
    assert (np.asarray(doubled(*setting).realize([128, 20])) == IMAGE * 2).all()


def test_the_size_decides_nothing_any_more():
    assert "nontemporal" in text_of(doubled()) and "33554432" not in text_of(doubled())
    assert "nontemporal" not in text_of(doubled(False))


def test_the_last_request_counts():
    assert "nontemporal" not in text_of(doubled().stream_stores(False))
    assert "nontemporal" in text_of(doubled(False).stream_stores())


def test_funcs_that_are_used_or_updated_are_refused():
    g = hl.Func("g")
    f = doubled().compute_root()
    g[x, y] = f[x, y] + 1
    with pytest.raises(hl.HalideError, match="can't be stored past the cache.*no output"):
        g.compile_jit()
    h = doubled()
    h[x, y] += hl.u16(1)
    with pytest.raises(hl.HalideError, match="the pipeline reads it"):
        h.compile_jit()


def test_it_prints_and_serialises():
    f = doubled()
    assert ".stream_stores()" in to_python(schedule_of([f.function]))
    assert ".stream_stores(False)" in to_python(schedule_of([doubled(False).function]))
    (second,) = hl.deserialize_pipeline(hl.serialize_pipeline(hl.Pipeline(f))).outputs()
    assert ".stream_stores()" in to_python(schedule_of([second.function]))
