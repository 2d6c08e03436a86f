/* Ctrl-C while machine code runs.
 *
 * Python handles signals in its main thread only, which has no chance to while it is in machine code. So a monitor
 * raises `pipec_attention` when a call of the main thread takes long. Machine code looks at it in outer loops and at the
 * start of tasks and then calls `pipec_check`; in the main thread that lets Python handle its signals. An exception of a
 * handler, such as KeyboardInterrupt, ends the call: the caller raises it. So does what a Python function raises that
 * machine code calls, in which Python may handle signals, too.
 */
#include "python.h"
#include "runtime.h"

enum { TICK = 50000000, IDLE_TICKS = 20, NO_CALL = 0 }; /* nanoseconds; ticks without a call until the monitor sleeps */

static Lock interrupt_lock;
static Condition interrupt_call;
static Thread main_thread;
/* The number of the innermost call of the main thread, and of the last one. */
static _Atomic int64_t current;
static int64_t last_call;
static const int64_t *current_slots; /* of the innermost call */
static bool is_started;
static _Atomic bool is_asleep;
static Object *exception, *exception_value, *exception_traceback;

/* Lets Python handle its signals; whether a handler raised an exception. Called by the main thread without the GIL. */
static int32_t handle_signals(void) {
    int32_t state = PyGILState_Ensure();
    int32_t failed = PyErr_CheckSignals();
    if (failed != 0) PyErr_Fetch(&exception, &exception_value, &exception_traceback);
    PyGILState_Release(state);
    return failed;
}

/* Restores the exception that ended a call of the main thread; false where there is none. The GIL is held. */
PUBLIC int32_t pipec_restore_exception(void) {
    if (pthread_self() != main_thread || exception == NULL) return false;
    PyErr_Restore(exception, exception_value, exception_traceback);
    exception = NULL;
    return true;
}

/* Ends the call that the main thread is in with an exception; false in other threads and outside calls. The GIL is
 * held. */
PUBLIC int32_t pipec_end_call(Object *error) {
    if (pthread_self() != main_thread || atomic_load_explicit(&current, memory_order_relaxed) == NO_CALL) return false;
    if (exception != NULL) return true; /* the call ends already */
    Py_IncRef(exception = (Object *)error->type);
    Py_IncRef(exception_value = error);
    exception_traceback = NULL;
    pipec_cancel(current_slots);
    return true;
}

static void *monitor(void *nothing) {
    (void)nothing;
    for (;;) {
        int64_t before = NO_CALL;
        for (int idle = 0; idle < IDLE_TICKS; idle++) {
            Time tick = {0, TICK};
            nanosleep(&tick, NULL);
            int64_t now = atomic_load_explicit(&current, memory_order_relaxed);
            pipec_set_attention(now != NO_CALL && now == before);
            if (now != NO_CALL) idle = 0;
            before = now;
        }
        pthread_mutex_lock(&interrupt_lock);
        atomic_store(&is_asleep, true);
        while (atomic_load(&is_asleep) && atomic_load(&current) == NO_CALL)
            pthread_cond_wait(&interrupt_call, &interrupt_lock);
        atomic_store(&is_asleep, false);
        pthread_mutex_unlock(&interrupt_lock);
    }
    return NULL;
}

static void wake_monitor(void) {
    pthread_mutex_lock(&interrupt_lock);
    if (!is_started) {
        Thread thread;
        is_started = true;
        /* Without a thread calls cannot be interrupted. */
        if (pthread_create(&thread, NULL, monitor, NULL) == 0) pthread_detach(thread);
    }
    atomic_store(&is_asleep, false);
    pthread_cond_signal(&interrupt_call);
    pthread_mutex_unlock(&interrupt_lock);
}

/* `thread`: Python's main thread. Also called in the child of a fork, which has no monitor. */
PUBLIC void pipec_watch(Thread thread) {
    interrupt_lock = system_new_lock;
    interrupt_call = system_new_condition;
    main_thread = thread;
    is_started = false;
    atomic_store(&is_asleep, true);
    atomic_store(&current, NO_CALL);
    pipec_set_handler(handle_signals, thread);
}

/* Runs machine code so that Ctrl-C can end it. */
PUBLIC int32_t pipec_run(Entry *entry, int64_t *slots) {
    if (pthread_self() != main_thread) return entry(slots);
    int64_t outer = atomic_load_explicit(&current, memory_order_relaxed);
    const int64_t *outer_slots = current_slots;
    atomic_store_explicit(&current, ++last_call, memory_order_relaxed);
    current_slots = slots;
    if (atomic_load_explicit(&is_asleep, memory_order_relaxed)) wake_monitor();
    int32_t status = entry(slots);
    atomic_store_explicit(&current, outer, memory_order_relaxed);
    current_slots = outer_slots;
    /* Tasks may have ended, or another one failed, before they saw that the call was cancelled. */
    return pipec_end_cancellation(slots) ? ENDED_BY_CALLER : status;
}

/* As pipec_run, on at most `threads` threads, the caller among them. */
PUBLIC int32_t pipec_run_limited(Entry *entry, int64_t *slots, int32_t threads) {
    CallLimit limit = {slots, NULL, threads, 0};
    pipec_limit_call(&limit);
    int32_t status = pipec_run(entry, slots);
    pipec_end_limit(&limit);
    return status;
}
