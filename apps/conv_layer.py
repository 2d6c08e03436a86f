"""A layer of a convolutional network: 3x3 filters over many channels, a bias, negative sums cut off."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import numpy as np

from apps import photos
from apps.app import Algorithm, App, Array, Settings
from apps.run import main

CHANNELS = 64  # of the input and of the output
SIDE = 3  # of a filter
PIXELS, VECTORS = 6, 4  # a block of sums that stays in registers: so many pixels, all their channels
THUMBNAILS = 8  # the channels are shown as so many rows of so many small pictures


def build(hl: ModuleType) -> Algorithm:
    """Channels are innermost: the input is (channel, x, y), the filters (output channel, input channel, dx, dy)."""
    c, x, y = hl.vars("c x y")
    source = hl.ImageParam(hl.Float(32), 3, "source")
    filters = hl.ImageParam(hl.Float(32), 4, "filters")
    bias = hl.ImageParam(hl.Float(32), 1, "bias")
    total, output = hl.funcs("total conv_layer")
    r = hl.RDom([(0, CHANNELS), (0, SIDE), (0, SIDE)], "r")
    total[c, x, y] = bias[c]
    total[c, x, y] += filters[c, r.x, r.y, r.z] * source[r.x, x + r.y, y + r.z]
    output[c, x, y] = hl.max(total[c, x, y], 0.0)
    stages = {"c": c, "x": x, "y": y, "r": r, "total": total}
    return Algorithm(output, {"source": source, "filters": filters, "bias": bias}, stages=stages)


def schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """Rows in parallel; along each, blocks of pixels with all their channels, summed over the filters in registers."""
    stages, output = algorithm.stages, algorithm.output
    c, x, y, r, total = (stages[name] for name in ("c", "x", "y", "r", "total"))
    xi = hl.Var("xi")
    lanes = hl.get_host_target().natural_vector_size(hl.Float(32))
    for image in (*algorithm.images.values(), output.output_buffer()):
        image.dim(0).set_min(0)
    output.bound(c, 0, CHANNELS).split(x, x, xi, PIXELS).split(c, co := hl.Var("co"), c, VECTORS * lanes)
    output.reorder(c, xi, x, co, y).vectorize(c, lanes).unroll(c).unroll(xi).parallel(y)
    total.compute_at(output, x).vectorize(c, lanes).unroll(c).unroll(x)
    total.update().reorder(c, x, r.x, r.y, r.z).vectorize(c, lanes).unroll(c).unroll(x)


def gpu_schedule(hl: ModuleType, algorithm: Algorithm) -> None:
    """A block makes all channels of 16 pixels, a thread one channel of four: neighbours read filters together."""
    stages, output = algorithm.stages, algorithm.output
    c, x, y, r, total = (stages[name] for name in ("c", "x", "y", "r", "total"))
    xi, pixel = hl.vars("xi pixel")
    for image in (*algorithm.images.values(), output.output_buffer()):
        image.dim(0).set_min(0)
    output.bound(c, 0, CHANNELS).split(x, x, xi, 16).split(xi, xi, pixel, 4).reorder(pixel, c, xi, x, y)
    output.unroll(pixel).gpu_blocks(x, y).gpu_threads(c, xi)
    total.compute_at(output, c).unroll(x)
    total.update().reorder(x, r.x, r.y, r.z).unroll(x)


def reference(images: Mapping[str, Array], settings: Settings) -> Array:
    source, filters = (images[name].astype(np.float64) for name in ("source", "filters"))
    height, width = (n - SIDE + 1 for n in source.shape[:2])
    total = np.tile(images["bias"].astype(np.float64), (height, width, 1))
    for dy in range(SIDE):
        for dx in range(SIDE):
            total += source[dy : dy + height, dx : dx + width] @ filters[dy, dx]
    return np.maximum(total, 0).astype(np.float32)


def torch_layer(images: Mapping[str, Array], settings: Settings) -> Array:
    """The same numbers, in the order of memory that torch likes best for channels innermost."""
    import torch  # loading it takes a second, which no other application is to wait for

    source = torch.from_numpy(images["source"]).permute(2, 0, 1)[None]
    filters = torch.from_numpy(images["filters"]).permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
    with torch.inference_mode():
        total = torch.nn.functional.conv2d(source, filters, torch.from_numpy(images["bias"]))
        return torch.relu_(total)[0].permute(1, 2, 0).numpy()


def inputs(picture: Array) -> dict[str, Array]:
    """Channels as a layer before might make them of a picture's colours, and filters; both drawn at random, seeded."""
    random = np.random.default_rng(1)
    colours = photos.colour(picture).astype(np.float32) / 255
    mixed = colours @ random.normal(size=(3, CHANNELS)).astype(np.float32)
    filters = random.normal(0, (SIDE * SIDE * CHANNELS) ** -0.5, (SIDE, SIDE, CHANNELS, CHANNELS)).astype(np.float32)
    filters -= filters.mean(axis=(0, 1), keepdims=True)  # they see edges, not brightness
    return {
        "source": np.maximum(mixed, 0),
        "filters": filters,
        "bias": random.normal(0, 0.01, CHANNELS).astype(np.float32),
    }


def picture(output: Array) -> Array:
    """All channels as small pictures, together as large as the output."""
    height, width = (n // THUMBNAILS for n in output.shape[:2])
    blocks = output[: height * THUMBNAILS, : width * THUMBNAILS]
    small = blocks.reshape(height, THUMBNAILS, width, THUMBNAILS, CHANNELS).max(axis=(1, 3))
    small = small / np.maximum(small.max(axis=(0, 1)), 1e-6)
    rows = small.reshape(height, width, CHANNELS // THUMBNAILS, THUMBNAILS).transpose(2, 0, 3, 1)
    return photos.to_bytes(np.sqrt(rows.reshape(CHANNELS // THUMBNAILS * height, THUMBNAILS * width)))


APP = App(
    name="conv_layer",
    build=build,
    schedule=schedule,
    gpu_schedule=gpu_schedule,
    reference=reference,
    inputs=inputs,
    picture=picture,
    rival=torch_layer,
    rival_name="torch conv2d, relu",
    photo="astronaut",
    dtype=np.float32,
    bench_size=(CHANNELS, 192, 128),
    test_size=(CHANNELS, 48, 24),
    margin=(SIDE - 1, SIDE - 1),
    granularity=(THUMBNAILS, THUMBNAILS),
    axes=(1, 2),
    tolerance=1e-5,
)

if __name__ == "__main__":
    main(APP)
