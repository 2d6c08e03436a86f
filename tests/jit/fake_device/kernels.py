"""The kernels of the fake device are those of OpenCL, without barriers and vectors."""

from pipec.jit.opencl.kernels import split

__all__ = ["split"]
