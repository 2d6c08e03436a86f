"""Measured schedules as compressed text: small enough for the repository, so that anyone can train."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pipec.autoschedule.cost.host_machine import rates_of
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.measure.database import Database
from pipec.errors import ArgumentError
from pipec.records import replace

VERSION = 2
MAX_RATE = 1e30
"""Rates and times above this are damage."""
DAMAGES = (OSError, EOFError, ValueError, KeyError, StopIteration, RecursionError, lzma.LZMAError)

Machines = Mapping[str, MachineModel]


class Measured(NamedTuple):
    """One schedule of a random pipeline that was timed. `decisions`: its state as text; `milliseconds`: of the shortest
    run; `source`: the round of data it belongs to.
    """

    pipeline: str
    machine: str
    threads: int
    source: str
    decisions: str
    milliseconds: float


def in_database(database: Database) -> Iterator[Measured]:
    """All that were timed and whose state is known."""
    for name, entry in database.all_entries():
        if entry.trial.ok and entry.decisions:
            yield Measured(name, entry.machine, entry.threads, entry.source, entry.decisions, entry.trial.minimum)


def write(measured: Iterable[Measured], machines: Machines, path: Path) -> int:
    """Write an archive, a line for each pipeline, machine and number of threads; returns how many schedules it has.

    `machines`: the rates of those that were measured; the first line has them.
    """
    groups: dict[tuple[str, str, int, str], list[tuple[str, float]]] = {}
    for one in measured:
        groups.setdefault(one[:4], []).append((one.decisions, round(one.milliseconds, 5)))
    with lzma.open(path, "wt", encoding="utf-8", preset=9) as file:
        rates = {name: rates_of(machine) for name, machine in machines.items()}
        print(json.dumps({"version": VERSION, "machines": rates}), file=file)
        for (pipeline, machine, threads, source), times in sorted(groups.items()):
            line = {"pipeline": pipeline, "machine": machine, "threads": threads, "source": source, "times": times}
            print(json.dumps(line, separators=(",", ":")), file=file)
    return sum(map(len, groups.values()))


def read(path: Path) -> Iterator[Measured]:
    """What `write` wrote; ArgumentError when the file is something else."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            _first(next(file))
            for line in file:
                yield from _group(json.loads(line))
    except DAMAGES as error:
        raise _no_archive(path, error) from error


def machines_in(path: Path) -> dict[str, MachineModel]:
    """The rates of the machines of an archive; ArgumentError when the file is something else."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            match _first(next(file)):
                case {"machines": dict(machines)}:
                    return {name: _machine(rates) for name, rates in machines.items()}
        raise ValueError("it has no machines")
    except DAMAGES as error:
        raise _no_archive(path, error) from error


def _first(line: str) -> dict[str, Any]:
    header = json.loads(line)
    if not isinstance(header, dict) or header.get("version") != VERSION:
        raise ValueError("another version")
    return header


def _group(data: Any) -> Iterator[Measured]:
    match data:
        case {"pipeline": str(pipeline), "machine": str(machine), "threads": int(threads), "source": str(source)}:
            for pair in data["times"] if isinstance(data["times"], list) else [None]:
                match pair:
                    case [str(decisions), int() | float() as milliseconds] if 0 < milliseconds < MAX_RATE:
                        yield Measured(pipeline, machine, threads, source, decisions, float(milliseconds))
                    case _:
                        raise ValueError(f"{pair!r:.80} is no state with its time")
        case _:
            raise ValueError(f"{data!r:.80} is nothing that was measured")


def _machine(rates: Any) -> MachineModel:
    shipped = rates_of(MachineModel())
    if not isinstance(rates, dict) or not rates.keys() <= shipped.keys():
        raise ValueError(f"{rates!r:.80} are no rates of a machine")
    for name, rate in rates.items():
        # A task may take less time than the clock resolves.
        if type(rate) not in (int, float) or not abs(rate) < MAX_RATE or (rate <= 0 and name != "task"):
            raise ValueError(f"{rate!r:.80} is no {name} of a machine")
    return replace(MachineModel(), **rates)


def _no_archive(path: Path, error: Exception) -> ArgumentError:
    return ArgumentError(
        f"Error: {path} is no archive of measured schedules of version {VERSION} ({error or 'it is empty'}); the"
        " command `export` writes them."
    )
