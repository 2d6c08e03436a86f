"""The directives about how stages and Funcs are executed: steady states, prefetches, threads, caches, reports."""

from __future__ import annotations

import os
from typing import Any, Self

from pipec.errors import require_instance
from pipec.func.directives.loop_level import dim_of
from pipec.func.directives.scheduled import Scheduled, int_node
from pipec.func.math.convert import cast, node_or_none
from pipec.ir.expr import Expr as Node
from pipec.ir.stmt import Partition
from pipec.ir.types import INT64
from pipec.schedule.execution import Async, Memoize, PartitionLoop, Prefetch, PrefetchBoundStrategy
from pipec.schedule.observation import DebugToFile, Trace, Traced, TraceTag
from pipec.schedule.races import Atomic


class EvictionKey:
    """A number that names cached results of memoized Funcs to evict together: an int, or an Expr of Params."""

    __slots__ = ("node",)

    def __init__(self, key: Any) -> None:
        node = node_or_none(key)
        if node is None or not node.type.integral:
            raise TypeError(
                "__init__(): incompatible constructor arguments. An EvictionKey is made of an integer Expr, not of"
                f" {key!r}"
            )
        self.node: Node = cast(INT64, node)


class StageExecution(Scheduled):
    """About the loops of a stage."""

    __slots__ = ()

    def atomic(self, override_associativity_test: bool = False) -> Self:
        """Allow iterations that update the same element to run in any order, each update at a time.

        `override_associativity_test`: the user guarantees that the order does not matter.
        """
        require_instance("atomic", bool, override_associativity_test)
        return self._apply(Atomic, override_associativity_test)

    def partition(self, var: Any, policy: Partition) -> Self:
        """Set whether the loop over `var` is divided into a prologue, a steady state and an epilogue."""
        require_instance("partition", Partition, policy)
        return self._apply(PartitionLoop, dim_of(var), policy)

    def never_partition(self, *variables: Any) -> Self:
        """Never divide these loops."""
        return self._partition(variables, Partition.Never)

    def never_partition_all(self) -> Self:
        """Never divide any loop."""
        return self._partition_all(Partition.Never)

    def always_partition(self, *variables: Any) -> Self:
        """Divide these loops into a prologue, a steady state and an epilogue."""
        return self._partition(variables, Partition.Always)

    def always_partition_all(self) -> Self:
        """Divide all loops into a prologue, a steady state and an epilogue."""
        return self._partition_all(Partition.Always)

    def _partition(self, variables: tuple[Any, ...], policy: Partition) -> Self:
        if len(variables) == 1 and isinstance(variables[0], list | tuple):
            variables = tuple(variables[0])
        for variable in variables:
            self.partition(variable, policy)
        return self

    def _partition_all(self, policy: Partition) -> Self:
        for name in self._shape().loops(self._function.schedule).names():
            self._apply(PartitionLoop, name, policy)
        return self

    def prefetch(
        self,
        source: Any,
        at: Any,
        from_: Any,
        offset: Any = 1,
        strategy: PrefetchBoundStrategy = PrefetchBoundStrategy.GuardWithIf,
    ) -> Self:
        """Fetch, while loop `at` runs, the part of `source` that the iteration `offset` ahead in `from_` needs."""
        require_instance("prefetch", PrefetchBoundStrategy, strategy)
        if not hasattr(source, "name"):
            raise TypeError(f"prefetch(): incompatible function arguments: {source!r} is no Func or ImageParam")
        return self._apply(Prefetch, source.name(), dim_of(at), dim_of(from_), int_node(offset), strategy)


class FuncExecution(Scheduled):
    """About a whole Func. Reports go to sys.stdout, or to the function given to `set_custom_trace`."""

    __slots__ = ()

    def async_(self) -> Self:
        """Compute it in a thread of its own, which runs ahead of the consumers as far as its storage allows.

        It runs ahead of the consumers without limit where each iteration computes new values only (storage then is not
        folded by itself), as far as the rows go with fold_storage, by `n` iterations with ring_buffer(n), and otherwise
        waits until the values of the iteration before have been used.
        """
        return self._apply(Async)

    def memoize(self, eviction_key: EvictionKey | None = None) -> Self:
        """Cache the computed values of the Func, and use them when the same region is needed again.

        The key of a cached result is the definitions of the Func and of those it uses, the values of the Params and
        the contents of the images that they use (or the arguments of memoize_tag instead), and the region. The Func
        needs a compute_root() or compute_at(). memoization_cache_set_size limits the cache; memoization_cache_evict
        removes the results with an EvictionKey.
        """
        if eviction_key is not None and not isinstance(eviction_key, EvictionKey):
            raise TypeError(f"memoize(): incompatible function arguments: {eviction_key!r} is no EvictionKey")
        return self._apply(Memoize, None if eviction_key is None else eviction_key.node)

    def trace_loads(self) -> Self:
        """Report each load from the Func, if it is computed in loops of its own and not inlined."""
        return self._apply(Trace, Traced.Loads)

    def trace_stores(self) -> Self:
        """Report each store to the Func."""
        return self._apply(Trace, Traced.Stores)

    def trace_realizations(self) -> Self:
        """Report where storage of the Func begins and ends, where it is produced and where consumed."""
        return self._apply(Trace, Traced.Realizations)

    def debug_to_file(self, filename: Any) -> None:
        """Write all of the Func to a file each time it has been computed in loops of its own.

        The end of the name says how: .npy (numpy; dimension 0 last, as np.asarray of a Buffer), .mat (MATLAB, level 5),
        .tiff or .tif, .tmp (four extents and the number of the type, then the elements). With compute_at each
        computation overwrites what the one before has written.
        """
        if not isinstance(filename, str | os.PathLike):
            raise TypeError(f"debug_to_file(): incompatible function arguments. A file name is a str, not {filename!r}")
        self._apply(DebugToFile, os.fspath(filename))

    def add_trace_tag(self, trace_tag: str) -> Self:
        """Report a text about the Func at the start of each run, if anything of the Func is traced."""
        if not isinstance(trace_tag, str):
            raise TypeError(f"add_trace_tag(): incompatible function arguments. A tag is a str, not {trace_tag!r}")
        return self._apply(TraceTag, trace_tag)
