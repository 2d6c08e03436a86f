"""in_ and clone_in: what consumers read in a Func's place, with a schedule of its own, beside the wheel's."""

import gc
import io
import re
import sys
import weakref

import halide
import numpy as np
import pytest

import pipec

SIZE = 16


@pytest.fixture(params=[halide, pipec], ids=["wheel", "pipec"])
def hl(request):
    return request.param


class Example:
    """f with an update, read by g and h, both read by the output."""

    def __init__(self, hl):
        self.x, self.y = hl.vars("x y")
        x, y = self.x, self.y
        self.f, self.g, self.h, self.out = hl.funcs("f g h out")
        r = hl.RDom([(1, SIZE - 1)], "r")
        self.f[x, y] = x + 3 * y
        self.f[r, y] += self.f[r - 1, y] if hl is pipec else self.f[r.x - 1, y]
        self.g[x, y] = self.f[x, y] * 2
        self.h[x, y] = self.f[x, y] + 1
        self.out[x, y] = self.g[x, y] + self.h[x, y] * self.f[y, x]
        self.f.compute_root()
        self.g.compute_root()
        self.h.compute_root()

    def pixels(self):
        return np.array(self.out.realize([SIZE, SIZE]))


def expected():
    f = np.add.outer(3 * np.arange(SIZE), np.arange(SIZE)).cumsum(axis=1)
    return f * 2 + (f + 1) * f.T


USES = {
    "one consumer": lambda e: e.f.in_(e.g).compute_at(e.g, e.y).vectorize(e.x, 8),
    "the same again": lambda e: e.f.in_(e.g).compute_root() and e.f.in_(e.g).vectorize(e.x, 8),
    "shared": lambda e: e.f.in_([e.g, e.h]).compute_root(),
    "all": lambda e: e.f.in_().compute_root().parallel(e.y),
    "all but one": lambda e: (e.f.in_().compute_root(), e.f.in_(e.h).compute_at(e.h, e.y)),
    "a wrapper's": lambda e: (e.f.in_(e.g).compute_root(), e.f.in_(e.g).in_(e.g).compute_at(e.g, e.y)),
    "a clone": lambda e: e.f.clone_in(e.g).compute_at(e.g, e.y).vectorize(e.x, 8),
    "a shared clone": lambda e: e.f.clone_in([e.g, e.out]).compute_root(),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.part(3)
def test_pixels_stay(hl, use):
    example = Example(hl)
    USES[use](example)
    np.testing.assert_array_equal(example.pixels(), expected())


def test_what_was_compiled_is_compiled_anew():
    example = Example(pipec)
    np.testing.assert_array_equal(example.pixels(), expected())
    example.f.in_(example.g).compute_root()
    assert "f_in_g" in loop_nest(example.out)
    np.testing.assert_array_equal(example.pixels(), expected())


def loop_nest(func):
    stream, sys.stderr = sys.stderr, io.StringIO()
    try:
        func.print_loop_nest()
        return sys.stderr.getvalue()
    finally:
        stream, sys.stderr = sys.stderr, stream


def test_wrappers_have_loops_and_clones_the_schedule_of_the_original():
    example = Example(pipec)
    example.f.parallel(example.y)
    example.f.in_(example.g).compute_at(example.g, example.y)
    clone = example.f.clone_in(example.h)
    text = loop_nest(example.out)
    assert re.search(r"produce g\S*:\n *for y:\n *produce f\S*_in_g\S*:", text), text
    assert re.search(r"produce f\S*_clone_in_h\S*:\n *parallel y:", text), text
    assert clone.num_update_definitions() == 1


def test_nobody_may_change_a_stand_in(hl):
    example = Example(hl)
    # The wheel cannot clone a Func that has a wrapper.
    stand_ins = [example.f.in_(example.g), *([example.f.clone_in(example.h)] if hl is pipec else [])]
    for stand_in in stand_ins:
        with pytest.raises(hl.HalideError, match="cannot be given a new update definition"):
            stand_in[example.x, example.y] = 0


def test_mistakes_are_reported(hl):
    example = Example(hl)
    example.f.in_([example.g, example.h])
    with pytest.raises(hl.HalideError, match=r"Redefinition of shared wrapper \[f.*\] in g.* is illegal since h"):
        example.f.in_(example.g)
    with pytest.raises(hl.HalideError, match="for an empty list of Funcs"):
        example.f.in_([])
    with pytest.raises(TypeError, match="incompatible function arguments"):
        example.f.in_(3)
    with pytest.raises(hl.HalideError):
        hl.Func("undefined").in_(example.g)
    example.h.in_(example.g)
    with pytest.raises(hl.HalideError, match='Cannot wrap "h.*" in "g.*" because "g.*" does not call "h.*"'):
        example.pixels()


@pytest.mark.parametrize("methods", [("clone_in", "in_"), ("in_", "clone_in")])
def test_what_stands_in_a_funcs_place_already_is_returned(hl, methods):
    example = Example(hl)
    first, second = [getattr(example.f, method)(example.g) for method in methods]
    assert first.name() == second.name()
    first.compute_root()
    np.testing.assert_array_equal(example.pixels(), expected())


def test_wrapped_funcs_are_forgotten():
    example = Example(pipec)
    USES["all but one"](example)
    example.f.clone_in(example.g)
    example.pixels()
    watched = [weakref.ref(func.function) for func in (example.f, example.g, example.out)]
    del example
    # What nodes refer to is free when they are gone, which takes a collection for each Func in a chain.
    for _ in watched:
        gc.collect()
    assert [ref() for ref in watched] == [None, None, None]


def test_wrapped_pipelines_are_serialized():
    example = Example(pipec)
    USES["a wrapper's"](example)
    second = pipec.deserialize_pipeline(pipec.serialize_pipeline(pipec.Pipeline(example.out)))
    np.testing.assert_array_equal(second.realize([SIZE, SIZE]), expected())


@pytest.mark.parametrize("use", ["one", "all", "shared", "chain"])
def test_images_are_wrapped(hl, use):
    x, y = hl.vars("x y")
    image, g, h, out = hl.ImageParam(hl.Int(32), 2, "image"), *hl.funcs("g h out")
    g[x, y] = image[x, y] + image[x + 1, y]
    h[x, y] = image[x, y] * 2
    out[x, y] = g[x, y] - h[x, y]
    g.compute_root()
    h.compute_root()
    wrapper = image.in_(g) if use in ("one", "chain") else image.in_([g, h]) if use == "shared" else image.in_()
    wrapper.compute_at(g, y) if use == "one" else wrapper.compute_root()
    if use == "chain":
        wrapper.in_(g).compute_at(g, y)
    array = np.arange(SIZE * (SIZE + 1), dtype=np.int32).reshape(SIZE, SIZE + 1) ** 2
    image.set(hl.Buffer(array))
    np.testing.assert_array_equal(out.realize([SIZE, SIZE]), array[:, 1:] - array[:, :-1])
    if hl is pipec:
        assert "image_im_" in loop_nest(out)


def test_wrapped_images_are_forgotten():
    x, image, g = pipec.Var("x"), pipec.ImageParam(pipec.Int(32), 1, "image"), pipec.Func("g")
    g[x] = image[x]
    image.in_().compute_root()
    loop_nest(g)
    watched = [weakref.ref(g.function), weakref.ref(image.in_().function)]
    del g, image
    for _ in range(3):
        gc.collect()
    assert [ref() for ref in watched] == [None, None]
