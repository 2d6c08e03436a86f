"""Every kind of directive."""

from __future__ import annotations

import pipec as hl


def main() -> None:
    x, y, xo, yo, xi, yi, t = hl.vars("x y xo yo xi yi t")
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = x * y
    g[x, y] = f[x, y] + f[x + 1, y]
    g.tile(x, y, xo, yo, xi, yi, 8, 8, hl.TailStrategy.GuardWithIf).fuse(xo, yo, t).parallel(t).vectorize(xi)
    f.compute_at(g, t).store_in(hl.MemoryType.Stack).unroll(x, 2).bound_storage(x, 16)
    level = hl.LoopLevel(g, t)
    f.store_at(level).align_storage(x, 8)
    g[x, y] += 1
    stage: hl.Stage = g.update(0)
    stage.reorder(y, x).unscheduled()
    g.set_estimates([(0, 64), (0, 64)])
    pipeline = hl.Pipeline([g])
    pipeline.compile_jit(hl.get_host_target())
    buffer = hl.Buffer(hl.Int(32), [16, 16])
    pipeline.realize(buffer)
    assert buffer[2, 3] == 2 * 3 + 3 * 3 + 1
