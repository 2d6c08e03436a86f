"""Random expressions of a type over coordinates and sources, with the ranges of their values."""

from __future__ import annotations

import math
import random

import numpy as np

from tests.fuzz.programs.recipe import (
    INTEGERS,
    LIMITED,
    TYPES,
    Context,
    Recipe,
    Source,
    Tree,
    Value,
    full_range,
    is_float,
    names_in,
)

# What bool has in the place of arithmetic.
BOOLEAN = {"add": "xor", "sub": "xor", "mul": "and", "min": "and", "max": "or"}


class ExpressionMaker:
    """Makes expressions, and the reduction domains that these mention, for one recipe."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.recipe: Recipe = {
            "images": [], "params": {}, "rdoms": {}, "stages": [], "outputs": [], "output_layout": "plain",
        }  # fmt: skip
        self.sources: list[Source] = []

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
        if not coordinates:
            coordinates = list(variables)
        return Context(coordinates, context.sources, reductions=not variables)

    def constant(self, kind: str, value: float | None = None) -> Value:
        r = self.random
        if value is None:
            low, high = full_range(kind)
            value = r.randint(int(max(low, -9)), int(min(high, 20)))
            if is_float(kind):
                value = value / r.choice([1, 2, 4])
        value = float(value) if is_float(kind) else int(value)
        return Value(["const", kind, value], kind, value, value)

    def clamped(self, index: Value, low: int, high: int) -> Value:
        tree = self.convert(index, "i32").tree
        return Value(["clamp", tree, low, high], "i32", low, high)

    def scaled(self, index: Value) -> Value:
        """A coordinate times a fraction, as resampling has."""
        scale = self.random.choice([0.25, 0.3, 0.75, 1.5])
        product = ["mul", ["cast", "f32", index.tree], ["const", "f32", scale]]
        # One more at each end: the product is rounded.
        low, high = math.floor(index.low * scale) - 1, math.ceil(index.high * scale) + 1
        return Value(["cast", "i32", product], "i32", low, high)

    def convert(self, v: Value, kind: str) -> Value:
        """A cast that loses nothing by accident: what is too large is brought into range first."""
        if v.type == kind:
            return v
        if kind == "u1":
            return Value(["ne", v.tree, self.constant(v.type, 0).tree], kind, 0, 1)
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
        if kind == "u1":
            return Value([BOOLEAN[op], a.tree, b.tree], kind, 0, 1)
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
        if kind == "u1":
            return r.choice([self.truth, self.arithmetic, self.choice, self.converted])(kind, depth, context)
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

    def truth(self, kind: str, depth: int, context: Context) -> Value:
        return Value(self.condition(context), kind, 0, 1)

    def condition(self, context: Context) -> Tree:
        r = self.random
        kind = r.choice(TYPES)
        left = r.choice(context.coordinates) if r.random() < 0.3 and context.coordinates else None
        if left is not None:
            compared = [r.choice(["lt", "le", "eq", "ne"]), left.tree, self.constant("i32").tree]
        elif kind == "u1":
            compared = self.leaf(kind, context).tree
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
        if kind == "bf16" and op not in ("abs", "scale"):
            # These functions are in float32 for bfloat16.
            return self.convert(Value([op, ["abs", a.tree]], "f32", -size - 1, size + 1), kind)
        if op == "sqrt":
            return Value(["sqrt", ["abs", a.tree]], kind, 0, max(size, 1))
        if op == "scale":
            return Value(["div", a.tree, ["const", kind, float(r.choice([2, 3, 7, -4]))]], kind, -size, size)
        return Value([op, a.tree], kind, 0 if op == "abs" else -size - 1, size + 1)

    def reduced(self, kind: str, depth: int, context: Context) -> Value:
        """An inline reduction."""
        if not context.reductions or kind == "u1" or self.random.random() < 0.5:
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
        if choice < 0.2 and context.coordinates:
            return self.convert(r.choice(context.coordinates), kind)
        if choice < 0.26 and "p0" in self.recipe["params"]:
            return self.convert(Value(["param", "p0"], "i32", -3, 9), kind)
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
            at = context.coordinates[d] if same else r.choice(context.coordinates or [self.constant("i32")])
            if shape < 0.08 and source.doublings < 2:
                at, doubled = self.combine("mul", at, self.constant("i32", 2)), source.doublings + 1
            elif shape < 0.16:
                at = Value(["div", at.tree, ["const", "i32", 2]], "i32", at.low, at.high)
            elif shape < 0.2:
                at = self.combine("sub", self.constant("i32", r.randint(3, 9)), at)
            elif shape < 0.23:
                at = Value(["mod", at.tree, ["const", "i32", 5]], "i32", 0, 4)
            elif shape < 0.26:
                at = self.scaled(at)
            elif shape < 0.33 and d == 0 and len(context.sources) > 1:
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
