"""What the GPU schedules of the applications share: grids of tiles, and tiles staged in the memory of a block."""

from __future__ import annotations

from types import ModuleType
from typing import Any

TILE = (32, 8)  # threads of a block: a row of them reads neighbouring pixels


def grid(hl: ModuleType, func: Any, x: Any, y: Any, *planes: Any, tile: tuple[int, int] = TILE) -> Any:
    """A kernel of its own: a pixel a thread, a tile a block, planes as further dimensions of the grid.

    `x` and `y` name the blocks afterwards, the threads are `xi` and `yi`.
    """
    xi, yi = hl.vars("xi yi")
    func.gpu_tile(x, y, xi, yi, *tile)
    return func.gpu_blocks(*planes) if planes else func


def staged(hl: ModuleType, func: Any, consumer: Any, x: Any, y: Any, tile: tuple[int, int] = TILE) -> Any:
    """What a block of `consumer` needs of `func`, made by its threads together, as often as each has to."""
    xi, yi = hl.vars("xi yi")
    func.compute_at(consumer, x).tile(x, y, xi, yi, *tile, hl.TailStrategy.GuardWithIf)
    return func.gpu_threads(xi, yi)
