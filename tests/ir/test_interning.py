"""Nodes with the same fields are one node, whoever makes them."""

import pickle
import threading
from types import FunctionType

import pipec as hl
from pipec.bounds.linear import canonical, from_linear, linear
from pipec.bounds.simplify import Simplifier
from pipec.func.functions.parameter import Parameter
from pipec.ir.expr import Add, Const, Div, Min, Mul, const, variable
from pipec.ir.node import interned, table
from pipec.ir.types import INT32, Float

X, Y = variable("x"), variable("y")


def test_equal_fields_give_the_same_node():
    assert Add(X, const(1)) is Add(variable("x"), const(1))
    assert Add(X, Y) is not Add(Y, X)
    assert pickle.loads(pickle.dumps(Add(X, Y))) is Add(X, Y)


def test_constants_are_distinguished_by_their_bits():
    assert Const(Float(32), 0.0) is not Const(Float(32), -0.0)
    assert Const(Float(32), float("nan")) is Const(Float(32), float("nan"))
    assert Const(INT32, True) is Const(INT32, 1 + (1 << 32))


def test_the_node_that_another_thread_has_created_first_is_taken():
    first = Add(X, Y)
    late = object.__new__(Add)
    assert interned((Add, X, Y), late) is first


def test_threads_share_nodes():
    built: list[list[Add]] = [[] for _ in range(4)]

    def make(into):
        into += [Add(Mul(X, const(i)), Y) for i in range(500)]

    threads = [threading.Thread(target=make, args=(into,)) for into in built]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(a is b for other in built[1:] for a, b in zip(built[0], other, strict=True))


def test_a_canonical_sum_stays_itself():
    total = from_linear(linear(Add(Add(Y, const(3)), Mul(X, const(2)))), INT32)
    assert total.is_canonical and canonical(total) is total and Simplifier()(total) is total


def test_a_sum_is_simplified_with_its_terms():
    inner = Mul(Add(X, const(1)), const(4))
    assert Simplifier()(Add(Add(inner, Y), Mul(X, const(-4)))) is Add(Y, const(4))


def test_minima_and_divisions_are_brought_into_canonical_form_once():
    e = Simplifier()(Div(Min(X, Mul(Y, const(3))), const(4)))
    assert isinstance(e, Div)
    for part in (e, e.a):
        assert canonical(part) is part and part.is_canonical


def test_what_nodes_hold_has_no_hash_in_python():
    """The end of a node looks up its key, and an interrupt that arrives in code of Python there is lost."""
    image, param, f = hl.ImageParam(hl.UInt(8), 2), hl.Param(hl.Int(32)), hl.Func("f")
    x, y = hl.vars("x y")
    f[x, y] = hl.select(image[x, y] > param, hl.random_float(), hl.f32(hl.print(image.width() + hl.target_bits())))
    hl.Pipeline(f).compile_jit()
    held = [value for kind, *values in list(table) for value in flat(values)]
    assert any(isinstance(value, Parameter) for value in held)
    assert {type(value) for value in held if isinstance(type(value).__hash__, FunctionType)} == set()


def flat(values):
    for value in values:
        yield value
        if isinstance(value, tuple):
            yield from flat(value)
