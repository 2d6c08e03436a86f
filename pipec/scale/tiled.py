"""realize_tiled: a pipeline from and to arrays larger than memory, tile by tile."""

from __future__ import annotations

import contextlib
import math
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pipec.autoschedule.progress import ProgressLine, duration
from pipec.errors import ArgumentError, DimensionError, NotSupportedError, TileError
from pipec.func.buffers.buffer import Buffer
from pipec.jit.runtime.library import runtime
from pipec.pipeline.calls.thread_limit import SETTING, limited_threads
from pipec.pipeline.pipeline import Pipeline
from pipec.pipeline.queries import Box, output_buffers
from pipec.records import dataclass, field
from pipec.scale.blocking import explain_blocking
from pipec.scale.inputs import named_values, output_sizes
from pipec.scale.journal import Journal, digest_of
from pipec.scale.opening import open_destination, open_source
from pipec.scale.overlap import Ahead, BufferPool
from pipec.scale.portable import algorithm_digest
from pipec.scale.reductions import with_whole_reductions
from pipec.scale.storage import ArrayStorage, part_of
from pipec.scale.tiles import UNIT, TileCost, Tiling, bytes_of, choose_tiling
from pipec.scale.windowed_reader import WindowReader, check_source, slices_of
from pipec.scale.windows import FrozenPipeline, WindowedPipeline, program_of
from pipec.target import Target

# The part of an output that is computed, and the one that is written meanwhile.
OUTPUTS_IN_USE = 2


@dataclass
class TiledRun:
    """What a tiled run did. Times in seconds, of threads that overlap: their sum may exceed `seconds`.

    `tile`: the size of a tile, rows first; `tiles`: how many there are, of which `resumed` were finished before.
    """

    tile: tuple[int, ...]
    tiles: int
    resumed: int = 0
    seconds: float = 0.0
    reading: float = 0.0
    computing: float = 0.0
    writing: float = 0.0
    bytes_read: int = 0
    bytes_written: int = 0
    reductions: tuple[str, ...] = ()

    def __str__(self) -> str:
        times = f"reading {self.reading:.2f} s, computing {self.computing:.2f} s, writing {self.writing:.2f} s"
        amounts = f"{self.bytes_read / 1e6:.4g} MB read, {self.bytes_written / 1e6:.4g} MB written"
        shape = " x ".join(map(str, self.tile))
        return f"{self.tiles} tiles of {shape}, {self.resumed} resumed, {self.seconds:.2f} s ({times}; {amounts})"


@dataclass
class Tile:
    """A tile on its way: its number, box, the boxes that are computed, and the Buffers in use."""

    number: int
    box: Box
    computed: dict[str, Box]
    windows: dict[str, Buffer]
    outputs: dict[str, Buffer] = field(default_factory=dict)


def realize_tiled(
    pipeline: Pipeline,
    inputs: Mapping[str, Any],
    destination: Any,
    *,
    sizes: Sequence[int] | None = None,
    memory: str | int = "1 GB",
    tile: Sequence[int] | None = None,
    resume: str | os.PathLike[str] | None = None,
    verbose: bool | None = None,
    threads: int | None = None,
    target: Target | None = None,
) -> TiledRun:
    """The work of `Pipeline.realize_tiled`, which describes the parameters."""
    started = time.perf_counter()
    program = program_of(pipeline, target)
    images, scalars = named_values(program, inputs)
    limit = bytes_of(memory)
    with contextlib.ExitStack() as stack:
        stack.enter_context(limited_threads(threads))
        sources = {name: stack.enter_context(open_source(value, name)) for name, value in images.items()}
        for name, source in sources.items():
            check_source(program, name, source)
        whole = {name: _box_of(images[name], source) for name, source in sources.items()}
        box = output_sizes(program, whole, sizes)
        identity = _identity(program, sources, scalars, box)
        journal = Journal(resume, identity)
        stack.callback(journal.close)
        boxes = {**whole, **{name: box for name, _, _ in output_buffers(program.definition)}}
        program, reduced = with_whole_reductions(program, sources, boxes, scalars, limit, journal)
        windowed = WindowedPipeline(program, sources, boxes, scalars)
        destinations = _destinations(windowed, destination, box, sources)
        for storage in destinations.values():
            stack.enter_context(storage)
        if math.prod([extent for _, extent in box]) == 0:
            return TiledRun(tuple([extent for _, extent in reversed(box)]), 0, reductions=tuple(reduced))
        reader = WindowReader(windowed, sources)
        stack.callback(reader.close)
        chosen = tile if tile is not None else journal.header.get("tile")
        tiling = _tiling(windowed, reader, destinations, box, chosen, limit)
        run = TiledRun(tuple(reversed(tiling.size)), len(tiling), reductions=tuple(reduced))
        journal.start(tile=list(run.tile))
        _Run(windowed, reader, destinations, tiling, journal, run, verbose).run()
    run.seconds = time.perf_counter() - started
    return run


def _box_of(value: Any, source: ArrayStorage) -> Box:
    minima = [0] * len(source.shape)
    if isinstance(value, Buffer):
        minima = [value.dim(d).min() for d in range(value.dimensions())]
    return list(zip(minima, reversed(source.shape), strict=True))


def _identity(
    program: FrozenPipeline, sources: Mapping[str, ArrayStorage], scalars: Mapping[str, Any], box: Box
) -> dict[str, Any]:
    """What two runs have in common that may share a journal."""
    return {
        "pipeline": algorithm_digest(program, scalars),
        "inputs": {name: [list(source.shape), str(source.dtype)] for name, source in sources.items()},
        "sizes": [extent for _, extent in box],
    }


def _destinations(
    windowed: WindowedPipeline, destination: Any, box: Box, sources: Mapping[str, ArrayStorage]
) -> dict[str, ArrayStorage]:
    names = windowed.outputs
    if isinstance(destination, Mapping):
        by_name = dict(destination)
    elif isinstance(destination, list | tuple):
        by_name = dict(zip(names, destination, strict=False))
    else:
        by_name = {names[0]: destination}
    if set(by_name) != set(names):
        raise ArgumentError(
            f"Error: The pipeline has the outputs {', '.join(names)}; give a destination for each, in a list or by"
            " name."
        )
    shape = [extent for _, extent in reversed(box)]
    like = next((source for source in sources.values() if len(source.shape) == len(shape)), None)
    types = {name: windowed.output_types[name].numpy() for name in names}
    opened: dict[str, ArrayStorage] = {}
    try:
        for name in names:
            opened[name] = open_destination(by_name[name], name, shape, types[name], like)
    except BaseException:
        for storage in opened.values():
            storage.close()
        raise
    return opened


def _tiling(
    windowed: WindowedPipeline,
    reader: WindowReader,
    destinations: Mapping[str, ArrayStorage],
    box: Box,
    chosen: Sequence[int] | None,
    limit: int,
) -> Tiling:
    """The tiles of a run. `chosen`: the size of a tile, rows first, where the user or an earlier run decided it."""
    if chosen is not None:
        if len(chosen) != len(box) or min(chosen, default=1) < 1:
            raise DimensionError(f"Error: tile={list(chosen)!r} must have {len(box)} positive sizes, rows first.")
        return Tiling(
            tuple(box), tuple([min(size, max(1, e)) for size, (_, e) in zip(reversed(chosen), box, strict=True)])
        )
    chunks = next((storage.chunks for storage in destinations.values() if storage.chunks is not None), None)
    units = [UNIT] * len(box) if chunks is None else list(reversed(chunks))
    units = [min(unit, max(1, extent)) for unit, (_, extent) in zip(units, box, strict=True)]

    def footprint(part: Box) -> TileCost:
        computed = windowed.grown({name: part for name in windowed.outputs})
        windows = windowed.required(computed)
        inside, outside = windowed.intermediate_bytes(computed), windowed.output_bytes(computed)
        read = reader.bytes_of(windows)
        written = float(outside)
        if chunks is not None:
            written *= math.prod([max(1.0, unit / size) for unit, (_, size) in zip(units, part, strict=True)])
        memory = reader.memory(windows) + inside + OUTPUTS_IN_USE * outside
        # Part of a chunk is written by reading the chunk and writing it again.
        return TileCost(memory, int(read + inside + written * (1 + (written > outside))))

    tiling, cost = choose_tiling(box, units, limit, footprint)
    if tiling is None:
        raise NotSupportedError(explain_blocking(windowed, box, limit, cost.memory))
    return tiling


class _Run:
    """The threads of one run: a reader and a computing one ahead of the caller's, which writes."""

    def __init__(
        self,
        windowed: WindowedPipeline,
        reader: WindowReader,
        destinations: Mapping[str, ArrayStorage],
        tiling: Tiling,
        journal: Journal,
        run: TiledRun,
        verbose: bool | None,
    ) -> None:
        self.windowed, self.reader, self.destinations = windowed, reader, destinations
        self.tiling, self.journal, self.result = tiling, journal, run
        self._line = ProgressLine(windowed.outputs[0], verbose)
        # Settings of this Python thread, which does not compute.
        self._threads = SETTING.threads
        self._pools = {name: BufferPool(self._allocation(name), OUTPUTS_IN_USE) for name in windowed.outputs}
        self._origin = dict.fromkeys(windowed.outputs, list(tiling.whole))
        self._names = ", ".join([name.partition("$")[0] for name in windowed.outputs])

    def _allocation(self, name: str) -> Any:
        return lambda extents: self.windowed.new_window(name, [(0, extent) for extent in extents])

    def run(self) -> None:
        """Computes all tiles that are not finished."""
        try:
            with Ahead(self._read(), name="pipec reader") as tiles, Ahead(self._compute(tiles), name="pipec") as done:
                try:
                    for count, tile in enumerate(done, 1):
                        self._write(tile)
                        left = len(self.tiling) - self.result.resumed - count
                        self._line.show(self._progress(count, left))
                finally:
                    # Threads that wait for memory end.
                    self.reader.close()
                    for pool in self._pools.values():
                        pool.close()
        finally:
            self._line.end()
        self.result.bytes_read = self.reader.bytes_read

    def _progress(self, count: int, left: int) -> str:
        seconds = (time.perf_counter() - self._started) / count * left
        done = len(self.tiling) - left
        return f"{done} of {len(self.tiling)} tiles, {duration(seconds)} left"

    @contextlib.contextmanager
    def _step(self, number: int, box: Box, doing: str) -> Iterator[None]:
        """Errors inside name the tile."""
        try:
            yield
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:
            ranges = ", ".join([f"{low} to {low + extent - 1}" for low, extent in reversed(box)])
            advice = "Finished tiles are recorded: call it again with the same resume= to go on."
            if not self.journal.active:
                advice = "With resume=path finished tiles would be recorded, and a second call would go on there."
            raise TileError(
                f"Error: Tile {number + 1} of {len(self.tiling)} of {self._names} (rows first: {ranges}) failed while"
                f" {doing}: {type(error).__name__}: {error}\n{advice}"
            ) from error

    def _read(self) -> Iterator[Tile]:
        self._started = time.perf_counter()
        for number, box in enumerate(self.tiling.boxes()):
            if self._is_finished(number, box):
                self.result.resumed += 1
                continue
            started = time.perf_counter()
            with self._step(number, box, "its regions were inferred"):
                computed = self.windowed.grown({name: box for name in self.windowed.outputs})
                required = self.windowed.required(computed)
            windows = {}
            for name, window in required.items():
                with self._step(number, box, f"{name} was read"):
                    windows[name] = self.reader.read(name, window)
            self.result.reading += time.perf_counter() - started
            yield Tile(number, box, computed, windows)

    def _is_finished(self, number: int, box: Box) -> bool:
        """Whether an earlier run wrote this tile, and it still is what was written."""
        digests = self.journal.tiles.get(number)
        if digests is None or len(digests) != len(self.destinations):
            return False
        for (name, storage), digest in zip(self.destinations.items(), digests, strict=True):
            array = np.empty([extent for _, extent in reversed(box)], storage.dtype)
            try:
                storage.read(slices_of(box, self._origin[name]), array)
            except Exception:
                # Codecs of files raise errors of many kinds. What cannot be read is written again.
                return False
            if digest_of(array) != digest:
                return False
        return True

    def _compute(self, tiles: Ahead[Tile]) -> Iterator[Tile]:
        volume = 0
        for tile in tiles:
            for name, box in tile.computed.items():
                tile.outputs[name] = self._output(name, box, tile.box)
            needed = sum([window.numpy().size for window in (*tile.windows.values(), *tile.outputs.values())])
            if not volume / 2 <= needed <= volume:
                # The pool has no blocks that fit: those of the tiles before would only be held.
                runtime().trim()
                volume = needed
            started = time.perf_counter()
            with self._step(tile.number, tile.box, "it was computed"), limited_threads(self._threads):
                self.windowed.run(tile.windows, tile.outputs)
            self.result.computing += time.perf_counter() - started
            for name, window in tile.windows.items():
                self.reader.release(name, window)
            yield tile
        runtime().trim()

    def _output(self, name: str, computed: Box, box: Box) -> Buffer:
        """Memory for a part of an output: the destination's own, where it has any."""
        view = self.destinations[name].view(slices_of(box, self._origin[name])) if computed == box else None
        if view is not None:
            buffer = Buffer(view)
            buffer.set_min([low for low, _ in computed])
            return buffer
        return self._pools[name].acquire(computed)

    def _write(self, tile: Tile) -> None:
        started = time.perf_counter()
        digests = []
        for name, storage in self.destinations.items():
            buffer, computed = tile.outputs[name], tile.computed[name]
            array = part_of(buffer.numpy(), slices_of(tile.box, computed))
            place = slices_of(tile.box, self._origin[name])
            own = storage.view(place) if computed == tile.box else None
            with self._step(tile.number, tile.box, f"{storage.name} was written"):
                if own is None:
                    storage.write(place, array)
            if self.journal.active:
                digests.append(digest_of(array))
            self.result.bytes_written += array.nbytes
            if own is None:
                self._pools[name].release(buffer)
        self.result.writing += time.perf_counter() - started
        with self._step(tile.number, tile.box, "it was recorded"):
            self.journal.finish(tile.number, digests)
