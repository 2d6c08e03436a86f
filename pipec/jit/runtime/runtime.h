/* The functions that compiled pipelines and Python call. */
#pragma once

#include "system.h"

/* Part `index` of a parallel loop. A status that is not 0 ends the loop. */
typedef int32_t Task(void *closure, int64_t index);

/* What pipec_fork returns when the system gives no thread. */
enum { NO_THREAD = -1, MAX_SEMAPHORES = 4 };
/* The status of a call that a signal ended: ENDED_BY_CALLER of tables.h. */
enum { CANCELLED = 3 };
/* What the two tasks of a Fork wait for. */
typedef struct {
    Lock lock;
    Condition changed;
    int32_t status; /* of the task that failed */
    bool is_done;   /* the task in a thread of its own has ended */
    const void *slots;
    int64_t numbers[MAX_SEMAPHORES];
} Semaphores;

/* The most threads of the call with these slots; `workers`: those in its jobs now. */
typedef struct CallLimit {
    const void *slots;
    struct CallLimit *next;
    int32_t threads, workers;
} CallLimit;

int32_t pipec_parallel_for(Task *task, void *closure, int64_t minimum, int64_t count);
void pipec_set_threads(int32_t threads, int32_t spins);
int32_t pipec_threads(void);
void pipec_limit_call(CallLimit *limit);
void pipec_end_limit(CallLimit *limit);
void pipec_forked(void);

int32_t pipec_fork(Task *first, Task *second, void *closure, Semaphores *semaphores, int64_t c0, int64_t c1, int64_t c2,
                   int64_t c3);
int32_t pipec_wait(Semaphores *semaphores, int64_t index);
void pipec_post(Semaphores *semaphores, int64_t index);

void *pipec_malloc(int64_t bytes, int32_t float_bytes);
void pipec_free(void *block);
void pipec_trim(void);
void pipec_memory(int64_t counts[4]);
void pipec_memory_forked(void);

/* Lets the caller of machine code handle signals; not 0: the call is to end. */
typedef int32_t Handler(void);
void pipec_set_handler(Handler *handler, Thread main_thread);
void pipec_set_attention(int32_t value);
int32_t pipec_check(const void *slots);
void pipec_cancel(const void *slots);
bool pipec_end_cancellation(const void *slots);
extern _Atomic int32_t pipec_attention;
static inline bool has_attention(void) {
    return atomic_load_explicit(&pipec_attention, memory_order_relaxed) != 0;
}

enum { MAX_SLEEP = 2000000, SECOND = 1000000000 }; /* nanoseconds */
/* Waits for a condition, but not long: for signals, and since glibc before 2.41 can lose a wake-up (bug 25847). */
static inline void wait_briefly(Condition *condition, Lock *lock) {
    Time until;
    clock_gettime(0, &until);
    until.nanoseconds += MAX_SLEEP;
    if (until.nanoseconds >= SECOND) {
        until.nanoseconds -= SECOND;
        until.seconds++;
    }
    pthread_cond_timedwait(condition, lock, &until);
}

void pipec_prepare(void);
int32_t halide_set_num_threads(int32_t threads);
char *pipec_error_text(void);
void pipec_print(const char *text, size_t bytes);
