"""NAME_metadata() of a C function says what its parameters are, as Halide's does."""

import ctypes
import shutil
import subprocess

import pytest

import pipec as hl
from tests.emission.c_programs import shared_library

x, y = hl.vars("x y")


class Argument(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("scalars", ctypes.POINTER(ctypes.c_uint64) * 4),
        ("sizes", ctypes.POINTER(ctypes.POINTER(ctypes.c_int64))),
    )


class Metadata(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_int32),
        ("count", ctypes.c_int32),
        ("arguments", ctypes.POINTER(Argument)),
        ("target", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
    )


def described(argument):
    scalars = [pointer[0] if pointer else None for pointer in argument.scalars]
    sizes = [pointer[0] if pointer else None for pointer in argument.sizes[: 2 * argument.dimensions]]
    kind = argument.kind, argument.dimensions, argument.code, argument.bits, argument.lanes
    return argument.name.decode(), kind, scalars, sizes


def pipeline():
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    gain, offset, shift = hl.Param(hl.Float(32), "gain", 1.5), hl.Param(hl.UInt(8), "offset"), hl.Param(hl.Int(16), "s")
    gain.set_range(0.5, 4.0)
    offset.set_estimate(9)
    shift.set_range(-5, 7)
    image.dim(0).set_estimate(0, 640)
    f, g = hl.funcs("f g")
    f[x, y] = hl.f64(image[x, y] * gain + offset + shift)
    f.set_estimate(x, 2, 100)
    g[x, y] = hl.Tuple(hl.i32(f[x, y]), hl.u16(image[x, y]))
    return hl.Pipeline([f, g]), [image, gain, offset, shift]


# Found with Halide's own.
EXPECTED = [
    ("image", (1, 2, 1, 8, 1), [None] * 4, [0, 640, None, None]),
    ("gain", (0, 0, 2, 32, 1), [None, 0x3F000000, 0x40800000, None], []),
    ("offset", (0, 0, 1, 8, 1), [None, None, None, 9], []),
    ("s", (0, 0, 0, 16, 1), [None, 0xFFFB, 7, None], []),
    ("f", (2, 2, 2, 64, 1), [None] * 4, [2, 100, None, None]),
    ("g.0", (2, 2, 0, 32, 1), [None] * 4, [None] * 4),
    ("g.1", (2, 2, 1, 16, 1), [None] * 4, [None] * 4),
]


@pytest.mark.parametrize("kind", ["c", "o"])
def test_the_metadata_are_those_of_halide(tmp_path, kind):
    output, arguments = pipeline()
    library = shared_library(tmp_path, output, arguments, kind)
    library.f_metadata.restype = ctypes.POINTER(Metadata)
    metadata = library.f_metadata()[0]
    assert (metadata.version, metadata.name) == (1, b"f")
    assert metadata.target.decode() == hl.get_target_from_environment().to_string()
    assert [described(argument) for argument in metadata.arguments[: metadata.count]] == EXPECTED


MAIN = """
#include <stdio.h>
#include "f.h"

extern "C" void halide_register_argv_and_metadata(int (*call)(void **), const halide_filter_metadata_t *metadata,
                                                  const char *const *extra) {
    printf("%s %d %d\\n", metadata->name, metadata->num_arguments, call == f_argv && !extra);
}

int main() { return 0; }
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler is installed")
def test_the_start_of_a_program_registers_its_functions(tmp_path):
    output, arguments = pipeline()
    kinds = {"o": hl.OutputFileType.object, "h": hl.OutputFileType.c_header, "cpp": hl.OutputFileType.registration}
    output.compile_to({kind: str(tmp_path / f"f.{ending}") for ending, kind in kinds.items()}, arguments, "f")
    (tmp_path / "main.cpp").write_text(MAIN)
    command = ["g++", "-Wall", "-Wextra", "main.cpp", "f.cpp", "f.o", "-o", "main", "-lpthread"]
    built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert built.returncode == 0 and not built.stderr, built.stderr
    assert subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True).stdout == "f 7 1\n"
