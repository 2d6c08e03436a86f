"""Directives about time and memory show in the lowered program."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ScheduleError
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.stmt import Allocate, For, PrefetchLoad
from pipec.ir.walk import postorder
from pipec.jit.llvm.emit import emit_module
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
    (result,) = [node for node in nodes if isinstance(node, kind)]
    return sum(isinstance(node, For) and result in set(postorder(node)) for node in nodes)


def test_hoisted_memory_is_claimed_outside_the_loops():
    f, g = blurred()
    f.compute_at(g, y)
    plain = np.asarray(g.realize([30, 20]))
    assert depth_of(lowered(g), Allocate) == 1
    f.hoist_storage_root()
    assert depth_of(lowered(g), Allocate) == 0
    np.testing.assert_array_equal(np.asarray(g.realize([30, 20])), plain)


def test_what_a_later_row_needs_is_prefetched_line_by_line():
    f, g = blurred()
    f.compute_root()
    plain = np.asarray(g.realize([300, 20]))
    g.prefetch(f, y, y, 2)
    nodes = lowered(g)
    (fetch,) = [node for node in nodes if isinstance(node, PrefetchLoad)]
    assert fetch.read.buffer == f.name()
    around = [node for node in nodes if isinstance(node, For) and fetch in set(postorder(node))]
    assert [node.name.split(".", 1)[1] for node in around[::-1]] == ["s0.y", "s0.prefetch0.0.1", "s0.prefetch0.0.0"]
    np.testing.assert_array_equal(np.asarray(g.realize([300, 20])), plain)


def test_prefetch_instructions():
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    f = hl.Func("f")
    f[x, y] = image[x, y] + image[x, y + 1]
    f.vectorize(x, 16).prefetch(image, y, y)
    image.set(hl.Buffer(IMAGE))
    np.testing.assert_array_equal(np.asarray(f.realize([67, 44])), (IMAGE[:-1] + IMAGE[1:]))
    definition, _ = freeze([f.function], "fetching")
    program = lower(definition, schedule_of([f.function]), hl.get_jit_target_from_environment())
    assert "call void @llvm.prefetch.p0(ptr" in emit_module(program)


def test_nothing_to_prefetch_is_reported(capsys):
    f, g = blurred()
    assert not count(lowered(g.prefetch(f, y, y)), PrefetchLoad)
    assert "Warning: Removing prefetch of" in capsys.readouterr().out


def test_what_is_stored_inside_the_loop_cannot_be_prefetched():
    f, g = blurred()
    f.compute_at(g, y)
    with pytest.raises(ScheduleError, match="it is stored inside the loop"):
        lowered(g.prefetch(f, y, y))
