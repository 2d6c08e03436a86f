"""Long sums of the same loads are computed term by term, side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl

x = hl.Var("x")
WEIGHTS = np.arange(1, 25, dtype=np.float32).reshape(2, 12)


def _filters(read: Any, shift: int = 0) -> list[hl.Expr]:
    """Two weighted sums of neighbours, the second of those `shift` further on."""
    return [
        sum(
            (read(x + k + n * shift) * float(weights[k]) for k in range(1, 12)), read(x + n * shift) * float(weights[0])
        )
        for n, weights in enumerate(WEIGHTS)
    ]


def _additions(f: hl.Func, arguments: Sequence[Any], path: Path) -> list[int]:
    """The sum to which each addition of vectors in the code of `f` belongs, in their order; two sums."""
    f.compile_to_llvm_assembly(str(path), arguments, "f")
    sums: dict[str, int] = {}
    order = []
    for result, operand in re.findall(r"(%\S+) = fadd \S* ?<8 x float> (%\S+),", path.read_text()):
        sums[result] = sums.get(operand, len(set(sums.values())))
        order.append(sums[result])
    return order[: 2 * 11]


@pytest.mark.parametrize("where", ["a tuple", "one value"])
def test_sums_of_the_same_loads_alternate(where, tmp_path):
    image, f = hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("f")
    sums = _filters(lambda at: image[at])
    f[x] = hl.Tuple(*sums) if where == "a tuple" else hl.sqrt(sums[0]) - sums[1]
    f.vectorize(x, 8)
    assert _additions(f, [image], tmp_path / "f.ll") == [0, 1] * 11
    values = np.random.default_rng(0).random(100, np.float32)
    image.set(values)
    expected = [np.correlate(values, weights)[:64] for weights in WEIGHTS]
    results = f.realize([64])
    if where == "a tuple":
        assert all(np.allclose(np.asarray(one), two, rtol=1e-5) for one, two in zip(results, expected, strict=True))
    else:
        assert np.allclose(np.asarray(results), np.sqrt(expected[0]) - expected[1], rtol=1e-4)


def test_sums_of_other_loads_are_computed_one_after_the_other(tmp_path):
    image, f = hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("f")
    f[x] = hl.Tuple(*_filters(lambda at: image[at], shift=40))
    f.vectorize(x, 8)
    assert _additions(f, [image], tmp_path / "f.ll") == [0] * 11 + [1] * 11


def test_a_sum_that_reads_what_the_one_before_has_stored_waits_for_it():
    image, f, i, xi = hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("f"), hl.Var("i"), hl.Var("xi")
    r = hl.RDom([(1, 3)])
    f[x, i] = image[x]
    f[x, r[0]] = sum((f[x, r[0] - 1] * image[x + k] for k in range(1, 12)), f[x, r[0] - 1] * image[x])
    f.update().split(x, x, xi, 8).reorder(xi, r[0], x).vectorize(xi).unroll(r[0])
    values = np.random.default_rng(0).random(80, np.float32)
    image.set(values)
    windows = sum(values[k : k + 64] for k in range(12))
    expected = values[:64] * windows ** np.arange(4)[:, None]
    assert np.allclose(np.asarray(f.realize([64, 4])), expected, rtol=1e-4)


def test_an_update_of_what_a_sum_begins_with_is_seen_by_the_next_sum():
    image, f, xi = hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("f"), hl.Var("xi")
    r = hl.RDom([(0, 3)])
    f[x] = hl.f32(1)
    f[x] = sum((image[x + k] * hl.f32(r[0] + k) for k in range(1, 12)), f[x])
    f.update().split(x, x, xi, 8).reorder(xi, r[0], x).vectorize(xi).unroll(r[0])
    values = np.random.default_rng(0).random(80, np.float32)
    image.set(values)
    expected = 1 + sum(values[k : k + 64] * (n + k) for n in range(3) for k in range(1, 12))
    assert np.allclose(np.asarray(f.realize([64])), expected, rtol=1e-4)
