"""The space of schedule candidates for GPUs: kernels, blocks, threads and what is staged in shared memory.

In: a Dag and a state. Out: states that follow it.
"""
