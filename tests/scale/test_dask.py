"""pipec.dask.apply gives lazily what realize gives, for any chunks and every scheduler."""

from __future__ import annotations

import os
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.errors import TileError
from pipec.scale import worker_pipelines
from pipec.scale.block_tasks import NamedSource
from tests.scale.pictures import SIZE, Blur, histogram_equalisation

da = pytest.importorskip("dask.array")


@pytest.mark.parametrize(("chunks", "out"), [((128, 256), None), ((460, 700), (100, 33)), ((77, 91), (460, 700))])
@pytest.mark.part(2)
def test_chunks_of_input_and_output_may_differ(blur: Blur, chunks: Any, out: Any) -> None:
    source = da.from_array(blur.picture, chunks=chunks)
    result = hl.dask.apply(blur.output, {"image": source}, chunks=out)
    expected = source.chunks if out is None else da.core.normalize_chunks(out, source.shape)
    assert result.chunks == expected and result.dtype == np.uint8
    np.testing.assert_array_equal(result.compute(scheduler="threads"), blur.result)
    part = result[100:130, 200:222].compute(scheduler="synchronous")
    np.testing.assert_array_equal(part, blur.result[100:130, 200:222])


def test_a_damaged_chunk_of_zarr_is_an_error_that_names_the_input(blur: Blur, tmp_path: Path) -> None:
    zarr = pytest.importorskip("zarr")
    stored = zarr.open(str(tmp_path), mode="w", shape=blur.picture.shape, chunks=(128, 128), dtype="u1")
    stored[:] = blur.picture
    result = hl.dask.apply(blur.output, {"image": stored})
    np.testing.assert_array_equal(result.compute(scheduler="threads"), blur.result)
    assert pickle.loads(pickle.dumps(NamedSource("image", stored)))[:1, :1] == blur.picture[:1, :1]
    os.truncate(tmp_path / "c" / "1" / "2", 20)
    with pytest.raises(TileError, match=r"Input image \(rows first: 128 to 255, 256 to 383\) could not be read: "):
        result.compute(scheduler="threads")


@pytest.mark.parametrize("copies", [False, True])
def test_blocks_of_one_array_are_read_where_they_are(blur: Blur, monkeypatch: pytest.MonkeyPatch, copies: bool) -> None:
    from pipec.scale.windows import WindowedPipeline

    original, own_thread = WindowedPipeline.new_window, threading.get_ident()
    copied: list[Any] = []

    def new_window(self: WindowedPipeline, name: str, box: Any) -> hl.Buffer:
        # Threads of dask may still be at work for a test before.
        if threading.get_ident() == own_thread:
            copied.append(box)
        return original(self, name, box)

    monkeypatch.setattr(WindowedPipeline, "new_window", new_window)
    source = da.from_array(blur.picture, chunks=(150, 200))
    source = source.map_blocks(np.copy) if copies else source
    result = hl.dask.apply(blur.output, {"image": source})
    np.testing.assert_array_equal(result.compute(scheduler="synchronous"), blur.result)
    assert bool(copied) == copies


def test_a_block_takes_only_the_blocks_that_it_reads(blur: Blur) -> None:
    source = da.from_array(blur.picture, chunks=(100, 100))
    result = hl.dask.apply(blur.output, {"image": source}, chunks=(460, 700))[150:160, 250:260]
    small = hl.dask.apply(blur.output, {"image": source}, chunks=(50, 50))[150:160, 250:260]
    read = [
        sum(key[0] == source.name for key in dict(array.__dask_optimize__(array.dask, array.__dask_keys__())))
        for array in (result, small)
    ]
    assert read[0] == 35 and read[1] == 4


def test_two_outputs_share_their_tasks_and_keys_are_names_of_funcs(blur: Blur) -> None:
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    gain = hl.Param(hl.Int(32), "gain")
    brighter, darker = hl.funcs("brighter darker")
    brighter[x, y] = hl.i32(image[x, y]) + gain
    darker[x, y] = hl.i32(image[x, y]) - gain
    source = da.from_array(blur.picture, chunks=(230, 350))
    results = hl.dask.apply(hl.Pipeline([brighter, darker]), {"image": source, "gain": 5})
    assert [result.name.partition("-")[0] for result in results] == ["brighter", "darker"]
    bright, dark = da.compute(*results, scheduler="threads")
    np.testing.assert_array_equal(bright, blur.picture.astype(np.int32) + 5)
    np.testing.assert_array_equal(dark, blur.picture.astype(np.int32) - 5)


def test_numpy_torch_and_xarray_are_inputs(blur: Blur) -> None:
    import torch
    import xarray

    for value in (blur.picture, torch.from_numpy(blur.picture), hl.Buffer(blur.picture)):
        result = hl.dask.apply(blur.output, {"image": value}, chunks=(230, 350))
        np.testing.assert_array_equal(result.compute(scheduler="threads"), blur.result)
    rows = np.arange(460) / 10
    picture = xarray.DataArray(blur.picture, dims=("lat", "lon"), coords={"lat": rows}).chunk(lat=200)
    result = hl.dask.apply(blur.output, {"image": picture})
    assert result.dims == ("lat", "lon") and (result.lat == rows).all() and result.chunks == picture.chunks
    np.testing.assert_array_equal(result.compute(scheduler="threads").values, blur.result)
    recipe = xarray.apply_ufunc(lambda data: hl.dask.apply(blur.output, {"image": data}), picture, dask="allowed")
    np.testing.assert_array_equal(recipe.compute(scheduler="threads").values, blur.result)


def test_a_pickled_pipeline_is_compiled_once_in_a_process(blur: Blur, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pipelines, "_compiled", {})
    source = da.from_array(blur.picture, chunks=(230, 350))
    result = hl.dask.apply(blur.output, {"image": source})
    portable = next(value for key, value in dict(result.dask).items() if str(key).startswith("pipeline-"))
    data = pickle.dumps(getattr(portable, "value", portable))
    monkeypatch.setattr(worker_pipelines, "_compiled", {})
    first, second = pickle.loads(data).compiled(), pickle.loads(data).compiled()
    assert first is second
    np.testing.assert_array_equal(result.compute(scheduler="synchronous"), blur.result)
    assert len(worker_pipelines._compiled) == 1


def test_errors_of_tasks_name_the_block_or_come_from_the_source(blur: Blur) -> None:
    from pipec.errors import TileError

    def failing(block: np.ndarray, block_info: Any = None) -> np.ndarray:
        if block_info and block_info[0]["chunk-location"] == (2, 1):
            raise OSError("the disk is gone")
        return block

    source = da.from_array(blur.picture, chunks=(100, 300)).map_blocks(failing, dtype=np.uint8)
    result = hl.dask.apply(blur.output, {"image": source})
    with pytest.raises(OSError, match="the disk is gone"):
        result.compute(scheduler="threads")
    # Blocks that do not read it are computed.
    np.testing.assert_array_equal(result[:90].compute(scheduler="threads"), blur.result[:90])
    x, y = hl.vars("x y")
    image, checked = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("checked")
    checked[x, y] = hl.require(image[x, y] < 200, image[x, y], "is too bright")
    bright = np.zeros((40, 60), np.uint8)
    bright[30, 50] = 250
    lazy = hl.dask.apply(checked, {"image": da.from_array(bright, chunks=(20, 30))})
    with pytest.raises(TileError, match=r"block of checked \(rows first: 20 to 39, 30 to 59\) failed: .*") as caught:
        lazy.compute(scheduler="threads")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def count_reads(block: np.ndarray) -> np.ndarray:
    READS.append(block.shape)
    return block


READS: list[Any] = []


def test_a_histogram_of_the_whole_is_computed_once_and_merged(blur: Blur) -> None:
    image, output = histogram_equalisation()
    image.set(hl.Buffer(blur.picture))
    expected = output.realize(SIZE).numpy()
    source = da.from_array(blur.picture, chunks=(100, 300)).map_blocks(count_reads, dtype=np.uint8)
    result = hl.dask.apply(output, {"image": source})
    READS.clear()
    np.testing.assert_array_equal(result.compute(scheduler="threads"), expected)
    assert len(READS) == 15
    tasks = [key[1:] for key in dict(result.dask) if key[0].startswith("whole_hist")]
    assert ("merged", 1) in tasks and (1, 4) in tasks


def test_reductions_in_order_means_and_places_of_extremes(blur: Blur) -> None:
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    total, hashed, place, output = hl.funcs("total hashed place marked")
    r = hl.RDom([(0, image.width()), (0, image.height())], "r")
    total[()] = hl.f32(0)
    total[()] += hl.f32(image[r.x, r.y])
    hashed[()] = hl.u32(7)
    hashed[()] = hashed[()] * hl.u32(31) ^ image[r.x, r.y]
    place[()] = (hl.u8(0), hl.i32(0), hl.i32(0))
    value = image[r.x, r.y]
    more = value > place[()][0]
    place[()] = tuple([hl.select(more, new, old) for new, old in zip((value, r.x, r.y), place[()], strict=True)])
    for func in (total, hashed, place):
        func.compute_root()
    mean = total[()] / hl.f32(image.width() * image.height())
    output[x, y] = mean + hl.f32(hashed[()] % 1000) + hl.f32(place[()][1]) + hl.f32(place[()][2]) + image[x, y]
    image.set(hl.Buffer(blur.picture))
    expected = output.realize(SIZE).numpy()
    for chunks in ((100, 300), (460, 700)):
        result = hl.dask.apply(output, {"image": da.from_array(blur.picture, chunks=chunks)})
        np.testing.assert_allclose(result.compute(scheduler="threads"), expected, rtol=1e-6)
    hashes = hl.dask.apply(hashed, {"image": da.from_array(blur.picture, chunks=100)}, sizes=[])
    assert hashes.compute(scheduler="threads") == hashed.realize([])[()]


def test_tasks_use_at_most_so_many_threads(blur: Blur) -> None:
    result = hl.dask.apply(blur.output, {"image": da.from_array(blur.picture, chunks=300)}, threads=1)
    portable = next(value for key, value in dict(result.dask).items() if str(key).startswith("pipeline-"))
    assert getattr(portable, "value", portable).threads == 1
    np.testing.assert_array_equal(result.compute(scheduler="threads"), blur.result)
    with pytest.raises(hl.HalideError, match="threads=0 must be a positive number"):
        hl.dask.apply(blur.output, {"image": blur.picture}, threads=0)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.zeros((4, 4), np.int16), "image is uint8, but was given elements of int16"),
        (np.zeros(4, np.uint8), "image has 2 dimensions"),
    ],
)
def test_inputs_that_do_not_fit_are_errors_before_anything_runs(blur: Blur, value: Any, message: str) -> None:
    with pytest.raises(hl.HalideError, match=message):
        hl.dask.apply(blur.output, {"image": value})


def test_processes_share_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from pipec.jit.runtime.library import runtime

    monkeypatch.delenv("PIPEC_NUM_THREADS", raising=False)
    before = runtime().threads()
    try:
        runtime().set_threads(8)
        worker = SimpleNamespace(nanny=None, state=SimpleNamespace(nthreads=3))
        monkeypatch.setattr(worker_pipelines, "_distributed_worker", lambda: worker)
        # A worker inside of the user's process.
        worker_pipelines.limit_to_worker()
        assert runtime().threads() == 8
        worker.nanny = object()
        worker_pipelines.limit_to_worker()
        assert runtime().threads() == 3
    finally:
        runtime().set_threads(before)
    monkeypatch.setattr(worker_pipelines.multiprocessing, "parent_process", lambda: object())
    assert worker_pipelines.task_threads() is None
    monkeypatch.setattr(worker_pipelines, "_distributed_worker", lambda: None)
    assert worker_pipelines.task_threads() == 1


@pytest.mark.parametrize("shape", [(0, 8), (8, 0), (0, 0)])
def test_empty_arrays(shape: tuple[int, int]) -> None:
    x, y, image, f = hl.Var("x"), hl.Var("y"), hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("f")
    f[x, y] = (image[x, y] + 1, hl.f32(image[x, y]))
    first, second = hl.dask.apply(f, {"image": da.zeros(shape, dtype=np.uint8)})
    assert first.compute().shape == second.compute().shape == shape
    assert (first.dtype, second.dtype) == (np.uint8, np.float32)


def test_empty_chunks() -> None:
    x, y, image, f = hl.Var("x"), hl.Var("y"), hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("f")
    f[x, y] = hl.BoundaryConditions.repeat_edge(image)[x, y - 1] + 1
    rows = np.arange(32, dtype=np.uint8).reshape(8, 4)
    array = da.concatenate([da.from_array(rows[:3]), da.zeros((0, 4), dtype=np.uint8), da.from_array(rows[3:])])
    result = hl.dask.apply(f, {"image": array}).compute()
    np.testing.assert_array_equal(result, np.concatenate([rows[:1], rows[:-1]]) + np.uint8(1))
