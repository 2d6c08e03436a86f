typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline int32_t mul_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }
static inline int32_t max_int32(int32_t a, int32_t b) { return a > b ? a : b; }

__kernel __attribute__((reqd_work_group_size(32, 16, 1)))
void stage_1_s0_x(const int32_t source_extent_0, const int32_t source_extent_1, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_stride_1, const int32_t stage_1_min_0, const int32_t stage_1_min_1, const int64_t stage_1_stride_1, const int32_t stencil_chain_extent_0, const int32_t stencil_chain_extent_1, const int32_t stencil_chain_min_0, const int32_t stencil_chain_min_1, __global const uint16_t *restrict source, __global uint16_t *restrict stage_1) {
    __local uint16_t stage_0[720];
    const int32_t stage_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t stage_1_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t stage_1_s0_y_base = min_int32(stencil_chain_extent_1 + stencil_chain_min_1 - 8, stage_1_s0_y_1 * 16 + stencil_chain_min_1) - 4;
    const int32_t stage_1_s0_x_base = min_int32(stage_1_s0_x_1 * 32 + stencil_chain_min_0, stencil_chain_extent_0 + stencil_chain_min_0 - 24) - 4;
    /* stage_0 */
    for (int32_t stage_0_s0_y_1 = 0; stage_0_s0_y_1 < 0 + 2; stage_0_s0_y_1++) {
        for (int32_t stage_0_s0_x_1 = 0; stage_0_s0_x_1 < 0 + 2; stage_0_s0_x_1++) {
            {
                const int32_t stage_0_s0_yi = (int32_t)get_local_id(1);
                if (add_int32(mul_int32(stage_0_s0_y_1, 16), stage_0_s0_yi) <= 19) {
                    const int32_t stage_0_s0_xi = (int32_t)get_local_id(0);
                    if (add_int32(stage_0_s0_xi, mul_int32(stage_0_s0_x_1, 32)) <= 35) {
                        {
                            const int32_t t1 = stage_0_s0_y_1 * 16 + stage_0_s0_yi + stage_1_s0_y_base;
                            const int32_t t2 = source_extent_1 + source_min_1;
                            const int32_t t3 = source_min_1 + 1;
                            const int32_t t4 = max_int32(min_int32(t1 - 3, t2), t3) * source_stride_1;
                            const int32_t t5 = source_min_0 + 1;
                            const int32_t t6 = source_extent_0 + source_min_0;
                            const int32_t t7 = stage_0_s0_x_1 * 32;
                            const int32_t t8 = stage_0_s0_xi + stage_1_s0_x_base + t7;
                            const int32_t t9 = max_int32(t5, min_int32(t6, t8 - 3));
                            const int32_t t10 = source_min_1 * source_stride_1;
                            const int32_t t11 = max_int32(t5, min_int32(t6, t8 - 2));
                            const int32_t t12 = max_int32(min_int32(t6, t8 - 1), t5);
                            const int32_t t13 = max_int32(min_int32(t6, t8), t5);
                            const int32_t t14 = max_int32(min_int32(t6 - 1, t8), source_min_0);
                            const int32_t t15 = max_int32(min_int32(t1 - 2, t2), t3) * source_stride_1;
                            const int32_t t16 = max_int32(t3, min_int32(t1 - 1, t2)) * source_stride_1;
                            const int32_t t17 = max_int32(min_int32(t1, t2), t3) * source_stride_1;
                            const int32_t t18 = max_int32(source_min_1, min_int32(t1, t2 - 1)) * source_stride_1;
                            stage_0[stage_0_s0_xi + stage_0_s0_yi * 36 + stage_0_s0_y_1 * 576 + t7] = (uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)(source[t4 + t9 - source_stride_1 - source_min_0 - t10 - 1] + 128) + (uint16_t)((uint32_t)4 * source[t11 + t4 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)6 * source[t4 + t12 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)4 * source[t13 + t4 - source_stride_1 - source_min_0 - t10 - 1])) + source[t14 + t4 - source_stride_1 - source_min_0 - t10]) + (uint16_t)((uint32_t)4 * source[t15 + t9 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)16 * source[t11 + t15 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)24 * source[t15 + t12 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)16 * source[t13 + t15 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)4 * source[t14 + t15 - source_stride_1 - source_min_0 - t10])) + (uint16_t)((uint32_t)6 * source[t16 + t9 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)24 * source[t11 + t16 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)36 * source[t16 + t12 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)24 * source[t13 + t16 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)6 * source[t14 + t16 - source_stride_1 - source_min_0 - t10])) + (uint16_t)((uint32_t)4 * source[t17 + t9 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)16 * source[t11 + t17 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)24 * source[t12 + t17 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)16 * source[t13 + t17 - source_stride_1 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)4 * source[t14 + t17 - source_stride_1 - source_min_0 - t10])) + source[t18 + t9 - source_min_0 - t10 - 1]) + (uint16_t)((uint32_t)4 * source[t18 + t11 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)6 * source[t18 + t12 - source_min_0 - t10 - 1])) + (uint16_t)((uint32_t)4 * source[t13 + t18 - source_min_0 - t10 - 1])) + source[t14 + t18 - source_min_0 - t10]) >> 8);
                        }
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    {
        const int32_t stage_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t stage_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t19 = stage_1_s0_xi + stage_1_s0_yi * 36;
            stage_1[(int64_t)stage_1_s0_xi + (int64_t)stage_1_s0_x_base + (int64_t)stage_1_s0_yi * stage_1_stride_1 + (int64_t)stage_1_s0_y_base * stage_1_stride_1 - (int64_t)stage_1_min_0 - (int64_t)stage_1_min_1 * stage_1_stride_1] = (uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)(stage_0[t19] + 128) + (uint16_t)((uint32_t)4 * stage_0[t19 + 1])) + (uint16_t)((uint32_t)6 * stage_0[t19 + 2])) + (uint16_t)((uint32_t)4 * stage_0[t19 + 3])) + stage_0[t19 + 4]) + (uint16_t)((uint32_t)4 * stage_0[t19 + 36])) + (uint16_t)((uint32_t)16 * stage_0[t19 + 37])) + (uint16_t)((uint32_t)24 * stage_0[t19 + 38])) + (uint16_t)((uint32_t)16 * stage_0[t19 + 39])) + (uint16_t)((uint32_t)4 * stage_0[t19 + 40])) + (uint16_t)((uint32_t)6 * stage_0[t19 + 72])) + (uint16_t)((uint32_t)24 * stage_0[t19 + 73])) + (uint16_t)((uint32_t)36 * stage_0[t19 + 74])) + (uint16_t)((uint32_t)24 * stage_0[t19 + 75])) + (uint16_t)((uint32_t)6 * stage_0[t19 + 76])) + (uint16_t)((uint32_t)4 * stage_0[t19 + 108])) + (uint16_t)((uint32_t)16 * stage_0[t19 + 109])) + (uint16_t)((uint32_t)24 * stage_0[t19 + 110])) + (uint16_t)((uint32_t)16 * stage_0[t19 + 111])) + (uint16_t)((uint32_t)4 * stage_0[t19 + 112])) + stage_0[t19 + 144]) + (uint16_t)((uint32_t)4 * stage_0[t19 + 145])) + (uint16_t)((uint32_t)6 * stage_0[t19 + 146])) + (uint16_t)((uint32_t)4 * stage_0[t19 + 147])) + stage_0[t19 + 148]) >> 8);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 16, 1)))
void stencil_chain_s0_x(const int32_t stage_1_min_0, const int32_t stage_1_min_1, const int64_t stage_1_stride_1, const int32_t stencil_chain_extent_0, const int32_t stencil_chain_extent_1, const int32_t stencil_chain_min_0, const int32_t stencil_chain_min_1, const int32_t stencil_chain_stride_1, __global const uint16_t *restrict stage_1, __global uint16_t *restrict stencil_chain) {
    __local uint16_t stage_2[720];
    const int32_t stencil_chain_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t stencil_chain_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t stencil_chain_s0_y_base = min_int32(stencil_chain_min_1 + stencil_chain_s0_y_1 * 16, stencil_chain_extent_1 + stencil_chain_min_1 - 16);
    const int32_t stencil_chain_s0_x_base = min_int32(stencil_chain_s0_x_1 * 32 + stencil_chain_min_0, stencil_chain_extent_0 + stencil_chain_min_0 - 32);
    /* stage_2 */
    for (int32_t stage_2_s0_y_1 = 0; stage_2_s0_y_1 < 0 + 2; stage_2_s0_y_1++) {
        for (int32_t stage_2_s0_x_1 = 0; stage_2_s0_x_1 < 0 + 2; stage_2_s0_x_1++) {
            {
                const int32_t stage_2_s0_yi = (int32_t)get_local_id(1);
                if (add_int32(mul_int32(stage_2_s0_y_1, 16), stage_2_s0_yi) <= 19) {
                    const int32_t stage_2_s0_xi = (int32_t)get_local_id(0);
                    if (add_int32(stage_2_s0_xi, mul_int32(stage_2_s0_x_1, 32)) <= 35) {
                        {
                            const int64_t t1 = (int64_t)stage_2_s0_xi + (int64_t)stencil_chain_s0_y_base * stage_1_stride_1 + (int64_t)stage_2_s0_x_1 * 32 + (int64_t)stencil_chain_s0_x_base + (int64_t)stage_2_s0_y_1 * stage_1_stride_1 * 16 + (int64_t)stage_2_s0_yi * stage_1_stride_1 - (int64_t)stage_1_min_0 - (int64_t)stage_1_min_1 * stage_1_stride_1;
                            const int64_t t2 = t1 - stage_1_stride_1 * 4;
                            const int64_t t3 = t1 - stage_1_stride_1 * 3;
                            const int64_t t4 = t1 - stage_1_stride_1 * 2;
                            const int64_t t5 = t1 - stage_1_stride_1;
                            stage_2[stage_2_s0_xi + stage_2_s0_yi * 36 + stage_2_s0_y_1 * 576 + stage_2_s0_x_1 * 32] = (uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)(stage_1[t2 - 4] + 128) + (uint16_t)((uint32_t)4 * stage_1[t2 - 3])) + (uint16_t)((uint32_t)6 * stage_1[t2 - 2])) + (uint16_t)((uint32_t)4 * stage_1[t2 - 1])) + stage_1[t2]) + (uint16_t)((uint32_t)4 * stage_1[t3 - 4])) + (uint16_t)((uint32_t)16 * stage_1[t3 - 3])) + (uint16_t)((uint32_t)24 * stage_1[t3 - 2])) + (uint16_t)((uint32_t)16 * stage_1[t3 - 1])) + (uint16_t)((uint32_t)4 * stage_1[t3])) + (uint16_t)((uint32_t)6 * stage_1[t4 - 4])) + (uint16_t)((uint32_t)24 * stage_1[t4 - 3])) + (uint16_t)((uint32_t)36 * stage_1[t4 - 2])) + (uint16_t)((uint32_t)24 * stage_1[t4 - 1])) + (uint16_t)((uint32_t)6 * stage_1[t4])) + (uint16_t)((uint32_t)4 * stage_1[t5 - 4])) + (uint16_t)((uint32_t)16 * stage_1[t5 - 3])) + (uint16_t)((uint32_t)24 * stage_1[t5 - 2])) + (uint16_t)((uint32_t)16 * stage_1[t5 - 1])) + (uint16_t)((uint32_t)4 * stage_1[t5])) + stage_1[t1 - 4]) + (uint16_t)((uint32_t)4 * stage_1[t1 - 3])) + (uint16_t)((uint32_t)6 * stage_1[t1 - 2])) + (uint16_t)((uint32_t)4 * stage_1[t1 - 1])) + stage_1[t1]) >> 8);
                        }
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    {
        const int32_t stencil_chain_s0_yi = (int32_t)get_local_id(1);
        const int32_t stencil_chain_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t6 = stencil_chain_s0_yi * 36 + stencil_chain_s0_xi;
            stencil_chain[stencil_chain_s0_y_base * stencil_chain_stride_1 + stencil_chain_s0_x_base + stencil_chain_s0_xi + stencil_chain_s0_yi * stencil_chain_stride_1 - stencil_chain_min_1 * stencil_chain_stride_1 - stencil_chain_min_0] = (uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)((uint16_t)(stage_2[t6] + 128) + (uint16_t)((uint32_t)4 * stage_2[t6 + 1])) + (uint16_t)((uint32_t)6 * stage_2[t6 + 2])) + (uint16_t)((uint32_t)4 * stage_2[t6 + 3])) + stage_2[t6 + 4]) + (uint16_t)((uint32_t)4 * stage_2[t6 + 36])) + (uint16_t)((uint32_t)16 * stage_2[t6 + 37])) + (uint16_t)((uint32_t)24 * stage_2[t6 + 38])) + (uint16_t)((uint32_t)16 * stage_2[t6 + 39])) + (uint16_t)((uint32_t)4 * stage_2[t6 + 40])) + (uint16_t)((uint32_t)6 * stage_2[t6 + 72])) + (uint16_t)((uint32_t)24 * stage_2[t6 + 73])) + (uint16_t)((uint32_t)36 * stage_2[t6 + 74])) + (uint16_t)((uint32_t)24 * stage_2[t6 + 75])) + (uint16_t)((uint32_t)6 * stage_2[t6 + 76])) + (uint16_t)((uint32_t)4 * stage_2[t6 + 108])) + (uint16_t)((uint32_t)16 * stage_2[t6 + 109])) + (uint16_t)((uint32_t)24 * stage_2[t6 + 110])) + (uint16_t)((uint32_t)16 * stage_2[t6 + 111])) + (uint16_t)((uint32_t)4 * stage_2[t6 + 112])) + stage_2[t6 + 144]) + (uint16_t)((uint32_t)4 * stage_2[t6 + 145])) + (uint16_t)((uint32_t)6 * stage_2[t6 + 146])) + (uint16_t)((uint32_t)4 * stage_2[t6 + 147])) + stage_2[t6 + 148]) >> 8);
        }
    }
}
