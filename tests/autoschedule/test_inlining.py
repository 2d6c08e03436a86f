"""Inlined stages against brute force: what a point loads and computes when producers are replaced by what they are."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.dag.build_dag import Sizes, build_dag
from pipec.autoschedule.dag.dag import Dag, Operation
from pipec.autoschedule.dag.inlining import InlinedStages
from pipec.autoschedule.dag.operations import total
from pipec.autoschedule.dag.regions import Need
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.freeze import freeze
from pipec.ir.expr import FuncCall
from pipec.ir.walk import postorder, rewrite
from tests.autoschedule.accesses import affine, crooked, places, points


def _chain(random: Random, kind) -> tuple[PipelineDef, Dag]:
    """h reads g reads f, each at some places."""
    x, y = hl.vars("x y")
    f, g, h = hl.funcs("f g h")
    f[x, y] = x + y * 3

    def sum_of(func: hl.Func) -> hl.Expr:
        value = func[kind(random, [x, y]), kind(random, [x, y])]
        for _ in range(random.randint(0, 2)):
            value = value + func[kind(random, [x, y]), kind(random, [x, y])]
        return value

    g[x, y] = sum_of(f)
    h[x, y] = sum_of(g)
    definition, _ = freeze([h.function])
    return definition, build_dag(definition, Sizes({"h": ((-3, 30), (2, 25))}))


def _calls_of_f(definition: PipelineDef) -> list[FuncCall]:
    """The calls of f in h with g replaced by its definition."""
    g = definition.funcs["g"].stages[0]

    def change(node):
        if isinstance(node, FuncCall) and node.name == "g":
            values = dict(zip(("x", "y"), node.args, strict=True))
            return rewrite(g.values[0], lambda n: values.get(getattr(n, "name", ""), n) if not n.children() else n)
        return node

    value = rewrite(definition.funcs["h"].stages[0].values[0], change)
    return [node for node in postorder(value) if isinstance(node, FuncCall)]


@pytest.mark.parametrize("seed", range(60))
def test_a_point_loads_as_many_places_as_accesses_tell(seed: int) -> None:
    random = Random(seed)
    definition, dag = _chain(random, lambda r, v: v[r.randrange(2)] + r.randint(-1, 1))
    stage = InlinedStages(dag).stage("h", 0, {"g"})
    calls = _calls_of_f(definition)
    point = points(("x", "y"), (5, 9), (5, 9))
    distinct = {tuple(places(call.args, point)[0].tolist()) for call in calls}
    reports = set()
    for load in stage.loads:
        assert load.name == "f" and load.count == len(load.offsets)
        for offset in load.offsets:
            reports.add(tuple(row[0] * 5 + row[1] * 9 + o for row, o in zip(load.jacobian, offset, strict=True)))
    assert reports == distinct


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("kind", [affine, crooked])
@pytest.mark.part(3)
def test_the_box_of_composed_accesses_holds_all_that_is_read(seed: int, kind) -> None:
    random = Random(seed)
    definition, dag = _chain(random, kind)
    stage = InlinedStages(dag).stage("h", 0, {"g"})
    if any(load.boundary for load in stage.loads):
        return
    first, last = [5, 9], [5 + random.randrange(6), 9 + random.randrange(6)]
    result = np.concatenate([places(call.args, points(("x", "y"), first, last)) for call in _calls_of_f(definition)])
    low, high = Need(stage.loads, dag.funcs["f"]).box(first, last)
    assert all(a <= b for a, b in zip(low, result.min(axis=0), strict=True))
    assert all(a >= b for a, b in zip(high, result.max(axis=0), strict=True))


def test_shared_evaluations_are_counted_once() -> None:
    x, y = hl.vars("x y")
    grey, rows, both = hl.funcs("grey rows both")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    grey[x, y] = 1.0 / image[x, y]
    rows[x, y] = grey[x, y - 1] + grey[x, y] + grey[x, y + 1]
    both[x, y] = rows[x - 1, y] + rows[x, y] + rows[x + 1, y] + grey[x, y]
    definition, _ = freeze([both.function])
    dag = build_dag(definition, Sizes({"both": ((0, 64), (0, 64))}))
    inlining = InlinedStages(dag)
    stage = inlining.stage("both", 0, {"grey", "rows"})
    counts = {e.func: e.access.count for e in inlining.evaluations("both", 0, {"grey", "rows"})}
    assert counts == {"rows": 3, "grey": 9}
    assert total(stage.operations, Operation.DIVIDE) == 9 and total(stage.operations, Operation.ADD) == 3 + 3 * 2
    (load,) = stage.loads
    assert load.count == 9 and load.low == (-1, -1) and load.high == (1, 1)


def test_strides_and_remainders_survive_inlining() -> None:
    x, y = hl.vars("x y")
    mosaic, up, out = hl.funcs("mosaic up out")
    image = hl.ImageParam(hl.UInt(16), 2, "image")
    mosaic[x, y] = hl.select(x % 2 == 0, image[x, y], image[x + 1, y])
    up[x, y] = mosaic[x / 2, y]
    out[x, y] = up[x * 3, y]
    definition, _ = freeze([out.function])
    dag = build_dag(definition, Sizes({"out": ((0, 64), (0, 64))}))
    inlining = InlinedStages(dag)
    (load,) = inlining.stage("up", 0, {"mosaic"}).loads
    assert load.jacobian == ((0.5, 0), (0, 1)) and load.count == 2
    (load,) = inlining.stage("out", 0, {"mosaic", "up"}).loads
    assert load.jacobian == ((1.5, 0), (0, 1))
    assert dag.funcs["mosaic"].stages[0].moduli == (2, 1)


def test_what_depends_on_data_stays_unknown() -> None:
    x = hl.Var("x")
    table, index, out = hl.funcs("table index out")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    table[x] = 1.0 / hl.f32(x)
    index[x] = hl.i32(image[x])
    out[x] = table[index[x] + 1] + table[x]
    definition, _ = freeze([out.function])
    dag = build_dag(definition, Sizes({"out": ((0, 1000),)}))
    assert dag.funcs["table"].minimum == (0,) and dag.funcs["table"].extent == (1000,)
    unknown = [load for load in dag.funcs["out"].stages[0].loads if load.jacobian == (None,)]
    assert [(load.low, load.high) for load in unknown] == [((1,), (256,))]
    stage = InlinedStages(dag).stage("out", 0, {"index", "table"})
    assert [load.name for load in stage.loads] == ["image"] and total(stage.operations, Operation.DIVIDE) == 2
