typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }
static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline int32_t mul_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }
static inline float max_float32(float a, float b) { return a > b ? a : b; }
static inline float min_float32(float a, float b) { return a < b ? a : b; }
static inline int32_t int32_of_bits_of_float32(float a) { return as_int(a); }
static inline float float32_of_bits_of_int32(int32_t a) { return as_float(a); }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void padded_s0_x(const int32_t nl_means_extent_0, const int32_t nl_means_extent_1, const int32_t nl_means_min_0, const int32_t nl_means_min_1, const int32_t padded_min_0, const int32_t padded_min_1, const int64_t padded_stride_1, const int64_t padded_stride_2, const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_extent_2, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global float *restrict padded, __global const float *restrict source) {
    const int32_t padded_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t padded_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t padded_s0_c = (int32_t)get_group_id(2);
    const int32_t padded_s0_y_base = min_int32(nl_means_extent_1 + nl_means_min_1, padded_s0_y_1 * 8 + nl_means_min_1 - 4) - 2;
    const int32_t padded_s0_x_base = min_int32(nl_means_min_0 + padded_s0_x_1 * 32, nl_means_extent_0 + nl_means_min_0 - 20) - 6;
    {
        const int32_t padded_s0_yi = (int32_t)get_local_id(1);
        const int32_t padded_s0_xi = (int32_t)get_local_id(0);
        padded[(int64_t)padded_s0_x_base + (int64_t)padded_s0_yi * padded_stride_1 + (int64_t)padded_s0_c * padded_stride_2 + (int64_t)padded_s0_y_base * padded_stride_1 + (int64_t)padded_s0_xi - (int64_t)padded_min_0 - (int64_t)padded_min_1 * padded_stride_1] = source[max_int32(min_int32(source_extent_1 + source_min_1 - 1, padded_s0_yi + padded_s0_y_base), source_min_1) * source_stride_1 + max_int32(source_min_2, min_int32(source_extent_2 + source_min_2 - 1, padded_s0_c)) * source_stride_2 + max_int32(min_int32(source_extent_0 + source_min_0 - 1, padded_s0_xi + padded_s0_x_base), source_min_0) - source_min_0 - source_min_2 * source_stride_2 - source_min_1 * source_stride_1];
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void nl_means_s0_x(const int32_t nl_means_extent_0, const int32_t nl_means_extent_1, const int32_t nl_means_min_0, const int32_t nl_means_min_1, const int32_t nl_means_min_2, const int32_t nl_means_stride_1, const int32_t nl_means_stride_2, const int32_t padded_min_0, const int32_t padded_min_1, const int64_t padded_stride_1, const int64_t padded_stride_2, const float strength, __global float *restrict nl_means, __global const float *restrict padded) {
    __local float total_0[256];
    __local float total_1[256];
    __local float total_2[256];
    __local float total_3[256];
    __local float down[304];
    __local float difference[532];
    const int32_t nl_means_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t nl_means_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t nl_means_s0_y_base = min_int32(nl_means_extent_1 + nl_means_min_1 - 8, nl_means_min_1 + nl_means_s0_y_1 * 8);
    const int32_t nl_means_s0_x_base = min_int32(nl_means_min_0 + nl_means_s0_x_1 * 32, nl_means_extent_0 + nl_means_min_0 - 32);
    /* total */
    {
        const int32_t total_s0_y = nl_means_s0_y_base + (int32_t)get_local_id(1);
        const int32_t total_s0_x = nl_means_s0_x_base + (int32_t)get_local_id(0);
        total_0[total_s0_x + total_s0_y * 32 - nl_means_s0_x_base - nl_means_s0_y_base * 32] = 0.0f;
        total_1[total_s0_x + total_s0_y * 32 - nl_means_s0_x_base - nl_means_s0_y_base * 32] = 0.0f;
        total_2[total_s0_x + total_s0_y * 32 - nl_means_s0_x_base - nl_means_s0_y_base * 32] = 0.0f;
        total_3[total_s0_x + total_s0_y * 32 - nl_means_s0_x_base - nl_means_s0_y_base * 32] = 0.0f;
    }
    for (int32_t total_s1_search_y = -3; total_s1_search_y < -3 + 7; total_s1_search_y++) {
        for (int32_t total_s1_search_x = -3; total_s1_search_x < -3 + 7; total_s1_search_x++) {
            /* difference */
            for (int32_t difference_s0_y_1 = 0; difference_s0_y_1 < 0 + 2; difference_s0_y_1++) {
                for (int32_t difference_s0_x_1 = 0; difference_s0_x_1 < 0 + 2; difference_s0_x_1++) {
                    {
                        const int32_t difference_s0_yi = (int32_t)get_local_id(1);
                        if (add_int32(difference_s0_yi, mul_int32(difference_s0_y_1, 8)) <= 13) {
                            const int32_t difference_s0_xi = (int32_t)get_local_id(0);
                            if (add_int32(difference_s0_xi, mul_int32(difference_s0_x_1, 32)) <= 37) {
                                {
                                    const int64_t t1 = (int64_t)difference_s0_y_1 * padded_stride_1 * 8;
                                    const int64_t t2 = (int64_t)difference_s0_yi * padded_stride_1;
                                    const int64_t t3 = (int64_t)nl_means_s0_y_base * padded_stride_1;
                                    const int64_t t4 = (int64_t)difference_s0_x_1 * 32;
                                    const int64_t t5 = (int64_t)nl_means_s0_x_base + t1 + t2 + t3 + t4;
                                    const int64_t t6 = (int64_t)padded_min_1 * padded_stride_1;
                                    const int64_t t7 = padded_stride_1 * 3;
                                    const int64_t t8 = (int64_t)total_s1_search_y * padded_stride_1;
                                    const float t9 = padded[t5 + (int64_t)difference_s0_xi - (int64_t)padded_min_0 - t6 - t7 - 3] - padded[t5 + t8 + (int64_t)total_s1_search_x + (int64_t)difference_s0_xi - (int64_t)padded_min_0 - t6 - t7 - 3];
                                    const int64_t t10 = padded_stride_2 + (int64_t)nl_means_s0_x_base + t1 + t2 + t3 + t4;
                                    const float t11 = padded[t10 + (int64_t)difference_s0_xi - (int64_t)padded_min_0 - t6 - t7 - 3] - padded[t10 + t8 + (int64_t)total_s1_search_x + (int64_t)difference_s0_xi - (int64_t)padded_min_0 - t6 - t7 - 3];
                                    const int64_t t12 = padded_stride_2 * 2 + (int64_t)nl_means_s0_x_base + t1 + t2 + t3 + t4;
                                    const float t13 = padded[t12 + (int64_t)difference_s0_xi - (int64_t)padded_min_0 - t6 - t7 - 3] - padded[t12 + t8 + (int64_t)total_s1_search_x + (int64_t)difference_s0_xi - (int64_t)padded_min_0 - t6 - t7 - 3];
                                    difference[difference_s0_y_1 * 304 + difference_s0_x_1 * 32 + difference_s0_yi * 38 + difference_s0_xi] = t9 * t9 + t11 * t11 + t13 * t13;
                                }
                            }
                        }
                    }
                    barrier(CLK_LOCAL_MEM_FENCE);
                }
            }
            /* down */
            for (int32_t down_s0_x_1 = 0; down_s0_x_1 < 0 + 2; down_s0_x_1++) {
                {
                    const int32_t down_s0_yi = (int32_t)get_local_id(1);
                    const int32_t down_s0_xi = (int32_t)get_local_id(0);
                    if (add_int32(mul_int32(down_s0_x_1, 32), down_s0_xi) <= 37) {
                        {
                            const int32_t t14 = down_s0_yi * 38 + down_s0_x_1 * 32 + down_s0_xi;
                            down[t14] = difference[t14] + difference[t14 + 38] + difference[t14 + 76] + difference[t14 + 114] + difference[t14 + 152] + difference[t14 + 190] + difference[t14 + 228];
                        }
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            {
                const int32_t total_s1_y = nl_means_s0_y_base + (int32_t)get_local_id(1);
                const int32_t total_s1_x = nl_means_s0_x_base + (int32_t)get_local_id(0);
                const int32_t t15 = total_s1_y * 38 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 38;
                const float t16 = max_float32(min_float32((down[t15] + down[t15 + 1] + down[t15 + 2] + down[t15 + 3] + down[t15 + 4] + down[t15 + 5] + down[t15 + 6]) * (-1.0f / (strength * strength * 147.0f)), 88.3f), -87.3f);
                const float t17 = rint(t16 * 1.442695f);
                const float t18 = t16 - t17 * 0.6933594f - t17 * (-0.00021219444f);
                const float total_0_value_1 = total_0[total_s1_y * 32 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 32] + float32_of_bits_of_int32(int32_of_bits_of_float32((((0.04151385f * t18 + 0.16787474f) * t18 + 0.50003016f) * t18 + 0.99996686f) * t18 + 1.0f) + (int32_t)((uint32_t)(int32_t)(int64_t)t17 << 23)) * padded[(int64_t)total_s1_x + (int64_t)total_s1_y * padded_stride_1 + (int64_t)total_s1_search_y * padded_stride_1 + (int64_t)total_s1_search_x - (int64_t)padded_min_0 - (int64_t)padded_min_1 * padded_stride_1];
                const int32_t t19 = total_s1_y * 38 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 38;
                const float t20 = max_float32(min_float32((down[t19] + down[t19 + 1] + down[t19 + 2] + down[t19 + 3] + down[t19 + 4] + down[t19 + 5] + down[t19 + 6]) * (-1.0f / (strength * strength * 147.0f)), 88.3f), -87.3f);
                const float t21 = rint(t20 * 1.442695f);
                const float t22 = t20 - t21 * 0.6933594f - t21 * (-0.00021219444f);
                const float total_1_value_2 = total_1[total_s1_y * 32 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 32] + float32_of_bits_of_int32(int32_of_bits_of_float32((((0.04151385f * t22 + 0.16787474f) * t22 + 0.50003016f) * t22 + 0.99996686f) * t22 + 1.0f) + (int32_t)((uint32_t)(int32_t)(int64_t)t21 << 23)) * padded[padded_stride_2 + (int64_t)total_s1_x + (int64_t)total_s1_y * padded_stride_1 + (int64_t)total_s1_search_y * padded_stride_1 + (int64_t)total_s1_search_x - (int64_t)padded_min_0 - (int64_t)padded_min_1 * padded_stride_1];
                const int32_t t23 = total_s1_y * 38 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 38;
                const float t24 = max_float32(min_float32((down[t23] + down[t23 + 1] + down[t23 + 2] + down[t23 + 3] + down[t23 + 4] + down[t23 + 5] + down[t23 + 6]) * (-1.0f / (strength * strength * 147.0f)), 88.3f), -87.3f);
                const float t25 = rint(t24 * 1.442695f);
                const float t26 = t24 - t25 * 0.6933594f - t25 * (-0.00021219444f);
                const float total_2_value_3 = total_2[total_s1_y * 32 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 32] + float32_of_bits_of_int32(int32_of_bits_of_float32((((0.04151385f * t26 + 0.16787474f) * t26 + 0.50003016f) * t26 + 0.99996686f) * t26 + 1.0f) + (int32_t)((uint32_t)(int32_t)(int64_t)t25 << 23)) * padded[padded_stride_2 * 2 + (int64_t)total_s1_x + (int64_t)total_s1_y * padded_stride_1 + (int64_t)total_s1_search_y * padded_stride_1 + (int64_t)total_s1_search_x - (int64_t)padded_min_0 - (int64_t)padded_min_1 * padded_stride_1];
                const int32_t t27 = total_s1_y * 38 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 38;
                const float t28 = max_float32(min_float32((down[t27] + down[t27 + 1] + down[t27 + 2] + down[t27 + 3] + down[t27 + 4] + down[t27 + 5] + down[t27 + 6]) * (-1.0f / (strength * strength * 147.0f)), 88.3f), -87.3f);
                const float t29 = rint(t28 * 1.442695f);
                const float t30 = t28 - t29 * 0.6933594f - t29 * (-0.00021219444f);
                const float total_3_value_4 = total_3[total_s1_y * 32 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 32] + float32_of_bits_of_int32(int32_of_bits_of_float32((((0.04151385f * t30 + 0.16787474f) * t30 + 0.50003016f) * t30 + 0.99996686f) * t30 + 1.0f) + (int32_t)((uint32_t)(int32_t)(int64_t)t29 << 23));
                total_0[total_s1_y * 32 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 32] = total_0_value_1;
                total_1[total_s1_y * 32 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 32] = total_1_value_2;
                total_2[total_s1_y * 32 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 32] = total_2_value_3;
                total_3[total_s1_y * 32 + total_s1_x - nl_means_s0_x_base - nl_means_s0_y_base * 32] = total_3_value_4;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    {
        const int32_t nl_means_s0_yi = (int32_t)get_local_id(1);
        const int32_t nl_means_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t31 = nl_means_s0_yi * 32 + nl_means_s0_xi;
            nl_means[nl_means_s0_y_base * nl_means_stride_1 + nl_means_s0_x_base + nl_means_s0_yi * nl_means_stride_1 + nl_means_s0_xi - nl_means_min_0 - nl_means_min_2 * nl_means_stride_2 - nl_means_min_1 * nl_means_stride_1] = max_float32(min_float32(total_0[t31] / total_3[t31], 1.0f), 0.0f);
        }
        {
            const int32_t t32 = nl_means_s0_yi * 32 + nl_means_s0_xi;
            nl_means[nl_means_stride_2 + nl_means_s0_y_base * nl_means_stride_1 + nl_means_s0_x_base + nl_means_s0_yi * nl_means_stride_1 + nl_means_s0_xi - nl_means_min_0 - nl_means_min_2 * nl_means_stride_2 - nl_means_min_1 * nl_means_stride_1] = max_float32(min_float32(total_1[t32] / total_3[t32], 1.0f), 0.0f);
        }
        {
            const int32_t t33 = nl_means_s0_yi * 32 + nl_means_s0_xi;
            nl_means[nl_means_stride_2 * 2 + nl_means_s0_y_base * nl_means_stride_1 + nl_means_s0_x_base + nl_means_s0_yi * nl_means_stride_1 + nl_means_s0_xi - nl_means_min_0 - nl_means_min_2 * nl_means_stride_2 - nl_means_min_1 * nl_means_stride_1] = max_float32(min_float32(total_2[t33] / total_3[t33], 1.0f), 0.0f);
        }
    }
}
