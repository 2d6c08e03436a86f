"""Small pipelines with what searches find hard: scans, scatters, Tuples, extern stages, no dimensions, many outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

import pipec as hl

PIXELS = np.random.default_rng(5).integers(0, 255, (48, 64)).astype(np.uint8)
Outputs = list[hl.Func]


def _source() -> hl.Func:
    return hl.BoundaryConditions.repeat_edge(hl.Buffer(PIXELS))


def scan_both_ways() -> Outputs:
    x, y = hl.vars("x y")
    down, up = hl.funcs("down up")
    steps = hl.RDom([(1, 47)])
    down[x, y] = hl.f32(_source()[x, y])
    down[x, steps] += down[x, steps - 1] * 0.5
    up[x, y] = down[x, y] + down[x + 1, y]
    up[x, 47 - steps] += up[x, 48 - steps] * 0.5
    return [up]


def histogram_and_lookup() -> Outputs:
    x, y, i = hl.vars("x y i")
    counts, sums, output = hl.funcs("counts sums output")
    domain, bins = hl.RDom([(0, 64), (0, 48)]), hl.RDom([(1, 255)])
    counts[i] = 0
    counts[hl.i32(hl.Buffer(PIXELS)[domain.x, domain.y])] += 1
    sums[i] = counts[i]
    sums[bins] += sums[bins - 1]
    output[x, y] = sums[hl.i32(_source()[x, y])]
    return [output]


def arg_minimum_of_tuples() -> Outputs:
    x, y = hl.vars("x y")
    best, chosen = hl.funcs("best chosen")
    shifts = hl.RDom([(-2, 5)])
    source = _source()
    cost = hl.abs(hl.i32(source[x, y]) - hl.i32(source[x + shifts + 3, y]))
    best[x, y] = hl.Tuple([0, 1 << 20])
    better = hl.i32(cost) < best[x, y][1]
    best[x, y] = hl.Tuple([hl.select(better, shifts, best[x, y][0]), hl.min(hl.i32(cost), best[x, y][1])])
    chosen[x, y] = hl.i32(source[x + hl.clamp(best[x, y][0], -2, 2), y]) + best[x, y][1]
    return [chosen, best]


def no_dimensions() -> Outputs:
    x, y = hl.vars("x y")
    total, peak, output = hl.funcs("total peak output")
    domain = hl.RDom([(0, 64), (0, 48)])
    value = hl.i32(hl.Buffer(PIXELS)[domain.x, domain.y])
    total[()] = 0
    total[()] += value
    peak[()] = 0
    peak[()] = hl.max(peak[()], value)
    output[x, y] = hl.i32(_source()[x, y]) * 100 / (peak[()] + 1) + total[()] % 7
    return [output, total]


def predicated_triangle() -> Outputs:
    x, y = hl.vars("x y")
    sums = hl.Func("sums")
    domain = hl.RDom([(0, 8), (0, 8)])
    domain.where(domain.x + domain.y < 9)
    sums[x, y] = 0
    sums[x, y] += hl.i32(_source()[x + domain.x, y + domain.y])
    return [sums]


def scatter_to_computed_places() -> Outputs:
    x, y = hl.vars("x y")
    moved, output = hl.funcs("moved output")
    domain = hl.RDom([(0, 64), (0, 48)])
    value = hl.i32(hl.Buffer(PIXELS)[domain.x, domain.y])
    moved[x, y] = 0
    moved[(domain.x + value) % 64, domain.y] += value
    output[x, y] = moved[x % 64, y % 48] + moved[(x + 1) % 64, y % 48]
    return [output]


def gather_at_stored_places() -> Outputs:
    x, y = hl.vars("x y")
    place, table, output = hl.funcs("place table output")
    place[x, y] = hl.clamp(hl.i32(_source()[x, y]) - x, 0, 63)
    table[x] = hl.f32(x) * 0.5
    table[x] += 1
    output[x, y] = table[place[x, y]] + table[place[x, y + 1]]
    return [output]


def read_in_three_stages() -> Outputs:
    x, y = hl.vars("x y")
    smooth, output = hl.funcs("smooth output")
    steps = hl.RDom([(0, 48)])
    source = _source()
    smooth[x, y] = (hl.i32(source[x - 1, y]) + source[x, y] + source[x + 1, y]) / 3
    output[x, y] = smooth[x, y]
    output[x, y] += smooth[x, y + 1]
    output[x, steps] += smooth[x, 47 - steps]
    return [output]


def several_outputs_that_read_each_other() -> Outputs:
    x, y = hl.vars("x y")
    first, second, third = hl.funcs("first second third")
    first[x, y] = hl.i32(_source()[x, y]) * 2
    second[x, y] = first[x, y] + first[hl.min(x + 1, 63), y]
    third[x, y] = second[x, y] * first[x, y]
    return [third, first, second]


def transposed_and_resampled() -> Outputs:
    x, y = hl.vars("x y")
    small, turned, large = hl.funcs("small turned large")
    source = _source()
    small[x, y] = (hl.i32(source[2 * x, 2 * y]) + source[2 * x + 1, 2 * y + 1]) / 2
    turned[x, y] = small[y, x]
    large[x, y] = turned[x / 2, y / 2] + turned[(x + 1) / 2, y / 2] + x % 3
    return [large]


def undefined_and_overwritten() -> Outputs:
    x, y = hl.vars("x y")
    parts = hl.Func("parts")
    columns = hl.RDom([(0, 32)])
    parts[x, y] = hl.undef(hl.Int(32))
    parts[2 * columns, y] = hl.i32(_source()[2 * columns, y])
    parts[2 * columns + 1, y] = parts[2 * columns, y] + 1
    return [parts]


def matrix_product_of_reductions() -> Outputs:
    x, y = hl.vars("x y")
    left, product, norm, output = hl.funcs("left product norm output")
    k, rows = hl.RDom([(0, 24)]), hl.RDom([(0, 48)])
    source = _source()
    left[x, y] = hl.f32(source[x, y]) / 16
    product[x, y] = 0.0
    product[x, y] += left[k, y] * left[x, k]
    norm[x] = 0.0
    norm[x] += product[x, rows]
    output[x, y] = product[x, y] / (norm[x] + 1)
    return [output]


PIPELINES: Mapping[str, Callable[[], Outputs]] = {
    build.__name__: build
    for build in (
        scan_both_ways,
        histogram_and_lookup,
        arg_minimum_of_tuples,
        no_dimensions,
        predicated_triangle,
        scatter_to_computed_places,
        gather_at_stored_places,
        read_in_three_stages,
        several_outputs_that_read_each_other,
        transposed_and_resampled,
        undefined_and_overwritten,
        matrix_product_of_reductions,
    )
}


def realized(outputs: Outputs) -> list[np.ndarray]:
    """The values of all outputs over 64 x 48 points, elements of Tuples one after the other."""
    sizes = {func.name(): [64, 48][: func.dimensions()] for func in outputs}
    buffers = []
    for func in outputs:
        for kind in func.types():
            buffers.append(hl.Buffer(kind, sizes[func.name()]))
    hl.Pipeline(outputs).realize(buffers if len(buffers) > 1 else buffers[0])
    return [np.asarray(buffer) for buffer in buffers]
