"""Calls of inlined Funcs are replaced by their definitions, once for each distinct list of arguments."""

from unittest.mock import patch

import numpy as np
import pytest

import pipec as hl
from pipec.lower.planning import definitions


def chain(count: int, combine) -> hl.Func:
    x = hl.Var("x")
    last = hl.Func("f0")
    last[x] = x
    for k in range(1, count):
        following = hl.Func(f"f{k}")
        following[x] = combine(last, x)
        last = following
    return last


@pytest.mark.slow
def test_a_chain_of_3000_inlined_funcs():
    assert list(np.asarray(chain(3001, lambda f, x: f[x] + 1).realize([3]))) == [3000, 3001, 3002]


@pytest.mark.parametrize(
    "combine",
    [lambda f, x: f[x] + 1, lambda f, x: f[x + 1] + f[x + 1], lambda f, x: f[x] * 2 + f[x + 1] % 7],
)
def test_each_call_is_expanded_once(combine):
    count = 9
    output = chain(count, combine)
    with patch.object(definitions, "substitute", wraps=definitions.substitute) as expand:
        image = np.asarray(output.realize([4]))
    lowerings = 2  # for the sizes of inputs, and for the code
    assert expand.call_count <= lowerings * count * (count + 1) // 2
    values = np.arange(40)
    for _ in range(count - 1):
        values = np.array(combine(values, np.arange(len(values) - 1)))
    assert (image == values[:4]).all()
