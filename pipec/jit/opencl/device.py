"""The OpenCL devices of this machine, and the one that pipelines run on."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from functools import cache as once
from typing import Any

from pipec.diagnostics import write as write_log
from pipec.errors import DeviceError, MissingPackageError, NotSupportedError
from pipec.ir.program import DeviceCode
from pipec.jit.device import Device, DeviceFailure, DeviceLimits, Properties
from pipec.jit.objects import cache
from pipec.jit.opencl.atomic import EXTENSION, FEATURE
from pipec.jit.opencl.driver import KernelHandle, driver_function, secure_pocl_cache

# Where loaders look for the files that name OpenCL drivers.
_ICD_VARIABLES = ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")
_ICD_FOLDERS = ("/etc/OpenCL/vendors",)
_HELP = (
    "Install the driver of your GPU, or PoCL, which runs OpenCL on the CPU: pip install pocl-binary-distribution"
    " (or apt install pocl-opencl-icd)."
)
# Lines of the kernel shown around one that the device's compiler refused, and how many of these.
_CONTEXT, _MAX_EXCERPTS = 2, 5
# The copies by which the bandwidth is measured.
_PROBE_BYTES, _PROBES = 1 << 26, 4
_NANOSECOND = 1e-9
# Extensions that kernels may need, and what a device cannot do without them.
_NEEDS = {
    "cl_khr_fp64": "cannot compute with float64, which the kernels need. Use float32",
    "cl_khr_int64_base_atomics": "has no atomic updates of 64-bit values, which the kernels need. Use types of 32 bits",
    "cl_khr_int64_extended_atomics": "has no atomic extrema of 64-bit values, which the kernels need. Use 32 bits",
}


class OpenCLDevice(Device):
    """A device with its context and its queues. `handle`: its description by pyopencl."""

    def __init__(self, handle: Any) -> None:
        import pyopencl as cl

        super().__init__()
        self.handle = handle
        self.name = _name(handle)
        self.context = cl.Context([handle])
        self.command_queue = cl.CommandQueue(self.context)
        self.queue: int = self.command_queue.int_ptr
        self._timed_queue: Any = None
        self._properties: Properties | None = None
        # Buffers by their handles.
        self._buffers: dict[int, Any] = {}
        self.set_argument, self.enqueue = [driver_function(f) for f in ("clSetKernelArg", "clEnqueueNDRangeKernel")]
        self.is_gpu = bool(handle.type & cl.device_type.GPU)
        self.extensions = frozenset(handle.extensions.split())
        axes = tuple(handle.max_work_item_sizes)
        sizes = handle.local_mem_size, handle.max_mem_alloc_size, handle.global_mem_size
        self.limits = DeviceLimits(handle.max_work_group_size, axes, *sizes)
        # What compiled kernels depend on.
        self.identity = "\n".join([self.name, handle.version, handle.driver_version, handle.platform.version])
        # PoCL caches compiled kernels itself as they are launched. For a binary, it would compile all of them once
        # more, for groups of any size, which takes longer than all the rest.
        self.caches_binaries = "Portable Computing Language" in handle.platform.name
        self._build_options = _build_options(handle)
        # Whether its compiler has OpenCL C 3.0; otherwise 1.2 is used.
        self.has_version_3 = _has_version_3(handle)

    def build_options(self, text: str) -> list[str]:
        """Returns the compiler options for a text: OpenCL C is 1.2 but for programs that gain from 3.0."""
        later = FEATURE in text and EXTENSION in self.extensions and self.has_version_3
        return [*self._build_options, "-cl-std=CL3.0"] if later else self._build_options

    def allocate(self, size: int) -> int:
        """Returns the handle of a new buffer, or 0."""
        import pyopencl as cl

        try:
            buffer = cl.Buffer(self.context, cl.mem_flags.READ_WRITE, size)
        except cl.Error:
            return 0
        self._buffers[buffer.int_ptr] = buffer
        return int(buffer.int_ptr)

    def release(self, memory: int) -> None:
        """Releases a buffer."""
        del self._buffers[memory]

    def write(self, memory: int, source: Any, timed: bool = False) -> float:
        """Copies an array to a buffer."""
        return self._transfer(self._buffers[memory], source, timed)

    def read(self, memory: int, target: Any, timed: bool = False) -> float:
        """Copies a buffer to an array."""
        return self._transfer(target, self._buffers[memory], timed)

    def _transfer(self, target: Any, source: Any, timed: bool) -> float:
        import pyopencl as cl

        try:
            event = cl.enqueue_copy(self._queue(timed), target, source, is_blocking=True)
            return _seconds(event) if timed else 0.0
        except cl.Error as error:
            raise _failure(error.code, str(error)) from error

    def copy(self, target: int, source: int, size: int) -> None:
        """Copies bytes between buffers."""
        import pyopencl as cl

        cl.enqueue_copy(self.command_queue, self._buffers[target], self._buffers[source], byte_count=size).wait()

    def synchronize(self, timed: bool = False) -> None:
        """Waits for one of the queues."""
        self._queue(timed).finish()

    def timed_queue(self) -> int:
        """The handle of the queue with profiling."""
        return int(self._queue(True).int_ptr)

    def _queue(self, timed: bool) -> Any:
        import pyopencl as cl

        if not timed:
            return self.command_queue
        with self.lock:
            if self._timed_queue is None:
                profiling = cl.command_queue_properties.PROFILING_ENABLE
                self._timed_queue = cl.CommandQueue(self.context, properties=profiling)
            return self._timed_queue

    def event_seconds(self, event: int) -> float:
        """Returns the time between start and end of an event."""
        import pyopencl as cl

        return _seconds(cl.Event.from_int_ptr(event, retain=False))

    def launch_failure(self, status: int) -> DeviceFailure:
        """The meaning of an OpenCL status."""
        import pyopencl as cl

        names: Any = cl.status_code
        return _failure(status, str(names.to_string(status, "error %d")))

    def close(self) -> None:
        """Ends the use of the device."""
        super().close()
        _open_device.cache_clear()

    def load(self, code: DeviceCode) -> Sequence[KernelHandle]:
        """Builds a program, or loads its cached binary."""
        for extension, text in _NEEDS.items():
            if f"EXTENSION {extension} :" in code.text and extension not in self.extensions:
                raise NotSupportedError(f"Error: {self.name} {text} in the stages that run on the GPU.")
        program = self._build(code.text)
        return [KernelHandle(program, kernel.name, self.handle) for kernel in code.kernels]

    def _build(self, text: str) -> Any:
        import pyopencl as cl

        options = self.build_options(text)
        key = cache.key_of("opencl", text, self.identity, *options)
        binary = cache.load(key)
        if binary is not None:
            try:
                return cl.Program(self.context, [self.handle], [binary]).build(options)
            except cl.Error as error:
                write_log("cache", f"the binary under {key} is refused ({error}): compiling again")
        try:
            # False: no cache. That of pyopencl would unpickle its entries.
            program = cl.Program(self.context, text).build(options, cache_dir=False)  # type: ignore[arg-type]
        except cl.Error as error:
            raise DeviceError(_build_failure(text, self.name, str(error))) from error
        if not self.caches_binaries:
            cache.store(key, program.get_info(cl.program_info.BINARIES)[0])
        return program

    def properties(self) -> Properties:
        """Returns the properties; of a GPU the first call measures the bandwidth."""
        if self._properties is None:
            self._properties = self._read_properties()
        return self._properties

    def _read_properties(self) -> Properties:
        handle = self.handle
        return Properties(
            self.name,
            self.is_gpu,
            handle.max_compute_units,
            handle.max_clock_frequency * 1e6,
            _vendor_property(handle, "warp_size_nv") or _vendor_property(handle, "wavefront_width_amd"),
            handle.global_mem_cache_size,
            self.limits,
            _vendor_property(handle, "registers_per_block_nv"),
            self._bandwidth() if self.is_gpu else None,
            "cl_khr_fp64" in self.extensions,
            "cl_khr_fp16" in self.extensions,
            "cl_khr_int64_base_atomics" in self.extensions,
        )

    def _bandwidth(self) -> float:
        size = min(_PROBE_BYTES, self.limits.max_buffer_bytes)
        source, target = self.allocate(size), self.allocate(size)
        with self.lock:
            self.copy(target, source, size)
            times = []
            for _ in range(_PROBES):
                started = time.perf_counter()
                self.copy(target, source, size)
                times.append(time.perf_counter() - started)
        self.release(source)
        self.release(target)
        return 2 * size / min(times)


def _name(handle: Any) -> str:
    return f"{handle.name.strip()} ({handle.platform.name.strip()})"


def _build_options(handle: Any) -> list[str]:
    """Division and square root as exact as those of the host, where the device can."""
    import pyopencl as cl

    exact = cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT
    return ["-cl-fp32-correctly-rounded-divide-sqrt"] if handle.single_fp_config & exact else []


def _has_version_3(handle: Any) -> bool:
    # Older devices have no list of versions. Major, minor and patch have 10, 10 and 12 bits.
    return handle.version.startswith("OpenCL 3") and any(v.version >> 22 >= 3 for v in handle.opencl_c_all_versions)


def _seconds(event: Any) -> float:
    return float(_NANOSECOND * (event.profile.end - event.profile.start))


def _failure(code: int, text: str) -> DeviceFailure:
    import pyopencl as cl

    status = cl.status_code
    return DeviceFailure(text, code in (status.MEM_OBJECT_ALLOCATION_FAILURE, status.OUT_OF_HOST_MEMORY))


def _vendor_property(handle: Any, name: str) -> int | None:
    """A property that only the drivers of one vendor have."""
    import pyopencl as cl

    try:
        value = getattr(handle, name)
    except (AttributeError, cl.Error):
        return None
    return int(value) or None


def _build_failure(text: str, device: str, log: str) -> str:
    if "unknown target CPU" in log:
        return (
            f"Error: {device} cannot compile for this processor, which is younger than its compiler.\n"
            f"Install a newer PoCL, or choose another device with PIPEC_DEVICE.\n{log.strip()}"
        )
    lines, shown = text.splitlines(), list[str]()
    places = re.findall(r":(\d+):\d+: (?:fatal )?error|error: \S+?:(\d+):\d+:", log)
    numbers = dict.fromkeys(int(after or before) for after, before in places)
    for wrong in list(numbers)[:_MAX_EXCERPTS]:
        for number in range(max(wrong - _CONTEXT, 1), min(wrong + _CONTEXT, len(lines)) + 1):
            shown.append(f"{'>' if number == wrong else ' '} {number:4} {lines[number - 1]}")
        shown.append("")
    where = "\n".join(shown) if shown else text
    return f"Error: {device} cannot compile the kernels. This is a mistake of pipec.\n{where}\n{log.strip()}"


def devices() -> list[Any]:
    """All devices of all platforms, as pyopencl describes them."""
    try:
        import pyopencl as cl
    except ImportError as error:
        write_log("device", f"no OpenCL devices: {error}")
        return []
    secure_pocl_cache()
    try:
        platforms = cl.get_platforms()
    except cl.Error as error:
        write_log("device", f"no OpenCL platforms: {error}")
        return []
    handles: list[Any] = []
    for platform in platforms:
        try:
            handles += platform.get_devices()
        except cl.Error as error:
            write_log("device", f"{platform.name}: {error}")
    return handles


def open_device(name: str = "") -> OpenCLDevice:
    """The device that `name`, else PIPEC_DEVICE, names by number or part of its name; else the first GPU, or the first.

    Raises DeviceError when there is none.
    """
    try:
        import pyopencl  # noqa: F401
    except ImportError as error:
        raise MissingPackageError("A pipeline with GPU loops", "pyopencl", "opencl", error) from error
    return _open_device(name or os.environ.get("PIPEC_DEVICE", ""), os.getpid())


@once
def _open_device(name: str, process: int) -> OpenCLDevice:
    handles = devices()
    if not handles:
        raise DeviceError(f"Error: There is no OpenCL device. {_searched()}\n{_HELP}")
    device = OpenCLDevice(_named(handles, name) if name else _preferred(handles))
    write_log("device", f"pipelines with GPU loops run on {device.name}")
    return device


def _preferred(handles: list[Any]) -> Any:
    import pyopencl as cl

    return next((handle for handle in handles if handle.type & cl.device_type.GPU), handles[0])


def _named(handles: list[Any], name: str) -> Any:
    if name.isdigit() and int(name) < len(handles):
        return handles[int(name)]
    for handle in handles:
        if name.lower() in _name(handle).lower():
            return handle
    legal = "".join([f"\n  {number}: {_name(handle)}" for number, handle in enumerate(handles)])
    raise DeviceError(
        f"Error: PIPEC_DEVICE, or the Target, asks for the device {name!r}, but the OpenCL devices are:{legal}\n"
        "Give a number or a part of a name."
    )


def _searched() -> str:
    import pyopencl

    folders = [*_ICD_FOLDERS, os.path.join(os.path.dirname(pyopencl.__file__), ".libs")]
    places = [f"{name}={os.environ[name]}" for name in _ICD_VARIABLES if os.environ.get(name)]
    for folder in folders:
        files = sorted(os.listdir(folder)) if os.path.isdir(folder) else None
        icds = [file for file in files or () if file.endswith(".icd")]
        places.append(f"{folder} ({', '.join(icds) or ('no .icd file' if files is not None else 'not there')})")
    return f"Searched for ICD files in: {'; '.join(places)}."
