"""The documentation site: what its pages name exists, and what exists is on its pages."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

import pipec as hl

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
REFERENCE = re.findall(
    r"^::: pipec\.(\S+)$", "\n".join(page.read_text() for page in (DOCS / "reference").glob("*.md")), re.M
)
PACKAGES = ("filters", "programs", "tuner")


def public_names() -> set[str]:
    """All names that pipec and its packages export, but modules, and `_0` to `_9`, which are Vars."""
    names = {name for name in hl.__all__ if not isinstance(getattr(hl, name), ModuleType | hl.Var)}
    names |= {f"{package}.{name}" for package in PACKAGES for name in getattr(hl, package).__all__}
    return names - {"filters.filter"}


def test_the_reference_has_all_public_names_once() -> None:
    modules = {"imageio", "dask"}
    listed = [name for name in REFERENCE if name.partition(".")[0] not in modules]
    assert sorted(listed) == sorted(public_names())
    assert modules <= {name.partition(".")[0] for name in REFERENCE}


def test_examples_in_docstrings_become_blocks_of_code() -> None:
    pytest.importorskip("griffe")
    from tools.site.public_names import fenced_examples

    text = "Adds.\n\n>>> 1 + 1\n2\n\nMore.\n\n    >>> f(\n    ... )\n    3"
    assert fenced_examples(text) == (
        "Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nMore.\n\n    ```pycon\n    >>> f(\n    ... )\n    3\n    ```\n"
    )


def test_the_navigation_has_all_pages() -> None:
    """mkdocs itself checks that its pages exist."""
    named = set(re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M))
    pages = {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")}
    assert pages <= named
    assert {f"notebooks/{path.stem}.md" for path in (DOCS / "notebooks").glob("*.ipynb")} <= named
