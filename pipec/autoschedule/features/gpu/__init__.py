"""Features of kernels: instructions and memory traffic of warps, occupancy, and the device they run on.

In: states for a GPU. Out: the work of each kernel as numbers.
"""
