"""The differences of OpenCL C from C99: names of types, of functions, and the bits of floats."""

from __future__ import annotations

import re

from pipec.ir.types import Type
from pipec.jit.c.helpers import Helpers
from pipec.jit.c.types import suffix, value_type

_TYPES = {
    "int8_t": "char",
    "uint8_t": "uchar",
    "int16_t": "short",
    "uint16_t": "ushort",
    "int32_t": "int",
    "uint32_t": "uint",
    "int64_t": "long",
    "uint64_t": "ulong",
}
_LIMITS = {
    "INT8_MIN": "CHAR_MIN",
    "INT8_MAX": "CHAR_MAX",
    "INT16_MIN": "SHRT_MIN",
    "INT16_MAX": "SHRT_MAX",
    "INT32_MIN": "INT_MIN",
    "INT32_MAX": "INT_MAX",
    "INT64_MIN": "LONG_MIN",
    "INT64_MAX": "LONG_MAX",
    "UINT8_MAX": "UCHAR_MAX",
    "UINT16_MAX": "USHRT_MAX",
    "UINT32_MAX": "UINT_MAX",
    "UINT64_MAX": "ULONG_MAX",
}
_SUFFIXES = {"INT64_C": "L", "UINT64_C": "UL"}
# 64-bit atomic operations, and what a device needs for them.
_ATOMICS = {
    "add sub xchg inc dec cmpxchg": "cl_khr_int64_base_atomics",
    "min max and or xor": "cl_khr_int64_extended_atomics",
}
_CONVERSIONS = {
    "load_float16": """float load_float16(uint16_t h) {
#ifdef cl_khr_fp16
    return convert_float(as_half(h));
#else
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = (h >> 10) & 31, fraction = h & 0x3ff;
    if (exponent == 0) {
        float small = (float)fraction * 5.9604645e-08f;
        return sign ? -small : small;
    }
    return as_float(sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | fraction << 13);
#endif
}""",
    "store_float16": """uint16_t store_float16(float value) {
#ifdef cl_khr_fp16
    return as_ushort(convert_half_rte(value));
#else
    uint32_t bits = as_uint(value);
    uint32_t sign = (bits >> 16) & 0x8000, rest = bits & 0x7fffffff;
    if (rest > 0x7f800000) return (uint16_t)(sign | 0x7e00);
    if (rest >= 0x477ff000) return (uint16_t)(sign | 0x7c00);
    if (rest < 0x38800000) return (uint16_t)(sign | (uint32_t)rint(fabs(value) * 16777216.0f));
    return (uint16_t)(sign | (rest - 0x38000000 + 0xfff + ((rest >> 13) & 1)) >> 13);
#endif
}""",
    "round_float16": "float round_float16(float value) { return load_float16(store_float16(value)); }",
    "load_bfloat16": "float load_bfloat16(uint16_t b) { return as_float((uint32_t)b << 16); }",
    "store_bfloat16": """uint16_t store_bfloat16(float value) {
    uint32_t bits = as_uint(value);
    if (value != value) return 0x7fc0;
    return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}""",
    "round_bfloat16": "float round_bfloat16(float value) { return load_bfloat16(store_bfloat16(value)); }",
}


class KernelHelpers(Helpers):
    """The helper functions used so far, in OpenCL C."""

    TABLE = "const int"
    _conversions = _CONVERSIONS

    def function(self, name: str, kind: Type) -> str:
        """Functions are overloaded."""
        return name

    def reinterpret(self, source: Type, target: Type) -> str:
        """The bits of one type as another of the same size."""
        full = f"{suffix(target)}_of_bits_of_{suffix(source)}"
        a, b = value_type(source), value_type(target)
        text = f"static inline {b} {full}({a} a) {{ return as_{_TYPES.get(b, b)}(a); }}"
        self.texts.setdefault(full, text)
        return full


def prelude(text: str, has_strict_floats: bool) -> str:
    """The head of a program: what `text` needs of extensions, and the names of C99 that OpenCL C has not.

    `has_strict_floats`: compilers may fuse no operations.
    """
    words = set(re.findall(r"\w+", text))
    lines = [f"typedef {own} {name};" for name, own in _TYPES.items() if name in words]
    lines += [f"#define {name} {own}" for name, own in _LIMITS.items() if name in words]
    lines += [f"#define {name}(number) number##{suffix_}" for name, suffix_ in _SUFFIXES.items() if name in words]
    if "cl_khr_fp16" in words:
        lines[:0] = ["#ifdef cl_khr_fp16", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable", "#endif"]
    for word, extension in _ATOMICS.items():
        if words & {f"atom_{operation}" for operation in word.split()}:
            lines.insert(0, f"#pragma OPENCL EXTENSION {extension} : enable")
    if has_strict_floats:
        lines.insert(0, "#pragma OPENCL FP_CONTRACT OFF")
    if "double" in words:
        lines.insert(0, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable")
    return "\n".join(lines)
