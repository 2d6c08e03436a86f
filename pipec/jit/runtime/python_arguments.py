"""How a quick call takes its arguments, as LLVM text: numbers, numpy arrays and Buffers."""

from __future__ import annotations

from pipec.jit.runtime.python_call_layout import (
    ARRAY_DATA,
    ARRAY_DIMENSIONS,
    ARRAY_DTYPE,
    ARRAY_FLAGS,
    ARRAY_SHAPE,
    ARRAY_STRIDES,
    C_CONTIGUOUS,
    ON_DEVICE_ITEMS,
    ON_HOST_ITEMS,
    TYPE_OF_OBJECT,
    Head,
    Kind,
    Row,
    field,
    head,
    row,
)

_NUMBER = f"""
define internal i1 @take.number(ptr %head, ptr %row, ptr %object, ptr %slot) {{
start:
  %overflow = alloca i32
  {field("type", "%object", TYPE_OF_OBJECT, "ptr")}
  {head("int", Head.INT, "ptr")}
  {head("bool", Head.BOOL, "ptr")}
  {head("float", Head.FLOAT, "ptr")}
  {row("kind", Row.KIND)}
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
  {row("low", Row.LOW)}
  {row("high", Row.HIGH)}
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
  {field("flags", "%array", ARRAY_FLAGS, "i32")}
  {row("wanted", Row.FLAGS, "i32")}
  %set = and i32 %flags, %wanted
  %all = icmp eq i32 %set, %wanted
  ret i1 %all
}}

define internal i1 @take.array(ptr %row, ptr %array, ptr %slot, ptr %span) {{
start:
  {field("dtype", "%array", ARRAY_DTYPE, "ptr")}
  {row("wanted", Row.DTYPE, "ptr")}
  %same.type = icmp eq ptr %dtype, %wanted
  {field("count", "%array", ARRAY_DIMENSIONS, "i32")}
  {row("dimensions", Row.DIMENSIONS)}
  %wide = sext i32 %count to i64
  %same.count = icmp eq i64 %wide, %dimensions
  %flagged = call i1 @has.flags(ptr %row, ptr %array)
  {field("data", "%array", ARRAY_DATA, "i64")}
  {row("shift", Row.SHIFT)}
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
  {field("shape", "%array", ARRAY_SHAPE, "ptr")}
  {field("strides", "%array", ARRAY_STRIDES, "ptr")}
  {field("flags", "%array", ARRAY_FLAGS, "i32")}
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
# Of one that is on a device its description, which holds all of it, and %twin is where the words of its twin are.
_BUFFER = f"""
define internal i1 @take.buffer(ptr %head, ptr %row, ptr %object, ptr %slot, ptr %span, ptr %held, ptr %twin) {{
start:
  {head("offset.type", Head.BUFFER_TYPE)}
  {field("type", "%object", "%offset.type", "ptr")}
  {row("wanted", Row.TYPE, "ptr")}
  %same.type = icmp eq ptr %type, %wanted
  br i1 %same.type, label %typed, label %no
typed:
  {head("offset.array", Head.BUFFER_ARRAY)}
  {field("array", "%object", "%offset.array", "ptr")}
  %is.array = call i1 @is(ptr %head, i64 {Head.ARRAY}, ptr %array)
  br i1 %is.array, label %filled, label %no
filled:
  %flagged = call i1 @has.flags(ptr %row, ptr %array)
  {head("offset.slots", Head.BUFFER_SLOTS)}
  {field("slots", "%object", "%offset.slots", "ptr")}
  %is.tuple = call i1 @is(ptr %head, i64 {Head.TUPLE}, ptr %slots)
  %both = and i1 %flagged, %is.tuple
  br i1 %both, label %described, label %no
described:
  %length = call i64 @PyTuple_Size(ptr %slots)
  {row("resident", Row.RESIDENT)}
  %is.resident = icmp ne i64 %resident, 0
  %items = select i1 %is.resident, i64 {ON_DEVICE_ITEMS}, i64 {ON_HOST_ITEMS}
  %right.length = icmp eq i64 %length, %items
  br i1 %right.length, label %third, label %no
third:
  %packed = call ptr @PyTuple_GetItem(ptr %slots, i64 2)
  %is.bytes = call i1 @is(ptr %head, i64 {Head.BYTES}, ptr %packed)
  br i1 %is.bytes, label %measured, label %no
measured:
  %bytes = call i64 @PyBytes_Size(ptr %packed)
  {row("dimensions", Row.DIMENSIONS)}
  %shape.bytes = mul i64 %dimensions, 24
  %all.bytes = add i64 %shape.bytes, 24
  %same.count = icmp eq i64 %bytes, %all.bytes
  br i1 %same.count, label %read, label %no
read:
  %numbers = call ptr @PyBytes_AsString(ptr %packed)
  %data = load i64, ptr %numbers, align 1
  {row("shift", Row.SHIFT)}
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
  br i1 %is.resident, label %fourth, label %yes
fourth:
  %place = call ptr @PyTuple_GetItem(ptr %slots, i64 3)
  %place.is.bytes = call i1 @is(ptr %head, i64 {Head.BYTES}, ptr %place)
  br i1 %place.is.bytes, label %hold, label %no
hold:
  %p.words = call ptr @PyBytes_AsString(ptr %place)
  %words = load ptr, ptr %p.words, align 1
  store ptr %words, ptr %twin
  store ptr %slots, ptr %held
  br label %yes
yes:
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
  {field("type", "%object", TYPE_OF_OBJECT, "ptr")}
  %p.wanted = getelementptr i64, ptr %head, i64 %entry
  %wanted = load ptr, ptr %p.wanted
  %same = icmp eq ptr %type, %wanted
  ret i1 %same
no:
  ret i1 false
}}
"""

ROW_BYTES = 8 * len(Row)
FIRST_ROW = 8 * len(Head)

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
  %offset = mul i64 %i, {ROW_BYTES}
  %from = add i64 %offset, {FIRST_ROW}
  %row = getelementptr i8, ptr %head, i64 %from
  %i.next = add i64 %i, 1
  {row("output", Row.OUTPUT)}
  %is.output = icmp ne i64 %output, 0
  br i1 %is.output, label %look, label %outer.end
look:
  %span = getelementptr {{ i64, i64 }}, ptr %spans, i64 %i
  %low = load i64, ptr %span
  {field("high", "%span", 8, "i64")}
  br label %inner
inner:
  %j = phi i64 [ 0, %look ], [ %j.next, %apart ]
  %others = icmp ult i64 %j, %rows
  br i1 %others, label %pair, label %bounds
pair:
  %j.next = add i64 %j, 1
  %other = getelementptr {{ i64, i64 }}, ptr %spans, i64 %j
  %other.low = load i64, ptr %other
  {field("other.high", "%other", 8, "i64")}
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
  {row("own", Row.SLOT)}
  {row("same", Row.SAME)}
  {row("dimensions", Row.DIMENSIONS)}
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
  {field("a.extent", "%a", 8, "i64")}
  {field("b.extent", "%b", 8, "i64")}
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

ARGUMENTS = "".join([_NUMBER, _ARRAY, _BUFFER, _SEPARATE])
