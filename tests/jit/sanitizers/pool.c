/* Exercises the thread pool and the allocator; sanitizers watch. Returns 0 when all results are right. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

Lock pool_lock, memory_lock;
Condition pool_work, pool_done;
void system_pause(void) {}

enum { ROWS = 40, COLUMNS = 50, CALLERS = 6, ROUNDS = 30 };

typedef struct {
    int32_t cells[ROWS][COLUMNS];
    int64_t bytes; /* of the scratch memory of each row */
    int64_t row;
} Picture;

typedef struct {
    Picture *picture;
    int64_t row;
    int32_t *scratch;
} Row;

static int32_t copy_cell(void *closure, int64_t x) {
    Row *row = closure;
    row->picture->cells[row->row][x] = row->scratch[x];
    return 0;
}

static int32_t fill_row(void *closure, int64_t y) {
    Picture *picture = closure;
    Row row = {picture, y, pipec_malloc(picture->bytes, 4)};
    CHECK(row.scratch != NULL && (uintptr_t)row.scratch % CACHE_LINE == 0);
    for (int x = 0; x < COLUMNS; x++) row.scratch[x] = (int32_t)(y * COLUMNS + x);
    /* The spare bytes are the pipeline's to read and write. */
    memset((char *)row.scratch + picture->bytes, 1, CACHE_LINE);
    int32_t status = pipec_parallel_for(copy_cell, &row, 0, COLUMNS);
    pipec_free(row.scratch);
    return status;
}

static void draw(int64_t bytes) {
    Picture *picture = calloc(1, sizeof *picture);
    picture->bytes = bytes;
    CHECK(pipec_parallel_for(fill_row, picture, 0, ROWS) == 0);
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++) CHECK(picture->cells[y][x] == y * COLUMNS + x);
    free(picture);
}

static void *draw_often(void *unused) {
    for (int i = 0; i < ROUNDS; i++) draw(i % 3 == 0 ? 70000 : i % 3 == 1 ? 1 << 20 : 4 * COLUMNS);
    return unused;
}

static int32_t fail_at_seven(void *closure, int64_t index) {
    (void)closure;
    return index == 7 ? 3 : 0;
}

static int32_t fail_inside(void *closure, int64_t index) {
    return index % 5 == 4 ? pipec_parallel_for(fail_at_seven, closure, 0, 20) : 0;
}

static void test_failures(void) {
    for (int i = 0; i < ROUNDS; i++) {
        CHECK(pipec_parallel_for(fail_at_seven, NULL, 0, 1000) == 3);
        CHECK(pipec_parallel_for(fail_inside, NULL, 0, 100) == 3);
        CHECK(pipec_parallel_for(fail_at_seven, NULL, 0, 5) == 0);
        CHECK(pipec_parallel_for(fail_at_seven, NULL, 0, 0) == 0);
    }
}

static void test_callers(void) {
    Thread threads[CALLERS];
    for (int i = 0; i < CALLERS; i++) CHECK(pthread_create(&threads[i], NULL, draw_often, NULL) == 0);
    for (int i = 0; i < 10; i++) {
        pipec_set_threads(1 + i % 5, 100);
        pipec_trim();
        usleep(1000);
    }
    for (int i = 0; i < CALLERS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

static void test_fork(void) {
    Thread other;
    CHECK(pthread_create(&other, NULL, draw_often, NULL) == 0);
#ifdef __SANITIZE_ADDRESS__
    /* The sanitizer's allocator has no handlers for a fork: its locks, held by the other thread, stay locked in the child. */
    CHECK(pthread_join(other, NULL) == 0);
#endif
    for (int i = 0; i < 5; i++) {
        pid_t child = fork();
        if (child == 0) {
#ifdef __SANITIZE_THREAD__
            pipec_set_threads(1, 0); /* the sanitizer cannot follow new threads in a child */
#endif
            draw(100000);
            _exit(0);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
#ifndef __SANITIZE_ADDRESS__
    CHECK(pthread_join(other, NULL) == 0);
#endif
}

/* One task writes rows into a ring of two, the other reads them. */
typedef struct {
    Semaphores semaphores; /* 0: rows that are full, 1: rows that are free */
    int64_t ring[2], sum, fail_at;
} Stream;

static int32_t produce(void *closure, int64_t index) {
    Stream *stream = closure;
    CHECK(index == 0);
    for (int64_t i = 0; i < 100; i++) {
        int32_t status = pipec_wait(&stream->semaphores, 1);
        if (status != 0) return status;
        if (i == stream->fail_at) return 5;
        stream->ring[i % 2] = i;
        pipec_post(&stream->semaphores, 0);
    }
    return 0;
}

static int32_t consume(void *closure, int64_t index) {
    Stream *stream = closure;
    CHECK(index == 1);
    for (int64_t i = 0; i < 100; i++) {
        int32_t status = pipec_wait(&stream->semaphores, 0);
        if (status != 0) return status;
        stream->sum += stream->ring[i % 2];
        pipec_post(&stream->semaphores, 1);
    }
    return 0;
}

static void test_tasks_that_wait(void) {
    for (int64_t fail_at = -1; fail_at < 100; fail_at += 33) {
        Stream stream = {.sum = 0, .fail_at = fail_at};
        int32_t status = pipec_fork(produce, consume, &stream, &stream.semaphores, 0, 2, 0, 0);
        CHECK(fail_at < 0 ? status == 0 && stream.sum == 4950 : status == 5);
    }
}

static void test_memory(void) {
    int64_t before[4], after[4];
    void *blocks[80];
    pipec_memory(before);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 80; i++) {
            int64_t bytes = 65300 + 7 * i * i * (round + 1);
            CHECK((blocks[i] = pipec_malloc(bytes, 0)) != NULL);
            memset(blocks[i], i, (size_t)bytes + CACHE_LINE);
        }
        for (int i = 0; i < 80; i++) pipec_free(blocks[(i * 37) % 80]);
    }
    CHECK(pipec_malloc(INT64_MAX, 0) == NULL && pipec_malloc((int64_t)1 << 46, 0) == NULL);
    pipec_free(pipec_malloc(0, 0));
    pipec_memory(after);
    CHECK(after[0] == before[0] && after[1] >= 80 * 65536 && after[2] > before[2]);
    pipec_trim();
}

int main(void) {
    CHECK(pthread_atfork(NULL, NULL, pipec_forked) == 0);
    for (int threads = 1; threads <= 5; threads += 2) {
        pipec_set_threads(threads, 200);
        draw_often(NULL);
        test_failures();
    }
    test_callers();
    test_tasks_that_wait();
    test_memory();
    pipec_set_threads(3, 200);
    test_fork();
    return 0;
}
