"""Programs as operators of torch: registered with a fake kernel and with their gradients, which are operators again."""

from __future__ import annotations

import hashlib
import itertools
import re
import sys
import threading
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, Protocol

import torch

from pipec.autodiff.copies import is_scheduled
from pipec.autodiff.program import Source, TensorProgram, evaluated
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
# Operators last as long as the library that defines them.
_library: Any = torch.library.Library("pipec", "FRAGMENT")  # type: ignore[no-untyped-call]


class Compiler(Protocol):
    """Compiles and schedules Funcs."""

    def compiled(self, outputs: Sequence[Func], inputs: Sequence[str]) -> Callable[..., None]:
        """A function of these inputs and a buffer for each result."""

    def identity(self, outputs: Sequence[Func]) -> str:
        """A text that is equal only for equal pipelines, with what users said of sizes; empty where there is none."""

    def cached(
        self, key: str, make: Callable[[], Sequence[Func]], origin: Sequence[Func], inputs: Sequence[Source]
    ) -> Sequence[Func]:
        """The scheduled Funcs cached under `key`, else those that `make` makes, which are cached then.

        They read what the Funcs of `origin` read, and `inputs`.
        """

    def schedule(self, outputs: Sequence[Func], boxes: Boxes, inputs: dict[str, list[int]], search: bool) -> None:
        """Gives the Funcs a schedule for outputs with these boxes and inputs with these extents, by a search or not."""


class TorchOperator:
    """A program as an operator of torch. `call` is what programs and torch.compile see.

    A batch is computed one element after another, each by all threads; gradients of inputs that serve the whole batch
    are summed over it. Machine code is compiled at the first call and serves images of all sizes;
    sizes of small inputs, as of filters, are compiled in.
    """

    def __init__(
        self,
        program: TensorProgram,
        name: str,
        compiler: Compiler,
        searches: bool,
        parent: tuple[TorchOperator, tuple[int, ...]] | None = None,
    ) -> None:
        """`parent`: the operator of which this is the gradient, and with respect to which of its inputs."""
        self.program, self.compiler, self.searches, self.parent = program, compiler, searches, parent
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
        self.unique_name = _unique_name(name, self._text())
        self.call = _registered(self.unique_name, f"({inputs}) -> {outputs}", self._kernel, self._fake, self._backward)

    def gradient(self, inputs: tuple[int, ...]) -> TorchOperator:
        """The operator of the gradients with respect to these inputs: a function of the inputs and of adjoints."""
        with self._lock:
            if inputs not in self._gradients:
                program = self.program.gradient(inputs)
                self._gradients[inputs] = TorchOperator(
                    program, f"d_{self.name}", self.compiler, self.searches, (self, inputs)
                )
            return self._gradients[inputs]

    def _text(self) -> str:
        """Tells programs apart."""
        if self.parent is not None:
            operator, inputs = self.parent
            return f"{operator.unique_name} {inputs}"
        results = self.program.results
        return repr([output.function.definition() for output in self.program.outputs] + [r.region for r in results])

    @cached_property
    def identity(self) -> str:
        """As Compiler.identity, found without differentiating."""
        if self.parent is not None:
            operator, inputs = self.parent
            return operator.identity and f"{operator.identity} gradient {inputs}"
        own = self.compiler.identity(self.program.outputs)
        return own and f"{own} {[result.region for result in self.program.results]}"

    @property
    def origin(self) -> Sequence[Func]:
        """The outputs of the program that the user gave."""
        return self.program.outputs if self.parent is None else self.parent[0].origin

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
        # No user can schedule a gradient.
        if self.parent is None and is_scheduled(self.program.outputs):
            return self.program.outputs
        boxes = [self.signature.box(result.region, values) for result in self.program.results]
        pairs = zip(self.signature.inputs, tensors, strict=True)
        inputs = {s.name: list(reversed(t.shape[1:] if s.batched(t) else t.shape)) for s, t in pairs if not s.scalar}
        schedule = partial(self._schedule, small, boxes, inputs)
        if self.searches or not self.identity:
            return schedule()
        key = f"{self.identity} {small} {boxes} {inputs}"
        return self.compiler.cached(key, schedule, self.origin, self.program.inputs)

    def _schedule(self, small: Sizes, boxes: Sequence[Any], inputs: dict[str, list[int]]) -> Sequence[Func]:
        """Copies of the outputs with a schedule. `boxes`: of all results; `inputs`: the extents of inputs."""
        outputs = self.program.copies(dict(small), keep_sizes=True)
        self._bound(outputs, dict(small))
        own = iter(boxes)
        by_name = {output.name(): [next(own) for _ in output.types()][0] for output in outputs}
        self.compiler.schedule(outputs, by_name, inputs, self.searches)
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


def _registered(name: str, schema: str, kernel: Any, fake: Any, backward: Any) -> Any:
    """Registers an operator of torch; returns it.

    Not by `custom_op`, whose kernels import torch._dynamo, which takes most of a second, when they are first called.
    """
    _library.define(name + schema, tags=(torch.Tag.pt2_compliant_tag,))

    untraced: list[Any] = []

    def run(*tensors: torch.Tensor) -> Any:
        # Where torch.compile is used, it must not trace the kernel.
        if "torch._dynamo" not in sys.modules:
            return kernel(*tensors)
        if not untraced:
            untraced.append(sys.modules["torch._dynamo"].disable(kernel))
        return untraced[0](*tensors)

    _library.impl(name, run, "CompositeExplicitAutograd")
    torch.library.register_fake(f"pipec::{name}", fake, lib=_library)
    torch.library.register_autograd(f"pipec::{name}", backward, setup_context=_keep, lib=_library)
    return getattr(torch.ops.pipec, name).default


def _unique_name(name: str, text: str) -> str:
    """A name for torch that no other operator has; it tells programs apart, since torch keeps code on disk by it."""
    stem = f"{re.sub('[^A-Za-z0-9]+', '_', name)}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    with _name_lock:
        for count in itertools.count():
            unique = f"{stem}_{count}" if count else stem
            if unique not in _names:
                _names.add(unique)
                return unique
    raise AssertionError
