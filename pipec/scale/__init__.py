"""Pipelines beyond one machine's memory, cores and one picture: tiles, dask, streams of frames, exported packages.

In: a Pipeline and arrays, files or iterators. Out: arrays and files, computed part by part, equal to the whole result.
"""

from importlib import import_module
from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    if name == "dask":
        return import_module("pipec.scale.dask")
    raise AttributeError(f"module 'pipec.scale' has no attribute {name!r}")
