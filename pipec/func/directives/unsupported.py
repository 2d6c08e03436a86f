"""Directives of Halide that pipec does not offer yet: they exist, and say so."""

from __future__ import annotations

from typing import Any, NoReturn

from pipec.errors import NotSupportedError


def unsupported(name: str, instead: str = "") -> Any:
    """A method that raises NotSupportedError."""

    def method(self: Any, *_: Any, **__: Any) -> NoReturn:
        owner = f"{type(self).__name__} {self.name()}" if hasattr(self, "name") else type(self).__name__
        advice = f" {instead}" if instead else ""
        raise NotSupportedError(f"Error: {name} is not supported yet (asked for {owner}).{advice}")

    method.__name__ = name
    method.__doc__ = f"{name} is not supported yet."
    return method


class UnsupportedStage:
    """Directives about loops."""

    __slots__ = ()

    hexagon = unsupported("hexagon")
