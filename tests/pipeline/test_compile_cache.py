"""Compiled pipelines on disk: a new process finds them, distinguishes them, and recompiles damaged ones."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.program import Check, DeviceCode, Kernel, Notice, ProgramArgument, ProgramArgumentKind
from pipec.jit.objects import cache
from pipec.pipeline.calls import compile_cache
from pipec.pipeline.calls.program_facts import ObjectReference, ProgramFacts, from_json, to_json
from pipec.target import get_host_target
from tests import mutations

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
    return "[time] make program" in done.stderr


def test_a_second_process_finds_the_code_before_lowering(tmp_path: Path) -> None:
    assert lowered(tmp_path) and not lowered(tmp_path)
    assert lowered(tmp_path, amount=2)


def test_damaged_entries_are_compiled_again(tmp_path: Path) -> None:
    lowered(tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-7])
    assert lowered(tmp_path) and not lowered(tmp_path)


class Bomb:
    """Makes the file `file` when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (str(self.file), "w")


def plus(amount: int) -> list[int]:
    """A pipeline that is compiled, or found in the cache, and run."""
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x + amount
    f._function.name = "f"
    return np.asarray(f.realize([4])).tolist()


@pytest.fixture
def entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], dict[str, bytes]]:
    """Puts the cache in a folder of its own; gives the contents of the pipelines' entries by their keys."""
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path / "cache"))
    stored: list[str] = []
    store = compile_cache.store
    monkeypatch.setattr(compile_cache, "store", lambda key, *rest: (stored.append(key), store(key, *rest)))
    return lambda: {key: cache.load(key) or b"" for key in stored}


def test_an_entry_that_is_a_pickle_does_nothing(tmp_path: Path, entries: Callable[[], dict[str, bytes]]) -> None:
    plus(1)
    bomb = pickle.dumps(Bomb(tmp_path / "made"))
    for name in entries():
        cache.store(name, bomb)
    assert plus(1) == [1, 2, 3, 4] and not (tmp_path / "made").exists()
    assert entries() and bomb not in entries().values()


def test_an_entry_under_the_name_of_another_key_is_compiled_again(
    tmp_path: Path, entries: Callable[[], dict[str, bytes]]
) -> None:
    plus(1)
    plus(2)
    first, second = [tmp_path / "cache" / f"{name}.obj" for name in entries()]
    whole = first.read_bytes(), second.read_bytes()
    first.write_bytes(whole[1])
    second.write_bytes(whole[0])
    assert (plus(1), plus(2)) == ([1, 2, 3, 4], [2, 3, 4, 5])
    assert (first.read_bytes(), second.read_bytes()) == whole


def test_entries_with_other_contents_are_compiled_again(entries: Callable[[], dict[str, bytes]]) -> None:
    plus(1)
    ((name, whole),) = entries().items()
    devices = [json.dumps([*json.loads(whole)[:3], device, ["", 1]]) for device in ("", [], {}, "xy", [[], []])]
    for contents in [*devices, *mutations.of_json(whole.decode(), 300)]:
        cache.store(name, contents.encode())
        result = compile_cache.load(name, profiled=False)
        # A text or number that was changed is as good as another; what is read has the right form.
        assert result is None or from_json(cache.load(name) or b"")


def test_facts_of_a_program_come_back_as_they_were() -> None:
    facts = ProgramFacts(
        (
            ProgramArgument("a", ProgramArgumentKind.INPUT, hl.UInt(8), 2),
            ProgramArgument("s", ProgramArgumentKind.SCALAR, hl.Float(32)),
        ),
        (Check("input_bounds", (("buffer", "a"), ("line", "\u20ac\n\udc80")), ("x", "y")), Check("b")),
        (Notice("print", ("text", hl.Int(32, 4)), (("written", "0 1"),)),),
        DeviceCode("kernel", (Kernel("k", "f", (("x", hl.Int(32)), ("a", hl.Bool())), 1, (0,), (4, 0, 1), 64),)),
    )
    code = ObjectReference("key", 7)
    assert from_json(to_json(facts, code).encode()) == (facts, code)
    assert from_json(to_json(facts._replace(device=None), code).encode())[0].device is None


def key(amount: int, lanes: int = 8, exact: bool = False) -> str:
    x = hl.Var("x")
    f = hl.Func("f")
    f[x] = x + amount
    f.vectorize(x, lanes)
    f._function.name = "f"
    definition, _ = freeze([f._function])
    return compile_cache.pipeline_key(definition, schedule_of([f._function]), get_host_target(), exact)


@pytest.mark.parametrize("other", [(2, 8), (1, 16), (1, 8, True)])
def test_keys_tell_programs_schedules_and_variants_apart(other: tuple[int, ...]) -> None:
    assert key(1) != key(*other)


def test_keys_refuse_what_they_cannot_tell_apart() -> None:
    with pytest.raises(TypeError):
        compile_cache._describe(np.zeros(3), [])


def test_values_that_cannot_be_distinguished_have_no_description():
    parts: list[str] = []
    with pytest.raises(TypeError, match="cannot tell two object apart"):
        compile_cache._describe((1, object()), parts)


def test_descriptions_of_unequal_values_differ():
    values = [1, True, 1.0, "1", None, (1,), (1, 1), ((1,), 1), {"a": 1}, [], hl.Int(8), hl.UInt(8), hl.Float(32)]
    result = []
    for value in values:
        parts: list[str] = []
        compile_cache._describe(value, parts)
        result.append("\n".join(parts))
    assert len(set(result)) == len(values)
