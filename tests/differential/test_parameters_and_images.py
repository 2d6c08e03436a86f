"""Param, ImageParam and embedded Buffers of every type, stride, offset and shape; against the wheel."""

import numpy as np
import pytest
from differential import both_equal, equals, same, type_of

RANDOM = np.random.default_rng(13)
TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "bool"]


@pytest.mark.parametrize("dtype", TYPES)
def test_param_of_each_type_set_between_runs(dtype):
    values = {"bool": [True, False], "float32": [0.5, -2.25], "float64": [0.5, -1e10]}.get(dtype, [7, 100])

    def program(hl):
        x, p = hl.Var("x"), hl.Param(type_of(hl, dtype), "p")
        f = hl.Func("f")
        f[x] = hl.select(x % 2 == 0, p, hl.cast(type_of(hl, dtype), x))
        results = []
        for value in values:
            p.set(value)
            results.append(np.array(f.realize([4])))
        return results

    same(program)


def test_param_limits_of_each_integer_type():
    def program(hl):
        x = hl.Var("x")
        params = []
        for dtype in TYPES[:7]:
            limits = np.iinfo(dtype)
            params += [
                hl.Param(type_of(hl, dtype), f"{dtype}_{end}", int(getattr(limits, end))) for end in ("min", "max")
            ]
        f = hl.Func("f")
        f[x] = hl.mux(x, [hl.i64(p) for p in params])
        return f.realize([len(params)])

    same(program)


def test_several_params_in_one_expression():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        scale, offset, flag = (
            hl.Param(hl.Float(32), "scale", 1.5),
            hl.Param(hl.Int(16), "offset", -3),
            hl.Param(hl.Bool(), "flag", True),
        )
        f = hl.Func("f")
        f[x, y] = hl.select(flag, (x + y) * scale + offset, -1.0)
        first = np.array(f.realize([5, 4]))
        flag.set(False)
        return first, np.array(f.realize([5, 4]))

    same(program)


def test_param_as_index_and_as_domain():
    def program(hl):
        x, n, shift = hl.Var("x"), hl.Param(hl.Int(32), "n", 3), hl.Param(hl.Int(32), "shift", 2)
        data = hl.Buffer(np.arange(30, dtype=np.int32) ** 2).copy()
        r = hl.RDom([(0, n)], "r")
        f = hl.Func("f")
        f[x] = hl.sum(data[x + r + shift])
        results = [np.array(f.realize([6]))]
        for count, by in ((0, 0), (7, 1)):
            n.set(count)
            shift.set(by)
            results.append(np.array(f.realize([6])))
        return results

    same(program)


@pytest.mark.parametrize("dtype", [t for t in TYPES if t != "uint64"])
@pytest.mark.part(3)
def test_image_of_each_type(dtype):
    values = RANDOM.integers(0, 2 if dtype == "bool" else 100, (4, 6)).astype(dtype)

    def program(hl):
        x, y, image = hl.Var("x"), hl.Var("y"), hl.ImageParam(type_of(hl, dtype), 2, "image")
        f = hl.Func("f")
        f[x, y] = hl.select(x > y, image[x, y], image[y, x])
        image.set(hl.Buffer(values))
        return f.realize([4, 4])

    same(program)


def test_image_set_between_runs_to_other_sizes():
    arrays = [RANDOM.integers(0, 100, size).astype(np.int32) for size in ((3, 4), (9, 5), (1, 1))]

    def program(hl):
        x, y, image = hl.Var("x"), hl.Var("y"), hl.ImageParam(hl.Int(32), 2, "image")
        f = hl.Func("f")
        edge = hl.BoundaryConditions.repeat_edge(image)
        f[x, y] = edge[x - 1, y] + 2 * edge[x + 1, y + 1] + image.width() * 1000 + image.height() * 100000
        results = []
        for array in arrays:
            image.set(hl.Buffer(array))
            results.append(np.array(f.realize(list(array.shape[::-1]))))
        return results

    same(program)


def test_image_sizes_and_offsets_are_expressions():
    array = RANDOM.integers(0, 9, (4, 6)).astype(np.int32)

    def program(hl):
        x, image = hl.Var("x"), hl.ImageParam(hl.Int(32), 2, "image")
        buffer = hl.Buffer(array)
        buffer.set_min([5, -2])
        image.set(buffer)
        f = hl.Func("f")
        facts = [image.width(), image.height(), image.left(), image.right(), image.top(), image.bottom()]
        facts += [image.dim(0).min(), image.dim(1).extent(), image.dim(0).max(), image.dim(1).stride()]
        f[x] = hl.mux(x, facts) + image[5, -2] * 0
        return f.realize([len(facts)])

    same(program)


def test_image_constrained_to_bounds():
    array = RANDOM.integers(0, 9, (4, 6)).astype(np.int32)

    def program(hl):
        x, y, image = hl.Var("x"), hl.Var("y"), hl.ImageParam(hl.Int(32), 2, "image")
        image.dim(0).set_bounds(0, 6).dim(1).set_bounds(0, 4)
        f = hl.Func("f")
        f[x, y] = image[hl.clamp(x - 1, 0, 5), y] + image.width()
        image.set(hl.Buffer(array))
        return f.realize([8, 4])

    same(program)


def views():
    base = RANDOM.integers(-1000, 1000, (20, 24)).astype(np.int32)
    read_only = base[:7, :6].copy()
    read_only.flags.writeable = False
    return {
        "every second row": base[::2, 2:9],
        "rows backwards": base[6::-1, :6],
        "every third column": base[:7, ::3],
        "columns backwards": base[:7, 7::-1],
        "both backwards": base[6::-1, 7:1:-1],
        "transposed": base[:6, :7].T,
        "fortran order": np.asfortranarray(base[:7, :6]),
        "broadcast": np.lib.stride_tricks.as_strided(base, (7, 6), (0, 4)),
        "read-only": read_only,
    }


@pytest.mark.parametrize("name", [name for name in views() if name != "read-only"])
def test_embedded_views_of_arrays(name):
    array = views()[name]

    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        image = hl.Buffer(array)
        f = hl.Func("f")
        f[x, y] = image[x, y] * 2 + image[x // 2, y // 2]
        return f.realize([6, 7])

    image = array.astype(np.int32)
    y, x = np.mgrid[:7, :6]
    equals(program, image[:7, :6] * 2 + image[y // 2, x // 2])


@pytest.mark.parametrize("name", ["every second row", "rows backwards", "every third column", "columns backwards"])
def test_image_params_with_free_strides(name):
    array = views()[name]

    def program(hl):
        x, y, image = hl.Var("x"), hl.Var("y"), hl.ImageParam(hl.Int(32), 2, "image")
        image.dim(0).set_stride(hl.Expr())
        f = hl.Func("f")
        f[x, y] = image[x, y] * 3 + 1
        f.vectorize(x, 4, hl.TailStrategy.GuardWithIf)
        image.set(hl.Buffer(array))
        return f.realize([6, 7])

    equals(program, array[:7, :6] * 3 + 1)


def test_read_only_array_as_input_of_a_callable():
    array = views()["read-only"]

    def program(hl):
        x, y, image = hl.Var("x"), hl.Var("y"), hl.ImageParam(hl.Int(32), 2, "image")
        f = hl.Func("f")
        f[x, y] = image[x, y] - 1
        out = np.zeros((7, 6), np.int32)
        f.compile_to_callable([image])(array, out)
        return out

    same(program)


def test_interleaved_image():
    array = RANDOM.integers(0, 256, (5, 7, 3)).astype(np.uint8)

    def program(hl):
        x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")
        image = hl.ImageParam(hl.UInt(8), 3, "image")
        image.dim(0).set_stride(3)
        image.dim(2).set_stride(1)
        image.dim(2).set_bounds(0, 3)
        f = hl.Func("f")
        f[x, y, c] = 255 - image[x, y, 2 - c]
        buffer = hl.Buffer(array)
        buffer.transpose([2, 0, 1])  # dimension i becomes dimension order[i]
        image.set(buffer)
        return f.realize([7, 5, 3])

    same(program)


def test_offset_input_and_output():
    array = RANDOM.integers(0, 256, (6, 8)).astype(np.uint8)

    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        image = hl.Buffer(array)
        image.set_min([-3, 10])
        f = hl.Func("f")
        f[x, y] = hl.u16(image[x - 5, y + 10]) * 2
        out = hl.Buffer(hl.UInt(16), [4, 3])
        out.set_min([3, 2])
        f.realize(out)
        return out

    both_equal(program, array[2:5, 1:5].astype(np.uint16) * 2)


def test_output_into_a_part_of_an_array():
    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        whole = np.full((10, 12), -1, np.int32)
        f = hl.Func("f")
        f[x, y] = x + 10 * y
        f.realize(hl.Buffer(whole[2:9:2, 3:9]))
        return whole

    same(program)


def test_shapes_from_no_dimension_to_six():
    array = RANDOM.integers(0, 100, (2, 3, 2, 3, 2, 3)).astype(np.int32)

    def program(hl):
        names = [hl.Var(name) for name in "abcdef"]
        results = []
        for dimensions in range(7):
            index, part = names[:dimensions], np.array(array[(0,) * (6 - dimensions)])
            image = hl.Buffer(part)
            f = hl.Func("f")
            value = image[tuple(index)] if dimensions else hl.Expr(int(part))
            for power, var in enumerate(index):
                value = value + var * (power + 1)
            f[tuple(index)] = value
            results.append(np.asarray(f.realize(list(part.shape[::-1]))))
        return results

    same(program)


@pytest.mark.parametrize("size", [(1, 1), (1, 7), (7, 1), (2, 2)])
def test_smallest_sizes(size):
    array = RANDOM.integers(0, 100, (9, 9)).astype(np.int32)

    def program(hl):
        x, y = hl.Var("x"), hl.Var("y")
        image = hl.Buffer(array)
        blur, f = hl.Func("blur"), hl.Func("f")
        blur[x, y] = image[x, y] + image[x + 1, y]
        f[x, y] = blur[x, y] + blur[x, y + 1]
        blur.compute_at(f, y)
        return f.realize(list(size))

    width, height = size
    wide = array[:, :-1] + array[:, 1:]
    equals(program, (wide[:-1] + wide[1:])[:height, :width])
