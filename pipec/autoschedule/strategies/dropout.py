"""Random plans of all qualities: greedy decisions of which some are dropped at random (Adams et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.space.plan import Plan
from pipec.autoschedule.strategies.search_state import Found, Options


def dropout(found: Found, options: Options) -> Iterator[None]:
    """One random plan after the other; the caller's budget may end it before all samples are made."""
    for _ in range(options.samples):
        random_plan(found, options.dropout)
        yield


def random_plan(found: Found, dropout: float) -> Plan:
    """Decide every Func by the cheapest of its children that is not dropped.

    `dropout` is the chance that nothing at all is dropped: 1 gives the greedy plan.
    """
    free = found.space.decided()
    keep = dropout ** (1 / max(1, len(free)))
    plan = found.start
    for func in free:
        options = found.space.children(plan, func)
        if found.rng.random() < keep:
            plan = found.ranked(options)[0][1]
        else:
            plan = found.rng.choice(options)
    return plan


def random_mutant(found: Found, plan: Plan, changes: int) -> Plan:
    """The plan after some random small changes."""
    for _ in range(changes):
        plan = found.space.mutated(plan, found.rng)
    return plan
