"""Each lesson prints the same under pipec and under the halide wheel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LESSONS = sorted((ROOT / "docs" / "tutorials").glob("lesson_*.py"))


def printed(source: str, folder: Path) -> str:
    script = folder / "lesson.py"
    folder.mkdir()
    script.write_text(source)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, script.name], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_twenty_lessons() -> None:
    assert len(LESSONS) == 20


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_a_lesson_prints_the_same_under_both_modules(lesson: Path, tmp_path: Path) -> None:
    source = lesson.read_text()
    ours = printed(source, tmp_path / "ours")
    theirs = printed(
        source.replace("import pipec as hl", "import halide as hl").replace("from pipec.", "from halide."),
        tmp_path / "theirs",
    )
    assert ours == theirs
    assert ours.strip() and "WRONG" not in ours and "False" not in ours and "not refused" not in ours
