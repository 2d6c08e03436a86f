"""A run of a program with kernels that needs nothing of Python, as LLVM text: what quick calls do.

`i32 pipec_device_run(ptr program, ptr entry, ptr slots, ptr place, ptr twins, i64 rows)` calls `entry` with a call
table of its own, whose address goes to `place`. `twins`: pairs of an address and the words of its twin, or 0, for
`rows` arguments. What would need Python ends the run: the answer is not 0 then, and all memory is given back.
"""

from __future__ import annotations

from pipec.jit.opencl.tables import ENTRY_WORDS, EntryWord, ProgramWord, RunWord, TwinWord
from pipec.jit.runtime.call_table import Entry
from pipec.jit.runtime.device_memory import GIVE_BACK, load, place

RUN = "pipec_device_run"

_ADD = f"""
; Whether a run can use a buffer: the twin is on its device and newest there, and no other one has the same address.
define internal i1 @device.add(ptr %run, ptr %program, i64 %address, ptr %twin) {{
start:
  {load("own.pool", "ptr", "program", ProgramWord.POOL)}
  {load("pool", "ptr", "twin", TwinWord.POOL)}
  {load("stale", "i64", "twin", TwinWord.HOST_IS_NEWER)}
  {load("watched", "i64", "twin", TwinWord.WATCHED)}
  %same.pool = icmp eq ptr %pool, %own.pool
  %either = or i64 %stale, %watched
  %fresh = icmp eq i64 %either, 0
  %well = and i1 %same.pool, %fresh
  br i1 %well, label %search, label %no
search:
  %known = call ptr @device.twin(ptr %run, i64 %address)
  %is.known = icmp ne ptr %known, null
  br i1 %is.known, label %compare, label %append
compare:
  %same = icmp eq ptr %known, %twin
  ret i1 %same
append:
  {load("count", "i64", "run", RunWord.COUNT)}
  {load("room", "i64", "run", RunWord.ROOM)}
  {load("entries", "ptr", "run", RunWord.ENTRIES)}
  %free = icmp slt i64 %count, %room
  br i1 %free, label %fill, label %no
fill:
  %offset = mul i64 %count, {ENTRY_WORDS}
  %entry = getelementptr i64, ptr %entries, i64 %offset
  store i64 %address, ptr %entry
  {place("twin.place", "entry", EntryWord.TWIN)}
  store ptr %twin, ptr %twin.place
  %more = add i64 %count, 1
  store i64 %more, ptr %count.place
  ret i1 true
no:
  ret i1 false
}}
"""

_RELEASE = f"""
; Gives back what a run that was ended still has.
define internal void @device.release(ptr %run, ptr %program) {{
start:
  {load("entries", "ptr", "run", RunWord.ENTRIES)}
  {load("count", "i64", "run", RunWord.COUNT)}
  {load("pool", "ptr", "program", ProgramWord.POOL)}
  br label %look
look:
  %at = phi i64 [ 0, %start ], [ %next, %on ]
  %more = icmp slt i64 %at, %count
  br i1 %more, label %check, label %done
check:
  %next = add i64 %at, 1
  %offset = mul i64 %at, {ENTRY_WORDS}
  %entry = getelementptr i64, ptr %entries, i64 %offset
  %address = load i64, ptr %entry
  {load("twin", "ptr", "entry", EntryWord.TWIN)}
  %used = icmp ne i64 %address, 0
  %own = icmp eq ptr %twin, null
  %left = and i1 %used, %own
  br i1 %left, label %give, label %on
give:
  {place("words", "entry", EntryWord.OWN)}
  {load("memory", "i64", "words", TwinWord.MEMORY)}
  {load("size", "i64", "words", TwinWord.SIZE)}
  %amount = call i64 @device.rounded(i64 %size)
  %given = call i32 @{GIVE_BACK}(ptr %pool, i64 %amount, i64 %memory)
  br label %on
on:
  br label %look
done:
  ret void
}}
"""

_RUN = f"""
define i32 @{RUN}(ptr %program, ptr %entry, ptr %slots, ptr %place, ptr %twins, i64 %rows) {{
start:
  %run = alloca [{len(RunWord)} x i64]
  %table = alloca [{len(Entry)} x ptr]
  {load("is.open", "ptr", "program", ProgramWord.IS_OPEN)}
  {load("room", "i64", "program", ProgramWord.ROOM)}
  {load("queue", "ptr", "program", ProgramWord.QUEUE)}
  %open = load i64, ptr %is.open
  %closed = icmp eq i64 %open, 0
  br i1 %closed, label %no, label %fill
fill:
  %size = mul i64 %room, {ENTRY_WORDS}
  %entries = alloca i64, i64 %size
  store [{len(RunWord)} x i64] zeroinitializer, ptr %run
  {place("p.program", "run", RunWord.PROGRAM)}
  store ptr %program, ptr %p.program
  {place("p.python", "run", RunWord.PYTHON)}
  store ptr @device.refuse, ptr %p.python
  {place("p.queue", "run", RunWord.QUEUE)}
  store ptr %queue, ptr %p.queue
  {place("p.entries", "run", RunWord.ENTRIES)}
  store ptr %entries, ptr %p.entries
  {place("p.room", "run", RunWord.ROOM)}
  store i64 %room, ptr %p.room
  store [{len(Entry)} x ptr] zeroinitializer, ptr %table
  {place("p.report", "table", Entry.REPORT)}
  store ptr @REPORT, ptr %p.report
  {place("p.device", "table", Entry.DEVICE)}
  store ptr %run, ptr %p.device
  store ptr %table, ptr %place
  br label %look
look:
  %at = phi i64 [ 0, %fill ], [ %next, %on ]
  %more = icmp slt i64 %at, %rows
  br i1 %more, label %one, label %call
one:
  %next = add i64 %at, 1
  %pair = getelementptr {{ i64, ptr }}, ptr %twins, i64 %at
  %address = load i64, ptr %pair
  %p.twin = getelementptr {{ i64, ptr }}, ptr %pair, i64 0, i32 1
  %twin = load ptr, ptr %p.twin
  %none = icmp eq ptr %twin, null
  br i1 %none, label %on, label %add
add:
  %added = call i1 @device.add(ptr %run, ptr %program, i64 %address, ptr %twin)
  br i1 %added, label %on, label %no
on:
  br label %look
call:
  %status = call i32 %entry(ptr %slots)
  call void @device.release(ptr %run, ptr %program)
  ret i32 %status
no:
  ret i32 -1
}}
"""


def run_text(report: str) -> str:
    """The functions, for the module that has a function named `report` to which host programs report."""
    return _ADD + _RELEASE + _RUN.replace("@REPORT", f"@{report}")
