"""Tensor intrinsics in the space of the search: where they fit, what they become, what they cost."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.emit.emit import apply
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.space.cpu.tensors import tensor_nests, tensor_of
from pipec.autoschedule.space.edits import with_nest
from pipec.autoschedule.space.state import State
from pipec.autoschedule.space.state_text import from_json, to_json
from pipec.ir.tensor import tensor_intrinsics
from pipec.pipeline.tensor.prove import is_supported
from pipec.records import replace
from tests.tensor.dot_products import exact, integers, matrix_product, tensorized

VNNI = "x86.vpdpbusd.512"
pytestmark = pytest.mark.skipif(
    not is_supported(tensor_intrinsics()[VNNI]), reason="the processor has no such instruction"
)
WIDTH, HEIGHT, TERMS = 256, 64, 64


def bytes_product(kind: str = "uint8") -> tuple[hl.Func, Problem, np.ndarray]:
    a, b = integers(kind, (HEIGHT, TERMS)), integers("int8", (TERMS, WIDTH), 1)
    product = matrix_product(hl.Buffer(a).type(), hl.Int(8), TERMS)
    product.a.set(hl.Buffer(a))
    product.b.set(hl.Buffer(b))
    return product.c, problem_of([product.c.function], sizes=[WIDTH, HEIGHT], threads=2), exact(a, b)


def test_an_update_knows_the_best_intrinsic_that_fits_its_loops() -> None:
    for kind, name in (("uint8", VNNI), ("int8", f"{VNNI}.signed")):
        c, problem, _ = bytes_product(kind)
        matches = {(m.name, m.lanes, m.terms) for m in problem.dag.funcs[c.name()].stages[1].tensors}
        assert matches == {(name, 16, 4)}
    other, problem, _ = bytes_product("int32")
    assert problem.dag.funcs[other.name()].stages[1].tensors == ()


def with_tensor(c: hl.Func, problem: Problem, state: State) -> State:
    stage = problem.dag.funcs[c.name()].stages[1]
    nest = next(other for other in tensor_nests(stage, state[c.name()].nests[1]) if other.tensor)
    return with_nest(problem.dag, state, c.name(), 1, nest)


def test_a_state_with_one_is_legal_is_written_and_gives_the_same_pixels() -> None:
    c, problem, expected = bytes_product()
    state = with_tensor(c, problem, problem.start())
    assert problem.space.problems(state) == [] and from_json(to_json(state)) == state
    schedule = problem.space.emit(state)
    assert f"'{VNNI}'" in schedule.to_python()
    apply(schedule, [c.function])
    for width, height in ((WIDTH, HEIGHT), (35, 3)):
        np.testing.assert_array_equal(np.asarray(c.realize([width, height])), expected[:height, :width])


def test_it_is_a_move_and_costs_less_than_plain_vectors() -> None:
    c, problem, _ = bytes_product()
    start = problem.start()
    neighbours = problem.space.neighbours(start, c.name())
    evaluator = CpuEvaluator(problem.dag, Roofline())
    tensors = [state for state in neighbours if state[c.name()].nests[1].tensor]
    assert tensors and evaluator.cost(tensors[0]) < evaluator.cost(start)
    assert any(state[c.name()].nests[1].tensor for state in problem.space.children(start, c.name()))


def test_a_nest_with_other_lanes_does_without_it() -> None:
    c, problem, _ = bytes_product()
    state = with_tensor(c, problem, problem.start())
    stage, nest = problem.dag.funcs[c.name()].stages[1], state[c.name()].nests[1]
    other = replace(nest, lanes=8)
    assert tensor_of(stage, nest) is not None and tensor_of(stage, other) is None
    changed = with_nest(problem.dag, state, c.name(), 1, other)
    assert problem.space.problems(changed) == [] and "tensorize" not in problem.space.emit(changed).to_python()


def test_a_pickled_schedule_brings_its_own_declarations() -> None:
    i, k, c, a = hl.Var("i"), hl.RDom([(0, 4)], "k"), hl.Func("c"), hl.ImageParam(hl.UInt(8), 2, "a")
    b = hl.ImageParam(hl.Int(8), 2, "b")
    c[i] = 0
    c[i] += hl.i32(a[k, i]) * hl.i32(b[k, i])
    hl.tensor_intrinsic("one of the user", c, [8], lambda c, a, b: c, supports=["no such feature"])
    product = tensorized(matrix_product(hl.UInt(8), hl.Int(8), 8), "one of the user", 8, 4)
    code = (
        "import pickle, sys; s = pickle.load(sys.stdin.buffer); import pipec as hl;"
        " print(s.directives[-1].intrinsic in hl.tensor_intrinsics())"
    )
    data = pickle.dumps(product.c.function.schedule)
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
    assert done.stdout.strip() == b"True"


@pytest.mark.parametrize("clamped", [False, True])
def test_lanes_beyond_an_edge_are_put_together_element_by_element(clamped: bool) -> None:
    x, y, k = hl.Var("x"), hl.Var("y"), hl.RDom([(0, 3), (0, 32)], "k")
    pixels, weights = hl.ImageParam(hl.UInt(8), 3, "pixels"), hl.ImageParam(hl.Int(8), 2, "weights")
    column = hl.clamp(x + k[0] - 1, 0, WIDTH - 1) if clamped else x + k[0]
    total = hl.Func("total")
    total[x, y] = 0
    total[x, y] += hl.i32(pixels[k[1], column, y]) * hl.i32(weights[k[1], k[0]])
    problem = problem_of([total.function], sizes=[WIDTH, HEIGHT], threads=2)
    state = with_tensor(total, problem, problem.start())
    row = CpuEvaluator(problem.dag, Roofline()).rows(state)[total.name(), 1]
    assert (row.cycles_cast > WIDTH * HEIGHT) == clamped
