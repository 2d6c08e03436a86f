"""A C function that calls the one of several variants of a pipeline that this processor can run, as LLVM text."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.errors import NotSupportedError
from pipec.jit.c.interface import CFunction
from pipec.jit.llvm.c_function import addresses_text, metadata_lines, signature
from pipec.jit.llvm.engine import TargetMachine

# Bits of what GCC's and LLVM's support libraries find out about the processor: __cpu_model, then __cpu_features2.
_BITS = {
    "sse3": 5,
    "ssse3": 6,
    "sse4.1": 7,
    "avx": 9,
    "avx2": 10,
    "fma4": 12,
    "fma": 14,
    "avx512f": 15,
    "avx512vl": 20,
    "avx512bw": 21,
    "avx512dq": 22,
    "avx512cd": 23,
    "avx512vbmi": 26,
    "avx512ifma": 27,
    "avx512vpopcntdq": 30,
    "avx512vbmi2": 31,
    "avx512vnni": 34,
    "avx512bitalg": 35,
    "avx512bf16": 36,
    "f16c": 49,
    "avxvnni": 61,
    "avx512fp16": 62,
}


def dispatch_text(function: CFunction, variants: Sequence[tuple[str, TargetMachine]]) -> str:
    """The module: each variant is a function of the same parameters, tried in order; the last needs nothing special."""
    types, values = signature(function)
    parameters = ", ".join([f"{kind} {value}" for kind, value in zip(types, values, strict=True)])
    out = [f"declare i32 @{name}({', '.join(types)})" for name, _ in variants]
    body = [f"define i32 @{function.name}({parameters}) {{", "start:"]
    if len(variants) > 1:
        out += [
            "declare i32 @__cpu_indicator_init()",
            "@__cpu_model = external global { i32, i32, i32, [1 x i32] }",
            "@__cpu_features2 = external global i32",
        ]
        body += [
            "  %i = call i32 @__cpu_indicator_init()",
            "  %place = getelementptr i8, ptr @__cpu_model, i64 12",
            "  %low = load i32, ptr %place",
            "  %high = load i32, ptr @__cpu_features2",
        ]
    for number, (name, machine) in enumerate(variants):
        call = [f"  %r{number} = call i32 @{name}({parameters})", f"  ret i32 %r{number}"]
        if number == len(variants) - 1:
            body += call
            break
        features = _needed(machine)
        low, high = _signed(features & 0xFFFFFFFF), _signed(features >> 32)
        body += [
            f"  %l{number} = and i32 %low, {low}",
            f"  %h{number} = and i32 %high, {high}",
            f"  %a{number} = icmp eq i32 %l{number}, {low}",
            f"  %b{number} = icmp eq i32 %h{number}, {high}",
            f"  %c{number} = and i1 %a{number}, %b{number}",
            f"  br i1 %c{number}, label %use{number}, label %next{number}",
            f"use{number}:",
            *call,
            f"next{number}:",
        ]
    return "\n".join([*out, *body, "}", *addresses_text(function), *metadata_lines(function), ""])


def _needed(machine: TargetMachine) -> int:
    features = [feature.lstrip("+") for feature in machine.features.split(",") if feature]
    if features and machine.architecture != "x86":
        raise NotSupportedError(
            f"Error: There is no test at run time for the features of {machine.triple} ({machine.features}): give one"
            " target only."
        )
    return sum([1 << _BITS[feature] for feature in features])


def _signed(bits: int) -> int:
    return bits - (1 << 32) if bits >> 31 else bits
