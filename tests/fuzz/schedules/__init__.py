"""Random schedules as plain data: made from a seed, given to any module with Halide's API, printed as programs."""
