"""Reports: values written to the stack, and a call of the function that the call table holds for them."""

from __future__ import annotations

from pipec.ir import build
from pipec.ir.expr import Cast, Expr, Intrinsic, Load, Variable, VectorReduce
from pipec.ir.stmt import Report
from pipec.ir.types import INT32, INT64
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.failure import begin_failure, end_failure, leave
from pipec.jit.llvm.function import FunctionScope
from pipec.jit.llvm.memory.address import element_pointer
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
    answer = f.emit(f"call i32 {function}(ptr {table}, i32 {node.code}, i32 {lanes}, ptr {values})")
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
