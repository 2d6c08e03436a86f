"""A schedule without a search, made for gradients: many reductions over large domains into few elements.

As Li2018's (T.-M. Li et al., Differentiable programming for image processing and deep learning in Halide): what is
cheap is inlined, everything else is computed at the root, in vectors along its first dimension and in parallel along
the others. Updates of all elements are folded into the pure definition, their sums computed in registers. Updates of
few elements are factored (rfactor) into partial sums that threads and lanes compute apart; where that can't be, threads
update elements atomically.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

from pipec.autodiff.backward import callees_first
from pipec.autodiff.default_reductions import Reduction
from pipec.autodiff.folding import fold
from pipec.autodiff.regions import Regions
from pipec.autodiff.stages import StageView, stage_views
from pipec.autodiff.terms import Dim, affine
from pipec.bounds.box import Box
from pipec.bounds.interval import Interval
from pipec.errors import ArgumentError
from pipec.func.associativity import operator_of
from pipec.func.func import Func
from pipec.func.function import Function
from pipec.func.names import numbered_name
from pipec.func.rdom import RVar
from pipec.func.stage import Stage
from pipec.func.var import Var
from pipec.func.wrapping import func_of
from pipec.ir.build import constant
from pipec.ir.evaluate import evaluate
from pipec.ir.expr import Binary, Cast, Div, Expr, FuncCall, Intrinsic, ParameterRef, Select, Variable, const
from pipec.ir.linear import Linear
from pipec.ir.walk import free_variables, postorder
from pipec.schedule.directive import AlignBounds, AlignExtent, Bound, BoundStorage, Estimate
from pipec.target import get_host_target

# A Func with at most so many operations is computed again wherever it is read.
CHEAP = 8
# What a division of floats counts for: a vector takes so much longer for it than for a product.
DIVISION = 8
# A domain with fewer points than this for each thread is too small to be divided between them.
FEW = 8
TASKS = 4
# Work of fewer steps is done before a thread has woken up.
LITTLE = 1 << 13
UNKNOWN = 1024
# Sums of so many rows are computed together, since they share what they read.
ROWS = 4
# The loops of sums are unrolled up to so many operations: what no row needs anew is computed once, before them.
UNROLLED = 1024
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
    _Scheduling(outputs, estimates, parallelism, values or {}).run()


class _Scheduling:
    def __init__(self, outputs: Sequence[Func], estimates: Sizes, parallelism: int, values: Mapping[str, int]) -> None:
        self.parallelism = max(1, parallelism)
        self.values = values
        self.outputs = [output.function for output in outputs]
        self.boxes: dict[Function, Box] = {}
        for output in self.outputs:
            if output.name not in estimates or len(estimates[output.name]) != len(output.args):
                raise ArgumentError(
                    f"Error: default_schedule() needs estimates for the output {output.name}: a (min, extent) pair for"
                    f" each of its {len(output.args)} dimensions."
                )
            pairs = estimates[output.name]
            self.boxes[output] = tuple([Interval(const(low), const(low + extent - 1)) for low, extent in pairs])
        self._look()
        self.costs: dict[Function, int] = {}
        # Sums that are computed where their only reader is, and what is computed where it is read.
        self.sums: set[Function] = set()
        self.inlined: set[Function] = set()

    def _look(self) -> None:
        self.functions = list(dict.fromkeys(f for output in self.outputs for f in callees_first(output)))
        self.extern = {f for f in self.functions if f.definition().extern is not None}
        self.regions = Regions([f for f in self.functions if f not in self.extern], self.boxes)
        self.views = {f: stage_views(f) for f in self.functions if f not in self.extern}

    def run(self) -> None:
        self._fold()
        for function in self.functions:
            if _is_scheduled(function) or function in self.sums:
                continue
            if function in self.extern:
                func_of(function).compute_root()
            elif function not in self.outputs and self._inlined(function):
                self.inlined.add(function)
            else:
                self._schedule(function)

    def _fold(self) -> None:
        """Fold updates into pure definitions; from here on the functions are what is left."""
        before = sum(len(function.stages) for function in self.functions)
        for function in self.functions:
            if not _is_scheduled(function) and function not in self.extern:
                self.sums.update(fold(function, partial(self._is_many, function)))
        if self.sums or sum(len(function.stages) for function in self.functions) != before:
            self._look()

    def _is_many(self, function: Function, number: int) -> bool:
        """Whether an update has many elements, so that each may be summed apart."""
        extents = self.extents(function)
        return not self._is_few(function, extents, extents, prod(self.loops(self.views[function][number])))

    def _is_few(self, function: Function, extents: list[int], pure: list[int], iterations: int) -> bool:
        """Whether an update has so few elements that threads divide the loops of its RDom."""
        wide = any(extent >= self.lanes(function) for extent in pure)
        many = wide and prod(pure) >= FEW * self.parallelism * self.lanes(function)
        return prod(extents) <= iterations // (4 * self.parallelism) and not many

    # Estimates

    def number(self, e: Expr | None) -> int:
        """The value of a bound with what is estimated."""
        if e is None or any(isinstance(n, FuncCall) for n in postorder(e)):
            return UNKNOWN
        found = {name: self.values.get(name, self._known(e, name)) for name in free_variables(e)}
        return int(evaluate(e, found).item())

    def _known(self, e: Expr, name: str) -> int:
        for node in postorder(e):
            if isinstance(node, ParameterRef) and node.name == name:
                scalar = getattr(node.parameter, "scalar", None)
                value = scalar() if scalar is not None else None
                if value is not None:
                    return int(value)
        return 0 if ".min." in name else UNKNOWN

    def extents(self, function: Function) -> list[int]:
        """How large a Func is, dimension by dimension."""
        box = self.regions.boxes.get(function, tuple([Interval(None, None)] * len(function.args)))
        return [max(1, self.number(b.high) - self.number(b.low) + 1) if b.bounded else UNKNOWN for b in box]

    def loops(self, view: StageView) -> list[int]:
        """How many iterations the loops of the RDom have."""
        return [max(1, self._extent(dim)) for dim in view.loops]

    def _extent(self, dim: Dim) -> int:
        return self.number(dim.high) - self.number(dim.low) + 1

    # Inlining

    def _inlined(self, function: Function) -> bool:
        """Whether a Func is computed where it is read: it is cheap, or read at one place for each of its points."""
        if len(function.stages) > 1:
            return False
        if self._cost(function) <= CHEAP and not self._sums_of(function):
            return True
        reads = self._reads(function)
        once = len(reads) == 1 and reads[0] <= prod(self.extents(function)) * 1.25
        return once and (not self._sums_of(function) or self._moved(function))

    def _moved(self, function: Function) -> bool:
        """Whether pure definitions alone read a Func, at places that only shift its coordinates."""
        for views in self.views.values():
            for view in views:
                names = {name for name in view.pure if name is not None}
                for node in self._calls(view):
                    if node.function is function and not (view.number == 0 and _shifted(node.args, names)):
                        return False
        return True

    def _sums_of(self, function: Function) -> dict[Function, dict[str, str]]:
        """The sums that the pure definition of a Func reads, by what is inlined too.

        With each the names that its dimensions have for the coordinates of the Func.
        """
        found: dict[Function, dict[str, str]] = {}
        view = self.views[function][0]
        names = {name: own for name, own in zip(view.pure, function.args, strict=True) if name is not None}
        for node in self._calls(view):
            called = node.function
            if called not in self.sums and called not in self.inlined:
                continue
            inner = {called: dict(zip(called.args, called.args, strict=True))}
            for part, theirs in (inner if called in self.sums else self._sums_of(called)).items():
                forms = zip(called.args, [affine(arg, set(names)) for arg in node.args], strict=True)
                mine = {own: _only(form) for own, form in forms if form is not None}
                found[part] = {
                    names[variable]: theirs[own]
                    for own, variable in mine.items()
                    if variable in names and own in theirs
                }
        return found

    @staticmethod
    def _calls(view: StageView) -> list[FuncCall]:
        seen: set[Any] = set()
        roots = (*view.values, *view.args, view.condition)
        return [node for root in roots for node in postorder(root, seen) if isinstance(node, FuncCall)]

    def _reads(self, function: Function) -> list[int]:
        """How often a Func is read at each of the places that definitions mention."""
        found = []
        for consumer, views in self.views.items():
            for view in views:
                places = {node.args for node in self._calls(view) if node.function is function}
                pure = [e for e, name in zip(self.extents(consumer), view.pure, strict=True) if name is not None]
                found += [prod([*pure, *self.loops(view)])] * len(places)
        return found

    def _cost(self, function: Function) -> int:
        """The operations for one point, what is inlined included."""
        if function not in self.costs:
            self.costs[function] = self._operations(self.views[function][0])
        return self.costs[function]

    def _operations(self, view: StageView) -> int:
        """The operations for one iteration."""
        total = 0
        seen: set[Any] = set()
        for node in [node for value in view.values for node in postorder(value, seen)]:
            if isinstance(node, FuncCall) and node.function in self.views:
                called = node.function
                pure = len(called.stages) == 1 and not _is_scheduled(called)
                total += self._cost(called) if pure and called not in self.outputs else 0
            if isinstance(node, Intrinsic) and not node.name.startswith("likely"):
                total += 4
            elif isinstance(node, Div) and node.type.floating:
                total += DIVISION
            elif isinstance(node, Binary | Select | Cast) and node.type.floating:
                total += 1
        return total

    # Stages

    def _schedule(self, function: Function) -> None:
        func = func_of(function)
        if function not in self.outputs:
            func.compute_root()
        extents = self.extents(function)
        for view in self.views[function]:
            stage = Stage(function, view.number)
            sums = self._sums_of(function) if view.number == 0 else {}
            if sums and self._tile(stage, function, sums):
                continue
            if view.number == 0:
                self._spread(stage, list(zip(function.args, extents, strict=True)), function, 1)
            else:
                before = function.schedule.directives
                self._update(stage, view, function, extents)
                if function.schedule.directives == before:
                    stage.unscheduled()

    def lanes(self, function: Function) -> int:
        """How many values of a Func fill a vector."""
        return max(get_host_target().natural_vector_size(kind) for kind in function.types)

    def _spread(self, stage: Stage, dims: list[tuple[str, int]], function: Function, iterations: int) -> None:
        """Vectors along the first dimension that is long enough, threads along the others."""
        lanes = self.lanes(function)
        vector = next((at for at, (_, extent) in enumerate(dims) if extent >= lanes), None)
        outer = [(name, extent) for at, (name, extent) in enumerate(dims) if at != vector]
        if vector is not None:
            name, extent = dims[vector]
            alone = prod(e for _, e in outer) < self.parallelism and self.parallelism > 1
            if alone and extent >= 4 * lanes * self.parallelism and extent * iterations >= LITTLE:
                chunk = -(-extent // (TASKS * self.parallelism * lanes)) * lanes
                far, near = numbered_name("o"), numbered_name("i")
                stage.split(Var(name), Var(far), Var(near), chunk).vectorize(Var(near), lanes).parallel(Var(far))
                return
            stage.vectorize(Var(name), lanes)
        if prod(e for _, e in dims) * iterations >= LITTLE:
            self._parallel(stage, [(name, extent) for name, extent in outer if extent > 1])

    def _tile(self, stage: Stage, function: Function, sums: dict[Function, dict[str, str]]) -> bool:
        """Small tiles for which sums are computed in registers; False when there is no dimension to make them of."""
        lanes, dims = self.lanes(function), list(zip(function.args, self.extents(function), strict=True))
        at = next((at for at, (_, extent) in enumerate(dims) if extent >= lanes), None)
        if at is None:
            return False
        (x, _), outer = dims.pop(at), dims
        far_x, near_x = Var(numbered_name("o")), Var(numbered_name("i"))
        stage.split(Var(x), far_x, near_x, lanes).vectorize(near_x)
        tile = {x: lanes}
        rows = next((k for k, (_, extent) in enumerate(outer) if extent >= 4 * ROWS), None)
        # What takes long for each element gains less by loads that rows share than by loops that are unrolled.
        brief = [work for part in sums if (work := self._work(part)) is not None and work <= UNROLLED]
        alone = len(brief) == len(sums) and max(brief) * ROWS > UNROLLED
        if rows is not None and not alone:
            y, extent = outer[rows]
            far_y, near_y = Var(numbered_name("o")), Var(numbered_name("i"))
            stage.split(Var(y), far_y, near_y, ROWS).reorder(near_x, near_y, far_x).unroll(near_y)
            outer[rows] = far_y.name(), extent // ROWS
            tile[y] = ROWS
        for part, names in sums.items():
            self._sum(part, func_of(function), far_x, {names[name]: n for name, n in tile.items() if name in names})
        self._parallel(stage, [(name, extent) for name, extent in outer if extent > 1])
        return True

    def _sum(self, part: Function, consumer: Func, place: Var, tile: dict[str, int]) -> None:
        """Compute a sum for tiles, the first dimension of which is that of vectors, in registers."""
        func = func_of(part)
        func.compute_at(consumer, place)
        update = Stage(part, 1)
        loops = [RVar(loop.name) for loop in part.stages[1].rvars]
        update.reorder(*[Var(name) for name in tile], *loops)
        for stage in (Stage(part, 0), update):
            for at, (name, size) in enumerate(tile.items()):
                if at:
                    stage.unroll(Var(name), size)
                else:
                    stage.vectorize(Var(name), size)
        work = self._work(part)
        if work is not None and work * prod(list(tile.values())[1:]) <= UNROLLED:
            for loop in loops:
                update.unroll(loop)

    def _work(self, part: Function) -> int | None:
        """The operations for one element of a sum; None when its loops have no constant number of iterations."""
        view = self.views[part][1]
        known = all(dim.size is not None for dim in view.loops)
        return self._operations(view) * prod(self.loops(view)) if known else None

    def _parallel(self, stage: Stage, outer: list[tuple[str, int]]) -> None:
        """The outermost dimension in parallel, with the next ones when it is short."""
        if self.parallelism == 1 or prod(extent for _, extent in outer) < self.parallelism:
            return
        name, extent = outer.pop()
        while outer and extent < FEW * self.parallelism:
            inner, count = outer.pop()
            fused = numbered_name("p")
            stage.fuse(Var(inner), Var(name), Var(fused))
            name, extent = fused, extent * count
        if extent >= self.parallelism:
            size = max(1, extent // (FEW * self.parallelism))
            stage.parallel(Var(name), size) if size > 1 else stage.parallel(Var(name))

    def _update(self, stage: Stage, view: StageView, function: Function, extents: list[int]) -> None:
        pure = [(n, e) for n, e, own in zip(function.args, extents, view.pure, strict=True) if own is not None]
        points, iterations, elements = prod(e for _, e in pure), prod(self.loops(view)), prod(extents)
        definition = function.stages[view.number]
        operator = None
        if len(view.stores) == 1:
            operator = operator_of(function.name, definition.args, definition.values, definition.predicate)
        names = [loop.name for loop in definition.rvars]
        lanes, fixed = self.lanes(function), _fixed(function)
        reduction = Reduction(stage, names, self.loops(view), pure, lanes, self.parallelism, fixed)
        few = self._is_few(function, extents, [extent for _, extent in pure], iterations)
        if any(self._extent(dim) < 1 for dim in view.loops) and len(names) > 0:
            # Nothing to do, as it seems: found out before there are loops over all elements.
            stage.reorder(*[Var(name) for name, _ in pure], *[RVar(name) for name in names])
            return
        if operator is None or not operator.commutative or not operator.neutral or not iterations > 1:
            self._spread(stage, pure, function, iterations)
        elif self._scatters(view):
            if points * iterations >= LITTLE and self.parallelism > 1:
                reduction.scatter(elements)
        elif few and points * iterations >= LITTLE:
            reduction.factor()
        else:
            self._spread(stage, pure, function, iterations)

    @staticmethod
    def _scatters(view: StageView) -> bool:
        ((args, _),) = view.stores
        return any(free_variables(arg) & {dim.name for dim in view.loops} for arg in args)


def _fixed(function: Function) -> set[str]:
    """The dimensions to which the user gave a size."""
    bounds = [directive for directive in function.schedule.directives if isinstance(directive, Bound)]
    return {bound.var for bound in bounds if bound.extent is not None and constant(bound.extent) is not None}


def _is_scheduled(function: Function) -> bool:
    """Whether the user said how a Func is computed; estimates and bounds say nothing of that."""
    remarks = (AlignBounds, AlignExtent, Bound, BoundStorage, Estimate)
    return any(not isinstance(directive, remarks) for directive in function.schedule.directives)


def _only(form: Linear | None) -> str:
    """The variable of which a coordinate is a shift; nothing when it is none."""
    if form is None or list(form.terms.values()) != [1]:
        return ""
    ((atom, _),) = form.terms.items()
    return atom.name if isinstance(atom, Variable) else ""


def _shifted(args: Sequence[Expr], names: set[str]) -> bool:
    """Whether each coordinate is a variable and a constant, no variable twice."""
    used = {_only(affine(arg, names)) for arg in args}
    return "" not in used and len(used) == len(args)
