"""A pipeline as a C function: its name, its parameters, what it does on errors. What all forms of output share.

The machine code (or C code) of a Program reads one row of slots or variables; the C function around it takes buffers
in the layout of Halide's `halide_buffer_t`, checks them, and turns what failed into an error code and a text.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pipec.ir.program import BoundsQuery, Program, ProgramArgument, ProgramArgumentKind
from pipec.ir.types import Type
from pipec.records import dataclass

# What pipec_answer (runtime/queries.c) gives where all buffers have memory.
NO_QUERY = 1


class ErrorCode(enum.IntEnum):
    """The status codes of a pipeline, with Halide's numbers."""

    GENERIC = -1
    EXPLICIT_BOUNDS_TOO_SMALL = -2
    BAD_TYPE = -3
    ACCESS_OUT_OF_BOUNDS = -4
    CONSTRAINT_VIOLATED = -8
    PARAM_TOO_SMALL = -9
    PARAM_TOO_LARGE = -10
    OUT_OF_MEMORY = -11
    BUFFER_ARGUMENT_IS_NULL = -12
    UNALIGNED_HOST = -24
    FOLD_FACTOR_TOO_SMALL = -26
    REQUIREMENT_FAILED = -27
    EXTENTS_NEGATIVE = -28
    SPECIALIZE_FAIL = -31
    HOST_IS_NULL = -34
    BAD_EXTERN_FOLD = -35
    BAD_DIMENSIONS = -43
    STORAGE_BOUND_TOO_SMALL = -45
    SPLIT_FACTOR_NOT_POSITIVE = -46


@dataclass(frozen=True)
class Message:
    """The message of a failed check for callers of the C function.

    `format` is one for printf, whose values are `values`, numbers of those that the check gave: `%lld` or `%llu` for
    integers, `%g`, `%f` or `%e` for the bits of a double. `retry`: the next variant of the program may succeed.
    """

    code: ErrorCode
    format: str
    values: tuple[int, ...] = ()
    retry: bool = False

    def conversions(self) -> list[tuple[int, bool]]:
        """The printed values: the number of each, and whether it is a double."""
        kinds = re.findall(r"%(lld|llu|[gfe])", self.format.replace("%%", ""))
        return [(value, kind in "gfe") for value, kind in zip(self.values, kinds, strict=True)]


@dataclass(frozen=True)
class Variant:
    """One way to compute the pipeline: a Program and, by code, what its checks mean."""

    program: Program
    messages: tuple[Message, ...]


class ParameterEstimates(NamedTuple):
    """What users say of a parameter, None where they say nothing.

    `scalars`: its default, least, greatest and expected value. `sizes`: the minimum and extent of each dimension.
    """

    scalars: tuple[float | None, ...] = ()
    sizes: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class CParameter:
    """A parameter of the C function. The pipeline need not use it.

    `label`: the user's name for it, of which `name` is the form in C.
    """

    name: str
    argument: ProgramArgument
    estimates: ParameterEstimates = ParameterEstimates()
    label: str = ""

    @property
    def is_buffer(self) -> bool:
        """Whether the parameter is a buffer."""
        return self.argument.kind is not ProgramArgumentKind.SCALAR

    @property
    def word(self) -> str:
        """The name in messages."""
        kind = "Output" if self.argument.kind is ProgramArgumentKind.OUTPUT else "Input"
        return f"{kind} buffer {self.argument.name.partition('$')[0]}"


@dataclass(frozen=True)
class Embedded:
    """A Buffer that is part of the pipeline: its elements, and min, extent and stride of each dimension."""

    type: Type
    data: bytes
    dims: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class CFunction:
    """`variants`: at least one; each but the last is left for the next when a check with `retry` fails.

    `profiled`: the Funcs whose time and memory are counted, if any. `query`: what answers bounds queries, or why there
    is no answer. `target`: for which it is compiled.
    """

    name: str
    parameters: tuple[CParameter, ...]
    embedded: Mapping[str, Embedded]
    variants: tuple[Variant, ...]
    profiled: tuple[str, ...] = ()
    query: BoundsQuery | str = "Error: This function answers no bounds queries."
    target: str = ""

    def parameter_of(self, argument: str) -> CParameter | None:
        """The parameter that gives the value of an argument of the programs; None for embedded Buffers."""
        return next((p for p in self.parameters if p.argument.name == argument), None)


# Keywords of C and C++, whose programs include the headers, and the types of headers.
C_WORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
    "bool true false main errno _Bool _Complex _Imaginary asm typeof linux unix i386 alignas alignof and and_eq "
    "bitand bitor catch char8_t char16_t char32_t class co_await co_return co_yield compl concept const_cast "
    "consteval constexpr constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept "
    "not not_eq nullptr operator or or_eq private protected public reinterpret_cast requires static_assert "
    "static_cast template this thread_local throw try typeid typename using virtual wchar_t xor xor_eq NULL size_t "
    "ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t".split()
)
# Functions, macros and types of the headers that are included, or that compilers know, and C++'s namespace.
C_LIBRARY = frozenset(
    "abort abs acos acosh asin asinh assert atan atan2 atanh atof atoi atol bsearch calloc cbrt ceil clearerr "
    "copysign cos cosh div erf erfc exit exp exp2 expm1 fabs fclose fdim feof ferror fflush fgetc fgets floor fma "
    "fmax fmin fmod fopen fprintf fputc fputs fread free frexp fscanf fseek ftell fwrite getc getchar getenv gets "
    "halide_buffer_t halide_dimension_t halide_type_t hypot ilogb index isfinite isinf isnan isnormal j0 j1 jn labs "
    "ldexp lgamma llabs llrint llround log log10 log1p log2 logb lrint lround malloc memchr memcmp memcpy memmove "
    "memset modf nan nearbyint nextafter perror pow printf putc putchar puts qsort raise rand realloc remainder "
    "remove remquo rename rewind rindex rint round scalbn scanf setbuf signbit sin sinh snprintf sprintf sqrt srand "
    "sscanf std stderr stdin stdout strcat strchr strcmp strcpy strlen strncmp strncpy strstr strtod strtol strtoul "
    "system tan tanh tgamma time tmpfile trunc ungetc vfprintf vprintf vsnprintf vsprintf y0 y1 yn EOF HUGE_VAL I "
    "INFINITY NAN NULL".split()
)


def c_names(names: Iterable[str], reserved: Iterable[str] = ()) -> list[str]:
    """A C identifier for each name, all different."""
    used = set(reserved) | C_WORDS
    identifiers = []
    for name in names:
        stem = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
        stem = f"_{stem}" if stem[0].isdigit() else stem
        identifier, count = stem, 1
        while identifier in used:
            identifier, count = f"{stem}_{count}", count + 1
        used.add(identifier)
        identifiers.append(identifier)
    return identifiers


def c_string(text: str) -> str:
    """A C string literal."""
    out = []
    for byte in text.encode():
        plain = 32 <= byte < 127 and byte not in b'"\\?'
        out.append(chr(byte) if plain else f"\\{byte:03o}")
    return f'"{"".join(out)}"'


def type_bits(kind: Type) -> int:
    """The 32 bits of a `halide_type_t`: code, bits, lanes."""
    return int(kind.code().value) | kind.nbits << 8 | 1 << 16
