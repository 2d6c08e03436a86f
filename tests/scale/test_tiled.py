"""realize_tiled gives what realize gives, for any tiles, storage and limit of memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.errors import TileError
from tests.scale.pictures import SIZE, Blur, histogram_equalisation, loaded

MEMORY = "300 KB"


@pytest.mark.parametrize("ending", [".npy", ".zarr", ".plain.zarr", ".tif"])
def test_files_of_every_format_are_read_and_written(blur: Blur, saved: Any, tmp_path: Path, ending: str) -> None:
    destination = str(tmp_path / f"result{ending}")
    run = blur.output.realize_tiled({"image": saved(blur.picture, ending)}, destination, memory=MEMORY)
    assert run.tiles > 4
    np.testing.assert_array_equal(loaded(destination), blur.result)


@pytest.mark.parametrize("tile", [(7, 700), (460, 9), (100, 33), (460, 700), (1000, 1000)])
def test_tiles_of_any_shape_give_the_same(blur: Blur, tile: tuple[int, int]) -> None:
    result = np.zeros_like(blur.picture)
    blur.output.realize_tiled({"image": blur.picture}, result, tile=tile)
    np.testing.assert_array_equal(result, blur.result)


def test_a_memmap_and_a_compressed_tiff_are_sources(blur: Blur, saved: Any, tmp_path: Path) -> None:
    import tifffile

    path = str(tmp_path / "deflated.tif")
    tifffile.imwrite(path, blur.picture, tile=(64, 64), compression="zlib")
    for source in (path, np.load(saved(blur.picture, ".npy"), mmap_mode="r")):
        result = np.zeros_like(blur.picture)
        blur.output.realize_tiled({"image": source}, result, memory=MEMORY)
        np.testing.assert_array_equal(result, blur.result)


def test_chunks_are_read_once_when_tiles_follow_each_other(blur: Blur, saved: Any) -> None:
    result = np.zeros_like(blur.picture)
    source = saved(blur.picture, ".zarr", (64, 700))
    run = blur.output.realize_tiled({"image": source}, result, tile=(64, 700))
    assert run.bytes_read == blur.picture.nbytes
    np.testing.assert_array_equal(result, blur.result)


def test_buffers_in_use_stay_within_the_limit(blur: Blur, saved: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pipec.scale.windows import WindowedPipeline

    allocated = []
    original = WindowedPipeline.new_window

    def new_window(self: WindowedPipeline, name: str, box: Any) -> hl.Buffer:
        buffer = original(self, name, box)
        allocated.append(buffer.numpy().nbytes)
        return buffer

    monkeypatch.setattr(WindowedPipeline, "new_window", new_window)
    blur.output.realize_tiled({"image": saved(blur.picture, ".npy")}, str(saved(blur.picture, ".zarr")), memory=MEMORY)
    largest = sorted(allocated)[-4:]
    assert sum(largest) <= 300_000


def test_resampling_a_pyramid_and_two_outputs_of_three_dimensions() -> None:
    x, y, c = hl.vars("x y c")
    image = hl.ImageParam(hl.UInt(16), 3, "image")
    gain = hl.Param(hl.Int(32), "gain", 3)
    source = hl.BoundaryConditions.repeat_edge(image)
    level = source
    for number in range(3):
        down = hl.Func(f"down{number}")
        down[x, y, c] = hl.u16((hl.u32(level[2 * x, 2 * y, c]) + level[2 * x + 1, 2 * y + 1, c]) / 2)
        down.compute_root()
        level = down
    first, second = hl.funcs("first second")
    first[x, y, c] = level[x / 8, y / 8, c] + source[x, y, c] * hl.u16(gain)
    second[x, y, c] = source[image.width() - 1 - x, y, c]
    pipeline = hl.Pipeline([first, second])
    array = np.random.default_rng(1).integers(0, 1 << 16, (3, 90, 130), np.uint16)
    image.set(hl.Buffer(array))
    expected = pipeline.realize([130, 90, 3])
    results = [np.zeros_like(array), np.zeros_like(array)]
    run = pipeline.realize_tiled({"image": array, "gain": 3}, results, tile=(3, 40, 50))
    assert run.tiles == 9
    for result, buffer in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, buffer.numpy())


def test_a_histogram_of_the_whole_is_computed_in_strips(blur: Blur, saved: Any, tmp_path: Path) -> None:
    image, output = histogram_equalisation()
    journal = tmp_path / "journal"
    result = np.zeros_like(blur.picture)
    source = saved(blur.picture, ".npy")
    run = output.realize_tiled({"image": source}, result, memory="200 KB", resume=journal)
    assert run.reductions == ("whole_hist",) and run.bytes_read < 1.3 * blur.picture.nbytes
    image.set(hl.Buffer(blur.picture))
    np.testing.assert_array_equal(result, output.realize(SIZE).numpy())
    # The second run takes the histogram from the journal.
    assert output.realize_tiled({"image": source}, result, memory="200 KB", resume=journal).resumed == run.tiles
    assert sum("reduction" in json.loads(line) for line in journal.read_text().split("\n") if line) == 1


def test_a_mean_of_floats_is_the_same_to_the_bit_and_may_be_an_output(saved: Any) -> None:
    image = hl.ImageParam(hl.Float(32), 2, "image")
    x, y = hl.vars("x y")
    mean, output = hl.funcs("total_mean centred")
    r = hl.RDom([(0, image.width()), (0, image.height())], "r")
    mean[()] = hl.f32(0)
    mean[()] += image[r.x, r.y] / hl.f32(image.width() * image.height())
    mean.compute_root()
    output[x, y] = image[x, y] - mean[()]
    array = np.random.default_rng(2).random((200, 300), np.float32)
    image.set(hl.Buffer(array))
    result, number = np.zeros_like(array), np.zeros((), np.float32)
    assert output.realize_tiled({"image": array}, result, memory="80 KB", tile=(50, 300)).reductions == ("total_mean",)
    np.testing.assert_array_equal(result, output.realize([300, 200]).numpy())
    mean.realize_tiled({"image": saved(array, ".npy")}, number, sizes=[], memory="80 KB")
    np.testing.assert_array_equal(number, mean.realize([]).numpy())


def test_elements_of_a_product_of_matrices_belong_to_tiles(saved: Any) -> None:
    x, y = hl.vars("x y")
    left, right = (hl.ImageParam(hl.Float(32), 2, name) for name in ("left", "right"))
    product, output = hl.funcs("product elements")
    k = hl.RDom([(0, left.width())], "k")
    product[x, y] += left[k, y] * right[x, k]
    output[x, y] = product[x, y]
    output.vectorize(x, 8)
    # The loop over x has 8 iterations there only.
    product.compute_at(output, x).vectorize(x).update().vectorize(x)
    rng = np.random.default_rng(4)
    arrays = {"left": rng.random((50, 90), np.float32), "right": rng.random((90, 70), np.float32)}
    result = np.zeros((50, 70), np.float32)
    sources = {"left": arrays["left"], "right": saved(arrays["right"], ".npy")}
    run = output.realize_tiled(sources, result, sizes=[70, 50], tile=(20, 30))
    assert run.tiles == 9 and not run.reductions
    left.set(hl.Buffer(arrays["left"]))
    right.set(hl.Buffer(arrays["right"]))
    np.testing.assert_array_equal(result, output.realize([70, 50]).numpy())


def test_what_a_reduction_reads_is_computed_at_root(blur: Blur) -> None:
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    row, most, output = hl.funcs("row most output")
    r = hl.RDom([(0, image.width()), (0, image.height())], "r")
    row[x, y] = hl.u16(image[x, y]) * 2
    most[()] = hl.u16(0)
    most[()] = hl.max(most[()], row[r.x, r.y])
    output[x, y] = hl.u16(image[x, y]) + most[()]
    most.compute_root()
    # The loop over x has one iteration there only.
    row.compute_at(most, r.x).unroll(x)
    result = np.zeros_like(blur.picture, np.uint16)
    output.realize_tiled({"image": blur.picture}, result, memory="300 KB")
    np.testing.assert_array_equal(result, blur.picture + 2 * np.uint16(blur.picture.max()))


def test_a_pipeline_that_cannot_be_tiled_names_the_func_and_the_access(saved: Any) -> None:
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    gathered = hl.Func("gathered")
    row = hl.clamp(hl.i32(image[x, y]) * 3, 0, image.height() - 1)
    gathered[x, y] = image[hl.clamp(hl.i32(image[x, y]) * 3, 0, image.width() - 1), row]
    source = saved(np.zeros((800, 800), np.uint8), ".npy")
    with pytest.raises(
        hl.NotSupportedError, match=r"gathered reads image\(.*image.extent.0.*: a tile needs image\[0 to 765"
    ):
        gathered.realize_tiled({"image": source}, np.zeros((800, 800), np.uint8), memory="300 KB")


def test_a_source_that_is_too_small_is_an_error_of_its_coordinates() -> None:
    x = hl.Var("x")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    shifted = hl.Func("shifted")
    shifted[x] = image[x + 2]
    with pytest.raises(TileError, match="image is accessed at 11, which is beyond the max"):
        shifted.realize_tiled({"image": np.zeros(10, np.uint8)}, np.zeros(10, np.uint8), tile=[4])


@pytest.mark.parametrize(
    ("inputs", "keywords", "message"),
    [
        ({"picture": None}, {}, "no input 'picture'. Its ImageParams and Params are: image"),
        ({}, {}, "Input image has no array"),
        ({"image": np.zeros((4, 4), np.int16)}, {}, "image is uint8, but its source holds int16"),
        ({"image": np.zeros(4, np.uint8)}, {}, "image has 2 dimensions, but its source has shape"),
        ({"image": "picture.jpeg"}, {}, "The format of 'picture.jpeg' is unknown"),
        ({"image": np.zeros((4, 4), np.uint8)}, {"memory": "much"}, "'much' is no size of memory"),
        ({"image": np.zeros((4, 4), np.uint8)}, {"sizes": [3]}, r"sizes=\[3\] must have 2 sizes"),
        ({"image": np.zeros((4, 4), np.uint8)}, {"tile": [3]}, r"tile=\[3\] must have 2 positive sizes"),
        ({"image": np.zeros((4, 4), np.uint8)}, {"sizes": [4, 3]}, r"The destination of blurred has shape \(4, 4\)"),
    ],
)
def test_wrong_arguments_are_errors(blur: Blur, inputs: Any, keywords: Any, message: str) -> None:
    with pytest.raises(hl.HalideError, match=message):
        blur.output.realize_tiled(inputs, np.zeros((4, 4), np.uint8), **keywords)


@pytest.mark.parametrize("shape", [(0, 8), (8, 0)])
def test_an_empty_array_has_no_tiles(shape: tuple[int, int], tmp_path: Path) -> None:
    x, y, image, f = hl.Var("x"), hl.Var("y"), hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("f")
    f[x, y] = hl.BoundaryConditions.repeat_edge(image)[x + 1, y] + 1
    run = f.realize_tiled({"image": np.zeros(shape, np.uint8)}, tmp_path / "out.npy")
    assert run.tiles == 0 and np.load(tmp_path / "out.npy").shape == shape


@pytest.mark.parametrize("aligned", ["g", "f"])
def test_aligned_bounds_need_no_pixels_beyond_the_picture(aligned: str) -> None:
    x, y, image = hl.Var("x"), hl.Var("y"), hl.ImageParam(hl.UInt(8), 2, "image")
    f, g = hl.Func("f"), hl.Func("g")
    g[x, y] = image[x, y] + hl.u8(x % 4)
    f[x, y] = g[x, y] * 2
    g.compute_root()
    {"f": f, "g": g}[aligned].align_bounds(x, 4).vectorize(x, 8)
    picture = np.arange(37 * 5, dtype=np.uint8).reshape(5, 37)
    result = np.zeros_like(picture)
    run = f.realize_tiled({"image": picture}, result, tile=[5, 13])
    assert run.tiles == 3
    np.testing.assert_array_equal(result, (picture + np.arange(37, dtype=np.uint8) % 4) * 2)
