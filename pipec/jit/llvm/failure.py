"""Early exits of a function: they free its allocations, and the first failure of a call is reported."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.ir.program import Program
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.function import Cleanup

# The least number of slots for values of a failed assertion.
ERROR_VALUES = 8


def error_values(program: Program) -> int:
    """The number of slots for values of failed assertions."""
    return max([ERROR_VALUES, *[len(check.values) for check in program.checks]])


def begin_failure(f: ExprFunction, well: str) -> str:
    """Branches to the block whose label is returned if `well` holds; the lines that follow run otherwise."""
    failed, passed = f.fresh_label("failed"), f.fresh_label("passed")
    likely = f.module.metadata_once('!{!"branch_weights", i32 1048576, i32 1}')
    f.line(f"br i1 {well}, label %{passed}, label %{failed}, !prof {likely}")
    f.start_block(failed)
    return passed


def end_failure(f: ExprFunction, passed: str) -> None:
    """Starts the block for success. Later loads must not be hoisted above the check."""
    f.start_block(passed)
    for scope in f.scopes:
        scope.barrier = True


def fail(f: ExprFunction, error_slot: int, status: int, code: str, values: Sequence[str]) -> None:
    """Exits with a status, an error code and values; only the first thread that fails stores these."""
    slot = f.emit(f"getelementptr i64, ptr %slots, i64 {error_slot}")
    old = f.emit(f"cmpxchg ptr {slot}, i64 -1, i64 {code} monotonic monotonic, align 8")
    first = f.emit(f"extractvalue {{ i64, i1 }} {old}, 1")
    report, leaving = f.fresh_label("report"), f.fresh_label("leave")
    f.line(f"br i1 {first}, label %{report}, label %{leaving}")
    f.start_block(report)
    for i, value in enumerate(values):
        place = f.emit(f"getelementptr i64, ptr {slot}, i64 {i + 1}")
        f.line(f"store i64 {value}, ptr {place}, align 8")
    f.line(f"br label %{leaving}")
    f.start_block(leaving)
    leave(f, str(status))


def leave(f: ExprFunction, status: str) -> None:
    """Returns a status after the open cleanups."""
    if not f.cleanups:
        f.line(f"ret i32 {status}")
        return
    f.cleanups[-1].statuses.append(f"[ {status}, %{f.label} ]")
    f.line(f"br label %{f.cleanups[-1].label}")


def open_cleanup(f: ExprFunction, line: str) -> None:
    """Until `close_cleanup`, early exits run `line` before the cleanups that are open already."""
    f.cleanups.append(Cleanup(line, f.fresh_label("undo")))


def close_cleanup(f: ExprFunction) -> None:
    """Emits the innermost cleanup's line and ends the cleanup.

    Each cleanup has one block for all early exits, chained to the next: separate copies would be quadratic in number.
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
    """Passes a failure on."""
    passed = begin_failure(f, f.emit(f"icmp eq i32 {status}, 0"))
    leave(f, status)
    end_failure(f, passed)


def check_signals(f: ExprFunction) -> None:
    """Lets the main thread handle signals if the runtime asks for it; an exception of a handler ends the call."""
    f.module.globals["@pipec_attention"] = "external global i32"
    f.module.declare("@pipec_check", "i32 @pipec_check(ptr)")
    rare = f.module.metadata_once('!{!"branch_weights", i32 1, i32 1048576}')
    requested = f.emit(f"icmp ne i32 {f.emit('load atomic i32, ptr @pipec_attention monotonic, align 4')}, 0")
    check, cancelled, after = [f.fresh_label(stem) for stem in ("check", "cancelled", "after")]
    f.line(f"br i1 {requested}, label %{check}, label %{after}, !prof {rare}")
    f.start_block(check)
    status = f.module.mode.call_outside(f, "@pipec_check", ("ptr %slots",))
    done = f.emit(f"icmp eq i32 {status}, 0")
    f.line(f"br i1 {done}, label %{after}, label %{cancelled}")
    f.start_block(cancelled)
    leave(f, status)
    f.start_block(after)
