"""Making a failing case small, and writing it as a program that one can read and run."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from random_case import Case
from random_pipeline import Recipe, Tree, prune

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
        yield replace(case, recipe=recipe, directives=_still_meant(case, recipe))
    for at, (low, extent) in enumerate(case.box):
        for smaller in ([0, extent], [low, 1], [low, extent // 2], [low, extent - 1]):
            if smaller != [low, extent] and smaller[1] > 0:
                yield replace(case, box=[*case.box[:at], smaller, *case.box[at + 1 :]])
    if case.order:
        yield replace(case, order=0)


def _still_meant(case: Case, recipe: Recipe) -> list[Any]:
    """The directives for Funcs and updates that are left."""
    updates = {stage["name"]: len(stage["updates"]) for stage in recipe["stages"]}
    kept = []
    for directive in case.directives:
        name, second = directive[:2]
        stage = second if isinstance(second, int) else 0
        user = directive[2] if second in ("compute_at", "store_at", "hoist_storage") else name
        if name in updates and user in updates and stage <= updates[name]:
            kept.append(directive)
    return kept


def simpler_recipes(recipe: Recipe) -> Iterator[Recipe]:
    """Recipes with something left out."""
    for stage in recipe["stages"]:
        if [stage["name"]] != recipe["outputs"] and len(stage["dims"]) == 2:
            yield _changed(recipe, lambda r, name=stage["name"]: r.update(outputs=[name]))
    for number, stage in enumerate(recipe["stages"]):
        for k in range(len(stage["updates"])):
            yield _changed(recipe, lambda r, n=number, k=k: r["stages"][n]["updates"].pop(k))
            if stage["updates"][k]["where"] is not None:
                yield _changed(recipe, lambda r, n=number, k=k: r["stages"][n]["updates"][k].update(where=None))
        for path, tree in _expressions(stage):
            for smaller in _smaller_trees(recipe, tree):
                yield _changed(recipe, lambda r, n=number, p=path, t=smaller: _put(r["stages"][n], p, t))
    for name, loops in recipe["rdoms"].items():
        for k, (low, extent) in enumerate(loops):
            size = extent if isinstance(extent, int) else recipe["params"][extent][1]
            for smaller in ([low, 1], [low, size - 1], [low, size], [0, extent]):
                if smaller[1] != 0 and smaller != [low, extent]:
                    yield _changed(recipe, lambda r, n=name, k=k, s=smaller: r["rdoms"][n].__setitem__(k, s))
    for number, image in enumerate(recipe["images"]):
        for change in ({"min": [0, 0]}, {"boundary": "clamp"}, {"given_as": "buffer"}, {"size": [2, 2]}):
            if any(image[key] != value for key, value in change.items()):
                yield _changed(recipe, lambda r, n=number, c=change: r["images"][n].update(c))


def _changed(recipe: Recipe, change: Callable[[Recipe], Any]) -> Recipe:
    made = copy.deepcopy(recipe)
    change(made)
    prune(made)
    return made


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
    """The type of an expression; `bool` for conditions."""
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
        return "bool"
    if op == "reduce":
        return type_of(recipe, tree[3])
    if op in ("abs", "absd"):
        return type_of(recipe, tree[1]).replace("i", "u")
    return type_of(recipe, tree[2] if op == "select" else tree[1])


def _smaller_trees(recipe: Recipe, tree: Tree) -> Iterator[Tree]:
    kind = type_of(recipe, tree)
    if tree[0] == "const":
        return
    if kind != "bool":
        yield ["const", kind, 1.0 if kind[0] == "f" else 1]
    if kind == "i32" and tree[0] != "var":
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
    recipe = case.recipe
    lines = ["import numpy as np", "import pipec as hl", "", "x, y, c, i = hl.vars('x y c i')"]
    for image in recipe["images"]:
        lines += _image_lines(image)
    for name, (kind, value) in recipe["params"].items():
        lines.append(f"{name} = hl.Param({_type(kind)}, {name!r}, {value})")
    for stage in recipe["stages"]:
        reductions: set[str] = set()
        _reductions(stage, reductions)
        for name in sorted(reductions):
            lines.append(f"{name} = hl.RDom([{_loops_text(recipe['rdoms'][name])}], {name!r})")
        lines.append(f"{stage['name']} = hl.Func({stage['name']!r})")
        lines.append(_definition(stage["name"], stage["dims"], stage["values"]))
        for update in stage["updates"]:
            if update["where"] is not None:
                lines.append(f"{update['rdom']}.where({_text(update['where'])})")
            lines.append(_definition(stage["name"], [_text(arg) for arg in update["args"]], update["values"]))
    lines += [_directive_text(directive) for directive in case.directives]
    mins, extents = [low for low, _ in case.box], [n for _, n in case.box]
    lines.append(f"# over [{mins[0]}, {mins[1]}] with extents {extents}")
    lines.append(f"print(hl.Pipeline([{', '.join(recipe['outputs'])}]).realize({extents}))")
    return "\n".join(lines)


def _loops_text(loops: list[list[Any]]) -> str:
    return ", ".join([f"({low}, {extent})" for low, extent in loops])


def _type(kind: str) -> str:
    return f"hl.{ {'u': 'UInt', 'i': 'Int', 'f': 'Float'}[kind[0]] }({kind[1:]})"


def _image_lines(image: dict[str, Any]) -> list[str]:
    low, high = (0, 256) if image["type"] in ("u8", "u16", "f32") else (-120, 121)
    dtype = f"{ {'u': 'uint', 'i': 'int', 'f': 'float'}[image['type'][0]] }{image['type'][1:]}"
    name, (width, height) = image["name"], image["size"]
    rng = f"np.random.default_rng({image['seed']})"
    lines = [f"{name} = hl.Buffer({rng}.integers({low}, {high}, ({height}, {width})).astype(np.{dtype}))"]
    if image["min"] != [0, 0]:
        lines.append(f"{name}.set_min({image['min']})")
    if image["given_as"] == "param":
        lines += [f"{name}_buffer = {name}", f"{name} = hl.ImageParam({_type(image['type'])}, 2, {name!r})"]
        lines.append(f"{name}.set({name}_buffer)")
    if image["boundary"] == "clamp":
        limits = [(m, m + n - 1) for m, n in zip(image["min"], image["size"], strict=True)]
        lines.append(f"{name}_image = {name}")
        lines.append(f"{name} = hl.Func()")
        lines.append(f"{name}[x, y] = {name}_image[hl.clamp(x, {limits[0][0]}, {limits[0][1]}), "
                     f"hl.clamp(y, {limits[1][0]}, {limits[1][1]})]")  # fmt: skip
    else:
        exterior = f", hl.cast({_type(image['type'])}, 7)" if image["boundary"] == "constant_exterior" else ""
        lines.append(f"{name} = hl.BoundaryConditions.{image['boundary']}({name}{exterior})")
    return lines


def _reductions(tree: Any, found: set[str]) -> None:
    if isinstance(tree, dict):
        for part in tree.values():
            _reductions(part, found)
    elif isinstance(tree, list):
        if tree and tree[0] == "rvar":
            found.add(tree[1])
        if tree and tree[0] == "reduce":
            found.add(tree[2])
        for part in tree:
            _reductions(part, found)


def _definition(name: str, args: list[str], values: list[Tree]) -> str:
    right = _text(values[0]) if len(values) == 1 else f"({', '.join([_text(value) for value in values])})"
    return f"{name}[{', '.join(args)}] = {right}"


_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "and": "&", "or": "|", "xor": "^"}
_INFIX |= {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "both": "&", "either": "|", "shr": ">>"}


def _text(tree: Any) -> str:
    if not isinstance(tree, list):
        return repr(tree)
    op, *rest = tree
    if op == "const":
        kind, value = rest
        return str(value) if kind == "i32" else f"hl.{kind}({value})"
    if op == "var":
        return rest[0]
    if op == "param":
        return rest[0]
    if op == "rvar":
        return f"{rest[0]}[{rest[1]}]"
    if op == "read":
        element = f"[{rest[1]}]" if rest[1] else ""
        name, _, boundary = rest[0].partition("@")
        if boundary:
            exterior = ", 7" if boundary == "constant_exterior" else ""
            name = f"hl.BoundaryConditions.{boundary}({name}{exterior}, [(0, 6), (1, 4)])"
        return f"{name}[{', '.join([_text(arg) for arg in rest[2]])}]{element}"
    if op == "cast":
        return f"hl.{rest[0]}({_text(rest[1])})"
    if op == "reduce":
        return f"hl.{rest[0]}({rest[1]}, {_text(rest[2])})"
    if op in _INFIX:
        return f"({_text(rest[0])} {_INFIX[op]} {_text(rest[1])})"
    return f"hl.{'logical_not' if op == 'not' else op}({', '.join([_text(part) for part in rest])})"


def _directive_text(directive: list[Any]) -> str:
    name, *rest = directive
    if isinstance(rest[0], int):
        name = name if rest[0] == 0 else f"{name}.update({rest[0] - 1})"
        rest = rest[1:]
    method, *args = rest
    shown = []
    for arg in args:
        for part in arg if isinstance(arg, list) else [arg]:
            shown.append(_argument(part, method))
    return f"{name}.{method}({', '.join(shown)})"


def _argument(part: Any, method: str) -> str:
    if not isinstance(part, str):
        return str(part)
    if part[0].isupper():
        return f"hl.{'MemoryType' if method == 'store_in' else 'TailStrategy'}.{part}"
    if "." in part:
        rdom, k = part.split(".")
        return f"{rdom}[{k}]"
    if part in ("x", "y", "c", "i", "n0") or part[0] == "f":
        return part
    return f"hl.{'RVar' if part.startswith('r') else 'Var'}({part!r})"
