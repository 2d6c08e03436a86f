"""Classes of operators, and where the strategy that fuses by them computes Funcs."""

from __future__ import annotations

from typing import Any

import numpy as np

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.dag.operator_classes import classes
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.state import State, Where
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.autoschedule.strategies.tvm2018 import tvm2018

x, y = hl.vars("x y")
SIZE = 64


def layers() -> dict[str, hl.Func]:
    """A convolution with a bias and a limit, then its mean for each row, subtracted."""
    funcs = dict(zip("scaled product biased limited mean centred".split(), hl.funcs("s p b l m c"), strict=True))
    image = hl.Buffer(np.random.default_rng(0).random((SIZE, SIZE), np.float32))
    weights = hl.Buffer(np.random.default_rng(1).random((SIZE, SIZE), np.float32))
    k, j = hl.RDom([(0, SIZE)], "k"), hl.RDom([(0, SIZE)], "j")
    funcs["scaled"][x, y] = image[x, y] * 2.0
    funcs["product"][x, y] = 0.0
    funcs["product"][x, y] += funcs["scaled"][k, y] * weights[x, k]
    funcs["biased"][x, y] = funcs["product"][x, y] + 1.0
    funcs["limited"][x, y] = hl.max(funcs["biased"][x, y], 0.0)
    funcs["mean"][y] = 0.0
    funcs["mean"][y] += funcs["limited"][j, y] / SIZE
    funcs["centred"][x, y] = funcs["limited"][x, y] - funcs["mean"][y]
    return funcs


def dag_of(func: hl.Func, *sizes: int) -> Dag:
    return problem_of([func.function], sizes=list(sizes), threads=2).dag


def classes_of(func: hl.Func, *sizes: int) -> dict[str, str]:
    return {name.partition("$")[0]: kind.value for name, kind in classes(dag_of(func, *sizes)).items()}


def test_layers_are_injective_reductions_and_complex() -> None:
    injective, complex_, reduction = "injective", "complex-out-fusible", "reduction"
    assert classes_of(layers()["centred"], SIZE, SIZE) == {
        **{"s": injective, "p": complex_, "b": injective, "l": injective, "m": reduction, "c": injective}
    }


def test_stencils_are_complex_and_transposes_injective() -> None:
    f, stencil, turned = hl.funcs("f stencil turned")
    f[x, y] = hl.f32(x * y)
    stencil[x, y] = f[x, y] + f[x + 1, y]
    turned[x, y] = stencil[y, x]
    kinds = classes_of(turned, SIZE, SIZE)
    assert kinds == {"f": "injective", "stencil": "complex-out-fusible", "turned": "injective"}


def test_scans_and_histograms_are_opaque() -> None:
    r, scan, counts, out = hl.RDom([(1, SIZE - 1)], "r"), *hl.funcs("scan counts out")
    scan[x] = hl.i32(x)
    scan[r] = scan[r] + scan[r - 1]
    counts[x] = 0
    counts[hl.clamp(scan[r], 0, SIZE - 1)] += 1
    out[x] = counts[x] + scan[x]
    kinds = classes_of(out, SIZE)
    assert (kinds["scan"], kinds["counts"]) == ("opaque", "opaque")


def fused(func: hl.Func, *sizes: int) -> State:
    dag = dag_of(func, *sizes)
    evaluator = CpuEvaluator(dag, Roofline())
    search = SearchState(dag, evaluator, evaluator.space.start())
    last = search.start
    original = search.ranked

    def ranked(states: Any) -> Any:
        nonlocal last
        result = original(states)
        last = result[0][1] if result else last
        return result

    search.ranked = ranked  # type: ignore[method-assign]
    for _ in tvm2018(search, Options()):
        pass
    assert evaluator.space.problems(last) == []
    return last


def test_injective_funcs_are_inlined_and_complex_ones_computed_in_tiles() -> None:
    f, product, limited = hl.funcs("f product limited")
    f[x, y] = hl.f32(x + y)
    k = hl.RDom([(0, SIZE)], "k")
    product[x, y] = 0.0
    product[x, y] += f[k, y] * f[x, k]
    limited[x, y] = hl.max(product[x, y], 0.0)
    state = fused(limited, SIZE, SIZE)
    assert state[f.name()].where is Where.ROOT
    compute = state[product.name()].compute
    assert compute is not None and compute.func == limited.name()


def test_what_a_reduction_reads_is_inlined_into_it() -> None:
    f, squares, total, out = hl.funcs("f squares total out")
    k = hl.RDom([(0, SIZE)], "k")
    f[x, y] = hl.sin(hl.f32(x + y))
    squares[x, y] = f[x, y] * f[x, y]
    total[y] = 0.0
    total[y] += squares[k, y]
    out[y] = hl.sqrt(total[y])
    state = fused(out, SIZE)
    assert state[squares.name()].where is Where.INLINE and state[total.name()].where is Where.ROOT
