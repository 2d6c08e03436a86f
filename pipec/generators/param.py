"""GeneratorParam: a constant of a generator that callers and the command line may set, and its parsing from text."""

from __future__ import annotations

import enum
import re
from typing import Any

from pipec.errors import ArgumentError
from pipec.func.directives.loop_level import LoopLevel
from pipec.ir.types import BFloat, Bool, Float, Int, Type, UInt

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*_?")
_TYPES: dict[str, Type] = {
    "bool": Bool(),
    "bfloat16": BFloat(16),
    **{f"float{bits}": Float(bits) for bits in (16, 32, 64)},
    **{f"int{bits}": Int(bits) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": UInt(bits) for bits in (8, 16, 32, 64)},
}
_TRUTHS = {"true": True, "1": True, "false": False, "0": False}
_LEVELS = {"root": LoopLevel.root, "inlined": LoopLevel.inlined}


class GeneratorParam:
    """A class attribute of a generator: `factor = GeneratorParam(2)`; in its methods `self.factor` is the value.

    Other values have the type of the default: str, bool, int, float, Type, LoopLevel or a member of an Enum.
    """

    def __init__(self, value: Any) -> None:
        self.default = value

    def value_of(self, name: str, value: Any) -> Any:
        """Returns `value`, which may be text, as a value of the default's type."""
        return parsed(name, type(self.default), value)


def parsed(name: str, kind: type, value: Any) -> Any:
    """`given` as a value of type `kind`."""
    try:
        if kind is Type:
            return type_list(value)[0] if isinstance(value, str) else _checked(value, Type)
        if issubclass(kind, enum.Enum):
            return kind[value] if isinstance(value, str) else _checked(value, kind)
        if kind is LoopLevel:
            return _LEVELS[value]() if isinstance(value, str) else _checked(value, LoopLevel)
        if kind is bool:
            return _TRUTHS[value.lower()] if isinstance(value, str) else bool(value)
        if kind is int:
            if isinstance(value, float) and not value.is_integer():
                raise ValueError
            return int(value)
        if kind in (float, str):
            return kind(value)
    except (ValueError, KeyError, TypeError):
        raise ArgumentError(
            f"The value {value} cannot be parsed as a {kind.__name__} for GeneratorParam {name}.{_choices(kind)}"
        ) from None
    raise ArgumentError(f"GeneratorParam {name} has unsupported type {kind}")


def _checked(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError
    return value


def _choices(kind: type) -> str:
    if issubclass(kind, enum.Enum):
        words = list(kind.__members__)
    else:
        tables: dict[type, dict[str, Any]] = {Type: _TYPES, bool: _TRUTHS, LoopLevel: _LEVELS}
        words = list(tables.get(kind, ()))
    return f" It may be one of: {', '.join(words)}." if words else ""


def type_list(types: Any) -> list[Type]:
    """Types from what users write: a Type, bool, int, float, None for none, text such as "uint8,int32", or a list."""
    if types is None:
        return []
    if isinstance(types, str):
        types = types.split(",")
    if not isinstance(types, list | tuple):
        types = [types]
    return [_type(item) for item in types]


def _type(item: Any) -> Type:
    plain = {bool: Bool(), int: Int(32), float: Float(32)}
    if isinstance(item, Type):
        return item
    if isinstance(item, str) and item in _TYPES:
        return _TYPES[item]
    if isinstance(item, type) and item in plain:
        return plain[item]
    if isinstance(item, str):
        raise ArgumentError(f"The value {item} cannot be parsed as a Type. It may be one of: {', '.join(_TYPES)}.")
    raise ArgumentError(f"Expected a Type, but saw: {item}")


def check_name(name: str) -> None:
    """Names become those of C variables, and keywords of call()."""
    if name == "generator_params" or not _NAME.fullmatch(name):
        raise ArgumentError(
            f"The name '{name}' is not valid for a GeneratorParam, Input, or Output. It must be a C identifier without"
            " a leading or double underscore."
        )
