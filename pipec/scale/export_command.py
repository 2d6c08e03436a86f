"""The command `pipec export`: a package of a pipeline that a Python file defines."""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path
from typing import Any

from pipec.errors import ArgumentError, PipecError
from pipec.func.functions.realizable import Realizable


def add_export_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments of the command."""
    parser.add_argument("pipeline", help="FILE.py:NAME of a Func, a Pipeline, or a function that returns one")
    parser.add_argument("directory", help="where the package is written")
    parser.add_argument("--name", default="", help="of the function and the wheel; by default that of the output")
    parser.add_argument(
        "--target", action="append", help="may be repeated; by default x86-64 with AVX2, and 64-bit ARM"
    )
    parser.add_argument("--version", default="0.1.0", help="of the wheel")


def run_export(options: argparse.Namespace) -> int:
    """Writes the package; returns the exit status."""
    # Other commands need no compiler.
    from pipec.scale.export import DEFAULT_TARGETS, export

    try:
        pipeline = load_pipeline(options.pipeline)
        targets = options.target or DEFAULT_TARGETS
        packages = export(pipeline, options.directory, name=options.name, targets=targets, version=options.version)
    except PipecError as error:
        print(error)
        return 1
    for package in packages:
        print(f"{package.library}\n{package.wheel}")
    return 0


def load_pipeline(place: str) -> Realizable:
    """The Func or Pipeline that `FILE.py:NAME` says. Raises ArgumentError when there is none; runs the file."""
    path, _, name = place.rpartition(":")
    if not path or not Path(path).is_file():
        raise ArgumentError(f"Error: {place!r} names no pipeline: write FILE.py:NAME, with a file that exists.")
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    if spec is None or spec.loader is None:
        raise ArgumentError(f"Error: {path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    value: Any = getattr(module, name, None)
    if callable(value) and not isinstance(value, Realizable):
        value = value()
    if not isinstance(value, Realizable):
        raise ArgumentError(f"Error: {name} of {path} is {value!r}, not a Func, a Pipeline or a function of one.")
    return value
