"""Kernels of built programs, made by the OpenCL driver itself.

pyopencl's own Kernel runs Python text that it unpickles from a cache in the user's home, which no file may do here.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import Any

from pipec.errors import DeviceError
from pipec.jit.opencl.native import driver_function


class KernelHandle:
    """A kernel of `program`, a pyopencl Program that was built. `int_ptr`: its cl_kernel, released with this object."""

    def __init__(self, program: Any, name: str) -> None:
        status = ctypes.c_int32()
        create = _function("clCreateKernel", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        made = create(program.int_ptr, name.encode(), ctypes.byref(status))
        if status.value or not made:
            raise DeviceError(f"Error: The driver cannot create the kernel {name} (OpenCL status {status.value}).")
        self.program, self.name, self.int_ptr = program, name, int(made)
        # The end of the process releases everything, maybe after the driver has been unloaded.
        weakref.finalize(self, _function("clReleaseKernel", ctypes.c_int32, ctypes.c_void_p), made).atexit = False

    def work_group_size(self, device: Any) -> int:
        """The most threads of a group of this kernel on a pyopencl Device."""
        import pyopencl as cl

        size = ctypes.c_size_t()
        pointer = ctypes.c_void_p
        types = (pointer, pointer, ctypes.c_uint32, ctypes.c_size_t, pointer, pointer)
        status = _function("clGetKernelWorkGroupInfo", ctypes.c_int32, *types)(
            self.int_ptr,
            device.int_ptr,
            int(cl.kernel_work_group_info.WORK_GROUP_SIZE),
            ctypes.sizeof(size),
            ctypes.byref(size),
            None,
        )
        if status:
            raise DeviceError(f"Error: {device.name} does not know the kernel {self.name} (OpenCL status {status}).")
        return size.value


def _function(name: str, result: Any, *arguments: Any) -> Any:
    return ctypes.CFUNCTYPE(result, *arguments)(driver_function(name))
