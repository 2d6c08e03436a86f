"""Li2018 is a strategy like the others: it offers a state of the space, which is estimated and emitted."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.strategies.search_state import Options
from pipec.func.functions.freeze import reachable

QUICK = Options(beam=1, rounds=1, refined=1, states=30, samples=3)
IMAGE = np.random.default_rng(3).random((60, 70), np.float32)


def gradients() -> list[hl.Func]:
    """Of an image and of the weights that it is convolved with."""
    x, y = hl.vars("x y")
    image, weights = hl.Buffer(IMAGE, "image"), hl.Buffer(np.ones((3, 3), np.float32), "weights")
    f, r = hl.Func("f"), hl.RDom([(0, 3), (0, 3)], "r")
    f[x, y] = 0.0
    f[x, y] += image[x + r.x, y + r.y] * weights[r.x, r.y]
    return hl.grad(f, [image, weights], bounds=[(0, 68), (0, 58)])


def sizes(funcs: list[hl.Func]) -> dict[str, list[int]]:
    return {funcs[0].name(): [70, 60], funcs[1].name(): [3, 3]}


def values(funcs: list[hl.Func]) -> list[np.ndarray]:
    outputs = [hl.Buffer(np.zeros((60, 70), np.float32)), hl.Buffer(np.zeros((3, 3), np.float32))]
    hl.Pipeline(funcs).realize(outputs)
    return [output.numpy().copy() for output in outputs]


def definitions(funcs: list[hl.Func]) -> list[object]:
    return [(f.name, f.types, tuple(f.stages)) for f in reachable([func.function for func in funcs])]


def test_its_schedule_is_estimated_and_changes_no_values() -> None:
    funcs = gradients()
    expected = values(funcs)
    result = hl.Pipeline(funcs).autoschedule(sizes=sizes(funcs), strategy="li2018", threads=2)
    assert result.predicted_ms > 0 and not result.evaluator.space.problems(result.state)
    assert "compute_at" in result.schedule.to_python() and "rfactor" in result.schedule.to_python()
    for actual, reference in zip(values(funcs), expected, strict=True):
        np.testing.assert_allclose(actual, reference, rtol=1e-5)


@pytest.mark.parametrize("apply", [False, True])
@pytest.mark.part(2)
def test_definitions_stay_until_it_is_applied_and_return_with_the_next_schedule(apply: bool) -> None:
    funcs = gradients()
    before = definitions(funcs)
    result = hl.Pipeline(funcs).autoschedule(sizes=sizes(funcs), strategy="li2018", apply=apply)
    assert (definitions(funcs) == before) is not apply
    result.apply()
    assert definitions(funcs) != before
    hl.Pipeline(funcs).autoschedule(sizes=sizes(funcs), strategy="fallback")
    assert definitions(funcs) == before


def test_it_may_be_repeated() -> None:
    funcs = gradients()
    names = []
    for _ in range(2):
        hl.Pipeline(funcs).autoschedule(sizes=sizes(funcs), strategy="li2018", threads=2)
        names.append([function.name for function in reachable([func.function for func in funcs])])
    assert len(names[0]) == len(names[1])
    assert values(funcs)[1][0, 0] == pytest.approx(IMAGE[:58, :68].sum(), rel=1e-4)


def test_a_saved_schedule_is_for_definitions_that_are_rewritten_anew(tmp_path: Path) -> None:
    first, second = gradients(), gradients()
    expected = values(first)
    hl.Pipeline(first).autoschedule(sizes=sizes(first), strategy="li2018").save(tmp_path / "schedule.json")
    hl.load_schedule(tmp_path / "schedule.json").apply(hl.Pipeline(second))
    counts = [
        [len(function.stages) for function in reachable([func.function for func in funcs])] for funcs in (first, second)
    ]
    assert counts[0] == counts[1]
    for actual, reference in zip(values(second), expected, strict=True):
        np.testing.assert_allclose(actual, reference, rtol=1e-5)


def sampled() -> hl.Func:
    """The gradient for an image of what is read of it, between its pixels, where another image says."""
    x, y = hl.vars("x y")
    image, flow = hl.Buffer(IMAGE, "image"), hl.Buffer(IMAGE * 5, "flow")
    f, at = hl.Func("f"), hl.f32(x) + flow[x, y]
    left = hl.clamp(hl.i32(at), 0, 68)
    f[x, y] = hl.lerp(image[left, y], image[left + 1, y], at - hl.floor(at))
    (gradient,) = hl.grad(f, [image], bounds=[(0, 70), (0, 60)])
    return gradient


def test_searches_also_try_updates_that_its_rules_merge() -> None:
    gradient = sampled()
    expected = gradient.realize([70, 60]).numpy()
    result = hl.Pipeline(gradient).autoschedule(sizes=[70, 60], options=QUICK, verify=False, threads=2)
    rules = hl.Pipeline(gradient).autoschedule(sizes=[70, 60], strategy="li2018", threads=2, apply=False)
    assert result.predicted_ms <= rules.predicted_ms
    np.testing.assert_allclose(gradient.realize([70, 60]).numpy(), expected, rtol=1e-4, atol=1e-5)


def test_it_is_for_cpus() -> None:
    funcs = gradients()
    with pytest.raises(hl.HalideError, match="'li2018' decides about loops of a CPU"):
        hl.Pipeline(funcs).autoschedule(
            sizes=sizes(funcs), strategy="li2018", target=hl.Target("host-opencl"), apply=False
        )


def test_a_chain_of_integer_funcs_is_not_inlined_into_one_expression() -> None:
    x, y = hl.vars("x y")
    stages = [hl.Func(f"stage{n}") for n in range(12)]
    stages[0][x, y] = x + y
    for before, after in itertools.pairwise(stages):
        after[x, y] = before[x, y] + before[x + 1, y] + before[x, y + 1]
    result = hl.Pipeline(stages[-1]).autoschedule(sizes=[64, 64], strategy="li2018")
    assert result.schedule.to_python().count("compute_root") > 1
    # Stage n is 3**n * (x + y) + 2 * n * 3**(n - 1).
    assert np.asarray(stages[-1].realize([4, 4]))[0, 0] == 22 * 3**10


def test_an_update_that_the_user_has_factored_keeps_its_definition() -> None:
    x, y, u = hl.vars("x y u")
    f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(0, 4), (0, 2)])
    f[x, y] = 0
    f[x, y] += (x + r.x) * (y + r.y)
    f.update(0).rfactor(r.x, u)
    g[x, y] = f[x, y] * 2
    expected = g.realize([7, 6]).numpy()
    g.autoschedule(sizes=[7, 6], strategy="li2018", threads=2, verbose=False)
    np.testing.assert_array_equal(g.realize([7, 6]).numpy(), expected)
