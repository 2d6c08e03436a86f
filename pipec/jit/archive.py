"""Static libraries: the `ar` format with an index of symbols, as linkers of System V, BSD and LLVM read it."""

from __future__ import annotations

import struct
from collections.abc import Sequence

_MAGIC = b"!<arch>\n"


def archive(member: str, data: bytes, symbols: Sequence[str]) -> bytes:
    """An archive of one object file that defines `symbols`."""
    names = b"".join([symbol.encode() + b"\0" for symbol in symbols])
    index_size = 4 + 4 * len(symbols) + len(names)
    # Long names stand in a member of their own; a short one ends with a slash.
    long = len(member) > 15
    table = f"{member}/\n".encode() if long else b""
    start = len(_MAGIC) + _padded(60 + index_size) + (_padded(60 + len(table)) if long else 0)
    index = struct.pack(f">I{len(symbols)}I", len(symbols), *[start] * len(symbols)) + names
    parts = [_MAGIC, _member("/", index)]
    if long:
        parts.append(_member("//", table))
    parts.append(_member("/0" if long else f"{member}/", data))
    return b"".join(parts)


def _padded(size: int) -> int:
    return size + size % 2


def _member(name: str, data: bytes) -> bytes:
    # Time, owner and group are 0, so that the same pipeline gives the same bytes.
    header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(data):<10}`\n".encode()
    return header + data + b"\n" * (len(data) % 2)
