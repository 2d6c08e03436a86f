"""Networks that sort and that select the median."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from pipec.filters.networks import exchange, median_network, selects_median, sorting_network

SIDE = 5


@pytest.mark.parametrize("count", range(1, 12))
def test_sorting_networks_sort_all_zeros_and_ones(count: int) -> None:
    values = np.array(list(product([0, 1], repeat=count))).T
    wires = exchange(sorting_network(count), list(values), np.minimum, np.maximum)
    assert np.array_equal(wires, np.sort(values, axis=0))


def test_the_selection_network_finds_the_median_of_sorted_columns() -> None:
    dice = random.Random(0)
    for _ in range(200):
        columns = [sorted(dice.choices(range(9), k=SIDE)) for _ in range(SIDE)]
        window = [value for column in columns for value in column]
        got = exchange(median_network(SIDE), window, min, max)
        assert got[SIDE * SIDE // 2] == sorted(window)[SIDE * SIDE // 2]


def test_no_exchange_of_the_selection_network_can_be_left_out() -> None:
    network = median_network(SIDE)
    assert selects_median(network, SIDE) and len(network) < 60
    assert not any(selects_median((*network[:i], *network[i + 1 :]), SIDE) for i in range(len(network)))
