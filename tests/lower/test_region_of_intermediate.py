"""Regions that earlier Funcs are computed on: no larger than their consumers need, but for whole vectors."""

import re

import numpy as np
import pytest

import pipec as hl


def test_the_rounded_region_of_an_update_counts_its_extent_once():
    x, y = hl.vars("x y")
    source, shift, sums, out = hl.funcs("source shift sums out")
    source[x, y] = hl.u32(x * y)
    shift[x, y] = hl.u8(source[x, y] & 7)
    sums[x, y] = source[x, y]
    sums[x, y] += source[x + hl.clamp(hl.i32(shift[x, y]), -8, 8), y]
    out[x, y] = sums[x, y]
    source.compute_root()
    shift.compute_root()
    sums.compute_at(out, y)
    sums.update(0).vectorize(x, 32)
    out.vectorize(x, 16)
    call = hl.Pipeline(out).compile_to_callable([])

    def allocated():
        before = call.statistics().heap.total
        call(hl.Buffer(hl.UInt(32), [1024, 16]))
        return call.statistics().heap.total - before

    of_source, of_shift = 4 * 1024 * 16, 1024 * 16
    # Some rows of sums come on top. The statistics are those of the process, in which other tests may have left threads
    # at work.
    assert of_source <= min([allocated() for _ in range(3)]) < (of_source + of_shift) * 1.25


@pytest.mark.parametrize("target", ["host", "host-checked"])
def test_the_pure_definition_of_updates_that_round_up_is_computed_where_it_is_needed(target, tmp_path):
    x, image, path = hl.Var("x"), hl.ImageParam(hl.Float(32), 1, "image"), tmp_path / "g.stmt"
    f, g = hl.funcs("f g")
    f[x] = image[x]
    f[x] = f[x] * 2.0 + image[x]
    g[x] = f[x] + 1.0
    g.bound(x, 0, 13)
    f.compute_root().update().vectorize(x, 8, hl.TailStrategy.RoundUp)
    g.compile_to_lowered_stmt(str(path), [image])
    assert re.search(r"for f\S*\.s0\.x from 0 for 13:", path.read_text())
    values = np.arange(13, dtype=np.float32)
    image.set(hl.Buffer(values))
    assert (np.asarray(g.realize([13], hl.Target(target))) == values * 3 + 1).all()


def test_the_pure_definition_of_updates_reads_no_more_than_blocks_of_whole_vectors(tmp_path):
    k, image, path = hl.Var("k"), hl.ImageParam(hl.Int(32), 1, "image"), tmp_path / "out.stmt"
    sums, out = hl.funcs("sums out")
    sums[k] = image[k]
    sums[k] += 1
    out[k] = sums[k] * 2
    out.vectorize(k, 16)
    sums.compute_at(out, k).vectorize(k, 8, hl.TailStrategy.RoundUp)
    out.compile_to_lowered_stmt(str(path), [image])
    # The last block ends where the output does, which need be no multiple of 8 from its start.
    assert "/ 8 * 8" not in path.read_text().partition("produce")[0]
    image.set(hl.Buffer(np.arange(27, dtype=np.int32)))
    assert (np.asarray(out.realize([27])) == 2 * np.arange(1, 28)).all()
