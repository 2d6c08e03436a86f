"""Schedules that a search finds for GPUs run there and give the pixels of the reference."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest

import pipec as hl
from apps import run
from apps.registry import APPS
from pipec.autoschedule.measure.child import Bench
from pipec.autoschedule.measure.trial_history import TrialHistory
from pipec.autoschedule.measure.tuning import task_of_problem
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.gpu.nests import BLOCK
from pipec.autoschedule.strategies.search_state import Options
from pipec.lower.legality.apply_schedule import apply_schedule
from pipec.pipeline.calls.compiled import CompiledPipeline
from tests.autoschedule.test_gpu_space import product_in_slices

TARGET = hl.Target("host-opencl")
# PoCL compiles the kernels of the other ones for many seconds: there they run only when PIPEC_SLOW is set.
QUICK = ("hist",)
FEW = Options(states=60)

pytestmark = pytest.mark.opencl


@pytest.mark.parametrize("name", APPS)
@pytest.mark.part(3)
def test_returned_schedules_compute_the_pixels_of_the_reference(name: str, device) -> None:
    slow = "Portable" in device.name and not os.environ.get("PIPEC_SLOW")
    if name not in QUICK and slow:
        pytest.skip("slow on PoCL: set PIPEC_SLOW=1")
    app = APPS[name]
    algorithm = app.build(hl)
    options = FEW if slow else Options()
    result = hl.Pipeline(algorithm.output).autoschedule(
        sizes=list(app.bench_size), target=TARGET, options=options, verify=False
    )
    assert "on the CPU" not in result.explain()
    images = app.example(app.test_size)
    actual = algorithm.output.compile_to_callable(algorithm.arguments(), TARGET)
    got = run.run_app(actual, app, images, app.empty_output(app.test_size))
    expected = app.reference(images, app.settings)
    np.testing.assert_allclose(got.astype("f8"), expected.astype("f8"), rtol=0, atol=app.tolerance)


def sums():
    x, y = hl.vars("x y")
    squares, total = hl.funcs("squares total")
    squares[x, y] = hl.i32(x) * x + y
    r = hl.RDom([(0, 16)], "r")
    total[x, y] = 0
    total[x, y] += squares[x + r, y]
    return total


@pytest.mark.parametrize("size", [(1, 1), (37, 29)])
def test_sizes_that_were_not_expected_give_the_same(size: tuple[int, int], device) -> None:
    total = sums()
    hl.Pipeline(total).autoschedule(sizes=[640, 480], target=TARGET, options=FEW, verify=False)
    plain = sums()
    got, expected = (
        np.array(f.realize(list(size), target=t)) for f, t in ((total, TARGET), (plain, hl.Target("host")))
    )
    np.testing.assert_array_equal(got, expected)


@pytest.mark.slow
def test_sums_in_slices_with_what_they_read_staged_for_each_are_right(device) -> None:
    space, actual, state, factor = product_in_slices(16, length=37)
    (nest_level,) = [
        s for s in space.nest_levels.of(state, factor) if s.func.startswith("product") and s.level == BLOCK
    ]
    schedule = space.emit(space.placed(state, factor, space.nest_levels.at(space.dag.funcs[factor], nest_level)))
    compiled = CompiledPipeline(actual.definition, apply_schedule(actual.definition, schedule), TARGET)
    left, right, result = np.indices((23, 37)).sum(0) % 7, np.indices((37, 29)).sum(0) % 5, np.zeros((23, 29), np.int32)
    inputs = {"left": left.astype(np.int32), "right": right.astype(np.int32)}
    compiled([inputs.get(argument.name, result) for argument in compiled.arguments])
    np.testing.assert_array_equal(result, (left * 2 + 1) @ right + 1)


def test_schedules_for_the_device_are_timed_there(device) -> None:
    total = sums()
    result = hl.Pipeline(total).autoschedule(sizes=[64, 64], target=TARGET, options=FEW, verify=False, apply=False)
    bench = Bench(task_of_problem(result.problem))
    bench.prepare(bench.task.reference())
    wrong, seconds = bench.check(0, result.schedule)
    assert not wrong and seconds > 0
    times, _ = bench.measure(0, 0.001, 3, True)
    assert times and all(time > 0 for time in times)
    assert all(output.has_device_allocation() for output in bench.outputs.values())


@pytest.mark.slow
def test_schedules_are_measured_in_processes_of_their_own(tmp_path, device) -> None:
    if device.handle.version.endswith("-generic"):
        pytest.skip("PoCL knows no name of this processor, and nobody gives it one in other processes")
    x, y = hl.vars("x y")
    brighter = hl.Func("brighter")
    brighter[x, y] = hl.ImageParam(hl.Int(32), 2, "photo")[x, y] + 1
    database = str(tmp_path / "trials")
    result = hl.Pipeline(brighter).autoschedule(
        sizes=[64, 48], target=TARGET, options=FEW, trials=4, database=database, apply=False
    )
    assert result.trials == 4 and result.measured_ms > 0
    with TrialHistory(result.problem, database) as remembered:
        assert len([time for time in remembered.times().values() if math.isfinite(time)]) == 4


def test_problems_know_their_device(device) -> None:
    total = sums()
    result = hl.Pipeline(total).autoschedule(sizes=[64, 64], target=TARGET, strategy="fallback", apply=False)
    assert result.problem.device is not None
    assert result.problem.device.name == device.name
    assert problem_of([total.function], sizes=[64, 64]).device is None
