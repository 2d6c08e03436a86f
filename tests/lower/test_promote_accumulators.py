"""Elements that stay in registers while a loop updates them."""

import numpy as np
import pytest
from hand_written import *

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.build import lt, sub
from pipec.ir.expr import Const, Load
from pipec.ir.stmt import Allocate, IfThenElse, Store
from pipec.ir.walk import instances, postorder
from pipec.lower.lower import lower
from pipec.lower.passes.flatten_storage import flatten_storage
from pipec.lower.passes.promote_accumulators import promote_accumulators
from pipec.lower.passes.simplify_statement import simplify_statement
from pipec.lower.passes.unroll_loops import unroll_loops
from pipec.lower.vectorize.vectorize_loops import vectorize_loops

r, s, k, xv = variable("r"), variable("s"), variable("k"), variable("xv")


def update(at, value):
    return provide("out", add(call("out", at), value), at)


def clear(count_):
    return loop("k", 0, count_, provide("out", Const(U16, 1), k))


def promoted(body, copies, size=13, width=9, **scalars):
    flat = flatten_storage(block([clear(size), body]))
    before = simplify_statement(unroll_loops(vectorize_loops(flat)))
    after = promote_accumulators(before)
    assert count(after, Allocate) == copies
    same(before, after, {"in": picture(16, 16), "out": np.zeros(size, np.uint16)}, w=width, **scalars)
    return after


def accesses_inside(after, name):
    (result,) = [n for n in loops(after) if n.name == name]
    return [n for n in postorder(result.body) if isinstance(n, Load | Store) and n.buffer == "out"]


@pytest.mark.parametrize("width", [0, 1, 9])
def test_a_sum_is_promoted_while_its_loop_runs(width):
    after = promoted(loop("x", 0, 13, loop("r", 0, w, update(x, image(x, r)))), 1, width=width)
    assert not accesses_inside(after, "r")


def test_a_sum_over_two_loops_is_promoted_in_both():
    after = promoted(loop("x", 0, 13, loop("s", 0, 4, loop("r", s, sub(w, s), update(x, image(x, r))))), 1)
    assert not accesses_inside(after, "s")


def test_vectors_and_unrolled_elements_are_promoted():
    at = add(add(mul(x, 8), mul(variable("k2"), 4)), xv)
    inner = loop("k2", 0, 2, loop("xv", 0, 4, update(at, image(r, xv)), VECTORIZED), UNROLLED)
    after = promoted(loop("x", 0, 2, loop("r", 0, w, inner)), 2, size=16)
    assert not accesses_inside(after, "r")


def test_elements_that_a_short_loop_updates_are_promoted():
    short = loop("k", 0, 3, update(k, image(r, k)))
    after = promoted(loop("r", 0, w, short), copies=3)
    assert [n.name for n in loops(after)] == ["k", "r"]  # one that clears, and the reduction
    long = loop("k", 0, 33, update(k, image(r, 0)))
    promoted(loop("r", 0, w, long), copies=0, size=33)


def test_elements_that_may_be_one_are_not_promoted():
    both = block([update(x, image(x, r)), update(sub(w, x), image(x, r))])
    promoted(loop("x", 0, 9, loop("r", 0, 3, both)), 0)


def test_elements_read_at_other_places_are_not_promoted():
    promoted(loop("x", 0, 12, loop("r", 0, w, provide("out", add(call("out", x), call("out", r)), x))), 0)


def test_a_scan_is_not_promoted():
    promoted(loop("r", 1, 8, provide("out", add(call("out", sub(r, 1)), image(r, 0)), r)), 0)


def test_an_update_under_a_condition_is_not_promoted():
    bright = lt(Cast(INT32, image(x, r)), 100)
    promoted(loop("x", 0, 13, loop("r", 0, w, when(bright, update(x, image(x, r))))), 0)


def test_what_each_iteration_begins_anew_is_not_read_before():
    body = block([provide("g", image(x, r), x), provide("out", add(call("g", x), image(x, 1)), r)])
    before = flatten_storage(loop("x", 0, 5, realize("g", ((x, 3),), loop("r", 0, w, body))))
    nested = flatten_storage(realize("g", ((0, 5),), loop("x", 0, 5, loop("r", 0, w, body))))
    for stmt in (before, nested):
        same(stmt, promote_accumulators(stmt), {"in": picture(16, 16), "out": np.zeros(13, np.uint16)}, w=9)


@pytest.mark.parametrize(("vectors", "copies"), [(32, 32), (33, 0)])
def test_as_much_is_promoted_as_registers_hold(vectors, copies):
    at = add(mul(variable("k2"), 32), xv)
    inner = loop("k2", 0, vectors, loop("xv", 0, 32, update(at, image(r, r)), VECTORIZED), UNROLLED)
    promoted(loop("r", 0, w, inner), copies, size=32 * vectors)


def test_the_lanes_of_a_mask_are_promoted_beside_whole_vectors():
    lane = add(xv, 8)

    def row(y):
        at = add(mul(y, 10), xv)
        whole = loop("xv", 0, 8, update(at, image(r, xv)), VECTORIZED)
        rest = loop("xv", 0, 8, IfThenElse(lt(lane, 10), update(add(at, 8), image(r, lane)), None), VECTORIZED)
        return block([whole, rest])

    after = promoted(loop("r", 0, w, block([row(0), row(1)])), 4, size=20)
    assert not accesses_inside(after, "r")


def test_the_lanes_of_a_mask_that_others_share_are_not_promoted():
    def row(y):
        at = add(mul(y, 10), xv)
        return loop("xv", 0, 16, IfThenElse(lt(xv, 12), update(at, image(r, xv)), None), VECTORIZED)

    promoted(loop("r", 0, w, block([row(0), row(1)])), 0, size=26)


@pytest.mark.parametrize("row, copies", [("out.stride.1", 3), ("pitch", 0)])
def test_rows_whose_distance_is_a_stride_of_the_buffer_are_apart(row, copies):
    def update_row(y):
        at = add(mul(y, variable(row)), xv)
        return loop("xv", 0, 4, update(at, image(r, xv)), VECTORIZED)

    promoted(loop("r", 0, w, block([update_row(y) for y in range(3)])), copies, size=14, **{row: 5})


@pytest.mark.parametrize(("lanes", "unrolled", "copies"), [(4, True, 0), (8, True, 2), (4, False, 2)])
def test_small_arrays_are_left_to_llvm_unless_vectors_vary_in_length_or_place(lanes, unrolled, copies):
    inits = [provide("f", Const(U16, 0), add(xv, start)) for start in range(0, 8, lanes)]
    first = block([loop("xv", 0, lanes, init, VECTORIZED) for init in inits])
    sums = [provide("f", add(call("f", add(xv, start)), image(r, xv)), add(xv, start)) for start in (0, 4)]
    rows = [loop("xv", 0, 4, row, VECTORIZED) for row in sums]
    reads = [provide("out", call("f", add(xv, start)), add(xv, start)) for start in (0, 4)]
    last = block([loop("xv", 0, 4, read, VECTORIZED) for read in reads])
    if not unrolled:
        at = add(mul(variable("k2"), 4), xv)
        last = loop("k2", 0, 2, loop("xv", 0, 4, provide("out", call("f", at), at), VECTORIZED))
    before = flatten_storage(realize("f", ((0, 8),), block([first, loop("r", 0, w, block(rows)), last])))
    vectors = vectorize_loops(before)
    after = promote_accumulators(vectors)
    same(before, after, {"in": picture(16, 16), "out": np.zeros(8, np.uint16)}, w=9)
    assert count(after, Allocate) == copies + 1


def test_rows_of_tuples_are_promoted_in_blocks():
    x, y, xi, yi = hl.vars("x y xi yi")
    source, r = hl.ImageParam(hl.Float(32), 2, "source"), hl.RDom([(0, 7)], "r")
    func, out = hl.Func("f"), hl.Func("out")
    func[x, y] = hl.Tuple(0.0, 1.0)
    func[x, y] = hl.Tuple(func[x, y][0] + source[x + r, y], func[x, y][1] * source[x + r, y])
    out[x, y] = func[x, y][0] + func[x, y][1]
    func.compute_root().update().tile(x, y, xi, yi, 8, 4).reorder(xi, yi, r, x, y).vectorize(xi).unroll(yi)
    body = lower(freeze([out.function])[0], schedule_of([out.function]), hl.get_host_target()).body
    sums = [loop for loop in loops(body) if loop.name.startswith("f.s1.r")]
    assert sums
    assert not [n for n in postorder(*sums) if isinstance(n, Load | Store) and n.buffer in ("f.0", "f.1")]


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize(("before", "copies"), [(1, 1), (0, 0)])
def test_recurrences_that_read_other_rows_are_promoted(bounded, before, copies):
    i, t = hl.vars("i t")
    weights = np.random.default_rng(3).integers(0, 9, (5, 5), dtype=np.int32)
    matrix = hl.Buffer(weights)
    f, output = hl.funcs("f output")
    f[i, t] = i + 2 * t
    r = hl.RDom([(0, 5), (0, 5), (1, 6)], "r")
    f[r[1], r[2]] += f[r[0], r[2] - before] * matrix[r[0], r[1]]
    output[i, t] = f[i, t]
    f.compute_root()
    if bounded:
        output.bound(i, 0, 5)
    definition, _ = freeze([output.function])
    program = lower(definition, schedule_of([output.function]), hl.Target("x86-64-linux"))
    buffers = [node.name for node in postorder(program.body) if isinstance(node, Allocate)]
    assert len([name for name in buffers if name.startswith("f.promoted")]) == copies
    expected = np.arange(5, dtype=np.int64) + 2 * np.arange(7)[:, None]
    for step in range(1, 7):
        for row in range(5):
            for column in range(5):
                expected[step, row] += expected[step - before, column] * weights[row, column]
    assert (np.asarray(output.realize([5, 7])) == expected.astype(np.int32)).all()


def test_short_sums_of_several_elements_are_written_out_as_a_whole():
    i, j, ii = hl.vars("i j ii")
    a, b = (hl.ImageParam(hl.Float(32), 2, name) for name in "ab")
    r, f, output = hl.RDom([(0, 8)], "r"), *hl.funcs("f output")
    f[i, j] = 0.0
    f[i, j] += a[r, i] * b[r, j]
    output[i, j] = f[i, j] * 2
    output.bound(i, 0, 16)
    f.compute_root().update().split(i, i, ii, 8).reorder(ii, r, i, j).vectorize(ii)
    body = lower(freeze([output.function])[0], schedule_of([output.function]), hl.Target("x86-64-linux")).body
    assert not [node.name for node in postorder(body) if isinstance(node, Allocate) and "promoted" in node.name]


def test_sums_in_memory_that_another_func_had_stay_in_registers():
    i, j, ji, k = hl.Var("i"), hl.Var("j"), hl.Var("ji"), hl.RDom([(0, 8)], "k")
    image, first, second, product, out = hl.ImageParam(hl.Float(32), 2), *hl.funcs("first second product out")
    first[i, j] = image[i, j] + 1
    second[i, j] = first[i, j] * 2
    product[i, j] = hl.f32(0)
    product[i, j] += second[i, k] * second[k, j]
    out[i, j] = product[i, j] + 1
    for func in (first, second, product):
        func.compute_root()
    product.update().split(j, j, ji, 2).reorder(ji, k, i, j).unroll(ji)
    program = lower(freeze([out.function])[0], schedule_of([out.function]), hl.get_host_target())
    allocations = [node.name for node in instances(Allocate, program.body)]
    assert product.name() not in allocations, "it has the memory of the first Func"
    assert any(name.startswith(f"{product.name()}.promoted") for name in allocations)
