"""The target feature debug: lines that say when a pipeline begins and ends, for which target and on what arguments."""

from __future__ import annotations

from pipec.ir.build import NOTHING, block
from pipec.ir.expr import TRUE, Expr, Variable
from pipec.ir.program import Notice, ProgramArgument, ProgramArgumentKind
from pipec.ir.stmt import Report, Stmt
from pipec.ir.types import INT32, Type
from pipec.lower.context import LoweringContext
from pipec.lower.passes.tracing import after_checks
from pipec.lower.planning.arguments import program_arguments
from pipec.target import TargetFeature


def with_debug_calls(context: LoweringContext) -> Stmt:
    """The statement between Reports of its arguments; it is left as it is for targets without the feature."""
    if not context.target.has_feature(TargetFeature.Debug):
        return context.stmt
    name = context.definition.name.partition("$")[0]
    lines: list[list[str | Expr]] = [[f"Entering Pipeline {name}"], [f"Target: {context.target}"]]
    lines += [_argument_line(argument) for argument in program_arguments(context.definition)]
    begin, end = [_report(context, line) for line in lines], _report(context, [f"Exiting Pipeline {name}"])
    return after_checks(context.stmt, lambda stmt: block([*begin, stmt, end]))


def _argument_line(argument: ProgramArgument) -> list[str | Expr]:
    own = argument.name.partition("$")[0]
    if argument.kind is ProgramArgumentKind.SCALAR:
        return [f" Input {own}: {argument.type}", Variable(argument.type, argument.name)]
    word = "Output" if argument.kind is ProgramArgumentKind.OUTPUT else "Input"
    line: list[str | Expr] = [f" {word} Buffer {own}: {argument.type}"]
    for d in range(argument.dimensions):
        properties = [Variable(INT32, f"{argument.name}.{what}.{d}") for what in ("min", "extent", "stride")]
        line += [", min extent stride", *properties] if d else ["min extent stride", *properties]
    return line


def _report(context: LoweringContext, line: list[str | Expr]) -> Stmt:
    parts: list[str | Type] = [part if isinstance(part, str) else part.type for part in line]
    context.notices.append(Notice("print", tuple(parts)))
    values = tuple([part for part in line if not isinstance(part, str)])
    return Report(len(context.notices) - 1, values, TRUE, "", NOTHING)
