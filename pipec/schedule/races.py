"""Proofs that the iterations of an update may run in another order or at once, and directives that replace proofs."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from pipec.errors import NotSupportedError
from pipec.ir.expr import Add, And, Const, Expr, FuncCall, Intrinsic, Max, Min, Mul, Or, Sub
from pipec.ir.intrinsics import INTRINSICS
from pipec.ir.stmt import GPU_KINDS, THREADED, LoopKind
from pipec.ir.walk import free_variables, postorder
from pipec.schedule.affine import Range, shared_on_conflict
from pipec.schedule.directive import StageDirective
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import StageShape, refuse

_COMMUTATIVE = (Add, Mul, Min, Max, And, Or)


class AllowRaces(StageDirective):
    """The user guarantees that the loops of the stage over reduction variables may run in any order, or at once."""

    METHOD = "allow_race_conditions"


class Atomic(StageDirective):
    """Updates of one element may run in any order; `override`: the user guarantees that the operator allows it."""

    METHOD = "atomic"

    override: bool = False

    @classmethod
    def apply(cls, schedule: Schedule, stage: StageShape, override: bool = False) -> Schedule:
        """Refuses places that the Func itself computes."""
        if self_references(stage.args, stage.ref.func):
            raise refuse(
                f"Failed to call atomic() on {stage.ref}: where it writes depends on values of {stage.ref.func}"
                " itself, which other iterations may change before the update.\n"
                "Compute the coordinates in a Func of their own.",
                stage.location,
            )
        return schedule.add(cls(stage.ref, override))


def refuse_race(schedule: Schedule, stage: StageShape, name: str) -> None:
    """Raises unless the iterations of loop `name` are independent of each other."""
    if not stage.is_update or races_allowed(schedule, stage):
        return
    dependent = loop_origins(schedule, stage).get(name, frozenset()) & dependent_variables(stage)
    if not dependent or any(d.runs_once(name) for d in schedule.of_stage(stage.ref)):
        return
    if is_atomic(schedule, stage):
        _check_operator(schedule, stage)
        return
    because = ", ".join(sorted(dependent))
    raise refuse(
        f"In schedule for {stage.ref}, marking var {name} as parallel or vectorized may introduce a race condition "
        "resulting in incorrect output. It is possible to parallelize this by using the atomic() method if the "
        "operation is associative, or set override_associativity_test to true in the atomic method if you are certain "
        "that the operation is associative. It is also possible to override this error using the "
        "allow_race_conditions() method. Use allow_race_conditions() with great caution, and only when you are willing "
        "to accept non-deterministic output, or you can prove that any race conditions in this code do not change the "
        "output.\n"
        f"Iterations that differ in {because} may write what another one reads or writes.",
        stage.location,
        _independent_loops(schedule, stage),
    )


def _check_operator(schedule: Schedule, stage: StageShape) -> None:
    """Raises unless the updates of one element may run in any order, or the user guarantees it."""
    overridden = any(isinstance(d, Atomic) and d.override for d in schedule.of_stage(stage.ref))
    if not overridden and not may_be_atomic(stage):
        raise refuse(
            f"Failed to call atomic() on {stage.ref} since it can't prove associativity or commutativity of the "
            "operator.\nUse atomic(True) when the order of the updates of an element does not matter.",
            stage.location,
        )


def refuse_reordering(before: Schedule, after: Schedule, stage: StageShape) -> None:
    """Raises when the last directive of `after` changes the order of iterations that depend on each other."""
    dependent = dependent_variables(stage)
    if not dependent or races_allowed(after, stage) or commutes(stage) or _writes_equal_values(stage, dependent):
        return
    old, new = _dependent_loops(before, stage, dependent), _dependent_loops(after, stage, dependent)
    last = after.of_stage(stage.ref)[-1]
    for result in last.results():
        if result in new:
            at = new.index(result)
            new[at : at + 1] = [name for name in last.sources() if name in old]
    for place, name in enumerate(new):
        overtaken = [other for other in new[place + 1 :] if old.index(other) < old.index(name)]
        if overtaken:
            raise refuse(
                f"In schedule for {stage.ref}, can't reorder RVars {name} and {overtaken[0]} because it may change the "
                "meaning of the algorithm.\nIterations that differ in them may depend on each other and the update "
                "does not commute, so their loops must keep their order.",
                stage.location,
                stage.loops(before),
            )


def _writes_equal_values(stage: StageShape, dependent: frozenset[str]) -> bool:
    """Returns whether all iterations that write one element write the same value, and read none of the Func."""
    if self_references((*stage.args, *stage.values, stage.predicate), stage.ref.func):
        return False
    return all(free_variables(value).isdisjoint(dependent) for value in stage.values)


def _dependent_loops(schedule: Schedule, stage: StageShape, dependent: frozenset[str]) -> list[str]:
    origins = loop_origins(schedule, stage)
    return [name for name in stage.loops(schedule).names() if origins[name] & dependent]


def races_allowed(schedule: Schedule, stage: StageShape) -> bool:
    """Returns whether the stage has `allow_race_conditions`."""
    return any(isinstance(d, AllowRaces) for d in schedule.of_stage(stage.ref))


def is_atomic(schedule: Schedule, stage: StageShape) -> bool:
    """Returns whether the stage has `atomic`."""
    return any(isinstance(d, Atomic) for d in schedule.of_stage(stage.ref))


def loops_in_order(schedule: Schedule, stage: StageShape) -> frozenset[str]:
    """Returns the loops of an atomic update that run serially although the schedule marks them otherwise.

    Vector lanes that accumulate into one element are summed across the vector; other vector loops keep their order. An
    update of several coupled numbers is no single atomic operation, so that its threads take turns. Raises
    NotSupportedError for such an update on a GPU.
    """
    if not is_atomic(schedule, stage) or races_allowed(schedule, stage):
        return frozenset()
    in_order = frozenset[str]() if commutes(stage) else _dependent_loops_of(schedule, stage, (LoopKind.VECTORIZED,))
    if not needs_lock(stage):
        return in_order
    on_gpu = _dependent_loops_of(schedule, stage, GPU_KINDS)
    if on_gpu:
        raise NotSupportedError(
            f"Error: atomic is not supported on a GPU for {stage.ref}, whose update of a number depends on other "
            f"elements of {stage.ref.func} than that one: it needs a lock.\nRun the loop {min(on_gpu)} serially, or "
            f"split it and compute partial results side by side: rfactor(). ({stage.location})"
        )
    return in_order | _dependent_loops_of(schedule, stage, (LoopKind.PARALLEL,))


def updates_collide(schedule: Schedule, stage: StageShape) -> bool:
    """Returns whether threads may update one element at the same time, by atomic operations."""
    reads = self_references(stage.values, stage.ref.func)
    is_single = is_atomic(schedule, stage) and reads and not needs_lock(stage)
    return bool(is_single and _dependent_loops_of(schedule, stage, THREADED))


def _dependent_loops_of(schedule: Schedule, stage: StageShape, kinds: Collection[LoopKind]) -> frozenset[str]:
    dependent = dependent_variables(stage)
    origins = loop_origins(schedule, stage)
    loops = stage.loops(schedule).loops
    return frozenset(loop.name for loop in loops if loop.kind in kinds and origins[loop.name] & dependent)


def may_be_atomic(stage: StageShape) -> bool:
    """Whether the order of the updates of one element does not matter."""
    return commutes(stage) or all(isinstance(value, Const) for value in stage.values)


def needs_lock(stage: StageShape) -> bool:
    """Whether an update depends on more than the old value of the number that it changes."""
    for k, value in enumerate(stage.values):
        if any(not _is_self(read, stage.ref.func, stage.args, k) for read in self_references((value,), stage.ref.func)):
            return True
    return bool(self_references((*stage.args, stage.predicate), stage.ref.func))


def dependent_variables(stage: StageShape) -> frozenset[str]:
    """The reduction variables whose iterations are not proved independent of each other."""
    if not stage.is_update:
        return frozenset()
    return _dependent_variables(stage.ref.func, stage.args, stage.values, stage.predicate, stage.rvars)


@lru_cache(maxsize=1024)
def _dependent_variables(
    func: str,
    args: tuple[Expr, ...],
    values: tuple[Expr, ...],
    predicate: Expr,
    rvars: tuple[tuple[str, Expr, Expr], ...],
) -> frozenset[str]:
    # No two iterations differ in a variable that has one value.
    variables = frozenset(name for name, _, extent in rvars if not (isinstance(extent, Const) and extent.value <= 1))
    ranges: dict[str, Range] = {
        name: (low.value, low.value + extent.value - 1)
        for name, low, extent in rvars
        if isinstance(low, Const) and isinstance(extent, Const)
    }
    shared = shared_on_conflict(args, args, variables, ranges)
    for read in self_references((*args, *values, predicate), func):
        shared &= shared_on_conflict(args, read.args, variables, ranges)
    return variables - shared


def commutes(stage: StageShape) -> bool:
    """Whether the update is `f[i] = f[i] op e`, with an operator whose order does not matter and `f` not in `e`."""
    own = self_references((*stage.args, stage.predicate), stage.ref.func)
    return not own and all(_accumulates(value, stage.ref.func, stage.args, k) for k, value in enumerate(stage.values))


def _accumulates(value: Expr, func: str, args: tuple[Expr, ...], element: int) -> bool:
    if isinstance(value, Sub):
        pairs: list[tuple[Expr, Expr]] = [(value.a, value.b)]
    elif isinstance(value, _COMMUTATIVE):
        pairs = [(value.a, value.b), (value.b, value.a)]
    elif isinstance(value, Intrinsic) and INTRINSICS[value.name].identity(value.type) is not None:
        first, second = value.args
        pairs = [(first, second), (second, first)]
    else:
        return not self_references((value,), func) and _is_self(value, func, args, element)
    for own, other in pairs:
        if self_references((other,), func):
            continue
        if _is_self(own, func, args, element):
            return True
        # A sum of several terms: f[i] + a + b.
        if _same_operation(own, value) and _accumulates(own, func, args, element):
            return True
    return False


def _same_operation(a: Expr, b: Expr) -> bool:
    return a.name == b.name if isinstance(a, Intrinsic) and isinstance(b, Intrinsic) else type(a) is type(b)


def _is_self(value: Expr, func: str, args: tuple[Expr, ...], element: int) -> bool:
    return isinstance(value, FuncCall) and value.name == func and value.args == args and value.value_index == element


def self_references(exprs: tuple[Expr, ...], func: str) -> list[FuncCall]:
    """Returns the calls of `func` in the expressions."""
    return [n for n in postorder(*exprs) if isinstance(n, FuncCall) and n.name == func]


def loop_origins(schedule: Schedule, stage: StageShape) -> dict[str, frozenset[str]]:
    """Returns the variables of the definition from which each loop derives."""
    origins = {dim.name: frozenset((dim.name,)) for dim in stage.dims}
    for directive in schedule.of_stage(stage.ref):
        origin = frozenset[str]().union(*[origins.pop(name) for name in directive.sources()])
        origins |= dict.fromkeys(directive.results(), origin)
    return origins


def _independent_loops(schedule: Schedule, stage: StageShape) -> list[str]:
    dependent = dependent_variables(stage)
    origins = loop_origins(schedule, stage)
    return [name for name in stage.loops(schedule).names() if not origins[name] & dependent]
