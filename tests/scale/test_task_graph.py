"""Task graphs: what is measured, and what is forecast from it."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.scale.task_graph import CoreModel, TaskGraph, makespan, measured_task_graph

FAST_MEMORY = CoreModel(1e15, 1e15, 0.0)


@pytest.mark.parametrize(
    ("tasks", "cores", "seconds"),
    [([1.0] * 8, 1, 8), ([1.0] * 8, 4, 2), ([1.0] * 9, 4, 3), ([3.0, 1, 1, 1], 2, 3), ([], 4, 0), ([2.0], 64, 2)],
)
def test_tasks_begin_on_the_core_that_is_free_first(tasks: list[float], cores: int, seconds: float) -> None:
    assert makespan(tasks, cores) == seconds


def test_a_forecast_is_bound_by_tasks_serial_parts_and_memory() -> None:
    graph = TaskGraph(((1.0,) * 10, (0.5,) * 20), 2.0, 40e9)
    assert graph.seconds(1, FAST_MEMORY) == pytest.approx(22)
    assert graph.seconds(10, FAST_MEMORY) == pytest.approx(2 + 1 + 1)
    assert graph.seconds(1000, FAST_MEMORY) == pytest.approx(2 + 1 + 0.5)
    # 40 GB at 5 GB/s take 8 s, half of them in each loop.
    assert graph.seconds(1000, CoreModel(1e9, 5e9, 0.0)) == pytest.approx(2 + 8)
    assert graph.seconds(2, CoreModel(1e9, 5e9, 0.0)) == pytest.approx(2 + 20)
    assert graph.seconds(10, CoreModel(1e15, 1e15, 0.25)) == pytest.approx(4 + 0.5)


def test_the_loops_of_a_run_are_measured_with_all_their_tasks() -> None:
    x, y, c = hl.vars("x y c")
    image = hl.Buffer(np.arange(40 * 60, dtype=np.int32).reshape(40, 60))
    first, second = hl.funcs("first second")
    first[x, y] = image[x, y] * 2
    second[x, y] = first[x, y] + 1
    first.compute_root().parallel(y)
    second.parallel(y).parallel(x)
    graph = measured_task_graph(second, [60, 40], repeats=1)
    assert [len(tasks) for tasks in graph.loops] == [40, 40]
    assert graph.memory == 4 * 60 * 40 * (1 + 1 + 2) and graph.serial >= 0
    # The pipeline itself still runs its loops in the pool.
    np.testing.assert_array_equal(second.realize([60, 40]).numpy(), image.numpy() * 2 + 1)
