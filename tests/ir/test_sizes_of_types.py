"""Sizes that a type cannot have, and types that cannot be stored."""

import pytest

import pipec as hl


@pytest.mark.parametrize("bits", ["32", 0, -8, 256, 1 << 70, [8], hl.Var("x"), 2.5])
def test_other_sizes_are_type_errors(bits):
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        hl.Int(bits)


@pytest.mark.parametrize("bits", [3, 24])
def test_a_func_of_a_type_that_cannot_be_stored_is_refused_by_name(bits):
    x, f, g = hl.Var("x"), hl.Func("odd"), hl.Func("g")
    f[x] = hl.cast(hl.Int(bits), x)
    g[x] = hl.i32(f[x])
    f.compute_root()
    with pytest.raises(hl.HalideError, match=f'Func "odd.*" has values of type int{bits}'):
        g.realize([4])
