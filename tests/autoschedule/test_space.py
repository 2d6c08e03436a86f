"""What the moves of the search lead to: legal states, of all the kinds that hand schedules have."""

from __future__ import annotations

import random

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.emit.emit import apply, emit
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.random_pipelines import random_pipeline
from pipec.autoschedule.space.cpu.fallback import fallback
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.cpu.moves import children, neighbours
from pipec.autoschedule.space.cpu.nests import natural_lanes
from pipec.autoschedule.space.cpu.space import CpuSpace
from pipec.autoschedule.space.state import FULL, INLINED, State, Where
from pipec.autoschedule.space.state_text import from_json, to_json

SIZE = 512


def dag_of(output: hl.Func, *sizes: int) -> Dag:
    return problem_of([output.function], sizes=list(sizes), threads=2).dag


def blur() -> tuple[Dag, str]:
    image = hl.ImageParam(hl.Float(32), 2, "image")
    x, y = hl.vars("x y")
    across, down = hl.Func("across"), hl.Func("down")
    across[x, y] = image[x - 1, y] + image[x, y] + image[x + 1, y]
    down[x, y] = across[x, y - 1] + across[x, y] + across[x, y + 1]
    return dag_of(down, SIZE, SIZE), across.name()


def product() -> tuple[Dag, str]:
    a, b = hl.ImageParam(hl.Float(32), 2, "a"), hl.ImageParam(hl.Float(32), 2, "b")
    x, y = hl.vars("x y")
    k = hl.RDom([(0, SIZE)], "k")
    total, output = hl.Func("total"), hl.Func("output")
    total[x, y] = 0.0
    total[x, y] += a[k, y] * b[x, k]
    output[x, y] = total[x, y]
    return dag_of(output, SIZE, SIZE), total.name()


def places(states: list[State], func: str) -> set[str]:
    result = set()
    for state in states:
        placement = state[func]
        sliding = placement.where is Where.AT and placement.store is not None
        result.add("sliding" if sliding else placement.where.value)
    return result


def test_a_stencil_may_be_inlined_at_root_at_a_site_or_slide() -> None:
    dag, across = blur()
    assert places(children(dag, fallback(dag), across), across) == {"inline", "root", "at", "sliding"}


def test_a_sum_may_stay_in_registers() -> None:
    dag, total = product()
    states = children(dag, fallback(dag), total)
    blocks = [
        state for state in states if state[total].where is Where.AT and state[total].nests[1].tiles == ((0, 0, 1),)
    ]
    host = dag.outputs[0]
    vectors = 4 * natural_lanes(dag, dag.funcs[host].stages[0])
    assert any((vectors, 4) in state[host].nests[0].tiles for state in blocks), "no tile of 4 vectors times 4 rows"


def test_sums_of_one_dimension_are_divided_among_threads() -> None:
    n, k, samples = hl.Var("n"), hl.RDom([(0, 64)], "k"), hl.ImageParam(hl.Float(32), 1, "samples")
    filtered = hl.Func("filtered")
    filtered[n] = 0.0
    filtered[n] += samples[n + k] * hl.f32(k)
    dag = dag_of(filtered, 100_000)
    assert fallback(dag)[filtered.name()].nests[1].parallel == (0,)


def test_a_scan_over_frames_may_be_computed_in_rows_of_all_frames() -> None:
    video = hl.ImageParam(hl.Float(32), 3, "video")
    x, y, t = hl.vars("x y t")
    smooth, output, r = hl.Func("smooth"), hl.Func("output"), hl.RDom([(1, 23)], "r")
    smooth[x, y, t] = video[x, y, t]
    smooth[x, y, r] = (smooth[x, y, r - 1] + video[x, y, r]) / 2
    output[x, y, t] = smooth[x, y, t] * 2
    dag = dag_of(output, SIZE, SIZE, 24)
    inside = [s for s in children(dag, fallback(dag), smooth.name()) if s[smooth.name()].where is Where.AT]
    nests = [state[output.name()].nests[0] for state in inside]
    assert any((nest.tiles[0], nest.parallel) == ((FULL, 4, FULL), (1,)) for nest in nests)
    assert all(problems(dag, state) == [] for state in inside)


def test_a_scan_down_an_image_may_be_computed_in_strips_of_columns() -> None:
    image = hl.ImageParam(hl.Float(32), 2, "image")
    x, y = hl.vars("x y")
    smooth, output, r = hl.Func("smooth"), hl.Func("output"), hl.RDom([(1, SIZE - 1)], "r")
    smooth[x, y] = image[x, y]
    smooth[x, r] = (smooth[x, r - 1] + image[x, r]) / 2
    output[x, y] = smooth[x, y] * 2
    dag = dag_of(output, SIZE, SIZE)
    inside = [s for s in children(dag, fallback(dag), smooth.name()) if s[smooth.name()].where is Where.AT]
    nests = [state[output.name()].nests[0] for state in inside]
    assert any((nest.tiles[0], nest.parallel) == ((64, FULL), (0,)) for nest in nests)
    assert all(problems(dag, state) == [] for state in inside)


@pytest.mark.parametrize("apart", [True, False])
def test_sums_of_patches_at_places_that_data_decide_may_have_lanes_of_the_patch(apart: bool) -> None:
    near, far = hl.ImageParam(hl.UInt(16), 2, "near"), hl.ImageParam(hl.UInt(16), 2, "far")
    offsets = hl.Func("offsets")
    x, y, r = hl.Var("x"), hl.Var("y"), hl.RDom([(0, 16), (0, 16)], "r")
    offsets[x, y] = hl.i32(near[x, y]) % 8
    sums, output = hl.Func("sums"), hl.Func("output")
    step = 8 if apart else 1
    at_x, at_y = step * x + r.x, step * y + r.y
    sums[x, y] = hl.u32(0)
    sums[x, y] += hl.u32(hl.absd(near[at_x, at_y], far[at_x + (offsets[x, y] if apart else 3), at_y]))
    output[x, y] = sums[x, y]
    dag = dag_of(output, 64, 64)
    state = fallback(dag)
    rvar = len(dag.funcs[sums.name()].arguments)
    states = [s for s in neighbours(dag, state, sums.name()) if s[sums.name()].nests]
    along_patch = [s for s in states if s[sums.name()].nests[1].vector == rvar]
    assert bool(along_patch) == apart, "only where neighbouring sums read places apart"
    pixels = {
        name: np.arange(640 * 640, dtype=np.uint16).reshape(640, 640) * k for name, k in (("near", 3), ("far", 7))
    }
    near.set(hl.Buffer(pixels["near"]))
    far.set(hl.Buffer(pixels["far"]))
    expected = np.asarray(output.realize([64, 64]))
    for one in along_patch:
        assert problems(dag, one) == []
        apply(emit(dag, one), [output.function])
        np.testing.assert_array_equal(np.asarray(output.realize([64, 64])), expected)


def test_the_state_itself_is_among_its_children() -> None:
    dag, across = blur()
    state = fallback(dag)
    assert state in children(dag, state, across)


def test_neighbours_differ_from_the_state() -> None:
    dag, across = blur()
    state = fallback(dag)
    for func in dag.funcs:
        assert state not in neighbours(dag, state, func)


def test_what_was_inside_a_func_that_is_inlined_moves_out() -> None:
    image = hl.ImageParam(hl.Float(32), 2, "image")
    x, y = hl.vars("x y")
    first, second, third = hl.funcs("first second third")
    first[x, y] = image[x, y] * 2
    second[x, y] = first[x, y] + first[x + 1, y]
    third[x, y] = second[x, y] + second[x, y + 1]
    dag = dag_of(third, SIZE, SIZE)
    inside = [
        state
        for outer in children(dag, fallback(dag), second.name())
        if outer[second.name()].where is Where.AT
        for state in children(dag, outer, first.name())
        if (nest_level := state[first.name()].compute) is not None and nest_level.func == second.name()
    ]
    assert inside
    from pipec.autoschedule.space.edits import placed

    for state in inside:
        assert not problems(dag, placed(dag, state, second.name(), INLINED))


@pytest.mark.parametrize("seed", range(6))
def test_random_walks_stay_legal_and_can_be_emitted(seed: int) -> None:
    pipeline = random_pipeline(seed, shrink=4)
    dag = problem_of([func.function for func in pipeline.outputs], sizes=pipeline.sizes, threads=2).dag
    rng = random.Random(seed)
    state = fallback(dag)
    for _ in range(12):
        state = CpuSpace(dag).mutated(state, rng)
        assert not problems(dag, state), f"{problems(dag, state)} in {state}"
        emit(dag, state)


def test_states_survive_as_text() -> None:
    dag, across = blur()
    for state in children(dag, fallback(dag), across):
        assert from_json(to_json(state)) == state


def test_copies_are_stored_together_with_the_decision_of_what_reads_them_often():
    a, b = hl.ImageParam(hl.Float(32), 2, "a"), hl.ImageParam(hl.Float(32), 2, "b")
    x, y = hl.vars("x y")
    k = hl.RDom([(0, SIZE)], "k")
    panel, total, output = hl.funcs("panel total output")
    panel[x, y] = b[x, y]
    total[x, y] += a[k.x, y] * panel[x, k.x]
    output[x, y] = total[x, y]
    dag = dag_of(output, SIZE, SIZE)
    result = children(dag, fallback(dag), total.name())
    both = [
        state for state in result if state[total.name()].where is Where.AT and state[panel.name()].where is Where.AT
    ]
    assert both and all(problems(dag, state) == [] for state in both)
