"""Where the first element of a numpy array lies in memory, found quickly."""

from __future__ import annotations

import ctypes
import sys

import numpy as np


def _address_by_attribute(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


_DATA_OFFSET = 2 * ctypes.sizeof(ctypes.c_void_p)  # after the reference count and the type
_read_pointer = ctypes.c_size_t.from_address


def _address_by_layout(array: np.ndarray) -> int:
    return _read_pointer(id(array) + _DATA_OFFSET).value


def _layout_is_known() -> bool:
    # True for all CPython builds with a GIL; any other interpreter takes the slower way.
    if sys.implementation.name != "cpython" or getattr(sys, "_is_gil_enabled", lambda: True)() is False:
        return False
    probes: list[np.ndarray] = [np.zeros(3, np.uint8), np.zeros((2, 3))[:, ::-1], np.zeros(())]
    return all(_address_by_layout(probe) == _address_by_attribute(probe) for probe in probes)


address_of = _address_by_layout if _layout_is_known() else _address_by_attribute
