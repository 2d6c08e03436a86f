/* Memory of compiled pipelines.
 *
 * Blocks are aligned to a line of the cache and end with as many spare bytes. The pool keeps large blocks for the next
 * call instead of returning them, so that their pages are not mapped and cleared again each time; the oldest go first.
 */
#include "runtime.h"

#define MAX_BLOCK_BYTES ((int64_t)1 << 46)
#define MAX_POOLED_BYTES ((int64_t)1 << 30)
enum {
    MIN_POOLED_BYTES = 65536, /* the system's allocator recycles smaller blocks quickly itself */
    MAX_POOLED_BLOCKS = 32,
    PAGE = 4096,
};

/* What stands before a block: the address that the system gave, and the size asked of it. */
typedef struct {
    void *start;
    int64_t bytes;
} Header;

enum { SPARE_BYTES = sizeof(Header) + 2 * CACHE_LINE };

/* Of large blocks in use. */
typedef struct {
    int64_t live, peak, total, blocks;
} Counts;

/* Defined by the loader: not all systems begin it with zeros. It guards all that follows. */
extern Lock memory_lock;
static void *pooled[MAX_POOLED_BLOCKS];
static int64_t pooled_bytes, oldest;
static Counts counts;

static Header *header_of(void *block) { return (Header *)block - 1; }

/* In the child of a fork: the pooled blocks are lost, as the fork may have met them changing. */
PUBLIC void pipec_memory_forked(void) {
    memory_lock = system_new_lock;
    for (int i = 0; i < MAX_POOLED_BLOCKS; i++) pooled[i] = NULL;
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

/* The smallest pooled block of at least `bytes`, or NULL; one more than twice as large would be wasted. */
static void *take_pooled(int64_t bytes) {
    void **best = NULL;
    int64_t best_bytes = 2 * bytes;
    pthread_mutex_lock(&memory_lock);
    for (int i = 0; i < MAX_POOLED_BLOCKS; i++) {
        if (pooled[i] == NULL) continue;
        int64_t own = header_of(pooled[i])->bytes;
        if (own >= bytes && own <= best_bytes) {
            best = &pooled[i];
            best_bytes = own;
        }
    }
    void *block = NULL;
    if (best != NULL) {
        block = *best;
        *best = NULL;
        pooled_bytes -= best_bytes;
    }
    count_block(block != NULL ? best_bytes : bytes);
    pthread_mutex_unlock(&memory_lock);
    return block;
}

PUBLIC void *pipec_malloc(int64_t bytes) {
    if (bytes < 1) bytes = 1;
    if (bytes > MAX_BLOCK_BYTES) return NULL;
    bytes += SPARE_BYTES;
    bool large = bytes >= MIN_POOLED_BYTES;
    if (large) {
        bytes = (bytes + PAGE - 1) & -PAGE;
        void *block = take_pooled(bytes);
        if (block != NULL) return block;
    }
    void *start = malloc((size_t)bytes);
    if (start == NULL) {
        /* Memory is short: return the pooled blocks and try once more. */
        pipec_trim();
        start = malloc((size_t)bytes);
    }
    if (start == NULL) {
        if (large) count_block_alone(-bytes);
        return NULL;
    }
    void *block = (void *)(((uintptr_t)start + sizeof(Header) + CACHE_LINE - 1) & -(uintptr_t)CACHE_LINE);
    *header_of(block) = (Header){start, bytes};
    return block;
}

static void release(void *block) {
    if (block != NULL) free(header_of(block)->start);
}

/* Takes a block out of the pool; the lock is held. */
static void *evict(int64_t i) {
    void *block = pooled[i];
    if (block != NULL) pooled_bytes -= header_of(block)->bytes;
    pooled[i] = NULL;
    return block;
}

PUBLIC void pipec_free(void *block) {
    int64_t bytes = header_of(block)->bytes;
    if (bytes < MIN_POOLED_BYTES || bytes > MAX_POOLED_BYTES) {
        if (bytes > MAX_POOLED_BYTES) count_block_alone(-bytes);
        release(block);
        return;
    }
    pthread_mutex_lock(&memory_lock);
    count_block(-bytes);
    int64_t place;
    /* The block goes where the oldest was; further old ones go until the total fits. */
    do {
        place = oldest;
        release(evict(place));
        oldest = (place + 1) % MAX_POOLED_BLOCKS;
    } while (pooled_bytes + bytes > MAX_POOLED_BYTES);
    pooled[place] = block;
    pooled_bytes += bytes;
    pthread_mutex_unlock(&memory_lock);
}

PUBLIC void pipec_trim(void) {
    pthread_mutex_lock(&memory_lock);
    for (int i = 0; i < MAX_POOLED_BLOCKS; i++) release(evict(i));
    pthread_mutex_unlock(&memory_lock);
}
