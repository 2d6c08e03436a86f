/* A number that two threads pass back and forth (pipec/autoschedule/measure/core_latency.py). */
#include "system.h"

enum { MAX_LOOKS = 200000 }; /* before a thread gives up, as the other one does not run */

/* Adds 1 to a number each time that it is 2 i + which, for i from `first` to before `end`. Returns where it came to. */
PUBLIC int64_t pipec_exchange(_Atomic int64_t *number, int64_t which, int64_t first, int64_t end) {
    for (int64_t i = first; i < end; i++) {
        int64_t turn = 2 * i + which;
        for (int32_t looks = 0; atomic_load_explicit(number, memory_order_acquire) != turn; system_pause())
            if (++looks > MAX_LOOKS) return i;
        atomic_store_explicit(number, turn + 1, memory_order_release);
    }
    return end;
}
