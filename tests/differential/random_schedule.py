"""Random schedules of random pipelines, as lists of directives that can be printed, shrunk and replayed.

A directive is [func, method, ...] for a whole Func, or [func, stage, method, ...] for one of its stages. A schedule
may ask for what is illegal: whoever applies it leaves out what is refused.
"""

from __future__ import annotations

import random
from typing import Any

from random_pipeline import INLINE_LIMIT, Recipe, mentioned
from recipe_builder import Builder

Directive = list[Any]

TAILS = ["Auto", "RoundUp", "GuardWithIf", "ShiftInwards", "Predicate", "PredicateLoads", "PredicateStores"]
TAILS += ["ShiftInwardsAndBlend", "RoundUpAndBlend"]
PLACEMENTS = ("compute_root", "compute_at", "store_root", "store_at")


class ScheduleGenerator:
    """Makes one schedule for a recipe from a seed."""

    def __init__(self, recipe: Recipe, seed: int) -> None:
        self.recipe = recipe
        self.random = random.Random(seed)
        self.directives: list[Directive] = []
        # (func, stage) -> the loop variables as they are after the directives so far, innermost first.
        self.loops: dict[tuple[str, int], list[str]] = {}
        self.split_by: dict[str, int] = {}
        self.fresh = 0
        self.inlined = self.at_root = self.stored_out = 0.0

    def make(self) -> list[Directive]:
        """The schedule."""
        for stage in self.recipe["stages"]:
            self.loops[stage["name"], 0] = list(stage["dims"])
            for number, update in enumerate(stage["updates"], 1):
                self.loops[stage["name"], number] = update_loops(self.recipe, stage, update)
        effort = self.random.choice([0.0, 0.5, 1.0, 1.0, 1.5])
        # Which part of the Funcs is inlined or at the root, and which part of the rest is stored further out.
        self.inlined, self.at_root, self.stored_out = self.random.choice(
            [(0.25, 0.45, 0.4), (0.25, 0.45, 0.4), (0.0, 0.1, 0.8), (0.5, 0.6, 0.4)]
        )
        for key in self.loops:
            if self.random.random() < 0.6 * effort:
                self.stage_directives(*key)
        for position, stage in enumerate(self.recipe["stages"]):
            if stage["name"] not in self.recipe["outputs"]:
                self.place(position, stage)
        self.hints()
        return self.directives

    def name(self, like: str) -> str:
        """A new variable; it stays recognisable as one of a reduction."""
        self.fresh += 1
        return f"{'r' if like.startswith('r') else 'v'}v{self.fresh}"

    def stage_directives(self, func: str, stage: int) -> None:
        r = self.random
        loops = self.loops[func, stage]
        for _ in range(r.choice([1, 1, 2, 3])):
            if loops:
                r.choice([self.split, self.split, self.split, self.tile, self.fuse, self.rename])(func, stage, loops)
        if len(loops) > 1 and r.random() < 0.5:
            order = r.sample(loops, r.randint(2, len(loops)))
            self.directives.append([func, stage, "reorder", order])
            places = sorted([loops.index(name) for name in order])
            for place, name in zip(places, order, strict=True):
                loops[place] = name
        self.mark(func, stage, loops)

    def split(self, func: str, stage: int, loops: list[str]) -> None:
        r = self.random
        old = r.choice(loops)
        outer, inner, factor = self.name(old), self.name(old), r.choice([1, 2, 3, 4, 4, 5, 8])
        at = loops.index(old)
        loops[at : at + 1] = [inner, outer]
        if "n0" in self.recipe["params"] and r.random() < 0.15:
            self.directives.append([func, stage, "split", old, outer, inner, "n0", r.choice(TAILS)])
            return
        self.directives.append([func, stage, "split", old, outer, inner, factor, r.choice(TAILS)])
        self.split_by[inner] = factor

    def tile(self, func: str, stage: int, loops: list[str]) -> None:
        r = self.random
        if len(loops) < 2:
            self.split(func, stage, loops)
            return
        x, y = r.sample(loops, 2)
        names = [self.name(x), self.name(y), self.name(x), self.name(y)]
        factors = [r.choice([2, 3, 4, 8]), r.choice([1, 2, 4])]
        self.directives.append([func, stage, "tile", x, y, *names, *factors, r.choice(TAILS)])
        xo, yo, xi, yi = names
        # A tile is two splits and a reorder of all four loops.
        for old, outer, inner in ((x, xo, xi), (y, yo, yi)):
            at = loops.index(old)
            loops[at : at + 1] = [inner, outer]
        places = sorted([loops.index(name) for name in names])
        for place, name in zip(places, [xi, yi, xo, yo], strict=True):
            loops[place] = name
        self.split_by.update({xi: factors[0], yi: factors[1]})

    def fuse(self, func: str, stage: int, loops: list[str]) -> None:
        if len(loops) < 2:
            return
        at = self.random.randrange(len(loops) - 1)
        inner, outer = loops[at], loops[at + 1]
        both = inner.startswith("r") and outer.startswith("r")
        fused = self.name("r" if both else "x")
        self.directives.append([func, stage, "fuse", inner, outer, fused])
        loops[at : at + 2] = [fused]

    def rename(self, func: str, stage: int, loops: list[str]) -> None:
        at = self.random.randrange(len(loops))
        new = self.name(loops[at])
        self.directives.append([func, stage, "rename", loops[at], new])
        if loops[at] in self.split_by:
            self.split_by[new] = self.split_by[loops[at]]
        loops[at] = new

    def mark(self, func: str, stage: int, loops: list[str]) -> None:
        r = self.random
        constant = [name for name in loops if name in self.split_by]
        if constant and r.random() < 0.75:
            self.directives.append([func, stage, "vectorize", constant[0] if r.random() < 0.7 else r.choice(constant)])
        if constant and r.random() < 0.35:
            self.directives.append([func, stage, "unroll", r.choice(constant)])
        # Sums of floats depend on their order, which is free then.
        if stage > 0 and r.random() < 0.2 and not any(kind[0] == "f" for kind in self.types(func)):
            self.directives.append([func, stage, "atomic"])
        if loops and r.random() < 0.4:
            self.directives.append([func, stage, "parallel", loops[-1] if r.random() < 0.7 else r.choice(loops)])

    def types(self, func: str) -> list[str]:
        """The types of the values of a Func."""
        return next(stage["types"] for stage in self.recipe["stages"] if stage["name"] == func)

    def place(self, position: int, stage: dict[str, Any]) -> None:
        """Where a Func is computed and stored."""
        r = self.random
        name = stage["name"]
        users = consumers(self.recipe, name)
        may_inline = not stage["updates"] and inline_cost(self.recipe, name) <= INLINE_LIMIT
        choice = r.random()
        if may_inline and choice < self.inlined:
            return
        if not users or choice < self.at_root:
            self.directives.append([name, "compute_root"])
            self.storage(name, stage["dims"])
            return
        user = r.choice(users)
        stages = [key for key in self.loops if key[0] == user and self.loops[key]]
        if not stages:
            self.directives.append([name, "compute_root"])
            return
        loops = self.loops[r.choice(stages)]
        at = r.randrange(len(loops))
        self.directives.append([name, "compute_at", user, loops[at]])
        further = r.random()
        if further < 0.7 * self.stored_out and at + 1 < len(loops):
            self.directives.append([name, "store_at", user, r.choice(loops[at + 1 :])])
        elif further < self.stored_out:
            self.directives.append([name, "store_root"])
        elif further > 0.95:
            self.directives.append([name, "hoist_storage", user, loops[-1]])
        self.storage(name, stage["dims"])

    def storage(self, name: str, dims: list[str]) -> None:
        r = self.random
        if len(dims) > 1 and r.random() < 0.1:
            self.directives.append([name, "reorder_storage", dims[::-1]])
        if r.random() < 0.1:
            self.directives.append([name, "align_storage", r.choice(dims), r.choice([2, 4, 8])])
        if r.random() < 0.1:
            modulus = r.choice([2, 4, 5])
            self.directives.append([name, "align_bounds", r.choice(dims), modulus, r.randrange(modulus)])
        if r.random() < 0.1:
            self.directives.append([name, "store_in", r.choice(["Stack", "Heap", "Register"])])
        if r.random() < 0.06:
            self.directives.append([name, "fold_storage", r.choice(dims), r.choice([2, 4, 8])])

    def hints(self) -> None:
        """Directives about time and memory alone."""
        r = self.random
        at_root = [d[0] for d in self.directives if d[1] == "compute_root"]
        for name in [d[0] for d in self.directives if d[1] == "compute_at"]:
            if r.random() < 0.15:
                self.directives.append([name, "hoist_storage_root"])
        for (func, stage), loops in self.loops.items():
            if r.random() < 0.1:
                self.directives.append([func, stage, "never_partition_all"])
            sources = [name for name in at_root if func in consumers(self.recipe, name)]
            if loops and sources and r.random() < 0.25:
                at = r.randrange(len(loops))
                names = r.choice(sources), loops[at], r.choice(loops[at:])
                self.directives.append([func, stage, "prefetch", *names, r.randint(0, 3)])


def update_loops(recipe: Recipe, stage: dict[str, Any], update: dict[str, Any]) -> list[str]:
    """The loop variables of an update as defined, innermost first."""
    rdom = update["rdom"]
    loops = [] if rdom is None else [f"{rdom}.{k}" for k in range(len(recipe["rdoms"][rdom]))]
    return loops + [dim for dim, arg in zip(stage["dims"], update["args"], strict=True) if arg == ["var", dim]]


def consumers(recipe: Recipe, name: str) -> list[str]:
    """The stages that read Func `name`."""
    found = []
    for stage in recipe["stages"]:
        names: set[str] = set()
        mentioned([stage["values"], [[u["args"], u["values"], u["where"]] for u in stage["updates"]]], names)
        if name in names and stage["name"] != name:
            found.append(stage["name"])
    return found


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


# Applying


def variable(hl: Any, built: Builder, name: str) -> Any:
    """The Var or RVar of a name in a schedule."""
    if "." in name:
        rdom, k = name.split(".")
        return built.rvar(rdom, int(k))
    if name in built.vars:
        return built.vars[name]
    return hl.RVar(name) if name.startswith("r") else hl.Var(name)


def apply_directive(hl: Any, built: Builder, directive: Directive) -> None:
    """Give one directive; raises HalideError when it is refused."""
    name, *rest = directive
    func = built.funcs[name]
    if isinstance(rest[0], int):
        stage, method, *args = rest
        apply_to_stage(hl, built, func if stage == 0 else func.update(stage - 1), method, args)
        return
    method, *args = rest
    if method in ("compute_at", "store_at", "hoist_storage"):
        getattr(func, method)(built.funcs[args[0]], variable(hl, built, args[1]))
    elif method == "reorder_storage":
        func.reorder_storage(*[variable(hl, built, v) for v in args[0]])
    elif method == "store_in":
        func.store_in(getattr(hl.MemoryType, args[0]))
    elif method in ("align_storage", "align_bounds", "fold_storage"):
        getattr(func, method)(variable(hl, built, args[0]), *args[1:])
    else:
        getattr(func, method)()


def apply_to_stage(hl: Any, built: Builder, stage: Any, method: str, args: list[Any]) -> None:
    def var(name: str) -> Any:
        return variable(hl, built, name)

    if method == "split":
        old, outer, inner, factor, tail = args
        by = built.params.get(factor, factor)
        stage.split(var(old), var(outer), var(inner), by, getattr(hl.TailStrategy, tail))
    elif method == "tile":
        *names, xfactor, yfactor, tail = args
        stage.tile(*[var(name) for name in names], xfactor, yfactor, getattr(hl.TailStrategy, tail))
    elif method == "prefetch":
        source, at, start, offset = args
        stage.prefetch(built.funcs[source], var(at), var(start), offset)
    elif method == "reorder":
        stage.reorder(*[var(name) for name in args[0]])
    else:
        getattr(stage, method)(*[var(name) for name in args])


def apply(hl: Any, built: Builder, directives: list[Directive]) -> list[Directive]:
    """Give the directives one by one; returns those that were accepted."""
    accepted = []
    for directive in directives:
        try:
            apply_directive(hl, built, directive)
        except hl.HalideError:
            continue
        accepted.append(directive)
    return accepted
