"""Pipelines beyond one machine's memory, cores and one picture: tiles, dask, streams of frames, exported packages.

In: a Pipeline and arrays, files or iterators. Out: arrays and files, computed part by part, equal to the whole result.
"""
