"""Filters of tensors: without gradients as arrays, with them as differentiable operators and layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from pipec.filters.kinds import ArrayKind, NumberKind

if TYPE_CHECKING:
    from pipec.filters.function import Filter


def call_with_tensors(filter: Filter, arguments: dict[str, Any]) -> Any:
    """Runs a filter where at least one argument is a tensor, by the names of its parameters."""
    learned = torch.is_grad_enabled() and any(
        isinstance(value, torch.Tensor) and value.requires_grad for value in arguments.values()
    )
    if learned:
        return _differentiable(filter, arguments)
    plain = {name: _plain(value) for name, value in arguments.items()}
    results = filter.call_arrays(plain)
    if isinstance(results, tuple):
        return tuple([torch.from_numpy(result) for result in results])
    return torch.from_numpy(results)


def _plain(value: Any) -> Any:
    """A tensor as an array, one of shape [] as a number."""
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().item() if value.dim() == 0 else value.detach().numpy()


def _differentiable(filter: Filter, arguments: dict[str, Any]) -> Any:
    key = tuple([(name, _kind(value)) for name, value in arguments.items()])
    compiled = filter.compiled(key, True, {})
    layer = filter.layers.get(key)
    if layer is None:
        first = next(source for source in compiled.inputs if hasattr(source, "dim"))
        y, x = [first.dim(first.dimensions() - d).extent() for d in (1, 2)]
        sizes: list[list[Any]] = []
        for kind in compiled.outputs:
            sizes.append([kind.channels, x, y] if kind.rank == 3 else [x, y])
        layer = compiled.pipeline.as_torch(compiled.inputs, sizes[0] if len(sizes) == 1 else sizes)
        filter.layers[key] = layer
    return layer(*[arguments[name] for name in compiled.names])


def _kind(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        if value.dim() == 0:
            return NumberKind(dtype)
        return ArrayKind(dtype, value.dim(), value.shape[2] if value.dim() == 3 else 0)
    if isinstance(value, float):
        return NumberKind("float32")
    return NumberKind("int32") if isinstance(value, int) and not isinstance(value, bool) else value


class FilterModule(torch.nn.Module):
    """A filter as a layer: numbers given at its creation are parameters."""

    def __init__(self, filter: Filter, parameters: dict[str, float]) -> None:
        super().__init__()
        self._filter = filter
        for name, value in parameters.items():
            self.register_parameter(name, torch.nn.Parameter(torch.tensor(float(value))))

    def forward(self, *images: Any, **others: Any) -> Any:
        """The filter's result for tensors of shape (y, x) or (y, x, c), with the parameters as they are now."""
        return self._filter(*images, **others, **dict(self.named_parameters()))
