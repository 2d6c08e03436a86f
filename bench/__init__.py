"""pipec against the halide wheel: same source, same hand schedules, same sizes, one run."""
