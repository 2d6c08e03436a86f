"""HL_TRACE_FILE: events in files are those that Halide's runtime writes, to the byte."""

import struct
import subprocess
import sys
from pathlib import Path

import pytest

import pipec as hl
from pipec.errors import PipecError

PROGRAM = """
import sys
import numpy as np
hl = __import__(sys.argv[1])
x, y = hl.vars("x y")
f, g = hl.Func("f"), hl.Func("g")
im = hl.ImageParam(hl.UInt(8), 2, "im")
im.set(hl.Buffer(np.arange(20, dtype=np.uint8).reshape(4, 5)))
im.trace_loads()
f[x, y] = hl.f32(im[x, y]) * 2.5, hl.i16(y) - 3, hl.u64(x)
g[x, y] = hl.select(f[x, y][2] > 3, hl.f64(f[x, y][0]), hl.f64(f[x, y][1]))
f.compute_root().trace_stores().trace_loads().vectorize(x, 2, hl.TailStrategy.GuardWithIf)
g.trace_stores()
f.add_trace_tag("a tag")
if sys.argv[2] == "realizations":
    f.trace_realizations()
    g.trace_realizations()
g.realize([5, 4])
"""


def written(module: str, what: str, folder: Path) -> list[tuple[object, ...]]:
    """The packets of a traced run: their numbers but for sizes, the coordinates, values, names and tags."""
    file = folder / module
    environment = {"HL_TRACE_FILE": str(file), "PATH": "", "HL_NUM_THREADS": "1"}
    command = [sys.executable, "-c", PROGRAM, module, what]
    printed = subprocess.run(
        command, env=environment, check=True, capture_output=True, cwd=Path(hl.__file__).parents[1]
    )
    assert printed.stdout == b""
    data, packets = file.read_bytes(), []
    while data:
        size, *numbers = struct.unpack_from("=IiBBHiiii", data)
        bits, lanes, dimensions = numbers[2], numbers[3], numbers[-1]
        names = data[28 + 4 * dimensions + lanes * ((bits + 7) // 8) : size].split(b"\0")[:2]
        packets.append((*numbers, data[28 : 28 + 4 * dimensions + lanes * ((bits + 7) // 8)], *names))
        data = data[size:]
    return packets


@pytest.mark.parametrize("what", ["accesses", "realizations"])
def test_trace_files_hold_the_packets_of_halide(what: str, tmp_path: Path) -> None:
    pytest.importorskip("halide")
    own = written("pipec", what, tmp_path)
    assert len(own) > 100
    assert own == written("halide", what, tmp_path)


def test_a_trace_file_that_cannot_be_written_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x
    f.trace_stores()
    monkeypatch.setenv("HL_TRACE_FILE", str(tmp_path / "no" / "trace"))
    with pytest.raises(PipecError, match=r"The trace of f\S* could not be written to .*HL_TRACE_FILE names"):
        f.realize([3])


def test_handlers_take_events_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x
    f.trace_stores()
    events: list[hl.TraceEvent] = []
    f.set_custom_trace(events.append)
    monkeypatch.setenv("HL_TRACE_FILE", str(tmp_path / "trace"))
    f.realize([3])
    assert len(events) > 3 and not (tmp_path / "trace").exists()
