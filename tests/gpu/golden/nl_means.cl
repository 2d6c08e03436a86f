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
        padded[(int64_t)padded_s0_y_base * padded_stride_1 + (int64_t)padded_s0_yi * padded_stride_1 + (int64_t)padded_s0_xi + (int64_t)padded_s0_c * padded_stride_2 + (int64_t)padded_s0_x_base - (int64_t)padded_min_1 * padded_stride_1 - (int64_t)padded_min_0] = source[max_int32(source_min_2, min_int32(source_extent_2 + source_min_2 - 1, padded_s0_c)) * source_stride_2 + max_int32(min_int32(padded_s0_xi + padded_s0_x_base, source_extent_0 + source_min_0 - 1), source_min_0) + max_int32(source_min_1, min_int32(padded_s0_yi + padded_s0_y_base, source_extent_1 + source_min_1 - 1)) * source_stride_1 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2];
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
    const int32_t nl_means_s0_y_base = min_int32(nl_means_extent_1 + nl_means_min_1 - 8, nl_means_s0_y_1 * 8 + nl_means_min_1);
    const int32_t nl_means_s0_x_base = min_int32(nl_means_extent_0 + nl_means_min_0 - 32, nl_means_s0_x_1 * 32 + nl_means_min_0);
    /* total */
    {
        const int32_t total_s0_y = nl_means_s0_y_base + (int32_t)get_local_id(1);
        const int32_t total_s0_x = nl_means_s0_x_base + (int32_t)get_local_id(0);
        total_0[total_s0_x + total_s0_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] = 0.0f;
        total_1[total_s0_x + total_s0_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] = 0.0f;
        total_2[total_s0_x + total_s0_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] = 0.0f;
        total_3[total_s0_x + total_s0_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] = 0.0f;
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
                                    const int64_t t1 = (int64_t)difference_s0_x_1 * 32;
                                    const int64_t t2 = (int64_t)difference_s0_y_1 * padded_stride_1 * 8;
                                    const int64_t t3 = (int64_t)nl_means_s0_y_base * padded_stride_1;
                                    const int64_t t4 = (int64_t)difference_s0_yi * padded_stride_1;
                                    const int64_t t5 = t1 + t2 + t3 + (int64_t)difference_s0_xi + (int64_t)nl_means_s0_x_base + t4;
                                    const int64_t t6 = (int64_t)padded_min_1 * padded_stride_1;
                                    const int64_t t7 = padded_stride_1 * 3;
                                    const int64_t t8 = (int64_t)total_s1_search_y * padded_stride_1 + (int64_t)total_s1_search_x + t1 + t2 + t3 + (int64_t)difference_s0_xi + (int64_t)nl_means_s0_x_base + t4;
                                    const float t9 = padded[t5 - t6 - t7 - (int64_t)padded_min_0 - 3] - padded[t8 - t6 - t7 - (int64_t)padded_min_0 - 3];
                                    const float t10 = padded[t5 + padded_stride_2 - t6 - t7 - (int64_t)padded_min_0 - 3] - padded[t8 + padded_stride_2 - t6 - t7 - (int64_t)padded_min_0 - 3];
                                    const int64_t t11 = padded_stride_2 * 2;
                                    const float t12 = padded[t5 + t11 - t6 - t7 - (int64_t)padded_min_0 - 3] - padded[t8 + t11 - t6 - t7 - (int64_t)padded_min_0 - 3];
                                    difference[difference_s0_x_1 * 32 + difference_s0_yi * 38 + difference_s0_xi + difference_s0_y_1 * 304] = t9 * t9 + t10 * t10 + t12 * t12;
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
                            const int32_t t13 = down_s0_xi + down_s0_yi * 38 + down_s0_x_1 * 32;
                            down[t13] = difference[t13] + difference[t13 + 38] + difference[t13 + 76] + difference[t13 + 114] + difference[t13 + 152] + difference[t13 + 190] + difference[t13 + 228];
                        }
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            {
                const int32_t total_s1_y = nl_means_s0_y_base + (int32_t)get_local_id(1);
                const int32_t total_s1_x = nl_means_s0_x_base + (int32_t)get_local_id(0);
                const int32_t t14 = total_s1_x + total_s1_y * 38 - nl_means_s0_y_base * 38 - nl_means_s0_x_base;
                const float t15 = max_float32(min_float32((down[t14] + down[t14 + 1] + down[t14 + 2] + down[t14 + 3] + down[t14 + 4] + down[t14 + 5] + down[t14 + 6]) * (-1.0f / (strength * strength * 147.0f)), 88.3f), -87.3f);
                const float t16 = rint(t15 * 1.442695f);
                const float t17 = t15 - t16 * 0.6933594f - t16 * (-0.00021219444f);
                const float total_0_value_1 = total_0[total_s1_x + total_s1_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] + float32_of_bits_of_int32(int32_of_bits_of_float32((((0.04151385f * t17 + 0.16787474f) * t17 + 0.50003016f) * t17 + 0.99996686f) * t17 + 1.0f) + (int32_t)((uint32_t)(int32_t)(int64_t)t16 << 23)) * padded[(int64_t)total_s1_search_y * padded_stride_1 + (int64_t)total_s1_search_x + (int64_t)total_s1_y * padded_stride_1 + (int64_t)total_s1_x - (int64_t)padded_min_1 * padded_stride_1 - (int64_t)padded_min_0];
                const int32_t t18 = total_s1_x + total_s1_y * 38 - nl_means_s0_y_base * 38 - nl_means_s0_x_base;
                const float t19 = max_float32(min_float32((down[t18] + down[t18 + 1] + down[t18 + 2] + down[t18 + 3] + down[t18 + 4] + down[t18 + 5] + down[t18 + 6]) * (-1.0f / (strength * strength * 147.0f)), 88.3f), -87.3f);
                const float t20 = rint(t19 * 1.442695f);
                const float t21 = t19 - t20 * 0.6933594f - t20 * (-0.00021219444f);
                const float total_1_value_2 = total_1[total_s1_x + total_s1_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] + float32_of_bits_of_int32(int32_of_bits_of_float32((((0.04151385f * t21 + 0.16787474f) * t21 + 0.50003016f) * t21 + 0.99996686f) * t21 + 1.0f) + (int32_t)((uint32_t)(int32_t)(int64_t)t20 << 23)) * padded[(int64_t)total_s1_search_y * padded_stride_1 + (int64_t)total_s1_search_x + (int64_t)total_s1_y * padded_stride_1 + (int64_t)total_s1_x + padded_stride_2 - (int64_t)padded_min_1 * padded_stride_1 - (int64_t)padded_min_0];
                const int32_t t22 = total_s1_x + total_s1_y * 38 - nl_means_s0_y_base * 38 - nl_means_s0_x_base;
                const float t23 = max_float32(min_float32((down[t22] + down[t22 + 1] + down[t22 + 2] + down[t22 + 3] + down[t22 + 4] + down[t22 + 5] + down[t22 + 6]) * (-1.0f / (strength * strength * 147.0f)), 88.3f), -87.3f);
                const float t24 = rint(t23 * 1.442695f);
                const float t25 = t23 - t24 * 0.6933594f - t24 * (-0.00021219444f);
                const float total_2_value_3 = total_2[total_s1_x + total_s1_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] + float32_of_bits_of_int32(int32_of_bits_of_float32((((0.04151385f * t25 + 0.16787474f) * t25 + 0.50003016f) * t25 + 0.99996686f) * t25 + 1.0f) + (int32_t)((uint32_t)(int32_t)(int64_t)t24 << 23)) * padded[(int64_t)total_s1_search_y * padded_stride_1 + (int64_t)total_s1_search_x + (int64_t)total_s1_y * padded_stride_1 + (int64_t)total_s1_x + padded_stride_2 * 2 - (int64_t)padded_min_1 * padded_stride_1 - (int64_t)padded_min_0];
                const int32_t t26 = total_s1_x + total_s1_y * 38 - nl_means_s0_y_base * 38 - nl_means_s0_x_base;
                const float t27 = max_float32(min_float32((down[t26] + down[t26 + 1] + down[t26 + 2] + down[t26 + 3] + down[t26 + 4] + down[t26 + 5] + down[t26 + 6]) * (-1.0f / (strength * strength * 147.0f)), 88.3f), -87.3f);
                const float t28 = rint(t27 * 1.442695f);
                const float t29 = t27 - t28 * 0.6933594f - t28 * (-0.00021219444f);
                const float total_3_value_4 = total_3[total_s1_x + total_s1_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] + float32_of_bits_of_int32(int32_of_bits_of_float32((((0.04151385f * t29 + 0.16787474f) * t29 + 0.50003016f) * t29 + 0.99996686f) * t29 + 1.0f) + (int32_t)((uint32_t)(int32_t)(int64_t)t28 << 23));
                total_0[total_s1_x + total_s1_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] = total_0_value_1;
                total_1[total_s1_x + total_s1_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] = total_1_value_2;
                total_2[total_s1_x + total_s1_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] = total_2_value_3;
                total_3[total_s1_x + total_s1_y * 32 - nl_means_s0_y_base * 32 - nl_means_s0_x_base] = total_3_value_4;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    {
        const int32_t nl_means_s0_yi = (int32_t)get_local_id(1);
        const int32_t nl_means_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t30 = nl_means_s0_xi + nl_means_s0_yi * 32;
            nl_means[nl_means_s0_y_base * nl_means_stride_1 + nl_means_s0_xi + nl_means_s0_x_base + nl_means_s0_yi * nl_means_stride_1 - nl_means_min_0 - nl_means_min_1 * nl_means_stride_1 - nl_means_min_2 * nl_means_stride_2] = max_float32(min_float32(total_0[t30] / total_3[t30], 1.0f), 0.0f);
        }
        {
            const int32_t t31 = nl_means_s0_xi + nl_means_s0_yi * 32;
            nl_means[nl_means_stride_2 + nl_means_s0_y_base * nl_means_stride_1 + nl_means_s0_xi + nl_means_s0_x_base + nl_means_s0_yi * nl_means_stride_1 - nl_means_min_0 - nl_means_min_1 * nl_means_stride_1 - nl_means_min_2 * nl_means_stride_2] = max_float32(min_float32(total_1[t31] / total_3[t31], 1.0f), 0.0f);
        }
        {
            const int32_t t32 = nl_means_s0_xi + nl_means_s0_yi * 32;
            nl_means[nl_means_stride_2 * 2 + nl_means_s0_y_base * nl_means_stride_1 + nl_means_s0_xi + nl_means_s0_x_base + nl_means_s0_yi * nl_means_stride_1 - nl_means_min_0 - nl_means_min_1 * nl_means_stride_1 - nl_means_min_2 * nl_means_stride_2] = max_float32(min_float32(total_2[t32] / total_3[t32], 1.0f), 0.0f);
        }
    }
}
