typedef int int32_t;
typedef uint uint32_t;

static inline int32_t min_int32(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t sub_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a - (uint32_t)b); }
static inline int32_t mul_int32(int32_t a, int32_t b) { return (int32_t)((uint32_t)a * (uint32_t)b); }

__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void mat_mul_s0_x(const int32_t left_extent_0, const int32_t left_min_0, const int32_t left_min_1, const int32_t left_stride_1, const int32_t mat_mul_extent_0, const int32_t mat_mul_extent_1, const int32_t mat_mul_min_0, const int32_t mat_mul_min_1, const int32_t mat_mul_stride_1, const int32_t right_min_0, const int32_t right_min_1, const int32_t right_stride_1, __global const float *restrict left, __global float *restrict mat_mul, __global const float *restrict right) {
    __local float product[4096];
    __local float left_im_in_product[1024];
    __local float panel[1024];
    const int32_t mat_mul_s0_x_1 = (int32_t)get_group_id(0);
    const int32_t mat_mul_s0_y_1 = (int32_t)get_group_id(1);
    const int32_t mat_mul_s0_y_base = min_int32(mat_mul_min_1 + mat_mul_extent_1 - 64, mat_mul_min_1 + mat_mul_s0_y_1 * 64);
    const int32_t mat_mul_s0_x_base = min_int32(mat_mul_min_0 + mat_mul_s0_x_1 * 64, mat_mul_min_0 + mat_mul_extent_0 - 64);
    /* product */
    {
        const int32_t product_s0_y_1 = (int32_t)get_local_id(1);
        const int32_t product_s0_x_1 = (int32_t)get_local_id(0);
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 1] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 2] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 3] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 64] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 65] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 66] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 67] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 128] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 129] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 130] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 131] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 192] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 193] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 194] = 0.0f;
        product[product_s0_x_1 * 4 + product_s0_y_1 * 256 + 195] = 0.0f;
    }
    for (int32_t product_s1_ko = 0; product_s1_ko < 0 + (int32_t)((left_extent_0 + 15) >> 4); product_s1_ko++) {
        const int32_t left_im_in_product_s0__0_max = min_int32(left_extent_0 - 16, product_s1_ko * 16) + 15;
        const int32_t panel_s0_y_max = min_int32(left_extent_0 - 16, product_s1_ko * 16) + 15;
        const int32_t left_im_in_product_min_0 = min_int32(product_s1_ko * 16, left_im_in_product_s0__0_max - 15);
        const int32_t panel_min_1 = min_int32(panel_s0_y_max - 15, product_s1_ko * 16);
        /* panel */
        for (int32_t panel_s0_y_1 = 0; panel_s0_y_1 < 0 + ((int32_t)(panel_s0_y_max >> 4) - product_s1_ko + 1); panel_s0_y_1++) {
            const int32_t panel_s0_y_base = min_int32(product_s1_ko * 16 + panel_s0_y_1 * 16, panel_s0_y_max - 15);
            for (int32_t panel_s0_x_1 = 0; panel_s0_x_1 < 0 + 4; panel_s0_x_1++) {
                {
                    const int32_t panel_s0_yi = (int32_t)get_local_id(1);
                    const int32_t panel_s0_xi = (int32_t)get_local_id(0);
                    {
                        const int32_t t1 = panel_s0_x_1 * 16;
                        panel[t1 + panel_s0_yi * 64 + panel_s0_xi + panel_s0_y_base * 64 - panel_min_1 * 64] = right[t1 + panel_s0_y_base * right_stride_1 + panel_s0_yi * right_stride_1 + panel_s0_xi + mat_mul_s0_x_base - right_min_0 - right_min_1 * right_stride_1];
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
        }
        /* left_im_in_product */
        for (int32_t left_im_in_product_s0__1_1 = 0; left_im_in_product_s0__1_1 < 0 + 4; left_im_in_product_s0__1_1++) {
            for (int32_t left_im_in_product_s0__0_1 = 0; left_im_in_product_s0__0_1 < 0 + ((int32_t)(left_im_in_product_s0__0_max >> 4) - product_s1_ko + 1); left_im_in_product_s0__0_1++) {
                const int32_t left_im_in_product_s0__0_base = min_int32(left_im_in_product_s0__0_1 * 16 + product_s1_ko * 16, left_im_in_product_s0__0_max - 15);
                {
                    const int32_t left_im_in_product_s0_yi = (int32_t)get_local_id(1);
                    const int32_t left_im_in_product_s0_xi = (int32_t)get_local_id(0);
                    left_im_in_product[left_im_in_product_s0__0_base + left_im_in_product_s0__1_1 * 256 + left_im_in_product_s0_xi + left_im_in_product_s0_yi * 16 - left_im_in_product_min_0] = left[left_im_in_product_s0__0_base + left_im_in_product_s0__1_1 * left_stride_1 * 16 + mat_mul_s0_y_base * left_stride_1 + left_im_in_product_s0_yi * left_stride_1 + left_im_in_product_s0_xi - left_min_0 - left_min_1 * left_stride_1];
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
        }
        {
            const int32_t product_s1_y_1 = (int32_t)get_local_id(1);
            const int32_t product_s1_x_1 = (int32_t)get_local_id(0);
            if (0 < min_int32(sub_int32(left_extent_0, mul_int32(product_s1_ko, 16)), 16)) {
                float product_promoted0_product_s1_ki[1];
                float product_promoted1_product_s1_ki[1];
                float product_promoted2_product_s1_ki[1];
                float product_promoted3_product_s1_ki[1];
                float product_promoted4_product_s1_ki[1];
                float product_promoted5_product_s1_ki[1];
                float product_promoted6_product_s1_ki[1];
                float product_promoted7_product_s1_ki[1];
                float product_promoted8_product_s1_ki[1];
                float product_promoted9_product_s1_ki[1];
                float product_promoted10_product_s1_ki[1];
                float product_promoted11_product_s1_ki[1];
                float product_promoted12_product_s1_ki[1];
                float product_promoted13_product_s1_ki[1];
                float product_promoted14_product_s1_ki[1];
                float product_promoted15_product_s1_ki[1];
                product_promoted0_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 195];
                product_promoted1_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 66];
                product_promoted2_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 130];
                product_promoted3_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256];
                product_promoted4_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 193];
                product_promoted5_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 1];
                product_promoted6_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 194];
                product_promoted7_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 128];
                product_promoted8_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 65];
                product_promoted9_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 129];
                product_promoted10_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 192];
                product_promoted11_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 67];
                product_promoted12_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 2];
                product_promoted13_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 131];
                product_promoted14_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 3];
                product_promoted15_product_s1_ki[0] = product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 64];
                for (int32_t product_s1_ki = 0, product_s1_ki_end1 = product_s1_ki + min_int32(left_extent_0 - product_s1_ko * 16, 16); product_s1_ki < product_s1_ki_end1; product_s1_ki++) {
                    product_promoted3_product_s1_ki[0] = product_promoted3_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64];
                    product_promoted5_product_s1_ki[0] = product_promoted5_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 1];
                    product_promoted12_product_s1_ki[0] = product_promoted12_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 2];
                    product_promoted14_product_s1_ki[0] = product_promoted14_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 3];
                    product_promoted15_product_s1_ki[0] = product_promoted15_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 16] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64];
                    product_promoted8_product_s1_ki[0] = product_promoted8_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 16] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 1];
                    product_promoted1_product_s1_ki[0] = product_promoted1_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 16] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 2];
                    product_promoted11_product_s1_ki[0] = product_promoted11_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 16] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 3];
                    product_promoted7_product_s1_ki[0] = product_promoted7_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 32] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64];
                    product_promoted9_product_s1_ki[0] = product_promoted9_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 32] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 1];
                    product_promoted2_product_s1_ki[0] = product_promoted2_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 32] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 2];
                    product_promoted13_product_s1_ki[0] = product_promoted13_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 32] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 3];
                    product_promoted10_product_s1_ki[0] = product_promoted10_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 48] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64];
                    product_promoted4_product_s1_ki[0] = product_promoted4_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 48] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 1];
                    product_promoted6_product_s1_ki[0] = product_promoted6_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 48] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 2];
                    product_promoted0_product_s1_ki[0] = product_promoted0_product_s1_ki[0] + left_im_in_product[product_s1_ko * 16 + product_s1_ki + product_s1_y_1 * 64 - left_im_in_product_min_0 + 48] * panel[product_s1_ko * 1024 + product_s1_ki * 64 + product_s1_x_1 * 4 - panel_min_1 * 64 + 3];
                }
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 195] = product_promoted0_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 66] = product_promoted1_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 130] = product_promoted2_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256] = product_promoted3_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 193] = product_promoted4_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 1] = product_promoted5_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 194] = product_promoted6_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 128] = product_promoted7_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 65] = product_promoted8_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 129] = product_promoted9_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 192] = product_promoted10_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 67] = product_promoted11_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 2] = product_promoted12_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 131] = product_promoted13_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 3] = product_promoted14_product_s1_ki[0];
                product[product_s1_x_1 * 4 + product_s1_y_1 * 256 + 64] = product_promoted15_product_s1_ki[0];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    {
        const int32_t mat_mul_s0_yi_1 = (int32_t)get_local_id(1);
        const int32_t mat_mul_s0_xi_1 = (int32_t)get_local_id(0);
        {
            const int32_t t2 = mat_mul_s0_xi_1 * 4;
            mat_mul[t2 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1] = product[t2 + mat_mul_s0_yi_1 * 256];
        }
        {
            const int32_t t3 = mat_mul_s0_xi_1 * 4;
            mat_mul[t3 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 1] = product[t3 + mat_mul_s0_yi_1 * 256 + 1];
        }
        {
            const int32_t t4 = mat_mul_s0_xi_1 * 4;
            mat_mul[t4 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 2] = product[t4 + mat_mul_s0_yi_1 * 256 + 2];
        }
        {
            const int32_t t5 = mat_mul_s0_xi_1 * 4;
            mat_mul[t5 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 3] = product[t5 + mat_mul_s0_yi_1 * 256 + 3];
        }
        {
            const int32_t t6 = mat_mul_s0_xi_1 * 4;
            mat_mul[t6 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1] = product[t6 + mat_mul_s0_yi_1 * 256 + 64];
        }
        {
            const int32_t t7 = mat_mul_s0_xi_1 * 4;
            mat_mul[t7 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 1] = product[t7 + mat_mul_s0_yi_1 * 256 + 65];
        }
        {
            const int32_t t8 = mat_mul_s0_xi_1 * 4;
            mat_mul[t8 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 2] = product[t8 + mat_mul_s0_yi_1 * 256 + 66];
        }
        {
            const int32_t t9 = mat_mul_s0_xi_1 * 4;
            mat_mul[t9 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 3] = product[t9 + mat_mul_s0_yi_1 * 256 + 67];
        }
        {
            const int32_t t10 = mat_mul_s0_xi_1 * 4;
            mat_mul[t10 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 * 2 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1] = product[t10 + mat_mul_s0_yi_1 * 256 + 128];
        }
        {
            const int32_t t11 = mat_mul_s0_xi_1 * 4;
            mat_mul[t11 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 * 2 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 1] = product[t11 + mat_mul_s0_yi_1 * 256 + 129];
        }
        {
            const int32_t t12 = mat_mul_s0_xi_1 * 4;
            mat_mul[t12 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 * 2 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 2] = product[t12 + mat_mul_s0_yi_1 * 256 + 130];
        }
        {
            const int32_t t13 = mat_mul_s0_xi_1 * 4;
            mat_mul[t13 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 * 2 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 3] = product[t13 + mat_mul_s0_yi_1 * 256 + 131];
        }
        {
            const int32_t t14 = mat_mul_s0_xi_1 * 4;
            mat_mul[t14 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 * 3 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1] = product[t14 + mat_mul_s0_yi_1 * 256 + 192];
        }
        {
            const int32_t t15 = mat_mul_s0_xi_1 * 4;
            mat_mul[t15 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 * 3 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 1] = product[t15 + mat_mul_s0_yi_1 * 256 + 193];
        }
        {
            const int32_t t16 = mat_mul_s0_xi_1 * 4;
            mat_mul[t16 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 * 3 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 2] = product[t16 + mat_mul_s0_yi_1 * 256 + 194];
        }
        {
            const int32_t t17 = mat_mul_s0_xi_1 * 4;
            mat_mul[t17 + mat_mul_s0_y_base * mat_mul_stride_1 + mat_mul_stride_1 * 3 + mat_mul_s0_yi_1 * mat_mul_stride_1 * 4 + mat_mul_s0_x_base - mat_mul_min_0 - mat_mul_min_1 * mat_mul_stride_1 + 3] = product[t17 + mat_mul_s0_yi_1 * 256 + 195];
        }
    }
}
