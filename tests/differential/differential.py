"""Running one program on the halide wheel and on pipec, and comparing what they realize."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import halide
import numpy as np
import pytest

import pipec

Results = dict[str, np.ndarray]
Program = Callable[[Any], Any]

# For what pipec does not offer yet, and says so. Strict: a test that begins to pass loses its mark.
unsupported = pytest.mark.xfail(raises=pipec.NotSupportedError, strict=True)


def with_unsupported(names: Iterable[str], missing: Iterable[str]) -> list[Any]:
    """The names as test parameters, the missing ones marked."""
    missing = set(missing)
    return [pytest.param(name, marks=unsupported) if name in missing else name for name in names]


def named(results: Any) -> Results:
    """Arrays by name, from what a program returned: an array, a tuple or list of arrays, or a dict of them."""
    if isinstance(results, Mapping):
        return {name: np.asarray(value) for name, value in results.items()}
    if isinstance(results, (tuple, list)):
        return {f"result {i}": np.asarray(value) for i, value in enumerate(results)}
    return {"result": np.asarray(results)}


def compare(actual: Results, expected: Results, rtol: float = 0.0, atol: float = 0.0) -> None:
    """Integers and booleans must be equal; floats too, unless a tolerance is given. All differences are reported."""
    assert list(actual) == list(expected)
    differences = []
    for name, want in expected.items():
        got = actual[name]
        if got.dtype != want.dtype or got.shape != want.shape:
            differences.append(f"{name}: {got.dtype}{list(got.shape)} instead of {want.dtype}{list(want.shape)}")
            continue
        tolerances = {"rtol": rtol, "atol": atol} if want.dtype.kind == "f" else {"rtol": 0.0, "atol": 0.0}
        if want.dtype.kind == "f":
            same = np.isclose(got.astype(np.float64), want.astype(np.float64), equal_nan=True, **tolerances)
        else:
            same = got == want
        if not same.all():
            where = np.argwhere(~same)
            shown = [f"at {tuple(int(i) for i in at)} {got[tuple(at)]} != {want[tuple(at)]}" for at in where[:4]]
            differences.append(f"{name}: {len(where)} of {want.size} differ: " + "; ".join(shown))
    assert not differences, "\n" + "\n".join(differences)


def same(program: Program, rtol: float = 0.0, atol: float = 0.0) -> Results:
    """`program(hl)` gives the same arrays with the wheel as `hl` and with pipec as `hl`; returns pipec's."""
    with np.errstate(all="ignore"):
        expected, actual = named(program(halide)), named(program(pipec))
        compare(actual, expected, rtol, atol)
    return actual


def equals(program: Program, expected: Any, rtol: float = 0.0, atol: float = 0.0) -> None:
    """`program(pipec)` gives `expected`: for facts where the wheel is wrong, or that numpy states more plainly."""
    with np.errstate(all="ignore"):
        compare(named(program(pipec)), named(expected), rtol, atol)


def both_equal(program: Program, expected: Any, rtol: float = 0.0, atol: float = 0.0) -> None:
    """`program(hl)` gives `expected` with the wheel as `hl` and with pipec as `hl`."""
    compare(same(program, rtol, atol), named(expected), rtol, atol)


def evaluate(hl: Any, expressions: Mapping[str, Any], size: int) -> Results:
    """The values of many expressions over Var("x") in [0, size): one pipeline, with an output for each type."""
    x, choice = hl.Var("x"), hl.Var("choice")
    groups: dict[str, list[str]] = {}
    for name, expression in expressions.items():
        groups.setdefault(str(expression.type()), []).append(name)
    outputs = []
    for members in groups.values():
        f = hl.Func("values")
        f[x, choice] = (
            hl.mux(choice, [expressions[name] for name in members]) if len(members) > 1 else (expressions[members[0]])
        )
        outputs.append(f)
    # Beyond its last choice a mux repeats that one.
    result = hl.Pipeline(outputs).realize([size, max(map(len, groups.values()))])
    results: Results = {}
    for members, values in zip(groups.values(), result if len(outputs) > 1 else [result], strict=True):
        results.update(zip(members, np.asarray(values), strict=False))
    return {name: results[name] for name in expressions}


def source(hl: Any, array: np.ndarray, name: str) -> Callable[..., Any]:
    """Reads a copy of an array: index -> Expr.

    A copy because an Expr of the wheel does not keep the array alive. The wheel refuses uint64 arrays, so those
    pass as int64.
    """
    array = np.ascontiguousarray(array)
    buffer = hl.Buffer(array.view(np.int64) if array.dtype == np.uint64 else array).copy()
    buffer.set_name(name)

    def read(*index: Any) -> Any:
        value = buffer[index if len(index) > 1 else index[0]]
        return hl.reinterpret(hl.UInt(64), value) if array.dtype == np.uint64 else value

    return read


def type_of(hl: Any, dtype: Any) -> Any:
    """The Halide type of a numpy dtype."""
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return hl.Bool()
    make = {"i": hl.Int, "u": hl.UInt, "f": hl.Float}[dtype.kind]
    return make(8 * dtype.itemsize)


def edge_values(dtype: Any) -> np.ndarray:
    """Values of an integer type at which arithmetic goes wrong first."""
    limits = np.iinfo(dtype)
    expected = [limits.min, limits.min + 1, limits.min // 2, -100, -7, -3, -2, -1, 0, 1, 2, 3, 7, 100]
    expected += [limits.max // 2, limits.max // 2 + 1, limits.max - 1, limits.max]
    return np.array(sorted({v for v in expected if limits.min <= v <= limits.max}), dtype=dtype)


def pairs(first: np.ndarray, second: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Every value of the one with every value of the other, as two arrays."""
    second = first if second is None else second
    a, b = np.meshgrid(first, second, indexing="ij")
    return np.ascontiguousarray(a.ravel()), np.ascontiguousarray(b.ravel())
