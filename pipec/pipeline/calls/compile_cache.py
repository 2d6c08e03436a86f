"""The compile cache of pipelines: entries on disk under keys that are computed before lowering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from types import NoneType
from typing import Any

from pipec.diagnostics import write as write_log
from pipec.func.functions.definition import PipelineDef
from pipec.ir.node import Node
from pipec.ir.tensor import tensor_intrinsics
from pipec.ir.types import Type
from pipec.jit.engine import CompiledProgram, load_program
from pipec.jit.llvm.machine import host, llvm_version
from pipec.jit.objects import cache
from pipec.jit.objects.source_digest import COMPILER, source_digest
from pipec.pipeline.calls.program_facts import ObjectReference, ProgramFacts, from_json, to_json
from pipec.records import fields, is_dataclass
from pipec.schedule.schedule import Schedule
from pipec.schedule.tensorize import Tensorize
from pipec.target import Target

Writer = Callable[[Any, list[str]], None]
_writers: dict[type, Writer] = {}


def pipeline_key(
    definition: PipelineDef, schedule: Schedule, target: Target, exact_tails: bool, clocked: bool = False
) -> str:
    """Returns the cache key of a pipeline's code, the compiler included; empty when it may not be cached.

    `clocked`: the code counts the time of its groups.
    """
    if not cache.enabled():
        return ""
    parts = [source_digest(COMPILER), llvm_version(), repr(host()), str(target), f"{exact_tails} {clocked}"]
    try:
        _describe(definition, parts)
        _describe(schedule, parts)
        _describe_intrinsics(schedule, parts)
    except TypeError as error:
        write_log("cache", f"{definition.name} is not cached: {error}")
        return ""
    return cache.key_of("pipeline", *parts)


def _describe_intrinsics(schedule: Schedule, parts: list[str]) -> None:
    """Appends the declarations of the tensor intrinsics that a schedule names."""
    names = [directive.intrinsic for directive in schedule.directives if isinstance(directive, Tensorize)]
    if names:
        declared = tensor_intrinsics()
        parts += [f"tensor {declared[name].digest}" for name in names if name in declared]


def load(key: str, profiled: bool) -> tuple[CompiledProgram, ProgramFacts] | None:
    """The machine code and the facts of the program that is cached under `key`; None when there is none.

    `profiled`: it was compiled for profiling.
    """
    data = cache.load(key)
    if data is None:
        return None
    try:
        facts, code = from_json(data)
    except (ValueError, TypeError, RecursionError) as error:
        write_log("cache", f"entry {key} cannot be read ({error}): compiling again")
        return None
    compiled = load_program(*code, profiled)
    return None if compiled is None else (compiled, facts)


def store(key: str, compiled: CompiledProgram, facts: ProgramFacts) -> None:
    """Writes the entry of a program; its machine code has an entry of its own."""
    code = ObjectReference(compiled.key, compiled.slots)
    cache.store(key, to_json(facts, code).encode())


def digest_of(*values: Any) -> str:
    """A digest of definitions and schedules, the same in every process. Raises TypeError for other values."""
    parts: list[str] = []
    for value in values:
        _describe(value, parts)
    return cache.key_of(*parts)


def _describe(value: Any, parts: list[str]) -> None:
    """Appends texts that are equal, in every process, only for equal values."""
    kind = type(value)
    write = _writers.get(kind)
    if write is None:
        write = _writers[kind] = _writer(kind)
    write(value, parts)


def _writer(kind: type) -> Writer:
    """Returns the function that describes values of a type."""
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
