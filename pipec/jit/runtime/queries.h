/* The tables of bounds queries (pipec/jit/c/query.py). */
#pragma once

#include "tables.h"

enum { NO_QUERY = 1, QUERY_FAILED = -1, MAX_QUERY_STEPS = 20 };

/* A parameter: where its slots begin, and its results; `leader`: the first output of the same Func, whose box it shares,
 * -1 for inputs. Bits 2 d and 2 d + 1 of `fixed`: constraints decide the minimum and extent of dimension d of an output.
 */
typedef struct {
    int32_t slot, result, dimensions, type, leader, fixed;
} QueryBuffer;

/* `entry` stores minimum, extent and stride of each dimension of the buffers: the results, at the address in slot
 * `slot`. It is NULL where `problem` says why there is no answer.
 */
typedef struct {
    Entry *entry;
    const char *problem;
    const QueryBuffer *buffers;
    int32_t count, slot;
} Query;

int32_t pipec_answer(const Query *query, int64_t *slots, int32_t *results, Buffer *const *buffers);
