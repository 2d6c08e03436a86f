"""Emitted C compiles without a warning, whatever Funcs are called, and errors name what the user wrote."""

import re
import shutil
import subprocess
import sysconfig

import pytest

import pipec as hl

x, y = hl.vars("x y")
COMPILERS = [name for name in ("cc", "clang", "clang-19") if shutil.which(name)]
NAMES = ["/*", "*/", "/*/", "two\nlines", "back\\", "line\\\n", "what??/", '"quoted"', "int", "é"]
# What files use themselves.
OWN_NAMES = [
    "code",
    "slots",
    "pipec_check",
    "memcpy",
    "size_t",
    "NULL",
    "min_int32",
    "halide_buffer_t",
    "uint8_t",
    "rows",
]


def assert_no_warnings(tmp_path, output, arguments):
    path = tmp_path / "pipeline.c"
    output.compile_to_c(str(path), arguments, "pipeline")
    for compiler in COMPILERS:
        options = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-O1"]
        command = [compiler, *options, "-c", str(path), "-o", str(tmp_path / "o")]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), path.read_text()


@pytest.mark.part(2)
@pytest.mark.skipif(not COMPILERS, reason="no C compiler is installed")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.part(3)
def test_any_name_and_unused_parameters_give_no_warning(tmp_path, name):
    image, unused = hl.ImageParam(hl.UInt(8), 2, f"image{name}"), hl.Param(hl.Int(32), f"unused{name}")
    f, g = hl.Func(name), hl.Func(f"{name}g")
    f[x, y] = hl.select(image[x, y] < 0, 1, image[x, y])
    g[x, y] = hl.require(f[x, y] < 7, f[x, y] + f[x + 1, y], name)
    f.compute_root()
    assert_no_warnings(tmp_path, g, [image, unused])


@pytest.mark.skipif(not COMPILERS, reason="no C compiler is installed")
@pytest.mark.parametrize("name", OWN_NAMES)
@pytest.mark.part(6)
def test_parameters_and_funcs_have_names_that_files_use_themselves(tmp_path, name):
    image, other = hl.ImageParam(hl.UInt(8), 2, name), hl.Param(hl.Int(32), "other")
    f, g = hl.Func(name), hl.Func("g")
    f[x, y] = hl.min(hl.i32(image[x, y]), other)
    g[x, y] = f[x, y] + f[x + 1, y] / other
    f.compute_root()
    assert_no_warnings(tmp_path, g, [image, other])
    image, other = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.Int(32), name)
    g = hl.Func("g")
    g[x, y] = image[x, y] * other
    assert_no_warnings(tmp_path, g, [image, other])


@pytest.mark.skipif(not COMPILERS, reason="no C compiler is installed")
@pytest.mark.parametrize("lanes", [1, 8])
def test_helpers_that_are_not_called_are_not_defined(tmp_path, lanes):
    f = hl.Func("f")
    f[x] = hl.f32(x) * 2
    if lanes > 1:
        f.vectorize(x, lanes)
    assert_no_warnings(tmp_path, f, [])


def test_the_error_for_async_names_the_func_and_the_directive(tmp_path):
    f, g = hl.funcs("producer consumer")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x, y + 1]
    f.store_root().compute_at(g, y).async_()
    with pytest.raises(hl.NotSupportedError, match=r"async_\(\) Func producer: C99 has no threads") as error:
        g.compile_to_c(str(tmp_path / "f.c"), [], "f")
    assert "Fork" not in str(error.value)


@pytest.mark.skipif(not COMPILERS, reason="no C compiler is installed")
def test_a_failing_requirement_reads_its_values_before_their_memory_is_freed(tmp_path):
    f, g = hl.funcs("f g")
    f[x] = x * 3
    g[x] = hl.require(f[x] < 7, f[x], "too large")
    f.compute_root()
    assert_no_warnings(tmp_path, g, [])
    text = (tmp_path / "pipeline.c").read_text()
    assert re.search(r"const int (status\d+) = pipec_fail\(.*\n\s*free\(\w+\);\n\s*return \1;", text)


@pytest.mark.skipif(not COMPILERS, reason="no C compiler is installed")
def test_values_that_nobody_reads_give_no_warning(tmp_path):
    f, g = hl.funcs("f g")
    f[x] = hl.Tuple(x + 1, x + 2)
    g[x] = f[0][1] + f[1][1]
    f.compute_at(g, x)
    assert_no_warnings(tmp_path, g, [])


@pytest.mark.skipif(not COMPILERS, reason="no C compiler is installed")
def test_a_sum_that_is_computed_where_it_is_read_gives_no_warning(tmp_path):
    image, f, r = hl.ImageParam(hl.UInt(32), 2, "image"), hl.Func("f"), hl.RDom([(0, 1)], "r")
    inside = hl.BoundaryConditions.constant_exterior(image, hl.cast(hl.UInt(32), 7))
    place = hl.i32(hl.u8(inside[1, 1]))
    total = hl.sum(r, hl.cast(hl.Float(16), inside[1, r]))
    f[x, y] = hl.select((y < -5) | (hl.u8(inside[place, 1]) < hl.u8(1)), hl.cast(hl.Float(16), 1.0), total)
    f.output_buffer().dim(0).set_stride(hl.Expr())
    assert_no_warnings(tmp_path, f, [image])


@pytest.mark.parametrize("name", ["memcpy", "log", "size_t"])
def test_no_function_has_a_name_of_the_library(tmp_path, name):
    f = hl.Func(name)
    f[x] = x
    with pytest.raises(hl.HalideError, match=f"'{name}' cannot be the name of a C function; '{name}_1' can"):
        f.compile_to_c(str(tmp_path / "f.c"), [], name)
    f.compile_to_header(str(tmp_path / "f.h"), [])
    assert f"int {name}_(struct halide_buffer_t *" in (tmp_path / "f.h").read_text()


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler is installed")
@pytest.mark.parametrize("name", ["friend", "nullptr", "errno", "Py_None", "names", "module"])
@pytest.mark.part(3)
def test_programs_of_cpp_and_modules_of_python_have_any_names(tmp_path, name):
    image, f = hl.ImageParam(hl.UInt(8), 2, name), hl.Func("f")
    f[x, y] = image[x, y]
    function = name if name in ("names", "module") else "f"
    outputs = {hl.OutputFileType.c_header: tmp_path / "f.h", hl.OutputFileType.python_extension: tmp_path / "f.cpp"}
    f.compile_to(outputs, [image], function)
    (tmp_path / "main.cpp").write_text('#include "f.h"\nint main() { return 0; }\n')
    for file in ("main.cpp", "f.cpp"):
        command = ["g++", "-std=c++17", "-Wall", "-I", sysconfig.get_paths()["include"], "-fsyntax-only", file]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
