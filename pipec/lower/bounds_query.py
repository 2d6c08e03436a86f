"""The bounds query of a pipeline as a Program: it stores the regions that a call requires, and runs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pipec.bounds.box import Box
from pipec.errors import NotSupportedError
from pipec.func.functions.definition import PipelineDef
from pipec.ir import build
from pipec.ir.expr import TRUE, Const, Expr, ImageCall, Intrinsic, Variable, const
from pipec.ir.program import BoundsQuery, Program, ProgramArgument, ProgramArgumentKind
from pipec.ir.stmt import Store
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, instances
from pipec.lower.lower import make_plan
from pipec.lower.passes.simplify_statement import simplify_statement
from pipec.lower.planning.arguments import as_variables, constraint_of, program_arguments
from pipec.lower.planning.extern_stage import queried_image_boxes
from pipec.lower.planning.names import ambiguous_scalars, buffer_symbol, output_buffers, scalar_alias
from pipec.lower.planning.plan import LoweringPlan
from pipec.lower.statements import with_lets
from pipec.schedule.schedule import Schedule

RESULT = "required"


def bounds_query(definition: PipelineDef, schedule: Schedule) -> BoundsQuery:
    """The bounds query of a pipeline.

    Raises NotSupportedError where a region depends on elements of an input, or on what an extern stage says.
    """
    plan = make_plan(definition, schedule, exact_tails=True)
    if next(queried_image_boxes(plan), None) is not None:
        raise _unknown(definition, "what an extern stage reads")
    boxes, first = dict(plan.input_boxes), {}
    for output in definition.outputs:
        func = plan.funcs[output]
        buffers = output_buffers(func.definition)
        boxes.update(dict.fromkeys(buffers, func.storage))
        first.update(dict.fromkeys(buffers, buffers[0]))
    arguments = program_arguments(definition)
    values: list[Expr] = []
    for argument in arguments:
        if argument.kind is not ProgramArgumentKind.SCALAR:
            values += _shape(definition, argument, boxes.get(argument.name))
    values = [as_variables(value) for value in values]
    result = ProgramArgument(RESULT, ProgramArgumentKind.OUTPUT, INT32, 1)
    body = build.block([Store(RESULT, value, const(place), TRUE) for place, value in enumerate(values)])
    body = with_lets(_lets(plan, definition, arguments, values), body)
    program = Program(f"{definition.name}.{RESULT}", (*arguments, result), simplify_statement(body), ())
    return BoundsQuery(program, RESULT, tuple(first.items()), _fixed(definition, arguments))


def _unknown(definition: PipelineDef, what: str) -> NotSupportedError:
    return NotSupportedError(
        f"Error: {definition.name} answers no bounds queries: the regions that it requires depend on {what}."
    )


def _shape(definition: PipelineDef, argument: ProgramArgument, box: Box | None) -> Iterator[Expr]:
    """(minimum, extent, stride) of each dimension of a buffer. None: nothing of it is accessed."""
    name, dimensions = argument.name, range(argument.dimensions)
    demands = [constraint_of(definition, name, d) for d in dimensions]
    shape = []
    for d, (low, extent, _) in enumerate(demands):
        if box is None:
            minimum: Expr = buffer_symbol(name, "min", d)
            size: Expr = buffer_symbol(name, "extent", d)
        else:
            first, last = box[d].ends
            minimum, size = first, build.max_(build.add(build.sub(last, first), const(1)), const(0))
        if argument.kind is ProgramArgumentKind.INPUT and box is not None:
            shape.append(_if_it_covers(low, extent, (minimum, size)))
        else:
            shape.append((minimum if low is None else low, size if extent is None else extent))
    extents: list[Expr] = [extent for _, extent in shape]
    if argument.kind is ProgramArgumentKind.OUTPUT:
        # It may hold more than is required.
        extents = [buffer_symbol(name, "extent", d) for d in dimensions]
    strides = _strides(extents, [stride for _, _, stride in demands])
    for (minimum, extent), stride in zip(shape, strides, strict=True):
        yield from (minimum, extent, stride)


def _fixed(definition: PipelineDef, arguments: Sequence[ProgramArgument]) -> frozenset[tuple[str, int, int]]:
    return frozenset(
        (argument.name, d, number)
        for argument in arguments
        if argument.kind is ProgramArgumentKind.OUTPUT
        for d in range(argument.dimensions)
        for number, demand in enumerate(constraint_of(definition, argument.name, d)[:2])
        if demand is not None
    )


def _if_it_covers(low: Expr | None, extent: Expr | None, required: tuple[Expr, Expr]) -> tuple[Expr, Expr]:
    """The demanded (minimum, extent) of an input where it holds what is required, else that."""
    if low is None and extent is None:
        return required
    minimum, required_end = required[0], build.add(*required)
    first = minimum if low is None else low
    size = build.sub(required_end, first) if extent is None else extent
    covers = build.and_(build.le(first, minimum), build.le(required_end, build.add(first, size)))
    return build.select(covers, first, minimum), build.select(covers, size, required[1])


def _strides(extents: Sequence[Expr], demanded: Sequence[Expr | None]) -> list[Expr]:
    """The strides of memory for these extents: those demanded, smaller ones innermost, the others outside of them."""
    step: Expr = const(1)
    strides: dict[int, Expr] = {}
    for d in sorted(range(len(extents)), key=lambda d: _place(demanded[d], d)):
        demand = demanded[d]
        strides[d] = step if demand is None else build.max_(step, demand)
        step = build.mul(strides[d], build.max_(extents[d], const(1)))
    return [strides[d] for d in range(len(extents))]


def _place(demand: Expr | None, dimension: int) -> tuple[bool, bool, int, int]:
    value = demand.value if isinstance(demand, Const) else 0
    return demand is None, not isinstance(demand, Const), int(value), dimension


def _lets(
    plan: LoweringPlan, definition: PipelineDef, arguments: Sequence[ProgramArgument], values: Sequence[Expr]
) -> list[tuple[str, Expr]]:
    """What the values name beyond the arguments, each after what it mentions itself."""
    bound = _symbols(arguments)
    aliases = {scalar_alias(name): name for name in ambiguous_scalars(definition)}
    lets: dict[str, Expr] = {}
    # A stack, not recursion: names may depend on each other as deep as the pipeline is.
    pending: list[tuple[str, Expr | None]] = [(name, None) for name in _free(definition, *values)]
    while pending:
        name, value = pending.pop()
        if value is not None:
            lets.setdefault(name, value)
        elif name not in bound and name not in lets:
            value = _value(plan, definition, aliases, name)
            pending.append((name, value))
            pending += [(other, None) for other in _free(definition, value)]
    return list(lets.items())


def _value(plan: LoweringPlan, definition: PipelineDef, aliases: Mapping[str, str], name: str) -> Expr:
    if name in aliases:
        return Variable(definition.scalars[aliases[name]], aliases[name])
    value = plan.let_value(name)
    if value is None:
        raise _unknown(definition, "what an extern stage says")
    return as_variables(value)


def _free(definition: PipelineDef, *values: Expr) -> list[str]:
    if next(instances(ImageCall, *values), None) is not None:
        raise _unknown(definition, "elements of an input")
    if any(node.name == "extern_query" for node in instances(Intrinsic, *values)):
        raise _unknown(definition, "what an extern stage says")
    return sorted({name for value in values for name in free_variables(value)})


def _symbols(arguments: Sequence[ProgramArgument]) -> frozenset[str]:
    names = {argument.name for argument in arguments}
    for argument in arguments:
        for d in range(argument.dimensions):
            names.update([buffer_symbol(argument.name, what, d).name for what in ("min", "extent", "stride")])
    return frozenset(names)
