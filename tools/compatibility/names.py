"""The public names of the halide wheel, and whether pipec has them."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from tools.compatibility.tiers import TIER_1, TIER_2

# What pybind11 and Python put into every class.
_MACHINERY = {
    "__abstractmethods__",
    "__annotations__",
    "__dict__",
    "__doc__",
    "__entries",
    "__getstate__",
    "__hash__",
    "__members__",
    "__module__",
    "__nonzero__",
    "__setstate__",
    "__weakref__",
}
# Reflected comparisons: Python never calls them.
_UNCALLED = {f"__r{word}__" for word in ("lt", "le", "eq", "ne", "ge", "gt")}
_IMPLICIT = {"_", *[f"_{digit}" for digit in range(10)]}


def public_names(module: ModuleType) -> list[str]:
    """All names of the wheel's module: `name` for its own, `Class.name` for those of its classes."""
    result = []
    for name in sorted(dir(module)):
        value = getattr(module, name)
        if name.startswith("_") and name not in _IMPLICIT:
            continue
        if isinstance(value, ModuleType) and not _is_namespace(module, value):
            continue
        result.append(name)
        if isinstance(value, type | ModuleType):
            result += [f"{name}.{member}" for member in _members(value)]
    return result


def _is_namespace(module: ModuleType, value: ModuleType) -> bool:
    """BoundaryConditions and imageio are modules that programs use; the wheel's own inner modules are not."""
    return value.__name__.rpartition(".")[2] in ("BoundaryConditions", "imageio")


def _members(owner: Any) -> Iterator[str]:
    if isinstance(owner, ModuleType):
        yield from sorted(
            name
            for name, value in vars(owner).items()
            if not name.startswith("_") and callable(value) and getattr(value, "__module__", "") in ("", owner.__name__)
        )
        return
    if hasattr(owner, "__members__"):
        yield from sorted(owner.__members__)
        return
    for name in sorted(vars(owner)):
        hidden = name.startswith("_") and not name.startswith("__")
        if not hidden and name not in _MACHINERY and name not in _UNCALLED:
            yield name


def tiers() -> dict[str, int]:
    """The tier of each name that Halide's own programs use."""
    result = {}
    for tier, text in ((1, TIER_1), (2, TIER_2)):
        for line in text.strip().replace("\n    ", " ").split("\n"):
            owner, *members = line.split()
            for member in members:
                result.setdefault(member if owner == "names" else f"{owner}.{member}", tier)
    return result


def find(module: ModuleType, name: str) -> Any:
    """The object of this name; None when there is none."""
    value: Any = module
    for part in name.split("."):
        if isinstance(value, type) and hasattr(value, "__members__"):
            value = value.__members__.get(part)
            continue
        # The fields of dataclasses need not be attributes of the class.
        value = getattr(value, part, None) or getattr(value, "__dataclass_fields__", {}).get(part)
    return value


def refuses(value: Any) -> bool:
    """Whether calling this does nothing but raise NotSupportedError."""
    function = inspect.unwrap(value) if callable(value) else None
    code = getattr(function, "__code__", None)
    if code is None:
        return False
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, SyntaxError):
        return False
    body = getattr(tree.body[0], "body", [])
    last = body[-1] if body else None
    return (
        isinstance(last, ast.Raise)
        and "NotSupportedError" in ast.unparse(last)
        and not any(isinstance(node, ast.Return | ast.If) for statement in body for node in ast.walk(statement))
    )
