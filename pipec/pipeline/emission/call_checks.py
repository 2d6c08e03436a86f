"""The checks that `realize` makes in Python before each call, as statements of the program for C callers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import PipelineDef
from pipec.ir import build
from pipec.ir.expr import Expr, Variable
from pipec.ir.program import BORDER_CHECKS, Check, Program
from pipec.ir.stmt import Assert, Stmt
from pipec.ir.types import INT32
from pipec.jit.c.interface import ErrorCode, Message
from pipec.lower.planning.arguments import as_variables
from pipec.pipeline.calls.error_text import CHECK_TEXTS
from pipec.pipeline.calls.runnable import Requirement
from pipec.records import replace


def with_call_checks(
    program: Program, definition: PipelineDef, bindings: Mapping[str, Any], requirements: Sequence[Requirement]
) -> Program:
    """The program with checks of the ranges of Params, of requirements, and that the values of a Tuple agree."""
    asserts: list[Stmt] = []
    checks = list(program.checks)

    def demand(condition: Expr, check: Check, values: Sequence[Expr]) -> None:
        reported = tuple([build.slot_bits(as_variables(value)) for value in values])
        asserts.append(Assert(as_variables(condition), len(checks), reported))
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
    for actual, expected in _same_shape(definition):
        buffer, what, dimension = actual.name.rsplit(".", 2)
        place = (("buffer", buffer), ("what", what), ("dimension", dimension))
        demand(build.eq(actual, expected), Check("constraint", place, ("actual", "wanted")), (actual, expected))
    if not asserts:
        return program
    return replace(program, body=build.block([*asserts, program.body]), checks=tuple(checks))


def _same_shape(definition: PipelineDef) -> list[tuple[Variable, Variable]]:
    """Pairs of properties that must be equal: those of the buffers of one Func's values."""
    pairs = []
    for name in definition.outputs:
        func = definition.funcs[name]
        for index in range(1, len(func.types)):
            for what in ("min", "extent"):
                for d in range(len(func.args)):
                    first, other = [Variable(INT32, f"{name}.{k}.{what}.{d}") for k in (0, index)]
                    pairs.append((other, first))
    return pairs


def _format(value: Expr) -> str:
    return "%g" if value.type.floating else "%lld"


_CODES: dict[str, ErrorCode] = {
    "constraint": ErrorCode.CONSTRAINT_VIOLATED,
    "expected_bounds": ErrorCode.EXPLICIT_BOUNDS_TOO_SMALL,
    "explicit_bounds": ErrorCode.EXPLICIT_BOUNDS_TOO_SMALL,
    "extern_fold": ErrorCode.BAD_EXTERN_FOLD,
    "fold": ErrorCode.FOLD_FACTOR_TOO_SMALL,
    "input_bounds": ErrorCode.ACCESS_OUT_OF_BOUNDS,
    "output_bounds": ErrorCode.ACCESS_OUT_OF_BOUNDS,
    "param_high": ErrorCode.PARAM_TOO_LARGE,
    "param_low": ErrorCode.PARAM_TOO_SMALL,
    "require": ErrorCode.REQUIREMENT_FAILED,
    "requirement": ErrorCode.REQUIREMENT_FAILED,
    "specialize_fail": ErrorCode.SPECIALIZE_FAIL,
    "split_factor": ErrorCode.SPLIT_FACTOR_NOT_POSITIVE,
    "storage_bound": ErrorCode.STORAGE_BOUND_TOO_SMALL,
}
_REQUIREMENT = "Error: Requirement Failed: (false) {message}"
_OUTSIDE = "is accessed at [{required min}, {required max}] in dimension {dimension}, but covers [{min}, {max}]"
_TEXTS: dict[str, str] = {
    **{kind: own.text for kind, own in CHECK_TEXTS.items()},
    "constraint": "Error: Constraint violated: {buffer}.{what}.{dimension} ({actual}) == {wanted}",
    "expected_bounds": "Error: Bounds expected of {func} in {var} ({given min} to {given max}) do not cover required"
    " region (from {required min} to {required max})",
    "input_bounds": f"Error: Input buffer {{buffer}} {_OUTSIDE}",
    "memo_failed": "Error: The results of memoised Funcs cannot be reached",
    "output_bounds": f"Error: Output buffer {{buffer}} {_OUTSIDE}",
    "param_high": "Error: Parameter {name} is {format} but must be at most {format}",
    "param_low": "Error: Parameter {name} is {format} but must be at least {format}",
    "require": _REQUIREMENT,
    "requirement": _REQUIREMENT,
}


def messages(program: Program) -> tuple[Message, ...]:
    """The meaning of each check."""
    return tuple([_message(check) for check in program.checks])


def _message(check: Check) -> Message:
    # The numbers that make names unique mean nothing to a caller from C.
    details = {name: re.sub(r"\$\d+", "", value).replace("%", "%%") for name, value in check.details}
    # These two hold conversions themselves.
    own = {name: value.replace("%B", "%lld") for name, value in check.details if name in ("message", "format")}
    details.update(own)
    text = _TEXTS.get(check.kind) or " ".join(
        [f"Error: A check failed: {check.kind}", *[f"{name} {{{name}}}" for name in check.values]]
    )
    printed = [name for _, name, _, _ in Formatter().parse(text) if name in check.values]
    # Requirements and limits of Params print all their values.
    numbers = tuple(map(check.values.index, printed)) or tuple(range(len(check.values)))
    text = text.format_map(details | dict.fromkeys(printed, "%lld"))
    return Message(_CODES.get(check.kind, ErrorCode.GENERIC), text, numbers, check.kind in BORDER_CHECKS)
