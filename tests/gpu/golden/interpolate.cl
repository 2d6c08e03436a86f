typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }
static inline int32_t div_int32(int32_t a, int32_t b) {
    /* The remainder is never negative; a quotient by 0 is 0. */
    if (b == 0) return 0;
    if (b == -1) return (int32_t)(0 - (uint32_t)a);
    int32_t q = (int32_t)(a / b);
    return (int32_t)(a % b < 0 ? (b > 0 ? q - 1 : q + 1) : q);
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void smaller_1_s0_x(const int32_t smaller_1_min_0, const int32_t smaller_1_min_1, const int32_t smaller_1_s0_x_max, const int32_t smaller_1_s0_x_min, const int32_t smaller_1_s0_y_max, const int32_t smaller_1_s0_y_min, const int64_t smaller_1_stride_1, const int64_t smaller_1_stride_2, const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_extent_2, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global float *restrict smaller_1, __global const float *restrict source) {
    const int32_t smaller_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t smaller_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t smaller_1_s0_c = (int32_t)get_group_id(2);
    const int32_t smaller_1_s0_y_base = min_int32(smaller_1_s0_y_min + smaller_1_s0_y_1 * 8, smaller_1_s0_y_max - 7);
    const int32_t smaller_1_s0_x_base = min_int32(smaller_1_s0_x_max, smaller_1_s0_x_1 * 32 + smaller_1_s0_x_min + 31) - 31;
    {
        const int32_t smaller_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t smaller_1_s0_xi = (int32_t)get_local_id(0);
        {
            const bool t1 = smaller_1_s0_c < 3;
            const int32_t t2 = smaller_1_s0_yi * 2 + smaller_1_s0_y_base * 2;
            const int32_t t3 = source_extent_1 + source_min_1;
            const int32_t t4 = max_int32(source_min_1, min_int32(t2, t3) - 1) * source_stride_1;
            const int32_t t5 = source_extent_0 + source_min_0;
            const int32_t t6 = smaller_1_s0_x_base * 2 + smaller_1_s0_xi * 2;
            const int32_t t7 = source_min_0 + 1;
            const int32_t t8 = max_int32(min_int32(t5, t6), t7);
            const int32_t t9 = source_extent_2 + source_min_2;
            const int32_t t10 = max_int32(min_int32(t9, smaller_1_s0_c + 1), source_min_2 + 1) * source_stride_2;
            const int32_t t11 = source_min_2 * source_stride_2;
            const int32_t t12 = source_min_1 * source_stride_1;
            const int32_t t13 = max_int32(min_int32(t9 - 1, 3), source_min_2) * source_stride_2;
            const int32_t t14 = t13 + t4;
            const float t15 = source[t14 + t8 - source_min_0 - t11 - t12 - 1];
            const int32_t t16 = max_int32(source_min_1, min_int32(t2, t3 - 1)) * source_stride_1;
            const int32_t t17 = t16 + t13;
            const float t18 = source[t17 + t8 - source_min_0 - t11 - t12 - 1];
            const int32_t t19 = max_int32(source_min_1, min_int32(t2, t3 - 2) + 1) * source_stride_1;
            const int32_t t20 = t19 + t13;
            const float t21 = source[t20 + t8 - source_min_0 - t11 - t12 - 1];
            const int32_t t22 = max_int32(min_int32(t5, t6 + 1), t7);
            const float t23 = source[t22 + t13 + t4 - source_min_0 - t11 - t12 - 1];
            const int32_t t24 = t16 + t22;
            const float t25 = source[t24 + t13 - source_min_0 - t11 - t12 - 1];
            const int32_t t26 = t19 + t22;
            const float t27 = source[t26 + t13 - source_min_0 - t11 - t12 - 1];
            const int32_t t28 = max_int32(min_int32(t5, t6 + 2), t7);
            const float t29 = source[t14 + t28 - source_min_0 - t11 - t12 - 1];
            const float t30 = source[t17 + t28 - source_min_0 - t11 - t12 - 1];
            const float t31 = source[t20 + t28 - source_min_0 - t11 - t12 - 1];
            smaller_1[(int64_t)smaller_1_s0_x_base + (int64_t)smaller_1_s0_xi + (int64_t)smaller_1_s0_yi * smaller_1_stride_1 + (int64_t)smaller_1_s0_c * smaller_1_stride_2 + (int64_t)smaller_1_s0_y_base * smaller_1_stride_1 - (int64_t)smaller_1_min_1 * smaller_1_stride_1 - (int64_t)smaller_1_min_0] = (((t1 ? source[t4 + t8 + t10 - source_stride_2 - source_min_0 - t11 - t12 - 1] * t15 : t15) + 2.0f * (t1 ? source[t16 + t8 + t10 - source_stride_2 - source_min_0 - t11 - t12 - 1] * t18 : t18) + (t1 ? source[t19 + t8 + t10 - source_stride_2 - source_min_0 - t11 - t12 - 1] * t21 : t21)) / 4.0f + 2.0f * (((t1 ? source[t22 + t4 + t10 - source_stride_2 - source_min_0 - t11 - t12 - 1] * t23 : t23) + 2.0f * (t1 ? source[t24 + t10 - source_stride_2 - source_min_0 - t11 - t12 - 1] * t25 : t25) + (t1 ? source[t26 + t10 - source_stride_2 - source_min_0 - t11 - t12 - 1] * t27 : t27)) / 4.0f) + ((t1 ? source[t4 + t28 + t10 - source_stride_2 - source_min_0 - t11 - t12 - 1] * t29 : t29) + 2.0f * (t1 ? source[t16 + t28 + t10 - source_stride_2 - source_min_0 - t11 - t12 - 1] * t30 : t30) + (t1 ? source[t19 + t28 + t10 - source_stride_2 - source_min_0 - t11 - t12 - 1] * t31 : t31)) / 4.0f) / 4.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void smaller_2_s0_x(const int32_t smaller_1_min_0, const int32_t smaller_1_min_1, const int64_t smaller_1_stride_1, const int64_t smaller_1_stride_2, const int32_t smaller_2_min_0, const int32_t smaller_2_min_1, const int32_t smaller_2_s0_x_max, const int32_t smaller_2_s0_x_min, const int32_t smaller_2_s0_y_max, const int32_t smaller_2_s0_y_min, const int64_t smaller_2_stride_1, const int64_t smaller_2_stride_2, __global const float *restrict smaller_1, __global float *restrict smaller_2) {
    const int32_t smaller_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t smaller_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t smaller_2_s0_c = (int32_t)get_group_id(2);
    const int32_t smaller_2_s0_y_base = min_int32(smaller_2_s0_y_max, smaller_2_s0_y_1 * 8 + smaller_2_s0_y_min + 7) - 7;
    const int32_t smaller_2_s0_x_base = min_int32(smaller_2_s0_x_max, smaller_2_s0_x_min + smaller_2_s0_x_1 * 32 + 31) - 31;
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
    const int32_t smaller_3_s0_x_base = min_int32(smaller_3_s0_x_max, smaller_3_s0_x_min + smaller_3_s0_x_1 * 32 + 31) - 31;
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
            const int64_t t1 = (int64_t)smaller_4_s0_c * smaller_3_stride_2 - (int64_t)smaller_3_min_1 * smaller_3_stride_1 - (int64_t)smaller_3_min_0;
            const int32_t t2 = smaller_4_s0_y_base * 2 + smaller_4_s0_yi * 2;
            const int32_t t3 = (int32_t)((source_extent_1 + 7) >> 3) - 1;
            const int64_t t4 = t1 + (int64_t)max_int32(min_int32(t2 - 1, t3), 0) * smaller_3_stride_1;
            const int32_t t5 = smaller_4_s0_x_base * 2 + smaller_4_s0_xi * 2;
            const int32_t t6 = (int32_t)((source_extent_0 + 7) >> 3) - 1;
            const int64_t t7 = (int64_t)max_int32(min_int32(t5 - 1, t6), 0);
            const int64_t t8 = t1 + (int64_t)max_int32(min_int32(t2, t3), 0) * smaller_3_stride_1;
            const int64_t t9 = t1 + (int64_t)max_int32(min_int32(t2 + 1, t3), 0) * smaller_3_stride_1;
            const int64_t t10 = (int64_t)max_int32(min_int32(t5, t6), 0);
            const int64_t t11 = (int64_t)max_int32(min_int32(t5 + 1, t6), 0);
            smaller_4[(int64_t)smaller_4_s0_y_base * smaller_4_stride_1 + (int64_t)smaller_4_s0_c * smaller_4_stride_2 + (int64_t)smaller_4_s0_xi + (int64_t)smaller_4_s0_x_base + (int64_t)smaller_4_s0_yi * smaller_4_stride_1 - (int64_t)smaller_4_min_0 - (int64_t)smaller_4_min_1 * smaller_4_stride_1] = ((smaller_3[t4 + t7] + 2.0f * smaller_3[t8 + t7] + smaller_3[t9 + t7]) / 4.0f + 2.0f * ((smaller_3[t4 + t10] + 2.0f * smaller_3[t8 + t10] + smaller_3[t9 + t10]) / 4.0f) + (smaller_3[t4 + t11] + 2.0f * smaller_3[t8 + t11] + smaller_3[t9 + t11]) / 4.0f) / 4.0f;
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
            const int64_t t6 = (int64_t)div_int32(t4, 2) + t5;
            const int32_t t7 = filled_3_s0_y_base + filled_3_s0_yi;
            const int64_t t8 = (int64_t)div_int32(t7, 2) * smaller_4_stride_1;
            const int64_t t9 = (int64_t)smaller_4_min_1 * smaller_4_stride_1;
            const int64_t t10 = (int64_t)div_int32(t7 + 1, 2) * smaller_4_stride_1;
            const int64_t t11 = (int64_t)div_int32(t4 + 1, 2) + t5;
            filled_3[(int64_t)filled_3_s0_yi * filled_3_stride_1 + (int64_t)filled_3_s0_c * filled_3_stride_2 + (int64_t)filled_3_s0_x_base + (int64_t)filled_3_s0_y_base * filled_3_stride_1 + (int64_t)filled_3_s0_xi - (int64_t)filled_3_min_1 * filled_3_stride_1 - (int64_t)filled_3_min_0] = smaller_3[(int64_t)filled_3_s0_c * smaller_3_stride_2 + (int64_t)filled_3_s0_x_base + t1 + (int64_t)filled_3_s0_xi + t2 - t3 - (int64_t)smaller_3_min_0] + (1.0f - smaller_3[(int64_t)filled_3_s0_x_base + t1 + (int64_t)filled_3_s0_xi + smaller_3_stride_2 * 3 + t2 - t3 - (int64_t)smaller_3_min_0]) * (((smaller_4[t6 + t8 - (int64_t)smaller_4_min_0 - t9] + smaller_4[t6 + t10 - (int64_t)smaller_4_min_0 - t9]) / 2.0f + (smaller_4[t11 + t8 - (int64_t)smaller_4_min_0 - t9] + smaller_4[t11 + t10 - (int64_t)smaller_4_min_0 - t9]) / 2.0f) / 2.0f);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void filled_2_s0_x(const int32_t filled_2_min_0, const int32_t filled_2_min_1, const int32_t filled_2_s0_x_max, const int32_t filled_2_s0_x_min, const int32_t filled_2_s0_y_max, const int32_t filled_2_s0_y_min, const int64_t filled_2_stride_1, const int64_t filled_2_stride_2, const int32_t filled_3_min_0, const int32_t filled_3_min_1, const int64_t filled_3_stride_1, const int64_t filled_3_stride_2, const int32_t smaller_2_min_0, const int32_t smaller_2_min_1, const int64_t smaller_2_stride_1, const int64_t smaller_2_stride_2, __global const float *restrict filled_3, __global const float *restrict smaller_2, __global float *restrict smaller_3) {
    const int32_t filled_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t filled_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t filled_2_s0_c = (int32_t)get_group_id(2);
    const int32_t filled_2_s0_y_base = min_int32(filled_2_s0_y_max, filled_2_s0_y_1 * 8 + filled_2_s0_y_min + 7) - 7;
    const int32_t filled_2_s0_x_base = min_int32(filled_2_s0_x_1 * 32 + filled_2_s0_x_min, filled_2_s0_x_max - 31);
    {
        const int32_t filled_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t filled_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)filled_2_s0_y_base * smaller_2_stride_1;
            const int64_t t2 = (int64_t)filled_2_s0_yi * smaller_2_stride_1;
            const int64_t t3 = (int64_t)smaller_2_min_1 * smaller_2_stride_1;
            const int32_t t4 = filled_2_s0_yi + filled_2_s0_y_base;
            const int64_t t5 = (int64_t)div_int32(t4, 2) * filled_3_stride_1;
            const int64_t t6 = (int64_t)filled_2_s0_c * filled_3_stride_2;
            const int32_t t7 = filled_2_s0_xi + filled_2_s0_x_base;
            const int64_t t8 = (int64_t)div_int32(t7, 2);
            const int64_t t9 = (int64_t)filled_3_min_1 * filled_3_stride_1;
            const int64_t t10 = (int64_t)div_int32(t4 + 1, 2) * filled_3_stride_1;
            const int64_t t11 = (int64_t)div_int32(t7 + 1, 2);
            smaller_3[(int64_t)filled_2_s0_xi + (int64_t)filled_2_s0_y_base * filled_2_stride_1 + (int64_t)filled_2_s0_c * filled_2_stride_2 + (int64_t)filled_2_s0_yi * filled_2_stride_1 + (int64_t)filled_2_s0_x_base - (int64_t)filled_2_min_0 - (int64_t)filled_2_min_1 * filled_2_stride_1] = smaller_2[t1 + (int64_t)filled_2_s0_xi + (int64_t)filled_2_s0_c * smaller_2_stride_2 + t2 + (int64_t)filled_2_s0_x_base - t3 - (int64_t)smaller_2_min_0] + (1.0f - smaller_2[t1 + smaller_2_stride_2 * 3 + (int64_t)filled_2_s0_xi + t2 + (int64_t)filled_2_s0_x_base - t3 - (int64_t)smaller_2_min_0]) * (((filled_3[t5 + t6 + t8 - t9 - (int64_t)filled_3_min_0] + filled_3[t6 + t8 + t10 - t9 - (int64_t)filled_3_min_0]) / 2.0f + (filled_3[t5 + t11 + t6 - t9 - (int64_t)filled_3_min_0] + filled_3[t11 + t6 + t10 - t9 - (int64_t)filled_3_min_0]) / 2.0f) / 2.0f);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void filled_1_s0_x(const int32_t filled_1_min_0, const int32_t filled_1_min_1, const int32_t filled_1_s0_x_max, const int32_t filled_1_s0_x_min, const int32_t filled_1_s0_y_max, const int32_t filled_1_s0_y_min, const int64_t filled_1_stride_1, const int64_t filled_1_stride_2, const int32_t filled_2_min_0, const int32_t filled_2_min_1, const int64_t filled_2_stride_1, const int64_t filled_2_stride_2, const int32_t smaller_1_min_0, const int32_t smaller_1_min_1, const int64_t smaller_1_stride_1, const int64_t smaller_1_stride_2, __global const float *restrict smaller_1, __global float *restrict smaller_2, __global const float *restrict smaller_3) {
    const int32_t filled_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t filled_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t filled_1_s0_c = (int32_t)get_group_id(2);
    const int32_t filled_1_s0_y_base = min_int32(filled_1_s0_y_max, filled_1_s0_y_min + filled_1_s0_y_1 * 8 + 7) - 7;
    const int32_t filled_1_s0_x_base = min_int32(filled_1_s0_x_min + filled_1_s0_x_1 * 32, filled_1_s0_x_max - 31);
    {
        const int32_t filled_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t filled_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)filled_1_s0_y_base * smaller_1_stride_1 + (int64_t)filled_1_s0_x_base + (int64_t)filled_1_s0_yi * smaller_1_stride_1;
            const int64_t t2 = (int64_t)smaller_1_min_1 * smaller_1_stride_1;
            const int32_t t3 = filled_1_s0_x_base + filled_1_s0_xi;
            const int64_t t4 = (int64_t)filled_1_s0_c * filled_2_stride_2;
            const int64_t t5 = (int64_t)div_int32(t3, 2) + t4;
            const int32_t t6 = filled_1_s0_y_base + filled_1_s0_yi;
            const int64_t t7 = (int64_t)div_int32(t6, 2) * filled_2_stride_1;
            const int64_t t8 = (int64_t)filled_2_min_1 * filled_2_stride_1;
            const int64_t t9 = (int64_t)div_int32(t6 + 1, 2) * filled_2_stride_1;
            const int64_t t10 = t4 + (int64_t)div_int32(t3 + 1, 2);
            smaller_2[(int64_t)filled_1_s0_yi * filled_1_stride_1 + (int64_t)filled_1_s0_x_base + (int64_t)filled_1_s0_c * filled_1_stride_2 + (int64_t)filled_1_s0_y_base * filled_1_stride_1 + (int64_t)filled_1_s0_xi - (int64_t)filled_1_min_1 * filled_1_stride_1 - (int64_t)filled_1_min_0] = smaller_1[t1 + (int64_t)filled_1_s0_c * smaller_1_stride_2 + (int64_t)filled_1_s0_xi - t2 - (int64_t)smaller_1_min_0] + (1.0f - smaller_1[t1 + smaller_1_stride_2 * 3 + (int64_t)filled_1_s0_xi - t2 - (int64_t)smaller_1_min_0]) * (((smaller_3[t5 + t7 - (int64_t)filled_2_min_0 - t8] + smaller_3[t5 + t9 - (int64_t)filled_2_min_0 - t8]) / 2.0f + (smaller_3[t10 + t7 - (int64_t)filled_2_min_0 - t8] + smaller_3[t10 + t9 - (int64_t)filled_2_min_0 - t8]) / 2.0f) / 2.0f);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void interpolate_s0_x(const int32_t filled_1_min_0, const int32_t filled_1_min_1, const int64_t filled_1_stride_1, const int64_t filled_1_stride_2, const int32_t interpolate_extent_0, const int32_t interpolate_extent_1, const int32_t interpolate_min_0, const int32_t interpolate_min_1, const int32_t interpolate_min_2, const int32_t interpolate_stride_1, const int32_t interpolate_stride_2, const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_extent_2, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global float *restrict interpolate, __global const float *restrict smaller_2, __global const float *restrict source) {
    const int32_t interpolate_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t interpolate_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t interpolate_s0_y_base = min_int32(interpolate_extent_1 + interpolate_min_1, interpolate_s0_y_1 * 8 + interpolate_min_1 + 8) - 8;
    const int32_t interpolate_s0_x_base = min_int32(interpolate_extent_0 + interpolate_min_0, interpolate_min_0 + interpolate_s0_x_1 * 32 + 32) - 32;
    {
        const int32_t interpolate_s0_yi = (int32_t)get_local_id(1);
        const int32_t interpolate_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = interpolate_s0_yi + interpolate_s0_y_base;
            const int32_t t2 = t1 + 1;
            const int32_t t3 = max_int32(min_int32(source_extent_1 + source_min_1, t2), source_min_1 + 1) * source_stride_1;
            const int32_t t4 = interpolate_s0_xi + interpolate_s0_x_base;
            const int32_t t5 = t4 + 1;
            const int32_t t6 = max_int32(min_int32(source_extent_0 + source_min_0, t5), source_min_0 + 1);
            const int32_t t7 = source_extent_2 + source_min_2;
            const int32_t t8 = source_min_2 * source_stride_2;
            const int32_t t9 = source_min_1 * source_stride_1;
            const float t10 = source[t3 + max_int32(min_int32(t7 - 1, 3), source_min_2) * source_stride_2 + t6 - source_min_0 - t8 - t9 - source_stride_1 - 1];
            const float t11 = 1.0f - t10;
            const int64_t t12 = (int64_t)div_int32(t1, 2) * filled_1_stride_1;
            const int64_t t13 = (int64_t)div_int32(t4, 2);
            const int64_t t14 = (int64_t)filled_1_min_1 * filled_1_stride_1;
            const int64_t t15 = (int64_t)div_int32(t2, 2) * filled_1_stride_1;
            const int64_t t16 = (int64_t)div_int32(t5, 2);
            const int64_t t17 = filled_1_stride_2 * 3;
            const int64_t t18 = t16 + t17;
            interpolate[interpolate_s0_x_base + interpolate_s0_y_base * interpolate_stride_1 + interpolate_s0_yi * interpolate_stride_1 + interpolate_s0_xi - interpolate_min_2 * interpolate_stride_2 - interpolate_min_1 * interpolate_stride_1 - interpolate_min_0] = (source[t3 + t6 + max_int32(min_int32(t7, 1), source_min_2 + 1) * source_stride_2 - source_stride_2 - source_min_0 - t8 - t9 - source_stride_1 - 1] * t10 + t11 * (((smaller_2[t12 + t13 - t14 - (int64_t)filled_1_min_0] + smaller_2[t13 + t15 - t14 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t16 + t12 - t14 - (int64_t)filled_1_min_0] + smaller_2[t16 + t15 - t14 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f)) / (t10 + t11 * (((smaller_2[t17 + t12 + t13 - t14 - (int64_t)filled_1_min_0] + smaller_2[t17 + t13 + t15 - t14 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t18 + t12 - t14 - (int64_t)filled_1_min_0] + smaller_2[t18 + t15 - t14 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f));
        }
        {
            const int32_t t19 = source_extent_2 + source_min_2;
            const int32_t t20 = interpolate_s0_yi + interpolate_s0_y_base;
            const int32_t t21 = t20 + 1;
            const int32_t t22 = max_int32(min_int32(source_extent_1 + source_min_1, t21), source_min_1 + 1) * source_stride_1;
            const int32_t t23 = interpolate_s0_xi + interpolate_s0_x_base;
            const int32_t t24 = t23 + 1;
            const int32_t t25 = max_int32(min_int32(source_extent_0 + source_min_0, t24), source_min_0 + 1);
            const int32_t t26 = source_min_2 * source_stride_2;
            const int32_t t27 = source_min_1 * source_stride_1;
            const float t28 = source[t22 + max_int32(min_int32(t19 - 1, 3), source_min_2) * source_stride_2 + t25 - source_min_0 - t26 - t27 - source_stride_1 - 1];
            const float t29 = 1.0f - t28;
            const int64_t t30 = (int64_t)div_int32(t20, 2) * filled_1_stride_1;
            const int64_t t31 = (int64_t)div_int32(t23, 2);
            const int64_t t32 = (int64_t)filled_1_min_1 * filled_1_stride_1;
            const int64_t t33 = (int64_t)div_int32(t21, 2) * filled_1_stride_1;
            const int64_t t34 = (int64_t)div_int32(t24, 2);
            const int64_t t35 = t34 + filled_1_stride_2;
            const int64_t t36 = filled_1_stride_2 * 3;
            const int64_t t37 = t34 + t36;
            interpolate[interpolate_stride_2 + interpolate_s0_x_base + interpolate_s0_y_base * interpolate_stride_1 + interpolate_s0_yi * interpolate_stride_1 + interpolate_s0_xi - interpolate_min_2 * interpolate_stride_2 - interpolate_min_1 * interpolate_stride_1 - interpolate_min_0] = (source[max_int32(min_int32(t19, 2), source_min_2 + 1) * source_stride_2 + t22 + t25 - source_stride_2 - source_min_0 - t26 - t27 - source_stride_1 - 1] * t28 + t29 * (((smaller_2[filled_1_stride_2 + t30 + t31 - t32 - (int64_t)filled_1_min_0] + smaller_2[filled_1_stride_2 + t31 + t33 - t32 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t35 + t30 - t32 - (int64_t)filled_1_min_0] + smaller_2[t35 + t33 - t32 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f)) / (t28 + t29 * (((smaller_2[t36 + t30 + t31 - t32 - (int64_t)filled_1_min_0] + smaller_2[t36 + t31 + t33 - t32 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t37 + t30 - t32 - (int64_t)filled_1_min_0] + smaller_2[t37 + t33 - t32 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f));
        }
        {
            const int32_t t38 = interpolate_s0_yi + interpolate_s0_y_base;
            const int32_t t39 = t38 + 1;
            const int32_t t40 = max_int32(min_int32(source_extent_1 + source_min_1, t39), source_min_1 + 1) * source_stride_1;
            const int32_t t41 = interpolate_s0_xi + interpolate_s0_x_base;
            const int32_t t42 = t41 + 1;
            const int32_t t43 = max_int32(min_int32(source_extent_0 + source_min_0, t42), source_min_0 + 1);
            const int32_t t44 = source_extent_2 + source_min_2;
            const int32_t t45 = source_min_2 * source_stride_2;
            const int32_t t46 = source_min_1 * source_stride_1;
            const float t47 = source[t40 + max_int32(min_int32(t44 - 1, 3), source_min_2) * source_stride_2 + t43 - source_min_0 - t45 - t46 - source_stride_1 - 1];
            const float t48 = 1.0f - t47;
            const int64_t t49 = filled_1_stride_2 * 2;
            const int64_t t50 = (int64_t)div_int32(t38, 2) * filled_1_stride_1;
            const int64_t t51 = (int64_t)div_int32(t41, 2);
            const int64_t t52 = (int64_t)filled_1_min_1 * filled_1_stride_1;
            const int64_t t53 = (int64_t)div_int32(t39, 2) * filled_1_stride_1;
            const int64_t t54 = (int64_t)div_int32(t42, 2);
            const int64_t t55 = t54 + t49;
            const int64_t t56 = filled_1_stride_2 * 3;
            const int64_t t57 = t54 + t56;
            interpolate[interpolate_stride_2 * 2 + interpolate_s0_x_base + interpolate_s0_y_base * interpolate_stride_1 + interpolate_s0_yi * interpolate_stride_1 + interpolate_s0_xi - interpolate_min_2 * interpolate_stride_2 - interpolate_min_1 * interpolate_stride_1 - interpolate_min_0] = (source[t40 + t43 + max_int32(min_int32(t44, 3), source_min_2 + 1) * source_stride_2 - source_stride_2 - source_min_0 - t45 - t46 - source_stride_1 - 1] * t47 + t48 * (((smaller_2[t49 + t50 + t51 - t52 - (int64_t)filled_1_min_0] + smaller_2[t49 + t51 + t53 - t52 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t55 + t50 - t52 - (int64_t)filled_1_min_0] + smaller_2[t55 + t53 - t52 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f)) / (t47 + t48 * (((smaller_2[t56 + t50 + t51 - t52 - (int64_t)filled_1_min_0] + smaller_2[t56 + t51 + t53 - t52 - (int64_t)filled_1_min_0]) / 2.0f + (smaller_2[t57 + t50 - t52 - (int64_t)filled_1_min_0] + smaller_2[t57 + t53 - t52 - (int64_t)filled_1_min_0]) / 2.0f) / 2.0f));
        }
    }
}
