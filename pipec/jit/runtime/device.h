/* Tables of the runner of kernels, which Python fills in (pipec/jit/runtime/device_tables.py). */
#pragma once

#include "tables.h"

typedef struct {
    int64_t bytes, memory;
} FreeMemory;

typedef struct {
    Lock *lock;
    int64_t count, room, bytes, max_bytes, generation;
    FreeMemory *rows;
} DevicePool;

struct Allocation {
    int64_t memory, host_is_newer, device_is_newer, size;
    DevicePool *pool;
    int64_t watched;
};

/* A buffer of a run. */
typedef struct {
    int64_t address;
    Allocation *allocation; /* or NULL: its own */
    Allocation own;
} RunBuffer;

typedef struct {
    int64_t bytes, is_float, is_set, value;
} KernelArgument;

/* A Report. */
typedef struct {
    int64_t kind, buffers;
    const int64_t *written;
    void *kernel;
    int64_t number, scalars, max_threads, max_x, max_y, max_z;
    KernelArgument *arguments;
    int64_t generation;
} Command;

/* Functions of the device API, as clSetKernelArg and clEnqueueNDRangeKernel: 0 means success. */
typedef int32_t SetArgument(void *kernel, uint32_t number, size_t bytes, const void *value);
typedef int32_t Enqueue(void *queue, void *kernel, uint32_t axes, const size_t *offset, const int64_t *global,
                        const int64_t *local, uint32_t waits, const void *wait, void *event);

struct Program {
    Lock *lock;
    DevicePool *pool;
    SetArgument *set_argument;
    Enqueue *enqueue;
    Command **rows;
    void *queue;
    const int64_t *is_open;
    int64_t room;
};

typedef struct {
    int64_t event, kernel;
} Event;

struct Run {
    Program *program;
    Report *python;
    void *queue;
    RunBuffer *entries;
    int64_t count, room;
    Event *events;
    int64_t event_count, event_room, failed, launches;
};

enum { COMMAND_LAUNCH = 1, COMMAND_HOST, COMMAND_ALLOCATE, COMMAND_FREE };
/* What a launch reports before the values of the kernel's parameters: the grid and the group. */
enum { AXES = 3, LAUNCH_SIZES = 2 * AXES };
/* Memory of the device is given out in multiples of so many bytes, or of more where that adds at most an eighth. */
enum { GRAIN = 1 << 12 };
