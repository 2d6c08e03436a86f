"""Expressions laid out as a list of instructions on numbered registers: how the interpreters evaluate them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

import numpy as np

from pipec.errors import InternalError, NotSupportedError
from pipec.ir import expr as e
from pipec.ir import numerics
from pipec.ir.intrinsics import INTRINSICS
from pipec.ir.node import Node
from pipec.ir.walk import free_variables, postorder

Value = Any
# registers[out] = function(registers[a]) or function(registers[a], registers[b]) when b >= 0.
Instruction = tuple[int, Callable[..., Value], int, int]
# Returns the function that reads storage for a FuncCall, ImageCall or Load, called with the values of the children.
Access = Callable[[Any], Callable[..., Value]]
_Names = e.Variable | e.ReductionVariable | e.ParameterRef


class Tape:
    """Registers for every distinct node; each shared part of an expression is evaluated once per run.

    Values are numpy scalars or arrays of `numerics.value_dtype`. The tape of the interpreter holds one value for
    a scalar node; the tape of the reference evaluator holds arrays over the points being computed.
    """

    def __init__(self, access: Access) -> None:
        self.registers: list[Value] = []
        self._access = access
        self._nodes: dict[Node, int] = {}
        self._names: dict[str, int] = {}

    def name(self, name: str) -> int:
        """The register of the variable `name`."""
        if name not in self._names:
            self._names[name] = self._new(None)
        return self._names[name]

    def compile(self, roots: Iterable[e.Expr]) -> tuple[list[Instruction], list[int]]:
        """Instructions that evaluate the expressions, and the registers of the results."""
        code: list[Instruction] = []
        roots = list(roots)
        for node in postorder(*roots):
            self._add(node, code)
        return code, [self._nodes[root] for root in roots]

    def run(self, code: list[Instruction]) -> None:
        """Executes the instructions."""
        registers = self.registers
        for out, function, a, b in code:
            registers[out] = function(registers[a], registers[b]) if b >= 0 else function(registers[a])

    def _new(self, value: Value) -> int:
        self.registers.append(value)
        return len(self.registers) - 1

    def _add(self, node: Any, code: list[Instruction]) -> None:
        if isinstance(node, _Names):
            self._nodes[node] = self.name(node.name)
            return
        if isinstance(node, e.Const):
            if node not in self._nodes:
                self._nodes[node] = self._new(numerics.constant(node))
            return
        if isinstance(node, e.Undef):
            self._nodes[node] = self._new(numerics.undefined(node.type))
            return
        out = self._nodes.get(node)
        if out is None:
            out = self._nodes[node] = self._new(None)
        operands = [self._nodes[child] for child in node.children()]
        function = self._function(node)
        if len(operands) == 1:
            code.append((out, function, operands[0], -1))
        elif len(operands) == 2:
            code.append((out, function, operands[0], operands[1]))
        else:
            code.append((out, self._gather(function, operands), 0, -1))

    def _gather(self, function: Callable[..., Value], operands: list[int]) -> Callable[[Value], Value]:
        registers = self.registers
        if not registers:
            self._new(None)
        return lambda _: function(*[registers[operand] for operand in operands])

    def _function(self, node: Any) -> Callable[..., Value]:
        if isinstance(node, e.Binary):
            return _binary(node)
        if isinstance(node, (e.FuncCall, e.ImageCall, e.Load)):
            return self._access(node)
        rule = _FUNCTIONS.get(type(node))
        if isinstance(node, (e.ExternValue, e.BufferView)):
            raise NotSupportedError("Error: The interpreters cannot call C functions of extern stages.")
        if rule is None:
            raise InternalError(f"The interpreter has no rule for {type(node).__name__}.")
        return rule(node)


def _binary(node: e.Binary) -> Callable[..., Value]:
    divisor = node.b.value if isinstance(node.b, e.Broadcast) else node.b
    if isinstance(divisor, e.Const) and node.type.integral and divisor.value > 0 and not node.type.boolean:
        # The usual case in index arithmetic: floor division is Euclidean for positive divisors.
        if isinstance(node, e.Div):
            return operator.floordiv
        if isinstance(node, e.Mod):
            return operator.mod
    return numerics.binary_function(type(node), node.a.type)


def _cast(node: e.Cast) -> Callable[..., Value]:
    source, target = node.value.type, node.type
    return lambda value: numerics.convert(value, source, target)


def _reinterpret(node: e.Reinterpret) -> Callable[..., Value]:
    source, target = node.value.type, node.type
    return lambda value: numerics.reinterpret(value, source, target)


def _intrinsic(node: e.Intrinsic) -> Callable[..., Value]:
    meaning = INTRINSICS[node.name].meaning
    if node.type.is_bfloat():
        return lambda *values: numerics.round_bfloat(meaning(*values))
    return meaning


def _ramp(node: e.Ramp) -> Callable[..., Value]:
    lanes = np.arange(node.lanes).astype(numerics.value_dtype(node.type))
    return lambda base, stride: base + stride * lanes


def _broadcast(node: e.Broadcast) -> Callable[..., Value]:
    lanes, dtype = node.lanes, numerics.value_dtype(node.type)
    return lambda value: np.full(lanes, value, dtype)


def _shuffle(node: e.Shuffle) -> Callable[..., Value]:
    indices = np.array(node.indices) if len(node.indices) > 1 else node.indices[0]
    return lambda *vectors: np.concatenate([np.atleast_1d(vector) for vector in vectors])[indices]


def _vector_reduce(node: e.VectorReduce) -> Callable[..., Value]:
    function = numerics.binary_function(e.REDUCTIONS[node.operator], node.type)
    lanes = node.lanes

    def reduce(value: Value) -> Value:
        columns = value.reshape(lanes, -1)
        total = columns[:, 0]
        for i in range(1, columns.shape[1]):
            total = function(total, columns[:, i])
        return total if lanes > 1 else total[0]

    return reduce


_FUNCTIONS: dict[type, Callable[[Any], Callable[..., Value]]] = {
    e.Cast: _cast,
    e.Reinterpret: _reinterpret,
    e.Not: lambda node: operator.invert,
    e.Select: lambda node: numerics.select,
    e.Ramp: _ramp,
    e.Broadcast: _broadcast,
    e.Shuffle: _shuffle,
    e.VectorReduce: _vector_reduce,
    e.Intrinsic: _intrinsic,
    # Prints and requirements are handled by the caller.
    e.Effect: lambda node: lambda value, *_: value,
}


def evaluate(root: e.Expr, values: Mapping[str, int | float]) -> Any:
    """`root` as a number (numpy scalar), read from `values` by variable name; it may not read Funcs or images."""

    def refuse(node: Any) -> NoReturn:
        raise InternalError(f"{node} cannot be evaluated without running the pipeline")

    tape = Tape(refuse)
    code, places = tape.compile([root])
    for name in free_variables(root):
        value = values[name]
        tape.registers[tape.name(name)] = np.int64(value) if isinstance(value, int) else np.float64(value)
    with np.errstate(all="ignore"):
        tape.run(code)
    return tape.registers[places[0]]
