"""The directives that only tell about a Func while it runs: tracing, and files of what was computed."""

from __future__ import annotations

import os
from typing import Any, Self

from pipec.schedule import apply
from pipec.schedule.directive import Traced


class Observation:
    """About a whole Func. What is told goes to sys.stdout, or to the function given to `set_custom_trace`."""

    __slots__ = ()

    def _apply(self, directive: Any, *args: Any) -> Self:
        raise NotImplementedError

    def trace_loads(self) -> Self:
        """Report what is loaded of the Func, when it is computed in loops of its own and not inlined."""
        return self._apply(apply.trace, Traced.Loads)

    def trace_stores(self) -> Self:
        """Report what is stored to the Func."""
        return self._apply(apply.trace, Traced.Stores)

    def trace_realizations(self) -> Self:
        """Report where storage of the Func begins and ends, where it is produced and where consumed."""
        return self._apply(apply.trace, Traced.Realizations)

    def debug_to_file(self, filename: Any) -> None:
        """Write all of the Func to a file each time it has been computed in loops of its own.

        The end of the name says how: .npy (numpy; dimension 0 last, as np.asarray of a Buffer), .mat (MATLAB, level 5),
        .tiff or .tif, .tmp (four extents and the number of the type, then the elements). With compute_at each
        computation overwrites what the one before has written.
        """
        if not isinstance(filename, str | os.PathLike):
            raise TypeError(f"debug_to_file(): incompatible function arguments. A file name is a str, not {filename!r}")
        self._apply(apply.debug_to_file, os.fspath(filename))

    def add_trace_tag(self, trace_tag: str) -> Self:
        """Words about the Func that are reported when a run begins, if anything of the Func is traced."""
        if not isinstance(trace_tag, str):
            raise TypeError(f"add_trace_tag(): incompatible function arguments. A tag is a str, not {trace_tag!r}")
        return self._apply(apply.trace_tag, trace_tag)
