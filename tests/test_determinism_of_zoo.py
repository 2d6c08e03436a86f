"""Pipelines of the zoo have the same schedules and the same code in every process, whatever the order of its hashes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from bench.zoo.registry import GRADIENTS, PIPELINES

ROOT = Path(__file__).parent.parent
PROGRAM = """
import hashlib, sys, tempfile
from pathlib import Path

import pipec as hl
from bench.zoo.registry import GRADIENTS, PIPELINES

folder = Path(tempfile.mkdtemp())
for name in sys.argv[1:]:
    entry = {**PIPELINES, **GRADIENTS}[name]
    algorithm, inputs = entry.build(hl), entry.inputs(entry.test_size)
    for image, param in algorithm.images.items():
        param.set(hl.Buffer(inputs[image]))
    for param, value in algorithm.params.items():
        value.set(entry.settings[param])
    pipeline = hl.Pipeline(algorithm.output)
    size = entry.output_size(entry.test_size)
    strategy = "fallback" if name in GRADIENTS else "grouping"
    result = pipeline.autoschedule(sizes=size, strategy=strategy, seed=3, threads=2, search_seconds=1000, verify=False)
    print(name, hashlib.sha256(result.schedule.to_python().encode()).hexdigest())
    arguments = [*algorithm.images.values(), *algorithm.params.values()]
    for kind in (hl.OutputFileType.llvm_assembly, hl.OutputFileType.c_source):
        file = folder / f"{name}.{kind.name}"
        pipeline.compile_to({kind: str(file)}, arguments, "f")
        print(name, kind.name, hashlib.sha256(file.read_bytes()).hexdigest(), flush=True)
"""


def started(seed: int, names: list[str]) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT), "PIPEC_VERIFY": "0"}
    command = [sys.executable, "-c", PROGRAM, *names]
    return subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def sample(names: list[str], count: int) -> list[str]:
    return random.Random(8).sample(sorted(names), count)


@pytest.mark.parametrize(
    "names",
    [
        ["flow_warp"],
        pytest.param(sample([*PIPELINES], 26), marks=pytest.mark.slow),
        pytest.param(sample([*GRADIENTS], 4), marks=pytest.mark.slow),
    ],
    ids=len,
)
def test_hash_seeds_do_not_change_schedules_and_code(names: list[str]) -> None:
    processes = [started(seed, names) for seed in (1, 2)]
    first, second = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    # Gradients may warn of derivatives that are zero.
    assert sum([line.startswith(tuple(names)) for line in first.splitlines()]) == 3 * len(names)
    assert first == second
