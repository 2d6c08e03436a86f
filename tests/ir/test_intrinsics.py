"""What is declared of each intrinsic holds, and every back end has an entry for each."""

import itertools
import random

import numpy as np
import pytest

from pipec.autodiff import rules as autodiff
from pipec.errors import InternalError, NotSupportedError
from pipec.ir.expr import Const, Intrinsic, Variable
from pipec.ir.intrinsics import INTRINSICS, Absent, Cost, as_arithmetic, limits_of, result_type, value_operand
from pipec.ir.tape import evaluate
from pipec.ir.types import BOOL, Float, Int, UInt
from pipec.jit.c import intrinsics as c
from pipec.jit.llvm.math import intrinsics as llvm
from pipec.jit.opencl import work_item as opencl

TABLES = {
    "LLVM": llvm.INTRINSICS,
    "C": c.INTRINSICS,
    "OpenCL": opencl.INTRINSICS,
    "derivatives": autodiff.INTRINSICS,
}
TYPES = [Int(8), UInt(8), Int(16), UInt(32), Int(32), Float(32), BOOL]
REPLACED = ("extern_query", "scatter_gather", "random")


@pytest.mark.parametrize("table", TABLES)
def test_a_back_end_has_an_entry_for_each_intrinsic_and_no_other(table):
    missing, unknown = INTRINSICS.keys() - TABLES[table].keys(), TABLES[table].keys() - INTRINSICS.keys()
    assert not missing and not unknown, f"{table} lacks {sorted(missing)} and has {sorted(unknown)}, which do not exist"


@pytest.mark.parametrize("table", TABLES)
def test_what_a_back_end_lacks_on_purpose_has_a_reason(table):
    for name, rule in TABLES[table].items():
        assert callable(rule) and (not isinstance(rule, Absent) or len(rule.reason) > 10), name


def test_an_absent_rule_names_the_intrinsic_and_the_reason():
    node = Intrinsic(Int(32), "memoize_tag", (Variable(Int(32), "x"),))
    with pytest.raises(NotSupportedError, match="memoize_tag is not supported here: it is reported elsewhere.*x"):
        Absent("it is reported elsewhere")(None, node)


def test_an_unknown_intrinsic_has_no_type():
    with pytest.raises(InternalError, match="There is no intrinsic cube; the intrinsics are abs, "):
        result_type("cube", (Float(32),))


def signatures(chosen=lambda declaration, kinds: True):
    """Legal operand types of the chosen intrinsics."""
    result = []
    for name, declaration in INTRINSICS.items():
        for kinds in [(kind,) * (declaration.arity or 2) for kind in TYPES]:
            if name not in REPLACED and declaration.result(*kinds) is not None and chosen(declaration, kinds):
                result.append(pytest.param(name, kinds, id=f"{name}-{kinds[0]}"))
    return result


def samples(kind, number):
    """Values of a type, those at its ends among them."""
    r = random.Random(f"{kind} {number}")
    if kind.floating:
        return [np.float32(v) for v in (0.0, -1.5, 2.5, 0.5, -0.25, 30.0, *[r.uniform(-4, 4) for _ in range(12)])]
    low, high = int(kind.min_value()), int(kind.max_value())
    values = {low, high, *[v for v in (-9, -3, -1, 0, 1, 2, 3, 7, 8, 12, 100) if low <= v <= high]}
    values |= {r.randint(low, high) for _ in range(10)} if high > 300 else set()
    return [kind.numpy().type(v) for v in sorted(values)]


def meaning(name, values):
    with np.errstate(all="ignore"):
        return np.asarray(INTRINSICS[name].meaning(*values))


def node(name, kinds):
    operands = tuple([Variable(kind, f"v{at}") for at, kind in enumerate(kinds)])
    return Intrinsic(result_type(name, kinds), name, operands)


@pytest.mark.part(5)
@pytest.mark.parametrize("name, kinds", signatures(lambda d, kinds: d.limits))
def test_values_lie_within_the_declared_limits(name, kinds):
    e, choose = node(name, kinds), random.Random(name)
    for _ in range(150):
        # Each operand is one of two values or something in between.
        sides = [sorted(choose.choices(samples(kind, at), k=2)) for at, kind in enumerate(kinds)]
        limits = limits_of(e, [(low.item(), high.item()) for low, high in sides])
        if limits is None:
            continue
        inner = [
            [v for v in samples(kind, at) if side[0] <= v <= side[1]]
            for at, (kind, side) in enumerate(zip(kinds, sides, strict=True))
        ]
        for values in itertools.islice(itertools.product(*inner), 200):
            if name == "unsafe_promise_clamped" and not values[1] <= values[0] <= values[2]:
                continue
            value = meaning(name, values)
            slack = 1e-6 * max([abs(end) for end in limits if np.isfinite(end)], default=0) * e.type.floating
            assert np.isnan(value) or limits[0] - slack <= value <= limits[1] + slack, (values, value)


@pytest.mark.parametrize("name, kinds", signatures(lambda d, kinds: d.value_of is not None))
def test_a_mark_has_the_value_of_its_operand_and_costs_nothing(name, kinds):
    e = node(name, kinds)
    values = [samples(kind, at)[at % 2] for at, kind in enumerate(kinds)]
    assert meaning(name, values) == values[e.args.index(value_operand(e))] and INTRINSICS[name].cost is Cost.FREE


@pytest.mark.parametrize(
    "name, kinds", signatures(lambda d, kinds: d.arithmetic and kinds[0].integral and kinds[0].nbits > 1)
)
def test_arithmetic_has_the_value_of_the_intrinsic(name, kinds):
    x = Variable(kinds[0], "x")
    numbers = range(-40, 40) if any(kind.signed for kind in kinds[1:]) else range(40)
    if len(kinds) > 1 and kinds[1].nbits == 8:
        numbers = range(int(kinds[1].min_value()), int(kinds[1].max_value()) + 1)
    forms = 0
    for constants in [(number,) * (len(kinds) - 1) for number in numbers]:
        e = Intrinsic(kinds[0], name, (x, *[Const(kind, n) for kind, n in zip(kinds[1:], constants, strict=True)]))
        plain = as_arithmetic(e)
        forms += plain is not None
        for value in samples(kinds[0], 0) if plain is not None else ():
            operands = [kind.numpy().type(n) for kind, n in zip(kinds[1:], constants, strict=True)]
            tape = evaluate(plain, {"x": int(value)})
            assert kinds[0].wrap(int(tape)) == meaning(name, (value, *operands)), (e, value)
    assert forms > 3 or name == "bitwise_not" and not kinds[0].signed


@pytest.mark.parametrize("name, kinds", signatures(lambda d, kinds: d.increasing))
def test_an_increasing_function_never_falls(name, kinds):
    values = meaning(name, (np.sort(np.array(samples(kinds[0], 0))),))
    values = values[~np.isnan(values)]
    assert (np.diff(values) >= 0).all()


@pytest.mark.parametrize("name, kinds", signatures(lambda d, kinds: d.identity(kinds[0]) is not None))
def test_an_operation_with_an_identity_is_associative_and_commutative(name, kinds):
    neutral = kinds[0].numpy().type(kinds[0].wrap(INTRINSICS[name].identity(kinds[0])))
    for x, y, z in itertools.product(samples(kinds[0], 0)[::2], repeat=3):
        assert meaning(name, (x, neutral)) == x and meaning(name, (x, y)) == meaning(name, (y, x))
        left = meaning(name, (meaning(name, (x, y)).astype(x.dtype), z))
        assert left == meaning(name, (x, meaning(name, (y, z)).astype(x.dtype)))
