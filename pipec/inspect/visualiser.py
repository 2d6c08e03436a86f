"""`Pipeline.visualize`: an animation of how a schedule walks its images, from the trace of a run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pipec.autoschedule.dag.estimates import Like
from pipec.errors import ArgumentError
from pipec.func.functions.function import Function
from pipec.func.functions.handlers import Handlers
from pipec.inspect.explorer import edges_of
from pipec.inspect.pages import in_notebook, page
from pipec.inspect.subject import Subject, subject_of
from pipec.ir.program import ProgramArgumentKind
from pipec.jit.runtime.library import runtime
from pipec.pipeline.calls.compiled import CompiledPipeline
from pipec.pipeline.observation.trace_event import TraceEvent, TraceEventKind
from pipec.records import dataclass
from pipec.scale.video import write_video
from pipec.target import Target, TargetFeature

MAX_STEPS = 200_000
MAX_FRAMES = 240
DEFAULT_EXTENTS = (32, 24)
PAGE_HEIGHT = 560
WIDTH, GAP, TITLE = 1100, 26, 20
"""Pixels of a picture: its width at most, and the room between panels and for their titles."""
MIN_CELL, MAX_CELL = 2, 14
TRACES = (TargetFeature.TraceLoads, TargetFeature.TraceStores, TargetFeature.TraceRealizations)
LOAD, STORE, BEGIN, END = range(4)
_KINDS = {
    TraceEventKind.load: LOAD,
    TraceEventKind.store: STORE,
    TraceEventKind.begin_realization: BEGIN,
    TraceEventKind.end_realization: END,
}
EMPTY, INPUT, VALUE, RECOMPUTED, FREED, LOADED, STORED = range(7)
"""The states of a point: nothing yet, an input, computed, computed again, no longer stored, read now, computed now."""
COLOURS = np.array(
    [(238, 240, 244), (214, 222, 233), (134, 190, 146), (230, 159, 60), (190, 194, 202), (66, 135, 245), (200, 40, 60)],
    np.uint8,
)


class Panel(NamedTuple):
    """The points of a Func or image, dimensions beyond the second side by side; `left`, `top`: in pixels."""

    name: str
    box: tuple[tuple[int, int], ...]
    columns: int
    rows: int
    left: int
    top: int

    def cell(self, point: Sequence[int]) -> int:
        """The number of the cell of a point, -1 for points outside."""
        column = row = 0
        step = 1
        for d, ((low, extent), coordinate) in enumerate(zip(self.box, point, strict=True)):
            place = coordinate - low
            if not 0 <= place < extent:
                return -1
            if d == 1:
                row = place
                step = self.box[0][1] + 1
            else:
                column += place * step
                step *= extent if d else 1
        return row * self.columns + column


class Step(NamedTuple):
    """What happens at one moment: its kind, the number of its panel, and the cells."""

    kind: int
    panel: int
    cells: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Animation:
    """How a schedule walks its images, step by step. `cell`: pixels of a point."""

    pipeline: str
    panels: tuple[Panel, ...]
    edges: tuple[tuple[int, int], ...]
    steps: tuple[Step, ...]
    inputs: frozenset[int]
    cell: int
    size: tuple[int, int]

    def frames(self, count: int = MAX_FRAMES) -> Iterator[np.ndarray]:
        """Returns at most `count` pictures, arrays of height x width x 3 bytes, at equal numbers of steps."""
        base, state = _background(self), PointStates(self)
        yield _picture(self, base, state)
        for number in range(1, count + 1):
            end = len(self.steps) * number // count
            if end == state.done:
                continue
            state.advance(end)
            yield _picture(self, base, state)

    def to_html(self) -> str:
        """A page with a canvas, a slider and keys, which needs no other file."""
        data = {
            "panels": [panel._asdict() for panel in self.panels],
            "edges": self.edges,
            "steps": [[step.kind, step.panel, *step.cells] for step in self.steps],
            "inputs": sorted(self.inputs),
            "cell": self.cell,
            "size": self.size,
            "colours": [f"rgb({r} {g} {b})" for r, g, b in COLOURS.tolist()],
        }
        return page("visualiser", f"Execution of {self.pipeline}", data)

    def save(self, path: str | Path, seconds: float = 12.0) -> Path:
        """Writes the animation: `.html`, `.gif`, `.png` or `.apng` (animated PNG), or `.mp4`; pictures last `seconds`.

        MissingPackageError for `.mp4` without PyAV.
        """
        path = Path(path)
        if path.suffix == ".html":
            path.write_text(self.to_html(), encoding="utf-8")
            return path
        if path.suffix not in (".gif", ".png", ".apng", ".mp4"):
            raise ArgumentError(f"Error: There is no format for {path.name}: give .html, .gif, .png, .apng or .mp4.")
        frames = list(self.frames())
        if path.suffix == ".mp4":
            _write_video(path, frames, seconds)
        else:
            _write_pictures(path, frames, seconds)
        return path

    def _repr_html_(self) -> str:
        return in_notebook(self.to_html(), PAGE_HEIGHT)


class PointStates:
    """What each point of each panel has come to after a number of steps."""

    def __init__(self, animation: Animation) -> None:
        self.animation, self.done = animation, 0
        self.cells = [np.full(p.columns * p.rows, EMPTY, np.uint8) for p in animation.panels]
        self.counts = [np.zeros(p.columns * p.rows, np.int32) for p in animation.panels]
        for number in animation.inputs:
            self.cells[number][:] = INPUT
        self.now: list[Step] = []

    def advance(self, end: int) -> None:
        """Goes on to a number of steps; the steps on the way count as what happens now."""
        self.now = list(self.animation.steps[self.done : end])
        self.done = end
        for kind, panel, cells in self.now:
            if kind == STORE:
                places = list(cells)
                self.counts[panel][places] += 1
                repeated = self.counts[panel][places] > 1
                self.cells[panel][places] = np.where(repeated, RECOMPUTED, VALUE)
            elif kind in (BEGIN, END):
                own = self.cells[panel]
                own[(own == VALUE) | (own == RECOMPUTED)] = FREED

    def shown(self) -> list[np.ndarray]:
        """Returns the states with what is read and computed now."""
        result = [cells.copy() for cells in self.cells]
        for kind, panel, cells in self.now:
            if kind in (LOAD, STORE) and cells:
                result[panel][list(cells)] = LOADED if kind == LOAD else STORED
        return result


def visualize(
    outputs: Sequence[Function],
    like: Like = None,
    sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
    *,
    target: Target | None = None,
) -> Animation:
    """As `Pipeline.visualize`, of these outputs."""
    if sizes is None and like is None:
        sizes = {f.name: [*DEFAULT_EXTENTS, 3, 2][: len(f.args)] for f in outputs}
    subject = subject_of(outputs, like, sizes, target=target)
    events = traced(subject)
    boxes = _boxes(subject, events)
    edges = [(a, b) for a, b in edges_of(subject.definition) if a in boxes and b in boxes]
    panels, cell, size = _layout(boxes, edges)
    numbers = {panel.name: number for number, panel in enumerate(panels)}
    steps = []
    for event in events:
        number = numbers.get(event.func)
        kind = _KINDS.get(event.event)
        if number is None or kind is None or event.value_index:
            continue
        cells = tuple([c for c in (panels[number].cell(p) for p in _points(event)) if c >= 0]) if kind <= STORE else ()
        if kind != END or event.func not in subject.definition.outputs:
            steps.append(Step(kind, number, cells))
    return Animation(
        subject.definition.name.partition("$")[0],
        tuple(_with_short_names(panels)),
        tuple([(numbers[a], numbers[b]) for a, b in edges]),
        tuple(steps),
        frozenset([numbers[name] for name in subject.definition.images if name in numbers]),
        cell,
        size,
    )


def _with_short_names(panels: Sequence[Panel]) -> list[Panel]:
    """The panels without the numbers that tell Funcs of one name in a process apart, where they are not needed."""
    short = [panel.name.partition("$")[0] for panel in panels]
    return [p._replace(name=name) if short.count(name) == 1 else p for p, name in zip(panels, short, strict=True)]


def traced(subject: Subject) -> list[TraceEvent]:
    """The events of a run on one thread, so that they have an order. ArgumentError for runs of too many."""
    events: list[TraceEvent] = []

    def handler(event: TraceEvent) -> None:
        events.append(event)
        if len(events) > MAX_STEPS:
            smaller = [max(1, extent // 2) for _, extent in next(iter(subject.task.boxes.values()))]
            raise ArgumentError(
                f"Error: A run of {subject.definition.name} has more than {MAX_STEPS} loads and stores; visualize"
                f" smaller sizes, for example sizes={smaller}."
            )

    target = subject.target
    for feature in TRACES:
        target = target.with_feature(feature)
    handlers = Handlers(trace=handler)
    compiled = CompiledPipeline(subject.definition, subject.schedule, target, handlers, is_variant=True)
    inputs, outputs = subject.task.inputs(), subject.task.outputs()
    threads = runtime().threads()
    runtime().set_threads(1)
    try:
        compiled([(outputs if a.kind is ProgramArgumentKind.OUTPUT else inputs)[a.name] for a in compiled.arguments])
    finally:
        runtime().set_threads(threads)
    return events


def _points(event: TraceEvent) -> list[tuple[int, ...]]:
    """The points of a load or store: one for each lane."""
    if not any(isinstance(part, tuple) for part in event.coordinates):
        return [event.coordinates]
    lanes = max(len(part) for part in event.coordinates if isinstance(part, tuple))
    spread = [part if isinstance(part, tuple) else (part,) * lanes for part in event.coordinates]
    return list(zip(*spread, strict=True))


def _boxes(subject: Subject, events: Sequence[TraceEvent]) -> dict[str, tuple[tuple[int, int], ...]]:
    """The box of each Func and image that the run touched, inputs first, in the order of the pipeline."""
    low: dict[str, list[int]] = {}
    high: dict[str, list[int]] = {}
    for event in events:
        if event.event in (TraceEventKind.load, TraceEventKind.store) and event.coordinates:
            for point in _points(event):
                first, last = low.setdefault(event.func, list(point)), high.setdefault(event.func, list(point))
                for d, coordinate in enumerate(point):
                    first[d], last[d] = min(first[d], coordinate), max(last[d], coordinate)
    order = [*subject.definition.images, *subject.definition.funcs]
    touched = sorted(low, key=lambda name: order.index(name) if name in order else len(order))
    return {n: tuple([(a, b - a + 1) for a, b in zip(low[n], high[n], strict=True)]) for n in touched}


def _layout(
    boxes: Mapping[str, tuple[tuple[int, int], ...]], edges: Sequence[tuple[str, str]]
) -> tuple[list[Panel], int, tuple[int, int]]:
    """Panels in columns by the longest path from an input; returns them, the pixels of a point, and the size."""
    depth: dict[str, int] = {}
    for name in boxes:  # producers first
        depth[name] = max([depth[a] + 1 for a, b in edges if b == name and a in depth], default=0)
    columns = [[name for name in boxes if depth[name] == c] for c in range(max(depth.values(), default=0) + 1)]
    columns = [names for names in columns if names]
    shape = {name: _cells(box) for name, box in boxes.items()}
    total = sum([max(shape[name][0] for name in names) for names in columns]) or 1
    cell = max(MIN_CELL, min(MAX_CELL, (WIDTH - GAP * (len(columns) + 1)) // total))
    panels, left, bottom = [], GAP, 0
    for names in columns:
        top = GAP
        for name in names:
            width, height = shape[name]
            panels.append(Panel(name, boxes[name], width, height, left, top + TITLE))
            top += TITLE + height * cell + GAP
        bottom = max(bottom, top)
        left += max(max(shape[name][0] * cell, 7 * len(name)) for name in names) + GAP
    return panels, cell, (left, bottom)


def _cells(box: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    extents = [extent for _, extent in box]
    planes = math.prod(extents[2:])
    return (extents[0] + 1) * planes - 1, extents[1] if len(extents) > 1 else 1


def _background(animation: Animation) -> np.ndarray:
    """The picture with the titles of the panels only."""
    from PIL import Image, ImageDraw

    width, height = animation.size
    image = Image.new("RGB", (width + width % 2, height + height % 2), "white")
    draw = ImageDraw.Draw(image)
    for panel in animation.panels:
        draw.text((panel.left, panel.top - TITLE + 4), panel.name, fill=(40, 46, 56))
    return np.asarray(image)


def _picture(animation: Animation, base: np.ndarray, state: PointStates) -> np.ndarray:
    picture = base.copy()
    cell = animation.cell
    line = 1 if cell > 4 else 0
    for panel, cells in zip(animation.panels, state.shown(), strict=True):
        grid = COLOURS[cells.reshape(panel.rows, panel.columns)]
        pixels = grid.repeat(cell, 0).repeat(cell, 1)
        if line:
            pixels[cell - 1 :: cell] = pixels[:, cell - 1 :: cell] = 255
        gaps = np.arange(panel.columns) % (panel.box[0][1] + 1) == panel.box[0][1]
        pixels[:, gaps.repeat(cell)] = 255
        picture[panel.top : panel.top + panel.rows * cell, panel.left : panel.left + panel.columns * cell] = pixels
    return picture


def _write_pictures(path: Path, frames: Sequence[np.ndarray], seconds: float) -> None:
    from PIL import Image

    images = [Image.fromarray(frame) for frame in frames]
    if path.suffix == ".gif":
        images = [image.quantize(32, method=Image.Quantize.FASTOCTREE) for image in images]
    duration = max(20, round(1000 * seconds / len(images)))
    kind = "GIF" if path.suffix == ".gif" else "PNG"
    images[0].save(path, kind, save_all=True, append_images=images[1:], duration=duration, loop=0)


def _write_video(path: Path, frames: Sequence[np.ndarray], seconds: float) -> None:
    height, width, _ = frames[0].shape
    even = (0, height % 2), (0, width % 2), (0, 0)  # as the colours of video need
    planes = (np.pad(frame, even, mode="edge").transpose(2, 0, 1) for frame in frames)
    write_video(path, planes, rate=len(frames) / seconds)
