"""fold_storage: dimensions stored in rings, by the factors of the schedule."""

from __future__ import annotations

from typing import Any

import pipec as hl
from apps.registry import APPS
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.build import constant
from pipec.lower.lower import make_plan


def test_factors_grow_with_the_windows_of_exact_tails() -> None:
    """Without alignment of bounds the windows of camera_pipe are larger than the fold factor 2 of its schedule."""
    app = APPS["camera_pipe"]
    algorithm: Any = app.build(hl)
    app.schedule(hl, algorithm)
    functions = [algorithm.output.function]
    definition, schedule = freeze(functions)[0], schedule_of(functions)
    factors = []
    for exact_tails in (False, True):
        funcs = make_plan(definition, schedule, exact_tails).funcs.values()
        factors += [func.folds[1] for func in funcs if func.definition.name.startswith("green_at_red")]
    assert [constant(factor) for factor in factors if factor is not None] == [4, 4]
