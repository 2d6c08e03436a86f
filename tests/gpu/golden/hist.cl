typedef uchar uint8_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;

static inline int32_t sub_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }
static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t mul_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }
static inline int64_t div_int64(int64_t a, int64_t b) {
    /* The remainder is never negative; a quotient by 0 is 0. */
    if (b == 0) return 0;
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    int64_t q = (int64_t)(a / b);
    return (int64_t)(a % b < 0 ? (b > 0 ? q - 1 : q + 1) : q);
}
static inline int64_t add_int64(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static inline int64_t mul_int64(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }
static inline int64_t max_int64(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void total_intm_in_total_s0(const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global const uint8_t *restrict source, __global int32_t *restrict total_intm_in_total) {
    __local int32_t total_intm[256];
    const int32_t total_intm_in_total_s0_strip = (int32_t)get_group_id(0);
    /* total_intm */
    {
        const int32_t total_intm_s0_level = (int32_t)get_local_id(0);
        total_intm[total_intm_s0_level] = 0;
    }
    if (total_intm_in_total_s0_strip <= sub_int32((int32_t)(add_int32(source_extent_1, 15) >> 4), 1)) {
        for (int32_t total_intm_s1_row = 0; total_intm_s1_row < 0 + min_int32(source_extent_1 - total_intm_in_total_s0_strip * 16, 16); total_intm_s1_row++) {
            for (int32_t total_intm_s1_across = 0; total_intm_s1_across < 0 + (int32_t)((source_extent_0 + 255) >> 8); total_intm_s1_across++) {
                barrier(CLK_LOCAL_MEM_FENCE);
                {
                    const int32_t total_intm_s1_column = (int32_t)get_local_id(0);
                    if (add_int32(mul_int32(total_intm_s1_across, 256), total_intm_s1_column) <= sub_int32(source_extent_0, 1)) {
                        {
                            const int32_t t1 = total_intm_s1_row * source_stride_1;
                            const int32_t t2 = total_intm_in_total_s0_strip * source_stride_1 * 16;
                            const int32_t t3 = total_intm_s1_across * 256;
                            const int32_t t4 = source_min_1 * source_stride_1;
                            const int32_t t5 = source_min_2 * source_stride_2;
                            atomic_add((volatile __local int32_t *)&total_intm[(int32_t)(uint8_t)(int32_t)((4899 * (int32_t)source[t1 + t2 + t3 + total_intm_s1_column - source_min_0 - t4 - t5] + 9617 * (int32_t)source[source_stride_2 + t1 + t2 + t3 + total_intm_s1_column - source_min_0 - t4 - t5] + 1868 * (int32_t)source[source_stride_2 * 2 + t1 + t2 + t3 + total_intm_s1_column - source_min_0 - t4 - t5] + 8192) >> 14)], 1);
                        }
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    {
        const int32_t total_intm_in_total_s0_level = (int32_t)get_local_id(0);
        total_intm_in_total[total_intm_in_total_s0_strip * 256 + total_intm_in_total_s0_level] = total_intm[total_intm_in_total_s0_level];
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void total_s0_level(__global int32_t *restrict total) {
    const int32_t total_s0_level_1 = (int32_t)get_group_id(0);
    {
        const int32_t total_s0_li = (int32_t)get_local_id(0);
        total[total_s0_level_1 * 64 + total_s0_li] = 0;
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void total_s1_level(const int32_t source_extent_1, __global int32_t *restrict total, __global const int32_t *restrict total_intm_in_total) {
    const int32_t total_s1_level_1 = (int32_t)get_group_id(0);
    {
        const int32_t total_s1_li = (int32_t)get_local_id(0);
        if (0 < (int32_t)(add_int32(source_extent_1, 15) >> 4)) {
            int32_t total_promoted0_total_s1_down[1];
            total_promoted0_total_s1_down[0] = total[total_s1_level_1 * 64 + total_s1_li];
            for (int32_t total_s1_down = 0, total_s1_down_end1 = total_s1_down + (int32_t)((source_extent_1 + 15) >> 4); total_s1_down < total_s1_down_end1; total_s1_down++) {
                total_promoted0_total_s1_down[0] = add_int32(total_promoted0_total_s1_down[0], total_intm_in_total[total_s1_level_1 * 64 + total_s1_down * 256 + total_s1_li]);
            }
            total[total_s1_level_1 * 64 + total_s1_li] = total_promoted0_total_s1_down[0];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void below_s0_level(__global int32_t *restrict below, __global const int32_t *restrict total) {
    const int32_t below_s0_level_1 = (int32_t)get_group_id(0);
    {
        const int32_t below_s0_li = (int32_t)get_local_id(0);
        {
            const int32_t t1 = below_s0_level_1 * 64 + below_s0_li;
            below[t1] = total[t1];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void below_s1(__global int32_t *restrict below, __global const int32_t *restrict total) {
    const int32_t below_s1_single_block = (int32_t)get_group_id(0);
    {
        const int32_t below_s1_single_thread = (int32_t)get_local_id(0);
        int32_t below_carried_below_s1_upward_x[2];
        below_carried_below_s1_upward_x[1] = below[0];
        for (int32_t below_s1_upward_x = 1; below_s1_upward_x < 256; below_s1_upward_x++) {
            below_carried_below_s1_upward_x[0] = add_int32(below_carried_below_s1_upward_x[1], total[below_s1_upward_x]);
            below[below_s1_upward_x] = below_carried_below_s1_upward_x[0];
            below_carried_below_s1_upward_x[1] = below_carried_below_s1_upward_x[0];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void table_s0_level(const int32_t source_extent_0, const int32_t source_extent_1, __global const int32_t *restrict below, __global int32_t *restrict table) {
    const int32_t table_s0_level_1 = (int32_t)get_group_id(0);
    {
        const int32_t table_s0_li = (int32_t)get_local_id(0);
        int32_t minimum[1];
        /* minimum */
        minimum[0] = 2147483647;
        for (int32_t minimum_s1_levels_x = 0; minimum_s1_levels_x < 256; minimum_s1_levels_x++) {
            {
                const int32_t t1 = below[minimum_s1_levels_x];
                minimum[0] = min_int32(minimum[0], t1 > 0 ? t1 : mul_int32(source_extent_0, source_extent_1));
            }
        }
        {
            const int32_t t2 = minimum[0];
            const int64_t t3 = (int64_t)sub_int32(mul_int32(source_extent_0, source_extent_1), t2);
            const int32_t t4 = table_s0_level_1 * 64;
            const int32_t t5 = t4 + table_s0_li;
            const int32_t t6 = mul_int32(table_s0_level_1, 64);
            table[t5] = t3 > 0 ? (int32_t)div_int64(add_int64(mul_int64((int64_t)sub_int32(below[t5], t2), 510), t3), max_int64(mul_int64(2, t3), 1)) : add_int32(table_s0_li, t6);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void hist_s0_x(const int32_t hist_extent_0, const int32_t hist_extent_1, const int32_t hist_min_0, const int32_t hist_min_1, const int32_t hist_min_2, const int32_t hist_stride_1, const int32_t hist_stride_2, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global uint8_t *restrict hist, __global const uint8_t *restrict source, __global const int32_t *restrict table) {
    const int32_t hist_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t hist_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t hist_s0_y_base = min_int32(hist_s0_y_1 * 8 + hist_min_1, hist_min_1 + hist_extent_1 - 8);
    const int32_t hist_s0_x_base = min_int32(hist_s0_x_1 * 32 + hist_min_0, hist_min_0 + hist_extent_0 - 32);
    {
        const int32_t hist_s0_yi = (int32_t)get_local_id(1);
        const int32_t hist_s0_xi = (int32_t)get_local_id(0);
        uint8_t luma_in_hist[1];
        /* luma_in_hist */
        {
            const int32_t t1 = hist_s0_yi * source_stride_1;
            const int32_t t2 = hist_s0_y_base * source_stride_1;
            const int32_t t3 = source_min_1 * source_stride_1;
            const int32_t t4 = source_min_2 * source_stride_2;
            luma_in_hist[0] = (uint8_t)(int32_t)(add_int32(add_int32(add_int32(mul_int32(4899, (int32_t)source[hist_s0_x_base + hist_s0_xi + t1 + t2 - source_min_0 - t3 - t4]), mul_int32(9617, (int32_t)source[hist_s0_x_base + source_stride_2 + hist_s0_xi + t1 + t2 - source_min_0 - t3 - t4])), mul_int32(1868, (int32_t)source[hist_s0_x_base + source_stride_2 * 2 + hist_s0_xi + t1 + t2 - source_min_0 - t3 - t4])), 8192) >> 14);
        }
        {
            const int32_t t5 = (int32_t)luma_in_hist[0];
            const int32_t t6 = (int32_t)luma_in_hist[0];
            hist[hist_s0_yi * hist_stride_1 + hist_s0_x_base + hist_s0_xi + hist_s0_y_base * hist_stride_1 - hist_min_0 - hist_min_1 * hist_stride_1 - hist_min_2 * hist_stride_2] = (uint8_t)max_int32(min_int32(add_int32(table[t5], (int32_t)(add_int32(mul_int32((int32_t)(add_int32(mul_int32(sub_int32((int32_t)source[hist_s0_x_base + hist_s0_xi + hist_s0_yi * source_stride_1 + hist_s0_y_base * source_stride_1 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2], t6), 11682), 8192) >> 14), 22987), 8192) >> 14)), 255), 0);
        }
        {
            const int32_t t7 = (int32_t)luma_in_hist[0];
            const int32_t t8 = hist_s0_yi * source_stride_1;
            const int32_t t9 = hist_s0_y_base * source_stride_1;
            const int32_t t10 = source_min_1 * source_stride_1;
            const int32_t t11 = source_min_2 * source_stride_2;
            const int32_t t12 = (int32_t)luma_in_hist[0];
            hist[hist_s0_yi * hist_stride_1 + hist_s0_x_base + hist_s0_xi + hist_s0_y_base * hist_stride_1 + hist_stride_2 - hist_min_0 - hist_min_1 * hist_stride_1 - hist_min_2 * hist_stride_2] = (uint8_t)max_int32(min_int32(add_int32(table[t7], (int32_t)(add_int32(add_int32(mul_int32((int32_t)(add_int32(mul_int32(sub_int32((int32_t)source[hist_s0_x_base + source_stride_2 * 2 + hist_s0_xi + t8 + t9 - source_min_0 - t10 - t11], t12), 9241), 8192) >> 14), -5636), mul_int32((int32_t)(add_int32(mul_int32(sub_int32((int32_t)source[hist_s0_x_base + hist_s0_xi + t8 + t9 - source_min_0 - t10 - t11], t12), 11682), 8192) >> 14), -11698)), 8192) >> 14)), 255), 0);
        }
        {
            const int32_t t13 = (int32_t)luma_in_hist[0];
            const int32_t t14 = (int32_t)luma_in_hist[0];
            hist[hist_s0_yi * hist_stride_1 + hist_s0_x_base + hist_s0_xi + hist_s0_y_base * hist_stride_1 + hist_stride_2 * 2 - hist_min_0 - hist_min_1 * hist_stride_1 - hist_min_2 * hist_stride_2] = (uint8_t)max_int32(min_int32(add_int32(table[t13], (int32_t)(add_int32(mul_int32((int32_t)(add_int32(mul_int32(sub_int32((int32_t)source[hist_s0_x_base + source_stride_2 * 2 + hist_s0_xi + hist_s0_yi * source_stride_1 + hist_s0_y_base * source_stride_1 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2], t14), 9241), 8192) >> 14), 29049), 8192) >> 14)), 255), 0);
        }
    }
}
