"""The loops of a group: of each Func the boxes it is computed in at every compute level around it, and how often."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pipec.autoschedule.dag.dag import Access, FuncInfo, Interleave, StageInfo
from pipec.autoschedule.dag.regions import Box, Need, union
from pipec.autoschedule.space.cpu.strided_blocks import interleave_of
from pipec.autoschedule.space.cpu.tensors import tensor_of
from pipec.autoschedule.space.state import FULL, ROOT_STORE, FuncPlacement, Nest
from pipec.ir.unroll import SHORT_LOOP_NODES, SHORT_LOOP_STORES

StageName = tuple[str, int]
MAX_WRITTEN_OUT = 32
"""Vectors of a tile's region up to which they are copies in a block: about as many as there are registers."""
MAX_COPIES = 512
"""Copies of a body that a block may have. Compilers take long over more, and nothing is won by them."""


class StagePosition:
    """One stage in its place. Depth 0 is outside of everything; each level around the stage is one deeper, then its own
    levels. `covers[depth]`: the first and last value of each of its loops in one iteration there; `iterations[depth]`:
    how many such iterations run in all; `trips[level][d]`: of its own loops; `alone`: just one lane is needed;
    `interleave`: how the points of a block are apart; its cover is as if they were not.
    """

    __slots__ = (
        *("alone", "covers", "depth", "info", "interleave", "iterations", "member", "needs", "nest", "sizes"),
        "trips",
    )

    def __init__(self, member: GroupMember, info: StageInfo, needs: Mapping[str, Need], nest: Nest) -> None:
        self.member, self.info, self.needs, self.nest = member, info, needs, nest
        self.depth = member.depth
        self.covers = [_loops_over(info, box, len(member.func.arguments)) for box in member.boxes]
        self.alone = self.depth > 0 and nest.vector is not None and _points_along(self.covers[-1], nest.vector) == 1
        if self.depth and nest.vector is not None:
            self.covers[-1] = _whole_vectors(self.covers[-1], nest.vector, nest.lanes)
        self.covers[-1] = _aligned(self.covers[-1], info.moduli)
        self.iterations = list(member.iterations)
        self.trips: list[list[int]] = []
        self.sizes: list[list[int]] = []
        first, last = self.covers[-1]
        whole = [b - a + 1 for a, b in zip(first, last, strict=True)]
        self.interleave = self._interleave(whole)
        for level, tile in enumerate(nest.tiles):
            if level == len(nest.tiles) - 1:
                sizes = self._block(whole)
            else:
                sizes = [min(t or w, w) for t, w in zip(tile, whole, strict=True)]
            trips = [-(-w // s) for w, s in zip(whole, sizes, strict=True)]
            # The iteration in the middle stands for all: the last one may be cut off, the first one read less.
            first = tuple([f + ((n - 1) // 2) * s for f, n, s in zip(first, trips, sizes, strict=True)])
            last = tuple([min(f + s - 1, b) for f, s, b in zip(first, sizes, last, strict=True)])
            first, last = _aligned((first, last), info.moduli)
            whole = sizes
            self.covers.append((first, last))
            self.trips.append(trips)
            self.sizes.append(sizes)
            self.iterations.append(self.iterations[-1] * math.prod(trips))

    def is_fixed(self, d: int, levels: int) -> bool:
        """Whether one iteration of so many levels has as much of a loop for every size, in the last tile, too."""
        loop = self.info.loops[d]
        size = next((tile[d] for tile in reversed(self.nest.tiles[:levels]) if tile[d] != FULL), FULL)
        whole = loop.constant if loop.reduction else d in self.member.fixed
        if size in (FULL, 1):
            return size == 1 or whole
        around = _points_along(self.covers[self.depth], d) if whole else None
        return last_tile_is_whole(self.info, self.nest, d, size, self.member.func.output, around)

    def _interleave(self, whole: Sequence[int]) -> Interleave | None:
        interleave, d = interleave_of(self.info, self.nest), self.nest.interleaved
        if interleave is None or d is None or d in self.member.windows:
            return None
        return (
            interleave if whole[d] == interleave.stride * interleave.copies and self.member.is_read_whole(d) else None
        )

    def halved(self, cover: Box) -> Box:
        """A cover by the loops of the interleave's view: one remainder in a block, else all of them."""
        apart, d = self.interleave, self.nest.interleaved
        if apart is None or d is None:
            return cover
        first, last = cover
        remainders = 1 if last[d] - first[d] < apart.copies else apart.stride
        least, most = apart.view.loops[-1].minimum, apart.view.loops[-1].minimum + apart.copies - 1
        return (*first[:d], 0, *first[d + 1 :], least), (*last[:d], remainders - 1, *last[d + 1 :], most)

    def _block(self, around: Sequence[int]) -> list[int]:
        """The points of a block in a level that covers `around` points. Blocks are whole: where less is needed they
        compute more. Dimensions of which they have all are copies of the body or, see `Constants`, loops around it."""
        tile, unit = self.nest.tiles[-1], [1] * len(around)
        if self.nest.vector is not None:
            unit[self.nest.vector] = self.nest.lanes
        tensor = tensor_of(self.info, self.nest)
        if tensor is not None:
            unit[tensor.rvar] = tensor.terms
        vectors = math.prod([t // u for t, u in zip(tile, unit, strict=True) if t])
        # Code generation also unrolls short loops that are not marked, see `absorbed`.
        copies = self._copied({d: -(-around[d] // unit[d]) for d, t in enumerate(tile) if t == 0}, vectors)
        return [t or copies.get(d, 1) * unit[d] for d, t in enumerate(tile)]

    def _copied(self, whole: Mapping[int, int], vectors: int) -> Mapping[int, int]:
        """Returns the dimensions that become copies of `vectors` vectors. `whole`: the copies that each would have."""
        # The first iteration of a window that slides computes more than the others.
        member = self.member
        resting = {d: copies for d, copies in whole.items() if d not in member.windows}
        settled = {d: n for d, n in resting.items() if d not in member.cut and member.func.settled(self.info, d)}
        tiled = {d: n for d, n in resting.items() if self.depth and d not in settled and _constant(self, -1, d)}
        if vectors * math.prod((tiled | settled).values()) <= MAX_WRITTEN_OUT:
            return tiled | settled
        return settled if vectors * math.prod(settled.values()) <= MAX_COPIES else {}


def absorbed(stage: StagePosition, stores: float, nodes: float) -> tuple[list[int], list[tuple[int, int]]]:
    """The block with the short loops around it that code generation writes out, and the loops (dimension, trips) that
    remain, innermost first. It writes out all of a nest or none, or the innermost one where that accumulates."""
    extents = list(stage.sizes[-1])
    loops = [
        (level, d, trips[d])
        for level, trips in reversed(list(enumerate(stage.trips)))
        for d in stage.nest.order
        if trips[d] > 1
    ]
    constant = list(itertools.takewhile(lambda loop: _constant(stage, *loop[:2]), loops))
    # Bounds may be expected elsewhere, so that these are loops of one nest, too.
    others = itertools.takewhile(lambda loop: stage.member.func.settled(stage.info, loop[1]), loops[len(constant) :])
    copies = math.prod([trips for _, _, trips in (*constant, *others)])

    def is_short(copies: int) -> bool:
        return stores * copies <= SHORT_LOOP_STORES and nodes * copies <= SHORT_LOOP_NODES

    if not is_short(copies):
        alone = bool(constant) and _accumulates(stage, constant[0][1]) and is_short(constant[0][2])
        constant = constant[:1] if alone else []
    for _, d, trips in constant:
        extents[d] *= trips
    return extents, [(d, trips) for _, d, trips in loops[len(constant) :]]


def _accumulates(stage: StagePosition, d: int) -> bool:
    """Whether each iteration of a loop over an RVar adds to the same element."""
    info = stage.info
    own = [load for load in info.self_loads if load.meets(info.store)]
    same = all(load.jacobian == info.store.jacobian and load.offsets == info.store.offsets for load in own)
    return bool(own) and same and not any(row is None or row[d] for row in info.store.jacobian)


def _points_along(cover: Box, d: int) -> int:
    return cover[1][d] - cover[0][d] + 1


def _constant(stage: StagePosition, level: int, d: int) -> bool:
    """Whether a loop's extent is known when the code is made, whatever the size of the image."""
    if any(tile[d] for tile in stage.nest.tiles[:level]):
        return True
    loop = stage.info.loops[d]
    if d in stage.member.windows:
        return False
    if loop.reduction or stage.depth == 0:
        return loop.reduction and loop.extent <= SHORT_LOOP_STORES
    return d in stage.member.fixed


def last_tile_is_whole(info: StageInfo, nest: Nest, d: int, size: int, is_output: bool, around: int | None) -> bool:
    """Whether the last tile of `size` points is as large as the others: it overlaps the one before, is rounded up, or
    divides what there is. `around`: the points of the dimension where that is a number for every size."""
    loop, sizes = info.loops[d], [tile[d] for tile in nest.tiles if tile[d] != FULL]
    if loop.reduction:
        return loop.constant and loop.extent % size == 0
    if info.number:
        return False
    if is_output or (size == sizes[-1] and (d != nest.vector or size == nest.lanes)):
        return True
    return around is not None and around % size == 0 and all(a % b == 0 for a, b in itertools.pairwise(sizes))


def _loops_over(info: StageInfo, box: Box, pure: int) -> Box:
    """Values of a stage's loops that compute `box`."""
    first, last = [], []
    for d, loop in enumerate(info.loops):
        if d < pure and loop.extent > 1:
            first.append(box[0][d])
            last.append(box[1][d])
        else:
            first.append(loop.minimum)
            last.append(loop.minimum + loop.extent - 1)
    return tuple(first), tuple(last)


def _whole_vectors(cover: Box, d: int, lanes: int) -> Box:
    """Returns the box that is computed when the last vector is a whole one."""
    first, last = cover
    end = first[d] + -(-(last[d] - first[d] + 1) // lanes) * lanes - 1
    return first, (*last[:d], end, *last[d + 1 :])


def _aligned(cover: Box, moduli: Sequence[int]) -> Box:
    """The cover of a tile that holds whole periods of a selection by `x % 2`: it begins at a multiple of the period."""
    first, last = cover
    beyond = [a % m if (b - a + 1) % m == 0 else 0 for a, b, m in zip(first, last, moduli, strict=False)]
    if not any(beyond):
        return cover
    begin, end = [tuple([x - k for x, k in zip(ends, beyond, strict=True)]) for ends in cover]
    return begin, end


class Window(NamedTuple):
    """One dimension of a window that slides: what it covers, what is new in all its places but the first, and how many
    places there are."""

    extent: int
    new: int
    trips: int


class GroupMember:
    """A Func of a group. `boxes[depth]`: what one iteration there requires of it, down to its compute level at `depth`,
    where a sliding window leaves only what is new. `store`: the depth at which it is stored; `stored`: extents of its
    storage, folded. `cut`: the dimensions along which tiles around cut it, if only into one piece; `fixed`: those of
    which it computes as much for every size.
    """

    __slots__ = (
        *("boxes", "cut", "depth", "fixed", "func", "iterations", "nest_levels", "readers", "slid", "store", "stored"),
        *("edges", "whole", "windows", "_moved"),
    )

    def __init__(self, func: FuncInfo) -> None:
        self.func = func
        self.depth = self.store = 0
        self.nest_levels: list[tuple[StagePosition, int]] = []
        self.boxes: list[Box] = [_whole(func)]
        self.whole = self.boxes[0]  # at its compute level, old values included
        self.iterations: list[float] = [1.0]
        self.stored = tuple(func.extent)
        self.slid: dict[int, int] = {}  # dimensions along which a window slides, and by how much
        self.windows: dict[int, Window] = {}  # along which it, or what it is computed for, slides
        self.edges: dict[int, float] = {}  # folded dimensions: the share of blocks that need all of it
        self.readers: Sequence[StagePosition] = ()
        self.cut: frozenset[int] = frozenset()
        self.fixed = frozenset([d for d in range(len(func.arguments)) if func.settled(func.stages[0], d)])
        self._moved: dict[tuple[StagePosition, int], list[float]] = {}

    @staticmethod
    def at(
        func: FuncInfo,
        placement: FuncPlacement,
        stages: Mapping[StageName, StagePosition],
        readers: Sequence[StagePosition],
    ) -> GroupMember:
        """A Func that is computed at a compute level; `readers`: the stages in this group that load it."""
        member, nest_level = GroupMember(func), placement.compute
        assert nest_level is not None
        around = stages[nest_level.func, nest_level.stage]
        member.readers = readers
        member.nest_levels = [*around.member.nest_levels, *((around, level) for level in range(nest_level.level + 1))]
        depth = member.depth = len(member.nest_levels)
        member.iterations = around.iterations[: depth + 1]
        member.boxes = [
            _computed(func, union([reader.needs[func.name].box(*reader.covers[k]) for reader in readers]))
            for k in range(depth + 1)
        ]
        member.whole = member.boxes[-1]
        dimensions = range(len(func.arguments))
        member.cut = frozenset([d for d in dimensions if member._is_cut(d)])
        member.fixed = frozenset([d for d in dimensions if member._is_fixed(d)])
        member._wrap()
        member.store = depth
        if placement.store is not None:
            member.store = 0
            if placement.store != ROOT_STORE:
                outer = stages[placement.store.func, placement.store.stage]
                member.store = outer.depth + placement.store.level + 1
            member._slide()
        member._follow()
        member._fold(placement)
        return member

    def _slide(self) -> None:
        """Only what is new is computed along the serial loops between the storage and the compute level.

        As in `pipec.lower.planning.sliding_window`, a window slides along one loop for each dimension.
        """
        first, last = map(list, self.whole)
        for stage, level in self.nest_levels[self.store : self.depth]:
            for loop, count in enumerate(stage.trips[level]):
                if count == 1 or (level == 0 and loop in stage.nest.parallel):
                    continue
                moving = [(d, step) for d, step in enumerate(self.motion(stage, loop)) if step]
                if len(moving) != 1 or not _pure_everywhere(self.func, moving[0][0]):
                    continue  # what is new of a window that moves along a diagonal is no box
                ((d, step),) = moving
                extent, new = last[d] - first[d] + 1, max(1, math.ceil(abs(step) * stage.sizes[level][loop]))
                if d in self.slid or new >= extent or self._moves_loops(stage, loop):
                    continue
                # What is folded at the edges moves there and back.
                if d in self.edges or self._is_rounded_beside(d, stage, loop):
                    continue
                self.slid[d] = new
                self.windows[d] = Window(extent, new, count)
                first[d], last[d] = (last[d] - new + 1, last[d]) if step > 0 else (first[d], first[d] + new - 1)
        self.boxes[-1] = tuple(first), tuple(last)

    def _moves_loops(self, stage: StagePosition, loop: int) -> bool:
        """Whether loops of other stages inside of a loop begin elsewhere each time, or are longer the first time.

        Then lowering slides along those inner loops, not along this one. Loops over tiles begin at zero.
        """
        for inner, level in self.nest_levels:
            if inner.depth <= stage.depth:
                continue
            for d, step in enumerate(inner.member.motion(stage, loop)):
                sizes = [tile[d] for tile in inner.nest.tiles[: level + 1] if tile[d] != FULL]
                if step and sizes and (sizes[0] == 1 or d in inner.member.windows):
                    return True
        return False

    def _is_rounded_beside(self, d: int, stage: StagePosition, loop: int) -> bool:
        """Whether another variable than that of a loop moves dimension `d` too, and its split may round up.

        Then lowering slides along neither: values beyond the split's end may be wrong.
        """
        for other, level in self.nest_levels[self.store : self.depth]:
            if other.member.func.output and other.info.number == 0:
                continue  # the last tile of an output overlaps the one before
            for beside in range(len(other.info.loops)):
                if (other is stage and beside == loop) or not self.motion(other, beside)[d]:
                    continue
                is_split = beside == other.nest.vector or any(tile[beside] for tile in other.nest.tiles[: level + 2])
                own = other.member.motion(stage, loop) if other is not stage else ()
                if is_split and not (beside < len(own) and own[beside]):
                    return True
        return False

    def _follow(self) -> None:
        """Derives sliding windows of this Func from those of its readers."""
        first, last = self.boxes[-1]
        for reader in self.readers:
            if reader.member.depth <= self.depth:
                for d, window in reader.member.windows.items():
                    beside = last[d] - first[d] + 1 - window.new if d < len(first) else -1
                    if beside >= 0 and d not in self.slid:
                        self.windows[d] = Window(window.extent + beside, window.new + beside, window.trips)

    def _wrap(self) -> None:
        """Notes the dimensions along which readers fold coordinates, and how many blocks go on at the opposite edge."""
        for reader in self.readers:
            first, last = reader.covers[self.depth]
            for load in reader.info.loads:
                if load.name == self.func.name:
                    for d, row in enumerate(load.jacobian):
                        shares = [share for j, share in reader.member.edges.items() if row is not None and row[j]]
                        if d in load.wrapped:
                            shares.append(_share_at_edges(self.func, load, d, reader.info, first, last))
                        if shares or d in load.mirrored:
                            self.edges[d] = max([self.edges.get(d, 0.0), *shares])

    def _is_cut(self, d: int) -> bool:
        """Whether the tile of some loop that moves along a dimension lies around."""
        for reader in self.readers:
            tiles = reader.nest.tiles[: max(0, self.depth - reader.depth)]
            for load in reader.info.loads:
                for j, factor in enumerate((load.name == self.func.name and load.jacobian[d]) or ()):
                    if factor and (j in reader.member.cut or any(tile[j] != FULL for tile in tiles)):
                        return True
        return False

    def _is_fixed(self, d: int) -> bool:
        """Whether tiles around, and sizes that are the same in every call, fix the extent of a dimension."""
        for reader in self.readers:
            levels = max(0, self.depth - reader.depth)
            for load in [load for load in reader.info.loads if load.name == self.func.name]:
                row = load.whole_steps(d)
                if row is None or not all(reader.is_fixed(j, levels) for j, factor in enumerate(row) if factor):
                    return False
        return True

    def overhead(self, nest: Nest) -> float:
        """The work that a stage's loops do in all productions, by that in the steady ones in the middle."""
        overhead = 1.0
        for d, share in self.edges.items():
            overhead *= 1 + share * (self.func.extent[d] / (self.whole[1][d] - self.whole[0][d] + 1) - 1)
        for d, (extent, new, trips) in self.windows.items():
            unit = nest.tiles[-1][d] or (nest.lanes if d == nest.vector else 1)
            later = -(-new // unit)
            overhead *= (-(-extent // unit) + (trips - 1) * later) / (trips * later)
        return overhead

    def motion(self, stage: StagePosition, loop: int) -> list[float]:
        """By how much the box moves, in each dimension, when a loop around takes one step (0: not, or not known)."""
        moved = self._moved.get((stage, loop))
        if moved is None:
            moved = self._moved[stage, loop] = [0.0] * len(self.func.arguments)
            for reader in self.readers:
                steps = None if reader is stage else reader.member.motion(stage, loop)
                for load in reader.info.loads:
                    if load.name == self.func.name:
                        self._move(moved, load, steps, loop)
        return moved

    def is_read_whole(self, d: int) -> bool:
        """Whether coordinates of dimension `d` that are not affine become all that they can where it is computed."""
        for reader in self.readers:
            first, last = reader.covers[self.depth]
            for load in reader.info.loads:
                if load.name == self.func.name and load.jacobian[d] is None:
                    loops = load.values[d] if load.values else range(len(reader.info.loops))
                    if any(last[j] - first[j] + 1 < reader.info.loops[j].extent for j in loops):
                        return False
        return True

    def _move(self, moved: list[float], load: Access, steps: Sequence[float] | None, loop: int) -> None:
        for d, row in enumerate(load.jacobian):
            # Of values that may lead anywhere lowering takes the whole dimension for every iteration.
            anywhere = load.values and load.values[d] and load.high[d] - load.low[d] >= self.func.extent[d] - 1
            if row is not None and not anywhere:
                step = row[loop] if steps is None else sum(a * b for a, b in zip(row, steps, strict=False))
                if abs(step) > abs(moved[d]):
                    moved[d] = step

    def _fold(self, placement: FuncPlacement) -> None:
        dense = (*placement.storage, 0)[0]
        extents = [b - a + 1 for a, b in zip(*self.boxes[self.store], strict=True)]
        for d in self.slid:
            if d == dense and any(nest.vector == d for nest in placement.nests):
                continue  # lowering keeps rings out of the way of vectors
            if self._is_read_inside_and_outside(d):
                continue  # beyond the edge what is clamped and what is not lie apart without limits
            extents[d] = min(extents[d], 1 << (self.whole[1][d] - self.whole[0][d]).bit_length())
        self.stored = tuple(extents)

    def _is_read_inside_and_outside(self, d: int) -> bool:
        """Whether some of the loads of the Func are clamped to the edge in dimension `d`, and others are not."""
        loads = [load for reader in self.readers for load in reader.info.loads if load.name == self.func.name]
        return any(d in load.clamped for load in loads) and any(d in load.unclamped for load in loads)


def _share_at_edges(
    func: FuncInfo, load: Access, d: int, reader: StageInfo, first: Sequence[int], last: Sequence[int]
) -> float:
    """The share of the blocks of a reader, one of which runs from first to last, whose loads reach beyond an edge."""
    row = load.jacobian[d]
    moving = [j for j, c in enumerate(row or ()) if c]
    if row is None or len(moving) != 1:
        return 0.0
    (j,) = moving
    loop, factor = reader.loops[j], row[j]
    ends = sorted((factor * loop.minimum, factor * (loop.minimum + loop.extent - 1)))
    before = func.minimum[d] - (ends[0] + load.low[d])
    after = ends[1] + load.high[d] - (func.minimum[d] + func.extent[d] - 1)
    step = abs(factor) * (last[j] - first[j] + 1)
    blocks = sum([math.ceil(reach / step) for reach in (before, after) if reach > 0 and math.isfinite(reach)])
    return min(1.0, blocks / math.ceil(loop.extent / (last[j] - first[j] + 1)))


def _pure_everywhere(func: FuncInfo, d: int) -> bool:
    return all(
        (row := stage.store.jacobian[d]) is not None and row[d] == 1 and stage.loops[d].extent > 1
        for stage in func.stages
    )


def _whole(func: FuncInfo) -> Box:
    return tuple(func.minimum), tuple([m + e - 1 for m, e in zip(func.minimum, func.extent, strict=True)])


def _computed(func: FuncInfo, required: Box) -> Box:
    """Returns the box that is computed for a required one: also all that updates write."""
    if not any(func.written):
        return required
    first, last = required
    return (
        tuple([a if ends is None else min(a, ends[0]) for a, ends in zip(first, func.written, strict=True)]),
        tuple([b if ends is None else max(b, ends[1]) for b, ends in zip(last, func.written, strict=True)]),
    )
