"""Random expressions of variables x, y and z, and their values at all points of small boxes."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import numpy as np

from pipec.ir.build import as_expr
from pipec.ir.expr import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    Select,
    Sub,
    Variable,
)
from pipec.ir.tape import Tape
from pipec.ir.types import Type

NAMES = ("x", "y", "z")
CONSTANTS = (0, 1, 2, 3, 4, 5, 7, 8, 16, -1, -2, -3, -4)
DIVISORS = (1, 2, 3, 4, 5, 6, 8, -1, -2, -3, 0)


def number(rng: random.Random, kind: Type, depth: int) -> Expr:
    """An expression of arithmetic; unsigned constants wrap."""
    if depth == 0 or rng.random() < 0.1:
        return Variable(kind, rng.choice(NAMES)) if rng.random() < 0.6 else as_expr(rng.choice(CONSTANTS), kind)
    node = rng.choice((Add, Add, Sub, Mul, Div, Mod, Min, Max, Select))
    a = number(rng, kind, depth - 1)
    if node is Select:
        return Select(condition(rng, kind, depth - 1), a, number(rng, kind, depth - 1))
    constant = node in (Mul, Div, Mod) and rng.random() < 0.8
    return node(a, as_expr(rng.choice(DIVISORS), kind) if constant else number(rng, kind, depth - 1))


def condition(rng: random.Random, kind: Type, depth: int) -> Expr:
    """A comparison, or several joined by And, Or and Not."""
    node = rng.choice((EQ, NE, LT, LT, LE, GT, GE, GE, And, Or, Not))
    if node is Not:
        return Not(condition(rng, kind, max(depth - 1, 0)))
    if node in (And, Or) and depth > 0:
        return node(condition(rng, kind, depth - 1), condition(rng, kind, depth - 1))
    return (LT if node in (And, Or) else node)(number(rng, kind, depth), number(rng, kind, depth))


def box(rng: random.Random, kind: Type) -> dict[str, tuple[int, int]]:
    """Small ranges of the variables."""
    lows = [rng.randint(-6, 6) if kind.signed else rng.randint(0, 8) for _ in NAMES]
    return {name: (low, low + rng.choice((0, 1, 3, 7, 9))) for name, low in zip(NAMES, lows, strict=True)}


def points(kind: Type, spans: Mapping[str, tuple[int, int]]) -> dict[str, np.ndarray]:
    """The coordinates of all points of a box."""
    axes = [np.arange(low, high + 1).astype(kind.numpy()) for low, high in spans.values()]
    return dict(zip(spans, np.meshgrid(*axes, indexing="ij"), strict=True))


def values_of(roots: Sequence[Expr], at: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """The values of expressions at points."""
    tape = Tape(lambda node: NotImplemented)
    code, places = tape.compile(roots)
    for name, coordinates in at.items():
        tape.registers[tape.name(name)] = coordinates
    with np.errstate(all="ignore"):
        tape.run(code)
    shape = next(iter(at.values())).shape
    return [np.broadcast_to(tape.registers[place], shape) for place in places]
