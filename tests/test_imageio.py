"""Images from and to files."""

import numpy as np
import pytest

from pipec import imageio
from pipec.errors import ArgumentError
from pipec.func.buffers.buffer import Buffer
from pipec.ir.types import UInt


@pytest.fixture
def photo():
    return np.random.default_rng(0).integers(0, 256, (5, 7, 3), np.uint8)


def test_colour_images_become_planar(tmp_path, photo):
    imageio.imwrite(tmp_path / "a.png", photo)
    planar = imageio.imread(tmp_path / "a.png")
    assert planar.shape == (3, 5, 7)
    np.testing.assert_array_equal(planar, photo.transpose(2, 0, 1))
    b = Buffer(planar)
    assert (b.width(), b.height(), b.channels()) == (7, 5, 3) and b[6, 4, 2] == photo[4, 6, 2]


def test_planar_images_are_written_interleaved(tmp_path, photo):
    for name, image in (("a.png", np.ascontiguousarray(photo.transpose(2, 0, 1))), ("b.png", Buffer(photo))):
        imageio.imwrite(tmp_path / name, image)
        np.testing.assert_array_equal(imageio.imread(tmp_path / name), photo.transpose(2, 0, 1))


def test_interleaved_buffers_are_written_as_they_look(tmp_path, photo):
    b = Buffer.make_interleaved(UInt(8), 7, 5, 3)
    np.asarray(b)[...] = photo.transpose(2, 0, 1)
    imageio.imwrite(tmp_path / "c.png", b)
    np.testing.assert_array_equal(imageio.imread(tmp_path / "c.png"), photo.transpose(2, 0, 1))


def test_grey_images_stay(tmp_path, photo):
    imageio.imwrite(tmp_path / "g.png", photo[..., 0])
    np.testing.assert_array_equal(imageio.imread(tmp_path / "g.png"), photo[..., 0])


def test_sixteen_bit_images_are_interleaved_too(photo):
    wide = photo.astype(np.uint16)
    assert imageio.is_interleaved(wide) and imageio.copy_to_planar(wide).shape == (3, 5, 7)
    assert not imageio.is_interleaved(imageio.copy_to_planar(wide))


def test_only_images(tmp_path):
    with pytest.raises(ArgumentError):
        imageio.imwrite(tmp_path / "x.png", "nothing")


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("shape", [(5, 7), (3, 5, 7), (4, 5, 7)])
@pytest.mark.parametrize("suffix", ["png", "tiff"])
def test_files_hold_what_was_written(tmp_path, dtype, shape, suffix):
    image = np.arange(np.prod(shape)).reshape(shape).astype(dtype) * (1 if dtype == np.uint8 else 300)
    path = tmp_path / f"a.{suffix}"
    if suffix == "png" and dtype == np.uint16 and len(shape) == 3:
        with pytest.raises(ArgumentError, match=r"does not fit .png files, which hold .*Write a .tiff"):
            imageio.imwrite(path, image)
        assert not path.exists()
        return
    imageio.imwrite(path, image)
    result = imageio.imread(path)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, image)


def test_floats_are_held_by_tiff_and_converted_for_others(tmp_path):
    image = np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)
    imageio.imwrite(tmp_path / "a.tiff", image)
    np.testing.assert_array_equal(imageio.imread(tmp_path / "a.tiff"), image)
    with pytest.raises(ArgumentError, match="float32 does not fit .jpg files.*convert"):
        imageio.imwrite(tmp_path / "a.jpg", image)
    imageio.imwrite(tmp_path / "a.png", imageio.convert(image, np.uint8))
    assert imageio.imread(tmp_path / "a.png").max() == 255


@pytest.mark.parametrize("a", ["bool", "uint8", "uint16", "float32"])
@pytest.mark.parametrize("b", ["uint8", "uint16", "float32", "float64"])
def test_conversion_keeps_black_and_white(a, b):
    black, white = 0, np.iinfo(a).max if a.startswith("u") else 1
    result = imageio.convert(np.array([[black, white]], a), b)
    assert result.dtype == b and result.tolist() == [[0, np.iinfo(b).max if b.startswith("u") else 1]]


def test_conversion_clamps_and_refuses():
    assert imageio.convert(np.array([[np.nan, -1.0, 9.0]]), np.uint8).tolist() == [[0, 0, 255]]
    with pytest.raises(ArgumentError, match="complex"):
        imageio.convert(np.zeros((2, 2), complex), np.uint8)


@pytest.mark.parametrize(
    "image", [np.zeros(3, np.uint8), np.zeros((2, 2, 2, 2), np.uint8), np.zeros((0, 3)), np.zeros((9, 30, 30))]
)
def test_what_is_no_image_is_not_written(tmp_path, image):
    with pytest.raises(ArgumentError, match="is no image"):
        imageio.imwrite(tmp_path / "x.png", image)


def test_wrong_files_say_so(tmp_path):
    with pytest.raises(FileNotFoundError):
        imageio.imread(tmp_path / "none.png")
    for content in (b"", b"no image", b"\x89PNG\r\n\x1a\n"):
        (tmp_path / "bad.png").write_bytes(content)
        with pytest.raises(ArgumentError, match="bad.png.* cannot be read as an image"):
            imageio.imread(tmp_path / "bad.png")
    for name in ("x", "x.nonsense"):
        with pytest.raises(ArgumentError, match="cannot be written"):
            imageio.imwrite(tmp_path / name, np.zeros((3, 3), bool))
