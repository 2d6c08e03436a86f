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
    const int32_t denoised_s0_y_base = min_int32(curved_s0_y_max * 2 - 2, curved_s0_y_min * 2 + denoised_s0_y_1 * 8) - 2;
    const int32_t denoised_s0_x_base = min_int32(curved_s0_x_max * 2 - 26, denoised_s0_x_1 * 32 + curved_s0_x_min * 2) - 2;
    {
        const int32_t denoised_s0_yi = (int32_t)get_local_id(1);
        const int32_t denoised_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = denoised_s0_x_base + denoised_s0_y_base * mosaic_stride_1 + denoised_s0_yi * mosaic_stride_1 + denoised_s0_xi;
            const int32_t t2 = mosaic_min_1 * mosaic_stride_1;
            const int32_t t3 = t1 + mosaic_stride_1 * 12 - mosaic_min_0 - t2;
            denoised[(int64_t)denoised_s0_x_base + (int64_t)denoised_s0_xi + (int64_t)denoised_s0_yi * denoised_stride_1 + (int64_t)denoised_s0_y_base * denoised_stride_1 - (int64_t)denoised_min_1 * denoised_stride_1 - (int64_t)denoised_min_0] = max_int16(min_int16((int16_t)mosaic[t3 + 16], max_int16(max_int16((int16_t)mosaic[t3 + 14], (int16_t)mosaic[t3 + 18]), max_int16((int16_t)mosaic[t1 + mosaic_stride_1 * 10 - mosaic_min_0 - t2 + 16], (int16_t)mosaic[t1 + mosaic_stride_1 * 14 - mosaic_min_0 - t2 + 16]))), 0);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void green_at_red_s0_x(const int32_t curved_s0_x_max, const int32_t curved_s0_x_min, const int32_t curved_s0_y_max, const int32_t curved_s0_y_min, const int32_t denoised_min_0, const int32_t denoised_min_1, const int64_t denoised_stride_1, const int32_t green_at_red_min_0, const int32_t green_at_red_min_1, const int64_t green_at_red_stride_1, __global const int16_t *restrict denoised, __global int16_t *restrict green_at_red) {
    const int32_t green_at_red_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t green_at_red_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t green_at_red_s0_y_base = min_int32(green_at_red_s0_y_1 * 8 + curved_s0_y_min, curved_s0_y_max - 6);
    const int32_t green_at_red_s0_x_base = min_int32(curved_s0_x_max - 30, curved_s0_x_min + green_at_red_s0_x_1 * 32) - 1;
    {
        const int32_t green_at_red_s0_yi = (int32_t)get_local_id(1);
        const int32_t green_at_red_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)green_at_red_s0_y_base * denoised_stride_1 * 2;
            const int64_t t2 = (int64_t)green_at_red_s0_yi * denoised_stride_1 * 2;
            const int64_t t3 = (int64_t)green_at_red_s0_x_base * 2;
            const int64_t t4 = (int64_t)green_at_red_s0_xi * 2;
            const int64_t t5 = t1 + t2 + t3 + t4;
            const int64_t t6 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t7 = t5 - t6 - (int64_t)denoised_min_0;
            const int16_t t8 = denoised[t7 + 2];
            const int16_t t9 = denoised[t7];
            const int16_t t10 = denoised[t5 - denoised_stride_1 - t6 - (int64_t)denoised_min_0 + 1];
            const int16_t t11 = denoised[denoised_stride_1 + t1 + t2 + t3 + t4 - t6 - (int64_t)denoised_min_0 + 1];
            green_at_red[(int64_t)green_at_red_s0_y_base * green_at_red_stride_1 + (int64_t)green_at_red_s0_x_base + (int64_t)green_at_red_s0_xi + (int64_t)green_at_red_s0_yi * green_at_red_stride_1 - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0] = absd_int16(t8, t9) < absd_int16(t10, t11) ? (int16_t)((int16_t)((int16_t)(t8 + t9) + 1) >> 1) : (int16_t)((int16_t)((int16_t)(t10 + t11) + 1) >> 1);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void green_at_blue_s0_x(const int32_t curved_s0_x_max, const int32_t curved_s0_x_min, const int32_t curved_s0_y_max, const int32_t curved_s0_y_min, const int32_t denoised_min_0, const int32_t denoised_min_1, const int64_t denoised_stride_1, const int32_t green_at_blue_min_0, const int32_t green_at_blue_min_1, const int64_t green_at_blue_stride_1, __global const int16_t *restrict denoised, __global int16_t *restrict green_at_blue) {
    const int32_t green_at_blue_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t green_at_blue_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t green_at_blue_s0_y_base = min_int32(curved_s0_y_min + green_at_blue_s0_y_1 * 8, curved_s0_y_max - 6) - 1;
    const int32_t green_at_blue_s0_x_base = min_int32(green_at_blue_s0_x_1 * 32 + curved_s0_x_min, curved_s0_x_max - 30);
    {
        const int32_t green_at_blue_s0_yi = (int32_t)get_local_id(1);
        const int32_t green_at_blue_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)green_at_blue_s0_xi * 2;
            const int64_t t2 = (int64_t)green_at_blue_s0_y_base * denoised_stride_1 * 2;
            const int64_t t3 = (int64_t)green_at_blue_s0_yi * denoised_stride_1 * 2;
            const int64_t t4 = (int64_t)green_at_blue_s0_x_base * 2;
            const int64_t t5 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t6 = denoised_stride_1 + t1 + t2 + t3 + t4 - t5 - (int64_t)denoised_min_0;
            const int16_t t7 = denoised[t6 - 1];
            const int16_t t8 = denoised[t6 + 1];
            const int16_t t9 = denoised[denoised_stride_1 * 2 + t1 + t2 + t3 + t4 - t5 - (int64_t)denoised_min_0];
            const int16_t t10 = denoised[t1 + t2 + t3 + t4 - t5 - (int64_t)denoised_min_0];
            green_at_blue[(int64_t)green_at_blue_s0_xi + (int64_t)green_at_blue_s0_y_base * green_at_blue_stride_1 + (int64_t)green_at_blue_s0_yi * green_at_blue_stride_1 + (int64_t)green_at_blue_s0_x_base - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_0] = absd_int16(t7, t8) < absd_int16(t9, t10) ? (int16_t)((int16_t)((int16_t)(t7 + t8) + 1) >> 1) : (int16_t)((int16_t)((int16_t)(t9 + t10) + 1) >> 1);
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
            const int64_t t2 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t3 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t4 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t5 = (int64_t)curved_s0_x_min * 2;
            const int64_t t6 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t7 = t1 + t2 + t3 + t4 + t5 + t6;
            const int64_t t8 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t9 = t7 - t8 - (int64_t)denoised_min_0;
            const int16_t t10 = denoised[t9];
            const int64_t t11 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int64_t t12 = t11 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_x_min - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0;
            const int64_t t13 = t11 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1;
            const int64_t t14 = (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t1 + t3 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t5 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[3] + (int32_t)matrix[0] * (int32_t)(int16_t)((int16_t)(t10 - (int16_t)((int16_t)((int16_t)(green_at_red[t12] + green_at_red[t12 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t9 + 1] + denoised[t9 - 1]) + 1) >> 1)) + (int32_t)matrix[1] * (int32_t)t10 + (int32_t)matrix[2] * (int32_t)(int16_t)((int16_t)(t10 - (int16_t)((int16_t)((int16_t)(green_at_blue[t13 - t14 - (int64_t)green_at_blue_min_0] + green_at_blue[t13 - green_at_blue_stride_1 - t14 - (int64_t)green_at_blue_min_0]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[denoised_stride_1 + t1 + t2 + t3 + t4 + t5 + t6 - t8 - (int64_t)denoised_min_0] + denoised[t7 - denoised_stride_1 - t8 - (int64_t)denoised_min_0]) + 1) >> 1))) >> 8), 1023), 0)];
        }
        {
            const int64_t t15 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t16 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t17 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t18 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t19 = (int64_t)curved_s0_x_min * 2;
            const int64_t t20 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t21 = t15 + t16 + t17 + t18 + t19 + t20;
            const int64_t t22 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t23 = t21 - t22 - (int64_t)denoised_min_0;
            const int16_t t24 = denoised[t23];
            const int64_t t25 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int64_t t26 = t25 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_x_min - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0;
            const int64_t t27 = t25 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1;
            const int64_t t28 = (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t15 + t17 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + curved_stride_2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t19 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[7] + (int32_t)matrix[4] * (int32_t)(int16_t)((int16_t)(t24 - (int16_t)((int16_t)((int16_t)(green_at_red[t26] + green_at_red[t26 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t23 + 1] + denoised[t23 - 1]) + 1) >> 1)) + (int32_t)matrix[5] * (int32_t)t24 + (int32_t)matrix[6] * (int32_t)(int16_t)((int16_t)(t24 - (int16_t)((int16_t)((int16_t)(green_at_blue[t27 - t28 - (int64_t)green_at_blue_min_0] + green_at_blue[t27 - green_at_blue_stride_1 - t28 - (int64_t)green_at_blue_min_0]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[denoised_stride_1 + t15 + t16 + t17 + t18 + t19 + t20 - t22 - (int64_t)denoised_min_0] + denoised[t21 - denoised_stride_1 - t22 - (int64_t)denoised_min_0]) + 1) >> 1))) >> 8), 1023), 0)];
        }
        {
            const int64_t t29 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t30 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t31 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t32 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t33 = (int64_t)curved_s0_x_min * 2;
            const int64_t t34 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t35 = t29 + t30 + t31 + t32 + t33 + t34;
            const int64_t t36 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t37 = t35 - t36 - (int64_t)denoised_min_0;
            const int16_t t38 = denoised[t37];
            const int64_t t39 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int64_t t40 = t39 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_x_min - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0;
            const int64_t t41 = t39 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1;
            const int64_t t42 = (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t29 + t31 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + curved_stride_2 * 2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t33 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[11] + (int32_t)matrix[8] * (int32_t)(int16_t)((int16_t)(t38 - (int16_t)((int16_t)((int16_t)(green_at_red[t40] + green_at_red[t40 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t37 + 1] + denoised[t37 - 1]) + 1) >> 1)) + (int32_t)matrix[9] * (int32_t)t38 + (int32_t)matrix[10] * (int32_t)(int16_t)((int16_t)(t38 - (int16_t)((int16_t)((int16_t)(green_at_blue[t41 - t42 - (int64_t)green_at_blue_min_0] + green_at_blue[t41 - green_at_blue_stride_1 - t42 - (int64_t)green_at_blue_min_0]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[denoised_stride_1 + t29 + t30 + t31 + t32 + t33 + t34 - t36 - (int64_t)denoised_min_0] + denoised[t35 - denoised_stride_1 - t36 - (int64_t)denoised_min_0]) + 1) >> 1))) >> 8), 1023), 0)];
        }
        {
            const int64_t t43 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t44 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t45 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t46 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t47 = (int64_t)curved_s0_x_min * 2;
            const int64_t t48 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t49 = t43 + t44 + t45 + t46 + t47 + t48;
            const int64_t t50 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t51 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int16_t t52 = green_at_red[t51 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_x_min - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0];
            const int64_t t53 = denoised_stride_1 + t43 + t44 + t45 + t46 + t47 + t48 - t50 - (int64_t)denoised_min_0;
            const int16_t t54 = denoised[t53];
            const int64_t t55 = t49 - denoised_stride_1 - t50 - (int64_t)denoised_min_0;
            const int16_t t56 = denoised[t55 + 2];
            const int16_t t57 = denoised[t53 + 2];
            const int16_t t58 = denoised[t55];
            const int64_t t59 = t51 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1;
            const int64_t t60 = (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            const int64_t t61 = t59 - t60 - (int64_t)green_at_blue_min_0;
            const int64_t t62 = t59 - green_at_blue_stride_1 - t60 - (int64_t)green_at_blue_min_0;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t43 + t45 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t47 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[3] + (int32_t)matrix[0] * (int32_t)denoised[t49 - t50 - (int64_t)denoised_min_0 + 1] + (int32_t)matrix[1] * (int32_t)t52 + (int32_t)matrix[2] * (int32_t)(absd_int16(t54, t56) < absd_int16(t57, t58) ? (int16_t)((int16_t)(t52 - (int16_t)((int16_t)((int16_t)(green_at_blue[t61] + green_at_blue[t62 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t54 + t56) + 1) >> 1)) : (int16_t)((int16_t)(t52 - (int16_t)((int16_t)((int16_t)(green_at_blue[t61 + 1] + green_at_blue[t62]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t57 + t58) + 1) >> 1)))) >> 8), 1023), 0)];
        }
        {
            const int64_t t63 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t64 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t65 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t66 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t67 = (int64_t)curved_s0_x_min * 2;
            const int64_t t68 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t69 = t63 + t64 + t65 + t66 + t67 + t68;
            const int64_t t70 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t71 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int16_t t72 = green_at_red[t71 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_x_min - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0];
            const int64_t t73 = denoised_stride_1 + t63 + t64 + t65 + t66 + t67 + t68 - t70 - (int64_t)denoised_min_0;
            const int16_t t74 = denoised[t73];
            const int64_t t75 = t69 - denoised_stride_1 - t70 - (int64_t)denoised_min_0;
            const int16_t t76 = denoised[t75 + 2];
            const int16_t t77 = denoised[t73 + 2];
            const int16_t t78 = denoised[t75];
            const int64_t t79 = t71 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1;
            const int64_t t80 = (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            const int64_t t81 = t79 - t80 - (int64_t)green_at_blue_min_0;
            const int64_t t82 = t79 - green_at_blue_stride_1 - t80 - (int64_t)green_at_blue_min_0;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t63 + t65 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + curved_stride_2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t67 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[7] + (int32_t)matrix[4] * (int32_t)denoised[t69 - t70 - (int64_t)denoised_min_0 + 1] + (int32_t)matrix[5] * (int32_t)t72 + (int32_t)matrix[6] * (int32_t)(absd_int16(t74, t76) < absd_int16(t77, t78) ? (int16_t)((int16_t)(t72 - (int16_t)((int16_t)((int16_t)(green_at_blue[t81] + green_at_blue[t82 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t74 + t76) + 1) >> 1)) : (int16_t)((int16_t)(t72 - (int16_t)((int16_t)((int16_t)(green_at_blue[t81 + 1] + green_at_blue[t82]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t77 + t78) + 1) >> 1)))) >> 8), 1023), 0)];
        }
        {
            const int64_t t83 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t84 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t85 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t86 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t87 = (int64_t)curved_s0_x_min * 2;
            const int64_t t88 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t89 = t83 + t84 + t85 + t86 + t87 + t88;
            const int64_t t90 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t91 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int16_t t92 = green_at_red[t91 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1 + (int64_t)curved_s0_yi_1 * green_at_red_stride_1 + (int64_t)curved_s0_x_min - (int64_t)green_at_red_min_1 * green_at_red_stride_1 - (int64_t)green_at_red_min_0];
            const int64_t t93 = denoised_stride_1 + t83 + t84 + t85 + t86 + t87 + t88 - t90 - (int64_t)denoised_min_0;
            const int16_t t94 = denoised[t93];
            const int64_t t95 = t89 - denoised_stride_1 - t90 - (int64_t)denoised_min_0;
            const int16_t t96 = denoised[t95 + 2];
            const int16_t t97 = denoised[t93 + 2];
            const int16_t t98 = denoised[t95];
            const int64_t t99 = t91 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1;
            const int64_t t100 = (int64_t)green_at_blue_min_1 * green_at_blue_stride_1;
            const int64_t t101 = t99 - t100 - (int64_t)green_at_blue_min_0;
            const int64_t t102 = t99 - green_at_blue_stride_1 - t100 - (int64_t)green_at_blue_min_0;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t83 + t85 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + curved_stride_2 * 2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t87 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[11] + (int32_t)matrix[8] * (int32_t)denoised[t89 - t90 - (int64_t)denoised_min_0 + 1] + (int32_t)matrix[9] * (int32_t)t92 + (int32_t)matrix[10] * (int32_t)(absd_int16(t94, t96) < absd_int16(t97, t98) ? (int16_t)((int16_t)(t92 - (int16_t)((int16_t)((int16_t)(green_at_blue[t101] + green_at_blue[t102 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t94 + t96) + 1) >> 1)) : (int16_t)((int16_t)(t92 - (int16_t)((int16_t)((int16_t)(green_at_blue[t101 + 1] + green_at_blue[t102]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t97 + t98) + 1) >> 1)))) >> 8), 1023), 0)];
        }
        {
            const int64_t t103 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t104 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t105 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t106 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t107 = (int64_t)curved_s0_x_min * 2;
            const int64_t t108 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t109 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t110 = t103 + t104 + t105 + t106 + t107 + t108 - t109 - (int64_t)denoised_min_0;
            const int16_t t111 = denoised[t110 + 1];
            const int64_t t112 = denoised_stride_1 * 2 + t103 + t104 + t105 + t106 + t107 + t108 - t109 - (int64_t)denoised_min_0;
            const int16_t t113 = denoised[t112 - 1];
            const int16_t t114 = denoised[t110 - 1];
            const int16_t t115 = denoised[t112 + 1];
            const int64_t t116 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int16_t t117 = green_at_blue[t116 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_0];
            const int64_t t118 = t116 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t119 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t120 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t121 = t118 + t119 + (int64_t)curved_s0_x_min - t120 - (int64_t)green_at_red_min_0;
            const int64_t t122 = t118 + green_at_red_stride_1 + t119 + (int64_t)curved_s0_x_min - t120 - (int64_t)green_at_red_min_0;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t103 + t105 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + curved_stride_1 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t107 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[3] + (int32_t)matrix[0] * (int32_t)(absd_int16(t111, t113) < absd_int16(t114, t115) ? (int16_t)((int16_t)(t117 - (int16_t)((int16_t)((int16_t)(green_at_red[t121] + green_at_red[t122 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t111 + t113) + 1) >> 1)) : (int16_t)((int16_t)(t117 - (int16_t)((int16_t)((int16_t)(green_at_red[t121 - 1] + green_at_red[t122]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t114 + t115) + 1) >> 1))) + (int32_t)matrix[1] * (int32_t)t117 + (int32_t)matrix[2] * (int32_t)denoised[denoised_stride_1 + t103 + t104 + t105 + t106 + t107 + t108 - t109 - (int64_t)denoised_min_0]) >> 8), 1023), 0)];
        }
        {
            const int64_t t123 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t124 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t125 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t126 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t127 = (int64_t)curved_s0_x_min * 2;
            const int64_t t128 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t129 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t130 = t123 + t124 + t125 + t126 + t127 + t128 - t129 - (int64_t)denoised_min_0;
            const int16_t t131 = denoised[t130 + 1];
            const int64_t t132 = denoised_stride_1 * 2 + t123 + t124 + t125 + t126 + t127 + t128 - t129 - (int64_t)denoised_min_0;
            const int16_t t133 = denoised[t132 - 1];
            const int16_t t134 = denoised[t130 - 1];
            const int16_t t135 = denoised[t132 + 1];
            const int64_t t136 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int16_t t137 = green_at_blue[t136 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_0];
            const int64_t t138 = t136 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t139 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t140 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t141 = t138 + t139 + (int64_t)curved_s0_x_min - t140 - (int64_t)green_at_red_min_0;
            const int64_t t142 = t138 + green_at_red_stride_1 + t139 + (int64_t)curved_s0_x_min - t140 - (int64_t)green_at_red_min_0;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t123 + t125 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + curved_stride_1 + curved_stride_2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t127 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[7] + (int32_t)matrix[4] * (int32_t)(absd_int16(t131, t133) < absd_int16(t134, t135) ? (int16_t)((int16_t)(t137 - (int16_t)((int16_t)((int16_t)(green_at_red[t141] + green_at_red[t142 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t131 + t133) + 1) >> 1)) : (int16_t)((int16_t)(t137 - (int16_t)((int16_t)((int16_t)(green_at_red[t141 - 1] + green_at_red[t142]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t134 + t135) + 1) >> 1))) + (int32_t)matrix[5] * (int32_t)t137 + (int32_t)matrix[6] * (int32_t)denoised[denoised_stride_1 + t123 + t124 + t125 + t126 + t127 + t128 - t129 - (int64_t)denoised_min_0]) >> 8), 1023), 0)];
        }
        {
            const int64_t t143 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t144 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t145 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t146 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t147 = (int64_t)curved_s0_x_min * 2;
            const int64_t t148 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t149 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t150 = t143 + t144 + t145 + t146 + t147 + t148 - t149 - (int64_t)denoised_min_0;
            const int16_t t151 = denoised[t150 + 1];
            const int64_t t152 = denoised_stride_1 * 2 + t143 + t144 + t145 + t146 + t147 + t148 - t149 - (int64_t)denoised_min_0;
            const int16_t t153 = denoised[t152 - 1];
            const int16_t t154 = denoised[t150 - 1];
            const int16_t t155 = denoised[t152 + 1];
            const int64_t t156 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int16_t t157 = green_at_blue[t156 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_0];
            const int64_t t158 = t156 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t159 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t160 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t161 = t158 + t159 + (int64_t)curved_s0_x_min - t160 - (int64_t)green_at_red_min_0;
            const int64_t t162 = t158 + green_at_red_stride_1 + t159 + (int64_t)curved_s0_x_min - t160 - (int64_t)green_at_red_min_0;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t143 + t145 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + curved_stride_1 + curved_stride_2 * 2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t147 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[11] + (int32_t)matrix[8] * (int32_t)(absd_int16(t151, t153) < absd_int16(t154, t155) ? (int16_t)((int16_t)(t157 - (int16_t)((int16_t)((int16_t)(green_at_red[t161] + green_at_red[t162 - 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t151 + t153) + 1) >> 1)) : (int16_t)((int16_t)(t157 - (int16_t)((int16_t)((int16_t)(green_at_red[t161 - 1] + green_at_red[t162]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(t154 + t155) + 1) >> 1))) + (int32_t)matrix[9] * (int32_t)t157 + (int32_t)matrix[10] * (int32_t)denoised[denoised_stride_1 + t143 + t144 + t145 + t146 + t147 + t148 - t149 - (int64_t)denoised_min_0]) >> 8), 1023), 0)];
        }
        {
            const int64_t t163 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t164 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t165 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t166 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t167 = (int64_t)curved_s0_x_min * 2;
            const int64_t t168 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t169 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t170 = denoised_stride_1 + t163 + t164 + t165 + t166 + t167 + t168 - t169 - (int64_t)denoised_min_0;
            const int16_t t171 = denoised[t170 + 1];
            const int64_t t172 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int64_t t173 = t172 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t174 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t175 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t176 = t172 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_0;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t163 + t165 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + curved_stride_1 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t167 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[3] + (int32_t)matrix[0] * (int32_t)(int16_t)((int16_t)(t171 - (int16_t)((int16_t)((int16_t)(green_at_red[t173 + t174 + (int64_t)curved_s0_x_min - t175 - (int64_t)green_at_red_min_0] + green_at_red[t173 + green_at_red_stride_1 + t174 + (int64_t)curved_s0_x_min - t175 - (int64_t)green_at_red_min_0]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t163 + t164 + t165 + t166 + t167 + t168 - t169 - (int64_t)denoised_min_0 + 1] + denoised[denoised_stride_1 * 2 + t163 + t164 + t165 + t166 + t167 + t168 - t169 - (int64_t)denoised_min_0 + 1]) + 1) >> 1)) + (int32_t)matrix[1] * (int32_t)t171 + (int32_t)matrix[2] * (int32_t)(int16_t)((int16_t)(t171 - (int16_t)((int16_t)((int16_t)(green_at_blue[t176] + green_at_blue[t176 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t170] + denoised[t170 + 2]) + 1) >> 1))) >> 8), 1023), 0)];
        }
        {
            const int64_t t177 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t178 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t179 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t180 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t181 = (int64_t)curved_s0_x_min * 2;
            const int64_t t182 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t183 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t184 = denoised_stride_1 + t177 + t178 + t179 + t180 + t181 + t182 - t183 - (int64_t)denoised_min_0;
            const int16_t t185 = denoised[t184 + 1];
            const int64_t t186 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int64_t t187 = t186 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t188 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t189 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t190 = t186 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_0;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t177 + t179 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + curved_stride_1 + curved_stride_2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t181 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[7] + (int32_t)matrix[4] * (int32_t)(int16_t)((int16_t)(t185 - (int16_t)((int16_t)((int16_t)(green_at_red[t187 + t188 + (int64_t)curved_s0_x_min - t189 - (int64_t)green_at_red_min_0] + green_at_red[t187 + green_at_red_stride_1 + t188 + (int64_t)curved_s0_x_min - t189 - (int64_t)green_at_red_min_0]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t177 + t178 + t179 + t180 + t181 + t182 - t183 - (int64_t)denoised_min_0 + 1] + denoised[denoised_stride_1 * 2 + t177 + t178 + t179 + t180 + t181 + t182 - t183 - (int64_t)denoised_min_0 + 1]) + 1) >> 1)) + (int32_t)matrix[5] * (int32_t)t185 + (int32_t)matrix[6] * (int32_t)(int16_t)((int16_t)(t185 - (int16_t)((int16_t)((int16_t)(green_at_blue[t190] + green_at_blue[t190 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t184] + denoised[t184 + 2]) + 1) >> 1))) >> 8), 1023), 0)];
        }
        {
            const int64_t t191 = (int64_t)curved_s0_x_1 * 64;
            const int64_t t192 = (int64_t)curved_s0_y_1 * denoised_stride_1 * 16;
            const int64_t t193 = (int64_t)curved_s0_xi_1 * 2;
            const int64_t t194 = (int64_t)curved_s0_y_min * denoised_stride_1 * 2;
            const int64_t t195 = (int64_t)curved_s0_x_min * 2;
            const int64_t t196 = (int64_t)curved_s0_yi_1 * denoised_stride_1 * 2;
            const int64_t t197 = (int64_t)denoised_min_1 * denoised_stride_1;
            const int64_t t198 = denoised_stride_1 + t191 + t192 + t193 + t194 + t195 + t196 - t197 - (int64_t)denoised_min_0;
            const int16_t t199 = denoised[t198 + 1];
            const int64_t t200 = (int64_t)curved_s0_x_1 * 32 + (int64_t)curved_s0_xi_1;
            const int64_t t201 = t200 + (int64_t)curved_s0_y_1 * green_at_red_stride_1 * 8 + (int64_t)curved_s0_y_min * green_at_red_stride_1;
            const int64_t t202 = (int64_t)curved_s0_yi_1 * green_at_red_stride_1;
            const int64_t t203 = (int64_t)green_at_red_min_1 * green_at_red_stride_1;
            const int64_t t204 = t200 + (int64_t)curved_s0_y_min * green_at_blue_stride_1 + (int64_t)curved_s0_x_min + (int64_t)curved_s0_y_1 * green_at_blue_stride_1 * 8 + (int64_t)curved_s0_yi_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_1 * green_at_blue_stride_1 - (int64_t)green_at_blue_min_0;
            curved[(int64_t)curved_s0_y_min * curved_stride_1 * 2 + t191 + t193 + (int64_t)curved_s0_y_1 * curved_stride_1 * 16 + curved_stride_1 + curved_stride_2 * 2 + (int64_t)curved_s0_yi_1 * curved_stride_1 * 2 + t195 - (int64_t)curved_min_1 * curved_stride_1 - (int64_t)curved_min_0 + 1] = curve[(int32_t)max_int16(min_int16((int16_t)(int32_t)(((int32_t)matrix[11] + (int32_t)matrix[8] * (int32_t)(int16_t)((int16_t)(t199 - (int16_t)((int16_t)((int16_t)(green_at_red[t201 + t202 + (int64_t)curved_s0_x_min - t203 - (int64_t)green_at_red_min_0] + green_at_red[t201 + green_at_red_stride_1 + t202 + (int64_t)curved_s0_x_min - t203 - (int64_t)green_at_red_min_0]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t191 + t192 + t193 + t194 + t195 + t196 - t197 - (int64_t)denoised_min_0 + 1] + denoised[denoised_stride_1 * 2 + t191 + t192 + t193 + t194 + t195 + t196 - t197 - (int64_t)denoised_min_0 + 1]) + 1) >> 1)) + (int32_t)matrix[9] * (int32_t)t199 + (int32_t)matrix[10] * (int32_t)(int16_t)((int16_t)(t199 - (int16_t)((int16_t)((int16_t)(green_at_blue[t204] + green_at_blue[t204 + 1]) + 1) >> 1)) + (int16_t)((int16_t)((int16_t)(denoised[t198] + denoised[t198 + 2]) + 1) >> 1))) >> 8), 1023), 0)];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void camera_pipe_s0_x(const int32_t camera_pipe_extent_0, const int32_t camera_pipe_extent_1, const int32_t camera_pipe_min_0, const int32_t camera_pipe_min_1, const int32_t camera_pipe_min_2, const int32_t camera_pipe_stride_1, const int32_t camera_pipe_stride_2, const int32_t curved_min_0, const int32_t curved_min_1, const int64_t curved_stride_1, const int64_t curved_stride_2, const float sharpen, __global uint8_t *restrict camera_pipe, __global const uint8_t *restrict curved) {
    const int32_t camera_pipe_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t camera_pipe_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t camera_pipe_s0_c = (int32_t)get_group_id(2);
    const int32_t camera_pipe_s0_y_base = min_int32(camera_pipe_min_1 + camera_pipe_s0_y_1 * 8, camera_pipe_min_1 + camera_pipe_extent_1 - 8);
    const int32_t camera_pipe_s0_x_base = min_int32(camera_pipe_s0_x_1 * 32 + camera_pipe_min_0, camera_pipe_min_0 + camera_pipe_extent_0 - 32);
    {
        const int32_t camera_pipe_s0_yi = (int32_t)get_local_id(1);
        const int32_t camera_pipe_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)camera_pipe_s0_x_base + (int64_t)camera_pipe_s0_xi + (int64_t)camera_pipe_s0_c * curved_stride_2 + (int64_t)camera_pipe_s0_yi * curved_stride_1;
            const int64_t t2 = (int64_t)camera_pipe_s0_y_base * curved_stride_1;
            const int64_t t3 = (int64_t)curved_min_1 * curved_stride_1;
            const int64_t t4 = t1 + t2 - t3;
            const int64_t t5 = t4 - (int64_t)curved_min_0;
            const uint8_t t6 = curved[t5];
            const int16_t t7 = (int16_t)t6;
            const int64_t t8 = t4 - curved_stride_1 - (int64_t)curved_min_0;
            const int64_t t9 = t1 + curved_stride_1 + t2 - t3 - (int64_t)curved_min_0;
            camera_pipe[camera_pipe_s0_x_base + camera_pipe_s0_xi + camera_pipe_s0_yi * camera_pipe_stride_1 + camera_pipe_s0_y_base * camera_pipe_stride_1 + camera_pipe_s0_c * camera_pipe_stride_2 - camera_pipe_min_1 * camera_pipe_stride_1 - camera_pipe_min_2 * camera_pipe_stride_2 - camera_pipe_min_0] = (uint8_t)max_int16(min_int16((int16_t)(t7 + (int16_t)((int16_t)((int16_t)(t7 - (int16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)curved[t8 - 1] + (uint16_t)curved[t9 - 1]) + 1) / 2) + (uint16_t)curved[t5 - 1]) + 1) / 2) + (uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)curved[t8 + 1] + (uint16_t)curved[t9 + 1]) + 1) / 2) + (uint16_t)curved[t5 + 1]) + 1) / 2)) + 1) / 2) + (uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)(uint8_t)((uint16_t)((uint16_t)((uint16_t)curved[t8] + (uint16_t)curved[t9]) + 1) / 2) + (uint16_t)t6) + 1) / 2)) + 1) / 2)) * (int16_t)(int64_t)max_float32(min_float32(sharpen * 32.0f, 127.0f), 0.0f)) >> 5)), 255), 0);
        }
    }
}
