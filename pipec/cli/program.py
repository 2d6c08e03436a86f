"""The pipeline that a command is about: found by name, its inputs bound to images, numbers or random values."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

import pipec as hl
from pipec.cli.installation import applications, examples_folder
from pipec.errors import ArgumentError, PipecError
from pipec.func.functions.param import ImageParam, Param

Array = np.ndarray[Any, Any]
# Elements of a random input that no size is known for.
SIZES = [1536, 1024, 3]


class CommandProgram:
    """A Pipeline, its ImageParams and Params by name, and the extents of its output.

    `app` is the application that the program is, if any, and `picture` the photograph that it filters: an application
    makes its inputs of one picture (`--input photo.png`), and shows its output as a picture.
    """

    def __init__(self, options: Any, hand_schedule: bool = True, bind: bool = True) -> None:
        """`hand_schedule`: give an application its own; `bind`: give the inputs values."""
        self.pipeline, self.title, self.app = load(options.program, hand_schedule)
        self.picture: Array | None = None
        arguments = [argument.source for argument in self.pipeline.infer_arguments()]
        self.images: dict[str, Any] = {}
        self.params: dict[str, Any] = {}
        from pipec.autodiff.program import param_of

        for source in arguments:
            param = param_of(source)
            group = self.images if isinstance(param, ImageParam) else self.params
            group[param.name()] = param
        if options.schedule:
            hl.load_schedule(options.schedule).apply(self.pipeline)
        if not bind:
            return
        if self.app is not None and len(options.input) == 1 and Path(options.input[0]).suffix not in ("", ".npy"):
            self._filter_picture(options)
            return
        self.sizes = options.size or self._sizes()
        self._bind(options.input, options.set)

    def _filter_picture(self, options: Any) -> None:
        """Makes the inputs of an application of the picture in a file."""
        from pipec import imageio

        self.picture = np.ascontiguousarray(imageio.copy_to_interleaved(imageio.imread(options.input[0])))
        self.sizes = options.size or list(self.app.output_size(self.picture))
        for name, array in self.app.inputs(self.picture).items():
            self.images[name].set(hl.Buffer(array))
        self._bind([], options.set)

    def shown(self, output: Array) -> Array:
        """Returns what to write of an output into a file for pictures."""
        if self.app is None:
            return output
        picture: Array = self.app.picture(output) if self.picture is None else self.app.shown(self.picture, output)
        return picture

    def _sizes(self) -> list[int]:
        if self.app is not None:
            return list(self.app.bench_size)
        dimensions = self.pipeline.outputs()[0].dimensions()
        return [*SIZES, *[4] * dimensions][:dimensions]

    def _bind(self, inputs: Iterable[str], numbers: Iterable[str]) -> None:
        paths = _named(inputs, list(self.images), "--input")
        for name, value in _named(numbers, list(self.params), "--set").items():
            self.params[name].set(_number(self.params[name], value))
        for name, path in paths.items():
            self.images[name].set(_picture(self.images[name], path))
        missing = [image for image in self.images.values() if not image.get().defined()]
        if missing:
            self.pipeline.infer_input_bounds(self.sizes)
            for image in missing:
                _fill(np.asarray(image.get()))

    def realize(self) -> Any:
        """Returns the Buffer of the output, or a tuple of them."""
        return self.pipeline.realize(self.sizes)


def load(name: str, hand_schedule: bool = True) -> tuple[hl.Pipeline, str, Any]:
    """Returns the pipeline that a name of the command line means, its title, and the application that it is, if any.

    `hand_schedule`: give an application its own. Raises ArgumentError.
    """
    place, _, attribute = name.partition(":")
    if Path(place).suffix == ".py":
        module = _module_of_file(Path(place))
    elif Path(place).is_file():
        return hl.deserialize_pipeline(place), Path(place).stem, None
    else:
        module = _module(place)
    return _pipeline(module, attribute, name, hand_schedule)


def _module_of_file(path: Path) -> Any:
    """The module that a file of Python defines. Its imports are looked for beside it, as when Python runs it."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    if specification is None or specification.loader is None or not path.exists():
        raise ArgumentError(f"Error: There is no file {path}.")
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    sys.path.insert(0, str(path.parent))
    try:
        specification.loader.exec_module(module)
    except PipecError:
        raise
    except Exception as error:
        frames = [
            frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == specification.origin
        ]
        reason = "".join(traceback.format_list(frames) + traceback.format_exception_only(error)).rstrip()
        raise ArgumentError(f"Error: {path} could not be imported:\n{reason}") from error
    return module


def _module(name: str) -> Any:
    if not all(part.isidentifier() for part in name.split(".")):
        raise ArgumentError(f"Error: {_unknown(name)}.")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name or name not in applications():
            raise ArgumentError(f"Error: {_unknown(name)} ({error}).") from None
    sys.path.insert(0, str(examples_folder()))
    return importlib.import_module(f"apps.{name}")


def _unknown(name: str) -> str:
    return f"{name!r} is neither a file, a module nor an application; those are {', '.join(applications())}"


def _pipeline(module: Any, attribute: str, name: str, hand_schedule: bool) -> tuple[hl.Pipeline, str, Any]:
    app = getattr(module, "APP", None)
    if app is not None and not attribute:
        algorithm = app.build(hl)
        if hand_schedule:
            app.schedule(hl, algorithm)
        for param, value in zip(algorithm.params.values(), app.settings.values(), strict=False):
            param.set(value)
        return hl.Pipeline(algorithm.output), app.name, app
    candidates = {key: value for key, value in vars(module).items() if isinstance(value, hl.Pipeline | hl.Func)}
    pipelines = {key: value for key, value in candidates.items() if isinstance(value, hl.Pipeline)}
    if not attribute and len(pipelines or candidates) == 1:
        (attribute,) = pipelines or candidates
    value = getattr(module, attribute, None) if attribute else None
    if callable(value) and not isinstance(value, hl.Pipeline | hl.Func):
        value = value()
    if isinstance(value, hl.Func):
        value = hl.Pipeline(value)
    if not isinstance(value, hl.Pipeline):
        raise ArgumentError(
            f"Error: {name} names no Pipeline, Func or function without parameters that returns one: write"
            f" {name.partition(':')[0]}:NAME, with one of {', '.join(candidates) or '(there is none)'}."
        )
    return value, attribute, None


def _named(texts: Iterable[str], names: list[str], option: str) -> dict[str, str]:
    """The texts NAME=VALUE by name; without a name they belong to the first names."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            name, value = next((n for n in names if n not in values), ""), text
        if name not in names:
            raise ArgumentError(f"Error: {option} {text}: the pipeline has {', '.join(names) or 'no such inputs'}.")
        values[name] = value
    return values


def _number(param: Param, text: str) -> Any:
    try:
        return float(text) if param.type().is_float() else int(text)
    except ValueError:
        raise ArgumentError(f"Error: --set {param.name()}={text}: it takes a number of {param.type()}.") from None


def _picture(image: Any, path: str) -> Any:
    """The array of a file, in the type and with the dimensions of an ImageParam."""
    from pipec import imageio

    array = np.load(path) if path.endswith(".npy") else imageio.imread(path)
    dtype = np.dtype(str(image.type()))
    if array.dtype != dtype:
        array = imageio.convert(array, dtype)
    if array.ndim == 3 and image.dimensions() == 2:
        array = array.mean(axis=0).astype(dtype)
    return array


def _fill(array: Array) -> None:
    """Random values: 0 to 1 for floating-point types, bytes for the others."""
    rng = np.random.default_rng(0)
    if array.dtype.kind == "f":
        array[...] = rng.random(array.shape, np.float32)
    else:
        array[...] = rng.integers(0, 2 if array.dtype == np.bool_ else 128, array.shape, array.dtype)
