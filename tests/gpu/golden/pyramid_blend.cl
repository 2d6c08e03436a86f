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
            const int32_t t1 = difference_1_s0_y_base * 2 + difference_1_s0_yi * 2;
            const int32_t t2 = max_int32(min_int32(t1, second_extent_1) - 1, 0) * second_stride_1;
            const int32_t t3 = difference_1_s0_x_base * 2 + difference_1_s0_xi * 2;
            const int32_t t4 = max_int32(min_int32(second_extent_0, t3) - 1, 0);
            const int32_t t5 = difference_1_s0_c * second_stride_2;
            const int32_t t6 = second_min_1 * second_stride_1;
            const int32_t t7 = second_min_2 * second_stride_2;
            const int32_t t8 = max_int32(min_int32(t1, first_extent_1) - 1, 0) * first_stride_1;
            const int32_t t9 = max_int32(min_int32(first_extent_0, t3) - 1, 0);
            const int32_t t10 = difference_1_s0_c * first_stride_2;
            const int32_t t11 = first_min_1 * first_stride_1;
            const int32_t t12 = first_min_2 * first_stride_2;
            const int32_t t13 = max_int32(min_int32(t1, second_extent_1 - 1), 0) * second_stride_1;
            const int32_t t14 = max_int32(min_int32(t1, first_extent_1 - 1), 0) * first_stride_1;
            const int32_t t15 = max_int32(min_int32(t1, second_extent_1 - 2) + 1, 0) * second_stride_1;
            const int32_t t16 = max_int32(min_int32(t1, first_extent_1 - 2) + 1, 0) * first_stride_1;
            const int32_t t17 = max_int32(min_int32(t1, second_extent_1 - 3) + 2, 0) * second_stride_1;
            const int32_t t18 = max_int32(min_int32(t1, first_extent_1 - 3) + 2, 0) * first_stride_1;
            const int32_t t19 = max_int32(min_int32(second_extent_0 - 1, t3), 0);
            const int32_t t20 = t8 + t10;
            const int32_t t21 = max_int32(min_int32(first_extent_0 - 1, t3), 0);
            const int32_t t22 = t16 + t10;
            const int32_t t23 = t18 + t10;
            const int32_t t24 = max_int32(min_int32(second_extent_0 - 2, t3) + 1, 0);
            const int32_t t25 = max_int32(min_int32(first_extent_0 - 2, t3) + 1, 0);
            const int32_t t26 = max_int32(min_int32(second_extent_0 - 3, t3) + 2, 0);
            const int32_t t27 = max_int32(min_int32(first_extent_0 - 3, t3) + 2, 0);
            difference_1[(int64_t)difference_1_s0_y_base * difference_1_stride_1 + (int64_t)difference_1_s0_x_base + (int64_t)difference_1_s0_xi + (int64_t)difference_1_s0_c * difference_1_stride_2 + (int64_t)difference_1_s0_yi * difference_1_stride_1 - (int64_t)difference_1_min_0 - (int64_t)difference_1_min_1 * difference_1_stride_1] = (((float)second[t2 + t4 + t5 - second_min_0 - t6 - t7] - (float)first[t8 + t9 + t10 - t11 - t12 - first_min_0] + 3.0f * ((float)second[t13 + t4 + t5 - second_min_0 - t6 - t7] - (float)first[t9 + t10 + t14 - t11 - t12 - first_min_0] + ((float)second[t15 + t4 + t5 - second_min_0 - t6 - t7] - (float)first[t16 + t9 + t10 - t11 - t12 - first_min_0])) + ((float)second[t4 + t5 + t17 - second_min_0 - t6 - t7] - (float)first[t9 + t18 + t10 - t11 - t12 - first_min_0])) / 8.0f + 3.0f * (((float)second[t2 + t19 + t5 - second_min_0 - t6 - t7] - (float)first[t20 + t21 - t11 - t12 - first_min_0] + 3.0f * ((float)second[t19 + t13 + t5 - second_min_0 - t6 - t7] - (float)first[t10 + t21 + t14 - t11 - t12 - first_min_0] + ((float)second[t19 + t15 + t5 - second_min_0 - t6 - t7] - (float)first[t22 + t21 - t11 - t12 - first_min_0])) + ((float)second[t19 + t5 + t17 - second_min_0 - t6 - t7] - (float)first[t23 + t21 - t11 - t12 - first_min_0])) / 8.0f + ((float)second[t2 + t24 + t5 - second_min_0 - t6 - t7] - (float)first[t20 + t25 - t11 - t12 - first_min_0] + 3.0f * ((float)second[t13 + t24 + t5 - second_min_0 - t6 - t7] - (float)first[t10 + t25 + t14 - t11 - t12 - first_min_0] + ((float)second[t15 + t24 + t5 - second_min_0 - t6 - t7] - (float)first[t22 + t25 - t11 - t12 - first_min_0])) + ((float)second[t24 + t5 + t17 - second_min_0 - t6 - t7] - (float)first[t23 + t25 - t11 - t12 - first_min_0])) / 8.0f) + ((float)second[t2 + t26 + t5 - second_min_0 - t6 - t7] - (float)first[t20 + t27 - t11 - t12 - first_min_0] + 3.0f * ((float)second[t26 + t13 + t5 - second_min_0 - t6 - t7] - (float)first[t10 + t14 + t27 - t11 - t12 - first_min_0] + ((float)second[t26 + t15 + t5 - second_min_0 - t6 - t7] - (float)first[t22 + t27 - t11 - t12 - first_min_0])) + ((float)second[t26 + t5 + t17 - second_min_0 - t6 - t7] - (float)first[t23 + t27 - t11 - t12 - first_min_0])) / 8.0f) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void mask_1_s0_x(const int32_t mask_extent_0, const int32_t mask_extent_1, const int32_t mask_min_0, const int32_t mask_min_1, const int32_t mask_stride_1, const int32_t mask_1_min_0, const int32_t mask_1_min_1, const int32_t mask_1_s0_x_max, const int32_t mask_1_s0_x_min, const int32_t mask_1_s0_y_max, const int32_t mask_1_s0_y_min, const int64_t mask_1_stride_1, __global const uint8_t *restrict mask, __global float *restrict mask_1) {
    const int32_t mask_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t mask_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t mask_1_s0_y_base = min_int32(mask_1_s0_y_max - 7, mask_1_s0_y_1 * 8 + mask_1_s0_y_min);
    const int32_t mask_1_s0_x_base = min_int32(mask_1_s0_x_min + mask_1_s0_x_1 * 32, mask_1_s0_x_max - 31);
    {
        const int32_t mask_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t mask_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = mask_1_s0_yi * 2 + mask_1_s0_y_base * 2;
            const int32_t t2 = max_int32(min_int32(mask_extent_1, t1) - 1, 0) * mask_stride_1;
            const int32_t t3 = mask_1_s0_x_base * 2 + mask_1_s0_xi * 2;
            const int32_t t4 = max_int32(min_int32(t3, mask_extent_0) - 1, 0);
            const int32_t t5 = mask_min_1 * mask_stride_1;
            const int32_t t6 = max_int32(min_int32(mask_extent_1 - 1, t1), 0) * mask_stride_1;
            const int32_t t7 = max_int32(min_int32(mask_extent_1 - 2, t1) + 1, 0) * mask_stride_1;
            const int32_t t8 = max_int32(min_int32(mask_extent_1 - 3, t1) + 2, 0) * mask_stride_1;
            const int32_t t9 = max_int32(min_int32(t3, mask_extent_0 - 1), 0);
            const int32_t t10 = max_int32(min_int32(t3, mask_extent_0 - 2) + 1, 0);
            const int32_t t11 = max_int32(min_int32(t3, mask_extent_0 - 3) + 2, 0);
            mask_1[(int64_t)mask_1_s0_x_base + (int64_t)mask_1_s0_y_base * mask_1_stride_1 + (int64_t)mask_1_s0_yi * mask_1_stride_1 + (int64_t)mask_1_s0_xi - (int64_t)mask_1_min_1 * mask_1_stride_1 - (int64_t)mask_1_min_0] = (((float)mask[t2 + t4 - t5 - mask_min_0] / 255.0f + 3.0f * ((float)mask[t4 + t6 - t5 - mask_min_0] / 255.0f + (float)mask[t4 + t7 - t5 - mask_min_0] / 255.0f) + (float)mask[t4 + t8 - t5 - mask_min_0] / 255.0f) / 8.0f + 3.0f * (((float)mask[t2 + t9 - t5 - mask_min_0] / 255.0f + 3.0f * ((float)mask[t9 + t6 - t5 - mask_min_0] / 255.0f + (float)mask[t9 + t7 - t5 - mask_min_0] / 255.0f) + (float)mask[t9 + t8 - t5 - mask_min_0] / 255.0f) / 8.0f + ((float)mask[t10 + t2 - t5 - mask_min_0] / 255.0f + 3.0f * ((float)mask[t10 + t6 - t5 - mask_min_0] / 255.0f + (float)mask[t10 + t7 - t5 - mask_min_0] / 255.0f) + (float)mask[t10 + t8 - t5 - mask_min_0] / 255.0f) / 8.0f) + ((float)mask[t2 + t11 - t5 - mask_min_0] / 255.0f + 3.0f * ((float)mask[t6 + t11 - t5 - mask_min_0] / 255.0f + (float)mask[t11 + t7 - t5 - mask_min_0] / 255.0f) + (float)mask[t11 + t8 - t5 - mask_min_0] / 255.0f) / 8.0f) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void difference_2_s0_x(const int32_t difference_1_min_0, const int32_t difference_1_min_1, const int64_t difference_1_stride_1, const int64_t difference_1_stride_2, const int32_t difference_2_min_0, const int32_t difference_2_min_1, const int32_t difference_2_s0_x_max, const int32_t difference_2_s0_x_min, const int32_t difference_2_s0_y_max, const int32_t difference_2_s0_y_min, const int64_t difference_2_stride_1, const int64_t difference_2_stride_2, __global const float *restrict difference_1, __global float *restrict difference_2) {
    const int32_t difference_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t difference_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t difference_2_s0_c = (int32_t)get_group_id(2);
    const int32_t difference_2_s0_y_base = min_int32(difference_2_s0_y_max - 7, difference_2_s0_y_1 * 8 + difference_2_s0_y_min);
    const int32_t difference_2_s0_x_base = min_int32(difference_2_s0_x_max - 31, difference_2_s0_x_1 * 32 + difference_2_s0_x_min);
    {
        const int32_t difference_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t difference_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)difference_2_s0_y_base * difference_1_stride_1 * 2;
            const int64_t t2 = (int64_t)difference_2_s0_x_base * 2;
            const int64_t t3 = (int64_t)difference_2_s0_xi * 2;
            const int64_t t4 = (int64_t)difference_2_s0_c * difference_1_stride_2;
            const int64_t t5 = (int64_t)difference_2_s0_yi * difference_1_stride_1 * 2;
            const int64_t t6 = t1 + t2 + t3 + t4 + t5 - (int64_t)difference_1_min_0;
            const int64_t t7 = (int64_t)difference_1_min_1 * difference_1_stride_1;
            const int64_t t8 = t6 - difference_1_stride_1 - t7;
            const int64_t t9 = t6 - t7;
            const int64_t t10 = t1 + difference_1_stride_1 + t2 + t3 + t4 + t5 - (int64_t)difference_1_min_0 - t7;
            const int64_t t11 = t1 + difference_1_stride_1 * 2 + t2 + t3 + t4 + t5 - (int64_t)difference_1_min_0 - t7;
            difference_2[(int64_t)difference_2_s0_y_base * difference_2_stride_1 + (int64_t)difference_2_s0_x_base + (int64_t)difference_2_s0_xi + (int64_t)difference_2_s0_c * difference_2_stride_2 + (int64_t)difference_2_s0_yi * difference_2_stride_1 - (int64_t)difference_2_min_0 - (int64_t)difference_2_min_1 * difference_2_stride_1] = ((difference_1[t8 - 1] + 3.0f * (difference_1[t9 - 1] + difference_1[t10 - 1]) + difference_1[t11 - 1]) / 8.0f + 3.0f * ((difference_1[t8] + 3.0f * (difference_1[t9] + difference_1[t10]) + difference_1[t11]) / 8.0f + (difference_1[t8 + 1] + 3.0f * (difference_1[t9 + 1] + difference_1[t10 + 1]) + difference_1[t11 + 1]) / 8.0f) + (difference_1[t8 + 2] + 3.0f * (difference_1[t9 + 2] + difference_1[t10 + 2]) + difference_1[t11 + 2]) / 8.0f) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void mask_2_s0_x(const int32_t change_2_s0_x_max, const int32_t change_2_s0_x_min, const int32_t change_2_s0_y_max, const int32_t change_2_s0_y_min, const int32_t mask_1_min_0, const int32_t mask_1_min_1, const int64_t mask_1_stride_1, const int32_t mask_2_min_0, const int32_t mask_2_min_1, const int64_t mask_2_stride_1, __global const float *restrict mask_1, __global float *restrict mask_2) {
    const int32_t mask_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t mask_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t mask_2_s0_y_base = min_int32(change_2_s0_y_max - 7, change_2_s0_y_min + mask_2_s0_y_1 * 8);
    const int32_t mask_2_s0_x_base = min_int32(change_2_s0_x_max - 31, change_2_s0_x_min + mask_2_s0_x_1 * 32);
    {
        const int32_t mask_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t mask_2_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)mask_2_s0_x_base * 2 + (int64_t)mask_2_s0_y_base * mask_1_stride_1 * 2;
            const int64_t t2 = (int64_t)mask_2_s0_yi * mask_1_stride_1 * 2;
            const int64_t t3 = (int64_t)mask_2_s0_xi * 2;
            const int64_t t4 = (int64_t)mask_1_min_1 * mask_1_stride_1;
            const int64_t t5 = t1 + t2 + t3 - t4;
            const int64_t t6 = t5 - mask_1_stride_1 - (int64_t)mask_1_min_0;
            const int64_t t7 = t5 - (int64_t)mask_1_min_0;
            const int64_t t8 = t1 + mask_1_stride_1 + t2 + t3 - t4 - (int64_t)mask_1_min_0;
            const int64_t t9 = t1 + mask_1_stride_1 * 2 + t2 + t3 - t4 - (int64_t)mask_1_min_0;
            mask_2[(int64_t)mask_2_s0_x_base + (int64_t)mask_2_s0_y_base * mask_2_stride_1 + (int64_t)mask_2_s0_yi * mask_2_stride_1 + (int64_t)mask_2_s0_xi - (int64_t)mask_2_min_1 * mask_2_stride_1 - (int64_t)mask_2_min_0] = ((mask_1[t6 - 1] + 3.0f * (mask_1[t7 - 1] + mask_1[t8 - 1]) + mask_1[t9 - 1]) / 8.0f + 3.0f * ((mask_1[t6] + 3.0f * (mask_1[t7] + mask_1[t8]) + mask_1[t9]) / 8.0f + (mask_1[t6 + 1] + 3.0f * (mask_1[t7 + 1] + mask_1[t8 + 1]) + mask_1[t9 + 1]) / 8.0f) + (mask_1[t6 + 2] + 3.0f * (mask_1[t7 + 2] + mask_1[t8 + 2]) + mask_1[t9 + 2]) / 8.0f) / 8.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void change_2_s0_x(const int32_t change_2_min_0, const int32_t change_2_min_1, const int32_t change_2_s0_x_max, const int32_t change_2_s0_x_min, const int32_t change_2_s0_y_max, const int32_t change_2_s0_y_min, const int64_t change_2_stride_1, const int64_t change_2_stride_2, const int32_t difference_2_min_0, const int32_t difference_2_min_1, const int64_t difference_2_stride_1, const int64_t difference_2_stride_2, const int32_t mask_2_min_0, const int32_t mask_2_min_1, const int64_t mask_2_stride_1, __global float *restrict change_2, __global const float *restrict difference_2, __global const float *restrict mask_2) {
    const int32_t change_2_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t change_2_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t change_2_s0_c = (int32_t)get_group_id(2);
    const int32_t change_2_s0_y_base = min_int32(change_2_s0_y_min + change_2_s0_y_1 * 8, change_2_s0_y_max - 7);
    const int32_t change_2_s0_x_base = min_int32(change_2_s0_x_max - 31, change_2_s0_x_min + change_2_s0_x_1 * 32);
    {
        const int32_t change_2_s0_yi = (int32_t)get_local_id(1);
        const int32_t change_2_s0_xi = (int32_t)get_local_id(0);
        change_2[(int64_t)change_2_s0_yi * change_2_stride_1 + (int64_t)change_2_s0_xi + (int64_t)change_2_s0_x_base + (int64_t)change_2_s0_y_base * change_2_stride_1 + (int64_t)change_2_s0_c * change_2_stride_2 - (int64_t)change_2_min_1 * change_2_stride_1 - (int64_t)change_2_min_0] = mask_2[(int64_t)change_2_s0_xi + (int64_t)change_2_s0_y_base * mask_2_stride_1 + (int64_t)change_2_s0_yi * mask_2_stride_1 + (int64_t)change_2_s0_x_base - (int64_t)mask_2_min_1 * mask_2_stride_1 - (int64_t)mask_2_min_0] * difference_2[(int64_t)change_2_s0_yi * difference_2_stride_1 + (int64_t)change_2_s0_xi + (int64_t)change_2_s0_c * difference_2_stride_2 + (int64_t)change_2_s0_y_base * difference_2_stride_1 + (int64_t)change_2_s0_x_base - (int64_t)difference_2_min_0 - (int64_t)difference_2_min_1 * difference_2_stride_1];
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void change_1_s0_x(const int32_t change_1_min_0, const int32_t change_1_min_1, const int32_t change_1_s0_x_max, const int32_t change_1_s0_x_min, const int32_t change_1_s0_y_max, const int32_t change_1_s0_y_min, const int64_t change_1_stride_1, const int64_t change_1_stride_2, const int32_t change_2_min_0, const int32_t change_2_min_1, const int64_t change_2_stride_1, const int64_t change_2_stride_2, const int32_t difference_1_min_0, const int32_t difference_1_min_1, const int64_t difference_1_stride_1, const int64_t difference_1_stride_2, const int32_t difference_2_min_0, const int32_t difference_2_min_1, const int64_t difference_2_stride_1, const int64_t difference_2_stride_2, const int32_t mask_1_min_0, const int32_t mask_1_min_1, const int64_t mask_1_stride_1, __global const float *restrict change_2, __global const float *restrict difference_1, __global const float *restrict difference_2, __global const float *restrict mask_1, __global float *restrict mask_2) {
    const int32_t change_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t change_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t change_1_s0_c = (int32_t)get_group_id(2);
    const int32_t change_1_s0_y_base = min_int32(change_1_s0_y_min + change_1_s0_y_1 * 8, change_1_s0_y_max - 7);
    const int32_t change_1_s0_x_base = min_int32(change_1_s0_x_max - 31, change_1_s0_x_min + change_1_s0_x_1 * 32);
    {
        const int32_t change_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t change_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = change_1_s0_yi + change_1_s0_y_base;
            const int64_t t2 = (int64_t)(int32_t)((t1 + 1) >> 1);
            const int32_t t3 = change_1_s0_x_base + change_1_s0_xi;
            const int64_t t4 = (int64_t)(int32_t)((t3 + 1) >> 1);
            const int64_t t5 = (int64_t)change_1_s0_c * difference_2_stride_2 + t2 * difference_2_stride_1 + t4 - (int64_t)difference_2_min_0;
            const int64_t t6 = (int64_t)difference_2_min_1 * difference_2_stride_1;
            const int64_t t7 = t5 - t6;
            const int32_t t8 = add_int32(change_1_s0_yi, change_1_s0_y_base);
            const float t9 = 0.25f + 0.5f * (float)(int32_t)(t8 & 1);
            const float t10 = 1.0f - t9;
            const int64_t t11 = t5 - difference_2_stride_1 - t6;
            const int32_t t12 = add_int32(change_1_s0_x_base, change_1_s0_xi);
            const float t13 = 0.25f + 0.5f * (float)(int32_t)(t12 & 1);
            const float t14 = 1.0f - t13;
            const int64_t t15 = t2 * change_2_stride_1 + (int64_t)change_1_s0_c * change_2_stride_2 + t4;
            const int64_t t16 = (int64_t)change_2_min_1 * change_2_stride_1;
            const int64_t t17 = t15 - t16 - (int64_t)change_2_min_0;
            const int64_t t18 = t15 - change_2_stride_1 - t16 - (int64_t)change_2_min_0;
            mask_2[(int64_t)change_1_s0_yi * change_1_stride_1 + (int64_t)change_1_s0_xi + (int64_t)change_1_s0_x_base + (int64_t)change_1_s0_y_base * change_1_stride_1 + (int64_t)change_1_s0_c * change_1_stride_2 - (int64_t)change_1_min_1 * change_1_stride_1 - (int64_t)change_1_min_0] = mask_1[(int64_t)change_1_s0_xi + (int64_t)change_1_s0_y_base * mask_1_stride_1 + (int64_t)change_1_s0_yi * mask_1_stride_1 + (int64_t)change_1_s0_x_base - (int64_t)mask_1_min_1 * mask_1_stride_1 - (int64_t)mask_1_min_0] * (difference_1[(int64_t)change_1_s0_yi * difference_1_stride_1 + (int64_t)change_1_s0_xi + (int64_t)change_1_s0_c * difference_1_stride_2 + (int64_t)change_1_s0_y_base * difference_1_stride_1 + (int64_t)change_1_s0_x_base - (int64_t)difference_1_min_0 - (int64_t)difference_1_min_1 * difference_1_stride_1] - ((difference_2[t7] * t10 + difference_2[t11] * t9) * t14 + (difference_2[t7 - 1] * t10 + difference_2[t11 - 1] * t9) * t13)) + ((change_2[t17] * t10 + change_2[t18] * t9) * t14 + (change_2[t17 - 1] * t10 + change_2[t18 - 1] * t9) * t13);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void pyramid_blend_s0_x(const int32_t change_1_min_0, const int32_t change_1_min_1, const int64_t change_1_stride_1, const int64_t change_1_stride_2, const int32_t difference_1_min_0, const int32_t difference_1_min_1, const int64_t difference_1_stride_1, const int64_t difference_1_stride_2, const int32_t first_extent_0, const int32_t first_extent_1, const int32_t first_min_0, const int32_t first_min_1, const int32_t first_min_2, const int32_t first_stride_1, const int32_t first_stride_2, const int32_t mask_extent_0, const int32_t mask_extent_1, const int32_t mask_min_0, const int32_t mask_min_1, const int32_t mask_stride_1, const int32_t pyramid_blend_extent_0, const int32_t pyramid_blend_extent_1, const int32_t pyramid_blend_min_0, const int32_t pyramid_blend_min_1, const int32_t pyramid_blend_min_2, const int32_t pyramid_blend_stride_1, const int32_t pyramid_blend_stride_2, const int32_t second_extent_0, const int32_t second_extent_1, const int32_t second_min_0, const int32_t second_min_1, const int32_t second_min_2, const int32_t second_stride_1, const int32_t second_stride_2, __global const float *restrict difference_1, __global const uint8_t *restrict first, __global const uint8_t *restrict mask, __global const float *restrict mask_2, __global uint8_t *restrict pyramid_blend, __global const uint8_t *restrict second) {
    const int32_t pyramid_blend_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t pyramid_blend_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t pyramid_blend_s0_c = (int32_t)get_group_id(2);
    const int32_t pyramid_blend_s0_y_base = min_int32(pyramid_blend_s0_y_1 * 8 + pyramid_blend_min_1, pyramid_blend_extent_1 + pyramid_blend_min_1 - 8);
    const int32_t pyramid_blend_s0_x_base = min_int32(pyramid_blend_min_0 + pyramid_blend_s0_x_1 * 32, pyramid_blend_extent_0 + pyramid_blend_min_0 - 32);
    {
        const int32_t pyramid_blend_s0_yi = (int32_t)get_local_id(1);
        const int32_t pyramid_blend_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = pyramid_blend_s0_x_base + pyramid_blend_s0_xi;
            const int32_t t2 = pyramid_blend_s0_yi + pyramid_blend_s0_y_base;
            const float t3 = (float)first[max_int32(min_int32(first_extent_0 - 1, t1), 0) + max_int32(min_int32(t2, first_extent_1 - 1), 0) * first_stride_1 + pyramid_blend_s0_c * first_stride_2 - first_min_1 * first_stride_1 - first_min_2 * first_stride_2 - first_min_0];
            const int64_t t4 = (int64_t)(int32_t)((t2 + 1) >> 1);
            const int64_t t5 = (int64_t)(int32_t)((t1 + 1) >> 1);
            const int64_t t6 = t4 * difference_1_stride_1 + t5 + (int64_t)pyramid_blend_s0_c * difference_1_stride_2 - (int64_t)difference_1_min_0;
            const int64_t t7 = (int64_t)difference_1_min_1 * difference_1_stride_1;
            const int64_t t8 = t6 - t7;
            const int32_t t9 = add_int32(pyramid_blend_s0_yi, pyramid_blend_s0_y_base);
            const float t10 = 0.25f + 0.5f * (float)(int32_t)(t9 & 1);
            const float t11 = 1.0f - t10;
            const int64_t t12 = t6 - difference_1_stride_1 - t7;
            const int32_t t13 = add_int32(pyramid_blend_s0_x_base, pyramid_blend_s0_xi);
            const float t14 = 0.25f + 0.5f * (float)(int32_t)(t13 & 1);
            const float t15 = 1.0f - t14;
            const int64_t t16 = t5 + t4 * change_1_stride_1 + (int64_t)pyramid_blend_s0_c * change_1_stride_2;
            const int64_t t17 = (int64_t)change_1_min_1 * change_1_stride_1;
            const int64_t t18 = t16 - t17 - (int64_t)change_1_min_0;
            const int64_t t19 = t16 - change_1_stride_1 - t17 - (int64_t)change_1_min_0;
            pyramid_blend[pyramid_blend_s0_xi + pyramid_blend_s0_y_base * pyramid_blend_stride_1 + pyramid_blend_s0_x_base + pyramid_blend_s0_yi * pyramid_blend_stride_1 + pyramid_blend_s0_c * pyramid_blend_stride_2 - pyramid_blend_min_1 * pyramid_blend_stride_1 - pyramid_blend_min_2 * pyramid_blend_stride_2 - pyramid_blend_min_0] = (uint8_t)(int64_t)max_float32(min_float32(t3 + ((float)mask[max_int32(min_int32(t1, mask_extent_0 - 1), 0) + max_int32(min_int32(t2, mask_extent_1 - 1), 0) * mask_stride_1 - mask_min_1 * mask_stride_1 - mask_min_0] / 255.0f * ((float)second[max_int32(min_int32(second_extent_0 - 1, t1), 0) + max_int32(min_int32(second_extent_1 - 1, t2), 0) * second_stride_1 + pyramid_blend_s0_c * second_stride_2 - second_min_0 - second_min_1 * second_stride_1 - second_min_2 * second_stride_2] - t3 - ((difference_1[t8] * t11 + difference_1[t12] * t10) * t15 + (difference_1[t8 - 1] * t11 + difference_1[t12 - 1] * t10) * t14)) + ((mask_2[t18] * t11 + mask_2[t19] * t10) * t15 + (mask_2[t18 - 1] * t11 + mask_2[t19 - 1] * t10) * t14)) + 0.5f, 255.0f), 0.0f);
        }
    }
}
