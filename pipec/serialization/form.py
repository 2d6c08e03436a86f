"""The form of serialized pipelines: JSON with a table of expression nodes, each after those it refers to.

A value inside a node or directive is a plain number or text, or a list that starts with a word that says what it is.
"""

from __future__ import annotations

import enum
from typing import Any

from pipec.func.directives.options import PrefetchBoundStrategy
from pipec.ir import expr as nodes
from pipec.ir.expr import Expr
from pipec.ir.stmt import LoopKind, MemoryType, Partition
from pipec.schedule import directive as records
from pipec.schedule.directive import Directive, TailStrategy, Traced

FORMAT = "pipec pipeline"
VERSION = 1

# The nodes that definitions and schedules consist of.
NODES: dict[str, type[Expr]] = {
    kind.__name__: kind
    for kind in vars(nodes).values()
    if isinstance(kind, type)
    and issubclass(kind, Expr)
    and (kind.FIELDS and kind not in (nodes.Binary, nodes.Compare))
    and kind not in (nodes.Ramp, nodes.Broadcast, nodes.Shuffle, nodes.VectorReduce, nodes.Load, nodes.BufferView)
}
# Fields that hold a live object, which is found again by the node's name.
LIVE_FIELDS = {"domain", "parameter", "function", "image"}
DIRECTIVES: dict[str, type[Directive]] = {
    kind.__name__: kind
    for kind in vars(records).values()
    if isinstance(kind, type) and issubclass(kind, Directive) and kind is not Directive
}
ENUMS: dict[str, type[enum.Enum]] = {
    kind.__name__: kind for kind in (TailStrategy, LoopKind, MemoryType, Partition, PrefetchBoundStrategy, Traced)
}
# What is noted of a buffer argument: for each dimension one expression or none.
SHAPE_WORDS = ("min", "extent", "stride")
# What is noted of a scalar argument.
SCALAR_EXPRESSIONS = ("min_value", "max_value", "estimate", "default_value")

Data = dict[str, Any]
