/* C functions for extern stages, as users write them: each answers bounds queries (inputs without memory). */
#include <stdint.h>
#include <stddef.h>

typedef struct { int32_t min, extent, stride; uint32_t flags; } dimension_t;
typedef struct {
    uint64_t device;
    void *device_interface;
    uint8_t *host;
    uint64_t flags;
    uint8_t code, bits;
    uint16_t lanes;
    int32_t dimensions;
    dimension_t *dim;
    void *padding;
} buffer_t;

static int32_t *at(buffer_t *b, int x, int y) {
    long place = (long)(x - b->dim[0].min) * b->dim[0].stride;
    if (b->dimensions > 1) place += (long)(y - b->dim[1].min) * b->dim[1].stride;
    return (int32_t *)b->host + place;
}

/* The sum of three neighbours in a row, times k. */
int ef_row_sums(buffer_t *in, int32_t k, buffer_t *out) {
    if (!in->host) {
        in->dim[0].min = out->dim[0].min - 1;
        in->dim[0].extent = out->dim[0].extent + 2;
        in->dim[1].min = out->dim[1].min;
        in->dim[1].extent = out->dim[1].extent;
        return 0;
    }
    if (!out->host) return 0;
    for (int y = out->dim[1].min; y < out->dim[1].min + out->dim[1].extent; y++)
        for (int x = out->dim[0].min; x < out->dim[0].min + out->dim[0].extent; x++)
            *at(out, x, y) = k * (*at(in, x - 1, y) + *at(in, x, y) + *at(in, x + 1, y));
    return 0;
}

/* a + b, and (a - b) * scale as float32; narrow scalars on the way. */
int ef_two(buffer_t *a, buffer_t *b, float scale, int8_t less, _Bool twice, buffer_t *sum, buffer_t *difference) {
    if (!a->host || !b->host) {
        a->dim[0] = sum->dim[0];
        b->dim[0] = sum->dim[0];
        return 0;
    }
    if (!sum->host) return 0;
    for (int x = sum->dim[0].min; x < sum->dim[0].min + sum->dim[0].extent; x++) {
        *at(sum, x, 0) = (*at(a, x, 0) + *at(b, x, 0) + less) * (twice ? 2 : 1);
        *(float *)at(difference, x, 0) = (*at(a, x, 0) - *at(b, x, 0)) * scale;
    }
    return 0;
}

/* v + x; computes whole groups of four only. */
int ef_groups(int32_t v, buffer_t *out) {
    if (!out->host) {
        out->dim[0].extent = (out->dim[0].extent + 3) / 4 * 4;
        return 0;
    }
    for (int x = out->dim[0].min; x < out->dim[0].min + out->dim[0].extent; x++) *at(out, x, 0) = v + x;
    return out->dim[0].extent % 4;
}

/* 100 times the first value of a Tuple plus the second, a byte. */
int ef_of_tuple(buffer_t *first, buffer_t *second, buffer_t *out) {
    if (!first->host) {
        first->dim[0] = second->dim[0] = out->dim[0];
        return 0;
    }
    if (!out->host) return 0;
    for (int x = out->dim[0].min; x < out->dim[0].min + out->dim[0].extent; x++)
        *at(out, x, 0) = *at(first, x, 0) * 100 + second->host[x - second->dim[0].min];
    return 0;
}

int ef_fails(buffer_t *out) { return out->host ? 17 : 0; }
