"""The methods of Pipelines and Callables that say who is told what they print, trace and fail of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pipec.func.functions.handlers import Handlers

if TYPE_CHECKING:
    from pipec.pipeline.observation.trace_event import TraceEvent


class HandlerMethods:
    """Handlers belong to the first output, whatever Pipeline, Func or Callable it is run through.

    A handler is called while the pipeline runs, from any of its threads, one call at a time for each run. What it
    raises ends the run and comes out of `realize`. None restores what happens without a handler. No new machine code
    is needed.
    """

    __slots__ = ()

    def _handlers(self) -> Handlers:
        raise NotImplementedError

    def set_custom_print(self, handler: Callable[[str], Any] | None) -> None:
        """`handler(text)` is given what `print` and tracing write, instead of sys.stdout; a text ends its line."""
        self._handlers().print = _checked("set_custom_print", handler)

    def set_error_handler(self, handler: Callable[[str], Any] | None) -> None:
        """`handler(text)` is told why a run failed, instead of an exception being raised.

        When it returns, so does `realize`; what the outputs then hold is unknown.
        """
        self._handlers().error = _checked("set_error_handler", handler)

    def set_custom_trace(self, handler: Callable[[TraceEvent], Any] | None) -> None:
        """`handler(event)` is given each TraceEvent, instead of its text being printed."""
        self._handlers().trace = _checked("set_custom_trace", handler)


def _checked(name: str, handler: Any) -> Any:
    if handler is not None and not callable(handler):
        raise TypeError(f"{name}(): incompatible function arguments. A handler is a function or None, not {handler!r}")
    return handler
