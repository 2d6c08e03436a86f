"""Schedules that a program found: pipec's searches beside the halide wheel's, on all applications."""
