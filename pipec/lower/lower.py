"""From definitions and a schedule to a Program that a back end compiles."""

from __future__ import annotations

import time

from pipec import diagnostics
from pipec.deep_stack import with_deep_stack
from pipec.func.functions.definition import ImageDef, PipelineDef
from pipec.ir import build
from pipec.ir.expr import Expr, const
from pipec.ir.program import Argument, ArgumentKind, Program
from pipec.ir.simplify import simplify
from pipec.ir.stmt import Stmt
from pipec.ir.types import UInt
from pipec.ir.verify import Stage, Verified, verify
from pipec.lower.legality.check_gpu_loops import check_gpu_loops
from pipec.lower.legality.check_schedule import check_schedule
from pipec.lower.passes.debug_files import with_debug_files
from pipec.lower.passes.fork_async import fork_async
from pipec.lower.passes.nontemporal_stores import stream_wishes
from pipec.lower.passes.tracing import trace_wishes, traced
from pipec.lower.pipeline import run_passes, verifying
from pipec.lower.planning.build_statement import build_statement
from pipec.lower.planning.effects import drop_requirements
from pipec.lower.planning.make_plan import make_plan
from pipec.lower.planning.plan import CheckPlan, Plan, buffer_symbol, output_buffers
from pipec.lower.planning.references import as_variables
from pipec.schedule.directive import AlignBounds
from pipec.schedule.schedule import Schedule
from pipec.target import Target, TargetFeature


def lower(definition: PipelineDef, schedule: Schedule, target: Target, *, exact_tails: bool = False) -> Program:
    """The Program of a pipeline. With `exact_tails` every split is guarded: slower, but exact for every size.

    Raises ScheduleError for an illegal schedule and BoundsError for a region that has no bounds.
    """
    return with_deep_stack(_lower, definition, schedule, target, exact_tails)


def _lower(definition: PipelineDef, schedule: Schedule, target: Target, exact_tails: bool) -> Program:
    started = time.perf_counter()
    check_schedule(definition, schedule)
    plan = make_plan(definition, _unaligned(schedule) if exact_tails else schedule, exact_tails)
    if target.has_feature(TargetFeature.NoAsserts):
        drop_requirements(plan)
    arguments = program_arguments(definition)
    _check_constraints(plan, arguments)
    stmt, checks, notices = build_statement(plan)
    check_gpu_loops(stmt, target)
    told = list(notices)
    stmt = with_debug_files(stmt, plan, told)
    wishes = trace_wishes(plan, target)
    if wishes.any:
        stmt = traced(stmt, plan, wishes, told)
    stmt = fork_async(stmt, plan)
    diagnostics.write("time", f"plan: {1000 * (time.perf_counter() - started):.1f} ms")
    if diagnostics.enabled("passes"):
        diagnostics.write("passes", f"plan\n{stmt}")
    verified = Verified()
    body = run_passes(stmt, known_strides(definition, arguments), exact_tails, verified)
    streams = stream_wishes(definition, schedule, body)
    program = Program(definition.name, arguments, body, checks, tuple(told), streams)
    if verifying():
        verify(program, Stage.LOWERED, "lower", verified)
    return program


def _unaligned(schedule: Schedule) -> Schedule:
    """Without what makes bounds grow: the inputs may not have as much."""
    return Schedule(tuple([directive for directive in schedule.directives if not isinstance(directive, AlignBounds)]))


def conceptual_statement(definition: PipelineDef, schedule: Schedule) -> Stmt:
    """The loops of a pipeline before the passes: Funcs still have coordinates instead of flat storage."""
    check_schedule(definition, schedule)
    stmt, *_ = with_deep_stack(build_statement, make_plan(definition, schedule, False))
    return stmt


def program_arguments(definition: PipelineDef) -> tuple[Argument, ...]:
    """Images, scalars, then outputs (one for each element of a Tuple)."""
    arguments = [Argument(i.name, ArgumentKind.INPUT, i.type, i.dimensions) for i in definition.images.values()]
    arguments += [Argument(name, ArgumentKind.SCALAR, type_) for name, type_ in definition.scalars.items()]
    for output in definition.outputs:
        func = definition.funcs[output]
        for buffer, type_ in zip(output_buffers(func), func.types, strict=True):
            arguments.append(Argument(buffer, ArgumentKind.OUTPUT, type_, len(func.args)))
    return tuple(arguments)


def known_strides(definition: PipelineDef, arguments: tuple[Argument, ...]) -> dict[tuple[str, int], Expr]:
    """The stride of each dimension of each buffer argument: a constant where it is constrained to one."""
    strides: dict[tuple[str, int], Expr] = {}
    for argument in arguments:
        image = definition.images.get(argument.name) or _output(definition, argument.name)
        for dimension in range(argument.dimensions):
            given = _constraint(image, dimension)[2]
            value = None if given is None else simplify(as_variables(given))
            if value is not None and build.constant(value) is not None:
                strides[argument.name, dimension] = value
            else:
                strides[argument.name, dimension] = buffer_symbol(argument.name, "stride", dimension)
    return strides


def _output(definition: PipelineDef, name: str) -> ImageDef:
    """The constraints of an output buffer: a dense first dimension unless the user said otherwise."""
    return definition.output_constraints.get(name) or ImageDef(name, UInt(8), 1, ((None, None, const(1)),))


def _constraint(image: ImageDef, dimension: int) -> tuple[Expr | None, Expr | None, Expr | None]:
    return image.constraints[dimension] if dimension < len(image.constraints) else (None, None, None)


def _check_constraints(plan: Plan, arguments: tuple[Argument, ...]) -> None:
    """A check for each minimum, extent and stride that a buffer argument must have."""
    definition = plan.definition
    for argument in arguments:
        image = definition.images.get(argument.name) or _output(definition, argument.name)
        for dimension in range(argument.dimensions):
            for what, given in zip(("min", "extent", "stride"), _constraint(image, dimension), strict=True):
                if given is None:
                    continue
                wanted = plan.simplifier(as_variables(given))
                actual = buffer_symbol(argument.name, what, dimension)
                details = (("buffer", argument.name), ("dimension", str(dimension)), ("what", what))
                condition = build.eq(actual, wanted)
                # First, so that a wrong stride is told before what follows from it.
                plan.checks.insert(
                    0, CheckPlan(condition, "constraint", details, (("actual", actual), ("wanted", wanted)))
                )
