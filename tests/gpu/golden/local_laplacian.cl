typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }
static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline int32_t mul_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }
static inline float max_float32(float a, float b) { return a > b ? a : b; }
static inline float min_float32(float a, float b) { return a < b ? a : b; }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void grey_s0_x(const int32_t grey_min_0, const int32_t grey_min_1, const int32_t grey_s0_x_max, const int32_t grey_s0_x_min, const int32_t grey_s0_y_max, const int32_t grey_s0_y_min, const int64_t grey_stride_1, const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_extent_2, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global float *restrict grey, __global const uint16_t *restrict source) {
    const int32_t grey_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t grey_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t grey_s0_y_base = min_int32(grey_s0_y_1 * 8 + grey_s0_y_min, grey_s0_y_max - 7);
    const int32_t grey_s0_x_base = min_int32(grey_s0_x_max - 31, grey_s0_x_min + grey_s0_x_1 * 32);
    {
        const int32_t grey_s0_yi = (int32_t)get_local_id(1);
        const int32_t grey_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = max_int32(source_min_0, min_int32(grey_s0_xi + grey_s0_x_base, source_extent_0 + source_min_0 - 1)) + max_int32(min_int32(grey_s0_yi + grey_s0_y_base, source_extent_1 + source_min_1 - 1), source_min_1) * source_stride_1;
            const int32_t t2 = source_extent_2 + source_min_2 - 1;
            const int32_t t3 = source_min_1 * source_stride_1;
            const int32_t t4 = source_min_2 * source_stride_2;
            grey[(int64_t)grey_s0_yi * grey_stride_1 + (int64_t)grey_s0_y_base * grey_stride_1 + (int64_t)grey_s0_xi + (int64_t)grey_s0_x_base - (int64_t)grey_min_0 - (int64_t)grey_min_1 * grey_stride_1] = 0.299f * ((float)source[t1 + max_int32(min_int32(t2, 0), source_min_2) * source_stride_2 - source_min_0 - t3 - t4] / 65535.0f) + 0.587f * ((float)source[t1 + max_int32(min_int32(t2, 1), source_min_2) * source_stride_2 - source_min_0 - t3 - t4] / 65535.0f) + 0.114f * ((float)source[t1 + max_int32(source_min_2, min_int32(t2, 2)) * source_stride_2 - source_min_0 - t3 - t4] / 65535.0f);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void curve_s0_x(const float detail, __global float *restrict curve) {
    const int32_t curve_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t curve_s0_x_base = min_int32(curve_s0_x_1 * 64 - 768, 449);
    {
        const int32_t curve_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = add_int32(curve_s0_x_base, curve_s0_xi);
            const float t2 = (float)t1 / 256.0f;
            const int32_t t3 = curve_s0_x_base + curve_s0_xi;
            curve[t3 + 768] = detail / 2.0f * t2 * exp((-0.0f - t2) * t2 / 2.0f);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void level_1_s0_x(const float contrast, const int32_t grey_min_0, const int32_t grey_min_1, const int64_t grey_stride_1, const int32_t level_1_min_0, const int32_t level_1_min_1, const int32_t level_1_s0_x_max, const int32_t level_1_s0_x_min, const int32_t level_1_s0_y_max, const int32_t level_1_s0_y_min, const int64_t level_1_stride_1, const int64_t level_1_stride_2, __global const float *restrict curve, __global const float *restrict grey, __global float *restrict level_1) {
    __local float down_y_1[528];
    const int32_t level_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t level_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t level_1_s0_k = (int32_t)get_group_id(2);
    const int32_t level_1_s0_y_base = min_int32(level_1_s0_y_1 * 8 + level_1_s0_y_min, level_1_s0_y_max - 7);
    const int32_t level_1_s0_x_base = min_int32(level_1_s0_x_max - 31, level_1_s0_x_1 * 32 + level_1_s0_x_min);
    /* down_y_1 */
    for (int32_t down_y_1_s0_x_1 = 0; down_y_1_s0_x_1 < 0 + 3; down_y_1_s0_x_1++) {
        {
            const int32_t down_y_1_s0_yi = (int32_t)get_local_id(1);
            const int32_t down_y_1_s0_xi = (int32_t)get_local_id(0);
            if (add_int32(mul_int32(down_y_1_s0_x_1, 32), down_y_1_s0_xi) <= 65) {
                {
                    const bool t1 = level_1_s0_k < 3;
                    const int64_t t2 = (int64_t)down_y_1_s0_xi + (int64_t)level_1_s0_x_base * 2 + (int64_t)down_y_1_s0_yi * grey_stride_1 * 2 + (int64_t)level_1_s0_y_base * grey_stride_1 * 2;
                    const int64_t t3 = (int64_t)down_y_1_s0_x_1 * 32;
                    const int64_t t4 = t2 + t3 - (int64_t)grey_min_0;
                    const int64_t t5 = (int64_t)grey_min_1 * grey_stride_1;
                    const float t6 = grey[t4 - grey_stride_1 - t5 - 1];
                    const float t7 = (float)level_1_s0_k / 2.0f;
                    const int32_t t8 = level_1_s0_k * (-256);
                    const float t9 = grey[t4 - grey_stride_1 - t5 - 1];
                    const float t10 = grey[t4 - t5 - 1];
                    const float t11 = grey[t4 - t5 - 1];
                    const float t12 = grey[t2 + grey_stride_1 + t3 - (int64_t)grey_min_0 - t5 - 1];
                    const float t13 = grey[t2 + grey_stride_1 + t3 - (int64_t)grey_min_0 - t5 - 1];
                    const float t14 = grey[t2 + grey_stride_1 * 2 + t3 - (int64_t)grey_min_0 - t5 - 1];
                    const float t15 = grey[t2 + grey_stride_1 * 2 + t3 - (int64_t)grey_min_0 - t5 - 1];
                    down_y_1[down_y_1_s0_xi + down_y_1_s0_yi * 66 + down_y_1_s0_x_1 * 32] = ((t1 ? contrast * (t6 - t7) + t7 + curve[t8 + max_int32(min_int32((int32_t)(int64_t)(t9 * 512.0f), 512), 0) + 768] : t6) + 3.0f * ((t1 ? contrast * (t10 - t7) + t7 + curve[t8 + max_int32(min_int32((int32_t)(int64_t)(t11 * 512.0f), 512), 0) + 768] : t10) + (t1 ? contrast * (t12 - t7) + t7 + curve[t8 + max_int32(min_int32((int32_t)(int64_t)(t13 * 512.0f), 512), 0) + 768] : t12)) + (t1 ? contrast * (t14 - t7) + t7 + curve[t8 + max_int32(min_int32((int32_t)(int64_t)(t15 * 512.0f), 512), 0) + 768] : t14)) / 8.0f;
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    {
        const int32_t level_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t level_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t16 = level_1_s0_xi * 2 + level_1_s0_yi * 66;
            level_1[(int64_t)level_1_s0_xi + (int64_t)level_1_s0_k * level_1_stride_2 + (int64_t)level_1_s0_yi * level_1_stride_1 + (int64_t)level_1_s0_y_base * level_1_stride_1 + (int64_t)level_1_s0_x_base - (int64_t)level_1_min_0 - (int64_t)level_1_min_1 * level_1_stride_1] = (down_y_1[t16] + 3.0f * (down_y_1[t16 + 1] + down_y_1[t16 + 2]) + down_y_1[t16 + 3]) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void level_2_s0_x(const int32_t level_1_min_0, const int32_t level_1_min_1, const int64_t level_1_stride_1, const int64_t level_1_stride_2, const int32_t level_2_min_0, const int32_t level_2_min_1, const int32_t level_2_s0_x_max, const int32_t level_2_s0_x_min, const int32_t level_2_s0_y_max, const int32_t level_2_s0_y_min, const int64_t level_2_stride_1, const int64_t level_2_stride_2, __global const float *restrict level_1, __global float *restrict level_2) {
    __local float down_y_2[528];
    const int32_t level_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t level_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t level_2_s0_k = (int32_t)get_group_id(2);
    const int32_t level_2_s0_y_base = min_int32(level_2_s0_y_1 * 8 + level_2_s0_y_min, level_2_s0_y_max - 7);
    const int32_t level_2_s0_x_base = min_int32(level_2_s0_x_max - 31, level_2_s0_x_1 * 32 + level_2_s0_x_min);
    /* down_y_2 */
    for (int32_t down_y_2_s0_x_1 = 0; down_y_2_s0_x_1 < 0 + 3; down_y_2_s0_x_1++) {
        {
            const int32_t down_y_2_s0_yi = (int32_t)get_local_id(1);
            const int32_t down_y_2_s0_xi = (int32_t)get_local_id(0);
            if (add_int32(mul_int32(down_y_2_s0_x_1, 32), down_y_2_s0_xi) <= 65) {
                {
                    const int64_t t1 = (int64_t)down_y_2_s0_xi + (int64_t)level_2_s0_k * level_1_stride_2 + (int64_t)level_2_s0_y_base * level_1_stride_1 * 2 + (int64_t)level_2_s0_x_base * 2;
                    const int64_t t2 = (int64_t)down_y_2_s0_x_1 * 32;
                    const int64_t t3 = (int64_t)down_y_2_s0_yi * level_1_stride_1 * 2;
                    const int64_t t4 = t1 + t2 + t3 - (int64_t)level_1_min_0;
                    const int64_t t5 = (int64_t)level_1_min_1 * level_1_stride_1;
                    down_y_2[down_y_2_s0_xi + down_y_2_s0_yi * 66 + down_y_2_s0_x_1 * 32] = (level_1[t4 - level_1_stride_1 - t5 - 1] + 3.0f * (level_1[t4 - t5 - 1] + level_1[t1 + level_1_stride_1 + t2 + t3 - (int64_t)level_1_min_0 - t5 - 1]) + level_1[t1 + level_1_stride_1 * 2 + t2 + t3 - (int64_t)level_1_min_0 - t5 - 1]) / 8.0f;
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    {
        const int32_t level_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t level_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t6 = level_2_s0_xi * 2 + level_2_s0_yi * 66;
            level_2[(int64_t)level_2_s0_xi + (int64_t)level_2_s0_k * level_2_stride_2 + (int64_t)level_2_s0_yi * level_2_stride_1 + (int64_t)level_2_s0_y_base * level_2_stride_1 + (int64_t)level_2_s0_x_base - (int64_t)level_2_min_0 - (int64_t)level_2_min_1 * level_2_stride_1] = (down_y_2[t6] + 3.0f * (down_y_2[t6 + 1] + down_y_2[t6 + 2]) + down_y_2[t6 + 3]) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void level_3_s0_x(const int32_t level_2_min_0, const int32_t level_2_min_1, const int64_t level_2_stride_1, const int64_t level_2_stride_2, const int32_t level_3_min_0, const int32_t level_3_min_1, const int32_t level_3_s0_x_max, const int32_t level_3_s0_x_min, const int32_t level_3_s0_y_max, const int32_t level_3_s0_y_min, const int64_t level_3_stride_1, const int64_t level_3_stride_2, __global const float *restrict level_2, __global float *restrict level_3) {
    __local float down_y_3[528];
    const int32_t level_3_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t level_3_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t level_3_s0_k = (int32_t)get_group_id(2);
    const int32_t level_3_s0_y_base = min_int32(level_3_s0_y_1 * 8 + level_3_s0_y_min, level_3_s0_y_max - 7);
    const int32_t level_3_s0_x_base = min_int32(level_3_s0_x_max - 31, level_3_s0_x_1 * 32 + level_3_s0_x_min);
    /* down_y_3 */
    for (int32_t down_y_3_s0_x_1 = 0; down_y_3_s0_x_1 < 0 + 3; down_y_3_s0_x_1++) {
        {
            const int32_t down_y_3_s0_yi = (int32_t)get_local_id(1);
            const int32_t down_y_3_s0_xi = (int32_t)get_local_id(0);
            if (add_int32(mul_int32(down_y_3_s0_x_1, 32), down_y_3_s0_xi) <= 65) {
                {
                    const int64_t t1 = (int64_t)down_y_3_s0_xi + (int64_t)level_3_s0_k * level_2_stride_2 + (int64_t)level_3_s0_y_base * level_2_stride_1 * 2 + (int64_t)level_3_s0_x_base * 2;
                    const int64_t t2 = (int64_t)down_y_3_s0_x_1 * 32;
                    const int64_t t3 = (int64_t)down_y_3_s0_yi * level_2_stride_1 * 2;
                    const int64_t t4 = t1 + t2 + t3 - (int64_t)level_2_min_0;
                    const int64_t t5 = (int64_t)level_2_min_1 * level_2_stride_1;
                    down_y_3[down_y_3_s0_xi + down_y_3_s0_yi * 66 + down_y_3_s0_x_1 * 32] = (level_2[t4 - level_2_stride_1 - t5 - 1] + 3.0f * (level_2[t4 - t5 - 1] + level_2[t1 + level_2_stride_1 + t2 + t3 - (int64_t)level_2_min_0 - t5 - 1]) + level_2[t1 + level_2_stride_1 * 2 + t2 + t3 - (int64_t)level_2_min_0 - t5 - 1]) / 8.0f;
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    {
        const int32_t level_3_s0_yi = (int32_t)get_local_id(1);
        const int32_t level_3_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t6 = level_3_s0_xi * 2 + level_3_s0_yi * 66;
            level_3[(int64_t)level_3_s0_xi + (int64_t)level_3_s0_k * level_3_stride_2 + (int64_t)level_3_s0_yi * level_3_stride_1 + (int64_t)level_3_s0_y_base * level_3_stride_1 + (int64_t)level_3_s0_x_base - (int64_t)level_3_min_0 - (int64_t)level_3_min_1 * level_3_stride_1] = (down_y_3[t6] + 3.0f * (down_y_3[t6 + 1] + down_y_3[t6 + 2]) + down_y_3[t6 + 3]) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void level_4_s0_x(const int32_t level_3_min_0, const int32_t level_3_min_1, const int64_t level_3_stride_1, const int64_t level_3_stride_2, const int32_t level_4_min_0, const int32_t level_4_min_1, const int32_t level_4_s0_x_max, const int32_t level_4_s0_x_min, const int32_t level_4_s0_y_max, const int32_t level_4_s0_y_min, const int64_t level_4_stride_1, const int64_t level_4_stride_2, const int32_t source_extent_0, const int32_t source_extent_1, __global const float *restrict level_3, __global float *restrict level_4) {
    __local float down_y_4[528];
    const int32_t level_4_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t level_4_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t level_4_s0_k = (int32_t)get_group_id(2);
    const int32_t level_4_s0_y_base = min_int32(level_4_s0_y_1 * 8 + level_4_s0_y_min, level_4_s0_y_max - 7);
    const int32_t level_4_s0_x_base = min_int32(level_4_s0_x_max - 31, level_4_s0_x_1 * 32 + level_4_s0_x_min);
    /* down_y_4 */
    for (int32_t down_y_4_s0_x_1 = 0; down_y_4_s0_x_1 < 0 + 3; down_y_4_s0_x_1++) {
        {
            const int32_t down_y_4_s0_yi = (int32_t)get_local_id(1);
            const int32_t down_y_4_s0_xi = (int32_t)get_local_id(0);
            if (add_int32(mul_int32(down_y_4_s0_x_1, 32), down_y_4_s0_xi) <= 65) {
                {
                    const int64_t t1 = (int64_t)level_4_s0_k * level_3_stride_2;
                    const int32_t t2 = down_y_4_s0_x_1 * 32;
                    const int64_t t3 = (int64_t)max_int32(min_int32(t2 + down_y_4_s0_xi + level_4_s0_x_base * 2, (int32_t)((source_extent_0 + 7) >> 3)) - 1, 0);
                    const int64_t t4 = t1 + t3;
                    const int32_t t5 = level_4_s0_y_base * 2 + down_y_4_s0_yi * 2;
                    const int32_t t6 = (int32_t)((source_extent_1 + 7) >> 3);
                    const int64_t t7 = (int64_t)level_3_min_1 * level_3_stride_1;
                    down_y_4[down_y_4_s0_xi + down_y_4_s0_yi * 66 + t2] = (level_3[t4 + (int64_t)max_int32(min_int32(t5, t6) - 1, 0) * level_3_stride_1 - (int64_t)level_3_min_0 - t7] + 3.0f * (level_3[t4 + (int64_t)max_int32(min_int32(t5, t6 - 1), 0) * level_3_stride_1 - (int64_t)level_3_min_0 - t7] + level_3[(int64_t)max_int32(min_int32(t5, t6 - 2) + 1, 0) * level_3_stride_1 + t1 + t3 - (int64_t)level_3_min_0 - t7]) + level_3[(int64_t)max_int32(min_int32(t5, t6 - 3) + 2, 0) * level_3_stride_1 + t1 + t3 - (int64_t)level_3_min_0 - t7]) / 8.0f;
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    {
        const int32_t level_4_s0_yi = (int32_t)get_local_id(1);
        const int32_t level_4_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t8 = level_4_s0_xi * 2 + level_4_s0_yi * 66;
            level_4[(int64_t)level_4_s0_xi + (int64_t)level_4_s0_k * level_4_stride_2 + (int64_t)level_4_s0_yi * level_4_stride_1 + (int64_t)level_4_s0_y_base * level_4_stride_1 + (int64_t)level_4_s0_x_base - (int64_t)level_4_min_0 - (int64_t)level_4_min_1 * level_4_stride_1] = (down_y_4[t8] + 3.0f * (down_y_4[t8 + 1] + down_y_4[t8 + 2]) + down_y_4[t8 + 3]) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void result_4_s0_x(const int32_t level_4_min_0, const int32_t level_4_min_1, const int64_t level_4_stride_1, const int64_t level_4_stride_2, const int32_t result_4_min_0, const int32_t result_4_min_1, const int32_t result_4_s0_x_max, const int32_t result_4_s0_x_min, const int32_t result_4_s0_y_max, const int32_t result_4_s0_y_min, const int64_t result_4_stride_1, __global const float *restrict level_4, __global float *restrict result_4) {
    const int32_t result_4_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t result_4_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t result_4_s0_y_base = min_int32(result_4_s0_y_min + result_4_s0_y_1 * 8, result_4_s0_y_max - 7);
    const int32_t result_4_s0_x_base = min_int32(result_4_s0_x_max - 31, result_4_s0_x_1 * 32 + result_4_s0_x_min);
    {
        const int32_t result_4_s0_yi = (int32_t)get_local_id(1);
        const int32_t result_4_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)result_4_s0_x_base + (int64_t)result_4_s0_xi + (int64_t)result_4_s0_yi * level_4_stride_1 + (int64_t)result_4_s0_y_base * level_4_stride_1;
            const int64_t t2 = (int64_t)level_4_min_1 * level_4_stride_1;
            const float t3 = max_float32(min_float32(level_4[t1 + level_4_stride_2 * 3 - (int64_t)level_4_min_0 - t2] * 2.0f, 2.0f), 0.0f);
            result_4[(int64_t)result_4_s0_yi * result_4_stride_1 + (int64_t)result_4_s0_x_base + (int64_t)result_4_s0_xi + (int64_t)result_4_s0_y_base * result_4_stride_1 - (int64_t)result_4_min_1 * result_4_stride_1 - (int64_t)result_4_min_0] = max_float32(1.0f - fabs(t3 - 0.0f), 0.0f) * level_4[t1 - (int64_t)level_4_min_0 - t2] + max_float32(1.0f - fabs(t3 - 1.0f), 0.0f) * level_4[t1 + level_4_stride_2 - (int64_t)level_4_min_0 - t2] + max_float32(1.0f - fabs(t3 - 2.0f), 0.0f) * level_4[t1 + level_4_stride_2 * 2 - (int64_t)level_4_min_0 - t2];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void result_3_s0_x(const int32_t level_3_min_0, const int32_t level_3_min_1, const int64_t level_3_stride_1, const int64_t level_3_stride_2, const int32_t level_4_min_0, const int32_t level_4_min_1, const int64_t level_4_stride_1, const int64_t level_4_stride_2, const int32_t result_3_min_0, const int32_t result_3_min_1, const int32_t result_3_s0_x_max, const int32_t result_3_s0_x_min, const int32_t result_3_s0_y_max, const int32_t result_3_s0_y_min, const int64_t result_3_stride_1, const int32_t result_4_min_0, const int32_t result_4_min_1, const int64_t result_4_stride_1, __global const float *restrict level_3, __global const float *restrict level_4, __global float *restrict result_3, __global const float *restrict result_4) {
    const int32_t result_3_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t result_3_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t result_3_s0_y_base = min_int32(result_3_s0_y_min + result_3_s0_y_1 * 8, result_3_s0_y_max - 7);
    const int32_t result_3_s0_x_base = min_int32(result_3_s0_x_max - 31, result_3_s0_x_1 * 32 + result_3_s0_x_min);
    {
        const int32_t result_3_s0_yi = (int32_t)get_local_id(1);
        const int32_t result_3_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = result_3_s0_x_base + result_3_s0_xi;
            const int64_t t2 = (int64_t)(int32_t)((t1 + 1) >> 1);
            const int32_t t3 = result_3_s0_yi + result_3_s0_y_base;
            const int64_t t4 = (int64_t)(int32_t)((t3 + 1) >> 1);
            const int64_t t5 = t2 + t4 * result_4_stride_1 - (int64_t)result_4_min_1 * result_4_stride_1;
            const int64_t t6 = t5 - (int64_t)result_4_min_0;
            const int32_t t7 = add_int32(result_3_s0_yi, result_3_s0_y_base);
            const float t8 = 0.25f + 0.5f * (float)(int32_t)(t7 & 1);
            const float t9 = 1.0f - t8;
            const int64_t t10 = t5 - result_4_stride_1 - (int64_t)result_4_min_0;
            const int32_t t11 = add_int32(result_3_s0_x_base, result_3_s0_xi);
            const float t12 = 0.25f + 0.5f * (float)(int32_t)(t11 & 1);
            const float t13 = 1.0f - t12;
            const int64_t t14 = (int64_t)result_3_s0_x_base + (int64_t)result_3_s0_xi + (int64_t)result_3_s0_yi * level_3_stride_1 + (int64_t)result_3_s0_y_base * level_3_stride_1;
            const int64_t t15 = (int64_t)level_3_min_1 * level_3_stride_1;
            const float t16 = max_float32(min_float32(level_3[t14 + level_3_stride_2 * 3 - (int64_t)level_3_min_0 - t15] * 2.0f, 2.0f), 0.0f);
            const int64_t t17 = t4 * level_4_stride_1 + t2;
            const int64_t t18 = t17 - (int64_t)level_4_min_0;
            const int64_t t19 = (int64_t)level_4_min_1 * level_4_stride_1;
            const int64_t t20 = t18 - t19;
            const int64_t t21 = t18 - level_4_stride_1 - t19;
            const int64_t t22 = t17 + level_4_stride_2 - (int64_t)level_4_min_0;
            const int64_t t23 = t22 - t19;
            const int64_t t24 = t22 - level_4_stride_1 - t19;
            const int64_t t25 = t17 + level_4_stride_2 * 2 - (int64_t)level_4_min_0;
            const int64_t t26 = t25 - t19;
            const int64_t t27 = t25 - level_4_stride_1 - t19;
            result_3[(int64_t)result_3_s0_yi * result_3_stride_1 + (int64_t)result_3_s0_x_base + (int64_t)result_3_s0_xi + (int64_t)result_3_s0_y_base * result_3_stride_1 - (int64_t)result_3_min_1 * result_3_stride_1 - (int64_t)result_3_min_0] = (result_4[t6] * t9 + result_4[t10] * t8) * t13 + (result_4[t6 - 1] * t9 + result_4[t10 - 1] * t8) * t12 + (max_float32(1.0f - fabs(t16 - 0.0f), 0.0f) * (level_3[t14 - (int64_t)level_3_min_0 - t15] - ((level_4[t20] * t9 + level_4[t21] * t8) * t13 + (level_4[t20 - 1] * t9 + level_4[t21 - 1] * t8) * t12)) + max_float32(1.0f - fabs(t16 - 1.0f), 0.0f) * (level_3[t14 + level_3_stride_2 - (int64_t)level_3_min_0 - t15] - ((level_4[t23] * t9 + level_4[t24] * t8) * t13 + (level_4[t23 - 1] * t9 + level_4[t24 - 1] * t8) * t12)) + max_float32(1.0f - fabs(t16 - 2.0f), 0.0f) * (level_3[t14 + level_3_stride_2 * 2 - (int64_t)level_3_min_0 - t15] - ((level_4[t26] * t9 + level_4[t27] * t8) * t13 + (level_4[t26 - 1] * t9 + level_4[t27 - 1] * t8) * t12)));
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void result_2_s0_x(const int32_t level_2_min_0, const int32_t level_2_min_1, const int64_t level_2_stride_1, const int64_t level_2_stride_2, const int32_t level_3_min_0, const int32_t level_3_min_1, const int64_t level_3_stride_1, const int64_t level_3_stride_2, const int32_t result_2_min_0, const int32_t result_2_min_1, const int32_t result_2_s0_x_max, const int32_t result_2_s0_x_min, const int32_t result_2_s0_y_max, const int32_t result_2_s0_y_min, const int64_t result_2_stride_1, const int32_t result_3_min_0, const int32_t result_3_min_1, const int64_t result_3_stride_1, __global const float *restrict level_2, __global const float *restrict level_3, __global float *restrict level_4, __global const float *restrict result_3) {
    const int32_t result_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t result_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t result_2_s0_y_base = min_int32(result_2_s0_y_min + result_2_s0_y_1 * 8, result_2_s0_y_max - 7);
    const int32_t result_2_s0_x_base = min_int32(result_2_s0_x_max - 31, result_2_s0_x_1 * 32 + result_2_s0_x_min);
    {
        const int32_t result_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t result_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = result_2_s0_x_base + result_2_s0_xi;
            const int64_t t2 = (int64_t)(int32_t)((t1 + 1) >> 1);
            const int32_t t3 = result_2_s0_yi + result_2_s0_y_base;
            const int64_t t4 = (int64_t)(int32_t)((t3 + 1) >> 1);
            const int64_t t5 = t2 + t4 * result_3_stride_1 - (int64_t)result_3_min_1 * result_3_stride_1;
            const int64_t t6 = t5 - (int64_t)result_3_min_0;
            const int32_t t7 = add_int32(result_2_s0_yi, result_2_s0_y_base);
            const float t8 = 0.25f + 0.5f * (float)(int32_t)(t7 & 1);
            const float t9 = 1.0f - t8;
            const int64_t t10 = t5 - result_3_stride_1 - (int64_t)result_3_min_0;
            const int32_t t11 = add_int32(result_2_s0_x_base, result_2_s0_xi);
            const float t12 = 0.25f + 0.5f * (float)(int32_t)(t11 & 1);
            const float t13 = 1.0f - t12;
            const int64_t t14 = (int64_t)result_2_s0_x_base + (int64_t)result_2_s0_xi + (int64_t)result_2_s0_yi * level_2_stride_1 + (int64_t)result_2_s0_y_base * level_2_stride_1;
            const int64_t t15 = (int64_t)level_2_min_1 * level_2_stride_1;
            const float t16 = max_float32(min_float32(level_2[t14 + level_2_stride_2 * 3 - (int64_t)level_2_min_0 - t15] * 2.0f, 2.0f), 0.0f);
            const int64_t t17 = t4 * level_3_stride_1 + t2;
            const int64_t t18 = t17 - (int64_t)level_3_min_0;
            const int64_t t19 = (int64_t)level_3_min_1 * level_3_stride_1;
            const int64_t t20 = t18 - t19;
            const int64_t t21 = t18 - level_3_stride_1 - t19;
            const int64_t t22 = t17 + level_3_stride_2 - (int64_t)level_3_min_0;
            const int64_t t23 = t22 - t19;
            const int64_t t24 = t22 - level_3_stride_1 - t19;
            const int64_t t25 = t17 + level_3_stride_2 * 2 - (int64_t)level_3_min_0;
            const int64_t t26 = t25 - t19;
            const int64_t t27 = t25 - level_3_stride_1 - t19;
            level_4[(int64_t)result_2_s0_yi * result_2_stride_1 + (int64_t)result_2_s0_x_base + (int64_t)result_2_s0_xi + (int64_t)result_2_s0_y_base * result_2_stride_1 - (int64_t)result_2_min_1 * result_2_stride_1 - (int64_t)result_2_min_0] = (result_3[t6] * t9 + result_3[t10] * t8) * t13 + (result_3[t6 - 1] * t9 + result_3[t10 - 1] * t8) * t12 + (max_float32(1.0f - fabs(t16 - 0.0f), 0.0f) * (level_2[t14 - (int64_t)level_2_min_0 - t15] - ((level_3[t20] * t9 + level_3[t21] * t8) * t13 + (level_3[t20 - 1] * t9 + level_3[t21 - 1] * t8) * t12)) + max_float32(1.0f - fabs(t16 - 1.0f), 0.0f) * (level_2[t14 + level_2_stride_2 - (int64_t)level_2_min_0 - t15] - ((level_3[t23] * t9 + level_3[t24] * t8) * t13 + (level_3[t23 - 1] * t9 + level_3[t24 - 1] * t8) * t12)) + max_float32(1.0f - fabs(t16 - 2.0f), 0.0f) * (level_2[t14 + level_2_stride_2 * 2 - (int64_t)level_2_min_0 - t15] - ((level_3[t26] * t9 + level_3[t27] * t8) * t13 + (level_3[t26 - 1] * t9 + level_3[t27 - 1] * t8) * t12)));
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void result_1_s0_x(const int32_t level_1_min_0, const int32_t level_1_min_1, const int64_t level_1_stride_1, const int64_t level_1_stride_2, const int32_t level_2_min_0, const int32_t level_2_min_1, const int64_t level_2_stride_1, const int64_t level_2_stride_2, const int32_t result_1_min_0, const int32_t result_1_min_1, const int32_t result_1_s0_x_max, const int32_t result_1_s0_x_min, const int32_t result_1_s0_y_max, const int32_t result_1_s0_y_min, const int64_t result_1_stride_1, const int32_t result_2_min_0, const int32_t result_2_min_1, const int64_t result_2_stride_1, __global const float *restrict level_1, __global const float *restrict level_2, __global float *restrict level_3, __global const float *restrict level_4) {
    const int32_t result_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t result_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t result_1_s0_y_base = min_int32(result_1_s0_y_min + result_1_s0_y_1 * 8, result_1_s0_y_max - 7);
    const int32_t result_1_s0_x_base = min_int32(result_1_s0_x_max - 31, result_1_s0_x_1 * 32 + result_1_s0_x_min);
    {
        const int32_t result_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t result_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = result_1_s0_x_base + result_1_s0_xi;
            const int64_t t2 = (int64_t)(int32_t)((t1 + 1) >> 1);
            const int32_t t3 = result_1_s0_yi + result_1_s0_y_base;
            const int64_t t4 = (int64_t)(int32_t)((t3 + 1) >> 1);
            const int64_t t5 = t2 + t4 * result_2_stride_1 - (int64_t)result_2_min_1 * result_2_stride_1;
            const int64_t t6 = t5 - (int64_t)result_2_min_0;
            const int32_t t7 = add_int32(result_1_s0_yi, result_1_s0_y_base);
            const float t8 = 0.25f + 0.5f * (float)(int32_t)(t7 & 1);
            const float t9 = 1.0f - t8;
            const int64_t t10 = t5 - result_2_stride_1 - (int64_t)result_2_min_0;
            const int32_t t11 = add_int32(result_1_s0_x_base, result_1_s0_xi);
            const float t12 = 0.25f + 0.5f * (float)(int32_t)(t11 & 1);
            const float t13 = 1.0f - t12;
            const int64_t t14 = (int64_t)result_1_s0_x_base + (int64_t)result_1_s0_xi + (int64_t)result_1_s0_yi * level_1_stride_1 + (int64_t)result_1_s0_y_base * level_1_stride_1;
            const int64_t t15 = (int64_t)level_1_min_1 * level_1_stride_1;
            const float t16 = max_float32(min_float32(level_1[t14 + level_1_stride_2 * 3 - (int64_t)level_1_min_0 - t15] * 2.0f, 2.0f), 0.0f);
            const int64_t t17 = t4 * level_2_stride_1 + t2;
            const int64_t t18 = t17 - (int64_t)level_2_min_0;
            const int64_t t19 = (int64_t)level_2_min_1 * level_2_stride_1;
            const int64_t t20 = t18 - t19;
            const int64_t t21 = t18 - level_2_stride_1 - t19;
            const int64_t t22 = t17 + level_2_stride_2 - (int64_t)level_2_min_0;
            const int64_t t23 = t22 - t19;
            const int64_t t24 = t22 - level_2_stride_1 - t19;
            const int64_t t25 = t17 + level_2_stride_2 * 2 - (int64_t)level_2_min_0;
            const int64_t t26 = t25 - t19;
            const int64_t t27 = t25 - level_2_stride_1 - t19;
            level_3[(int64_t)result_1_s0_yi * result_1_stride_1 + (int64_t)result_1_s0_x_base + (int64_t)result_1_s0_xi + (int64_t)result_1_s0_y_base * result_1_stride_1 - (int64_t)result_1_min_1 * result_1_stride_1 - (int64_t)result_1_min_0] = (level_4[t6] * t9 + level_4[t10] * t8) * t13 + (level_4[t6 - 1] * t9 + level_4[t10 - 1] * t8) * t12 + (max_float32(1.0f - fabs(t16 - 0.0f), 0.0f) * (level_1[t14 - (int64_t)level_1_min_0 - t15] - ((level_2[t20] * t9 + level_2[t21] * t8) * t13 + (level_2[t20 - 1] * t9 + level_2[t21 - 1] * t8) * t12)) + max_float32(1.0f - fabs(t16 - 1.0f), 0.0f) * (level_1[t14 + level_1_stride_2 - (int64_t)level_1_min_0 - t15] - ((level_2[t23] * t9 + level_2[t24] * t8) * t13 + (level_2[t23 - 1] * t9 + level_2[t24 - 1] * t8) * t12)) + max_float32(1.0f - fabs(t16 - 2.0f), 0.0f) * (level_1[t14 + level_1_stride_2 * 2 - (int64_t)level_1_min_0 - t15] - ((level_2[t26] * t9 + level_2[t27] * t8) * t13 + (level_2[t26 - 1] * t9 + level_2[t27 - 1] * t8) * t12)));
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void local_laplacian_s0_x(const float contrast, const int32_t grey_min_0, const int32_t grey_min_1, const int64_t grey_stride_1, const int32_t level_1_min_0, const int32_t level_1_min_1, const int64_t level_1_stride_1, const int64_t level_1_stride_2, const int32_t local_laplacian_extent_0, const int32_t local_laplacian_extent_1, const int32_t local_laplacian_min_0, const int32_t local_laplacian_min_1, const int32_t local_laplacian_min_2, const int32_t local_laplacian_stride_1, const int32_t local_laplacian_stride_2, const int32_t result_1_min_0, const int32_t result_1_min_1, const int64_t result_1_stride_1, const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_extent_2, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global const float *restrict curve, __global const float *restrict grey, __global const float *restrict level_1, __global const float *restrict level_3, __global uint16_t *restrict local_laplacian, __global const uint16_t *restrict source) {
    const int32_t local_laplacian_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t local_laplacian_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t local_laplacian_s0_y_base = min_int32(local_laplacian_s0_y_1 * 8 + local_laplacian_min_1, local_laplacian_extent_1 + local_laplacian_min_1 - 8);
    const int32_t local_laplacian_s0_x_base = min_int32(local_laplacian_extent_0 + local_laplacian_min_0 - 32, local_laplacian_s0_x_1 * 32 + local_laplacian_min_0);
    {
        const int32_t local_laplacian_s0_yi = (int32_t)get_local_id(1);
        const int32_t local_laplacian_s0_xi = (int32_t)get_local_id(0);
        float gain[1];
        /* gain */
        {
            const int32_t t1 = local_laplacian_s0_yi + local_laplacian_s0_y_base;
            const int64_t t2 = (int64_t)(int32_t)((t1 + 1) >> 1);
            const int32_t t3 = local_laplacian_s0_x_base + local_laplacian_s0_xi;
            const int64_t t4 = (int64_t)(int32_t)((t3 + 1) >> 1);
            const int64_t t5 = t2 * result_1_stride_1 + t4 - (int64_t)result_1_min_1 * result_1_stride_1;
            const int64_t t6 = t5 - (int64_t)result_1_min_0;
            const int32_t t7 = add_int32(local_laplacian_s0_yi, local_laplacian_s0_y_base);
            const float t8 = 0.25f + 0.5f * (float)(int32_t)(t7 & 1);
            const float t9 = 1.0f - t8;
            const int64_t t10 = t5 - result_1_stride_1 - (int64_t)result_1_min_0;
            const int32_t t11 = add_int32(local_laplacian_s0_x_base, local_laplacian_s0_xi);
            const float t12 = 0.25f + 0.5f * (float)(int32_t)(t11 & 1);
            const float t13 = 1.0f - t12;
            const float t14 = grey[(int64_t)local_laplacian_s0_x_base + (int64_t)local_laplacian_s0_y_base * grey_stride_1 + (int64_t)local_laplacian_s0_xi + (int64_t)local_laplacian_s0_yi * grey_stride_1 - (int64_t)grey_min_0 - (int64_t)grey_min_1 * grey_stride_1];
            const float t15 = max_float32(min_float32(t14 * 2.0f, 2.0f), 0.0f);
            const int32_t t16 = max_int32(min_int32((int32_t)(int64_t)t15, 1), 0);
            const float t17 = (float)t16;
            const float t18 = t17 / 2.0f;
            const float t19 = grey[(int64_t)local_laplacian_s0_x_base + (int64_t)local_laplacian_s0_y_base * grey_stride_1 + (int64_t)local_laplacian_s0_xi + (int64_t)local_laplacian_s0_yi * grey_stride_1 - (int64_t)grey_min_0 - (int64_t)grey_min_1 * grey_stride_1];
            const float t20 = max_float32(min_float32(t19 * 2.0f, 2.0f), 0.0f);
            const int32_t t21 = max_int32(min_int32((int32_t)(int64_t)t20, 1), 0);
            const int32_t t22 = max_int32(min_int32((int32_t)(int64_t)(t19 * 512.0f), 512), 0) - t21 * 256;
            const float t23 = t15 - t17;
            const float t24 = (float)add_int32(t16, 1) / 2.0f;
            const int64_t t25 = t2 * level_1_stride_1 + t4;
            const int64_t t26 = t25 - (int64_t)level_1_min_0;
            const int64_t t27 = (int64_t)level_1_min_1 * level_1_stride_1;
            const int64_t t28 = t26 - t27;
            const int64_t t29 = t26 - level_1_stride_1 - t27;
            const int64_t t30 = t25 + level_1_stride_2 - (int64_t)level_1_min_0;
            const int64_t t31 = t30 - t27;
            const int64_t t32 = t30 - level_1_stride_1 - t27;
            const int64_t t33 = t25 + level_1_stride_2 * 2 - (int64_t)level_1_min_0;
            const int64_t t34 = t33 - t27;
            const int64_t t35 = t33 - level_1_stride_1 - t27;
            gain[0] = ((level_3[t6] * t9 + level_3[t10] * t8) * t13 + (level_3[t6 - 1] * t9 + level_3[t10 - 1] * t8) * t12 + ((contrast * (t14 - t18) + t18 + curve[t22 + 768]) * (1.0f - t23) + (contrast * (t14 - t24) + t24 + curve[t22 + 512]) * t23 - (max_float32(1.0f - fabs(t15 - 0.0f), 0.0f) * ((level_1[t28] * t9 + level_1[t29] * t8) * t13 + (level_1[t28 - 1] * t9 + level_1[t29 - 1] * t8) * t12) + max_float32(1.0f - fabs(t15 - 1.0f), 0.0f) * ((level_1[t31] * t9 + level_1[t32] * t8) * t13 + (level_1[t31 - 1] * t9 + level_1[t32 - 1] * t8) * t12) + max_float32(1.0f - fabs(t15 - 2.0f), 0.0f) * ((level_1[t34] * t9 + level_1[t35] * t8) * t13 + (level_1[t34 - 1] * t9 + level_1[t35 - 1] * t8) * t12))) + 0.01f) / (t14 + 0.01f);
        }
        local_laplacian[local_laplacian_s0_x_base + local_laplacian_s0_y_base * local_laplacian_stride_1 + local_laplacian_s0_yi * local_laplacian_stride_1 + local_laplacian_s0_xi - local_laplacian_min_1 * local_laplacian_stride_1 - local_laplacian_min_2 * local_laplacian_stride_2 - local_laplacian_min_0] = (uint16_t)(int64_t)(max_float32(min_float32(gain[0] * ((float)source[max_int32(min_int32(local_laplacian_s0_x_base + local_laplacian_s0_xi, source_extent_0 + source_min_0 - 1), source_min_0) + max_int32(source_min_1, min_int32(local_laplacian_s0_yi + local_laplacian_s0_y_base, source_extent_1 + source_min_1 - 1)) * source_stride_1 + max_int32(min_int32(source_extent_2 + source_min_2 - 1, 0), source_min_2) * source_stride_2 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2] / 65535.0f + 0.01f) - 0.01f, 1.0f), 0.0f) * 65535.0f);
        local_laplacian[local_laplacian_s0_x_base + local_laplacian_s0_y_base * local_laplacian_stride_1 + local_laplacian_s0_yi * local_laplacian_stride_1 + local_laplacian_s0_xi + local_laplacian_stride_2 - local_laplacian_min_1 * local_laplacian_stride_1 - local_laplacian_min_2 * local_laplacian_stride_2 - local_laplacian_min_0] = (uint16_t)(int64_t)(max_float32(min_float32(gain[0] * ((float)source[max_int32(min_int32(local_laplacian_s0_x_base + local_laplacian_s0_xi, source_extent_0 + source_min_0 - 1), source_min_0) + max_int32(source_min_1, min_int32(local_laplacian_s0_yi + local_laplacian_s0_y_base, source_extent_1 + source_min_1 - 1)) * source_stride_1 + max_int32(min_int32(source_extent_2 + source_min_2 - 1, 1), source_min_2) * source_stride_2 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2] / 65535.0f + 0.01f) - 0.01f, 1.0f), 0.0f) * 65535.0f);
        local_laplacian[local_laplacian_s0_x_base + local_laplacian_s0_y_base * local_laplacian_stride_1 + local_laplacian_s0_yi * local_laplacian_stride_1 + local_laplacian_s0_xi + local_laplacian_stride_2 * 2 - local_laplacian_min_1 * local_laplacian_stride_1 - local_laplacian_min_2 * local_laplacian_stride_2 - local_laplacian_min_0] = (uint16_t)(int64_t)(max_float32(min_float32(gain[0] * ((float)source[max_int32(min_int32(local_laplacian_s0_x_base + local_laplacian_s0_xi, source_extent_0 + source_min_0 - 1), source_min_0) + max_int32(source_min_1, min_int32(local_laplacian_s0_yi + local_laplacian_s0_y_base, source_extent_1 + source_min_1 - 1)) * source_stride_1 + max_int32(source_min_2, min_int32(source_extent_2 + source_min_2 - 1, 2)) * source_stride_2 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2] / 65535.0f + 0.01f) - 0.01f, 1.0f), 0.0f) * 65535.0f);
    }
}
