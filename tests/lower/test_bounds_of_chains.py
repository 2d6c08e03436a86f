"""Bounds of regions in long chains of stencils."""

import pytest

import pipec as hl
from pipec.lower.planning import level_intervals


@pytest.mark.slow
def test_bounds_are_expanded_once_in_a_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIPEC_CACHE", "0")
    sizes: list[int] = []
    simplify = level_intervals.simplify

    def counted(*args: object) -> object:
        sizes[-1] += 1
        return simplify(*args)

    monkeypatch.setattr(level_intervals, "simplify", counted)
    for length in (20, 40):
        sizes.append(0)
        x, y = hl.vars("x y")
        funcs = [hl.Func(f"stencil{i}") for i in range(length)]
        funcs[0][x, y] = x + y
        for before, func in zip(funcs, funcs[1:], strict=False):
            func[x, y] = before[x, y] + before[x + 1, y] + before[x, y - 1]
        for func in funcs:
            func.compute_root().vectorize(x, 8).parallel(y, 4)
        funcs[-1].compile_jit()
    assert 0 < sizes[1] < 3 * sizes[0]
