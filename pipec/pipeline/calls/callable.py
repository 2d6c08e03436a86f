"""Callable: a compiled pipeline as a Python function of arrays and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipec.errors import ArgumentError, PipecError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import short_traceback
from pipec.func.functions.handlers import HandlerMethods, Handlers
from pipec.pipeline.calls.arguments import arguments_of, require_arguments
from pipec.pipeline.calls.runnable import Runnable, no_fast_call

if TYPE_CHECKING:
    from pipec.jit.runtime.python_call import Builtin
    from pipec.pipeline.observation.profile import JitStatistics


class Callable(HandlerMethods):
    """A pipeline compiled for arguments in a given order: `callable(*inputs, *outputs)`, by position or by name.

    Arrays are numpy arrays or Buffers; outputs are written in place. May be called from several threads at once.

    >>> image, x = hl.ImageParam(hl.Int(32), 1, "image"), hl.Var("x")
    >>> f = hl.Func("out")
    >>> f[x] = image[x] * 2
    >>> run = f.compile_to_callable([image])
    >>> out = np.empty(3, np.int32)
    >>> run(np.array([1, 2, 3], np.int32), out)
    >>> out.tolist()
    [2, 4, 6]
    """

    __slots__ = ("_run", "_inputs", "_names", "_places", "_constants", "_count", "_order", "_fast_call", "_called")

    def __init__(self, run: Runnable, names: Sequence[str], constants: Mapping[str, Any]) -> None:
        self._run, self._count, self._inputs = run, len(names), tuple(names[: len(names) - len(run.output_names)])
        places = {name: at for at, name in enumerate(names)}
        parameters = [argument.name for argument in run.arguments]
        self._constants = tuple([constants[name] for name in parameters if name not in places])
        # Where each argument of the machine code is found in (*given, *constants).
        rest = iter(range(self._count, self._count + len(self._constants)))
        self._order = [places[name] if name in places else next(rest) for name in parameters]
        self._fast_call: Builtin | None = None
        self._called = False
        self._names = _short_names(names)
        self._places = {name: at for at, name in enumerate(self._names)}

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        tried = not kwargs and (self._called or self._fast_call is not None)
        if tried and self.fast_call()(*args):
            return
        try:
            run = self._run.call_slow if tried else self._run
            self._called = True
            if kwargs or len(args) != self._count:
                args = self._arranged(args, kwargs)
            if self._constants:
                args += self._constants
            run([args[at] for at in self._order])
        except PipecError as error:
            raise short_traceback(error) from error.__cause__

    def fast_call(self) -> Builtin:
        """The fast call, made from the second call on: a pipeline that runs once would take longer with it."""
        if self._fast_call is None:
            self._fast_call = self._run.fast_call(self._count, self._order, self._constants) or no_fast_call
        return self._fast_call

    def _handlers(self) -> Handlers:
        return self._run.compiled.handlers

    def statistics(self) -> JitStatistics:
        """Returns times and memory of compiling and running the pipeline."""
        from pipec.pipeline.observation.profile import statistics_of

        return statistics_of(self._run.compiled)

    def _arranged(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        if len(args) > self._count:
            raise ArgumentError(
                f"Error: Expected at most {self._count} positional arguments, but saw {len(args)}. {self._usage()}"
            )
        if not kwargs:
            raise ArgumentError(
                f"Error: Expected exactly {self._count} positional arguments, but saw {len(args)}. {self._usage()}"
            )
        values = dict(zip(self._names, args, strict=False))
        for name, value in kwargs.items():
            if name not in self._places:
                raise ArgumentError(f"Error: Unknown argument '{name}' specified via keyword. {self._usage()}")
            if name in values:
                raise ArgumentError(f"Error: Argument {name} specified multiple times. {self._usage()}")
            values[name] = value
        for name in self._names:
            if name not in values:
                raise ArgumentError(
                    f"Error: Argument {name} was not specified by either positional or keyword argument."
                    f" {self._usage()}"
                )
        return tuple([values[name] for name in self._names])

    def _usage(self) -> str:
        return f"The arguments are ({', '.join(self._names)})."

    def __reduce__(self) -> tuple[Any, ...]:
        from pipec.pipeline.pickling import reduced_callable

        return reduced_callable(self._run, self._inputs)

    def __copy__(self) -> Callable:
        return self

    def __deepcopy__(self, memo: Any) -> Callable:
        # Machine code and embedded Buffers never change, so that copies can share them.
        return self

    def __repr__(self) -> str:
        return f"<halide.Callable ({', '.join(self._names)})>"


def callable_of(run: Runnable, arguments: Sequence[Any]) -> Callable:
    """A function of `arguments` (Params and ImageParams, in this order) and the output buffers."""
    names = [argument.name for argument in arguments_of(arguments)]
    require_arguments(names, run.bindings)
    constants = {name: bound for name, bound in run.bindings.items() if isinstance(bound, Buffer)}
    return Callable(run, [*names, *run.output_names], constants)


def _short_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names as the user gave them: without the number that makes a Func's name unique, where that is clear."""
    short = [name.partition("$")[0] for name in names]
    return tuple([base if short.count(base) == 1 else name for base, name in zip(short, names, strict=True)])
