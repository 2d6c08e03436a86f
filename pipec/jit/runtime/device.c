/* What host programs with kernels call.
 *
 * A launch whose buffers are on the device and newest there goes from here to the driver: no Python, no interpreter
 * lock. Everything else (copies, new memory, errors, other Reports) is left to Python's report function, which puts the
 * buffers of a launch in order and returns; what it cannot, it raises.
 */
#include "device.h"

#define MAX_SIZE ((int64_t)INT32_MAX)

/* A free buffer of just that size, or 0. It is the one at the lowest address: each run of a pipeline finds the same, and
 * arguments of kernels stay set. */
PUBLIC int64_t pipec_pool_take(DevicePool *pool, int64_t bytes) {
    FreeMemory *best = NULL;
    pthread_mutex_lock(pool->lock);
    for (FreeMemory *row = pool->rows; row < pool->rows + pool->count; row++)
        if (row->bytes == bytes && (best == NULL || (uint64_t)row->memory < (uint64_t)best->memory)) best = row;
    int64_t memory = 0;
    if (best != NULL) {
        memory = best->memory;
        *best = pool->rows[--pool->count];
        pool->bytes -= bytes;
    }
    pthread_mutex_unlock(pool->lock);
    return memory;
}

/* Whether there was room for a buffer. */
static bool add_free(DevicePool *pool, int64_t bytes, int64_t memory, int64_t room, int64_t max_bytes) {
    pthread_mutex_lock(pool->lock);
    bool fits = pool->count < room && pool->bytes + bytes <= max_bytes;
    if (fits) {
        pool->rows[pool->count++] = (FreeMemory){bytes, memory};
        pool->bytes += bytes;
    }
    pthread_mutex_unlock(pool->lock);
    return fits;
}

PUBLIC int32_t pipec_pool_give(DevicePool *pool, int64_t bytes, int64_t memory) {
    return add_free(pool, bytes, memory, pool->room, pool->max_bytes);
}

/* The size of the memory for so many bytes. */
static int64_t rounded(int64_t size) {
    int64_t grain = GRAIN;
    if (size < 1) size = 1;
    while (8 * grain < size) grain *= 2;
    return (size + grain - 1) & -grain;
}

/* In place of Python in runs that are to do without it. */
static int32_t refuse(CallTable *table, int32_t code, int32_t lanes, int64_t *values) {
    (void)table, (void)code, (void)lanes, (void)values;
    return -1;
}

/* What was taken in a run without Python, returned: there always is room for it. */
static void return_memory(DevicePool *pool, const Allocation *allocation) {
    add_free(pool, rounded(allocation->size), allocation->memory, 2 * pool->room, INT64_MAX);
}

/* The buffer of the run with an address, or NULL. */
static RunBuffer *find(const Run *run, int64_t address) {
    for (int64_t i = 0; i < run->count; i++)
        if (run->entries[i].address == address) return &run->entries[i];
    return NULL;
}

static Allocation *allocation_of(const Run *run, int64_t address) {
    RunBuffer *buffer = find(run, address);
    return buffer == NULL ? NULL : buffer->allocation != NULL ? buffer->allocation : &buffer->own;
}

/* Memory for an intermediate result; whether there was some. `values`: its address on the host, its size. */
static bool allocate(Run *run, const int64_t *values) {
    if (values[1] > MAX_SIZE) return false;
    RunBuffer *buffer = find(run, 0);
    bool is_new = buffer == NULL;
    if (is_new && run->count >= run->room) return false;
    if (is_new) buffer = &run->entries[run->count];
    int64_t memory = pipec_pool_take(run->program->pool, rounded(values[1]));
    if (memory == 0) return false;
    run->count += is_new;
    buffer->address = values[0];
    buffer->allocation = NULL;
    buffer->own.memory = memory;
    buffer->own.host_is_newer = buffer->own.device_is_newer = 0;
    buffer->own.size = values[1];
    return true;
}

static bool release(Run *run, const int64_t *values) {
    RunBuffer *buffer = find(run, values[0]);
    if (buffer == NULL) return false;
    const Allocation *allocation = &buffer->own;
    if (run->python == refuse)
        return_memory(run->program->pool, allocation);
    else if (!pipec_pool_give(run->program->pool, rounded(allocation->size), allocation->memory))
        return false;
    buffer->address = 0;
    return true;
}

/* Whether the buffers of a command are known to the run, and newest on the host, or on the device. */
static bool are_ready(const Run *run, const Command *command, const int64_t *addresses, bool on_host) {
    for (int64_t i = 0; i < command->buffers; i++) {
        const Allocation *allocation = allocation_of(run, addresses[i]);
        if (allocation == NULL || (on_host ? allocation->device_is_newer : allocation->host_is_newer)) return false;
    }
    return true;
}

/* The buffers that a command writes are newer on the host, or on the device. */
static void mark_written(const Run *run, const Command *command, const int64_t *addresses, bool on_host) {
    for (int64_t i = 0; i < command->buffers; i++) {
        if (!command->written[i]) continue;
        Allocation *allocation = allocation_of(run, addresses[i]);
        *(on_host ? &allocation->host_is_newer : &allocation->device_is_newer) = 1;
    }
}

static bool use_on_host(const Run *run, const Command *command, const int64_t *addresses) {
    if (!are_ready(run, command, addresses, true)) return false;
    mark_written(run, command, addresses, true);
    return true;
}

/* Whether a launch can go to the driver: the group is small enough, the buffers are there, events have room. */
static bool can_launch(const Run *run, const Command *command, const int64_t *values) {
    const int64_t *group = values + AXES;
    return group[0] <= command->max_x && group[1] <= command->max_y && group[2] <= command->max_z &&
           group[0] * group[1] * group[2] <= command->max_threads &&
           (run->event_room == 0 || run->event_count < run->event_room) &&
           are_ready(run, command, values + LAUNCH_SIZES + command->scalars, false);
}

/* Gives a kernel those arguments that differ from the last ones; what the driver says. */
static int32_t set_arguments(const Run *run, Command *command, const int64_t *values) {
    int64_t generation = run->program->pool->generation;
    bool is_current = command->generation == generation;
    command->generation = generation;
    for (int64_t i = 0; i < command->scalars + command->buffers; i++) {
        KernelArgument *argument = &command->arguments[i];
        int64_t value = values[LAUNCH_SIZES + i];
        if (i >= command->scalars) value = allocation_of(run, value)->memory;
        if (is_current && argument->is_set && argument->value == value) continue;
        argument->is_set = 1;
        argument->value = value;
        if (argument->is_float) {
            double number;
            __builtin_memcpy(&number, &value, sizeof number);
            float narrow = (float)number;
            __builtin_memcpy(&value, &narrow, sizeof narrow);
        }
        int32_t status = run->program->set_argument(command->kernel, (uint32_t)i, (size_t)argument->bytes, &value);
        if (status != 0) {
            command->generation = -1; /* all are given again */
            return status;
        }
    }
    return 0;
}

/* What the driver says to a launch. */
static int32_t enqueue(Run *run, const Command *command, const int64_t *values) {
    int64_t global[AXES];
    for (int i = 0; i < AXES; i++) global[i] = values[i] * values[AXES + i];
    Event *event = run->events == NULL ? NULL : &run->events[run->event_count];
    int32_t status = run->program->enqueue(run->queue, command->kernel, AXES, NULL, global, values + AXES, 0, NULL,
                                           event == NULL ? NULL : &event->event);
    if (status != 0) return status;
    run->launches++;
    if (event != NULL) {
        event->kernel = command->number;
        run->event_count++;
    }
    return 0;
}

static int32_t launch(CallTable *table, int32_t code, Command *command, int64_t *values) {
    Run *run = table->device;
    if (values[0] <= 0 || values[1] <= 0 || values[2] <= 0) return 0;
    if (!can_launch(run, command, values)) {
        int32_t status = run->python(table, code, 1, values);
        if (status < 0) return status;
        /* What Python answers while it raises an exception means nothing. */
        if (!are_ready(run, command, values + LAUNCH_SIZES + command->scalars, false)) return -1;
    }
    int32_t status = set_arguments(run, command, values);
    if (status == 0) status = enqueue(run, command, values);
    if (status != 0) {
        run->failed = status;
        return run->python(table, code, 1, values);
    }
    mark_written(run, command, values + LAUNCH_SIZES + command->scalars, false);
    return 0;
}

static int32_t execute(CallTable *table, int32_t code, Command *command, int64_t *values) {
    Run *run = table->device;
    bool is_done = false;
    switch (command->kind) {
    case COMMAND_LAUNCH: return launch(table, code, command, values);
    case COMMAND_HOST: is_done = use_on_host(run, command, values); break;
    case COMMAND_ALLOCATE: is_done = allocate(run, values); break;
    case COMMAND_FREE: is_done = release(run, values); break;
    }
    return is_done ? 0 : run->python(table, code, 1, values);
}

/* The report function of host programs with kernels. */
PUBLIC int32_t pipec_device(CallTable *table, int32_t code, int32_t lanes, int64_t *values) {
    const Run *run = table->device;
    Command *command = run->program->rows[code];
    if (command == NULL) return run->python(table, code, lanes, values);
    pthread_mutex_lock(run->program->lock);
    int32_t answer = execute(table, code, command, values);
    pthread_mutex_unlock(run->program->lock);
    return answer;
}

/* Whether a run can use a buffer: the allocation is on its device and newest there, and no other one has the same address. */
static bool add_buffer(Run *run, const Resident *resident) {
    Allocation *allocation = resident->allocation, *known = allocation_of(run, resident->address);
    if (allocation->pool != run->program->pool || allocation->host_is_newer || allocation->watched) return false;
    if (known != NULL) return known == allocation;
    if (run->count >= run->room) return false;
    RunBuffer *buffer = &run->entries[run->count++];
    buffer->address = resident->address;
    buffer->allocation = allocation;
    return true;
}

/* Returns what a run that was ended still has. */
static void release_all(const Run *run) {
    for (const RunBuffer *buffer = run->entries; buffer < run->entries + run->count; buffer++)
        if (buffer->address != 0 && buffer->allocation == NULL) return_memory(run->program->pool, &buffer->own);
}

/* A run that needs nothing of Python: calls `entry` with a call table of its own, whose address goes to `place`. What
 * would need Python ends the run: the answer is not 0 then, and all memory is given back. */
PUBLIC int32_t pipec_device_run(Program *program, Entry *entry, int64_t *slots, CallTable **place,
                                const Resident *residents, int64_t count) {
    if (*program->is_open == 0) return -1;
    RunBuffer entries[program->room];
    Run run = {.program = program, .python = refuse, .queue = program->queue, .entries = entries,
               .room = program->room};
    CallTable table = {.report = pipec_device, .device = &run};
    *place = &table;
    for (int64_t i = 0; i < count; i++)
        if (residents[i].allocation != NULL && !add_buffer(&run, &residents[i])) return -1;
    int32_t status = pipec_run(entry, slots);
    release_all(&run);
    return status;
}
