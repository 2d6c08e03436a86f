"""A schedule is a value: hashable, picklable, and the same after a trip through Python or JSON text."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import pipec as hl
from pipec.errors import ScheduleError
from pipec.func.functions.freeze import schedule_of
from pipec.ir.build import as_expr
from pipec.ir.expr import const
from pipec.ir.stmt import LoopKind, MemoryType
from pipec.schedule.bounds import AlignBounds, Bound, Estimate
from pipec.schedule.fields import ROOT, LevelRef, StageRef
from pipec.schedule.loops import Mark
from pipec.schedule.placement import ComputeAt, func_schedule
from pipec.schedule.python_text import python_names
from pipec.schedule.schedule import Dim, Loop, Schedule, stage_loops
from pipec.schedule.split import Split, TailStrategy
from pipec.schedule.storage import AlignStorage, FoldStorage, ReorderStorage, StoreIn

x, y, xi, yi, xo, yo, t = [hl.Var(name) for name in "x y xi yi xo yo t".split()]


class Blur:
    """Two stages, then a sum over rows with an update."""

    def __init__(self) -> None:
        self.x, self.y, self.sum = hl.Func("blur_x"), hl.Func("blur-y"), hl.Func("sum")
        self.x[x, y] = x + y
        self.y[x, y] = self.x[x, y - 1] + self.x[x, y + 1]
        self.r = hl.RDom([(0, 10), (0, 10)], "r")
        self.sum[x] = 0
        self.sum[x] += self.y[x + self.r.x, self.r.y]

    def funcs(self) -> list[Any]:
        return [self.x, self.y, self.sum]

    def schedule(self) -> Schedule:
        return schedule_of([self.sum.function])


def scheduled(blur: Blur) -> Blur:
    """A directive of every kind."""
    p = hl.Param(hl.Int(32), "p", 4)
    blur.y.compute_root().tile(x, y, xo, yo, xi, yi, 64, 32).fuse(xo, yo, t).parallel(t).vectorize(xi, 8)
    blur.y.unroll(yi, 2, hl.TailStrategy.GuardWithIf).reorder_storage(y, x).bound(x, 0, 64).align_bounds(y, 8, 3)
    blur.x.store_at(blur.y, t).compute_at(blur.y, yi).fold_storage(y, 4, False).store_in(MemoryType.Stack)
    blur.x.align_storage(x, 16).rename(x, xo).split(xo, xo, xi, p * 2).bound_extent(y, p + 1).serial(y)
    ro, ri = hl.RVar("ro"), hl.RVar("ri")
    update = blur.sum.update(0)
    update.split(blur.r.x, ro, ri, 4).reorder(ri, x, ro).parallel(x, 4).allow_race_conditions()
    blur.sum.set_estimate(x, 0, 1000)
    blur.x.bound_storage(x, p * 64).align_extent(y, 4)
    q, image = hl.Param(hl.Bool(), "q"), hl.ImageParam(hl.UInt(8), 2, "image")
    version = blur.y.specialize((p == 4) & q).specialize(image.dim(0).stride() == 1)
    blur.y.specialize(p > 1).vectorize(yi, 4).specialize(hl.Expr(True)).unroll(yi)
    version.unroll(yi, 2).serial(t)
    update.specialize(~q).serial(x)
    update.specialize_fail("it's not there")
    return blur


def test_equal_hashable_picklable() -> None:
    blur = scheduled(Blur())
    schedule = blur.schedule()
    same = Schedule(schedule.directives)
    assert same == schedule and hash(same) == hash(schedule) and len({same, schedule}) == 1
    assert len(schedule) > 20
    assert pickle.loads(pickle.dumps(schedule)) == schedule


def test_adding_step_by_step_is_the_same() -> None:
    stage = StageRef("f")
    directives = [
        Split(stage, "x", "x", "xi", const(8), TailStrategy.GuardWithIf),
        Mark(stage, "xi", LoopKind.VECTORIZED),
    ]
    grown = Schedule()
    for directive in directives:
        assert grown.of_stage(stage) is not None
        grown = grown.add(directive)
    assert grown == Schedule(tuple(directives))
    assert grown.of_stage(stage) == tuple(directives)
    assert (Schedule(tuple(directives[:1])) + Schedule(tuple(directives[1:]))) == grown


def test_stage_loops() -> None:
    blur = scheduled(Blur())
    name = blur.y.name()
    loops = stage_loops(blur.schedule(), StageRef(name), (Dim("x"), Dim("y")))
    assert [(loop.name, loop.kind) for loop in loops.loops] == [
        ("xi.v", LoopKind.VECTORIZED),
        ("xi", LoopKind.SERIAL),
        ("yi.u", LoopKind.UNROLLED),
        ("yi", LoopKind.SERIAL),
        ("t", LoopKind.PARALLEL),
    ]
    assert [type(change).__name__ for change in loops.transforms] == ["Split", "Split", "Fuse", "Split", "Split"]


def test_loops_of_an_update() -> None:
    blur = scheduled(Blur())
    ref = StageRef(blur.sum.name(), 1)
    loops = stage_loops(blur.schedule(), ref, (Dim("r$x", True), Dim("r$y", True), Dim("x")))
    assert loops.loops == (
        Loop("ri", LoopKind.SERIAL, True),
        Loop("x.p", LoopKind.SERIAL),
        Loop("x", LoopKind.PARALLEL),
        Loop("r$y", LoopKind.SERIAL, True),
        Loop("ro", LoopKind.SERIAL, True),
    )


def test_func_schedule() -> None:
    blur = scheduled(Blur())
    place = func_schedule(blur.schedule(), blur.x.name())
    assert place.compute == LevelRef(blur.y.name(), "yi")
    assert place.store == LevelRef(blur.y.name(), "t")
    assert place.last(StoreIn) == StoreIn(blur.x.name(), MemoryType.Stack)
    assert place.by_dim(AlignStorage) == {"x": AlignStorage(blur.x.name(), "x", 16)}
    assert place.by_dim(FoldStorage) == {"y": FoldStorage(blur.x.name(), "y", const(4), False)}
    place = func_schedule(blur.schedule(), blur.y.name())
    assert place.compute == ROOT and place.store == ROOT and not place.store_explicit
    assert place.all(ReorderStorage) == [ReorderStorage(blur.y.name(), ("y", "x"))]
    assert place.by_dim(Bound) == {"x": Bound(blur.y.name(), "x", const(0), const(64))}
    assert place.by_dim(AlignBounds) == {"y": AlignBounds(blur.y.name(), "y", as_expr(8), as_expr(3))}
    assert Bound in place and Estimate not in place and place.last(Estimate) is None


def test_a_later_place_wins() -> None:
    blur = Blur()
    blur.x.compute_at(blur.y, x).compute_at(blur.y, y)
    place = func_schedule(blur.schedule(), blur.x.name())
    assert place.compute == place.store == LevelRef(blur.y.name(), "y")
    blur.x.store_root().compute_inline()
    assert func_schedule(blur.schedule(), blur.x.name()).store.is_inlined


def replay(text: str, blur: Blur, parameters: dict[str, Any]) -> Schedule:
    """The schedule that the Python text gives to fresh Funcs, under the names of the old ones."""
    names = python_names(func.name() for func in blur.funcs())
    scope = {names[func.name()]: func for func in blur.funcs()}
    exec(text, {"hl": hl, **scope, **parameters})
    return blur.schedule()


def test_python_text_gives_the_same_schedule() -> None:
    blur = scheduled(Blur())
    schedule = blur.schedule()
    text = schedule.to_python()
    assert ".tile(x, y, xo, yo, xi, yi, 64, 32)" in text
    assert ".vectorize(xi, 8)" in text
    assert "TailStrategy.GuardWithIf" in text and "ShiftInwards" not in text
    parameters: dict[str, Any] = {"q": hl.Param(hl.Bool(), "q"), "image": hl.ImageParam(hl.UInt(8), 2, "image")}
    for directive in schedule.directives:
        if isinstance(directive, Split) and "p" in str(directive.factor):
            parameters["p"] = hl.Param(hl.Int(32), "p", 4)
    for func in blur.funcs():
        func.function.schedule = Schedule()
    second = replay(text, blur, parameters)
    assert second.to_json() == schedule.to_json()


def test_json_round_trip() -> None:
    schedule = scheduled(Blur()).schedule()
    text = schedule.to_json()
    assert Schedule.from_json(text) == schedule
    assert Schedule.from_json(text).to_json() == text


def test_empty_schedule() -> None:
    assert Schedule().to_python() == ""
    assert Schedule.from_json(Schedule().to_json()) == Schedule()
    assert stage_loops(Schedule(), StageRef("f"), (Dim("x"),)).loops == (Loop("x"),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not the JSON text"),
        ("[]", "not a schedule"),
        ('{"format": "pipec schedule", "version": 99}', "version 99"),
        ('{"format": "pipec schedule", "version": 1, "directives": [{"do": "Explode"}]}', "unknown directive"),
        ('{"format": "pipec schedule", "version": 1, "directives": [{"do": "Mark"}]}', "can't be read"),
        (
            '{"format": "pipec schedule", "version": 1, "directives": [{"do": "Mark", "stage": ["f", 0], "var": "x", '
            '"kind": "SIDEWAYS"}]}',
            "can't be read",
        ),
    ],
)
def test_bad_json(text: str, words: str) -> None:
    with pytest.raises(ScheduleError, match=words):
        Schedule.from_json(text)


def test_python_names() -> None:
    names = python_names(["blur_x", "f$1", "class", "2d", "f_1"])
    assert names == {"blur_x": "blur_x", "f$1": "f_1", "class": "_class", "2d": "_2d", "f_1": "f_1_"}


def test_directives_of_one_func() -> None:
    schedule = Schedule((ComputeAt("f", ROOT), Mark(StageRef("f", 1), "x", LoopKind.PARALLEL), ComputeAt("g", ROOT)))
    assert schedule.funcs() == ("f", "g")
    assert schedule.scheduled_stages() == (StageRef("f", 1),)
    assert schedule.restricted_to(frozenset("g")) == Schedule((ComputeAt("g", ROOT),))


def test_hints_are_directives_too() -> None:
    blur = Blur()
    blur.x.compute_at(blur.y, y).hoist_storage_root()
    blur.y.compute_root().prefetch(blur.x, x, y, 2).never_partition(x).always_partition_all()
    blur.sum.update(0).atomic().parallel(blur.r.x).prefetch(blur.y, x, x)
    schedule = blur.schedule()
    assert Schedule.from_json(schedule.to_json()) == schedule
    for func in blur.funcs():
        func.function.schedule = Schedule()
    assert replay(schedule.to_python(), blur, {}) == schedule


def test_a_text_can_mark_no_loop_as_one_of_a_c_function():
    f = hl.Func("f")
    f[hl.Var("x")] = 1
    text = schedule_of([f.parallel(hl.Var("x")).function]).to_json()
    with pytest.raises(hl.ScheduleError, match="can't be marked as extern"):
        Schedule.from_json(text.replace("PARALLEL", "EXTERN"))
