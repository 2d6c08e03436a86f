"""The database of measured schedules, and the fingerprints that tell algorithms apart."""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec import diagnostics
from pipec.autoschedule.dag.fingerprint import Fingerprint, difference, fingerprint
from pipec.autoschedule.measure import Status, Trial
from pipec.autoschedule.measure import database as module
from pipec.autoschedule.measure.database import (
    Database,
    TaskKey,
    compiler,
    default_path,
    machine_id,
    schedule_hash,
    task_key,
)
from pipec.errors import ArgumentError
from pipec.func.functions.freeze import freeze
from pipec.schedule.fields import ROOT
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Schedule
from tests import mutations

GOOD = Trial(Status.OK, (1.5, 1.25, 2.0), 0.3)
BAD = Trial(Status.CRASHED, (), 0.1, "ended by signal SIGSEGV")


def mark_of(gain: int = 3, names: str = "", updates: int = 1, kind: Any = None) -> Fingerprint:
    x, y = hl.vars(f"x{names} y{names}")
    image = hl.ImageParam(kind or hl.UInt(8), 2, f"image{names}")
    f, g = hl.Func(f"first{names}"), hl.Func(f"second{names}")
    r = hl.RDom([(0, 4)], f"r{names}")
    f[x, y] = hl.i32(image[x, y]) * gain
    g[x, y] = f[x, y] + image.width()
    for _ in range(updates):
        g[x, r] += f[x + r, 0]
    f.compute_root()
    return fingerprint(freeze([g.function])[0])


def key(digest: str = "algorithm") -> TaskKey:
    return TaskKey(digest, "x86-64", "[[640, 480]]", machine_id(), 2)


def schedule(name: str) -> Schedule:
    return Schedule((ComputeAt(name, ROOT),))


def test_fingerprints_of_gradients_do_not_depend_on_the_names_of_their_loops() -> None:
    def of_weights() -> str:
        x, y = hl.vars("x y")
        image, weights = hl.Buffer(np.ones((60, 70), np.float32)), hl.Buffer(np.ones((3, 3), np.float32))
        f, r = hl.Func("f"), hl.RDom([(0, 3), (0, 3)])
        f[x, y] = 0.0
        f[x, y] += image[x + r.x, y + r.y] * weights[r.x, r.y]
        gradients = hl.grad(f, [image, weights], bounds=[(0, 68), (0, 58)])
        return fingerprint(freeze([gradient.function for gradient in gradients])[0]).digest

    assert len({of_weights() for _ in range(6)}) == 1


def test_fingerprints_of_gradients_at_borders_do_not_depend_on_earlier_ones() -> None:
    def of_steps() -> str:
        x, y = hl.vars("x y")
        image = hl.ImageParam(hl.Float(32), 2, "image")
        size = [(0, image.width()), (0, image.height())]
        value = image
        for k in range(2):
            repeated, f = hl.BoundaryConditions.repeat_edge(value, size), hl.Func(f"step{k}")
            f[x, y] = repeated[x - 1, y] * repeated[x + 1, y] + repeated[x, y - 1] * repeated[x, y + 1]
            value = f
        (gradient,) = hl.grad(value, [image], bounds=size)
        return fingerprint(freeze([gradient.function])[0]).digest

    assert len({of_steps() for _ in range(6)}) == 1


def test_names_and_schedules_do_not_change_a_fingerprint() -> None:
    assert mark_of().digest == mark_of().digest == mark_of(names="_other").digest


@pytest.mark.parametrize("change", [{"gain": 4}, {"updates": 2}, {"kind": hl.UInt(16)}])
def test_what_is_computed_changes_it(change: dict[str, Any]) -> None:
    assert mark_of(**change).digest != mark_of().digest


def test_differences_are_named() -> None:
    base = mark_of()
    assert difference(base, mark_of()) == ""
    assert difference(base, mark_of(gain=4)) == "the pure definition of Func first changed"
    assert difference(base, mark_of(updates=2)) == "Func second has 2 update definitions instead of 1"
    reports = difference(base, mark_of(names="_new"))
    assert reports == ""  # the same algorithm under other names
    removed = Fingerprint("other", {name: stages for name, stages in base.stages.items() if name != "first"})
    assert (
        difference(base, removed) == "Func first no longer exists" and difference(removed, base) == "Func first is new"
    )
    assert difference(base, Fingerprint("other", base.stages)).startswith("the outputs, the images")


def test_fingerprints_are_data() -> None:
    base = mark_of()
    assert Fingerprint.of_data(json.loads(json.dumps(base.data()))) == base
    with pytest.raises(ArgumentError, match="no fingerprint"):
        Fingerprint.of_data({"digest": "x"})


def test_trials_are_read_back(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "known.sqlite"
    with Database(file) as base:
        assert base.find(key(), schedule("f")) is None
        base.describe(Fingerprint("algorithm", {"f": ("1",)}), "a name")
        base.store(key(), schedule("slow"), Trial(Status.OK, (9.0,)), decisions='{"state": 1}', source="beam")
        base.store(key(), schedule("f"), GOOD, decisions='{"state": 2}', source="beam")
        base.store(key(), schedule("g"), BAD)
        base.store(key("another"), schedule("f"), BAD)
    with Database(file) as base:
        assert base.find(key(), schedule("f")) == GOOD and base.find(key(), schedule("g")) == BAD
        entries = base.entries(key())
        assert [entry.trial.status for entry in entries] == [Status.OK, Status.OK, Status.CRASHED]
        assert entries[0].schedule == schedule("f") and entries[0].decisions == '{"state": 2}'
        assert entries[0].source == "beam" and entries[0].compiler == compiler()
        assert (base.count(), base.count(key())) == (4, 3)
        assert sorted(name for name, _ in base.all_entries()) == ["", "a name", "a name", "a name"]


def test_times_of_another_compiler_are_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Database(tmp_path / "compilers.sqlite") as base:
        base.store(key(), schedule("f"), BAD)
        monkeypatch.setattr(module, "compiler", lambda: "another")
        assert base.find(key(), schedule("f")) is None
        base.store(key(), schedule("f"), GOOD)
        assert base.find(key(), schedule("f")) == GOOD and base.count() == 1
        assert [(entry.compiler, entry.trial) for entry in base.entries(key())] == [("another", GOOD)]


def test_a_schedule_is_stored_once(tmp_path: Path) -> None:
    with Database(tmp_path / "once.sqlite") as base:
        base.store(key(), schedule("f"), BAD)
        base.store(key(), schedule("f"), GOOD)
        assert base.find(key(), schedule("f")) == BAD and base.count() == 1


def test_hashes_are_those_of_the_text() -> None:
    assert schedule_hash(schedule("f")) == schedule_hash(Schedule.from_json(schedule("f").to_json()))
    assert schedule_hash(schedule("f")) != schedule_hash(schedule("g"))


def test_sizes_and_threads_make_other_tasks() -> None:
    base = mark_of()
    built = [
        task_key(base, "t", {"g": (4, 5)}, 2),
        task_key(base, "t", {"g": (4, 6)}, 2),
        task_key(base, "t", {"g": (4, 5)}, 1),
    ]
    assert len(set(built)) == 3 and built[0] == task_key(mark_of(), "t", {"g": [4, 5]}, 2)


@pytest.fixture
def warnings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(diagnostics, "_warned", set())
    reports: list[str] = []
    monkeypatch.setattr(diagnostics, "warn", reports.append)
    return reports


def test_a_damaged_file_is_reported_once_and_left_alone(tmp_path: Path, warnings: list[str]) -> None:
    file = tmp_path / "damaged.sqlite"
    file.write_bytes(b"this is no database" * 100)
    for _ in range(2):
        with Database(file) as base:
            assert base.in_memory
            base.store(key(), schedule("f"), GOOD)
            assert base.find(key(), schedule("f")) == GOOD
    assert len(warnings) == 1 and "damaged.sqlite" in warnings[0]
    assert file.read_bytes().startswith(b"this is no database")


def test_damage_that_shows_later_loses_nothing_new(tmp_path: Path, warnings: list[str]) -> None:
    file = tmp_path / "later.sqlite"
    with Database(file) as base:
        base._connection.execute("drop table trials")
        base.store(key(), schedule("f"), GOOD)
        assert base.in_memory and base.find(key(), schedule("f")) == GOOD and len(warnings) == 1


def test_a_locked_file_is_reported(tmp_path: Path, warnings: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 0.05)
    file = tmp_path / "locked.sqlite"
    Database(file).close()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("begin exclusive")
    with Database(file) as base:
        base.store(key(), schedule("f"), GOOD)
        assert base.in_memory and base.find(key(), schedule("f")) == GOOD
    assert len(warnings) == 1 and "locked" in warnings[0]
    other.execute("rollback")


def test_a_newer_file_is_left_alone(tmp_path: Path, warnings: list[str]) -> None:
    file = tmp_path / "newer.sqlite"
    with sqlite3.connect(file) as other:
        other.execute("pragma user_version = 99")
    with Database(file) as base:
        assert base.in_memory and "version 99" in warnings[0]


def test_two_writers_share_a_file(tmp_path: Path) -> None:
    file = tmp_path / "shared.sqlite"

    def write(part: int) -> None:
        with Database(file) as base:
            for k in range(20):
                base.store(key(), schedule(f"f{part}_{k}"), GOOD)

    threads = [threading.Thread(target=write, args=(part,)) for part in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Database(file) as base:
        assert base.count() == 60


def test_a_new_file_is_opened_by_several_at_once(tmp_path: Path) -> None:
    lost = []
    for attempt in range(40):
        together = threading.Barrier(6)

        def begin(file: Path = tmp_path / f"{attempt}.sqlite", together: threading.Barrier = together) -> None:
            together.wait()
            with Database(file) as base:
                lost.append(base.in_memory)

        threads = [threading.Thread(target=begin) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not any(lost) and len(lost) == 240


def test_the_place_of_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PIPEC_AUTOSCHEDULE_DB", str(tmp_path / "mine.sqlite"))
    assert default_path() == tmp_path / "mine.sqlite"
    monkeypatch.delenv("PIPEC_AUTOSCHEDULE_DB")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path().name == "autoschedule.sqlite" and "pipec" in str(default_path())


def test_damaged_rows_are_left_out_with_one_warning(tmp_path: Path, warnings: list[str]) -> None:
    file = tmp_path / "rows.sqlite"
    with Database(file) as base:
        base.store(key(), schedule("f"), GOOD, decisions="{}", source="test")
    free = ("decisions", "message", "compiler", "source", "compile_seconds")
    columns = "schedule decisions status milliseconds compile_seconds message compiler source".split()
    strange = [b"\x80", "x", -1, 1e400, 2**60, "[]", "[NaN]", "[" * 9999, '["x"]', zlib.compress(b"[" * 9999)]
    strange.append(zlib.compress(bytes(1 << 27)))
    for column in columns:
        for value in strange:
            with sqlite3.connect(file) as other:
                (whole,) = other.execute(f"select {column} from trials").fetchone()
                other.execute(f"update trials set {column} = ?", (value,))
            with Database(file) as base:
                for entry in base.entries(key()):
                    assert entry.trial.minimum >= 0 and column in free
                assert base.find(key(), schedule("f")) in (None, GOOD) or column in free
                assert not base.in_memory
            with sqlite3.connect(file) as other:
                other.execute(f"update trials set {column} = ?", (whole,))
    assert warnings and all("what cannot be read is left out" in warning for warning in warnings)
    with Database(file) as base:
        assert [entry.trial for entry in base.entries(key())] == [GOOD]


def test_damaged_files_raise_nothing(tmp_path: Path, warnings: list[str]) -> None:
    file = tmp_path / "whole.sqlite"
    with Database(file) as base:
        for name in "abc":
            base.store(key(), schedule(name), GOOD, decisions="{}", source="test")
        base._connection.execute("pragma wal_checkpoint(truncate)")
    whole = file.read_bytes()
    for number, data in enumerate(mutations.of_bytes(whole, 60)):
        damaged = tmp_path / f"damaged-{number}.sqlite"
        damaged.write_bytes(data)
        with Database(damaged) as base:
            base.entries(key())
            base.all_entries()
            base.store(key(), schedule("new"), GOOD)
            assert base.find(key(), schedule("new")) == GOOD


def test_messages_of_sqlite_that_are_no_text_are_damages(tmp_path: Path, warnings: list[str]) -> None:
    file = tmp_path / "names.sqlite"
    with Database(file) as base:
        base.store(key(), schedule("f"), GOOD)
    with sqlite3.connect(file) as other:
        other.execute("pragma writable_schema = on")
        other.execute("update sqlite_master set name = cast(x'ee' as text), sql = 'x' where name = 'trials'")
    with Database(file) as base:
        base.store(key(), schedule("new"), GOOD)
        assert base.in_memory and base.find(key(), schedule("new")) == GOOD
    assert len(warnings) == 1
