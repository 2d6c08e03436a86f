"""GeneratorContext: the target and autoscheduler of the generators created inside a `with` statement."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Any

from pipec.autoschedule.params import AutoschedulerParams
from pipec.errors import ArgumentError
from pipec.target import Target


class GeneratorContext:
    """`with GeneratorContext(target): SomeGenerator.call(...)`."""

    __slots__ = ("_target", "_autoscheduler", "_tokens")

    def __init__(self, target: Target, autoscheduler_params: AutoschedulerParams | None = None) -> None:
        params = AutoschedulerParams() if autoscheduler_params is None else autoscheduler_params
        if not isinstance(target, Target) or not isinstance(params, AutoschedulerParams):
            raise TypeError(
                "__init__(): incompatible constructor arguments. GeneratorContext takes (Target[,"
                f" AutoschedulerParams]), not {(target, autoscheduler_params)!r}"
            )
        self._target, self._autoscheduler = target, params
        self._tokens: list[Token[GeneratorContext | None]] = []

    def target(self) -> Target:
        """Returns the Target that the generator builds for."""
        return self._target

    def autoscheduler_params(self) -> AutoschedulerParams:
        """Returns the autoscheduler and its parameters."""
        return self._autoscheduler

    def __enter__(self) -> GeneratorContext:
        self._tokens.append(_active.set(self))
        return self

    def __exit__(self, *_: Any) -> None:
        _active.reset(self._tokens.pop())

    def __repr__(self) -> str:
        return f"<halide.GeneratorContext target({self._target})>"


_active: ContextVar[GeneratorContext | None] = ContextVar("generator_context", default=None)


def active_generator_context() -> GeneratorContext:
    """The context of the innermost `with` statement around."""
    context = _active.get()
    if context is None:
        raise ArgumentError(
            "There is no active GeneratorContext: make and call generators inside `with GeneratorContext(target): ...`."
        )
    return context
