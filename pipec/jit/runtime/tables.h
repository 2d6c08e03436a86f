/* Tables that machine code and Python share: rows of 64-bit numbers. What they mean is said in the Python modules. */
#pragma once

#include "system.h"

/* pipec/jit/runtime/call_table.py */
typedef struct CallTable CallTable;
typedef struct Profile Profile;
typedef struct Run Run; /* device.h */
typedef int32_t Report(CallTable *table, int32_t code, int32_t lanes, int64_t *values);

struct CallTable {
    Report *report;
    void *user_context;
    Profile *counters;
    Run *device;
};

typedef struct {
    _Atomic int64_t wall, threads, entered, live, peak, total, allocations;
    int64_t unused;
} Counters;

/* What a thread computes now: the number of its entry plus one, 0 where it computes nothing of this run. */
typedef struct {
    _Atomic int64_t thread, entry;
    int64_t unused[6];
} ThreadState;

/* What was sampled of a run: rows of `width` numbers, which are the time, the time since the sample before, both in
 * nanoseconds, and the entry of each thread. */
typedef struct {
    int64_t *rows;
    int64_t capacity, width, count;
    ThreadState threads[];
} Samples;

/* The counters of a run, and of its entries. `samples`: of code that is sampled. */
struct Profile {
    Thread caller;
    int64_t wall;
    _Atomic int64_t live, peak, allocations;
    Samples *samples;
    int64_t unused[2];
    Counters entries[];
};

enum { WAITING = 1, MAX_SAMPLED_THREADS = 64 };

/* pipec/jit/runtime/python_call_layout.py */
typedef struct Object Object;
typedef struct Allocation Allocation; /* device.h, as is Program */
typedef struct Program Program;
typedef int32_t Entry(int64_t *slots);
/* interrupt.c */
int32_t pipec_run(Entry *entry, int64_t *slots);
int32_t pipec_restore_exception(void);
/* A Buffer with memory on a device: its address in memory of the host. */
typedef struct {
    int64_t address;
    Allocation *allocation;
} Resident;
typedef int32_t Runner(Program *program, Entry *entry, int64_t *slots, CallTable **table, const Resident *residents,
                       int64_t count);

typedef struct {
    int64_t kind, place;
    Object *object;
    int64_t slot, low, high;
    const Object *dtype, *type;
    int64_t dimensions, shift, flags, output, same, resident;
} Row;

typedef struct {
    Entry *entry, *exact;
    int64_t count, rows, slots, code;
    const uint8_t *borders;
    int64_t checks, calls;
    const Object *int_type, *bool_type, *float_type, *tuple_type, *bytes_type, *array_type, *buffer_type;
    int64_t array_offset, type_offset, slots_offset;
    Runner *runner;
    Program *program, *exact_program;
    int64_t unfinished;
    CallTable *table;
    Row row[];
} FastCall;

enum { KIND_BUFFER, KIND_INTEGER, KIND_FLOAT32, KIND_FLOAT64 };
/* What an entry returns when an assertion failed, and when a function of the call table ended it. */
enum { CHECK_FAILED = 1, ENDED_BY_CALLER = 3 };

/* The lines of Reports in object code (pipec/jit/llvm/c_report.py). */
enum { PIECE_TEXT, PIECE_INTEGER, PIECE_DOUBLE, PIECE_BOOLEAN };

/* A text, or a value: the number of its row among those of the Report, and its format for printf. */
typedef struct {
    const char *text;
    int32_t kind, row;
} Piece;

/* A line with the values of all lanes, or a line for each lane; `values`: how many rows the Report has. */
typedef struct {
    const Piece *pieces;
    int32_t count, values, for_each_lane;
} Line;

typedef struct {
    CallTable table;
    const Line *lines;
} ReportTable;

/* The counters of a pipeline in object code (pipec/jit/llvm/c_profile.py): of all its runs, by the `names` of entries. */
typedef struct ObjectProfile {
    const char *pipeline;
    const char *const *names;
    int64_t count;
    Profile *profile;
    _Atomic int64_t runs, is_listed;
    struct ObjectProfile *next;
} ObjectProfile;

/* Buffers have the layout of Halide's halide_buffer_t (pipec/jit/c/header.py). */
typedef struct {
    int32_t min, extent, stride;
    uint32_t flags;
} Dimension;

typedef struct {
    uint64_t device;
    const void *device_interface;
    uint8_t *host;
    uint64_t flags;
    int32_t type, dimensions;
    Dimension *dim;
    void *padding;
} Buffer;

static inline void set_type(Buffer *buffer, int32_t type) { buffer->type = type; }

/* pipec/jit/c/interface.py */
enum {
    BAD_TYPE = -3,
    BUFFER_ARGUMENT_IS_NULL = -12,
    UNALIGNED_HOST = -24,
    EXTENTS_NEGATIVE = -28,
    HOST_IS_NULL = -34,
    BAD_DIMENSIONS = -43,
};
/* Room for the text of an error. */
enum { ERROR_BYTES = 1024 };
