"""A pipeline to write to files, and a C program that runs what was written on data from Python."""

import ctypes
import struct
import subprocess
from pathlib import Path

import numpy as np

import pipec as hl

# Reads an image of 16 bits from in.raw, writes out.raw, prints the code returned and the error text.
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "pipeline.h"

int main(int argc, char **argv) {
    int width = atoi(argv[1]), height = atoi(argv[2]), stride = atoi(argv[3]);
    size_t count = (size_t)width * height;
    uint16_t *pixels = malloc(2 * count), *result = calloc(count * stride, 2);
    FILE *file = fopen("in.raw", "rb");
    if (argc != 4 || fread(pixels, 2, count, file) != count) return 1;
    fclose(file);
    halide_dimension_t in_dims[2] = {{0, width, 1, 0}, {0, height, width, 0}};
    halide_dimension_t out_dims[2] = {{0, width, stride, 0}, {0, height, width * stride, 0}};
    struct halide_type_t type = {halide_type_uint, 16, 1};
    halide_buffer_t in = {.host = (uint8_t *)pixels, .type = type, .dimensions = 2, .dim = in_dims};
    halide_buffer_t out = {.host = (uint8_t *)result, .type = type, .dimensions = 2, .dim = out_dims};
    int code = pipeline(&in, 1.25f, &out);
    if (!code) code = pipeline(&in, 1.25f, &out);
    printf("%d %s\\n", code, code ? pipec_last_error() : "");
    file = fopen("out.raw", "wb");
    fwrite(result, 2, count, file);
    return fclose(file);
}
"""
CC = ("cc", "-std=c99", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-function", "-O1")


def blur():
    """A blur in strips, threads and vectors, with its arguments."""
    x, y, yo, yi = hl.vars("x y yo yi")
    image, gain = hl.ImageParam(hl.UInt(16), 2, "image"), hl.Param(hl.Float(32), "gain")
    source = hl.BoundaryConditions.repeat_edge(image)
    table = hl.Buffer(np.arange(8, dtype=np.int32) ** 2, "table")
    blur_x, blur_y = hl.Func("blur_x"), hl.Func("blur_y")
    blur_x[x, y] = (source[x - 1, y] + source[x, y] + source[x + 1, y]) / 3
    mean = (blur_x[x, y - 1] + blur_x[x, y] + blur_x[x, y + 1]) / 3
    blur_y[x, y] = hl.u16(mean * gain) + hl.u16(table[x % 8])
    blur_y.split(y, yo, yi, 16).parallel(yo).vectorize(x, 16)
    blur_x.store_at(blur_y, yo).compute_at(blur_y, yi).vectorize(x, 16)
    return blur_y, image, gain


def pixels(width, height):
    return np.random.default_rng(width).integers(0, 1 << 14, (height, width), np.uint16)


def expected(width, height):
    func, image, gain = blur()
    image.set(hl.Buffer(pixels(width, height)))
    gain.set(1.25)
    return np.asarray(func.realize([width, height]))


def build(folder: Path, *inputs: str, compiler: tuple[str, ...] = ("cc",)) -> None:
    """Compile the program and link it with `inputs`."""
    (folder / "main.c").write_text(MAIN)
    command = [*compiler, *CC[1:], "main.c", *inputs, "-o", "main", "-lpthread", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr


def run(
    folder: Path, width: int, height: int, stride: int = 1, emulator: tuple[str, ...] = ()
) -> tuple[str, np.ndarray]:
    """What the program prints, and the pixels that it writes."""
    pixels(width, height).tofile(folder / "in.raw")
    command = [*emulator, "./main", str(width), str(height), str(stride)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip(), np.fromfile(folder / "out.raw", np.uint16).reshape(height, width)


def shared_library(folder: Path, func, arguments, kind: str = "c"):
    """The pipeline as `f` of a shared library made from C or from an object, to be called from Python."""
    if kind == "c":
        func.compile_to_c(folder / "f.c", arguments, "f")
    else:
        func.compile_to_object(folder / "f.o", arguments, "f")
    return shared_library_of(folder, f"f.{kind}")


def shared_library_of(folder: Path, source: str, *options: str):
    """A file of C or an object as a shared library."""
    command = [*CC, *options, "-shared", "-fPIC", source, "-o", "f.so", "-lm", "-lpthread"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    library = ctypes.CDLL(str(folder / "f.so"))
    library.pipec_last_error.restype = ctypes.c_char_p
    return library


def descriptor(buffer: hl.Buffer) -> tuple[bytes, object]:
    """A `halide_buffer_t` of a Buffer, and what must live as long as it."""
    array = np.asarray(buffer)
    dims = [buffer.dim(d) for d in range(buffer.dimensions())]
    flat = np.array([[d.min(), d.extent(), d.stride(), 0] for d in dims] or [[0] * 4], np.int32)
    kind = buffer.type()
    fields = (0, 0, array.ctypes.data, 0, int(kind.code().value), kind.bits(), 1, len(dims), flat.ctypes.data, 0)
    return struct.pack("=QQQQBBHiQQ", *fields), (array, flat)
