/* Exercises launches of kernels with a driver that writes down what it is given. */
#include <string.h>

#include "check.h"
#include "device.h"

enum { THREADS = 4, ROUNDS = 2000, ROOM = 6, FREE_ROOM = 8, LAUNCH, USE, ALLOCATE, FREE, CODES };
enum { SCALARS = 1, BUFFERS = 2, PARAMETERS = SCALARS + BUFFERS };

int32_t pipec_device(CallTable *table, int32_t code, int32_t lanes, int64_t *values);
int32_t pipec_device_run(Program *program, Entry *entry, int64_t *slots, CallTable **place, const Resident *residents,
                         int64_t count);
int64_t pipec_pool_take(DevicePool *pool, int64_t bytes);
int32_t pipec_pool_give(DevicePool *pool, int64_t bytes, int64_t memory);

static int64_t launched, last_values[PARAMETERS];
static int32_t driver_status;
static _Thread_local int32_t python_calls;

int32_t pipec_run(Entry *entry, int64_t *slots) { return entry(slots); }

static int32_t set_argument(void *kernel, uint32_t number, size_t bytes, const void *value) {
    CHECK(kernel == &launched && number < PARAMETERS && bytes == (number == 0 ? 4 : 8));
    last_values[number] = 0;
    memcpy(&last_values[number], value, bytes);
    return 0;
}

static int32_t enqueue(void *queue, void *kernel, uint32_t axes, const size_t *offset, const int64_t *global,
                       const int64_t *local, uint32_t waits, const void *wait, void *event) {
    CHECK(queue != NULL && kernel == &launched && axes == AXES && offset == NULL && waits == 0 && wait == NULL);
    for (int i = 0; i < AXES; i++) CHECK(global[i] % local[i] == 0);
    if (event != NULL) *(int64_t *)event = launched;
    launched++;
    return driver_status;
}

static int32_t python(CallTable *table, int32_t code, int32_t lanes, int64_t *values) {
    CHECK(table != NULL && code < CODES && lanes == 1 && values != NULL);
    python_calls++;
    return -5;
}

static Lock program_lock, pool_lock_of_device;
static FreeMemory rows[2 * FREE_ROOM];
static DevicePool pool = {&pool_lock_of_device, .room = FREE_ROOM, .max_bytes = 1 << 20, .rows = rows};
static const int64_t written[] = {0, 1}, is_open = 1;
static KernelArgument arguments[] = {{4, 1, 0, 0}, {8, 0, 0, 0}, {8, 0, 0, 0}};
static Command launch = {COMMAND_LAUNCH, BUFFERS, written, &launched, 0, SCALARS, 64, 64, 8, 8, arguments, -1};
static Command use = {.kind = COMMAND_HOST, .buffers = BUFFERS, .written = written};
static Command allocate = {.kind = COMMAND_ALLOCATE}, release = {.kind = COMMAND_FREE};
static Command *commands[CODES] = {[LAUNCH] = &launch, [USE] = &use, [ALLOCATE] = &allocate, [FREE] = &release};
static Program program = {&program_lock, &pool, set_argument, enqueue, commands, &pool, &is_open, ROOM};

static int32_t report(int64_t *slots, int32_t code, int64_t *values) {
    CallTable *table = (CallTable *)slots[0];
    return table->report(table, code, 1, values);
}

/* Reads the buffer at slots[1] into an intermediate result, that into the buffer at slots[2]. */
static int32_t run_kernels(int64_t *slots) {
    double number = 0.5;
    int64_t bits, memory[] = {(intptr_t)slots, 5000};
    memcpy(&bits, &number, sizeof bits);
    int32_t status = report(slots, ALLOCATE, memory);
    if (status != 0) return ENDED_BY_CALLER;
    int64_t first[] = {2, 1, 1, 8, 4, 2, bits, slots[1], memory[0]}, second[] = {2, 1, 1, 8, 4, 2, bits, memory[0], slots[2]};
    status = report(slots, LAUNCH, first);
    if (status == 0) status = report(slots, LAUNCH, second);
    if (status != 0 || slots[3]) return ENDED_BY_CALLER;
    return report(slots, FREE, memory) == 0 ? 0 : ENDED_BY_CALLER;
}

static int32_t launch_large(int64_t *slots) {
    int64_t huge = INT32_MAX, values[] = {huge, huge, huge, huge, huge, huge, 0, slots[1], slots[2]};
    int32_t status = report(slots, LAUNCH, values);
    return status < 0 ? ENDED_BY_CALLER : status;
}

static int32_t run_with(Entry *entry, int64_t ends_early, Allocation *in, Allocation *out) {
    int64_t slots[] = {0, 1000, 2000, ends_early};
    Resident residents[] = {{1000, in}, {0, NULL}, {2000, out}};
    return pipec_device_run(&program, entry, slots, (CallTable **)&slots[0], residents, 3);
}

static void *run_often(void *unused) {
    Allocation in = {.memory = 11, .size = 5000, .pool = &pool}, out = {.memory = 22, .size = 5000, .pool = &pool};
    for (int round = 0; round < ROUNDS; round++) {
        /* Without free memory a run needs Python. */
        int32_t status = run_with(run_kernels, round % 3 == 0, &in, &out);
        CHECK(status == ENDED_BY_CALLER || (status == 0 && round % 3 != 0 && out.device_is_newer));
        out.device_is_newer = 0;
    }
    return unused;
}

static void test_runs(void) {
    Allocation in = {.memory = 11, .size = 5000, .pool = &pool}, out = {.memory = 22, .size = 5000, .pool = &pool};
    CHECK(run_with(run_kernels, 0, &in, &out) == ENDED_BY_CALLER && launched == 0);
    CHECK(pipec_pool_give(&pool, 8192, 33) && run_with(run_kernels, 0, &in, &out) == 0 && launched == 2);
    float number;
    memcpy(&number, &last_values[0], sizeof number);
    CHECK(number == 0.5f && last_values[1] == 33 && last_values[2] == 22 && out.device_is_newer && pool.count == 1);
    CHECK(run_with(launch_large, 0, &in, &out) == ENDED_BY_CALLER && launched == 2);
    driver_status = -38;
    CHECK(run_with(run_kernels, 0, &in, &out) == ENDED_BY_CALLER && pool.count == 1);
    driver_status = 0;
    in.host_is_newer = 1;
    CHECK(run_with(run_kernels, 0, &in, &out) == -1);
    in.host_is_newer = 0;
    run_in_threads(THREADS, run_often, NULL);
    CHECK(pool.count == 1 && pipec_pool_take(&pool, 4096) == 0 && pipec_pool_take(&pool, 8192) == 33);
}

/* What Python is asked for in a run of its own: buffers beyond the room, full lists of events, unknown buffers. */
static void test_python(void) {
    RunBuffer entries[1] = {0};
    Event events[1];
    Run run = {&program, python, &pool, entries, 0, 1, events, 0, 1, 0, 0};
    CallTable table = {pipec_device, NULL, NULL, &run};
    int64_t slots[] = {(intptr_t)&table}, memory[] = {1000, 5000}, more[] = {2000, 5000}, used[] = {1000, 1000};
    int64_t values[] = {1, 1, 1, 8, 8, 1, 0, 1000, 1000};
    CHECK(pipec_pool_give(&pool, 8192, 33) && pipec_pool_give(&pool, 8192, 44) && report(slots, ALLOCATE, memory) == 0);
    CHECK(report(slots, ALLOCATE, more) == -5 && report(slots, FREE, more) == -5 && python_calls == 2);
    int64_t before = launched;
    CHECK(report(slots, LAUNCH, values) == 0 && events[0].event == before && run.event_count == 1);
    CHECK(report(slots, LAUNCH, values) == -5 && report(slots, USE, used) == -5 && launched == before + 1);
    entries[0].own.device_is_newer = 0;
    CHECK(report(slots, USE, used) == 0 && entries[0].own.host_is_newer == 1 && report(slots, FREE, memory) == 0);
    /* Sizes that a pool has no room for are left to Python. */
    for (int64_t i = 0; i < FREE_ROOM - 2; i++) CHECK(pipec_pool_give(&pool, 4096, 100 + i));
    CHECK(!pipec_pool_give(&pool, 4096, 99) && pipec_pool_take(&pool, 4096) == 100);
    CHECK(!pipec_pool_give(&pool, pool.max_bytes, 99));
}

int main(void) {
    test_runs();
    test_python();
    return 0;
}
