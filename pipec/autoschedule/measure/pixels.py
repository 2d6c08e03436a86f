"""Whether two results of one pipeline are the same: integers exactly, floats to rounding."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pipec.func.functions.definition import PipelineDef
from pipec.ir.expr import Expr
from pipec.ir.walk import postorder

# Schedules change the order of sums and which products are fused with them.
RELATIVE_TOLERANCE = 2e-4
# Where floats decide about integers (rounding, comparing), a last bit of theirs makes a step of one, or another value,
# of this part of the pixels.
STEPPED_PART = 2e-2
TOLERATED_PART = 1e-3

# By how much more one order of a sum may round than another.
MORE_ROUNDING = 2.0

# Values that are sampled to estimate the magnitude of all.
SAMPLE = 4096


def calculates_with_floats(definition: PipelineDef) -> bool:
    """Whether the values of any Func go through floating point."""
    roots = [root for func in definition.funcs.values() for stage in func.stages for root in stage.roots]
    return any(isinstance(node, Expr) and node.type.floating for node in postorder(*roots))


def difference(
    expected: Sequence[np.ndarray],
    actual: Sequence[np.ndarray],
    exact: bool,
    precise: Callable[[], Sequence[np.ndarray]] | None = None,
) -> str:
    """Returns what is wrong with the result as text, or nothing. `exact`: the pipeline calculates with integers only.

    `precise`: computes the results in double precision, for use where floats differ: long sums of float32 may
    be as far from them as they are from each other.
    """
    for number, (a, b) in enumerate(zip(expected, actual, strict=True)):
        wrong = ~same(a, b)
        count = int(np.count_nonzero(wrong))
        if precise is not None and np.issubdtype(a.dtype, np.floating) and count > _tolerated(a, b, wrong):
            wrong &= ~_as_near(a, b, precise()[number])
            count = int(np.count_nonzero(wrong))
        if count > (0 if exact else _tolerated(a, b, wrong)):
            place = tuple(int(k) for k in np.argwhere(wrong)[0])
            return (
                f"{count} of {wrong.size} values of output {number} are wrong; the first is at {place[::-1]}:"
                f" {b[place]} instead of {a[place]}"
            )
    return ""


def _tolerated(a: np.ndarray, b: np.ndarray, wrong: np.ndarray) -> float:
    """How many values may differ."""
    if np.issubdtype(a.dtype, np.integer):
        before, after = (x[wrong].astype(np.float64) for x in (a, b))
        if np.count_nonzero(np.abs(before - after) > 1) <= TOLERATED_PART * wrong.size:
            return STEPPED_PART * wrong.size
    return TOLERATED_PART * wrong.size


def _as_near(expected: np.ndarray, actual: np.ndarray, precise: np.ndarray) -> np.ndarray:
    """Where a result is about as near to the precise one as the expected one is."""
    with np.errstate(invalid="ignore", over="ignore"):
        rounding = np.abs(expected - precise) + RELATIVE_TOLERANCE * np.abs(precise)
        return np.asarray(np.abs(actual - precise) <= MORE_ROUNDING * rounding)


def same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Where two arrays agree; floats may differ by rounding, relative to the largest value around."""
    if not np.issubdtype(a.dtype, np.floating):
        return np.asarray(a == b)
    with np.errstate(invalid="ignore", over="ignore"):
        some = a.ravel()[:: max(1, a.size // SAMPLE)]
        finite = np.abs(some[np.isfinite(some)])
        scale = float(np.quantile(finite, 0.99)) if finite.size else 0.0
        close = np.abs(a - b) <= RELATIVE_TOLERANCE * np.maximum(np.abs(a), scale)
        return np.asarray(close | (a == b) | (np.isnan(a) & np.isnan(b)))
