"""Expressions in C99: scalars as C expressions, vectors lane by lane in loops.

The lanes of most vector operations do not depend on each other: such an expression is written once, in terms of the
number of the lane. Shuffles and reductions need whole vectors, which are small arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pipec.errors import NotSupportedError
from pipec.ir import expr as e
from pipec.ir.build import as_expr
from pipec.ir.build import constant as constant_value
from pipec.ir.node import Node
from pipec.ir.tensor import expanded
from pipec.ir.types import Type, TypeCode
from pipec.ir.walk import postorder
from pipec.jit.c.helpers import Helpers
from pipec.jit.c.types import constant, small_float, value_type

# How tightly operators bind in C.
TERNARY, OR, AND, EQUAL, ORDER, SUM, PRODUCT, UNARY, ATOM = range(9)
Text = tuple[str, int]
LANE = "i"
_COMPARISONS = {e.EQ: EQUAL, e.NE: EQUAL, e.LT: ORDER, e.LE: ORDER, e.GT: ORDER, e.GE: ORDER}
_ARITHMETIC = {e.Add: ("add", SUM), e.Sub: ("sub", SUM), e.Mul: ("mul", PRODUCT)}


class Frame:
    """The place of an expression: a loop over lanes, or straight-line code (`lanes` 1)."""

    def __init__(self, lanes: int, outer: Frame | None = None) -> None:
        self.lanes = lanes
        self.outer = outer
        self.lines: list[str] = []
        self.names: dict[tuple[Node, bool], str] = {}


class Expressions:
    """The expressions of one statement. What is needed before it is left in `frame.lines`.

    `intrinsics`: how the dialect writes each intrinsic.
    """

    def __init__(
        self,
        helpers: Helpers,
        intrinsics: Mapping[str, Callable[..., Text]],
        name_of: Callable[[str], str],
        fresh: Callable[[str], str],
    ) -> None:
        self.helpers, self.intrinsics, self.name_of, self.fresh = helpers, intrinsics, name_of, fresh
        self.frame = Frame(1)
        # Vectors that were written as a whole; the operands of shuffles, side by side; results of reductions.
        self.arrays: dict[e.Expr, str] = {}
        self.parts: dict[e.Expr, str] = {}
        self.tables: dict[tuple[int, ...], str] = {}
        self.uses: dict[Node, int] = {}

    def count(self, roots: Iterable[e.Expr]) -> None:
        """Counts the uses of each part of these expressions."""
        roots = list(roots)
        for used in (*roots, *[child for node in postorder(*roots) for child in node.children()]):
            self.uses[used] = self.uses.get(used, 0) + 1

    def scalar(self, node: e.Expr, index: bool = False, least: int = TERNARY) -> str:
        """The C text of a scalar. `index`: integers do not overflow."""
        return self.text(node, self.frame, index, least)

    def lane_loop(self, lanes: int, write: Callable[[Frame], list[str]]) -> list[str]:
        """A loop over lanes whose body is what `write` gives; named parts precede it."""
        frame = Frame(lanes, self.frame)
        last = write(frame)
        head = f"for (int {LANE} = 0; {LANE} < {lanes}; {LANE}++)"
        body = [*frame.lines, *last]
        if len(body) == 1:
            return [f"{head} {body[0]}"]
        return [f"{head} {{", *[f"    {line}" for line in body], "}"]

    def array(self, node: e.Expr, index: bool = False) -> str:
        """The name of an array that holds all lanes of a vector."""
        name = self.arrays.get(node)
        if name is None:
            if isinstance(node, e.Variable):
                return self.name_of(node.name)
            name = self.fresh("v")
            lines = self.frame.lines
            lines.append(f"{value_type(node.type)} {name}[{node.type.nlanes}];")
            lines += self.lane_loop(
                node.type.nlanes, lambda frame: [f"{name}[{LANE}] = {self.text(node, frame, index)};"]
            )
            self.arrays[node] = name
        return name

    def text(self, node: e.Expr, frame: Frame, index: bool, least: int = TERNARY) -> str:
        """The text of a node, in parentheses when it binds less tightly than `least`."""
        if node.type.nlanes == 1:
            frame = frame.outer or frame
        elif node in self.arrays:
            return f"{self.arrays[node]}[{LANE}]"
        name = frame.names.get((node, index))
        if name is not None:
            return name
        written, precedence = self.written(node, frame, index)
        if self.uses.get(node, 0) > 1 and _worth_a_name(node):
            name = frame.names[node, index] = self.fresh("t")
            frame.lines.append(f"const {value_type(node.type)} {name} = {written};")
            return name
        return f"({written})" if precedence < least else written

    def written(self, node: e.Expr, frame: Frame, index: bool) -> Text:
        """The text of a node, and how tightly it binds."""
        writer = _WRITERS.get(type(node))
        if writer is None:
            raise NotSupportedError(f"Error: compile_to_c cannot write {type(node).__name__}: {node}")
        return writer(self, node, frame, index)

    def operands(self, nodes: Iterable[e.Expr], frame: Frame, index: bool) -> str:
        """Returns several expressions, separated by commas."""
        return ", ".join([self.text(node, frame, index) for node in nodes])

    def rounded(self, kind: Type, text: str, precedence: int) -> Text:
        """A value as its type holds it, where it was computed as a float."""
        return (f"{self.helpers.convert('round', kind)}({text})", ATOM) if small_float(kind) else (text, precedence)


def _worth_a_name(node: e.Expr) -> bool:
    if isinstance(node, e.Const | e.Variable | e.Broadcast | e.Shuffle):
        return False
    if isinstance(node, e.Ramp | e.Cast):
        return not all(isinstance(child, e.Const | e.Variable) for child in node.children())
    return True


def _const(x: Expressions, node: e.Const, frame: Frame, index: bool) -> Text:
    text = constant(node.type, node.value)
    return text, UNARY if text.startswith("-") else ATOM


def _variable(x: Expressions, node: e.Variable, frame: Frame, index: bool) -> Text:
    name = x.name_of(node.name)
    return (name if node.type.nlanes == 1 else f"{name}[{LANE}]"), ATOM


def _arithmetic(x: Expressions, node: Any, frame: Frame, index: bool) -> Text:
    kind = node.type
    name, precedence = _ARITHMETIC[type(node)]
    if kind.boolean:
        a, b = [x.text(part, frame, index, ORDER) for part in (node.a, node.b)]
        return (f"{a} && {b}", AND) if name == "mul" else (f"{a} != {b}", EQUAL)
    if kind.integral and kind.signed and kind.nbits >= 32 and not index:
        return f"{x.helpers.use(name, kind)}({x.operands((node.a, node.b), frame, index)})", ATOM
    right = precedence if name == "add" and kind.integral else precedence + 1
    a, b = x.text(node.a, frame, index, precedence), x.text(node.b, frame, index, right)
    if b.startswith("-"):
        b = f"({b})"
    if kind.integral and kind.nbits < 32:
        # The operands become int; their product might not fit in one.
        wide = "(uint32_t)" if name == "mul" and not kind.signed and kind.nbits == 16 else ""
        if wide:
            a = x.text(node.a, frame, index, UNARY)
        return f"({value_type(kind)})({wide}{a} {node.SYMBOL} {b})", UNARY
    return x.rounded(kind, f"{a} {node.SYMBOL} {b}", precedence)


def _div(x: Expressions, node: Any, frame: Frame, index: bool) -> Text:
    kind = node.type
    if kind.boolean:
        return _logical(x, e.And(node.a, node.b), frame, index)
    divisor = node.b.value if isinstance(node.b, e.Broadcast) else node.b
    plain = not kind.signed and isinstance(divisor, e.Const) and divisor.value != 0
    bits = _power_of_two(kind, divisor)
    if bits is not None:
        return x.written(e.Intrinsic(kind, "shift_right", (node.a, as_expr(bits, kind))), frame, index)
    if kind.integral and not plain:
        return f"{x.helpers.use('div', kind)}({x.operands((node.a, node.b), frame, index)})", ATOM
    a, b = x.text(node.a, frame, index, PRODUCT), x.text(node.b, frame, index, UNARY)
    return x.rounded(kind, f"{a} / {b}", PRODUCT)


def _power_of_two(kind: Type, divisor: e.Expr) -> int | None:
    """The number of bits by which signed quotients by a constant are shifted; None for other divisors."""
    if not (kind.integral and kind.signed and isinstance(divisor, e.Const)) or divisor.value <= 0:
        return None
    number = int(divisor.value)
    return number.bit_length() - 1 if number & (number - 1) == 0 else None


def _mod(x: Expressions, node: Any, frame: Frame, index: bool) -> Text:
    kind = node.type
    if kind.boolean:
        return "false", ATOM
    bits = _power_of_two(kind, node.b.value if isinstance(node.b, e.Broadcast) else node.b)
    if bits is not None:
        return x.written(e.Intrinsic(kind, "bitwise_and", (node.a, as_expr((1 << bits) - 1, kind))), frame, index)
    if kind.integral:
        return f"{x.helpers.use('mod', kind)}({x.operands((node.a, node.b), frame, index)})", ATOM
    a, b = x.text(node.a, frame, index, UNARY), x.text(node.b, frame, index, UNARY)
    product = f"{b} * {x.helpers.function('floor', kind)}({x.rounded(kind, f'{a} / {b}', PRODUCT)[0]})"
    return x.rounded(kind, f"{a} - {x.rounded(kind, product, PRODUCT)[0]}", SUM)


def _extreme(x: Expressions, node: Any, frame: Frame, index: bool) -> Text:
    if node.type.boolean:
        return _logical(x, (e.And if isinstance(node, e.Min) else e.Or)(node.a, node.b), frame, index)
    name = "min" if isinstance(node, e.Min) else "max"
    # The second is what NaN gives.
    first = node.a.value if isinstance(node.a, e.Broadcast) else node.a
    parts = (node.b, node.a) if isinstance(first, e.Const) else (node.a, node.b)
    return f"{x.helpers.use(name, node.type)}({x.operands(parts, frame, index)})", ATOM


def _compare(x: Expressions, node: Any, frame: Frame, index: bool) -> Text:
    precedence = _COMPARISONS[type(node)]
    if node.a.type.integral and not node.a.type.signed:
        # Compilers warn of comparisons that are always true or false.
        zeros = [constant_value(part) == 0 for part in (node.a, node.b)]
        if isinstance(node, e.LT) and zeros[1] or isinstance(node, e.GT) and zeros[0]:
            return "false", ATOM
        if isinstance(node, e.GE) and zeros[1] or isinstance(node, e.LE) and zeros[0]:
            return "true", ATOM
    a, b = [x.text(part, frame, index, SUM) for part in (node.a, node.b)]
    return f"{a} {node.SYMBOL} {b}", precedence


def _logical(x: Expressions, node: Any, frame: Frame, index: bool) -> Text:
    precedence, other = (AND, EQUAL) if isinstance(node, e.And) else (OR, EQUAL)
    # C does not need parentheses for && within ||, but readers do.
    parts = []
    for part in (node.a, node.b):
        same = type(part) is type(node)
        parts.append(x.text(part, frame, index, precedence if same else other))
    return f"{parts[0]} {node.SYMBOL} {parts[1]}", precedence


def _not(x: Expressions, node: e.Not, frame: Frame, index: bool) -> Text:
    return f"!{x.text(node.value, frame, index, UNARY)}", UNARY


def _select(x: Expressions, node: e.Select, frame: Frame, index: bool) -> Text:
    condition = x.text(node.condition, frame, index, OR)
    true, false = x.text(node.true_value, frame, index, OR), x.text(node.false_value, frame, index)
    return f"{condition} ? {true} : {false}", TERNARY


def _cast(x: Expressions, node: e.Cast, frame: Frame, index: bool) -> Text:
    return convert(x, node.value.type, node.type, x.text(node.value, frame, index, UNARY))


def convert(x: Expressions, source: Type, target: Type, text: str) -> Text:
    """A conversion of a value whose text binds tightly."""
    if target.boolean:
        whole = text if source.integral else f"(int64_t){text}"
        return (text, UNARY) if source.boolean else (f"({whole} & 1) != 0", EQUAL)
    if target.floating:
        return x.rounded(target, f"({value_type(target)}){text}", UNARY)
    if source.floating and target.nbits < 64:
        # Out of range it wraps.
        return f"({value_type(target)})(int64_t){text}", UNARY
    return f"({value_type(target)}){text}", UNARY


def _reinterpret(x: Expressions, node: e.Reinterpret, frame: Frame, index: bool) -> Text:
    source, target = node.value.type.element_of(), node.type.element_of()
    text = x.text(node.value, frame, index)
    if small_float(source):
        text, source = f"{x.helpers.convert('store', source)}({text})", source.with_code(TypeCode.UInt)
    stored = target.with_code(TypeCode.UInt) if small_float(target) else target
    if stored is not source:
        text = f"{x.helpers.reinterpret(source, stored)}({text})"
    return (f"{x.helpers.convert('load', target)}({text})" if small_float(target) else text), ATOM


def _ramp(x: Expressions, node: e.Ramp, frame: Frame, index: bool) -> Text:
    kind = node.base.type
    base = x.text(node.base, frame, index, SUM)
    step = node.stride.value if isinstance(node.stride, e.Const) else None
    if step == 1:
        offset = LANE
    elif step is not None:
        offset = f"{constant(kind, step)} * {LANE}"
    else:
        offset = f"{x.text(node.stride, frame, index, UNARY)} * {LANE}"
    if kind.integral and kind.nbits < 32:
        return f"({value_type(kind)})({base} + {offset})", UNARY
    return x.rounded(kind, f"{base} + {offset}", SUM)


def _broadcast(x: Expressions, node: e.Broadcast, frame: Frame, index: bool) -> Text:
    return x.text(node.value, frame, index, ATOM), ATOM


def _load(x: Expressions, node: e.Load, frame: Frame, index: bool) -> Text:
    kind = node.type
    text = f"{x.name_of(node.buffer)}[{x.text(node.index, frame, True)}]"
    if small_float(kind):
        text = f"{x.helpers.convert('load', kind)}({text})"
    value = (f"{text} != 0", EQUAL) if kind.boolean else (text, ATOM)
    if is_true(node.predicate):
        return value
    return f"{x.text(node.predicate, frame, False, OR)} ? {value[0]} : {constant(kind, 0)}", TERNARY


def is_true(predicate: e.Expr) -> bool:
    """Whether a predicate holds in every lane."""
    return (predicate.value if isinstance(predicate, e.Broadcast) else predicate) is e.TRUE


def _shuffle(x: Expressions, node: e.Shuffle, frame: Frame, index: bool) -> Text:
    lanes = sum([vector.type.nlanes for vector in node.vectors])
    if len(node.vectors) == 1 and lanes > 1:
        name = x.array(node.vectors[0], index)
    else:
        name = x.parts.get(node) or _concatenation(x, node, lanes, index)
    if len(node.indices) == 1:
        return f"{name}[{node.indices[0]}]", ATOM
    first, step = node.indices[0], node.indices[1] - node.indices[0]
    if all(i == first + step * lane for lane, i in enumerate(node.indices)):
        scaled = LANE if step == 1 else f"{step} * {LANE}"
        return f"{name}[{f'{first} + ' if first else ''}{scaled}]" if step else f"{name}[{first}]", ATOM
    table = x.tables.get(node.indices)
    if table is None:
        table = x.tables[node.indices] = x.fresh("lanes")
        x.frame.lines.append(f"{x.helpers.TABLE} {table}[] = {{{', '.join(map(str, node.indices))}}};")
    return f"{name}[{table}[{LANE}]]", ATOM


def _concatenation(x: Expressions, node: e.Shuffle, lanes: int, index: bool) -> str:
    """An array of the lanes of all operands, one after the other."""
    name = x.parts[node] = x.fresh("v")
    parts: list[str] = []
    at = 0
    for vector in node.vectors:
        count = vector.type.nlanes
        if count == 1:
            parts.append(f"{name}[{at}] = {x.text(vector, x.frame, index)};")
        else:
            part, place = vector, f"{name}[{f'{at} + ' if at else ''}{LANE}]"

            def write(frame: Frame, part: e.Expr = part, place: str = place) -> list[str]:
                return [f"{place} = {x.text(part, frame, index)};"]

            parts += x.lane_loop(count, write)
        at += count
    x.frame.lines += [f"{value_type(node.type)} {name}[{lanes}];", *parts]
    return name


def _reduce(x: Expressions, node: e.VectorReduce, frame: Frame, index: bool) -> Text:
    name = x.parts.get(node)
    if name is None:
        values, factor = x.array(node.value, index), node.value.type.nlanes // node.lanes
        name = x.parts[node] = x.fresh("sum" if node.operator == "add" else "r")
        kind, element = value_type(node.type), node.type.element_of()
        # The operation on two variables, so that it is written as everywhere else.
        plain = Expressions(x.helpers, x.intrinsics, lambda text: text, x.fresh)
        operation = e.REDUCTIONS[node.operator](e.Variable(element, "@a"), e.Variable(element, "@b"))
        combine = plain.text(operation, plain.frame, index)
        combine = combine.replace("@a", f"{name}[k]").replace("@b", f"{values}[k * {factor} + {LANE}]")
        x.frame.lines += [
            f"{kind} {name}[{node.lanes}];",
            f"for (int k = 0; k < {node.lanes}; k++) {{",
            f"    {name}[k] = {values}[k * {factor}];",
            f"    for (int {LANE} = 1; {LANE} < {factor}; {LANE}++) {name}[k] = {combine};",
            "}",
        ]
    return (f"{name}[0]" if node.lanes == 1 else f"{name}[{LANE}]"), ATOM


def float_function(x: Expressions, kind: Type, name: str, operands: str) -> Text:
    """A function of math.h."""
    return x.rounded(kind, f"{x.helpers.function(name, kind)}({operands})", ATOM)


def _intrinsic(x: Expressions, node: e.Intrinsic, frame: Frame, index: bool) -> Text:
    return x.intrinsics[node.name](x, node, frame, index)


_WRITERS: dict[type, Callable[..., Text]] = {
    e.Const: _const,
    e.Variable: _variable,
    **{kind: _arithmetic for kind in _ARITHMETIC},
    e.Div: _div,
    e.Mod: _mod,
    e.Min: _extreme,
    e.Max: _extreme,
    **{kind: _compare for kind in _COMPARISONS},
    e.And: _logical,
    e.Or: _logical,
    e.Not: _not,
    e.Select: _select,
    e.Cast: _cast,
    e.Reinterpret: _reinterpret,
    e.Ramp: _ramp,
    e.Broadcast: _broadcast,
    e.Load: _load,
    e.Shuffle: _shuffle,
    e.VectorReduce: _reduce,
    # C has no functions of vectors: the pattern's arithmetic.
    e.TensorCall: lambda x, node, frame, index: x.written(expanded(node), frame, index),
    e.Intrinsic: _intrinsic,
}
