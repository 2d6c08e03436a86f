"""Update definitions reversed: from the adjoint of a Func after an update to that before it.

    f[L(r)] = v(f[S(r)], g[T(r)], ...)

A sum (v = f[L] + e) keeps its adjoint d. In all other cases an element must be written at most once, so that d[L(r)]
belongs to one iteration. Own reads of elements written earlier (scans) make d a scan in reverse, which adds to several
places when the scan reads several. Own reads of elements written later, or never, contribute to the adjoint before the
update, which is zero at the written elements. Maxima and minima pass the adjoint to the iteration that won. An update
that overwrites elements many times is differentiated with a dimension for time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from pipec.autodiff.adjoint import AdjointState
from pipec.autodiff.algebra import Adjoint, adjoint_type, number, plus
from pipec.autodiff.dependences import When, places_differ, when, writes_once
from pipec.autodiff.history import Extreme, winners, with_history
from pipec.autodiff.pieces import current, pieces
from pipec.autodiff.solve import solved_term
from pipec.autodiff.stages import StageView, defined, is_own, reduction_over, stem_of, truncated, variables
from pipec.autodiff.terms import Scatter
from pipec.bounds.interval import Interval
from pipec.bounds.simplify import simplify
from pipec.errors import NotSupportedError
from pipec.func.functions.definition import StageDef
from pipec.func.functions.function import Function
from pipec.func.functions.names import numbered_name
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import EQ, GE, LE, TRUE, Expr, FuncCall, Intrinsic, Variable, const
from pipec.ir.placeholders import NAME as SEVERAL
from pipec.ir.types import INT32
from pipec.ir.walk import postorder, rewrite, substitute

if TYPE_CHECKING:
    from pipec.autodiff.backward import Backward, States


class Reversal:
    """The reversal of one update, given the adjoints after it."""

    def __init__(self, backward: Backward, view: StageView, states: States) -> None:
        self.backward, self.view, self.states = backward, view, states
        self.function = view.function
        self.box = backward.regions.boxes[view.function]
        self.dims = backward.dims(view)
        roots = []
        for store, (_, values) in enumerate(view.stores):
            for index, value in enumerate(values):
                state = states[index]
                if state is not None:
                    roots.append((value, Adjoint(state.type, {TRUE: self._mark(store, index)})))
        leaves = backward.sweep(view, roots)
        self.own: dict[FuncCall, Adjoint] = {}
        self.others: dict[Expr, Adjoint] = {}
        for leaf, adjoint in leaves.items():
            if isinstance(leaf, FuncCall) and is_own(view, leaf):
                self.own[leaf] = adjoint
            else:
                self.others[leaf] = adjoint
        self.whens = {call: when(view, call, self.box) for call in self.own if not self._in_place(call)}
        # The Function after some of its stages, for reads of its values at that time.
        self._versions: dict[int, Function] = {}

    def _mark(self, store: int, index: int) -> Expr:
        """The placeholder for the adjoint of a stored value."""
        return Variable(adjoint_type(self.function.types[index]), f"adjoint {store} {index}")

    def _in_place(self, call: FuncCall) -> bool:
        return any(call.args == args for args, _ in self.view.stores)

    def run(self) -> States:
        """The adjoints before the update."""
        if not places_differ(self.view):
            self._refuse("two of the places that it writes at once may be the same element")
        independent = all(time is When.NEVER for time in self.whens.values())
        ordered = When.UNKNOWN not in self.whens.values()
        if self._accumulates() and ordered:
            return self._accumulating()
        if len(self.view.stores) == 1 and independent:
            extreme = Extreme.of(self.view, [index for index, state in enumerate(self.states) if state is not None])
            if extreme is not None:
                return self._extreme(extreme)
        if writes_once(self.view) and ordered:
            return self._once()
        if len(self.view.stores) == 1 and independent:
            return self._history()
        self._refuse()

    def _refuse(self, what: str | None = None) -> NoReturn:
        reads = [str(call) for call, time in self.whens.items() if time is When.UNKNOWN]
        if what is None:
            what = f"it reads {', '.join(reads)}, which it may overwrite" if reads else "it may write an element twice"
        raise NotSupportedError(
            f"Error: {self.view.where} can't be differentiated, because it overwrites values that the gradient needs: "
            f"{what}, so the result depends on the order of the iterations.\nGive the Func a dimension for time, so "
            "that each iteration writes elements of its own: f[x, r + 1] = ... f[x, r] ..., or add to the elements "
            "with +=."
        )

    # Kinds of updates

    def _keeps(self, index: int) -> bool:
        """Whether the old value is an addend of the new one, and goes nowhere else."""
        for store, (args, _) in enumerate(self.view.stores):
            call = FuncCall(self.function.types[index], self.function.name, args, index, None)
            adjoint = self.own.get(call)
            addend = {} if self.states[index] is None else {TRUE: self._mark(store, index)}
            if (adjoint.parts if adjoint is not None else {}) != addend:
                return False
        return True

    def _accumulates(self) -> bool:
        return all(self._keeps(index) for index in range(len(self.states)))

    def _accumulating(self) -> States:
        """f[L] += e: the adjoint does not change, and e gets that of its place."""
        _, states, marks = self._contribute()
        later = {call: self.own[call] for call, time in self.whens.items() if time is not When.AFTER}
        return self._before(states, self._filled_in(later, marks), [True] * len(states), None)

    def _contribute(self) -> tuple[list[FuncCall], States, dict[str, Expr]]:
        """Adds the contributions to other Funcs: the own reads of elements written earlier, the adjoints, the marks."""
        after = [call for call, time in self.whens.items() if time is When.AFTER]
        states = self._scanned(after) if after else self.states
        marks = self._values_of(states)
        self.backward.contribute(self.view, self._filled_in(self.others, marks), self.dims, self.view.condition)
        return after, states, marks

    def _once(self) -> States:
        """f[L(r)] = e(r), every element at most once."""
        after, states, marks = self._contribute()
        keeps = [self._keeps(index) for index in range(len(states))]
        rest = {
            call: adjoint
            for call, adjoint in self.own.items()
            if call not in after and not (call not in self.whens and keeps[call.value_index])
        }
        return self._before(states, self._filled_in(rest, marks), keeps, self._unwritten())

    def _before(
        self, states: States, own: dict[Expr, Adjoint], keeps: list[bool], unwritten: list[Expr] | None
    ) -> States:
        """The adjoints before the update: those after it where nothing was written, and what own reads contribute."""
        self.backward.contribute(self.view, own, self.dims, self.view.condition)
        before: States = []
        for index, (state, keep) in enumerate(zip(states, keeps, strict=True)):
            if keep and (self.function, index) not in self.backward.pending:
                before.append(state)
                continue
            base = None if state is None else state.at(variables(self.function.args))
            if base is not None and not keep and unwritten is not None:
                nowhere = build.any_of(unwritten)
                base = None if constant(nowhere) == 0 else _select(nowhere, base)
            before.append(self.backward.state(self.function, index, self.view.number - 1, base))
        return before

    def _unwritten(self) -> list[Expr]:
        """Conditions on the coordinates, at least one of which holds where the update writes nothing."""
        u = variables(self.function.args)
        written: Expr = build.not_(TRUE)
        for args, _ in self.view.stores:
            scatter = Scatter(args, number(adjoint_type(self.function.types[0]), 1.0), self.dims, self.view.condition)
            for piece in pieces(scatter):
                written = build.or_(written, self._reached(piece, u))
        return [simplify(build.not_(written))]

    def _reached(self, piece: Scatter, u: Sequence[Variable]) -> Expr:
        """The condition that a piece of the domain writes a place."""
        term = solved_term(piece, u)
        if term.loops:
            self._refuse()
        values = {dim.name: e for dim, e in term.solved}
        conditions = [substitute(current(piece, piece.condition), values), *term.exact]
        for dim, e in term.solved:
            if dim.reduction:
                conditions += [GE(e, dim.low), LE(e, dim.high)]
        conditions += [EQ(x, substitute(arg, values)) for x, arg in zip(u, term.place, strict=True) if x is not arg]
        return simplify(build.all_of(conditions))

    # Values

    def _values_of(self, states: States) -> dict[str, Expr]:
        """The adjoint of each stored value, by the name of its mark."""
        values: dict[str, Expr] = {}
        for store, (args, _) in enumerate(self.view.stores):
            for index, state in enumerate(states):
                name = f"adjoint {store} {index}"
                kind = adjoint_type(self.function.types[index])
                values[name] = number(kind, 0.0) if state is None else state.at(args)
        return values

    def _filled_in(self, adjoints: dict[Any, Adjoint], marks: dict[str, Expr]) -> dict[Expr, Adjoint]:
        """The adjoints with values in the place of marks, and own reads as reads of the Function at that time."""
        return {leaf: self._filled(adjoint, marks) for leaf, adjoint in adjoints.items()}

    def _filled(self, adjoint: Adjoint, marks: dict[str, Expr]) -> Adjoint:
        parts = {substitute(c, marks): substitute(v, marks) for c, v in adjoint.parts.items()}
        return Adjoint(adjoint.type, {self.valued(c): self.valued(v) for c, v in parts.items()})

    def valued(self, e: Expr) -> Expr:
        """Returns the expression with reads of the Func itself as reads of the version that they see."""

        def change(node: Any) -> Any:
            if isinstance(node, FuncCall) and is_own(self.view, node):
                time = When.BEFORE if self._in_place(node) else when(self.view, node, self.box)
                if time is When.UNKNOWN:
                    self._refuse()
                version = self.version(self.view.number - (time is not When.AFTER))
                return FuncCall(node.type, version.name, node.args, node.value_index, version)
            return node

        return rewrite(e, change) if any(isinstance(n, FuncCall) for n in postorder(e)) else e

    def version(self, number: int) -> Function:
        """The Function as its first stages define it."""
        if number not in self._versions:
            self._versions[number] = truncated(self.function, number)
        return self._versions[number]

    # Scans

    def _scanned(self, after: list[FuncCall]) -> States:
        """The adjoints of what the update stored: a scan over the iterations in reverse order.

        d[S(r)] += (dv / df[S]) * d[L(r)], the last iteration first.
        """
        view, function = self.view, self.function
        kinds, pure = [adjoint_type(kind) for kind in function.types], variables(function.args)
        start = [number(k, 0.0) if s is None else s.at(pure) for k, s in zip(kinds, self.states, strict=True)]
        scan = defined(f"d_{stem_of(function)}_scan", function.args, kinds, start, function.location)
        loops, iteration = reduction_over(view.loops)
        names: dict[str, Expr] = {
            dim.name: simplify(build.sub(build.add(dim.low, dim.high), variable))
            for dim, variable in zip(view.loops, iteration, strict=True)
        }
        names |= {own: x for own, x in zip(view.pure, pure, strict=True) if own is not None}

        def own(args: tuple[Expr, ...], index: int) -> Expr:
            return FuncCall(kinds[index], scan.name, args, index, None)

        marks = {
            f"adjoint {store} {index}": own(place, index)
            for store, (place, _) in enumerate(view.stores)
            for index in range(len(kinds))
        }
        places = list(dict.fromkeys(call.args for call in after))
        stores: list[tuple[tuple[Expr, ...], list[Expr]]] = []
        for target in places:
            values = [own(target, index) for index in range(len(kinds))]
            for call in after:
                if call.args == target:
                    carried = self._filled(self.own[call], marks).total()
                    values[call.value_index] = plus(values[call.value_index], carried)
            place = tuple([simplify(substitute(arg, names)) for arg in target])
            stores.append((place, [substitute(value, names) for value in values]))
        args = tuple([_several([store[0][d] for store in stores]) for d in range(len(pure))])
        new = tuple([_several([store[1][i] for store in stores]) for i in range(len(kinds))])
        scan.add_stage(StageDef(args, new, loops, substitute(view.condition, names), view.location))
        return [self.backward.register(AdjointState(scan, index, self.box, False)) for index in range(len(kinds))]

    def _extreme(self, extreme: Extreme) -> States:
        """The iteration that won gets the adjoint; the value from before where none won."""
        function, index = self.function, extreme.index
        state = self.states[index]
        assert state is not None
        won = winners(self.view, extreme, self.version(self.view.number - 1))
        ((place, _),) = self.view.stores
        wins = [EQ(FuncCall(INT32, won.name, place, at, won), dim.variable) for at, dim in enumerate(self.view.loops)]
        adjoint = Adjoint(state.type, {build.all_of(wins): state.at(place)})
        leaves = self.backward.sweep(self.view, [(extreme.new, adjoint)])
        self.backward.contribute(self.view, leaves, self.dims, self.view.condition)
        u = variables(function.args)
        nobody = EQ(FuncCall(INT32, won.name, u, 0, won), const(int(INT32.min_value())))
        before: States = [None] * len(self.states)
        before[index] = self.backward.state(function, index, self.view.number - 1, _select(nobody, state.at(u)))
        return before

    def _history(self) -> States:
        """Differentiates the Func with a dimension for time, in which each iteration writes elements of its own."""
        before = self.version(self.view.number - 1)
        timed = with_history(self.view, before)
        if timed is None:
            self._refuse()
        history, last = timed
        boxes = self.backward.regions.boxes
        boxes[before] = self.box
        boxes[history] = (*self.box, Interval(const(0), last))
        self.backward.reaching |= {before, history}
        whole = [dim for dim in self.backward.dims(_identity(self.function))]
        z = tuple([dim.variable for dim in whole])
        for index, state in enumerate(self.states):
            if state is not None:
                scatter = Scatter((*z, last), state.at(z), tuple(whole), TRUE, self.view.location)
                self.backward.pending.setdefault((history, index), []).append(scatter)
        self.backward.process(history)
        return self.backward.built(before, self.view.number - 1)


def _identity(function: Function) -> StageView:
    names = tuple([numbered_name(f"{name}~") for name in function.args])
    return StageView(function, 0, names, (), (), TRUE, function.location)


def _select(condition: Expr, value: Expr) -> Expr:
    return build.select(condition, value, number(value.type, 0.0))


def _several(parts: list[Expr]) -> Expr:
    if all(part is parts[0] for part in parts):
        return parts[0]
    return Intrinsic(parts[0].type, SEVERAL, tuple(parts))
