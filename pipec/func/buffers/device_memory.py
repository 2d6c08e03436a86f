"""The device memory of a Buffer: a copy of its elements that stays between calls of pipelines."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from pipec.errors import ArgumentError, NotSupportedError
from pipec.target import DeviceAPI, Target, get_jit_target_from_environment


class DeviceAllocation(Protocol):
    """The device's copy of the memory of a Buffer."""

    host_is_newer: bool
    device_is_newer: bool
    watched: bool

    @property
    def address(self) -> int:
        """The address of the device allocation, as the device API defines it."""

    def to_host(self) -> None:
        """Copies the contents from the device to the host."""

    def to_device(self) -> None:
        """Copies the contents from the host to the device."""

    def sync(self) -> None:
        """Waits until all work on this memory has finished."""

    def free(self) -> None:
        """Releases the device allocation."""


class DeviceMemory:
    """Pipelines move data between host and device by themselves; with memory of its own there, a Buffer stays there.

    Results are copied back when the host reads them. From then on other code may hold arrays of the host's memory, so
    each call copies it to the device and its results back, until copy_to_device() is called again.
    """

    __slots__ = ("_memory", "_device")
    _memory: np.ndarray | None  # axes in the order of dimensions; None: undefined, or a bounds query
    _device: DeviceAllocation | None
    _slots: Any

    def name(self) -> str:
        """The name of the buffer."""
        raise NotImplementedError

    def device_malloc(self, *args: Any, **kwargs: Any) -> int:
        """Memory on the device of a Target with a GPU feature, or of a DeviceAPI; nothing is copied."""
        self._allocation("device_malloc", args, kwargs)
        return 0

    def copy_to_device(self, *args: Any, **kwargs: Any) -> int:
        """The contents go to the device, if they are newer, and stay there: calls do not copy them again.

        Takes a Target with a GPU feature, or a DeviceAPI. Changes of the host's memory from now on must be announced by
        set_host_dirty(), unless they are made by this Buffer's methods or by pipelines.
        """
        fresh = self._device is None
        allocation = self._allocation("copy_to_device", args, kwargs)
        if (fresh or allocation.host_is_newer or allocation.watched) and not allocation.device_is_newer:
            allocation.to_device()
        allocation.watched = False
        return 0

    def copy_to_host(self) -> int:
        """Copies newer contents of the device to the host."""
        if self._device is not None:
            self._device.to_host()
        return 0

    def device_free(self) -> int:
        """Give the device's memory back, after bringing newer contents to the host."""
        if self._device is not None:
            self._device.to_host()
            self._device.free()
            self._device = self._slots = None
        return 0

    def device_deallocate(self) -> None:
        """As device_free."""
        self.device_free()

    def device_sync(self) -> int:
        """Wait until the device is done."""
        if self._device is not None:
            self._device.sync()
        return 0

    def has_device_allocation(self) -> bool:
        """Returns whether the buffer has memory on a device."""
        return self._device is not None

    def device_dirty(self) -> bool:
        """Whether the device's contents are newer than the host's."""
        return self._device is not None and self._device.device_is_newer

    def host_dirty(self) -> bool:
        """Whether the host's contents are newer than the device's."""
        return self._device is not None and self._device.host_is_newer

    def set_host_dirty(self, dirty: bool = True) -> None:
        """Mark the host's memory as newer than the device's: the next pipeline on the device copies it there."""
        if self._device is not None:
            self._device.host_is_newer = bool(dirty)

    def set_device_dirty(self, dirty: bool = True) -> None:
        """Mark the device's memory as newer than the host's."""
        if self._device is None:
            if dirty:
                raise NotSupportedError(f"Error: Buffer {self.name()} has no device memory that could be dirty.")
            return
        self._device.device_is_newer = bool(dirty)

    def _allocation(self, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> DeviceAllocation:
        from pipec.pipeline.calls.device_buffer import new_allocation

        target = _require_device(method, (*args, *kwargs.values()))
        if self._memory is None:
            raise ArgumentError(f"Error: {method}: Buffer {self.name()} has no memory.")
        if self._device is None:
            buffer: Any = self
            self._device = new_allocation(buffer, target)
        self._slots = None
        return self._device

    @property
    def _array(self) -> np.ndarray | None:
        """The memory of the host, with the newest contents, for reading and writing."""
        if self._device is not None:
            self._device.to_host()
            self._device.watched = True
        return self._memory

    @_array.setter
    def _array(self, array: np.ndarray | None) -> None:
        if self._device is not None:
            self._device.free()
        self._memory, self._device, self._slots = array, None, None


def _require_device(method: str, arguments: tuple[Any, ...]) -> Target:
    """The Target of a device, from a DeviceAPI or a Target."""
    targets = [value for value in arguments if isinstance(value, Target)]
    devices = [value for value in arguments if isinstance(value, DeviceAPI)]
    if len(targets) + len(devices) != len(arguments):
        raise TypeError(f"{method}(): incompatible function arguments: a DeviceAPI and a Target, not {arguments!r}")
    named = [device for device in devices if device is not DeviceAPI.Default_GPU]
    target = targets[0] if targets else get_jit_target_from_environment()
    if named == [DeviceAPI.OpenCL]:
        return target
    if named or not target.supports_device_api(DeviceAPI.OpenCL):
        raise NotSupportedError(
            f"Error: {method}: the target {target} has no GPU feature, so there is no device. Give DeviceAPI.OpenCL,"
            ' or hl.Target("host-opencl").'
        )
    return target
