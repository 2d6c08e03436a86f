"""From failed checks to the texts that users see."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ArgumentError, BoundsError, InternalError, OutOfMemoryError, RequirementError, ScheduleError
from pipec.func.buffers import arrays
from pipec.ir.program import Check
from pipec.pipeline.calls.error_text import error_of_check, error_of_memory, error_of_status

SHAPES = {"im": ("Input", [(0, 4), (2, 3)]), "out": ("Output", [(0, 8)])}
BOX = ("required min", "required max", "min", "max")


def error_of(kind, details, names, values):
    return error_of_check(Check(kind, tuple(details.items()), names), values, SHAPES)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((-3, 9, 0, 3), "Error: Input buffer im is accessed at -3, which is before the min (0) in dimension 0"),
        ((1, 9, 0, 3), "Error: Input buffer im is accessed at 9, which is beyond the max (3) in dimension 0"),
    ],
)
def test_reads_outside(values, text):
    error = error_of(
        "input_bounds", {"buffer": "im", "dimension": "0", "reader": "f", "location": "a.py:7"}, BOX, values
    )
    assert isinstance(error, BoundsError) and text in str(error)
    for part in ("Func f", "a.py:7", f"[{values[0]}, {values[1]}]", "[0, 3] x [2, 4]", "repeat_edge(im)"):
        assert part in str(error)


def test_writes_outside():
    error = error_of("output_bounds", {"buffer": "out", "dimension": "0", "func": "f"}, BOX, (0, 255, 0, 7))
    assert isinstance(error, BoundsError)
    assert "Error: Output buffer out is accessed at 255, which is beyond the max (7) in dimension 0" in str(error)


def test_explicit_bounds():
    names = ("required min", "required max", "given min", "given max")
    error = error_of("explicit_bounds", {"func": "f", "var": "x"}, names, (0, 9, 0, 0))
    assert "Error: Bounds given for f in x (from 0 to 0) do not cover required region (from 0 to 9)" in str(error)


def test_constraints():
    def constraint(what, actual, required):
        details = {"buffer": "im", "dimension": "0", "what": what}
        return error_of("constraint", details, ("actual", "wanted"), (actual, required))

    assert isinstance(constraint("min", 1, 0), ArgumentError)
    assert "Error: Constraint violated: im.extent.0 (4) == 5 (5)" in str(constraint("extent", 4, 5))
    assert "ascontiguousarray" in str(constraint("stride", 2, 1))
    assert "ascontiguousarray" not in str(constraint("stride", 2, 3))


def test_other_checks():
    fold = error_of("fold", {"func": "f", "var": "y"}, ("fold factor", "required extent"), (2, 3))
    assert isinstance(fold, ScheduleError)
    assert "The fold factor (2) of dimension y of f is too small" in str(fold) and "(3)" in str(fold)
    assert isinstance(error_of("requirement", {"message": "words"}, ("value",), (3,)), RequirementError)
    assert "strange (a b, c 3)" in str(error_of("strange", {"a": "b"}, ("c",), (3,)))


def test_memory_and_unknown_ends():
    error = error_of_memory("f", 1 << 40)
    assert isinstance(error, OutOfMemoryError) and str(1 << 40) in str(error)
    assert isinstance(error_of_status("f", 7), InternalError)


def test_a_pipeline_that_needs_too_much_memory_raises():
    x, y = hl.vars("x y")
    f, g = hl.Func(), hl.Func()
    f[x, y] = x
    g[x, y] = f[x, y] + f[x + 2**20, y + 2**20]
    f.compute_root()
    with pytest.raises(OutOfMemoryError, match="bytes"):
        g.realize([4, 4])


def test_addresses_are_the_same_either_way():
    for array in (np.zeros(3, np.uint8), np.zeros((2, 3))[:, ::-1], np.zeros((4, 4), np.int16)[1:, 2:], np.zeros(())):
        assert arrays.address_of(array) == arrays._address_by_attribute(array) == array.ctypes.data
