"""The base of all directives: frozen records whose classes declare their fields, checks and texts."""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

from pipec.ir.expr import Expr
from pipec.records import dataclass
from pipec.schedule.fields import KINDS, FieldKind, FuncName, LevelRef, Renaming, StageRef, field_kind

if TYPE_CHECKING:
    from pipec.schedule.python_text import CallWriter
    from pipec.schedule.schedule import Loop, Schedule

DIRECTIVES: dict[str, type[Directive]] = {}
"""Every kind of directive, by the name of its class. Importing `pipec.schedule` fills it."""


class Concern(enum.Enum):
    """The subject that a directive decides about."""

    COMPUTATION = "where and how a Func is computed"
    SIZE = "how large a Func is, or is expected to be"
    REMARK = "nothing of the above: reports and warnings"


@dataclass_transform(frozen_default=True)
class Directive:
    """Base of all directives: immutable records that name Funcs, stages and loops, never objects.

    A class below StageDirective or FuncDirective declares a directive completely:

    * its fields, whose annotations are kinds of `pipec.schedule.fields`: from these follow JSON, renaming and the
      arguments in Python text;
    * METHOD, the user's method of Func or Stage that takes the fields after the first one (or its own `to_call`), and
      RETURNS_SUBJECT, whether it returns the Func or Stage, so that calls can be chained;
    * `apply`, which checks the arguments of that method and adds the directive to a schedule; also used for replay;
    * SOURCES and RESULTS, or `change_loops`, if it changes the loops of its stage;
    * CONCERN and NEEDS_STORAGE, which tell the search what the directive leaves open.
    """

    FIELDS: ClassVar[dict[str, FieldKind]] = {}
    METHOD: ClassVar[str] = ""
    CONCERN: ClassVar[Concern] = Concern.COMPUTATION
    NEEDS_STORAGE: ClassVar[bool] = False
    RETURNS_SUBJECT: ClassVar[bool] = True

    def __init_subclass__(cls, abstract: bool = False) -> None:
        scope = vars(sys.modules[cls.__module__])
        own = {name: text for name, text in cls.__annotations__.items() if not text.startswith("ClassVar")}
        cls.FIELDS = {**cls.FIELDS, **{name: field_kind(text, scope) for name, text in own.items()}}
        dataclass(cls, frozen=True)
        if not abstract:
            DIRECTIVES[cls.__name__] = cls

    @property
    def subject(self) -> StageRef | str:
        """The stage, or the name of the Func, that the directive is about."""
        raise NotImplementedError

    @property
    def owner(self) -> str:
        """The name of the Func that the directive, or its stage, belongs to."""
        raise NotImplementedError

    def arguments(self) -> tuple[Any, ...]:
        """The values of all fields but the subject: what `apply` takes after the schedule and the shape."""
        return tuple(self.__dict__.values())[1:]

    def expressions(self) -> dict[str, Expr]:
        """The fields that hold an expression."""
        return {name: value for name, value in self.__dict__.items() if isinstance(value, Expr)}

    def funcs(self) -> list[str]:
        """The Funcs that the directive is about or places itself in; not what it only reads or makes."""
        places = [value.func for value in self.__dict__.values() if isinstance(value, StageRef | LevelRef)]
        return [name for name in dict.fromkeys([self.owner, *places]) if name]

    def replace(self, **changes: Any) -> Self:
        """The directive with other values of some fields."""
        return type(self)(**{**self.__dict__, **changes})

    def renamed(self, renaming: Renaming) -> Self:
        """The directive with other names and expressions, also in the directives that it holds."""
        owner = self.owner
        values = {name: kind.rename(self.__dict__[name], owner, renaming) for name, kind in self.FIELDS.items()}
        return self if values == self.__dict__ else type(self)(**values)

    @classmethod
    def apply(cls, schedule: Schedule, shape: Any, /, *arguments: Any) -> Schedule:
        """`schedule` with the directive that a user's arguments make, or a ScheduleError that says what is legal.

        `shape`: the StageShape or FuncShape of the subject. Here: nothing to check.
        """
        make: Callable[..., Directive] = cls
        return schedule.add(make(shape.ref, *arguments))

    def to_call(self, writer: CallWriter) -> str:
        """The call of the user's method, `.method(arguments)`; arguments that are defaults at the end are left out."""
        values = list(self.FIELDS)[1:]
        while values and self.__dict__[values[-1]] == getattr(type(self), values[-1], Ellipsis):
            values.pop()
        texts = [self.FIELDS[name].to_python(self.__dict__[name], self, writer) for name in values]
        return f".{self.METHOD}({', '.join(texts)})"

    def to_data(self, write: Callable[[Expr], Any]) -> dict[str, Any]:
        """The directive as JSON data; `write` gives the data of an expression."""
        fields = {name: kind.to_data(self.__dict__[name], write) for name, kind in self.FIELDS.items()}
        return {"do": type(self).__name__, **fields}


class StageDirective(Directive, abstract=True):
    """Base of the directives about the loops of a stage.

    SOURCES and RESULTS, in a directive that replaces loops, name the fields of the loops that it removes, and of those
    that take the place of the first source, innermost first. ADDS_VERSION: it gives the stage another version.
    """

    SOURCES: ClassVar[tuple[str, ...]] = ()
    RESULTS: ClassVar[tuple[str, ...]] = ()
    ADDS_VERSION: ClassVar[bool] = False

    stage: StageRef

    @property
    def subject(self) -> StageRef | str:
        """The stage."""
        return self.stage

    @property
    def owner(self) -> str:
        """The name of the Func."""
        return self.stage.func

    def sources(self) -> tuple[str, ...]:
        """The loops that the directive removes."""
        return tuple([self.__dict__[name] for name in self.SOURCES])

    def results(self) -> tuple[str, ...]:
        """The loops that the directive introduces, innermost first."""
        return tuple([self.__dict__[name] for name in self.RESULTS])

    def runs_once(self, loop: str) -> bool:
        """Whether a loop that the directive introduces has a single iteration."""
        return False

    def loops(self) -> tuple[str, ...]:
        """The existing loops that the directive names."""
        names = [name for name, kind in self.FIELDS.items() if kind.names_loops and name not in self.RESULTS]
        values = [self.__dict__[name] for name in names]
        return tuple([loop for value in values for loop in ((value,) if isinstance(value, str) else value)])

    def change_loops(self, loops: list[Loop]) -> None:
        """Changes the loops of the stage, innermost first, as the directive says. Here: not at all."""


class FuncDirective(Directive, abstract=True):
    """Base of the directives about the place, the storage and the bounds of a Func.

    The last one of each class counts; in a class with a field `var`, the last one for each dimension.
    """

    func: FuncName

    @property
    def subject(self) -> StageRef | str:
        """The name of the Func."""
        return self.func

    @property
    def owner(self) -> str:
        """The name of the Func."""
        return self.func


def directive_from_data(data: Any, read: Callable[[Any], Expr]) -> Directive:
    """The directive that `to_data` wrote; `read` gives the expression for data.

    Raises ValueError for data that are no directive: each field is checked.
    """
    if not isinstance(data, dict) or not isinstance(data.get("do"), str) or data["do"] not in DIRECTIVES:
        raise ValueError(f"unknown directive; known are: {', '.join(sorted(DIRECTIVES))}")
    kind = DIRECTIVES[data["do"]]
    fields = {name: value for name, value in data.items() if name != "do"}
    required = {name for name in kind.FIELDS if not hasattr(kind, name)}
    if not required <= fields.keys() <= kind.FIELDS.keys():
        raise ValueError(f"{data['do']} has the fields {', '.join(kind.FIELDS)}")
    return kind(**{name: kind.FIELDS[name].from_data(value, read) for name, value in fields.items()})


KINDS["Directive"] = FieldKind(
    directive_from_data,
    lambda value, write: value.to_data(write),
    rename=lambda value, owner, renaming: value.renamed(renaming),
)
