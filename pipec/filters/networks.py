"""Networks of exchanges that sort a few values, or bring the median of a square window to its middle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np

Network = tuple[tuple[int, int], ...]  # pairs of places: the smaller value goes to the first, the larger to the second


def sorting_network(count: int) -> Network:
    """Returns Batcher's odd-even merge sort of so many values."""
    pairs = []
    size = 1
    while size < count:
        step = size
        while step:
            for start in range(step % size, count - step, 2 * step):
                for i in range(start, min(start + step, count - step)):
                    if i // (2 * size) == (i + step) // (2 * size):
                        pairs.append((i, i + step))
            step //= 2
        size *= 2
    return tuple(pairs)


def exchange(network: Network, values: Sequence[Any], smaller: Callable[..., Any], larger: Callable[..., Any]) -> Any:
    """Returns the list of values after all exchanges."""
    wires = list(values)
    for low, high in network:
        wires[low], wires[high] = smaller(wires[low], wires[high]), larger(wires[low], wires[high])
    return wires


@cache
def median_network(side: int) -> Network:
    """Returns a network that brings the median of a window to its middle; its columns are sorted, one after the other.

    The rows are sorted first. Then (i + 1) (j + 1) - 1 others are known to be no larger than the element in row i and
    column j, and likewise on the other side; those that may be the median are sorted. Exchanges that no input needs
    are left out: by the zero-one principle all columns of zeros and ones tell which.
    """
    middle = side * side // 2
    rows = [(low * side + row, high * side + row) for row, (low, high) in product(range(side), sorting_network(side))]
    few = [
        column * side + row
        for row, column in product(range(side), repeat=2)
        if max((row + 1) * (column + 1), (side - row) * (side - column)) <= middle + 1
    ]
    few.sort(key=lambda place: (place // side + place % side, place))
    network = (*rows, *((few[low], few[high]) for low, high in sorting_network(len(few))))
    assert few[len(few) // 2] == middle
    for candidate in reversed(network):
        shorter = tuple(other for other in network if other is not candidate)
        if selects_median(shorter, side):
            network = shorter
    return network


def selects_median(network: Network, side: int) -> bool:
    """Returns whether the middle holds the median for all windows of zeros and ones with sorted columns."""
    ones = np.array(list(product(range(side + 1), repeat=side)))
    windows = np.arange(side) >= side - ones[..., None]
    middle = exchange(network, list(windows.reshape(len(ones), -1).T), np.logical_and, np.logical_or)[side * side // 2]
    return bool(np.array_equal(middle, ones.sum(1) > side * side // 2))
