"""Pipelines that allocate: in loops, tasks, rings and threads, of Tuples, for extern stages and memoized Funcs."""

from __future__ import annotations

import ctypes

import pipec as hl

x, y, xo, yo, xi, yi, u = hl.vars("x y xo yo xi yi u")
SIZE = [40, 24]


def stages(count: int = 3, places: int = 1) -> list[hl.Func]:
    """A chain of stages of 3x3 points, of Tuples with so many places."""
    funcs = [hl.Func("source")]
    funcs[0][x, y] = tuple([x * y + place for place in range(places)]) if places > 1 else x * y
    for _ in range(count):
        before, func = funcs[-1], hl.Func("stage")
        values = [
            sum([hl.Expr(before[x + dx, y + dy][place]) if places > 1 else before[x + dx, y + dy]
                 for dx in (-1, 0, 1) for dy in (-1, 0, 1)]) % 1000
            for place in range(places)
        ]  # fmt: skip
        func[x, y] = tuple(values) if places > 1 else values[0]
        funcs.append(func)
    for func in funcs[:-1]:
        func.compute_root().store_in(hl.MemoryType.Heap)
    return funcs


def serial() -> hl.Func:
    _, first, second, last = stages()
    first.compute_at(second, y)
    return last


def parallel() -> hl.Func:
    source, first, second, last = stages()
    source.parallel(y)
    last.tile(x, y, xo, yo, xi, yi, 16, 8).parallel(yo).parallel(xo)
    second.compute_at(last, xo).parallel(y)
    first.compute_at(second, y).vectorize(x, 8)
    return last


def in_threads() -> hl.Func:
    source, first, second, last = stages()
    last.parallel(x)
    second.async_()
    first.store_root().compute_at(second, y).async_()
    source.compute_at(first, y)
    return last


def sliding() -> hl.Func:
    source, first, second, last = stages()
    last.split(y, yo, yi, 8).parallel(yo)
    for func in (source, first, second):
        func.store_at(last, yo).compute_at(last, yi)
    return last


def pairs() -> hl.Func:
    _, first, second, last = stages(places=2)
    first.compute_at(second, y)
    second.parallel(y)
    return last


def updates() -> hl.Func:
    source, _, _, last = stages()
    r, total, merged = hl.RDom([(0, 40), (0, 24)], "r"), hl.Func("total"), hl.Func("merged")
    total[x] = 0
    total[source[r.x, r.y] % 64] += 1
    partial = total.update().rfactor(r.y, u)
    partial.compute_root().store_in(hl.MemoryType.Heap).update().parallel(u)
    total.compute_root().store_in(hl.MemoryType.Heap)
    merged[x, y] = last[x, y] + total[x]
    last.compute_at(merged, y)
    return merged


def memoized() -> hl.Func:
    _, first, second, last = stages()
    first.memoize()
    second.memoize()
    return last


def ring() -> hl.Func:
    source, first, second, last = stages()
    last.split(y, yo, yi, 8)
    second.compute_at(last, yo).hoist_storage_root().ring_buffer(2).async_()
    first.compute_at(second, y)
    return last


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
def store_nothing(first: int, second: int, target: int) -> int:
    return 0


def extern() -> hl.Func:
    _, first, second, last = stages()
    outer, after = hl.Func("outer"), hl.Func("after")
    outer.define_extern(store_nothing, [first, second], hl.Int(32), [x, y])
    outer.compute_root().store_in(hl.MemoryType.Heap)
    after[x, y] = last[x, y] + 0 * outer[x, y]
    last.compute_at(after, y).store_in(hl.MemoryType.Heap)
    return after


# C has no threads.
IN_C = [serial, parallel, sliding, pairs, updates]
IN_FILES = [*IN_C, in_threads, ring]
PIPELINES = [*IN_FILES, memoized, extern]
