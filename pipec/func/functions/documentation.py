"""Docstrings of functions that are made, not written: a summary and an example that the tests run."""

from __future__ import annotations


def with_example(summary: str, call: str, result: str) -> str:
    """The summary, then `call` at a Python prompt where `hl` is this package, and what it prints."""
    return f"{summary}\n\n>>> {call}\n{result}\n"
