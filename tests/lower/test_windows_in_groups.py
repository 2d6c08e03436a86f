"""Sliding windows that advance by several rows at a time, whose stages are split by as many."""

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.stmt import For, IfThenElse, LoopKind
from pipec.ir.walk import postorder
from pipec.lower.lower import lower

HEIGHT = 64
SOURCE = np.random.default_rng(0).integers(0, 5000, (HEIGHT + 4, 50), np.uint16)


def chain(rows, split):
    """c of b of a, each the sum of three rows; c advances by `rows`, the others are split by `split`."""
    x, y, strip, pair = hl.vars("x y strip pair")
    image, (a, b, c) = hl.ImageParam(hl.UInt(16), 2, "image"), hl.funcs("a b c")
    a[x, y] = image[x, y] + 1
    b[x, y] = a[x, y] + a[x, y + 1] + a[x, y + 2]
    c[x, y] = b[x, y] + b[x, y + 1] + b[x, y + 2]
    c.split(y, strip, y, 12 * rows)
    c.split(y, y, pair, rows).reorder(pair, x, y, strip).unroll(pair)
    for stage in (b, a):
        stage.store_at(c, strip).compute_at(c, y).split(y, y, pair, split, hl.TailStrategy.RoundUp)
        stage.reorder(pair, x, y).unroll(pair).vectorize(x, 8)
    return image, c


def guards(c):
    """How many stages have conditions around their stores."""
    program = lower(freeze([c.function])[0], schedule_of([c.function]), hl.get_host_target())
    loops = [s for s in postorder(program.body) if isinstance(s, For) and s.kind is LoopKind.SERIAL]
    inner = [s for s in loops if s.name.startswith(("a$", "b$", "a.", "b.")) and ".x" in s.name]
    assert inner
    return sum(any(isinstance(s, IfThenElse) for s in postorder(loop.body)) for loop in inner)


def assert_right(image, c):
    got = np.zeros((HEIGHT, 50), np.uint16)
    c.compile_to_callable([image])(SOURCE, got)
    b = SOURCE[:-2] + SOURCE[1:-1] + SOURCE[2:] + 3
    assert np.array_equal(got, b[:-2] + b[1:-1] + b[2:])


@pytest.mark.parametrize(("rows", "split"), [(2, 2), (2, 1), (1, 1)])
def test_groups_that_come_out_even_have_no_guards(rows, split):
    image, c = chain(rows, split)
    assert guards(c) == 0
    assert_right(image, c)


@pytest.mark.parametrize(("rows", "split"), [(1, 2), (2, 3), (3, 2), (4, 3)])
@pytest.mark.part(2)
def test_groups_that_reach_into_the_next_are_guarded(rows, split):
    image, c = chain(rows, split)
    assert guards(c) > 0
    assert_right(image, c)
