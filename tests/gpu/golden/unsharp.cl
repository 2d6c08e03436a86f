typedef int int32_t;
typedef uint uint32_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline int32_t mul_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void unsharp_s0_x(const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_extent_2, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, const int32_t unsharp_extent_0, const int32_t unsharp_extent_1, const int32_t unsharp_min_0, const int32_t unsharp_min_1, const int32_t unsharp_min_2, const int32_t unsharp_stride_1, const int32_t unsharp_stride_2, __global const float *restrict source, __global float *restrict unsharp) {
    __local float blur_y[304];
    __local float gray[532];
    const int32_t unsharp_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t unsharp_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t unsharp_s0_y_base = min_int32(unsharp_extent_1 + unsharp_min_1 - 8, unsharp_min_1 + unsharp_s0_y_1 * 8);
    const int32_t unsharp_s0_x_base = min_int32(unsharp_min_0 + unsharp_s0_x_1 * 32, unsharp_extent_0 + unsharp_min_0 - 32);
    /* gray */
    for (int32_t gray_s0_y_1 = 0; gray_s0_y_1 < 0 + 2; gray_s0_y_1++) {
        for (int32_t gray_s0_x_1 = 0; gray_s0_x_1 < 0 + 2; gray_s0_x_1++) {
            {
                const int32_t gray_s0_yi = (int32_t)get_local_id(1);
                if (add_int32(mul_int32(gray_s0_y_1, 8), gray_s0_yi) <= 13) {
                    const int32_t gray_s0_xi = (int32_t)get_local_id(0);
                    if (add_int32(gray_s0_xi, mul_int32(gray_s0_x_1, 32)) <= 37) {
                        {
                            const int32_t t1 = gray_s0_x_1 * 32;
                            const int32_t t2 = max_int32(min_int32(source_extent_1 + source_min_1, unsharp_s0_y_base + gray_s0_y_1 * 8 + gray_s0_yi - 2), source_min_1 + 1) * source_stride_1 + max_int32(min_int32(unsharp_s0_x_base + gray_s0_xi + t1 - 2, source_extent_0 + source_min_0), source_min_0 + 1);
                            const int32_t t3 = source_extent_2 + source_min_2 - 1;
                            const int32_t t4 = source_min_1 * source_stride_1;
                            const int32_t t5 = source_min_2 * source_stride_2;
                            gray[t1 + gray_s0_xi + gray_s0_yi * 38 + gray_s0_y_1 * 304] = 0.299f * source[t2 + max_int32(min_int32(t3, 0), source_min_2) * source_stride_2 - source_stride_1 - source_min_0 - t4 - t5 - 1] + 0.587f * source[t2 + max_int32(min_int32(t3, 1), source_min_2) * source_stride_2 - source_stride_1 - source_min_0 - t4 - t5 - 1] + 0.114f * source[t2 + max_int32(source_min_2, min_int32(t3, 2)) * source_stride_2 - source_stride_1 - source_min_0 - t4 - t5 - 1];
                        }
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    /* blur_y */
    for (int32_t blur_y_s0_x_1 = 0; blur_y_s0_x_1 < 0 + 2; blur_y_s0_x_1++) {
        {
            const int32_t blur_y_s0_yi = (int32_t)get_local_id(1);
            const int32_t blur_y_s0_xi = (int32_t)get_local_id(0);
            if (add_int32(blur_y_s0_xi, mul_int32(blur_y_s0_x_1, 32)) <= 37) {
                {
                    const int32_t t6 = blur_y_s0_yi * 38 + blur_y_s0_x_1 * 32 + blur_y_s0_xi;
                    blur_y[t6] = 0.26596153f * gray[t6 + 114] + 0.21296534f * (gray[t6 + 76] + gray[t6 + 152]) + 0.10934005f * (gray[t6 + 38] + gray[t6 + 190]) + 0.03599398f * (gray[t6] + gray[t6 + 228]);
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    {
        const int32_t unsharp_s0_yi = (int32_t)get_local_id(1);
        const int32_t unsharp_s0_xi = (int32_t)get_local_id(0);
        float ratio[1];
        /* ratio */
        {
            const int32_t t7 = unsharp_s0_yi * 38 + unsharp_s0_xi;
            const float t8 = gray[t7 + 117];
            ratio[0] = (2.0f * t8 - (0.26596153f * blur_y[t7 + 3] + 0.21296534f * (blur_y[t7 + 2] + blur_y[t7 + 4]) + 0.10934005f * (blur_y[t7 + 1] + blur_y[t7 + 5]) + 0.03599398f * (blur_y[t7] + blur_y[t7 + 6]))) / t8;
        }
        unsharp[unsharp_s0_y_base * unsharp_stride_1 + unsharp_s0_xi + unsharp_s0_x_base + unsharp_s0_yi * unsharp_stride_1 - unsharp_min_1 * unsharp_stride_1 - unsharp_min_2 * unsharp_stride_2 - unsharp_min_0] = ratio[0] * source[unsharp_s0_y_base * source_stride_1 + unsharp_s0_xi + unsharp_s0_yi * source_stride_1 + unsharp_s0_x_base - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2];
        unsharp[unsharp_s0_y_base * unsharp_stride_1 + unsharp_s0_xi + unsharp_stride_2 + unsharp_s0_x_base + unsharp_s0_yi * unsharp_stride_1 - unsharp_min_1 * unsharp_stride_1 - unsharp_min_2 * unsharp_stride_2 - unsharp_min_0] = ratio[0] * source[unsharp_s0_y_base * source_stride_1 + source_stride_2 + unsharp_s0_xi + unsharp_s0_yi * source_stride_1 + unsharp_s0_x_base - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2];
        unsharp[unsharp_s0_y_base * unsharp_stride_1 + unsharp_s0_xi + unsharp_stride_2 * 2 + unsharp_s0_x_base + unsharp_s0_yi * unsharp_stride_1 - unsharp_min_1 * unsharp_stride_1 - unsharp_min_2 * unsharp_stride_2 - unsharp_min_0] = ratio[0] * source[unsharp_s0_y_base * source_stride_1 + source_stride_2 * 2 + unsharp_s0_xi + unsharp_s0_yi * source_stride_1 + unsharp_s0_x_base - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2];
    }
}
