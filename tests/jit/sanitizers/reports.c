/* Exercises what pipelines in files call beside the pool: lines of Reports, checks of buffers, set-up, profiles. */
#include <float.h>
#include <string.h>

#include "check.h"
#include "queries.h"
#include "tables.h"

const int32_t system_monotonic_clock = 1, system_processors_name = 84;

enum { LANES = 16, THREADS = 4, ROUNDS = 300, PRINTED = 4096 };

/* In place of the pool. */
static int32_t thread_count;
void pipec_forked(void) {}
void pipec_set_threads(int32_t threads, int32_t spins) {
    CHECK(spins > 0);
    thread_count = threads;
}
int32_t pipec_threads(void) { return thread_count; }
void pipec_free(void *block) { free(block); }
void system_pause(void) {}

static _Thread_local char printed[PRINTED];
static _Thread_local size_t printed_bytes;
void pipec_print(const char *text, size_t bytes) {
    CHECK(printed_bytes + bytes < PRINTED);
    memcpy(printed + printed_bytes, text, bytes);
    printed[printed_bytes += bytes] = 0;
}

int32_t pipec_write_report(CallTable *table, int32_t code, int32_t lanes, int64_t *values);
const char *pipec_last_error(void);
int32_t pipec_describe(const Buffer *buffer, int64_t *slots, const char *name, const char *type_name, int32_t type,
                       int32_t dimensions, int32_t bytes);
void pipec_profile_begin(Profile *profile, int64_t *last, int32_t is_first);
void pipec_profile_spend(Profile *profile, int64_t entry, int64_t *last);
void pipec_profile_enter(Profile *profile, int64_t entry);
void pipec_profile_wait(Profile *profile, int64_t *last, int64_t wall);
ThreadState *pipec_profile_thread(Profile *profile);
int32_t pipec_profile_watch(Samples *samples);
void pipec_profile_forget(Samples *samples);
void pipec_profile_sample(int64_t interval, int64_t linger);
void pipec_profile_allocated(Profile *profile, int64_t entry, int64_t bytes);
void pipec_profile_release(Profile *profile, int64_t entry, int64_t bytes, void *block);
void pipec_profile_run(ObjectProfile *own);
void halide_profiler_report(void *user_context);
void halide_profiler_reset(void *user_context);

/* The longest text of each kind of value, in the first and the second row. */
static const Piece PIECES[] = {
    {"at ", PIECE_TEXT, 0}, {"%f", PIECE_DOUBLE, 0}, {" and ", PIECE_TEXT, 0},      {"%lld", PIECE_INTEGER, 1},
    {" ", PIECE_TEXT, 0},   {"%B", PIECE_BOOLEAN, 1}, {"%e", PIECE_DOUBLE, 0},      {"\n", PIECE_TEXT, 0},
};
static const Line LINES[] = {{PIECES, 8, 2, 0}, {PIECES, 8, 2, 1}};

static void *report_often(void *unused) {
    ReportTable table = {{pipec_write_report, NULL, NULL, NULL}, LINES};
    const char *number = "-340282346638528859811704183484516925440.000000";
    char one[PRINTED], all[PRINTED];
    snprintf(one, PRINTED, "at %s and %lld true-3.402823e+38\n", number, (long long)INT64_MIN);
    for (int round = 0; round < ROUNDS; round++) {
        int64_t *values = malloc(3 * LANES * sizeof *values);
        double largest = -FLT_MAX;
        for (int lane = 0; lane < LANES; lane++) {
            memcpy(&values[lane], &largest, sizeof largest);
            values[LANES + lane] = INT64_MIN;
            values[2 * LANES + lane] = lane % 2;
        }
        printed_bytes = 0;
        CHECK(pipec_write_report(&table.table, 0, LANES, values) > 0);
        CHECK(printed_bytes > LANES / 2 * strlen(number) && strstr(printed, "<-3402") && strstr(printed, "true>"));
        printed_bytes = 0;
        pipec_write_report(&table.table, 1, LANES, values);
        all[0] = 0;
        for (int lane = 0; lane < LANES / 2; lane++) strcat(all, one);
        CHECK(strcmp(printed, all) == 0);
        values[1] = INT64_MIN;
        printed_bytes = 0;
        pipec_write_report(&table.table, round % 2, 1, values);
        CHECK(strcmp(printed, one) == 0);
        free(values);
    }
    return unused;
}

static void *describe_often(void *unused) {
    enum { UINT16 = 16 << 8 | 1, DIMENSIONS = 2 };
    static uint16_t pixels[6];
    for (int round = 0; round < ROUNDS; round++) {
        int64_t *slots = malloc((1 + 3 * DIMENSIONS) * sizeof *slots);
        Dimension dim[DIMENSIONS] = {{-1, 3, 1, 0}, {5, 2, 3, 0}};
        Buffer buffer = {.host = (uint8_t *)pixels, .type = UINT16, .dimensions = DIMENSIONS, .dim = dim};
#define DESCRIBE(buffer) pipec_describe(buffer, slots, "image", "uint16", UINT16, DIMENSIONS, 2)
        CHECK(DESCRIBE(&buffer) == 0 && slots[1] == -1 && slots[5] == 2 && slots[6] == 3);
        CHECK(DESCRIBE(NULL) == BUFFER_ARGUMENT_IS_NULL && strstr(pipec_last_error(), "image is NULL"));
        buffer.host++;
        CHECK(DESCRIBE(&buffer) == UNALIGNED_HOST);
        buffer.host = NULL;
        CHECK(DESCRIBE(&buffer) == HOST_IS_NULL);
        dim[1].extent = 0;
        CHECK(DESCRIBE(&buffer) == 0);
        dim[0].extent = -1;
        CHECK(DESCRIBE(&buffer) == EXTENTS_NEGATIVE && strstr(pipec_last_error(), "dimension 0 is negative (-1)"));
        buffer.type = 0xffff;
        CHECK(DESCRIBE(&buffer) == BAD_TYPE && strstr(pipec_last_error(), "code 255 and 255 bits"));
        char *name = malloc(3 * ERROR_BYTES);
        memset(name, 'n', 3 * ERROR_BYTES);
        name[3 * ERROR_BYTES - 1] = 0;
        CHECK(pipec_describe(NULL, slots, name, "", 0, 0, 1) == BUFFER_ARGUMENT_IS_NULL);
        CHECK(strlen(pipec_last_error()) == ERROR_BYTES - 1);
        free(name);
        free(slots);
    }
    return unused;
}

/* An input that is read from 2 before to 3 after the output, of which 4 rows are always needed. */
static int32_t regions(int64_t *slots) {
    int32_t *results = (int32_t *)(intptr_t)slots[14];
    const int32_t values[12] = {(int32_t)slots[8] - 2, (int32_t)slots[9] + 5, 1, 0, (int32_t)slots[12], 0,
                                (int32_t)slots[8], (int32_t)slots[9], 1, 0, 4, 0};
    memcpy(results, values, sizeof values);
    results[5] = results[1];
    results[11] = results[7];
    return 0;
}

static void *ask_often(void *unused) {
    enum { UINT16 = 16 << 8 | 1, DIMENSIONS = 2 };
    static const QueryBuffer rows[] = {{0, 0, DIMENSIONS, UINT16, -1, 0}, {7, 6, DIMENSIONS, UINT16, 1, 0}};
    static uint16_t pixels[6];
    const Query query = {regions, NULL, rows, 2, 14}, other = {NULL, "why", rows, 2, 14};
    for (int round = 0; round < ROUNDS; round++) {
        int64_t *slots = malloc(18 * sizeof *slots);
        int32_t *results = malloc(12 * sizeof *results);
        Dimension dim[2][DIMENSIONS] = {{{9, 9, 9, 9}, {9, 9, 9, 9}}, {{-1, 3, 1, 0}, {0, 2, 3, 0}}};
        Buffer input = {.dim = dim[0]}, output = {.type = UINT16, .dimensions = DIMENSIONS, .dim = dim[1]};
        Buffer *const buffers[] = {&input, &output}, *const none[] = {&input, NULL};
        CHECK(pipec_answer(&query, slots, results, none) == NO_QUERY);
        CHECK(pipec_answer(&other, slots, results, buffers) == QUERY_FAILED && strcmp(pipec_last_error(), "why") == 0);
        CHECK(pipec_answer(&query, slots, results, buffers) == 0);
        CHECK(input.type == UINT16 && input.dimensions == DIMENSIONS);
        CHECK(dim[0][0].min == -3 && dim[0][0].extent == 8 && dim[0][1].extent == 4 && dim[0][1].stride == 8);
        CHECK(dim[1][0].min == -1 && dim[1][1].extent == 4 && dim[1][1].stride == 3);
        input.host = output.host = (uint8_t *)pixels;
        CHECK(pipec_answer(&query, slots, results, buffers) == NO_QUERY);
        free(results);
        free(slots);
    }
    return unused;
}

static void *prepare_often(void *unused) {
    for (int round = 0; round < ROUNDS; round++) pipec_prepare();
    return unused;
}

static void test_threads(void) {
    setenv("HL_NUM_THREADS", "-7", 1);
    run_in_threads(THREADS, prepare_often, NULL);
    CHECK(thread_count >= 1);
    halide_set_num_threads(INT32_MAX);
    CHECK(halide_set_num_threads(INT32_MIN) == 1024 && thread_count == 1);
}

/* The counters of a run with two Funcs beside loops of none and waiting. */
enum { ENTRIES = 4, BYTES = 100 };

static void *count_often(void *argument) {
    Profile *profile = argument;
    int64_t last;
    pipec_profile_begin(profile, &last, 0);
    for (int round = 0; round < ROUNDS; round++) {
        int64_t entry = 2 + round % 2;
        pipec_profile_enter(profile, entry);
        pipec_profile_allocated(profile, entry, BYTES);
        pipec_profile_spend(profile, entry, &last);
        pipec_profile_release(profile, entry, BYTES, malloc(BYTES));
    }
    return NULL;
}

static void test_profiles(void) {
    Profile *profile = calloc(1, sizeof *profile + ENTRIES * sizeof(Counters));
    int64_t last, wall = 0;
    pipec_profile_begin(profile, &last, 1);
    count_often(profile);
    wall = profile->wall;
    run_in_threads(THREADS, count_often, profile);
    pipec_profile_wait(profile, &last, wall);
    int64_t sum = 0, entered = 0;
    for (int i = 0; i < ENTRIES; i++) {
        sum += profile->entries[i].wall;
        entered += profile->entries[i].entered;
        CHECK(profile->entries[i].live == 0 && profile->entries[i].peak <= profile->peak);
    }
    CHECK(sum == profile->wall && entered == (THREADS + 1) * ROUNDS && profile->allocations == entered);
    CHECK(profile->live == 0 && profile->peak >= BYTES && profile->peak <= THREADS * BYTES);
    free(profile);
}

static void *run_often(void *argument) {
    for (int round = 0; round < ROUNDS; round++) pipec_profile_run(argument);
    return NULL;
}

static void test_object_profiles(void) {
    static int64_t counters[2][sizeof(Profile) / 8 + ENTRIES * sizeof(Counters) / 8];
    static const char *const names[ENTRIES] = {"overhead:", "waiting:", "stored:", "read:"};
    static ObjectProfile profiles[] = {
        {"first", names, ENTRIES, (Profile *)counters[0], 0, 0, NULL},
        {"second", names, ENTRIES, (Profile *)counters[1], 0, 0, NULL},
    };
    for (int k = 0; k < 2; k++) run_in_threads(THREADS, run_often, &profiles[k]);
    int64_t last;
    pipec_profile_begin(profiles[1].profile, &last, 1);
    count_often(profiles[1].profile);
    printed_bytes = 0;
    halide_profiler_report(NULL);
    CHECK(strstr(printed, "first") && strstr(printed, "second") && strstr(printed, " runs: 1200 "));
    CHECK(strstr(printed, "num: 150  avg: 100\n") && !strstr(printed, "waiting:"));
    halide_profiler_reset(NULL);
    printed_bytes = 0;
    halide_profiler_report(NULL);
    CHECK(printed_bytes == 0);
    pipec_profile_run(&profiles[0]);
    halide_profiler_report(NULL);
    CHECK(strstr(printed, "first") && !strstr(printed, "second") && strstr(printed, " runs: 1 "));
    halide_profiler_reset(NULL);
}

enum { SAMPLES = 100, SAMPLE_INTERVAL = 100000, LINGER = 2000000 };

static void *note_often(void *argument) {
    ThreadState *state = pipec_profile_thread(argument);
    CHECK(state == pipec_profile_thread(argument));
    Time pause = {0, SAMPLE_INTERVAL};
    for (int round = 0; round < ROUNDS / 10; round++) {
        atomic_store(&state->entry, 3 + round % 2);
        nanosleep(&pause, NULL);
    }
    atomic_store(&state->entry, 0);
    return NULL;
}

static void *sample(void *unused) {
    pipec_profile_sample(SAMPLE_INTERVAL, LINGER);
    return unused;
}

static void test_samples(void) {
    enum { WIDTH = 2 + THREADS };
    static int64_t rows[SAMPLES * WIDTH];
    Samples *samples = calloc(1, sizeof *samples + MAX_SAMPLED_THREADS * sizeof(ThreadState));
    *samples = (Samples){rows, SAMPLES, WIDTH, 0};
    Profile profile = {.samples = samples};
    CHECK(pipec_profile_watch(samples) == 0);
    Thread sampler;
    CHECK(pthread_create(&sampler, NULL, sample, NULL) == 0);
    run_in_threads(THREADS, note_often, &profile);
    pipec_profile_forget(samples);
    CHECK(samples->count > 0 && samples->count <= SAMPLES);
    for (int64_t i = 0; i < samples->count * WIDTH; i++) CHECK(i % WIDTH < 2 || (rows[i] >= 0 && rows[i] <= 4));
    pthread_join(sampler, NULL);
    CHECK(pipec_profile_watch(samples) == 0);
    pipec_profile_forget(samples);
    free(samples);
}

int main(void) {
    run_in_threads(THREADS, report_often, NULL);
    run_in_threads(THREADS, describe_often, NULL);
    run_in_threads(THREADS, ask_often, NULL);
    test_threads();
    test_profiles();
    test_object_profiles();
    test_samples();
    return 0;
}
