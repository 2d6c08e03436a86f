"""The directives about the loops of one stage, for Func (its pure stage) and `Stage` (an update)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from pipec.errors import NotSupportedError, require_instance
from pipec.func.directives import call_forms
from pipec.func.directives.execution import StageExecution
from pipec.func.directives.loop_level import LoopVar, dim_of
from pipec.func.directives.scheduled import int_node, unsupported
from pipec.func.functions.function import Function
from pipec.func.functions.rdom import RDom, RVar
from pipec.func.functions.var import Var
from pipec.func.math.convert import node_or_none
from pipec.func.math.expr import ExprLike
from pipec.ir.stmt import LoopKind
from pipec.schedule.compute_with import ComputeWith
from pipec.schedule.fields import StageRef
from pipec.schedule.loops import (
    MARK_METHODS,
    Fuse,
    Mark,
    Rename,
    Reorder,
    SingleThread,
    Unscheduled,
    gpu_tile,
    mark_part,
    tile,
)
from pipec.schedule.races import AllowRaces
from pipec.schedule.specialize import Specialize, SpecializeFail, version_for
from pipec.schedule.split import Split, TailStrategy

if TYPE_CHECKING:
    from pipec.func.functions.func import Func

Auto = TailStrategy.Auto


class StageDirectives(StageExecution):
    """The loops of a stage: each method changes the schedule and returns the object itself."""

    __slots__ = ()
    hexagon = unsupported("hexagon")

    def split(self, old: LoopVar, outer: LoopVar, inner: LoopVar, factor: ExprLike, tail: TailStrategy = Auto) -> Self:
        """Replace loop `old` by two: `old` = `outer` * factor + `inner`. `tail`: what happens after the last block."""
        require_instance("split", TailStrategy, tail)
        return self._apply(Split, dim_of(old), dim_of(outer), dim_of(inner), int_node(factor), tail)

    def tile(self, *args: Any, **keywords: Any) -> Self:
        """tile(x, y, xo, yo, xi, yi, xfactor, yfactor), tile(x, y, xi, yi, xfactor, yfactor), or lists of each."""
        previous, outers, inners, factors, tail = call_forms.tile_arguments(args, keywords)
        lists = call_forms.dims(previous), call_forms.dims(outers), call_forms.dims(inners)
        sizes = [int_node(factor) for factor in factors]
        return self._set(tile(self._function.schedule, self._shape(), *lists, sizes, tail))

    def fuse(self, inner: LoopVar, outer: LoopVar, fused: LoopVar) -> Self:
        """Replace two loops by one, `fused`, in the place of `inner`."""
        return self._apply(Fuse, dim_of(inner), dim_of(outer), dim_of(fused))

    def reorder(self, *variables: LoopVar | Sequence[LoopVar], **keywords: Any) -> Self:
        """Put the loops in this order, innermost first; those that are not named keep their places."""
        return self._apply(Reorder, call_forms.dims(call_forms.listed(variables, keywords, "vars")))

    def rename(self, old_name: LoopVar, new_name: LoopVar) -> Self:
        """Give a loop another name."""
        return self._apply(Rename, dim_of(old_name), dim_of(new_name))

    def serial(self, var: LoopVar) -> Self:
        """Run the iterations one after the other, which is the default."""
        return self._apply(Mark, dim_of(var), LoopKind.SERIAL)

    def parallel(self, var: LoopVar, task_size: ExprLike | None = None, tail: TailStrategy = Auto) -> Self:
        """Run the iterations on several threads; `task_size` of them are one task."""
        return self._mark_part(var, LoopKind.PARALLEL, task_size, tail)

    def vectorize(self, var: LoopVar, factor: ExprLike | None = None, tail: TailStrategy = Auto) -> Self:
        """Run the iterations, or `factor` of them at a time, in the lanes of vectors."""
        return self._mark_part(var, LoopKind.VECTORIZED, factor, tail)

    def unroll(self, var: LoopVar, factor: ExprLike | None = None, tail: TailStrategy = Auto) -> Self:
        """Repeat the body for each iteration, or for `factor` of them at a time, instead of looping."""
        return self._mark_part(var, LoopKind.UNROLLED, factor, tail)

    def _mark_part(self, var: LoopVar, kind: LoopKind, factor: ExprLike | None, tail: TailStrategy) -> Self:
        require_instance(MARK_METHODS[kind], TailStrategy, tail)
        size = None if factor is None else int_node(factor)
        return self._set(mark_part(self._function.schedule, self._shape(), dim_of(var), kind, size, tail))

    def gpu_blocks(self, *variables: Any, device_api: Any = None) -> Self:
        """gpu_blocks(x), (x, y) or (x, y, z): run each iteration in a work-group of its own, in any order.

        `device_api` of this and the other GPU methods may be Default_GPU or OpenCL.
        """
        return self._mark_all("gpu_blocks", variables, device_api, LoopKind.GPU_BLOCK)

    def gpu_threads(self, *variables: Any, device_api: Any = None) -> Self:
        """gpu_threads(x), (x, y) or (x, y, z): run the iterations in the work-items of a work-group."""
        return self._mark_all("gpu_threads", variables, device_api, LoopKind.GPU_THREAD)

    def gpu_lanes(self, variable: LoopVar, device_api: Any = None) -> Self:
        """Run the iterations in neighbouring work-items: the innermost of the loops over threads."""
        return self._mark_all("gpu_lanes", (variable,), device_api, LoopKind.GPU_LANE)

    def gpu_single_thread(self, device_api: Any = None) -> Self:
        """Run all loops so far in one thread of a GPU: for small stages between kernels, whose data then stay there."""
        call_forms.check_device(device_api)
        return self._apply(SingleThread)

    def gpu(self, *variables: Any, device_api: Any = None) -> Self:
        """gpu(block, thread), (bx, by, tx, ty) or (bx, by, bz, tx, ty, tz): gpu_blocks and gpu_threads in one call."""
        variables, device_api = call_forms.without_device(variables, device_api)
        if len(variables) not in (2, 4, 6):
            raise TypeError(f"gpu(): incompatible function arguments: 2, 4 or 6 variables are needed: {variables!r}")
        half = len(variables) // 2
        self.gpu_blocks(*variables[:half], device_api=device_api)
        return self.gpu_threads(*variables[half:], device_api=device_api)

    def gpu_tile(self, *args: Any, **keywords: Any) -> Self:
        """Tile the loops: a GPU block for each tile, a thread for each iteration in it.

        gpu_tile(x, bx, tx, x_size), gpu_tile(x, y, bx, by, tx, ty, x_size, y_size) or the same with z; without the
        block variables the old names stand for blocks. `tail`: a TailStrategy.
        """
        count, arguments, tail = call_forms.gpu_tile_arguments(args, keywords)
        dims, sizes = call_forms.dims(arguments[:-count]), [int_node(size) for size in arguments[-count:]]
        lists = dims[:count], dims[count:-count], dims[-count:]
        return self._set(gpu_tile(self._function.schedule, self._shape(), *lists, sizes, tail))

    def _mark_all(self, method: str, variables: tuple[Any, ...], device_api: Any, kind: LoopKind) -> Self:
        variables, device_api = call_forms.without_device(variables, device_api)
        call_forms.check_device(device_api)
        if not 1 <= len(variables) <= 3:
            raise TypeError(f"{method}(): incompatible function arguments: 1 to 3 variables are needed: {variables!r}")
        for variable in variables:
            self._apply(Mark, dim_of(variable), kind)
        return self

    def tensorize(self, variables: LoopVar | Sequence[LoopVar], intrinsic: str) -> Self:
        """Run the innermost loops as one operation of a tensor intrinsic, by its name: see `hl.tensor_intrinsics()`.

        `variables`: a loop for each loop of its pattern, in the order of these, with the extents of these.

        >>> x, xi, k, ki = hl.Var("x"), hl.Var("xi"), hl.RVar("k"), hl.RVar("ki")
        >>> a, b, dot = hl.ImageParam(hl.UInt(8), 1), hl.ImageParam(hl.Int(8), 2), hl.Func("dot")
        >>> r = hl.RDom([(0, 64)])
        >>> dot[x] = 0
        >>> dot[x] += hl.i32(a[r]) * hl.i32(b[r, x])
        >>> update = dot.update().split(x, x, xi, 16).split(r, k, ki, 4).reorder(ki, xi, k, x)
        >>> _ = update.tensorize([xi, ki], "x86.vpdpbusd.512")
        """
        from pipec.schedule.tensorize import Tensorize

        if not isinstance(intrinsic, str):
            raise TypeError(f"tensorize(): incompatible function arguments: a name is needed, not {intrinsic!r}")
        names = call_forms.dims(variables if isinstance(variables, Sequence) else [variables])
        return self._apply(Tensorize, names, intrinsic)

    def compute_with(self, *args: Any, **keywords: Any) -> Self:
        """compute_with(func or stage, var, align) or compute_with(loop_level, align): share loops with another stage.

        Both stages run in one loop nest, from the outermost loop to `var`; inside it first the other's loops run, then
        this one's. The loops shared must have the same names and kinds, and neither Func may need the other.
        `align`: a LoopAlignStrategy for `var`, or a list of (var, LoopAlignStrategy): which iterations coincide.
        """
        return self._apply(ComputeWith, *call_forms.compute_with_arguments(args, keywords))

    def allow_race_conditions(self) -> Self:
        """Allow the iterations over RVars to run in any order: the user guarantees that the result is right."""
        return self._apply(AllowRaces)

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
        self._apply(Specialize, node)
        version = version_for(self._function.schedule, self._shape().ref, node)
        return Stage(self._function, version.stage, version.path)

    def specialize_fail(self, message: str) -> None:
        """Makes runs fail with `message` where no earlier specialization applies; none can follow."""
        if not isinstance(message, str):
            raise TypeError(f"specialize_fail(): incompatible function arguments: a str is needed, not {message!r}")
        self._apply(SpecializeFail, message)


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
        if self._version and self._index:
            raise NotSupportedError(
                f"Error: In schedule for {self.name()}: rfactor() of one specialization is not supported, since all"
                f" versions of a stage have one definition. Call it on {self.name()} itself before specialize()."
                f" ({self._shape().location})"
            )
        return func_of(rfactor(self._function, self._index, names))

    def unscheduled(self) -> None:
        """Declares that this stage has no directives on purpose: no warning about it."""
        self._apply(Unscheduled)

    def dump_argument_list(self) -> str:
        """The loops of the stage as text, innermost first."""
        names = self._shape().loops(self._function.schedule).names()
        return f"Vars: {' '.join(names)} __outermost\n"

    def __repr__(self) -> str:
        return f"<halide.Stage '{self.name()}'>"


def _is_factoring(pair: Any) -> bool:
    return isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], RVar | RDom) and isinstance(pair[1], Var)
