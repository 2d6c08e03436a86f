"""How expressions of a plan depend on one loop variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipec.bounds.monotonic import Monotonicity
from pipec.ir.expr import Expr
from pipec.ir.node import Node
from pipec.ir.simplify import simplify
from pipec.ir.walk import free_variables, substitute


class Motion:
    """How expressions depend on one loop variable, also through lets."""

    def __init__(self, loop: str, value_of: Callable[[str], Expr | None]) -> None:
        self.loop = loop
        self._value_of = value_of
        self._direction = Monotonicity(loop, value_of)
        self._depends: dict[str, bool] = {loop: True}
        self._expanded: dict[str, Expr] = {}
        # What storage folding found expressions to be in the first iteration, and in later ones.
        self.chosen: tuple[dict[Node, Any], dict[Node, Any]] = ({}, {})

    def sign(self, e: Expr) -> int | None:
        """0: does not depend on the loop, 1: never falls, -1: never rises, None: unknown."""
        return self._direction.of(e)

    def expanded(self, e: Expr) -> Expr:
        """`e` with every let that depends on the loop replaced by its value."""
        values = {name: self._value(name) for name in free_variables(e) if name != self.loop and self.moves(name)}
        return simplify(substitute(e, values)) if values else e

    def moves(self, name: str) -> bool:
        """Whether the name stands for something that depends on the loop."""
        found = self._depends.get(name)
        if found is None:
            value = self._value_of(name)
            found = value is not None and any(self.moves(v) for v in free_variables(value))
            self._depends[name] = found
        return found

    def _value(self, name: str) -> Expr:
        found = self._expanded.get(name)
        if found is None:
            value = self._value_of(name)
            assert value is not None
            found = self._expanded[name] = self.expanded(value)
        return found
