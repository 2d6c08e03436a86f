"""What pipelines print and trace, line by line, beside the wheel."""

import re
from collections.abc import Callable
from typing import Any

import halide
import numpy as np
import pytest

import pipec

Program = Callable[[Any, Any, Any], Any]


def _types(hl: Any, x: Any, y: Any) -> Any:
    f = hl.Func("told_types")
    numbers = [hl.i8(-x), hl.u8(x + 254), hl.i16(x) * -3, hl.u32(x) - 1, hl.i64(x) << 40, hl.cast(hl.UInt(64), -x)]
    f[x] = hl.print(x, "f16", hl.cast(hl.Float(16), x) / 3, hl.f32(x) / 3, hl.f64(x) * 1e10, x > 0, *numbers, 7, 2.5)
    return f.realize([3])


def _vectors(hl: Any, x: Any, y: Any) -> Any:
    f = hl.Func("told_vectors")
    f[x, y] = hl.print(hl.print_when(x % 3 == y, x * 2, "in", x) + 1, "out") + hl.print(y, "row")
    f.vectorize(x, 4)
    return f.realize([8, 2])


def _unrolled(hl: Any, x: Any, y: Any) -> Any:
    f = hl.Func("told_unrolled")
    f[x] = hl.select(x > 2, hl.print(x, "big"), hl.print(-x, "small"))
    f.unroll(x, 4)
    return f.realize([8])


def _inlined(hl: Any, x: Any, y: Any) -> Any:
    f, g = hl.Func("told_inlined"), hl.Func("told_inlined_g")
    g[x] = hl.print(x, "g")
    f[x] = g[x] + g[x + 1] * g[x]
    return f.realize([3])


def _updates(hl: Any, x: Any, y: Any) -> Any:
    f, r = hl.Func("told_updates"), hl.RDom([(0, 3)])
    f[x] = hl.print(x, "first")
    f[x] += hl.print(r.x, "then", x)
    return f.realize([2])


def _stores(hl: Any, x: Any, y: Any) -> Any:
    f = hl.Func("told_stores")
    f[x, y] = hl.f64(x + y * 10)
    f.vectorize(x, 2).trace_stores()
    return f.realize([4, 2])


def _everything(hl: Any, x: Any, y: Any) -> Any:
    f, g = hl.Func("told_everything"), hl.Func("told_everything_g")
    g[x, y] = hl.u8(x * 3 + y)
    f[x, y] = hl.f32(g[x, y]) + g[x, y + 1]
    g.compute_at(f, y).trace_realizations().trace_loads().trace_stores().add_trace_tag("words")
    f.trace_realizations().trace_stores()
    return f.realize([2, 2])


def _tuples(hl: Any, x: Any, y: Any) -> Any:
    f, r = hl.Func("told_tuples"), hl.RDom([(0, 2)])
    f[x] = (x, hl.u8(x) + 1, x > 0)
    f[r.x] = (f[r.x][0] + 1, f[r.x][1] * 2, f[r.x][2] & (r.x > 0))
    f.trace_stores().trace_loads().trace_realizations()
    return f.realize([2])


def _image(hl: Any, x: Any, y: Any) -> Any:
    source, f = hl.ImageParam(hl.UInt(8), 1, "told_image_in"), hl.Func("told_image")
    source.trace_loads()
    buffer = hl.Buffer(np.arange(4, dtype=np.uint8))
    source.set(buffer)
    f[x] = source[x] + 1
    f.vectorize(x, 2)
    f.trace_realizations()
    return f.realize([4])


def _undef(hl: Any, x: Any, y: Any) -> Any:
    f, r = hl.Func("told_undef"), hl.RDom([(0, 2)], "r")
    f[x] = (hl.undef(hl.Int(32)), hl.undef(hl.UInt(8)))
    f[r.x] = (r.x + 1, hl.u8(r.x))
    f.trace_stores().trace_loads().trace_realizations()
    return f.realize([2])


def _no_dimensions(hl: Any, x: Any, y: Any) -> Any:
    f = hl.Func("told_scalar")
    f[()] = 3
    f.trace_stores().trace_realizations()
    return f.realize([])


def _feature(name: str) -> Program:
    def program(hl: Any, x: Any, y: Any) -> Any:
        g, f = hl.Func(f"told_{name}_g"), hl.Func(f"told_{name}")
        g[x] = x * 2
        f[x] = g[x] + g[x + 1]
        g.compute_root()
        return f.realize([2], hl.get_host_target().with_feature(getattr(hl.TargetFeature, name)))

    program.__name__ = name
    return program


PROGRAMS = [_types, _vectors, _unrolled, _inlined, _updates, _stores, _everything, _tuples, _image, _undef]
PROGRAMS.append(_no_dimensions)
FEATURES = [_feature(name) for name in ("TraceLoads", "TraceStores", "TraceRealizations", "TracePipeline")]


@pytest.mark.parametrize("program", [*PROGRAMS, *FEATURES], ids=lambda program: program.__name__.strip("_"))
@pytest.mark.part(3)
def test_says_what_the_wheel_says(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    reports = []
    for hl in (halide, pipec):
        program(hl, hl.Var("x"), hl.Var("y"))
        lines = [re.sub(r"([_$]\d+)?\.(\d+)\(", r".\2(", line) for line in capsys.readouterr().out.splitlines()]
        reports.append([line for line in lines if not line.startswith("Warning: ")])
    assert reports[1] == reports[0]
    assert reports[0]
