"""What the package declares about itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

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


def test_the_conda_recipe_has_the_version_and_the_requirements_of_the_wheel() -> None:
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text()
    assert f'version: "{__version__}"' in recipe
    assert f'python_min: "{PROJECT["requires-python"].removeprefix(">=")}"' in recipe
    for requirement in PROJECT["dependencies"]:
        assert f"    - {_name(requirement)} {requirement.removeprefix(_name(requirement))}\n" in recipe


def test_extras_consist_of_extras_that_exist() -> None:
    named = {
        name
        for extra in EXTRAS.values()
        for r in extra
        if (m := re.match(r"pipec\[(.*)\]", r))
        for name in m[1].split(",")
    }
    assert named <= set(EXTRAS)
    assert set(re.findall(r"pipec\[(\w+)\]", (ROOT / "README.md").read_text())) <= set(EXTRAS)


def test_the_wheel_holds_the_package_with_its_data_the_applications_and_the_lessons() -> None:
    files = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    data = {str(path.relative_to(ROOT)) for path in (ROOT / "pipec").rglob("*") if path.is_file()}
    assert {path for path in data if "__pycache__" not in path} <= files
    assert {"pipec/py.typed", "pipec/examples/apps/blur.py", "pipec/examples/lessons/lesson_01_basics.py"} <= files
    assert not [path for path in files if not path.startswith("pipec/")]


def test_the_sdist_holds_what_its_tests_read() -> None:
    files = {file.distribution_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    assert {"pipec", "apps", "bench", "docs", "packaging", "tests", "tools", "CONTRIBUTING.md"} <= {
        path.split("/")[0] for path in files
    }


@pytest.mark.slow
def test_an_installed_wheel_runs_the_command_line_the_applications_and_the_lessons(tmp_path: Path) -> None:
    def run(*command: str) -> None:
        environment = os.environ | {"PYTHONPATH": str(tmp_path / "site"), "PIPEC_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    run("-m", "pip", "install", "--quiet", "--no-deps", "--target", "site", wheel)
    run("-m", "pipec", "doctor")
    run("-m", "pipec", "run", "blur", "--size", "64x32")
    run("-m", "pipec", "examples", "copies")
    run("copies/lessons/lesson_01_basics.py")
