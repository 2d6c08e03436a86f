"""Tensors of torch as inputs and outputs, without copies."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ArgumentError

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.torch


@pytest.fixture
def doubled():
    image = hl.ImageParam(hl.Float(32), 2, "image")
    x, y = hl.vars("x y")
    f = hl.Func("doubled")
    f[x, y] = image[x, y] * 2
    return f.compile_to_callable([image])


def test_tensors_go_in_and_come_out(doubled):
    a, out = torch.rand(3, 4), torch.empty(3, 4)
    doubled(a, out)
    assert torch.equal(out, a * 2)


def test_realize_writes_into_a_tensor():
    x, y = hl.vars("x y")
    f = hl.Func()
    f[x, y] = x + 10 * y
    out = torch.empty(3, 4, dtype=torch.int32)
    f.realize(out)
    assert out[2, 3] == 23


@pytest.mark.parametrize("dtype", "bool uint8 int8 int16 int32 int64 uint16 float16 float32 float64".split())
def test_every_type_is_shared(dtype):
    tensor = torch.zeros(2, 3, dtype=getattr(torch, dtype))
    b = hl.Buffer(tensor)
    b[2, 1] = 1
    assert tensor[1, 2] == 1 and torch.from_dlpack(b).data_ptr() == tensor.data_ptr()


def test_bfloat16_is_computed_with():
    x = hl.Var("x")
    a = torch.tensor([0.5, -3.0, 2.5], dtype=torch.bfloat16)
    b = hl.Buffer(a)
    assert b.type() == hl.BFloat(16)
    f = hl.Func()
    f[x] = hl.cast(hl.BFloat(16), hl.f32(b[x]) * 2)
    out = torch.empty(3, dtype=torch.bfloat16)
    f.realize(out)
    assert out.tolist() == [1.0, -6.0, 5.0]
    with pytest.raises(BufferError, match="view"):
        torch.from_dlpack(b)


def test_strided_tensors_are_inputs():
    a = torch.arange(24).reshape(4, 6)
    b = hl.Buffer(a.t()[::2])
    np.testing.assert_array_equal(np.asarray(b), a.t()[::2].numpy())


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: torch.zeros(2, 3, requires_grad=True), "requires grad.*detach"),
        (lambda: torch.zeros(2, 3, device="meta"), "is on meta"),
        (lambda: torch.eye(3).to_sparse(), "to_dense"),
        (lambda: torch.zeros(2, 3, dtype=torch.complex64), "real"),
        (lambda: torch._neg_view(torch.ones(2, 3)), "resolve_neg"),
    ],
)
def test_what_cannot_be_shared_says_why(make, words, doubled):
    with pytest.raises((ArgumentError, ValueError), match=words):
        hl.Buffer(make())
    with pytest.raises(ArgumentError, match=f"(?s)buffer image.*{words}"):
        doubled(make(), np.zeros((2, 3), np.float32))
