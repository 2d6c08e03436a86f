"""Calls of C functions with halide_buffer_t structures, which are made on the stack for each call."""

from __future__ import annotations

from pipec.ir.expr import BufferView, Expr
from pipec.ir.stmt import CallExtern
from pipec.jit.c.interface import type_bits
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.failure import begin_failure, end_failure, fail
from pipec.jit.llvm.function import FunctionScope
from pipec.jit.llvm.types import element_bytes, memory_scalar

# device, device_interface, host, flags, type, dimensions, dim, padding.
_BUFFER = "{ i64, ptr, ptr, i64, i32, i32, ptr, ptr }"
_DIMENSION = "{ i32, i32, i32, i32 }"


def emit_call_extern(f: ExprFunction, node: CallExtern, error_slot: int) -> None:
    """Write the call at the current point, its failure, and the results of a query."""
    operands: list[str] = []
    dims: list[tuple[str, int]] = []
    for operand in node.operands:
        if isinstance(operand, BufferView):
            view, dim = _view(f, operand)
            operands.append(f"ptr {view}")
            dims.append((dim, len(operand.box)))
        else:
            operands.append(_scalar(f, operand))
    types = ", ".join([operand.rpartition(" ")[0] for operand in operands])
    f.module.declare(f"@{node.symbol}", f"i32 @{node.symbol}({types})")
    status = f.emit(f"call i32 @{node.symbol}({', '.join(operands)})")
    passed = begin_failure(f, f.emit(f"icmp eq i32 {status}, 0"))
    f.open_scope(FunctionScope(False))
    fail(f, error_slot, 1, str(node.code), [f.emit(f"sext i32 {status} to i64")])
    f.close_scope()
    end_failure(f, passed)
    if node.results:
        _keep_results(f, f.buffer(node.results).text, dims)
    for buffer in node.buffers():
        f.invalidate(buffer)


def _scalar(f: ExprFunction, operand: Expr) -> str:
    """A number as C passes it: narrow integers are extended by the caller."""
    kind = operand.type
    text = f.text(operand)
    if kind.boolean:
        return f"i8 zeroext {f.emit(f'zext i1 {text} to i8')}"
    scalar = memory_scalar(kind)
    extension = "" if scalar not in ("i8", "i16") else " signext" if kind.signed else " zeroext"
    return f"{scalar}{extension} {text}"


def _view(f: ExprFunction, view: BufferView) -> tuple[str, str]:
    """The addresses of the structure and of its array of dimensions."""
    count = len(view.box)
    strides: list[str] = []
    if view.name:
        # At hand before anything is written: addresses may need values from outside.
        strides = [f.text(f.widen(stride)) for stride in view.strides]
        offset, base = f.text(f.widen(view.offset)), f.buffer(view.name).text
        distance = f.emit(f"mul i64 {offset}, {element_bytes(view.element)}")
        host = f.emit(f"getelementptr i8, ptr {base}, i64 {distance}")
    else:
        host = "null"
    place = f.entry(f"alloca {_BUFFER}, align 8")
    dim = f.entry(f"alloca [{max(count, 1)} x {_DIMENSION}], align 8")
    for d, (minimum, extent) in enumerate(view.box):
        stride = f.emit(f"trunc i64 {strides[d]} to i32") if strides else "0"
        for at, text in enumerate((f.text(minimum), f.text(extent), stride, "0")):
            field = f.emit(f"getelementptr {_DIMENSION}, ptr {dim}, i64 {d}, i32 {at}")
            f.line(f"store i32 {text}, ptr {field}, align 4")
    bits = type_bits(view.element)
    fields = ("i64 0", "ptr null", f"ptr {host}", "i64 0", f"i32 {bits}", f"i32 {count}", f"ptr {dim}", "ptr null")
    for at, field in enumerate(fields):
        target = f.emit(f"getelementptr {_BUFFER}, ptr {place}, i32 0, i32 {at}")
        f.line(f"store {field}, ptr {target}, align {4 if field.startswith('i32') else 8}")
    return place, dim


def _keep_results(f: ExprFunction, results: str, dims: list[tuple[str, int]]) -> None:
    place = 0
    for dim, count in dims:
        for d in range(count):
            for at in (0, 1):
                field = f.emit(f"getelementptr {_DIMENSION}, ptr {dim}, i64 {d}, i32 {at}")
                value = f.emit(f"load i32, ptr {field}, align 4")
                target = f.emit(f"getelementptr i32, ptr {results}, i64 {place}")
                f.line(f"store i32 {value}, ptr {target}, align 4")
                place += 1
