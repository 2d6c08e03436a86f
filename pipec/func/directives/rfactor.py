"""rfactor: an update factored into partial reductions, one for each value of some RVars, and their merging.

    f[x] += e(x, r.x, r.y)    factored by r.y -> u:    f_intm[x, u] = 0
                                                       f_intm[x, u] += e(x, r.x, u)
                                                       f[x] += f_intm[x, r.y]

Iterations over u are independent of each other, so they may run in parallel or in vector lanes. `associativity` finds
the operator and proves that this is right. The method is that of P. Suriana, A. Adams, S. Kamil: Parallel Associative
Reductions in Halide, CGO 2017.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from pipec.bounds.conditions import likely
from pipec.errors import NotSupportedError
from pipec.func.directives.associativity import operator_of
from pipec.func.directives.factored_domain import (
    REWRITTEN,
    FactoredDomain,
    Span,
    inner_directives,
    merging_directives,
    on_stage,
    with_rvars,
)
from pipec.func.directives.polynomials import ReductionOperator, other, own
from pipec.func.functions.definition import StageDef, stage_shape, user_location
from pipec.func.functions.function import Function
from pipec.ir.build import add, all_of, and_, le, sub
from pipec.ir.expr import TRUE, Expr, FuncCall, ReductionVariable, Variable
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, postorder, rewrite, substitute
from pipec.schedule.fields import StageRef
from pipec.schedule.names import used_names
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Schedule, StageLoops
from pipec.schedule.shape import StageShape, refuse

# The loop over an RVar, and the Var that takes its place in the intermediate Func.
Preserved = Sequence[tuple[str, str]]


def rfactor(function: Function, number: int, preserved: Preserved) -> Function:
    """Factor stage `number`: its update merges from now on what the Function that is returned has reduced.

    ScheduleError when the update is not proved to combine associatively, or the RVars can't be preserved.
    """
    shape = stage_shape(function, number)
    loops = shape.loops(function.schedule)
    _check_stage(function, shape, loops)
    operator = _operator(function, number, shape, loops)
    _check_names(function, shape, loops, preserved)
    if not operator.commutative:
        _check_order(shape, loops, preserved)
    domain = FactoredDomain(function.stages[number], loops.transforms)
    if not operator.neutral and not domain.reaches_all([rvar for rvar, _ in preserved], shape.func_args):
        _refuse(
            shape,
            loops,
            "can't perform rfactor() because we can't prove associativity of the operator for parts that no iteration "
            "reaches: of equal values the last one wins, so what such a part starts from would. Make the first one "
            "win, or preserve RVars only whose every value has iterations.",
        )
    names = dict(preserved)
    ordered = {loop.name: names[loop.name] for loop in loops.loops if loop.name in names}
    intermediate = Function(f"{function.name}_intm", user_location())
    rest = [loop.name for loop in loops.loops if loop.reduction and loop.name not in names]
    _define_intermediate(intermediate, function, number, operator, domain, ordered, rest)
    function.replace_stage(number, _merging(intermediate, function, number, operator, domain, list(ordered)))
    _reschedule(intermediate, function, shape, loops, ordered)
    return intermediate


# Checks


def _refuse(shape: StageShape, loops: StageLoops, text: str) -> NoReturn:
    raise refuse(f"In schedule for {shape.ref}: {text}", shape.location, loops)


def _check_stage(function: Function, shape: StageShape, loops: StageLoops) -> None:
    if not shape.is_update:
        _refuse(shape, loops, "rfactor() must be called on an update definition.")
    for directive in function.schedule.of_stage(shape.ref):
        if not isinstance(directive, REWRITTEN):
            raise NotSupportedError(
                f"Error: In schedule for {shape.ref}: rfactor() after {directive.METHOD}() is not supported. "
                f"Give rfactor() first. ({shape.location})"
            )
    reductions = {dim.name: dim.reduction for dim in shape.dims}
    for transform in loops.transforms:
        kinds = {reductions[name] for name in transform.sources()}
        if len(kinds) > 1:
            names = ", ".join(transform.sources())
            _refuse(shape, loops, f"can't rfactor an Func that has fused a Var into an RVar: {names}")
        reductions |= dict.fromkeys(transform.results(), kinds.pop())


def _operator(function: Function, number: int, shape: StageShape, loops: StageLoops) -> ReductionOperator:
    stage = function.stages[number]
    operator = operator_of(function.name, stage.args, stage.values, stage.predicate)
    if operator is None:
        _refuse(
            shape,
            loops,
            "can't perform rfactor() because we can't prove associativity of the operator\n"
            f"An update that can be factored combines {function.name} at the place that it updates, and at no other, "
            "with new values: by +, *, min, max, and, or, bitwise and, or, xor, saturating_add of unsigned integers, "
            "as argmax and argmin do, or by sums of products of the elements of a Tuple that are associative.",
        )
    return operator


def _check_names(function: Function, shape: StageShape, loops: StageLoops, preserved: Preserved) -> None:
    used = used_names(function.schedule, shape) | set(function.args)
    visited: set[str] = set()
    for rvar, var in preserved:
        loop = loops.find(rvar)
        if loop is None or not loop.reduction:
            _refuse(
                shape,
                loops,
                f"can't perform rfactor() on {rvar} since either it is not in the reduction domain, or has already "
                "been consumed by another scheduling directive",
            )
        if var in used:
            _refuse(
                shape,
                loops,
                f"can't perform rfactor() on {rvar} because the name {var} is already used elsewhere in the Func's "
                "schedule. Use a new Var.",
            )
        if rvar in visited:
            _refuse(shape, loops, f"can't perform rfactor() on {rvar} twice. Name each RVar once.")
        visited.add(rvar)
        used.add(var)


def _check_order(shape: StageShape, loops: StageLoops, preserved: Preserved) -> None:
    """Partial results of an ordered reduction merge in order, so only its outermost loops may be preserved."""
    chosen = {rvar for rvar, _ in preserved}
    reductions = [loop.name for loop in loops.loops if loop.reduction]
    outside = [name for at, name in enumerate(reductions) if not set(reductions[at:]) <= chosen]
    for name in reductions:
        if name in chosen and name in outside:
            _refuse(
                shape,
                loops,
                f"can't rfactor an inner dimension {name} without rfactoring the outer dimensions, since the operator "
                "is non-commutative: the order of the iterations decides about the result.",
            )


# Definitions


def _define_intermediate(
    intermediate: Function,
    function: Function,
    number: int,
    operator: ReductionOperator,
    domain: FactoredDomain,
    preserved: Mapping[str, str],
    rest: Sequence[str],
) -> None:
    """The Func of partial results: a dimension more for each preserved RVar; its update runs over the `rest`."""
    stage = function.stages[number]
    left = {rvar: Variable(INT32, var) for rvar, var in preserved.items()}
    args = [*[domain.rewritten(arg, left) for arg in stage.args], *left.values()]

    def renamed(node: Expr) -> Expr:
        if isinstance(node, FuncCall) and node.name == function.name:
            return FuncCall(node.type, intermediate.name, tuple(args), node.value_index, None)
        return node

    values = [rewrite(domain.rewritten(value, left), renamed) for value in stage.values]
    conditions = [with_rvars(condition, left) for condition in domain.conditions]
    # What a schedule adds to the intervals of the new Vars has no iterations, so that it needs nothing of others.
    conditions += [_within(var, domain.spans[rvar]) for rvar, var in left.items()]
    intermediate.args, intermediate.types = (*function.args, *preserved.values()), function.types
    intermediate.substitutes = dict(function.substitutes)
    pure = tuple([Variable(INT32, name) for name in intermediate.args])
    intermediate.add_stage(StageDef(pure, operator.identities, (), TRUE, stage.location))
    intermediate.add_stage(StageDef(tuple(args), tuple(values), domain.loops(rest), all_of(conditions), stage.location))
    # A clone knows by name only what it uses.
    roots = (*args, *values, *conditions)
    read = {node.name for root in roots for node in postorder(root) if isinstance(node, FuncCall)}
    intermediate.callees |= {callee: None for callee in function.callees if callee.name in read}
    intermediate.parameters |= function.parameters
    intermediate.freeze()


def _within(variable: Expr, span: Span) -> Expr:
    """The condition that a variable is in the interval of this minimum and extent."""
    low, extent = span
    inside = and_(le(low, variable), le(variable, sub(add(low, extent), 1)))
    return likely(inside)


def _merging(
    intermediate: Function,
    function: Function,
    number: int,
    operator: ReductionOperator,
    domain: FactoredDomain,
    rvars: Sequence[str],
) -> StageDef:
    """The update that merges the partial results over the preserved RVars."""
    location = function.stages[number].location
    args: tuple[Expr, ...] = tuple([Variable(INT32, name) for name in function.args])
    theirs = (*args, *[ReductionVariable(INT32, rvar, None) for rvar in rvars])
    parts: dict[str, Expr] = {}
    for k, type_ in enumerate(function.types):
        parts[own(k, type_).name] = FuncCall(type_, function.name, args, k, None)
        parts[other(k, type_).name] = FuncCall(type_, intermediate.name, theirs, k, intermediate)
    # Conditions about preserved RVars alone spare merging what is empty anyway.
    inner = domain.names - frozenset(rvars)
    conditions = [condition for condition in domain.conditions if free_variables(condition).isdisjoint(inner)]
    values = tuple([substitute(merge, parts) for merge in operator.merge])
    return StageDef(args, values, domain.loops(rvars), all_of(conditions), location)


def _reschedule(
    intermediate: Function,
    function: Function,
    shape: StageShape,
    loops: StageLoops,
    preserved: Mapping[str, str],
) -> None:
    """Gives each of the two updates the directives about its loops."""
    ref = shape.ref
    before = function.schedule.of_stage(ref)
    merging = merging_directives(before, shape, stage_shape(function, ref.stage), loops, frozenset(preserved))
    inner = inner_directives(before, shape, stage_shape(intermediate, 1), loops, preserved)
    names = tuple(preserved), tuple(preserved.values())
    record = Rfactor(ref, *names, intermediate.name, before, len(merging), len(inner))
    others = [directive for directive in function.schedule.directives if directive not in before]
    function.schedule = Schedule((*others, record, *merging))
    intermediate.schedule = Schedule(tuple(on_stage(inner, StageRef(intermediate.name, 1))))
