"""Conversions that LLVM calls by name on machines without instructions for 16-bit floats, as LLVM text."""

from __future__ import annotations

NAMES = ("__extendhfsf2", "__truncsfhf2", "__truncsfbf2")

_TEXT = """
define float @__extendhfsf2(half %x) {
  %bits = bitcast half %x to i16
  %wide = zext i16 %bits to i32
  %rest = and i32 %wide, 32767
  %sign = and i32 %wide, 32768
  %top = shl i32 %sign, 16
  %shifted = shl i32 %rest, 13
  ; Finite: the exponent's offset grows by 112. Infinite or NaN: all bits of the exponent are set.
  %normal = add i32 %shifted, 939524096
  %special = or i32 %shifted, 2139095040
  ; Smaller than the smallest normal number: its bits are those behind 0.5.
  %behind = or i32 %rest, 1056964608
  %above = bitcast i32 %behind to float
  %difference = fsub float %above, 5.0e-01
  %small.bits = bitcast float %difference to i32
  %is.small = icmp ult i32 %rest, 1024
  %is.special = icmp uge i32 %rest, 31744
  %finite = select i1 %is.small, i32 %small.bits, i32 %normal
  %magnitude = select i1 %is.special, i32 %special, i32 %finite
  %all = or i32 %magnitude, %top
  %result = bitcast i32 %all to float
  ret float %result
}

define half @__truncsfhf2(float %x) {
  %bits = bitcast float %x to i32
  %high = lshr i32 %bits, 16
  %sign = and i32 %high, 32768
  %rest = and i32 %bits, 2147483647
  ; Halfway cases go to the even neighbour; a carry out of the mantissa raises the exponent, up to infinity.
  %kept = lshr i32 %rest, 13
  %odd = and i32 %kept, 1
  %rounding = add i32 %odd, 4095
  %rounded = add i32 %rest, %rounding
  %moved = sub i32 %rounded, 939524096
  %normal = lshr i32 %moved, 13
  %magnitude = bitcast i32 %rest to float
  %behind = fadd float %magnitude, 5.0e-01
  %behind.bits = bitcast float %behind to i32
  %small = sub i32 %behind.bits, 1056964608
  %is.small = icmp ult i32 %rest, 947912704
  %is.large = icmp uge i32 %rest, 1199570944
  %is.nan = icmp ugt i32 %rest, 2139095040
  %finite = select i1 %is.small, i32 %small, i32 %normal
  %bounded = select i1 %is.large, i32 31744, i32 %finite
  %number = select i1 %is.nan, i32 32256, i32 %bounded
  %all = or i32 %number, %sign
  %low = trunc i32 %all to i16
  %result = bitcast i16 %low to half
  ret half %result
}

define bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %kept = lshr i32 %bits, 16
  %odd = and i32 %kept, 1
  %rounding = add i32 %odd, 32767
  %rounded = add i32 %bits, %rounding
  %number = lshr i32 %rounded, 16
  %quiet = or i32 %kept, 64
  %is.nan = fcmp uno float %x, %x
  %all = select i1 %is.nan, i32 %quiet, i32 %number
  %low = trunc i32 %all to i16
  %result = bitcast i16 %low to bfloat
  ret bfloat %result
}
"""


def half_text() -> str:
    return _TEXT
