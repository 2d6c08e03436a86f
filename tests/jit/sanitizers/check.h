/* What all programs of this folder use. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "runtime.h"

/* What the loader defines for Linux. */
const Lock system_new_lock;
const Condition system_new_condition;

#define CHECK(condition)                                                     \
    do {                                                                     \
        if (!(condition)) {                                                  \
            fprintf(stderr, "line %d: %s is false\n", __LINE__, #condition); \
            exit(1);                                                         \
        }                                                                    \
    } while (0)

/* Runs a function in several threads at once. */
static inline void run_in_threads(int count, void *(*function)(void *), void *argument) {
    Thread threads[count];
    for (int i = 0; i < count; i++) CHECK(pthread_create(&threads[i], NULL, function, argument) == 0);
    for (int i = 0; i < count; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}
