"""The properties of a GPU that determine the cost of kernels: of the device of this machine, or one known by name."""

from __future__ import annotations

from collections.abc import Mapping

from pipec.errors import ArgumentError
from pipec.jit.device import Properties, device_api
from pipec.records import dataclass, replace


@dataclass(frozen=True)
class GpuDevice:
    """A device. Bandwidths are in bytes per second, latencies in clocks; a unit is what holds whole blocks.

    `lanes`: threads that run in step; `issue`: steps of `lanes` lanes that a unit begins in a clock; `double_rate`: the
    speed of float64 relative to float32; `private_bytes`: that a thread may have
    of its own; `sector`: the bytes that memory delivers at least; `banks`: words of 4 bytes
    that local memory delivers in a clock; `transfer`: bandwidth between host and device.
    """

    name: str = "generic"
    units: int = 40
    hertz: float = 1.5e9
    lanes: int = 32
    issue: int = 4
    bandwidth: float = 450e9
    l2_bandwidth: float = 1.5e12
    l2_bytes: int = 4 << 20
    local_bytes: int = 48 << 10
    local_bytes_of_unit: int = 96 << 10
    private_bytes: int = 4 << 10
    banks: int = 32
    registers_of_unit: int = 65536
    max_registers: int = 255
    max_threads: int = 1024
    max_threads_of_axes: tuple[int, ...] = (1024, 1024, 64)
    threads_of_unit: int = 1536
    blocks_of_unit: int = 16
    sector: int = 32
    launch: float = 4e-6
    memory_latency: float = 450.0
    local_latency: float = 28.0
    arithmetic_latency: float = 5.0
    transfer: float = 12e9
    double_rate: float = 1 / 32
    double: bool = True
    half: bool = True
    atomics64: bool = True

    @property
    def unit_bandwidth(self) -> float:
        """Bytes per second between one unit and its nearest cache or local memory."""
        return self.banks * 4 * self.hertz


GENERIC = GpuDevice()
"""A GPU of the middle class of 2020, for searches where no GPU is there."""

NAMED: Mapping[str, GpuDevice] = {
    device.name: device
    for device in (
        GENERIC,
        replace(
            GENERIC,
            name="laptop",
            units=16,
            hertz=1.3e9,
            bandwidth=190e9,
            l2_bandwidth=6e11,
            l2_bytes=2 << 20,
            threads_of_unit=1024,
        ),
        replace(
            GENERIC,
            name="server",
            units=108,
            hertz=1.41e9,
            bandwidth=1555e9,
            l2_bandwidth=4.5e12,
            l2_bytes=40 << 20,
            local_bytes_of_unit=164 << 10,
            threads_of_unit=2048,
            blocks_of_unit=32,
            transfer=24e9,
            double_rate=0.5,
        ),
    )
}


def device_of(name: str | GpuDevice | None, device_index: str = "") -> GpuDevice:
    """The described device of that name; for None the one at hand, or the generic one where there is no GPU.

    `device_index`: which of several devices, as `Target.device`. On a device that is no GPU, such as PoCL, the generic
    one has the limits of that device: it is there to try kernels."""
    if isinstance(name, GpuDevice):
        return name
    if name is not None:
        if name not in NAMED:
            raise ArgumentError(f"Error: There is no description of a GPU {name!r}; there are {', '.join(NAMED)}.")
        return NAMED[name]
    api = device_api()
    return described(api.open_device(device_index).properties()) if api.devices() else GENERIC


def described(reported: Properties) -> GpuDevice:
    """The description of a device with these properties; what drivers do not report is as in the generic one."""
    limits = reported.limits
    common = replace(
        GENERIC,
        name=reported.name,
        max_threads=limits.max_threads,
        max_threads_of_axes=limits.max_threads_per_axis,
        local_bytes=min(limits.local_bytes, GENERIC.local_bytes),
        double=reported.double,
        half=reported.half,
        atomics64=reported.atomics64,
    )
    if not reported.is_gpu:
        return replace(common, max_threads=min(limits.max_threads, GENERIC.max_threads))
    bandwidth = reported.bandwidth or GENERIC.bandwidth
    return replace(
        common,
        units=reported.units,
        hertz=reported.hertz,
        lanes=reported.lanes or GENERIC.lanes,
        local_bytes=limits.local_bytes,
        local_bytes_of_unit=max(limits.local_bytes, GENERIC.local_bytes_of_unit),
        registers_of_unit=reported.registers or GENERIC.registers_of_unit,
        bandwidth=bandwidth,
        l2_bandwidth=3 * bandwidth,
        l2_bytes=max(reported.cache_bytes, 1 << 19),
    )
