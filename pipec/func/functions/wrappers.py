"""Wrappers and clones: in_, clone_in, and copies of a Func on the device or the host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, cast

from pipec.errors import ScheduleError
from pipec.func.directives.call_forms import check_device
from pipec.func.functions.function import Function
from pipec.func.functions.substitution import Source, clone_in, wrapper_in
from pipec.func.functions.var import Var
from pipec.ir.expr import FuncCall, ImageCall

if TYPE_CHECKING:
    from pipec.func.functions.func import Func


# Threads of a block, by dimensions.
_TILES = {1: (256,), 2: (32, 8)}


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

    def copy_to_device(self, device_api: Any = None) -> Self:
        """A kernel makes the copy: what it reads goes to the device first, its results stay there.

        Raises ScheduleError for a Func that is more than a copy.

        >>> x = hl.Var("x")
        >>> f, g = hl.funcs("f g")
        >>> f[x] = x
        >>> g[x] = f[x] + 1
        >>> _ = f.in_(g).compute_root().copy_to_device()
        """
        check_device(device_api)
        args = self._require_copy("copy_to_device")
        func = cast("Func", self)
        variables = [Var(name) for name in args]
        if not variables:
            func.gpu_single_thread()
            return self
        head, planes = variables[:2], variables[2:]
        threads = [Var(f"{name}_thread") for name in args[: len(head)]]
        while len(planes) > 1:
            func.fuse(planes[0], planes[1], planes[0])
            planes.pop(1)
        func.gpu_tile(*head, *threads, *_TILES[len(head)])
        if planes:
            func.gpu_blocks(*planes)
        return self

    def copy_to_host(self) -> Self:
        """The CPU makes the copy: what a kernel has made comes back before it.

        Raises ScheduleError for a Func that is more than a copy.

        >>> x = hl.Var("x")
        >>> f, g = hl.funcs("f g")
        >>> f[x] = x
        >>> g[x] = f[x] + 1
        >>> _ = f.in_(g).compute_root().copy_to_host()
        >>> g.realize([3]).numpy().tolist()
        [1, 2, 3]
        """
        self._require_copy("copy_to_host")
        return self

    def _require_copy(self, directive: str) -> tuple[str, ...]:
        """The Func's variables, when it does nothing but read one other Func or image."""
        function = self._function
        stages = function.definition().stages
        calls = [value for value in stages[0].values if isinstance(value, FuncCall | ImageCall)] if stages else []
        sources = {call.name for call in calls}
        name = function.name.partition("$")[0]
        if len(stages) != 1 or len(calls) != len(stages[0].values) or len(sources) != 1:
            raise ScheduleError(
                f"Error: {directive}() is for Funcs that repeat another one or an image, element by element, but"
                f" Func {name} is more than that. Ask it of a wrapper: {name}.in_(consumer)."
            )
        return function.args


def wrapped(source: Source, consumers: tuple[Any, ...]) -> Func:
    """The wrapper of a Function or image in what users gave as consumers."""
    return func_of(wrapper_in(source, _functions("in_", consumers) if consumers else []))


def _functions(method: str, consumers: tuple[Any, ...]) -> list[Function]:
    listed = consumers[0] if len(consumers) == 1 and isinstance(consumers[0], list | tuple) else consumers
    if not all(isinstance(consumer, Wrapping) for consumer in listed) or len(consumers) > 1:
        raise TypeError(f"{method}(): incompatible function arguments: a Func or list of Funcs, not {consumers!r}")
    if not listed:
        raise ScheduleError(f"Error: Could not create a in wrapper for an empty list of Funcs ({method})")
    return list(dict.fromkeys([consumer._function for consumer in listed]))


def func_of(function: Function) -> Func:
    """The handle of a Function."""
    from pipec.func.functions.func import Func

    func = Func.__new__(Func)
    func._function = function
    return func
