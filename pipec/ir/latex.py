"""Expressions as LaTeX, for notebooks."""

from __future__ import annotations

import re

from pipec.ir import expr as e
from pipec.ir.printer import to_text
from pipec.ir.strict_floats import without_strictness

_SUM, _PRODUCT, _ATOM = 1, 2, 3
_COMPARISONS = {
    e.EQ: "=",
    e.NE: r"\ne",
    e.LT: "<",
    e.LE: r"\le",
    e.GT: ">",
    e.GE: r"\ge",
    e.And: r"\land",
    e.Or: r"\lor",
}
# Functions that LaTeX has a command for.
_COMMANDS = frozenset("exp log sin cos tan sinh cosh tanh min max".split())


def to_latex(node: e.Expr) -> str:
    """Returns the expression as LaTeX. Casts are written as subscripts of the value's parentheses."""
    return _latex(node)[0]


def name_to_latex(name: str) -> str:
    """Returns a name as LaTeX: one letter in italics, longer names upright; the number after `$` is left out."""
    name = name.partition("$")[0]
    escaped = re.sub(r"([_&%#{}])", r"\\\1", name)
    return escaped if len(name) == 1 else rf"\mathrm{{{escaped}}}"


def _latex(node: e.Expr) -> tuple[str, int]:
    """The text, and the precedence of its outermost operator."""
    node = without_strictness(node) or node
    match node:
        case e.Const():
            return _number(node)
        case e.Add():
            return f"{_in(node.a, _SUM)} + {_in(node.b, _SUM)}", _SUM
        case e.Sub():
            return f"{_in(node.a, _SUM)} - {_in(node.b, _PRODUCT)}", _SUM
        case e.Mul():
            return rf"{_in(node.a, _PRODUCT)} \cdot {_in(node.b, _PRODUCT)}", _PRODUCT
        case e.Div():
            quotient = rf"\frac{{{to_latex(node.a)}}}{{{to_latex(node.b)}}}"
            return (quotient if node.type.floating else rf"\left\lfloor {quotient} \right\rfloor"), _ATOM
        case e.Mod():
            return rf"{_in(node.a, _PRODUCT)} \bmod {_in(node.b, _ATOM)}", _PRODUCT
        case e.Min() | e.Max():
            return rf"\{type(node).__name__.lower()}\left({to_latex(node.a)}, {to_latex(node.b)}\right)", _ATOM
        case e.Compare() | e.And() | e.Or():
            return f"{_in(node.a, _SUM)} {_COMPARISONS[type(node)]} {_in(node.b, _SUM)}", 0
        case e.Select():
            cases = rf"{to_latex(node.true_value)} & {to_latex(node.condition)} \\ {to_latex(node.false_value)}"
            return rf"\begin{{cases}} {cases} & \text{{otherwise}} \end{{cases}}", _ATOM
        case e.Cast():
            return rf"\left({to_latex(node.value)}\right)_{{\mathrm{{{node.type}}}}}", _ATOM
    return _leaf(node), _ATOM


def _leaf(node: e.Expr) -> str:
    if isinstance(node, e.FuncCall | e.ImageCall | e.Intrinsic):
        return _call(node)
    if isinstance(node, e.Variable | e.ReductionVariable | e.ParameterRef):
        return name_to_latex(node.name)
    escaped = re.sub(r"([_&%#{}$])", r"\\\1", to_text(node))
    return rf"\texttt{{{escaped}}}"


def _in(node: e.Expr, least: int) -> str:
    text, precedence = _latex(node)
    return text if precedence >= least else rf"\left({text}\right)"


def _number(node: e.Const) -> tuple[str, int]:
    text = f"{node.value:g}" if node.type.floating else str(node.value)
    mantissa, exponent, power = text.partition("e")
    if exponent:
        return rf"{mantissa} \cdot 10^{{{int(power)}}}", _PRODUCT
    return text, _SUM if text.startswith("-") else _ATOM


def _call(node: e.FuncCall | e.ImageCall | e.Intrinsic) -> str:
    args = [to_latex(arg) for arg in node.args]
    if node.name == "abs":
        return rf"\left|{args[0]}\right|"
    if node.name == "sqrt":
        return rf"\sqrt{{{args[0]}}}"
    if node.name == "likely":
        return args[0]
    is_command = isinstance(node, e.Intrinsic) and node.name in _COMMANDS
    name = rf"\{node.name}" if is_command else name_to_latex(node.name)
    return rf"{name}\left({', '.join(args)}\right)"
