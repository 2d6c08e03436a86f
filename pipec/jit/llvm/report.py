"""Calls out of machine code: reports by the function in the call table, and extern functions."""

from __future__ import annotations

from pipec.ir import build
from pipec.ir.expr import BufferView, Cast, Expr, Intrinsic, Load, Variable, VectorReduce
from pipec.ir.stmt import CallExtern, Report
from pipec.ir.types import INT32, INT64
from pipec.jit.c.interface import type_bits
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.failure import begin_failure, end_failure, fail, leave
from pipec.jit.llvm.function import FunctionScope
from pipec.jit.llvm.memory.address import element_pointer
from pipec.jit.llvm.types import element_bytes, memory_scalar
from pipec.jit.runtime.call_table import ENDED_BY_CALLER, CallEntry


def buffers_of(node: Report) -> list[str]:
    """The buffers whose addresses a Report passes on."""
    addresses = [value for value in node.values if isinstance(value, Intrinsic) and value.name == "address_of"]
    return [load.buffer for value in addresses for load in value.args if isinstance(load, Load)]


def emit_report(f: ExprFunction, node: Report, table_slot: int) -> None:
    """Write a Report, without its body, at the current point."""
    for buffer in buffers_of(node):
        f.invalidate(buffer)
    if node.name or build.constant(node.predicate) == 1:
        _call(f, node, table_slot)
        return
    lanes = node.predicate.type.nlanes
    some = f.text(node.predicate if lanes == 1 else VectorReduce("or", node.predicate, 1))
    reporting, after = f.fresh_label("report"), f.fresh_label("after")
    f.line(f"br i1 {some}, label %{reporting}, label %{after}")
    f.start_block(reporting)
    f.open_scope(FunctionScope(False))
    _call(f, node, table_slot)
    f.line(f"br label %{after}")
    f.close_scope()
    f.start_block(after)


def table_of(f: ExprFunction, table_slot: int) -> str:
    """The address of the call table."""
    place = f.emit(f"getelementptr i64, ptr %slots, i64 {table_slot}")
    return f.emit(f"load ptr, ptr {place}")


def function_of(f: ExprFunction, table: str, entry: CallEntry) -> str:
    """The function in an entry of the call table."""
    place = f.emit(f"getelementptr ptr, ptr {table}, i64 {entry.value}")
    return f.emit(f"load ptr, ptr {place}")


def leave_unless_answered(f: ExprFunction, answer: str) -> None:
    """End the program when a function of the call table says so."""
    passed = begin_failure(f, f.emit(f"icmp sge i32 {answer}, 0"))
    leave(f, str(ENDED_BY_CALLER))
    end_failure(f, passed)


def _call(f: ExprFunction, node: Report, table_slot: int) -> None:
    lanes = node.predicate.type.nlanes
    texts = [_bits(f, value) for value in node.values]
    if lanes > 1:
        texts.append(f.text(Cast(INT64.with_lanes(lanes), node.predicate)))
    values = _space(f, max(len(texts) * lanes, 1))
    kind = "i64" if lanes == 1 else f"<{lanes} x i64>"
    for number, text in enumerate(texts):
        place = f.emit(f"getelementptr i64, ptr {values}, i64 {number * lanes}")
        f.line(f"store {kind} {text}, ptr {place}, align 8")
    table = table_of(f, table_slot)
    function = function_of(f, table, CallEntry.REPORT)
    operands = (f"ptr {table}", f"i32 {node.code}", f"i32 {lanes}", f"ptr {values}")
    answer = f.module.mode.call_outside(f, function, operands)
    leave_unless_answered(f, answer)
    if node.name:
        f.record(Variable(INT32, node.name), answer, len(f.scopes) - 1)


def _bits(f: ExprFunction, value: Expr) -> str:
    """A value in 64 bits."""
    if isinstance(value, Intrinsic) and value.name == "address_of":
        (load,) = value.args
        assert isinstance(load, Load)
        return f.emit(f"ptrtoint ptr {element_pointer(f, load.buffer, load.type, load.index).text} to i64")
    return f.text(build.slot_bits(value))


def _space(f: ExprFunction, slots: int) -> str:
    """An array in the function's frame that all its Reports share."""
    if f.report_slots == 0:
        f.report_alloca = len(f.allocas)
        f.allocas.append("")
    f.report_slots = max(f.report_slots, slots)
    f.allocas[f.report_alloca] = f"  %report = alloca [{f.report_slots} x i64], align 8"
    return "%report"


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
    status = f.module.mode.call_outside(f, f"@{node.symbol}", operands)
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
