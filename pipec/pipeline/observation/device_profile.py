"""What a device did in the profiled runs of a pipeline."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.ir.program import Kernel
from pipec.jit.runtime.device_memory import DOWN, UP, Times
from pipec.records import dataclass

_COLUMN = 24


@dataclass(frozen=True)
class KernelProfile:
    """A kernel: its name in the device code, the Func that it computes, how often it ran and for how many seconds."""

    name: str
    func: str
    launches: int
    seconds: float


@dataclass(frozen=True)
class CopyProfile:
    """Copies in one direction between host and device: how many, their bytes and seconds in all."""

    count: int
    bytes: int
    seconds: float

    def __str__(self) -> str:
        rate = f"  {1e-9 * self.bytes / self.seconds:.3f} GB/s" if self.seconds > 0 else ""
        return f"{1e3 * self.seconds:.3f} ms  num: {self.count}  {self.bytes} bytes{rate}"


@dataclass(frozen=True)
class DeviceProfile:
    """Times that the device measured itself (events of its queue): of kernels, and of copies to it and from it."""

    device: str
    kernels: tuple[KernelProfile, ...]
    to_device: CopyProfile
    to_host: CopyProfile

    @property
    def seconds(self) -> float:
        """The time of all kernels."""
        return sum([kernel.seconds for kernel in self.kernels])

    def __str__(self) -> str:
        lines = [
            f" kernels on {self.device}: {1e3 * self.seconds:.3f} ms",
            f" copies to the device: {self.to_device}",
            f" copies to the host: {self.to_host}",
        ]
        for kernel in self.kernels:
            share = 100 * kernel.seconds / self.seconds if self.seconds > 0 else 0.0
            time = f"{1e3 * kernel.seconds:.3f}ms ({share:.1f}%)"
            lines.append(f"    {kernel.name + ':':<{_COLUMN}}{time:<20}launches: {kernel.launches}")
        return "\n".join(lines)

    def plus(self, other: DeviceProfile) -> DeviceProfile:
        """Both together."""
        kernels = {kernel.name: kernel for kernel in self.kernels}
        for kernel in other.kernels:
            old = kernels.get(kernel.name, KernelProfile(kernel.name, kernel.func, 0, 0.0))
            launches, seconds = old.launches + kernel.launches, old.seconds + kernel.seconds
            kernels[kernel.name] = KernelProfile(kernel.name, kernel.func, launches, seconds)
        copies = [
            CopyProfile(a.count + b.count, a.bytes + b.bytes, a.seconds + b.seconds)
            for a, b in ((self.to_device, other.to_device), (self.to_host, other.to_host))
        ]
        return DeviceProfile(other.device, tuple(kernels.values()), *copies)


def device_profile(device: str, kernels: Sequence[Kernel], times: Times) -> DeviceProfile:
    """From what a run counted."""
    nothing = 0, 0, 0.0
    rows = [KernelProfile(k.name, k.func, times[n][0], times[n][2]) for n, k in enumerate(kernels) if n in times]
    return DeviceProfile(
        device, tuple(rows), CopyProfile(*times.get(UP, nothing)), CopyProfile(*times.get(DOWN, nothing))
    )
