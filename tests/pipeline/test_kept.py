"""Compiled pipelines on disk: found again by a new process, told apart, and recompiled when damaged."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.pipeline.calls import compile_cache as kept
from pipec.target import get_host_target

PROGRAM = """
import numpy as np, pipec as hl
x, y = hl.vars("x y")
source, f = hl.ImageParam(hl.UInt(8), 2, "source"), hl.Func("f")
f[x, y] = source[x, y] + hl.u8({amount})
f.vectorize(x, 8).parallel(y)
g = f.compile_to_callable([source])
a, b = np.arange(32, dtype=np.uint8).reshape(2, 16), np.zeros((2, 16), np.uint8)
g(a, b)
assert (b == a + {amount}).all()
"""


def lowered(folder: Path, amount: int = 1) -> bool:
    """Runs the program in a new process; whether it was lowered there."""
    environment = os.environ | {"PIPEC_CACHE_DIR": str(folder), "PIPEC_CACHE": "1", "PIPEC_LOG": "time"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(amount=amount)], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return "[time] plan" in done.stderr


def test_a_second_process_finds_the_code_before_lowering(tmp_path: Path) -> None:
    assert lowered(tmp_path) and not lowered(tmp_path)
    assert lowered(tmp_path, amount=2)


def test_damaged_entries_are_compiled_again(tmp_path: Path) -> None:
    lowered(tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-7])
    assert lowered(tmp_path) and not lowered(tmp_path)


def key(amount: int, lanes: int = 8, exact: bool = False) -> str:
    x = hl.Var("x")
    f = hl.Func("f")
    f[x] = x + amount
    f.vectorize(x, lanes)
    f._function.name = "f"
    definition, _ = freeze([f._function])
    return kept.pipeline_key(definition, schedule_of([f._function]), get_host_target(), exact)


@pytest.mark.parametrize("other", [(2, 8), (1, 16), (1, 8, True)])
def test_keys_tell_programs_schedules_and_variants_apart(other: tuple[int, ...]) -> None:
    assert key(1) != key(*other)


def test_keys_refuse_what_they_cannot_tell_apart() -> None:
    with pytest.raises(TypeError):
        kept._describe(np.zeros(3), [])


def test_values_that_cannot_be_told_apart_have_no_description():
    parts: list[str] = []
    with pytest.raises(TypeError, match="cannot tell two object apart"):
        kept._describe((1, object()), parts)


def test_descriptions_of_unequal_values_differ():
    values = [1, True, 1.0, "1", None, (1,), (1, 1), ((1,), 1), {"a": 1}, [], hl.Int(8), hl.UInt(8), hl.Float(32)]
    found = []
    for value in values:
        parts: list[str] = []
        kept._describe(value, parts)
        found.append("\n".join(parts))
    assert len(set(found)) == len(values)
