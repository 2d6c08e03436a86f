"""The directives about compute and store levels, and all directives about a Func as one value."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from pipec.ir.expr import Expr
from pipec.schedule.directive import FuncDirective
from pipec.schedule.fields import INLINED, Factor, LevelRef
from pipec.schedule.schedule import Schedule
from pipec.schedule.shape import FuncShape, refuse, scalar

if TYPE_CHECKING:
    from pipec.schedule.python_text import CallWriter

F = TypeVar("F", bound=FuncDirective)


class PlaceDirective(FuncDirective, abstract=True):
    """Base of the directives that name a level in the loop nest."""

    level: LevelRef

    @classmethod
    def apply(cls, schedule: Schedule, func: FuncShape, level: LevelRef) -> Schedule:
        """Refuses a loop of the Func itself. (Lowering checks that the loop exists and encloses all uses.)"""
        if level.func == func.name:
            raise refuse(
                f"In schedule for {func.name}, {cls.METHOD}({level.func}, {level.var}) names {func.name} itself; "
                f"give a loop of a Func that uses {func.name}, or use {cls.root_method()}().",
                func.location,
            )
        return schedule.add(cls(func.name, level))

    @classmethod
    def root_method(cls) -> str:
        """The user's method for the level outside all loops."""
        return f"{cls.METHOD.removesuffix('_at')}_root"

    def to_call(self, writer: CallWriter) -> str:
        """Root has a method of its own."""
        return f".{self.root_method()}()" if self.level.is_root else f".{self.METHOD}({writer.level(self.level)})"


class ComputeAt(PlaceDirective):
    """The Func is computed inside the loop `level`, as much of it as one iteration of that loop needs."""

    METHOD = "compute_at"

    def to_call(self, writer: CallWriter) -> str:
        """An inlined Func has a method of its own."""
        return ".compute_inline()" if self.level.is_inlined else super().to_call(writer)


class StoreAt(PlaceDirective):
    """The storage of the Func lives for one iteration of the loop `level`, which encloses the place of computation."""

    METHOD = "store_at"


class HoistStorage(PlaceDirective):
    """The memory of the Func may be allocated once for all iterations inside the loop `level`."""

    METHOD = "hoist_storage"


class RingBuffer(FuncDirective):
    """The hoisted memory of the Func holds `extent` storages, which the iterations around it use in turn."""

    METHOD = "ring_buffer"

    extent: Factor

    @classmethod
    def apply(cls, schedule: Schedule, func: FuncShape, extent: Expr | int) -> Schedule:
        """Refuses extents below 1."""
        return schedule.add(cls(func.name, scalar(func, extent, "the extent of ring_buffer()", least=1)))


class FuncSchedule:
    """The placement of a Func according to all directives about it.

    `compute`, `store`: where it is computed and stored; `store_explicit`: the schedule gives the store level itself.
    """

    def __init__(self, directives: tuple[FuncDirective, ...]) -> None:
        self._all: dict[type, list[FuncDirective]] = {}
        self.compute, store = INLINED, None
        for directive in directives:
            self._all.setdefault(type(directive), []).append(directive)
            if isinstance(directive, ComputeAt):
                self.compute = directive.level
                store = None if directive.level.is_inlined else store
            elif isinstance(directive, StoreAt):
                store = directive.level
        self.store = self.compute if store is None else store
        self.store_explicit = store is not None

    def __contains__(self, kind: type[FuncDirective]) -> bool:
        return kind in self._all

    def all(self, kind: type[F]) -> list[F]:
        """All directives of a kind."""
        return self._all.get(kind, [])  # type: ignore[return-value]

    def last(self, kind: type[F]) -> F | None:
        """The directive of a kind that counts: the last one."""
        directives = self.all(kind)
        return directives[-1] if directives else None

    def by_dim(self, kind: type[F]) -> dict[str, F]:
        """The directives of a kind that count for each dimension, by its name."""
        return {directive.var: directive for directive in self.all(kind)}  # type: ignore[attr-defined]


def func_schedule(schedule: Schedule, func: str) -> FuncSchedule:
    """Returns the compute and store levels, storage and bounds of `func` in `schedule`."""
    return func_schedules(schedule.of_func(func))


@lru_cache(maxsize=4096)
def func_schedules(directives: tuple[FuncDirective, ...]) -> FuncSchedule:
    """Returns the FuncSchedule of one Func, cached."""
    return FuncSchedule(directives)
