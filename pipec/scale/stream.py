"""Batches and streams: `pipeline.map(items)` and `pipeline.stream(frames)`, read, computed and consumed at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from pipec.errors import ArgumentError, NotSupportedError, PipecError, StreamError
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.pipeline.calls.arguments import bound_value
from pipec.pipeline.calls.compiled import box_of
from pipec.pipeline.calls.runnable import Runnable
from pipec.pipeline.calls.thread_limit import checked_threads, limited_threads
from pipec.pipeline.pipeline import Pipeline
from pipec.pipeline.queries import Box, output_buffers
from pipec.scale.inputs import named_values, output_sizes
from pipec.scale.overlap import Ahead, RecycledArrays
from pipec.scale.storage import part_of
from pipec.scale.windowed_reader import slices_of
from pipec.scale.windows import FrozenPipeline, WindowedPipeline, program_of, whole_name
from pipec.target import Target

Errors = Literal["raise", "skip"] | Callable[[int, Exception], Any]
# The length of a stream whose end is not reached yet, in frames.
ENDLESS = 1 << 24
# Frames of room behind a window, so that moving it to the front is rare.
RING_ROOM = 8


class _Progress:
    """The number of the item at work, for errors."""

    def __init__(self, name: str, what: str, errors: Errors) -> None:
        if not (errors in ("raise", "skip") or callable(errors)):
            raise ArgumentError(f"Error: errors={errors!r} must be 'raise', 'skip' or a function of (number, error).")
        self.name, self.what, self.errors = name.partition("$")[0], what, errors

    def failed(self, number: int, doing: str, error: Exception) -> None:
        """Raises the error with the item's number, or passes it on where the rest shall go on."""
        text = (
            f"Error: {self.what} {number} of {self.name} failed while it was {doing}: {type(error).__name__}: {error}"
        )
        named = StreamError(text)
        if self.errors == "raise":
            raise named from error
        if callable(self.errors):
            named.__cause__ = error
            self.errors(number, named)


def mapped(
    pipeline: Pipeline,
    items: Iterable[Any],
    *,
    sizes: Sequence[int] | None = None,
    errors: Errors = "raise",
    ahead: int = 2,
    threads: int | None = None,
    target: Target | None = None,
) -> Iterator[Any]:
    """The work of `Pipeline.map`, which describes the parameters."""
    run = pipeline._runnable(target)
    progress = _Progress(run.output_names[0], "Item", errors)
    if ahead < 1:
        raise ArgumentError(f"Error: ahead={ahead} must be at least 1.")
    program = program_of(pipeline, target)
    return _mapped(run, program, items, sizes, progress, ahead, checked_threads(threads))


def _mapped(
    run: Runnable,
    program: FrozenPipeline,
    items: Iterable[Any],
    sizes: Sequence[int] | None,
    progress: _Progress,
    ahead: int,
    threads: int | None,
) -> Iterator[Any]:
    arrays = RecycledArrays()

    def compute(read: Ahead[tuple[int, Any]]) -> Iterator[Any]:
        for number, item in read:
            try:
                with limited_threads(threads):
                    result = _computed(run, program, item, sizes, arrays)
            except Exception as error:
                progress.failed(number, "computed", error)
                continue
            yield result
            del result

    with Ahead(_numbered(items, progress), ahead, "pipec reader") as read, Ahead(compute(read), ahead, "pipec") as done:
        yield from done


def _numbered(items: Iterable[Any], progress: _Progress) -> Iterator[tuple[int, Any]]:
    """The items that can be read, with their numbers. An iterator that ends with its error does so here too."""
    iterator, number = iter(items), 0
    while True:
        try:
            item = next(iterator)
        except StopIteration:
            return
        except Exception as error:
            progress.failed(number, "read", error)
        else:
            yield number, item
            del item
        number += 1


def _computed(
    run: Runnable, program: FrozenPipeline, item: Any, sizes: Sequence[int] | None, arrays: RecycledArrays
) -> Any:
    """The outputs for one item, rows first."""
    inputs = item if isinstance(item, Mapping) else {_only_image(program): item}
    images, scalars = named_values(program, inputs)
    whole = {name: [(0, extent) for extent in reversed(_array(name, value).shape)] for name, value in images.items()}
    box = output_sizes(program, whole, sizes)
    values: dict[str, Any] = {
        name: bound_value(name, bound) for name, bound in program.bindings.items() if name not in images
    }
    values.update({**images, **scalars})
    boxes: Mapping[str, Box] = {name: box for name in run.output_names}
    if run.outputs_may_grow:
        numbers = {
            name: value for name, value in values.items() if name not in images and not isinstance(value, Buffer)
        }
        embedded = {name: box_of(value) for name, value in values.items() if isinstance(value, Buffer)}
        boxes = run.grown(boxes, numbers, {**embedded, **whole})
    outputs = []
    for name, kind in zip(run.output_names, run.output_types, strict=True):
        array = arrays.take([extent for _, extent in reversed(boxes[name])], kind.numpy())
        values[name] = Buffer(array)
        values[name].set_min([low for low, _ in boxes[name]])
        outputs.append(part_of(array, slices_of(box, boxes[name])))
    run([values[argument.name] for argument in run.arguments])
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


def _array(name: str, value: Any) -> np.ndarray:
    array = value.numpy() if isinstance(value, Buffer) else as_array(value)
    if array is None:
        raise ArgumentError(f"Error: Input {name} is to be an array, not {value!r:.80}.")
    return array


def _only_image(program: FrozenPipeline) -> str:
    """The ImageParam that items without names are for."""
    names = [n for n, bound in program.bindings.items() if not isinstance(bound, Buffer) and bound.is_buffer()]
    unbound = [name for name in names if program.bindings[name].buffer() is None]
    names = unbound or names
    if len(names) != 1:
        raise ArgumentError(
            f"Error: The pipeline has the ImageParams {', '.join(names) or 'none'}: give each item as {{name: array}}."
        )
    return names[0]


# Streams


def streamed(
    pipeline: Pipeline,
    frames: Iterable[Any],
    *,
    sizes: Sequence[int] | None = None,
    state: Mapping[str, Any] | None = None,
    errors: Errors = "raise",
    ahead: int = 2,
    threads: int | None = None,
    target: Target | None = None,
) -> Iterator[Any]:
    """The work of `Pipeline.stream`, which describes the parameters."""
    program = program_of(pipeline, target)
    progress = _Progress(program.definition.outputs[0], "Frame", errors)
    if ahead < 1:
        raise ArgumentError(f"Error: ahead={ahead} must be at least 1.")
    states = _state_arrays(program, dict(state or {}))
    inputs = [n for n, b in program.bindings.items() if not isinstance(b, Buffer) and b.is_buffer() and n not in states]
    unbound = [name for name in inputs if program.bindings[name].buffer() is None] or inputs
    if len(unbound) != 1:
        raise ArgumentError(
            f"Error: A stream feeds one ImageParam, but {', '.join(unbound) or 'none'} have no array: bind the others,"
            " or name those that hold the output of the frame before in state=."
        )
    return _streamed(_Stream(program, unbound[0], states, sizes), frames, progress, ahead, checked_threads(threads))


def _state_arrays(program: FrozenPipeline, state: Mapping[str, Any]) -> dict[str, np.ndarray]:
    names = {name.partition("$")[0]: name for name in program.definition.images}
    outputs = output_buffers(program.definition)
    if len(state) > len(outputs):
        raise ArgumentError(f"Error: state= names {len(state)} inputs, but the pipeline has {len(outputs)} outputs.")
    arrays = {}
    for name, value in state.items():
        if name not in names:
            raise ArgumentError(f"Error: state= names {name!r}; the ImageParams are {', '.join(names)}.")
        arrays[names[name]] = np.array(_array(name, value))
    return arrays


def _streamed(
    stream: _Stream, frames: Iterable[Any], progress: _Progress, ahead: int, threads: int | None
) -> Iterator[Any]:
    def compute(read: Ahead[tuple[int, Any]]) -> Iterator[Any]:
        source = iter(read)
        while stream.fill(source, progress):
            number = stream.number
            try:
                with limited_threads(threads):
                    result = stream.compute()
            except PipecError as error:
                stream.number += 1
                progress.failed(number, "computed", error)
                continue
            yield result
            del result

    with (
        Ahead(_numbered(frames, progress), ahead, "pipec reader") as read,
        Ahead(compute(read), ahead, "pipec") as done,
    ):
        yield from done


class _Stream:
    """The window of frames that the next output needs, and the outputs that are inputs of the next frame."""

    def __init__(
        self,
        program: FrozenPipeline,
        name: str,
        states: dict[str, np.ndarray],
        sizes: Sequence[int] | None,
    ) -> None:
        self.program, self.name, self.states = program, name, states
        # The extents of an output at one moment, dimension 0 first; by default those of a frame.
        self._extents = None if sizes is None else list(sizes)
        self.outputs = [buffer for buffer, _, _ in output_buffers(program.definition)]
        # Whether the image has a dimension of time that frames lack: the first frame decides.
        self.temporal = False
        self.number = 0
        self._ring: np.ndarray | None = None
        # The frames in the ring: the number of the first, how many, and where the first lies.
        self._first = self._count = self._at = 0
        self._ended = False
        self._windowed: WindowedPipeline | None = None
        self._arrays = RecycledArrays()

    def fill(self, frames: Iterator[tuple[int, Any]], progress: _Progress) -> bool:
        """Reads the frames that the next output needs; False when there is no next one."""
        while True:
            end = self._first + self._count
            if self._windowed is not None and self.number < end and self._window()[1] < end:
                return True
            if self._ended:
                return False
            entry = next(frames, None)
            if entry is None:
                self._end()
            else:
                try:
                    self._append(_array(self.name, entry[1]))
                except PipecError as error:
                    progress.failed(entry[0], "read", error)
                del entry

    def _end(self) -> None:
        self._ended = True
        if self._windowed is not None and self.temporal:
            self._set_length(self._first + self._count)

    def _start(self, frame: np.ndarray) -> None:
        image = self.program.definition.images[self.name]
        box: Box = [(0, extent) for extent in reversed(frame.shape)]
        if frame.ndim == image.dimensions:
            self.temporal = False
        elif frame.ndim == image.dimensions - 1:
            self.temporal = True
            box.append((0, ENDLESS))
        else:
            raise ArgumentError(
                f"Error: Input {self.name} has {image.dimensions} dimensions; frames of shape {frame.shape} fit neither"
                " it nor one moment of it."
            )
        if frame.dtype != image.type.numpy():
            raise ArgumentError(f"Error: Input {self.name} is {image.type}, but a frame holds {frame.dtype}.")
        self._extents = self._extents or list(reversed(frame.shape))
        output: Box = [(0, extent) for extent in self._extents] + ([(0, ENDLESS)] if self.temporal else [])
        count = len(self.program.definition.funcs[self.program.definition.outputs[0]].args)
        if len(output) != count:
            raise ArgumentError(
                f"Error: {self.outputs[0]} has {count} dimensions, time included: pass the sizes of an output for one"
                " frame, sizes=[width, height, ...]."
            )
        whole = {self.name: box, **{name: output for name in self.outputs}}
        for name, array in self.states.items():
            whole[name] = [(0, extent) for extent in reversed(array.shape)]
        self._windowed = WindowedPipeline(self.program, [self.name, *self.states], whole)
        self._shape = frame.shape

    def _set_length(self, frames: int) -> None:
        assert self._windowed is not None
        for name in (self.name, *self.outputs):
            dimension = len(self._windowed.whole[name]) - 1
            self._windowed.numbers[whole_name(name, "extent", dimension)] = frames
            self._windowed.whole[name][-1] = (0, frames)

    def _append(self, frame: np.ndarray) -> None:
        if self._windowed is None:
            self._start(frame)
        if frame.shape != self._shape:
            raise ArgumentError(f"Error: A frame has shape {frame.shape}, the first one had {self._shape}.")
        if not self.temporal:
            self._ring, self._first, self._count = frame, self.number, 1
            return
        if self._ring is None or self._at + self._count == len(self._ring):
            self._make_room()
        assert self._ring is not None
        self._ring[self._at + self._count] = frame
        self._count += 1

    def _make_room(self) -> None:
        """Moves the frames that are still needed to the front, of more memory where they fill what there is."""
        first = self._first
        if self._count and self._windowed is not None:
            first = min(max(first, self._window()[0]), first + self._count)
        needed = self._first + self._count - first
        source = self._ring
        if source is None or needed + RING_ROOM // 2 > len(source):
            kind = self.program.definition.images[self.name].type.numpy()
            self._ring = np.empty((2 * needed + RING_ROOM, *self._shape), kind)
        if source is not None and self._ring is not None:
            start = self._at + first - self._first
            # Frame by frame, since the places overlap.
            for at in range(needed):
                self._ring[at] = source[start + at]
        self._first, self._count, self._at = first, needed, 0

    def _box(self) -> Box:
        assert self._extents is not None
        box: Box = [(0, extent) for extent in self._extents]
        return [*box, (self.number, 1)] if self.temporal else box

    def _window(self) -> tuple[int, int]:
        """The first and the last frame that the next output needs."""
        assert self._windowed is not None
        if not self.temporal:
            return self.number, self.number
        boxes = self._windowed.grown({name: self._box() for name in self.outputs})
        low, extent = self._windowed.required(boxes)[self.name][-1]
        if low + extent - 1 > self.number + ENDLESS // 2:
            raise NotSupportedError(
                f"Error: Frame {self.number} of {self.outputs[0]} needs the frames of {self.name} up to the last one:"
                " a stream can only look ahead by a number of frames that is known."
            )
        return low, low + extent - 1

    def compute(self) -> Any:
        """The output of frame `number`, which is then the state of the next one."""
        windowed = self._windowed
        assert windowed is not None and self._ring is not None
        if self.temporal:
            low, high = self._window()
            if low < self._first:
                raise NotSupportedError(
                    f"Error: Frame {self.number} of {self.outputs[0]} needs frame {low} of {self.name}, which is no"
                    f" longer in memory: the frames that an output needs must not go back."
                )
            start = self._at + low - self._first
            window = Buffer(self._ring[start : start + high - low + 1])
            window.set_min([*[0] * len(self._shape), low])
        else:
            window = Buffer(self._ring)
        windows = {self.name: window, **{name: Buffer(array) for name, array in self.states.items()}}
        results, buffers = [], {}
        box = self._box()
        for name, computed in windowed.grown({name: box for name in self.outputs}).items():
            kind = windowed.output_types[name].numpy()
            array = self._arrays.take([extent for _, extent in reversed(computed)], kind)
            buffers[name] = Buffer(array)
            buffers[name].set_min([low for low, _ in computed])
            array = part_of(array, slices_of(box, computed))
            results.append(array[0] if self.temporal else array)
        windowed.run(windows, buffers)
        for name, array in zip(self.states, results, strict=False):
            self.states[name] = array
        self.number += 1
        return results[0] if len(results) == 1 else tuple(results)
