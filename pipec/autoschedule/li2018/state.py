"""The state that Li2018's rules choose.

What is cheap is inlined; everything else is computed at root, in vectors along its first long dimension and in parallel
along the others. Sums that a pure definition reads are computed in its tiles, in registers. Updates of few elements are
reduced in parts, scatters into a copy for each thread or atomically.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from pipec.autoschedule.dag.dag import TYPE_CLASSES, Access, Dag, FuncInfo, Operation, StageInfo
from pipec.autoschedule.li2018.reductions import (
    MIN_WORK,
    Method,
    Methods,
    pure_dimensions,
    reductions,
    short_dimension,
)
from pipec.autoschedule.li2018.rewriting import Rewritten, vector_lanes
from pipec.autoschedule.rfactor.definitions import intermediate
from pipec.autoschedule.space.cpu.nests import default_nest, default_nests, default_order, parallel_cut
from pipec.autoschedule.space.edits import at, root
from pipec.autoschedule.space.state import FULL, INLINED, Factoring, FuncPlacement, Nest, NestLevel, State
from pipec.records import dataclass, field, replace
from pipec.schedule.fields import StageRef

MAX_INLINED_OPERATIONS = 8
"""A Func of so few operations is computed wherever it is read."""
MAX_INLINED_EVALUATIONS = 64
"""A Func of which a point evaluates more definitions and loads is stored. OPERATIONS do not count those of integers."""
OPERATIONS = {
    Operation.ADD: 1,
    Operation.MULTIPLY: 1,
    Operation.DIVIDE: 8,
    Operation.COMPARE: 1,
    Operation.CAST: 1,
    Operation.TRANSCENDENTAL: 4,
    Operation.OTHER: 4,
}
"""What operations on floats cost, in additions of vectors."""
ROWS = 4
"""Sums of so many rows are computed together, since they share what they read."""
MAX_UNROLLED_OPERATIONS = 256
"""The loops of sums are unrolled up to so many operations: what does not change from row to row is computed once."""
MAX_SUMS_IN_REGISTERS = 25
"""Vectors that hold sums; the other registers hold what is added to them."""
FLOATS = slice(TYPE_CLASSES.index("float16"), None)

# For each dimension of a sum, the dimension of its reader along which it moves.
Shifts = Mapping[int, int]


def state_of(dag: Dag, rewritten: Rewritten, methods: Methods) -> State:
    """The state of a pipeline whose updates were factored as `methods` say."""
    return _Rules(dag, rewritten, methods).state()


@dataclass
class _Rules:
    dag: Dag
    rewritten: Rewritten
    methods: Methods
    inlined: set[str] = field(default_factory=set)
    placements: dict[str, FuncPlacement] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # By the names of the Funcs of partial results.
        self.partial = {intermediate(StageRef(*stage)): method for stage, method in self.methods.items() if method[1]}

    def state(self) -> State:
        for name, func in reversed(list(self.dag.funcs.items())):
            if func.inlinable and (func.must_inline or self._is_inlined(func)):
                self.inlined.add(name)
        for name, func in self.dag.funcs.items():
            if name in self.inlined:
                self.placements[name] = INLINED
            elif name not in self.placements:
                self.placements[name] = self._at_root(func)
        factorings = [factoring for _, parts in self.methods.values() for factoring in parts]
        return State({name: self.placements[name] for name in self.dag.funcs}, tuple(factorings))

    # Inlining

    def _is_inlined(self, func: FuncInfo) -> bool:
        """Whether a Func is cheap, or read at one place for each of its points."""
        sums = self._sums_of(func)
        if self._evaluations(func.stages[0]) > MAX_INLINED_EVALUATIONS:
            return False
        if self._operations(func.stages[0]) <= MAX_INLINED_OPERATIONS and not sums:
            return True
        reads = [
            math.prod([loop.extent for loop in stage.loops])
            for stage, load in self._loads_of(func)
            for _ in load.offsets or range(load.count)
        ]
        once = len(reads) == 1 and reads[0] <= 1.25 * math.prod(func.extent)
        return once and (not sums or all(self._only_shifts(stage, load) for stage, load in self._loads_of(func)))

    def _loads_of(self, func: FuncInfo) -> list[tuple[StageInfo, Access]]:
        stages = [self.dag.funcs[name].stages[number] for name, number in self.dag.consumers[func.name]]
        return [(stage, load) for stage in stages for load in stage.loads if load.name == func.name]

    @staticmethod
    def _only_shifts(stage: StageInfo, load: Access) -> bool:
        """Whether a pure definition reads at its own coordinates plus constants."""
        moved = _shifts(load)
        return stage.number == 0 and not load.boundary and len(moved) == len(load.jacobian) == len(set(moved.values()))

    def _sums_of(self, func: FuncInfo) -> dict[str, Shifts]:
        """The sums that the pure definition of a Func reads, also those that inlined Funcs read."""
        sums: dict[str, Shifts] = {}
        for load in func.stages[0].loads:
            moved = _shifts(load)
            if load.name in self.rewritten.sums and not self.dag.funcs[load.name].fixed:
                sums[load.name] = moved
            elif load.name in self.inlined:
                for name, inner in self._sums_of(self.dag.funcs[load.name]).items():
                    sums[name] = {d: moved[own] for d, own in inner.items() if own in moved}
        return sums

    def _operations(self, stage: StageInfo) -> int:
        """The cost of one point of a stage, with the inlined Funcs that it reads."""
        total = sum(weight * sum(stage.operations[kind][FLOATS]) for kind, weight in OPERATIONS.items())
        inlined = [load for load in stage.loads if load.name in self.inlined]
        return total + sum(load.count * self._operations(self.dag.funcs[load.name].stages[0]) for load in inlined)

    def _evaluations(self, stage: StageInfo) -> int:
        """The definitions and loads that one point of a stage evaluates, with the inlined Funcs that it reads."""
        funcs, inlined = self.dag.funcs, self.inlined
        return 1 + sum(
            load.count * (self._evaluations(funcs[load.name].stages[0]) if load.name in inlined else 1)
            for load in stage.loads
        )

    # Loops

    def _at_root(self, func: FuncInfo) -> FuncPlacement:
        if func.fixed or func.extern:
            return root(default_nests(self.dag, func, root=True))
        if func.name in self.partial:
            return self._partial(func, *self.partial[func.name])
        rest = [self._update(func, stage) for stage in func.stages[1:]]
        tiled = self._tile(func, self._sums_of(func))
        return root((tiled or self._spread(func, func.stages[0]), *rest))

    def _spread(self, func: FuncInfo, stage: StageInfo, outer_reduction: bool | None = None) -> Nest:
        """Vectors along the first dimension that is long enough, threads along the others."""
        lanes = vector_lanes(self.dag, func)
        vector = next((d for d in pure_dimensions(stage, func) if stage.loops[d].extent >= lanes), None)
        much = math.prod([loop.extent for loop in stage.loops]) >= MIN_WORK
        return default_nest(self.dag, func, stage, root=much, vector=vector, outer_reduction=outer_reduction)

    def _tile(self, func: FuncInfo, sums: Mapping[str, Shifts]) -> Nest | None:
        """Small tiles in which `sums` are computed in registers; None when no dimension is long enough."""
        sums = {name: moved for name, moved in sums.items() if self._readers(name) == {(func.name, 0)}}
        stage, lanes = func.stages[0], vector_lanes(self.dag, func)
        long = [d for d, loop in enumerate(stage.loops) if loop.extent >= lanes]
        if not sums or not long:
            return None
        block = {long[0]: lanes}
        rows = [d for d, loop in enumerate(stage.loops) if d != long[0] and loop.extent >= 4 * ROWS]
        if rows:
            block[rows[0]] = ROWS
        nest = _nest(self.dag, stage, block, long[0], lanes, threads=True)
        for name, moved in sums.items():
            work = self._constant_work(self.dag.funcs[name].stages[1])
            self.placements[name] = self._in_tile(name, func, nest, block, moved, work)
        return nest

    def _readers(self, name: str) -> set[tuple[str, int]]:
        """The stages that read a Func, those of inlined Funcs replaced by the stages that read these."""
        readers = self.dag.consumers[name]
        return {r for reader in readers for r in (self._readers(reader[0]) if reader[0] in self.inlined else {reader})}

    def _in_tile(
        self, name: str, host: FuncInfo, nest: Nest, block: Mapping[int, int], moved: Shifts, work: int | None
    ) -> FuncPlacement:
        """A sum for one tile of `host`, all of its elements in registers."""
        info, whole = self.dag.funcs[name], {d: block[own] for d, own in moved.items() if own in block}
        vector = next((d for d, own in moved.items() if own == nest.vector), None)
        points = math.prod(whole.values()) // (nest.lanes if vector is not None else 1)
        unrolled = work is not None and work * points <= MAX_UNROLLED_OPERATIONS
        nests = []
        for stage in info.stages:
            loops = [d for d, loop in enumerate(stage.loops) if loop.reduction] if unrolled else []
            block_of_stage = {**whole, **dict.fromkeys(loops, FULL)}
            lanes = nest.lanes if vector is not None else 1
            nests.append(_nest(self.dag, stage, block_of_stage, vector, lanes))
        return at(NestLevel(host.name, 0, len(nest.tiles) - 1), tuple(nests))

    def _constant_work(self, stage: StageInfo) -> int | None:
        """The operations of all iterations of a stage's RVars; None when their number is not constant."""
        loops = [loop for loop in stage.loops if loop.reduction]
        if not all(loop.constant for loop in loops):
            return None
        return self._operations(stage) * math.prod([loop.extent for loop in loops])

    # Updates

    def _update(self, func: FuncInfo, stage: StageInfo) -> Nest:
        merged = self._merged(stage)
        loops = reductions(stage, self.rewritten.merged)
        method = self.methods.get((func.name, stage.number), (Method.LOOPS, ()))
        if method[1]:
            return self._spread(func, stage)
        if method[0] is Method.ATOMIC and stage.atomic:
            return _nest(self.dag, stage, merged, None, 1, parallel=loops[-1:], atomic=True)
        if method[0] is Method.ELEMENTS:
            pure = pure_dimensions(stage, func)
            return self._values_in_vectors(func, stage, loops, pure[-1:] if self.dag.threads > 1 else [])
        # Reductions of one iteration, as of the border of an image, may well have none.
        once = math.prod([stage.loops[d].extent for d in loops]) == 1 and bool(loops)
        nest = self._spread(func, stage, outer_reduction=once if once or stage.associative else None)
        work = self._constant_work(stage) if merged else None
        if work is not None and work <= MAX_UNROLLED_OPERATIONS and not once:
            merged = dict.fromkeys((*merged, *loops), FULL)
        return _with_block(nest, merged)

    def _merged(self, stage: StageInfo) -> dict[int, int]:
        """The loops that number merged updates, which are always unrolled."""
        return {d: FULL for d, loop in enumerate(stage.loops) if loop.name in self.rewritten.merged}

    def _values_in_vectors(
        self, func: FuncInfo, stage: StageInfo, loops: Sequence[int], parallel: Sequence[int]
    ) -> Nest:
        """Places and values of a scatter as vectors along the innermost RVar, where it is long enough."""
        lanes, merged = vector_lanes(self.dag, func), self._merged(stage)
        if stage.loops[loops[0]].extent < lanes or not stage.atomic:
            return _nest(self.dag, stage, merged, None, 1, parallel=parallel)
        return _nest(self.dag, stage, {loops[0]: lanes, **merged}, loops[0], lanes, parallel=parallel, atomic=True)

    def _partial(self, func: FuncInfo, method: Method, factorings: Sequence[Factoring]) -> FuncPlacement:
        """The intermediate Func of a factored update."""
        start, update = func.stages
        new = {f.inner: func.arguments.index(f"{f.rvar}$strip") for f in factorings}
        parallel = [new[False]] if self.dag.threads > 1 else []
        if method is Method.LANES and True not in new:
            return root((self._spread(func, start), _with_block(self._spread(func, update), self._merged(update))))
        if method is Method.COPIES:
            loops = reductions(update, self.rewritten.merged)
            return root((self._spread(func, start), self._values_in_vectors(func, update, loops, parallel)))
        if method is Method.LANES:
            vector, lanes = new[True], func.extent[new[True]]
            block, last = {vector: lanes, **self._in_registers(func, update, new.values())}, []
        else:
            short = short_dimension(update, func)
            assert short is not None
            constant, last = func.settled(update, vector := short), [new[False]]
            lanes = func.extent[vector] if constant else 1 << (func.extent[vector] - 1).bit_length()
            block = {vector: FULL if constant else lanes}
        nests = [
            _nest(self.dag, stage, {**block, **self._merged(stage)}, vector, lanes, parallel=parallel)
            for stage in func.stages
        ]
        others = [d for d in range(len(func.arguments)) if d not in (vector, *last)]
        return replace(root(tuple(nests)), storage=(vector, *others, *last))

    def _in_registers(self, func: FuncInfo, update: StageInfo, new: Collection[int]) -> dict[int, int]:
        """The first dimensions of constant extent whose sums all fit into registers."""
        block, size = {}, 1
        for d in pure_dimensions(update, func):
            if d in new:
                continue
            size *= func.extent[d]
            if size > MAX_SUMS_IN_REGISTERS or not func.settled(update, d):
                break
            block[d] = FULL
        return block


def _shifts(load: Access) -> dict[int, int]:
    """The coordinates that are a loop variable plus a constant, each with the number of that loop."""
    moved = {}
    for d, row in enumerate(load.jacobian):
        used = [j for j, factor in enumerate(row or ()) if factor]
        if row is not None and len(used) == 1 and row[used[0]] == 1:
            moved[d] = used[0]
    return moved


def _nest(
    dag: Dag,
    stage: StageInfo,
    block: Mapping[int, int],
    vector: int | None,
    lanes: int,
    *,
    threads: bool = False,
    parallel: Sequence[int] = (),
    atomic: bool = False,
) -> Nest:
    """Loops over blocks, RVars inside all others. `parallel`: dimensions that threads divide; `threads`: as usual."""
    count = len(stage.loops)
    inner = tuple(sorted(block, key=lambda d: (d != vector, d)))
    order = default_order(stage, inner, False)
    innermost = tuple([block.get(d, 1) for d in range(count)])
    tiles = [innermost]
    if any(loop.reduction for loop in stage.loops):
        tiles.insert(0, tuple([FULL if loop.reduction else innermost[d] for d, loop in enumerate(stage.loops)]))
    strip = tuple([innermost[d] if d in parallel else FULL for d in range(count)])
    if threads:
        sizes = [loop.extent for loop in stage.loops]
        parallel, strip = parallel_cut(dag, stage, sizes, order, innermost, outer_reduction=False)
    if parallel:
        tiles.insert(0, strip)
    return Nest(tuple(dict.fromkeys(tiles)), order, vector, lanes, tuple(parallel), atomic)


def _with_block(nest: Nest, block: Mapping[int, int]) -> Nest:
    """The nest with whole dimensions in its block."""
    tiles = tuple([tuple([block.get(d, size) for d, size in enumerate(tile)]) for tile in nest.tiles])
    inner = [d for d in nest.order if d in block]
    first = [d for d in nest.order[:1] if d == nest.vector]
    rest = [d for d in nest.order if d not in first and d not in inner]
    return replace(nest, tiles=tuple(dict.fromkeys(tiles)), order=(*first, *inner, *rest))
