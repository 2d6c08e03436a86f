"""Ctrl-C at random points of compiling, searching and tuning: nothing goes on behind it, and the next call is right."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SLOW = bool(os.environ.get("PIPEC_SLOW"))
ROOT = Path(__file__).parent.parent.parent
PROGRAM = """
import os, random, signal, sys, threading, time

import numpy as np

import pipec as hl

what, points = sys.argv[1], int(sys.argv[2])
x, y = hl.vars("x y")
image = np.arange(70 * 90, dtype=np.uint16).reshape(70, 90)


def pipeline(number):
    source = hl.BoundaryConditions.repeat_edge(hl.Buffer(image))
    wide, tall, output = hl.funcs("wide tall output")
    wide[x, y] = hl.u32(source[x - 1, y]) + source[x + 1, y]
    tall[x, y] = wide[x, y - 1] + wide[x, y + 1]
    output[x, y] = tall[x, y] * 2 + number
    if what == "compile":
        wide.compute_at(tall, y).vectorize(x, 4)
        tall.compute_root().parallel(y)
        output.vectorize(x, 8).parallel(y)
    return hl.Pipeline(output)


def run(number):
    result = pipeline(number)
    if what == "search":
        result.autoschedule(sizes=[90, 70], strategy="grouping", seed=number, search_seconds=1)
    elif what == "tune":
        result.autoschedule(sizes=[90, 70], strategy="grouping", seed=number, search_seconds=1, trials=4)
    return np.asarray(result.realize([90, 70]))


def compiles():
    # Whether a thread does.
    frames = list(sys._current_frames().values())
    for frame in frames:
        if frame.f_back is not None:
            frames.append(frame.f_back)
    return any(frame.f_code.co_filename.endswith("deep_stack.py") for frame in frames)


padded = np.pad(image, 1, mode="edge").astype(np.uint32)
wide = padded[:, :-2] + padded[:, 2:]
doubled = (wide[:-2] + wide[2:]) * 2
run(0)
began = time.perf_counter()
run(1)
whole = time.perf_counter() - began
draw, interrupted = random.Random(7), 0
for number in range(2, 2 + points):
    timer = threading.Timer(draw.uniform(0, whole), os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        result = run(number)
        # A search or a tuning that is interrupted ends with the best so far.
        assert (result == doubled + number).all(), number
        timer.join()
        time.sleep(0.1)
    except KeyboardInterrupt:
        interrupted += 1
    timer.join()
    until = time.monotonic() + 60
    while compiles():
        assert time.monotonic() < until
        time.sleep(0.01)
    assert (run(number) == doubled + number).all(), number
print("interrupted", interrupted)
"""


@pytest.mark.parametrize("what, points", [("compile", 100 if SLOW else 12), ("search", 6), ("tune", 4)])
@pytest.mark.part(2)
def test_the_next_call_is_right_and_nothing_is_left_behind(tmp_path: Path, what: str, points: int) -> None:
    if what == "tune" and not SLOW:
        pytest.skip("tuning measures for many seconds: set PIPEC_SLOW=1")
    paths = {"PIPEC_CACHE_DIR": tmp_path / "cache", "PIPEC_AUTOSCHEDULE_DB": tmp_path / "trials.sqlite"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **{name: str(path) for name, path in paths.items()}}
    command = [sys.executable, "-c", PROGRAM, what, str(points)]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # Python itself ignores an exception in `__del__`, but writes of it.
    assert done.stdout.split()[-2:-1] == ["interrupted"], done.stdout + done.stderr
    assert not list((tmp_path / "cache").glob("new-*"))
