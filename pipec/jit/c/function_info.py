"""The C++ header that describes the parameters of a pipeline to the C++ compiler: constants of C++17."""

from __future__ import annotations

from collections.abc import Mapping

from pipec.ir.program import ProgramArgumentKind
from pipec.ir.types import Type, TypeCode
from pipec.jit.c.header import BUFFER_TYPES
from pipec.jit.c.interface import CFunction, CParameter

# Names and layout are Halide's, as in the header.
_ARGUMENT_INFO = """\
#if !defined(HALIDE_HALIDERUNTIME_H) && !defined(PIPEC_FUNCTION_INFO)
#define PIPEC_FUNCTION_INFO

namespace HalideFunctionInfo {

enum ArgumentKind { InputScalar = 0, InputBuffer = 1, OutputBuffer = 2 };

struct ArgumentInfo {
    std::string_view name;
    ArgumentKind kind;
    int32_t dimensions;     // 0 for scalars
    halide_type_t type;
};

}  // namespace HalideFunctionInfo

#endif
"""
_KINDS: Mapping[ProgramArgumentKind, str] = {
    ProgramArgumentKind.SCALAR: "InputScalar",
    ProgramArgumentKind.INPUT: "InputBuffer",
    ProgramArgumentKind.OUTPUT: "OutputBuffer",
}
_CODES: Mapping[TypeCode, str] = {
    TypeCode.Int: "halide_type_int",
    TypeCode.UInt: "halide_type_uint",
    TypeCode.Float: "halide_type_float",
    TypeCode.BFloat: "halide_type_bfloat",
    TypeCode.Handle: "halide_type_handle",
}


def function_info_text(function: CFunction) -> str:
    """The header: a constexpr function `NAME_argument_info` that returns a std::array, one entry for each parameter."""
    guard = f"PIPEC_{function.name.upper()}_FUNCTION_INFO_H"
    array = f"std::array<::HalideFunctionInfo::ArgumentInfo, {len(function.parameters)}>"
    return "\n".join(
        [
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            "#if !(__cplusplus >= 201703L || _MSVC_LANG >= 201703L)",
            '#error "This header needs C++17 or later."',
            "#endif",
            "",
            "#include <array>",
            "#include <string_view>",
            "",
            BUFFER_TYPES,
            _ARGUMENT_INFO,
            f"// The parameters of {function.name} in their order, for use at compile time.",
            f"inline constexpr {array} {function.name}_argument_info() {{",
            "    return {{",
            *map(_entry, function.parameters),
            "    }};",
            "}",
            "",
            "#endif",
            "",
        ]
    )


def _entry(parameter: CParameter) -> str:
    argument = parameter.argument
    kind = f"::HalideFunctionInfo::{_KINDS[argument.kind]}"
    return f'        {{"{parameter.name}", {kind}, {argument.dimensions}, {_type(argument.type)}}},'


def _type(kind: Type) -> str:
    return f"halide_type_t{{{_CODES[kind.code()]}, {kind.nbits}, 1}}"
