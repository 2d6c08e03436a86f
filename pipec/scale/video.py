"""Frames of a video file as arrays, read and written by PyAV."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from pipec.errors import ArgumentError, MissingPackageError
from pipec.func.buffers.buffer import Buffer

Path = str | os.PathLike[str]


def read_video(path: Path, *, gray: bool = False, threads: int | None = None) -> Iterator[np.ndarray]:
    """Yields the frames of a video in order, as uint8 arrays [c, y, x] of red, green and blue, or [y, x] if `gray`.

    The channels of a pixel are neighbours in memory: the array is a view, and pipelines take it without a copy. Frames
    are decoded as they are asked for. `threads`: of the decoder, by default as many as it likes. Raises OSError for
    files that cannot be read, MissingPackageError without PyAV.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     count = hl.write_video(f"{folder}/gray.mp4", [np.full((48, 64), 100, np.uint8)] * 3)
    ...     print([frame.shape for frame in hl.read_video(f"{folder}/gray.mp4")])
    [(3, 48, 64), (3, 48, 64), (3, 48, 64)]
    """
    container = _av().open(os.fspath(path))
    with container:
        stream = container.streams.video[0]
        settings = {"thread_type": "AUTO"} if threads is None else {"thread_type": "AUTO", "thread_count": threads}
        _set(stream.codec_context, **settings)
        for frame in container.decode(stream):
            array = frame.to_ndarray(format="gray" if gray else "rgb24")
            yield array if gray else array.transpose(2, 0, 1)


def write_video(
    path: Path, frames: Iterable[Any], *, rate: float = 25, codec: str = "mpeg4", bit_rate: int | None = None
) -> int:
    """Writes uint8 frames, [c, y, x] with three channels or [y, x], to a video file; returns how many there were.

    `rate`: frames a second; `codec`: one of FFmpeg's; `bit_rate`: in bits a second, by default about 0.2 for each
    pixel. The container follows from the ending of the path. Raises ArgumentError for frames of other shapes or types,
    MissingPackageError without PyAV.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     hl.write_video(f"{folder}/red.mp4", [np.array([255, 0, 0], np.uint8).repeat(48 * 64).reshape(3, 48, 64)])
    1
    """
    package, count = _av(), 0
    with package.open(os.fspath(path), "w") as container:
        stream: Any = None
        for value in frames:
            array = _picture(value, count)
            height, width = array.shape[:2]
            if stream is None:
                exact = Fraction(rate).limit_denominator(1001)
                stream = container.add_stream(codec, rate=exact)
                rate_of_bits = bit_rate or int(0.2 * width * height * rate)
                _set(stream, width=width, height=height, pix_fmt="yuv420p", bit_rate=rate_of_bits)
            elif (stream.width, stream.height) != (width, height):
                raise ArgumentError(
                    f"Error: Frame {count} is {width} x {height}, but the video is {stream.width} x {stream.height}."
                )
            frame = package.VideoFrame.from_ndarray(array, format="rgb24" if array.ndim == 3 else "gray")
            container.mux(stream.encode(frame))
            count += 1
        if stream is not None:
            container.mux(stream.encode())
    return count


def _set(codec: Any, **settings: Any) -> None:
    """Gives a stream or codec of PyAV its settings."""
    for name, value in settings.items():
        setattr(codec, name, value)


def _picture(value: Any, number: int) -> np.ndarray:
    """A frame as [y, x, c] or [y, x], dense."""
    array = value.numpy() if isinstance(value, Buffer) else np.asarray(value)
    if array.dtype != np.uint8 or not (array.ndim == 2 or (array.ndim == 3 and array.shape[0] == 3)):
        raise ArgumentError(
            f"Error: Frame {number} of a video must be uint8 of shape [3, y, x] or [y, x], not {array.dtype} of shape"
            f" {array.shape}."
        )
    return np.ascontiguousarray(array.transpose(1, 2, 0) if array.ndim == 3 else array)


def _av() -> Any:
    try:
        import av
    except ImportError as error:
        raise MissingPackageError("A video file", "PyAV", "video", error) from error
    return av
