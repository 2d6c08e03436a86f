"""Morphology: erosion and dilation by rectangles and discs, reconstruction, distances, skeletons."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from apps.app import Algorithm, Array
from bench.zoo.arrays import AROUND, inner, padded, shifted
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages, pictures

# Rectangles: windows of any length are two of a power of two


def extreme(stages: Stages, name: str, source: Any, args: tuple[Any, Any], sides: tuple[int, int], larger: Any) -> Any:
    """The largest (or, by hl.min, the smallest) in a window of odd sides around each pixel."""
    for axis, side in enumerate(sides):
        radius, length, level = side // 2, 1, source

        def tap(offset: int, level: Any, axis: int = axis) -> Any:
            return level[tuple(arg + offset if k == axis else arg for k, arg in enumerate(args))]

        while 2 * length <= side:
            value = larger(tap(0, level), tap(length, level))
            level, length = stages.define(f"{name}_{'xy'[axis]}_{2 * length}", args, value), 2 * length
        value = larger(tap(-radius, level), tap(radius + 1 - length, level))
        source = stages.define(f"{name}_{'xy'[axis]}", args, value)
    return source


def extreme_of(image: Array, sides: tuple[int, int], larger: Any) -> Array:
    """The same, one neighbour after another; the image wraps."""
    for axis, side in enumerate(sides):
        image = larger.reduce([np.roll(image, step, -1 - axis) for step in range(-(side // 2), side // 2 + 1)])
    return image


OPENED, CLOSED = (15, 11), (9, 21)


def build_open_close(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.UInt(8), 2, "source"), Stages(hl)
    current = hl.BoundaryConditions.repeat_edge(source)
    steps = (
        ("eroded", OPENED, hl.min),
        ("opened", OPENED, hl.max),
        ("dilated", CLOSED, hl.max),
        ("closed", CLOSED, hl.min),
    )
    for name, sides, larger in steps:
        current = extreme(stages, name, current, (x, y), sides, larger)
    return Algorithm(current, {"source": source}, stages=stages)


def open_close_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """Tiles of columns in strips of rows in parallel; down each, all windows slide, a row at a time."""
    output = algorithm.output
    x, y, tile, strip = hl.vars("x y tile strip")
    lanes = hl.get_host_target().natural_vector_size(hl.UInt(8))
    output.split(x, tile, x, 1024).split(y, strip, y, 256).reorder(x, y, tile, strip)
    output.vectorize(x, lanes).parallel(strip)
    for name, func in algorithm.stages.items():
        if name != "closed_y":
            func.store_at(output, tile).compute_at(output, y).vectorize(x, lanes)


def open_close_reference(images: Mapping[str, Array]) -> Array:
    margin = max(OPENED) + max(CLOSED)
    current = padded(images["source"], margin)
    for sides, larger in ((OPENED, np.minimum), (OPENED, np.maximum), (CLOSED, np.maximum), (CLOSED, np.minimum)):
        current = extreme_of(current, sides, larger)
    return inner(current, margin)


# Contrast by top-hats: what an opening removes is added, what a closing fills is taken away

HAT = (31, 31)


def build_top_hat(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.UInt(16), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    opened = extreme(stages, "opened", extreme(stages, "eroded", bounded, (x, y), HAT, hl.min), (x, y), HAT, hl.max)
    closed = extreme(stages, "closed", extreme(stages, "dilated", bounded, (x, y), HAT, hl.max), (x, y), HAT, hl.min)
    current = hl.i32(source[x, y])
    value = current + (current - hl.i32(opened[x, y])) - (hl.i32(closed[x, y]) - current)
    output = stages.define("top_hat", (x, y), hl.u16(hl.clamp(value, 0, 65535)))
    return Algorithm(output, {"source": source}, stages=stages)


def top_hat_reference(images: Mapping[str, Array]) -> Array:
    source = padded(images["source"].astype(np.int32), 2 * HAT[0])
    opened = extreme_of(extreme_of(source, HAT, np.minimum), HAT, np.maximum)
    closed = extreme_of(extreme_of(source, HAT, np.maximum), HAT, np.minimum)
    return inner(np.clip(3 * source - opened - closed, 0, 65535), 2 * HAT[0]).astype(np.uint16)


# The gradient by a disc

RADIUS = 6


def build_disc_gradient(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    source, stages = hl.ImageParam(hl.UInt(8), 2, "source"), Stages(hl)
    bounded = hl.BoundaryConditions.repeat_edge(source)
    r = hl.RDom([(-RADIUS, 2 * RADIUS + 1)] * 2, "r")
    r.where(r.x * r.x + r.y * r.y <= RADIUS * RADIUS)
    extremes = stages.define("extremes", (x, y), hl.Tuple([hl.u8(0), hl.u8(255)]))
    pixel = bounded[x + r.x, y + r.y]
    extremes[x, y] = hl.Tuple([hl.max(extremes[x, y][0], pixel), hl.min(extremes[x, y][1], pixel)])
    output = stages.define("disc_gradient", (x, y), extremes[x, y][0] - extremes[x, y][1])
    return Algorithm(output, {"source": source}, stages=stages)


def disc_gradient_reference(images: Mapping[str, Array]) -> Array:
    source, reach = padded(images["source"], RADIUS), range(-RADIUS, RADIUS + 1)
    near = [shifted(source, dx, dy) for dy in reach for dx in reach if dx * dx + dy * dy <= RADIUS * RADIUS]
    return inner(np.maximum.reduce(near) - np.minimum.reduce(near), RADIUS)


# Chamfer distances: two scans in the order of a raster

DIRECT, DIAGONAL, FAR = 3, 4, 20000


def build_chamfer(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    mask, stages = hl.ImageParam(hl.UInt(8), 2, "mask"), Stages(hl)
    width, height = mask.width(), mask.height()
    bounded = hl.BoundaryConditions.constant_exterior(mask, hl.u8(255))
    distance = stages.define("distance", (x, y), hl.select(bounded[x, y] == 0, hl.u16(0), hl.u16(FAR)))
    r = hl.RDom([(0, width), (0, height)], "r")
    for at_x, at_y, back in ((r.x, r.y, -1), (width - 1 - r.x, height - 1 - r.y, 1)):
        near = [(back, 0, DIRECT), (0, back, DIRECT), (-1, back, DIAGONAL), (1, back, DIAGONAL)]
        steps = [distance[at_x + dx, at_y + dy] + hl.u16(weight) for dx, dy, weight in near]
        distance[at_x, at_y] = hl.min(distance[at_x, at_y], *steps)
    output = stages.define("chamfer_distance", (x, y), distance[x, y])
    return Algorithm(output, {"mask": mask}, stages=stages)


def blobs(name: str, level: int) -> Any:
    """A mask of bright and dark blobs, 255 and 0."""

    def inputs(size: Sizes) -> dict[str, Array]:
        y, x = np.indices(size[::-1])
        field = noise(size[::-1], np.float32, -40, 40) + 60 * np.sin(x / 7.3) * np.cos(y / 5.1)
        return {name: np.where(field > level, 255, 0).astype(np.uint8)}

    return inputs


def chamfer_reference(images: Mapping[str, Array]) -> Array:
    """By relaxation until nothing changes."""
    distance = np.pad(np.where(images["mask"] == 0, 0, FAR), 1, constant_values=FAR)
    weights = [(dx, dy, DIRECT if 0 in (dx, dy) else DIAGONAL) for dx, dy in AROUND]
    while True:
        near = np.minimum.reduce([distance, *(shifted(distance, dx, dy) + weight for dx, dy, weight in weights)])
        near = np.pad(inner(near, 1), 1, constant_values=FAR)
        if np.array_equal(near, distance):
            return inner(distance, 1).astype(np.uint16)
        distance = near


# Exact squared distances up to a limit: scans of the columns, then parabolas along the rows

LIMIT = 24


def build_exact_distance(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    mask, stages = hl.ImageParam(hl.UInt(8), 2, "mask"), Stages(hl)
    height = mask.height()
    start = hl.select(mask[x, y] == 0, hl.u8(0), hl.u8(LIMIT))
    column = stages.define("column", (x, y), start)
    r = hl.RDom([(1, height - 1)], "r")
    column[x, r] = hl.min(column[x, r], column[x, r - 1] + hl.u8(1))
    column[x, height - 1 - r] = hl.min(column[x, height - 1 - r], column[x, height - r] + hl.u8(1))
    square = stages.define("square", (x, y), hl.u16(column[x, y]) * hl.u16(column[x, y]))
    bounded = hl.BoundaryConditions.constant_exterior(square, hl.u16(LIMIT**2), [(0, mask.width()), (0, height)])
    s = hl.RDom([(-LIMIT, 2 * LIMIT + 1)], "s")
    output = stages.define("exact_distance", (x, y), hl.minimum(bounded[x + s, y] + hl.u16(s * s)))
    return Algorithm(output, {"mask": mask}, stages=stages)


def exact_distance_reference(images: Mapping[str, Array]) -> Array:
    mask = images["mask"]
    zeros_y, zeros_x = np.nonzero(mask == 0)
    y, x = np.indices(mask.shape)
    down = np.minimum(np.abs(y[..., None] - zeros_y), LIMIT)
    across = np.abs(x[..., None] - zeros_x)
    square = np.where(across <= LIMIT, across**2 + down**2, LIMIT**2)
    return np.minimum(square.min(-1), LIMIT**2).astype(np.uint16)


# Holes: the background that the border reaches in so many steps stays, all else is filled

STEPS = 12


def build_fill_holes(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    mask, stages = hl.ImageParam(hl.UInt(8), 2, "mask"), Stages(hl)
    open_ = hl.BoundaryConditions.constant_exterior(mask, hl.u8(0))
    is_outside = (x < 0) | (y < 0) | (x >= mask.width()) | (y >= mask.height())
    reached = stages.define("reached_0", (x, y), hl.select(is_outside, hl.u8(255), hl.u8(0)))
    for k in range(STEPS):
        rows = hl.max(reached[x - 1, y], reached[x, y], reached[x + 1, y])
        rows = stages.define(f"rows_{k}", (x, y), rows)
        grown = hl.max(rows[x, y - 1], rows[x, y], rows[x, y + 1])
        reached = stages.define(f"reached_{k + 1}", (x, y), hl.min(grown, hl.u8(255) - open_[x, y]))
    output = stages.define("fill_holes", (x, y), hl.u8(255) - reached[x, y])
    return Algorithm(output, {"mask": mask}, stages=stages)


def fill_holes_reference(images: Mapping[str, Array]) -> Array:
    background = np.pad(images["mask"] == 0, 1, constant_values=True)
    reached = np.zeros_like(background)
    reached[[0, -1]] = reached[:, [0, -1]] = True
    for _ in range(STEPS):
        reached |= background & np.logical_or.reduce([shifted(reached, dx, dy) for dx, dy in AROUND])
    return inner(np.where(reached, 0, 255), 1).astype(np.uint8)


# Thinning to a skeleton: two tables of all neighbourhoods, in turn

TURNS = 4
RING = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]


def removals() -> Array:
    """For each of the two passes and each pattern of eight neighbours, clockwise from above: whether the pixel goes."""
    bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
    rises = ((bits == 0) & (np.roll(bits, -1, 1) == 1)).sum(1)
    simple = (bits.sum(1) >= 2) & (bits.sum(1) <= 6) & (rises == 1)
    above, right, below, left = bits[:, ::2].T
    first = simple & (above * right * below == 0) & (right * below * left == 0)
    second = simple & (above * right * left == 0) & (above * below * left == 0)
    return np.stack([first, second]).astype(np.uint8)


def build_thinning(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    mask, table, stages = hl.ImageParam(hl.UInt(8), 2, "mask"), hl.ImageParam(hl.UInt(8), 2, "table"), Stages(hl)
    bounded = hl.BoundaryConditions.constant_exterior(mask, hl.u8(0))
    current = stages.define("bits", (x, y), hl.select(bounded[x, y] != 0, hl.u8(1), hl.u8(0)))
    for k in range(2 * TURNS):
        pattern = hl.u8(0)
        for bit, (dx, dy) in enumerate(RING):
            pattern = pattern | (current[x + dx, y + dy] << hl.u8(bit))
        remaining = current[x, y] & (hl.u8(1) - table[pattern, k % 2])
        current = stages.define(f"thinned_{k}", (x, y), remaining)
    output = stages.define("thinning", (x, y), current[x, y] * hl.u8(255))
    return Algorithm(output, {"mask": mask, "table": table}, stages=stages)


def thinning_inputs(size: Sizes) -> dict[str, Array]:
    return {**blobs("mask", 0)(size), "table": removals()}


def thinning_reference(images: Mapping[str, Array]) -> Array:
    """By the paper's conditions, not by the table."""
    current = np.pad((images["mask"] != 0).astype(np.int32), 2 * TURNS + 1)
    for k in range(2 * TURNS):
        ring = np.array([shifted(current, dx, dy) for dx, dy in RING])
        rises = ((ring == 0) & (np.roll(ring, -1, 0) == 1)).sum(0)
        north, east, south, west = ring[::2]
        products = (
            (north * east * south, east * south * west) if k % 2 == 0 else (north * east * west, north * south * west)
        )
        goes = (ring.sum(0) >= 2) & (ring.sum(0) <= 6) & (rises == 1) & (products[0] == 0) & (products[1] == 0)
        current = np.where(goes, 0, current)
    return inner(current * 255, 2 * TURNS + 1).astype(np.uint8)


ENTRIES = (
    Entry(
        name="open_close",
        kind="morphology",
        source="cv2.morphologyEx MORPH_OPEN and MORPH_CLOSE with rectangles",
        build=build_open_close,
        inputs=pictures(np.uint8, 0, 255),
        reference=open_close_reference,
        bench_size=(3264, 2448),
        test_size=(37, 23),
        hand=open_close_hand,
    ),
    Entry(
        name="top_hat",
        kind="morphology",
        source="contrast by white and black top-hats of 31 x 31 (cv2.MORPH_TOPHAT, MORPH_BLACKHAT)",
        build=build_top_hat,
        inputs=pictures(np.uint16, 0, 65535),
        reference=top_hat_reference,
        bench_size=(2048, 2048),
        test_size=(37, 23),
    ),
    Entry(
        name="disc_gradient",
        kind="morphology",
        source="skimage.filters.rank.gradient with a disc of radius 6",
        build=build_disc_gradient,
        inputs=pictures(np.uint8, 0, 255),
        reference=disc_gradient_reference,
        bench_size=(1280, 960),
        test_size=(37, 23),
    ),
    Entry(
        name="chamfer_distance",
        kind="morphology",
        source="Borgefors, Distance transformations in digital images, 1986: the 3-4 chamfer",
        build=build_chamfer,
        inputs=blobs("mask", -10),
        reference=chamfer_reference,
        bench_size=(1024, 768),
        test_size=(37, 23),
    ),
    Entry(
        name="exact_distance",
        kind="morphology",
        source="Meijster, Roerdink and Hesselink, 2000, distances up to 24 (cv2.distanceTransform)",
        build=build_exact_distance,
        inputs=blobs("mask", -10),
        reference=exact_distance_reference,
        bench_size=(1600, 1200),
        test_size=(37, 23),
    ),
    Entry(
        name="fill_holes",
        kind="morphology",
        source="reconstruction from the border (scipy.ndimage.binary_fill_holes), twelve steps",
        build=build_fill_holes,
        inputs=blobs("mask", 0),
        reference=fill_holes_reference,
        bench_size=(1920, 1080),
        test_size=(67, 43),
    ),
    Entry(
        name="thinning",
        kind="morphology",
        source="Zhang and Suen, 1984, four iterations (cv2.ximgproc.thinning)",
        build=build_thinning,
        inputs=thinning_inputs,
        reference=thinning_reference,
        bench_size=(800, 600),
        test_size=(67, 43),
    ),
)
