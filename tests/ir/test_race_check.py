"""The race check of the interpreter: which accesses of parallel iterations are races, and which are not."""

import random

import numpy as np
import pytest

from pipec.errors import InternalError
from pipec.ir import build
from pipec.ir import expr as e
from pipec.ir import stmt as s
from pipec.ir.interp import run
from pipec.ir.types import INT32, INT64

x, y = e.variable("x"), e.variable("y")
NEXT = build.add(x, 1)


def store(index, value, buffer="out"):
    return s.Store(buffer, build.as_expr(value), build.as_expr(index), e.TRUE)


def load(index, buffer="out"):
    return e.Load(INT32, buffer, build.as_expr(index), e.TRUE)


def parallel(*body, extent=4, name="x", kind=s.LoopKind.PARALLEL):
    return s.For(name, e.const(0), e.const(extent), kind, s.Block(body) if len(body) > 1 else body[0])


def outcome(body, size=5, seed=0):
    return run(body, {"out": np.zeros(size, np.int32)}, order=random.Random(seed))["out"].tolist()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", [s.LoopKind.PARALLEL, s.LoopKind.GPU_BLOCK, s.LoopKind.GPU_THREAD])
def test_an_element_with_different_values_is_undefined(kind, seed):
    result = outcome(parallel(store(x, 7), store(NEXT, x), kind=kind), seed=seed)
    undefined = outcome(parallel(store(0, x)), size=1)[0]
    assert result == [7, undefined, undefined, undefined, 3]


def test_overlapping_writes_of_one_value_are_no_race():
    assert outcome(parallel(store(x, build.mul(x, 3)), store(NEXT, build.mul(NEXT, 3)))) == [0, 3, 6, 9, 12]


def test_an_iteration_may_read_what_it_has_written():
    assert outcome(parallel(store(x, 7), store(x, build.add(load(x), x))))[:4] == [7, 8, 9, 10]


@pytest.mark.parametrize("seed", range(4))
def test_an_iteration_must_not_read_what_another_one_writes(seed):
    with pytest.raises(InternalError, match=r"Race in loop x: iteration \d reads element \d of out"):
        outcome(parallel(store(x, load(NEXT))), seed=seed)


def test_iterations_of_loops_around_are_compared_too():
    inner = parallel(store(build.add(x, y), y), extent=2, name="y", kind=s.LoopKind.SERIAL)
    result = outcome(parallel(inner))
    assert result[0] == 0 and result[4] == 1 and result[1] == result[2] == result[3] < 0


def test_iterations_of_serial_loops_may_write_different_values():
    assert outcome(parallel(store(x, 7), store(NEXT, x), kind=s.LoopKind.SERIAL)) == [7, 7, 7, 7, 3]


def test_loops_one_after_the_other_are_not_concurrent():
    first = parallel(store(x, x), extent=5)
    second = parallel(store(y, build.add(load(build.sub(4, y)), 10), "copy"), name="y", extent=5)
    back = s.For("z", e.const(0), e.const(5), s.LoopKind.SERIAL, store(e.variable("z"), load(e.variable("z"), "copy")))
    body = s.Allocate("copy", INT32, s.MemoryType.Auto, e.Const(INT64, 5), s.Block((first, second, back)))
    assert outcome(body) == [14, 13, 12, 11, 10]


def test_memory_of_one_iteration_is_not_shared():
    both = s.Block((store(0, x, "own"), store(x, load(0, "own"))))
    assert outcome(parallel(s.Allocate("own", INT32, s.MemoryType.Auto, e.Const(INT64, 1), both)))[:4] == [0, 1, 2, 3]


def test_atomic_updates_are_no_race():
    assert outcome(parallel(s.AtomicUpdate(store(0, build.add(load(0), x)))), size=1) == [6]
