"""Frozen definitions of Funcs and pipelines: all that lowering, autodiff and the search see of a user's program."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipec.ir.expr import TRUE, Expr
from pipec.ir.types import Type


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
        return len(self.stages) == 1


@dataclass(frozen=True, eq=False)
class ImageDef:
    """A buffer argument: what ImageCalls of this name read (or, for an output, constraints on it).

    `constraints[d]` = (min, extent, stride), each None or an int32 expression that the buffer must have.
    """

    name: str
    type: Type
    dimensions: int
    constraints: tuple[tuple[Expr | None, Expr | None, Expr | None], ...] = ()


@dataclass(frozen=True, eq=False)
class PipelineDef:
    """A whole program. `funcs` holds every Func reachable from the outputs, producers before consumers.

    Expressions refer to Funcs, images and scalars by name: FuncCall.name, ImageCall.name, ParameterRef.name.
    """

    name: str
    outputs: tuple[str, ...]
    funcs: dict[str, FuncDef]
    images: dict[str, ImageDef]
    scalars: dict[str, Type]
    output_constraints: dict[str, ImageDef] = field(default_factory=dict)
    requirements: tuple[tuple[Expr, tuple[Expr | str, ...]], ...] = ()
