"""A run without a schedule that would take minutes is announced before it starts; others are not."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest

import pipec as hl
from pipec.pipeline.calls.compiled import CompiledPipeline
from pipec.pipeline.calls.run_estimate import RunEstimate

x, y = hl.vars("x y")


def boxes(levels: int, size: int = 17) -> list[hl.Func]:
    """Sums over boxes of the sums before."""
    image = hl.BoundaryConditions.repeat_edge(hl.Buffer(np.zeros((64, 64), np.int32)))
    stages = [image]
    for level in range(levels):
        r = hl.RDom([(-(size // 2), size)] * 2, f"r{level}")
        f = hl.Func(f"box{level}")
        f[x, y] = hl.sum(stages[-1][x + r.x, y + r.y])
        stages.append(f)
    return stages[1:]


def announced(output: hl.Func, sizes: list[int], capsys: pytest.CaptureFixture[str]) -> str:
    """What is printed before machine code would run on outputs of these sizes."""
    with patch.object(CompiledPipeline, "__call__", lambda self, values: None):
        output.realize(np.lib.stride_tricks.as_strided(np.zeros(1, np.int32), sizes[::-1], [0] * len(sizes)))
    return capsys.readouterr().out


def estimate(output: hl.Func) -> RunEstimate:
    with patch.object(CompiledPipeline, "__call__", lambda self, values: None):
        run = hl.Pipeline(output)._runnable(None)
    return RunEstimate(run.definition, run.compiled.schedule, {})


def test_boxes_inlined_into_each_other_are_announced(capsys: pytest.CaptureFixture[str]) -> None:
    *_, blamed, output = boxes(2)
    text = announced(output, [1920, 1080], capsys)
    assert text.startswith("Warning: box1 over 1920 x 1080 will take about ") and " min" in text
    assert "Func box0 has no schedule" in text and "289 times for each point" in text
    assert "box1.autoschedule()" in text and "box0.compute_root()" in text


def test_scans_of_which_each_point_uses_one_are_announced(capsys: pytest.CaptureFixture[str]) -> None:
    rows, columns, output = hl.funcs("rows columns output")
    r, s = hl.RDom([(1, 1279)], "r"), hl.RDom([(1, 719)], "s")
    rows[x, y] = x ^ y
    rows[r, y] += rows[r - 1, y]
    columns[x, y] = rows[x, y]
    columns[x, s] += columns[x, s - 1]
    output[x, y] = columns[x, y] + 1
    text = announced(output, [1280, 720], capsys)
    assert "Func columns has no schedule" in text and "719 times for each point" in text
    rows.compute_root()
    columns.compute_root()
    assert not announced(output, [1280, 720], capsys)


def test_small_outputs_and_scheduled_boxes_are_not_announced(capsys: pytest.CaptureFixture[str]) -> None:
    *_, output = boxes(2)
    assert not announced(output, [64, 48], capsys)
    inner, output = boxes(2)
    inner.compute_root()
    assert not announced(output, [1920, 1080], capsys)


def test_a_large_run_after_a_small_one_is_announced_once(capsys: pytest.CaptureFixture[str]) -> None:
    *_, output = boxes(2)
    for sizes, expected in (([64, 48], False), ([64, 48], False), ([1920, 1080], True), ([1920, 1080], False)):
        assert bool(announced(output, sizes, capsys)) is expected


def test_three_levels_take_hours(capsys: pytest.CaptureFixture[str]) -> None:
    assert " hours" in announced(boxes(3)[-1], [1920, 1080], capsys)


def test_stencils_inlined_into_each_other_share_their_values(capsys: pytest.CaptureFixture[str]) -> None:
    func = hl.Func("stencil0")
    func[x, y] = x * y
    for level in range(1, 12):
        following = hl.Func(f"stencil{level}")
        following[x, y] = func[x - 1, y] + func[x, y] + func[x + 1, y]
        func = following
    # 3 uses at each of 11 levels, but at most 23 different points of any Func: not 3 ** 11 operations.
    assert estimate(func).evaluations <= 23 and estimate(func).operations < 2_000
    assert not announced(func, [1920, 1080], capsys)


def test_extents_that_are_params_count() -> None:
    size = hl.Param(hl.Int(32), "size")
    r = hl.RDom([(0, size), (0, size)], "r")
    f, g = hl.funcs("f g")
    f[x, y] = hl.sum(x + r.x * r.y)
    g[x, y] = hl.sum(f[x + r.x, y + r.y])
    run = hl.Pipeline(g)._runnable(None)
    costs = [RunEstimate(run.definition, run.compiled.schedule, {"size": n}).operations for n in (1, 10)]
    assert costs[1] > 5000 * costs[0] / 10


def test_extents_of_reductions_are_those_of_images(capsys: pytest.CaptureFixture[str]) -> None:
    image, total, output = hl.ImageParam(hl.Int(32), 2, "image"), hl.Func("total"), hl.Func("output")
    image.set(hl.Buffer(np.lib.stride_tricks.as_strided(np.zeros(1, np.int32), (1024, 1024), (0, 0))))
    r = hl.RDom([(1, image.width() - 1), (0, image.height())], "r")
    total[x, y] = 0
    total[r.x, r.y] = image[r.x, r.y] + total[r.x - 1, r.y]
    output[x, y] = total[x, y] + 1
    assert "Func total has no schedule" in announced(output, [1024, 1024], capsys)
