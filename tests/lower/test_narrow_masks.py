"""Masks of long vectors: the same lanes as comparisons of coordinates, in narrow types; tails that are one vector."""

import numpy as np
import pytest
from hand_written import *

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.build import add, constant
from pipec.ir.expr import GE, GT, LE, LT, Broadcast, Compare, Const, Load, Ramp, Select
from pipec.ir.stmt import For, Store
from pipec.ir.walk import postorder
from pipec.lower.lower import lower
from pipec.lower.passes.flatten_storage import flatten_storage
from pipec.lower.vectorize.vector_arithmetic import narrow_masks
from pipec.lower.vectorize.vectorize_loops import vectorize_loops

FAR = (1 << 31) - 1


def first_lanes(kind, lanes, ramp_first):
    """1 in the lanes whose coordinate, from w on, compares so with h."""
    sides = (add(w, x), h) if ramp_first else (h, add(w, x))
    body = provide("out", Select(kind(*sides), Const(U16, 1), Const(U16, 0)), x)
    return vectorize_loops(flatten_storage(loop("x", 0, lanes, body, VECTORIZED)))


@pytest.mark.parametrize("lanes", [17, 32, 200])
@pytest.mark.parametrize("kind", [LE, LT, GE, GT])
@pytest.mark.parametrize("ramp_first", [True, False])
def test_the_lanes_are_the_same(kind, lanes, ramp_first):
    before = first_lanes(kind, lanes, ramp_first)
    after = narrow_masks(before)
    (built,) = [node for node in postorder(after) if isinstance(node, Compare)]
    assert built.a.type.element_of().nbits < 32 and isinstance(built.a, Ramp | Broadcast)
    near = [(0, -1), (0, 0), (0, lanes // 2), (5, lanes + 4), (5, lanes + 5)]
    for start, limit in [*near, (-FAR, FAR), (FAR - 300, -FAR)]:
        same(before, after, {"out": np.zeros(lanes, np.uint16)}, w=start, h=limit)


def test_short_vectors_compare_coordinates():
    before = first_lanes(LE, 16, True)
    assert narrow_masks(before) is before


def masked(stmt):
    """Whether something in it is done in some lanes only."""
    nodes = list(postorder(stmt))
    accesses = [node for node in nodes if isinstance(node, Load | Store)]
    return any(isinstance(node, LE) for node in nodes) or any(constant(one.predicate) != 1 for one in accesses)


TAILS = ["GuardWithIf", "Predicate", "PredicateLoads", "PredicateStores", "ShiftInwardsAndBlend", "RoundUpAndBlend"]


@pytest.mark.parametrize("tail", TAILS)
def test_only_the_last_vector_of_a_row_is_masked(tail):
    v, i, o = hl.vars("v i o")
    f, a = hl.Func("f"), hl.ImageParam(hl.UInt(8), 1, "a")
    f[v] = hl.u8((hl.u16(a[v]) + a[v + 1]) / 2)
    f.split(v, o, i, 32, getattr(hl.TailStrategy, tail)).vectorize(i)
    inputs = np.random.default_rng(1).integers(0, 256, 200).astype(np.uint8)
    a.set(hl.Buffer(inputs))
    for width in (64, 96 if tail in ("PredicateLoads", "RoundUpAndBlend") else 100):
        memory = np.full(128, 7, np.uint8)
        f.realize(hl.Buffer(memory[:width]))
        assert (memory[:width] == (inputs[:width].astype(int) + inputs[1 : width + 1]) // 2).all()
        assert (memory[width:] == 7).all()
    functions = [f.function]
    schedule = schedule_of(functions)
    body = lower(freeze(functions, "tails")[0], schedule, hl.get_jit_target_from_environment()).body
    steady, rest = [node.body for node in postorder(body) if isinstance(node, For)]
    assert masked(rest) and not masked(steady)
