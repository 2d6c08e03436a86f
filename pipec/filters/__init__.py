"""Filters of arrays: `@filter` makes one of a Python function; a dozen are ready, each a fast stand-in for a library's.

In: numpy arrays and torch tensors in (y, x) or (y, x, c) order, sizes and borders. Out: arrays of the same kind.
Compiled once for each type of elements, number of channels and shape of kernel; any size of image.
"""

from importlib import import_module as _import_module

_NAMES = {
    "pipec.filters.widgets": "sliders",
    "pipec.filters.smoothing": "gaussian unsharp",
    "pipec.filters.camera": "demosaic",
    "pipec.filters.denoise": "bilateral nl_means",
    "pipec.filters.edges": "canny",
    "pipec.filters.function": "filter",
    "pipec.filters.geometry": "remap resize",
    "pipec.filters.histogram": "clahe",
    "pipec.filters.image": "stack",
    "pipec.filters.pyramids": "pyramid",
    "pipec.filters.rank": "median morphology",
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'pipec.filters' has no attribute {name!r}")
    value: object = getattr(_import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
