typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef long int64_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int16_t max_int16(int16_t a, int16_t b) { return a > b ? a : b; }
static inline int16_t min_int16(int16_t a, int16_t b) { return a < b ? a : b; }
static inline uint16_t absd_int16(int16_t a, int16_t b) { return (uint16_t)(a > b ? (uint16_t)a - (uint16_t)b : (uint16_t)b - (uint16_t)a); }
static inline float max_float32(float a, float b) { return a > b ? a : b; }
static inline float min_float32(float a, float b) { return a < b ? a : b; }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void denoised_s0_x(const int32_t curved_s0_x_max, const int32_t curved_s0_x_min, const int32_t curved_s0_y_max, const int32_t curved_s0_y_min, const int32_t denoised_min_0, const int32_t denoised_min_1, const int64_t denoised_stride_1, const int32_t mosaic_min_0, const int32_t mosaic_min_1, const int32_t mosaic_stride_1, __global int16_t *restrict denoised, __global const uint16_t *restrict mosaic) {
    const int32_t denoised_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t denoised_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t denoised_s0_y_base = min_int32(curved_s0_y_min * 2 + denoised_s0_y_1 * 8, curved_s0_y_max * 2 - 2) - 2;
    const int32_t denoised_s0_x_base = min_int32(denoised_s0_x_1 * 32 + curved_s0_x_min * 2, curved_s0_x_max * 2 - 26) - 2;
    {
        const int32_t denoised_s0_yi = (int32_t)get_local_id(1);
        const int32_t denoised_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = denoised_s0_yi * mosaic_stride_1;
            const int32_t t2 = denoised_s0_y_base * mosaic_stride_1;
            const int32_t t3 = mosaic_min_1 * mosaic_stride_1;
            const int32_t t4 = denoised_s0_x_base + mosaic_stride_1 * 12 + t1 + denoised_s0_xi + t2 - mosaic_min_0 - t3;
            denoised[(int64_t)denoised_s0_x_base + (int64_t)denoised_s0_yi * denoised_stride_1 + (int64_t)denoised_s0_y_base * denoised_stride_1 + (int64_t)denoised_s0_xi - (int64_t)denoised_min_1 * denoised_stride_1 - (int64_t)denoised_min_0] = max_int16(min_int16((int16_t)mosaic[t4 + 16], max_int16(max_int16((int16_t)mosaic[t4 + 14], (int16_t)mosaic[t4 + 18]), max_int16((int16_t)mosaic[denoised_s0_x_base + mosaic_stride_1 * 10 + t1 + denoised_s0_xi + t2 - mosaic_min_0 - t3 + 16], (int16_t)mosaic[denoised_s0_x_base + mosaic_stride_1 * 14 + t1 + denoised_s0_xi + t2 - mosaic_min_0 - t3 + 16]))), 0);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void green_at_red_s0_x(const int32_t curved_s0_x_max, const int32_t curved_s0_x_min, const int32_t curved_s0_y_max, const int32_t curved_s0_y_min, const int32_t denoised_min_0, const int32_t denoised_min_1, const int64_t denoised_stride_1, const int32_t green_at_red_min_0, const int32_t green_at_red_min_1, const int64_t green_at_red_stride_1, __global const int16_t *restrict denoised, __global int16_t *restrict green_at_red) {
    const int32_t green_at_red_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t green_at_red_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t green_at_red_s0_y_base = min_int32(curved_s0_y_min + green_at_red_s0_y_1 * 8, curved_s0_y_max - 6);
    const int32_t green_at_red_s0_x_base = min_int32(curved_s0_x_min + green_at_red_s0_x_1 * 32, curved_s0_x_max - 30) - 1;
    {
        const int32_t green_at_red_s0_yi = (int32_t)get_local_id(1);
        const int32_t green_at_red_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)green_at_red_s0_x_base * 2;
            const int64_t t2 = (int64_t)green_at_red_s0_yi * denoised_stride_1 * 2;
            const int64_t t3 = (int64_t)green_at_red_s0_y_base * denoised_stride_1 * 2;
            const int64_t t4 = (int64_t)green_at_red_s0_xi * 2;
            const int64_t t5 = t1 + t2 + t3 + t4;
            const int64_t t6 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t7 = t5 - t6 - (int64_t)denoised_min_0;
            const int16_t t8 = denoised[t7 + 2];
            const int16_t t9 = denoised[t7];
            const int16_t t10 = denoised[t5 - denoised_stride_1 - t6 - (int64_t)denoised_min_0 + 1];
            const int16_t t11 = denoised[t1 + denoised_stride_1 + t2 + t3 + t4 - t6 - (int64_t)denoised_min_0 + 1];
            green_at_red[(int64_t)green_at_red_s0_x_base + (int64_t)green_at_red_s0_y_base * green_at_red_stride_1 + (int64_t)green_at_red_s0_xi + (int64_t)green_at_red_s0_yi * green_at_red_stride_1 - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0] = absd_int16(t8, t9) < absd_int16(t10, t11) ? (int16_t)((int16_t)((int16_t)(t8 + t9) + 1) >> 1) : (int16_t)((int16_t)((int16_t)(t10 + t11) + 1) >> 1);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void green_at_blue_s0_x(const int32_t curved_s0_x_max, const int32_t curved_s0_x_min, const int32_t curved_s0_y_max, const int32_t curved_s0_y_min, const int32_t denoised_min_0, const int32_t denoised_min_1, const int64_t denoised_stride_1, const int32_t green_at_blue_min_0, const int32_t green_at_blue_min_1, const int64_t green_at_blue_stride_1, __global const int16_t *restrict denoised, __global int16_t *restrict green_at_blue) {
    const int32_t green_at_blue_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t green_at_blue_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t green_at_blue_s0_y_base = min_int32(curved_s0_y_max - 6, curved_s0_y_min + green_at_blue_s0_y_1 * 8) - 1;
    const int32_t green_at_blue_s0_x_base = min_int32(curved_s0_x_min + green_at_blue_s0_x_1 * 32, curved_s0_x_max - 30);
    {
        const int32_t green_at_blue_s0_yi = (int32_t)get_local_id(1);
        const int32_t green_at_blue_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)green_at_blue_s0_y_base * denoised_stride_1 * 2;
            const int64_t t2 = (int64_t)green_at_blue_s0_yi * denoised_stride_1 * 2;
            const int64_t t3 = (int64_t)green_at_blue_s0_xi * 2;
            const int64_t t4 = (int64_t)green_at_blue_s0_x_base * 2;
            const int64_t t5 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t6 = denoised_stride_1 + t1 + t2 + t3 + t4 - t5 - (int64_t)denoised_min_0;
            const int16_t t7 = denoised[t6 - 1];
            const int16_t t8 = denoised[t6 + 1];
            const int16_t t9 = denoised[denoised_stride_1 * 2 + t1 + t2 + t3 + t4 - t5 - (int64_t)denoised_min_0];
            const int16_t t10 = denoised[t1 + t2 + t3 + t4 - t5 - (int64_t)denoised_min_0];
            green_at_blue[(int64_t)green_at_blue_s0_xi + (int64_t)green_at_blue_s0_y_base * green_at_blue_stride_1 + (int64_t)green_at_blue_s0_x_base + (int64_t)green_at_blue_s0_yi * green_at_blue_stride_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1] = absd_int16(t7, t8) < absd_int16(t9, t10) ? (int16_t)((int16_t)((int16_t)(t7 + t8) + 1) >> 1) : (int16_t)((int16_t)((int16_t)(t9 + t10) + 1) >> 1);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void curved_s0_x(const int32_t curved_min_0, const int32_t curved_min_1, const int32_t curved_s0_x_min, const int32_t curved_s0_y_min, const int64_t curved_stride_1, const int64_t curved_stride_2, const int32_t denoised_min_0, const int32_t denoised_min_1, const int64_t denoised_stride_1, const int32_t green_at_blue_min_0, const int32_t green_at_blue_min_1, const int64_t green_at_blue_stride_1, const int32_t green_at_red_min_0, const int32_t green_at_red_min_1, const int64_t green_at_red_stride_1, __global const uint8_t *restrict curve, __global uint8_t *restrict curved, __global const int16_t *restrict denoised, __global const int16_t *restrict green_at_blue, __global const int16_t *restrict green_at_red, __global const int16_t *restrict matrix) {
    const int32_t curved_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t curved_s0_y_1 = (int32_t)get_group_id(1);
    {
        const int32_t curved_s0_yi_1 = (int32_t)get_local_id(1);
        const int32_t curved_s0_xi_1 = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t2 = (int64_t)curved_s0_x_min * 2;
            const int64_t t3 = t1 + t2;
            const int64_t t4 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t5 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t6 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t7 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t8 = t3 + t4 + t5 + t6 + t7;
            const int64_t t9 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t10 = t8 - t9 - (int64_t)denoised_min_0;
            const int16_t t11 = denoised[t10];
            const int64_t t12 = (int64_t)curved_s0_x_1 * 32;
            const int64_t t13 = t12 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0;
            const int64_t t14 = t12 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            curved[t3 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t6 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[3] + (int32_t)matrix[0] * (int32_t)(int16_t)((int16_t)(t11 - (int16_t)((int16_t)((int16_t)(green_at_red[t13] + green_at_red[t13 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t10 + 1] + denoised[t10 - 1]) + 1) >> 1)) + (int32_t)matrix[1] * (int32_t)t11 + (int32_t)matrix[2] * (int32_t)(int16_t)((int16_t)(t11 - (int16_t)((int16_t)((int16_t)(green_at_blue[t14] + green_at_blue[t14 - green_at_blue_stride_1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t1 + denoised_stride_1 + t2 + t4 + t5 + t6 + t7 - t9 - (int64_t)denoised_min_0] + denoised[t8 - denoised_stride_1 - t9 - (int64_t)denoised_min_0]) + 1) >> 1))) >> 8), 1023), 0)];
        }
        {
            const int64_t t15 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t16 = (int64_t)curved_s0_x_min * 2;
            const int64_t t17 = t15 + t16;
            const int64_t t18 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t19 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t20 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t21 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t22 = t17 + t18 + t19 + t20 + t21;
            const int64_t t23 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t24 = t22 - t23 - (int64_t)denoised_min_0;
            const int16_t t25 = denoised[t24];
            const int64_t t26 = (int64_t)curved_s0_x_1 * 32;
            const int64_t t27 = t26 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0;
            const int64_t t28 = t26 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            curved[t17 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t20 + curved_stride_2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[7] + (int32_t)matrix[4] * (int32_t)(int16_t)((int16_t)(t25 - (int16_t)((int16_t)((int16_t)(green_at_red[t27] + green_at_red[t27 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t24 + 1] + denoised[t24 - 1]) + 1) >> 1)) + (int32_t)matrix[5] * (int32_t)t25 + (int32_t)matrix[6] * (int32_t)(int16_t)((int16_t)(t25 - (int16_t)((int16_t)((int16_t)(green_at_blue[t28] + green_at_blue[t28 - green_at_blue_stride_1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t15 + denoised_stride_1 + t16 + t18 + t19 + t20 + t21 - t23 - (int64_t)denoised_min_0] + denoised[t22 - denoised_stride_1 - t23 - (int64_t)denoised_min_0]) + 1) >> 1))) >> 8), 1023), 0)];
        }
        {
            const int64_t t29 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t30 = (int64_t)curved_s0_x_min * 2;
            const int64_t t31 = t29 + t30;
            const int64_t t32 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t33 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t34 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t35 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t36 = t31 + t32 + t33 + t34 + t35;
            const int64_t t37 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t38 = t36 - t37 - (int64_t)denoised_min_0;
            const int16_t t39 = denoised[t38];
            const int64_t t40 = (int64_t)curved_s0_x_1 * 32;
            const int64_t t41 = t40 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0;
            const int64_t t42 = t40 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            curved[t31 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t34 + curved_stride_2 * 2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[11] + (int32_t)matrix[8] * (int32_t)(int16_t)((int16_t)(t39 - (int16_t)((int16_t)((int16_t)(green_at_red[t41] + green_at_red[t41 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t38 + 1] + denoised[t38 - 1]) + 1) >> 1)) + (int32_t)matrix[9] * (int32_t)t39 + (int32_t)matrix[10] * (int32_t)(int16_t)((int16_t)(t39 - (int16_t)((int16_t)((int16_t)(green_at_blue[t42] + green_at_blue[t42 - green_at_blue_stride_1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t29 + denoised_stride_1 + t30 + t32 + t33 + t34 + t35 - t37 - (int64_t)denoised_min_0] + denoised[t36 - denoised_stride_1 - t37 - (int64_t)denoised_min_0]) + 1) >> 1))) >> 8), 1023), 0)];
        }
        {
            const int64_t t43 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t44 = (int64_t)curved_s0_x_min * 2;
            const int64_t t45 = t43 + t44;
            const int64_t t46 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t47 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t48 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t49 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t50 = t45 + t46 + t47 + t48 + t49;
            const int64_t t51 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t52 = (int64_t)curved_s0_x_1 * 32;
            const int16_t t53 = green_at_red[t52 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0];
            const int64_t t54 = t43 + denoised_stride_1 + t44 + t46 + t47 + t48 + t49 - t51 - (int64_t)denoised_min_0;
            const int16_t t55 = denoised[t54];
            const int64_t t56 = t50 - denoised_stride_1 - t51 - (int64_t)denoised_min_0;
            const int16_t t57 = denoised[t56 + 2];
            const int16_t t58 = denoised[t54 + 2];
            const int16_t t59 = denoised[t56];
            const int64_t t60 = t52 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            const int64_t t61 = t60 - green_at_blue_stride_1;
            curved[t45 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t48 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[3] + (int32_t)matrix[0] * (int32_t)denoised[t50 - t51 - (int64_t)denoised_min_0 + 1] + (int32_t)matrix[1] * (int32_t)t53 + (int32_t)matrix[2] * (int32_t)(absd_int16(t55, t57) < absd_int16(t58, t59) ? (int16_t)((int16_t)(t53 - (int16_t)((int16_t)((int16_t)(green_at_blue[t60] + green_at_blue[t61 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t55 + t57) + 1) >> 1)) : (int16_t)((int16_t)(t53 - (int16_t)((int16_t)((int16_t)(green_at_blue[t60 + 1] + green_at_blue[t61]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t58 + t59) + 1) >> 1)))) >> 8), 1023), 0)];
        }
        {
            const int64_t t62 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t63 = (int64_t)curved_s0_x_min * 2;
            const int64_t t64 = t62 + t63;
            const int64_t t65 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t66 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t67 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t68 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t69 = t64 + t65 + t66 + t67 + t68;
            const int64_t t70 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t71 = (int64_t)curved_s0_x_1 * 32;
            const int16_t t72 = green_at_red[t71 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0];
            const int64_t t73 = t62 + denoised_stride_1 + t63 + t65 + t66 + t67 + t68 - t70 - (int64_t)denoised_min_0;
            const int16_t t74 = denoised[t73];
            const int64_t t75 = t69 - denoised_stride_1 - t70 - (int64_t)denoised_min_0;
            const int16_t t76 = denoised[t75 + 2];
            const int16_t t77 = denoised[t73 + 2];
            const int16_t t78 = denoised[t75];
            const int64_t t79 = t71 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            const int64_t t80 = t79 - green_at_blue_stride_1;
            curved[t64 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t67 + curved_stride_2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[7] + (int32_t)matrix[4] * (int32_t)denoised[t69 - t70 - (int64_t)denoised_min_0 + 1] + (int32_t)matrix[5] * (int32_t)t72 + (int32_t)matrix[6] * (int32_t)(absd_int16(t74, t76) < absd_int16(t77, t78) ? (int16_t)((int16_t)(t72 - (int16_t)((int16_t)((int16_t)(green_at_blue[t79] + green_at_blue[t80 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t74 + t76) + 1) >> 1)) : (int16_t)((int16_t)(t72 - (int16_t)((int16_t)((int16_t)(green_at_blue[t79 + 1] + green_at_blue[t80]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t77 + t78) + 1) >> 1)))) >> 8), 1023), 0)];
        }
        {
            const int64_t t81 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t82 = (int64_t)curved_s0_x_min * 2;
            const int64_t t83 = t81 + t82;
            const int64_t t84 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t85 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t86 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t87 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t88 = t83 + t84 + t85 + t86 + t87;
            const int64_t t89 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t90 = (int64_t)curved_s0_x_1 * 32;
            const int16_t t91 = green_at_red[t90 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0];
            const int64_t t92 = t81 + denoised_stride_1 + t82 + t84 + t85 + t86 + t87 - t89 - (int64_t)denoised_min_0;
            const int16_t t93 = denoised[t92];
            const int64_t t94 = t88 - denoised_stride_1 - t89 - (int64_t)denoised_min_0;
            const int16_t t95 = denoised[t94 + 2];
            const int16_t t96 = denoised[t92 + 2];
            const int16_t t97 = denoised[t94];
            const int64_t t98 = t90 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            const int64_t t99 = t98 - green_at_blue_stride_1;
            curved[t83 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t86 + curved_stride_2 * 2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[11] + (int32_t)matrix[8] * (int32_t)denoised[t88 - t89 - (int64_t)denoised_min_0 + 1] + (int32_t)matrix[9] * (int32_t)t91 + (int32_t)matrix[10] * (int32_t)(absd_int16(t93, t95) < absd_int16(t96, t97) ? (int16_t)((int16_t)(t91 - (int16_t)((int16_t)((int16_t)(green_at_blue[t98] + green_at_blue[t99 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t93 + t95) + 1) >> 1)) : (int16_t)((int16_t)(t91 - (int16_t)((int16_t)((int16_t)(green_at_blue[t98 + 1] + green_at_blue[t99]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t96 + t97) + 1) >> 1)))) >> 8), 1023), 0)];
        }
        {
            const int64_t t100 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t101 = (int64_t)curved_s0_x_min * 2;
            const int64_t t102 = t100 + t101;
            const int64_t t103 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t104 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t105 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t106 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t107 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t108 = t102 + t103 + t104 + t105 + t106 - t107 - (int64_t)denoised_min_0;
            const int16_t t109 = denoised[t108 + 1];
            const int64_t t110 = t100 + denoised_stride_1 * 2 + t101 + t103 + t104 + t105 + t106 - t107 - (int64_t)denoised_min_0;
            const int16_t t111 = denoised[t110 - 1];
            const int16_t t112 = denoised[t108 - 1];
            const int16_t t113 = denoised[t110 + 1];
            const int64_t t114 = (int64_t)curved_s0_x_1 * 32;
            const int16_t t115 = green_at_blue[t114 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1];
            const int64_t t116 = t114 + (int64_t)curved_s0_x_min;
            const int64_t t117 = (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t118 = (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8;
            const int64_t t119 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t120 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t121 = t116 + t117 + t118 + t119 + (int64_t)curved_s0_xi_1 - t120 - (int64_t)green_at_red_min_0;
            const int64_t t122 = t116 + green_at_red_stride_1 + t117 + t118 + t119 + (int64_t)curved_s0_xi_1 - t120 - (int64_t)green_at_red_min_0;
            curved[t102 + curved_stride_1 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t105 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[3] + (int32_t)matrix[0] * (int32_t)(absd_int16(t109, t111) < absd_int16(t112, t113) ? (int16_t)((int16_t)(t115 - (int16_t)((int16_t)((int16_t)(green_at_red[t121] + green_at_red[t122 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t109 + t111) + 1) >> 1)) : (int16_t)((int16_t)(t115 - (int16_t)((int16_t)((int16_t)(green_at_red[t121 - 1] + green_at_red[t122]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t112 + t113) + 1) >> 1))) + (int32_t)matrix[1] * (int32_t)t115 + (int32_t)matrix[2] * (int32_t)denoised[t100 + denoised_stride_1 + t101 + t103 + t104 + t105 + t106 - t107 - (int64_t)denoised_min_0]) >> 8), 1023), 0)];
        }
        {
            const int64_t t123 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t124 = (int64_t)curved_s0_x_min * 2;
            const int64_t t125 = t123 + t124;
            const int64_t t126 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t127 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t128 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t129 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t130 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t131 = t125 + t126 + t127 + t128 + t129 - t130 - (int64_t)denoised_min_0;
            const int16_t t132 = denoised[t131 + 1];
            const int64_t t133 = t123 + denoised_stride_1 * 2 + t124 + t126 + t127 + t128 + t129 - t130 - (int64_t)denoised_min_0;
            const int16_t t134 = denoised[t133 - 1];
            const int16_t t135 = denoised[t131 - 1];
            const int16_t t136 = denoised[t133 + 1];
            const int64_t t137 = (int64_t)curved_s0_x_1 * 32;
            const int16_t t138 = green_at_blue[t137 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1];
            const int64_t t139 = t137 + (int64_t)curved_s0_x_min;
            const int64_t t140 = (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t141 = (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8;
            const int64_t t142 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t143 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t144 = t139 + t140 + t141 + t142 + (int64_t)curved_s0_xi_1 - t143 - (int64_t)green_at_red_min_0;
            const int64_t t145 = t139 + green_at_red_stride_1 + t140 + t141 + t142 + (int64_t)curved_s0_xi_1 - t143 - (int64_t)green_at_red_min_0;
            curved[t125 + curved_stride_1 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t128 + curved_stride_2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[7] + (int32_t)matrix[4] * (int32_t)(absd_int16(t132, t134) < absd_int16(t135, t136) ? (int16_t)((int16_t)(t138 - (int16_t)((int16_t)((int16_t)(green_at_red[t144] + green_at_red[t145 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t132 + t134) + 1) >> 1)) : (int16_t)((int16_t)(t138 - (int16_t)((int16_t)((int16_t)(green_at_red[t144 - 1] + green_at_red[t145]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t135 + t136) + 1) >> 1))) + (int32_t)matrix[5] * (int32_t)t138 + (int32_t)matrix[6] * (int32_t)denoised[t123 + denoised_stride_1 + t124 + t126 + t127 + t128 + t129 - t130 - (int64_t)denoised_min_0]) >> 8), 1023), 0)];
        }
        {
            const int64_t t146 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t147 = (int64_t)curved_s0_x_min * 2;
            const int64_t t148 = t146 + t147;
            const int64_t t149 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t150 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t151 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t152 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t153 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t154 = t148 + t149 + t150 + t151 + t152 - t153 - (int64_t)denoised_min_0;
            const int16_t t155 = denoised[t154 + 1];
            const int64_t t156 = t146 + denoised_stride_1 * 2 + t147 + t149 + t150 + t151 + t152 - t153 - (int64_t)denoised_min_0;
            const int16_t t157 = denoised[t156 - 1];
            const int16_t t158 = denoised[t154 - 1];
            const int16_t t159 = denoised[t156 + 1];
            const int64_t t160 = (int64_t)curved_s0_x_1 * 32;
            const int16_t t161 = green_at_blue[t160 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1];
            const int64_t t162 = t160 + (int64_t)curved_s0_x_min;
            const int64_t t163 = (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t164 = (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8;
            const int64_t t165 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t166 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t167 = t162 + t163 + t164 + t165 + (int64_t)curved_s0_xi_1 - t166 - (int64_t)green_at_red_min_0;
            const int64_t t168 = t162 + green_at_red_stride_1 + t163 + t164 + t165 + (int64_t)curved_s0_xi_1 - t166 - (int64_t)green_at_red_min_0;
            curved[t148 + curved_stride_1 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t151 + curved_stride_2 * 2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[11] + (int32_t)matrix[8] * (int32_t)(absd_int16(t155, t157) < absd_int16(t158, t159) ? (int16_t)((int16_t)(t161 - (int16_t)((int16_t)((int16_t)(green_at_red[t167] + green_at_red[t168 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t155 + t157) + 1) >> 1)) : (int16_t)((int16_t)(t161 - (int16_t)((int16_t)((int16_t)(green_at_red[t167 - 1] + green_at_red[t168]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t158 + t159) + 1) >> 1))) + (int32_t)matrix[9] * (int32_t)t161 + (int32_t)matrix[10] * (int32_t)denoised[t146 + denoised_stride_1 + t147 + t149 + t150 + t151 + t152 - t153 - (int64_t)denoised_min_0]) >> 8), 1023), 0)];
        }
        {
            const int64_t t169 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t170 = (int64_t)curved_s0_x_min * 2;
            const int64_t t171 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t172 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t173 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t174 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t175 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t176 = t169 + denoised_stride_1 + t170 + t171 + t172 + t173 + t174 - t175 - (int64_t)denoised_min_0;
            const int16_t t177 = denoised[t176 + 1];
            const int64_t t178 = (int64_t)curved_s0_x_1 * 32;
            const int64_t t179 = t178 + (int64_t)curved_s0_x_min;
            const int64_t t180 = (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t181 = (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8;
            const int64_t t182 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t183 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t184 = t169 + t170;
            const int64_t t185 = t178 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            curved[t184 + curved_stride_1 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t173 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[3] + (int32_t)matrix[0] * (int32_t)(int16_t)((int16_t)(t177 - (int16_t)((int16_t)((int16_t)(green_at_red[t179 + t180 + t181 + t182 + (int64_t)curved_s0_xi_1 - t183 - (int64_t)green_at_red_min_0] + green_at_red[t179 + green_at_red_stride_1 + t180 + t181 + t182 + (int64_t)curved_s0_xi_1 - t183 - (int64_t)green_at_red_min_0]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t184 + t171 + t172 + t173 + t174 - t175 - (int64_t)denoised_min_0 + 1] + denoised[t169 + denoised_stride_1 * 2 + t170 + t171 + t172 + t173 + t174 - t175 - (int64_t)denoised_min_0 + 1]) + 1) >> 1)) + (int32_t)matrix[1] * (int32_t)t177 + (int32_t)matrix[2] * (int32_t)(int16_t)((int16_t)(t177 - (int16_t)((int16_t)((int16_t)(green_at_blue[t185] + green_at_blue[t185 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t176] + denoised[t176 + 2]) + 1) >> 1))) >> 8), 1023), 0)];
        }
        {
            const int64_t t186 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t187 = (int64_t)curved_s0_x_min * 2;
            const int64_t t188 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t189 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t190 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t191 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t192 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t193 = t186 + denoised_stride_1 + t187 + t188 + t189 + t190 + t191 - t192 - (int64_t)denoised_min_0;
            const int16_t t194 = denoised[t193 + 1];
            const int64_t t195 = (int64_t)curved_s0_x_1 * 32;
            const int64_t t196 = t195 + (int64_t)curved_s0_x_min;
            const int64_t t197 = (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t198 = (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8;
            const int64_t t199 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t200 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t201 = t186 + t187;
            const int64_t t202 = t195 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            curved[t201 + curved_stride_1 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t190 + curved_stride_2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[7] + (int32_t)matrix[4] * (int32_t)(int16_t)((int16_t)(t194 - (int16_t)((int16_t)((int16_t)(green_at_red[t196 + t197 + t198 + t199 + (int64_t)curved_s0_xi_1 - t200 - (int64_t)green_at_red_min_0] + green_at_red[t196 + green_at_red_stride_1 + t197 + t198 + t199 + (int64_t)curved_s0_xi_1 - t200 - (int64_t)green_at_red_min_0]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t201 + t188 + t189 + t190 + t191 - t192 - (int64_t)denoised_min_0 + 1] + denoised[t186 + denoised_stride_1 * 2 + t187 + t188 + t189 + t190 + t191 - t192 - (int64_t)denoised_min_0 + 1]) + 1) >> 1)) + (int32_t)matrix[5] * (int32_t)t194 + (int32_t)matrix[6] * (int32_t)(int16_t)((int16_t)(t194 - (int16_t)((int16_t)((int16_t)(green_at_blue[t202] + green_at_blue[t202 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t193] + denoised[t193 + 2]) + 1) >> 1))) >> 8), 1023), 0)];
        }
        {
            const int64_t t203 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t204 = (int64_t)curved_s0_x_min * 2;
            const int64_t t205 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t206 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t207 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t208 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t209 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t210 = t203 + denoised_stride_1 + t204 + t205 + t206 + t207 + t208 - t209 - (int64_t)denoised_min_0;
            const int16_t t211 = denoised[t210 + 1];
            const int64_t t212 = (int64_t)curved_s0_x_1 * 32;
            const int64_t t213 = t212 + (int64_t)curved_s0_x_min;
            const int64_t t214 = (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t215 = (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8;
            const int64_t t216 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t217 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t218 = t203 + t204;
            const int64_t t219 = t212 + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_xi_1 - (int64_t)green_at_blue_min_0 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            curved[t218 + curved_stride_1 + (int64_t)curved_s0_y_min * curved_stride_1 * 2 + t207 + curved_stride_2 * 2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 - (int64_t)curved_min_0 - (int64_t)curved_min_1 * curved_stride_1 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[11] + (int32_t)matrix[8] * (int32_t)(int16_t)((int16_t)(t211 - (int16_t)((int16_t)((int16_t)(green_at_red[t213 + t214 + t215 + t216 + (int64_t)curved_s0_xi_1 - t217 - (int64_t)green_at_red_min_0] + green_at_red[t213 + green_at_red_stride_1 + t214 + t215 + t216 + (int64_t)curved_s0_xi_1 - t217 - (int64_t)green_at_red_min_0]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t218 + t205 + t206 + t207 + t208 - t209 - (int64_t)denoised_min_0 + 1] + denoised[t203 + denoised_stride_1 * 2 + t204 + t205 + t206 + t207 + t208 - t209 - (int64_t)denoised_min_0 + 1]) + 1) >> 1)) + (int32_t)matrix[9] * (int32_t)t211 + (int32_t)matrix[10] * (int32_t)(int16_t)((int16_t)(t211 - (int16_t)((int16_t)((int16_t)(green_at_blue[t219] + green_at_blue[t219 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t210] + denoised[t210 + 2]) + 1) >> 1))) >> 8), 1023), 0)];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void camera_pipe_s0_x(const int32_t camera_pipe_extent_0, const int32_t camera_pipe_extent_1, const int32_t camera_pipe_min_0, const int32_t camera_pipe_min_1, const int32_t camera_pipe_min_2, const int32_t camera_pipe_stride_1, const int32_t camera_pipe_stride_2, const int32_t curved_min_0, const int32_t curved_min_1, const int64_t curved_stride_1, const int64_t curved_stride_2, const float sharpen, __global uint8_t *restrict camera_pipe, __global const uint8_t *restrict curved) {
    const int32_t camera_pipe_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t camera_pipe_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t camera_pipe_s0_c = (int32_t)get_group_id(2);
    const int32_t camera_pipe_s0_y_base = min_int32(camera_pipe_s0_y_1 * 8 + camera_pipe_min_1, camera_pipe_min_1 + camera_pipe_extent_1 - 8);
    const int32_t camera_pipe_s0_x_base = min_int32(camera_pipe_extent_0 + camera_pipe_min_0 - 32, camera_pipe_min_0 + camera_pipe_s0_x_1 * 32);
    {
        const int32_t camera_pipe_s0_yi = (int32_t)get_local_id(1);
        const int32_t camera_pipe_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)camera_pipe_s0_x_base + (int64_t)camera_pipe_s0_y_base * curved_stride_1;
            const int64_t t2 = (int64_t)camera_pipe_s0_yi * curved_stride_1;
            const int64_t t3 = (int64_t)camera_pipe_s0_c * curved_stride_2;
            const int64_t t4 = (int64_t)curved_min_1 * curved_stride_1;
            const int64_t t5 = t1 + t2 + t3 + (int64_t)camera_pipe_s0_xi - (int64_t)curved_min_0 - t4;
            const uint8_t t6 = curved[t5];
            const int16_t t7 = (int16_t)t6;
            const int64_t t8 = t5 - curved_stride_1;
            const int64_t t9 = t1 + curved_stride_1 + t2 + t3 + (int64_t)camera_pipe_s0_xi - (int64_t)curved_min_0 - t4;
            camera_pipe[camera_pipe_s0_x_base + camera_pipe_s0_y_base * camera_pipe_stride_1 + camera_pipe_s0_c * camera_pipe_stride_2 + camera_pipe_s0_yi * camera_pipe_stride_1 + camera_pipe_s0_xi - camera_pipe_min_2 * camera_pipe_stride_2 - camera_pipe_min_0 - camera_pipe_min_1 * camera_pipe_stride_1] = (uint8_t)max_int16(min_int16((int16_t)(t7 + (int16_t)((int16_t)((int16_t)(t7 - (int16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)curved[t8 - 1] + (uint16_t)curved[t9 - 1]) + 1) / 2) + (uint16_t)curved[t5 - 1]) + 1) / 2) + (uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)curved[t8 + 1] + (uint16_t)curved[t9 + 1]) + 1) / 2) + (uint16_t)curved[t5 + 1]) + 1) / 2)) + 1) / 2) + (uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)curved[t8] + (uint16_t)curved[t9]) + 1) / 2) + (uint16_t)t6) + 1) / 2)) + 1) / 2)) * (int16_t)(int64_t)max_float32(min_float32(sharpen * 32.0f, 127.0f), 0.0f)) >> 5)), 255), 0);
        }
    }
}
