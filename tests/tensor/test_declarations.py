"""Declarations of tensor intrinsics: patterns, implementations, and the proof that both are equal."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import DefinitionError, NotSupportedError
from pipec.ir.tensor import tensor_intrinsics
from pipec.pipeline.tensor.prove import difference_of, is_supported
from tests.tensor.dot_products import exact, integers, matrix_product, tensorized

BUILT_IN = [name for name, intrinsic in tensor_intrinsics().items() if name.startswith(("x86.", "arm."))]
U8, I8, I16, I32 = hl.UInt(8), hl.Int(8), hl.Int(16), hl.Int(32)
i, j = hl.vars("i j")


def dot(first, second, change=lambda c, a, b, i, k: None):
    """c[i] += a[k, i] * b[k, i], or another pattern of the same operands."""
    a, b, c = hl.ImageParam(first, 2, "a"), hl.ImageParam(second, 2, "b"), hl.Func("c")
    k = hl.RDom([(0, 4)], "k")
    c[i] = 0
    if change(c, a, b, i, k) is None:
        c[i] += hl.i32(a[k, i]) * hl.i32(b[k, i])
    return c


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.part(3)
def test_the_implementations_of_pipec_compute_their_patterns(name):
    intrinsic = tensor_intrinsics()[name]
    if not is_supported(intrinsic):
        pytest.skip(f"the processor lacks {', '.join(intrinsic.features)}")
    assert difference_of(intrinsic, samples=64) == ""


def test_the_list_shows_patterns():
    assert hl.tensor_intrinsics()["x86.vpdpbusd.512"] == (
        "c[i]: int32 = c + int32(a) * int32(b) with a[k, i]: uint8, b[k, i]: int8 for i < 16, k < 4"
    )


def by_words(c, a, b):
    """Sums of products of words, from both halves of each pair."""
    for term in range(4):
        places = range(term, 32, 4)
        c = c + (a.lanes(places).cast(I16) * b.lanes(places).cast(I16)).cast(I32)
    return c


def test_a_function_of_vectors_is_an_implementation():
    hl.tensor_intrinsic("dot by words", dot(U8, I8), [8], by_words)
    product = tensorized(matrix_product(U8, I8, 8), "dot by words", 8, 4)
    a, b = integers("uint8", (3, 8)), integers("int8", (8, 16), 1)
    product.a.set(hl.Buffer(a))
    product.b.set(hl.Buffer(b))
    np.testing.assert_array_equal(np.asarray(product.c.realize([16, 3])), exact(a, b))


SATURATING = """
declare <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8>, <32 x i8>)
declare <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16>, <16 x i16>)
%p = call <16 x i16> @llvm.x86.avx2.pmadd.ub.sw(<32 x i8> %a, <32 x i8> %b)
%d = call <8 x i32> @llvm.x86.avx2.pmadd.wd(<16 x i16> %p, <16 x i16> splat (i16 1))
%r = add <8 x i32> %c, %d
ret <8 x i32> %r
"""


@pytest.mark.skipif(not is_supported(tensor_intrinsics()["x86.vpmaddwd.256"]), reason="the processor lacks AVX2")
def test_an_instruction_that_saturates_is_no_dot_product():
    with pytest.raises(DefinitionError, match=r"c\[0\] becomes -?\d+ where the pattern gives -?\d+, for c\[i\]: int32"):
        hl.tensor_intrinsic("saturating", dot(U8, I8), [8], SATURATING, supports=["avx2"])
    assert "saturating" not in hl.tensor_intrinsics()


def test_what_llvm_cannot_select_is_an_error_and_not_the_end():
    other = "arm" if hl.get_host_target().arch == hl.TargetArch.X86 else "x86"
    function = {"arm": "aarch64.neon.sdot.v4i32.v16i8", "x86": "x86.avx512.vpdpbusd.128"}[other]
    kind = {"arm": "<16 x i8>", "x86": "<4 x i32>"}[other]
    text = f"""declare <4 x i32> @llvm.{function}(<4 x i32>, {kind}, {kind})
        %x = bitcast <16 x i8> %a to {kind}
        %d = call <4 x i32> @llvm.{function}(<4 x i32> %c, {kind} %x, {kind} %x)
        ret <4 x i32> %d"""
    with pytest.raises(DefinitionError, match="LLVM cannot make code of it for this machine: .*Name the features"):
        hl.tensor_intrinsic("foreign", dot(I8, I8), [4], text)


@pytest.mark.parametrize(("text", "features"), [("ret <8 x i32> %c", ["amx-int8"]), ("%t = call x86_amx @f()", [])])
def test_tile_registers_are_refused_with_the_vectors_that_do_the_same(text, features):
    with pytest.raises(NotSupportedError, match=r"tiles computes in tile registers.*x86\.vpdpbusd\.512"):
        hl.tensor_intrinsic("tiles", dot(U8, I8), [8], text, supports=features)


REFUSED_TEXTS = {
    "%d = add <8 x i32> %c, %q\nret <8 x i32> %d": "reads %q, which is no operand",
    "%c = add <8 x i32> %c, %c\nret <8 x i32> %c": "computes %c twice",
    "br label %there\nret <8 x i32> %c": "without branches",
    "%d = add <8 x i32> %c, %c": "must end with `ret <8 x i32>`",
    "": "must end with",
}


@pytest.mark.parametrize("text", REFUSED_TEXTS)
def test_text_that_is_no_implementation_is_refused(text):
    with pytest.raises(DefinitionError, match=REFUSED_TEXTS[text]):
        hl.tensor_intrinsic("wrong", dot(U8, I8), [8], text)


def reads_a_loop(c, a, b, i, k):
    c[i] += a[k, i] * i
    return c


def reads_shifted(c, a, b, i, k):
    c[i] += hl.i32(a[k, i + 1])
    return c


def writes_elsewhere(c, a, b, i, k):
    c[0] += hl.i32(a[k, 0])
    return c


def has_a_condition(c, a, b, i, k):
    k.where(k < 2)
    c[i] += hl.i32(a[k, i])
    return c


REFUSED_PATTERNS = {
    reads_a_loop: "computes with i: it may compute with what it reads only",
    reads_shifted: r"reads a\(k.*, i \+ 1\): the coordinates must be different loops",
    writes_elsewhere: "writes at 0: its coordinates must be i",
    has_a_condition: "has a condition",
}


@pytest.mark.parametrize("change", REFUSED_PATTERNS)
def test_a_func_that_is_no_pattern_is_refused(change):
    with pytest.raises(DefinitionError, match=REFUSED_PATTERNS[change]):
        hl.tensor_intrinsic("wrong", dot(U8, I8, change), [8], by_words)


def test_extents_are_checked():
    with pytest.raises(DefinitionError, match="needs an extent for each of i"):
        hl.tensor_intrinsic("wrong", dot(U8, I8), [8, 4], by_words)
    with pytest.raises(DefinitionError, match="has 8192 iterations: the most is 4096"):
        hl.tensor_intrinsic("wrong", dot(U8, I8), [2048], by_words)


def test_an_outer_product_has_a_result_of_two_dimensions():
    a, b, c = hl.ImageParam(I16, 1, "a"), hl.ImageParam(I16, 1, "b"), hl.Func("c")
    c[i, j] = 0
    c[i, j] += hl.i32(a[i]) * hl.i32(b[j])

    def implementation(c, a, b):
        wide = a.cast(I32).lanes([0, 1, 2, 3] * 2) * b.cast(I32).lanes([0] * 4 + [1] * 4)
        return c + wide

    hl.tensor_intrinsic("outer product", c, [4, 2], implementation)
    x, y, xi, yi = hl.vars("x y xi yi")
    f, r = hl.Func("f"), hl.RDom([(0, 5)])
    first, second = integers("int16", (5, 8)), integers("int16", (5, 6), 1)
    left, right = hl.Buffer(first), hl.Buffer(second)
    f[x, y] = 0
    f[x, y] += hl.i32(left[x, r]) * hl.i32(right[y, r])
    f.update().tile(x, y, xi, yi, 4, 2).reorder(xi, yi, r, x, y).tensorize([xi, yi], "outer product")
    expected = second.T.astype(np.int64) @ first.astype(np.int64)
    np.testing.assert_array_equal(np.asarray(f.realize([8, 6])), expected.astype(np.int32))
