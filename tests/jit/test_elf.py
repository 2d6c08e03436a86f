"""The loader of object code: what it loads runs; what it does not know is left to LLVM."""

import ctypes
import platform
import subprocess
import sys

import pytest

from pipec.jit.llvm.engine import TargetMachine, engine
from pipec.jit.llvm.machine import host
from pipec.jit.objects import elf
from pipec.jit.objects.elf import link

pytestmark = pytest.mark.skipif(
    (platform.machine(), platform.system()) != ("x86_64", "Linux"), reason="the loader is for x86-64 Linux"
)

TEXT = """
@counter = internal global i32 40, align 4
@zeros = internal global [100 x i32] zeroinitializer, align 64
@table = internal constant [3 x ptr] [ptr @one, ptr @two, ptr @zeros]
declare double @cos(double)
declare i32 @given()
define internal i32 @one() { ret i32 1 }
define internal i32 @two() { ret i32 2 }
define i32 @count() {
  %old = load i32, ptr @counter
  %new = add i32 %old, 1
  store i32 %new, ptr @counter
  ret i32 %new
}
define i32 @through(i32 %i) {
  %place = getelementptr [3 x ptr], ptr @table, i32 0, i32 %i
  %function = load ptr, ptr %place
  %result = call i32 %function()
  ret i32 %result
}
define i32 @choose(i32 %i) {
  switch i32 %i, label %other [ i32 0, label %a i32 1, label %b i32 2, label %c i32 3, label %d i32 4, label %e ]
a: ret i32 11
b: ret i32 35
c: ret i32 22
d: ret i32 -7
e: br label %f
f: %g = call i32 @given()
  ret i32 %g
other: ret i32 0
}
define double @cosine(double %x) {
  %y = call double @cos(double %x)
  %z = fadd double %y, 1.25
  ret double %z
}
"""
NAMES = ("count", "through", "choose", "cosine")


@pytest.fixture(scope="module")
def data():
    return engine().compile([TEXT], TargetMachine(host().triple, "", ""))


def functions(image):
    integer = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)
    cosine = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(image["cosine"])
    return *[integer(image[name]) for name in NAMES[:3]], cosine


def test_loaded_code_runs(data):
    inputs = ctypes.CFUNCTYPE(ctypes.c_int32)(lambda: 77)
    image = elf.load(data, NAMES, {"given": ctypes.cast(inputs, ctypes.c_void_p).value})
    count, through, choose, cosine = functions(image)
    assert [count(0), count(0)] == [41, 42]
    assert [through(0), through(1)] == [1, 2]
    assert [choose(i) for i in range(6)] == [11, 35, 22, -7, 77, 0]
    assert cosine(0.0) == 2.25


def test_objects_are_apart(data):
    inputs = ctypes.CFUNCTYPE(ctypes.c_int32)(lambda: 77)
    imports = {"given": ctypes.cast(inputs, ctypes.c_void_p).value}
    first, second = elf.load(data, NAMES, imports), link(data, NAMES, imports)
    assert functions(first)[0](0) == 41 and functions(second)[0](0) == 41


def test_what_is_missing_or_damaged_is_refused(data):
    assert elf.load(data, NAMES, {}) is None
    assert elf.load(data, (*NAMES, "nothing"), {"given": 1}) is None
    for size in (0, 10, 63, 64, 200, len(data) // 2, len(data) - 64):
        assert elf.load(data[:size], NAMES, {"given": 1}) is None


def test_llvm_loads_what_the_loader_does_not(data, monkeypatch):
    monkeypatch.setattr(elf, "load", lambda *_: None)
    inputs = ctypes.CFUNCTYPE(ctypes.c_int32)(lambda: 5)
    image = link(data, NAMES, {"given": ctypes.cast(inputs, ctypes.c_void_p).value})
    assert functions(image)[2](4) == 5


def test_cached_code_needs_no_llvm(tmp_path, monkeypatch):
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path))
    code = (
        "import sys, pipec as hl\nx = hl.Var('x')\nf = hl.Func('f')\nf[x] = hl.sin(x) + x\nf.parallel(x)\n"
        "assert abs(f.realize([9])[8] - 8.989358) < 1e-5\nprint('llvmlite.binding' in sys.modules)\n"
    )
    assert [subprocess.check_output([sys.executable, "-c", code], text=True) for _ in range(2)] == ["True\n", "False\n"]
