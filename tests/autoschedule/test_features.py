"""Features against counts: what traced runs compute, and distinct places found by brute force."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator, patience
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.dag.build_dag import Sizes, build_dag
from pipec.autoschedule.dag.dag import TYPE_CLASSES, Access, Operation
from pipec.autoschedule.emit.emit import apply, emit
from pipec.autoschedule.features.distinct_places import distinct
from pipec.autoschedule.measure import ImageSource, task_of
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.cpu.fallback import fallback
from pipec.autoschedule.space.cpu.space import CpuSpace
from pipec.autoschedule.space.cpu.variations import small_dims
from pipec.autoschedule.space.state import FULL, INLINED, FuncPlacement, Nest, NestLevel, State, Where

WIDTH, HEIGHT = 64, 48


def blur():
    x, y = hl.vars("x y")
    source = hl.Buffer(np.arange((WIDTH + 2) * (HEIGHT + 2), dtype=np.float32).reshape(HEIGHT + 2, WIDTH + 2), "source")
    bx, by = hl.funcs("bx by")
    bx[x, y] = source[x, y] + source[x + 1, y] + source[x + 2, y]
    by[x, y] = bx[x, y] + bx[x, y + 1] + bx[x, y + 2]
    return [bx, by]


def dag_of(output, size=(WIDTH, HEIGHT)):
    task = task_of(hl.Pipeline(output), size)
    return build_dag(
        task.definition, Sizes(task.boxes, {name: box(image) for name, image in task.images.items()}), threads=2
    )


def box(image):
    if isinstance(image, ImageSource):
        return image.box
    return tuple((image.dim(d).min(), image.dim(d).extent()) for d in range(image.dimensions()))


def nest(*tiles, order=(0, 1), vector=0, lanes=16, parallel=()):
    return Nest(tiles, order, vector, lanes, parallel)


def rows(output, *placements):
    """Features of stage 0 of each Func, consumers first, and the names."""
    dag = dag_of(output)
    state = State(dict(zip(dag.funcs, placements, strict=True)))
    result = CpuEvaluator(dag, Roofline()).rows(state)
    return [result.get((name, 0)) for name in dag.funcs], dag, state


def traced_points(funcs, dag, state):
    """How many points each Func computes in a run."""
    apply(emit(dag, state), [funcs[-1].function])
    for func in funcs:
        func.trace_stores()
    counts = Counter()

    def count(event):
        if event.event is hl.TraceEventKind.store:
            counts[event.func] += event.type.lanes()

    pipeline = hl.Pipeline(funcs[-1])
    pipeline.set_custom_trace(count)
    pipeline.realize([WIDTH, HEIGHT])
    return counts


ROOT, AT = Where.ROOT, Where.AT
SIMPLE = (nest((16, 1)),)
STRIPS = nest((FULL, 8), (16, 1), parallel=(1,))
ROWS = nest((FULL, 8), (FULL, 1), (16, 1))


@pytest.mark.parametrize(
    ("consumer", "nest_level", "store", "points"),
    [
        (SIMPLE[0], None, None, WIDTH * (HEIGHT + 2)),
        (STRIPS, 0, None, WIDTH * 10 * 6),
        (ROWS, 1, None, WIDTH * 3 * HEIGHT),
        (ROWS, 1, 0, WIDTH * 10 * 6),
    ],
    ids=["at root", "in strips", "in rows", "sliding down strips"],
)
def test_points_computed_are_those_that_a_traced_run_stores(consumer, nest_level, store, points):
    funcs = blur()
    name = funcs[-1].name()
    placement = FuncPlacement(ROOT, nests=SIMPLE)
    if nest_level is not None:
        at = None if store is None else NestLevel(name, 0, store)
        placement = FuncPlacement(AT, NestLevel(name, 0, nest_level), at, SIMPLE)
    (output, producer), dag, state = rows(funcs[-1], FuncPlacement(ROOT, nests=(consumer,)), placement)
    assert (output.points, producer.points) == (WIDTH * HEIGHT, points)
    counts = traced_points(funcs, dag, state)
    assert (counts[name], counts[funcs[0].name()]) == (WIDTH * HEIGHT, points)


@pytest.mark.parametrize("deep", [False, True], ids=["two windows", "a window in the loops of what follows one"])
def test_points_of_windows_that_slide_two_ways_are_those_that_a_traced_run_stores(deep):
    x, y = hl.vars("x y")
    funcs = hl.funcs("first sums doubled last")
    first, sums, doubled, last = funcs
    first[x, y] = hl.sqrt(hl.f32(x + y))
    sums[x, y] = first[x, y] + first[x + 2, y + 2]
    doubled[x, y] = sums[x, y] * 2
    last[x, y] = doubled[x, y] + doubled[x + 2, y + 2]
    whole, strip, block = (nest((FULL, FULL)),), NestLevel(last.name(), 0, 0), NestLevel(last.name(), 0, 1)
    features, dag, state = rows(
        last,
        FuncPlacement(ROOT, nests=(nest((FULL, 16), (16, 4), parallel=(1,)),)),
        FuncPlacement(AT, block, strip, whole),
        FuncPlacement(AT, block, None, whole),
        FuncPlacement(AT, NestLevel(sums.name(), 0, 0) if deep else block, strip, whole),
    )
    counts = traced_points(list(funcs), dag, state)
    traced = [counts[name] for name in dag.funcs]
    # Whole vectors are counted, of which masks may leave out lanes.
    assert traced == pytest.approx([stage.points for stage in features], rel=0.25)


@pytest.mark.parametrize(("kind", "further", "elements"), [(hl.u8, 0, 1), (hl.f32, 0, 16), (hl.u8, 2, 16)])
def test_all_lanes_are_scattered_unless_one_is_needed_and_they_go_one_by_one(kind, further, elements):
    x, y = hl.vars("x y")
    first, last = hl.funcs("first last")
    first[x, y] = kind(x + y)
    last[x, y] = first[x, y] + first[x, y + further]
    down = Nest(((1, 16),), (0, 1), 1, 16)
    placement = FuncPlacement(AT, NestLevel(last.name(), 0, 1), None, (down,))
    (_, producer), _, _ = rows(last, FuncPlacement(ROOT, nests=(ROWS,)), placement)
    assert producer.productions == HEIGHT
    assert producer.stores_scattered == HEIGHT * WIDTH * elements


@pytest.mark.parametrize("computed", [False, True])
def test_small_tables_of_constants_take_no_calculation(computed):
    i, x, y = hl.vars("i x y")
    factor = hl.Param(hl.Float(32), "factor", 2.0)
    values, last = hl.funcs("values last")
    values[i] = hl.sqrt(hl.f32(i)) * (factor if computed else 2.0)
    last[x, y] = values[hl.clamp(x, 0, 31)]
    placement = FuncPlacement(AT, NestLevel(last.name(), 0, 1), None, (Nest(((16,),), (0,), 0, 16),))
    (_, built), _, _ = rows(last, FuncPlacement(ROOT, nests=(ROWS,)), placement)
    assert (built.cycles_divide > 0) == computed and built.stores_dense > 0


def test_values_of_places_that_move_with_loops_are_calculated():
    x, y = hl.vars("x y")
    noise, last = hl.funcs("noise last")
    noise[x, y] = hl.sqrt(hl.f32(x * 7 + y))
    last[x, y] = noise[x, y] + 1.0
    placement = FuncPlacement(AT, NestLevel(last.name(), 0, 1), None, (nest((16, 1)),))
    (_, built), _, _ = rows(last, FuncPlacement(ROOT, nests=(ROWS,)), placement)
    assert built.cycles_divide > 0


def test_what_a_window_reads_is_computed_for_its_first_place_too():
    x, y = hl.vars("x y")
    source = hl.Buffer(np.ones((HEIGHT + 3, WIDTH), np.float32), "source")
    first, window, output = hl.funcs("first window output")
    first[x, y] = source[x, y] * 2.0
    window[x, y] = first[x, y] + first[x, y + 1]
    output[x, y] = window[x, y] + window[x, y + 1] + window[x, y + 2]
    nest_level = NestLevel(output.name(), 0, 1)
    sliding = FuncPlacement(AT, nest_level, NestLevel(output.name(), 0, 0), SIMPLE)
    result, dag, state = rows(
        output, FuncPlacement(ROOT, nests=(ROWS,)), sliding, FuncPlacement(AT, nest_level, None, SIMPLE)
    )
    strips, places = HEIGHT // 8, 7
    assert result[1].points == WIDTH * strips * (3 + places)
    assert result[2].points == WIDTH * strips * (4 + 2 * places)
    counts = traced_points([first, window, output], dag, state)
    assert (counts[window.name()], counts[first.name()]) == (result[1].points, result[2].points)


def test_the_first_place_of_a_window_counts_for_each_stage_by_its_own_blocks():
    x, y = hl.vars("x y")
    source = hl.Buffer(np.ones((HEIGHT + 2, WIDTH), np.float32), "source")
    window, output = hl.funcs("window output")
    window[x, y] = source[x, y]
    window[x, y] += 1.0
    output[x, y] = window[x, y] + window[x, y + 1] + window[x, y + 2]
    tall = (nest((16, 3)), nest((16, 1)))
    sliding = FuncPlacement(AT, NestLevel(output.name(), 0, 1), NestLevel(output.name(), 0, 0), tall)
    dag = dag_of(output)
    state = State(dict(zip(dag.funcs, [FuncPlacement(ROOT, nests=(ROWS,)), sliding], strict=True)))
    update = CpuEvaluator(dag, Roofline()).rows(state)[window.name(), 1]
    assert update.points == WIDTH * 10 * HEIGHT // 8


def test_a_window_that_moves_along_a_diagonal_is_computed_anew_at_each_place():
    x, y = hl.vars("x y")
    source = hl.Buffer(np.ones((HEIGHT + 2, WIDTH + HEIGHT), np.float32), "source")
    window, output = hl.funcs("window output")
    window[x, y] = source[x, y]
    output[x, y] = window[x + y, y] + window[x + y, y + 1] + window[x + y, y + 2]
    sliding = FuncPlacement(AT, NestLevel(output.name(), 0, 1), NestLevel(output.name(), 0, 0), SIMPLE)
    result, dag, state = rows(output, FuncPlacement(ROOT, nests=(ROWS,)), sliding)
    assert result[1].points == WIDTH * 3 * HEIGHT
    assert traced_points([window, output], dag, state)[window.name()] == result[1].points


@pytest.mark.parametrize(
    ("condition", "rows_computed"), [("repeat_image", 4 * 10 + 2 * HEIGHT), ("mirror_image", None)]
)
def test_blocks_that_go_on_at_the_opposite_edge_need_all_between(condition, rows_computed):
    x, y = hl.vars("x y")
    first, output = hl.funcs("first output")
    first[x, y] = hl.f32(x + y)
    around = getattr(hl.BoundaryConditions, condition)(first, [(0, WIDTH), (0, HEIGHT)])
    output[x, y] = around[x, y - 1] + around[x, y + 1]
    placements = {
        output.name(): FuncPlacement(ROOT, nests=(STRIPS,)),
        first.name(): FuncPlacement(AT, NestLevel(output.name(), 0, 0), None, SIMPLE),
    }
    dag = dag_of(output)
    state = State({name: placements.get(name, INLINED) for name in dag.funcs})
    points = CpuEvaluator(dag, Roofline()).rows(state)[first.name(), 0].points
    if rows_computed is None:
        assert points == WIDTH * 10 * HEIGHT // 8  # mirrored places are near, and the middle stands for all
    else:
        assert points == pytest.approx(WIDTH * rows_computed)
        assert traced_points([first, output], dag, state)[first.name()] == WIDTH * rows_computed


def test_what_is_inlined_is_evaluated_once_for_each_place_of_a_block():
    funcs = blur()
    (one, nothing), _, _ = rows(funcs[-1], FuncPlacement(ROOT, nests=(nest((16, 1)),)), INLINED)
    (four, _), _, _ = rows(funcs[-1], FuncPlacement(ROOT, nests=(nest((16, 4)),)), INLINED)
    assert nothing is None
    # Rows of loads in a block of one row: three, of four rows: six, each three vectors.
    assert one.loads_dense == WIDTH * HEIGHT / 16 * 9
    assert four.loads_dense == WIDTH * HEIGHT / 64 * 18
    # 2 additions for each of 3 rows and 2 of the output; for 6 rows and 4 outputs.
    assert four.cycles_add / one.cycles_add == pytest.approx((6 * 2 + 4 * 2) / (3 * 2 + 2) / 4)


@pytest.mark.parametrize("period", [1, 2])
@pytest.mark.parametrize("seed", range(12))
def test_distinct_places_are_those_of_all_positions_of_the_block(seed, period):
    rng = random.Random(seed)
    dims, loops = rng.randint(1, 3), rng.randint(1, 3)
    jacobian = tuple(tuple(rng.choice([0.0, 0.0, 1.0, 1.0, 2.0, 0.5, -1.0]) for _ in range(loops)) for _ in range(dims))
    offsets = tuple({tuple(float(rng.randint(-2, 2)) for _ in range(dims)) for _ in range(rng.randint(1, 9))})
    axes = tuple((d, rng.choice([1, 2, 4, 9]), rng.choice([1, 8])) for d in range(loops))
    zero = (0.0,) * dims
    access = Access("f", jacobian, zero, zero, offsets, len(offsets))
    places = set()
    for steps in itertools.product(*[range(n) for _, n, _ in axes]):
        values = [step * apart for step, (_, _, apart) in zip(steps, axes, strict=True)]
        for offset in offsets:
            place = [
                o + sum(c * v for c, v in zip(row, values, strict=True))
                for o, row in zip(offset, jacobian, strict=True)
            ]
            # Halves are rounded when the code is made only where it is known which values are even.
            places.add(tuple(math.floor(x) if period == 2 else x for x in place))
    assert distinct(access, axes, (period,) * loops) == len(places)


@pytest.mark.parametrize("number", [1, 512, 513, 4096, 5000])
def test_places_of_one_position_are_counted_however_many(number):
    offsets = tuple((float(k), 0.5) for k in range(number))
    access = Access("f", ((0.0,), (0.5,)), (0.0, 0.0), (0.0, 0.0), offsets, number)
    assert distinct(access, ((0, 1, 1),)) == number


def test_lanes_that_read_halves_of_their_coordinates_are_computed_in_two_vectors():
    x, y = hl.vars("x y")
    source, f = hl.ImageParam(hl.Float(32), 2, "source"), hl.Func("f")
    f[x, y] = source[x // 2, y] + source[(x + 1) // 2, y]
    narrow, wide = (rows(f, FuncPlacement(ROOT, nests=(nest((lanes, 1), lanes=lanes),)))[0][0] for lanes in (16, 32))
    assert narrow.cycles_add == 2 * wide.cycles_add
    # Of x / 2 and (x + 1) / 2 for even and for odd x, two are the same.
    assert narrow.loads_dense == WIDTH * HEIGHT / 16 * 3
    assert narrow.loads_strided == narrow.loads_gathered == 0


@pytest.mark.parametrize(("other", "windows"), [(1, 1), (3, 2)])
def test_elements_of_a_pair_are_picked_out_of_one_window_of_memory(other, windows):
    x, y = hl.vars("x y")
    source, f, alone = hl.ImageParam(hl.Float(32), 2, "source"), hl.Func("f"), hl.Func("alone")
    alone[x, y] = source[2 * x, y]
    f[x, y] = source[2 * x, y] + source[2 * x + other, y]
    one, both = (rows(g, FuncPlacement(ROOT, nests=(nest((16, 1), lanes=16),)))[0][0] for g in (alone, f))
    assert both.loads_dense == windows * one.loads_dense
    assert both.loads_strided == 0


def test_a_sum_stays_in_registers_while_its_innermost_loop_runs():
    x, y = hl.vars("x y")
    left, right = hl.ImageParam(hl.Float(32), 2, "left"), hl.ImageParam(hl.Float(32), 2, "right")
    product, r = hl.Func("product"), hl.RDom([(0, 32)], "r")
    product[x, y] = 0.0
    product[x, y] += left[r.x, y] * right[x, r.x]
    dag = dag_of(product)
    name = next(iter(dag.funcs))
    pure = nest((16, 1))
    results = []
    for order, tiles in (((2, 0, 1), ((16, 4, 1),)), ((0, 1, 2), ((FULL, FULL, 1), (16, 4, 1)))):
        update = Nest(tiles, order, 0, 16)
        result = CpuEvaluator(dag, Roofline()).rows(State({name: FuncPlacement(ROOT, nests=(pure, update))}))
        results.append(result[name, 1])
    inside, outside = results
    blocks = WIDTH * HEIGHT // 64
    assert inside.stores_dense == blocks * 4
    assert outside.stores_dense == blocks * 4 * 32
    # In each iteration one vector of the right side and four elements of the left.
    assert inside.loads_dense == blocks * (32 + 4)
    assert inside.loads_broadcast == blocks * 32 * 4
    assert inside.chain_cycles == blocks * 32 * MachineModel().latency > 30 * outside.chain_cycles


@pytest.mark.parametrize(("channels", "copies"), [(4, 2 * 4), (40, 1)])
def test_nests_of_short_loops_are_written_out_as_a_whole_or_not_at_all(channels, copies):
    x, y, c = hl.vars("x y c")
    source = hl.Buffer(np.ones((channels, 480, 640), np.float32), "source")
    total, r = hl.Func("total"), hl.RDom([(0, channels)], "r")
    total[x, y] = 0.0
    total[x, y] += source[x, y, r]
    dag = dag_of(total, (640, 480))
    (name,) = dag.funcs
    update = Nest(((FULL, 2, FULL), (16, 1, 1)), (1, 2, 0), 0, 16)
    placement = FuncPlacement(ROOT, nests=(nest((16, 1)), update))
    row = CpuEvaluator(dag, Roofline()).rows(State({name: placement}))[name, 1]
    assert row.block_points == 16 * copies


def test_traffic_is_compulsory_when_everything_fits_and_grows_when_it_does_not():
    x, y = hl.vars("x y")
    source, f = hl.ImageParam(hl.Float(32), 2, "source"), hl.Func("f")
    f[x, y] = source[y, x]
    dag = dag_of(f, (2000, 2000))
    evaluator, name = CpuEvaluator(dag, Roofline(replace(MachineModel(), l3=8e6))), next(iter(dag.funcs))

    def row(*tiles, order):
        return evaluator.rows(State({name: FuncPlacement(ROOT, nests=(nest(*tiles, order=order),))}))[name, 0]

    size = 4 * 2000 * 2000
    tiled = row((64, 64), (16, 1), order=(0, 1))
    plain = row((16, 1), order=(0, 1))
    assert tiled.bytes_dram == plain.bytes_dram == pytest.approx(3 * size, rel=0.1)
    # Along rows of the output every element of the input lies in another line.
    assert plain.bytes_l2 > 3 * tiled.bytes_l2


def test_narrow_tiles_touch_memory_in_more_stretches():
    x, y = hl.vars("x y")
    source, f = hl.ImageParam(hl.Float(32), 2, "source"), hl.Func("f")
    f[x, y] = source[x, y] + 1
    dag = dag_of(f, (4096, 4096))
    name, evaluator = next(iter(dag.funcs)), CpuEvaluator(dag, Roofline())

    def stretches(width):
        state = State({name: FuncPlacement(ROOT, nests=(nest((width, 64), (16, 1)),))})
        return evaluator.rows(state)[name, 0].stretches

    assert stretches(64) > 4 * stretches(512) > 4 * stretches(FULL) > 0


def test_lines_at_places_that_data_decide_are_fetched_one_by_one():
    x, y = hl.vars("x y")
    source, places, f = hl.ImageParam(hl.Float(32), 2, "source"), hl.ImageParam(hl.UInt(16), 2, "places"), hl.Func("f")
    f[x, y] = source[hl.clamp(hl.i32(places[x, y]), 0, 8191), hl.clamp(y * 2 - hl.i32(places[x, y]), 0, 8191)]
    dag = dag_of(f, (4096, 4096))
    name = next(iter(dag.funcs))
    state = State({name: FuncPlacement(ROOT, nests=(nest((FULL, 64), (16, 1)),))})
    row = CpuEvaluator(dag, Roofline()).rows(state)[name, 0]
    assert row.lines_read_l3 > 4096 * 4096 / 8, "elements that are in no other's line, mostly"
    assert row.stretches < row.lines_read_l3 / 100, "rows of the output and of the places"


def test_nine_channels_may_be_unrolled():
    x, y, c = hl.vars("x y c")
    f = hl.Func("f")
    f[x, y, c] = hl.mux(c, [hl.f32(x * (k + 1)) for k in range(9)])
    dag = dag_of(f, (64, 64, 9))
    ((_, info),) = dag.funcs.items()
    loops = Nest(((16, 1, 1),), (0, 1, 2), 0, 16, (1,))
    assert (16, 1, FULL) in [changed.tiles[-1] for changed, _ in small_dims(info.stages[0], loops)]


def test_many_rows_side_by_side_are_no_streams_unless_pages_hold_several():
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.Float(32), 2, "source")

    def stretches(width, rows):
        f = hl.Func("f")
        f[x, y] = source[x, y] + 1
        name = next(iter((dag := dag_of(f, (width, 2**24 // width))).funcs))
        state = State({name: FuncPlacement(ROOT, nests=(nest((FULL, rows), (16, rows)),))})
        return CpuEvaluator(dag, Roofline()).rows(state)[name, 0].stretches

    assert stretches(4096, 64) > 50 * stretches(4096, 4)
    assert stretches(64, 64) < 2 * stretches(64, 16)


def test_rows_end_where_blocks_have_several_and_many_streams_are_fetched_late():
    x, y, z = hl.vars("x y z")
    source = hl.ImageParam(hl.Float(32), 3, "source")

    def stretches(*block):
        f = hl.Func("f")
        f[x, y, z] = source[x, y, z] + 1
        name = next(iter((dag := dag_of(f, (1024, 64, 256))).funcs))
        state = State({name: FuncPlacement(ROOT, nests=(nest((FULL, FULL, 64), block),))})
        return CpuEvaluator(dag, Roofline()).rows(state)[name, 0].stretches

    rows, size = 64 * 256, 4 * 1024 * 64 * 256  # what is read: stores go past the caches
    assert stretches(16, 1, 1) < rows / 8, "rows go on with the next ones"
    assert stretches(16, 2, 1) == pytest.approx(rows, rel=1e-3), "each row that is read begins anew"
    assert stretches(16, 1, 4) < rows / 8, "rows of planes go on with the next ones"
    assert stretches(16, 1, 16) == pytest.approx(size / 256, rel=1e-3)
    assert stretches(16, 1, 16) > 2 * stretches(16, 1, 8) > 2 * rows


def test_costs_of_single_states_are_those_of_many_and_the_sums_over_stages():
    dag = dag_of(blur()[-1])
    rng, states = random.Random(0), [fallback(dag)]
    for _ in range(30):
        states.append(CpuSpace(dag).mutated(states[-1], rng))
    evaluator = CpuEvaluator(dag, Roofline())
    together = evaluator.costs(states)
    for state, cost in zip(states, together, strict=True):
        alone = CpuEvaluator(dag, Roofline())
        assert alone.cost(state) == pytest.approx(cost)
        stages, batch = alone.per_stage(state), alone.batch([state])
        # States with long code count as more expensive than they are.
        assert (alone.model.predict(batch) * patience(batch)).sum() == pytest.approx(cost)
        parts = alone.per_term(state).values()
        assert sum(sum(terms.values()) for terms in parts) == pytest.approx(sum(stages.values()))
        assert (batch.features >= 0).all() and np.isfinite(batch.features).all()
    before = evaluator.groups_evaluated
    assert evaluator.costs(states) == together
    assert evaluator.groups_evaluated == before


def test_a_block_without_loops_around_it_counts_its_loads_as_code():
    name = (funcs := blur())[-1].name()
    inside = FuncPlacement(AT, NestLevel(name, 0, 0), None, SIMPLE)
    (_, producer), _, _ = rows(funcs[-1], FuncPlacement(ROOT, nests=SIMPLE), inside)
    assert producer.blocks == WIDTH * HEIGHT // 16
    assert producer.code >= (producer.loads_dense + producer.stores_dense) / producer.blocks


def test_loads_of_single_values_take_their_own_time_and_not_that_of_vectors():
    x = hl.Var("x")
    f = hl.Func("f")
    f[x] = hl.Buffer(np.zeros(64, np.float32), "source")[x] + 1.0
    dag = dag_of(f, (64,))
    machines = [MachineModel(load_scalar=cycles) for cycles in (4.0, 0.25)]
    for lanes in (1, 16):
        loops = nest((FULL,), order=(0,), vector=0 if lanes > 1 else None, lanes=lanes)
        state = State({f.name(): FuncPlacement(ROOT, nests=(loops,))})
        slow, fast = (
            CpuEvaluator(dag, Roofline(machine)).per_term(state)[f.name(), 0]["loads"] for machine in machines
        )
        assert (slow > fast) == (lanes == 1), lanes


def test_what_is_read_where_pixels_say_is_gathered_in_every_block():
    x, y = hl.vars("x y")
    places, image = hl.ImageParam(hl.Int(32), 2, "places"), hl.ImageParam(hl.Float(32), 2, "image")
    warped = hl.Func("warped")
    warped[x, y] = image[x + hl.clamp(places[x, y], 0, 9), y]
    (row,), _, _ = rows(warped, FuncPlacement(ROOT, nests=(nest((16, 1)),)))
    assert row.loads_gathered == WIDTH * HEIGHT
    assert row.loads_dense == WIDTH * HEIGHT // 16


@pytest.mark.parametrize("kind, rate", [(hl.Float(32), "gather"), (hl.UInt(8), "insert")])
def test_clamped_coordinates_that_pixels_decide_are_gathered(kind, rate):
    x, y = hl.vars("x y")
    places, image = hl.ImageParam(hl.UInt(8), 2, "places"), hl.ImageParam(kind, 2, "image")
    moved = hl.Func("moved")
    moved[x, y] = image[hl.clamp(x + hl.i32(places[x, y]) % 4, 0, WIDTH - 1), y]
    (row,), _, _ = rows(moved, FuncPlacement(ROOT, nests=(nest((16, 1)),)))
    cycles = row.loads_gathered * MachineModel().gather
    assert cycles == pytest.approx(getattr(MachineModel(), rate) * WIDTH * HEIGHT)


def test_coordinates_that_are_clamped_alone_are_dense():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    mirrored = hl.BoundaryConditions.mirror_image(image, [(0, WIDTH), (0, HEIGHT)])
    sums = hl.Func("sums")
    sums[x, y] = mirrored[x - 1, y] + image[hl.clamp(x + 1, 0, WIDTH - 1), y]
    (row, _), _, _ = rows(sums, FuncPlacement(ROOT, nests=(nest((16, 1)),)), INLINED)
    assert row.loads_gathered == 0


def test_scans_compute_the_whole_line_wherever_they_are_computed():
    x, y = hl.vars("x y")
    r = hl.RDom([(1, HEIGHT - 1)])
    summed, out = hl.funcs("summed out")
    summed[x, y] = hl.f32(x + y)
    summed[x, r] += summed[x, r - 1]
    out[x, y] = summed[x, y]
    scan = nest((0, 0, 1), (16, 1, 1), order=(0, 1, 2))
    inside = FuncPlacement(AT, NestLevel(out.name(), 0, 0), None, (nest((16, 1)), scan))
    (_, start), _, _ = rows(out, FuncPlacement(ROOT, nests=(nest((0, 8), (16, 1)),)), inside)
    assert start.points == start.points_least * (HEIGHT // 8)


@pytest.mark.parametrize("chosen", [False, True])
def test_rows_that_are_crossed_in_squares_are_scattered_where_parity_chooses(chosen):
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(16), 2, "image")
    turned, out = hl.funcs("turned out")
    turned[x, y] = hl.select(x % 2 == 0, image[x, y] * 3, image[x, y + 1]) if chosen else image[x, y] * 3
    out[x, y] = turned[x, y]
    square = FuncPlacement(ROOT, nests=(nest((16, 16)),), storage=(1, 0))
    (_, row), _, _ = rows(out, FuncPlacement(ROOT, nests=(nest((16, 1)),)), square)
    assert (row.stores_scattered > 0) == chosen


@pytest.mark.parametrize(
    ("tiles", "parallel", "storage", "share"),
    [
        (((FULL, 8), (16, 1)), (1,), (), 0),  # rows: neighbours meet at their ends only
        (((16, FULL), (16, 1)), (0,), (), 0),  # columns of whole lines
        (((8, FULL), (8, 1)), (0,), (), 1),
        (((8, FULL), (8, 1)), (), (), 0),
        (((FULL, 4), (16, 1)), (1,), (1, 0), 1),
        (((FULL, 16), (16, 1)), (1,), (1, 0), 1),  # as long as a line, but they begin anywhere
    ],
)
def test_stores_to_lines_that_other_threads_write_are_counted(tiles, parallel, storage, share):
    funcs = blur()
    built = nest(*tiles, lanes=8 if 8 in tiles[-1] else 16, parallel=parallel)
    root = FuncPlacement(ROOT, nests=(built,), storage=storage)
    (_, result), _, _ = rows(funcs[1], FuncPlacement(ROOT, nests=SIMPLE), root)
    assert result.contested == share * (result.stores_dense + result.stores_scattered)


@pytest.mark.parametrize(
    ("tiles", "order", "multiplications"),
    [
        (((16, 1, 4),), (0, 1, 2), 1),  # copies of channels share what is the same in all of them
        (((16, 1, 1),), (0, 1, 2), 4),
        (((16, 1, 1),), (2, 0, 1), 1),  # and so do the iterations of their loop, if that is the innermost
    ],
)
@pytest.mark.parametrize("inlined", [False, True])
def test_what_does_not_depend_on_a_loop_is_computed_once_for_all_of_it(tiles, order, multiplications, inlined):
    x, y, c = hl.vars("x y c")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    f, g = hl.funcs("f g")
    f[x, y, c] = source[x, y] * source[x, y] + source[x + c, y]
    if inlined:
        g[x, y, c] = f[x, y, c]
    dag = dag_of(g if inlined else f, (64, 48, 4))
    root = FuncPlacement(ROOT, nests=(nest(*tiles, order=order),))
    result = CpuEvaluator(dag, Roofline()).rows(State(dict(zip(dag.funcs, (root, INLINED), strict=False))))
    (row,) = result.values()
    cost = MachineModel().operations[Operation.MULTIPLY][TYPE_CLASSES.index("float32")]
    assert row.cycles_multiply == multiplications * cost * (64 // 16) * 48


@pytest.mark.parametrize("inside_and_outside", [False, True])
def test_rings_are_where_lowering_folds_storage(inside_and_outside, tmp_path):
    x, y = hl.vars("x y")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    source.set(hl.Buffer(np.zeros((HEIGHT, WIDTH), np.float32)))
    base, stencil = hl.funcs("base stencil")
    base[x, y] = source[x, y] * 2
    padded = hl.BoundaryConditions.repeat_edge(base, [(0, WIDTH), (0, HEIGHT)])
    stencil[x, y] = padded[x, y - 1] + padded[x, y + 1] + (base if inside_and_outside else padded)[x, y]
    dag = dag_of(stencil)
    base_name, stencil_name = base.name(), stencil.name()
    placements = {name: INLINED for name in dag.funcs}
    placements[stencil_name] = FuncPlacement(ROOT, nests=(nest((FULL, HEIGHT), (16, 1)),))
    level, store = NestLevel(stencil_name, 0, 1), NestLevel(stencil_name, 0, 0)
    placements[base_name] = FuncPlacement(Where.AT, level, store, (nest((16, 1)),))
    state = State({name: placements[name] for name in dag.funcs})
    assert not CpuSpace(dag).problems(state)
    row = CpuEvaluator(dag, Roofline()).rows(state)[base_name, 0]
    apply(emit(dag, state), [stencil.function])
    stencil.compile_to_lowered_stmt(str(tmp_path / "stmt"), [source], hl.StmtOutputFormat.Text)
    (allocation,) = [line for line in (tmp_path / "stmt").read_text().splitlines() if "allocate" in line]
    assert (row.bytes_at_realization > 4 * 4 * WIDTH) == ("y.base" in allocation) == inside_and_outside


@pytest.mark.parametrize("vector, share", [(0, 2 / (WIDTH / 16)), (1, 0.0)])
def test_vectors_that_reach_beyond_the_edge_take_longer(vector, share):
    x, y = hl.vars("x y")
    image, taps = hl.ImageParam(hl.Float(32), 2, "image"), hl.Func("taps")
    image.set(hl.Buffer(np.zeros((HEIGHT, WIDTH), np.float32)))
    padded = hl.BoundaryConditions.repeat_edge(image)
    taps[x, y] = padded[x - 1, y] + padded[x + 1, y]
    dag = dag_of(taps)
    tile = (16, 1) if vector == 0 else (1, 16)
    placements = dict.fromkeys(dag.funcs, INLINED)
    placements[taps.name()] = FuncPlacement(ROOT, nests=(nest(tile, vector=vector, order=(vector, 1 - vector)),))
    row = CpuEvaluator(dag, Roofline()).rows(State(placements))[taps.name(), 0]
    assert row.cycles_cast == pytest.approx(MachineModel().edge * share * row.loads_dense)


@pytest.mark.parametrize(
    ("height", "share"), [(8, 0.0), (9, 2 * (9 * -(-HEIGHT // 9) - HEIGHT) / (9 * -(-HEIGHT // 9)))]
)
def test_stores_that_the_last_task_repeats_are_contested(height, share):
    x, y = hl.vars("x y")
    source, f = hl.ImageParam(hl.Float(32), 2, "source"), hl.Func("f")
    f[x, y] = source[x, y] + 1
    name = next(iter((dag := dag_of(f, (WIDTH, HEIGHT))).funcs))
    state = State({name: FuncPlacement(ROOT, nests=(nest((FULL, height), (16, 1), parallel=(1,)),))})
    row = CpuEvaluator(dag, Roofline()).rows(state)[name, 0]
    assert row.contested == pytest.approx(share * row.stores_dense)


def multiplications(choice, load, *tiles):
    """Cycles of multiplications of a stage that multiplies where `choice` of x and y holds, in blocks of a nest."""
    x, y = hl.vars("x y")
    source = hl.Buffer(np.ones((HEIGHT, WIDTH), dtype=np.float32), "source")
    output = hl.Func("output")
    value = source[load(x), y]
    output[x, y] = hl.select(choice(x, y), value * value, value + 1.0)
    (row,), *_ = rows(output, FuncPlacement(Where.ROOT, nests=(nest(*tiles, lanes=32),)))
    return row.cycles_multiply


def test_lanes_of_dense_vectors_compute_all_that_they_choose_from():
    whole = multiplications(lambda x, y: is_odd(x), lambda x: x, (32, 1))
    assert multiplications(lambda x, y: is_odd(x), lambda x: x, (32, 2)) == whole
    assert multiplications(lambda x, y: is_odd(y), lambda x: x, (32, 2)) == whole / 2
    assert multiplications(lambda x, y: is_odd(x + y), lambda x: x, (32, 2)) == whole


def test_lanes_in_vectors_by_their_phases_compute_what_they_choose():
    whole = multiplications(lambda x, y: is_odd(x), lambda x: x, (32, 1))
    assert multiplications(lambda x, y: is_odd(x), lambda x: x // 2, (32, 1)) == whole / 2


def is_odd(place):
    return place % 2 == 1


@pytest.mark.parametrize(("channels", "shuffled"), [(3, True), (4, True), (8, False)])
def test_pixels_of_earlier_funcs_are_shuffled_where_their_channels_lie_side_by_side(channels, shuffled):
    c, x, y = hl.vars("c x y")
    image = hl.ImageParam(hl.UInt(8), 3, "image")
    before, last = hl.funcs("before last")
    before[c, x, y] = image[c, x, y] / 2
    last[c, x, y] = before[c, x, y] + before[c, x, y + 1]
    pixels = Nest(((FULL, FULL, 4), (FULL, 32, 1)), (0, 1, 2), 1, 32, (2,))
    dag = problem_of([last.function], sizes=[channels, 512, 64], threads=1).dag
    state = State({name: FuncPlacement(ROOT, nests=(pixels,)) for name in dag.funcs})
    counts = CpuEvaluator(dag, Roofline(MachineModel())).rows(state)
    assert (counts[before.name(), 0].stores_scattered == 0) == shuffled
    assert (counts[last.name(), 0].loads_gathered == 0) == shuffled
    # Their strides are numbers in code, also where channels are a loop.
    single = Nest(((FULL, FULL, 4), (1, 32, 1)), (1, 0, 2), 1, 32, (2,))
    state = State({name: FuncPlacement(ROOT, nests=(single,)) for name in dag.funcs})
    assert ("expect_bounds(c, 0," in emit(dag, state).to_python()) == shuffled


def test_operations_on_what_is_updated_wait_for_it():
    """A Newton step divides by what the step before gave; a sum of quotients does not wait for its divisions."""
    x = hl.Var("x")
    r = hl.RDom([(0, 40)], "r")

    def row(step):
        source, f = hl.ImageParam(hl.Float(32), 1, "source"), hl.Func("f")
        f[x] = 1.0
        f[x] = step(f[x], source[x], hl.f32(r.x))
        name = next(iter((dag := dag_of(f, (4096,))).funcs))
        init, update = nest((16,), order=(0,)), nest((16, FULL), (16, 1), order=(1, 0))
        evaluator = CpuEvaluator(dag, Roofline())
        return evaluator.rows(State({name: FuncPlacement(ROOT, nests=(init, update))}))[name, 1]

    newton = row(lambda f, a, k: (f + a / f) * 0.5 + k)
    summed = row(lambda f, a, k: f + a / (k + 1))
    assert newton.chain_cycles > 3 * summed.chain_cycles > 0
