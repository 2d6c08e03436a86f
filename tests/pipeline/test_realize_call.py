"""Prebuilt calls of `realize`: they do what the slow way does, and none outlives a change of what it was built from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ArgumentError, PipecError, RequirementError
from pipec.jit.runtime.python_call import supported

pytestmark = pytest.mark.skipif(not supported(), reason="this interpreter has no fast calls")
x, y = hl.vars("x y")


class Program:
    """out(x, y) = image(x, y) + table(x, y) + offset, through a Func `inner`."""

    def __init__(self) -> None:
        self.image, self.offset = hl.ImageParam(hl.Int(32), 2, "image"), hl.Param(hl.Int(32), "offset", 5)
        self.table = hl.Buffer(np.arange(12, dtype=np.int32).reshape(3, 4))
        self.inner, self.out = hl.Func("inner"), hl.Func("out")
        self.inner[x, y] = self.image[x, y] + self.table[x, y]
        self.level = hl.LoopLevel.inlined()
        self.inner.compute_at(self.level)
        self.out[x, y] = self.inner[x, y] + self.offset
        self.pixels = np.full((3, 4), 100, np.int32)
        self.image.set(hl.Buffer(self.pixels))
        self.buffer = hl.Buffer(hl.Int(32), [4, 3])
        for _ in range(3):
            self.out.realize(self.buffer)

    def fast(self, dst: Any) -> Any:
        """What the prebuilt call gives; False when it has done nothing."""
        return self.out.function.realize_call(dst)

    def expected(self, offset: int = 5) -> np.ndarray:
        return self.pixels + np.arange(12).reshape(3, 4) + offset


@pytest.fixture
def program() -> Program:
    return Program()


def test_it_fills_buffers_and_arrays_alone_or_in_a_list(program: Program) -> None:
    array = np.zeros((3, 4), np.int32)
    for dst in (program.buffer, [program.buffer], array, [array]):
        assert program.fast(dst) is None
    assert (program.buffer.numpy() == program.expected()).all() and (array == program.expected()).all()


def test_it_allocates_outputs(program: Program) -> None:
    result = program.fast([4, 3])
    assert isinstance(result, hl.Buffer) and (result.numpy() == program.expected()).all()
    assert result.numpy().ctypes.data % 64 == 0 and result.numpy().shape == (3, 4)
    assert program.fast([4, 3]) is not result


def test_several_outputs_are_a_tuple() -> None:
    pair = hl.Func("pair")
    pair[x, y] = hl.Tuple(x, y)
    for _ in range(3):
        pair.realize([4, 3])
    first, second = pair.function.realize_call([4, 3])
    assert first.numpy().tolist() == [[0, 1, 2, 3]] * 3 and second.numpy()[:, 0].tolist() == [0, 1, 2]
    pair.realize([second, first])  # their shapes are read once
    assert pair.function.realize_call([second, first]) is None and first.numpy()[:, 0].tolist() == [0, 1, 2]


def test_values_of_params_are_those_of_the_moment(program: Program) -> None:
    program.offset.set(7)
    assert program.fast(program.buffer) is None and (program.buffer.numpy() == program.expected(7)).all()
    program.pixels = np.ones((3, 4), np.int32)
    program.image.set(hl.Buffer(program.pixels))
    program.out.realize(program.buffer)  # its shape is read once
    assert program.fast(program.buffer) is None and (program.buffer.numpy() == program.expected(7)).all()


@pytest.mark.parametrize(
    "dst",
    [
        [],
        [4],
        [4, 3, 1],
        [4, 0],
        [4, -1],
        [4.0, 3.0],
        [True, 3],
        (4, 3),
        None,
        "text",
        np.zeros((3, 4), np.int16),
        np.zeros((3, 4, 1), np.int32),
        hl.Buffer(),
        hl.Buffer(hl.Int(32), [4, 3, 1]),
    ],
    ids=repr,
)
def test_it_leaves_what_is_unusual_or_wrong_to_the_slow_way(program: Program, dst: Any) -> None:
    assert program.fast(dst) is False


def test_inputs_that_are_missing_or_too_small_are_left_to_the_slow_way(program: Program) -> None:
    assert program.fast([5, 3]) is False
    program.image.reset()
    assert program.fast(program.buffer) is False
    with pytest.raises(ArgumentError, match="image"):
        program.out.realize(program.buffer)


CHANGES: dict[str, Callable[[Program], Any]] = {
    "directive": lambda p: p.out.vectorize(x, 4),
    "directive of a producer": lambda p: p.inner.compute_root(),
    "loop level": lambda p: p.level.set(hl.LoopLevel.root()),
    "another loop level": lambda p: p.inner.compute_at(hl.LoopLevel.root()),
    "wrapper": lambda p: p.inner.in_(p.out),
    "wrapper for all": lambda p: p.inner.in_(),
    "range of a Param": lambda p: p.offset.set_range(0, 10),
    "demand on an image": lambda p: p.image.dim(0).set_extent(4),
    "demand on the output": lambda p: p.out.output_buffer().dim(0).set_extent(4),
    "tracing": lambda p: p.image.trace_loads(),
    "target": lambda p: None,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_ends_it(program: Program, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "target":
        monkeypatch.setenv("HL_JIT_TARGET", "host-no_bounds_query")
    CHANGES[name](program)
    assert program.fast(program.buffer) is False
    program.buffer.fill(0)
    for _ in range(3):
        program.out.realize(program.buffer)
    assert (program.buffer.numpy() == program.expected()).all()


def test_demands_on_outputs_hold_from_the_moment_they_are_set(program: Program) -> None:
    program.out.output_buffer().dim(0).set_extent(8)
    with pytest.raises(PipecError, match="extent"):
        program.out.realize(program.buffer)


def test_new_limits_of_params_hold(program: Program) -> None:
    program.offset.set_max_value(4)
    with pytest.raises(ArgumentError, match="at most 4"):
        program.out.realize(program.buffer)


def test_requirements_of_a_pipeline_hold_for_it_alone(program: Program) -> None:
    pipeline = hl.Pipeline(program.out)
    for _ in range(3):
        pipeline.realize(program.buffer)
    pipeline.add_requirement(program.offset < 3)
    with pytest.raises(RequirementError):
        pipeline.realize(program.buffer)
    program.out.realize(program.buffer)


def test_definitions_of_other_funcs_leave_it_alone(program: Program) -> None:
    other = hl.Func("other")
    other[x] = x
    assert program.fast(program.buffer) is None


def test_pipelines_have_calls_of_their_own(program: Program) -> None:
    pipeline = hl.Pipeline([program.out, program.inner])
    for _ in range(3):
        first, second = pipeline.realize([4, 3])
    assert pipeline._realize_call is not None and program.fast(program.buffer) is None
    assert (first.numpy() - second.numpy() == 5).all()


def test_explicit_targets_do_not_use_it(program: Program) -> None:
    calls = program.out.jit_statistics().calls
    program.out.realize(program.buffer, hl.get_host_target())
    program.out.realize(dst=program.buffer)
    assert program.out.jit_statistics().calls == calls + 1
    assert (program.buffer.numpy() == program.expected()).all()


def test_a_forgotten_compilation_is_repeated(program: Program) -> None:
    hl.Pipeline(program.out).invalidate_cache()
    assert program.fast(program.buffer) is False
    program.out.realize(program.buffer)
    assert program.out.jit_statistics().calls == 1
