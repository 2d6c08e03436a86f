"""RDom, RVar and the inline reductions."""

import pytest

import pipec as hl
from pipec.errors import DefinitionError
from pipec.ir.expr import TRUE, FuncCall

x, y = hl.vars("x y")


def test_variables_are_named_after_the_domain():
    r = hl.RDom([(0, 4), (1, 5)] * 3, "r")
    assert [v.name() for v in r] == ["r$x", "r$y", "r$z", "r$w", "r$4", "r$5"]
    assert r.dimensions() == len(r) == 6 and r[1].name() == r.y.name()
    assert (r.y.min().node.value, r.y.extent().node.value) == (1, 5)
    assert repr(hl.RDom([(0, 4)], "r")) == "<halide.RDom RDom(\n  r$x(0, 4)\n)>"
    assert repr(hl.RDom()) == "<halide.RDom RDom()>" and not hl.RDom().defined()


def test_only_a_domain_of_one_dimension_is_an_expr():
    assert (hl.RDom([(0, 3)], "r") + 1).type() == hl.Int(32)
    with pytest.raises(DefinitionError, match="Can't treat this multidimensional RDom as an Expr"):
        hl.RDom([(0, 3), (0, 4)]) + 1
    with pytest.raises(DefinitionError, match="Use of undefined RDom dimension"):
        hl.RDom([(0, 3)]).y + 1


def test_missing_dimensions():
    r, f = hl.RDom([(0, 3)]), hl.Func("f")
    f[x, y] = 0
    with pytest.raises(KeyError):
        r[1]
    with pytest.raises(TypeError, match="incompatible function arguments"):
        f[x, r.y] = 1


@pytest.mark.parametrize("wrong", [[[0, 3]], [(0, 3.5)], (0, 3), [(0, 3, 2)], 3])
def test_bounds_are_pairs_of_ints(wrong):
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        hl.RDom(wrong)


def test_bounds_may_depend_on_params_only():
    p = hl.Param(hl.UInt(8), "p")
    assert hl.RDom([(0, p)]).x.extent().type() == hl.Int(32)
    for variable in (x, hl.RDom([(0, 3)]).x):
        with pytest.raises(DefinitionError, match="may not depend on a free variable"):
            hl.RDom([(0, variable)])


def test_the_domain_of_an_image():
    image, buffer = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Buffer(hl.UInt(8), [4, 5])
    assert [str(v.extent().node) for v in hl.RDom(image)] == ["image.extent.0", "image.extent.1"]
    assert [v.extent().node.value for v in hl.RDom(buffer)] == [4, 5]


def test_where_conditions_are_joined_until_the_domain_is_used():
    r, f = hl.RDom([(0, 10)], "r"), hl.Func("f")
    r.where(r.x < 5)
    r.where(r.x != y)
    f[x, y] = 0
    f[x, y] += r.x
    assert str(f.function.stages[1].predicate) == "r$x < 5 && r$x != y"
    with pytest.raises(DefinitionError, match="cannot be given a new predicate"):
        r.where(r.x > 1)


def test_where_refuses_variables_of_other_domains_and_numbers():
    r, q = hl.RDom([(0, 10)], "r"), hl.RDom([(0, 10)], "q")
    with pytest.raises(DefinitionError, match="may only refer to its own RVars"):
        r.where(r.x < q.x)
    with pytest.raises(DefinitionError, match="must be a bool"):
        r.where(r.x)


@pytest.mark.parametrize(
    ("reduce", "start"),
    [(hl.sum, 0), (hl.product, 1), (hl.maximum, 0), (hl.minimum, 255)],
)
def test_an_inline_reduction_is_a_func_over_the_free_variables(reduce, start):
    r = hl.RDom([(0, 4)], "r")
    result = reduce(hl.u8(x + r.x * y))
    call = result.node
    assert isinstance(call, FuncCall) and result.type() == hl.UInt(8)
    assert [str(arg) for arg in call.args] == ["x", "y"]
    pure, update = call.function.stages
    assert pure.values[0].value == start and [loop.name for loop in update.rvars] == ["r$x"]


def test_variables_of_other_domains_are_free_when_the_domain_is_explicit():
    r, q = hl.RDom([(0, 4)], "r"), hl.RDom([(0, 3)], "q")
    call = hl.sum(r, q.x + r.x).node
    assert [str(arg) for arg in call.args] == ["q$x"]
    assert [loop.name for loop in call.function.stages[1].rvars] == ["r$x"]
    constant = hl.maximum(r, x).node
    assert [loop.name for loop in constant.function.stages[1].rvars] == ["r$x"]
    assert constant.function.stages[1].predicate is TRUE


@pytest.mark.parametrize("reduce", [hl.sum, hl.product])
def test_what_does_not_mention_the_domain_is_not_counted(reduce):
    """The wheel takes it once, which nobody means."""
    r, q = hl.RDom([(0, 4)], "r"), hl.RDom([(0, 3)], "q")
    for value in (hl.i32(5), x + 5, q.x * 2):
        with pytest.raises(DefinitionError, match="must reference the reduction domain r, but"):
            reduce(r, value)
    assert hl.evaluate(hl.maximum(r, hl.i32(5))) == 5


def test_argmax_gives_the_coordinates_and_the_value():
    r = hl.RDom([(0, 4), (0, 5)], "r")
    results = hl.argmax(hl.u8(r.x * r.y + x))
    assert [e.type() for e in results] == [hl.Int(32), hl.Int(32), hl.UInt(8)]
    assert [e.node.value_index for e in results] == [0, 1, 2]


def test_an_inline_reduction_needs_one_domain():
    r, q = hl.RDom([(0, 4)], "r"), hl.RDom([(0, 3)], "q")
    with pytest.raises(DefinitionError, match="Expression passed to sum must reference a reduction domain"):
        hl.sum(x)
    with pytest.raises(DefinitionError, match="refers to reduction variables from multiple reduction domains"):
        hl.product(r.x + q.x)
