"""The proof of a tensor intrinsic: its implementation and its pattern on the same random and extreme operands.

It runs in a process of its own, since LLVM ends the process on instructions that it cannot select. What was proved is
remembered in the compile cache.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from pipec.errors import DefinitionError, InternalError, PipecError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.evaluate import interpret
from pipec.func.functions.freeze import freeze
from pipec.func.functions.func import Func
from pipec.func.functions.param import ImageParam
from pipec.func.functions.rdom import RDom
from pipec.func.functions.var import Var
from pipec.func.math.convert import cast
from pipec.func.math.expr import Expr
from pipec.ir.tensor import TensorIntrinsic, TensorOperand, declare
from pipec.ir.types import Float
from pipec.ir.walk import substitute
from pipec.jit.llvm.machine import host
from pipec.jit.llvm.math.tensor import parsed
from pipec.jit.objects import cache
from pipec.jit.objects.source_digest import COMPILER, source_digest

Array = np.ndarray[Any, np.dtype[Any]]
SAMPLES = 256
"""The operations that are compared; each has operands of its own."""
TIMEOUT_SECONDS = 120.0
_CHILD = "from pipec.pipeline.tensor.prove import child; child()"


def is_supported(intrinsic: TensorIntrinsic) -> bool:
    """Whether this machine has the features of an intrinsic."""
    features = host().features.split(",")
    return all(f"+{feature}" in features for feature in intrinsic.features)


def prove(intrinsic: TensorIntrinsic, tolerance: float) -> None:
    """Raises DefinitionError unless the implementation computes the pattern on this machine, if it can run here."""
    if intrinsic.formula is None:
        parsed(intrinsic)
    if not is_supported(intrinsic):
        return
    key = cache.key_of("tensor", f"{intrinsic.digest} {tolerance}", repr(host()), source_digest(COMPILER))
    if cache.load(key) is None:
        _prove_in_child(intrinsic, tolerance)
        cache.store(key, b"equal")


def _prove_in_child(intrinsic: TensorIntrinsic, tolerance: float) -> None:
    root = str(Path(__file__).parents[3])
    code = f"import sys; sys.path.insert(0, {root!r}); {_CHILD}"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps((intrinsic, tolerance)),
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
    )
    problem = done.stdout.decode(errors="replace").strip()
    if done.returncode == 0 and problem == "equal":
        return
    if not problem:
        last = done.stderr.decode(errors="replace").strip().splitlines()[:1] or [f"it ends with {done.returncode}"]
        problem = f"LLVM cannot make code of it for this machine: {last[0]}. Name the features that it needs: supports"
    raise DefinitionError(f"Error: The implementation of the tensor intrinsic {intrinsic.name} is refused. {problem}.")


def child() -> None:
    """Reads an intrinsic and a tolerance from stdin; prints "equal", or where implementation and pattern differ."""
    intrinsic, tolerance = pickle.load(sys.stdin.buffer)
    try:
        difference = difference_of(intrinsic, tolerance)
    except (PipecError, InternalError) as error:
        difference = str(error).removeprefix("Error: ").rstrip(".")
    sys.stdout.write(difference or "equal")


def difference_of(intrinsic: TensorIntrinsic, tolerance: float = 1e-5, samples: int = SAMPLES) -> str:
    """Where the implementation differs from the pattern; "" where they are equal."""
    declare(intrinsic)
    rng = np.random.default_rng(1)
    operands = (intrinsic.result, *intrinsic.inputs)
    arrays = {operand.name: _samples(rng, intrinsic, operand, samples) for operand in operands}
    trial = _Trial(intrinsic)
    shape = [*[intrinsic.extent([dim]) for dim in intrinsic.result.dims], samples]
    expected = trial.by_pattern(arrays, shape)
    result = trial.by_implementation(arrays, shape)
    wrong = _differs(result, expected, tolerance)
    if not wrong.any():
        return ""
    place = tuple(np.argwhere(wrong)[0])
    inputs = "; ".join([f"{operand} = {arrays[operand.name][place[0]].tolist()}" for operand in operands])
    at = ", ".join([str(int(number)) for number in place[:0:-1]])
    own = f"{intrinsic.result.name}[{at}]"
    return f"{own} becomes {result[place]} where the pattern gives {expected[place]}, for {inputs}"


class _Trial:
    """A pipeline that computes a pattern for many operands: the last dimension of everything is their number."""

    def __init__(self, intrinsic: TensorIntrinsic) -> None:
        self.intrinsic = intrinsic
        self.sample = Var("sample")
        self.images: dict[str, ImageParam] = {}
        for operand in (intrinsic.result, *intrinsic.inputs):
            # numpy has no type for 16-bit brain floats: the pipeline converts to them.
            kind = Float(32) if operand.type.is_bfloat() else operand.type
            self.images[operand.name] = ImageParam(kind, len(operand.dims) + 1, operand.name)
        self.func = Func("trial")
        reductions = [loop for loop in intrinsic.loops if loop.reduction]
        self.variables: dict[str, Any] = {loop.name: Var(loop.name) for loop in intrinsic.loops if not loop.reduction}
        if reductions:
            domain = RDom([(0, loop.extent) for loop in reductions])
            self.variables |= {loop.name: domain[at] for at, loop in enumerate(reductions)}
        place = self._place(intrinsic.result)
        reads = {
            operand.name: cast(operand.type, self.images[operand.name][self._place(operand)].node)
            for operand in intrinsic.inputs
        }
        if intrinsic.operands[0] is intrinsic.result:
            self.func[place] = self.images[intrinsic.result.name][place]
            reads[intrinsic.result.name] = self.func[place].node
        self.func[place] = Expr(substitute(intrinsic.value, reads))

    def _place(self, operand: TensorOperand) -> tuple[Any, ...]:
        return (*[self.variables[dim] for dim in operand.dims], self.sample)

    def by_pattern(self, arrays: dict[str, Array], shape: list[int]) -> Array:
        """The results by the reference evaluator, which shares no code with what makes machine code."""
        definition, _ = freeze([self.func.function])
        inputs = {image.name(): (arrays[name].T, (0,) * arrays[name].ndim) for name, image in self.images.items()}
        name = self.func.name()
        inputs = {name: pair for name, pair in inputs.items() if name in definition.images}
        return interpret(definition, inputs, {}, {name: tuple([(0, extent) for extent in shape])})[name].T

    def by_implementation(self, arrays: dict[str, Array], shape: list[int]) -> Array:
        """The results of the implementation's machine code."""
        loops = []
        stage = self.func.update() if self.func.has_update_definition() else self.func
        for loop in self.intrinsic.loops:
            inner = self.variables[loop.name]
            if not loop.reduction:
                inner = Var(f"{loop.name}.inner")
                stage.split(self.variables[loop.name], self.variables[loop.name], inner, loop.extent)
            loops.append(inner)
        outer = [self.variables[loop.name] for loop in self.intrinsic.loops if not loop.reduction]
        stage.reorder(*loops, *outer, self.sample)
        stage.tensorize(loops, self.intrinsic.name)
        for name, image in self.images.items():
            image.set(Buffer(arrays[name]))
        return np.asarray(self.func.realize(shape))


def _samples(rng: np.random.Generator, intrinsic: TensorIntrinsic, operand: TensorOperand, count: int) -> Array:
    """Operands, dimension 0 last: of random and of extreme elements in all mixtures."""
    shape = (count, *[intrinsic.extent([dim]) for dim in reversed(operand.dims)])
    dtype = np.dtype(np.float32) if operand.type.is_bfloat() else operand.type.numpy()
    if operand.type.floating:
        values = rng.normal(size=shape)
        chosen = rng.choice([0.0, 1.0, -1.0, 0.5, 3.0], shape)
    else:
        low, high = int(operand.type.min_value()), int(operand.type.max_value())
        values = rng.integers(low, high, shape, dtype=dtype, endpoint=True)
        chosen = rng.choice(np.array([low, high, 0, 1, high - 1], dtype), shape)
        # Operands of one extreme value throughout, against all others.
        chosen[: count // 4] = rng.choice(np.array([low, high], dtype), count // 4).reshape(-1, *[1] * (len(shape) - 1))
    few = rng.random(shape) < rng.random((count, *[1] * (len(shape) - 1)))
    few[: count // 4] = True
    return np.where(few, chosen, values).astype(dtype)


def _differs(result: Array, expected: Array, tolerance: float) -> Array:
    if result.dtype.kind in "iub":
        return np.asarray(result != expected)
    wide, right = result.astype(np.float64), expected.astype(np.float64)
    return np.asarray(np.abs(wide - right) > tolerance * max(1.0, float(np.abs(right).max())))
