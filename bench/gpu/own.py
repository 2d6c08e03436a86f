"""An application by pipec on the OpenCL device."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import pipec as hl
from apps import run
from apps.app import App
from bench.gpu.clock import CALLS, median, resident_on_device
from pipec.jit.device import Device

COPIED = 256 << 20  # bytes of the buffers by which the device's bandwidth is measured


@dataclass(frozen=True)
class Times:
    """Seconds of a call until the device is done, and of its kernels by the device's clock; the bytes of images."""

    call: float
    kernels: float
    bytes: int


def bandwidth(chosen: Device) -> float:
    """Bytes that the device reads and writes a second when it copies a buffer."""
    size = min(COPIED, chosen.limits.max_buffer_bytes)
    a, b = (chosen.allocate(size) for _ in range(2))
    return 2 * size / median(lambda: chosen.copy(a, b, size))


def times(app: App, size: tuple[int, ...]) -> Times:
    """The application with its schedule for GPUs and all its images on the device."""
    images = [np.ascontiguousarray(image) for image in app.example(size).values()]
    output = app.empty_output(size)
    function = run.compile_for_gpu(hl, app)
    buffers, result = resident_on_device(hl, images, output, hl.Target("host-opencl"))

    def call() -> None:
        function(*buffers, *app.settings.values(), result)
        result.device_sync()

    seconds = median(call)
    return Times(seconds, _of_kernels(app, [*buffers, *app.settings.values(), result]), _bytes([*buffers, result]))


def _bytes(buffers: list[hl.Buffer]) -> int:
    return sum([buffer.size_in_bytes() for buffer in buffers])


def _of_kernels(app: App, arguments: list[object]) -> float:
    """Seconds that the device is busy with the kernels of a call."""
    function = run.compile_for_gpu(hl, app, "host-opencl-profile")
    function.set_custom_print(lambda text: None)
    for _ in range(CALLS):
        function(*arguments)
    profile = function.statistics().profile
    return profile.device.seconds / profile.runs
