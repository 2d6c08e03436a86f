"""The directive that gives the innermost loops of a stage to a tensor intrinsic, and the match of a stage with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pipec.ir.build import constant
from pipec.ir.expr import TRUE, Add, And, Cast, Const, Expr, FuncCall, Max, Min, Mul, Or, Variable
from pipec.ir.stmt import LoopKind
from pipec.ir.tensor import TensorIntrinsic, TensorLoop, TensorOperand, declare, tensor_intrinsics
from pipec.ir.walk import free_variables
from pipec.records import replace
from pipec.schedule.directive import StageDirective
from pipec.schedule.fields import LoopName, StageRef
from pipec.schedule.loops import Fuse, Rename
from pipec.schedule.races import loop_origins
from pipec.schedule.schedule import Loop, Schedule, loop_position
from pipec.schedule.shape import Name, StageShape, find_loop, refuse, variable_kind
from pipec.schedule.split import Split

if TYPE_CHECKING:
    from pipec.schedule.python_text import CallWriter

_COMMUTATIVE = (Add, Mul, Min, Max, And, Or)
# Texts of long expressions take time: searches ask whether an intrinsic matches, not why it does not.
Reason = Callable[[], str]


class Tensorize(StageDirective):
    """The loops `variables`, the innermost ones, run as one operation of the tensor intrinsic `intrinsic`.

    They stand in the order of the pattern's loops: those of its result, dimension 0 first, then its reduction's.
    """

    METHOD = "tensorize"

    variables: tuple[LoopName, ...]
    intrinsic: str

    @classmethod
    def apply(cls, schedule: Schedule, stage: StageShape, variables: Sequence[Name], intrinsic: str) -> Schedule:
        """Refuses unknown intrinsics, loops that are not those of the pattern, and updates that do not match it."""
        declared = find_intrinsic(stage, intrinsic)
        loops = stage.loops(schedule)
        names = [find_loop(stage, loops, variable, "find a loop to tensorize:").name for variable in variables]
        where = f"In schedule for {stage.ref}, can't tensorize {', '.join(names)} by {intrinsic}:"
        if any(isinstance(directive, cls) for directive in schedule.of_stage(stage.ref)):
            raise refuse(f"{where} the stage has a tensor intrinsic already.", stage.location)
        _check_loops(schedule, stage, names, declared, where)
        match(schedule, stage, names, declared)
        return schedule.add(cls(stage.ref, tuple(names), intrinsic))

    def __reduce__(self) -> tuple[Any, ...]:
        # Other processes of the user have not run the declaration.
        declaration = tensor_intrinsics().get(self.intrinsic)
        return _with_declaration, (self.stage, self.variables, self.intrinsic, declaration)

    def change_loops(self, loops: list[Loop]) -> None:
        """The loops become lanes of vectors."""
        for name in self.variables:
            at = loop_position(loops, name)
            loops[at] = replace(loops[at], kind=LoopKind.VECTORIZED)

    def to_call(self, writer: CallWriter) -> str:
        """The loops stand in a list."""
        names = ", ".join([writer.loop(self.stage, name) for name in self.variables])
        return f".{self.METHOD}([{names}], {self.intrinsic!r})"


def _with_declaration(
    stage: StageRef, variables: tuple[str, ...], name: str, declaration: TensorIntrinsic | None
) -> Tensorize:
    if declaration is not None and name not in tensor_intrinsics():
        declare(declaration)
    return Tensorize(stage, variables, name)


def find_intrinsic(stage: StageShape, name: str) -> TensorIntrinsic:
    """The declaration of that name, or a ScheduleError that lists those that there are."""
    declared = tensor_intrinsics()
    if name not in declared:
        text = f"In schedule for {stage.ref}, there is no tensor intrinsic {name!r}. Declare it with tensor_intrinsic()"
        raise refuse(f"{text}, or use one of these: {', '.join(sorted(declared))}.", stage.location)
    return declared[name]


def _check_loops(
    schedule: Schedule, stage: StageShape, names: Sequence[str], intrinsic: TensorIntrinsic, where: str
) -> None:
    loops = stage.loops(schedule)
    expected = ", ".join(map(_loop_text, intrinsic.loops))
    if len(names) != len(intrinsic.loops) or len(set(names)) != len(names):
        text = f"{where} the pattern has {len(intrinsic.loops)} loops: {expected}. Name one of the stage for each."
        raise refuse(text, stage.location, loops)
    inner = loops.names()[: len(names)]
    if set(inner) != set(names):
        text = f"{where} they must be the innermost loops, which are {', '.join(inner)}. Reorder the loops first."
        raise refuse(text, stage.location, loops)
    for name, part in zip(names, intrinsic.loops, strict=True):
        loop = loops.find(name)
        assert loop is not None
        if loop.reduction != part.reduction:
            what = "a reduction" if part.reduction else "a loop over elements of the result"
            text = f"{where} the {variable_kind(loop.reduction)} {name} stands for {_loop_text(part)}, which is {what}."
            raise refuse(f"{text} The loops of the pattern are, in order: {expected}.", stage.location)
        if loop.kind is not LoopKind.SERIAL:
            text = f"{where} the loop {name} is {loop.kind.value}. An intrinsic runs all iterations of its loops itself"
            raise refuse(f"{text}: leave it serial.", stage.location)
        extent = extent_of(schedule, stage, name)
        if extent != part.extent:
            size = "no constant extent" if extent is None else f"the extent {extent}"
            text = f"{where} the loop {name} has {size}, but {part.name} of the pattern has {part.extent} iterations."
            raise refuse(f"{text} Split it by {part.extent} and give the inner loop.", stage.location)
    vectors = [loop.name for loop in loops.loops if loop.kind is LoopKind.VECTORIZED]
    if vectors:
        text = f"{where} the loop {vectors[0]} around them is vectorized. Unroll it, or leave it serial."
        raise refuse(text, stage.location)


def _loop_text(loop: TensorLoop) -> str:
    return f"{loop.name} (0 to {loop.extent - 1})"


def extent_of(schedule: Schedule, stage: StageShape, name: str) -> int | None:
    """The extent of a loop where it is the same constant for all sizes, else None."""
    extents: dict[str, int | None] = {rvar: _integer(extent) for rvar, _, extent in stage.rvars}
    for directive in schedule.of_stage(stage.ref):
        if isinstance(directive, Split):
            whole, factor = extents.get(directive.old), _integer(directive.factor)
            divides = whole is not None and factor is not None and whole % factor == 0
            extents[directive.outer] = whole // factor if divides else None  # type: ignore[operator]
            extents[directive.inner] = factor
        elif isinstance(directive, Fuse):
            inner, outer = extents.get(directive.inner), extents.get(directive.outer)
            extents[directive.fused] = None if inner is None or outer is None else inner * outer
        elif isinstance(directive, Rename):
            extents[directive.new] = extents.get(directive.old)
    return extents.get(name)


def _integer(e: Expr) -> int | None:
    value = constant(e)
    return None if value is None else int(value)


def match(schedule: Schedule, stage: StageShape, names: Sequence[str], intrinsic: TensorIntrinsic) -> dict[str, Expr]:
    """The expression of the stage for each operand of the pattern; ScheduleError where the update is another one."""
    where = f"In schedule for {stage.ref}, the definition does not match the tensor intrinsic {intrinsic.name}:"
    pattern = f"\nThe pattern is {intrinsic.pattern()}."
    if len(stage.values) != 1 or stage.predicate is not TRUE:
        what = "it has several values" if len(stage.values) != 1 else f"it has the condition {stage.predicate}"
        raise refuse(f"{where} {what}.{pattern}", stage.location)
    origins = loop_origins(schedule, stage)

    def matched(other: TensorIntrinsic) -> dict[str, Expr] | Reason:
        return matching_operands(stage, other, [(name, origins[name]) for name in names])

    operands = matched(intrinsic)
    if not callable(operands):
        return operands
    loops = [(loop.extent, loop.reduction) for loop in intrinsic.loops]
    same = [other for other in tensor_intrinsics().values() if [(o.extent, o.reduction) for o in other.loops] == loops]
    fitting = [other.name for other in same if not callable(matched(other))]
    advice = f"\nThese match: {', '.join(fitting)}." if fitting else ""
    raise refuse(f"{where} {operands()}.\nThe definition is {stage.values[0]}.{pattern}{advice}", stage.location)


def matching_operands(
    stage: StageShape, intrinsic: TensorIntrinsic, loops: Sequence[tuple[str, frozenset[str]]]
) -> dict[str, Expr] | Reason:
    """The expression of the stage for each operand of the pattern, or what tells why there are none.

    `loops`: for each loop of the pattern that of the stage, and the variables of the definition that it varies.
    """
    problems: list[Reason] = []
    mismatches: list[Reason] = []
    unifier = _Unifier(stage, intrinsic, mismatches)
    for operands in unifier.unify(intrinsic.value, stage.values[0], {}):
        problem = _dependence_problem(stage, intrinsic, loops, operands)
        if problem is None:
            return operands
        problems.append(partial(str, problem))
    return (problems or mismatches or [lambda: "it is another expression"])[0]


def tensor_operands(
    schedule: Schedule, stage: StageShape, directive: Tensorize
) -> tuple[TensorIntrinsic, tuple[Expr, ...]]:
    """A stage's intrinsic and what its operands stand for. ScheduleError where later directives moved its loops."""
    intrinsic = find_intrinsic(stage, directive.intrinsic)
    names = directive.variables
    loops = stage.loops(schedule)
    kinds = [loop.kind for loop in loops.loops if loop.name in names]
    if set(loops.names()[: len(names)]) != set(names) or set(kinds) != {LoopKind.VECTORIZED}:
        text = f"In schedule for {stage.ref}, the loops {', '.join(names)} are no longer the innermost ones that"
        raise refuse(
            f"{text} {intrinsic.name} runs. Call tensorize after the directives about them.", stage.location, loops
        )
    operands = match(schedule, stage, names, intrinsic)
    return intrinsic, tuple([operands[operand.name] for operand in intrinsic.operands])


def _dependence_problem(
    stage: StageShape,
    intrinsic: TensorIntrinsic,
    loops: Sequence[tuple[str, frozenset[str]]],
    operands: Mapping[str, Expr],
) -> str | None:
    """What an operand, or the place of the result, depends on although the pattern's does not; None if nothing."""
    of_loop = {part.name: origin for part, (_, origin) in zip(intrinsic.loops, loops, strict=True)}
    user_name = {part.name: name for part, (name, _) in zip(intrinsic.loops, loops, strict=True)}
    place = frozenset[str]().union(*[free_variables(arg) for arg in stage.args])
    for part in intrinsic.loops:
        own = of_loop[part.name]
        if part.reduction and place & own:
            return f"each iteration of {user_name[part.name]} writes other elements, but {part.name} is a reduction"
        if not part.reduction and not any(isinstance(arg, Variable) and {arg.name} == own for arg in stage.args):
            return f"{user_name[part.name]} must come from one dimension of the Func, as {part.name} does"
    for operand in intrinsic.inputs:
        used = free_variables(operands[operand.name])
        for name, own in of_loop.items():
            if name not in operand.dims and used & own:
                return (
                    f"{operands[operand.name]}, which stands for {operand}, changes with {user_name[name]},"
                    f" but the operand is the same in all iterations of {name}"
                )
    return None


class _Unifier:
    """Finds what the operands of a pattern stand for in an expression. Products and sums match in either order."""

    def __init__(self, stage: StageShape, intrinsic: TensorIntrinsic, mismatches: list[Reason]) -> None:
        self.stage, self.result, self.mismatches = stage, intrinsic.result.name, mismatches
        self.inputs: dict[str, TensorOperand] = {operand.name: operand for operand in intrinsic.inputs}

    def unify(self, pattern: Expr, e: Expr, bound: dict[str, Expr]) -> Iterator[dict[str, Expr]]:
        """Yields each way in which the expression is the pattern, given the operands that are bound."""
        if isinstance(pattern, Variable):
            yield from self._bind(pattern, e, bound)
        elif isinstance(pattern, Cast) and isinstance(pattern.value, Variable):
            narrow = _narrowed(e, pattern)
            if narrow is None:
                inner = e.value if isinstance(e, Cast) else e
                operand = self.inputs[pattern.value.name]
                self.mismatches.append(lambda: f"{inner} of type {inner.type} does not fit {operand}")
            else:
                yield from self._bind(pattern.value, narrow, bound)
        elif type(pattern) is not type(e) or _data(pattern) != _data(e):
            self.mismatches.append(lambda: f"{e} is not {pattern}")
        else:
            orders = [e.children()]
            if isinstance(pattern, _COMMUTATIVE):
                orders.append(e.children()[::-1])
            for children in orders:
                yield from self._unify_all(pattern.children(), children, bound)  # type: ignore[arg-type]

    def _unify_all(
        self, patterns: Sequence[Expr], parts: Sequence[Expr], bound: dict[str, Expr]
    ) -> Iterator[dict[str, Expr]]:
        if not patterns:
            yield bound
            return
        for first in self.unify(patterns[0], parts[0], bound):
            yield from self._unify_all(patterns[1:], parts[1:], first)

    def _bind(self, pattern: Variable, e: Expr, bound: dict[str, Expr]) -> Iterator[dict[str, Expr]]:
        func = self.stage.ref.func
        own = isinstance(e, FuncCall) and e.name == func and e.args == self.stage.args
        if pattern.name == self.result:
            if not own:
                self.mismatches.append(lambda: f"{e} is not the old value of {func}")
        elif own or e.type is not pattern.type:
            self.mismatches.append(lambda: f"{e} of type {e.type} does not fit {self.inputs[pattern.name]}")
        if own == (pattern.name == self.result) and e.type is pattern.type and bound.get(pattern.name, e) is e:
            yield {**bound, pattern.name: e}


def _narrowed(e: Expr, pattern: Cast) -> Expr | None:
    """The value of the pattern's narrow type that is widened to `e`; None if there is none."""
    kind = pattern.value.type
    if e.type is not pattern.type:
        return None
    if isinstance(e, Const):
        fits = kind.can_represent(e.value) if kind.integral else False
        return Const(kind, e.value) if fits else None
    while isinstance(e, Cast) and e.type.can_represent(e.value.type):
        e = e.value
        if e.type is kind:
            return e
        if kind.can_represent(e.type):
            return Cast(kind, e)
    return None


def _data(node: Expr) -> list[object]:
    """The fields of a node that are no operands."""
    return [getattr(node, name) for name in node.FIELDS if name not in node.CHILDREN]
