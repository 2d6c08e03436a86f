"""A schedule from a file is checked directive by directive."""

from __future__ import annotations

from typing import Any

import pytest

import pipec as hl
from pipec.errors import ScheduleError
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.expr import const
from pipec.ir.stmt import LoopKind
from pipec.lower.legality.apply_schedule import apply_schedule
from pipec.schedule.directive import Directive
from pipec.schedule.fields import ROOT, StageRef
from pipec.schedule.loops import Fuse, Mark, Reorder
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Schedule
from pipec.schedule.split import Split, TailStrategy
from pipec.schedule.storage import AlignStorage

x, y, xi, yi, t = [hl.Var(name) for name in ("x", "y", "xi", "yi", "t")]


def pipeline() -> tuple[Any, Any]:
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x + y
    r = hl.RDom([(0, 8)], "r")
    g[x, y] = 0
    g[x, y] += f[x + r, y]
    return f, g


def test_a_legal_schedule_is_itself() -> None:
    f, g = pipeline()
    g.tile(x, y, xi, yi, 8, 4).fuse(x, y, t).parallel(t).vectorize(xi)
    g.update(0).split(y, y, yi, 4).unroll(yi)
    f.compute_root().vectorize(x, 4).reorder_storage(y, x).bound_extent(y, 64).set_estimate(x, 0, 100)
    schedule = schedule_of([g.function])
    definition, _ = freeze([g.function])
    assert apply_schedule(definition, Schedule.from_json(schedule.to_json())) == schedule


def test_auto_is_resolved() -> None:
    _, g = pipeline()
    definition, _ = freeze([g.function])
    name = g.name()
    split = Split(StageRef(name, 1), "y", "y", "yi", const(4), TailStrategy.Auto)
    (result,) = apply_schedule(definition, Schedule((split,))).directives
    assert isinstance(result, Split) and result.tail is TailStrategy.RoundUp


@pytest.mark.parametrize(
    ("directive", "words"),
    [
        (
            lambda f, g: Split(StageRef(g), "z", "z", "zi", const(4), TailStrategy.Auto),
            "could not find split dimension: z",
        ),
        (lambda f, g: Mark(StageRef(g, 1), "r$x", LoopKind.PARALLEL), "may introduce a race condition"),
        (lambda f, g: Mark(StageRef(g, 2), "x", LoopKind.PARALLEL), "has 1 update definitions"),
        (lambda f, g: Mark(StageRef(g, -1), "x", LoopKind.PARALLEL), "has 1 update definitions"),
        (lambda f, g: Reorder(StageRef(g), ("x", "q")), "could not find var q to reorder"),
        (lambda f, g: Fuse(StageRef(g), "x", "x", "t"), "could not find inner fuse dimension: x"),
        (lambda f, g: ComputeAt("nobody", ROOT), "not part of this pipeline"),
        (lambda f, g: AlignStorage(f, "q", 8), "could not find var q to align the storage of"),
        (lambda f, g: Mark(StageRef(f), "x", LoopKind.VECTORIZED), "because the function is scheduled inline"),
    ],
)
def test_refused(directive: Any, words: str) -> None:
    f, g = pipeline()
    definition, _ = freeze([g.function])
    inputs: Directive = directive(f.name(), g.name())
    with pytest.raises(ScheduleError, match=words):
        apply_schedule(definition, Schedule((inputs,)))
