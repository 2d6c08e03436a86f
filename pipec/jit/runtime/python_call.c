/* A function of CPython's C API that reads numpy arrays, Buffers and numbers itself and runs machine code on them.
 *
 * It runs the machine code without the GIL, and gives True when all is done. False: something is unusual or has failed;
 * the caller takes the slow path, which reports what is wrong. Only exceptions of signal handlers are raised.
 */
#include "python.h"

/* So many more unfinished calls than finished ones may be started before no further ones are. */
enum { PATIENCE = 16 };
#define MAX_INT32 ((int64_t)INT32_MAX)

/* The bytes of a buffer: the address of the first, and of the one behind the last. */
typedef struct {
    int64_t low, high;
} Span;

/* Where what an argument gives goes to. `held`: an object that must live as long as the machine code runs. */
typedef struct {
    int64_t *slot;
    Span *span;
    Object **held;
    Resident *resident;
} Place;

static bool is_of(const Object *object, const Object *type) { return object != NULL && object->type == type; }

static bool take_number(const FastCall *call, const Row *row, Object *object, int64_t *slot) {
    const Object *type = object->type;
    double number;
    if (type == call->int_type || type == call->bool_type) {
        int overflow;
        int64_t value = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (overflow != 0 || value < row->low || value > row->high) return false;
        if (row->kind == KIND_INTEGER) {
            *slot = value;
            return true;
        }
        number = (double)value;
    } else if (type == call->float_type && row->kind != KIND_INTEGER)
        number = PyFloat_AsDouble(object);
    else
        return false;
    float narrow = (float)number;
    *slot = 0;
    if (row->kind == KIND_FLOAT64)
        __builtin_memcpy(slot, &number, sizeof number);
    else
        __builtin_memcpy(slot, &narrow, sizeof narrow);
    return true;
}

static bool has_flags(const Row *row, const Array *array) { return (array->flags & row->flags) == row->flags; }

static bool is_aligned(const Row *row, int64_t address) { return (address & ((1 << row->shift) - 1)) == 0; }

static bool take_array(const Row *row, const Array *array, int64_t *slot, Span *span) {
    if (array->dtype != row->dtype || array->dimensions != row->dimensions || !has_flags(row, array) ||
        !is_aligned(row, array->data))
        return false;
    bool is_dense = (array->flags & C_CONTIGUOUS) != 0;
    int64_t dense_stride = 1;
    *slot++ = array->data;
    *span = (Span){array->data, array->data + (1 << row->shift)};
    for (int64_t axis = row->dimensions - 1; axis >= 0; axis--) {
        int64_t extent = array->shape[axis], bytes = array->strides[axis];
        /* Of dense arrays numpy leaves the strides of extents of 1 to chance. */
        int64_t stride = is_dense ? dense_stride : bytes >> row->shift;
        if (extent < 1 || extent > MAX_INT32 || !is_aligned(row, bytes) || stride > MAX_INT32 || stride < -MAX_INT32)
            return false;
        int64_t reach;
        if (__builtin_mul_overflow(stride * (1 << row->shift), extent - 1, &reach)) return false;
        *slot++ = 0;
        *slot++ = extent;
        *slot++ = stride;
        *(reach < 0 ? &span->low : &span->high) += reach;
        dense_stride *= extent;
    }
    return true;
}

/* The array that a Buffer holds at present is held: another thread may take it away while the machine code runs. Of a
 * Buffer that is on a device it is its description, which holds all of it. */
static bool take_buffer(const FastCall *call, const Row *row, char *buffer, Place place) {
    const Object *type = *(const Object **)(buffer + call->type_offset);
    Object *array = *(Object **)(buffer + call->array_offset), *slots = *(Object **)(buffer + call->slots_offset);
    if (type != row->type || !is_of(array, call->array_type) || !has_flags(row, (Array *)array) ||
        !is_of(slots, call->tuple_type) || PyTuple_Size(slots) != (row->resident ? ON_DEVICE_ITEMS : ON_HOST_ITEMS))
        return false;
    Object *packed = PyTuple_GetItem(slots, PACKED_ITEM);
    if (!is_of(packed, call->bytes_type)) return false;
    /* The address and the span, then three numbers for each dimension. */
    size_t shape_bytes = 3 * sizeof(int64_t) * (size_t)row->dimensions;
    if ((size_t)PyBytes_Size(packed) != 3 * sizeof(int64_t) + shape_bytes) return false;
    const char *numbers = PyBytes_AsString(packed);
    __builtin_memcpy(place.slot, numbers, sizeof(int64_t));
    if (!is_aligned(row, *place.slot)) return false;
    __builtin_memcpy(place.span, numbers + sizeof(int64_t), sizeof(Span));
    __builtin_memcpy(place.slot + 1, numbers + 3 * sizeof(int64_t), shape_bytes);
    *place.held = array;
    if (!row->resident) return true;
    Object *allocation = PyTuple_GetItem(slots, ALLOCATION_ITEM);
    if (!is_of(allocation, call->bytes_type)) return false;
    __builtin_memcpy(&place.resident->allocation, PyBytes_AsString(allocation), sizeof(Allocation *));
    place.resident->address = *place.slot;
    *place.held = slots;
    return true;
}

static bool take(const FastCall *call, const Row *row, Object *object, Place place) {
    *place.span = (Span){0, 0};
    *place.held = NULL;
    *place.resident = (Resident){0, NULL};
    if (row->kind != KIND_BUFFER) return take_number(call, row, object, place.slot);
    bool is_taken = is_of(object, call->array_type)
                        ? !row->resident && take_array(row, (Array *)object, place.slot, place.span)
                        : is_of(object, call->buffer_type) && take_buffer(call, row, (char *)object, place);
    /* The slots begin with an address, a minimum and the extent of dimension 0. */
    return is_taken && (row->low == 0 || place.slot[2] > row->low);
}

static int64_t magnitude(int64_t stride) { return stride < 0 ? -stride : stride; }

/* Whether the strides of a buffer show that no two of its elements share memory: each is larger than what the smaller
 * ones reach together. Mostly they ascend. */
static bool has_distinct_elements(const int64_t *dims, int64_t dimensions) {
    int64_t reach = 0, d = 0;
    for (; d < dimensions; d++) {
        int64_t stride = magnitude(dims[3 * d + 2]), extent = dims[3 * d + 1];
        if (extent > 1 && stride <= reach) break;
        reach += stride * (extent - 1);
    }
    if (d == dimensions) return true;
    for (d = 0; d < dimensions; d++) {
        int64_t stride = magnitude(dims[3 * d + 2]);
        reach = 0;
        for (int64_t other = 0; other < dimensions; other++)
            if (other != d && magnitude(dims[3 * other + 2]) <= stride)
                reach += magnitude(dims[3 * other + 2]) * (dims[3 * other + 1] - 1);
        if (dims[3 * d + 1] > 1 && stride <= reach) return false;
    }
    return true;
}

/* Whether no output reaches into the bytes of another buffer or writes an element twice, and the buffers of a Func's
 * values have the same bounds. */
static bool are_separate(const FastCall *call, const Span *spans, const int64_t *slots) {
    for (int64_t i = 0; i < call->rows; i++) {
        const Row *row = &call->row[i];
        if (!row->output) continue;
        for (int64_t j = 0; j < call->rows; j++)
            if (i != j && (uint64_t)spans[i].low < (uint64_t)spans[j].high &&
                (uint64_t)spans[j].low < (uint64_t)spans[i].high)
                return false;
        if (!has_distinct_elements(slots + row->slot + 1, row->dimensions)) return false;
        const int64_t *own = slots + row->slot, *other = slots + row->same;
        for (int64_t d = 0; d < row->dimensions; d++, own += 3, other += 3)
            if (own[1] != other[1] || own[2] != other[2]) return false;
    }
    return true;
}

/* Runs a variant of the machine code; one that has kernels goes to the runner. */
static int32_t enter(const FastCall *call, Entry *entry, Program *program, int64_t *slots, const Resident *residents) {
    CallTable **table = (CallTable **)&slots[call->code - 1];
    if (call->runner != NULL) return call->runner(program, entry, slots, table, residents, call->rows);
    *table = call->table; /* other programs that report are not called from here */
    return pipec_run(entry, slots);
}

static int32_t run(const FastCall *call, int64_t *slots, const Resident *residents) {
    int32_t status = enter(call, call->entry, call->program, slots, residents);
    if (status != CHECK_FAILED || call->exact == NULL) return status;
    uint64_t check = (uint64_t)slots[call->code];
    if (check >= (uint64_t)call->checks || !call->borders[check]) return status;
    return enter(call, call->exact, call->exact_program, slots, residents);
}

static void change_references(Object *const *held, int64_t count, void (*change)(Object *)) {
    for (int64_t i = 0; i < count; i++)
        if (held[i] != NULL) change(held[i]);
}

/* A METH_FASTCALL builtin; `self` is a bytearray that holds a FastCall. */
PUBLIC Object *pipec_python_call(Object *self, Object *const *arguments, int64_t count) {
    FastCall *call = (FastCall *)PyByteArray_AsString(self);
    if (count != call->count || call->unfinished > call->calls + PATIENCE) return PyBool_FromLong(false);
    int64_t rows = call->rows;
    alignas(CACHE_LINE) int64_t slots[call->slots];
    Span spans[rows];
    Object *held[rows];
    Resident residents[rows];
    for (int64_t i = 0; i < rows; i++) {
        const Row *row = &call->row[i];
        Object *object = row->object != NULL ? row->object : arguments[row->place];
        if (!take(call, row, object, (Place){slots + row->slot, &spans[i], &held[i], &residents[i]}))
            return PyBool_FromLong(false);
    }
    if (!are_separate(call, spans, slots)) return PyBool_FromLong(false);
    change_references(held, rows, Py_IncRef);
    void *thread = PyEval_SaveThread();
    int32_t status = run(call, slots, residents);
    PyEval_RestoreThread(thread);
    change_references(held, rows, Py_DecRef);
    if (status == ENDED_BY_CALLER && pipec_restore_exception()) return NULL;
    call->calls += status == 0;
    call->unfinished += status == ENDED_BY_CALLER;
    return PyBool_FromLong(status == 0);
}
