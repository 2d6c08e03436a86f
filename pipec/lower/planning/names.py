"""Names that statements use for bounds, buffers and their properties."""

from __future__ import annotations

from pipec.bounds.interval import Interval
from pipec.bounds.simplify import simplify
from pipec.func.functions.definition import FuncDef, PipelineDef
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import Expr, Max, Min, Select, Variable, variable
from pipec.records import dataclass
from pipec.schedule.bounds import AlignBounds
from pipec.schedule.placement import FuncSchedule


@dataclass(frozen=True)
class Alignment:
    """A grid of `align_bounds`: first coordinates are modulus * n + remainder, last ones one less."""

    modulus: int = 1
    remainder: int = 0

    def cell(self, e: Expr) -> Expr:
        """Returns the number of the grid cell that coordinate `e` lies in."""
        if self.modulus == 1:
            return e
        if isinstance(e, Select):
            return build.select(e.condition, self.cell(e.true_value), self.cell(e.false_value))
        if isinstance(e, (Min, Max)):
            return type(e)(self.cell(e.a), self.cell(e.b))
        return simplify(build.div(build.sub(e, self.remainder), self.modulus))

    def coordinates(self, first: Expr, last: Expr) -> Interval:
        """Returns the coordinates from the first one of cell `first` to the last one of cell `last`."""
        low, high = (build.add(build.mul(cell, self.modulus), self.remainder) for cell in (first, last))
        return Interval(low, build.add(high, self.modulus - 1))


def alignment_of(func: FuncDef, schedule: FuncSchedule, stage: int, var: str) -> Alignment:
    """Returns the grid of a stage's bounds in dimension `var`.

    The names of bounds with constant alignment stand for cells, so that the alignment of coordinates is visible in
    expressions.
    """
    # Earlier stages also compute what later ones read of the Func itself, wherever that lies.
    last = stage == len(func.stages) - 1
    aligned = schedule.by_dim(AlignBounds).get(var) if last else None
    modulus, remainder = (None, None) if aligned is None else map(constant, (aligned.modulus, aligned.remainder))
    return Alignment() if modulus is None or remainder is None else Alignment(int(modulus), int(remainder))


def bound_name(func: str, stage: int, var: str, end: str) -> str:
    """Returns the name of the first (`min`) or last (`max`) coordinate of a stage, or of its cell if aligned."""
    return f"{func}.s{stage}.{var}.{end}"


def bound_symbols(func: FuncDef, schedule: FuncSchedule, stage: int, var: str) -> Interval:
    """Returns the interval that a stage computes in dimension `var`, in terms of the names of its bounds."""
    first, last = (variable(bound_name(func.name, stage, var, end)) for end in ("min", "max"))
    return alignment_of(func, schedule, stage, var).coordinates(first, last)


def hoisted_memory(func: str, element: int) -> str:
    """Returns the buffer, allocated further out, that a Func (or an element of a Tuple) is stored in."""
    return f"{func}.hoisted.{element}"


def output_buffers(func: FuncDef) -> list[str]:
    """Returns the storage names of a Func: its own, or one for each element of a Tuple."""
    return [func.name] if len(func.types) == 1 else [f"{func.name}.{i}" for i in range(len(func.types))]


def buffer_symbol(buffer: str, what: str, dimension: int) -> Variable:
    """Returns the run-time `min`, `extent` or `stride` of a buffer argument."""
    return variable(f"{buffer}.{what}.{dimension}")


def scalar_alias(name: str) -> str:
    """Returns the name of a Param in the bodies of Funcs where its own name is that of a Var or RVar."""
    return f"{name}.value"


def ambiguous_scalars(definition: PipelineDef) -> set[str]:
    """The Params that have the name of a Var or RVar of some Func: bodies would read the loop variable instead."""
    names = {name for func in definition.funcs.values() for name in func.args}
    names.update([loop.name for func in definition.funcs.values() for stage in func.stages for loop in stage.rvars])
    return names & {*definition.scalars}


def ring_stride(func: str) -> str:
    """Returns the name of the number of elements between two storages in the ring buffer of a Func."""
    return f"{func}.ring.stride"
