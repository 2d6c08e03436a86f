"""Several objects in one sequence of bytes, as the cache keeps the parts of a program."""

from __future__ import annotations

import json
from collections.abc import Sequence

MAGIC = b"pipec parts 1\n"

ObjectPart = tuple[bytes, tuple[str, ...]]
"""An object, and the functions in it that the last object refers to."""


def packed(parts: Sequence[ObjectPart]) -> bytes:
    """The parts in one; an object that is alone stays as it is."""
    if len(parts) == 1:
        return parts[0][0]
    sizes = json.dumps([[len(data), *names] for data, names in parts]).encode()
    return b"".join([MAGIC, len(sizes).to_bytes(4, "little"), sizes, *[data for data, _ in parts]])


def unpacked(data: bytes) -> list[ObjectPart]:
    """The parts that were packed."""
    if not data.startswith(MAGIC):
        return [(data, ())]
    start = len(MAGIC) + 4
    at = start + int.from_bytes(data[start - 4 : start], "little")
    parts: list[ObjectPart] = []
    for size, *names in json.loads(data[start:at]):
        parts.append((data[at : at + size], tuple(names)))
        at += size
    return parts
