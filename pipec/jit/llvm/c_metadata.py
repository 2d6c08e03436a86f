"""NAME_metadata() of object code."""

from __future__ import annotations

from collections.abc import Callable

from pipec.jit.c.interface import CFunction, type_bits
from pipec.jit.c.metadata import metadata_name, metadata_rows, value_bits

_ARGUMENT = "{ ptr, i32, i32, i32, ptr, ptr, ptr, ptr, ptr }"
_METADATA = "{ i32, i32, ptr, ptr, ptr }"


def metadata_text(function: CFunction, string: Callable[[str], str]) -> list[str]:
    """The function and its tables. `string`: gives the name of a constant string."""
    lines: list[str] = []
    name = metadata_name(function)

    def number(place: str, bits: int | None) -> str:
        if bits is None:
            return "ptr null"
        lines.append(f"@{name}.{place} = internal constant i64 {bits}")
        return f"ptr @{name}.{place}"

    rows = []
    for k, row in enumerate(metadata_rows(function)):
        values = [None if value is None else value_bits(row.type, value) for value in row.scalars or [None] * 4]
        pointers = [number(f"value.{k}.{place}", value) for place, value in enumerate(values)]
        sizes = [number(f"size.{k}.{place}", size) for place, size in enumerate(row.sizes)]
        if sizes:
            lines.append(f"@{name}.sizes.{k} = internal constant [{len(sizes)} x ptr] [{', '.join(sizes)}]")
        pointers.append(f"ptr @{name}.sizes.{k}" if sizes else "ptr null")
        facts = f"ptr {string(row.name)}, i32 {row.kind}, i32 {row.dimensions}, i32 {type_bits(row.type)}"
        rows.append(f"{_ARGUMENT} {{ {facts}, {', '.join(pointers)} }}")
    texts = f"ptr {string(function.target)}, ptr {string(function.name)}"
    return [
        *lines,
        f"@{name}.rows = internal constant [{len(rows)} x {_ARGUMENT}] [{', '.join(rows)}]",
        f"@{name}.data = internal constant {_METADATA} {{ i32 1, i32 {len(rows)}, ptr @{name}.rows, {texts} }}",
        f"define ptr @{name}() {{",
        f"  ret ptr @{name}.data",
        "}",
    ]
