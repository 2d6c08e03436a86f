typedef uchar uint8_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }
static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline float max_float32(float a, float b) { return a > b ? a : b; }
static inline float min_float32(float a, float b) { return a < b ? a : b; }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void difference_1_s0_x(const int32_t difference_1_min_0, const int32_t difference_1_min_1, const int32_t difference_1_s0_x_max, const int32_t difference_1_s0_x_min, const int32_t difference_1_s0_y_max, const int32_t difference_1_s0_y_min, const int64_t difference_1_stride_1, const int64_t difference_1_stride_2, const int32_t first_extent_0, const int32_t first_extent_1, const int32_t first_min_0, const int32_t first_min_1, const int32_t first_min_2, const int32_t first_stride_1, const int32_t first_stride_2, const int32_t second_extent_0, const int32_t second_extent_1, const int32_t second_min_0, const int32_t second_min_1, const int32_t second_min_2, const int32_t second_stride_1, const int32_t second_stride_2, __global float *restrict difference_1, __global const uint8_t *restrict first, __global const uint8_t *restrict second) {
    const int32_t difference_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t difference_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t difference_1_s0_c = (int32_t)get_group_id(2);
    const int32_t difference_1_s0_y_base = min_int32(difference_1_s0_y_max - 7, difference_1_s0_y_1 * 8 + difference_1_s0_y_min);
    const int32_t difference_1_s0_x_base = min_int32(difference_1_s0_x_max - 31, difference_1_s0_x_1 * 32 + difference_1_s0_x_min);
    {
        const int32_t difference_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t difference_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = difference_1_s0_c * second_stride_2;
            const int32_t t2 = difference_1_s0_x_base * 2 + difference_1_s0_xi * 2;
            const int32_t t3 = t1 + max_int32(min_int32(t2, second_extent_0) - 1, 0);
            const int32_t t4 = difference_1_s0_yi * 2 + difference_1_s0_y_base * 2;
            const int32_t t5 = max_int32(min_int32(second_extent_1, t4) - 1, 0) * second_stride_1;
            const int32_t t6 = second_min_2 * second_stride_2;
            const int32_t t7 = second_min_1 * second_stride_1;
            const int32_t t8 = difference_1_s0_c * first_stride_2;
            const int32_t t9 = max_int32(min_int32(first_extent_1, t4) - 1, 0) * first_stride_1;
            const int32_t t10 = t8 + t9;
            const int32_t t11 = max_int32(min_int32(t2, first_extent_0) - 1, 0);
            const int32_t t12 = first_min_1 * first_stride_1;
            const int32_t t13 = first_min_2 * first_stride_2;
            const int32_t t14 = max_int32(min_int32(second_extent_1 - 1, t4), 0) * second_stride_1;
            const int32_t t15 = max_int32(min_int32(first_extent_1 - 1, t4), 0) * first_stride_1;
            const int32_t t16 = t8 + t15;
            const int32_t t17 = max_int32(min_int32(second_extent_1 - 2, t4) + 1, 0) * second_stride_1;
            const int32_t t18 = t8 + max_int32(min_int32(first_extent_1 - 2, t4) + 1, 0) * first_stride_1;
            const int32_t t19 = max_int32(min_int32(second_extent_1 - 3, t4) + 2, 0) * second_stride_1;
            const int32_t t20 = t8 + max_int32(min_int32(first_extent_1 - 3, t4) + 2, 0) * first_stride_1;
            const int32_t t21 = t1 + t5;
            const int32_t t22 = max_int32(min_int32(t2, second_extent_0 - 1), 0);
            const int32_t t23 = max_int32(min_int32(t2, first_extent_0 - 1), 0);
            const int32_t t24 = t1 + t22;
            const int32_t t25 = max_int32(min_int32(t2, second_extent_0 - 2) + 1, 0);
            const int32_t t26 = max_int32(min_int32(t2, first_extent_0 - 2) + 1, 0);
            const int32_t t27 = t8 + t26;
            const int32_t t28 = max_int32(min_int32(t2, second_extent_0 - 3) + 2, 0);
            const int32_t t29 = max_int32(min_int32(t2, first_extent_0 - 3) + 2, 0);
            const int32_t t30 = t1 + t28;
            difference_1[(int64_t)difference_1_s0_y_base * difference_1_stride_1 + (int64_t)difference_1_s0_x_base + (int64_t)difference_1_s0_yi * difference_1_stride_1 + (int64_t)difference_1_s0_xi + (int64_t)difference_1_s0_c * difference_1_stride_2 - (int64_t)difference_1_min_0 - (int64_t)difference_1_min_1 * difference_1_stride_1] = (((float)second[t3 + t5 - t6 - t7 - second_min_0] - (float)first[t10 + t11 - first_min_0 - t12 - t13] + 3.0f * ((float)second[t3 + t14 - t6 - t7 - second_min_0] - (float)first[t16 + t11 - first_min_0 - t12 - t13] + ((float)second[t3 + t17 - t6 - t7 - second_min_0] - (float)first[t18 + t11 - first_min_0 - t12 - t13])) + ((float)second[t3 + t19 - t6 - t7 - second_min_0] - (float)first[t20 + t11 - first_min_0 - t12 - t13])) / 8.0f + 3.0f * (((float)second[t21 + t22 - t6 - t7 - second_min_0] - (float)first[t10 + t23 - first_min_0 - t12 - t13] + 3.0f * ((float)second[t24 + t14 - t6 - t7 - second_min_0] - (float)first[t16 + t23 - first_min_0 - t12 - t13] + ((float)second[t24 + t17 - t6 - t7 - second_min_0] - (float)first[t18 + t23 - first_min_0 - t12 - t13])) + ((float)second[t24 + t19 - t6 - t7 - second_min_0] - (float)first[t20 + t23 - first_min_0 - t12 - t13])) / 8.0f + ((float)second[t21 + t25 - t6 - t7 - second_min_0] - (float)first[t27 + t9 - first_min_0 - t12 - t13] + 3.0f * ((float)second[t1 + t14 + t25 - t6 - t7 - second_min_0] - (float)first[t27 + t15 - first_min_0 - t12 - t13] + ((float)second[t1 + t17 + t25 - t6 - t7 - second_min_0] - (float)first[t18 + t26 - first_min_0 - t12 - t13])) + ((float)second[t1 + t19 + t25 - t6 - t7 - second_min_0] - (float)first[t20 + t26 - first_min_0 - t12 - t13])) / 8.0f) + ((float)second[t21 + t28 - t6 - t7 - second_min_0] - (float)first[t10 + t29 - first_min_0 - t12 - t13] + 3.0f * ((float)second[t30 + t14 - t6 - t7 - second_min_0] - (float)first[t16 + t29 - first_min_0 - t12 - t13] + ((float)second[t30 + t17 - t6 - t7 - second_min_0] - (float)first[t18 + t29 - first_min_0 - t12 - t13])) + ((float)second[t30 + t19 - t6 - t7 - second_min_0] - (float)first[t20 + t29 - first_min_0 - t12 - t13])) / 8.0f) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void mask_1_s0_x(const int32_t mask_extent_0, const int32_t mask_extent_1, const int32_t mask_min_0, const int32_t mask_min_1, const int32_t mask_stride_1, const int32_t mask_1_min_0, const int32_t mask_1_min_1, const int32_t mask_1_s0_x_max, const int32_t mask_1_s0_x_min, const int32_t mask_1_s0_y_max, const int32_t mask_1_s0_y_min, const int64_t mask_1_stride_1, __global const uint8_t *restrict mask, __global float *restrict mask_1) {
    const int32_t mask_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t mask_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t mask_1_s0_y_base = min_int32(mask_1_s0_y_max - 7, mask_1_s0_y_1 * 8 + mask_1_s0_y_min);
    const int32_t mask_1_s0_x_base = min_int32(mask_1_s0_x_max - 31, mask_1_s0_x_min + mask_1_s0_x_1 * 32);
    {
        const int32_t mask_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t mask_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = mask_1_s0_yi * 2 + mask_1_s0_y_base * 2;
            const int32_t t2 = max_int32(min_int32(t1, mask_extent_1) - 1, 0) * mask_stride_1;
            const int32_t t3 = mask_1_s0_xi * 2 + mask_1_s0_x_base * 2;
            const int32_t t4 = max_int32(min_int32(mask_extent_0, t3) - 1, 0);
            const int32_t t5 = mask_min_1 * mask_stride_1;
            const int32_t t6 = max_int32(min_int32(t1, mask_extent_1 - 1), 0) * mask_stride_1;
            const int32_t t7 = max_int32(min_int32(t1, mask_extent_1 - 2) + 1, 0) * mask_stride_1;
            const int32_t t8 = max_int32(min_int32(t1, mask_extent_1 - 3) + 2, 0) * mask_stride_1;
            const int32_t t9 = max_int32(min_int32(mask_extent_0 - 1, t3), 0);
            const int32_t t10 = max_int32(min_int32(mask_extent_0 - 2, t3) + 1, 0);
            const int32_t t11 = max_int32(min_int32(mask_extent_0 - 3, t3) + 2, 0);
            mask_1[(int64_t)mask_1_s0_y_base * mask_1_stride_1 + (int64_t)mask_1_s0_yi * mask_1_stride_1 + (int64_t)mask_1_s0_xi + (int64_t)mask_1_s0_x_base - (int64_t)mask_1_min_0 - (int64_t)mask_1_min_1 * mask_1_stride_1] = (((float)mask[t2 + t4 - t5 - mask_min_0] / 255.0f + 3.0f * ((float)mask[t4 + t6 - t5 - mask_min_0] / 255.0f + (float)mask[t7 + t4 - t5 - mask_min_0] / 255.0f) + (float)mask[t4 + t8 - t5 - mask_min_0] / 255.0f) / 8.0f + 3.0f * (((float)mask[t9 + t2 - t5 - mask_min_0] / 255.0f + 3.0f * ((float)mask[t9 + t6 - t5 - mask_min_0] / 255.0f + (float)mask[t9 + t7 - t5 - mask_min_0] / 255.0f) + (float)mask[t9 + t8 - t5 - mask_min_0] / 255.0f) / 8.0f + ((float)mask[t2 + t10 - t5 - mask_min_0] / 255.0f + 3.0f * ((float)mask[t10 + t6 - t5 - mask_min_0] / 255.0f + (float)mask[t7 + t10 - t5 - mask_min_0] / 255.0f) + (float)mask[t10 + t8 - t5 - mask_min_0] / 255.0f) / 8.0f) + ((float)mask[t11 + t2 - t5 - mask_min_0] / 255.0f + 3.0f * ((float)mask[t11 + t6 - t5 - mask_min_0] / 255.0f + (float)mask[t11 + t7 - t5 - mask_min_0] / 255.0f) + (float)mask[t11 + t8 - t5 - mask_min_0] / 255.0f) / 8.0f) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void difference_2_s0_x(const int32_t difference_1_min_0, const int32_t difference_1_min_1, const int64_t difference_1_stride_1, const int64_t difference_1_stride_2, const int32_t difference_2_min_0, const int32_t difference_2_min_1, const int32_t difference_2_s0_x_max, const int32_t difference_2_s0_x_min, const int32_t difference_2_s0_y_max, const int32_t difference_2_s0_y_min, const int64_t difference_2_stride_1, const int64_t difference_2_stride_2, __global const float *restrict difference_1, __global float *restrict difference_2) {
    const int32_t difference_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t difference_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t difference_2_s0_c = (int32_t)get_group_id(2);
    const int32_t difference_2_s0_y_base = min_int32(difference_2_s0_y_max - 7, difference_2_s0_y_1 * 8 + difference_2_s0_y_min);
    const int32_t difference_2_s0_x_base = min_int32(difference_2_s0_x_1 * 32 + difference_2_s0_x_min, difference_2_s0_x_max - 31);
    {
        const int32_t difference_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t difference_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)difference_2_s0_y_base * difference_1_stride_1 * 2 + (int64_t)difference_2_s0_x_base * 2 + (int64_t)difference_2_s0_c * difference_1_stride_2;
            const int64_t t2 = (int64_t)difference_2_s0_yi * difference_1_stride_1 * 2;
            const int64_t t3 = (int64_t)difference_2_s0_xi * 2;
            const int64_t t4 = t1 + t2 + t3 - (int64_t)difference_1_min_0;
            const int64_t t5 = (int64_t)difference_1_min_1 * difference_1_stride_1;
            const int64_t t6 = t4 - difference_1_stride_1 - t5;
            const int64_t t7 = t4 - t5;
            const int64_t t8 = t1 + difference_1_stride_1 + t2 + t3 - (int64_t)difference_1_min_0 - t5;
            const int64_t t9 = t1 + difference_1_stride_1 * 2 + t2 + t3 - (int64_t)difference_1_min_0 - t5;
            difference_2[(int64_t)difference_2_s0_x_base + (int64_t)difference_2_s0_yi * difference_2_stride_1 + (int64_t)difference_2_s0_c * difference_2_stride_2 + (int64_t)difference_2_s0_xi + (int64_t)difference_2_s0_y_base * difference_2_stride_1 - (int64_t)difference_2_min_1 * difference_2_stride_1 - (int64_t)difference_2_min_0] = ((difference_1[t6 - 1] + 3.0f * (difference_1[t7 - 1] + difference_1[t8 - 1]) + difference_1[t9 - 1]) / 8.0f + 3.0f * ((difference_1[t6] + 3.0f * (difference_1[t7] + difference_1[t8]) + difference_1[t9]) / 8.0f + (difference_1[t6 + 1] + 3.0f * (difference_1[t7 + 1] + difference_1[t8 + 1]) + difference_1[t9 + 1]) / 8.0f) + (difference_1[t6 + 2] + 3.0f * (difference_1[t7 + 2] + difference_1[t8 + 2]) + difference_1[t9 + 2]) / 8.0f) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void mask_2_s0_x(const int32_t change_2_s0_x_max, const int32_t change_2_s0_x_min, const int32_t change_2_s0_y_max, const int32_t change_2_s0_y_min, const int32_t mask_1_min_0, const int32_t mask_1_min_1, const int64_t mask_1_stride_1, const int32_t mask_2_min_0, const int32_t mask_2_min_1, const int64_t mask_2_stride_1, __global const float *restrict mask_1, __global float *restrict mask_2) {
    const int32_t mask_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t mask_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t mask_2_s0_y_base = min_int32(mask_2_s0_y_1 * 8 + change_2_s0_y_min, change_2_s0_y_max - 7);
    const int32_t mask_2_s0_x_base = min_int32(mask_2_s0_x_1 * 32 + change_2_s0_x_min, change_2_s0_x_max - 31);
    {
        const int32_t mask_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t mask_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)mask_2_s0_xi * 2 + (int64_t)mask_2_s0_yi * mask_1_stride_1 * 2 + (int64_t)mask_2_s0_y_base * mask_1_stride_1 * 2 + (int64_t)mask_2_s0_x_base * 2;
            const int64_t t2 = t1 - (int64_t)mask_1_min_0;
            const int64_t t3 = (int64_t)mask_1_min_1 * mask_1_stride_1;
            const int64_t t4 = t2 - mask_1_stride_1 - t3;
            const int64_t t5 = t2 - t3;
            const int64_t t6 = t1 + mask_1_stride_1 - (int64_t)mask_1_min_0 - t3;
            const int64_t t7 = t1 + mask_1_stride_1 * 2 - (int64_t)mask_1_min_0 - t3;
            mask_2[(int64_t)mask_2_s0_xi + (int64_t)mask_2_s0_y_base * mask_2_stride_1 + (int64_t)mask_2_s0_x_base + (int64_t)mask_2_s0_yi * mask_2_stride_1 - (int64_t)mask_2_min_1 * mask_2_stride_1 - (int64_t)mask_2_min_0] = ((mask_1[t4 - 1] + 3.0f * (mask_1[t5 - 1] + mask_1[t6 - 1]) + mask_1[t7 - 1]) / 8.0f + 3.0f * ((mask_1[t4] + 3.0f * (mask_1[t5] + mask_1[t6]) + mask_1[t7]) / 8.0f + (mask_1[t4 + 1] + 3.0f * (mask_1[t5 + 1] + mask_1[t6 + 1]) + mask_1[t7 + 1]) / 8.0f) + (mask_1[t4 + 2] + 3.0f * (mask_1[t5 + 2] + mask_1[t6 + 2]) + mask_1[t7 + 2]) / 8.0f) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void change_2_s0_x(const int32_t change_2_min_0, const int32_t change_2_min_1, const int32_t change_2_s0_x_max, const int32_t change_2_s0_x_min, const int32_t change_2_s0_y_max, const int32_t change_2_s0_y_min, const int64_t change_2_stride_1, const int64_t change_2_stride_2, const int32_t difference_2_min_0, const int32_t difference_2_min_1, const int64_t difference_2_stride_1, const int64_t difference_2_stride_2, const int32_t mask_2_min_0, const int32_t mask_2_min_1, const int64_t mask_2_stride_1, __global float *restrict change_2, __global const float *restrict difference_2, __global const float *restrict mask_2) {
    const int32_t change_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t change_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t change_2_s0_c = (int32_t)get_group_id(2);
    const int32_t change_2_s0_y_base = min_int32(change_2_s0_y_min + change_2_s0_y_1 * 8, change_2_s0_y_max - 7);
    const int32_t change_2_s0_x_base = min_int32(change_2_s0_x_min + change_2_s0_x_1 * 32, change_2_s0_x_max - 31);
    {
        const int32_t change_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t change_2_s0_xi = (int32_t)get_local_id(0);
        change_2[(int64_t)change_2_s0_yi * change_2_stride_1 + (int64_t)change_2_s0_y_base * change_2_stride_1 + (int64_t)change_2_s0_xi + (int64_t)change_2_s0_x_base + (int64_t)change_2_s0_c * change_2_stride_2 - (int64_t)change_2_min_1 * change_2_stride_1 - (int64_t)change_2_min_0] = mask_2[(int64_t)change_2_s0_yi * mask_2_stride_1 + (int64_t)change_2_s0_y_base * mask_2_stride_1 + (int64_t)change_2_s0_xi + (int64_t)change_2_s0_x_base - (int64_t)mask_2_min_1 * mask_2_stride_1 - (int64_t)mask_2_min_0] * difference_2[(int64_t)change_2_s0_y_base * difference_2_stride_1 + (int64_t)change_2_s0_yi * difference_2_stride_1 + (int64_t)change_2_s0_xi + (int64_t)change_2_s0_c * difference_2_stride_2 + (int64_t)change_2_s0_x_base - (int64_t)difference_2_min_1 * difference_2_stride_1 - (int64_t)difference_2_min_0];
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void change_1_s0_x(const int32_t change_1_min_0, const int32_t change_1_min_1, const int32_t change_1_s0_x_max, const int32_t change_1_s0_x_min, const int32_t change_1_s0_y_max, const int32_t change_1_s0_y_min, const int64_t change_1_stride_1, const int64_t change_1_stride_2, const int32_t change_2_min_0, const int32_t change_2_min_1, const int64_t change_2_stride_1, const int64_t change_2_stride_2, const int32_t difference_1_min_0, const int32_t difference_1_min_1, const int64_t difference_1_stride_1, const int64_t difference_1_stride_2, const int32_t difference_2_min_0, const int32_t difference_2_min_1, const int64_t difference_2_stride_1, const int64_t difference_2_stride_2, const int32_t mask_1_min_0, const int32_t mask_1_min_1, const int64_t mask_1_stride_1, __global const float *restrict change_2, __global const float *restrict difference_1, __global const float *restrict difference_2, __global const float *restrict mask_1, __global float *restrict mask_2) {
    const int32_t change_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t change_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t change_1_s0_c = (int32_t)get_group_id(2);
    const int32_t change_1_s0_y_base = min_int32(change_1_s0_y_min + change_1_s0_y_1 * 8, change_1_s0_y_max - 7);
    const int32_t change_1_s0_x_base = min_int32(change_1_s0_x_min + change_1_s0_x_1 * 32, change_1_s0_x_max - 31);
    {
        const int32_t change_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t change_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = change_1_s0_y_base + change_1_s0_yi;
            const int64_t t2 = (int64_t)(int32_t)((t1 + 1) >> 1);
            const int32_t t3 = change_1_s0_x_base + change_1_s0_xi;
            const int64_t t4 = (int64_t)(int32_t)((t3 + 1) >> 1);
            const int64_t t5 = t2 * difference_2_stride_1 + t4 + (int64_t)change_1_s0_c * difference_2_stride_2 - (int64_t)difference_2_min_1 * difference_2_stride_1;
            const int64_t t6 = t5 - (int64_t)difference_2_min_0;
            const int32_t t7 = add_int32(change_1_s0_y_base, change_1_s0_yi);
            const float t8 = 0.25f + 0.5f * (float)(int32_t)(t7 & 1);
            const float t9 = 1.0f - t8;
            const int64_t t10 = t5 - difference_2_stride_1 - (int64_t)difference_2_min_0;
            const int32_t t11 = add_int32(change_1_s0_x_base, change_1_s0_xi);
            const float t12 = 0.25f + 0.5f * (float)(int32_t)(t11 & 1);
            const float t13 = 1.0f - t12;
            const int64_t t14 = t2 * change_2_stride_1 + (int64_t)change_1_s0_c * change_2_stride_2 + t4 - (int64_t)change_2_min_1 * change_2_stride_1;
            const int64_t t15 = t14 - (int64_t)change_2_min_0;
            const int64_t t16 = t14 - change_2_stride_1 - (int64_t)change_2_min_0;
            mask_2[(int64_t)change_1_s0_yi * change_1_stride_1 + (int64_t)change_1_s0_y_base * change_1_stride_1 + (int64_t)change_1_s0_c * change_1_stride_2 + (int64_t)change_1_s0_xi + (int64_t)change_1_s0_x_base - (int64_t)change_1_min_1 * change_1_stride_1 - (int64_t)change_1_min_0] = mask_1[(int64_t)change_1_s0_yi * mask_1_stride_1 + (int64_t)change_1_s0_y_base * mask_1_stride_1 + (int64_t)change_1_s0_xi + (int64_t)change_1_s0_x_base - (int64_t)mask_1_min_0 - (int64_t)mask_1_min_1 * mask_1_stride_1] * (difference_1[(int64_t)change_1_s0_yi * difference_1_stride_1 + (int64_t)change_1_s0_xi + (int64_t)change_1_s0_x_base + (int64_t)change_1_s0_y_base * difference_1_stride_1 + (int64_t)change_1_s0_c * difference_1_stride_2 - (int64_t)difference_1_min_0 - (int64_t)difference_1_min_1 * difference_1_stride_1] - ((difference_2[t6] * t9 + difference_2[t10] * t8) * t13 + (difference_2[t6 - 1] * t9 + difference_2[t10 - 1] * t8) * t12)) + ((change_2[t15] * t9 + change_2[t16] * t8) * t13 + (change_2[t15 - 1] * t9 + change_2[t16 - 1] * t8) * t12);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void pyramid_blend_s0_x(const int32_t change_1_min_0, const int32_t change_1_min_1, const int64_t change_1_stride_1, const int64_t change_1_stride_2, const int32_t difference_1_min_0, const int32_t difference_1_min_1, const int64_t difference_1_stride_1, const int64_t difference_1_stride_2, const int32_t first_extent_0, const int32_t first_extent_1, const int32_t first_min_0, const int32_t first_min_1, const int32_t first_min_2, const int32_t first_stride_1, const int32_t first_stride_2, const int32_t mask_extent_0, const int32_t mask_extent_1, const int32_t mask_min_0, const int32_t mask_min_1, const int32_t mask_stride_1, const int32_t pyramid_blend_extent_0, const int32_t pyramid_blend_extent_1, const int32_t pyramid_blend_min_0, const int32_t pyramid_blend_min_1, const int32_t pyramid_blend_min_2, const int32_t pyramid_blend_stride_1, const int32_t pyramid_blend_stride_2, const int32_t second_extent_0, const int32_t second_extent_1, const int32_t second_min_0, const int32_t second_min_1, const int32_t second_min_2, const int32_t second_stride_1, const int32_t second_stride_2, __global const float *restrict difference_1, __global const uint8_t *restrict first, __global const uint8_t *restrict mask, __global const float *restrict mask_2, __global uint8_t *restrict pyramid_blend, __global const uint8_t *restrict second) {
    const int32_t pyramid_blend_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t pyramid_blend_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t pyramid_blend_s0_c = (int32_t)get_group_id(2);
    const int32_t pyramid_blend_s0_y_base = min_int32(pyramid_blend_min_1 + pyramid_blend_s0_y_1 * 8, pyramid_blend_extent_1 + pyramid_blend_min_1 - 8);
    const int32_t pyramid_blend_s0_x_base = min_int32(pyramid_blend_s0_x_1 * 32 + pyramid_blend_min_0, pyramid_blend_extent_0 + pyramid_blend_min_0 - 32);
    {
        const int32_t pyramid_blend_s0_yi = (int32_t)get_local_id(1);
        const int32_t pyramid_blend_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = pyramid_blend_s0_yi + pyramid_blend_s0_y_base;
            const int32_t t2 = pyramid_blend_s0_xi + pyramid_blend_s0_x_base;
            const float t3 = (float)first[max_int32(min_int32(first_extent_1 - 1, t1), 0) * first_stride_1 + max_int32(min_int32(first_extent_0 - 1, t2), 0) + pyramid_blend_s0_c * first_stride_2 - first_min_0 - first_min_1 * first_stride_1 - first_min_2 * first_stride_2];
            const int64_t t4 = (int64_t)(int32_t)((t2 + 1) >> 1);
            const int64_t t5 = (int64_t)(int32_t)((t1 + 1) >> 1);
            const int64_t t6 = t4 + (int64_t)pyramid_blend_s0_c * difference_1_stride_2 + t5 * difference_1_stride_1 - (int64_t)difference_1_min_0;
            const int64_t t7 = (int64_t)difference_1_min_1 * difference_1_stride_1;
            const int64_t t8 = t6 - t7;
            const int32_t t9 = add_int32(pyramid_blend_s0_yi, pyramid_blend_s0_y_base);
            const float t10 = 0.25f + 0.5f * (float)(int32_t)(t9 & 1);
            const float t11 = 1.0f - t10;
            const int64_t t12 = t6 - difference_1_stride_1 - t7;
            const int32_t t13 = add_int32(pyramid_blend_s0_xi, pyramid_blend_s0_x_base);
            const float t14 = 0.25f + 0.5f * (float)(int32_t)(t13 & 1);
            const float t15 = 1.0f - t14;
            const int64_t t16 = t4 + (int64_t)pyramid_blend_s0_c * change_1_stride_2 + t5 * change_1_stride_1 - (int64_t)change_1_min_1 * change_1_stride_1;
            const int64_t t17 = t16 - (int64_t)change_1_min_0;
            const int64_t t18 = t16 - change_1_stride_1 - (int64_t)change_1_min_0;
            pyramid_blend[pyramid_blend_s0_x_base + pyramid_blend_s0_yi * pyramid_blend_stride_1 + pyramid_blend_s0_xi + pyramid_blend_s0_c * pyramid_blend_stride_2 + pyramid_blend_s0_y_base * pyramid_blend_stride_1 - pyramid_blend_min_0 - pyramid_blend_min_1 * pyramid_blend_stride_1 - pyramid_blend_min_2 * pyramid_blend_stride_2] = (uint8_t)(int64_t)max_float32(min_float32(t3 + ((float)mask[max_int32(min_int32(t1, mask_extent_1 - 1), 0) * mask_stride_1 + max_int32(min_int32(mask_extent_0 - 1, t2), 0) - mask_min_1 * mask_stride_1 - mask_min_0] / 255.0f * ((float)second[max_int32(min_int32(t2, second_extent_0 - 1), 0) + max_int32(min_int32(second_extent_1 - 1, t1), 0) * second_stride_1 + pyramid_blend_s0_c * second_stride_2 - second_min_2 * second_stride_2 - second_min_1 * second_stride_1 - second_min_0] - t3 - ((difference_1[t8] * t11 + difference_1[t12] * t10) * t15 + (difference_1[t8 - 1] * t11 + difference_1[t12 - 1] * t10) * t14)) + ((mask_2[t17] * t11 + mask_2[t18] * t10) * t15 + (mask_2[t17 - 1] * t11 + mask_2[t18 - 1] * t10) * t14)) + 0.5f, 255.0f), 0.0f);
        }
    }
}
