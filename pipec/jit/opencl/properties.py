"""What the search for schedules asks of an OpenCL device: sizes and speeds that the driver or a clock tells."""

from __future__ import annotations

import time
from functools import cache as once
from typing import Any, NamedTuple

from pipec.jit.opencl.device import Device

_PROBE_BYTES = 1 << 26
_PROBES = 4


class Properties(NamedTuple):
    """None: the driver does not tell. `bandwidth`: bytes per second that copying reads and writes; GPUs only."""

    name: str
    is_gpu: bool
    units: int
    hertz: float
    lanes: int | None
    cache_bytes: int
    local_bytes: int
    most_threads: int
    most_threads_of_axes: tuple[int, ...]
    registers: int | None
    bandwidth: float | None
    double: bool
    half: bool
    atomics64: bool


@once
def properties(device: Device) -> Properties:
    """The properties of an open device. The first call measures the bandwidth of a GPU, for some milliseconds."""
    handle = device.handle
    return Properties(
        device.name,
        device.is_gpu,
        handle.max_compute_units,
        handle.max_clock_frequency * 1e6,
        _told(handle, "warp_size_nv") or _told(handle, "wavefront_width_amd"),
        handle.global_mem_cache_size,
        device.local_bytes,
        device.most_threads,
        device.most_threads_of_axes,
        _told(handle, "registers_per_block_nv"),
        _bandwidth(device) if device.is_gpu else None,
        "cl_khr_fp64" in device.extensions,
        "cl_khr_fp16" in device.extensions,
        "cl_khr_int64_base_atomics" in device.extensions,
    )


def _told(handle: Any, name: str) -> int | None:
    """A property that only the drivers of one vendor know."""
    import pyopencl as cl

    try:
        value = getattr(handle, name)
    except (AttributeError, cl.Error):
        return None
    return int(value) or None


def _bandwidth(device: Device) -> float:
    import pyopencl as cl

    size = min(_PROBE_BYTES, device.largest_buffer)
    source, target = (cl.Buffer(device.context, cl.mem_flags.READ_WRITE, size) for _ in range(2))
    with device.lock:
        device.copy(target, source, size)
        times = []
        for _ in range(_PROBES):
            started = time.perf_counter()
            device.copy(target, source, size)
            times.append(time.perf_counter() - started)
    source.release()
    target.release()
    return 2 * size / min(times)
