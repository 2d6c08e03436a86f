#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef uchar uint8_t;
typedef int int32_t;
typedef long int64_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline double max_float64(double a, double b) { return a > b ? a : b; }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }
static inline float max_float32(float a, float b) { return a > b ? a : b; }
static inline float min_float32(float a, float b) { return a < b ? a : b; }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void turned_s0_x(const int32_t resize_extent_1, const int32_t resize_min_1, const int32_t resize_min_2, const int32_t source_extent_1, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, const double step_1, const int32_t turned_min_0, const int32_t turned_min_1, const int32_t turned_s0_x_max, const int64_t turned_stride_1, const int64_t turned_stride_2, const int32_t weights_y_min_1, const int64_t weights_y_stride_1, __global const uint8_t *restrict source, __global float *restrict turned, __global const float *restrict weights_y) {
    const int32_t turned_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t turned_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t turned_s0_c = resize_min_2 + (int32_t)get_group_id(2);
    const int32_t turned_s0_y_base = min_int32(turned_s0_y_1 * 8 + resize_min_1, resize_min_1 + resize_extent_1 - 8);
    const int32_t turned_s0_x_base = min_int32(turned_s0_x_1 * 32, turned_s0_x_max - 31);
    {
        const int32_t turned_s0_yi = (int32_t)get_local_id(1);
        const int32_t turned_s0_xi = (int32_t)get_local_id(0);
        float down[1];
        /* down */
        down[0] = 0.0f;
        for (int32_t down_s1_taps_y_x = 0, down_s1_taps_y_x_end1 = down_s1_taps_y_x + min_int32((int32_t)(int64_t)ceil(max_float64(step_1, 1.0) * 6.0), source_extent_1) - 1 + 1; down_s1_taps_y_x < down_s1_taps_y_x_end1; down_s1_taps_y_x++) {
            {
                const double t1 = max_float64(step_1, 1.0);
                down[0] = down[0] + weights_y[(int64_t)turned_s0_yi * weights_y_stride_1 + (int64_t)turned_s0_y_base * weights_y_stride_1 + (int64_t)down_s1_taps_y_x - (int64_t)weights_y_min_1 * weights_y_stride_1] * (float)source[turned_s0_x_base + turned_s0_c * source_stride_2 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2 + max_int32(min_int32((int32_t)(int64_t)ceil(((double)(turned_s0_y_base + turned_s0_yi) + 0.5) * step_1 - 0.5 - t1 * 3.0), source_extent_1 - min_int32((int32_t)(int64_t)ceil(t1 * 6.0), source_extent_1)), 0) * source_stride_1 + turned_s0_xi + down_s1_taps_y_x * source_stride_1];
            }
        }
        turned[(int64_t)turned_s0_x_base + (int64_t)turned_s0_c * turned_stride_2 + (int64_t)turned_s0_y_base * turned_stride_1 + (int64_t)turned_s0_xi + (int64_t)turned_s0_yi * turned_stride_1 - (int64_t)turned_min_1 * turned_stride_1 - (int64_t)turned_min_0 - (int64_t)resize_min_2 * turned_stride_2] = down[0];
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void resize_s0_x(const int32_t begin_min_0, const int32_t resize_extent_0, const int32_t resize_extent_1, const int32_t resize_min_0, const int32_t resize_min_1, const int32_t resize_min_2, const int32_t resize_stride_1, const int32_t resize_stride_2, const int32_t source_extent_0, const double step_1, const int32_t turned_min_0, const int32_t turned_min_1, const int64_t turned_stride_1, const int64_t turned_stride_2, const int32_t weights_x_min_1, const int64_t weights_x_stride_1, __global const int32_t *restrict begin, __global uint8_t *restrict resize, __global const float *restrict turned, __global const float *restrict weights_x) {
    const int32_t resize_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t resize_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t resize_s0_c = resize_min_2 + (int32_t)get_group_id(2);
    const int32_t resize_s0_y_base = min_int32(resize_min_1 + resize_s0_y_1 * 8, resize_min_1 + resize_extent_1 - 8);
    const int32_t resize_s0_x_base = min_int32(resize_min_0 + resize_extent_0 - 32, resize_min_0 + resize_s0_x_1 * 32);
    {
        const int32_t resize_s0_yi = (int32_t)get_local_id(1);
        const int32_t resize_s0_xi = (int32_t)get_local_id(0);
        float across[1];
        /* across */
        across[0] = 0.0f;
        for (int32_t across_s1_taps_x_x = 0, across_s1_taps_x_x_end1 = across_s1_taps_x_x + min_int32((int32_t)(int64_t)ceil(max_float64(step_1, 1.0) * 6.0), source_extent_0) - 1 + 1; across_s1_taps_x_x < across_s1_taps_x_x_end1; across_s1_taps_x_x++) {
            across[0] = across[0] + weights_x[(int64_t)resize_s0_xi * weights_x_stride_1 + (int64_t)across_s1_taps_x_x + (int64_t)resize_s0_x_base * weights_x_stride_1 - (int64_t)weights_x_min_1 * weights_x_stride_1] * turned[(int64_t)resize_s0_yi * turned_stride_1 + (int64_t)resize_s0_y_base * turned_stride_1 + (int64_t)resize_s0_c * turned_stride_2 - (int64_t)turned_min_1 * turned_stride_1 - (int64_t)turned_min_0 - (int64_t)resize_min_2 * turned_stride_2 + (int64_t)begin[resize_s0_x_base + resize_s0_xi - begin_min_0] + (int64_t)across_s1_taps_x_x];
        }
        resize[resize_s0_y_base * resize_stride_1 + resize_s0_yi * resize_stride_1 + resize_s0_c * resize_stride_2 + resize_s0_x_base + resize_s0_xi - resize_min_0 - resize_min_1 * resize_stride_1 - resize_min_2 * resize_stride_2] = (uint8_t)(int64_t)(max_float32(min_float32(across[0], 255.0f), 0.0f) + 0.5f);
    }
}
