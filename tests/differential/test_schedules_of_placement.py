"""Where stages are computed and stored, and how storage is laid out, changes no pixel."""

import numpy as np
import pytest
from scheduled import ODD_SIZES, accumulated, blur, chain, histogram, pyramid, unchanged

import pipec as hl

BLUR_PLACES = {
    "root": lambda s: s.blur_x.compute_root(),
    "inline": lambda s: s.blur_x.compute_inline(),
    "row": lambda s: s.blur_x.compute_at(s.output, s.y),
    "pixel": lambda s: s.blur_x.compute_at(s.output, s.x),
    "slid down": lambda s: s.blur_x.store_root().compute_at(s.output, s.y),
    "slid at each pixel": lambda s: s.blur_x.store_root().compute_at(s.output, s.x),
    "slid in a row": lambda s: s.blur_x.store_at(s.output, s.y).compute_at(s.output, s.x),
    "slid across": lambda s: (s.output.reorder(s.y, s.x), s.blur_x.store_root().compute_at(s.output, s.x)),
    "slid down, vectorized": lambda s: (
        s.output.vectorize(s.x, 8),
        s.blur_x.store_root().compute_at(s.output, s.y).vectorize(s.x, 8),
    ),
    "slid down in strips": lambda s: (
        s.output.split(s.y, s.yo, s.yi, 8, hl.TailStrategy.GuardWithIf),
        s.blur_x.store_at(s.output, s.yo).compute_at(s.output, s.yi),
    ),
    "slid down in parallel strips": lambda s: (
        s.output.split(s.y, s.yo, s.yi, 8, hl.TailStrategy.GuardWithIf).parallel(s.yo).vectorize(s.x, 8),
        s.blur_x.store_at(s.output, s.yo).compute_at(s.output, s.yi).vectorize(s.x, 8),
    ),
    "slid in shifted strips": lambda s: (
        s.output.split(s.y, s.yo, s.yi, 8, hl.TailStrategy.ShiftInwards),
        s.blur_x.store_at(s.output, s.yo).compute_at(s.output, s.yi),
    ),
    "slid by two rows": lambda s: (
        s.output.split(s.y, s.yo, s.yi, 2, hl.TailStrategy.RoundUp),
        s.blur_x.store_root().compute_at(s.output, s.yo),
    ),
    "slid by unrolled rows": lambda s: (
        s.output.split(s.y, s.yo, s.yi, 2, hl.TailStrategy.RoundUp).unroll(s.yi),
        s.blur_x.store_root().compute_at(s.output, s.yo).unroll(s.y),
    ),
    "tile": lambda s: (
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 8, 4),
        s.blur_x.compute_at(s.output, s.xo).vectorize(s.x, 4),
    ),
    "row of a tile": lambda s: (
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 8, 4),
        s.blur_x.store_at(s.output, s.xo).compute_at(s.output, s.yi),
    ),
    "parallel tiles": lambda s: (
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 16, 4).parallel(s.yo).parallel(s.xo).vectorize(s.xi, 8),
        s.blur_x.compute_at(s.output, s.xo).vectorize(s.x, 8),
    ),
    "folded explicitly": lambda s: s.blur_x.store_root().compute_at(s.output, s.y).fold_storage(s.y, 4),
    "folded to the least": lambda s: s.blur_x.store_root().compute_at(s.output, s.y).fold_storage(s.y, 3),
    "folded with room": lambda s: s.blur_x.store_root().compute_at(s.output, s.y).fold_storage(s.y, 7),
    "storage reordered": lambda s: s.blur_x.compute_root().reorder_storage(s.y, s.x),
    "storage aligned": lambda s: s.blur_x.compute_root().align_storage(s.x, 16),
    "bounds aligned": lambda s: s.blur_x.compute_root().align_bounds(s.x, 8).align_bounds(s.y, 4, 1),
    "on the stack": lambda s: (
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 8, 4),
        s.blur_x.compute_at(s.output, s.xo).store_in(hl.MemoryType.Stack),
    ),
    "on the heap": lambda s: s.blur_x.compute_at(s.output, s.y).store_in(hl.MemoryType.Heap),
    "memoized": lambda s: s.blur_x.compute_root().memoize(),
    "prefetched": lambda s: (s.blur_x.compute_root(), s.output.prefetch(s.blur_x, s.y, s.y, 2)),
    "prefetched by tiles": lambda s: (
        s.blur_x.compute_root().reorder_storage(s.y, s.x),
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 16, 4).vectorize(s.xi, 8).prefetch(s.blur_x, s.yi, s.yo, 1),
        s.output.prefetch(s.blur_x, s.xi, s.xo, 2).parallel(s.yo),
    ),
    "hoisted": lambda s: s.blur_x.hoist_storage_root().compute_at(s.output, s.y),
    "hoisted, stored at root": lambda s: s.blur_x.hoist_storage_root().store_root().compute_at(s.output, s.y),
    "hoisted out of vectors and tiles": lambda s: (
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 16, 4).parallel(s.yo).vectorize(s.xi, 8),
        s.blur_x.hoist_storage(s.output, s.yo).compute_at(s.output, s.xo).align_storage(s.x, 32).vectorize(s.x, 8),
    ),
    "hoisted and slid": lambda s: (
        s.output.split(s.y, s.yo, s.yi, 4),
        s.blur_x.hoist_storage_root().store_at(s.output, s.yo).compute_at(s.output, s.yi),
    ),
    "asynchronous": lambda s: s.blur_x.store_root().compute_at(s.output, s.y).fold_storage(s.y, 8).async_(),
    "computed with the border": lambda s: (s.edge.compute_root(), s.blur_x.compute_at(s.output, s.y)),
    "border in a row": lambda s: (s.edge.compute_at(s.blur_x, s.y), s.blur_x.compute_root()),
    "unpartitioned": lambda s: (s.output.never_partition_all(), s.blur_x.compute_at(s.output, s.y)),
    "partitioned": lambda s: s.blur_x.always_partition_all().vectorize(s.x, 8).compute_at(s.output, s.y),
}


@pytest.mark.part(5)
@pytest.mark.parametrize("name", BLUR_PLACES)
def test_places_of_a_producer(name):
    unchanged(blur, BLUR_PLACES[name])


def each_slid(s):
    for stage in s.stages[:-1]:
        stage.store_root().compute_at(s.output, s.y)


def each_slid_within_the_next(s):
    for stage, consumer in zip(s.stages, s.stages[1:], strict=False):
        stage.compute_at(consumer, s.y)


CHAIN_PLACES = {
    "roots": lambda s: [stage.compute_root() for stage in s.stages],
    "every other root": lambda s: [stage.compute_root() for stage in s.stages[::2]],
    "in tiles": lambda s: (
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 16, 8).vectorize(s.xi, 8).parallel(s.yo),
        [stage.compute_at(s.output, s.xo).vectorize(s.x, 8) for stage in s.stages[:-1]],
    ),
    "in guarded tiles": lambda s: (
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 16, 8, hl.TailStrategy.GuardWithIf),
        [stage.compute_at(s.output, s.xo) for stage in s.stages[:-1]],
    ),
    "all slid": each_slid,
    "all slid and vectorized": lambda s: (each_slid(s), [stage.vectorize(s.x, 8) for stage in s.stages]),
    "nested rows": each_slid_within_the_next,
    "all slid at pixels": lambda s: [
        stage.store_at(s.output, s.y).compute_at(s.output, s.x) for stage in s.stages[:-1]
    ],
    "slid in strips": lambda s: (
        s.output.split(s.y, s.yo, s.yi, 8).parallel(s.yo),
        [stage.store_at(s.output, s.yo).compute_at(s.output, s.yi) for stage in s.stages[:-1]],
    ),
    "some at rows, some at root": lambda s: (
        s.stages[0].compute_root(),
        s.stages[1].compute_at(s.stages[3], s.y),
        s.stages[3].store_root().compute_at(s.output, s.y),
    ),
    "vectors along what slides": lambda s: (
        s.stages[2].compute_at(s.output, s.x),
        s.stages[3].store_root().compute_at(s.output, s.x).vectorize(s.x, 4),
    ),
    "copies along what slides": lambda s: (
        s.output.split(s.y, s.yo, s.yi, 3, hl.TailStrategy.RoundUp).parallel(s.yo),
        s.stages[2].compute_at(s.output, s.yi),
        s.stages[3].store_at(s.output, s.yo).compute_at(s.output, s.yi).vectorize(s.x, 4).unroll(s.y, 2),
    ),
    "two levels of tiles": lambda s: (
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 16, 16).tile(s.xi, s.yi, s.xii, s.t, 8, 4),
        s.stages[1].compute_at(s.output, s.xo).vectorize(s.x, 8),
        s.stages[3].compute_at(s.output, s.xi).vectorize(s.x, 8),
    ),
}


@pytest.mark.part(5)
@pytest.mark.parametrize("name", CHAIN_PLACES)
def test_places_in_a_chain(name):
    unchanged(chain, CHAIN_PLACES[name], [(1, 1), (2, 9), (19, 17), (33, 24)])


PYRAMID_PLACES = {
    "roots": lambda s: [f.compute_root() for f in (s.down, s.down2, s.up, s.level)],
    "in tiles": lambda s: (
        s.output.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 16, 8),
        [f.compute_at(s.output, s.xo) for f in (s.down, s.down2, s.up)],
    ),
    "in rows": lambda s: [f.compute_at(s.output, s.y) for f in (s.down, s.down2, s.up)],
    "slid": lambda s: [f.store_root().compute_at(s.output, s.y) for f in (s.down, s.down2, s.up)],
    "slid under the next level": lambda s: (
        s.down2.store_root().compute_at(s.up, s.y),
        [f.compute_root() for f in (s.down, s.up)],
    ),
    "vectorized": lambda s: (
        s.output.vectorize(s.x, 8),
        [f.compute_root().vectorize(s.x, 8).parallel(s.y) for f in (s.down, s.down2, s.up)],
    ),
    "unrolled by phase": lambda s: (
        s.output.tile(s.x, s.y, s.xi, s.yi, 2, 2, hl.TailStrategy.RoundUp).unroll(s.xi).unroll(s.yi),
        [f.compute_root() for f in (s.down, s.down2, s.up)],
    ),
}


@pytest.mark.part(3)
@pytest.mark.parametrize("name", PYRAMID_PLACES)
def test_places_in_a_pyramid(name):
    unchanged(pyramid, PYRAMID_PLACES[name], [(1, 1), (3, 8), (18, 17), (35, 12)])


ACCUMULATED_PLACES = {
    "root": lambda s: s.rows.compute_root(),
    "row": lambda s: s.rows.compute_at(s.output, s.y),
    "in the update": lambda s: s.rows.compute_at(s.output, s.y).update(0).unroll(s.r.x),
    "tile": lambda s: (
        s.output.compute_root(),
        s.rows.compute_root().tile(s.x, s.y, s.xi, s.yi, 8, 4).update(0).tile(s.x, s.y, s.xi, s.yi, 8, 4),
    ),
    "vectors along what slides": lambda s: s.rows.store_root().compute_at(s.output, s.x).vectorize(s.x, 4),
    "reordered storage": lambda s: s.rows.compute_root().reorder_storage(s.y, s.x).update(0).vectorize(s.y, 4),
}


@pytest.mark.parametrize("name", ACCUMULATED_PLACES)
@pytest.mark.part(3)
def test_places_of_a_producer_with_an_update(name):
    unchanged(accumulated, ACCUMULATED_PLACES[name])


def test_update_stages_of_a_consumer_place_their_producers():
    def schedule(s):
        wrapped = s.output.in_()
        wrapped.tile(s.x, s.y, s.xo, s.yo, s.xi, s.yi, 8, 4)
        s.output.compute_at(wrapped, s.xo).vectorize(s.x, 4)
        s.rows.compute_at(wrapped, s.xo).vectorize(s.x, 4)
        s.output = wrapped

    unchanged(accumulated, schedule)


def test_lookup_tables_at_places():
    def schedule(s):
        s.counts.compute_root()
        s.sums.compute_at(s.output, s.y)

    unchanged(histogram, schedule, [(1, 1), (9, 4)])


@pytest.mark.parametrize("reordered", [False, True])
def test_output_bounded_and_its_loops_unrolled(reordered):
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    f = hl.Func("f")
    f[x, y, c] = x + 10 * y + 100 * c
    f.bound(c, 0, 3).bound(x, 0, 7)
    if reordered:
        f.reorder(c, x, y)
    f.unroll(c)
    expected = np.fromfunction(lambda c, y, x: x + 10 * y + 100 * c, (3, 5, 7), dtype=np.int32)
    np.testing.assert_array_equal(np.asarray(f.realize([7, 5, 3])), expected)


def test_bounds_of_a_producer_asked_larger_than_needed():
    def schedule(s):
        s.blur_x.compute_root().bound_extent(s.x, 64)

    unchanged(blur, schedule, [(1, 1), (20, 5)])


@pytest.mark.parametrize("order", ["xyc", "cxy", "ycx"])
def test_storage_order_of_a_three_dimensional_producer(order):
    x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
    variables = {"x": x, "y": y, "c": c}
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y, c] = x + 10 * y + 100 * c
    g[x, y, c] = f[x, y + 1, c] - f[x - 1, y, 2 - c]
    f.compute_root().reorder_storage(*[variables[name] for name in order])
    f.reorder(*[variables[name] for name in order]).vectorize(variables[order[0]], 4)
    expected = np.fromfunction(lambda c, y, x: 11 + 200 * c - 200, (3, 4, 9), dtype=np.int32)
    np.testing.assert_array_equal(np.asarray(g.realize([9, 4, 3])), np.broadcast_to(expected, (3, 4, 9)))


def test_compute_with_fuses_loops_of_two_outputs():
    x, y = hl.Var("x"), hl.Var("y")
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y], g[x, y] = x + y, x * y
    h[x, y] = f[x, y] + g[x + 1, y + 2]
    f.compute_root()
    g.compute_root().compute_with(f, y)
    expected = np.fromfunction(lambda y, x: x + y + (x + 1) * (y + 2), (6, 9), dtype=np.int32)
    np.testing.assert_array_equal(np.asarray(h.realize([9, 6])), expected)


@pytest.mark.parametrize("size", ODD_SIZES)
def test_outputs_keep_an_offset_region(size):
    x, y, xi, yi = hl.Var("x"), hl.Var("y"), hl.Var("xi"), hl.Var("yi")
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x * 3 + y * y
    g[x, y] = f[x - 1, y] + f[x, y + 1]
    g.tile(x, y, xi, yi, 8, 4, hl.TailStrategy.GuardWithIf).vectorize(xi)
    f.compute_at(g, x).vectorize(x, 4)
    out = hl.Buffer(hl.Int(32), list(size))
    out.set_min([-5, 100])
    g.realize(out)
    column, row = np.arange(size[0]) - 5, np.arange(size[1])[:, None] + 100
    expected = (column - 1) * 3 + row * row + column * 3 + (row + 1) * (row + 1)
    np.testing.assert_array_equal(np.asarray(out), expected)
