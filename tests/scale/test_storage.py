"""Boxes of files are read and written as those of the arrays they hold, in every format and layout."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipec.scale.opening import open_destination, open_source
from pipec.scale.raw_files import ChunkFiles
from pipec.scale.storage import ArrayStorage, Chunked

zarr = pytest.importorskip("zarr")
SHAPE, CHUNKS = (3, 70, 90), (2, 32, 64)


def plain(folder: Path, **more: Any) -> Any:
    settings: dict[str, Any] = {"shape": SHAPE, "chunks": CHUNKS, "dtype": "uint16", "compressors": None, **more}
    return zarr.create_array(str(folder / "array.zarr"), **settings)


def random_boxes(count: int) -> list[tuple[slice, ...]]:
    rng = np.random.default_rng(3)
    boxes = []
    for _ in range(count):
        ends = [sorted(rng.integers(0, extent + 1, 2)) for extent in SHAPE]
        boxes.append(tuple([slice(int(low), int(high)) for low, high in ends]))
    return [*boxes, tuple([slice(0, extent) for extent in SHAPE])]


def opened(folder: Path, kind: str) -> ArrayStorage:
    if kind.startswith("."):
        return open_destination(str(folder / f"array{kind}"), "array", SHAPE, np.uint16, None)
    return open_destination(plain(folder, zarr_format=int(kind)), "array", SHAPE, np.uint16, None)


@pytest.mark.parametrize("kind", [".npy", ".tif", ".zarr", "2", "3"])
def test_boxes_are_those_of_the_array(tmp_path: Path, kind: str) -> None:
    rng, mirror = np.random.default_rng(1), np.zeros(SHAPE, np.uint16)
    with opened(tmp_path, kind) as storage:
        assert isinstance(storage, ChunkFiles) == kind.isdigit()
        for box in random_boxes(40):
            values = rng.integers(0, 1 << 16, mirror[box].shape, np.uint16)
            # Rows that are no neighbours, and elements that are none.
            spread = np.zeros((*values.shape[:-1], values.shape[-1] * 2), np.uint16)[..., ::2]
            spread[...] = values
            storage.write(box, spread)
            mirror[box] = values
        for box in random_boxes(40):
            for step in (1, 2):
                out = np.ones((*mirror[box].shape[:-1], mirror[box].shape[-1] * step + 3), np.uint16)[..., 3::step]
                storage.read(box, out)
                np.testing.assert_array_equal(out, mirror[box])


def test_zarr_reads_what_was_written_past_the_page_cache(tmp_path: Path) -> None:
    array = zarr.create_array(str(tmp_path / "a"), shape=(100, 100), chunks=(64, 64), dtype="u1", compressors=None)
    values = np.random.default_rng(0).integers(0, 256, (100, 100), np.uint8)
    open_destination(array, "array", (100, 100), np.uint8, None).write((slice(0, 100), slice(0, 100)), values)
    np.testing.assert_array_equal(array[...], values)
    assert not [name for _, _, names in os.walk(tmp_path) for name in names if name.endswith(".partial")]


def test_chunks_that_were_never_written_have_the_fill_value(tmp_path: Path) -> None:
    array = plain(tmp_path, fill_value=7)
    array[:2, :32, :64] = 1
    out = np.zeros(SHAPE, np.uint16)
    open_source(array, "array").read(random_boxes(0)[0], out)
    np.testing.assert_array_equal(out, array[...])
    assert out.max() == 7


@pytest.mark.parametrize(
    "layout",
    [
        {"compressors": "auto"},
        {"dtype": ">u2"},
        {"chunks": (1, 35, 30), "shards": (3, 70, 90)},
        {"zarr_format": 2, "order": "F"},
        {"store": zarr.storage.MemoryStore()},
    ],
)
def test_other_layouts_are_read_by_zarr(tmp_path: Path, layout: dict[str, Any]) -> None:
    settings: dict[str, Any] = {"store": str(tmp_path / "a"), "shape": SHAPE, "dtype": "u2", "compressors": None}
    array = zarr.create_array(**{**settings, **layout})
    assert isinstance(open_source(array, "array"), Chunked)


def test_a_chunk_of_another_size_is_an_error_that_names_it(tmp_path: Path) -> None:
    array = plain(tmp_path)
    array[...] = 1
    chunk = tmp_path / "array.zarr" / "c" / "0" / "1" / "0"
    chunk.write_bytes(chunk.read_bytes()[:100])
    storage = open_source(array, "array")
    box, message = (slice(0, 1), slice(40, 44), slice(0, 4)), r"c/0/1/0 has 100 bytes instead of 8192: it is truncated"
    with pytest.raises(OSError, match=message):
        storage.read(box, np.zeros((1, 4, 4), np.uint16))
    with pytest.raises(OSError, match=message):
        storage.write(box, np.zeros((1, 4, 4), np.uint16))
