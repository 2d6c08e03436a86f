"""Python extension modules of pipelines: built, imported and called in a process of their own."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import pipec as hl
from pipec.errors import NotSupportedError

TYPES = (hl.OutputFileType.object, hl.OutputFileType.python_extension)
CALLS = """
import numpy as np
from scaled import scaled

a = np.arange(12, dtype=np.uint8).reshape(3, 4)
out, flags = np.zeros((3, 4), np.int32), np.zeros((3, 4), bool)
scaled(a, -3, 200, 0.5, True, out, flags)
print(out.tolist() == (a.astype(int) * -3 + 200 + 1).tolist(), flags.tolist() == (a > 5).tolist())
scaled(image=a[:, ::2][:, ::-1].copy(), factor=2, offset=0, gain=4, odd=False, made_0=out[:, :2], made_1=flags[:, :2])
print(out[:, :2].tolist() == (a[:, ::2][:, ::-1].astype(int) * 2 + 8).tolist())
frozen = a.astype(np.int32)
frozen.flags.writeable = False
for wrong in (
    (a.astype(np.int8), 1, 1, 1, 1, out, flags),
    (a[0], 1, 1, 1, 1, out, flags),
    (a, 1 << 31, 1, 1, 1, out, flags),
    (a, 1, 256, 1, 1, out, flags),
    (a, 1, 1, "x", 1, out, flags),
    (a, 1, 1, 1, 1, frozen, flags),
    (a[:2], 1, 1, 1, 1, out, flags),
    (a, 1),
):
    try:
        scaled(*wrong)
    except Exception as error:
        print(type(error).__name__, error)
"""
ERRORS = (
    "ValueError Invalid argument image: Expected elements of uint with 8 bits, got format 'b'",
    "ValueError Invalid argument image: Expected 2 dimensions, got 1",
    "OverflowError Invalid argument factor: 2147483648 does not fit int32",
    "OverflowError Invalid argument offset: 256 does not fit uint8",
    "TypeError must be real number, not str",
    "ValueError",
    "RuntimeError Error: Input buffer image is accessed at",
    "TypeError",
)


def pipeline():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    factor, offset = hl.Param(hl.Int(32), "factor"), hl.Param(hl.UInt(8), "offset")
    gain, odd = hl.Param(hl.Float(32), "gain"), hl.Param(hl.Bool(), "odd")
    f = hl.Func("made")
    value = image[x, y] * factor + hl.i32(offset) + hl.i32(gain * 2) + hl.select(odd, 0, 0)
    f[x, y] = (value, image[x, y] > 5)
    return f, [image, factor, offset, gain, odd]


def test_a_module_is_built_and_called(tmp_path):
    f, arguments = pipeline()
    files = dict(zip(TYPES, map(str, (tmp_path / "scaled.o", tmp_path / "scaled.py.cpp")), strict=True))
    f.compile_to(files, arguments, "scaled")
    include = sysconfig.get_path("include")
    if not Path(include, "Python.h").exists():
        pytest.skip("the headers of Python are not installed")
    module = tmp_path / f"scaled{sysconfig.get_config_var('EXT_SUFFIX')}"
    for compiler in (["c++"], ["cc", "-std=c99", "-x", "c"]):
        flags = ["-Wall", "-Werror", "-Wno-cast-function-type", "-shared", "-fPIC", f"-I{include}", "-o", str(module)]
        sources = [files[TYPES[1]], "-x", "none", files[TYPES[0]], "-lm", "-lpthread"]
        built = subprocess.run([*compiler, *flags, *sources], capture_output=True, text=True)
        assert built.returncode == 0, built.stderr
        done = subprocess.run([sys.executable, "-c", CALLS], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, (done.returncode, done.stderr)
        lines = done.stdout.splitlines()
        assert lines[:2] == ["True True", "True"]
        assert len(lines) == 2 + len(ERRORS), done.stdout
        for line, text in zip(lines[2:], ERRORS, strict=True):
            assert line.startswith(text), (line, text)


def test_what_python_cannot_give_is_refused(tmp_path):
    f, x, pointer = hl.Func("f"), hl.Var("x"), hl.Param(hl.Handle(), "pointer")
    f[x] = hl.i32(hl.reinterpret(hl.Int(64), pointer))
    with pytest.raises(NotSupportedError, match="no value for the parameter pointer"):
        f.compile_to({TYPES[1]: str(tmp_path / "f.py.cpp")}, [pointer], "f")
