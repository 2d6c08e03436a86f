"""Rounded products of 16-bit fractions: one instruction, and the same numbers as 32-bit arithmetic gives."""

import numpy as np
import pytest

import pipec as hl
from pipec.jit.llvm.machine import host

EDGES = np.array([-32768, -32767, -16385, -16384, -16383, -2, -1, 0, 1, 2, 255, 16383, 16384, 16385, 32766, 32767])
REST = np.random.default_rng(2).integers(-32768, 32768, 48)
A, B = (grid.astype(np.int16).reshape(1, -1) for grid in np.meshgrid(*[np.concatenate([EDGES, REST])] * 2))
EXACT = (A.astype(np.int32) * B + (1 << 14)) >> 15


def computed(build, lanes):
    x, y = hl.vars("x y")
    func = hl.Func("product")
    func[x, y] = build(hl.Buffer(A)[x, y], hl.Buffer(B)[x, y])
    func.vectorize(x, lanes)
    return np.asarray(func.realize([A.shape[1], 1]))


@pytest.mark.parametrize("lanes", [8, 16, 32, 64, 24])
def test_the_operator_saturates(lanes):
    result = computed(lambda a, b: hl.rounding_mul_shift_right(a, b, 15), lanes)
    assert (result == EXACT.clip(-32768, 32767)).all()


@pytest.mark.parametrize("lanes", [8, 32, 64])
def test_written_out_it_wraps(lanes):
    result = computed(lambda a, b: hl.i16((hl.i32(a) * hl.i32(b) + 16384) >> 15), lanes)
    assert (result == EXACT.astype(np.int16)).all()


@pytest.mark.parametrize("factor", [-32768, 23170, 32767])
def test_of_a_constant(factor):
    result = computed(lambda a, b: hl.rounding_mul_shift_right(a, hl.i16(factor), 15), 32)
    assert (result == ((A.astype(np.int32) * factor + 16384) >> 15).clip(-32768, 32767)).all()


@pytest.mark.skipif("+avx512bw" not in host().features, reason="the machine has no such instruction")
def test_one_instruction_multiplies(tmp_path):
    a, b, x, func = hl.ImageParam(hl.Int(16), 1, "a"), hl.ImageParam(hl.Int(16), 1, "b"), hl.Var("x"), hl.Func("f")
    func[x] = hl.rounding_mul_shift_right(a[x], b[x], 15)
    func.vectorize(x, 32).compile_to_assembly(str(tmp_path / "f.s"), [a, b], "f")
    text = (tmp_path / "f.s").read_text()
    assert "vpmulhrsw" in text and "vpmulld" not in text
