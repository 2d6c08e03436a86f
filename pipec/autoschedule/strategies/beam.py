"""Beam search: Funcs are decided one after the other, readers first; then the best plans are refined.

After Adams et al., "Learning to optimize Halide with tree search and random programs" (SIGGRAPH 2019). Unlike there
every state is a complete plan, so prices of undecided Funcs are those of a real program rather than hopes.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipec.autoschedule.moves import children
from pipec.autoschedule.plan import Plan
from pipec.autoschedule.strategies.found import Found, Options
from pipec.autoschedule.strategies.local import refine

PER_CLASS = 3
"""At most so many plans of the beam differ in sizes only."""


def beam(found: Found, options: Options) -> Iterator[None]:
    """Offer plans until every Func is decided and no small change makes the best ones cheaper."""
    plans = [found.start]
    found.price(found.start)
    for func, info in found.dag.funcs.items():
        if info.fixed:
            continue
        candidates: dict[Plan, None] = {}
        for plan in plans:
            candidates |= dict.fromkeys(children(found.dag, plan, func))
            if len(candidates) > 64:
                found.prices(list(candidates))
                yield
        plans = diverse(found.ranked(candidates), options.beam)
        yield
    best = [plan for _, plan in found.best[: options.refined]]
    for plan in best:
        yield from refine(found, plan, options)


def diverse(ranked: list[tuple[float, Plan]], width: int) -> list[Plan]:
    """The first `width` plans, not too many of them alike; at least one."""
    classes: dict[int, int] = {}
    kept: list[Plan] = []
    for _, plan in ranked:
        if len(kept) >= width:
            break
        shape = structure(plan)
        if classes.get(shape, 0) < PER_CLASS:
            classes[shape] = classes.get(shape, 0) + 1
            kept.append(plan)
    return kept


def structure(plan: Plan) -> int:
    """A hash of where everything is computed and stored, whatever the sizes of tiles."""
    return hash(
        tuple(
            [
                (name, p.where.value, p.compute, p.store, tuple([(len(nest.tiles), nest.vector) for nest in p.nests]))
                for name, p in plan.placements.items()
            ]
        )
    )
