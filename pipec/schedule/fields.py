"""The kinds of fields that directives have: how each is written as JSON and Python, validated, and renamed."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from pipec.ir.expr import Const, Expr
from pipec.ir.types import INT32
from pipec.records import dataclass

if TYPE_CHECKING:
    from pipec.schedule.directive import Directive
    from pipec.schedule.python_text import CallWriter

T = TypeVar("T")
FuncName: TypeAlias = str
"""The name of a Func, or of an image."""
LoopName: TypeAlias = str
"""The name of a loop of the stage that the directive is about."""
DimName: TypeAlias = str
"""A pure variable of the Func that the directive is about."""

IntExpr: TypeAlias = Expr
"""An int32 expression."""
Factor: TypeAlias = Expr
"""An int32 expression that, if it is constant, is at least 1."""
Condition: TypeAlias = Expr
"""A bool expression."""
Positive: TypeAlias = int
"""An int of at least 1."""
Count: TypeAlias = int
"""An int of at least 0."""

_Read: TypeAlias = Callable[[Any], Expr]
_Write: TypeAlias = Callable[[Expr], Any]


@dataclass(frozen=True)
class StageRef:
    """Stage number `stage` (0: pure, 1...: updates) of Func `func`.

    `path`: which of its specializations, of that one's own, and so on; empty: the stage outside of all of them.
    """

    func: str
    stage: int = 0
    path: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.func if self.stage == 0 else f"{self.func}.update({self.stage - 1})"


@dataclass(frozen=True)
class LevelRef:
    """A level in the loop nest: inside loop `var` of Func `func`, at root, or nowhere (inlined).

    `stage` None: whichever stage of `func` uses the producer.
    """

    func: str = ""
    var: str = ""
    stage: int | None = None

    @property
    def is_root(self) -> bool:
        """Whether the level is outside all loops."""
        return self.var == "__root"

    @property
    def is_inlined(self) -> bool:
        """Whether the Func is computed at each use."""
        return not self.func and not self.var


ROOT = LevelRef(var="__root")
INLINED = LevelRef()
OUTERMOST = "__outermost"
"""The loop name of Var.outermost(): the level around all loops of a stage."""


@dataclass(frozen=True)
class Renaming:
    """Changes of what directives name: Funcs, loops (given the Func they belong to) and expressions."""

    func: Callable[[str], str] = lambda name: name
    loop: Callable[[str, str], str] = lambda func, name: name
    expression: Callable[[Expr], Expr] = lambda e: e


@dataclass(frozen=True)
class FieldKind:
    """The kind of a field: its conversions, validation and text.

    `to_data(value, write)` gives JSON data, where `write` gives those of an expression; `from_data(data, read)` takes
    data of unknown origin and raises ValueError when they do not fit; `to_python(value, directive, writer)` gives
    arguments of a call; `rename(value, owner, renaming)` gives the value under other names, where `owner` is the Func
    that the directive belongs to. `names_loops`: the value names loops of the stage.
    """

    from_data: Callable[[Any, _Read], Any]
    to_data: Callable[[Any, _Write], Any] = lambda value, write: value
    to_python: Callable[[Any, Directive, CallWriter], str] = lambda value, directive, writer: repr(value)
    rename: Callable[[Any, str, Renaming], Any] = lambda value, owner, renaming: value
    names_loops: bool = False


def field_kind(annotation: str, scope: Mapping[str, Any]) -> FieldKind:
    """The kind that a field's annotation names; `scope`: the names of its module, for enumerations."""
    if annotation.endswith(" | None"):
        return _optional(field_kind(annotation.removesuffix(" | None"), scope))
    if annotation.startswith("tuple["):
        return _sequence(field_kind(annotation.removeprefix("tuple[").removesuffix(", ...]"), scope))
    if annotation in KINDS:
        return KINDS[annotation]
    named = scope.get(annotation)
    if not isinstance(named, type) or not issubclass(named, enum.Enum):
        raise TypeError(f"a directive cannot have a field of type {annotation}: pipec.schedule.fields has no such kind")
    return _enumeration(named)


def shortened(data: Any) -> str:
    """The start of the text of data, for error messages."""
    text = repr(data)
    return text if len(text) <= 100 else f"{text[:100]}..."


def typed(kind: type[T], data: Any) -> T:
    """The data, which are of unknown origin. Raises ValueError unless their type is `kind` itself."""
    if type(data) is not kind:
        raise ValueError(f"{shortened(data)} is not of type {kind.__name__}")
    return data


def _require(condition: bool, data: Any, expected: str) -> None:
    if not condition:
        raise ValueError(f"{shortened(data)} is not {expected}")


def _text(data: Any, read: _Read) -> str:
    _require(isinstance(data, str), data, "a text")
    data.encode()  # Lone surrogates raise a UnicodeEncodeError, which is a ValueError.
    return str(data)


def _name(data: Any, read: _Read) -> str:
    _require(data != "", data, "a name")
    return _text(data, read)


def _integer(minimum: int) -> FieldKind:
    def from_data(data: Any, read: _Read) -> int:
        _require(type(data) is int and minimum <= data < 2**31, data, f"an int of 32 bits from {minimum} on")
        return int(data)

    return FieldKind(from_data)


def _boolean(data: Any, read: _Read) -> bool:
    _require(isinstance(data, bool), data, "true or false")
    return bool(data)


def _stage(data: Any, read: _Read) -> StageRef:
    _require(isinstance(data, list) and len(data) >= 2, data, "a stage: [Func, number, specializations...]")
    func, stage, *path = data
    return StageRef(_name(func, read), _COUNT.from_data(stage, read), tuple([_COUNT.from_data(n, read) for n in path]))


def _level(data: Any, read: _Read) -> LevelRef:
    _require(isinstance(data, list) and len(data) == 3, data, "a loop level: [Func, loop, stage]")
    func, var, stage = data
    level = LevelRef(_text(func, read), _text(var, read), None if stage is None else _COUNT.from_data(stage, read))
    _require(bool(func and var) or level in (ROOT, INLINED), data, "a loop of a Func, root or inlined")
    return level


def _renamed_level(level: LevelRef, owner: str, renaming: Renaming) -> LevelRef:
    if not level.func:
        return level
    return LevelRef(renaming.func(level.func), renaming.loop(level.func, level.var), level.stage)


def _expression(fits: Callable[[Expr], bool], expected: str) -> FieldKind:
    def from_data(data: Any, read: _Read) -> Expr:
        expression = read(data)
        _require(fits(expression), data, expected)
        return expression

    return FieldKind(
        from_data,
        lambda value, write: write(value),
        lambda value, directive, writer: writer.expression(value),
        lambda value, owner, renaming: renaming.expression(value),
    )


def _enumeration(choices: type[enum.Enum]) -> FieldKind:
    names = choices.__members__

    def from_data(data: Any, read: _Read) -> enum.Enum:
        _require(isinstance(data, str) and data in names, data, f"one of {', '.join(names)}")
        return names[data]

    return FieldKind(
        from_data,
        to_data=lambda value, write: value.name,
        to_python=lambda value, directive, writer: f"hl.{choices.__name__}.{value.name}",
    )


def _optional(kind: FieldKind) -> FieldKind:
    return FieldKind(
        lambda data, read: None if data is None else kind.from_data(data, read),
        lambda value, write: None if value is None else kind.to_data(value, write),
        lambda value, *context: "None" if value is None else kind.to_python(value, *context),
        lambda value, *context: None if value is None else kind.rename(value, *context),
        kind.names_loops,
    )


def _sequence(kind: FieldKind) -> FieldKind:
    def from_data(data: Any, read: _Read) -> tuple[Any, ...]:
        _require(isinstance(data, list), data, "a list")
        return tuple([kind.from_data(item, read) for item in data])

    return FieldKind(
        from_data,
        lambda value, write: [kind.to_data(item, write) for item in value],
        lambda value, *context: ", ".join([kind.to_python(item, *context) for item in value]),
        lambda value, *context: tuple([kind.rename(item, *context) for item in value]),
        kind.names_loops,
    )


def _is_factor(e: Expr) -> bool:
    return e.type is INT32 and (not isinstance(e, Const) or e.value >= 1)


_COUNT = _integer(0)
KINDS: dict[str, FieldKind] = {
    "str": FieldKind(_text),
    "int": _integer(-(2**31)),
    "Count": _COUNT,
    "Positive": _integer(1),
    "bool": FieldKind(_boolean),
    "FuncName": FieldKind(
        _name,
        to_python=lambda value, directive, writer: writer.func(value),
        rename=lambda value, owner, renaming: renaming.func(value),
    ),
    "LoopName": FieldKind(
        _name,
        to_python=lambda value, directive, writer: writer.loop(directive.subject, value),
        rename=lambda value, owner, renaming: renaming.loop(owner, value),
        names_loops=True,
    ),
    "DimName": FieldKind(
        _name,
        to_python=lambda value, directive, writer: writer.variable(value),
        rename=lambda value, owner, renaming: renaming.loop(owner, value),
    ),
    "Expr": _expression(lambda e: True, "an expression"),
    "IntExpr": _expression(lambda e: e.type is INT32, "an int32 expression"),
    "Factor": _expression(_is_factor, "an int32 expression of at least 1"),
    "Condition": _expression(lambda e: e.type.boolean, "a bool expression"),
    "StageRef": FieldKind(
        _stage,
        lambda value, write: [value.func, value.stage, *value.path],
        lambda value, directive, writer: writer.stage(value),
        lambda value, owner, renaming: StageRef(renaming.func(value.func), value.stage, value.path),
    ),
    "LevelRef": FieldKind(_level, lambda value, write: [value.func, value.var, value.stage], rename=_renamed_level),
}
"""The kinds of fields, by their annotations."""
