"""Names are the field's terms: no private words, no participles that say only how a value came about."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "pipec"
PRIVATE = frozenset(
    "found made known told wanted kept given wish wishes alike again dear dearer price prices priced pricing".split()
)
"""Words that no name contains; docs/glossary.md and CONTRIBUTING.md say which to use instead."""
LIMITS = re.compile(r"_?(MOST|LEAST|FEWEST)(_|$)")
"""Constants that limit something are called MAX_ or MIN_."""


def names(tree: ast.Module) -> set[str]:
    """All names that a module defines: of functions, classes, parameters, variables and attributes."""
    result: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                result.add(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                result.add(name)
    return result


@pytest.mark.parametrize(
    "folder", sorted({path.parent for path in PACKAGE.rglob("*.py")}), ids=lambda folder: folder.name
)
def test_names_are_terms_of_the_field(folder: Path) -> None:
    private = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in sorted(folder.glob("*.py"))
        for name in sorted(names(ast.parse(path.read_text())))
        if PRIVATE & set(name.lower().split("_")) or LIMITS.match(name)
    ]
    assert not private


def test_files_of_tests_are_named_in_terms_of_the_field() -> None:
    files = [path.name for path in Path(__file__).parent.rglob("*.py")]
    assert not [name for name in files if PRIVATE & set(name.removesuffix(".py").split("_"))]
