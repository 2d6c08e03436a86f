"""Reports in object code: constants that describe the lines that `pipec_write_report` (runtime/report.c) writes."""

from __future__ import annotations

import enum
from collections.abc import Callable

from pipec.errors import NotSupportedError
from pipec.ir.program import Notice, conversion
from pipec.ir.types import Type
from pipec.jit.runtime.call_table import CallEntry


class Piece(enum.IntEnum):
    """A piece of a line: a text, or a value of some kind."""

    TEXT = 0
    INTEGER = 1
    DOUBLE = 2
    BOOLEAN = 3


# The text, or the format of a value for printf; the kind; which value.
_Piece = tuple[str, Piece, int]


def tables_text(
    name: str, variants: list[tuple[Notice, ...]], string: Callable[[str], str], counters: str
) -> list[str]:
    """The call tables of a C function's variants.

    `string` gives the name of a constant text; `counters`: the symbol of those that a profiled program adds to,
    "null" for another.
    """
    if any(notice.kind == "file" for notices in variants for notice in notices):
        raise NotSupportedError(
            "Error: Code compiled to a file cannot write the files of debug_to_file. Take the directive away, or"
            " realize the Func."
        )
    lines = []
    for number, notices in enumerate(variants):
        if notices or counters != "null":
            lines += _table(table_name(name, number), notices, string, counters)
    return ["declare i32 @pipec_write_report(ptr, i32, i32, ptr)", *lines] if any(variants) else lines


def table_name(name: str, number: int) -> str:
    """The symbol of a variant's call table."""
    return f"@{name}.reports.{number}"


def _table(name: str, notices: tuple[Notice, ...], string: Callable[[str], str], counters: str) -> list[str]:
    lines, rows = [], []
    for code, notice in enumerate(notices):
        is_trace = notice.kind == "trace"
        pieces = _trace(notice) if is_trace else _print(notice)
        row = ", ".join(
            [f"{{ ptr, i32, i32 }} {{ ptr {string(text)}, i32 {kind}, i32 {at} }}" for text, kind, at in pieces]
        )
        lines.append(f"{name}.{code} = internal constant [{len(pieces)} x {{ ptr, i32, i32 }}] [{row}]")
        counts = f"i32 {len(pieces)}, i32 {len(notice.types)}, i32 {int(not is_trace)}"
        rows.append(f"{{ ptr, i32, i32, i32 }} {{ ptr {name}.{code}, {counts} }}")
    symbols = {CallEntry.COUNTERS: counters}
    if notices:
        symbols[CallEntry.REPORT] = "@pipec_write_report"
    entries = [f"ptr {symbols.get(entry, 'null')}" for entry in CallEntry]
    return [
        *lines,
        f"{name}.lines = internal constant [{len(rows)} x {{ ptr, i32, i32, i32 }}] [{', '.join(rows)}]",
        f"{name} = internal constant [{len(entries) + 1} x ptr] [{', '.join(entries)}, ptr {name}.lines]",
    ]


def _print(notice: Notice) -> list[_Piece]:
    """The words of a print, for a line of each active lane."""
    pieces: list[_Piece] = []
    values = 0
    for part in notice.parts:
        if pieces:
            pieces.append((" ", Piece.TEXT, 0))
        if isinstance(part, str):
            pieces.append((part, Piece.TEXT, 0))
        else:
            pieces.append((conversion(part), _kind(part), values))
            values += 1
    return [*pieces, ("\n", Piece.TEXT, 0)]


def _trace(notice: Notice) -> list[_Piece]:
    """One line, as `TraceEvent` writes it."""
    facts, rows = dict(notice.details), list(range(1, len(notice.types)))
    is_access, is_tag = facts["event"] in ("load", "store"), facts["event"] == "tag"
    word = facts["event"].replace("_", " ").capitalize()
    pieces: list[str | int] = [f"{word} {facts['func']}.{facts['index']}("]
    coordinates = [] if is_tag else rows[:-1] if is_access else rows
    for at, row in enumerate(coordinates):
        pieces += [", ", row] if at else [row]
    pieces.append(")")
    if is_access:
        pieces += [" = ", rows[-1]]
    if is_tag:
        pieces.append(f' tag = "{facts["tag"]}')
        for row in rows:
            pieces += [" ", row]
        pieces.append('"')
    return [
        (piece, Piece.TEXT, 0) if isinstance(piece, str) else _traced_value(notice.types[piece], piece)
        for piece in [*pieces, "\n"]
    ]


def _traced_value(kind: Type, row: int) -> _Piece:
    """A trace shows a bool as a bit, and halves with an exponent."""
    if kind.boolean:
        return "%lld", Piece.INTEGER, row
    return "%e" if kind.floating and kind.nbits == 16 else conversion(kind), _kind(kind), row


def _kind(kind: Type) -> Piece:
    return Piece.BOOLEAN if kind.boolean else Piece.DOUBLE if kind.floating else Piece.INTEGER
