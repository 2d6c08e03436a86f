"""Static libraries: the `ar` format with an index of symbols, as linkers of System V, BSD and LLVM read it."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from pipec.records import dataclass

_MAGIC = b"!<arch>\n"


@dataclass(frozen=True)
class ObjectFile:
    """An object file: its name, its bytes, the symbols that programs may ask it for."""

    name: str
    data: bytes
    symbols: tuple[str, ...]


def archive(members: Sequence[ObjectFile]) -> bytes:
    """An archive of object files."""
    # Long names stand in a member of their own, where a number finds them; a short one ends with a slash.
    table = b""
    names = []
    for member in members:
        short = len(member.name) <= 15
        names.append(f"{member.name}/" if short else f"/{len(table)}")
        table += b"" if short else f"{member.name}/\n".encode()
    symbols = [symbol for member in members for symbol in member.symbols]
    texts = b"".join([symbol.encode() + b"\0" for symbol in symbols])
    at = len(_MAGIC) + _padded(60 + 4 + 4 * len(symbols) + len(texts)) + (_padded(60 + len(table)) if table else 0)
    places = []
    for member in members:
        places += [at] * len(member.symbols)
        at += _padded(60 + len(member.data))
    index = struct.pack(f">I{len(symbols)}I", len(symbols), *places) + texts
    parts = [_MAGIC, _member("/", index)]
    if table:
        parts.append(_member("//", table))
    parts += [_member(name, member.data) for name, member in zip(names, members, strict=True)]
    return b"".join(parts)


def _padded(size: int) -> int:
    return size + size % 2


def _member(name: str, data: bytes) -> bytes:
    # Time, owner and group are 0, so that the same pipeline gives the same bytes.
    header = f"{name:<16}{0:<12}{0:<6}{0:<6}{'644':<8}{len(data):<10}`\n".encode()
    return header + data + b"\n" * (len(data) % 2)
