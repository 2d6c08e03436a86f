"""Stages with some Funcs inlined: what a point of them computes and loads then."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from pipec.autoschedule.dag import Access, Dag, StageInfo


class Evaluations(NamedTuple):
    """An inlined Func in a stage: where it is evaluated for one point, as if it were loaded there."""

    func: str
    access: Access


class Inlining:
    """The stages of a Dag as they are with Funcs inlined. Asks are memoised."""

    def __init__(self, dag: Dag) -> None:
        self.dag = dag

    def stage(self, func: str, number: int, inlined: Set[str]) -> StageInfo:
        """The stage with all calls to Funcs in `inlined` replaced by what those compute (others are loads)."""
        raise NotImplementedError

    def evaluations(self, func: str, number: int, inlined: Set[str]) -> tuple[Evaluations, ...]:
        """All evaluations of inlined Funcs in the stage, those inlined in inlined ones among them."""
        raise NotImplementedError
