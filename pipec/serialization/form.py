"""The form of serialized pipelines: JSON with a table of expression nodes, each after those it refers to.

Funcs, their stages and arguments, directives and buffers are objects with named fields; where a field is an expression,
it is the number of a node in the table.
"""

from __future__ import annotations

from typing import Any

FORMAT = "pipec pipeline"
VERSION = 2

SHAPE_WORDS = ("min", "extent", "stride")
"""What is noted of a buffer argument: for each dimension one expression or none."""
SCALAR_EXPRESSIONS = ("min_value", "max_value", "estimate", "default_value")
"""What is noted of a scalar argument."""

Data = dict[str, Any]
