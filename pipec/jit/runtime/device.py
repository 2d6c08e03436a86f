"""What host programs with kernels call, as LLVM text: `i32 pipec_device(ptr table, i32 code, i32 lanes, ptr values)`.

A launch whose buffers are on the device and newest there goes from here to the driver: no Python, no interpreter lock.
Everything else (copies, new memory, errors, other Reports) is left to Python's report function, which puts the buffers
of a launch in order and returns; what it cannot, it raises. The tables are those of `pipec.jit.opencl.tables`.
"""

from __future__ import annotations

from pipec.jit.opencl.tables import (
    LAUNCH_SIZES,
    ArgumentWord,
    Kind,
    PoolWord,
    ProgramWord,
    RowWord,
    RunWord,
    TwinWord,
)
from pipec.jit.runtime.call_table import Entry
from pipec.jit.runtime.device_memory import load, memory_text, place
from pipec.jit.runtime.device_run import run_text

DEVICE = "pipec_device"

_LAUNCH = f"""
; Whether a launch can go to the driver: the group is small enough, the buffers are there, events have room.
define internal i1 @device.may.launch(ptr %run, ptr %row, ptr %values) {{
start:
  {load("most", "i64", "row", RowWord.MOST_THREADS)}
  {load("most.x", "i64", "row", RowWord.MOST_X)}
  {load("most.y", "i64", "row", RowWord.MOST_Y)}
  {load("most.z", "i64", "row", RowWord.MOST_Z)}
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
  {load("events", "i64", "run", RunWord.EVENT_COUNT)}
  {load("event.room", "i64", "run", RunWord.EVENT_ROOM)}
  %untimed = icmp eq i64 %event.room, 0
  %free = icmp slt i64 %events, %event.room
  %told = or i1 %untimed, %free
  %possible = and i1 %small, %told
  br i1 %possible, label %buffers, label %no
buffers:
  {load("scalars", "i64", "row", RowWord.SCALARS)}
  {load("count", "i64", "row", RowWord.BUFFERS)}
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
  {load("pool", "ptr", "program", ProgramWord.POOL)}
  {load("now", "i64", "pool", PoolWord.GENERATION)}
  {load("then", "i64", "row", RowWord.GENERATION)}
  %current = icmp eq i64 %now, %then
  store i64 %now, ptr %then.place
  {load("set", "ptr", "program", ProgramWord.SET_ARGUMENT)}
  {load("kernel", "ptr", "row", RowWord.KERNEL)}
  {load("arguments", "ptr", "row", RowWord.ARGUMENTS)}
  {load("scalars", "i64", "row", RowWord.SCALARS)}
  {load("buffers", "i64", "row", RowWord.BUFFERS)}
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
  {load("memory", "i64", "twin", TwinWord.MEMORY)}
  br label %compare
compare:
  %new = phi i64 [ %given, %value ], [ %memory, %buffer ]
  {load("is.set", "i64", "argument", ArgumentWord.IS_SET)}
  {load("old", "i64", "argument", ArgumentWord.VALUE)}
  %was.set = icmp ne i64 %is.set, 0
  %same = icmp eq i64 %new, %old
  %kept = and i1 %same, %was.set
  %skip = and i1 %kept, %current
  br i1 %skip, label %on, label %change
change:
  store i64 1, ptr %is.set.place
  store i64 %new, ptr %old.place
  {load("bytes", "i64", "argument", ArgumentWord.BYTES)}
  {load("is.float", "i64", "argument", ArgumentWord.IS_FLOAT)}
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
  {load("queue", "ptr", "run", RunWord.QUEUE)}
  {load("kernel", "ptr", "row", RowWord.KERNEL)}
  {load("enqueue", "ptr", "program", ProgramWord.ENQUEUE)}
  {load("events", "ptr", "run", RunWord.EVENTS)}
  {load("event.count", "i64", "run", RunWord.EVENT_COUNT)}
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
  {load("launches", "i64", "run", RunWord.LAUNCHES)}
  %one.more = add i64 %launches, 1
  store i64 %one.more, ptr %launches.place
  br i1 %untimed, label %end, label %timed
timed:
  {load("number", "i64", "row", RowWord.NUMBER)}
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
  {load("python", "ptr", "run", RunWord.PYTHON)}
  {load("scalars", "i64", "row", RowWord.SCALARS)}
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
  {place("failed.place", "run", RunWord.FAILED)}
  %wide = sext i32 %status to i64
  store i64 %wide, ptr %failed.place
  %raised = call i32 %python(ptr %table, i32 %code, i32 1, ptr %values)
  ret i32 %raised
}}

define i32 @{DEVICE}(ptr %table, i32 %code, i32 %lanes, ptr %values) {{
start:
  {load("run", "ptr", "table", Entry.DEVICE)}
  {load("python", "ptr", "run", RunWord.PYTHON)}
  {load("program", "ptr", "run", RunWord.PROGRAM)}
  {load("rows", "ptr", "program", ProgramWord.ROWS)}
  {load("lock", "ptr", "program", ProgramWord.LOCK)}
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
  {load("kind", "i64", "row", RowWord.KIND)}
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
    return memory_text() + _LAUNCH + run_text(DEVICE)
