"""The checks that `realize` makes in Python before each call, as statements of the program for C callers."""

from __future__ import annotations

import re
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
from pipec.jit.c.interface import ErrorCode, Message
from pipec.pipeline.calls.runnable import Requirement
from pipec.records import replace


def with_call_checks(
    program: Program, definition: PipelineDef, bindings: Mapping[str, Any], requirements: Sequence[Requirement]
) -> Program:
    """The program with checks of the ranges of Params, of requirements, and that the values of a Tuple agree."""
    asserts: list[Stmt] = []
    checks = list(program.checks)

    def demand(condition: Expr, check: Check, values: Sequence[Expr]) -> None:
        reported = tuple([build.slot_bits(_plain(value)) for value in values])
        asserts.append(Assert(_plain(condition), len(checks), reported))
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


def _plain(node: Expr) -> Expr:
    return rewrite(node, lambda n: Variable(n.type, n.name) if isinstance(n, ParameterRef) else n)


def _format(value: Expr) -> str:
    return "%g" if value.type.floating else "%lld"


# Checks of what whole strips of loops touch beyond the region asked for: the exact variant may pass them.
_BORDER = {
    "input_bounds": "Error: Input buffer {buffer} is accessed at [%lld, %lld] in dimension {dimension}, but covers"
    " [%lld, %lld]",
    "output_bounds": "Error: Output buffer {buffer} is accessed at [%lld, %lld] in dimension {dimension}, but covers"
    " [%lld, %lld]",
}
_ACCESS = ("required min", "required max", "min", "max")
# Kind of check -> code, format with the details in braces, the values that the format prints.
_FORMATS: dict[str, tuple[ErrorCode, str, tuple[str, ...]]] = {
    "expected_bounds": (
        ErrorCode.EXPLICIT_BOUNDS_TOO_SMALL,
        "Error: Bounds expected of {func} in {var} (%lld to %lld) do not cover required region (from %lld to %lld)",
        ("given min", "given max", "required min", "required max"),
    ),
    **{kind: (ErrorCode.ACCESS_OUT_OF_BOUNDS, text, _ACCESS) for kind, text in _BORDER.items()},
    "explicit_bounds": (
        ErrorCode.EXPLICIT_BOUNDS_TOO_SMALL,
        "Error: Bounds given for {func} in {var} (from %lld to %lld) do not cover required region (from %lld to %lld)",
        ("given min", "given max", "required min", "required max"),
    ),
    "constraint": (
        ErrorCode.CONSTRAINT_VIOLATED,
        "Error: Constraint violated: {buffer}.{what}.{dimension} (%lld) == %lld",
        ("actual", "wanted"),
    ),
    "extern_failed": (
        ErrorCode.GENERIC,
        "Error: Call to external stage {symbol} returned non-zero value: %lld",
        ("status",),
    ),
    "memo_failed": (ErrorCode.GENERIC, "Error: The results of memoised Funcs cannot be reached", ()),
    "fold": (
        ErrorCode.FOLD_FACTOR_TOO_SMALL,
        "Error: The fold factor (%lld) of dimension {var} of {func} is too small to store the required region accessed"
        " by its consumers (%lld)",
        ("fold factor", "required extent"),
    ),
    "extern_fold": (
        ErrorCode.BAD_EXTERN_FOLD,
        "Error: Cannot fold dimension {var} of {func} because extern stage {stage} accesses [%lld, %lld], which wraps"
        " around the boundary of the fold, which occurs at multiples of %lld",
        ("first", "last", "fold factor"),
    ),
    "split_factor": (
        ErrorCode.SPLIT_FACTOR_NOT_POSITIVE,
        "Error: Can't split {var} by %lld. Split factors must be strictly positive (in the schedule for {func})",
        ("factor",),
    ),
    "align_extent": (
        ErrorCode.GENERIC,
        "Error: Can't align the extent of {var} of {func} to a multiple of %lld: the number must be at least 1",
        ("modulus",),
    ),
    "storage_bound": (
        ErrorCode.STORAGE_BOUND_TOO_SMALL,
        "Error: The explicit allocation bound (%lld) of dimension {var} of {func} is too small to store the required"
        " region (%lld)",
        ("bound", "required extent"),
    ),
    "specialize_fail": (
        ErrorCode.SPECIALIZE_FAIL,
        "Error: A schedule specialized with specialize_fail() was chosen: {failure}",
        (),
    ),
    "param_low": (ErrorCode.PARAM_TOO_SMALL, "Error: Parameter {name} is {format} but must be at least {format}", ()),
    "param_high": (ErrorCode.PARAM_TOO_LARGE, "Error: Parameter {name} is {format} but must be at most {format}", ()),
    "require": (ErrorCode.REQUIREMENT_FAILED, "Error: Requirement Failed: (false) {message}", ()),
    "requirement": (ErrorCode.REQUIREMENT_FAILED, "Error: Requirement Failed: (false) {message}", ()),
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
    format_ = _FORMATS.get(check.kind)
    if format_ is None:
        values = " ".join([f"{name} %lld" for name in check.values])
        return Message(ErrorCode.GENERIC, f"Error: A check failed: {check.kind} {values}", _all(check))
    code, text, names = format_
    numbers = tuple([check.values.index(name) for name in names]) if names else _all(check)
    return Message(code, text.format_map(details), numbers, check.kind in (*_BORDER, "expected_bounds"))


def _all(check: Check) -> tuple[int, ...]:
    return tuple(range(len(check.values)))
