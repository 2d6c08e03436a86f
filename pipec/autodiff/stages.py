"""Stages of Functions as differentiation sees them: unique variables, one value for each store."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from pipec.autodiff.terms import DomainDim
from pipec.bounds.box import Box
from pipec.bounds.simplify import simplify
from pipec.errors import NotSupportedError
from pipec.func.functions.definition import FuncDef, ReductionLoop, SourceLocation, StageDef, without_undef
from pipec.func.functions.function import Function
from pipec.func.functions.names import numbered_name
from pipec.ir import build
from pipec.ir.expr import TRUE, Effect, Expr, FuncCall, ImageCall, ReductionVariable, Undef, Variable
from pipec.ir.placeholders import versions
from pipec.ir.types import INT32, Type
from pipec.ir.walk import postorder, renaming_calls, rewrite, substitute
from pipec.records import dataclass, replace


@dataclass(frozen=True, eq=False)
class StageView:
    """Stage `number` of a Function. `pure`: for each dimension the variable that stands there, or None.

    Calls of the Function itself have its name only (`function` is None), as in definitions.
    `stores`: places and values, one pair unless the update is a scatter of several.
    """

    function: Function
    number: int
    pure: tuple[str | None, ...]
    loops: tuple[DomainDim, ...]
    stores: tuple[tuple[tuple[Expr, ...], tuple[Expr, ...]], ...]
    condition: Expr
    location: SourceLocation

    @property
    def args(self) -> tuple[Expr, ...]:
        """The places of all stores."""
        return tuple([arg for args, _ in self.stores for arg in args])

    @property
    def values(self) -> tuple[Expr, ...]:
        """The values of all stores."""
        return tuple([value for _, values in self.stores for value in values])

    @property
    def reads(self) -> list[FuncCall | ImageCall]:
        """All reads of Funcs and images."""
        nodes = postorder(*self.values, *self.args, self.condition)
        return [node for node in nodes if isinstance(node, FuncCall | ImageCall)]

    @property
    def names(self) -> set[str]:
        """The names of all variables of the stage."""
        return {name for name in self.pure if name is not None} | {dim.name for dim in self.loops}

    @property
    def where(self) -> str:
        """A text that names the definition, for errors."""
        kind = "the definition" if self.number == 0 else f"update {self.number - 1}"
        return f"{kind} of Func {self.function.name} ({self.location})"

    def dims_over(self, box: Box) -> list[DomainDim | None]:
        """The domain when the Func is needed over a box; None for a variable that is not bounded."""
        dims: list[DomainDim | None] = []
        for name, interval in zip(self.pure, box, strict=True):
            if name is not None:
                bounded = interval.low is not None and interval.high is not None
                dims.append(DomainDim(name, interval.low, interval.high) if bounded else None)  # type: ignore[arg-type]
        return [*dims, *self.loops]


def stage_views(function: Function) -> list[StageView]:
    """All stages, without undef."""
    definition = FuncDef(function.name, function.args, function.types, tuple(function.stages), function.location)
    if definition.extern is not None:
        raise NotSupportedError(
            f"Error: Func {function.name} ({function.location}) is computed by the C function "
            f"{definition.extern.symbol}, so its derivative is not known. Take it out of the gradient with `wrt`, or "
            "write it as a Func."
        )
    return [_view(function, number, stage) for number, stage in enumerate(without_undef(definition).stages)]


def _view(function: Function, number: int, stage: StageDef) -> StageView:
    names: dict[str, str] = {}
    pure: list[str | None] = []
    for own, arg in zip(function.args, stage.args, strict=True):
        is_pure = isinstance(arg, Variable) and arg.name == own
        if is_pure:
            names[own] = numbered_name(f"{own}~")
        pure.append(names[own] if is_pure else None)
    for loop in stage.rvars:
        names[loop.name] = numbered_name(f"{loop.name}~")

    callees = {callee.name: callee for callee in function.callees}
    images = {image.name(): image for image in function.parameters}

    def change(node: Any) -> Any:
        if isinstance(node, Variable | ReductionVariable) and node.name in names:
            return Variable(INT32, names[node.name])
        if isinstance(node, FuncCall):
            # Clones and wrappers name their callees only.
            called = node.function if node.name == function.name else node.function or callees[node.name]
            return FuncCall(node.type, node.name, tuple(map(simplify, node.args)), node.value_index, called)
        if isinstance(node, ImageCall):
            image = images[node.name] if node.image is None else node.image
            return ImageCall(node.type, node.name, tuple(map(simplify, node.args)), image)
        return node.value if isinstance(node, Effect) else node

    memo: dict[Any, Any] = {}
    width = len(stage.args)
    stores = []
    for version in versions((*stage.args, *stage.values)):
        parts = [rewrite(part, change, memo) for part in version]
        place = tuple([simplify(part) for part in parts[:width]])
        stores.append((place, tuple([_stored(function, place, at, value) for at, value in enumerate(parts[width:])])))
    loops = [
        DomainDim(names[loop.name], loop.minimum, simplify(build.sub(build.add(loop.minimum, loop.extent), 1)), True)
        for loop in stage.rvars
    ]
    condition = simplify(rewrite(stage.predicate, change, memo))
    return StageView(function, number, tuple(pure), tuple(loops), tuple(stores), condition, stage.location)


def with_inlined(view: StageView, functions: Collection[Function]) -> StageView:
    """The stage with calls of some pure Functions replaced by their definitions."""
    memo: dict[Any, Any] = {}

    def change(node: Any) -> Any:
        if isinstance(node, FuncCall) and node.function in functions:
            (own,) = stage_views(node.function)
            names = {name: arg for name, arg in zip(own.pure, node.args, strict=True) if name is not None}
            return rewrite(substitute(own.values[node.value_index], names), change)
        if isinstance(node, FuncCall | ImageCall):
            return node.with_children(map(simplify, node.args))
        return node

    def changed(parts: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple([rewrite(part, change, memo) for part in parts])

    stores = tuple([(changed(args), changed(values)) for args, values in view.stores])
    return replace(view, stores=stores, condition=changed((view.condition,))[0])


def _stored(function: Function, place: tuple[Expr, ...], index: int, value: Expr) -> Expr:
    """The value that is stored: for undef the present one."""
    return FuncCall(value.type, function.name, place, index, None) if isinstance(value, Undef) else value


def variables(names: Iterable[str]) -> tuple[Variable, ...]:
    """The variables of these names."""
    return tuple([Variable(INT32, name) for name in names])


def defined(
    name: str, args: Sequence[str], types: Sequence[Type], values: Sequence[Expr], location: SourceLocation
) -> Function:
    """A Function with this pure definition in terms of its variables."""
    function = Function(name, location)
    function.args, function.types = tuple(args), tuple(types)
    function.add_stage(StageDef(variables(args), tuple(values), (), TRUE, location))
    return function


def stem_of(function: Function) -> str:
    """The name of a Function without what makes it unique."""
    return function.name.partition("$")[0]


def reduction_over(dims: Sequence[DomainDim]) -> tuple[tuple[ReductionLoop, ...], list[Expr]]:
    """The loops of a new RDom over these dimensions, and their variables."""
    domain = numbered_name("r")
    names = [f"{domain}${at}" for at in range(len(dims))]
    loops = [ReductionLoop(name, d.low, build.max_(d.extent, 0)) for name, d in zip(names, dims, strict=True)]
    return tuple(loops), [ReductionVariable(INT32, name, None) for name in names]


def is_own(view: StageView, call: FuncCall) -> bool:
    """Returns whether a call reads the Func that the stage belongs to."""
    return call.function is None and call.name == view.function.name


def truncated(function: Function, last: int) -> Function:
    """The Function as its stages up to number `last` define it: itself, or a new Function."""
    if last == len(function.stages) - 1:
        return function
    copy = Function(f"{stem_of(function)}_{last}", function.location)
    copy.args, copy.types = function.args, function.types
    copy.substitutes = dict(function.substitutes)
    rename = renaming_calls({function.name: copy.name})
    for stage in function.stages[: last + 1]:
        copy.add_stage(stage.mapped(rename))
    # Stages of frozen definitions name their callees only.
    copy.callees |= function.callees
    copy.freeze()
    return copy
