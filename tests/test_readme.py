"""The Python of the README and of the documents runs as pasted."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
# Pages leave out the folder that they are about.
FOLDERS = [ROOT, *[place for place in (ROOT / "pipec", *(ROOT / "pipec").rglob("*")) if place.is_dir()]]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
# They search or tune.
SLOW_PAGES = ("filters", "inspecting", "programs", "scale")
SLOW_NOTEBOOKS = ("3_finding_schedules", "4_gradients", "5_learned_demosaicer")


def programs() -> list[Any]:
    """Returns the pages with Python: those that import torch, which takes seconds, together, all others alone."""
    with_torch = tuple(page for page in PAGES if "import torch" in "".join(blocks(page)))
    alone = [page for page in PAGES if blocks(page) and page not in with_torch]
    return [with_torch, *[pytest.param((p,), marks=[pytest.mark.slow] if p.stem in SLOW_PAGES else []) for p in alone]]


def blocks(page: Path) -> list[str]:
    """Returns the Python of a page or notebook."""
    if page.suffix == ".md":
        return re.findall(r"```python\n(.*?)```", page.read_text(), re.S)
    cells = json.loads(page.read_text())["cells"]
    return ["".join(cell["source"]) + "\n" for cell in cells if cell["cell_type"] == "code"]


def run(pages: tuple[Path, ...], folder: Path) -> None:
    """Runs the programs of some pages one after another in a process."""
    texts = [(page.name, "\n".join(blocks(page))) for page in pages]
    code = f"for name, text in {texts!r}:\n    exec(compile(text, name, 'exec'), {{'__name__': '__main__'}})"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("pages", programs(), ids=lambda pages: pages[0].name)
def test_the_python_of_a_page_runs(pages: tuple[Path, ...], tmp_path: Path) -> None:
    run(pages, tmp_path)


def test_the_first_notebooks_run(tmp_path: Path) -> None:
    run(tuple(path for path in NOTEBOOKS if path.stem not in SLOW_NOTEBOOKS), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW_NOTEBOOKS)
def test_a_notebook_that_searches_or_trains_runs(name: str, tmp_path: Path) -> None:
    run((ROOT / "docs" / "notebooks" / f"{name}.ipynb",), tmp_path)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_stores_no_output(notebook: Path) -> None:
    cells = [cell for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code"]
    assert cells and not any(cell["outputs"] or cell["execution_count"] for cell in cells)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_files_that_a_page_names_exist(page: Path) -> None:
    named = re.findall(r"`([\w/]+(?:/|\.py))`", page.read_text())
    assert not [name for name in named if not any((folder / name).exists() for folder in FOLDERS)]


def test_the_readme_has_an_example() -> None:
    assert "```python" in PAGES[0].read_text()
