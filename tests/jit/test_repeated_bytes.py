"""Bytes read several times each, 64 lanes at once: LLVM, which can repeat sums of them for ever, ends, and is right."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import pipec as hl

RNG = np.random.default_rng(5)
# A process of its own: who cannot end cannot be interrupted either.
MEAN = """
import sys
import pipec as hl
a, b, x, mean = hl.ImageParam(hl.UInt(8), 1, "a"), hl.ImageParam(hl.UInt(8), 1, "b"), hl.Var("x"), hl.Func("mean")
times = int(sys.argv[2])
mean[x] = hl.u8((hl.u16(a[x / times]) + hl.u16(b[x / times])) / 2)
mean.vectorize(x, 64).output_buffer().dim(0).set_min(0)
mean.compile_to_assembly(sys.argv[3], [a, b], "mean", hl.Target(sys.argv[1]))
"""


@pytest.mark.parametrize("times", [2, 4])
@pytest.mark.parametrize("machine", ["avx512_skylake", "avx512_zen4"])
@pytest.mark.part(2)
def test_means_of_repeated_bytes_are_compiled(machine, times, tmp_path):
    arguments = [f"x86-64-linux-{machine}", str(times), str(tmp_path / "mean.s")]
    subprocess.run([sys.executable, "-c", MEAN, *arguments], check=True, timeout=30)
    # Repeating takes what it took.
    assert ("vpermb" if machine == "avx512_zen4" else "vpshufb") in (tmp_path / "mean.s").read_text()


@pytest.mark.parametrize("lanes", [32, 64, 128])
@pytest.mark.parametrize("times", [2, 3, 4, 5])
def test_repeated_bytes_are_those_of_memory(times, lanes):
    x, twice = hl.Var("x"), hl.Func("twice")
    data = RNG.integers(0, 256, 300).astype(np.uint8)
    a = hl.Buffer(data)
    twice[x] = a[x / times] * 2
    twice.vectorize(x, lanes)
    expected = (data * 2)[np.arange(290) // times]
    np.testing.assert_array_equal(np.array(twice.realize([290])), expected)
