"""Object code sets the mode of floats as code of this process does, and restores that of its caller."""

import numpy as np
import pytest
from c_programs import descriptor, shared_library

import pipec as hl

x = hl.Var("x")
SMALL = np.array([1e-30, 2e-32, 1e-39, 3.0], np.float32)
TINY = np.float32(1e-9)
FLUSHED = np.array([0, 0, 0, SMALL[3] * TINY], np.float32)


def keeps_denormals():
    """Whether this thread's own arithmetic has denormal numbers."""
    return bool(np.float32(1e-39) * np.float32(1) != 0)


@pytest.mark.parametrize("schedule", [lambda f: f, lambda f: f.vectorize(x, 4), lambda f: f.parallel(x)])
@pytest.mark.parametrize("is_strict", [False, True])
@pytest.mark.part(3)
def test_small_results_are_zero_in_objects_unless_they_are_strict(tmp_path, schedule, is_strict):
    image, f = hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("f")
    product = image[x] * TINY
    f[x] = hl.strict_float(product) if is_strict else product
    schedule(f)
    library = shared_library(tmp_path, f, [image], "o")
    result = hl.Buffer(hl.Float(32), [4])
    raw = [descriptor(buffer) for buffer in (hl.Buffer(SMALL), result)]
    assert library.f(*[head for head, _ in raw]) == 0
    np.testing.assert_array_equal(np.asarray(result), SMALL * TINY if is_strict else FLUSHED)
    assert keeps_denormals()


def test_an_error_of_an_object_restores_the_mode(tmp_path):
    image, f = hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("f")
    f[x] = image[x + 1] * TINY
    library = shared_library(tmp_path, f, [image], "o")
    raw = [descriptor(buffer) for buffer in (hl.Buffer(SMALL), hl.Buffer(hl.Float(32), [4]))]
    assert library.f(*[head for head, _ in raw]) != 0
    assert keeps_denormals()


@pytest.mark.parametrize("lanes", [1, 4])
def test_strict_products_and_sums_are_rounded_apart_in_objects(tmp_path, lanes):
    a, b = np.random.default_rng(1).random((2, 64), np.float32) + 1
    images, f = [hl.ImageParam(hl.Float(32), 1, name) for name in "abc"], hl.Func("f")
    f[x] = hl.strict_float(images[0][x] * images[1][x] - images[2][x])
    f.vectorize(x, lanes) if lanes > 1 else None
    library = shared_library(tmp_path, f, images, "o")
    result = hl.Buffer(hl.Float(32), [64])
    raw = [descriptor(buffer) for buffer in (hl.Buffer(a), hl.Buffer(b), hl.Buffer(a * b), result)]
    assert library.f(*[head for head, _ in raw]) == 0
    assert (np.asarray(result) == 0).all()
