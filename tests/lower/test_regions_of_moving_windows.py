"""What inputs must hold where splits and alignments round the windows of a producer that move with its consumer."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.lower.required_boxes import RegionQuery

x, y, u, b, bi = hl.vars("x y u b bi")


def rows_read(output: hl.Func, sizes: list[int], image: hl.ImageParam) -> list[tuple[int, int]]:
    """The box (first, size) of the image that the compiled program asks for, with all that its loops round up."""
    definition, _ = freeze([output.function])
    query = RegionQuery(definition, schedule_of([output.function]), exact_tails=False)
    boxes = {image.name(): [(0, 64), (0, 64)]}
    return query.boxes({output.name(): [(0, size) for size in sizes]}, {}, boxes)[image.name()]


@pytest.mark.parametrize("lanes", [16, 64])
def test_the_size_of_a_window_is_rounded_up_once(lanes: int) -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    residual, across, output = hl.funcs("residual across output")
    residual[x, y] = hl.i16(image[x, y])
    across[u, y, b] = residual[b * 8 + u % 8, y]
    output[u, b, y] = across[u, y, b] + 1
    output.split(b, b, bi, 4).reorder(u, bi, b, y).parallel(y)
    across.compute_at(output, b)
    residual.compute_at(output, b).vectorize(x, lanes, hl.TailStrategy.RoundUp)
    # Each of the windows of 4 * 8 values is rounded up to 64 by the second vectors, the last of which is at 96.
    assert rows_read(output, [8, 16, 8], image)[0] == (0, 128 if lanes == 16 else 160)


def test_aligned_windows_at_edges_read_nothing_beyond_them() -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    joined, output = hl.funcs("joined output")
    joined[x, y] = hl.select(y % 2 == 0, image[x, y], image[x, y] + 1)
    framed = hl.BoundaryConditions.repeat_edge(joined, [(0, 32), (0, 64)])
    output[x, y] = framed[x, y - 1] + framed[x, y + 1]
    yi = hl.Var("yi")
    output.split(y, y, yi, 8).parallel(y)
    joined.compute_at(output, y).align_bounds(y, 2).split(y, y, yi, 2, hl.TailStrategy.RoundUp).unroll(yi)
    assert rows_read(output, [32, 64], image) == [(0, 32), (0, 64)]
    values = np.random.default_rng(0).integers(0, 100, (64, 32), np.uint8)
    image.set(hl.Buffer(values))
    rows = values + (np.arange(64) % 2).astype(np.uint8)[:, None]
    expected = rows[np.clip(np.arange(64) - 1, 0, 63)] + rows[np.clip(np.arange(64) + 1, 0, 63)]
    np.testing.assert_array_equal(output.realize([32, 64]), expected)


def test_a_window_of_unknown_size_reaches_less_than_a_block_beyond_what_is_needed() -> None:
    image, size = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.Int(32), "size")
    producer, output = hl.funcs("producer output")
    producer[x, y] = image[x, y] + 1
    output[x, y] = producer[x, y] + producer[x, y + hl.clamp(size, 0, 5)]
    yi = hl.Var("yi")
    output.split(y, y, yi, 8, hl.TailStrategy.GuardWithIf).parallel(y)
    producer.compute_at(output, y).split(y, y, yi, 4, hl.TailStrategy.RoundUp).parallel(y)
    definition, _ = freeze([output.function])
    query = RegionQuery(definition, schedule_of([output.function]), exact_tails=False)
    box = query.boxes({output.name(): [(0, 32), (0, 64)]}, {"size": 3})["image"]
    assert box[1][0] >= -3 and sum(box[1]) <= 64 + 3 + 3
