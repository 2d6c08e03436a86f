"""Searches of scans: their loops carry values in registers."""

from __future__ import annotations

import random

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.cpu.legality import LegalNests
from pipec.autoschedule.space.cpu.nests import default_nests
from pipec.autoschedule.space.cpu.space import CpuSpace
from pipec.autoschedule.space.cpu.variations import strip_by_strip
from pipec.autoschedule.space.edits import placed, root
from pipec.autoschedule.space.state import Where

x, y = hl.vars("x y")
SIZES = [1500, 1000]


def prefix_sums(along: str) -> hl.Func:
    f, r = hl.Func("f"), hl.RDom([(1, SIZES["xy".index(along)] - 1)])
    f[x, y] = hl.f32(x % 7 + y)
    if along == "x":
        f[r, y] += f[r - 1, y]
    else:
        f[x, r] += f[x, r - 1]
    return f


def test_scans_along_rows_run_value_by_value() -> None:
    result = prefix_sums("x").autoschedule(sizes=SIZES, verify=False, search_seconds=1)
    placement = result.state["f"]
    assert placement.where is Where.ROOT
    assert placement.nests[1].vector is None and placement.nests[1].parallel == (1,)


def test_scans_along_columns_have_lanes_of_neighbours() -> None:
    result = prefix_sums("y").autoschedule(sizes=SIZES, verify=False, search_seconds=1)
    assert result.state["f"].nests[1].vector == 0


@pytest.mark.parametrize("along", ["x", "y"])
@pytest.mark.part(2)
def test_scans_that_were_searched_are_right(along: str) -> None:
    f = prefix_sums(along)
    f.autoschedule(sizes=SIZES, verify=False, search_seconds=1)
    columns, rows = np.meshgrid(np.arange(90), np.arange(70))
    source = (columns % 7 + rows).astype(np.float32)
    result = np.array(f.realize(SIZES))[:70, :90]
    np.testing.assert_array_equal(result, np.cumsum(source, 1 if along == "x" else 0))


@pytest.mark.slow
def test_neighbours_of_a_path_through_two_ordered_loops_are_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least cost of a path to each place: rows depend on each other, and so do places next to each other."""
    d = hl.Var("d")
    costs, path = hl.ImageParam(hl.UInt(8), 3, "costs"), hl.Func("path")
    path[d, x, y] = hl.u16(costs[d, x, y])
    r = hl.RDom([(0, 32), (1, 99)], "r")
    before = [path[hl.clamp(r.x + step, 0, 31), r.y - 1, y] for step in (-1, 0, 1)]
    path[r.x, r.y, y] = hl.u16(costs[r.x, r.y, y]) + hl.min(before[0] + 10, before[1], before[2] + 10) / 2
    output = hl.Func("output")
    output[x, y] = path[3, x, y] + path[5, x, y]
    of = problem_of([output.function], sizes=[100, 60], threads=2)

    def problems(steps: int) -> list[str]:
        space, state, rng = CpuSpace(of.dag), of.start(), random.Random(2)
        result = []
        for _ in range(steps):
            moves = [make(state, func) for func in space.decided() for make in (space.neighbours, space.children)]
            states = [other for some in moves for other in some]
            result += [text for other in states for text in space.problems(other)]
            state = rng.choice(states)
        return result

    assert problems(15) == []
    monkeypatch.setattr(LegalNests, "among", lambda self, states, origin: list(states))
    assert any("must keep their order" in text for text in problems(40))


def test_scans_that_are_not_parallel_may_become_so_strip_by_strip() -> None:
    problem = problem_of([prefix_sums("y").function], sizes=SIZES, threads=2)
    info = problem.dag.funcs["f"]
    serial = default_nests(problem.dag, info, root=True)
    assert not serial[1].parallel, "iterations of the scan are outermost"
    state = placed(problem.dag, problem.start(), "f", root(serial))
    others = [other["f"].nests[1] for other in problem.space.neighbours(state, "f")]
    strips = [nest for nest in others if nest.parallel and len(nest.tiles) == 2]
    assert strips and all(nest.order.index(1) > nest.order.index(0) for nest in strips), "rows within a strip"
    for other in problem.space.neighbours(state, "f"):
        assert not problem.space.problems(other)


def test_scans_of_strips_are_right() -> None:
    f = prefix_sums("y")
    problem = problem_of([f.function], sizes=SIZES, threads=2)
    info = problem.dag.funcs["f"]
    nests = default_nests(problem.dag, info, root=True, outer_reduction=lambda stage: False)
    state = placed(problem.dag, problem.start(), "f", root(tuple(map(strip_by_strip, nests))))
    problem.apply(problem.space.emit(state))
    columns, rows = np.meshgrid(np.arange(SIZES[0]), np.arange(SIZES[1]))
    np.testing.assert_array_equal(f.realize(SIZES), np.cumsum((columns % 7 + rows).astype(np.float32), 0))
