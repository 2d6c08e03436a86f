"""One random case: a recipe, a schedule and a box, and variants of it that the same machine code runs."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.fuzz.programs.recipe import Recipe, output_dims
from tests.fuzz.programs.stages import Generator
from tests.fuzz.schedules.directives import Directive
from tests.fuzz.schedules.generator import ScheduleGenerator

Box = list[list[int]]
SIDES = [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 17]
# With this many dimensions no side is longer.
LONGEST = {3: 7, 4: 4, 5: 3}


@dataclass(frozen=True)
class Case:
    """Everything that a run depends on; `text` gives it back."""

    recipe: Recipe
    directives: list[Directive]
    # (minimum, extent) of each dimension of the outputs.
    box: Box
    order: int = 0
    # How many variants of the case are run.
    boxes: int = 1

    def variants(self) -> Iterator[Case]:
        """The case, and others with other boxes, images and Params, which the same program computes."""
        yield replace(self, boxes=1)
        r = random.Random(self.order)
        for _ in range(self.boxes - 1):
            box = [[r.choice((0, 0, 0, low, -3, 4)), side(r, len(self.box))] for low, _ in self.box]
            yield replace(self, recipe=other_inputs(r, self.recipe), box=box, boxes=1)

    @property
    def text(self) -> str:
        """The case as one line of JSON."""
        return json.dumps([self.recipe, self.directives, self.box, self.order, self.boxes])

    @staticmethod
    def of_text(text: str) -> Case:
        return Case(*json.loads(text))


def side(r: random.Random, rank: int) -> int:
    """The extent of one of `rank` dimensions."""
    return r.choice([n for n in SIDES if n <= LONGEST.get(rank, 99)])


def other_inputs(r: random.Random, recipe: Recipe) -> Recipe:
    """The recipe with other values of Params, and other contents, sizes and minima of images that are ImageParams."""
    images = [dict(image) for image in recipe["images"]]
    for image in images:
        if image["given_as"] == "param":
            image["seed"] = r.randint(0, 99)
        # The limits of a clamp are constants of the program.
        if image["given_as"] == "param" and image["boundary"] != "clamp":
            image["size"] = [r.randint(1, most) for most in (11, 9, 4, 3)[: len(image["size"])]]
            image["min"] = [r.choice((0, 0, low, r.randint(-4, 4))) for low in image["min"]]
    ranges = {"p0": (-3, 9), "n0": (1, 4)}
    params = {name: [kind, r.randint(*ranges[name])] for name, (kind, _) in recipe["params"].items()}
    return {**recipe, "images": images, "params": params}


def random_box(r: random.Random, rank: int) -> Box:
    at_zero = r.random() < 0.8
    return [[0 if at_zero else r.randint(-5, 5), side(r, rank)] for _ in range(rank)]


def make_case(seed: int, schedules: type[ScheduleGenerator] = ScheduleGenerator) -> Case:
    """The case of a seed."""
    r = random.Random(seed)
    recipe = Generator(r.getrandbits(48)).make()
    directives = schedules(recipe, r.getrandbits(48)).make()
    return Case(recipe, directives, random_box(r, len(output_dims(recipe))), r.getrandbits(16))
