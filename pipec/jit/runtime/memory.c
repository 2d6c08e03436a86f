/* Memory of compiled pipelines.
 *
 * Blocks are aligned to a line of the cache and end with as many spare bytes. The pool keeps large blocks for the next
 * call instead of returning them, so that their pages are not mapped and cleared again each time. Only when it is full,
 * those that were used least recently are returned.
 *
 * New blocks are cleared: lanes beyond what is needed compute with whatever is there, and with floats that happen to be
 * denormal the processor takes a hundred times as long. Pooled blocks keep to one kind of values for the same reason:
 * small integers are denormal floats.
 */
#include "runtime.h"

#define MAX_BLOCK_BYTES ((int64_t)1 << 46)
#define MAX_POOLED_BYTES ((int64_t)1 << 30)
enum {
    MIN_POOLED_BYTES = 16384, /* smaller blocks are recycled and cleared as quickly by the system's allocator */
    MAX_POOLED_BLOCKS = 128,
    PAGE = 4096,
};

/* What stands before a block: the address that the system gave, the size asked of it, and the bytes of the floats that
 * the block is for, or zero for other values.
 */
typedef struct {
    void *start;
    int64_t bytes, float_bytes;
} Header;

enum { SPARE_BYTES = sizeof(Header) + 2 * CACHE_LINE };

/* Of large blocks in use. */
typedef struct {
    int64_t live, peak, total, blocks;
} Counts;

/* Defined by the loader: not all systems begin it with zeros. It guards all that follows. */
extern Lock memory_lock;
/* Blocks without a user, the one that was freed first at the front. */
static struct {
    void *block;
    int64_t bytes, float_bytes;
} pooled[MAX_POOLED_BLOCKS];
static int pooled_blocks;
static int64_t pooled_bytes;
static Counts counts;

static Header *header_of(void *block) { return (Header *)block - 1; }

/* In the child of a fork: the pooled blocks are lost, as the fork may have met them changing. */
PUBLIC void pipec_memory_forked(void) {
    memory_lock = system_new_lock;
    pooled_blocks = 0;
    pooled_bytes = 0;
}

/* Called with the lock held. */
static void count_block(int64_t bytes) {
    counts.live += bytes;
    if (bytes <= 0) return;
    if (counts.peak < counts.live) counts.peak = counts.live;
    counts.total += bytes;
    counts.blocks++;
}

static void count_block_alone(int64_t bytes) {
    pthread_mutex_lock(&memory_lock);
    count_block(bytes);
    pthread_mutex_unlock(&memory_lock);
}

PUBLIC void pipec_memory(int64_t found[4]) {
    pthread_mutex_lock(&memory_lock);
    found[0] = counts.live;
    found[1] = counts.peak;
    found[2] = counts.total;
    found[3] = counts.blocks;
    pthread_mutex_unlock(&memory_lock);
}

/* Takes the block at an index out of the pool; the lock is held. */
static void *unpool(int index) {
    void *block = pooled[index].block;
    pooled_bytes -= pooled[index].bytes;
    pooled_blocks--;
    for (int i = index; i < pooled_blocks; i++) pooled[i] = pooled[i + 1];
    return block;
}

/* The smallest pooled block for such values of at least `bytes`, or NULL; one more than twice as large would be wasted. Of equal ones
 * that which was freed last, and may still be cached.
 */
static void *take_pooled(int64_t bytes, int64_t float_bytes) {
    int best = -1;
    pthread_mutex_lock(&memory_lock);
    int64_t best_bytes = 2 * bytes;
    for (int i = 0; i < pooled_blocks; i++) {
        if (pooled[i].float_bytes != float_bytes) continue;
        if (pooled[i].bytes < bytes || pooled[i].bytes > best_bytes) continue;
        best = i;
        best_bytes = pooled[i].bytes;
    }
    void *block = best < 0 ? NULL : unpool(best);
    count_block(best < 0 ? bytes : best_bytes);
    pthread_mutex_unlock(&memory_lock);
    return block;
}

PUBLIC void *pipec_malloc(int64_t bytes, int32_t float_bytes) {
    if (bytes < 1) bytes = 1;
    if (bytes > MAX_BLOCK_BYTES) return NULL;
    bytes += SPARE_BYTES;
    bool large = bytes >= MIN_POOLED_BYTES;
    if (large) {
        bytes = (bytes + PAGE - 1) & -PAGE;
        void *block = take_pooled(bytes, float_bytes);
        if (block != NULL) return block;
    }
    void *start = calloc(1, (size_t)bytes);
    if (start == NULL) {
        /* Memory is short: return the pooled blocks and try once more. */
        pipec_trim();
        start = calloc(1, (size_t)bytes);
    }
    if (start == NULL) {
        if (large) count_block_alone(-bytes);
        return NULL;
    }
    void *block = (void *)(((uintptr_t)start + sizeof(Header) + CACHE_LINE - 1) & -(uintptr_t)CACHE_LINE);
    *header_of(block) = (Header){start, bytes, float_bytes};
    return block;
}

/* Returns the block that was freed first to the system; the lock is held. */
static void evict(void) { free(header_of(unpool(0))->start); }

PUBLIC void pipec_free(void *block) {
    int64_t bytes = header_of(block)->bytes;
    if (bytes < MIN_POOLED_BYTES || bytes > MAX_POOLED_BYTES) {
        if (bytes > MAX_POOLED_BYTES) count_block_alone(-bytes);
        free(header_of(block)->start);
        return;
    }
    pthread_mutex_lock(&memory_lock);
    count_block(-bytes);
    while (pooled_blocks == MAX_POOLED_BLOCKS || pooled_bytes + bytes > MAX_POOLED_BYTES) evict();
    pooled[pooled_blocks].block = block;
    pooled[pooled_blocks].bytes = bytes;
    pooled[pooled_blocks].float_bytes = header_of(block)->float_bytes;
    pooled_blocks++;
    pooled_bytes += bytes;
    pthread_mutex_unlock(&memory_lock);
}

PUBLIC void pipec_trim(void) {
    pthread_mutex_lock(&memory_lock);
    while (pooled_blocks > 0) evict();
    pthread_mutex_unlock(&memory_lock);
}
