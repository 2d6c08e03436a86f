"""`hl.tensor_intrinsic`: a pattern Func and an implementation become a declaration, which must be proved equal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipec.errors import DefinitionError, NotSupportedError
from pipec.func.functions.definition import StageDef, is_pure_arg
from pipec.func.functions.func import Func
from pipec.func.functions.function import Function
from pipec.ir.build import constant
from pipec.ir.expr import TRUE, Expr, FuncCall, ImageCall, ReductionVariable, Variable
from pipec.ir.node import Node
from pipec.ir.tensor import WIDENED, TensorIntrinsic, TensorLoop, TensorOperand, declare
from pipec.ir.tensor import tensor_intrinsics as declared_intrinsics
from pipec.ir.walk import free_variables, postorder, rewrite
from pipec.pipeline.tensor.prove import prove
from pipec.pipeline.tensor.vectors import Vector

MAX_ITERATIONS = 4096
"""Of a pattern: more would be vectors that LLVM compiles for minutes where the pattern stands in for instructions."""

Implementation = str | Callable[..., Vector]


def tensor_intrinsics() -> dict[str, str]:
    """The tensor intrinsics that `Stage.tensorize` accepts, each with its pattern.

    >>> print(hl.tensor_intrinsics()["x86.vpmaddwd.256"])
    c[i]: int32 = c + int32(a) * int32(b) with a[k, i]: int16, b[k, i]: int16 for i < 8, k < 2
    """
    return {name: intrinsic.pattern() for name, intrinsic in declared_intrinsics().items()}


def tensor_intrinsic(
    name: str,
    pattern: Func,
    extents: Sequence[int],
    implementation: Implementation,
    supports: Sequence[str] = (),
    tolerance: float = 1e-5,
) -> None:
    """Declare a tensor intrinsic: what `stage.tensorize(loops, name)` runs in place of the loops of `pattern`.

    `pattern`: a Func with one value, whose definition, or only update, reads ImageParams at its own variables. An RDom
    of constant extents is its reduction. `extents`: the extent of each dimension of the Func.
    `implementation`: the instructions of LLVM, as text that ends with `ret`, on operands of the names of the pattern:
    first the Func, if the update reads it, then the ImageParams. Or a function from Vectors, in the same order, to one.
    `supports`: the features that the processor must have, by LLVM's names, such as "avx512vnni". On others, in C and
    on GPUs the pattern itself is computed. `tolerance`: by how much floats may differ, relative to the largest.

    The implementation is run on random and extreme operands, in a process of its own. DefinitionError when it differs
    from the pattern, when LLVM refuses it, or when the pattern is none; NotSupportedError for tile registers (AMX).

    >>> i, k, c, a = hl.Var("i"), hl.RDom([(0, 2)], "k"), hl.Func("c"), hl.ImageParam(hl.Int(16), 2, "a")
    >>> c[i] = 0
    >>> c[i] += hl.i32(a[k, i])
    >>> def add_pairs(c, a):
    ...     return c + a.lanes([0, 2, 4, 6]).cast(hl.Int(32)) + a.lanes([1, 3, 5, 7]).cast(hl.Int(32))
    >>> hl.tensor_intrinsic("sum of pairs", c, [4], add_pairs)
    >>> print(hl.tensor_intrinsics()["sum of pairs"])
    c[i]: int32 = c + int32(a) with a[k.x, i]: int16 for i < 4, k.x < 2
    """
    _refuse_tiles(name, implementation, supports)
    intrinsic = _from_func(name, pattern, extents, implementation, supports)
    prove(intrinsic, tolerance)
    declare(intrinsic)


def _refuse_tiles(name: str, implementation: Implementation, supports: Sequence[str]) -> None:
    """Raises NotSupportedError for instructions on tile registers."""
    text = implementation if isinstance(implementation, str) else ""
    if "x86_amx" in text or any(feature.startswith("amx") for feature in supports):
        raise NotSupportedError(
            f"Error: The tensor intrinsic {name} computes in tile registers (AMX). These would be loaded and stored"
            " through memory for every call, and a process must ask the system for them. Use instructions on vectors,"
            ' such as those of "x86.vpdpbusd.512" and "x86.vdpbf16ps.512".'
        )


def _from_func(
    name: str, pattern: Func, extents: Sequence[int], implementation: Implementation, supports: Sequence[str]
) -> TensorIntrinsic:
    function: Function = pattern.function
    where = f"Error: The pattern of the tensor intrinsic {name}, Func {function.name},"
    _require(function.defined, f"{where} has no definition")
    _require(len(function.types) == 1 and len(function.stages) <= 2, f"{where} may have one value and one update")
    stage: StageDef = function.stages[-1]
    _require(stage.predicate is TRUE, f"{where} has a condition: {stage.predicate}")
    for arg, own in zip(stage.args, function.args, strict=True):
        _require(is_pure_arg(arg, own), f"{where} writes at {arg}: its coordinates must be {', '.join(function.args)}")
    _require(len(extents) == len(function.args), f"{where} needs an extent for each of {', '.join(function.args)}")
    loops = [TensorLoop(arg, int(extent)) for arg, extent in zip(function.args, extents, strict=True)]
    for loop in stage.rvars:
        extent = constant(loop.extent)
        _require(
            constant(loop.minimum) == 0 and extent is not None,
            f"{where} must have an RDom from 0 to a constant, but {loop.name} has {loop.minimum} and {loop.extent}",
        )
        loops.append(TensorLoop(_loop(loop.name), int(extent or 0), reduction=True))
    result = TensorOperand(_plain(function.name), function.types[0], function.args)
    value, inputs = _operands(where, function, stage, result, {loop.name for loop in loops})
    text = implementation if isinstance(implementation, str) else ""
    intrinsic = TensorIntrinsic(
        name, tuple(loops), result, inputs, value, text, None, tuple(supports), str(function.location)
    )
    _check_sizes(where, intrinsic)
    if isinstance(implementation, str):
        return intrinsic
    formula = implementation(*[Vector(Variable(intrinsic.vector(o), o.name)) for o in intrinsic.operands])
    kind = intrinsic.vector(result)
    _require(
        isinstance(formula, Vector) and formula.type is kind,
        f"Error: The implementation of the tensor intrinsic {name} must give a Vector of type {kind}, not {formula}",
    )
    return TensorIntrinsic(name, tuple(loops), result, inputs, value, "", formula.node, tuple(supports))


def _operands(
    where: str, function: Function, stage: StageDef, result: TensorOperand, loops: set[str]
) -> tuple[Expr, tuple[TensorOperand, ...]]:
    """The value of a stage over Variables in place of what it reads, and these operands in order."""
    operands: dict[str, TensorOperand] = {result.name: result}
    replaced: dict[Node, Expr] = {}
    for node in postorder(stage.values[0]):
        if isinstance(node, FuncCall):
            _require(
                node.name == function.name and node.args == stage.args,
                f"{where} reads {node}: it may read its old value at the same place, and ImageParams",
            )
            replaced[node] = Variable(node.type, result.name)
        elif isinstance(node, ImageCall):
            dims = tuple([_loop(arg.name) for arg in node.args if isinstance(arg, (Variable, ReductionVariable))])
            operand = TensorOperand(_plain(node.name), node.type, dims)
            same = operands.setdefault(operand.name, operand) == operand
            plain = len(dims) == len(node.args) == len(set(dims)) and loops.issuperset(dims)
            _require(
                plain and same, f"{where} reads {node}: the coordinates must be different loops, the same in each read"
            )
            replaced[node] = Variable(node.type, operand.name)
    value = rewrite(stage.values[0], lambda node: node, dict(replaced))
    left = free_variables(value) - operands.keys()
    _require(not left, f"{where} computes with {', '.join(sorted(left))}: it may compute with what it reads only")
    for node in postorder(value):
        _require(isinstance(node, WIDENED), f"{where} computes {node}, which is no arithmetic of single elements")
    return value, tuple([operand for name, operand in operands.items() if name != result.name])


def _check_sizes(where: str, intrinsic: TensorIntrinsic) -> None:
    names = [operand.name for operand in (intrinsic.result, *intrinsic.inputs)]
    _require(len(set(names)) == len(names), f"{where} reads an ImageParam of its own name")
    for loop in intrinsic.loops:
        _require(
            loop.extent > 1, f"{where} has the loop {loop.name} with {loop.extent} iterations: at least 2 are needed"
        )
    count = intrinsic.extent([loop.name for loop in intrinsic.loops])
    _require(count <= MAX_ITERATIONS, f"{where} has {count} iterations: the most is {MAX_ITERATIONS}")
    for operand in (intrinsic.result, *intrinsic.inputs):
        least = 1 if operand is intrinsic.result else 0
        _require(least <= len(operand.dims) <= 2, f"{where} has {operand}: the most is 2 dimensions")


def _loop(name: str) -> str:
    """The name of a loop as texts show it."""
    return name.replace("$", ".")


def _plain(name: str) -> str:
    """A name without the number that tells it from others."""
    return name.partition("$")[0]


def _require(condition: bool, text: str) -> None:
    if not condition:
        raise DefinitionError(f"{text}.")
