"""The recipes of the cookbook compute what their algorithms say."""

from __future__ import annotations

import numpy as np
import pytest

from bench.cookbook import OUTPUT_SIZES, at_root, prepared, recipes

RECIPES = recipes()


def test_output_sizes_are_those_of_recipes() -> None:
    assert OUTPUT_SIZES.keys() <= RECIPES.keys()


@pytest.mark.part(2)
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_changes_no_pixel(name: str) -> None:
    algorithm, schedule = RECIPES[name]
    results = []
    for way in (at_root, schedule):
        call, output = prepared(name, algorithm, way, 80)
        call()
        results.append(np.array(output))
    assert np.allclose(*results) and results[0].any()
