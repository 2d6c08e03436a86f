"""Readable text of expressions, statements and programs; statements also as an HTML page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from pipec.ir import expr as e
from pipec.ir import stmt as s
from pipec.ir.build import constant
from pipec.ir.node import Node
from pipec.ir.program import Program, ProgramArgumentKind
from pipec.ir.types import INT32
from pipec.ir.walk import postorder

INDENT = "  "
# An expression of more nodes than this, counted with repetitions, names its shared parts first.
TREE_LIMIT = 60
# Parts of fewer nodes than this are repeated rather than named.
SHARED_LIMIT = 4

_OR, _AND, _COMPARE, _SUM, _PRODUCT, _UNARY, _ATOM = range(1, 8)
_PRECEDENCE: dict[type, int] = {
    e.Or: _OR,
    e.And: _AND,
    e.EQ: _COMPARE,
    e.NE: _COMPARE,
    e.LT: _COMPARE,
    e.LE: _COMPARE,
    e.GT: _COMPARE,
    e.GE: _COMPARE,
    e.Add: _SUM,
    e.Sub: _SUM,
    e.Mul: _PRODUCT,
    e.Div: _PRODUCT,
    e.Mod: _PRODUCT,
}
# Operators that need no parentheses around a right operand with the same operator; for sums of floats the order counts.
_ASSOCIATIVE = (e.And, e.Or)

# A part of the text: a string, or a node with the lowest precedence that needs no parentheses around it.
_Piece = str | tuple[e.Expr, int]


def to_text(node: Node | Program) -> str:
    """The node as text: infix expressions, one line a statement, nested by indentation."""
    if isinstance(node, Program):
        return _program_text(node)
    printer = _Printer()
    if isinstance(node, e.Expr):
        lines, text = printer.expression(node)
        return "\n".join([*lines, text])
    assert isinstance(node, s.Stmt), type(node)
    return "\n".join([INDENT * depth + line for depth, line, _ in printer.statement(node)])


def statement_lines(root: s.Stmt) -> Iterator[tuple[int, str, s.Stmt | None]]:
    """The lines of a statement's text: depth, text, and the statement that the line begins, if any."""
    return _Printer().statement(root)


class _Printer:
    """Holds the number of the next shared part, so that names are used once in a text."""

    def __init__(self) -> None:
        self.next_shared = 0

    def expression(self, root: e.Expr) -> tuple[list[str], str]:
        """Lines that define the shared parts, and the text of the expression in terms of them."""
        lines, (text,) = self.expressions((root,))
        return lines, text

    def expressions(self, roots: tuple[e.Expr, ...]) -> tuple[list[str], list[str]]:
        """The same for several expressions that may share parts."""
        names: dict[e.Expr, str] = {}
        lines: list[str] = []
        for node in _shared_parts(roots):
            lines.append(f"t{self.next_shared} = {_render(node, names)}")
            names[node] = f"t{self.next_shared}"
            self.next_shared += 1
        return lines, [names.get(root) or _render(root, names) for root in roots]

    def statement(self, root: s.Stmt) -> Iterator[tuple[int, str, s.Stmt | None]]:
        """The lines of a statement, as in statement_lines."""
        work: list[tuple[int, s.Stmt | str]] = [(0, root)]
        while work:
            depth, item = work.pop()
            if isinstance(item, str):
                yield depth, item, None
                continue
            before, heading, body = _statement_parts(self, item)
            for line in before:
                yield depth, line, None
            for line in heading:
                yield depth, line, item
            # The scope of a let extends to the end of the enclosing block: its body is not indented.
            shift = 0 if isinstance(item, (s.LetStmt, s.Block, s.Report)) else 1
            for part in reversed(body):
                work.append((depth if isinstance(part, str) else depth + shift, part))


def _shared_parts(roots: tuple[e.Expr, ...]) -> list[e.Expr]:
    """The parts to be named, children before parents; none where the text is short without names."""
    size: dict[Node, int] = {}
    uses: dict[Node, int] = {}
    order = list(postorder(*roots))
    for root in roots:
        uses[root] = uses.get(root, 0) + 1
    for node in order:
        children = node.children()
        size[node] = min(1 + sum([size[child] for child in children]), 1 << 60)
        for child in children:
            uses[child] = uses.get(child, 0) + 1
    if sum([size[root] for root in roots]) <= TREE_LIMIT:
        return []
    return [n for n in order if uses[n] > 1 and size[n] >= SHARED_LIMIT and isinstance(n, e.Expr)]


def _render(root: e.Expr, names: dict[e.Expr, str]) -> str:
    """The text of `root`, with `names` in place of parts (but not of `root` itself)."""
    out: list[str] = []
    stack: list[_Piece] = list(reversed(_pieces(root)))
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
            continue
        node, minimum = piece
        if node in names:
            out.append(names[node])
            continue
        parts = _pieces(node)
        if _precedence(node) < minimum:
            parts = ["(", *parts, ")"]
        stack.extend(reversed(parts))
    return "".join(out)


def _precedence(node: e.Expr) -> int:
    if isinstance(node, e.Not):
        return _UNARY
    if isinstance(node, e.Const) and node.type is INT32 and node.value < 0:
        return _UNARY
    return _PRECEDENCE.get(type(node), _ATOM)


def _pieces(node: e.Expr) -> list[_Piece]:
    """The parts of an expression's text, left to right."""
    precedence = _PRECEDENCE.get(type(node))
    if precedence is not None:
        assert isinstance(node, e.Binary)
        left = precedence + 1 if precedence == _COMPARE else precedence
        right = precedence if isinstance(node, _ASSOCIATIVE) else precedence + 1
        return [(node.a, left), f" {node.SYMBOL} ", (node.b, right)]
    return _PIECES[type(node)](node)


def _call(name: str, *args: e.Expr | str) -> list[_Piece]:
    pieces: list[_Piece] = [f"{name}("]
    for position, arg in enumerate(args):
        if position:
            pieces.append(", ")
        pieces.append(arg if isinstance(arg, str) else (arg, 0))
    return [*pieces, ")"]


def _const_text(node: e.Const) -> str:
    kind = node.type
    if kind.boolean:
        return "true" if node.value else "false"
    if kind is INT32:
        return str(node.value)
    if kind.floating:
        return f"{node.value!r}f" if kind.nbits == 32 else f"{kind}({node.value!r})"
    return f"{kind}({node.value})"


def _func_call(node: e.FuncCall) -> list[_Piece]:
    pieces = _call(node.name, *node.args)
    return [*pieces, f"[{node.value_index}]"] if node.value_index else pieces


def _load(node: e.Load) -> list[_Piece]:
    pieces: list[_Piece] = [f"{node.buffer}[", (node.index, 0), "]"]
    if not _is_true(node.predicate):
        # Brackets delimit the condition.
        pieces = ["{", *pieces, " if ", (node.predicate, 0), "}"]
    return pieces


def _effect(node: e.Effect) -> list[_Piece]:
    parts = [repr(part) if isinstance(part, str) else part for part in node.parts]
    condition = [] if node.condition is e.TRUE else [node.condition]
    return _call(node.kind if node.kind == "require" or not condition else f"{node.kind}_when", *condition, *parts)


def _view(node: e.BufferView) -> list[_Piece]:
    pieces: list[_Piece] = [f"view {node.name or 'nothing'}["]
    for position, (minimum, extent) in enumerate(node.box):
        pieces += [", " if position else "", (minimum, 0), " for ", (extent, 0)]
    return [*pieces, "]"]


def _is_true(predicate: e.Expr) -> bool:
    if isinstance(predicate, e.Broadcast):
        predicate = predicate.value
    return predicate is e.TRUE


_PIECES: dict[type, Callable[[Any], list[_Piece]]] = {
    e.Const: lambda n: [_const_text(n)],
    e.Variable: lambda n: [n.name],
    e.ReductionVariable: lambda n: [n.name],
    e.ParameterRef: lambda n: [n.name],
    e.Cast: lambda n: _call(str(n.type), n.value),
    e.Reinterpret: lambda n: _call("reinterpret", str(n.type), n.value),
    e.Min: lambda n: _call("min", n.a, n.b),
    e.Max: lambda n: _call("max", n.a, n.b),
    e.Not: lambda n: ["!", (n.value, _UNARY)],
    e.Select: lambda n: _call("select", n.condition, n.true_value, n.false_value),
    e.Ramp: lambda n: _call("ramp", n.base, n.stride, str(n.lanes)),
    e.Broadcast: lambda n: _call(f"x{n.lanes}", n.value),
    e.Shuffle: lambda n: _call("shuffle", *n.vectors, f"[{', '.join(map(str, n.indices))}]"),
    e.VectorReduce: lambda n: _call(f"reduce_{n.operator}", n.value, str(n.lanes)),
    e.TensorCall: lambda n: _call(n.name, *n.operands),
    e.FuncCall: _func_call,
    e.ImageCall: lambda n: _call(n.name, *n.args),
    e.Load: _load,
    e.Undef: lambda n: ["undef()"],
    e.ExternValue: lambda n: ["undef()"],
    e.BufferView: _view,
    e.Intrinsic: lambda n: _call(n.name, *n.args),
    e.Effect: _effect,
}

# Lines of shared parts, the statement's own lines, then its body: statements one level deeper and lines at its own.
_Parts = tuple[list[str], list[str], list[s.Stmt | str]]


def _statement_parts(printer: _Printer, node: s.Stmt) -> _Parts:
    return _STATEMENTS[type(node)](printer, node)


def _let(printer: _Printer, node: s.LetStmt) -> _Parts:
    lines, text = printer.expression(node.value)
    return lines, [f"let {node.name} = {text}"], [node.body]


def _for(printer: _Printer, node: s.For) -> _Parts:
    lines, (minimum, extent) = printer.expressions((node.minimum, node.extent))
    policy = "" if node.partition is s.Partition.Auto else f", partition {node.partition.name}"
    return lines, [f"{node.kind.value} {node.name} from {minimum} for {extent}{policy}:"], [node.body]


def _provide(printer: _Printer, node: s.Provide) -> _Parts:
    lines, texts = printer.expressions((*node.args, *node.values))
    args, values = texts[: len(node.args)], texts[len(node.args) :]
    right = values[0] if len(values) == 1 else f"{{{', '.join(values)}}}"
    return lines, [f"{node.name}({', '.join(args)}) = {right}"], []


def _call_extern(printer: _Printer, node: s.CallExtern) -> _Parts:
    lines, texts = printer.expressions(node.operands)
    return lines, [f"{f'{node.results}[] = query ' if node.results else ''}{node.symbol}({', '.join(texts)})"], []


def _store(printer: _Printer, node: s.Store) -> _Parts:
    lines, (index, value, predicate) = printer.expressions((node.index, node.value, node.predicate))
    condition = "" if _is_true(node.predicate) else f" if {predicate}"
    return lines, [f"{node.buffer}[{index}] = {value}{condition}"], []


def _realize(printer: _Printer, node: s.Realize) -> _Parts:
    flat = tuple([part for bound in node.bounds for part in bound])
    folds = tuple([fold for fold in node.folds if fold is not None])
    lines, texts = printer.expressions((*flat, *folds, node.start))
    box = ", ".join([f"{texts[2 * i]} for {texts[2 * i + 1]}" for i in range(len(node.bounds))])
    factors = iter(texts[len(flat) :])
    folded = [f" fold {d} by {next(factors)}" for d, fold in enumerate(node.folds) if fold is not None]
    kinds = ", ".join(map(str, node.types))
    start = "" if constant(node.start) == 0 else f" from {texts[-1]}"
    heading = f"realize {node.name}[{box}]: {kinds} in {node.memory.value}{''.join(folded)}{start}:"
    return lines, [heading], [node.body]


def _allocate(printer: _Printer, node: s.Allocate) -> _Parts:
    lines, size = printer.expression(node.size)
    return lines, [f"allocate {node.name}[{size}]: {node.type} in {node.memory.value}:"], [node.body]


def _if(printer: _Printer, node: s.IfThenElse) -> _Parts:
    lines, condition = printer.expression(node.condition)
    body: list[s.Stmt | str] = [node.then]
    if node.otherwise is not None:
        body += ["else:", node.otherwise]
    return lines, [f"if {condition}:"], body


def _assert(printer: _Printer, node: s.Assert) -> _Parts:
    lines, (condition, *values) = printer.expressions((node.condition, *node.values))
    shown = f" ({', '.join(values)})" if values else ""
    return lines, [f"assert {condition} else error {node.code}{shown}"], []


def _report(printer: _Printer, node: s.Report) -> _Parts:
    lines, (predicate, *values) = printer.expressions((node.predicate, *node.values))
    name = f"let {node.name} = " if node.name else ""
    condition = "" if _is_true(node.predicate) else f" if {predicate}"
    body: list[s.Stmt | str] = [node.body] if node.name else []
    return lines, [f"{name}report {node.code} ({', '.join(values)}){condition}"], body


def _fork(printer: _Printer, node: s.Fork) -> _Parts:
    lines, counts = printer.expressions(node.counts)
    return lines, [f"fork {node.name}({', '.join(counts)}):"], [node.first, "beside:", node.second]


def _evaluate(printer: _Printer, node: s.Evaluate) -> _Parts:
    lines, text = printer.expression(node.value)
    return lines, [f"evaluate {text}"], []


def _prefetch(printer: _Printer, node: s.PrefetchLoad) -> _Parts:
    lines, text = printer.expression(node.read)
    return lines, [f"prefetch {text}"], []


_STATEMENTS: dict[type, Callable[[_Printer, Any], _Parts]] = {
    s.LetStmt: _let,
    s.CallExtern: _call_extern,
    s.For: _for,
    s.Provide: _provide,
    s.Store: _store,
    s.AtomicUpdate: lambda p, n: ([], ["atomic:"], [n.body]),
    s.Realize: _realize,
    s.Allocate: _allocate,
    s.ProducerConsumer: lambda p, n: ([], [f"{'produce' if n.is_producer else 'consume'} {n.name}:"], [n.body]),
    s.Block: lambda p, n: ([], [], list(n.stmts)),
    s.IfThenElse: _if,
    s.Assert: _assert,
    s.Report: _report,
    s.PrefetchLoad: _prefetch,
    s.Fork: _fork,
    s.Wait: lambda p, n: ([], [" and read ".join([f"wait for {n.name}.{n.index}", *n.buffers])], []),
    s.Post: lambda p, n: ([], [f"post {n.name}.{n.index}"], []),
    s.Evaluate: _evaluate,
}


def _program_text(program: Program) -> str:
    arguments = []
    for argument in program.arguments:
        shape = "" if argument.kind is ProgramArgumentKind.SCALAR else f"[{argument.dimensions}]"
        arguments.append(f"{argument.kind.value} {argument.name}: {argument.type}{shape}")
    lines = [f"program {program.name}({', '.join(arguments)}):"]
    lines += [INDENT * (depth + 1) + line for depth, line, _ in _Printer().statement(program.body)]
    for code, check in enumerate(program.checks):
        details = ", ".join([f"{key}={value}" for key, value in check.details])
        lines.append(f"error {code}: {check.kind}({details}) {' '.join(check.values)}".rstrip())
    for code, notice in enumerate(program.notices):
        parts = [repr(part) if isinstance(part, str) else str(part) for part in notice.parts]
        lines.append(f"report {code}: {notice.kind}({', '.join(parts)})")
    return "\n".join(lines)


_STYLE = """\
body { font: 14px/1.4 monospace; margin: 1em; color: #222; background: #fff }
details { border-left: 1px solid #ccc; margin-left: .3em; padding-left: 1.2em }
summary { margin-left: -1.2em; cursor: pointer }
summary:hover { background: #eef }
p { margin: 0 0 0 0; white-space: pre-wrap; padding-left: 2em; text-indent: -2em }
.loop { color: #05a } .parallel { color: #a30 } .memory { color: #060 } .check { color: #999 }
"""
_CLASSES: dict[type, str] = {s.For: "loop", s.Allocate: "memory", s.Realize: "memory", s.Assert: "check"}


def statement_page(root: s.Stmt, title: str) -> str:
    """A statement as one static HTML page: loops, allocations and branches are `details` elements, initially open."""
    out = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><style>',
        _STYLE + "</style></head><body>",
        f"<h1>{escape(title)}</h1>",
    ]
    # The depths of the open `details` elements.
    depths: list[int] = []
    lines = list(statement_lines(root))
    for number, (depth, text, node) in enumerate(lines):
        while depths and depths[-1] >= depth:
            out.append("</details>")
            depths.pop()
        following = lines[number + 1][0] if number + 1 < len(lines) else -1
        kind = _class_of(node)
        if following > depth:
            out.append(f"<details open><summary{kind}>{escape(text)}</summary>")
            depths.append(depth)
        else:
            out.append(f"<p{kind}>{escape(text)}</p>")
    out += ["</details>"] * len(depths)
    return "\n".join([*out, "</body></html>", ""])


def _class_of(node: s.Stmt | None) -> str:
    if isinstance(node, s.For) and node.kind is s.LoopKind.PARALLEL:
        return ' class="parallel"'
    return f' class="{_CLASSES[type(node)]}"' if type(node) in _CLASSES else ""


Node.to_text = to_text
