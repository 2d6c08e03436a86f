"""Custom handlers of prints, traces and errors: what they are given, and what becomes of what they raise."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import RequirementError

x, y = hl.vars("x y")


def printing(*, parallel: bool = False) -> hl.Func:
    f = hl.Func("f")
    f[x] = hl.print(x, "here")
    return f.parallel(x) if parallel else f


def test_the_print_handler_receives_the_texts(capsys: pytest.CaptureFixture[str]) -> None:
    f, reports = printing(), []
    f.set_custom_print(reports.append)
    f.realize([2])
    assert reports == ["0 here\n", "1 here\n"] and capsys.readouterr().out == ""
    f.set_custom_print(None)
    f.realize([1])
    assert capsys.readouterr().out == "0 here\n"


def test_a_callable_uses_the_handlers_of_its_func() -> None:
    f, reports = printing(), []
    f.set_custom_print(reports.append)
    f.compile_to_callable([])(np.zeros(2, np.int32))
    assert len(reports) == 2
    run, others = f.compile_to_callable([]), []
    run.set_custom_print(others.append)
    run(np.zeros(3, np.int32))
    assert len(reports) == 2 and len(others) == 3


@pytest.mark.parametrize("parallel", [False, True])
def test_what_a_handler_raises_comes_out_of_realize(parallel: bool) -> None:
    f = printing(parallel=parallel)
    reports = []

    def handler(text: str) -> None:
        reports.append(text)
        raise KeyError("no more")

    f.set_custom_print(handler)
    with pytest.raises(KeyError, match="no more"):
        f.realize([1000])
    assert len(reports) == 1
    f.set_custom_print(reports.append)
    f.realize([4])
    assert len(reports) == 5


def test_a_handler_may_run_a_pipeline() -> None:
    inner, outer, reports = printing(parallel=True), printing(parallel=True), []
    inner.set_custom_print(reports.append)
    outer.set_custom_print(lambda text: inner.realize([20]))
    outer.realize([20])
    assert len(reports) == 400


def test_the_error_handler_replaces_the_exception() -> None:
    f, reports = hl.Func("f"), []
    f[x] = hl.require(x < 2, x, "too far")
    f.set_error_handler(reports.append)
    f.realize([4])
    assert reports == ["Error: Requirement Failed: (false) 2 too far"]

    def refuse(text: str) -> None:
        raise ValueError(text)

    f.set_error_handler(refuse)
    with pytest.raises(ValueError, match="too far"):
        f.realize([4])
    f.set_error_handler(None)
    with pytest.raises(RequirementError):
        f.realize([4])


def test_the_trace_handler_receives_events() -> None:
    g, f, events = hl.Func("g"), hl.Func("f"), []
    g[x] = hl.f32(x) / 2
    f[x] = g[x] + g[x + 1]
    g.compute_root().trace_stores().trace_loads().trace_realizations()
    f.set_custom_trace(events.append)
    f.realize([1])
    kinds = [event.event.name for event in events if event.event is not hl.TraceEventKind.tag]
    assert kinds == [
        "begin_pipeline",
        "begin_realization",
        "produce",
        "store",
        "store",
        "end_produce",
        "consume",
        "load",
        "load",
        "end_consume",
        "end_realization",
        "end_pipeline",
    ]
    by_kind = {event.event.name: event for event in events}
    store, produce = by_kind["store"], by_kind["produce"]
    assert (store.func, store.coordinates, store.value, store.value_index) == (g.name(), (1,), 0.5, 0)
    assert store.type == hl.Float(32) and store.parent_id == produce.id and produce.coordinates == (0, 2)
    assert by_kind["load"].parent_id == by_kind["consume"].id
    assert produce.parent_id == by_kind["consume"].parent_id == by_kind["begin_realization"].id
    assert by_kind["begin_realization"].parent_id == by_kind["begin_pipeline"].id > 0


def test_vectors_are_one_event() -> None:
    f, events = hl.Func("f"), []
    f[x, y] = hl.u8(x + 10 * y)
    f.vectorize(x, 4).trace_stores()
    f.set_custom_trace(events.append)
    f.realize([4, 1])
    store = next(event for event in events if event.event is hl.TraceEventKind.store)
    assert store.coordinates == ((0, 1, 2, 3), (0, 0, 0, 0)) and store.value == (0, 1, 2, 3)
    assert store.type == hl.UInt(8, 4)


def test_handlers_must_be_functions() -> None:
    with pytest.raises(TypeError, match="A handler is a function or None"):
        printing().set_custom_print("nobody")
