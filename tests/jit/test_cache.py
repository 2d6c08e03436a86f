"""The disk cache of object code: hits, damage, folders that others may write to, writers at once, its size."""

import os
import pickle
import signal
import subprocess
import sys
import time
from dataclasses import replace

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
    compile_ = llvm_engine.Engine._compile

    def counted(self, texts, machine, optimized=False):
        done.append(texts)
        return compile_(self, texts, machine, optimized)

    monkeypatch.setattr(llvm_engine.Engine, "_compile", counted)
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


CHANGES = [{"streams": (("out", True),)}, {"any_byte": frozenset({"in"})}, {"tables": (("a", 256),)}]


@pytest.mark.parametrize("change", CHANGES)
def test_what_decides_how_memory_is_accessed_is_part_of_the_key(folder, compilations, change):
    x, a = variable("x"), np.zeros(9, np.int32)
    body = loop("x", 9, store("out", load(INT32, "a", x), x))
    copied = program(body, arguments_of({"a": a}, {"out": a}))
    compile_program(copied, get_host_target())
    count = len(compilations)
    compile_program(replace(copied, **change), get_host_target())
    assert len(compilations) > count


def pickled_bomb(file):
    """Bytes that make `file` when something unpickles them."""

    class Bomb:
        def __reduce__(self):
            return open, (str(file), "w")

    return pickle.dumps(Bomb())


@pytest.mark.parametrize(
    "damage",
    [
        lambda b: b"",
        lambda b: b[: len(b) // 2],
        lambda b: b[:-3] + b"xyz",
        lambda b: b + b"!",
        lambda b: b.replace(cache.MAGIC, b"pipec-cache-1\n"),
        lambda b: bytes(len(b)),
    ],
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


def test_no_flipped_bit_goes_unseen(folder):
    cache.store("key", bytes(range(40)))
    whole = (folder / "key.obj").read_bytes()
    for at in range(0, 8 * len(whole), 7):
        flipped = bytearray(whole)
        flipped[at // 8] ^= 1 << at % 8
        (folder / "key.obj").write_bytes(flipped)
        assert cache.load("key") is None, at
    for length in range(len(whole)):
        (folder / "key.obj").write_bytes(whole[:length])
        assert cache.load("key") is None, length
    (folder / "key.obj").write_bytes(whole)
    assert cache.load("key") == bytes(range(40))


def test_an_entry_under_the_name_of_another_key_is_compiled_again(folder, compilations):
    doubled()
    count = len(compilations)
    cache.store("other", b"what is not machine code")
    for path in folder.iterdir():
        path.write_bytes((folder / "other.obj").read_bytes())
    doubled()
    assert len(compilations) == count + 1
    doubled()
    assert len(compilations) == count + 1


def test_no_entry_is_unpickled(folder, tmp_path, compilations):
    doubled()
    count, built = len(compilations), tmp_path / "made by a pickle"
    for path in folder.iterdir():
        path.write_bytes(pickled_bomb(built))
    doubled()
    assert len(compilations) == count + 1 and not built.exists()


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o755])
def test_a_folder_open_to_others_is_not_used_and_warned_of_once(folder, compilations, capsys, mode):
    doubled()
    files, count = sorted(folder.iterdir()), len(compilations)
    folder.chmod(mode)
    for repeat in range(2):
        doubled()
        assert len(compilations) == count + repeat + 1
    said = capsys.readouterr().out
    assert said.count("The compile cache") == 1 and f"{folder} (mode {mode:04o}); run: chmod 700 {folder}." in said
    assert sorted(folder.iterdir()) == files
    folder.chmod(0o700)
    doubled()
    assert len(compilations) == count + 2


def test_a_folder_of_earlier_versions_becomes_private(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("PIPEC_CACHE_DIR", raising=False)
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    tmp_path.chmod(0o755)
    cache.store("a", b"1")
    assert cache.load("a") == b"1" and tmp_path.stat().st_mode & 0o777 == 0o700 and not capsys.readouterr().out


def test_a_folder_behind_a_foreign_link_is_not_used(tmp_path, monkeypatch, capsys):
    (tmp_path / "real").mkdir(0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path / "link"))
    cache.store("a", b"1")
    assert cache.load("a") == b"1"
    monkeypatch.setattr(os, "lstat", owned_by_another(os.lstat, tmp_path / "link"))
    cache._safe = None
    assert cache.load("a") is None
    assert "the symbolic link" in capsys.readouterr().out


@pytest.mark.parametrize("place", ["objects", "objects/a.obj"])
def test_what_belongs_to_another_user_is_not_used(folder, tmp_path, monkeypatch, place):
    cache.store("a", b"1")
    cache.store("b", b"2")
    for name in ("stat", "lstat", "fstat"):
        monkeypatch.setattr(os, name, owned_by_another(getattr(os, name), tmp_path / place))
    assert cache.load("a") is None
    assert cache.load("b") == (None if place == "objects" else b"2")


def owned_by_another(stat, path):
    """The function, which says of this file that another user owns it."""
    number = path.lstat().st_ino

    def changed(*args, **keywords):
        status = stat(*args, **keywords)
        return os.stat_result((*status[:4], 4321, *status[5:])) if status.st_ino == number else status

    return changed


WRITER = """
import sys
from pipec.jit.objects import cache
for round in range(60):
    cache.store("shared", bytes([round % 256]) * 100_000)
    found = cache.load("shared")
    assert found is not None and len(set(found)) == 1 and len(found) == 100_000
"""


def test_processes_that_write_one_entry_at_once_leave_it_whole(folder):
    writers = [subprocess.Popen([sys.executable, "-c", WRITER]) for _ in range(2)]
    assert [writer.wait() for writer in writers] == [0, 0]
    result = cache.load("shared")
    assert result is not None and len(result) == 100_000 and [path.name for path in folder.iterdir()] == ["shared.obj"]


KILLED = """
import os, signal
from pipec.jit.objects import cache
replace = os.replace
os.replace = lambda *names: os.kill(os.getpid(), signal.SIGKILL)
cache.store("key", b"new")
"""


def test_a_writer_that_is_killed_leaves_the_entry_as_it_was(folder, monkeypatch):
    cache.store("key", b"old")
    assert subprocess.run([sys.executable, "-c", KILLED]).returncode == -signal.SIGKILL
    assert cache.load("key") == b"old" and len(list(folder.iterdir())) == 2
    # What it left goes when the cache is next looked through, but not while its writer may be at work.
    monkeypatch.setattr(cache, "SHRINK_EVERY", 1)
    monkeypatch.setattr(cache, "ROOM_SHARE", 0.0)
    cache.store("other", b"")
    assert len(list(folder.iterdir())) == 3
    monkeypatch.setattr(cache, "PARTIAL_SECONDS", -1.0)
    cache.store("other", b"")
    assert sorted(path.name for path in folder.iterdir()) == ["key.obj", "other.obj"]


def test_folder_that_cannot_be_created_is_warned_of_once(tmp_path, monkeypatch, compilations, capsys):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path / "file" / "cache"))
    doubled()
    doubled()
    assert len(compilations) == 2
    assert capsys.readouterr().out.count("cannot be cached") == 1


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


def test_a_process_checks_the_size_again_when_it_has_stored_a_share_of_the_room(folder, monkeypatch):
    monkeypatch.setenv("PIPEC_CACHE_BYTES", "100000")
    monkeypatch.setattr(cache, "SHRINK_EVERY", 1)
    checked = []
    monkeypatch.setattr(cache, "_shrink", lambda place, limit: checked.append(limit) or 20000)
    for i in range(10):
        cache.store(f"key{i}", bytes(1000))
    assert len(checked) == 2


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
