"""TraceEvent, one thing that a traced pipeline did, its line of text, and values as pipelines print them."""

from __future__ import annotations

import enum
import math
import struct
from collections.abc import Sequence
from typing import Any

from pipec.ir.program import Notice
from pipec.ir.types import Type
from pipec.records import dataclass


def number_of_bits(kind: Type, bits: int) -> int | float | bool:
    """The number that 64 bits of a slot stand for: integers extended, floats as doubles."""
    if kind.floating:
        return float(struct.unpack("=d", struct.pack("=q", bits))[0])
    if kind.boolean:
        return bool(bits & 1)
    return bits if kind.signed else bits & ((1 << kind.nbits) - 1)


def line_of(parts: Sequence[str | Type], values: Sequence[Any]) -> str:
    """The texts, and the values in the places of their types, as one line."""
    rest = iter(values)
    return " ".join([part if isinstance(part, str) else text_of(part, next(rest)) for part in parts]) + "\n"


def text_of(kind: Type, value: Any) -> str:
    """A value as pipelines print it."""
    if kind.boolean:
        return "true" if value else "false"
    if not kind.floating:
        return str(int(value))
    if math.isnan(value):
        return "-nan" if math.copysign(1.0, value) < 0 else "nan"
    return f"{value:e}" if kind.nbits == 64 else f"{value:f}"


def text_of_bits(kind: Type, bits: int) -> str:
    """As text_of, from the bits of a slot."""
    return text_of(kind, number_of_bits(kind, bits))


class TraceEventKind(enum.Enum):
    """The kinds of events; the value is the word for it in the text."""

    load = "Load"
    store = "Store"
    begin_realization = "Begin realization"
    end_realization = "End realization"
    produce = "Produce"
    end_produce = "End produce"
    consume = "Consume"
    end_consume = "End consume"
    begin_pipeline = "Begin pipeline"
    end_pipeline = "End pipeline"
    tag = "Tag"


@dataclass(frozen=True)
class TraceEvent:
    """One event of a traced run.

    func: the Func or image (of the pipeline's events: the first output).
    type: that of the value loaded or stored, with as many lanes as have been; None for other events.
    value_index: which element of a Tuple.
    coordinates: of loads and stores one for each dimension, each an int, or for vectors a tuple of one int a lane; of
    realizations, productions and consumptions the minimum and the extent of each dimension, one after the other.
    value: what was loaded or stored, for vectors a tuple; None for other events.
    tag: the words of a tag.
    id: the number of this event in the process; parent_id: that of the event that it is part of, 0 for none. Loads
    belong to the consumption, stores to the production that they happen in, if realizations are traced too; loads of
    images belong to the pipeline.
    """

    func: str
    event: TraceEventKind
    type: Type | None
    value_index: int
    coordinates: tuple[Any, ...]
    value: Any
    tag: str
    id: int
    parent_id: int

    def __str__(self) -> str:
        coordinates = ", ".join([_text(str, part) for part in self.coordinates])
        text = f"{self.event.value} {self.func}.{self.value_index}({coordinates})"
        if self.type is not None:
            kind = self.type.element_of()
            text += f" = {_text(lambda value: _value_text(kind, value), self.value)}"
        return f'{text} tag = "{self.tag}"' if self.tag else text


def trace_event(notice: Notice, rows: Sequence[tuple[Any, ...]], number: int) -> TraceEvent:
    """The event that a Report tells, whose values in each active lane are `rows`."""
    facts = dict(notice.details)
    kind = TraceEventKind[facts["event"]]
    parent, *values = rows[0] if len(rows) == 1 else zip(*rows, strict=True)
    type_, value, tag = None, None, facts["tag"]
    if kind in (TraceEventKind.load, TraceEventKind.store):
        type_, value = notice.types[-1].with_lanes(len(rows)), values.pop()
    elif kind is TraceEventKind.tag:
        tag, values = " ".join([tag, *map(str, values)]), []
    func, index = facts["func"], int(facts["index"])
    parent = parent[0] if isinstance(parent, tuple) else parent
    return TraceEvent(func, kind, type_, index, tuple(values), value, tag, number, parent)


def _text(one: Any, value: Any) -> str:
    """A value, or in brackets those of all lanes."""
    return f"<{', '.join(map(one, value))}>" if isinstance(value, tuple) else str(one(value))


def _value_text(kind: Type, value: Any) -> str:
    """As pipelines print it; but a bool is a bit, and halves have an exponent."""
    if kind.boolean:
        return str(int(value))
    return f"{value:e}" if kind.floating and kind.nbits == 16 else text_of(kind, value)
