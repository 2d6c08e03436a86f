"""Calls of C functions with halide_buffer_t structures, in C99."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipec.ir.expr import BufferView, Expr
from pipec.ir.stmt import CallExtern
from pipec.jit.c.expr import UNARY, Expressions
from pipec.jit.c.header import c_type
from pipec.jit.c.interface import type_bits


def call_extern(
    x: Expressions, node: CallExtern, fresh: Callable[[str], str], leave: Callable[[str], Sequence[str]]
) -> list[str]:
    """The lines of a call; `leave(status)`: what to do when the variable `status` is not 0."""
    lines: list[str] = []
    arguments: list[str] = []
    types: list[str] = []
    dims: list[tuple[str, int]] = []
    for operand in node.operands:
        if isinstance(operand, BufferView):
            name = fresh("view")
            lines += _view(x, operand, name)
            arguments.append(f"&{name}")
            types.append("struct halide_buffer_t *")
            dims.append((f"{name}_dim", len(operand.box)))
        else:
            arguments.append(x.scalar(operand))
            types.append(c_type(operand.type).replace("_Bool", "bool"))
    status = fresh("status")
    lines.append(f"extern int {node.symbol}({', '.join(types) or 'void'});")
    lines.append(f"const int {status} = {node.symbol}({', '.join(arguments)});")
    lines += leave(status)
    place = 0
    for dim, count in dims if node.results else ():
        for d in range(count):
            for what in ("min", "extent"):
                lines.append(f"{x.name_of(node.results)}[{place}] = {dim}[{d}].{what};")
                place += 1
    return ["{", *[f"    {line}" for line in [*x.frame.lines, *lines]], "}"]


def _view(x: Expressions, view: BufferView, name: str) -> list[str]:
    count = len(view.box)
    rows = []
    for d, (minimum, extent) in enumerate(view.box):
        stride = f"(int32_t){x.scalar(view.strides[d], True, UNARY)}" if view.name else "0"
        rows.append(f"{{{x.scalar(minimum, True)}, {x.scalar(extent, True)}, {stride}, 0}}")
    host = f"(uint8_t *)({x.name_of(view.name)} + {x.scalar(view.offset, True, UNARY)})" if view.name else "NULL"
    bits = type_bits(view.element)
    kind = f"{{{bits & 255}, {bits >> 8 & 255}, {bits >> 16}}}"
    return [
        f"halide_dimension_t {name}_dim[{max(count, 1)}] = {{{', '.join(rows) or '{0, 0, 0, 0}'}}};",
        f"struct halide_buffer_t {name} = {{0, NULL, {host}, 0, {kind}, {count}, {name}_dim, NULL}};",
    ]


def operand_roots(node: CallExtern) -> list[Expr]:
    """The expressions that a call evaluates."""
    roots: list[Expr] = []
    for operand in node.operands:
        parts = operand.children() if isinstance(operand, BufferView) else (operand,)
        roots += [part for part in parts if isinstance(part, Expr)]
    return roots
