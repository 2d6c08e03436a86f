"""Every directive there is, through all that its declaration promises: check, replay, Python text, JSON, comparison.

A new directive needs one line in EXAMPLES; without it the tests fail.
"""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest

import pipec as hl
from pipec.errors import ScheduleError
from pipec.func.directives.scheduled import replay
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.expr import Add, Variable
from pipec.ir.tensor import TensorIntrinsic, TensorLoop, TensorOperand, declare
from pipec.lower.legality.apply_schedule import apply_schedule
from pipec.schedule.directive import DIRECTIVES, Directive, FuncDirective, StageDirective
from pipec.schedule.fields import Renaming
from pipec.schedule.python_text import python_names
from pipec.schedule.schedule import Schedule

x, y, xo, xi, t, u = [hl.Var(name) for name in "x y xo xi t u".split()]


class Program:
    """f feeds g, whose update sums over r; h is computed beside g. An example adds its directive to one of them."""

    def __init__(self) -> None:
        self.p = hl.Param(hl.Int(32), "p", 4)
        self.f, self.g, self.h, self.out = hl.funcs("f g h out")
        self.f[x, y] = x + y
        self.r = hl.RDom([(0, 8), (0, 4)], "r")
        self.g[x, y] = 0
        self.g[x, y] += self.f[x + self.r.x, y + self.r.y]
        self.h[x, y] = x - self.p * y
        self.out[x, y] = self.g[x, y] + self.h[x, y]
        self.g.compute_root()
        self.h.compute_root()
        self.update = self.g.update(0)

    def functions(self) -> dict[str, Any]:
        """The Functions by name, those that rfactor has made included."""
        definition, _ = freeze([self.out.function])
        live = {func.function.name: func.function for func in (self.f, self.g, self.h, self.out)}
        built = {callee.name: callee for function in live.values() for callee in function.callees}
        return {name: {**built, **live}[name] for name in definition.funcs}

    def schedule(self) -> Schedule:
        return schedule_of([self.out.function])


i, k = TensorLoop("i", 4), TensorLoop("k", 8, reduction=True)
total, terms = TensorOperand("c", hl.Int(32), ("i",)), TensorOperand("a", hl.Int(32), ("k", "i"))
sum_of_terms = Add(Variable(hl.Int(32), "c"), Variable(hl.Int(32), "a"))
declare(TensorIntrinsic("sums", (i, k), total, (terms,), sum_of_terms, "", None, ("no such feature",)))

EXAMPLES: dict[str, Callable[[Program], Any]] = {
    "AlignBounds": lambda s: s.g.align_bounds(x, 8, 3),
    "AlignExtent": lambda s: s.g.align_extent(x, s.p * 2),
    "AlignStorage": lambda s: s.g.align_storage(x, 16),
    "AllowRaces": lambda s: s.update.allow_race_conditions(),
    "Async": lambda s: s.g.async_(),
    "Atomic": lambda s: s.update.atomic(True),
    "Bound": lambda s: s.g.bound(x, 0, 64).bound_extent(y, s.p + 1),
    "BoundStorage": lambda s: s.g.bound_storage(x, 512),
    "ComputeAt": lambda s: s.f.compute_at(hl.LoopLevel(s.g, y, 1)),
    "ComputeWith": lambda s: s.h.compute_with(s.g, y, [(y, hl.LoopAlignStrategy.AlignEnd)]),
    "DebugToFile": lambda s: s.g.debug_to_file("g.npy"),
    "Estimate": lambda s: s.g.set_estimate(x, 0, 1000),
    "ExpectBounds": lambda s: s.out.expect_bounds(x, 0, 640),
    "FoldStorage": lambda s: s.g.fold_storage(y, 4, False),
    "Fuse": lambda s: s.g.fuse(x, y, t),
    "HoistStorage": lambda s: s.f.compute_at(s.update, x).hoist_storage_root(),
    "Mark": lambda s: s.g.vectorize(x, 8).parallel(y),
    "Memoize": lambda s: s.g.memoize(hl.EvictionKey(s.p)),
    "PartitionLoop": lambda s: s.g.never_partition(x),
    "Prefetch": lambda s: s.update.prefetch(s.f, x, y, 2, hl.PrefetchBoundStrategy.Clamp),
    "Rename": lambda s: s.g.rename(x, t),
    "Reorder": lambda s: s.update.reorder(s.r.y, s.r.x, x),
    "ReorderStorage": lambda s: s.g.reorder_storage(y, x),
    "Rfactor": lambda s: s.update.rfactor(s.r.x, u),
    "RingBuffer": lambda s: s.f.compute_at(s.update, x).hoist_storage(s.update, y).ring_buffer(2),
    "SingleThread": lambda s: s.g.gpu_single_thread(),
    "Specialize": lambda s: s.g.specialize((s.p == 4) & (s.p > 1)).vectorize(x, 4),
    "SpecializeFail": lambda s: s.g.specialize_fail("it's not there"),
    "Split": lambda s: s.update.split(s.r.x, hl.RVar("ro"), hl.RVar("ri"), s.p),
    "StoreAt": lambda s: s.f.store_at(s.g.update(0), y).compute_at(s.g.update(0), x),
    "StoreIn": lambda s: s.g.store_in(hl.MemoryType.Heap),
    "StreamStores": lambda s: s.out.stream_stores(False),
    "Tensorize": lambda s: s.update.split(x, xo, xi, 4).reorder(s.r.x, xi, s.r.y).tensorize([xi, s.r.x], "sums"),
    "TileStorage": lambda s: s.g.tile_storage(x, 8),
    "Trace": lambda s: s.g.trace_stores().trace_loads(),
    "TraceTag": lambda s: s.g.add_trace_tag("a 'tag'"),
    "Unscheduled": lambda s: s.update.unscheduled(),
}


def example(kind: str) -> tuple[Program, Schedule, Directive]:
    """A program with the example of a directive, its schedule, and the directive."""
    assert kind in EXAMPLES, f"tests/schedule/test_every_directive.py has no example of {kind}"
    program = Program()
    EXAMPLES[kind](program)
    schedule = program.schedule()
    result = [directive for directive in schedule.directives if type(directive).__name__ == kind]
    assert result, f"the example of {kind} does not use it"
    return program, schedule, result[0]


def test_the_examples_are_of_directives_that_exist() -> None:
    assert set(EXAMPLES) <= set(DIRECTIVES)


every_directive = pytest.mark.parametrize("kind", sorted(DIRECTIVES))


@every_directive
def test_it_is_declared_completely(kind: str) -> None:
    declared = DIRECTIVES[kind]
    assert declared.__doc__ and issubclass(declared, StageDirective | FuncDirective)
    methods = {*dir(hl.Func), *dir(hl.Stage)}
    assert not declared.METHOD or declared.METHOD in methods, f"users have no method {declared.METHOD}"
    assert declared.METHOD or "to_call" in vars(declared)


@every_directive
def test_it_is_checked_and_applied(kind: str) -> None:
    program, schedule, _ = example(kind)
    definition, _ = freeze([program.out.function])
    assert apply_schedule(definition, schedule) == schedule
    unknown = schedule.directives[-1].renamed(Renaming(lambda name: "nobody"))
    with pytest.raises(ScheduleError, match='directives for Func "nobody", which is not part of this pipeline'):
        apply_schedule(definition, Schedule((unknown,)))


@every_directive
def test_it_is_a_value(kind: str) -> None:
    _, schedule, directive = example(kind)
    second = pickle.loads(pickle.dumps(directive))
    assert second == directive and hash(second) == hash(directive) and repr(second) == repr(directive)
    assert pickle.loads(pickle.dumps(schedule)) == schedule and copy.deepcopy(schedule) == schedule
    other = directive.renamed(Renaming(lambda name: f"{name}_"))
    assert other != directive and other.renamed(Renaming(lambda name: name[:-1])) == directive
    assert directive.renamed(Renaming()) is directive
    with pytest.raises(AttributeError, match="cannot assign to field"):
        setattr(directive, next(iter(directive.FIELDS)), None)


@every_directive
def test_json_reads_back_as_the_same(kind: str) -> None:
    _, schedule, _ = example(kind)
    assert Schedule.from_json(schedule.to_json()) == schedule


@every_directive
def test_damaged_json_is_refused(kind: str) -> None:
    _, schedule, directive = example(kind)
    data = json.loads(schedule.to_json())
    at = next(n for n, item in enumerate(data["directives"]) if item["do"] == kind)
    for field in directive.FIELDS:
        for wrong in (None, {}, 1.5, [[]], [1, 2], -1 << 40, "\ud800", {"do": kind}):
            damaged = copy.deepcopy(data)
            damaged["directives"][at][field] = wrong
            if wrong is None and (kind, field) in (("Bound", "minimum"), ("Memoize", "eviction")):
                continue
            with pytest.raises(ScheduleError, match=f"can't be read: .*{kind}"):
                Schedule.from_json(json.dumps(damaged))
    for damaged in ({"do": kind}, {**data["directives"][at], "more": 1}):
        with pytest.raises(ScheduleError, match="can't be read"):
            Schedule.from_json(json.dumps({**data, "directives": [damaged]}))


def without_schedules(program: Program) -> dict[str, Any]:
    functions = program.functions()
    for function in functions.values():
        function.schedule = Schedule()
        function.deferred.clear()
    return functions


@every_directive
def test_it_is_replayed(kind: str) -> None:
    program, schedule, _ = example(kind)
    functions = without_schedules(program)
    for directive in schedule.directives:
        replay(directive, functions)
    assert program.schedule() == schedule


def plain(schedule: Schedule, renaming: Renaming) -> list[Directive]:
    """Those of a stage in order; the order of those of Funcs of several kinds has no meaning."""
    directives = [directive.renamed(renaming) for directive in schedule.directives]
    return sorted(directives, key=lambda d: f"{d.owner} {type(d).__name__}" if isinstance(d, FuncDirective) else "")


@every_directive
def test_python_text_gives_it_again(kind: str) -> None:
    program, schedule, directive = example(kind)
    # Another directive after it shows whether calls may be chained.
    later = program.h if directive.owner == program.h.name() else program.g
    (later.store_in if isinstance(directive, FuncDirective) else later.allow_race_conditions)(
        *[hl.MemoryType.Heap] * isinstance(directive, FuncDirective)
    )
    schedule = program.schedule()
    fresh = Program()
    for func in (fresh.g, fresh.h):
        func.function.schedule = Schedule()
    old = [func.name() for func in (program.f, program.g, program.h, program.out)]
    words = python_names([*old, *[name for name in schedule.funcs() if name not in old]])
    live = dict(zip(old, (fresh.f, fresh.g, fresh.h, fresh.out), strict=True))
    scope = {words[name]: func for name, func in live.items()}
    text = schedule.to_python()
    exec(text, {"hl": hl, "p": fresh.p, **scope})
    names = {name: func.name() for name, func in live.items()}
    names |= {d.intermediate: f"{names[d.owner]}_intm" for d in schedule.directives if hasattr(d, "intermediate")}

    number = Renaming(lambda name: re.sub(r"_intm\$\d+", "_intm", name))
    expected = plain(schedule, Renaming(lambda name: names.get(name, name)))
    assert plain(fresh.schedule(), number) == expected, text


@every_directive
def test_it_applies_to_a_pipeline_that_is_built_anew(kind: str) -> None:
    _, schedule, _ = example(kind)
    fresh = Program()
    fresh.out.apply_schedule(hl.Schedule.from_json(schedule.to_json()))
    number = Renaming(lambda name: re.sub(r"\$\d+", "", name))
    assert plain(fresh.schedule(), number) == plain(schedule, number)


@every_directive
def test_a_serialized_pipeline_has_it(kind: str) -> None:
    program, schedule, _ = example(kind)
    (second,) = hl.deserialize_pipeline(hl.serialize_pipeline(hl.Pipeline(program.out))).outputs()
    result = schedule_of([second.function])
    number = Renaming(lambda name: re.sub(r"\$\d+", "", name))
    assert [d.renamed(number) for d in result.directives] == [d.renamed(number) for d in schedule.directives]
