"""Filters by rank in a window: the median, erosion and dilation, and what is made of these two."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np

import pipec as hl
from pipec.errors import ArgumentError, NotSupportedError
from pipec.filters.networks import exchange, median_network, sorting_network
from pipec.filters.planes import (
    TYPES,
    Array,
    by_rows,
    channels_of,
    check_border,
    columns_extended,
    image_array,
    lanes_of,
    plane,
    result_array,
    rows_extended,
)

# Windows up to this side are sorted by networks; larger ones are counted.
MAX_NETWORK_SIDE = 5
# The largest window whose counts fit into 16 bits.
MAX_SIDE = 255
# Longer lines are minima of shorter ones, each stored: 9 + 9 - 1 = 17.
LINE = 9
OPERATIONS = ("erode", "dilate", "open", "close", "gradient", "tophat", "blackhat")


def median(image: Any, size: int = 3, *, border: str = "edge", out: Array | None = None) -> Array:
    """Replaces each pixel by the median of a square window, as `cv2.medianBlur(image, size)`.

    `image`: uint8, uint16 or float32 without NaN, of shape (y, x) or (y, x, c); `size` is odd, at most 255, for float32
    at most 5. Equal to OpenCV's.

    >>> noisy = np.full((5, 5), 7, np.uint8)
    >>> noisy[2, 2] = 255
    >>> int(hl.filters.median(noisy)[2, 2])
    7
    """
    array = image_array("median", image)
    if size < 1 or size % 2 == 0 or size > MAX_SIDE:
        raise ArgumentError(f"Error: size={size} of median() must be odd, and from 1 to {MAX_SIDE}.")
    if array.dtype == np.float32 and size > MAX_NETWORK_SIDE:
        raise NotSupportedError(
            f"Error: median() of float32 has windows up to {MAX_NETWORK_SIDE}, not {size}. Convert to uint16 first."
        )
    compile_median = _median_by_network if size <= MAX_NETWORK_SIDE else _median_by_bits
    run = compile_median(array.dtype.name, channels_of(array), size, check_border("median", border))
    result = result_array("median", out, array.shape, array.dtype)
    run(plane(array), plane(result))
    return result


def morphology(image: Any, operation: str, footprint: Any = 3) -> Array:
    """Erodes or dilates a picture, as `cv2.erode`, `cv2.dilate` and `cv2.morphologyEx`.

    `image`: uint8, uint16 or float32 of shape (y, x) or (y, x, c). `operation`: "erode", "dilate", "open", "close",
    "gradient" (dilated minus eroded), "tophat" (the image minus opened) or "blackhat" (closed minus the image).
    `footprint`: the side of a square, (height, width), or an array of booleans with the origin in its middle. What lies
    outside of the picture does not count. Equal to OpenCV's.

    >>> square = np.zeros((5, 5), np.uint8)
    >>> square[1:4, 1:4] = 9
    >>> hl.filters.morphology(square, "erode")[2].tolist()
    [0, 0, 9, 0, 0]
    """
    array = image_array("morphology", image)
    if operation not in OPERATIONS:
        raise ArgumentError(f"Error: operation={operation!r} of morphology() is none of {', '.join(OPERATIONS)}.")
    shape = _footprint(footprint)

    def extreme(picture: Array, kind: str) -> Array:
        # Dilation reflects the footprint about its origin, which OpenCV leaves out: so does this function.
        result = np.empty_like(picture)
        _extreme(picture.dtype.name, channels_of(picture), shape, kind)(plane(picture), plane(result))
        return result

    if operation in ("erode", "dilate"):
        return extreme(array, "min" if operation == "erode" else "max")
    if operation == "gradient":
        return extreme(array, "max") - extreme(array, "min")
    if operation in ("open", "tophat"):
        opened = extreme(extreme(array, "min"), "max")
        return opened if operation == "open" else array - opened
    closed = extreme(extreme(array, "max"), "min")
    return closed if operation == "close" else closed - array


def _footprint(footprint: Any) -> tuple[int, int] | tuple[tuple[bool, ...], ...]:
    """The height and width of a rectangle, or the rows of another shape."""
    shape = np.asarray(footprint)
    if shape.ndim == 0 or shape.shape == (2,):
        height, width = (int(side) for side in np.broadcast_to(shape, 2))
        if min(height, width) < 1:
            raise ArgumentError(f"Error: footprint={footprint!r} of morphology() has no pixel.")
        return height, width
    if shape.ndim != 2 or not shape.any():
        raise ArgumentError(
            "Error: footprint= of morphology() is the side of a square, (height, width), or a two-dimensional array"
            f" with at least one true element, not {footprint!r}."
        )
    if shape.all():
        return int(shape.shape[0]), int(shape.shape[1])
    return tuple([tuple([bool(e) for e in row]) for row in shape])


@cache
def _median_by_network(dtype: str, channels: int, side: int, border: str) -> Callable[..., None]:
    """Sorts each column of the window once for all windows that it is in."""
    source = hl.ImageParam(TYPES[np.dtype(dtype)], 2, "source")
    i, y = hl.vars("i y")
    reach = side // 2
    column, output = hl.Func("column"), hl.Func("median")
    rows = rows_extended(source, border)
    pixels = [rows[i, y + k] for k in range(-reach, reach + 1)]
    column[i, y] = hl.Tuple(exchange(sorting_network(side), pixels, hl.min, hl.max))
    sides = columns_extended(column, source, border, channels, reach)
    window = [sides[i + dx * channels, y][k] for dx, k in product(range(-reach, reach + 1), range(side))]
    output[i, y] = exchange(median_network(side), window, hl.min, hl.max)[side * side // 2]
    # Sorted columns are stored once, with their margins: stored without them too, they would be copied.
    by_rows(output, [sides], lanes_of(source.type()))
    return output.compile_to_callable([source])


@cache
def _median_by_bits(dtype: str, channels: int, side: int, border: str) -> Callable[..., None]:
    """Finds the bits of the median, highest first: a bit is set where no more than half of the window lies below."""
    kind = TYPES[np.dtype(dtype)]
    source = hl.ImageParam(kind, 2, "source")
    i, y = hl.vars("i y")
    reach, half = side // 2, side * side // 2
    rows = rows_extended(source, border)
    sides = columns_extended(rows, source, border, channels, reach)
    window = hl.RDom([(-reach, side), (-reach, side)], "window")
    count_type = hl.UInt(8) if side * side < 256 and kind.bits() == 8 else hl.UInt(16)
    output = hl.Func("median")
    level: Any = hl.cast(kind, 0)
    counts = []
    for bit in reversed(range(kind.bits())):
        higher = hl.Func(f"higher_{bit}")
        higher[i, y] = level | hl.cast(kind, 1 << bit)
        count = hl.Func(f"count_{bit}")
        count[i, y] = hl.cast(count_type, 0)
        below = sides[i + window.x * channels, y + window.y] < higher[i, y]
        count[i, y] += hl.select(below, hl.cast(count_type, 1), hl.cast(count_type, 0))
        level = hl.select(count[i, y] <= half, higher[i, y], level)
        stage = hl.Func(f"level_{bit}")
        stage[i, y] = level
        counts += [higher, count, stage]
        level = stage[i, y]
    output[i, y] = level
    lanes = lanes_of(count_type)
    by_rows(output, [], lanes)
    for func in counts:
        func.compute_at(output, i).vectorize(i, lanes)
        if func.name().startswith("count"):
            func.update().reorder(i, window.x, window.y).vectorize(i, lanes)
    band = hl.Var("band")
    sides.compute_at(output, band).vectorize(i, lanes)
    return output.compile_to_callable([source])


@cache
def _extreme(dtype: str, channels: int, shape: Any, kind: str) -> Callable[..., None]:
    """The minimum or maximum over a rectangle (height, width), or over the true places of rows of booleans."""
    element = TYPES[np.dtype(dtype)]
    source = hl.ImageParam(element, 2, "source")
    best = hl.min if kind == "min" else hl.max
    lowest, highest = (-np.inf, np.inf) if element.is_float() else (0, element.max_value())
    neutral = hl.cast(element, highest if kind == "min" else lowest)
    i, y = hl.vars("i y")
    rows = hl.BoundaryConditions.constant_exterior(source, neutral, [(hl.Expr(), hl.Expr()), (0, source.height())])
    width = source.width()
    stages: list[hl.Func] = []

    def extended(func: hl.Func) -> hl.Func:
        sides = hl.BoundaryConditions.constant_exterior(func, neutral, [(0, width)])
        stages.append(sides)
        return sides

    if isinstance(shape[0], int):
        height, length = shape
        column = hl.Func("column")
        column[i, y] = _tree(best, [rows[i, y + k] for k in _offsets(height)])
        stages.append(column)
        output = _line(extended(column), best, length, channels, stages)
    else:
        sides = extended(rows)
        stages.pop()
        output = hl.Func("extreme")
        places = product(enumerate(_offsets(len(shape))), enumerate(_offsets(len(shape[0]))))
        output[i, y] = _tree(best, [sides[i + dx * channels, y + dy] for (r, dy), (c, dx) in places if shape[r][c]])
    by_rows(output, stages, lanes_of(element))
    if not isinstance(shape[0], int):
        sides.compute_at(output, hl.Var("band")).vectorize(sides.args()[0], lanes_of(element))
    return output.compile_to_callable([source])


def _offsets(length: int) -> range:
    """The places of a line about its middle; OpenCV's anchor is length // 2."""
    return range(-(length // 2), length - length // 2)


def _line(func: hl.Func, best: Callable[..., Any], length: int, step: int, stages: list[hl.Func]) -> hl.Func:
    """The extreme of `length` elements of a row, in lines of at most LINE; `stages` receives what is between."""
    i, y = hl.vars("i y")
    begin, reach = -(length // 2), 1
    while reach < length:
        # Lines of `reach` begin at i: some of these, overlapping, make the next.
        longer = min(length, reach * LINE)
        starts = sorted({min(k * reach, longer - reach) for k in range(-(-longer // reach))})
        shift = begin if longer == length else 0
        line = hl.Func("line")
        line[i, y] = _tree(best, [func[i + (start + shift) * step, y] for start in starts])
        stages.append(line)
        func, reach = line, longer
    if length == 1:
        line = hl.Func("line")
        line[i, y] = func[i, y]
        return line
    stages.remove(func)
    return func


def _tree(best: Callable[..., Any], values: list[Any]) -> Any:
    """Combines neighbours pairwise, so that no chain is longer than it needs to be."""
    while len(values) > 1:
        pairs = [best(a, b) for a, b in zip(values[::2], values[1::2], strict=False)]
        values = pairs + values[len(pairs) * 2 :]
    return values[0]
