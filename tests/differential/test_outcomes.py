"""One-line programs of outcomes.txt end the same way on both: with the same value, or an error of the same class."""

import ast
import contextlib
import io
import re
import warnings
from pathlib import Path

import halide
import numpy as np
import pytest

import pipec


def sections():
    result = {}
    for line in Path(__file__).with_name("outcomes.txt").read_text().splitlines():
        if line.startswith("# "):
            result[line[2:]] = lines = []
        else:
            lines.append(line)
    return result


def shown(value):
    """A value in words that do not depend on who made it."""
    if isinstance(value, tuple | list):
        return f"({', '.join(map(shown, value))})"
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.tolist()}"
    name = type(value).__name__
    if name == "Buffer":
        return f"Buffer {shown(np.asarray(value))}"
    if name == "Expr":
        return f"Expr {value.type() if value.defined() else 'undefined'}"
    plain = value is None or isinstance(value, int | float | str | np.generic) or name == "Type"
    # Names are numbered through the process.
    return re.sub(r"\$\d+", "", repr(value)) if plain else name


def outcome(hl, program):
    """What the last expression gives, or the class of the error."""
    names = {"hl": hl, "np": np, "x": hl.Var("x"), "y": hl.Var("y"), "f": hl.Func("f"), "g": hl.Func("g")}
    *statements, last = ast.parse(program).body
    if not isinstance(last, ast.Expr):
        statements.append(last)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(ast.Module(statements, []), program, "exec"), names)
            if not isinstance(last, ast.Expr):
                return "done"
            return shown(eval(compile(ast.Expression(last.value), program, "eval"), names))
    except Exception as error:
        # pipec's errors have classes of their own below HalideError.
        return "HalideError" if isinstance(error, halide.HalideError | pipec.HalideError) else type(error).__name__


@pytest.mark.part(6)
@pytest.mark.parametrize("name", sections())
def test_outcomes(name):
    programs = sections()[name]
    pairs = {program: (outcome(pipec, program), outcome(halide, program)) for program in programs}
    differing = [f"{p}\n    {ours}\n    instead of {theirs}" for p, (ours, theirs) in pairs.items() if ours != theirs]
    assert not differing, "\n".join(["", *differing])
