"""A function of CPython's C API that reads numpy arrays, Buffers and numbers itself, as LLVM text.

`PyObject *pipec_python_call(PyObject *self, PyObject *const *args, Py_ssize_t nargs)`, to be made a builtin with
METH_FASTCALL. `self` is a bytearray that holds a table of 64-bit numbers: a head, and a row for each argument of the
machine code. It calls the machine code without the GIL, and gives True when all is done. False: something is unusual
or has failed; nothing is raised, and the caller takes the way that tells what is wrong. Needs a GIL and 64 bits.
"""

from __future__ import annotations

from pipec.jit.runtime.call_table import ENDED_BY_CALLER
from pipec.jit.runtime.python_arguments import ARGUMENTS, FIRST_ROW, ROW_BYTES
from pipec.jit.runtime.python_call_layout import Head, Kind, Row, head, row

PYTHON_CALL = "pipec_python_call"
# So many more calls than were done may be begun in vain before no further ones are.
PATIENCE = 16

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

# A variant of the machine code; one that has kernels is given to the runner, with the twins of its buffers.
_RUN = f"""
define internal i32 @enter(ptr %head, ptr %entry, ptr %program, ptr %slots, ptr %twins) {{
start:
  {head("code", Head.CODE)}
  %table.at = sub i64 %code, 1
  %p.table = getelementptr i64, ptr %slots, i64 %table.at
  {head("runner", Head.RUNNER, "ptr")}
  {head("rows", Head.ROWS)}
  %plain = icmp eq ptr %runner, null
  br i1 %plain, label %here, label %there
here:
  ; No call table: other programs that report are not called from here.
  store i64 0, ptr %p.table
  %status.here = call i32 %entry(ptr %slots)
  ret i32 %status.here
there:
  %status.there = call i32 %runner(ptr %program, ptr %entry, ptr %slots, ptr %p.table, ptr %twins, i64 %rows)
  ret i32 %status.there
}}

define internal i32 @run(ptr %head, ptr %slots, ptr %twins) {{
start:
  {head("entry", Head.ENTRY, "ptr")}
  {head("program", Head.PROGRAM, "ptr")}
  %first = call i32 @enter(ptr %head, ptr %entry, ptr %program, ptr %slots, ptr %twins)
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
  {head("exact.program", Head.EXACT_PROGRAM, "ptr")}
  %second = call i32 @enter(ptr %head, ptr %exact, ptr %exact.program, ptr %slots, ptr %twins)
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
  {head("calls.before", Head.CALLS)}
  {head("turned.back", Head.TURNED_BACK)}
  %patience = add i64 %calls.before, {PATIENCE}
  %sensible = icmp sle i64 %turned.back, %patience
  %may = and i1 %right, %sensible
  br i1 %may, label %begin, label %no
begin:
  {head("rows", Head.ROWS)}
  {head("count", Head.SLOTS)}
  %slots = alloca i64, i64 %count, align 64
  %spans = alloca {{ i64, i64 }}, i64 %rows, align 16
  %held = alloca ptr, i64 %rows, align 16
  ; Pairs of an address and the words of its twin.
  %twins = alloca {{ i64, ptr }}, i64 %rows, align 16
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
  %pair = getelementptr {{ i64, ptr }}, ptr %twins, i64 %i
  %twin = getelementptr {{ i64, ptr }}, ptr %pair, i64 0, i32 1
  store {{ i64, ptr }} zeroinitializer, ptr %pair
  {row("resident", Row.RESIDENT)}
  %may.be.array = icmp eq i64 %resident, 0
  %is.buffer = icmp eq i64 %kind, {Kind.BUFFER}
  br i1 %is.buffer, label %buffer, label %scalar
scalar:
  %took.scalar = call i1 @take.number(ptr %head, ptr %row, ptr %object, ptr %slot)
  br i1 %took.scalar, label %taken, label %no
buffer:
  %is.array = call i1 @is(ptr %head, i64 {Head.ARRAY}, ptr %object)
  br i1 %is.array, label %look.array, label %other
look.array:
  br i1 %may.be.array, label %array, label %no
array:
  %took.array = call i1 @take.array(ptr %row, ptr %object, ptr %slot, ptr %span)
  br i1 %took.array, label %taken, label %no
other:
  %is.ours = call i1 @is(ptr %head, i64 {Head.BUFFER}, ptr %object)
  br i1 %is.ours, label %ours, label %no
ours:
  %took.ours = call i1 @take.buffer(ptr %head, ptr %row, ptr %object, ptr %slot, ptr %span, ptr %hold, ptr %twin)
  br i1 %took.ours, label %addressed, label %no
addressed:
  %address = load i64, ptr %slot
  store i64 %address, ptr %pair
  br label %taken
taken:
  br label %loop
all:
  %separate = call i1 @are.separate(ptr %head, i64 %rows, ptr %spans, ptr %slots)
  br i1 %separate, label %call, label %no
call:
  call void @references(ptr %held, i64 %rows, ptr @Py_IncRef)
  %thread = call ptr @PyEval_SaveThread()
  %status = call i32 @run(ptr %head, ptr %slots, ptr %twins)
  call void @PyEval_RestoreThread(ptr %thread)
  call void @references(ptr %held, i64 %rows, ptr @Py_DecRef)
  %done = icmp eq i32 %status, 0
  %one = zext i1 %done to i64
  {head("calls", Head.CALLS)}
  %calls.now = add i64 %calls, %one
  store i64 %calls.now, ptr %at.calls
  %back = icmp eq i32 %status, {ENDED_BY_CALLER}
  %one.back = zext i1 %back to i64
  {head("back.before", Head.TURNED_BACK)}
  %back.now = add i64 %back.before, %one.back
  store i64 %back.now, ptr %at.back.before
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
