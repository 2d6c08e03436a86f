"""The directives that change at most the time or memory a pipeline takes."""

from __future__ import annotations

from typing import Any, Self

from pipec.errors import NotSupportedError, ScheduleError
from pipec.func.directives.loop_level import LoopLevel, dim_of, level_in
from pipec.func.directives.options import PrefetchBoundStrategy
from pipec.func.functions.function import Function
from pipec.func.math.convert import cast, node_or_none
from pipec.ir.expr import Expr as Node
from pipec.ir.stmt import Partition
from pipec.ir.types import INT32
from pipec.schedule import apply
from pipec.schedule.directive import ROOT
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import FuncShape, StageShape


def _number(value: Any) -> Node:
    node = node_or_none(value)
    if node is None:
        raise TypeError(f"incompatible function arguments: an int or Expr is needed, not {value!r}")
    return cast(INT32, node) if node.type.integral else node


class StageHints:
    """About the loops of a stage."""

    __slots__ = ()
    _function: Function

    def _shape(self) -> StageShape:
        raise NotImplementedError

    def _set(self, schedule: Schedule) -> Self:
        raise NotImplementedError

    def atomic(self, override_associativity_test: bool = False) -> Self:
        """Iterations that update the same element may run in any order."""
        return self._set(apply.atomic(self._function.schedule, self._shape(), bool(override_associativity_test)))

    def partition(self, var: Any, policy: Partition) -> Self:
        """Whether the loop over `var` shall be divided into borders and a steady state."""
        return self._set(apply.partition(self._function.schedule, self._shape(), dim_of(var), policy))

    def never_partition(self, *variables: Any) -> Self:
        """These loops stay whole."""
        return self._partition(variables, Partition.Never)

    def never_partition_all(self) -> Self:
        """All loops stay whole."""
        return self._partition_all(Partition.Never)

    def always_partition(self, *variables: Any) -> Self:
        """These loops are divided into borders and a steady state."""
        return self._partition(variables, Partition.Always)

    def always_partition_all(self) -> Self:
        """All loops are divided into borders and a steady state."""
        return self._partition_all(Partition.Always)

    def _partition(self, variables: tuple[Any, ...], policy: Partition) -> Self:
        if len(variables) == 1 and isinstance(variables[0], list | tuple):
            variables = tuple(variables[0])
        for variable in variables:
            self.partition(variable, policy)
        return self

    def _partition_all(self, policy: Partition) -> Self:
        shape = self._shape()
        for name in shape.loops(self._function.schedule).names():
            self._set(apply.partition(self._function.schedule, shape, name, policy))
        return self

    def prefetch(self, source: Any, at: Any, from_: Any, offset: Any = 1, strategy: Any = None) -> Self:
        """While loop `at` runs, what the iteration `offset` ahead in `from_` needs of `source` may be fetched."""
        if strategy is not None and not isinstance(strategy, PrefetchBoundStrategy):
            raise TypeError(f"prefetch(): incompatible function arguments: {strategy!r} is no PrefetchBoundStrategy")
        if strategy not in (None, PrefetchBoundStrategy.GuardWithIf):
            raise NotSupportedError(f"Error: prefetch with {strategy} is not supported yet, only GuardWithIf.")
        if not hasattr(source, "name"):
            raise TypeError(f"prefetch(): incompatible function arguments: {source!r} is no Func or ImageParam")
        names = dim_of(at), dim_of(from_)
        schedule = self._function.schedule
        return self._set(apply.prefetch(schedule, self._shape(), source.name(), *names, _number(offset)))


class FuncHints:
    """About a whole Func."""

    __slots__ = ()
    _function: Function

    def _func_shape(self) -> FuncShape:
        raise NotImplementedError

    def _set(self, schedule: Schedule) -> Self:
        raise NotImplementedError

    def hoist_storage(self, *args: Any) -> Self:
        """hoist_storage(func, var) or hoist_storage(loop_level): memory claimed once for all iterations inside it."""
        if len(args) == 2 and hasattr(args[0], "function"):
            level = level_in(args[0], args[1])
        elif len(args) == 1 and isinstance(args[0], LoopLevel):
            found = args[0].level()
            if found is None:
                raise ScheduleError(
                    f"Error: hoist_storage of Func {self._function.name} needs a LoopLevel that is set."
                )
            level = found
        else:
            raise TypeError(f"hoist_storage(): incompatible function arguments: {args!r}")
        return self._set(apply.hoist_storage(self._function.schedule, self._func_shape(), level))

    def async_(self) -> Self:
        """Compute it in a thread of its own, which runs ahead of the consumers as far as its storage allows.

        It runs ahead of the consumers without limit where each iteration computes new values only (storage then is not
        folded by itself), as far as the rows go with fold_storage, by `n` iterations with ring_buffer(n), and otherwise
        waits until the values of the iteration before have been used.
        """
        return self._set(apply.async_(self._function.schedule, self._func_shape()))

    def ring_buffer(self, extent: Any) -> Self:
        """Keep the values of the last `extent` iterations of the loops between hoist_storage and storage."""
        return self._set(apply.ring_buffer(self._function.schedule, self._func_shape(), _number(extent)))

    def hoist_storage_root(self) -> Self:
        """Memory claimed once for the whole pipeline."""
        return self._set(apply.hoist_storage(self._function.schedule, self._func_shape(), ROOT))
