"""Classes of Funcs by what they may be fused with, after TVM (Chen et al., OSDI 2018).

injective      output[x, y] = input[y, x] * 2              one element of each input for a point
reduction      total[y] += input[k, y]                     each element of the input goes into one result
complex        product[x, y] += a[k, y] * b[x, k]          elements are read by several points: stencils too
opaque         scans, scatters, C functions, what the user scheduled
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping, Sequence

import numpy as np

from pipec.autoschedule.dag.dag import Access, Dag, FuncInfo, StageInfo


class OperatorClass(enum.Enum):
    """What a Func may be fused with."""

    INJECTIVE = "injective"
    """It is computed inside of whatever reads it, and reads others that are."""
    REDUCTION = "reduction"
    """What it reads is computed inside of it, where that is injective."""
    COMPLEX = "complex-out-fusible"
    """It is computed in the tiles of an injective Func that reads it point by point."""
    OPAQUE = "opaque"
    """It is computed whole."""


def operator_class(dag: Dag, name: str) -> OperatorClass:
    """Returns the class of a Func."""
    func = dag.funcs[name]
    if func.extern or func.fixed or any(_is_opaque(stage) for stage in func.stages):
        return OperatorClass.OPAQUE
    if func.pure:
        (stage,) = func.stages
        return OperatorClass.INJECTIVE if all(load.count == 1 for load in _inputs(stage)) else OperatorClass.COMPLEX
    updates = [stage for stage in func.stages[1:] if _inputs(stage)]
    if all(_reads_once(dag, stage) for stage in updates):
        return OperatorClass.REDUCTION
    return OperatorClass.COMPLEX


def is_pointwise(dag: Dag, reader: str, read: str) -> bool:
    """Whether a Func reads another at one place for each of its points, and each place for one point."""
    stages = dag.funcs[reader].stages
    loads = [(stage, load) for stage in stages for load in stage.loads if load.name == read]
    return len(loads) == 1 and loads[0][1].count == 1 and _one_to_one(*loads[0])


def _is_opaque(stage: StageInfo) -> bool:
    """Whether points depend on each other, or are stored where values say."""
    scattered = any(row is None for row in stage.store.jacobian)
    own = stage.store
    scans = any(load.jacobian != own.jacobian or load.offsets != own.offsets for load in stage.self_loads)
    return scattered or scans


def _inputs(stage: StageInfo) -> list[Access]:
    """The loads of other Funcs and images."""
    return [load for load in stage.loads if load.name != stage.func]


def _reads_once(dag: Dag, stage: StageInfo) -> bool:
    """Whether the largest of what an update reads is read once: others, such as weights, may be read again."""
    loads = _inputs(stage)
    largest = max(loads, key=lambda load: _size(dag, load.name))
    return largest.count == 1 and _one_to_one(stage, largest)


def _size(dag: Dag, name: str) -> int:
    extent = dag.funcs[name].extent if name in dag.funcs else dag.images[name].extent
    return math.prod(extent)


def _one_to_one(stage: StageInfo, load: Access) -> bool:
    """Whether different iterations read different places, as far as that is known."""
    moving = [d for d, loop in enumerate(stage.loops) if loop.extent > 1]
    rows = [row for row in load.jacobian if row is not None]
    return _rank([[row[d] for d in moving] for row in rows]) == len(moving)


def _rank(matrix: Sequence[Sequence[float]]) -> int:
    return int(np.linalg.matrix_rank(np.array(matrix))) if matrix and matrix[0] else 0


def classes(dag: Dag) -> dict[str, OperatorClass]:
    """Returns the class of every Func."""
    return {name: operator_class(dag, name) for name in dag.funcs}


def fused_reader(dag: Dag, kinds: Mapping[str, OperatorClass], func: FuncInfo) -> str | None:
    """Returns the Func in whose tiles a complex one is computed; None where there is none."""
    readers = {reader for reader, _ in dag.consumers[func.name]}
    if kinds[func.name] is not OperatorClass.COMPLEX or func.output or len(readers) != 1:
        return None
    (reader,) = readers
    fits = kinds[reader] is OperatorClass.INJECTIVE and is_pointwise(dag, reader, func.name)
    return reader if fits else None


def is_inlined(dag: Dag, kinds: Mapping[str, OperatorClass], func: FuncInfo) -> bool:
    """Returns whether an injective Func is computed inside of what reads it: injective Funcs and reductions."""
    if not func.inlinable or kinds[func.name] is not OperatorClass.INJECTIVE:
        return False
    fusing = (OperatorClass.INJECTIVE, OperatorClass.REDUCTION)
    return all(kinds[reader] in fusing for reader, _ in dag.consumers[func.name])
