"""Storage in tiles of a dimension: the same pixels, dense tiles, and refusals where one stride is needed."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ScheduleError
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.expr import Ramp
from pipec.ir.interp import run
from pipec.ir.stmt import Store
from pipec.ir.walk import postorder
from pipec.lower.lower import lower
from pipec.target import get_host_target

x, y, c = hl.vars("x y c")


def channels(count=5):
    """A Func of `count` + 1 channels, and sums of neighbours in all three dimensions."""
    f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(0, count)], "r")
    f[x, y, c] = x + 10 * y + 1000 * c
    g[x, y] = 0
    g[x, y] += f[x, y, r] * (r + 1) + f[x + 1, y + 1, r + 1]
    f.compute_root()
    return f, g


def expected(width, height, count=5):
    at_x, at_y = np.meshgrid(np.arange(width), np.arange(height))
    place = at_x + 10 * at_y
    return sum((place + 1000 * k) * (k + 1) + place + 11 + 1000 * (k + 1) for k in range(count))


SCHEDULES = {
    "as it is": lambda f, g: f.tile_storage(c, 4),
    "along the innermost dimension": lambda f, g: f.tile_storage(x, 8).vectorize(x, 8),
    "in vectors of a tile": lambda f, g: f.tile_storage(c, 4).align_bounds(c, 4).reorder(c, x, y).vectorize(c, 4),
    "of two dimensions": lambda f, g: f.tile_storage(c, 2).tile_storage(y, 4),
    "reordered": lambda f, g: f.reorder_storage(c, y, x).tile_storage(x, 4),
    "in a window": lambda f, g: f.store_root().compute_at(g.update(), y).tile_storage(c, 4),
    "hoisted": lambda f, g: f.compute_at(g.update(), y).hoist_storage_root().bound_storage(x, 40).tile_storage(x, 4),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_pixels_stay_the_same(name):
    f, g = channels()
    SCHEDULES[name](f, g)
    for width, height in ((7, 3), (33, 5)):
        np.testing.assert_array_equal(np.asarray(g.realize([width, height])), expected(width, height))


def program(f, g):
    definition, _ = freeze([g.function])
    return lower(definition, schedule_of([g.function]), get_host_target())


def test_the_interpreter_reads_what_it_stored_in_tiles():
    f, g = channels()
    f.tile_storage(c, 4)
    own = program(f, g)
    (name,) = [argument.name for argument in own.arguments]
    result = run(own, {name: np.zeros((7, 3), np.int32)})
    np.testing.assert_array_equal(result[name].T, expected(7, 3))


@pytest.mark.parametrize("lanes", [8, 4])
def test_vectors_of_a_tile_or_a_part_of_it_are_dense(lanes):
    f, g = channels(7)
    f.tile_storage(c, 8).reorder(c, x, y).vectorize(c, lanes)
    stores = [n for n in postorder(program(f, g).body) if isinstance(n, Store) and n.buffer.startswith("f")]
    (index,) = [store.index for store in stores]
    assert isinstance(index, Ramp) and index.stride.value == 1


@pytest.mark.opencl
def test_kernels_read_tiles():
    f, g = channels()
    f.tile_storage(c, 4).gpu_blocks(y, c).gpu_threads(x)
    g.gpu_blocks(y).gpu_threads(x)
    g.update().gpu_blocks(y).gpu_threads(x)
    f.bound_extent(x, 8)
    result = g.realize([7, 3], target=hl.Target("host-opencl"))
    np.testing.assert_array_equal(np.asarray(result), expected(7, 3))


def test_outputs_and_two_layouts_of_one_dimension_are_refused():
    f, g = channels()
    g.tile_storage(x, 4)
    with pytest.raises(ScheduleError, match="The storage of Func g.* can't be tiled: an output"):
        g.realize([8, 8])
    f, g = channels()
    f.tile_storage(c, 4).align_storage(c, 8)
    with pytest.raises(ScheduleError, match="has both align_storage and tile_storage for c"):
        g.realize([8, 8])
    with pytest.raises(ScheduleError, match="the storage tile of c is 1, but must be at least 2"):
        f.tile_storage(c, 1)
