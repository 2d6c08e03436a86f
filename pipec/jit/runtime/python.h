/* What is used of CPython's C API, of builds with a GIL and 64 bits, and of numpy's ABI, 1.x and 2.x. */
#pragma once

#include "tables.h"

struct Object {
    int64_t references;
    const Object *type;
};

typedef struct {
    Object head;
    int64_t data;
    int32_t dimensions;
    const int64_t *shape, *strides;
    const Object *base, *dtype;
    int32_t flags;
} Array;

enum { C_CONTIGUOUS = 0x1 };
/* The tuple that describes a Buffer: its address, its shape, both and its end packed; with memory on a device also the
 * packed address of its allocation, the allocation as an object, and its memory of the host. */
enum { PACKED_ITEM = 2, ALLOCATION_ITEM = 3, ON_HOST_ITEMS = 3, ON_DEVICE_ITEMS = 6 };

int32_t PyGILState_Ensure(void);
void PyGILState_Release(int32_t state);
int32_t PyErr_CheckSignals(void);
void PyErr_Fetch(Object **type, Object **value, Object **traceback);
void PyErr_Restore(Object *type, Object *value, Object *traceback);
void Py_IncRef(Object *object);
void Py_DecRef(Object *object);
char *PyByteArray_AsString(Object *object);
Object *PyBool_FromLong(long value);
char *PyBytes_AsString(Object *object);
int64_t PyBytes_Size(Object *object);
double PyFloat_AsDouble(Object *object);
long long PyLong_AsLongLongAndOverflow(Object *object, int *overflow);
Object *PyTuple_GetItem(Object *object, int64_t index);
int64_t PyTuple_Size(Object *object);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *thread);
