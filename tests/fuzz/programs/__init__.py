"""Random pipelines as plain data: made from a seed, built on any module with Halide's API, printed as programs."""
