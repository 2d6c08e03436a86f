"""Random pipelines: the same from the same seed, bounded, valid, and of the same pixels under every schedule."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import numpy as np
import pytest
from simple_proposer import propose

import pipec as hl
from pipec.autoschedule.measure import ImageSource
from pipec.autoschedule.measure.child import Bench
from pipec.autoschedule.random_pipelines import random_pipeline
from pipec.autoschedule.random_pipelines.layer import RandomValue, weighted_sum
from pipec.autoschedule.random_pipelines.pipeline import THEMES, VERSION
from pipec.errors import ArgumentError
from pipec.func.functions.freeze import freeze

SEEDS = range(8)


def text(seed: int) -> str:
    built = random_pipeline(seed)
    definition, _ = freeze([func.function for func in built.outputs])
    stages = [f"{name} {s.args} {s.values}" for name, func in definition.funcs.items() for s in func.stages]
    return "\n".join([built.description, *stages])


def test_a_seed_gives_the_same_pipeline_in_every_process() -> None:
    code = "from test_generated_pipelines import text; print(text(12))"
    done = subprocess.run([sys.executable, "-c", code], cwd="tests/autoschedule", capture_output=True, text=True)
    hl.Func("shifts_the_numbers_of_names")
    assert done.stdout.strip() == text(12).strip() == text(12).strip() and done.stdout


def test_seeds_differ() -> None:
    assert len({text(seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("seed", SEEDS)
def test_sizes_and_inputs_are_defined(seed: int) -> None:
    built = random_pipeline(seed)
    task = built.task()
    assert 3 <= len(task.definition.funcs) <= 60
    for source in task.images.values():
        if isinstance(source, ImageSource):
            assert all(0 < extent <= 8192 for _, extent in source.box)
            assert np.prod([extent for _, extent in source.box], dtype=float) < 2e7
    assert all(extent > 0 for size in built.sizes.values() for extent in size)
    for func in built.outputs:
        assert len(func.function.schedule.directives) == len(func.args())  # estimates of all dimensions


@pytest.mark.parametrize("seed", [2, 17])
def test_schedules_change_no_pixels(seed: int) -> None:
    task = random_pipeline(seed, shrink=16).task()
    bench = Bench(task)
    bench.prepare(task.reference())
    wrong, _ = bench.check(0, propose(task, 2, Random(seed))[1][0])
    assert not wrong and all(np.isfinite(output).all() for output in bench.expected)


def test_values_that_are_all_zero_may_have_negative_weights() -> None:
    zero = RandomValue(hl.u8(0), "u8", 0, 0)
    assert weighted_sum([zero, zero], [1, -1]).type == "i16"


def test_all_themes_come_up() -> None:
    assert {random_pipeline(seed).theme for seed in (0, 1, 2, 3, 5, 17, 21, 23)} == set(THEMES[VERSION])


def test_other_versions_are_refused() -> None:
    with pytest.raises(ArgumentError, match="versions 1 to 3, not 99"):
        random_pipeline(0, version=99)
    with pytest.raises(ArgumentError, match="at least 3 stages"):
        random_pipeline(0, max_stages=2)


def test_pipelines_of_the_first_version_are_what_they_were() -> None:
    built = random_pipeline(0, version=1)
    assert built.name == "random-1-0" and built.theme in THEMES[1]
    assert "sums" not in {random_pipeline(seed, version=1).theme for seed in range(12)}


@pytest.mark.parametrize("seed", range(4))
def test_pipelines_of_the_third_version_are_of_large_images(seed: int) -> None:
    built = random_pipeline(seed, version=3)
    boxes = [[extent for _, extent in box] for box in built.task().boxes.values()]
    sources = [s for s in built.task().images.values() if isinstance(s, ImageSource)]
    boxes += [[extent for _, extent in source.box] for source in sources]
    assert max(np.prod(box, dtype=float) for box in boxes) > 6e6
    assert all(extent <= 8300 for box in boxes for extent in box)
