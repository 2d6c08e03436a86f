"""Random cases whose loops may run past their ends: splits of parts of splits by factors that divide nothing.

The pipelines are chains of stages that read a window of the stage before. What matters is where the loops end, so the
values are simple and differ from pixel to pixel.
"""

from __future__ import annotations

import random
from typing import Any

from tests.fuzz.case import Case
from tests.fuzz.programs.recipe import Recipe, Tree
from tests.fuzz.schedules.generator import ScheduleGenerator
from tests.fuzz.schedules.makers import TAILS as ALL_TAILS
from tests.fuzz.schedules.makers import chosen, fuse, rename, reorder, rfactor, specialize

LENGTHS = [1, 5, 11, 17, 23, 29, 31, 37, 41, 47, 53]
HEIGHTS = [1, 1, 2, 3]
FACTORS = [2, 2, 3, 3, 4, 5, 6, 7, 8]
TAILS = [*ALL_TAILS, "RoundUp", "RoundUp", "RoundUp", "ShiftInwards", "ShiftInwards"]


def nested_case(seed: int) -> Case:
    """The case of a seed."""
    r = random.Random(seed)
    recipe = chain(r)
    axis = int(r.random() < 0.3)
    directives = NestedSplits(recipe, r.getrandbits(48), "xy"[axis]).make()
    mins = [0, 0] if r.random() < 0.8 else [r.randint(-5, 5), r.randint(-5, 5)]
    sizes = [r.choice(HEIGHTS), r.choice(HEIGHTS)]
    sizes[axis] = r.choice(LENGTHS)
    return Case(recipe, directives, [[low, n] for low, n in zip(mins, sizes, strict=True)], r.getrandbits(16) | 1)


def chain(r: random.Random) -> Recipe:
    """Two to four stages, of which each reads the one before and some an earlier one too."""
    recipe: Recipe = {"images": [], "params": {}, "rdoms": {}, "stages": [], "outputs": [], "output_layout": "plain"}
    if r.random() < 0.2:
        recipe["params"]["n0"] = ["i32", r.randint(2, 5)]
    count = r.choice([2, 2, 3, 3, 3, 4])
    for number in range(count):
        name = f"f{number}"
        value = plus(times(["var", "x"], r.choice([3, 5, 7])), times(["var", "y"], r.choice([11, 13])))
        if number:
            value = plus(value, window(r, f"f{number - 1}"))
            if number > 1 and r.random() < 0.3:
                value = plus(value, window(r, f"f{r.randrange(number - 1)}"))
        recipe["stages"].append({"name": name, "dims": ["x", "y"], "types": ["i32"], "values": [value], "updates": []})
        if r.random() < 0.2:
            recipe["stages"][-1]["updates"] = [update(r, recipe, name, number)]
    recipe["outputs"] = [f"f{count - 1}"]
    return recipe


def update(r: random.Random, recipe: Recipe, name: str, number: int) -> dict[str, Any]:
    """Changes each pixel, once or for each point of a reduction."""
    own: Tree = ["read", name, 0, [["var", "x"], ["var", "y"]]]
    value = window(r, f"f{number - 1}") if number and r.random() < 0.7 else constant(number + 2)
    rdom = None
    if r.random() < 0.4:
        rdom = f"r{number}"
        recipe["rdoms"][rdom] = [[0, r.randint(1, 4)]]
        value = plus(value, ["rvar", rdom, 0])
        changed = plus(own, value)
    else:
        changed = plus(times(own, r.choice([1, 2])), value)
    return {"args": [["var", "x"], ["var", "y"]], "values": [changed], "rdom": rdom, "where": None}


def window(r: random.Random, name: str) -> Tree:
    """The sum of a Func at one or two places around a pixel."""
    reach = r.choice([0, 0, 1, 3])

    def read() -> Tree:
        return ["read", name, 0, [plus(["var", d], constant(r.randint(-reach, reach))) for d in ("x", "y")]]

    return read() if r.random() < 0.5 else plus(read(), read())


def constant(value: int) -> Tree:
    return ["const", "i32", value]


def plus(a: Tree, b: Tree) -> Tree:
    return ["add", a, b]


def times(a: Tree, factor: int) -> Tree:
    return ["mul", a, constant(factor)]


class NestedSplits(ScheduleGenerator):
    """Splits what splits have made, up to three deep, and runs any of the loops in parallel."""

    EFFORTS = (0.8, 1.2, 1.6)
    PLACES = ((0.0, 0.1, 0.1), (0.0, 0.2, 0.3), (0.05, 0.3, 0.6), (0.1, 0.4, 0.3))

    def __init__(self, recipe: Recipe, seed: int, axis: str) -> None:
        super().__init__(recipe, seed)
        # The long side of the image.
        self.axis = axis
        # The loops over blocks that splits have made, by Func.
        self.blocks: dict[str, list[str]] = {}

    def schedule_stage(self, func: str, stage: int) -> None:
        r, loops = self.random, self.loops[func, stage]
        if func in self.recipe["outputs"] and r.random() < 0.5:
            # Only where there is room for more are loops left to run past their ends.
            return
        if r.random() < 0.5 and self.axis in loops:
            self.blocks_in_blocks(func, stage, loops)
            return
        for _ in range(r.choice([1, 2, 2, 2, 3, 4])):
            choice = r.random()
            if choice < 0.8:
                self.any_split(func, stage, loops)
            elif choice < 0.95:
                fuse(self, func, stage, loops)
            else:
                rename(self, func, stage, loops)
        chosen(self, MARKS, func, stage, loops)

    def blocks_in_blocks(self, func: str, stage: int, loops: list[str]) -> None:
        """The outermost blocks in parallel, whatever is inside of them."""
        r, part = self.random, self.axis
        for depth in range(r.choice([2, 2, 3])):
            outer, inner = self.split(func, stage, loops, part)
            if depth == 0 and r.random() < 0.8:
                self.directives.append([func, stage, "parallel", outer])
            part = inner if r.random() < 0.8 else outer
        chosen(self, [(0.2, reorder), (0.2, vectorize), (0.1, unroll)], func, stage, loops)

    def any_split(self, func: str, stage: int, loops: list[str]) -> None:
        """Most often of the long side of the image, and of what was made of it."""
        parts = [name for name in loops if name == self.axis or "vv" in name or "rv" in name]
        choice = parts if parts and self.random.random() < 0.85 else loops
        self.split(func, stage, loops, self.random.choice(choice))

    def split(self, func: str, stage: int, loops: list[str], old: str) -> tuple[str, str]:
        """Splits loop `old`; gives the new ones."""
        r = self.random
        outer, inner = self.name(old), self.name(old)
        at = loops.index(old)
        loops[at : at + 1] = [inner, outer]
        factor: Any = r.choice(FACTORS)
        if "n0" in self.recipe["params"] and r.random() < 0.2:
            factor = "n0"
        else:
            self.split_by[inner] = factor
        self.directives.append([func, stage, "split", old, outer, inner, factor, r.choice(TAILS)])
        self.blocks.setdefault(func, []).append(outer)
        return outer, inner

    def place_inside(self, name: str, user: str) -> None:
        """Most often in a loop over blocks."""
        blocks = [loop for loop in self.blocks.get(user, []) if loop in self.common_loops((user, 0))]
        if blocks and self.random.random() < 0.6:
            self.directives.append([name, "compute_at", user, self.random.choice(blocks)])
        else:
            super().place_inside(name, user)


def vectorize(g: ScheduleGenerator, func: str, stage: Any, loops: list[str]) -> None:
    mark(g, func, stage, loops, "vectorize")


def unroll(g: ScheduleGenerator, func: str, stage: Any, loops: list[str]) -> None:
    mark(g, func, stage, loops, "unroll")


def mark(g: ScheduleGenerator, func: str, stage: Any, loops: list[str], kind: str) -> None:
    """A loop with a constant extent, or a part of any loop."""
    r = g.random
    fixed = [name for name in loops if name in g.split_by]
    if fixed and r.random() < 0.6:
        g.directives.append([func, stage, kind, r.choice(fixed)])
    else:
        g.directives.append([func, stage, kind, r.choice(loops), r.choice(FACTORS), r.choice(TAILS)])


def parallel(g: NestedSplits, func: str, stage: Any, loops: list[str]) -> None:
    """Most often a loop over blocks."""
    r = g.random
    blocks = [loop for loop in g.blocks.get(func, []) if loop in loops]
    g.directives.append([func, stage, "parallel", r.choice(blocks if blocks and r.random() < 0.7 else loops)])


MARKS = [
    (0.05, rfactor),
    (0.05, specialize),
    (0.3, reorder),
    (0.3, vectorize),
    (0.1, unroll),
    (0.85, parallel),
    (0.2, parallel),
]
