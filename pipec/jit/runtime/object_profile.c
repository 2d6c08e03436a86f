/* Profiles of object code: what pipelines count while the program runs is written at its end.
 *
 * Each pipeline has one row of counters for all its runs. Runs of one pipeline at once count the time of the caller that
 * began last as wall time.
 */
#include "runtime.h"
#include "tables.h"

int atexit(void (*function)(void));

enum { LINE_BYTES = 512 };

static ObjectProfile *profiles;
static _Atomic int32_t profiles_lock;

static void write_text(const char *text, int32_t bytes) {
    pipec_print(text, (size_t)(bytes < LINE_BYTES ? bytes : LINE_BYTES - 1));
}

static double milliseconds(int64_t nanoseconds) { return (double)nanoseconds / 1e6; }

static double quotient(int64_t a, int64_t b) { return b > 0 ? (double)a / (double)b : 0.0; }

static void write_entry(const char *name, const Counters *entry, int64_t wall) {
    char text[LINE_BYTES], time[LINE_BYTES / 4], memory[LINE_BYTES / 4] = "";
    snprintf(time, sizeof time, "%.3fms (%.1f%%)", milliseconds(entry->wall), 100 * quotient(entry->wall, wall));
    if (entry->allocations > 0)
        snprintf(memory, sizeof memory, "  peak: %lld  num: %lld  avg: %lld", (long long)entry->peak,
                 (long long)entry->allocations, (long long)(entry->total / entry->allocations));
    double threads = quotient(entry->threads, entry->wall);
    write_text(text, snprintf(text, sizeof text, "    %-24.120s %-20s threads: %.3f%s\n", name, time, threads, memory));
}

static void write_profile(const ObjectProfile *own) {
    const Profile *profile = own->profile;
    char text[LINE_BYTES];
    int64_t threads = 0;
    for (int64_t k = 0; k < own->count; k++) threads += profile->entries[k].threads;
    threads -= profile->entries[WAITING].threads;
    write_text(text, snprintf(text, sizeof text, "%.120s\n total time: %.6f ms  runs: %lld  time per run: %.6f ms\n",
                              own->pipeline, milliseconds(profile->wall), (long long)own->runs,
                              quotient(profile->wall, own->runs) / 1e6));
    write_text(text, snprintf(text, sizeof text, " average threads used: %.6f\n", quotient(threads, profile->wall)));
    write_text(text, snprintf(text, sizeof text, " heap allocations: %lld  peak heap usage: %lld bytes\n",
                              (long long)profile->allocations, (long long)profile->peak));
    for (int64_t k = 0; k < own->count; k++)
        if (profile->entries[k].threads > 0 || profile->entries[k].allocations > 0)
            write_entry(own->names[k], &profile->entries[k], profile->wall);
}

/* Writes what was counted so far, by `pipec_print`. */
PUBLIC void halide_profiler_report(void *user_context) {
    (void)user_context;
    for (const ObjectProfile *own = profiles; own != NULL; own = own->next)
        if (own->runs > 0) write_profile(own);
}

/* Counts from 0. No pipeline may run meanwhile. */
PUBLIC void halide_profiler_reset(void *user_context) {
    (void)user_context;
    for (ObjectProfile *own = profiles; own != NULL; own = own->next) {
        own->runs = 0;
        own->profile->wall = 0;
        own->profile->live = own->profile->peak = own->profile->allocations = 0;
        for (int64_t k = 0; k < own->count; k++) own->profile->entries[k] = (Counters){0};
    }
}

static void report_at_exit(void) { halide_profiler_report(NULL); }

/* Each run of a profiled pipeline begins with this. */
PUBLIC void pipec_profile_run(ObjectProfile *own) {
    atomic_fetch_add_explicit(&own->runs, 1, memory_order_relaxed);
    if (atomic_load_explicit(&own->is_listed, memory_order_acquire) != 0) return;
    while (atomic_exchange_explicit(&profiles_lock, 1, memory_order_acquire)) system_pause();
    if (own->is_listed == 0) {
        if (profiles == NULL) atexit(report_at_exit);
        own->next = profiles;
        profiles = own;
        atomic_store_explicit(&own->is_listed, 1, memory_order_release);
    }
    atomic_store_explicit(&profiles_lock, 0, memory_order_release);
}
