"""Bounds that begin at multiples: where values depend on `x % 2`, lanes and copies then know their remainder."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pipec.autoschedule.dag.dag import Dag, StageInfo
from pipec.autoschedule.dag.inlining import InlinedStages
from pipec.autoschedule.emit.constants import Constants
from pipec.autoschedule.emit.loops import steps_of
from pipec.autoschedule.space.legalize import func_path, readers
from pipec.autoschedule.space.state import FULL, NestLevel, State, Where

MAX_OF_IMAGES = 4
"""Bounds may grow to multiples of this at the cost of what an input has; where it has not, a slow variant runs."""


def alignments(dag: Dag, state: State, constants: Constants) -> Mapping[tuple[str, int], int]:
    """Returns the multiples to which bounds are aligned, by Func and dimension."""
    if not any(modulus > 1 for func in dag.funcs.values() for stage in func.stages for modulus in stage.moduli):
        return {}
    return _Alignment(dag, state, constants).alignments()


class _Alignment:
    def __init__(self, dag: Dag, state: State, constants: Constants) -> None:
        self.dag, self.state, self.constants = dag, state, constants
        self.inlined = state.inlined
        self.inlining = InlinedStages(dag)

    def alignments(self) -> dict[tuple[str, int], int]:
        result: dict[tuple[str, int], int] = {}
        for func in self.dag.funcs.values():
            if func.name in self.inlined or func.fixed:
                continue
            for stage, nest in zip(func.stages, self.state[func.name].nests, strict=True):
                moduli = self._stage(func.name, stage.number).moduli
                whole = self.constants.of(func, stage, nest) if max(moduli, default=1) > 1 else {}
                for dim, modulus in enumerate(moduli[: len(func.arguments)]):
                    block = steps_of(nest, dim)[1] or whole.get(dim, FULL)
                    if modulus > 1 and block != FULL and block % modulus == 0:
                        key = self._outermost(func.name, dim, modulus)
                        if self._may_grow(*key, modulus) and not self._is_copied_whole(*key):
                            result[key] = math.lcm(result.get(key, 1), modulus)
        return result

    def _is_copied_whole(self, name: str, dim: int) -> bool:
        """Whether blocks have all of a dimension, whose extent would no longer be constant if bounds grew."""
        func, nests = self.dag.funcs[name], self.state[name].nests
        return any(dim in self.constants.of(func, stage, nest) for stage, nest in zip(func.stages, nests, strict=True))

    def _stage(self, func: str, number: int) -> StageInfo:
        return self.inlining.stage(func, number, self.inlined)

    def _may_grow(self, func: str, dim: int, modulus: int) -> bool:
        """Whether bounds that grow are likely to cost nothing: images are often even, but seldom multiples of 8.

        Those of outputs do not grow: what is estimated has to be aligned. For other sizes a slow variant runs.
        """
        is_aligned = self._is_aligned(func, dim, modulus)
        if self.dag.funcs[func].output or is_aligned:
            return is_aligned
        return modulus <= MAX_OF_IMAGES or not self._reads_exactly(func)

    def _is_aligned(self, func: str, dim: int, modulus: int) -> bool:
        """Whether the estimated bounds are multiples."""
        info = self.dag.funcs[func]
        return info.minimum[dim] % modulus == 0 and info.extent[dim] % modulus == 0

    def _reads_exactly(self, func: str) -> bool:
        """Whether what is computed of a Func decides about what an input has to have."""
        pending, visited = [func], {func}
        while pending:
            name = pending.pop()
            for stage in self.dag.funcs[name].stages:
                if any(load.name in self.dag.images and not load.boundary for load in stage.loads):
                    return True
            pending += [other for other in self.dag.producers[name] if other not in visited]
            visited.update(pending)
        return False

    def _outermost(self, func: str, dim: int, modulus: int) -> tuple[str, int]:
        """The Func from whose bounds those of `func` follow: the last one that is read point by point.

        A reader that is computed in pieces, in loops inside those of `func`, has bounds of its own in each of them.
        """
        around = func_path(self.state, func)
        result = func, dim
        while True:
            users = readers(self.dag, self.state, func)
            if len(users) != 1 or self.state[func].where is not Where.AT:
                return result
            reader, number = users[0]
            along = self._read_along(func, dim, reader, number)
            if along is None or self.dag.funcs[reader].fixed:
                return result
            if self.dag.funcs[reader].output and not self._is_aligned(reader, along, modulus):
                return result
            steps = steps_of(self.state[reader].nests[number], along)[0]
            if any(size % modulus for level, size in steps if NestLevel(reader, number, level) in around):
                return result
            func, dim = reader, along
            if len(func_path(self.state, reader)) <= len(around):
                result = func, dim

    def _read_along(self, func: str, dim: int, reader: str, number: int) -> int | None:
        """The dimension of the reader whose coordinate is that of `func` in `dim`."""
        dims_read: set[int] = set()
        for load in self._stage(reader, number).loads:
            if load.name == func:
                row = load.jacobian[dim]
                if row is None or load.low[dim] or load.high[dim] or sorted(row)[-1:] != [1] or sum(map(abs, row)) != 1:
                    return None
                dims_read.add(row.index(1))
        dims = len(self.dag.funcs[reader].arguments)
        along = dims_read.pop() if len(dims_read) == 1 else None
        return along if along is not None and along < dims else None
