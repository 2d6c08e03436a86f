"""Funcs in their places in groups: made once for all groups in which they, and all around them, are the same."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.dag.dag import Access, Dag, FuncInfo, ImageInfo, StageInfo
from pipec.autoschedule.dag.inlining import InlinedStages
from pipec.autoschedule.dag.regions import Need
from pipec.autoschedule.features.block import BlockMaker
from pipec.autoschedule.features.register_block import BlockShape, RegisterBlock
from pipec.autoschedule.features.traffic import ArrayMemory, FootprintMemo, Footprints
from pipec.autoschedule.space.cpu.tensors import tensor_of
from pipec.autoschedule.space.loop_tree import GroupMember, StageName, StagePosition, absorbed
from pipec.autoschedule.space.state import FuncPlacement
from pipec.jit.llvm.memory.nontemporal import MIN_NONTEMPORAL_BYTES, has_whole_lines
from pipec.records import replace

NODES = 1.2  # of a statement as it is lowered, for each that is counted
MAX_PLACES = 20_000
"""Places that are cached before the cache is cleared."""
Operations = tuple[float, ...]
Order = tuple[int, ...]
"""Dimensions of storage, innermost first; () is that of the arguments."""


class Blocks:
    """The blocks of a stage with Funcs inlined, each made once; `needs`: what its loops touch."""

    def __init__(self, maker: BlockMaker, needs: Mapping[str, Need]) -> None:
        self.maker, self.needs = maker, needs
        self._memo: dict[BlockShape, RegisterBlock] = {}

    def of(self, shape: BlockShape) -> RegisterBlock:
        """Returns the block of this shape, cached."""
        block = self._memo.get(shape)
        if block is None:
            block = self._memo[shape] = self.maker.block(shape)
        return block


class InlinedView(NamedTuple):
    """A stage with Funcs inlined. `interleaved`: its blocks of every n-th point, by the dimension."""

    serial: int
    info: StageInfo
    operations: Operations
    blocks: Blocks
    interleaved: Mapping[int, Blocks]
    footprints: FootprintMemo

    @property
    def needs(self) -> Mapping[str, Need]:
        """The memory that the loops of the stage touch, by Func or image."""
        return self.blocks.needs

    def blocks_of(self, stage: StagePosition) -> Blocks:
        """Returns the blocks of a nest of the stage."""
        d = stage.nest.interleaved
        return self.blocks if stage.interleave is None or d is None else self.interleaved[d]


class Placed:
    """A stage in its place: all of its row that does not depend on what other Funcs take of the caches."""

    __slots__ = ("block", "blocks", "entries", "fixed", "loops", "name", "needs", "outer", "prints", "stage", "view")

    def __init__(self, stage: StagePosition, view: InlinedView) -> None:
        self.stage, self.view = stage, view
        self.name: StageName = stage.info.func, stage.info.number
        self.needs = view.blocks_of(stage).needs
        self.block, self.loops = _block(stage, view)
        self.entries, self.outer = _runs(stage.iterations[stage.depth] * stage.member.overhead(stage.nest), self.loops)
        self.blocks = self.entries * (self.loops[0][1] if self.loops else 1) * stage.info.share
        self.fixed: list[float] = []
        self.prints: dict[tuple[int, ...], Footprints] = {}


class Place(NamedTuple):
    """A Func of a group in its place. `serial` stands for all that it depends on: equal ones are made once."""

    serial: int
    member: GroupMember
    stages: tuple[Placed, ...]
    array: ArrayMemory


def _stored_once(dag: Dag, name: str) -> bool:
    return len(dag.funcs[name].stages) == 1 and not dag.consumers[name]


class Places:
    """Creates and caches places with all that they consist of."""

    def __init__(self, dag: Dag, machine: MachineModel) -> None:
        self.dag, self.machine = dag, machine
        self.inlining = InlinedStages(dag)
        self._inlinings: dict[tuple[str, int], InlinedStages] = {}
        self.bytes = {name: tuple([max(t.nbits, 8) // 8 for t in f.types]) for name, f in dag.funcs.items()}
        self.bytes |= {name: (image.bytes_per_point,) for name, image in dag.images.items()}
        self.extents = {name: func.extent for name, func in dag.funcs.items()}
        self.extents |= {name: image.extent for name, image in dag.images.items()}
        infos: dict[str, FuncInfo | ImageInfo] = {**dag.funcs, **dag.images}
        self.boxes = {
            name: [(low, low + extent - 1) for low, extent in zip(info.minimum, info.extent, strict=True)]
            for name, info in infos.items()
        }
        totals = {name: sum(self.bytes[name]) * math.prod(self.extents[name]) for name in (*dag.images, *dag.outputs)}
        self.external = frozenset(totals)
        large = [name for name in dag.outputs if totals[name] >= MIN_NONTEMPORAL_BYTES]
        self.streamed = {name for name in large if _stored_once(dag, name) and self._has_whole_lines(name)}
        # Repeated calls use the same buffers, which may still be cached; non-temporal stores leave the caches alone.
        self.lasting = self.external - self.streamed
        self.bytes_between_calls = float(sum([totals[name] for name in self.lasting]))
        self._serial = 0
        self.forget()

    def _has_whole_lines(self, output: str) -> bool:
        extents = [self.extents[output][d] for d in self.dag.order(output)]
        return any(has_whole_lines(extents, size) for size in self.bytes[output])

    def forget(self) -> None:
        """Clears the caches."""
        self._views: dict[
            tuple[str, int, frozenset[str]], tuple[tuple[str, ...], dict[tuple[Order, ...], InlinedView]]
        ] = {}
        self._places: dict[tuple[object, ...], Place] = {}
        self._arrays: dict[ArrayMemory, ArrayMemory] = {}
        self._whole: dict[tuple[str, Order], ArrayMemory] = {}

    def forget_many(self) -> None:
        """Between two groups: forget all when it has become too much."""
        if len(self._places) > MAX_PLACES:
            self.forget()

    def place(
        self,
        name: str,
        placement: FuncPlacement,
        inlined: frozenset[str],
        storage: Mapping[str, Order],
        places: Mapping[str, Place],
        readers: Sequence[Placed],
    ) -> Place:
        """Returns a Func in its place; `readers`: the stages in the group that load it; `places`: those so far."""
        views = [self._view(name, number, inlined, storage) for number in range(len(placement.nests))]
        around: tuple[int, ...] = ()
        if placement.compute is not None:
            around = (places[placement.compute.func].serial, *[places[placed.name[0]].serial for placed in readers])
        key = (name, placement, *[view.serial for view in views], *around)
        cached = self._places.get(key)
        if cached is None:
            cached = self._places[key] = self._new_place(name, placement, views, places, readers)
        return cached

    def _new_place(
        self,
        name: str,
        placement: FuncPlacement,
        views: Sequence[InlinedView],
        places: Mapping[str, Place],
        readers: Sequence[Placed],
    ) -> Place:
        func = self.dag.funcs[name]
        if placement.compute is None:
            member = GroupMember(func)
        else:
            around = {placed.name: placed.stage for place in places.values() for placed in place.stages}
            member = GroupMember.at(func, placement, around, [placed.stage for placed in readers])
        array = self.whole(name, placement.storage)
        if member.depth:
            total = float(array.bytes * math.prod(member.stored))
            array = ArrayMemory(member.stored, array.bytes, array.order, total, member.store)
            array = self._arrays.setdefault(array, array)
        self._serial += 1
        stages = [
            Placed(StagePosition(member, view.info, view.needs, nest), view)
            for view, nest in zip(views, placement.nests, strict=True)
        ]
        return Place(self._serial, member, tuple(stages), array)

    def _view(self, func: str, number: int, inlined: frozenset[str], storage: Mapping[str, Order]) -> InlinedView:
        cached = self._views.get((func, number, inlined))
        if cached is None:
            plain = self.inlining.stage(func, number, inlined)
            names = (func, *dict.fromkeys(load.name for load in plain.loads))
            cached = self._views[func, number, inlined] = names, {}
        names, views = cached
        first = tuple([storage[name][:2] if name in storage else () for name in names]) if storage else ()
        view = views.get(first)
        if view is None:
            orders = {name: self.dag.order(name) for name in names}
            if first:
                orders |= {name: order for name, order in zip(names, first, strict=True) if order}
            view = views[first] = self._viewed(self.inlining.stage(func, number, inlined), orders, inlined)
        return view

    def _viewed(self, plain: StageInfo, orders: Mapping[str, Order], inlined: frozenset[str]) -> InlinedView:
        func, number = plain.func, plain.number
        operations = tuple([float(n) for row in plain.operations for n in row])
        blocks = self._blocks(self.inlining, func, number, inlined, orders)
        interleaved = {
            d: self._blocks(self._inlining_of(func, d), func, number, inlined, orders) for d in plain.interleaves
        }
        self._serial += 1
        return InlinedView(self._serial, plain, operations, blocks, interleaved, {})

    def _blocks(
        self, inlining: InlinedStages, func: str, number: int, inlined: frozenset[str], orders: Mapping[str, Order]
    ) -> Blocks:
        funcs = inlining.dag.funcs
        evaluations = [
            (evaluation, funcs[evaluation.func].stages[0]) for evaluation in inlining.evaluations(func, number, inlined)
        ]
        own, stage = funcs[func].stages[number], inlining.stage(func, number, inlined)
        accesses: dict[str, list[Access]] = {func: [stage.store, *stage.self_loads]}
        for load in stage.loads:
            accesses.setdefault(load.name, []).append(load)
        needs = {name: Need(loads, funcs.get(name) or self.dag.images[name]) for name, loads in accesses.items()}
        innermost = {name: order[0] if order else 0 for name, order in orders.items()}
        strides = {name: self.dag.strides_of(name, order) for name, order in orders.items()}
        memory = self.bytes, innermost, self.boxes, strides
        return Blocks(BlockMaker(self.machine, own, stage, evaluations, *memory), needs)

    def _inlining_of(self, func: str, d: int) -> InlinedStages:
        """What inlines Funcs into a stage of which loop d is two."""
        cached = self._inlinings.get((func, d))
        if cached is None:
            info = self.dag.funcs[func]
            halved = replace(info, stages=(info.stages[0].interleaves[d].view, *info.stages[1:]))
            dag = replace(self.dag, funcs={**self.dag.funcs, func: halved})
            cached = self._inlinings[func, d] = InlinedStages(dag)
        return cached

    def whole(self, name: str, order: Order) -> ArrayMemory:
        """A Func or image that is stored whole; equal arrays are the same object."""
        cached = self._whole.get((name, order))
        if cached is None:
            extents, size = self.extents[name], sum(self.bytes[name])
            total = float(size * math.prod(extents))
            between_calls = self.bytes_between_calls if name in self.lasting else 0.0
            array = ArrayMemory(
                extents,
                size,
                order or self.dag.order(name),
                total,
                -1,
                between_calls,
                streamed=name in self.streamed,
                intermediate=name not in self.external,
            )
            cached = self._whole[name, order] = self._arrays.setdefault(array, array)
        return cached


def _block(stage: StagePosition, view: InlinedView) -> tuple[RegisterBlock, list[tuple[int, int]]]:
    """The block with the short loops around it that are written out, and the other loops."""
    nest, sizes = stage.nest, stage.sizes[-1]
    single = _of_shape(stage, view, sizes, None)
    stores = math.prod(sizes) / nest.lanes * len(stage.member.func.types)
    extents, loops = absorbed(stage, stores, max(1.0, NODES * single.nodes))
    innermost = loops[0][0] if loops else None
    return _of_shape(stage, view, extents, innermost), loops


def _of_shape(stage: StagePosition, view: InlinedView, extents: Sequence[int], innermost: int | None) -> RegisterBlock:
    nest, d = stage.nest, stage.nest.interleaved
    blocks = view.blocks_of(stage)
    if stage.interleave is None or d is None:
        tensor = nest.tensor if tensor_of(stage.info, nest) is not None else ""
        return blocks.of(BlockShape(tuple(extents), nest.vector, nest.lanes, innermost, 1, tensor))
    copies = stage.interleave.copies
    halves = (*extents[:d], extents[d] // copies, *extents[d + 1 :], copies)
    return blocks.of(BlockShape(halves, nest.vector, nest.lanes, innermost))


def _runs(productions: float, loops: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """Returns the number of runs of the innermost loop, and the iterations of all loops further out."""
    outer = 0.0
    for _, trips in reversed(loops[1:]):
        productions *= trips
        outer += productions
    return productions, outer
