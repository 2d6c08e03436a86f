"""RDoms, updates, Tuples, argmax, select."""

from __future__ import annotations

import numpy as np

import pipec as hl


class Complex:
    """Two Exprs as one value."""

    def __init__(self, re: hl.Expr, im: hl.Expr) -> None:
        self.parts = re, im

    def __len__(self) -> int:
        return 2

    def __getitem__(self, index: int) -> hl.Expr:
        return self.parts[index]


def main() -> None:
    x, y = hl.Var("x"), hl.Var("y")
    data = hl.Buffer(np.arange(12, dtype=np.int32).reshape(3, 4))
    r = hl.RDom([(0, 4), (0, 3)], "r")
    histogram = hl.Func("histogram")
    histogram[x] = 0
    histogram[hl.clamp(data[r.x, r.y], 0, 15)] += 1
    total = hl.Func("total")
    total[()] = hl.sum(r, data[r.x, r.y])
    best: tuple[hl.Expr, ...] = hl.argmax(r, data[r.x, r.y])
    where = hl.Func("where")
    where[()] = best
    pairs = hl.Func("pairs")
    pairs[x] = (x, hl.f32(x) / 2)
    first: hl.Expr = hl.Expr(pairs[x][0])
    root = hl.Func("root")
    root[x] = hl.Tuple(first, hl.sqrt(hl.f32(x)))
    numbers = hl.Func("numbers")
    numbers[x] = Complex(hl.f32(x), hl.f32(0))
    chosen: hl.Expr = hl.select(x < 2, x, x > 5, -x, 0)
    both: tuple[hl.Expr, ...] = hl.select(x < 2, (x, y), (y, x))
    assert len(both) == 2 and chosen.type() == hl.Int(32)
    masked = hl.RDom([(0, 8), (0, 8)])
    masked.where(masked.x + masked.y < 8)
    assert histogram.realize([16])[3] == 1 and total.realize()[()] == 66
    a, b, value = where.realize()
    assert (a[()], b[()], value[()]) == (3, 2, 11)
