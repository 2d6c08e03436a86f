"""Loop transformations change no pixel: splits with every tail, tiles, fuses, reorders, vectors, unrolling, threads."""

import numpy as np
import pytest
from differential import same
from scheduled import BUILDS, IMAGE, ODD_SIZES, accumulated, blur, chain, histogram, pyramid, scan, unchanged

import pipec as hl

WIDTHS = [1, 2, 3, 5, 7, 8, 9, 16, 17, 31, 33]
ROWS = [(width, 3) for width in WIDTHS]
TAILS = ["Auto", "RoundUp", "GuardWithIf", "ShiftInwards", "Predicate", "PredicateLoads", "PredicateStores"]
TAILS += ["ShiftInwardsAndBlend", "RoundUpAndBlend"]


def tail_of(name):
    return getattr(hl.TailStrategy, name)


@pytest.mark.part(2)
@pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.__name__)
def test_the_unscheduled_pipelines_agree_with_the_wheel(build):
    def program(hl):
        output = build(hl).output
        return [np.array(output.realize(list(size))) for size in ((35, 33), (13, 5), (1, 1))]

    same(program)


@pytest.mark.parametrize("tail", TAILS)
def test_split_of_an_output(tail):
    unchanged(blur, lambda s: s.output.split(s.x, s.xo, s.xi, 3, tail_of(tail)), ROWS)


@pytest.mark.parametrize("tail", TAILS)
def test_split_and_vectorized_output(tail):
    unchanged(blur, lambda s: s.output.split(s.x, s.xo, s.xi, 8, tail_of(tail)).vectorize(s.xi), ROWS)


@pytest.mark.parametrize("tail", TAILS)
def test_split_and_vectorized_producer(tail):
    def schedule(s):
        s.blur_x.compute_at(s.output, s.y).split(s.x, s.xo, s.xi, 8, tail_of(tail)).vectorize(s.xi)

    unchanged(blur, schedule, ROWS)


@pytest.mark.parametrize("tail", TAILS)
def test_split_of_the_outer_dimension(tail):
    def schedule(s):
        s.output.split(s.y, s.yo, s.yi, 4, tail_of(tail))
        s.blur_x.compute_at(s.output, s.yo)

    unchanged(blur, schedule, [(5, height) for height in WIDTHS])


@pytest.mark.parametrize("tail", ["GuardWithIf", "Predicate", "PredicateStores", "RoundUpAndBlend"])
def test_exact_tails_write_only_the_callers_buffer(tail):
    array = np.full((5, 40), -1, np.int32)
    x, y, xo, xi = hl.Var("x"), hl.Var("y"), hl.Var("xo"), hl.Var("xi")
    f = hl.Func("f")
    f[x, y] = x + 100 * y
    f.split(x, xo, xi, 8, tail_of(tail)).vectorize(xi)
    wide = hl.Buffer(array[:, :8])
    f.realize(wide)
    expected = np.full((5, 40), -1, np.int32)
    expected[:, :8] = np.arange(8) + 100 * np.arange(5)[:, None]
    np.testing.assert_array_equal(array, expected)
    if tail == "RoundUpAndBlend":
        return
    narrow = hl.Buffer(array[:, 10:13])
    f.realize(narrow)
    expected[:, 10:13] = np.arange(3) + 100 * np.arange(5)[:, None]
    np.testing.assert_array_equal(array, expected)


@pytest.mark.parametrize(
    ("tail", "factor"),
    [("RoundUp", 3), ("GuardWithIf", 8), ("Predicate", 3), ("PredicateLoads", 8), ("PredicateStores", 3)],
)
@pytest.mark.part(3)
def test_split_of_a_pure_variable_in_an_update(tail, factor):
    def schedule(s):
        s.output.update(0).split(s.x, s.xo, s.xi, factor, tail_of(tail))
        s.output.update(1).split(s.y, s.yo, s.yi, factor, tail_of("GuardWithIf"))
        s.rows.compute_root().update(0).split(s.x, s.xo, s.xi, factor, tail_of(tail)).vectorize(s.xi)

    unchanged(accumulated, schedule, ROWS)


NESTED = {
    "twice": lambda s: s.output.split(s.x, s.xo, s.xi, 8).split(s.xi, s.xii, s.t, 2),
    "outer of a split": lambda s: s.output.split(s.x, s.xo, s.xi, 4).split(s.xo, s.xoo, s.t, 3),
    "guards": lambda s: s.output.split(s.x, s.xo, s.xi, 7, tail_of("GuardWithIf")).split(
        s.xi, s.xii, s.t, 3, tail_of("GuardWithIf")
    ),
    "shift inside a shift": lambda s: s.output.split(s.x, s.xo, s.xi, 9, tail_of("ShiftInwards")).split(
        s.xi, s.xii, s.t, 4, tail_of("ShiftInwards")
    ),
    "both dimensions": lambda s: s.output.split(s.x, s.xo, s.xi, 5).split(s.y, s.yo, s.yi, 3, tail_of("GuardWithIf")),
    "factor of one": lambda s: s.output.split(s.x, s.xo, s.xi, 1).split(s.y, s.yo, s.yi, 1),
    "larger than the image": lambda s: s.output.split(s.x, s.xo, s.xi, 64, tail_of("GuardWithIf")),
}


@pytest.mark.part(2)
@pytest.mark.parametrize("name", NESTED)
def test_nested_splits(name):
    unchanged(blur, NESTED[name], [*ROWS, (5, 17)])


LOOPS = {
    "tile": lambda s: s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 8, 4),
    "tile in place": lambda s: s.output.tile(s.x, s.y, s.xi, s.yi, 5, 3),
    "tile guarded": lambda s: s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 8, 4, tail_of("GuardWithIf")),
    "tile of tiles": lambda s: s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 16, 8).tile(
        s.xi, s.yi, s.xii, s.t, 4, 2
    ),
    "fuse": lambda s: s.output.fuse(s.x, s.y, s.fused),
    "fuse and parallel": lambda s: s.output.fuse(s.x, s.y, s.fused).parallel(s.fused),
    "fuse and vectorize": lambda s: s.output.fuse(s.x, s.y, s.fused).vectorize(s.fused, 4, tail_of("GuardWithIf")),
    "fuse of tiles": lambda s: (
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 8, 4).fuse(s.xo, s.yo, s.fused).parallel(s.fused)
    ),
    "reorder": lambda s: s.output.reorder(s.y, s.x),
    "reorder of tiles": lambda s: s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 8, 4).reorder(s.yi, s.yo, s.xi, s.xo),
    "vectorize": lambda s: s.output.vectorize(s.x, 8),
    "vectorize guarded": lambda s: s.output.vectorize(s.x, 8, tail_of("GuardWithIf")),
    "vectorize of an odd width": lambda s: s.output.vectorize(s.x, 7),
    "vectorize of the outer dimension": lambda s: s.output.vectorize(s.y, 4),
    "vectorize both": lambda s: s.output.tile(s.x, s.y, s.xi, s.yi, 4, 2).vectorize(s.xi).vectorize(s.yi),
    "vectorize both guarded": lambda s: (
        s.output.tile(s.x, s.y, s.xi, s.yi, 4, 2, tail_of("GuardWithIf")).vectorize(s.xi).vectorize(s.yi)
    ),
    "vectorize outside a loop": lambda s: s.output.split(s.y, s.yo, s.yi, 4).vectorize(s.yi),
    "unroll": lambda s: s.output.unroll(s.x, 3),
    "unroll guarded": lambda s: s.output.unroll(s.x, 4, tail_of("GuardWithIf")),
    "unroll and vectorize": lambda s: s.output.vectorize(s.x, 4).unroll(s.x, 2).unroll(s.y, 3),
    "unroll outside vectors": lambda s: s.output.tile(s.x, s.y, s.xi, s.yi, 8, 3).vectorize(s.xi).unroll(s.yi),
    "parallel": lambda s: s.output.parallel(s.y),
    "parallel of the inner loop": lambda s: s.output.parallel(s.x),
    "parallel tasks": lambda s: s.output.parallel(s.y, 4),
    "nested parallel": lambda s: s.output.parallel(s.x).parallel(s.y),
    "parallel tiles": lambda s: (
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 8, 4).vectorize(s.xi, 4).parallel(s.yo).parallel(s.xo)
    ),
    "serial again": lambda s: s.output.parallel(s.y).serial(s.y),
    "rename": lambda s: s.output.rename(s.x, s.t).vectorize(s.t, 4),
}


@pytest.mark.part(5)
@pytest.mark.parametrize("name", LOOPS)
def test_loops_of_an_output(name):
    unchanged(blur, LOOPS[name])


@pytest.mark.parametrize(
    "name", ["tile of tiles", "fuse and vectorize", "vectorize both guarded", "unroll", "parallel"]
)
@pytest.mark.part(3)
def test_loops_of_an_output_that_reads_halves_and_doubles(name):
    def schedule(s):
        for stage in (s.down, s.down2, s.up):
            stage.compute_root()
        LOOPS[name](s)

    unchanged(pyramid, schedule)


PRODUCER_LOOPS = {
    "tile": lambda f, s: f.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 8, 4),
    "fuse": lambda f, s: f.fuse(s.x, s.y, s.fused).parallel(s.fused),
    "reorder": lambda f, s: f.reorder(s.y, s.x),
    "vectorize": lambda f, s: f.vectorize(s.x, 8),
    "vectorize columns": lambda f, s: f.vectorize(s.y, 8),
    "unroll": lambda f, s: f.unroll(s.x, 3).unroll(s.y, 2),
    "parallel": lambda f, s: f.parallel(s.y),
}


@pytest.mark.part(3)
@pytest.mark.parametrize("name", PRODUCER_LOOPS)
def test_loops_of_every_stage_of_a_chain(name):
    def schedule(s):
        for stage in s.stages:
            PRODUCER_LOOPS[name](stage.compute_root(), s)

    unchanged(chain, schedule, [(1, 1), (13, 5), (33, 17)])


UPDATES = {
    "vectorize": lambda s: s.output.update(0).vectorize(s.x, 4),
    "unroll the domain": lambda s: s.output.update(0).unroll(s.q.x).unroll(s.q.y),
    "reorder the domain outwards": lambda s: s.output.update(0).reorder(s.x, s.y, s.q.x, s.q.y),
    "reorder and vectorize": lambda s: s.output.update(0).reorder(s.x, s.q.x, s.q.y, s.y).vectorize(s.x, 8),
    "split the domain": lambda s: s.output.update(0).split(s.q.x, s.rxo, s.rxi, 2),
    "fuse the domain": lambda s: s.output.update(0).fuse(s.q.x, s.q.y, s.rf),
    "fuse pure variables": lambda s: s.output.update(0).fuse(s.x, s.y, s.fused).parallel(s.fused),
    "parallel": lambda s: (s.output.parallel(s.y), s.output.update(0).parallel(s.y), s.output.update(1).parallel(s.y)),
    "tile": lambda s: s.output.update(1).tile(s.x, s.y, s.xi, s.yi, 4, 3).vectorize(s.xi).unroll(s.yi),
    "each differently": lambda s: (
        s.output.vectorize(s.x, 4).parallel(s.y, 2),
        s.output.update(0)
        .tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 5, 3, tail_of("GuardWithIf"))
        .reorder(s.xi, s.yi, s.q.x, s.q.y, s.xo, s.yo),
        s.output.update(1).vectorize(s.x, 8, tail_of("GuardWithIf")).unroll(s.y, 2, tail_of("GuardWithIf")),
    ),
    "producer at root": lambda s: s.rows.compute_root().vectorize(s.x, 8).update(0).vectorize(s.x, 8).parallel(s.y),
    "producer in a row": lambda s: s.rows.compute_at(s.output, s.y).update(0).reorder(s.x, s.r.x).vectorize(s.x, 4),
    "atomic parallel domain": lambda s: s.output.update(0).atomic().parallel(s.q.y),
    "atomic vector domain": lambda s: s.output.update(0).atomic().split(s.q.x, s.rxo, s.rxi, 3).vectorize(s.rxi),
    "allowed race on the domain": lambda s: s.rows.compute_root().update(0).unroll(s.r.x),
}


def with_reduction_variables(s):
    s.rxo, s.rxi, s.rf = hl.RVar("rxo"), hl.RVar("rxi"), hl.RVar("rf")
    return s


@pytest.mark.part(5)
@pytest.mark.parametrize("name", UPDATES)
def test_loops_of_updates(name):
    unchanged(accumulated, lambda s: UPDATES[name](with_reduction_variables(s)), ODD_SIZES)


SCANS = {
    "at root": lambda s: s.sums.compute_root(),
    "vectorized across": lambda s: s.sums.compute_root().update(0).vectorize(s.y, 4),
    "reordered and vectorized across": lambda s: s.sums.compute_root().update(1).reorder(s.x, s.q.x).vectorize(s.x, 8),
    "parallel across": lambda s: (
        s.sums.compute_root().parallel(s.y),
        s.sums.update(0).parallel(s.y),
        s.sums.update(1).parallel(s.x),
    ),
    "domain split": lambda s: s.sums.compute_root().update(0).split(s.r.x, hl.RVar("ro"), hl.RVar("ri"), 7),
    "domain unrolled": lambda s: s.sums.compute_root().update(0).unroll(s.r.x, 5),
    "tiled across": lambda s: s.sums.compute_root().update(1).split(s.x, s.xo, s.xi, 8).reorder(s.xi, s.q.x, s.xo),
    "at a row": lambda s: s.sums.compute_at(s.output, s.y),
    "at a pixel": lambda s: s.sums.compute_at(s.output, s.x),
}


@pytest.mark.parametrize("name", SCANS)
@pytest.mark.part(3)
def test_schedules_of_a_scan(name):
    unchanged(scan, SCANS[name], [(1, 1), (13, 5), (35, 12)] if name != "at a pixel" else [(1, 1), (5, 3)])


HISTOGRAMS = {
    "at root": lambda s: (s.counts.compute_root(), s.sums.compute_root()),
    "vectorized": lambda s: (s.counts.compute_root().vectorize(s.i, 8), s.sums.compute_root().vectorize(s.i, 8)),
    "domain tiled": lambda s: (
        s.counts.compute_root()
        .update(0)
        .tile(s.r.x, s.r.y, hl.RVar("rxo"), hl.RVar("ryo"), hl.RVar("rxi"), hl.RVar("ryi"), 8, 4),
        s.sums.compute_root(),
    ),
    "domain fused": lambda s: (
        s.counts.compute_root().update(0).fuse(s.r.x, s.r.y, hl.RVar("rf")),
        s.sums.compute_root(),
    ),
    "domain reordered": lambda s: (s.counts.compute_root().update(0).reorder(s.r.y, s.r.x), s.sums.compute_root()),
    "domain unrolled": lambda s: (s.counts.compute_root().update(0).unroll(s.r.x, 4), s.sums.compute_root()),
    "atomic": lambda s: (s.counts.compute_root().update(0).atomic().parallel(s.r.y), s.sums.compute_root()),
    "output tiled": lambda s: (
        s.counts.compute_root(),
        s.sums.compute_root(),
        s.output.tile(s.x, s.y, s.xi, s.yi, 8, 2).vectorize(s.xi).parallel(s.y),
    ),
}


@pytest.mark.part(2)
@pytest.mark.parametrize("name", HISTOGRAMS)
def test_schedules_of_a_histogram(name):
    unchanged(histogram, HISTOGRAMS[name], [(1, 1), (13, 5), (35, 33)])


def test_split_factor_and_bounds_from_a_parameter():
    x, xo, xi, factor = hl.Var("x"), hl.Var("xo"), hl.Var("xi"), hl.Param(hl.Int(32), "factor")
    f = hl.Func("f")
    f[x] = x * x
    f.split(x, xo, xi, factor, hl.TailStrategy.GuardWithIf)
    for value in (1, 3, 50):
        factor.set(value)
        np.testing.assert_array_equal(np.asarray(f.realize([17])), np.arange(17, dtype=np.int32) ** 2)


def test_rfactor_of_a_sum_and_of_a_histogram():
    r = hl.RDom([(0, 41), (0, 37)], "r")
    x, u, v, image = hl.Var("x"), hl.Var("u"), hl.Var("v"), hl.Buffer(IMAGE)
    total, counts = hl.Func("total"), hl.Func("counts")
    total[()] = 0
    total[()] += hl.i32(image[r.x, r.y])
    partial = total.update(0).rfactor(r.y, u)
    partial.compute_root().update(0).parallel(u)
    assert int(np.asarray(total.realize())) == IMAGE.sum()
    counts[x] = 0
    counts[image[r.x, r.y]] += 1
    counts.update(0).rfactor(r.y, v).compute_root().update(0).parallel(v)
    np.testing.assert_array_equal(np.asarray(counts.realize([256])), np.bincount(IMAGE.ravel(), minlength=256))
