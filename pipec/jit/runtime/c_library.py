"""What pipelines compiled to files need beside pool and memory, as LLVM text: checks of buffers, errors, set-up.

`i32 pipec_describe(buffer, slots, name, type name, type bits, dimensions, bytes)` checks a buffer argument and writes
its slots; `i32 pipec_prepare()` starts the pool up once; `ptr pipec_last_error()` is this thread's last error text;
`void pipec_print(text, bytes)` writes what pipelines print to the standard error stream.
"""

from __future__ import annotations

from pipec.jit.c.interface import ErrorCode

ERROR_BYTES = 1024
# (name, code, format) of what can be wrong with a buffer; the values are named where they are used.
_TEXTS = {
    "null": "Error: Buffer argument %s is NULL",
    "type": "Error: %s has type %s but the type of the buffer passed in has code %d and %d bits",
    "dimensions": "Error: %s requires a buffer of exactly %d dimensions, but the buffer passed in has %d dimensions",
    "host": "Error: The host pointer of %s is NULL, but the pipeline will access it on the host",
    "aligned": "Error: The host pointer of %s is no multiple of %d bytes, the size of an element",
    "extent": "Error: The extents for buffer %s dimension %d is negative (%d)",
}
# What sysconf calls the number of processors.
_PROCESSORS = {"apple": 58, "android": 97, "": 84}


def c_text(triple: str) -> str:
    """The text for a machine."""
    texts = "\n".join([_string(f"c.{name}", text) for name, text in _TEXTS.items()])
    return texts + _DESCRIBE + _prepare(triple)


def _string(name: str, text: str) -> str:
    data = text.encode() + b"\0"
    return f'@{name} = internal constant [{len(data)} x i8] c"{escaped(data)}"'


def escaped(data: bytes) -> str:
    """Bytes as LLVM spells them in a string."""
    return "".join([chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in data])


def _fail(label: str, what: str, code: ErrorCode, values: str) -> str:
    return f"""
{label}:
  %b.{label} = call ptr @pipec_error_text()
  %s.{label} = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %b.{label}, i64 {ERROR_BYTES}, ptr @c.{what}, {values})
  ret i32 {code.value}"""


_DESCRIBE = f"""
@c.error = internal thread_local global [{ERROR_BYTES} x i8] zeroinitializer

declare i32 @snprintf(ptr, i64, ptr, ...)
declare ptr @llvm.threadlocal.address.p0(ptr)

define weak ptr @pipec_error_text() {{
  %p = call ptr @llvm.threadlocal.address.p0(ptr @c.error)
  ret ptr %p
}}

declare i64 @write(i32, ptr, i64)

define weak void @pipec_print(ptr %text, i64 %bytes) {{
  %written = call i64 @write(i32 2, ptr %text, i64 %bytes)
  ret void
}}

define weak ptr @pipec_last_error() {{
  %p = call ptr @pipec_error_text()
  ret ptr %p
}}

define weak i32 @pipec_describe(ptr %buffer, ptr %slots, ptr %name, ptr %type.name, i32 %type, i32 %dimensions,
                                i32 %bytes) {{
start:
  %none = icmp eq ptr %buffer, null
  br i1 %none, label %null, label %given
given:
  %p.type = getelementptr i8, ptr %buffer, i64 32
  %actual = load i32, ptr %p.type
  %same = icmp eq i32 %actual, %type
  br i1 %same, label %typed, label %wrong.type
typed:
  %p.dimensions = getelementptr i8, ptr %buffer, i64 36
  %count = load i32, ptr %p.dimensions
  %fits = icmp eq i32 %count, %dimensions
  br i1 %fits, label %shaped, label %wrong.dimensions
shaped:
  %p.host = getelementptr i8, ptr %buffer, i64 16
  %host = load ptr, ptr %p.host
  %p.dim = getelementptr i8, ptr %buffer, i64 40
  %dim = load ptr, ptr %p.dim
  %address = ptrtoint ptr %host to i64
  store i64 %address, ptr %slots
  %bytes.wide = zext i32 %bytes to i64
  %mask = sub i64 %bytes.wide, 1
  %low = and i64 %address, %mask
  %aligned = icmp eq i64 %low, 0
  br i1 %aligned, label %loop, label %unaligned
loop:
  %d = phi i32 [ 0, %shaped ], [ %d1, %keep ]
  %empty = phi i1 [ false, %shaped ], [ %empty1, %keep ]
  %more = icmp slt i32 %d, %dimensions
  br i1 %more, label %read, label %done
read:
  %offset = mul i32 %d, 4
  %p.min = getelementptr i32, ptr %dim, i32 %offset
  %p.extent = getelementptr i32, ptr %p.min, i32 1
  %p.stride = getelementptr i32, ptr %p.min, i32 2
  %min = load i32, ptr %p.min
  %extent = load i32, ptr %p.extent
  %stride = load i32, ptr %p.stride
  %negative = icmp slt i32 %extent, 0
  br i1 %negative, label %wrong.extent, label %keep
keep:
  %zero = icmp eq i32 %extent, 0
  %empty1 = or i1 %empty, %zero
  %place = mul i32 %d, 3
  %s.min = getelementptr i64, ptr %slots, i32 %place
  %s.min1 = getelementptr i64, ptr %s.min, i32 1
  %s.extent = getelementptr i64, ptr %s.min, i32 2
  %s.stride = getelementptr i64, ptr %s.min, i32 3
  %min.wide = sext i32 %min to i64
  %extent.wide = sext i32 %extent to i64
  %stride.wide = sext i32 %stride to i64
  store i64 %min.wide, ptr %s.min1
  store i64 %extent.wide, ptr %s.extent
  store i64 %stride.wide, ptr %s.stride
  %d1 = add i32 %d, 1
  br label %loop
done:
  %no.host = icmp eq ptr %host, null
  %full = xor i1 %empty, true
  %missing = and i1 %no.host, %full
  br i1 %missing, label %null.host, label %good
good:
  ret i32 0
{_fail("null", "null", ErrorCode.BUFFER_ARGUMENT_IS_NULL, "ptr %name")}
wrong.type:
  %code = and i32 %actual, 255
  %rest = lshr i32 %actual, 8
  %bits = and i32 %rest, 255
  br label %tell.type
{_fail("tell.type", "type", ErrorCode.BAD_TYPE, "ptr %name, ptr %type.name, i32 %code, i32 %bits")}
{_fail("wrong.dimensions", "dimensions", ErrorCode.BAD_DIMENSIONS, "ptr %name, i32 %dimensions, i32 %count")}
{_fail("unaligned", "aligned", ErrorCode.UNALIGNED_HOST, "ptr %name, i32 %bytes")}
{_fail("wrong.extent", "extent", ErrorCode.EXTENTS_NEGATIVE, "ptr %name, i32 %d, i32 %extent")}
{_fail("null.host", "host", ErrorCode.HOST_IS_NULL, "ptr %name")}
}}
"""


def _prepare(triple: str) -> str:
    processors = next(number for system, number in _PROCESSORS.items() if system in triple)
    return f"""
@c.prepared = internal global i32 0
{_string("c.variable", "HL_NUM_THREADS")}

declare ptr @getenv(ptr)
declare i32 @atoi(ptr)
declare i64 @sysconf(i32)
declare i32 @pthread_atfork(ptr, ptr, ptr)
declare void @pipec_set_threads(i32, i32)
declare i32 @pipec_threads()
declare void @pipec_forked()

define weak void @pipec_prepare() {{
start:
  %done = load atomic i32, ptr @c.prepared monotonic, align 4
  %again = icmp ne i32 %done, 0
  br i1 %again, label %end, label %first
first:
  %both = cmpxchg ptr @c.prepared, i32 0, i32 1 acq_rel monotonic
  %won = extractvalue {{ i32, i1 }} %both, 1
  br i1 %won, label %set, label %end
set:
  %f = call i32 @pthread_atfork(ptr null, ptr null, ptr @pipec_forked)
  %text = call ptr @getenv(ptr @c.variable)
  %unset = icmp eq ptr %text, null
  br i1 %unset, label %count, label %parse
parse:
  %number = call i32 @atoi(ptr %text)
  %positive = icmp sgt i32 %number, 0
  br i1 %positive, label %use, label %count
count:
  %found = call i64 @sysconf(i32 {processors})
  %found32 = trunc i64 %found to i32
  br label %use
use:
  %wanted = phi i32 [ %number, %parse ], [ %found32, %count ]
  %o = call i32 @halide_set_num_threads(i32 %wanted)
  br label %end
end:
  ret void
}}

declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)

define weak i32 @halide_set_num_threads(i32 %threads) {{
  call void @pipec_prepare()
  %old = call i32 @pipec_threads()
  %least = call i32 @llvm.smax.i32(i32 %threads, i32 1)
  %legal = call i32 @llvm.smin.i32(i32 %least, i32 1024)
  call void @pipec_set_threads(i32 %legal, i32 10000)
  ret i32 %old
}}
"""
