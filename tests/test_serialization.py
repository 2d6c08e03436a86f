"""Serialized pipelines: they come back with the same pixels and schedule; other data are refused."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import schedule_of

A = np.random.default_rng(1).integers(0, 255, (20, 30)).astype(np.uint8)


@pytest.fixture(scope="module")
def pair():
    """A pipeline with most that definitions and schedules may hold, and its result."""
    x, y, xo, yo, xi, yi = hl.vars("x y xo yo xi yi")
    image, factor = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.Int(32), "factor", 3)
    factor.set_range(0, 10)
    image.dim(1).set_estimate(0, 20)
    table = hl.Buffer(np.linspace(0, 1, 512, dtype=np.float32).reshape(2, 256)[:, ::-1])
    table.set_min([0, 1])
    histogram, g, f = hl.funcs("histogram g f")
    r = hl.RDom([(0, image.width()), (0, image.height())], "r")
    r.where(image[r.x, r.y] > 10)
    histogram[x] = 0
    histogram[hl.i32(image[r.x, r.y])] += 1
    left = image[hl.clamp(x - 1, 0, image.width() - 1), y]
    g[x, y] = hl.i32(left) * factor + histogram[hl.i32(image[x, y])]
    f[x, y] = (hl.sqrt(hl.f32(g[x, y])) + table[hl.i32(image[x, y]), 2], hl.u8_sat(g[x, y] >> 1))
    f.tile(x, y, xo, yo, xi, yi, 16, 8).vectorize(xi, 8).parallel(yo)
    g.compute_at(f, yo).vectorize(x, 8).align_storage(x, 16)
    histogram.compute_root().update().reorder(r.y, r.x)
    f.output_buffer().dim(0).set_min(0)
    pipeline = hl.Pipeline(f)
    pipeline.add_requirement(factor < 9, "the factor is", factor)
    image.set(hl.Buffer(A))
    return pipeline, [np.array(buffer) for buffer in pipeline.realize([30, 20])]


def test_the_pixels_are_the_same(pair, tmp_path):
    pipeline, expected = pair
    data, parameters = hl.serialize_pipeline(pipeline, get_params=True)
    assert sorted(parameters) == ["factor", "image"]
    assert hl.serialize_pipeline(pipeline, tmp_path / "it") is None and (tmp_path / "it").read_bytes() == data
    for source in (data, tmp_path / "it", str(tmp_path / "it")):
        second = hl.deserialize_pipeline(source, parameters)
        for result, target_value in zip(second.realize([30, 20]), expected, strict=True):
            np.testing.assert_array_equal(result, target_value)


def test_demands_and_schedule_come_back(pair):
    pipeline, _ = pair
    data = hl.serialize_pipeline(pipeline)
    parameters = hl.deserialize_parameters(data)
    assert {name: (p.name(), p.type()) for name, p in parameters.items()} == {
        "image": ("image", hl.UInt(8)),
        "factor": ("factor", hl.Int(32)),
    }
    second = hl.deserialize_pipeline(data)
    loops = schedule_of([func.function for func in pipeline.outputs()])
    loops_read = schedule_of([func.function for func in second.outputs()])
    assert list(map(type, loops_read.directives)) == list(map(type, loops.directives))
    assert sorted(hl.serialize_pipeline(second, get_params=True)[1]) == ["factor", "image"]
    parameters["factor"].set_scalar(9)
    parameters["image"].set_buffer(hl.Buffer(A))
    with pytest.raises(hl.HalideError, match=r"Requirement Failed: \(false\) the factor is 9"):
        hl.deserialize_pipeline(data, parameters).realize([30, 20])


def test_another_process_computes_the_same(pair, tmp_path):
    pipeline, expected = pair
    hl.serialize_pipeline(pipeline, tmp_path / "it")
    np.save(tmp_path / "image.npy", A)
    program = (
        "import sys, numpy as np, pipec as hl\n"
        "p = hl.deserialize_parameters(sys.argv[1])\n"
        "p['factor'].set_scalar(3); p['image'].set_buffer(hl.Buffer(np.load(sys.argv[2])))\n"
        "found = hl.deserialize_pipeline(sys.argv[1], p).realize([30, 20])\n"
        "print(found[0].type(), int(np.asarray(found[1]).sum(dtype=np.int64)))\n"
    )
    command = [sys.executable, "-c", program, tmp_path / "it", tmp_path / "image.npy"]
    root = Path(__file__).parent.parent
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout == f"float32 {int(expected[1].sum(dtype=np.int64))}\n"


def test_other_parameters_must_fit(pair):
    data = hl.serialize_pipeline(pair[0])
    for wrong in (hl.Param(hl.Int(16), "factor"), hl.ImageParam(hl.Int(32), 1, "factor"), hl.Param(hl.Int(32), "f2")):
        with pytest.raises(hl.HalideError, match="The Parameter given for factor"):
            hl.deserialize_pipeline(data, {"factor": wrong.parameter()})
    with pytest.raises(TypeError, match="incompatible function arguments"):
        hl.deserialize_pipeline(data, {"factor": 3})


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"\xff\x00", b"[1]", b"null", b'{"format": "pipec pipeline", "version": 99}', b"[" * 100_000]
)
def test_other_data_are_refused(data):
    with pytest.raises(hl.HalideError):
        hl.deserialize_pipeline(data)


def test_a_missing_file_is_reported():
    with pytest.raises(hl.HalideError, match="Cannot read the serialized pipeline /nowhere"):
        hl.deserialize_pipeline("/nowhere")


def _mutated(value, at, generator):
    """The data with the value number `at` (in order of reading) replaced; how many there are."""
    count = [0]

    def visit(item):
        current = count[0]
        count[0] += 1
        if current == at:
            return generator.choice([None, -1, 1 << 40, "x", [], {}, 0.5, True, "Add", [0, 1]])
        if isinstance(item, list):
            return [visit(part) for part in item]
        if isinstance(item, dict):
            return {key: visit(part) for key, part in item.items()}
        return item

    return visit(value), count[0]


def test_damaged_data_raise_errors_of_their_own(pair):
    content = json.loads(hl.serialize_pipeline(pair[0]))
    generator = random.Random(5)
    _, count = _mutated(content, -1, generator)
    for _ in range(400):
        damaged, _ = _mutated(content, generator.randrange(count), generator)
        try:
            second = hl.deserialize_pipeline(json.dumps(damaged).encode())
            hl.serialize_pipeline(second)
        except hl.HalideError:
            continue


def test_what_a_pipeline_tells_comes_back(capsys):
    x, image = hl.Var("x"), hl.ImageParam(hl.UInt(8), 1, "talked_of")
    f, g = hl.Func("telling"), hl.Func("telling_g")
    g[x] = hl.print_when(x > 0, hl.i32(image[x]), "3 is no node", x)
    f[x] = hl.require(g[x] < 9, g[x], "too large", x)
    g.compute_root().trace_stores().add_trace_tag("words")
    image.trace_loads()
    image.set(hl.Buffer(np.arange(3, dtype=np.uint8)))
    f.realize([3])
    expected = capsys.readouterr().out
    data = hl.serialize_pipeline(hl.Pipeline(f))
    assert hl.deserialize_parameters(data)["talked_of"].traced
    hl.deserialize_pipeline(data, {"talked_of": image.parameter()}).realize([3])
    # The Funcs that come back have other names.
    assert re.sub(r"[$_]\d+", "", capsys.readouterr().out) == expected and "3 is no node 1" in expected
