"""Memory traffic: the bytes that move between memory and the cache levels while the loops of a stage run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from pipec.autoschedule.dag.regions import Box, Need
from pipec.autoschedule.features.features import StageFeatures
from pipec.autoschedule.space.loop_tree import StageName, StagePosition
from pipec.lower.passes.flatten_storage import CONFLICT_BYTES, SPREAD_BYTES
from pipec.target import LINE_BYTES

SHORT_RUN = 192
"""Bytes of neighbouring lines that hardware does not yet take for a stream which it should fetch ahead."""
MANY_ROWS = 8
STREAMS = 24  # rows that are followed side by side without any of them being forgotten
FEW_STREAMS = 8  # of all arrays, each of which is fetched ahead as if it were alone
CROWDED_RUN = 4 * LINE_BYTES
"""Bytes for which waiting for the first costs what it does for all lines where `STREAMS` too many are followed."""
PAGE = 4096
SCATTERED = 16.0
"""Bytes of each place that data decide: mostly it is near the one before, at worst in another line."""
USABLE_CACHE_FRACTION = 0.8
FAR = 512  # bytes between rows beyond which their lines are no stream either


class ArrayMemory(NamedTuple):
    """A Func's or image's memory. `total`: its bytes; `depth`: of the compute level that stores it, or -1 when
    it outlives the group; `bytes_between_calls`: that a call touches at least before the next one
    returns to it; `streamed`: its stores bypass the caches; `intermediate`: lowering lays its rows out."""

    extents: tuple[int, ...]
    bytes: int
    order: tuple[int, ...]  # dimensions, innermost in memory first
    total: float
    depth: int
    bytes_between_calls: float = 0.0
    streamed: bool = False
    intermediate: bool = True

    def pitch(self) -> int:
        """Bytes from one row to the next."""
        row = self.extents[self.order[0]] * self.bytes if self.order else self.bytes
        apart = self.intermediate and self.total > SPREAD_BYTES and row % CONFLICT_BYTES == 0
        return row + LINE_BYTES if apart else row

    def pitches(self) -> Iterator[int]:
        """Bytes from one element to the next in each dimension, innermost in memory first."""
        step = self.bytes
        for place, d in enumerate(self.order):
            yield step
            step = step * self.extents[d] if place else self.pitch()


class Cache(NamedTuple):
    """One level of the cache: size in bytes, usable bytes, associativity, sharers, and how many there are."""

    size: float
    usable: float  # bytes of it that may be counted on
    ways: float  # 0: addresses are spread over it, whatever their distances
    sharers: float = 1.0  # threads that have their own data in it
    copies: float = 1.0  # of threads that have one each, with a part of the data

    def lost_in_sets(self, touched: Footprint) -> float:
        """Returns the share of rows that is evicted as they meet in the same sets: at distances that are powers of two,
        for example. Evictions begin and grow as in `lost`."""
        if not self.ways or touched.rows <= self.ways or not touched.steps:
            return 0.0
        span = int(self.size / self.ways)
        starts = math.prod([min(count, span // math.gcd(step, span)) for step, count in touched.steps])
        reachable = span // math.gcd(span, *[step for step, _ in touched.steps])
        run = max(1.0, touched.run // LINE_BYTES) * LINE_BYTES
        room = self.ways * min(span, min(starts, reachable) * run)
        return min(1.0, max(0.0, touched.rows * run / room - 1))

    def lost(self, between: float) -> float:
        """Returns the share of some data that is evicted after `between` bytes of other data.

        A thread comes to the same part of an array in each of the loops (jit/runtime/pool.c).
        """
        return min(1.0, max(0.0, between / (self.copies * self.usable) - 1))


class Moved(NamedTuple):
    """Bytes that a cache gets from further out and gives back; lines among them that are no part of a longer run; and
    how many longer runs there are."""

    bytes: float
    lines_read: float
    lines_written: float
    stretches: float


class LoopTraffic(NamedTuple):
    """One loop around a block: what it covers, how often it runs, at which depth it is the last loop (or -1).

    Depths between which nothing is repeated are one: the outermost of them stands for all.
    """

    cover: Box
    iterations: float
    depth: int


def levels(stage: StagePosition, outermost_depths: Sequence[int]) -> list[LoopTraffic]:
    """The loops around the block, innermost first, beginning with the block itself. `outermost_depths`: see
    `outermost`.
    """
    own = len(stage.nest.tiles)
    result = [LoopTraffic(stage.covers[-1], stage.iterations[-1], outermost_depths[-1])]
    for level in range(own - 1, -1, -1):
        depth = stage.depth + level
        (first, last), trips = map(list, result[-1].cover), stage.trips[level]
        outer = stage.covers[depth]
        iterations = stage.iterations[depth + 1]
        moving = [d for d in stage.nest.order if trips[d] > 1]
        for number, d in enumerate(moving):
            first[d], last[d] = outer[0][d], outer[1][d]
            iterations /= trips[d]
            inner = number < len(moving) - 1
            result.append(
                LoopTraffic((tuple(first), tuple(last)), iterations, -1 if inner else outermost_depths[depth])
            )
    for depth in range(stage.depth - 1, -1, -1):
        if stage.iterations[depth] < stage.iterations[depth + 1]:
            result += _inner_loops_around(stage, depth)
            result.append(LoopTraffic(stage.covers[depth], stage.iterations[depth], outermost_depths[depth]))
    return result


def _inner_loops_around(stage: StagePosition, depth: int) -> list[LoopTraffic]:
    """The loops of the level around a stage at a depth but for the outermost one: what they move is covered whole."""
    around, level = stage.member.nest_levels[depth]
    trips = around.trips[level]
    moving = [loop for loop in around.nest.order if trips[loop] > 1]
    first, last = map(list, stage.covers[depth + 1])
    outer, iterations, result = stage.covers[depth], stage.iterations[depth + 1], []
    for loop in moving[:-1]:
        for d, step in enumerate(stage.member.motion(around, loop)):
            if step:
                first[d], last[d] = outer[0][d], outer[1][d]
        iterations /= trips[loop]
        result.append(LoopTraffic((tuple(first), tuple(last)), iterations, -1))
    return result


def outermost(iterations: Sequence[float]) -> list[int]:
    """Returns for each depth the outermost depth that runs no less often."""
    result = [0]
    for depth, (outer, inner) in enumerate(pairwise(iterations), start=1):
        result.append(result[-1] if inner == outer else depth)
    return result


class Footprint(NamedTuple):
    """The footprint of an array: bytes of lines, bytes of a row, rows.

    `steps`: for each dimension in which rows lie, the bytes between neighbours and how many there are; none where data
    decide the places.
    """

    bytes: float
    run: float
    rows: float
    steps: tuple[tuple[int, int], ...] = ()


class MemoryRun(NamedTuple):
    """The touched part of an array: bytes of neighbouring lines, the number of such rows, whether they are all of its
    rows, and where they lie (see Footprint)."""

    bytes: float
    rows: float
    whole: bool
    steps: tuple[tuple[int, int], ...]


def run_of(need: Need, cover: Box, array: ArrayMemory) -> MemoryRun:
    """Returns the runs of an array that a box of iterations touches."""
    first, last = need.box(*cover)
    rows, run, whole = 1.0, float(array.bytes), True
    steps: list[tuple[int, int]] = []
    for place, (d, pitch) in enumerate(zip(array.order, array.pitches(), strict=True)):
        length = last[d] - first[d] + 1
        distinct = min(length, need.distinct(d, *cover)) if place else length
        if whole and distinct == length:
            run *= length
            whole = length >= array.extents[d]
            continue
        whole = False
        step = pitch * (length - 1) // (distinct - 1) if distinct > 1 else 0
        if rows == 1 and step <= LINE_BYTES:
            # One channel of pixels that lie side by side, for example: all of their lines are touched.
            run += step * (distinct - 1)
            continue
        rows *= distinct
        if distinct > 1:
            steps.append((int(step), int(distinct)))
    return MemoryRun(run, rows, whole, tuple(steps))


def footprint(need: Need, cover: Box, array: ArrayMemory) -> Footprint:
    """Returns the bytes that a box of iterations touches, in whole cache lines where runs are short."""
    whole = _footprint(need, cover, array)
    if not need.apart:
        return whole
    # A pixel and those around it, and one at a place that is the same for all, have most of an image between them.
    parts = [_footprint(part, cover, array) for part in need.apart]
    total = sum([part.bytes for part in parts])
    if total >= whole.bytes:
        return whole
    steps = max(parts, key=lambda part: part.rows).steps
    return Footprint(total, max([part.run for part in parts]), sum([part.rows for part in parts]), steps)


def _footprint(need: Need, cover: Box, array: ArrayMemory) -> Footprint:
    run, rows, whole, steps = run_of(need, cover, array)
    if array.order:
        first, last = need.box(*cover)
        along = array.order[0]
        row, count = float(array.bytes * (last[along] - first[along] + 1)), need.rows(along, *cover)
        # Rows of a star of taps, for example, are fewer than those of the box around it.
        if count * _in_lines(row) < rows * run:
            run, rows, whole = row, count, False
    places, place = need.scattered(*cover), max(float(array.bytes), SCATTERED)
    if places * place < rows * run:
        return Footprint(places * place, place, places)
    # Lanes far apart in a row, as of blocks of a reduction, touch a line each.
    places, place = float(math.prod([need.distinct(d, *cover) for d in array.order])), 1.5 * LINE_BYTES
    if places * place < rows * run:
        return Footprint(places * place, place, places)
    if not whole:
        run = _in_lines(run)
    return Footprint(min(rows * run, array.total + LINE_BYTES), run, rows, steps)


def _in_lines(run: float) -> float:
    """The bytes of all lines that a run of bytes touches, wherever it begins."""
    return (math.ceil(run / LINE_BYTES) + 0.5) * LINE_BYTES


FootprintMemo = dict[tuple[str, int, Box], Footprint]
NestLevel = tuple[StageName, int]
Met = tuple[tuple[str, int, float], ...]
"""Arrays that another stage has just touched: in the same turn of which loop around, and bytes that lie between."""


class Footprints:
    """Bytes that each array takes at each loop around a stage. Equal arrays have to be the same object: what is touched
    of them is remembered in `known`. `needs`: by the stage's loops, or those of its interleave's view.
    """

    def __init__(
        self, stage: StagePosition, needs: Mapping[str, Need], arrays: Mapping[str, ArrayMemory], memo: FootprintMemo
    ) -> None:
        self.name, self.arrays, self.needs, self.iterated = stage.info.func, arrays, needs, stage.info.share
        self._outermost = outermost(stage.iterations)
        self.levels = [level._replace(cover=stage.halved(level.cover)) for level in levels(stage, self._outermost)]
        self.prints = {name: self._prints(name, need, arrays[name], memo) for name, need in needs.items()}
        self._outliving = [name for name, array in arrays.items() if array.depth < 0]
        self.stretches = self._stretches(needs[self.name])
        self.bytes = {name: [entry.bytes for entry in prints] for name, prints in self.prints.items()}
        cached = {name: sizes for name, sizes in self.bytes.items() if not arrays[name].streamed}
        self.working = [sum([sizes[number] for sizes in cached.values()]) for number in range(len(self.levels))]
        self.common = [
            sum([sizes[number] for sizes in cached.values() if sizes[number] >= sizes[-1]])
            for number in range(len(self.levels))
        ]
        # What every task needs all of.
        task = next((n for n, level in enumerate(self.levels) if 0 <= level.depth <= 1), len(self.levels) - 1)
        self.whole = {name for name, sizes in self.bytes.items() if sizes[task] >= sizes[-1]}
        self.whole_bytes = sum([sizes[-1] for name, sizes in cached.items() if name in self.whole])
        self.rows: dict[tuple[float, tuple[float, ...], Met], StageFeatures] = {}
        self._nest_levels = [
            (number, _nest_level(stage, level.depth), {name: sizes[number] for name, sizes in cached.items()})
            for number, level in enumerate(self.levels)
            if level.depth >= 0
        ]
        self._meetings: dict[tuple[Footprints, str], tuple[int, float] | None] = {}

    def _prints(self, name: str, need: Need, array: ArrayMemory, memo: FootprintMemo) -> list[Footprint]:
        result = []
        for level in self.levels:
            key = name, id(array), level.cover
            entry = memo.get(key)
            if entry is None:
                entry = memo[key] = footprint(need, level.cover, array)
            result.append(entry)
        return result

    def _stretches(self, stored: Need) -> dict[str, float]:
        """Of each array the bytes of neighbours that are touched one after the other.

        Where a block or tile has rows that follow each other in memory, a row ends where others have gone on, and the
        hardware has to find the next ones; rows far apart, as those of planes, go on with the rows behind them. The
        more streams there are, the later each of them is fetched.
        """
        own = self.arrays[self.name]
        block, far = _rows_beside(stored, self.levels[0].cover, own)
        in_row = takewhile(lambda level: not _has_whole_row(stored, level.cover, own), self.levels)
        near = max([_rows_beside(stored, level.cover, own)[0] for level in in_row], default=1)
        streams = max(1.0, block * min(1.0, own.pitch() / PAGE)) * far * len(self._outliving)
        limit = own.pitch() if near > 1 and own.pitch() > FAR else math.inf
        if streams > FEW_STREAMS:
            limit = min(limit, CROWDED_RUN * STREAMS / (streams - FEW_STREAMS))
        return {
            name: max(prints[0].run, min(_stretch(prints, self.arrays[name].pitch()), limit))
            for name, prints in self.prints.items()
        }

    def share(self, nest_levels: dict[NestLevel, dict[str, float]]) -> None:
        """Adds to the compute levels around the stage, its own among them, what one iteration of them touches."""
        for _, nest_level, own in self._nest_levels:
            touched = nest_levels.get(nest_level)
            if touched is None:
                nest_levels[nest_level] = own.copy()
                continue
            for name, size in own.items():
                if touched.get(name, 0.0) < size:
                    touched[name] = size

    def met(self, earlier: Sequence[Footprints]) -> Met:
        """What of arrays that outlive the group stages have touched that run before this one in the same loops."""
        meetings: dict[str, tuple[int, float]] = {}
        for other in earlier:
            for name in self._outliving:
                if name in other.arrays:
                    meeting = self._meeting(other, name)
                    if meeting is not None and meeting < meetings.get(name, (len(self.levels), 0.0)):
                        meetings[name] = meeting
        return tuple([(name, *meeting) for name, meeting in meetings.items()])

    def _meeting(self, other: Footprints, name: str) -> tuple[int, float] | None:
        """The innermost loop around both in a turn of which another stage touches as much of an array, and the bytes
        that lie between the two places."""
        key = other, name
        if key not in self._meetings:
            self._meetings[key] = self._find_meeting(other, name)
        return self._meetings[key]

    def _find_meeting(self, other: Footprints, name: str) -> tuple[int, float] | None:
        theirs = {nest_level: number for number, nest_level, _ in other._nest_levels}
        for number, nest_level, _ in self._nest_levels:
            if nest_level in theirs:
                own = self.needs[name].box(*self.levels[number].cover)
                before = other.needs[name].box(*other.levels[theirs[nest_level]].cover)
                sides = list(zip(*own, *before, strict=True))
                if all(b - a <= d - c for a, b, c, d in sides):
                    union = math.prod([(max(b, d) - min(a, c) + 1) / (b - a + 1) for a, b, c, d in sides])
                    return number, (union - 1) * self.bytes[name][number]
        return None

    def enlarged(self, touched: Mapping[NestLevel, float]) -> tuple[float, ...]:
        """The bytes at each loop, with what other stages touch in the same iterations."""
        least, done, working = 0.0, 0, list(self.working)
        for number, nest_level, _ in self._nest_levels:
            for k in range(done, number):
                working[k] = max(working[k], least)
            least, done = max(least, touched[nest_level]), number
        for k in range(done, len(working)):
            working[k] = max(working[k], least)
        return tuple(working)

    def _fitting(self, cache: Cache, enlarged: tuple[float, ...]) -> int:
        """The number of the outermost loop all of whose data stay in a cache; -1 when not even those of a block do."""
        fitting = -1
        for number, working in enumerate(enlarged):
            # What all tasks read is there once.
            usable = (cache.usable + (cache.sharers - 1) * self.common[number]) / cache.sharers
            if working > usable:
                break
            fitting = number
        return fitting

    def _refetched(self, name: str, cache: Cache, fitting: int) -> float:
        """Bytes of an array that a cache with room for all of them gets again, for lack of room in its sets."""
        prints, levels = self.prints[name], self.levels
        outer = min(fitting + 1, len(levels) - 1)
        once = prints[outer].bytes * levels[outer].iterations
        refetched = 0.0
        for number, entry in enumerate(prints[: fitting + 1] if cache.ways else ()):
            lost = cache.lost_in_sets(entry)
            if lost:
                refetched = max(refetched, lost * (entry.bytes * levels[number].iterations - once))
        return refetched * self.iterated

    def moved(self, cache: Cache, written: str, working: tuple[float, ...], met: Met) -> Moved:
        """Returns the traffic of the whole run; `working`: bytes at each loop, see `enlarged`."""
        fitting = self._fitting(cache, working)
        there = {name for name, number, more in met if number <= fitting and working[number] + more <= cache.usable}
        total = read = stored = stretches = 0.0
        for name, prints in self.prints.items():
            array = self.arrays[name]
            if array.streamed:  # written to memory, past all caches
                continue
            refetched = self._refetched(name, cache, fitting)
            total, read = total + refetched, read + refetched / LINE_BYTES
            if name in there or (array.depth >= 0 and fitting >= 0 and self._inside(fitting, array.depth)):
                continue
            number = min(fitting + 1, len(self.levels) - 1)
            entry = prints[number]
            times = cache.copies if name in self.whole else 1.0
            first = times * prints[-1].bytes
            amount = max(entry.bytes * self.levels[number].iterations * self.iterated, first)
            if array.depth < 0:
                # What comes in for the first time may still be there from when it was made or used before. Of what all
                # tasks need, each thread has computed its part.
                between = max(working[-1], array.bytes_between_calls) + (cache.copies - 1) * self.whole_bytes
                parts = times if array.intermediate else 1.0
                amount -= first / parts * (1 - cache.lost(between))
                amount = max(0.0, amount)
            block = prints[0]
            # Hardware fetches nothing ahead of a gather, so that its lines are no stretches; stores wait otherwise.
            is_scattered = name != written and block.rows >= MANY_ROWS and not block.steps
            far = entry.run < SHORT_RUN and entry.rows >= MANY_ROWS and array.pitch() > FAR
            lines = amount / LINE_BYTES if far or is_scattered else 0.0
            stretches += 0.0 if lines else amount / self.stretches[name]
            if name == written:
                total, stored = total + 2 * amount, stored + lines
            else:
                total, read = total + amount, read + lines
        return Moved(total, read, stored, stretches)

    def _inside(self, number: int, depth: int) -> bool:
        """Whether the loop covers all of one iteration at a depth."""
        level, depth = self.levels[number], self._outermost[depth]
        depths = [entry.depth for entry in self.levels[number:] if entry.depth >= 0]
        if level.depth >= 0:
            return level.depth <= depth
        return bool(depths) and depths[0] < depth


def _stretch(prints: Sequence[Footprint], pitch: int) -> float:
    """Bytes of neighbours that are touched one after the other, before more other rows than the hardware follows.

    Rows of one page are one stream.
    """
    streams = min(1.0, pitch / PAGE)
    followed = takewhile(lambda pair: pair[0].rows * streams <= STREAMS, pairwise(prints))
    return max([prints[0].run, *[longer.run for _, longer in followed]])


def _has_whole_row(need: Need, cover: Box, array: ArrayMemory) -> bool:
    first, last = need.box(*cover)
    return not array.order or last[array.order[0]] - first[array.order[0]] + 1 >= array.extents[array.order[0]]


def _rows_beside(need: Need, cover: Box, array: ArrayMemory) -> tuple[int, int]:
    """The rows of a box of iterations that follow each other in memory, and how often it has these."""
    first, last = need.box(*cover)
    near, *far = [last[d] - first[d] + 1 for d in array.order[1:]] or [1]
    return near, math.prod(far)


def _nest_level(stage: StagePosition, depth: int) -> NestLevel:
    if depth == 0:
        return ("", 0), 0
    if depth > stage.depth:
        return (stage.info.func, stage.info.number), depth - stage.depth
    around, level = stage.member.nest_levels[depth - 1]
    return (around.info.func, around.info.number), level + 1


LONG_RUN = 8 * LINE_BYTES
"""Bytes that a task writes one after the other, of which the first and the last line don't matter."""


def contested(stage: StagePosition, array: ArrayMemory) -> float:
    """The share of a stage's stores that go to lines which neighbouring tasks write too. For stages at root."""
    parallel = [d for d in stage.nest.parallel if stage.trips[0][d] > 1]
    if not parallel or stage.info.func not in stage.needs:
        return 0.0
    (first, last), (begin, end) = map(list, stage.covers[0]), stage.covers[1]
    for d in parallel:
        first[d], last[d] = begin[d], end[d]
    need = stage.needs[stage.info.func]
    if need.box(first, last) == need.box(*stage.covers[0]):
        return 0.0  # partial results, which are combined atomically
    run = run_of(need, (tuple(first), tuple(last)), array).bytes
    twice = 0.0 if array.intermediate or stage.info.number else _stored_twice(stage, parallel)
    if run >= LONG_RUN or (run % LINE_BYTES == 0 and array.pitch() % LINE_BYTES == 0):
        return twice
    return min(1.0, LINE_BYTES / run + twice)


def _stored_twice(stage: StagePosition, parallel: Sequence[int]) -> float:
    """The share of stores where the last task of a loop is shifted inwards, over what the one before stores."""
    shares = []
    for d in parallel:
        computed = stage.trips[0][d] * (stage.covers[1][1][d] - stage.covers[1][0][d] + 1)
        shares.append(2 * max(0, computed - stage.info.loops[d].extent) / computed)
    return max(shares)
