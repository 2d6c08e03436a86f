"""Prints as statements: the interpreter, given the Reports, writes the lines that machine code writes."""

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.interp import run
from pipec.ir.storage import Image
from pipec.lower.lower import lower
from pipec.pipeline.observation.trace_event import line_of

SCHEDULES = [
    "f.vectorize(x, 4)",
    "f.split(x, xo, xi, 3).unroll(xi)",
    "f.vectorize(x, 4, hl.TailStrategy.GuardWithIf); g.compute_at(f, y)",
    "g.compute_root().vectorize(x, 2); f.reorder(y, x)",
    "g.store_root().compute_at(f, y).vectorize(x, 4, hl.TailStrategy.GuardWithIf)",
]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_machine_code_says_what_the_interpreter_says(schedule, capsys):
    x, y, xo, xi = hl.vars("x y xo xi")
    f, g = hl.Func("f"), hl.Func("g")
    g[x, y] = hl.print(x + 10 * y, "g", hl.f32(x) / 2)
    f[x, y] = hl.print_when((x + y) % 2 == 0, g[x, y] + g[x, y + 1], "f", x > y)
    exec(schedule, {"hl": hl, "f": f, "g": g, "x": x, "y": y, "xo": xo, "xi": xi})
    result = f.realize([8, 3])
    lines = capsys.readouterr().out.splitlines(keepends=True)
    definition, _ = freeze([f.function])
    program = lower(definition, schedule_of([f.function]), hl.get_host_target())
    reports = []

    def report(code, rows):
        reports.extend([line_of(program.notices[code].parts, [value.item() for value in row]) for row in rows])
        return 0

    out = run(program, {f.name(): Image(np.zeros((8, 3), np.int32), (0, 0))}, strict=False, report=report)
    assert reports == lines and len(lines) > 24
    assert (out[f.name()].T == np.asarray(result)).all()
