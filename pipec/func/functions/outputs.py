"""The buffers that a Func is computed into when it is the output of a pipeline."""

from __future__ import annotations

from pipec.errors import DefinitionError
from pipec.func.functions.function import Function
from pipec.func.functions.parameter import Parameter


def output_parameters(function: Function) -> list[Parameter]:
    """One Parameter for each value of the Func, made when first asked for; demands on it bind every realization."""
    if not function.defined:
        raise DefinitionError(
            f"Error: Can't get the output buffer of the undefined Func {function.name} (made at {function.location})."
        )
    if not function.outputs:
        count = len(function.types)
        names = [function.name] if count == 1 else [f"{function.name}.{i}" for i in range(count)]
        function.outputs = [
            Parameter(kind, True, function.dimensions, name) for kind, name in zip(function.types, names, strict=True)
        ]
    return function.outputs
