"""The base of Func and Stage as receivers of directives, and the replay of directives on live Funcs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, Self

from pipec.errors import DefinitionError, NotSupportedError, PipecError, ScheduleError
from pipec.func.functions.definition import func_shape, replayed, require_func, short_traceback, stage_shape
from pipec.func.functions.function import Function
from pipec.func.math.convert import cast, node_or_none
from pipec.ir.expr import Expr
from pipec.ir.types import INT32
from pipec.schedule.directive import Directive, StageDirective
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import StageShape


class Scheduled:
    """A Func (its pure stage) or a Stage: the methods of its subclasses change the schedule and return the object."""

    __slots__ = ()
    _function: Function

    def stage_index(self) -> int:
        """0 for the pure stage, n + 1 for update(n)."""
        raise NotImplementedError

    def _path(self) -> tuple[int, ...]:
        """Returns the path of the specialization of the stage."""
        return ()

    def _shape(self) -> StageShape:
        function = self._function
        if not function.stages:
            raise DefinitionError(
                f'Error: Func "{function.name}" (made at {function.location}) can\'t be scheduled because it has no '
                "definition yet."
            )
        return stage_shape(function, self.stage_index(), self._path())

    def _set(self, schedule: Schedule) -> Self:
        self._function.schedule = schedule
        return self

    def _apply(self, kind: type[Directive], *arguments: Any) -> Self:
        """Adds the directive that the arguments make; ScheduleError where it is illegal."""
        try:
            shape = self._shape() if issubclass(kind, StageDirective) else func_shape(self._function)
            return self._set(kind.apply(self._function.schedule, shape, *arguments))
        except PipecError as error:
            raise short_traceback(error) from error.__cause__


def replay(directive: Directive, functions: Mapping[str, Function]) -> None:
    """Adds a directive of a schedule to the Function that it is about; `functions`: Functions by name.

    Raises ScheduleError for an unknown Func or stage, and for an illegal directive.
    """
    require_func(functions, directive.owner)
    function = functions[directive.owner]
    function.schedule = replayed(directive, function.schedule, functions)


def int_node(value: Any) -> Expr:
    """A split factor, extent or other number of a directive: an int32 expression where it is an integer."""
    if isinstance(value, int) and not INT32.min_value() <= value <= INT32.max_value():
        raise ScheduleError(f"Error: Can't represent {value}, a number in a schedule, in int32.")
    node = node_or_none(value)
    if node is None:
        raise TypeError(f"incompatible function arguments: an int or Expr is needed, not {value!r}")
    return cast(INT32, node) if node.type.integral else node


def unsupported(name: str, instead: str = "") -> Any:
    """A method for a directive of Halide that pipec does not offer: it raises NotSupportedError."""

    def method(self: Any, *_: Any, **__: Any) -> NoReturn:
        owner = f"{type(self).__name__} {self.name()}" if hasattr(self, "name") else type(self).__name__
        advice = f" {instead}" if instead else ""
        raise NotSupportedError(f"Error: {name} is not supported yet (called on {owner}).{advice}")

    method.__name__ = name
    method.__doc__ = f"{name} is not supported yet."
    return method
