"""Non-blind deconvolution with a learned prior: stages that clean an estimate and fit it to the blurry picture again.

Cleaning is a pipeline: responses of learned filters, shrunk by learned curves and filtered back, as in U. Schmidt and
S. Roth's shrinkage fields (2014) and Y. Chen and T. Pock's trainable nonlinear reaction diffusion (2015). Fitting is a
division of Fourier transforms, which torch makes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from scipy.ndimage import gaussian_filter
from scipy.signal import fftconvolve
from skimage.restoration import richardson_lucy

import pipec as hl
from apps.learn.training import HELD_OUT, TRAINED, Array, Outcome, crop, photograph, psnr, train

KERNEL, SIDE, FILTERS, STAGES = 9, 5, 16, 3
KNOTS, RANGE = 49, 0.24  # of the curves, for responses from -RANGE to RANGE
NOISE = 0.02
BORDER, MARGIN = 12, 2 * KERNEL
REGULARITY = 0.02  # of the tried ones the best for the photographs learned from
LAPLACIAN = ((0.0, -1.0, 0.0), (-1.0, 4.0, -1.0), (0.0, -1.0, 0.0))


def motion(angle: float, length: float) -> Array:
    """How a point smears that moves along a line, in focus nearly."""
    fine, centre = np.zeros((KERNEL * 8, KERNEL * 8)), KERNEL * 4 - 0.5
    along = np.linspace(-length * 4, length * 4, 200)
    rows, columns = centre + along * np.sin(angle), centre + along * np.cos(angle)
    np.add.at(fine, (np.round(rows).astype(int), np.round(columns).astype(int)), 1)
    kernel = gaussian_filter(fine, 3).reshape(KERNEL, 8, KERNEL, 8).sum((1, 3))
    return (kernel / kernel.sum()).astype(np.float32)


def photographed(image: Array, kernel: Array, rng: np.random.Generator) -> Array:
    """The image out of focus and with noise, smaller by half a kernel on each side."""
    blurred = fftconvolve(image, kernel, "valid")
    return (blurred + rng.normal(0, NOISE, blurred.shape)).astype(np.float32)


def build(estimate: Any, filters: Any, curves: Any) -> Any:
    """A cleaner estimate (x, y): what curves (knot, filter) make of responses to filters (x, y, filter) comes off."""
    x, y, n = hl.vars("x y n")
    response, force, output = hl.funcs("response force cleaned")
    now = hl.BoundaryConditions.repeat_edge(estimate)
    r, q = hl.RDom([(0, SIDE), (0, SIDE)], "r"), hl.RDom([(0, SIDE), (0, SIDE), (0, FILTERS)], "q")
    near = SIDE // 2
    response[x, y, n] = hl.sum(filters[r.x, r.y, n] * now[x + r.x - near, y + r.y - near])
    place = hl.clamp((response[x, y, n] / (2 * RANGE) + 0.5) * (KNOTS - 1), 0.0, KNOTS - 1.0)
    knot = hl.clamp(hl.i32(hl.floor(place)), 0, KNOTS - 2)
    force[x, y, n] = hl.lerp(curves[knot, n], curves[knot + 1, n], place - hl.f32(knot))
    back = hl.sum(filters[q.x, q.y, q.z] * force[x + near - q.x, y + near - q.y, q.z])
    output[x, y] = estimate[x, y] - back / (SIDE * SIDE)
    return output


class Deconvolution(torch.nn.Module):
    """Stages with filters and curves of their own, from blurry pictures [(batch,) y, x] and kernels [(batch,) y, x].

    It begins with a Wiener filter's guess. `trust` and `steep`: logarithms of how much more a stage believes in its
    cleaned estimate than in the blurry picture, at all frequencies and where the Laplacian is large.
    """

    def __init__(self) -> None:
        super().__init__()
        sources = [hl.ImageParam(hl.Float(32), d, name) for d, name in ((2, "estimate"), (3, "filters"), (2, "curves"))]
        self.clean = build(*sources).as_torch(sources)
        responses = torch.linspace(-RANGE, RANGE, KNOTS)
        self.filters = torch.nn.Parameter(torch.from_numpy(cosines()).repeat(STAGES, 1, 1, 1))
        self.curves = torch.nn.Parameter((0.3 * responses / (1 + (responses / 0.06) ** 2)).repeat(STAGES, FILTERS, 1))
        self.first = torch.nn.Parameter(torch.tensor(-0.46))
        self.trust = torch.nn.Parameter(torch.tensor([-0.3, -0.27, -0.24]))
        self.steep = torch.nn.Parameter(torch.full((STAGES,), -0.15))

    def forward(self, blurry: Any, kernel: Any) -> Any:
        wide = torch.nn.functional.pad(blurry[None], (MARGIN,) * 4, mode="reflect")[0]
        transfer, rough = (spectrum(k, wide.shape[-2:]) for k in (kernel, torch.tensor(LAPLACIAN)))
        fitted, power = transfer.conj() * torch.fft.rfft2(wide), transfer.abs() ** 2
        roughness = rough.abs() ** 2

        def fit(belief: Any, estimate: Any = 0) -> Any:
            return torch.fft.irfft2((fitted + belief * estimate) / (power + belief), wide.shape[-2:])

        result = fit((10 * self.first).exp() * roughness)
        stages = zip(self.filters, self.curves, (10 * self.trust).exp(), (10 * self.steep).exp(), strict=True)
        for filters, curves, trust, steep in stages:
            blind = filters - filters.mean((1, 2), keepdim=True)  # to what is constant
            cleaned = self.clean(result, blind, (curves - curves.flip(1)) / 2)
            result = fit(trust * (1 + steep * roughness), torch.fft.rfft2(cleaned))
        return result[..., MARGIN:-MARGIN, MARGIN:-MARGIN]


def spectrum(kernel: Any, shape: Any) -> Any:
    """The Fourier transform of a kernel whose middle lies at the origin."""
    height, width = kernel.shape[-2:]
    wide = torch.nn.functional.pad(kernel, (0, shape[1] - width, 0, shape[0] - height))
    return torch.fft.rfft2(wide.roll((-(height // 2), -(width // 2)), (-2, -1)))


def cosines() -> Array:
    """The smoothest of the cosine transform's filters, without the constant one."""
    basis = np.array([[np.cos(np.pi * (i + 0.5) * k / SIDE) for i in range(SIDE)] for k in range(SIDE)])
    basis /= np.linalg.norm(basis, axis=1, keepdims=True)
    order = sorted(((j, i) for j in range(SIDE) for i in range(SIDE)), key=lambda at: (at[0] + at[1], at))
    return np.array([np.outer(basis[j], basis[i]) for j, i in order[1 : FILTERS + 1]], np.float32)


@torch.no_grad()
def deconvolve(module: Any, blurry: Array, kernel: Array) -> Array:
    """The sharp picture that a blurry one (height x width x channels) may come from."""
    channels = np.ascontiguousarray(np.moveaxis(blurry, -1, 0))
    return np.moveaxis(module(torch.from_numpy(channels), torch.from_numpy(kernel)).numpy(), 0, -1)


def learn(steps: int = 500, size: int = 128, rate: float = 3e-3) -> tuple[Any, list[float]]:
    """The module after so many steps, each on a part of one photograph in one colour, smeared in a random direction.

    The loss is relative to the error of the blurry picture, so that smooth parts count as much as rough ones.
    """
    rng, images, module = np.random.default_rng(3), [photograph(name) for name in TRAINED], Deconvolution()
    inside, half = slice(BORDER, -BORDER), KERNEL // 2

    def loss() -> Any:
        wide = crop(rng, images[int(rng.integers(len(images)))], size + KERNEL - 1, size + KERNEL - 1)
        sharp = wide[..., int(rng.integers(3))]
        kernel = motion(rng.uniform(0, np.pi), rng.uniform(2, KERNEL - 3))
        expected, blurry, smear = map(torch.from_numpy, (sharp.copy(), photographed(sharp, kernel, rng), kernel))
        expected = expected[half:-half, half:-half]
        result, before = ((x - expected)[inside, inside].square().mean() for x in (module(blurry, smear), blurry))
        return result / before

    return module, train(module.parameters(), loss, steps, rate)


def wiener(blurry: Array, kernel: Array, regularity: float = REGULARITY) -> Array:
    """The inverse of the blur, held back where the Laplacian is large."""
    wide = np.pad(blurry, MARGIN, mode="symmetric")
    transfer, rough = (spectrum(torch.from_numpy(k), wide.shape).numpy() for k in (kernel, np.array(LAPLACIAN)))
    inverse = transfer.conj() / (abs(transfer) ** 2 + regularity * abs(rough) ** 2)
    result = np.fft.irfft2(np.fft.rfft2(wide) * inverse, wide.shape)
    return result[MARGIN:-MARGIN, MARGIN:-MARGIN].astype(np.float32)


def best_wiener(blurry: Array, kernel: Array, sharp: Array) -> Array:
    """Of Wiener filters that which comes nearest to the sharp picture: better than one who does not know it can do."""
    tried = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
    result = (np.dstack([wiener(blurry[..., c], kernel, regularity) for c in range(3)]) for regularity in tried)
    return max(result, key=lambda picture: psnr(picture, sharp, BORDER))


def run() -> Outcome:
    """Learn on some photographs; figures and pictures of others."""
    (module, losses), rng, half = learn(), np.random.default_rng(4), KERNEL // 2
    kernel = motion(0.6, 5.5)
    figures, pictures = {}, {}
    for name in reversed(HELD_OUT):
        wide = photograph(name)
        sharp = wide[half:-half, half:-half]
        blurry = np.dstack([photographed(wide[..., c], kernel, rng) for c in range(3)])
        pictures = {
            "blurred": blurry,
            "Richardson-Lucy": np.dstack([richardson_lucy(blurry[..., c].clip(0, 1), kernel, 12) for c in range(3)]),
            "Wiener": np.dstack([wiener(blurry[..., c], kernel) for c in range(3)]),
            "best Wiener": best_wiener(blurry, kernel, sharp),
            "learned": deconvolve(module, blurry, kernel),
        }
        figures |= {f"{name}: {way} (dB)": psnr(result, sharp, BORDER) for way, result in pictures.items()}
        pictures["photograph"] = sharp
    shown = {way: picture[60:220, 120:320] for way, picture in pictures.items() if way != "best Wiener"}
    return Outcome(losses, figures, shown)
