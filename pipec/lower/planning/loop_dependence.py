"""How expressions of a plan depend on one loop variable: invariant, monotonic, neither."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipec.bounds.monotonic import Monotonicity
from pipec.bounds.simplify import simplify
from pipec.ir.expr import Expr
from pipec.ir.node import Node
from pipec.ir.walk import free_variables, substitute


class LoopDependence:
    """How expressions depend on the variable of loop `loop`, directly or through lets.

    `value_of` returns the value of a let, and None for all other names. `memos`: caches of storage folding, of
    expressions rewritten for the first iteration and for later ones.
    """

    def __init__(self, loop: str, value_of: Callable[[str], Expr | None]) -> None:
        self.loop = loop
        self.memos: tuple[dict[Node, Any], dict[Node, Any]] = ({}, {})
        self._value_of = value_of
        self._direction = Monotonicity(loop, value_of)
        self._varies: dict[str, bool] = {loop: True}
        self._expanded: dict[str, Expr] = {}

    def direction(self, e: Expr) -> int | None:
        """Returns 0 if `e` is invariant, 1 if it never decreases, -1 if it never increases, None if unknown."""
        return self._direction.of(e)

    def expanded(self, e: Expr) -> Expr:
        """Returns `e` with every let that depends on the loop replaced by its value."""
        names = [name for name in free_variables(e) if name != self.loop and self.varies(name)]
        for name in names:
            if name not in self._expanded:
                value = self._value_of(name)
                assert value is not None
                self._expanded[name] = self.expanded(value)
        return simplify(substitute(e, {name: self._expanded[name] for name in names})) if names else e

    def varies(self, name: str) -> bool:
        """Whether the value of a name depends on the loop."""
        if name not in self._varies:
            value = self._value_of(name)
            self._varies[name] = value is not None and any(map(self.varies, free_variables(value)))
        return self._varies[name]
