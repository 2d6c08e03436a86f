"""Matrix products whose inner loops are dot products, and what tensor intrinsics make of them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.program import Program
from pipec.lower.lower import lower
from pipec.target import get_host_target

x, y, xi = hl.vars("x y xi")
ko, ki = hl.RVar("ko"), hl.RVar("ki")


def matrix_product(first: hl.Type, second: hl.Type, terms: int, result: hl.Type | None = None) -> SimpleNamespace:
    """c[x, y] += a[k, y] * b[x, k]"""
    kind = result or hl.Int(32)
    a, b, c = hl.ImageParam(first, 2, "a"), hl.ImageParam(second, 2, "b"), hl.Func("c")
    r = hl.RDom([(0, terms)], "r")
    c[x, y] = hl.cast(kind, y)
    c[x, y] += hl.cast(kind, a[r, y]) * hl.cast(kind, b[x, r])
    return SimpleNamespace(a=a, b=b, c=c, r=r, update=c.update())


def tensorized(product: SimpleNamespace, intrinsic: str, lanes: int, group: int) -> SimpleNamespace:
    """The product with its inner loops run by an intrinsic."""
    product.update.split(x, x, xi, lanes).split(product.r, ko, ki, group).reorder(ki, xi, ko, x, y)
    product.update.tensorize([xi, ki], intrinsic)
    return product


def program_of(func: hl.Func, target: hl.Target | None = None) -> Program:
    """The lowered program of a Func."""
    definition, _ = freeze([func.function])
    return lower(definition, schedule_of([func.function]), target or get_host_target())


def integers(kind: str, shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Random numbers of a type, with its extremes."""
    random, limits = np.random.default_rng(seed), np.iinfo(kind)
    values = random.integers(limits.min, limits.max, shape, dtype=kind, endpoint=True)
    return np.where(random.random(shape) < 0.3, random.choice([limits.min, limits.max], shape), values).astype(kind)


def exact(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product in int32, which starts with the number of the row."""
    start = np.arange(a.shape[0])[:, None]
    return (start + a.astype(np.int64) @ b.astype(np.int64)).astype(np.int32)
