/* Conversions that LLVM calls by name on machines without instructions for 16-bit floats. */
#include "system.h"

/* Bits of a float32; those of 16 bits have the same sign bit 16 places lower. */
#define INFINITY_BITS 0x7F800000u
#define HALF_BITS 0x3F000000u /* of 0.5 */
/* The exponents' offsets differ by 112. */
#define EXPONENT_SHIFT 0x38000000u
#define SMALLEST_NORMAL 0x38800000u /* of float16, 2^-14 */
#define LARGEST 0x47800000u         /* 2^16: too large for float16 */

#define BITS_OF(type, bits_type, name)                 \
    static bits_type name(type value) {                \
        bits_type bits;                                \
        __builtin_memcpy(&bits, &value, sizeof value); \
        return bits;                                   \
    }
BITS_OF(float, uint32_t, bits_of)
BITS_OF(uint32_t, float, float_of)
BITS_OF(_Float16, uint16_t, bits_of_half)
BITS_OF(uint16_t, _Float16, half_of)
BITS_OF(uint16_t, __bf16, brain_of)

PUBLIC float __extendhfsf2(_Float16 value) {
    uint32_t bits = bits_of_half(value), magnitude = bits & 0x7FFF, wide;
    if (magnitude >= 0x7C00) /* infinite or not a number */
        wide = magnitude << 13 | INFINITY_BITS;
    else if (magnitude >= 0x0400)
        wide = (magnitude << 13) + EXPONENT_SHIFT;
    else /* its bits are those behind 0.5 */
        wide = bits_of(float_of(magnitude | HALF_BITS) - 0.5f);
    return float_of(wide | (bits & 0x8000) << 16);
}

PUBLIC _Float16 __truncsfhf2(float value) {
    uint32_t bits = bits_of(value), magnitude = bits & 0x7FFFFFFF, narrow;
    if (magnitude > INFINITY_BITS)
        narrow = 0x7E00;
    else if (magnitude >= LARGEST)
        narrow = 0x7C00;
    else if (magnitude >= SMALLEST_NORMAL)
        /* Halfway cases go to the even neighbour; a carry out of the mantissa raises the exponent, up to infinity. */
        narrow = (magnitude + 0xFFF + (magnitude >> 13 & 1) - EXPONENT_SHIFT) >> 13;
    else
        narrow = bits_of(float_of(magnitude) + 0.5f) - HALF_BITS;
    return half_of((uint16_t)(narrow | (bits >> 16 & 0x8000)));
}

PUBLIC __bf16 __truncsfbf2(float value) {
    uint32_t bits = bits_of(value), high = bits >> 16;
    bool is_nan = (bits & 0x7FFFFFFF) > INFINITY_BITS;
    return brain_of((uint16_t)(is_nan ? high | 0x40 : (bits + 0x7FFF + (high & 1)) >> 16));
}
