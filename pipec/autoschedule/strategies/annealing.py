"""Simulated annealing: chains of random small changes, of which cheaper states are accepted always, others at times.

As AutoTVM searches by its cost model (Chen et al., "Learning to Optimize Tensor Programs", NeurIPS 2018): many chains
at once, so that the states of a step are evaluated together. A cycle cools from the first temperature to the last; the
next begins at the best states of all.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.strategies.beam import one_pass
from pipec.autoschedule.strategies.deciding import MIN_GAIN
from pipec.autoschedule.strategies.search_state import Options, SearchState

CHAINS, STEPS = 12, 60
TEMPERATURES = (0.3, 0.01)
"""At the first and the last step of a cycle: a state whose cost is greater by this factor of e is accepted with the
probability 1/e."""


def annealing(search: SearchState, options: Options) -> Iterator[None]:
    """One cycle after the other, until so many as `options.patience` have found nothing cheaper."""
    yield from one_pass(search, options)
    failed = 0
    while failed < options.patience:
        before = search.best[0][0]
        starts = [state for _, state in search.best]
        # Half of the chains begin at the best state, the others at those after it.
        chains = [starts[max(0, k - CHAINS // 2) % len(starts)] for k in range(CHAINS)]
        costs = search.costs(chains)
        for step in range(STEPS):
            temperature = TEMPERATURES[0] * (TEMPERATURES[1] / TEMPERATURES[0]) ** (step / (STEPS - 1))
            moved = [search.space.mutated(state, search.rng) for state in chains]
            for k, (state, cost) in enumerate(zip(moved, search.costs(moved), strict=True)):
                if cost <= costs[k] or search.rng.random() < (costs[k] / cost) ** (1 / temperature):
                    chains[k], costs[k] = state, cost
            yield
        failed = 0 if search.best[0][0] < before * MIN_GAIN else failed + 1
