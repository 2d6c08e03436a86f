"""Runs of schedule programs: draws, traces, and Funcs that stay as they are."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.problem import problem_of
from pipec.errors import ArgumentError, NotSupportedError, ScheduleError
from pipec.programs import ProgramTrace, Sampler, replay, sequence, standard
from pipec.programs.runs import run
from pipec.programs.sampler import replaying
from tests.autoschedule.awkward_pipelines import PIPELINES, realized

x, y, xi, yi = hl.vars("x y xi yi")


def two_stages():
    f, g = hl.funcs("f g")
    f[x, y] = x * y
    g[x, y] = f[x, y] + f[x + 1, y + 1]
    return f, g


def problem(*outputs, size=(100, 60)):
    return problem_of(
        [g.function for g in outputs], sizes={g.name(): size[: g.dimensions()] for g in outputs}, threads=2
    )


def at_random(seed):
    rng = Random(seed)
    return lambda name, options, weights: rng.choices(range(len(options)), weights)[0]


def test_a_run_gives_directives_beside_those_of_the_user_and_leaves_the_funcs_as_they_were():
    f, g = two_stages()
    g.parallel(y)
    before = g.function.schedule

    def program(s):
        f.compute_at(g, y).vectorize(x, s.sample_categorical([4, 8], name="lanes"))

    result = run(problem(g), program, at_random(1))
    assert g.function.schedule == before and not len(f.function.schedule)
    assert result.schedule.funcs() == (f.name(),) and len(result.schedule) == 3
    assert dict(result.trace.draws).keys() == {"lanes"} and result.definition is None


def test_levels_that_a_loop_level_names_are_undone_after_a_run():
    f, g = two_stages()
    run(problem(g), lambda s: f.compute_at(s.sample_location(f)), lambda name, options, weights: 2)
    assert not f.function.deferred
    of_user = hl.LoopLevel(g, x)
    f.store_at(of_user)
    run(problem(g), lambda s: f.compute_at(g, x), lambda name, options, weights: 0)
    assert f.function.deferred == {"store": of_user}


def test_a_trace_goes_through_json_and_gives_the_same_schedule_again():
    _, g = two_stages()
    first = run(problem(g), standard, at_random(3))
    trace = ProgramTrace.from_json(first.trace.to_json())
    assert trace == first.trace and run(problem(g), standard, replaying(trace.values)) == first
    for text in ("3", "[[1, 2]]", '[["x", {}]]', "no"):
        with pytest.raises(ArgumentError, match="is no trace"):
            ProgramTrace.from_json(text)


def test_replay_refuses_the_trace_of_another_program():
    _, g = two_stages()

    def program(s):
        g.vectorize(x, s.sample_categorical([4, 8], name="lanes"))

    replay(g, program, ProgramTrace((("lanes", 8),)), sizes=[64, 64])
    assert "8" in str(g.function.schedule.directives)
    for draws in ((), (("lanes", 5),)):
        with pytest.raises(ArgumentError, match=r"for the draw 'lanes', whose options are \[4, 8\]"):
            replay(g, program, ProgramTrace(draws), sizes=[64, 64])


def test_locations_are_loops_around_all_consumers():
    f, g, h, out = hl.funcs("f g h out")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x + 1, y]
    h[x, y] = f[x, y] - 1
    out[x, y] = g[x, y] * h[x, y + 1]
    seen = {}

    def program(s):
        out.tile(x, y, xi, yi, 16, 8).vectorize(xi, 8)
        g.compute_at(out, yi)
        h.compute_at(out, x)
        s.sample_location(f)

    def note(name, options, weights):
        seen[name] = list(options)
        return 0

    run(problem(out), program, note)
    outer = [f"{out.name()}.0.{loop}" for loop in "yx"]
    assert seen == {f"location {f.name()}": ["root", "inline", *outer]}


def test_tiles_are_multiples_of_the_next_ones_within_the_extent():
    _, g = two_stages()
    seen = []

    def program(s):
        seen.append(s.sample_tile(g, x, levels=2, min_size=4, max_inner=32))

    for seed in range(20):
        run(problem(g), program, at_random(seed))
    assert all([outer % inner == 0 and 4 <= inner <= 32 and inner <= outer < 100 for outer, inner in seen])
    assert len(set(seen)) > 5
    with pytest.raises(ArgumentError, match="xi is no dimension and no RVar of g"):
        run(problem(g), lambda s: g.split(x, x, xi, 8) and s.sample_tile(g, xi), at_random(0))


def test_draws_of_the_same_name_are_numbered_and_options_must_fit_into_a_trace():
    _, g = two_stages()
    both = sequence(lambda s: s.sample_categorical([1, 2]), lambda s: s.sample_categorical([(1, "a")]))
    assert [name for name, _ in run(problem(g), both, at_random(0)).trace.draws] == ["choice", "choice#1"]
    with pytest.raises(ArgumentError, match="Traces can't hold an option"):
        run(problem(g), lambda s: s.sample_categorical([g]), at_random(0))
    with pytest.raises(ArgumentError, match="has 0 options"):
        run(problem(g), lambda s: s.sample_categorical([]), at_random(0))


def test_a_refused_directive_raises_and_the_funcs_are_as_they_were():
    f, g = two_stages()

    def program(s: Sampler):
        f.compute_root()
        g.vectorize(xi, 8)

    with pytest.raises(ScheduleError, match="xi"):
        run(problem(g), program, at_random(0))
    assert not len(f.function.schedule) and not len(g.function.schedule)


def test_a_program_may_factor_reductions():
    total, r, u = hl.Func("total"), hl.RDom([(0, 4096)]), hl.Var("u")
    total[()] = 0
    total[()] += hl.i32(r.x) % 7
    outer, inner = hl.RVar("outer"), hl.RVar("inner")

    def program(s):
        split = total.update().split(r.x, outer, inner, s.sample_categorical([64, 256], name="size"))
        split.rfactor(outer, u).compute_root().parallel(u)

    result = run(problem(total), program, at_random(0))
    assert result.definition is not None and len(result.definition.funcs) == 2
    assert len(total.function.stages) == 2 and not len(total.function.schedule)
    replay(total, program, result.trace, sizes={total.name(): []})
    assert total.realize([]).numpy() == sum(k % 7 for k in range(4096))


QUICK = ("scan_both_ways", "matrix_product_of_reductions")
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in PIPELINES if name not in QUICK]


@pytest.mark.parametrize("name", [*QUICK, *SLOW])
@pytest.mark.part(2)
def test_the_standard_program_changes_no_pixel(name):
    expected = realized(PIPELINES[name]())
    outputs = PIPELINES[name]()
    drawn = problem_of([f.function for f in outputs], sizes={f.name(): [64, 48][: f.dimensions()] for f in outputs})
    for seed in range(2 if name in QUICK else 6):
        result = run(drawn, standard, at_random(seed))
        drawn.apply(result.schedule)
        for before, after in zip(expected, realized(outputs), strict=True):
            np.testing.assert_allclose(after, before, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda f, g, image: f.in_(g),
        lambda f, g, image: f.in_(),
        lambda f, g, image: f.clone_in(g),
        lambda f, g, image: image.in_(f),
    ],
    ids=["wrapper", "global wrapper", "clone", "of an image"],
)
def test_a_program_that_makes_wrappers_is_refused_and_leaves_none(wrap):
    image = hl.ImageParam(hl.Int(32), 2, "image")
    f, g = hl.funcs("f g")
    f[x, y] = image[x, y] + 1
    g[x, y] = f[x, y] + f[x + 1, y]
    own = problem(g)
    with pytest.raises(
        NotSupportedError, match="may not call in_.. or clone_in.., which make new Funcs.*Call them once"
    ):
        run(own, lambda s: wrap(f, g, image).compute_root(), at_random(1))
    assert not f.function.substitutes and not g.function.substitutes and f.function.wrapper is None
    assert run(own, lambda s: f.compute_root(), at_random(1)).schedule.funcs() == (f.name(),)


def test_wrappers_created_before_a_search_are_scheduled_by_the_program():
    f, g = two_stages()
    copy = f.in_(g)
    result = run(problem(g), lambda s: copy.compute_root(), at_random(1))
    assert result.schedule.funcs() == (copy.name(),)
