"""What host programs with kernels call, as LLVM text: `i32 pipec_device(ptr table, i32 code, i32 lanes, ptr values)`.

A launch whose buffers are on the device and newest there goes from here to the driver: no Python, no interpreter lock.
Everything else (copies, new memory, errors, other Reports) is left to Python's report function, which puts the buffers
of a launch in order and returns; what it cannot, it raises. The tables are those of `pipec.jit.device_tables`.
"""

from __future__ import annotations

import enum

from pipec.jit.call_table import Entry
from pipec.jit.device_tables import (
    ENTRY_WORDS,
    GRAIN,
    LAUNCH_SIZES,
    ArgumentWord,
    EntryWord,
    Kind,
    PoolWord,
    ProgramWord,
    RowWord,
    RunWord,
    TwinWord,
)

DEVICE, TAKE, GIVE = "pipec_device", "pipec_pool_take", "pipec_pool_give"


def _place(name: str, base: str, word: enum.IntEnum) -> str:
    return f"%{name} = getelementptr i64, ptr %{base}, i64 {word.value}"


def _load(name: str, kind: str, base: str, word: enum.IntEnum) -> str:
    return f"{_place(f'{name}.place', base, word)}\n  %{name} = load {kind}, ptr %{name}.place"


_DECLARATIONS = """
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
"""

_POOL = f"""
; The memory at the lowest address: each run of a pipeline finds the same, and arguments of kernels stay set.
define i64 @{TAKE}(ptr %pool, i64 %amount) {{
start:
  {_load("lock", "ptr", "pool", PoolWord.LOCK)}
  %l = call i32 @pthread_mutex_lock(ptr %lock)
  {_load("count", "i64", "pool", PoolWord.COUNT)}
  {_load("rows", "ptr", "pool", PoolWord.ROWS)}
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
  {_load("kept", "i64", "pool", PoolWord.KEPT)}
  %less = sub i64 %kept, %amount
  store i64 %less, ptr %kept.place
  br label %end
end:
  %u = call i32 @pthread_mutex_unlock(ptr %lock)
  ret i64 %best
}}

; Whether there was room.
define i32 @{GIVE}(ptr %pool, i64 %amount, i64 %memory) {{
start:
  {_load("lock", "ptr", "pool", PoolWord.LOCK)}
  %l = call i32 @pthread_mutex_lock(ptr %lock)
  {_load("count", "i64", "pool", PoolWord.COUNT)}
  {_load("room", "i64", "pool", PoolWord.ROOM)}
  {_load("kept", "i64", "pool", PoolWord.KEPT)}
  {_load("most", "i64", "pool", PoolWord.MOST_KEPT)}
  %sum = add i64 %kept, %amount
  %few = icmp slt i64 %count, %room
  %small = icmp sle i64 %sum, %most
  %fits = and i1 %few, %small
  br i1 %fits, label %keep, label %end
keep:
  {_load("rows", "ptr", "pool", PoolWord.ROWS)}
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
; The entry of a buffer of the run, or null.
define internal ptr @device.entry(ptr %run, i64 %address) {{
start:
  {_load("entries", "ptr", "run", RunWord.ENTRIES)}
  {_load("count", "i64", "run", RunWord.COUNT)}
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
  {_load("twin", "ptr", "entry", EntryWord.TWIN)}
  {_place("own", "entry", EntryWord.OWN)}
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
  {_load("room", "i64", "run", RunWord.ROOM)}
  {_load("count", "i64", "run", RunWord.COUNT)}
  {_load("entries", "ptr", "run", RunWord.ENTRIES)}
  {_load("pool", "ptr", "program", ProgramWord.POOL)}
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
  {_place("twin.place", "entry", EntryWord.TWIN)}
  store ptr null, ptr %twin.place
  {_place("twin", "entry", EntryWord.OWN)}
  {_place("memory.place", "twin", TwinWord.MEMORY)}
  store i64 %memory, ptr %memory.place
  {_place("host.place", "twin", TwinWord.HOST_IS_NEWER)}
  store i64 0, ptr %host.place
  {_place("device.place", "twin", TwinWord.DEVICE_IS_NEWER)}
  store i64 0, ptr %device.place
  {_place("twin.size.place", "twin", TwinWord.SIZE)}
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
  {_place("twin", "entry", EntryWord.OWN)}
  {_load("memory", "i64", "twin", TwinWord.MEMORY)}
  {_load("size", "i64", "twin", TwinWord.SIZE)}
  {_load("pool", "ptr", "program", ProgramWord.POOL)}
  %amount = call i64 @device.rounded(i64 %size)
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
  {_load("written", "ptr", "row", RowWord.WRITTEN)}
  {_load("count", "i64", "row", RowWord.BUFFERS)}
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
  {_load("count", "i64", "row", RowWord.BUFFERS)}
  %ready = call i1 @device.ready(ptr %run, ptr %values, i64 %count, i64 {TwinWord.DEVICE_IS_NEWER.value})
  br i1 %ready, label %mark, label %end
mark:
  call void @device.written(ptr %run, ptr %row, ptr %values, i64 {TwinWord.HOST_IS_NEWER.value})
  br label %end
end:
  ret i1 %ready
}}
"""

_LAUNCH = f"""
; Whether a launch can go to the driver: the group is small enough, the buffers are there, events have room.
define internal i1 @device.may.launch(ptr %run, ptr %row, ptr %values) {{
start:
  {_load("most", "i64", "row", RowWord.MOST_THREADS)}
  {_load("most.x", "i64", "row", RowWord.MOST_X)}
  {_load("most.y", "i64", "row", RowWord.MOST_Y)}
  {_load("most.z", "i64", "row", RowWord.MOST_Z)}
  %x.place = getelementptr i64, ptr %values, i64 3
  %x = load i64, ptr %x.place
  %y.place = getelementptr i64, ptr %values, i64 4
  %y = load i64, ptr %y.place
  %z.place = getelementptr i64, ptr %values, i64 5
  %z = load i64, ptr %z.place
  %xy = mul i64 %x, %y
  %xyz = mul i64 %xy, %z
  %few = icmp sle i64 %xyz, %most
  %few.x = icmp sle i64 %x, %most.x
  %few.y = icmp sle i64 %y, %most.y
  %few.z = icmp sle i64 %z, %most.z
  %a = and i1 %few, %few.x
  %b = and i1 %few.y, %few.z
  %small = and i1 %a, %b
  {_load("events", "i64", "run", RunWord.EVENT_COUNT)}
  {_load("event.room", "i64", "run", RunWord.EVENT_ROOM)}
  %untimed = icmp eq i64 %event.room, 0
  %free = icmp slt i64 %events, %event.room
  %told = or i1 %untimed, %free
  %possible = and i1 %small, %told
  br i1 %possible, label %buffers, label %no
buffers:
  {_load("scalars", "i64", "row", RowWord.SCALARS)}
  {_load("count", "i64", "row", RowWord.BUFFERS)}
  %first = add i64 %scalars, {LAUNCH_SIZES}
  %addresses = getelementptr i64, ptr %values, i64 %first
  %ready = call i1 @device.ready(ptr %run, ptr %addresses, i64 %count, i64 {TwinWord.HOST_IS_NEWER.value})
  ret i1 %ready
no:
  ret i1 false
}}

; Gives a kernel those arguments that differ from the last ones; what the driver says.
define internal i32 @device.arguments(ptr %run, ptr %program, ptr %row, ptr %values) {{
start:
  %slot = alloca i64
  {_load("pool", "ptr", "program", ProgramWord.POOL)}
  {_load("now", "i64", "pool", PoolWord.GENERATION)}
  {_load("then", "i64", "row", RowWord.GENERATION)}
  %current = icmp eq i64 %now, %then
  store i64 %now, ptr %then.place
  {_load("set", "ptr", "program", ProgramWord.SET_ARGUMENT)}
  {_load("kernel", "ptr", "row", RowWord.KERNEL)}
  {_load("arguments", "ptr", "row", RowWord.ARGUMENTS)}
  {_load("scalars", "i64", "row", RowWord.SCALARS)}
  {_load("buffers", "i64", "row", RowWord.BUFFERS)}
  %count = add i64 %scalars, %buffers
  br label %look
look:
  %at = phi i64 [ 0, %start ], [ %next, %on ]
  %more = icmp slt i64 %at, %count
  br i1 %more, label %value, label %done
value:
  %value.at = add i64 %at, {LAUNCH_SIZES}
  %value.place = getelementptr i64, ptr %values, i64 %value.at
  %given = load i64, ptr %value.place
  %offset = mul i64 %at, {len(ArgumentWord)}
  %argument = getelementptr i64, ptr %arguments, i64 %offset
  %is.scalar = icmp slt i64 %at, %scalars
  br i1 %is.scalar, label %compare, label %buffer
buffer:
  %twin = call ptr @device.twin(ptr %run, i64 %given)
  {_load("memory", "i64", "twin", TwinWord.MEMORY)}
  br label %compare
compare:
  %new = phi i64 [ %given, %value ], [ %memory, %buffer ]
  {_load("is.set", "i64", "argument", ArgumentWord.IS_SET)}
  {_load("old", "i64", "argument", ArgumentWord.VALUE)}
  %was.set = icmp ne i64 %is.set, 0
  %same = icmp eq i64 %new, %old
  %kept = and i1 %same, %was.set
  %skip = and i1 %kept, %current
  br i1 %skip, label %on, label %change
change:
  store i64 1, ptr %is.set.place
  store i64 %new, ptr %old.place
  {_load("bytes", "i64", "argument", ArgumentWord.BYTES)}
  {_load("is.float", "i64", "argument", ArgumentWord.IS_FLOAT)}
  store i64 %new, ptr %slot
  %narrows = icmp ne i64 %is.float, 0
  br i1 %narrows, label %narrow, label %give
narrow:
  %double = bitcast i64 %new to double
  %float = fptrunc double %double to float
  store float %float, ptr %slot
  br label %give
give:
  %number = trunc i64 %at to i32
  %status = call i32 %set(ptr %kernel, i32 %number, i64 %bytes, ptr %slot)
  %well = icmp eq i32 %status, 0
  br i1 %well, label %on, label %failed
on:
  %next = add i64 %at, 1
  br label %look
done:
  ret i32 0
failed:
  ; All are given again.
  store i64 -1, ptr %then.place
  ret i32 %status
}}

; What the driver says to a launch.
define internal i32 @device.enqueue(ptr %run, ptr %program, ptr %row, ptr %values) {{
start:
  %global = alloca [3 x i64]
  br label %sizes
sizes:
  %axis = phi i64 [ 0, %start ], [ %next, %sizes ]
  %grid.place = getelementptr i64, ptr %values, i64 %axis
  %grid = load i64, ptr %grid.place
  %local.at = add i64 %axis, 3
  %local.place = getelementptr i64, ptr %values, i64 %local.at
  %local = load i64, ptr %local.place
  %product = mul i64 %grid, %local
  %global.place = getelementptr i64, ptr %global, i64 %axis
  store i64 %product, ptr %global.place
  %next = add i64 %axis, 1
  %more = icmp slt i64 %next, 3
  br i1 %more, label %sizes, label %event
event:
  %locals = getelementptr i64, ptr %values, i64 3
  {_load("queue", "ptr", "run", RunWord.QUEUE)}
  {_load("kernel", "ptr", "row", RowWord.KERNEL)}
  {_load("enqueue", "ptr", "program", ProgramWord.ENQUEUE)}
  {_load("events", "ptr", "run", RunWord.EVENTS)}
  {_load("event.count", "i64", "run", RunWord.EVENT_COUNT)}
  %untimed = icmp eq ptr %events, null
  %offset = shl i64 %event.count, 1
  %place = getelementptr i64, ptr %events, i64 %offset
  %told = select i1 %untimed, ptr null, ptr %place
  %status = call i32 %enqueue(
    ptr %queue, ptr %kernel, i32 3, ptr null, ptr %global, ptr %locals, i32 0, ptr null, ptr %told
  )
  %well = icmp eq i32 %status, 0
  br i1 %well, label %count, label %end
count:
  {_load("launches", "i64", "run", RunWord.LAUNCHES)}
  %one.more = add i64 %launches, 1
  store i64 %one.more, ptr %launches.place
  br i1 %untimed, label %end, label %timed
timed:
  {_load("number", "i64", "row", RowWord.NUMBER)}
  %number.of = getelementptr i64, ptr %place, i64 1
  store i64 %number, ptr %number.of
  %event.more = add i64 %event.count, 1
  store i64 %event.more, ptr %event.count.place
  br label %end
end:
  ret i32 %status
}}

define internal i32 @device.launch(ptr %run, ptr %program, ptr %row, ptr %table, i32 %code, ptr %values) {{
start:
  {_load("python", "ptr", "run", RunWord.PYTHON)}
  {_load("scalars", "i64", "row", RowWord.SCALARS)}
  %first = add i64 %scalars, {LAUNCH_SIZES}
  %addresses = getelementptr i64, ptr %values, i64 %first
  %y.place = getelementptr i64, ptr %values, i64 1
  %z.place = getelementptr i64, ptr %values, i64 2
  %x = load i64, ptr %values
  %y = load i64, ptr %y.place
  %z = load i64, ptr %z.place
  %no.x = icmp sle i64 %x, 0
  %no.y = icmp sle i64 %y, 0
  %no.z = icmp sle i64 %z, 0
  %no.xy = or i1 %no.x, %no.y
  %empty = or i1 %no.xy, %no.z
  br i1 %empty, label %well, label %look
look:
  %may = call i1 @device.may.launch(ptr %run, ptr %row, ptr %values)
  br i1 %may, label %arguments, label %prepare
prepare:
  %prepared = call i32 %python(ptr %table, i32 %code, i32 1, ptr %values)
  %ended = icmp slt i32 %prepared, 0
  br i1 %ended, label %no, label %arguments
no:
  ret i32 %prepared
arguments:
  %set = call i32 @device.arguments(ptr %run, ptr %program, ptr %row, ptr %values)
  %given = icmp eq i32 %set, 0
  br i1 %given, label %enqueue, label %failed
enqueue:
  %said = call i32 @device.enqueue(ptr %run, ptr %program, ptr %row, ptr %values)
  %done = icmp eq i32 %said, 0
  br i1 %done, label %mark, label %failed
mark:
  call void @device.written(ptr %run, ptr %row, ptr %addresses, i64 {TwinWord.DEVICE_IS_NEWER.value})
  br label %well
well:
  ret i32 0
failed:
  %status = phi i32 [ %set, %arguments ], [ %said, %enqueue ]
  {_place("failed.place", "run", RunWord.FAILED)}
  %wide = sext i32 %status to i64
  store i64 %wide, ptr %failed.place
  %raised = call i32 %python(ptr %table, i32 %code, i32 1, ptr %values)
  ret i32 %raised
}}

define i32 @{DEVICE}(ptr %table, i32 %code, i32 %lanes, ptr %values) {{
start:
  {_load("run", "ptr", "table", Entry.DEVICE)}
  {_load("python", "ptr", "run", RunWord.PYTHON)}
  {_load("program", "ptr", "run", RunWord.PROGRAM)}
  {_load("rows", "ptr", "program", ProgramWord.ROWS)}
  {_load("lock", "ptr", "program", ProgramWord.LOCK)}
  %wide = sext i32 %code to i64
  %row.place = getelementptr ptr, ptr %rows, i64 %wide
  %row = load ptr, ptr %row.place
  %other = icmp eq ptr %row, null
  br i1 %other, label %plain, label %locked
plain:
  %told = call i32 %python(ptr %table, i32 %code, i32 %lanes, ptr %values)
  ret i32 %told
locked:
  %l = call i32 @pthread_mutex_lock(ptr %lock)
  {_load("kind", "i64", "row", RowWord.KIND)}
  switch i64 %kind, label %free [
    i64 {Kind.LAUNCH.value}, label %launch
    i64 {Kind.HOST.value}, label %host
    i64 {Kind.ALLOCATE.value}, label %allocate
  ]
launch:
  %launched = call i32 @device.launch(ptr %run, ptr %program, ptr %row, ptr %table, i32 %code, ptr %values)
  br label %end
host:
  %hosted = call i1 @device.host(ptr %run, ptr %row, ptr %values)
  br i1 %hosted, label %end, label %ask
allocate:
  %allocated = call i1 @device.allocate(ptr %run, ptr %program, ptr %values)
  br i1 %allocated, label %end, label %ask
free:
  %freed = call i1 @device.free(ptr %run, ptr %program, ptr %values)
  br i1 %freed, label %end, label %ask
ask:
  %asked = call i32 %python(ptr %table, i32 %code, i32 1, ptr %values)
  br label %end
end:
  %answer = phi i32 [ %launched, %launch ], [ 0, %host ], [ 0, %allocate ], [ 0, %free ], [ %asked, %ask ]
  %u = call i32 @pthread_mutex_unlock(ptr %lock)
  ret i32 %answer
}}
"""


def device_text() -> str:
    """The module."""
    return _DECLARATIONS + _POOL + _BUFFERS + _LAUNCH
