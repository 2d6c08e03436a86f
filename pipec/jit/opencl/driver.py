"""Functions of the OpenCL driver that are called without pyopencl, and the folder of PoCL's compiled kernels.

pyopencl's own Kernel runs Python text that it unpickles from a cache in the user's home, which no file may do here.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache as once
from functools import partial
from pathlib import Path
from typing import Any

from pipec.diagnostics import warn_once
from pipec.endings import at_end
from pipec.errors import DeviceError
from pipec.jit.objects.private_folder import UNWRITABLE, folder_problem

_POCL_VARIABLE = "POCL_CACHE_DIR"


@once
def driver_function(name: str) -> int:
    """The address of a function of the OpenCL loader that pyopencl uses."""
    import pyopencl

    # Searches the libraries that a library depends on, too.
    library = ctypes.CDLL(pyopencl._cl.__file__)
    return int(ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0)


def share_loader() -> None:
    """Lets other libraries of this process find the OpenCL loader that pyopencl brings, if it is installed."""
    try:
        import pyopencl
    except ImportError:
        return
    ctypes.CDLL(pyopencl._cl.__file__, ctypes.RTLD_GLOBAL)


class KernelHandle:
    """A kernel of `program`, a pyopencl Program that was built. `handle`: its cl_kernel, released with this object."""

    def __init__(self, program: Any, name: str, device: Any) -> None:
        """`device`: the pyopencl Device that the kernel runs on."""
        import pyopencl as cl

        pointer, status = ctypes.c_void_p, ctypes.c_int32()
        create = _function("clCreateKernel", pointer, pointer, ctypes.c_char_p, pointer)
        kernel = create(program.int_ptr, name.encode(), ctypes.byref(status))
        if status.value or not kernel:
            raise DeviceError(f"Error: The driver cannot create the kernel {name} (OpenCL status {status.value}).")
        self.program, self.name, self.handle = program, name, int(kernel)
        at_end(self, partial(_function("clReleaseKernel", ctypes.c_int32, pointer), kernel))
        size = ctypes.c_size_t()
        types = (pointer, pointer, ctypes.c_uint32, ctypes.c_size_t, pointer, pointer)
        query = int(cl.kernel_work_group_info.WORK_GROUP_SIZE)
        status.value = _function("clGetKernelWorkGroupInfo", ctypes.c_int32, *types)(
            self.handle, device.int_ptr, query, ctypes.sizeof(size), ctypes.byref(size), None
        )
        if status.value:
            raise DeviceError(f"Error: {device.name} cannot describe the kernel {name} (OpenCL status {status.value}).")
        self.max_threads: int = min(size.value, device.max_work_group_size)


def _function(name: str, result: Any, *arguments: Any) -> Any:
    return ctypes.CFUNCTYPE(result, *arguments)(driver_function(name))


def pocl_folder() -> Path:
    """The folder from which PoCL, the OpenCL driver for CPUs, loads kernels that it compiled before."""
    folder, cache, home = [os.environ.get(name) for name in (_POCL_VARIABLE, "XDG_CACHE_HOME", "HOME")]
    return Path(folder) if folder else Path(cache or (f"{home}/.cache" if home else "/tmp")) / "pocl" / "kcache"


@once
def secure_pocl_cache() -> None:
    """Sends PoCL to a folder of this process alone where other users could have written to its own.

    Call it before drivers are loaded; it warns once of what is wrong.
    """
    folder = pocl_folder()
    problem = folder_problem(folder, UNWRITABLE)
    if not problem:
        return
    import atexit
    import shutil
    import tempfile

    own, process = tempfile.mkdtemp(prefix="pipec-pocl-"), os.getpid()

    def remove() -> None:
        if os.getpid() == process:  # not in the child of a fork
            shutil.rmtree(own, ignore_errors=True)

    atexit.register(remove)
    os.environ[_POCL_VARIABLE] = own
    warn_once(
        f"PoCL's cache {folder} is not used, since other users might have put machine code there: {problem}. Until"
        f" then PoCL compiles kernels again in each process. {_POCL_VARIABLE} names another folder."
    )
