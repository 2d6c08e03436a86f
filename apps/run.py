"""Compiling and timing an application, and the command line that all of them share."""

from __future__ import annotations

import argparse
import importlib
import statistics
import time
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from apps import photos
from apps.app import App, Array, Settings


def front_end(name: str = "pipec") -> ModuleType:
    """The module that applications are built with: `pipec`, or `halide` to compare."""
    return importlib.import_module(name)


def compile_app(hl: ModuleType, app: App, scheduled: bool = True) -> tuple[Callable[..., Any], float]:
    """The application as a function of its images, its settings and its output, and the seconds it took to compile.

    Without its hand schedule every stage is computed on its own, whole, before the next.
    """
    algorithm = app.build(hl)
    if scheduled:
        app.schedule(hl, algorithm)
    else:
        for stage in algorithm.stages.values():
            if isinstance(stage, hl.Func):
                stage.compute_root()
    start = time.perf_counter()
    function = algorithm.output.compile_to_callable(algorithm.arguments())
    return function, time.perf_counter() - start


def compile_for_gpu(hl: ModuleType, app: App, target: str = "host-opencl") -> Callable[..., Any]:
    """The application with its schedule for GPUs, as `compile_app` gives it."""
    algorithm = app.build(hl)
    app.gpu_schedule(hl, algorithm)
    return algorithm.output.compile_to_callable(algorithm.arguments(), hl.Target(target))


def run_app(function: Callable[..., Any], app: App, images: Mapping[str, Array], output: Array) -> Array:
    function(*images.values(), *app.settings.values(), output)
    return output


def measure(call: Callable[[], Any], seconds: float = 0.5, least: int = 5) -> list[float]:
    """Times of single calls, after one that is not counted, until that many seconds have passed."""
    call()
    times: list[float] = []
    while len(times) < least or sum(times) < seconds:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times


def compare(app: App, got: Array, images: Mapping[str, Array], settings: Settings) -> float:
    """The largest difference from the reference."""
    expected = app.reference(images, settings)
    return float(abs(got.astype("f8") - expected.astype("f8")).max())


def parser(app: App) -> argparse.ArgumentParser:
    """The options that all applications have."""
    parser = argparse.ArgumentParser(prog=f"python -m apps.{app.name}", description=app.build.__doc__)
    parser.add_argument("input", nargs="?", help=f"picture to filter (default: the photograph {app.photo!r})")
    parser.add_argument("output", nargs="?", default=f"out/{app.name}.png", help="where to write it")
    parser.add_argument("--with", dest="module", default="pipec", choices=["pipec", "halide"], help="the compiler")
    parser.add_argument("--unscheduled", action="store_true", help="compute every stage on its own instead")
    return parser


def filter_file(app: App, options: argparse.Namespace) -> None:
    """Filter the picture that the options name and say how long it took."""
    picture = photos.read(options.input) if options.input else photos.photo(app.photo)
    size = app.output_size(picture)
    images, output = app.inputs(picture), app.empty_output(size)
    function, seconds = compile_app(front_end(options.module), app, not options.unscheduled)
    times = measure(lambda: run_app(function, app, images, output))
    photos.write(options.output, app.shown(picture, output))
    width, height = app.extent(size)
    print(
        f"{app.name}: {width} x {height}, compiled in {seconds:.2f} s, "
        f"{statistics.median(times) * 1e3:.2f} ms a run, written to {options.output}"
    )


def main(app: App) -> None:
    """`python -m apps.NAME [in.png [out.png]]`."""
    filter_file(app, parser(app).parse_args())
