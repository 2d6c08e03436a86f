"""Squares are read and written by their rows and transposed in registers, and nothing outside is touched."""

import numpy as np
import pytest
from programs import arguments_of, const, load, loop, program, ramp, run, store, variable
from test_strided import between_guards

import pipec as hl
from pipec.ir.expr import Add, Mul
from pipec.ir.stmt import Block
from pipec.ir.types import type_of_numpy
from pipec.jit.llvm.emit import emit_module
from pipec.jit.llvm.memory.transpose import squares, transposed


@pytest.mark.parametrize("element_bytes", [1, 2, 4, 8])
@pytest.mark.parametrize("lanes", [4, 8, 16, 64])
def test_the_network_transposes(lanes, element_bytes):
    rows = [[(row, lane) for lane in range(lanes)] for row in range(lanes)]
    columns = transposed(rows, element_bytes, lambda a, b, indices: [(a + b)[i] for i in indices])
    assert columns == [list(column) for column in zip(*rows, strict=True)]


def test_squares_are_whole_runs_of_neighbours():
    assert squares([9, 3, 4, 5, 6, 7, 11, 12, 13, 14], 4) == [3, 11]


@pytest.mark.part(3)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32, np.float64, np.bool_])
@pytest.mark.parametrize("lanes", [4, 8, 16])
@pytest.mark.parametrize("gap", [0, 3])
@pytest.mark.parametrize("upwards", [True, False])
def test_columns_apart_and_together(dtype, lanes, gap, upwards):
    kind, count, width = type_of_numpy(np.dtype(dtype)), 3, max(lanes, 5) + gap
    x, sign = variable("x"), 1 if upwards else -1
    limit = 2 if dtype is np.bool_ else 250
    pixels = np.random.default_rng(5).integers(0, limit, (count, lanes, width)).astype(dtype)
    flat = pixels.ravel()[: pixels.size - (width - lanes)]  # the last row ends with the square
    rows, back = np.zeros((count, lanes, lanes), dtype), np.zeros_like(flat)

    def column(i):
        start = Mul(x, const(lanes * width))
        return ramp(Add(start, const(i if upwards else i + (lanes - 1) * width)), lanes, sign * width)

    def row(i):
        return ramp(Add(Mul(x, const(lanes * lanes)), const(i * lanes)), lanes)

    apart = [store("rows", load(kind, "a", column(i)), row(i)) for i in range(lanes)]
    together = [store("back", load(kind, "rows", row(i)), column(i)) for i in range(lanes)]
    for data in between_guards(flat):
        for back in between_guards(np.zeros_like(flat)):
            run(loop("x", count, Block((*apart, *together))), {"a": data}, {"rows": rows.ravel(), "back": back})
            square = pixels[:, :, :lanes]
            assert (rows == (square if upwards else square[:, ::-1]).swapaxes(1, 2)).all()
            written = np.zeros(pixels.size, dtype)
            written[: back.size] = back
            assert (written.reshape(pixels.shape)[:, :, :lanes] == square).all()
            assert not written.reshape(pixels.shape)[:, :, lanes:].any()


def test_a_square_is_read_once():
    kind, lanes = type_of_numpy(np.dtype(np.float32)), 8
    x, arrays = variable("x"), np.zeros(640, np.float32)
    columns = [load(kind, "a", ramp(Add(x, const(i)), lanes, 20)) for i in range(lanes)]
    stores = [
        store("out", column, ramp(Add(Mul(x, const(64)), const(8 * i)), lanes)) for i, column in enumerate(columns)
    ]
    text = emit_module(program(loop("x", 400, Block(tuple(stores))), arguments_of({"a": arrays}, {"out": arrays})))
    assert text.count("= load <8 x float>") == 8 and "load float" not in text
    assert text.count("shufflevector <8 x float>") == 24


def test_columns_change_with_their_memory():
    kind, lanes = type_of_numpy(np.dtype(np.int32)), 4
    a = np.arange(32, dtype=np.int32)
    body = []
    for i in range(lanes):
        body.append(store("out", load(kind, "a", ramp(const(i), lanes, 8)), ramp(const(4 * i), lanes)))
        body.append(store("a", load(kind, "a", ramp(const(8), lanes)), ramp(const(i + 1), lanes, 8)))
    expected, memory = [], a.copy()
    for i in range(lanes):
        expected += memory[i : i + 32 : 8].tolist()
        memory[i + 1 : i + 33 : 8] = memory[8:12].copy()
    out, changed = np.zeros(16, np.int32), a.copy()
    run(Block(tuple(body)), {}, {"out": out, "a": changed})
    assert out.tolist() == expected and (changed == memory).all()


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_images_of_any_stride_are_turned(dtype):
    """The distance between rows is known only at run time."""
    x, y, xi, yi = hl.vars("x y xi yi")
    source, turned = hl.ImageParam(hl.Buffer(np.zeros(1, dtype)).type(), 2, "source"), hl.Func("turned")
    turned[x, y] = source[y, x]
    turned.tile(x, y, xi, yi, 16, 16).vectorize(xi).unroll(yi)
    whole = np.random.default_rng(3).integers(0, 200, (90, 70)).astype(dtype)
    for image in (whole, whole[::-1], whole[20:60, 5:45], whole[::2, 3:50]):
        source.set(hl.Buffer(image))
        assert np.array_equal(np.asarray(turned.realize([image.shape[0], image.shape[1]])), image.T)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_squares_of_outputs_are_stored_by_rows_whatever_their_strides_are(dtype):
    x, y, xi, yi = hl.vars("x y xi yi")
    source, output = hl.ImageParam(type_of_numpy(np.dtype(dtype)), 2, "source"), hl.Func("output")
    output[x, y] = source[y, x]
    output.tile(x, y, xi, yi, 8, 8).reorder(yi, xi, x, y).vectorize(yi).unroll(xi)
    pixels = np.random.default_rng(2).integers(0, 250, (43, 37)).astype(dtype)
    source.set(hl.Buffer(pixels))
    padded = np.zeros((37, 64), dtype)
    for target in (padded[:, :43], padded[::-1, :43]):
        output.realize(hl.Buffer(target))
        assert (target == pixels.T).all() and not padded[:, 43:].any()
