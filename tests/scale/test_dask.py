"""pipec.dask.apply gives lazily what realize gives, for any chunks and every scheduler."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.scale import dask as pipec_dask
from tests.scale.pictures import Blur

da = pytest.importorskip("dask.array")


@pytest.mark.parametrize(("chunks", "out"), [((128, 256), None), ((460, 700), (100, 33)), ((77, 91), (460, 700))])
def test_chunks_of_input_and_output_may_differ(blur: Blur, chunks: Any, out: Any) -> None:
    source = da.from_array(blur.picture, chunks=chunks)
    result = hl.dask.apply(blur.output, {"image": source}, chunks=out)
    expected = source.chunks if out is None else da.core.normalize_chunks(out, source.shape)
    assert result.chunks == expected and result.dtype == np.uint8
    np.testing.assert_array_equal(result.compute(scheduler="threads"), blur.result)
    part = result[100:130, 200:222].compute(scheduler="synchronous")
    np.testing.assert_array_equal(part, blur.result[100:130, 200:222])


@pytest.mark.parametrize("copies", [False, True])
def test_blocks_of_one_array_are_read_where_they_are(blur: Blur, monkeypatch: pytest.MonkeyPatch, copies: bool) -> None:
    from pipec.scale.windows import WindowedPipeline

    original = WindowedPipeline.new_window
    copied: list[Any] = []

    def new_window(self: WindowedPipeline, name: str, box: Any) -> hl.Buffer:
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
    monkeypatch.setattr(pipec_dask, "_compiled", {})
    source = da.from_array(blur.picture, chunks=(230, 350))
    result = hl.dask.apply(blur.output, {"image": source})
    portable = next(value for key, value in dict(result.dask).items() if str(key).startswith("pipeline-"))
    data = pickle.dumps(getattr(portable, "value", portable))
    monkeypatch.setattr(pipec_dask, "_compiled", {})
    first, second = pickle.loads(data).compiled(), pickle.loads(data).compiled()
    assert first is second
    np.testing.assert_array_equal(result.compute(scheduler="synchronous"), blur.result)
    assert len(pipec_dask._compiled) == 1


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
