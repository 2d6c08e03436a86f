"""Values of Exprs by the interpreter of definitions: what examples in docstrings show, without compiling each."""

from __future__ import annotations

from typing import Any

import pipec as hl
from pipec.func.functions.evaluate import interpret
from pipec.func.functions.freeze import freeze


def interpreted(value: Any) -> Any:
    """As `hl.evaluate`."""
    func = hl.Func()
    func[()] = value
    definition, _ = freeze([func.function])
    result = [array.item() for array in interpret(definition, {}, {}, {func.name(): ()}).values()]
    return result[0] if len(result) == 1 else tuple(result)
