"""The OpenCL back end: kernels cut from a Program as OpenCL C, and the device that runs them.

In: a Program with loops over GPU blocks. Out: kernel sources, and runs on a device.
"""
