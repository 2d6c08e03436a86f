"""Declarations of tensor intrinsics by users: from a Func and an implementation to a proved `TensorIntrinsic`.

In: a pattern Func and instructions. Out: an entry of `pipec.ir.tensor`, or an error that shows where both differ.
"""
