"""Loops over reduction variables run in parallel or in another order only where that is proved to be safe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pipec as hl

x, y, xi = hl.Var("x"), hl.Var("y"), hl.Var("xi")
ro, ri = hl.RVar("ro"), hl.RVar("ri")


def scatter(target: Callable[[Any], Any], value: Callable[[Any, Any], Any], *extents: Any) -> tuple[Any, Any]:
    """An update f[target(r)] = value(f, r) of a 2-D Func, and its RDom."""
    f = hl.Func("f")
    f[x, y] = 0
    r = hl.RDom([(1, extent) for extent in extents or (10, 10)], "r")
    f[target(r)] = value(f, r)
    return f.update(0), r


SAFE = {
    "own place": (lambda r: (r.x, r.y), lambda f, r: r.x + 3, "xy"),
    "own place, reads itself": (lambda r: (r.x, r.y), lambda f, r: f[r.x, r.y] * 2 + 1, "xy"),
    "scaled and shifted": (lambda r: (3 * r.x - 5, 7 - r.y), lambda f, r: r.x, "xy"),
    "reads the row before": (lambda r: (r.x, r.y), lambda f, r: f[r.x, r.y - 1], "x"),
    "mixed radix": (lambda r: (r.x * 10 + r.y, 0), lambda f, r: r.x, "xy"),
    "mixed radix too narrow": (lambda r: (r.x * 9 + r.y, 0), lambda f, r: r.x, ""),
    "sheared": (lambda r: (r.x + r.y, r.y), lambda f, r: r.x, "xy"),
    "even and odd": (lambda r: (2 * r.x, r.y), lambda f, r: f[2 * r.x + 1, r.y], "xy"),
    "reads outside its range": (lambda r: (r.x, 0), lambda f, r: f[0, 0] + r.x, "x"),
    "reads inside its range": (lambda r: (r.x, 0), lambda f, r: f[1, 0] + r.x, ""),
    "one place": (lambda r: (0, r.y), lambda f, r: f[0, r.y] + r.x, "y"),
    "modulo": (lambda r: (r.x % 4, 0), lambda f, r: r.x, ""),
    "clamped": (lambda r: (hl.clamp(r.x, 0, 4), r.y), lambda f, r: r.x, "y"),
    "transposed": (lambda r: (r.x, r.y), lambda f, r: f[r.y, r.x], ""),
}


@pytest.mark.parametrize("case", SAFE)
@pytest.mark.parametrize("directive", ["parallel", "vectorize", "vectorize by 4"])
def test_parallel(case: str, directive: str) -> None:
    target, value, safe = SAFE[case]
    for name in "xy":
        stage, r = scatter(target, value)
        factor = [4] if directive.endswith("4") else []
        action = lambda: getattr(stage, directive.split()[0])(getattr(r, name), *factor)  # noqa: B023, E731
        if name in safe:
            action()
        else:
            with pytest.raises(hl.HalideError, match="may introduce a race condition resulting in incorrect output"):
                action()


def test_predicate_that_reads_the_func() -> None:
    f = hl.Func("f")
    f[x] = 0
    r = hl.RDom([(1, 10)], "r")
    r.where(f[r.x - 1] == 0)
    f[r.x] = 5
    with pytest.raises(hl.HalideError, match="marking var r\\$x as parallel or vectorized may introduce a race"):
        f.update(0).parallel(r.x)


def test_split_and_fused_loops_inherit_the_race() -> None:
    stage, r = scatter(lambda r: (0, r.y), lambda f, r: f[0, r.y] + r.x)
    with pytest.raises(hl.HalideError, match="marking var ri"):
        stage.split(r.x, ro, ri, 4).vectorize(ri)
    stage, r = scatter(lambda r: (0, r.y), lambda f, r: f[0, r.y] + r.x)
    rf = hl.RVar("rf")
    with pytest.raises(hl.HalideError, match="marking var rf"):
        stage.fuse(r.x, r.y, rf).parallel(rf)


def test_fuse_with_a_parallel_loop() -> None:
    f = hl.Func("f")
    f[x] = 0
    r = hl.RDom([(0, 10)], "r")
    f[x] = f[x] * 2 + r
    with pytest.raises(hl.HalideError, match="marking var q as parallel or vectorized may introduce a race"):
        f.update(0).parallel(x).fuse(x, r.x, hl.RVar("q"))


def test_allow_race_conditions() -> None:
    stage, r = scatter(lambda r: (0, r.y), lambda f, r: f[0, r.y] + r.x)
    stage.allow_race_conditions().parallel(r.x)


@pytest.mark.parametrize("factor", [[], [4]])
@pytest.mark.parametrize("kind", ["parallel", "vectorize"])
def test_atomic(kind: str, factor: list[int]) -> None:
    def histogram(schedule: Callable[[Any, Any], Any]) -> list[int]:
        f = hl.Func("f")
        f[x] = 0
        r = hl.RDom([(0, 1000)], "r")
        f[(r * r) % 7] += r.x
        schedule(f.update(0), r)
        result = f.realize([7])
        return [result[i] for i in range(7)]

    expected = [sum(i for i in range(1000) if i * i % 7 == k) for k in range(7)]
    assert histogram(lambda s, r: None) == expected
    assert histogram(lambda s, r: getattr(s.atomic(), kind)(r.x, *factor)) == expected


def test_atomic_without_proof() -> None:
    stage, r = scatter(lambda r: (0, r.y), lambda f, r: f[0, r.y] * 2 + r.x)
    with pytest.raises(hl.HalideError, match="can't prove associativity or commutativity"):
        stage.atomic().parallel(r.x)
    stage.atomic(True).parallel(r.x)


NEEDS_LOCK = {
    "reads a neighbour": lambda f, r: f[0, (r.y + 1) % 8] + r.x,
    "its own index": lambda f, r: f[0, f[0, r.y] % 8] + r.x,
}


@pytest.mark.parametrize("name", NEEDS_LOCK)
def test_what_needs_a_lock_is_atomic_only_when_vouched_for(name: str) -> None:
    stage, r = scatter(lambda r: (0, r.y), NEEDS_LOCK[name])
    with pytest.raises(hl.ScheduleError, match="can't prove associativity or commutativity"):
        stage.atomic().parallel(r.x)
    stage.atomic(True).parallel(r.x)


def test_one_of_several_writers_wins_only_when_vouched_for() -> None:
    stage, r = scatter(lambda r: (0, r.y), lambda f, r: r.x + 0)
    with pytest.raises(hl.HalideError, match="can't prove associativity or commutativity"):
        stage.atomic().parallel(r.x)
    stage, r = scatter(lambda r: (0, r.y), lambda f, r: 1)
    stage.atomic().parallel(r.x)


INDEPENDENT = {
    "reads other elements only": lambda f, r: f[r + 50] + 1,
    "reads its own element and another": lambda f, r: f[r] * f[r + 60] + f[r + 70],
    "multiplies and adds": lambda f, r: f[r] * 2 + 1,
    "writes each element once": lambda f, r: r * 2,
}


@pytest.mark.parametrize("kind", ["parallel", "vectorize"])
@pytest.mark.parametrize("value", INDEPENDENT)
def test_atomic_needs_no_proof_where_iterations_are_independent(value: str, kind: str) -> None:
    def pixels(schedule: Callable[[Any, Any], Any]) -> list[int]:
        f, r = hl.Func("f"), hl.RDom([(0, 50)], "r")
        f[x] = x
        f[r.x] = INDEPENDENT[value](f, r.x)
        schedule(f.update(), r.x)
        result = f.realize([130])
        return [result[i] for i in range(130)]

    factor = [8] * (kind == "vectorize")
    assert pixels(lambda s, r: getattr(s.atomic(), kind)(r, *factor)) == pixels(lambda s, r: None)


COMMUTING = {
    "sum": lambda f, r: f[x, y] + r.x * r.y,
    "sum, swapped": lambda f, r: r.x * r.y + f[x, y],
    "difference": lambda f, r: f[x, y] - r.x,
    "several terms": lambda f, r: f[x, y] + r.x + r.y,
    "product": lambda f, r: f[x, y] * r.x,
    "minimum": lambda f, r: hl.min(f[x, y], r.x),
    "maximum": lambda f, r: hl.max(r.x, f[x, y]),
    "xor": lambda f, r: f[x, y] ^ r.x,
    "xor with several": lambda f, r: f[x, y] ^ r.x ^ r.y,
}
DEPENDENT = {
    "multiply and add": lambda f, r: f[x, y] * 2 + r.x,
    "overwrite": lambda f, r: r.x + r.y,
    "reads itself twice": lambda f, r: f[x, y] + r.x * f[x, y],
    "reversed difference": lambda f, r: r.x - f[x, y],
    "different bitwise operations": lambda f, r: (f[x, y] ^ r.x) & r.y,
}


def reordered(value: Callable[[Any, Any], Any], action: Callable[[Any, Any], Any]) -> None:
    stage, r = scatter(lambda r: (x, y), value)
    action(stage, r)


ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "reorder": lambda s, r: s.reorder(r.y, r.x),
    "reorder of a split": lambda s, r: s.split(r.x, ro, ri, 4).reorder(ro, ri),
    "fuse in the other order": lambda s, r: s.fuse(r.y, r.x, hl.RVar("q")),
    "tile": lambda s, r: s.tile(r.x, r.y, ro, hl.RVar("so"), ri, hl.RVar("si"), 2, 2),
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("value", COMMUTING)
def test_commuting_updates_may_be_reordered(value: str, order: str) -> None:
    reordered(COMMUTING[value], ORDERS[order])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("value", DEPENDENT)
def test_other_updates_keep_their_order(value: str, order: str) -> None:
    with pytest.raises(hl.HalideError, match="can't reorder RVars .* because it may change the meaning"):
        reordered(DEPENDENT[value], ORDERS[order])


@pytest.mark.parametrize("value", DEPENDENT)
def test_pure_loops_and_splits_are_free(value: str) -> None:
    q = hl.RVar("q")
    reordered(DEPENDENT[value], lambda s, r: s.reorder(x, r.x, r.y, y))
    reordered(DEPENDENT[value], lambda s, r: s.split(r.x, ro, ri, 4).reorder(x, ri, ro, r.y))
    reordered(DEPENDENT[value], lambda s, r: s.fuse(r.x, r.y, q))
    reordered(DEPENDENT[value], lambda s, r: s.vectorize(x, 4).parallel(y).unroll(r.x, 2))


@pytest.mark.parametrize("kind", ["parallel", "vectorize"])
def test_saturating_sums_commute_when_they_are_unsigned(kind: str) -> None:
    def total(type_: hl.Type, schedule: Callable[[Any, Any], Any]) -> int:
        f, r = hl.Func("f"), hl.RDom([(0, 40)], "r")
        f[x] = hl.cast(type_, 0)
        f[0] = hl.saturating_add(f[0], hl.cast(type_, r.x))
        schedule(f.update(0), r)
        return int(f.realize([1])[0])

    assert total(hl.UInt(8), lambda s, r: getattr(s.atomic(), kind)(r.x, *[8] * (kind == "vectorize"))) == 255
    with pytest.raises(hl.HalideError, match="can't prove associativity or commutativity"):
        total(hl.Int(8), lambda s, r: s.atomic().parallel(r.x))


def test_scatters_of_equal_values_run_in_any_order() -> None:
    def scattered(value: Callable[[Any], Any]) -> tuple[Any, Any]:
        f, r = hl.Func("f"), hl.RDom([(0, 16), (0, 4)], "r")
        f[x] = 0
        f[r.x // 4] = value(r)
        outer, inner = hl.RVar("outer"), hl.RVar("inner")
        f.update(0).split(r.x, outer, inner, 4).reorder(outer, r.y, inner)
        return f, r

    assert list(scattered(lambda r: 7)[0].realize([5])) == [7, 7, 7, 7, 0]
    for value in (lambda r: r.x, lambda r: r.y, lambda r: r.x // 4 + r.y):
        with pytest.raises(hl.ScheduleError, match="may change the meaning of the algorithm"):
            scattered(value)


def test_a_loop_of_one_iteration_has_no_races() -> None:
    f, r, ro, ri = hl.Func("f"), hl.RDom([(1, 4)], "r"), hl.RVar("ro"), hl.RVar("ri")
    f[x] = x
    f[r] = f[r - 1] * 2
    f.update(0).split(r, ro, ri, 1).vectorize(ri)
    with pytest.raises(hl.HalideError, match="race condition"):
        f.update(0).parallel(ro)


def test_iterations_do_not_differ_in_a_variable_of_one_value() -> None:
    image, f, r, x = hl.Buffer(np.array([3, 1], np.int32)), hl.Func("f"), hl.RDom([(0, 1), (0, 2)], "r"), hl.Var("x")
    f[x] = 0
    f[hl.clamp(image[r.y], 0, 3)] = r.y + 5
    f.update().vectorize(r.x, 4, hl.TailStrategy.GuardWithIf)
    assert np.asarray(f.realize([4])).tolist() == [0, 6, 0, 5]
    with pytest.raises(hl.HalideError, match="may introduce a race"):
        f.update().parallel(r.y)
