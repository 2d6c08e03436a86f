/* Bounds queries: a call with a buffer that has no memory computes nothing. The boxes that the pipeline requires become
 * the shapes of the buffers without memory.
 *
 * Object code has this file in its library; a file of C99 holds a copy of it.
 */
#include "queries.h"
#include "runtime.h"

static bool is_query(const Buffer *buffer) { return buffer->host == NULL && buffer->device == 0; }

/* What the code that is asked takes the shape of a buffer for: dense. */
static void set_strides(int64_t *dims, int32_t dimensions) {
    int64_t stride = 1;
    for (int32_t d = 0; d < dimensions; d++) {
        dims[3 * d + 2] = stride;
        stride *= dims[3 * d + 1];
    }
}

/* Widens an interval (minimum, extent) so that it holds another one; whether it has changed. */
static bool widen(int64_t *interval, int64_t minimum, int64_t extent) {
    int64_t low = interval[0], end = interval[0] + interval[1];
    if (extent <= 0) return false;
    if (interval[1] <= 0) low = minimum, end = minimum + extent;
    if (minimum < low) low = minimum;
    if (minimum + extent > end) end = minimum + extent;
    bool is_changed = low != interval[0] || end - low != interval[1];
    interval[0] = low;
    interval[1] = end - low;
    return is_changed;
}

/* Lets the outputs hold what is required, or at first only what constraints demand; whether any has changed. */
static bool grow_outputs(const Query *query, int64_t *slots, const int32_t *results, bool is_first) {
    bool is_changed = false;
    for (int32_t i = 0; i < query->count; i++) {
        const QueryBuffer *buffer = &query->buffers[i];
        if (buffer->leader < 0) continue;
        for (int32_t d = 0; d < buffer->dimensions; d++) {
            int64_t *own = slots + buffer->slot + 1 + 3 * d;
            int64_t *first = slots + query->buffers[buffer->leader].slot + 1 + 3 * d;
            const int32_t *result = results + buffer->result + 3 * d;
            int32_t fixed = buffer->fixed >> 2 * d & 3;
            for (int32_t k = 0; k < 2; k++) {
                if (!(fixed >> k & 1)) continue;
                is_changed |= own[k] != result[k];
                own[k] = result[k];
            }
            if (fixed || is_first) continue;
            is_changed |= widen(own, result[0], result[1]);
            is_changed |= widen(first, own[0], own[1]);
            is_changed |= widen(own, first[0], first[1]);
        }
        set_strides(slots + buffer->slot + 1, buffer->dimensions);
    }
    return is_changed;
}

/* Sets the shapes of the buffers without memory. `slots`: with the scalars. NO_QUERY where all have memory. */
PUBLIC int32_t pipec_answer(const Query *query, int64_t *slots, int32_t *results, Buffer *const *buffers) {
    bool is_asked = false;
    for (int32_t i = 0; i < query->count; i++) {
        if (buffers[i] == NULL) return NO_QUERY;
        is_asked |= is_query(buffers[i]);
    }
    if (!is_asked) return NO_QUERY;
    if (query->entry == NULL) {
        snprintf(pipec_error_text(), ERROR_BYTES, "%s", query->problem);
        return QUERY_FAILED;
    }
    for (int32_t i = 0; i < query->count; i++) {
        const QueryBuffer *buffer = &query->buffers[i];
        bool has_shape = buffers[i]->dimensions == buffer->dimensions;
        if (!has_shape && !is_query(buffers[i])) return NO_QUERY;
        int64_t *dims = slots + buffer->slot + 1;
        for (int32_t d = 0; d < buffer->dimensions; d++) {
            dims[3 * d] = has_shape ? buffers[i]->dim[d].min : 0;
            dims[3 * d + 1] = has_shape ? buffers[i]->dim[d].extent : 0;
        }
        set_strides(dims, buffer->dimensions);
    }
    slots[query->slot] = (int64_t)(intptr_t)results;
    bool is_changed = true;
    for (int32_t step = 0; is_changed; step++) {
        if (step == MAX_QUERY_STEPS) {
            snprintf(pipec_error_text(), ERROR_BYTES, "Error: The outputs depend on each other such that no finite size"
                     " holds what is written.");
            return QUERY_FAILED;
        }
        if (query->entry(slots) != 0) return QUERY_FAILED;
        is_changed = grow_outputs(query, slots, results, step == 0) || step == 0;
    }
    for (int32_t i = 0; i < query->count; i++) {
        const QueryBuffer *buffer = &query->buffers[i];
        if (!is_query(buffers[i])) continue;
        set_type(buffers[i], buffer->type);
        buffers[i]->dimensions = buffer->dimensions;
        for (int32_t d = 0; d < buffer->dimensions; d++) {
            const int32_t *result = results + buffer->result + 3 * d;
            const int64_t *own = slots + buffer->slot + 1 + 3 * d;
            buffers[i]->dim[d].min = buffer->leader < 0 ? result[0] : (int32_t)own[0];
            buffers[i]->dim[d].extent = buffer->leader < 0 ? result[1] : (int32_t)own[1];
            buffers[i]->dim[d].stride = result[2];
            buffers[i]->dim[d].flags = 0;
        }
    }
    return 0;
}
