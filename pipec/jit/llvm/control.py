"""Statements: loops, tasks of parallel loops, branches, assertions, allocations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipec.errors import InternalError
from pipec.ir import stmt as s
from pipec.ir.build import add, cast, div, min_, mul, sub
from pipec.ir.expr import Cast, Const, Expr, Mul, Variable
from pipec.ir.node import Node
from pipec.ir.types import INT64
from pipec.ir.unroll import accumulates, is_short, nest, unrolled
from pipec.ir.walk import mentions, postorder, statements
from pipec.jit.llvm import profile as llvm_profile
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.failure import (
    begin_failure,
    check_signals,
    close_cleanup,
    end_failure,
    fail,
    leave_unless_zero,
    open_cleanup,
)
from pipec.jit.llvm.fork import emit_threads
from pipec.jit.llvm.function import NO_BUFFERS, Buffers, FunctionScope, LlvmValue, ModuleWriter
from pipec.jit.llvm.induction import begin_induction
from pipec.jit.llvm.math.side_by_side import emit_sums_side_by_side
from pipec.jit.llvm.memory.atomic import emit_atomic
from pipec.jit.llvm.memory.nontemporal import LineStore, emit_streamed_stores, finish_streams
from pipec.jit.llvm.memory.nontemporal_loop import StreamingLoop, can_version_loop
from pipec.jit.llvm.memory.prefetch import emit_prefetch, prefetch_ahead
from pipec.jit.llvm.memory.store import emit_interleaved, emit_store, interleaved, line_store
from pipec.jit.llvm.memory.strided import plan_shared_loads
from pipec.jit.llvm.profile import ProfileCounters
from pipec.jit.llvm.report import buffers_of, emit_call_extern, emit_report
from pipec.jit.llvm.task import TaskContext, captured_by, emit_closure
from pipec.jit.llvm.types import element_bytes

# Buffers of constant size up to this many bytes live on the stack, as many as fit in the budget of one function.
STACK_BUFFER_BYTES = 16 << 10
STACK_FUNCTION_BYTES = 256 << 10
# Iterations that run inner loops at least so often, or an unknown number of times, look for signals.
MIN_CHECKED_ITERATIONS = 64
# A loop without inner loops looks for signals after so many iterations.
BLOCK_ITERATIONS = 1 << 14


def in_blocks(loop: s.For) -> s.For:
    """A loop over blocks of BLOCK_ITERATIONS iterations of `loop`."""
    count = cast(INT64, loop.extent)
    block = Variable(INT64, f"{loop.name}.block")
    done = mul(block, BLOCK_ITERATIONS)
    extent = min_(sub(count, done), BLOCK_ITERATIONS)
    rest = s.For(loop.name, add(cast(INT64, loop.minimum), done), extent, loop.kind, loop.body)
    blocks = div(add(count, BLOCK_ITERATIONS - 1), BLOCK_ITERATIONS)
    return s.For(block.name, Const(INT64, 0), blocks, loop.kind, rest)


def _has_vectors(node: s.Stmt) -> bool:
    return any(isinstance(part, Expr) and part.type.nlanes > 1 for part in postorder(node))


def _has_invariant_store(loop: s.For) -> bool:
    """Whether iterations store to the same place, as those of reductions."""
    varying = {loop.name}
    for part in reversed(list(statements(loop.body))):
        if isinstance(part, s.LetStmt) and mentions(part.value, varying):
            varying.add(part.name)
        elif isinstance(part, s.Store) and not mentions(part.index, varying):
            return True
    return False


class StatementWriter:
    """Emits statements into functions; facts about statements are cached by node."""

    def __init__(
        self, module: ModuleWriter, error_slot: int, table_slot: int, profile: ProfileCounters | None = None
    ) -> None:
        self.module = module
        self.profile = profile
        self.error_slot = error_slot
        self.table_slot = table_slot
        self.stored: dict[Node, Buffers] = {}
        self.iterations: dict[Node, int] = {}
        self.long_loops: set[str] = set()
        self.blocks: set[s.Stmt] = set()

    def emit(self, f: ExprFunction, node: s.Stmt) -> None:
        """Emits `node` at the current point of `f`."""
        while isinstance(node, (s.LetStmt, s.ProducerConsumer, s.Report)):
            if isinstance(node, s.LetStmt):
                f.bind(node.name, node.value)
            elif isinstance(node, s.Report):
                emit_report(f, node, self.table_slot)
            elif self.profile is not None and node.is_producer:
                before = llvm_profile.change(f, self.profile, self.profile.entry(node.name), True)
                self.emit(f, node.body)
                llvm_profile.change(f, self.profile, before, False)
                return
            node = node.body
        emitter = _EMITTERS.get(type(node))
        if emitter is None:
            raise InternalError(
                f"Statements of class {type(node).__name__} must be lowered before code is made: {node}"
            )
        emitter(self, f, node)

    def function(self, f: ExprFunction, body: s.Stmt, entry: int, is_first: bool) -> None:
        """Emits the body of a function; `entry`: whose time it counts; `is_first`: it is called from outside."""
        if self.profile is not None:
            llvm_profile.begin_function(f, self.profile, entry, is_first)
        self.emit(f, body)
        finish_streams(f)
        if self.profile is not None:
            llvm_profile.end_function(f, self.profile)
        f.line("ret i32 0")

    def stores(self, node: s.Stmt) -> Buffers:
        """The buffers that a statement stores to."""
        buffers = self.stored.get(node)
        if buffers is not None:
            return buffers
        for part in statements(node):
            if part in self.stored:
                continue
            stored = frozenset({part.buffer}) if isinstance(part, s.Store) else NO_BUFFERS
            if isinstance(part, s.CallExtern):
                stored = frozenset(part.buffers())
            elif isinstance(part, s.Report):
                # Code that gets their addresses may change them.
                stored = frozenset(buffers_of(part))
            elif isinstance(part, s.Wait):
                # Another thread wrote to them.
                stored = frozenset(part.buffers)
            for child in part.children():
                stored |= self.stored.get(child, NO_BUFFERS)
            self.stored[part] = stored
        return self.stored[node]

    def _block(self, f: ExprFunction, stmts: tuple[s.Stmt, ...]) -> None:
        at = 0
        while at < len(stmts):
            first = stmts[at]
            if not isinstance(first, s.Store):
                self.emit(f, first)
                at += 1
                continue
            end = at
            while end < len(stmts) and isinstance(stmts[end], s.Store):
                end += 1
            self._stores(f, stmts[at:end])  # type: ignore[arg-type]
            at = end

    def _stores(self, f: ExprFunction, stores: tuple[s.Store, ...]) -> None:
        plan_shared_loads(f, stores)
        emit_sums_side_by_side(f, stores)
        if all(store.buffer in self.module.streams for store in stores):
            # Values first: the branch between two kinds of stores ends the basic block.
            for store in stores:
                f.value(store.value)
        lines: list[LineStore] = []
        at = 0
        while at < len(stores):
            count = interleaved(f, stores[at:])
            line = line_store(f, stores[at]) if not count else None
            if line is not None:
                lines.append(line)
            else:
                self._flush(f, lines)
                if count:
                    emit_interleaved(f, stores[at : at + count])
                else:
                    emit_store(f, stores[at])
            at += max(count, 1)
        self._flush(f, lines)

    def _flush(self, f: ExprFunction, lines: list[LineStore]) -> None:
        if lines:
            emit_streamed_stores(f, lines)
        lines.clear()

    # Loops

    def _for(self, f: ExprFunction, node: s.For) -> None:
        if node.kind is s.LoopKind.PARALLEL:
            self._parallel(f, node)
            return
        if node.kind is not s.LoopKind.SERIAL:
            raise InternalError(f"Loop {node.name} is {node.kind.value}: it must be lowered before code is made.")
        extent = node.extent.value if isinstance(node.extent, Const) else None
        if extent is not None and extent <= 0:
            return
        if extent is not None and self._is_short(node):
            self.emit(f, unrolled(node))
            return
        if self.module.interruptible and self._runs_long(f, node):
            node = in_blocks(node)
            extent = None
            self.blocks.add(node.body)
        minimum, count = f.text(f.widen(node.minimum)), f.text(f.widen(node.extent))
        after = f.fresh_label("after")
        if extent is None:
            before = f.fresh_label("before")
            some = f.emit(f"icmp sgt i64 {count}, 0")
            f.line(f"br i1 {some}, label %{before}, label %{after}")
            f.start_block(before)
        end = f.emit(f"add i64 {minimum}, {count}")
        if can_version_loop(self.module, node, self.stores(node.body)):
            self._versioned_loop(f, node, extent is not None, minimum, end, after)
        else:
            self._loop_body(f, node, extent is not None, minimum, end, after)
        f.start_block(after)

    def _versioned_loop(self, f: ExprFunction, node: s.For, certain: bool, minimum: str, end: str, after: str) -> None:
        """A loop with non-temporal stores and, for when these are not possible, its version with ordinary ones."""
        stores = sum(1 for part in statements(node.body) if isinstance(part, s.Store))
        f.copy = streaming = StreamingLoop(True, len(f.scopes), stores)
        before, entered, body = self._loop_body(f, node, certain, minimum, end, after)
        if streaming.conditions:
            condition = streaming.conditions[0]
            for text in streaming.conditions[1:]:
                before.append(f"  {f.name()} = and i1 {condition}, {text}")
                condition = f"%v{f.count}"
            plain = f.fresh_label("plain")
            entered[0] = f"  br i1 {condition}, label %{body}, label %{plain}"
            f.start_block(plain)
            f.copy = StreamingLoop(False, len(f.scopes), stores)
            self._loop_body(f, node, certain, minimum, end, after)
        f.copy = None

    def _is_short(self, node: s.For) -> bool:
        loops = nest(node)
        if not is_short(loops):
            inner = loops[-1]
            whole = loops[:-1] if len(loops) > 1 and accumulates(inner) else loops
            self.long_loops.update([loop.name for loop in whole])
            return False
        return node.name not in self.long_loops

    def _loop_body(
        self, f: ExprFunction, node: s.For, certain: bool, minimum: str, end: str, after: str
    ) -> tuple[list[str], list[str], str]:
        """Emits a loop; returns the lines before it, the lines of which the first enters it, and its label."""
        preheader, body = f.label, f.fresh_label("loop")
        stores = self.stores(node.body)
        scope = FunctionScope(True, certain, stores)
        f.open_scope(scope)
        entered = f.chunks[-1]
        f.line(f"br label %{body}")
        f.start_block(body)
        induction = f.inductions[node.name] = begin_induction(f, minimum, end, scope.before)
        f.loops.add(node.name)
        outer, f.innermost = f.innermost, node.name
        f.record(Variable(INT64, node.name), induction.counter.hidden, len(f.scopes) - 1)
        self.emit(f, node.body)
        if self.module.interruptible and self._iterations(node.body) >= MIN_CHECKED_ITERATIONS:
            check_signals(f)
        if f.copy is not None and f.copy.streams and f.copy.conditions:
            prefetch_ahead(f, f.copy)
        f.innermost = outer
        induction.close(f, preheader, after, body)
        del f.inductions[node.name]
        f.close_scope()
        for buffer in stores:
            f.invalidate(buffer)
        return scope.before, entered, body

    def _runs_long(self, f: ExprFunction, node: s.For) -> bool:
        """Whether a loop that does not look for signals may run long without a loop around it that does."""
        if node in self.blocks or self._iterations(node.body) >= MIN_CHECKED_ITERATIONS:
            return False
        if isinstance(node.extent, Const):
            return int(node.extent.value) >= 4 * BLOCK_ITERATIONS
        # Loops that store to other places end soon.
        return not f.inductions or not _has_vectors(node.body) or _has_invariant_store(node)

    def _iterations(self, node: s.Stmt) -> int:
        """The most iterations of innermost loops that a statement runs, as far as extents are constant."""
        for part in statements(node):
            if part not in self.iterations:
                inner = max([self.iterations.get(child, 1) for child in part.children()], default=1)
                if isinstance(part, s.CallExtern | s.Report):
                    inner = max(inner, MIN_CHECKED_ITERATIONS)  # functions of others may run long
                own = part.extent if isinstance(part, s.For) else None
                if own is not None:
                    inner *= int(own.value) if isinstance(own, Const) else MIN_CHECKED_ITERATIONS
                self.iterations[part] = inner
        return self.iterations[node]

    def _parallel(self, f: ExprFunction, node: s.For) -> None:
        minimum, count = f.text(f.widen(node.minimum)), f.text(f.widen(node.extent))
        captured = captured_by(f, node)
        closure, layout = emit_closure(f, captured)
        task = f"@{self.module.fresh('task')}"
        self.module.declare("@pipec_parallel_for", "i32 @pipec_parallel_for(ptr, ptr, i64, i64)")
        profile_state = "" if self.profile is None else llvm_profile.begin_parallel(f, self.profile)
        operands = (f"ptr {task}", f"ptr {closure}", f"i64 {minimum}", f"i64 {count}")
        status = self.module.mode.call_outside(f, "@pipec_parallel_for", operands)
        if self.profile is not None:
            llvm_profile.end_parallel(f, self.profile, profile_state)
        for buffer in self.stores(node.body):
            f.invalidate(buffer)
        leave_unless_zero(f, status)
        outside = TaskContext(layout, captured, f.outside)
        entry = f.profiled
        self.module.pending.append(lambda: self.task(task, outside, node.body, entry, node.name))

    def task(self, name: str, outside: TaskContext, body: s.Stmt, entry: int, loop: str = "") -> None:
        """Emits the function of a task, whose index is the counter of a parallel `loop`."""
        f = ExprFunction(self.module, outside)
        f.allocas.append("  %slots = load ptr, ptr %closure")
        if loop:
            f.loops.add(loop)
            f.values[Variable(INT64, loop)] = LlvmValue("%index", 0, NO_BUFFERS)
        if self.module.interruptible:
            check_signals(f)
        self.function(f, body, entry, is_first=False)
        self.module.mode.define("internal ", name, "ptr noalias %closure, i64 %index", f.body())

    # Branches and failures

    def _if(self, f: ExprFunction, node: s.IfThenElse) -> None:
        condition = node.condition
        if isinstance(condition, Const):
            chosen = node.then if condition.value else node.otherwise
            if chosen is not None:
                self.emit(f, chosen)
            return
        text = f.text(condition)
        then, after = f.fresh_label("then"), f.fresh_label("after")
        otherwise = f.fresh_label("else") if node.otherwise is not None else after
        f.line(f"br i1 {text}, label %{then}, label %{otherwise}")
        self._branch(f, then, node.then, after)
        if node.otherwise is not None:
            self._branch(f, otherwise, node.otherwise, after)
        f.start_block(after)

    def _branch(self, f: ExprFunction, label: str, node: s.Stmt, after: str) -> None:
        f.start_block(label)
        f.open_scope(FunctionScope(False))
        self.emit(f, node)
        f.line(f"br label %{after}")
        f.close_scope()

    def _assert(self, f: ExprFunction, node: s.Assert) -> None:
        if isinstance(node.condition, Const) and node.condition.value:
            return
        passed = begin_failure(f, f.text(node.condition))
        f.open_scope(FunctionScope(False))
        values = [f.text(value if value.type is INT64 else Cast(INT64, value)) for value in node.values]
        fail(f, self.error_slot, 1, str(node.code), values)
        f.close_scope()
        end_failure(f, passed)

    def _call_extern(self, f: ExprFunction, node: s.CallExtern) -> None:
        if self.module.interruptible:
            check_signals(f)
        emit_call_extern(f, node, self.error_slot)

    # Memory

    def _allocate(self, f: ExprFunction, node: s.Allocate) -> None:
        size = element_bytes(node.type)
        count = node.size.value if isinstance(node.size, Const) else None
        if count is not None:
            self.module.sizes[node.name] = int(count) * size
        in_loop = len(f.scopes) - 1
        limit = STACK_BUFFER_BYTES
        if node.memory in (s.MemoryType.Stack, s.MemoryType.Register):
            limit = STACK_FUNCTION_BYTES
        amount = -1 if count is None else max(int(count) * size, 1)
        on_stack = node.memory is not s.MemoryType.Heap and 0 < amount <= limit
        if on_stack and f.stack_bytes + amount <= STACK_FUNCTION_BYTES:
            f.stack_bytes += amount
            name = f.entry(f"alloca [{amount} x i8], align 64")
            f.pointers[node.name] = LlvmValue(name, 0, NO_BUFFERS)
            self.emit(f, node.body)
            del f.pointers[node.name]
            return
        name = self._heap(f, node, size)
        f.pointers[node.name] = LlvmValue(name, in_loop, NO_BUFFERS)
        open_cleanup(f, self._release(f, node, name))
        self.emit(f, node.body)
        close_cleanup(f)
        del f.pointers[node.name]

    def _release(self, f: ExprFunction, node: s.Allocate, block: str) -> str:
        """The line that frees memory."""
        self.module.declare("@pipec_free", "void @pipec_free(ptr)")
        if self.profile is None or not self.profile.counts_memory:
            return f"call void @pipec_free(ptr {block})"
        amount = f.text(Mul(f.widen(node.size), Const(INT64, element_bytes(node.type))))
        llvm_profile.allocated(f, self.profile, node.name, amount)
        return llvm_profile.release_text(f, self.profile, node.name, amount, block)

    def _heap(self, f: ExprFunction, node: s.Allocate, size: int) -> str:
        count = f.text(f.widen(node.size))
        self.module.declare("@llvm.smul.with.overflow.i64", "{ i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)")
        self.module.declare("@pipec_malloc", "noalias ptr @pipec_malloc(i64, i32)")
        both = f.emit(f"call {{ i64, i1 }} @llvm.smul.with.overflow.i64(i64 {count}, i64 {size})")
        product = f.emit(f"extractvalue {{ i64, i1 }} {both}, 0")
        overflow = f.emit(f"extractvalue {{ i64, i1 }} {both}, 1")
        amount = f.emit(f"select i1 {overflow}, i64 {(1 << 63) - 1}, i64 {product}")
        float_bytes = size if node.type.is_float() else 0
        name = f.emit(f"call noalias ptr @pipec_malloc(i64 {amount}, i32 {float_bytes})")
        passed = begin_failure(f, f.emit(f"icmp ne ptr {name}, null"))
        fail(f, self.error_slot, 2, "0", [amount])
        end_failure(f, passed)
        return name


_EMITTERS: dict[type, Callable[[StatementWriter, ExprFunction, Any], object]] = {
    s.Block: lambda statements, f, node: statements._block(f, node.stmts),
    s.Store: lambda statements, f, node: statements._block(f, (node,)),
    s.AtomicUpdate: lambda statements, f, node: emit_atomic(f, node.body),
    s.For: StatementWriter._for,
    s.IfThenElse: StatementWriter._if,
    s.Assert: StatementWriter._assert,
    s.Allocate: StatementWriter._allocate,
    s.PrefetchLoad: lambda statements, f, node: emit_prefetch(f, node),
    s.Fork: emit_threads,
    s.Wait: emit_threads,
    s.Post: emit_threads,
    s.CallExtern: StatementWriter._call_extern,
    s.Evaluate: lambda statements, f, node: f.value(node.value),
}
