"""Regions against brute force: the box that a Need tells is the box of the places that loops come to."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.dag.build_dag import Sizes, build_dag
from pipec.autoschedule.dag.dag import Access, Dag, ImageInfo
from pipec.autoschedule.dag.regions import Need, extents
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.freeze import freeze
from tests.autoschedule.accesses import affine, calls_of, crooked, places, points


def _pipeline(random: Random, kind) -> tuple[PipelineDef, Dag]:
    x, y = hl.vars("x y")
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x + y * 3
    r = hl.RDom([(random.randint(-2, 2), random.randint(1, 4))])
    g[x, y] = hl.i32(0)
    total = None
    for value in [f[kind(random, [x, y, r.x]), kind(random, [x, y, r.x])] for _ in range(random.randint(1, 3))]:
        total = value if total is None else total + value
    g[x, y] += total
    definition, _ = freeze([g.function])
    return definition, build_dag(definition, Sizes({g.name(): ((-3, 30), (2, 25))}))


def _box_of_loops(random: Random, dag: Dag) -> tuple[list[int], list[int]]:
    first, last = [], []
    for loop in dag.funcs[dag.outputs[0]].stages[1].loops:
        low = random.randrange(loop.extent)
        first.append(loop.minimum + low)
        last.append(loop.minimum + min(loop.extent - 1, low + random.randrange(6)))
    return first, last


def _touched(definition: PipelineDef, dag: Dag, first: list[int], last: list[int]) -> tuple[tuple, tuple]:
    output = dag.outputs[0]
    names = [loop.name for loop in dag.funcs[output].stages[1].loops]
    calls = calls_of(definition, output, 1, "f")
    result = np.concatenate([places(call.args, points(names, first, last)) for call in calls])
    return tuple(result.min(axis=0).tolist()), tuple(result.max(axis=0).tolist())


def _need(dag: Dag) -> Need:
    loads = [load for load in dag.funcs[dag.outputs[0]].stages[1].loads if load.name == "f"]
    return Need(loads, dag.funcs["f"])


@pytest.mark.parametrize("seed", range(60))
def test_the_box_of_affine_coordinates_is_exact(seed: int) -> None:
    random = Random(seed)
    definition, dag = _pipeline(random, affine)
    assert all(load.offsets for load in dag.funcs[dag.outputs[0]].stages[1].loads)
    for _ in range(4):
        first, last = _box_of_loops(random, dag)
        assert _need(dag).box(first, last) == _touched(definition, dag, first, last)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.part(3)
def test_the_box_of_other_coordinates_holds_all_that_is_read(seed: int) -> None:
    random = Random(seed)
    definition, dag = _pipeline(random, crooked)
    if any(load.boundary for load in dag.funcs[dag.outputs[0]].stages[1].loads):
        return  # one of two coordinates is a constant: taken for an edge, beyond which nothing is read
    for _ in range(4):
        first, last = _box_of_loops(random, dag)
        low, high = _need(dag).box(first, last)
        true_low, true_high = _touched(definition, dag, first, last)
        assert all(a <= b for a, b in zip(low, true_low, strict=True))
        assert all(a >= b for a, b in zip(high, true_high, strict=True))


@pytest.mark.parametrize("seed", range(30))
def test_the_whole_box_of_a_func_holds_what_is_read_of_it(seed: int) -> None:
    random = Random(seed)
    definition, dag = _pipeline(random, random.choice([affine, crooked]))
    loops = dag.funcs[dag.outputs[0]].stages[1].loops
    first, last = [loop.minimum for loop in loops], [loop.minimum + loop.extent - 1 for loop in loops]
    low, high = _touched(definition, dag, first, last)
    func = dag.funcs["f"]
    for d in range(2):
        assert func.minimum[d] <= low[d] and high[d] < func.minimum[d] + func.extent[d]


def test_what_lies_beyond_the_edge_is_clipped() -> None:
    x = hl.Var("x")
    image, f = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Func("f")
    f[x] = hl.BoundaryConditions.repeat_edge(image)[x - 5] + image[hl.clamp(x + 5, 0, image.width() - 1)]
    definition, _ = freeze([f.function])
    dag = build_dag(definition, Sizes({"f": ((0, 100),)}, {"image": ((0, 100),)}))
    assert dag.images["image"].extent == (100,)
    (load,) = dag.funcs["f"].stages[0].loads[1:]
    assert load.boundary and load.jacobian == ((1,),)
    assert Need([load], dag.images["image"]).box([90], [99]) == ((95,), (99,))
    assert extents(((95,), (99,))) == (5,)


def test_rows_between_taps_that_are_far_apart_are_not_read():
    taps = ((0, 0), (0, 20))
    load = Access("image", ((1, 0), (0, 1)), (0, 0), (0, 20), taps, 2)
    need = Need([load], ImageInfo("image", (0, 0), (100, 100), 4))
    assert need.box([0, 0], [15, 3]) == ((0, 0), (15, 23))
    assert need.distinct(1, [0, 0], [15, 3]) == 8


def test_planes_that_are_shifted_by_numbers_of_their_own_have_a_row_each():
    """`image[x, y - mux(c, shifts), c]` reads nine rows for nine channels, not the three of each that lie between."""
    shifted = (frozenset(), frozenset({2}), frozenset())
    load = Access("image", ((1, 0, 0), (0, 1, 0), (0, 0, 1)), (0, -1, 0), (0, 1, 0), (), 1, values=shifted)
    need = Need([load], ImageInfo("image", (0, 0, 0), (64, 64, 9), 4))
    assert need.box([0, 32, 0], [63, 32, 8]) == ((0, 31, 0), (63, 33, 8))
    assert need.rows(0, [0, 32, 0], [63, 32, 8]) == 9
    assert need.rows(0, [0, 32, 0], [63, 35, 8]) == 36
