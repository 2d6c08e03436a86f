"""Rows of features of one group: its tree of loops, the blocks in them and the memory they touch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pipec.autoschedule.block import COUNTS, Block, BlockMaker, Shape
from pipec.autoschedule.cost.machine import Machine
from pipec.autoschedule.dag import Dag, StageInfo
from pipec.autoschedule.features import StageFeatures
from pipec.autoschedule.inlining import Inlining
from pipec.autoschedule.plan import Nest, Placement
from pipec.autoschedule.regions import Box, Need
from pipec.autoschedule.traffic import Array, Cache, Footprints, Known
from pipec.autoschedule.tree import Member, StageLoops, StageName, absorbed

STREAMED_FROM = 32 << 20
STACK_BYTES = 16 << 10
MOST_STALLS = 5
NODES = 1.6  # nodes of an expression for each instruction
FILL = 0.8  # of a cache that is taken to be of use
RESERVED_REGISTERS = 2
Operations = tuple[float, ...]


class View(NamedTuple):
    """A stage with Funcs inlined, made ready."""

    info: StageInfo
    needs: Mapping[str, Need]
    maker: BlockMaker
    operations: Operations
    blocks: dict[Shape, Block]
    footprints: Known


class Group(NamedTuple):
    names: list[StageName]
    features: list[StageFeatures]
    operations: list[Operations]


class Rows:
    """Makes the rows of groups; what depends on single stages only is kept."""

    def __init__(self, dag: Dag, machine: Machine) -> None:
        self.dag, self.machine = dag, machine
        self.inlining = Inlining(dag)
        self.caches = (
            Cache(machine.l1, FILL * machine.l1, machine.l1_ways),
            Cache(machine.l2, FILL * machine.l2, machine.l2_ways),
            Cache(machine.l3, FILL * machine.l3, 0),
        )
        self._views: dict[tuple[str, int, frozenset[str], tuple[int, ...]], View] = {}
        self.bytes = {name: tuple([max(t.nbits, 8) // 8 for t in f.types]) for name, f in dag.funcs.items()}
        self.bytes |= {name: (image.bytes_per_point,) for name, image in dag.images.items()}
        self.extents = {name: func.extent for name, func in dag.funcs.items()}
        self.extents |= {name: image.extent for name, image in dag.images.items()}

    def forget(self) -> None:
        self._views.clear()

    def group(
        self, members: Sequence[str], placements: Mapping[str, Placement], into: Mapping[str, frozenset[str]]
    ) -> Group:
        """The rows of a root Func and of all that is computed in its loops (consumers first)."""
        stages: dict[StageName, StageLoops] = {}
        views: dict[StageName, View] = {}
        readers: dict[str, list[StageLoops]] = {name: [] for name in members}
        found: dict[str, Member] = {}
        for name in members:
            func, placement = self.dag.funcs[name], placements[name]
            if placement.compute is None:
                member = Member(func)
            else:
                member = Member.at(func, placement, stages, readers[name])
            found[name] = member
            for number, nest in enumerate(placement.nests):
                view = views[name, number] = self.view(name, number, into[name], placements)
                stage = stages[name, number] = StageLoops(member, view.info, view.needs, nest)
                for load in view.needs:
                    if load in readers and load != name:
                        readers[load].append(stage)
        return self._rows(stages, views, self._arrays(found, views, placements), found)

    def view(self, func: str, number: int, inlined: frozenset[str], placements: Mapping[str, Placement]) -> View:
        plain = self.inlining.stage(func, number, inlined)
        names = [func, *dict.fromkeys(load.name for load in plain.loads)]
        innermost = tuple([_innermost(placements.get(name)) for name in names])
        key = func, number, inlined, innermost
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = self._view(plain, dict(zip(names, innermost, strict=True)), inlined)
        return view

    def _view(self, plain: StageInfo, innermost: Mapping[str, int], inlined: frozenset[str]) -> View:
        dag, func, number = self.dag, plain.func, plain.number
        own = dag.funcs[func].stages[number]
        evaluations = [
            (found, dag.funcs[found.func].stages[0]) for found in self.inlining.evaluations(func, number, inlined)
        ]
        accesses: dict[str, list[object]] = {func: [plain.store, *plain.self_loads]}
        for load in plain.loads:
            accesses.setdefault(load.name, []).append(load)
        sources = {**dag.funcs, **dag.images}
        needs = {name: Need(list(loads), sources[name]) for name, loads in accesses.items()}  # type: ignore[arg-type]
        maker = BlockMaker(self.machine, own, plain, evaluations, self.bytes, innermost)
        operations = tuple([float(n) for row in plain.operations for n in row])
        return View(plain, needs, maker, operations, {}, {})

    def _arrays(
        self, members: Mapping[str, Member], views: Mapping[StageName, View], placements: Mapping[str, Placement]
    ) -> dict[str, Array]:
        arrays = {}
        for name in {name: None for view in views.values() for name in view.needs}:
            size, extents, depth = sum(self.bytes[name]), self.extents[name], -1
            member = members.get(name)
            if member is not None and member.depth:
                extents, depth = member.stored, member.store
            total = float(size * math.prod(extents))
            order = _order(placements.get(name), len(extents))
            arrays[name] = Array(extents, size, order, total, depth)
        return arrays

    def _rows(
        self,
        stages: Mapping[StageName, StageLoops],
        views: Mapping[StageName, View],
        arrays: Mapping[str, Array],
        members: Mapping[str, Member],
    ) -> Group:
        footprints = {name: Footprints(stage, arrays, views[name].footprints) for name, stage in stages.items()}
        sites: dict[tuple[StageName, int], dict[str, float]] = {}
        for prints in footprints.values():
            prints.share(sites)
        rows = []
        for name, stage in stages.items():
            footprints[name].enlarge(sites)
            rows.append(self._row(stage, views[name], footprints[name], arrays, members))
        return Group(list(stages), rows, [views[name].operations for name in stages])

    def _row(
        self,
        stage: StageLoops,
        view: View,
        prints: Footprints,
        arrays: Mapping[str, Array],
        members: Mapping[str, Member],
    ) -> StageFeatures:
        member, nest, machine = stage.member, stage.nest, self.machine
        block, loops = self._block(stage, view)
        overhead = member.overhead
        entries, outer = _runs(stage.iterations[stage.depth] * overhead, loops)
        blocks = entries * (loops[0][1] if loops else 1)
        counts = [blocks * a + entries * b for a, b in zip(block.each, block.once, strict=True)]
        productions = stage.iterations[stage.depth]
        name = member.func.name
        size = arrays[name].bytes
        tasks, launches = _tasks(stage)
        least = math.prod(loop.extent for loop in stage.info.loops)
        streamed = member.func.output and arrays[name].total >= STREAMED_FROM
        l2, l3, dram = (prints.moved(cache, name) for cache in self.caches)
        store = prints.bytes[name][-1]
        spilled = max(0.0, block.registers + RESERVED_REGISTERS - machine.registers)
        stack = member.depth and arrays[name].total <= STACK_BYTES
        atomic = (
            blocks * block.vectors if nest.atomic and any(stage.info.loops[d].reduction for d in nest.parallel) else 0
        )
        return StageFeatures(
            realizations=member.iterations[member.store],
            productions=productions,
            points=blocks * block.points,
            points_least=float(least),
            blocks=blocks,
            block_points=block.points,
            block_vectors=block.vectors,
            lanes=nest.lanes,
            native_lanes=machine.vector_bytes / max(1, max(self.bytes[name])),
            trips_innermost=loops[0][1] if loops else 1.0,
            trips_reduction=math.prod(loop.extent for loop in stage.info.loops if loop.reduction),
            iterations_innermost=blocks,
            iterations_outer=outer,
            **{("cycles_" if i < 8 else "") + COLUMNS[c]: counts[i] for i, c in enumerate(COUNTS)},
            registers=block.registers,
            spills=2 * spilled * blocks,
            code=block.instructions,
            stalls=self._stalls(name, block, blocks, members),
            windows=productions if member.slid else 0.0,
            chain_cycles=blocks * block.chain,
            atomics=float(atomic),
            bytes_l2=l2.bytes,
            bytes_l3=max(0.0, l3.bytes - store) if streamed else l3.bytes,
            bytes_dram=max(0.0, dram.bytes - 2 * store) if streamed else dram.bytes,
            lines_read_l2=l2.lines_read,
            lines_read_l3=l3.lines_read,
            lines_written_l2=l2.lines_written,
            lines_written_l3=l3.lines_written,
            bytes_streamed=store if streamed else 0.0,
            allocations=0.0 if stack or not member.depth else float(_allocations(stage, tasks)),
            bytes_at_production=float(size * _points(member.boxes[-1])),
            bytes_at_realization=arrays[name].total,
            bytes_at_root=float(size * math.prod(member.func.extent)),
            bytes_read_at_production=sum(
                sizes[_outermost(prints, stage.depth)] for other, sizes in prints.bytes.items() if other != name
            ),
            working_set=prints.working[_outermost(prints, stage.depth)],
            tasks=tasks,
            launches=launches,
            threads=float(self.dag.threads),
        )

    def _block(self, stage: StageLoops, view: View) -> tuple[Block, list[tuple[int, int]]]:
        nest, sizes = stage.nest, stage.sizes[-1]
        active = min(nest.lanes, stage.needed)
        single = _remembered(view, Shape(tuple(sizes), nest.vector, nest.lanes, None, active))
        stores = math.prod(sizes) / nest.lanes * len(stage.member.func.types)
        extents, loops = absorbed(stage, stores, max(1.0, NODES * single.instructions))
        innermost = loops[0][0] if loops else None
        return _remembered(view, Shape(tuple(extents), nest.vector, nest.lanes, innermost, active)), loops

    def _stalls(self, own: str, block: Block, blocks: float, members: Mapping[str, Member]) -> float:
        """Vectors that were stored a moment ago, but not as they are loaded: they wait for the cache.

        After a few of them the stores are done.
        """
        total = 0.0
        for name, number in block.unaligned:
            member = members.get(name)
            if name == own:
                total += number * blocks
            elif member is not None and member.depth and number:
                share = _points(member.boxes[-1]) / _points(member.whole)
                total += min(number * share * blocks, MOST_STALLS * member.iterations[-1])
        return total


def _remembered(view: View, shape: Shape) -> Block:
    block = view.blocks.get(shape)
    if block is None:
        block = view.blocks[shape] = view.maker.block(shape)
    return block


COLUMNS = {
    **{name: name for name in COUNTS[:8]},
    "dense": "loads_dense",
    "broadcast": "loads_broadcast",
    "strided": "loads_strided",
    "gathered": "loads_gathered",
    "scalar": "loads_scalar",
    "split": "loads_split",
    "stored": "stores_dense",
    "scattered": "stores_scattered",
    "stored_scalar": "stores_scalar",
}


def _innermost(placement: Placement | None) -> int:
    return placement.storage[0] if placement is not None and placement.storage else 0


def _points(box: Box) -> int:
    return math.prod([last - first + 1 for first, last in zip(*box, strict=True)])


def _order(placement: Placement | None, dimensions: int) -> tuple[int, ...]:
    """The dimensions of a Func or image, innermost in memory first."""
    return placement.storage if placement is not None and placement.storage else tuple(range(dimensions))


def _runs(productions: float, loops: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """How often the innermost loop is entered, and the iterations of all loops further out."""
    outer = 0.0
    for _, trips in reversed(loops[1:]):
        productions *= trips
        outer += productions
    return productions, outer


def _tasks(stage: StageLoops) -> tuple[float, float]:
    """Tasks of the parallel loops around a stage, and how many parallel loops it starts itself."""
    around, level = stage.member.sites[0] if stage.member.sites else (stage, 0)
    nest: Nest = around.nest
    tasks = math.prod(around.trips[0][d] for d in nest.parallel)
    return float(tasks), 1.0 if around is stage and nest.parallel else 0.0


def _allocations(stage: StageLoops, tasks: float) -> float:
    """Blocks from the heap: those of serial loops are allocated once around them."""
    member = stage.member
    return min(tasks, member.iterations[member.store]) if stage.info.number == 0 else 0.0


def _outermost(prints: Footprints, depth: int) -> int:
    """The number of the loop that covers one production."""
    for number, level in enumerate(prints.levels):
        if 0 <= level.depth <= depth:
            return number
    return len(prints.levels) - 1
