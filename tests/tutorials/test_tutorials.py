"""Each lesson prints the same under pipec and under the halide wheel."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LESSONS = sorted((ROOT / "docs" / "tutorials").glob("lesson_*.py"))
Printed = Callable[[str, str, Path], str]


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    """(module, program, folder) -> what the program prints, run in the folder."""
    processes = {
        module: subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("forks.py")), module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            # Without its runtime in each file that it writes, which nobody links, the wheel takes a tenth of the time.
            env=os.environ | {"PYTHONPATH": str(ROOT), "HL_TARGET": "host-no_runtime"},
        )
        for module in ("pipec", "halide")
    }

    def run(module: str, program: str, folder: Path) -> str:
        process = processes[module]
        assert process.stdin is not None and process.stdout is not None
        folder.mkdir()
        (folder / "lesson.py").write_text(program)
        print(folder / "lesson.py", file=process.stdin, flush=True)
        status = process.stdout.readline().strip()
        assert status == "0", (folder / "errors").read_text()
        return (folder / "printed").read_text()

    yield run
    for process in processes.values():
        process.communicate()


def test_there_are_twenty_lessons() -> None:
    assert len(LESSONS) == 20


@pytest.mark.part(8)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
@pytest.mark.part(3)
def test_a_lesson_prints_the_same_under_both_modules(lesson: Path, tmp_path: Path, printed: Printed) -> None:
    source = lesson.read_text()
    ours = printed("pipec", source, tmp_path / "ours")
    theirs = printed(
        "halide",
        source.replace("import pipec as hl", "import halide as hl").replace("from pipec.", "from halide."),
        tmp_path / "theirs",
    )
    assert ours == theirs
    assert ours.strip() and "WRONG" not in ours and "False" not in ours and "not refused" not in ours
