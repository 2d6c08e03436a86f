typedef int int32_t;
typedef long int64_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline float max_float32(float a, float b) { return a > b ? a : b; }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void level_1_s0_x(const int64_t level_1_stride_2, const int32_t max_filter_extent_0, const int32_t max_filter_extent_1, const int32_t max_filter_min_0, const int32_t max_filter_min_1, const int32_t max_filter_min_2, const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_extent_2, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global float *restrict level_1, __global const float *restrict source) {
    const int32_t level_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t level_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t level_1_s0_c = max_filter_min_2 + (int32_t)get_group_id(2);
    const int32_t level_1_s0_y_base = min_int32(max_filter_min_1 + max_filter_extent_1, level_1_s0_y_1 * 8 + max_filter_min_1 - 43) + 17;
    const int32_t level_1_s0_x_base = min_int32(max_filter_min_0 + level_1_s0_x_1 * 32 - 20, max_filter_min_0 + max_filter_extent_0) - 6;
    {
        const int32_t level_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t level_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = max_int32(min_int32(level_1_s0_xi + level_1_s0_x_base, source_extent_0 + source_min_0 - 1), source_min_0);
            const int32_t t2 = max_int32(source_min_2, min_int32(level_1_s0_c, source_extent_2 + source_min_2 - 1)) * source_stride_2;
            const int32_t t3 = level_1_s0_y_base + level_1_s0_yi;
            const int32_t t4 = source_extent_1 + source_min_1;
            const int32_t t5 = source_min_1 * source_stride_1;
            const int32_t t6 = source_min_2 * source_stride_2;
            level_1[(int64_t)level_1_s0_xi + (int64_t)max_filter_extent_0 * 26 + (int64_t)level_1_s0_yi * (int64_t)max_filter_extent_0 + (int64_t)level_1_s0_y_base * 52 + (int64_t)level_1_s0_x_base + (int64_t)level_1_s0_c * level_1_stride_2 + (int64_t)level_1_s0_y_base * (int64_t)max_filter_extent_0 + (int64_t)level_1_s0_yi * 52 - (int64_t)max_filter_min_2 * level_1_stride_2 - (int64_t)max_filter_min_0 - (int64_t)max_filter_min_1 * 52 - (int64_t)max_filter_min_1 * (int64_t)max_filter_extent_0 + 1378] = max_float32(source[t1 + t2 + max_int32(min_int32(t3, t4 - 1), source_min_1) * source_stride_1 - source_min_0 - t5 - t6], source[max_int32(min_int32(t3, t4 - 2) + 1, source_min_1) * source_stride_1 + t1 + t2 - source_min_0 - t5 - t6]);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void level_2_s0_x(const int64_t level_1_stride_2, const int64_t level_2_stride_2, const int32_t max_filter_extent_0, const int32_t max_filter_extent_1, const int32_t max_filter_min_0, const int32_t max_filter_min_1, const int32_t max_filter_min_2, __global const float *restrict level_1, __global float *restrict level_2) {
    const int32_t level_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t level_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t level_2_s0_c = max_filter_min_2 + (int32_t)get_group_id(2);
    const int32_t level_2_s0_y_base = min_int32(max_filter_min_1 + max_filter_extent_1, level_2_s0_y_1 * 8 + max_filter_min_1 - 41) + 15;
    const int32_t level_2_s0_x_base = min_int32(max_filter_min_0 + level_2_s0_x_1 * 32 - 20, max_filter_min_0 + max_filter_extent_0) - 6;
    {
        const int32_t level_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t level_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)level_2_s0_yi * (int64_t)max_filter_extent_0;
            const int64_t t2 = (int64_t)level_2_s0_y_base * 52;
            const int64_t t3 = (int64_t)level_2_s0_xi + (int64_t)max_filter_extent_0 * 26 + t1 + t2 + (int64_t)level_2_s0_x_base;
            const int64_t t4 = (int64_t)level_2_s0_c * level_1_stride_2;
            const int64_t t5 = (int64_t)level_2_s0_y_base * (int64_t)max_filter_extent_0;
            const int64_t t6 = (int64_t)level_2_s0_yi * 52;
            const int64_t t7 = (int64_t)max_filter_min_2 * level_1_stride_2;
            const int64_t t8 = (int64_t)max_filter_min_1 * 52;
            const int64_t t9 = (int64_t)max_filter_min_1 * (int64_t)max_filter_extent_0;
            level_2[t3 + (int64_t)level_2_s0_c * level_2_stride_2 + t5 + t6 - (int64_t)max_filter_min_2 * level_2_stride_2 - (int64_t)max_filter_min_0 - t8 - t9 + 1378] = max_float32(level_1[t3 + t4 + t5 + t6 - t7 - (int64_t)max_filter_min_0 - t8 - t9 + 1378], level_1[(int64_t)level_2_s0_xi + (int64_t)max_filter_extent_0 * 28 + t1 + t2 + (int64_t)level_2_s0_x_base + t4 + t5 + t6 - t7 - (int64_t)max_filter_min_0 - t8 - t9 + 1482]);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void level_3_s0_x(const int64_t level_2_stride_2, const int32_t level_3_min_0, const int64_t level_3_stride_1, const int64_t level_3_stride_2, const int32_t max_filter_extent_0, const int32_t max_filter_extent_1, const int32_t max_filter_min_0, const int32_t max_filter_min_1, const int32_t max_filter_min_2, __global float *restrict level_1, __global const float *restrict level_2) {
    const int32_t level_3_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t level_3_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t level_3_s0_c = max_filter_min_2 + (int32_t)get_group_id(2);
    const int32_t level_3_s0_y_base = min_int32(max_filter_min_1 + max_filter_extent_1, level_3_s0_y_1 * 8 + max_filter_min_1 - 37) + 11;
    const int32_t level_3_s0_x_base = min_int32(max_filter_min_0 + level_3_s0_x_1 * 32 - 20, max_filter_min_0 + max_filter_extent_0) - 6;
    {
        const int32_t level_3_s0_yi = (int32_t)get_local_id(1);
        const int32_t level_3_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)level_3_s0_yi * (int64_t)max_filter_extent_0;
            const int64_t t2 = (int64_t)level_3_s0_y_base * 52;
            const int64_t t3 = (int64_t)level_3_s0_c * level_2_stride_2;
            const int64_t t4 = (int64_t)level_3_s0_y_base * (int64_t)max_filter_extent_0;
            const int64_t t5 = (int64_t)level_3_s0_yi * 52;
            const int64_t t6 = (int64_t)max_filter_min_2 * level_2_stride_2;
            const int64_t t7 = (int64_t)max_filter_min_1 * 52;
            const int64_t t8 = (int64_t)max_filter_min_1 * (int64_t)max_filter_extent_0;
            level_1[(int64_t)level_3_s0_xi + (int64_t)level_3_s0_yi * level_3_stride_1 + (int64_t)level_3_s0_y_base * level_3_stride_1 + (int64_t)level_3_s0_x_base + (int64_t)level_3_s0_c * level_3_stride_2 + level_3_stride_1 * 26 - (int64_t)max_filter_min_1 * level_3_stride_1 - (int64_t)max_filter_min_2 * level_3_stride_2 - (int64_t)level_3_min_0] = max_float32(level_2[(int64_t)level_3_s0_xi + (int64_t)max_filter_extent_0 * 26 + t1 + t2 + (int64_t)level_3_s0_x_base + t3 + t4 + t5 - t6 - (int64_t)max_filter_min_0 - t7 - t8 + 1378], level_2[(int64_t)level_3_s0_xi + (int64_t)max_filter_extent_0 * 30 + t1 + t2 + (int64_t)level_3_s0_x_base + t3 + t4 + t5 - t6 - (int64_t)max_filter_min_0 - t7 - t8 + 1586]);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void level_4_s0_x(const int32_t level_3_min_0, const int64_t level_3_stride_1, const int64_t level_3_stride_2, const int32_t level_4_min_0, const int64_t level_4_stride_1, const int64_t level_4_stride_2, const int32_t max_filter_extent_0, const int32_t max_filter_extent_1, const int32_t max_filter_min_0, const int32_t max_filter_min_1, const int32_t max_filter_min_2, __global const float *restrict level_1, __global float *restrict level_2) {
    const int32_t level_4_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t level_4_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t level_4_s0_c = max_filter_min_2 + (int32_t)get_group_id(2);
    const int32_t level_4_s0_y_base = min_int32(max_filter_min_1 + max_filter_extent_1, level_4_s0_y_1 * 8 + max_filter_min_1 - 29) + 3;
    const int32_t level_4_s0_x_base = min_int32(max_filter_min_0 + level_4_s0_x_1 * 32 - 18, max_filter_min_0 + max_filter_extent_0) - 7;
    {
        const int32_t level_4_s0_yi = (int32_t)get_local_id(1);
        const int32_t level_4_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)level_4_s0_xi + (int64_t)level_4_s0_yi * level_3_stride_1 + (int64_t)level_4_s0_y_base * level_3_stride_1 + (int64_t)level_4_s0_x_base + (int64_t)level_4_s0_c * level_3_stride_2;
            const int64_t t2 = (int64_t)max_filter_min_1 * level_3_stride_1;
            const int64_t t3 = (int64_t)max_filter_min_2 * level_3_stride_2;
            level_2[(int64_t)level_4_s0_xi + (int64_t)level_4_s0_yi * level_4_stride_1 + (int64_t)level_4_s0_y_base * level_4_stride_1 + (int64_t)level_4_s0_x_base + (int64_t)level_4_s0_c * level_4_stride_2 + level_4_stride_1 * 26 - (int64_t)max_filter_min_1 * level_4_stride_1 - (int64_t)max_filter_min_2 * level_4_stride_2 - (int64_t)level_4_min_0] = max_float32(level_1[t1 + level_3_stride_1 * 26 - t2 - t3 - (int64_t)level_3_min_0], level_1[t1 + level_3_stride_1 * 34 - t2 - t3 - (int64_t)level_3_min_0]);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void level_5_s0_x(const int32_t level_4_min_0, const int64_t level_4_stride_1, const int64_t level_4_stride_2, const int32_t level_5_min_0, const int32_t level_5_min_1, const int64_t level_5_stride_1, const int64_t level_5_stride_2, const int32_t max_filter_extent_0, const int32_t max_filter_extent_1, const int32_t max_filter_min_0, const int32_t max_filter_min_1, const int32_t max_filter_min_2, __global const float *restrict level_2, __global float *restrict level_5) {
    const int32_t level_5_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t level_5_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t level_5_s0_c = max_filter_min_2 + (int32_t)get_group_id(2);
    const int32_t level_5_s0_y_base = min_int32(max_filter_min_1 + max_filter_extent_1, level_5_s0_y_1 * 8 + max_filter_min_1 - 13) - 13;
    const int32_t level_5_s0_x_base = min_int32(max_filter_min_0 + level_5_s0_x_1 * 32 - 10, max_filter_min_0 + max_filter_extent_0) - 11;
    {
        const int32_t level_5_s0_yi = (int32_t)get_local_id(1);
        const int32_t level_5_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)level_5_s0_xi + (int64_t)level_5_s0_yi * level_4_stride_1 + (int64_t)level_5_s0_y_base * level_4_stride_1 + (int64_t)level_5_s0_x_base + (int64_t)level_5_s0_c * level_4_stride_2;
            const int64_t t2 = (int64_t)max_filter_min_1 * level_4_stride_1;
            const int64_t t3 = (int64_t)max_filter_min_2 * level_4_stride_2;
            level_5[(int64_t)level_5_s0_xi + (int64_t)level_5_s0_yi * level_5_stride_1 + (int64_t)level_5_s0_y_base * level_5_stride_1 + (int64_t)level_5_s0_x_base + (int64_t)level_5_s0_c * level_5_stride_2 - (int64_t)max_filter_min_2 * level_5_stride_2 - (int64_t)level_5_min_0 - (int64_t)level_5_min_1 * level_5_stride_1] = max_float32(level_2[t1 + level_4_stride_1 * 26 - t2 - t3 - (int64_t)level_4_min_0], level_2[t1 + level_4_stride_1 * 42 - t2 - t3 - (int64_t)level_4_min_0]);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void max_filter_s0_x(const int32_t level_3_min_0, const int64_t level_3_stride_1, const int64_t level_3_stride_2, const int32_t level_4_min_0, const int64_t level_4_stride_1, const int64_t level_4_stride_2, const int32_t level_5_min_0, const int32_t level_5_min_1, const int64_t level_5_stride_1, const int64_t level_5_stride_2, const int32_t max_filter_extent_0, const int32_t max_filter_extent_1, const int32_t max_filter_min_0, const int32_t max_filter_min_1, const int32_t max_filter_min_2, const int32_t max_filter_stride_1, const int32_t max_filter_stride_2, __global const float *restrict level_1, __global const float *restrict level_2, __global const float *restrict level_5, __global float *restrict max_filter) {
    const int32_t max_filter_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t max_filter_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t max_filter_s0_c = max_filter_min_2 + (int32_t)get_group_id(2);
    const int32_t max_filter_s0_y_base = min_int32(max_filter_min_1 + max_filter_extent_1 - 8, max_filter_min_1 + max_filter_s0_y_1 * 8);
    const int32_t max_filter_s0_x_base = min_int32(max_filter_min_0 + max_filter_s0_x_1 * 32, max_filter_min_0 + max_filter_extent_0 - 32);
    {
        const int32_t max_filter_s0_yi = (int32_t)get_local_id(1);
        const int32_t max_filter_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)max_filter_s0_x_base + (int64_t)max_filter_s0_xi;
            const int64_t t2 = (int64_t)max_filter_s0_c * level_3_stride_2;
            const int64_t t3 = (int64_t)max_filter_s0_y_base * level_3_stride_1;
            const int64_t t4 = (int64_t)max_filter_s0_yi * level_3_stride_1;
            const int64_t t5 = (int64_t)max_filter_min_1 * level_3_stride_1;
            const int64_t t6 = (int64_t)max_filter_min_2 * level_3_stride_2;
            const int64_t t7 = t1 + level_3_stride_1 * 21 + t2 + t3 + t4 - t5 - t6 - (int64_t)level_3_min_0;
            const int64_t t8 = t1 + level_3_stride_1 * 24 + t2 + t3 + t4 - t5 - t6 - (int64_t)level_3_min_0;
            const int64_t t9 = (int64_t)max_filter_s0_c * level_4_stride_2;
            const int64_t t10 = (int64_t)max_filter_s0_y_base * level_4_stride_1;
            const int64_t t11 = (int64_t)max_filter_s0_yi * level_4_stride_1;
            const int64_t t12 = (int64_t)max_filter_min_1 * level_4_stride_1;
            const int64_t t13 = (int64_t)max_filter_min_2 * level_4_stride_2;
            const int64_t t14 = t1 + level_4_stride_1 * 18 + t9 + t10 + t11 - t12 - t13 - (int64_t)level_4_min_0;
            const int64_t t15 = t1 + level_4_stride_1 * 19 + t9 + t10 + t11 - t12 - t13 - (int64_t)level_4_min_0;
            const int64_t t16 = t1 + level_4_stride_1 * 15 + t9 + t10 + t11 - t12 - t13 - (int64_t)level_4_min_0;
            const int64_t t17 = t1 + level_4_stride_1 * 22 + t9 + t10 + t11 - t12 - t13 - (int64_t)level_4_min_0;
            const int64_t t18 = t1 + level_4_stride_1 * 13 + t9 + t10 + t11 - t12 - t13 - (int64_t)level_4_min_0;
            const int64_t t19 = t1 + level_4_stride_1 * 24 + t9 + t10 + t11 - t12 - t13 - (int64_t)level_4_min_0;
            const int64_t t20 = t1 + level_4_stride_1 * 12 + t9 + t10 + t11 - t12 - t13 - (int64_t)level_4_min_0;
            const int64_t t21 = t1 + level_4_stride_1 * 25 + t9 + t10 + t11 - t12 - t13 - (int64_t)level_4_min_0;
            const int64_t t22 = t1 + (int64_t)max_filter_s0_c * level_5_stride_2 + (int64_t)max_filter_s0_y_base * level_5_stride_1 + (int64_t)max_filter_s0_yi * level_5_stride_1 - (int64_t)max_filter_min_2 * level_5_stride_2 - (int64_t)level_5_min_0;
            const int64_t t23 = (int64_t)level_5_min_1 * level_5_stride_1;
            const int64_t t24 = t22 - level_5_stride_1 * 16 - t23;
            const int64_t t25 = t22 - level_5_stride_1 * 15 - t23;
            const int64_t t26 = t22 - level_5_stride_1 * 17 - t23;
            const int64_t t27 = t22 - level_5_stride_1 * 14 - t23;
            const int64_t t28 = t22 - level_5_stride_1 * 18 - t23;
            const int64_t t29 = t22 - level_5_stride_1 * 13 - t23;
            const int64_t t30 = t22 - level_5_stride_1 * 19 - t23;
            const int64_t t31 = t22 - level_5_stride_1 * 12 - t23;
            const int64_t t32 = t22 - level_5_stride_1 * 20 - t23;
            const int64_t t33 = t22 - level_5_stride_1 * 11 - t23;
            const int64_t t34 = t22 - level_5_stride_1 * 21 - t23;
            const int64_t t35 = t22 - level_5_stride_1 * 10 - t23;
            const int64_t t36 = t22 - level_5_stride_1 * 22 - t23;
            const int64_t t37 = t22 - level_5_stride_1 * 9 - t23;
            const int64_t t38 = t22 - level_5_stride_1 * 23 - t23;
            const int64_t t39 = t22 - level_5_stride_1 * 8 - t23;
            const int64_t t40 = t22 - level_5_stride_1 * 24 - t23;
            const int64_t t41 = t22 - level_5_stride_1 * 7 - t23;
            const int64_t t42 = t22 - level_5_stride_1 * 25 - t23;
            const int64_t t43 = t22 - level_5_stride_1 * 6 - t23;
            const int64_t t44 = t22 - level_5_stride_1 * 26 - t23;
            const int64_t t45 = t22 - level_5_stride_1 * 5 - t23;
            max_filter[max_filter_s0_c * max_filter_stride_2 + max_filter_s0_y_base * max_filter_stride_1 + max_filter_s0_yi * max_filter_stride_1 + max_filter_s0_x_base + max_filter_s0_xi - max_filter_min_0 - max_filter_min_1 * max_filter_stride_1 - max_filter_min_2 * max_filter_stride_2] = max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(max_float32(level_1[t7 - 26], level_1[t8 - 26]), max_float32(level_2[t14 - 25], level_2[t15 - 25])), max_float32(level_2[t16 - 24], level_2[t17 - 24])), max_float32(level_2[t18 - 23], level_2[t19 - 23])), max_float32(level_2[t20 - 22], level_2[t21 - 22])), max_float32(level_5[t24 - 21], level_5[t25 - 21])), max_float32(level_5[t26 - 20], level_5[t27 - 20])), max_float32(level_5[t28 - 19], level_5[t29 - 19])), max_float32(level_5[t30 - 18], level_5[t31 - 18])), max_float32(level_5[t32 - 17], level_5[t33 - 17])), max_float32(level_5[t34 - 16], level_5[t35 - 16])), max_float32(level_5[t34 - 15], level_5[t35 - 15])), max_float32(level_5[t36 - 14], level_5[t37 - 14])), max_float32(level_5[t38 - 13], level_5[t39 - 13])), max_float32(level_5[t38 - 12], level_5[t39 - 12])), max_float32(level_5[t40 - 11], level_5[t41 - 11])), max_float32(level_5[t40 - 10], level_5[t41 - 10])), max_float32(level_5[t40 - 9], level_5[t41 - 9])), max_float32(level_5[t42 - 8], level_5[t43 - 8])), max_float32(level_5[t42 - 7], level_5[t43 - 7])), max_float32(level_5[t42 - 6], level_5[t43 - 6])), max_float32(level_5[t44 - 5], level_5[t45 - 5])), max_float32(level_5[t44 - 4], level_5[t45 - 4])), max_float32(level_5[t44 - 3], level_5[t45 - 3])), max_float32(level_5[t44 - 2], level_5[t45 - 2])), max_float32(level_5[t44 - 1], level_5[t45 - 1])), max_float32(level_5[t44], level_5[t45])), max_float32(level_5[t44 + 1], level_5[t45 + 1])), max_float32(level_5[t44 + 2], level_5[t45 + 2])), max_float32(level_5[t44 + 3], level_5[t45 + 3])), max_float32(level_5[t44 + 4], level_5[t45 + 4])), max_float32(level_5[t44 + 5], level_5[t45 + 5])), max_float32(level_5[t42 + 6], level_5[t43 + 6])), max_float32(level_5[t42 + 7], level_5[t43 + 7])), max_float32(level_5[t42 + 8], level_5[t43 + 8])), max_float32(level_5[t40 + 9], level_5[t41 + 9])), max_float32(level_5[t40 + 10], level_5[t41 + 10])), max_float32(level_5[t40 + 11], level_5[t41 + 11])), max_float32(level_5[t38 + 12], level_5[t39 + 12])), max_float32(level_5[t38 + 13], level_5[t39 + 13])), max_float32(level_5[t36 + 14], level_5[t37 + 14])), max_float32(level_5[t34 + 15], level_5[t35 + 15])), max_float32(level_5[t34 + 16], level_5[t35 + 16])), max_float32(level_5[t32 + 17], level_5[t33 + 17])), max_float32(level_5[t30 + 18], level_5[t31 + 18])), max_float32(level_5[t28 + 19], level_5[t29 + 19])), max_float32(level_5[t26 + 20], level_5[t27 + 20])), max_float32(level_5[t24 + 21], level_5[t25 + 21])), max_float32(level_2[t20 + 22], level_2[t21 + 22])), max_float32(level_2[t18 + 23], level_2[t19 + 23])), max_float32(level_2[t16 + 24], level_2[t17 + 24])), max_float32(level_2[t14 + 25], level_2[t15 + 25])), max_float32(level_1[t7 + 26], level_1[t8 + 26]));
        }
    }
}
