"""Update definitions reversed: from the adjoint of a Func after an update to that before it.

    f[L(r)] = v(f[S(r)], g[T(r)], ...)

What is added to (v = f[L] + e) keeps its adjoint d. In all other cases an element must be written at most once, so that
d[L(r)] belongs to one iteration. Own reads of what was written before (scans) make d a reversed scan, which adds to
several places when the scan reads several back, and the other way round; own reads of what is written later, or never,
are contributions to the adjoint before the update, in which what was written is zero.
Maxima and minima give all to the iteration that won. What is overwritten again and again is computed with its history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from pipec.autodiff.adjoint import State
from pipec.autodiff.algebra import Adjoint, adjoint_type, number, plus
from pipec.autodiff.dependences import When, places_differ, when, writes_once
from pipec.autodiff.extremes import Extreme, winners
from pipec.autodiff.history import with_history
from pipec.autodiff.pieces import current, pieces
from pipec.autodiff.solve import solved_term
from pipec.autodiff.stages import StageView, is_own, truncated
from pipec.autodiff.terms import Scatter
from pipec.bounds.interval import Interval
from pipec.bounds.simplify import simplify
from pipec.errors import NotSupportedError
from pipec.func.functions.definition import ReductionLoop, StageDef
from pipec.func.functions.function import Function
from pipec.func.functions.names import numbered_name
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import EQ, GE, LE, TRUE, Expr, FuncCall, Intrinsic, ReductionVariable, Variable, const
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
        # What the Function is before and after this update, made when its values are needed.
        self._versions: dict[int, Function] = {}

    def _mark(self, store: int, index: int) -> Expr:
        """What stands for the adjoint of a stored value until it is known."""
        made: Expr = Variable(adjoint_type(self.function.types[index]), f"adjoint {store} {index}")
        return made

    def _in_place(self, call: FuncCall) -> bool:
        return any(call.args == args for args, _ in self.view.stores)

    def run(self) -> States:
        """The adjoints before the update."""
        if not places_differ(self.view):
            self._refuse("two of the places that it writes at once may be the same element")
        apart = all(found is When.NEVER for found in self.whens.values())
        known = all(found is not When.UNKNOWN for found in self.whens.values())
        if self._accumulates() and known:
            return self._accumulating()
        if len(self.view.stores) == 1 and apart:
            extreme = Extreme.of(self.view, [index for index, state in enumerate(self.states) if state is not None])
            if extreme is not None:
                return self._extreme(extreme)
        if writes_once(self.view) and known:
            return self._once()
        if len(self.view.stores) == 1 and apart:
            return self._history()
        self._refuse()

    def _refuse(self, what: str | None = None) -> NoReturn:
        reads = [str(call) for call, found in self.whens.items() if found is When.UNKNOWN]
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
        for store, (args, values) in enumerate(self.view.stores):
            call = FuncCall(self.function.types[index], self.function.name, args, index, None)
            found = self.own.get(call)
            if self.states[index] is None:
                if found is not None and found.parts:
                    return False
                continue
            if found is None or dict(found.parts) != {TRUE: self._mark(store, index)}:
                return False
            del values
        return True

    def _accumulates(self) -> bool:
        return all(self._keeps(index) for index in range(len(self.states)))

    def _accumulating(self) -> States:
        """f[L] += e: the adjoint stays what it is, and e gets that of its place."""
        after = [call for call, found in self.whens.items() if found is When.AFTER]
        states = self._scanned(after) if after else self.states
        marks = self._values_of(states)
        self.backward.contribute(self.view, self._known(self.others, marks), self.dims, self.view.condition)
        later = {call: self.own[call] for call, found in self.whens.items() if found is not When.AFTER}
        return self._before(states, self._known(later, marks), [True] * len(states), None)

    def _once(self) -> States:
        """f[L(r)] = e(r), every element at most once."""
        after = [call for call, found in self.whens.items() if found is When.AFTER]
        states = self._scanned(after) if after else self.states
        marks = self._values_of(states)
        self.backward.contribute(self.view, self._known(self.others, marks), self.dims, self.view.condition)
        keeps = [self._keeps(index) for index in range(len(states))]
        rest = {
            call: adjoint
            for call, adjoint in self.own.items()
            if call not in after and not (call not in self.whens and keeps[call.value_index])
        }
        return self._before(states, self._known(rest, marks), keeps, self._unwritten())

    def _before(
        self, states: States, own: dict[Expr, Adjoint], keeps: list[bool], unwritten: list[Expr] | None
    ) -> States:
        """The adjoints before the update: those after it where nothing was written, and what own reads contribute."""
        self.backward.contribute(self.view, own, self.dims, self.view.condition)
        found: States = []
        for index, (state, kept) in enumerate(zip(states, keeps, strict=True)):
            if kept and (self.function, index) not in self.backward.pending:
                found.append(state)
                continue
            base = None if state is None else state.at([Variable(INT32, name) for name in self.function.args])
            if base is not None and not kept and unwritten is not None:
                nowhere = build.any_of(unwritten)
                base = None if constant(nowhere) == 0 else _select(nowhere, base)
            found.append(self.backward.state(self.function, index, self.view.number - 1, base))
        return found

    def _unwritten(self) -> list[Expr]:
        """Conditions on the coordinates, at least one of which holds where the update writes nothing."""
        u = [Variable(INT32, name) for name in self.function.args]
        written: Expr = build.not_(TRUE)
        for args, _ in self.view.stores:
            scatter = Scatter(args, number(adjoint_type(self.function.types[0]), 1.0), self.dims, self.view.condition)
            for piece in pieces(scatter):
                written = build.or_(written, self._reached(piece, u))
        return [simplify(build.not_(written))]

    def _reached(self, piece: Scatter, u: list[Variable]) -> Expr:
        """The condition that a place is written by a piece of the domain."""
        term = solved_term(piece, u)
        if term.loops:
            self._refuse()
        values = {dim.name: e for dim, e in term.solved}
        conditions = [substitute(current(piece, piece.condition), values), *term.exact]
        for dim, e in term.solved:
            if dim.reduction:
                conditions += [GE(e, dim.low), LE(e, dim.high)]
        conditions += [EQ(x, arg) for x, arg in zip(u, term.place, strict=True) if x is not arg]
        return simplify(build.all_of(conditions))

    # Values

    def _values_of(self, states: States) -> dict[str, Expr]:
        """The adjoint of each stored value, in the places of the marks."""
        found: dict[str, Expr] = {}
        for store, (args, _) in enumerate(self.view.stores):
            for index, state in enumerate(states):
                name = f"adjoint {store} {index}"
                kind = adjoint_type(self.function.types[index])
                found[name] = number(kind, 0.0) if state is None else state.at(args)
        return found

    def _known(self, adjoints: dict[Any, Adjoint], marks: dict[str, Expr]) -> dict[Expr, Adjoint]:
        """The adjoints with the marks filled in, and with what the Function was at the time of each own read."""
        return {leaf: self._filled(adjoint, marks) for leaf, adjoint in adjoints.items()}

    def _filled(self, adjoint: Adjoint, marks: dict[str, Expr]) -> Adjoint:
        known = {substitute(c, marks): substitute(v, marks) for c, v in adjoint.parts.items()}
        parts = {self.valued(c): self.valued(v) for c, v in known.items()}
        return Adjoint(adjoint.type, parts)

    def valued(self, e: Expr) -> Expr:
        """The expression with own reads as reads of what the Function was then."""

        def change(node: Any) -> Any:
            if isinstance(node, FuncCall) and is_own(self.view, node):
                found = When.BEFORE if self._in_place(node) else when(self.view, node, self.box)
                if found is When.UNKNOWN:
                    self._refuse()
                version = self.version(self.view.number - (found is not When.AFTER))
                return FuncCall(node.type, version.name, node.args, node.value_index, version)
            return node

        return rewrite(e, change) if any(_is_call(n) for n in postorder(e)) else e

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
        kinds = tuple([adjoint_type(kind) for kind in function.types])
        made = Function(f"d_{function.name.partition('$')[0]}_scan", function.location)
        made.args, made.types = function.args, kinds
        pure = tuple([Variable(INT32, name) for name in made.args])
        zero = [number(kind, 0.0) for kind in kinds]
        start = [zero[i] if state is None else state.at(pure) for i, state in enumerate(self.states)]
        made.add_stage(StageDef(pure, tuple(start), (), TRUE, view.location))
        domain = numbered_name("r")
        names: dict[str, Expr] = {}
        loops = []
        for at, dim in enumerate(view.loops):
            loops.append(ReductionLoop(f"{domain}${at}", dim.low, build.max_(dim.extent, 0)))
            variable: Expr = ReductionVariable(INT32, f"{domain}${at}", None)
            names[dim.name] = simplify(build.sub(build.add(dim.low, dim.high), variable))
        names |= {own: Variable(INT32, name) for own, name in zip(view.pure, made.args, strict=True) if own is not None}

        def here(e: Expr) -> Expr:
            return substitute(e, names)

        def own(args: tuple[Expr, ...], index: int) -> Expr:
            called: Expr = FuncCall(kinds[index], made.name, args, index, None)
            return called

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
            stores.append((tuple([simplify(here(arg)) for arg in target]), [here(value) for value in values]))
        condition = here(view.condition)
        args = tuple([_several([store[0][d] for store in stores]) for d in range(len(pure))])
        news = tuple([_several([store[1][i] for store in stores]) for i in range(len(kinds))])
        made.add_stage(StageDef(args, news, tuple(loops), condition, view.location))
        return [self.backward.register(State(made, index, self.box, False)) for index in range(len(kinds))]

    # Other kinds

    def _extreme(self, extreme: Extreme) -> States:
        """The iteration that won gets the adjoint; the value from before where none won."""
        function, index = self.function, extreme.index
        state = self.states[index]
        assert state is not None
        won = winners(self.view, extreme, self.version(self.view.number - 1))
        ((place, _),) = self.view.stores
        mine = [EQ(FuncCall(INT32, won.name, place, at, won), dim.variable) for at, dim in enumerate(self.view.loops)]
        adjoint = Adjoint(state.type, {build.all_of(mine): state.at(place)})
        leaves = self.backward.sweep(self.view, [(extreme.new, adjoint)])
        self.backward.contribute(self.view, leaves, self.dims, self.view.condition)
        u = tuple([Variable(INT32, name) for name in function.args])
        nobody = EQ(FuncCall(INT32, won.name, u, 0, won), const(int(INT32.min_value())))
        found: States = [None] * len(self.states)
        base = _select(nobody, state.at(u))
        found[index] = self.backward.state(function, index, self.view.number - 1, base)
        return found

    def _history(self) -> States:
        """The Func with a dimension more, in which each iteration writes elements of its own, is differentiated."""
        before = self.version(self.view.number - 1)
        found = with_history(self.view, before)
        if found is None:
            self._refuse()
        history, last = found
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


def _is_call(node: object) -> bool:
    return isinstance(node, FuncCall)


def _several(parts: list[Expr]) -> Expr:
    if all(part is parts[0] for part in parts):
        return parts[0]
    made: Expr = Intrinsic(parts[0].type, SEVERAL, tuple(parts))
    return made
