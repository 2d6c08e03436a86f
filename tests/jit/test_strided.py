"""Interleaved data: strided loads share dense vectors, strided stores become dense, and nothing outside is touched."""

import ctypes
import mmap

import numpy as np
import pytest
from programs import arguments_of, const, load, loop, program, ramp, run, store, variable

import pipec as hl
from pipec.ir.expr import Add, Mul
from pipec.ir.stmt import Block
from pipec.ir.types import type_of_numpy
from pipec.jit.llvm.emit import emit_module


def between_guards(array):
    """Copies of an array that end, and begin, where memory ends."""
    page = mmap.PAGESIZE
    pages = -(-array.nbytes // page)
    copies = []
    for at_end in (True, False):
        memory = mmap.mmap(-1, (pages + 2) * page)
        whole = np.frombuffer(memory, np.uint8)
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        for guard in (0, pages + 1):
            assert protect(ctypes.c_void_p(whole.ctypes.data + guard * page), ctypes.c_size_t(page), 0) == 0
        start = (pages + 1) * page - array.nbytes if at_end else page
        copy = whole[start : start + array.nbytes].view(array.dtype)
        copy[:] = array
        copies.append(copy)
    return copies


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32, np.bool_])
@pytest.mark.parametrize("step", [2, 3, 4])
@pytest.mark.parametrize("lanes", [2, 8, 16])
def test_channels_apart_and_together(dtype, step, lanes):
    kind, count = type_of_numpy(np.dtype(dtype)), 3
    x = variable("x")
    pixels = np.random.default_rng(5).integers(0, 2 if dtype is np.bool_ else 250, count * lanes * step).astype(dtype)
    planes = {f"p{c}": np.zeros(count * lanes, dtype) for c in range(step)}
    first = Mul(x, const(lanes * step))

    def channel(c):
        return load(kind, "a", ramp(Add(first, const(c)), lanes, step))

    def where(c):
        return ramp(Add(first, const(step - 1 - c)), lanes, step)

    apart = [store(f"p{c}", channel(c), ramp(Mul(x, const(lanes)), lanes)) for c in range(step)]
    together = [store("back", channel(c), where(c)) for c in range(step)]
    for data in between_guards(pixels):
        for back in between_guards(np.zeros_like(pixels)):
            run(loop("x", count, Block((*apart, *together))), {"a": data}, {**planes, "back": back})
            for c in range(step):
                assert (planes[f"p{c}"] == pixels[c::step]).all()
            assert (back.reshape(-1, step) == pixels.reshape(-1, step)[:, ::-1]).all()


def test_neighbours_share_the_vectors_read():
    kind = type_of_numpy(np.dtype(np.float32))
    x, arrays = variable("x"), np.zeros(64, np.float32)
    first = Mul(x, const(16))
    even, odd = load(kind, "a", ramp(first, 8, 2)), load(kind, "a", ramp(Add(first, const(1)), 8, 2))
    body = loop("x", 400, store("out", Add(even, odd), ramp(Mul(x, const(8)), 8)))
    text = emit_module(program(body, arguments_of({"a": arrays}, {"out": arrays})))
    assert text.count("= load <8 x float>") == 2 and "gather" not in text


@pytest.mark.part(3)
@pytest.mark.parametrize("tail", ["GuardWithIf", "Predicate"])
@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.float32])
@pytest.mark.parametrize("channels", [2, 3, 4])
def test_tails_of_interleaved_rows_touch_no_neighbours(channels, kind, tail):
    x, y, xi, c = hl.vars("x y xi c")
    image = hl.ImageParam(type_of_numpy(np.dtype(kind)), 3, "image")
    image.dim(0).set_bounds(0, channels)
    image.dim(1).set_stride(channels)
    apart, woven = hl.Func("apart"), hl.Func("woven")
    apart[x, y, c] = image[c, image.dim(1).extent() - 1 - x, y]
    woven[c, x, y] = image[c, x, y]
    woven.output_buffer().dim(1).set_stride(channels)
    for func in (apart, woven):
        func.bound(c, 0, channels).unroll(c).split(x, x, xi, 16, getattr(hl.TailStrategy, tail))
        func.reorder(c, xi, x, y).vectorize(xi)
    for width in (1, 15, 16, 17, 61, 64):
        memory = np.arange((width + 2) * 5 * channels).astype(kind).reshape(5, width + 2, channels)
        image.set(hl.Buffer(memory[:, 1:-1]))
        planes = np.asarray(apart.realize([width, 5, channels]))
        assert (planes == memory[:, -2:0:-1].transpose(2, 0, 1)).all()
        output = np.full(memory.shape, 99, kind)
        woven.realize(hl.Buffer(output[:, 1:-1]))
        assert (output[:, 1:-1] == memory[:, 1:-1]).all() and (output[:, [0, -1]] == 99).all()


@pytest.mark.parametrize("kind", [hl.UInt(8), hl.Float(32)])
def test_masked_gathers_test_no_lane_by_itself(kind, tmp_path):
    x, _xi, n, func = hl.Var("x"), hl.Var("xi"), hl.Param(hl.Int(32), "n"), hl.Func("f")
    a, lut = hl.ImageParam(hl.Int(32), 1, "a"), hl.ImageParam(kind, 1, "lut")
    func[x] = hl.undef(kind)
    r = hl.RDom([(0, n)])
    func[r] = lut[hl.clamp(a[r], 0, lut.width() - 1)]
    ro, ri = hl.RVar("ro"), hl.RVar("ri")
    func.update().atomic().split(r, ro, ri, 8, hl.TailStrategy.GuardWithIf).vectorize(ri)
    path = tmp_path / "f.ll"
    target = hl.Target("x86-64-linux-avx-avx2-f16c-fma-sse41")
    func.compile_to_llvm_assembly(str(path), [a, lut, n], "f", target)
    assert "masked.gather" not in path.read_text()
    n.set(13)
    a.set(hl.Buffer(np.r_[np.arange(13)[::-1], np.full(3, -1)].astype(np.int32)))
    table = np.arange(40, 53).astype(np.uint8 if kind == hl.UInt(8) else np.float32)
    lut.set(hl.Buffer(table))
    result = hl.Buffer(kind, [16])
    result.fill(7)
    func.realize(result)
    assert list(np.asarray(result)) == [*table[::-1], 7, 7, 7]
