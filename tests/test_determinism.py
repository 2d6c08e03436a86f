"""The same program, schedule and seed give the same code in every process, whatever the order of its hashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROGRAM = """
import hashlib, tempfile
from pathlib import Path

import numpy as np

import pipec as hl
from apps.registry import APPS

folder = Path(tempfile.mkdtemp())


def show(name, pipeline, arguments):
    for kind in (hl.OutputFileType.llvm_assembly, hl.OutputFileType.c_source):
        file = folder / f"{name}.{kind.name}"
        pipeline.compile_to({kind: str(file)}, arguments, "f")
        print(name, kind.name, hashlib.sha256(file.read_bytes()).hexdigest())


for name in ("blur", "harris", "hist"):
    algorithm = APPS[name].build(hl)
    APPS[name].schedule(hl, algorithm)
    show(name, hl.Pipeline(algorithm.output), algorithm.arguments())

x, y = hl.vars("x y")
image = hl.Buffer(np.ones((40, 50), np.float32), name="image")
weights = hl.Buffer(np.ones((3, 3), np.float32), name="weights")
padded = hl.BoundaryConditions.repeat_edge(image)
near, all_ = hl.RDom([(-1, 3), (-1, 3)]), hl.RDom([(0, 50), (0, 40)])
f, loss = hl.funcs("f loss")
f[x, y] += padded[x + near.x, y + near.y] * weights[near.x + 1, near.y + 1]
loss[()] += hl.max(f[all_.x, all_.y], 0.0) ** 2
gradient = hl.propagate_adjoints(loss)
show("gradient", hl.Pipeline([gradient[image], gradient[weights]]), [])

g, h = hl.funcs("g h")
g[x, y] = padded[x, y] + padded[x + 1, y + 1]
h[x, y] = hl.sin(g[x, y] + g[x - 1, y]) / g[x, y - 1]
result = hl.Pipeline(h).autoschedule(sizes=[48, 38], strategy="grouping", seed=3, threads=2, search_seconds=1000)
print(result.schedule.to_python())
"""


def started(seed: int) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM], env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def test_hash_seeds_do_not_change_code_and_schedules() -> None:
    processes = [started(seed) for seed in (1, 2)]
    first, second = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert first.count("llvm_assembly") == 4 and "vectorize" in first
    assert first == second
