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
    const int32_t grid_s0_y_base = min_int32(blur_y_s0_y_min + grid_s0_y_1 * 8, blur_y_s0_y_max - 3) - 2;
    const int32_t grid_s0_x_base = min_int32(blur_y_s0_x_max - 27, grid_s0_x_1 * 32 + blur_y_s0_x_min) - 2;
    {
        const int32_t grid_s0_yi = (int32_t)get_local_id(1);
        const int32_t grid_s0_xi = (int32_t)get_local_id(0);
        for (int32_t grid_s0_z = grid_s0_z_min, grid_s0_z_end1 = grid_s0_z + grid_s0_z_max - grid_s0_z_min + 1; grid_s0_z < grid_s0_z_end1; grid_s0_z++) {
            grid[(int64_t)grid_s0_x_base * grid_stride_2 + (int64_t)grid_s0_z * 2 + (int64_t)grid_s0_y_base * grid_stride_3 + (int64_t)grid_s0_xi * grid_stride_2 + (int64_t)grid_s0_yi * grid_stride_3 - (int64_t)grid_min_2 * grid_stride_2 - (int64_t)grid_min_3 * grid_stride_3 - (int64_t)grid_min_1 * 2] = 0.0f;
            grid[(int64_t)grid_s0_x_base * grid_stride_2 + (int64_t)grid_s0_z * 2 + (int64_t)grid_s0_y_base * grid_stride_3 + (int64_t)grid_s0_xi * grid_stride_2 + (int64_t)grid_s0_yi * grid_stride_3 - (int64_t)grid_min_2 * grid_stride_2 - (int64_t)grid_min_3 * grid_stride_3 - (int64_t)grid_min_1 * 2 + 1] = 0.0f;
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
                    const float t1 = max_float32(min_float32(source[max_int32(source_min_1 + 1, min_int32(blur_y_s0_y_min * 8 + grid_s1_y_1 * 64 + grid_s1_cell_y + grid_s1_yi * 8 - 19, source_extent_1 + source_min_1)) * source_stride_1 + max_int32(source_min_0 + 1, min_int32(grid_s1_xi * 8 + grid_s1_x_1 * 256 + grid_s1_cell_x + blur_y_s0_x_min * 8 - 19, source_extent_0 + source_min_0)) - source_stride_1 - source_min_0 - source_min_1 * source_stride_1 - 1], 1.0f), 0.0f);
                    const int64_t t2 = (int64_t)blur_y_s0_y_min * grid_stride_3 + (int64_t)blur_y_s0_x_min * grid_stride_2 + (int64_t)grid_s1_x_1 * grid_stride_2 * 32 + (int64_t)grid_s1_y_1 * grid_stride_3 * 8 + (int64_t)grid_s1_xi * grid_stride_2 + (int64_t)grid_s1_yi * grid_stride_3 - (int64_t)grid_min_2 * grid_stride_2 - (int64_t)grid_min_3 * grid_stride_3 - grid_stride_2 * 2 - grid_stride_3 * 2 - (int64_t)grid_min_1 * 2 + (int64_t)(int32_t)(int64_t)(t1 * (1.0f / r_sigma) + 0.5f) * 2;
                    const float t3 = max_float32(min_float32(source[max_int32(source_min_1 + 1, min_int32(blur_y_s0_y_min * 8 + grid_s1_y_1 * 64 + grid_s1_cell_y + grid_s1_yi * 8 - 19, source_extent_1 + source_min_1)) * source_stride_1 + max_int32(source_min_0 + 1, min_int32(grid_s1_xi * 8 + grid_s1_x_1 * 256 + grid_s1_cell_x + blur_y_s0_x_min * 8 - 19, source_extent_0 + source_min_0)) - source_stride_1 - source_min_0 - source_min_1 * source_stride_1 - 1], 1.0f), 0.0f);
                    grid[t2] = grid[t2] + t3;
                }
                {
                    const int64_t t4 = (int64_t)blur_y_s0_y_min * grid_stride_3 + (int64_t)blur_y_s0_x_min * grid_stride_2 + (int64_t)grid_s1_x_1 * grid_stride_2 * 32 + (int64_t)grid_s1_y_1 * grid_stride_3 * 8 + (int64_t)grid_s1_xi * grid_stride_2 + (int64_t)grid_s1_yi * grid_stride_3 - (int64_t)grid_min_2 * grid_stride_2 - (int64_t)grid_min_3 * grid_stride_3 - grid_stride_2 * 2 - grid_stride_3 * 2 - (int64_t)grid_min_1 * 2 + (int64_t)(int32_t)(int64_t)(max_float32(min_float32(source[max_int32(source_min_1 + 1, min_int32(blur_y_s0_y_min * 8 + grid_s1_y_1 * 64 + grid_s1_cell_y + grid_s1_yi * 8 - 19, source_extent_1 + source_min_1)) * source_stride_1 + max_int32(source_min_0 + 1, min_int32(grid_s1_xi * 8 + grid_s1_x_1 * 256 + grid_s1_cell_x + blur_y_s0_x_min * 8 - 19, source_extent_0 + source_min_0)) - source_stride_1 - source_min_0 - source_min_1 * source_stride_1 - 1], 1.0f), 0.0f) * (1.0f / r_sigma) + 0.5f) * 2 + 1;
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
    const int32_t blur_z_s0_k_base = min_int32(blur_y_s0_k_max - 31, blur_z_s0_k_1 * 32 + blur_y_s0_k_min);
    {
        const int32_t blur_z_s0_yi = (int32_t)get_local_id(1);
        const int32_t blur_z_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = blur_z_s0_xi + blur_z_s0_k_base;
            const int64_t t2 = (int64_t)(int32_t)(t1 >> 1) * 2 + (int64_t)blur_z_s0_y * grid_stride_3 + (int64_t)blur_z_s0_yi * grid_stride_2 + (int64_t)blur_z_s0_x_base * grid_stride_2 + (int64_t)(int32_t)(t1 & 1) - (int64_t)grid_min_2 * grid_stride_2 - (int64_t)grid_min_3 * grid_stride_3 - (int64_t)grid_min_1 * 2;
            blur_z[blur_z_stride_2 * 2 + (int64_t)blur_z_s0_x_base * blur_z_stride_1 + (int64_t)blur_z_s0_yi * blur_z_stride_1 + (int64_t)blur_z_s0_y * blur_z_stride_2 + (int64_t)blur_z_s0_k_base + (int64_t)blur_z_s0_xi - (int64_t)blur_z_min_0 - (int64_t)blur_y_s0_y_min * blur_z_stride_2 - (int64_t)blur_z_min_1 * blur_z_stride_1] = 1.0f * grid[t2 - 4] + 4.0f * grid[t2 - 2] + 6.0f * grid[t2] + 4.0f * grid[t2 + 2] + 1.0f * grid[t2 + 4];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void blur_x_s0_k(const int32_t blur_x_min_0, const int32_t blur_x_min_1, const int64_t blur_x_stride_1, const int64_t blur_x_stride_2, const int32_t blur_y_s0_k_max, const int32_t blur_y_s0_k_min, const int32_t blur_y_s0_x_max, const int32_t blur_y_s0_x_min, const int32_t blur_y_s0_y_min, const int32_t blur_z_min_0, const int32_t blur_z_min_1, const int64_t blur_z_stride_1, const int64_t blur_z_stride_2, __global const float *restrict blur_z, __global float *restrict grid) {
    const int32_t blur_x_s0_k_1 = (int32_t)get_group_id(0);
    const int32_t blur_x_s0_x_1 = (int32_t)get_group_id(1);
    const int32_t blur_x_s0_y = blur_y_s0_y_min - 2 + (int32_t)get_group_id(2);
    const int32_t blur_x_s0_x_base = min_int32(blur_y_s0_x_max - 7, blur_x_s0_x_1 * 8 + blur_y_s0_x_min);
    const int32_t blur_x_s0_k_base = min_int32(blur_y_s0_k_max - 31, blur_x_s0_k_1 * 32 + blur_y_s0_k_min);
    {
        const int32_t blur_x_s0_yi = (int32_t)get_local_id(1);
        const int32_t blur_x_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)blur_x_s0_yi * blur_z_stride_1;
            const int64_t t2 = blur_z_stride_2 * 2;
            const int64_t t3 = (int64_t)blur_x_s0_y * blur_z_stride_2;
            const int64_t t4 = (int64_t)blur_x_s0_x_base * blur_z_stride_1;
            const int64_t t5 = t1 + t2 + t3 + (int64_t)blur_x_s0_k_base + t4 + (int64_t)blur_x_s0_xi;
            const int64_t t6 = blur_z_stride_1 * 2;
            const int64_t t7 = (int64_t)blur_y_s0_y_min * blur_z_stride_2;
            const int64_t t8 = (int64_t)blur_z_min_1 * blur_z_stride_1;
            grid[(int64_t)blur_x_s0_k_base + (int64_t)blur_x_s0_yi * blur_x_stride_1 + blur_x_stride_2 * 2 + (int64_t)blur_x_s0_y * blur_x_stride_2 + (int64_t)blur_x_s0_xi + (int64_t)blur_x_s0_x_base * blur_x_stride_1 - (int64_t)blur_x_min_1 * blur_x_stride_1 - (int64_t)blur_y_s0_y_min * blur_x_stride_2 - (int64_t)blur_x_min_0] = 1.0f * blur_z[t5 - t6 - (int64_t)blur_z_min_0 - t7 - t8] + 4.0f * blur_z[t5 - blur_z_stride_1 - (int64_t)blur_z_min_0 - t7 - t8] + 6.0f * blur_z[t5 - (int64_t)blur_z_min_0 - t7 - t8] + 4.0f * blur_z[t1 + blur_z_stride_1 + t2 + t3 + (int64_t)blur_x_s0_k_base + t4 + (int64_t)blur_x_s0_xi - (int64_t)blur_z_min_0 - t7 - t8] + 1.0f * blur_z[t1 + t6 + t2 + t3 + (int64_t)blur_x_s0_k_base + t4 + (int64_t)blur_x_s0_xi - (int64_t)blur_z_min_0 - t7 - t8];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void blur_y_s0_k(const int32_t blur_x_min_0, const int32_t blur_x_min_1, const int64_t blur_x_stride_1, const int64_t blur_x_stride_2, const int32_t blur_y_min_0, const int32_t blur_y_min_1, const int32_t blur_y_min_2, const int32_t blur_y_s0_k_max, const int32_t blur_y_s0_k_min, const int32_t blur_y_s0_x_max, const int32_t blur_y_s0_x_min, const int32_t blur_y_s0_y_min, const int64_t blur_y_stride_1, const int64_t blur_y_stride_2, __global float *restrict blur_z, __global const float *restrict grid) {
    const int32_t blur_y_s0_k_1 = (int32_t)get_group_id(0);
    const int32_t blur_y_s0_x_1 = (int32_t)get_group_id(1);
    const int32_t blur_y_s0_y = blur_y_s0_y_min + (int32_t)get_group_id(2);
    const int32_t blur_y_s0_x_base = min_int32(blur_y_s0_x_max - 7, blur_y_s0_x_1 * 8 + blur_y_s0_x_min);
    const int32_t blur_y_s0_k_base = min_int32(blur_y_s0_k_max - 31, blur_y_s0_k_1 * 32 + blur_y_s0_k_min);
    {
        const int32_t blur_y_s0_yi = (int32_t)get_local_id(1);
        const int32_t blur_y_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)blur_y_s0_yi * blur_x_stride_1;
            const int64_t t2 = (int64_t)blur_y_s0_x_base * blur_x_stride_1;
            const int64_t t3 = (int64_t)blur_y_s0_y * blur_x_stride_2;
            const int64_t t4 = (int64_t)blur_x_min_1 * blur_x_stride_1;
            const int64_t t5 = (int64_t)blur_y_s0_y_min * blur_x_stride_2;
            blur_z[(int64_t)blur_y_s0_y * blur_y_stride_2 + (int64_t)blur_y_s0_xi + (int64_t)blur_y_s0_yi * blur_y_stride_1 + (int64_t)blur_y_s0_k_base + (int64_t)blur_y_s0_x_base * blur_y_stride_1 - (int64_t)blur_y_min_1 * blur_y_stride_1 - (int64_t)blur_y_min_2 * blur_y_stride_2 - (int64_t)blur_y_min_0] = 1.0f * grid[t1 + t2 + t3 + (int64_t)blur_y_s0_xi + (int64_t)blur_y_s0_k_base - t4 - t5 - (int64_t)blur_x_min_0] + 4.0f * grid[blur_x_stride_2 + t1 + t2 + t3 + (int64_t)blur_y_s0_xi + (int64_t)blur_y_s0_k_base - t4 - t5 - (int64_t)blur_x_min_0] + 6.0f * grid[blur_x_stride_2 * 2 + t1 + t2 + t3 + (int64_t)blur_y_s0_xi + (int64_t)blur_y_s0_k_base - t4 - t5 - (int64_t)blur_x_min_0] + 4.0f * grid[blur_x_stride_2 * 3 + t1 + t2 + t3 + (int64_t)blur_y_s0_xi + (int64_t)blur_y_s0_k_base - t4 - t5 - (int64_t)blur_x_min_0] + 1.0f * grid[blur_x_stride_2 * 4 + t1 + t2 + t3 + (int64_t)blur_y_s0_xi + (int64_t)blur_y_s0_k_base - t4 - t5 - (int64_t)blur_x_min_0];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void bilateral_grid_s0_x(const int32_t bilateral_grid_extent_0, const int32_t bilateral_grid_extent_1, const int32_t bilateral_grid_min_0, const int32_t bilateral_grid_min_1, const int32_t bilateral_grid_stride_1, const int32_t blur_y_min_0, const int32_t blur_y_min_1, const int32_t blur_y_min_2, const int64_t blur_y_stride_1, const int64_t blur_y_stride_2, const float r_sigma, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_stride_1, __global float *restrict bilateral_grid, __global const float *restrict blur_z, __global const float *restrict source) {
    const int32_t bilateral_grid_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t bilateral_grid_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t bilateral_grid_s0_y_base = min_int32(bilateral_grid_min_1 + bilateral_grid_extent_1 - 8, bilateral_grid_min_1 + bilateral_grid_s0_y_1 * 8);
    const int32_t bilateral_grid_s0_x_base = min_int32(bilateral_grid_min_0 + bilateral_grid_s0_x_1 * 32, bilateral_grid_min_0 + bilateral_grid_extent_0 - 32);
    {
        const int32_t bilateral_grid_s0_yi = (int32_t)get_local_id(1);
        const int32_t bilateral_grid_s0_xi = (int32_t)get_local_id(0);
        float near[4];
        int32_t below[1];
        /* below */
        {
            const float t1 = 1.0f / r_sigma;
            below[0] = max_int32(min_int32((int32_t)(int64_t)(max_float32(min_float32(source[bilateral_grid_s0_xi + bilateral_grid_s0_yi * source_stride_1 + bilateral_grid_s0_y_base * source_stride_1 + bilateral_grid_s0_x_base - source_min_0 - source_min_1 * source_stride_1], 1.0f), 0.0f) * t1), (int32_t)(int64_t)t1), 0);
        }
        /* near */
        {
            const int64_t t2 = (int64_t)below[0] * 2;
            const int64_t t3 = (int64_t)blur_y_min_1 * blur_y_stride_1;
            const int64_t t4 = (int64_t)blur_y_min_2 * blur_y_stride_2;
            const int32_t t5 = bilateral_grid_s0_y_base + bilateral_grid_s0_yi;
            const int64_t t6 = (int64_t)(int32_t)(t5 >> 3) * blur_y_stride_2;
            const int32_t t7 = bilateral_grid_s0_x_base + bilateral_grid_s0_xi;
            const int64_t t8 = (int64_t)(int32_t)(t7 >> 3) * blur_y_stride_1;
            const int32_t t9 = add_int32(bilateral_grid_s0_y_base, bilateral_grid_s0_yi);
            const float t10 = (float)(int32_t)(t9 & 7) / 8.0f;
            const float t11 = 1.0f - t10;
            const int32_t t12 = add_int32(bilateral_grid_s0_x_base, bilateral_grid_s0_xi);
            const float t13 = (float)(int32_t)(t12 & 7) / 8.0f;
            const int64_t t14 = t2 + blur_y_stride_1;
            near[0] = (blur_z[t2 - t3 - t4 - (int64_t)blur_y_min_0 + t6 + t8] * t11 + blur_z[t2 + blur_y_stride_2 - t3 - t4 - (int64_t)blur_y_min_0 + t6 + t8] * t10) * (1.0f - t13) + (blur_z[t14 - t3 - t4 - (int64_t)blur_y_min_0 + t6 + t8] * t11 + blur_z[t14 + blur_y_stride_2 - t3 - t4 - (int64_t)blur_y_min_0 + t6 + t8] * t10) * t13;
        }
        {
            const int64_t t15 = (int64_t)below[0] * 2;
            const int64_t t16 = (int64_t)blur_y_min_1 * blur_y_stride_1;
            const int64_t t17 = (int64_t)blur_y_min_2 * blur_y_stride_2;
            const int32_t t18 = bilateral_grid_s0_y_base + bilateral_grid_s0_yi;
            const int64_t t19 = (int64_t)(int32_t)(t18 >> 3) * blur_y_stride_2;
            const int32_t t20 = bilateral_grid_s0_x_base + bilateral_grid_s0_xi;
            const int64_t t21 = (int64_t)(int32_t)(t20 >> 3) * blur_y_stride_1;
            const int32_t t22 = add_int32(bilateral_grid_s0_y_base, bilateral_grid_s0_yi);
            const float t23 = (float)(int32_t)(t22 & 7) / 8.0f;
            const float t24 = 1.0f - t23;
            const int32_t t25 = add_int32(bilateral_grid_s0_x_base, bilateral_grid_s0_xi);
            const float t26 = (float)(int32_t)(t25 & 7) / 8.0f;
            const int64_t t27 = t15 + blur_y_stride_1;
            near[1] = (blur_z[t15 - t16 - t17 - (int64_t)blur_y_min_0 + t19 + t21 + 1] * t24 + blur_z[t15 + blur_y_stride_2 - t16 - t17 - (int64_t)blur_y_min_0 + t19 + t21 + 1] * t23) * (1.0f - t26) + (blur_z[t27 - t16 - t17 - (int64_t)blur_y_min_0 + t19 + t21 + 1] * t24 + blur_z[t27 + blur_y_stride_2 - t16 - t17 - (int64_t)blur_y_min_0 + t19 + t21 + 1] * t23) * t26;
        }
        {
            const int64_t t28 = (int64_t)below[0] * 2;
            const int64_t t29 = (int64_t)blur_y_min_1 * blur_y_stride_1;
            const int64_t t30 = (int64_t)blur_y_min_2 * blur_y_stride_2;
            const int32_t t31 = bilateral_grid_s0_y_base + bilateral_grid_s0_yi;
            const int64_t t32 = (int64_t)(int32_t)(t31 >> 3) * blur_y_stride_2;
            const int32_t t33 = bilateral_grid_s0_x_base + bilateral_grid_s0_xi;
            const int64_t t34 = (int64_t)(int32_t)(t33 >> 3) * blur_y_stride_1;
            const int32_t t35 = add_int32(bilateral_grid_s0_y_base, bilateral_grid_s0_yi);
            const float t36 = (float)(int32_t)(t35 & 7) / 8.0f;
            const float t37 = 1.0f - t36;
            const int32_t t38 = add_int32(bilateral_grid_s0_x_base, bilateral_grid_s0_xi);
            const float t39 = (float)(int32_t)(t38 & 7) / 8.0f;
            const int64_t t40 = t28 + blur_y_stride_1;
            near[2] = (blur_z[t28 - t29 - t30 - (int64_t)blur_y_min_0 + t32 + t34 + 2] * t37 + blur_z[t28 + blur_y_stride_2 - t29 - t30 - (int64_t)blur_y_min_0 + t32 + t34 + 2] * t36) * (1.0f - t39) + (blur_z[t40 - t29 - t30 - (int64_t)blur_y_min_0 + t32 + t34 + 2] * t37 + blur_z[t40 + blur_y_stride_2 - t29 - t30 - (int64_t)blur_y_min_0 + t32 + t34 + 2] * t36) * t39;
        }
        {
            const int64_t t41 = (int64_t)below[0] * 2;
            const int64_t t42 = (int64_t)blur_y_min_1 * blur_y_stride_1;
            const int64_t t43 = (int64_t)blur_y_min_2 * blur_y_stride_2;
            const int32_t t44 = bilateral_grid_s0_y_base + bilateral_grid_s0_yi;
            const int64_t t45 = (int64_t)(int32_t)(t44 >> 3) * blur_y_stride_2;
            const int32_t t46 = bilateral_grid_s0_x_base + bilateral_grid_s0_xi;
            const int64_t t47 = (int64_t)(int32_t)(t46 >> 3) * blur_y_stride_1;
            const int32_t t48 = add_int32(bilateral_grid_s0_y_base, bilateral_grid_s0_yi);
            const float t49 = (float)(int32_t)(t48 & 7) / 8.0f;
            const float t50 = 1.0f - t49;
            const int32_t t51 = add_int32(bilateral_grid_s0_x_base, bilateral_grid_s0_xi);
            const float t52 = (float)(int32_t)(t51 & 7) / 8.0f;
            const int64_t t53 = t41 + blur_y_stride_1;
            near[3] = (blur_z[t41 - t42 - t43 - (int64_t)blur_y_min_0 + t45 + t47 + 3] * t50 + blur_z[t41 + blur_y_stride_2 - t42 - t43 - (int64_t)blur_y_min_0 + t45 + t47 + 3] * t49) * (1.0f - t52) + (blur_z[t53 - t42 - t43 - (int64_t)blur_y_min_0 + t45 + t47 + 3] * t50 + blur_z[t53 + blur_y_stride_2 - t42 - t43 - (int64_t)blur_y_min_0 + t45 + t47 + 3] * t49) * t52;
        }
        {
            const float t54 = max_float32(min_float32(source[bilateral_grid_s0_xi + bilateral_grid_s0_yi * source_stride_1 + bilateral_grid_s0_y_base * source_stride_1 + bilateral_grid_s0_x_base - source_min_0 - source_min_1 * source_stride_1], 1.0f), 0.0f) * (1.0f / r_sigma) - (float)below[0];
            const float t55 = 1.0f - t54;
            bilateral_grid[bilateral_grid_s0_y_base * bilateral_grid_stride_1 + bilateral_grid_s0_yi * bilateral_grid_stride_1 + bilateral_grid_s0_xi + bilateral_grid_s0_x_base - bilateral_grid_min_0 - bilateral_grid_min_1 * bilateral_grid_stride_1] = (near[0] * t55 + near[2] * t54) / (near[1] * t55 + near[3] * t54);
        }
    }
}
