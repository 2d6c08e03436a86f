"""Random programs under the schedules that quick searches of all strategies find keep their pixels."""

from __future__ import annotations

import random

import numpy as np

import pipec
from pipec.autoschedule.problem import Problem
from pipec.autoschedule.strategies import FOR_CPU
from pipec.autoschedule.strategies.search_state import Options
from pipec.errors import UnboundedError
from tests.fuzz.case import Case
from tests.fuzz.extern_library import load_extern_functions
from tests.fuzz.programs.builder import Builder
from tests.fuzz.runs import compare, prepare, reference, uses_extern
from tests.fuzz.states import ESTIMATES

# Partial sums of floats in another order.
TOLERANCE = 1e-4


def strategy_of(order: int) -> str:
    """The strategy of a case; those that search take most of them."""
    weights = [1 if name in ("fallback", "li2018") else 3 for name in FOR_CPU]
    return random.Random(order).choices(FOR_CPU, weights)[0]


def check_search(case: Case) -> None:
    """Raises when a schedule that the search finds is refused, or changes what the program computes."""
    # Each state must compile itself: no other one is taken in its place, and it is lowered once.
    Problem.lower = lambda problem, schedule: None  # type: ignore[method-assign]
    if uses_extern(case):
        load_extern_functions()
    r = random.Random(case.order)
    prepared, built = prepare(case), Builder(pipec, case.recipe)
    sizes = [n for _, n in case.box] if r.random() < 0.5 else [r.choice(ESTIMATES) for _ in case.box]
    options = Options(
        beam=2, rounds=1, refined=1, patience=1, states=r.choice([30, 100, 300]), samples=3, seed=case.order
    )
    pipeline = pipec.Pipeline(built.outputs)
    try:
        pipeline.autoschedule(
            sizes=sizes,
            strategy=strategy_of(case.order),
            options=options,
            search_seconds=60,
            threads=2,
            verify=False,
            verbose=False,
        )
    except UnboundedError:
        return
    for variant in case.variants():
        if any(low for low, _ in variant.box):
            continue
        built.set_inputs(variant.recipe)
        results = pipeline.realize([n for _, n in variant.box])
        results = list(results) if isinstance(results, tuple | list) else [results]
        expected = reference(prepared, variant)
        arrays = [np.asarray(result).T for result in results]
        what = f"{strategy_of(case.order)} for {variant.box}"
        compare(what, dict(zip(expected, arrays, strict=True)), expected, TOLERANCE)
