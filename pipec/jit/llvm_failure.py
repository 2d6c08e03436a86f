"""Ends of a function before its time: what it allocated is given back, and the first failure of a call is reported."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.jit.llvm_expr import ExprFunction

# How many values of a failed assertion are reported.
ERROR_VALUES = 8


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
    for i, value in enumerate(values[:ERROR_VALUES]):
        place = f.here(f"getelementptr i64, ptr {slot}, i64 {i + 1}")
        f.line(f"store i64 {value}, ptr {place}, align 8")
    f.line(f"br label %{leaving}")
    f.start_block(leaving)
    leave(f, str(status))


def leave(f: ExprFunction, status: str) -> None:
    """Return a status, after undoing what is open."""
    for line in reversed(f.cleanup):
        f.line(line)
    f.line(f"ret i32 {status}")


def leave_unless_zero(f: ExprFunction, status: str) -> None:
    """Pass a failure on."""
    passed = begin_failure(f, f.here(f"icmp eq i32 {status}, 0"))
    leave(f, status)
    end_failure(f, passed)
