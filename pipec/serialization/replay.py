"""Schedules in serialized pipelines: each directive is given anew, and checked as if a user gave it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pipec.errors import ScheduleError
from pipec.func.directives.placement import func_shape
from pipec.func.directives.stage import stage_shape
from pipec.func.functions.function import Function
from pipec.ir.expr import Expr
from pipec.records import fields
from pipec.schedule import apply
from pipec.schedule.directive import Directive, LoopLevel, StageRef
from pipec.schedule.schedule import Schedule
from pipec.schedule.specialize import require_version
from pipec.serialization.form import DIRECTIVES, ENUMS
from pipec.serialization.node_table import NodeTable

# (schedule, what the checks know of the stage or Func, directive) -> schedule
_Apply = Callable[[Schedule, Any, Any], Schedule]

_OF_STAGE: dict[str, _Apply] = {
    "Split": lambda s, w, x: apply.split(s, w, x.old, x.outer, x.inner, x.factor, x.tail),
    "Fuse": lambda s, w, x: apply.fuse(s, w, x.inner, x.outer, x.fused),
    "Rename": lambda s, w, x: apply.rename(s, w, x.old, x.new),
    "ComputeWith": lambda s, w, x: apply.compute_with(s, w, x.other, x.var, x.starts, x.ends),
    "Reorder": lambda s, w, x: apply.reorder(s, w, x.variables),
    "Mark": lambda s, w, x: apply.mark(s, w, x.var, x.kind),
    "SingleThread": lambda s, w, x: apply.gpu_single_thread(s, w),
    "AllowRaces": lambda s, w, x: apply.allow_race_conditions(s, w),
    "Atomic": lambda s, w, x: apply.atomic(s, w, x.override),
    "PartitionLoop": lambda s, w, x: apply.partition(s, w, x.var, x.policy),
    "Prefetch": lambda s, w, x: apply.prefetch(s, w, x.source, x.at, x.from_, x.offset),
    "Rfactor": lambda s, w, x: s.add(x),
    "Specialize": lambda s, w, x: apply.specialize(s, w, x.condition)[0],
    "SpecializeFail": lambda s, w, x: apply.specialize_fail(s, w, x.message),
    "Unscheduled": lambda s, w, x: apply.unscheduled(s, w),
}
_OF_FUNC: dict[str, _Apply] = {
    "ComputeAt": lambda s, w, x: _computed(s, w, x.level),
    "StoreAt": lambda s, w, x: apply.store_root(s, w) if x.level.is_root else apply.store_at(s, w, x.level),
    "HoistStorage": lambda s, w, x: apply.hoist_storage(s, w, x.level),
    "Async": lambda s, w, x: apply.async_(s, w),
    "RingBuffer": lambda s, w, x: apply.ring_buffer(s, w, x.extent),
    "Memoize": lambda s, w, x: apply.memoize(s, w, x.eviction),
    "StoreIn": lambda s, w, x: apply.store_in(s, w, x.memory),
    "StreamStores": lambda s, w, x: apply.stream_stores(s, w, x.past_cache),
    "ReorderStorage": lambda s, w, x: apply.reorder_storage(s, w, x.variables),
    "FoldStorage": lambda s, w, x: apply.fold_storage(s, w, x.var, x.factor, x.forward),
    "AlignStorage": lambda s, w, x: apply.align_storage(s, w, x.var, x.alignment),
    "AlignExtent": lambda s, w, x: apply.align_extent(s, w, x.var, x.modulus),
    "BoundStorage": lambda s, w, x: apply.bound_storage(s, w, x.var, x.extent),
    "Bound": lambda s, w, x: apply.bound(s, w, x.var, x.minimum, x.extent),
    "ExpectBounds": lambda s, w, x: apply.expect_bounds(s, w, x.var, x.minimum, x.extent),
    "AlignBounds": lambda s, w, x: apply.align_bounds(s, w, x.var, x.modulus, x.remainder),
    "Trace": lambda s, w, x: apply.trace(s, w, x.what),
    "TraceTag": lambda s, w, x: apply.trace_tag(s, w, x.tag),
    "DebugToFile": lambda s, w, x: apply.debug_to_file(s, w, x.path),
    "Estimate": lambda s, w, x: apply.estimate(s, w, x.var, x.minimum, x.extent),
}

REPLAYED = frozenset(_OF_STAGE) | frozenset(_OF_FUNC)


def _computed(schedule: Schedule, func: Any, level: LoopLevel) -> Schedule:
    if level.is_root:
        return apply.compute_root(schedule, func)
    return apply.compute_inline(schedule, func) if level.is_inlined else apply.compute_at(schedule, func, level)


def replay(data: Sequence[Any], functions: Mapping[str, Function], table: NodeTable) -> None:
    """Give the Funcs the directives in the data."""
    known = {function.name: function for function in functions.values()}
    for item in data:
        give(_directive(item, functions, table), known)


def give(directive: Directive, functions: Mapping[str, Function]) -> None:
    """Give the Func that a directive is about the directive; `functions`: by their names."""
    word = type(directive).__name__
    stage = getattr(directive, "stage", None)
    name = directive.func if stage is None else stage.func  # type: ignore[attr-defined]
    function = functions.get(name)
    if function is None:
        raise ScheduleError(f"Error: The schedule is about a Func {name}, which the pipeline does not have.")
    if stage is None:
        function.schedule = _OF_FUNC[word](function.schedule, func_shape(function), directive)
        return
    if not 0 <= stage.stage < len(function.stages):
        raise ScheduleError(f"Error: The schedule is about {stage}, but {name} has {len(function.stages)} stages.")
    require_version(function.schedule, stage)
    function.schedule = _OF_STAGE[word](function.schedule, stage_shape(function, stage.stage, stage.path), directive)


def _directive(item: Mapping[str, Any], functions: Mapping[str, Function], table: NodeTable) -> Directive:
    kind = DIRECTIVES[item["do"]]
    declared = fields(kind)
    values = [_value(item[field.name], str(field.type), functions, table) for field in declared]
    for at, field in enumerate(declared):
        # The Funcs of the pipeline may have got other names.
        if field.name in ("func", "intermediate") or (field.name == "source" and values[at] in functions):
            values[at] = functions[values[at]].name
    return kind(*values)


def _value(data: Any, wanted: str, functions: Mapping[str, Function], table: NodeTable) -> Any:
    """A field of a directive, which must be of the annotated type."""
    if not isinstance(data, list):
        plain = {"str": str, "int": int, "bool": bool}.get(wanted)
        optional = data is None and wanted.endswith("| None")
        if not optional and (plain is None or type(data) is not plain):
            raise ValueError(f"{data!r} is no {wanted}")
        return data
    word, *rest = data
    found: Any
    match word:
        case "Expr":
            found = table.node(rest[0])
            fits = wanted.removesuffix(" | None") == "Expr" and isinstance(found, Expr)
        case "StageRef":
            func, *numbers = rest
            stage, *path = map(_index, numbers)
            found, fits = StageRef(functions[func].name, stage, tuple(path)), wanted == "StageRef"
        case "LoopLevel":
            func, var, number = rest
            name = functions[func].name if func else ""
            found = LoopLevel(name, str(var), None if number is None else _index(number))
            fits = wanted.removesuffix(" | None") == "LoopLevel"
        case "Enum":
            found, fits = ENUMS[rest[0]][rest[1]], wanted == rest[0]
        case "Directive":
            found, fits = _directive(rest[0], functions, table), wanted == "Directive"
        case "tuple" if wanted == "tuple[Directive, ...]":
            found, fits = tuple([_value(part, "Directive", functions, table) for part in rest]), True
        case "tuple":
            found = tuple(rest)
            fits = wanted == "tuple[str, ...]" and all(isinstance(part, str) for part in rest)
        case _:
            raise ValueError(f"{word!r} is no kind of value")
    if not fits:
        raise ValueError(f"{data!r} is no {wanted}")
    return found


def _index(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is no number of a stage")
    return value
