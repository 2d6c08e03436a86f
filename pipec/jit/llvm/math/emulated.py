"""Operations on integers for which x86 processors without AVX-512 have no instruction of vectors: what LLVM writes for
them, in instructions for a register of lanes of so many bits."""

from __future__ import annotations

from collections.abc import Mapping

from pipec.target import Target, TargetArch, TargetFeature

EMULATED: Mapping[str, Mapping[int, int]] = {
    "popcount": {8: 6, 16: 9, 32: 11, 64: 7},
    "count_leading_zeros": {8: 7, 16: 12, 32: 17, 64: 22},
    "count_trailing_zeros": {8: 8, 16: 11, 32: 13, 64: 9},
    "multiply": {64: 8},
    "minimum": {64: 3},  # a comparison and a selection; unsigned numbers take two more
    "unsigned comparison": {8: 2, 16: 2, 32: 2, 64: 3},  # which is larger, not whether they are equal
    "shift by lanes": {8: 13, 16: 10},
    "to float": {32: 5, 64: 6},  # of unsigned 32-bit integers, and of 64 bits
    "from float": {32: 6, 64: 6},
}
MASK_CHANGE = 2
"""Instructions that make the result of a comparison, a register of lanes, one for wider or narrower lanes: without
AVX-512, which has registers of bits, one for each register of the wider lanes and a permutation."""


def emulates(target: Target) -> bool:
    """Whether code for a target has to do without the instructions of AVX-512."""
    return target.arch is TargetArch.X86 and not target.has_feature(TargetFeature.AVX512_Skylake)
