"""The directives that place the loops of a stage on a GPU."""

from __future__ import annotations

from typing import Any, Self

from pipec.errors import NotSupportedError
from pipec.func.directives.loop_level import LoopVar, dim_of
from pipec.func.functions.function import Function
from pipec.func.math.convert import cast, node_or_none
from pipec.ir.stmt import LoopKind
from pipec.ir.types import INT32
from pipec.schedule import apply
from pipec.schedule.directive import TailStrategy
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import StageShape
from pipec.target import DeviceAPI

_DEVICES = (DeviceAPI.Default_GPU, DeviceAPI.OpenCL)


class GpuLoops:
    """About the loops of a stage. `device_api` may be Default_GPU or OpenCL."""

    __slots__ = ()
    _function: Function

    def _shape(self) -> StageShape:
        raise NotImplementedError

    def _set(self, schedule: Schedule) -> Self:
        raise NotImplementedError

    def gpu_blocks(self, *variables: Any, device_api: Any = None) -> Self:
        """gpu_blocks(x), (x, y) or (x, y, z): iterations run in work-groups of their own, in any order."""
        return self._mark_all("gpu_blocks", variables, device_api, LoopKind.GPU_BLOCK)

    def gpu_threads(self, *variables: Any, device_api: Any = None) -> Self:
        """gpu_threads(x), (x, y) or (x, y, z): iterations run in the work-items of a work-group."""
        return self._mark_all("gpu_threads", variables, device_api, LoopKind.GPU_THREAD)

    def gpu_lanes(self, variable: LoopVar, device_api: Any = None) -> Self:
        """Iterations run in neighbouring work-items: the innermost of the loops over threads."""
        return self._mark_all("gpu_lanes", (variable,), device_api, LoopKind.GPU_LANE)

    def gpu_single_thread(self, device_api: Any = None) -> Self:
        """All loops so far run in one thread of a GPU: for small stages between kernels, which then stay there."""
        check_device(device_api)
        return self._set(apply.gpu_single_thread(self._function.schedule, self._shape()))

    def gpu(self, *variables: Any, device_api: Any = None) -> Self:
        """gpu(block, thread), (bx, by, tx, ty) or (bx, by, bz, tx, ty, tz): gpu_blocks and gpu_threads in one."""
        variables, device_api = _without_device(variables, device_api)
        if len(variables) not in (2, 4, 6):
            raise TypeError(f"gpu(): incompatible function arguments: 2, 4 or 6 variables are needed: {variables!r}")
        half = len(variables) // 2
        self.gpu_blocks(*variables[:half], device_api=device_api)
        return self.gpu_threads(*variables[half:], device_api=device_api)

    def gpu_tile(self, *args: Any, **keywords: Any) -> Self:
        """Tiles, one a block, of iterations, one a thread.

        gpu_tile(x, bx, tx, x_size), gpu_tile(x, y, bx, by, tx, ty, x_size, y_size) or the same with z; without the
        block variables the old names stand for blocks. `tail`: a TailStrategy.
        """
        count, given, tail = _tile_arguments(args, keywords)
        sizes, dims = given[-count:], [dim_of(variable) for variable in given[:-count]]
        lists = dims[:count], dims[count:-count], dims[-count:]
        sizes = [_size(size) for size in sizes]
        return self._set(apply.gpu_tile(self._function.schedule, self._shape(), *lists, sizes, tail))

    def _mark_all(self, method: str, variables: tuple[Any, ...], device_api: Any, kind: LoopKind) -> Self:
        variables, device_api = _without_device(variables, device_api)
        check_device(device_api)
        if not 1 <= len(variables) <= 3:
            raise TypeError(f"{method}(): incompatible function arguments: 1 to 3 variables are needed: {variables!r}")
        for variable in variables:
            self._set(apply.mark(self._function.schedule, self._shape(), dim_of(variable), kind))
        return self


def _without_device(variables: tuple[Any, ...], device_api: Any) -> tuple[tuple[Any, ...], Any]:
    """A device may also be given last, without its keyword."""
    if variables and isinstance(variables[-1], DeviceAPI) and device_api is None:
        return variables[:-1], variables[-1]
    return variables, device_api


def check_device(device: Any) -> None:
    """Raises for what kernels cannot be made for."""
    if device is not None and not isinstance(device, DeviceAPI):
        raise TypeError(f"incompatible function arguments: device_api is a DeviceAPI, not {device!r}")
    if device is not None and device not in _DEVICES:
        raise NotSupportedError(
            f"Error: pipec makes code for GPUs in OpenCL only, not for {device}: leave device_api out, or give"
            " DeviceAPI.OpenCL."
        )


def _size(value: Any) -> Any:
    node = node_or_none(value)
    if node is None:
        raise TypeError(f"gpu_tile(): incompatible function arguments: an int or Expr is needed, not {value!r}")
    return cast(INT32, node) if node.type.integral else node


_AXES = ("x", "y", "z")


def _forms() -> list[tuple[int, tuple[str, ...]]]:
    """For each form of gpu_tile the number of dimensions and the names of what it takes."""
    found = []
    for count in (1, 2, 3):
        axes = _AXES[:count]
        threads, sizes = [f"t{axis}" for axis in axes], [f"{axis}_size" for axis in axes]
        found.append((count, (*axes, *[f"b{axis}" for axis in axes], *threads, *sizes)))
        found.append((count, (*axes, *threads, *sizes)))
    return found


_FORMS = _forms()


def _tile_arguments(args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[int, list[Any], TailStrategy]:
    keywords, rest = dict(keywords), list(args)
    device, tail = keywords.pop("device_api", None), keywords.pop("tail", TailStrategy.Auto)
    if rest and isinstance(rest[-1], DeviceAPI):
        device = rest.pop()
    if rest and isinstance(rest[-1], TailStrategy):
        tail = rest.pop()
    check_device(device)
    for count, names in _FORMS:
        given = dict(zip(names, rest, strict=False))
        if len(rest) + len(keywords) == len(names) and {*given, *keywords} == {*names}:
            given |= keywords
            return count, [given[name] for name in names], tail
    raise TypeError(
        f"gpu_tile(): incompatible function arguments. The forms are: {'; '.join(', '.join(f) for _, f in _FORMS)}, "
        f"each with an optional tail and device_api. Invoked with: {args!r}, {keywords!r}"
    )
