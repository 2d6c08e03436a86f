"""Calls of tensor intrinsics: the instructions of their implementations, with operands in place of their names."""

from __future__ import annotations

import re
from collections.abc import Callable

from pipec.errors import DefinitionError
from pipec.ir.expr import TensorCall
from pipec.ir.stmt import Stmt
from pipec.ir.tensor import TensorIntrinsic, TensorOperand, expand_tensor_calls, tensor_calls_of, with_digest
from pipec.ir.walk import rewrite, substitute
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.types import value_type, vector_of

_NAME = re.compile(r"%([-\w.$]+)")
_ASSIGNED = re.compile(r"%([-\w.$]+)\s*=\s*(.+)")
_DECLARED = re.compile(r"declare\s+(.*?(@[-\w.$]+)\s*\(.*)")


def with_implementations(stmt: Stmt, can: Callable[[str], bool]) -> Stmt:
    """A statement whose tensor intrinsics are those with instructions that the processor has; patterns for others."""
    declared = {with_digest(call.declaration) for call in tensor_calls_of(stmt)}
    possible = [intrinsic for intrinsic in declared if all(map(can, intrinsic.features))]
    stmt = expand_tensor_calls(stmt, frozenset([intrinsic.name for intrinsic in possible]))
    if not any(intrinsic.formula is not None for intrinsic in possible):
        return stmt

    def by_formula(node: object) -> object:
        formula = with_digest(node.declaration).formula if isinstance(node, TensorCall) else None
        if formula is None or not isinstance(node, TensorCall):
            return node
        names = [operand.name for operand in with_digest(node.declaration).operands]
        return substitute(formula, dict(zip(names, node.operands, strict=True)))

    return rewrite(stmt, by_formula)


def emit_tensor_call(f: ExprFunction, node: TensorCall, *operands: str) -> str:
    """The result of an implementation's instructions."""
    intrinsic = with_digest(node.declaration)
    values = {
        operand.name: _bitcast(f, value_type(intrinsic.vector(operand)), text, _implemented_type(intrinsic, operand))
        for operand, text in zip(intrinsic.operands, operands, strict=True)
    }
    instructions, result = parsed(intrinsic)
    for name, text in instructions:
        if name.startswith("@"):
            f.module.declare(name, text)
        else:
            values[name] = f.op(_NAME.sub(lambda match: values[match[1]], text))
    own = _implemented_type(intrinsic, intrinsic.result)
    return _bitcast(f, own, values[result], value_type(intrinsic.vector(intrinsic.result)))


def _implemented_type(intrinsic: TensorIntrinsic, operand: TensorOperand) -> str:
    """The LLVM type that an operand has in an implementation."""
    kind = intrinsic.vector(operand)
    return vector_of("bfloat", kind.nlanes) if kind.is_bfloat() else value_type(kind)


def _bitcast(f: ExprFunction, source: str, text: str, target: str) -> str:
    return text if source == target else f.op(f"bitcast {source} {text} to {target}")


def parsed(intrinsic: TensorIntrinsic) -> tuple[list[tuple[str, str]], str]:
    """The functions that an implementation declares, and its instructions, each with its name; the name of the result.

    Raises DefinitionError for anything else than declarations, named values and one `ret` at the end.
    """
    instructions: list[tuple[str, str]] = []
    defined = {operand.name for operand in intrinsic.operands}
    *lines, last = [line.strip() for line in intrinsic.implementation.splitlines() if line.strip()] or [""]
    where = f"Error: The implementation of the tensor intrinsic {intrinsic.name}"
    for line in lines:
        declared, assigned = _DECLARED.fullmatch(line), _ASSIGNED.fullmatch(line)
        if declared:
            instructions.append((declared[2], declared[1]))
        elif assigned:
            for name in _NAME.findall(assigned[2]):
                _require(name in defined, f"{where} reads %{name}, which is no operand and not computed before", line)
            _require(assigned[1] not in defined, f"{where} computes %{assigned[1]} twice", line)
            defined.add(assigned[1])
            instructions.append((assigned[1], assigned[2]))
        else:
            _require(False, f"{where} may declare functions and compute named values, without branches", line)
    kind = _implemented_type(intrinsic, intrinsic.result)
    result = last.removeprefix(f"ret {kind} %")
    _require(result in defined, f"{where} must end with `ret {kind}` and a value that it computes", last)
    return instructions, result


def _require(condition: bool, text: str, line: str) -> None:
    if not condition:
        raise DefinitionError(f"{text}. The line is: {line}")
