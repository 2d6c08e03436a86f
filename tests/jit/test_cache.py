"""The disk cache of object code: hits, damage, folders that cannot be written to, its size."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from programs import arguments_of, load, loop, program, slots_of, store, variable

from pipec.ir.expr import Add
from pipec.ir.types import INT32
from pipec.jit.engine import compile_program
from pipec.jit.llvm import engine as llvm_engine
from pipec.jit.objects import cache
from pipec.target import get_host_target


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path / "objects"))
    return tmp_path / "objects"


@pytest.fixture
def compilations(monkeypatch):
    done = []
    compile_ = llvm_engine.Engine.compile

    def counted(self, text, machine):
        done.append(text)
        return compile_(self, text, machine)

    monkeypatch.setattr(llvm_engine.Engine, "compile", counted)
    return done


def doubled():
    x = variable("x")
    a, out = np.arange(9, dtype=np.int32), np.zeros(9, np.int32)
    body = loop("x", 9, store("out", Add(load(INT32, "a", x), load(INT32, "a", x)), x))
    compiled = compile_program(program(body, arguments_of({"a": a}, {"out": out})), get_host_target())
    slots = slots_of(compiled, {"a": a}, {"out": out})
    assert compiled.call(slots.ctypes.data) == 0
    assert (out == 2 * a).all()


def test_second_time_is_read_from_disk(folder, compilations):
    doubled()
    count = len(compilations)
    assert count >= 1 and cache.contents().files >= 1
    doubled()
    assert len(compilations) == count


@pytest.mark.parametrize(
    "damage", [lambda b: b"", lambda b: b[: len(b) // 2], lambda b: b[:-3] + b"xyz", lambda b: b + b"!"]
)
def test_damaged_entry_is_compiled_again(folder, compilations, damage):
    doubled()
    count = len(compilations)
    for path in folder.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    doubled()
    assert len(compilations) == count + 1
    doubled()
    assert len(compilations) == count + 1


def test_folder_that_cannot_be_made_is_warned_of_once(tmp_path, monkeypatch, compilations, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path / "file" / "cache"))
    doubled()
    doubled()
    assert len(compilations) == 2
    assert capsys.readouterr().out.count("cannot be kept") == 1


def test_switched_off(folder, monkeypatch, compilations):
    monkeypatch.setenv("PIPEC_CACHE", "0")
    doubled()
    assert compilations and not folder.exists()


def test_oldest_entries_go_when_it_is_full(folder, monkeypatch):
    monkeypatch.setenv("PIPEC_CACHE_BYTES", "5000")
    monkeypatch.setattr(cache, "SHRINK_EVERY", 1)
    for i in range(10):
        cache.store(f"key{i}", bytes(1000))
        os.utime(folder / f"key{i}.obj", (time.time() - 100 + i,) * 2)
    assert cache.contents().bytes <= 5000
    assert cache.load("key9") == bytes(1000) and cache.load("key0") is None


def test_clear(folder):
    cache.store("a", b"1")
    assert cache.clear().files == 1
    assert cache.contents().files == 0 and cache.load("a") is None


def test_key_is_the_same_in_every_process(folder):
    code = (
        "from tests.jit.programs import *\nfrom pipec.jit.engine import compile_program\nimport numpy as np\n"
        "x = variable('x')\n"
        "body = loop('x', 9, store('out', load(INT32, 'a', x), x))\n"
        "a = arguments_of({'a': np.zeros(9, np.int32)}, {'out': np.zeros(9, np.int32)})\n"
        "print(compile_program(program(body, a), get_host_target()).key)\n"
    )
    keys = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert len(keys) == 1
