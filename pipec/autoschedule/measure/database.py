"""Measured times in SQLite: every schedule of every task at most once on every machine, failures included."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pipec.autoschedule.dag.fingerprint import Fingerprint
from pipec.autoschedule.measure.trial import Status, Trial
from pipec.autoschedule.progress import checked_time
from pipec.diagnostics import warn_once
from pipec.errors import PipecError
from pipec.jit.objects.source_digest import COMPILER, source_digest
from pipec.jit.runtime.library import default_threads
from pipec.records import dataclass
from pipec.schedule.fields import typed
from pipec.schedule.schedule import Schedule
from pipec.user_folders import user_data_folder

T = TypeVar("T")
DAMAGES = (PipecError, ValueError, RecursionError, MemoryError, zlib.error)
"""What reading a damaged row raises."""
FILE_DAMAGES = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises of a damaged file: its messages may quote bytes of the file that are no text."""
MAX_TEXT_BYTES = 1 << 26
VERSION = 1
# So long another process may write before this one gives up.
_PATIENCE_SECONDS = 20.0
_PAUSE_SECONDS = 0.01
_TABLES = """
create table if not exists pipelines (
    id integer primary key, fingerprint text not null unique, name text not null, stages text not null
);
create table if not exists tasks (
    id integer primary key, pipeline integer not null references pipelines, target text not null, sizes text not null,
    machine text not null, threads integer not null, unique (pipeline, target, sizes, machine, threads)
);
create table if not exists trials (
    id integer primary key, task integer not null references tasks, schedule_hash text not null, schedule blob not null,
    decisions blob not null, status text not null, milliseconds text not null, minimum real, median real,
    compile_seconds real not null, message text not null, compiler text not null, source text not null,
    time real not null, unique (task, schedule_hash)
);
"""


@dataclass(frozen=True)
class TaskKey:
    """What a time depends on besides the schedule."""

    fingerprint: str
    target: str
    sizes: str
    machine: str
    threads: int


@dataclass(frozen=True)
class TrialRecord:
    """A stored trial. `decisions`: what the search noted of the schedule; `source`: who proposed it.

    `compiler`: the digest of the sources that made its code.
    """

    schedule: Schedule
    decisions: str
    trial: Trial
    source: str
    compiler: str
    machine: str
    threads: int


def task_key(
    fingerprint: Fingerprint, target: str, sizes: Mapping[str, Sequence[int]], threads: int | None = None
) -> TaskKey:
    """The key on this machine; `sizes`: the extents of outputs and inputs by name."""
    text = json.dumps([list(map(int, extents)) for _, extents in sorted(sizes.items())])
    return TaskKey(fingerprint.digest, target, text, machine_id(), threads or default_threads())


@cache
def machine_id() -> str:
    """The same in every process on machines of one kind: processor, its features, number of CPUs."""
    lines = []
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith(("model name", "flags", "Features", "CPU part", "cache size")) and line not in lines:
                lines.append(line)
    except OSError:
        import platform

        lines = [platform.machine(), platform.processor()]
    return hashlib.blake2b("\n".join([*lines, str(os.cpu_count())]).encode(), digest_size=8).hexdigest()


def compiler() -> str:
    """A digest of what turns schedules into code: times of one compiler say little about the code of another."""
    return source_digest(COMPILER)


def schedule_hash(schedule: Schedule) -> str:
    """The same for equal schedules in every process."""
    return hashlib.blake2b(schedule.to_json().encode(), digest_size=16).hexdigest()


def default_path() -> Path:
    """PIPEC_AUTOSCHEDULE_DB, or a file in the user's data folder."""
    path = os.environ.get("PIPEC_AUTOSCHEDULE_DB")
    if path:
        return Path(path)
    return Path(user_data_folder()) / "autoschedule.sqlite"


class Database:
    """The trials in a file. Where it is damaged, locked or read-only, one warning, and trials are stored in memory."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = default_path() if path is None else Path(path)
        self.in_memory = self._is_damaged = False
        self._tasks: dict[TaskKey, int] = {}
        try:
            self._connection = _opened(self.path)
        except (*FILE_DAMAGES, OSError) as error:
            self._go_on_in_memory(error)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def find(self, key: TaskKey, schedule: Schedule) -> Trial | None:
        """What this compiler's code for a schedule took: it need not be measured again, not even when it failed."""

        def look() -> Trial | None:
            row = self._connection.execute(
                "select status, milliseconds, compile_seconds, message from trials"
                " where task = ? and schedule_hash = ? and compiler = ?",
                (self._task(key), schedule_hash(schedule), compiler()),
            ).fetchone()
            return None if row is None else _trial(*row)

        try:
            return self._trying(look)
        except DAMAGES as error:
            self._warn_of_damage(error)
            return None

    def store(self, key: TaskKey, schedule: Schedule, trial: Trial, *, decisions: str = "", source: str = "") -> None:
        """Stores a trial; one of the same schedule stays as it is, unless it is of another compiler's code."""

        def write() -> None:
            row = (
                self._task(key),
                schedule_hash(schedule),
                zlib.compress(schedule.to_json().encode()),
                zlib.compress(decisions.encode()),
                trial.status.value,
                json.dumps([round(ms, 6) for ms in trial.milliseconds]),
                trial.minimum if trial.ok else None,
                trial.median if trial.ok else None,
                trial.compile_seconds,
                trial.message,
                compiler(),
                source,
                time.time(),
            )
            places = ", ".join("?" * len(row))
            columns = (
                "task, schedule_hash, schedule, decisions, status, milliseconds, minimum, median, compile_seconds,"
                " message, compiler, source, time"
            )
            changes = ", ".join([f"{name} = excluded.{name}" for name in columns.split(", ")])
            with self._connection:
                self._connection.execute(
                    f"insert into trials ({columns}) values ({places}) on conflict (task, schedule_hash)"
                    f" do update set {changes} where compiler <> excluded.compiler",
                    row,
                )

        self._trying(write)

    def describe(self, fingerprint: Fingerprint, name: str) -> None:
        """Note what the pipeline of this fingerprint is called, and what it consists of."""

        def write() -> None:
            with self._connection:
                self._connection.execute(
                    "insert into pipelines (fingerprint, name, stages) values (?, ?, ?)"
                    " on conflict (fingerprint) do update set name = excluded.name, stages = excluded.stages",
                    (fingerprint.digest, name, json.dumps(fingerprint.data()["stages"])),
                )

        self._trying(write)

    def entries(self, key: TaskKey) -> list[TrialRecord]:
        """All trials of a task, the fastest first, those that failed last."""
        return [entry for _, entry in self._entries("where task = ?", lambda: (self._task(key),))]

    def all_entries(self) -> list[tuple[str, TrialRecord]]:
        """All trials of all tasks, each with the name of its pipeline."""
        return self._entries("", tuple)

    def count(self, key: TaskKey | None = None) -> int:
        """How many trials there are, of one task or in all."""
        where = "" if key is None else " where task = ?"

        def look() -> int:
            values = () if key is None else (self._task(key),)
            return int(self._connection.execute(f"select count(*) from trials{where}", values).fetchone()[0])

        return self._trying(look)

    def _entries(self, where: str, values: Callable[[], tuple[Any, ...]]) -> list[tuple[str, TrialRecord]]:
        def look() -> list[Any]:
            return self._connection.execute(
                "select pipelines.name, schedule, decisions, source, compiler, machine, threads, status, milliseconds,"
                " compile_seconds, message from trials join tasks on tasks.id = task"
                " join pipelines on pipelines.id = tasks.pipeline"
                f" {where} order by tasks.id, minimum is null, minimum",
                values(),
            ).fetchall()

        entries = []
        for name, schedule, decisions, source, compiler, machine, threads, *trial in self._trying(look):
            try:
                schedule_read, text = Schedule.from_json(_text(schedule)), _text(decisions)
                words = [typed(str, word) for word in (source, compiler, machine)]
                entry = TrialRecord(
                    schedule_read, text, _trial(*trial), words[0], words[1], words[2], typed(int, threads)
                )
                entries.append((typed(str, name), entry))
            except DAMAGES as error:
                self._warn_of_damage(error)
        return entries

    def _warn_of_damage(self, error: Exception) -> None:
        if not self._is_damaged:
            self._is_damaged = True
            warn_once(
                f"The database {self.path} of measured schedules is damaged; what cannot be read is left out"
                f" ({error!r:.200}). Move the file away, or set PIPEC_AUTOSCHEDULE_DB to another one."
            )

    def _task(self, key: TaskKey) -> int:
        """The row of a task, made when it is met for the first time."""
        if key not in self._tasks:
            with self._connection:
                execute = self._connection.execute
                execute(
                    "insert or ignore into pipelines (fingerprint, name, stages) values (?, '', '{}')",
                    (key.fingerprint,),
                )
                pipeline = _id(execute("select id from pipelines where fingerprint = ?", (key.fingerprint,)))
                values = (pipeline, *astuple(key)[1:])
                columns = "pipeline, target, sizes, machine, threads"
                execute(f"insert or ignore into tasks ({columns}) values (?, ?, ?, ?, ?)", values)
                where = " and ".join([f"{name} = ?" for name in columns.split(", ")])
                self._tasks[key] = _id(execute(f"select id from tasks where {where}", values))
        return self._tasks[key]

    def _trying(self, action: Callable[[], T]) -> T:
        try:
            return action()
        except FILE_DAMAGES as error:
            if self.in_memory:
                raise
            self._connection.close()
            self._go_on_in_memory(error)
            return action()

    def _go_on_in_memory(self, error: Exception) -> None:
        warn_once(
            f"The database {self.path} of measured schedules cannot be used ({error}): what is measured from now on is"
            " forgotten when the process ends. Move the file away, or set PIPEC_AUTOSCHEDULE_DB to another one."
        )
        self.in_memory = True
        self._tasks = {}
        self._connection = sqlite3.connect(":memory:")
        self._connection.executescript(_TABLES)


def _id(rows: sqlite3.Cursor) -> int:
    """The number of the row that was just made, or was there."""
    row = rows.fetchone()
    if row is None or type(row[0]) is not int:
        raise sqlite3.DatabaseError("a row that was stored is missing")
    return row[0]


def _opened(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            return _connected(path)
        except sqlite3.OperationalError as error:
            # SQLite does not wait for others that change a new file to a write-ahead log at the same time.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
        time.sleep(_PAUSE_SECONDS)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_PATIENCE_SECONDS)
    try:
        connection.execute("pragma trusted_schema = off")
        (version,) = connection.execute("pragma user_version").fetchone()
        if version not in (0, VERSION):
            raise sqlite3.DatabaseError(f"it is of version {version}, this pipec reads {VERSION}")
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = normal")
        connection.executescript(_TABLES)
        connection.execute(f"pragma user_version = {VERSION}")
    except FILE_DAMAGES:
        connection.close()
        raise
    return connection


def _trial(status: Any, milliseconds: Any, compile_seconds: Any, message: Any) -> Trial:
    times = [checked_time(time) for time in typed(list, json.loads(typed(str, milliseconds)))]
    trial = Trial(Status(status), tuple(times), checked_time(compile_seconds), typed(str, message))
    if trial.ok != bool(times):
        raise ValueError(f"a trial that is {trial.status.value} has {len(times)} times")
    return trial


def _text(data: Any) -> str:
    """A compressed text, which may not be of any length."""
    reader = zlib.decompressobj()
    text = reader.decompress(typed(bytes, data), MAX_TEXT_BYTES)
    if not reader.eof:
        raise ValueError("a text is cut short, or too long")
    return text.decode()
