"""Object code that is profiled: a program writes the time and memory of each stage when it ends."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import pipec as hl

x, y = hl.vars("x y")
# Runs the pipelines `first` and `second` some times, and does what the test wants in between.
MAIN = """
#include <stdio.h>
#include "first.h"
#include "second.h"
%s
int main(void) {
    static int32_t result[64 * 64];
    halide_dimension_t dims[2] = {{0, 64, 1, 0}, {0, 64, 64, 0}};
    halide_buffer_t out = {0};
    out.host = (uint8_t *)result;
    out.type.code = halide_type_int;
    out.type.bits = 32;
    out.type.lanes = 1;
    out.dimensions = 2;
    out.dim = dims;
    for (int i = 0; i < 3; i++)
        if (first(&out) != 0) return 1;
    if (second(&out) != 0) return 1;
    %s
    return result[65] != 5;
}
"""


@pytest.fixture(scope="module", params=["profile", "profile_by_timer"])
def libraries(request: Any, tmp_path_factory: Any) -> Path:
    folder = Path(tmp_path_factory.mktemp("profiled"))
    for name in ("first", "second"):
        f, g = hl.Func("stored"), hl.Func("read")
        f[x, y] = x + y
        g[x, y] = f[x, y] + f[x + 1, y]
        f.compute_root()
        g.parallel(y)
        target = hl.Target(f"host-{request.param}")
        g.compile_to_static_library(folder / name, [], name, target)
    return folder


def written(folder: Path, functions: str = "", statements: str = "") -> str:
    """What a program with these functions and statements writes to stderr."""
    (folder / "main.c").write_text(MAIN % (functions, statements))
    sources = ["main.c", "first.a", "second.a"]
    subprocess.run(["cc", "-std=c99", *sources, "-o", "main", "-lpthread"], cwd=folder, check=True)
    return subprocess.run(["./main"], cwd=folder, capture_output=True, text=True, check=True).stderr


def test_the_end_of_a_program_writes_all_stages(libraries: Path) -> None:
    text = written(libraries)
    profiles = {part.split("\n")[0]: part for part in re.split(r"^(?=first|second)", text, flags=re.M) if part}
    assert set(profiles) == {"first", "second"}
    for name, runs in (("first", 3), ("second", 1)):
        assert f" runs: {runs} " in profiles[name]
        assert re.search(rf"stored\S*: .*ms .* num: {runs}  avg: \d{{5}}$", profiles[name], re.M)
        assert re.search(r"read\S*: .*ms \([\d.]+%\) +threads: [\d.]+$", profiles[name], re.M)


def test_a_program_may_report_and_reset(libraries: Path) -> None:
    reports = "halide_profiler_report(NULL); halide_profiler_reset(NULL); first(&out);"
    assert re.findall(r" runs: (\d)", written(libraries, "", reports)) == ["1", "3", "1"]


def test_a_program_may_have_a_print_of_its_own(libraries: Path) -> None:
    printing = 'void pipec_print(const char *text, size_t bytes) { fprintf(stderr, "> %.*s", (int)bytes, text); }'
    assert all(line.startswith(("> ", " total")) for line in written(libraries, printing).splitlines())


def test_c_source_is_not_profiled(tmp_path: Path) -> None:
    f = hl.Func("f")
    f[x] = x
    with pytest.raises(hl.HalideError, match="Take the feature profile out of the target, or write an object"):
        f.compile_to_c(tmp_path / "f.c", [], "f", hl.Target("host-profile"))
