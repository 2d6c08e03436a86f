"""Small C functions that generated C calls where C's own operators mean something else, or nothing, for some operands.

In the templates T is the type of values, U the unsigned type of its size, N its bits, S its name.
"""

from __future__ import annotations

from pipec.ir.types import Type
from pipec.jit.c.types import suffix, value_type

_INTEGER = {
    "add": "T add_S(T a, T b) { return (T)((U)a + (U)b); }",
    "sub": "T sub_S(T a, T b) { return (T)((U)a - (U)b); }",
    "mul": "T mul_S(T a, T b) { return (T)((U)a * (U)b); }",
    "abs": "U abs_S(T a) { return (U)(a < 0 ? 0 - (U)a : (U)a); }",
    "absd": "U absd_S(T a, T b) { return (U)(a > b ? (U)a - (U)b : (U)b - (U)a); }",
    "popcount": "T popcount_S(T a) { int n = 0; for (U u = (U)a; u; u &= (U)(u - 1)) n++; return (T)n; }",
    "count_leading_zeros": "T count_leading_zeros_S(T a) { int n = N; for (U u = (U)a; u; u >>= 1) n--; return (T)n; }",
    "count_trailing_zeros": """T count_trailing_zeros_S(T a) {
    int n = 0;
    for (U u = (U)a; n < N && !(u & 1); u >>= 1) n++;
    return (T)n;
}""",
    "min": "T min_S(T a, T b) { return a < b ? a : b; }",
    "max": "T max_S(T a, T b) { return a > b ? a : b; }",
    "shift": """T shift_S(T a, int left) {
    /* Counts of the width or more shift every bit out; negative ones go to the right. */
    if (left >= 0) return left < N ? (T)((uint64_t)a << left) : 0;
    return (T)(a >> (-left < N ? -left : N - 1));
}""",
}
_SIGNED = {
    "div": """T div_S(T a, T b) {
    /* The remainder is never negative; a quotient by 0 is 0. */
    if (b == 0) return 0;
    if (b == -1) return (T)(0 - (U)a);
    T q = (T)(a / b);
    return (T)(a % b < 0 ? (b > 0 ? q - 1 : q + 1) : q);
}""",
    "mod": """T mod_S(T a, T b) {
    if (b == 0 || b == -1) return 0;
    T r = (T)(a % b);
    return (T)(r < 0 ? (b > 0 ? r + b : r - b) : r);
}""",
    "div_round_to_zero": (
        "T div_round_to_zero_S(T a, T b) { return b == 0 ? 0 : b == -1 ? (T)(0 - (U)a) : (T)(a / b); }"
    ),
    "mod_round_to_zero": "T mod_round_to_zero_S(T a, T b) { return b == 0 || b == -1 ? 0 : (T)(a % b); }",
    "saturating_add": """T saturating_add_S(T a, T b) {
    if (b > 0 && a > MAX - b) return MAX;
    return b < 0 && a < MIN - b ? MIN : (T)(a + b);
}""",
    "saturating_sub": """T saturating_sub_S(T a, T b) {
    if (b < 0 && a > MAX + b) return MAX;
    return b > 0 && a < MIN + b ? MIN : (T)(a - b);
}""",
}
_UNSIGNED = {
    "div": "T div_S(T a, T b) { return b == 0 ? 0 : (T)(a / b); }",
    "mod": "T mod_S(T a, T b) { return b == 0 ? 0 : (T)(a % b); }",
    "div_round_to_zero": "T div_round_to_zero_S(T a, T b) { return b == 0 ? 0 : (T)(a / b); }",
    "mod_round_to_zero": "T mod_round_to_zero_S(T a, T b) { return b == 0 ? 0 : (T)(a % b); }",
    "saturating_add": "T saturating_add_S(T a, T b) { return a > MAX - b ? MAX : (T)(a + b); }",
    "saturating_sub": "T saturating_sub_S(T a, T b) { return a < b ? 0 : (T)(a - b); }",
    # There is no bit to keep when everything is shifted out.
    "shift": """T shift_S(T a, int left) {
    /* Counts of the width or more shift every bit out; negative ones go to the right. */
    if (left <= -N || left >= N) return 0;
    return left >= 0 ? (T)((uint64_t)a << left) : (T)(a >> -left);
}""",
}
_FLOAT = {
    "min": "T min_S(T a, T b) { return a < b ? a : b; }",
    "max": "T max_S(T a, T b) { return a > b ? a : b; }",
}
_CONVERSIONS = {
    "load_float16": """float load_float16(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = (h >> 10) & 31, fraction = h & 0x3ff;
    if (exponent == 0) {
        float small = (float)fraction * 5.9604645e-08f;
        return sign ? -small : small;
    }
    uint32_t bits = sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | fraction << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}""",
    "store_float16": """uint16_t store_float16(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = (bits >> 16) & 0x8000, rest = bits & 0x7fffffff;
    if (rest > 0x7f800000) return (uint16_t)(sign | 0x7e00);
    if (rest >= 0x477ff000) return (uint16_t)(sign | 0x7c00);
    if (rest < 0x38800000) return (uint16_t)(sign | (uint32_t)rintf(fabsf(value) * 16777216.0f));
    return (uint16_t)(sign | (rest - 0x38000000 + 0xfff + ((rest >> 13) & 1)) >> 13);
}""",
    "round_float16": "float round_float16(float value) { return load_float16(store_float16(value)); }",
    "load_bfloat16": """float load_bfloat16(uint16_t b) {
    uint32_t bits = (uint32_t)b << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}""",
    "store_bfloat16": """uint16_t store_bfloat16(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value) return 0x7fc0;
    return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}""",
    "round_bfloat16": "float round_bfloat16(float value) { return load_bfloat16(store_bfloat16(value)); }",
}


class Helpers:
    """The helper functions used so far, and what else dialects of C write differently."""

    # How the declaration of a table of numbers inside a function begins.
    TABLE = "static const int"
    _conversions = _CONVERSIONS

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        # Compilers may fuse no operations on floats.
        self.has_strict_floats = False

    @classmethod
    def names(cls) -> frozenset[str]:
        """The names of all functions that may be used."""
        operators = {name for table in (_INTEGER, _SIGNED, _UNSIGNED, _FLOAT) for name in table}
        kinds = [f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in (8, 16, 32, 64)]
        kinds += ["bool", "bfloat16", "handle"]
        own = {f"{name}_{kind}" for name in operators for kind in kinds} | cls._conversions.keys()
        return frozenset(own | {f"{a}_of_bits_of_{b}" for a in kinds for b in kinds})

    def use(self, name: str, kind: Type) -> str:
        """The name of a helper for values of type `kind`."""
        full = f"{name}_{suffix(kind)}"
        if full not in self.texts:
            own = _FLOAT if kind.floating else {**_INTEGER, **(_SIGNED if kind.signed else _UNSIGNED)}
            self.texts[full] = self._filled(own[name], kind)
        return full

    def convert(self, name: str, kind: Type) -> str:
        """`load`, `store` or `round` of a 16-bit float type."""
        full = f"{name}_{suffix(kind)}"
        if name == "round":
            self.convert("load", kind)
            self.convert("store", kind)
        self.texts.setdefault(full, f"static inline {self._conversions[full]}")
        return full

    def function(self, name: str, kind: Type) -> str:
        """The name of a function of the mathematics library for values of type `kind`."""
        return name if kind.nbits == 64 else f"{name}f"

    def reinterpret(self, source: Type, target: Type) -> str:
        """The bits of one type as another of the same size."""
        full = f"{suffix(target)}_of_bits_of_{suffix(source)}"
        a, b = value_type(source), value_type(target)
        text = f"static inline {b} {full}({a} a) {{ {b} b; memcpy(&b, &a, sizeof b); return b; }}"
        self.texts.setdefault(full, text)
        return full

    def _filled(self, template: str, kind: Type) -> str:
        own = value_type(kind)
        limits = {"MAX": f"{own[:-2].upper()}_MAX", "MIN": f"{own[:-2].upper()}_MIN"} if kind.integral else {}
        words = {"T": own, "U": f"uint{kind.nbits}_t", "N": str(kind.nbits), **limits}
        words["_S"] = f"_{suffix(kind)}"
        out = _replace_words(template, words)
        return f"static inline {out}"

    def text(self) -> str:
        """Returns the definitions of all helpers in use."""
        return "\n".join(self.texts.values())


def _replace_words(text: str, words: dict[str, str]) -> str:
    """Replaces placeholders that are whole words, and `_S` at the end of words."""
    import re

    text = re.sub(r"_S\b", words["_S"], text)
    return re.sub(r"\b(T|U|N|MAX|MIN)\b", lambda match: words[match.group()], text)
