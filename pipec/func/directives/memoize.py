"""Func.memoize and EvictionKey."""

from __future__ import annotations

from typing import Any, Self

from pipec.func.math.convert import cast, node_or_none
from pipec.ir.expr import Expr as Node
from pipec.ir.types import INT64
from pipec.schedule import apply


class EvictionKey:
    """A number by which results of memoised Funcs can be forgotten together: an int, or an Expr of Params."""

    __slots__ = ("node",)

    def __init__(self, key: Any) -> None:
        node = node_or_none(key)
        if node is None or not node.type.integral:
            raise TypeError(
                "__init__(): incompatible constructor arguments. An EvictionKey is made of an integer Expr, not of"
                f" {key!r}"
            )
        self.node: Node = cast(INT64, node)


class Memoization:
    """The method of Func about results that are kept between runs."""

    __slots__ = ()

    def _apply(self, directive: Any, *args: Any) -> Self:
        raise NotImplementedError

    def memoize(self, eviction_key: EvictionKey | None = None) -> Self:
        """Keep what is computed of the Func, and take it from there when the same region is needed again.

        Results are told apart by the definitions behind the Func, the values of the Params and the contents of the
        images that they use (or what memoize_tag says instead), and the region. The Func needs a compute_root() or
        compute_at(). How much is kept is for memoization_cache_set_size to say; results with an EvictionKey can be
        forgotten with memoization_cache_evict.
        """
        if eviction_key is not None and not isinstance(eviction_key, EvictionKey):
            raise TypeError(f"memoize(): incompatible function arguments: {eviction_key!r} is no EvictionKey")
        return self._apply(apply.memoize, None if eviction_key is None else eviction_key.node)
