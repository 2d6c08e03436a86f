"""Thumbnails of Buffers that look like images, and the tables of facts that notebooks show for all Buffers."""

from __future__ import annotations

import html
import struct
import zlib
from base64 import b64encode
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipec.ir.types import Type

if TYPE_CHECKING:
    from pipec.func.buffers.shape import BufferShape

LARGEST_SIDE = 192
MIN_SHOWN_SIDE = 64  # images up to this side are shown enlarged
CHANNELS = (3, 4)
# Statistics of more elements are those of an even sample.
MAX_SAMPLES = 1 << 20


class Picture(NamedTuple):
    """A PNG, its size, and how elements became grey values."""

    png: bytes
    width: int
    height: int
    range: str


def picture_of(array: np.ndarray, kind: Type) -> Picture | None:
    """The thumbnail of an array (dimension 0 last) of grey rows, planes or interleaved colours; None for others."""
    rows = _rows_of_pixels(array)
    if rows is None or kind.is_bfloat() or kind.is_handle():
        return None
    step = max(1, -(-max(rows.shape[:2]) // LARGEST_SIDE))
    small = rows[::step, ::step]
    low, high, text = _range(small)
    grey = small if small.dtype == np.uint8 else _scaled(small, low, high)
    repeat = max(1, MIN_SHOWN_SIDE // max(small.shape[:2]))
    grey = grey.repeat(repeat, 0).repeat(repeat, 1)
    return Picture(png_bytes(grey), rows.shape[1], rows.shape[0], text)


def _rows_of_pixels(array: np.ndarray) -> np.ndarray | None:
    """As (height, width) or (height, width, 3 or 4)."""
    if array.size == 0:
        return None
    if array.ndim == 2:
        return array
    if array.ndim != 3:
        return None
    if array.shape[0] in CHANNELS:
        return array.transpose(1, 2, 0)
    if array.shape[0] == 1:
        return np.asarray(array[0])
    # Made without named axes: dimensions (c, x, y). Made with them: (x, y, c), which the first case has shown.
    if array.shape[2] in CHANNELS:
        return array
    return None


def _range(pixels: np.ndarray) -> tuple[float, float, str]:
    """Returns the values that are shown black and white, and their description."""
    if pixels.dtype == np.uint8:
        return 0, 255, "0 is black, 255 is white"
    if pixels.dtype == np.bool_:
        return 0, 1, "True is white"
    finite = pixels[np.isfinite(pixels)] if pixels.dtype.kind == "f" else pixels
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if pixels.dtype.kind == "f" and 0 <= low and 0.5 < high <= 1:
        low, high = 0.0, 1.0
    elif pixels.dtype == np.uint16 and high > 0x3FFF:
        low, high = 0.0, 65535.0
    return low, high, f"{low:g} is black, {high:g} is white"


def _scaled(pixels: np.ndarray, low: float, high: float) -> np.ndarray:
    with np.errstate(all="ignore"):
        values = (pixels.astype(np.float64) - low) * (255 / ((high - low) or 1))
    return np.clip(np.nan_to_num(values), 0, 255).round().astype(np.uint8)


def png_bytes(pixels: np.ndarray) -> bytes:
    """A PNG file of uint8 pixels, (height, width) or (height, width, 3 or 4)."""
    height, width = pixels.shape[:2]
    colour = {1: 0, 3: 2, 4: 6}[1 if pixels.ndim == 2 else pixels.shape[2]]
    lines = np.ascontiguousarray(pixels).reshape(height, -1)
    data = np.concatenate([np.zeros((height, 1), np.uint8), lines], axis=1).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(data, 6)), (b"IEND", b""))
    body = [
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(body)


def buffer_page(buffer: BufferShape) -> str:
    """The facts of a Buffer as a table, under its thumbnail when it looks like an image."""
    array = buffer._array
    head = f"<b>Buffer</b> {html.escape(buffer.name() or '(undefined)')}"
    if buffer._type is None:
        return f"<div>{head}</div>"
    rows = [
        ("type", str(buffer._type)),
        *[
            (f"dimension {d}", f"[{low}, {low + extent - 1}], extent {extent}, stride {stride}")
            for d, (low, extent, stride) in enumerate(buffer._dims)
        ],
    ]
    image = ""
    if array is None:
        rows.append(("memory", "none (a bounds query)"))
    elif array.size and not buffer._type.is_bfloat():
        rows += _statistics(array)
        picture = picture_of(array.transpose(), buffer._type)
        if picture is not None:
            image = f'<img alt="thumbnail" src="data:image/png;base64,{b64encode(picture.png).decode()}"/>'
            rows.append(("shown", f"{picture.width} x {picture.height}; {picture.range}"))
    cells = "".join([f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows])
    return f"<div>{head}<br/>{image}<table>{cells}</table></div>"


def _statistics(array: np.ndarray) -> list[tuple[str, str]]:
    step = max(1, array.size // MAX_SAMPLES)
    values = array.reshape(-1)[::step] if array.flags.c_contiguous else array.ravel(order="K")[::step]
    rows = [("min ... max", f"{values.min():g} ... {values.max():g}"), ("mean", f"{values.mean(dtype=np.float64):g}")]
    if values.dtype.kind == "f" and (bad := int((~np.isfinite(values)).sum())):
        finite = values[np.isfinite(values)]
        if finite.size:
            mean = finite.mean(dtype=np.float64)
            rows = [("min ... max", f"{finite.min():g} ... {finite.max():g}"), ("mean", f"{mean:g}")]
        nans = int(np.isnan(values).sum())
        rows += [("NaN", str(nans)), ("infinite", str(bad - nans))]
    return [*rows, ("statistics of", f"every {step}th element")] if step > 1 else rows
