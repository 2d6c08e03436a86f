"""Upper limits of expressions are never below a value, and tight where quotients and minima cancel."""

import random

import pytest

from pipec.bounds.linear import linear
from pipec.bounds.ranges import Ranges
from pipec.bounds.simplify import Simplifier
from pipec.ir.build import add, div, max_, min_, mul, sub
from pipec.ir.expr import Variable, const
from pipec.ir.types import INT32
from pipec.ir.walk import substitute

a, b, n = [Variable(INT32, name) for name in "abn"]


def clamped(value):
    return max_(min_(value, 47), 0)


def extreme(choose, *values):
    first, *rest = values
    return choose(first, extreme(choose, *rest)) if rest else first


NEAR = [clamped(add(a, offset)) for offset in (-1, 0, 1, 7)]
TIGHT = {
    "clamped coordinates": (sub(extreme(max_, *NEAR), extreme(min_, *NEAR)), 8),
    "quotients of one value": (sub(div(add(a, 5), 2), div(a, 2)), 3),
    "minimum inside a quotient": (sub(div(min_(add(mul(n, 8), add(a, 5)), b), 2), add(mul(n, 4), div(a, 2))), 3),
    "quotients of quotients": (sub(div(add(div(a, 2), 1), 2), div(a, 4)), 1),
    "maximum less minimum": (sub(max_(div(add(a, 1), 2), div(a, 2)), min_(div(add(a, 1), 2), div(a, 2))), 1),
}


@pytest.mark.parametrize("case", TIGHT)
def test_limits_are_tight(case):
    expression, limit = TIGHT[case]
    simplify = Simplifier(Ranges())
    assert simplify.ranges.largest(simplify(expression)) == limit


def some(r, depth):
    if depth == 0:
        return r.choice([a, b, add(a, r.randrange(-3, 4)), mul(n, r.choice([2, 4]))])
    x, y = some(r, depth - 1), some(r, depth - 1)
    kind = r.randrange(6)
    if kind < 2:
        return div(add(x, r.randrange(4)), r.choice([2, 3, 4]))
    return (min_, max_, add, sub)[kind - 2](x, y)


def test_no_value_exceeds_a_limit():
    r = random.Random(4)
    result = 0
    for _ in range(300):
        x = some(r, 2)
        expression = sub(x, substitute(x, {"b": add(a, r.randrange(3))}) if r.random() < 0.5 else some(r, 2))
        simplify = Simplifier(Ranges())
        limit = simplify.ranges.largest(simplify(expression))
        if limit is None:
            continue
        result += 1
        for _ in range(20):
            values = {name: r.randrange(-20, 21) for name in "abn"}
            form = linear(Simplifier(Ranges())(substitute(expression, {k: const(v) for k, v in values.items()})))
            assert form.is_constant and form.constant <= limit, (expression, values)
    assert result > 20
