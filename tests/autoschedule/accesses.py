"""Random coordinates of loops, and by brute force the places that they come to."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random

import numpy as np

import pipec as hl
from pipec.func.functions.definition import PipelineDef
from pipec.ir.expr import Expr, FuncCall, ImageCall
from pipec.ir.tape import Tape
from pipec.ir.walk import postorder


def affine(random: Random, variables: Sequence[hl.Expr]) -> hl.Expr:
    """A coordinate whose form is exact: sums, strides, quotients of one sum."""
    total = hl.i32(random.randint(-5, 5))
    for variable in random.sample(list(variables), random.randint(1, min(2, len(variables)))):
        total = total + variable * random.choice([1, 1, 1, 2, 3, -1])
    return total / random.choice([1, 1, 1, 2, 3, 4])


def crooked(random: Random, variables: Sequence[hl.Expr]) -> hl.Expr:
    """A coordinate that is known within limits only: roundings in the middle, remainders, either of two."""
    a, b = affine(random, variables), affine(random, variables)
    return random.choice(
        [a * 2 + b, a % 3 + b, hl.select(a > b, a, b), hl.i32(hl.abs(a)), (a / 2 + b / 2) * 2, hl.min(a, b)]
    )


def points(variables: Sequence[str], first: Sequence[int], last: Sequence[int]) -> dict[str, np.ndarray]:
    """All points of a box of loops, as columns."""
    axes = [range(low, high + 1) for low, high in zip(first, last, strict=True)]
    rows = np.array(list(itertools.product(*axes)), np.int32).reshape(-1, len(axes))
    return dict(zip(variables, rows.T, strict=True))


def calls_of(definition: PipelineDef, func: str, number: int, callee: str) -> list[FuncCall | ImageCall]:
    stage = definition.funcs[func].stages[number]
    events: set[object] = set()
    nodes = [node for root in (*stage.args, *stage.values) for node in postorder(root, visited=events)]
    return [node for node in nodes if isinstance(node, FuncCall | ImageCall) and node.name == callee]


def places(coordinates: Sequence[Expr], loops: dict[str, np.ndarray]) -> np.ndarray:
    """[points, dimensions]: what the coordinates are at every point."""
    tape = Tape(lambda node: lambda *args: np.zeros_like(args[0]))
    code, where = tape.compile(list(coordinates))
    for name, values in loops.items():
        tape.registers[tape.name(name)] = values
    tape.run(code)
    count = len(next(iter(loops.values())))
    return np.stack([np.broadcast_to(tape.registers[place], (count,)) for place in where], axis=1)
