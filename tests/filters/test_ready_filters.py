"""Ready filters give the results of the libraries that they stand in for, also at borders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from skimage.filters import unsharp_mask

import pipec as hl
from pipec import filters

RNG = np.random.default_rng(0)
GREY = cv2.GaussianBlur(RNG.integers(0, 256, (37, 53), dtype=np.uint8), (0, 0), 1.0)
COLOUR = cv2.GaussianBlur(RNG.integers(0, 256, (31, 21, 3), dtype=np.uint8), (0, 0), 1.0)
FLOAT = GREY.astype(np.float32) / 255
ELLIPSE = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 7))
AREA = cv2.INTER_AREA
Filter = Callable[[np.ndarray[Any, Any]], Any]


def distance(a: Any, b: Any) -> float:
    assert a.shape == b.shape and a.dtype == b.dtype
    return float(np.abs(a.astype(np.float64) - b).max())


def to(shape: tuple[int, int], ours: str, theirs: int) -> tuple[Filter, Filter]:
    return (
        lambda a: filters.resize(a, shape, ours),
        lambda a: cv2.resize(a, shape[::-1], interpolation=theirs),
    )


CASES: dict[str, tuple[Filter, Filter, float]] = {
    "gaussian": (lambda a: filters.gaussian(a, 1.5), lambda a: cv2.GaussianBlur(a, (0, 0), 1.5), 0),
    "median 3": (lambda a: filters.median(a, 3), lambda a: cv2.medianBlur(a, 3), 0),
    "erode": (lambda a: filters.morphology(a, "erode", (4, 21)), lambda a: cv2.erode(a, np.ones((4, 21))), 0),
    "linear": (*to((20, 70), "linear", cv2.INTER_LINEAR), 1),
    "pyramid": (lambda a: filters.pyramid(a, 1)[1], cv2.pyrDown, 0),
    "bilateral": (lambda a: filters.bilateral(a, 5, 20.0, 3.0), lambda a: cv2.bilateralFilter(a, 5, 20, 3), 1),
}
GREY_CASES: dict[str, tuple[Filter, Filter, float]] = {
    "median 9": (lambda a: filters.median(a, 9), lambda a: cv2.medianBlur(a, 9), 0),
    "ellipse": (lambda a: filters.morphology(a, "dilate", ELLIPSE), lambda a: cv2.dilate(a, ELLIPSE), 0),
    "nl_means": (lambda a: filters.nl_means(a, 10, 3, 5), lambda a: cv2.fastNlMeansDenoising(a, None, 10, 3, 5), 2),
    "clahe": (lambda a: filters.clahe(a, 2, (5, 3)), lambda a: cv2.createCLAHE(2, (5, 3)).apply(a), 1),
    "canny": (lambda a: filters.canny(a, 60, 130), lambda a: cv2.Canny(a, 60, 130), 0),
    "demosaic": (lambda a: filters.demosaic(a, "GRBG"), lambda a: cv2.cvtColor(a, cv2.COLOR_BayerGB2RGB), 0),
    "nearest": (*to((50, 60), "nearest", cv2.INTER_NEAREST), 0),
    "cubic": (*to((50, 60), "cubic", cv2.INTER_CUBIC), 1),
    "lanczos": (*to((50, 60), "lanczos", cv2.INTER_LANCZOS4), 1),
    "area": (*to((13, 20), "area", AREA), 1),
    "area enlarging": (*to((50, 60), "area", AREA), 1),
}

WIDE = RNG.integers(0, 256, (24, 300), dtype=np.uint8)


@pytest.mark.parametrize("shape", [(15, 160), (40, 310), (9, 299), (24, 20)])
def test_resize_takes_nearest_pixels_of_wide_rows(shape: tuple[int, int]) -> None:
    ours, theirs = to(shape, "nearest", cv2.INTER_NEAREST)
    assert distance(ours(WIDE), theirs(WIDE)) == 0


def test_resize_of_floats_shrinks_wide_rows_of_colours() -> None:
    colours = RNG.random((20, 90, 3), np.float32)
    for shape in ((11, 61), (7, 33)):
        ours, theirs = to(shape, "linear", cv2.INTER_LINEAR)
        assert distance(ours(colours), theirs(colours)) < 1e-5


# The others take longer to compile; the examples of their docstrings run in every test.
QUICK = {"gaussian", "median 3", "linear", "canny", "demosaic", "clahe"}


def names(cases: dict[str, Any]) -> list[Any]:
    return [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in cases]


@pytest.mark.part(2)
@pytest.mark.parametrize("name", names(CASES))
def test_bytes_of_one_and_three_channels_are_filtered_as_by_opencv(name: str) -> None:
    ours, theirs, tolerance = CASES[name]
    for image in (GREY, COLOUR):
        assert distance(ours(image), theirs(image)) <= tolerance


@pytest.mark.part(2)
@pytest.mark.parametrize("name", names(GREY_CASES))
def test_one_channel_is_filtered_as_by_opencv(name: str) -> None:
    ours, theirs, tolerance = GREY_CASES[name]
    assert distance(ours(GREY), theirs(GREY)) <= tolerance


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_float32_is_filtered_as_by_opencv(name: str) -> None:
    ours, theirs, _ = CASES[name]
    assert distance(ours(FLOAT), theirs(FLOAT)) <= 1e-5


def test_unsharp_masking_is_that_of_scikit_image() -> None:
    expected = unsharp_mask(FLOAT, 1.2, 0.7, preserve_range=True)
    assert distance(filters.unsharp(FLOAT, 1.2, 0.7), np.float32(np.clip(expected, 0, 1))) < 1e-5


@pytest.mark.parametrize(
    ("border", "flag"),
    [
        ("symmetric", cv2.BORDER_REFLECT),
        pytest.param("edge", cv2.BORDER_REPLICATE, marks=pytest.mark.slow),
        pytest.param("constant", cv2.BORDER_CONSTANT, marks=pytest.mark.slow),
    ],
)
def test_borders_have_the_names_of_numpy_pad(border: str, flag: int) -> None:
    got = filters.gaussian(COLOUR, 1.0, size=5, border=border)
    assert distance(got, cv2.GaussianBlur(COLOUR, (5, 5), 1.0, borderType=flag)) == 0


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), pytest.param((2, 1, 3), marks=pytest.mark.slow)])
def test_a_picture_may_be_smaller_than_the_kernel(shape: tuple[int, ...]) -> None:
    image = RNG.integers(0, 256, shape, dtype=np.uint8)
    padded = np.pad(image, [(60, 60), (60, 60), (0, 0)][: len(shape)], mode="reflect")
    expected = cv2.GaussianBlur(padded, (0, 0), 1.5)[60 : 60 + shape[0], 60 : 60 + shape[1]]
    assert distance(filters.gaussian(image, 1.5), expected) == 0


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (3, 4, 3)])
def test_a_pyramid_ends_at_one_pixel(shape: tuple[int, ...]) -> None:
    image = RNG.integers(0, 256, shape, dtype=np.uint8)
    coarse = filters.pyramid(image, 2)[2]
    assert coarse.shape[:2] == (1, -(-shape[1] // 4))
    assert distance(coarse, cv2.pyrDown(cv2.pyrDown(image)).reshape(coarse.shape)) == 0


def test_remap_interpolates_and_is_zero_outside() -> None:
    ys, xs = np.mgrid[:30, :40].astype(np.float32)
    maps = [np.round(32 * e) / 32 for e in (xs * 1.3 - 3 + np.sin(ys), ys * 1.4 - 4 + np.cos(xs))]
    for image in (COLOUR, np.ascontiguousarray(COLOUR[..., 1]), COLOUR.astype(np.uint16) * 257):
        assert distance(filters.remap(image, *maps), cv2.remap(image, *maps, cv2.INTER_LINEAR)) <= 1


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (9, 1), (2, 2)])
def test_remap_reads_pictures_of_single_rows_and_columns(shape: tuple[int, int]) -> None:
    image = RNG.random(shape, np.float32)
    ys, xs = np.mgrid[:24, :24].astype(np.float32)
    maps = (xs / 2 - 2, ys / 2 - 2)
    assert distance(filters.remap(image, *maps), cv2.remap(image, *maps, cv2.INTER_LINEAR)) < 1e-5


def test_remap_leaves_infinities_where_they_are() -> None:
    image = np.ones((4, 4), np.float32)
    image[1, 1] = np.inf
    far = np.full((1, 8), -7, np.float32)
    assert not filters.remap(image, far, far).any()
    beside = np.full((1, 8), -0.5, np.float32)
    assert (filters.remap(image, beside, beside) == 0.25).all()


def test_edges_grow_along_weak_ones_that_wind_through_many_words() -> None:
    """A spiral of weak ridges with one strong end."""
    image = np.full((70, 200), 100, np.uint8)
    points = [(4 + 4 * k, 6 + 8 * k) for k in range(8)]
    for y, x in points:
        cv2.rectangle(image, (x, y), (199 - x, 69 - y), 112, 1)
        cv2.line(image, (x, y + 2), (x - 8, y - 2), 112, 1)
    image[34:37, 90:110] = 255
    assert distance(filters.canny(image, 20, 300), cv2.Canny(image, 20, 300)) == 0


@pytest.mark.slow
@pytest.mark.parametrize("operation", ["open", "close", "gradient", "tophat", "blackhat"])
def test_combined_operations_are_those_of_opencv(operation: str) -> None:
    flag = getattr(cv2, f"MORPH_{operation.upper()}")
    expected = cv2.morphologyEx(GREY, flag, np.ones((3, 3)))
    assert distance(filters.morphology(GREY, operation), expected) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: filters.gaussian([[1]], 1.0), "takes an array of shape"),
        (lambda: filters.gaussian(GREY.astype(np.int64), 1.0), r"takes arrays of uint8, uint16, float32, not int64"),
        (lambda: filters.gaussian(GREY, 1.0, border="reflect101"), "is none of reflect, symmetric"),
        (lambda: filters.gaussian(GREY, 0.0), "must be above 0"),
        (lambda: filters.median(GREY, 4), "must be odd"),
        (lambda: filters.morphology(GREY, "erodes"), "is none of erode, dilate"),
        (lambda: filters.canny(COLOUR, 1, 2), "takes one channel"),
        (lambda: filters.resize(GREY, (4, 4), "bicubic"), "is none of nearest, linear"),
        (lambda: filters.remap(GREY, FLOAT, FLOAT[:3]), "must have one shape"),
        (lambda: filters.demosaic(GREY, "RGBG"), "is none of RGGB"),
        (lambda: filters.clahe(GREY, out=FLOAT), "must be a dense array"),
    ],
)
def test_wrong_arguments_are_refused_with_what_is_legal(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(hl.ArgumentError, match=message):
        call()


def test_the_median_of_large_windows_of_floats_is_refused() -> None:
    with pytest.raises(hl.NotSupportedError, match="windows up to 5"):
        filters.median(FLOAT, 7)
