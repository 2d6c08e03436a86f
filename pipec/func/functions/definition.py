"""Frozen definitions of Funcs and pipelines: all that lowering, autodiff and the search see of a user's program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipec.errors import DefinitionError
from pipec.ir import build
from pipec.ir.expr import TRUE, Expr, ExternValue, Undef
from pipec.ir.simplify import simplify
from pipec.ir.types import Type
from pipec.ir.undef import defined_parts, mentions_undef
from pipec.records import dataclass, field, replace


@dataclass(frozen=True)
class SourceLocation:
    """The user's line that made something."""

    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.file else "unknown line"


@dataclass(frozen=True, eq=False)
class ReductionLoop:
    """One dimension of a reduction domain: int32 expressions of Params and constants only."""

    name: str
    minimum: Expr
    extent: Expr


@dataclass(frozen=True, eq=False)
class StageDef:
    """A definition of a Func: stage 0 is pure (its args are Variables), later ones are updates.

    `rvars`: the loops of the RDom, innermost (fastest) first; `predicate`: its where-condition (bool).
    """

    args: tuple[Expr, ...]
    values: tuple[Expr, ...]
    rvars: tuple[ReductionLoop, ...] = ()
    predicate: Expr = TRUE
    location: SourceLocation = field(default_factory=SourceLocation)


@dataclass(frozen=True, eq=False)
class FuncDef:
    """A Func: pure variable names (dimension 0 first), a type for each element of its value, its stages."""

    name: str
    args: tuple[str, ...]
    types: tuple[Type, ...]
    stages: tuple[StageDef, ...]
    location: SourceLocation = field(default_factory=SourceLocation)

    @property
    def pure(self) -> bool:
        """Whether the Func has a pure definition only: no updates and no C function."""
        return len(self.stages) == 1 and self.extern is None

    @property
    def extern(self) -> ExternValue | None:
        """What the C function that computes it is given, when one does."""
        value = self.stages[0].values[0] if self.stages else None
        return value if isinstance(value, ExternValue) else None


@dataclass(frozen=True, eq=False)
class ImageDef:
    """A buffer argument: what ImageCalls of this name read (or, for an output, constraints on it).

    `constraints[d]` = (min, extent, stride), each None or an int32 expression that the buffer must have.
    `traced`: what is loaded is reported.
    """

    name: str
    type: Type
    dimensions: int
    constraints: tuple[tuple[Expr | None, Expr | None, Expr | None], ...] = ()
    traced: bool = False


@dataclass(frozen=True, eq=False)
class PipelineDef:
    """A whole program. `funcs` holds every Func reachable from the outputs, producers before consumers.

    Expressions refer to Funcs, images and scalars by name: FuncCall.name, ImageCall.name, ParameterRef.name.
    `facts`: questions about the target (TargetFact) among the ParameterRefs; `for_target` answers them.
    """

    name: str
    outputs: tuple[str, ...]
    funcs: dict[str, FuncDef]
    images: dict[str, ImageDef]
    scalars: dict[str, Type]
    output_constraints: dict[str, ImageDef] = field(default_factory=dict)
    requirements: tuple[tuple[Expr, tuple[Expr | str, ...]], ...] = ()
    facts: tuple[Any, ...] = ()


def without_undef(func: FuncDef) -> FuncDef:
    """The Func with conditions on its stages in the place of undef; elements never stored stay Undef."""
    stages = tuple([_defined_part(stage, func.name) for stage in func.stages])
    return func if all(a is b for a, b in zip(stages, func.stages, strict=True)) else replace(func, stages=stages)


def _defined_part(stage: StageDef, name: str) -> StageDef:
    if not mentions_undef((*stage.args, *stage.values)):
        return stage
    parts = defined_parts((*stage.args, *stage.values))
    args, values = parts[: len(stage.args)], parts[len(stage.args) :]
    nothing = any(arg is None for arg, _ in args)
    kept = [condition for value, condition in values if value is not None]
    _check_conditions("args", [condition for _, condition in args], name, stage)
    _check_conditions("values", kept, name, stage)
    condition = build.all_of([stage.predicate, *[condition for _, condition in args], *kept[:1]])
    return replace(
        stage,
        args=tuple([own if new is None else new for own, (new, _) in zip(stage.args, args, strict=True)]),
        values=tuple(
            [
                Undef(own.type) if new is None or nothing else new
                for own, (new, _) in zip(stage.values, values, strict=True)
            ]
        ),
        predicate=simplify(condition),
    )


def _check_conditions(what: str, conditions: Sequence[Expr], name: str, stage: StageDef) -> None:
    """The elements of a Tuple are stored together or not at all."""
    if what == "args":
        conditions = [condition for condition in conditions if condition is not TRUE]
    for number in range(1, len(conditions)):
        if conditions[number] is not conditions[0]:
            shown = ["(undefined)" if c is TRUE else str(c) for c in (conditions[number - 1], conditions[number])]
            raise DefinitionError(
                f"Error: Conditionally-undef {what} in a Tuple should have the same conditions\n"
                f"  Condition {number - 1}: {shown[0]}\n  Condition {number}: {shown[1]}\n"
                f"In a definition of Func {name} ({stage.location}): give all elements undef under one condition, or "
                "make the elements Funcs of their own."
            )
