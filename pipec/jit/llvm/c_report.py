"""What Reports become in object code: functions as LLVM text that give lines to `pipec_print(text, bytes)`.

For each variant of a pipeline a call table, and the function in it that knows what each Report tells. A line is put
together on the stack and written at once, so that those of several threads do not mix.
"""

from __future__ import annotations

from collections.abc import Callable

from pipec.errors import NotSupportedError
from pipec.ir.program import Notice, conversion
from pipec.ir.types import Type
from pipec.jit.runtime.call_table import Entry

# No number takes more characters: the largest float32 written out has 39 digits before the point.
_NUMBER = 48

_HELPERS = """
declare void @pipec_print(ptr, i64)
@told.events = internal global i32 0
@told.string = internal constant [3 x i8] c"%s\\00"
@told.open = internal constant [2 x i8] c"<\\00"
@told.close = internal constant [2 x i8] c">\\00"
@told.comma = internal constant [3 x i8] c", \\00"

; Whether a lane is active: several lanes have their conditions after the values, in row `%count`.
define internal i1 @told.active(ptr %values, i64 %lanes, i64 %count, i64 %lane) {
start:
  %one = icmp eq i64 %lanes, 1
  br i1 %one, label %yes, label %look
look:
  %row = mul i64 %count, %lanes
  %at = add i64 %row, %lane
  %p = getelementptr i64, ptr %values, i64 %at
  %v = load i64, ptr %p
  %on = icmp ne i64 %v, 0
  ret i1 %on
yes:
  ret i1 true
}

; Append a text to the line; the place where the next goes.
define internal i64 @told.text(ptr %line, i64 %size, i64 %at, ptr %text) {
  %p = getelementptr i8, ptr %line, i64 %at
  %left = sub i64 %size, %at
  %n = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %p, i64 %left, ptr @told.string, ptr %text)
  %wide = sext i32 %n to i64
  %next = add i64 %at, %wide
  ret i64 %next
}

; Append row `%row` of the values: a number, or in brackets those of all active lanes.
define internal i64 @told.row(ptr %line, i64 %size, i64 %at, ptr %format, i1 %double, ptr %values, i64 %lanes,
    i64 %count, i64 %row) {
start:
  %several = icmp sgt i64 %lanes, 1
  %first = mul i64 %row, %lanes
  br i1 %several, label %open, label %loop
open:
  %opened = call i64 @told.text(ptr %line, i64 %size, i64 %at, ptr @told.open)
  br label %loop
loop:
  %lane = phi i64 [ 0, %start ], [ 0, %open ], [ %lane1, %next ]
  %pos = phi i64 [ %at, %start ], [ %opened, %open ], [ %pos1, %next ]
  %told = phi i64 [ 0, %start ], [ 0, %open ], [ %told1, %next ]
  %more = icmp slt i64 %lane, %lanes
  br i1 %more, label %body, label %end
body:
  %on = call i1 @told.active(ptr %values, i64 %lanes, i64 %count, i64 %lane)
  br i1 %on, label %one, label %next
one:
  %again = icmp sgt i64 %told, 0
  br i1 %again, label %comma, label %number
comma:
  %after = call i64 @told.text(ptr %line, i64 %size, i64 %pos, ptr @told.comma)
  br label %number
number:
  %here = phi i64 [ %pos, %one ], [ %after, %comma ]
  %index = add i64 %first, %lane
  %p.value = getelementptr i64, ptr %values, i64 %index
  %p.line = getelementptr i8, ptr %line, i64 %here
  %left = sub i64 %size, %here
  br i1 %double, label %float, label %integer
float:
  %d = load double, ptr %p.value
  %n.d = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %p.line, i64 %left, ptr %format, double %d)
  br label %written
integer:
  %i = load i64, ptr %p.value
  %n.i = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %p.line, i64 %left, ptr %format, i64 %i)
  br label %written
written:
  %n = phi i32 [ %n.d, %float ], [ %n.i, %integer ]
  %wide = sext i32 %n to i64
  %behind = add i64 %here, %wide
  %told.more = add i64 %told, 1
  br label %next
next:
  %pos1 = phi i64 [ %pos, %body ], [ %behind, %written ]
  %told1 = phi i64 [ %told, %body ], [ %told.more, %written ]
  %lane1 = add i64 %lane, 1
  br label %loop
end:
  br i1 %several, label %close, label %done
close:
  %closed = call i64 @told.text(ptr %line, i64 %size, i64 %pos, ptr @told.close)
  ret i64 %closed
done:
  ret i64 %pos
}
"""


def tables_text(name: str, variants: list[tuple[Notice, ...]], string: Callable[[str], str]) -> list[str]:
    """The call tables of a C function's variants; `string` gives the name of a constant text."""
    if not any(variants):
        return []
    lines = _HELPERS.strip().split("\n")
    for number, notices in enumerate(variants):
        if any(notice.kind == "file" for notice in notices):
            raise NotSupportedError(
                "Error: Code compiled to a file cannot write the files of debug_to_file. Take the directive away, or"
                " realize the Func."
            )
        if notices:
            lines += _table(f"{name}.told.{number}", notices, string)
    return lines


def table_name(name: str, number: int) -> str:
    """The symbol of a variant's call table."""
    return f"@{name}.told.{number}.table"


def _table(name: str, notices: tuple[Notice, ...], string: Callable[[str], str]) -> list[str]:
    lines: list[str] = []
    for code, notice in enumerate(notices):
        write = _trace if notice.kind == "trace" else _print
        lines += write(f"@{name}.{code}", notice, string)
    cases = " ".join([f"i32 {code}, label %c{code}" for code in range(len(notices))])
    lines += [
        f"define internal i32 @{name}(ptr %table, i32 %code, i32 %lanes, ptr %values) {{",
        "start:",
        "  %wide = sext i32 %lanes to i64",
        f"  switch i32 %code, label %done [ {cases} ]",
    ]
    for code in range(len(notices)):
        lines += [f"c{code}:", f"  call void @{name}.{code}(ptr %values, i64 %wide)", "  br label %done"]
    lines += [
        "done:",
        "  %old = atomicrmw add ptr @told.events, i32 1 monotonic",
        "  %new = add i32 %old, 1",
        "  %number = and i32 %new, 2147483647",
        "  ret i32 %number",
        "}",
    ]
    entries = ", ".join([f"ptr @{name}" if entry is Entry.REPORT else "ptr null" for entry in Entry])
    return [*lines, f"@{name}.table = internal constant [{len(Entry)} x ptr] [{entries}]"]


def _print(name: str, notice: Notice, string: Callable[[str], str]) -> list[str]:
    """A line for each active lane."""
    words = [part.replace("%", "%%") if isinstance(part, str) else _format(part) for part in notice.parts]
    format_ = " ".join(words) + "\n"
    count = len(notice.types)
    size = len(format_.encode()) + _NUMBER * count
    out = [
        f"define internal void {name}(ptr %values, i64 %lanes) {{",
        "start:",
        f"  %line = alloca [{size} x i8]",
        "  br label %loop",
        "loop:",
        "  %lane = phi i64 [ 0, %start ], [ %lane1, %next ]",
        "  %more = icmp slt i64 %lane, %lanes",
        "  br i1 %more, label %body, label %end",
        "body:",
        f"  %on = call i1 @told.active(ptr %values, i64 %lanes, i64 {count}, i64 %lane)",
        "  br i1 %on, label %tell, label %next",
        "tell:",
    ]
    operands = [f"ptr {string(format_)}"]
    for row, kind in enumerate(notice.types):
        out += [
            f"  %first{row} = mul i64 %lanes, {row}",
            f"  %at{row} = add i64 %first{row}, %lane",
            f"  %p{row} = getelementptr i64, ptr %values, i64 %at{row}",
        ]
        loaded = "double" if kind.floating else "i64"
        out.append(f"  %v{row} = load {loaded}, ptr %p{row}")
        if kind.boolean:
            out += [
                f"  %b{row} = icmp ne i64 %v{row}, 0",
                f"  %w{row} = select i1 %b{row}, ptr {string('true')}, ptr {string('false')}",
            ]
        operands.append(f"ptr %w{row}" if kind.boolean else f"{loaded} %v{row}")
    return [
        *out,
        f"  %n = call i32 (ptr, i64, ptr, ...) @snprintf(ptr %line, i64 {size}, {', '.join(operands)})",
        "  %wide = sext i32 %n to i64",
        "  call void @pipec_print(ptr %line, i64 %wide)",
        "  br label %next",
        "next:",
        "  %lane1 = add i64 %lane, 1",
        "  br label %loop",
        "end:",
        "  ret void",
        "}",
    ]


def _trace(name: str, notice: Notice, string: Callable[[str], str]) -> list[str]:
    """One line, as `TraceEvent` writes it."""
    facts, count = dict(notice.details), len(notice.types)
    rows = list(range(1, count))
    is_access, is_tag = facts["event"] in ("load", "store"), facts["event"] == "tag"
    word = facts["event"].replace("_", " ").capitalize()
    pieces: list[str | int] = [f"{word} {facts['func']}.{facts['index']}("]
    coordinates = [] if is_tag else rows[:-1] if is_access else rows
    for at, row in enumerate(coordinates):
        pieces += [", ", row] if at else [row]
    pieces.append(")")
    if is_access:
        pieces += [" = ", rows[-1]]
    if is_tag:
        pieces.append(f' tag = "{facts["tag"]}')
        for row in rows:
            pieces += [" ", row]
        pieces.append('"')
    pieces.append("\n")
    length = sum([len(piece.encode()) for piece in pieces if isinstance(piece, str)]) + 4 * count + 1
    out = [
        f"define internal void {name}(ptr %values, i64 %lanes) {{",
        "start:",
        f"  %numbers = mul i64 %lanes, {count * (_NUMBER + 2)}",
        f"  %size = add i64 %numbers, {length}",
        "  %line = alloca i8, i64 %size",
    ]
    offset = "0"
    for number, piece in enumerate(pieces):
        head = f"ptr %line, i64 %size, i64 {offset}"
        if isinstance(piece, str):
            call = f"@told.text({head}, ptr {string(piece)})"
        else:
            kind = notice.types[piece]
            double = "true" if kind.floating else "false"
            format_ = string(_value_format(kind))
            call = f"@told.row({head}, ptr {format_}, i1 {double}, ptr %values, i64 %lanes, i64 {count}, i64 {piece})"
        offset = f"%at{number}"
        out.append(f"  {offset} = call i64 {call}")
    return [*out, f"  call void @pipec_print(ptr %line, i64 {offset})", "  ret void", "}"]


def _format(kind: Type) -> str:
    return "%s" if kind.boolean else conversion(kind)


def _value_format(kind: Type) -> str:
    """How a trace shows a value: a bool is a bit, and halves have an exponent."""
    if kind.boolean:
        return "%lld"
    return "%e" if kind.floating and kind.nbits == 16 else conversion(kind)
