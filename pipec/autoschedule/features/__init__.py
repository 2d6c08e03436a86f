"""Features: what the loops of a plan do, as numbers: instructions, traffic, parallelism, storage.

In: plans of a Dag. Out: arrays of features, a row a stage; `gpu` has those of kernels.
"""
