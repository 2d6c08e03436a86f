"""Programs as operators of torch: registered with a fake kernel and with their gradients, which are operators again."""

from __future__ import annotations

import hashlib
import itertools
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch

from pipec.autodiff.copies import is_scheduled
from pipec.autodiff.program import TensorProgram, evaluated
from pipec.autodiff.torch_tensors import Signature
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.func import Func
from pipec.func.functions.var import Var
from pipec.ir.walk import free_variables
from pipec.schedule.bounds import Bound

# (min, extent) of each dimension of the outputs, by name.
Boxes = dict[str, list[Any]]
# Extents of small inputs, by name: machine code is operator for them.
Sizes = tuple[tuple[str, int], ...]
_names: set[str] = set()
_name_lock = threading.Lock()


class Compiler(Protocol):
    """Compiles and schedules Funcs."""

    def compiled(self, outputs: Sequence[Func], inputs: Sequence[str]) -> Callable[..., None]:
        """A function of these inputs and a buffer for each result."""

    def schedule(self, outputs: Sequence[Func], boxes: Boxes, inputs: dict[str, list[int]], search: bool) -> None:
        """Gives the Funcs a schedule for outputs with these boxes and inputs with these extents, by a search or not."""


class TorchOperator:
    """A program as an operator of torch. `call` is what programs and torch.compile see.

    A batch is computed one element after another, each by all threads; gradients of inputs that serve the whole batch
    are summed over it. Machine code is compiled at the first call and serves images of all sizes;
    sizes of small inputs, as of filters, are compiled in.
    """

    def __init__(self, program: TensorProgram, name: str, compiler: Compiler, searches: bool) -> None:
        self.program, self.compiler, self.searches = program, compiler, searches
        self.signature = Signature(program, name)
        self.name = name
        # By the sizes that are compiled in.
        self._runs: dict[Sizes, Callable[..., None]] = {}
        self._lock = threading.Lock()
        self._gradients: dict[tuple[int, ...], TorchOperator] = {}
        self._seeded = [at for at, result in enumerate(program.results) if result.type.floating]
        inputs = ", ".join([f"Tensor input{at}" for at in range(len(program.inputs))])
        outputs = ", ".join(["Tensor"] * len(program.results))
        outputs = outputs if len(program.results) == 1 else f"({outputs})"
        operator = torch.library.custom_op(
            f"pipec::{_unique(program, name)}", self._kernel, mutates_args=(), schema=f"({inputs}) -> {outputs}"
        )
        operator.register_fake(self._fake)
        operator.register_autograd(self._backward, setup_context=_keep)
        self.call = operator._opoverload

    def gradient(self, inputs: tuple[int, ...]) -> TorchOperator:
        """The operator of the gradients with respect to these inputs: a function of the inputs and of adjoints."""
        with self._lock:
            if inputs not in self._gradients:
                program = self.program.gradient(inputs)
                self._gradients[inputs] = TorchOperator(program, f"d_{self.name}", self.compiler, self.searches)
            return self._gradients[inputs]

    # What torch calls

    def _kernel(self, *tensors: torch.Tensor) -> Any:
        batch = self.signature.batch(tensors)
        outputs = self.signature.empty(batch, tensors)
        adjoints = tensors[len(tensors) - self.program.adjoints :]
        if not all(output.numel() for output in outputs) or (adjoints and not any(t.numel() for t in adjoints)):
            return _few([output.zero_() for output in outputs])
        values = self.signature.extents(tensors)
        small = self.signature.small(tensors)
        run = self._runs.get(small) or self._compiled(small, tensors, values)
        arguments = [(spec.values(t), spec.batched(t)) for spec, t in zip(self.signature.inputs, tensors, strict=True)]
        boxes = [self.signature.box(result.region, values) for result in self.program.results]
        if batch is None:
            run(*[value for value, _ in arguments], *map(_buffer, outputs, boxes))
            return _few(outputs)
        each = [output.dim() > len(box) for output, box in zip(outputs, boxes, strict=True)]
        for at in range(batch):
            inputs = [value[at] if batched else value for value, batched in arguments]
            own = [output[at] if e else torch.empty_like(output) for output, e in zip(outputs, each, strict=True)]
            run(*inputs, *map(_buffer, own, boxes))
            for output, part, apart in zip(outputs, own, each, strict=True):
                if not apart:
                    output.copy_(part) if at == 0 else output.add_(part)
        return _few(outputs)

    def _fake(self, *tensors: torch.Tensor) -> Any:
        return _few(self.signature.empty(self.signature.batch(tensors), tensors))

    def _backward(self, ctx: Any, *adjoints: Any) -> Any:
        inputs = tuple([at for at, needed in enumerate(ctx.needs_input_grad) if needed])
        if not inputs:
            return (None,) * len(self.program.inputs)
        gradients = self.gradient(inputs).call(*ctx.saved_tensors, *[adjoints[at] for at in self._seeded])
        values = iter([gradients] if isinstance(gradients, torch.Tensor) else gradients)
        return tuple([next(values) if at in inputs else None for at in range(len(self.program.inputs))])

    # Machine code

    def _compiled(self, small: Sizes, tensors: Sequence[torch.Tensor], values: dict[str, int]) -> Callable[..., None]:
        with self._lock:
            if small not in self._runs:
                outputs = self._scheduled(small, tensors, values)
                self._runs[small] = self.compiler.compiled(outputs, [source.name for source in self.signature.inputs])
            return self._runs[small]

    def _scheduled(self, small: Sizes, tensors: Sequence[torch.Tensor], values: dict[str, int]) -> Sequence[Func]:
        """The outputs with the user's schedule, or copies of them with one for the sizes of this first call."""
        if is_scheduled(self.program.outputs):
            return self.program.outputs
        outputs = self.program.copies(dict(small), keep_sizes=True)
        self._bound(outputs, dict(small))
        results = iter(self.program.results)
        boxes = {}
        for output in outputs:
            regions = [next(results).region for _ in output.types()]
            boxes[output.name()] = self.signature.box(regions[0], values)
        pairs = zip(self.signature.inputs, tensors, strict=True)
        inputs = {s.name: list(reversed(t.shape[1:] if s.batched(t) else t.shape)) for s, t in pairs if not s.scalar}
        self.compiler.schedule(outputs, boxes, inputs, self.searches)
        return outputs

    def _bound(self, outputs: Sequence[Func], small: dict[str, int]) -> None:
        """Gives outputs of constant size their bounds: vectors have no tails then, and sums fit into registers."""
        results = iter(self.program.results)
        for output in outputs:
            regions = [next(results).region for _ in output.types()]
            bounded = {
                directive.var for directive in output.function.schedule.directives if isinstance(directive, Bound)
            }
            for name, (low, extent) in zip(output.function.args, regions[0], strict=True):
                is_constant = all(free_variables(e) <= small.keys() for e in (low, extent))
                if is_constant and name not in bounded:
                    output.bound(Var(name), *[evaluated(e, small) for e in (low, extent)])


def _keep(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    ctx.save_for_backward(*inputs)


def _few(tensors: list[torch.Tensor]) -> Any:
    return tensors[0] if len(tensors) == 1 else tuple(tensors)


def _buffer(tensor: torch.Tensor, box: Sequence[tuple[int, int]]) -> Any:
    """The memory of a result over its box."""
    if tensor.dtype != torch.bfloat16 and not any(low for low, _ in box):
        return tensor.numpy()
    buffer = Buffer(tensor)
    buffer.set_min([low for low, _ in box])
    return buffer


def _unique(program: TensorProgram, name: str) -> str:
    """A name for torch that no other operator has; it tells programs apart, since torch keeps code on disk by it."""
    text = repr([output.function.definition() for output in program.outputs] + [r.region for r in program.results])
    stem = f"{re.sub('[^A-Za-z0-9]+', '_', name)}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    with _name_lock:
        for count in itertools.count():
            unique = f"{stem}_{count}" if count else stem
            if unique not in _names:
                _names.add(unique)
                return unique
    raise AssertionError
