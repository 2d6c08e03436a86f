"""Registered generators, and their command line: `hl.main()` builds one and writes the files asked for."""

from __future__ import annotations

import faulthandler
import sys
from collections.abc import Callable as Function
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipec.autoschedule.params import AutoschedulerParams, load_plugin
from pipec.errors import ArgumentError, NotSupportedError, PipecError
from pipec.func.directives.options import OutputFileType
from pipec.generators.context import GeneratorContext
from pipec.generators.generator import Generator
from pipec.generators.param import check_name
from pipec.pipeline.calls.callable import Callable
from pipec.pipeline.emission.compile_to import compile_standalone_runtime, emitter
from pipec.pipeline.emission.multitarget import write_library, write_objects
from pipec.pipeline.pipeline import Pipeline
from pipec.serialization import serialize_pipeline
from pipec.target import Target

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from pipec.func.functions.parameter import Parameter
    from pipec.pipeline.emission.emission import Emission


_registered: dict[str, type[Generator]] = {}


def registered() -> dict[str, type[Generator]]:
    """All generators by name, in the order of their definition."""
    return dict(_registered)


def generator(name: str = "") -> Function[[type], type[Generator]]:
    """Decorator that makes a class a generator, known under `name` or else under its own.

    >>> @hl.generator(name="example_ramp")
    ... class Ramp(hl.Generator):
    ...     output = hl.OutputBuffer(hl.Int(32), 1)
    ...     def generate(self):
    ...         x = hl.Var("x")
    ...         self.output[x] = x
    """

    def register(cls: type) -> type[Generator]:
        if not isinstance(cls, type):
            raise ArgumentError("@generator can only be used on classes.")
        own = cls.__qualname__ if cls.__module__ == "__main__" else f"{cls.__module__}.{cls.__qualname__}"
        if issubclass(cls, Generator):
            registered = type(cls.__name__, (cls,), {})
        else:
            registered = type(cls.__name__, (cls, Generator), {})
        registered.__module__, registered.__qualname__, registered.__doc__ = (
            cls.__module__,
            cls.__qualname__,
            cls.__doc__,
        )
        return _add(name or own, registered)

    return register


def alias(**kwargs: Mapping[str, Any]) -> Function[[type[Generator]], type[Generator]]:
    """Decorator above `@generator`: more names for the generator, each with other values of its params."""

    def register(cls: type[Generator]) -> type[Generator]:
        for name, params in kwargs.items():
            check_name(name)
            if not getattr(cls, "registered_name", ""):
                raise ArgumentError("@alias can only be used in conjunction with @generator.")
            if not isinstance(params, dict):
                raise ArgumentError(f"The Generator alias {name} specifies something other than a dict.")
            subclass: Any = type(name, (cls,), {"__module__": cls.__module__, "__doc__": cls.__doc__})
            subclass.alias_params = params
            _add(name, subclass)
        return cls

    return register


def _add(name: str, cls: Any) -> type[Generator]:
    # An interactive session may define a generator again.
    if name in _registered and not hasattr(sys, "ps1"):
        raise ArgumentError(f"The Generator name {name} is already in use.")
    cls.registered_name = name
    _registered[name] = cls
    return cls  # type: ignore[no-any-return]


def find(name: str) -> type[Generator]:
    """The generator of this name."""
    if name not in _registered:
        raise ArgumentError(
            f"Error: There is no Generator with the name '{name}' currently available."
            f" Those defined so far: {', '.join(_registered) or 'none'}."
        )
    return _registered[name]


def create_callable_from_generator(
    context: GeneratorContext | Target, name: str, generator_params: Mapping[str, str] | None = None
) -> Callable:
    """The compiled function of the generator `name`, for a Target or in a GeneratorContext."""
    if isinstance(context, Target):
        context = GeneratorContext(context)
    if not isinstance(context, GeneratorContext):
        raise TypeError(
            "create_callable_from_generator(): incompatible function arguments. The first is a GeneratorContext or a"
            f" Target, not {context!r}"
        )
    with context:
        return find(name)(generator_params).compile_to_callable()


SUFFIXES = {
    OutputFileType.assembly: ".s",
    OutputFileType.bitcode: ".bc",
    OutputFileType.c_header: ".h",
    OutputFileType.c_source: ".halide_generated.cpp",
    OutputFileType.compiler_log: ".halide_compiler_log",
    OutputFileType.conceptual_stmt: ".conceptual.stmt",
    OutputFileType.conceptual_stmt_html: ".conceptual.stmt.html",
    OutputFileType.cpp_stub: ".stub.h",
    OutputFileType.device_code: ".device_code",
    OutputFileType.featurization: ".featurization",
    OutputFileType.function_info_header: ".function_info.h",
    OutputFileType.hlpipe: ".hlpipe",
    OutputFileType.llvm_assembly: ".ll",
    OutputFileType.object: ".o",
    OutputFileType.python_extension: ".py.cpp",
    OutputFileType.pytorch_wrapper: ".pytorch.h",
    OutputFileType.registration: ".registration.cpp",
    OutputFileType.schedule: ".schedule.h",
    OutputFileType.static_library: ".a",
    OutputFileType.stmt: ".stmt",
    OutputFileType.stmt_html: ".stmt.html",
}
_SHORT = {
    "h": OutputFileType.c_header,
    "o": OutputFileType.object,
    "cpp": OutputFileType.c_source,
    "html": OutputFileType.stmt_html,
}
# What code is written to: one of them for several targets.
_CODE = (OutputFileType.object, OutputFileType.static_library)


def main(arguments: Sequence[str] | None = None) -> None:
    """Build the generator that the command line names, and write files; exits with status 1 after an error."""
    try:
        run(sys.argv[1:] if arguments is None else arguments)
    except PipecError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(1) from None


def run(arguments: Sequence[str]) -> list[Path]:
    """As main, with errors as exceptions; returns the files that were written."""
    options = _parser().parse_args(list(arguments))
    params = dict(map(_assignment, options.params))
    if options.timeout:
        faulthandler.dump_traceback_later(options.timeout, exit=True)
    try:
        return _emit(options, params)
    finally:
        if options.timeout:
            faulthandler.cancel_dump_traceback_later()


def _parser() -> ArgumentParser:
    import argparse

    kinds = ", ".join([kind.name for kind in OutputFileType])
    parser = argparse.ArgumentParser(
        description="Build a generator and write files.", epilog=f"What -e takes: {kinds}.", allow_abbrev=False
    )
    parser.add_argument("-g", dest="generator", help="the name of the generator; needless when there is only one")
    parser.add_argument("-o", dest="folder", help="the folder to write to")
    parser.add_argument("-f", dest="function", help="the name of the compiled function (default: the generator's)")
    parser.add_argument("-e", dest="emit", default="c_header,static_library", help="kinds of files, with commas")
    parser.add_argument("-n", dest="base", help="the start of the files' names (default: the function's)")
    parser.add_argument("-p", dest="plugins", default="", help="plug-ins of autoschedulers, with commas")
    parser.add_argument("-r", dest="runtime", help="the name of a runtime to write for pipelines with no_runtime")
    parser.add_argument("-d", dest="gradient", type=int, default=0, choices=(0, 1), help="0; gradients are not built")
    parser.add_argument("-s", dest="autoscheduler", default="", help="the autoscheduler")
    parser.add_argument("-t", dest="timeout", type=float, default=0, help="give up after so many seconds")
    parser.add_argument("-v", dest="verbose", type=int, default=0, help="1: print the files' names")
    parser.add_argument("params", nargs="*", help="target=..., several with commas; GeneratorParams: name=value")
    return parser


def _assignment(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ArgumentError(f"Error: '{text}' is not of the form generator_param=value.")
    return name, value


def _emit(options: Namespace, params: dict[str, str]) -> list[Path]:
    for plugin in filter(None, options.plugins.split(",")):
        load_plugin(plugin)
    if options.gradient:
        raise NotSupportedError(
            "Error: -d 1 is not supported: call propagate_adjoints in generate() and make the derivatives outputs."
        )
    generator = _chosen(options.generator) if options.generator or options.runtime is None else None
    if options.folder is None:
        raise ArgumentError("Error: -o <folder> must be specified: where to write the files.")
    if "target" not in params:
        raise ArgumentError("Error: target=<target> must be specified, for example target=host.")
    kinds = [_output_kind(word) for word in options.emit.split(",") if word]
    targets = [Target(text) for text in params.pop("target").split(",")]
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = [] if options.runtime is None else _write_runtime(folder / options.runtime, kinds, targets)
    if generator is not None:
        build = _Build(generator, params, options.autoscheduler)
        function = options.function or generator
        stem = folder / (options.base or function.split("::")[-1])
        if len(targets) == 1:
            files += _write(build, function, targets[0], stem, kinds)
        else:
            files += _write_for_all(build, function, targets, stem, kinds)
    if options.verbose:
        for file in files:
            sys.stdout.write(f"{file}\n")
    return files


def _chosen(name: str | None) -> str:
    """The generator to build: the one that is named, else the only one."""
    generators = registered()
    names = "".join([f"\n    {own}" for own in generators])
    chosen = name or (next(iter(generators)) if len(generators) == 1 else None)
    if chosen is None:
        raise ArgumentError(f"Error: Either -g <name> or -r must be specified; available Generators are:{names}")
    if chosen not in generators:
        raise ArgumentError(f"Error: Generator not found: {chosen}\nDid you mean:{names}")
    return chosen


class _Build(NamedTuple):
    """What the command line says of the pipeline, which each target may have in a form of its own."""

    generator: str
    params: dict[str, str]
    autoscheduler: str

    def pipeline(self, target: Target) -> tuple[Pipeline, list[Parameter]]:
        """The scheduled pipeline for a target, and its inputs."""
        with GeneratorContext(target, AutoschedulerParams(self.autoscheduler)):
            instance = registered()[self.generator](dict(self.params))
            return instance.scheduled_pipeline(), instance.input_parameters()


def _output_kind(word: str) -> OutputFileType:
    if word in _SHORT:
        return _SHORT[word]
    if word not in OutputFileType.__members__:
        raise ArgumentError(
            f"Error: Unrecognized emit option: {word} is not one of [{' '.join(OutputFileType.__members__)}]."
        )
    return OutputFileType[word]


def _write(build: _Build, function: str, target: Target, stem: Path, kinds: Sequence[OutputFileType]) -> list[Path]:
    pipeline, arguments = build.pipeline(target)
    files = {kind: Path(f"{stem}{SUFFIXES[kind]}") for kind in kinds}
    rest = dict(files)
    pipeline_file = rest.pop(OutputFileType.hlpipe, None)
    if pipeline_file is not None:
        serialize_pipeline(pipeline, pipeline_file)
    if rest:
        pipeline.compile_to({kind: str(file) for kind, file in rest.items()}, arguments, function, target)
    return list(files.values())


def _write_for_all(
    build: _Build, function: str, targets: Sequence[Target], stem: Path, kinds: Sequence[OutputFileType]
) -> list[Path]:
    """The files of a function that chooses among code for several processors, and its header."""
    code = [kind for kind in kinds if kind in _CODE]
    if len(code) != 1 or not set(kinds) <= {code[0], OutputFileType.c_header}:
        raise ArgumentError(
            "Error: For several targets -e takes exactly one of object and static_library, and h beside it, not"
            f" {','.join([kind.name for kind in kinds])}."
        )

    def emit(name: str, target: Target) -> Emission:
        pipeline, arguments = build.pipeline(target)
        return emitter(pipeline, arguments)(name, target)

    if code[0] is OutputFileType.static_library:
        return write_library(emit, str(stem), targets, function)
    return write_objects(emit, str(stem), targets, [target.to_string() for target in targets], function)


def _write_runtime(stem: Path, kinds: Sequence[OutputFileType], targets: Sequence[Target]) -> list[Path]:
    """The runtime in the kinds of file for code that are asked for. Targets of one system share it."""
    files = {kind: f"{stem}{SUFFIXES[kind]}" for kind in kinds if kind in _CODE}
    compile_standalone_runtime(files, targets[-1])
    return list(map(Path, files.values()))
