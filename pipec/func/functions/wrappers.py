"""in_ of Funcs and ImageParams, and clone_in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipec.errors import ScheduleError
from pipec.func.functions.function import Function
from pipec.func.functions.substitution import Source, clone_in, wrapper_in

if TYPE_CHECKING:
    from pipec.func.functions.func import Func


class Wrapping:
    """Funcs that stand in the place of this one where some others use it, with schedules of their own."""

    __slots__ = ()
    _function: Function

    def in_(self, *consumers: Any) -> Func:
        """A Func that copies this one, and that a Func, each of a list, or all that use this one read in its place."""
        return wrapped(self._function, consumers)

    def clone_in(self, consumers: Any) -> Func:
        """A Func with the definitions and schedule of this one, that a Func or each of a list uses in its place."""
        return func_of(clone_in(self._function, _functions("clone_in", (consumers,))))


def wrapped(source: Source, consumers: tuple[Any, ...]) -> Func:
    """The wrapper of a Function or image in what users gave as consumers."""
    return func_of(wrapper_in(source, _functions("in_", consumers) if consumers else []))


def _functions(method: str, given: tuple[Any, ...]) -> list[Function]:
    listed = given[0] if len(given) == 1 and isinstance(given[0], list | tuple) else given
    if not all(isinstance(consumer, Wrapping) for consumer in listed) or len(given) > 1:
        raise TypeError(f"{method}(): incompatible function arguments: a Func or list of Funcs, not {given!r}")
    if not listed:
        raise ScheduleError(f"Error: Could not create a in wrapper for an empty list of Funcs ({method})")
    return list(dict.fromkeys([consumer._function for consumer in listed]))


def func_of(function: Function) -> Func:
    """The handle of a Function."""
    from pipec.func.functions.func import Func

    made = Func.__new__(Func)
    made._function = function
    return made
