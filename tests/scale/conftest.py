"""Fixtures of the tests of tiles, dask and streams."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.scale.pictures import Blur


@pytest.fixture(scope="session")
def blur() -> Blur:
    return Blur()


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[np.ndarray, str, Any], str]:
    """Writes an array to a file of a format: path = saved(array, ".zarr", chunks)."""

    def save(array: np.ndarray, ending: str, chunks: tuple[int, ...] = (128, 256)) -> str:
        path = str(tmp_path / f"source{ending}")
        if ending == ".npy":
            np.save(path, array)
        elif ending.endswith(".zarr"):
            import zarr

            compressors: Any = None if ending == ".plain.zarr" else "auto"
            zarr.create_array(path, shape=array.shape, chunks=chunks, dtype=array.dtype, compressors=compressors)[
                ...
            ] = array
        else:
            import tifffile

            tifffile.imwrite(path, array, tile=(128, 128), photometric="minisblack")
        return path

    return save
