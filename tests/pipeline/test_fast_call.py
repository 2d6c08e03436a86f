"""Fast calls: they see in arrays and numbers what the slow way sees, or leave the call to it."""

import ctypes
import gc
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pipec as hl
from pipec.errors import ArgumentError, BoundsError, HalideError, OverlapError
from pipec.jit.runtime.python_call import supported
from pipec.jit.runtime.python_call_layout import LayoutHead
from pipec.pipeline.calls import compiled
from pipec.pipeline.calls import fast_call as module
from pipec.pipeline.calls.runnable import no_fast_call

pytestmark = pytest.mark.skipif(not supported(), reason="this interpreter has no fast calls")
x, y = hl.vars("x y")
STEPS = (-2, -1, 1, 2)


def sum_of(kind=None, scalar=None):
    kind, scalar = kind or hl.Int(16), scalar or hl.Int(32)
    image, factor, f = hl.ImageParam(kind, 2, "image"), hl.Param(scalar, "factor"), hl.Func("out")
    f[x, y] = hl.cast(hl.Float(64), image[x, y]) + hl.cast(hl.Float(64), factor)
    return f.compile_to_callable([image, factor])


@pytest.fixture(scope="module")
def run():
    return sum_of()


@pytest.fixture
def out():
    return np.zeros((3, 4))


class Spied:
    """What the two ways of calling a Callable hand to the machine code."""

    def __init__(self, callable_, monkeypatch):
        self.run, self.seen = callable_, []
        self.compiled = callable_._run.compiled
        callable_.fast_call()
        [(self.table, _)] = self.compiled._fast_call.values()
        count = self.compiled._width

        def entry(slots):
            self.seen.append(list((ctypes.c_int64 * count).from_address(slots)))
            return 0

        self.entry = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_size_t)(entry)
        self.before = self.table.numbers[LayoutHead.ENTRY]
        self.table.numbers[LayoutHead.ENTRY] = ctypes.cast(self.entry, ctypes.c_void_p).value
        monkeypatch.setattr(compiled.CompiledPipeline, "_run", lambda _, slots, __: self.seen.append(slots))

    def both(self, *args):
        self.seen.clear()
        fast = self.run.fast_call()(*args)
        self.run._run([args[at] for at in self.run._order])
        return fast, list(self.seen)


@pytest.fixture
def spied(run, monkeypatch):
    result = Spied(run, monkeypatch)
    yield result
    result.table.numbers[LayoutHead.ENTRY] = result.before


@settings(max_examples=200, deadline=None, database=None)
@given(
    st.tuples(*[st.integers(1, 4)] * 2),
    st.tuples(*[st.sampled_from(STEPS)] * 2),
    st.sampled_from(["as is", "transposed", "repeated"]),
    st.booleans(),
)
def test_slots_are_those_of_the_longer_way(shape, steps, how, as_buffer):
    base = np.zeros([2 * extent for extent in shape], np.int16)
    array = base[tuple([slice(None, None, step) for step in steps])][: shape[0], : shape[1]]
    array = array.T if how == "transposed" else np.broadcast_to(array[:1], shape) if how == "repeated" else array
    with pytest.MonkeyPatch.context() as patch:
        spied = Spied(_RUN, patch)
        try:
            argument = hl.Buffer(array) if as_buffer else array
            result = np.zeros(array.shape)
            spied.both(argument, 7, result)  # a Buffer keeps its shape from the first call on
            fast, (own, slow) = spied.both(argument, 7, result)
        finally:
            spied.table.numbers[LayoutHead.ENTRY] = spied.before
    assert fast
    assert own == slow


_RUN = sum_of() if supported() else None


def test_moved_and_cropped_buffers_are_seen_as_such(spied, out):
    image, result = hl.Buffer(np.zeros((5, 6), np.int16)), hl.Buffer(out)
    for change in (lambda: image.set_min([3, -2]), lambda: image.crop(0, 4, 3), lambda: image.transpose(0, 1)):
        spied.both(image, 1, result)
        change()
        spied.both(image, 1, result)
        fast, (own, slow) = spied.both(image, 1, result)
        assert fast
        assert own == slow


@pytest.mark.parametrize(
    ("scalar", "value"),
    [(hl.Int(8), v) for v in (-128, 127, True)]
    + [(hl.UInt(64), v) for v in (0, (1 << 63) - 1)]
    + [(hl.Bool(), v) for v in (False, True, 1)]
    + [(hl.Float(32), v) for v in (0.1, -0.0, 1e300, float("nan"), float("-inf"), 3, -(1 << 53))]
    + [(hl.Float(64), v) for v in (0.1, 5e-324, float("inf"), (1 << 53) - 1)],
)
def test_numbers_are_those_of_the_longer_way(scalar, value, monkeypatch, out):
    spied = Spied(sum_of(scalar=scalar), monkeypatch)
    fast, (own, slow) = spied.both(np.zeros((3, 4), np.int16), value, out)
    assert fast
    assert own == slow


@pytest.mark.parametrize("value", [-129, 128, 1 << 70, -(1 << 70), 1.0, np.int8(3), None, "1"])
def test_other_numbers_are_left_to_the_longer_way(value, out):
    assert not sum_of(scalar=hl.Int(8)).fast_call()(np.zeros((3, 4), np.int16), value, out)


class Derived(np.ndarray):
    pass


A = np.zeros((3, 4), np.int16)
READ_ONLY = np.zeros((3, 4))
READ_ONLY.flags.writeable = False
UNALIGNED = np.zeros(100, np.uint8)[1:97].view(np.float64).reshape(3, 4)


@pytest.mark.parametrize(
    "args",
    [
        (A, 1),
        (A, 1, np.zeros((3, 4)), 1),
        (A.astype(np.int32), 1, np.zeros((3, 4))),
        (A.astype(">i2"), 1, np.zeros((3, 4))),
        (A.view(np.uint16), 1, np.zeros((3, 4))),
        (A[0], 1, np.zeros((3, 4))),
        (A.view(Derived), 1, np.zeros((3, 4))),
        (np.ma.array(A), 1, np.zeros((3, 4))),
        (np.zeros((3, 4, 3), np.int8).view(np.dtype([("a", "i2"), ("b", "i1")]))["a"][..., 0], 1, np.zeros((3, 4))),
        (memoryview(A), 1, np.zeros((3, 4))),
        (A, 1, READ_ONLY),
        (A, 1, UNALIGNED),
        (A[:0], 1, np.zeros((0, 4))),
        (None, 1, None),
        (hl.Buffer(), 1, np.zeros((3, 4))),
        (hl.Buffer.make_bounds_query(hl.Int(16), [4, 3]), 1, np.zeros((3, 4))),
        (hl.Buffer(A.astype(np.int32)), 1, np.zeros((3, 4))),
        (hl.Buffer(A), 1, hl.Buffer(READ_ONLY)),
        (A, 1, A.view(np.float64)),
    ],
)
def test_unusual_arguments_are_left_to_the_longer_way(run, args):
    for _ in "12":  # a Buffer keeps its shape from the first call on
        assert run.fast_call()(*args) is False


def test_what_is_wrong_is_reported_as_ever(run, out):
    with pytest.raises(HalideError, match="type int16 but type of the buffer passed in is int32"):
        run(A.astype(np.int32), 1, out)
    with pytest.raises(BoundsError):
        run(A[:2].copy(), 1, out)
    with pytest.raises(ArgumentError, match="read-only"):
        run(A, 1, READ_ONLY)
    run(A + 5, 1, out)
    assert (out == 6).all()


def test_an_output_that_overlaps_an_input_is_refused():
    image, f = hl.ImageParam(hl.Int(16), 1, "image"), hl.Func("out")
    f[x] = image[x] + hl.i16(1)
    run, memory = f.compile_to_callable([image]), np.zeros(10, np.int16)
    with pytest.raises(OverlapError):
        run(memory[:6], memory[4:])
    rows = memory.reshape(2, 5)
    run(rows[0], rows[1])
    assert rows.tolist() == [[0] * 5, [1] * 5]


def test_values_of_a_tuple_must_have_the_same_bounds():
    f = hl.Func("out")
    f[x] = (hl.cast(hl.Int(16), x), x)
    run = f.compile_to_callable([])
    a, b = np.zeros(4, np.int16), np.zeros(4, np.int32)
    assert run.fast_call()(a, b)
    assert b.tolist() == [0, 1, 2, 3]
    assert not run.fast_call()(a, b[:3])
    with pytest.raises(ArgumentError, match="must cover the same coordinates"):
        run(a, b[:3])


def test_outputs_too_tight_for_whole_strips_take_fast_calls_from_the_second_call_on():
    f = hl.Func("out")
    f[x] = x * 2
    f.vectorize(x, 8)
    run, small = f.compile_to_callable([]), np.zeros(3, np.int32)
    assert not run.fast_call()(small)
    run(small)
    assert small.tolist() == [0, 2, 4]
    small[...] = 0
    assert run.fast_call()(small)
    assert small.tolist() == [0, 2, 4]
    assert run.statistics().calls == 2


def test_embedded_buffers_and_unused_arguments():
    image, unused, f = hl.ImageParam(hl.Int(32), 1, "image"), hl.Param(hl.Int(8), "unused"), hl.Func("out")
    table = hl.Buffer(np.arange(4, dtype=np.int32))
    f[x] = image[x] + table[x]
    run = f.compile_to_callable([unused, image])
    run._names, out = (), np.zeros(4, np.int32)
    del table
    gc.collect()
    run(None, out + 10, out)
    assert run.fast_call()(None, np.full(4, 20, np.int32), out)
    assert out.tolist() == [20, 21, 22, 23]


def test_nothing_is_held_and_nothing_is_lost(run, out):
    image, result, failing = hl.Buffer(A), hl.Buffer(out), hl.Buffer(A[:2].copy())
    held = (A, out, image, result, image._array, result._array, failing._array, True, False)
    for args in ((A, 1, out), (image, 1, result), (failing, 1, result), (image, "1", result)):
        run.fast_call()(*args)
        before = [sys.getrefcount(value) for value in held[:7]]
        for _ in range(50):
            run.fast_call()(*args)
        assert [sys.getrefcount(value) for value in held[:7]] == before


def test_a_callable_goes_with_its_last_reference():
    run = sum_of()
    table = run.fast_call().__self__
    before = sys.getrefcount(table)
    compiled_ = run._run.compiled
    compiled_._fast_call.clear()
    del run, compiled_
    gc.collect()
    assert sys.getrefcount(table) < before


def test_other_threads_run_meanwhile_and_may_take_memory_away():
    r, image, f = hl.RDom([(0, 1 << 21)]), hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("out")
    f[x] = hl.sum(hl.sin(image[x] + r))
    run = f.compile_to_callable([image])
    source, result = hl.Buffer(np.ones(4, np.float32)), hl.Buffer(np.zeros(4, np.float32))
    run(source, result)
    started = time.perf_counter()
    run(source, result)
    alone = time.perf_counter() - started
    worker = threading.Thread(target=run, args=(source, result))
    worker.start()
    time.sleep(alone / 10)
    ticks = int(worker.is_alive())
    source.deallocate()
    result.deallocate()
    worker.join()
    assert ticks


def test_a_daemon_thread_may_be_running_when_the_process_ends():
    code = """
import threading, time, numpy as np, pipec as hl
x, r = hl.Var("x"), hl.RDom([(0, 20_000_000)])
f = hl.Func()
f[x] = hl.sum(hl.sin(hl.cast(hl.Float(32), x + r)))
run, out = f.compile_to_callable([]), np.zeros(1, np.float32)
def work():
    while True:
        run(out)
threading.Thread(target=work, daemon=True).start()
time.sleep(0.05)
print("end", flush=True)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr


def test_programs_that_report_or_check_have_no_fast_calls():
    factor, f, g = hl.Param(hl.Int(32), "factor"), hl.Func("f"), hl.Func("g")
    factor.set_range(0, 5)
    f[x] = hl.print(x)
    g[x] = x * factor
    assert f.compile_to_callable([]).fast_call() is no_fast_call
    assert g.compile_to_callable([factor]).fast_call() is no_fast_call


def test_without_knowledge_of_the_interpreter_the_longer_way_serves(monkeypatch, out):
    monkeypatch.setattr(module, "supported", lambda: False)
    run = sum_of()
    assert run.fast_call() is no_fast_call
    run(A, 2, out)
    assert (out == 2).all()
    assert run.statistics().calls == 1
