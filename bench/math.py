"""`python -m bench.math [NAME ...]`: mathematical functions in nanoseconds an element beside the wheel's and numpy's.

The same definition and schedule (vectors of `--bits`, 0 for scalars) on one thread, over arrays that lie in the cache;
CPU time, all in turn, medians. The error is the greatest of this run, in units of the last place: pipec / the wheel.
"""

from __future__ import annotations

import argparse
import importlib
import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.clock import Call, seconds

COUNT, ROUNDS, LEAST_SECONDS = 16_384, 9, 1e-3
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Function:
    """A function of the language, numpy's of the same meaning, and between which arguments it is measured."""

    exact: Callable[..., Any] | None
    ranges: tuple[tuple[float, float], ...]
    value: Callable[..., Any] | None = None
    sizes: tuple[int, ...] = (32, 64)


def _inverse(x: Any) -> Any:
    return 1 / x


def _inverse_root(x: Any) -> Any:
    return 1 / np.sqrt(x)


def _erf(x: Array) -> Array:
    return np.array([math.erf(value) for value in x])


FUNCTIONS = {
    "exp": Function(np.exp, ((-10, 10),)),
    "log": Function(np.log, ((1e-3, 1e3),)),
    "pow": Function(np.power, ((0.1, 10), (-8, 8))),
    "sin": Function(np.sin, ((-10, 10),)),
    "cos": Function(np.cos, ((-10, 10),)),
    "tan": Function(np.tan, ((-10, 10),)),
    "asin": Function(np.arcsin, ((-1, 1),)),
    "acos": Function(np.arccos, ((-1, 1),)),
    "atan": Function(np.arctan, ((-5, 5),)),
    "atan2": Function(np.arctan2, ((-5, 5), (-5, 5))),
    "sinh": Function(np.sinh, ((-10, 10),)),
    "cosh": Function(np.cosh, ((-10, 10),)),
    "tanh": Function(np.tanh, ((-5, 5),)),
    "asinh": Function(np.arcsinh, ((-10, 10),)),
    "acosh": Function(np.arccosh, ((1, 10),)),
    "atanh": Function(np.arctanh, ((-1, 1),)),
    "erf": Function(_erf, ((-4, 4),), sizes=(32,)),
    "sqrt": Function(np.sqrt, ((0, 100),)),
    "inverse": Function(_inverse, ((0.1, 10),), lambda hl, x: 1 / x),
    "fast_exp": Function(np.exp, ((-10, 10),), sizes=(32,)),
    "fast_log": Function(np.log, ((1e-3, 1e3),), sizes=(32,)),
    "fast_pow": Function(np.power, ((0.1, 10), (-8, 8)), sizes=(32,)),
    "fast_sin": Function(np.sin, ((-10, 10),), sizes=(32,)),
    "fast_cos": Function(np.cos, ((-10, 10),), sizes=(32,)),
    "fast_inverse": Function(_inverse, ((0.1, 10),), sizes=(32,)),
    "fast_inverse_sqrt": Function(_inverse_root, ((0.1, 10),), sizes=(32,)),
}


def arguments(function: Function, nbits: int) -> list[Array]:
    generator = np.random.default_rng(1)
    return [generator.uniform(low, high, COUNT).astype(f"f{nbits // 8}") for low, high in function.ranges]


def compiled(hl: Any, name: str, nbits: int, operands: list[Array], vector_bits: int) -> tuple[Call, Array]:
    """A call that computes all elements, and the array that it writes."""
    x, func = hl.Var("x"), hl.Func("values")
    images = [hl.ImageParam(hl.Float(nbits), 1) for _ in operands]
    own = FUNCTIONS[name].value
    elements = [image[x] for image in images]
    func[x] = getattr(hl, name)(*elements) if own is None else own(hl, *elements)
    if vector_bits > nbits:
        func.vectorize(x, vector_bits // nbits)
    run = func.compile_to_callable(images)
    output = np.zeros(COUNT, operands[0].dtype)
    buffers = [hl.Buffer(array) for array in (*operands, output)]
    return lambda: run(*buffers), output


def medians(calls: list[Call]) -> list[float]:
    """Nanoseconds an element, measured in turn."""
    repeats = [max(1, math.ceil(LEAST_SECONDS / max(seconds(call, 2), 1e-7))) for call in calls]
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(ROUNDS):
        for call, count, result in zip(calls, repeats, times, strict=True):
            result.append(seconds(call, count))
    return [1e9 * statistics.median(result) / COUNT for result in times]


def greatest_error(actual: Array, name: str, operands: list[Array]) -> float:
    """In units of the last place; numpy's longer floats are the measure."""
    wide = np.float64 if actual.dtype == np.float32 else np.longdouble
    exact = FUNCTIONS[name].exact(*[operand.astype(wide) for operand in operands])
    spacing = np.spacing(np.abs(exact.astype(actual.dtype)))
    return float(np.nanmax(np.abs(actual.astype(wide) - exact) / spacing))


def measure(name: str, nbits: int, vector_bits: int) -> str:
    operands = arguments(FUNCTIONS[name], nbits)
    modules = [importlib.import_module(module) for module in ("pipec", "halide")]
    built = [compiled(hl, name, nbits, operands, vector_bits) for hl in modules]
    calls = [call for call, _ in built]
    in_numpy = FUNCTIONS[name].exact
    output = np.empty_like(operands[0])
    if isinstance(in_numpy, np.ufunc):
        calls.append(lambda: in_numpy(*operands, out=output))
    times = medians(calls)
    errors = [greatest_error(result, name, operands) for _, result in built]
    numpy_text = f"{times[2]:9.3f}" if len(times) > 2 else f"{'-':>9}"
    row = f"{name:18}f{nbits}{times[0]:10.3f}{times[1]:10.3f}{numpy_text}{times[0] / times[1]:8.2f}"
    return f"{row}   {errors[0]:.2f} / {errors[1]:.4g}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.math", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which (default: all of {', '.join(FUNCTIONS)})")
    parser.add_argument("--bits", type=int, default=512, help="of a vector; 0: scalars")
    options = parser.parse_args()
    if unknown := set(options.names) - set(FUNCTIONS):
        parser.error(f"no function named {', '.join(sorted(unknown))}; there are {', '.join(FUNCTIONS)}")
    print(f"{'ns/element':21}{'pipec':>10}{'halide':>10}{'numpy':>9}{'ratio':>8}   error in ulp")
    for name in options.names or FUNCTIONS:
        for nbits in FUNCTIONS[name].sizes:
            print(measure(name, nbits, options.bits), flush=True)


if __name__ == "__main__":
    main()
