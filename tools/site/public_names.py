"""A griffe extension: what static analysis of pipec does not see, for the API reference.

Names that a package imports when they are used become aliases of what they name, functions that other functions make
get their signature and docstring from the running program, and examples in docstrings become blocks of code.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from typing import Any

import griffe

PACKAGES = ("pipec", "pipec.filters", "pipec.programs", "pipec.tuner")
EXAMPLE = re.compile(r"(?m)^( *)(>>> .*\n?(?:^ *\S.*\n?)*)")


class PublicNames(griffe.Extension):
    """Completes what griffe knows of pipec."""

    def on_module(self, *, mod: griffe.Module, **kwargs: Any) -> None:
        if mod.path != "pipec":
            return
        modules = mod.modules_collection
        for package in PACKAGES:
            exports = importlib.import_module(package)
            for name in exports.__all__:
                value = getattr(exports, name)
                if inspect.isfunction(value) or inspect.isclass(value):
                    _complete(modules[package], name, value)

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring:
            obj.docstring.value = fenced_examples(obj.docstring.value)


def _complete(package: griffe.Module, name: str, value: Any) -> None:
    """Declares a public name, and puts the function or class where a variable holds it."""
    module, own_name = package.modules_collection[value.__module__], value.__name__
    member = module.members.get(own_name)
    if member is None or member.is_attribute:
        member = module.members[own_name] = _inspected(module.path).members[own_name]
        member.parent = module
        package.members.pop(name, None)
    if name not in package.members:
        package.members[name] = griffe.Alias(name, member, parent=package)


@functools.cache
def _inspected(module: str) -> griffe.Module:
    return griffe.inspect(module)


def fenced_examples(docstring: str) -> str:
    """Returns the docstring with its examples as Markdown's blocks of code."""
    return EXAMPLE.sub(lambda match: f"{match[1]}```pycon\n{match[1]}{match[2].rstrip()}\n{match[1]}```\n", docstring)
