"""Messages between a parent and a child: pickled values, each after its length, over pipes."""

from __future__ import annotations

import os
import pickle
import select
import struct
import time
from collections.abc import Callable
from typing import Any

from pipec.deep_stack import with_deep_stack

_LENGTH = struct.Struct("<Q")


class Closed(Exception):
    """The other side has closed its end."""


class TimedOut(Exception):
    """The other side did not answer in time."""


class Channel:
    """Two file descriptors: one to read messages from, one to write them to."""

    def __init__(self, source: int, sink: int) -> None:
        self.source, self.sink = source, sink

    def send(self, value: Any) -> None:
        """Sends a value. Raises Closed when the other side has closed its end."""
        data = dumps(value)
        message = memoryview(_LENGTH.pack(len(data)) + data)
        try:
            while message:
                message = message[os.write(self.sink, message) :]
        except BrokenPipeError:
            raise Closed from None

    def receive(self, seconds: float | None = None) -> Any:
        """The next message; TimedOut when it has not come within that time."""
        deadline = None if seconds is None else time.monotonic() + seconds
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size, deadline))
        return loads(self._read(length, deadline))

    def _read(self, count: int, deadline: float | None) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            if deadline is not None:
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([self.source], [], [], left)[0]:
                    raise TimedOut
            part = os.read(self.source, min(count - len(parts), 1 << 20))
            if not part:
                raise Closed
            parts += part
        return bytes(parts)


def dumps(value: Any) -> bytes:
    """A value as bytes, however deep its expressions nest."""
    data: bytes = _nested(pickle.dumps, value)
    return data


def loads(data: bytes) -> Any:
    """The value of bytes from `dumps`, which must come from a process of the same user or cluster."""
    return _nested(pickle.loads, data)


def _nested(function: Callable[[Any], Any], value: Any) -> Any:
    """Expressions may nest deeper than the usual stack is."""
    try:
        return function(value)
    except RecursionError:
        return with_deep_stack(function, value)
