"""Modules: several pipelines in one file, names of arguments, what was appended."""

import ctypes
import subprocess

import numpy as np
import pytest

import pipec as hl

x = hl.Var("x")


def modules():
    image, gain = hl.ImageParam(hl.Int(32), 1, "image"), hl.Param(hl.Int(32), "gain")
    twice, scaled = hl.Func("twice"), hl.Func("scaled")
    twice[x] = image[x] * 2
    scaled[x] = hl.i32(hl.exp(hl.f32(image[x]))) * gain
    twice.vectorize(x, 8)
    scaled.vectorize(x, 8)
    return twice.compile_to_module([image], "twice"), scaled.compile_to_module([image, gain], "scaled")


def called(library, name, *values):
    described, stored = [], []
    for value in values:
        if isinstance(value, np.ndarray):
            dims = (ctypes.c_int32 * 4)(0, len(value), 1, 0)
            words = (ctypes.c_uint64 * 7)(
                0, 0, value.ctypes.data, 0, 1 << 32 | 1 << 16 | 32 << 8, ctypes.addressof(dims)
            )
            stored.append(dims)
            described.append(words)
        else:
            described.append(ctypes.c_int32(value))
    assert getattr(library, name)(*described) == 0


@pytest.mark.parametrize("kind", ["object", "static_library"])
def test_linked_modules_are_one_file(kind, tmp_path):
    linked = hl.link_modules("both", list(modules()))
    path = tmp_path / ("both.o" if kind == "object" else "both.a")
    linked.compile({hl.OutputFileType[kind]: path, hl.OutputFileType.c_header: tmp_path / "both.h"})
    (tmp_path / "main.c").write_text('#include "both.h"\nvoid *uses[] = {(void *)twice, (void *)scaled};\n')
    command = ["cc", "-shared", "-fPIC", "main.c", path.name, "-o", "both.so", "-lpthread", "-lm"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    library = ctypes.CDLL(str(tmp_path / "both.so"))
    pixels, out = np.arange(9, dtype=np.int32), np.zeros(9, np.int32)
    called(library, "twice", pixels, out)
    assert (out == pixels * 2).all()
    called(library, "scaled", pixels, 3, out)
    assert (out == np.exp(pixels.astype(np.float32)).astype(np.int32) * 3).all()


def test_arguments_get_other_names(tmp_path):
    _, module = modules()
    module.compile({hl.OutputFileType.c_header: tmp_path / "before.h"})
    module.remap_metadata_name("gain", "factor")
    assert module.get_metadata_name_map() == {"gain": "factor"}
    module.compile({hl.OutputFileType.c_header: tmp_path / "after.h"})
    assert "int32_t gain" in (tmp_path / "before.h").read_text()
    assert "int32_t factor" in (tmp_path / "after.h").read_text()
    with pytest.raises(hl.HalideError, match="is no name of an argument"):
        module.remap_metadata_name("gain", "not a name")


def test_what_is_appended_stays_and_is_resolved():
    module, other = modules()
    table = hl.Buffer(np.arange(4, dtype=np.int32), "table")
    module.append(table)
    module.append(other)
    assert [b.name() for b in module.buffers()] == ["table"]
    assert [m.name() for m in module.submodules()] == ["scaled"]
    resolved = module.resolve_submodules()
    assert ([b.name() for b in resolved.buffers()], resolved.submodules()) == (["table", "scaled"], [])
    assert bytes(np.asarray(resolved.buffers()[1])[1:4]) == b"ELF"
    with pytest.raises(hl.NotSupportedError, match="appended to it"):
        module.compile({})


def test_bad_modules(tmp_path):
    one, two = modules()
    target = hl.Target("arm-64-linux")
    with pytest.raises(hl.HalideError, match="has no functions to compile"):
        hl.Module("empty", target).compile({})
    with pytest.raises(hl.HalideError, match="different targets cannot be linked"):
        hl.link_modules("both", [one, hl.Module("empty", target)])
    with pytest.raises(hl.HalideError, match="have the same name: twice, twice"):
        hl.link_modules("both", [one, one])
    with pytest.raises(hl.NotSupportedError, match="cannot be written as one c_source"):
        hl.link_modules("both", [one, two]).compile({hl.OutputFileType.c_source: tmp_path / "both.c"})
    with pytest.raises(TypeError, match="neither a Buffer nor a Module"):
        one.append(3)
    assert one.get_auto_scheduler_results() is None


def test_parameters_are_constants_of_the_header(tmp_path):
    image, gain, flag = (
        hl.ImageParam(hl.UInt(16), 2, "image"),
        hl.Param(hl.Float(32), "gain"),
        hl.Param(hl.Bool(), "on"),
    )
    y, f = hl.Var("y"), [hl.Func("pair") for _ in range(2)][1]
    f[x, y] = (hl.select(flag, hl.f64(image[x, y]) * gain, 0), hl.i8(x))
    kinds = {hl.OutputFileType.function_info_header: tmp_path / "info.h", hl.OutputFileType.c_header: tmp_path / "f.h"}
    f.compile_to(kinds, [image, gain, flag], "scaled")
    program = """
        #include "info.h"
        #include "f.h"
        constexpr auto about = scaled_argument_info();
        static_assert(about.size() == 5);
        static_assert(about[0].name == "image" && about[1].name == "gain" && about[3].name == "pair_0");
        static_assert(about[0].kind == HalideFunctionInfo::InputBuffer && about[0].dimensions == 2);
        static_assert(about[1].kind == HalideFunctionInfo::InputScalar && about[1].dimensions == 0);
        static_assert(about[4].kind == HalideFunctionInfo::OutputBuffer && about[4].dimensions == 2);
        static_assert(about[0].type.code == halide_type_uint && about[0].type.bits == 16);
        static_assert(about[1].type.code == halide_type_float && about[3].type.bits == 64);
        static_assert(about[2].type.code == halide_type_uint && about[2].type.bits == 1);
        static_assert(about[4].type.code == halide_type_int && about[4].type.bits == 8 && about[4].type.lanes == 1);
    """
    (tmp_path / "main.cpp").write_text(program)
    command = ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "main.cpp"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
