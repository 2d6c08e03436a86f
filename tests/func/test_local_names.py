"""What is built together may have names of its own."""

from __future__ import annotations

import pipec as hl
from pipec.func.functions.names import local_names


def test_names_do_not_depend_on_what_was_built_before() -> None:
    hl.Func("repeated_name")
    names = []
    for _ in range(2):
        with local_names():
            names.append([hl.Func("repeated_name").name(), hl.Func("repeated_name").name(), hl.Func().name()])
    assert names[0] == names[1] == ["repeated_name", "repeated_name$1", "f0"]
    assert hl.Func("repeated_name").name() == "repeated_name$1"
