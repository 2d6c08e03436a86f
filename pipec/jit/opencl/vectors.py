"""Vectors in OpenCL C, where a store and all that it needs are dense and element by element: float4, vload4, vstore4.

f[ramp(i, 1, 4)] = a[ramp(j, 1, 4)] * x4(s)  -->  vstore4(vload4(0, a + j) * (float4)(s), 0, f + i);

What is not that simple is written lane by lane.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipec.ir import expr as e
from pipec.ir import stmt as s
from pipec.ir.node import Node
from pipec.ir.types import Type
from pipec.ir.walk import postorder
from pipec.jit.c.expr import Expressions, is_true

if TYPE_CHECKING:
    from pipec.jit.opencl.work_item import ThreadStatements

_LANES = (2, 3, 4, 8, 16)
_OPERATORS = {e.Add: "+", e.Sub: "-", e.Mul: "*"}
_NAMES = {8: "char", 16: "short", 32: "int", 64: "long"}


def vector_store(statements: ThreadStatements, node: s.Store) -> list[str] | None:
    """The lines of a store; None when it is to be written lane by lane."""
    roots = [node.value, node.index]
    if node.value.type.nlanes not in _LANES or not is_true(node.predicate) or not _is_dense(node.index):
        return None
    vectors = [part for part in postorder(node.value) if isinstance(part, e.Expr) and part.type.nlanes > 1]
    loads = [part for part in vectors if isinstance(part, e.Load)]
    apart = {part.index for part in loads} | {part.predicate for part in loads}
    if not all(part in apart or _is_simple(part) for part in vectors):
        return None
    x = statements._expressions(*roots)
    writer = _Writer(statements, x)
    value = writer.text(node.value)
    place = writer.place(node.buffer, node.index)
    line = f"vstore{node.value.type.nlanes}({value}, 0, {place});"
    lines = [*x.frame.lines, *writer.lines, line]
    return lines if len(lines) == 1 else ["{", *[f"    {text}" for text in lines], "}"]


def _is_dense(index: e.Expr) -> bool:
    return isinstance(index, e.Ramp) and isinstance(index.stride, e.Const) and index.stride.value == 1


def _is_simple(node: e.Expr) -> bool:
    kind = node.type.element_of()
    if kind.boolean or kind.is_handle() or (kind.floating and kind.nbits == 16):
        return False
    if isinstance(node, e.Load):
        return is_true(node.predicate) and _is_dense(node.index)
    if isinstance(node, e.Cast):
        # What becomes of floats too large for integers is another matter.
        return not node.value.type.floating or kind.floating
    if isinstance(node, e.Div):
        return kind.floating
    if isinstance(node, e.Broadcast):
        return node.value.type.nlanes == 1
    return isinstance(node, e.Add | e.Sub | e.Mul | e.Min | e.Max)


def vector_type(kind: Type) -> str:
    """The name of a vector type."""
    if kind.floating:
        return f"{'double' if kind.nbits == 64 else 'float'}{kind.nlanes}"
    return f"{'' if kind.signed else 'u'}{_NAMES[kind.nbits]}{kind.nlanes}"


class _Writer:
    """The vectors of one store; those used more than once get names in `lines`."""

    def __init__(self, statements: ThreadStatements, x: Expressions) -> None:
        self.statements, self.x = statements, x
        self.lines: list[str] = []
        self.names: dict[Node, str] = {}

    def text(self, node: Any) -> str:
        """The text of a vector, which binds tightly."""
        name = self.names.get(node)
        if name is not None:
            return name
        text = self._written(node)
        if self.x.uses.get(node, 0) > 1 and not isinstance(node, e.Broadcast):
            name = self.names[node] = self.statements.fresh("v")
            self.lines.append(f"const {vector_type(node.type)} {name} = {text};")
            return name
        return text

    def place(self, buffer: str, index: Any) -> str:
        """The address of the first element."""
        return f"{self.statements.name_of(buffer)} + ({self.x.scalar(index.base, True)})"

    def _written(self, node: Any) -> str:
        kind = vector_type(node.type)
        if isinstance(node, e.Broadcast):
            return f"({kind})({self.x.scalar(node.value)})"
        if isinstance(node, e.Load):
            return f"vload{node.type.nlanes}(0, {self.place(node.buffer, node.index)})"
        if isinstance(node, e.Cast):
            return f"convert_{kind}({self.text(node.value)})"
        a, b = self.text(node.a), self.text(node.b)
        if isinstance(node, e.Div):
            return f"({a} / {b})"
        if isinstance(node, e.Min | e.Max):
            return self._extreme(node, a, b)
        operator = _OPERATORS[type(node)]
        if node.type.integral and node.type.signed:
            # Signed integers wrap here; those of C need not.
            bits = vector_type(node.type.with_code(type(node.type.code()).UInt))
            return f"as_{kind}(as_{bits}({a}) {operator} as_{bits}({b}))"
        return f"({a} {operator} {b})"

    def _extreme(self, node: Any, a: str, b: str) -> str:
        name = "min" if isinstance(node, e.Min) else "max"
        if node.type.integral:
            return f"{name}({a}, {b})"
        if isinstance(node.a, e.Broadcast) and isinstance(node.a.value, e.Const):
            # The second is what NaN gives.
            a, b = b, a
        return f"select({b}, {a}, {a} {'<' if name == 'min' else '>'} {b})"
