"""Device code made into kernels of a device; its binary is kept on disk."""

from __future__ import annotations

import ctypes
import re
import threading
import time
from typing import Any

from pipec.diagnostics import write as write_log
from pipec.errors import DeviceError, NotSupportedError, ScheduleError
from pipec.ir.program import DeviceCode, Kernel
from pipec.jit import cache
from pipec.jit.opencl_device import Device

# Lines of the kernel shown around one that the device's compiler refused, and how many of these.
_CONTEXT, _MOST_PLACES = 2, 5


class BuiltKernel:
    """A kernel that can be launched. Its arguments stay set, so `lock` is held from setting them to the launch."""

    def __init__(self, handle: Any, kernel: Kernel) -> None:
        self.handle, self.kernel = handle, kernel
        self.lock = threading.Lock()
        self.arguments: list[Any] = [None] * len(kernel.parameters)
        # What a launch reports: the grid and the group, three sizes each, and the parameters.
        self.values = ctypes.c_int64 * (6 + len(kernel.parameters))


class DeviceProgram:
    """All kernels of a pipeline on a device."""

    def __init__(self, code: DeviceCode, device: Device) -> None:
        for kernel in code.kernels:
            check_limits(kernel, kernel.group, device)
        _check_types(code, device)
        started = time.perf_counter()
        program = _build(code.text, device)
        self.device = device
        self.kernels = [BuiltKernel(_kernel(program, kernel), kernel) for kernel in code.kernels]
        write_log("time", f"kernels for {device.name}: {1e3 * (time.perf_counter() - started):.1f} ms")


def _kernel(program: Any, kernel: Kernel) -> Any:
    import pyopencl as cl

    return cl.Kernel(program, kernel.name)


def check_limits(kernel: Kernel, group: tuple[int, ...], device: Device) -> None:
    """Raises when a kernel cannot run on a device: sizes that are 0 are known later."""
    threads = 1
    for size in group:
        threads *= max(size, 1)
    shape = " x ".join(str(size) for size in group)
    most = " x ".join(str(size) for size in device.most_threads_of_axes)
    over = any(size > limit for size, limit in zip(group, device.most_threads_of_axes, strict=False))
    if threads > device.most_threads or over:
        raise ScheduleError(
            f"Error: The kernel of Func {kernel.func} has {threads} threads a block ({shape}), but {device.name} allows"
            f" {device.most_threads} ({most} in each dimension). Make the tiles of gpu_threads smaller."
        )
    if kernel.local_bytes > device.local_bytes:
        raise ScheduleError(
            f"Error: The kernel of Func {kernel.func} needs {kernel.local_bytes} bytes of local memory a block for what"
            f" is computed at its loops over blocks, but {device.name} has {device.local_bytes}. Make the tiles of"
            " gpu_blocks smaller, or compute less there."
        )


_NEEDS = {
    "cl_khr_fp64": "cannot compute with float64, which the kernels need. Use float32",
    "cl_khr_int64_base_atomics": "has no atomic updates of 64-bit values, which the kernels need. Use types of 32 bits",
    "cl_khr_int64_extended_atomics": "has no atomic extrema of 64-bit values, which the kernels need. Use 32 bits",
}


def _check_types(code: DeviceCode, device: Device) -> None:
    for extension, text in _NEEDS.items():
        if f"EXTENSION {extension} :" in code.text and extension not in device.extensions:
            raise NotSupportedError(f"Error: {device.name} {text} in the stages that run on the GPU.")


def _build(text: str, device: Device) -> Any:
    import pyopencl as cl

    key = cache.key_of("opencl", text, device.identity, *device.build_options)
    binary = cache.load(key)
    if binary is not None:
        try:
            return cl.Program(device.context, [device.handle], [binary]).build(device.build_options)
        except cl.Error as error:
            write_log("cache", f"the binary under {key} is refused ({error}): compiling again")
    try:
        program = cl.Program(device.context, text).build(device.build_options)
    except cl.Error as error:
        raise DeviceError(_build_failure(text, device, str(error))) from error
    cache.store(key, program.get_info(cl.program_info.BINARIES)[0])
    return program


def _build_failure(text: str, device: Device, log: str) -> str:
    lines = text.splitlines()
    shown: list[str] = []
    found = re.findall(r":(\d+):\d+: (?:fatal )?error|error: \S+?:(\d+):\d+:", log)
    places = dict.fromkeys(int(after or before) for after, before in found)
    for place in list(places)[:_MOST_PLACES]:
        for number in range(max(place - _CONTEXT, 1), min(place + _CONTEXT, len(lines)) + 1):
            shown.append(f"{'>' if number == place else ' '} {number:4} {lines[number - 1]}")
        shown.append("")
    if "unknown target CPU" in log:
        return (
            f"Error: {device.name} cannot compile for this processor, which is younger than its compiler.\n"
            "Install a newer PoCL, or choose another device with PIPEC_DEVICE.\n"
            f"{log.strip()}"
        )
    where = "\n".join(shown) if shown else text
    return f"Error: {device.name} cannot compile the kernels. This is a mistake of pipec.\n{where}\n{log.strip()}"
