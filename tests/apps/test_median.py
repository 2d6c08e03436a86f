"""The networks of the median filter."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from apps import median


@pytest.mark.parametrize("count", range(1, 12))
def test_sorting_networks_sort_all_zeros_and_ones(count: int) -> None:
    values = np.array(list(product([0, 1], repeat=count))).T
    wires = median.apply(median.sorting_network(count), list(values), np.minimum, np.maximum)
    assert np.array_equal(wires, np.sort(values, axis=0))


def test_the_selection_network_finds_the_median_of_sorted_columns() -> None:
    dice = random.Random(0)
    for _ in range(200):
        columns = [sorted(dice.choices(range(9), k=median.SIDE)) for _ in range(median.SIDE)]
        window = [value for column in columns for value in column]
        got = median.apply(median.selection_network(), window, min, max)
        assert got[median.MIDDLE] == sorted(window)[median.MIDDLE]


def test_no_exchange_of_the_selection_network_can_be_left_out() -> None:
    network = median.selection_network()
    assert median.selects_median(network) and len(network) < 60
    assert not any(median.selects_median((*network[:i], *network[i + 1 :])) for i in range(len(network)))
