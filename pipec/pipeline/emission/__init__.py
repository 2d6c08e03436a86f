"""Pipelines written to files: objects, libraries, headers, C, LLVM text and lowered programs.

In: a Pipeline and a Target. Out: files, and Modules.
"""
