"""Definitions of Funcs: pure, updates, implicit variables, Tuples, and Funcs that define themselves."""

import gc
import weakref

import pytest

import pipec as hl
from pipec.errors import DefinitionError, UndefinedError

x, y = hl.vars("x y")


def names(func):
    return [var.name() for var in func.args()]


def test_names_are_unique_in_the_process():
    first, second = hl.Func("unique"), hl.Func("unique")
    assert (first.name(), second.name()) == ("unique", "unique$1")
    assert hl.Func().name() != hl.Func().name()


def test_a_pure_definition():
    f = hl.Func("f")
    assert not f.defined()
    f[x, y] = hl.u8(x + y)
    assert f.defined() and names(f) == ["x", "y"] and f.dimensions() == 2
    assert f.type() == hl.UInt(8) and f.types() == [hl.UInt(8)] and f.outputs() == 1
    assert f.value().node is hl.u8(x + y).node
    assert f.function.location.file == __file__


def test_the_value_may_be_a_number_or_a_reference():
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = 0.5
    g[()] = f[3]
    assert f.type() == hl.Float(32) and g.dimensions() == 0 and (g[()] + 1).type() == hl.Float(32)


def test_updates_are_counted_and_keep_their_arguments():
    f, r = hl.Func("f"), hl.RDom([(0, 10), (0, 3)], "r")
    f[x, y] = 0
    f[r.x, y] = f[r.x, y] + r.y
    f[x, 3] += 1
    assert f.num_update_definitions() == 2 and f.has_update_definition()
    assert [str(e.node) for e in f.update_args(0)] == ["r$x", "y"]
    assert [rvar.name() for rvar in f.rvars(0)] == ["r$x", "r$y"] and f.rvars(1) == []
    assert f.update(0).name() == f.name() + ".update(0)"
    stage = f.function.stages[1]
    assert [loop.name for loop in stage.rvars] == ["r$x", "r$y"]


@pytest.mark.parametrize(
    ("change", "start"),
    [
        (lambda f: f[x] + 2, 0),
        (lambda f: f[x] - 2, 0),
        (lambda f: f[x] * 2.5, 1.0),
        (lambda f: f[x] / 2, 1),
    ],
)
def test_a_func_may_define_itself(change, start):
    f = hl.Func("f")
    f[x] = change(f)
    assert f.value().node.value == start and f.num_update_definitions() == 1


def test_a_func_of_required_type_defines_itself_in_that_type():
    f = hl.Func(hl.UInt(8), 1, "f")
    assert f.type() == hl.UInt(8) and f.dimensions() == 1 and not f.defined()
    f[x] += 1
    assert f.value().type() == hl.UInt(8)


def test_an_implicit_definition_over_a_reduction_variable_is_pure_over_a_fresh_var():
    f, r = hl.Func("f"), hl.RDom([(0, 10)], "r")
    f[r.x] += 1
    (name,) = names(f)
    assert name != "r$x" and [str(e.node) for e in f.update_args()] == ["r$x"]


def test_an_undefined_reference_defines_only_its_own_place():
    f, g = hl.Func("f"), hl.Func("g")
    with pytest.raises(DefinitionError, match="to define an update at a different location"):
        f[x] = f[x - 1] + 1
    with pytest.raises(UndefinedError, match="has not yet been defined"):
        f[x] = g[x] + 1
    with pytest.raises(DefinitionError, match="has not yet been defined"):
        f[x] = 1 + f[x]
    unevaluated = f[x] + 1
    with pytest.raises(TypeError, match=r"for \+=: an operation on Func .*, which has no definition yet, and 'int'"):
        unevaluated += 1
    f[x] = x
    with pytest.raises(DefinitionError, match="when a pure definition already exists"):
        f[x] = unevaluated


def test_the_placeholder_stands_for_what_the_right_side_needs():
    f, g, h = hl.funcs("f g h")
    g[x, y] = x + y
    f[x, hl._] = g[x, hl._]
    f[x, hl._] += 1
    h[hl._] = f[hl._] + g[hl._0, hl._1]
    assert names(f) == ["x", "_0"] and names(h) == ["_0", "_1"]
    assert [str(e.node) for e in f.update_args()] == ["x", "_0"]
    assert names(hl.Func(hl._0 + hl._1)) == ["_0", "_1"]


def test_index_exprs_of_narrow_ints_widen():
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[hl.u8(x)]
    assert g.value().node.args[0].type is hl.Int(32)


class Complex:
    def __init__(self, re, im):
        self.parts = (hl.Expr(re), hl.Expr(im))

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.parts[index]


@pytest.mark.parametrize("value", [(x, 0.5), [x + 0, hl.f32(y)], hl.Tuple((x, 0.5)), Complex(x, 0.5)])
def test_tuples(value):
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y] = value
    assert f.types() == [hl.Int(32), hl.Float(32)] and len(f[x, y]) == 2
    g[x, y] = f[y, x]
    assert g.types() == f.types()
    g[x, y] = (g[x, y][0] + 1, g[x, y][1] * 2)
    assert [e.node.a.value_index for e in g.update_values()] == [0, 1]
    with pytest.raises(DefinitionError, match="returns a Tuple"):
        f[x, y] + 1
    with pytest.raises(DefinitionError, match="Tuple index out of range"):
        f[x, y][2]


def test_a_reference_to_a_func_of_tuples_is_a_tuple():
    f, g, h = hl.funcs("f g h")
    f[x] = (x, 0.5)
    g[x] = hl.Tuple(f[x + 1])
    assert g.types() == f.types() and len(hl.Tuple(f[x])) == 2
    assert [list(values) for values in g.realize([2])] == [[1, 2], [0.5, 0.5]]
    h[x] = x
    assert len(hl.Tuple(h[x])) == 1


def test_lambda_func():
    f = hl.lambda_func(x, y, x + y)
    assert names(f) == ["x", "y"] and f.name().startswith("lambda_")


def test_funcs_that_nobody_holds_are_freed():
    def build():
        r = hl.RDom([(0, 10)])
        r.where(r.x < y)
        f, g = hl.Func("f"), hl.Func("g")
        f[x, y] = 0
        f[x, y] += f[x, y] + r.x
        g[x, y] = hl.sum(f[x, y] + r.x)
        g[r.x, y] = g[r.x, y] + r.x
        return weakref.ref(f.function), weakref.ref(g.function)

    references = build()
    gc.collect()
    assert [reference() for reference in references] == [None, None]


def test_hiding_all_earlier_definitions_is_warned_about(capsys):
    f = hl.Func("f")
    f[x] = x
    f[x] = x + 1
    assert "Update definition completely hides earlier definitions" in capsys.readouterr().out
    f[x] = f[x] + 1
    assert capsys.readouterr().out == ""


def test_a_func_is_no_sequence():
    f = hl.Func("f")
    f[x] = x
    with pytest.raises(TypeError, match="not iterable"):
        list(f)
    with pytest.raises(TypeError, match="not iterable"):
        list(hl.ImageParam(hl.UInt(8), 1))


def test_a_reference_from_before_the_definition_is_checked_when_it_is_used():
    f, g = hl.Func("f"), hl.Func("g")
    early, wrong = f[x, hl._], f[x]
    f[x, y] = x + y
    g[x, hl._] = early + 0
    assert names(g) == ["x", "_0"]
    with pytest.raises(DefinitionError, match="was called with 1 arguments, but was defined with 2"):
        wrong + 1
