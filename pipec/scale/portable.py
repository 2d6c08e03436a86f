"""Pipelines on their way to other processes and other times: what identifies them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from pipec.autoschedule.dag import fingerprint as algorithms
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import SourceLocation
from pipec.pipeline.calls.compile_cache import digest_of
from pipec.records import replace
from pipec.scale.windows import FrozenPipeline

_NOWHERE = SourceLocation()


def fingerprint(program: FrozenPipeline, scalars: Mapping[str, Any] | None = None) -> str:
    """A digest of all that a result depends on beside its images: definitions, schedule, Params, embedded Buffers.

    It does not depend on the lines where the program was written.
    """
    definition = program.definition
    funcs = {
        name: replace(
            func, location=_NOWHERE, stages=tuple([replace(stage, location=_NOWHERE) for stage in func.stages])
        )
        for name, func in definition.funcs.items()
    }
    parts = [digest_of(replace(definition, funcs=funcs), program.schedule)]
    return _digest([*parts, *_values(program, sorted(program.bindings), scalars)])


def algorithm_digest(program: FrozenPipeline, scalars: Mapping[str, Any] | None = None) -> str:
    """A digest of the algorithm, its Params and embedded Buffers; names and the schedule do not count.

    Funcs and ImageParams get other numbers in another process, and a run may go on with a faster schedule.
    """
    definition = program.definition
    names = [name for name in (*definition.images, *definition.scalars) if name in program.bindings]
    values = [value.partition(" ")[2] for value in _values(program, names, scalars)]
    return _digest([algorithms.fingerprint(definition).digest, *values])


def _values(program: FrozenPipeline, names: Iterable[str], scalars: Mapping[str, Any] | None) -> list[str]:
    """Name and value of each Param and embedded Buffer."""
    parts = []
    for name in names:
        bound = program.bindings[name]
        if isinstance(bound, Buffer):
            data = np.ascontiguousarray(bound.numpy()).reshape(-1).view(np.uint8)
            parts.append(f"{name} {hashlib.blake2b(data.data).hexdigest()}")
        elif not bound.is_buffer():
            parts.append(f"{name} {(scalars or {}).get(name, bound.scalar())!r}")
    return parts


def _digest(parts: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()
