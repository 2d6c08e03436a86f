"""The loop nest as text is that of the halide wheel, but for names that the schedules make up."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import pipec
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.lower.loop_nest_text import loop_nest_text

PROLOGUE = """
x, y, xi, yi, xo, yo, t = [hl.Var(n) for n in "x y xi yi xo yo t".split()]
inp, bx, by = hl.Func("inp"), hl.Func("bx"), hl.Func("by")
inp[x, y] = x + y
bx[x, y] = inp[x - 1, y] + inp[x, y] + inp[x + 1, y]
by[x, y] = bx[x, y - 1] + bx[x, y] + bx[x, y + 1]
f, g = hl.Func("f"), hl.Func("g")
r = hl.RDom([(0, 10), (0, 20)], "r")
out = by
"""
# Two Funcs with an update each, and their consumer.
PAIR = (
    "h = hl.Func('h')\nf[x, y] = inp[x, y]\nf[x, y] += x\ng[x, y] = inp[x, y] * bx[x, y]\ng[x, y] += y\n"
    "h[x, y] = f[x - 1, y] + g[x, y + 2]\nf.compute_root()\ng.compute_root()\nout = h\n"
)
CASES = {
    "all inlined": "",
    "root": "bx.compute_root()",
    "compute_at": "bx.compute_at(by, y)",
    "outermost": "bx.compute_at(by, hl.Var.outermost())",
    "tiles": (
        "by.tile(x, y, xi, yi, 64, 32).vectorize(xi, 8).parallel(y).unroll(yi, 2)\n"
        "bx.compute_at(by, x).vectorize(x, 8)\n"
        "inp.compute_root()"
    ),
    "gpu tiles": "by.gpu_tile(x, y, xo, yo, xi, yi, 8, 8)\nbx.compute_at(by, xo).gpu_threads(x, y)",
    "gpu tiles with the old names": "by.gpu_tile(x, y, xi, yi, 8, 8)\nbx.compute_at(by, xi)",
    "gpu lanes": "by.split(x, xo, xi, 32).split(y, yo, yi, 1).gpu_blocks(yo).gpu_threads(xo, yi).gpu_lanes(xi)",
    "fused tiles": (
        "by.tile(x, y, xo, yo, xi, yi, 64, 32).fuse(xo, yo, t).parallel(t)\n"
        "bx.compute_at(by, t).store_in(hl.MemoryType.Stack)"
    ),
    "bounds": "by.bound(x, 5, 64).bound(y, 0, 16).unroll(y)\nbx.compute_at(by, x)",
    "rename": "by.rename(x, t)",
    "guard": "by.split(x, xo, xi, 8, hl.TailStrategy.GuardWithIf)\nbx.compute_at(by, xi)",
    "factor by a Param": "by.split(x, xo, xi, hl.Param(hl.Int(32), 'p'))",
    "specialized": (
        "p = hl.Param(hl.Int(32), 'p')\nbx.compute_at(by, x)\n"
        "by.specialize(p == 1).split(x, x, xi, 8).vectorize(xi)\nby.specialize(p == 2).parallel(y)"
    ),
    "nested specializations": (
        "p = hl.Param(hl.Int(32), 'p')\nby.specialize(p > 2).vectorize(x, 8).specialize(p > 7).unroll(y, 2)\n"
        "by.parallel(y).specialize(p > 5).unroll(x, 4)\nby.specialize(p == 0).specialize_fail('no')\n"
        "bx.compute_root().specialize(p == 1).specialize(p == 2)"
    ),
    "reordered": "by.reorder(y, x)\nbx.compute_at(by, x)\ninp.compute_at(bx, y)",
    "update": (
        "f[x, y] = x\nf[x, y] += r.x + r.y\nro, ri = hl.RVar('ro'), hl.RVar('ri')\n"
        "f.update(0).split(r.x, ro, ri, 4).reorder(x, ri)\nout = f"
    ),
    "updates where they are used": (
        "f[x, y] = x\nf[0, y] = 5\nf[r.x, y] += r.y\ng[x, y] = f[x, y] + f[x + 1, y]\nout = g"
    ),
    "updates in a loop": (
        "f[x, y] = x\nf[0, y] = 5\nf[r.x, y] += r.y\ng[x, y] = f[x, y] + f[x + 1, y]\nf.compute_at(g, y)\nout = g"
    ),
    "tuple": "f[x] = (x, x + 1)\ng[x] = f[x][0] + f[x][1]\nf.compute_root()\nout = g",
    "inline reduction": "g[x] = hl.sum(r.x + r.y + x)\nout = g",
    "two consumers": "g[x, y] = bx[x, y] + by[x, y]\nbx.compute_root()\nby.compute_root()\nout = g",
    "two in one loop": "g[x, y] = bx[x, y] + by[x, y]\nbx.compute_at(g, y)\nby.compute_at(g, y)\nout = g",
    "scalar": "f[()] = 3\nout = f",
    "rfactor": (
        "f[x, y] = x\nf[x, y] += r.x * r.y\nro, ri = hl.RVar('ro'), hl.RVar('ri')\n"
        "f.update(0).split(r.y, ro, ri, 8).split(x, xo, xi, 4).parallel(y).reorder(r.x, xi, ri)\n"
        "f.update(0).rfactor([(ro, hl.Var('u')), (r.x, t)]).compute_at(f, y)\nout = f"
    ),
    "shared loops": PAIR + "g.compute_with(f, y)",
    "shared tiles": (
        PAIR + "for q in f, g: q.tile(x, y, xo, yo, xi, yi, 8, 4).vectorize(xi, 4).parallel(yo)\ng.compute_with(f, xo)"
    ),
    "shared in tiles": (
        "f[x, y] = x\ng[x, y] = bx[x, y] + f[x, y]\nout = g.tile(x, y, xi, yi, 64, 32)\nbx.compute_at(g, x)\n"
        "f.compute_at(g, x).compute_with(bx, y, hl.LoopAlignStrategy.AlignEnd)"
    ),
    "shared, with a producer": PAIR + "g.compute_with(f, y)\ninp.compute_at(f, hl.Var.outermost())",
    "shared, with a producer inside": PAIR + "g.compute_with(f, y)\nbx.compute_at(g, y)",
    "shared by updates": PAIR + "g.compute_with(f, x)\ng.update(0).compute_with(f.update(0), y)",
    "shared by one update": PAIR + "g.update(0).compute_with(f, y)",
    "shared by a specialized stage": (
        PAIR + "p = hl.Param(hl.Int(32), 'p')\nf.specialize(p == 1).split(x, xo, xi, 8).vectorize(xi)\n"
        "g.compute_with(f, y)"
    ),
    "rfactor of scattered updates": (
        "f[x] = x\nf[r.x * r.y] += r.x\nf.update(0).rfactor(r.x, t).compute_root()\nout = f"
    ),
}


@pytest.fixture(scope="module")
def expected() -> dict[str, str]:
    """What the wheel prints; it writes to the C stderr of its process."""
    parts = ["import halide as hl, sys\n"]
    for name, code in CASES.items():
        body = "".join(f"    {line}\n" for line in [*PROLOGUE.strip().split("\n"), *code.split("\n")])
        parts.append(f"def case():\n{body}    return out\n")
        parts.append(f"sys.stderr.write('== {name}\\n')\nsys.stderr.flush()\ncase().print_loop_nest()\n")
    done = subprocess.run([sys.executable, "-c", "".join(parts)], capture_output=True, text=True, check=True)
    sections = re.split(r"^== (.*)\n", done.stderr, flags=re.MULTILINE)[1:]
    return dict(zip(sections[::2], sections[1::2], strict=True))


def normal(text: str) -> str:
    """Without matters of taste: ends of names after numbers, made-up inner loops, dimensions of an RDom, devices."""
    text = re.sub(r"\$[0-9xyz]+|_intm|<Default_GPU>", "", text)
    return re.sub(r"\.[vu]\d*\b(?=[: ])", ".v", text)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.part(3)
def test_like_the_wheel(case: str, expected: dict[str, str]) -> None:
    scope = {"hl": pipec}
    exec(PROLOGUE + CASES[case], scope)
    output = scope["out"].function  # type: ignore[attr-defined]
    definition, _ = freeze([output])
    assert normal(loop_nest_text(definition, schedule_of([output]))) == normal(expected[case])


def test_storage_outside_the_loop_of_computation() -> None:
    scope = {"hl": pipec}
    exec(PROLOGUE + "bx.store_root().compute_at(by, y)", scope)
    output = scope["out"].function  # type: ignore[attr-defined]
    text = loop_nest_text(freeze([output])[0], schedule_of([output]))
    assert normal(text) == (
        "store bx:\n  produce by:\n    for y:\n      produce bx:\n        for y:\n          for x:\n"
        "            bx(...) = ...\n      consume bx:\n        for x:\n          by(...) = ...\n"
    )


def test_storage_around_all_versions() -> None:
    scope = {"hl": pipec}
    versions = "by.specialize(p == 1).vectorize(x, 4)\nby.specialize(p == 2).unroll(x, 2)"
    exec(f"{PROLOGUE}p = hl.Param(hl.Int(32), 'p')\nbx.store_root().compute_at(by, y)\n{versions}", scope)
    output = scope["out"].function  # type: ignore[attr-defined]
    lines = loop_nest_text(freeze([output])[0], schedule_of([output])).splitlines()
    stored = [line for line in lines if "store" in line]
    assert [normal(line) for line in [*stored, lines[1]]] == ["store bx:", "  produce by:"]
