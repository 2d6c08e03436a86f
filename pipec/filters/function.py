"""`@filter`: a Python function of images as a function of arrays, compiled for each type and rank it is called with."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import pipec as hl
from pipec.errors import ArgumentError, DefinitionError
from pipec.filters.image import C, FilterContext, FilterImage, X, Y, dtype_of, type_of
from pipec.filters.kinds import ArrayKind, Key, NumberKind
from pipec.filters.planes import BAND, check_border, extended, lanes_of, planar, require_interleaved
from pipec.func.buffers.arrays import as_array


@dataclass
class Compiled:
    """A filter for arguments of certain kinds."""

    pipeline: hl.Pipeline
    inputs: list[Any]  # ImageParams and Params, in the order of the parameters
    names: list[str]
    outputs: list[ArrayKind]
    run: Callable[..., None] | None = None


class Filter:
    """A function of arrays that was made by `hl.filter`; see there."""

    __name__: str

    def __init__(self, function: Callable[..., Any], border: str, dtype: Any, autoschedule: bool) -> None:
        functools.update_wrapper(self, function)
        self._function, self._signature = function, inspect.signature(function)
        self._border, self._autoschedule = check_border("filter", border), autoschedule
        self._dtype = None if dtype is None else dtype if dtype == "input" else np.dtype(dtype)
        self._compiled: dict[tuple[Key, bool], Compiled] = {}
        self.layers: dict[Key, Any] = {}  # of torch, by the kinds of their arguments
        self._lock = threading.Lock()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Returns an array for each image that the function returns; tensors if one was given."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        tensors = [value for value in bound.arguments.values() if _is_tensor(value)]
        if tensors:
            from pipec.filters.tensors import call_with_tensors

            return call_with_tensors(self, dict(bound.arguments))
        return self.call_arrays(dict(bound.arguments))

    def call_arrays(self, arguments: dict[str, Any]) -> Any:
        """Runs the filter on numpy arrays and numbers by the names of its parameters."""
        values = {name: _value(value) for name, value in arguments.items()}
        key = tuple([(name, _kind(value)) for name, value in values.items()])
        compiled = self.compiled(key, False, values)
        arrays = [value for value in values.values() if isinstance(value, np.ndarray)]
        shape = arrays[0].shape[:2]
        if any(a.shape[:2] != shape for a in arrays):
            raise ArgumentError(
                f"Error: {self.__name__}() takes images of one size, not {', '.join(str(a.shape) for a in arrays)}."
            )
        results = [
            np.empty((*shape, *([kind.channels] if kind.rank == 3 else [])), kind.dtype) for kind in compiled.outputs
        ]
        inputs = [_as_planes(values[name]) for name in compiled.names]
        assert compiled.run is not None
        compiled.run(*inputs, *[_as_planes(result) for result in results])
        return results[0] if len(results) == 1 else tuple(results)

    def pipeline(self, *args: Any, **kwargs: Any) -> hl.Pipeline:
        """Returns the Pipeline that a call with these arguments runs, to look at or to schedule."""
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        values = {name: _value(value) for name, value in bound.arguments.items()}
        return self.compiled(tuple([(name, _kind(value)) for name, value in values.items()]), False, values).pipeline

    def module(self, **parameters: float) -> Any:
        """Returns a torch.nn.Module of the filter; numbers that are given here are its parameters, and learned.

        It takes the images as tensors (y, x) or (y, x, c) of float32, and is differentiable in both.
        """
        from pipec.filters.tensors import FilterModule

        return FilterModule(self, parameters)

    def __repr__(self) -> str:
        return f"<pipec filter {self.__name__}{self._signature}>"

    def compiled(self, key: Key, for_tensors: bool, values: dict[str, Any]) -> Compiled:
        """Returns the filter for arguments of these kinds; `values` are an example, for the search."""
        with self._lock:
            if (key, for_tensors) not in self._compiled:
                self._compiled[key, for_tensors] = self._compile(key, for_tensors, values)
            return self._compiled[key, for_tensors]

    def _compile(self, key: Key, for_tensors: bool, values: dict[str, Any]) -> Compiled:
        frame = FilterContext(interleaved=for_tensors)
        inputs: list[Any] = []
        names: list[str] = []
        arguments: dict[str, Any] = {}
        first: ArrayKind | None = None
        source: Any
        for name, kind in key:
            if isinstance(kind, ArrayKind):
                source = hl.ImageParam(type_of(kind.dtype), kind.rank, name)
                if kind.rank == 3 and not for_tensors:
                    require_interleaved(source, kind.channels)
                arguments[name] = FilterImage(frame, kind.rank, *_extended(frame, source, kind, self._border))
                first = first or kind
            elif isinstance(kind, NumberKind):
                source = hl.Param(type_of(kind.dtype), name)
                arguments[name] = source + hl.cast(source.type(), 0)
            else:
                arguments[name] = kind
                continue
            inputs.append(source)
            names.append(name)
        if first is None:
            raise ArgumentError(f"Error: {self.__name__}() was called without an array of shape (y, x) or (y, x, c).")
        results = self._function(**arguments)
        images = list(results) if isinstance(results, tuple | list) else [results]
        outputs, kinds = [], []
        for number, image in enumerate(images):
            if not isinstance(image, FilterImage):
                raise DefinitionError(f"Error: The function of @filter {self.__name__} returned {image!r}, no image.")
            if self._dtype is not None:
                image = image.saturate(first.dtype if self._dtype == "input" else self._dtype)
            kind = ArrayKind(dtype_of(image._value).name, image._rank, image._channels)
            output = hl.Func(self.__name__ if len(images) == 1 else f"{self.__name__}_{number}")
            output[frame.place(image._rank)] = image._value
            outputs.append(output)
            kinds.append(kind)
        compiled = Compiled(hl.Pipeline(outputs), inputs, names, kinds)
        if for_tensors:
            return compiled
        for output, kind in zip(outputs, kinds, strict=True):
            if kind.rank == 3:
                require_interleaved(output.output_buffer(), kind.channels)
        if self._autoschedule:
            like = {name: _as_planes(value) for name, value in values.items() if name in names}
            compiled.pipeline.autoschedule(like)
        else:
            _schedule(frame, outputs, kinds)
        compiled.run = compiled.pipeline.compile_to_callable(inputs)
        return compiled


def filter(  # noqa: A001
    function: Callable[..., Any] | None = None,
    *,
    border: str = "reflect",
    dtype: Any = None,
    autoschedule: bool = False,
) -> Any:
    """Makes a compiled function of arrays from a Python function of images.

    The function's parameters are images, arrays of shape (y, x) or (y, x, c) at the call, and numbers. Inside,
    `image[dy, dx]` is the neighbour dy rows below and dx columns to the right, numpy's operators and functions apply,
    and types follow numpy with float32 in place of float64. It returns an image or several, of the same size.

    * `border`: how inputs go on outside, a name of `numpy.pad`: "reflect", "symmetric", "edge", "wrap", "constant".
    * `dtype`: of the results, rounded and limited to its range; "input" for that of the first image.
    * `autoschedule`: search for a schedule at the first call of each type and rank (some seconds), instead of a
      default one.

    Compiled at the first call for each type, rank and number of channels; numbers and sizes may change. Takes torch
    tensors too, with gradients; `module()` makes a layer of it. For parameters that are neither arrays nor numbers
    (text, booleans, tuples) it is compiled anew. Raises ArgumentError, DefinitionError and NotSupportedError.

    >>> @hl.filter(border="edge", dtype="input")
    ... def sharpen(image, amount=1.0):
    ...     around = (image[-1, 0] + image[1, 0] + image[0, -1] + image[0, 1]) / 4.0
    ...     return image + amount * (image - around)
    >>> sharpen(np.float32([[1, 1, 5, 5]])).tolist()
    [[1.0, 0.0, 6.0, 5.0]]
    """
    if function is None:
        return functools.partial(filter, border=border, dtype=dtype, autoschedule=autoschedule)
    return Filter(function, border, dtype, autoschedule)


def _is_tensor(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "requires_grad")


def _value(value: Any) -> Any:
    """An array with dense rows of a picture, or the argument itself."""
    array = None if isinstance(value, str | bytes | list | tuple) or np.isscalar(value) else as_array(value)
    if array is None or array.ndim == 0:
        return value
    if array.ndim not in (2, 3) or not array.size:
        raise ArgumentError(f"Error: A @filter takes arrays of shape (y, x) or (y, x, c), not {array.shape}.")
    return np.ascontiguousarray(array)


def _kind(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return ArrayKind(value.dtype.name, value.ndim, value.shape[2] if value.ndim == 3 else 0)
    if isinstance(value, float | np.floating):
        return NumberKind("float32")
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return NumberKind("int32")
    try:
        hash(value)
    except TypeError:
        raise ArgumentError(f"Error: A @filter takes arrays, numbers and constants, not {value!r}.") from None
    return value


def _as_planes(value: Any) -> Any:
    return planar(value) if isinstance(value, np.ndarray) and value.ndim == 3 else value


def _extended(frame: FilterContext, source: Any, kind: ArrayKind, border: str) -> tuple[Any, int, hl.Func]:
    """The value, number of channels and Func of an input that goes on outside of its borders."""
    place = frame.place(kind.rank)
    bounds = [(hl.Expr(), hl.Expr()) if v is C else (0, source.dim(d).extent()) for d, v in enumerate(place)]
    wide = extended(source, border, bounds)
    return hl.Expr(wide[place]), kind.channels, wide


def _schedule(frame: FilterContext, outputs: list[hl.Func], kinds: list[ArrayKind]) -> None:
    """Bands of rows in parallel, down which the stages slide; those read at computed places are computed before."""
    band, row = hl.vars("band row")
    for output, kind in zip(outputs, kinds, strict=True):
        if kind.rank == 3:
            output.bound(C, 0, kind.channels).reorder(C, X, Y).unroll(C)
        output.split(Y, band, row, BAND, hl.TailStrategy.GuardWithIf).parallel(band)
        output.vectorize(X, lanes_of(hl.Float(32)))
    for stage in frame.stages:
        if stage.name() in frame.whole or len(outputs) > 1:
            stage.compute_root().parallel(Y)
        else:
            stage.store_at(outputs[0], band).compute_at(outputs[0], row)
        stage.vectorize(X, lanes_of(hl.Float(32)))
