"""NAME_metadata(): what a program can ask about a pipeline when it runs. Names and layout are Halide's."""

from __future__ import annotations

import struct
from typing import NamedTuple

from pipec.ir.program import ProgramArgumentKind
from pipec.ir.types import Type
from pipec.jit.c.interface import CFunction, CParameter, c_string, type_bits
from pipec.jit.c.types import constant

METADATA_TYPES = """\
#if !defined(HALIDE_HALIDERUNTIME_H) && !defined(PIPEC_METADATA_TYPES)
#define PIPEC_METADATA_TYPES

struct halide_scalar_value_t {
    union {
        bool b;
        int8_t i8; int16_t i16; int32_t i32; int64_t i64;
        uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
        float f32; double f64;
        void *handle;
    } u;
};

struct halide_filter_argument_t {
    const char *name;
    int32_t kind;           /* 0: scalar, 1: input buffer, 2: output buffer */
    int32_t dimensions;     /* of a buffer */
    struct halide_type_t type;
    /* Of a scalar: what was given of it; NULL: nothing. */
    const struct halide_scalar_value_t *scalar_def, *scalar_min, *scalar_max, *scalar_estimate;
    /* Of a buffer: the minimum and extent of each dimension that searches expect, each NULL where nothing was said. */
    const int64_t *const *buffer_estimates;
};

struct halide_filter_metadata_t {
    int32_t version;        /* 1 */
    int32_t num_arguments;
    const struct halide_filter_argument_t *arguments;
    const char *target;
    const char *name;
};

#endif
"""
_KINDS = {ProgramArgumentKind.SCALAR: 0, ProgramArgumentKind.INPUT: 1, ProgramArgumentKind.OUTPUT: 2}


class MetadataRow(NamedTuple):
    """A halide_filter_argument_t. `scalars`: its default, least, greatest and expected value."""

    name: str
    kind: int
    dimensions: int
    type: Type
    scalars: tuple[float | None, ...]
    sizes: tuple[int | None, ...]


def metadata_rows(function: CFunction) -> list[MetadataRow]:
    """The arguments of a function, in their order."""
    return [_row(parameter) for parameter in function.parameters]


def _row(parameter: CParameter) -> MetadataRow:
    argument = parameter.argument
    facts = _KINDS[argument.kind], argument.dimensions, argument.type
    return MetadataRow(parameter.label or parameter.name, *facts, *parameter.estimates)


def metadata_name(function: CFunction) -> str:
    """The C function that returns the metadata."""
    return f"{function.name}_metadata"


def declaration(function: CFunction) -> str:
    """Its declaration, without a semicolon."""
    return f"const struct halide_filter_metadata_t *{metadata_name(function)}(void)"


def metadata_c(function: CFunction) -> list[str]:
    """The function in C99."""
    lines: list[str] = []
    rows = []
    for number, row in enumerate(metadata_rows(function)):
        values = []
        for place, value in enumerate(row.scalars):
            name = f"value_{number}_{place}"
            if value is not None:
                text = f"{{.u = {{.{_member(row.type)} = {constant(row.type, value)}}}}}"
                lines.append(f"static const struct halide_scalar_value_t {name} = {text};")
            values.append("NULL" if value is None else f"&{name}")
        sizes = []
        for place, size in enumerate(row.sizes):
            name = f"size_{number}_{place}"
            if size is not None:
                lines.append(f"static const int64_t {name} = {size};")
            sizes.append("NULL" if size is None else f"&{name}")
        if sizes:
            lines.append(f"static const int64_t *const sizes_{number}[] = {{{', '.join(sizes)}}};")
        code, bits = type_bits(row.type) & 255, type_bits(row.type) >> 8 & 255
        facts = [c_string(row.name), str(row.kind), str(row.dimensions), f"{{{code}, {bits}, 1}}"]
        pointers = [*(values or ["NULL"] * 4), f"sizes_{number}" if sizes else "NULL"]
        rows.append(f"    {{{', '.join([*facts, *pointers])}}},")
    fields = f'{{1, {len(rows)}, arguments, "{function.target}", "{function.name}"}}'
    return [
        "",
        f"{declaration(function)};",
        f"{declaration(function)} {{",
        *[f"    {line}" for line in lines],
        "    static const struct halide_filter_argument_t arguments[] = {",
        *[f"    {row}" for row in rows],
        "    };",
        f"    static const struct halide_filter_metadata_t metadata = {fields};",
        "    return &metadata;",
        "}",
    ]


def _member(kind: Type) -> str:
    if kind.boolean:
        return "b"
    return f"{'f' if kind.floating else 'i' if kind.signed else 'u'}{kind.nbits}"


def value_bits(kind: Type, value: float) -> int:
    """A halide_scalar_value_t as a number of 64 bits."""
    if kind.floating:
        data = struct.pack("<f" if kind.nbits == 32 else "<d", value)
    else:
        data = (int(value) & (1 << kind.nbits) - 1).to_bytes(8, "little")
    return int.from_bytes(data.ljust(8, b"\0"), "little", signed=True)


def registration_text(function: CFunction) -> str:
    """A C++ file whose start passes the function to `halide_register_argv_and_metadata`, which the program defines."""
    extra = "HALIDE_REGISTER_EXTRA_KEY_VALUE_PAIRS_FUNC"
    name = function.name
    return f"""\
/* Tells the program of {name} before main(). */
struct halide_filter_metadata_t;
extern "C" {{
void halide_register_argv_and_metadata(int (*)(void **), const halide_filter_metadata_t *, const char *const *extra);
int {name}_argv(void **arguments);
const halide_filter_metadata_t *{metadata_name(function)}();
#ifdef {extra}
const char *const *{extra}();
#endif
}}

namespace {{
struct Registration_{name} {{
    Registration_{name}() {{
#ifdef {extra}
        const char *const *extra = {extra}();
#else
        const char *const *extra = nullptr;
#endif
        halide_register_argv_and_metadata(::{name}_argv, ::{metadata_name(function)}(), extra);
    }}
}} registration_{name};
}}
"""
