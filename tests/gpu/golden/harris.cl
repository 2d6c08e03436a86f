typedef int int32_t;
typedef uint uint32_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline int32_t mul_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void harris_s0_x(const int32_t harris_extent_0, const int32_t harris_extent_1, const int32_t harris_min_0, const int32_t harris_min_1, const int32_t harris_stride_1, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global float *restrict harris, __global const float *restrict source) {
    __local float down[340];
    __local float across[340];
    __local float gray[432];
    const int32_t harris_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t harris_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t harris_s0_y_base = min_int32(harris_s0_y_1 * 8 + harris_min_1, harris_extent_1 + harris_min_1 - 8);
    const int32_t harris_s0_x_base = min_int32(harris_extent_0 + harris_min_0 - 32, harris_s0_x_1 * 32 + harris_min_0);
    /* gray */
    for (int32_t gray_s0_y_1 = 0; gray_s0_y_1 < 0 + 2; gray_s0_y_1++) {
        for (int32_t gray_s0_x_1 = 0; gray_s0_x_1 < 0 + 2; gray_s0_x_1++) {
            {
                const int32_t gray_s0_yi = (int32_t)get_local_id(1);
                if (add_int32(mul_int32(gray_s0_y_1, 8), gray_s0_yi) <= 11) {
                    const int32_t gray_s0_xi = (int32_t)get_local_id(0);
                    if (add_int32(mul_int32(gray_s0_x_1, 32), gray_s0_xi) <= 35) {
                        {
                            const int32_t t1 = gray_s0_yi * source_stride_1;
                            const int32_t t2 = gray_s0_y_1 * source_stride_1 * 8;
                            const int32_t t3 = harris_s0_y_base * source_stride_1;
                            const int32_t t4 = gray_s0_x_1 * 32;
                            const int32_t t5 = source_min_2 * source_stride_2;
                            const int32_t t6 = source_min_1 * source_stride_1;
                            gray[gray_s0_xi + gray_s0_yi * 36 + t4 + gray_s0_y_1 * 288] = 0.299f * source[t1 + gray_s0_xi + t2 + t3 + harris_s0_x_base + t4 + source_stride_1 - source_min_0 - t5 - t6 + 1] + 0.587f * source[t1 + source_stride_2 + gray_s0_xi + t2 + t3 + harris_s0_x_base + t4 + source_stride_1 - source_min_0 - t5 - t6 + 1] + 0.114f * source[t1 + source_stride_2 * 2 + gray_s0_xi + t2 + t3 + harris_s0_x_base + t4 + source_stride_1 - source_min_0 - t5 - t6 + 1];
                        }
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    /* across */
    for (int32_t across_s0_y_1 = 0; across_s0_y_1 < 0 + 2; across_s0_y_1++) {
        for (int32_t across_s0_x_1 = 0; across_s0_x_1 < 0 + 2; across_s0_x_1++) {
            {
                const int32_t across_s0_yi = (int32_t)get_local_id(1);
                if (add_int32(mul_int32(across_s0_y_1, 8), across_s0_yi) <= 9) {
                    const int32_t across_s0_xi = (int32_t)get_local_id(0);
                    if (add_int32(mul_int32(across_s0_x_1, 32), across_s0_xi) <= 33) {
                        {
                            const int32_t t7 = across_s0_x_1 * 32;
                            const int32_t t8 = across_s0_yi * 36 + t7 + across_s0_xi + across_s0_y_1 * 288;
                            across[across_s0_yi * 34 + t7 + across_s0_xi + across_s0_y_1 * 272] = (gray[t8 + 2] + 2.0f * gray[t8 + 38] + gray[t8 + 74] - (gray[t8] + 2.0f * gray[t8 + 36] + gray[t8 + 72])) * 0.083333336f;
                        }
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    /* down */
    for (int32_t down_s0_y_1 = 0; down_s0_y_1 < 0 + 2; down_s0_y_1++) {
        for (int32_t down_s0_x_1 = 0; down_s0_x_1 < 0 + 2; down_s0_x_1++) {
            {
                const int32_t down_s0_yi = (int32_t)get_local_id(1);
                if (add_int32(mul_int32(down_s0_y_1, 8), down_s0_yi) <= 9) {
                    const int32_t down_s0_xi = (int32_t)get_local_id(0);
                    if (add_int32(mul_int32(down_s0_x_1, 32), down_s0_xi) <= 33) {
                        {
                            const int32_t t9 = down_s0_x_1 * 32;
                            const int32_t t10 = down_s0_yi * 36 + t9 + down_s0_xi + down_s0_y_1 * 288;
                            down[down_s0_yi * 34 + t9 + down_s0_xi + down_s0_y_1 * 272] = (gray[t10 + 72] + 2.0f * gray[t10 + 73] + gray[t10 + 74] - (gray[t10] + 2.0f * gray[t10 + 1] + gray[t10 + 2])) * 0.083333336f;
                        }
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    {
        const int32_t harris_s0_yi = (int32_t)get_local_id(1);
        const int32_t harris_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t11 = harris_s0_yi * 34 + harris_s0_xi;
            const float t12 = across[t11];
            const int32_t t13 = t11 + 1;
            const float t14 = across[t13];
            const int32_t t15 = t11 + 2;
            const float t16 = across[t15];
            const int32_t t17 = t11 + 34;
            const float t18 = across[t17];
            const int32_t t19 = t11 + 35;
            const float t20 = across[t19];
            const int32_t t21 = t11 + 36;
            const float t22 = across[t21];
            const int32_t t23 = t11 + 68;
            const float t24 = across[t23];
            const int32_t t25 = t11 + 69;
            const float t26 = across[t25];
            const int32_t t27 = t11 + 70;
            const float t28 = across[t27];
            const float t29 = t12 * t12 + t14 * t14 + t16 * t16 + (t18 * t18 + t20 * t20 + t22 * t22) + (t24 * t24 + t26 * t26 + t28 * t28);
            const float t30 = down[t11];
            const float t31 = down[t13];
            const float t32 = down[t15];
            const float t33 = down[t17];
            const float t34 = down[t19];
            const float t35 = down[t21];
            const float t36 = down[t23];
            const float t37 = down[t25];
            const float t38 = down[t27];
            const float t39 = t30 * t30 + t31 * t31 + t32 * t32 + (t33 * t33 + t34 * t34 + t35 * t35) + (t36 * t36 + t37 * t37 + t38 * t38);
            const float t40 = t12 * t30 + t14 * t31 + t16 * t32 + (t18 * t33 + t20 * t34 + t22 * t35) + (t24 * t36 + t26 * t37 + t28 * t38);
            const float t41 = t29 + t39;
            harris[harris_s0_y_base * harris_stride_1 + harris_s0_yi * harris_stride_1 + harris_s0_x_base + harris_s0_xi - harris_min_1 * harris_stride_1 - harris_min_0] = t29 * t39 - t40 * t40 - 0.04f * t41 * t41;
        }
    }
}
