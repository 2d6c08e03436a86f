"""Conversions of what a stage loads: points of a block that share a load share its conversion, too.

uint16(f(x - 1)) + uint16(f(x)) + uint16(f(x + 1)) in a block of 4 points  -->  6 conversions, not 12
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any

from pipec.autoschedule.dag.affine_forms import Forms
from pipec.autoschedule.dag.dag import TYPE_CLASSES, Access, Operation, OperationCounts
from pipec.autoschedule.dag.instructions import instructions_of
from pipec.autoschedule.dag.operations import computed, type_class
from pipec.autoschedule.dag.regions import accesses
from pipec.ir import expr as e


def conversions_of(roots: Iterable[e.Expr], forms: Forms, loops: Sequence[str], varying: Set[e.Expr]) -> list[e.Cast]:
    """The conversions of loads at places that are known exactly; `varying`: as in `parts`."""
    return [
        node
        for node in computed(roots, forms, frozenset(loops), None, varying)
        if isinstance(node, e.Cast)
        and isinstance(node.value, e.FuncCall | e.ImageCall)
        and node not in varying
        and all(forms.of(arg).exact for arg in node.value.args)
    ]


def by_places(
    conversions: Iterable[e.Cast], forms: Forms, loops: Sequence[str], emulated: bool
) -> tuple[tuple[Access, OperationCounts], ...]:
    """The operations of a conversion, with the places that are read for such ones."""
    calls: dict[OperationCounts, list[Any]] = {}
    for node in conversions:
        counts = [[0.0] * len(TYPE_CLASSES) for _ in Operation]
        for kind, of_type, times in instructions_of(node, emulated):
            counts[kind][type_class(of_type)] += times
        calls.setdefault(tuple([tuple(row) for row in counts]), []).append(node.value)
    return tuple([(access, operations) for operations, own in calls.items() for access in accesses(own, forms, loops)])
