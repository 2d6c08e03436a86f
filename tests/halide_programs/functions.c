/* C functions of extern stages. Each answers bounds queries: inputs without memory. */
#include <stdint.h>
#include <string.h>

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

static int calls, first_extent[2];

int hp_calls(void) { int n = calls; calls = 0; return n; }
int hp_first_extent(int dimension) { return first_extent[dimension]; }

static int32_t *at(buffer_t *b, int x, int y) {
    long place = (long)(x - b->dim[0].min) * b->dim[0].stride;
    if (b->dimensions > 1) place += (long)(y - b->dim[1].min) * b->dim[1].stride;
    return (int32_t *)b->host + place;
}

static int rows(buffer_t *b) { return b->dimensions > 1 ? b->dim[1].extent : 1; }
static int first_row(buffer_t *b) { return b->dimensions > 1 ? b->dim[1].min : 0; }

#define EACH(b) \
    for (int y = first_row(b); y < first_row(b) + rows(b); y++) \
        for (int x = (b)->dim[0].min; x < (b)->dim[0].min + (b)->dim[0].extent; x++)

static int asks(buffer_t *in, buffer_t *out) {
    if (in->host) return 0;
    for (int d = 0; d < in->dimensions; d++) {
        in->dim[d].min = out->dim[d].min;
        in->dim[d].extent = out->dim[d].extent;
    }
    return 1;
}

/* A copy. */
int hp_copy(buffer_t *in, buffer_t *out) {
    if (asks(in, out) || !out->host) return 0;
    calls++;
    EACH(out) *at(out, x, y) = *at(in, x, y);
    return 0;
}

/* A copy that remembers how much is asked for at once. */
int hp_tile_copy(buffer_t *in, buffer_t *out) {
    if (asks(in, out) || !out->host) return 0;
    calls++;
    for (int d = 0; d < 2; d++) first_extent[d] = out->dim[d].extent;
    EACH(out) *at(out, x, y) = *at(in, x, y) + x;
    return 0;
}

/* The sum of two neighbours below each other. */
int hp_pairs(buffer_t *in, buffer_t *out) {
    if (asks(in, out)) { in->dim[1].extent += 1; return 0; }
    if (!out->host) return 0;
    calls++;
    EACH(out) *at(out, x, y) = *at(in, x, y) + *at(in, x, y + 1);
    return 0;
}

/* in * x, in groups of 17. */
int hp_groups(buffer_t *in, buffer_t *out) {
    if (!out->host) out->dim[0].extent = (out->dim[0].extent + 16) / 17 * 17;
    if (asks(in, out) || !out->host) return 0;
    calls++;
    EACH(out) *at(out, x, y) = *at(in, x, y) * x;
    return out->dim[0].extent % 17;
}

/* A constant, and how often it was asked for. */
int hp_constant(int32_t value, buffer_t *out) {
    if (!out->host) return 0;
    calls++;
    EACH(out) *at(out, x, y) = value;
    return 0;
}

/* The values of a row in order. */
int hp_sort(buffer_t *in, buffer_t *out) {
    if (asks(in, out) || !out->host) return 0;
    int n = out->dim[0].extent, low = out->dim[0].min;
    for (int i = 0; i < n; i++) *at(out, low + i, 0) = *at(in, low + i, 0);
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && *at(out, low + j - 1, 0) > *at(out, low + j, 0); j--) {
            int32_t v = *at(out, low + j, 0);
            *at(out, low + j, 0) = *at(out, low + j - 1, 0);
            *at(out, low + j - 1, 0) = v;
        }
    return 0;
}

/* The sum and the difference of x and a number. */
int hp_two_values(int32_t value, buffer_t *sum, buffer_t *difference) {
    if (!sum->host || !difference->host) return 0;
    calls++;
    EACH(sum) *at(sum, x, y) = x + value;
    EACH(difference) *at(difference, x, y) = x - value;
    return 0;
}

int hp_fails(buffer_t *out) { return out->host ? -1 : 0; }

/* The numbers of all elements, one beneath the other, in the first element; one for each row of the output. */
int hp_consume(buffer_t *in, int32_t count, buffer_t *out) {
    if (!in->host) {
        in->dim[0].min = 0;
        in->dim[0].extent = count;
        return 0;
    }
    if (!out->host) return 0;
    calls++;
    int32_t total = 0;
    EACH(in) total += *at(in, x, y);
    EACH(out) *at(out, x, y) = total + x;
    return 0;
}

static int below(int x, int step) { return (x < 0 ? x - step + 1 : x) / step * step; }

/* 3 x + 1000 y without an input, in columns of tens and in at least 20 rows, whose memory is aligned to 32 elements. */
int hp_generate(buffer_t *out) {
    dimension_t *dim = out->dim;
    if (!out->host) {
        int end = below(dim[0].min + dim[0].extent + 9, 10);
        dim[0].min = below(dim[0].min, 10);
        dim[0].extent = end - dim[0].min;
        if (dim[1].extent < 20) dim[1].extent = 20;
        return 0;
    }
    calls++;
    if (dim[0].min % 10 || dim[0].extent % 10 || dim[1].extent < 20 || dim[1].stride % 32) return -1;
    EACH(out) *at(out, x, y) = 3 * x + 1000 * y;
    return 0;
}

/* The sum of a byte and an integer, as a byte, mirrored at 0. */
int hp_mirrored(buffer_t *bytes, buffer_t *integers, buffer_t *out) {
    buffer_t *inputs[2] = {bytes, integers};
    int low = out->dim[0].min, extent = out->dim[0].extent, queried = 0;
    for (int i = 0; i < 2; i++) {
        if (inputs[i]->host) continue;
        inputs[i]->dim[0].min = 1 - low - extent;
        inputs[i]->dim[0].extent = extent;
        queried = 1;
    }
    if (queried || !out->host) return 0;
    for (int x = low; x < low + extent; x++)
        out->host[x - low] = (uint8_t)(bytes->host[-x - bytes->dim[0].min] + *at(integers, -x, 0));
    return 0;
}
