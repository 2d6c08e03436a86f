/* Time and memory of each Func, counted while machine code compiled for profiling runs.
 *
 * Each function of the machine code knows the entry whose loops it is in; where that changes, the time since the last
 * change is added to what was. The thread that called the pipeline so divides its own time completely: its shares are
 * wall time.
 */
#include "runtime.h"
#include "tables.h"

static int64_t nanoseconds_now(void) {
    Time now;
    clock_gettime(system_monotonic_clock, &now);
    return now.seconds * 1000000000 + now.nanoseconds;
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
