"""`python -m bench.kernels [NAME ...]`: inner loops in nanoseconds a pixel beside the `halide` wheel's.

The same definitions with the same schedules on one thread, by CPU time, in turn, medians; the cost of a call is taken
off by measuring one row too. Names are parts of kernels' names. Pixels are compared before anything is timed.
"""

from __future__ import annotations

import argparse
import importlib
import math
import statistics
from typing import Any

import numpy as np

from bench.clock import Call, seconds
from bench.kernel_set import HEIGHT, KERNELS, Kernel

ROUNDS, LEAST_SECONDS = 15, 5e-4
Array = np.ndarray[Any, Any]


def image_type(hl: Any, kind: str) -> Any:
    if kind == "bf16":
        return hl.UInt(16)
    return {"u": hl.UInt, "i": hl.Int, "f": hl.Float}[kind[0]](int(kind[1:]))


def random_array(kind: str, size: tuple[int, ...]) -> Array:
    """All values of integers, numbers in [0, 1) else."""
    generator = np.random.default_rng(1)
    shape = size[::-1]
    if kind == "bf16":
        return (generator.random(shape, np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if kind[0] == "f":
        return generator.random(shape, np.float32)
    dtype = np.dtype(f"{kind[0]}{int(kind[1:]) // 8}")
    limits = np.iinfo(dtype)
    return generator.integers(limits.min, limits.max, shape, dtype, endpoint=True)


def placed(array: Array, number: int) -> Array:
    """A copy that begins at a cache line, and nowhere near the start of a page like the others."""
    memory = np.zeros(array.nbytes + 8192, np.uint8)
    start = -memory.ctypes.data % 4096 + 320 * number + 64
    copy: Array = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def define(hl: Any, kernel: Kernel) -> tuple[Any, list[Any]]:
    """The scheduled Func and its ImageParams."""
    inputs = kernel.inputs.items()
    images = {name: hl.ImageParam(image_type(hl, kind), len(size), name) for name, (kind, size) in inputs}
    func = kernel.build(hl, hl.Var("x"), hl.Var("y"), **images)
    if kernel.lanes is not None:
        func.vectorize(hl.Var("x"), kernel.lanes)
    return func, list(images.values())


def calls(hl: Any, kernel: Kernel) -> tuple[Call, Call, Array]:
    """Calls that compute all rows and the first row, and the array that they write."""
    func, images = define(hl, kernel)
    function = func.compile_to_callable(images)
    inputs = [random_array(kind, size) for kind, size in kernel.inputs.values()]
    arrays = [hl.Buffer(placed(array, number)) for number, array in enumerate(inputs, 1)]
    kind, size = kernel.output
    output = placed(np.zeros(size[::-1], random_array(kind, (1,)).dtype), 0)
    axis = len(size) - 1 - next(i for i, extent in enumerate(size) if extent in (HEIGHT, HEIGHT // 2, HEIGHT // 4))
    whole = hl.Buffer(output)
    first = hl.Buffer(output[(slice(None),) * axis + (slice(0, 1),)])
    return lambda: function(*arrays, whole), lambda: function(*arrays, first), output


def agree(kernel: Kernel, first: Array, second: Array) -> bool:
    if kernel.output[0][0] == "f":
        return bool(np.allclose(first, second, rtol=1e-5))
    return bool((first == second).all())


def measure(kernel: Kernel, modules: list[Any]) -> tuple[list[float], bool]:
    """Nanoseconds a pixel for each front end, and whether all gave the same pixels."""
    built = [calls(hl, kernel) for hl in modules]
    for whole, _, _ in built:
        whole()
    same = all(agree(kernel, built[0][2], output) for _, _, output in built)
    repeats = [max(1, math.ceil(LEAST_SECONDS / max(seconds(whole, 3), 1e-7))) for whole, _, _ in built]
    times: list[list[float]] = [[] for _ in modules]
    for _ in range(ROUNDS):
        for (whole, row, _), count, result in zip(built, repeats, times, strict=True):
            result.append(seconds(whole, count) - seconds(row, count))
    pixels = max(math.prod(size) for _, size in (kernel.output, *kernel.inputs.values()))
    return [1e9 * statistics.median(result) / pixels for result in times], same


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.kernels", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of kernels' names; all kernels without any")
    options = parser.parse_args()
    modules = [importlib.import_module(name) for name in ("pipec", "halide")]
    ratios = []
    print(f"{'ns/pixel':32}{'pipec':>10}{'halide':>10}{'ratio':>8}", flush=True)
    for name, kernel in KERNELS.items():
        if options.names and not any(part in name for part in options.names):
            continue
        (own, wheel), same = measure(kernel, modules)
        ratios.append(own / wheel)
        print(f"{name:32}{own:10.4f}{wheel:10.4f}{own / wheel:8.2f}{'' if same else '  DIFFERENT'}", flush=True)
    if ratios:
        mean = math.exp(statistics.fmean([math.log(ratio) for ratio in ratios]))
        print(f"{'geometric mean':52}{mean:8.2f}")


if __name__ == "__main__":
    main()
