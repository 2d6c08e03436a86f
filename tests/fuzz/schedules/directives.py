"""What the directives of random schedules take, how they are given to a module, and how they are written.

A directive is [func, method, ...] for a whole Func, or [func, stage, method, ...] for one of its stages; a list of a
stage and conditions is one of its specialisations. Each argument has a kind, which says what its plain data stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.fuzz.programs.builder import Builder
from tests.fuzz.programs.text import expression_text

Directive = list[Any]


class Unknown(Exception):
    """A directive names what is not there: something before it was refused or left out."""


@dataclass(frozen=True)
class Kind:
    """How an argument becomes a value, and how it is written."""

    value: Callable[[Any, Builder, Any], Any]
    text: Callable[[Any], str]


def variable(hl: Any, built: Builder, name: str) -> Any:
    """The Var or RVar of a name in a schedule."""
    if "." in name:
        rdom, k = name.split(".")
        if rdom not in built.recipe["rdoms"]:
            raise Unknown(name)
        return built.rvar(rdom, int(k))
    if name == "__outermost":
        return hl.Var.outermost()
    if name in built.vars:
        return built.vars[name]
    return hl.RVar(name) if name.startswith("r") else hl.Var(name)


def variable_text(name: str) -> str:
    if "." in name:
        rdom, k = name.split(".")
        return f"{rdom}[{k}]"
    if name == "__outermost":
        return "hl.Var.outermost()"
    if name in ("x", "y", "c", "d", "e", "i"):
        return name
    return f"hl.{'RVar' if name.startswith('r') else 'Var'}({name!r})"


def func_of(_: Any, built: Builder, name: str) -> Any:
    """The Func of a name."""
    if name not in built.funcs:
        raise Unknown(name)
    return built.funcs[name]


def stage_of(hl: Any, built: Builder, place: list[Any]) -> Any:
    """The stage [func, number, conditions...]."""
    func = func_of(hl, built, place[0])
    result = func if place[1] == 0 else func.update(place[1] - 1)
    for condition in place[2:]:
        result = result.specialize(condition_of(hl, built, condition))
    return result


def stage_text(place: list[Any]) -> str:
    versions = "".join([f".specialize({condition_text(condition)})" for condition in place[2:]])
    return (place[0] if place[1] == 0 else f"{place[0]}.update({place[1] - 1})") + versions


# What may be asked about an extent n of an output.
SIZE_TESTS = ["n >= 4", "n >= 8", "n < 6", "n % 4 == 0", "n % 2 == 1", "n == 1"]


def condition_of(hl: Any, built: Builder, tree: Any) -> Any:
    """A condition without variables."""
    if tree[0] != "size":
        return built.expression(tree)
    _, func, dimension, test = tree
    return eval(test, {"n": func_of(hl, built, func).output_buffer().dim(dimension).extent()})


def condition_text(tree: Any) -> str:
    if tree[0] != "size":
        return expression_text(tree)
    _, func, dimension, test = tree
    return test.replace("n", f"{func}.output_buffer().dim({dimension}).extent()", 1)


def _enum(owner: str) -> Kind:
    return Kind(lambda hl, _, name: getattr(getattr(hl, owner), name), lambda name: f"hl.{owner}.{name}")


def _list(item: Kind) -> Kind:
    return Kind(
        lambda hl, built, parts: [item.value(hl, built, part) for part in parts],
        lambda parts: f"[{', '.join([item.text(part) for part in parts])}]",
    )


PLAIN = Kind(lambda hl, built, data: data, repr)
NUMBER = Kind(lambda hl, built, data: built.params.get(data, data), str)
VAR = Kind(variable, variable_text)
FUNC = Kind(func_of, str)
STAGE = Kind(stage_of, stage_text)
TAIL, MEMORY, ALIGN = _enum("TailStrategy"), _enum("MemoryType"), _enum("LoopAlignStrategy")
PARTITION = _enum("Partition")
CONDITION = Kind(condition_of, condition_text)
PAIR = Kind(
    lambda hl, built, pair: (variable(hl, built, pair[0]), variable(hl, built, pair[1])),
    lambda pair: f"({variable_text(pair[0])}, {variable_text(pair[1])})",
)

# The arguments of each method; one that is not here takes variables only.
FORMS: dict[str, list[Kind]] = {
    "split": [VAR, VAR, VAR, NUMBER, TAIL],
    "tile": [VAR, VAR, VAR, VAR, VAR, VAR, NUMBER, NUMBER, TAIL],
    "prefetch": [FUNC, VAR, VAR, PLAIN],
    "rfactor": [_list(PAIR)],
    "compute_at": [FUNC, VAR],
    "compute_with": [STAGE, VAR, ALIGN],
    "store_at": [FUNC, VAR],
    "hoist_storage": [FUNC, VAR],
    "store_in": [MEMORY],
    "align_storage": [VAR, PLAIN],
    "tile_storage": [VAR, PLAIN],
    "align_bounds": [VAR, PLAIN, PLAIN],
    "align_extent": [VAR, NUMBER],
    "expect_bounds": [VAR, PLAIN, PLAIN],
    "bound_storage": [VAR, PLAIN],
    "bound": [VAR, PLAIN, PLAIN],
    "bound_extent": [VAR, PLAIN],
    "set_estimate": [VAR, PLAIN, PLAIN],
    "stream_stores": [PLAIN],
    "add_trace_tag": [PLAIN],
    "specialize_fail": [PLAIN],
    "partition": [VAR, PARTITION],
    "specialize": [CONDITION],
    "fold_storage": [VAR, PLAIN],
    "ring_buffer": [PLAIN],
    "in_": [_list(FUNC)],
    "clone_in": [_list(FUNC)],
}
# Methods that make a Func: the last element of the directive is its name.
MAKING = ("in_", "clone_in", "rfactor")


def parts(directive: Directive) -> tuple[list[Any], str, list[Any], str]:
    """The stage, the method, its arguments, and the name of the Func that it makes or ""."""
    name, *rest = directive
    place = 0 if isinstance(rest[0], str) else rest.pop(0)
    stage = [name, *(place if isinstance(place, list) else [place])]
    method, *args = rest
    built = args.pop() if method in MAKING else ""
    return stage, method, args, built


def kinds_of(method: str, args: list[Any]) -> list[Kind]:
    if method == "gpu_tile":
        count = len(args) // 4
        return [*[VAR] * (3 * count), *[PLAIN] * count, TAIL]
    if method in ("vectorize", "unroll", "parallel"):
        return [VAR, NUMBER, TAIL][: len(args)]
    return FORMS.get(method, [VAR] * len(args))


def _spread(method: str, args: list[Any]) -> list[Any]:
    """The arguments as the method takes them: the variables of an order are single ones."""
    return args[0] if method in ("reorder", "reorder_storage") else args


def apply_directive(hl: Any, built: Builder, directive: Directive) -> None:
    """Give one directive; raises HalideError when it is refused, Unknown when it names what is not there."""
    stage, method, args, created = parts(directive)
    args = _spread(method, args)
    values = [kind.value(hl, built, arg) for kind, arg in zip(kinds_of(method, args), args, strict=True)]
    result = getattr(stage_of(hl, built, stage), method)(*values)
    if created:
        built.funcs[created] = result


def apply(hl: Any, built: Builder, directives: list[Directive]) -> list[Directive]:
    """Give the directives one by one; returns those that were accepted."""
    accepted = []
    for directive in directives:
        try:
            apply_directive(hl, built, directive)
        except (hl.HalideError, Unknown):
            continue
        accepted.append(directive)
    return accepted


def directive_text(directive: Directive) -> str:
    """The directive as a Python statement."""
    stage, method, args, built = parts(directive)
    args = _spread(method, args)
    words = [kind.text(arg) for kind, arg in zip(kinds_of(method, args), args, strict=True)]
    call = f"{stage_text(stage)}.{method}({', '.join(words)})"
    return f"{built} = {call}" if built else call
