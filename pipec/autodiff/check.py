"""check_gradient: the gradient along a random direction against central differences, both in float64."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipec.autodiff.derivative import Bounds, Source, grad, input_of
from pipec.autodiff.program import param_of
from pipec.errors import ArgumentError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.evaluate import interpret
from pipec.func.functions.freeze import Bindings, freeze, is_buffer
from pipec.func.functions.func import Func
from pipec.func.functions.function import Function
from pipec.func.functions.substitution import in_float64
from pipec.func.math.target_query import for_target
from pipec.records import dataclass
from pipec.target import get_host_target

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class GradientCheck:
    """The result of a check: the derivative along a direction by the gradient and by differences.

    >>> print(hl.GradientCheck(("image",), 1.0, 1.25, 2.0, 1e-5))
    the gradient with respect to image DIFFERS from central differences along a random direction: 1 and 1.25, \
relative error 0.12 (allowed 1e-05)
    """

    names: tuple[str, ...]
    analytic: float
    numeric: float
    scale: float
    tolerance: float

    @property
    def error(self) -> float:
        """The difference, relative to the size of what is added up."""
        return abs(self.analytic - self.numeric) / self.scale

    def __bool__(self) -> bool:
        return bool(self.error <= self.tolerance)

    def __str__(self) -> str:
        verdict = "agrees with" if self else "DIFFERS from"
        return (
            f"the gradient with respect to {', '.join(self.names)} {verdict} central differences along a random"
            f" direction: {self.analytic:.9g} and {self.numeric:.9g}, relative error {self.error:.2g}"
            f" (allowed {self.tolerance:.2g})"
        )


def check_gradient(
    f: Func,
    wrt: Source | Sequence[Source] | None = None,
    bounds: Bounds | None = None,
    adjoint: Any = None,
    *,
    seed: int = 0,
    step: float = 1e-5,
    tolerance: float = 1e-5,
) -> GradientCheck:
    """Compare the gradient of `f` with central differences of its values; AssertionError when they disagree.

    `wrt`: Buffers, ImageParams that are set and Params with values, by default all of floats that f reads. `bounds`:
    (min, extent) pairs over which f is summed, weighted by `adjoint` (a Buffer or array), by default random numbers.
    Both are evaluated from the definitions in float64; nothing is compiled, so use small sizes. Differences are no
    derivative where f has kinks or jumps within `step` of the inputs: choose other inputs.

    >>> x = hl.Var("x")
    >>> row = hl.Buffer(np.array([0.5, 0.25, 2.0], np.float32), "row")
    >>> f = hl.Func()
    >>> f[x] = hl.exp(row[x]) * row[2 - x]
    >>> bool(hl.check_gradient(f, bounds=[(0, 3)]))
    True
    """
    random = np.random.default_rng(seed)
    box = _numbers(bounds or [])
    forward, bindings = freeze([f.function])
    sources = _sources(wrt, bindings)
    if adjoint is None and box:
        adjoint = Buffer(random.standard_normal([extent for _, extent in reversed(box)]))
        adjoint.set_min([low for low, _ in box])
    gradients = grad(f, sources, adjoint, bounds)
    inputs, scalars = _values(bindings)
    weight = 1.0 if adjoint is None else _array(adjoint)
    directions = {name: random.standard_normal(_shape(name, inputs)) for name in map(_name, sources)}
    parts = [
        _gradient(gradient.function, source, inputs, scalars) * directions[_name(source)]
        for source, gradient in zip(sources, gradients, strict=True)
    ]
    analytic, scale = (sum([float(sums.sum()) for sums in one]) for one in (parts, map(np.abs, parts)))

    def values(distance: float) -> Array:
        """The weighted values of f with its inputs moved along the direction."""
        moved, numbers = dict(inputs), dict(scalars)
        for name, direction in directions.items():
            if name in moved:
                array, mins = moved[name]
                moved[name] = array + distance * direction, mins
            else:
                numbers[name] += distance * float(direction)
        return _evaluated(forward, f.function, moved, numbers, box) * weight

    after, before = values(step), values(-step)
    numeric = float(after.sum() - before.sum()) / (2 * step)
    # Rounding alone makes differences of this size, whatever the derivative.
    noise = 100 * np.finfo(np.float64).eps * max(float(np.abs(one).sum()) for one in (after, before)) / step
    scale = max(1e-12, scale, abs(numeric), noise / tolerance)
    if result := GradientCheck(tuple(map(_name, sources)), analytic, numeric, scale, tolerance):
        return result
    raise AssertionError(str(result))


def _numbers(bounds: Bounds) -> list[tuple[int, int]]:
    try:
        return [(int(low), int(extent)) for low, extent in bounds]
    except TypeError as error:
        raise ArgumentError(f"Error: check_gradient() needs bounds that are numbers, not {bounds!r}.") from error


def _name(source: Any) -> str:
    name: str = source.name()
    return name


def _sources(wrt: Any, bindings: Bindings) -> list[Any]:
    """The Buffers, ImageParams and Params to move."""
    if wrt is None:
        owners = [owner for owner in bindings.values() if owner.type().floating]
        if not owners:
            raise ArgumentError("Error: check_gradient(): f reads no Buffer, ImageParam or Param of floats.")
        return [owner if isinstance(owner, Buffer) else param_of(owner) for owner in owners]
    sources = list(wrt) if isinstance(wrt, list | tuple) else [wrt]
    if not sources:
        raise ArgumentError("Error: check_gradient(): wrt is empty. Leave it out to move all inputs.")
    for source in sources:
        if isinstance(source, Func) or not input_of(source).type().floating:
            raise ArgumentError(
                f"Error: check_gradient() moves Buffers, ImageParams and Params of floats; {source!r} is none."
            )
    return sources


def _array(buffer: Any) -> Array:
    """The elements as float64, dimension 0 first."""
    source = buffer if isinstance(buffer, Buffer) else Buffer(buffer)
    return np.asarray(source.numpy()).T.astype(np.float64)


def _values(bindings: Bindings) -> tuple[dict[str, tuple[Array, tuple[int, ...]]], dict[str, int | float]]:
    """The images, floats as float64, and the numbers that are set."""
    inputs: dict[str, tuple[Array, tuple[int, ...]]] = {}
    scalars: dict[str, int | float] = {}
    for name, owner in bindings.items():
        if not is_buffer(owner):
            number = owner.scalar()
            if number is None:
                raise ArgumentError(f"Error: check_gradient(): Param {name} has no value; give it one with set().")
            scalars[name] = number
            continue
        buffer = owner if isinstance(owner, Buffer) else owner.buffer()
        if buffer is None:
            raise ArgumentError(f"Error: check_gradient(): ImageParam {name} has no Buffer; give it one with set().")
        array = _array(buffer) if owner.type().floating else np.asarray(buffer.numpy()).T
        inputs[name] = array, tuple([buffer.dim(d).min() for d in range(buffer.dimensions())])
    return inputs, scalars


def _shape(name: str, inputs: dict[str, tuple[Array, tuple[int, ...]]]) -> tuple[int, ...]:
    return inputs[name][0].shape if name in inputs else ()


def _gradient(function: Function, source: Any, inputs: Any, scalars: Any) -> Array:
    """The gradient over the whole of its source."""
    definition, bindings = freeze([function])
    images, numbers = _values(bindings)
    images |= {name: value for name, value in inputs.items() if name in images}
    array, mins = inputs.get(_name(source), (np.zeros(()), ()))
    return _evaluated(definition, function, images, numbers, list(zip(mins, array.shape, strict=True)))


def _evaluated(
    definition: PipelineDef, function: Function, inputs: Any, scalars: Any, box: list[tuple[int, int]]
) -> Array:
    wide = in_float64(for_target(definition, get_host_target()))
    images = {name: value for name, value in inputs.items() if name in wide.images}
    numbers = {name: value for name, value in scalars.items() if name in wide.scalars}
    values = interpret(wide, images, numbers, {function.name: tuple(box)})
    total: Array = np.sum([np.asarray(array, np.float64) for array in values.values()], axis=0)
    return total
