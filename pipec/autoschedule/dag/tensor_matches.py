"""The tensor intrinsics of a target that compute the blocks of an update."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.autoschedule.dag.affine_forms import Forms
from pipec.autoschedule.dag.dag import LoopInfo, TensorMatch
from pipec.autoschedule.dag.operations import parts
from pipec.ir.expr import Binary, Intrinsic
from pipec.ir.tensor import TensorIntrinsic, tensor_intrinsics
from pipec.ir.walk import postorder
from pipec.jit.llvm.machine import host, machine_of
from pipec.schedule.shape import StageShape
from pipec.schedule.tensorize import matching_operands
from pipec.target import Target

MIN_OPERATIONS = 2
"""Operations along a reduction that they do not divide, so that most are whole."""


def tensor_matches(
    shape: StageShape, loops: Sequence[LoopInfo], forms: Forms, target: Target
) -> tuple[TensorMatch, ...]:
    """Returns the intrinsics with one loop over elements and one reduction whose pattern the update is."""
    if not shape.is_update or len(shape.values) != 1 or target.has_gpu_feature():
        return ()
    candidates = [intrinsic for intrinsic in tensor_intrinsics().values() if _may_fit(intrinsic, shape)]
    if not candidates:
        return ()
    features = machine_of(target, host()).features.split(",")
    matches: list[TensorMatch] = []
    for intrinsic in candidates:
        if all(f"+{feature}" in features for feature in intrinsic.features):
            matches += _matches(intrinsic, shape, loops, forms)
    # Of those for the same loops, the one with the most terms for each instruction.
    best: dict[tuple[int, int], TensorMatch] = {}
    for match in matches:
        other = best.get((match.vector, match.rvar))
        if other is None or match.lanes * match.terms * other.calls > other.lanes * other.terms * match.calls:
            best[match.vector, match.rvar] = match
    return tuple(best.values())


def _instructions(intrinsic: TensorIntrinsic) -> int:
    """The calls of an implementation, or the arithmetic of its formula."""
    if intrinsic.formula is None:
        return max(1, intrinsic.implementation.count(" = call "))
    return max(1, sum(isinstance(node, (Binary, Intrinsic)) for node in postorder(intrinsic.formula)))


def _may_fit(intrinsic: TensorIntrinsic, shape: StageShape) -> bool:
    value = shape.values[0]
    same = type(value) is type(intrinsic.value) and value.type is intrinsic.result.type
    return same and [loop.reduction for loop in intrinsic.loops] == [False, True]


def _matches(
    intrinsic: TensorIntrinsic, shape: StageShape, loops: Sequence[LoopInfo], forms: Forms
) -> list[TensorMatch]:
    lanes, terms = [loop.extent for loop in intrinsic.loops]
    names = [loop.name for loop in loops]
    matches = []
    for vector, across in enumerate(loops):
        for rvar, along in enumerate(loops):
            if across.reduction or not along.reduction or across.extent < lanes:
                continue
            if along.extent < MIN_OPERATIONS * terms and (along.extent != terms or not along.constant):
                continue
            own = [(across.name, frozenset([across.name])), (along.name, frozenset([along.name]))]
            operands = matching_operands(shape, intrinsic, own)
            if not callable(operands):
                inputs = [operands[operand.name] for operand in intrinsic.inputs]
                work = parts((*shape.args, *inputs), forms, names)
                matches.append(TensorMatch(intrinsic.name, vector, lanes, rvar, terms, _instructions(intrinsic), work))
                break
    return matches
