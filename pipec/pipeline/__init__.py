"""Pipelines: definitions and schedules compiled and run.

In: Funcs with their schedules, a Target, arrays and numbers. Out: Buffers, Callables, files and reports of runs.
"""
