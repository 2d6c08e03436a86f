"""Transforms of blocks and signals by products with the matrices of cosines and waves, and long filters."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
from scipy.fft import dct, dctn, idctn
from scipy.ndimage import correlate1d

from apps.app import Algorithm, Array
from bench.zoo.entry import Entry, Sizes, noise
from bench.zoo.pieces import Stages, pictures, total

BLOCK = 8
HEVC_ROWS = (  # of the 8 x 8 core transform; each is even or odd about its middle
    (64, 64, 64, 64),
    (89, 75, 50, 18),
    (83, 36, -36, -83),
    (75, -18, -89, -50),
    (64, -64, -64, 64),
    (50, -89, 18, 75),
    (36, -83, 83, -36),
    (18, -50, 75, -89),
)
QUANTISER, QUANTISER_BITS = 2 * 7282, 20  # 1 / 72 in 20 bits


def build_hevc_transform(hl: ModuleType) -> Algorithm:
    """Residuals of 8 x 8 blocks, transformed with even and odd halves and quantised; innermost: column, row of a block.

    The output is (u, v, block column, block row).
    """
    current, predicted = (hl.ImageParam(hl.UInt(8), 2, name) for name in ("current", "predicted"))
    x, y, u, v, bx, by = hl.vars("x y u v bx by")
    stages = Stages(hl)
    residual = stages.define("residual", (x, y), hl.i16(current[x, y]) - hl.i16(predicted[x, y]))

    def transformed(line: Any, at: Any, shift: int) -> Any:
        """Coefficient `at` of the eight values line(0) .. line(7)."""
        pairs = [(line(k), line(BLOCK - 1 - k)) for k in range(BLOCK // 2)]
        even, odd = ([hl.i32(a) + sign * hl.i32(b) for a, b in pairs] for sign in (1, -1))
        sums = [
            total([value * weight for value, weight in zip(odd if k % 2 else even, row, strict=True)])
            for k, row in enumerate(HEVC_ROWS)
        ]
        return hl.i16((hl.mux(at, sums) + (1 << shift >> 1)) >> shift)

    across = stages.define("across", (u, y, bx), transformed(lambda k: residual[bx * BLOCK + k, y], u, 2))
    down = stages.define("down", (u, v, bx, by), transformed(lambda k: across[u, by * BLOCK + k, bx], v, 9))
    value = hl.i32(down[u, v, bx, by])
    level = (hl.i32(hl.abs(value)) * QUANTISER + (1 << QUANTISER_BITS) // 3) >> QUANTISER_BITS
    quantised = stages.define("quantised", (u, v, bx, by), hl.i16(hl.select(value < 0, -level, level)))
    return Algorithm(quantised, {"current": current, "predicted": predicted}, stages=stages)


def hevc_inputs(size: Sizes) -> dict[str, Array]:
    shape = (size[3] * BLOCK, size[2] * BLOCK)
    current = noise(shape, np.uint8, 0, 255)
    return {"current": current, "predicted": np.roll(current, 2, axis=(0, 1))}


def hevc_transform(images: Mapping[str, Array]) -> Array:
    residual = images["current"].astype(np.int64) - images["predicted"]
    half = np.array(HEVC_ROWS)
    matrix = np.hstack([half, half[:, ::-1] * np.array([1, -1] * 4)[:, None]])
    blocks = residual.reshape(residual.shape[0] // BLOCK, BLOCK, -1, BLOCK).swapaxes(1, 2)
    across = (blocks @ matrix.T + 2) >> 2
    down = (matrix @ across + 256) >> 9
    level = (abs(down) * QUANTISER + (1 << QUANTISER_BITS) // 3) >> QUANTISER_BITS
    return (np.sign(down) * level).astype(np.int16)


COSINES = dct(np.eye(BLOCK), axis=0, norm="ortho")  # row k: the k-th cosine
SHRINKAGE = 0.15


def build_dct_denoise(hl: ModuleType) -> Algorithm:
    """Cosine transforms of blocks by products with a matrix, small coefficients shrunk, transformed back."""
    image, cosines = hl.ImageParam(hl.Float(32), 2, "image"), hl.ImageParam(hl.Float(32), 2, "cosines")  # (place, wave)
    x, y, u, v = hl.vars("x y u v")
    across, down, back, denoised = hl.funcs("across down back denoised")
    r = [hl.RDom([(0, BLOCK)], f"r{k}") for k in range(4)]

    def begin(at: Any) -> Any:
        return at // BLOCK * BLOCK

    across[x, y] = 0.0
    across[x, y] += cosines[r[0], x % BLOCK] * image[begin(x) + r[0], y]
    down[x, y] = 0.0
    down[x, y] += cosines[r[1], y % BLOCK] * across[x, begin(y) + r[1]]
    value = down[x, y]
    shrunk = hl.Func("shrunk")
    smaller = value - hl.clamp(value, hl.f32(-SHRINKAGE), hl.f32(SHRINKAGE))
    shrunk[x, y] = hl.select((x % BLOCK == 0) & (y % BLOCK == 0), value, smaller)
    back[x, y] = 0.0
    back[x, y] += cosines[y % BLOCK, r[2]] * shrunk[x, begin(y) + r[2]]
    denoised[x, y] = 0.0
    denoised[x, y] += cosines[x % BLOCK, r[3]] * back[begin(x) + r[3], y]
    stages = {"across": across, "down": down, "shrunk": shrunk, "back": back}
    return Algorithm(denoised, {"image": image, "cosines": cosines}, stages=stages)


def dct_inputs(size: Sizes) -> dict[str, Array]:
    width, height = (-(-n // BLOCK) * BLOCK for n in size)
    return {"image": noise((height, width), np.float32, 0, 1), "cosines": COSINES.astype(np.float32)}


def dct_denoise(images: Mapping[str, Array]) -> Array:
    image = images["image"].astype(np.float64)
    blocks = image.reshape(image.shape[0] // BLOCK, BLOCK, -1, BLOCK)
    waves = dctn(blocks, axes=(1, 3), norm="ortho")
    shrunk = np.sign(waves) * np.maximum(abs(waves) - SHRINKAGE, 0)
    shrunk[:, 0, :, 0] = waves[:, 0, :, 0]
    return idctn(shrunk, axes=(1, 3), norm="ortho").reshape(image.shape).astype(np.float32)


FRAME, HOP, BINS, BANDS = 256, 96, 129, 40  # samples of a frame and between frames; frequencies; bands of mel


def build_mel_spectrogram(hl: ModuleType) -> Algorithm:
    """Frames of a signal times a window, Fourier sums, power, bands by a product of matrices, logarithms."""
    signal, window = (hl.ImageParam(hl.Float(32), 1, name) for name in ("signal", "window"))
    filters = hl.ImageParam(hl.Float(32), 2, "filters")  # (band, frequency)
    waves = hl.ImageParam(hl.Float(32), 3, "waves")  # (frequency, sample, cosine or sine)
    k, t, p, b, n = hl.vars("k t p b n")
    r, f = hl.RDom([(0, FRAME)], "r"), hl.RDom([(0, BINS)], "f")
    frame, spectrum, power, mel, logarithm = hl.funcs("frame spectrum power mel logarithm")
    frame[n, t] = signal[t * HOP + n] * window[n]
    spectrum[k, t, p] = 0.0
    spectrum[k, t, p] += waves[k, r, p] * frame[r, t]
    power[k, t] = spectrum[k, t, 0] * spectrum[k, t, 0] + spectrum[k, t, 1] * spectrum[k, t, 1]
    mel[b, t] = 0.0
    mel[b, t] += filters[b, f] * power[f, t]
    logarithm[b, t] = hl.log(mel[b, t] + hl.f32(1e-3))
    images = {"signal": signal, "window": window, "filters": filters, "waves": waves}
    stages = {"frame": frame, "spectrum": spectrum, "power": power, "mel": mel}
    return Algorithm(logarithm, images, stages=stages)


def mel_inputs(size: Sizes) -> dict[str, Array]:
    angle = 2 * np.pi * np.outer(np.arange(FRAME), np.arange(BINS)) / FRAME
    mels = np.linspace(0, 2595 * np.log10(1 + 8000 / 700), BANDS + 2)
    edges = (700 * (10 ** (mels / 2595) - 1)) * (BINS - 1) / 8000
    rise = (np.arange(BINS)[:, None] - edges[:-2]) / np.diff(edges)[:-1]
    fall = (edges[2:] - np.arange(BINS)[:, None]) / np.diff(edges)[1:]
    samples = (size[1] - 1) * HOP + FRAME
    return {
        "signal": np.random.default_rng(0).standard_normal(samples, np.float32),
        "window": np.hanning(FRAME).astype(np.float32),
        "filters": np.maximum(np.minimum(rise, fall), 0).astype(np.float32),
        "waves": np.stack([np.cos(angle), -np.sin(angle)]).astype(np.float32),
    }


def mel_spectrogram(images: Mapping[str, Array]) -> Array:
    frames = np.lib.stride_tricks.sliding_window_view(images["signal"].astype(np.float64), FRAME)[::HOP]
    power = abs(np.fft.rfft(frames * images["window"])) ** 2
    return np.log(power @ images["filters"] + 1e-3).astype(np.float32)


TAPS = (42, 38, 30, 20, 11, 5, 2, 1)  # from the middle outwards, in 1/256: a Gaussian of sigma 2.5


def build_gaussian15(hl: ModuleType) -> Algorithm:
    """Rows in 16 bits, which hold their sums exactly; columns in 32."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    x, y = hl.vars("x y")
    stages, edges = Stages(hl), hl.BoundaryConditions.repeat_edge(image)
    wide = stages.define("wide", (x, y), hl.u16(edges[x, y]))
    across = [(wide[x - k, y] + wide[x + k, y]) * TAPS[k] for k in range(1, len(TAPS))]
    rows = stages.define("rows", (x, y), total([wide[x, y] * TAPS[0], *across]))
    down = [(hl.u32(rows[x, y - k]) + rows[x, y + k]) * TAPS[k] for k in range(1, len(TAPS))]
    value = total([hl.u32(rows[x, y]) * TAPS[0], *down])
    return Algorithm(
        stages.define("blurred", (x, y), hl.u8((value + (1 << 15)) >> 16)), {"image": image}, stages=stages
    )


def gaussian15_hand(hl: ModuleType, algorithm: Algorithm) -> None:
    """Strips of rows in parallel; down each, a row is filtered once and stays for the fifteen rows that need it."""
    output, rows, wide = algorithm.output, algorithm.stages["rows"], algorithm.stages["wide"]
    x, y = output.args()
    strip = hl.Var("strip")
    lanes = hl.get_host_target().natural_vector_size(hl.UInt(8))
    output.split(y, strip, y, 64).vectorize(x, lanes).parallel(strip)
    rows.store_at(output, strip).compute_at(output, y).vectorize(x, lanes)
    wide.store_at(output, strip).compute_at(output, y).vectorize(x, lanes)


def gaussian15(images: Mapping[str, Array]) -> Array:
    taps = [*TAPS[:0:-1], *TAPS]
    both = correlate1d(correlate1d(images["image"].astype(np.int32), taps, 1, mode="nearest"), taps, 0, mode="nearest")
    return (both + (1 << 15) >> 16).astype(np.uint8)


ENTRIES = (
    Entry(
        name="gaussian15",
        kind="transform",
        source="OpenCV GaussianBlur of 8 bits in fixed point",
        build=build_gaussian15,
        inputs=pictures(np.uint8, 0, 255, "image"),
        reference=gaussian15,
        bench_size=(4000, 3000),
        test_size=(131, 77),
        hand=gaussian15_hand,
    ),
    Entry(
        name="hevc_transform",
        kind="transform",
        source="the core transform and quantisation of ITU-T H.265",
        build=build_hevc_transform,
        inputs=hevc_inputs,
        reference=hevc_transform,
        bench_size=(8, 8, 240, 135),
        test_size=(8, 8, 7, 5),
    ),
    Entry(
        name="dct_denoise",
        kind="transform",
        source="Yu and Sapiro, DCT image denoising, 2011, without overlap; JPEG's transform",
        build=build_dct_denoise,
        inputs=dct_inputs,
        reference=dct_denoise,
        bench_size=(2048, 1536),
        test_size=(88, 72),
        tolerance=1e-4,
        differentiable=True,
    ),
    Entry(
        name="mel_spectrogram",
        kind="transform",
        source="librosa melspectrogram, Fourier sums as a product of matrices as in nnAudio",
        build=build_mel_spectrogram,
        inputs=mel_inputs,
        reference=mel_spectrogram,
        bench_size=(BANDS, 3000),
        test_size=(BANDS, 21),
        tolerance=1e-3,
        differentiable=True,
    ),
)
