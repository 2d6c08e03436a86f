"""Prints, traces and requirements of pipelines in C programs: the lines that `realize` prints, on the error stream."""

import subprocess

import numpy as np
import pytest
from c_programs import CC, descriptor, shared_library

import pipec as hl
from pipec.errors import NotSupportedError


def talkative():
    """Prints numbers of several types, in vectors and their tails, and demands something of each value."""
    x, limit = hl.Var("x"), hl.Param(hl.Int(32), "limit", 100)
    f = hl.Func("talkative")
    value = hl.print(hl.u8(x * 40), "100%", hl.i64(x) << 40, hl.cast(hl.UInt(64), -x), x > 1, hl.f32(x) / 3, hl.f64(x))
    shown = hl.print_when(x % 3 == 1, hl.i32(value), "third")
    f[x] = hl.require(x < limit, shown, "must stay below", limit, hl.f32(x) / 2, x > 2)
    f.vectorize(x, 4, hl.TailStrategy.GuardWithIf)
    return f, limit


def run(library, size, capfd, *scalars):
    """The code and the lines of a run in C, and what it computed."""
    result = hl.Buffer(hl.Int(32), [size])
    head, _memory = descriptor(result)
    code = library.f(*scalars, head)
    return code, capfd.readouterr().err.splitlines(), list(np.asarray(result))


@pytest.mark.parametrize("form", ["c", "o"])
def test_c_programs_print_what_realize_prints(tmp_path, capfd, form):
    f, limit = talkative()
    expected = list(np.asarray(f.realize([6])))
    lines = capfd.readouterr().out.splitlines()
    library = shared_library(tmp_path, f, [limit], form)
    assert run(library, 6, capfd, 100) == (0, lines, expected) and len(lines) == 8
    assert run(library, 6, capfd, 3)[0] == -27
    error = library.pipec_last_error().decode()
    assert error == "Error: Requirement Failed: (false) 120 must stay below 3 1.500000 1"


def test_objects_print_their_trace(tmp_path, capfd):
    x = hl.Var("x")
    g, f = hl.Func("traced"), hl.Func("traced_f")
    g[x] = hl.f32(x) / 2
    f[x] = hl.i32(g[x] + g[x + 1])
    g.compute_root().trace_stores().trace_loads().trace_realizations().add_trace_tag("words").vectorize(x, 4)
    f.trace_realizations()
    f.realize([7])
    lines = capfd.readouterr().out.splitlines()
    code, reports, _ = run(shared_library(tmp_path, f, [], "o"), 7, capfd)
    assert code == 0 and reports == lines and len(lines) > 20
    with pytest.raises(NotSupportedError, match="what a traced Func reports"):
        f.compile_to_c(tmp_path / "f.c", [], "f")


@pytest.mark.parametrize("form", ["c", "o"])
def test_a_program_may_print_itself(tmp_path, form):
    x = hl.Var("x")
    f = hl.Func("f")
    f[x] = hl.print(x, "here")
    f.compile_to_header(tmp_path / "f.h", [], "f")
    (f.compile_to_c if form == "c" else f.compile_to_object)(tmp_path / f"f.{form}", [], "f")
    (tmp_path / "main.c").write_text(MAIN)
    subprocess.run([*CC, "main.c", f"f.{form}", "-o", "main", "-lpthread", "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "7 0 here 7 1 here " and done.stderr == ""


MAIN = """
#include <stdio.h>
#include "f.h"
void pipec_print(const char *text, size_t bytes) { printf("%d %.*s ", (int)bytes, (int)bytes - 1, text); }
int main(void) {
    int32_t values[2];
    halide_dimension_t dims[1] = {{0, 2, 1, 0}};
    halide_buffer_t out = {.host = (uint8_t *)values, .type = {halide_type_int, 32, 1}, .dimensions = 1, .dim = dims};
    return f(&out);
}
"""
