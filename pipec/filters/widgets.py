"""Sliders in a notebook that run a pipeline or a filter anew when they are moved."""

from __future__ import annotations

from typing import Any

import numpy as np

import pipec as hl
from pipec.autodiff.program import param_of
from pipec.errors import ArgumentError, MissingPackageError
from pipec.func.buffers.picture import png_bytes
from pipec.func.functions.param import Param

# The range of a slider for a number without limits: from 0 to so many times its value.
TIMES = 2


def sliders(subject: Any, *images: Any, sizes: Any = None, **ranges: tuple[float, float, float]) -> Any:
    """Returns an ipywidgets box: the result as a picture, and a slider for each number.

    `subject`: a Pipeline or Func with its images set, for which `sizes` are the extents of the output, or a `@filter`,
    with its `images`. `ranges`: (least, greatest, first value) by name; a Param's own limits and value by default.
    Needs ipywidgets: pip install 'pipec[notebook]'.
    """
    try:
        import ipywidgets
    except ModuleNotFoundError as error:
        raise MissingPackageError("sliders()", "ipywidgets", "notebook", error) from error
    picture = ipywidgets.Image(format="png")
    if isinstance(subject, hl.Pipeline | hl.Func):
        numbers = _params(subject)
        ranges = {name: ranges.get(name) or _range(param) for name, param in numbers.items()}

        def run(values: dict[str, float]) -> Any:
            for name, value in values.items():
                numbers[name].set(value)
            return _rows_first(np.asarray(subject.realize(list(sizes))))
    else:

        def run(values: dict[str, float]) -> Any:
            return subject(*images, **values)

    if not ranges:
        raise ArgumentError(f"Error: sliders() of {subject!r} needs a number, such as amount=(0.0, 2.0, 1.0).")
    controls = {name: _slider(ipywidgets, name, *range_) for name, range_ in ranges.items()}

    def show(_: Any = None) -> None:
        picture.value = png_bytes(_bytes(run({name: control.value for name, control in controls.items()})))

    for control in controls.values():
        control.observe(show, names="value")
    show()
    return ipywidgets.VBox([*controls.values(), picture])


def _params(subject: Any) -> dict[str, Param]:
    params = [param_of(argument.source) for argument in subject.infer_arguments()]
    return {param.name(): param for param in params if isinstance(param, Param)}


def _range(param: Param) -> tuple[Any, Any, Any]:
    value = param.get() or 0
    low, high = [hl.evaluate(limit()) if limit().defined() else None for limit in (param.min_value, param.max_value)]
    low = min(0, TIMES * value) if low is None else low
    high = max(0, TIMES * value) if high is None else high
    if low == high:
        name = param.name()
        raise ArgumentError(
            f"Error: sliders() finds no range for Param {name}, whose value is {value}: give {name}=(least, greatest,"
            f" first value), or call {name}.set_range()."
        )
    return low, high, min(max(value, low), high)


def _slider(ipywidgets: Any, name: str, low: float, high: float, value: float) -> Any:
    whole = all(isinstance(number, int) for number in (low, high, value))
    kind = ipywidgets.IntSlider if whole else ipywidgets.FloatSlider
    step = {} if whole else {"step": (high - low) / 100}
    return kind(value=value, min=low, max=high, description=name, continuous_update=True, **step)


def _rows_first(array: Any) -> Any:
    return np.moveaxis(array, 0, -1) if array.ndim == 3 else array


def _bytes(array: Any) -> Any:
    """Pixels of 8 bits: floating-point numbers are taken for 0 to 1."""
    if array.dtype == np.uint8:
        return array
    scale = 255.0 if array.dtype.kind in "fb" else 255.0 / np.iinfo(array.dtype).max
    return np.clip(array * scale + 0.5, 0, 255).astype(np.uint8)
