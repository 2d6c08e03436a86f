"""The source of a Python extension module around the C function of a pipeline."""

from __future__ import annotations

from pipec.errors import NotSupportedError
from pipec.ir.program import ProgramArgumentKind
from pipec.ir.types import Type
from pipec.jit.c.header import BUFFER_TYPES, c_type, prototype
from pipec.jit.c.interface import CFunction, CParameter
from pipec.records import replace

# What all modules share: from an object with the buffer protocol to a halide_buffer_t.
_COMMON = """\
typedef struct pipec_array_t {
    Py_buffer view;
    int held;
    struct halide_buffer_t buffer;
    halide_dimension_t dims[16];
} pipec_array_t;

static int has_type(const Py_buffer *view, int code, int bits) {
    const char *format = view->format ? view->format : "B";
    const char *letters = bits == 1 ? "?" : code == 0 ? "bhilqn" : code == 1 ? "BHILQN" : "efd";
    if (*format == '@' || *format == '=' || *format == '<') ++format;
    return format[0] && !format[1] && strchr(letters, format[0]) && view->itemsize == (bits + 7) / 8;
}

/* Array axes run from the outermost dimension to the innermost. */
static int pipec_get_array(PyObject *object, pipec_array_t *array, const char *name, int code, int bits, int dimensions,
                     int written) {
    Py_buffer *view = &array->view;
    if (PyObject_GetBuffer(object, view, PyBUF_FORMAT | PyBUF_STRIDES | (written ? PyBUF_WRITABLE : 0))) return 0;
    array->held = 1;
    if (view->ndim != dimensions) {
        PyErr_Format(PyExc_ValueError, "Invalid argument %s: Expected %d dimensions, got %d", name, dimensions,
                     view->ndim);
        return 0;
    }
    if (!has_type(view, code, bits)) {
        PyErr_Format(PyExc_ValueError, "Invalid argument %s: Expected elements of %s with %d bits, got format '%s'",
                     name, code == 0 ? "int" : code == 1 ? "uint" : "float", bits, view->format ? view->format : "B");
        return 0;
    }
    for (int d = 0; d < dimensions; ++d) {
        Py_ssize_t extent = view->shape[dimensions - 1 - d], stride = view->strides[dimensions - 1 - d];
        if (stride % view->itemsize || extent > INT32_MAX || stride / view->itemsize > INT32_MAX ||
            stride / view->itemsize < INT32_MIN) {
            PyErr_Format(PyExc_ValueError, "Invalid argument %s: Out of range dimensions in buffer conversion", name);
            return 0;
        }
        array->dims[d].min = 0;
        array->dims[d].extent = (int32_t)extent;
        array->dims[d].stride = (int32_t)(stride / view->itemsize);
        array->dims[d].flags = 0;
    }
    array->buffer.host = (uint8_t *)view->buf;
    array->buffer.type.code = (uint8_t)code;
    array->buffer.type.bits = (uint8_t)bits;
    array->buffer.type.lanes = 1;
    array->buffer.dimensions = dimensions;
    array->buffer.dim = array->dims;
    return 1;
}

static int pipec_get_signed(PyObject *object, const char *name, int bits, long long *value) {
    *value = PyLong_AsLongLong(object);
    if (*value == -1 && PyErr_Occurred()) return 0;
    if (bits < 64 && (*value < -(1LL << (bits - 1)) || *value >= 1LL << (bits - 1))) {
        PyErr_Format(PyExc_OverflowError, "Invalid argument %s: %lld does not fit int%d", name, *value, bits);
        return 0;
    }
    return 1;
}

static int pipec_get_unsigned(PyObject *object, const char *name, int bits, unsigned long long *value) {
    *value = PyLong_AsUnsignedLongLong(object);
    if (*value == (unsigned long long)-1 && PyErr_Occurred()) return 0;
    if (bits < 64 && *value >> bits) {
        PyErr_Format(PyExc_OverflowError, "Invalid argument %s: %llu does not fit uint%d", name, *value, bits);
        return 0;
    }
    return 1;
}

static int pipec_get_float(PyObject *object, double *value) {
    *value = PyFloat_AsDouble(object);
    return !(*value == -1 && PyErr_Occurred());
}

static int pipec_get_bool(PyObject *object, int *value) {
    *value = PyObject_IsTrue(object);
    return *value >= 0;
}
"""
_MODULE = """\
static PyMethodDef pipec_methods[] = {{
    {{"{name}", (PyCFunction)(void (*)(void))pipec_call, METH_VARARGS | METH_KEYWORDS, "{name}({signature})"}},
    {{NULL, NULL, 0, NULL}},
}};

static struct PyModuleDef pipec_module = {{
    PyModuleDef_HEAD_INIT, "{name}", NULL, -1, pipec_methods, NULL, NULL, NULL, NULL,
}};

PyMODINIT_FUNC PyInit_{name}(void) {{
    return PyModule_Create(&pipec_module);
}}
"""
MAX_DIMENSIONS = 16


def python_extension_text(function: CFunction) -> str:
    """C99 and C++ source of a module with the pipeline as its only function, named as the module is.

    It takes arrays (whatever has the buffer protocol) and numbers, by position or by name; other threads run meanwhile.
    """
    names = [parameter.name for parameter in function.parameters]
    # Names may be those of Python's macros.
    numbers = [f"pipec_{number}" for number in range(len(names))]
    numbered = [replace(parameter, name=name) for parameter, name in zip(function.parameters, numbers, strict=True)]
    declared = prototype(replace(function, parameters=tuple(numbered)))
    return "\n".join(
        [
            f"/* The Python module `{function.name}`: compile it together with the object file of the pipeline. */",
            "#define PY_SSIZE_T_CLEAN",
            "#include <Python.h>",
            "#include <stdbool.h>",
            "#include <string.h>",
            BUFFER_TYPES,
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            f"{declared};",
            "const char *pipec_last_error(void);",
            "#ifdef __cplusplus",
            "}",
            "#endif",
            "",
            # Under a name that no variable below has.
            f"static {declared.replace(f'int {function.name}(', 'int pipec_function(', 1)} {{",
            f"    return {function.name}({', '.join(numbers)});",
            "}",
            _COMMON,
            *_call(function, names),
            "",
            _MODULE.format(name=function.name, signature=", ".join(names)),
        ]
    )


def _call(function: CFunction, names: list[str]) -> list[str]:
    count = len(names)
    buffers = [parameter for parameter in function.parameters if parameter.is_buffer]
    words = ", ".join([f'"{name}"' for name in names] + ["NULL"])
    places = {parameter.name: at for at, parameter in enumerate(buffers)}
    arguments = [
        f"&arrays[{places[p.name]}].buffer" if p.is_buffer else f"({c_type(p.argument.type)})v_{p.name}"
        for p in function.parameters
    ]
    pointers = "".join([f", &objects[{at}]" for at in range(count)])
    steps = [_step(parameter, at, places) for at, parameter in enumerate(function.parameters)]
    return [
        "static PyObject *pipec_call(PyObject *self, PyObject *args, PyObject *kwargs) {",
        f"    static const char *const names[] = {{{words}}};",
        f"    PyObject *objects[{max(count, 1)}] = {{NULL}};",
        f"    pipec_array_t arrays[{max(len(buffers), 1)}];",
        *[f"    {_local(p.argument.type)} v_{p.name} = 0;" for p in function.parameters if not p.is_buffer],
        "    int good = 1, code = 0;",
        "    (void)self;",
        "    memset(arrays, 0, sizeof arrays);",
        f'    const char *form = "{"O" * count}:{function.name}";',
        f"    if (!PyArg_ParseTupleAndKeywords(args, kwargs, form, (char **)names{pointers}))",
        "        return NULL;",
        *[f"    good = good && {step};" for step in steps],
        "    if (good) {",
        "        Py_BEGIN_ALLOW_THREADS",
        f"        code = pipec_function({', '.join(arguments)});",
        "        Py_END_ALLOW_THREADS",
        "        if (code) {",
        '            PyErr_Format(PyExc_RuntimeError, "%s", pipec_last_error());',
        "            good = 0;",
        "        }",
        "    }",
        f"    for (int i = 0; i < {len(buffers)}; ++i)",
        "        if (arrays[i].held) PyBuffer_Release(&arrays[i].view);",
        "    if (!good) return NULL;",
        "    Py_RETURN_NONE;",
        "}",
    ]


def _local(kind: Type) -> str:
    if kind.boolean:
        return "int"
    if kind.floating:
        return "double"
    return "long long" if kind.signed else "unsigned long long"


def _step(parameter: CParameter, at: int, places: dict[str, int]) -> str:
    """The C expression that reads one argument, false after an error."""
    name, kind, source = parameter.name, parameter.argument.type, f"objects[{at}]"
    if parameter.is_buffer:
        dimensions = parameter.argument.dimensions
        if dimensions > MAX_DIMENSIONS or kind.is_handle() or kind.is_bfloat():
            raise NotSupportedError(
                f"Error: A buffer {name} of {kind} with {dimensions} dimensions is no Python array."
            )
        written = int(parameter.argument.kind is ProgramArgumentKind.OUTPUT)
        code = f"{int(kind.code().value)}, {kind.nbits}, {dimensions}, {written}"
        return f'pipec_get_array({source}, &arrays[{places[name]}], "{name}", {code})'
    if kind.is_handle():
        raise NotSupportedError(f"Error: A Python program has no value for the parameter {name} of type {kind}.")
    if kind.boolean:
        return f"pipec_get_bool({source}, &v_{name})"
    if kind.floating:
        return f"pipec_get_float({source}, &v_{name})"
    return f'pipec_get_{"signed" if kind.signed else "unsigned"}({source}, "{name}", {kind.nbits}, &v_{name})'
