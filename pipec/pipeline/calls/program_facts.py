"""The facts about a compiled program that calls need besides its machine code, as JSON text and back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from pipec.ir.program import Check, DeviceCode, Kernel, Notice, ProgramArgument, ProgramArgumentKind
from pipec.ir.types import Type, TypeCode


class ProgramFacts(NamedTuple):
    """Arguments, texts of run-time checks and reports, and device code of a lowered program."""

    arguments: tuple[ProgramArgument, ...]
    checks: tuple[Check, ...]
    notices: tuple[Notice, ...]
    device: DeviceCode | None


class ObjectReference(NamedTuple):
    """The machine code of a program: the key of its object in the cache, and how many slots it takes."""

    key: str
    slots: int


def to_json(facts: ProgramFacts, code: ObjectReference) -> str:
    """The facts and the reference as JSON text."""
    device = facts.device
    data = [
        [[a.name, a.kind.value, _type_to_data(a.type), a.dimensions] for a in facts.arguments],
        [[c.kind, c.details, c.values] for c in facts.checks],
        [[n.kind, [p if isinstance(p, str) else _type_to_data(p) for p in n.parts], n.details] for n in facts.notices],
        None if device is None else [device.text, [_kernel_to_data(kernel) for kernel in device.kernels]],
        list(code),
    ]
    return json.dumps(data, separators=(",", ":"))


def from_json(text: bytes) -> tuple[ProgramFacts, ObjectReference]:
    """Returns the facts that `to_json` wrote. ValueError, TypeError or RecursionError for other texts."""
    arguments, checks, notices, device, (key, slots) = json.loads(text)
    facts = ProgramFacts(
        tuple([ProgramArgument(_text(n), ProgramArgumentKind(k), _type(t), _number(d)) for n, k, t, d in arguments]),
        tuple([Check(_text(kind), _pairs(details), _texts(values)) for kind, details, values in checks]),
        tuple([Notice(_text(kind), _parts(parts), _pairs(details)) for kind, parts, details in notices]),
        None if device is None else _device_code(*device),
    )
    return facts, ObjectReference(_text(key), _number(slots))


def _type_to_data(kind: Type) -> list[int]:
    return [int(kind.code()), kind.nbits, kind.nlanes]


def _kernel_to_data(kernel: Kernel) -> list[Any]:
    parameters = [[name, _type_to_data(kind)] for name, kind in kernel.parameters]
    return [
        *(kernel.name, kernel.func, parameters),
        *(kernel.buffers, kernel.written, kernel.group, kernel.local_bytes),
    ]


def _type(data: Sequence[int]) -> Type:
    code, bits, lanes = data
    return Type(TypeCode(code), _number(bits), _number(lanes))


def _device_code(text: str, kernels: Any) -> DeviceCode:
    return DeviceCode(_text(text), tuple([_kernel(*fields) for fields in kernels]))


def _kernel(name: str, func: str, parameters: Any, buffers: int, written: Any, group: Any, local_bytes: int) -> Kernel:
    x, y, z = group
    return Kernel(
        _text(name),
        _text(func),
        tuple([(_text(parameter), _type(kind)) for parameter, kind in parameters]),
        _number(buffers),
        tuple([_number(buffer) for buffer in written]),
        (_number(x), _number(y), _number(z)),
        _number(local_bytes),
    )


def _pairs(data: Any) -> tuple[tuple[str, str], ...]:
    return tuple([(_text(name), _text(value)) for name, value in data])


def _parts(data: Any) -> tuple[str | Type, ...]:
    return tuple([part if isinstance(part, str) else _type(part) for part in data])


def _texts(data: Any) -> tuple[str, ...]:
    return tuple([_text(value) for value in data])


def _text(value: Any) -> str:
    if type(value) is not str:
        raise ValueError(f"{value!r} is no text")
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is no whole number")
    return value
