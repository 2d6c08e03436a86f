"""Forks: two tasks with one closure, and how they wait for each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipec.ir import stmt as s
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.failure import begin_failure, end_failure, fail, leave_unless_zero
from pipec.jit.llvm.function import NO_BUFFERS, LlvmValue
from pipec.jit.llvm.memory.nontemporal import finish_streams
from pipec.jit.llvm.profile import begin_parallel, end_parallel
from pipec.jit.llvm.task import TaskContext, captured_by, emit_closure
from pipec.jit.runtime.units import NO_THREAD, SEMAPHORE_BYTES

if TYPE_CHECKING:
    from pipec.jit.llvm.control import StatementWriter


def emit_threads(statements: StatementWriter, f: ExprFunction, node: s.Fork | s.Wait | s.Post) -> None:
    """Write a statement about threads at the current point."""
    if isinstance(node, s.Fork):
        _fork(statements, f, node)
    elif isinstance(node, s.Wait):
        _wait(f, node)
    else:
        _post(f, node)


def _fork(statements: StatementWriter, f: ExprFunction, node: s.Fork) -> None:
    module = f.module
    counters = f.entry(f"alloca [{SEMAPHORE_BYTES} x i8], align 64")
    f.pointers[node.name] = LlvmValue(counters, 0, NO_BUFFERS)
    counts = [f.text(count) for count in node.counts]
    captured = captured_by(f, node)
    closure, layout = emit_closure(f, captured)
    tasks = [f"@{module.fresh('task')}" for _ in range(2)]
    module.declare("@pipec_fork", "i32 @pipec_fork(ptr, ptr, ptr, ptr, i64, i64, i64, i64)")
    arguments = [*[f"ptr {name}" for name in (*tasks, closure, counters)], *[f"i64 {count}" for count in counts]]
    profile = statements.profile
    profile_state = "" if profile is None else begin_parallel(f, profile)
    status = module.mode.call_outside(f, "@pipec_fork", arguments)
    if profile is not None:
        end_parallel(f, profile, profile_state)
    for buffer in statements.stores(node):
        f.invalidate(buffer)
    passed = begin_failure(f, f.emit(f"icmp ne i32 {status}, {NO_THREAD}"))
    fail(f, statements.error_slot, 2, "0", ["0"])
    end_failure(f, passed)
    leave_unless_zero(f, status)
    del f.pointers[node.name]
    outside, entry = TaskContext(layout, captured, f.outside), f.profiled
    for task, body in zip(tasks, (node.first, node.second), strict=True):
        module.pending.append(lambda task=task, body=body: statements.task(task, outside, body, entry))  # type: ignore[misc]


def _wait(f: ExprFunction, node: s.Wait) -> None:
    """Write a Wait: what was read of its buffers before is not what they hold after."""
    f.module.declare("@pipec_wait", "i32 @pipec_wait(ptr, i64)")
    operands = (f"ptr {f.buffer(node.name).text}", f"i64 {node.index}")
    status = f.module.mode.call_outside(f, "@pipec_wait", operands)
    for buffer in node.buffers:
        f.invalidate(buffer)
    leave_unless_zero(f, status)


def _post(f: ExprFunction, node: s.Post) -> None:
    """Write a Post, after all stores before it."""
    finish_streams(f)
    f.module.declare("@pipec_post", "void @pipec_post(ptr, i64)")
    f.line(f"call void @pipec_post(ptr {f.buffer(node.name).text}, i64 {node.index})")
