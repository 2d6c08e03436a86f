"""The C of the runtime: its LLVM text is current, its tables are Python's, sanitizers find nothing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pipec.jit.runtime.units import FOLDER
from tools import build_runtime

PROGRAMS = Path(__file__).parent / "sanitizers"
POOL = ("pool", "memory", "tasks")
# The sources that each program exercises.
SANITIZED = {
    "pool": POOL,
    "reports": ("report", "c_library", "queries", "profile", "object_profile"),
    "python": ("interrupt", "python_call", *POOL),
    "kernels": ("device",),
}
CLANG = build_runtime.clang()
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")


@pytest.mark.parametrize("unit", build_runtime.TEXTS)
def test_text_is_that_of_the_sources(unit):
    text = Path(FOLDER, f"{unit}.ll").read_text()
    assert build_runtime.digest(unit) in text, "the C has changed: python -m tools.build_runtime"


@pytest.mark.parametrize("unit", build_runtime.TEXTS)
@pytest.mark.skipif(CLANG is None, reason=f"clang {build_runtime.CLANG_VERSION} is not installed")
@pytest.mark.part(3)
def test_clang_gives_the_text_of_the_package(unit):
    assert build_runtime.compiled(unit, CLANG) == Path(FOLDER, f"{unit}.ll").read_text()


@needs_cc
def test_tables_of_c_and_python_agree():
    command = ["cc", "-x", "c", "-", "-fsyntax-only", *build_runtime.WARNINGS]
    text = build_runtime.assertions()
    subprocess.run(command, input=text, text=True, cwd=FOLDER, check=True)
    wrong = text + '_Static_assert(WAITING == 100, "");\n'
    assert subprocess.run(command, input=wrong, text=True, cwd=FOLDER, stderr=subprocess.DEVNULL).returncode != 0


@pytest.mark.part(4)
@needs_cc
@pytest.mark.parametrize("sanitizers", ["thread", "address,undefined"])
@pytest.mark.parametrize("program", SANITIZED)
def test_sanitizers_find_nothing(tmp_path, program, sanitizers):
    options = ["-g", "-O1", f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", f"-I{FOLDER}"]
    sources = [str(PROGRAMS / f"{program}.c"), *[str(Path(FOLDER, f"{name}.c")) for name in SANITIZED[program]]]
    command = ["cc", "-std=gnu17", "-Wall", "-Wextra", *options, *sources, "-o", "program", "-lpthread"]
    built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    if "cannot find" in built.stderr:
        pytest.skip(f"the C compiler has no libraries for -fsanitize={sanitizers}")
    assert built.returncode == 0 and not built.stderr, built.stderr
    # The child of a fork starts workers of its own.
    options = "allocator_may_return_null=1:halt_on_error=1"
    environment = os.environ | {"TSAN_OPTIONS": f"{options}:die_after_fork=0", "ASAN_OPTIONS": options}
    done = subprocess.run(["./program"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_all_sources_are_sanitized():
    # half.c converts numbers, latency.c counts for a measurement: neither has memory of its own.
    sources = {name.removesuffix(".c") for names in build_runtime.UNITS.values() for name in names}
    assert {name for names in SANITIZED.values() for name in names} == sources - {"half", "latency"}
