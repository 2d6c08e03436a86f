"""Atomic addition to floats in OpenCL C: in one step where the device has it, else by compare-and-exchange.

One step: `cl_ext_float_atomics` of OpenCL C 3.0, or on NVIDIA's devices, whose driver has no such extension, their own
instruction for float32 in global memory (it takes subnormal numbers for zeros). Which one is decided by the device's
compiler, so that the text is the same for all.
"""

from __future__ import annotations

from pipec.ir.types import Type
from pipec.jit.c.helpers import Helpers

EXTENSION = "cl_ext_float_atomics"
# What the compiler of a device defines that has the extension for some type and kind of memory.
FEATURE = "__opencl_c_ext_"

_SCOPES = {"__global": "memory_scope_device", "__local": "memory_scope_work_group"}
_PTX = """#elif defined(cl_nv_pragma_unroll)
    float before;
    __asm__ volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(before) : "l"(place), "f"(value) : "memory");
"""


def adder(helpers: Helpers, kind: Type, space: str) -> str:
    """The name of the function that adds to a float32 or float64 in global or local memory."""
    word = space.removeprefix("__")
    name = f"atomic_add_{word}_{kind}"
    helpers.texts.setdefault(name, _text(name, kind, space, word))
    return name


def _text(name: str, kind: Type, space: str, word: str) -> str:
    wide = kind.nbits == 64
    own, bits, to_bits = ("double", "ulong", "as_ulong") if wide else ("float", "uint", "as_uint")
    exchange = "atom_cmpxchg" if wide else "atomic_cmpxchg"
    own_way = _PTX if space == "__global" and not wide else ""
    return f"""static inline void {name}(volatile {space} {own} *place, {own} value) {{
#if defined({FEATURE}fp{kind.nbits}_{word}_atomic_add)
    atomic_fetch_add_explicit((volatile {space} atomic_{own} *)place, value, memory_order_relaxed, {_SCOPES[space]});
{own_way}#else
    volatile {space} {bits} *const word = (volatile {space} {bits} *)place;
    {bits} seen = *word, before;
    do {{
        before = seen;
        seen = {exchange}(word, before, {to_bits}(as_{own}(before) + value));
    }} while (seen != before);
#endif
}}"""
