"""Device APIs: what one must offer so that pipelines run kernels with it, and how it is found.

A device API is a folder with two modules: `device` finds and opens devices (`DeviceAPI`), and `kernels` has `split`,
which moves the kernels of a program to device code. `jit.runtime.device_run` runs them on a `Device`. Handles of
memory, queues, kernels and events are 64-bit numbers whose meaning is the API's own.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from pipec.errors import DeviceError, OutOfMemoryError, PipecError
from pipec.ir.program import DeviceCode, Program
from pipec.target import Target, TargetFeature

# The folders of the device APIs, by the feature of a Target that asks for one.
APIS: dict[TargetFeature, str] = {TargetFeature.OpenCL: "pipec.jit.opencl"}


# The flags `is_open` of all devices of this process.
_open: list[ctypes.c_int64] = []


def _close_after_fork() -> None:
    for flag in _open:
        flag.value = 0


os.register_at_fork(after_in_child=_close_after_fork)


class DeviceFailure(Exception):
    """A driver refused a command. `is_memory`: memory was exhausted, and the device can still be used."""

    def __init__(self, text: str, is_memory: bool) -> None:
        super().__init__(text)
        self.is_memory = is_memory


class DeviceLimits(NamedTuple):
    """The limits of a device: threads of a block in all and in each dimension, and bytes."""

    max_threads: int
    max_threads_per_axis: tuple[int, ...]
    local_bytes: int
    max_buffer_bytes: int
    memory_bytes: int


class Properties(NamedTuple):
    """The device properties that determine the cost of kernels; None: unknown. `bandwidth`: of copies, in bytes/s."""

    name: str
    is_gpu: bool
    units: int
    hertz: float
    lanes: int | None
    cache_bytes: int
    limits: DeviceLimits
    registers: int | None
    bandwidth: float | None
    double: bool
    half: bool
    atomics64: bool


class LoadedKernel(Protocol):
    """A kernel that a device can launch, which lives as long as this object."""

    handle: int
    max_threads: int


class Device(ABC):
    """An open device. Its queue runs commands in order; another one also measures how long they take."""

    name: str
    is_gpu: bool
    limits: DeviceLimits
    # The handle of the queue.
    queue: int
    # Addresses of the C functions SetArgument and Enqueue (runtime/device.h), by which machine code launches kernels.
    set_argument: int
    enqueue: int

    def __init__(self) -> None:
        self.lock = threading.RLock()
        # 0 after the device failed, and in the child of a fork: machine code then leaves launches to Python.
        self.is_open = ctypes.c_int64(1)
        _open.append(self.is_open)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    @abstractmethod
    def allocate(self, size: int) -> int:
        """Returns the handle of so many bytes of memory, or 0 when there is no room."""

    @abstractmethod
    def release(self, memory: int) -> None:
        """Releases memory; commands that were enqueued before may still use it."""

    @abstractmethod
    def write(self, memory: int, source: Any, timed: bool = False) -> float:
        """Copies a numpy array to the start of `memory` and waits; returns the seconds if `timed`. Raises
        DeviceFailure."""

    @abstractmethod
    def read(self, memory: int, target: Any, timed: bool = False) -> float:
        """Fills a numpy array from the start of `memory` after all commands; returns the seconds if `timed`. Raises
        DeviceFailure."""

    @abstractmethod
    def copy(self, target: int, source: int, size: int) -> None:
        """Copies so many bytes between two pieces of memory of the device, and waits."""

    @abstractmethod
    def load(self, code: DeviceCode) -> Sequence[LoadedKernel]:
        """Compiles kernels. Raises DeviceError with the lines of the text that were refused."""

    @abstractmethod
    def synchronize(self, timed: bool = False) -> None:
        """Waits for the queue, or for the one that measures times."""

    @abstractmethod
    def timed_queue(self) -> int:
        """The handle of the queue that measures times: `enqueue` gives events there."""

    @abstractmethod
    def event_seconds(self, event: int) -> float:
        """Returns the time of a launch that has ended, and releases its event."""

    @abstractmethod
    def launch_failure(self, status: int) -> DeviceFailure:
        """Describes a status of `set_argument` or `enqueue`."""

    def close(self) -> None:
        """Ends the use of the device after a failure; `open_device` opens it anew."""
        self.is_open.value = 0

    @abstractmethod
    def properties(self) -> Properties:
        """Returns the properties; the first call may measure the bandwidth for some milliseconds."""

    def failure(self, action: str, error: DeviceFailure) -> PipecError:
        """The error of a run for what the driver said to an action. A device that failed is opened anew next time."""
        if error.is_memory:
            return OutOfMemoryError(
                f"Error: Out of memory on the device: {self.name} has {self.limits.memory_bytes} bytes, and no room"
                f" was left to {action}: {error}. Compute smaller pieces, or compute_at a loop of the consumer instead"
                " of compute_root."
            )
        self.close()
        return DeviceError(
            f"Error: {self.name} failed to {action}: {error}. If the device was lost, the next call opens it anew;"
            " contents of Buffers that were only on the device are gone."
        )


class DeviceAPI(Protocol):
    """The module `device` of a device API's folder."""

    def devices(self) -> Sequence[Any]:
        """Descriptions of all devices; empty where there is none."""

    def open_device(self, name: str = "") -> Device:
        """The device with that number or a part of that name, else PIPEC_DEVICE, else the best; raises DeviceError."""


def device_api(target: Target | None = None) -> DeviceAPI:
    """The device API that a target asks for. OpenCL runs kernels for all others and where there is no target."""
    module: Any = importlib.import_module(f"{_folder(target)}.device")
    api: DeviceAPI = module
    return api


def split(program: Program, target: Target) -> Program:
    """Moves the loops over GPU blocks of a program to the device code of the target's device API."""
    kernels: Any = importlib.import_module(f"{_folder(target)}.kernels")
    result: Program = kernels.split(program, target.has_feature(TargetFeature.StrictFloat))
    return result


def _folder(target: Target | None) -> str:
    features = [feature for feature in APIS if target is not None and target.has_feature(feature)]
    return APIS[features[0] if features else TargetFeature.OpenCL]
