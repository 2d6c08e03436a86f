/* What the runtime uses of the system.
 *
 * Declared here and not taken from the system's headers: the code is compiled once for all systems with 64 bits and
 * POSIX threads, and for files once for those with 32 bits; it must not depend on where that happens. What does differ between them is declared as `system_...`
 * and defined by the loader (pipec/jit/runtime/units.py).
 */
#pragma once

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions that others call. They are weak: several pipelines in one program share them, and it may have its own. */
#define PUBLIC __attribute__((weak))

enum { CACHE_LINE = 64 };

/* Room for a pthread_mutex_t or a pthread_cond_t. */
typedef struct {
    alignas(CACHE_LINE) int64_t words[8];
} Lock;
typedef Lock Condition;
typedef struct {
    long seconds, nanoseconds;
} Time;
typedef unsigned long Thread;

int pthread_mutex_lock(Lock *lock);
int pthread_mutex_unlock(Lock *lock);
int pthread_cond_wait(Condition *condition, Lock *lock);
int pthread_cond_timedwait(Condition *condition, Lock *lock, const Time *until);
int pthread_cond_signal(Condition *condition);
int pthread_cond_broadcast(Condition *condition);
int pthread_create(Thread *thread, const void *attributes, void *(*function)(void *), void *argument);
int pthread_detach(Thread thread);
int pthread_join(Thread thread, void **result);
Thread pthread_self(void);
int pthread_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));
int sched_yield(void);
int nanosleep(const Time *time, Time *rest);
int clock_gettime(int clock, Time *time);
long sysconf(int name);
char *getenv(const char *name);
int atoi(const char *text);
void *calloc(size_t count, size_t bytes);
void free(void *block);
int snprintf(char *text, size_t bytes, const char *format, ...);
long write(int file, const void *bytes, size_t count);

/* A mutex and a condition that nobody has used yet. */
extern const Lock system_new_lock;
extern const Condition system_new_condition;
/* What clock_gettime calls the clock that never goes back, and sysconf the number of processors. */
extern const int32_t system_monotonic_clock, system_processors_name;
/* Lets the other thread of a core run, and saves power, while a thread spins. */
void system_pause(void);
