"""Regions that earlier Funcs are computed on: no larger than their consumers need, but for whole vectors."""

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
    before = call.statistics().heap.total
    call(hl.Buffer(hl.UInt(32), [1024, 16]))
    of_source, of_shift = 4 * 1024 * 16, 1024 * 16
    total = call.statistics().heap.total - before
    assert of_source <= total < (of_source + of_shift) * 1.15
