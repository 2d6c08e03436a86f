"""Reverse mode over Funcs: consumers before producers, their definitions last to first; the boxes that are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from pipec.autodiff.adjoint import AdjointBuilder, AdjointSpec, AdjointState
from pipec.autodiff.algebra import Adjoint, adjoint_type, is_number
from pipec.autodiff.rules import Sweep
from pipec.autodiff.stages import StageView, stage_views, stem_of, with_inlined
from pipec.autodiff.terms import DomainDim, Scatter, narrowed
from pipec.autodiff.updates import Reversal
from pipec.bounds.box import Box
from pipec.bounds.interval import UNBOUNDED, Interval, IntervalAnalysis
from pipec.diagnostics import warn_once
from pipec.errors import UnboundedError
from pipec.func.functions.definition import SourceLocation
from pipec.func.functions.function import Function
from pipec.ir.expr import TRUE, Expr, FuncCall, ImageCall, ParameterRef
from pipec.ir.types import Type
from pipec.ir.walk import postorder
from pipec.lower.planning.value_ranges import ValueRanges

# A Function that reads itself at places further away in each round has no bounds.
MAX_ROUNDS = 4


class Regions:
    """The boxes of Functions and images that must be read to compute the boxes of the outputs."""

    def __init__(
        self,
        functions: Sequence[Function],
        outputs: Mapping[Function, Box],
        views: Callable[[Function], list[StageView]] = stage_views,
    ) -> None:
        self.boxes: dict[Any, Box] = dict(outputs)
        self._views = views
        self._ranges = ValueRanges({function.name: function.definition() for function in functions}, [])
        for function in reversed(functions):
            self.spread(function)

    def spread(self, function: Function) -> None:
        """Adds what a Function reads over its own box."""
        for _ in range(MAX_ROUNDS):
            before = self.boxes.get(function)
            if before is None:
                return
            for view in self._views(function):
                self._reads(view, before)
            if self.boxes[function] == before:
                return

    def _reads(self, view: StageView, box: Box) -> None:
        dims = view.dims_over(box)
        bounded = [dim for dim in dims if dim is not None]
        inside = narrowed(bounded, view.condition) if len(bounded) == len(dims) else tuple(bounded)
        if inside is None:
            return
        intervals = {dim.name: Interval(dim.low, dim.high) for dim in inside}
        analysis = IntervalAnalysis(lambda name: intervals.get(name, _unknown(view, name)), self._ranges.of)
        for node in view.reads:
            self._add(_source(view, node), tuple([analysis.of(arg) for arg in node.args]))
        # An update computes what it writes, read or not.
        for args, _ in view.stores if view.number else ():
            self._add(view.function, tuple([analysis.of(arg) for arg in args]))

    def _add(self, source: object, box: Box) -> None:
        before = self.boxes.get(source)
        self.boxes[source] = box if before is None else tuple([a.union(b) for a, b in zip(before, box, strict=True)])


def _unknown(view: StageView, name: str) -> Interval | None:
    return Interval(None, None) if name in view.names else None


def _source(view: StageView, node: Expr) -> object:
    if isinstance(node, ImageCall):
        return node.image
    assert isinstance(node, FuncCall)
    return node.function if node.function is not None else view.function


def unbounded(function: Function, dimension: int) -> UnboundedError:
    """The error for a Function whose adjoint would have no limits."""
    return UnboundedError(
        f"Error: Access to function or buffer {function.name} at dimension {dimension} is not bounded. We can only"
        " differentiate bounded accesses. Clamp the index with hl.clamp, or give bounds to the output"
        f" ({function.location})."
    )


def _limitless(box: Box) -> list[int]:
    """The dimensions of a box that have no limits."""
    return [at for at, interval in enumerate(box) if not interval.bounded]


# An adjoint for each value of a Func; None: zero.
States = list[AdjointState | None]
COORDINATES = ("x", "y", "z", "w")


def callees_first(output: Function) -> list[Function]:
    """Every Function that the definitions name, producers before consumers."""
    order: dict[Function, None] = {}
    stack: list[tuple[Function, list[Function]]] = [(output, list(output.callees))]
    entered = {output}
    while stack:
        function, callees = stack[-1]
        if not callees:
            stack.pop()
            order[function] = None
            continue
        callee = callees.pop(0)
        if callee not in entered:
            entered.add(callee)
            stack.append((callee, list(callee.callees)))
    return list(order)


class Backward:
    """The adjoints of all that an output depends on. `sources`: those that are needed, all when None."""

    def __init__(self, output: Function, seeds: States, box: Box, sources: Iterable[object] | None = None) -> None:
        self.functions = callees_first(output)
        self.sources = None if sources is None else set(sources)
        self.reaching = self._reaching()
        self.pending: dict[tuple[object, int], list[Scatter]] = {}
        self.states: dict[tuple[Function, int], AdjointState] = {}
        self.results: dict[tuple[Function, int], States] = {}
        for state in seeds:
            if state is not None:
                self.states[state.function, state.index] = state
        self._views: dict[Function, list[StageView]] = {}
        self.inlined: dict[Function, int] = {}
        self.regions = Regions([], {})
        if any(state is not None for state in seeds) and self.wants(output):
            self.regions = Regions(self.functions, {output: box}, self.views)
            self.inlined = self._inlined(output)
            if self.inlined:
                self._views.clear()
                self.regions = Regions(self.functions, {output: box}, self.views)
            if self.regions.boxes[output] != box:
                # The output reads or writes itself outside of the box, where its adjoint is zero.
                seeds = [None if s is None else self._everywhere(s, self.regions.boxes[output]) for s in seeds]
            self.process(output, seeds)
            for function in reversed(self.functions):
                if function is not output:
                    self.process(function)

    def _reaching(self) -> set[Function]:
        """The Functions whose values depend on a source."""
        reaching: set[Function] = set()
        for function in self.functions:
            near: set[object] = {function, *function.callees, *function.parameters}
            if self.sources is None or near & self.sources or not reaching.isdisjoint(function.callees):
                reaching.add(function)
        return reaching

    def wants(self, source: object) -> bool:
        """Whether the adjoint of a Function, image or Param is needed."""
        return self.sources is None or source in self.sources or source in self.reaching

    def views(self, function: Function) -> list[StageView]:
        """The stages of a Function, with the Functions that are `inlined`."""
        if function not in self._views:
            views = stage_views(function)
            self._views[function] = [with_inlined(view, self.inlined) for view in views] if self.inlined else views
        return self._views[function]

    @cached_property
    def coordinates(self) -> set[object]:
        """The expressions and Functions that stand in coordinates: they are meant to change in jumps."""
        reads = [node for function in self.functions for view in self.views(function) for node in view.reads]
        nodes = set(postorder(*[arg for read in reads for arg in read.args]))
        return nodes | {node.function for node in nodes if isinstance(node, FuncCall)}

    def _inlined(self, output: Function) -> dict[Function, int]:
        """The Functions to differentiate as part of their consumers, each with a dimension that has no limits.

        They are pure and read at any place, but what they read has limits, as of boundary conditions.
        """
        limitless = {source: at for source, box in self.regions.boxes.items() for at in _limitless(box)}
        excluded = {output, *(self.sources or ())}
        inlined = {
            function: limitless[function]
            for function in self.functions
            if function in limitless and function not in excluded and len(function.stages) == 1
        }
        while True:
            reads = {f: {_source(view, node) for view in self.views(f) for node in view.reads} for f in inlined}
            refused = [
                f for f in inlined if any(s in limitless and s not in inlined and self.wants(s) for s in reads[f])
            ]
            if not refused:
                return inlined
            for function in refused:
                del inlined[function]

    def active(self, view: StageView) -> Callable[[Expr], bool]:
        """The reads of a definition that need an adjoint."""

        def test(leaf: Expr) -> bool:
            return self.wants(source_of(view, leaf))

        return test

    def sweep(self, view: StageView, roots: Sequence[tuple[Expr, Adjoint]]) -> dict[Expr, Adjoint]:
        """The adjoints of what a definition reads, given those of its values."""
        sweep = Sweep(self.active(view), view.where)
        adjoints = sweep(roots)
        for what, node in sweep.jumps:
            if node not in self.coordinates and view.function not in self.coordinates:
                warn_once(f"the derivative of {what} in {view.where} is zero: its value changes in jumps only.")
        return adjoints

    def _everywhere(self, seed: AdjointState, box: Box) -> AdjointState:
        return self.register(AdjointState(seed.anywhere(), 0, box, True))

    # Functions

    def process(self, function: Function, seeds: States | None = None) -> None:
        """Differentiates all definitions of a Function whose consumers have been differentiated."""
        if not self.wants(function) or function in self.inlined:
            return
        states = seeds if seeds is not None else self.built(function, len(function.stages) - 1)
        self.results[function, len(function.stages) - 1] = states
        if all(state is None for state in states):
            return
        views = self.views(function)
        for view in reversed(views[1:]):
            states = Reversal(self, view, states).run()
            self.results[function, view.number - 1] = states
        self._pure(views[0], states)

    def built(self, function: Function, number: int) -> States:
        """The adjoints of a Function after a stage: the sums of what its consumers contribute."""
        return [self.state(function, index, number) for index in range(len(function.types))]

    def state(
        self, function: Function, index: int, number: int, base: Expr | None = None, extra: Sequence[Scatter] = ()
    ) -> AdjointState | None:
        """The adjoint of one value after stage `number`: `base` and all contributions."""
        contributions = [*self.pending.pop((function, index), ()), *extra]
        # A Function that no iteration reads has no region.
        if (not contributions and base is None) or function not in self.regions.boxes:
            return None
        name = f"d_{stem_of(function)}" if len(function.types) == 1 else f"d_{stem_of(function)}_{index}"
        last = number == len(function.stages) - 1
        spec = AdjointSpec(
            function,
            name if last else f"{name}_s{number}",
            function.args,
            adjoint_type(function.types[index]),
            self.regions.boxes[function],
            False,
            function.location,
        )
        return self.register(self._build(spec, contributions, base))

    def register(self, state: AdjointState) -> AdjointState:
        """Records an adjoint, so that its reads are recognized, and returns it."""
        self.states[state.function, state.index] = state
        return state

    def _build(self, spec: AdjointSpec, contributions: Iterable[Scatter], base: Expr | None = None) -> AdjointState:
        builder = AdjointBuilder(spec, self.states, self.regions.boxes, base)
        for scatter in contributions:
            builder.add(scatter)
        return builder.state()

    def _pure(self, view: StageView, states: States) -> None:
        dims = self.dims(view)
        ((args, values),) = view.stores
        roots = [
            (value, Adjoint(state.type, {TRUE: state.at(args)}))
            for value, state in zip(values, states, strict=True)
            if state is not None
        ]
        self.contribute(view, self.sweep(view, roots), dims, view.condition)

    def dims(self, view: StageView) -> tuple[DomainDim, ...]:
        """The domain of a definition."""
        dims = view.dims_over(self.regions.boxes[view.function])
        for at, dim in enumerate(dims):
            if dim is None:
                raise unbounded(view.function, at)
        return tuple([dim for dim in dims if dim is not None])

    def contribute(
        self, view: StageView, leaves: Mapping[Expr, Adjoint], dims: tuple[DomainDim, ...], condition: Expr
    ) -> None:
        """Records what a definition contributes to the adjoints of what it reads."""
        for leaf, adjoint in leaves.items():
            value = adjoint.total()
            if is_number(value, 0):
                continue
            args = () if isinstance(leaf, ParameterRef) else leaf.args  # type: ignore[attr-defined]
            index = leaf.value_index if isinstance(leaf, FuncCall) else 0
            key = source_of(view, leaf), index
            self.pending.setdefault(key, []).append(Scatter(args, value, dims, condition, view.location))

    def is_bounded(self, function: Function) -> bool:
        """Whether an adjoint is needed in a bounded box only; other Functions are made for bounded boxes."""
        state = self.states.get((function, 0))
        return state is None or all(i.low is not None and i.high is not None for i in state.box)

    def box_of(self, function: Function) -> Box | None:
        """The region of an adjoint, or of a Function of the forward pass, that is needed; None for other Functions."""
        state = self.states.get((function, 0))
        return self.regions.boxes.get(function) if state is None else state.box

    def of_input(self, source: Any, name: str, dimensions: int, type_: Type) -> Function:
        """The adjoint of an image or Param."""
        names = tuple([COORDINATES[d] if dimensions <= 4 else f"v{d}" for d in range(dimensions)])
        contributions = self.pending.get((source, 0), [])
        kind = adjoint_type(type_)
        unknown: Box = (UNBOUNDED,) * dimensions
        box = self.regions.boxes[source] if contributions and dimensions else unknown
        spec = AdjointSpec(source, f"d_{name.partition('$')[0]}", names, kind, box, True, SourceLocation())
        return self._build(spec, contributions).function


def source_of(view: StageView, leaf: Expr) -> object:
    """Returns what a leaf reads: a Function, an image or a Param."""
    if isinstance(leaf, ImageCall):
        return leaf.image
    if isinstance(leaf, ParameterRef):
        return leaf.parameter
    assert isinstance(leaf, FuncCall)
    return leaf.function if leaf.function is not None else view.function
