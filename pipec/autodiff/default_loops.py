"""Loops of stages with many elements: vectors, threads, tiles for which sums are held in registers."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from pipec.func.directives.stage import Stage
from pipec.func.functions.function import Function
from pipec.func.functions.names import numbered_name
from pipec.func.functions.rdom import RVar
from pipec.func.functions.var import Var
from pipec.func.functions.wrappers import func_of
from pipec.schedule.split import TailStrategy

# A domain with fewer points than this for each thread is too small to be divided between them.
FEW = 8
TASKS = 4
# Work of fewer steps is done before a thread has woken up.
LITTLE = 1 << 13
# Sums of so many rows are computed together, since they share what they read.
ROWS = 4
# The loops of sums are unrolled up to so many operations: what no row needs anew is computed once, before them.
UNROLLED = 1024
# The names and extents of dimensions, innermost first.
Dims = list[tuple[str, int]]


def spread(stage: Stage, dims: Dims, lanes: int, iterations: int, threads: int) -> None:
    """Vectors along the first dimension that is long enough, threads along the others."""
    vector = next((at for at, (_, extent) in enumerate(dims) if extent >= lanes), None)
    outer = [(name, extent) for at, (name, extent) in enumerate(dims) if at != vector]
    if vector is not None:
        name, extent = dims[vector]
        alone = prod(e for _, e in outer) < threads and threads > 1
        if alone and extent >= 4 * lanes * threads and extent * iterations >= LITTLE:
            chunk = -(-extent // (TASKS * threads * lanes)) * lanes
            far, near = numbered_name("o"), numbered_name("i")
            stage.split(Var(name), Var(far), Var(near), chunk, _tail(stage))
            stage.vectorize(Var(near), lanes).parallel(Var(far))
            return
        stage.vectorize(Var(name), lanes, _tail(stage))
    if prod(e for _, e in dims) * iterations >= LITTLE:
        _parallel(stage, outer, threads)


def _tail(stage: Stage) -> TailStrategy:
    """How loops end: those of updates exactly, since more of the Func would be needed of everything that it reads."""
    return TailStrategy.GuardWithIf if stage.stage_index() else TailStrategy.Auto


def tile(
    stage: Stage,
    function: Function,
    dims: Dims,
    sums: Mapping[Function, Mapping[str, str]],
    work: Mapping[Function, int | None],
    lanes: int,
    threads: int,
) -> bool:
    """Small tiles for which sums are computed in registers; False when there is no dimension to make them of.

    `sums`: with each the names of its dimensions; `work`: the operations for one element, None where nobody knows.
    """
    at = next((at for at, (_, extent) in enumerate(dims) if extent >= lanes), None)
    if at is None:
        return False
    (x, _), outer = dims[at], dims[:at] + dims[at + 1 :]
    far_x, near_x = Var(numbered_name("o")), Var(numbered_name("i"))
    stage.split(Var(x), far_x, near_x, lanes).vectorize(near_x)
    sizes = {x: lanes}
    rows = next((k for k, (_, extent) in enumerate(outer) if extent >= 4 * ROWS), None)
    # What takes long for each element gains less by loads that rows share than by loops that are unrolled.
    brief = [count for count in work.values() if count is not None and count <= UNROLLED]
    alone = len(brief) == len(sums) and max(brief) * ROWS > UNROLLED
    if rows is not None and not alone:
        y, extent = outer[rows]
        far_y, near_y = Var(numbered_name("o")), Var(numbered_name("i"))
        stage.split(Var(y), far_y, near_y, ROWS).reorder(near_x, near_y, far_x).unroll(near_y)
        outer[rows] = far_y.name(), extent // ROWS
        sizes[y] = ROWS
    for part, names in sums.items():
        func_of(part).compute_at(func_of(function), far_x)
        _sum(part, {names[name]: size for name, size in sizes.items() if name in names}, work[part])
    _parallel(stage, outer, threads)
    return True


def _sum(part: Function, sizes: Mapping[str, int], work: int | None) -> None:
    """A sum for a tile, the first dimension of which is that of vectors, in registers."""
    update = Stage(part, 1)
    loops = [RVar(loop.name) for loop in part.stages[1].rvars]
    update.reorder(*[Var(name) for name in sizes], *loops)
    for stage in (Stage(part, 0), update):
        for at, (name, size) in enumerate(sizes.items()):
            if at:
                stage.unroll(Var(name), size)
            else:
                stage.vectorize(Var(name), size)
    if work is not None and work * prod(list(sizes.values())[1:]) <= UNROLLED:
        for loop in loops:
            update.unroll(loop)


def _parallel(stage: Stage, dims: Dims, threads: int) -> None:
    """The outermost long dimension in parallel, with the next ones when it is short."""
    outer = [(name, extent) for name, extent in dims if extent > 1]
    if threads == 1 or prod(extent for _, extent in outer) < threads:
        return
    name, extent = outer.pop()
    while outer and extent < FEW * threads:
        inner, count = outer.pop()
        fused = numbered_name("p")
        stage.fuse(Var(inner), Var(name), Var(fused))
        name, extent = fused, extent * count
    if extent >= threads:
        size = max(1, extent // (FEW * threads))
        stage.parallel(Var(name), size, _tail(stage)) if size > 1 else stage.parallel(Var(name))
