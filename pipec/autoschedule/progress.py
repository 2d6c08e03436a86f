"""A line on the terminal that tells how a search gets on; nothing where there is no terminal."""

from __future__ import annotations

import sys
import time
from typing import TextIO

# Seconds between two lines.
PAUSE = 0.2


class Progress:
    """The line, rewritten in place. `verbose`: None where stderr is a terminal; True and False decide."""

    def __init__(self, name: str, verbose: bool | None = None, stream: TextIO | None = None) -> None:
        self.name, self.stream = name, stream or sys.stderr
        self.shown = self.stream.isatty() if verbose is None else verbose
        self._last = 0.0
        self._width = 0

    def tell(self, text: str) -> None:
        """Show the text, unless another was shown a moment ago."""
        now = time.monotonic()
        if self.shown and now - self._last >= PAUSE:
            self._last = now
            self._write(text)

    def end(self, text: str = "") -> None:
        """Show a last text and leave the line; without a text it is wiped out."""
        if self.shown:
            self._write(text)
            self.stream.write("\n" if text else "\r")
            self.stream.flush()

    def _write(self, text: str) -> None:
        line = f"{self.name}: {text}" if text else ""
        self.stream.write(f"\r{line.ljust(self._width)}")
        self.stream.flush()
        self._width = len(line)


def duration(seconds: float) -> str:
    """A time in words, `1.3 s`, `4 min`.

    >>> from pipec.autoschedule.progress import duration
    >>> duration(0.25), duration(200)
    ('0.2 s', '3 min 20 s')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def milliseconds(value: float) -> str:
    """A run time with three digits.

    >>> from pipec.autoschedule.progress import milliseconds
    >>> milliseconds(0.01234), milliseconds(123.4)
    ('0.0123 ms', '123 ms')
    """
    digits = 0 if value >= 99.95 else 1 if value >= 9.995 else 2 if value >= 0.9995 else 3 if value >= 0.09995 else 4
    return f"{value:.{digits}f} ms"
