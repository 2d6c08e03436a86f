typedef uchar uint8_t;
typedef int int32_t;
typedef uint uint32_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline int32_t mul_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }
static inline uint8_t min_uint8(uint8_t a, uint8_t b) { return a < b ? a : b; }
static inline uint8_t max_uint8(uint8_t a, uint8_t b) { return a > b ? a : b; }

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void median_s0_x(const int32_t median_extent_0, const int32_t median_extent_1, const int32_t median_min_0, const int32_t median_min_1, const int32_t median_stride_1, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_stride_1, __global uint8_t *restrict median, __global const uint8_t *restrict source) {
    __local uint8_t column_0[288];
    __local uint8_t column_1[288];
    __local uint8_t column_2[288];
    __local uint8_t column_3[288];
    __local uint8_t column_4[288];
    const int32_t median_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t median_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t median_s0_y_base = min_int32(median_extent_1 + median_min_1 - 8, median_s0_y_1 * 8 + median_min_1);
    const int32_t median_s0_x_base = min_int32(median_s0_x_1 * 32 + median_min_0, median_extent_0 + median_min_0 - 32);
    /* column */
    for (int32_t column_s0_x_1 = 0; column_s0_x_1 < 0 + 2; column_s0_x_1++) {
        {
            const int32_t column_s0_yi = (int32_t)get_local_id(1);
            const int32_t column_s0_xi = (int32_t)get_local_id(0);
            if (add_int32(column_s0_xi, mul_int32(column_s0_x_1, 32)) <= 35) {
                {
                    const int32_t t1 = column_s0_yi * source_stride_1;
                    const int32_t t2 = column_s0_x_1 * 32;
                    const int32_t t3 = median_s0_y_base * source_stride_1;
                    const int32_t t4 = source_min_1 * source_stride_1;
                    column_0[column_s0_yi * 36 + column_s0_xi + t2] = min_uint8(min_uint8(min_uint8(source[column_s0_xi + t1 + t2 + t3 + median_s0_x_base - source_min_0 - t4], source[source_stride_1 + column_s0_xi + t1 + t2 + t3 + median_s0_x_base - source_min_0 - t4]), min_uint8(source[source_stride_1 * 2 + column_s0_xi + t1 + t2 + t3 + median_s0_x_base - source_min_0 - t4], source[source_stride_1 * 3 + column_s0_xi + t1 + t2 + t3 + median_s0_x_base - source_min_0 - t4])), source[source_stride_1 * 4 + column_s0_xi + t1 + t2 + t3 + median_s0_x_base - source_min_0 - t4]);
                }
                {
                    const int32_t t5 = column_s0_yi * source_stride_1;
                    const int32_t t6 = column_s0_x_1 * 32;
                    const int32_t t7 = median_s0_y_base * source_stride_1;
                    const int32_t t8 = source_min_1 * source_stride_1;
                    const uint8_t t9 = source[column_s0_xi + t5 + t6 + t7 + median_s0_x_base - source_min_0 - t8];
                    const uint8_t t10 = source[source_stride_1 + column_s0_xi + t5 + t6 + t7 + median_s0_x_base - source_min_0 - t8];
                    const uint8_t t11 = source[source_stride_1 * 2 + column_s0_xi + t5 + t6 + t7 + median_s0_x_base - source_min_0 - t8];
                    const uint8_t t12 = source[source_stride_1 * 3 + column_s0_xi + t5 + t6 + t7 + median_s0_x_base - source_min_0 - t8];
                    const uint8_t t13 = min_uint8(max_uint8(t9, t10), max_uint8(t11, t12));
                    const uint8_t t14 = min_uint8(t9, t10);
                    const uint8_t t15 = min_uint8(t11, t12);
                    const uint8_t t16 = max_uint8(t14, t15);
                    column_1[column_s0_yi * 36 + column_s0_xi + t6] = min_uint8(min_uint8(t13, t16), min_uint8(max_uint8(t13, t16), max_uint8(min_uint8(t14, t15), source[source_stride_1 * 4 + column_s0_xi + t5 + t6 + t7 + median_s0_x_base - source_min_0 - t8])));
                }
                {
                    const int32_t t17 = column_s0_yi * source_stride_1;
                    const int32_t t18 = column_s0_x_1 * 32;
                    const int32_t t19 = median_s0_y_base * source_stride_1;
                    const int32_t t20 = source_min_1 * source_stride_1;
                    const uint8_t t21 = source[column_s0_xi + t17 + t18 + t19 + median_s0_x_base - source_min_0 - t20];
                    const uint8_t t22 = source[source_stride_1 + column_s0_xi + t17 + t18 + t19 + median_s0_x_base - source_min_0 - t20];
                    const uint8_t t23 = source[source_stride_1 * 2 + column_s0_xi + t17 + t18 + t19 + median_s0_x_base - source_min_0 - t20];
                    const uint8_t t24 = source[source_stride_1 * 3 + column_s0_xi + t17 + t18 + t19 + median_s0_x_base - source_min_0 - t20];
                    const uint8_t t25 = min_uint8(max_uint8(t21, t22), max_uint8(t23, t24));
                    const uint8_t t26 = min_uint8(t21, t22);
                    const uint8_t t27 = min_uint8(t23, t24);
                    const uint8_t t28 = max_uint8(t26, t27);
                    column_2[column_s0_yi * 36 + column_s0_xi + t18] = max_uint8(min_uint8(t25, t28), min_uint8(max_uint8(t25, t28), max_uint8(min_uint8(t26, t27), source[source_stride_1 * 4 + column_s0_xi + t17 + t18 + t19 + median_s0_x_base - source_min_0 - t20])));
                }
                {
                    const int32_t t29 = column_s0_yi * source_stride_1;
                    const int32_t t30 = column_s0_x_1 * 32;
                    const int32_t t31 = median_s0_y_base * source_stride_1;
                    const int32_t t32 = source_min_1 * source_stride_1;
                    const uint8_t t33 = source[column_s0_xi + t29 + t30 + t31 + median_s0_x_base - source_min_0 - t32];
                    const uint8_t t34 = source[source_stride_1 + column_s0_xi + t29 + t30 + t31 + median_s0_x_base - source_min_0 - t32];
                    const uint8_t t35 = max_uint8(t33, t34);
                    const uint8_t t36 = source[source_stride_1 * 2 + column_s0_xi + t29 + t30 + t31 + median_s0_x_base - source_min_0 - t32];
                    const uint8_t t37 = source[source_stride_1 * 3 + column_s0_xi + t29 + t30 + t31 + median_s0_x_base - source_min_0 - t32];
                    const uint8_t t38 = max_uint8(t36, t37);
                    const uint8_t t39 = min_uint8(t33, t34);
                    const uint8_t t40 = min_uint8(t36, t37);
                    column_3[column_s0_yi * 36 + column_s0_xi + t30] = min_uint8(max_uint8(t35, t38), max_uint8(max_uint8(min_uint8(t35, t38), max_uint8(t39, t40)), max_uint8(min_uint8(t39, t40), source[source_stride_1 * 4 + column_s0_xi + t29 + t30 + t31 + median_s0_x_base - source_min_0 - t32])));
                }
                {
                    const int32_t t41 = column_s0_yi * source_stride_1;
                    const int32_t t42 = column_s0_x_1 * 32;
                    const int32_t t43 = median_s0_y_base * source_stride_1;
                    const int32_t t44 = source_min_1 * source_stride_1;
                    const uint8_t t45 = source[column_s0_xi + t41 + t42 + t43 + median_s0_x_base - source_min_0 - t44];
                    const uint8_t t46 = source[source_stride_1 + column_s0_xi + t41 + t42 + t43 + median_s0_x_base - source_min_0 - t44];
                    const uint8_t t47 = max_uint8(t45, t46);
                    const uint8_t t48 = source[source_stride_1 * 2 + column_s0_xi + t41 + t42 + t43 + median_s0_x_base - source_min_0 - t44];
                    const uint8_t t49 = source[source_stride_1 * 3 + column_s0_xi + t41 + t42 + t43 + median_s0_x_base - source_min_0 - t44];
                    const uint8_t t50 = max_uint8(t48, t49);
                    const uint8_t t51 = min_uint8(t45, t46);
                    const uint8_t t52 = min_uint8(t48, t49);
                    column_4[column_s0_yi * 36 + column_s0_xi + t42] = max_uint8(max_uint8(t47, t50), max_uint8(max_uint8(min_uint8(t47, t50), max_uint8(t51, t52)), max_uint8(min_uint8(t51, t52), source[source_stride_1 * 4 + column_s0_xi + t41 + t42 + t43 + median_s0_x_base - source_min_0 - t44])));
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    {
        const int32_t median_s0_yi = (int32_t)get_local_id(1);
        const int32_t median_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t53 = median_s0_xi + median_s0_yi * 36;
            const uint8_t t54 = column_3[t53];
            const int32_t t55 = t53 + 1;
            const uint8_t t56 = column_3[t55];
            const uint8_t t57 = min_uint8(t54, t56);
            const int32_t t58 = t53 + 2;
            const uint8_t t59 = column_3[t58];
            const int32_t t60 = t53 + 3;
            const uint8_t t61 = column_3[t60];
            const uint8_t t62 = min_uint8(t59, t61);
            const uint8_t t63 = min_uint8(t57, t62);
            const int32_t t64 = t53 + 4;
            const uint8_t t65 = column_3[t64];
            const uint8_t t66 = column_2[t53];
            const uint8_t t67 = column_2[t55];
            const uint8_t t68 = max_uint8(t66, t67);
            const uint8_t t69 = column_2[t58];
            const uint8_t t70 = column_2[t60];
            const uint8_t t71 = max_uint8(t69, t70);
            const uint8_t t72 = min_uint8(t68, t71);
            const uint8_t t73 = min_uint8(t66, t67);
            const uint8_t t74 = min_uint8(t69, t70);
            const uint8_t t75 = max_uint8(t73, t74);
            const uint8_t t76 = min_uint8(t72, t75);
            const uint8_t t77 = max_uint8(t72, t75);
            const uint8_t t78 = max_uint8(min_uint8(t73, t74), column_2[t64]);
            const uint8_t t79 = min_uint8(t77, t78);
            const uint8_t t80 = column_1[t53];
            const uint8_t t81 = column_1[t55];
            const uint8_t t82 = max_uint8(t80, t81);
            const uint8_t t83 = column_1[t58];
            const uint8_t t84 = column_1[t60];
            const uint8_t t85 = max_uint8(t83, t84);
            const uint8_t t86 = min_uint8(t82, t85);
            const uint8_t t87 = max_uint8(min_uint8(t80, t81), min_uint8(t83, t84));
            const uint8_t t88 = max_uint8(t86, t87);
            const uint8_t t89 = column_1[t64];
            const uint8_t t90 = column_0[t53];
            const uint8_t t91 = column_0[t55];
            const uint8_t t92 = max_uint8(t90, t91);
            const uint8_t t93 = column_0[t58];
            const uint8_t t94 = column_0[t60];
            const uint8_t t95 = max_uint8(t93, t94);
            const uint8_t t96 = max_uint8(t92, t95);
            const uint8_t t97 = max_uint8(max_uint8(min_uint8(t92, t95), max_uint8(min_uint8(t90, t91), min_uint8(t93, t94))), column_0[t64]);
            const uint8_t t98 = max_uint8(max_uint8(min_uint8(t63, t65), min_uint8(t76, t79)), max_uint8(max_uint8(min_uint8(t86, t87), min_uint8(t88, t89)), min_uint8(t96, t97)));
            const uint8_t t99 = column_4[t53];
            const uint8_t t100 = column_4[t55];
            const uint8_t t101 = min_uint8(t99, t100);
            const uint8_t t102 = column_4[t58];
            const uint8_t t103 = column_4[t60];
            const uint8_t t104 = min_uint8(t102, t103);
            const uint8_t t105 = min_uint8(t101, t104);
            const uint8_t t106 = column_4[t64];
            const uint8_t t107 = min_uint8(t105, t106);
            const uint8_t t108 = min_uint8(max_uint8(t54, t56), max_uint8(t59, t61));
            const uint8_t t109 = max_uint8(t57, t62);
            const uint8_t t110 = min_uint8(t108, t109);
            const uint8_t t111 = min_uint8(max_uint8(t108, t109), max_uint8(t63, t65));
            const uint8_t t112 = min_uint8(t110, t111);
            const uint8_t t113 = max_uint8(t76, t79);
            const uint8_t t114 = max_uint8(t82, t85);
            const uint8_t t115 = max_uint8(t88, t89);
            const uint8_t t116 = min_uint8(t114, t115);
            const uint8_t t117 = min_uint8(max_uint8(t107, t112), max_uint8(t113, t116));
            const uint8_t t118 = min_uint8(t107, t112);
            const uint8_t t119 = min_uint8(t113, t116);
            const uint8_t t120 = max_uint8(t118, t119);
            const uint8_t t121 = min_uint8(t117, t120);
            const uint8_t t122 = max_uint8(t98, t121);
            const uint8_t t123 = max_uint8(t117, t120);
            const uint8_t t124 = max_uint8(t96, t97);
            const uint8_t t125 = min_uint8(min_uint8(max_uint8(t99, t100), max_uint8(t102, t103)), min_uint8(max_uint8(t101, t104), max_uint8(t105, t106)));
            const uint8_t t126 = min_uint8(t124, t125);
            const uint8_t t127 = min_uint8(max_uint8(t110, t111), min_uint8(max_uint8(t68, t71), max_uint8(t77, t78)));
            median[median_s0_xi + median_s0_yi * median_stride_1 + median_s0_y_base * median_stride_1 + median_s0_x_base - median_min_0 - median_min_1 * median_stride_1] = max_uint8(min_uint8(min_uint8(t122, t123), min_uint8(max_uint8(t124, t125), min_uint8(max_uint8(t126, t127), max_uint8(t114, t115)))), min_uint8(max_uint8(t122, t123), max_uint8(max_uint8(min_uint8(t98, t121), min_uint8(t118, t119)), min_uint8(t126, t127))));
        }
    }
}
