"""Funcs, variables, reduction domains and parameters, and the frozen definitions made from them.

In: definitions written by users. Out: `PipelineDef` and its parts.
"""
