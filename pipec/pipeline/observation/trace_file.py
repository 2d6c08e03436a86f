"""Files of trace events as Halide's runtime writes them: packets in the order of the events.

A packet is its size in bytes, the event's id, its type (code, bits, lanes), kind, parent's id, value index and number
of coordinates, then the coordinates (for vectors those of all lanes, dimension by dimension), the value, the name of
the Func and the tag, each of these two with a zero behind it. Tools such as HalideTraceViz read them.
"""

from __future__ import annotations

import os
import struct
from typing import Any

import numpy as np

from pipec.errors import PipecError
from pipec.ir.types import Type
from pipec.pipeline.observation.trace_event import TraceEvent, TraceEventKind

VARIABLE = "HL_TRACE_FILE"
_HEAD = struct.Struct("=IiBBHiiii")
_NO_TYPE = (3, 0, 0)  # the code of a handle
_KINDS = tuple(TraceEventKind)
_ALIGNMENT = 4


def trace_file() -> str:
    """The file that trace events are added to, by the environment; empty where they are printed."""
    return os.environ.get(VARIABLE, "")


def append_event(path: str, event: TraceEvent) -> None:
    """Adds an event to a file. Raises PipecError when it cannot be written."""
    try:
        # Unbuffered: one write, which those of other processes do not split.
        with open(path, "ab", buffering=0) as file:
            file.write(packet(event))
    except OSError as error:
        raise PipecError(
            f"Error: The trace of {event.func} could not be written to {path}, which {VARIABLE} names:"
            f" {error.strerror}."
        ) from error


def packet(event: TraceEvent) -> bytes:
    """An event as bytes, a multiple of four."""
    coordinates = [int(lane) for part in event.coordinates for lane in _lanes(part)]
    kind = event.type
    head = _NO_TYPE if kind is None else (int(kind.code()), kind.nbits, kind.nlanes)
    value = b"" if kind is None else _bytes_of(kind, event.value)
    body = struct.pack(f"={len(coordinates)}i", *coordinates) + value
    body += event.func.encode() + b"\0" + event.tag.encode() + b"\0"
    body += bytes(-len(body) % _ALIGNMENT)
    numbers = event.id, *head, _KINDS.index(event.event), event.parent_id, event.value_index, len(coordinates)
    return _HEAD.pack(_HEAD.size + len(body), *numbers) + body


def _lanes(part: Any) -> tuple[Any, ...]:
    return part if isinstance(part, tuple) else (part,)


def _bytes_of(kind: Type, value: Any) -> bytes:
    element = kind.element_of()
    dtype = np.dtype(np.uint8) if element.boolean else np.dtype(element.numpy())
    return np.array(_lanes(value)).astype(dtype).tobytes()
