"""Exported packages: the library, the header and the wheel run where there is no pipec."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import numpy as np
import pytest

import pipec as hl
from pipec.scale.export import export
from pipec.target import get_host_target

x, y = hl.vars("x y")
CALLS = """
import sys
import numpy as np
from brighten import brighten, set_threads
assert set_threads(2) > 0
a = np.arange(12, dtype=np.uint8).reshape(3, 4)
expected = a * 2 + 5
assert (brighten(a, 5) == expected).all()
out = np.zeros((6, 4), np.uint8)
assert brighten(a[::-1], offset=5, brighter=out[::2]) is not None
assert (out[::2] == expected[::-1]).all() and not out[1::2].any()
for wrong in ((a, 256), (a.astype(float), 1), (a[0], 1), (a,), (a, 1, out[::2], 3)):
    try:
        brighten(*wrong)
    except (TypeError, ValueError, OverflowError) as error:
        print(type(error).__name__)
try:
    brighten(a[:2], 1, np.zeros((3, 4), np.uint8))
except RuntimeError as error:
    print(error)
assert not {"pipec", "llvmlite"} & set(sys.modules)
"""
MAIN = r"""
#include <stdio.h>
#include "brighten.h"
int main(void) {
    uint8_t in[6] = {0, 1, 2, 3, 4, 5}, out[6] = {0};
    halide_dimension_t dims[2] = {{0, 3, 1, 0}, {0, 2, 3, 0}};
    halide_buffer_t a = {0, 0, in, 0, {halide_type_uint, 8, 1}, 2, dims, 0};
    halide_buffer_t b = {0, 0, out, 0, {halide_type_uint, 8, 1}, 2, dims, 0};
    int code = brighten(&a, 5, &b);
    for (int i = 0; i < 6; ++i) printf("%d ", out[i]);
    return code;
}
"""


def brighten() -> hl.Func:
    image, offset = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.UInt(8), "offset")
    output = hl.Func("brighter")
    output[x, y] = image[x, y] * 2 + offset
    output.vectorize(x, 8, hl.TailStrategy.GuardWithIf).parallel(y)
    return output


def host_target() -> hl.Target:
    host = get_host_target()
    return hl.Target(host.os, host.arch, host.bits)


@pytest.mark.slow
def test_a_wheel_runs_in_a_clean_environment(tmp_path: Path) -> None:
    (package,) = export(brighten(), tmp_path, name="brighten", targets=[host_target()])
    venv.create(tmp_path / "clean", with_pip=True)
    python = str(tmp_path / "clean" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", str(package.wheel)], check=True)
    done = subprocess.run([python, "-I", "-c", CALLS], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    listed = subprocess.run([python, "-m", "pip", "list"], capture_output=True, text=True, check=True).stdout
    assert "brighten" in listed and "llvmlite" not in listed


def test_the_module_of_a_wheel_needs_numpy_only(tmp_path: Path) -> None:
    (package,) = export(brighten(), tmp_path, name="brighten", targets=[host_target()])
    shutil.unpack_archive(package.wheel, tmp_path / "site", "zip")
    path = [str(tmp_path / "site"), str(Path(np.__file__).parents[1])]
    code = f"import sys; sys.path[:0] = {path!r}\n{CALLS}"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:5] == ["OverflowError", "TypeError", "ValueError", "TypeError", "TypeError"]
    assert lines[5].startswith("Error: Input buffer image is accessed at [0, 2] in dimension 1")


def test_the_library_is_called_from_c(tmp_path: Path) -> None:
    (package,) = export(brighten(), tmp_path, name="brighten", targets=[host_target()])
    (tmp_path / "main.c").write_text(MAIN)
    program = tmp_path / "main"
    flags = [f"-I{tmp_path}", f"-L{package.library.parent}", "-lbrighten", f"-Wl,-rpath,{package.library.parent}"]
    subprocess.run(["cc", str(tmp_path / "main.c"), "-o", str(program), *flags], check=True)
    assert subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout == "5 7 9 11 13 15 "


def test_an_arm_library_is_one_and_runs_under_qemu_where_that_is_installed(tmp_path: Path) -> None:
    pytest.importorskip("ziglang")
    (package,) = export(brighten(), tmp_path, name="brighten", targets=["arm-64-linux"])
    head = package.library.read_bytes()[:20]
    assert head[:4] == b"\x7fELF" and int.from_bytes(head[18:20], "little") == 183
    assert package.wheel.name == "brighten-0.1.0-py3-none-manylinux_2_17_aarch64.whl"
    emulator = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if emulator is None:
        pytest.skip("qemu-user is not installed")
    (tmp_path / "main.c").write_text(MAIN)
    output = brighten()
    image, offset = [argument.source for argument in output.infer_arguments()]
    output.compile_to_object(str(tmp_path / "code.o"), [image, offset], "brighten", hl.Target("arm-64-linux"))
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl", "-static", f"-I{tmp_path}"]
    program = str(tmp_path / "main")
    subprocess.run([*zig, str(tmp_path / "main.c"), str(tmp_path / "code.o"), "-o", program], check=True)
    assert subprocess.run([emulator, program], capture_output=True, text=True, check=True).stdout == "5 7 9 11 13 15 "


def test_targets_and_versions_that_cannot_be_packaged_are_errors(tmp_path: Path) -> None:
    with pytest.raises(hl.NotSupportedError, match="is exported for 64-bit Linux on x86 or ARM, not for"):
        export(brighten(), tmp_path, targets=["x86-64-windows"])
    with pytest.raises(hl.HalideError, match="version='one' must be numbers"):
        export(brighten(), tmp_path, version="one")


def test_the_command_exports_a_pipeline_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from pipec.cli import main

    source = tmp_path / "pipelines.py"
    source.write_text(
        "import pipec as hl\n\ndef ramp():\n    x = hl.Var('x')\n    f = hl.Func('ramp')\n    f[x] = x\n    return f\n"
    )
    target = str(host_target())
    assert main(["export", f"{source}:ramp", str(tmp_path / "package"), "--name", "ramp", "--target", target]) == 0
    library, wheel = capsys.readouterr().out.split()
    assert Path(library).exists() and Path(wheel).exists() and (tmp_path / "package" / "ramp.h").exists()
    assert main(["export", f"{source}:missing", str(tmp_path / "package")]) == 1
    assert "missing names no Pipeline" in capsys.readouterr().err
    assert main(["export", "nothing", str(tmp_path / "package")]) == 1
    assert "neither a file, a module nor an application" in capsys.readouterr().err
