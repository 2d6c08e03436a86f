"""The command lines of the applications and of the demo."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apps import photos, run
from apps.registry import APPS
from pipec.func.functions.names import local_names

ROOT = Path(__file__).parent.parent.parent


def once(call: Callable[[], Any]) -> list[float]:
    """As `run.measure`, without its patience."""
    call()
    return [0.0]


@pytest.mark.filterwarnings("ignore:'apps.* found in sys.modules:RuntimeWarning")
@pytest.mark.parametrize("name", APPS)
@pytest.mark.part(6)
def test_an_app_filters_a_picture_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "in.png", tmp_path / "out.png"
    photos.write(source, photos.photo("coffee")[:152, :288])
    monkeypatch.setattr(sys, "argv", [name, str(source), str(target)])
    monkeypatch.setattr(run, "measure", once)
    # By these names the test of its pixels has compiled it, or will find it compiled.
    with local_names():
        runpy.run_module(f"apps.{name}", run_name="__main__")
    assert str(target) in capsys.readouterr().out
    width, height = APPS[name].extent(APPS[name].output_size(photos.read(source)))
    assert photos.read(target).shape[:2] == (height, width)


def test_an_app_is_a_command() -> None:
    command = [sys.executable, "-m", "apps.blur", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "python -m apps.blur" in done.stdout, done.stderr


def test_the_demo_lists_apps_it_does_not_know() -> None:
    done = subprocess.run([sys.executable, "-m", "apps.demo", "nothing"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and "camera_pipe" in done.stderr
