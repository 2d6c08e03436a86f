"""Every directive refuses what it must, in Halide's words and with what is legal."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import pipec as hl

x, y, xi, yi, xo, yo, z, u, v = [hl.Var(name) for name in "x y xi yi xo yo z u v".split()]
rx, ry, ro, ri, rf = [hl.RVar(name) for name in ("r$x", "r$y", "ro", "ri", "rf")]
T = hl.TailStrategy


def pure() -> Any:
    f = hl.Func("f")
    f[x, y] = x + y
    return f


def update() -> Any:
    """An update whose iterations over r depend on each other."""
    f = pure()
    r = hl.RDom([(0, 10), (0, 10)], "r")
    f[x, y] = f[x, y] * 2 + r.x + r.y
    return f.update(0)


def total() -> Any:
    """An update that commutes."""
    f = pure()
    r = hl.RDom([(0, 10), (0, 10)], "r")
    f[x, y] += r.x + r.y
    return f.update(0)


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "split of unknown": (lambda: pure().split(z, xo, xi, 8), "could not find split dimension: z\nVars: x y"),
    "split same names": (
        lambda: pure().split(x, x, x, 16),
        "can't split x into x and x because the new Vars have the same name.",
    ),
    "split into used": (
        lambda: pure().split(x, y, xi, 8),
        "can't create var y using a split or tile, because y is already used in this Func's schedule elsewhere.",
    ),
    "split into used twice": (
        lambda: pure().split(x, xo, xi, 8).split(y, yo, xi, 8),
        "can't create var xi using a split or tile, because xi is already used in this Func's schedule elsewhere.",
    ),
    "split by zero": (
        lambda: pure().split(x, xo, xi, 0),
        "Can't split x by 0. Split factors must be strictly positive",
    ),
    "vectorize by zero": (
        lambda: pure().vectorize(x, 0),
        "Can't split x by 0. Split factors must be strictly positive",
    ),
    "unroll by less": (lambda: pure().unroll(x, -2), "Can't split x by -2. Split factors must be strictly positive"),
    "split by float": (lambda: pure().split(x, xo, xi, 2.5), "has type float32, not int32"),
    "split by a Var": (lambda: pure().split(x, xo, xi, y), "It may use constants and Params only."),
    "RVar into Vars": (lambda: update().split(rx, xo, xi, 8), "Can't split RVar r$x into Var xo"),
    "Var into RVars": (lambda: pure().split(x, ro, ri, 8), "Can't split Var x into RVar ro"),
    "Var named as an RVar": (
        lambda: update().split(hl.Var("r$x"), xo, xi, 8),
        "Var r$x used in scheduling directive has the same name as existing RVar r$x",
    ),
    "fuse of unknown outer": (lambda: pure().fuse(x, z, u), "could not find outer fuse dimension: z"),
    "fuse of unknown inner": (lambda: pure().fuse(z, y, u), "could not find inner fuse dimension: z"),
    "fuse with itself": (lambda: pure().fuse(x, x, z), "could not find inner fuse dimension: x"),
    "fuse into used": (lambda: pure().split(x, xo, xi, 8).fuse(xo, y, xi), "xi is already used"),
    "fuse RVar into Var": (lambda: total().fuse(x, rx, u), "Can't fuse Var u from RVar r$x"),
    "reorder of unknown": (
        lambda: pure().reorder(x, z),
        "could not find var z to reorder in the argument list.\nVars: x y",
    ),
    "reorder twice": (lambda: pure().reorder(x, x), "call to reorder references x twice."),
    "rename of unknown": (lambda: pure().rename(z, u), "could not find rename dimension: z"),
    "parallel of unknown": (
        lambda: pure().parallel(z),
        "could not find dimension z to mark as parallel in vars for function",
    ),
    "vectorize of unknown": (lambda: pure().vectorize(z, 8), "could not find split dimension: z"),
    "unroll of unknown": (lambda: pure().unroll(z), "could not find dimension z to mark as unrolled"),
    "tile lists": (
        lambda: pure().tile([x, y], [xo, yo], [xi], [4, 4]),
        "Vectors passed to Stage::tile must all be the same length.",
    ),
    "outermost": (lambda: pure().split(hl.Var.outermost(), xo, xi, 8), "it runs once and can't be changed"),
    "bound of unknown": (
        lambda: pure().bound(z, 0, 10),
        "Can't bound variable z of function f because z is not one of the pure variables of f.",
    ),
    "bound by float": (lambda: pure().bound(x, 0.5, 10), "Can't represent min bound in int32"),
    "align_bounds of unknown": (
        lambda: pure().align_bounds(z, 8),
        "Can't align bounds of variable z of function f because z is not one of the pure variables of f.",
    ),
    "align_bounds to zero": (lambda: pure().align_bounds(x, 0), "must be at least 1"),
    "estimate of unknown": (
        lambda: pure().set_estimate(z, 0, 8),
        "Can't provide an estimate on variable z of function f because z is not one of the pure variables of f.",
    ),
    "align_storage of unknown": (lambda: pure().align_storage(z, 8), "could not find var z to align the storage of."),
    "fold_storage of unknown": (lambda: pure().fold_storage(z, 8), "could not find var z to fold the storage of."),
    "fold_storage by zero": (lambda: pure().fold_storage(x, 0), "must be at least 1"),
    "reorder_storage twice": (lambda: pure().reorder_storage(x, x), "call to reorder_storage references x twice"),
    "reorder_storage of unknown": (
        lambda: pure().reorder_storage(z, x),
        "could not find variables z and x to reorder.\nVars: x y",
    ),
    "reorder_storage of one": (
        lambda: pure().reorder_storage(x),
        "reorder_storage must have at least two dimensions in reorder list.",
    ),
    "ShiftInwards in an update": (
        lambda: update().split(x, xo, xi, 8, T.ShiftInwards),
        "When splitting Var x ShiftInwards is not a legal tail strategy for update definitions, as it may change the "
        "meaning of the algorithm",
    ),
    "RoundUp of an RVar": (
        lambda: update().split(rx, ro, ri, 8, T.RoundUp),
        "When splitting Var r$x the tail strategy must be GuardWithIf, Predicate, or Auto. Anything else may change "
        "the meaning of the algorithm",
    ),
    "RoundUp of an inner loop in an update": (
        lambda: update().split(x, xo, xi, 8).split(xi, u, v, 3, T.RoundUp),
        "Can't use TailStrategy::RoundUp for splitting x.xi in update definition of f.update(0). It may redundantly "
        "recompute some values, which could change the meaning of the algorithm. Use TailStrategy::GuardWithIf "
        "instead.",
    ),
    "PredicateLoads of an inner loop": (
        lambda: pure().split(x, xo, xi, 8).split(xi, u, v, 4, T.PredicateLoads),
        "Can't use TailStrategy::PredicateLoads for splitting x.xi in the definition of f. PredicateLoads may not be "
        "used to split a Var stemming from the inner Var of a prior split.",
    ),
    "split of a predicated split": (
        lambda: pure().split(x, xo, xi, 8, T.PredicateStores).split(xi, u, v, 4),
        "Cannot split a loop variable resulting from a split using PredicateLoads or PredicateStores.",
    ),
    "parallel blending": (
        lambda: update().split(x, xo, xi, 8, T.RoundUpAndBlend).parallel(xo),
        "Tail strategy RoundUpAndBlend may not be used to split x because other vars stemming from the same original "
        "Var or RVar are marked as parallel.",
    ),
    "parallel blending of an inner loop": (
        lambda: update().split(x, xo, xi, 8).split(xi, u, v, 2, T.ShiftInwardsAndBlend).parallel(xo),
        "Tail strategy ShiftInwardsAndBlend may not be used to split x.xi because other vars",
    ),
    "atomic of what does not commute": (
        lambda: update().atomic().parallel(hl.RVar("r$x")),
        "Failed to call atomic() on f.update(0) since it can't prove associativity or commutativity of the operator.",
    ),
    "partition of unknown": (
        lambda: pure().partition(z, hl.Partition.Never),
        "could not find var z to set loop partition policy.\nVars: x y",
    ),
    "prefetch backwards": (
        lambda: pure().prefetch(hl.Func("g"), y, x),
        "Prefetch 'from' variable 'x' could not be found in an active loop. (Are the 'at' and 'from' variables "
        "swapped?)",
    ),
    "prefetch of unknown": (
        lambda: pure().prefetch(hl.Func("g"), z, y),
        "Prefetch 'at' variable 'z' could not be found",
    ),
    "compute_at in itself": (lambda: compute_at_itself(), "names f itself"),
}


def compute_at_itself() -> None:
    f = pure()
    f.compute_at(f, x)


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    action, text = REFUSED[case]
    with pytest.raises(hl.HalideError) as caught:
        action()
    # Names of Funcs are numbered when they repeat.
    message = re.sub(r"\bf\$\d+", "f", str(caught.value))
    assert text in message
    assert f"{__name__.rsplit('.')[-1]}.py:" in message, "the user's line is named"


def test_refused_directive_changes_nothing() -> None:
    f = pure()
    f.split(x, xo, xi, 8)
    before = f.function.schedule
    with pytest.raises(hl.HalideError):
        f.tile(y, xo, u, v, yi, u, 2, 2)
    assert f.function.schedule == before


def resolved(stage: Any) -> list[Any]:
    return [d.tail for d in stage.function.schedule.directives if hasattr(d, "tail")]


@pytest.mark.parametrize(
    ("stage", "tails"),
    [
        (lambda: pure().split(x, xo, xi, 8), [T.ShiftInwards]),
        (lambda: pure().split(x, xo, xi, 8).split(xi, u, v, 4), [T.ShiftInwards, T.RoundUp]),
        (lambda: pure().split(x, xo, xi, 8).split(xi, u, v, 3), [T.ShiftInwards, T.ShiftInwards]),
        (lambda: pure().split(x, xo, xi, 8).split(xi, u, v, 16), [T.ShiftInwards, T.GuardWithIf]),
        (lambda: pure().split(x, xo, xi, 8).split(xo, u, v, 3), [T.ShiftInwards, T.RoundUp]),
        (lambda: pure().split(x, xo, xi, 8).split(xo, u, v, 16), [T.ShiftInwards, T.ShiftInwards]),
        (lambda: pure().vectorize(x, 4).unroll(x, 2), [T.ShiftInwards, T.RoundUp]),
        (lambda: update().split(x, xo, xi, 8), [T.RoundUp]),
        (lambda: update().split(x, xo, xi, 8).split(xi, u, v, 4), [T.RoundUp, T.RoundUp]),
        (lambda: update().split(x, xo, xi, 8).split(xi, u, v, 3), [T.RoundUp, T.GuardWithIf]),
        (lambda: update().split(rx, ro, ri, 8), [T.GuardWithIf]),
    ],
)
def test_auto_tail(stage: Callable[[], Any], tails: list[Any]) -> None:
    assert resolved(stage()) == tails
