/* Exercises Ctrl-C and calls from Python, with an interpreter that has just what they use of it. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "python.h"

Lock pool_lock, memory_lock;
Condition pool_work, pool_done;
void system_pause(void) {}

enum { THREADS = 4, ROUNDS = 500, TASKS = 40, WIDTH = 5, HEIGHT = 3 };

void pipec_watch(Thread thread);
int32_t pipec_end_call(Object *error);
Object *pipec_python_call(Object *self, Object *const *arguments, int64_t count);

/* The interpreter */

typedef struct {
    Object head;
    union {
        char *text;
        int64_t integer;
        double number;
        Object **items;
    };
    int64_t size;
} Value;

static Object int_type, bool_type, float_type, tuple_type, bytes_type, array_type, buffer_type, dtype, type;
static Object yes = {1, &bool_type}, no = {1, &bool_type}, interrupt, error = {1, &interrupt};
static Lock gil;
static _Thread_local bool has_gil;
static _Atomic bool is_pending; /* a signal whose handler raises `interrupt` */
static Object *raised, *raised_value;
static void (*handler)(void);

static void take_gil(void) {
    CHECK(!has_gil);
    pthread_mutex_lock(&gil);
    has_gil = true;
}

static void give_gil(void) {
    CHECK(has_gil);
    has_gil = false;
    pthread_mutex_unlock(&gil);
}

int32_t PyGILState_Ensure(void) { return take_gil(), 7; }
void PyGILState_Release(int32_t state) {
    CHECK(state == 7);
    give_gil();
}
void *PyEval_SaveThread(void) { return give_gil(), &has_gil; }
void PyEval_RestoreThread(void *thread) {
    CHECK(thread == &has_gil);
    take_gil();
}
int32_t PyErr_CheckSignals(void) {
    CHECK(has_gil);
    if (!atomic_exchange(&is_pending, false)) return 0;
    if (handler != NULL) handler();
    raised = &interrupt;
    return -1;
}
void PyErr_Fetch(Object **kind, Object **value, Object **traceback) {
    CHECK(has_gil && raised != NULL);
    *kind = raised;
    raised = *value = *traceback = NULL;
}
void PyErr_Restore(Object *kind, Object *value, Object *traceback) {
    CHECK(has_gil && traceback == NULL);
    raised = kind;
    raised_value = value;
}
void Py_IncRef(Object *object) {
    CHECK(has_gil);
    object->references++;
}
void Py_DecRef(Object *object) {
    CHECK(has_gil && object->references > 1);
    object->references--;
}
Object *PyBool_FromLong(long value) { return value ? &yes : &no; }
char *PyByteArray_AsString(Object *object) { return ((Value *)object)->text; }
char *PyBytes_AsString(Object *object) { return ((Value *)object)->text; }
int64_t PyBytes_Size(Object *object) { return ((Value *)object)->size; }
double PyFloat_AsDouble(Object *object) { return ((Value *)object)->number; }
long long PyLong_AsLongLongAndOverflow(Object *object, int *overflow) {
    *overflow = ((Value *)object)->size;
    return ((Value *)object)->integer;
}
Object *PyTuple_GetItem(Object *object, int64_t index) {
    CHECK(index < ((Value *)object)->size);
    return ((Value *)object)->items[index];
}
int64_t PyTuple_Size(Object *object) { return ((Value *)object)->size; }

/* The exception that the interpreter would raise now. */
static bool take_exception(void) {
    take_gil();
    bool found = pipec_restore_exception() && raised == &interrupt;
    raised = NULL;
    give_gil();
    return found;
}

/* Machine code */

/* The slots of a picture of numbers, then a number to add to each and the status to end with after a signal. */
enum { ADDED = 7, ENDING, CODE = 10 };
enum { FINISH, FAIL, OBEY };

static int32_t fill_row(void *closure, int64_t y) {
    int64_t *slots = *(int64_t **)closure;
    if (slots[ENDING] != FINISH) {
        usleep(1000);
        if (has_attention() && pipec_check(slots) != 0) return slots[ENDING] == FAIL ? CHECK_FAILED : CANCELLED;
    }
    int32_t *row = (int32_t *)slots[0] + y * slots[6];
    for (int64_t x = 0; x < slots[2]; x++) row[x * slots[3]] = (int32_t)(slots[ADDED] + y);
    return 0;
}

static int32_t fill(int64_t *slots) {
    int64_t *closure[] = {slots};
    return pipec_parallel_for(fill_row, closure, 0, slots[5]);
}

/* Rows without end. */
static int32_t fill_ever(int64_t *slots) {
    int64_t *closure[] = {slots};
    int32_t status = 0;
    while (status == 0) status = pipec_parallel_for(fill_row, closure, 0, slots[5]);
    return status;
}

/* Calls a Python function that raises an exception. */
static int32_t raise_twice(int64_t *slots) {
    (void)slots;
    take_gil();
    CHECK(pipec_end_call(&error) && pipec_end_call(&error));
    give_gil();
    return 0;
}

/* Sees the signal and ends as if there was none. */
static int32_t ignore(int64_t *slots) {
    while (pipec_check(slots) == 0) usleep(1000);
    return 0;
}

static int32_t end(int64_t *slots) { return (int32_t)slots[ENDING]; }

/* Ctrl-C */

static void fill_inside(void) {
    int32_t cells[HEIGHT * WIDTH];
    int64_t slots[CODE + 1] = {(intptr_t)cells, 0, WIDTH, 1, 0, HEIGHT, WIDTH, 3};
    give_gil();
    CHECK(pipec_run(fill, slots) == 0 && cells[0] == 3);
    take_gil();
}

static void *call_often(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        int32_t cells[HEIGHT * WIDTH];
        int64_t slots[CODE + 1] = {(intptr_t)cells, 0, WIDTH, 1, 0, HEIGHT, WIDTH, round};
        CHECK(pipec_run(fill, slots) == 0 && cells[HEIGHT * WIDTH - 1] == round + HEIGHT - 1);
        slots[ENDING] = ENDED_BY_CALLER;
        CHECK(pipec_run(end, slots) == ENDED_BY_CALLER && !take_exception() && !pipec_end_call(&error));
    }
    return unused;
}

/* The same slots serve all calls: what is left of one would end the next. */
static void test_interrupts(void) {
    int32_t cells[TASKS];
    int64_t slots[CODE + 1] = {(intptr_t)cells, 0, 1, 1, 0, TASKS, 1, 0};
    Entry *entries[] = {fill_ever, fill_ever, ignore};
    int64_t endings[] = {OBEY, FAIL, OBEY};
    for (int i = 0; i < 6; i++) {
        handler = i % 2 ? fill_inside : NULL;
        slots[ENDING] = endings[i % 3];
        atomic_store(&is_pending, true);
        CHECK(pipec_run(entries[i % 3], slots) == ENDED_BY_CALLER && take_exception() && !take_exception());
        slots[ENDING] = FINISH;
        CHECK(pipec_run(fill, slots) == 0 && !take_exception());
        CHECK(pipec_run(raise_twice, slots) == ENDED_BY_CALLER && take_exception() && raised_value == &error);
        CHECK(pipec_run(fill, slots) == 0 && !take_exception() && !pipec_end_call(&error));
    }
}

static void test_fork(void) {
    pid_t child = fork();
    if (child == 0) {
        pipec_forked();
        pipec_watch(pthread_self());
#ifdef __SANITIZE_THREAD__
        pipec_set_threads(1, 0); /* the sanitizer cannot follow new threads in a child */
#else
        test_interrupts();
#endif
        take_gil();
        fill_inside();
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* Calls from Python */

static Value integer(int64_t value) { return (Value){.head = {1, &int_type}, .integer = value}; }

/* A picture, a number to add, and the status to end with. */
static FastCall *new_call(Value *ending) {
    FastCall *call = calloc(1, sizeof *call + 3 * sizeof(Row));
    *call = (FastCall){.entry = fill, .count = 2, .rows = 3, .slots = CODE + 1, .code = CODE,
                       .int_type = &int_type, .bool_type = &bool_type, .float_type = &float_type,
                       .tuple_type = &tuple_type, .bytes_type = &bytes_type, .array_type = &array_type,
                       .buffer_type = &buffer_type, .array_offset = 16, .type_offset = 24, .slots_offset = 32};
    call->row[0] = (Row){.kind = KIND_BUFFER, .place = 0, .dtype = &dtype, .type = &type, .dimensions = 2, .shift = 2,
                         .flags = C_CONTIGUOUS << 10, .output = 1};
    call->row[1] = (Row){.kind = KIND_INTEGER, .place = 1, .slot = ADDED, .low = -9, .high = 9};
    call->row[2] = (Row){.kind = KIND_INTEGER, .object = &ending->head, .slot = ENDING, .low = 0, .high = 9};
    return call;
}

static Object *call_with(FastCall *call, void *picture, Value number) {
    Value self = {.head = {1, NULL}, .text = (char *)call};
    Object *arguments[] = {picture, &number.head};
    return pipec_python_call(&self.head, arguments, 2);
}

static void test_arrays(FastCall *call) {
    int32_t *cells = malloc(HEIGHT * WIDTH * sizeof *cells);
    int64_t shape[] = {HEIGHT, WIDTH}, strides[] = {-4 * WIDTH, 4};
    Array array = {{1, &array_type}, (intptr_t)(cells + (HEIGHT - 1) * WIDTH), 2, shape, strides, NULL, &dtype, 0x400};
    CHECK(call_with(call, &array, integer(9)) == &yes && cells[0] == 9 + HEIGHT - 1);
    CHECK(call_with(call, &array, integer(10)) == &no);
    Value huge = {.head = {1, &int_type}, .size = 1}, fraction = {.head = {1, &float_type}, .number = 1};
    CHECK(call_with(call, &array, huge) == &no && call_with(call, &array, fraction) == &no);
    array.data++;
    CHECK(call_with(call, &array, integer(1)) == &no);
    array.data--;
    int64_t extents[] = {0, -1, (int64_t)1 << 31};
    for (int i = 0; i < 3; i++) {
        shape[0] = extents[i];
        CHECK(call_with(call, &array, integer(1)) == &no);
    }
    shape[0] = HEIGHT;
    strides[0] = (int64_t)1 << 40;
    CHECK(call_with(call, &array, integer(1)) == &no);
    CHECK(array.head.references == 1);
    free(cells);
}

static void test_buffers(FastCall *call) {
    int32_t *cells = malloc(HEIGHT * WIDTH * sizeof *cells);
    int64_t numbers[] = {(intptr_t)cells, (intptr_t)cells, (intptr_t)(cells + HEIGHT * WIDTH), 0, WIDTH, 1, 0, HEIGHT,
                         WIDTH};
    Value packed = {.head = {1, &bytes_type}, .text = (char *)numbers, .size = sizeof numbers};
    Object *items[] = {&no, &no, &packed.head};
    Value description = {.head = {1, &tuple_type}, .items = items, .size = 3};
    Array array = {.head = {1, &array_type}, .flags = 0x400};
    struct {
        Object head;
        void *array, *type, *slots;
    } buffer = {{1, &buffer_type}, &array, &type, &description};
    CHECK(call_with(call, &buffer, integer(-9)) == &yes && cells[0] == -9 && array.head.references == 1);
    packed.size--;
    CHECK(call_with(call, &buffer, integer(1)) == &no);
    packed.size++;
    description.size = 2;
    CHECK(call_with(call, &buffer, integer(1)) == &no);
    buffer.slots = NULL;
    CHECK(call_with(call, &buffer, integer(1)) == &no);
    buffer.array = NULL;
    CHECK(call_with(call, &buffer, integer(1)) == &no);
    free(cells);
}

static void *python_thread(void *argument) {
    for (int round = 0; round < ROUNDS / 5; round++) {
        take_gil();
        test_arrays(argument);
        test_buffers(argument);
        give_gil();
    }
    return NULL;
}

static void test_calls(void) {
    Value ending = integer(FINISH);
    FastCall *call = new_call(&ending);
    run_in_threads(THREADS, python_thread, call);
    CHECK(call->calls == 2 * THREADS * (ROUNDS / 5) && call->unfinished == 0);
    int32_t cells[HEIGHT * WIDTH];
    int64_t shape[] = {HEIGHT, WIDTH}, strides[] = {4 * WIDTH, 4};
    Array array = {{1, &array_type}, (intptr_t)cells, 2, shape, strides, NULL, &dtype, 0x401};
    take_gil();
    ending.integer = OBEY;
    call->entry = fill_ever;
    atomic_store(&is_pending, true);
    CHECK(call_with(call, &array, integer(1)) == NULL && raised == &interrupt && array.head.references == 1);
    raised = NULL;
    call->entry = end;
    for (int i = 0; i < 2; i++) {
        ending.integer = i == 0 ? CHECK_FAILED : ENDED_BY_CALLER;
        CHECK(call_with(call, &array, integer(1)) == &no && raised == NULL);
    }
    call->exact = fill;
    ending.integer = CHECK_FAILED;
    call->checks = 1;
    uint8_t borders[] = {1};
    call->borders = borders;
    Object *result = call_with(call, &array, integer(1));
    CHECK(result == &yes || result == &no); /* which check failed was not written */
    give_gil();
    free(call);
}

int main(void) {
    pipec_set_threads(THREADS, 200);
    pipec_watch(pthread_self());
    test_interrupts();
    Thread others;
    CHECK(pthread_create(&others, NULL, call_often, NULL) == 0);
    test_interrupts();
    CHECK(pthread_join(others, NULL) == 0);
    test_calls();
    handler = NULL;
    test_fork();
    return 0;
}
