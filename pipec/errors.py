"""The errors of pipec: one class for each kind of mistake, all of them `HalideError`."""

from __future__ import annotations

import html
from importlib import import_module

from pipec.region_picture import OutsideRegion, region_picture


def require_instance(method: str, kind: type, value: object) -> None:
    """Raises TypeError where the argument `value` of `method` is no `kind`."""
    if not isinstance(value, kind):
        raise TypeError(f"{method}(): incompatible function arguments: a {kind.__name__} is needed, not {value!r}")


class PipecError(Exception):
    """Base of all errors that a user's program can cause."""


HalideError = PipecError


class DefinitionError(PipecError):
    """A Func, Expr, RDom or Param was defined in a way that has no meaning."""


class ScheduleError(PipecError):
    """A schedule directive is illegal for its Func or stage."""


class PlacementError(ScheduleError):
    """A Func is computed or stored at a level that does not enclose its uses."""


class NotSupportedError(PipecError):
    """Something that pipec does not offer yet."""


class BoundsError(PipecError):
    """A required region is unbounded, or does not lie inside its buffer."""


class OutOfBoundsError(BoundsError):
    """A required region does not lie inside its buffer. Notebooks show both, with what lies outside in red."""

    def __init__(self, text: str, region: OutsideRegion | None = None) -> None:
        super().__init__(text)
        self.region = region

    def _repr_html_(self) -> str:
        picture = "" if self.region is None else region_picture(self.region)
        return f"<div>{picture}<pre>{html.escape(str(self))}</pre></div>"

    def _render_traceback_(self) -> list[str]:
        """Shows the region, then returns the lines that IPython prints of an exception."""
        shell, pages = import_module("IPython").get_ipython(), import_module("IPython.display")
        if self.region is not None:
            pages.display(pages.HTML(region_picture(self.region)))
        lines: list[str] = shell.InteractiveTB.structured_traceback(type(self), self, self.__traceback__)
        return lines


class UnboundedError(BoundsError):
    """An index that depends on data has no bounds before the pipeline runs."""


class ArgumentError(PipecError):
    """The arguments of a call do not fit the pipeline: type, dimensions, stride, overlap, missing value."""


class UndefinedError(DefinitionError, ArgumentError):
    """A Func or Buffer is used that has no definition."""


class DimensionError(DefinitionError, ArgumentError):
    """A Func, image or region has another number of dimensions than it is used with."""


class TypeMismatchError(ArgumentError):
    """A buffer or value has another element type than the pipeline was compiled for."""


class StrideError(ArgumentError):
    """A buffer is laid out in memory in a way that the pipeline was not compiled for."""


class OverlapError(ArgumentError):
    """Two buffers of a call share memory where one of them is written."""


class MemoryAccessError(PipecError):
    """A pipeline, compiled with checks of its memory, reads or writes outside of it, or uses what was never written."""


class RequirementError(PipecError):
    """A `require` or a Pipeline requirement was false at run time."""


class ExternError(PipecError):
    """The C function of an extern stage was not found, or returned another status than 0."""


class OutOfMemoryError(PipecError):
    """An allocation inside the compiled pipeline failed."""


class DeviceError(PipecError):
    """There is no device to run a pipeline on, or it refused or failed."""


class TileError(PipecError):
    """A tile of an array larger than memory could not be read, computed or written; the cause says why."""


class StreamError(PipecError):
    """An item of a batch or a frame of a stream could not be read or computed; the cause says why."""


class MissingPackageError(PipecError, ImportError):
    """An optional package is not installed: the error names the extra of pipec that brings it."""

    def __init__(self, purpose: str, package: str, extra: str, error: ImportError) -> None:
        super().__init__(
            f"Error: {purpose} needs {package}, which cannot be imported ({error}). Install it:"
            f" pip install 'pipec[{extra}]'"
        )


class CheckError(PipecError):
    """A run-time check of a lowered program was false: its code, and the values that go with it."""

    def __init__(self, text: str, code: int, values: tuple[int, ...]) -> None:
        super().__init__(text)
        self.code = code
        self.values = values


class InternalError(Exception):
    """A defect of pipec itself: please report it with the program that caused it."""
