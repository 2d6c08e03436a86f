"""Pipelines beyond memory, cores and one picture: what tiles, dask and streams cost."""
