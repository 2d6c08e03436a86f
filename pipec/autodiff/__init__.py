"""Reverse-mode differentiation of pipelines, and the bridge to PyTorch.

In: Funcs, and adjoints of their values. Out: Funcs of the gradients, without schedules; modules of torch.
"""
