"""Calls with arguments that do not fit: Buffers, Params, types, sizes, strides, overlap."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from bad import Bad
from bad import bad as bad_program

from pipec.errors import (
    ArgumentError,
    BoundsError,
    DefinitionError,
    DimensionError,
    OutOfBoundsError,
    OverlapError,
    PipecError,
    RequirementError,
    StrideError,
    TypeMismatchError,
    UnboundedError,
    UndefinedError,
)

PROGRAMS: dict[str, Bad] = {}
bad = partial(bad_program, PROGRAMS)


def xy(hl: Any) -> tuple[Any, Any]:
    return hl.Var("x"), hl.Var("y")


def ramp(hl: Any, name: str = "f") -> Any:
    """f(x, y) = x + y."""
    x, y = xy(hl)
    f = hl.Func(name)
    f[x, y] = x + y
    return f


def copy_of(hl: Any, image: Any) -> Any:
    x, y = xy(hl)
    f = hl.Func("f")
    f[x, y] = image[x, y]
    return f


# Undefined things.


@bad(UndefinedError, "Can't realize undefined Func.")
def undefined_func_realize(hl: Any) -> None:
    hl.Func("f").realize([10])


@bad(PipecError, "f")
def undefined_pipeline_realize(hl: Any) -> None:
    hl.Pipeline(hl.Func("f")).realize([10, 10, 10])


@bad(PipecError, "Pipeline")
def empty_pipeline_realize(hl: Any) -> None:
    hl.Pipeline().realize([10])


@bad(ArgumentError, "Parameter p does not have a valid scalar value.")
def uninitialized_param(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    f[x] = x + hl.Param(hl.Int(32), "p")
    f.realize([10])


@bad(ArgumentError, "p")
def unset_image(hl: Any) -> None:
    copy_of(hl, hl.ImageParam(hl.UInt(8), 2, "p")).realize([10, 10])


@bad(PipecError, "ndefined")
def undefined_buffer(hl: Any) -> None:
    hl.Buffer().width()


@bad(DefinitionError, "has already been realized or used in the definition of another Func.", line=True)
def define_after_realize(hl: Any) -> None:
    f = ramp(hl)
    f.realize([4, 4])
    x, y = xy(hl)
    f[x, y] += 1


@bad(
    PipecError, "All Params and embedded Buffers must have unique names, but the name 'input' was seen multiple times."
)
def dupe_param_name(hl: Any) -> None:
    x, y = xy(hl)
    f = hl.Func("f")
    f[x, y] = hl.ImageParam(hl.Int(32), 2, "input")[x, y] + hl.Param(hl.Int(32), "input", 3)
    f.compile_jit()


# Sizes of outputs.


@bad(DimensionError, "dimensions")
def wrong_dimensionality(hl: Any) -> None:
    ramp(hl).realize([10])


@bad(DimensionError, "dimensions")
def wrong_dimensionality_of_buffer(hl: Any) -> None:
    ramp(hl).realize(hl.Buffer(hl.Int(32), [10]))


@bad(TypeMismatchError, "Output buffer f has type int32 but type of the buffer passed in is float32")
def wrong_type(hl: Any) -> None:
    ramp(hl).realize(hl.Buffer(hl.Float(32), [10, 10]))


@bad(ArgumentError, "1")
def too_many_outputs(hl: Any) -> None:
    ramp(hl).realize([hl.Buffer(hl.Int(32), [10, 10]), hl.Buffer(hl.Int(32), [10, 10])])


@bad(BoundsError, "Bounds given for f in x (from 0 to 0) do not cover required region (from 0 to 9)")
def realize_more_than_bound(hl: Any) -> None:
    f = ramp(hl)
    f.bound(hl.Var("x"), 0, 1)
    f.realize([10, 10])


@bad(PipecError, "2")
def negative_size(hl: Any) -> None:
    ramp(hl).realize([10, -2])


@bad(PipecError, "needs 4398046511104 bytes")
def huge_output(hl: Any) -> None:
    ramp(hl).realize([1 << 20, 1 << 20])


@bad(PipecError)
def buffer_larger_than_memory(hl: Any) -> None:
    hl.Buffer(hl.UInt(8), [1 << 24, 1 << 24, 1 << 24])


@bad(AttributeError, "width")
def tuple_realization_to_buffer(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    f[x] = (x, x + 1)
    f.realize([10]).width()


@bad(OutOfBoundsError, "Output buffer h.0 is accessed at -100, which is before the min (0) in dimension 0")
def tuple_output_bounds_check(hl: Any) -> None:
    x, y = xy(hl)
    h = hl.Func("h")
    h[x, y] = (x, y)
    r = hl.RDom([(-100, 10)], "r")
    h[r.x, y] = (0, 0)
    h.realize([hl.Buffer(hl.Int(32), [100, 10]), hl.Buffer(hl.Int(32), [100, 10])])


# What kills the process of the halide wheel, or lets a program read foreign memory.


@bad(PipecError, "ndefined")
def type_of_an_undefined_buffer(hl: Any) -> None:
    hl.Buffer().type()


@bad(PipecError, "arm-64-linux")
def foreign_target(hl: Any) -> None:
    ramp(hl).realize([4, 4], hl.Target("arm-64-linux"))


@bad(PipecError)
def crop_outside(hl: Any) -> None:
    hl.Buffer(hl.UInt(8), [4, 4]).crop(0, 2, 8)


@bad((PipecError, IndexError))
def missing_dimension(hl: Any) -> None:
    hl.Buffer(hl.UInt(8), [4, 4]).dim(5)


@bad(BoundsError, "Bounds given for f in x (from 0 to 7) do not cover required region (from 0 to 15)")
def output_larger_than_its_bound(hl: Any) -> None:
    f = ramp(hl)
    f.bound(hl.Var("x"), 0, 8)
    f.realize([16, 4])


@bad(PipecError, "f.extent.0")
def output_larger_than_constrained(hl: Any) -> None:
    f = ramp(hl)
    f.output_buffer().dim(0).set_bounds(0, 8)
    f.realize(hl.Buffer(hl.Int(32), [16, 4]))


# Inputs.


@bad(
    DimensionError,
    "Input buffer p requires a buffer of exactly 2 dimensions, but the buffer passed in has 3 dimensions",
)
def bad_dimensions(hl: Any) -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "p")
    image.set(hl.Buffer(hl.UInt(8), [10, 10, 3]))
    copy_of(hl, image).realize([10, 10])


@bad(PipecError, "uint8")
def wrong_input_type(hl: Any) -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "p")
    image.set(hl.Buffer(hl.Float(32), [10, 10]))
    copy_of(hl, image).realize([10, 10])


@bad(OutOfBoundsError, "Input buffer p is accessed at 10, which is beyond the max (9) in dimension 0")
def read_beyond(hl: Any) -> None:
    x, y = xy(hl)
    image = hl.ImageParam(hl.UInt(8), 2, "p")
    image.set(hl.Buffer(hl.UInt(8), [10, 10]))
    f = hl.Func("f")
    f[x, y] = image[x + 1, y]
    f.realize([10, 10])


@bad(
    UnboundedError,
    "in an unbounded way in dimension 0",
    "Its index index(x) depends on values that are known only when",
)
def unbounded_func(hl: Any) -> None:
    x, _ = xy(hl)
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = x
    index = hl.ImageParam(hl.Int(32), 1, "index")
    g[x] = f[index[x]]
    f.compute_root()
    g.compile_jit()


@bad(UnboundedError, "No limits of its index int32(pow(float32(x), 2.0f)) follow from those of its variables")
def unbounded_coordinate(hl: Any) -> None:
    x, _ = xy(hl)
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[hl.i32(hl.pow(hl.f32(x), 2.0))]
    f.compute_root()
    g.compile_jit()


@bad(UnboundedError, "Buffer p may be accessed in an unbounded way in dimension 0")
def unbounded_input(hl: Any) -> None:
    x, _ = xy(hl)
    image, index = hl.ImageParam(hl.Int(32), 1, "p"), hl.ImageParam(hl.Int(32), 1, "index")
    f = hl.Func("f")
    f[x] = image[index[x]]
    f.compile_jit()


@bad(UnboundedError, "Update definition number 0 of Function f calls function f in an unbounded way in dimension 0")
def unbounded_output(hl: Any) -> None:
    x, _ = xy(hl)
    image = hl.ImageParam(hl.Int(32), 1, "p")
    f = hl.Func("f")
    f[x] = 0
    r = hl.RDom([(0, 10)], "r")
    f[image[r.x]] += 1
    f.compile_jit()


@bad(StrideError, "p.stride.0 (3) == 1")
def interleaved_input(hl: Any) -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "p")
    image.dim(0).set_stride(1)
    array = np.zeros((10, 30), np.uint8)[:, ::3]
    image.set(hl.Buffer(array))
    copy_of(hl, image).realize([10, 10])


@bad(StrideError, "f.stride.0 (2) == 1")
def strided_output(hl: Any) -> None:
    f = ramp(hl)
    f.output_buffer().dim(0).set_stride(1)
    f.realize(hl.Buffer(np.zeros((10, 20), np.int32)[:, ::2]))


@bad(ArgumentError, "p.extent.0 (10) == 12")
def constrained_extent(hl: Any) -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "p")
    image.dim(0).set_bounds(0, 12)
    image.set(hl.Buffer(hl.UInt(8), [10, 10]))
    copy_of(hl, image).realize([10, 10])


# Params and requirements.


@bad(PipecError, "256")
def param_does_not_fit(hl: Any) -> None:
    hl.Param(hl.UInt(8), "p", 256)


@bad(RequirementError, "Requirement Failed: (false) negative values are bad -1")
def add_requirement(hl: Any) -> None:
    x, _ = xy(hl)
    p = hl.Param(hl.Int(32), "p", -1)
    f = hl.Func("f")
    f[x] = x + p
    pipeline = hl.Pipeline(f)
    pipeline.add_requirement(p >= 0, "negative values are bad", p)
    pipeline.realize([10])


@bad(DefinitionError, "refers to Var or RVar x")
def constraint_uses_non_param(hl: Any) -> None:
    x, y = xy(hl)
    f = ramp(hl)
    hl.Pipeline(f).add_requirement((x == 4) & (y == 3))


# What expressions tell and demand.


@bad(RequirementError, "Requirement Failed: (false) 23757 1 2")
def require_fails(hl: Any) -> None:
    x, _ = xy(hl)
    p = hl.Param(hl.Int(32), "p", 5)
    f = hl.Func("f")
    f[x] = hl.require(p > 10, (p - 2) * 7919, 1, 2)
    f.vectorize(x, 4).parallel(x)
    f.realize([8])


@bad(DefinitionError, "Require condition must be a boolean type.")
def require_without_a_condition(hl: Any) -> None:
    x, _ = xy(hl)
    hl.require(x, x)


@bad(TypeError, "incompatible function arguments")
def print_of_nothing_printable(hl: Any) -> None:
    x, _ = xy(hl)
    hl.print(x, None)


# Callables.


def callable_of(hl: Any) -> Any:
    image, scale = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.Int(32), "scale")
    x, y = xy(hl)
    f = hl.Func("f")
    f[x, y] = hl.i32(image[x, y]) * scale
    return f.compile_to_callable([image, scale])


def arrays() -> tuple[Any, Any]:
    return np.zeros((10, 10), np.uint8), np.zeros((10, 10), np.int32)


@bad(PipecError, "scale", "was not found in the argument list.")
def callable_bad_arguments(hl: Any) -> None:
    image, scale = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.Int(32), "scale")
    x, y = xy(hl)
    f = hl.Func("f")
    f[x, y] = hl.i32(image[x, y]) * scale
    f.compile_to_callable([image])


@bad(PipecError, "Expected exactly 3 positional arguments, but saw 2.")
def callable_too_few(hl: Any) -> None:
    image, output = arrays()
    callable_of(hl)(image, output)


@bad(PipecError, "Expected at most 3 positional arguments, but saw 4.")
def callable_too_many(hl: Any) -> None:
    image, output = arrays()
    callable_of(hl)(image, 1, output, output)


@bad(PipecError)
def callable_bad_values_passed(hl: Any) -> None:
    image, output = arrays()
    callable_of(hl)(image, 1.5, output)


@bad(PipecError, "requires a buffer of exactly 2 dimensions, but the buffer passed in has 3 dimensions")
def callable_bad_dimensions(hl: Any) -> None:
    _, output = arrays()
    callable_of(hl)(np.zeros((3, 10, 10), np.uint8), 1, output)


@bad(PipecError, "has type uint8 but type of the buffer passed in is float32")
def callable_bad_type(hl: Any) -> None:
    _, output = arrays()
    callable_of(hl)(np.zeros((10, 10), np.float32), 1, output)


@bad(PipecError, "Unknown argument 'bogus' specified via keyword.")
def callable_unknown_keyword(hl: Any) -> None:
    image, output = arrays()
    callable_of(hl)(image, 1, output, bogus=3)


@bad(PipecError, "Argument image specified multiple times.")
def callable_twice(hl: Any) -> None:
    image, output = arrays()
    callable_of(hl)(image, 1, output, image=image)


@bad(PipecError, "only")
def callable_read_only_output(hl: Any) -> None:
    image, output = arrays()
    output.flags.writeable = False
    callable_of(hl)(image, 1, output)


@bad(OverlapError, "shares memory with the output")
def callable_outputs_overlap(hl: Any) -> None:
    x, _ = xy(hl)
    f = hl.Func("f")
    f[x] = (x, x + 1)
    data = np.zeros(20, np.int32)
    f.compile_to_callable([])(data[:10], data[5:15])


def test_input_error_is_complete() -> None:
    """It names the reader, the interval, the buffer and the remedy."""
    import pipec as hl

    x, y = xy(hl)
    photo = hl.Buffer(np.zeros((6, 8), np.uint8), "photo")
    f = hl.Func("blur")
    f[x, y] = photo[x - 1, y] + photo[x + 1, y]
    with pytest.raises(BoundsError) as caught:
        f.realize([8, 6])
    text = str(caught.value)
    for words in ("blur", "photo", "[-1, 8]", "[0, 7] x [0, 5]", "BoundaryConditions", "test_calls.py:"):
        assert words in text, text


@bad(OverlapError, "The output buffer f shares memory with the input buffer image")
def output_in_the_memory_of_the_input(hl: Any) -> None:
    image = hl.ImageParam(hl.Int(32), 1, "image")
    x, _ = xy(hl)
    f = hl.Func("f")
    f[x] = image[x] + image[x + 1] * 2
    data = np.arange(21, dtype=np.int32)
    f.compile_to_callable([image])(data[:11], data[1:11])


def test_buffers_smaller_than_the_vectors() -> None:
    import pipec as hl

    x, y = xy(hl)
    array = np.arange(25, dtype=np.uint8).reshape(5, 5)
    f = copy_of(hl, hl.Buffer(array))
    f.vectorize(x, 8).vectorize(y, 8)
    result = hl.Buffer(hl.UInt(8), [5, 5])
    f.realize(result)
    np.testing.assert_array_equal(np.asarray(result), array)


@pytest.mark.parametrize("name", PROGRAMS)
def test_fails(name: str) -> None:
    PROGRAMS[name].check()
