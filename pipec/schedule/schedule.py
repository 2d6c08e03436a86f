"""A schedule as a value: a tuple of directives, and the loops of a stage that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, cast

from pipec.errors import InternalError
from pipec.ir.stmt import LoopKind
from pipec.records import dataclass
from pipec.schedule.directive import Directive, FuncDirective, StageDirective
from pipec.schedule.fields import StageRef


@dataclass(frozen=True)
class Dim:
    """A variable of a stage as it was defined.

    `reduction`: it comes from a reduction domain; `extern`: the function of an extern stage loops over it.
    """

    name: str
    reduction: bool = False
    extern: bool = False


@dataclass(frozen=True)
class Loop:
    """A loop of a scheduled stage."""

    name: str
    kind: LoopKind = LoopKind.SERIAL
    reduction: bool = False


@dataclass(frozen=True)
class StageLoops:
    """The loops of a stage, innermost first, and the directives that replaced loops by others, first to last."""

    loops: tuple[Loop, ...]
    transforms: tuple[StageDirective, ...] = ()

    def find(self, name: str) -> Loop | None:
        """The loop of that name, if there is one."""
        return next((loop for loop in self.loops if loop.name == name), None)

    def names(self) -> tuple[str, ...]:
        """The names of the loops, innermost first."""
        return tuple(loop.name for loop in self.loops)


@dataclass(frozen=True)
class Schedule:
    """Directives in the order of the user's calls. Equal schedules hash equal; a schedule can be pickled.

    `Func.current_schedule` returns one, `Func.apply_schedule` gives it to the Funcs; so do those of Pipeline.

    >>> x, xi = hl.vars("x xi")
    >>> f = hl.Func("ramp")
    >>> f[x] = x
    >>> schedule = f.split(x, x, xi, 8).vectorize(xi).current_schedule()
    >>> len(schedule), hl.Schedule.from_json(schedule.to_json()) == schedule
    (2, True)
    """

    directives: tuple[Directive, ...] = ()

    def add(self, *directives: Directive) -> Schedule:
        """This schedule followed by `directives`, unchecked. (The `apply` of a directive's class checks first.)"""
        longer = Schedule((*self.directives, *directives))
        if "_index" in self.__dict__:
            # Growing a copy avoids indexing the schedule anew at each step of building it.
            index = dict(self._index)
            for directive in directives:
                _add_to_index(index, directive)
            longer.__dict__["_index"] = index
        return longer

    def __add__(self, other: Schedule) -> Schedule:
        return self.add(*other.directives)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self.to_python())}</pre>"

    def __len__(self) -> int:
        return len(self.directives)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return Schedule, (self.directives,)

    @cached_property
    def _hash(self) -> int:
        return hash(self.directives)

    @cached_property
    def _index(self) -> dict[StageRef | str, tuple[Directive, ...]]:
        index: dict[StageRef | str, tuple[Directive, ...]] = {}
        for directive in self.directives:
            _add_to_index(index, directive)
        return index

    def of_stage(self, stage: StageRef) -> tuple[StageDirective, ...]:
        """The directives about the loops of `stage`; those of a specialization begin with what it inherits."""
        return cast(tuple[StageDirective, ...], self._index.get(stage, ()))

    def of_func(self, func: str) -> tuple[FuncDirective, ...]:
        """The directives about the place, storage and bounds of `func`."""
        return cast(tuple[FuncDirective, ...], self._index.get(func, ()))

    def scheduled_stages(self) -> tuple[StageRef, ...]:
        """The stages that have directives of their own."""
        return tuple(key for key in self._index if isinstance(key, StageRef))

    def funcs(self) -> tuple[str, ...]:
        """The Funcs that any directive is about, in order of first mention."""
        return tuple(dict.fromkeys(key if isinstance(key, str) else key.func for key in self._index))

    def restricted_to(self, funcs: frozenset[str]) -> Schedule:
        """The part of this schedule that is about `funcs`."""
        return Schedule(tuple(directive for directive in self.directives if directive.owner in funcs))

    # The modules of the text forms are imported when needed; that of Python imports directives, which import this one.

    def to_python(self) -> str:
        """Python calls on Funcs which, executed, give this schedule."""
        from pipec.schedule.python_text import to_python

        return to_python(self)

    def to_json(self) -> str:
        """The schedule as JSON text, one directive a line."""
        from pipec.schedule.json_text import to_json

        return to_json(self.directives)

    @staticmethod
    def from_json(text: str) -> Schedule:
        """The schedule that `to_json` wrote; ScheduleError when the text is no such schedule."""
        from pipec.schedule.json_text import from_json

        return Schedule(from_json(text))


def _add_to_index(index: dict[StageRef | str, tuple[Directive, ...]], directive: Directive) -> None:
    before = index.get(directive.subject, ())
    if isinstance(directive, StageDirective) and directive.ADDS_VERSION:
        version, inherited = version_of(directive, cast(tuple[StageDirective, ...], before))
        index[version] = inherited
    index[directive.subject] = (*before, directive)


def version_of(
    directive: StageDirective, before: Sequence[StageDirective]
) -> tuple[StageRef, tuple[StageDirective, ...]]:
    """The version that a specialization adds to its stage after the directives `before`, and what it inherits."""
    stage = directive.stage
    number = sum(d.ADDS_VERSION for d in before)
    version = StageRef(stage.func, stage.stage, (*stage.path, number))
    return version, tuple([d.replace(stage=version) for d in before if not d.ADDS_VERSION])


def stage_loops(schedule: Schedule, stage: StageRef, dims: tuple[Dim, ...]) -> StageLoops:
    """The loops of a stage whose variables, innermost first, are `dims`."""
    return _stage_loops(schedule.of_stage(stage), dims)


@lru_cache(maxsize=4096)
def _stage_loops(directives: tuple[StageDirective, ...], dims: tuple[Dim, ...]) -> StageLoops:
    loops = [Loop(dim.name, LoopKind.EXTERN if dim.extern else LoopKind.SERIAL, dim.reduction) for dim in dims]
    for directive in directives:
        if directive.SOURCES:
            _replace(loops, directive.sources(), directive.results())
        else:
            directive.change_loops(loops)
    return StageLoops(tuple(loops), tuple([directive for directive in directives if directive.SOURCES]))


def _replace(loops: list[Loop], sources: Sequence[str], results: Sequence[str]) -> None:
    """Puts loops of the kind of the first source in its place, and removes the other sources.

    The outer part of a loop of an extern stage's function is a loop around the call of the function.
    """
    first, *others = [loops[loop_position(loops, name)] for name in sources]
    for other in others:
        loops.remove(other)
    at = loops.index(first)
    reduction = any(loop.reduction for loop in (first, *others))
    outer = LoopKind.SERIAL if first.kind is LoopKind.EXTERN else first.kind
    loops[at : at + 1] = [Loop(name, outer if n else first.kind, reduction) for n, name in enumerate(results)]


def loop_position(loops: Sequence[Loop], name: str) -> int:
    """The position of the loop `name`, which must exist."""
    for at, loop in enumerate(loops):
        if loop.name == name:
            return at
    raise InternalError(f"The schedule names the loop {name}, but the loops are {[loop.name for loop in loops]}.")
