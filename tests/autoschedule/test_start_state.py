"""The start state of a search: what is inlined before anything is decided."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import pipec as hl
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.dag.inlining import InlinedStages
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.cpu.fallback import fallback
from pipec.autoschedule.space.state import State

SIZE, STAGES = 256, 8
Border = Callable[..., hl.Func]
x, y = hl.vars("x y")


def dag_of(output: hl.Func) -> Dag:
    return problem_of([output.function], sizes=[SIZE, SIZE], threads=2).dag


def star(image: hl.ImageParam | hl.Func) -> hl.Expr:
    return image[x - 1, y] + image[x + 1, y] + image[x, y - 1] + image[x, y + 1]


def largest_load(dag: Dag, state: State) -> int:
    """The most places of one Func or image that a point of a stored stage reads."""
    inlining = InlinedStages(dag)
    stored = [name for name in dag.funcs if name not in state.inlined]
    return max([load.count for name in stored for load in inlining.stage(name, 0, state.inlined).loads])


@pytest.mark.parametrize(
    "border",
    [
        hl.BoundaryConditions.repeat_edge,
        hl.BoundaryConditions.mirror_image,
        lambda image, bounds: hl.BoundaryConditions.constant_exterior(image, 0.0, bounds),
    ],
    ids=["repeat_edge", "mirror_image", "constant_exterior"],
)
def test_stencils_with_borders_are_not_inlined_into_each_other(border: Border) -> None:
    image: hl.ImageParam | hl.Func = hl.ImageParam(hl.Float(32), 2, "image")
    for k in range(STAGES):
        edges, stage = border(image, [(0, SIZE), (0, SIZE)]), hl.Func(f"stage_{k}")
        stage[x, y] = star(edges)
        image = stage
    dag = dag_of(image)
    state = fallback(dag)
    stencils = {name for name in dag.funcs if name.startswith("stage_")}
    assert len(stencils) == STAGES and not stencils & state.inlined
    assert largest_load(dag, state) == 4


def test_stencils_that_pointwise_funcs_separate_are_not_inlined_into_each_other() -> None:
    image: hl.ImageParam | hl.Func = hl.ImageParam(hl.Float(32), 2, "image")
    for k in range(STAGES):
        stencil, half = hl.Func(f"stencil_{k}"), hl.Func(f"half_{k}")
        stencil[x, y] = star(image)
        half[x, y] = stencil[x, y] * 0.5
        image = half
    dag = dag_of(image)
    state = fallback(dag)
    # The last one is read once for each pixel of the output.
    assert sorted(state.inlined) == [*[f"half_{k}" for k in range(STAGES - 1)], f"stencil_{STAGES - 1}"]
    assert largest_load(dag, state) == 4


def test_what_an_inlined_stencil_reads_through_a_view_is_not_evaluated_at_each_of_its_taps() -> None:
    root, around = hl.funcs("root around")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    root[x, y] = hl.sqrt(image[x, y])
    edges = hl.BoundaryConditions.repeat_edge(root, [(0, SIZE), (0, SIZE)])
    around[x, y] = star(edges)
    assert "root" not in fallback(dag_of(around)).inlined


def test_chains_of_pointwise_funcs_are_inlined() -> None:
    image: hl.ImageParam | hl.Func = hl.ImageParam(hl.Float(32), 2, "image")
    for k in range(STAGES):
        func = hl.Func(f"step_{k}")
        func[x, y] = hl.sqrt(image[x, y])
        image = func
    dag = dag_of(image)
    assert fallback(dag).inlined == {f"step_{k}" for k in range(STAGES - 1)}
