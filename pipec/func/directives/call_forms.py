"""The forms in which methods with several of them take their arguments: places, compute_with, tile and gpu_tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipec.errors import NotSupportedError, ScheduleError, require_instance
from pipec.func.directives.loop_level import LoopLevel, dim_of, level_in
from pipec.func.directives.options import LoopAlignStrategy
from pipec.func.directives.scheduled import Scheduled
from pipec.schedule.fields import LevelRef as Level
from pipec.schedule.fields import StageRef
from pipec.schedule.schedule import Dim
from pipec.schedule.split import TailStrategy
from pipec.target import DeviceAPI

_DEVICES = (DeviceAPI.Default_GPU, DeviceAPI.OpenCL)


def listed(values: tuple[Any, ...], keywords: Mapping[str, Any], keyword: str) -> Sequence[Any]:
    """The items of a method that takes several arguments, one list, or a list as `keyword`."""
    if not values and set(keywords) == {keyword}:
        values, keywords = (keywords[keyword],), {}
    if keywords:
        raise TypeError(f"incompatible function arguments: unknown keywords {sorted(keywords)}")
    return values[0] if len(values) == 1 and isinstance(values[0], list | tuple) else values


def dims(variables: Sequence[Any]) -> list[Dim]:
    """Vars and RVars as schedules name them."""
    return [dim_of(variable) for variable in variables]


def loop_level(args: tuple[Any, ...], keywords: Mapping[str, Any], method: str) -> Level | LoopLevel:
    """The place that (func or stage, var) or (loop_level) names; the user's LoopLevel may still be undecided."""
    arguments = [*args, *keywords.values()]
    if len(arguments) == 1 and isinstance(arguments[0], LoopLevel):
        return arguments[0]
    if len(arguments) == 2 and isinstance(arguments[0], Scheduled):
        return level_in(arguments[0], arguments[1])
    raise TypeError(
        f"{method}(): incompatible function arguments: it takes a Func (or Stage) and a Var or RVar, or a "
        f"LoopLevel. Invoked with: {arguments!r}"
    )


_COMPUTE_WITH_FORMS = (
    "compute_with(stage, var, align), compute_with(loop_level, align); align: a LoopAlignStrategy, or a list of "
    "(var, LoopAlignStrategy)"
)


def compute_with_arguments(
    args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> tuple[StageRef, str, list[str], list[str]]:
    """The stage and loop that compute_with names; the loops whose first, and last, iterations shall coincide."""
    named = dict(keywords)
    positional = list(args)
    first = positional.pop(0) if positional else named.pop("loop_level", named.pop("stage", None))
    if isinstance(first, LoopLevel):
        level = _loop_to_share(first)
    else:
        var = positional.pop(0) if positional else named.pop("var", None)
        if var is None:
            raise _no_form_of_compute_with(": no loop")
        level = level_in(first, var)
    align = positional.pop(0) if positional else named.pop("align", LoopAlignStrategy.Auto)
    if positional or named:
        raise _no_form_of_compute_with()
    strategies = _strategies(level.var, align)
    starts = [name for name, strategy in strategies.items() if strategy is LoopAlignStrategy.AlignStart]
    ends = [name for name, strategy in strategies.items() if strategy is LoopAlignStrategy.AlignEnd]
    return StageRef(level.func, level.stage or 0), level.var, starts, ends


def _no_form_of_compute_with(problem: str = "") -> TypeError:
    return TypeError(f"compute_with(): incompatible function arguments{problem}. The forms are: {_COMPUTE_WITH_FORMS}.")


def _loop_to_share(handle: LoopLevel) -> Level:
    level = handle.level()
    if level is None:
        raise ScheduleError(
            "Error: There should be no undefined LoopLevels at the start of lowering. compute_with needs to know its "
            "loop when it is called: call set() on the LoopLevel() before. (Did you mean to use LoopLevel::inlined() "
            "instead of LoopLevel() ?)"
        )
    if level.is_root or level.is_inlined:
        where = "LoopLevel.root()" if level.is_root else "LoopLevel.inlined()"
        raise ScheduleError(
            f"Error: Undefined loop level to compute with: {where} is no loop of a stage.\n"
            "Name the innermost loop that the two stages are to share: compute_with(func, var)."
        )
    return level


def _strategies(var: str, align: Any) -> dict[str, LoopAlignStrategy]:
    """The strategy of each loop; of several for one loop the first counts."""
    if isinstance(align, LoopAlignStrategy):
        return {var: align}
    strategies: dict[str, LoopAlignStrategy] = {}
    try:
        pairs = [(dim_of(variable).name, strategy) for variable, strategy in align]
    except (TypeError, ValueError):
        pairs = [("", None)]
    for name, strategy in pairs:
        if not isinstance(strategy, LoopAlignStrategy):
            raise _no_form_of_compute_with(f": {align!r}")
        strategies.setdefault(name, strategy)
    return strategies


_TILE_FORMS = (
    ("x", "y", "xo", "yo", "xi", "yi", "xfactor", "yfactor"),
    ("x", "y", "xi", "yi", "xfactor", "yfactor"),
    ("previous", "outers", "inners", "factors"),
    ("previous", "inners", "factors"),
)


def tile_arguments(
    args: tuple[Any, ...], keywords: Mapping[str, Any]
) -> tuple[Sequence[Any], Sequence[Any], Sequence[Any], Sequence[Any], TailStrategy]:
    """The split variables, outer and inner variables, factors and tail of a tile; no outer ones: the old names."""
    keywords = dict(keywords)
    tail = keywords.pop("tail", TailStrategy.Auto)
    if args and isinstance(args[-1], TailStrategy):
        *rest, tail = args
        args = tuple(rest)
    require_instance("tile", TailStrategy, tail)
    for names in _TILE_FORMS:
        arguments = dict(zip(names, args, strict=False))
        if len(args) + len(keywords) != len(names) or set(arguments) & set(keywords):
            continue
        arguments |= keywords
        in_lists = isinstance(arguments.get(names[0]), list | tuple)
        if set(arguments) != set(names) or in_lists != (names[0] == "previous"):
            continue
        if in_lists:
            return arguments["previous"], arguments.get("outers", ()), arguments["inners"], arguments["factors"], tail
        outers = (arguments["xo"], arguments["yo"]) if "xo" in arguments else ()
        factors = (arguments["xfactor"], arguments["yfactor"])
        return (arguments["x"], arguments["y"]), outers, (arguments["xi"], arguments["yi"]), factors, tail
    raise TypeError(
        f"tile(): incompatible function arguments. The forms are: {'; '.join(', '.join(f) for f in _TILE_FORMS)}, "
        f"each with an optional tail. Invoked with: {args!r}, {keywords!r}"
    )


def _gpu_tile_forms() -> list[tuple[int, tuple[str, ...]]]:
    """For each form of gpu_tile the number of dimensions and the names of its arguments."""
    forms = []
    for count in (1, 2, 3):
        axes = ("x", "y", "z")[:count]
        threads, sizes = [f"t{axis}" for axis in axes], [f"{axis}_size" for axis in axes]
        forms.append((count, (*axes, *[f"b{axis}" for axis in axes], *threads, *sizes)))
        forms.append((count, (*axes, *threads, *sizes)))
    return forms


_GPU_TILE_FORMS = _gpu_tile_forms()


def gpu_tile_arguments(args: tuple[Any, ...], keywords: Mapping[str, Any]) -> tuple[int, list[Any], TailStrategy]:
    """The number of dimensions, the variables and sizes, and the tail of a gpu_tile."""
    keywords, rest = dict(keywords), list(args)
    device, tail = keywords.pop("device_api", None), keywords.pop("tail", TailStrategy.Auto)
    if rest and isinstance(rest[-1], DeviceAPI):
        device = rest.pop()
    if rest and isinstance(rest[-1], TailStrategy):
        tail = rest.pop()
    check_device(device)
    require_instance("gpu_tile", TailStrategy, tail)
    for count, names in _GPU_TILE_FORMS:
        arguments = dict(zip(names, rest, strict=False))
        if len(rest) + len(keywords) == len(names) and {*arguments, *keywords} == {*names}:
            arguments |= keywords
            return count, [arguments[name] for name in names], tail
    forms = "; ".join(", ".join(names) for _, names in _GPU_TILE_FORMS)
    raise TypeError(
        f"gpu_tile(): incompatible function arguments. The forms are: {forms}, "
        f"each with an optional tail and device_api. Invoked with: {args!r}, {keywords!r}"
    )


def without_device(variables: tuple[Any, ...], device_api: Any) -> tuple[tuple[Any, ...], Any]:
    """The variables and the device of a method; the device may also be given last, without its keyword."""
    if variables and isinstance(variables[-1], DeviceAPI) and device_api is None:
        return variables[:-1], variables[-1]
    return variables, device_api


def check_device(device: Any) -> None:
    """Raises for a device that kernels cannot be made for."""
    if device is not None and not isinstance(device, DeviceAPI):
        raise TypeError(f"incompatible function arguments: device_api is a DeviceAPI, not {device!r}")
    if device is not None and device not in _DEVICES:
        raise NotSupportedError(
            f"Error: pipec makes code for GPUs in OpenCL only, not for {device}: leave device_api out, or give"
            " DeviceAPI.OpenCL."
        )
