"""The Dag of a pipeline against lowering and the evaluator: boxes, loops, what may be inlined or combined."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from apps.registry import APPS
from pipec.autoschedule.dag.build_dag import Sizes, build_dag
from pipec.autoschedule.dag.dag import Dag, Operation
from pipec.autoschedule.dag.operations import total
from pipec.autoschedule.random_pipelines import random_pipeline
from pipec.deep_stack import with_deep_stack
from pipec.errors import UnboundedError
from pipec.func.functions.evaluate import _Evaluation
from pipec.func.functions.freeze import freeze, schedule_of
from tests.autoschedule.boxes import required_at_root, sizes_of_app


def _dag(output: hl.Func, *box: tuple[int, int], **more) -> Dag:
    definition, _ = freeze([output.function])
    return build_dag(definition, Sizes({output.name(): box}, **more), schedule_of([output.function]), 2)


@pytest.mark.part(3)
@pytest.mark.parametrize("name", APPS)
def test_boxes_are_those_that_lowering_finds(name: str) -> None:
    app = APPS[name]
    algorithm = app.build(hl)
    definition, _ = freeze([algorithm.output.function])
    sizes = sizes_of_app(app, algorithm, app.test_size)
    dag = build_dag(definition, sizes)
    expected = with_deep_stack(required_at_root, definition, sizes)
    assert list(dag.funcs) == list(definition.funcs)[::-1]
    for func in dag.funcs.values():
        ends = [(low, low + extent - 1) for low, extent in zip(func.minimum, func.extent, strict=True)]
        assert ends == expected[func.name], func.name


@pytest.mark.part(3)
@pytest.mark.parametrize("seed", range(12))
def test_boxes_of_random_pipelines_hold_all_that_is_read(seed: int) -> None:
    pipeline = random_pipeline(seed, shrink=16)
    definition, _ = freeze([func.function for func in pipeline.outputs])
    task = pipeline.task()
    boxes = {name: tuple((0, extent) for extent in sizes) for name, sizes in pipeline.sizes.items()}
    inputs = {name: value for name, value in task.inputs().items() if name in definition.images}
    images = {
        name: tuple([(b.dim(d).min(), b.dim(d).extent()) for d in range(b.dimensions())]) for name, b in inputs.items()
    }
    dag = build_dag(definition, Sizes(boxes, images, task.scalars))
    arrays = {name: (np.asarray(b).T, tuple([low for low, _ in images[name]])) for name, b in inputs.items()}
    for name in _required(definition, arrays, task.scalars, boxes):
        func, expected = dag.funcs[name[0]], name[1]
        for low, extent, (first, last) in zip(func.minimum, func.extent, expected, strict=True):
            assert low <= first and last < low + extent, (name, func.minimum, func.extent)


def _required(definition, arrays, scalars, boxes):
    """What the evaluator came to read of each Func."""
    evaluation = _Evaluation(definition, arrays, scalars, boxes)
    with np.errstate(all="ignore"):
        for name, box in boxes.items():
            evaluation.require(name, tuple([(low, low + extent - 1) for low, extent in box]))
        for name in reversed(definition.funcs):
            evaluation.spread(name)
        for name in definition.funcs:
            evaluation.compute(name)
    return evaluation.required.items()


def test_loops_of_an_update_know_what_may_run_at_once() -> None:
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    scan, total_ = hl.funcs("scan total")
    r = hl.RDom([(1, 63)], "r")
    scan[x, y] = image[x, y]
    scan[r, y] += scan[r - 1, y]
    s = hl.RDom([(0, 64), (0, 32)], "s")
    total_[x] = 0.0
    total_[x] += scan[s.x, s.y] * hl.f32(x)
    dag = _dag(total_, (0, 8))
    x_loop, y_loop, r_loop = dag.funcs["scan"].stages[1].loops
    assert (x_loop.extent, y_loop.extent, r_loop.extent, r_loop.minimum) == (1, 32, 63, 1)
    assert y_loop.parallel and not r_loop.parallel and r_loop.reduction
    assert not dag.funcs["scan"].stages[1].atomic
    _, *rvars = dag.funcs["total"].stages[1].loops
    assert [loop.parallel for loop in rvars] == [False, False] and all(loop.reorderable for loop in rvars)
    assert dag.funcs["total"].stages[1].associative and dag.funcs["total"].stages[1].atomic
    assert not dag.funcs["scan"].inlinable and dag.funcs["total"].output


def test_a_histogram_stores_anywhere_within_limits() -> None:
    x = hl.Var("x")
    image, hist, out = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Func("hist"), hl.Func("out")
    r = hl.RDom([(0, 100), (0, 50)])
    hist[x] = 0
    hist[image[r.x, r.y]] += 1
    out[x] = hist[x]
    dag = _dag(out, (3, 10))
    update = dag.funcs["hist"].stages[1]
    assert update.store.jacobian == (None,) and (update.store.low, update.store.high) == ((0,), (255,))
    assert dag.funcs["hist"].extent == (256,) and dag.funcs["hist"].stages[0].loops[0].extent == 256  # it reads itself
    assert dag.images["image"].extent == (100, 50)


def test_operations_are_counted_once_and_by_type() -> None:
    x = hl.Var("x")
    image, f = hl.ImageParam(hl.UInt(16), 1, "image"), hl.Func("f")
    wide = hl.u32(image[2 * x + 1])
    f[x] = hl.u16((wide * wide + wide * wide / 7) >> 4)
    stage = _dag(f, (0, 10)).funcs["f"].stages[0]
    assert total(stage.operations, Operation.MULTIPLY) == 2  # a product, and a division by a constant
    assert total(stage.operations, Operation.ADD) == 1 and total(stage.operations, Operation.SHIFT) == 1
    assert total(stage.operations, Operation.CAST) == 2
    (load,) = stage.loads
    assert load.jacobian == ((2,),) and load.offsets == ((1,),) and load.count == 1


def test_views_of_images_are_always_inline() -> None:
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    padded = hl.BoundaryConditions.constant_exterior(image, 0)
    wrapper, blurred, out = hl.funcs("wrapper blurred out")
    wrapper[x, y] = padded[x, y]
    blurred[x, y] = wrapper[x - 1, y] + wrapper[x, y]
    out[x, y] = blurred[x, y]
    funcs = _dag(out, (0, 8), (0, 8), images={"image": ((0, 8), (0, 8))}).funcs
    assert [name for name, func in funcs.items() if func.must_inline] == ["wrapper", padded.name()]
    assert funcs["blurred"].inlinable and not funcs["out"].inlinable


def test_copies_that_reductions_read_over_and_over_may_be_stored() -> None:
    x, y = hl.vars("x y")
    left, right = hl.ImageParam(hl.Float(32), 2, "left"), hl.ImageParam(hl.Float(32), 2, "right")
    k = hl.RDom([(0, 128)], "k")
    panel, product = hl.funcs("panel product")
    panel[x, y] = right[x, y]
    product[x, y] += left[k, y] * panel[x, k]
    images = {name: ((0, 128), (0, 128)) for name in ("left", "right")}
    panel_info = _dag(product, (0, 128), (0, 128), images=images).funcs["panel"]
    assert panel_info.inlinable and not panel_info.must_inline


def test_funcs_with_a_schedule_of_their_own_are_fixed() -> None:
    x = hl.Var("x")
    a, b, c, out = hl.funcs("a b c out")
    a[x] = x
    b[x] = a[x] + 1
    c[x] = b[x] + b[x + 1]
    out[x] = c[x]
    b.compute_root().vectorize(x, 8)
    c.bound(x, 0, 128)
    out.set_estimate(x, 0, 128)
    funcs = _dag(out, (0, 100)).funcs
    assert [name for name, func in funcs.items() if func.fixed] == ["b"]
    assert not funcs["b"].inlinable and funcs["c"].extent == (128,) and funcs["b"].extent == (129,)


def test_memoized_and_extern_funcs_are_stored() -> None:
    x = hl.Var("x")
    a, filtered, b = hl.funcs("a filtered b")
    a[x] = hl.f32(x)
    filtered.define_extern("some_filter", [a], hl.Float(32), [x])
    b[x] = filtered[x] + filtered[x + 1]
    dag = _dag(b, (0, 100))
    assert dag.funcs["filtered"].extern and not dag.funcs["filtered"].inlinable and not dag.funcs["a"].inlinable
    assert dag.funcs["a"].extent == (101,) and dag.consumers["a"] == (("filtered", 0),)


def test_an_index_without_limits_is_refused_by_name() -> None:
    x = hl.Var("x")
    image, f, g = hl.ImageParam(hl.Int(32), 1, "image"), hl.Func("f"), hl.Func("g")
    f[x] = x * 2
    f[0] = 1
    g[x] = f[image[x]]
    with pytest.raises(UnboundedError, match=r"f is accessed by stage 0 of Func g in an unbounded way in dimension 0"):
        _dag(g, (0, 10))


def test_an_index_from_a_func_has_the_limits_of_its_values() -> None:
    x = hl.Var("x")
    image, place, table, g = hl.ImageParam(hl.Int(32), 1, "image"), *hl.funcs("place table g")
    place[x] = hl.clamp(image[x], -2, 5)
    table[x] = x * x
    g[x] = table[place[x] * 2 + 1]
    dag = _dag(g, (0, 10))
    assert (dag.funcs["table"].minimum, dag.funcs["table"].extent) == ((-3,), (15,))


def test_pipelines_of_hundreds_of_stages_have_a_dag() -> None:
    x = hl.Var("x")
    stage = hl.ImageParam(hl.Float(32), 1, "image")
    for k in range(400):
        following = hl.Func(f"stage_{k}")
        following[x] = stage[x - 1] + stage[x + 1]
        stage = following
    dag = _dag(stage, (0, 1000))
    assert len(dag.funcs) == 400 and dag.images["image"].extent == (1800,)
