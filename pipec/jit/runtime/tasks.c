/* Two tasks that wait for each other.
 *
 * `pipec_fork` runs one in a thread of its own and one in the caller's. So neither waits for a thread of the pool, and
 * there is no deadlock however few these are. The first status that is not 0 ends both: who waits goes on.
 */
#include "runtime.h"

typedef struct {
    Task *task;
    void *closure;
    Semaphores *semaphores;
    int64_t index;
    int32_t status;
} Side;

static void run_side(Side *side) {
    side->status = side->task(side->closure, side->index);
    if (side->status == 0) return;
    Semaphores *semaphores = side->semaphores;
    pthread_mutex_lock(&semaphores->lock);
    semaphores->status = side->status;
    pthread_cond_broadcast(&semaphores->changed);
    pthread_mutex_unlock(&semaphores->lock);
}

static void *run_thread(void *side) {
    run_side(side);
    Semaphores *semaphores = ((Side *)side)->semaphores;
    pthread_mutex_lock(&semaphores->lock);
    semaphores->is_done = true;
    pthread_cond_broadcast(&semaphores->changed);
    pthread_mutex_unlock(&semaphores->lock);
    return NULL;
}

/* Waits, with the lock held, for a change or for a while, and lets the main thread handle signals; not 0: the call is
 * to end. */
static int32_t await_change(Semaphores *semaphores) {
    wait_briefly(&semaphores->changed, &semaphores->lock);
    if (!has_attention()) return 0;
    pthread_mutex_unlock(&semaphores->lock);
    int32_t status = pipec_check(semaphores->slots);
    pthread_mutex_lock(&semaphores->lock);
    return status;
}

PUBLIC int32_t pipec_fork(Task *first, Task *second, void *closure, Semaphores *semaphores, int64_t c0, int64_t c1,
                          int64_t c2, int64_t c3) {
    const void *slots = *(const void **)closure; /* a closure begins with the slots of the call */
    *semaphores = (Semaphores){system_new_lock, system_new_condition, 0, false, slots, {c0, c1, c2, c3}};
    Side other = {first, closure, semaphores, 0, 0}, own = {second, closure, semaphores, 1, 0};
    Thread thread;
    if (pthread_create(&thread, NULL, run_thread, &other) != 0) return NO_THREAD;
    run_side(&own);
    pthread_mutex_lock(&semaphores->lock);
    while (!semaphores->is_done) await_change(semaphores);
    pthread_mutex_unlock(&semaphores->lock);
    pthread_join(thread, NULL);
    return other.status != 0 ? other.status : own.status;
}

/* The status with which the other task has failed, or 0. */
PUBLIC int32_t pipec_wait(Semaphores *semaphores, int64_t index) {
    pthread_mutex_lock(&semaphores->lock);
    int32_t status = semaphores->status;
    while (status == 0 && semaphores->numbers[index] <= 0) {
        status = await_change(semaphores);
        if (status == 0) status = semaphores->status;
    }
    if (status == 0) semaphores->numbers[index]--;
    pthread_mutex_unlock(&semaphores->lock);
    return status;
}

PUBLIC void pipec_post(Semaphores *semaphores, int64_t index) {
    pthread_mutex_lock(&semaphores->lock);
    semaphores->numbers[index]++;
    pthread_cond_broadcast(&semaphores->changed);
    pthread_mutex_unlock(&semaphores->lock);
}
