"""Handlers: the user's functions that are told what a pipeline prints, what it traces and why it failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipec.records import dataclass


@dataclass
class Handlers:
    """None: what happens without a handler. Changing them needs no new machine code.

    `print` is given each text that `print` and tracing write, with its line end; by default it goes to sys.stdout.
    `error` is given the text of an error instead of an exception being raised; what the outputs then hold is unknown.
    `trace` is given each TraceEvent instead of its text being printed.

    Handlers may be called from any thread, one at a time for each run. What they raise ends the run and comes out of
    `realize`.
    """

    print: Callable[[str], Any] | None = None
    error: Callable[[str], Any] | None = None
    trace: Callable[[Any], Any] | None = None
