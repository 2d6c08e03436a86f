"""Adjoint Funcs with updates are computed at root until somebody schedules them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pipec as hl
from pipec.autodiff.backward import callees_first
from pipec.autodiff.copies import is_scheduled
from pipec.func.functions.freeze import schedule_of
from pipec.func.functions.wrappers import func_of
from pipec.schedule.fields import ROOT
from pipec.schedule.placement import ComputeAt

x, y = hl.vars("x y")
IMAGE = np.random.default_rng(0).uniform(0.5, 1.5, (8, 9)).astype(np.float32)


def chain(length: int) -> tuple[hl.Func, hl.Buffer]:
    """Products over windows of products over windows."""
    image = hl.Buffer(IMAGE, "image")
    f = hl.BoundaryConditions.repeat_edge(image)
    for _ in range(length):
        g, r = hl.Func("product"), hl.RDom([(-1, 3), (-1, 3)], "r")
        g[x, y] = hl.product(f[x + r.x, y + r.y])
        f = g
    return f, image


def gradient(length: int) -> hl.Func:
    f, image = chain(length)
    return hl.grad(f, image, bounds=[(0, 9), (0, 8)])


def test_every_adjoint_with_updates_is_computed_once() -> None:
    text = str(gradient(3).function.schedule.directives)
    assert "ComputeAt" in text
    own = [f for f in callees_first(gradient(3).function) if f.name.startswith("d_") and len(f.stages) > 1]
    assert len(own) > 3 and all(f.schedule.directives for f in own)


def test_their_values_are_those_of_inlined_ones() -> None:
    d = gradient(1)
    expected = d.realize([9, 8]).numpy()
    inlined = gradient(1)
    for function in callees_first(inlined.function)[:-1]:
        func_of(function).compute_inline() if len(function.stages) == 1 else None
        function.forget_search()
    np.testing.assert_allclose(inlined.realize([9, 8]).numpy(), expected, rtol=1e-5)


def test_directives_and_searches_replace_it() -> None:
    d = gradient(1)
    assert not is_scheduled([d])
    others = [f for f in callees_first(d.function)[:-1] if f.schedule.directives]
    func_of(others[0]).compute_at(d, y)
    assert is_scheduled([d])
    d = gradient(1)
    result = d.autoschedule(sizes=[9, 8], strategy="fallback")
    assert not any(info.fixed for info in result.problem.dag.funcs.values())


def test_estimates_leave_it_to_the_search() -> None:
    d = gradient(1)
    d.set_estimates([(0, 9), (0, 8)])
    assert not is_scheduled([d])
    result = d.autoschedule(strategy="fallback")
    assert not any(info.fixed for info in result.problem.dag.funcs.values())


def test_the_adjoint_that_a_user_gives_keeps_its_schedule() -> None:
    f, image = chain(1)
    seed, r = hl.Func("seed"), hl.RDom([(0, 3)], "r")
    seed[x, y] = 0.0
    seed[x, y] += hl.f32(x + r)
    hl.propagate_adjoints(f, seed, [(0, 9), (0, 8)])[image]
    assert not seed.function.schedule.directives


def squares(length: int) -> tuple[list[hl.Func], hl.ImageParam]:
    """Squares of stencils, each of the one before with its edges repeated."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    size = [(0, image.width()), (0, image.height())]
    f, stages = image, []
    for at in range(length):
        bounded = hl.BoundaryConditions.repeat_edge(f, size)
        f = hl.Func(f"stage{at}")
        f[x, y] = (bounded[x - 1, y] + bounded[x + 1, y] + bounded[x, y - 1] - bounded[x, y + 1]) ** 2
        stages.append(f)
    return stages, image


def gradient_of_squares(length: int) -> tuple[hl.Func, list[hl.Func]]:
    stages, image = squares(length)
    return hl.grad(stages[-1], image, bounds=[(0, image.width()), (0, image.height())]), stages


def stored_in(*funcs: hl.Func) -> set[str]:
    """The Funcs that have a placement in the pipeline of these."""
    directives = schedule_of([f.function for f in funcs]).directives
    return {directive.func for directive in directives if isinstance(directive, ComputeAt)}


@pytest.mark.slow
def test_the_program_of_a_chain_grows_with_its_length(tmp_path: Path) -> None:
    sizes = []
    for length in (2, 4, 6):
        d, _ = gradient_of_squares(length)
        d.compile_to_lowered_stmt(str(tmp_path / "d.stmt"), d.infer_arguments(), hl.StmtOutputFormat.Text)
        sizes.append((tmp_path / "d.stmt").stat().st_size)
    assert sizes[2] - sizes[1] < 1.3 * (sizes[1] - sizes[0])


def test_funcs_of_the_forward_pass_are_stored_for_the_gradient_only() -> None:
    d, stages = gradient_of_squares(4)
    names = {stage.name() for stage in stages[:-1]}
    assert names <= stored_in(d) and names <= stored_in(stages[-1], d)
    assert not stored_in(stages[-1])
    assert not is_scheduled([d])


def test_directives_of_the_user_decide_about_funcs_of_the_forward_pass() -> None:
    d, stages = gradient_of_squares(3)
    stages[0].compute_inline()
    stages[1].compute_at(d, y)
    directives = schedule_of([d.function]).directives
    placements = [p for p in directives if isinstance(p, ComputeAt) and p.func == stages[1].name()]
    assert stages[0].function.schedule.directives and len(placements) == 1
    assert placements[0].level != ROOT


def test_a_search_decides_about_funcs_of_the_forward_pass() -> None:
    stages, image = squares(3)
    d = hl.grad(stages[-1], image, bounds=[(0, 9), (0, 8)])
    result = d.autoschedule(like={"image": [9, 8]}, sizes=[9, 8], strategy="fallback")
    assert not any(info.fixed for info in result.problem.dag.funcs.values())


@pytest.mark.slow
def test_values_do_not_depend_on_what_is_stored() -> None:
    stages, image = squares(2)
    d = hl.grad(stages[-1], image, bounds=[(0, image.width()), (0, image.height())])
    image.set(hl.Buffer(IMAGE))
    stored = d.realize([9, 8]).numpy()
    stages[0].compute_inline()
    np.testing.assert_allclose(d.realize([9, 8]).numpy(), stored, rtol=1e-4, atol=1e-6)


def test_a_func_that_is_read_at_values_is_not_stored_whole() -> None:
    image = hl.Buffer((IMAGE * 255).astype(np.uint16), "places")
    weight = hl.Param(hl.Float(32), "weight", 0.5)
    table, f = hl.Func("table"), hl.Func("f")
    steps = [hl.sin(weight * hl.f32(x + at)) for at in range(9)]
    table[x] = sum(steps[1:], steps[0]) * sum(steps[3:], steps[1])
    f[x, y] = table[hl.i32(image[x, y])] * table[hl.i32(image[x, y]) + 1]
    d = hl.grad(f, weight, bounds=[(0, 9), (0, 8)])
    assert "table" not in stored_in(d)


def test_loops_at_the_edges_are_not_divided(tmp_path: Path) -> None:
    d, _ = gradient_of_squares(1)
    d.compile_to_lowered_stmt(str(tmp_path / "d.stmt"), d.infer_arguments(), hl.StmtOutputFormat.Text)
    lines = [line.strip() for line in (tmp_path / "d.stmt").read_text().splitlines()]
    loops = [sum(line.startswith(f"for {d.name()}.s{stage}.") for line in lines) for stage in range(4)]
    # The inside has a steady state and borders; rows, columns and corners at the edges have two loops each.
    assert loops[0] > 2 and loops[1:] == [2, 2, 2]
    assert not is_scheduled([d])
