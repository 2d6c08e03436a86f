"""The tests that docs/halide_tests.md names exist, and each program of the table has a test or a reason."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/halide_tests.md").read_text()


def rows():
    return [
        line.strip("| ").split(" | ", 1) for line in PAGE.splitlines() if re.match(r"\| [a-z0-9_]+ \| [^0-9]", line)
    ]


def missing(name):
    """What does not exist of `file::test[case]`."""
    file, _, test = name.partition("::")
    path = ROOT / file
    if not path.exists():
        return file
    text = path.read_text() if path.is_file() else ""
    function, _, case = test.rstrip("]").partition("[")
    return next((word for word in (function, case) if word and f"def {word}(" not in text), None)


def test_the_tests_of_the_table_exist():
    names = [name for _, cell in rows() for name in re.findall(r"`(tests/[^`]+)`", cell)]
    assert len(names) > 400
    assert [name for name in names if missing(name)] == []


def test_each_program_has_a_test_or_a_reason():
    programs = rows()
    assert len(programs) > 500
    assert [name for name, cell in programs if not cell.strip()] == []
