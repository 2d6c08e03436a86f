"""Handlers: the user's functions that receive the prints, trace events and errors of a pipeline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pipec.records import dataclass

if TYPE_CHECKING:
    from pipec.pipeline.observation.trace_event import TraceEvent


@dataclass
class Handlers:
    """The functions that receive what a pipeline reports; None for the default. Changing them compiles nothing.

    `print` is given each text that `print` and tracing write, with its line end; by default it goes to sys.stdout.
    `error` is given the text of an error instead of an exception being raised; what the outputs then hold is unknown.
    `trace` is given each TraceEvent instead of its text being printed.

    Handlers may be called from any thread, one at a time for each run. What they raise ends the run and comes out of
    `realize`.
    """

    print: Callable[[str], Any] | None = None
    error: Callable[[str], Any] | None = None
    trace: Callable[[Any], Any] | None = None


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
        """`handler(text)` is called with the reason when a run fails, instead of an exception being raised.

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
