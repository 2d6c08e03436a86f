typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline float max_float32(float a, float b) { return a > b ? a : b; }
static inline float min_float32(float a, float b) { return a < b ? a : b; }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }
static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void grid_s0_x(const int32_t blur_y_s0_x_max, const int32_t blur_y_s0_x_min, const int32_t blur_y_s0_y_max, const int32_t blur_y_s0_y_min, const int32_t grid_min_1, const int32_t grid_min_2, const int32_t grid_min_3, const int32_t grid_s0_z_max, const int32_t grid_s0_z_min, const int64_t grid_stride_2, const int64_t grid_stride_3, __global float *restrict grid) {
    const int32_t grid_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t grid_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t grid_s0_y_base = min_int32(blur_y_s0_y_max - 3, blur_y_s0_y_min + grid_s0_y_1 * 8) - 2;
    const int32_t grid_s0_x_base = min_int32(blur_y_s0_x_max - 27, grid_s0_x_1 * 32 + blur_y_s0_x_min) - 2;
    {
        const int32_t grid_s0_yi = (int32_t)get_local_id(1);
        const int32_t grid_s0_xi = (int32_t)get_local_id(0);
        for (int32_t grid_s0_z = grid_s0_z_min, grid_s0_z_end1 = grid_s0_z + grid_s0_z_max - grid_s0_z_min + 1; grid_s0_z < grid_s0_z_end1; grid_s0_z++) {
            grid[(int64_t)grid_s0_x_base * grid_stride_2 + (int64_t)grid_s0_z * 2 + (int64_t)grid_s0_xi * grid_stride_2 + (int64_t)grid_s0_yi * grid_stride_3 + (int64_t)grid_s0_y_base * grid_stride_3 - (int64_t)grid_min_3 * grid_stride_3 - (int64_t)grid_min_1 * 2 - (int64_t)grid_min_2 * grid_stride_2] = 0.0f;
            grid[(int64_t)grid_s0_x_base * grid_stride_2 + (int64_t)grid_s0_z * 2 + (int64_t)grid_s0_xi * grid_stride_2 + (int64_t)grid_s0_yi * grid_stride_3 + (int64_t)grid_s0_y_base * grid_stride_3 - (int64_t)grid_min_3 * grid_stride_3 - (int64_t)grid_min_1 * 2 - (int64_t)grid_min_2 * grid_stride_2 + 1] = 0.0f;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void grid_s1_x(const int32_t blur_y_s0_x_min, const int32_t blur_y_s0_y_min, const int32_t grid_min_1, const int32_t grid_min_2, const int32_t grid_min_3, const int64_t grid_stride_2, const int64_t grid_stride_3, const float r_sigma, const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_stride_1, __global float *restrict grid, __global const float *restrict source) {
    const int32_t grid_s1_x_1 = (int32_t)get_group_id(0);
    const int32_t grid_s1_y_1 = (int32_t)get_group_id(1);
    {
        const int32_t grid_s1_yi = (int32_t)get_local_id(1);
        const int32_t grid_s1_xi = (int32_t)get_local_id(0);
        for (int32_t grid_s1_cell_y = 0; grid_s1_cell_y < 8; grid_s1_cell_y++) {
            for (int32_t grid_s1_cell_x = 0; grid_s1_cell_x < 8; grid_s1_cell_x++) {
                {
                    const float t1 = max_float32(min_float32(source[max_int32(source_min_1 + 1, min_int32(grid_s1_yi * 8 + grid_s1_cell_y + grid_s1_y_1 * 64 + blur_y_s0_y_min * 8 - 19, source_extent_1 + source_min_1)) * source_stride_1 + max_int32(min_int32(source_extent_0 + source_min_0, grid_s1_xi * 8 + grid_s1_x_1 * 256 + grid_s1_cell_x + blur_y_s0_x_min * 8 - 19), source_min_0 + 1) - source_min_0 - source_min_1 * source_stride_1 - source_stride_1 - 1], 1.0f), 0.0f);
                    const int64_t t2 = (int64_t)grid_s1_x_1 * grid_stride_2 * 32 + (int64_t)blur_y_s0_y_min * grid_stride_3 + (int64_t)grid_s1_xi * grid_stride_2 + (int64_t)blur_y_s0_x_min * grid_stride_2 + (int64_t)grid_s1_yi * grid_stride_3 + (int64_t)grid_s1_y_1 * grid_stride_3 * 8 - (int64_t)grid_min_3 * grid_stride_3 - (int64_t)grid_min_1 * 2 - grid_stride_3 * 2 - grid_stride_2 * 2 - (int64_t)grid_min_2 * grid_stride_2 + (int64_t)(int32_t)(int64_t)(t1 * (1.0f / r_sigma) + 0.5f) * 2;
                    const float t3 = max_float32(min_float32(source[max_int32(source_min_1 + 1, min_int32(grid_s1_yi * 8 + grid_s1_cell_y + grid_s1_y_1 * 64 + blur_y_s0_y_min * 8 - 19, source_extent_1 + source_min_1)) * source_stride_1 + max_int32(min_int32(source_extent_0 + source_min_0, grid_s1_xi * 8 + grid_s1_x_1 * 256 + grid_s1_cell_x + blur_y_s0_x_min * 8 - 19), source_min_0 + 1) - source_min_0 - source_min_1 * source_stride_1 - source_stride_1 - 1], 1.0f), 0.0f);
                    grid[t2] = grid[t2] + t3;
                }
                {
                    const int64_t t4 = (int64_t)grid_s1_x_1 * grid_stride_2 * 32 + (int64_t)blur_y_s0_y_min * grid_stride_3 + (int64_t)grid_s1_xi * grid_stride_2 + (int64_t)blur_y_s0_x_min * grid_stride_2 + (int64_t)grid_s1_yi * grid_stride_3 + (int64_t)grid_s1_y_1 * grid_stride_3 * 8 - (int64_t)grid_min_3 * grid_stride_3 - (int64_t)grid_min_1 * 2 - grid_stride_3 * 2 - grid_stride_2 * 2 - (int64_t)grid_min_2 * grid_stride_2 + (int64_t)(int32_t)(int64_t)(max_float32(min_float32(source[max_int32(source_min_1 + 1, min_int32(grid_s1_yi * 8 + grid_s1_cell_y + grid_s1_y_1 * 64 + blur_y_s0_y_min * 8 - 19, source_extent_1 + source_min_1)) * source_stride_1 + max_int32(min_int32(source_extent_0 + source_min_0, grid_s1_xi * 8 + grid_s1_x_1 * 256 + grid_s1_cell_x + blur_y_s0_x_min * 8 - 19), source_min_0 + 1) - source_min_0 - source_min_1 * source_stride_1 - source_stride_1 - 1], 1.0f), 0.0f) * (1.0f / r_sigma) + 0.5f) * 2 + 1;
                    grid[t4] = grid[t4] + 1.0f;
                }
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void blur_z_s0_k(const int32_t blur_y_s0_k_max, const int32_t blur_y_s0_k_min, const int32_t blur_y_s0_x_max, const int32_t blur_y_s0_x_min, const int32_t blur_y_s0_y_min, const int32_t blur_z_min_0, const int32_t blur_z_min_1, const int64_t blur_z_stride_1, const int64_t blur_z_stride_2, const int32_t grid_min_1, const int32_t grid_min_2, const int32_t grid_min_3, const int64_t grid_stride_2, const int64_t grid_stride_3, __global float *restrict blur_z, __global const float *restrict grid) {
    const int32_t blur_z_s0_k_1 = (int32_t)get_group_id(0);
    const int32_t blur_z_s0_x_1 = (int32_t)get_group_id(1);
    const int32_t blur_z_s0_y = blur_y_s0_y_min - 2 + (int32_t)get_group_id(2);
    const int32_t blur_z_s0_x_base = min_int32(blur_y_s0_x_max - 3, blur_z_s0_x_1 * 8 + blur_y_s0_x_min) - 2;
    const int32_t blur_z_s0_k_base = min_int32(blur_z_s0_k_1 * 32 + blur_y_s0_k_min, blur_y_s0_k_max - 31);
    {
        const int32_t blur_z_s0_yi = (int32_t)get_local_id(1);
        const int32_t blur_z_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = blur_z_s0_xi + blur_z_s0_k_base;
            const int64_t t2 = (int64_t)(int32_t)(t1 >> 1) * 2 + (int64_t)(int32_t)(t1 & 1) + (int64_t)blur_z_s0_x_base * grid_stride_2 + (int64_t)blur_z_s0_y * grid_stride_3 + (int64_t)blur_z_s0_yi * grid_stride_2 - (int64_t)grid_min_3 * grid_stride_3 - (int64_t)grid_min_1 * 2 - (int64_t)grid_min_2 * grid_stride_2;
            blur_z[(int64_t)blur_z_s0_x_base * blur_z_stride_1 + (int64_t)blur_z_s0_xi + (int64_t)blur_z_s0_k_base + (int64_t)blur_z_s0_yi * blur_z_stride_1 + blur_z_stride_2 * 2 + (int64_t)blur_z_s0_y * blur_z_stride_2 - (int64_t)blur_y_s0_y_min * blur_z_stride_2 - (int64_t)blur_z_min_1 * blur_z_stride_1 - (int64_t)blur_z_min_0] = 1.0f * grid[t2 - 4] + 4.0f * grid[t2 - 2] + 6.0f * grid[t2] + 4.0f * grid[t2 + 2] + 1.0f * grid[t2 + 4];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void blur_x_s0_k(const int32_t blur_x_min_0, const int32_t blur_x_min_1, const int64_t blur_x_stride_1, const int64_t blur_x_stride_2, const int32_t blur_y_s0_k_max, const int32_t blur_y_s0_k_min, const int32_t blur_y_s0_x_max, const int32_t blur_y_s0_x_min, const int32_t blur_y_s0_y_min, const int32_t blur_z_min_0, const int32_t blur_z_min_1, const int64_t blur_z_stride_1, const int64_t blur_z_stride_2, __global const float *restrict blur_z, __global float *restrict grid) {
    const int32_t blur_x_s0_k_1 = (int32_t)get_group_id(0);
    const int32_t blur_x_s0_x_1 = (int32_t)get_group_id(1);
    const int32_t blur_x_s0_y = blur_y_s0_y_min - 2 + (int32_t)get_group_id(2);
    const int32_t blur_x_s0_x_base = min_int32(blur_y_s0_x_max - 7, blur_y_s0_x_min + blur_x_s0_x_1 * 8);
    const int32_t blur_x_s0_k_base = min_int32(blur_x_s0_k_1 * 32 + blur_y_s0_k_min, blur_y_s0_k_max - 31);
    {
        const int32_t blur_x_s0_yi = (int32_t)get_local_id(1);
        const int32_t blur_x_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)blur_x_s0_x_base * blur_z_stride_1;
            const int64_t t2 = (int64_t)blur_x_s0_yi * blur_z_stride_1;
            const int64_t t3 = (int64_t)blur_x_s0_y * blur_z_stride_2;
            const int64_t t4 = blur_z_stride_2 * 2;
            const int64_t t5 = t1 + t2 + t3 + (int64_t)blur_x_s0_xi + (int64_t)blur_x_s0_k_base + t4;
            const int64_t t6 = blur_z_stride_1 * 2;
            const int64_t t7 = (int64_t)blur_y_s0_y_min * blur_z_stride_2;
            const int64_t t8 = (int64_t)blur_z_min_1 * blur_z_stride_1;
            grid[(int64_t)blur_x_s0_yi * blur_x_stride_1 + (int64_t)blur_x_s0_y * blur_x_stride_2 + blur_x_stride_2 * 2 + (int64_t)blur_x_s0_xi + (int64_t)blur_x_s0_x_base * blur_x_stride_1 + (int64_t)blur_x_s0_k_base - (int64_t)blur_x_min_0 - (int64_t)blur_x_min_1 * blur_x_stride_1 - (int64_t)blur_y_s0_y_min * blur_x_stride_2] = 1.0f * blur_z[t5 - t6 - t7 - t8 - (int64_t)blur_z_min_0] + 4.0f * blur_z[t5 - blur_z_stride_1 - t7 - t8 - (int64_t)blur_z_min_0] + 6.0f * blur_z[t5 - t7 - t8 - (int64_t)blur_z_min_0] + 4.0f * blur_z[t1 + blur_z_stride_1 + t2 + t3 + (int64_t)blur_x_s0_xi + (int64_t)blur_x_s0_k_base + t4 - t7 - t8 - (int64_t)blur_z_min_0] + 1.0f * blur_z[t1 + t6 + t2 + t3 + (int64_t)blur_x_s0_xi + (int64_t)blur_x_s0_k_base + t4 - t7 - t8 - (int64_t)blur_z_min_0];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void blur_y_s0_k(const int32_t blur_x_min_0, const int32_t blur_x_min_1, const int64_t blur_x_stride_1, const int64_t blur_x_stride_2, const int32_t blur_y_min_0, const int32_t blur_y_min_1, const int32_t blur_y_min_2, const int32_t blur_y_s0_k_max, const int32_t blur_y_s0_k_min, const int32_t blur_y_s0_x_max, const int32_t blur_y_s0_x_min, const int32_t blur_y_s0_y_min, const int64_t blur_y_stride_1, const int64_t blur_y_stride_2, __global float *restrict blur_z, __global const float *restrict grid) {
    const int32_t blur_y_s0_k_1 = (int32_t)get_group_id(0);
    const int32_t blur_y_s0_x_1 = (int32_t)get_group_id(1);
    const int32_t blur_y_s0_y = blur_y_s0_y_min + (int32_t)get_group_id(2);
    const int32_t blur_y_s0_x_base = min_int32(blur_y_s0_x_max - 7, blur_y_s0_x_1 * 8 + blur_y_s0_x_min);
    const int32_t blur_y_s0_k_base = min_int32(blur_y_s0_k_1 * 32 + blur_y_s0_k_min, blur_y_s0_k_max - 31);
    {
        const int32_t blur_y_s0_yi = (int32_t)get_local_id(1);
        const int32_t blur_y_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)blur_y_s0_yi * blur_x_stride_1 + (int64_t)blur_y_s0_k_base + (int64_t)blur_y_s0_x_base * blur_x_stride_1;
            const int64_t t2 = (int64_t)blur_y_s0_y * blur_x_stride_2;
            const int64_t t3 = (int64_t)blur_x_min_1 * blur_x_stride_1;
            const int64_t t4 = (int64_t)blur_y_s0_y_min * blur_x_stride_2;
            blur_z[(int64_t)blur_y_s0_k_base + (int64_t)blur_y_s0_y * blur_y_stride_2 + (int64_t)blur_y_s0_xi + (int64_t)blur_y_s0_x_base * blur_y_stride_1 + (int64_t)blur_y_s0_yi * blur_y_stride_1 - (int64_t)blur_y_min_2 * blur_y_stride_2 - (int64_t)blur_y_min_1 * blur_y_stride_1 - (int64_t)blur_y_min_0] = 1.0f * grid[t1 + t2 + (int64_t)blur_y_s0_xi - (int64_t)blur_x_min_0 - t3 - t4] + 4.0f * grid[t1 + blur_x_stride_2 + t2 + (int64_t)blur_y_s0_xi - (int64_t)blur_x_min_0 - t3 - t4] + 6.0f * grid[t1 + blur_x_stride_2 * 2 + t2 + (int64_t)blur_y_s0_xi - (int64_t)blur_x_min_0 - t3 - t4] + 4.0f * grid[t1 + blur_x_stride_2 * 3 + t2 + (int64_t)blur_y_s0_xi - (int64_t)blur_x_min_0 - t3 - t4] + 1.0f * grid[t1 + blur_x_stride_2 * 4 + t2 + (int64_t)blur_y_s0_xi - (int64_t)blur_x_min_0 - t3 - t4];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void bilateral_grid_s0_x(const int32_t bilateral_grid_extent_0, const int32_t bilateral_grid_extent_1, const int32_t bilateral_grid_min_0, const int32_t bilateral_grid_min_1, const int32_t bilateral_grid_stride_1, const int32_t blur_y_min_0, const int32_t blur_y_min_1, const int32_t blur_y_min_2, const int64_t blur_y_stride_1, const int64_t blur_y_stride_2, const float r_sigma, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_stride_1, __global float *restrict bilateral_grid, __global const float *restrict blur_z, __global const float *restrict source) {
    const int32_t bilateral_grid_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t bilateral_grid_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t bilateral_grid_s0_y_base = min_int32(bilateral_grid_extent_1 + bilateral_grid_min_1 - 8, bilateral_grid_s0_y_1 * 8 + bilateral_grid_min_1);
    const int32_t bilateral_grid_s0_x_base = min_int32(bilateral_grid_min_0 + bilateral_grid_extent_0 - 32, bilateral_grid_min_0 + bilateral_grid_s0_x_1 * 32);
    {
        const int32_t bilateral_grid_s0_yi = (int32_t)get_local_id(1);
        const int32_t bilateral_grid_s0_xi = (int32_t)get_local_id(0);
        float near[4];
        int32_t below[1];
        /* below */
        {
            const float t1 = 1.0f / r_sigma;
            below[0] = max_int32(min_int32((int32_t)(int64_t)(max_float32(min_float32(source[bilateral_grid_s0_yi * source_stride_1 + bilateral_grid_s0_x_base + bilateral_grid_s0_xi + bilateral_grid_s0_y_base * source_stride_1 - source_min_0 - source_min_1 * source_stride_1], 1.0f), 0.0f) * t1), (int32_t)(int64_t)t1), 0);
        }
        /* near */
        {
            const int64_t t2 = (int64_t)blur_y_min_2 * blur_y_stride_2;
            const int64_t t3 = (int64_t)blur_y_min_1 * blur_y_stride_1;
            const int64_t t4 = (int64_t)below[0] * 2;
            const int64_t t5 = t2 * (-1) - t3 + t4;
            const int32_t t6 = bilateral_grid_s0_yi + bilateral_grid_s0_y_base;
            const int64_t t7 = (int64_t)(int32_t)(t6 >> 3) * blur_y_stride_2;
            const int32_t t8 = bilateral_grid_s0_xi + bilateral_grid_s0_x_base;
            const int64_t t9 = (int64_t)(int32_t)(t8 >> 3) * blur_y_stride_1;
            const int32_t t10 = add_int32(bilateral_grid_s0_yi, bilateral_grid_s0_y_base);
            const float t11 = (float)(int32_t)(t10 & 7) / 8.0f;
            const float t12 = 1.0f - t11;
            const int32_t t13 = add_int32(bilateral_grid_s0_xi, bilateral_grid_s0_x_base);
            const float t14 = (float)(int32_t)(t13 & 7) / 8.0f;
            const int64_t t15 = blur_y_stride_1 - t2 - t3 + t4;
            near[0] = (blur_z[t5 - (int64_t)blur_y_min_0 + t7 + t9] * t12 + blur_z[t5 + blur_y_stride_2 - (int64_t)blur_y_min_0 + t7 + t9] * t11) * (1.0f - t14) + (blur_z[t15 - (int64_t)blur_y_min_0 + t7 + t9] * t12 + blur_z[t15 + blur_y_stride_2 - (int64_t)blur_y_min_0 + t7 + t9] * t11) * t14;
        }
        {
            const int64_t t16 = (int64_t)blur_y_min_2 * blur_y_stride_2;
            const int64_t t17 = (int64_t)blur_y_min_1 * blur_y_stride_1;
            const int64_t t18 = (int64_t)below[0] * 2;
            const int64_t t19 = t16 * (-1) - t17 + t18;
            const int32_t t20 = bilateral_grid_s0_yi + bilateral_grid_s0_y_base;
            const int64_t t21 = (int64_t)(int32_t)(t20 >> 3) * blur_y_stride_2;
            const int32_t t22 = bilateral_grid_s0_xi + bilateral_grid_s0_x_base;
            const int64_t t23 = (int64_t)(int32_t)(t22 >> 3) * blur_y_stride_1;
            const int32_t t24 = add_int32(bilateral_grid_s0_yi, bilateral_grid_s0_y_base);
            const float t25 = (float)(int32_t)(t24 & 7) / 8.0f;
            const float t26 = 1.0f - t25;
            const int32_t t27 = add_int32(bilateral_grid_s0_xi, bilateral_grid_s0_x_base);
            const float t28 = (float)(int32_t)(t27 & 7) / 8.0f;
            const int64_t t29 = blur_y_stride_1 - t16 - t17 + t18;
            near[1] = (blur_z[t19 - (int64_t)blur_y_min_0 + t21 + t23 + 1] * t26 + blur_z[t19 + blur_y_stride_2 - (int64_t)blur_y_min_0 + t21 + t23 + 1] * t25) * (1.0f - t28) + (blur_z[t29 - (int64_t)blur_y_min_0 + t21 + t23 + 1] * t26 + blur_z[t29 + blur_y_stride_2 - (int64_t)blur_y_min_0 + t21 + t23 + 1] * t25) * t28;
        }
        {
            const int64_t t30 = (int64_t)blur_y_min_2 * blur_y_stride_2;
            const int64_t t31 = (int64_t)blur_y_min_1 * blur_y_stride_1;
            const int64_t t32 = (int64_t)below[0] * 2;
            const int64_t t33 = t30 * (-1) - t31 + t32;
            const int32_t t34 = bilateral_grid_s0_yi + bilateral_grid_s0_y_base;
            const int64_t t35 = (int64_t)(int32_t)(t34 >> 3) * blur_y_stride_2;
            const int32_t t36 = bilateral_grid_s0_xi + bilateral_grid_s0_x_base;
            const int64_t t37 = (int64_t)(int32_t)(t36 >> 3) * blur_y_stride_1;
            const int32_t t38 = add_int32(bilateral_grid_s0_yi, bilateral_grid_s0_y_base);
            const float t39 = (float)(int32_t)(t38 & 7) / 8.0f;
            const float t40 = 1.0f - t39;
            const int32_t t41 = add_int32(bilateral_grid_s0_xi, bilateral_grid_s0_x_base);
            const float t42 = (float)(int32_t)(t41 & 7) / 8.0f;
            const int64_t t43 = blur_y_stride_1 - t30 - t31 + t32;
            near[2] = (blur_z[t33 - (int64_t)blur_y_min_0 + t35 + t37 + 2] * t40 + blur_z[t33 + blur_y_stride_2 - (int64_t)blur_y_min_0 + t35 + t37 + 2] * t39) * (1.0f - t42) + (blur_z[t43 - (int64_t)blur_y_min_0 + t35 + t37 + 2] * t40 + blur_z[t43 + blur_y_stride_2 - (int64_t)blur_y_min_0 + t35 + t37 + 2] * t39) * t42;
        }
        {
            const int64_t t44 = (int64_t)blur_y_min_2 * blur_y_stride_2;
            const int64_t t45 = (int64_t)blur_y_min_1 * blur_y_stride_1;
            const int64_t t46 = (int64_t)below[0] * 2;
            const int64_t t47 = t44 * (-1) - t45 + t46;
            const int32_t t48 = bilateral_grid_s0_yi + bilateral_grid_s0_y_base;
            const int64_t t49 = (int64_t)(int32_t)(t48 >> 3) * blur_y_stride_2;
            const int32_t t50 = bilateral_grid_s0_xi + bilateral_grid_s0_x_base;
            const int64_t t51 = (int64_t)(int32_t)(t50 >> 3) * blur_y_stride_1;
            const int32_t t52 = add_int32(bilateral_grid_s0_yi, bilateral_grid_s0_y_base);
            const float t53 = (float)(int32_t)(t52 & 7) / 8.0f;
            const float t54 = 1.0f - t53;
            const int32_t t55 = add_int32(bilateral_grid_s0_xi, bilateral_grid_s0_x_base);
            const float t56 = (float)(int32_t)(t55 & 7) / 8.0f;
            const int64_t t57 = blur_y_stride_1 - t44 - t45 + t46;
            near[3] = (blur_z[t47 - (int64_t)blur_y_min_0 + t49 + t51 + 3] * t54 + blur_z[t47 + blur_y_stride_2 - (int64_t)blur_y_min_0 + t49 + t51 + 3] * t53) * (1.0f - t56) + (blur_z[t57 - (int64_t)blur_y_min_0 + t49 + t51 + 3] * t54 + blur_z[t57 + blur_y_stride_2 - (int64_t)blur_y_min_0 + t49 + t51 + 3] * t53) * t56;
        }
        {
            const float t58 = max_float32(min_float32(source[bilateral_grid_s0_yi * source_stride_1 + bilateral_grid_s0_x_base + bilateral_grid_s0_xi + bilateral_grid_s0_y_base * source_stride_1 - source_min_0 - source_min_1 * source_stride_1], 1.0f), 0.0f) * (1.0f / r_sigma) - (float)below[0];
            const float t59 = 1.0f - t58;
            bilateral_grid[bilateral_grid_s0_yi * bilateral_grid_stride_1 + bilateral_grid_s0_x_base + bilateral_grid_s0_y_base * bilateral_grid_stride_1 + bilateral_grid_s0_xi - bilateral_grid_min_0 - bilateral_grid_min_1 * bilateral_grid_stride_1] = (near[0] * t59 + near[2] * t58) / (near[1] * t59 + near[3] * t58);
        }
    }
}
