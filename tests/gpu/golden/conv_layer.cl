typedef int int32_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline float max_float32(float a, float b) { return a > b ? a : b; }

__kernel __attribute__((reqd_work_group_size(64, 4, 1)))
void conv_layer_s0_x(const int32_t bias_min_0, const int32_t conv_layer_extent_1, const int32_t conv_layer_min_0, const int32_t conv_layer_min_1, const int32_t conv_layer_min_2, const int32_t conv_layer_stride_1, const int32_t conv_layer_stride_2, const int32_t filters_min_0, const int32_t filters_min_1, const int32_t filters_min_2, const int32_t filters_min_3, const int32_t filters_stride_1, const int32_t filters_stride_2, const int32_t filters_stride_3, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global const float *restrict bias, __global float *restrict conv_layer, __global const float *restrict filters, __global const float *restrict source) {
    const int32_t conv_layer_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t conv_layer_s0_y = conv_layer_min_2 + (int32_t)get_group_id(1);
    const int32_t conv_layer_s0_x_base = min_int32(conv_layer_extent_1 + conv_layer_min_1 - 16, conv_layer_min_1 + conv_layer_s0_x_1 * 16);
    {
        const int32_t conv_layer_s0_xi_1 = (int32_t)get_local_id(1);
        const int32_t conv_layer_s0_c = (int32_t)get_local_id(0);
        float total[4];
        /* total */
        total[0] = bias[conv_layer_s0_c - bias_min_0];
        total[1] = bias[conv_layer_s0_c - bias_min_0];
        total[2] = bias[conv_layer_s0_c - bias_min_0];
        total[3] = bias[conv_layer_s0_c - bias_min_0];
        for (int32_t total_s1_r_z = 0; total_s1_r_z < 3; total_s1_r_z++) {
            for (int32_t total_s1_r_y = 0; total_s1_r_y < 3; total_s1_r_y++) {
                for (int32_t total_s1_r_x = 0; total_s1_r_x < 64; total_s1_r_x++) {
                    total[0] = total[0] + filters[total_s1_r_y * filters_stride_2 + conv_layer_s0_c + total_s1_r_x * filters_stride_1 + total_s1_r_z * filters_stride_3 - filters_min_0 - filters_min_1 * filters_stride_1 - filters_min_2 * filters_stride_2 - filters_min_3 * filters_stride_3] * source[total_s1_r_y * source_stride_1 + total_s1_r_z * source_stride_2 + total_s1_r_x + conv_layer_s0_y * source_stride_2 + conv_layer_s0_xi_1 * source_stride_1 * 4 + conv_layer_s0_x_base * source_stride_1 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2];
                    total[1] = total[1] + filters[total_s1_r_y * filters_stride_2 + conv_layer_s0_c + total_s1_r_x * filters_stride_1 + total_s1_r_z * filters_stride_3 - filters_min_0 - filters_min_1 * filters_stride_1 - filters_min_2 * filters_stride_2 - filters_min_3 * filters_stride_3] * source[total_s1_r_y * source_stride_1 + total_s1_r_z * source_stride_2 + source_stride_1 + total_s1_r_x + conv_layer_s0_y * source_stride_2 + conv_layer_s0_xi_1 * source_stride_1 * 4 + conv_layer_s0_x_base * source_stride_1 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2];
                    total[2] = total[2] + filters[total_s1_r_y * filters_stride_2 + conv_layer_s0_c + total_s1_r_x * filters_stride_1 + total_s1_r_z * filters_stride_3 - filters_min_0 - filters_min_1 * filters_stride_1 - filters_min_2 * filters_stride_2 - filters_min_3 * filters_stride_3] * source[total_s1_r_y * source_stride_1 + total_s1_r_z * source_stride_2 + source_stride_1 * 2 + total_s1_r_x + conv_layer_s0_y * source_stride_2 + conv_layer_s0_xi_1 * source_stride_1 * 4 + conv_layer_s0_x_base * source_stride_1 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2];
                    total[3] = total[3] + filters[total_s1_r_y * filters_stride_2 + conv_layer_s0_c + total_s1_r_x * filters_stride_1 + total_s1_r_z * filters_stride_3 - filters_min_0 - filters_min_1 * filters_stride_1 - filters_min_2 * filters_stride_2 - filters_min_3 * filters_stride_3] * source[total_s1_r_y * source_stride_1 + total_s1_r_z * source_stride_2 + source_stride_1 * 3 + total_s1_r_x + conv_layer_s0_y * source_stride_2 + conv_layer_s0_xi_1 * source_stride_1 * 4 + conv_layer_s0_x_base * source_stride_1 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2];
                }
            }
        }
        conv_layer[conv_layer_s0_xi_1 * conv_layer_stride_1 * 4 + conv_layer_s0_y * conv_layer_stride_2 + conv_layer_s0_c + conv_layer_s0_x_base * conv_layer_stride_1 - conv_layer_min_0 - conv_layer_min_1 * conv_layer_stride_1 - conv_layer_min_2 * conv_layer_stride_2] = max_float32(total[0], 0.0f);
        conv_layer[conv_layer_s0_xi_1 * conv_layer_stride_1 * 4 + conv_layer_s0_y * conv_layer_stride_2 + conv_layer_s0_c + conv_layer_stride_1 + conv_layer_s0_x_base * conv_layer_stride_1 - conv_layer_min_0 - conv_layer_min_1 * conv_layer_stride_1 - conv_layer_min_2 * conv_layer_stride_2] = max_float32(total[1], 0.0f);
        conv_layer[conv_layer_s0_xi_1 * conv_layer_stride_1 * 4 + conv_layer_s0_y * conv_layer_stride_2 + conv_layer_s0_c + conv_layer_stride_1 * 2 + conv_layer_s0_x_base * conv_layer_stride_1 - conv_layer_min_0 - conv_layer_min_1 * conv_layer_stride_1 - conv_layer_min_2 * conv_layer_stride_2] = max_float32(total[2], 0.0f);
        conv_layer[conv_layer_s0_xi_1 * conv_layer_stride_1 * 4 + conv_layer_s0_y * conv_layer_stride_2 + conv_layer_s0_c + conv_layer_stride_1 * 3 + conv_layer_s0_x_base * conv_layer_stride_1 - conv_layer_min_0 - conv_layer_min_1 * conv_layer_stride_1 - conv_layer_min_2 * conv_layer_stride_2] = max_float32(total[3], 0.0f);
    }
}
