"""Applications written with torch's own operations, for a GPU that torch can use.

Each takes the images and settings of the application, as tensors on the device, and gives the output there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.nn import functional

from apps import harris, max_filter, stencil_chain, unsharp

Tensors = Mapping[str, Any]
Settings = Mapping[str, float]


def _padded(planes: Any, margin: int) -> Any:
    """Planes with their edges repeated."""
    return functional.pad(planes[None], (margin, margin, margin, margin), mode="replicate")[0]


def _blur(images: Tensors, settings: Settings) -> Any:
    source = images["source"].to(torch.int32)
    across = (source[:, :-2] + source[:, 1:-1] + source[:, 2:]) // 3
    return (across[:-2] + across[1:-1] + across[2:]) // 3


def _unsharp(images: Tensors, settings: Settings) -> Any:
    source, radius = images["source"], unsharp.RADIUS
    weights = torch.tensor([unsharp.RED, unsharp.GREEN, unsharp.BLUE], device=source.device)
    gray = (_padded(source, radius) * weights[:, None, None]).sum(0)
    taps = torch.tensor([unsharp.WEIGHTS[abs(i)] for i in range(-radius, radius + 1)], device=source.device)
    down = functional.conv2d(gray[None, None], taps[None, None, :, None])
    smooth = functional.conv2d(down, taps[None, None, None, :])[0, 0]
    inside = gray[radius:-radius, radius:-radius]
    return ((2 * inside - smooth) / inside) * source


def _harris(images: Tensors, settings: Settings) -> Any:
    source = images["source"]
    weights = torch.tensor([harris.RED, harris.GREEN, harris.BLUE], device=source.device)
    gray = (source * weights[:, None, None]).sum(0)[None, None]
    side = torch.tensor([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]], device=source.device) * harris.SOBEL
    gradients = functional.conv2d(gray, torch.stack([side, side.T])[:, None])[0]
    across, down = gradients
    products = torch.stack([across * across, down * down, across * down])[:, None]
    xx, yy, xy = functional.conv2d(products, torch.ones(1, 1, 3, 3, device=source.device))[:, 0]
    return (xx * yy - xy * xy - harris.SENSITIVITY * (xx + yy) ** 2)[1:-1, 1:-1]


def _conv_layer(images: Tensors, settings: Settings) -> Any:
    source = images["source"].permute(2, 0, 1)[None]
    filters = images["filters"].permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
    return torch.relu_(functional.conv2d(source, filters, images["bias"]))[0].permute(1, 2, 0)


def _mat_mul(images: Tensors, settings: Settings) -> Any:
    return images["left"] @ images["right"]


def _fft(images: Tensors, settings: Settings) -> Any:
    return torch.view_as_real(torch.fft.fft2(torch.view_as_complex(images["source"]), norm="ortho"))


def _box_blur(images: Tensors, settings: Settings) -> Any:
    radius = int(settings["radius"])
    side = 2 * radius + 1
    total = _padded(images["source"].to(torch.float32), radius).to(torch.int32)
    for axis in (1, 2):
        total = functional.pad(total.cumsum(axis, dtype=torch.int32), (1, 0, 0, 0) if axis == 2 else (0, 0, 1, 0))
        total = total.narrow(axis, side, total.shape[axis] - side) - total.narrow(axis, 0, total.shape[axis] - side)
    area = side**2
    return ((2 * total + area) // (2 * area)).to(torch.uint8)


def _max_filter(images: Tensors, settings: Settings) -> Any:
    source, radius = images["source"], max_filter.RADIUS
    planes = _padded(source, radius)
    height, width = source.shape[1:]
    tall, result = planes[:, radius : radius + height], source
    for reach in range(1, radius + 1):
        upper, lower = (planes[:, radius + dy : radius + dy + height] for dy in (-reach, reach))
        tall = torch.maximum(tall, torch.maximum(upper, lower))
        for dx in range(-radius, radius + 1):
            if max_filter.REACHES[abs(dx)] == reach:
                result = torch.maximum(result, tall[:, :, radius + dx : radius + dx + width])
    return result


def _stencil_chain(images: Tensors, settings: Settings) -> Any:
    """In float32, which holds all the sums exactly."""
    margin = stencil_chain.STAGES * stencil_chain.REACH
    plane = _padded(images["source"].to(torch.float32)[None], margin)[None]
    taps = torch.tensor(stencil_chain.TAPS, dtype=torch.float32, device=plane.device)
    half, scale = float(1 << stencil_chain.BITS - 1), float(1 << stencil_chain.BITS)
    for _ in range(stencil_chain.STAGES):
        plane = functional.conv2d(functional.conv2d(plane, taps[None, None, :, None]), taps[None, None, None, :])
        plane = torch.floor((plane + half) / scale)
    return plane[0, 0].to(torch.int32)


FILTERS: Mapping[str, Callable[[Tensors, Settings], Any]] = {
    "blur": _blur,
    "unsharp": _unsharp,
    "harris": _harris,
    "conv_layer": _conv_layer,
    "mat_mul": _mat_mul,
    "fft": _fft,
    "box_blur": _box_blur,
    "max_filter": _max_filter,
    "stencil_chain": _stencil_chain,
}
