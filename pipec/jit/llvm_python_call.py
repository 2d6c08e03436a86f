"""A function of CPython's C API that reads numpy arrays, Buffers and numbers itself, as LLVM text.

`PyObject *pipec_python_call(PyObject *self, PyObject *const *args, Py_ssize_t nargs)`, to be made a builtin with
METH_FASTCALL. `self` is a bytearray that holds a table of 64-bit numbers: a head, and a row for each argument of the
machine code. It calls the machine code without the GIL, and gives True when all is done. False: something is unusual
or has failed; nothing is raised, and the caller takes the way that tells what is wrong. Needs a GIL and 64 bits.
"""

from __future__ import annotations

import enum

PYTHON_CALL = "pipec_python_call"


class Head(enum.IntEnum):
    """The head of the table. EXACT may be 0: the address of the variant to run when a check of BORDERS failed.

    SLOTS: how many numbers the machine code reads and writes; CODE: which of them tells what check failed. BORDERS: the
    address of a byte for each of CHECKS checks. CALLS counts what was done. INT and so on: the addresses of the types.
    BUFFER_...: byte offsets of the slots of a Buffer object.
    """

    ENTRY = 0
    EXACT = 1
    GIVEN = 2
    ROWS = 3
    SLOTS = 4
    CODE = 5
    BORDERS = 6
    CHECKS = 7
    CALLS = 8
    INT = 9
    BOOL = 10
    FLOAT = 11
    TUPLE = 12
    BYTES = 13
    ARRAY = 14
    BUFFER = 15
    BUFFER_ARRAY = 16
    BUFFER_TYPE = 17
    BUFFER_SLOTS = 18


class Row(enum.IntEnum):
    """A row of the table. The argument is number PLACE of those given, or OBJECT when that is not 0.

    Integers must be from LOW to HIGH. Buffers: the numpy DTYPE and our TYPE as addresses of objects, the number of
    DIMENSIONS, SHIFT as the binary logarithm of the bytes of an element, FLAGS of numpy that must be set, whether it is
    an OUTPUT, and the slot of the buffer that must have the SAME bounds (its own, mostly).
    """

    KIND = 0
    PLACE = 1
    OBJECT = 2
    SLOT = 3
    LOW = 4
    HIGH = 5
    DTYPE = 6
    TYPE = 7
    DIMENSIONS = 8
    SHIFT = 9
    FLAGS = 10
    OUTPUT = 11
    SAME = 12


class Kind(enum.IntEnum):
    """What an argument is."""

    BUFFER = 0
    INTEGER = 1
    FLOAT32 = 2
    FLOAT64 = 3


# Byte offsets in objects of a build with a GIL and 64 bits; those of arrays are numpy's ABI, 1.x and 2.x.
TYPE_OF_OBJECT = 8
ARRAY_DATA, ARRAY_DIMENSIONS, ARRAY_SHAPE, ARRAY_STRIDES, ARRAY_DTYPE, ARRAY_FLAGS = 16, 24, 32, 40, 56, 64
C_CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400

IMPORTS = (
    "PyByteArray_AsString",
    "PyBool_FromLong",
    "PyBytes_AsString",
    "PyBytes_Size",
    "PyEval_RestoreThread",
    "PyEval_SaveThread",
    "PyFloat_AsDouble",
    "PyLong_AsLongLongAndOverflow",
    "PyTuple_GetItem",
    "PyTuple_Size",
    "Py_DecRef",
    "Py_IncRef",
)

_DECLARATIONS = """
declare ptr @PyByteArray_AsString(ptr)
declare ptr @PyBool_FromLong(i64)
declare ptr @PyBytes_AsString(ptr)
declare i64 @PyBytes_Size(ptr)
declare void @PyEval_RestoreThread(ptr)
declare ptr @PyEval_SaveThread()
declare double @PyFloat_AsDouble(ptr)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare ptr @PyTuple_GetItem(ptr, i64)
declare i64 @PyTuple_Size(ptr)
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.abs.i64(i64, i1)
"""


def _head(value: str, entry: Head, kind: str = "i64") -> str:
    """Lines that read an entry of the head."""
    return f"%at.{value} = getelementptr i64, ptr %head, i64 {entry}\n  %{value} = load {kind}, ptr %at.{value}"


def _row(value: str, entry: Row, kind: str = "i64") -> str:
    return f"%at.{value} = getelementptr i64, ptr %row, i64 {entry}\n  %{value} = load {kind}, ptr %at.{value}"


def _field(value: str, base: str, offset: int | str, kind: str) -> str:
    return f"%at.{value} = getelementptr i8, ptr {base}, i64 {offset}\n  %{value} = load {kind}, ptr %at.{value}"


_NUMBER = f"""
define internal i1 @take.number(ptr %head, ptr %row, ptr %object, ptr %slot) {{
start:
  %overflow = alloca i32
  {_field("type", "%object", TYPE_OF_OBJECT, "ptr")}
  {_head("int", Head.INT, "ptr")}
  {_head("bool", Head.BOOL, "ptr")}
  {_head("float", Head.FLOAT, "ptr")}
  {_row("kind", Row.KIND)}
  %is.int = icmp eq ptr %type, %int
  %is.bool = icmp eq ptr %type, %bool
  %whole = or i1 %is.int, %is.bool
  br i1 %whole, label %integer, label %other
integer:
  %value = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflow)
  %over = load i32, ptr %overflow
  %fits = icmp eq i32 %over, 0
  br i1 %fits, label %check, label %no
check:
  {_row("low", Row.LOW)}
  {_row("high", Row.HIGH)}
  %above = icmp sge i64 %value, %low
  %below = icmp sle i64 %value, %high
  %inside = and i1 %above, %below
  br i1 %inside, label %store, label %no
store:
  %wants.integer = icmp eq i64 %kind, {Kind.INTEGER}
  br i1 %wants.integer, label %as.integer, label %as.float
as.integer:
  store i64 %value, ptr %slot
  ret i1 true
as.float:
  %from.integer = sitofp i64 %value to double
  br label %floating
other:
  %is.float = icmp eq ptr %type, %float
  %wants.float = icmp ne i64 %kind, {Kind.INTEGER}
  %both = and i1 %is.float, %wants.float
  br i1 %both, label %read.float, label %no
read.float:
  %from.float = call double @PyFloat_AsDouble(ptr %object)
  br label %floating
floating:
  %number = phi double [ %from.integer, %as.float ], [ %from.float, %read.float ]
  %wide = bitcast double %number to i64
  %narrow = fptrunc double %number to float
  %narrow.bits = bitcast float %narrow to i32
  %narrow.wide = zext i32 %narrow.bits to i64
  %is.wide = icmp eq i64 %kind, {Kind.FLOAT64}
  %bits = select i1 %is.wide, i64 %wide, i64 %narrow.wide
  store i64 %bits, ptr %slot
  ret i1 true
no:
  ret i1 false
}}
"""

# Where the bytes of a buffer begin and end goes to %span.
_ARRAY = f"""
define internal i1 @has.flags(ptr %row, ptr %array) {{
start:
  {_field("flags", "%array", ARRAY_FLAGS, "i32")}
  {_row("wanted", Row.FLAGS, "i32")}
  %set = and i32 %flags, %wanted
  %all = icmp eq i32 %set, %wanted
  ret i1 %all
}}

define internal i1 @take.array(ptr %row, ptr %array, ptr %slot, ptr %span) {{
start:
  {_field("dtype", "%array", ARRAY_DTYPE, "ptr")}
  {_row("wanted", Row.DTYPE, "ptr")}
  %same.type = icmp eq ptr %dtype, %wanted
  {_field("count", "%array", ARRAY_DIMENSIONS, "i32")}
  {_row("dimensions", Row.DIMENSIONS)}
  %wide = sext i32 %count to i64
  %same.count = icmp eq i64 %wide, %dimensions
  %flagged = call i1 @has.flags(ptr %row, ptr %array)
  {_field("data", "%array", ARRAY_DATA, "i64")}
  {_row("shift", Row.SHIFT)}
  %size = shl i64 1, %shift
  %mask = sub i64 %size, 1
  %rest = and i64 %data, %mask
  %aligned = icmp eq i64 %rest, 0
  %a = and i1 %same.type, %same.count
  %b = and i1 %flagged, %aligned
  %right = and i1 %a, %b
  br i1 %right, label %begin, label %no
begin:
  store i64 %data, ptr %slot
  %past = add i64 %data, %size
  {_field("shape", "%array", ARRAY_SHAPE, "ptr")}
  {_field("strides", "%array", ARRAY_STRIDES, "ptr")}
  {_field("flags", "%array", ARRAY_FLAGS, "i32")}
  %c.flag = and i32 %flags, {C_CONTIGUOUS}
  %dense = icmp ne i32 %c.flag, 0
  br label %loop
loop:
  %d = phi i64 [ 0, %begin ], [ %next, %step ]
  %place = phi ptr [ %slot, %begin ], [ %p.stride, %step ]
  %low = phi i64 [ %data, %begin ], [ %lower, %step ]
  %high = phi i64 [ %past, %begin ], [ %higher, %step ]
  %product = phi i64 [ 1, %begin ], [ %larger, %step ]
  %more = icmp slt i64 %d, %dimensions
  br i1 %more, label %dimension, label %end
dimension:
  %next = add i64 %d, 1
  %axis = sub i64 %dimensions, %next
  %p.shape = getelementptr i64, ptr %shape, i64 %axis
  %extent = load i64, ptr %p.shape
  %less = sub i64 %extent, 1
  %sensible = icmp ult i64 %less, {(1 << 31) - 1}
  %p.bytes = getelementptr i64, ptr %strides, i64 %axis
  %bytes = load i64, ptr %p.bytes
  %remainder = and i64 %bytes, %mask
  %whole = icmp eq i64 %remainder, 0
  %elements = ashr i64 %bytes, %shift
  ; Of dense arrays numpy leaves the strides of extents of 1 to chance.
  %stride = select i1 %dense, i64 %product, i64 %elements
  %reach = call i64 @llvm.abs.i64(i64 %stride, i1 false)
  %near = icmp ult i64 %reach, {1 << 31}
  %c = and i1 %sensible, %whole
  %fine = and i1 %c, %near
  br i1 %fine, label %step, label %no
step:
  %p.min = getelementptr i64, ptr %place, i64 1
  store i64 0, ptr %p.min
  %p.extent = getelementptr i64, ptr %place, i64 2
  store i64 %extent, ptr %p.extent
  %p.stride = getelementptr i64, ptr %place, i64 3
  store i64 %stride, ptr %p.stride
  %elements.away = mul i64 %stride, %less
  %away = shl i64 %elements.away, %shift
  %down = call i64 @llvm.smin.i64(i64 %away, i64 0)
  %up = call i64 @llvm.smax.i64(i64 %away, i64 0)
  %lower = add i64 %low, %down
  %higher = add i64 %high, %up
  %larger = mul i64 %product, %extent
  br label %loop
end:
  store i64 %low, ptr %span
  %p.high = getelementptr i64, ptr %span, i64 1
  store i64 %high, ptr %p.high
  ret i1 true
no:
  ret i1 false
}}
"""

# The array that a Buffer holds at present goes to %held: another thread may take it away while the machine code runs.
_BUFFER = f"""
define internal i1 @take.buffer(ptr %head, ptr %row, ptr %object, ptr %slot, ptr %span, ptr %held) {{
start:
  {_head("offset.type", Head.BUFFER_TYPE)}
  {_field("type", "%object", "%offset.type", "ptr")}
  {_row("wanted", Row.TYPE, "ptr")}
  %same.type = icmp eq ptr %type, %wanted
  br i1 %same.type, label %typed, label %no
typed:
  {_head("offset.array", Head.BUFFER_ARRAY)}
  {_field("array", "%object", "%offset.array", "ptr")}
  %is.array = call i1 @is(ptr %head, i64 {Head.ARRAY}, ptr %array)
  br i1 %is.array, label %filled, label %no
filled:
  %flagged = call i1 @has.flags(ptr %row, ptr %array)
  {_head("offset.slots", Head.BUFFER_SLOTS)}
  {_field("slots", "%object", "%offset.slots", "ptr")}
  %is.tuple = call i1 @is(ptr %head, i64 {Head.TUPLE}, ptr %slots)
  %both = and i1 %flagged, %is.tuple
  br i1 %both, label %described, label %no
described:
  %length = call i64 @PyTuple_Size(ptr %slots)
  %three = icmp eq i64 %length, 3
  br i1 %three, label %third, label %no
third:
  %packed = call ptr @PyTuple_GetItem(ptr %slots, i64 2)
  %is.bytes = call i1 @is(ptr %head, i64 {Head.BYTES}, ptr %packed)
  br i1 %is.bytes, label %measured, label %no
measured:
  %bytes = call i64 @PyBytes_Size(ptr %packed)
  {_row("dimensions", Row.DIMENSIONS)}
  %shape.bytes = mul i64 %dimensions, 24
  %all.bytes = add i64 %shape.bytes, 24
  %same.count = icmp eq i64 %bytes, %all.bytes
  br i1 %same.count, label %read, label %no
read:
  %numbers = call ptr @PyBytes_AsString(ptr %packed)
  %data = load i64, ptr %numbers, align 1
  {_row("shift", Row.SHIFT)}
  %size = shl i64 1, %shift
  %mask = sub i64 %size, 1
  %rest = and i64 %data, %mask
  %aligned = icmp eq i64 %rest, 0
  br i1 %aligned, label %copy, label %no
copy:
  store i64 %data, ptr %slot
  %bounds = getelementptr i64, ptr %numbers, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %span, ptr %bounds, i64 16, i1 false)
  %after = getelementptr i64, ptr %slot, i64 1
  %shape = getelementptr i64, ptr %numbers, i64 3
  call void @llvm.memcpy.p0.p0.i64(ptr %after, ptr %shape, i64 %shape.bytes, i1 false)
  store ptr %array, ptr %held
  ret i1 true
no:
  ret i1 false
}}

; Whether an object, which may be missing, is of just the type that an entry of the head names.
define internal i1 @is(ptr %head, i64 %entry, ptr %object) {{
start:
  %there = icmp ne ptr %object, null
  br i1 %there, label %look, label %no
look:
  {_field("type", "%object", TYPE_OF_OBJECT, "ptr")}
  %p.wanted = getelementptr i64, ptr %head, i64 %entry
  %wanted = load ptr, ptr %p.wanted
  %same = icmp eq ptr %type, %wanted
  ret i1 %same
no:
  ret i1 false
}}
"""

_ROW_BYTES = 8 * len(Row)
_FIRST_ROW = 8 * len(Head)

# No output may reach into the bytes of another buffer, and the buffers of a Func's values must have the same bounds.
_SEPARATE = f"""
define internal i1 @are.separate(ptr %head, i64 %rows, ptr %spans, ptr %slots) {{
start:
  br label %outer
outer:
  %i = phi i64 [ 0, %start ], [ %i.next, %outer.end ]
  %more = icmp ult i64 %i, %rows
  br i1 %more, label %one, label %yes
one:
  %offset = mul i64 %i, {_ROW_BYTES}
  %from = add i64 %offset, {_FIRST_ROW}
  %row = getelementptr i8, ptr %head, i64 %from
  %i.next = add i64 %i, 1
  {_row("output", Row.OUTPUT)}
  %is.output = icmp ne i64 %output, 0
  br i1 %is.output, label %look, label %outer.end
look:
  %span = getelementptr {{ i64, i64 }}, ptr %spans, i64 %i
  %low = load i64, ptr %span
  {_field("high", "%span", 8, "i64")}
  br label %inner
inner:
  %j = phi i64 [ 0, %look ], [ %j.next, %apart ]
  %others = icmp ult i64 %j, %rows
  br i1 %others, label %pair, label %bounds
pair:
  %j.next = add i64 %j, 1
  %other = getelementptr {{ i64, i64 }}, ptr %spans, i64 %j
  %other.low = load i64, ptr %other
  {_field("other.high", "%other", 8, "i64")}
  %before = icmp ult i64 %low, %other.high
  %behind = icmp ult i64 %other.low, %high
  %meet = and i1 %before, %behind
  %itself = icmp eq i64 %i, %j
  %not.itself = xor i1 %itself, true
  %shared = and i1 %meet, %not.itself
  br i1 %shared, label %no, label %apart
apart:
  br label %inner
bounds:
  {_row("own", Row.SLOT)}
  {_row("same", Row.SAME)}
  {_row("dimensions", Row.DIMENSIONS)}
  br label %compare
compare:
  %d = phi i64 [ 0, %bounds ], [ %d.next, %equal ]
  %d.more = icmp ult i64 %d, %dimensions
  br i1 %d.more, label %dimension, label %outer.end
dimension:
  %d.next = add i64 %d, 1
  %d.offset = mul i64 %d, 3
  %d.min = add i64 %d.offset, 1
  %a.at = add i64 %own, %d.min
  %b.at = add i64 %same, %d.min
  %a = getelementptr i64, ptr %slots, i64 %a.at
  %b = getelementptr i64, ptr %slots, i64 %b.at
  %a.min = load i64, ptr %a
  %b.min = load i64, ptr %b
  {_field("a.extent", "%a", 8, "i64")}
  {_field("b.extent", "%b", 8, "i64")}
  %e.min = icmp eq i64 %a.min, %b.min
  %e.extent = icmp eq i64 %a.extent, %b.extent
  %e = and i1 %e.min, %e.extent
  br i1 %e, label %equal, label %no
equal:
  br label %compare
outer.end:
  br label %outer
yes:
  ret i1 true
no:
  ret i1 false
}}
"""

_RUN = f"""
define internal i32 @run(ptr %head, ptr %slots) {{
start:
  {_head("entry", Head.ENTRY, "ptr")}
  %first = call i32 %entry(ptr %slots)
  %failed = icmp eq i32 %first, 1
  {_head("exact", Head.EXACT, "ptr")}
  %has.exact = icmp ne ptr %exact, null
  %may = and i1 %failed, %has.exact
  br i1 %may, label %look, label %end
look:
  {_head("code", Head.CODE)}
  %p.check = getelementptr i64, ptr %slots, i64 %code
  %check = load i64, ptr %p.check
  {_head("checks", Head.CHECKS)}
  %known = icmp ult i64 %check, %checks
  br i1 %known, label %kind, label %end
kind:
  {_head("borders", Head.BORDERS, "ptr")}
  %p.border = getelementptr i8, ptr %borders, i64 %check
  %border = load i8, ptr %p.border
  %is.border = icmp ne i8 %border, 0
  br i1 %is.border, label %again, label %end
again:
  %second = call i32 %exact(ptr %slots)
  ret i32 %second
end:
  ret i32 %first
}}

; %change is Py_IncRef or Py_DecRef.
define internal void @references(ptr %held, i64 %rows, ptr %change) {{
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %end ]
  %more = icmp ult i64 %i, %rows
  br i1 %more, label %one, label %done
one:
  %next = add i64 %i, 1
  %p = getelementptr ptr, ptr %held, i64 %i
  %object = load ptr, ptr %p
  %there = icmp ne ptr %object, null
  br i1 %there, label %count, label %end
count:
  call void %change(ptr %object)
  br label %end
end:
  br label %loop
done:
  ret void
}}
"""

_CALL = f"""
define ptr @{PYTHON_CALL}(ptr %self, ptr %args, i64 %given) {{
start:
  %head = call ptr @PyByteArray_AsString(ptr %self)
  {_head("wanted", Head.GIVEN)}
  %right = icmp eq i64 %wanted, %given
  br i1 %right, label %begin, label %no
begin:
  {_head("rows", Head.ROWS)}
  {_head("count", Head.SLOTS)}
  %slots = alloca i64, i64 %count, align 64
  %spans = alloca {{ i64, i64 }}, i64 %rows, align 16
  %held = alloca ptr, i64 %rows, align 16
  br label %loop
loop:
  %i = phi i64 [ 0, %begin ], [ %next, %taken ]
  %more = icmp ult i64 %i, %rows
  br i1 %more, label %take, label %all
take:
  %next = add i64 %i, 1
  %offset = mul i64 %i, {_ROW_BYTES}
  %from = add i64 %offset, {_FIRST_ROW}
  %row = getelementptr i8, ptr %head, i64 %from
  {_row("fixed", Row.OBJECT, "ptr")}
  {_row("place", Row.PLACE)}
  {_row("number", Row.SLOT)}
  {_row("kind", Row.KIND)}
  %p.argument = getelementptr ptr, ptr %args, i64 %place
  %argument = load ptr, ptr %p.argument
  %is.fixed = icmp ne ptr %fixed, null
  %object = select i1 %is.fixed, ptr %fixed, ptr %argument
  %slot = getelementptr i64, ptr %slots, i64 %number
  %span = getelementptr {{ i64, i64 }}, ptr %spans, i64 %i
  %hold = getelementptr ptr, ptr %held, i64 %i
  store {{ i64, i64 }} zeroinitializer, ptr %span
  store ptr null, ptr %hold
  %is.buffer = icmp eq i64 %kind, {Kind.BUFFER}
  br i1 %is.buffer, label %buffer, label %scalar
scalar:
  %took.scalar = call i1 @take.number(ptr %head, ptr %row, ptr %object, ptr %slot)
  br i1 %took.scalar, label %taken, label %no
buffer:
  %is.array = call i1 @is(ptr %head, i64 {Head.ARRAY}, ptr %object)
  br i1 %is.array, label %array, label %other
array:
  %took.array = call i1 @take.array(ptr %row, ptr %object, ptr %slot, ptr %span)
  br i1 %took.array, label %taken, label %no
other:
  %is.ours = call i1 @is(ptr %head, i64 {Head.BUFFER}, ptr %object)
  br i1 %is.ours, label %ours, label %no
ours:
  %took.ours = call i1 @take.buffer(ptr %head, ptr %row, ptr %object, ptr %slot, ptr %span, ptr %hold)
  br i1 %took.ours, label %taken, label %no
taken:
  br label %loop
all:
  %separate = call i1 @are.separate(ptr %head, i64 %rows, ptr %spans, ptr %slots)
  br i1 %separate, label %call, label %no
call:
  ; No call table: programs that report are not called from here.
  {_head("code", Head.CODE)}
  %table.at = sub i64 %code, 1
  %p.table = getelementptr i64, ptr %slots, i64 %table.at
  store i64 0, ptr %p.table
  call void @references(ptr %held, i64 %rows, ptr @Py_IncRef)
  %thread = call ptr @PyEval_SaveThread()
  %status = call i32 @run(ptr %head, ptr %slots)
  call void @PyEval_RestoreThread(ptr %thread)
  call void @references(ptr %held, i64 %rows, ptr @Py_DecRef)
  %done = icmp eq i32 %status, 0
  %one = zext i1 %done to i64
  {_head("calls", Head.CALLS)}
  %calls.now = add i64 %calls, %one
  store i64 %calls.now, ptr %at.calls
  %answer = call ptr @PyBool_FromLong(i64 %one)
  ret ptr %answer
no:
  %false = call ptr @PyBool_FromLong(i64 0)
  ret ptr %false
}}
"""


def python_call_text() -> str:
    """The module; the addresses of the functions of IMPORTS must be given to it."""
    return "".join([_DECLARATIONS, _NUMBER, _ARRAY, _BUFFER, _SEPARATE, _RUN, _CALL])
