"""Adjoint Funcs built from contributions: gathers in the pure definition, sums over RDoms and scatters as updates."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from pipec.autodiff.algebra import is_number, number, plus
from pipec.autodiff.facts import Facts
from pipec.autodiff.pieces import pieces
from pipec.autodiff.solve import Term, solved_term
from pipec.autodiff.stages import defined, stem_of, variables
from pipec.autodiff.sums import Group, loop_variable, sums_of, update_of
from pipec.autodiff.terms import DomainDim, Scatter, facts_of, interval_over
from pipec.bounds.box import Box
from pipec.bounds.conditions import likely, plain_conjuncts
from pipec.bounds.interval import Interval
from pipec.bounds.linear import linear
from pipec.bounds.simplify import simplify
from pipec.func.functions.definition import SourceLocation
from pipec.func.functions.function import Function
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import GE, LE, TRUE, Expr, FuncCall, ImageCall, Select
from pipec.ir.types import Type
from pipec.ir.walk import free_variables, postorder, rewrite, substitute
from pipec.records import dataclass, replace

# Remainders with at most so many values are written out instead of looped over.
MAX_COPIES = 16


class AdjointState:
    """The adjoint of one value of a Func after one of its stages, or of an image: value `index` of a Function.

    It is defined inside `box`. `total`: also outside, where it is zero.
    """

    def __init__(self, function: Function, index: int, box: Box, total: bool) -> None:
        self.function, self.index, self.box, self.total = function, index, box, total
        self._padded: Function | None = None

    @property
    def type(self) -> Type:
        """The type of the value."""
        return self.function.types[self.index]

    def at(self, args: Sequence[Expr]) -> Expr:
        """Returns the call of the state at `args`."""
        return FuncCall(self.type, self.function.name, tuple(args), self.index, self.function)

    def anywhere(self) -> Function:
        """The adjoint as a Function of one value that is zero outside of the box."""
        if self.total and len(self.function.types) == 1:
            return self.function
        if self._padded is None:
            self._padded = self._extended()
        return self._padded

    def _extended(self) -> Function:
        function, inside, args = self.function, list[Expr](), list[Expr]()
        for x, interval in zip(variables(function.args), self.box, strict=True):
            bounded = interval.low is not None and interval.high is not None and not self.total
            if bounded:
                inside += [GE(x, interval.low), LE(x, interval.high)]
            args.append(clamped(x, interval.low, interval.high) if bounded else x)  # type: ignore[arg-type]
        value = self.at(args)
        if inside:
            value = Select(likely(build.all_of(inside)), value, number(self.type, 0.0))
        return defined(f"{stem_of(function)}_anywhere", function.args, (self.type,), (value,), function.location)


def clamped(e: Expr, low: Expr, high: Expr) -> Expr:
    """An index clamped to an interval, inside of which it is likely to lie."""
    return build.max_(build.min_(likely(e), high), low)


@dataclass(frozen=True)
class AdjointSpec:
    """The adjoint to build: that of `source` (a Function or an image), with coordinates `names`.

    `is_input`: only users read it, at any place.
    """

    source: Any
    name: str
    names: tuple[str, ...]
    type: Type
    box: Box
    is_input: bool
    location: SourceLocation


class Reads(Enum):
    """How a term avoids reads outside of the domain of its definition.

    SAFE: it has none, or they are allowed. PADDED: adjoints are zero there. GUARDED: a condition and clamped indices.
    """

    SAFE = "safe"
    PADDED = "padded"
    GUARDED = "guarded"


class AdjointBuilder:
    """Builds one adjoint. `states`: the other adjoints, with the boxes in which they may be read without a guard.

    `boxes`: the regions of Functions and images that the pipeline reads.
    """

    def __init__(
        self,
        spec: AdjointSpec,
        states: Mapping[tuple[Function, int], AdjointState],
        boxes: Mapping[Any, Box],
        base: Expr | None = None,
    ) -> None:
        self.spec = spec
        self.states = states
        self.boxes = boxes
        self.u = variables(spec.names)
        self.total = base is None
        self.pure: Expr = number(spec.type, 0.0) if base is None else base
        self.sums: dict[Group, Expr] = {}
        self.whole = [
            DomainDim(name, interval.low, interval.high)
            for name, interval in zip(spec.names, spec.box, strict=True)
            if interval.low is not None and interval.high is not None
        ]

    def add(self, scatter: Scatter) -> None:
        """Add a contribution."""
        for piece in pieces(scatter):
            for term in _copies(solved_term(_simplified(piece), self.u)):
                self._add_term(term)

    def function(self) -> Function:
        """The adjoint Function, once all contributions are there."""
        spec = self.spec
        adjoint = defined(spec.name, spec.names, (spec.type,), (self.pure,), spec.location)
        for total in sums_of(self.sums):
            adjoint.add_stage(update_of(adjoint.name, total, spec.location))
        return adjoint

    def state(self) -> AdjointState:
        """Returns the adjoint built so far."""
        return AdjointState(self.function(), 0, self.spec.box, self.total)

    def _add_term(self, term: Term) -> None:
        emitted = self._emitted(term, self._reads(term))
        if emitted is None:
            return
        place, conditions, marked, value = emitted
        if not term.loops and place == self.u:
            condition = build.and_(likely(build.all_of(marked)), build.all_of(conditions))
            if condition is not TRUE:
                value = Select(condition, value, number(value.type, 0.0))
            self.pure = plus(self.pure, value)
            return
        names = {loop.name: loop_variable(at) for at, loop in enumerate(term.loops)}

        def renamed(e: Expr) -> Expr:
            return simplify(substitute(e, names))

        group = (
            tuple([renamed(arg) for arg in place]),
            tuple([(loop.low, loop.high) for loop in term.loops]),
            build.and_(likely(renamed(build.all_of(marked))), renamed(build.all_of(conditions))),
        )
        before = self.sums.get(group)
        value = renamed(value)
        if is_number(value, 0):
            return
        self.sums[group] = value if before is None else plus(before, value)

    # Guards

    def _reads(self, term: Term) -> Reads:
        unsafe = self._unsafe(term)
        if not unsafe:
            return Reads.SAFE
        if not self.spec.is_input and all(self._stays_inside(term, node) for node in unsafe):
            self.total = False
            return Reads.SAFE
        return Reads.GUARDED if any(self._state(node) is None for node in unsafe) else Reads.PADDED

    def _state(self, node: Expr) -> AdjointState | None:
        """The adjoint that a node reads; None when it reads something else."""
        return self.states.get((node.function, node.value_index)) if isinstance(node, FuncCall) else None

    def _unsafe(self, term: Term) -> list[Expr]:
        """The reads at places that depend on solved variables, and that may be out of bounds outside of the domain."""
        values = {dim.name: e for dim, e in term.solved}
        unsafe: list[Expr] = []
        for node in postorder(*_parts(term)):
            if not isinstance(node, FuncCall | ImageCall) or not free_variables(node) & values.keys():
                continue
            state = self._state(node)
            if state is not None and state.total:
                continue
            if self.spec.is_input and self._is_target(node, values):
                continue
            unsafe.append(node)
        return unsafe

    def _is_target(self, node: FuncCall | ImageCall, values: Mapping[str, Expr]) -> bool:
        """Whether a node reads the very element whose adjoint is built."""
        source = node.function if isinstance(node, FuncCall) else node.image
        if source is None or source != self.spec.source:
            return False
        return all(simplify(substitute(arg, values)) is u for arg, u in zip(node.args, self.u, strict=True))

    def _stays_inside(self, term: Term, node: Expr) -> bool:
        """Whether the variables that a read depends on are in their domain wherever the target is inside its box."""
        used = free_variables(node)
        for dim, e in term.solved:
            if dim.name not in used:
                continue
            over = interval_over([*self.whole, *term.loops], e)
            if over.low is None or over.high is None:
                return False
            gaps = linear(over.low).plus(linear(dim.low), -1), linear(dim.high).plus(linear(over.high), -1)
            if not all(Facts().at_least(gap) for gap in gaps):
                return False
        return True

    def _emitted(self, term: Term, reads: Reads) -> tuple[tuple[Expr, ...], list[Expr], list[Expr], Expr] | None:
        """The place, conditions, likely conditions and the value, in u; None for a term that is zero everywhere."""
        used = frozenset().union(*map(free_variables, _parts(term)))
        plain = {dim.name: e for dim, e in term.solved}
        clamps = dict(plain)
        facts = facts_of(term.loops)
        marked: list[Expr] = []
        for dim, e in term.solved:
            guarded = reads is Reads.GUARDED and dim.name in used
            if not (dim.reduction or guarded):
                continue
            limits = [facts.simplify(GE(e, dim.low)), facts.simplify(LE(e, dim.high))]
            if any(constant(limit) == 0 for limit in limits):
                return None
            marked += [limit for limit in limits if limit is not TRUE]
            if any(limit is not TRUE for limit in limits):
                clamps[dim.name] = clamped(e, dim.low, dim.high)
        domain = [*[dim for dim, _ in term.solved], *term.loops]

        def guarded_reads(e: Expr) -> Expr:
            return self._substituted(e, domain, plain, clamps, reads)

        conditions = [guarded_reads(part) for part in plain_conjuncts(term.condition)]
        conditions = [part for part in (*conditions, *term.exact) if part is not TRUE]
        return tuple(map(guarded_reads, term.place)), conditions, marked, guarded_reads(term.value)

    def _substituted(
        self, e: Expr, domain: Sequence[DomainDim], plain: Mapping[str, Expr], clamps: Mapping[str, Expr], reads: Reads
    ) -> Expr:
        """An expression of the definition's variables in u; its reads stay inside of what is defined."""

        def change(node: Any) -> Any:
            if not isinstance(node, FuncCall | ImageCall):
                return node
            state = self._state(node)
            if state is not None and not state.total and reads is Reads.PADDED:
                node = FuncCall(state.type, state.anywhere().name, node.args, 0, state.anywhere())
            itself = self.spec.is_input and self._is_target(node, plain)
            values = plain if itself or (state is not None and state.total) else clamps
            args = [simplify(substitute(arg, values)) for arg in node.args]
            if values is clamps:
                for at, limits in enumerate(self._limits(node, domain)):
                    if limits is not None:
                        args[at] = clamped(simplify(substitute(node.args[at], plain)), *limits)
            return node.with_children(iter(args))

        return simplify(substitute(rewrite(e, change), plain))

    def _limits(self, node: FuncCall | ImageCall, domain: Sequence[DomainDim]) -> list[tuple[Expr, Expr] | None]:
        """For each index of a read the limits to clamp it to; None where it stays inside over the whole domain.

        A condition that couples variables may let it leave them, since each variable is clamped to its domain alone.
        """
        state = self._state(node)
        source = node.function if isinstance(node, FuncCall) else node.image
        box = self.boxes.get(source) if state is None else state.box
        limits: list[tuple[Expr, Expr] | None] = [None] * len(node.args)
        names = {dim.name for dim in domain}
        for at, arg in enumerate(node.args if box is not None else ()):
            low, high = box[at]  # type: ignore[index]
            # Other indices are as safe as those of the definition.
            if low is None or high is None or len(free_variables(arg) & names) < 2:
                continue
            over = interval_over(domain, arg)
            if over.union(Interval(low, high)) != Interval(low, high):
                limits[at] = low, high
        return limits


def _parts(term: Term) -> tuple[Expr, ...]:
    """All expressions of a term that may read something."""
    return (term.value, term.condition, *term.place)


def _simplified(scatter: Scatter) -> Scatter:
    """The scatter with its value and condition simplified for the domain."""
    values = {dim.name: e for dim, e in scatter.replaced}
    originals = [dim for dim, _ in scatter.replaced]
    facts = facts_of([*scatter.dims, *originals])
    condition = build.all_of([facts.simplify(part) for part in plain_conjuncts(scatter.condition)])
    facts = facts_of([*scatter.dims, *originals], [condition, substitute(condition, values)])
    return replace(scatter, value=facts.simplify(scatter.value), condition=condition)


def _copies(term: Term) -> list[Term]:
    """One term for each value of the remainders, where all loops are over remainders."""
    sizes = [dim.size for dim in term.loops]
    if not term.loops or not all(dim.digit for dim in term.loops) or None in sizes:
        return [term]
    ranges = [range(size) for size in sizes if size is not None]
    copies = list(itertools.product(*ranges))
    if len(copies) > MAX_COPIES:
        return [term]
    return [_copy(term, values) for values in copies]


def _copy(term: Term, numbers: Sequence[int]) -> Term:
    values = {dim.name: build.add(dim.low, at) for dim, at in zip(term.loops, numbers, strict=True)}

    def change(e: Expr) -> Expr:
        return simplify(substitute(e, values))

    return Term(
        tuple([change(arg) for arg in term.place]),
        substitute(term.value, values),
        change(term.condition),
        (),
        tuple([(dim, change(e)) for dim, e in term.solved]),
        tuple([change(e) for e in term.exact]),
        term.location,
    )
