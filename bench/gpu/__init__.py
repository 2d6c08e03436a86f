"""Times of the applications' kernels on a GPU."""
