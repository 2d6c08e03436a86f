"""Random legal states over the whole space: to try emission with, and data about schedules that nobody would choose."""

from __future__ import annotations

from random import Random

from pipec.autoschedule.dag.dag import Dag, FuncInfo, StageInfo
from pipec.autoschedule.emit.loops import ranges_over
from pipec.autoschedule.space.cpu.legality import may_stream, problem_of
from pipec.autoschedule.space.cpu.variations import interleavings
from pipec.autoschedule.space.legalize import common_path, parallel_depth
from pipec.autoschedule.space.state import FULL, INLINED, ROOT_STORE, FuncPlacement, Nest, NestLevel, State, Where

MAX_INLINED = 64
"""Loads of a point that inlining may lead to."""
ATTEMPTS = 20


def random_state(dag: Dag, rng: Random) -> State:
    """A complete state without problems."""
    chosen: dict[str, FuncPlacement] = {}
    weights: dict[str, int] = {}
    bias = rng.choice([0.1, 0.4, 0.8]), rng.choice([0.1, 0.4, 0.8])
    for func in dag.funcs.values():
        weights[func.name] = _evaluations(dag, chosen, weights, func)
        for _ in range(ATTEMPTS):
            chosen[func.name] = _placement(dag, chosen, func, weights[func.name], bias, rng)
            if problem_of(dag, _completed(dag, chosen), func) is None:
                break
        else:
            chosen[func.name] = _plain(func)
    return State(chosen)


def _completed(dag: Dag, chosen: dict[str, FuncPlacement]) -> State:
    """A state for a Func whose consumers have their places; those without are producers, so they do not count."""
    return State({**dict.fromkeys(dag.funcs, INLINED), **chosen})


def _evaluations(dag: Dag, chosen: dict[str, FuncPlacement], weights: dict[str, int], func: FuncInfo) -> int:
    """Returns how often a point of a consumer's nest evaluates the Func when it is inlined."""
    total = 0
    for reader, number in dag.consumers[func.name]:
        loads = sum(load.count for load in dag.funcs[reader].stages[number].loads if load.name == func.name)
        total += loads * (weights[reader] if chosen[reader].where is Where.INLINE else 1)
    return max(1, total)


def _plain(func: FuncInfo) -> FuncPlacement:
    nests = []
    for stage in func.stages:
        count = len(stage.loops)
        nests.append(Nest(((1,) * count,), _defined_order(stage)))
    return FuncPlacement(Where.ROOT, nests=tuple(nests))


def _placement(
    dag: Dag, chosen: dict[str, FuncPlacement], func: FuncInfo, evaluations: int, bias: tuple[float, float], rng: Random
) -> FuncPlacement:
    if func.inlinable and (func.must_inline or (evaluations <= MAX_INLINED and rng.random() < bias[0])):
        return INLINED
    state = _completed(dag, chosen)
    path = common_path(dag, state, func.name)
    storage = tuple(rng.sample(range(len(func.arguments)), len(func.arguments))) if rng.random() < 0.2 else ()
    if func.output or not path or rng.random() < bias[1]:
        nests = tuple([_nest(dag, stage, True, rng) for stage in func.stages])
        streamed = may_stream(dag, func) and rng.random() < 0.1
        return FuncPlacement(Where.ROOT, nests=nests, storage=storage, streamed=streamed)
    at = rng.randrange(len(path))
    store: NestLevel | None = None
    if rng.random() < 0.5:
        outer = list(path[:at])
        if not parallel_depth(state, path):
            outer.append(ROOT_STORE)
        store = rng.choice(outer) if outer else None
    nests = tuple([_nest(dag, stage, False, rng) for stage in func.stages])
    return FuncPlacement(Where.AT, path[at], store, nests, storage)


def _defined_order(stage: StageInfo) -> tuple[int, ...]:
    dims = range(len(stage.loops))
    return (*[d for d in dims if stage.loops[d].reduction], *[d for d in dims if not stage.loops[d].reduction])


def _order(stage: StageInfo, rng: Random) -> tuple[int, ...]:
    """Any order that keeps the loops that depend on each other as they are."""
    order = list(range(len(stage.loops)))
    if rng.random() < 0.7:
        rng.shuffle(order)
    places = [at for at, d in enumerate(order) if not stage.loops[d].reorderable]
    for at, d in zip(places, sorted([order[p] for p in places]), strict=True):
        order[at] = d
    return tuple(order)


def _nest(dag: Dag, stage: StageInfo, root: bool, rng: Random) -> Nest:
    loops = stage.loops
    dims = [d for d in range(len(loops)) if ranges_over(stage, d)]
    vector, atomic = None, stage.atomic and rng.random() < 0.4
    if dims and rng.random() < 0.8:
        allowed = [d for d in dims if loops[d].parallel or atomic]
        vector = rng.choice(allowed) if allowed else None
    lanes = rng.choice([2, 4, 8, 16, 32]) if vector is not None else 1
    tiles = [tuple([_block(d, loops[d].extent, d == vector, lanes, rng) for d in range(len(loops))])]
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        tiles.insert(0, tuple([_around(size, rng) for size in tiles[0]]))
    parallel: tuple[int, ...] = ()
    if root:
        allowed = [d for d in dims if tiles[0][d] != FULL and (loops[d].parallel or atomic)]
        parallel = tuple(rng.sample(allowed, rng.randint(0, min(2, len(allowed)))))
    if vector is None:
        lanes = 1
    nest = Nest(tuple(tiles), _order(stage, rng), vector, lanes, parallel, atomic)
    others = list(interleavings(stage, nest))
    return rng.choice(others)[0] if others and rng.random() < 0.5 else nest


def _block(dim: int, extent: int, vector: bool, lanes: int, rng: Random) -> int:
    if vector:
        return rng.choice([lanes, lanes, lanes, 2 * lanes, 3 * lanes, FULL])
    if extent <= 4 and rng.random() < 0.6:
        return FULL
    return rng.choice([1, 1, 1, 1, 2, 3, 4, FULL if extent <= 16 else 1])


def _around(size: int, rng: Random) -> int:
    """The size of a tile around tiles of that size."""
    if size == FULL or rng.random() < 0.35:
        return FULL
    return size * rng.choice([1, 1, 2, 3, 5, 8]) + rng.choice([0, 0, 0, 1])
