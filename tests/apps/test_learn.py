"""The applications that learn, on small parts of photographs: in a few steps the loss falls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from apps.learn import camera, deconvolution, demosaic, slicing  # noqa: E402
from apps.learn.training import crop, photograph, psnr, train  # noqa: E402

pytestmark = pytest.mark.torch
RNG = np.random.default_rng


def part(name: str = "coffee", size: int = 48) -> Any:
    return crop(RNG(7), photograph(name), size, size)


def fall(module: Any, arguments: tuple[Any, ...], target: Any, inside: Any = ..., rate: float = 1e-3) -> float:
    """How much smaller the loss for one picture is after a few steps."""
    tensors = [torch.from_numpy(np.ascontiguousarray(array)) for array in (*arguments, target)]
    losses = train(
        module.parameters(), lambda: (module(*tensors[:-1])[inside] - tensors[-1][inside]).square().mean(), 12, rate
    )
    assert np.isfinite(losses).all()
    return losses[-1] / losses[0]


def planar(image: Any) -> Any:
    return np.moveaxis(image, -1, 0)


@pytest.mark.slow
def test_demosaicing_learns_and_begins_with_malvars_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    # The filters' first coefficients have no more than these; larger ones take long to compile.
    for name, side in {"GREEN": 5, "WINDOW": 3, "CHROMA": 3}.items():
        monkeypatch.setattr(demosaic, name, side)
    image, module, border = part(), demosaic.layer(), demosaic.BORDER
    mosaic = demosaic.mosaic_of(image)
    assert psnr(demosaic.demosaic(module, mosaic), image) > psnr(demosaic.bilinear(mosaic), image) + 2
    assert fall(module, (mosaic,), planar(image)[:, border:-border, border:-border], rate=3e-4) < 0.99


@pytest.mark.slow
def test_all_demosaicing_reproduces_what_is_grey_and_flat_and_measured() -> None:
    flat, image, module = np.full((20, 21), 0.5, np.float32), part(size=20), demosaic.layer()
    for way in (demosaic.bilinear, demosaic.malvar, lambda mosaic: demosaic.demosaic(module, mosaic)):
        np.testing.assert_allclose(way(flat), 0.5, atol=1e-5)
        result, mosaic = way(demosaic.mosaic_of(image)), demosaic.mosaic_of(image)
        np.testing.assert_allclose(result[0::2, 0::2, 1], mosaic[0::2, 0::2], atol=1e-5)


def test_a_grid_that_is_the_same_everywhere_is_one_map_of_colours() -> None:
    image, module = part(size=32), slicing.Editor()
    matrix = RNG(1).random((3, 4), np.float32)
    grid = np.broadcast_to(matrix.reshape(12, 1, 1, 1), (12, slicing.DEPTH, 2, 2)).copy()
    result = module.slice(torch.from_numpy(planar(image).copy()), torch.from_numpy(grid)).detach().numpy()
    expected = image @ matrix[:, :3].T + matrix[:, 3]
    np.testing.assert_allclose(result, planar(expected), atol=1e-5)


@pytest.mark.slow
def test_slicing_learns() -> None:
    image = part(size=48)
    assert fall(slicing.Editor(), (planar(image),), planar(slicing.edit(image)), rate=3e-3) < 0.8


@pytest.mark.slow
def test_straight_curves_take_off_what_filters_find() -> None:
    """For them cleaning is x - slope F'F x / 25, the gradient of a sum of squares."""
    module, image = deconvolution.Deconvolution(), torch.from_numpy(part(size=24)[..., 0].copy()) * 0.1
    filters = module.filters[0].detach()
    curves = torch.linspace(-0.2, 0.2, deconvolution.KNOTS).repeat(deconvolution.FILTERS, 1)
    x = image.clone().requires_grad_()
    responses = torch.nn.functional.conv2d(x[None, None], filters[:, None])
    (0.5 * responses.square().sum() * 0.2 / deconvolution.RANGE / 25).backward()
    inside = (slice(4, -4), slice(4, -4))
    result = module.clean(image, filters, curves)
    torch.testing.assert_close(result[inside], (image - x.grad)[inside], atol=1e-5, rtol=1e-4)


@pytest.mark.slow
def test_deconvolution_learns() -> None:
    kernel, wide = deconvolution.motion(0.4, 5), part(size=56)[..., 1]
    blurry = deconvolution.photographed(wide, kernel, RNG(3))
    inside = (slice(8, -8), slice(8, -8))
    assert fall(deconvolution.Deconvolution(), (blurry, kernel), wide[4:-4, 4:-4], inside, 3e-3) < 0.97


def test_wiener_filters_undo_a_blur() -> None:
    kernel, wide = deconvolution.motion(0.4, 5), part(size=56)[..., 1]
    blurry = deconvolution.photographed(wide, kernel, RNG(3))
    sharp = wide[4:-4, 4:-4]
    assert psnr(deconvolution.wiener(blurry, kernel), sharp) > psnr(blurry, sharp) + 0.5


@pytest.mark.slow
def test_the_camera_learns_a_look_with_all_its_parameters() -> None:
    colours = camera.sensor_colours("coffee")[100:148, 200:248]
    expected, border, module = camera.look(colours), camera.BORDER, camera.layer()
    first = [parameter.detach().clone() for parameter in module.parameters()]
    assert fall(module, (planar(colours),), planar(expected)[:, border:-border, border:-border], rate=1e-2) < 0.7
    assert all((a != b).any() for a, b in zip(first, module.parameters(), strict=True))
