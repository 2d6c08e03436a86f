"""Making a failing case small, and writing it as a program that one can read and run."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from tests.fuzz.case import Case
from tests.fuzz.programs.recipe import Recipe, Tree, is_float, output_dims, prune
from tests.fuzz.programs.text import recipe_lines
from tests.fuzz.schedules.directives import directive_text

_SIMPLER_IMAGES: tuple[dict[str, Any], ...] = (
    {"min": 0}, {"boundary": "clamp"}, {"given_as": "buffer"}, {"size": 2}, {"layout": "plain"},
)  # fmt: skip
COMPARISONS = ("lt", "le", "eq", "ne", "both", "either", "not")


def shrink(case: Case, fails: Callable[[Case], bool], budget: int = 400) -> Case:
    """A smaller case that still fails, found greedily in at most `budget` runs."""
    runs = 0
    progress = True
    while progress:
        progress = False
        for smaller in candidates(case):
            if runs >= budget:
                return case
            if len(smaller.text) >= len(case.text) and smaller.text >= case.text:
                continue
            runs += 1
            if fails(smaller):
                case = smaller
                progress = True
                break
    return case


def candidates(case: Case) -> Iterator[Case]:
    """Simpler cases, the boldest first."""
    count = len(case.directives)
    size = count
    while size >= 1:
        for start in range(0, count, size):
            yield replace(case, directives=case.directives[:start] + case.directives[start + size :])
        size //= 2
    for recipe in simpler_recipes(case.recipe):
        yield replace(case, recipe=recipe)
    for at, (low, extent) in enumerate(case.box):
        for smaller in ([0, extent], [low, 1], [low, extent // 2], [low, extent - 1]):
            if smaller != [low, extent] and smaller[1] > 0:
                yield replace(case, box=[*case.box[:at], smaller, *case.box[at + 1 :]])
    if case.order:
        yield replace(case, order=0)


def simpler_recipes(recipe: Recipe) -> Iterator[Recipe]:
    """Recipes with something left out."""
    for stage in recipe["stages"]:
        if [stage["name"]] != recipe["outputs"] and stage["dims"] == output_dims(recipe):
            yield _changed(recipe, lambda r, name=stage["name"]: r.update(outputs=[name]))
    for number in range(len(recipe["stages"])):
        yield from _simpler_stages(recipe, number)
    yield from _smaller_domains(recipe)
    for number, image in enumerate(recipe["images"]):
        for change in _SIMPLER_IMAGES:
            rank = len(image["size"])
            changed = {key: [value] * rank if key in ("min", "size") else value for key, value in change.items()}
            if any(image[key] != value for key, value in changed.items()):
                yield _changed(recipe, lambda r, n=number, c=changed: r["images"][n].update(c))
    if recipe["output_layout"] != "plain":
        yield _changed(recipe, lambda r: r.update(output_layout="plain"))


def _simpler_stages(recipe: Recipe, number: int) -> Iterator[Recipe]:
    """Recipes with less in one stage: without an update or a predicate, or with smaller expressions."""
    stage = recipe["stages"][number]
    if "extern" in stage:
        yield _changed(recipe, lambda r: r["stages"][number].pop("extern"))
        return
    for k in range(len(stage["updates"])):
        yield _changed(recipe, lambda r, k=k: r["stages"][number]["updates"].pop(k))
        if stage["updates"][k]["where"] is not None:
            yield _changed(recipe, lambda r, k=k: r["stages"][number]["updates"][k].update(where=None))
    for path, tree in _expressions(stage):
        for smaller in _smaller_trees(recipe, tree):
            yield _changed(recipe, lambda r, p=path, t=smaller: _put(r["stages"][number], p, t))


def _smaller_domains(recipe: Recipe) -> Iterator[Recipe]:
    """Recipes with a smaller reduction domain."""
    for name, loops in recipe["rdoms"].items():
        for k, (low, extent) in enumerate(loops):
            size = extent if isinstance(extent, int) else recipe["params"][extent][1]
            for smaller in ([low, 1], [low, size - 1], [low, size], [0, extent]):
                if smaller[1] != 0 and smaller != [low, extent]:
                    yield _changed(recipe, lambda r, n=name, k=k, s=smaller: r["rdoms"][n].__setitem__(k, s))


def _changed(recipe: Recipe, change: Callable[[Recipe], Any]) -> Recipe:
    built = copy.deepcopy(recipe)
    change(built)
    prune(built)
    return built


def _expressions(stage: dict[str, Any]) -> Iterator[tuple[list[Any], Tree]]:
    """All subexpressions of a stage with their places, the largest first."""
    roots: list[tuple[list[Any], Tree]] = [(["values", i], tree) for i, tree in enumerate(stage["values"])]
    for k, update in enumerate(stage["updates"]):
        roots += [(["updates", k, "values", i], tree) for i, tree in enumerate(update["values"])]
        # Arguments on the left must stay as they are on the right; only whole updates are dropped.
    queue = list(roots)
    while queue:
        path, tree = queue.pop(0)
        yield path, tree
        queue += [([*path, i], part) for i, part in enumerate(tree) if isinstance(part, list) and tree[0] != "read"]
        if tree[0] == "read":
            queue += [([*path, 3, i], part) for i, part in enumerate(tree[3])]


def _put(stage: Any, path: list[Any], tree: Tree) -> None:
    for step in path[:-1]:
        stage = stage[step]
    stage[path[-1]] = tree


def type_of(recipe: Recipe, tree: Tree) -> str:
    """The type of an expression; `u1` for conditions."""
    op = tree[0]
    if op in ("const", "cast"):
        return tree[1]
    if op in ("var", "rvar"):
        return "i32"
    if op == "param":
        return recipe["params"][tree[1]][0]
    if op == "read":
        for image in recipe["images"]:
            if image["name"] == tree[1]:
                return image["type"]
        name = tree[1].partition("@")[0]
        return next(stage["types"][tree[2]] for stage in recipe["stages"] if stage["name"] == name)
    if op in COMPARISONS:
        return "u1"
    if op == "reduce":
        return type_of(recipe, tree[3])
    if op == "best":
        return "i32"
    if op in ("abs", "absd"):
        return type_of(recipe, tree[1]).replace("i", "u")
    return type_of(recipe, tree[2] if op == "select" else tree[1])


def _smaller_trees(recipe: Recipe, tree: Tree) -> Iterator[Tree]:
    kind = type_of(recipe, tree)
    if tree[0] == "const":
        return
    yield ["const", kind, 1.0 if is_float(kind) else 1]
    if kind == "i32" and tree[0] != "var" and "x" in output_dims(recipe):
        yield ["var", "x"]
    for part in tree[1:]:
        if isinstance(part, list) and part and isinstance(part[0], str) and type_of(recipe, part) == kind:
            yield part
    if tree[0] == "read":
        for i, arg in enumerate(tree[3]):
            for simple in (["var", "x"], ["var", "y"], ["const", "i32", 0]):
                if arg[0] not in ("var", "rvar", "const") and len(json.dumps(simple)) < len(json.dumps(arg)):
                    yield [*tree[:3], [*tree[3][:i], simple, *tree[3][i + 1 :]]]


# Writing


def program_text(case: Case) -> str:
    """The case as a Python program."""
    lines = recipe_lines(case.recipe)
    lines += [directive_text(directive) for directive in case.directives]
    mins, extents = [low for low, _ in case.box], [n for _, n in case.box]
    lines.append(f"# over {mins} with extents {extents}, output {case.recipe['output_layout']}")
    lines.append(f"print(hl.Pipeline([{', '.join(case.recipe['outputs'])}]).realize({extents}))")
    return "\n".join(lines)
