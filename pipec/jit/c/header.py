"""The C header of a pipeline."""

from __future__ import annotations

from pipec.errors import NotSupportedError
from pipec.ir.types import Type
from pipec.jit.c.interface import CFunction
from pipec.jit.c.metadata import METADATA_TYPES, declaration

# Layout and names are those of Halide, so that a program written for one works with the other.
BUFFER_TYPES = """\
#include <stddef.h>
#include <stdint.h>

/* Buffers have the layout that Halide gives them; if its runtime header is included before, its types are used. */
#if !defined(HALIDE_HALIDERUNTIME_H) && !defined(PIPEC_BUFFER_TYPES)
#define PIPEC_BUFFER_TYPES

typedef enum halide_type_code_t {
    halide_type_int = 0,
    halide_type_uint = 1,   /* bits = 1: bool, one byte each */
    halide_type_float = 2,
    halide_type_handle = 3,
    halide_type_bfloat = 4
} halide_type_code_t;

struct halide_type_t {
    uint8_t code;           /* a halide_type_code_t */
    uint8_t bits;
    uint16_t lanes;         /* 1 */
};

typedef struct halide_dimension_t {
    int32_t min;            /* the coordinate of the first element */
    int32_t extent;         /* how many there are */
    int32_t stride;         /* the distance of two neighbours, in elements; may be negative */
    uint32_t flags;         /* 0 */
} halide_dimension_t;

struct halide_device_interface_t;

typedef struct halide_buffer_t {
    uint64_t device;        /* 0: memory of the processor only */
    const struct halide_device_interface_t *device_interface;
    uint8_t *host;          /* the element at the min coordinates */
    uint64_t flags;         /* 0 */
    struct halide_type_t type;
    int32_t dimensions;
    halide_dimension_t *dim;        /* one for each dimension, innermost (x) first */
    void *padding;
} halide_buffer_t;

#endif
"""
_FUNCTIONS = """\
/* Why the last call in this thread failed. */
const char *pipec_last_error(void);
/* Is given the lines that pipelines print and trace; writes them to stderr, unless the program has its own. */
void pipec_print(const char *text, size_t bytes);
"""
_POOL = """\
/* How many threads run parallel loops, the caller's among them. At first: HL_NUM_THREADS, else all processors.
   Returns the number before. */
int halide_set_num_threads(int threads);
"""
_PROFILER = """\
/* Writes the time and memory of each stage in all runs so far, by pipec_print; the program does so when it ends. */
void halide_profiler_report(void *user_context);
/* Counts from 0. No pipeline may run meanwhile. */
void halide_profiler_reset(void *user_context);
"""


def c_type(kind: Type) -> str:
    """The C type of a scalar parameter."""
    if kind.boolean:
        return "bool"
    if kind.is_handle():
        return "void *"
    if kind.floating:
        if kind.nbits == 16:
            raise NotSupportedError(
                f"Error: A parameter of type {kind} has no type in C. Use a Param of Float(32) and cast it."
            )
        return "float" if kind.nbits == 32 else "double"
    return f"{'' if kind.signed else 'u'}int{kind.nbits}_t"


def prototype(function: CFunction) -> str:
    """The declaration of the C function, without a semicolon."""
    parts = []
    for parameter in function.parameters:
        kind = "struct halide_buffer_t *" if parameter.is_buffer else c_type(parameter.argument.type)
        parts.append(f"{kind}{'' if kind.endswith('*') else ' '}{parameter.name}")
    return f"int {function.name}({', '.join(parts) or 'void'})"


def header_text(function: CFunction) -> str:
    """The header: types of buffers, the function, the functions of the runtime."""
    guard = f"PIPEC_{function.name.upper()}_H"
    about = [
        f"   {parameter.name}: {_describe(parameter.argument.type, parameter.argument.dimensions, parameter.is_buffer)}"
        for parameter in function.parameters
    ]
    text = prototype(function)
    return "\n".join(
        [
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            "#include <stdbool.h>",
            BUFFER_TYPES,
            METADATA_TYPES,
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            "",
            "/* Returns 0, or an error code (negative, Halide's numbers). May be called from several threads at once.",
            *about,
            "*/",
            f"{text};",
            "",
            "/* The same, with an array of pointers to the buffers and to the values of scalars. */",
            f"int {function.name}_argv(void **args);",
            "",
            "/* What it is. */",
            f"{declaration(function)};",
            "",
            _FUNCTIONS,
            _POOL,
            *([_PROFILER] if function.profiled else []),
            "#ifdef __cplusplus",
            "}",
            "#endif",
            "",
            "#endif",
            "",
        ]
    )


def _describe(kind: Type, dimensions: int, is_buffer: bool) -> str:
    return f"buffer of {kind}, {dimensions} dimensions" if is_buffer else str(kind)
