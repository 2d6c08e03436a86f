"""The page about compatibility with Halide's Python API is that of today."""

import re
from pathlib import Path

import halide

import pipec
from tools.compatibility.__main__ import PAGE
from tools.compatibility.names import find, public_names, refuses, tiers
from tools.compatibility.page import missing, page

ROOT = Path(__file__).parent.parent


def test_the_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tools.compatibility"


def test_the_tiers_name_what_the_wheel_has():
    assert set(tiers()) <= set(public_names(halide)) | {"imageio.imread", "imageio.imwrite"}
    assert sorted(map(list(tiers().values()).count, (1, 2))) == [198, 202]


def test_what_programs_use_is_tried_under_both_modules():
    """Operators, whose names do not stand in programs, are tried by the thousand in tests/differential."""
    programs = [*ROOT.glob("docs/tutorials/*.py"), *ROOT.glob("apps/*.py")]
    programs += [p for p in ROOT.glob("tests/**/*") if p.suffix in (".py", ".txt") and "halide" in p.read_text()]
    programs += [p for p in ROOT.glob("tests/differential/*") if p.suffix in (".py", ".txt")]
    programs += ROOT.glob("tests/fuzz/*/*.py")
    words = {word for path in programs for word in re.findall(r"\w+", path.read_text())}
    lacking = missing()
    names = [name for name in tiers() if name not in lacking and not name.endswith("__")]
    assert not [name for name in names if name.rpartition(".")[2] not in words]


def test_what_only_refuses_is_distinguished_from_what_works():
    from pipec.func.directives.scheduled import unsupported

    assert refuses(unsupported("anything"))
    assert not refuses(pipec.Func.realize) and not refuses(pipec.Func.vectorize) and not refuses(3)
    assert find(pipec, "TailStrategy.Auto") and find(pipec, "Func.realize") and find(pipec, "Func.nothing") is None
