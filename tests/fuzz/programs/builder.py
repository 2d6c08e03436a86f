"""Building the recipe of a random pipeline on any module with Halide's API."""

from __future__ import annotations

from typing import Any

from tests.fuzz.programs.images import UNUSUAL, pixels
from tests.fuzz.programs.recipe import FUNC_BOX, Recipe, Tree, output_dims


def hl_type(hl: Any, kind: str) -> Any:
    """The Halide type of a short name."""
    if kind == "bf16":
        return hl.BFloat(16)
    return {"u": hl.UInt, "i": hl.Int, "f": hl.Float}[kind[0]](int(kind[1:]))


class Builder:
    """Builds a recipe on a module: `funcs`, `rdoms`, `images`, `params` by the recipe's names, and the outputs.

    `plain`: extern stages are defined by expressions too.
    """

    def __init__(self, hl: Any, recipe: Recipe, plain: bool = False) -> None:
        self.hl = hl
        self.recipe = recipe
        self.plain = plain
        self.funcs: dict[str, Any] = {}
        self.rdoms: dict[str, Any] = {}
        self.params: dict[str, Any] = {}
        self.image_params: dict[str, Any] = {}
        self.readers: dict[str, Any] = {}
        self.arrays: dict[str, Any] = {}
        self.vars = {name: hl.Var(name) for name in ("x", "y", "c", "d", "e", "i")}
        for name, (kind, value) in recipe["params"].items():
            self.params[name] = hl.Param(hl_type(hl, kind), name, value)
        for image in recipe["images"]:
            self._image(image)
        for stage in recipe["stages"]:
            self._stage(stage)
        self.outputs = [self.funcs[name] for name in recipe["outputs"]]
        if recipe["output_layout"] in UNUSUAL and output_dims(recipe):
            for output in self.outputs:
                for buffer in output.output_buffers():
                    buffer.dim(0).set_stride(hl.Expr())

    def set_inputs(self, recipe: Recipe) -> None:
        """Gives Params and ImageParams the values that a variant of the recipe has."""
        for name, (_, value) in recipe["params"].items():
            self.params[name].set(value)
        for image in recipe["images"]:
            if image["given_as"] == "param":
                self.image_params[image["name"]].set(self._buffer(image))

    def output_buffers(self, sizes: list[int], mins: list[int]) -> list[Any]:
        """New Buffers for the outputs."""
        kinds = [kind for name in self.recipe["outputs"] for kind in self._types(name)]
        buffers = [self.hl.Buffer(hl_type(self.hl, kind), sizes) for kind in kinds]
        for buffer in buffers:
            buffer.set_min(mins)
        return buffers

    def _buffer(self, image: dict[str, Any]) -> Any:
        array = pixels(image).T
        # The wheel keeps no reference to an array that it shares.
        self.arrays[image["name"]] = array
        buffer = self.hl.Buffer(array, image["name"])
        buffer.set_min(image["min"])
        return buffer

    def _image(self, image: dict[str, Any]) -> None:
        hl = self.hl
        source = buffer = self._buffer(image)
        if image["given_as"] == "param":
            source = hl.ImageParam(hl_type(hl, image["type"]), len(image["size"]), image["name"])
            source.set(buffer)
            self.image_params[image["name"]] = source
            if image["layout"] in UNUSUAL:
                source.dim(0).set_stride(hl.Expr())
        bounds = [(m, n) for m, n in zip(image["min"], image["size"], strict=True)]
        boundary = image["boundary"]
        if boundary == "clamp":
            limits = [(m, m + n - 1) for m, n in bounds]
            self.readers[image["name"]] = lambda *at: source[
                tuple([hl.clamp(c, low, high) for c, (low, high) in zip(at, limits, strict=True)])
            ]
            return
        self.readers[image["name"]] = self._bounded(source, boundary, image["type"], None)

    def _bounded(self, source: Any, boundary: str, kind: str, bounds: list[tuple[int, int]] | None) -> Any:
        """A function that reads a source through a boundary condition."""
        hl = self.hl
        exterior = [hl.cast(hl_type(hl, kind), 7)] if boundary == "constant_exterior" else []
        func = getattr(hl.BoundaryConditions, boundary)(source, *exterior, *([] if bounds is None else [bounds]))
        return lambda *at: func[at]

    def _stage(self, stage: dict[str, Any]) -> None:
        hl = self.hl
        func = hl.Func(stage["name"])
        self.funcs[stage["name"]] = func
        if "extern" in stage and not self.plain:
            source, factor = stage["extern"]
            arguments = [hl.ExternFuncArgument(self.funcs[source]), hl.ExternFuncArgument(factor)]
            func.define_extern("ef_row_sums", arguments, hl.Int(32), [self.vars[d] for d in stage["dims"]])
            return
        self._define(func, [self.vars[d] for d in stage["dims"]], stage["values"])
        for update in stage["updates"]:
            if update["rdom"] is not None:
                self._rdom(update["rdom"], update["where"])
            self._define(func, [self.expression(arg) for arg in update["args"]], update["values"])

    def _define(self, func: Any, args: list[Any], trees: list[Tree]) -> None:
        values = [self._plain(tree) for tree in trees]
        func[args[0] if len(args) == 1 else tuple(args)] = values[0] if len(values) == 1 else tuple(values)

    def _rdom(self, name: str, where: Tree | None) -> Any:
        if name not in self.rdoms:
            loops = [(low, self.params.get(extent, extent)) for low, extent in self.recipe["rdoms"][name]]
            self.rdoms[name] = self.hl.RDom(loops, name)
            if where is not None:
                self.rdoms[name].where(self.expression(where))
        return self.rdoms[name]

    def rvar(self, name: str, k: int) -> Any:
        """Variable `k` of a reduction domain."""
        return self._rdom(name, None)[k]

    def expression(self, tree: Tree) -> Any:
        """The expression of a tree."""
        hl = self.hl
        op, *rest = tree
        if op == "const":
            kind, value = rest
            return hl.cast(hl_type(hl, kind), hl.f64(value) if kind == "f64" else value)
        if op == "var":
            return self.vars[rest[0]]
        if op == "rvar":
            return self.rvar(*rest)
        if op == "param":
            return self.params[rest[0]]
        if op == "read":
            return self._read(*rest)
        if op == "cast":
            return hl.cast(hl_type(hl, rest[0]), self.expression(rest[1]))
        if op == "reduce":
            kind, name, body = rest
            rdom = self._rdom(name, None)
            return getattr(hl, kind)(rdom, self.expression(body))
        if op == "best":
            kind, name, element, body = rest
            return getattr(hl, kind)(self._rdom(name, None), self._plain(body))[element]
        if op == "clamp":
            return hl.clamp(self.expression(rest[0]), rest[1], rest[2])
        if op == "shr":
            return self.expression(rest[0]) >> rest[1]
        return self._function(op, [self._plain(part) for part in rest])

    def _plain(self, tree: Tree) -> Any:
        """As an Expr, whatever kind of operand it is."""
        built = self.expression(tree)
        return built if isinstance(built, self.hl.Expr) else self.hl.Expr(built)

    def _read(self, name: str, element: int, args: list[Tree]) -> Any:
        at = [self.expression(arg) for arg in args]
        if "@" in name and name not in self.readers:
            func, _, boundary = name.partition("@")
            box = FUNC_BOX[: self.funcs[func].dimensions()]
            self.readers[name] = self._bounded(self.funcs[func], boundary, self._types(func)[0], box)
        if name in self.readers:
            return self.readers[name](*at)
        func = self.funcs[name]
        value = func[at[0] if len(at) == 1 else tuple(at)]
        return value[element] if len(self._types(name)) > 1 else value

    def _types(self, name: str) -> list[str]:
        return next(stage["types"] for stage in self.recipe["stages"] if stage["name"] == name)

    def _function(self, op: str, args: list[Any]) -> Any:
        hl = self.hl
        operators: dict[str, Any] = {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
            "div": lambda a, b: a / b,
            "mod": lambda a, b: a % b,
            "and": lambda a, b: a & b,
            "or": lambda a, b: a | b,
            "xor": lambda a, b: a ^ b,
            "lt": lambda a, b: a < b,
            "le": lambda a, b: a <= b,
            "eq": lambda a, b: a == b,
            "ne": lambda a, b: a != b,
            "both": lambda a, b: a & b,
            "either": lambda a, b: a | b,
            "not": hl.logical_not,
        }
        return (operators.get(op) or getattr(hl, op))(*args)
