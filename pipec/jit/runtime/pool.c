/* The thread pool.
 *
 * A job lives on the stack of the thread that asks for it, which takes part in it, and never waits for a worker that
 * has not begun. So regions nest, any number of threads may call at once, and a machine whose cores are busy is no
 * slower than one thread. Who waits for a worker helps it with the regions that nest in its task. Workers spin a while
 * after their last task, then sleep. The first status that is not 0 ends a job.
 *
 * The indices of a job lie in as many shares as there are threads. A thread takes those of its own share in order, then
 * from the end of others. So it comes to the same part of a picture in each of the loops, and in the next call, and
 * finds in its own cache what it wrote there; neighbours in a picture are seldom with different threads.
 *
 * Callers and workers together are at most as many as there are threads, as long as there are fewer callers: a worker
 * joins no job, and leaves one, while as many threads are busy. A call may be limited to fewer.
 */
#include "runtime.h"

enum {
    MAX_SHARES = 32,           /* more threads than these have some in common */
    MAX_JOB_INDICES = 1 << 30, /* longer loops take several jobs */
    TURNS_PER_YIELD = 64,      /* a power of two: how often a thread spins before it lets others run */
    CALLER_SPINS = 4000,       /* before the caller of a job sleeps */
};

/* The first index that is left, and in the high half the end of those that are. */
typedef struct {
    alignas(CACHE_LINE) _Atomic uint64_t range;
} Share;

typedef struct Job {
    Task *task;
    void *closure;
    int64_t minimum;
    int64_t share_count;
    struct Job *next;
    const struct Job *around; /* in which its caller is one of the workers, if any */
    const void *slots;        /* of its call */
    CallLimit *limit;         /* NULL: none of its own */
    bool is_outermost;        /* of its call */
    alignas(CACHE_LINE) _Atomic int32_t status;
    _Atomic int32_t active; /* workers in the job */
    Share shares[MAX_SHARES];
} Job;

/* A thread that works on the job of another one. */
typedef struct Helper {
    Thread thread;
    Job *job;
    struct Helper *next;
} Helper;

/* Defined by the loader: not all systems begin them with zeros. */
extern Lock pool_lock;
extern Condition pool_work, pool_done;

static alignas(CACHE_LINE) _Atomic uint32_t epoch; /* changes when there is something new to do */
static alignas(CACHE_LINE) Job *jobs;
/* Under the lock: workers that exist, whose numbers are 1 to `started`; workers that sleep, callers that sleep. */
static int32_t started, sleeping, waiting;
static CallLimit *call_limits;
static Helper *helpers; /* the last of a thread first */
/* Callers and workers in jobs; changes under the lock. */
static _Atomic int32_t busy;
static _Atomic int32_t thread_limit = 1, worker_spins = 20000;

/* Called with the lock held. */
static void wake_workers(void) {
    atomic_fetch_add_explicit(&epoch, 1, memory_order_release);
    if (sleeping > 0) pthread_cond_broadcast(&pool_work);
}

PUBLIC void pipec_set_threads(int32_t threads, int32_t spins) {
    pthread_mutex_lock(&pool_lock);
    atomic_store_explicit(&thread_limit, threads, memory_order_relaxed);
    atomic_store_explicit(&worker_spins, spins, memory_order_relaxed);
    wake_workers();
    pthread_mutex_unlock(&pool_lock);
}

static int32_t threads_now(void) { return atomic_load_explicit(&thread_limit, memory_order_relaxed); }

PUBLIC void pipec_limit_call(CallLimit *limit) {
    pthread_mutex_lock(&pool_lock);
    limit->next = call_limits;
    call_limits = limit;
    pthread_mutex_unlock(&pool_lock);
}

PUBLIC void pipec_end_limit(CallLimit *limit) {
    pthread_mutex_lock(&pool_lock);
    CallLimit **link = &call_limits;
    while (*link != limit) link = &(*link)->next;
    *link = limit->next;
    pthread_mutex_unlock(&pool_lock);
}

static int32_t busy_now(void) { return atomic_load_explicit(&busy, memory_order_relaxed); }

static void change_busy(int32_t by) { atomic_fetch_add_explicit(&busy, by, memory_order_relaxed); }

PUBLIC int32_t pipec_threads(void) { return threads_now(); }

/* In the child of a fork: there are no workers, and nobody holds a lock or waits. */
PUBLIC void pipec_forked(void) {
    pool_lock = system_new_lock;
    pool_work = pool_done = system_new_condition;
    jobs = NULL;
    call_limits = NULL;
    helpers = NULL;
    atomic_store(&busy, 0);
    started = sleeping = waiting = 0;
    pipec_memory_forked();
}

/* Not 0: machine code shall call pipec_check. */
PUBLIC _Atomic int32_t pipec_attention = 0;
static Handler *signal_handler;
static Thread handling_thread;
/* The slots of the call that is to end. */
static _Atomic(const void *) cancelled;

PUBLIC void pipec_set_handler(Handler *handler, Thread main_thread) {
    signal_handler = handler;
    handling_thread = main_thread;
    atomic_store(&cancelled, NULL);
    atomic_store(&pipec_attention, 0);
}

/* A cancelled call keeps the attention of its tasks until it has ended. */
PUBLIC void pipec_set_attention(int32_t value) {
    bool is_needed = value != 0 || atomic_load(&cancelled) != NULL;
    atomic_store_explicit(&pipec_attention, is_needed, memory_order_relaxed);
}

/* Ends the call with these slots as soon as its threads look for signals. */
PUBLIC void pipec_cancel(const void *slots) {
    atomic_store(&cancelled, slots);
    pipec_set_attention(1);
}

/* What a thread that works for the call with these slots does about `pipec_attention`; the status to leave with. */
PUBLIC int32_t pipec_check(const void *slots) {
    if (atomic_load(&cancelled) == slots) return CANCELLED;
    if (signal_handler == NULL || pthread_self() != handling_thread) return 0;
    pipec_set_attention(0);
    if (signal_handler() == 0) return 0;
    pipec_cancel(slots);
    return CANCELLED;
}

/* Whether the call with these slots, which has ended, was cancelled. */
PUBLIC bool pipec_end_cancellation(const void *slots) {
    if (atomic_load_explicit(&cancelled, memory_order_relaxed) != slots) return false;
    atomic_store(&cancelled, NULL);
    pipec_set_attention(0);
    return true;
}

/* Takes the first index of a share, or its last; -1 where none is left. */
static int64_t take_index(Share *share, bool last) {
    uint64_t range = atomic_load_explicit(&share->range, memory_order_relaxed);
    for (;;) {
        uint64_t first = range & UINT32_MAX, end = range >> 32;
        if (first >= end) return -1;
        uint64_t rest = last ? range - ((uint64_t)1 << 32) : range + 1;
        if (atomic_compare_exchange_weak_explicit(&share->range, &range, rest, memory_order_relaxed,
                                                  memory_order_relaxed))
            return (int64_t)(last ? end - 1 : first);
    }
}

/* The next index for a thread whose share is `own`, or -1. */
static int64_t next_index(Job *job, int64_t own) {
    int64_t index = take_index(&job->shares[own], false);
    for (int64_t k = 1; index < 0 && k < job->share_count; k++) {
        int64_t other = own + k < job->share_count ? own + k : own + k - job->share_count;
        index = take_index(&job->shares[other], true);
    }
    return index;
}

static bool has_indices(const Job *job) {
    for (int64_t k = 0; k < job->share_count; k++) {
        uint64_t range = atomic_load_explicit(&job->shares[k].range, memory_order_relaxed);
        if ((range & UINT32_MAX) < range >> 32) return true;
    }
    return false;
}

/* What the thread with a number has to do with a job; 0: the caller. */
static void run_tasks(Job *job, int64_t thread) {
    int64_t own = thread % job->share_count;
    for (;;) {
        /* Other callers have come, who need its core. */
        if (thread != 0 && busy_now() > threads_now()) return;
        int64_t index = next_index(job, own);
        if (index < 0) return;
        int32_t status = job->task(job->closure, job->minimum + index);
        if (status != 0) {
            int32_t none = 0;
            atomic_compare_exchange_strong_explicit(&job->status, &none, status, memory_order_relaxed,
                                                    memory_order_relaxed);
            for (int64_t k = 0; k < job->share_count; k++)
                atomic_store_explicit(&job->shares[k].range, 0, memory_order_relaxed);
            return;
        }
    }
}

/* One turn of a spinning thread, `turn` before its last. Whoever else is to run on its core, and may be whom it waits
 * for, gets there once in a while. */
static void spin(int32_t turn) {
    system_pause();
    if ((turn & (TURNS_PER_YIELD - 1)) == 0) sched_yield();
}

/* Returns when there may be something new to do after `seen`. */
static void await_work(uint32_t seen) {
    int32_t turn = atomic_load_explicit(&worker_spins, memory_order_relaxed);
    do {
        if (atomic_load_explicit(&epoch, memory_order_acquire) != seen) return;
        spin(turn--);
    } while (turn > 0);
    pthread_mutex_lock(&pool_lock);
    while (atomic_load_explicit(&epoch, memory_order_relaxed) == seen) {
        sleeping++;
        pthread_cond_wait(&pool_work, &pool_lock);
        sleeping--;
    }
    pthread_mutex_unlock(&pool_lock);
}

/* Called with the lock held. */
static bool may_join(const Job *job) {
    if (busy_now() >= threads_now()) return false;
    return job->limit == NULL || job->limit->workers + 1 < job->limit->threads;
}

/* Called with the lock held: works on another thread's job. The caller of the job may return, and the job be gone, as
 * soon as nobody is active in it. */
static void help(Job *job, int64_t number) {
    Helper own = {pthread_self(), job, helpers};
    helpers = &own;
    atomic_fetch_add_explicit(&job->active, 1, memory_order_relaxed);
    pthread_mutex_unlock(&pool_lock);
    run_tasks(job, number);
    pthread_mutex_lock(&pool_lock);
    Helper **link = &helpers;
    while (*link != &own) link = &(*link)->next;
    *link = own.next;
    atomic_fetch_sub_explicit(&job->active, 1, memory_order_release);
    if (waiting > 0) pthread_cond_broadcast(&pool_done);
}

static void *run_worker(void *argument) {
    int64_t number = (intptr_t)argument;
    for (;;) {
        pthread_mutex_lock(&pool_lock);
        /* The last one ends first: a number names a share of each job, and no two threads have the same. */
        if (started >= threads_now() && number == started) {
            if (--started >= threads_now()) wake_workers();
            pthread_mutex_unlock(&pool_lock);
            return NULL;
        }
        Job *job = number < threads_now() ? jobs : NULL;
        while (job != NULL && !(may_join(job) && has_indices(job))) job = job->next;
        if (job == NULL) {
            uint32_t seen = atomic_load_explicit(&epoch, memory_order_relaxed);
            pthread_mutex_unlock(&pool_lock);
            await_work(seen);
            continue;
        }
        CallLimit *limit = job->limit;
        if (limit != NULL) limit->workers++;
        change_busy(1);
        help(job, number);
        change_busy(-1);
        if (limit != NULL) limit->workers--;
        pthread_mutex_unlock(&pool_lock);
    }
}

/* Called with the lock held. The pool does without a thread that cannot be created. */
static void start_workers(int32_t threads) {
    while (started + 1 < threads) {
        Thread thread;
        if (pthread_create(&thread, NULL, run_worker, (void *)(intptr_t)(started + 1)) != 0) return;
        started++;
        pthread_detach(thread);
    }
}

static void offer(Job *job, int64_t count, int32_t threads) {
    pthread_mutex_lock(&pool_lock);
    start_workers(threads);
    /* A closure begins with the slots of the call. */
    job->slots = job->closure == NULL ? NULL : *(const void **)job->closure;
    const Helper *own = helpers;
    while (own != NULL && own->thread != pthread_self()) own = own->next;
    job->around = own == NULL ? NULL : own->job;
    job->is_outermost = job->around == NULL;
    for (Job *other = jobs; other != NULL; other = other->next)
        if (job->slots != NULL && other->slots == job->slots) job->is_outermost = false;
    job->limit = call_limits;
    while (job->limit != NULL && job->limit->slots != job->slots) job->limit = job->limit->next;
    if (job->is_outermost) change_busy(1);
    job->next = jobs;
    jobs = job;
    atomic_fetch_add_explicit(&epoch, 1, memory_order_release);
    bool asleep = sleeping > 0;
    if (job->around != NULL && waiting > 0) pthread_cond_broadcast(&pool_done);
    pthread_mutex_unlock(&pool_lock);
    if (asleep && count == 2)
        pthread_cond_signal(&pool_work);
    else if (asleep)
        pthread_cond_broadcast(&pool_work);
}

static void withdraw(Job *job) {
    pthread_mutex_lock(&pool_lock);
    Job **link = &jobs;
    while (*link != job) link = &(*link)->next;
    *link = job->next;
    if (job->is_outermost) {
        change_busy(-1);
        if (jobs != NULL) wake_workers(); /* its core may help others */
    }
    pthread_mutex_unlock(&pool_lock);
}

/* Called with the lock held: helps a worker of a job that has been withdrawn with what nests in its task. Returns
 * whether there was anything to do. */
static bool help_worker_of(const Job *job) {
    Job *nested = jobs;
    while (nested != NULL && !(nested->around == job && has_indices(nested))) nested = nested->next;
    /* The caller of an outermost job that has been withdrawn is no longer counted. Other callers may need its core. */
    if (nested == NULL || busy_now() + job->is_outermost > threads_now()) return false;
    if (job->is_outermost) change_busy(1);
    help(nested, 1);
    if (job->is_outermost) change_busy(-1);
    return true;
}

/* Returns when no worker is in a job any more; it has been withdrawn. */
static void await_workers(Job *job) {
    uint32_t seen = atomic_load_explicit(&epoch, memory_order_relaxed) - 1;
    for (int32_t turn = CALLER_SPINS; turn > 0; turn--) {
        if (atomic_load_explicit(&job->active, memory_order_acquire) == 0) return;
        uint32_t now = atomic_load_explicit(&epoch, memory_order_acquire);
        if (now != seen) {
            pthread_mutex_lock(&pool_lock);
            if (help_worker_of(job)) turn = CALLER_SPINS;
            pthread_mutex_unlock(&pool_lock);
            seen = now;
        }
        spin(turn);
    }
    pthread_mutex_lock(&pool_lock);
    waiting++;
    while (atomic_load_explicit(&job->active, memory_order_acquire) != 0) {
        if (help_worker_of(job)) continue;
        if (has_attention()) {
            /* A signal handler may run other pipelines. */
            pthread_mutex_unlock(&pool_lock);
            pipec_check(*(const void **)job->closure); /* it begins with the slots of the call */
            pthread_mutex_lock(&pool_lock);
            if (atomic_load_explicit(&job->active, memory_order_acquire) == 0) break;
        }
        wait_briefly(&pool_done, &pool_lock);
    }
    waiting--;
    pthread_mutex_unlock(&pool_lock);
}

static int32_t run_serially(Task *task, void *closure, int64_t minimum, int64_t count) {
    int32_t status = 0;
    for (int64_t i = 0; i < count && status == 0; i++) status = task(closure, minimum + i);
    return status;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int32_t run_job(Task *task, void *closure, int64_t minimum, int64_t count, int32_t threads) {
    Job job;
    job.task = task;
    job.closure = closure;
    job.minimum = minimum;
    job.share_count = least(least(threads, MAX_SHARES), count);
    atomic_init(&job.status, 0);
    atomic_init(&job.active, 0);
    uint64_t from = 0;
    for (int64_t k = 0; k < job.share_count; k++) {
        uint64_t to = (uint64_t)((k + 1) * count) / (uint64_t)job.share_count;
        atomic_init(&job.shares[k].range, to << 32 | from);
        from = to;
    }
    offer(&job, count, threads);
    run_tasks(&job, 0);
    withdraw(&job);
    await_workers(&job);
    return atomic_load_explicit(&job.status, memory_order_relaxed);
}

PUBLIC int32_t pipec_parallel_for(Task *task, void *closure, int64_t minimum, int64_t count) {
    int32_t threads = threads_now();
    if (threads <= 1 || count <= 1) return run_serially(task, closure, minimum, count);
    int32_t status = 0;
    while (count > 0 && status == 0) {
        int64_t part = least(count, MAX_JOB_INDICES);
        status = run_job(task, closure, minimum, part, threads);
        minimum += part;
        count -= part;
    }
    return status;
}
