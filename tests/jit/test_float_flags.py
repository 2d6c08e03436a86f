"""What the Target lets LLVM do to operations on floats."""

import numpy as np
import pytest

import pipec as hl

x = hl.Var("x")
DIVIDED = {"host": True, "host-fast_math": False, "host-strict_float-fast_math": True}


def thirds(image):
    f = hl.Func("thirds")
    f[x] = image[x] / 3.0 + image[x + 1] / 3.0
    return f.vectorize(x, 8)


@pytest.mark.parametrize("target", DIVIDED)
def test_quotients_become_products_with_fast_math_only(target, tmp_path):
    image = hl.ImageParam(hl.Float(32), 1)
    thirds(image).compile_to_llvm_assembly(tmp_path / "f.ll", [image], "f", hl.Target(f"{target}-no_runtime"))
    assert ("fdiv" in (tmp_path / "f.ll").read_text()) == DIVIDED[target]


def test_fast_math_changes_the_last_digits_at_most():
    a = np.random.default_rng(0).random(65, np.float32)
    result = np.asarray(thirds(hl.Buffer(a)).realize([64], target=hl.Target("host-fast_math")))
    np.testing.assert_allclose(result, (a[:-1] + a[1:]) / 3, rtol=1e-6)
