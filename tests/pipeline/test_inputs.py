"""Params, ImageParams and embedded Buffers at a run; constraints and requirements."""

import numpy as np
import pytest

import pipec as hl
from pipec.errors import ArgumentError, BoundsError, DefinitionError, RequirementError

x, y = hl.vars("x y")
IMAGE = np.arange(12, dtype=np.uint8).reshape(3, 4)


@pytest.fixture
def image():
    return hl.ImageParam(hl.UInt(8), 2)


@pytest.fixture
def plus_one(image):
    f = hl.Func()
    f[x, y] = image[x, y] + 1
    return f


def test_params_change_without_compiling(monkeypatch):
    import pipec.pipeline.calls.compiled as compiled

    p, f = hl.Param(hl.Float(32)), hl.Func()
    f[x] = x * p
    with pytest.raises(ArgumentError, match="does not have a valid scalar value"):
        f.realize([3])
    p.set(0.5)
    assert np.asarray(f.realize([3])).tolist() == [0, 0.5, 1]
    monkeypatch.setattr(compiled, "compile_program", None)
    p.set(2)
    assert np.asarray(f.realize([3])).tolist() == [0, 2, 4]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (hl.Int(8), -5),
        (hl.UInt(8), 255),
        (hl.Int(64), -(2**63)),
        (hl.UInt(64), 2**64 - 1),
        (hl.Bool(), True),
        (hl.Float(16), 0.5),
        (hl.Float(64), 0.1),
        (hl.Float(32), float("-inf")),
    ],
)
def test_scalars_of_every_type_arrive(kind, value):
    p, f = hl.Param(kind, value), hl.Func()
    f[x] = p
    assert f.realize([1])[0] == value


def test_ranges_are_checked():
    p, f = hl.Param(hl.Int(32), "p_range", 50), hl.Func()
    f[x] = p
    p.set_range(0, 10)
    with pytest.raises(ArgumentError, match="Parameter p_range is 50 but must be at most 10"):
        f.realize([1])
    p.set(-1)
    with pytest.raises(ArgumentError, match="Parameter p_range is -1 but must be at least 0"):
        f.realize([1])
    p.set(5)
    assert f.realize([1])[0] == 5


def test_images(image, plus_one):
    with pytest.raises(ArgumentError, match=f"Buffer argument {image.name()} is nullptr"):
        plus_one.realize([4, 3])
    image.set(IMAGE)
    np.testing.assert_array_equal(np.asarray(plus_one.realize([4, 3])), IMAGE + 1)
    image.set(IMAGE[::-1])
    np.testing.assert_array_equal(np.asarray(plus_one.realize([4, 3])), IMAGE[::-1] + 1)
    image.set(hl.Buffer(IMAGE[0]))
    with pytest.raises(
        ArgumentError, match="requires a buffer of exactly 2 dimensions, but the buffer passed in has 1"
    ):
        plus_one.realize([4, 3])


def test_read_only_images(image, plus_one):
    fixed = IMAGE.copy()
    fixed.flags.writeable = False
    image.set(fixed)
    assert plus_one.realize([4, 3])[3, 2] == 12


def test_embedded_buffers_may_have_any_stride():
    for view in (IMAGE, IMAGE[:, ::-1], IMAGE[::2, ::3], IMAGE.T):
        f = hl.Func()
        b = hl.Buffer(view)
        f[x, y] = b[x, y]
        np.testing.assert_array_equal(np.asarray(f.realize([b.width(), b.height()])), view)


def test_embedded_buffers_may_change_shape_between_runs():
    b, f = hl.Buffer(IMAGE[:3, :3].copy()), hl.Func()
    f[x, y] = b[x, y]
    f.realize([3, 3])
    b.transpose(0, 1)
    np.testing.assert_array_equal(np.asarray(f.realize([3, 3])), IMAGE[:3, :3].T)


def test_inputs_must_be_dense_where_that_is_declared(image, plus_one):
    image.dim(0).set_stride(1)
    image.set(IMAGE[:, ::2])
    with pytest.raises(ArgumentError, match=r"Constraint violated: .*\.stride\.0 \(2\) == 1 \(1\)(.|\n)*set_stride"):
        plus_one.realize([2, 3])
    image.dim(0).set_stride(hl.Expr())
    np.testing.assert_array_equal(np.asarray(plus_one.realize([2, 3])), IMAGE[:, ::2] + 1)
    image.dim(0).set_stride(3)
    with pytest.raises(ArgumentError, match=r"stride\.0 \(2\) == 3 \(3\)"):
        plus_one.realize([2, 3])


def test_constraints_on_inputs(image, plus_one):
    image.set(IMAGE)
    image.dim(0).set_extent(4).dim(1).set_bounds(0, 3)
    plus_one.realize([4, 3])
    image.dim(1).set_min(1)
    with pytest.raises(ArgumentError, match=r"Constraint violated: .*\.min\.1 \(0\) == 1 \(1\)"):
        plus_one.realize([4, 3])


def test_constraints_on_outputs(image, plus_one):
    image.set(IMAGE)
    plus_one.output_buffer().dim(0).set_stride(2)
    a = np.zeros((3, 8), np.uint8)
    plus_one.realize(hl.Buffer(a[:, ::2]))
    np.testing.assert_array_equal(a[:, ::2], IMAGE + 1)
    assert not a[:, 1::2].any()
    with pytest.raises(ArgumentError, match=r"stride\.0 \(1\) == 2 \(2\)"):
        plus_one.realize(hl.Buffer(hl.UInt(8), [4, 3]))


def test_interleaved_outputs_are_allocated_as_demanded():
    f, c = hl.Func(), hl.Var("c")
    f[x, y, c] = hl.u8(x + y + c)
    f.output_buffer().dim(0).set_stride(3)
    f.output_buffer().dim(2).set_stride(1).set_bounds(0, 3)
    r = f.realize([5, 4, 3])
    assert r.dim(0).stride() == 3 and r.dim(2).stride() == 1 and r[4, 3, 2] == 9


def test_a_constrained_extent_is_a_constant():
    f, c, image = hl.Func(), hl.Var("c"), hl.ImageParam(hl.UInt(8), 3)
    image.dim(2).set_bounds(0, 3)
    f[x, y, c] = image[x, y, c] + hl.u8(image.dim(2).extent())
    f.output_buffer().dim(2).set_bounds(0, 3)
    f.unroll(c)
    image.set(np.ones((3, 2, 5), np.uint8))
    np.testing.assert_array_equal(np.asarray(f.realize([5, 2, 3])), np.full((3, 2, 5), 4))


def test_host_alignment_is_checked(image, plus_one):
    aligned = hl.Buffer(hl.UInt(8), [64, 3])
    aligned.fill(1)
    image.set_host_alignment(16)
    image.set(aligned)
    plus_one.realize([4, 3])
    image.set(aligned.cropped(0, 1, 32).translated(0, -1))
    with pytest.raises(ArgumentError, match="is not aligned to a 16 bytes boundary"):
        plus_one.realize([4, 3])


def test_reads_outside_tell_who_reads_what(image, plus_one):
    image.set(IMAGE)
    with pytest.raises(BoundsError) as caught:
        plus_one.realize([5, 3])
    text = str(caught.value)
    assert f"Input buffer {image.name()} is accessed at 4, which is beyond the max (3) in dimension 0" in text
    assert plus_one.name() in text and "test_inputs.py:" in text
    assert "[0, 3] x [0, 2]" in text and "repeat_edge" in text
    image.set(hl.Buffer(IMAGE).translated(1, 1))
    with pytest.raises(BoundsError, match=r"is accessed at 0, which is before the min \(1\) in dimension 1"):
        plus_one.realize([4, 3])


def test_requirements():
    p, f = hl.Param(hl.Int(32), "p_positive", -1), hl.Func()
    f[x] = p
    pipeline = hl.Pipeline(f)
    pipeline.add_requirement(p > 0, "negative values are bad", p)
    with pytest.raises(RequirementError, match=r"Requirement Failed: \(false\) negative values are bad -1"):
        pipeline.realize([1])
    p.set(2)
    assert pipeline.realize([1])[0] == 2
    with pytest.raises(DefinitionError, match="refers to Var or RVar x"):
        pipeline.add_requirement((x == 4) & (p > 0))
    with pytest.raises(DefinitionError, match="may use Params only"):
        pipeline.add_requirement(f[3] == 4)


def plain_pipeline():
    f = hl.Func()
    f[x] = x
    return hl.Pipeline(f), f


def test_a_requirement_may_mention_a_param_that_nothing_else_reads():
    p, (pipeline, _) = hl.Param(hl.Int(32), "p"), plain_pipeline()
    pipeline.add_requirement(p > 5, "p is", p)
    assert [argument.name for argument in pipeline.infer_arguments()] == ["p"]
    with pytest.raises(ArgumentError, match="Parameter p does not have a valid scalar value"):
        pipeline.realize([1])
    p.set(3)
    with pytest.raises(RequirementError, match=r"Requirement Failed: \(false\) p is 3"):
        pipeline.realize([1])
    p.set(7)
    assert list(pipeline.realize([2])) == [0, 1]


def test_arguments_of_a_callable_hold_in_requirements():
    p, (pipeline, _) = hl.Param(hl.Int(32), "p", 1), plain_pipeline()
    pipeline.add_requirement(p > 5, "p is", p)
    run, result = pipeline.compile_to_callable([p]), np.empty(2, np.int32)
    run(6, result)
    assert result.tolist() == [0, 1]
    with pytest.raises(RequirementError, match="p is 4"):
        run(4, result)
    with pytest.raises(ArgumentError, match="refers to parameter p, which was not found"):
        pipeline.compile_to_callable([])


@pytest.mark.parametrize(("height", "holds"), [(3, True), (4, False)])
def test_requirements_on_sizes_and_strides(height, holds):
    other = hl.ImageParam(hl.UInt(8), 2, "other")
    pipeline, f = plain_pipeline()
    other.set(hl.Buffer(np.zeros((7, height), np.uint8)))
    pipeline.add_requirement(other.dim(1).stride() == 3, "stride", other.dim(1).stride())
    pipeline.add_requirement(other.dim(0).extent() + f.output_buffer().dim(0).extent() == 8, "extents")
    pipeline.add_requirement(f.output_buffer().dim(0).stride() == 1)
    if holds:
        assert pipeline.realize([5])[4] == 4
    else:
        with pytest.raises(RequirementError, match="stride 4"):
            pipeline.realize([5])


def test_inputs_of_one_name_are_refused():
    a, b, f = hl.Param(hl.Int(32), "same", 1), hl.Param(hl.Int(32), "same", 2), hl.Func()
    f[x] = a + b
    with pytest.raises(DefinitionError, match="unique names"):
        f.realize([1])


@pytest.mark.parametrize("kind", ["Param", "ImageParam", "Buffer"])
@pytest.mark.parametrize("place", ["stored", "output"])
def test_a_func_may_have_the_name_of_an_input(kind, place):
    name, array = f"{kind}_of_{place}", np.arange(9, dtype=np.int32)
    if kind == "Buffer":
        p = hl.Buffer(array, name)
    else:
        p = hl.Param(hl.Int(32), name, 3) if kind == "Param" else hl.ImageParam(hl.Int(32), 1, name)
    x, f, g = hl.Var("x"), hl.Func(name), hl.Func("g")
    value = p if kind == "Param" else p[x]
    if kind == "ImageParam":
        p.set(array)
    f[x] = value + x
    g[x] = f[x] * value
    f.compute_root()
    output = f if place == "output" else g
    read = 3 if kind == "Param" else array[:5]
    expected = (array[:5] + read) * (1 if place == "output" else read)
    assert np.asarray(output.realize([5])).tolist() == expected.tolist()
    arguments = [] if kind == "Buffer" else [p]
    run = output.compile_to_callable(arguments)
    result = hl.Buffer(hl.Int(32), [5])
    run(*{"Param": [3], "ImageParam": [array], "Buffer": []}[kind], result)
    assert np.asarray(result).tolist() == expected.tolist()


def test_a_param_may_have_the_name_of_a_variable():
    x, u, p = hl.Var("x"), hl.Var("u"), hl.Param(hl.Int(32), "x", 4)
    f, g, r = hl.Func("f"), hl.Func("g"), hl.RDom([(0, p)])
    f[u] = p * 10 + u
    g[x] = f[x] + hl.sum(r + x) - p
    g.split(x, x, u, p).parallel(x)
    i = np.arange(6)
    assert np.asarray(g.realize([6])).tolist() == (40 + i + 6 + 4 * i - 4).tolist()
    f.compute_root()
    assert np.asarray(g.realize([6])).tolist() == (40 + i + 6 + 4 * i - 4).tolist()


def test_the_region_of_an_input_read_at_a_param_with_the_name_of_a_variable():
    x, p, f, image = hl.Var("x"), hl.Param(hl.Int(32), "x", 4), hl.Func("f"), hl.ImageParam(hl.UInt(8), 1)
    f[x] = image[2 * x + p]
    f.infer_input_bounds([8])
    assert (image.get().dim(0).min(), image.get().dim(0).max()) == (4, 18)
