"""No block of a split computes what belongs to another one, whatever splits are inside of it."""

import random

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.interp import run
from pipec.ir.storage import Image
from pipec.lower.lower import lower
from pipec.target import get_host_target
from tests.fuzz.runs import check, check_plan
from tests.fuzz.schedules.nested_splits import nested_case
from tests.fuzz.shrink import program_text

T = hl.TailStrategy
x, y, xo, xi, yo, yi, a, b, c, d = hl.vars("x y xo xi yo yi a b c d")
WIDTH, HEIGHT = 41, 5
ROWS, COLUMNS = np.mgrid[0:HEIGHT, 0:WIDTH]


def pixels(schedule, update=False, target=None):
    """A producer, a consumer with the schedule, a copy of it: interpreted, races looked for, and run natively."""
    f, g, h = hl.funcs("f g h")
    f[x, y] = 5 * x + 7 * y + 1
    g[x, y] = f[x, y] + 1
    if update:
        g[x, y] = g[x, y] * 2 + f[x + 1, y]
    h[x, y] = g[x, y]
    g.compute_root()
    schedule(f, g)
    definition, _ = freeze([h.function])
    program = lower(definition, schedule_of([h.function]), target or get_host_target())
    out, scalars = Image(np.zeros((WIDTH, HEIGHT), np.int32)), dict.fromkeys(definition.scalars, 5)
    interpreted = run(program, {h.name(): out}, scalars, order=random.Random(1), strict=False)[h.name()].T
    native = np.asarray(h.realize([WIDTH, HEIGHT], target=target) if target else h.realize([WIDTH, HEIGHT]))
    return interpreted, native


def same(schedule, update=False, target=None):
    expected = 5 * COLUMNS + 7 * ROWS + 2
    if update:
        expected = expected * 2 + 5 * (COLUMNS + 1) + 7 * ROWS + 1
    for result in pixels(schedule, update, target):
        np.testing.assert_array_equal(result, expected)


@pytest.mark.part(3)
@pytest.mark.parametrize("concurrent", [False, True], ids=["serial", "parallel"])
@pytest.mark.parametrize("factor", [3, 5, 24])
@pytest.mark.parametrize("tail", [T.RoundUp, T.ShiftInwards, T.GuardWithIf, T.PredicateStores], ids=lambda t: t.name)
@pytest.mark.part(3)
def test_a_part_of_a_block_stays_in_the_block(tail, factor, concurrent):
    def schedule(f, g):
        g.split(x, xo, xi, 16, T.GuardWithIf).split(xi, a, b, factor, tail)
        f.compute_at(g, xo)
        if concurrent:
            g.parallel(xo)

    same(schedule)


@pytest.mark.parametrize("outer", [T.RoundUp, T.ShiftInwards, T.GuardWithIf], ids=lambda tail: tail.name)
@pytest.mark.parametrize("mark", ["vectorize", "unroll"])
@pytest.mark.part(3)
def test_vectors_and_copies_stay_in_the_block(mark, outer):
    def schedule(f, g):
        getattr(g.split(x, xo, xi, 10, outer).parallel(xo), mark)(xi, 4, T.RoundUp)
        f.compute_at(g, xo)

    same(schedule)


def test_parts_of_parts_of_blocks():
    def schedule(f, g):
        g.split(x, xo, xi, 17, T.GuardWithIf).split(xi, a, b, 7, T.RoundUp).split(b, c, d, 4, T.RoundUp)
        g.parallel(xo).parallel(a)
        f.compute_at(g, a)

    same(schedule)


def test_the_outer_part_of_a_part():
    def schedule(f, g):
        g.split(x, xo, xi, 10, T.RoundUp).split(xi, a, b, 2, T.RoundUp).split(a, c, d, 3, T.RoundUp)
        g.parallel(xo)
        f.compute_at(g, xo)

    same(schedule)


def test_a_renamed_part():
    def schedule(f, g):
        g.split(x, xo, xi, 10, T.RoundUp).rename(xi, c).split(c, a, b, 3, T.RoundUp).parallel(xo)
        f.compute_at(g, xo)

    same(schedule)


def test_both_sides_of_a_tile_as_one():
    def schedule(f, g):
        g.tile(x, y, xo, yo, xi, yi, 5, 3, T.GuardWithIf).fuse(xi, yi, c).split(c, a, b, 4, T.RoundUp).parallel(yo)
        f.compute_at(g, xo)

    same(schedule)


def test_a_factor_that_is_a_run_time_value():
    def schedule(f, g):
        g.split(x, xo, xi, hl.Param(hl.Int(32), "factor", 5), T.RoundUp).split(xi, a, b, 3, T.RoundUp).parallel(xo)
        f.compute_at(g, xo)

    same(schedule)


def test_an_update_after_it():
    def schedule(f, g):
        g.split(x, xo, xi, 10, T.RoundUp).split(xi, a, b, 3, T.RoundUp).parallel(xo)
        g.update().split(x, xo, xi, 10, T.RoundUp).split(xi, a, b, 3, T.GuardWithIf).parallel(xo)

    same(schedule, update=True)


def test_a_producer_in_a_part_of_a_block():
    def schedule(f, g):
        g.split(x, xo, xi, 10, T.RoundUp).split(xi, a, b, 4, T.RoundUp).parallel(xo)
        f.compute_at(g, a).store_at(g, xo).split(x, c, d, 3, T.RoundUp)

    same(schedule)


@pytest.mark.parametrize("tail", [T.RoundUp, T.ShiftInwards], ids=lambda tail: tail.name)
def test_a_part_that_divides_its_block_has_no_condition(tail):
    f = hl.Func("f")
    f[x] = x
    f.split(x, xo, xi, 12, T.RoundUp).split(xi, a, b, 4, tail)
    text = str(lower(freeze([f.function])[0], schedule_of([f.function]), get_host_target()).body)
    assert "if" not in text and "min(" not in text


# Where blocks overlapped once, or a loop ran past its end in one of the other ways that the generator knows.
SEEDS = [30684, 31003, 31686, 32056]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_splits_of_splits(seed):
    case = nested_case(seed)
    try:
        check_plan(case)
        check(case, native=seed % 2 == 0)
    except Exception as error:
        error.add_note(f"seed {seed}:\n{program_text(case)}\n{case.text}")
        raise
