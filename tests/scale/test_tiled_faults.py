"""Tiled runs that fail: nothing finished is lost, nothing is wrong, and the error names the tile."""

from __future__ import annotations

import errno
import io
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec.scale.journal
from pipec.errors import ArgumentError, TileError
from pipec.scale.opening import open_destination
from tests.scale.pictures import Blur, loaded

TILE = (64, 700)
TILES = 8


class Failing:
    """An array whose rows from `row` on cannot be read."""

    def __init__(self, array: np.ndarray, row: int, error: BaseException) -> None:
        self.array, self.row, self.error = array, row, error
        self.shape, self.dtype = array.shape, array.dtype

    def __getitem__(self, box: tuple[slice, ...]) -> np.ndarray:
        if box[0].stop > self.row:
            raise self.error
        return self.array[box]


@pytest.mark.parametrize("error", [OSError("the disk is gone"), KeyboardInterrupt()])
def test_a_run_goes_on_after_a_source_that_raised(blur: Blur, tmp_path: Path, error: BaseException) -> None:
    result, journal = np.zeros_like(blur.picture), tmp_path / "journal"
    source = Failing(blur.picture, 200, error)
    with pytest.raises(KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else TileError) as caught:
        blur.output.realize_tiled({"image": source}, result, tile=TILE, resume=journal)
    if isinstance(error, OSError):
        assert "Tile 4 of 8 of blurred (rows first: 192 to 255, 0 to 699) failed while image was read" in str(
            caught.value
        )
        assert "the disk is gone" in str(caught.value)
    run = blur.output.realize_tiled({"image": blur.picture}, result, resume=journal)
    assert 1 <= run.resumed <= 3 and run.tiles == TILES
    np.testing.assert_array_equal(result, blur.result)


def test_a_tile_that_was_changed_since_is_computed_again(blur: Blur, tmp_path: Path) -> None:
    result, journal = np.zeros_like(blur.picture), tmp_path / "journal"
    blur.output.realize_tiled({"image": blur.picture}, result, tile=TILE, resume=journal)
    result[130, 5] += 1
    with open(journal, "a") as file:
        file.write('{"tile": 3, "dig')
    run = blur.output.realize_tiled({"image": blur.picture}, result, resume=journal)
    assert run.resumed == TILES - 1
    np.testing.assert_array_equal(result, blur.result)


def test_a_journal_of_another_run_is_refused(blur: Blur, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    blur.output.realize_tiled({"image": blur.picture}, np.zeros_like(blur.picture), tile=TILE, resume=journal)
    with pytest.raises(ArgumentError, match="belongs to a run with another sizes"):
        blur.output.realize_tiled({"image": blur.picture}, np.zeros((60, 60), np.uint8), sizes=[60, 60], resume=journal)
    other = tmp_path / "other"
    other.write_text("no journal")
    with pytest.raises(ArgumentError, match="is no journal of a tiled run"):
        blur.output.realize_tiled({"image": blur.picture}, np.zeros_like(blur.picture), resume=other)


@pytest.mark.parametrize("ending", [".npy", ".tif"])
def test_a_truncated_file_is_an_error_that_names_it(blur: Blur, saved: Any, ending: str) -> None:
    path = saved(blur.picture, ending)
    os.truncate(path, os.path.getsize(path) // 2)
    with pytest.raises(TileError, match=rf"(?s)Tile \d of {TILES} .* image was read: OSError: .*source.* truncated"):
        blur.output.realize_tiled({"image": path}, np.zeros_like(blur.picture), tile=TILE)


@pytest.mark.parametrize("ending", [".zarr", ".plain.zarr"])
def test_a_truncated_chunk_is_an_error_that_names_the_tile(blur: Blur, saved: Any, ending: str) -> None:
    path = saved(blur.picture, ending, (64, 700))
    chunk = Path(path) / "c" / "3" / "0"
    chunk.write_bytes(chunk.read_bytes()[:100])
    with pytest.raises(TileError, match=f"Tile 3 of {TILES} .* failed while image was read"):
        blur.output.realize_tiled({"image": path}, np.zeros_like(blur.picture), tile=TILE)


def test_a_memmap_that_was_truncated_does_not_end_the_process(blur: Blur, saved: Any) -> None:
    path = saved(blur.picture, ".npy")
    source = np.load(path, mmap_mode="r")
    os.truncate(path, 4096)
    with pytest.raises(TileError, match="has been truncated from"):
        blur.output.realize_tiled({"image": source}, np.zeros_like(blur.picture), tile=TILE)


FULL = """
import resource, signal, sys
import numpy as np
from tests.scale.pictures import Blur
blur = Blur()
if sys.argv[3] == "full":
    # Files cannot grow beyond this, as on a full disk.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
class Slow:
    shape, dtype = blur.picture.shape, blur.picture.dtype
    def __getitem__(self, box):
        if sys.argv[3] == "kill" and box[0].stop > 300:
            import os, time
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGKILL)
        return blur.picture[box]
blur.output.realize_tiled({"image": Slow()}, sys.argv[1], tile=(64, 700), resume=sys.argv[2])
"""


def run_in_process(*arguments: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", FULL, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])


@pytest.mark.parametrize("fault", ["full", "kill"])
@pytest.mark.part(2)
def test_a_killed_process_and_a_full_disk_lose_no_finished_tile(blur: Blur, tmp_path: Path, fault: str) -> None:
    destination, journal = str(tmp_path / "result.zarr"), tmp_path / "journal"
    if fault == "full":
        destination = str(tmp_path / "result.npy")
        np.save(destination, np.zeros_like(blur.picture))
        with open(destination, "r+b") as file:
            file.truncate(100_128)
    done = run_in_process(destination, journal, fault)
    if fault == "kill":
        assert done.returncode == -signal.SIGKILL
    else:
        assert done.returncode == 1 and "TileError" in done.stderr and "File too large" in done.stderr, done.stderr
        os.truncate(destination, 128 + blur.picture.nbytes)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    run = blur.output.realize_tiled({"image": blur.picture}, destination, resume=journal)
    assert 0 < run.resumed < TILES
    np.testing.assert_array_equal(loaded(destination), blur.result)


def refuse_space(*_: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("ending", ["npy", "raw"])
def test_a_full_disk_is_an_error_before_a_tile_is_computed(
    blur: Blur, tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"result.{ending}"
    # Pages of a sparse file that has no space end the process when they are written.
    sparse = np.memmap(path, np.uint8, "w+", shape=blur.picture.shape) if ending == "raw" else None
    monkeypatch.setattr(os, "posix_fallocate", refuse_space)
    source = Failing(blur.picture, 0, AssertionError("a tile is read"))
    with pytest.raises(OSError, match=f"No space left on device: '{path}'"):
        blur.output.realize_tiled({"image": source}, str(path) if sparse is None else sparse, tile=TILE)
    assert path.exists() == (sparse is not None), "half a new file would be taken for a whole one"


def test_a_sparse_memmap_has_its_space_before_it_is_written(blur: Blur, tmp_path: Path) -> None:
    path = tmp_path / "result.raw"
    sparse = np.memmap(path, np.uint8, "w+", offset=5, shape=blur.picture.shape)
    sparse[3, 4] = 7
    open_destination(sparse, "blurred", sparse.shape, np.uint8, None)
    assert os.stat(path).st_blocks * 512 >= sparse.nbytes
    assert sparse[3, 4] == 7


def test_a_memmap_may_have_no_path_any_more(blur: Blur, tmp_path: Path) -> None:
    source = np.memmap(tmp_path / "source.raw", np.uint8, "w+", shape=blur.picture.shape)
    source[...] = blur.picture
    result = np.memmap(tmp_path / "result.raw", np.uint8, "w+", shape=blur.picture.shape)
    for name in ("source.raw", "result.raw"):
        (tmp_path / name).unlink()
    blur.output.realize_tiled({"image": source}, result, tile=TILE)
    np.testing.assert_array_equal(result, blur.result)


def test_a_journal_on_a_full_disk_names_the_tile_and_the_file(
    blur: Blur, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, journal = np.zeros_like(blur.picture), tmp_path / "journal"
    with monkeypatch.context() as patch:
        patch.setattr(pipec.scale.journal.io, "FileIO", FullAfter)
        with pytest.raises(TileError, match=rf"Tile 3 of {TILES} .*it was recorded.*No space left.*: '{journal}'"):
            blur.output.realize_tiled({"image": blur.picture}, result, tile=TILE, resume=journal)
    run = blur.output.realize_tiled({"image": blur.picture}, result, resume=journal)
    assert run.resumed == 2
    np.testing.assert_array_equal(result, blur.result)


class FullAfter(io.FileIO):
    """A file on a disk that has space for a header, two lines and a half."""

    lines = 0

    def write(self, data: Any) -> int:
        self.lines += 1
        if self.lines > 3:
            if len(data) < 20:
                refuse_space()
            return super().write(data[: len(data) // 2])
        return super().write(data)
