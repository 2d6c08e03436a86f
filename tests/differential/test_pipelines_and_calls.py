"""Several outputs, Tuples, implicit arguments, callables, the forms of realize, in_ and clone_in; against the wheel."""

import numpy as np
import pytest
from differential import both_equal, equals, same

RANDOM = np.random.default_rng(15)
IMAGE = RANDOM.integers(0, 256, (6, 9), dtype=np.uint8)


def arrays(results):
    return [np.asarray(result) for result in results]


def test_pipeline_with_outputs_of_several_types():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        shared, a, b, c = hl.funcs("shared a b c")
        shared[x, y] = x * 3 + y
        a[x, y] = hl.u8(shared[x, y])
        b[x, y] = hl.f32(shared[x + 1, y]) / 2
        c[x, y] = shared[x, y - 1] > 6
        shared.compute_root()
        return arrays(hl.Pipeline([a, b, c]).realize([7, 5]))

    same(program)


def test_outputs_that_use_each_other():
    def program(hl):
        x = hl.Var("x")
        a, b = hl.Func("a"), hl.Func("b")
        a[x] = x * x
        b[x] = a[x] + 1
        return arrays(hl.Pipeline([b, a]).realize([6]))

    same(program)


def test_outputs_of_several_shapes_into_buffers():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        a, b = hl.Func("a"), hl.Func("b")
        a[x, y] = x * y
        b[x] = a[x, 3] + 1
        first, second = hl.Buffer(hl.Int(32), [8, 5]), hl.Buffer(hl.Int(32), [7])
        hl.Pipeline([a, b]).realize([first, second])
        return arrays([first, second])

    same(program)


def test_tuple_func():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        f, g = hl.Func("f"), hl.Func("g")
        f[x, y] = (x + y, hl.f32(x) * 0.5, hl.u8(y))
        g[x, y] = f[x, y][0] + f[x + 1, y][2]
        f.compute_root()
        return arrays([*f.realize([4, 3]), g.realize([5, 4])])

    same(program)


def test_mux_of_the_elements_of_a_tuple_func():
    def program(hl):
        x, c = hl.Var("x"), hl.Var("c")
        f, g = hl.Func("f"), hl.Func("g")
        g[x] = (123, x * 2, x)
        f[x, c] = hl.mux(c, g[x])
        return f.realize([3, 4])

    x = np.arange(3, dtype=np.int32)
    equals(program, np.stack([np.full(3, 123, np.int32), x * 2, x, x]))


def test_tuple_updates_read_the_old_elements():
    def program(hl):
        x, r = hl.Var("x"), hl.RDom([(0, 5)], "r")
        f = hl.Func("f")
        f[x] = (x, x * 10)
        f[x] = (f[x][1] + r, f[x][0] - r)
        f[r.x] = (f[r.x][1], f[r.x][0])
        return arrays(f.realize([5]))

    same(program)


def test_tuple_reduction_finds_the_place_of_the_maximum():
    def program(hl):
        r = hl.RDom([(0, 9), (0, 6)], "r")
        image = hl.Buffer(IMAGE)
        f = hl.Func("f")
        f[()] = (0, 0, hl.u8(0))
        better = image[r.x, r.y] > f[()][2]
        f[()] = (hl.select(better, r.x, f[()][0]), hl.select(better, r.y, f[()][1]), hl.max(image[r.x, r.y], f[()][2]))
        return arrays(f.realize())

    same(program)


def test_complex_numbers_as_tuples():
    class Complex:
        def __init__(self, real, imaginary=None):
            self.parts = [real[0], real[1]] if imaginary is None else [real, imaginary]

        def __len__(self):
            return 2

        def __getitem__(self, index):
            return self.parts[index]

        def __add__(self, other):
            return Complex(self[0] + other[0], self[1] + other[1])

        def __mul__(self, other):
            return Complex(self[0] * other[0] - self[1] * other[1], self[0] * other[1] + self[1] * other[0])

    def program(hl):
        x, y, t, r = hl.Var("x"), hl.Var("y"), hl.Var("t"), hl.RDom([(1, 7)], "r")
        f, escape = hl.Func("f"), hl.Func("escape")
        start = Complex(x / 15.0 - 1.5, y / 6.0 - 0.5)
        f[x, y, t] = Complex(hl.f32(0.0), hl.f32(0.0))
        f[x, y, r.x] = Complex(f[x, y, r.x - 1]) * Complex(f[x, y, r.x - 1]) + start
        escape[x, y] = f[x, y, 4][0] * f[x, y, 4][0] + f[x, y, 4][1] * f[x, y, 4][1]
        return escape.realize([12, 8])

    same(program, rtol=1e-4, atol=1e-6)


def test_implicit_arguments():
    def program(hl):
        x, y, c, _ = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl._
        f, g, h, k = hl.funcs("f g h k")
        f[x, y, c] = x + 10 * y + 100 * c
        g[_] = f[_] * 2
        h[x, _] = g[x + 1, _] + f[0, _]
        k[_, c] = h[_, c] - 1
        return [np.asarray(func.realize([3, 4, 2])) for func in (g, h, k)]

    same(program)


def test_implicit_arguments_of_a_scalar_and_an_update():
    def program(hl):
        x, _ = hl.Var("x"), hl._
        s, f, g = hl.funcs("s f g")
        s[()] = 7
        f[x] = x + s[()]
        g[_] = f[_]
        g[_] += 3
        return [np.asarray(g.realize([4])), np.asarray(s.realize())]

    same(program)


def test_callable_with_arrays_by_position_and_name():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        image, gain, bias = (
            hl.ImageParam(hl.UInt(8), 2, "image"),
            hl.Param(hl.Float(32), "gain"),
            hl.Param(hl.Int(16), "bias"),
        )
        f = hl.Func("f")
        f[x, y] = image[x, y] * gain + bias
        call = f.compile_to_callable([image, gain, bias])
        first, second, third = (np.zeros(IMAGE.shape, np.float32) for _ in range(3))
        call(IMAGE, 2.5, -3, first)
        call(IMAGE, bias=7, gain=0.25, f=second)
        call(hl.Buffer(IMAGE), 1.0, 100, hl.Buffer(third))
        return first, second, third

    same(program)


def test_callable_of_a_pipeline_with_two_outputs():
    def program(hl):
        x, n = hl.Var("x"), hl.Param(hl.Int(32), "n")
        a, b = hl.Func("a"), hl.Func("b")
        a[x], b[x] = x * n, hl.u8(x + n)
        first, second = np.zeros(5, np.int32), np.zeros(7, np.uint8)
        hl.Pipeline([a, b]).compile_to_callable([n])(3, first, second)
        return first, second

    same(program)


def test_forms_of_realize():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        f, s = hl.Func("f"), hl.Func("s")
        f[x, y], s[()] = x - y, 42
        into = hl.Buffer(hl.Int(32), [3, 2])
        assert f.realize(into) is None
        scalar = hl.Buffer.make_scalar(hl.Int(32))
        s.realize(scalar)
        results = [
            f.realize([3, 2]),
            f.realize((3, 2)),
            f.realize(sizes=[3, 2]),
            f.realize([3, 2], hl.get_jit_target_from_environment()),
        ]
        return arrays([*results, into, s.realize([]), s.realize(), scalar])

    same(program)


def test_lambda_and_evaluate():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        return [
            np.asarray(hl.lambda_func(x, y, x * y + 1).realize([3, 4])),
            np.asarray(hl.evaluate(hl.Expr(3) * 4 + 2)),
        ]

    same(program)


@pytest.mark.parametrize("directive", ["in_", "clone_in"])
def test_wrapper_and_clone(directive):
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        f, g, h = hl.funcs("f g h")
        f[x, y] = x * 7 + y
        g[x, y] = f[x, y] + f[x + 1, y]
        h[x, y] = f[x, y] * g[x, y - 1]
        getattr(f, directive)(g).compute_at(g, y)
        f.compute_root()
        g.compute_root()
        return h.realize([6, 5])

    same(program)


def test_specialization_takes_the_branch_of_the_parameter():
    def program(hl):
        x, p = hl.Var("x"), hl.Param(hl.Int(32), "p")
        f = hl.Func("f")
        f[x] = hl.select(p > 3, x * p, x - p)
        f.specialize(p > 3).vectorize(x, 4, hl.TailStrategy.GuardWithIf)
        f.specialize(p == 0)
        results = []
        for value in (0, 2, 7):
            p.set(value)
            results.append(np.array(f.realize([9])))
        return results

    same(program)


def test_requirement_that_holds():
    def program(hl):
        x, p = hl.Var("x"), hl.Param(hl.Int(32), "p", 3)
        f = hl.Func("f")
        f[x] = x / p
        pipeline = hl.Pipeline(f)
        pipeline.add_requirement(p > 0)
        return pipeline.realize([7])

    same(program)


def test_input_bounds_are_inferred():
    def program(hl):
        x, y, image = hl.Var("x"), hl.Var("y"), hl.ImageParam(hl.UInt(8), 2, "image")
        f = hl.Func("f")
        f[x, y] = image[x - 1, y * 2] + image[x + 3, y + 4]
        f.infer_input_bounds([6, 5])
        buffer = image.get()
        return [np.array([buffer.dim(i).min(), buffer.dim(i).extent()]) for i in range(2)]

    same(program)


def test_undefined_elements_keep_what_was_there():
    def program(hl):
        x = hl.Var("x")
        f = hl.Func("f")
        f[x] = hl.undef(hl.Int(32))
        f[x] = hl.select(x < 3, x * 2, f[x])
        out = np.full(6, 9, np.int32)
        f.realize(hl.Buffer(out))
        return out

    both_equal(program, np.array([0, 2, 4, 9, 9, 9], np.int32))


@pytest.mark.parametrize("length", [1, 5, 30])
@pytest.mark.part(2)
def test_chain_of_stencils(length):
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        previous = hl.BoundaryConditions.repeat_edge(hl.Buffer(IMAGE))
        for _ in range(length):
            stage = hl.Func("stage")
            stage[x, y] = (previous[x - 1, y] + previous[x, y] * 2 + previous[x + 1, y + 1]) / 2
            stage.compute_root()
            previous = stage
        return previous.realize([9, 6])

    same(program)
