"""Adjoint Funcs with updates are computed at root until somebody schedules them."""

from __future__ import annotations

import numpy as np

import pipec as hl
from pipec.autodiff.backward import callees_first
from pipec.autodiff.copies import is_scheduled
from pipec.func.functions.wrappers import func_of

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
