"""Hand-made statements for tests of the statement passes, and a way to run them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pipec.ir.build import NOTHING, add, block, div, max_, min_, mul
from pipec.ir.expr import (
    TRUE,
    Cast,
    Compare,
    Const,
    Expr,
    FuncCall,
    ImageCall,
    Intrinsic,
    Max,
    Min,
    Select,
    const,
    variable,
)
from pipec.ir.interp import Image, run
from pipec.ir.node import Node
from pipec.ir.stmt import For, IfThenElse, LoopKind, MemoryType, Provide, Realize, Stmt
from pipec.ir.types import INT32, INT64, UInt
from pipec.ir.walk import postorder

U8 = UInt(8)
U16 = UInt(16)
SERIAL, PARALLEL = LoopKind.SERIAL, LoopKind.PARALLEL
VECTORIZED, UNROLLED = LoopKind.VECTORIZED, LoopKind.UNROLLED
x, y, w, h = variable("x"), variable("y"), variable("w"), variable("h")


def image(*args: Expr | int, name: str = "in", type_=U16) -> Expr:
    return ImageCall(type_, name, coordinates(args), None)


def call(name: str, *args: Expr | int, type_=U16, value_index: int = 0) -> Expr:
    return FuncCall(type_, name, coordinates(args), value_index, None)


def provide(name: str, value: Expr | tuple[Expr, ...], *args: Expr | int) -> Stmt:
    return Provide(name, value if isinstance(value, tuple) else (value,), coordinates(args))


def coordinates(args: tuple[Expr | int, ...]) -> tuple[Expr, ...]:
    return tuple([arg if isinstance(arg, Expr) else const(arg) for arg in args])


def loop(name: str, minimum: Expr | int, extent: Expr | int, body: Stmt, kind: LoopKind = SERIAL) -> Stmt:
    (minimum, extent) = coordinates((minimum, extent))
    return For(name, minimum, extent, kind, body)


def realize(name: str, bounds, body: Stmt, types=(U16,), layout=None, folds=None, memory=MemoryType.Auto) -> Stmt:
    dimensions = len(bounds)
    layout = layout or tuple((d, 1) for d in range(dimensions))
    folds = folds or (None,) * dimensions
    boxes = tuple([coordinates(bound) for bound in bounds])
    return Realize(name, types, memory, boxes, layout, folds, Const(INT64, 0), body)


def likely(e: Expr, name: str = "likely") -> Expr:
    return Intrinsic(e.type, name, (e,))


def clamped(e: Expr, low: Expr | int, high: Expr | int) -> Expr:
    return max_(min_(e, high), low)


def when(condition: Expr, then: Stmt, otherwise: Stmt | None = None) -> Stmt:
    return IfThenElse(condition, then, otherwise)


def results(stmt: Stmt, buffers: Mapping[str, np.ndarray | Image], strict: bool = True, **scalars: int):
    return run(stmt, buffers, scalars, strict=strict)


def same(before: Stmt, after: Stmt, buffers: Mapping[str, np.ndarray | Image], strict: bool = True, **scalars: int):
    """Assert that two statements store the same; returns the contents of all buffers."""
    expected = results(before, buffers, strict, **scalars)
    got = results(after, buffers, strict, **scalars)
    for name in expected:
        np.testing.assert_array_equal(got[name], expected[name], err_msg=name)
    return got


def count(node: Node, *kinds: type) -> int:
    """How many distinct nodes of these classes there are."""
    return sum(isinstance(n, kinds) for n in postorder(node))


def loops(stmt: Stmt, kind: LoopKind = SERIAL) -> list[For]:
    return [n for n in postorder(stmt) if isinstance(n, For) and n.kind is kind]


def boundary_tests(node: Node) -> int:
    return count(node, Min, Max, Select, Compare, IfThenElse)


def picture(width: int = 13, height: int = 7, seed: int = 1, dtype=np.uint16) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 200, (width, height)).astype(dtype)


__all__ = [
    "INT32",
    "NOTHING",
    "PARALLEL",
    "SERIAL",
    "TRUE",
    "U8",
    "U16",
    "UNROLLED",
    "VECTORIZED",
    "Cast",
    "Image",
    "add",
    "block",
    "boundary_tests",
    "call",
    "clamped",
    "count",
    "div",
    "h",
    "image",
    "likely",
    "loop",
    "loops",
    "mul",
    "picture",
    "provide",
    "realize",
    "results",
    "same",
    "variable",
    "w",
    "when",
    "x",
    "y",
]
