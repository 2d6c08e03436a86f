"""BoundaryConditions, element by element against numpy's padding."""

import numpy as np
import pytest

from pipec.errors import DefinitionError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.evaluate import interpret
from pipec.func.functions.freeze import freeze
from pipec.func.functions.func import Func
from pipec.func.functions.param import ImageParam, Param
from pipec.func.functions.tuple import Tuple
from pipec.func.functions.var import Var
from pipec.func.math.boundary import BoundaryConditions
from pipec.func.math.expr import Expr
from pipec.ir.expr import Intrinsic
from pipec.ir.types import Float, Int, UInt
from pipec.ir.walk import postorder

x, y = Var("x"), Var("y")
PADDING = {"repeat_edge": "edge", "repeat_image": "wrap", "mirror_image": "symmetric", "mirror_interior": "reflect"}


def values(func, box, **inputs):
    definition, bindings = freeze([func.function])
    arrays = {}
    for name, bound in bindings.items():
        buffer = bound if isinstance(bound, Buffer) else inputs.get(name)
        if isinstance(buffer, Buffer):
            mins = tuple(buffer.dim(d).min() for d in range(buffer.dimensions()))
            arrays[name] = (np.asarray(buffer).T, mins)
    scalars = {name: inputs[name] for name in definition.scalars}
    result = interpret(definition, arrays, scalars, {func.name(): box})
    return [array.T for array in result.values()]


def line(func, low=-8, count=26, **inputs):
    return values(func, ((low, count),), **inputs)[0].tolist()


@pytest.fixture
def five():
    b = Buffer(np.arange(10, 15, dtype=np.int32))
    b.set_min([2])
    return b


@pytest.mark.parametrize("kind", PADDING)
@pytest.mark.parametrize("size", [(1, 1), (1, 5), (4, 1), (3, 4)])
def test_as_numpy_pads(kind, size):
    image = np.arange(size[0] * size[1], dtype=np.uint8).reshape(size)
    result = values(getattr(BoundaryConditions, kind)(Buffer(image)), ((-9, size[1] + 18), (-9, size[0] + 18)))[0]
    np.testing.assert_array_equal(result, np.pad(image, 9, mode=PADDING[kind]))


def test_constant_exterior(five):
    assert line(BoundaryConditions.constant_exterior(five, 99), -1, 10) == [99, 99, 99, 10, 11, 12, 13, 14, 99, 99]


def test_minimum_coordinates_count(five):
    assert line(BoundaryConditions.repeat_edge(five), 0, 9) == [10, 10, 10, 11, 12, 13, 14, 14, 14]
    assert line(BoundaryConditions.mirror_image(five), -1, 9) == [12, 11, 10, 10, 11, 12, 13, 14, 14]


def test_bounds_narrow_the_source(five):
    assert line(BoundaryConditions.repeat_edge(five, [(3, 2)]), 1, 6) == [11, 11, 11, 12, 12, 12]
    assert line(BoundaryConditions.constant_exterior(five, 0, [(3, 2)]), 1, 6) == [0, 0, 11, 12, 0, 0]


def test_funcs_need_bounds():
    f = Func("f_bounds")
    with pytest.raises(DefinitionError, match="has not yet been defined"):
        BoundaryConditions.repeat_edge(f, [(0, 5)])
    f[x] = x * x
    assert line(BoundaryConditions.repeat_edge(f, [(0, 5)]), -2, 9) == [0, 0, 0, 1, 4, 9, 16, 16, 16]
    with pytest.raises(TypeError, match="bounds must be given"):
        BoundaryConditions.repeat_edge(f)
    with pytest.raises(DefinitionError, match="Invalid arguments to repeat_edge"):
        BoundaryConditions.repeat_edge(f, [(0, 5), (0, 1)])


def test_dimensions_without_bounds_stay():
    g = Func("g_partial")
    g[x, y] = x + 10 * y
    expected = [[-20, -20, -19, -19], [-10, -10, -9, -9], [0, 0, 1, 1]]
    for bounds in ([(0, 2)], [(0, 2), (Expr(), Expr())]):
        assert values(BoundaryConditions.repeat_edge(g, bounds), ((-1, 4), (-2, 3)))[0].tolist() == expected


def test_bounds_may_be_params():
    f, n = Func("f_params"), Param(Int(32), "n")
    f[x] = x
    assert line(BoundaryConditions.repeat_image(f, [(1, n)]), -1, 6, n=3) == [2, 3, 1, 2, 3, 1]


def test_image_params_bring_their_bounds():
    image = ImageParam(UInt(8), 1, "im_bounds")
    names = {
        node.name for node in postorder(BoundaryConditions.mirror_image(image).value().node) if hasattr(node, "name")
    }
    assert {"im_bounds.min.0", "im_bounds.extent.0"} <= names


def test_tuples():
    h = Func("h_tuple")
    h[x] = (x, x + 0.5)
    assert BoundaryConditions.repeat_edge(h, [(0, 3)]).types() == [Int(32), Float(32)]
    first, second = values(BoundaryConditions.constant_exterior(h, Tuple(7, 8.0), [(0, 2)]), ((-1, 4),))
    assert first.tolist() == [7, 0, 1, 7] and second.tolist() == [8.0, 0.5, 1.5, 8.0]
    with pytest.raises(DefinitionError, match="2 values at each point"):
        BoundaryConditions.constant_exterior(h, 1, [(0, 3)])


def test_constants_take_the_type_of_the_image(five):
    image = Buffer(np.zeros((2, 2), np.float32))
    assert BoundaryConditions.constant_exterior(image, 1).type() == Float(32)
    with pytest.raises(DefinitionError, match="Cast it"):
        BoundaryConditions.constant_exterior(five, 9.5)


@pytest.mark.parametrize("kind", [*PADDING, "constant_exterior"])
def test_the_interior_is_marked_as_likely(kind, five):
    args = (five, 0) if kind == "constant_exterior" else (five,)
    node = getattr(BoundaryConditions, kind)(*args).value().node
    assert any(isinstance(n, Intrinsic) and n.name == "likely" for n in postorder(node))


def test_only_images_can_be_extended():
    with pytest.raises(TypeError, match="incompatible function arguments"):
        BoundaryConditions.repeat_edge(3)
    assert BoundaryConditions.repeat_edge(np.zeros((2, 3))).dimensions() == 2


def test_names_and_arguments(five):
    built = BoundaryConditions.mirror_interior(five)
    assert built.name().startswith("mirror_interior") and [v.name() for v in built.args()] == ["_0"]
