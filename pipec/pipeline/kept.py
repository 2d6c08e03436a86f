"""Compiled pipelines kept on disk, under a key that is known before lowering."""

from __future__ import annotations

import pickle
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache as once
from pathlib import Path
from typing import Any

from pipec.diagnostics import write as write_log
from pipec.func.definition import PipelineDef
from pipec.ir.node import Node
from pipec.ir.program import Argument, Check, Notice
from pipec.ir.types import Type
from pipec.jit import cache
from pipec.jit.engine import CompiledProgram, load_program
from pipec.jit.host import host, llvm_version
from pipec.schedule.schedule import Schedule
from pipec.target import Target
from pipec.version import __version__

Facts = tuple[tuple[Argument, ...], tuple[Check, ...], tuple[Notice, ...]]


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
    """The code kept under `key`, with the arguments, checks and notices of its program."""
    data = cache.load(key)
    if data is None:
        return None
    try:
        arguments, checks, notices, object_key, entry, slots = pickle.loads(data)
    except (pickle.UnpicklingError, AttributeError, ImportError, EOFError, TypeError, ValueError) as error:
        write_log("cache", f"entry {key} cannot be read ({error}): compiling again")
        return None
    compiled = load_program(object_key, entry, slots)
    return None if compiled is None else (compiled, (arguments, checks, notices))


def keep(key: str, compiled: CompiledProgram, facts: Facts) -> None:
    cache.store(key, pickle.dumps((*facts, compiled.key, compiled.entry, compiled.slots)))


@once
def compiler_stamp() -> str:
    """Names, sizes and times of the compiler's sources: when one changes, what it made before counts no longer."""
    root = Path(__file__).parent.parent
    stamps = []
    for path in sorted(root.rglob("*.py")):
        status = path.stat()
        stamps.append(f"{path.relative_to(root)} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(stamps)


def _describe(value: Any, parts: list[str]) -> None:
    """Appends texts that are equal, in every process, only for equal values."""
    if isinstance(value, Node):
        parts.append(f"node {value.digest():x}")
    elif isinstance(value, Enum):
        parts.append(f"{type(value).__name__}.{value.name}")
    elif isinstance(value, str | int | float | bool | Type) or value is None:
        parts.append(f"{type(value).__name__} {value}")
    elif is_dataclass(value):
        parts.append(f"{type(value).__name__} of {len(fields(value))}")
        for field in fields(value):
            _describe(getattr(value, field.name), parts)
    elif isinstance(value, tuple | list):
        parts.append(f"list of {len(value)}")
        for item in value:
            _describe(item, parts)
    elif isinstance(value, dict):
        parts.append(f"dict of {len(value)}")
        for name, item in value.items():
            _describe(name, parts)
            _describe(item, parts)
    else:
        raise TypeError(f"cannot tell two {type(value).__name__} apart")
