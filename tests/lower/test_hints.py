"""Directives about time and memory show in the lowered program."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ScheduleError
from pipec.func.freeze import freeze, schedule_of
from pipec.ir.stmt import Allocate, For
from pipec.ir.walk import postorder
from pipec.lower.lower import lower

x, y = hl.vars("x y")
IMAGE = np.random.default_rng(5).integers(0, 256, (45, 67)).astype(np.uint8)


def lowered(*outputs):
    """The nodes of the lowered program."""
    functions = [output.function for output in outputs]
    definition, _ = freeze(functions, "hints")
    return list(postorder(lower(definition, schedule_of(functions), hl.get_jit_target_from_environment()).body))


def count(nodes, kind, **fields):
    return sum(isinstance(n, kind) and all(getattr(n, k) == v for k, v in fields.items()) for n in nodes)


def stencil():
    image = hl.BoundaryConditions.repeat_edge(hl.Buffer(IMAGE))
    f = hl.Func("f")
    f[x, y] = hl.u16(image[x - 1, y]) + image[x + 1, y]
    return f


def test_unpartitioned_loops_are_one_each():
    assert count(lowered(stencil()), For) == 4
    assert count(lowered(stencil().never_partition(x)), For) == 2
    assert count(lowered(stencil().never_partition_all()), For) == 2


def test_loops_without_borders_cannot_be_partitioned():
    f = hl.Func("f")
    f[x, y] = x + y
    with pytest.raises(ScheduleError, match="set to Always for f.*s0.y, but no loop partitioning was performed"):
        lowered(f.always_partition(y))


def blurred():
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = hl.u16(x) * hl.u16(y)
    g[x, y] = f[x - 1, y] + f[x + 1, y + y / 3]
    return f, g


def depth_of(nodes, kind):
    """How many loops are around the first node of a kind."""
    (found,) = [node for node in nodes if isinstance(node, kind)]
    return sum(isinstance(node, For) and found in set(postorder(node)) for node in nodes)


def test_hoisted_memory_is_claimed_outside_the_loops():
    f, g = blurred()
    f.compute_at(g, y)
    plain = np.asarray(g.realize([30, 20]))
    assert depth_of(lowered(g), Allocate) == 1
    f.hoist_storage_root()
    assert depth_of(lowered(g), Allocate) == 0
    np.testing.assert_array_equal(np.asarray(g.realize([30, 20])), plain)
