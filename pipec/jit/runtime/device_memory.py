"""Memory of a device and the buffers of a run, as LLVM text: what `pipec.jit.runtime.device` does around launches.

`i64 pipec_pool_take(ptr pool, i64 amount)` gives a free buffer of just that size, or 0; `i32 pipec_pool_give(ptr pool,
i64 amount, i64 memory)` takes one back, if there is room. What was taken so and is given back by
`pipec_pool_give_back` always finds room. The tables are those of `pipec.jit.opencl.tables`.
"""

from __future__ import annotations

import enum

from pipec.jit.opencl.tables import (
    ENTRY_WORDS,
    GRAIN,
    EntryWord,
    PoolWord,
    ProgramWord,
    RowWord,
    RunWord,
    TwinWord,
)

TAKE, GIVE, GIVE_BACK = "pipec_pool_take", "pipec_pool_give", "pipec_pool_give_back"


def place(name: str, base: str, word: enum.IntEnum) -> str:
    """The line that finds where a number of a table is."""
    return f"%{name} = getelementptr i64, ptr %{base}, i64 {word.value}"


def load(name: str, kind: str, base: str, word: enum.IntEnum) -> str:
    """The lines that read a number of a table; its place has the same name with `.place`."""
    return f"{place(f'{name}.place', base, word)}\n  %{name} = load {kind}, ptr %{name}.place"


_DECLARATIONS = """
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
"""

_POOL = f"""
; The memory at the lowest address: each run of a pipeline finds the same, and arguments of kernels stay set.
define i64 @{TAKE}(ptr %pool, i64 %amount) {{
start:
  {load("lock", "ptr", "pool", PoolWord.LOCK)}
  %l = call i32 @pthread_mutex_lock(ptr %lock)
  {load("count", "i64", "pool", PoolWord.COUNT)}
  {load("rows", "ptr", "pool", PoolWord.ROWS)}
  br label %look
look:
  %at = phi i64 [ 0, %start ], [ %next, %on ]
  %best = phi i64 [ 0, %start ], [ %better, %on ]
  %best.row = phi ptr [ null, %start ], [ %better.row, %on ]
  %more = icmp slt i64 %at, %count
  br i1 %more, label %check, label %done
check:
  %offset = shl i64 %at, 1
  %row = getelementptr i64, ptr %rows, i64 %offset
  %size = load i64, ptr %row
  %memory.place = getelementptr i64, ptr %row, i64 1
  %memory = load i64, ptr %memory.place
  %fits = icmp eq i64 %size, %amount
  %none = icmp eq i64 %best, 0
  %lower = icmp ult i64 %memory, %best
  %preferred = or i1 %none, %lower
  %taken = and i1 %fits, %preferred
  br label %on
on:
  %better = select i1 %taken, i64 %memory, i64 %best
  %better.row = select i1 %taken, ptr %row, ptr %best.row
  %next = add i64 %at, 1
  br label %look
done:
  %found = icmp ne i64 %best, 0
  br i1 %found, label %remove, label %end
remove:
  ; The last row takes its place.
  %last = sub i64 %count, 1
  %last.offset = shl i64 %last, 1
  %last.row = getelementptr i64, ptr %rows, i64 %last.offset
  %last.pair = load <2 x i64>, ptr %last.row, align 8
  store <2 x i64> %last.pair, ptr %best.row, align 8
  store i64 %last, ptr %count.place
  {load("kept", "i64", "pool", PoolWord.KEPT)}
  %less = sub i64 %kept, %amount
  store i64 %less, ptr %kept.place
  br label %end
end:
  %u = call i32 @pthread_mutex_unlock(ptr %lock)
  ret i64 %best
}}

; Whether there was room.
define i32 @{GIVE}(ptr %pool, i64 %amount, i64 %memory) {{
  {load("room", "i64", "pool", PoolWord.ROOM)}
  {load("most", "i64", "pool", PoolWord.MOST_KEPT)}
  %given = call i32 @pool.keep(ptr %pool, i64 %amount, i64 %memory, i64 %room, i64 %most)
  ret i32 %given
}}

define internal i32 @{GIVE_BACK}(ptr %pool, i64 %amount, i64 %memory) {{
  {load("room", "i64", "pool", PoolWord.ROOM)}
  %rows = shl i64 %room, 1
  %given = call i32 @pool.keep(ptr %pool, i64 %amount, i64 %memory, i64 %rows, i64 {(1 << 63) - 1})
  ret i32 %given
}}

define internal i32 @pool.keep(ptr %pool, i64 %amount, i64 %memory, i64 %room, i64 %most) {{
start:
  {load("lock", "ptr", "pool", PoolWord.LOCK)}
  %l = call i32 @pthread_mutex_lock(ptr %lock)
  {load("count", "i64", "pool", PoolWord.COUNT)}
  {load("kept", "i64", "pool", PoolWord.KEPT)}
  %sum = add i64 %kept, %amount
  %few = icmp slt i64 %count, %room
  %small = icmp sle i64 %sum, %most
  %fits = and i1 %few, %small
  br i1 %fits, label %keep, label %end
keep:
  {load("rows", "ptr", "pool", PoolWord.ROWS)}
  %offset = shl i64 %count, 1
  %row = getelementptr i64, ptr %rows, i64 %offset
  store i64 %amount, ptr %row
  %memory.place = getelementptr i64, ptr %row, i64 1
  store i64 %memory, ptr %memory.place
  %more = add i64 %count, 1
  store i64 %more, ptr %count.place
  store i64 %sum, ptr %kept.place
  br label %end
end:
  %u = call i32 @pthread_mutex_unlock(ptr %lock)
  %answer = zext i1 %fits to i32
  ret i32 %answer
}}

; The size of the memory that so many bytes are given.
define internal i64 @device.rounded(i64 %size) {{
start:
  %least = call i64 @llvm.smax.i64(i64 %size, i64 1)
  br label %widen
widen:
  %grain = phi i64 [ {GRAIN}, %start ], [ %wider, %next ]
  %eight = shl i64 %grain, 3
  %small = icmp slt i64 %eight, %least
  br i1 %small, label %next, label %done
next:
  %wider = shl i64 %grain, 1
  br label %widen
done:
  %mask = sub i64 %grain, 1
  %over = add i64 %least, %mask
  %rest = and i64 %over, %mask
  %whole = sub i64 %over, %rest
  ret i64 %whole
}}

declare i64 @llvm.smax.i64(i64, i64)
"""

_BUFFERS = f"""
; In place of Python in runs that are to do without it.
define internal i32 @device.refuse(ptr %table, i32 %code, i32 %lanes, ptr %values) {{
  ret i32 -1
}}

; The entry of a buffer of the run, or null.
define internal ptr @device.entry(ptr %run, i64 %address) {{
start:
  {load("entries", "ptr", "run", RunWord.ENTRIES)}
  {load("count", "i64", "run", RunWord.COUNT)}
  br label %look
look:
  %at = phi i64 [ 0, %start ], [ %next, %on ]
  %more = icmp slt i64 %at, %count
  br i1 %more, label %check, label %none
check:
  %offset = mul i64 %at, {ENTRY_WORDS}
  %entry = getelementptr i64, ptr %entries, i64 %offset
  %there = load i64, ptr %entry
  %same = icmp eq i64 %there, %address
  br i1 %same, label %found, label %on
on:
  %next = add i64 %at, 1
  br label %look
found:
  ret ptr %entry
none:
  ret ptr null
}}

; The twin of a buffer of the run, or null.
define internal ptr @device.twin(ptr %run, i64 %address) {{
start:
  %entry = call ptr @device.entry(ptr %run, i64 %address)
  %unknown = icmp eq ptr %entry, null
  br i1 %unknown, label %end, label %known
known:
  {load("twin", "ptr", "entry", EntryWord.TWIN)}
  {place("own", "entry", EntryWord.OWN)}
  %inside = icmp eq ptr %twin, null
  %found = select i1 %inside, ptr %own, ptr %twin
  br label %end
end:
  %answer = phi ptr [ null, %start ], [ %found, %known ]
  ret ptr %answer
}}

; Memory for an intermediate result; whether there was some.
define internal i1 @device.allocate(ptr %run, ptr %program, ptr %values) {{
start:
  %address = load i64, ptr %values
  %size.place = getelementptr i64, ptr %values, i64 1
  %size = load i64, ptr %size.place
  {load("room", "i64", "run", RunWord.ROOM)}
  {load("count", "i64", "run", RunWord.COUNT)}
  {load("entries", "ptr", "run", RunWord.ENTRIES)}
  {load("pool", "ptr", "program", ProgramWord.POOL)}
  %large = icmp sgt i64 %size, {(1 << 31) - 1}
  br i1 %large, label %no, label %search
search:
  %hole = call ptr @device.entry(ptr %run, i64 0)
  %closed = icmp eq ptr %hole, null
  br i1 %closed, label %append, label %take
append:
  %full = icmp sge i64 %count, %room
  br i1 %full, label %no, label %last
last:
  %offset = mul i64 %count, {ENTRY_WORDS}
  %end.entry = getelementptr i64, ptr %entries, i64 %offset
  br label %take
take:
  %entry = phi ptr [ %hole, %search ], [ %end.entry, %last ]
  %more = phi i64 [ 0, %search ], [ 1, %last ]
  %amount = call i64 @device.rounded(i64 %size)
  %memory = call i64 @{TAKE}(ptr %pool, i64 %amount)
  %none = icmp eq i64 %memory, 0
  br i1 %none, label %no, label %keep
keep:
  %new.count = add i64 %count, %more
  store i64 %new.count, ptr %count.place
  store i64 %address, ptr %entry
  {place("twin.place", "entry", EntryWord.TWIN)}
  store ptr null, ptr %twin.place
  {place("twin", "entry", EntryWord.OWN)}
  {place("memory.place", "twin", TwinWord.MEMORY)}
  store i64 %memory, ptr %memory.place
  {place("host.place", "twin", TwinWord.HOST_IS_NEWER)}
  store i64 0, ptr %host.place
  {place("device.place", "twin", TwinWord.DEVICE_IS_NEWER)}
  store i64 0, ptr %device.place
  {place("twin.size.place", "twin", TwinWord.SIZE)}
  store i64 %size, ptr %twin.size.place
  ret i1 true
no:
  ret i1 false
}}

define internal i1 @device.free(ptr %run, ptr %program, ptr %values) {{
start:
  %address = load i64, ptr %values
  %entry = call ptr @device.entry(ptr %run, i64 %address)
  %unknown = icmp eq ptr %entry, null
  br i1 %unknown, label %no, label %give
give:
  {place("twin", "entry", EntryWord.OWN)}
  {load("memory", "i64", "twin", TwinWord.MEMORY)}
  {load("size", "i64", "twin", TwinWord.SIZE)}
  {load("pool", "ptr", "program", ProgramWord.POOL)}
  %amount = call i64 @device.rounded(i64 %size)
  {load("python", "ptr", "run", RunWord.PYTHON)}
  %quick = icmp eq ptr %python, @device.refuse
  br i1 %quick, label %back, label %offer
back:
  %given.back = call i32 @{GIVE_BACK}(ptr %pool, i64 %amount, i64 %memory)
  br label %forget
offer:
  %given = call i32 @{GIVE}(ptr %pool, i64 %amount, i64 %memory)
  %full = icmp eq i32 %given, 0
  br i1 %full, label %no, label %forget
forget:
  store i64 0, ptr %entry
  ret i1 true
no:
  ret i1 false
}}

; Whether %count buffers of the run, whose addresses are given, have twins in which the number %stale is 0.
define internal i1 @device.ready(ptr %run, ptr %addresses, i64 %count, i64 %stale) {{
start:
  br label %look
look:
  %at = phi i64 [ 0, %start ], [ %next, %check ]
  %more = icmp slt i64 %at, %count
  br i1 %more, label %find, label %yes
find:
  %place = getelementptr i64, ptr %addresses, i64 %at
  %address = load i64, ptr %place
  %twin = call ptr @device.twin(ptr %run, i64 %address)
  %unknown = icmp eq ptr %twin, null
  br i1 %unknown, label %no, label %check
check:
  %flag.place = getelementptr i64, ptr %twin, i64 %stale
  %flag = load i64, ptr %flag.place
  %well = icmp eq i64 %flag, 0
  %next = add i64 %at, 1
  br i1 %well, label %look, label %no
yes:
  ret i1 true
no:
  ret i1 false
}}

; The number %newer becomes 1 in the twins of those buffers that are written.
define internal void @device.written(ptr %run, ptr %row, ptr %addresses, i64 %newer) {{
start:
  {load("written", "ptr", "row", RowWord.WRITTEN)}
  {load("count", "i64", "row", RowWord.BUFFERS)}
  br label %look
look:
  %at = phi i64 [ 0, %start ], [ %next, %on ]
  %more = icmp slt i64 %at, %count
  br i1 %more, label %check, label %end
check:
  %place = getelementptr i64, ptr %written, i64 %at
  %flag = load i64, ptr %place
  %is = icmp ne i64 %flag, 0
  br i1 %is, label %mark, label %on
mark:
  %address.place = getelementptr i64, ptr %addresses, i64 %at
  %address = load i64, ptr %address.place
  %twin = call ptr @device.twin(ptr %run, i64 %address)
  %newer.place = getelementptr i64, ptr %twin, i64 %newer
  store i64 1, ptr %newer.place
  br label %on
on:
  %next = add i64 %at, 1
  br label %look
end:
  ret void
}}

define internal i1 @device.host(ptr %run, ptr %row, ptr %values) {{
start:
  {load("count", "i64", "row", RowWord.BUFFERS)}
  %ready = call i1 @device.ready(ptr %run, ptr %values, i64 %count, i64 {TwinWord.DEVICE_IS_NEWER.value})
  br i1 %ready, label %mark, label %end
mark:
  call void @device.written(ptr %run, ptr %row, ptr %values, i64 {TwinWord.HOST_IS_NEWER.value})
  br label %end
end:
  ret i1 %ready
}}
"""


def memory_text() -> str:
    """The functions, and declarations of what they call."""
    return _DECLARATIONS + _POOL + _BUFFERS
