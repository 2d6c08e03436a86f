"""Ends of a function before its time: what it allocated is given back, and the first failure of a call is reported."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.ir.program import Program
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.function import Cleanup

# For so many values of a failed assertion there always is room.
ERROR_VALUES = 8


def error_values(program: Program) -> int:
    """How many values of failed assertions there must be room for."""
    return max([ERROR_VALUES, *[len(check.values) for check in program.checks]])


def begin_failure(f: ExprFunction, well: str) -> str:
    """Go on to the block that is returned when `well` holds; what is written next is done otherwise."""
    failed, passed = f.fresh_label("failed"), f.fresh_label("passed")
    likely = f.module.metadata_once('!{!"branch_weights", i32 1048576, i32 1}')
    f.line(f"br i1 {well}, label %{passed}, label %{failed}, !prof {likely}")
    f.start_block(failed)
    return passed


def end_failure(f: ExprFunction, passed: str) -> None:
    """Begin the block for the case that all is well. Loads that follow must not move before the check."""
    f.start_block(passed)
    for scope in f.scopes:
        scope.barrier = True


def fail(f: ExprFunction, error_slot: int, status: int, code: str, values: Sequence[str]) -> None:
    """Leave with a status, an error code and values; threads that fail later do not change these."""
    slot = f.here(f"getelementptr i64, ptr %slots, i64 {error_slot}")
    old = f.here(f"cmpxchg ptr {slot}, i64 -1, i64 {code} monotonic monotonic, align 8")
    first = f.here(f"extractvalue {{ i64, i1 }} {old}, 1")
    report, leaving = f.fresh_label("report"), f.fresh_label("leave")
    f.line(f"br i1 {first}, label %{report}, label %{leaving}")
    f.start_block(report)
    for i, value in enumerate(values):
        place = f.here(f"getelementptr i64, ptr {slot}, i64 {i + 1}")
        f.line(f"store i64 {value}, ptr {place}, align 8")
    f.line(f"br label %{leaving}")
    f.start_block(leaving)
    leave(f, str(status))


def leave(f: ExprFunction, status: str) -> None:
    """Return a status, after undoing what is open."""
    if not f.cleanups:
        f.line(f"ret i32 {status}")
        return
    f.cleanups[-1].statuses.append(f"[ {status}, %{f.label} ]")
    f.line(f"br label %{f.cleanups[-1].label}")


def open_cleanup(f: ExprFunction, line: str) -> None:
    """From here until `close_cleanup`, whoever leaves the function early runs `line` before what is open already."""
    f.cleanups.append(Cleanup(line, f.fresh_label("undo")))


def close_cleanup(f: ExprFunction) -> None:
    """Run the innermost cleanup's line here, too, and end it.

    All who leave meet in one block a cleanup, chained: lines of their own for each would be quadratic in number.
    """
    cleanup = f.cleanups.pop()
    f.line(cleanup.line)
    if not cleanup.statuses:
        return
    status = f.name()
    lines = [f"{cleanup.label}:", f"  {status} = phi i32 {', '.join(cleanup.statuses)}", "  " + cleanup.line]
    if f.cleanups:
        f.cleanups[-1].statuses.append(f"[ {status}, %{cleanup.label} ]")
        lines.append(f"  br label %{f.cleanups[-1].label}")
    else:
        lines.append(f"  ret i32 {status}")
    f.endings += lines


def leave_unless_zero(f: ExprFunction, status: str) -> None:
    """Pass a failure on."""
    passed = begin_failure(f, f.here(f"icmp eq i32 {status}, 0"))
    leave(f, status)
    end_failure(f, passed)
