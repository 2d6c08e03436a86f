"""Definitions and plans as text, for `PIPEC_LOG=passes`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pipec.bounds.box import Box
from pipec.func.functions.definition import FuncDef, StageDef
from pipec.ir.expr import TRUE
from pipec.ir.stmt import Partition
from pipec.lower.planning.nest import FusedLet, GuardItem, Item, Level, LoopItem, LoopNest
from pipec.lower.planning.plan import FuncPlan, LoweringPlan
from pipec.lower.planning.versions import versions_of


def definitions_text(funcs: Iterable[FuncDef]) -> str:
    """One line for each version of each stage."""
    return "\n".join(line for func in funcs for line in _definition_lines(func))


def plan_text(plan: LoweringPlan) -> str:
    """Returns the levels, boxes and loop nests of every Func, producers first, and the run-time checks."""
    lines = [line for func in plan.funcs.values() for line in _func_lines(func)]
    lines += [line for nest in plan.nests() if nest.members for line in _nest_lines(nest)]
    lines += [f"check {check.kind} at {_level_text(check.level)}: {check.condition}" for check in plan.checks]
    return "\n".join(lines)


def _definition_lines(func: FuncDef) -> Iterator[str]:
    for number, stage in enumerate(func.stages):
        for version in versions_of(stage):
            path = "".join(f".{step}" for step in version.path)
            where = "" if version.condition is TRUE else f" where {version.condition}"
            yield f"{func.name}.s{number}{path}{where}: {_stage_text(func, version.stage)}"


def _stage_text(func: FuncDef, stage: StageDef) -> str:
    values = ", ".join(map(str, stage.values)) or "extern"
    loops = "".join(f" for {r.name} from {r.minimum} for {r.extent}" for r in stage.rvars)
    predicate = "" if stage.predicate is TRUE else f" if {stage.predicate}"
    return f"{func.name}({', '.join(map(str, stage.args))}) = {values}{loops}{predicate}"


def _func_lines(func: FuncPlan) -> Iterator[str]:
    name = func.definition.name
    hoisted = "" if func.hoist_level is None else f", memory at {_level_text(func.hoist_level)}"
    yield f"{name}: computed at {_level_text(func.compute_level)}, stored at {_level_text(func.store_level)}{hoisted}"
    if func.compute_predicate is not TRUE:
        yield f"  needed where {func.compute_predicate}"
    if func.required:
        yield f"  required {_box_text(func.required)}"
    if func.storage:
        yield f"  storage {_box_text(func.storage)}"
    if any(fold is not None for fold in func.folds):
        yield f"  folds {', '.join(map(str, func.folds))}"
    for let in func.bound_lets:
        yield f"  let {let.name} = {let.value}"
    for nest in func.nests:
        yield from (f"  {line}" for line in _nest_lines(nest))


def _nest_lines(nest: LoopNest) -> Iterator[str]:
    where = "" if nest.condition is TRUE else f" where {nest.condition}"
    yield f"{_nest_name(nest)}{where}:"
    for item in nest.items:
        yield f"  {_item_text(item)}"
    if nest.members:
        yield f"  {', '.join(map(_nest_name, nest.members))}"
    else:
        yield f"  {nest.func}({', '.join(map(str, nest.args))}) = {', '.join(map(str, nest.values)) or 'extern'}"


def _item_text(item: Item) -> str:
    if isinstance(item, GuardItem):
        return f"if {item.condition}"
    if isinstance(item, LoopItem):
        policy = "" if item.partition is Partition.Auto else f", partition {item.partition.name}"
        return f"{item.kind.value} {item.name} from {item.minimum} for {item.extent}{policy}"
    shared = f" of shared loop, from {item.first} to {item.last}" if isinstance(item, FusedLet) else ""
    return f"let {item.name} = {item.value}{shared}"


def _nest_name(nest: LoopNest) -> str:
    return f"{'shared ' if nest.members else ''}{nest.func}.s{nest.stage}{''.join(f'.{step}' for step in nest.path)}"


def _level_text(level: Level) -> str:
    if level.nest is None:
        return "root"
    loops = [item.name for item in level.nest.items[: level.position + 1] if isinstance(item, LoopItem)]
    return loops[-1] if loops else _nest_name(level.nest)


def _box_text(box: Box) -> str:
    return " x ".join(f"[{interval.low}, {interval.high}]" for interval in box)
