"""The directives about the loops of one stage, for Func (its pure stage) and `Stage` (an update)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from pipec.errors import DefinitionError, ScheduleError
from pipec.func.directives.compute_with import shared_loops
from pipec.func.directives.execution import StageHints
from pipec.func.directives.gpu import GpuLoops
from pipec.func.directives.loop_level import LoopVar, dim_of
from pipec.func.directives.unsupported import UnsupportedStage
from pipec.func.functions.function import Function
from pipec.func.functions.rdom import RDom, RVar
from pipec.func.functions.var import Var
from pipec.func.math.convert import cast, node_or_none
from pipec.func.math.expr import ExprLike
from pipec.ir.expr import Expr as Node
from pipec.ir.expr import Variable
from pipec.ir.types import INT32
from pipec.schedule import apply
from pipec.schedule.directive import StageRef, TailStrategy
from pipec.schedule.schedule import Dim, Schedule
from pipec.schedule.shape import StageShape

if TYPE_CHECKING:
    from pipec.func.functions.func import Func

Auto = TailStrategy.Auto


def factor_node(value: Any) -> Node:
    """A split factor, extent or other number of a directive as an int32 expression."""
    node = node_or_none(value)
    if node is None:
        raise TypeError(f"incompatible function arguments: an int or Expr is needed, not {value!r}")
    return cast(INT32, node) if node.type.integral else node


def stage_shape(function: Function, index: int, path: tuple[int, ...] = ()) -> StageShape:
    """What the checks of directives need to know of a stage, or of the specialisation of it that `path` leads to."""
    ref = StageRef(function.name, index, path)
    if not function.stages:
        raise DefinitionError(
            f'Error: Func "{function.name}" (made at {function.location}) can\'t be scheduled because it has no '
            "definition yet."
        )
    stage = function.stages[index]
    if index == 0:
        dims = tuple(Dim(name) for name in function.args)
    else:
        loops = [Dim(loop.name, True) for loop in stage.rvars]
        pure = [
            Dim(name)
            for arg, name in zip(stage.args, function.args, strict=True)
            if isinstance(arg, Variable) and arg.name == name
        ]
        dims = tuple(loops + pure)
    rvars = tuple((loop.name, loop.minimum, loop.extent) for loop in stage.rvars)
    return StageShape(ref, dims, function.args, stage.args, stage.values, stage.predicate, rvars, str(stage.location))


class StageDirectives(StageHints, GpuLoops, UnsupportedStage):
    """The loops of a stage: each method changes the schedule and returns the object itself."""

    __slots__ = ()
    _function: Function

    def stage_index(self) -> int:
        """0 for the pure stage, n + 1 for update(n)."""
        raise NotImplementedError

    def _path(self) -> tuple[int, ...]:
        """Which specialisation of the stage it is."""
        return ()

    def _shape(self) -> StageShape:
        return stage_shape(self._function, self.stage_index(), self._path())

    def _set(self, schedule: Schedule) -> Self:
        self._function.schedule = schedule
        return self

    def split(self, old: LoopVar, outer: LoopVar, inner: LoopVar, factor: ExprLike, tail: TailStrategy = Auto) -> Self:
        """`old` = `outer` * factor + `inner`."""
        names = dim_of(old), dim_of(outer), dim_of(inner)
        return self._set(apply.split(self._function.schedule, self._shape(), *names, factor_node(factor), tail))

    def tile(self, *args: Any, **keywords: Any) -> Self:
        """tile(x, y, xo, yo, xi, yi, xfactor, yfactor), tile(x, y, xi, yi, xfactor, yfactor), or lists of each."""
        previous, outers, inners, factors, tail = _tile_arguments(args, keywords)
        lists = _dims(previous), _dims(outers), _dims(inners)
        sizes = [factor_node(factor) for factor in factors]
        return self._set(apply.tile(self._function.schedule, self._shape(), *lists, sizes, tail))

    def fuse(self, inner: LoopVar, outer: LoopVar, fused: LoopVar) -> Self:
        """One loop `fused` in place of two."""
        names = dim_of(inner), dim_of(outer), dim_of(fused)
        return self._set(apply.fuse(self._function.schedule, self._shape(), *names))

    def reorder(self, *variables: LoopVar | Sequence[LoopVar], **keywords: Any) -> Self:
        """The loops in this order, innermost first."""
        listed = _listed(variables, keywords, "vars")
        return self._set(apply.reorder(self._function.schedule, self._shape(), [dim_of(v) for v in listed]))

    def rename(self, old_name: LoopVar, new_name: LoopVar) -> Self:
        """Another name for a loop."""
        return self._set(apply.rename(self._function.schedule, self._shape(), dim_of(old_name), dim_of(new_name)))

    def serial(self, var: LoopVar) -> Self:
        """One iteration after the other."""
        return self._set(apply.serial(self._function.schedule, self._shape(), dim_of(var)))

    def parallel(self, var: LoopVar, task_size: ExprLike | None = None, tail: TailStrategy = Auto) -> Self:
        """Iterations on several threads; `task_size` of them make one task."""
        size = None if task_size is None else factor_node(task_size)
        return self._set(apply.parallel(self._function.schedule, self._shape(), dim_of(var), size, tail))

    def vectorize(self, var: LoopVar, factor: ExprLike | None = None, tail: TailStrategy = Auto) -> Self:
        """Iterations in the lanes of vectors; `factor` of them when given."""
        size = None if factor is None else factor_node(factor)
        return self._set(apply.vectorize(self._function.schedule, self._shape(), dim_of(var), size, tail))

    def unroll(self, var: LoopVar, factor: ExprLike | None = None, tail: TailStrategy = Auto) -> Self:
        """Copies of the body instead of a loop; `factor` of them when given."""
        size = None if factor is None else factor_node(factor)
        return self._set(apply.unroll(self._function.schedule, self._shape(), dim_of(var), size, tail))

    def compute_with(self, *args: Any, **keywords: Any) -> Self:
        """compute_with(func or stage, var, align) or compute_with(loop_level, align): share loops with another stage.

        Both stages run in one loop nest, from the outermost loop to `var`; inside it first the other's loops run, then
        this one's. The loops shared must have the same names and kinds, and neither Func may need the other.
        `align`: a LoopAlignStrategy for `var`, or a list of (var, LoopAlignStrategy): which iterations coincide.
        """
        return self._set(apply.compute_with(self._function.schedule, self._shape(), *shared_loops(args, keywords)))

    def allow_race_conditions(self) -> Self:
        """Iterations over RVars may run in any order: the user vouches for the result."""
        return self._set(apply.allow_race_conditions(self._function.schedule, self._shape()))

    def specialize(self, condition: ExprLike) -> Stage:
        """A version of the stage that runs where `condition` holds: a copy of its loops as they are now.

        Directives on the Stage returned change that version alone. Of several specialisations the first whose
        condition holds is taken; the same condition gives the same version again. `condition`: a bool of constants,
        Params and sizes of buffers.

        >>> x, f, gain = hl.Var("x"), hl.Func("f"), hl.Param(hl.Int(32), "gain", 1)
        >>> f[x] = x * gain
        >>> _ = f.specialize(gain == 1).vectorize(x, 8, hl.TailStrategy.GuardWithIf)
        >>> _ = f.specialize(f.output_buffer().width() == 3).unroll(x)
        >>> f.realize([3]).numpy().tolist()
        [0, 1, 2]
        """
        node = node_or_none(condition)
        if node is None:
            raise TypeError(f"specialize(): incompatible function arguments: a bool Expr is needed, not {condition!r}")
        self._function.schedule, ref = apply.specialize(self._function.schedule, self._shape(), node)
        return Stage(self._function, ref.stage, ref.path)

    def specialize_fail(self, message: str) -> None:
        """Where no specialisation before applies, running the pipeline is an error with `message`; none can follow."""
        if not isinstance(message, str):
            raise TypeError(f"specialize_fail(): incompatible function arguments: a str is needed, not {message!r}")
        self._set(apply.specialize_fail(self._function.schedule, self._shape(), message))


class Stage(StageDirectives):
    """A stage of a Func as something to schedule.

    >>> x, xo, xi = hl.vars("x xo xi")
    >>> f = hl.Func("staged")
    >>> f[x] = 0
    >>> f[x] += x
    >>> f.update(0).split(x, xo, xi, 4).name()
    'staged.update(0)'
    """

    __slots__ = ("_function", "_index", "_version")

    def __init__(self, func: Any, index: int = 0, path: tuple[int, ...] = ()) -> None:
        if not isinstance(func, Function | StageDirectives):
            raise TypeError(f"Stage(): incompatible constructor arguments: a Func is needed, not {func!r}")
        self._function: Function = func if isinstance(func, Function) else func._function
        self._index = index
        self._version = path

    @property
    def function(self) -> Function:
        """The Function that the stage belongs to."""
        return self._function

    def stage_index(self) -> int:
        """The number of the stage: 0 for the pure definition, n for the n-th update."""
        return self._index

    def _path(self) -> tuple[int, ...]:
        return self._version

    def name(self) -> str:
        """The name of the Func, with `.update(n)` for updates."""
        return str(StageRef(self._function.name, self._index))

    def rfactor(self, preserved: Any = None, v: Any = None, **keywords: Any) -> Func:
        """rfactor(rvar, var) or rfactor([(rvar, var), ...]): reduce apart for each value of these RVars, then merge.

        Returns the Func of the partial results, whose last dimensions are the Vars; this update merges them from now
        on. ScheduleError when the update is not proved to combine associatively.
        """
        from pipec.func.directives.rfactor import rfactor
        from pipec.func.functions.wrappers import func_of

        first = keywords.pop("r", preserved)
        pairs = first if v is None else [(first, v)]
        if keywords or not isinstance(pairs, Sequence) or not all(map(_is_factoring, pairs)):
            raise TypeError(
                "rfactor(): incompatible function arguments: it takes an RVar and a Var, or a list of such pairs. "
                f"Invoked with: {first!r}, {v!r}"
            )
        names = [(dim_of(rvar).name, dim_of(var).name) for rvar, var in pairs]
        if self._version:
            raise ScheduleError(
                f"Error: rfactor() can't be given to one specialization of {self.name()}: it changes the definition. "
                f"Call it on {self.name()} itself, before specialize(). ({self._shape().location})"
            )
        return func_of(rfactor(self._function, self._index, names))

    def unscheduled(self) -> None:
        """Tells that this stage has no directives on purpose: no warning about it."""
        self._set(apply.unscheduled(self._function.schedule, self._shape()))

    def dump_argument_list(self) -> str:
        """The loops of the stage as text, innermost first."""
        names = self._shape().loops(self._function.schedule).names()
        return f"Vars: {' '.join(names)} __outermost\n"

    def __repr__(self) -> str:
        return f"<halide.Stage '{self.name()}'>"


def _is_factoring(pair: Any) -> bool:
    return isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], RVar | RDom) and isinstance(pair[1], Var)


def _dims(variables: Sequence[Any]) -> list[Dim]:
    return [dim_of(variable) for variable in variables]


def _listed(values: tuple[Any, ...], keywords: dict[str, Any], keyword: str) -> Sequence[Any]:
    if not values and set(keywords) == {keyword}:
        values = (keywords.pop(keyword),)
    if keywords:
        raise TypeError(f"incompatible function arguments: unknown keywords {sorted(keywords)}")
    if len(values) == 1 and isinstance(values[0], list | tuple):
        return values[0]
    return values


_TILE_FORMS = (
    ("x", "y", "xo", "yo", "xi", "yi", "xfactor", "yfactor"),
    ("x", "y", "xi", "yi", "xfactor", "yfactor"),
    ("previous", "outers", "inners", "factors"),
    ("previous", "inners", "factors"),
)


def _tile_arguments(args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, Any, Any, Any, TailStrategy]:
    keywords = dict(keywords)
    tail = keywords.pop("tail", Auto)
    if args and isinstance(args[-1], TailStrategy):
        *rest, tail = args
        args = tuple(rest)
    for names in _TILE_FORMS:
        given = dict(zip(names, args, strict=False))
        if len(args) + len(keywords) != len(names) or set(given) & set(keywords):
            continue
        given |= keywords
        in_lists = isinstance(given.get(names[0]), list | tuple)
        if set(given) != set(names) or in_lists != (names[0] == "previous"):
            continue
        if in_lists:
            return given["previous"], given.get("outers", ()), given["inners"], given["factors"], tail
        outers = (given["xo"], given["yo"]) if "xo" in given else ()
        factors = (given["xfactor"], given["yfactor"])
        return (given["x"], given["y"]), outers, (given["xi"], given["yi"]), factors, tail
    raise TypeError(
        f"tile(): incompatible function arguments. The forms are: {'; '.join(', '.join(f) for f in _TILE_FORMS)}, "
        f"each with an optional tail. Invoked with: {args!r}, {keywords!r}"
    )
