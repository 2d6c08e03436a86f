"""Sums of products inside vectors: whatever instructions make them, the sums are right."""

import numpy as np
import pytest

import pipec as hl
from pipec.jit.llvm.machine import host

TYPES = {"u8": hl.UInt(8), "i8": hl.Int(8), "u16": hl.UInt(16), "i16": hl.Int(16)}
PAIRS = [("u8", "i8"), ("i8", "u8"), ("u8", "u8"), ("i8", "i8"), ("i16", "i16"), ("u8", "i16"), ("u16", "i16")]


def extremes(name, shape, seed):
    dtype = np.dtype(f"{name[0]}{int(name[1:]) // 8}")
    limits = np.iinfo(dtype)
    generator = np.random.default_rng(seed)
    array = generator.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return np.where(generator.random(shape) < 0.4, generator.choice([limits.min, limits.max], shape), array).astype(
        dtype
    )


def buffers(pair, shape):
    return [hl.Buffer(extremes(name, shape, seed)) for seed, name in enumerate(pair)]


def exact(a, b, axis):
    """The sums in int32, which wraps."""
    return (np.asarray(a).astype(np.int64) * np.asarray(b)).sum(axis).astype(np.int32)


@pytest.mark.part(3)
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
@pytest.mark.parametrize(("group", "lanes"), [(2, 16), (4, 16), (3, 8), (8, 16)])
@pytest.mark.part(3)
def test_groups_of_neighbours(pair, group, lanes):
    a, b = buffers(pair, (2, 40, group))
    x, y, xi = hl.vars("x y xi")
    f, r = hl.Func("f"), hl.RDom([(0, group)])
    f[x, y] = 0
    f[x, y] += hl.i32(a[r, x, y]) * hl.i32(b[r, x, y])
    f.update().split(x, x, xi, lanes).reorder(r, xi, x, y).atomic().vectorize(xi).vectorize(r)
    expected = exact(a, b, 2)
    np.testing.assert_array_equal(np.asarray(f.realize([40, 2])), expected)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
@pytest.mark.parametrize("lanes", [16, 32, 64, 96, 128])
@pytest.mark.part(3)
def test_rows_of_products(pair, lanes):
    a, b = buffers(pair, (3, 256))
    y, outer, inner = hl.Var("y"), hl.RVar("outer"), hl.RVar("inner")
    f, r = hl.Func("f"), hl.RDom([(0, 256)])
    f[y] = 0
    f[y] += hl.i32(a[r, y]) * hl.i32(b[r, y])
    f.update().split(r, outer, inner, lanes).atomic().vectorize(inner)
    np.testing.assert_array_equal(np.asarray(f.realize([3])), exact(a, b, 1))


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("lanes", [32, 64])
@pytest.mark.part(3)
def test_sums_of_narrow_numbers_and_multiples(name, lanes):
    a = hl.Buffer(extremes(name, (3, 256), 1))
    y, outer, inner = hl.Var("y"), hl.RVar("outer"), hl.RVar("inner")
    for factor in (1, 3, -128, 255, 32767):
        f, r = hl.Func("f"), hl.RDom([(0, 256)])
        f[y] = 5
        f[y] += hl.i32(a[r, y]) * factor
        f.update().split(r, outer, inner, lanes).atomic().vectorize(inner)
        expected = 5 + exact(a, np.int64(factor), 1)
        np.testing.assert_array_equal(np.asarray(f.realize([3])), expected)


def test_a_matrix_is_read_across_its_rows():
    a, b = hl.Buffer(extremes("u8", (4, 64), 1)), hl.Buffer(extremes("i8", (64, 48), 2))
    x, y, xi = hl.vars("x y xi")
    outer, inner = hl.RVar("outer"), hl.RVar("inner")
    f, r = hl.Func("f"), hl.RDom([(0, 64)])
    f[x, y] = 0
    f[x, y] += hl.i32(a[r, y]) * hl.i32(b[x, r])
    f.update().split(r, outer, inner, 4).split(x, x, xi, 16).reorder(inner, xi, outer, x, y)
    f.update().atomic().vectorize(xi).vectorize(inner)
    expected = np.asarray(a).astype(np.int32) @ np.asarray(b).astype(np.int32)
    np.testing.assert_array_equal(np.asarray(f.realize([48, 4])), expected)


def test_numbers_of_sixteen_bits_as_floats():
    numbers = [np.random.default_rng(seed).random((40, 2), np.float32) for seed in (1, 2)]
    a, b = [hl.Buffer((array.view(np.uint32) >> 16).astype(np.uint16)) for array in numbers]
    x, xi = hl.vars("x xi")
    f, r = hl.Func("f"), hl.RDom([(0, 2)])
    f[x] = 0.0
    f[x] += hl.f32(hl.reinterpret(hl.BFloat(16), a[r, x])) * hl.f32(hl.reinterpret(hl.BFloat(16), b[r, x]))
    f.update().split(x, x, xi, 16).reorder(r, xi, x).atomic().vectorize(xi).vectorize(r)
    cut = [(array.view(np.uint32) >> 16 << 16).view(np.float32) for array in numbers]
    np.testing.assert_allclose(np.asarray(f.realize([40])), (cut[0] * cut[1]).sum(1), rtol=1e-6)


@pytest.mark.skipif("+avx512vnni" not in host().features, reason="the machine has no such instruction")
@pytest.mark.parametrize("lanes", [32, 64])
def test_bytes_are_multiplied_by_one_instruction(lanes, tmp_path):
    a, b = hl.ImageParam(hl.UInt(8), 1, "a"), hl.ImageParam(hl.Int(8), 1, "b")
    y, outer, inner = hl.Var("y"), hl.RVar("outer"), hl.RVar("inner")
    f, r = hl.Func("f"), hl.RDom([(0, 256)])
    f[y] = 0
    f[y] += hl.i32(a[r]) * hl.i32(b[r])
    f.update().split(r, outer, inner, lanes).atomic().vectorize(inner)
    path = tmp_path / "f.s"
    f.compile_to_assembly(str(path), [a, b], "f")
    assert "vpdpbusd" in path.read_text()


@pytest.mark.parametrize("target", ["", "x86-64-linux-avx2-fma-avx-sse41-f16c", "x86-64-linux-sse41", "x86-64-linux"])
@pytest.mark.parametrize("lanes", [4, 8, 16, 24, 32, 64, 128])
@pytest.mark.part(3)
def test_sums_of_bytes_and_of_their_differences(lanes, target):
    a, b = buffers(("u8", "u8"), (3, 384))
    y, outer, inner = hl.Var("y"), hl.RVar("outer"), hl.RVar("inner")
    machine = hl.Target(target) if target else hl.get_host_target()
    wide = np.asarray(a).astype(np.int64), np.asarray(b).astype(np.int64)
    for kind, dtype in ((hl.i32, np.int32), (hl.u16, np.uint16), (hl.u64, np.uint64)):
        f, r = hl.Func("f"), hl.RDom([(0, 384)])
        f[y] = (kind(3), kind(5))
        f[y] = (f[y][0] + kind(hl.absd(a[r, y], b[r, y])), f[y][1] + kind(a[r, y]))
        f.update().split(r, outer, inner, lanes).atomic().vectorize(inner)
        differences, sums = f.realize([3], machine)
        np.testing.assert_array_equal(np.asarray(differences), 3 + abs(wide[0] - wide[1]).sum(1).astype(dtype))
        np.testing.assert_array_equal(np.asarray(sums), 5 + wide[0].sum(1).astype(dtype))


def test_blocks_of_differences():
    a, b = buffers(("u8", "u8"), (32, 256))
    x, y, outer, lane = hl.vars("x y outer lane")
    f, r = hl.Func("f"), hl.RDom([(0, 8), (0, 8)])
    f[x, y] = 0
    f[x, y] += hl.i32(hl.absd(a[x * 8 + r.x, y * 8 + r.y], b[x * 8 + r.x, y * 8 + r.y]))
    f.update().split(x, outer, lane, 16).reorder(r.x, lane, r.y, outer, y).atomic().vectorize(lane).vectorize(r.x)
    change = abs(np.asarray(a).astype(np.int32) - np.asarray(b)).reshape(4, 8, 32, 8).sum((1, 3))
    np.testing.assert_array_equal(np.asarray(f.realize([32, 4])), change)
