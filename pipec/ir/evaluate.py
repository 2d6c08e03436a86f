"""The value of an expression for given values of its variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from pipec.errors import InternalError
from pipec.ir.expr import Expr
from pipec.ir.tape import Tape
from pipec.ir.walk import free_variables


def evaluate(e: Expr, values: Mapping[str, int | float]) -> Any:
    """`e` as a number (numpy scalar), read from `values` by variable name; it may not read Funcs or images."""

    def refuse(node: Any) -> NoReturn:
        raise InternalError(f"{node} cannot be evaluated without running the pipeline")

    tape = Tape(refuse)
    code, places = tape.compile([e])
    for name in free_variables(e):
        value = values[name]
        tape.registers[tape.name(name)] = np.int64(value) if isinstance(value, int) else np.float64(value)
    with np.errstate(all="ignore"):
        tape.run(code)
    return tape.registers[places[0]]
