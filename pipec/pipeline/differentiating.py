"""The method of Pipelines and Funcs that makes modules of torch; the work is done by `pipec.autodiff.torch_layer`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pipec.errors import ArgumentError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.freeze import freeze
from pipec.func.functions.func import Func
from pipec.func.functions.function import Function
from pipec.func.functions.param import ImageParam, Param
from pipec.func.functions.wrappers import func_of
from pipec.jit.runtime.library import default_threads
from pipec.pipeline.calls.arguments import inferred
from pipec.pipeline.calls.callable import Callable
from pipec.pipeline.calls.runnable import runnable

if TYPE_CHECKING:
    from pipec.autodiff.torch_layer import TorchLayer


class Differentiating:
    """Pipelines inside torch programs."""

    __slots__ = ()

    def _checked(self) -> tuple[Function, ...]:
        raise NotImplementedError

    def as_torch(
        self,
        inputs: Sequence[Any] | None = None,
        sizes: Sequence[Any] | None = None,
        *,
        parameters: Sequence[Any] = (),
        autoschedule: bool = False,
    ) -> TorchLayer:
        """The pipeline as a `torch.nn.Module` that takes CPU tensors and gives new ones, with gradients.

        * `inputs`: the ImageParams, Params and Buffers that the module is called with, in order; by default all
          ImageParams, then Params, each by name. Tensors are read in place. The last dimension of a tensor is dimension
          0 (x), as in `hl.Buffer(array)`: [y, x], [c, y, x]. Params take numbers or tensors of shape [].
        * `sizes`: the extents of the output, dimension 0 first; numbers or Exprs of extents of inputs, such as
          `image.width() - 4`, or (min, extent) pairs; a list of such lists for several outputs. By default those of the
          first image that has as many dimensions as the output.
        * `parameters`: what is learned: ImageParams that are set, Buffers and Params with values. They become
          parameters of the module (`module.parameters()`); those of images share their memory, so that the pipeline
          itself sees what was learned.
        * `autoschedule`: search for schedules of forward and backward at their first calls (some seconds); otherwise
          a default one for gradients. Funcs that you have scheduled run so forward.

        Any tensor may have one dimension more in front, for a batch: a loop computes one element after another, each by
        all threads, and the gradients of what has no such dimension are summed. Derivatives of any order are pipelines;
        what can't be differentiated raises NotSupportedError at backward(). Works under torch.compile.

        >>> import torch
        >>> image, gain, x = hl.ImageParam(hl.Float(32), 1, "image"), hl.Param(hl.Float(32), "gain", 2.0), hl.Var("x")
        >>> f = hl.Func("f")
        >>> f[x] = image[x] * image[x] * gain
        >>> layer = f.as_torch([image], parameters=[gain])
        >>> row = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
        >>> layer(row).sum().backward()
        >>> row.grad.tolist(), layer.gain.grad.item()
        ([4.0, 8.0, 16.0], 21.0)
        """
        from pipec.autodiff.torch_layer import TorchLayer, inputs_of

        outputs = [func_of(function) for function in self._checked()]
        learned = inputs_of(parameters, "parameters")
        needed = _needed(self._checked())
        names = {source.name() for source in learned}
        if inputs is None:
            given: list[Any] = [source for name, source in needed.items() if name not in names]
        else:
            given = inputs_of(inputs, "inputs")
        _require(outputs[0].name(), needed, [*given, *learned])
        return TorchLayer(outputs, given, learned, sizes, JitCompiler(), autoschedule)


def _needed(functions: tuple[Function, ...]) -> dict[str, ImageParam | Param]:
    """The ImageParams and Params that are read: images first, each by name."""
    _, bindings = freeze(functions)
    return {argument.name: _source_of(argument.source) for argument in inferred(bindings)}


def _source_of(parameter: Any) -> ImageParam | Param:
    made: Any = object.__new__(ImageParam if parameter.is_buffer() else Param)
    made._parameter = parameter
    return made  # type: ignore[no-any-return]


def _require(name: str, needed: dict[str, Any], given: Sequence[Any]) -> None:
    names = [source.name() for source in given]
    missing = [wanted for wanted in needed if wanted not in names]
    if missing or len(set(names)) != len(names):
        wrong = f"{', '.join(missing)} is missing" if missing else "one is listed twice"
        raise ArgumentError(
            f"Error: as_torch() of {name} needs all that it reads among inputs and parameters, each once:"
            f" {', '.join(needed)}. It was given {', '.join(names) or 'nothing'}: {wrong}."
        )


class JitCompiler:
    """Machine code and schedules for torch's operators."""

    def __init__(self) -> None:
        self.threads = default_threads()

    def compiled(self, outputs: Sequence[Func], inputs: Sequence[str]) -> Callable:
        """A function of these inputs and a buffer for each result."""
        run = runnable(tuple([output.function for output in outputs]), None)
        bound = run.bindings.items()
        constants = {name: value for name, value in bound if isinstance(value, Buffer) and name not in inputs}
        return Callable(run, [*inputs, *run.output_names], constants)

    def search(self, outputs: Sequence[Func], sizes: dict[str, list[int]], inputs: dict[str, Any]) -> None:
        """Find a schedule for these sizes and give it to the Funcs."""
        from pipec.pipeline.pipeline import Pipeline

        Pipeline(list(outputs)).autoschedule(inputs, sizes)
