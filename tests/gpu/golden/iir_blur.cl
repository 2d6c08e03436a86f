typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;

static inline int32_t sub_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }
static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void blurred_first_s1_x(const int32_t blurred_first_min_0, const int32_t blurred_first_min_1, const int64_t blurred_first_stride_1, const int64_t blurred_first_stride_2, const int32_t second_min_2, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global float *restrict blurred_first, __global const float *restrict source) {
    const int32_t blurred_first_s1_x_1 = (int32_t)get_group_id(0);
    const int32_t blurred_first_s1_c = second_min_2 + (int32_t)get_group_id(1);
    {
        const int32_t blurred_first_s1_xi = (int32_t)get_local_id(0);
        blurred_first[(int64_t)blurred_first_s1_c * blurred_first_stride_2 + (int64_t)blurred_first_s1_xi + (int64_t)blurred_first_s1_x_1 * 64 - (int64_t)blurred_first_min_1 * blurred_first_stride_1 - (int64_t)blurred_first_min_0 - (int64_t)second_min_2 * blurred_first_stride_2] = source[blurred_first_s1_xi + blurred_first_s1_x_1 * 64 + blurred_first_s1_c * source_stride_2 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2];
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void blurred_first_s2_x(const int32_t blurred_first_min_0, const int32_t blurred_first_min_1, const int64_t blurred_first_stride_1, const int64_t blurred_first_stride_2, const int32_t second_min_2, const float share, const int32_t source_extent_1, const int32_t source_min_0, const int32_t source_min_1, const int32_t source_min_2, const int32_t source_stride_1, const int32_t source_stride_2, __global float *restrict blurred_first, __global const float *restrict source) {
    const int32_t blurred_first_s2_x_1 = (int32_t)get_group_id(0);
    const int32_t blurred_first_s2_c = second_min_2 + (int32_t)get_group_id(1);
    {
        const int32_t blurred_first_s2_xi = (int32_t)get_local_id(0);
        if (0 < sub_int32(source_extent_1, 1)) {
            float blurred_first_carried_blurred_first_s2_down_first_x[2];
            blurred_first_carried_blurred_first_s2_down_first_x[1] = blurred_first[(int64_t)blurred_first_s2_c * blurred_first_stride_2 + (int64_t)blurred_first_s2_xi + (int64_t)blurred_first_s2_x_1 * 64 - (int64_t)blurred_first_min_1 * blurred_first_stride_1 - (int64_t)blurred_first_min_0 - (int64_t)second_min_2 * blurred_first_stride_2];
            for (int32_t blurred_first_s2_down_first_x = 1, blurred_first_s2_down_first_x_end1 = blurred_first_s2_down_first_x + source_extent_1 - 1; blurred_first_s2_down_first_x < blurred_first_s2_down_first_x_end1; blurred_first_s2_down_first_x++) {
                blurred_first_carried_blurred_first_s2_down_first_x[0] = (1.0f - share) * blurred_first_carried_blurred_first_s2_down_first_x[1] + share * source[blurred_first_s2_xi + blurred_first_s2_x_1 * 64 + blurred_first_s2_c * source_stride_2 + blurred_first_s2_down_first_x * source_stride_1 - source_min_0 - source_min_1 * source_stride_1 - source_min_2 * source_stride_2];
                blurred_first[(int64_t)blurred_first_s2_c * blurred_first_stride_2 + (int64_t)blurred_first_s2_xi + (int64_t)blurred_first_s2_down_first_x * blurred_first_stride_1 + (int64_t)blurred_first_s2_x_1 * 64 - (int64_t)blurred_first_min_1 * blurred_first_stride_1 - (int64_t)blurred_first_min_0 - (int64_t)second_min_2 * blurred_first_stride_2] = blurred_first_carried_blurred_first_s2_down_first_x[0];
                blurred_first_carried_blurred_first_s2_down_first_x[1] = blurred_first_carried_blurred_first_s2_down_first_x[0];
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void blurred_first_s3_x(const int32_t blurred_first_min_0, const int32_t blurred_first_min_1, const int64_t blurred_first_stride_1, const int64_t blurred_first_stride_2, const int32_t second_min_2, const float share, const int32_t source_extent_1, __global float *restrict blurred_first) {
    const int32_t blurred_first_s3_x_1 = (int32_t)get_group_id(0);
    const int32_t blurred_first_s3_c = second_min_2 + (int32_t)get_group_id(1);
    {
        const int32_t blurred_first_s3_xi = (int32_t)get_local_id(0);
        if (0 < sub_int32(source_extent_1, 1)) {
            float blurred_first_carried_blurred_first_s3_up_first_x[2];
            blurred_first_carried_blurred_first_s3_up_first_x[1] = blurred_first[(int64_t)blurred_first_s3_c * blurred_first_stride_2 + (int64_t)blurred_first_s3_xi + (int64_t)source_extent_1 * blurred_first_stride_1 + (int64_t)blurred_first_s3_x_1 * 64 - blurred_first_stride_1 - (int64_t)blurred_first_min_1 * blurred_first_stride_1 - (int64_t)blurred_first_min_0 - (int64_t)second_min_2 * blurred_first_stride_2];
            for (int32_t blurred_first_s3_up_first_x = 1, blurred_first_s3_up_first_x_end1 = blurred_first_s3_up_first_x + source_extent_1 - 1; blurred_first_s3_up_first_x < blurred_first_s3_up_first_x_end1; blurred_first_s3_up_first_x++) {
                blurred_first_carried_blurred_first_s3_up_first_x[0] = (1.0f - share) * blurred_first_carried_blurred_first_s3_up_first_x[1] + share * blurred_first[(int64_t)blurred_first_s3_c * blurred_first_stride_2 + (int64_t)blurred_first_s3_xi + (int64_t)source_extent_1 * blurred_first_stride_1 + (int64_t)blurred_first_s3_x_1 * 64 - blurred_first_stride_1 - (int64_t)blurred_first_s3_up_first_x * blurred_first_stride_1 - (int64_t)blurred_first_min_1 * blurred_first_stride_1 - (int64_t)blurred_first_min_0 - (int64_t)second_min_2 * blurred_first_stride_2];
                blurred_first[(int64_t)blurred_first_s3_c * blurred_first_stride_2 + (int64_t)blurred_first_s3_xi + (int64_t)source_extent_1 * blurred_first_stride_1 + (int64_t)blurred_first_s3_x_1 * 64 - blurred_first_stride_1 - (int64_t)blurred_first_s3_up_first_x * blurred_first_stride_1 - (int64_t)blurred_first_min_1 * blurred_first_stride_1 - (int64_t)blurred_first_min_0 - (int64_t)second_min_2 * blurred_first_stride_2] = blurred_first_carried_blurred_first_s3_up_first_x[0];
                blurred_first_carried_blurred_first_s3_up_first_x[1] = blurred_first_carried_blurred_first_s3_up_first_x[0];
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 16, 1)))
void first_s0_x(const int32_t blurred_first_min_0, const int32_t blurred_first_min_1, const int64_t blurred_first_stride_1, const int64_t blurred_first_stride_2, const int32_t first_min_0, const int32_t first_min_1, const int32_t first_s0_y_max, const int64_t first_stride_1, const int64_t first_stride_2, const int32_t second_extent_1, const int32_t second_min_1, const int32_t second_min_2, __global const float *restrict blurred_first, __global float *restrict first) {
    __local float blurred_first_in_first[1024];
    const int32_t first_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t first_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t first_s0_c = second_min_2 + (int32_t)get_group_id(2);
    const int32_t first_s0_y_base = min_int32(first_s0_y_1 * 16, first_s0_y_max - 15);
    const int32_t first_s0_x_base = min_int32(second_extent_1 + second_min_1 - 32, first_s0_x_1 * 32 + second_min_1);
    /* blurred_first_in_first */
    for (int32_t blurred_first_in_first_s0_y_1 = 0; blurred_first_in_first_s0_y_1 < 0 + 2; blurred_first_in_first_s0_y_1++) {
        {
            const int32_t blurred_first_in_first_s0_yi = (int32_t)get_local_id(1);
            const int32_t blurred_first_in_first_s0_xi = (int32_t)get_local_id(0);
            blurred_first_in_first[blurred_first_in_first_s0_xi + blurred_first_in_first_s0_yi * 32 + blurred_first_in_first_s0_y_1 * 512] = blurred_first[(int64_t)blurred_first_in_first_s0_xi + (int64_t)first_s0_x_base * blurred_first_stride_1 + (int64_t)first_s0_c * blurred_first_stride_2 + (int64_t)blurred_first_in_first_s0_yi * blurred_first_stride_1 + (int64_t)first_s0_y_base + (int64_t)blurred_first_in_first_s0_y_1 * blurred_first_stride_1 * 16 - (int64_t)blurred_first_min_1 * blurred_first_stride_1 - (int64_t)blurred_first_min_0 - (int64_t)second_min_2 * blurred_first_stride_2 - 16];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    {
        const int32_t first_s0_yi = (int32_t)get_local_id(1);
        const int32_t first_s0_xi = (int32_t)get_local_id(0);
        first[(int64_t)first_s0_c * first_stride_2 + (int64_t)first_s0_xi + (int64_t)first_s0_x_base + (int64_t)first_s0_yi * first_stride_1 + (int64_t)first_s0_y_base * first_stride_1 - (int64_t)first_min_1 * first_stride_1 - (int64_t)first_min_0 - (int64_t)second_min_2 * first_stride_2] = blurred_first_in_first[first_s0_xi * 32 + first_s0_yi + 16];
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void blurred_second_s1_x(const int32_t blurred_second_min_0, const int32_t blurred_second_min_1, const int64_t blurred_second_stride_1, const int64_t blurred_second_stride_2, const int32_t first_min_0, const int32_t first_min_1, const int64_t first_stride_1, const int64_t first_stride_2, const int32_t second_min_1, const int32_t second_min_2, __global float *restrict blurred_first, __global const float *restrict first) {
    const int32_t blurred_second_s1_x_1 = (int32_t)get_group_id(0);
    const int32_t blurred_second_s1_c = second_min_2 + (int32_t)get_group_id(1);
    {
        const int32_t blurred_second_s1_xi = (int32_t)get_local_id(0);
        {
            const int64_t t1 = (int64_t)blurred_second_s1_x_1 * 64;
            blurred_first[(int64_t)second_min_1 + (int64_t)blurred_second_s1_xi + (int64_t)blurred_second_s1_c * blurred_second_stride_2 + t1 - (int64_t)second_min_2 * blurred_second_stride_2 - (int64_t)blurred_second_min_1 * blurred_second_stride_1 - (int64_t)blurred_second_min_0] = first[(int64_t)blurred_second_s1_c * first_stride_2 + (int64_t)second_min_1 + (int64_t)blurred_second_s1_xi + t1 - (int64_t)first_min_1 * first_stride_1 - (int64_t)first_min_0 - (int64_t)second_min_2 * first_stride_2];
        }
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void blurred_second_s2_x(const int32_t blurred_second_min_0, const int32_t blurred_second_min_1, const int64_t blurred_second_stride_1, const int64_t blurred_second_stride_2, const int32_t first_min_0, const int32_t first_min_1, const int64_t first_stride_1, const int64_t first_stride_2, const int32_t second_min_1, const int32_t second_min_2, const float share, const int32_t source_extent_0, __global float *restrict blurred_first, __global const float *restrict first) {
    const int32_t blurred_second_s2_x_1 = (int32_t)get_group_id(0);
    const int32_t blurred_second_s2_c = second_min_2 + (int32_t)get_group_id(1);
    {
        const int32_t blurred_second_s2_xi = (int32_t)get_local_id(0);
        if (0 < sub_int32(source_extent_0, 1)) {
            float blurred_second_carried_blurred_second_s2_down_second_x[2];
            blurred_second_carried_blurred_second_s2_down_second_x[1] = blurred_first[(int64_t)second_min_1 + (int64_t)blurred_second_s2_xi + (int64_t)blurred_second_s2_c * blurred_second_stride_2 + (int64_t)blurred_second_s2_x_1 * 64 - (int64_t)second_min_2 * blurred_second_stride_2 - (int64_t)blurred_second_min_1 * blurred_second_stride_1 - (int64_t)blurred_second_min_0];
            for (int32_t blurred_second_s2_down_second_x = 1, blurred_second_s2_down_second_x_end1 = blurred_second_s2_down_second_x + source_extent_0 - 1; blurred_second_s2_down_second_x < blurred_second_s2_down_second_x_end1; blurred_second_s2_down_second_x++) {
                blurred_second_carried_blurred_second_s2_down_second_x[0] = (1.0f - share) * blurred_second_carried_blurred_second_s2_down_second_x[1] + share * first[(int64_t)blurred_second_s2_c * first_stride_2 + (int64_t)second_min_1 + (int64_t)blurred_second_s2_xi + (int64_t)blurred_second_s2_x_1 * 64 + (int64_t)blurred_second_s2_down_second_x * first_stride_1 - (int64_t)first_min_1 * first_stride_1 - (int64_t)first_min_0 - (int64_t)second_min_2 * first_stride_2];
                blurred_first[(int64_t)blurred_second_s2_down_second_x * blurred_second_stride_1 + (int64_t)second_min_1 + (int64_t)blurred_second_s2_xi + (int64_t)blurred_second_s2_c * blurred_second_stride_2 + (int64_t)blurred_second_s2_x_1 * 64 - (int64_t)second_min_2 * blurred_second_stride_2 - (int64_t)blurred_second_min_1 * blurred_second_stride_1 - (int64_t)blurred_second_min_0] = blurred_second_carried_blurred_second_s2_down_second_x[0];
                blurred_second_carried_blurred_second_s2_down_second_x[1] = blurred_second_carried_blurred_second_s2_down_second_x[0];
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void blurred_second_s3_x(const int32_t blurred_second_min_0, const int32_t blurred_second_min_1, const int64_t blurred_second_stride_1, const int64_t blurred_second_stride_2, const int32_t second_min_1, const int32_t second_min_2, const float share, const int32_t source_extent_0, __global float *restrict blurred_first) {
    const int32_t blurred_second_s3_x_1 = (int32_t)get_group_id(0);
    const int32_t blurred_second_s3_c = second_min_2 + (int32_t)get_group_id(1);
    {
        const int32_t blurred_second_s3_xi = (int32_t)get_local_id(0);
        if (0 < sub_int32(source_extent_0, 1)) {
            float blurred_second_carried_blurred_second_s3_up_second_x[2];
            blurred_second_carried_blurred_second_s3_up_second_x[1] = blurred_first[(int64_t)source_extent_0 * blurred_second_stride_1 + (int64_t)second_min_1 + (int64_t)blurred_second_s3_xi + (int64_t)blurred_second_s3_c * blurred_second_stride_2 + (int64_t)blurred_second_s3_x_1 * 64 - (int64_t)second_min_2 * blurred_second_stride_2 - blurred_second_stride_1 - (int64_t)blurred_second_min_1 * blurred_second_stride_1 - (int64_t)blurred_second_min_0];
            for (int32_t blurred_second_s3_up_second_x = 1, blurred_second_s3_up_second_x_end1 = blurred_second_s3_up_second_x + source_extent_0 - 1; blurred_second_s3_up_second_x < blurred_second_s3_up_second_x_end1; blurred_second_s3_up_second_x++) {
                blurred_second_carried_blurred_second_s3_up_second_x[0] = (1.0f - share) * blurred_second_carried_blurred_second_s3_up_second_x[1] + share * blurred_first[(int64_t)source_extent_0 * blurred_second_stride_1 + (int64_t)second_min_1 + (int64_t)blurred_second_s3_xi + (int64_t)blurred_second_s3_c * blurred_second_stride_2 + (int64_t)blurred_second_s3_x_1 * 64 - (int64_t)blurred_second_s3_up_second_x * blurred_second_stride_1 - (int64_t)second_min_2 * blurred_second_stride_2 - blurred_second_stride_1 - (int64_t)blurred_second_min_1 * blurred_second_stride_1 - (int64_t)blurred_second_min_0];
                blurred_first[(int64_t)source_extent_0 * blurred_second_stride_1 + (int64_t)second_min_1 + (int64_t)blurred_second_s3_xi + (int64_t)blurred_second_s3_c * blurred_second_stride_2 + (int64_t)blurred_second_s3_x_1 * 64 - (int64_t)blurred_second_s3_up_second_x * blurred_second_stride_1 - (int64_t)second_min_2 * blurred_second_stride_2 - blurred_second_stride_1 - (int64_t)blurred_second_min_1 * blurred_second_stride_1 - (int64_t)blurred_second_min_0] = blurred_second_carried_blurred_second_s3_up_second_x[0];
                blurred_second_carried_blurred_second_s3_up_second_x[1] = blurred_second_carried_blurred_second_s3_up_second_x[0];
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 16, 1)))
void second_s0_x(const int32_t blurred_second_min_0, const int32_t blurred_second_min_1, const int64_t blurred_second_stride_1, const int64_t blurred_second_stride_2, const int32_t second_extent_0, const int32_t second_extent_1, const int32_t second_min_0, const int32_t second_min_1, const int32_t second_min_2, const int32_t second_stride_1, const int32_t second_stride_2, __global const float *restrict blurred_first, __global float *restrict second) {
    __local float blurred_second_in_second[1024];
    const int32_t second_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t second_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t second_s0_c = second_min_2 + (int32_t)get_group_id(2);
    const int32_t second_s0_y_base = min_int32(second_extent_1 + second_min_1 - 16, second_s0_y_1 * 16 + second_min_1);
    const int32_t second_s0_x_base = min_int32(second_s0_x_1 * 32 + second_min_0, second_extent_0 + second_min_0 - 32);
    /* blurred_second_in_second */
    for (int32_t blurred_second_in_second_s0_y_1 = 0; blurred_second_in_second_s0_y_1 < 0 + 2; blurred_second_in_second_s0_y_1++) {
        {
            const int32_t blurred_second_in_second_s0_yi = (int32_t)get_local_id(1);
            const int32_t blurred_second_in_second_s0_xi = (int32_t)get_local_id(0);
            blurred_second_in_second[blurred_second_in_second_s0_xi + blurred_second_in_second_s0_yi * 32 + blurred_second_in_second_s0_y_1 * 512] = blurred_first[(int64_t)blurred_second_in_second_s0_xi + (int64_t)blurred_second_in_second_s0_yi * blurred_second_stride_1 + (int64_t)second_s0_x_base * blurred_second_stride_1 + (int64_t)second_s0_c * blurred_second_stride_2 + (int64_t)second_s0_y_base + (int64_t)blurred_second_in_second_s0_y_1 * blurred_second_stride_1 * 16 - (int64_t)second_min_2 * blurred_second_stride_2 - (int64_t)blurred_second_min_1 * blurred_second_stride_1 - (int64_t)blurred_second_min_0 - 16];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    {
        const int32_t second_s0_yi = (int32_t)get_local_id(1);
        const int32_t second_s0_xi = (int32_t)get_local_id(0);
        second[second_s0_yi * second_stride_1 + second_s0_xi + second_s0_c * second_stride_2 + second_s0_x_base + second_s0_y_base * second_stride_1 - second_min_0 - second_min_1 * second_stride_1 - second_min_2 * second_stride_2] = blurred_second_in_second[second_s0_xi * 32 + second_s0_yi + 16];
    }
}
