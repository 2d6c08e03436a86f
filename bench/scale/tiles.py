"""Gigapixels from and to zarr within a limit of memory, beside the run in memory and the copy from zarr to zarr."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from apps.registry import APPS
from bench.process import resident_bytes
from bench.scale.pictures import (
    CHUNK,
    input_shape,
    output_size,
    scheduled,
    seconds_in_memory,
    small_inputs,
    write_zarr,
    zarr_path,
)
from pipec.scale.opening import open_source

# Of the limit for the process, what Python, zarr and LLVM need themselves.
OWN_BYTES = 250_000_000


def copied(sources: dict[str, Any], destination: Any, app: Any, size: tuple[int, ...]) -> float:
    """Seconds to read all inputs and to write an output once, in strips, with nothing computed."""
    started = time.perf_counter()
    strip = CHUNK * max(1, 64_000_000 // (size[0] * CHUNK))
    for source in sources.values():
        storage = open_source(source, "source")
        if len(storage.shape) >= 2 and storage.shape[-1] >= CHUNK:
            for row in range(0, storage.shape[-2], strip):
                box = (
                    *[slice(0, e) for e in storage.shape[:-2]],
                    slice(row, min(row + strip, storage.shape[-2])),
                    slice(0, storage.shape[-1]),
                )
                storage.read(box, np.empty([part.stop - part.start for part in box], storage.dtype))
    width, height = app.extent(size)
    shape = size[::-1]
    block = np.ones((*shape[:-2], min(strip, shape[-2]), shape[-1]), app.dtype)
    for row in range(0, shape[-2], strip):
        count = min(strip, shape[-2] - row)
        destination[..., row : row + count, :] = block[..., :count, :]
    return time.perf_counter() - started


def places(name: str, size: tuple[int, ...], folder: Path) -> tuple[Any, dict[str, Any]]:
    """The application's algorithm, and its inputs: zarr folders that exist, and small arrays."""
    app, algorithm = scheduled(name)
    inputs = {}
    for key, image in algorithm.images.items():
        large = input_shape(app, key, size) is not None
        inputs[image.name()] = zarr_path(app, key, folder) if large else small_inputs(app)[key]
    return algorithm, inputs


def destination(name: str, size: tuple[int, ...], folder: Path) -> Any:
    """A new zarr array for the output."""
    import zarr

    shape = size[::-1]
    chunks = (*[1] * (len(shape) - 2), CHUNK, CHUNK)
    return zarr.create_array(
        str(folder / "result.zarr"), shape=shape, chunks=chunks, dtype=APPS[name].dtype, compressors=None
    )


def measured_tiles(name: str, size: tuple[int, ...], memory: int, folder: Path) -> dict[str, Any]:
    """The times of the tiled run of one application, in this process."""
    algorithm, inputs = places(name, size, folder)
    result = destination(name, size, folder)
    run = algorithm.output.realize_tiled(inputs, result, sizes=list(size), memory=memory - OWN_BYTES)
    peak = resident_bytes()
    times = {"reading": run.reading, "computing": run.computing, "writing": run.writing}
    return {"seconds": run.seconds, "tile": run.tile, "tiles": run.tiles, "peak": peak, **times}


def in_child(*arguments: Any) -> Any:
    """The JSON that this module prints with these arguments, in a process of its own."""
    command = [sys.executable, "-m", "bench.scale.tiles", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def report(name: str, megapixels: float, memory: int) -> dict[str, Any]:
    """Measures an application in child processes and prints a line."""
    app = APPS[name]
    width, height = app.extent(output_size(app, megapixels))
    area = width * height / 1e6
    computing = in_child("memory", name, 64) * area
    with tempfile.TemporaryDirectory(dir="out") as folder:
        in_child("write", name, megapixels, folder)
        disk = in_child("disk", name, megapixels, folder)
        shutil.rmtree(Path(folder, "result.zarr"))
        measured = in_child("tiles", name, megapixels, folder, memory)
    slower = max(computing, disk)
    print(
        f"{name:16}{area:6.0f} Mpx {measured['seconds']:6.1f} s; in memory {computing:5.1f} s, disk {disk:5.1f} s:"
        f" {slower / measured['seconds']:4.0%} of the speed of the slower; peak {measured['peak'] / 1e6:5.0f} MB;"
        f" {measured['tiles']} tiles of {measured['tile']}, reading {measured['reading']:.1f}, computing"
        f" {measured['computing']:.1f}, writing {measured['writing']:.1f} s",
        flush=True,
    )
    return {**measured, "megapixels": area, "in_memory": computing, "disk": disk}


def main() -> None:
    """One measurement, as JSON on stdout."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("memory", "write", "disk", "tiles"))
    parser.add_argument("app")
    parser.add_argument("megapixels", type=float)
    parser.add_argument("folder", nargs="?", default="out")
    parser.add_argument("memory", type=int, nargs="?", default=10**9)
    options = parser.parse_args()
    app, folder = APPS[options.app], Path(options.folder)
    size = output_size(app, options.megapixels)
    if options.what == "memory":
        result: Any = seconds_in_memory(options.app, options.megapixels)
    elif options.what == "write":
        result = [write_zarr(app, key, size, folder) for key in small_inputs(app) if input_shape(app, key, size)]
    elif options.what == "disk":
        sources = places(options.app, size, folder)[1]
        result = copied(sources, destination(options.app, size, folder), app, size)
    else:
        result = measured_tiles(options.app, size, options.memory, folder)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
