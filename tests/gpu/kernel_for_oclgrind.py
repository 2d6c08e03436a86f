"""Runs kernels that share memory between threads; with the argument `fault`, one whose barrier has been removed."""

import sys

import numpy as np

import pipec as hl
from pipec.jit.opencl import emit as kernel_emit

TARGET = hl.Target("host-opencl")


def main() -> None:
    if "fault" in sys.argv:
        kernel_emit.BlockWriter._before = lambda self, own: []
    x, y, xo, yo, xi, yi = hl.vars("x y xo yo xi yi")
    f, g = hl.funcs("f g")
    g[x, y] = x * y
    f[x, y] = g[x, y] + g[x + 1, y + 1]
    f.gpu_tile(x, y, xo, yo, xi, yi, 4, 4)
    g.compute_at(f, xo).gpu_threads(x, y)
    result = np.asarray(f.realize([7, 5], target=TARGET))
    rows, columns = np.mgrid[0:5, 0:7]
    print("same" if (result == rows * columns + (rows + 1) * (columns + 1)).all() else "differs")


if __name__ == "__main__":
    main()
