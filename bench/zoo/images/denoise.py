"""Denoisers: edge-preserving averages, patches, diffusion, total variation, ranks, wavelets, local statistics."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.arrays import inner, padded, shifted, smoothed
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages, pictures, repeat_edge, single, total

# Guided filter

GUIDED_RADIUS, GUIDED_EPSILON = 4, 0.01


def build_guided(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    guide, source = (hl.ImageParam(hl.Float(32), 2, name) for name in ("guide", "source"))
    stages, box = Stages(hl), [1] * (2 * GUIDED_RADIUS + 1)
    g, s = (hl.BoundaryConditions.repeat_edge(image) for image in (guide, source))
    share = single(1 / len(box) ** 2)

    def mean(name: str, value: Any) -> Any:
        return stages.blur(f"sum_{name}", stages.define(name, (x, y), value), (x, y), box)[x, y] * share

    mean_g, mean_s = mean("g", g[x, y]), mean("s", s[x, y])
    variance = mean("gg", g[x, y] * g[x, y]) - mean_g * mean_g
    covariance = mean("gs", g[x, y] * s[x, y]) - mean_g * mean_s
    slope = stages.define("slope", (x, y), covariance / (variance + single(GUIDED_EPSILON)))
    offset = stages.define("offset", (x, y), mean_s - slope[x, y] * mean_g)
    slopes, offsets = stages.blur("mean_slope", slope, (x, y), box), stages.blur("mean_offset", offset, (x, y), box)
    output = stages.define("guided", (x, y), (slopes[x, y] * g[x, y] + offsets[x, y]) * share)
    return Algorithm(output, {"guide": guide, "source": source}, stages=stages)


def guided_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel; slopes and offsets slide down each, with the sums of their rows."""
    stages, output = algorithm.stages, algorithm.output
    x, y, strip = hl.vars("x y strip")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    output.split(y, strip, y, 64).vectorize(x, lanes).parallel(strip)
    for name in ("slope", "offset"):
        stages[name].store_at(output, strip).compute_at(output, y).vectorize(x, lanes)
        stages[f"mean_{name}_y"].compute_at(output, y).vectorize(x, lanes)
    for name in ("g", "s", "gg", "gs"):
        sums = stages[f"sum_{name}"].store_at(output, strip).compute_at(output, y).vectorize(x, lanes)
        stages[f"sum_{name}_y"].compute_at(sums, y).vectorize(x, lanes)


def guided_reference(images: Mapping[str, Array]) -> Array:
    margin, box = 2 * GUIDED_RADIUS, np.full(2 * GUIDED_RADIUS + 1, 1 / (2 * GUIDED_RADIUS + 1))
    g, s = (padded(images[name].astype(np.float64), margin) for name in ("guide", "source"))
    mean_g, mean_s = smoothed(g, box), smoothed(s, box)
    slope = (smoothed(g * s, box) - mean_g * mean_s) / (smoothed(g * g, box) - mean_g**2 + GUIDED_EPSILON)
    result = smoothed(slope, box) * g + smoothed(mean_s - slope * mean_g, box)
    return inner(result, margin).astype(np.float32)


# Bilateral filter, directly

BILATERAL_RADIUS, SPATIAL, RANGE = 4, 2.0, 0.1


def build_bilateral(hl: ModuleType) -> Algorithm:
    x, y, i = hl.vars("x y i")
    source, stages = hl.ImageParam(hl.Float(32), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    near = stages.define("near", (i,), hl.exp(hl.f32(i * i) * single(-0.5 / SPATIAL**2)))
    r = hl.RDom([(-BILATERAL_RADIUS, 2 * BILATERAL_RADIUS + 1)] * 2, "r")
    other = bounded[x + r.x, y + r.y]
    difference = other - bounded[x, y]
    weight = near[r.x] * near[r.y] * hl.exp(difference * difference * single(-0.5 / RANGE**2))
    sums = stages.define("sums", (x, y), hl.Tuple([hl.f32(0), hl.f32(0)]))
    sums[x, y] = hl.Tuple([sums[x, y][0] + weight * other, sums[x, y][1] + weight])
    output = stages.define("bilateral", (x, y), sums[x, y][0] / sums[x, y][1])
    return Algorithm(output, {"source": source}, stages=stages)


def bilateral_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel; the sums of two vectors of pixels stay in registers, a row of the window unrolled."""
    stages, output = algorithm.stages, algorithm.output
    x, y, xi, strip = hl.vars("x y xi strip")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    stages["near"].compute_root()
    output.split(x, x, xi, 2 * lanes).vectorize(xi, lanes).split(y, strip, y, 16).parallel(strip)
    r = hl.RVar("r$x"), hl.RVar("r$y")
    sums = stages["sums"].compute_at(output, x)
    sums.vectorize(x, lanes).unroll(x)
    sums.update().reorder(x, *r).vectorize(x, lanes).unroll(x).unroll(r[0])


def bilateral_reference(images: Mapping[str, Array]) -> Array:
    source = padded(images["source"].astype(np.float64), BILATERAL_RADIUS)
    sums, weights = np.zeros_like(source), np.zeros_like(source)
    for dy, dx in np.ndindex(2 * BILATERAL_RADIUS + 1, 2 * BILATERAL_RADIUS + 1):
        dx, dy = dx - BILATERAL_RADIUS, dy - BILATERAL_RADIUS
        other = shifted(source, dx, dy)
        weight = np.exp(-0.5 * ((dx * dx + dy * dy) / SPATIAL**2 + ((other - source) / RANGE) ** 2))
        sums += weight * other
        weights += weight
    return inner(sums / weights, BILATERAL_RADIUS).astype(np.float32)


# Non-local means in integers: patches of 3 x 3, weights from a table of mean squared differences

NLM_REACH = 4


def build_integer_means(hl: ModuleType) -> Algorithm:
    x, y, dx, dy = hl.vars("x y dx dy")
    source, table, stages = hl.ImageParam(hl.UInt(8), 2, "source"), hl.ImageParam(hl.UInt(16), 1, "table"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    change = hl.u16(hl.absd(bounded[x, y], bounded[x + dx, y + dy]))
    squares = stages.define("squares", (x, y, dx, dy), hl.u32(change * change))
    patches = stages.blur("patches", squares, (x, y, dx, dy), [1] * 3)
    r = hl.RDom([(-NLM_REACH, 2 * NLM_REACH + 1)] * 2, "r")
    weight = hl.u32(table[hl.i32(hl.min(patches[x, y, r.x, r.y] >> 5, 1023))])
    sums = stages.define("sums", (x, y), hl.Tuple([hl.u32(0), hl.u32(0)]))
    other = hl.u32(bounded[x + r.x, y + r.y])
    sums[x, y] = hl.Tuple([sums[x, y][0] + weight * other, sums[x, y][1] + weight])
    weighted_sum, weights = (hl.Expr(sums[x, y][k]) for k in range(2))
    output = stages.define("integer_means", (x, y), hl.u8((weighted_sum + weights // 2) // weights))
    return Algorithm(output, {"source": source, "table": table}, stages=stages)


def integer_means_inputs(size: Sizes) -> dict[str, Array]:
    table = np.rint(4095 * np.exp(-np.arange(1024) * 32 / (9 * 20.0**2))).astype(np.uint16)
    return {"source": noise(size[::-1], np.uint8, 0, 255), "table": table}


def integer_means_reference(images: Mapping[str, Array]) -> Array:
    margin = NLM_REACH + 1
    source, table = padded(images["source"].astype(np.int64), margin), images["table"].astype(np.int64)
    sums, weights = np.zeros_like(source), np.zeros_like(source)
    for dy, dx in np.ndindex(2 * NLM_REACH + 1, 2 * NLM_REACH + 1):
        other = shifted(source, dx - NLM_REACH, dy - NLM_REACH)
        weight = table[np.minimum(smoothed((source - other) ** 2, [1] * 3) >> 5, 1023)]
        sums += weight * other
        weights += weight
    return inner((sums + weights // 2) // weights, margin).astype(np.uint8)


# Anisotropic diffusion

DIFFUSED, CONTRAST, STEP = 8, 0.1, 0.2


def build_diffusion(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.Float(32), 2, "source"), Stages(hl)
    current = hl.BoundaryConditions.repeat_edge(source)
    for k in range(DIFFUSED):

        def flow(func: Any, dx: int, dy: int) -> Any:
            difference = func[x + dx, y + dy] - func[x, y]
            return difference / (1.0 + difference * difference * single(1 / CONTRAST**2))

        across = stages.define(f"across_{k}", (x, y), flow(current, 1, 0))
        down = stages.define(f"down_{k}", (x, y), flow(current, 0, 1))
        change = across[x, y] - across[x - 1, y] + down[x, y] - down[x, y - 1]
        current = stages.define(f"diffused_{k + 1}", (x, y), current[x, y] + single(STEP) * change)
    return Algorithm(current, {"source": source}, stages=stages)


def diffusion_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel; all iterations slide down each, one row behind another."""
    stages, output = algorithm.stages, algorithm.output
    x, y, strip = hl.vars("x y strip")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    output.split(y, strip, y, 128).vectorize(x, lanes).parallel(strip)
    for name, func in stages.items():
        if name != f"diffused_{DIFFUSED}":
            func.store_at(output, strip).compute_at(output, y).vectorize(x, lanes)


def diffusion_reference(images: Mapping[str, Array]) -> Array:
    current = padded(images["source"].astype(np.float64), DIFFUSED)
    for _ in range(DIFFUSED):
        change = np.zeros_like(current)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            difference = shifted(current, dx, dy) - current
            change += difference / (1 + (difference / CONTRAST) ** 2)
        current = current + STEP * change
    return inner(current, DIFFUSED).astype(np.float32)


# Total variation

PROJECTIONS, SMOOTHNESS, DUAL_STEP = 12, 0.1, 0.24


def build_total_variation(hl: ModuleType) -> Algorithm:
    """The dual field p of the gradient; what is taken from the image is its divergence."""
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.Float(32), 2, "source"), Stages(hl)
    width, height = source.width(), source.height()
    scaled = single(1 / SMOOTHNESS)

    def inside(at: Any, extent: Any, value: Any) -> Any:
        return hl.select((at >= 0) & (at < extent - 1), value, 0.0)

    def divergence(field: Any) -> Any:
        left = inside(x - 1, width, field[x - 1, y][0])
        above = inside(y - 1, height, field[x, y - 1][1])
        return inside(x, width, field[x, y][0]) - left + inside(y, height, field[x, y][1]) - above

    bounded = repeat_edge(hl, source, width, height)
    field = stages.define("field_0", (x, y), hl.Tuple([hl.f32(0), hl.f32(0)]))
    for k in range(PROJECTIONS):
        level = stages.define(f"level_{k}", (x, y), divergence(field) - bounded[x, y] * scaled)
        across = inside(x, width, level[x + 1, y] - level[x, y])
        down = inside(y, height, level[x, y + 1] - level[x, y])
        length = 1.0 + single(DUAL_STEP) * hl.sqrt(across * across + down * down)
        pair = [(field[x, y][i] + single(DUAL_STEP) * g) / length for i, g in enumerate((across, down))]
        field = stages.define(f"field_{k + 1}", (x, y), hl.Tuple(pair))
    output = stages.define("total_variation", (x, y), source[x, y] - single(SMOOTHNESS) * divergence(field))
    return Algorithm(output, {"source": source}, stages=stages)


def total_variation_reference(images: Mapping[str, Array]) -> Array:
    source = images["source"].astype(np.float64)
    across, down = np.zeros_like(source), np.zeros_like(source)

    def divergence() -> Array:
        return np.diff(across, axis=1, prepend=0) + np.diff(down, axis=0, prepend=0)

    for _ in range(PROJECTIONS):
        level = divergence() - source / SMOOTHNESS
        change_x, change_y = np.zeros_like(source), np.zeros_like(source)
        change_x[:, :-1], change_y[:-1] = np.diff(level, axis=1), np.diff(level, axis=0)
        length = 1 + DUAL_STEP * np.hypot(change_x, change_y)
        across, down = (across + DUAL_STEP * change_x) / length, (down + DUAL_STEP * change_y) / length
    return (source - SMOOTHNESS * divergence()).astype(np.float32)


# Median of 9 x 9 by bisection: each bit of the median, from counts of the pixels below

MEDIAN_RADIUS = 4


def build_median(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.UInt(8), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    side = 2 * MEDIAN_RADIUS + 1
    r = hl.RDom([(-MEDIAN_RADIUS, side)] * 2, "r")
    current = stages.define("bit_8", (x, y), hl.u8(0))
    for bit in reversed(range(8)):
        threshold = current[x, y] + hl.u8(1 << bit)
        below = hl.sum(hl.u8(bounded[x + r.x, y + r.y] < threshold))
        current = stages.define(f"bit_{bit}", (x, y), hl.select(below <= side**2 // 2, threshold, current[x, y]))
    return Algorithm(current, {"source": source}, stages=stages)


def median_reference(images: Mapping[str, Array]) -> Array:
    side = 2 * MEDIAN_RADIUS + 1
    windows = np.lib.stride_tricks.sliding_window_view(padded(images["source"], MEDIAN_RADIUS), (side, side))
    return np.median(windows, (2, 3)).astype(np.uint8)


# Wavelet shrinkage: the undecimated B3 spline transform, soft thresholds

SCALES, SPLINE = 4, (1 / 16, 1 / 4, 3 / 8, 1 / 4, 1 / 16)
THRESHOLDS = (0.09, 0.04, 0.02, 0.01)


def build_wavelet(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.Float(32), 2, "source"), Stages(hl)
    smooth, shrunk = hl.BoundaryConditions.repeat_edge(source), []
    for scale, threshold in enumerate(THRESHOLDS):
        holes = [0.0] * ((1 << scale) - 1)
        taps = [tap for k, weight in enumerate(SPLINE) for tap in (*(holes if k else []), weight)]
        smoother = stages.blur(f"smooth_{scale + 1}", smooth, (x, y), taps)
        detail = smooth[x, y] - smoother[x, y]
        soft = detail - hl.clamp(detail, -single(threshold), single(threshold))
        shrunk.append(stages.define(f"shrunk_{scale}", (x, y), soft)[x, y])
        smooth = smoother
    output = stages.define("wavelet_shrinkage", (x, y), total([smooth[x, y], *shrunk]))
    return Algorithm(output, {"source": source}, stages=stages)


def wavelet_reference(images: Mapping[str, Array]) -> Array:
    margin = 2 * ((1 << SCALES) - 1)
    smooth = padded(images["source"].astype(np.float64), margin)
    result = np.zeros_like(smooth)
    for scale, threshold in enumerate(THRESHOLDS):
        smoother = smooth
        for axis in (-1, -2):
            steps = [k << scale for k in (-2, -1, 0, 1, 2)]
            smoother = sum(w * np.roll(smoother, -step, axis) for w, step in zip(SPLINE, steps, strict=True))
        detail = smooth - smoother
        result += np.sign(detail) * np.maximum(np.abs(detail) - threshold, 0)
        smooth = smoother
    return inner(result + smooth, margin).astype(np.float32)


# Wiener's filter by local statistics, with the noise estimated from the whole image

WIENER_RADIUS = 2


def build_wiener(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.Float(64), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.constant_exterior(source, hl.f64(0))
    box, share = [1] * (2 * WIENER_RADIUS + 1), hl.f64(1 / (2 * WIENER_RADIUS + 1) ** 2)
    squares = stages.define("squares", (x, y), bounded[x, y] * bounded[x, y])
    mean = stages.define("mean", (x, y), stages.blur("sum", bounded, (x, y), box)[x, y] * share)
    square = stages.blur("sum_squares", squares, (x, y), box)[x, y] * share
    variance = stages.define("variance", (x, y), square - mean[x, y] * mean[x, y])
    column, row = hl.RDom([(0, source.width())], "column"), hl.RDom([(0, source.height())], "row")
    rows = stages.define("rows", (y,), hl.sum(variance[column, y]))
    noise_level = stages.define("noise_level", (), hl.sum(rows[row]) / hl.f64(source.width() * source.height()))
    gain = hl.max(variance[x, y] - noise_level[()], hl.f64(0)) / hl.max(variance[x, y], noise_level[()])
    output = stages.define("wiener", (x, y), mean[x, y] + gain * (source[x, y] - mean[x, y]))
    return Algorithm(output, {"source": source}, stages=stages)


def wiener_reference(images: Mapping[str, Array]) -> Array:
    source = padded(images["source"], WIENER_RADIUS, "constant")
    box = np.full(2 * WIENER_RADIUS + 1, 1 / (2 * WIENER_RADIUS + 1))
    mean, square = (inner(smoothed(level, box), WIENER_RADIUS) for level in (source, source**2))
    variance = square - mean**2
    level = variance.mean()
    return mean + np.maximum(variance - level, 0) / np.maximum(variance, level) * (images["source"] - mean)


# Kuwahara's filter: the mean of that quadrant of the window which varies least

QUADRANT = 4


def build_kuwahara(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    source, stages = hl.ImageParam(hl.UInt(8), 3, "source"), Stages(hl)
    bounded = repeat_edge(hl, source, source.width(), source.height())
    level = [hl.i32(bounded[x, y, k]) for k in range(3)]
    luma = stages.define("luma", (x, y), hl.u16((77 * level[0] + 150 * level[1] + 29 * level[2]) >> 8))

    def summed(name: str, func: Any, *plane: Any) -> Any:
        down = total([func[(x, y + k, *plane)] for k in range(QUADRANT)])
        down = stages.define(f"{name}_y", (x, y, *plane), down)
        return stages.define(name, (x, y, *plane), total([down[(x + k, y, *plane)] for k in range(QUADRANT)]))

    sums = summed("sums", luma)
    squares = summed("squares", stages.define("square", (x, y), hl.u32(luma[x, y]) * hl.u32(luma[x, y])))
    spread = QUADRANT**2 * squares[x, y] - hl.u32(sums[x, y]) * hl.u32(sums[x, y])
    variance = stages.define("variance", (x, y), spread)
    colours = summed("colours", stages.define("colour", (x, y, c), hl.u16(bounded[x, y, c])), c)
    back = 1 - QUADRANT
    corners = [(dx, dy) for dy in (back, 0) for dx in (back, 0)]
    least = hl.min(*(variance[x + dx, y + dy] for dx, dy in corners))
    chosen = hl.Expr(colours[x, y, c])
    for dx, dy in reversed(corners[:-1]):
        chosen = hl.select(variance[x + dx, y + dy] == least, colours[x + dx, y + dy, c], chosen)
    output = stages.define("kuwahara", (x, y, c), hl.u8((chosen + QUADRANT**2 // 2) // QUADRANT**2))
    return Algorithm(output, {"source": source}, stages=stages)


def kuwahara_reference(images: Mapping[str, Array]) -> Array:
    source = padded(images["source"].astype(np.int64), QUADRANT)
    luma = np.einsum("c,cyx->yx", [77, 150, 29], source) >> 8
    means, spreads = [], []
    for first_y in (1 - QUADRANT, 0):
        for first_x in (1 - QUADRANT, 0):
            window = [(first_x + dx, first_y + dy) for dy in range(QUADRANT) for dx in range(QUADRANT)]
            lumas = np.array([shifted(luma, dx, dy) for dx, dy in window])
            spreads.append(QUADRANT**2 * (lumas**2).sum(0) - lumas.sum(0) ** 2)
            means.append((sum(shifted(source, dx, dy) for dx, dy in window) + QUADRANT**2 // 2) // QUADRANT**2)
    chosen = np.take_along_axis(np.array(means), np.argmin(spreads, 0)[None, None], 0)[0]
    return inner(chosen, QUADRANT).astype(np.uint8)


ENTRIES = (
    Entry(
        name="guided_filter",
        kind="denoiser",
        source="He, Sun and Tang, Guided image filtering, 2010 (OpenCV's ximgproc.guidedFilter)",
        build=build_guided,
        inputs=pictures(np.float32, 0, 1, "guide", "source"),
        reference=guided_reference,
        bench_size=(1920, 1080),
        test_size=(37, 23),
        tolerance=1e-4,
        differentiable=True,
        hand=guided_hand,
    ),
    Entry(
        name="bilateral_direct",
        kind="denoiser",
        source="Tomasi and Manduchi, Bilateral filtering, 1998 (OpenCV's cv2.bilateralFilter, on floats)",
        build=build_bilateral,
        inputs=pictures(np.float32, 0, 1),
        reference=bilateral_reference,
        bench_size=(1280, 960),
        test_size=(37, 23),
        tolerance=1e-5,
        differentiable=True,
        hand=bilateral_hand,
    ),
    Entry(
        name="integer_means",
        kind="denoiser",
        source="non-local means in integers, as OpenCV's fastNlMeansDenoising",
        build=build_integer_means,
        inputs=integer_means_inputs,
        reference=integer_means_reference,
        bench_size=(800, 600),
        test_size=(37, 23),
    ),
    Entry(
        name="anisotropic_diffusion",
        kind="denoiser",
        source="Perona and Malik, 1990, eight iterations (OpenCV's ximgproc.anisotropicDiffusion)",
        build=build_diffusion,
        inputs=pictures(np.float32, 0, 1),
        reference=diffusion_reference,
        bench_size=(1600, 1200),
        test_size=(37, 23),
        tolerance=1e-5,
        differentiable=True,
        hand=diffusion_hand,
    ),
    Entry(
        name="total_variation",
        kind="denoiser",
        source="Chambolle, 2004, twelve projections (skimage.restoration.denoise_tv_chambolle)",
        build=build_total_variation,
        inputs=pictures(np.float32, 0, 1),
        reference=total_variation_reference,
        bench_size=(1024, 768),
        test_size=(37, 23),
        tolerance=1e-4,
    ),
    Entry(
        name="median_bisection",
        kind="denoiser",
        source="a 9 x 9 median by bisection of its bits, as GPUs compute it (Viola, Kanitsar and Gröller, 2003)",
        build=build_median,
        inputs=pictures(np.uint8, 0, 255),
        reference=median_reference,
        bench_size=(1024, 768),
        test_size=(37, 23),
    ),
    Entry(
        name="wavelet_shrinkage",
        kind="denoiser",
        source="Starck and Murtagh's undecimated spline wavelets with Donoho's soft thresholds",
        build=build_wavelet,
        inputs=pictures(np.float32, 0, 1),
        reference=wavelet_reference,
        bench_size=(2048, 1536),
        test_size=(37, 23),
        tolerance=1e-5,
        differentiable=True,
    ),
    Entry(
        name="wiener",
        kind="denoiser",
        source="scipy.signal.wiener, windows of 5 x 5, on doubles",
        build=build_wiener,
        inputs=pictures(np.float64, 0, 1),
        reference=wiener_reference,
        bench_size=(1600, 1000),
        test_size=(37, 23),
        tolerance=1e-10,
    ),
    Entry(
        name="kuwahara",
        kind="denoiser",
        source="Kuwahara and others, 1976: four quadrants of 4 x 4, by the variance of their luma",
        build=build_kuwahara,
        inputs=pictures(np.uint8, 0, 255),
        reference=kuwahara_reference,
        bench_size=(1280, 720, 3),
        test_size=(37, 23, 3),
    ),
)
