"""Recipes: random pipelines as plain data, which `builder` builds and `text` prints.

A recipe holds lists, strings and numbers only, so that it can be printed, shrunk and built again. The values of
every expression are kept within ranges where no int32 overflows, since Halide leaves that undefined.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Tree = list[Any]
Recipe = dict[str, Any]

INTEGERS = {
    "u1": (0, 1),
    "u8": (0, 255),
    "u16": (0, 65535),
    "u32": (0, 2**32 - 1),
    "u64": (0, 2**64 - 1),
    "i8": (-128, 127),
    "i16": (-(2**15), 2**15 - 1),
}
# Types whose sums must not leave a range: int32 and int64 because overflow has no meaning, floats to stay tame.
LIMITED = {"i32": 1 << 27, "i64": 1 << 45, "f32": 1 << 20, "f64": 1 << 20, "f16": 2000, "bf16": 2000}
TYPES = [
    "u8",
    "u8",
    "u8",
    "u16",
    "u16",
    "i16",
    "i16",
    "i32",
    "i32",
    "i32",
    "f32",
    "f32",
    "f32",
    "u32",
    "u32",
    "i8",
    "i8",
]
TYPES += ["i64", "i64", "f64", "f64", "f16", "f16", "u64", "u1", "bf16"]
IMAGE_TYPES = ["u8", "u8", "u8", "u16", "i16", "f32", "f32", "i32", "i8", "u32", "i64", "u64", "f64", "f16", "u1"]
BOUNDARIES = ["repeat_edge", "mirror_image", "mirror_interior", "repeat_image", "constant_exterior", "clamp"]
LAYOUTS = ["plain", "padded", "transposed", "spread", "reversed"]
"""How the elements of a buffer lie in memory: see `images.laid_out`."""
DIMS = ["x", "y", "c", "d", "e"]
FUNC_BOX = [(0, 6), (1, 4), (0, 3), (-1, 3), (0, 2)]
"""The (minimum, extent) of each dimension of a Func within a boundary condition."""


@dataclass
class Value:
    """An expression with its type and the range of its values."""

    tree: Tree
    type: str
    low: float
    high: float


@dataclass
class Source:
    """Something that can be read at coordinates."""

    name: str
    dims: int
    types: list[str]
    ranges: list[tuple[float, float]]
    cost: int = 1
    # How often coordinates have been doubled on the way to the images.
    doublings: int = 0


@dataclass
class Context:
    """What the expression being made may mention."""

    coordinates: list[Value]
    sources: list[Source]
    cost: int = 0
    doublings: int = 0
    reductions: bool = True


def is_float(kind: str) -> bool:
    return "f" in kind


def full_range(kind: str) -> tuple[float, float]:
    """All values that the generator lets an expression of this type have."""
    return INTEGERS[kind] if kind in INTEGERS else (-LIMITED[kind], LIMITED[kind])


def names_in(tree: Tree) -> set[str]:
    """What an expression mentions."""
    result: set[str] = set()
    mentioned(tree, result)
    return result


def mentioned(tree: Any, names: set[str]) -> None:
    """The names that an expression reads, reductions and parameters included."""
    if isinstance(tree, list):
        if tree and tree[0] in ("read", "rvar", "param"):
            names.add(tree[1].partition("@")[0])
        if tree and tree[0] in ("reduce", "best"):
            names.add(tree[2])
        for part in tree:
            mentioned(part, names)


def prune(recipe: Recipe) -> None:
    """Drop what no output needs."""
    needed = set(recipe["outputs"])
    stored = []
    for stage in reversed(recipe["stages"]):
        if stage["name"] in needed:
            stored.append(stage)
            mentioned(stage["values"], needed)
            for update in stage["updates"]:
                mentioned([update["args"], update["values"], update["where"]], needed)
                needed.add(update["rdom"])
    recipe["stages"] = stored[::-1]
    recipe["images"] = [image for image in recipe["images"] if image["name"] in needed]
    # A schedule may use the extent that is a parameter.
    recipe["params"] = {name: value for name, value in recipe["params"].items() if name in needed or name == "n0"}
    recipe["rdoms"] = {name: loops for name, loops in recipe["rdoms"].items() if name in needed}


def output_dims(recipe: Recipe) -> list[str]:
    """The dimensions of the outputs, which all have the same."""
    return next(stage["dims"] for stage in recipe["stages"] if stage["name"] == recipe["outputs"][0])
