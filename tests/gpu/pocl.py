"""PoCL on processors younger than the compiler inside it."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

# What PoCL calls a processor that it does not know; its compiler then refuses that name.
UNKNOWN = b"generic\0"
CPU_NAME = ctypes.create_string_buffer(b"x86-64-v3")
_SEARCHED_BYTES = 4096


@cache
def name_processors() -> None:
    """Let PoCL's devices compile, which they need once in a process."""
    from pipec.jit.opencl.device import devices

    for device in devices():
        name_processor(device)


def name_processor(device: Any) -> bool:
    """Let PoCL compile for x86-64-v3 where it knows no name of the processor; whether that was needed.

    The name is a pointer in PoCL's own structure for a device, found by what it points to.
    """
    if "Portable" not in device.platform.name or not device.name.startswith("pthread"):
        return False
    readable = _readable()
    for place in range(device.int_ptr, device.int_ptr + _SEARCHED_BYTES, 8):
        if not _inside(readable, place):
            break
        pointer = ctypes.c_uint64.from_address(place)
        if _inside(readable, pointer.value) and ctypes.string_at(pointer.value, len(UNKNOWN)) == UNKNOWN:
            pointer.value = ctypes.addressof(CPU_NAME)
            return True
    return False


def _readable() -> list[tuple[int, int]]:
    result = []
    with open("/proc/self/maps") as lines:
        for line in lines:
            span, rights = line.split()[:2]
            low, high = [int(end, 16) for end in span.split("-")]
            if rights.startswith("r"):
                result.append((low, high))
    return result


def _inside(spans: list[tuple[int, int]], address: int) -> bool:
    return any(low <= address and address + 8 <= high for low, high in spans)
