"""The fake device. It records what it is asked for in `commands`."""

from __future__ import annotations

import ctypes
import itertools
import subprocess
import tempfile
from functools import cache as once
from pathlib import Path
from typing import Any

import numpy as np

from pipec.jit.device import Device, DeviceFailure, DeviceLimits, Properties

OUT_OF_MEMORY, LOST = 1, 2
MEMORY_BYTES = 1 << 20
# OpenCL C as C99.
_PRELUDE = """
#include <stddef.h>
#include <stdint.h>
#define __kernel
#define __global
#define __attribute__(x)
typedef unsigned uint;
size_t group_id[3], local_id[3];
static size_t get_group_id(int axis) { return group_id[axis]; }
static size_t get_local_id(int axis) { return local_id[axis]; }
"""
_C_TYPES = {"float32": ctypes.c_float, "float64": ctypes.c_double}


class FakeKernel:
    """A function of a library, and the bytes of its arguments."""

    def __init__(self, library: Any, kernel: Any, handle: int) -> None:
        self.library, self.kernel, self.handle, self.max_threads = library, kernel, handle, 64
        self.arguments: dict[int, int] = {}

    def run(self, grid: list[int], group: list[int], memory: dict[int, np.ndarray]) -> None:
        """Calls the function for each thread."""
        scalars = len(self.kernel.parameters) - self.kernel.buffers
        values: list[Any] = []
        for number, (_, kind) in enumerate(self.kernel.parameters):
            value = ctypes.c_int64(self.arguments[number])
            if number >= scalars:
                values.append(ctypes.c_void_p(memory[value.value].ctypes.data))
            elif kind.floating:
                values.append(_C_TYPES[str(kind)].from_buffer(value))
            else:
                values.append(value)
        group_id, local_id = [(ctypes.c_size_t * 3).in_dll(self.library, name) for name in ("group_id", "local_id")]
        function = getattr(self.library, self.kernel.name)
        for block in itertools.product(*map(range, grid)):
            for thread in itertools.product(*map(range, group)):
                group_id[:], local_id[:] = block, thread
                function(*values)


class FakeDevice(Device):
    """A device whose next launches give the statuses in `faults`."""

    name, is_gpu, queue = "fake", True, 7
    limits = DeviceLimits(64, (64, 64, 64), 1 << 12, 1 << 16, MEMORY_BYTES)

    def __init__(self) -> None:
        super().__init__()
        self.commands: list[str] = []
        self.faults: list[int] = []
        self.memory: dict[int, np.ndarray] = {}
        self.kernels: dict[int, FakeKernel] = {}
        self._handles = itertools.count(1)
        size, pointer = ctypes.c_size_t, ctypes.c_void_p
        kinds = (pointer, ctypes.c_uint32, size, pointer), (pointer, pointer, ctypes.c_uint32, *[pointer] * 3)
        self._functions = (
            ctypes.CFUNCTYPE(ctypes.c_int32, *kinds[0])(self._set_argument),
            ctypes.CFUNCTYPE(ctypes.c_int32, *kinds[1], ctypes.c_uint32, pointer, pointer)(self._enqueue),
        )
        self.set_argument, self.enqueue = [ctypes.cast(f, pointer).value for f in self._functions]

    def allocate(self, size):
        if sum(array.size for array in self.memory.values()) + size > MEMORY_BYTES:
            return 0
        handle = next(self._handles)
        self.memory[handle] = np.zeros(size, np.uint8)
        return handle

    def release(self, memory):
        del self.memory[memory]

    def write(self, memory, source, timed=False):
        self.commands.append("write")
        self.memory[memory][: source.size] = source
        return 0.5

    def read(self, memory, target, timed=False):
        self.commands.append("read")
        target[:] = self.memory[memory][: target.size]
        return 0.25

    def copy(self, target, source, size):
        self.memory[target][:size] = self.memory[source][:size]

    def load(self, code):
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "kernels.c"), Path(folder, "kernels.so")
            # C99 has the types that the text defines first.
            text = "\n".join(line for line in code.text.splitlines() if not line.startswith("typedef"))
            source.write_text(_PRELUDE + text)
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", source, "-o", library], check=True)
            loaded = ctypes.CDLL(str(library))
        kernels = [FakeKernel(loaded, kernel, next(self._handles)) for kernel in code.kernels]
        self.kernels.update({kernel.handle: kernel for kernel in kernels})
        return kernels

    def synchronize(self, timed=False):
        self.commands.append("synchronize")

    def timed_queue(self):
        return 8

    def event_seconds(self, event):
        return 0.125 * event

    def launch_failure(self, status):
        return DeviceFailure(f"status {status}", status == OUT_OF_MEMORY)

    def close(self):
        super().close()
        _device.cache_clear()

    def properties(self):
        return Properties(self.name, True, 4, 1e9, 8, 1 << 14, self.limits, None, 1e9, True, False, False)

    def _set_argument(self, kernel, number, size, value):
        self.kernels[kernel].arguments[number] = int.from_bytes(ctypes.string_at(value, size), "little")
        return 0

    def _enqueue(self, queue, kernel, axes, offset, total, local, waits, wait, event):
        if self.faults:
            return self.faults.pop()
        sizes, group = [(ctypes.c_int64 * 3).from_address(address)[:] for address in (total, local)]
        self.commands.append(f"launch {self.kernels[kernel].kernel.func}")
        self.kernels[kernel].run([a // b for a, b in zip(sizes, group, strict=True)], group, self.memory)
        if event:
            assert queue == self.timed_queue()
            ctypes.c_int64.from_address(event).value = 1
        return 0


def devices():
    return ["fake"]


def open_device(name=""):
    return _device()


@once
def _device():
    return FakeDevice()
