"""The directives about how a stage or Func is executed: steady states, prefetches, threads of its own, memoization."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from pipec.ir.expr import Expr, FuncCall, ImageCall, ReductionVariable, Variable
from pipec.ir.stmt import Partition
from pipec.ir.walk import postorder
from pipec.schedule.directive import FuncDirective, StageDirective
from pipec.schedule.fields import OUTERMOST, FuncName, IntExpr, LoopName
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import FuncShape, Name, StageShape, name_of, refuse, scalar

if TYPE_CHECKING:
    from pipec.schedule.python_text import CallWriter


class PrefetchBoundStrategy(enum.Enum):
    """The strategies for prefetches of iterations beyond the end of the loop."""

    Clamp = 0
    """What the last iteration reads."""
    GuardWithIf = 1
    """Nothing."""
    NonFaulting = 2
    """What the later iteration would read; addresses outside of memory do no harm."""


class PartitionLoop(StageDirective):
    """Whether loop `var` is divided into a prologue, a steady state and an epilogue."""

    METHOD = "partition"

    var: LoopName
    policy: Partition

    @classmethod
    def apply(cls, schedule: Schedule, stage: StageShape, var: Name, policy: Partition) -> Schedule:
        """Refuses unknown loops."""
        loops = stage.loops(schedule)
        if name_of(var) == OUTERMOST:
            return schedule
        if loops.find(name_of(var)) is None:
            text = f"In schedule for {stage.ref}, could not find var {name_of(var)} to set loop partition policy."
            raise refuse(text, stage.location, loops)
        return schedule.add(cls(stage.ref, name_of(var), policy))


class Prefetch(StageDirective):
    """While loop `at` runs, what iteration `from_` + `offset` needs of the Func or image `source` may be fetched."""

    METHOD = "prefetch"

    source: FuncName
    at: LoopName
    from_: LoopName
    offset: IntExpr
    strategy: PrefetchBoundStrategy = PrefetchBoundStrategy.GuardWithIf

    @classmethod
    def apply(
        cls,
        schedule: Schedule,
        stage: StageShape,
        source: str,
        at: Name,
        from_: Name,
        offset: Expr | int = 1,
        strategy: PrefetchBoundStrategy = PrefetchBoundStrategy.GuardWithIf,
    ) -> Schedule:
        """Refuses unknown loops, and a loop `from_` inside of `at`."""
        names = stage.loops(schedule).names()
        for word, variable in (("at", at), ("from", from_)):
            if name_of(variable) not in names:
                text = f"Prefetch '{word}' variable '{name_of(variable)}' could not be found in an active loop."
                raise refuse(f"{text} (In schedule for {stage.ref}.)", stage.location, names)
        if names.index(name_of(from_)) < names.index(name_of(at)):
            text = f"Prefetch 'from' variable '{name_of(from_)}' could not be found in an active loop."
            raise refuse(f"{text} (Are the 'at' and 'from' variables swapped?)", stage.location, names)
        ahead = scalar(stage, offset, f"the offset of the prefetch of {source}")
        return schedule.add(cls(stage.ref, source, name_of(at), name_of(from_), ahead, strategy))


class Async(FuncDirective):
    """A thread of its own computes the Func while its consumers run."""

    METHOD = "async_"
    NEEDS_STORAGE = True


class Memoize(FuncDirective):
    """The values of the Func are cached between runs; `eviction`: an int64 that names cached values to evict."""

    METHOD = "memoize"
    NEEDS_STORAGE = True

    eviction: Expr | None = None

    @classmethod
    def apply(cls, schedule: Schedule, func: FuncShape, eviction: Expr | None = None) -> Schedule:
        """Refuses keys that depend on coordinates or values, and a second key; no key keeps the first one."""
        for node in () if eviction is None else postorder(eviction):
            if isinstance(node, Variable | ReductionVariable | FuncCall | ImageCall):
                text = f"In schedule for {func.name}, the eviction key {eviction} depends on {node}."
                raise refuse(f"{text} It may use constants and Params only.", func.location)
        for directive in schedule.of_func(func.name):
            if isinstance(directive, Memoize) and directive.eviction not in (None, eviction):
                if eviction is None:
                    return schedule
                text = f"Can't redefine memoize eviction key. First definition is: {directive.eviction}"
                raise refuse(f"{text} new definition is: {eviction} (Func {func.name})", func.location)
        return schedule.add(cls(func.name, eviction))

    def to_call(self, writer: CallWriter) -> str:
        """The key is an hl.EvictionKey."""
        key = "" if self.eviction is None else f"hl.EvictionKey({writer.expression(self.eviction)})"
        return f".{self.METHOD}({key})"
