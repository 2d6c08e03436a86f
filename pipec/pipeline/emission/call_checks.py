"""What `realize` checks in Python before each call, as statements of the program: C callers have no Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import PipelineDef
from pipec.ir import build
from pipec.ir.expr import Expr, ParameterRef, Variable
from pipec.ir.program import Check, Program
from pipec.ir.stmt import Assert, Stmt
from pipec.ir.types import INT32
from pipec.ir.walk import rewrite
from pipec.pipeline.calls.runnable import Requirement
from pipec.records import replace


def with_call_checks(
    program: Program, definition: PipelineDef, bindings: Mapping[str, Any], requirements: Sequence[Requirement]
) -> Program:
    """The program with checks of the ranges of Params, of requirements, and that the values of a Tuple agree."""
    asserts: list[Stmt] = []
    checks = list(program.checks)

    def demand(condition: Expr, check: Check, values: Sequence[Expr]) -> None:
        told = tuple([build.slot_bits(_plain(value)) for value in values])
        asserts.append(Assert(_plain(condition), len(checks), told))
        checks.append(check)

    for name, bound in bindings.items():
        if isinstance(bound, Buffer) or bound.is_buffer():
            continue
        value = Variable(bound.type(), name)
        details = (("name", name), ("format", _format(value)))
        low, high = bound.min_value(), bound.max_value()
        if low.defined():
            demand(build.ge(value, low.node), Check("param_low", details, ("value", "limit")), (value, low.node))
        if high.defined():
            demand(build.le(value, high.node), Check("param_high", details, ("value", "limit")), (value, high.node))
    for condition, parts in requirements:
        words = [part.replace("%", "%%") if isinstance(part, str) else _format(part) for part in parts]
        values = [part for part in parts if not isinstance(part, str)]
        names = tuple([f"value {number}" for number in range(len(values))])
        demand(condition, Check("requirement", (("message", " ".join(words)),), names), values)
    for actual, wanted in _same_shape(definition):
        buffer, what, dimension = actual.name.rsplit(".", 2)
        place = (("buffer", buffer), ("what", what), ("dimension", dimension))
        demand(build.eq(actual, wanted), Check("constraint", place, ("actual", "wanted")), (actual, wanted))
    if not asserts:
        return program
    return replace(program, body=build.block([*asserts, program.body]), checks=tuple(checks))


def _same_shape(definition: PipelineDef) -> list[tuple[Variable, Variable]]:
    """Pairs of properties that must be equal: those of the buffers of one Func's values."""
    found = []
    for name in definition.outputs:
        func = definition.funcs[name]
        for index in range(1, len(func.types)):
            for what in ("min", "extent"):
                for d in range(len(func.args)):
                    first, other = [Variable(INT32, f"{name}.{k}.{what}.{d}") for k in (0, index)]
                    found.append((other, first))
    return found


def _plain(node: Expr) -> Expr:
    return rewrite(node, lambda n: Variable(n.type, n.name) if isinstance(n, ParameterRef) else n)


def _format(value: Expr) -> str:
    return "%g" if value.type.floating else "%lld"
