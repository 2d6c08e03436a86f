"""The key that operands are sorted by."""

from pipec.ir import build
from pipec.ir.expr import Variable, const
from pipec.ir.types import INT32


def _variable(name: str) -> Variable:
    return Variable(INT32, name)


def test_the_order_of_operands_does_not_depend_on_how_many_names_were_numbered_before():
    for first, second in [("r9", "r10"), ("r10", "r11"), ("f", "f$1"), ("f$1", "f$12"), ("a.b3", "a.b20")]:
        a, b = (build.mul(_variable(name), _variable("x")) for name in (first, second))
        assert a.order() < b.order(), f"{first} was named before {second}"


def test_nodes_that_differ_have_orders_that_differ():
    names = ["x", "x1", "x01", "x10", "x1_0", "x_10", "1x0", "x#", "x#1"]
    nodes = [node for name in names for node in (_variable(name), build.add(_variable(name), const(1)))]
    assert len({node.order() for node in nodes}) == len(nodes)


def test_numbers_beyond_the_first_count_too():
    def total(last: str) -> object:
        result = _variable("a0")
        for name in [*(f"a{k}" for k in range(1, 30)), last]:
            result = build.add(result, _variable(name))
        return result.order()

    assert total("b1") != total("b2")
