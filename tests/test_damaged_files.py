"""Files that are damaged, or that somebody made up: every reader takes them or raises a HalideError."""

from __future__ import annotations

import gc
import json
import lzma
import pickle
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.network import SHIPPED, Weights
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space import state_text
from pipec.autoschedule.train import archive
from pipec.autoschedule.train.archive import Measured
from pipec.func.functions.freeze import schedule_of
from pipec.schedule.schedule import Schedule
from tests import mutations

COUNT = 300


def survive(read: Callable[[Any], object], damaged: Iterable[Any], least: int = 3) -> None:
    """Reads each file; whatever is raised must be a HalideError that says something. So many are taken, and refused."""
    chosen = refused = 0
    for data in damaged:
        try:
            read(data)
            chosen += 1
        except hl.HalideError as error:
            assert len(str(error)) > 20
            refused += 1
    assert chosen >= least and refused > 2, f"{chosen} taken, {refused} refused: the damage should be of both kinds"


def pipeline() -> hl.Pipeline:
    x, y, xo, yo, xi, yi, u = hl.vars("x y xo yo xi yi u")
    image, factor = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.Int(32), "factor", 3)
    table = hl.Buffer(np.arange(8, dtype=np.float32))
    histogram, g, f = hl.funcs("histogram g f")
    r = hl.RDom([(0, image.width()), (0, image.height())], "r")
    histogram[x] = 0
    histogram[hl.i32(image[r.x, r.y])] += 1
    g[x, y] = hl.i32(image[x, y]) * factor + histogram[x]
    f[x, y] = hl.print_when(x > 9, g[x, y] + hl.i32(table[y % 8]), "at", x)
    f.tile(x, y, xo, yo, xi, yi, 16, 8).vectorize(xi, 8).parallel(yo).specialize(factor > 2).unroll(yi)
    f.bound(x, 0, 64).set_estimate(y, 0, 32).prefetch(image, yo, yo, 2)
    g.compute_at(f, yo).store_root().fold_storage(y, 16).align_storage(x, 16).store_in(hl.MemoryType.Heap)
    histogram.compute_root().update().reorder(r.y, r.x)
    total = histogram.update().rfactor(r.y, u)
    total.compute_root().update().atomic().parallel(u)
    return hl.Pipeline(f)


def blur() -> hl.Pipeline:
    x, y = hl.vars("x y")
    image, a, b = hl.ImageParam(hl.UInt(16), 2, "image"), hl.Func("a"), hl.Func("b")
    a[x, y] = (image[x, y] + image[x + 1, y] + image[x + 2, y]) / 3
    b[x, y] = (a[x, y] + a[x, y + 1] + a[x, y + 2]) / 3
    b.set_estimates([(0, 128), (0, 128)])
    return hl.Pipeline(b)


def test_schedules() -> None:
    whole = schedule_of([func.function for func in pipeline().outputs()]).to_json()

    def read(text: str) -> None:
        schedule = Schedule.from_json(text)
        assert Schedule.from_json(schedule.to_json()).to_json() == schedule.to_json()
        schedule.to_python()

    read(whole)
    survive(read, mutations.of_json(whole, COUNT))


def test_saved_schedules(tmp_path: Path) -> None:
    path = tmp_path / "schedule"
    blur().autoschedule(strategy="fallback").save(path)
    whole = path.read_text()

    def read(text: str) -> None:
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        hl.load_schedule(path).apply(blur())

    read(whole)
    survive(read, mutations.of_json(whole, COUNT))


def test_pipelines() -> None:
    whole = hl.serialize_pipeline(pipeline())

    def read(data: bytes) -> None:
        hl.serialize_pipeline(hl.deserialize_pipeline(data))
        hl.deserialize_parameters(data)

    read(whole)
    texts = mutations.of_json(whole.decode(), COUNT)
    survive(read, [text.encode("utf-8", "surrogatepass") for text in texts])
    survive(read, mutations.of_bytes(whole, COUNT), least=0)


def test_pipelines_without_outputs_are_neither_written_nor_read() -> None:
    with pytest.raises(hl.HalideError, match="Pipeline is undefined"):
        hl.serialize_pipeline(hl.Pipeline())
    data = json.loads(hl.serialize_pipeline(blur()))
    data["outputs"], data["schedule"] = [], []
    with pytest.raises(hl.HalideError, match="it has no outputs"):
        hl.deserialize_pipeline(json.dumps(data).encode())


def test_states_of_the_search() -> None:
    problem = problem_of([func.function for func in blur().outputs()])
    whole = state_text.to_json(problem.start())

    def read(text: str) -> None:
        state = state_text.from_json(text)
        if not state_text.malformed(problem.dag, state):
            problem.space.problems(state)

    read(whole)
    survive(read, mutations.of_json(whole, COUNT))


def test_archives_of_measured_schedules(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    measured = [Measured("random-1-2", "here", 2, "round 1", "{}", 0.25), Measured("other", "here", 1, "", "{}", 1.0)]
    archive.write(measured, {"here": MachineModel()}, path)
    whole = path.read_bytes()
    lines = json.dumps([json.loads(line) for line in lzma.decompress(whole).splitlines()])

    def read(data: bytes) -> None:
        path.write_bytes(data)
        archive.machines_in(path)
        list(archive.read(path))

    read(whole)
    survive(read, mutations.of_bytes(whole, COUNT), least=0)
    texts = ["\n".join(_lines(text)) for text in mutations.of_json(lines, COUNT)]
    survive(read, [lzma.compress(text.encode(), preset=0) for text in texts])


def _lines(text: str) -> list[str]:
    """The items of a JSON list, a line for each; the text itself when it is none."""
    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        return [text]
    return [json.dumps(item) for item in result] if isinstance(result, list) else [text]


def test_weights(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    whole = SHIPPED.read_bytes()

    def read(data: bytes) -> None:
        path.write_bytes(data)
        Weights.load(path)

    read(whole)
    survive(read, mutations.of_bytes(whole, COUNT), least=0)
    with np.load(SHIPPED) as file:
        parts = dict(file)
    for name, value in parts.items():
        for other in (None, value[:1], value.astype(object), np.zeros(0), np.full(value.shape, np.nan)):
            changed = {key: part for key, part in (parts | {name: other}).items() if part is not None}
            np.savez(path, **changed)
            with pytest.raises(hl.HalideError):
                Weights.load(path)


def test_no_weights_are_unpickled(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[Any, ...]:
            return open, (str(tmp_path / "made"), "w")

    for data in (pickle.dumps(Bomb()), None):
        if data is None:
            np.savez(tmp_path / "weights.npz", features=np.array([Bomb()], object))
        else:
            (tmp_path / "weights.npz").write_bytes(data)
        with pytest.raises(hl.HalideError, match="cannot be read as weights"):
            Weights.load(tmp_path / "weights.npz")
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("suffix", ["png", "jpg", "bmp"])
@pytest.mark.part(2)
def test_images(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # PyAV's reader, which imageio asks after all others, collects garbage at every file: most of the time of this test.
    monkeypatch.setattr(gc, "collect", lambda: 0)
    path = tmp_path / f"image.{suffix}"
    hl.imageio.imwrite(path, np.arange(3 * 9 * 8, dtype=np.uint8).reshape(3, 9, 8))

    def read(data: bytes) -> None:
        path.write_bytes(data)
        hl.imageio.imread(path)

    whole = path.read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        survive(read, mutations.of_bytes(whole, COUNT))


def test_a_saved_schedule_writes_no_files(tmp_path: Path) -> None:
    path = tmp_path / "schedule"
    blur().autoschedule(strategy="fallback").save(path)
    data = json.loads(path.read_text())
    data["schedule"]["directives"].append({"do": "DebugToFile", "func": "a", "path": "/etc/a.npy"})
    path.write_text(json.dumps(data))
    with pytest.raises(hl.HalideError, match="would write the file '/etc/a.npy'"):
        hl.load_schedule(path)


def test_a_pipeline_calls_only_c_functions_that_are_allowed() -> None:
    x, y = hl.vars("x y")
    inner, outer = hl.funcs("inner outer")
    inner[x, y] = x + y
    outer.define_extern("system", [inner], hl.Int(32), [x, y])
    inner.compute_root()
    data = hl.serialize_pipeline(hl.Pipeline(outer))
    for allowed in ((), ("puts", "system2")):
        with pytest.raises(hl.HalideError, match=r"calls the C function system .* extern_functions=\['system'\]"):
            hl.deserialize_pipeline(data, extern_functions=allowed)
    second = hl.deserialize_pipeline(data, extern_functions=["system"])
    assert second.outputs()[0].extern_function_name() == "system"
    assert hl.deserialize_parameters(data) == {}


def test_stages_that_call_function_pointers_are_not_serialized() -> None:
    x, outer = hl.Var("x"), hl.Func("outer")

    class Pointer:
        address = 1

    outer.define_extern(Pointer(), [], hl.Int(32), [x])
    with pytest.raises(hl.NotSupportedError, match="Give define_extern the function's name"):
        hl.serialize_pipeline(hl.Pipeline(outer))


def test_names_in_a_schedule_put_no_calls_into_its_python_text() -> None:
    evil = 'x");__import__("os").abort();("'
    data = {
        "format": "pipec schedule",
        "version": 1,
        "directives": [
            {"do": "Fuse", "stage": ["f", 0], "inner": evil, "outer": "y", "fused": evil},
            {"do": "TraceTag", "func": "f", "tag": evil},
        ],
    }
    text = Schedule.from_json(json.dumps(data)).to_python()
    calls: list[Any] = []

    class Recorder:
        def __getattr__(self, name: str) -> Any:
            return lambda *args: calls.append((name, *args)) or [self, self]

    exec(text, {"hl": Recorder(), "f": Recorder(), "__builtins__": {}})
    assert calls[0] == ("vars", f"{evil} y") and ("add_trace_tag", evil) in calls


@pytest.mark.parametrize("value", [1, True])
def test_numbers_that_are_equal_are_not_interchanged(value: object) -> None:
    """Nodes are interned by their fields: a damaged file must not put True in the place of every 1."""
    x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
    f[x] = (x, x + 1)
    g[x] = f[x][1]
    data = json.loads(hl.serialize_pipeline(hl.Pipeline(g)))
    (call,) = [node for node in data["nodes"] if node[0] == "FuncCall"]
    call[-1] = value
    if value is not True:
        hl.deserialize_pipeline(json.dumps(data).encode())
        return
    with pytest.raises(hl.HalideError, match="True is no value_index"):
        hl.deserialize_pipeline(json.dumps(data).encode())
