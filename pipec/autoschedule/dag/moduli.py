"""Which loops a stage treats differently by remainders: `x % 2` and its kin."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from pipec.autoschedule.dag.affine_forms import Forms
from pipec.ir.build import constant
from pipec.ir.expr import Expr, Intrinsic, Mod
from pipec.ir.node import Node
from pipec.ir.walk import postorder

# Larger patterns are not worth being unrolled.
MOST = 16


def moduli(roots: Iterable[Expr], forms: Forms, loops: Sequence[str]) -> tuple[int, ...]:
    """For each loop the least common multiple of the m in all `x % m`, and `x & (m - 1)`, of affine x."""
    found = dict.fromkeys(loops, 1)
    seen: set[Node] = set()
    for root in roots:
        for node in postorder(root, seen):
            modulus = _modulus(node)
            if modulus is None:
                continue
            value = forms.of(node.a if isinstance(node, Mod) else node.children()[0])  # type: ignore[arg-type]
            for name, coefficient in value.terms.items():
                if value.parts == 1 and coefficient == int(coefficient):
                    period = modulus // math.gcd(int(coefficient), modulus)
                    joined = math.lcm(found[name], period)
                    found[name] = joined if joined <= MOST else found[name]
    return tuple(found.values())


def _modulus(node: Node) -> int | None:
    if isinstance(node, Mod) and node.type.integral:
        value = constant(node.b)
        return int(value) if value is not None and 1 < value <= MOST else None
    if isinstance(node, Intrinsic) and node.name == "bitwise_and":
        value = constant(node.args[1])
        ones = value is not None and 1 <= value < MOST and (int(value) & (int(value) + 1)) == 0
        return int(value) + 1 if value is not None and ones else None
    return None
