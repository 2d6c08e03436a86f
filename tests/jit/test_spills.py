"""Vectors that do not fit into registers lie on the stack, each in a cache line of its own."""

import re

import pytest

import pipec as hl

SPILLED = re.compile(r"vmov(a|u)p[sd]\t%zmm\d+, \d*\(%rsp\)")


@pytest.mark.parametrize("parallel", [False, True])
def test_vectors_on_the_stack_are_aligned(parallel: bool, tmp_path) -> None:
    x, y = hl.vars("x y")
    source, f = hl.ImageParam(hl.Float(32), 2, "source"), hl.Func("f")
    # All pairs of 40 rows: more values live than there are registers.
    rows = [hl.sqrt(source[x, y + k]) for k in range(40)]
    f[x, y] = sum((rows[k] * rows[-1 - k] for k in range(20)), hl.f32(0)) + sum(
        (rows[k] / (1 + rows[(k * 7) % 40]) for k in range(40)), hl.f32(0)
    )
    f.vectorize(x, 16)
    if parallel:
        f.parallel(y)
    target = hl.Target("x86-64-linux-avx512_skylake-sse41-avx-avx2-f16c-fma")
    f.compile_to_assembly(str(tmp_path / "f.s"), [source], "f", target)
    text = (tmp_path / "f.s").read_text()
    stores = [match[1] for match in SPILLED.finditer(text)]
    assert len(stores) > 10 and set(stores) == {"a"}
