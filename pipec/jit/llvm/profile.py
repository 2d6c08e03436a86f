"""Profiling: machine code that counts the time and the memory of each Func while it runs.

Each function of the module knows the Func whose loops it is in; where that changes, the time since the last change is
added to what was. The thread that called the pipeline so divides its own time completely: its shares are wall time.
The counters are those that `pipec.jit.runtime.call_table` describes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.runtime.call_table import ENTRY_SIZE, FIRST_FUNC, OVERHEAD, WAITING, Counter, Entry, Head


class Profile:
    """What is counted where: the number of each Func's entry."""

    def __init__(self, funcs: Sequence[str], table_slot: int) -> None:
        self.table_slot = table_slot
        self.entries: Mapping[str, int] = {name: FIRST_FUNC + at for at, name in enumerate(funcs)}

    def entry(self, name: str) -> int:
        """The entry of a Func, or of the Func that a buffer or copy belongs to."""
        return self.entries.get(name) or self.entries.get(name.partition(".")[0], OVERHEAD)


def counters(f: ExprFunction, profile: Profile) -> str:
    """The address of the counters, found at the head of the function."""
    if not f.counters:
        place = f.entry(f"getelementptr i64, ptr %slots, i64 {profile.table_slot}")
        table = f.entry(f"load ptr, ptr {place}")
        field = f.entry(f"getelementptr ptr, ptr {table}, i64 {Entry.COUNTERS.value}")
        f.counters = f.entry(f"load ptr, ptr {field}")
    return f.counters


def begin_function(f: ExprFunction, profile: Profile, entry: int, is_first: bool) -> None:
    """From here on the function's time is that of an entry."""
    row = counters(f, profile)
    f.allocas.append("  %profile.last = alloca i64")
    f.profiled = entry
    now = f.here("call i64 @pipec_clock()")
    f.line(f"store i64 {now}, ptr %profile.last")
    if is_first:
        caller = f.here("call ptr @pipec_self()")
        f.line(f"store ptr {caller}, ptr {row}")


def end_function(f: ExprFunction, profile: Profile) -> None:
    """The time up to here is counted."""
    f.line(f"call void @profile.spend(ptr {counters(f, profile)}, i64 {f.profiled}, ptr %profile.last)")


def change(f: ExprFunction, profile: Profile, entry: int, entered: bool) -> int:
    """From here on the time is that of another entry; gives the one before."""
    row, before = counters(f, profile), f.profiled
    f.line(f"call void @profile.spend(ptr {row}, i64 {before}, ptr %profile.last)")
    if entered:
        f.line(f"call void @profile.add(ptr {row}, i64 {entry}, i64 {Counter.ENTERED.value}, i64 1)")
    f.profiled = entry
    return before


def begin_parallel(f: ExprFunction, profile: Profile) -> str:
    """Before a parallel loop is handed to the pool; what `end_parallel` needs."""
    end_function(f, profile)
    place = f.here(f"getelementptr i64, ptr {counters(f, profile)}, i64 {Head.WALL.value}")
    return f.here(f"load i64, ptr {place}")


def end_parallel(f: ExprFunction, profile: Profile, before: str) -> None:
    """After it: what this thread did not spend in tasks it waited."""
    f.line(f"call void @profile.wait(ptr {counters(f, profile)}, ptr %profile.last, i64 {before})")


def allocated(f: ExprFunction, profile: Profile, name: str, bytes_: str) -> None:
    """Memory of a buffer has been given."""
    entry = profile.entry(name)
    f.line(f"call void @profile.allocated(ptr {counters(f, profile)}, i64 {entry}, i64 {bytes_})")


def release_text(f: ExprFunction, profile: Profile, name: str, bytes_: str, block: str) -> str:
    """The line that gives the memory of a buffer back."""
    row = counters(f, profile)
    return f"call void @profile.release(ptr {row}, i64 {profile.entry(name)}, i64 {bytes_}, ptr {block})"


HELPERS = f"""
define internal ptr @profile.entry(ptr %row, i64 %entry) {{
  %past = add i64 %entry, 1
  %at = mul i64 %past, {ENTRY_SIZE}
  %p = getelementptr i64, ptr %row, i64 %at
  ret ptr %p
}}

define internal void @profile.add(ptr %row, i64 %entry, i64 %counter, i64 %amount) {{
  %e = call ptr @profile.entry(ptr %row, i64 %entry)
  %p = getelementptr i64, ptr %e, i64 %counter
  %old = atomicrmw add ptr %p, i64 %amount monotonic
  ret void
}}

define internal i1 @profile.is_caller(ptr %row) {{
  %self = call ptr @pipec_self()
  %caller = load ptr, ptr %row
  %same = icmp eq ptr %self, %caller
  ret i1 %same
}}

define internal void @profile.count(ptr %row, i64 %entry, i64 %time) {{
start:
  call void @profile.add(ptr %row, i64 %entry, i64 {Counter.THREADS.value}, i64 %time)
  %caller = call i1 @profile.is_caller(ptr %row)
  br i1 %caller, label %wall, label %end
wall:
  call void @profile.add(ptr %row, i64 %entry, i64 {Counter.WALL.value}, i64 %time)
  %p = getelementptr i64, ptr %row, i64 {Head.WALL.value}
  %old = load i64, ptr %p
  %new = add i64 %old, %time
  store i64 %new, ptr %p
  br label %end
end:
  ret void
}}

define internal void @profile.spend(ptr %row, i64 %entry, ptr %last) {{
  %now = call i64 @pipec_clock()
  %before = load i64, ptr %last
  store i64 %now, ptr %last
  %time = sub i64 %now, %before
  call void @profile.count(ptr %row, i64 %entry, i64 %time)
  ret void
}}

define internal void @profile.wait(ptr %row, ptr %last, i64 %known) {{
start:
  %now = call i64 @pipec_clock()
  %before = load i64, ptr %last
  store i64 %now, ptr %last
  %caller = call i1 @profile.is_caller(ptr %row)
  br i1 %caller, label %wall, label %end
wall:
  %elapsed = sub i64 %now, %before
  %p = getelementptr i64, ptr %row, i64 {Head.WALL.value}
  %total = load i64, ptr %p
  %tasks = sub i64 %total, %known
  %time = sub i64 %elapsed, %tasks
  call void @profile.count(ptr %row, i64 {WAITING}, i64 %time)
  br label %end
end:
  ret void
}}

define internal void @profile.memory(ptr %live, ptr %peak, i64 %bytes) {{
  %old = atomicrmw add ptr %live, i64 %bytes monotonic
  %now = add i64 %old, %bytes
  %highest = atomicrmw max ptr %peak, i64 %now monotonic
  ret void
}}

define internal void @profile.allocated(ptr %row, i64 %entry, i64 %bytes) {{
  %e = call ptr @profile.entry(ptr %row, i64 %entry)
  %live = getelementptr i64, ptr %e, i64 {Counter.LIVE.value}
  %peak = getelementptr i64, ptr %e, i64 {Counter.PEAK.value}
  call void @profile.memory(ptr %live, ptr %peak, i64 %bytes)
  %all.live = getelementptr i64, ptr %row, i64 {Head.LIVE.value}
  %all.peak = getelementptr i64, ptr %row, i64 {Head.PEAK.value}
  call void @profile.memory(ptr %all.live, ptr %all.peak, i64 %bytes)
  call void @profile.add(ptr %row, i64 %entry, i64 {Counter.TOTAL.value}, i64 %bytes)
  call void @profile.add(ptr %row, i64 %entry, i64 {Counter.ALLOCATIONS.value}, i64 1)
  %count = getelementptr i64, ptr %row, i64 {Head.ALLOCATIONS.value}
  %old = atomicrmw add ptr %count, i64 1 monotonic
  ret void
}}

define internal void @profile.release(ptr %row, i64 %entry, i64 %bytes, ptr %block) {{
  %e = call ptr @profile.entry(ptr %row, i64 %entry)
  %live = getelementptr i64, ptr %e, i64 {Counter.LIVE.value}
  %less = sub i64 0, %bytes
  %old = atomicrmw add ptr %live, i64 %less monotonic
  %all.live = getelementptr i64, ptr %row, i64 {Head.LIVE.value}
  %all.old = atomicrmw add ptr %all.live, i64 %less monotonic
  call void @pipec_free(ptr %block)
  ret void
}}
"""
DECLARATIONS = {
    "@pipec_clock": "i64 @pipec_clock()",
    "@pipec_self": "ptr @pipec_self()",
    "@pipec_free": "void @pipec_free(ptr)",
}
