"""Functions of Halide that pipec does not offer yet: they exist, and say so."""

from __future__ import annotations

from typing import Any, NoReturn

from pipec.errors import NotSupportedError


def _unsupported(name: str, instead: str = "") -> Any:
    def function(*_: Any, **__: Any) -> NoReturn:
        raise NotSupportedError(f"Error: {name} is not supported yet.{' ' + instead if instead else ''}")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} is not supported yet."
    return function


print_ = _unsupported("print")
print_when = _unsupported("print_when")
require = _unsupported("require", "Use Pipeline.add_requirement.")
