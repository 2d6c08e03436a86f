/* What pipelines compiled to files need beside pool and memory: checks of buffers, errors, set-up. */
#include "runtime.h"
#include "tables.h"

enum { MAX_THREADS = 1024, WORKER_SPINS = 10000, STANDARD_ERROR = 2 };

static _Thread_local char error_text[ERROR_BYTES];
static _Atomic int32_t is_prepared;

/* Where errors of this thread are written. */
PUBLIC char *pipec_error_text(void) { return error_text; }

/* The text of this thread's last error. */
PUBLIC const char *pipec_last_error(void) { return pipec_error_text(); }

/* Is given what pipelines print. */
PUBLIC void pipec_print(const char *text, size_t bytes) {
    if (write(STANDARD_ERROR, text, bytes) < 0) return; /* nobody reads it */
}

/* Checks a buffer argument and writes its slots: the address, then minimum, extent and stride of each dimension. */
PUBLIC int32_t pipec_describe(const Buffer *buffer, int64_t *slots, const char *name, const char *type_name,
                              int32_t type, int32_t dimensions, int32_t bytes) {
#define FAIL(code, ...)                                       \
    do {                                                      \
        snprintf(pipec_error_text(), ERROR_BYTES, __VA_ARGS__); \
        return code;                                          \
    } while (0)

    if (buffer == NULL) FAIL(BUFFER_ARGUMENT_IS_NULL, "Error: Buffer argument %s is NULL", name);
    if (buffer->type != type)
        FAIL(BAD_TYPE, "Error: %s has type %s but the type of the buffer passed in has code %d and %d bits", name,
             type_name, buffer->type & 255, buffer->type >> 8 & 255);
    if (buffer->dimensions != dimensions)
        FAIL(BAD_DIMENSIONS,
             "Error: %s requires a buffer of exactly %d dimensions, but the buffer passed in has %d dimensions", name,
             dimensions, buffer->dimensions);
    *slots++ = (int64_t)buffer->host;
    if ((int64_t)buffer->host & (bytes - 1))
        FAIL(UNALIGNED_HOST, "Error: The host pointer of %s is no multiple of %d bytes, the size of an element", name,
             bytes);
    bool is_empty = false;
    for (int32_t d = 0; d < dimensions; d++) {
        const Dimension *dimension = &buffer->dim[d];
        if (dimension->extent < 0)
            FAIL(EXTENTS_NEGATIVE, "Error: The extents for buffer %s dimension %d is negative (%d)", name, d,
                 dimension->extent);
        is_empty |= dimension->extent == 0;
        *slots++ = dimension->min;
        *slots++ = dimension->extent;
        *slots++ = dimension->stride;
    }
    if (buffer->host == NULL && !is_empty)
        FAIL(HOST_IS_NULL, "Error: The host pointer of %s is NULL, but the pipeline will access it on the host", name);
    return 0;
}

PUBLIC int32_t halide_set_num_threads(int32_t threads) {
    pipec_prepare();
    int32_t before = pipec_threads();
    pipec_set_threads(threads < 1 ? 1 : threads < MAX_THREADS ? threads : MAX_THREADS, WORKER_SPINS);
    return before;
}

/* Starts the pool up once. */
PUBLIC void pipec_prepare(void) {
    int32_t no = 0;
    if (atomic_load_explicit(&is_prepared, memory_order_relaxed)) return;
    if (!atomic_compare_exchange_strong(&is_prepared, &no, 1)) return;
    pthread_atfork(NULL, NULL, pipec_forked);
    const char *text = getenv("HL_NUM_THREADS");
    int32_t threads = text == NULL ? 0 : atoi(text);
    halide_set_num_threads(threads > 0 ? threads : (int32_t)sysconf(system_processors_name));
}
