"""Non-blind deconvolution with a learned prior: descent steps whose filters and penalties are learned.

Each step is x - rate K'(K x - y) - sum of F'(penalty'(F x)) over some filters F, as in Y. Chen and T. Pock's trainable
nonlinear reaction diffusion (2015). It begins with a Wiener filter's guess.
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

KERNEL, SIDE, FILTERS, STEPS = 9, 5, 8, 4
NOISE = 0.01
BORDER = 12
REGULARITY = 0.005


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


def wiener(blurry: Array, kernel: Array, regularity: float = REGULARITY) -> Array:
    """The inverse of the blur, held back where the Laplacian is large."""
    margin = 2 * KERNEL
    wide = np.pad(blurry, margin, mode="symmetric")
    transfer = _transfer(kernel, wide.shape)
    rough = _transfer(np.array([[0, -1, 0], [-1, 4, -1], [0, -1, 0]]), wide.shape)
    inverse = transfer.conj() / (abs(transfer) ** 2 + regularity * abs(rough) ** 2)
    found = np.fft.irfft2(np.fft.rfft2(wide) * inverse, wide.shape)
    return found[margin:-margin, margin:-margin].astype(np.float32)


def _transfer(kernel: Array, shape: tuple[int, ...]) -> Array:
    """The Fourier transform of a kernel whose middle lies at the origin."""
    wide = np.zeros(shape)
    wide[: kernel.shape[0], : kernel.shape[1]] = kernel
    return np.fft.rfft2(np.roll(wide, [-(n // 2) for n in kernel.shape], (0, 1)))


def build(estimate: Any, blurry: Any, kernel: Any, filters: Any, bend: Any, strength: Any, rate: Any) -> Any:
    """One step: a better estimate (x, y) of the sharp picture."""
    x, y, n = hl.vars("x y n")
    residual, response, force, output = hl.funcs("residual response force improved")
    now = hl.BoundaryConditions.repeat_edge(estimate)
    seen = hl.BoundaryConditions.repeat_edge(blurry)
    k, r = hl.RDom([(0, KERNEL), (0, KERNEL)], "k"), hl.RDom([(0, SIDE), (0, SIDE)], "r")
    q = hl.RDom([(0, SIDE), (0, SIDE), (0, FILTERS)], "q")
    half, near = KERNEL // 2, SIDE // 2
    residual[x, y] = hl.sum(kernel[k.x, k.y] * now[x + half - k.x, y + half - k.y]) - seen[x, y]
    response[x, y, n] = hl.sum(filters[r.x, r.y, n] * now[x + r.x - near, y + r.y - near])
    bent = response[x, y, n] * bend[n]
    force[x, y, n] = strength[n] * response[x, y, n] / (1 + bent * bent)
    fidelity = hl.sum(kernel[k.x, k.y] * residual[x + k.x - half, y + k.y - half])
    prior = hl.sum(filters[q.x, q.y, q.z] * force[x + near - q.x, y + near - q.y, q.z])
    output[x, y] = estimate[x, y] - rate * fidelity - prior
    return output


class Deconvolution(torch.nn.Module):
    """Several steps, each with filters of its own, from blurry pictures [batch, y, x] and first guesses of them."""

    def __init__(self) -> None:
        super().__init__()
        images = [hl.ImageParam(hl.Float(32), 2, name) for name in ("estimate", "blurry", "kernel")]
        images += [hl.ImageParam(hl.Float(32), d, name) for d, name in ((3, "filters"), (1, "bend"), (1, "strength"))]
        sources = [*images, hl.Param(hl.Float(32), "rate")]
        self.step = build(*sources).as_torch(sources)
        self.filters = torch.nn.Parameter(torch.from_numpy(cosines()).repeat(STEPS, 1, 1, 1))
        self.bend = torch.nn.Parameter(torch.full((STEPS, FILTERS), 10.0))
        self.strength = torch.nn.Parameter(torch.full((STEPS, FILTERS), 0.05))
        self.rate = torch.nn.Parameter(torch.full((STEPS,), 0.3))

    def forward(self, estimate: Any, blurry: Any, kernel: Any) -> Any:
        for given in zip(self.filters, self.bend, self.strength, self.rate, strict=True):
            estimate = self.step(estimate, blurry, kernel, *given)
        return estimate


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
    guess = np.stack([wiener(channel, kernel) for channel in channels])
    found = module(*map(torch.from_numpy, (guess, channels, kernel)))
    return np.moveaxis(found.numpy(), 0, -1)


def learn(steps: int = 200, size: int = 96, rate: float = 5e-3) -> tuple[Any, list[float]]:
    """The module after so many steps, each on a part of one photograph in one colour, smeared in a random direction."""
    rng, images, module = np.random.default_rng(3), [photograph(name) for name in TRAINED], Deconvolution()

    def loss() -> Any:
        wide = crop(rng, images[int(rng.integers(len(images)))], size + KERNEL - 1, size + KERNEL - 1)
        sharp = wide[..., int(rng.integers(3))]
        kernel = motion(rng.uniform(0, np.pi), rng.uniform(2, KERNEL - 3))
        blurry = photographed(sharp, kernel, rng)
        found = module(*map(torch.from_numpy, (wiener(blurry, kernel), blurry, kernel)))
        inside = slice(BORDER, -BORDER)
        wanted = sharp[KERNEL // 2 : -(KERNEL // 2), KERNEL // 2 : -(KERNEL // 2)][inside, inside]
        return (found[inside, inside] - torch.from_numpy(wanted.copy())).square().mean()

    return module, train(module.parameters(), loss, steps, rate, clip=0.1)


def best_wiener(blurry: Array, kernel: Array, sharp: Array) -> Array:
    """Of Wiener filters that which comes nearest to the sharp picture: better than one who does not know it can do."""
    tried = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
    found = (np.dstack([wiener(blurry[..., c], kernel, regularity) for c in range(3)]) for regularity in tried)
    return max(found, key=lambda picture: psnr(picture, sharp, BORDER))


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
            "Wiener": best_wiener(blurry, kernel, sharp),
            "learned": deconvolve(module, blurry, kernel),
        }
        figures |= {f"{name}: {way} (dB)": psnr(found, sharp, BORDER) for way, found in pictures.items()}
        pictures["photograph"] = sharp
    return Outcome(losses, figures, {way: picture[60:220, 120:320] for way, picture in pictures.items()})
