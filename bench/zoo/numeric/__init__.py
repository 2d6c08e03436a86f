"""Pipelines on arrays: scans, transforms, networks, solvers, statistics, scatters."""
