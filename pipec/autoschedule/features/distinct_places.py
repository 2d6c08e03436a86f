"""The different places at which the accesses of a block begin, and what changes them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pipec.autoschedule.dag.dag import Access

Axes = tuple[tuple[int, int, int], ...]
"""Dimensions, how many vectors or elements a block has along each, and how far apart these are."""


def distinct(access: Access, axes: Axes, moduli: Sequence[int] = ()) -> float:
    """Returns the number of different places at which an access of a block begins.

    `moduli`: what the first value of each loop is known to be a multiple of. Code for `x / 2` and `(x + 1) / 2` reads
    two places unless the modulus shows which x are even, although half of the time they are the same.
    """
    affine = [row for row in access.jacobian if row is not None]
    exact = len(affine) == len(access.jacobian) and bool(access.offsets)
    moving = [(d, n, apart) for d, n, apart in axes if n > 1 and depends(access, d)]
    number = math.prod([n for _, n, _ in moving])
    if not exact or number * len(access.offsets) > 4096:
        return access.count * number
    if len(access.offsets) == 1 and not moving:
        return float(access.count)
    scale = access.count / len(access.offsets)
    parts = [_parts(row, moduli) for row in affine]
    offsets = [tuple([x * part for x, part in zip(offset, parts, strict=True)]) for offset in access.offsets]
    moves = [(n, [row[d] * part * apart for row, part in zip(affine, parts, strict=True)]) for d, n, apart in moving]
    if number * len(offsets) <= 512 or not moves:
        if all(step == int(step) for _, steps in moves for step in steps):
            return scale * _whole_places(offsets, moves)
        return scale * len(_places(offsets, moves))
    grid = np.stack(np.meshgrid(*[np.arange(n) for n, _ in moves], indexing="ij"), -1).reshape(-1, len(moves))
    moved = grid @ np.array([steps for _, steps in moves])
    places = np.floor(moved[:, None, :] + np.array(offsets)[None] + 1e-6)
    flat = places.reshape(-1, places.shape[-1])
    low = flat.min(0)
    spans = flat.max(0) - low + 1
    keys = ((flat - low) * np.concatenate([[1.0], np.cumprod(spans[:-1])])).sum(1)
    return scale * len(np.unique(keys))


# Of coordinates that are divided, and of their distances.
MAX_DIVISOR, MAX_ROUNDING = 4096, 1e-12
FRACTIONS = 48
"""Coordinates whose rounding is unknown are distinguished in steps of one by this."""


def _parts(row: Sequence[float], moduli: Sequence[int]) -> int:
    """Returns the denominator in which a coordinate is counted: 1 where every rounding is known."""
    periods = moduli or (1,) * len(row)
    whole = all(factor * period == int(factor * period) for factor, period in zip(row, periods, strict=True))
    return 1 if whole else FRACTIONS


Moves = Sequence[tuple[int, Sequence[float]]]
"""How many positions, and how far apart they are in each coordinate."""
FAR = 1 << 20


def _whole_places(offsets: Sequence[tuple[float, ...]], axes: Moves) -> int:
    """Returns the number of places when all steps are whole numbers; each place is encoded as one number."""
    weights = [FAR**k for k in range(len(offsets[0]))]
    places = {sum([math.floor(x + 1e-6) * w for x, w in zip(offset, weights, strict=True)]) for offset in offsets}
    for number, moves in axes:
        step = sum([int(move) * w for move, w in zip(moves, weights, strict=True)])
        places = {place + k * step for place in places for k in range(number)}
    return len(places)


def _places(offsets: Sequence[tuple[float, ...]], axes: Moves) -> set[tuple[int, ...]]:
    """The coordinates that offsets and positions lead to."""
    places: list[tuple[float, ...]] = list(offsets)
    for number, moves in axes:
        places = [
            tuple([x + k * m for x, m in zip(place, moves, strict=True)]) for place in places for k in range(number)
        ]
    return {tuple([math.floor(x + 1e-6) for x in place]) for place in places}


def period_of(modulus: int, size: int) -> int:
    """Returns the modulus of which a loop with steps of `size` visits multiples only, 1 if there is none."""
    return modulus if size % modulus == 0 else 1


def depends(access: Access, dim: int | None) -> bool:
    """Returns whether the place of an access changes with loop `dim`."""
    if dim is None:
        return False
    if any([dim in loops for loops in access.values]):
        return True
    return any([not access.values if row is None else row[dim] != 0 for row in access.jacobian])


def varies(access: Access, dim: int, apart: int) -> bool:
    """Whether positions that are `apart` along loop `dim` are at a distance that is not constant."""
    if any([dim in loops for loops in access.values]):
        return True
    affine = [row for row in access.jacobian if row is not None]
    if len(affine) < len(access.jacobian) and not access.values:
        return True
    return any([row[dim] * apart != int(row[dim] * apart) for row in affine])


def is_quotient(stride: float) -> bool:
    """Whether lanes lie as those of an integer divided by a constant; factors in float32 are not so exact."""
    return abs(stride - Fraction(stride).limit_denominator(MAX_DIVISOR)) < MAX_ROUNDING
