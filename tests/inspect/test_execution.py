"""Counts of what a schedule makes of a pipeline."""

import pytest

import pipec as hl
from pipec.inspect.subject import subject_of

x, y, xi, yi = hl.vars("x y xi yi")


def blurs(name):
    """A horizontal and a vertical mean of three rows."""
    source = hl.ImageParam(hl.Float(32), 2, f"{name}_in")
    across, down = hl.Func(f"{name}_across"), hl.Func(f"{name}_down")
    across[x, y] = source[x, y] + source[x + 1, y] + source[x + 2, y]
    down[x, y] = across[x, y] + across[x, y + 1] + across[x, y + 2]
    return across, down


def test_tiles_that_overlap_compute_values_again():
    across, down = blurs("tiled")
    down.tile(x, y, xi, yi, 32, 8)
    across.compute_at(down, x)
    subject = subject_of([down.function], sizes=[64, 32])
    assert subject.execution.stages[across.name(), 0].evaluations == 2 * 4 * 32 * 10
    assert subject.recomputation(across.name()) == pytest.approx(8 * 320 / (64 * 34))
    assert subject.execution.storages[across.name()].bytes == 4 * 32 * 10
    assert subject.sizes.images["tiled_in"] == ((0, 66), (0, 34))


def test_sliding_windows_compute_each_value_once_and_fold_their_storage():
    across, down = blurs("slid")
    across.store_root().compute_at(down, y)
    execution = subject_of([down.function], sizes=[64, 32]).execution
    assert execution.evaluations_of(across.name()) == 64 * 34
    storage = execution.storages[across.name()]
    assert storage.is_folded and storage.bytes < 64 * 34 * 4 and execution.peak_bytes == storage.bytes


def test_inlined_funcs_are_computed_at_each_distinct_use():
    across, down = blurs("inlined")
    execution = subject_of([down.function], sizes=[64, 32]).execution
    assert execution.inlined == {across.name(): 3 * 64 * 32}


def test_loops_have_their_trips_working_sets_and_lanes():
    across, down = blurs("loops")
    down.split(y, y, yi, 8).parallel(y).vectorize(x, 8)
    execution = subject_of([down.function], sizes=[64, 32]).execution
    stage = execution.stages[down.name(), 0]
    assert [(loop.name, loop.loop, loop.trips) for loop in stage.loops] == [
        ("y.y", "parallel", 4),
        ("y.yi", "for", 8),
        ("x.x", "for", 8),
        ("x.v", "vectorized", 8),
    ]
    assert stage.lanes == 8 and stage.is_parallel and stage.store_strides == (1, 0)
    assert stage.loops[1].working_set == {down.name(): 4 * 64, "loops_in": 4 * 66 * 3}


def test_updates_count_their_iterations_and_gathers_have_no_strides():
    source, table = hl.ImageParam(hl.UInt(8), 1, "bins_in"), hl.ImageParam(hl.Int(32), 1, "bins_table")
    r = hl.RDom([(0, 100)])
    bins = hl.Func("bins")
    bins[x] = 0
    bins[hl.i32(source[r])] += table[hl.i32(source[r])]
    execution = subject_of([bins.function], like={"bins_in": [100], "bins_table": [256]}, sizes=[256]).execution
    assert execution.stages[bins.name(), 1].evaluations == 100 and execution.stages["bins", 0].evaluations == 256
    assert {access.strides for access in execution.stages[bins.name(), 1].accesses if access.name == "bins_table"} == {
        None
    }


def test_loops_that_depend_on_values_count_with_the_largest_extent():
    counts, f, g = hl.ImageParam(hl.UInt(8), 1, "counts"), hl.Func("data_f"), hl.Func("data_g")
    r = hl.RDom([(hl.i32(counts[0]) % 4, hl.clamp(hl.i32(counts[1]), 0, 20)), (0, 3)], "r")
    f[x] = x * 2
    g[x] = 0
    g[x] += f[x + r.x] + r.y
    f.compute_at(g, r.x)
    g.update(0).reorder(x, r.y, r.x)
    execution = subject_of([g.function], sizes=[8]).execution
    assert execution.evaluations_of(g.name()) == 8 + 8 * 3 * 20
    assert execution.evaluations_of(f.name()) == 8 * 20
    assert [node.name for node in execution.root.walk() if node.at_most] == ["r$x"]


def test_loops_that_depend_on_values_without_bounds_are_refused():
    counts, g = hl.ImageParam(hl.Int(32), 1, "counts"), hl.Func("data_g")
    r = hl.RDom([(0, counts[0])], "r")
    g[x] = 0
    g[x] += r.x
    with pytest.raises(hl.NotSupportedError, match="that have no bounds"):
        assert subject_of([g.function], sizes=[8]).execution
