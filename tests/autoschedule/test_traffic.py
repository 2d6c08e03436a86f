"""What moves between the levels of the cache: what calls find there again, what threads share, what stages share."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.features.traffic import Cache, Footprint
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.state import FULL, FuncPlacement, Nest, NestLevel, State, Where

ROOT, AT = Where.ROOT, Where.AT
MEGABYTE = 1 << 20


def dag_of(output, sizes, threads=1):
    return problem_of([output.function], sizes=sizes, threads=threads).dag


def nest(*tiles, order=(0, 1), lanes=16, parallel=()):
    return Nest(tiles, order, 0, lanes, parallel)


def rows_of(dag, machine, *placements):
    return CpuEvaluator(dag, Roofline(machine)).rows(State(dict(zip(dag.funcs, placements, strict=True))))


def copied(megabytes, last_cache):
    """The row of a copy of that many megabytes, of a machine whose last cache has so many that are of use."""
    x, y = hl.vars("x y")
    source, output = hl.ImageParam(hl.Float(32), 2, "source"), hl.Func("output")
    output[x, y] = source[x, y] + 1.0
    dag = dag_of(output, [1024, megabytes * 256])
    machine = replace(MachineModel(), l3=last_cache * MEGABYTE / 0.8)
    (row,) = rows_of(dag, machine, FuncPlacement(ROOT, nests=(nest((16, 1)),))).values()
    return row


@pytest.mark.parametrize(("last_cache", "share"), [(64, 0.0), (32, 0.0), (24, 1 / 3), (16, 1.0), (4, 1.0)])
def test_calls_find_what_fits_the_last_cache_there_again(last_cache, share):
    row = copied(16, last_cache)
    assert row.bytes_dram == pytest.approx(share * 3 * 16 * MEGABYTE, rel=1e-3)
    assert row.bytes_l3 == pytest.approx(3 * 16 * MEGABYTE, rel=1e-3)


@pytest.mark.parametrize("channels", [2, 3, 4])
def test_one_channel_of_pixels_takes_the_lines_of_all(channels):
    x, y = hl.vars("x y")
    source, output = hl.ImageParam(hl.UInt(8), 3, "source"), hl.Func("output")
    source.dim(0).set_bounds(0, channels).set_stride(1)
    source.dim(1).set_stride(channels)
    output[x, y] = source[0, x, y]
    (row,) = rows_of(dag_of(output, [1024, 1024]), MachineModel(), FuncPlacement(ROOT, nests=(nest((16, 1)),))).values()
    assert row.bytes_l2 == pytest.approx((channels + 2) * MEGABYTE, rel=0.2)


def test_what_is_stored_past_the_caches_takes_no_place_in_them():
    row = copied(40, 48)
    assert row.bytes_streamed == pytest.approx(40 * MEGABYTE) and row.bytes_dram == 0
    assert row.bytes_l3 == pytest.approx(40 * MEGABYTE, rel=1e-3)  # what is read
    assert copied(40, 8).bytes_dram == pytest.approx(40 * MEGABYTE, rel=1e-3)


def test_outputs_that_are_updated_are_not_stored_past_the_caches():
    x, y = hl.vars("x y")
    output = hl.Func("output")
    output[x, y] = 1.0
    output[x, y] += 2.0
    dag = dag_of(output, [1024, 16384])
    rows = rows_of(dag, MachineModel(), FuncPlacement(ROOT, nests=(nest((16, 1)), nest((16, 1)))))
    assert [row.bytes_streamed for row in rows.values()] == [0, 0]


@pytest.mark.parametrize("at", [True, False])
def test_what_a_stage_just_read_in_the_same_loops_is_still_there(at):
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    smooth, output = hl.funcs("smooth output")
    smooth[x, y] = source[x, y] + source[x, y + 2]
    output[x, y] = source[x, y] * smooth[x, y]
    dag = dag_of(output, [1024, 4096])
    name, size = next(iter(dag.funcs)), 4 * 1024 * 4096
    inner = (nest((16, 1)),)
    rows = rows_of(
        dag,
        replace(MachineModel(), l3=8e6),
        FuncPlacement(ROOT, nests=(nest((FULL, 1), (16, 1)),)),
        FuncPlacement(AT, NestLevel(name, 0, 0), nests=inner) if at else FuncPlacement(ROOT, nests=inner),
    )
    read = {func: row.bytes_dram for (func, _), row in rows.items()}
    # The output alone: it is read before it is written to.
    assert read[name] == pytest.approx((2 if at else 4) * size, rel=0.01)
    assert sum(read.values()) == pytest.approx((3 if at else 7) * size, rel=0.01)


@pytest.mark.parametrize(
    ("threads", "each", "times"), [(1, True, 1), (2, True, 8), (1, False, 1), (2, False, 1)]
)  # threads; whether each task has a plane of its own; how often planes come from memory
def test_threads_share_the_last_cache_but_for_what_all_of_them_read(threads, each, times):
    x, y, z = hl.vars("x y z")
    planes, weights = hl.ImageParam(hl.Float(32), 3, "planes"), hl.ImageParam(hl.Float(32), 2, "weights")
    total, r = hl.Func("total"), hl.RDom([(0, 256)], "r")
    total[x, y, z] = 0.0
    total[x, y, z] += planes[x, r.x, z if each else 0] * weights[y, r.x]
    dag = dag_of(total, [1024, 8, 16], threads)
    # Every row of the output needs all of a plane, which is a megabyte.
    update = nest((FULL, FULL, 1, FULL), (16, 1, 1, 1), order=(0, 3, 1, 2), parallel=(2,))
    pure = nest((16, 1, 1), order=(0, 1, 2))
    machine = replace(MachineModel(), l1=4096, l2=65536, l3=1.5 * MEGABYTE / 0.8)
    row = rows_of(dag, machine, FuncPlacement(ROOT, nests=(pure, update)))[next(iter(dag.funcs)), 1]
    output = 2 * 4 * 1024 * 8 * 16
    assert row.bytes_dram <= output + times * (16 if each else 1) * MEGABYTE * 1.1
    assert row.bytes_dram >= (times * 16 * MEGABYTE if each else 0)


def test_the_share_that_is_lost_grows_with_what_lies_between():
    cache = Cache(10.0, 8.0, 0)
    assert [cache.lost(between) for between in (4, 8, 12, 16, 99)] == [0, 0, 0.5, 1, 1]


@pytest.mark.parametrize("level", [0, 1], ids=["outside", "inside"])
@pytest.mark.parametrize("rows", [2, 16])
def test_a_tile_that_repeats_nothing_changes_no_cost(rows, level):
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    column, output = hl.Func("column"), hl.Func("output")
    column[x, y] = hl.max(source[x, y], source[x, y + 2])
    output[x, y] = hl.max(column[x, y], column[x + 2, y])
    dag, model = dag_of(output, [4096, 512]), Roofline(MachineModel())
    output_name, column_name = dag.funcs

    def cost(nest_level, *tiles):
        inner = FuncPlacement(AT, NestLevel(output_name, 0, nest_level), nests=(nest((64, 2), lanes=64),))
        outer = FuncPlacement(ROOT, nests=(nest(*tiles, lanes=64),))
        return CpuEvaluator(dag, model).cost(State({output_name: outer, column_name: inner}))

    assert cost(level, (FULL, rows), (FULL, rows), (64, 2)) == cost(0, (FULL, rows), (64, 2))


def test_stages_that_leave_all_undefined_cost_nothing():
    x, y = hl.vars("x y")
    output, r = hl.Func("output"), hl.RDom([(0, 64)], "r")
    output[x, y] = hl.undef(hl.Float(32))
    output[x, r.x] = 1.0
    dag = dag_of(output, [64, 64])
    update = Nest(((16, 1, 1),), (0, 1, 2), 0, 16)
    rows = rows_of(dag, MachineModel(), FuncPlacement(ROOT, nests=(nest((16, 1)), update)))
    assert [number for _, number in rows] == [1]


def test_a_place_that_all_points_read_is_not_far_from_each_of_them() -> None:
    image = hl.Buffer(np.zeros((600, 800), np.float32))
    x, y = hl.vars("x y")
    costs = []
    for weights in (image, hl.Buffer(np.zeros((3, 3), np.float32))):
        f, r = hl.Func("f"), hl.RDom([(0, 3), (0, 3)])
        f[x, y] = 0.0
        f[x, y] += image[x + r.x, y + r.y] * weights[r.x, r.y]
        costs.append(f.autoschedule(sizes=[798, 598], strategy="trivial", verify=False).predicted_ms)
    own, apart = costs
    assert own == pytest.approx(apart, rel=0.2)


def test_a_star_of_taps_has_few_of_the_rows_of_its_box():
    x, y, z = hl.vars("x y z")
    source = hl.ImageParam(hl.Float(32), 3, "source")

    def moved(taps):
        output = hl.Func("output")
        output[x, y, z] = sum([source[x, y + 4 + dy, z + 4 + dz] for dy, dz in taps], hl.f32(0))
        placement = FuncPlacement(ROOT, nests=(nest((16, 1, 1), order=(0, 1, 2)),))
        return rows_of(dag_of(output, [240, 64, 64]), MachineModel(), placement)[output.name(), 0].bytes_l2

    square = [(dy, dz) for dy in range(-4, 5) for dz in range(-4, 5)]
    star = [(dy, dz) for dy, dz in square if dy * dz == 0]
    # The 17 rows of the star stay in a cache of 32 KB until the next row; the 81 of the square do not.
    assert moved(star) < 0.2 * moved(square)


@pytest.mark.parametrize(("threads", "fits"), [(1, False), (2, True)])
def test_threads_find_the_parts_that_they_computed_in_their_own_caches(threads, fits):
    x, y = hl.vars("x y")
    before, output = hl.funcs("before output")
    before[x, y] = hl.f32(x + y)
    output[x, y] = before[x, y] + before[x, y + 1]
    dag = dag_of(output, [512, 512], threads=threads)
    machine = replace(MachineModel(), l2=2 * MEGABYTE, l2_ways=0)
    rows = rows_of(dag, machine, *[FuncPlacement(ROOT, nests=(nest((FULL, 64), (16, 1), parallel=(1,)),))] * 2)
    assert (rows[output.name(), 0].bytes_l3 == 0) == fits


def test_of_what_all_tasks_need_a_thread_finds_the_part_that_it_computed():
    x, y, r = *hl.vars("x y"), hl.RDom([(0, 512)], "r")
    before, output = hl.funcs("before output")
    before[x, y] = hl.f32(x + y)
    output[x, y] = 0.0
    output[x, y] += before[r, x] * before[x, r]
    dag = dag_of(output, [512, 512], threads=2)
    rows_in_tasks = nest((FULL, 64), (16, 1), parallel=(1,))
    sums = Nest(((FULL, 64, FULL), (16, 1, 1)), (0, 1, 2), 0, 16, (1,))
    machine = replace(MachineModel(), l2=8 * MEGABYTE, l2_ways=0)
    placements = FuncPlacement(ROOT, nests=(rows_in_tasks, sums)), FuncPlacement(ROOT, nests=(rows_in_tasks,))
    row = rows_of(dag, machine, *placements)[output.name(), 1]
    assert row.bytes_l3 == pytest.approx(MEGABYTE, rel=0.05)


def test_rows_at_a_distance_that_is_a_power_of_two_share_sets_in_any_dimension():
    y, x, d = hl.vars("y x d")
    source = hl.ImageParam(hl.UInt(8), 3, "source")

    def moved(width):
        f = hl.Func("f")
        f[y, x, d] = source[d, x, y]
        dag = dag_of(f, [32, width, 32])
        # 32 rows of the source side by side, of which each block takes the next byte.
        placement = FuncPlacement(ROOT, nests=(nest((32, 1, 1), order=(0, 2, 1), lanes=32),))
        return rows_of(dag, MachineModel(), placement)[next(iter(dag.funcs)), 0].bytes_l2

    assert moved(256) > 5 * moved(258)


@pytest.mark.parametrize(
    ("steps", "lost"),
    [
        (((64, 30),), 0),
        (((10272, 30),), 0),
        # Two sets have room for 16.
        (((10240, 20),), 0.25),
        (((10240, 32),), 1),
        (((4096, 9),), 0.125),
        (((4096, 8),), 0),
        # Four sets, and all.
        (((64, 4), (4096, 9)), 0.125),
        (((64, 8), (4096, 4)), 0),
        ((), 0),
    ],
)
def test_a_cache_has_room_for_as_many_rows_of_a_set_as_it_has_ways(steps, lost):
    rows = math.prod([count for _, count in steps]) if steps else 1000
    assert Cache(32768.0, 24000.0, 8).lost_in_sets(Footprint(rows * 96.0, 96.0, rows, steps)) == lost
