"""Threads and lanes that update the same elements leave what one thread would have left."""

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.stmt import Allocate, AtomicUpdate, For, Store
from pipec.ir.walk import postorder
from pipec.jit.llvm.emit import emit_module
from pipec.lower.lower import lower

x = hl.Var("x")
ROWS, COLUMNS = 64, 1000
IMAGE = np.random.default_rng(8).integers(0, 7, (ROWS, COLUMNS)).astype(np.uint8)
TYPES = ["uint8", "int16", "int32", "uint64", "float32", "float64"]
UPDATES = {
    "count": lambda f, i, v: f[i] + 1,
    "sum": lambda f, i, v: f[i] + v,
    "difference": lambda f, i, v: f[i] - v,
    "product": lambda f, i, v: f[i] * (v % 3 - 1),
    "largest": lambda f, i, v: hl.max(f[i], v),
    "smallest": lambda f, i, v: hl.min(v, f[i]),
}


def collected(kind, update, start=0, pixels=IMAGE):
    """Values of pixels gathered in the bins of their neighbours."""
    rows, columns = pixels.shape
    image, r = hl.Buffer(pixels), hl.RDom([(1, columns - 1), (0, rows)], "r")
    f = hl.Func("f")
    type_ = {"u": hl.UInt, "i": hl.Int, "f": hl.Float}[np.dtype(kind).kind](8 * np.dtype(kind).itemsize)
    f[x] = hl.cast(type_, start)
    index = hl.i32(image[r.x, r.y])
    f[index] = hl.cast(type_, update(f, index, hl.cast(type_, image[r.x - 1, r.y])))
    return f, r


def lowered(f):
    definition, _ = freeze([f.function], "atomic")
    return lower(definition, schedule_of([f.function]), hl.get_jit_target_from_environment())


@pytest.mark.part(3)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("name", UPDATES)
def test_threads_update_bins(name, kind):
    plain, _ = collected(kind, UPDATES[name], 1)
    expected = np.asarray(plain.realize([7]))
    f, r = collected(kind, UPDATES[name], 1)
    f.update(0).atomic().parallel(r.y)
    for _ in range(5):
        np.testing.assert_array_equal(np.asarray(f.realize([7])), expected)


@pytest.mark.parametrize("kind", ["int32", "float64"])
def test_many_updates_of_few_bins(kind):
    pixels = np.random.default_rng(9).integers(0, 3, (300, 4000)).astype(np.uint8)
    expected = np.asarray(collected(kind, UPDATES["sum"], pixels=pixels)[0].realize([3]))
    f, r = collected(kind, UPDATES["sum"], pixels=pixels)
    f.update(0).atomic().parallel(r.y)
    for _ in range(10):
        np.testing.assert_array_equal(np.asarray(f.realize([3])), expected)


def test_bits_and_booleans():
    image, r = hl.Buffer(IMAGE), hl.RDom([(0, COLUMNS), (0, ROWS)], "r")
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = hl.i32(0)
    f[hl.i32(image[r.x, r.y])] ^= hl.i32(image[r.x, r.y]) * 5 + r.x
    g[x] = hl.cast(hl.Bool(), x < 0)
    g[hl.i32(image[r.x, r.y])] |= r.x == 7
    for func in (f, g):
        expected = np.asarray(func.realize([7]))
        func.update(0).atomic().parallel(r.y)
        np.testing.assert_array_equal(np.asarray(func.realize([7])), expected)


def test_elements_of_a_tuple_are_updated_each():
    def build():
        image, r = hl.Buffer(IMAGE), hl.RDom([(0, COLUMNS), (0, ROWS)], "r")
        f, index = hl.Func("f"), hl.i32(image[r.x, r.y])
        f[x] = (hl.i32(0), hl.u8(0))
        f[index] = (f[index][0] + r.x, hl.max(f[index][1], hl.u8(r.y)))
        return f, r

    expected = [np.asarray(b) for b in build()[0].realize([7])]
    f, r = build()
    f.update(0).atomic().parallel(r.y)
    for result, want in zip(f.realize([7]), expected, strict=True):
        np.testing.assert_array_equal(np.asarray(result), want)


def test_integers_are_updated_by_one_instruction_and_floats_by_exchange():
    for kind, instruction in (("int32", "atomicrmw add"), ("uint8", "atomicrmw add"), ("float32", "cmpxchg weak")):
        f, r = collected(kind, UPDATES["sum"])
        f.update(0).atomic().parallel(r.y)
        assert instruction in emit_module(lowered(f))


def test_lanes_of_a_sum_meet_in_a_register_first():
    image, r = hl.Buffer(IMAGE), hl.RDom([(0, COLUMNS), (0, ROWS)], "r")
    total, ro, ri = hl.Func("total"), hl.RVar("ro"), hl.RVar("ri")
    total[()] = 0
    total[()] += hl.i32(image[r.x, r.y])
    total.update(0).atomic().split(r.x, ro, ri, 8).parallel(r.y).vectorize(ri)
    assert int(np.asarray(total.realize())) == IMAGE.sum()
    nodes = list(postorder(lowered(total).body))
    assert sum(isinstance(node, Allocate) for node in nodes) == 1
    (update,) = [node for node in nodes if isinstance(node, AtomicUpdate)]
    loops = [node for node in nodes if isinstance(node, For) and update in set(postorder(node))]
    assert len(loops) == 1 and isinstance(update.body, Store)
