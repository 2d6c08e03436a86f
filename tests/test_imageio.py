"""Images from and to files."""

import numpy as np
import pytest

from pipec import imageio
from pipec.errors import ArgumentError
from pipec.func.buffer import Buffer
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
