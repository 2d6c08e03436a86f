"""map and stream: order, overlap, errors that name the item, windows of frames and state."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.errors import StreamError
from tests.scale.pictures import Blur

x, y, t = hl.vars("x y t")


def doubled() -> hl.Func:
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    output = hl.Func("doubled")
    output[x] = 2 * image[x]
    return output


def rows(*values: int) -> Iterator[np.ndarray]:
    for value in values:
        yield np.full(3, value, np.uint8)


def test_outputs_come_in_order_and_items_may_differ_in_size(blur: Blur) -> None:
    pictures = [blur.picture[: 100 + n, : 90 - n] for n in range(6)]
    results = list(blur.output.map(pictures))
    assert [result.shape for result in results] == [picture.shape for picture in pictures]
    for picture, result in zip(pictures, results, strict=True):
        blur.image.set(hl.Buffer(picture))
        np.testing.assert_array_equal(result, blur.output.realize(picture.shape[::-1]).numpy())
    blur.image.reset()


def test_memory_is_used_again_only_when_nothing_refers_to_it() -> None:
    addresses, first = set(), None
    for number, result in enumerate(doubled().map(rows(*range(50)))):
        assert result.tolist() == [2 * number] * 3
        addresses.add(result.ctypes.data)
        first = result if first is None else first
        assert first.tolist() == [0, 0, 0]
        del result
    assert len(addresses) <= 9


def test_items_are_read_ahead_but_not_without_end() -> None:
    taken = []

    def items() -> Iterator[np.ndarray]:
        for value in range(100):
            taken.append(value)
            yield np.full(3, value, np.uint8)

    results = doubled().map(items(), ahead=2)
    assert next(results).tolist() == [0, 0, 0]
    threading.Event().wait(0.3)
    assert 2 <= len(taken) <= 8
    results.close()  # type: ignore[attr-defined]
    assert not any(thread.name.startswith("pipec") for thread in threading.enumerate())


def test_an_error_names_the_item_and_the_rest_goes_on_if_asked() -> None:
    items: list[Any] = [*rows(1, 2), np.zeros((2, 2), np.uint8), *rows(3)]
    with pytest.raises(StreamError, match="Item 2 of doubled failed while it was computed"):
        list(doubled().map(items))
    assert [result[0] for result in doubled().map(items, errors="skip")] == [2, 4, 6]
    failures: list[tuple[int, str]] = []
    list(doubled().map(items, errors=lambda number, error: failures.append((number, type(error).__name__))))
    assert failures == [(2, "StreamError")]

    class Unreadable:
        def __init__(self) -> None:
            self.count = 0

        def __iter__(self) -> Any:
            return self

        def __next__(self) -> np.ndarray:
            self.count += 1
            if self.count > 3:
                raise StopIteration
            if self.count == 2:
                raise OSError("no such picture")
            return np.full(3, self.count, np.uint8)

    with pytest.raises(StreamError, match="Item 1 of doubled failed while it was read: OSError: no such picture"):
        list(doubled().map(Unreadable()))
    assert [result[0] for result in doubled().map(Unreadable(), errors="skip")] == [2, 6]


def test_a_window_of_frames_moves_with_time() -> None:
    image = hl.ImageParam(hl.Int(32), 3, "image")
    source = hl.BoundaryConditions.mirror_image(image)
    mean = hl.Func("mean")
    mean[x, y, t] = source[x + 1, y, t - 2] + 10 * source[x, y, t] + 100 * source[x, y, t + 1]
    frames = np.random.default_rng(3).integers(0, 1000, (40, 5, 7), np.int32)
    image.set(hl.Buffer(frames))
    expected = mean.realize([7, 5, 40]).numpy()
    image.reset()
    np.testing.assert_array_equal(np.array(list(mean.stream(frames))), expected)
    np.testing.assert_array_equal(np.array([result.copy() for result in mean.stream(iter(frames))]), expected)
    assert list(mean.stream([])) == []


def test_the_state_of_a_stream_is_the_output_before() -> None:
    image, before = hl.ImageParam(hl.Int(32), 1, "image"), hl.ImageParam(hl.Int(32), 1, "before")
    total = hl.Func("total")
    total[x] = image[x] + before[x]
    frames = [np.full(4, value, np.int32) for value in range(10)]
    results = [result[0] for result in total.stream(frames, state={"before": np.full(4, 100, np.int32)})]
    assert results == [100 + sum(range(n + 1)) for n in range(10)]


@pytest.mark.parametrize(
    ("frames", "state", "message"),
    [
        ([np.zeros((2, 2), np.uint8)], {}, "frames of shape"),
        ([np.zeros(2, np.float32)], {}, "a frame holds float32"),
        ([np.zeros(2, np.uint8), np.zeros(3, np.uint8)], {}, r"A frame has shape \(3,\), the first one had \(2,\)"),
        ([], {"past": np.zeros(2, np.uint8)}, "the ImageParams are image"),
        ([], {"image": np.zeros(2, np.uint8)}, "A stream feeds one ImageParam"),
    ],
)
def test_frames_that_do_not_fit_are_errors(frames: Any, state: Any, message: str) -> None:
    with pytest.raises(hl.HalideError, match=message):
        list(doubled().stream(frames, state=state))


def test_a_stream_that_needs_its_end_is_refused() -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    output = hl.Func("backwards")
    output[x, t] = image[x, image.dim(1).extent() - 1 - t]
    with pytest.raises(hl.HalideError, match="needs the frames of image up to the last one"):
        list(output.stream(rows(1, 2)))


def test_a_video_is_read_and_written(tmp_path: Path) -> None:
    image = hl.ImageParam(hl.UInt(8), 3, "image")
    c = hl.Var("c")
    inverted = hl.Func("inverted")
    inverted[x, y, c] = 255 - image[x, y, c]
    frames = [np.full((3, 48, 64), 10 * number, np.uint8) for number in range(8)]
    source, result = tmp_path / "source.mp4", tmp_path / "result.mkv"
    assert hl.write_video(source, frames, rate=24) == 8
    assert hl.write_video(result, inverted.stream(hl.read_video(source))) == 8
    read = list(hl.read_video(result))
    assert len(read) == 8 and read[0].shape == (3, 48, 64)
    for number, frame in enumerate(read):
        assert abs(float(frame.mean()) - (255 - 10 * number)) < 6
    assert next(hl.read_video(source, gray=True)).shape == (48, 64)
    with pytest.raises(hl.HalideError, match=r"must be uint8 of shape \[3, y, x\]"):
        hl.write_video(result, [np.zeros((2, 4, 4), np.uint8)])


def test_calls_use_at_most_the_threads_that_are_allowed(blur: Blur, monkeypatch: pytest.MonkeyPatch) -> None:
    from pipec.jit.runtime.library import runtime

    limits: list[int] = []
    original = runtime().run_limited

    def run_limited(entry: int, slots: int, threads: int) -> int:
        limits.append(threads)
        return int(original(entry, slots, threads))

    monkeypatch.setattr(runtime(), "run_limited", run_limited)
    (mapped,) = blur.output.map([blur.picture], threads=1)
    (streamed,) = blur.output.stream([blur.picture], threads=2)
    result = np.zeros_like(blur.picture)
    blur.output.realize_tiled({"image": blur.picture}, result, tile=(460, 700), threads=3)
    assert limits == [1, 2, 3]
    for array in (mapped, streamed, result):
        np.testing.assert_array_equal(array, blur.result)
    for call in (blur.output.map, blur.output.stream):
        with pytest.raises(hl.HalideError, match="threads=0 must be a positive number"):
            call([blur.picture], threads=0)
