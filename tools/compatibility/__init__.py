"""Which names of Halide's Python API pipec has: `python -m tools.compatibility` writes docs/compatibility.md."""
