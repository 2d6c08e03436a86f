"""The reduction domain of an update in terms of the loops that its schedule made of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pipec.bounds.conditions import conjuncts, likely
from pipec.bounds.ranges import IntegerRange, Ranges
from pipec.bounds.simplify import Simplifier
from pipec.func.functions.definition import ReductionLoop, StageDef
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import TRUE, Expr, Intrinsic, ReductionVariable, Variable, const
from pipec.ir.stmt import LoopKind
from pipec.ir.types import INT32
from pipec.ir.walk import free_variables, substitute
from pipec.schedule.directive import StageDirective
from pipec.schedule.execution import PartitionLoop, Prefetch
from pipec.schedule.fields import StageRef
from pipec.schedule.loops import Fuse, Mark, Rename, Reorder, Unscheduled
from pipec.schedule.races import AllowRaces, Atomic
from pipec.schedule.rfactor import Rfactor
from pipec.schedule.schedule import Dim, Loop, Schedule, StageLoops, stage_loops
from pipec.schedule.shape import StageShape
from pipec.schedule.split import Split, TailStrategy

# Minimum and extent.
Span = tuple[Expr, Expr]


class FactoredDomain:
    """The RVars that are left after splits, fusions and renamings; the old ones as expressions of them.

    `spans`: the interval of each RVar that is left. `conditions`: what must hold for an iteration to count, in terms
    of the RVars that are left; these may have names of old ones.
    """

    def __init__(self, stage: StageDef, transforms: Iterable[StageDirective]) -> None:
        self.stage = stage
        self.spans: dict[str, Span] = {loop.name: (loop.minimum, loop.extent) for loop in stage.rvars}
        self.values: dict[str, Expr] = {name: _rvar(name) for name in self.spans}
        self.guards: list[Expr] = []
        for transform in transforms:
            match transform:
                case Split(old=old) if old in self.spans:
                    self._split(transform)
                case Fuse(inner=inner) if inner in self.spans:
                    self._fuse(transform)
                case Rename() if transform.old in self.spans:
                    self.spans[transform.new] = self.spans.pop(transform.old)
                    self._replace({transform.old: _rvar(transform.new)})
        self.names = frozenset(self.spans)
        if self.guards:
            self._promise_intervals()
        # First the guards of splits, which only the last part of a loop needs: the others may read what is not there.
        predicate = self.rewritten(stage.predicate, {})
        self.conditions = [*[likely(Simplifier()(guard)) for guard in self.guards], *conjuncts(predicate)]

    def _promise_intervals(self) -> None:
        """Where the guards hold, the old RVars stay in their intervals."""
        for loop in self.stage.rvars:
            value = self.values[loop.name]
            if not isinstance(value, ReductionVariable):
                last = build.sub(build.add(loop.minimum, loop.extent), 1)
                limits = (value, loop.minimum, last)
                self.values[loop.name] = Intrinsic(INT32, "unsafe_promise_clamped", limits)

    def _split(self, split: Split) -> None:
        low, extent = self.spans.pop(split.old)
        blocks = build.div(build.add(extent, build.sub(split.factor, 1)), split.factor)
        self.spans[split.inner], self.spans[split.outer] = (const(0), split.factor), (const(0), blocks)
        value = build.add(build.add(build.mul(_rvar(split.outer), split.factor), _rvar(split.inner)), low)
        self._replace({split.old: value})
        size, step = constant(extent), constant(split.factor)
        even = size is not None and step is not None and step > 0 and size % step == 0
        if split.tail is not TailStrategy.RoundUp and not even:
            self.guards.append(build.le(value, build.sub(build.add(low, extent), 1)))

    def _fuse(self, fuse: Fuse) -> None:
        inner, outer = self.spans.pop(fuse.inner), self.spans.pop(fuse.outer)
        fused = _rvar(fuse.fused)
        self.spans[fuse.fused] = const(0), build.mul(inner[1], outer[1])
        values = {
            fuse.inner: build.add(build.mod(fused, inner[1]), inner[0]),
            fuse.outer: build.add(build.div(fused, inner[1]), outer[0]),
        }
        self._replace(values)

    def _replace(self, values: Mapping[str, Expr]) -> None:
        self.values = {name: with_rvars(value, values) for name, value in self.values.items()}
        self.guards = [with_rvars(guard, values) for guard in self.guards]

    def rewritten(self, e: Expr, left: Mapping[str, Expr]) -> Expr:
        """An expression of the definition; `left`: what stands for RVars that are left."""
        return with_rvars(with_rvars(e, self.values), left)

    def loops(self, names: Sequence[str]) -> tuple[ReductionLoop, ...]:
        """A reduction domain of RVars that are left."""
        return tuple([ReductionLoop(name, *self.spans[name]) for name in names])

    def reaches_all(self, preserved: Sequence[str], func_args: Sequence[str]) -> bool:
        """Whether it is plain that for all values of the preserved RVars there are iterations, at every point."""
        places = zip(self.stage.args, func_args, strict=True)
        if self.stage.predicate is not TRUE or not all(isinstance(a, Variable) and a.name == n for a, n in places):
            return False
        first: dict[str, Expr] = {}
        ranges: dict[str, IntegerRange] = {}
        for name, (low, extent) in self.spans.items():
            size, start = constant(extent), constant(low)
            if name not in preserved:
                first[name] = low
                if size is None or size < 1:
                    return False
            elif size is not None and start is not None:
                ranges[name] = IntegerRange(int(start), int(start + size - 1))
        simplify = Simplifier(Ranges(ranges))
        return all(constant(simplify(with_rvars(guard, first))) == 1 for guard in self.guards)


def _rvar(name: str) -> Expr:
    return ReductionVariable(INT32, name, None)


def with_rvars(e: Expr, values: Mapping[str, Expr]) -> Expr:
    """An expression with RVars replaced, all at once."""
    return e if free_variables(e).isdisjoint(values) else substitute(e, values, ReductionVariable)


# The directives that can be rewritten; an update with others can't be factored.
REWRITTEN = (
    AllowRaces,
    Atomic,
    Fuse,
    Mark,
    PartitionLoop,
    Prefetch,
    Rename,
    Reorder,
    Rfactor,
    Split,
    Unscheduled,
)


def merging_directives(
    before: Sequence[StageDirective], old: StageShape, new: StageShape, loops: StageLoops, preserved: frozenset[str]
) -> list[StageDirective]:
    """For the update that merges: loops over RVars that are not preserved are gone."""
    pure = {dim.name for dim in old.dims if not dim.reduction}
    remaining = [loop for loop in loops.loops if not loop.reduction or loop.name in preserved]
    # Where the update wrote to places that depend on RVars, the merging one visits all places.
    remaining += [Loop(dim.name) for dim in new.dims if not dim.reduction and dim.name not in pure]
    return _directives(before, old, new.dims, remaining)


def inner_directives(
    before: Sequence[StageDirective], old: StageShape, new: StageShape, loops: StageLoops, variables: Mapping[str, str]
) -> list[StageDirective]:
    """For the update of the intermediate Func: Vars in the places of the RVars that are preserved."""
    inner = [Loop(variables[loop.name]) if loop.name in variables else loop for loop in loops.loops]
    return _directives(before, old, new.dims, inner)


def _directives(
    before: Sequence[StageDirective], old: StageShape, dims: tuple[Dim, ...], loops: Sequence[Loop]
) -> list[StageDirective]:
    """Directives that make `loops`, innermost first, of the variables `dims`."""
    directives: list[StageDirective] = [
        directive for directive in before if isinstance(directive, AllowRaces | Atomic | Unscheduled)
    ]
    directives += _of_pure_variables(before, old)
    names = tuple([loop.name for loop in loops])
    if stage_loops(Schedule(tuple(directives)), old.ref, dims).names() != names:
        directives.append(Reorder(old.ref, names))
    directives += [Mark(old.ref, loop.name, loop.kind) for loop in loops if loop.kind is not LoopKind.SERIAL]
    for directive in before:
        match directive:
            case PartitionLoop(var=var) if var in names:
                directives.append(directive)
            case Prefetch(at=at, from_=from_) if at in names and from_ in names:
                directives.append(directive)
    return directives


def _of_pure_variables(before: Sequence[StageDirective], old: StageShape) -> list[StageDirective]:
    """The splits, fusions and renamings of loops that come from Vars."""
    pure = {dim.name for dim in old.dims if not dim.reduction}
    directives: list[StageDirective] = []
    for directive in before:
        if directive.SOURCES and directive.sources()[0] in pure:
            pure.difference_update(directive.sources())
            pure.update(directive.results())
            directives.append(directive)
    return directives


def on_stage(directives: Sequence[StageDirective], stage: StageRef) -> list[StageDirective]:
    """The same directives about another stage."""
    return [directive.replace(stage=stage) for directive in directives]
