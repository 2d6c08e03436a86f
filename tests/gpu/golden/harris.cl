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
    const int32_t harris_s0_x_base = min_int32(harris_s0_x_1 * 32 + harris_min_0, harris_extent_0 + harris_min_0 - 32);
    /* gray */
    for (int32_t gray_s0_y_1 = 0; gray_s0_y_1 < 0 + 2; gray_s0_y_1++) {
        for (int32_t gray_s0_x_1 = 0; gray_s0_x_1 < 0 + 2; gray_s0_x_1++) {
            {
                const int32_t gray_s0_yi = (int32_t)get_local_id(1);
                if (add_int32(mul_int32(gray_s0_y_1, 8), gray_s0_yi) <= 11) {
                    const int32_t gray_s0_xi = (int32_t)get_local_id(0);
                    if (add_int32(gray_s0_xi, mul_int32(gray_s0_x_1, 32)) <= 35) {
                        {
                            const int32_t t1 = gray_s0_x_1 * 32;
                            const int32_t t2 = t1 + source_stride_1;
                            const int32_t t3 = gray_s0_yi * source_stride_1;
                            const int32_t t4 = harris_s0_y_base * source_stride_1;
                            const int32_t t5 = gray_s0_y_1 * source_stride_1 * 8;
                            const int32_t t6 = source_min_1 * source_stride_1;
                            const int32_t t7 = source_min_2 * source_stride_2;
                            gray[t1 + gray_s0_xi + gray_s0_yi * 36 + gray_s0_y_1 * 288] = 0.299f * source[t2 + gray_s0_xi + t3 + harris_s0_x_base + t4 + t5 - source_min_0 - t6 - t7 + 1] + 0.587f * source[t2 + source_stride_2 + gray_s0_xi + t3 + harris_s0_x_base + t4 + t5 - source_min_0 - t6 - t7 + 1] + 0.114f * source[t2 + source_stride_2 * 2 + gray_s0_xi + t3 + harris_s0_x_base + t4 + t5 - source_min_0 - t6 - t7 + 1];
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
                            const int32_t t8 = across_s0_x_1 * 32;
                            const int32_t t9 = t8 + across_s0_yi * 36 + across_s0_y_1 * 288 + across_s0_xi;
                            across[t8 + across_s0_yi * 34 + across_s0_y_1 * 272 + across_s0_xi] = (gray[t9 + 2] + 2.0f * gray[t9 + 38] + gray[t9 + 74] - (gray[t9] + 2.0f * gray[t9 + 36] + gray[t9 + 72])) * 0.083333336f;
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
                if (add_int32(down_s0_yi, mul_int32(down_s0_y_1, 8)) <= 9) {
                    const int32_t down_s0_xi = (int32_t)get_local_id(0);
                    if (add_int32(mul_int32(down_s0_x_1, 32), down_s0_xi) <= 33) {
                        {
                            const int32_t t10 = down_s0_x_1 * 32;
                            const int32_t t11 = down_s0_xi + down_s0_y_1 * 288 + down_s0_yi * 36 + t10;
                            down[down_s0_xi + down_s0_y_1 * 272 + down_s0_yi * 34 + t10] = (gray[t11 + 72] + 2.0f * gray[t11 + 73] + gray[t11 + 74] - (gray[t11] + 2.0f * gray[t11 + 1] + gray[t11 + 2])) * 0.083333336f;
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
            const int32_t t12 = harris_s0_xi + harris_s0_yi * 34;
            const float t13 = across[t12];
            const int32_t t14 = t12 + 1;
            const float t15 = across[t14];
            const int32_t t16 = t12 + 2;
            const float t17 = across[t16];
            const int32_t t18 = t12 + 34;
            const float t19 = across[t18];
            const int32_t t20 = t12 + 35;
            const float t21 = across[t20];
            const int32_t t22 = t12 + 36;
            const float t23 = across[t22];
            const int32_t t24 = t12 + 68;
            const float t25 = across[t24];
            const int32_t t26 = t12 + 69;
            const float t27 = across[t26];
            const int32_t t28 = t12 + 70;
            const float t29 = across[t28];
            const float t30 = t13 * t13 + t15 * t15 + t17 * t17 + (t19 * t19 + t21 * t21 + t23 * t23) + (t25 * t25 + t27 * t27 + t29 * t29);
            const float t31 = down[t12];
            const float t32 = down[t14];
            const float t33 = down[t16];
            const float t34 = down[t18];
            const float t35 = down[t20];
            const float t36 = down[t22];
            const float t37 = down[t24];
            const float t38 = down[t26];
            const float t39 = down[t28];
            const float t40 = t31 * t31 + t32 * t32 + t33 * t33 + (t34 * t34 + t35 * t35 + t36 * t36) + (t37 * t37 + t38 * t38 + t39 * t39);
            const float t41 = t13 * t31 + t15 * t32 + t17 * t33 + (t19 * t34 + t21 * t35 + t23 * t36) + (t25 * t37 + t27 * t38 + t29 * t39);
            const float t42 = t30 + t40;
            harris[harris_s0_yi * harris_stride_1 + harris_s0_y_base * harris_stride_1 + harris_s0_xi + harris_s0_x_base - harris_min_0 - harris_min_1 * harris_stride_1] = t30 * t40 - t41 * t41 - 0.04f * t42 * t42;
        }
    }
}
