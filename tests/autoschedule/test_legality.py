"""Illegal states are recognized, and the reasons are given."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import pipec as hl
from pipec.autoschedule.dag.build_dag import Sizes, build_dag
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.cpu.random_states import random_state
from pipec.autoschedule.space.edits import placed
from pipec.autoschedule.space.legalize import common_path
from pipec.autoschedule.space.state import FULL, INLINED, ROOT_STORE, FuncPlacement, Nest, NestLevel, State, Where
from pipec.func.functions.freeze import freeze

x, y = hl.vars("x y")


def pipeline():
    f, g, h = hl.funcs("f g h")
    r = hl.RDom([(0, 8), (0, 8)], "r")
    f[x, y] = x + y
    g[x, y] = 0
    g[x, y] += f[x + r.x, y + r.y]
    h[x, y] = g[x, y] + f[x, y]
    definition, _ = freeze([h.function])
    return build_dag(definition, Sizes({h.name(): ((0, 64), (0, 64))}), threads=2), [e.name() for e in (f, g, h)]


def nest(*tiles, vector=0, lanes=8, parallel=(), order=None, atomic=False):
    return Nest(tiles, tuple(range(len(tiles[0]))) if order is None else order, vector, lanes, parallel, atomic)


def state_of(names, **changes):
    f, g, h = names
    placements = {
        f: FuncPlacement(Where.ROOT, nests=(nest((8, 1)),)),
        g: FuncPlacement(Where.ROOT, nests=(nest((8, 1)), nest((8, 1, 1, 1)))),
        h: FuncPlacement(Where.ROOT, nests=(nest((FULL, 8), (8, 1), parallel=(1,)),)),
    }
    return State({**placements, **{dict(zip("fgh", names, strict=True))[key]: value for key, value in changes.items()}})


def test_a_sound_state_has_none():
    dag, names = pipeline()
    assert problems(dag, state_of(names)) == []


SIMPLE = (nest((8, 1)),)


def at(func, level, stage=0, store=None, nests=SIMPLE):
    return lambda names: FuncPlacement(Where.AT, NestLevel(names["fgh".index(func)], stage, level), store, nests)


STAGES = (nest((8, 1)), nest((8, 1, 1, 1)))
ILLEGAL = {
    "can't be inline": {"g": INLINED},
    "does not exist": {"g": at("h", 5, nests=STAGES)},
    "not around all that read it": {"f": at("h", 0)},
    "outside of parallel loops": {"g": at("h", 1, store=ROOT_STORE, nests=STAGES)},
    "is not around the compute level": {
        "g": lambda names: FuncPlacement(Where.AT, NestLevel(names[2], 0, 0), NestLevel(names[2], 0, 1), STAGES)
    },
    "outputs are computed at root": {"h": at("g", 0)},
    "has 2 stages and 1 nests": {"g": FuncPlacement(Where.ROOT, nests=(nest((8, 1)),))},
    "must have 2 sizes": {"f": FuncPlacement(Where.ROOT, nests=(nest((8, 1, 1)),))},
    "does not name every dimension once": {"f": FuncPlacement(Where.ROOT, nests=(nest((8, 1), order=(0, 0)),))},
    "grow inwards": {"f": FuncPlacement(Where.ROOT, nests=(nest((8, 1), (16, 1)),))},
    "tiles have 128 values of x, which has 64": {"h": FuncPlacement(Where.ROOT, nests=(nest((128, 1), lanes=16),))},
    "do not divide": {"f": FuncPlacement(Where.ROOT, nests=(nest((12, 1)),))},
    "lanes of r$x would race": {"g": FuncPlacement(Where.ROOT, nests=(STAGES[0], nest((1, 1, 8, 1), vector=2)))},
    "iterations of r$x would race": {
        "g": FuncPlacement(Where.ROOT, nests=(STAGES[0], nest((8, 1, 1, 1), parallel=(2,))))
    },
    "no outermost loop": {"f": FuncPlacement(Where.ROOT, nests=(nest((FULL, 1), (8, 1), parallel=(0,)),))},
    "copies of the body": {"f": FuncPlacement(Where.ROOT, nests=(nest((64, 999)),))},
    "go past the cache": {"f": FuncPlacement(Where.ROOT, nests=(nest((8, 1)),), streamed=True)},
    "order of storage": {"f": FuncPlacement(Where.ROOT, nests=(nest((8, 1)),), storage=(0, 0))},
}


@pytest.mark.parametrize("words", ILLEGAL)
def test_what_is_illegal_is_reported(words):
    dag, names = pipeline()
    changes = {key: make(names) if callable(make) else make for key, make in ILLEGAL[words].items()}
    assert any(words in problem for problem in problems(dag, state_of(names, **changes)))


def test_reductions_whose_partial_results_combine_may_be_lanes():
    dag, names = pipeline()
    update = nest((1, 1, 8, 1), vector=2, parallel=(3,), atomic=True)
    assert problems(dag, state_of(names, g=FuncPlacement(Where.ROOT, nests=(STAGES[0], update)))) == []


def test_loops_that_depend_on_each_other_keep_their_order():
    f = hl.Func("f")
    r = hl.RDom([(1, 8), (1, 8)], "r")
    f[x, y] = x + y
    f[r.x, r.y] = f[r.x - 1, r.y] * 2 + f[r.x, r.y - 1]
    definition, _ = freeze([f.function])
    dag = build_dag(definition, Sizes({f.name(): ((0, 16), (0, 16))}))
    pure = nest((8, 1))
    scan = nest((1, 1, 1, 1), vector=None, lanes=1)
    sound = State({f.name(): FuncPlacement(Where.ROOT, nests=(pure, scan))})
    assert problems(dag, sound) == []
    for wrong in (replace(scan, order=(0, 1, 3, 2)), replace(scan, tiles=((1, 1, 4, 4), (1, 1, 1, 1)))):
        result = problems(dag, State({f.name(): FuncPlacement(Where.ROOT, nests=(pure, wrong))}))
        assert any("keep their order" in problem for problem in result)


@pytest.mark.parametrize("seed", range(20))
def test_random_states_have_none(seed):
    dag, _ = pipeline()
    assert problems(dag, random_state(dag, random.Random(seed))) == []


def test_nothing_is_computed_inside_of_a_call_of_a_c_function():
    f, g = hl.funcs("f g")
    f[x, y] = x + y
    g.define_extern("some_filter", [f], hl.Int(32), [x, y])
    definition, _ = freeze([g.function])
    dag = build_dag(definition, Sizes({g.name(): ((0, 64), (0, 64))}), threads=2)
    at_root = FuncPlacement(Where.ROOT, nests=(nest((8, 8)),))
    assert common_path(dag, State({f.name(): at_root, g.name(): at_root}), f.name()) == ()
    inside = FuncPlacement(Where.AT, NestLevel(g.name(), 0, 0), None, at_root.nests)
    assert any("does not exist" in text for text in problems(dag, State({f.name(): inside, g.name(): at_root})))


def test_a_placement_in_a_loop_that_is_missing_is_moved_outwards():
    """As that of another state, whose loops are others."""
    dag, names = pipeline()
    placement = FuncPlacement(Where.AT, NestLevel(names[2], 0, 2), nests=STAGES)
    state = placed(dag, state_of(names), names[1], placement)
    assert problems(dag, state) == [] and state[names[1]].compute == NestLevel(names[2], 0, 1)
