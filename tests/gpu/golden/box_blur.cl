typedef uchar uint8_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
#define UINT64_C(number) number##UL

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t mod_int32(int32_t a, int32_t b) {
    if (b == 0 || b == -1) return 0;
    int32_t r = (int32_t)(a % b);
    return (int32_t)(r < 0 ? (b > 0 ? r + b : r - b) : r);
}
static inline int32_t div_int32(int32_t a, int32_t b) {
    /* The remainder is never negative; a quotient by 0 is 0. */
    if (b == 0) return 0;
    if (b == -1) return (int32_t)(0 - (uint32_t)a);
    int32_t q = (int32_t)(a / b);
    return (int32_t)(a % b < 0 ? (b > 0 ? q - 1 : q + 1) : q);
}
static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline int32_t mul_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }
static inline int32_t sub_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }
static inline uint32_t count_leading_zeros_uint32(uint32_t a) { int n = 32; for (uint32_t u = (uint32_t)a; u; u >>= 1) n--; return (uint32_t)n; }
static inline uint32_t min_uint32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t shift_uint32(uint32_t a, int left) {
    /* Counts of the width or more shift every bit out; negative ones go to the right. */
    if (left <= -32 || left >= 32) return 0;
    return left >= 0 ? (uint32_t)((uint64_t)a << left) : (uint32_t)(a >> -left);
}
static inline uint64_t min_uint64(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t div_uint64(uint64_t a, uint64_t b) { return b == 0 ? 0 : (uint64_t)(a / b); }
static inline uint64_t shift_uint64(uint64_t a, int left) {
    /* Counts of the width or more shift every bit out; negative ones go to the right. */
    if (left <= -64 || left >= 64) return 0;
    return left >= 0 ? (uint64_t)((uint64_t)a << left) : (uint64_t)(a >> -left);
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void down_s0_x(const int32_t across_s2_strip_max, const int32_t down_min_0, const int64_t down_stride_1, const int64_t down_stride_3, const int32_t turned_s0_x_max, const int32_t turned_s0_x_min, __global int32_t *restrict down) {
    const int32_t down_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t down_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t down_s0_strip_1 = (int32_t)get_group_id(2);
    const int32_t down_s0_x_base = min_int32(down_s0_x_1 * 32 + turned_s0_x_min, turned_s0_x_max - 31);
    {
        const int32_t down_s0_yi = (int32_t)get_local_id(1);
        const int32_t down_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = across_s2_strip_max + 1;
            down[(int64_t)down_s0_yi * down_stride_1 + (int64_t)down_s0_xi + (int64_t)down_s0_y_1 * down_stride_1 * 8 + (int64_t)mod_int32(down_s0_strip_1, t1) * down_stride_1 * 32 + (int64_t)div_int32(down_s0_strip_1, t1) * down_stride_3 + (int64_t)down_s0_x_base - (int64_t)down_min_0] = 0;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void down_s1_x(const int32_t box_blur_min_2, const int32_t down_min_0, const int64_t down_stride_1, const int64_t down_stride_3, const int32_t radius, const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, const int32_t turned_s0_x_min, __global int32_t *restrict down, __global const uint8_t *restrict source) {
    const int32_t down_s1_x_1 = (int32_t)get_group_id(0);
    const int32_t down_s1_strip = (int32_t)get_group_id(1);
    const int32_t down_s1_c = box_blur_min_2 + (int32_t)get_group_id(2);
    {
        const int32_t down_s1_xi = (int32_t)get_local_id(0);
        if (0 < add_int32(mul_int32(radius, 2), 1)) {
            int32_t down_promoted0_down_s1_window_x[1];
            down_promoted0_down_s1_window_x[0] = down[(int64_t)down_s1_xi + (int64_t)down_s1_c * down_stride_3 + (int64_t)turned_s0_x_min + (int64_t)down_s1_x_1 * 64 + (int64_t)down_s1_strip * down_stride_1 * 32 - (int64_t)box_blur_min_2 * down_stride_3 - (int64_t)down_min_0];
            for (int32_t down_s1_window_x = radius * (-1), down_s1_window_x_end1 = down_s1_window_x + radius * 2 + 1; down_s1_window_x < down_s1_window_x_end1; down_s1_window_x++) {
                down_promoted0_down_s1_window_x[0] = add_int32(down_promoted0_down_s1_window_x[0], (int32_t)source[max_int32(min_int32(source_extent_0 - 1, down_s1_x_1 * 64 + down_s1_xi + turned_s0_x_min), 0) + max_int32(min_int32(down_s1_window_x + down_s1_strip * 32, source_extent_1 - 1), 0) * source_stride_1 + down_s1_c * source_stride_2 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2]);
            }
            down[(int64_t)down_s1_xi + (int64_t)down_s1_c * down_stride_3 + (int64_t)turned_s0_x_min + (int64_t)down_s1_x_1 * 64 + (int64_t)down_s1_strip * down_stride_1 * 32 - (int64_t)box_blur_min_2 * down_stride_3 - (int64_t)down_min_0] = down_promoted0_down_s1_window_x[0];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void down_s2_x(const int32_t box_blur_min_2, const int32_t down_min_0, const int64_t down_stride_1, const int64_t down_stride_3, const int32_t radius, const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, const int32_t turned_s0_x_min, __global int32_t *restrict down, __global const uint8_t *restrict source) {
    const int32_t down_s2_x_1 = (int32_t)get_group_id(0);
    const int32_t down_s2_strip = (int32_t)get_group_id(1);
    const int32_t down_s2_c = box_blur_min_2 + (int32_t)get_group_id(2);
    {
        const int32_t down_s2_xi = (int32_t)get_local_id(0);
        int32_t down_carried_down_s2_rows_x[2];
        down_carried_down_s2_rows_x[1] = down[(int64_t)down_s2_xi + (int64_t)down_s2_c * down_stride_3 + (int64_t)turned_s0_x_min + (int64_t)down_s2_x_1 * 64 + (int64_t)down_s2_strip * down_stride_1 * 32 - (int64_t)box_blur_min_2 * down_stride_3 - (int64_t)down_min_0];
        for (int32_t down_s2_rows_x = 1; down_s2_rows_x < 32; down_s2_rows_x++) {
            {
                const int32_t t1 = max_int32(min_int32(source_extent_0 - 1, down_s2_x_1 * 64 + down_s2_xi + turned_s0_x_min), 0);
                const int32_t t2 = down_s2_c * source_stride_2;
                const int32_t t3 = down_s2_strip * 32;
                const int32_t t4 = source_min_1 * source_stride_1;
                const int32_t t5 = source_min_2 * source_stride_2;
                down_carried_down_s2_rows_x[0] = sub_int32(add_int32(down_carried_down_s2_rows_x[1], (int32_t)source[t1 + t2 + max_int32(min_int32(source_extent_1 - 1, radius + t3 + down_s2_rows_x), 0) * source_stride_1 - source_min_0 - t4 - t5]), (int32_t)source[t1 + max_int32(min_int32(t3 + down_s2_rows_x - radius, source_extent_1) - 1, 0) * source_stride_1 + t2 - source_min_0 - t4 - t5]);
            }
            down[(int64_t)down_s2_rows_x * down_stride_1 + (int64_t)down_s2_xi + (int64_t)down_s2_c * down_stride_3 + (int64_t)turned_s0_x_min + (int64_t)down_s2_x_1 * 64 + (int64_t)down_s2_strip * down_stride_1 * 32 - (int64_t)box_blur_min_2 * down_stride_3 - (int64_t)down_min_0] = down_carried_down_s2_rows_x[0];
            down_carried_down_s2_rows_x[1] = down_carried_down_s2_rows_x[0];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void turned_s0_y(const int32_t across_s2_strip_max, const int32_t down_min_0, const int64_t down_stride_1, const int64_t down_stride_3, const int32_t turned_min_1, const int32_t turned_s0_x_max, const int32_t turned_s0_x_min, const int64_t turned_stride_2, const int64_t turned_stride_3, __global const int32_t *restrict down, __global int32_t *restrict turned) {
    const int32_t turned_s0_y_1 = (int32_t)get_group_id(0);
    const int32_t turned_s0_x_1 = (int32_t)get_group_id(1);
    const int32_t turned_s0_strip_1 = (int32_t)get_group_id(2);
    const int32_t turned_s0_x_base = min_int32(turned_s0_x_1 * 8 + turned_s0_x_min, turned_s0_x_max - 7);
    {
        const int32_t turned_s0_xi = (int32_t)get_local_id(1);
        const int32_t turned_s0_yi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = across_s2_strip_max + 1;
            const int64_t t2 = (int64_t)mod_int32(turned_s0_strip_1, t1);
            const int64_t t3 = (int64_t)div_int32(turned_s0_strip_1, t1);
            turned[(int64_t)turned_s0_x_base * 32 + (int64_t)turned_s0_y_1 * 32 + (int64_t)turned_s0_yi + t2 * turned_stride_2 + t3 * turned_stride_3 + (int64_t)turned_s0_xi * 32 - (int64_t)turned_min_1 * 32] = down[(int64_t)turned_s0_yi * down_stride_1 + (int64_t)turned_s0_x_base + (int64_t)turned_s0_y_1 * down_stride_1 * 32 + t2 * down_stride_1 * 32 + (int64_t)turned_s0_xi + t3 * down_stride_3 - (int64_t)down_min_0];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void across_s0_y(const int32_t across_min_1, const int32_t across_min_2, const int32_t across_s0_x_max, const int32_t across_s1_x_min, const int32_t across_s2_strip_max, const int64_t across_stride_2, const int64_t across_stride_3, __global int32_t *restrict down) {
    const int32_t across_s0_y_1 = (int32_t)get_group_id(0);
    const int32_t across_s0_x_1 = (int32_t)get_group_id(1);
    const int32_t across_s0_strip_1 = (int32_t)get_group_id(2);
    const int32_t across_s0_x_base = min_int32(across_s0_x_max - 7, across_s0_x_1 * 8 + across_s1_x_min);
    {
        const int32_t across_s0_xi = (int32_t)get_local_id(1);
        const int32_t across_s0_yi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = across_s2_strip_max + 1;
            down[(int64_t)across_s0_x_base * 32 + (int64_t)across_s0_yi + (int64_t)across_s0_y_1 * 32 + (int64_t)across_s0_xi * 32 + (int64_t)div_int32(across_s0_strip_1, t1) * across_stride_3 + (int64_t)mod_int32(across_s0_strip_1, t1) * across_stride_2 - (int64_t)across_min_2 * across_stride_2 - (int64_t)across_min_1 * 32] = 0;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void across_s1_y(const int32_t across_min_1, const int32_t across_min_2, const int64_t across_stride_2, const int64_t across_stride_3, const int32_t box_blur_min_2, const int32_t radius, const int32_t turned_min_1, const int64_t turned_stride_2, const int64_t turned_stride_3, __global int32_t *restrict down, __global const int32_t *restrict turned) {
    const int32_t across_s1_y_1 = (int32_t)get_group_id(0);
    const int32_t across_s1_strip = (int32_t)get_group_id(1);
    const int32_t across_s1_c = box_blur_min_2 + (int32_t)get_group_id(2);
    {
        const int32_t across_s1_yi = (int32_t)get_local_id(0);
        if (0 < add_int32(mul_int32(radius, 2), 1)) {
            int32_t across_promoted0_across_s1_start_x[1];
            across_promoted0_across_s1_start_x[0] = down[(int64_t)across_s1_yi + (int64_t)across_s1_y_1 * 32 + (int64_t)across_s1_c * across_stride_3 + (int64_t)across_s1_strip * across_stride_2 - (int64_t)across_min_2 * across_stride_2 - (int64_t)across_min_1 * 32 - (int64_t)box_blur_min_2 * across_stride_3];
            for (int32_t across_s1_start_x = radius * (-1), across_s1_start_x_end1 = across_s1_start_x + radius * 2 + 1; across_s1_start_x < across_s1_start_x_end1; across_s1_start_x++) {
                across_promoted0_across_s1_start_x[0] = add_int32(across_promoted0_across_s1_start_x[0], turned[(int64_t)across_s1_c * turned_stride_3 + (int64_t)across_s1_strip * turned_stride_2 + (int64_t)across_s1_yi + (int64_t)across_s1_y_1 * 32 + (int64_t)across_s1_start_x * 32 - (int64_t)turned_min_1 * 32 - (int64_t)box_blur_min_2 * turned_stride_3]);
            }
            down[(int64_t)across_s1_yi + (int64_t)across_s1_y_1 * 32 + (int64_t)across_s1_c * across_stride_3 + (int64_t)across_s1_strip * across_stride_2 - (int64_t)across_min_2 * across_stride_2 - (int64_t)across_min_1 * 32 - (int64_t)box_blur_min_2 * across_stride_3] = across_promoted0_across_s1_start_x[0];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void across_s2_y(const int32_t across_min_1, const int32_t across_min_2, const int64_t across_stride_2, const int64_t across_stride_3, const int32_t box_blur_min_2, const int32_t radius, const int32_t source_extent_0, const int32_t turned_min_1, const int64_t turned_stride_2, const int64_t turned_stride_3, __global int32_t *restrict down, __global const int32_t *restrict turned) {
    const int32_t across_s2_y_1 = (int32_t)get_group_id(0);
    const int32_t across_s2_strip = (int32_t)get_group_id(1);
    const int32_t across_s2_c = box_blur_min_2 + (int32_t)get_group_id(2);
    {
        const int32_t across_s2_yi = (int32_t)get_local_id(0);
        if (0 < sub_int32(source_extent_0, 1)) {
            int32_t across_carried_across_s2_columns_x[2];
            across_carried_across_s2_columns_x[1] = down[(int64_t)across_s2_yi + (int64_t)across_s2_y_1 * 32 + (int64_t)across_s2_c * across_stride_3 + (int64_t)across_s2_strip * across_stride_2 - (int64_t)across_min_2 * across_stride_2 - (int64_t)across_min_1 * 32 - (int64_t)box_blur_min_2 * across_stride_3];
            for (int32_t across_s2_columns_x = 1, across_s2_columns_x_end1 = across_s2_columns_x + source_extent_0 - 1; across_s2_columns_x < across_s2_columns_x_end1; across_s2_columns_x++) {
                {
                    const int64_t t1 = (int64_t)across_s2_c * turned_stride_3 + (int64_t)across_s2_strip * turned_stride_2 + (int64_t)across_s2_yi + (int64_t)across_s2_y_1 * 32;
                    const int64_t t2 = (int64_t)radius * 32;
                    const int64_t t3 = (int64_t)across_s2_columns_x * 32;
                    const int64_t t4 = (int64_t)turned_min_1 * 32;
                    const int64_t t5 = (int64_t)box_blur_min_2 * turned_stride_3;
                    across_carried_across_s2_columns_x[0] = sub_int32(add_int32(across_carried_across_s2_columns_x[1], turned[t1 + t2 + t3 - t4 - t5]), turned[t1 + t3 - t4 - t2 - t5 - 32]);
                }
                down[(int64_t)across_s2_yi + (int64_t)across_s2_y_1 * 32 + (int64_t)across_s2_c * across_stride_3 + (int64_t)across_s2_columns_x * 32 + (int64_t)across_s2_strip * across_stride_2 - (int64_t)across_min_2 * across_stride_2 - (int64_t)across_min_1 * 32 - (int64_t)box_blur_min_2 * across_stride_3] = across_carried_across_s2_columns_x[0];
                across_carried_across_s2_columns_x[1] = across_carried_across_s2_columns_x[0];
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void box_blur_s0_x(const int32_t across_min_1, const int32_t across_min_2, const int64_t across_stride_2, const int64_t across_stride_3, const int32_t box_blur_extent_0, const int32_t box_blur_extent_1, const int32_t box_blur_min_0, const int32_t box_blur_min_1, const int32_t box_blur_min_2, const int32_t box_blur_stride_1, const int32_t box_blur_stride_2, const int32_t radius, __global uint8_t *restrict box_blur, __global const int32_t *restrict down) {
    const int32_t box_blur_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t box_blur_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t box_blur_s0_c = box_blur_min_2 + (int32_t)get_group_id(2);
    const int32_t box_blur_s0_y_base = min_int32(box_blur_extent_1 - 8, box_blur_s0_y_1 * 8);
    const int32_t box_blur_s0_x_base = min_int32(box_blur_extent_0 + box_blur_min_0 - 32, box_blur_s0_x_1 * 32 + box_blur_min_0);
    {
        const int32_t box_blur_s0_yi = (int32_t)get_local_id(1);
        const int32_t box_blur_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = add_int32(mul_int32(radius, 2), 1);
            const int32_t t2 = mul_int32(t1, t1);
            const uint32_t t3 = (uint32_t)mul_int32(t2, 2);
            const uint32_t t4 = 31u - count_leading_zeros_uint32(t3 - 1u);
            const int32_t t5 = box_blur_s0_y_base + box_blur_s0_yi;
            box_blur[box_blur_s0_yi * box_blur_stride_1 + box_blur_s0_xi + box_blur_s0_c * box_blur_stride_2 + box_blur_s0_y_base * box_blur_stride_1 + box_blur_s0_x_base - box_blur_min_1 * box_blur_stride_1 - box_blur_min_2 * box_blur_stride_2 - box_blur_min_0] = (uint8_t)shift_uint32((uint32_t)min_uint64((uint64_t)(((uint64_t)(uint32_t)add_int32(mul_int32(2, down[(int64_t)box_blur_s0_c * across_stride_3 + (int64_t)(int32_t)(t5 & 31) + (int64_t)(int32_t)(t5 >> 5) * across_stride_2 + (int64_t)box_blur_s0_xi * 32 + (int64_t)box_blur_s0_x_base * 32 - (int64_t)across_min_2 * across_stride_2 - (int64_t)across_min_1 * 32 - (int64_t)box_blur_min_2 * across_stride_3]), t2) * (uint64_t)(uint32_t)(div_uint64(shift_uint64(UINT64_C(1), (int)min_uint64(((uint64_t)(32u + t4)), 64)), (uint64_t)t3) + UINT64_C(1))) >> 32), UINT64_C(4294967295)), -(int)min_uint32(t4, 64));
        }
    }
}
