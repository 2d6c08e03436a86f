typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;

static inline int32_t add_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }
static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }

__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void down_0_s0_x(const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global float *restrict down_0_0, __global float *restrict down_0_1, __global const float *restrict source) {
    const int32_t down_0_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t down_0_s0_p_2 = (int32_t)get_group_id(1);
    const int32_t down_0_s0_part = (int32_t)get_group_id(2);
    {
        const int32_t down_0_s0_yi = (int32_t)get_local_id(1);
        const int32_t down_0_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = down_0_s0_part * source_stride_2;
            const int32_t t2 = down_0_s0_xi * source_stride_1;
            const int32_t t3 = source_stride_1 * 16;
            const int32_t t4 = source_min_1 * source_stride_1;
            const int32_t t5 = source_min_2 * source_stride_2;
            const float t6 = source[t1 + t2 - t3 - source_min_0 - t4 - t5];
            const float t7 = source[t1 + source_stride_2 * 8 + t2 - t3 - source_min_0 - t4 - t5];
            const int32_t t8 = t1 + source_stride_2 * 4 + t2 - t3 - source_min_0 - t4 - t5;
            const int32_t t9 = t1 + source_stride_2 * 12 + t2 - t3 - source_min_0 - t4 - t5;
            down_0_0[down_0_s0_part * 128 + down_0_s0_p_2 * 32 + down_0_s0_xi + down_0_s0_yi * 32] = add_int32(down_0_s0_p_2, down_0_s0_yi) == 0 ? t6 + t7 + (source[t8] + source[t9]) : t6 - t7 - (source[t8 + 1] - source[t9 + 1]);
        }
        {
            const int32_t t10 = down_0_s0_part * source_stride_2;
            const int32_t t11 = down_0_s0_xi * source_stride_1;
            const int32_t t12 = source_stride_1 * 16;
            const int32_t t13 = source_min_1 * source_stride_1;
            const int32_t t14 = source_min_2 * source_stride_2;
            const float t15 = source[t10 + t11 - t12 - source_min_0 - t13 - t14 + 1];
            const float t16 = source[t10 + source_stride_2 * 8 + t11 - t12 - source_min_0 - t13 - t14 + 1];
            const int32_t t17 = t10 + source_stride_2 * 4 + t11 - t12 - source_min_0 - t13 - t14;
            const int32_t t18 = t10 + source_stride_2 * 12 + t11 - t12 - source_min_0 - t13 - t14;
            down_0_1[down_0_s0_part * 128 + down_0_s0_p_2 * 32 + down_0_s0_xi + down_0_s0_yi * 32] = add_int32(down_0_s0_p_2, down_0_s0_yi) == 0 ? t15 + t16 + (source[t17 + 1] + source[t18 + 1]) : t15 - t16 - (-0.0f - (source[t17] - source[t18]));
        }
        {
            const int32_t t19 = down_0_s0_part * source_stride_2;
            const int32_t t20 = down_0_s0_xi * source_stride_1;
            const int32_t t21 = source_stride_1 * 16;
            const int32_t t22 = source_min_1 * source_stride_1;
            const int32_t t23 = source_min_2 * source_stride_2;
            const float t24 = source[t19 + t20 - t21 - source_min_0 - t22 - t23] - source[t19 + source_stride_2 * 8 + t20 - t21 - source_min_0 - t22 - t23];
            const float t25 = source[t19 + source_stride_2 * 4 + t20 - t21 - source_min_0 - t22 - t23 + 1] - source[t19 + source_stride_2 * 12 + t20 - t21 - source_min_0 - t22 - t23 + 1];
            down_0_0[down_0_s0_part * 128 + down_0_s0_p_2 * 32 + down_0_s0_xi + down_0_s0_yi * 32 + 32] = add_int32(down_0_s0_p_2, down_0_s0_yi) == 0 ? t24 + t25 : t24 - t25;
        }
        {
            const int32_t t26 = down_0_s0_part * source_stride_2;
            const int32_t t27 = down_0_s0_xi * source_stride_1;
            const int32_t t28 = source_stride_1 * 16;
            const int32_t t29 = source_min_1 * source_stride_1;
            const int32_t t30 = source_min_2 * source_stride_2;
            const float t31 = source[t26 + t27 - t28 - source_min_0 - t29 - t30 + 1] - source[t26 + source_stride_2 * 8 + t27 - t28 - source_min_0 - t29 - t30 + 1];
            const float t32 = -0.0f - (source[t26 + source_stride_2 * 4 + t27 - t28 - source_min_0 - t29 - t30] - source[t26 + source_stride_2 * 12 + t27 - t28 - source_min_0 - t29 - t30]);
            down_0_1[down_0_s0_part * 128 + down_0_s0_p_2 * 32 + down_0_s0_xi + down_0_s0_yi * 32 + 32] = add_int32(down_0_s0_p_2, down_0_s0_yi) == 0 ? t31 + t32 : t31 - t32;
        }
        {
            const int32_t t33 = down_0_s0_part * source_stride_2;
            const int32_t t34 = down_0_s0_xi * source_stride_1;
            const int32_t t35 = source_stride_1 * 16;
            const int32_t t36 = source_min_1 * source_stride_1;
            const int32_t t37 = source_min_2 * source_stride_2;
            const float t38 = source[t33 + t34 - t35 - source_min_0 - t36 - t37];
            const float t39 = source[t33 + source_stride_2 * 8 + t34 - t35 - source_min_0 - t36 - t37];
            const int32_t t40 = t33 + source_stride_2 * 4 + t34 - t35 - source_min_0 - t36 - t37;
            const int32_t t41 = t33 + source_stride_2 * 12 + t34 - t35 - source_min_0 - t36 - t37;
            down_0_0[down_0_s0_part * 128 + down_0_s0_p_2 * 32 + down_0_s0_xi + down_0_s0_yi * 32 + 64] = add_int32(down_0_s0_p_2, down_0_s0_yi) == 0 ? t38 + t39 - (source[t40] + source[t41]) : t38 - t39 - (source[t40 + 1] - source[t41 + 1]);
        }
        {
            const int32_t t42 = down_0_s0_part * source_stride_2;
            const int32_t t43 = down_0_s0_xi * source_stride_1;
            const int32_t t44 = source_stride_1 * 16;
            const int32_t t45 = source_min_1 * source_stride_1;
            const int32_t t46 = source_min_2 * source_stride_2;
            const float t47 = source[t42 + t43 - t44 - source_min_0 - t45 - t46 + 1];
            const float t48 = source[t42 + source_stride_2 * 8 + t43 - t44 - source_min_0 - t45 - t46 + 1];
            const int32_t t49 = t42 + source_stride_2 * 4 + t43 - t44 - source_min_0 - t45 - t46;
            const int32_t t50 = t42 + source_stride_2 * 12 + t43 - t44 - source_min_0 - t45 - t46;
            down_0_1[down_0_s0_part * 128 + down_0_s0_p_2 * 32 + down_0_s0_xi + down_0_s0_yi * 32 + 64] = add_int32(down_0_s0_p_2, down_0_s0_yi) == 0 ? t47 + t48 - (source[t49 + 1] + source[t50 + 1]) : t47 - t48 - (-0.0f - (source[t49] - source[t50]));
        }
        {
            const int32_t t51 = down_0_s0_part * source_stride_2;
            const int32_t t52 = down_0_s0_xi * source_stride_1;
            const int32_t t53 = source_stride_1 * 16;
            const int32_t t54 = source_min_1 * source_stride_1;
            const int32_t t55 = source_min_2 * source_stride_2;
            down_0_0[down_0_s0_part * 128 + down_0_s0_p_2 * 32 + down_0_s0_xi + down_0_s0_yi * 32 + 96] = source[t51 + t52 - t53 - source_min_0 - t54 - t55] - source[t51 + source_stride_2 * 8 + t52 - t53 - source_min_0 - t54 - t55] - (source[t51 + source_stride_2 * 4 + t52 - t53 - source_min_0 - t54 - t55 + 1] - source[t51 + source_stride_2 * 12 + t52 - t53 - source_min_0 - t54 - t55 + 1]);
        }
        {
            const int32_t t56 = down_0_s0_part * source_stride_2;
            const int32_t t57 = down_0_s0_xi * source_stride_1;
            const int32_t t58 = source_stride_1 * 16;
            const int32_t t59 = source_min_1 * source_stride_1;
            const int32_t t60 = source_min_2 * source_stride_2;
            down_0_1[down_0_s0_part * 128 + down_0_s0_p_2 * 32 + down_0_s0_xi + down_0_s0_yi * 32 + 96] = source[t56 + t57 - t58 - source_min_0 - t59 - t60 + 1] - source[t56 + source_stride_2 * 8 + t57 - t58 - source_min_0 - t59 - t60 + 1] - (-0.0f - (source[t56 + source_stride_2 * 4 + t57 - t58 - source_min_0 - t59 - t60] - source[t56 + source_stride_2 * 12 + t57 - t58 - source_min_0 - t59 - t60]));
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 4, 1)))
void down_1_s0_x(const int32_t b0_min_0, const int32_t b0_min_1, const int32_t b0_min_2, const int32_t b0_stride_1, const int32_t b0_stride_2, const int32_t down_1_min_1, const int64_t down_1_stride_2, __global const float *restrict b0, __global const float *restrict down_0_0, __global const float *restrict down_0_1, __global float *restrict down_1_0, __global float *restrict down_1_1) {
    const int32_t down_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t down_1_s0_p_2 = (int32_t)get_group_id(1);
    const int32_t down_1_s0_part = (int32_t)get_group_id(2);
    {
        const int32_t down_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t down_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int32_t t1 = down_1_s0_part * 128 + down_1_s0_xi + down_1_s0_yi * 32;
            const int32_t t2 = down_1_s0_yi * b0_stride_2;
            const int32_t t3 = b0_min_1 * b0_stride_1;
            const int32_t t4 = b0_min_2 * b0_stride_2;
            const int32_t t5 = t2 - t3 - t4 - b0_min_0;
            const float t6 = down_0_0[t1] * b0[t5] - down_0_1[t1] * b0[t5 + 1];
            const int32_t t7 = t1 + 256;
            const int32_t t8 = t2 + b0_stride_1 * 2 - t3 - t4 - b0_min_0;
            const float t9 = down_0_0[t7] * b0[t8] - down_0_1[t7] * b0[t8 + 1];
            const int32_t t10 = t1 + 128;
            const float t11 = down_0_0[t10];
            const int32_t t12 = t2 + b0_stride_1 - t3 - t4 - b0_min_0;
            const float t13 = b0[t12];
            const float t14 = down_0_1[t10];
            const float t15 = b0[t12 + 1];
            const int32_t t16 = t1 + 384;
            const float t17 = down_0_0[t16];
            const int32_t t18 = t2 + b0_stride_1 * 3 - t3 - t4 - b0_min_0;
            const float t19 = b0[t18];
            const float t20 = down_0_1[t16];
            const float t21 = b0[t18 + 1];
            down_1_0[(int64_t)down_1_s0_p_2 * 128 + (int64_t)down_1_s0_xi + (int64_t)down_1_s0_yi * 32 + (int64_t)down_1_s0_part * down_1_stride_2 - (int64_t)down_1_min_1 * 32] = down_1_s0_p_2 == 0 ? t6 + t9 + (t11 * t13 - t14 * t15 + (t17 * t19 - t20 * t21)) : t6 - t9 - (t11 * t15 + t14 * t13 - (t17 * t21 + t20 * t19));
        }
        {
            const int32_t t22 = down_1_s0_part * 128 + down_1_s0_xi + down_1_s0_yi * 32;
            const int32_t t23 = down_1_s0_yi * b0_stride_2;
            const int32_t t24 = b0_min_1 * b0_stride_1;
            const int32_t t25 = b0_min_2 * b0_stride_2;
            const int32_t t26 = t23 - t24 - t25 - b0_min_0;
            const float t27 = down_0_0[t22] * b0[t26 + 1] + down_0_1[t22] * b0[t26];
            const int32_t t28 = t22 + 256;
            const int32_t t29 = t23 + b0_stride_1 * 2 - t24 - t25 - b0_min_0;
            const float t30 = down_0_0[t28] * b0[t29 + 1] + down_0_1[t28] * b0[t29];
            const int32_t t31 = t22 + 128;
            const float t32 = down_0_0[t31];
            const int32_t t33 = t23 + b0_stride_1 - t24 - t25 - b0_min_0;
            const float t34 = b0[t33 + 1];
            const float t35 = down_0_1[t31];
            const float t36 = b0[t33];
            const int32_t t37 = t22 + 384;
            const float t38 = down_0_0[t37];
            const int32_t t39 = t23 + b0_stride_1 * 3 - t24 - t25 - b0_min_0;
            const float t40 = b0[t39 + 1];
            const float t41 = down_0_1[t37];
            const float t42 = b0[t39];
            down_1_1[(int64_t)down_1_s0_p_2 * 128 + (int64_t)down_1_s0_xi + (int64_t)down_1_s0_yi * 32 + (int64_t)down_1_s0_part * down_1_stride_2 - (int64_t)down_1_min_1 * 32] = down_1_s0_p_2 == 0 ? t27 + t30 + (t32 * t34 + t35 * t36 + (t38 * t40 + t41 * t42)) : t27 - t30 - (-0.0f - (t32 * t36 - t35 * t34 - (t38 * t42 - t41 * t40)));
        }
        {
            const int32_t t43 = down_1_s0_part * 128 + down_1_s0_xi + down_1_s0_yi * 32;
            const int32_t t44 = down_1_s0_yi * b0_stride_2;
            const int32_t t45 = b0_min_1 * b0_stride_1;
            const int32_t t46 = b0_min_2 * b0_stride_2;
            const int32_t t47 = t44 - t45 - t46 - b0_min_0;
            const int32_t t48 = t43 + 256;
            const int32_t t49 = t44 + b0_stride_1 * 2 - t45 - t46 - b0_min_0;
            const float t50 = down_0_0[t43] * b0[t47] - down_0_1[t43] * b0[t47 + 1] - (down_0_0[t48] * b0[t49] - down_0_1[t48] * b0[t49 + 1]);
            const int32_t t51 = t43 + 128;
            const int32_t t52 = t44 + b0_stride_1 - t45 - t46 - b0_min_0;
            const int32_t t53 = t43 + 384;
            const int32_t t54 = t44 + b0_stride_1 * 3 - t45 - t46 - b0_min_0;
            const float t55 = down_0_0[t51] * b0[t52 + 1] + down_0_1[t51] * b0[t52] - (down_0_0[t53] * b0[t54 + 1] + down_0_1[t53] * b0[t54]);
            down_1_0[(int64_t)down_1_s0_p_2 * 128 + (int64_t)down_1_s0_xi + (int64_t)down_1_s0_yi * 32 + (int64_t)down_1_s0_part * down_1_stride_2 - (int64_t)down_1_min_1 * 32 + 128] = down_1_s0_p_2 == 0 ? t50 + t55 : t50 - t55;
        }
        {
            const int32_t t56 = down_1_s0_part * 128 + down_1_s0_xi + down_1_s0_yi * 32;
            const int32_t t57 = down_1_s0_yi * b0_stride_2;
            const int32_t t58 = b0_min_1 * b0_stride_1;
            const int32_t t59 = b0_min_2 * b0_stride_2;
            const int32_t t60 = t57 - t58 - t59 - b0_min_0;
            const int32_t t61 = t56 + 256;
            const int32_t t62 = t57 + b0_stride_1 * 2 - t58 - t59 - b0_min_0;
            const float t63 = down_0_0[t56] * b0[t60 + 1] + down_0_1[t56] * b0[t60] - (down_0_0[t61] * b0[t62 + 1] + down_0_1[t61] * b0[t62]);
            const int32_t t64 = t56 + 128;
            const int32_t t65 = t57 + b0_stride_1 - t58 - t59 - b0_min_0;
            const int32_t t66 = t56 + 384;
            const int32_t t67 = t57 + b0_stride_1 * 3 - t58 - t59 - b0_min_0;
            const float t68 = -0.0f - (down_0_0[t64] * b0[t65] - down_0_1[t64] * b0[t65 + 1] - (down_0_0[t66] * b0[t67] - down_0_1[t66] * b0[t67 + 1]));
            down_1_1[(int64_t)down_1_s0_p_2 * 128 + (int64_t)down_1_s0_xi + (int64_t)down_1_s0_yi * 32 + (int64_t)down_1_s0_part * down_1_stride_2 - (int64_t)down_1_min_1 * 32 + 128] = down_1_s0_p_2 == 0 ? t63 + t68 : t63 - t68;
        }
        {
            const int32_t t69 = down_1_s0_part * 128 + down_1_s0_xi + down_1_s0_yi * 32;
            const int32_t t70 = down_1_s0_yi * b0_stride_2;
            const int32_t t71 = b0_min_1 * b0_stride_1;
            const int32_t t72 = b0_min_2 * b0_stride_2;
            const int32_t t73 = t70 - t71 - t72 - b0_min_0;
            const float t74 = down_0_0[t69] * b0[t73] - down_0_1[t69] * b0[t73 + 1];
            const int32_t t75 = t69 + 256;
            const int32_t t76 = t70 + b0_stride_1 * 2 - t71 - t72 - b0_min_0;
            const float t77 = down_0_0[t75] * b0[t76] - down_0_1[t75] * b0[t76 + 1];
            const int32_t t78 = t69 + 128;
            const float t79 = down_0_0[t78];
            const int32_t t80 = t70 + b0_stride_1 - t71 - t72 - b0_min_0;
            const float t81 = b0[t80];
            const float t82 = down_0_1[t78];
            const float t83 = b0[t80 + 1];
            const int32_t t84 = t69 + 384;
            const float t85 = down_0_0[t84];
            const int32_t t86 = t70 + b0_stride_1 * 3 - t71 - t72 - b0_min_0;
            const float t87 = b0[t86];
            const float t88 = down_0_1[t84];
            const float t89 = b0[t86 + 1];
            down_1_0[(int64_t)down_1_s0_p_2 * 128 + (int64_t)down_1_s0_xi + (int64_t)down_1_s0_yi * 32 + (int64_t)down_1_s0_part * down_1_stride_2 - (int64_t)down_1_min_1 * 32 + 256] = down_1_s0_p_2 == 0 ? t74 + t77 - (t79 * t81 - t82 * t83 + (t85 * t87 - t88 * t89)) : t74 - t77 - (t79 * t83 + t82 * t81 - (t85 * t89 + t88 * t87));
        }
        {
            const int32_t t90 = down_1_s0_part * 128 + down_1_s0_xi + down_1_s0_yi * 32;
            const int32_t t91 = down_1_s0_yi * b0_stride_2;
            const int32_t t92 = b0_min_1 * b0_stride_1;
            const int32_t t93 = b0_min_2 * b0_stride_2;
            const int32_t t94 = t91 - t92 - t93 - b0_min_0;
            const float t95 = down_0_0[t90] * b0[t94 + 1] + down_0_1[t90] * b0[t94];
            const int32_t t96 = t90 + 256;
            const int32_t t97 = t91 + b0_stride_1 * 2 - t92 - t93 - b0_min_0;
            const float t98 = down_0_0[t96] * b0[t97 + 1] + down_0_1[t96] * b0[t97];
            const int32_t t99 = t90 + 128;
            const float t100 = down_0_0[t99];
            const int32_t t101 = t91 + b0_stride_1 - t92 - t93 - b0_min_0;
            const float t102 = b0[t101 + 1];
            const float t103 = down_0_1[t99];
            const float t104 = b0[t101];
            const int32_t t105 = t90 + 384;
            const float t106 = down_0_0[t105];
            const int32_t t107 = t91 + b0_stride_1 * 3 - t92 - t93 - b0_min_0;
            const float t108 = b0[t107 + 1];
            const float t109 = down_0_1[t105];
            const float t110 = b0[t107];
            down_1_1[(int64_t)down_1_s0_p_2 * 128 + (int64_t)down_1_s0_xi + (int64_t)down_1_s0_yi * 32 + (int64_t)down_1_s0_part * down_1_stride_2 - (int64_t)down_1_min_1 * 32 + 256] = down_1_s0_p_2 == 0 ? t95 + t98 - (t100 * t102 + t103 * t104 + (t106 * t108 + t109 * t110)) : t95 - t98 - (-0.0f - (t100 * t104 - t103 * t102 - (t106 * t110 - t109 * t108)));
        }
        {
            const int32_t t111 = down_1_s0_part * 128 + down_1_s0_xi + down_1_s0_yi * 32;
            const int32_t t112 = down_1_s0_yi * b0_stride_2;
            const int32_t t113 = b0_min_1 * b0_stride_1;
            const int32_t t114 = b0_min_2 * b0_stride_2;
            const int32_t t115 = t112 - t113 - t114 - b0_min_0;
            const int32_t t116 = t111 + 256;
            const int32_t t117 = t112 + b0_stride_1 * 2 - t113 - t114 - b0_min_0;
            const int32_t t118 = t111 + 128;
            const int32_t t119 = t112 + b0_stride_1 - t113 - t114 - b0_min_0;
            const int32_t t120 = t111 + 384;
            const int32_t t121 = t112 + b0_stride_1 * 3 - t113 - t114 - b0_min_0;
            down_1_0[(int64_t)down_1_s0_p_2 * 128 + (int64_t)down_1_s0_xi + (int64_t)down_1_s0_yi * 32 + (int64_t)down_1_s0_part * down_1_stride_2 - (int64_t)down_1_min_1 * 32 + 384] = down_0_0[t111] * b0[t115] - down_0_1[t111] * b0[t115 + 1] - (down_0_0[t116] * b0[t117] - down_0_1[t116] * b0[t117 + 1]) - (down_0_0[t118] * b0[t119 + 1] + down_0_1[t118] * b0[t119] - (down_0_0[t120] * b0[t121 + 1] + down_0_1[t120] * b0[t121]));
        }
        {
            const int32_t t122 = down_1_s0_part * 128 + down_1_s0_xi + down_1_s0_yi * 32;
            const int32_t t123 = down_1_s0_yi * b0_stride_2;
            const int32_t t124 = b0_min_1 * b0_stride_1;
            const int32_t t125 = b0_min_2 * b0_stride_2;
            const int32_t t126 = t123 - t124 - t125 - b0_min_0;
            const int32_t t127 = t122 + 256;
            const int32_t t128 = t123 + b0_stride_1 * 2 - t124 - t125 - b0_min_0;
            const int32_t t129 = t122 + 128;
            const int32_t t130 = t123 + b0_stride_1 - t124 - t125 - b0_min_0;
            const int32_t t131 = t122 + 384;
            const int32_t t132 = t123 + b0_stride_1 * 3 - t124 - t125 - b0_min_0;
            down_1_1[(int64_t)down_1_s0_p_2 * 128 + (int64_t)down_1_s0_xi + (int64_t)down_1_s0_yi * 32 + (int64_t)down_1_s0_part * down_1_stride_2 - (int64_t)down_1_min_1 * 32 + 384] = down_0_0[t122] * b0[t126 + 1] + down_0_1[t122] * b0[t126] - (down_0_0[t127] * b0[t128 + 1] + down_0_1[t127] * b0[t128]) - (-0.0f - (down_0_0[t129] * b0[t130] - down_0_1[t129] * b0[t130 + 1] - (down_0_0[t131] * b0[t132] - down_0_1[t131] * b0[t132 + 1])));
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void turned_s0_x(const int32_t down_1_min_1, const int32_t fft_extent_2, const int32_t fft_min_2, const int32_t turned_min_0, const int64_t turned_stride_1, __global const float *restrict down_1_0, __global const float *restrict down_1_1, __global float *restrict turned_0, __global float *restrict turned_1) {
    const int32_t turned_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t turned_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t turned_s0_x_base = min_int32(fft_min_2 + turned_s0_x_1 * 32, fft_min_2 + fft_extent_2 - 32);
    {
        const int32_t turned_s0_yi = (int32_t)get_local_id(1);
        const int32_t turned_s0_xi = (int32_t)get_local_id(0);
        turned_0[(int64_t)turned_s0_y_1 * turned_stride_1 * 8 + (int64_t)turned_s0_x_base + (int64_t)turned_s0_xi + (int64_t)turned_s0_yi * turned_stride_1 - (int64_t)turned_min_0] = down_1_0[turned_s0_x_base * 32 + turned_s0_y_1 * 8 + turned_s0_yi + turned_s0_xi * 32 - down_1_min_1 * 32 + 16] * 0.0625f;
        turned_1[(int64_t)turned_s0_y_1 * turned_stride_1 * 8 + (int64_t)turned_s0_x_base + (int64_t)turned_s0_xi + (int64_t)turned_s0_yi * turned_stride_1 - (int64_t)turned_min_0] = down_1_1[turned_s0_x_base * 32 + turned_s0_y_1 * 8 + turned_s0_yi + turned_s0_xi * 32 - down_1_min_1 * 32 + 16] * 0.0625f;
    }
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1)))
void across_0_s0_x(const int32_t across_0_min_0, const int64_t across_0_stride_1, const int32_t fft_extent_2, const int32_t fft_min_2, const int32_t turned_min_0, const int64_t turned_stride_1, __global float *restrict down_1_0, __global float *restrict down_1_1, __global const float *restrict turned_0, __global const float *restrict turned_1) {
    const int32_t across_0_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t across_0_s0_p_2 = (int32_t)get_group_id(1);
    const int32_t across_0_s0_part = (int32_t)get_group_id(2);
    const int32_t across_0_s0_x_base = min_int32(fft_min_2 + across_0_s0_x_1 * 32, fft_min_2 + fft_extent_2 - 32);
    {
        const int32_t across_0_s0_yi = (int32_t)get_local_id(1);
        const int32_t across_0_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)across_0_s0_xi + (int64_t)across_0_s0_x_base;
            const int64_t t2 = (int64_t)across_0_s0_part * turned_stride_1;
            const float t3 = turned_0[t1 + t2 - (int64_t)turned_min_0];
            const float t4 = turned_0[t1 + turned_stride_1 * 8 + t2 - (int64_t)turned_min_0];
            const int64_t t5 = t1 + turned_stride_1 * 4 + t2 - (int64_t)turned_min_0;
            const int64_t t6 = t1 + turned_stride_1 * 12 + t2 - (int64_t)turned_min_0;
            down_1_0[(int64_t)across_0_s0_p_2 * across_0_stride_1 + (int64_t)across_0_s0_xi + (int64_t)across_0_s0_x_base + (int64_t)across_0_s0_yi * across_0_stride_1 + (int64_t)across_0_s0_part * across_0_stride_1 * 4 - (int64_t)across_0_min_0] = add_int32(across_0_s0_yi, across_0_s0_p_2) == 0 ? t3 + t4 + (turned_0[t5] + turned_0[t6]) : t3 - t4 - (turned_1[t5] - turned_1[t6]);
        }
        {
            const int64_t t7 = (int64_t)across_0_s0_xi + (int64_t)across_0_s0_x_base;
            const int64_t t8 = (int64_t)across_0_s0_part * turned_stride_1;
            const float t9 = turned_1[t7 + t8 - (int64_t)turned_min_0];
            const float t10 = turned_1[t7 + turned_stride_1 * 8 + t8 - (int64_t)turned_min_0];
            const int64_t t11 = t7 + turned_stride_1 * 4 + t8 - (int64_t)turned_min_0;
            const int64_t t12 = t7 + turned_stride_1 * 12 + t8 - (int64_t)turned_min_0;
            down_1_1[(int64_t)across_0_s0_p_2 * across_0_stride_1 + (int64_t)across_0_s0_xi + (int64_t)across_0_s0_x_base + (int64_t)across_0_s0_yi * across_0_stride_1 + (int64_t)across_0_s0_part * across_0_stride_1 * 4 - (int64_t)across_0_min_0] = add_int32(across_0_s0_yi, across_0_s0_p_2) == 0 ? t9 + t10 + (turned_1[t11] + turned_1[t12]) : t9 - t10 - (-0.0f - (turned_0[t11] - turned_0[t12]));
        }
        {
            const int64_t t13 = (int64_t)across_0_s0_xi + (int64_t)across_0_s0_x_base;
            const int64_t t14 = (int64_t)across_0_s0_part * turned_stride_1;
            const float t15 = turned_0[t13 + t14 - (int64_t)turned_min_0] - turned_0[t13 + turned_stride_1 * 8 + t14 - (int64_t)turned_min_0];
            const float t16 = turned_1[t13 + turned_stride_1 * 4 + t14 - (int64_t)turned_min_0] - turned_1[t13 + turned_stride_1 * 12 + t14 - (int64_t)turned_min_0];
            down_1_0[(int64_t)across_0_s0_p_2 * across_0_stride_1 + (int64_t)across_0_s0_xi + across_0_stride_1 + (int64_t)across_0_s0_x_base + (int64_t)across_0_s0_yi * across_0_stride_1 + (int64_t)across_0_s0_part * across_0_stride_1 * 4 - (int64_t)across_0_min_0] = add_int32(across_0_s0_yi, across_0_s0_p_2) == 0 ? t15 + t16 : t15 - t16;
        }
        {
            const int64_t t17 = (int64_t)across_0_s0_xi + (int64_t)across_0_s0_x_base;
            const int64_t t18 = (int64_t)across_0_s0_part * turned_stride_1;
            const float t19 = turned_1[t17 + t18 - (int64_t)turned_min_0] - turned_1[t17 + turned_stride_1 * 8 + t18 - (int64_t)turned_min_0];
            const float t20 = -0.0f - (turned_0[t17 + turned_stride_1 * 4 + t18 - (int64_t)turned_min_0] - turned_0[t17 + turned_stride_1 * 12 + t18 - (int64_t)turned_min_0]);
            down_1_1[(int64_t)across_0_s0_p_2 * across_0_stride_1 + (int64_t)across_0_s0_xi + across_0_stride_1 + (int64_t)across_0_s0_x_base + (int64_t)across_0_s0_yi * across_0_stride_1 + (int64_t)across_0_s0_part * across_0_stride_1 * 4 - (int64_t)across_0_min_0] = add_int32(across_0_s0_yi, across_0_s0_p_2) == 0 ? t19 + t20 : t19 - t20;
        }
        {
            const int64_t t21 = (int64_t)across_0_s0_xi + (int64_t)across_0_s0_x_base;
            const int64_t t22 = (int64_t)across_0_s0_part * turned_stride_1;
            const float t23 = turned_0[t21 + t22 - (int64_t)turned_min_0];
            const float t24 = turned_0[t21 + turned_stride_1 * 8 + t22 - (int64_t)turned_min_0];
            const int64_t t25 = t21 + turned_stride_1 * 4 + t22 - (int64_t)turned_min_0;
            const int64_t t26 = t21 + turned_stride_1 * 12 + t22 - (int64_t)turned_min_0;
            down_1_0[(int64_t)across_0_s0_p_2 * across_0_stride_1 + (int64_t)across_0_s0_xi + across_0_stride_1 * 2 + (int64_t)across_0_s0_x_base + (int64_t)across_0_s0_yi * across_0_stride_1 + (int64_t)across_0_s0_part * across_0_stride_1 * 4 - (int64_t)across_0_min_0] = add_int32(across_0_s0_yi, across_0_s0_p_2) == 0 ? t23 + t24 - (turned_0[t25] + turned_0[t26]) : t23 - t24 - (turned_1[t25] - turned_1[t26]);
        }
        {
            const int64_t t27 = (int64_t)across_0_s0_xi + (int64_t)across_0_s0_x_base;
            const int64_t t28 = (int64_t)across_0_s0_part * turned_stride_1;
            const float t29 = turned_1[t27 + t28 - (int64_t)turned_min_0];
            const float t30 = turned_1[t27 + turned_stride_1 * 8 + t28 - (int64_t)turned_min_0];
            const int64_t t31 = t27 + turned_stride_1 * 4 + t28 - (int64_t)turned_min_0;
            const int64_t t32 = t27 + turned_stride_1 * 12 + t28 - (int64_t)turned_min_0;
            down_1_1[(int64_t)across_0_s0_p_2 * across_0_stride_1 + (int64_t)across_0_s0_xi + across_0_stride_1 * 2 + (int64_t)across_0_s0_x_base + (int64_t)across_0_s0_yi * across_0_stride_1 + (int64_t)across_0_s0_part * across_0_stride_1 * 4 - (int64_t)across_0_min_0] = add_int32(across_0_s0_yi, across_0_s0_p_2) == 0 ? t29 + t30 - (turned_1[t31] + turned_1[t32]) : t29 - t30 - (-0.0f - (turned_0[t31] - turned_0[t32]));
        }
        {
            const int64_t t33 = (int64_t)across_0_s0_xi + (int64_t)across_0_s0_x_base;
            const int64_t t34 = (int64_t)across_0_s0_part * turned_stride_1;
            down_1_0[(int64_t)across_0_s0_p_2 * across_0_stride_1 + (int64_t)across_0_s0_xi + across_0_stride_1 * 3 + (int64_t)across_0_s0_x_base + (int64_t)across_0_s0_yi * across_0_stride_1 + (int64_t)across_0_s0_part * across_0_stride_1 * 4 - (int64_t)across_0_min_0] = turned_0[t33 + t34 - (int64_t)turned_min_0] - turned_0[t33 + turned_stride_1 * 8 + t34 - (int64_t)turned_min_0] - (turned_1[t33 + turned_stride_1 * 4 + t34 - (int64_t)turned_min_0] - turned_1[t33 + turned_stride_1 * 12 + t34 - (int64_t)turned_min_0]);
        }
        {
            const int64_t t35 = (int64_t)across_0_s0_xi + (int64_t)across_0_s0_x_base;
            const int64_t t36 = (int64_t)across_0_s0_part * turned_stride_1;
            down_1_1[(int64_t)across_0_s0_p_2 * across_0_stride_1 + (int64_t)across_0_s0_xi + across_0_stride_1 * 3 + (int64_t)across_0_s0_x_base + (int64_t)across_0_s0_yi * across_0_stride_1 + (int64_t)across_0_s0_part * across_0_stride_1 * 4 - (int64_t)across_0_min_0] = turned_1[t35 + t36 - (int64_t)turned_min_0] - turned_1[t35 + turned_stride_1 * 8 + t36 - (int64_t)turned_min_0] - (-0.0f - (turned_0[t35 + turned_stride_1 * 4 + t36 - (int64_t)turned_min_0] - turned_0[t35 + turned_stride_1 * 12 + t36 - (int64_t)turned_min_0]));
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 4, 1)))
void across_1_s0_x(const int32_t across_0_min_0, const int64_t across_0_stride_1, const int32_t across_1_min_0, const int32_t across_1_min_1, const int64_t across_1_stride_1, const int64_t across_1_stride_2, const int32_t b1_min_0, const int32_t b1_min_1, const int32_t b1_min_2, const int32_t b1_stride_1, const int32_t b1_stride_2, const int32_t fft_extent_2, const int32_t fft_min_2, __global const float *restrict b1, __global const float *restrict down_1_0, __global const float *restrict down_1_1, __global float *restrict turned_0, __global float *restrict turned_1) {
    const int32_t across_1_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t across_1_s0_p_2 = (int32_t)get_group_id(1);
    const int32_t across_1_s0_part = (int32_t)get_group_id(2);
    const int32_t across_1_s0_x_base = min_int32(fft_min_2 + across_1_s0_x_1 * 32, fft_min_2 + fft_extent_2 - 32);
    {
        const int32_t across_1_s0_yi = (int32_t)get_local_id(1);
        const int32_t across_1_s0_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)across_1_s0_yi * across_0_stride_1;
            const int64_t t2 = (int64_t)across_1_s0_part * across_0_stride_1 * 4;
            const int64_t t3 = (int64_t)across_1_s0_xi + (int64_t)across_1_s0_x_base + t1 + t2 - (int64_t)across_0_min_0;
            const int32_t t4 = across_1_s0_yi * b1_stride_2;
            const int32_t t5 = b1_min_1 * b1_stride_1;
            const int32_t t6 = b1_min_2 * b1_stride_2;
            const int32_t t7 = t4 - t5 - t6 - b1_min_0;
            const float t8 = down_1_0[t3] * b1[t7] - down_1_1[t3] * b1[t7 + 1];
            const int64_t t9 = (int64_t)across_1_s0_xi + across_0_stride_1 * 8 + (int64_t)across_1_s0_x_base + t1 + t2 - (int64_t)across_0_min_0;
            const int32_t t10 = t4 + b1_stride_1 * 2 - t5 - t6 - b1_min_0;
            const float t11 = down_1_0[t9] * b1[t10] - down_1_1[t9] * b1[t10 + 1];
            const int64_t t12 = (int64_t)across_1_s0_xi + across_0_stride_1 * 4 + (int64_t)across_1_s0_x_base + t1 + t2 - (int64_t)across_0_min_0;
            const float t13 = down_1_0[t12];
            const int32_t t14 = t4 + b1_stride_1 - t5 - t6 - b1_min_0;
            const float t15 = b1[t14];
            const float t16 = down_1_1[t12];
            const float t17 = b1[t14 + 1];
            const int64_t t18 = (int64_t)across_1_s0_xi + across_0_stride_1 * 12 + (int64_t)across_1_s0_x_base + t1 + t2 - (int64_t)across_0_min_0;
            const float t19 = down_1_0[t18];
            const int32_t t20 = t4 + b1_stride_1 * 3 - t5 - t6 - b1_min_0;
            const float t21 = b1[t20];
            const float t22 = down_1_1[t18];
            const float t23 = b1[t20 + 1];
            turned_0[(int64_t)across_1_s0_p_2 * across_1_stride_1 * 4 + (int64_t)across_1_s0_xi + (int64_t)across_1_s0_x_base + (int64_t)across_1_s0_yi * across_1_stride_1 + (int64_t)across_1_s0_part * across_1_stride_2 - (int64_t)across_1_min_1 * across_1_stride_1 - (int64_t)across_1_min_0] = across_1_s0_p_2 == 0 ? t8 + t11 + (t13 * t15 - t16 * t17 + (t19 * t21 - t22 * t23)) : t8 - t11 - (t13 * t17 + t16 * t15 - (t19 * t23 + t22 * t21));
        }
        {
            const int64_t t24 = (int64_t)across_1_s0_yi * across_0_stride_1;
            const int64_t t25 = (int64_t)across_1_s0_part * across_0_stride_1 * 4;
            const int64_t t26 = (int64_t)across_1_s0_xi + (int64_t)across_1_s0_x_base + t24 + t25 - (int64_t)across_0_min_0;
            const int32_t t27 = across_1_s0_yi * b1_stride_2;
            const int32_t t28 = b1_min_1 * b1_stride_1;
            const int32_t t29 = b1_min_2 * b1_stride_2;
            const int32_t t30 = t27 - t28 - t29 - b1_min_0;
            const float t31 = down_1_0[t26] * b1[t30 + 1] + down_1_1[t26] * b1[t30];
            const int64_t t32 = (int64_t)across_1_s0_xi + across_0_stride_1 * 8 + (int64_t)across_1_s0_x_base + t24 + t25 - (int64_t)across_0_min_0;
            const int32_t t33 = t27 + b1_stride_1 * 2 - t28 - t29 - b1_min_0;
            const float t34 = down_1_0[t32] * b1[t33 + 1] + down_1_1[t32] * b1[t33];
            const int64_t t35 = (int64_t)across_1_s0_xi + across_0_stride_1 * 4 + (int64_t)across_1_s0_x_base + t24 + t25 - (int64_t)across_0_min_0;
            const float t36 = down_1_0[t35];
            const int32_t t37 = t27 + b1_stride_1 - t28 - t29 - b1_min_0;
            const float t38 = b1[t37 + 1];
            const float t39 = down_1_1[t35];
            const float t40 = b1[t37];
            const int64_t t41 = (int64_t)across_1_s0_xi + across_0_stride_1 * 12 + (int64_t)across_1_s0_x_base + t24 + t25 - (int64_t)across_0_min_0;
            const float t42 = down_1_0[t41];
            const int32_t t43 = t27 + b1_stride_1 * 3 - t28 - t29 - b1_min_0;
            const float t44 = b1[t43 + 1];
            const float t45 = down_1_1[t41];
            const float t46 = b1[t43];
            turned_1[(int64_t)across_1_s0_p_2 * across_1_stride_1 * 4 + (int64_t)across_1_s0_xi + (int64_t)across_1_s0_x_base + (int64_t)across_1_s0_yi * across_1_stride_1 + (int64_t)across_1_s0_part * across_1_stride_2 - (int64_t)across_1_min_1 * across_1_stride_1 - (int64_t)across_1_min_0] = across_1_s0_p_2 == 0 ? t31 + t34 + (t36 * t38 + t39 * t40 + (t42 * t44 + t45 * t46)) : t31 - t34 - (-0.0f - (t36 * t40 - t39 * t38 - (t42 * t46 - t45 * t44)));
        }
        {
            const int64_t t47 = (int64_t)across_1_s0_yi * across_0_stride_1;
            const int64_t t48 = (int64_t)across_1_s0_part * across_0_stride_1 * 4;
            const int64_t t49 = (int64_t)across_1_s0_xi + (int64_t)across_1_s0_x_base + t47 + t48 - (int64_t)across_0_min_0;
            const int32_t t50 = across_1_s0_yi * b1_stride_2;
            const int32_t t51 = b1_min_1 * b1_stride_1;
            const int32_t t52 = b1_min_2 * b1_stride_2;
            const int32_t t53 = t50 - t51 - t52 - b1_min_0;
            const int64_t t54 = (int64_t)across_1_s0_xi + across_0_stride_1 * 8 + (int64_t)across_1_s0_x_base + t47 + t48 - (int64_t)across_0_min_0;
            const int32_t t55 = t50 + b1_stride_1 * 2 - t51 - t52 - b1_min_0;
            const float t56 = down_1_0[t49] * b1[t53] - down_1_1[t49] * b1[t53 + 1] - (down_1_0[t54] * b1[t55] - down_1_1[t54] * b1[t55 + 1]);
            const int64_t t57 = (int64_t)across_1_s0_xi + across_0_stride_1 * 4 + (int64_t)across_1_s0_x_base + t47 + t48 - (int64_t)across_0_min_0;
            const int32_t t58 = t50 + b1_stride_1 - t51 - t52 - b1_min_0;
            const int64_t t59 = (int64_t)across_1_s0_xi + across_0_stride_1 * 12 + (int64_t)across_1_s0_x_base + t47 + t48 - (int64_t)across_0_min_0;
            const int32_t t60 = t50 + b1_stride_1 * 3 - t51 - t52 - b1_min_0;
            const float t61 = down_1_0[t57] * b1[t58 + 1] + down_1_1[t57] * b1[t58] - (down_1_0[t59] * b1[t60 + 1] + down_1_1[t59] * b1[t60]);
            turned_0[(int64_t)across_1_s0_p_2 * across_1_stride_1 * 4 + (int64_t)across_1_s0_xi + across_1_stride_1 * 4 + (int64_t)across_1_s0_x_base + (int64_t)across_1_s0_yi * across_1_stride_1 + (int64_t)across_1_s0_part * across_1_stride_2 - (int64_t)across_1_min_1 * across_1_stride_1 - (int64_t)across_1_min_0] = across_1_s0_p_2 == 0 ? t56 + t61 : t56 - t61;
        }
        {
            const int64_t t62 = (int64_t)across_1_s0_yi * across_0_stride_1;
            const int64_t t63 = (int64_t)across_1_s0_part * across_0_stride_1 * 4;
            const int64_t t64 = (int64_t)across_1_s0_xi + (int64_t)across_1_s0_x_base + t62 + t63 - (int64_t)across_0_min_0;
            const int32_t t65 = across_1_s0_yi * b1_stride_2;
            const int32_t t66 = b1_min_1 * b1_stride_1;
            const int32_t t67 = b1_min_2 * b1_stride_2;
            const int32_t t68 = t65 - t66 - t67 - b1_min_0;
            const int64_t t69 = (int64_t)across_1_s0_xi + across_0_stride_1 * 8 + (int64_t)across_1_s0_x_base + t62 + t63 - (int64_t)across_0_min_0;
            const int32_t t70 = t65 + b1_stride_1 * 2 - t66 - t67 - b1_min_0;
            const float t71 = down_1_0[t64] * b1[t68 + 1] + down_1_1[t64] * b1[t68] - (down_1_0[t69] * b1[t70 + 1] + down_1_1[t69] * b1[t70]);
            const int64_t t72 = (int64_t)across_1_s0_xi + across_0_stride_1 * 4 + (int64_t)across_1_s0_x_base + t62 + t63 - (int64_t)across_0_min_0;
            const int32_t t73 = t65 + b1_stride_1 - t66 - t67 - b1_min_0;
            const int64_t t74 = (int64_t)across_1_s0_xi + across_0_stride_1 * 12 + (int64_t)across_1_s0_x_base + t62 + t63 - (int64_t)across_0_min_0;
            const int32_t t75 = t65 + b1_stride_1 * 3 - t66 - t67 - b1_min_0;
            const float t76 = -0.0f - (down_1_0[t72] * b1[t73] - down_1_1[t72] * b1[t73 + 1] - (down_1_0[t74] * b1[t75] - down_1_1[t74] * b1[t75 + 1]));
            turned_1[(int64_t)across_1_s0_p_2 * across_1_stride_1 * 4 + (int64_t)across_1_s0_xi + across_1_stride_1 * 4 + (int64_t)across_1_s0_x_base + (int64_t)across_1_s0_yi * across_1_stride_1 + (int64_t)across_1_s0_part * across_1_stride_2 - (int64_t)across_1_min_1 * across_1_stride_1 - (int64_t)across_1_min_0] = across_1_s0_p_2 == 0 ? t71 + t76 : t71 - t76;
        }
        {
            const int64_t t77 = (int64_t)across_1_s0_yi * across_0_stride_1;
            const int64_t t78 = (int64_t)across_1_s0_part * across_0_stride_1 * 4;
            const int64_t t79 = (int64_t)across_1_s0_xi + (int64_t)across_1_s0_x_base + t77 + t78 - (int64_t)across_0_min_0;
            const int32_t t80 = across_1_s0_yi * b1_stride_2;
            const int32_t t81 = b1_min_1 * b1_stride_1;
            const int32_t t82 = b1_min_2 * b1_stride_2;
            const int32_t t83 = t80 - t81 - t82 - b1_min_0;
            const float t84 = down_1_0[t79] * b1[t83] - down_1_1[t79] * b1[t83 + 1];
            const int64_t t85 = (int64_t)across_1_s0_xi + across_0_stride_1 * 8 + (int64_t)across_1_s0_x_base + t77 + t78 - (int64_t)across_0_min_0;
            const int32_t t86 = t80 + b1_stride_1 * 2 - t81 - t82 - b1_min_0;
            const float t87 = down_1_0[t85] * b1[t86] - down_1_1[t85] * b1[t86 + 1];
            const int64_t t88 = (int64_t)across_1_s0_xi + across_0_stride_1 * 4 + (int64_t)across_1_s0_x_base + t77 + t78 - (int64_t)across_0_min_0;
            const float t89 = down_1_0[t88];
            const int32_t t90 = t80 + b1_stride_1 - t81 - t82 - b1_min_0;
            const float t91 = b1[t90];
            const float t92 = down_1_1[t88];
            const float t93 = b1[t90 + 1];
            const int64_t t94 = (int64_t)across_1_s0_xi + across_0_stride_1 * 12 + (int64_t)across_1_s0_x_base + t77 + t78 - (int64_t)across_0_min_0;
            const float t95 = down_1_0[t94];
            const int32_t t96 = t80 + b1_stride_1 * 3 - t81 - t82 - b1_min_0;
            const float t97 = b1[t96];
            const float t98 = down_1_1[t94];
            const float t99 = b1[t96 + 1];
            turned_0[(int64_t)across_1_s0_p_2 * across_1_stride_1 * 4 + (int64_t)across_1_s0_xi + across_1_stride_1 * 8 + (int64_t)across_1_s0_x_base + (int64_t)across_1_s0_yi * across_1_stride_1 + (int64_t)across_1_s0_part * across_1_stride_2 - (int64_t)across_1_min_1 * across_1_stride_1 - (int64_t)across_1_min_0] = across_1_s0_p_2 == 0 ? t84 + t87 - (t89 * t91 - t92 * t93 + (t95 * t97 - t98 * t99)) : t84 - t87 - (t89 * t93 + t92 * t91 - (t95 * t99 + t98 * t97));
        }
        {
            const int64_t t100 = (int64_t)across_1_s0_yi * across_0_stride_1;
            const int64_t t101 = (int64_t)across_1_s0_part * across_0_stride_1 * 4;
            const int64_t t102 = (int64_t)across_1_s0_xi + (int64_t)across_1_s0_x_base + t100 + t101 - (int64_t)across_0_min_0;
            const int32_t t103 = across_1_s0_yi * b1_stride_2;
            const int32_t t104 = b1_min_1 * b1_stride_1;
            const int32_t t105 = b1_min_2 * b1_stride_2;
            const int32_t t106 = t103 - t104 - t105 - b1_min_0;
            const float t107 = down_1_0[t102] * b1[t106 + 1] + down_1_1[t102] * b1[t106];
            const int64_t t108 = (int64_t)across_1_s0_xi + across_0_stride_1 * 8 + (int64_t)across_1_s0_x_base + t100 + t101 - (int64_t)across_0_min_0;
            const int32_t t109 = t103 + b1_stride_1 * 2 - t104 - t105 - b1_min_0;
            const float t110 = down_1_0[t108] * b1[t109 + 1] + down_1_1[t108] * b1[t109];
            const int64_t t111 = (int64_t)across_1_s0_xi + across_0_stride_1 * 4 + (int64_t)across_1_s0_x_base + t100 + t101 - (int64_t)across_0_min_0;
            const float t112 = down_1_0[t111];
            const int32_t t113 = t103 + b1_stride_1 - t104 - t105 - b1_min_0;
            const float t114 = b1[t113 + 1];
            const float t115 = down_1_1[t111];
            const float t116 = b1[t113];
            const int64_t t117 = (int64_t)across_1_s0_xi + across_0_stride_1 * 12 + (int64_t)across_1_s0_x_base + t100 + t101 - (int64_t)across_0_min_0;
            const float t118 = down_1_0[t117];
            const int32_t t119 = t103 + b1_stride_1 * 3 - t104 - t105 - b1_min_0;
            const float t120 = b1[t119 + 1];
            const float t121 = down_1_1[t117];
            const float t122 = b1[t119];
            turned_1[(int64_t)across_1_s0_p_2 * across_1_stride_1 * 4 + (int64_t)across_1_s0_xi + across_1_stride_1 * 8 + (int64_t)across_1_s0_x_base + (int64_t)across_1_s0_yi * across_1_stride_1 + (int64_t)across_1_s0_part * across_1_stride_2 - (int64_t)across_1_min_1 * across_1_stride_1 - (int64_t)across_1_min_0] = across_1_s0_p_2 == 0 ? t107 + t110 - (t112 * t114 + t115 * t116 + (t118 * t120 + t121 * t122)) : t107 - t110 - (-0.0f - (t112 * t116 - t115 * t114 - (t118 * t122 - t121 * t120)));
        }
        {
            const int64_t t123 = (int64_t)across_1_s0_yi * across_0_stride_1;
            const int64_t t124 = (int64_t)across_1_s0_part * across_0_stride_1 * 4;
            const int64_t t125 = (int64_t)across_1_s0_xi + (int64_t)across_1_s0_x_base + t123 + t124 - (int64_t)across_0_min_0;
            const int32_t t126 = across_1_s0_yi * b1_stride_2;
            const int32_t t127 = b1_min_1 * b1_stride_1;
            const int32_t t128 = b1_min_2 * b1_stride_2;
            const int32_t t129 = t126 - t127 - t128 - b1_min_0;
            const int64_t t130 = (int64_t)across_1_s0_xi + across_0_stride_1 * 8 + (int64_t)across_1_s0_x_base + t123 + t124 - (int64_t)across_0_min_0;
            const int32_t t131 = t126 + b1_stride_1 * 2 - t127 - t128 - b1_min_0;
            const int64_t t132 = (int64_t)across_1_s0_xi + across_0_stride_1 * 4 + (int64_t)across_1_s0_x_base + t123 + t124 - (int64_t)across_0_min_0;
            const int32_t t133 = t126 + b1_stride_1 - t127 - t128 - b1_min_0;
            const int64_t t134 = (int64_t)across_1_s0_xi + across_0_stride_1 * 12 + (int64_t)across_1_s0_x_base + t123 + t124 - (int64_t)across_0_min_0;
            const int32_t t135 = t126 + b1_stride_1 * 3 - t127 - t128 - b1_min_0;
            turned_0[(int64_t)across_1_s0_p_2 * across_1_stride_1 * 4 + (int64_t)across_1_s0_xi + across_1_stride_1 * 12 + (int64_t)across_1_s0_x_base + (int64_t)across_1_s0_yi * across_1_stride_1 + (int64_t)across_1_s0_part * across_1_stride_2 - (int64_t)across_1_min_1 * across_1_stride_1 - (int64_t)across_1_min_0] = down_1_0[t125] * b1[t129] - down_1_1[t125] * b1[t129 + 1] - (down_1_0[t130] * b1[t131] - down_1_1[t130] * b1[t131 + 1]) - (down_1_0[t132] * b1[t133 + 1] + down_1_1[t132] * b1[t133] - (down_1_0[t134] * b1[t135 + 1] + down_1_1[t134] * b1[t135]));
        }
        {
            const int64_t t136 = (int64_t)across_1_s0_yi * across_0_stride_1;
            const int64_t t137 = (int64_t)across_1_s0_part * across_0_stride_1 * 4;
            const int64_t t138 = (int64_t)across_1_s0_xi + (int64_t)across_1_s0_x_base + t136 + t137 - (int64_t)across_0_min_0;
            const int32_t t139 = across_1_s0_yi * b1_stride_2;
            const int32_t t140 = b1_min_1 * b1_stride_1;
            const int32_t t141 = b1_min_2 * b1_stride_2;
            const int32_t t142 = t139 - t140 - t141 - b1_min_0;
            const int64_t t143 = (int64_t)across_1_s0_xi + across_0_stride_1 * 8 + (int64_t)across_1_s0_x_base + t136 + t137 - (int64_t)across_0_min_0;
            const int32_t t144 = t139 + b1_stride_1 * 2 - t140 - t141 - b1_min_0;
            const int64_t t145 = (int64_t)across_1_s0_xi + across_0_stride_1 * 4 + (int64_t)across_1_s0_x_base + t136 + t137 - (int64_t)across_0_min_0;
            const int32_t t146 = t139 + b1_stride_1 - t140 - t141 - b1_min_0;
            const int64_t t147 = (int64_t)across_1_s0_xi + across_0_stride_1 * 12 + (int64_t)across_1_s0_x_base + t136 + t137 - (int64_t)across_0_min_0;
            const int32_t t148 = t139 + b1_stride_1 * 3 - t140 - t141 - b1_min_0;
            turned_1[(int64_t)across_1_s0_p_2 * across_1_stride_1 * 4 + (int64_t)across_1_s0_xi + across_1_stride_1 * 12 + (int64_t)across_1_s0_x_base + (int64_t)across_1_s0_yi * across_1_stride_1 + (int64_t)across_1_s0_part * across_1_stride_2 - (int64_t)across_1_min_1 * across_1_stride_1 - (int64_t)across_1_min_0] = down_1_0[t138] * b1[t142 + 1] + down_1_1[t138] * b1[t142] - (down_1_0[t143] * b1[t144 + 1] + down_1_1[t143] * b1[t144]) - (-0.0f - (down_1_0[t145] * b1[t146] - down_1_1[t145] * b1[t146 + 1] - (down_1_0[t147] * b1[t148] - down_1_1[t147] * b1[t148 + 1])));
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void fft_s0_x(const int32_t across_1_min_0, const int32_t across_1_min_1, const int64_t across_1_stride_1, const int32_t fft_extent_1, const int32_t fft_extent_2, const int32_t fft_min_0, const int32_t fft_min_1, const int32_t fft_min_2, const int32_t fft_stride_1, const int32_t fft_stride_2, __global float *restrict fft, __global const float *restrict turned_0, __global const float *restrict turned_1) {
    const int32_t fft_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t fft_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t fft_s0_y_base = min_int32(fft_min_2 + fft_extent_2 - 8, fft_min_2 + fft_s0_y_1 * 8);
    const int32_t fft_s0_x_base = min_int32(fft_min_1 + fft_s0_x_1 * 32, fft_min_1 + fft_extent_1 - 32);
    {
        const int32_t fft_s0_yi = (int32_t)get_local_id(1);
        const int32_t fft_s0_xi = (int32_t)get_local_id(0);
        fft[fft_s0_x_base * fft_stride_1 + fft_s0_yi * fft_stride_2 + fft_s0_y_base * fft_stride_2 + fft_s0_xi * fft_stride_1 - fft_min_1 * fft_stride_1 - fft_min_2 * fft_stride_2 - fft_min_0] = turned_0[(int64_t)fft_s0_x_base * across_1_stride_1 + (int64_t)fft_s0_yi + (int64_t)fft_s0_y_base + (int64_t)fft_s0_xi * across_1_stride_1 - (int64_t)across_1_min_1 * across_1_stride_1 - (int64_t)across_1_min_0];
        fft[fft_s0_x_base * fft_stride_1 + fft_s0_yi * fft_stride_2 + fft_s0_y_base * fft_stride_2 + fft_s0_xi * fft_stride_1 - fft_min_1 * fft_stride_1 - fft_min_2 * fft_stride_2 - fft_min_0 + 1] = turned_1[(int64_t)fft_s0_x_base * across_1_stride_1 + (int64_t)fft_s0_yi + (int64_t)fft_s0_y_base + (int64_t)fft_s0_xi * across_1_stride_1 - (int64_t)across_1_min_1 * across_1_stride_1 - (int64_t)across_1_min_0];
    }
}
