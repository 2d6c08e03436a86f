"""Random recipes: images, stages with all kinds of updates, outputs."""

from __future__ import annotations

from typing import Any

from tests.fuzz.programs.expressions import ExpressionMaker
from tests.fuzz.programs.images import value_range
from tests.fuzz.programs.recipe import (
    BOUNDARIES,
    DIMS,
    IMAGE_TYPES,
    INTEGERS,
    LAYOUTS,
    LIMITED,
    TYPES,
    Context,
    Recipe,
    Source,
    Value,
    full_range,
    is_float,
    mentioned,
    prune,
)

# Coordinates of points that any stage is computed at stay within this distance of 0.
REACH = 400
# A Func that costs more than this many reads when inlined must be given storage.
INLINE_LIMIT = 40
# The part of stages that do not read the one before.
SIBLINGS = 0.25
RANKS = [2] * 14 + [0, 1, 1, 3, 3, 3, 4, 5]
# Of stages with fewer dimensions than their kind needs, and of those that only pointwise ones may have.
NEEDS_DIMENSIONS = ("scan", "patch", "scatter")
FREE_RANK = ("pointwise", "reduction", "scan", "pair")


class Generator(ExpressionMaker):
    """Makes one recipe from a seed."""

    def make(self) -> Recipe:
        """The recipe."""
        r = self.random
        self.dims = DIMS[: r.choice(RANKS)]
        self.recipe["output_layout"] = r.choice(LAYOUTS) if r.random() < 0.2 else "plain"
        for i in range(r.choice([1, 1, 2])):
            self.image(f"in{i}")
        if r.random() < 0.4:
            self.recipe["params"]["p0"] = ["i32", r.randint(-3, 9)]
        if r.random() < 0.3:
            # The extent of reduction domains, and the factor of splits.
            self.recipe["params"]["n0"] = ["i32", r.randint(1, 4)]
        kinds = ["pointwise", "pointwise", "pointwise", "reduction", "reduction", "scan", "patch", "scatter"]
        kinds += ["histogram", "tuple", "best", "pair", "extern"]
        count = r.choice([1, 2, 2, 3, 3, 4, 5])
        for i in range(count):
            self.stage(f"f{i}", "pointwise" if i == count - 1 and r.random() < 0.5 else r.choice(kinds))
        self.finish()
        return self.recipe

    # Sources

    def image(self, name: str) -> None:
        r = self.random
        kind = r.choice(IMAGE_TYPES)
        rank = r.choice([2, 2, 2, 2, max(1, min(4, len(self.dims)))])
        self.recipe["images"].append(
            {
                "name": name,
                "type": kind,
                "size": [r.randint(1, most) for most in (11, 9, 4, 3)[:rank]],
                "min": [0] * rank if r.random() < 0.7 else [r.randint(-4, 4) for _ in range(rank)],
                "layout": r.choice(LAYOUTS) if r.random() < 0.3 else "plain",
                "boundary": r.choice(BOUNDARIES),
                "given_as": r.choice(["buffer", "param"]),
                "seed": r.randint(0, 99),
            }
        )
        low, high = value_range(kind)
        self.sources.append(Source(name, rank, [kind], [(low, 1 if kind == "u1" else high - 1)]))

    def finish(self) -> None:
        """Choose the outputs: the last stage, or some of the last ones; all must have the same dimensions.

        No output holds bfloat16, for which numpy has no type.
        """
        stages = self.recipe["stages"]
        flat = [stage["name"] for stage in stages if stage["dims"] == self.dims and "bf16" not in stage["types"]]
        if not flat:
            self.stage("f9", "pointwise", last=True)
            flat = ["f9"]
        self.recipe["outputs"] = flat[-1:]
        if len(flat) > 1 and self.random.random() < 0.3:
            self.recipe["outputs"] = sorted({flat[-1], self.random.choice(flat)})
        prune(self.recipe)

    # Stages

    def stage(self, name: str, kind: str, last: bool = False) -> None:
        r = self.random
        if kind == "extern" and self.extern(name):
            return
        dims = ["i"] if kind == "histogram" else self.dims
        if not last and kind in FREE_RANK and r.random() < 0.12:
            dims = DIMS[: r.choice([0, 1, 2, 3, 3])]
        if kind == "extern" or not dims and kind in NEEDS_DIMENSIONS:
            kind = "pointwise"
        context = Context([Value(["var", d], "i32", -REACH, REACH) for d in dims], self.readable())
        types = self.types(kind, last)
        if kind == "histogram":
            values = [self.constant(types[0], 0)]
        else:
            values = [self.value(t, r.choice([1, 1, 2, 2]), context) for t in types]
        own = Source(name, len(dims), types, [(v.low, v.high) for v in values])
        stage: dict[str, Any] = {
            "name": name, "dims": dims, "types": types, "values": [v.tree for v in values], "updates": [],
        }  # fmt: skip
        makers = {
            "reduction": self.accumulate,
            "scan": self.scan,
            "patch": self.patch,
            "scatter": self.scatter,
            "histogram": self.count,
            "tuple": self.swap,
            "best": self.best,
            "pair": self.accumulate_all,
        }
        if kind in makers:
            for _ in range(r.choice([1, 1, 1, 2])):
                maker = makers[kind] if r.random() < 0.8 or kind == "histogram" or not dims else self.patch
                stage["updates"].append(maker(own, dims, context))
        own.doublings = context.doublings
        own.cost = 1 if stage["updates"] else context.cost + 1
        self.recipe["stages"].append(stage)
        self.sources = [*self.sources, own]
        if dims and dims != ["i"] and len(types) == 1 and r.random() < 0.15:
            boundary = r.choice(BOUNDARIES[:5])
            low, high = own.ranges[0]
            around = [(min(low, 7), max(high, 7))]
            self.sources.append(Source(f"{name}@{boundary}", len(dims), types, around, own.cost + 1, own.doublings))

    def types(self, kind: str, last: bool) -> list[str]:
        """The types of the values of a stage."""
        r = self.random
        if kind == "histogram":
            return [r.choice(["i32", "u32", "u16", "f32"])]
        ordered = [one for one in TYPES if one != "u1"]
        if kind == "best":
            return ["i32", *(["i32"] if r.random() < 0.5 else []), r.choice(ordered)]
        if kind == "tuple":
            return [r.choice(ordered), r.choice(TYPES)]
        types = [r.choice(TYPES) for _ in range(2 if kind == "pair" or kind == "pointwise" and r.random() < 0.1 else 1)]
        return ["f32" if last and one == "bf16" else one for one in types]

    def extern(self, name: str) -> bool:
        """A stage that the C function ef_row_sums computes from the latest stage that it can read, if there is one."""
        fitting = [s for s in self.sources if s.dims == 2 and s.types == ["i32"] and "@" not in s.name]
        stages = {stage["name"] for stage in self.recipe["stages"]}
        fitting = [s for s in fitting if s.name in stages and max(map(abs, s.ranges[0])) < 1 << 20]
        if not fitting:
            return False
        source, factor = fitting[-1], self.random.choice([1, 3, -2])
        low, high = (3 * factor * limit for limit in source.ranges[0])
        read = [
            ["read", source.name, 0, [["add", ["var", "x"], ["const", "i32", k]], ["var", "y"]]] for k in (-1, 0, 1)
        ]
        total = ["add", ["add", read[0], read[1]], read[2]]
        self.recipe["stages"].append({
            "name": name, "dims": ["x", "y"], "types": ["i32"], "updates": [],
            "values": [["mul", total, ["const", "i32", factor]]], "extern": [source.name, factor],
        })  # fmt: skip
        self.sources = [*self.sources, Source(name, 2, ["i32"], [(min(low, high), max(low, high))], INLINE_LIMIT)]
        return True

    def readable(self) -> list[Source]:
        """The sources of a new stage: all, or all but the stage before, which then can share loops with it."""
        stages = self.recipe["stages"]
        if not stages or self.random.random() >= SIBLINGS:
            return self.sources
        return [source for source in self.sources if source.name.partition("@")[0] != stages[-1]["name"]]

    def update(
        self, own: Source, args: list[Value], values: list[Value], rdom: str | None, context: Context, outer: Context
    ) -> dict[str, Any]:
        own.ranges = [(min(low, v.low), max(high, v.high)) for (low, high), v in zip(own.ranges, values, strict=True)]
        outer.doublings = max(outer.doublings, context.doublings)
        return {"args": [a.tree for a in args], "values": [v.tree for v in values], "rdom": rdom, "where": None}

    def self_read(self, own: Source, args: list[Value], element: int = 0) -> Value:
        low, high = own.ranges[element]
        return Value(["read", own.name, element, [a.tree for a in args]], own.types[element], low, high)

    def accumulate(self, own: Source, dims: list[str], outer: Context) -> dict[str, Any]:
        r = self.random
        name, variables, points = self.rdom(r.choice([1, 1, 2]), [0, 1, 2, 3, 3, 4])
        context = self.inner(outer, variables)
        args = list(outer.coordinates)
        term = self.value(own.types[0], 1, context)
        result = self.accumulated(r.choice(["add", "add", "sub", "max", "min"]), own, args, term, points)
        update = self.update(own, args, [result], name, context, outer)
        self.restrict(update, variables, outer)
        return update

    def restrict(self, update: dict[str, Any], variables: list[Value], outer: Context) -> None:
        """Give the reduction domain a condition, sometimes; without a variable of the domain it has no effect."""
        r = self.random
        used: set[str] = set()
        mentioned([update["args"], update["values"]], used)
        if update["rdom"] not in used:
            return
        if r.random() < 0.06:
            update["where"] = self.condition(Context([*variables, *variables], outer.sources, reductions=False))
        elif r.random() < 0.25:
            left = r.choice([*variables, *variables, *outer.coordinates])
            update["where"] = [r.choice(["lt", "le", "ne"]), r.choice(variables).tree, self.offset(left).tree]

    def accumulate_all(self, own: Source, dims: list[str], outer: Context) -> dict[str, Any]:
        """Every element of a Tuple accumulates something of its own."""
        r = self.random
        name, variables, points = self.rdom(r.choice([1, 2]), [0, 1, 2, 3, 4])
        context = self.inner(outer, variables)
        args = list(outer.coordinates)
        values = []
        for element, kind in enumerate(own.types):
            op, term = r.choice(["add", "sub", "max", "min"]), self.value(kind, 1, context)
            values.append(self.accumulated(op, own, args, term, points, element))
        update = self.update(own, args, values, name, context, outer)
        self.restrict(update, variables, outer)
        return update

    def best(self, own: Source, dims: list[str], outer: Context) -> dict[str, Any]:
        """Where something is largest or smallest, and how large; of equal ones the first or the last."""
        r = self.random
        name, variables, _ = self.rdom(len(own.types) - 1, [1, 2, 3, 4])
        context = self.inner(outer, variables)
        args = list(outer.coordinates)
        value = self.value(own.types[-1], 1, context)
        before = [self.self_read(own, args, element) for element in range(len(own.types))]
        better = [r.choice(["lt", "le"]), *r.sample([before[-1].tree, value.tree], 2)]
        values = []
        for new, old in zip([*variables, value], before, strict=True):
            low, high = min(new.low, old.low), max(new.high, old.high)
            values.append(Value(["select", better, new.tree, old.tree], old.type, low, high))
        update = self.update(own, args, values, name, context, outer)
        self.restrict(update, variables, outer)
        return update

    def accumulated(self, op: str, own: Source, args: list[Value], term: Value, points: int, element: int = 0) -> Value:
        """The Func's own value combined with a term, `points` times over."""
        before = self.self_read(own, args, element)
        kind = own.types[element]
        if op in ("add", "sub"):
            low, high = (term.low, term.high) if op == "add" else (-term.high, -term.low)
            low, high = before.low + min(0, low * points), before.high + max(0, high * points)
            if kind in INTEGERS:
                return self.combine(op, before, term)
            if -LIMITED[kind] <= low and high <= LIMITED[kind]:
                return Value([op, before.tree, term.tree], kind, low, high)
            op = "max"
        return self.combine(op, before, term)

    def scan(self, own: Source, dims: list[str], outer: Context) -> dict[str, Any]:
        r = self.random
        name, (variable,), _ = self.rdom(1, [1, 3, 6, 10, 14], minimum=r.choice([0, 1, 1]))
        at = r.randrange(len(dims))
        context = self.inner(outer, [], {at: variable})
        args = [variable if d == at else c for d, c in enumerate(outer.coordinates)]
        backward = r.random() < 0.2
        step = self.combine("add" if backward else "sub", variable, self.constant("i32", r.choice([1, 1, 2])))
        before = self.self_read(own, [step if d == at else a for d, a in enumerate(args)])
        kind = own.types[0]
        term = self.value(kind, 1, context)
        if is_float(kind):
            total = Value(["add", ["mul", before.tree, ["const", kind, 0.5]], term.tree], kind, *full_range(kind))
            own.ranges[0] = full_range(kind)
        elif kind in INTEGERS:
            total = self.combine("add", before, term)
        else:
            total = Value(["mod", ["add", before.tree, term.tree], ["const", kind, 1009]], kind, 0, 1008)
        return self.update(own, args, [total], name, context, outer)

    def patch(self, own: Source, dims: list[str], outer: Context) -> dict[str, Any]:
        """A pure update: of all points, or of one row or column."""
        r = self.random
        args = list(outer.coordinates)
        if r.random() < 0.6:
            args[r.randrange(len(args))] = self.constant("i32", r.randint(-1, 5))
        context = Context(args, outer.sources)
        values = []
        for element, kind in enumerate(own.types):
            before = self.self_read(own, args, element)
            values.append(self.combine(r.choice(["add", "sub", "max"]), before, self.value(kind, 1, context)))
        return self.update(own, args, values, None, context, outer)

    def scatter(self, own: Source, dims: list[str], outer: Context) -> dict[str, Any]:
        r = self.random
        name, variables, points = self.rdom(r.choice([1, 2]), [1, 2, 4, 5], minimum=0)
        at = r.randrange(len(dims))
        fixed = {at: r.choice(variables)}
        args = list(outer.coordinates)
        if len(dims) > 1 and r.random() < 0.4:
            other = (at + 1) % len(dims)
            args[other] = fixed[other] = variables[-1]
        context = self.inner(outer, [], fixed)
        args[at] = self.clamped(self.value(r.choice(["u8", "i32"]), 1, context), 0, r.choice([2, 7]))
        term = self.value(own.types[0], 1, context)
        if r.random() < 0.3:
            return self.update(own, args, [term], name, context, outer)
        result = self.accumulated(r.choice(["add", "max"]), own, args, term, points)
        return self.update(own, args, [result], name, context, outer)

    def count(self, own: Source, dims: list[str], outer: Context) -> dict[str, Any]:
        """A histogram of something two-dimensional."""
        name, variables, points = self.rdom(2, [1, 4, 7], minimum=0)
        context = Context(variables, outer.sources, reductions=False)
        index = self.clamped(self.value("u8", 1, context), 0, self.random.choice([3, 15]))
        one = self.constant(own.types[0], 1)
        result = self.accumulated("add", own, [index], one, points)
        return self.update(own, [index], [result], name, context, outer)

    def swap(self, own: Source, dims: list[str], outer: Context) -> dict[str, Any]:
        """A Tuple update in which each value depends on both."""
        r = self.random
        name, variables, points = self.rdom(1, [1, 2, 3])
        context = self.inner(outer, variables)
        args = list(outer.coordinates)
        before = [self.self_read(own, args, element) for element in (0, 1)]
        better = ["lt", self.value(own.types[0], 1, context).tree, before[0].tree]
        values = []
        for element, kind in enumerate(own.types):
            change = self.value(kind, 1, context)
            if r.random() < 0.5:
                other = self.convert(before[1 - element], kind)
                change = self.combine(r.choice(["min", "max"]), change, other)
            low, high = min(change.low, before[element].low), max(change.high, before[element].high)
            values.append(Value(["select", better, change.tree, before[element].tree], kind, low, high))
        return self.update(own, args, values, name, context, outer)
