"""Training steps in pipec, in PyTorch and in the halide wheel."""
