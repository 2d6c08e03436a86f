"""Generators: classes that describe families of pipelines, to be called, compiled or emitted as files."""

from pipec.generators.arg_info import ArgInfo, ArgInfoDirection, ArgInfoKind
from pipec.generators.command import main
from pipec.generators.context import GeneratorContext, active_generator_context
from pipec.generators.declarations import InputBuffer, InputScalar, OutputBuffer, OutputScalar
from pipec.generators.generator import Generator
from pipec.generators.param import GeneratorParam
from pipec.generators.registry import alias, create_callable_from_generator, generator

__all__ = [
    "ArgInfo",
    "ArgInfoDirection",
    "ArgInfoKind",
    "Generator",
    "GeneratorContext",
    "GeneratorParam",
    "InputBuffer",
    "InputScalar",
    "OutputBuffer",
    "OutputScalar",
    "active_generator_context",
    "alias",
    "create_callable_from_generator",
    "generator",
    "main",
]
