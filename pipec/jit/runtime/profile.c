/* Time and memory of each Func, counted or sampled while machine code compiled for profiling runs.
 *
 * Each function of the machine code knows the entry whose loops it is in; where that changes, the time since the last
 * change is added to what was. The thread that called the pipeline so divides its own time completely: its shares are
 * wall time.
 *
 * Code that is sampled reads no clock: each thread writes to its state which entry it computes.
 */
#include "runtime.h"
#include "tables.h"

static int64_t nanoseconds_now(void) {
    Time now;
    clock_gettime(system_monotonic_clock, &now);
    return (int64_t)now.seconds * 1000000000 + now.nanoseconds;
}

static void add(_Atomic int64_t *counter, int64_t amount) {
    atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

/* The time since `last`, which is now from here on. */
static int64_t elapsed_since(int64_t *last) {
    int64_t now = nanoseconds_now(), elapsed = now - *last;
    *last = now;
    return elapsed;
}

static bool is_caller(const Profile *profile) { return profile->caller == pthread_self(); }

static void add_time(Profile *profile, int64_t entry, int64_t time) {
    add(&profile->entries[entry].threads, time);
    if (!is_caller(profile)) return;
    add(&profile->entries[entry].wall, time);
    profile->wall += time;
}

/* At the head of a function; the entry of the first one is called by who called the pipeline. */
PUBLIC void pipec_profile_begin(Profile *profile, int64_t *last, int32_t is_first) {
    *last = nanoseconds_now();
    if (is_first) profile->caller = pthread_self();
}

PUBLIC void pipec_profile_spend(Profile *profile, int64_t entry, int64_t *last) {
    add_time(profile, entry, elapsed_since(last));
}

PUBLIC void pipec_profile_enter(Profile *profile, int64_t entry) { add(&profile->entries[entry].entered, 1); }

/* After a parallel loop, before which `wall` was the wall time: what its caller did not spend in tasks it waited. */
PUBLIC void pipec_profile_wait(Profile *profile, int64_t *last, int64_t wall) {
    int64_t elapsed = elapsed_since(last);
    if (is_caller(profile)) add_time(profile, WAITING, elapsed - (profile->wall - wall));
}

/* The state of this thread, for code that is sampled. The first is the caller's; threads beyond the last share it. */
PUBLIC ThreadState *pipec_profile_thread(Profile *profile) {
    int64_t self = (int64_t)pthread_self();
    for (int64_t k = 0; k < MAX_SAMPLED_THREADS - 1; k++) {
        ThreadState *state = &profile->samples->threads[k];
        int64_t thread = atomic_load_explicit(&state->thread, memory_order_relaxed);
        if (thread == self) return state;
        if (thread == 0 && atomic_compare_exchange_strong_explicit(&state->thread, &thread, self, memory_order_relaxed,
                                                                   memory_order_relaxed))
            return state;
    }
    return &profile->samples->threads[MAX_SAMPLED_THREADS - 1];
}

/* Runs that are sampled now. The lock is held for a few instructions. */
enum { MAX_SAMPLED_RUNS = 64 };
static Samples *sampled_runs[MAX_SAMPLED_RUNS];
static _Atomic int32_t sampling_lock;
static bool is_sampling;

static void lock_sampling(void) {
    while (atomic_exchange_explicit(&sampling_lock, 1, memory_order_acquire)) system_pause();
}

static void unlock_sampling(void) { atomic_store_explicit(&sampling_lock, 0, memory_order_release); }

static bool replace_run(Samples *before, Samples *after) {
    lock_sampling();
    for (int64_t k = 0; k < MAX_SAMPLED_RUNS; k++) {
        if (sampled_runs[k] != before) continue;
        sampled_runs[k] = after;
        break;
    }
    bool was_sampling = is_sampling;
    is_sampling = true;
    unlock_sampling();
    return was_sampling;
}

/* From here on a run is sampled, unless too many are. 0: the caller has to start a thread for pipec_profile_sample. */
PUBLIC int32_t pipec_profile_watch(Samples *samples) { return replace_run(NULL, samples); }

PUBLIC void pipec_profile_forget(Samples *samples) { replace_run(samples, NULL); }

static void take_sample(Samples *samples, int64_t now, int64_t elapsed) {
    if (samples->count == samples->capacity) return;
    int64_t *row = samples->rows + samples->count++ * samples->width;
    row[0] = now;
    row[1] = elapsed;
    for (int64_t k = 2; k < samples->width; k++)
        row[k] = atomic_load_explicit(&samples->threads[k - 2].entry, memory_order_relaxed);
}

/* Samples all runs at random moments, `interval` nanoseconds apart on average, until there was none for `linger`. */
PUBLIC void pipec_profile_sample(int64_t interval, int64_t linger) {
    int64_t last = nanoseconds_now(), last_run = last;
    uint64_t random = (uint64_t)last;
    for (bool goes_on = true; goes_on;) {
        random = random * 6364136223846793005 + 1442695040888963407;
        /* A loop whose period is that of the samples would look constant. */
        Time pause = {0, interval / 2 + (int64_t)((random >> 32) * (uint64_t)interval >> 32)};
        nanosleep(&pause, NULL);
        int64_t elapsed = elapsed_since(&last);
        lock_sampling();
        for (int64_t k = 0; k < MAX_SAMPLED_RUNS; k++) {
            if (sampled_runs[k] == NULL) continue;
            take_sample(sampled_runs[k], last, elapsed);
            last_run = last;
        }
        is_sampling = goes_on = last - last_run < linger;
        unlock_sampling();
    }
}

/* In the child of a fork nobody holds the lock, and nothing runs. */
PUBLIC void pipec_profile_forked(void) {
    for (int64_t k = 0; k < MAX_SAMPLED_RUNS; k++) sampled_runs[k] = NULL;
    is_sampling = false;
    unlock_sampling();
}

static void add_memory(_Atomic int64_t *live, _Atomic int64_t *peak, int64_t bytes) {
    int64_t now = atomic_fetch_add_explicit(live, bytes, memory_order_relaxed) + bytes;
    int64_t highest = atomic_load_explicit(peak, memory_order_relaxed);
    while (highest < now && !atomic_compare_exchange_weak_explicit(peak, &highest, now, memory_order_relaxed,
                                                                   memory_order_relaxed)) {
    }
}

PUBLIC void pipec_profile_allocated(Profile *profile, int64_t entry, int64_t bytes) {
    Counters *counters = &profile->entries[entry];
    add_memory(&counters->live, &counters->peak, bytes);
    add_memory(&profile->live, &profile->peak, bytes);
    add(&counters->total, bytes);
    add(&counters->allocations, 1);
    add(&profile->allocations, 1);
}

PUBLIC void pipec_profile_release(Profile *profile, int64_t entry, int64_t bytes, void *block) {
    add(&profile->entries[entry].live, -bytes);
    add(&profile->live, -bytes);
    pipec_free(block);
}
