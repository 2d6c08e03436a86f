"""The C function of a pipeline as LLVM text: it fills the slots from its parameters and calls the machine code."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.ir.program import ProgramArgument, ProgramArgumentKind
from pipec.jit.c.interface import NO_QUERY, CFunction, CParameter, Embedded, ErrorCode, Variant, type_bits
from pipec.jit.c.query import query_problem, query_table
from pipec.jit.llvm.c_metadata import metadata_text
from pipec.jit.llvm.c_profile import counters_name, profile_text, run_text
from pipec.jit.llvm.c_report import table_name, tables_text
from pipec.jit.llvm.emit import Layout
from pipec.jit.llvm.types import element_bytes, escaped, memory_scalar
from pipec.jit.runtime.units import ERROR_BYTES

_MEMORY_TEXT = "Error: Out of memory: an intermediate result of %s needs %lld bytes"


class _Text:
    """The strings and functions of the module so far."""

    def __init__(self, function: CFunction, bits: int) -> None:
        self.name = function.name
        # The type of sizes in C.
        self.size = f"i{bits}"
        self.lines: list[str] = []
        self.constants: dict[str, str] = {}
        self.declarations = {
            f"declare i32 @snprintf(ptr, {self.size}, ptr, ...)",
            "declare ptr @pipec_error_text()",
            "declare void @pipec_prepare()",
            "declare i32 @pipec_describe(ptr, ptr, ptr, ptr, i32, i32, i32)",
        }

    def string(self, text: str) -> str:
        """The name of a constant string."""
        name = self.constants.get(text)
        if name is None:
            data = text.encode() + b"\0"
            name = f"@{self.name}.text.{len(self.constants)}"
            self.constants[text] = name
            self.lines.append(f'{name} = internal constant [{len(data)} x i8] c"{escaped(data)}"')
        return name


def entry_name(function: CFunction, variant: int) -> str:
    """The symbol of the machine code of a variant."""
    return f"{function.name}.variant.{variant}"


def c_function_text(function: CFunction, bits: int) -> str:
    """The module with the C function; the machine code of the variants is declared. `bits`: of an address."""
    text = _Text(function, bits)
    for number, variant in enumerate(function.variants):
        text.declarations.add(f"declare i32 @{entry_name(function, number)}(ptr)")
        _report(text, function, number, variant)
    notices = [variant.program.notices for variant in function.variants]
    if function.profiled:
        text.lines += profile_text(function.name, function.profiled, text.string)
    counters = counters_name(function.name) if function.profiled else "null"
    text.lines += tables_text(function.name, notices, text.string, counters)
    _query(text, function)
    _wrapper(text, function)
    text.lines += addresses_text(function) + metadata_text(function, text.string)
    return "\n".join([*sorted(text.declarations), *text.lines, ""])


def _wrapper(text: _Text, function: CFunction) -> None:
    layouts = [Layout(variant.program) for variant in function.variants]
    slots = max(layout.slots for layout in (*layouts, *_query_layout(function)))
    types = ["ptr" if p.is_buffer else memory_scalar(p.argument.type) for p in function.parameters]
    parameters = ", ".join([f"{kind} {value}" for kind, value in zip(*signature(function), strict=True)])
    out = [f"define i32 @{function.name}({parameters}) {{", "start:", f"  %slots = alloca [{slots} x i64], align 64"]
    out.append("  call void @pipec_prepare()")
    if function.profiled:
        out.append(run_text(function.name))
    buffers = []
    slot = 0
    for argument in function.variants[0].program.arguments:
        embedded = function.embedded.get(argument.name)
        if embedded is not None:
            _embedded(text, out, argument, embedded, slot)
        else:
            number = next(n for n, p in enumerate(function.parameters) if p.argument.name == argument.name)
            if argument.kind is ProgramArgumentKind.SCALAR:
                out.append(f"  %s{slot} = getelementptr i64, ptr %slots, i64 {slot}")
                out.append(f"  store i64 0, ptr %s{slot}")
                out.append(f"  store {types[number]} %p{number}, ptr %s{slot}")
            else:
                buffers.append((argument, number, slot))
        slot += 1 + 3 * argument.dimensions
    out += _answer(function, [number for _, number, _ in buffers])
    for argument, number, slot in buffers:
        _buffer(text, out, argument, function.parameters[number].word, number, slot)
    for number, (variant, layout) in enumerate(zip(function.variants, layouts, strict=True)):
        last = number == len(function.variants) - 1
        if variant.program.notices or function.profiled:
            out += [
                f"  %table{number} = getelementptr i64, ptr %slots, i64 {layout.table_slot}",
                f"  store ptr {table_name(function.name, number)}, ptr %table{number}",
            ]
        out += [
            f"  %status{number} = call i32 @{entry_name(function, number)}(ptr %slots)",
            f"  %well{number} = icmp eq i32 %status{number}, 0",
            f"  br i1 %well{number}, label %done, label %failed{number}",
            f"failed{number}:",
        ]
        retried = [code for code, message in enumerate(variant.messages) if message.retry]
        if retried and not last:
            cases = " ".join([f"i64 {code}, label %next{number}" for code in retried])
            out += [
                f"  %check{number} = icmp eq i32 %status{number}, 1",
                f"  br i1 %check{number}, label %checked{number}, label %report{number}",
                f"checked{number}:",
                f"  %e{number} = getelementptr i64, ptr %slots, i64 {layout.error_slot}",
                f"  %code{number} = load i64, ptr %e{number}",
                f"  switch i64 %code{number}, label %report{number} [ {cases} ]",
                f"report{number}:",
            ]
        out.append(f"  %r{number} = call i32 @{function.name}.report.{number}(ptr %slots, i32 %status{number})")
        out.append(f"  ret i32 %r{number}")
        if not last:
            # Without a check to retry the rest is never reached.
            out.append(f"next{number}:")
    out += ["done:", "  ret i32 0", "}"]
    text.lines += out


def query_name(function: CFunction) -> str:
    """The symbol of the machine code of the bounds query."""
    return f"{function.name}.query"


def _query_layout(function: CFunction) -> list[Layout]:
    return [] if isinstance(function.query, str) else [Layout(function.query.program)]


def _query(text: _Text, function: CFunction) -> None:
    """The table of runtime/queries.c."""
    table, problem, name = query_table(function), query_problem(function), query_name(function)
    row = "{ i32, i32, i32, i32, i32, i32 }"
    rows = [f"{row} {{ {', '.join([f'i32 {number}' for number in buffer])} }}" for buffer in table.buffers]
    text.declarations.add("declare i32 @pipec_answer(ptr, ptr, ptr, ptr)")
    if problem is None:
        text.declarations.add(f"declare i32 @{name}(ptr)")
    entry, reason = (f"@{name}", "null") if problem is None else ("null", text.string(problem))
    numbers = f"i32 {len(rows)}, i32 {table.slot}"
    text.lines += [
        f"@{name}.buffers = internal constant [{len(rows)} x {row}] [{', '.join(rows)}]",
        f"@{name}.table = internal constant {{ ptr, ptr, ptr, i32, i32 }} "
        f"{{ ptr {entry}, ptr {reason}, ptr @{name}.buffers, {numbers} }}",
    ]


def _answer(function: CFunction, numbers: Sequence[int]) -> list[str]:
    """Ends the call when a buffer, a parameter of these `numbers`, has no memory."""
    results, operands = query_table(function).results, "ptr %slots, ptr %results, ptr %buffers"
    out = [f"  %buffers = alloca [{len(numbers)} x ptr]", f"  %results = alloca [{results} x i32]"]
    for at, number in enumerate(numbers):
        out += [f"  %b{at} = getelementptr ptr, ptr %buffers, i64 {at}", f"  store ptr %p{number}, ptr %b{at}"]
    return [
        *out,
        f"  %answer = call i32 @pipec_answer(ptr @{query_name(function)}.table, {operands})",
        f"  %runs = icmp eq i32 %answer, {NO_QUERY}",
        "  br i1 %runs, label %no.query, label %answered",
        "answered:",
        "  ret i32 %answer",
        "no.query:",
    ]


def signature(function: CFunction) -> tuple[list[str], list[str]]:
    """The types of the parameters of the C function, and names for their values."""
    types = [_passed(parameter) for parameter in function.parameters]
    return types, [f"%p{number}" for number in range(len(types))]


def _passed(parameter: CParameter) -> str:
    """As C passes it: narrow integers are extended by the caller."""
    if parameter.is_buffer:
        return "ptr"
    kind = memory_scalar(parameter.argument.type)
    extension = "signext" if parameter.argument.type.signed else "zeroext"
    return f"{kind} {extension}" if kind in ("i8", "i16") else kind


def addresses_text(function: CFunction) -> list[str]:
    """NAME_argv: as the function, with an array of pointers to buffers and to the values of scalars."""
    out = [f"define i32 @{function.name}_argv(ptr %args) {{", "start:"]
    operands = []
    for number, parameter in enumerate(function.parameters):
        out += [
            f"  %a{number} = getelementptr ptr, ptr %args, i64 {number}",
            f"  %v{number} = load ptr, ptr %a{number}",
        ]
        value = f"%v{number}"
        if not parameter.is_buffer:
            value = f"%s{number}"
            out.append(f"  {value} = load {memory_scalar(parameter.argument.type)}, ptr %v{number}")
        operands.append(f"{_passed(parameter)} {value}")
    return [*out, f"  %code = call i32 @{function.name}({', '.join(operands)})", "  ret i32 %code", "}"]


def metadata_lines(function: CFunction) -> list[str]:
    """The text of NAME_metadata alone."""
    text = _Text(function, 64)
    lines = metadata_text(function, text.string)
    return [*text.lines, *lines]


def _buffer(text: _Text, out: list[str], argument: ProgramArgument, word: str, number: int, slot: int) -> None:
    kind = argument.type
    operands = [
        f"ptr %p{number}",
        f"ptr %s{slot}",
        f"ptr {text.string(word)}",
        f"ptr {text.string(str(kind))}",
        f"i32 {type_bits(kind)}",
        f"i32 {argument.dimensions}",
        f"i32 {element_bytes(kind)}",
    ]
    out += [
        f"  %s{slot} = getelementptr i64, ptr %slots, i64 {slot}",
        f"  %d{slot} = call i32 @pipec_describe({', '.join(operands)})",
        f"  %good{slot} = icmp eq i32 %d{slot}, 0",
        f"  br i1 %good{slot}, label %after{slot}, label %bad{slot}",
        f"bad{slot}:",
        f"  ret i32 %d{slot}",
        f"after{slot}:",
    ]


def _embedded(text: _Text, out: list[str], argument: ProgramArgument, embedded: Embedded, slot: int) -> None:
    name = f"@{text.name}.embedded.{slot}"
    data = embedded.data
    text.lines.append(f'{name} = internal constant [{len(data)} x i8] c"{escaped(data)}", align 64')
    out += [
        f"  %s{slot} = getelementptr i64, ptr %slots, i64 {slot}",
        f"  store ptr {name}, ptr %s{slot}",
    ]
    numbers = [number for dim in embedded.dims for number in dim]
    for at, number in enumerate(numbers, slot + 1):
        out += [f"  %s{at} = getelementptr i64, ptr %slots, i64 {at}", f"  store i64 {number}, ptr %s{at}"]


def _report(text: _Text, function: CFunction, number: int, variant: Variant) -> None:
    """The function that writes the text for a status and what the slots say about it; it gives the code to return."""
    error = Layout(variant.program).error_slot
    memory = [f"ptr {text.string(_MEMORY_TEXT)}", f"ptr {text.string(variant.program.name)}", "i64 %bytes"]
    out = [
        f"define internal i32 @{function.name}.report.{number}(ptr %slots, i32 %status) cold noinline {{",
        "start:",
        "  %buffer = call ptr @pipec_error_text()",
        f"  %errors = getelementptr i64, ptr %slots, i64 {error}",
        "  %memory = icmp eq i32 %status, 2",
        "  br i1 %memory, label %short, label %check",
        "short:",
        "  %e.bytes = getelementptr i64, ptr %errors, i64 1",
        "  %bytes = load i64, ptr %e.bytes",
        f"  %w = call i32 (ptr, {text.size}, ptr, ...) @snprintf(ptr %buffer, {text.size} {ERROR_BYTES}, "
        f"{', '.join(memory)})",
        f"  ret i32 {ErrorCode.OUT_OF_MEMORY.value}",
        "check:",
        "  %code = load i64, ptr %errors",
        "  switch i64 %code, label %unknown [",
        *[f"    i64 {code}, label %c{code}" for code in range(len(variant.messages))],
        "  ]",
        "unknown:",
        f"  ret i32 {ErrorCode.GENERIC.value}",
    ]
    for code, message in enumerate(variant.messages):
        out.append(f"c{code}:")
        operands = [f"ptr {text.string(message.format)}"]
        for at, (value, double) in enumerate(message.conversions()):
            kind = "double" if double else "i64"
            out.append(f"  %e{code}.{at} = getelementptr i64, ptr %errors, i64 {value + 1}")
            out.append(f"  %v{code}.{at} = load {kind}, ptr %e{code}.{at}")
            operands.append(f"{kind} %v{code}.{at}")
        call = f"@snprintf(ptr %buffer, {text.size} {ERROR_BYTES}, {', '.join(operands)})"
        out += [f"  %w{code} = call i32 (ptr, {text.size}, ptr, ...) {call}", f"  ret i32 {message.code.value}"]
    text.lines += [*out, "}"]
