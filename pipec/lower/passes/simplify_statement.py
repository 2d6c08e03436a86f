"""Simplifies a statement: short lets are substituted, constant conditions decided, loops of one iteration opened.

let a = 3; for x in [a, 1]: f(x) = x + a  -->  f(3) = 6
"""

from __future__ import annotations

from pipec.bounds.linear import linear
from pipec.bounds.ranges import IntegerRange, Ranges
from pipec.bounds.simplify import Simplifier
from pipec.ir import build
from pipec.ir.build import block, constant
from pipec.ir.expr import Const, Expr, Variable
from pipec.ir.node import Node
from pipec.ir.stmt import (
    GPU_KINDS,
    Assert,
    Block,
    Evaluate,
    For,
    IfThenElse,
    LetStmt,
    LoopKind,
    ProducerConsumer,
    Report,
    Stmt,
)
from pipec.ir.walk import substitute

# Loops of these kinds stay loops when they have one iteration.
_ALWAYS_LOOPS = (LoopKind.VECTORIZED, *GPU_KINDS)


def simplify_statement(stmt: Stmt) -> Stmt:
    """`stmt`, simplified. Every name must be bound once: its range holds wherever it occurs."""
    return _Simplifier().statement(stmt)


class _Simplifier:
    def __init__(self) -> None:
        self.ranges = Ranges()
        self.simplify = Simplifier(self.ranges)
        self.values: dict[str, Expr] = {}
        self.memo: dict[Node, Expr] = {}

    def expr(self, e: Expr) -> Expr:
        return self.simplify(substitute(e, self.values, memo=self.memo))

    def statement(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, LetStmt):
            return self.let(stmt)
        if isinstance(stmt, For):
            return self.loop(stmt)
        if isinstance(stmt, Block):
            return block([self.statement(child) for child in stmt.stmts])
        if isinstance(stmt, IfThenElse):
            return self.condition(stmt)
        if isinstance(stmt, Assert):
            condition = self.expr(stmt.condition)
            if constant(condition) == 1:
                return build.NOTHING
            return Assert(condition, stmt.code, tuple([self.expr(value) for value in stmt.values]))
        if isinstance(stmt, Report) and not stmt.name and constant(self.expr(stmt.predicate)) == 0:
            return build.NOTHING
        if isinstance(stmt, Evaluate) and isinstance(stmt.value, Const):
            return build.NOTHING
        if isinstance(stmt, ProducerConsumer):
            body = self.statement(stmt.body)
            return body if body is build.NOTHING else ProducerConsumer(stmt.name, stmt.is_producer, body)
        result: Stmt = stmt.rebuild(
            lambda child: self.statement(child) if isinstance(child, Stmt) else self.expr(child)
        )
        return result

    def let(self, stmt: LetStmt) -> Stmt:
        value = self.expr(stmt.value)
        if _is_short(value):
            self.values[stmt.name] = value
            return self.statement(stmt.body)
        if value.type.integral and value.type.nlanes == 1:
            self.ranges.variables[stmt.name] = self.ranges.of(value)
        body = self.statement(stmt.body)
        return body if body is build.NOTHING else LetStmt(stmt.name, value, body)

    def loop(self, stmt: For) -> Stmt:
        minimum, extent = self.expr(stmt.minimum), self.expr(stmt.extent)
        count = constant(extent)
        if count is not None and count <= 0:
            return build.NOTHING
        if count == 1 and stmt.kind not in _ALWAYS_LOOPS:
            if _is_short(minimum):
                self.values[stmt.name] = minimum
                return self.statement(stmt.body)
            return self.let(LetStmt(stmt.name, minimum, stmt.body))
        first, size = self.ranges.of(minimum), self.ranges.of(extent)
        high = None if first.high is None or size.high is None else first.high + size.high - 1
        self.ranges.variables[stmt.name] = IntegerRange(first.low, high)
        body = self.statement(stmt.body)
        return body if body is build.NOTHING else For(stmt.name, minimum, extent, stmt.kind, body, stmt.partition)

    def condition(self, stmt: IfThenElse) -> Stmt:
        condition = self.expr(stmt.condition)
        decided = constant(condition)
        if decided is not None:
            if decided:
                return self.statement(stmt.then)
            return build.NOTHING if stmt.otherwise is None else self.statement(stmt.otherwise)
        then = self.statement(stmt.then)
        otherwise = None if stmt.otherwise is None else self.statement(stmt.otherwise)
        if otherwise is build.NOTHING:
            otherwise = None
        if then is build.NOTHING and otherwise is None:
            return build.NOTHING
        return IfThenElse(condition, then, otherwise, stmt.speculatable)


def _is_short(value: Expr) -> bool:
    """Whether a value is substituted: constants, and sums of at most three multiples of variables."""
    if isinstance(value, (Const, Variable)):
        return True
    if not (value.type.signed and value.type.nbits >= 32 and value.type.nlanes == 1):
        return False
    form = linear(value)
    return len(form.terms) <= 3 and all(isinstance(atom, Variable) for atom in form.terms)
