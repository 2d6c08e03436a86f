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
    const int32_t smaller_1_s0_x_base = min_int32(smaller_1_s0_x_1 * 32 + smaller_1_s0_x_min, smaller_1_s0_x_max - 31);
    {
        const int32_t smaller_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t smaller_1_s0_xi = (int32_t)get_local_id(0);
        {
            const bool t1 = smaller_1_s0_c < 3;
            const int32_t t2 = smaller_1_s0_yi * 2 + smaller_1_s0_y_base * 2;
            const int32_t t3 = source_extent_1 + source_min_1;
            const int32_t t4 = max_int32(source_min_1 + 1, min_int32(t2, t3)) * source_stride_1;
            const int32_t t5 = smaller_1_s0_xi * 2 + smaller_1_s0_x_base * 2;
            const int32_t t6 = source_extent_0 + source_min_0;
            const int32_t t7 = max_int32(min_int32(t5, t6), source_min_0 + 1);
            const int32_t t8 = t4 + t7;
            const int32_t t9 = source_extent_2 + source_min_2 - 1;
            const int32_t t10 = max_int32(min_int32(smaller_1_s0_c, t9), source_min_2) * source_stride_2;
            const int32_t t11 = source_min_1 * source_stride_1;
            const int32_t t12 = source_min_2 * source_stride_2;
            const int32_t t13 = max_int32(source_min_2, min_int32(t9, 3)) * source_stride_2;
            const float t14 = source[t8 + t13 - source_stride_1 - source_min_0 - t11 - t12 - 1];
            const int32_t t15 = t7 + t10;
            const int32_t t16 = max_int32(min_int32(t2, t3 - 1), source_min_1) * source_stride_1;
            const float t17 = source[t7 + t13 + t16 - source_min_0 - t11 - t12 - 1];
            const int32_t t18 = max_int32(source_min_1, min_int32(t2, t3 - 2) + 1) * source_stride_1;
            const float t19 = source[t7 + t18 + t13 - source_min_0 - t11 - t12 - 1];
            const int32_t t20 = max_int32(source_min_0, min_int32(t5, t6 - 1));
            const int32_t t21 = t20 + t4;
            const float t22 = source[t21 + t13 - source_stride_1 - source_min_0 - t11 - t12];
            const int32_t t23 = t20 + t10;
            const float t24 = source[t20 + t13 + t16 - source_min_0 - t11 - t12];
            const float t25 = source[t20 + t18 + t13 - source_min_0 - t11 - t12];
            const int32_t t26 = max_int32(min_int32(t5, t6 - 2) + 1, source_min_0);
            const int32_t t27 = t26 + t4;
            const float t28 = source[t27 + t13 - source_stride_1 - source_min_0 - t11 - t12];
            const int32_t t29 = t26 + t10;
            const float t30 = source[t26 + t13 + t16 - source_min_0 - t11 - t12];
            const float t31 = source[t26 + t18 + t13 - source_min_0 - t11 - t12];
            smaller_1[(int64_t)smaller_1_s0_c * smaller_1_stride_2 + (int64_t)smaller_1_s0_y_base * smaller_1_stride_1 + (int64_t)smaller_1_s0_xi + (int64_t)smaller_1_s0_x_base + (int64_t)smaller_1_s0_yi * smaller_1_stride_1 - (int64_t)smaller_1_min_1 * smaller_1_stride_1 - (int64_t)smaller_1_min_0] = (((t1 ? source[t8 + t10 - source_stride_1 - source_min_0 - t11 - t12 - 1] * t14 : t14) + 2.0f * (t1 ? source[t15 + t16 - source_min_0 - t11 - t12 - 1] * t17 : t17) + (t1 ? source[t15 + t18 - source_min_0 - t11 - t12 - 1] * t19 : t19)) / 4.0f + 2.0f * (((t1 ? source[t21 + t10 - source_stride_1 - source_min_0 - t11 - t12] * t22 : t22) + 2.0f * (t1 ? source[t23 + t16 - source_min_0 - t11 - t12] * t24 : t24) + (t1 ? source[t23 + t18 - source_min_0 - t11 - t12] * t25 : t25)) / 4.0f) + ((t1 ? source[t27 + t10 - source_stride_1 - source_min_0 - t11 - t12] * t28 : t28) + 2.0f * (t1 ? source[t29 + t16 - source_min_0 - t11 - t12] * t30 : t30) + (t1 ? source[t29 + t18 - source_min_0 - t11 - t12] * t31 : t31)) / 4.0f) / 4.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void smaller_2_s0_x(const int32_t smaller_1_min_0, const int32_t smaller_1_min_1, const int64_t smaller_1_stride_1, const int64_t smaller_1_stride_2, const int32_t smaller_2_min_0, const int32_t smaller_2_min_1, const int32_t smaller_2_s0_x_max, const int32_t smaller_2_s0_x_min, const int32_t smaller_2_s0_y_max, const int32_t smaller_2_s0_y_min, const int64_t smaller_2_stride_1, const int64_t smaller_2_stride_2, __global const float *restrict smaller_1, __global float *restrict smaller_2) {
    const int32_t smaller_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t smaller_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t smaller_2_s0_c = (int32_t)get_group_id(2);
    const int32_t smaller_2_s0_y_base = min_int32(smaller_2_s0_y_min + smaller_2_s0_y_1 * 8, smaller_2_s0_y_max - 7);
    const int32_t smaller_2_s0_x_base = min_int32(smaller_2_s0_x_1 * 32 + smaller_2_s0_x_min, smaller_2_s0_x_max - 31);
    {
        const int32_t smaller_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t smaller_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)smaller_2_s0_c * smaller_1_stride_2 + (int64_t)smaller_2_s0_y_base * smaller_1_stride_1 * 2 + (int64_t)smaller_2_s0_xi * 2;
            const int64_t t2 = (int64_t)smaller_2_s0_x_base * 2;
            const int64_t t3 = (int64_t)smaller_2_s0_yi * smaller_1_stride_1 * 2;
            const int64_t t4 = (int64_t)smaller_1_min_1 * smaller_1_stride_1;
            const int64_t t5 = t1 + t2 + t3 - t4;
            const int64_t t6 = t5 - smaller_1_stride_1 - (int64_t)smaller_1_min_0;
            const int64_t t7 = t5 - (int64_t)smaller_1_min_0;
            const int64_t t8 = t1 + smaller_1_stride_1 + t2 + t3 - t4 - (int64_t)smaller_1_min_0;
            smaller_2[(int64_t)smaller_2_s0_c * smaller_2_stride_2 + (int64_t)smaller_2_s0_y_base * smaller_2_stride_1 + (int64_t)smaller_2_s0_xi + (int64_t)smaller_2_s0_x_base + (int64_t)smaller_2_s0_yi * smaller_2_stride_1 - (int64_t)smaller_2_min_1 * smaller_2_stride_1 - (int64_t)smaller_2_min_0] = ((smaller_1[t6 - 1] + 2.0f * smaller_1[t7 - 1] + smaller_1[t8 - 1]) / 4.0f + 2.0f * ((smaller_1[t6] + 2.0f * smaller_1[t7] + smaller_1[t8]) / 4.0f) + (smaller_1[t6 + 1] + 2.0f * smaller_1[t7 + 1] + smaller_1[t8 + 1]) / 4.0f) / 4.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void smaller_3_s0_x(const int32_t smaller_2_min_0, const int32_t smaller_2_min_1, const int64_t smaller_2_stride_1, const int64_t smaller_2_stride_2, const int32_t smaller_3_min_0, const int32_t smaller_3_min_1, const int32_t smaller_3_s0_x_max, const int32_t smaller_3_s0_x_min, const int32_t smaller_3_s0_y_max, const int32_t smaller_3_s0_y_min, const int64_t smaller_3_stride_1, const int64_t smaller_3_stride_2, __global const float *restrict smaller_2, __global float *restrict smaller_3) {
    const int32_t smaller_3_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t smaller_3_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t smaller_3_s0_c = (int32_t)get_group_id(2);
    const int32_t smaller_3_s0_y_base = min_int32(smaller_3_s0_y_min + smaller_3_s0_y_1 * 8, smaller_3_s0_y_max - 7);
    const int32_t smaller_3_s0_x_base = min_int32(smaller_3_s0_x_1 * 32 + smaller_3_s0_x_min, smaller_3_s0_x_max - 31);
    {
        const int32_t smaller_3_s0_yi = (int32_t)get_local_id(1);
        const int32_t smaller_3_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)smaller_3_s0_c * smaller_2_stride_2 + (int64_t)smaller_3_s0_y_base * smaller_2_stride_1 * 2 + (int64_t)smaller_3_s0_xi * 2;
            const int64_t t2 = (int64_t)smaller_3_s0_x_base * 2;
            const int64_t t3 = (int64_t)smaller_3_s0_yi * smaller_2_stride_1 * 2;
            const int64_t t4 = (int64_t)smaller_2_min_1 * smaller_2_stride_1;
            const int64_t t5 = t1 + t2 + t3 - t4;
            const int64_t t6 = t5 - smaller_2_stride_1 - (int64_t)smaller_2_min_0;
            const int64_t t7 = t5 - (int64_t)smaller_2_min_0;
            const int64_t t8 = t1 + smaller_2_stride_1 + t2 + t3 - t4 - (int64_t)smaller_2_min_0;
            smaller_3[(int64_t)smaller_3_s0_c * smaller_3_stride_2 + (int64_t)smaller_3_s0_y_base * smaller_3_stride_1 + (int64_t)smaller_3_s0_xi + (int64_t)smaller_3_s0_x_base + (int64_t)smaller_3_s0_yi * smaller_3_stride_1 - (int64_t)smaller_3_min_1 * smaller_3_stride_1 - (int64_t)smaller_3_min_0] = ((smaller_2[t6 - 1] + 2.0f * smaller_2[t7 - 1] + smaller_2[t8 - 1]) / 4.0f + 2.0f * ((smaller_2[t6] + 2.0f * smaller_2[t7] + smaller_2[t8]) / 4.0f) + (smaller_2[t6 + 1] + 2.0f * smaller_2[t7 + 1] + smaller_2[t8 + 1]) / 4.0f) / 4.0f;
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
            const int64_t t1 = (int64_t)smaller_4_s0_c * smaller_3_stride_2;
            const int32_t t2 = smaller_4_s0_yi * 2 + smaller_4_s0_y_base * 2;
            const int32_t t3 = (int32_t)((source_extent_1 + 7) >> 3);
            const int64_t t4 = (int64_t)max_int32(min_int32(t2, t3) - 1, 0) * smaller_3_stride_1;
            const int32_t t5 = smaller_4_s0_xi * 2 + smaller_4_s0_x_base * 2;
            const int32_t t6 = (int32_t)((source_extent_0 + 7) >> 3);
            const int64_t t7 = (int64_t)max_int32(min_int32(t5, t6) - 1, 0);
            const int64_t t8 = (int64_t)smaller_3_min_1 * smaller_3_stride_1;
            const int64_t t9 = (int64_t)max_int32(min_int32(t2, t3 - 1), 0) * smaller_3_stride_1;
            const int64_t t10 = (int64_t)max_int32(min_int32(t2, t3 - 2) + 1, 0) * smaller_3_stride_1;
            const int64_t t11 = t10 + t1;
            const int64_t t12 = (int64_t)max_int32(min_int32(t5, t6 - 1), 0);
            const int64_t t13 = t1 + t12;
            const int64_t t14 = (int64_t)max_int32(min_int32(t5, t6 - 2) + 1, 0);
            const int64_t t15 = t14 + t1;
            smaller_4[(int64_t)smaller_4_s0_c * smaller_4_stride_2 + (int64_t)smaller_4_s0_y_base * smaller_4_stride_1 + (int64_t)smaller_4_s0_xi + (int64_t)smaller_4_s0_x_base + (int64_t)smaller_4_s0_yi * smaller_4_stride_1 - (int64_t)smaller_4_min_1 * smaller_4_stride_1 - (int64_t)smaller_4_min_0] = ((smaller_3[t1 + t4 + t7 - t8 - (int64_t)smaller_3_min_0] + 2.0f * smaller_3[t1 + t9 + t7 - t8 - (int64_t)smaller_3_min_0] + smaller_3[t11 + t7 - t8 - (int64_t)smaller_3_min_0]) / 4.0f + 2.0f * ((smaller_3[t13 + t4 - t8 - (int64_t)smaller_3_min_0] + 2.0f * smaller_3[t13 + t9 - t8 - (int64_t)smaller_3_min_0] + smaller_3[t11 + t12 - t8 - (int64_t)smaller_3_min_0]) / 4.0f) + (smaller_3[t15 + t4 - t8 - (int64_t)smaller_3_min_0] + 2.0f * smaller_3[t15 + t9 - t8 - (int64_t)smaller_3_min_0] + smaller_3[t14 + t10 + t1 - t8 - (int64_t)smaller_3_min_0]) / 4.0f) / 4.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void filled_3_s0_x(const int32_t filled_3_min_0, const int32_t filled_3_min_1, const int32_t filled_3_s0_x_max, const int32_t filled_3_s0_x_min, const int32_t filled_3_s0_y_max, const int32_t filled_3_s0_y_min, const int64_t filled_3_stride_1, const int64_t filled_3_stride_2, const int32_t smaller_3_min_0, const int32_t smaller_3_min_1, const int64_t smaller_3_stride_1, const int64_t smaller_3_stride_2, const int32_t smaller_4_min_0, const int32_t smaller_4_min_1, const int64_t smaller_4_stride_1, const int64_t smaller_4_stride_2, __global float *restrict filled_3, __global const float *restrict smaller_3, __global const float *restrict smaller_4) {
    const int32_t filled_3_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t filled_3_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t filled_3_s0_c = (int32_t)get_group_id(2);
    const int32_t filled_3_s0_y_base = min_int32(filled_3_s0_y_min + filled_3_s0_y_1 * 8, filled_3_s0_y_max - 7);
    const int32_t filled_3_s0_x_base = min_int32(filled_3_s0_x_max - 31, filled_3_s0_x_min + filled_3_s0_x_1 * 32);
    {
        const int32_t filled_3_s0_yi = (int32_t)get_local_id(1);
        const int32_t filled_3_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)filled_3_s0_yi * smaller_3_stride_1;
            const int64_t t2 = (int64_t)filled_3_s0_y_base * smaller_3_stride_1;
            const int64_t t3 = (int64_t)smaller_3_min_1 * smaller_3_stride_1;
            const int64_t t4 = (int64_t)filled_3_s0_c * smaller_4_stride_2;
            const int32_t t5 = filled_3_s0_xi + filled_3_s0_x_base;
            const int64_t t6 = (int64_t)(int32_t)(t5 >> 1);
            const int32_t t7 = filled_3_s0_y_base + filled_3_s0_yi;
            const int64_t t8 = (int64_t)(int32_t)(t7 >> 1) * smaller_4_stride_1;
            const int64_t t9 = (int64_t)smaller_4_min_1 * smaller_4_stride_1;
            const int64_t t10 = (int64_t)(int32_t)((t7 + 1) >> 1) * smaller_4_stride_1;
            const int64_t t11 = (int64_t)(int32_t)((t5 + 1) >> 1) + t4;
            filled_3[(int64_t)filled_3_s0_yi * filled_3_stride_1 + (int64_t)filled_3_s0_y_base * filled_3_stride_1 + (int64_t)filled_3_s0_xi + (int64_t)filled_3_s0_c * filled_3_stride_2 + (int64_t)filled_3_s0_x_base - (int64_t)filled_3_min_0 - (int64_t)filled_3_min_1 * filled_3_stride_1] = smaller_3[(int64_t)filled_3_s0_xi + (int64_t)filled_3_s0_c * smaller_3_stride_2 + t1 + t2 + (int64_t)filled_3_s0_x_base - t3 - (int64_t)smaller_3_min_0] + (1.0f - smaller_3[(int64_t)filled_3_s0_xi + t1 + smaller_3_stride_2 * 3 + t2 + (int64_t)filled_3_s0_x_base - t3 - (int64_t)smaller_3_min_0]) * (((smaller_4[t4 + t6 + t8 - t9 - (int64_t)smaller_4_min_0] + smaller_4[t4 + t10 + t6 - t9 - (int64_t)smaller_4_min_0]) / 2.0f + (smaller_4[t11 + t8 - t9 - (int64_t)smaller_4_min_0] + smaller_4[t11 + t10 - t9 - (int64_t)smaller_4_min_0]) / 2.0f) / 2.0f);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void filled_2_s0_x(const int32_t filled_2_min_0, const int32_t filled_2_min_1, const int32_t filled_2_s0_x_max, const int32_t filled_2_s0_x_min, const int32_t filled_2_s0_y_max, const int32_t filled_2_s0_y_min, const int64_t filled_2_stride_1, const int64_t filled_2_stride_2, const int32_t filled_3_min_0, const int32_t filled_3_min_1, const int64_t filled_3_stride_1, const int64_t filled_3_stride_2, const int32_t smaller_2_min_0, const int32_t smaller_2_min_1, const int64_t smaller_2_stride_1, const int64_t smaller_2_stride_2, __global const float *restrict filled_3, __global const float *restrict smaller_2, __global float *restrict smaller_3) {
    const int32_t filled_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t filled_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t filled_2_s0_c = (int32_t)get_group_id(2);
    const int32_t filled_2_s0_y_base = min_int32(filled_2_s0_y_min + filled_2_s0_y_1 * 8, filled_2_s0_y_max - 7);
    const int32_t filled_2_s0_x_base = min_int32(filled_2_s0_x_max - 31, filled_2_s0_x_min + filled_2_s0_x_1 * 32);
    {
        const int32_t filled_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t filled_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)filled_2_s0_yi * smaller_2_stride_1;
            const int64_t t2 = (int64_t)filled_2_s0_y_base * smaller_2_stride_1;
            const int64_t t3 = (int64_t)smaller_2_min_1 * smaller_2_stride_1;
            const int32_t t4 = filled_2_s0_xi + filled_2_s0_x_base;
            const int64_t t5 = (int64_t)(int32_t)(t4 >> 1);
            const int32_t t6 = filled_2_s0_y_base + filled_2_s0_yi;
            const int64_t t7 = (int64_t)(int32_t)(t6 >> 1) * filled_3_stride_1;
            const int64_t t8 = (int64_t)filled_2_s0_c * filled_3_stride_2;
            const int64_t t9 = (int64_t)filled_3_min_1 * filled_3_stride_1;
            const int64_t t10 = (int64_t)(int32_t)((t6 + 1) >> 1) * filled_3_stride_1;
            const int64_t t11 = (int64_t)(int32_t)((t4 + 1) >> 1);
            smaller_3[(int64_t)filled_2_s0_yi * filled_2_stride_1 + (int64_t)filled_2_s0_y_base * filled_2_stride_1 + (int64_t)filled_2_s0_xi + (int64_t)filled_2_s0_c * filled_2_stride_2 + (int64_t)filled_2_s0_x_base - (int64_t)filled_2_min_0 - (int64_t)filled_2_min_1 * filled_2_stride_1] = smaller_2[(int64_t)filled_2_s0_xi + (int64_t)filled_2_s0_c * smaller_2_stride_2 + t1 + t2 + (int64_t)filled_2_s0_x_base - t3 - (int64_t)smaller_2_min_0] + (1.0f - smaller_2[(int64_t)filled_2_s0_xi + t1 + smaller_2_stride_2 * 3 + t2 + (int64_t)filled_2_s0_x_base - t3 - (int64_t)smaller_2_min_0]) * (((filled_3[t5 + t7 + t8 - (int64_t)filled_3_min_0 - t9] + filled_3[t5 + t8 + t10 - (int64_t)filled_3_min_0 - t9]) / 2.0f + (filled_3[t11 + t7 + t8 - (int64_t)filled_3_min_0 - t9] + filled_3[t11 + t8 + t10 - (int64_t)filled_3_min_0 - t9]) / 2.0f) / 2.0f);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void filled_1_s0_x(const int32_t filled_1_min_0, const int32_t filled_1_min_1, const int32_t filled_1_s0_x_max, const int32_t filled_1_s0_x_min, const int32_t filled_1_s0_y_max, const int32_t filled_1_s0_y_min, const int64_t filled_1_stride_1, const int64_t filled_1_stride_2, const int32_t filled_2_min_0, const int32_t filled_2_min_1, const int64_t filled_2_stride_1, const int64_t filled_2_stride_2, const int32_t smaller_1_min_0, const int32_t smaller_1_min_1, const int64_t smaller_1_stride_1, const int64_t smaller_1_stride_2, __global const float *restrict smaller_1, __global float *restrict smaller_2, __global const float *restrict smaller_3) {
    const int32_t filled_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t filled_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t filled_1_s0_c = (int32_t)get_group_id(2);
    const int32_t filled_1_s0_y_base = min_int32(filled_1_s0_y_min + filled_1_s0_y_1 * 8, filled_1_s0_y_max - 7);
    const int32_t filled_1_s0_x_base = min_int32(filled_1_s0_x_max - 31, filled_1_s0_x_min + filled_1_s0_x_1 * 32);
    {
        const int32_t filled_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t filled_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)filled_1_s0_yi * smaller_1_stride_1;
            const int64_t t2 = (int64_t)filled_1_s0_y_base * smaller_1_stride_1;
            const int64_t t3 = (int64_t)smaller_1_min_1 * smaller_1_stride_1;
            const int32_t t4 = filled_1_s0_xi + filled_1_s0_x_base;
            const int64_t t5 = (int64_t)(int32_t)(t4 >> 1);
            const int32_t t6 = filled_1_s0_y_base + filled_1_s0_yi;
            const int64_t t7 = (int64_t)(int32_t)(t6 >> 1) * filled_2_stride_1;
            const int64_t t8 = (int64_t)filled_1_s0_c * filled_2_stride_2;
            const int64_t t9 = (int64_t)filled_2_min_1 * filled_2_stride_1;
            const int64_t t10 = (int64_t)(int32_t)((t6 + 1) >> 1) * filled_2_stride_1;
            const int64_t t11 = (int64_t)(int32_t)((t4 + 1) >> 1);
            smaller_2[(int64_t)filled_1_s0_yi * filled_1_stride_1 + (int64_t)filled_1_s0_y_base * filled_1_stride_1 + (int64_t)filled_1_s0_xi + (int64_t)filled_1_s0_c * filled_1_stride_2 + (int64_t)filled_1_s0_x_base - (int64_t)filled_1_min_0 - (int64_t)filled_1_min_1 * filled_1_stride_1] = smaller_1[(int64_t)filled_1_s0_xi + (int64_t)filled_1_s0_c * smaller_1_stride_2 + t1 + t2 + (int64_t)filled_1_s0_x_base - t3 - (int64_t)smaller_1_min_0] + (1.0f - smaller_1[(int64_t)filled_1_s0_xi + t1 + smaller_1_stride_2 * 3 + t2 + (int64_t)filled_1_s0_x_base - t3 - (int64_t)smaller_1_min_0]) * (((smaller_3[t5 + t7 + t8 - (int64_t)filled_2_min_0 - t9] + smaller_3[t5 + t8 + t10 - (int64_t)filled_2_min_0 - t9]) / 2.0f + (smaller_3[t11 + t7 + t8 - (int64_t)filled_2_min_0 - t9] + smaller_3[t11 + t8 + t10 - (int64_t)filled_2_min_0 - t9]) / 2.0f) / 2.0f);
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
            const int32_t t2 = interpolate_s0_y_base + interpolate_s0_yi;
            const int32_t t3 = max_int32(min_int32(t1, source_extent_0 + source_min_0 - 1), source_min_0) + max_int32(min_int32(t2, source_extent_1 + source_min_1 - 1), source_min_1) * source_stride_1;
            const int32_t t4 = source_extent_2 + source_min_2 - 1;
            const int32_t t5 = source_min_1 * source_stride_1;
            const int32_t t6 = source_min_2 * source_stride_2;
            const float t7 = source[t3 + max_int32(source_min_2, min_int32(t4, 3)) * source_stride_2 - source_min_0 - t5 - t6];
            const float t8 = 1.0f - t7;
            const int64_t t9 = (int64_t)(int32_t)(t2 >> 1) * filled_1_stride_1;
            const int64_t t10 = (int64_t)(int32_t)(t1 >> 1);
            const int64_t t11 = (int64_t)filled_1_min_1 * filled_1_stride_1;
            const int64_t t12 = (int64_t)(int32_t)((t2 + 1) >> 1) * filled_1_stride_1;
            const int64_t t13 = (int64_t)(int32_t)((t1 + 1) >> 1);
            const int64_t t14 = filled_1_stride_2 * 3;
            const int64_t t15 = t14 + t9;
            interpolate[interpolate_s0_yi * interpolate_stride_1 + interpolate_s0_y_base * interpolate_stride_1 + interpolate_s0_xi + interpolate_s0_x_base - interpolate_min_1 * interpolate_stride_1 - interpolate_min_2 * interpolate_stride_2 - interpolate_min_0] = (source[t3 + max_int32(min_int32(t4, 0), source_min_2) * source_stride_2 - source_min_0 - t5 - t6] * t7 + t8 * (((smaller_2[t9 + t10 - (int64_t)filled_1_min_0 - t11] + smaller_2[t10 + t12 - (int64_t)filled_1_min_0 - t11]) / 2.0f + (smaller_2[t9 + t13 - (int64_t)filled_1_min_0 - t11] + smaller_2[t13 + t12 - (int64_t)filled_1_min_0 - t11]) / 2.0f) / 2.0f)) / (t7 + t8 * (((smaller_2[t15 + t10 - (int64_t)filled_1_min_0 - t11] + smaller_2[t14 + t10 + t12 - (int64_t)filled_1_min_0 - t11]) / 2.0f + (smaller_2[t15 + t13 - (int64_t)filled_1_min_0 - t11] + smaller_2[t14 + t13 + t12 - (int64_t)filled_1_min_0 - t11]) / 2.0f) / 2.0f));
        }
        {
            const int32_t t16 = interpolate_s0_xi + interpolate_s0_x_base;
            const int32_t t17 = interpolate_s0_y_base + interpolate_s0_yi;
            const int32_t t18 = max_int32(min_int32(t16, source_extent_0 + source_min_0 - 1), source_min_0) + max_int32(min_int32(t17, source_extent_1 + source_min_1 - 1), source_min_1) * source_stride_1;
            const int32_t t19 = source_extent_2 + source_min_2 - 1;
            const int32_t t20 = source_min_1 * source_stride_1;
            const int32_t t21 = source_min_2 * source_stride_2;
            const float t22 = source[t18 + max_int32(source_min_2, min_int32(t19, 3)) * source_stride_2 - source_min_0 - t20 - t21];
            const float t23 = 1.0f - t22;
            const int64_t t24 = (int64_t)(int32_t)(t17 >> 1) * filled_1_stride_1;
            const int64_t t25 = filled_1_stride_2 + t24;
            const int64_t t26 = (int64_t)(int32_t)(t16 >> 1);
            const int64_t t27 = (int64_t)filled_1_min_1 * filled_1_stride_1;
            const int64_t t28 = (int64_t)(int32_t)((t17 + 1) >> 1) * filled_1_stride_1;
            const int64_t t29 = (int64_t)(int32_t)((t16 + 1) >> 1);
            const int64_t t30 = filled_1_stride_2 * 3;
            const int64_t t31 = t30 + t24;
            interpolate[interpolate_s0_yi * interpolate_stride_1 + interpolate_stride_2 + interpolate_s0_y_base * interpolate_stride_1 + interpolate_s0_xi + interpolate_s0_x_base - interpolate_min_1 * interpolate_stride_1 - interpolate_min_2 * interpolate_stride_2 - interpolate_min_0] = (source[t18 + max_int32(min_int32(t19, 1), source_min_2) * source_stride_2 - source_min_0 - t20 - t21] * t22 + t23 * (((smaller_2[t25 + t26 - (int64_t)filled_1_min_0 - t27] + smaller_2[filled_1_stride_2 + t26 + t28 - (int64_t)filled_1_min_0 - t27]) / 2.0f + (smaller_2[t25 + t29 - (int64_t)filled_1_min_0 - t27] + smaller_2[filled_1_stride_2 + t29 + t28 - (int64_t)filled_1_min_0 - t27]) / 2.0f) / 2.0f)) / (t22 + t23 * (((smaller_2[t31 + t26 - (int64_t)filled_1_min_0 - t27] + smaller_2[t30 + t26 + t28 - (int64_t)filled_1_min_0 - t27]) / 2.0f + (smaller_2[t31 + t29 - (int64_t)filled_1_min_0 - t27] + smaller_2[t30 + t29 + t28 - (int64_t)filled_1_min_0 - t27]) / 2.0f) / 2.0f));
        }
        {
            const int32_t t32 = interpolate_s0_xi + interpolate_s0_x_base;
            const int32_t t33 = interpolate_s0_y_base + interpolate_s0_yi;
            const int32_t t34 = max_int32(min_int32(t32, source_extent_0 + source_min_0 - 1), source_min_0) + max_int32(min_int32(t33, source_extent_1 + source_min_1 - 1), source_min_1) * source_stride_1;
            const int32_t t35 = source_extent_2 + source_min_2 - 1;
            const int32_t t36 = source_min_1 * source_stride_1;
            const int32_t t37 = source_min_2 * source_stride_2;
            const float t38 = source[t34 + max_int32(source_min_2, min_int32(t35, 3)) * source_stride_2 - source_min_0 - t36 - t37];
            const float t39 = 1.0f - t38;
            const int64_t t40 = filled_1_stride_2 * 2;
            const int64_t t41 = (int64_t)(int32_t)(t33 >> 1) * filled_1_stride_1;
            const int64_t t42 = t40 + t41;
            const int64_t t43 = (int64_t)(int32_t)(t32 >> 1);
            const int64_t t44 = (int64_t)filled_1_min_1 * filled_1_stride_1;
            const int64_t t45 = (int64_t)(int32_t)((t33 + 1) >> 1) * filled_1_stride_1;
            const int64_t t46 = (int64_t)(int32_t)((t32 + 1) >> 1);
            const int64_t t47 = filled_1_stride_2 * 3;
            const int64_t t48 = t47 + t41;
            interpolate[interpolate_s0_yi * interpolate_stride_1 + interpolate_stride_2 * 2 + interpolate_s0_y_base * interpolate_stride_1 + interpolate_s0_xi + interpolate_s0_x_base - interpolate_min_1 * interpolate_stride_1 - interpolate_min_2 * interpolate_stride_2 - interpolate_min_0] = (source[t34 + max_int32(source_min_2, min_int32(t35, 2)) * source_stride_2 - source_min_0 - t36 - t37] * t38 + t39 * (((smaller_2[t42 + t43 - (int64_t)filled_1_min_0 - t44] + smaller_2[t40 + t43 + t45 - (int64_t)filled_1_min_0 - t44]) / 2.0f + (smaller_2[t42 + t46 - (int64_t)filled_1_min_0 - t44] + smaller_2[t40 + t46 + t45 - (int64_t)filled_1_min_0 - t44]) / 2.0f) / 2.0f)) / (t38 + t39 * (((smaller_2[t48 + t43 - (int64_t)filled_1_min_0 - t44] + smaller_2[t47 + t43 + t45 - (int64_t)filled_1_min_0 - t44]) / 2.0f + (smaller_2[t48 + t46 - (int64_t)filled_1_min_0 - t44] + smaller_2[t47 + t46 + t45 - (int64_t)filled_1_min_0 - t44]) / 2.0f) / 2.0f));
        }
    }
}
