"""C99 that pipelines are written as: compiled by cc without warnings, run, compared."""

import numpy as np
import pytest
from c_programs import blur, build, descriptor, expected, run, shared_library

import pipec as hl


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("c")
    func, image, gain = blur()
    func.compile_to_header(folder / "pipeline.h", [image, gain], "pipeline")
    func.compile_to_c(folder / "pipeline.c", [image, gain], "pipeline")
    build(folder, "pipeline.c")
    return folder


@pytest.mark.parametrize("size", [(200, 100), (5, 3)])
def test_c_computes_what_realize_does(folder, size):
    printed, result = run(folder, *size)
    assert printed == "0"
    assert (result == expected(*size)).all()


def test_wrong_stride_is_reported(folder):
    printed, _ = run(folder, 20, 10, 2)
    assert printed == "-8 Error: Constraint violated: blur_y.stride.0 (2) == 1"


def test_schedule_can_be_recognised(folder):
    text = (folder / "pipeline.c").read_text()
    assert "/* blur_x */" in text and "the schedule runs it in threads" in text
    assert "for (int i = 0; i < 16; i++)" in text


def test_prefetches_and_atomic_updates_are_left_out_of_c(tmp_path):
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    r = hl.RDom([(0, 16), (0, 8)])
    counts, copied = hl.Func("counts"), hl.Func("copied")
    counts[x] = 0
    counts[hl.i32(image[r.x, r.y])] += 1
    counts.update().atomic().parallel(r.y)
    counts.compute_root()
    copied[x, y] = image[x, y] + counts[hl.i32(image[x, y])]
    copied.prefetch(image, y, y, 2)
    inputs = hl.Buffer(np.random.default_rng(0).integers(0, 9, (8, 16), np.uint8))
    image.set(inputs)
    counts.bound(x, 0, 256)
    target_value = copied.realize([16, 8])
    result = hl.Buffer(target_value.type(), [16, 8])
    library = shared_library(tmp_path, copied, [image])
    raw = [descriptor(buffer) for buffer in (inputs, result)]
    assert library.f(*[head for head, _ in raw]) == 0 and library.halide_set_num_threads(4) == 1
    assert (np.asarray(result) == np.asarray(target_value)).all()
