"""Applications: each file holds one image filter, its hand schedule, its reference in numpy and a command line."""
