"""Loads of neighbouring elements whose lanes lie far apart: one wide load for each lane."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import pipec as hl

TARGETS = ["host", "x86-64-linux", "x86-64-linux-sse41", "x86-64-linux-avx-avx2-f16c-fma-sse41"]
TYPES = [np.uint8, np.int8, np.uint16, np.int16, np.float16, np.int32, np.float32, np.int64, np.float64]
x = hl.Var("x")


def bits(kind: Any, count: int) -> Any:
    """Elements of all bit patterns, those of numbers that are none among them."""
    return np.random.default_rng(0).integers(0, 256, count * np.dtype(kind).itemsize, np.uint8).view(kind)


@pytest.mark.part(16)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("count", [2, 3, 4, 8, 9])
def test_all_bits_of_neighbours_are_read(kind, count, target):
    table, places = bits(kind, 100), np.random.default_rng(1).integers(0, 91, 64).astype(np.int32)
    image, at = hl.Buffer(table), hl.Buffer(places)
    f = hl.Func("f")
    f[x] = hl.Tuple(*[image[hl.clamp(at[x], 0, 90) + k] for k in range(count)])
    f.vectorize(x, 8)
    results = f.realize([64], target=hl.Target(target))
    for k, result in enumerate(results):
        assert np.array_equal(np.asarray(result).view(np.uint8), table[places + k].view(np.uint8))


def test_columns_that_are_no_squares_share_loads():
    rows, f = bits(np.float32, 12 * 40).reshape(40, 12), hl.Func("f")
    image = hl.Buffer(rows)
    f[x] = hl.Tuple(*[image[k, x] for k in (1, 2, 3, 7)])
    f.vectorize(x, 8)
    for k, result in zip((1, 2, 3, 7), f.realize([40]), strict=True):
        assert np.array_equal(np.asarray(result).view(np.uint32), rows[:, k].view(np.uint32))


@pytest.mark.parametrize(
    ("kind", "count", "read"), [("float32", 2, "i64"), ("uint16", 2, "i32"), ("uint8", 4, "i32"), ("uint8", 2, "i16")]
)
def test_one_load_for_each_lane_reads_them(kind, count, read, tmp_path):
    kind = np.dtype(kind)
    table, at = hl.ImageParam(hl.Buffer(bits(kind, 4)).type(), 1, "table"), hl.ImageParam(hl.Int(32), 1, "at")
    f = hl.Func("f")
    f[x] = sum([table[hl.clamp(at[x], 0, 90) + k] for k in range(1, count)], table[hl.clamp(at[x], 0, 90)])
    f.align_bounds(x, 8).vectorize(x, 8)
    f.compile_to_llvm_assembly(str(tmp_path / "f.ll"), [table, at], "f")
    loads = re.findall(rf"load volatile {read}, ptr .*, align {kind.itemsize},", (tmp_path / "f.ll").read_text())
    assert len(loads) % 8 == 0 and loads
