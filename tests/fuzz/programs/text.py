"""Recipes of random pipelines written as Python programs."""

from __future__ import annotations

from typing import Any

from tests.fuzz.programs.images import UNUSUAL, value_range
from tests.fuzz.programs.recipe import DIMS, FUNC_BOX, Recipe, Tree, output_dims


def recipe_lines(recipe: Recipe) -> list[str]:
    """The statements that build the pipeline."""
    lines = ["import numpy as np", "import pipec as hl", "", "x, y, c, d, e, i = hl.vars('x y c d e i')"]
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
        if "extern" in stage:
            arguments = ", ".join([f"hl.ExternFuncArgument({argument})" for argument in stage["extern"]])
            lines.append(f"{stage['name']}.define_extern('ef_row_sums', [{arguments}], hl.Int(32), [x, y])")
            continue
        lines.append(_definition(stage["name"], stage["dims"], stage["values"]))
        for update in stage["updates"]:
            if update["where"] is not None:
                lines.append(f"{update['rdom']}.where({expression_text(update['where'])})")
            lines.append(_definition(stage["name"], [expression_text(arg) for arg in update["args"]], update["values"]))
    if recipe["output_layout"] in UNUSUAL and output_dims(recipe):
        for name in recipe["outputs"]:
            lines.append(f"for b in {name}.output_buffers(): b.dim(0).set_stride(hl.Expr())")
    return lines


def _loops_text(loops: list[list[Any]]) -> str:
    return ", ".join([f"({low}, {extent})" for low, extent in loops])


def _type(kind: str) -> str:
    return f"hl.{ {'u': 'UInt', 'i': 'Int', 'f': 'Float', 'b': 'BFloat'}[kind[0]] }({kind.lstrip('uifb')})"


def _image_lines(image: dict[str, Any]) -> list[str]:
    low, high = value_range(image["type"])
    kind = image["type"]
    dtype = "bool" if kind == "u1" else f"np.{ {'u': 'uint', 'i': 'int', 'f': 'float'}[kind[0]] }{kind[1:]}"
    name, rank, shape = image["name"], len(image["size"]), tuple(image["size"][::-1])
    array = f"np.random.default_rng({image['seed']}).integers({low}, {high}, {shape}).astype({dtype})"
    if image["layout"] != "plain":
        lines = ["from tests.fuzz.programs.images import laid_out"]
        lines.append(f"{name} = hl.Buffer(laid_out({array}.T, {image['layout']!r}).T)")
    else:
        lines = [f"{name} = hl.Buffer({array})"]
    if any(image["min"]):
        lines.append(f"{name}.set_min({image['min']})")
    if image["given_as"] == "param":
        lines += [f"{name}_buffer = {name}", f"{name} = hl.ImageParam({_type(kind)}, {rank}, {name!r})"]
        lines.append(f"{name}.set({name}_buffer)")
        if image["layout"] in UNUSUAL:
            lines.append(f"{name}.dim(0).set_stride(hl.Expr())")
    if image["boundary"] == "clamp":
        dims = DIMS[:rank]
        limits = [(m, m + n - 1) for m, n in zip(image["min"], image["size"], strict=True)]
        clamps = [f"hl.clamp({d}, {low}, {high})" for d, (low, high) in zip(dims, limits, strict=True)]
        lines += [f"{name}_image = {name}", f"{name} = hl.Func()"]
        lines.append(f"{name}[{', '.join(dims)}] = {name}_image[{', '.join(clamps)}]")
    else:
        exterior = f", hl.cast({_type(kind)}, 7)" if image["boundary"] == "constant_exterior" else ""
        lines.append(f"{name} = hl.BoundaryConditions.{image['boundary']}({name}{exterior})")
    return lines


def _reductions(tree: Any, names: set[str]) -> None:
    if isinstance(tree, dict):
        for part in tree.values():
            _reductions(part, names)
    elif isinstance(tree, list):
        if tree and tree[0] == "rvar":
            names.add(tree[1])
        if tree and tree[0] in ("reduce", "best"):
            names.add(tree[2])
        for part in tree:
            _reductions(part, names)


def _definition(name: str, args: list[str], values: list[Tree]) -> str:
    words = [expression_text(value) for value in values]
    right = words[0] if len(words) == 1 else f"({', '.join(words)})"
    return f"{name}[{', '.join(args) or '()'}] = {right}"


_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "and": "&", "or": "|", "xor": "^"}
_INFIX |= {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "both": "&", "either": "|", "shr": ">>"}


def expression_text(tree: Any) -> str:
    if not isinstance(tree, list):
        return repr(tree)
    op, *rest = tree
    if op == "const":
        kind, value = rest
        return str(value) if kind == "i32" else f"hl.cast({_type(kind)}, {value})"
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
            name = f"hl.BoundaryConditions.{boundary}({name}{exterior}, {FUNC_BOX[: len(rest[2])]})"
        return f"{name}[{', '.join([expression_text(arg) for arg in rest[2]]) or '()'}]{element}"
    if op == "cast":
        return f"hl.cast({_type(rest[0])}, {expression_text(rest[1])})"
    if op == "reduce":
        return f"hl.{rest[0]}({rest[1]}, {expression_text(rest[2])})"
    if op == "best":
        return f"hl.{rest[0]}({rest[1]}, {expression_text(rest[3])})[{rest[2]}]"
    if op in _INFIX:
        return f"({expression_text(rest[0])} {_INFIX[op]} {expression_text(rest[1])})"
    return f"hl.{'logical_not' if op == 'not' else op}({', '.join([expression_text(part) for part in rest])})"
