"""Random schedules of random pipelines, as lists of directives that can be printed, shrunk and replayed.

A schedule may ask for what is illegal: whoever applies it leaves out what is refused. `makers` holds the
directives with their chances, `directives` gives them to a module.
"""

from __future__ import annotations

import random
from typing import Any

from tests.fuzz.programs.recipe import Recipe, is_float, mentioned, output_dims
from tests.fuzz.programs.stages import INLINE_LIMIT
from tests.fuzz.schedules.directives import SIZE_TESTS, Directive
from tests.fuzz.schedules.makers import HINTS, LOOP_CHANGES, LOOP_MARKS, PROGRAM, STORAGE, chosen
from tests.fuzz.schedules.shared_loops import place_in_same_way, share_loops


class ScheduleGenerator:
    """Makes one schedule for a recipe from a seed."""

    # How much is asked for; which part of the Funcs is inlined, which at the root, and which part of the rest is stored
    # further out.
    EFFORTS = (0.0, 0.5, 1.0, 1.0, 1.5)
    PLACES = ((0.25, 0.45, 0.4), (0.25, 0.45, 0.4), (0.0, 0.1, 0.8), (0.5, 0.6, 0.4))

    def __init__(self, recipe: Recipe, seed: int) -> None:
        self.recipe = recipe
        self.random = random.Random(seed)
        self.directives: list[Directive] = []
        # (func, stage) -> the loop variables as they are after the directives so far, innermost first.
        self.loops: dict[tuple[str, int], list[str]] = {}
        self.dims: dict[str, list[str]] = {}
        self.types: dict[str, list[str]] = {}
        self.users: dict[str, list[str]] = {}
        self.costs: dict[str, int] = {}
        # The loops as defined.
        self.defined: dict[tuple[str, int], list[str]] = {}
        # The loops of each specialisation of a stage.
        self.versions: dict[tuple[str, int], list[list[str]]] = {}
        # The Funcs that are to share loops with earlier ones.
        self.companions: dict[str, str] = {}
        self.split_by: dict[str, int] = {}
        self.rooted: set[str] = set()
        self.fresh = self.new = 0
        self.inlined = self.at_root = self.stored_out = 0.0

    def make(self) -> list[Directive]:
        """The schedule."""
        for stage in self.recipe["stages"]:
            name = stage["name"]
            self.dims[name], self.types[name] = list(stage["dims"]), stage["types"]
            self.users[name] = consumers(self.recipe, name)
            self.costs[name] = INLINE_LIMIT + 1 if "extern" in stage else inline_cost(self.recipe, name)
            self.loops[name, 0] = list(stage["dims"])
            if "extern" in stage:
                # What a C function reads has to be in memory.
                self.costs[stage["extern"][0]] = INLINE_LIMIT + 1
            for number, update in enumerate(stage["updates"], 1):
                self.loops[name, number] = update_loops(self.recipe, stage, update)
        effort = self.random.choice(self.EFFORTS)
        self.inlined, self.at_root, self.stored_out = self.random.choice(self.PLACES)
        for name in list(self.dims):
            chosen(self, PROGRAM, name, effort=effort)
        self.defined = {key: list(loops) for key, loops in self.loops.items()}
        for key in list(self.loops):
            if self.random.random() < 0.6 * effort:
                self.schedule_stage(*key)
        share_loops(self, self.random.choice([0.0, 0.2, 0.6]))
        for name in list(self.dims):
            if name not in self.recipe["outputs"]:
                if not place_in_same_way(self, name):
                    self.place(name)
        for key, loops in self.loops.items():
            chosen(self, HINTS, *key, loops)
        return self.directives

    def schedule_stage(self, func: str, stage: int) -> None:
        loops = self.loops[func, stage]
        weights, makers = zip(*LOOP_CHANGES, strict=True)
        for _ in range(self.random.choice([1, 1, 2, 3])):
            if loops:
                self.random.choices(makers, weights)[0](self, func, stage, loops)
        chosen(self, LOOP_MARKS, func, stage, loops)

    def condition(self) -> Any:
        """What holds for some values of a Param or some sizes of an output."""
        r = self.random
        params = [name for name, (kind, _) in self.recipe["params"].items() if not is_float(kind)]
        if params and r.random() < 0.5:
            name = r.choice(params)
            kind, value = self.recipe["params"][name]
            other = value if r.random() < 0.6 else value + 1
            return [r.choice(["eq", "ne", "le", "lt"]), ["param", name], ["const", kind, other]]
        dims = output_dims(self.recipe)
        if not dims:
            return ["eq", ["const", "i32", 1], ["const", "i32", 1]]
        return ["size", r.choice(self.recipe["outputs"]), r.randrange(len(dims)), r.choice(SIZE_TESTS)]

    def name(self, like: str, others: list[str] | None = None) -> str:
        """A new variable; it stays recognisable as one of a reduction.

        With `others`, the other loops of the stage, it may be `like` again or one that is used elsewhere.
        """
        kind = "r" if like.startswith("r") else "v"
        if others is not None and self.random.random() < 0.15:
            earlier = [like, *[f"{kind}v{number}" for number in range(1, self.fresh + 1)]]
            free = [name for name in earlier if name not in others]
            if free:
                return self.random.choice([free[0], *free])
        self.fresh += 1
        return f"{kind}v{self.fresh}"

    def new_func(self) -> str:
        """A name for a Func that a directive makes."""
        self.new += 1
        return f"w{self.new}"

    def floating(self, func: str) -> bool:
        """Whether a Func holds floats."""
        return any(is_float(kind) for kind in self.types[func])

    def direct_users(self, func: str) -> list[str]:
        """The consumers that name a Func themselves, not through a boundary condition or an inline reduction."""
        stages = [stage for stage in self.recipe["stages"] if stage["name"] in self.users[func]]
        return [stage["name"] for stage in stages if reads_itself(list(stage.values()), func)]

    def add_stand_in(self, func: str, users: list[str], new: str, clone: bool) -> None:
        """Func `new` stands in the place of `func` in its consumers `users`."""
        self.dims[new], self.types[new], self.users[new] = self.dims[func], self.types[func], users
        self.costs[new] = self.costs[func]
        stages = [stage for name, stage in self.loops if name == func] if clone else [0]
        for stage in stages:
            self.loops[new, stage] = list(self.loops[func, stage])
        left = [name for name in self.users[func] if name not in users]
        self.users[func] = left if clone else [*left, new]
        if clone:
            for feeding in self.users.values():
                if func in feeding:
                    feeding.append(new)

    def add_factored(self, func: str, stage: int, pairs: list[list[str]], new: str) -> None:
        """Func `new` has a new dimension in the place of each loop of an update that `pairs` names."""
        loops, names = self.loops[func, stage], dict(pairs)
        ordered = [names[loop] for loop in loops if loop in names]
        self.dims[new] = [*self.dims[func], *ordered]
        self.types[new], self.users[new], self.costs[new] = self.types[func], [func], INLINE_LIMIT
        self.loops[new, 0] = list(self.dims[new])
        self.loops[new, 1] = [names.get(loop, loop) for loop in loops]
        loops[:] = [loop for loop in loops if loop in names or not loop.startswith("r")]
        for feeding in self.users.values():
            if func in feeding:
                feeding.append(new)

    def place(self, name: str) -> None:
        """Where a Func is computed and stored."""
        r = self.random
        users = self.users[name]
        beside = [func for func, other in self.companions.items() if other == name]
        may_inline = not beside and (name, 1) not in self.loops and self.costs[name] <= INLINE_LIMIT
        choice = r.random()
        if may_inline and choice < self.inlined:
            return
        levels = [loops for (user, _), loops in self.loops.items() if user in users and loops]
        if not levels or choice < self.at_root or not set(beside).isdisjoint(self.recipe["outputs"]):
            self.directives.append([name, "compute_root"])
            self.rooted.add(name)
        else:
            self.place_inside(name, r.choice(users))
        if self.dims[name]:
            chosen(self, STORAGE, name, self.dims[name])

    def common_loops(self, stage: tuple[str, int]) -> list[str]:
        """The loops of a stage that all versions of it have."""
        versions = self.versions.get(stage, [])
        return [loop for loop in self.loops[stage] if all(loop in version for version in versions)]

    def place_inside(self, name: str, user: str) -> None:
        r = self.random
        nests = [self.common_loops(key) for key in self.loops if key[0] == user and self.common_loops(key)]
        if not nests:
            self.directives.append([name, "compute_root"])
            self.rooted.add(name)
            return
        loops = r.choice(nests)
        at = r.randrange(len(loops))
        self.directives.append([name, "compute_at", user, loops[at]])
        further = r.random()
        if further < 0.7 * self.stored_out and at + 1 < len(loops):
            self.directives.append([name, "store_at", user, r.choice(loops[at + 1 :])])
        elif further < self.stored_out:
            self.directives.append([name, "store_root"])
        elif further > 0.95:
            self.directives.append([name, "hoist_storage", user, loops[-1]])


def update_loops(recipe: Recipe, stage: dict[str, Any], update: dict[str, Any]) -> list[str]:
    """The loop variables of an update as defined, innermost first."""
    rdom = update["rdom"]
    loops = [] if rdom is None else [f"{rdom}.{k}" for k in range(len(recipe["rdoms"][rdom]))]
    return loops + [dim for dim, arg in zip(stage["dims"], update["args"], strict=True) if arg == ["var", dim]]


def consumers(recipe: Recipe, name: str) -> list[str]:
    """The stages that read Func `name`."""
    result = []
    for stage in recipe["stages"]:
        names: set[str] = set()
        mentioned([stage["values"], [[u["args"], u["values"], u["where"]] for u in stage["updates"]]], names)
        if name in names and stage["name"] != name:
            result.append(stage["name"])
    return result


def reads_itself(tree: Any, func: str) -> bool:
    """Whether a definition reads Func `func`, not by a boundary condition or an inline reduction in between."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if not isinstance(tree, list) or tree and tree[0] in ("reduce", "best"):
        return False
    return tree[:2] == ["read", func] or any(reads_itself(part, func) for part in tree)


def inline_cost(recipe: Recipe, name: str) -> int:
    """How many reads a Func is made of when all that may be inlined in it is."""
    stages = {stage["name"]: stage for stage in recipe["stages"]}
    if name not in stages:
        return 1

    def reads(tree: Any) -> int:
        if not isinstance(tree, list):
            return 0
        name = tree[1].partition("@")[0] if tree and tree[0] == "read" else ""
        own = inline_cost(recipe, name) if name and not updated(name) else 1
        return (own if name else 0) + sum([reads(part) for part in tree])

    def updated(other: str) -> bool:
        return other in stages and bool(stages[other]["updates"])

    return 1 + sum([reads(value) for value in stages[name]["values"]])
