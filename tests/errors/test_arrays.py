"""Arrays, Buffers, Params and ImageParams that cannot be what they are passed as."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from bad import Bad
from bad import bad as bad_program

from pipec.errors import ArgumentError, StrideError, TypeMismatchError

PROGRAMS: dict[str, Bad] = {}
bad = partial(bad_program, PROGRAMS)


def image(hl: Any, dimensions: int = 2) -> Any:
    return hl.ImageParam(hl.UInt(8), dimensions, "photo")


def doubled(hl: Any, source: Any) -> Any:
    x, y = hl.vars("x y")
    f = hl.Func("doubled")
    f[x, y] = source[x, y] * 2
    return f


@bad(ValueError, "complex64", "(3,)", "array.real and array.imag")
def complex_array(hl: Any) -> None:
    hl.Buffer(np.zeros(3, np.complex64))


@bad(ValueError, "one field, for example array['a'].copy()")
def structured_array(hl: Any) -> None:
    hl.Buffer(np.zeros(3, [("a", "u1"), ("b", "f4")]))


@bad(ValueError, ">i4", "newbyteorder('=')")
def big_endian_array(hl: Any) -> None:
    hl.Buffer(np.zeros(3, ">i4"))


@bad(ValueError, "array.copy()")
def unaligned_array(hl: Any) -> None:
    hl.Buffer(np.frombuffer(b"0123456789", np.int32, 2, 1))


@bad(ArgumentError, "not uint7", "uint8, uint16")
def unusual_type(hl: Any) -> None:
    hl.Buffer(hl.UInt(7), [4])


@bad(ArgumentError, "not float128")
def wide_float(hl: Any) -> None:
    hl.Buffer(hl.Float(128), [4])


@bad(TypeError, "incompatible constructor arguments", "Buffer(type, sizes[, name])")
def no_sizes(hl: Any) -> None:
    hl.Buffer(hl.UInt(8))


@bad(TypeError, "incompatible constructor arguments", "dtype")
def unknown_keyword(hl: Any) -> None:
    hl.Buffer(np.zeros(3), dtype=np.uint8)


@bad(ArgumentError, "int32 position")
def embedded_too_far(hl: Any) -> None:
    hl.Buffer(hl.UInt(8), [4]).embedded(0, 1 << 40)


@bad(ArgumentError, "ImageParam photo (uint8, 2 dimensions)", "masked", "filled")
def masked_image(hl: Any) -> None:
    image(hl).set(np.ma.masked_array(np.zeros((2, 2), np.uint8)))


@bad(TypeError, "photo is uint8 of 2 dimensions", "list")
def list_as_image(hl: Any) -> None:
    image(hl).set([[1, 2]])


@bad(ArgumentError, "200 cannot be losslessly converted to type int8: Param level takes", "from -128 to 127")
def param_out_of_range(hl: Any) -> None:
    hl.Param(hl.Int(8), "level").set(200)


@bad(TypeError, "Param level is int8, so it takes a number, not 'high'")
def text_as_param(hl: Any) -> None:
    hl.Param(hl.Int(8), "level").set("high")


@bad(StrideError, "photo.stride.0 (3) == 1", "photo.dim(0).set_stride(3) and photo.dim(2).set_stride(1)")
def interleaved_image(hl: Any) -> None:
    x, y, c = hl.vars("x y c")
    photo = image(hl, 3)
    photo.dim(0).set_stride(1)
    photo.set(hl.Buffer(np.zeros((4, 5, 3), np.uint8), axes="yxc"))
    f = hl.Func("f")
    f[x, y, c] = photo[x, y, c]
    f.realize([5, 4, 3])


@bad(TypeMismatchError, "Output buffer doubled has type uint8", "float32", "array.astype(numpy.uint8)")
def output_of_another_type(hl: Any) -> None:
    doubled(hl, hl.Buffer(np.zeros((2, 2), np.uint8))).realize(np.zeros((2, 2), np.float32))


@bad(ArgumentError, "read-only", "output buffer doubled (shape (2, 2), uint8)", "array.copy()")
def read_only_output(hl: Any) -> None:
    out = np.zeros((2, 2), np.uint8)
    out.flags.writeable = False
    doubled(hl, hl.Buffer(np.zeros((2, 2), np.uint8))).compile_to_callable([])(out)


@bad(ArgumentError, "Input buffer photo cannot use what was passed", "complex128")
def complex_argument(hl: Any) -> None:
    photo = image(hl)
    run = doubled(hl, photo).compile_to_callable([photo])
    run(np.zeros((2, 2), complex), np.zeros((2, 2), np.uint8))


@bad(TypeError, "one int for each dimension", "'16'")
def text_as_size(hl: Any) -> None:
    hl.lambda_func(hl.Var("x"), 1).realize("16")


@pytest.mark.parametrize("name", PROGRAMS)
def test_fails(name: str) -> None:
    PROGRAMS[name].check()


def test_interleaved_images_are_read_when_declared() -> None:
    import pipec as hl

    x, y, c = hl.vars("x y c")
    photo = image(hl, 3)
    photo.dim(0).set_stride(3)
    photo.dim(2).set_stride(1)
    rows = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
    photo.set(hl.Buffer(rows, axes="yxc"))
    f = hl.Func()
    f[x, y, c] = photo[x, y, c] + 1
    np.testing.assert_array_equal(f.realize([5, 4, 3]).numpy(axes="yxc"), rows + 1)


def test_elements_beyond_two_gigs_are_reached() -> None:
    import pipec as hl

    x, y = hl.vars("x y")
    large = np.lib.stride_tricks.as_strided(np.arange(8, dtype=np.uint8), (1 << 20, 1 << 20), (0, 0))
    f = hl.Func()
    f[x, y] = hl.Buffer(large)[x + (1 << 20) - 4, y + (1 << 20) - 4]
    assert f.realize([4, 4]).all_equal(0)
