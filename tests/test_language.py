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
TWO_LANGUAGES = frozenset(("Expr",))
"""Classes of the user's language that are called as their counterparts in the intermediate representation."""


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


@pytest.mark.parametrize("folder", ("apps", "bench", "tests", "tools"))
def test_names_around_the_package_are_terms_of_the_field(folder: str) -> None:
    """Tests are called by sentences, which may say "again"; one pipeline of the zoo is about prices."""
    private = []
    for path in sorted((PACKAGE.parent / folder).rglob("*.py")):
        own = names(ast.parse(path.read_text())) - {"price", "prices"}
        for name in own:
            private_words = PRIVATE - {"again"} if name.startswith("test_") else PRIVATE
            if private_words & set(name.lower().split("_")):
                private.append(f"{path.relative_to(PACKAGE.parent)}: {name}")
    assert not private


def test_files_of_tests_are_named_in_terms_of_the_field() -> None:
    files = [path.name for path in Path(__file__).parent.rglob("*.py")]
    assert not [name for name in files if PRIVATE & set(name.removesuffix(".py").split("_"))]


def test_classes_have_names_of_their_own() -> None:
    modules: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    shared = {name: paths for name, paths in modules.items() if len(paths) > 1}
    assert shared.keys() <= TWO_LANGUAGES, shared
