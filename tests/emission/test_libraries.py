"""Object files and static libraries, linked by cc and run."""

import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pytest
from c_programs import blur, build, expected, run

import pipec as hl

ELF_MACHINES = {
    "x86-64-linux": 62,
    "x86-32-linux": 3,
    "arm-64-linux": 183,
    "arm-32-linux": 40,
    "arm-32-android": 40,
    "riscv-64-linux": 243,
}
# What compiles C for machines other than this one, and what runs it, where they are installed.
OTHER_MACHINES = {
    "x86-32-linux": (("cc", "-m32"), ()),
    "x86-32-linux-avx2-avx-fma-f16c-sse41": (("cc", "-m32"), ()),
    "arm-32-linux": (("arm-linux-gnueabihf-gcc",), ("qemu-arm", "-L", "/usr/arm-linux-gnueabihf")),
    "arm-64-linux": (("aarch64-linux-gnu-gcc",), ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    func, image, gain = blur()
    func.compile_to_static_library(folder / "pipeline", [image, gain])
    build(folder, "pipeline.a")
    return folder


@pytest.mark.parametrize("size", [(200, 100), (5, 3), (1, 1)])
@pytest.mark.part(2)
def test_c_program_computes_what_realize_does(folder, size):
    printed, result = run(folder, *size)
    assert printed == "0"
    assert (result == expected(*size)).all()


def test_wrong_stride_is_reported_to_c(folder):
    printed, _ = run(folder, 20, 10, 2)
    assert printed == "-8 Error: Constraint violated: blur_y.stride.0 (2) == 1"


def test_threads_may_call_at_once(folder):
    (folder / "threads.c").write_text("""
#include <pthread.h>
#include <stdlib.h>
#include "pipeline.h"
static uint16_t pixels[64 * 64];
static void *call(void *result) {
    halide_dimension_t dims[2] = {{0, 64, 1, 0}, {0, 64, 64, 0}};
    halide_buffer_t in = {.host = (uint8_t *)pixels, .type = {halide_type_uint, 16, 1}, .dimensions = 2, .dim = dims};
    halide_buffer_t out = in;
    out.host = malloc(sizeof pixels);
    long wrong = 0;
    for (int i = 0; i < 50; i++) {
        wrong += pipeline(&in, 1, &out) != 0;
        for (int k = 0; k < 64 * 64; k++)
            wrong += ((uint16_t *)out.host)[k] != 300 + (k % 8) * (k % 8);
    }
    *(long *)result = wrong;
    return 0;
}
int main(void) {
    pthread_t threads[4];
    long wrong[4], sum = 0;
    for (int k = 0; k < 64 * 64; k++) pixels[k] = 300;
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, call, &wrong[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0), sum += wrong[i];
    return sum != 0 || halide_set_num_threads(2) < 1;
}
""")
    subprocess.run(["cc", "threads.c", "pipeline.a", "-o", "threads", "-lpthread", "-lm"], cwd=folder, check=True)
    subprocess.run(["./threads"], cwd=folder, check=True, env={"HL_NUM_THREADS": "3"}, timeout=60)


def test_two_pipelines_link_into_one_program(tmp_path):
    x = hl.Var("x")
    for name, factor in (("double_it", 2), ("triple_it", 3)):
        image = hl.ImageParam(hl.Int(32), 1, "image")
        f = hl.Func(name)
        f[x] = image[x] * factor
        f.parallel(x)
        f.compile_to_file(tmp_path / name, [image])
    (tmp_path / "main.c").write_text("""
#include "double_it.h"
#include "triple_it.h"
int main(void) {
    int32_t a[3] = {1, 2, 3}, b[3], c[3];
    halide_dimension_t dim = {0, 3, 1, 0};
    halide_buffer_t in = {.host = (uint8_t *)a, .type = {halide_type_int, 32, 1}, .dimensions = 1, .dim = &dim};
    halide_buffer_t first = in, second = in;
    first.host = (uint8_t *)b;
    second.host = (uint8_t *)c;
    return double_it(&in, &first) || triple_it(&first, &second) || c[2] != 18;
}
""")
    subprocess.run(["cc", "main.c", "double_it.o", "triple_it.o", "-o", "main", "-lpthread"], cwd=tmp_path, check=True)
    subprocess.run(["./main"], cwd=tmp_path, check=True, timeout=60)


@pytest.mark.part(2)
@pytest.mark.parametrize("target", ELF_MACHINES)
def test_objects_for_other_machines(tmp_path, target):
    func, image, gain = blur()
    func.compile_to_object(tmp_path / "f.o", [image, gain], "blur", hl.Target(target))
    data = (tmp_path / "f.o").read_bytes()
    assert data[:5] == b"\x7fELF" + bytes([hl.Target(target).bits // 32])
    assert struct.unpack_from("<H", data, 18) == (ELF_MACHINES[target],)


@pytest.mark.parametrize("target", OTHER_MACHINES)
def test_objects_for_other_machines_run(tmp_path, target):
    compiler, emulator = OTHER_MACHINES[target]
    (tmp_path / "empty.c").write_text("#include <stdio.h>\nint main(void) { return 0; }\n")
    for command in ((*compiler, "empty.c", "-o", "empty"), (*emulator, "./empty")):
        if shutil.which(command[0], path=f"{os.environ['PATH']}:{tmp_path}") is None:
            pytest.skip(f"{command[0]} is not installed")
        if subprocess.run(command, cwd=tmp_path, capture_output=True).returncode != 0:
            pytest.skip(f"{' '.join(command)} does not work")
    func, image, gain = blur()
    func.compile_to_static_library(tmp_path / "pipeline", [image, gain], "pipeline", hl.Target(target))
    build(tmp_path, "pipeline.a", compiler=compiler)
    for size in ((200, 100), (5, 3)):
        printed, result = run(tmp_path, *size, emulator=emulator)
        assert printed == "0" and (result == expected(*size)).all()


def test_a_mac_object_is_mach_o(tmp_path):
    func, image, gain = blur()
    func.compile_to_object(tmp_path / "f.o", [image, gain], hl.Target("arm-64-osx"))
    assert (tmp_path / "f.o").read_bytes()[:4] == b"\xcf\xfa\xed\xfe"


def test_llvm_reads_what_is_written_as_llvm(tmp_path):
    func, image, gain = blur()
    kinds = hl.OutputFileType
    outputs = {
        kinds.llvm_assembly: tmp_path / "f.ll",
        kinds.bitcode: tmp_path / "f.bc",
        kinds.assembly: tmp_path / "f.s",
    }
    func.compile_to(outputs, [image, gain], "blur")
    for module in (
        llvm.parse_assembly((tmp_path / "f.ll").read_text()),
        llvm.parse_bitcode((tmp_path / "f.bc").read_bytes()),
    ):
        assert module.get_function("blur").linkage == llvm.Linkage.external
    assert "blur:" in (tmp_path / "f.s").read_text()


def test_without_runtime_only_the_function_is_defined(tmp_path):
    func, image, gain = blur()
    func.compile_to_llvm_assembly(tmp_path / "f.ll", [image, gain], "blur", hl.Target("host-no_runtime"))
    module = llvm.parse_assembly((tmp_path / "f.ll").read_text())
    public = [f.name for f in module.functions if not f.is_declaration and f.linkage != llvm.Linkage.internal]
    assert public == ["blur", "blur_argv", "blur_metadata"]


def test_scalars_and_tuples_cross_the_c_interface(tmp_path):
    x = hl.Var("x")
    kinds = [hl.Int(8), hl.UInt(16), hl.Int(64), hl.Float(64), hl.Bool()]
    params = [hl.Param(kind, f"p{at}") for at, kind in enumerate(kinds)]
    f = hl.Func("f")
    f[x] = (hl.i64(params[0]) + params[1] + params[2] + x, hl.select(params[4], params[3], -params[3]))
    f.compile_to_static_library(tmp_path / "f", params)
    (tmp_path / "main.c").write_text("""
#include "f.h"
int main(void) {
    int64_t a[2];
    double b[2];
    halide_dimension_t dim = {5, 2, 1, 0};
    halide_buffer_t first = {.host = (uint8_t *)a, .type = {halide_type_int, 64, 1}, .dimensions = 1, .dim = &dim};
    halide_buffer_t second = first;
    second.host = (uint8_t *)b;
    second.type.code = halide_type_float;
    if (f(-100, 60000, 1ll << 40, 2.5, 1, &first, &second) || a[1] != (1ll << 40) + 59906 || b[0] != 2.5) return 1;
    int8_t p0 = -1;
    uint16_t p1 = 65535;
    int64_t p2 = 0;
    double p3 = 7;
    bool p4 = 0;
    void *args[] = {&p0, &p1, &p2, &p3, &p4, &first, &second};
    return f_argv(args) || a[0] != 65539 || b[1] != -7;
}
""")
    subprocess.run(["cc", "main.c", "f.a", "-o", "main", "-lpthread"], cwd=tmp_path, check=True)
    subprocess.run(["./main"], cwd=tmp_path, check=True)


def test_requirements_and_ranges_are_checked_in_c(tmp_path):
    import ctypes

    x = hl.Var("x")
    p = hl.Param(hl.Float(32), "p")
    p.set_range(0, 10)
    f = hl.Func("f")
    f[x] = p
    pipeline = hl.Pipeline(f)
    pipeline.add_requirement(p != 3.5, "p is", p, "100%")
    q = hl.Param(hl.Int(32), "q")
    pipeline.add_requirement(q + f.output_buffer().dim(0).stride() > 1, "q is", q)
    pipeline.compile_to_object(tmp_path / "f.o", [p, q], "f")
    subprocess.run(["cc", "-shared", "f.o", "-o", "f.so", "-lpthread"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "f.so"))
    library.pipec_last_error.restype = ctypes.c_char_p
    library.f.argtypes = ctypes.c_float, ctypes.c_int32, ctypes.c_void_p
    out = np.zeros(1, np.float32)
    dim = np.array([0, 1, 1, 0], np.int32)
    raw = struct.pack("=QQQQBBHiQQ", 0, 0, out.ctypes.data, 0, 2, 32, 1, 1, dim.ctypes.data, 0)
    assert library.f(2, 1, raw) == 0 and out[0] == 2
    assert library.f(2, 0, raw) == -27
    assert library.pipec_last_error() == b"Error: Requirement Failed: (false) q is 0"
    assert library.f(3.5, 1, raw) == -27
    assert library.pipec_last_error() == b"Error: Requirement Failed: (false) p is 3.5 100%"
    assert library.f(11, 1, raw) == -10
    assert library.pipec_last_error() == b"Error: Parameter p is 11 but must be at most 10"
    assert library.f(1, 1, None) == -12
    assert library.pipec_last_error() == b"Error: Buffer argument Output buffer f is NULL"


def test_the_program_of_the_documents_runs(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "c.md").read_text()
    blocks = {language: text for language, text in re.findall(r"```(python|c)\n(.*?)```", page, re.S)}
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", blocks["python"]], cwd=tmp_path, env=environment, check=True)
    (tmp_path / "main.c").write_text(blocks["c"])
    for source in ("brighter.a", "brighter.c"):
        subprocess.run(["cc", "-Wall", "main.c", source, "-o", "main", "-lpthread", "-lm"], cwd=tmp_path, check=True)
        subprocess.run(["./main"], cwd=tmp_path, check=True, timeout=60)
