"""Pipelines with all floats in double precision, as a reference for the effect of rounding."""

from __future__ import annotations

from typing import Any

from pipec.func.functions.definition import FuncDef, ImageDef, PipelineDef
from pipec.func.functions.substitution import changed_definition
from pipec.ir.build import cast
from pipec.ir.expr import Binary, Cast, Const, Expr, Intrinsic, Reinterpret
from pipec.ir.intrinsics import result_type
from pipec.ir.types import Float, Type
from pipec.records import replace

FLOAT64 = Float(64)


def in_float64(definition: PipelineDef) -> PipelineDef:
    """Returns the pipeline with all floats as float64; reinterpreted bits stay those of the original types."""

    def change(node: Any) -> Any:
        return _widened(node) if isinstance(node, Expr) else node

    funcs = {}
    for name, func in definition.funcs.items():
        wide: FuncDef = changed_definition(func, change)
        funcs[name] = replace(wide, types=tuple(map(_wide, func.types)))
    images = {name: ImageDef(name, _wide(image.type), image.dimensions) for name, image in definition.images.items()}
    scalars = {name: _wide(kind) for name, kind in definition.scalars.items()}
    return replace(definition, funcs=funcs, images=images, scalars=scalars, output_constraints={})


def _wide(kind: Type) -> Type:
    return FLOAT64 if kind.floating else kind


def _widened(e: Expr) -> Expr:
    """A node whose operands are in double precision."""
    if isinstance(e, Reinterpret):
        if e.type.floating:
            return cast(FLOAT64, e)
        narrow = Float(e.type.nbits)
        return Reinterpret(e.type, cast(narrow, e.value)) if e.value.type.floating else e
    if isinstance(e, Binary):
        return e
    if isinstance(e, Const):
        return Const(FLOAT64, e.value) if e.type.floating else e
    if isinstance(e, Cast):
        return cast(_wide(e.type), e.value)
    if isinstance(e, Intrinsic):
        return Intrinsic(result_type(e.name, tuple([arg.type for arg in e.args])), e.name, e.args)
    if not e.type.floating or "type" not in e.FIELDS:
        return e
    wide = type(e)(*[FLOAT64 if field == "type" else getattr(e, field) for field in e.FIELDS])
    return wide
