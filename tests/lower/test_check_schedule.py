"""Places that are illegal in the whole pipeline, in Halide's words, with the legal places and the uses."""

from __future__ import annotations

import re
from typing import Any

import pytest

import pipec as hl
from pipec.errors import ScheduleError
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.lower.legality.check_schedule import check_schedule
from pipec.lower.legality.schedule_warnings import schedule_warnings
from pipec.schedule.fields import ROOT, StageRef
from pipec.schedule.loops import Unscheduled
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Schedule

x, y, xi, z = [hl.Var(name) for name in ("x", "y", "xi", "z")]


def chain() -> tuple[Any, Any, Any]:
    """h reads g and f, g reads f twice."""
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x, y] = x + y
    g[x, y] = f[x, y] + f[x + 1, y]
    h[x, y] = g[x, y] + f[x, y]
    return f, g, h


def refusal(*outputs: Any) -> str:
    """The error for the schedule of the outputs, without the numbers of repeated names."""
    functions = [output.function for output in outputs]
    with pytest.raises(ScheduleError) as caught:
        check_schedule(freeze(functions)[0], schedule_of(functions))
    text = re.sub(r"\$\d+", "", str(caught.value))
    assert "test_check_schedule.py:" in text
    return text


def accept(*outputs: Any) -> None:
    functions = [output.function for output in outputs]
    check_schedule(freeze(functions)[0], schedule_of(functions))


def test_a_loop_that_does_not_enclose_all_uses() -> None:
    f, g, h = chain()
    g.compute_root()
    f.compute_at(g, y)
    assert refusal(h).startswith(
        'Error: Func "f" is computed at the following invalid location:\n'
        "  f.compute_at(g, y);\n"
        "Legal locations for this function are:\n"
        "  f.compute_root();\n"
        '"f" is used in the following places:\n'
        " for h.s0.y:\n"
        "  for h.s0.x:\n"
        "   h uses f\n"
        " for g.s0.y:\n"
        "  for g.s0.x:\n"
        "   g uses f\n"
    )


LEGAL_IN_H = (
    "Legal locations for this function are:\n"
    "  f.compute_root();\n"
    "  f.compute_at(h, Var::outermost());\n"
    "  f.compute_at(h, y);\n"
    "  f.compute_at(h, x);\n"
)


def test_a_loop_that_does_not_exist() -> None:
    f, _, h = chain()
    f.compute_at(h, z)
    text = refusal(h)
    assert "  f.compute_at(h, z);\nh has no loop z; its loops are: x y.\n" + LEGAL_IN_H in text


def test_a_loop_of_an_inlined_func() -> None:
    f, g, h = chain()
    f.compute_at(g, x)
    text = refusal(h)
    assert "g is inlined, so it has no loops" in text and LEGAL_IN_H in text


def test_a_loop_of_a_func_that_is_not_there() -> None:
    f, _, h = chain()
    k = hl.Func("k")
    k[x] = x
    f.compute_at(k, x)
    text = refusal(h)
    assert "k is not part of this pipeline" in text and LEGAL_IN_H in text


def test_store_without_compute() -> None:
    f, _, h = chain()
    f.store_at(h, x)
    assert (
        'Func "f" is scheduled store_at(), but is inlined. Funcs that use store_at must also call compute_at.'
    ) in refusal(h)
    f, _, h = chain()
    f.store_root()
    assert (
        'Func "f" is scheduled store_root(), but is inlined. Funcs that use store_root must also call compute_root or '
        "compute_at."
    ) in refusal(h)


def test_store_inside_compute() -> None:
    f, _, h = chain()
    f.store_at(h, y).compute_root()
    text = refusal(h)
    assert "  f.store_at(h, y).compute_root();\n" in text and LEGAL_IN_H in text
    f, _, h = chain()
    f.store_at(h, x).compute_at(h, y)
    assert "  f.store_at(h, x).compute_at(h, y);\n" + LEGAL_IN_H in refusal(h)


def test_storage_shared_by_parallel_iterations() -> None:
    f, _, h = chain()
    h.parallel(y)
    f.store_root().compute_at(h, y)
    text = refusal(h)
    assert (
        'Func "f" is stored outside the parallel/vectorized/gpu_block loop over h.y but computed within it. This is a '
        "potential race condition.\n"
    ) in text
    assert "  f.store_root().compute_at(h, y);\n" + LEGAL_IN_H in text
    f, _, h = chain()
    h.split(x, x, xi, 8).vectorize(xi)
    f.store_at(h, x).compute_at(h, xi)
    assert "loop over h.xi but computed within it" in refusal(h)


def test_storage_inside_a_parallel_loop() -> None:
    f, _, h = chain()
    h.tile(x, y, x, y, xi, z, 8, 8).parallel(y)
    f.store_at(h, y).compute_at(h, z)
    accept(h)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (lambda f: f.vectorize(x, 8), "Cannot vectorize dimension x.v of function f because the function is scheduled"),
        (
            lambda f: f.parallel(y),
            "Cannot parallelize dimension y of function f because the function is scheduled inline.",
        ),
        (lambda f: f.unroll(y), "Cannot unroll dimension y of function f because the function is scheduled inline."),
    ],
)
def test_loops_of_an_inlined_func(action: Any, words: str) -> None:
    f, _, h = chain()
    action(f)
    text = refusal(h)
    assert words in text and "f.compute_root()" in text


def test_harmless_on_an_inlined_func() -> None:
    f, _, h = chain()
    f.split(x, x, xi, 8).reorder(y, x).reorder_storage(y, x)
    accept(h)


def test_producers_inside_one_another() -> None:
    f, g, h = chain()
    g.compute_at(f, x)
    f.compute_at(g, x)
    assert '"g" is computed at the following invalid location' in refusal(h).replace("Func ", "")
    f, g, h = chain()
    f.compute_root()
    g.compute_at(f, x)
    assert "  g.compute_at(f, x);\n" in refusal(h)


def test_nested_places() -> None:
    f, g, h = chain()
    k = hl.Func("k")
    k[x, y] = h[x, y] + 1
    h.compute_at(k, y)
    g.compute_at(h, y)
    f.compute_at(h, y)
    accept(k)


def test_a_use_beside_the_nested_place() -> None:
    f, g, h = chain()
    k = hl.Func("k")
    k[x, y] = h[x, y] + f[x, y]
    h.compute_at(k, y)
    g.compute_at(h, y)
    f.compute_at(h, y)
    text = refusal(k)
    assert (
        "Legal locations for this function are:\n"
        "  f.compute_root();\n"
        "  f.compute_at(k, Var::outermost());\n"
        "  f.compute_at(k, y);\n"
        '"f" is used in the following places:\n'
        " for k.s0.y:\n"
        "  for k.s0.x:\n"
        "   k uses f\n"
        "  for h.s0.y:\n"
        "   for h.s0.x:\n"
        "    h uses f\n"
        "   for g.s0.y:\n"
        "    for g.s0.x:\n"
        "     g uses f\n"
    ) in text


def test_uses_in_several_stages() -> None:
    f, h = hl.Func("f"), hl.Func("h")
    f[x] = x
    h[x] = f[x]
    r = hl.RDom([(0, 10)], "r")
    h[x] += f[x + r]
    f.compute_at(h, x)
    accept(h)
    f.compute_at(h, r.x)
    assert '  f.compute_root();\n  f.compute_at(h, Var::outermost());\n  f.compute_at(h, x);\n"f" is' in refusal(h)


def test_uses_through_inlined_funcs() -> None:
    f, g, h = chain()
    k = hl.Func("k")
    k[x, y] = g[x, y]
    g.compute_inline()
    f.compute_at(k, y)
    accept(k)


def test_outputs() -> None:
    f, g, h = chain()
    g.compute_at(h, y)
    accept(g)
    assert "g\" is an output of this pipeline, so it can't be computed at h.y" in refusal(g, h)


def test_directives_for_strangers() -> None:
    _, _, h = chain()
    definition, _ = freeze([h.function])
    with pytest.raises(ScheduleError, match='"q", which is not part of this pipeline. Its Funcs are: '):
        check_schedule(definition, Schedule((ComputeAt("q", ROOT),)))
    with pytest.raises(ScheduleError, match="has 0 update definitions"):
        check_schedule(definition, Schedule((Unscheduled(StageRef(h.name(), 1)),)))


def warnings(output: Any) -> list[str]:
    result = schedule_warnings(freeze([output.function])[0], schedule_of([output.function]))
    return [re.sub(r"\$\d+", "", text) for text in result]


def test_warnings_of_bounds_without_effect() -> None:
    f, _, h = chain()
    f.bound(x, 0, 128).align_bounds(y, 8, 1)
    assert warnings(h) == [
        "It is meaningless to bound dimension x of function f to be within [0, 128] because the function is scheduled "
        "inline.",
        "It is meaningless to align the bounds of dimension y of function f to have modulus/remainder [8, 1] because "
        "the function is scheduled inline.",
    ]
    f.compute_root()
    assert warnings(h) == []


def test_warnings_of_bounds_that_are_replaced() -> None:
    f, _, h = chain()
    f.compute_root().bound_extent(x, 3).bound_extent(y, 8)
    assert warnings(h) == []
    f.bound_extent(x, 4).bound(y, 0, 8)
    replaced = "The bound of dimension x of function f, extent 3, is replaced by a later one, extent 4. Bound it once."
    assert warnings(h) == [replaced]
    f.bound(y, 4, 8)
    second = "The bound of dimension y of function f, [0, 8], is replaced by a later one, [4, 8]. Bound it once."
    assert warnings(h) == [replaced, second]


def test_an_extent_keeps_the_minimum_of_an_earlier_bound() -> None:
    f, _, h = chain()
    f.compute_root().bound(x, -2, 8).bound_extent(x, 8)
    assert warnings(h) == []
    with pytest.raises(hl.HalideError, match="from -2 to 5"):
        h.realize([32, 4])


def test_warnings_of_forgotten_updates() -> None:
    f = hl.Func("f")
    f[x] = x
    f[x] += 1
    f[x] += 2
    f.compute_root()
    assert warnings(f) == []
    f.vectorize(x, 4)
    f.update(1).unscheduled()
    assert warnings(f) == [
        "Update definition 0 of function f has not been scheduled, even though some other definitions have been. You "
        "may have forgotten to schedule it. If this was intentional, call f.update(0).unscheduled() to suppress this "
        "warning."
    ]
