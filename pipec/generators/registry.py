"""The generators of a program by name: decorators that register them, and callables made by name."""

from __future__ import annotations

import sys
from collections.abc import Callable as Function
from collections.abc import Mapping
from typing import Any

from pipec.errors import ArgumentError
from pipec.generators.context import GeneratorContext
from pipec.generators.generator import Generator
from pipec.generators.param import check_name
from pipec.pipeline.calls.callable import Callable
from pipec.target import Target

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
