"""The commonest mistakes: each error names what to write instead, in a traceback without the frames inside of pipec."""

from __future__ import annotations

import math
import operator
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ArgumentError, DimensionError, OutOfBoundsError, PipecError, ScheduleError, UndefinedError

PACKAGE = str(Path(hl.__file__).parent)

x, y = hl.vars("x y")


def defined(name: str = "f") -> hl.Func:
    func = hl.Func(name)
    func[x] = x
    return func


VALUES: dict[str, Callable[[hl.Func], Any]] = {
    "a sum": lambda g: g[x] + 1,
    "a sum, reflected": lambda g: 1 + g[x],
    "a quotient": lambda g: g[x] / 2,
    "a remainder": lambda g: g[x] % 2,
    "within a sum": lambda g: x + (g[x] + 1),
    "in a Tuple": lambda g: (g[x] * 2, 1),
    "in a function": lambda g: hl.select(x > 3, g[x] - 1, 0),
    "alone": lambda g: g[x],
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("update", [False, True])
def test_an_undefined_func_is_named_with_the_line(value: Callable[[hl.Func], Any], update: bool) -> None:
    f, g = defined() if update else hl.Func("f"), hl.Func("later")
    with pytest.raises(UndefinedError, match=r'Can\'t call Func "later.*test_mistakes.py:\d+.*later.*\[\.\.\.\] ='):
        f[x] = value(g)


def test_two_operations_on_an_undefined_func_name_it() -> None:
    with pytest.raises(TypeError, match="Func later.*has no definition yet"):
        hl.Func("later")[x] * 2 + 1


TRUTHS: dict[str, Callable[[], Any]] = {
    "if": lambda: 1 if x > 3 else 2,
    "and": lambda: (x > 3) and (x < 5),
    "or": lambda: (x > 3) or (x < 5),
    "not": lambda: not x > 3,
    "chained comparison": lambda: 0 < x + 0 < 5,
    "max": lambda: max(x + 1, 3),
    "min": lambda: min(x + 1, 3),
    "sorted": lambda: sorted([x + 1, x + 2]),
    "reference": lambda: 1 if defined()[x] else 2,
    "element of a Tuple": lambda: 1 if hl.lambda_func(x, (x, x))[x][0] else 2,
}


@pytest.mark.parametrize("program", TRUTHS.values(), ids=TRUTHS)
def test_the_truth_of_an_expr_is_an_error_that_names_select_and_max(program: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match="cannot be converted to a bool") as caught:
        program()
    assert all(
        word in str(caught.value) for word in ("hl.select", "hl.max", "hl.min", "`&`", "(low <= x) & (x < high)")
    )


NUMPY = {
    "sqrt": "hl.sqrt", "absolute": "hl.abs", "maximum": "hl.max", "fmin": "hl.min", "arctan2": "hl.atan2",
    "clip": "hl.clamp", "where": "hl.select", "exp": "hl.exp", "round": "hl.round", "isnan": "hl.is_nan",
    "logical_and": "`&`", "sum": "hl.sum", "cbrt": "the functions and operators of pipec",
}  # fmt: skip


@pytest.mark.parametrize("name", NUMPY)
def test_functions_of_numpy_name_those_of_pipec(name: str) -> None:
    value = x + 1.5
    arguments = {"clip": (value, 0, 1), "where": (value > 0, value, 0)}.get(name, (value,))
    if name in ("maximum", "fmin", "arctan2", "logical_and"):
        arguments = (value, 2.0)
    with pytest.raises(TypeError, match="numpy.*before the pipeline runs") as caught:
        getattr(np, name)(*arguments)
    assert NUMPY[name] in str(caught.value)


@pytest.mark.parametrize("function", [math.sqrt, int, float, abs, round, math.floor])
def test_functions_of_python_on_exprs_are_type_errors(function: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="before the pipeline runs|must be real number|floor"):
        function(x + 1.5)


@pytest.mark.parametrize("number", [np.float32(2), np.array(2, np.float32)])
@pytest.mark.parametrize(
    "operation",
    [getattr(operator, name) for name in "add sub mul truediv floordiv mod pow lt le gt ge eq ne".split()],
)
def test_operators_of_numbers_of_numpy_are_those_of_python(operation: Any, number: Any) -> None:
    value = hl.f32(x)
    for actual, expected in (
        (operation(number, value), operation(2.0, value)),
        (operation(value, number), operation(value, 2.0)),
    ):
        # Python mirrors a comparison with a float on the left, numpy does not.
        assert str(actual.node) == str(expected.node) or operation.__name__ in ("lt", "le", "gt", "ge", "eq", "ne")


def test_operators_with_arrays_are_elementwise() -> None:
    products = np.array([1, 2]) * (x + 0)
    assert products.dtype == object and [str(p.node) for p in products] == ["1 * (x + 0)", "2 * (x + 0)"]
    assert str((np.array([1, 2]) @ np.array([x + 0, x + 1])).node) == "1 * (x + 0) + 2 * (x + 1)"


def test_a_numpy_shape_as_sizes_is_explained() -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    f = hl.Func("f")
    f[x, y] = image[x, y]
    array = np.zeros((4, 6), np.uint8)
    image.set(array)
    with pytest.raises(OutOfBoundsError, match=r"array\.shape\[::-1\]"):
        f.realize(array.shape)
    with pytest.raises(DimensionError, match=r"array\.shape\[::-1\]"):
        f.realize(np.zeros((4, 6, 3)).shape)
    with pytest.raises(OutOfBoundsError) as caught:
        f.realize([7, 4])
    assert "shape" not in str(caught.value)


class _OnDevice:
    __cuda_array_interface__ = {"shape": (1,), "typestr": "|u1", "data": (0, False), "version": 3}


@pytest.mark.parametrize("use", [hl.Buffer, hl.ImageParam(hl.UInt(8), 1, "p").set, lambda a: defined().realize(a)])
def test_memory_of_a_cuda_device_is_refused_with_advice(use: Callable[[Any], Any]) -> None:
    with pytest.raises(ArgumentError, match=r"_OnDevice lies on a CUDA device: copy it with \.get\(\)"):
        use(_OnDevice())


def _wrong_type() -> None:
    defined().realize(np.zeros(3, np.uint8))


def _too_small() -> None:
    hl.lambda_func(x, hl.Buffer(np.zeros(3, np.uint8))[x]).realize([4])


def _schedule() -> None:
    f, g = defined("f"), hl.Func("g")
    g[x] = f[x]
    f.compute_at(g, y)
    g.realize([3])


TRACEBACKS: dict[str, Callable[[], Any]] = {
    "definition": lambda: operator.setitem(defined(), (x, y), 1),
    "directive": lambda: defined().split(y, x, y, 3),
    "realize": _wrong_type,
    "input bounds": _too_small,
    "lowering": _schedule,
    "callable": lambda: defined().compile_to_callable([])(np.zeros(3, np.uint8)),
    "file": lambda: defined().compile_to_c("/nowhere.c", [hl.Param(hl.Int(32), "p")] * 2),
    "search": lambda: defined().autoschedule(sizes=[1, 2, 3]),
}


@pytest.mark.parametrize("program", TRACEBACKS.values(), ids=TRACEBACKS)
def test_tracebacks_end_at_the_method_that_the_user_called(program: Callable[[], Any]) -> None:
    with pytest.raises(PipecError) as caught:
        program()
    inner = [
        frame.name for frame in traceback.extract_tb(caught.value.__traceback__) if frame.filename.startswith(PACKAGE)
    ]
    assert len(inner) <= 2, inner


def test_pipec_log_keeps_the_inner_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipec.diagnostics._enabled", frozenset({"time"}))
    with pytest.raises(ScheduleError) as caught:
        defined().split(y, x, y, 3)
    assert len(traceback.extract_tb(caught.value.__traceback__)) > 3


UNINDEXED: dict[str, Callable[[Any], Any]] = {
    "a sum": lambda f: f + 1,
    "a sum, reflected": lambda f: x + f,
    "a sum with an array": lambda f: np.zeros(3) + f,
    "a comparison": lambda f: f > 3,
    "a sign": lambda f: -f,
    "abs": abs,
    "a ufunc": np.sqrt,
    "a reduction of numpy": np.sum,
    "a call": lambda f: f(x, y),
}


@pytest.mark.parametrize("use", UNINDEXED.values(), ids=UNINDEXED)
def test_images_without_coordinates_are_type_errors_that_write_the_brackets(use: Callable[[Any], Any]) -> None:
    f = hl.Func("image_f")
    f[x, y] = x
    for image in (f, hl.ImageParam(hl.UInt(8), 2, "image_p")):
        with pytest.raises(TypeError, match=re.escape(f"{image.name()}[x, y]")):
            use(image)
    assert f == f and f != image


@pytest.mark.parametrize("use", [lambda: range(x + 1), lambda: [1, 2][x], lambda: "ab"[x + 1 :]])
def test_exprs_as_positions_in_lists_are_type_errors_that_name_buffers(use: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match=r"The (Var|Expr) x.* hl\.Buffer"):
        use()


def test_an_update_at_another_var_names_those_of_the_definition() -> None:
    with pytest.raises(PipecError, match=r'Undefined variable "y".*same places as in f.*\[x\]'):
        defined()[y] = 3


@pytest.mark.parametrize(
    "use",
    [
        lambda: hl.cast("uint8", x),
        lambda: hl.ImageParam("uint8", 2, "p"),
        lambda: hl.Buffer(np.uint8, [3]),
        lambda: hl.reinterpret(np.uint8, x),
    ],
)
def test_names_of_types_where_a_type_is_needed_name_a_type(use: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match=r"hl\.UInt\(8\)"):
        use()
