"""Addresses of gathers: lanes of computed coordinates, counted once for loads at constant distances."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.dag.dag import Access, Dag
from pipec.autoschedule.dag.inlining import InlinedStages
from pipec.autoschedule.features.features import TERMS, StageFeatures, terms
from pipec.autoschedule.features.func_features import Places
from pipec.autoschedule.features.register_block import COUNTS, BlockShape, RegisterBlock
from pipec.autoschedule.problem import problem_of

WIDTH, HEIGHT, LANES = 512, 256, 8
COLUMN = COUNTS.index("addresses")
x, y = hl.vars("x y")


def table() -> hl.ImageParam:
    image = hl.ImageParam(hl.Float(32), 2, "table")
    image.set_estimates([(0, WIDTH), (0, HEIGHT)])
    return image


def place() -> tuple[hl.Expr, hl.Expr]:
    """A column and a row that two images give."""
    images = [hl.ImageParam(hl.UInt(8), 2, name) for name in ("columns", "rows")]
    for image in images:
        image.set_estimates([(0, WIDTH), (0, HEIGHT)])
    column, row = [hl.i32(image[x, y]) for image in images]
    return column + 1, row


def dag_of(value: hl.Expr) -> Dag:
    out = hl.Func("out")
    out[x, y] = value
    return problem_of([out.function], sizes=[WIDTH, HEIGHT], threads=2).dag


def access_of(dag: Dag, name: str, inlined: frozenset[str] = frozenset()) -> Access:
    (access,) = [load for load in InlinedStages(dag).stage(dag.outputs[0], 0, inlined).loads if load.name == name]
    return access


def block_of(dag: Dag, stage: int, *extents: int, innermost: int | None = None) -> RegisterBlock:
    """Returns a block of one vector along x."""
    view = Places(dag, MachineModel())._view(dag.outputs[0], stage, frozenset(), {})
    return view.blocks.of(BlockShape((LANES, *extents), 0, LANES, innermost))


def addresses(dag: Dag, rows: int = 1) -> float:
    """Addresses of a block of one vector along x in each of some rows."""
    block = block_of(dag, 0, rows)
    return block.each[COLUMN] + block.once[COLUMN]


def test_taps_at_constant_distances_share_their_base() -> None:
    source, (column, row) = table(), place()
    taps = [source[column + dx, row + dy] for dx in range(4) for dy in range(2)]
    dag = dag_of(sum(taps[1:], taps[0]))
    assert (access_of(dag, "table").count, access_of(dag, "table").bases) == (8, 1)
    assert addresses(dag) == LANES
    assert addresses(dag, 3) == 3 * LANES, "each row of the block has places of its own"


def test_pairs_of_taps_that_are_clamped_each_have_a_base_of_their_own() -> None:
    source, (column, row) = table(), place()
    taps = [source[hl.clamp(column * 2 + dx, 0, WIDTH - 1), row] for dx in range(4)]
    assert addresses(dag_of(sum(taps[1:], taps[0]))) == 2 * LANES


def test_stencils_inlined_into_a_gather_share_its_base_unless_they_are_clamped() -> None:
    source, (column, row) = table(), place()
    edges = hl.BoundaryConditions.repeat_edge(source, [(0, WIDTH), (0, HEIGHT)])
    for image, bases in ((source, 1), (edges, 3)):
        across = hl.Func()
        across[x, y] = image[x - 1, y] + image[x, y] + image[x + 1, y]
        dag = dag_of(across[column * 2, row])  # up to the edge
        inlined = frozenset(dag.funcs) - frozenset(dag.outputs)
        assert access_of(dag, "table", inlined).bases == bases


def test_a_gather_inlined_into_a_stencil_has_a_base_at_each_tap() -> None:
    source, (column, row) = table(), place()
    moved = hl.Func("moved")
    moved[x, y] = source[column, row] + source[column + 1, row]
    dag = dag_of(moved[x - 1, y] + moved[x, y] + moved[x + 1, y])
    access = access_of(dag, "table", frozenset({"moved"}))
    assert (access.count, access.bases) == (6, 3)


@pytest.mark.parametrize(
    "coordinates, vectors",
    [
        (lambda: (x, y), 0),
        (lambda: (x * 16, y), 0),  # scalars apart by a constant
        (lambda: (y, x), 0),
        (lambda: (hl.i32(hl.f32(x) * 0.3), y), 1),
    ],
    ids=["dense", "strided", "transposed", "scaled"],
)
def test_only_coordinates_that_are_computed_in_vectors_become_addresses(
    coordinates: Callable[[], tuple[hl.Expr, hl.Expr]], vectors: int
) -> None:
    column, row = coordinates()
    source = table()
    source.set_estimates([(0, 16 * WIDTH), (0, WIDTH)])
    assert addresses(dag_of(source[column, row] + source[column + 1, row])) == vectors * LANES


def test_addresses_that_the_innermost_loop_does_not_change_are_computed_before_it() -> None:
    source, (column, _), r = table(), place(), hl.RDom([(0, 16)], "r")
    for row, each, once in ((r, 0, LANES), (hl.i32(source[x, r]) & 15, LANES, 0)):
        total = hl.Func()
        total[x, y] = 0.0
        total[x, y] += source[column, row]
        dag = problem_of([total.function], sizes=[WIDTH, HEIGHT], threads=2).dag
        block = block_of(dag, 1, 1, 1, innermost=2)
        assert (block.each[COLUMN], block.once[COLUMN]) == (each, once)


def test_addresses_add_to_the_time_of_loads() -> None:
    machine = MachineModel()
    plain = StageFeatures(*[1.0] * len(StageFeatures._fields))
    more = plain._replace(addresses=1e6)
    before, after = terms(np.array([plain, more]), machine)[:, TERMS.index("loads")]
    assert after - before == pytest.approx(machine.extract * (1e6 - 1) / machine.clock)


@pytest.mark.parametrize(("kind", "share"), [(hl.UInt(8), 1 / 8), (hl.Float(32), 1 / 2), (hl.Float(64), 1)])
def test_copies_along_the_innermost_dimension_are_read_together(kind: hl.Type, share: float) -> None:
    columns, out = hl.ImageParam(kind, 2, "columns"), hl.Func("out")
    r = hl.RDom([(0, 8)], "r")
    out[x, y] = hl.cast(kind, 0)
    out[x, y] += columns[r, x]
    dag = problem_of([out.function], sizes=[WIDTH, HEIGHT], threads=2).dag
    gathered = COUNTS.index("gathered")
    alone, together = [block_of(dag, 1, 1, copies).each[gathered] for copies in (1, 8)]
    assert together == 8 * share * alone


def test_the_nodes_of_a_block_count_a_gather_as_one() -> None:
    source, out, r = table(), hl.Func("out"), hl.RDom([(0, 8)], "r")
    out[x, y] = 0.0
    out[x, y] += source[r, x]
    gathers = block_of(problem_of([out.function], sizes=[WIDTH, HEIGHT], threads=2).dag, 1, 1, 1)
    assert gathers.instructions >= LANES
    assert gathers.nodes <= 3, "two loads and a sum"
