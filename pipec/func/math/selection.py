"""Functions that choose between values: select, mux, min, max, clamp, lerp, likely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from pipec.errors import DefinitionError
from pipec.func.functions.ref import FuncRef
from pipec.func.functions.tuple import Tuple, TupleLike, tuple_nodes
from pipec.func.math import convert
from pipec.func.math.casts import operand
from pipec.func.math.convert import match, node_or_none
from pipec.func.math.expr import Expr, ExprLike, wrap
from pipec.func.math.operators import combine
from pipec.ir import build
from pipec.ir.expr import EQ, LT, Cast, Const, FuncCall, ImageCall, Intrinsic, Max, Min, Select, Undef
from pipec.ir.expr import Expr as Node
from pipec.ir.types import BOOL, Type, UInt
from pipec.ir.walk import postorder


@overload
def select(condition: ExprLike, value: ExprLike, /, *rest: ExprLike) -> Expr: ...
@overload
def select(condition: Any, value: TupleLike, /, *rest: Any) -> tuple[Expr, ...]: ...


def select(*args: Any) -> Any:
    """select(condition, value, condition, value, ..., otherwise): the value of the first condition that holds.

    Tuples as values give a tuple; conditions are then Exprs, or tuples that choose element by element. Both sides of
    a select may be evaluated.

    >>> hl.evaluate(hl.select(hl.i32(3) > 2, 10, 20))
    10
    """
    if len(args) < 3:
        raise ValueError("select() must have at least 3 arguments")
    if len(args) % 2 == 0:
        raise ValueError("select() must have an odd number of arguments")
    elements = [_elements(value) for value in (*args[1::2], args[-1])]
    if all(element is None for element in elements):
        result = operand(args[-1], "select")
        for condition, value in reversed(list(zip(args[:-1:2], args[1::2], strict=True))):
            result = select_node(operand(condition, "select"), operand(value, "select"), result)
        return wrap(result)
    return _select_tuples(args[:-1:2], elements)


def _elements(value: Any) -> list[Node] | None:
    if isinstance(value, FuncRef) and value.function.defined and len(value.function.types) > 1:
        return value.elements()
    return None if node_or_none_of(value) else tuple_nodes(value)


def node_or_none_of(value: Any) -> bool:
    """Whether `value` is a single operand."""
    return node_or_none(value) is not None


def _select_tuples(conditions: Sequence[Any], elements: Sequence[list[Node] | None]) -> tuple[Expr, ...]:
    values = [nodes for nodes in elements if nodes is not None]
    if len(values) != len(elements):
        raise DefinitionError("Error: select() may not mix Expr and Tuple for the value elements.")
    split = [_elements(condition) for condition in conditions]
    if len({nodes is None for nodes in split}) > 1:
        raise DefinitionError("Error: select() on Tuples may not mix Expr and Tuple for the condition elements.")
    size = len(values[0])
    if any(len(nodes) != size for nodes in [*values, *[s for s in split if s is not None]]):
        raise DefinitionError("Error: select() on Tuples requires all Tuples to have identical sizes.")
    results = []
    for at in range(size):
        result = values[-1][at]
        for nodes, condition, value in reversed(list(zip(split, conditions, values[:-1], strict=True))):
            test = operand(condition, "select") if nodes is None else nodes[at]
            result = select_node(test, value[at], result)
        results.append(wrap(result))
    return tuple(results)


def _signed_constant(node: Node) -> bool:
    return isinstance(node, Const) and node.type.signed


def select_node(condition: Node, a: Node, b: Node) -> Node:
    """A Select; a constant signed int takes the type of the other value."""
    if isinstance(condition, Const) and condition.type.integral:
        condition = Const(BOOL, condition.value != 0)
    if not condition.type.boolean:
        raise DefinitionError(
            f"Error: The first argument to a select must be a boolean:\n  {condition} has type {condition.type}"
        )
    if _signed_constant(a):
        a = convert.cast(b.type, a)
    if _signed_constant(b):
        b = convert.cast(a.type, b)
    if a.type is not b.type:
        raise DefinitionError(
            "Error: The second and third arguments to a select do not have a matching type:\n"
            f"  {a} has type {a.type}\n  {b} has type {b.type}\nCast one of them."
        )
    return _select(condition, a, b)


def _select(condition: Node, a: Node, b: Node) -> Node:
    """The simplest form that still calls all Funcs and images that the user named: `in_` may refer to them."""
    node = build.select(condition, a, b)
    if not isinstance(node, Select) and any(isinstance(n, FuncCall | ImageCall) for n in postorder(condition, a, b)):
        return Select(condition, a, b)
    return node


# Up to here a chain of comparisons is as good as a tree.
_SHORT_MUX = 4


def mux(id: Any, values: Any) -> Any:
    """values[id]; the last one when `id` is out of range. Tuples among the values give a Tuple.

    >>> hl.evaluate(hl.mux(hl.i32(1), [10, 20, 30]))
    20
    """
    index = operand(id, "mux")
    if isinstance(values, FuncRef):
        values = list(values)
    if not isinstance(values, list | tuple | Tuple):
        raise TypeError(f"mux(): incompatible function arguments: a list of Exprs or Tuples is needed, not {values!r}")
    if len(values) == 0:
        raise DefinitionError("Error: mux() requires a non-empty vector of values")
    rows = [_elements(value) for value in values]
    if all(row is not None for row in rows):
        lists = [row for row in rows if row is not None]
        if len({len(row) for row in lists}) != 1:
            raise DefinitionError("Error: mux() on Tuples requires all Tuples to have identical sizes.")
        return Tuple(*[wrap(_mux(index, list(column))) for column in zip(*lists, strict=True)])
    return wrap(_mux(index, [operand(value, "mux") for value in values]))


def _mux(index: Node, values: list[Node]) -> Node:
    typed = next((value for value in values if not _signed_constant(value)), values[0])
    values = [convert.cast(typed.type, value) if _signed_constant(value) else value for value in values]
    if any(value.type is not typed.type for value in values):
        raise DefinitionError(
            "Error: mux() requires all the values to have the same type. They are "
            f"{', '.join(str(value.type) for value in values)}."
        )
    if len(values) <= _SHORT_MUX or not index.type.integral:
        result = values[-1]
        for at in reversed(range(len(values) - 1)):
            result = _select(combine(EQ, *match(index, convert.literal(at))), values[at], result)
        return result
    # A negative index is too large as an unsigned number, so it selects the last value too.
    bits = index.type.nbits if index.type.nbits > 32 else 32
    return _mux_tree(convert.cast(UInt(bits), index), values, 0)


def _mux_tree(index: Node, values: list[Node], first: int) -> Node:
    if len(values) == 1:
        return values[0]
    half = len(values) // 2
    condition = combine(LT, index, Const(index.type, first + half))
    return _select(condition, _mux_tree(index, values[:half], first), _mux_tree(index, values[half:], first + half))


def _extreme(kind: Any, name: str, args: tuple[Any, ...]) -> Expr:
    if len(args) < 2:
        raise ValueError(f"{name}() must have at least 2 arguments")
    nodes = [operand(arg, name) for arg in args]
    result = nodes[-1]
    for node in reversed(nodes[:-1]):
        result = combine(kind, *match(node, result))
    return wrap(result)


def min(*args: ExprLike) -> Expr:
    """The least of two or more values.

    >>> hl.evaluate(hl.min(3, hl.i32(1), 2))
    1
    """
    return _extreme(Min, "min", args)


def max(*args: ExprLike) -> Expr:
    """The greatest of two or more values.

    >>> hl.evaluate(hl.max(3, hl.i32(1), 2))
    3
    """
    return _extreme(Max, "max", args)


def clamp(a: ExprLike, min_val: ExprLike, max_val: ExprLike) -> Expr:
    """`a` limited to [min_val, max_val], in the type of `a`; min_val when the interval is empty.

    >>> hl.evaluate(hl.clamp(hl.i32(300), 0, 255))
    255
    """
    value = operand(a, "clamp")
    low, high = operand(min_val, "clamp"), operand(max_val, "clamp")
    limits = [lossless(value.type, low), lossless(value.type, high)]
    for which, bound, limit in (("second", low, limits[0]), ("third", high, limits[1])):
        if limit is None:
            raise DefinitionError(
                f"Error: Type mismatch in call to clamp. First argument ({value}) has type {value.type}, but {which} "
                f"argument ({bound}) has type {bound.type}. Use an explicit cast."
            )
    assert limits[0] is not None and limits[1] is not None
    return wrap(combine(Max, combine(Min, value, limits[1]), limits[0]))


def unsafe_promise_clamped(value: ExprLike, min: ExprLike, max: ExprLike) -> Expr:
    """`value`, which the user promises to lie in [min, max]; either may be Expr(), for no promise on that side.

    What is computed and read elsewhere relies on the promise, and nothing checks it: where it is broken, memory that
    belongs to others may be read or written. Use clamp where a value can lie outside.

    >>> hl.evaluate(hl.unsafe_promise_clamped(hl.i32(3), 0, 7))
    3
    """
    node = operand(value, "unsafe_promise_clamped")
    limits = [
        node
        if isinstance(limit, Expr) and not limit.defined()
        else convert.cast(node.type, operand(limit, "unsafe_promise_clamped"))
        for limit in (min, max)
    ]
    return wrap(Intrinsic(node.type, "unsafe_promise_clamped", (node, *limits)))


def lossless(type_: Type, node: Node) -> Node | None:
    """`node` as `type_` when that cannot change its value, else None."""
    if node.type is type_:
        return node
    if isinstance(node, Const) and not type_.is_handle():
        if type_.can_represent(node.value):
            return Const(type_, node.value)
        return None
    if type_.can_represent(node.type):
        return convert.cast(type_, node)
    if isinstance(node, Cast) and node.type.can_represent(node.value.type):
        return lossless(type_, node.value)
    return None


def _hint(name: str, value: Any) -> Expr:
    node = operand(value, name)
    return wrap(Intrinsic(node.type, name, (node,)))


def likely(e: ExprLike) -> Expr:
    """`e`, which holds in most iterations (or: the operand that decides a min, max or select in most of them).

    >>> hl.evaluate(hl.likely(hl.i32(3) > 2))
    True
    """
    return _hint("likely", e)


def likely_if_innermost(e: ExprLike) -> Expr:
    """Like likely, but only where it concerns an innermost loop.

    >>> hl.evaluate(hl.likely_if_innermost(hl.i32(3) > 2))
    True
    """
    return _hint("likely_if_innermost", e)


def memoize_tag(result: Any, *args: Any) -> Expr:
    """`result`, which memoised Funcs take to depend on `args` alone.

    Without arguments it counts as a constant. The user answers for it that equal `args` mean equal results.
    """
    nodes = [operand(value, "memoize_tag") for value in (result, *args)]
    return wrap(Intrinsic(nodes[0].type, "memoize_tag", tuple(nodes)))


def undef(type: Type) -> Expr:
    """No value in particular, of this type: a definition stores nothing where its value is undef.

    `f[x] = hl.undef(hl.Int(32))` leaves the memory of f as it is, for updates that define all that is used.

    >>> x = hl.Var("x")
    >>> f = hl.Func()
    >>> f[x] = hl.undef(hl.Int(32))
    >>> f[2] = 5
    >>> f.realize([4])[2]
    5
    """
    if not isinstance(type, Type):
        raise TypeError(f"undef(): incompatible function arguments: a Type is needed, not {type!r}")
    return wrap(Undef(type))
