"""Strict operations on floats are rounded one by one, whatever stands around them."""

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.jit.llvm.emit import emit_module
from pipec.lower.lower import lower

x = hl.Var("x")
SIZE = 64
RANDOM = np.random.default_rng(3)


def factors(dtype):
    return [(1 + RANDOM.random(SIZE)).astype(dtype) for _ in range(3)]


@pytest.fixture(params=["float32", "float64"])
def operands(request):
    """Three arrays; their product minus the third, rounded once, is another number than rounded twice."""
    a, b, _ = factors(request.param)
    return a, b, (a * b).astype(request.param)


def images(arrays):
    return [hl.Buffer(array)[x] for array in arrays]


def realized(f, target="host"):
    return np.asarray(f.realize([SIZE], target=hl.Target(target)))


def func(value, lanes=1, name="f"):
    f = hl.Func(name)
    f[x] = value
    if lanes > 1:
        f.vectorize(x, lanes)
    return f


def llvm_text(f):
    definition, _ = freeze([f.function], "strict")
    return emit_module(lower(definition, schedule_of([f.function]), hl.get_jit_target_from_environment()))


@pytest.mark.parametrize("lanes", [1, 8])
def test_a_strict_product_and_sum_are_rounded_apart(operands, lanes):
    a, b, c = images(operands)
    assert (realized(func(hl.strict_float(a * b - c), lanes)) == 0).all()


def test_products_and_sums_are_fused_without_strictness(operands):
    a, b, c = images(operands)
    assert "contract" in llvm_text(func(a * b - c))


@pytest.mark.parametrize("lanes", [1, 8])
def test_the_target_feature_makes_all_operations_strict(operands, lanes):
    a, b, c = images(operands)
    assert (realized(func(a * b - c, lanes), "host-strict_float") == 0).all()


@pytest.mark.parametrize("lanes", [1, 8])
def test_a_strict_product_is_not_fused_with_a_sum_outside(operands, lanes):
    a, b, c = images(operands)
    assert (realized(func(hl.strict_float(a * b) - c, lanes)) == 0).all()


@pytest.mark.parametrize("lanes", [1, 8])
def test_a_strict_product_stays_so_next_to_the_same_product_outside(operands, lanes):
    a, b, c = images(operands)
    assert (realized(func(hl.select(a * b + 1 > 0, hl.strict_float(a * b) - c, a * b), lanes)) == 0).all()


@pytest.mark.parametrize("lanes", [1, 8])
def test_a_strict_definition_stays_so_where_it_is_inlined(operands, lanes):
    a, b, c = images(operands)
    product = func(hl.strict_float(a * b), name="product")
    assert (realized(func(product[x] - c, lanes)) == 0).all()


@pytest.mark.parametrize("lanes", [1, 8])
def test_a_strict_sum_rounds_the_product_of_an_inlined_func(operands, lanes):
    a, b, c = images(operands)
    product = func(a * b, name="product")
    assert (realized(func(hl.strict_float(product[x] - c), lanes)) == 0).all()


@pytest.mark.parametrize("lanes", [1, 8])
def test_a_strict_product_of_uniform_values_is_rounded(operands, lanes):
    (a, b, _), offset = operands, hl.Param(hl.Buffer(operands[0]).type(), "offset")
    p, q = hl.Param(offset.type(), "p"), hl.Param(offset.type(), "q")
    p.set(a[0].item()), q.set(b[0].item()), offset.set((a[0] * b[0]).item())
    assert (realized(func(hl.strict_float(p * q) + hl.cast(p.type(), x * 0) - offset, lanes)) == 0).all()


def test_strict_operations_of_unrolled_loops_have_no_flags(operands):
    a, b, c = images(operands)
    f = func(hl.strict_float(a * b - c))
    f.bound(x, 0, 4)
    f.unroll(x)
    assert "contract" not in llvm_text(f)


def test_a_strict_distance_and_remainder_are_rounded_apart(operands):
    a, b, c = images(operands)
    assert (realized(func(hl.strict_float(hl.absd(a * b, c)))) == 0).all()
    p, q, _ = operands
    f = func(hl.strict_float(a % b))
    assert (realized(f) == p - q * np.floor(p / q)).all()


def test_a_strict_sum_may_not_be_reordered():
    total, r = hl.Func("total"), hl.RDom([(0, 64)])
    values = hl.Buffer(RANDOM.random(64).astype(np.float32))
    total[()] = hl.f32(0)
    total[()] = hl.strict_float(total[()] + values[r])
    exact = np.float32(0)
    for value in np.asarray(values):
        exact += value
    assert np.asarray(total.realize())[()] == exact
    with pytest.raises(hl.HalideError):
        total.update().rfactor(r, hl.Var("u"))


def test_a_strict_operation_has_the_gradient_of_the_plain_one():
    a, b = [hl.Buffer(array) for array in factors("float32")[:2]]
    gradients = []
    for strict in (hl.strict_float, lambda e: e):
        f = func(strict(a[x] * b[x] - a[x] / b[x]))
        gradients.append(realized(hl.propagate_adjoints(f, [(0, SIZE)])[a]))
    np.testing.assert_allclose(*gradients, rtol=1e-6)


def test_a_strict_operation_reads_as_arithmetic_in_latex():
    p = hl.Var("p")
    assert "strict" not in hl.strict_float(hl.f32(p) * 2.0)._repr_latex_()


def test_sixteen_bit_floats_are_rounded_apart():
    a, b, _ = factors("float16")
    f = func(hl.f32(hl.strict_float(hl.Buffer(a)[x] * hl.Buffer(b)[x] - hl.Buffer(a * b)[x])), 8)
    assert (realized(f) == 0).all()


@pytest.mark.parametrize("is_strict", [False, True])
def test_sums_of_strict_products_of_bfloats_are_not_one_instruction(is_strict):
    a, b = [hl.Buffer(hl.BFloat(16), [64]) for _ in "ab"]
    total, r = hl.Func("total"), hl.RDom([(0, 64)])
    total[()] = 0.0
    total[()] += hl.f32(a[r]) * hl.f32(b[r])
    total.update().atomic().vectorize(r, 32)
    definition, _ = freeze([total.function], "strict")
    program = lower(definition, schedule_of([total.function]), hl.get_jit_target_from_environment())
    text = emit_module(program, "" if is_strict else "contract ", abilities=frozenset({"fma", "dot bfloats"}))
    assert ("dpbf16ps" in text) != is_strict
