"""The thread pool and the memory of compiled pipelines: many callers, nesting, failures, forks."""

import ctypes
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from programs import arguments_of, const, load, loop, program, slots_of, store, variable

from pipec.ir.expr import LT, Add, Mul
from pipec.ir.stmt import Allocate, Assert, Block, LoopKind, MemoryType
from pipec.ir.types import INT32, INT64
from pipec.jit.engine import compile_program
from pipec.jit.runtime.library import default_threads, runtime
from pipec.target import get_host_target

PARALLEL = LoopKind.PARALLEL
ROWS, COLUMNS = 20, 30


@pytest.fixture(params=[1, 2, 5])
def threads(request):
    before = runtime().threads()
    runtime().set_threads(request.param)
    yield request.param
    runtime().set_threads(before)


def nested():
    """out[y, x] = y * COLUMNS + x, rows and columns both parallel, through a heap buffer of each row."""
    y, x, t = variable("y"), variable("x"), variable("t")
    fill = loop("t", COLUMNS, store("tmp", Add(Mul(y, const(COLUMNS)), t), t))
    copy = loop("x", COLUMNS, store("out", load(INT32, "tmp", x), Add(Mul(y, const(COLUMNS)), x)), PARALLEL)
    row = Allocate("tmp", INT32, MemoryType.Heap, variable("n", INT64), Block((fill, copy)))
    out = np.zeros((ROWS, COLUMNS), np.int32)
    body = loop("y", ROWS, row, PARALLEL)
    arguments = arguments_of({"n": np.int64(0)}, {"out": out})
    return compile_program(program(body, arguments), get_host_target())


EXPECTED = np.arange(ROWS * COLUMNS).reshape(ROWS, COLUMNS)


def call_often(compiled, times, size, failures):
    for _ in range(times):
        out = np.zeros((ROWS, COLUMNS), np.int32)
        slots = slots_of(compiled, {"n": np.int64(size)}, {"out": out})
        if compiled.call(slots.ctypes.data) != 0 or not (out == EXPECTED).all():
            failures.append(out)


def test_nested_regions(threads):
    failures = []
    call_often(nested(), 200, COLUMNS, failures)
    assert not failures


TASK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64)


def run_tasks(count, task, minimum=0):
    """The status of a parallel loop over Python functions."""
    address = runtime().addresses["pipec_parallel_for"]
    loop_of = ctypes.CFUNCTYPE(ctypes.c_int32, TASK, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(address)
    return loop_of(TASK(task), None, minimum, count)


def test_who_waits_for_a_worker_helps_it_with_nested_regions():
    """The tasks of the nested region wait for each other."""
    begun, both = threading.Event(), threading.Barrier(2, timeout=20)

    def outer(_, index):
        if index == 0:
            return 0 if begun.wait(20) else 1
        begun.set()
        return run_tasks(2, lambda _, index: both.wait() * 0)

    before = runtime().threads()
    runtime().set_threads(2)
    try:
        assert run_tasks(2, outer) == 0 and not both.broken
    finally:
        runtime().set_threads(before)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 100, 1000])
def test_every_index_is_met_once(threads, count):
    met = []
    assert run_tasks(count, lambda _, index: met.append(index) or 0, minimum=-3) == 0
    assert sorted(met) == list(range(-3, count - 3))


def takes_neighbours(threads):
    """Whether each thread goes through its share from the start; others help from the end."""
    met = []

    def task(_, index):
        met.append((threading.get_ident(), index))
        time.sleep(0.001)
        return 0

    run_tasks(60, task)
    for start in range(0, 60, 60 // threads):
        share = range(start, start + 60 // threads)
        by_thread = {}
        for thread, index in met:
            if index in share:
                by_thread.setdefault(thread, []).append(index)
        forward = [taken for taken in by_thread.values() if taken == list(range(start, start + len(taken)))]
        backward = [taken for taken in by_thread.values() if taken == sorted(taken, reverse=True)]
        if len(forward) > 1 or any(taken not in forward + backward for taken in by_thread.values()):
            return False
    return True


def test_threads_take_indices_that_are_neighbours(threads):
    assert takes_neighbours(threads)


def test_threads_keep_their_shares_when_there_were_fewer_in_between(threads):
    for fewer in (1, 2, 3, 4, 2, 3, 1):
        runtime().set_threads(fewer)
        run_tasks(8, lambda *_: time.sleep(0.001) or 0)
        runtime().set_threads(threads)
        assert takes_neighbours(threads)


def test_no_more_tasks_begin_after_a_failure(threads):
    met = []
    assert run_tasks(10_000, lambda _, index: met.append(index) or int(index == 5)) == 1
    assert len(met) < 10_000


def test_many_threads_call_at_once(threads):
    compiled, failures = nested(), []
    callers = [threading.Thread(target=call_often, args=(compiled, 100, 40000, failures)) for _ in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not failures


def test_call_in_a_forked_child():
    compiled = nested()
    call_often(compiled, 3, COLUMNS, [])
    child = os.fork()
    if child == 0:
        failures = []
        call_often(compiled, 20, 100_000, failures)
        os._exit(1 if failures else 0)
    assert os.waitpid(child, 0)[1] == 0
    failures = []
    call_often(compiled, 3, COLUMNS, failures)
    assert not failures


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="threads cannot be bound to a core here")
def test_threads_that_share_one_core_take_turns(threads):
    compiled = nested()
    child = os.fork()
    if child == 0:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        failures = []
        call_often(compiled, 300, COLUMNS, failures)
        os._exit(1 if failures else 0)
    assert os.waitpid(child, 0)[1] == 0


def test_fork_while_other_threads_run():
    compiled, failures = nested(), []
    caller = threading.Thread(target=call_often, args=(compiled, 400, 70_000, failures))
    caller.start()
    for _ in range(10):
        child = os.fork()
        if child == 0:
            inner = []
            call_often(compiled, 5, 70_000, inner)
            os._exit(1 if inner else 0)
        assert os.waitpid(child, 0)[1] == 0
    caller.join()
    assert not failures


def test_failure_in_a_nested_task_ends_all(threads):
    y, x = variable("y"), variable("x")
    check = Assert(LT(Add(Mul(y, const(10)), x), const(95)), 2, (y, x))
    body = loop("y", 10, loop("x", 10, check, PARALLEL), PARALLEL)
    compiled = compile_program(program(body, [], 3), get_host_target())
    slots = slots_of(compiled, {}, {})
    assert compiled.call(slots.ctypes.data) == 1
    assert slots[1] == 2 and slots[2] == 9 and slots[3] >= 5


def test_number_of_threads_comes_from_the_environment(monkeypatch, capsys):
    monkeypatch.setenv("HL_NUM_THREADS", "3")
    assert default_threads() == 3
    monkeypatch.setenv("PIPEC_NUM_THREADS", "7")
    assert default_threads() == 7
    monkeypatch.setenv("PIPEC_NUM_THREADS", "many")
    assert default_threads() == 3
    assert "PIPEC_NUM_THREADS" in capsys.readouterr().out


def test_the_code_of_the_pool_outlives_the_interpreter():
    # Its threads may still be in it. One reference is the runtime's, one that of the call here, one nobody gives up.
    references = sys.getrefcount(runtime().library)
    assert references == 3


def test_memory_is_cached_and_released():
    size = 1 << 24
    out = np.zeros(1, np.int32)
    body = Allocate("t", INT32, MemoryType.Heap, variable("n", INT64), store("t", const(1), const(0)))
    compiled = compile_program(program(body, arguments_of({"n": np.int64(0)}, {"out": out})), get_host_target())
    for count in (size, size, size // 2, size // 8, size * 2):
        slots = slots_of(compiled, {"n": np.int64(count)}, {"out": out})
        assert compiled.call(slots.ctypes.data) == 0
    runtime().trim()


def allocator():
    """pipec_malloc and pipec_free, with an empty pool."""
    pointer, library = ctypes.c_void_p, runtime().library
    runtime().trim()
    malloc = ctypes.CFUNCTYPE(pointer, ctypes.c_int64, ctypes.c_int32)(library["pipec_malloc"])
    return malloc, ctypes.CFUNCTYPE(None, pointer)(library["pipec_free"])


@pytest.mark.parametrize("size", [1000, 30_000, 1_000_000])
def test_new_blocks_are_cleared(size):
    # Lanes that are not needed compute with them: garbage may be denormal, which is slow.
    malloc, free = allocator()
    for _ in range(3):
        block = malloc(size, 4)
        assert not np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(block)).any()
        ctypes.memset(block, 255, size)
        free(block)
        runtime().trim()


def test_a_block_that_is_used_often_drives_no_other_from_the_pool():
    malloc, free = allocator()

    def taken_and_freed(sizes):
        blocks = [malloc(size, 4) for size in sizes]
        for block in blocks:
            free(block)
        return blocks

    sizes = [100_000 * (1 << k) for k in range(8)]
    blocks = taken_and_freed(sizes)
    for _ in range(200):
        assert taken_and_freed(sizes[:1]) == blocks[:1]
    assert taken_and_freed(sizes) == blocks
    runtime().trim()


def test_floats_get_no_block_that_integers_left():
    # Small integers are denormal floats.
    malloc, free = allocator()
    integers = malloc(1_000_000, 0)
    free(integers)
    floats = malloc(1_000_000, 4)
    free(floats)
    assert floats != integers and malloc(1_000_000, 0) == integers
    free(integers)


LOADING = """
import threading
from pipec.jit.runtime import library
try:
    with library.loading_runtime():
        raise ValueError
except ValueError:
    assert library._runtime is not None and threading.active_count() == 1
with library.loading_runtime():
    assert threading.active_count() == 1
print(library.runtime().addresses_for_profiles().keys() - library.runtime().addresses.keys())
"""


def test_the_runtime_is_loaded_when_lowering_has_ended_or_failed(tmp_path):
    environment = os.environ | {"PIPEC_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", LOADING], env=environment, capture_output=True, text=True)
    assert "pipec_profile_begin" in done.stdout, done.stderr
