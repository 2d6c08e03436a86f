"""A schedule without a search, made for gradients: many reductions over large domains into few elements.

As Li2018's (T.-M. Li et al., Differentiable programming for image processing and deep learning in Halide): what is
cheap is inlined, everything else is computed at the root, in vectors along its first dimension and in parallel along
the others. Updates of all elements are folded into the pure definition, their sums computed in registers; those that
add over the same domain are merged. Updates of few elements are factored (rfactor) into partial sums that threads and
lanes compute apart; where that can't be, threads update elements atomically.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import prod

from pipec.autodiff.default_estimates import Estimates, constant_work, fixed_dims, is_scheduled, lanes_of
from pipec.autodiff.default_inlining import Inlining
from pipec.autodiff.default_loops import FEW, LITTLE, UNROLLED, spread, tile
from pipec.autodiff.default_reductions import Reduction
from pipec.autodiff.folding import fold
from pipec.autodiff.joining import join
from pipec.autodiff.merging import merge
from pipec.autodiff.stages import StageView
from pipec.bounds.box import Box
from pipec.bounds.interval import Interval
from pipec.errors import ArgumentError
from pipec.func.directives.associativity import operator_of
from pipec.func.directives.stage import Stage
from pipec.func.functions.func import Func
from pipec.func.functions.function import Function
from pipec.func.functions.rdom import RVar
from pipec.func.functions.var import Var
from pipec.func.functions.wrappers import func_of
from pipec.ir.expr import const
from pipec.ir.walk import free_variables

Sizes = Mapping[str, Sequence[tuple[int, int]]]


def default_schedule(
    outputs: Sequence[Func], estimates: Sizes, parallelism: int = 2, values: Mapping[str, int] | None = None
) -> None:
    """Schedule all Funcs that the outputs need, gradients or not; Funcs that have a schedule keep it.

    `estimates`: (min, extent) pairs for each output, by its name. `values`: estimates of Params and of properties of
    images (`image.extent.0`) that extents of RDoms depend on; those that are missing are taken for 1024. They decide
    about speed only. Updates may become part of pure definitions and sums Funcs of their own, so a Func can't be
    scheduled in this way twice.

    >>> from pipec.autodiff.default_schedule import default_schedule
    >>> r = hl.RDom([(0, 100000)])
    >>> row = hl.Buffer(np.ones(100000, np.float32))
    >>> f = hl.Func()
    >>> f[()] = 0.0
    >>> f[()] += row[r] * row[r]
    >>> default_schedule([f], {f.name(): []})
    >>> f.realize().numpy().item()
    100000.0
    """
    boxes = {output.function: _box(output.function, estimates) for output in outputs}
    _Scheduling(Estimates(list(boxes), boxes, values or {}), max(1, parallelism)).run()


def _box(output: Function, estimates: Sizes) -> Box:
    if output.name not in estimates or len(estimates[output.name]) != len(output.args):
        raise ArgumentError(
            f"Error: default_schedule() needs estimates for the output {output.name}: a (min, extent) pair for"
            f" each of its {len(output.args)} dimensions."
        )
    return tuple([Interval(const(low), const(low + extent - 1)) for low, extent in estimates[output.name]])


class _Scheduling:
    def __init__(self, estimates: Estimates, threads: int) -> None:
        self.estimates, self.threads = estimates, threads
        # Sums that are computed where their only reader is; loops over updates that became one.
        self.sums: set[Function] = set()
        self.numbers: set[str] = set()
        self.inlining = Inlining(estimates, self.sums)

    def run(self) -> None:
        self._fold()
        self._join()
        for function in self.estimates.functions:
            if is_scheduled(function) or function in self.sums:
                continue
            if function in self.estimates.extern:
                func_of(function).compute_root()
            elif not self.inlining.decide(function):
                self._schedule(function)

    # Definitions

    def _fold(self) -> None:
        """Fold updates into pure definitions and merge those that are left."""
        estimates = self.estimates
        for function in estimates.functions:
            if not is_scheduled(function) and function not in estimates.extern:
                self.sums.update(fold(function, partial(self._is_many, function)))
                self.numbers.update(merge(function))
        estimates.look()

    def _join(self) -> None:
        """Join sums over images and windows to adjoints of the same pixels."""
        estimates = self.estimates
        hosts = [
            (host, part)
            for host in estimates.functions
            if len(host.stages) == 1 and host not in estimates.outputs and not is_scheduled(host)
            for part in host.callees
            if part in self.sums
        ]
        before = len(self.sums)
        for function in estimates.functions if hosts else ():
            if not is_scheduled(function):
                joined = [join(function, number, hosts) for number in range(1, len(function.stages))]
                self.sums.update([part for part in joined if part is not None])
        if len(self.sums) > before:
            estimates.look()

    def _is_many(self, function: Function, number: int) -> bool:
        """Whether an update has many elements, so that each may be summed apart."""
        extents = self.estimates.extents(function)
        iterations = prod(self.estimates.loops(self.estimates.views[function][number]))
        return not self._is_few(function, extents, extents, iterations)

    def _is_few(self, function: Function, extents: list[int], pure: list[int], iterations: int) -> bool:
        """Whether an update has so few elements that threads divide the loops of its RDom."""
        lanes = lanes_of(function)
        wide = any(extent >= lanes for extent in pure)
        many = wide and prod(pure) >= FEW * self.threads * lanes
        return prod(extents) <= iterations // (4 * self.threads) and not many

    # Stages

    def _schedule(self, function: Function) -> None:
        if function not in self.estimates.outputs:
            func_of(function).compute_root()
        dims, lanes = self.estimates.dims(function), lanes_of(function)
        for view in self.estimates.views[function]:
            stage = Stage(function, view.number)
            if view.number:
                before = function.schedule.directives
                self._update(stage, view)
                if function.schedule.directives == before:
                    stage.unscheduled()
                continue
            sums = self.inlining.sums_of(function)
            work = {part: self._work(self.estimates.views[part][1]) for part in sums}
            if not sums or not tile(stage, function, dims, sums, work, lanes, self.threads):
                spread(stage, dims, lanes, 1, self.threads)

    def _work(self, view: StageView) -> int | None:
        """The operations for one element of a sum; None when its loops have no constant number of iterations."""
        return constant_work(view, self.inlining.operations(view))

    def _update(self, stage: Stage, view: StageView) -> None:
        function, lanes = view.function, lanes_of(view.function)
        definition, loops = function.stages[view.number], self.estimates.loops(view)
        dims = self.estimates.dims(function)
        pure = [dim for dim, own in zip(dims, view.pure, strict=True) if own is not None]
        count = sum(loop.name in self.numbers for loop in definition.rvars)
        numbers = [(loop.name, loops[at]) for at, loop in enumerate(definition.rvars[:count])]
        inner = [(loop.name, loops[count + at]) for at, loop in enumerate(definition.rvars[count:])]
        iterations, elements = prod(loops[count:]), prod(extent for _, extent in dims)
        points = prod(extent for _, extent in pure)
        if self.estimates.empty(view) and inner:
            # Nothing to do, as it seems: found out before there are loops over all elements.
            stage.reorder(*[Var(name) for name, _ in pure], *[RVar(loop.name) for loop in definition.rvars])
            return
        reduction = Reduction(stage, inner, pure, numbers, lanes, self.threads, fixed_dims(function))
        much = points * iterations >= LITTLE
        few = self._is_few(function, [e for _, e in dims], [e for _, e in pure], iterations)
        if not iterations > 1 or not _is_sum(function, view):
            spread(stage, pure, lanes, iterations, self.threads)
        elif _scatters(view, count):
            if not much:
                reduction.unroll_numbers(stage)
            elif reduction.scatter(elements):
                spread(stage, dims, lanes, self.threads, self.threads)
        elif few and much:
            reduction.factor()
        else:
            spread(stage, pure, lanes, iterations, self.threads)
            work = self._work(view) if numbers else None
            if work is not None and work <= UNROLLED:
                for name, _ in inner:
                    stage.unroll(RVar(name))
            reduction.unroll_numbers(stage)


def _is_sum(function: Function, view: StageView) -> bool:
    """Whether the iterations of an update combine in any order."""
    if len(view.stores) != 1:
        return False
    definition = function.stages[view.number]
    operator = operator_of(function.name, definition.args, definition.values, definition.predicate)
    return operator is not None and operator.commutative and operator.neutral


def _scatters(view: StageView, numbers: int) -> bool:
    """Whether the place depends on loops other than the first ones, which number updates that became one."""
    ((args, _),) = view.stores
    return any(free_variables(arg) & {dim.name for dim in view.loops[numbers:]} for arg in args)
