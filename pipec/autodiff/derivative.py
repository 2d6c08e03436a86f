"""propagate_adjoints, Derivative and grad: how users ask for gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from pipec.autodiff.adjoint import AdjointState
from pipec.autodiff.algebra import adjoint_type, converted, number
from pipec.autodiff.backward import Backward, States, callees_first, unbounded
from pipec.autodiff.first_schedule import FirstSchedule, stored_schedule
from pipec.autodiff.stages import defined, stem_of, variables
from pipec.bounds.box import Box
from pipec.bounds.interval import Interval
from pipec.bounds.simplify import simplify
from pipec.errors import ArgumentError, DefinitionError
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.func.buffers.elements import plain_index
from pipec.func.functions.definition import user_location
from pipec.func.functions.func import Func
from pipec.func.functions.function import Function
from pipec.func.functions.param import ImageParam, Param
from pipec.func.math.convert import cast, convert
from pipec.ir import build
from pipec.ir.expr import Expr, FuncCall, ImageCall
from pipec.ir.types import INT32

# What a gradient can be taken with respect to.
Source = Func | Buffer | ImageParam | Param
Bounds = Sequence[tuple[Any, Any]]


class Derivative:
    """The adjoints of all that a Func depends on, each a Func: what `propagate_adjoints` gives.

    `d[func]`: the adjoint of the pure definition of a Func; `d[func, k]`: that of its values after update `k`;
    `d[buffer]` and `d[image_param]`: over the coordinates of the image; `d[param]`: a Func of no dimensions.

    >>> x, p = hl.Var("x"), hl.Param(hl.Float(32), "p", 3.0)
    >>> row = hl.Buffer(np.array([1, 2, 4], np.float32))
    >>> f, r = hl.Func(), hl.RDom([(0, 3)])
    >>> f[()] = 0.0
    >>> f[()] += row[r] * row[r] * p
    >>> d = hl.propagate_adjoints(f)
    >>> d[row].realize([3]).numpy().tolist()
    [6.0, 12.0, 24.0]
    >>> d[p].realize().numpy().item()
    21.0
    """

    __slots__ = ("_backward", "_funcs", "_user_funcs")

    def __init__(self, backward: Backward, adjoint: Any = None) -> None:
        self._backward = backward
        # They keep the schedules that their users gave them.
        self._user_funcs = {
            *backward.functions,
            *(callees_first(adjoint.function) if isinstance(adjoint, Func) else ()),
        }
        self._funcs: dict[object, Func] = {}

    @overload
    def __getitem__(self, source: Source) -> Func: ...
    @overload
    def __getitem__(self, source: tuple[Func, int]) -> Func: ...
    def __getitem__(self, source: Source | tuple[Func, int]) -> Func:
        update = -1
        if isinstance(source, tuple):
            number = plain_index(source[1]) if len(source) == 2 else None
            if number is None or not isinstance(source[0], Func):
                raise TypeError(f"__getitem__(): a Func and the number of an update are needed, not {source!r}")
            source, update = source[0], number
        if isinstance(source, Func):
            return self.func(source, update + 1)
        return self._input(source)

    def func(self, func: Func, stage: int) -> Func:
        """The adjoint of the values of a Func after its stage `stage`, 0 being the pure definition."""
        function = func.function
        count = len(function.stages)
        if not 0 <= stage < count:
            raise ArgumentError(
                f"Error: Func {function.name} has no update number {stage - 1}: it has {count - 1} update(s); -1 stands"
                " for its pure definition."
            )
        if function not in self._backward.functions:
            raise ArgumentError(
                f"Error: Could not find Func {function.name} ({function.location}): what was differentiated does not "
                f"depend on it, but on {', '.join(f.name for f in self._backward.functions)}."
            )
        if function in self._backward.inlined:
            raise unbounded(function, self._backward.inlined[function])
        key = function, stage
        if key not in self._funcs:
            states = self._backward.results.get(key) or [None] * len(function.types)
            self._funcs[key] = self._func_of(_whole(function, states))
        return self._funcs[key]

    def _input(self, source: Buffer | ImageParam | Param) -> Func:
        owner = input_of(source)
        if owner not in self._funcs:
            if not any(owner in function.parameters for function in self._backward.functions):
                raise ArgumentError(
                    f"Error: Could not find the {type(source).__name__} {source.name()}: what was differentiated does "
                    "not depend on it."
                )
            dimensions = 0 if isinstance(source, Param) else source.dimensions()
            self._funcs[owner] = self._func_of(self._backward.of_input(owner, source.name(), dimensions, source.type()))
        return self._funcs[owner]

    def _func_of(self, adjoint: Function) -> Func:
        """The Func of an adjoint, with a first schedule, which users and searches replace.

        Adjoints with updates are computed at root: otherwise each update that reads one would compute it, and all that
        it depends on, in its own loops. So are those that are much work at several places. Funcs of users have such a
        schedule in pipelines of this adjoint only.
        """
        functions = callees_first(adjoint)
        stored = FirstSchedule(functions, self._has_updates, self._may_be_stored).stored - {adjoint}
        for function in functions:
            own = function not in self._user_funcs and not function.schedule.directives and function.searched is None
            if own and (function in stored or self._has_updates(function)):
                before = function.state()
                function.schedule = stored_schedule(function)
                function.searched = before, function.state()
        adjoint.stored_by_default = tuple([function for function in functions if function in stored & self._user_funcs])
        func = Func.__new__(Func)
        func._function = adjoint
        return func

    def _has_updates(self, function: Function) -> bool:
        """Whether a Function is an adjoint with updates, over a bounded region."""
        is_adjoint = function not in self._user_funcs
        return is_adjoint and len(function.stages) > 1 and self._backward.is_bounded(function)

    def _may_be_stored(self, function: Function) -> bool:
        """Whether an adjoint, or a Func that was differentiated, is needed in a bounded region."""
        box = self._backward.box_of(function)
        return box is not None and all(interval.bounded for interval in box)


def input_of(source: Any) -> Any:
    """Returns the object by which definitions refer to a Buffer, ImageParam or Param."""
    if isinstance(source, Buffer):
        return source
    if isinstance(source, ImageParam | Param):
        return source.parameter()
    raise TypeError(
        "a gradient is taken with respect to a Func, Buffer, ImageParam or Param, not"
        f" {type(source).__name__} {source!r}"
    )


def _whole(function: Function, states: States) -> Function:
    """The adjoint of all values of a Func as one Function."""
    if len(states) == 1 and states[0] is not None:
        return states[0].anywhere()
    kinds = [adjoint_type(kind) for kind in function.types]
    pure = variables(function.args)
    values: list[Expr] = []
    for kind, state in zip(kinds, states, strict=True):
        if state is None:
            values.append(number(kind, 0.0))
        else:
            called = state.anywhere()
            values.append(FuncCall(kind, called.name, pure, 0, called))
    return defined(f"d_{stem_of(function)}", function.args, kinds, values, function.location)


def propagate_adjoints(output: Func, adjoint: Any = None, output_bounds: Bounds | None = None) -> Derivative:
    """Differentiate `output`: the adjoints of all Funcs, Buffers, ImageParams and Params that it depends on.

    `propagate_adjoints(f)`: f has no dimensions, its adjoint is 1. `propagate_adjoints(f, buffer)`: the adjoint of f is
    the Buffer (an array, an ImageParam), which also gives the bounds. `propagate_adjoints(f, func, bounds)`: it is a
    Func, over (min, extent) pairs, which may be Exprs of Params. `propagate_adjoints(f, bounds)`: it is 1 everywhere.

    The method is reverse mode on definitions (T.-M. Li et al., Differentiable programming for image processing and deep
    learning in Halide, 2018). What cannot be differentiated raises NotSupportedError with the reason.

    >>> x, y = hl.vars("x y")
    >>> image = hl.Buffer(np.ones((3, 4), np.float32))
    >>> f = hl.Func()
    >>> f[x, y] = hl.sin(image[x, y] * 0.5)
    >>> d = hl.propagate_adjoints(f, [(0, 4), (0, 3)])
    >>> round(d[image].realize([4, 3])[1, 1], 4)
    0.4388
    """
    return Derivative(_backward(output, adjoint, output_bounds, None), adjoint)


def _backward(output: Func, adjoint: Any, bounds: Bounds | None, sources: Any) -> Backward:
    if not isinstance(output, Func):
        raise TypeError(f"propagate_adjoints(): incompatible function arguments: {output!r} is no Func")
    function = output.function
    if not function.defined:
        raise DefinitionError(f"Error: Func {function.name} (made at {function.location}) has no definition.")
    for kind in function.types:
        if not kind.floating:
            raise ArgumentError(
                f"Error: Func {function.name} has values of type {kind}; only floats have a derivative. Cast it, e.g. "
                "hl.f32(...)."
            )
    if adjoint is not None and bounds is None and _is_bounds(adjoint):
        adjoint, bounds = None, adjoint
    if isinstance(adjoint, Buffer | ImageParam) or (adjoint is not None and not isinstance(adjoint, Func)):
        adjoint, bounds = _image_seed(function, adjoint, bounds)
    box = _box(function, bounds)
    function.freeze()
    return Backward(function, _seeds(function, adjoint, box), box, sources)


def _is_bounds(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in value)


def _image_seed(function: Function, adjoint: Any, bounds: Bounds | None) -> tuple[Any, Bounds]:
    """The adjoint as something that is indexed, and its bounds."""
    if not isinstance(adjoint, Buffer | ImageParam):
        if as_array(adjoint) is None:
            raise TypeError(
                "propagate_adjoints(): incompatible function arguments: the adjoint is a Func, a Buffer, an ImageParam,"
                f" an array or a list of (min, extent) pairs, not {adjoint!r}"
            )
        adjoint = Buffer(adjoint)
    if adjoint.dimensions() != len(function.args):
        raise ArgumentError(
            f"Error: The adjoint {adjoint.name()} has {adjoint.dimensions()} dimensions, but Func {function.name} has"
            f" {len(function.args)}."
        )
    if len(function.types) != 1:
        raise ArgumentError(
            f"Error: Func {function.name} has {len(function.types)} values at each point: give the adjoint as a Func of"
            " as many, with bounds."
        )
    if bounds is None:
        dims = [adjoint.dim(d) for d in range(adjoint.dimensions())]
        bounds = [(dim.min(), dim.extent()) for dim in dims]
    return adjoint, bounds


def _box(function: Function, bounds: Bounds | None) -> Box:
    bounds = bounds or []
    if len(bounds) != len(function.args):
        raise ArgumentError(
            f"Error: Func {function.name} has {len(function.args)} dimensions, so its gradient needs an adjoint or"
            f" bounds: a (min, extent) pair for each of {', '.join(function.args) or 'none'}; {len(bounds)} were given."
        )
    box = []
    for low, extent in bounds:
        first, size = (cast(INT32, convert(value, "a bound")) for value in (low, extent))
        box.append(Interval(simplify(first), simplify(build.sub(build.add(first, size), 1))))
    return tuple(box)


def _seeds(function: Function, adjoint: Any, box: Box) -> States:
    """The adjoints of the output's values that the user gives; outside of the box they are not read."""
    pure = variables(function.args)
    if adjoint is None:
        values: list[Expr] = [number(kind, 1.0) for kind in function.types]
    elif isinstance(adjoint, Func):
        values = _func_values(function, adjoint, pure)
    else:
        owner = input_of(adjoint)
        values = [converted(ImageCall(adjoint.type(), adjoint.name(), pure, owner), function.types[0])]
    seed = defined(f"d_{stem_of(function)}", function.args, function.types, values, user_location())
    return [AdjointState(seed, index, box, False) for index in range(len(function.types))]


def _func_values(function: Function, adjoint: Func, pure: tuple[Expr, ...]) -> list[Expr]:
    seed = adjoint.function
    if not seed.defined or len(seed.args) != len(function.args) or len(seed.types) != len(function.types):
        raise ArgumentError(
            f"Error: The adjoint {seed.name} must have as many dimensions and values as Func {function.name}:"
            f" {len(function.args)} and {len(function.types)}."
        )
    return [
        converted(FuncCall(kind, seed.name, pure, at, seed), own)
        for at, (kind, own) in enumerate(zip(seed.types, function.types, strict=True))
    ]


@overload
def grad(f: Func, wrt: Source, adjoint: Any = ..., bounds: Bounds | None = ...) -> Func: ...
@overload
def grad(f: Func, wrt: Sequence[Source], adjoint: Any = ..., bounds: Bounds | None = ...) -> list[Func]: ...
def grad(f: Func, wrt: Any, adjoint: Any = None, bounds: Bounds | None = None) -> Any:
    """The gradient of f with respect to each of `wrt`: Funcs, Buffers, ImageParams, Params; a Func for each.

    A Func of no dimensions is differentiated as it is. Of any other one the gradient of sum(adjoint * f) over `bounds`
    is taken: `adjoint` is a Buffer, array, ImageParam or Func, by default 1; (min, extent) pairs are needed unless the
    adjoint has bounds. With respect to a Func it is the adjoint of its final values, as its consumers read them.
    Only what lies between f and `wrt` is differentiated.

    >>> x = hl.Var("x")
    >>> row = hl.Buffer(np.array([1, 2, 4], np.float32))
    >>> f = hl.Func()
    >>> f[x] = row[x] * row[x + 1]
    >>> hl.grad(f, row, bounds=[(0, 2)]).realize([3]).numpy().tolist()
    [2.0, 5.0, 2.0]
    """
    sources = list(wrt) if isinstance(wrt, list | tuple) else [wrt]
    keys = [source.function if isinstance(source, Func) else input_of(source) for source in sources]
    derivative = Derivative(_backward(f, adjoint, bounds, keys), adjoint)
    gradients = [
        derivative.func(source, len(source.function.stages) - 1) if isinstance(source, Func) else derivative[source]
        for source in sources
    ]
    return gradients if isinstance(wrt, list | tuple) else gradients[0]
