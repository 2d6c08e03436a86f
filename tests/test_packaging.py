"""What the package declares about itself."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from pipec.version import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]


def _name(requirement: str) -> str:
    return re.split(r"[\[<>=;]", requirement)[0].strip()


def test_the_changelog_begins_with_the_version() -> None:
    headings = re.findall(r"^## (\S+) \(\d{4}-\d\d-\d\d\)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert headings[0] == __version__


def test_torch_and_pyopencl_are_extras() -> None:
    assert {_name(requirement) for requirement in PROJECT["dependencies"]} == {"numpy", "llvmlite", "imageio"}
    assert [_name(requirement) for requirement in EXTRAS["torch"] + EXTRAS["opencl"]] == ["torch", "pyopencl"]
    assert {"opencl", "torch"} <= set(re.findall(r"\w+", EXTRAS["all"][0]))


def test_every_test_dependency_has_a_pinned_version() -> None:
    pins = {_name(line) for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")}
    extras = ("test", "apps", "docs", "plots", "opencl", "torch")
    names = {_name(requirement) for extra in extras for requirement in EXTRAS[extra]} - {"pipec"}
    assert names <= pins
