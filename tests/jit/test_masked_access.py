"""Dense accesses under masks, on machines with and without an instruction for the elements."""

import sys

import numpy as np
import pytest
from programs import between_protected_pages, const, load, loop, ramp, run, store, variable

import pipec as hl
from pipec.ir.expr import Mul
from pipec.ir.stmt import Block
from pipec.ir.types import BOOL, type_of_numpy
from pipec.target import Target

BLOCKS = 24
TARGETS = {
    "host": Target("host"),
    "avx2": Target("x86-64-linux-sse41-avx-avx2-fma"),
    "sse41": Target("x86-64-linux-sse41"),
}


def masks(lanes):
    """All lanes, none, one, runs at each end and in the middle, several runs."""
    rng = np.random.default_rng(lanes)
    result = rng.random((BLOCKS, lanes)) < 0.5
    result[:8] = False
    result[0] = True
    result[2, 0] = result[3, -1] = True
    result[4, : lanes // 2] = result[5, lanes // 2 :] = result[6, 1:-1] = True
    result[7, ::2] = True
    return result.astype(np.uint8)


@pytest.mark.part(3)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("lanes", [4, 7, 16, 32, 64, 96])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32, np.float64])
def test_only_the_lanes_of_the_mask_are_read_and_written(dtype, lanes, target):
    mask = masks(lanes)
    a = np.arange(1, mask.size + 1).reshape(mask.shape).astype(dtype)
    index = ramp(Mul(variable("block"), const(lanes)), lanes)
    some = load(BOOL, "mask", index)
    read = store("read", load(type_of_numpy(a.dtype), "a", index, some), index)
    written = store("written", load(type_of_numpy(a.dtype), "a", index), index, some)
    out = {"read": np.full(mask.size, 9, dtype), "written": np.full(mask.size, 9, dtype)}
    run(
        loop("block", BLOCKS, Block((read, written))),
        {"a": a.ravel(), "mask": mask.ravel().view(np.bool_)},
        out,
        target=TARGETS[target],
    )
    np.testing.assert_array_equal(out["read"].reshape(mask.shape) * mask, a * mask)
    np.testing.assert_array_equal(out["written"].reshape(mask.shape), np.where(mask, a, 9))


@pytest.mark.part(3)
@pytest.mark.skipif(sys.platform != "linux", reason="protects pages by mprotect")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32])
@pytest.mark.parametrize("last", [False, True], ids=["first of a page", "last of a page"])
@pytest.mark.part(3)
def test_edges_read_nothing_beyond_the_pages_of_an_image(last, dtype, stride, target):
    values = np.arange(40, dtype=dtype)
    source = between_protected_pages(values, last)
    x, image, out = hl.Var("x"), hl.ImageParam(hl.Buffer(values).type(), 1), hl.Func("out")
    image.set(hl.Buffer(source))
    edges = hl.BoundaryConditions.repeat_edge(image)
    out[x] = edges[stride * x - 3] + edges[stride * x] + edges[stride * x + 4]
    out.vectorize(x, 16)
    at = stride * np.arange(48)
    right = sum(values[np.clip(at + k, 0, 39)] for k in (-3, 0, 4))
    np.testing.assert_array_equal(out.realize([48], TARGETS[target]), right)


def test_without_byte_masks_edges_are_loaded_by_a_function_not_lane_by_lane(tmp_path):
    x, image, out = hl.Var("x"), hl.ImageParam(hl.UInt(8), 1), hl.Func("out")
    edges = hl.BoundaryConditions.repeat_edge(image, [(0, 1000)])
    out[x] = edges[x - 2] + edges[x + 2]
    out.vectorize(x, 32)
    target = hl.Target("x86-64-linux-sse41-avx-avx2-fma-no_runtime")
    out.compile_to_llvm_assembly(tmp_path / "out.ll", [image], "out", target)
    text = (tmp_path / "out.ll").read_text()
    assert "@llvm.masked.load" not in text
    assert "@pipec.load.some.v32i8" in text


@pytest.mark.parametrize("shift", [-(2**31) + 5, 2**31 - 200, 250])
def test_vectors_far_from_an_image_have_the_value_of_its_edge(shift):
    x, moved, out = hl.Var("x"), hl.Param(hl.Int(32)), hl.Func("out")
    image = hl.Buffer(np.arange(200, dtype=np.uint8))
    image.set_min([100])
    out[x] = image[hl.clamp(x + moved, 100, 299)]
    out.vectorize(x, 16)
    moved.set(shift)
    np.testing.assert_array_equal(out.realize([64]), np.clip(np.arange(64) + shift, 100, 299) - 100)
