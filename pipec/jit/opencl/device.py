"""The OpenCL devices of this machine, and the one that pipelines run on."""

from __future__ import annotations

import ctypes
import os
import threading
from functools import cache as once
from typing import Any

from pipec.diagnostics import write as write_log
from pipec.errors import DeviceError, OutOfMemoryError, PipecError
from pipec.jit.opencl.driver_cache import secure_pocl_cache
from pipec.jit.opencl.float_add import EXTENSION, FEATURE

# Where loaders look for the files that name OpenCL drivers.
_ICD_VARIABLES = ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")
_ICD_FOLDERS = ("/etc/OpenCL/vendors",)
_HELP = (
    "Install the driver of your GPU, or PoCL, which runs OpenCL on the CPU: pip install pocl-binary-distribution"
    " (or apt install pocl-opencl-icd)."
)


# Of each Device of this process, for its life.
_open: list[ctypes.c_int64] = []


class Device:
    """A device with its context and its queue, in which everything happens in order."""

    def __init__(self, handle: Any) -> None:
        import pyopencl as cl

        self.handle = handle
        self.name = f"{handle.name.strip()} ({handle.platform.name.strip()})"
        self.context = cl.Context([handle])
        self.queue = cl.CommandQueue(self.context)
        self.queue_handle: int = self.queue.int_ptr
        self._timed_queue: Any = None
        # 0 when it has failed, or belongs to the process that this one was forked from.
        self.is_open = ctypes.c_int64(1)
        _open.append(self.is_open)
        self.is_gpu = bool(handle.type & cl.device_type.GPU)
        self.lock = threading.RLock()
        self.extensions = frozenset(handle.extensions.split())
        self.most_threads: int = handle.max_work_group_size
        self.most_threads_of_axes: tuple[int, ...] = tuple(handle.max_work_item_sizes)
        self.local_bytes: int = handle.local_mem_size
        self.largest_buffer: int = handle.max_mem_alloc_size
        # What compiled kernels depend on.
        self.identity = "\n".join([self.name, handle.version, handle.driver_version, handle.platform.version])
        # PoCL keeps what it compiles itself, kernel by kernel as they are launched; asked for a binary, it compiles all
        # of them once more, for groups of any size, which takes longer than all the rest.
        self.keeps_binaries = "Portable Computing Language" in handle.platform.name
        self._build_options = _build_options(handle)
        # Whether its compiler knows OpenCL C 3.0; otherwise that of 1.2 is all there is.
        self.has_version_3 = _knows_version_3(handle)

    def __repr__(self) -> str:
        return f"Device({self.name})"

    def build_options(self, text: str) -> list[str]:
        """Of a program with this text. OpenCL C is 1.2 but for programs that gain from something later."""
        later = FEATURE in text and EXTENSION in self.extensions and self.has_version_3
        return [*self._build_options, "-cl-std=CL3.0"] if later else self._build_options

    def timed_queue(self) -> Any:
        """A queue that notes when what it does begins and ends."""
        import pyopencl as cl

        with self.lock:
            if self._timed_queue is None:
                timed = cl.command_queue_properties.PROFILING_ENABLE
                self._timed_queue = cl.CommandQueue(self.context, properties=timed)
            return self._timed_queue

    def copy(self, target: Any, source: Any, size: int) -> None:
        """Copy so many bytes between two buffers of the device, and wait for it."""
        import pyopencl as cl

        cl.enqueue_copy(self.queue, target, source, byte_count=size).wait()


def _build_options(handle: Any) -> list[str]:
    """Division and square root as exact as those of the host, where the device can."""
    import pyopencl as cl

    exact = cl.device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT
    return ["-cl-fp32-correctly-rounded-divide-sqrt"] if handle.single_fp_config & exact else []


def _knows_version_3(handle: Any) -> bool:
    # Older devices have no list of versions. Major, minor and patch have 10, 10 and 12 bits.
    return handle.version.startswith("OpenCL 3") and any(v.version >> 22 >= 3 for v in handle.opencl_c_all_versions)


def handles() -> list[Any]:
    """All devices of all platforms."""
    try:
        import pyopencl as cl
    except ImportError as error:
        raise DeviceError(f"Error: GPU code needs pyopencl, which cannot be imported: {error}") from error
    secure_pocl_cache()
    try:
        platforms = cl.get_platforms()
    except cl.Error as error:
        write_log("device", f"no OpenCL platforms: {error}")
        return []
    found: list[Any] = []
    for platform in platforms:
        try:
            found += platform.get_devices()
        except cl.Error as error:
            write_log("device", f"{platform.name}: {error}")
    return found


def device(wish: str = "") -> Device:
    """The device that `wish`, else PIPEC_DEVICE, names by number or part of its name; else the first GPU, or the first.

    Raises DeviceError when there is none.
    """
    return _device(wish or os.environ.get("PIPEC_DEVICE", ""), os.getpid())


@once
def _device(wish: str, process: int) -> Device:
    found = handles()
    if not found:
        raise DeviceError(f"Error: There is no OpenCL device. {_searched()}\n{_HELP}")
    chosen = _chosen(found, wish) if wish else _preferred(found)
    made = Device(chosen)
    write_log("device", f"pipelines with GPU loops run on {made.name}")
    return made


def failure(device: Device, what: str, code: int, text: str) -> PipecError:
    """The error for what a driver says about a launch or a copy. A device that failed is opened anew next time."""
    import pyopencl as cl

    status = cl.status_code
    if code in (status.MEM_OBJECT_ALLOCATION_FAILURE, status.OUT_OF_HOST_MEMORY):
        return OutOfMemoryError(
            f"Error: Out of memory on the device: {device.name} has {device.handle.global_mem_size} bytes, and no room"
            f" was left to {what}: {text}. Compute smaller pieces, or compute_at a loop of the consumer instead of"
            " compute_root."
        )
    device.is_open.value = 0
    _device.cache_clear()
    return DeviceError(
        f"Error: {device.name} failed to {what}: {text}. If the device was lost, the next call opens it anew; what"
        " Buffers had on it only is gone."
    )


def _close_after_fork() -> None:
    for flag in _open:
        flag.value = 0


os.register_at_fork(after_in_child=_close_after_fork)


def _preferred(found: list[Any]) -> Any:
    import pyopencl as cl

    gpus = [handle for handle in found if handle.type & cl.device_type.GPU]
    return (gpus or found)[0]


def _chosen(found: list[Any], wish: str) -> Any:
    names = [f"{handle.name.strip()} ({handle.platform.name.strip()})" for handle in found]
    if wish.isdigit() and int(wish) < len(found):
        return found[int(wish)]
    for handle, name in zip(found, names, strict=True):
        if wish.lower() in name.lower():
            return handle
    known = "".join([f"\n  {number}: {name}" for number, name in enumerate(names)])
    raise DeviceError(
        f"Error: PIPEC_DEVICE, or the Target, asks for the device {wish!r}, but the OpenCL devices are:{known}\n"
        "Give a number or a part of a name."
    )


def _searched() -> str:
    given = [f"{name}={os.environ[name]}" for name in _ICD_VARIABLES if os.environ.get(name)]
    folders = list(_ICD_FOLDERS)
    try:
        import pyopencl

        folders.append(os.path.join(os.path.dirname(pyopencl.__file__), ".libs"))
    except ImportError:
        pass
    looked = []
    for folder in folders:
        files = sorted(os.listdir(folder)) if os.path.isdir(folder) else None
        icds = [file for file in files or () if file.endswith(".icd")]
        looked.append(f"{folder} ({', '.join(icds) or ('no .icd file' if files is not None else 'not there')})")
    return f"Searched for ICD files in: {'; '.join([*given, *looked])}."
