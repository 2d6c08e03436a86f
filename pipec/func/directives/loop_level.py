"""`LoopLevel`: a place in a loop nest that can be named now and decided later."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, TypeAlias

from pipec.errors import ScheduleError
from pipec.func.functions.function import revision
from pipec.func.functions.rdom import RDom, RVar
from pipec.func.functions.var import Var
from pipec.schedule.fields import INLINED, ROOT
from pipec.schedule.fields import LevelRef as Level
from pipec.schedule.schedule import Dim

if TYPE_CHECKING:
    from pipec.func.functions.func import Func


class VarOrRVar:
    """VarOrRVar(var), VarOrRVar(rvar), VarOrRVar(one-dimensional RDom), VarOrRVar(name, is_rvar).

    >>> hl.VarOrRVar(hl.Var("x"))
    <halide.VarOrRVar 'x'>
    """

    __slots__ = ("var", "rvar", "is_rvar")

    def __init__(self, source: Any, is_rvar: bool | None = None) -> None:
        if isinstance(source, str) and is_rvar is not None:
            source = RVar(source) if is_rvar else Var(source)
        elif is_rvar is not None or not isinstance(source, Var | RVar | RDom):
            raise TypeError(
                "__init__(): incompatible constructor arguments. VarOrRVar takes a Var, an RVar, an RDom, or a name and"
                f" whether it is that of an RVar, not {(source, is_rvar)!r}"
            )
        self.is_rvar = not isinstance(source, Var)
        self.rvar = (source if isinstance(source, RVar) else RVar(source)) if self.is_rvar else RVar()
        self.var = Var(self.rvar.name()) if self.is_rvar else source

    def name(self) -> str:
        """Returns the name of the variable."""
        return self.rvar.name() if self.is_rvar else self.var.name()

    def __repr__(self) -> str:
        return f"<halide.VarOrRVar '{self.name()}'>"


# What names a loop in a schedule.
LoopVar: TypeAlias = Var | RVar | RDom | VarOrRVar


class LoopLevel:
    """LoopLevel(func, var, stage_index), LoopLevel.root(), LoopLevel.inlined(); LoopLevel() is decided by set().

    >>> x = hl.Var("x")
    >>> f, g = hl.Func(), hl.Func()
    >>> f[x] = x
    >>> g[x] = f[x] + f[x + 1]
    >>> level = hl.LoopLevel()
    >>> made = f.compute_at(level)
    >>> level.set(hl.LoopLevel.root())
    >>> g.realize([3]).numpy().tolist()
    [1, 3, 5]
    """

    __slots__ = ("_level",)

    def __init__(self, func: Func | None = None, var: Any = None, stage_index: int = -1) -> None:
        self._level: Level | None = None
        if func is not None:
            self._level = level_in(func, var, stage_index)

    @staticmethod
    def root() -> LoopLevel:
        """Outside all loops of the pipeline."""
        return _holding(ROOT)

    @staticmethod
    def inlined() -> LoopLevel:
        """Nowhere: computed anew at each use."""
        return _holding(INLINED)

    def set(self, other: LoopLevel) -> None:
        """Makes this the same level as `other`, also where a Func uses it already."""
        if not isinstance(other, LoopLevel):
            raise TypeError(f"set(): incompatible function arguments: a LoopLevel is needed, not {other!r}")
        self._level = other._level
        revision.advance()

    def stage_index(self) -> int:
        """Returns the number of the stage whose loop this is, or -1 when no stage is named."""
        return -1 if self._level is None or self._level.stage is None else self._level.stage

    def __repr__(self) -> str:
        if self._level is None:
            return "<halide.LoopLevel undecided>"
        place = "root" if self._level.is_root else "inlined" if self._level.is_inlined else None
        return f"<halide.LoopLevel {place or f'{self._level.func}.{self._level.var}'}>"

    def level(self) -> Level | None:
        """The place, or None as long as it is undecided."""
        return self._level


def _holding(level: Level) -> LoopLevel:
    handle = LoopLevel()
    handle._level = level
    return handle


def level_in(func: Any, var: Any, stage_index: int = -1) -> Level:
    """The loop `var` of a Func (of whichever stage fits) or of one Stage."""
    if not hasattr(type(func), "dump_argument_list") and not hasattr(type(func), "compute_at"):
        raise TypeError(f"incompatible function arguments: a Func or a Stage is needed, not {func!r}")
    name = dim_of(var).name
    if hasattr(func, "compute_at"):
        return Level(func.name(), name, None if stage_index < 0 else operator.index(stage_index))
    return Level(func.function.name, name, func.stage_index())


def dim_of(variable: Any) -> Dim:
    """A Var or RVar as schedules name it."""
    if isinstance(variable, Var):
        return Dim(variable.name())
    if isinstance(variable, VarOrRVar):
        return Dim(variable.name(), variable.is_rvar)
    if isinstance(variable, RDom):
        variable = RVar(variable)
    if isinstance(variable, RVar):
        return Dim(variable.name(), True)
    raise TypeError(
        f"incompatible function arguments: a Var or RVar names a loop, not the {type(variable).__name__} {variable!r}"
    )


def undecided(directive: str, func: str) -> ScheduleError:
    """The error for a LoopLevel that was never set."""
    return ScheduleError(
        f"Error: There should be no undefined LoopLevels at the start of lowering. {directive} of Func {func} was "
        "given a LoopLevel() on which set() was never called. (Did you mean to use LoopLevel::inlined() instead of "
        "LoopLevel() ?)"
    )
