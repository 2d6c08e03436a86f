typedef ushort uint16_t;
typedef int int32_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void blur_y_s0_x(const int32_t blur_y_extent_0, const int32_t blur_y_extent_1, const int32_t blur_y_min_0, const int32_t blur_y_min_1, const int32_t blur_y_stride_1, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_stride_1, __global uint16_t *restrict blur_y, __global const uint16_t *restrict source) {
    const int32_t blur_y_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t blur_y_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t blur_y_s0_y_base = min_int32(blur_y_min_1 + blur_y_extent_1 - 32, blur_y_min_1 + blur_y_s0_y_1 * 32);
    const int32_t blur_y_s0_x_base = min_int32(blur_y_min_0 + blur_y_extent_0 - 32, blur_y_min_0 + blur_y_s0_x_1 * 32);
    {
        const int32_t blur_y_s0_yi_1 = (int32_t)get_local_id(1);
        const int32_t blur_y_s0_xi = (int32_t)get_local_id(0);
        uint16_t blur_x[6];
        /* blur_x */
        {
            const int32_t t1 = blur_y_s0_y_base * source_stride_1 + blur_y_s0_x_base + blur_y_s0_xi + blur_y_s0_yi_1 * source_stride_1 * 4 - source_min_0 - source_min_1 * source_stride_1;
            blur_x[0] = (uint16_t)((uint16_t)(source[t1] + source[t1 + 1]) + source[t1 + 2]) / 3;
        }
        {
            const int32_t t2 = source_stride_1 + blur_y_s0_y_base * source_stride_1 + blur_y_s0_x_base + blur_y_s0_xi + blur_y_s0_yi_1 * source_stride_1 * 4 - source_min_0 - source_min_1 * source_stride_1;
            blur_x[1] = (uint16_t)((uint16_t)(source[t2] + source[t2 + 1]) + source[t2 + 2]) / 3;
        }
        {
            const int32_t t3 = source_stride_1 * 2 + blur_y_s0_y_base * source_stride_1 + blur_y_s0_x_base + blur_y_s0_xi + blur_y_s0_yi_1 * source_stride_1 * 4 - source_min_0 - source_min_1 * source_stride_1;
            blur_x[2] = (uint16_t)((uint16_t)(source[t3] + source[t3 + 1]) + source[t3 + 2]) / 3;
        }
        {
            const int32_t t4 = source_stride_1 * 3 + blur_y_s0_y_base * source_stride_1 + blur_y_s0_x_base + blur_y_s0_xi + blur_y_s0_yi_1 * source_stride_1 * 4 - source_min_0 - source_min_1 * source_stride_1;
            blur_x[3] = (uint16_t)((uint16_t)(source[t4] + source[t4 + 1]) + source[t4 + 2]) / 3;
        }
        {
            const int32_t t5 = source_stride_1 * 4 + blur_y_s0_y_base * source_stride_1 + blur_y_s0_x_base + blur_y_s0_xi + blur_y_s0_yi_1 * source_stride_1 * 4 - source_min_0 - source_min_1 * source_stride_1;
            blur_x[4] = (uint16_t)((uint16_t)(source[t5] + source[t5 + 1]) + source[t5 + 2]) / 3;
        }
        {
            const int32_t t6 = source_stride_1 * 5 + blur_y_s0_y_base * source_stride_1 + blur_y_s0_x_base + blur_y_s0_xi + blur_y_s0_yi_1 * source_stride_1 * 4 - source_min_0 - source_min_1 * source_stride_1;
            blur_x[5] = (uint16_t)((uint16_t)(source[t6] + source[t6 + 1]) + source[t6 + 2]) / 3;
        }
        blur_y[blur_y_s0_x_base + blur_y_s0_yi_1 * blur_y_stride_1 * 4 + blur_y_s0_y_base * blur_y_stride_1 + blur_y_s0_xi - blur_y_min_1 * blur_y_stride_1 - blur_y_min_0] = (uint16_t)((uint16_t)(blur_x[0] + blur_x[1]) + blur_x[2]) / 3;
        blur_y[blur_y_s0_x_base + blur_y_s0_yi_1 * blur_y_stride_1 * 4 + blur_y_stride_1 + blur_y_s0_y_base * blur_y_stride_1 + blur_y_s0_xi - blur_y_min_1 * blur_y_stride_1 - blur_y_min_0] = (uint16_t)((uint16_t)(blur_x[1] + blur_x[2]) + blur_x[3]) / 3;
        blur_y[blur_y_s0_x_base + blur_y_s0_yi_1 * blur_y_stride_1 * 4 + blur_y_stride_1 * 2 + blur_y_s0_y_base * blur_y_stride_1 + blur_y_s0_xi - blur_y_min_1 * blur_y_stride_1 - blur_y_min_0] = (uint16_t)((uint16_t)(blur_x[2] + blur_x[3]) + blur_x[4]) / 3;
        blur_y[blur_y_s0_x_base + blur_y_s0_yi_1 * blur_y_stride_1 * 4 + blur_y_stride_1 * 3 + blur_y_s0_y_base * blur_y_stride_1 + blur_y_s0_xi - blur_y_min_1 * blur_y_stride_1 - blur_y_min_0] = (uint16_t)((uint16_t)(blur_x[3] + blur_x[4]) + blur_x[5]) / 3;
    }
}
