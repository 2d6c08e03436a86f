"""A pipeline as one C99 file for any C compiler: scalar loops, vectors lane by lane.

It is meant to be readable, and to run on machines that LLVM does not support. Parallel loops are serial.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache as once
from itertools import product

import numpy as np

from pipec.deep_stack import with_deep_stack
from pipec.errors import NotSupportedError
from pipec.ir.expr import Expr, Load, Variable
from pipec.ir.program import Program, ProgramArgument, ProgramArgumentKind
from pipec.ir.stmt import CallExtern, Evaluate, LetStmt, PrefetchLoad, Stmt, Store
from pipec.ir.walk import postorder
from pipec.jit.c.header import BUFFER_TYPES, c_type, prototype
from pipec.jit.c.helpers import Helpers
from pipec.jit.c.interface import C_LIBRARY, CFunction, Embedded, ErrorCode, Variant, c_names, c_string, type_bits
from pipec.jit.c.metadata import METADATA_TYPES, metadata_c
from pipec.jit.c.query import answer_text, query_problem, query_table
from pipec.jit.c.stmt import RETRY, CStatements
from pipec.jit.c.types import constant, small_float, storage_type
from pipec.records import replace

_HEAD = """\
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""
# Compilers may fuse no operations on floats. GCC reads its own pragma only.
_STRICT = """\
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif
"""
_ERRORS = """\
#if defined(__GNUC__)
#define PIPEC_THREAD_LOCAL __thread
#define PIPEC_WEAK __attribute__((weak))
#else
#define PIPEC_THREAD_LOCAL
#define PIPEC_WEAK
#endif

static PIPEC_THREAD_LOCAL char pipec_error[1024];

PIPEC_WEAK char *pipec_error_text(void) { return pipec_error; }
PIPEC_WEAK const char *pipec_last_error(void) { return pipec_error_text(); }
/* All loops run in the thread that calls. */
PIPEC_WEAK int halide_set_num_threads(int threads) { return (void)threads, 1; }

PIPEC_WEAK void pipec_print(const char *text, size_t bytes) { fwrite(text, 1, bytes, stderr); }

"""
# Functions that a file defines if it calls them, those that call others last.
_FUNCTIONS = {
    "pipec_fail": """\
static int pipec_fail(int code, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(pipec_error_text(), sizeof pipec_error, format, values);
    va_end(values);
    return code;
}

""",
    "pipec_allocate": """\
static inline void *pipec_allocate(int64_t count, size_t size) {
    if (count < 1) count = 1;
    return (uint64_t)count > SIZE_MAX / 2 / size ? NULL : malloc((size_t)count * size);
}

""",
    "pipec_check": f"""\
static int pipec_check(const struct halide_buffer_t *buffer, const char *name, uint32_t type, int dimensions) {{
    if (!buffer)
        return pipec_fail({ErrorCode.BUFFER_ARGUMENT_IS_NULL.value}, "Error: Buffer argument %s is NULL", name);
    if ((buffer->type.code | (uint32_t)buffer->type.bits << 8 | (uint32_t)buffer->type.lanes << 16) != type)
        return pipec_fail({ErrorCode.BAD_TYPE.value}, "Error: %s has the type code %d and %d bits but those of the"
                    " buffer passed in are %d and %d", name, (int)(type & 255), (int)(type >> 8 & 255),
                    buffer->type.code, buffer->type.bits);
    if (buffer->dimensions != dimensions)
        return pipec_fail({ErrorCode.BAD_DIMENSIONS.value}, "Error: %s requires a buffer of exactly %d dimensions, but"
                    " the buffer passed in has %d dimensions", name, dimensions, (int)buffer->dimensions);
    bool empty = false;
    for (int d = 0; d < dimensions; d++) {{
        int extent = buffer->dim[d].extent;
        if (extent < 0)
            return pipec_fail({ErrorCode.EXTENTS_NEGATIVE.value}, "Error: The extents for buffer %s dimension %d is"
                        " negative (%d)", name, d, extent);
        empty = empty || extent == 0;
    }}
    if (!buffer->host && !empty)
        return pipec_fail({ErrorCode.HOST_IS_NULL.value}, "Error: The host pointer of %s is NULL, but the pipeline will"
                    " access it on the host", name);
    return 0;
}}
""",
}
_PRINT_LINE = """\
/* Prints a line of any length. */
static void pipec_print_line(const char *format, ...) {
    va_list values;
    va_start(values, format);
    int length = vsnprintf(NULL, 0, format, values);
    va_end(values);
    char *line = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!line) return;
    va_start(values, format);
    vsnprintf(line, (size_t)length + 1, format, values);
    va_end(values);
    pipec_print(line, (size_t)length);
    free(line);
}
"""


@once
def own_words() -> frozenset[str]:
    """The words that files use themselves: no variable has such a name."""
    texts = (_HEAD, BUFFER_TYPES, _ERRORS, *_FUNCTIONS.values(), _PRINT_LINE, answer_text())
    words = re.findall(r"[A-Za-z_]\w*", " ".join(texts))
    return Helpers.names() | C_LIBRARY | {*words, *"code i k slots rows query buffers results".split()}


class Names:
    """C identifiers for the names of programs, and new ones."""

    def __init__(self, reserved: Iterable[str]) -> None:
        self.identifiers: dict[str, str] = {}
        self.reserved = set(reserved)
        self.count: dict[str, int] = {}

    def __call__(self, name: str) -> str:
        identifier = self.identifiers.get(name)
        if identifier is None:
            (identifier,) = c_names([self.plain(name)], self.reserved)
            self.identifiers[name] = identifier
            self.reserved.add(identifier)
        return identifier

    def plain(self, name: str) -> str:
        """The stem of the identifier for a name."""
        return name.replace("$", "_")

    def fresh(self, stem: str) -> str:
        """A name not used so far."""
        while True:
            self.count[stem] = self.count.get(stem, 0) + 1
            name = f"{stem}{self.count[stem]}"
            if name not in self.reserved:
                self.reserved.add(name)
                return name


def c_source(function: CFunction, has_strict_floats: bool = False) -> str:
    """The text of the file; `has_strict_floats`: all operations on floats are strict."""
    if function.profiled:
        raise NotSupportedError(
            "Error: compile_to_c cannot write what counts time and memory. Take the feature profile out of the target,"
            " or write an object."
        )
    text: str = with_deep_stack(_source, function, has_strict_floats)
    return text


def _source(function: CFunction, has_strict_floats: bool) -> str:
    plain = c_names([parameter.name for parameter in function.parameters], own_words())
    parameters = [replace(parameter, name=name) for parameter, name in zip(function.parameters, plain, strict=True)]
    named, function = function, replace(function, parameters=tuple(parameters))
    helpers = Helpers()
    helpers.has_strict_floats = has_strict_floats
    bodies = []
    for number, variant in enumerate(function.variants):
        bodies += _variant(function, number, variant, helpers)
    embedded = [_embedded_array(function, name, value) for name, value in function.embedded.items()]
    print_line = _PRINT_LINE if any(variant.program.notices for variant in function.variants) else ""
    strict = _STRICT if helpers.has_strict_floats else ""
    query = _query(function, helpers)
    code = [helpers.text(), *embedded, *bodies, *query, *_wrapper(function), *metadata_c(named)]
    functions: list[str] = []
    for name, text in reversed(_FUNCTIONS.items()):
        if any(re.search(rf"\b{name}\(", part) for part in [*code, *functions]):
            functions.insert(0, text)
    parts = [strict, _HEAD, BUFFER_TYPES, METADATA_TYPES, _ERRORS, *functions, print_line, *code]
    return "\n".join([*[part for part in parts if part], ""])


def _signature(function: CFunction, number: int) -> str:
    text = prototype(function)
    return f"static {text.replace(f'int {function.name}(', f'int {_variant_name(function, number)}(', 1)}"


def _variant_name(function: CFunction, number: int) -> str:
    return f"{function.name}_{'strips' if number == 0 and len(function.variants) > 1 else 'exact'}"


def _variant(function: CFunction, number: int, variant: Variant, helpers: Helpers) -> list[str]:
    program = variant.program
    names = Names([*own_words(), *[parameter.name for parameter in function.parameters]])
    used = used_names(program.body)
    lines: list[str] = []
    for argument in program.arguments:
        lines += _argument(function, argument, used, names)
    last = number == len(function.variants) - 1
    statements = CStatements(helpers, names, names.fresh, variant.messages, program.notices, last, used)
    lines += statements.lines(program.body)
    used_words = set(re.findall(r"\w+", "\n".join(lines)))
    lines[:0] = [f"(void){p.name};" for p in function.parameters if p.name not in used_words]
    return ["", f"{_signature(function, number)} {{", *[f"    {line}" for line in lines], "    return 0;", "}"]


def _query_name(function: CFunction) -> str:
    return f"{function.name}_query"


def _query(function: CFunction, helpers: Helpers) -> list[str]:
    """The function that answers bounds queries, from a row of slots as in object code."""
    if query_problem(function) is not None or isinstance(function.query, str):
        return [answer_text()]
    program, names = function.query.program, Names(own_words())
    used = used_names(program.body)
    lines: list[str] = []
    slot = 0
    for argument in program.arguments:
        kind = storage_type(argument.type)
        if argument.name == function.query.result:
            name = names(argument.name)
            lines.append(f"{kind} *const {name} = ({kind} *)(intptr_t)slots[{slot}];")
        elif argument.kind is ProgramArgumentKind.SCALAR and argument.name in used:
            name = names(argument.name)
            lines += [f"{c_type(argument.type)} {name};", f"memcpy(&{name}, slots + {slot}, sizeof {name});"]
        embedded = function.embedded.get(argument.name)
        for place, (d, what) in enumerate(product(range(argument.dimensions), ("min", "extent", "stride"))):
            name = f"{argument.name}.{what}.{d}"
            if name in used:
                number = embedded.dims[d][place % 3] if embedded else f"(int32_t)slots[{slot + 1 + place}]"
                lines.append(f"const int32_t {names(name)} = {number};")
        slot += 1 + 3 * argument.dimensions
    lines += CStatements(helpers, names, names.fresh, (), (), True, used).lines(program.body)
    head = f"static int {_query_name(function)}(int64_t *slots) {{"
    return [answer_text(), head, *[f"    {line}" for line in lines], "    return 0;", "}"]


def _answer(function: CFunction) -> list[str]:
    """Ends the call when a buffer has no memory."""
    table, problem = query_table(function), query_problem(function)
    rows = ", ".join([f"{{{', '.join(map(str, row))}}}" for row in table.buffers])
    scalars = []
    slot = 0
    for argument in function.variants[0].program.arguments:
        if argument.kind is ProgramArgumentKind.SCALAR:
            parameter = function.parameter_of(argument.name)
            assert parameter is not None
            scalars.append(f"memcpy(slots + {slot}, &{parameter.name}, sizeof {parameter.name});")
        slot += 1 + 3 * argument.dimensions
    entry, reason = (_query_name(function), "NULL") if problem is None else ("NULL", c_string(problem))
    numbers = f"{len(table.buffers)}, {table.slot}"
    return [
        f"static const pipec_QueryBuffer rows[] = {{{rows}}};",
        f"static const pipec_Query query = {{{entry}, {reason}, rows, {numbers}}};",
        f"pipec_Buffer *const buffers[] = {{{', '.join([p.name for p in table.parameters])}}};",
        f"int64_t slots[{table.slots}];",
        f"int32_t results[{table.results}];",
        *scalars,
        "if ((code = pipec_answer(&query, slots, results, buffers)) != pipec_NO_QUERY) return code;",
    ]


def used_names(body: Stmt) -> set[str]:
    """The names of the variables and buffers that a program uses, without lets that are never read."""
    needed: set[str] = set()
    values: dict[str, set[str]] = {}
    for node in postorder(body):
        if not isinstance(node, Stmt) or isinstance(node, PrefetchLoad | Evaluate):
            continue
        names = _mentioned([child for child in node.children() if isinstance(child, Expr)])
        if isinstance(node, LetStmt):
            values.setdefault(node.name, set()).update(names)
        else:
            needed |= names
            if isinstance(node, Store):
                needed.add(node.buffer)
            elif isinstance(node, CallExtern):
                needed.update(node.buffers())
    pending = list(needed)
    while pending:
        fresh = values.pop(pending.pop(), set()) - needed
        needed |= fresh
        pending += fresh
    return needed


def _mentioned(roots: list[Expr]) -> set[str]:
    nodes = list(postorder(*roots))
    loads = {node.buffer for node in nodes if isinstance(node, Load)}
    return loads | {node.name for node in nodes if isinstance(node, Variable)}


def _argument(function: CFunction, argument: ProgramArgument, used: set[str], names: Names) -> list[str]:
    """The declarations of the names of an argument that the program uses."""
    parameter = function.parameter_of(argument.name)
    if argument.kind is ProgramArgumentKind.SCALAR:
        assert parameter is not None
        if argument.type.is_handle():
            return [f"const uint64_t {names(argument.name)} = (uint64_t)(uintptr_t){parameter.name};"]
        names.identifiers[argument.name] = parameter.name
        return []
    embedded = function.embedded.get(argument.name)
    kind = storage_type(argument.type)
    lines = []
    if argument.name in used:
        const = "" if argument.kind is ProgramArgumentKind.OUTPUT else "const "
        if embedded is not None:
            value = _embedded_name(function, argument.name)
        else:
            assert parameter is not None
            value = f"({const}{kind} *){parameter.name}->host"
        lines.append(f"{const}{kind} *const {names(f'{argument.name}.host')} = {value};")
        names.identifiers[argument.name] = names(f"{argument.name}.host")
    for d in range(argument.dimensions):
        for at, what in enumerate(("min", "extent", "stride")):
            name = f"{argument.name}.{what}.{d}"
            if name in used:
                if embedded is not None:
                    value = str(embedded.dims[d][at])
                else:
                    assert parameter is not None
                    value = f"{parameter.name}->dim[{d}].{what}"
                lines.append(f"const int32_t {names(name)} = {value};")
    return lines


def _embedded_name(function: CFunction, name: str) -> str:
    (legal,) = c_names([f"{function.name}_{name}_data"])
    return legal


def _embedded_array(function: CFunction, name: str, embedded: Embedded) -> str:
    kind = embedded.type
    values = np.frombuffer(embedded.data, kind.numpy())
    if small_float(kind):
        texts = [str(value) for value in values.view(np.uint16).tolist()]
    elif kind.boolean:
        texts = [str(int(value)) for value in values.tolist()]
    else:
        texts = [constant(kind, value) for value in values.tolist()]
    lines = [", ".join(texts[at : at + 16]) for at in range(0, len(texts), 16)] or ["0"]
    body = ",\n    ".join(lines)
    return f"static const {storage_type(kind)} {_embedded_name(function, name)}[] = {{\n    {body}\n}};"


def _wrapper(function: CFunction) -> list[str]:
    """The function that C calls: it checks the buffers and tries the variants in order."""
    text = prototype(function)
    program: Program = function.variants[0].program
    lines = ["int code = 0;", *_answer(function)]
    for argument in program.arguments:
        parameter = function.parameter_of(argument.name)
        if parameter is None or not parameter.is_buffer:
            continue
        facts = f"{c_string(parameter.word)}, 0x{type_bits(argument.type):x}u, {argument.dimensions}"
        lines.append(f"if ((code = pipec_check({parameter.name}, {facts}))) return code;")
    arguments = ", ".join([parameter.name for parameter in function.parameters])
    for number in range(len(function.variants)):
        call = f"{_variant_name(function, number)}({arguments})"
        if number == 0:
            lines.append(f"code = {call};")
        else:
            lines.append(f"if (code == {RETRY}) code = {call}; /* tight buffers: no strip may pass a border */")
    lines.append("return code;")
    return ["", f"{text};", f"{text} {{", *[f"    {line}" for line in lines], "}", *_by_addresses(function)]


def _by_addresses(function: CFunction) -> list[str]:
    """NAME_argv: as the function, with an array of pointers to buffers and to the values of scalars."""
    values = []
    for number, parameter in enumerate(function.parameters):
        if parameter.is_buffer:
            values.append(f"pipec_args[{number}]")
        else:
            kind = c_type(parameter.argument.type)
            values.append(f"*({kind} *)pipec_args[{number}]")
    text = f"int {function.name}_argv(void **pipec_args)"
    return ["", f"{text};", f"{text} {{ return {function.name}({', '.join(values)}); }}"]
