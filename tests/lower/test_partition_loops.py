"""Steady states without boundary tests, and the iterations around them."""

import re

import numpy as np
import pytest
from hand_written import *

import pipec as hl
from pipec.errors import ScheduleError
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.build import and_, eq, ge, gt, le, lt, max_, min_, mod, not_, or_, select, sub
from pipec.ir.expr import Compare, Const, Intrinsic, Max, Min, Select, const
from pipec.ir.stmt import For, IfThenElse, LetStmt, LoopKind, Partition, Stmt, Store
from pipec.ir.walk import free_variables, postorder, rewrite, statements
from pipec.lower.lower import lower
from pipec.lower.passes.marked_conditions import MarkedConditions
from pipec.lower.passes.partition_loops import original_name, partition_loops

xi, yi, px, t = variable("xi"), variable("yi"), variable("px"), variable("t")
X = add(mul(x, 8), xi)


def edge(cx, cy=0, name="in"):
    """The image with its edge repeated."""
    return image(clamped(likely(cx), 0, sub(w, 1)), clamped(likely(as_e(cy)), 0, sub(h, 1)), name=name)


def as_e(e):
    return const(e) if isinstance(e, int) else e


def data(width, height, *shape):
    return {"in": picture(width, height), "out": np.zeros(shape or (width, height), np.uint16)}


def partitioned(before, buffers, **scalars):
    after = partition_loops(before)
    assert not count(after, Intrinsic), "markers are left"
    names = [node.name for node in postorder(after) if isinstance(node, For | LetStmt)]
    assert len(names) == len(set(names)), names
    same(before, after, buffers, **scalars)
    return after


def body_of(stmt: Stmt, name: str) -> Stmt:
    (result,) = [node for node in postorder(stmt) if isinstance(node, For) and node.name == name]
    return result.body


def boundary_tests_on(stmt: Stmt, name: str) -> int:
    """Boundary tests that mention a variable."""
    return sum(isinstance(n, Min | Max | Compare | Select) and name in free_variables(n) for n in postorder(stmt))


@pytest.mark.parametrize("width", [1, 2, 3, 13])
def test_a_clamped_stencil_has_a_clean_middle(width):
    taps = add(add(edge(sub(x, 1)), edge(x)), edge(add(x, 1)))
    before = loop("x", 0, w, provide("out", taps, x, 0))
    after = partitioned(before, data(width, 1), w=width, h=1)
    assert boundary_tests(body_of(after, "x")) <= 2  # what is left is the clamp of y
    assert len(loops(after)) == 3


def test_loops_that_would_be_long_are_unrolled_in_the_steady_state_only():
    taps = add(add(edge(sub(x, 1)), edge(x)), edge(add(x, 1)))
    copies = loop("c", 0, 20, provide("out", taps, x, variable("c")), UNROLLED)
    after = partitioned(loop("x", 0, w, copies), data(5, 1, 5, 20), w=5, h=1)
    assert [node.name for node in loops(after, UNROLLED)] == ["c"]
    assert len([node for node in loops(after) if node.name.startswith("c.")]) == 2


@pytest.mark.parametrize("width", [1, 2, 3, 13])
def test_a_large_body_has_one_copy_for_both_ends(width):
    taps = add(add(edge(sub(x, 1)), edge(x)), edge(add(x, 1)))
    copies = loop("c", 0, 80, provide("out", taps, x, variable("c")), UNROLLED)
    after = partitioned(loop("x", 0, w, copies), data(width, 1, width, 80), w=width, h=1)
    choice = body_of(after, "x")
    assert isinstance(choice, IfThenElse)
    assert boundary_tests_on(choice.then, "x") == 0
    assert [node.name for node in loops(after, UNROLLED)] == ["c"], "what runs at the ends only is not unrolled"


@pytest.mark.parametrize("width, start", [(1, 0), (30, 2), (60, 2), (60, -3)])
def test_a_large_reduction_has_no_test_where_all_of_it_is_inside(width, start):
    c, r = variable("c"), variable("r")
    total = add(call("out", c), add(edge(add(r, t)), edge(add(r, add(t, 1)))))
    buffers = {"in": picture(width, 1), "out": np.zeros(80, np.uint16)}
    copies = loop("c", 0, 80, provide("out", total, c), UNROLLED)
    after = partitioned(loop("r", 0, 40, copies), buffers, w=width, h=1, t=start)
    assert isinstance(after, IfThenElse)
    (inside,) = [one for one in loops(after.then) if one.name.startswith("r")]
    assert not count(inside, IfThenElse) and boundary_tests_on(inside, inside.name) == 0
    assert count(after.otherwise, IfThenElse), "where a part is inside, each iteration is tested"


@pytest.mark.parametrize("size", [(1, 1), (4, 7), (5, 16)])
def test_a_guard_around_long_loops_is_worth_no_copy(size):
    row = add(mul(y, 4), yi)
    guarded = when(likely(lt(row, h)), loop("x", 0, w, provide("out", image(x, row), x, row)))
    before = loop("y", 0, div(add(h, 3), 4), loop("yi", 0, 4, guarded), PARALLEL)
    after = partitioned(before, data(*size), w=size[0], h=size[1])
    assert [node.name for node in loops(after)] == ["x", "yi"]


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (5, 3), (13, 7)])
def test_both_dimensions(size):
    taps = add(edge(sub(x, 2), sub(y, 1)), edge(add(x, 1), add(y, 2)))
    before = loop("y", 0, h, loop("x", 0, w, provide("out", taps, x, y)))
    after = partitioned(before, data(*size), w=size[0], h=size[1])
    assert boundary_tests_on(body_of(after, "x"), "x") == 0
    assert len([n for n in loops(after) if n.name.startswith("y")]) == 1, "a row's clamp is worth no copy"


def test_a_parallel_loop_stays_one_loop():
    taps = add(edge(sub(x, 1)), edge(add(x, 2)))
    before = loop("x", 0, w, provide("out", taps, x, 0), PARALLEL)
    after = partitioned(before, data(6, 1), w=6, h=1)
    assert len(loops(after, PARALLEL)) == 1
    choice = body_of(after, "x")
    assert isinstance(choice, IfThenElse)
    assert boundary_tests_on(choice.then, "x") == 0


def test_an_outer_loop_asks_for_its_inner_loops():
    outside = or_(lt(y, 1), ge(y, sub(h, 2)))
    value = select(outside, Const(U16, 7), likely(image(x, clamped(add(y, 1), 0, sub(h, 1)))))
    before = loop("y", 0, h, loop("x", 0, w, provide("out", value, x, y)), PARALLEL)
    after = partitioned(before, data(6, 7), w=6, h=7)
    assert boundary_tests(body_of(after, "x")) == 0
    assert isinstance(body_of(after, "y"), IfThenElse)


@pytest.mark.parametrize("width", [3, 8, 13, 40])
def test_strips_are_decided_for_all_their_lanes(width):
    guarded = when(likely(lt(X, w)), provide("out", add(edge(sub(X, 1)), edge(add(X, 1))), X, 0))
    before = loop("x", 0, div(add(w, 7), 8), loop("xi", 0, 8, guarded, VECTORIZED))
    after = partitioned(before, data(width, 1), w=width, h=1)
    assert boundary_tests(body_of(after, "x")) <= 2


@pytest.mark.parametrize("width", [8, 13, 40])
def test_shifted_inwards_strips(width):
    base = min_(likely(mul(x, 8)), sub(w, 8))
    position = add(variable("base"), xi)
    body = loop("xi", 0, 8, provide("out", edge(add(position, 1)), position, 0), VECTORIZED)
    before = loop("x", 0, div(add(w, 7), 8), LetStmt("base", base, body))
    after = partitioned(before, data(width, 1), w=width, h=1)
    assert boundary_tests(body_of(after, "x")) <= 2


def test_the_exterior_is_left_out_of_the_steady_state():
    cx, cy = add(x, 1), sub(y, 1)
    outside = or_(or_(lt(cx, 0), ge(cx, w)), or_(lt(cy, 0), ge(cy, h)))
    inside = image(clamped(cx, 0, sub(w, 1)), clamped(cy, 0, sub(h, 1)))
    value = select(outside, Const(U16, 7), likely(inside))
    before = loop("y", 0, h, loop("x", 0, w, provide("out", value, x, y)))
    after = partitioned(before, data(9, 4), w=9, h=4)
    assert boundary_tests(body_of(after, "x")) == 0


def test_the_first_iteration_of_a_sliding_window_is_peeled():
    first = variable("ymin")
    count_ = select(gt(y, first), likely(const(1)), const(3))
    start = select(gt(y, first), likely(add(y, 2)), y)
    produce = loop("py", start, count_, provide("g", image(0, variable("py")), variable("py")))
    consume = provide("out", add(call("g", y), call("g", add(y, 2))), 0, y)
    steps = loop("y", first, sub(h, 2), block([produce, consume]))
    before = realize("g", ((0, h),), steps)
    after = partitioned(before, data(1, 9, 1, 7), h=9, ymin=0)
    assert boundary_tests(body_of(after, "y")) == 0 or boundary_tests(body_of(after, "y").then) == 0


@pytest.mark.parametrize("hoped", ["eq", "ne"])
def test_tests_for_the_first_iteration(hoped):
    condition = eq(x, 3) if hoped == "eq" else not_(eq(x, 3))
    early, late = image(x, 0), likely(image(x, 1))
    value = select(condition, early, late) if hoped == "eq" else select(condition, late, early)
    after = partitioned(loop("x", 3, w, provide("out", value, x, 0)), data(16, 2), w=9)
    assert boundary_tests(body_of(after, "x")) == 0


def test_plain_clamps_of_indices_are_decided_in_innermost_loops_only():
    index = clamped(sub(x, 1), 0, sub(w, 1))
    row = clamped(sub(y, 1), 0, sub(h, 1))
    before = loop("y", 0, h, loop("x", 0, w, provide("out", image(index, row), x, y)))
    after = partitioned(before, data(9, 4), w=9, h=4)
    assert boundary_tests(body_of(after, "x")) == 2  # those of y
    assert len([n for n in loops(after) if n.name.startswith("y")]) == 1


def test_a_min_of_data_is_left_alone():
    value = min_(Cast(INT32, image(x, 0)), 9)
    before = loop("x", 0, w, provide("out", Cast(U16, value), x, 0))
    assert partitioned(before, data(9, 1), w=9) is before


def test_quotients_remainders_and_lets_are_looked_through():
    half = LetStmt("t", div(sub(x, 1), 2), provide("out", edge(add(t, mod(x, 2))), x, 0))
    after = partitioned(loop("x", 0, w, half), data(9, 1), w=9, h=1)
    assert boundary_tests(body_of(after, "x")) <= 2


def test_producer_loops_inside_a_tile_are_decided_with_the_tile():
    produce = loop("px", sub(mul(x, 8), 1), 10, provide("g", edge(px), px))
    consume = loop("xi", 0, 8, provide("out", add(call("g", sub(X, 1)), call("g", add(X, 1))), X, 0), VECTORIZED)
    tile = realize("g", ((sub(mul(x, 8), 1), 10),), block([produce, consume]))
    after = partitioned(loop("x", 0, 3, tile), data(24, 1), w=24, h=1)
    assert boundary_tests(body_of(after, "px")) <= 2


def test_conditions_on_data_are_left():
    bright = lt(Cast(INT32, image(x, 0)), 100)
    before = loop("x", 0, w, provide("out", select(bright, likely(image(x, 1)), image(x, 0)), x, 0))
    after = partitioned(before, data(9, 2), w=9)
    assert len(loops(after)) == 1


def test_conditions_that_always_hold_cost_no_copy():
    value = edge(x)
    before = loop("x", 0, 9, provide("out", value, x, 0))
    fixed = partition_loops(loop("x", 0, 9, provide("out", image(clamped(likely(x), 0, 8), 0), x, 0)))
    assert len(loops(fixed)) == 1 and boundary_tests(fixed) == 0
    partitioned(before, data(9, 1), w=9, h=1)


def test_a_condition_that_never_holds_is_left():
    before = loop(
        "x", 0, 9, when(likely(ge(x, 9)), provide("out", image(x, 0), x, 0), provide("out", image(0, 0), x, 0))
    )
    assert len(loops(partitioned(before, data(9, 1)))) == 1


def test_markers_for_innermost_loops():
    value = select(likely(le(x, 3), "likely_if_innermost"), image(x, 0), image(0, 0))
    after = partitioned(loop("x", 0, w, provide("out", value, x, 0)), data(9, 1), w=9)
    assert len(loops(after)) == 2
    row = select(likely(le(y, 3), "likely_if_innermost"), image(x, y), image(0, 0))
    outer = partitioned(loop("y", 0, h, loop("x", 0, w, provide("out", row, x, y))), data(9, 6), w=9, h=6)
    assert len(loops(outer)) == 2


def test_storage_in_the_copies_has_its_own_name():
    tile = realize("g", ((x, 1),), block([provide("g", edge(sub(x, 1)), x), provide("out", call("g", x), x, 0)]))
    partitioned(loop("x", 0, w, tile), data(9, 1), w=9, h=1)


def test_a_long_chain_of_terms_does_not_recurse():
    total = edge(sub(x, 1))
    for i in range(1500):
        total = add(total, edge(add(x, i % 3)))
    before = loop("x", 0, w, provide("out", total, x, 0))
    after = partition_loops(before)
    assert boundary_tests(body_of(after, "x").then) <= 2


def test_conjunctions_and_disjunctions():
    both = and_(likely(le(x, sub(w, 3))), ge(x, 1))
    before = loop("x", 0, w, provide("out", select(both, image(x, 0), image(0, 0)), x, 0))
    partitioned(before, data(9, 1), w=9)
    either = or_(le(x, sub(w, 3)), ge(x, 1))
    before = loop("x", 0, w, provide("out", select(likely(either), image(x, 0), image(0, 0)), x, 0))
    partitioned(before, data(9, 1), w=9)


def stencil_rows(width, height):
    taps = add(add(edge(sub(x, 1), y), edge(add(x, 1), sub(y, 1))), edge(x, add(y, 1)))
    return loop("y", 0, h, loop("x", 0, w, provide("out", taps, x, y))), data(width, height), {"w": width, "h": height}


def with_policies(stmt, policies):
    def change(node):
        policy = policies.get(node.name) if isinstance(node, For) else None
        return node if policy is None else For(node.name, node.minimum, node.extent, node.kind, node.body, policy)

    return rewrite(stmt, change)


NEVER, ALWAYS = Partition.Never, Partition.Always
POLICIES = {
    "x stays whole": ({"x": NEVER}, "x y"),
    "both stay whole": ({"x": NEVER, "y": NEVER}, "x y"),
    "y is cut, x stays whole in both copies": ({"x": NEVER, "y": ALWAYS}, "x x y"),
    "both are cut": ({"x": ALWAYS, "y": ALWAYS}, "x x x x x x y"),
}


@pytest.mark.parametrize("name", POLICIES)
def test_loops_are_cut_as_the_schedule_says(name):
    policies, expected = POLICIES[name]
    before, buffers, sizes = stencil_rows(13, 7)
    after = partition_loops(with_policies(before, policies))
    same(before, after, buffers, **sizes)
    loops = [node for node in postorder(after) if isinstance(node, For)]
    assert sorted(original_name(loop.name) for loop in loops) == expected.split()
    assert all(loop.partition is Partition.Auto for loop in loops)


def test_a_short_loop_is_cut_only_when_asked():
    short = loop("x", 0, 4, provide("out", edge(sub(x, 1)), x, 0))
    assert not count(partition_loops(short), IfThenElse)
    cut = partition_loops(with_policies(short, {"x": ALWAYS}))
    same(short, cut, data(4, 1), w=4, h=1)
    assert count(cut, IfThenElse) == 1


@pytest.mark.parametrize("width", [48, 50, 60])
def test_a_short_loop_that_steps_by_vectors_is_cut(width):
    body = loop("xi", 0, 8, provide("out", add(edge(sub(X, 1)), edge(add(X, 1))), X, 0), VECTORIZED)
    before = loop("x", 0, 6, body)
    after = partitioned(before, data(width, 1, 48, 1), w=width, h=1)
    assert boundary_tests(body_of(after, "x")) <= 2  # what is left is the clamp of y


@pytest.mark.parametrize("vectors, is_unrolled", [(6, True), (60, False)])
def test_ends_are_unrolled_where_they_are_a_large_share_of_the_iterations(vectors, is_unrolled):
    body = loop("xi", 0, 8, provide("out", add(edge(sub(X, 1)), edge(add(X, 1))), X, variable("c")), VECTORIZED)
    before = loop("x", 0, vectors, loop("c", 0, 80, body, UNROLLED))
    after = partition_loops(before)
    ends = [node for node in postorder(after) if isinstance(node, For) and node.name.startswith("c.")]
    assert ends and {node.kind for node in ends} == {UNROLLED if is_unrolled else LoopKind.SERIAL}


def test_what_cannot_be_cut_is_refused():
    plain = loop("x", 0, w, provide("out", image(x, 0), x, 0))
    with pytest.raises(ScheduleError, match="set to Always for x, but no loop partitioning was performed"):
        partition_loops(with_policies(plain, {"x": ALWAYS}))


@pytest.mark.parametrize("width", [8, 13, 40])
def test_brief_bodies_do_not_ask_where_their_vectors_begin(width):
    base = min_(mul(x, 8), sub(w, 8))
    position = add(variable("base"), xi)
    body = loop("xi", 0, 8, provide("out", image(position, 0), position, 0), VECTORIZED)
    before = loop("x", 0, div(add(w, 7), 8), LetStmt("base", base, body))
    after = partitioned(before, data(width, 1), w=width, h=1)
    assert boundary_tests(body_of(after, "x")) == 0


@pytest.mark.parametrize("width", [3, 8, 21])
def test_tiles_shifted_inwards_have_a_steady_state_where_the_image_is_large_enough(width):
    base = min_(mul(x, 8), sub(w, 8))
    inside = likely(and_(ge(add(base, xi), 0), le(add(base, xi), sub(w, 1))))
    body = loop("xi", 0, 8, when(inside, provide("out", image(add(base, xi), 0), add(base, xi))), VECTORIZED)
    before = loop("x", 0, div(add(w, 7), 8), body)
    after = partitioned(before, data(width, 1), w=width, h=1)
    assert boundary_tests_on(body_of(after, "x"), "xi") == 0


def test_clamps_that_only_the_border_has_are_not_decided():
    mirrored = max_(min_(x, sub(20, x)), 0)
    stmt = provide("out", image(select(lt(x, 0), mirrored, likely(x)), 0), x)
    marked = MarkedConditions(list(postorder(stmt)), innermost=True)
    assert marked.clamps == []
    assert list(marked.preferred.values()) == [False]


def stores_in_tasks(g: hl.Func) -> list[str]:
    """The buffers that stores in parallel loops of a pipeline write to."""
    program = lower(freeze([g.function])[0], schedule_of([g.function]), hl.get_jit_target_from_environment())
    tasks = [loop for loop in statements(program.body) if isinstance(loop, For) and loop.kind is LoopKind.PARALLEL]
    return [node.buffer for task in tasks for node in statements(task) if isinstance(node, Store)]


def test_a_loop_over_rows_is_not_cut_for_the_rows_that_a_window_computes_first():
    column, row, inner = hl.vars("x y yi")
    source, f, g = hl.ImageParam(hl.Float(32), 2), hl.Func("f"), hl.Func("g")
    bounded = hl.BoundaryConditions.repeat_edge(source)
    f[column, row] = bounded[column, row - 1] + bounded[column, row + 1]
    g[column, row] = f[column, row - 2] + f[column, row] * 2 + f[column, row + 2]
    g.split(row, row, inner, 32).parallel(row).vectorize(column, 8)
    f.store_at(g, row).compute_at(g, inner).vectorize(column, 8)
    # All vectors but the last one, and that one.
    assert stores_in_tasks(g).count("g") == 2


def test_in_a_border_loops_around_loops_are_not_unrolled():
    """The producer of six rows beside the last vector, whose place is known there only as a range."""
    column, row, inner, below = hl.vars("x y xi yi")
    source, f, g = hl.ImageParam(hl.Float(32), 2), hl.Func("f"), hl.Func("g")
    f[column, row] = source[column, row] + source[column + 1, row]
    g[column, row] = f[column, row] + f[column, row + 1] + f[column, row + 2]
    g.tile(column, row, column, row, inner, below, 8, 4).vectorize(inner).unroll(below).parallel(row)
    f.store_at(g, row).compute_at(g, column).vectorize(column, 8).unroll(row)
    assert stores_in_tasks(g).count("f") <= 2 * 6


@pytest.mark.parametrize("taps, copies", [(3, 3), (15, 1)])
def test_loops_are_not_cut_for_tests_beside_long_sums(taps, copies):
    column, row = hl.vars("x y")
    source, f, g, r = hl.ImageParam(hl.Float(32), 2), hl.Func("f"), hl.Func("g"), hl.RDom([(0, taps), (0, taps)])
    f[column, row] = hl.f32(column * row)
    total = hl.sum(f[column + r.x, row + r.y])
    g[column, row] = hl.BoundaryConditions.repeat_edge(source)[column, row] * total
    f.compute_root()
    g.vectorize(column, 8, hl.TailStrategy.RoundUp).parallel(row)
    assert stores_in_tasks(g).count("g") == copies


def test_long_loops_in_the_border_tile_of_a_large_body_are_cut_too():
    i, r = hl.Var("i"), hl.RDom([(0, 64)], "r")
    image, total, f = hl.ImageParam(hl.Int(16), 1, "image"), hl.Func("total"), hl.Func("f")
    padded = hl.BoundaryConditions.constant_exterior(image, 0)
    total[i] = 0
    total[i] += hl.i32(padded[2 * i + r - 32])
    f[i] = total[i]
    outer, middle, inner = hl.vars("outer middle inner")
    f.split(i, outer, middle, 1 << 15).split(middle, middle, inner, 128).vectorize(inner, 16).parallel(outer)
    total.compute_at(f, middle).vectorize(i, 16).unroll(i)
    total.update().reorder(i, r).vectorize(i, 16).unroll(i).unroll(r)
    definition, _ = freeze([f.function])
    program = lower(definition, schedule_of([f.function]), hl.get_host_target())
    loops = [loop.name for loop in statements(program.body) if isinstance(loop, For)]
    # The first and the last tile have a steady state, too.
    assert any(name.count(".border") == 2 for name in loops), loops


def test_rows_in_the_border_tiles_of_many_fused_stages_are_cut_too():
    image, (i, j, io, jo, ii, ji) = hl.ImageParam(hl.Float(32), 2, "image"), hl.vars("i j io jo ii ji")
    stages: list[hl.Func] = []
    for n in range(12):
        padded = hl.BoundaryConditions.constant_exterior(stages[-1] if stages else image, 0, [(0, 512), (0, 512)])
        stage = hl.Func(f"stage_{n}")
        neighbours = [padded[i + distance, j] for distance in range(-4, 5)]
        stage[i, j] = sum(neighbours[1:], neighbours[0])
        stages.append(stage)
    f = stages.pop()
    f.tile(i, j, io, jo, ii, ji, 256, 32).vectorize(ii, 16).parallel(jo)
    for stage in stages:
        stage.compute_at(f, io).vectorize(i, 16)
    program = lower(freeze([f.function])[0], schedule_of([f.function]), hl.get_host_target())
    loops = [loop.name for loop in statements(program.body) if isinstance(loop, For)]
    rows = f"{stages[2].name()}.s0.i"
    borders = [name for name in loops if name.startswith(rows) and re.search(r"\.border\d+$", name)]
    # The vectors at the edge have a loop of their own in the first and the last tile.
    assert borders and all(any(name.startswith(f"{border}.before") for name in loops) for border in borders), loops
