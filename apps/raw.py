"""A camera sensor in numpy: what it would have recorded of a photograph, and the colour matrices that undo it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
BLACK, WHITE = 25, 1023
WARM_KELVIN, COOL_KELVIN = 3200.0, 7000.0
_MIXING = np.array([[1.62, -0.48, -0.14], [-0.22, 1.49, -0.27], [-0.04, -0.57, 1.61]])
_GAINS = {WARM_KELVIN: (1.15, 1.0, 2.35), COOL_KELVIN: (1.95, 1.0, 1.25)}


def colour_matrix(kelvin: float) -> Array:
    """Sensor values to colour values under light of WARM_KELVIN or COOL_KELVIN: 3 x 4, black stays black."""
    matrix = _MIXING @ np.diag(_GAINS[kelvin])
    offset = BLACK - BLACK * matrix.sum(axis=1)
    return np.column_stack([matrix, offset]).astype(np.float32)


def blend(warm: Array, cool: Array, kelvin: float) -> Array:
    """The matrix for light between the two, linear in the reciprocal of the temperature."""
    share = (1 / kelvin - 1 / WARM_KELVIN) / (1 / COOL_KELVIN - 1 / WARM_KELVIN)
    return warm * (1 - share) + cool * share


def record(photo: Array, kelvin: float, seed: int = 0) -> Array:
    """The raw mosaic (green red, blue green; 10 bits in 16) of an 8-bit sRGB photograph, noise included."""
    value = photo / 255.0
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    matrix = blend(colour_matrix(WARM_KELVIN), colour_matrix(COOL_KELVIN), kelvin)
    expected = BLACK + linear * (WHITE - BLACK)
    sensor = (expected - matrix[:, 3]) @ np.linalg.inv(matrix[:, :3]).T
    mosaic = sensor[..., 1].copy()
    mosaic[0::2, 1::2] = sensor[0::2, 1::2, 0]
    mosaic[1::2, 0::2] = sensor[1::2, 0::2, 2]
    rng = np.random.default_rng(seed)
    electrons = np.maximum(mosaic - BLACK, 0) * 8
    noisy = BLACK + rng.poisson(electrons) / 8 + rng.normal(0, 1.0, mosaic.shape)
    hot = rng.random(mosaic.shape) < 1e-5
    noisy[hot] = WHITE
    return np.clip(np.round(noisy), 0, WHITE).astype(np.uint16)
