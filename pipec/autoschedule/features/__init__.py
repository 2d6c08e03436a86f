"""Features: what the loops of a state do, as numbers: instructions, traffic, parallelism, storage.

In: states of a Dag. Out: arrays of features, a row a stage; `gpu` has those of kernels.
"""
