"""Compiled pipelines kept on disk, under a key that is known before lowering."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache as once
from pathlib import Path
from types import NoneType
from typing import Any

from pipec.diagnostics import write as write_log
from pipec.func.functions.definition import PipelineDef
from pipec.ir.node import Node
from pipec.ir.program import Argument, Check, DeviceCode, Notice
from pipec.ir.types import Type
from pipec.jit.engine import CompiledProgram, load_program
from pipec.jit.llvm.host import host, llvm_version
from pipec.jit.objects import cache
from pipec.records import fields, is_dataclass
from pipec.schedule.schedule import Schedule
from pipec.target import Target
from pipec.version import __version__

Writer = Callable[[Any, list[str]], None]
_writers: dict[type, Writer] = {}
Facts = tuple[tuple[Argument, ...], tuple[Check, ...], tuple[Notice, ...], DeviceCode | None]


def pipeline_key(definition: PipelineDef, schedule: Schedule, target: Target, exact_tails: bool) -> str:
    """What the code of a pipeline depends on, the compiler itself included; empty when nothing may be kept."""
    if not cache.enabled():
        return ""
    parts = [__version__, compiler_stamp(), llvm_version(), repr(host()), str(target), str(exact_tails)]
    try:
        _describe(definition, parts)
        _describe(schedule, parts)
    except TypeError as error:
        write_log("cache", f"{definition.name} is not kept: {error}")
        return ""
    return cache.key_of("pipeline", *parts)


def find(key: str) -> tuple[CompiledProgram, Facts] | None:
    """The code kept under `key`, with the arguments, checks, notices and device code of its program."""
    data = cache.load(key)
    if data is None:
        return None
    try:
        arguments, checks, notices, device, object_key, entry, slots = pickle.loads(data)
    except (pickle.UnpicklingError, AttributeError, ImportError, EOFError, TypeError, ValueError) as error:
        write_log("cache", f"entry {key} cannot be read ({error}): compiling again")
        return None
    compiled = load_program(object_key, entry, slots)
    return None if compiled is None else (compiled, (arguments, checks, notices, device))


def keep(key: str, compiled: CompiledProgram, facts: Facts) -> None:
    cache.store(key, pickle.dumps((*facts, compiled.key, compiled.entry, compiled.slots)))


@once
def compiler_stamp() -> str:
    """Names, sizes and times of the compiler's sources: when one changes, what it made before counts no longer."""
    stamps: list[str] = []
    _stamp(str(Path(__file__).parents[2]), stamps)
    return "\n".join(sorted(stamps))


def _stamp(folder: str, stamps: list[str]) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                stamps.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")
            elif entry.is_dir() and entry.name != "__pycache__":
                _stamp(entry.path, stamps)


def _describe(value: Any, parts: list[str]) -> None:
    """Appends texts that are equal, in every process, only for equal values."""
    kind = type(value)
    write = _writers.get(kind)
    if write is None:
        write = _writers[kind] = _writer(kind)
    write(value, parts)


def _writer(kind: type) -> Writer:
    """What describes values of a type."""
    name = kind.__name__
    if issubclass(kind, Node):
        return lambda value, parts: parts.append(f"node {value.digest():x}")
    if issubclass(kind, Enum):
        return lambda value, parts: parts.append(f"{name}.{value.name}")
    if issubclass(kind, str | int | float | Type | NoneType):
        return lambda value, parts: parts.append(f"{name} {value}")
    if is_dataclass(kind):
        return _describe_fields(name, [field.name for field in fields(kind)])
    if issubclass(kind, tuple | list):
        return _describe_items
    if issubclass(kind, dict):
        return lambda value, parts: _describe_items([part for item in value.items() for part in item], parts)
    raise TypeError(f"cannot tell two {name} apart")


def _describe_fields(name: str, names: list[str]) -> Writer:
    def describe(value: Any, parts: list[str]) -> None:
        parts.append(f"{name} of {len(names)}")
        for field in names:
            _describe(getattr(value, field), parts)

    return describe


def _describe_items(value: Sequence[Any], parts: list[str]) -> None:
    parts.append(f"list of {len(value)}")
    for item in value:
        _describe(item, parts)
