"""A few cases of every kind that `make fuzz` draws, and what the generators cover."""

from __future__ import annotations

from itertools import chain

import pytest

import pipec as hl
from pipec.schedule.directive import DIRECTIVES
from tests.fuzz.case import make_case
from tests.fuzz.kinds import KINDS, run_seed
from tests.fuzz.opencl import make_gpu_case
from tests.fuzz.programs.recipe import DIMS, IMAGE_TYPES, LAYOUTS, TYPES
from tests.fuzz.schedules.directives import parts

SEEDS = {
    "pipelines": range(4, 7),
    "splits": range(2),
    "checked": range(1),
    "wrong programs": range(40),
    "refusals": range(4),
    "wheel": range(2),
    "C": range(1),
    "objects": range(1),
    "OpenCL": range(1),
    "states": range(2),
    "searches": range(1),
    "gradients": range(4),
    "compiled gradients": range(1, 2),
}
# The methods that make a directive, where these are not its METHOD.
METHODS = {
    "Async": "async_",
    "Bound": "bound",
    "Estimate": "set_estimate",
    "Mark": "vectorize",
    "PartitionLoop": "partition",
    "Trace": "trace_stores",
}
# DebugToFile writes files: tests/halide_programs compares these. Tensorize needs loops of just its pattern.
NOT_DRAWN = {"DebugToFile", "Tensorize"}


def test_every_kind_has_a_sample():
    assert set(SEEDS) == set(KINDS)


@pytest.mark.part(3)
@pytest.mark.parametrize(("kind", "seed"), [(kind, seed) for kind, seeds in SEEDS.items() for seed in seeds])
def test_all_ways_agree(kind, seed):
    outcome = run_seed(kind, seed)
    assert not outcome.failure, f"{outcome.failure}\n{outcome.program}"


def test_the_generators_draw_the_whole_language():
    cases = [*map(make_case, range(900)), *map(make_gpu_case, range(200))]
    methods = {parts(directive)[1] for case in cases for directive in case.directives}
    names = {name: METHODS.get(name) or kind.METHOD for name, kind in DIRECTIVES.items() if name not in NOT_DRAWN}
    assert {name for name, method in names.items() if method not in methods} == set()
    words = set(chain.from_iterable(map(str, directive) for case in cases for directive in case.directives))
    assert {tail for tail in dir(hl.TailStrategy) if tail[0].isupper()} <= words
    stages = [stage for case in cases for stage in case.recipe["stages"]]
    images = [image for case in cases for image in case.recipe["images"]]
    assert {kind for stage in stages for kind in stage["types"]} == set(TYPES)
    assert {image["type"] for image in images} == set(IMAGE_TYPES)
    assert {len(stage["dims"]) for stage in stages} == set(range(len(DIMS) + 1))
    assert {image["layout"] for image in images} == {case.recipe["output_layout"] for case in cases} == set(LAYOUTS)
    assert any(update["where"] for stage in stages for update in stage["updates"])
    assert any("extern" in stage for stage in stages) and any(low < 0 for case in cases for low, _ in case.box)
