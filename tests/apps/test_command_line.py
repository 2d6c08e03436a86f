"""The command lines of the applications and of the demo."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from apps import photos
from apps.registry import APPS

ROOT = Path(__file__).parent.parent.parent


def run(*arguments: str) -> str:
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", APPS)
def test_an_app_filters_a_picture_file(name: str, tmp_path: Path) -> None:
    source, target = tmp_path / "in.png", tmp_path / "out.png"
    photos.write(source, photos.photo("coffee")[:152, :288])
    assert str(target) in run(f"apps.{name}", str(source), str(target))
    width, height = APPS[name].extent(APPS[name].output_size(photos.read(source)))
    assert photos.read(target).shape[:2] == (height, width)


def test_the_demo_lists_apps_it_does_not_know() -> None:
    done = subprocess.run([sys.executable, "-m", "apps.demo", "nothing"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and "camera_pipe" in done.stderr
