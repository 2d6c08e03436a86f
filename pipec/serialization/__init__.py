"""Pipelines as data: written to a file or bytes, and read by this process or another one.

In: a Pipeline with its schedule. Out: JSON; what is read from it passes all checks of a user's own program.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from pipec.errors import ArgumentError
from pipec.func.functions.parameter import Parameter
from pipec.jit.objects.output_file import write_file
from pipec.pipeline.pipeline import Pipeline
from pipec.serialization.reader import parameters_in, pipeline_in
from pipec.serialization.writer import external_parameters, pipeline_data

__all__ = ["deserialize_parameters", "deserialize_pipeline", "serialize_pipeline"]

FileName = str | os.PathLike[str]


def serialize_pipeline(pipeline: Pipeline, filename: FileName | None = None, *, get_params: bool | None = None) -> Any:
    """Writes the pipeline, its schedule and embedded Buffers to a file, or returns them as bytes.

    `get_params=True` also returns {name: Parameter} of its Params and ImageParams. Values of Params are not written.
    """
    if not isinstance(pipeline, Pipeline):
        raise TypeError(f"serialize_pipeline(): incompatible function arguments: {pipeline!r} is no Pipeline")
    data = pipeline_data(pipeline)
    parameters = external_parameters(pipeline) if get_params else None
    if filename is None:
        return data if parameters is None else (data, parameters)
    write_file(filename, data)
    return parameters


def deserialize_pipeline(
    source: bytes | FileName,
    user_params: Mapping[str, Parameter] | None = None,
    *,
    extern_functions: Collection[str] = (),
) -> Pipeline:
    """The pipeline that serialize_pipeline wrote, from its bytes or its file.

    `user_params`: Parameters that replace those with their names in the data. `extern_functions`: the C functions that
    its extern stages may call; data that name any other function raise ArgumentError, since their origin is unknown.
    """
    parameters = {} if user_params is None else dict(user_params)
    for name, parameter in parameters.items():
        if not isinstance(parameter, Parameter):
            raise TypeError(f"deserialize_pipeline(): incompatible function arguments: {name} is {parameter!r}")
    return pipeline_in(_bytes(source), parameters, frozenset(extern_functions))


def deserialize_parameters(source: bytes | FileName) -> dict[str, Parameter]:
    """The Parameters of the Params and ImageParams of a pipeline that serialize_pipeline wrote, by name."""
    return parameters_in(_bytes(source))


def _bytes(source: bytes | FileName) -> bytes:
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    try:
        return Path(source).read_bytes()
    except OSError as error:
        raise ArgumentError(f"Error: Cannot read the serialized pipeline {source}: {error.strerror}.") from None
