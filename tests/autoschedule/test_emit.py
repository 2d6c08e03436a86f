"""States become the directives that they promise, and the pixels stay what they were."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.dag.build_dag import Sizes, build_dag
from pipec.autoschedule.dag.dag import Access, Dag, FuncInfo, ImageInfo, LoopInfo, StageInfo
from pipec.autoschedule.emit.emit import apply, emit
from pipec.autoschedule.emit.tails import reaching_out
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.cpu.legality import problems
from pipec.autoschedule.space.state import FULL, ROOT_STORE, FuncPlacement, Nest, NestLevel, State, Where
from pipec.errors import ScheduleError
from pipec.func.functions.freeze import freeze

WIDTH, HEIGHT = 70, 41


def blur():
    x, y = hl.vars("x y")
    image = np.arange((WIDTH + 2) * (HEIGHT + 2), dtype=np.uint16).reshape(HEIGHT + 2, WIDTH + 2) % 251
    source = hl.Buffer(image, "source")
    bx, by = hl.funcs("bx by")
    bx[x, y] = source[x, y] + source[x + 1, y] + source[x + 2, y]
    by[x, y] = bx[x, y] + bx[x, y + 1] + bx[x, y + 2]
    rows = image[:, :-2] + image[:, 1:-1] + image[:, 2:]
    return by, rows[:-2] + rows[1:-1] + rows[2:]


def _stage(name, number, loops, loads, store=None):
    unit = tuple(tuple(float(i == j) for j in range(len(loops))) for i in range(2))
    zero = (0,) * len(unit)
    store = Access(name, unit if store is None else store, zero, zero, (zero,), 1)
    result = tuple(Access(load, unit, zero, zero, (zero,), 1) for load in loads)
    return StageInfo(name, number, loops, (), result, (), store)


def _dag(output):
    loops = (LoopInfo("x", WIDTH), LoopInfo("y", HEIGHT))
    names = output.name(), next(iter(output.function.callees)).name
    funcs = {
        name: FuncInfo(
            name, ("x", "y"), output.function.types, (0, 0), (WIDTH, HEIGHT), (_stage(name, 0, loops, [load]),), k == 0
        )
        for k, (name, load) in enumerate(zip(names, (names[1], "source"), strict=True))
    }
    images = {"source": ImageInfo("source", (0, 0), (WIDTH + 2, HEIGHT + 2), 2)}
    return Dag(funcs, images, (names[0],), 2), names


def _state(names, output, producer):
    return State({names[0]: output, names[1]: producer})


ROOT = Where.ROOT


def nest(*tiles, order=(0, 1), vector=0, lanes=16, parallel=()):
    return Nest(tiles, order, vector, lanes, parallel)


SIMPLE = nest((16, 1))
STRIPS = nest((FULL, 8), (16, 1), parallel=(1,))
CASES = {
    "root": (FuncPlacement(ROOT, nests=(SIMPLE,)), FuncPlacement(ROOT, nests=(SIMPLE,))),
    "inline": (FuncPlacement(ROOT, nests=(STRIPS,)), FuncPlacement(Where.INLINE)),
    "tile": (
        FuncPlacement(ROOT, nests=(nest((32, 16), (16, 4), parallel=(1, 0)),)),
        lambda name: FuncPlacement(Where.AT, NestLevel(name, 0, 0), nests=(nest((32, 2)),)),
    ),
    "sliding": (
        FuncPlacement(ROOT, nests=(nest((FULL, 8), (FULL, 2), (16, 2), parallel=(1,)),)),
        lambda name: FuncPlacement(
            Where.AT, NestLevel(name, 0, 1), NestLevel(name, 0, 0), nests=(SIMPLE,), storage=(0, 1)
        ),
    ),
    "sliding over the whole": (
        FuncPlacement(ROOT, nests=(nest((FULL, 1), (16, 1)),)),
        lambda name: FuncPlacement(Where.AT, NestLevel(name, 0, 0), ROOT_STORE, nests=(SIMPLE,)),
    ),
    "transposed": (
        FuncPlacement(ROOT, nests=(nest((16, 16), order=(1, 0)),)),
        FuncPlacement(ROOT, nests=(nest((4, 8), vector=1, lanes=8, order=(1, 0)),), storage=(1, 0)),
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.part(3)
def test_states_keep_the_pixels(case):
    output, expected = blur()
    dag, names = _dag(output)
    first, second = (make(names[0]) if callable(make) else make for make in CASES[case])
    apply(emit(dag, _state(names, first, second)), [output.function])
    for width, height in ((WIDTH, HEIGHT), (1, 1), (17, 3)):
        np.testing.assert_array_equal(output.realize([width, height]).numpy(), expected[:height, :width])


def test_strips_with_a_sliding_window_read_as_one_would_write_them():
    output, _ = blur()
    dag, names = _dag(output)
    first, second = (make(names[0]) if callable(make) else make for make in CASES["sliding"])
    text = emit(dag, _state(names, first, second)).to_python()
    first, second = (name.replace("$", "_") for name in names)
    assert text.splitlines()[1:] == [
        f"{first}.split(y, y, yi, 8).split(yi, yi, yii, 2).reorder(yii, x, yi, y).vectorize(x, 16).unroll(yii)"
        ".parallel(y)",
        f"{second}.store_at({first}, y).compute_at({first}, yi).vectorize(x, 16)",
    ]


def test_a_schedule_that_is_refused_leaves_the_funcs_as_they_were():
    output, _ = blur()
    dag, names = _dag(output)
    schedule = emit(dag, _state(names, *CASES["root"]))
    apply(schedule, [output.function])
    facts = output.function.schedule
    with pytest.raises(ScheduleError):
        apply(schedule, [output.function])
    assert output.function.schedule == facts


def test_the_region_of_a_tile_of_an_output_is_written_out():
    """Sums of a tile stay in registers when no loop over the tile is left inside that of the reduction."""
    x, y = hl.vars("x y")
    left, right = hl.ImageParam(hl.Float(32), 2, "left"), hl.ImageParam(hl.Float(32), 2, "right")
    total, output = hl.funcs("total output")
    k = hl.RDom([(0, left.width())], "k")
    total[x, y] += left[k.x, y] * right[x, k.x]
    output[x, y] = total[x, y]
    definition, _ = freeze([output.function])
    images = {"left": ((0, 64), (0, 48)), "right": ((0, 96), (0, 64))}
    dag = build_dag(definition, Sizes({output.name(): ((0, 96), (0, 48))}, images), threads=2)
    tile, sums = Nest(((32, 4), (16, 1)), (0, 1), 0, 16), Nest(((FULL, FULL),), (0, 1), 0, 16)
    added = Nest(((FULL, FULL, 1),), (0, 1, 2), 0, 16)
    inside = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 0), nests=(sums, added))
    state = State({output.name(): FuncPlacement(ROOT, nests=(tile,)), total.name(): inside})
    update = emit(dag, state).to_python().partition(".update(0)")[2]
    assert ".unroll(x)" in update
    assert ".unroll(y)" in update
    assert "GuardWithIf" not in update


def filtered_by(weight):
    """A pipeline of sums of a clamped image times `weight(weights, x, n, r)`, and the name of the Func of the sums."""
    x, y, n = hl.vars("x y n")
    image, weights = hl.ImageParam(hl.Float(32), 2, "image"), hl.ImageParam(hl.Float(32), 2, "weights")
    near = hl.BoundaryConditions.repeat_edge(image)
    filtered, output = hl.funcs("filtered output")
    r = hl.RDom([(0, 5)], "r")
    filtered[x, y, n] += weight(weights, x, n, r.x) * near[x + r.x, y]
    output[x, y, n] = filtered[2 * x, y, n]
    return problem_of([output.function], sizes=[60, 40, 8], threads=2), filtered.name()


def test_points_beyond_a_block_ask_no_more_of_weights_that_only_rvars_choose():
    problem, filtered = filtered_by(lambda weights, x, n, r: weights[r, 0])
    assert reaching_out(problem.dag, problem.trivial())[filtered, 1] == set()
    assert "GuardWithIf" not in emit(problem.dag, problem.trivial()).to_python()


@pytest.mark.parametrize(
    ("weight", "dims"),
    [
        pytest.param(lambda weights, x, n, r: weights[r, n], {2}, id="by channel"),
        pytest.param(lambda weights, x, n, r: weights[x, r], {0}, id="by column"),
        pytest.param(lambda weights, x, n, r: weights[x + r, n], {0, 2}, id="by both"),
    ],
)
def test_points_beyond_a_block_ask_more_along_the_dimensions_that_choose_weights(weight, dims):
    problem, filtered = filtered_by(weight)
    assert reaching_out(problem.dag, problem.trivial())[filtered, 1] == dims


def test_points_beyond_a_block_ask_more_through_inlined_funcs():
    x, y = hl.vars("x y")
    image, scaled, sums, output = hl.ImageParam(hl.Float(32), 2, "image"), *hl.funcs("scaled sums output")
    scaled[x, y] = image[y, x] * 2
    sums[x, y] = scaled[x, 0] + y
    output[x, y] = sums[x, y] + sums[x + 1, y]
    problem = problem_of([output.function], sizes=[60, 40], threads=2)
    inlined = problem.trivial().placing_all({scaled.name(): FuncPlacement(Where.INLINE)})
    assert reaching_out(problem.dag, inlined)[sums.name(), 0] == {0}


def test_points_beyond_a_block_ask_more_through_funcs_computed_in_its_loops_only():
    x, y = hl.vars("x y")
    image, doubled, rows, output = hl.ImageParam(hl.Float(32), 2, "image"), *hl.funcs("doubled rows output")
    doubled[x, y] = image[x, 0] * 2
    rows[x, y] = doubled[x, y] + doubled[x + 1, y]
    output[x, y] = rows[x, y] + rows[x, y + 1]
    problem = problem_of([output.function], sizes=[60, 40], threads=2)
    trivial, inside = problem.trivial(), NestLevel(rows.name(), 0, 0)
    nests = (Nest(((FULL, 1),), (0, 1), 0, 8),)
    fused = trivial.placing_all({doubled.name(): FuncPlacement(Where.AT, inside, None, nests)})
    assert reaching_out(problem.dag, trivial)[rows.name(), 0] == set()
    assert reaching_out(problem.dag, fused)[rows.name(), 0] == {0}


def test_what_is_read_where_values_say_has_no_constant_region():
    x, y, k = hl.vars("x y k")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    row, near, output = hl.funcs("row near output")
    row[k, x] = image[k, x] * 2
    near[k, x, y] = row[k + hl.cast(hl.Int(32), hl.clamp(image[x, y] * 20, 0.0, 20.0)), x]
    output[x, y] = near[0, x, y] + near[1, x, y]
    dag = problem_of([output.function], sizes=[64, 64], threads=2).dag
    block = Nest(((FULL, 16), (8, 1)), (0, 1), 0, 8)
    inside = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 1), None, (Nest(((FULL, FULL),), (0, 1), 0, 8),))
    inline = FuncPlacement(Where.INLINE)
    state = State({output.name(): FuncPlacement(ROOT, nests=(block,)), near.name(): inline, row.name(): inside})
    schedule = emit(dag, state)
    assert ".unroll(k)" not in schedule.to_python()
    apply(schedule, [output.function])
    hl.Pipeline(output).compile_jit()


def test_a_scan_computes_all_it_runs_along_wherever_the_tile_is():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    r = hl.RDom([(1, 15)], "r")
    scan, output = hl.funcs("scan output")
    scan[x, y] = image[x, y]
    scan[x, r] = scan[x, r] + scan[x, r - 1]
    output[x, y] = scan[x, y] + scan[x, y + 1]
    dag = problem_of([output.function], sizes=[64, 16], threads=2).dag
    block = Nest(((FULL, 8), (8, 1)), (0, 1), 0, 8)
    whole = (Nest(((FULL, FULL),), (0, 1), 0, 8), Nest(((FULL, FULL, 1),), (0, 1, 2), 0, 8))
    inside = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 0), None, whole)
    schedule = emit(dag, State({output.name(): FuncPlacement(ROOT, nests=(block,)), scan.name(): inside}))
    assert ".unroll(y)" not in schedule.to_python()
    apply(schedule, [output.function])
    hl.Pipeline(output).compile_jit()


def compiled(dag: Dag, state: State, output: hl.Func) -> str:
    """The schedule of a state, with which the output has been compiled."""
    schedule = emit(dag, state)
    apply(schedule, [output.function])
    hl.Pipeline(output).compile_jit()
    return schedule.to_python()


def test_the_first_place_of_a_window_needs_more_than_the_others():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    source, window, output = hl.funcs("source window output")
    source[x, y] = image[x, y] * 2
    window[x, y] = source[x, y] + source[x + 1, y]
    output[x, y] = window[x, y] + window[x + 1, y] + window[x + 2, y]
    dag = problem_of([output.function], sizes=[64, 64], threads=2).dag
    rows = Nest(((FULL, 8), (8, 1)), (0, 1), 0, 8)
    whole = (Nest(((FULL, FULL),), (0, 1), 0, 8),)
    sliding = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 1), NestLevel(output.name(), 0, 0), whole)
    inside = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 1), None, whole)
    state = State({output.name(): FuncPlacement(ROOT, nests=(rows,)), window.name(): sliding, source.name(): inside})
    assert ".unroll(x)" not in compiled(dag, state, output)


def test_a_window_of_a_small_output_has_no_constant_extent_either():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    window, half, output = hl.funcs("window half output")
    window[x, y] = image[x, y] * 2
    half[x, y] = window[2 * x, y] + window[2 * x + 1, y] + window[2 * x + 2, y]
    output[x, y] = half[x, y]
    dag = problem_of([output.function], sizes=[48, 16], threads=2).dag
    rows = Nest(((FULL, 8), (8, 1)), (0, 1), 0, 8)
    blocks = (Nest(((FULL, 4), (8, 1)), (0, 1), 0, 8),)
    whole = (Nest(((FULL, FULL),), (0, 1), 0, 8),)
    sliding = FuncPlacement(Where.AT, NestLevel(half.name(), 0, 1), NestLevel(half.name(), 0, 0), whole)
    placed = {
        output.name(): FuncPlacement(ROOT, nests=(rows,)),
        half.name(): FuncPlacement(ROOT, nests=blocks),
        window.name(): sliding,
    }
    assert ".unroll(x)" not in compiled(dag, State(placed), output)


def test_what_a_window_of_a_small_output_reads_has_no_constant_extent():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    source, window, output = hl.funcs("source window output")
    source[x, y] = image[x, y] * 2
    window[x, y] = source[x, 3 * y] + source[x, 3 * y + 1]
    output[x, y] = window[x, hl.clamp(y, 0, 63)] + window[x, hl.clamp(y + 2, 0, 63)]
    dag = problem_of([output.function], sizes=[64, 64], threads=2).dag
    rows = Nest(((FULL, 8), (FULL, 2), (8, 2)), (0, 1), 0, 8)
    down = (Nest(((1, 32),), (1, 0), 1, 32),)
    whole = (Nest(((8, FULL),), (1, 0), 0, 8),)
    sliding = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 2), NestLevel(output.name(), 0, 0), down)
    beside = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 2), None, whole)
    state = State({output.name(): FuncPlacement(ROOT, nests=(rows,)), window.name(): sliding, source.name(): beside})
    assert ".unroll(y)" not in compiled(dag, state, output)


def test_channels_of_a_window_that_slides_down_are_copies():
    x, y, c = hl.vars("x y c")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    window, output = hl.funcs("window output")
    window[x, y, c] = hl.mux(c, [image[x, y], image[x + 1, y], image[x, y + 1]])
    output[x, y, c] = window[x, y, c] + window[x, y + 1, c]
    dag = problem_of([output.function], sizes=[64, 64, 3], threads=2).dag
    rows = Nest(((FULL, 8, FULL), (FULL, 1, FULL), (8, 1, FULL)), (2, 0, 1), 0, 8, (1,))
    block = (Nest(((8, 1, FULL),), (2, 0, 1), 0, 8),)
    sliding = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 1), NestLevel(output.name(), 0, 0), block)
    schedule = emit(dag, State({output.name(): FuncPlacement(ROOT, nests=(rows,)), window.name(): sliding}))
    assert schedule.to_python().count(".unroll(c)") == 2
    apply(schedule, [output.function])
    hl.Pipeline(output).compile_jit()


def test_whole_tiles_of_a_mosaic_begin_where_its_pattern_begins():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    mosaic, padded, output = hl.funcs("mosaic padded output")
    mosaic[x, y] = hl.select(x % 2 == 0, image[x, y], image[x, y + 1])
    padded[x, y] = mosaic[x, y] * 2
    output[x, y] = padded[x - 1, y] + padded[x + 1, y]
    dag = problem_of([output.function], sizes=[64, 64], threads=2).dag
    rows = Nest(((FULL, 8), (8, 1)), (0, 1), 0, 8, (1,))
    block, whole = (Nest(((8, 1),), (0, 1), 0, 8),), (Nest(((FULL, FULL),), (0, 1), 0, 8),)
    placed = {
        output.name(): FuncPlacement(ROOT, nests=(rows,)),
        padded.name(): FuncPlacement(Where.AT, NestLevel(output.name(), 0, 0), nests=block),
        mosaic.name(): FuncPlacement(Where.AT, NestLevel(padded.name(), 0, 0), nests=whole),
    }
    text = emit(dag, State(placed)).to_python()
    assert ", y).align_bounds(x, 2)" in text
    in_rows = {**placed, padded.name(): FuncPlacement(Where.AT, NestLevel(output.name(), 0, 1), nests=whole)}
    assert "align_bounds" not in emit(dag, State(in_rows)).to_python()


def test_an_extent_is_bounded_beside_a_coordinate_that_pixels_decide():
    x, y = hl.vars("x y")
    table, places = hl.ImageParam(hl.Float(32), 2, "table"), hl.ImageParam(hl.UInt(8), 2, "places")
    rows, output = hl.funcs("rows output")
    rows[x, y] = table[x, y] * 2
    output[x, y] = rows[hl.i32(places[x, y]), y]
    dag = problem_of([output.function], sizes=[64, 64], threads=2).dag
    strips = Nest(((FULL, 4), (16, 1)), (0, 1), 0, 16, (1,))
    whole = (Nest(((16, FULL),), (0, 1), 0, 16),)
    inside = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 0), None, whole)
    state = State({output.name(): FuncPlacement(ROOT, nests=(strips,)), rows.name(): inside})
    assert ".unroll(y)" in compiled(dag, state, output)


def test_a_tile_of_a_small_output_needs_no_constant_extent_of_what_it_reads_clamped():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    producer, output = hl.funcs("producer output")
    producer[x, y] = image[x, y] * 2
    output[x, y] = producer[hl.clamp(x - 10, 0, 51), y]
    dag = problem_of([output.function], sizes=[61, 64], threads=2).dag
    tiles = Nest(((16, FULL), (16, 1)), (0, 1), 0, 16, (0,))
    inside = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 0), None, (Nest(((FULL, 1),), (0, 1), 0, 16),))
    state = State({output.name(): FuncPlacement(ROOT, nests=(tiles,)), producer.name(): inside})
    assert ".unroll(x)" not in compiled(dag, state, output)


@pytest.mark.parametrize(("width", "aligned"), [(64, True), (60, False)])
def test_outputs_of_whole_blocks_begin_where_a_block_begins(width, aligned):
    """Even where an input has to have what they are rounded up to."""
    x, y = hl.vars("x y")
    image, output = hl.ImageParam(hl.Float(32), 3, "image"), hl.Func("output")
    output[x, y] = image[x % 8, x / 8, y]
    dag = problem_of([output.function], sizes=[width, 64], threads=2).dag
    rows = Nest(((FULL, 8), (16, 1)), (0, 1), 0, 16, (1,))
    schedule = emit(dag, State({output.name(): FuncPlacement(ROOT, nests=(rows,))}))
    assert (".align_bounds(x, 8)" in schedule.to_python()) == aligned


@pytest.mark.parametrize(("width", "aligned"), [(64, True), (63, False)])
def test_outputs_of_even_sizes_begin_where_their_pattern_begins(width, aligned):
    x, y = hl.vars("x y")
    image, output = hl.ImageParam(hl.Float(32), 2, "image"), hl.Func("output")
    output[x, y] = image[x // 2, y] * hl.select(x % 2 == 0, 1.0, 2.0)
    dag = problem_of([output.function], sizes=[width, 64], threads=2).dag
    rows = Nest(((FULL, 8), (16, 1)), (0, 1), 0, 16, (1,))
    schedule = emit(dag, State({output.name(): FuncPlacement(ROOT, nests=(rows,))}))
    assert (".align_bounds(x, 2)" in schedule.to_python()) == aligned
    apply(schedule, [output.function])
    pixels = np.random.default_rng(0).random((64, 32)).astype(np.float32)
    image.set(hl.Buffer(pixels))
    for size in (64, 63, 33):
        factors = np.where(np.arange(size) % 2, np.float32(2), np.float32(1))
        np.testing.assert_array_equal(output.realize([size, 64]).numpy(), pixels[:, np.arange(size) // 2] * factors)


@pytest.mark.parametrize(("width", "aligned"), [(64, "output"), (63, "pattern")])
def test_blocks_that_even_outputs_read_point_by_point_begin_where_the_output_does(width, aligned):
    """Bounds of their own would grow by an element on either side, so that the extent of a block is no constant."""
    x, y = hl.vars("x y")
    image, pattern, output = hl.ImageParam(hl.Float(32), 2, "image"), hl.Func("pattern"), hl.Func("output")
    pattern[x, y] = image[x // 2, y] * hl.select(x % 2 == 0, 1.0, 2.0)
    output[x, y] = pattern[x, y] + 1.0
    dag = problem_of([output.function], sizes=[width, 64], threads=2).dag
    rows = Nest(((FULL, 8), (16, 1)), (0, 1), 0, 16, (1,))
    block = (Nest(((16, 1),), (0, 1), 0, 16),)
    inside = FuncPlacement(Where.AT, NestLevel(output.name(), 0, 1), nests=block)
    schedule = emit(dag, State({output.name(): FuncPlacement(ROOT, nests=(rows,)), pattern.name(): inside}))
    (line,) = [line for line in schedule.to_python().splitlines() if ".align_bounds(x, 2)" in line]
    assert line.lstrip().startswith(aligned)


def test_pieces_of_half_a_block_do_not_grow_to_whole_ones():
    """Rows whose pattern repeats after 8 are computed in strips of 8; pieces of 4 that read them stay that small."""
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    rows, near, output = hl.funcs("rows near output")
    rows[x, y] = image[x, y // 8] * hl.f32(y % 8)
    near[x, y] = rows[x, y] + 1.0
    output[x, y] = near[x, y] + near[x + 1, y]
    dag = problem_of([output.function], sizes=[64, 64], threads=2).dag
    pieces = Nest(((FULL, 8), (FULL, 4), (16, 4)), (0, 1), 0, 16, (1,))
    strip, piece = (Nest(((16, 8),), (0, 1), 0, 16),), (Nest(((16, 1),), (0, 1), 0, 16),)
    placed = {
        output.name(): FuncPlacement(ROOT, nests=(pieces,)),
        near.name(): FuncPlacement(Where.AT, NestLevel(output.name(), 0, 1), nests=piece),
        rows.name(): FuncPlacement(Where.AT, NestLevel(output.name(), 0, 0), nests=strip),
    }
    (line,) = [line for line in emit(dag, State(placed)).to_python().splitlines() if ".align_bounds(y, 8)" in line]
    assert line.lstrip().startswith("output")


def test_loops_that_depend_on_each_other_are_not_written_out_inside_one_that_remains():
    x = hl.Var("x")
    count = hl.Param(hl.Int(32), "count", 1)
    r = hl.RDom([(0, count), (0, 3)], "r")
    source, output = hl.ImageParam(hl.Int(32), 1, "source"), hl.Func("output")
    output[x] = 0
    output[x] = source[r.y]
    dag = problem_of([output.function], sizes=[16], threads=2).dag
    whole = (Nest(((16,),), (0,), 0, 16), Nest(((16, FULL, FULL),), (0, 1, 2), 0, 16))
    state = State({output.name(): FuncPlacement(ROOT, nests=whole)})
    assert problems(dag, state) == []
    assert ".unroll(r" not in compiled(dag, state, output)
