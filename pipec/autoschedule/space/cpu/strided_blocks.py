"""Blocks of every n-th point of a dimension: what is chosen by `x // n` is known there, and `x % n` is the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pipec.autoschedule.dag.dag import Interleave, LoopInfo, StageInfo
from pipec.autoschedule.space.state import FULL, Nest
from pipec.ir.build import add, constant, mul
from pipec.ir.expr import Div, Expr, Mod, Select, Variable
from pipec.ir.node import Node
from pipec.ir.types import INT32
from pipec.ir.walk import postorder, rewrite

MAX_COPIES = 16
"""Points of a dimension in such a block: results of one butterfly of a Fourier transform."""


class Halves(NamedTuple):
    """A loop x as two: x is stride * outer + inner."""

    stride: int
    inner: LoopInfo
    outer: LoopInfo


def halves(roots: Iterable[Expr], loops: Iterable[LoopInfo]) -> Mapping[int, Halves]:
    """The pure loops x by whose quotients `x // n` values are chosen, by their numbers."""
    by_name = {loop.name: (d, loop) for d, loop in enumerate(loops) if not loop.reduction}
    result: dict[int, Halves] = {}
    for quotient in _quotients_in_conditions(roots):
        if isinstance(quotient.a, Variable) and quotient.a.name in by_name:
            d, loop = by_name[quotient.a.name]
            parts = _halves(loop, constant(quotient.b))
            if parts is not None:
                result.setdefault(d, parts)
    return result


def _quotients_in_conditions(roots: Iterable[Expr]) -> Iterator[Div]:
    visited: set[Node] = set()
    selects = (node for root in roots for node in postorder(root, visited=visited) if isinstance(node, Select))
    return (part for select in selects for part in postorder(select.condition) if isinstance(part, Div))


def _halves(loop: LoopInfo, divisor: float | None) -> Halves | None:
    stride = int(divisor) if divisor is not None and divisor > 1 else 0
    if not stride or loop.minimum % stride or loop.extent % stride:
        return None
    copies = loop.extent // stride
    if not 1 < copies <= MAX_COPIES:
        return None
    # Names that no loop of a definition has.
    inner = LoopInfo(f"{loop.name} % {stride}", stride)
    return Halves(stride, inner, LoopInfo(f"{loop.name} // {stride}", copies, minimum=loop.minimum // stride))


def halved(root: Expr, name: str, parts: Halves) -> Expr:
    """The expression with loop `name` as two."""
    inner, outer = (Variable(INT32, loop.name) for loop in (parts.inner, parts.outer))
    whole = add(mul(outer, parts.stride), inner)

    def change(node: Node) -> Node:
        if isinstance(node, Div | Mod) and node.a is whole and constant(node.b) == parts.stride:
            return outer if isinstance(node, Div) else inner
        return whole if isinstance(node, Variable) and node.name == name else node

    return rewrite(root, change)


def interleave_of(stage: StageInfo, nest: Nest) -> Interleave | None:
    """Returns the interleaving of the block's points; None where they are contiguous."""
    d = nest.interleaved
    if d is None or d not in stage.interleaves or d == nest.vector:
        return None
    interleave = stage.interleaves[d]
    cut = any(tile[d] != FULL for tile in nest.tiles[:-1])
    return None if cut or nest.tiles[-1][d] != interleave.copies else interleave
