"""A C function that is called with a buffer without memory says what the buffer must hold, as `realize` does."""

import ctypes

import numpy as np
import pytest

import pipec as hl
from tests.emission.c_programs import descriptor, shared_library

x, y, c = hl.vars("x y c")


def stencil():
    image, offset = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.Int(32), "offset")
    across, output = hl.funcs("across output")
    across[x, y] = hl.u16(image[x - 1, y]) + image[x + offset, y]
    output[x, y] = across[x, y - 1] + across[x, y + 2]
    across.compute_at(output, y)
    output.vectorize(x, 8)
    return [output], [image, offset], [3], [[20, 9]]


def edges():
    """What is read depends on the box of the input itself."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    output = hl.Func("output")
    output[x, y] = hl.BoundaryConditions.repeat_edge(image)[x - 3, y] + hl.u8(1)
    return [output], [image], [], [[20, 9]]


def tuples():
    image = hl.ImageParam(hl.Int(16), 2, "image")
    output = hl.Func("output")
    output[x, y] = hl.Tuple(image[x, 2 * y], hl.f32(image[x + 1, y]))
    return [output], [image], [], [[20, 9], [24, 4]]


def two_outputs():
    """The first output must hold what the second one reads of it."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    first, second = hl.funcs("first second")
    first[x, y] = image[x, y] * 2
    second[x, y] = first[x - 2, y] + first[x, y + 5]
    first.compute_root()
    return [first, second], [image], [], [[8, 8], [16, 4]]


def interleaved():
    image = hl.ImageParam(hl.UInt(8), 3, "image")
    output = hl.Func("output")
    output[x, y, c] = image[x + 1, y, c]
    image.dim(0).set_stride(3).dim(2).set_stride(1).set_bounds(0, 3)
    output.output_buffer().dim(0).set_stride(3).dim(2).set_stride(1).set_bounds(0, 3)
    return [output], [image], [], [[20, 9, 1]]


def bounded():
    """The input has a size of its own, and begins at a multiple of 4."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    output = hl.Func("output")
    output[x, y] = image[x - 2, y] + image[x + 1, y]
    image.dim(0).set_bounds(-8, 64)
    image.dim(1).set_min((image.dim(1).min() // 4) * 4)
    return [output], [image], [], [[20, 9]]


def updates():
    """An update writes a column that nobody asked for, and a table is part of the pipeline."""
    table = hl.Buffer(np.arange(8, dtype=np.int32), "table")
    image, output = hl.ImageParam(hl.Int(32), 2, "image"), hl.Func("output")
    output[x, y] = image[x, y] + table[x % 8]
    output[30, y] = 7
    return [output], [image], [], [[20, 9]]


PIPELINES = (stencil, edges, tuples, two_outputs, interleaved, bounded, updates)


def shape(buffer):
    dims = [buffer.dim(d) for d in range(buffer.dimensions())]
    return [(dim.min(), dim.extent(), dim.stride()) for dim in dims]


class CBuffer:
    """A `halide_buffer_t`, with room for the shape that a query sets."""

    def __init__(self, buffer):
        fields, self.held = descriptor(buffer)
        self.fields = (ctypes.c_char * len(fields)).from_buffer_copy(fields)

    def forget_memory(self):
        # Its type is not known either.
        ctypes.memset(ctypes.addressof(self.fields) + 16, 0, 8)
        ctypes.memset(ctypes.addressof(self.fields) + 32, 0xEE, 4)

    def shape(self):
        return [tuple(row[:3]) for row in self.held[1].tolist()]

    def type(self):
        return tuple(self.fields.raw[32:34])


def asked(functions, inputs, sizes, box):
    """The Buffers of a call: the inputs have the box; the outputs begin at 5 in each dimension, so that min counts."""
    types = [kind for f in functions for kind in f.types()]
    outputs = [hl.Buffer(kind, size) for kind, size in zip(types, sizes, strict=True)]
    for output in outputs:
        output.set_min([5] * output.dimensions())
    images = [hl.Buffer(i.type(), box[: i.dimensions()]) for i in inputs if isinstance(i, hl.ImageParam)]
    return images, outputs


@pytest.mark.parametrize("kind", ["c", "o"])
@pytest.mark.parametrize("make", PIPELINES)
@pytest.mark.part(3)
def test_the_answers_are_those_of_realize(tmp_path, make, kind):
    functions, inputs, values, sizes = make()
    pipeline = hl.Pipeline(functions)
    library = shared_library(tmp_path, pipeline, inputs, kind)
    images, outputs = asked(functions, inputs, sizes, [12, 10, 3])
    expected_inputs, expected_outputs = asked(functions, inputs, sizes, [12, 10, 3])
    queries = [
        hl.Buffer.make_bounds_query(b.type(), [b.dim(d).extent() for d in range(b.dimensions())])
        for b in [*expected_inputs, *expected_outputs]
    ]
    for query, buffer in zip(queries, [*expected_inputs, *expected_outputs], strict=True):
        query.set_min([buffer.dim(d).min() for d in range(buffer.dimensions())])
    call = pipeline.compile_to_callable(inputs)
    call(*queries[: len(images)], *values, *queries[len(images) :])
    buffers = [CBuffer(buffer) for buffer in (*images, *outputs)]
    for buffer in buffers:
        buffer.forget_memory()
    arguments = [buffer.fields for buffer in buffers]
    assert library.f(*arguments[: len(images)], *values, *arguments[len(images) :]) == 0, library.pipec_last_error()
    assert [buffer.shape() for buffer in buffers] == [shape(query) for query in queries]
    assert [buffer.type() for buffer in buffers] == [CBuffer(b).type() for b in (*images, *outputs)]


@pytest.mark.parametrize("kind", ["c", "o"])
def test_buffers_with_memory_stay_as_they_are_and_nothing_is_computed(tmp_path, kind):
    functions, inputs, values, sizes = stencil()
    library = shared_library(tmp_path, hl.Pipeline(functions), inputs, kind)
    (image,), (output,) = asked(functions, inputs, sizes, [12, 10])
    output.fill(9)
    query, result = CBuffer(image), CBuffer(output)
    query.forget_memory()
    before = result.fields.raw, result.shape()
    assert library.f(query.fields, *values, result.fields) == 0
    assert query.shape() == [(4, 24, 1), (4, 12, 24)]
    assert (result.fields.raw, result.shape()) == before
    assert (np.asarray(output) == 9).all()
    # The answer is large enough for the call itself.
    whole = hl.Buffer(hl.UInt(8), [24, 12])
    whole.set_min([4, 4])
    whole.fill(1)
    assert library.f(CBuffer(whole).fields, *values, result.fields) == 0, library.pipec_last_error()
    assert (np.asarray(output) == 4).all()


@pytest.mark.parametrize("kind", ["c", "o"])
def test_regions_that_depend_on_elements_are_an_error(tmp_path, kind):
    image, places, output = hl.ImageParam(hl.UInt(8), 1, "image"), hl.ImageParam(hl.Int(32), 1, "places"), hl.Func("g")
    output[x] = hl.u8(0)
    r = hl.RDom([(0, places[0])])
    output[x] += image[r]
    library = shared_library(tmp_path, output, [image, places], kind)
    arguments = [CBuffer(hl.Buffer(kind_, [4])) for kind_ in (hl.UInt(8), hl.Int(32), hl.UInt(8))]
    arguments[0].forget_memory()
    assert library.f(*[argument.fields for argument in arguments]) == -1
    assert b"bounds queries" in library.pipec_last_error() and b"elements of an input" in library.pipec_last_error()


@pytest.mark.parametrize("kind", ["c", "o"])
def test_a_buffer_without_memory_for_the_host_but_with_some_on_a_device_is_no_query(tmp_path, kind):
    functions, inputs, values, sizes = stencil()
    library = shared_library(tmp_path, hl.Pipeline(functions), inputs, kind)
    (image,), (output,) = asked(functions, inputs, sizes, [64, 64])
    on_device = CBuffer(image)
    ctypes.memset(ctypes.addressof(on_device.fields) + 16, 0, 8)
    ctypes.memset(ctypes.addressof(on_device.fields), 1, 1)
    assert library.f(on_device.fields, *values, CBuffer(output).fields) == -34
