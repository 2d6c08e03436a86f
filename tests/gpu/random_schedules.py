"""Random schedules for the GPU of fixed pipelines. What is refused with words is left out; pixels must not change.

python -m tests.gpu.random_schedules FIRST LAST tries these seeds.
"""

from __future__ import annotations

import random
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np

import pipec as hl
from pipec.errors import PlacementError
from tests.differential import scheduled
from tests.gpu.gpu import TARGET

TAILS = (hl.TailStrategy.Auto, hl.TailStrategy.GuardWithIf, hl.TailStrategy.Auto)
SIZES = ((35, 33), (13, 5), (1, 1), (32, 16))
FUNCS = {
    "blur": ("blur_x", "output"),
    "accumulated": ("rows", "output"),
    "pyramid": ("level", "down", "down2", "up", "output"),
    "scan": ("sums", "output"),
    "chain": ("stages",),
}


class Scheduler:
    """Gives one pipeline a random schedule; `said` is what it consists of."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        name = self.random.choice(list(FUNCS))
        self.build = getattr(scheduled, name)
        self.stages = self.build(hl)
        self.funcs = _funcs(self.stages, FUNCS[name])
        self.said: list[str] = [name]
        self.variables = 0
        # The loops of Funcs placed so far at which others can be computed, with what they are.
        self.places: list[tuple[Any, Any, str]] = []

    def make(self) -> None:
        for func in reversed(self.funcs):
            self.place(func)

    def fresh(self) -> Any:
        self.variables += 1
        return hl.Var(f"v{self.variables}")

    def say(self, text: str, action: Any) -> bool:
        """Give a directive, unless it is refused."""
        try:
            action()
        except hl.HalideError:
            return False
        self.said.append(text)
        return True

    def place(self, func: Any) -> None:
        output = func is self.funcs[-1]
        choice = self.random.random()
        if output or choice < 0.4 or not self.places:
            if not output:
                func.compute_root()
                self.said.append(f"{func.name()}.compute_root()")
            if self.random.random() < 0.8:
                self.on_gpu(func, 0)
        else:
            owner, variable, kind = self.random.choice(self.places)
            func.compute_at(owner, variable)
            self.said.append(f"{func.name()}.compute_at({owner.name()}, {variable.name()})")
            if kind == "block" and self.random.random() < 0.8:
                self.threads(func, 0)
            elif kind == "host" and self.random.random() < 0.6:
                self.on_gpu(func, 0)
        for number in range(func.num_update_definitions()):
            self.update(func, number)

    def update(self, func: Any, number: int) -> None:
        stage, pure = func.update(number), func.args()
        inside = any(f"{func.name()}.compute_at" in text for text in self.said)
        if self.random.random() < 0.5:
            variables = [v for v in pure if self.random.random() < 0.7]
            if variables and inside:
                self.say(f"{func.name()}.update({number}).gpu_threads", lambda: stage.gpu_threads(*variables))
            elif variables:
                block, thread = self.fresh(), self.fresh()
                self.say(
                    f"{func.name()}.update({number}).gpu_tile({variables[0].name()}, 8)",
                    lambda: stage.gpu_tile(variables[0], block, thread, 8),
                )

    def on_gpu(self, func: Any, number: int) -> None:
        args = func.args()
        outer, inner = [self.fresh() for _ in args], [self.fresh() for _ in args]
        sizes = [self.random.choice([1, 4, 8, 16]) for _ in args]
        tail = self.random.choice(TAILS)
        if len(args) == 1:
            inputs = [args[0], outer[0], inner[0], sizes[0]]
        else:
            inputs = [*args, *outer, *inner, *sizes]
        names = [v.name() if isinstance(v, hl.Var) else v for v in inputs]
        if not self.say(f"{func.name()}.gpu_tile({names}, {tail.name})", lambda: func.gpu_tile(*inputs, tail)):
            return
        self.places += [(func, outer[0], "block"), (func, inner[0], "thread")]
        if len(args) == 2 and self.random.random() < 0.3:
            self.places.append((func, inner[1], "block"))
        if self.random.random() < 0.3:
            size = self.random.choice([2, 4])
            kind = self.random.choice(["vectorize", "unroll", "serial"])
            wide = self.fresh()
            split = f"{func.name()}.split({inner[0].name()}, {wide.name()}, {size})"
            self.say(split, lambda: func.split(inner[0], inner[0], wide, size))
            self.say(f"{func.name()}.{kind}({wide.name()})", lambda: getattr(func, kind)(wide))
            if kind == "serial":
                self.places.append((func, wide, "thread"))

    def threads(self, func: Any, number: int) -> None:
        variables = [v for v in func.args() if self.random.random() < 0.8]
        if variables:
            text = ", ".join(v.name() for v in variables)
            self.say(f"{func.name()}.gpu_threads({text})", lambda: func.gpu_threads(*variables))


def _funcs(stages: SimpleNamespace, names: tuple[str, ...]) -> list[Any]:
    result: list[Any] = []
    for name in names:
        value = getattr(stages, name)
        result += value if isinstance(value, list) else [value]
    return result


def _realized(scheduler: Scheduler, output: Any, size: tuple[int, ...]) -> Any:
    """Funcs placed where they cannot be go to the root."""
    while True:
        try:
            return output.realize(list(size), target=TARGET)
        except PlacementError as error:
            wrong = [func for func in scheduler.funcs if str(error).startswith(f'Error: Func "{func.name()}"')]
            if not wrong or f"{wrong[0].name()}.compute_root()" in scheduler.said:
                raise
            wrong[0].compute_root()
            scheduler.said.append(f"{wrong[0].name()}.compute_root()")


def check(seed: int, sizes: tuple[tuple[int, ...], ...] = SIZES) -> str:
    """Run one seed; gives "ran", or why the schedule was refused."""
    scheduler = Scheduler(seed)
    scheduler.make()
    output = scheduler.stages.output
    for size, want in zip(sizes, scheduled.unscheduled(scheduler.build, sizes), strict=True):
        try:
            got = np.asarray(_realized(scheduler, output, size))
        except hl.HalideError as error:
            return str(error)
        text = "\n".join(scheduler.said)
        np.testing.assert_array_equal(got, want, err_msg=f"seed {seed}, size {size}\n{text}")
    return "ran"


def main() -> None:
    from tests.gpu.pocl import name_processors

    name_processors()
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        try:
            print(seed, check(seed)[:230].replace("\n", " | "), flush=True)
        except Exception as error:
            print(seed, "WRONG", type(error).__name__, str(error)[:1500], flush=True)


if __name__ == "__main__":
    main()
