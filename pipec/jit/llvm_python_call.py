"""A function of CPython's C API that reads numpy arrays, Buffers and numbers itself, as LLVM text.

`PyObject *pipec_python_call(PyObject *self, PyObject *const *args, Py_ssize_t nargs)`, to be made a builtin with
METH_FASTCALL. `self` is a bytearray that holds a table of 64-bit numbers: a head, and a row for each argument of the
machine code. It calls the machine code without the GIL, and gives True when all is done. False: something is unusual
or has failed; nothing is raised, and the caller takes the way that tells what is wrong. Needs a GIL and 64 bits.
"""

from __future__ import annotations

from pipec.jit.llvm_python_arguments import ARGUMENTS, FIRST_ROW, ROW_BYTES
from pipec.jit.python_call_layout import Head, Kind, Row, head, row

PYTHON_CALL = "pipec_python_call"

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


_RUN = f"""
define internal i32 @run(ptr %head, ptr %slots) {{
start:
  {head("entry", Head.ENTRY, "ptr")}
  %first = call i32 %entry(ptr %slots)
  %failed = icmp eq i32 %first, 1
  {head("exact", Head.EXACT, "ptr")}
  %has.exact = icmp ne ptr %exact, null
  %may = and i1 %failed, %has.exact
  br i1 %may, label %look, label %end
look:
  {head("code", Head.CODE)}
  %p.check = getelementptr i64, ptr %slots, i64 %code
  %check = load i64, ptr %p.check
  {head("checks", Head.CHECKS)}
  %known = icmp ult i64 %check, %checks
  br i1 %known, label %kind, label %end
kind:
  {head("borders", Head.BORDERS, "ptr")}
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
  {head("wanted", Head.GIVEN)}
  %right = icmp eq i64 %wanted, %given
  br i1 %right, label %begin, label %no
begin:
  {head("rows", Head.ROWS)}
  {head("count", Head.SLOTS)}
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
  %offset = mul i64 %i, {ROW_BYTES}
  %from = add i64 %offset, {FIRST_ROW}
  %row = getelementptr i8, ptr %head, i64 %from
  {row("fixed", Row.OBJECT, "ptr")}
  {row("place", Row.PLACE)}
  {row("number", Row.SLOT)}
  {row("kind", Row.KIND)}
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
  {head("code", Head.CODE)}
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
  {head("calls", Head.CALLS)}
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
    return "".join([_DECLARATIONS, ARGUMENTS, _RUN, _CALL])
