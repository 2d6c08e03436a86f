typedef int int32_t;
typedef long int64_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void smaller_1_s0_x(const int32_t smaller_1_min_0, const int32_t smaller_1_min_1, const int32_t smaller_1_s0_x_max, const int32_t smaller_1_s0_x_min, const int32_t smaller_1_s0_y_max, const int32_t smaller_1_s0_y_min, const int64_t smaller_1_stride_1, const int64_t smaller_1_stride_2, const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_extent_2, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global float *restrict smaller_1, __global const float *restrict source) {
    const int32_t smaller_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t smaller_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t smaller_1_s0_c = (int32_t)get_group_id(2);
    const int32_t smaller_1_s0_y_base = min_int32(smaller_1_s0_y_min + smaller_1_s0_y_1 * 8, smaller_1_s0_y_max - 7);
    const int32_t smaller_1_s0_x_base = min_int32(smaller_1_s0_x_max - 31, smaller_1_s0_x_1 * 32 + smaller_1_s0_x_min);
    {
        const int32_t smaller_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t smaller_1_s0_xi = (int32_t)get_local_id(0);
        {
            const bool t1 = smaller_1_s0_c < 3;
            const int32_t t2 = source_extent_2 + source_min_2 - 1;
            const int32_t t3 = max_int32(min_int32(t2, smaller_1_s0_c), source_min_2) * source_stride_2;
            const int32_t t4 = smaller_1_s0_yi * 2 + smaller_1_s0_y_base * 2;
            const int32_t t5 = source_extent_1 + source_min_1;
            const int32_t t6 = max_int32(source_min_1 + 1, min_int32(t4, t5)) * source_stride_1;
            const int32_t t7 = source_extent_0 + source_min_0;
            const int32_t t8 = smaller_1_s0_x_base * 2 + smaller_1_s0_xi * 2;
            const int32_t t9 = max_int32(min_int32(t7, t8), source_min_0 + 1);
            const int32_t t10 = source_min_2 * source_stride_2;
            const int32_t t11 = source_min_1 * source_stride_1;
            const int32_t t12 = max_int32(min_int32(t2, 3), source_min_2) * source_stride_2;
            const float t13 = source[t12 + t6 + t9 - source_min_0 - t10 - t11 - source_stride_1 - 1];
            const int32_t t14 = max_int32(source_min_1, min_int32(t4, t5 - 1)) * source_stride_1;
            const int32_t t15 = t14 + t3;
            const int32_t t16 = t14 + t12;
            const float t17 = source[t16 + t9 - source_min_0 - t10 - t11 - 1];
            const int32_t t18 = max_int32(source_min_1, min_int32(t4, t5 - 2) + 1) * source_stride_1;
            const int32_t t19 = t18 + t3;
            const int32_t t20 = t18 + t12;
            const float t21 = source[t20 + t9 - source_min_0 - t10 - t11 - 1];
            const int32_t t22 = max_int32(min_int32(t7 - 1, t8), source_min_0);
            const float t23 = source[t12 + t22 + t6 - source_min_0 - t10 - t11 - source_stride_1];
            const float t24 = source[t16 + t22 - source_min_0 - t10 - t11];
            const float t25 = source[t20 + t22 - source_min_0 - t10 - t11];
            const int32_t t26 = max_int32(min_int32(t7 - 2, t8) + 1, source_min_0);
            const float t27 = source[t26 + t12 + t6 - source_min_0 - t10 - t11 - source_stride_1];
            const int32_t t28 = t14 + t26;
            const float t29 = source[t28 + t12 - source_min_0 - t10 - t11];
            const int32_t t30 = t18 + t26;
            const float t31 = source[t30 + t12 - source_min_0 - t10 - t11];
            smaller_1[(int64_t)smaller_1_s0_x_base + (int64_t)smaller_1_s0_xi + (int64_t)smaller_1_s0_yi * smaller_1_stride_1 + (int64_t)smaller_1_s0_c * smaller_1_stride_2 + (int64_t)smaller_1_s0_y_base * smaller_1_stride_1 - (int64_t)smaller_1_min_1 * smaller_1_stride_1 - (int64_t)smaller_1_min_0] = (((t1 ? source[t3 + t6 + t9 - source_min_0 - t10 - t11 - source_stride_1 - 1] * t13 : t13) + 2.0f * (t1 ? source[t15 + t9 - source_min_0 - t10 - t11 - 1] * t17 : t17) + (t1 ? source[t19 + t9 - source_min_0 - t10 - t11 - 1] * t21 : t21)) / 4.0f + 2.0f * (((t1 ? source[t3 + t22 + t6 - source_min_0 - t10 - t11 - source_stride_1] * t23 : t23) + 2.0f * (t1 ? source[t15 + t22 - source_min_0 - t10 - t11] * t24 : t24) + (t1 ? source[t19 + t22 - source_min_0 - t10 - t11] * t25 : t25)) / 4.0f) + ((t1 ? source[t26 + t3 + t6 - source_min_0 - t10 - t11 - source_stride_1] * t27 : t27) + 2.0f * (t1 ? source[t28 + t3 - source_min_0 - t10 - t11] * t29 : t29) + (t1 ? source[t30 + t3 - source_min_0 - t10 - t11] * t31 : t31)) / 4.0f) / 4.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void smaller_2_s0_x(const int32_t smaller_1_min_0, const int32_t smaller_1_min_1, const int64_t smaller_1_stride_1, const int64_t smaller_1_stride_2, const int32_t smaller_2_min_0, const int32_t smaller_2_min_1, const int32_t smaller_2_s0_x_max, const int32_t smaller_2_s0_x_min, const int32_t smaller_2_s0_y_max, const int32_t smaller_2_s0_y_min, const int64_t smaller_2_stride_1, const int64_t smaller_2_stride_2, __global const float *restrict smaller_1, __global float *restrict smaller_2) {
    const int32_t smaller_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t smaller_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t smaller_2_s0_c = (int32_t)get_group_id(2);
    const int32_t smaller_2_s0_y_base = min_int32(smaller_2_s0_y_max - 7, smaller_2_s0_y_1 * 8 + smaller_2_s0_y_min);
    const int32_t smaller_2_s0_x_base = min_int32(smaller_2_s0_x_max - 31, smaller_2_s0_x_min + smaller_2_s0_x_1 * 32);
    {
        const int32_t smaller_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t smaller_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)smaller_2_s0_c * smaller_1_stride_2;
            const int64_t t2 = (int64_t)smaller_2_s0_xi * 2;
            const int64_t t3 = (int64_t)smaller_2_s0_y_base * smaller_1_stride_1 * 2;
            const int64_t t4 = (int64_t)smaller_2_s0_x_base * 2;
            const int64_t t5 = (int64_t)smaller_2_s0_yi * smaller_1_stride_1 * 2;
            const int64_t t6 = t1 + t2 + t3 + t4 + t5;
            const int64_t t7 = (int64_t)smaller_1_min_1 * smaller_1_stride_1;
            const int64_t t8 = t6 - smaller_1_stride_1 - t7 - (int64_t)smaller_1_min_0;
            const int64_t t9 = t6 - t7 - (int64_t)smaller_1_min_0;
            const int64_t t10 = smaller_1_stride_1 + t1 + t2 + t3 + t4 + t5 - t7 - (int64_t)smaller_1_min_0;
            smaller_2[(int64_t)smaller_2_s0_xi + (int64_t)smaller_2_s0_yi * smaller_2_stride_1 + (int64_t)smaller_2_s0_c * smaller_2_stride_2 + (int64_t)smaller_2_s0_y_base * smaller_2_stride_1 + (int64_t)smaller_2_s0_x_base - (int64_t)smaller_2_min_1 * smaller_2_stride_1 - (int64_t)smaller_2_min_0] = ((smaller_1[t8 - 1] + 2.0f * smaller_1[t9 - 1] + smaller_1[t10 - 1]) / 4.0f + 2.0f * ((smaller_1[t8] + 2.0f * smaller_1[t9] + smaller_1[t10]) / 4.0f) + (smaller_1[t8 + 1] + 2.0f * smaller_1[t9 + 1] + smaller_1[t10 + 1]) / 4.0f) / 4.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void smaller_3_s0_x(const int32_t smaller_2_min_0, const int32_t smaller_2_min_1, const int64_t smaller_2_stride_1, const int64_t smaller_2_stride_2, const int32_t smaller_3_min_0, const int32_t smaller_3_min_1, const int32_t smaller_3_s0_x_max, const int32_t smaller_3_s0_x_min, const int32_t smaller_3_s0_y_max, const int32_t smaller_3_s0_y_min, const int64_t smaller_3_stride_1, const int64_t smaller_3_stride_2, __global const float *restrict smaller_2, __global float *restrict smaller_3) {
    const int32_t smaller_3_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t smaller_3_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t smaller_3_s0_c = (int32_t)get_group_id(2);
    const int32_t smaller_3_s0_y_base = min_int32(smaller_3_s0_y_1 * 8 + smaller_3_s0_y_min, smaller_3_s0_y_max - 7);
    const int32_t smaller_3_s0_x_base = min_int32(smaller_3_s0_x_max - 31, smaller_3_s0_x_min + smaller_3_s0_x_1 * 32);
    {
        const int32_t smaller_3_s0_yi = (int32_t)get_local_id(1);
        const int32_t smaller_3_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)smaller_3_s0_c * smaller_2_stride_2 + (int64_t)smaller_3_s0_xi * 2;
            const int64_t t2 = (int64_t)smaller_3_s0_y_base * smaller_2_stride_1 * 2;
            const int64_t t3 = (int64_t)smaller_3_s0_yi * smaller_2_stride_1 * 2;
            const int64_t t4 = (int64_t)smaller_3_s0_x_base * 2;
            const int64_t t5 = t1 + t2 + t3 + t4;
            const int64_t t6 = (int64_t)smaller_2_min_1 * smaller_2_stride_1;
            const int64_t t7 = t5 - smaller_2_stride_1 - t6 - (int64_t)smaller_2_min_0;
            const int64_t t8 = t5 - t6 - (int64_t)smaller_2_min_0;
            const int64_t t9 = t1 + smaller_2_stride_1 + t2 + t3 + t4 - t6 - (int64_t)smaller_2_min_0;
            smaller_3[(int64_t)smaller_3_s0_xi + (int64_t)smaller_3_s0_y_base * smaller_3_stride_1 + (int64_t)smaller_3_s0_c * smaller_3_stride_2 + (int64_t)smaller_3_s0_yi * smaller_3_stride_1 + (int64_t)smaller_3_s0_x_base - (int64_t)smaller_3_min_1 * smaller_3_stride_1 - (int64_t)smaller_3_min_0] = ((smaller_2[t7 - 1] + 2.0f * smaller_2[t8 - 1] + smaller_2[t9 - 1]) / 4.0f + 2.0f * ((smaller_2[t7] + 2.0f * smaller_2[t8] + smaller_2[t9]) / 4.0f) + (smaller_2[t7 + 1] + 2.0f * smaller_2[t8 + 1] + smaller_2[t9 + 1]) / 4.0f) / 4.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void smaller_4_s0_x(const int32_t smaller_3_min_0, const int32_t smaller_3_min_1, const int64_t smaller_3_stride_1, const int64_t smaller_3_stride_2, const int32_t smaller_4_min_0, const int32_t smaller_4_min_1, const int32_t smaller_4_s0_x_max, const int32_t smaller_4_s0_x_min, const int32_t smaller_4_s0_y_max, const int32_t smaller_4_s0_y_min, const int64_t smaller_4_stride_1, const int64_t smaller_4_stride_2, const int32_t source_extent_0, const int32_t source_extent_1, __global const float *restrict smaller_3, __global float *restrict smaller_4) {
    const int32_t smaller_4_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t smaller_4_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t smaller_4_s0_c = (int32_t)get_group_id(2);
    const int32_t smaller_4_s0_y_base = min_int32(smaller_4_s0_y_min + smaller_4_s0_y_1 * 8, smaller_4_s0_y_max - 7);
    const int32_t smaller_4_s0_x_base = min_int32(smaller_4_s0_x_1 * 32 + smaller_4_s0_x_min, smaller_4_s0_x_max - 31);
    {
        const int32_t smaller_4_s0_yi = (int32_t)get_local_id(1);
        const int32_t smaller_4_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = smaller_4_s0_x_base * 2 + smaller_4_s0_xi * 2;
            const int32_t t2 = (int32_t)((source_extent_0 + 7) >> 3);
            const int64_t t3 = (int64_t)max_int32(min_int32(t1, t2) - 1, 0);
            const int64_t t4 = (int64_t)smaller_4_s0_c * smaller_3_stride_2;
            const int32_t t5 = (int32_t)((source_extent_1 + 7) >> 3);
            const int32_t t6 = smaller_4_s0_y_base * 2 + smaller_4_s0_yi * 2;
            const int64_t t7 = (int64_t)max_int32(min_int32(t5, t6) - 1, 0) * smaller_3_stride_1;
            const int64_t t8 = (int64_t)smaller_3_min_1 * smaller_3_stride_1;
            const int64_t t9 = (int64_t)max_int32(min_int32(t5 - 1, t6), 0) * smaller_3_stride_1;
            const int64_t t10 = (int64_t)max_int32(min_int32(t5 - 2, t6) + 1, 0) * smaller_3_stride_1;
            const int64_t t11 = (int64_t)max_int32(min_int32(t1, t2 - 1), 0);
            const int64_t t12 = t9 + t4;
            const int64_t t13 = t10 + t4;
            const int64_t t14 = (int64_t)max_int32(min_int32(t1, t2 - 2) + 1, 0);
            smaller_4[(int64_t)smaller_4_s0_y_base * smaller_4_stride_1 + (int64_t)smaller_4_s0_c * smaller_4_stride_2 + (int64_t)smaller_4_s0_xi + (int64_t)smaller_4_s0_x_base + (int64_t)smaller_4_s0_yi * smaller_4_stride_1 - (int64_t)smaller_4_min_0 - (int64_t)smaller_4_min_1 * smaller_4_stride_1] = ((smaller_3[t3 + t4 + t7 - t8 - (int64_t)smaller_3_min_0] + 2.0f * smaller_3[t9 + t3 + t4 - t8 - (int64_t)smaller_3_min_0] + smaller_3[t10 + t3 + t4 - t8 - (int64_t)smaller_3_min_0]) / 4.0f + 2.0f * ((smaller_3[t4 + t11 + t7 - t8 - (int64_t)smaller_3_min_0] + 2.0f * smaller_3[t12 + t11 - t8 - (int64_t)smaller_3_min_0] + smaller_3[t13 + t11 - t8 - (int64_t)smaller_3_min_0]) / 4.0f) + (smaller_3[t4 + t14 + t7 - t8 - (int64_t)smaller_3_min_0] + 2.0f * smaller_3[t12 + t14 - t8 - (int64_t)smaller_3_min_0] + smaller_3[t13 + t14 - t8 - (int64_t)smaller_3_min_0]) / 4.0f) / 4.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void filled_3_s0_x(const int32_t filled_3_min_0, const int32_t filled_3_min_1, const int32_t filled_3_s0_x_max, const int32_t filled_3_s0_x_min, const int32_t filled_3_s0_y_max, const int32_t filled_3_s0_y_min, const int64_t filled_3_stride_1, const int64_t filled_3_stride_2, const int32_t smaller_3_min_0, const int32_t smaller_3_min_1, const int64_t smaller_3_stride_1, const int64_t smaller_3_stride_2, const int32_t smaller_4_min_0, const int32_t smaller_4_min_1, const int64_t smaller_4_stride_1, const int64_t smaller_4_stride_2, __global float *restrict filled_3, __global const float *restrict smaller_3, __global const float *restrict smaller_4) {
    const int32_t filled_3_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t filled_3_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t filled_3_s0_c = (int32_t)get_group_id(2);
    const int32_t filled_3_s0_y_base = min_int32(filled_3_s0_y_min + filled_3_s0_y_1 * 8, filled_3_s0_y_max - 7);
    const int32_t filled_3_s0_x_base = min_int32(filled_3_s0_x_min + filled_3_s0_x_1 * 32, filled_3_s0_x_max - 31);
    {
        const int32_t filled_3_s0_yi = (int32_t)get_local_id(1);
        const int32_t filled_3_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)filled_3_s0_yi * smaller_3_stride_1;
            const int64_t t2 = (int64_t)filled_3_s0_y_base * smaller_3_stride_1;
            const int64_t t3 = (int64_t)smaller_3_min_1 * smaller_3_stride_1;
            const int32_t t4 = filled_3_s0_x_base + filled_3_s0_xi;
            const int64_t t5 = (int64_t)filled_3_s0_c * smaller_4_stride_2;
            const int64_t t6 = (int64_t)(int32_t)(t4 >> 1) + t5;
            const int32_t t7 = filled_3_s0_y_base + filled_3_s0_yi;
            const int64_t t8 = (int64_t)(int32_t)(t7 >> 1) * smaller_4_stride_1;
            const int64_t t9 = (int64_t)smaller_4_min_1 * smaller_4_stride_1;
            const int64_t t10 = (int64_t)(int32_t)((t7 + 1) >> 1) * smaller_4_stride_1;
            const int64_t t11 = (int64_t)(int32_t)((t4 + 1) >> 1) + t5;
            filled_3[(int64_t)filled_3_s0_yi * filled_3_stride_1 + (int64_t)filled_3_s0_c * filled_3_stride_2 + (int64_t)filled_3_s0_x_base + (int64_t)filled_3_s0_y_base * filled_3_stride_1 + (int64_t)filled_3_s0_xi - (int64_t)filled_3_min_1 * filled_3_stride_1 - (int64_t)filled_3_min_0] = smaller_3[(int64_t)filled_3_s0_c * smaller_3_stride_2 + (int64_t)filled_3_s0_x_base + t1 + (int64_t)filled_3_s0_xi + t2 - t3 - (int64_t)smaller_3_min_0] + (1.0f - smaller_3[(int64_t)filled_3_s0_x_base + t1 + (int64_t)filled_3_s0_xi + smaller_3_stride_2 * 3 + t2 - t3 - (int64_t)smaller_3_min_0]) * (((smaller_4[t6 + t8 - (int64_t)smaller_4_min_0 - t9] + smaller_4[t6 + t10 - (int64_t)smaller_4_min_0 - t9]) / 2.0f + (smaller_4[t11 + t8 - (int64_t)smaller_4_min_0 - t9] + smaller_4[t11 + t10 - (int64_t)smaller_4_min_0 - t9]) / 2.0f) / 2.0f);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void filled_2_s0_x(const int32_t filled_2_min_0, const int32_t filled_2_min_1, const int32_t filled_2_s0_x_max, const int32_t filled_2_s0_x_min, const int32_t filled_2_s0_y_max, const int32_t filled_2_s0_y_min, const int64_t filled_2_stride_1, const int64_t filled_2_stride_2, const int32_t filled_3_min_0, const int32_t filled_3_min_1, const int64_t filled_3_stride_1, const int64_t filled_3_stride_2, const int32_t smaller_2_min_0, const int32_t smaller_2_min_1, const int64_t smaller_2_stride_1, const int64_t smaller_2_stride_2, __global const float *restrict filled_3, __global const float *restrict smaller_2, __global float *restrict smaller_3) {
    const int32_t filled_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t filled_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t filled_2_s0_c = (int32_t)get_group_id(2);
    const int32_t filled_2_s0_y_base = min_int32(filled_2_s0_y_max - 7, filled_2_s0_y_1 * 8 + filled_2_s0_y_min);
    const int32_t filled_2_s0_x_base = min_int32(filled_2_s0_x_1 * 32 + filled_2_s0_x_min, filled_2_s0_x_max - 31);
    {
        const int32_t filled_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t filled_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)filled_2_s0_y_base * smaller_2_stride_1;
            const int64_t t2 = (int64_t)filled_2_s0_yi * smaller_2_stride_1;
            const int64_t t3 = (int64_t)smaller_2_min_1 * smaller_2_stride_1;
            const int32_t t4 = filled_2_s0_yi + filled_2_s0_y_base;
            const int64_t t5 = (int64_t)(int32_t)(t4 >> 1) * filled_3_stride_1;
            const int64_t t6 = (int64_t)filled_2_s0_c * filled_3_stride_2;
            const int32_t t7 = filled_2_s0_xi + filled_2_s0_x_base;
            const int64_t t8 = (int64_t)(int32_t)(t7 >> 1);
            const int64_t t9 = (int64_t)filled_3_min_1 * filled_3_stride_1;
            const int64_t t10 = (int64_t)(int32_t)((t4 + 1) >> 1) * filled_3_stride_1;
            const int64_t t11 = (int64_t)(int32_t)((t7 + 1) >> 1);
            smaller_3[(int64_t)filled_2_s0_xi + (int64_t)filled_2_s0_y_base * filled_2_stride_1 + (int64_t)filled_2_s0_c * filled_2_stride_2 + (int64_t)filled_2_s0_yi * filled_2_stride_1 + (int64_t)filled_2_s0_x_base - (int64_t)filled_2_min_0 - (int64_t)filled_2_min_1 * filled_2_stride_1] = smaller_2[t1 + (int64_t)filled_2_s0_xi + (int64_t)filled_2_s0_c * smaller_2_stride_2 + t2 + (int64_t)filled_2_s0_x_base - t3 - (int64_t)smaller_2_min_0] + (1.0f - smaller_2[t1 + smaller_2_stride_2 * 3 + (int64_t)filled_2_s0_xi + t2 + (int64_t)filled_2_s0_x_base - t3 - (int64_t)smaller_2_min_0]) * (((filled_3[t5 + t6 + t8 - t9 - (int64_t)filled_3_min_0] + filled_3[t6 + t8 + t10 - t9 - (int64_t)filled_3_min_0]) / 2.0f + (filled_3[t5 + t11 + t6 - t9 - (int64_t)filled_3_min_0] + filled_3[t11 + t6 + t10 - t9 - (int64_t)filled_3_min_0]) / 2.0f) / 2.0f);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void filled_1_s0_x(const int32_t filled_1_min_0, const int32_t filled_1_min_1, const int32_t filled_1_s0_x_max, const int32_t filled_1_s0_x_min, const int32_t filled_1_s0_y_max, const int32_t filled_1_s0_y_min, const int64_t filled_1_stride_1, const int64_t filled_1_stride_2, const int32_t filled_2_min_0, const int32_t filled_2_min_1, const int64_t filled_2_stride_1, const int64_t filled_2_stride_2, const int32_t smaller_1_min_0, const int32_t smaller_1_min_1, const int64_t smaller_1_stride_1, const int64_t smaller_1_stride_2, __global const float *restrict smaller_1, __global float *restrict smaller_2, __global const float *restrict smaller_3) {
    const int32_t filled_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t filled_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t filled_1_s0_c = (int32_t)get_group_id(2);
    const int32_t filled_1_s0_y_base = min_int32(filled_1_s0_y_max - 7, filled_1_s0_y_min + filled_1_s0_y_1 * 8);
    const int32_t filled_1_s0_x_base = min_int32(filled_1_s0_x_min + filled_1_s0_x_1 * 32, filled_1_s0_x_max - 31);
    {
        const int32_t filled_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t filled_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)filled_1_s0_y_base * smaller_1_stride_1 + (int64_t)filled_1_s0_x_base + (int64_t)filled_1_s0_yi * smaller_1_stride_1;
            const int64_t t2 = (int64_t)smaller_1_min_1 * smaller_1_stride_1;
            const int32_t t3 = filled_1_s0_x_base + filled_1_s0_xi;
            const int64_t t4 = (int64_t)filled_1_s0_c * filled_2_stride_2;
            const int64_t t5 = (int64_t)(int32_t)(t3 >> 1) + t4;
            const int32_t t6 = filled_1_s0_y_base + filled_1_s0_yi;
            const int64_t t7 = (int64_t)(int32_t)(t6 >> 1) * filled_2_stride_1;
            const int64_t t8 = (int64_t)filled_2_min_1 * filled_2_stride_1;
            const int64_t t9 = (int64_t)(int32_t)((t6 + 1) >> 1) * filled_2_stride_1;
            const int64_t t10 = t4 + (int64_t)(int32_t)((t3 + 1) >> 1);
            smaller_2[(int64_t)filled_1_s0_yi * filled_1_stride_1 + (int64_t)filled_1_s0_x_base + (int64_t)filled_1_s0_c * filled_1_stride_2 + (int64_t)filled_1_s0_y_base * filled_1_stride_1 + (int64_t)filled_1_s0_xi - (int64_t)filled_1_min_1 * filled_1_stride_1 - (int64_t)filled_1_min_0] = smaller_1[t1 + (int64_t)filled_1_s0_c * smaller_1_stride_2 + (int64_t)filled_1_s0_xi - t2 - (int64_t)smaller_1_min_0] + (1.0f - smaller_1[t1 + smaller_1_stride_2 * 3 + (int64_t)filled_1_s0_xi - t2 - (int64_t)smaller_1_min_0]) * (((smaller_3[t5 + t7 - (int64_t)filled_2_min_0 - t8] + smaller_3[t5 + t9 - (int64_t)filled_2_min_0 - t8]) / 2.0f + (smaller_3[t10 + t7 - (int64_t)filled_2_min_0 - t8] + smaller_3[t10 + t9 - (int64_t)filled_2_min_0 - t8]) / 2.0f) / 2.0f);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void interpolate_s0_x(const int32_t filled_1_min_0, const int32_t filled_1_min_1, const int64_t filled_1_stride_1, const int64_t filled_1_stride_2, const int32_t interpolate_extent_0, const int32_t interpolate_extent_1, const int32_t interpolate_min_0, const int32_t interpolate_min_1, const int32_t interpolate_min_2, const int32_t interpolate_stride_1, const int32_t interpolate_stride_2, const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_extent_2, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global float *restrict interpolate, __global const float *restrict smaller_2, __global const float *restrict source) {
    const int32_t interpolate_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t interpolate_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t interpolate_s0_y_base = min_int32(interpolate_extent_1 + interpolate_min_1 - 8, interpolate_s0_y_1 * 8 + interpolate_min_1);
    const int32_t interpolate_s0_x_base = min_int32(interpolate_extent_0 + interpolate_min_0 - 32, interpolate_min_0 + interpolate_s0_x_1 * 32);
    {
        const int32_t interpolate_s0_yi = (int32_t)get_local_id(1);
        const int32_t interpolate_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = interpolate_s0_xi + interpolate_s0_x_base;
            const int32_t t2 = max_int32(min_int32(source_extent_0 + source_min_0 - 1, t1), source_min_0);
            const int32_t t3 = source_extent_2 + source_min_2 - 1;
            const int32_t t4 = interpolate_s0_yi + interpolate_s0_y_base;
            const int32_t t5 = max_int32(source_min_1, min_int32(source_extent_1 + source_min_1 - 1, t4)) * source_stride_1;
            const int32_t t6 = source_min_2 * source_stride_2;
            const int32_t t7 = source_min_1 * source_stride_1;
            const float t8 = source[t2 + max_int32(min_int32(t3, 3), source_min_2) * source_stride_2 + t5 - source_min_0 - t6 - t7];
            const float t9 = 1.0f - t8;
            const int64_t t10 = (int64_t)(int32_t)(t4 >> 1) * filled_1_stride_1;
            const int64_t t11 = (int64_t)(int32_t)(t1 >> 1);
            const int64_t t12 = (int64_t)filled_1_min_1 * filled_1_stride_1;
            const int64_t t13 = (int64_t)(int32_t)((t4 + 1) >> 1) * filled_1_stride_1;
            const int64_t t14 = (int64_t)(int32_t)((t1 + 1) >> 1);
            const int64_t t15 = filled_1_stride_2 * 3;
            const int64_t t16 = t14 + t15;
            interpolate[interpolate_s0_x_base + interpolate_s0_y_base * interpolate_stride_1 + interpolate_s0_yi * interpolate_stride_1 + interpolate_s0_xi - interpolate_min_2 * interpolate_stride_2 - interpolate_min_1 * interpolate_stride_1 - interpolate_min_0] = (source[t2 + max_int32(min_int32(t3, 0), source_min_2) * source_stride_2 + t5 - source_min_0 - t6 - t7] * t8 + t9 * (((smaller_2[t10 + t11 - t12 - (int64_t)filled_1_min_0] + smaller_2[t11 + t13 - t12 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t14 + t10 - t12 - (int64_t)filled_1_min_0] + smaller_2[t14 + t13 - t12 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f)) / (t8 + t9 * (((smaller_2[t15 + t10 + t11 - t12 - (int64_t)filled_1_min_0] + smaller_2[t15 + t11 + t13 - t12 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t16 + t10 - t12 - (int64_t)filled_1_min_0] + smaller_2[t16 + t13 - t12 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f));
        }
        {
            const int32_t t17 = source_extent_2 + source_min_2 - 1;
            const int32_t t18 = interpolate_s0_xi + interpolate_s0_x_base;
            const int32_t t19 = max_int32(min_int32(source_extent_0 + source_min_0 - 1, t18), source_min_0);
            const int32_t t20 = interpolate_s0_yi + interpolate_s0_y_base;
            const int32_t t21 = max_int32(source_min_1, min_int32(source_extent_1 + source_min_1 - 1, t20)) * source_stride_1;
            const int32_t t22 = source_min_2 * source_stride_2;
            const int32_t t23 = source_min_1 * source_stride_1;
            const float t24 = source[t19 + max_int32(min_int32(t17, 3), source_min_2) * source_stride_2 + t21 - source_min_0 - t22 - t23];
            const float t25 = 1.0f - t24;
            const int64_t t26 = (int64_t)(int32_t)(t20 >> 1) * filled_1_stride_1;
            const int64_t t27 = (int64_t)(int32_t)(t18 >> 1);
            const int64_t t28 = (int64_t)filled_1_min_1 * filled_1_stride_1;
            const int64_t t29 = (int64_t)(int32_t)((t20 + 1) >> 1) * filled_1_stride_1;
            const int64_t t30 = (int64_t)(int32_t)((t18 + 1) >> 1);
            const int64_t t31 = t30 + filled_1_stride_2;
            const int64_t t32 = filled_1_stride_2 * 3;
            const int64_t t33 = t30 + t32;
            interpolate[interpolate_stride_2 + interpolate_s0_x_base + interpolate_s0_y_base * interpolate_stride_1 + interpolate_s0_yi * interpolate_stride_1 + interpolate_s0_xi - interpolate_min_2 * interpolate_stride_2 - interpolate_min_1 * interpolate_stride_1 - interpolate_min_0] = (source[max_int32(min_int32(t17, 1), source_min_2) * source_stride_2 + t19 + t21 - source_min_0 - t22 - t23] * t24 + t25 * (((smaller_2[filled_1_stride_2 + t26 + t27 - t28 - (int64_t)filled_1_min_0] + smaller_2[filled_1_stride_2 + t27 + t29 - t28 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t31 + t26 - t28 - (int64_t)filled_1_min_0] + smaller_2[t31 + t29 - t28 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f)) / (t24 + t25 * (((smaller_2[t32 + t26 + t27 - t28 - (int64_t)filled_1_min_0] + smaller_2[t32 + t27 + t29 - t28 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t33 + t26 - t28 - (int64_t)filled_1_min_0] + smaller_2[t33 + t29 - t28 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f));
        }
        {
            const int32_t t34 = interpolate_s0_xi + interpolate_s0_x_base;
            const int32_t t35 = max_int32(min_int32(source_extent_0 + source_min_0 - 1, t34), source_min_0);
            const int32_t t36 = source_extent_2 + source_min_2 - 1;
            const int32_t t37 = interpolate_s0_yi + interpolate_s0_y_base;
            const int32_t t38 = max_int32(source_min_1, min_int32(source_extent_1 + source_min_1 - 1, t37)) * source_stride_1;
            const int32_t t39 = source_min_2 * source_stride_2;
            const int32_t t40 = source_min_1 * source_stride_1;
            const float t41 = source[t35 + max_int32(min_int32(t36, 3), source_min_2) * source_stride_2 + t38 - source_min_0 - t39 - t40];
            const float t42 = 1.0f - t41;
            const int64_t t43 = filled_1_stride_2 * 2;
            const int64_t t44 = (int64_t)(int32_t)(t37 >> 1) * filled_1_stride_1;
            const int64_t t45 = (int64_t)(int32_t)(t34 >> 1);
            const int64_t t46 = (int64_t)filled_1_min_1 * filled_1_stride_1;
            const int64_t t47 = (int64_t)(int32_t)((t37 + 1) >> 1) * filled_1_stride_1;
            const int64_t t48 = (int64_t)(int32_t)((t34 + 1) >> 1);
            const int64_t t49 = t48 + t43;
            const int64_t t50 = filled_1_stride_2 * 3;
            const int64_t t51 = t48 + t50;
            interpolate[interpolate_stride_2 * 2 + interpolate_s0_x_base + interpolate_s0_y_base * interpolate_stride_1 + interpolate_s0_yi * interpolate_stride_1 + interpolate_s0_xi - interpolate_min_2 * interpolate_stride_2 - interpolate_min_1 * interpolate_stride_1 - interpolate_min_0] = (source[t35 + max_int32(source_min_2, min_int32(t36, 2)) * source_stride_2 + t38 - source_min_0 - t39 - t40] * t41 + t42 * (((smaller_2[t43 + t44 + t45 - t46 - (int64_t)filled_1_min_0] + smaller_2[t43 + t45 + t47 - t46 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t49 + t44 - t46 - (int64_t)filled_1_min_0] + smaller_2[t49 + t47 - t46 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f)) / (t41 + t42 * (((smaller_2[t50 + t44 + t45 - t46 - (int64_t)filled_1_min_0] + smaller_2[t50 + t45 + t47 - t46 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t51 + t44 - t46 - (int64_t)filled_1_min_0] + smaller_2[t51 + t47 - t46 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f));
        }
    }
}
