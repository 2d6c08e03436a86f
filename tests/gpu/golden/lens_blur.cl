typedef uchar uint8_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline uint8_t min_uint8(uint8_t a, uint8_t b) { return a < b ? a : b; }
static inline uint8_t absd_uint8(uint8_t a, uint8_t b) { return (uint8_t)(a > b ? (uint8_t)a - (uint8_t)b : (uint8_t)b - (uint8_t)a); }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }
static inline uint16_t min_uint16(uint16_t a, uint16_t b) { return a < b ? a : b; }
static inline uint8_t max_uint8(uint8_t a, uint8_t b) { return a > b ? a : b; }
static inline int32_t mul_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }
static inline uint32_t absd_int32(int32_t a, int32_t b) { return (uint32_t)(a > b ? (uint32_t)a - (uint32_t)b : (uint32_t)b - (uint32_t)a); }
static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void extremes_s0_x(const int32_t extremes_min_0, const int32_t extremes_min_1, const int64_t extremes_stride_1, const int32_t lens_blur_extent_0, const int32_t lens_blur_extent_1, const int32_t lens_blur_min_0, const int32_t lens_blur_min_1, const int32_t packed_s0_x_min, const int32_t packed_s0_y_min, __global uint16_t *restrict extremes_0, __global uint16_t *restrict extremes_1) {
    const int32_t extremes_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t extremes_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t extremes_s0_y_base = min_int32(lens_blur_min_1 + lens_blur_extent_1, packed_s0_y_min + extremes_s0_y_1 * 8 - 12) + 6;
    const int32_t extremes_s0_x_base = min_int32(lens_blur_min_0 + lens_blur_extent_0 - 12, extremes_s0_x_1 * 32 + packed_s0_x_min) - 6;
    {
        const int32_t extremes_s0_yi = (int32_t)get_local_id(1);
        const int32_t extremes_s0_xi = (int32_t)get_local_id(0);
        extremes_0[(int64_t)extremes_s0_x_base + (int64_t)extremes_s0_y_base * extremes_stride_1 + (int64_t)extremes_s0_xi + (int64_t)extremes_s0_yi * extremes_stride_1 - (int64_t)extremes_min_0 - (int64_t)extremes_min_1 * extremes_stride_1] = 0;
        extremes_1[(int64_t)extremes_s0_x_base + (int64_t)extremes_s0_y_base * extremes_stride_1 + (int64_t)extremes_s0_xi + (int64_t)extremes_s0_yi * extremes_stride_1 - (int64_t)extremes_min_0 - (int64_t)extremes_min_1 * extremes_stride_1] = 65535;
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void extremes_s1_x(const int32_t extremes_min_0, const int32_t extremes_min_1, const int64_t extremes_stride_1, const int32_t left_extent_0, const int32_t left_extent_1, const int32_t left_extent_2, const int32_t left_min_0, const int32_t left_min_1, const int32_t left_min_2, const int32_t left_stride_1, const int32_t left_stride_2, const int32_t packed_s0_x_min, const int32_t packed_s0_y_min, const int32_t right_extent_0, const int32_t right_extent_1, const int32_t right_extent_2, const int32_t right_min_0, const int32_t right_min_1, const int32_t right_min_2, const int32_t right_stride_1, const int32_t right_stride_2, __global uint16_t *restrict extremes_0, __global uint16_t *restrict extremes_1, __global const uint8_t *restrict left, __global const uint8_t *restrict right) {
    const int32_t extremes_s1_x_1 = (int32_t)get_group_id(0);
    const int32_t extremes_s1_y_1 = (int32_t)get_group_id(1);
    {
        const int32_t extremes_s1_yi = (int32_t)get_local_id(1);
        const int32_t extremes_s1_xi = (int32_t)get_local_id(0);
        uint16_t extremes_0_promoted0_extremes_s1_depths_x[1];
        uint16_t extremes_1_promoted1_extremes_s1_depths_x[1];
        extremes_0_promoted0_extremes_s1_depths_x[0] = extremes_0[(int64_t)extremes_s1_x_1 * 32 + (int64_t)packed_s0_y_min * extremes_stride_1 + (int64_t)packed_s0_x_min + (int64_t)extremes_s1_y_1 * extremes_stride_1 * 8 + (int64_t)extremes_s1_xi + (int64_t)extremes_s1_yi * extremes_stride_1 - (int64_t)extremes_min_0 - (int64_t)extremes_min_1 * extremes_stride_1 - extremes_stride_1 * 6 - 6];
        extremes_1_promoted1_extremes_s1_depths_x[0] = extremes_1[(int64_t)extremes_s1_x_1 * 32 + (int64_t)packed_s0_y_min * extremes_stride_1 + (int64_t)packed_s0_x_min + (int64_t)extremes_s1_y_1 * extremes_stride_1 * 8 + (int64_t)extremes_s1_xi + (int64_t)extremes_s1_yi * extremes_stride_1 - (int64_t)extremes_min_0 - (int64_t)extremes_min_1 * extremes_stride_1 - extremes_stride_1 * 6 - 6];
        for (int32_t extremes_s1_depths_x = 0; extremes_s1_depths_x < 32; extremes_s1_depths_x++) {
            const int32_t t1 = left_extent_2 + left_min_2 - 1;
            const int32_t t2 = packed_s0_y_min + extremes_s1_y_1 * 8 + extremes_s1_yi - 5;
            const int32_t t3 = max_int32(min_int32(t2, left_extent_1 + left_min_1), left_min_1 + 1) * left_stride_1;
            const int32_t t4 = extremes_s1_x_1 * 32 + extremes_s1_xi + packed_s0_x_min;
            const int32_t t5 = max_int32(min_int32(t4 - 5, left_extent_0 + left_min_0), left_min_0 + 1);
            const int32_t t6 = left_min_1 * left_stride_1;
            const int32_t t7 = left_min_2 * left_stride_2;
            const uint8_t t8 = left[max_int32(min_int32(t1, 0), left_min_2) * left_stride_2 + t3 + t5 - left_min_0 - left_stride_1 - t6 - t7 - 1];
            const int32_t t9 = right_min_0 + 1;
            const int32_t t10 = right_extent_0 + right_min_0;
            const int32_t t11 = t4 - extremes_s1_depths_x * 2;
            const int32_t t12 = max_int32(t9, min_int32(t10, t11 - 5));
            const int32_t t13 = right_extent_2 + right_min_2 - 1;
            const int32_t t14 = max_int32(min_int32(t13, 0), right_min_2) * right_stride_2;
            const int32_t t15 = max_int32(min_int32(t2, right_extent_1 + right_min_1), right_min_1 + 1) * right_stride_1;
            const int32_t t16 = right_min_1 * right_stride_1;
            const int32_t t17 = right_min_2 * right_stride_2;
            const int32_t t18 = max_int32(min_int32(t10, t11 - 6), t9);
            const int32_t t19 = t3 + t5;
            const uint8_t t20 = left[t19 + max_int32(min_int32(t1, 1), left_min_2) * left_stride_2 - left_min_0 - left_stride_1 - t6 - t7 - 1];
            const int32_t t21 = max_int32(min_int32(t13, 1), right_min_2) * right_stride_2;
            const uint8_t t22 = left[t19 + max_int32(min_int32(t1, 2), left_min_2) * left_stride_2 - left_min_0 - left_stride_1 - t6 - t7 - 1];
            const int32_t t23 = max_int32(min_int32(t13, 2), right_min_2) * right_stride_2;
            const uint16_t extremes_0_value_1 = (uint16_t)(extremes_0_promoted0_extremes_s1_depths_x[0] + (uint16_t)((uint16_t)((uint16_t)((uint16_t)min_uint8(absd_uint8(t8, right[t12 + t14 + t15 - right_min_0 - right_stride_1 - t16 - t17 - 1]), absd_uint8(t8, right[t18 + t14 + t15 - right_min_0 - right_stride_1 - t16 - t17 - 1])) + (uint16_t)min_uint8(absd_uint8(t20, right[t12 + t21 + t15 - right_min_0 - right_stride_1 - t16 - t17 - 1]), absd_uint8(t20, right[t18 + t21 + t15 - right_min_0 - right_stride_1 - t16 - t17 - 1]))) + (uint16_t)min_uint8(absd_uint8(t22, right[t23 + t12 + t15 - right_min_0 - right_stride_1 - t16 - t17 - 1]), absd_uint8(t22, right[t23 + t18 + t15 - right_min_0 - right_stride_1 - t16 - t17 - 1]))) >> 3));
            const int32_t t24 = left_extent_2 + left_min_2 - 1;
            const int32_t t25 = packed_s0_y_min + extremes_s1_y_1 * 8 + extremes_s1_yi - 5;
            const int32_t t26 = max_int32(min_int32(t25, left_extent_1 + left_min_1), left_min_1 + 1) * left_stride_1;
            const int32_t t27 = extremes_s1_x_1 * 32 + extremes_s1_xi + packed_s0_x_min;
            const int32_t t28 = max_int32(min_int32(t27 - 5, left_extent_0 + left_min_0), left_min_0 + 1);
            const int32_t t29 = left_min_1 * left_stride_1;
            const int32_t t30 = left_min_2 * left_stride_2;
            const uint8_t t31 = left[max_int32(min_int32(t24, 0), left_min_2) * left_stride_2 + t26 + t28 - left_min_0 - left_stride_1 - t29 - t30 - 1];
            const int32_t t32 = right_min_0 + 1;
            const int32_t t33 = right_extent_0 + right_min_0;
            const int32_t t34 = t27 - extremes_s1_depths_x * 2;
            const int32_t t35 = max_int32(t32, min_int32(t33, t34 - 5));
            const int32_t t36 = right_extent_2 + right_min_2 - 1;
            const int32_t t37 = max_int32(min_int32(t36, 0), right_min_2) * right_stride_2;
            const int32_t t38 = max_int32(min_int32(t25, right_extent_1 + right_min_1), right_min_1 + 1) * right_stride_1;
            const int32_t t39 = right_min_1 * right_stride_1;
            const int32_t t40 = right_min_2 * right_stride_2;
            const int32_t t41 = max_int32(min_int32(t33, t34 - 6), t32);
            const int32_t t42 = t26 + t28;
            const uint8_t t43 = left[t42 + max_int32(min_int32(t24, 1), left_min_2) * left_stride_2 - left_min_0 - left_stride_1 - t29 - t30 - 1];
            const int32_t t44 = max_int32(min_int32(t36, 1), right_min_2) * right_stride_2;
            const uint8_t t45 = left[t42 + max_int32(min_int32(t24, 2), left_min_2) * left_stride_2 - left_min_0 - left_stride_1 - t29 - t30 - 1];
            const int32_t t46 = max_int32(min_int32(t36, 2), right_min_2) * right_stride_2;
            const uint16_t extremes_1_value_2 = min_uint16(extremes_1_promoted1_extremes_s1_depths_x[0], (uint16_t)((uint16_t)((uint16_t)((uint16_t)min_uint8(absd_uint8(t31, right[t35 + t37 + t38 - right_min_0 - right_stride_1 - t39 - t40 - 1]), absd_uint8(t31, right[t41 + t37 + t38 - right_min_0 - right_stride_1 - t39 - t40 - 1])) + (uint16_t)min_uint8(absd_uint8(t43, right[t35 + t44 + t38 - right_min_0 - right_stride_1 - t39 - t40 - 1]), absd_uint8(t43, right[t41 + t44 + t38 - right_min_0 - right_stride_1 - t39 - t40 - 1]))) + (uint16_t)min_uint8(absd_uint8(t45, right[t46 + t35 + t38 - right_min_0 - right_stride_1 - t39 - t40 - 1]), absd_uint8(t45, right[t46 + t41 + t38 - right_min_0 - right_stride_1 - t39 - t40 - 1]))) >> 3));
            extremes_0_promoted0_extremes_s1_depths_x[0] = extremes_0_value_1;
            extremes_1_promoted1_extremes_s1_depths_x[0] = extremes_1_value_2;
        }
        extremes_0[(int64_t)extremes_s1_x_1 * 32 + (int64_t)packed_s0_y_min * extremes_stride_1 + (int64_t)packed_s0_x_min + (int64_t)extremes_s1_y_1 * extremes_stride_1 * 8 + (int64_t)extremes_s1_xi + (int64_t)extremes_s1_yi * extremes_stride_1 - (int64_t)extremes_min_0 - (int64_t)extremes_min_1 * extremes_stride_1 - extremes_stride_1 * 6 - 6] = extremes_0_promoted0_extremes_s1_depths_x[0];
        extremes_1[(int64_t)extremes_s1_x_1 * 32 + (int64_t)packed_s0_y_min * extremes_stride_1 + (int64_t)packed_s0_x_min + (int64_t)extremes_s1_y_1 * extremes_stride_1 * 8 + (int64_t)extremes_s1_xi + (int64_t)extremes_s1_yi * extremes_stride_1 - (int64_t)extremes_min_0 - (int64_t)extremes_min_1 * extremes_stride_1 - extremes_stride_1 * 6 - 6] = extremes_1_promoted1_extremes_s1_depths_x[0];
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void weighted_s0_x(const int32_t extremes_min_0, const int32_t extremes_min_1, const int64_t extremes_stride_1, const int32_t left_extent_0, const int32_t left_extent_1, const int32_t left_extent_2, const int32_t left_min_0, const int32_t left_min_1, const int32_t left_min_2, const int32_t left_stride_1, const int32_t left_stride_2, const int32_t lens_blur_extent_0, const int32_t lens_blur_extent_1, const int32_t lens_blur_min_0, const int32_t lens_blur_min_1, const int32_t packed_s0_x_min, const int32_t packed_s0_y_min, const int32_t right_extent_0, const int32_t right_extent_1, const int32_t right_extent_2, const int32_t right_min_0, const int32_t right_min_1, const int32_t right_min_2, const int32_t right_stride_1, const int32_t right_stride_2, const int32_t weighted_min_0, const int32_t weighted_min_1, const int64_t weighted_stride_1, const int64_t weighted_stride_2, __global const uint16_t *restrict extremes_0, __global const uint16_t *restrict extremes_1, __global const uint8_t *restrict left, __global const uint8_t *restrict right, __global uint16_t *restrict weighted) {
    const int32_t weighted_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t weighted_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t weighted_s0_z = (int32_t)get_group_id(2);
    const int32_t weighted_s0_y_base = min_int32(lens_blur_min_1 + lens_blur_extent_1, packed_s0_y_min + weighted_s0_y_1 * 8 - 12) + 6;
    const int32_t weighted_s0_x_base = min_int32(lens_blur_min_0 + lens_blur_extent_0 - 12, weighted_s0_x_1 * 32 + packed_s0_x_min) - 6;
    {
        const int32_t weighted_s0_yi = (int32_t)get_local_id(1);
        const int32_t weighted_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = left_extent_2 + left_min_2 - 1;
            const int32_t t2 = weighted_s0_y_base + weighted_s0_yi;
            const int32_t t3 = max_int32(min_int32(t2, left_extent_1 + left_min_1 - 1), left_min_1) * left_stride_1;
            const int32_t t4 = weighted_s0_xi + weighted_s0_x_base;
            const int32_t t5 = max_int32(min_int32(t4, left_extent_0 + left_min_0 - 1), left_min_0);
            const int32_t t6 = left_min_1 * left_stride_1;
            const int32_t t7 = left_min_2 * left_stride_2;
            const uint8_t t8 = left[max_int32(min_int32(t1, 0), left_min_2) * left_stride_2 + t3 + t5 - left_min_0 - t6 - t7];
            const int32_t t9 = t4 - weighted_s0_z * 2;
            const int32_t t10 = right_extent_0 + right_min_0;
            const int32_t t11 = max_int32(min_int32(t9, t10 - 1), right_min_0);
            const int32_t t12 = max_int32(min_int32(t2, right_extent_1 + right_min_1 - 1), right_min_1) * right_stride_1;
            const int32_t t13 = t11 + t12;
            const int32_t t14 = right_extent_2 + right_min_2 - 1;
            const int32_t t15 = max_int32(min_int32(t14, 0), right_min_2) * right_stride_2;
            const int32_t t16 = right_min_1 * right_stride_1;
            const int32_t t17 = right_min_2 * right_stride_2;
            const int32_t t18 = max_int32(min_int32(t9, t10), right_min_0 + 1);
            const int32_t t19 = t12 + t18;
            const uint8_t t20 = left[t3 + t5 + max_int32(min_int32(t1, 1), left_min_2) * left_stride_2 - left_min_0 - t6 - t7];
            const int32_t t21 = max_int32(min_int32(t14, 1), right_min_2) * right_stride_2;
            const uint8_t t22 = left[t3 + max_int32(min_int32(t1, 2), left_min_2) * left_stride_2 + t5 - left_min_0 - t6 - t7];
            const int32_t t23 = max_int32(min_int32(t14, 2), right_min_2) * right_stride_2;
            const int64_t t24 = (int64_t)weighted_s0_xi + (int64_t)weighted_s0_yi * extremes_stride_1 + (int64_t)weighted_s0_x_base + (int64_t)weighted_s0_y_base * extremes_stride_1 - (int64_t)extremes_min_0 - (int64_t)extremes_min_1 * extremes_stride_1;
            weighted[(int64_t)weighted_s0_y_base * weighted_stride_1 + (int64_t)weighted_s0_xi + (int64_t)weighted_s0_yi * weighted_stride_1 + (int64_t)weighted_s0_z * weighted_stride_2 + (int64_t)weighted_s0_x_base - (int64_t)weighted_min_1 * weighted_stride_1 - (int64_t)weighted_min_0] = (uint16_t)((uint32_t)(uint16_t)((uint16_t)((uint16_t)((uint16_t)min_uint8(absd_uint8(t8, right[t13 + t15 - right_min_0 - t16 - t17]), absd_uint8(t8, right[t19 + t15 - right_min_0 - t16 - t17 - 1])) + (uint16_t)min_uint8(absd_uint8(t20, right[t13 + t21 - right_min_0 - t16 - t17]), absd_uint8(t20, right[t19 + t21 - right_min_0 - t16 - t17 - 1]))) + (uint16_t)min_uint8(absd_uint8(t22, right[t23 + t11 + t12 - right_min_0 - t16 - t17]), absd_uint8(t22, right[t23 + t12 + t18 - right_min_0 - t16 - t17 - 1]))) >> 3) * (uint16_t)((uint16_t)(extremes_0[t24] / 32 - extremes_1[t24]) >> 1));
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void down_s0_x(const int32_t down_min_0, const int32_t down_min_1, const int64_t down_stride_1, const int64_t down_stride_2, const int32_t lens_blur_extent_0, const int32_t lens_blur_extent_1, const int32_t lens_blur_min_0, const int32_t lens_blur_min_1, const int32_t packed_s0_x_min, const int32_t packed_s0_y_min, const int32_t weighted_min_0, const int32_t weighted_min_1, const int64_t weighted_stride_1, const int64_t weighted_stride_2, __global uint16_t *restrict extremes_0, __global const uint16_t *restrict weighted) {
    const int32_t down_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t down_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t down_s0_z = (int32_t)get_group_id(2);
    const int32_t down_s0_y_base = min_int32(lens_blur_min_1 + lens_blur_extent_1, packed_s0_y_min + down_s0_y_1 * 8);
    const int32_t down_s0_x_base = min_int32(lens_blur_min_0 + lens_blur_extent_0 - 12, down_s0_x_1 * 32 + packed_s0_x_min) - 6;
    {
        const int32_t down_s0_yi = (int32_t)get_local_id(1);
        const int32_t down_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)down_s0_y_base * weighted_stride_1;
            const int64_t t2 = (int64_t)down_s0_z * weighted_stride_2;
            const int64_t t3 = (int64_t)down_s0_yi * weighted_stride_1;
            const int64_t t4 = t1 + t2 + (int64_t)down_s0_xi + t3 + (int64_t)down_s0_x_base;
            const int64_t t5 = weighted_stride_1 * 6;
            const int64_t t6 = (int64_t)weighted_min_1 * weighted_stride_1;
            const int64_t t7 = weighted_stride_1 * 5;
            const int64_t t8 = weighted_stride_1 * 4;
            const int64_t t9 = weighted_stride_1 * 3;
            const int64_t t10 = weighted_stride_1 * 2;
            extremes_0[(int64_t)down_s0_yi * down_stride_1 + (int64_t)down_s0_xi + (int64_t)down_s0_z * down_stride_2 + (int64_t)down_s0_x_base + (int64_t)down_s0_y_base * down_stride_1 - (int64_t)down_min_1 * down_stride_1 - (int64_t)down_min_0] = (uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)(weighted[t4 - t5 - t6 - (int64_t)weighted_min_0] + weighted[t4 - t7 - t6 - (int64_t)weighted_min_0]) + weighted[t4 - t8 - t6 - (int64_t)weighted_min_0]) + weighted[t4 - t9 - t6 - (int64_t)weighted_min_0]) + weighted[t4 - t10 - t6 - (int64_t)weighted_min_0]) + weighted[t4 - weighted_stride_1 - t6 - (int64_t)weighted_min_0]) + weighted[t4 - t6 - (int64_t)weighted_min_0]) + weighted[weighted_stride_1 + t1 + t2 + (int64_t)down_s0_xi + t3 + (int64_t)down_s0_x_base - t6 - (int64_t)weighted_min_0]) + weighted[t10 + t1 + t2 + (int64_t)down_s0_xi + t3 + (int64_t)down_s0_x_base - t6 - (int64_t)weighted_min_0]) + weighted[t9 + t1 + t2 + (int64_t)down_s0_xi + t3 + (int64_t)down_s0_x_base - t6 - (int64_t)weighted_min_0]) + weighted[t8 + t1 + t2 + (int64_t)down_s0_xi + t3 + (int64_t)down_s0_x_base - t6 - (int64_t)weighted_min_0]) + weighted[t7 + t1 + t2 + (int64_t)down_s0_xi + t3 + (int64_t)down_s0_x_base - t6 - (int64_t)weighted_min_0]) + weighted[t5 + t1 + t2 + (int64_t)down_s0_xi + t3 + (int64_t)down_s0_x_base - t6 - (int64_t)weighted_min_0]) >> 4);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void packed_s0_x(const int32_t down_min_0, const int32_t down_min_1, const int64_t down_stride_1, const int64_t down_stride_2, const int32_t left_extent_0, const int32_t left_extent_1, const int32_t left_extent_2, const int32_t left_min_0, const int32_t left_min_1, const int32_t left_min_2, const int32_t left_stride_1, const int32_t left_stride_2, const int32_t lens_blur_extent_0, const int32_t lens_blur_extent_1, const int32_t lens_blur_min_0, const int32_t lens_blur_min_1, const int32_t packed_min_0, const int32_t packed_min_1, const int32_t packed_s0_x_min, const int32_t packed_s0_y_min, const int64_t packed_stride_1, __global const uint16_t *restrict extremes_0, __global const uint8_t *restrict left, __global uint32_t *restrict packed) {
    const int32_t packed_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t packed_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t packed_s0_y_base = min_int32(lens_blur_min_1 + lens_blur_extent_1, packed_s0_y_min + packed_s0_y_1 * 8);
    const int32_t packed_s0_x_base = min_int32(lens_blur_min_0 + lens_blur_extent_0 - 24, packed_s0_x_1 * 32 + packed_s0_x_min);
    {
        const int32_t packed_s0_yi = (int32_t)get_local_id(1);
        const int32_t packed_s0_xi = (int32_t)get_local_id(0);
        uint16_t best_0[1];
        uint16_t best_1[1];
        /* best */
        best_0[0] = 65535;
        best_1[0] = 0;
        for (int32_t best_s1_slices_x = 0; best_s1_slices_x < 32; best_s1_slices_x++) {
            const int64_t t1 = (int64_t)packed_s0_xi + (int64_t)packed_s0_yi * down_stride_1 + (int64_t)packed_s0_x_base + (int64_t)best_s1_slices_x * down_stride_2 + (int64_t)packed_s0_y_base * down_stride_1 - (int64_t)down_min_1 * down_stride_1 - (int64_t)down_min_0;
            const uint16_t t2 = (uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)(extremes_0[t1 - 6] + extremes_0[t1 - 5]) + extremes_0[t1 - 4]) + extremes_0[t1 - 3]) + extremes_0[t1 - 2]) + extremes_0[t1 - 1]) + extremes_0[t1]) + extremes_0[t1 + 1]) + extremes_0[t1 + 2]) + extremes_0[t1 + 3]) + extremes_0[t1 + 4]) + extremes_0[t1 + 5]) + extremes_0[t1 + 6]);
            const uint16_t t3 = best_0[0];
            const uint16_t best_0_value_3 = t2 < t3 ? t2 : t3;
            const int64_t t4 = (int64_t)packed_s0_xi + (int64_t)packed_s0_yi * down_stride_1 + (int64_t)packed_s0_x_base + (int64_t)best_s1_slices_x * down_stride_2 + (int64_t)packed_s0_y_base * down_stride_1 - (int64_t)down_min_1 * down_stride_1 - (int64_t)down_min_0;
            const uint16_t best_1_value_4 = (uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)(extremes_0[t4 - 6] + extremes_0[t4 - 5]) + extremes_0[t4 - 4]) + extremes_0[t4 - 3]) + extremes_0[t4 - 2]) + extremes_0[t4 - 1]) + extremes_0[t4]) + extremes_0[t4 + 1]) + extremes_0[t4 + 2]) + extremes_0[t4 + 3]) + extremes_0[t4 + 4]) + extremes_0[t4 + 5]) + extremes_0[t4 + 6]) < best_0[0] ? (uint16_t)best_s1_slices_x : best_1[0];
            best_0[0] = best_0_value_3;
            best_1[0] = best_1_value_4;
        }
        {
            const int32_t t5 = max_int32(min_int32(packed_s0_xi + packed_s0_x_base, left_extent_0 + left_min_0 - 1), left_min_0);
            const int32_t t6 = left_extent_2 + left_min_2 - 1;
            const int32_t t7 = max_int32(min_int32(packed_s0_y_base + packed_s0_yi, left_extent_1 + left_min_1 - 1), left_min_1) * left_stride_1;
            const int32_t t8 = left_min_1 * left_stride_1;
            const int32_t t9 = left_min_2 * left_stride_2;
            const int32_t t10 = t5 + t7;
            packed[(int64_t)packed_s0_y_base * packed_stride_1 + (int64_t)packed_s0_xi + (int64_t)packed_s0_yi * packed_stride_1 + (int64_t)packed_s0_x_base - (int64_t)packed_min_1 * packed_stride_1 - (int64_t)packed_min_0] = (uint32_t)((uint32_t)((uint32_t)((uint32_t)((uint32_t)(uint32_t)left[t5 + max_int32(min_int32(t6, 0), left_min_2) * left_stride_2 + t7 - left_min_0 - t8 - t9] << 0) | (uint32_t)((uint32_t)(uint32_t)left[t10 + max_int32(min_int32(t6, 1), left_min_2) * left_stride_2 - left_min_0 - t8 - t9] << 8)) | (uint32_t)((uint32_t)(uint32_t)left[t10 + max_int32(min_int32(t6, 2), left_min_2) * left_stride_2 - left_min_0 - t8 - t9] << 16)) | (uint32_t)((uint32_t)(uint32_t)best_1[0] << 24));
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void widest_y_s0_x(const int32_t aperture, const int32_t focus, const int32_t lens_blur_extent_0, const int32_t lens_blur_extent_1, const int32_t lens_blur_min_0, const int32_t lens_blur_min_1, const int32_t packed_min_0, const int32_t packed_min_1, const int64_t packed_stride_1, const int32_t widest_y_min_0, const int32_t widest_y_min_1, const int32_t widest_y_s0_x_min, const int32_t widest_y_s0_y_min, const int64_t widest_y_stride_1, __global const uint32_t *restrict packed, __global uint8_t *restrict widest_y) {
    const int32_t widest_y_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t widest_y_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t widest_y_s0_y_base = min_int32(lens_blur_min_1 + lens_blur_extent_1 - 8, widest_y_s0_y_min + widest_y_s0_y_1 * 8);
    const int32_t widest_y_s0_x_base = min_int32(lens_blur_min_0 + lens_blur_extent_0 - 24, widest_y_s0_x_min + widest_y_s0_x_1 * 32);
    {
        const int32_t widest_y_s0_yi = (int32_t)get_local_id(1);
        const int32_t widest_y_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)widest_y_s0_y_base * packed_stride_1;
            const int64_t t2 = (int64_t)widest_y_s0_yi * packed_stride_1;
            const int64_t t3 = (int64_t)packed_min_1 * packed_stride_1;
            const int64_t t4 = t1 + (int64_t)widest_y_s0_x_base + (int64_t)widest_y_s0_xi + t2 - t3 - (int64_t)packed_min_0;
            const int64_t t5 = packed_stride_1 * 8;
            const int64_t t6 = packed_stride_1 * 7;
            const int64_t t7 = packed_stride_1 * 6;
            const int64_t t8 = packed_stride_1 * 5;
            const int64_t t9 = packed_stride_1 * 4;
            const int64_t t10 = packed_stride_1 * 3;
            const int64_t t11 = packed_stride_1 * 2;
            widest_y[(int64_t)widest_y_s0_y_base * widest_y_stride_1 + (int64_t)widest_y_s0_x_base + (int64_t)widest_y_s0_xi + (int64_t)widest_y_s0_yi * widest_y_stride_1 - (int64_t)widest_y_min_0 - (int64_t)widest_y_min_1 * widest_y_stride_1] = max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8((uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t4 - t5] >> 24), focus), aperture), 128), 0), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t4 - t6] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t4 - t7] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t4 - t8] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t4 - t9] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t4 - t10] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t4 - t11] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t4 - packed_stride_1] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t4] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t1 + packed_stride_1 + (int64_t)widest_y_s0_x_base + (int64_t)widest_y_s0_xi + t2 - t3 - (int64_t)packed_min_0] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t1 + t11 + (int64_t)widest_y_s0_x_base + (int64_t)widest_y_s0_xi + t2 - t3 - (int64_t)packed_min_0] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t1 + t10 + (int64_t)widest_y_s0_x_base + (int64_t)widest_y_s0_xi + t2 - t3 - (int64_t)packed_min_0] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t1 + t9 + (int64_t)widest_y_s0_x_base + (int64_t)widest_y_s0_xi + t2 - t3 - (int64_t)packed_min_0] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t1 + t8 + (int64_t)widest_y_s0_x_base + (int64_t)widest_y_s0_xi + t2 - t3 - (int64_t)packed_min_0] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t1 + t7 + (int64_t)widest_y_s0_x_base + (int64_t)widest_y_s0_xi + t2 - t3 - (int64_t)packed_min_0] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t1 + t6 + (int64_t)widest_y_s0_x_base + (int64_t)widest_y_s0_xi + t2 - t3 - (int64_t)packed_min_0] >> 24), focus), aperture), 128), 0)), (uint8_t)max_int32(min_int32(mul_int32((int32_t)absd_int32((int32_t)(uint32_t)(packed[t1 + t5 + (int64_t)widest_y_s0_x_base + (int64_t)widest_y_s0_xi + t2 - t3 - (int64_t)packed_min_0] >> 24), focus), aperture), 128), 0));
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void widest_s0_x(const int32_t lens_blur_extent_0, const int32_t lens_blur_extent_1, const int32_t lens_blur_min_0, const int32_t lens_blur_min_1, const int32_t widest_min_0, const int32_t widest_min_1, const int32_t widest_s0_x_min, const int32_t widest_s0_y_min, const int64_t widest_stride_1, const int32_t widest_y_min_0, const int32_t widest_y_min_1, const int64_t widest_y_stride_1, __global uint8_t *restrict widest, __global const uint8_t *restrict widest_y) {
    const int32_t widest_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t widest_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t widest_s0_y_base = min_int32(widest_s0_y_min + widest_s0_y_1 * 8, lens_blur_min_1 + lens_blur_extent_1 - 8);
    const int32_t widest_s0_x_base = min_int32(lens_blur_min_0 + lens_blur_extent_0 - 32, widest_s0_x_min + widest_s0_x_1 * 32);
    {
        const int32_t widest_s0_yi = (int32_t)get_local_id(1);
        const int32_t widest_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)widest_s0_yi * widest_y_stride_1 + (int64_t)widest_s0_y_base * widest_y_stride_1 + (int64_t)widest_s0_x_base + (int64_t)widest_s0_xi - (int64_t)widest_y_min_0 - (int64_t)widest_y_min_1 * widest_y_stride_1;
            widest[(int64_t)widest_s0_y_base * widest_stride_1 + (int64_t)widest_s0_x_base + (int64_t)widest_s0_xi + (int64_t)widest_s0_yi * widest_stride_1 - (int64_t)widest_min_1 * widest_stride_1 - (int64_t)widest_min_0] = max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(max_uint8(widest_y[t1 - 8], widest_y[t1 - 7]), widest_y[t1 - 6]), widest_y[t1 - 5]), widest_y[t1 - 4]), widest_y[t1 - 3]), widest_y[t1 - 2]), widest_y[t1 - 1]), widest_y[t1]), widest_y[t1 + 1]), widest_y[t1 + 2]), widest_y[t1 + 3]), widest_y[t1 + 4]), widest_y[t1 + 5]), widest_y[t1 + 6]), widest_y[t1 + 7]), widest_y[t1 + 8]);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void place_0_s0_k(__global int32_t *restrict place_0) {
    const int32_t place_0_s0_k_1 = (int32_t)get_group_id(0);
    {
        const int32_t place_0_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = mul_int32(place_0_s0_k_1, 32);
            const uint32_t t2 = (uint32_t)add_int32(t1, place_0_s0_xi);
            const int32_t t3 = place_0_s0_k_1 * 32;
            place_0[place_0_s0_xi + t3] = t2 < 16u ? (t2 < 8u ? (t2 < 4u ? (t2 < 2u ? (t2 < 1u ? 8 : -10) : t2 < 3u ? 2 : 13) : t2 < 6u ? (t2 < 5u ? -24 : 22) : t2 < 7u ? -7 : -14) : t2 < 12u ? (t2 < 10u ? (t2 < 9u ? 31 : -32) : t2 < 11u ? 16 : 11) : t2 < 14u ? (t2 < 13u ? -35 : 41) : t2 < 15u ? -25 : -6) : t2 < 24u ? (t2 < 20u ? (t2 < 18u ? (t2 < 17u ? 35 : -47) : t2 < 19u ? 34 : -2) : t2 < 22u ? (t2 < 21u ? -33 : 52) : t2 < 23u ? -44 : 12) : t2 < 28u ? (t2 < 26u ? (t2 < 25u ? 28 : -54) : t2 < 27u ? 53 : -23) : t2 < 30u ? (t2 < 29u ? -20 : 54) : t2 < 31u ? -60 : 34;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void place_1_s0_k(__global int32_t *restrict place_1) {
    const int32_t place_1_s0_k_1 = (int32_t)get_group_id(0);
    {
        const int32_t place_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = mul_int32(place_1_s0_k_1, 32);
            const uint32_t t2 = (uint32_t)add_int32(t1, place_1_s0_xi);
            const int32_t t3 = place_1_s0_k_1 * 32;
            place_1[place_1_s0_xi + t3] = t2 < 16u ? (t2 < 8u ? (t2 < 4u ? (t2 < 2u ? (t2 < 1u ? 0 : 9) : t2 < 3u ? -18 : 17) : t2 < 6u ? (t2 < 5u ? -4 : -14) : t2 < 7u ? 28 : -27) : t2 < 12u ? (t2 < 10u ? (t2 < 9u ? 11 : 13) : t2 < 11u ? -33 : 37) : t2 < 14u ? (t2 < 13u ? -20 : -9) : t2 < 15u ? 35 : -44) : t2 < 24u ? (t2 < 20u ? (t2 < 18u ? (t2 < 17u ? 30 : 2) : t2 < 19u ? -34 : 50) : t2 < 22u ? (t2 < 21u ? -39 : 7) : t2 < 23u ? 31 : -54) : t2 < 28u ? (t2 < 26u ? (t2 < 25u ? 49 : -17) : t2 < 27u ? -24 : 55) : t2 < 30u ? (t2 < 29u ? -57 : 29) : t2 < 31u ? 16 : -53;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void lens_blur_s0_x(const int32_t aperture, const int32_t focus, const int32_t lens_blur_extent_0, const int32_t lens_blur_extent_1, const int32_t lens_blur_min_0, const int32_t lens_blur_min_1, const int32_t lens_blur_min_2, const int32_t lens_blur_stride_1, const int32_t lens_blur_stride_2, const int32_t packed_min_0, const int32_t packed_min_1, const int64_t packed_stride_1, const int32_t widest_min_0, const int32_t widest_min_1, const int64_t widest_stride_1, __global float *restrict lens_blur, __global const uint32_t *restrict packed, __global const int32_t *restrict place_0, __global const int32_t *restrict place_1, __global const uint8_t *restrict widest) {
    const int32_t lens_blur_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t lens_blur_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t lens_blur_s0_y_base = min_int32(lens_blur_min_1 + lens_blur_extent_1 - 8, lens_blur_s0_y_1 * 8 + lens_blur_min_1);
    const int32_t lens_blur_s0_x_base = min_int32(lens_blur_min_0 + lens_blur_extent_0 - 32, lens_blur_min_0 + lens_blur_s0_x_1 * 32);
    {
        const int32_t lens_blur_s0_yi = (int32_t)get_local_id(1);
        const int32_t lens_blur_s0_xi = (int32_t)get_local_id(0);
        uint32_t light_0[1];
        uint32_t light_1[1];
        uint32_t light_2[1];
        uint32_t light_3[1];
        /* light */
        light_0[0] = (uint32_t)((uint32_t)((uint32_t)packed[(int64_t)lens_blur_s0_y_base * packed_stride_1 + (int64_t)lens_blur_s0_yi * packed_stride_1 + (int64_t)lens_blur_s0_xi + (int64_t)lens_blur_s0_x_base - (int64_t)packed_min_1 * packed_stride_1 - (int64_t)packed_min_0] << 0) & 255u);
        light_1[0] = (uint32_t)((uint32_t)(packed[(int64_t)lens_blur_s0_y_base * packed_stride_1 + (int64_t)lens_blur_s0_yi * packed_stride_1 + (int64_t)lens_blur_s0_xi + (int64_t)lens_blur_s0_x_base - (int64_t)packed_min_1 * packed_stride_1 - (int64_t)packed_min_0] >> 8) & 255u);
        light_2[0] = (uint32_t)((uint32_t)(packed[(int64_t)lens_blur_s0_y_base * packed_stride_1 + (int64_t)lens_blur_s0_yi * packed_stride_1 + (int64_t)lens_blur_s0_xi + (int64_t)lens_blur_s0_x_base - (int64_t)packed_min_1 * packed_stride_1 - (int64_t)packed_min_0] >> 16) & 255u);
        light_3[0] = 1u;
        for (int32_t light_s1_samples_x = 0; light_s1_samples_x < 32; light_s1_samples_x++) {
            const int32_t t1 = (int32_t)widest[(int64_t)lens_blur_s0_y_base * widest_stride_1 + (int64_t)lens_blur_s0_xi + (int64_t)lens_blur_s0_yi * widest_stride_1 + (int64_t)lens_blur_s0_x_base - (int64_t)widest_min_1 * widest_stride_1 - (int64_t)widest_min_0];
            const int32_t t2 = max_int32(min_int32((int32_t)((t1 * place_0[light_s1_samples_x] + 512) >> 10), 8), -8);
            const int32_t t3 = max_int32(min_int32((int32_t)((t1 * place_1[light_s1_samples_x] + 512) >> 10), 8), -8);
            const int32_t t4 = (t2 * t2 + t3 * t3) * 256;
            const int64_t t5 = (int64_t)lens_blur_s0_y_base * packed_stride_1 + (int64_t)lens_blur_s0_yi * packed_stride_1 + (int64_t)lens_blur_s0_xi + (int64_t)lens_blur_s0_x_base - (int64_t)packed_min_1 * packed_stride_1 - (int64_t)packed_min_0;
            const uint32_t t6 = packed[t5 + (int64_t)t2 + (int64_t)t3 * packed_stride_1];
            const int32_t t7 = (int32_t)(uint32_t)(t6 >> 24);
            const int32_t t8 = max_int32(min_int32((int32_t)absd_int32(t7, focus) * aperture, 128), 0) + 8;
            const int32_t t9 = (int32_t)(uint32_t)(packed[t5] >> 24);
            const int32_t t10 = max_int32(min_int32((int32_t)absd_int32(t9, focus) * aperture, 128), 0) + 8;
            const uint32_t light_0_value_5 = light_0[0] + (t4 <= t8 * t8 && (t7 >= t9 || t4 <= t10 * t10) ? (uint32_t)((uint32_t)((uint32_t)t6 << 0) & 255u) : 0u);
            const int32_t t11 = (int32_t)widest[(int64_t)lens_blur_s0_y_base * widest_stride_1 + (int64_t)lens_blur_s0_xi + (int64_t)lens_blur_s0_yi * widest_stride_1 + (int64_t)lens_blur_s0_x_base - (int64_t)widest_min_1 * widest_stride_1 - (int64_t)widest_min_0];
            const int32_t t12 = max_int32(min_int32((int32_t)((t11 * place_0[light_s1_samples_x] + 512) >> 10), 8), -8);
            const int32_t t13 = max_int32(min_int32((int32_t)((t11 * place_1[light_s1_samples_x] + 512) >> 10), 8), -8);
            const int32_t t14 = (t12 * t12 + t13 * t13) * 256;
            const int64_t t15 = (int64_t)lens_blur_s0_y_base * packed_stride_1 + (int64_t)lens_blur_s0_yi * packed_stride_1 + (int64_t)lens_blur_s0_xi + (int64_t)lens_blur_s0_x_base - (int64_t)packed_min_1 * packed_stride_1 - (int64_t)packed_min_0;
            const uint32_t t16 = packed[t15 + (int64_t)t12 + (int64_t)t13 * packed_stride_1];
            const int32_t t17 = (int32_t)(uint32_t)(t16 >> 24);
            const int32_t t18 = max_int32(min_int32((int32_t)absd_int32(t17, focus) * aperture, 128), 0) + 8;
            const int32_t t19 = (int32_t)(uint32_t)(packed[t15] >> 24);
            const int32_t t20 = max_int32(min_int32((int32_t)absd_int32(t19, focus) * aperture, 128), 0) + 8;
            const uint32_t light_1_value_6 = light_1[0] + (t14 <= t18 * t18 && (t17 >= t19 || t14 <= t20 * t20) ? (uint32_t)((uint32_t)(t16 >> 8) & 255u) : 0u);
            const int32_t t21 = (int32_t)widest[(int64_t)lens_blur_s0_y_base * widest_stride_1 + (int64_t)lens_blur_s0_xi + (int64_t)lens_blur_s0_yi * widest_stride_1 + (int64_t)lens_blur_s0_x_base - (int64_t)widest_min_1 * widest_stride_1 - (int64_t)widest_min_0];
            const int32_t t22 = max_int32(min_int32((int32_t)((t21 * place_0[light_s1_samples_x] + 512) >> 10), 8), -8);
            const int32_t t23 = max_int32(min_int32((int32_t)((t21 * place_1[light_s1_samples_x] + 512) >> 10), 8), -8);
            const int32_t t24 = (t22 * t22 + t23 * t23) * 256;
            const int64_t t25 = (int64_t)lens_blur_s0_y_base * packed_stride_1 + (int64_t)lens_blur_s0_yi * packed_stride_1 + (int64_t)lens_blur_s0_xi + (int64_t)lens_blur_s0_x_base - (int64_t)packed_min_1 * packed_stride_1 - (int64_t)packed_min_0;
            const uint32_t t26 = packed[t25 + (int64_t)t22 + (int64_t)t23 * packed_stride_1];
            const int32_t t27 = (int32_t)(uint32_t)(t26 >> 24);
            const int32_t t28 = max_int32(min_int32((int32_t)absd_int32(t27, focus) * aperture, 128), 0) + 8;
            const int32_t t29 = (int32_t)(uint32_t)(packed[t25] >> 24);
            const int32_t t30 = max_int32(min_int32((int32_t)absd_int32(t29, focus) * aperture, 128), 0) + 8;
            const uint32_t light_2_value_7 = light_2[0] + (t24 <= t28 * t28 && (t27 >= t29 || t24 <= t30 * t30) ? (uint32_t)((uint32_t)(t26 >> 16) & 255u) : 0u);
            const int32_t t31 = (int32_t)widest[(int64_t)lens_blur_s0_y_base * widest_stride_1 + (int64_t)lens_blur_s0_xi + (int64_t)lens_blur_s0_yi * widest_stride_1 + (int64_t)lens_blur_s0_x_base - (int64_t)widest_min_1 * widest_stride_1 - (int64_t)widest_min_0];
            const int32_t t32 = max_int32(min_int32((int32_t)((t31 * place_0[light_s1_samples_x] + 512) >> 10), 8), -8);
            const int32_t t33 = max_int32(min_int32((int32_t)((t31 * place_1[light_s1_samples_x] + 512) >> 10), 8), -8);
            const int32_t t34 = (t32 * t32 + t33 * t33) * 256;
            const int64_t t35 = (int64_t)lens_blur_s0_y_base * packed_stride_1 + (int64_t)lens_blur_s0_yi * packed_stride_1 + (int64_t)lens_blur_s0_xi + (int64_t)lens_blur_s0_x_base - (int64_t)packed_min_1 * packed_stride_1 - (int64_t)packed_min_0;
            const int32_t t36 = (int32_t)(uint32_t)(packed[t35 + (int64_t)t32 + (int64_t)t33 * packed_stride_1] >> 24);
            const int32_t t37 = max_int32(min_int32((int32_t)absd_int32(t36, focus) * aperture, 128), 0) + 8;
            const int32_t t38 = (int32_t)(uint32_t)(packed[t35] >> 24);
            const int32_t t39 = max_int32(min_int32((int32_t)absd_int32(t38, focus) * aperture, 128), 0) + 8;
            const uint32_t light_3_value_8 = light_3[0] + (t34 <= t37 * t37 && (t36 >= t38 || t34 <= t39 * t39) ? 1u : 0u);
            light_0[0] = light_0_value_5;
            light_1[0] = light_1_value_6;
            light_2[0] = light_2_value_7;
            light_3[0] = light_3_value_8;
        }
        lens_blur[lens_blur_s0_y_base * lens_blur_stride_1 + lens_blur_s0_xi + lens_blur_s0_yi * lens_blur_stride_1 + lens_blur_s0_x_base - lens_blur_min_0 - lens_blur_min_1 * lens_blur_stride_1 - lens_blur_min_2 * lens_blur_stride_2] = (float)light_0[0] / (float)(light_3[0] * 255u);
        lens_blur[lens_blur_s0_y_base * lens_blur_stride_1 + lens_blur_s0_xi + lens_blur_stride_2 + lens_blur_s0_yi * lens_blur_stride_1 + lens_blur_s0_x_base - lens_blur_min_0 - lens_blur_min_1 * lens_blur_stride_1 - lens_blur_min_2 * lens_blur_stride_2] = (float)light_1[0] / (float)(light_3[0] * 255u);
        lens_blur[lens_blur_s0_y_base * lens_blur_stride_1 + lens_blur_s0_xi + lens_blur_stride_2 * 2 + lens_blur_s0_yi * lens_blur_stride_1 + lens_blur_s0_x_base - lens_blur_min_0 - lens_blur_min_1 * lens_blur_stride_1 - lens_blur_min_2 * lens_blur_stride_2] = (float)light_2[0] / (float)(light_3[0] * 255u);
    }
}
