"""Profiling: machine code that counts the time and the memory of each Func while it runs.

Code that is sampled writes to the state of its thread which Func's loops it is in, and reads no clock. Otherwise each
function of the module counts its time for the Func whose loops it is in. At each change the time since the last
change is added to the previous Func. The shares of the thread that called the pipeline add up to the wall time.
Code that is clocked does so in its first function only, for Funcs whose loops are in no others.
The counters are those that `pipec.jit.runtime.call_table` describes.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.runtime.call_table import (
    FIRST_FUNC,
    OVERHEAD,
    WAITING,
    CallEntry,
    CallTableHead,
    Profiled,
    ProfileMode,
    ThreadWord,
)

MARK = "pipec-entry "
"""What the comments in marked assembly begin with; the number of the entry follows."""


class ProfileCounters:
    """The numbers of the Funcs' entries in the table of counters."""

    def __init__(self, profiled: Profiled, table_slot: int) -> None:
        self.table_slot = table_slot
        self.mode, self.counts_memory = profiled.mode, profiled.counts_memory
        self.entries: Mapping[str, int] = {name: FIRST_FUNC + at for at, name in enumerate(profiled.funcs)}

    def entry(self, name: str) -> int:
        """The entry of a Func, or of the Func that a buffer or copy belongs to."""
        return self.entries.get(name) or self.entries.get(name.partition(".")[0], OVERHEAD)


def counters(f: ExprFunction, profile: ProfileCounters) -> str:
    """The address of the counters, loaded at the head of the function."""
    if not f.counters:
        place = f.entry(f"getelementptr i64, ptr %slots, i64 {profile.table_slot}")
        table = f.entry(f"load ptr, ptr {place}")
        field = f.entry(f"getelementptr ptr, ptr {table}, i64 {CallEntry.COUNTERS.value}")
        f.counters = f.entry(f"load ptr, ptr {field}")
    return f.counters


def begin_function(f: ExprFunction, profile: ProfileCounters, entry: int, is_first: bool) -> None:
    """Counts the function's time for an entry from here on."""
    f.profiled = entry
    if profile.mode is ProfileMode.MARKED:
        _mark(f, entry)
        return
    if profile.mode is ProfileMode.CLOCKED and not is_first:
        return
    row = counters(f, profile)
    if profile.mode is ProfileMode.SAMPLED:
        _begin_sampled(f, row)
        _note(f, str(entry + 1))
        return
    f.allocas.append("  %profile.last = alloca i64")
    _call(f, "begin", f"ptr {row}, ptr %profile.last, i32 {int(is_first)}")


def _begin_sampled(f: ExprFunction, row: str) -> None:
    """Emits the place where the thread notes what it computes, and what it computed before."""
    f.module.declare("@pipec_profile_thread", "ptr @pipec_profile_thread(ptr)")
    state = f.entry(f"call ptr @pipec_profile_thread(ptr {row})")
    f.thread_state = f.entry(f"getelementptr i64, ptr {state}, i64 {ThreadWord.ENTRY.value}")
    f.entry_before = f.entry(f"load atomic i64, ptr {f.thread_state} monotonic, align 8")


def _note(f: ExprFunction, entry: str) -> None:
    """Writes to the state of the thread what it computes from here on."""
    f.line(f"store atomic i64 {entry}, ptr {f.thread_state} monotonic, align 8")


def _mark(f: ExprFunction, entry: int) -> None:
    """Emits a comment that LLVM leaves in the assembly."""
    f.line(f'call void asm sideeffect "/* {MARK}{entry} */", ""()')


def end_function(f: ExprFunction, profile: ProfileCounters) -> None:
    """Counts the time up to here."""
    if profile.mode is ProfileMode.SAMPLED:
        _note(f, f.entry_before)
    elif f.counters:
        _call(f, "spend", f"ptr {counters(f, profile)}, i64 {f.profiled}, ptr %profile.last")


def change(f: ExprFunction, profile: ProfileCounters, entry: int, entered: bool) -> int:
    """Counts the time for another entry from here on; returns the previous entry.

    Samples do not count how often loops are `entered`: the counters would make short loops several times slower.
    """
    before = f.profiled
    if profile.mode is ProfileMode.CLOCKED and (entry == before or not f.counters or (entered and before != OVERHEAD)):
        return before
    f.profiled = entry
    if profile.mode is ProfileMode.MARKED:
        _mark(f, entry)
    elif profile.mode is ProfileMode.SAMPLED:
        _note(f, str(entry + 1))
    else:
        row = counters(f, profile)
        _call(f, "spend", f"ptr {row}, i64 {before}, ptr %profile.last")
        if entered:
            _call(f, "enter", f"ptr {row}, i64 {entry}")
    return before


def begin_parallel(f: ExprFunction, profile: ProfileCounters) -> str:
    """Prepares for a parallel loop; returns what `end_parallel` needs."""
    if profile.mode is ProfileMode.SAMPLED:
        _note(f, str(WAITING + 1))
    if profile.mode is not ProfileMode.COUNTED:
        return ""
    end_function(f, profile)
    place = f.emit(f"getelementptr i64, ptr {counters(f, profile)}, i64 {CallTableHead.WALL.value}")
    return f.emit(f"load i64, ptr {place}")


def end_parallel(f: ExprFunction, profile: ProfileCounters, before: str) -> None:
    """Counts as waiting what this thread did not spend in tasks of a parallel loop."""
    if profile.mode is ProfileMode.SAMPLED:
        _note(f, str(f.profiled + 1))
    if profile.mode is ProfileMode.COUNTED:
        _call(f, "wait", f"ptr {counters(f, profile)}, ptr %profile.last, i64 {before}")


def allocated(f: ExprFunction, profile: ProfileCounters, name: str, bytes_: str) -> None:
    """Counts the allocation of a buffer."""
    entry = profile.entry(name)
    _call(f, "allocated", f"ptr {counters(f, profile)}, i64 {entry}, i64 {bytes_}")


def release_text(f: ExprFunction, profile: ProfileCounters, name: str, bytes_: str, block: str) -> str:
    """The line that frees the memory of a buffer."""
    row = counters(f, profile)
    return _declared(f, "release", f"ptr {row}, i64 {profile.entry(name)}, i64 {bytes_}, ptr {block}")


def _call(f: ExprFunction, name: str, arguments: str) -> None:
    f.line(_declared(f, name, arguments))


def _declared(f: ExprFunction, name: str, arguments: str) -> str:
    """The line that calls a function of the runtime's profile.c."""
    symbol = f"@pipec_profile_{name}"
    kinds = ", ".join([argument.split()[0] for argument in arguments.split(", ")])
    f.module.declare(symbol, f"void {symbol}({kinds})")
    return f"call void {symbol}({arguments})"
