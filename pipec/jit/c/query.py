"""Bounds queries of C functions: the tables of runtime/queries.h, and the text of both files for files of C99."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from pipec.ir.program import ProgramArgumentKind
from pipec.jit.c.interface import CFunction, CParameter, type_bits

# The names of queries.c, which get a prefix in files of C99.
_OWN = (
    *("set_type", "is_query", "set_strides", "widen", "grow_outputs", "QueryBuffer", "Query", "Buffer", "Entry"),
    *("NO_QUERY", "QUERY_FAILED", "MAX_QUERY_STEPS"),
)
# What tables.h declares otherwise.
_TYPES = """\
typedef struct halide_buffer_t pipec_Buffer;
typedef int pipec_Entry(int64_t *slots);

static void pipec_set_type(pipec_Buffer *buffer, int32_t type) {
    buffer->type = (struct halide_type_t){type & 255, type >> 8 & 255, type >> 16 & 65535};
}
"""
# Bits of `fixed` for each dimension.
_MAX_DIMENSIONS = 15


class QueryBuffer(NamedTuple):
    """A QueryBuffer of runtime/queries.h, where its fields are explained."""

    slot: int
    result: int
    dimensions: int
    type: int
    leader: int
    fixed: int


class QueryTable(NamedTuple):
    """`buffers`: of `parameters`. `slot`: that of the results' address. `slots`, `results`: how many there are."""

    parameters: tuple[CParameter, ...]
    buffers: tuple[QueryBuffer, ...]
    slot: int
    slots: int
    results: int


def query_table(function: CFunction) -> QueryTable:
    """The buffers that may be without memory, in the order of the arguments of the programs."""
    query = function.query
    first = {} if isinstance(query, str) else dict(query.first)
    fixed = frozenset() if isinstance(query, str) else query.fixed
    parameters: list[CParameter] = []
    rows: list[QueryBuffer] = []
    places: dict[str, int] = {}
    slot = results = 0
    for argument in function.variants[0].program.arguments:
        dimensions, name = argument.dimensions, argument.name
        parameter = function.parameter_of(name)
        if argument.kind is not ProgramArgumentKind.SCALAR and parameter is not None:
            places[name] = len(rows)
            leader = places[first[name]] if name in first else -1
            bits = sum([1 << 2 * d + k for d in range(dimensions) for k in (0, 1) if (name, d, k) in fixed])
            parameters.append(parameter)
            rows.append(QueryBuffer(slot, results, dimensions, type_bits(argument.type), leader, bits))
        slot += 1 + 3 * dimensions
        results += 3 * dimensions
    # The last argument of the query is the buffer of its results.
    return QueryTable(tuple(parameters), tuple(rows), slot, slot + 4, max(results, 1))


def query_problem(function: CFunction) -> str | None:
    """Why a function answers no bounds queries; None where it does."""
    if isinstance(function.query, str):
        return function.query
    if any(argument.dimensions > _MAX_DIMENSIONS for argument in function.query.program.arguments):
        return f"Error: Buffers of more than {_MAX_DIMENSIONS} dimensions have no bounds queries."
    return None


def answer_text() -> str:
    """runtime/queries.h and queries.c as a part of a file of C99."""
    folder = Path(__file__).parent.parent / "runtime"
    lines = [line for name in ("queries.h", "queries.c") for line in (folder / name).read_text("utf-8").splitlines()]
    text = "\n".join([line for line in lines if not line.startswith("#")])
    # No function of a user has such a name.
    text = re.sub(rf"\b({'|'.join(_OWN)})\b", r"pipec_\1", text)
    text = text.replace("PUBLIC ", "static ").replace("\nint32_t pipec_answer", "\nstatic int32_t pipec_answer")
    text = text.replace("ERROR_BYTES", "sizeof pipec_error")
    return f"{_TYPES}{text}\n"
