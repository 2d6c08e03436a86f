"""Random pipelines as plain data: recipes, which `recipe_builder` builds on any module with Halide's API.

A recipe holds lists, strings and numbers only, so that it can be printed, shrunk and built again. The values of
every expression are kept within ranges where no int32 overflows, since Halide leaves that undefined.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Tree = list[Any]
Recipe = dict[str, Any]

INTEGERS = {
    "u8": (0, 255),
    "u16": (0, 65535),
    "u32": (0, 2**32 - 1),
    "i8": (-128, 127),
    "i16": (-(2**15), 2**15 - 1),
}
# Types whose sums must not leave a range: int32 and int64 because overflow has no meaning, floats to stay tame.
LIMITED = {"i32": 1 << 27, "i64": 1 << 45, "f32": 1 << 20, "f64": 1 << 20, "f16": 2000}
TYPES = ["u8", "u8", "u16", "i16", "i32", "i32", "f32", "f32", "u32", "i8", "i64", "f64", "f16"]
BOUNDARIES = ["repeat_edge", "mirror_image", "mirror_interior", "repeat_image", "constant_exterior", "clamp"]
# Coordinates of points that any stage is computed at stay within this distance of 0.
REACH = 400
# A Func that costs more than this many reads when inlined must be given storage.
INLINE_LIMIT = 40


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
    return kind[0] == "f"


def full_range(kind: str) -> tuple[float, float]:
    """All values that the generator lets an expression of this type have."""
    return INTEGERS[kind] if kind in INTEGERS else (-LIMITED[kind], LIMITED[kind])


# The part of stages that do not read the one before.
SIBLINGS = 0.25


@dataclass
class Generator:
    """Makes one recipe from a seed."""

    seed: int
    random: random.Random = field(init=False)
    recipe: Recipe = field(init=False)
    sources: list[Source] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.recipe = {"images": [], "params": {}, "rdoms": {}, "stages": [], "outputs": []}

    def make(self) -> Recipe:
        """The recipe."""
        r = self.random
        for i in range(r.choice([1, 1, 2])):
            self.image(f"in{i}")
        if r.random() < 0.4:
            self.recipe["params"]["p0"] = ["i32", r.randint(-3, 9)]
        if r.random() < 0.3:
            # The extent of reduction domains, and the factor of splits.
            self.recipe["params"]["n0"] = ["i32", r.randint(1, 4)]
        kinds = ["pointwise", "pointwise", "pointwise", "reduction", "reduction", "scan", "patch", "scatter"]
        kinds += ["histogram", "tuple", "best", "pair"]
        count = r.choice([1, 2, 2, 3, 3, 4, 5])
        for i in range(count):
            self.stage(f"f{i}", "pointwise" if i == count - 1 and r.random() < 0.5 else r.choice(kinds))
        self.finish()
        return self.recipe

    # Sources

    def image(self, name: str) -> None:
        r = self.random
        kind = r.choice(["u8", "u8", "u16", "i16", "f32", "i32"])
        self.recipe["images"].append(
            {
                "name": name,
                "type": kind,
                "size": [r.randint(1, 11), r.randint(1, 9)],
                "min": [0, 0] if r.random() < 0.7 else [r.randint(-4, 4), r.randint(-4, 4)],
                "boundary": r.choice(BOUNDARIES),
                "given_as": r.choice(["buffer", "param"]),
                "seed": r.randint(0, 99),
            }
        )
        low, high = (0, 255) if kind in ("u8", "u16", "f32") else (-120, 120)
        self.sources.append(Source(name, 2, [kind], [(min(low, 0), high)]))

    def finish(self) -> None:
        """Choose the outputs: the last stage, or some of the last ones; all must have the dimensions x and y."""
        flat = [stage["name"] for stage in self.recipe["stages"] if len(stage["dims"]) == 2]
        if not flat:
            self.stage("f9", "pointwise", flat=True)
            flat = ["f9"]
        self.recipe["outputs"] = flat[-1:]
        if len(flat) > 1 and self.random.random() < 0.3:
            self.recipe["outputs"] = sorted({flat[-1], self.random.choice(flat)})
        prune(self.recipe)

    # Stages

    def stage(self, name: str, kind: str, flat: bool = False) -> None:
        r = self.random
        dims = ["i"] if kind == "histogram" else ["x", "y"]
        if not flat and kind in ("pointwise", "reduction", "scan") and r.random() < 0.1:
            dims = ["x", "y", "c"]
        context = Context([Value(["var", d], "i32", -REACH, REACH) for d in dims], self.known())
        types = [r.choice(TYPES) for _ in range(2 if kind in ("tuple", "pair") else 1)]
        if kind == "best":
            types = ["i32", *(["i32"] if r.random() < 0.5 else []), *types]
        if kind == "histogram":
            types = [r.choice(["i32", "u32", "u16", "f32"])]
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
                maker = makers[kind] if r.random() < 0.8 or kind == "histogram" else self.patch
                stage["updates"].append(maker(own, dims, context))
        own.doublings = context.doublings
        own.cost = 1 if stage["updates"] else context.cost + 1
        self.recipe["stages"].append(stage)
        self.sources = [*self.sources, own]
        if dims == ["x", "y"] and len(types) == 1 and r.random() < 0.15:
            boundary = r.choice(BOUNDARIES[:5])
            low, high = own.ranges[0]
            around = [(min(low, 7), max(high, 7))]
            self.sources.append(Source(f"{name}@{boundary}", 2, types, around, own.cost + 1, own.doublings))

    def known(self) -> list[Source]:
        """The sources of a new stage: all, or all but the stage before, which then can share loops with it."""
        stages = self.recipe["stages"]
        if not stages or self.random.random() >= SIBLINGS:
            return self.sources
        return [source for source in self.sources if source.name.partition("@")[0] != stages[-1]["name"]]

    def rdom(self, count: int, extents: list[int], minimum: int | None = None) -> tuple[str, list[Value], int]:
        """A new reduction domain: its name, its variables, its number of points."""
        r = self.random
        name = f"r{len(self.recipe['rdoms'])}"
        loops = [[r.randint(-2, 1) if minimum is None else minimum, r.choice(extents)] for _ in range(count)]
        variables = [Value(["rvar", name, k], "i32", m, max(m + n, m + 4)) for k, (m, n) in enumerate(loops)]
        points = int(np.prod([max(n, 4) for _, n in loops]))
        if "n0" in self.recipe["params"] and r.random() < 0.3:
            r.choice(loops)[1] = "n0"
        self.recipe["rdoms"][name] = loops
        return name, variables, points

    def inner(self, context: Context, variables: list[Value], fixed: dict[int, Value] | None = None) -> Context:
        """The context of an update: coordinates moved by reduction variables, or replaced by them."""
        coordinates = []
        for d, c in enumerate(context.coordinates):
            if fixed and d in fixed:
                coordinates.append(fixed[d])
            elif variables and self.random.random() < 0.7:
                coordinates.append(self.combine("add", c, self.random.choice(variables)))
            else:
                coordinates.append(c)
        return Context(coordinates, context.sources, reductions=not variables)

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
                return Value([op, before.tree, term.tree], kind, *full_range(kind))
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
            total = Value(["add", before.tree, term.tree], kind, *full_range(kind))
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
        if len(dims) == 2 and r.random() < 0.4:
            args[1 - at] = fixed[1 - at] = variables[-1]
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

    # Expressions

    def constant(self, kind: str, value: float | None = None) -> Value:
        r = self.random
        if value is None:
            low, high = full_range(kind)
            value = r.randint(int(max(low, -9)), int(min(high, 20)))
            if is_float(kind):
                value = value / r.choice([1, 2, 4])
        if is_float(kind):
            value = float(value)
        return Value(["const", kind, value], kind, value, value)

    def clamped(self, index: Value, low: int, high: int) -> Value:
        tree = self.convert(index, "i32").tree
        return Value(["clamp", tree, low, high], "i32", low, high)

    def convert(self, v: Value, kind: str) -> Value:
        """A cast that loses nothing by accident: what is too large is brought into range first."""
        if v.type == kind:
            return v
        if is_float(v.type) and not is_float(kind):
            low, high = (max(-1000, full_range(kind)[0]), min(1000, full_range(kind)[1]))
            tree = ["min", ["max", v.tree, ["const", v.type, float(low)]], ["const", v.type, float(high)]]
            return Value(["cast", kind, tree], kind, low, high)
        low, high = v.low, v.high
        if kind in INTEGERS:
            fits = full_range(kind)[0] <= low and high <= full_range(kind)[1]
            return Value(["cast", kind, v.tree], kind, *((low, high) if fits else full_range(kind)))
        if max(-low, high) > min(LIMITED[kind], 1 << 20):
            if is_float(v.type):
                tree = ["min", ["max", v.tree, ["const", v.type, -1000.0]], ["const", v.type, 1000.0]]
                return Value(["cast", kind, tree], kind, -1000, 1000)
            modulus: Tree = ["const", v.type, min(LIMITED[kind], 4093) - 1 if v.type != "i8" else 127]
            return Value(["cast", kind, ["mod", v.tree, modulus]], kind, 0, 4092)
        return Value(["cast", kind, v.tree], kind, low, high)

    def offset(self, v: Value) -> Value:
        return self.combine("add", v, self.constant("i32", self.random.randint(-2, 2)))

    def combine(self, op: str, a: Value, b: Value) -> Value:
        """a op b, or their minimum when that could overflow."""
        kind = a.type
        corners = {
            "add": [a.low + b.low, a.high + b.high],
            "sub": [a.low - b.high, a.high - b.low],
            "mul": [x * y for x in (a.low, a.high) for y in (b.low, b.high)],
            "min": [min(a.low, b.low), min(a.high, b.high)],
            "max": [max(a.low, b.low), max(a.high, b.high)],
        }[op]
        low, high = min(corners), max(corners)
        if kind in INTEGERS:
            if low < INTEGERS[kind][0] or high > INTEGERS[kind][1]:
                low, high = INTEGERS[kind]
        elif op not in ("min", "max") and (low < -LIMITED[kind] or high > LIMITED[kind]):
            return self.combine("min", a, b)
        return Value([op, a.tree, b.tree], kind, low, high)

    def value(self, kind: str, depth: int, context: Context) -> Value:
        """A random expression of a type."""
        r = self.random
        if depth <= 0 or r.random() < 0.15:
            return self.leaf(kind, context)
        makers = [self.arithmetic] * 5 + [self.choice, self.converted, self.reduced]
        makers += [self.float_function] if is_float(kind) else [self.divided, self.bits]
        return r.choice(makers)(kind, depth, context)

    def arithmetic(self, kind: str, depth: int, context: Context) -> Value:
        a, b = self.value(kind, depth - 1, context), self.value(kind, depth - 1, context)
        return self.combine(self.random.choice(["add", "add", "sub", "mul", "min", "max"]), a, b)

    def choice(self, kind: str, depth: int, context: Context) -> Value:
        a, b = self.value(kind, depth - 1, context), self.value(kind, depth - 1, context)
        condition = self.condition(context)
        return Value(["select", condition, a.tree, b.tree], kind, min(a.low, b.low), max(a.high, b.high))

    def condition(self, context: Context) -> Tree:
        r = self.random
        kind = r.choice(TYPES)
        left = r.choice(context.coordinates) if r.random() < 0.3 else None
        if left is not None:
            compared = [r.choice(["lt", "le", "eq", "ne"]), left.tree, self.constant("i32").tree]
        else:
            a, b = self.leaf(kind, context), self.leaf(kind, context)
            compared = [r.choice(["lt", "le", "eq", "ne"]), a.tree, b.tree]
        if r.random() < 0.15:
            return [r.choice(["both", "either"]), compared, self.condition(context)]
        return ["not", compared] if r.random() < 0.1 else compared

    def converted(self, kind: str, depth: int, context: Context) -> Value:
        return self.convert(self.value(self.random.choice(TYPES), depth - 1, context), kind)

    def divided(self, kind: str, depth: int, context: Context) -> Value:
        r = self.random
        a = self.value(kind, depth - 1, context)
        b = self.constant(kind) if r.random() < 0.6 else self.value(kind, 0, context)
        if r.random() < 0.5:
            size = max(abs(b.low), abs(b.high))
            return Value(["mod", a.tree, b.tree], kind, 0, max(size - 1, 0))
        # Of a small type only: the smallest int / -1 wraps there without harm.
        size = max(abs(a.low), abs(a.high))
        low, high = (-size, size) if kind[0] == "i" else (0, size)
        return Value(["div", a.tree, b.tree], kind, *(full_range(kind) if kind in INTEGERS else (low, high)))

    def bits(self, kind: str, depth: int, context: Context) -> Value:
        r = self.random
        a, b = self.value(kind, depth - 1, context), self.value(kind, depth - 1, context)
        op = r.choice(["and", "or", "xor", "shr", "absd", *(["abs"] if kind[0] == "i" else [])])
        if op == "shr":
            return Value(["shr", a.tree, r.randint(0, 4)], kind, min(a.low, 0), max(a.high, 0))
        if op == "abs":
            high = max(abs(a.low), abs(a.high))
            return Value(["cast", kind, ["abs", a.tree]], kind, *(full_range(kind) if kind == "i8" else (0, high)))
        if op == "absd":
            if kind in INTEGERS:
                return Value(["cast", kind, ["absd", a.tree, b.tree]], kind, *full_range(kind))
            return Value(["cast", kind, ["absd", a.tree, b.tree]], kind, 0, max(a.high - b.low, b.high - a.low, 0))
        size = 1 << int(max(abs(v) for v in (a.low, a.high, b.low, b.high))).bit_length()
        if kind in INTEGERS:
            return Value([op, a.tree, b.tree], kind, *full_range(kind))
        low = 0 if a.low >= 0 and b.low >= 0 else -size
        return Value([op, a.tree, b.tree], kind, low, size - 1)

    def float_function(self, kind: str, depth: int, context: Context) -> Value:
        r = self.random
        a = self.value(kind, depth - 1, context)
        op = r.choice(["abs", "floor", "ceil", "round", "trunc", "sqrt", "scale"])
        size = max(abs(a.low), abs(a.high))
        if op == "sqrt":
            return Value(["sqrt", ["abs", a.tree]], kind, 0, max(size, 1))
        if op == "scale":
            return Value(["div", a.tree, ["const", kind, float(r.choice([2, 3, 7, -4]))]], kind, -size, size)
        return Value([op, a.tree], kind, 0 if op == "abs" else -size - 1, size + 1)

    def reduced(self, kind: str, depth: int, context: Context) -> Value:
        """An inline reduction."""
        if not context.reductions or self.random.random() < 0.5:
            return self.leaf(kind, context)
        name, variables, points = self.rdom(self.random.choice([1, 2]), [1, 2, 3])
        inner = self.inner(context, variables)
        term = self.value(kind, min(depth - 1, 1), inner)
        if name not in names_in(term.tree):
            # The wheel sums over a domain that is not mentioned once only.
            return term
        context.doublings = max(context.doublings, inner.doublings)
        context.cost += 1
        if kind == "i32" and self.random.random() < 0.3:
            element = self.random.randrange(len(variables))
            best = self.random.choice(["argmax", "argmin"])
            at = variables[element]
            return Value(["best", best, name, element, term.tree], "i32", min(at.low, 0), max(at.high, 0))
        low, high = term.low * points, term.high * points
        if kind not in INTEGERS and (low < -LIMITED[kind] or high > LIMITED[kind]):
            return Value(["reduce", "maximum", name, term.tree], kind, *full_range(kind))
        if kind in INTEGERS:
            low, high = full_range(kind)
        # Reductions start from 0; an inner extent of 0 never occurs here.
        return Value(["reduce", "sum", name, term.tree], kind, min(low, 0), max(high, 0))

    def leaf(self, kind: str, context: Context) -> Value:
        r = self.random
        choice = r.random()
        if choice < 0.12:
            return self.constant(kind)
        if choice < 0.2:
            return self.convert(r.choice(context.coordinates), kind)
        if choice < 0.26 and "p0" in self.recipe["params"]:
            type_, value = self.recipe["params"]["p0"]
            return self.convert(Value(["param", "p0"], type_, value, value), kind)
        return self.convert(self.read(context), kind)

    def read(self, context: Context) -> Value:
        """A read of an image or of an earlier stage: in place, a neighbour, half or double size, mirrored, gathered."""
        r = self.random
        recent = context.sources[-3:] if r.random() < 0.7 else context.sources
        source = r.choice(recent)
        doubled = source.doublings
        same = source.dims == len(context.coordinates) and r.random() < 0.92
        args = []
        shape = r.random()
        for d in range(source.dims):
            at = context.coordinates[d] if same else r.choice(context.coordinates)
            if shape < 0.08 and source.doublings < 2:
                at, doubled = self.combine("mul", at, self.constant("i32", 2)), source.doublings + 1
            elif shape < 0.16:
                at = Value(["div", at.tree, ["const", "i32", 2]], "i32", at.low, at.high)
            elif shape < 0.2:
                at = self.combine("sub", self.constant("i32", r.randint(3, 9)), at)
            elif shape < 0.23:
                at = Value(["mod", at.tree, ["const", "i32", 5]], "i32", 0, 4)
            elif shape < 0.3 and d == 0 and len(context.sources) > 1:
                inner = Context(context.coordinates, context.sources[:-1], reductions=False)
                at = self.clamped(self.leaf(r.choice(["u8", "i32"]), inner), 0, 7)
                context.cost += inner.cost
                doubled = max(doubled, inner.doublings)
            args.append(self.offset(at) if r.random() < 0.6 else at)
        context.cost += source.cost
        context.doublings = max(context.doublings, doubled)
        element = r.randrange(len(source.types))
        low, high = source.ranges[element]
        return Value(["read", source.name, element, [a.tree for a in args]], source.types[element], low, high)


def names_in(tree: Tree) -> set[str]:
    """What an expression mentions."""
    result: set[str] = set()
    mentioned(tree, result)
    return result


def mentioned(tree: Any, found: set[str]) -> None:
    """The names that an expression reads, reductions and parameters included."""
    if isinstance(tree, list):
        if tree and tree[0] in ("read", "rvar", "param"):
            found.add(tree[1].partition("@")[0])
        if tree and tree[0] in ("reduce", "best"):
            found.add(tree[2])
        for part in tree:
            mentioned(part, found)


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
