"""The space of kernels: all that its moves give can be carried out, and kernels come of it, without a device."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pipec as hl
from apps.registry import APPS
from pipec.autoschedule.features.gpu.device import GENERIC
from pipec.autoschedule.problem import Problem, problem_of
from pipec.autoschedule.rfactor.definitions import factored
from pipec.autoschedule.space.gpu.nests import BLOCK, THREAD, cpu_nest, kernel_nest, on_gpu
from pipec.autoschedule.space.gpu.options import GpuOptions
from pipec.autoschedule.space.gpu.slices import in_slices
from pipec.autoschedule.space.gpu.space import GpuSpace, freeze_most
from pipec.autoschedule.space.state import INLINED, FuncPlacement, NestLevel, State, Where
from pipec.autoschedule.space.state_text import from_json, to_json
from pipec.autoschedule.strategies.search import Budget, search
from pipec.autoschedule.strategies.search_state import Options
from pipec.jit.opencl.kernels import split
from pipec.lower.legality.apply_schedule import apply_schedule
from pipec.lower.lower import lower

TARGET = hl.Target("x86-64-linux-opencl")
x, y = hl.vars("x y")


def problem(*outputs, size=(640, 480), kernels: GpuOptions | None = None) -> Problem:
    functions = [output.function for output in outputs]
    return problem_of(functions, sizes=list(size), target=TARGET, device=GENERIC, kernels=kernels)


def space_of(subject: Problem) -> GpuSpace:
    assert isinstance(subject.space, GpuSpace)
    return subject.space


def kernels(subject: Problem, state: State) -> str:
    """The device code of a state; none where all is on the CPU."""
    schedule = subject.space.emit(state)
    definition = factored(subject.definition, schedule)
    device = split(lower(definition, apply_schedule(definition, schedule), TARGET)).device
    return "" if device is None else device.text


def pipelines():
    """A stencil of an inlined and of a shared Func; a reduction; a scan; a histogram."""
    image = hl.ImageParam(hl.UInt(8), 2, "bytes")
    shared, blurred, sums, scan, counts, result = hl.funcs("shared blurred sums scan counts result")
    shared[x, y] = hl.i32(image[x, y]) * 3
    blurred[x, y] = shared[x - 1, y] + shared[x, y] + shared[x + 1, y] + shared[x, y + 1]
    r = hl.RDom([(0, 5)], "r")
    sums[x, y] = 0
    sums[x, y] += blurred[x + r.x, y] * r.x
    rows = hl.RDom([(1, 31)], "rows")
    scan[x, y] = sums[x, y]
    scan[x, rows.x] += scan[x, rows.x - 1]
    all_ = hl.RDom([(0, 64), (0, 64)], "all")
    counts[x] = 0
    counts[hl.clamp(image[all_.x, all_.y], 0, 255)] += 1
    result[x, y] = scan[x, hl.clamp(y, 0, 31)] + counts[hl.clamp(x, 0, 255)]
    return result


def test_random_states_are_legal_and_become_kernels() -> None:
    result = problem(pipelines(), size=(64, 32))
    rng, state = random.Random(1), result.space.start()
    for _ in range(2):
        for _ in range(5):
            state = result.space.mutated(state, rng)
            assert result.space.problems(state) == []
        assert "__kernel" in kernels(result, state)


def test_the_start_is_all_kernels() -> None:
    result = problem(pipelines())
    state = result.space.start()
    assert result.space.problems(state) == []
    assert all(on_gpu(nest) for placement in state.placements.values() for nest in placement.nests)


def test_a_state_stays_the_same_in_a_database() -> None:
    result = problem(pipelines())
    state = result.space.mutated(result.space.start(), random.Random(3))
    assert from_json(to_json(state)) == state


def two_stages():
    first, second = hl.funcs("first second")
    first[x, y] = hl.f32(x) * y
    second[x, y] = first[x, y] + first[x + 1, y] + first[x, y + 1]
    return first, second


def test_places_in_kernels_are_blocks_and_threads() -> None:
    first, second = two_stages()
    space = space_of(problem(second))
    state = space.placed(space.start(), first.name(), INLINED)
    nest_levels = space.nest_levels.of(state, first.name())
    assert nest_levels == [NestLevel(second.name(), 0, BLOCK), NestLevel(second.name(), 0, THREAD)]
    placed = space.placed(state, first.name(), space.nest_levels.at(space.dag.funcs[first.name()], nest_levels[0]))
    text = kernels(problem(second), placed)
    assert "__local float" in text and text.count("__kernel") == 1 and "barrier(CLK_LOCAL_MEM_FENCE)" in text


def product_in_slices(size: int, length: int = 64) -> tuple[GpuSpace, Problem, State, str]:
    """A product of matrices in blocks of 32 x 32, its sums in slices of that size; what is read is inline as yet."""
    left, right = (hl.ImageParam(hl.Int(32), 2, name) for name in ("left", "right"))
    factor, product, result = hl.funcs("factor product result")
    k = hl.RDom([(0, length)], "k")
    factor[x, y] = left[x, y] * 2 + 1
    product[x, y] = 0
    product[x, y] += factor[k, y] * right[x, k]
    result[x, y] = product[x, y] + 1
    actual = problem(result, size=(64, 64))
    space = space_of(actual)
    infos = space.dag.funcs
    blocks = kernel_nest(infos[result.name()].stages[0], [0, 1], {0: 16, 1: 16}, {0: 2, 1: 2})
    state = space.placed(space.start(), factor.name(), INLINED)
    state = space.placed(state, result.name(), FuncPlacement(Where.ROOT, nests=(blocks,)))
    inside = space.nest_levels.at(infos[product.name()], NestLevel(result.name(), 0, BLOCK))
    sliced = next(p for p in in_slices(infos[product.name()], inside) if p.nests[1].tiles == ((0, 0, size), (2, 2, 0)))
    return space, actual, space.placed(state, product.name(), sliced), factor.name()


def test_what_a_reduction_in_slices_reads_is_staged_for_each_of_them() -> None:
    space, result, state, factor = product_in_slices(16)
    (product,) = [name for name in space.dag.funcs if name.startswith("product")]
    nest_levels = space.nest_levels.of(state, factor)
    assert NestLevel(product, 1, BLOCK) in nest_levels
    state = space.placed(state, factor, space.nest_levels.at(space.dag.funcs[factor], NestLevel(product, 1, BLOCK)))
    assert space.problems(state) == []
    text = kernels(result, state)
    assert "__local int32_t factor[512];" in text, "16 of the 64 factors of each of the block's 32 rows"
    (slices,) = [line for line in text.splitlines() if "for (" in line and "k_x" in line and "k_xi" not in line]
    assert text.index(slices) < text.index("/* factor */")


def test_slices_fit_where_all_that_is_read_does_not() -> None:
    space, _, state, factor = product_in_slices(16, length=4096)
    costs = {}
    for nest_level in space.nest_levels.of(state, factor):
        if nest_level.level == BLOCK:
            placed = space.placed(state, factor, space.nest_levels.at(space.dag.funcs[factor], nest_level))
            costs[nest_level.func.partition("$")[0]] = space.evaluator.costs([placed])[0]
    assert costs["result"] == math.inf and costs["product"] < math.inf


def test_a_block_goes_through_slices_of_one_reduction_only() -> None:
    space, _, state, _ = product_in_slices(16)
    (product,) = [name for name in space.dag.funcs if name.startswith("product")]
    own = state[product]
    wrong = replace(own.nests[1], tiles=((16, 0, 16), (2, 2, 0)))
    state = state.placing_all({product: replace(own, nests=(own.nests[0], wrong))})
    assert any("slices of one reduction" in text for text in space.problems(state))


def test_what_has_no_constant_size_is_no_part_of_a_kernel() -> None:
    table, picked = hl.funcs("table picked")
    table[x] = hl.sqrt(hl.f32(x))
    indices = hl.ImageParam(hl.UInt(16), 2, "indices")
    picked[x, y] = table[hl.i32(indices[x, y])]
    space = space_of(problem(picked))
    state = space.placed(space.start(), table.name(), INLINED)
    assert space.nest_levels.of(state, table.name()) == []


def test_what_a_block_needs_in_a_deep_pyramid_has_a_constant_size_for_the_compiler_too() -> None:
    # Where the levels begin and end depends on all coarser ones: seen through, the bounds are too long for a proof.
    actual = problem(APPS["local_laplacian"].build(hl).output, size=(1536, 2560, 3))
    space, state = space_of(actual), actual.space.start()
    own = {name.partition("$")[0]: info for name, info in space.dag.funcs.items()}
    for name in ("result_up_y_0", "up_y_6", "result_up_y_6", "result_7"):
        state = space.placed(state, own[name].name, INLINED)
    level, result = own["level_1"], own["result_1"]
    nest = kernel_nest(level.stages[0], [0, 1, 2], {0: 16, 1: 16}, {0: 4, 2: 3})
    state = space.placed(state, level.name, FuncPlacement(Where.ROOT, nests=(nest,)))
    for name, nest_level in (
        ("down_y_1", NestLevel(level.name, 0, BLOCK)),
        ("up_y_1", NestLevel(result.name, 0, THREAD)),
    ):
        state = space.placed(state, own[name].name, space.nest_levels.at(own[name], nest_level))
    assert space.problems(state) == []
    assert "[6240];" in kernels(actual, state), "130 x 16 x 3 elements"


def test_a_func_follows_its_reader_out_of_a_kernel() -> None:
    base, middle, top = hl.funcs("base middle top")
    base[x, y] = hl.f32(x + y)
    middle[x, y] = base[x, y] + base[x + 1, y]
    top[x, y] = middle[x, y] * middle[x, y + 1]
    space = space_of(problem(top))
    state = space.start()
    for name in (middle.name(), base.name()):
        state = space.placed(state, name, space.nest_levels.at(space.dag.funcs[name], NestLevel(top.name(), 0, BLOCK)))
    assert state[base.name()].where is Where.AT
    moved = space.placed(state, middle.name(), space.start()[top.name()])
    assert moved[base.name()].compute == NestLevel(middle.name(), 0, BLOCK)
    removed = space.placed(state, middle.name(), INLINED)
    assert removed[base.name()].compute == NestLevel(top.name(), 0, BLOCK)
    assert space.problems(moved) == space.problems(removed) == []


def test_what_a_gpu_cannot_compute_stays_on_the_cpu() -> None:
    noisy, plain = hl.funcs("noisy plain")
    noisy[x, y] = hl.print_when(x < 0, hl.f32(x))
    plain[x, y] = noisy[x, y] + 1
    result = problem(plain)
    space = space_of(result)
    assert space.cpu_only == {noisy.name()}
    state = space.start()
    assert not on_gpu(state[noisy.name()].nests[0])
    assert space.problems(state) == []
    assert kernels(result, state).count("__kernel") == 1
    assert f"{noisy.name()}  on the CPU: the device cannot compute it" in space.evaluator.explain(state)


def test_stages_are_not_left_on_the_cpu_without_need() -> None:
    first, second = two_stages()
    space = space_of(problem(second))
    info = space.dag.funcs[first.name()]
    state = space.start()
    placement = replace(state[second.name()], nests=(cpu_nest(info.stages[0]),))
    wrong = State({**state.placements, second.name(): placement})
    assert "is left on the CPU" in space.problems(wrong)[0]


def test_doubles_stay_on_the_cpu_where_the_device_has_none() -> None:
    wide = hl.Func("wide")
    wide[x, y] = hl.f64(x)
    device = replace(GENERIC, double=False)
    space = problem_of([wide.function], sizes=[64, 64], target=TARGET, device=device).space
    assert isinstance(space, GpuSpace)
    assert space.cpu_only == {wide.name()}


def test_options_leave_parts_of_the_space_out() -> None:
    first, second = two_stages()
    places = {}
    for name in ("root", "inline", "block", "thread"):
        space = space_of(problem(second, kernels=GpuOptions(**{name: False})))
        state = space.start()
        result = [child[first.name()] for child in space.children(state, first.name())]
        places[name] = {p.where.value if p.compute is None else p.compute.level for p in result}
    assert BLOCK not in places["block"] and THREAD in places["block"]
    assert THREAD not in places["thread"] and BLOCK in places["thread"]
    assert places["root"] >= {"inline", BLOCK, THREAD}
    one = space_of(problem(second, kernels=GpuOptions(points=False)))
    for child in one.children(one.start(), second.name()):
        assert all(max(nest.tiles[THREAD]) <= 1 for nest in child[second.name()].nests)


def test_cheap_funcs_are_frozen_and_expensive_ones_are_not() -> None:
    app = APPS["max_filter"]
    space = space_of(problem(app.build(hl).output, size=(256, 256, 3)))
    state = freeze_most(space, space.start())
    assert 0 < len(space.frozen) < len(space.dag.funcs) - 4
    assert space.problems(state) == []
    assert not set(space.decided()) & space.frozen


def test_what_is_inline_in_an_expensive_func_is_not_frozen() -> None:
    photo = hl.ImageParam(hl.Float(32), 2, "photo")
    inside, expensive, small, tiny = hl.funcs("inside expensive small tiny")
    inside[x, y] = photo[x, y] + 1
    expensive[x, y] = hl.sqrt(inside[x, y] + inside[x + 1, y])
    previous = tiny
    tiny[x] = hl.f32(x)
    for number in range(24):
        table = hl.Func(f"table{number}")
        table[x] = hl.max(previous[x] * 0.5, previous[x + 1])
        previous = table
    small[x, y] = expensive[x, y] + previous[hl.clamp(x, 0, 1)]
    space = space_of(problem(small))
    state = freeze_most(space, space.start())
    assert state[inside.name()].where is Where.INLINE and inside.name() not in space.frozen
    assert tiny.name() in space.frozen


def test_reductions_with_few_results_are_taken_apart() -> None:
    image, total = hl.ImageParam(hl.Float(32), 2, "photo"), hl.Func("total")
    r = hl.RDom([(0, 1024), (0, 1024)], "r")
    total[()] = hl.f32(0)
    total[()] += image[r.x, r.y]
    result = problem(total, size=())
    (stage,) = result.space.targets()
    whole = search(result.dag, space_of(result).evaluator, options=Options(states=60), budget=Budget(60, 60)).best[0][0]
    parts = result.factored(result.space.choices(stage)[-1])
    less = search(parts.dag, space_of(parts).evaluator, options=Options(states=60), budget=Budget(60, 60)).best[0][0]
    assert less < whole / 4
