/* Tables that machine code and Python share: rows of 64-bit numbers. What they mean is said in the Python modules. */
#pragma once

#include "system.h"

/* pipec/jit/runtime/call_table.py */
typedef struct CallTable CallTable;
typedef struct Profile Profile;
typedef int32_t Report(CallTable *table, int32_t code, int32_t lanes, int64_t *values);

struct CallTable {
    Report *report;
    void *user_context;
    Profile *counters;
    void *device;
};

typedef struct {
    _Atomic int64_t wall, threads, entered, live, peak, total, allocations;
    int64_t unused;
} Counters;

/* The counters of a run, and of its entries. */
struct Profile {
    Thread caller;
    int64_t wall;
    _Atomic int64_t live, peak, allocations;
    int64_t unused[3];
    Counters entries[];
};

enum { WAITING = 1 };
