"""The bodies of parallel loops as functions: the variables and buffers that they capture."""

from __future__ import annotations

from collections.abc import Collection

from pipec.ir import stmt as s
from pipec.ir.expr import Load, Variable
from pipec.ir.node import Node
from pipec.ir.types import Type
from pipec.ir.walk import postorder
from pipec.jit.llvm.expr import ExprFunction, Outside
from pipec.jit.llvm.types import value_type


class Captured:
    """The variables and buffers of the surrounding function that a task uses."""

    def __init__(self, variables: tuple[tuple[str, Type], ...], buffers: tuple[str, ...]) -> None:
        self.variables = variables
        self.buffers = buffers


def captured_by(f: ExprFunction, node: s.For | s.Fork) -> Captured:
    """The variables and buffers that a parallel loop or a fork captures, in the order of first use."""
    inside = {node.name}
    roots = (node.body,) if isinstance(node, s.For) else (node.first, node.second)
    variables: dict[tuple[str, Type], None] = {}
    buffers: dict[str, None] = {}
    allocated: set[str] = set()
    nodes = list(postorder(*roots))
    for part in nodes:
        if isinstance(part, (s.LetStmt, s.For, s.Report)):
            inside.add(part.name)
        elif isinstance(part, (s.Allocate, s.Fork)):
            allocated.add(part.name)
    for part in nodes:
        if isinstance(part, Variable) and part.name not in inside and not f.outside.is_argument(part.name):
            variables[part.name, part.type] = None
        for name in _buffers_of(part):
            if name not in allocated and not f.outside.is_argument(name):
                buffers[name] = None
    return Captured(tuple(variables), tuple(buffers))


def _buffers_of(node: Node) -> Collection[str]:
    """The buffers that a node itself uses."""
    if isinstance(node, (Load, s.Store)):
        return (node.buffer,)
    if isinstance(node, (s.Wait, s.Post)):
        return (node.name,)
    return node.buffers() if isinstance(node, s.CallExtern) else ()


def emit_closure(f: ExprFunction, captured: Captured) -> tuple[str, str]:
    """Stores the slots and what a task captures in a structure; returns its address and its LLVM type."""
    values = [(kind, f.text(Variable(kind, name))) for name, kind in captured.variables]
    pointers = [f.buffer(name).text for name in captured.buffers]
    fields = ["ptr", *[value_type(kind) for kind, _ in values], *["ptr"] * len(pointers)]
    layout = "{ " + ", ".join(fields) + " }"
    closure = f.entry(f"alloca {layout}")
    texts = ["%slots", *[text for _, text in values], *pointers]
    for i, (type_, text) in enumerate(zip(fields, texts, strict=True)):
        place = f.emit(f"getelementptr {layout}, ptr {closure}, i32 0, i32 {i}")
        f.line(f"store {type_} {text}, ptr {place}")
    return closure, layout


class TaskContext(Outside):
    """The surroundings of a task: its closure, and the arguments of the program."""

    def __init__(self, layout: str, captured: Captured, arguments: Outside) -> None:
        self.layout = layout
        self.arguments: Outside = arguments.arguments if isinstance(arguments, TaskContext) else arguments
        self.fields = {name: i + 1 for i, (name, _) in enumerate(captured.variables)}
        first = 1 + len(captured.variables)
        self.buffers = {name: first + i for i, name in enumerate(captured.buffers)}

    def _field(self, f: ExprFunction, index: int, type_: str) -> str:
        place = f.entry(f"getelementptr {self.layout}, ptr %closure, i32 0, i32 {index}")
        return f.entry(f"load {type_}, ptr {place}")

    def variable(self, f: ExprFunction, node: Variable) -> str | None:
        """Returns the value of a variable: a field of the closure, or an argument of the pipeline."""
        index = self.fields.get(node.name)
        if index is None:
            return self.arguments.variable(f, node)
        return self._field(f, index, value_type(node.type))

    def has_wide(self, name: str) -> bool:
        """Returns whether the slot of a variable holds it in 64 bits."""
        return name not in self.fields and self.arguments.has_wide(name)

    def is_argument(self, name: str) -> bool:
        """Returns whether a name is an argument of the pipeline, or a size of one."""
        return self.arguments.is_argument(name)

    def buffer(self, f: ExprFunction, name: str) -> str | None:
        """Returns the address of a buffer: a field of the closure, or an argument of the pipeline."""
        index = self.buffers.get(name)
        return self.arguments.buffer(f, name) if index is None else self._field(f, index, "ptr")
