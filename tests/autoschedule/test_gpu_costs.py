"""Costs of kernels: what is faster on every GPU is cheaper, and what no device of the kind can run is refused."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import pipec as hl
from pipec.autoschedule.features.gpu.device import GENERIC, GpuDevice, device_of
from pipec.autoschedule.features.gpu.work import conflicts, sectors
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.gpu.nests import BLOCK, THREAD, kernel_nest, single_nest
from pipec.autoschedule.space.gpu.space import GpuSpace
from pipec.autoschedule.space.state import INLINED, FuncPlacement, Nest, NestLevel, State, Where
from pipec.errors import ArgumentError

SIZE = (2048, 2048)
TARGET = hl.Target("host-opencl")
x, y = hl.vars("x y")


def space_of(output, size=SIZE, device: GpuDevice = GENERIC) -> GpuSpace:
    result = problem_of([output.function], sizes=list(size), target=TARGET, device=device).space
    assert isinstance(result, GpuSpace)
    return result


def rooted(space: GpuSpace, *nests: Nest) -> FuncPlacement:
    return FuncPlacement(Where.ROOT, nests=nests)


def tile(space: GpuSpace, func: str, threads: tuple[int, int], points=(1, 1), order=(0, 1), stage=0) -> Nest:
    info = space.dag.funcs[func].stages[stage]
    return kernel_nest(info, order, dict(enumerate(threads)), dict(enumerate(points)))


def cost(space: GpuSpace, **placements: FuncPlacement) -> float:
    return space.evaluator.cost(State({**space.start().placements, **placements}))


def image(name: str = "photo", kind=None) -> hl.ImageParam:
    photo = hl.ImageParam(kind or hl.Float(32), 2, name)
    return photo


def test_neighbours_in_memory_are_for_neighbouring_threads() -> None:
    copy = hl.Func("copied")
    copy[x, y] = image()[x, y] + 1
    space = space_of(copy)
    name = copy.name()
    along = cost(space, **{name: rooted(space, tile(space, name, (32, 8)))})
    turned = cost(space, **{name: rooted(space, tile(space, name, (8, 32), order=(1, 0)))})
    column = cost(space, **{name: rooted(space, tile(space, name, (1, 256), order=(1, 0)))})
    assert column > turned > 1.5 * along


def test_a_chain_of_points_is_cheapest_in_one_kernel() -> None:
    first, second, third = hl.funcs("first second third")
    first[x, y] = image()[x, y] * 2
    second[x, y] = first[x, y] + 1
    third[x, y] = second[x, y] * second[x, y]
    space = space_of(third)
    alone = {f.name(): rooted(space, tile(space, f.name(), (32, 8))) for f in (first, second, third)}
    inside = {**alone, first.name(): INLINED, second.name(): INLINED}
    assert cost(space, **alone) > 2 * cost(space, **inside)


def stencil():
    """An expensive Func, and a 5x5 stencil of it."""
    expensive, blurred = hl.funcs("expensive blurred")
    value = image()[x, y]
    expensive[x, y] = hl.sqrt(hl.exp(value) + hl.sin(value) * hl.log(value + 2))
    blurred[x, y] = sum([expensive[x + i, y + j] for i in range(5) for j in range(5)], hl.f32(0))
    return expensive, blurred


def test_what_is_expensive_and_read_by_many_threads_is_staged_in_the_block() -> None:
    expensive, blurred = stencil()
    space = space_of(blurred)
    host = {blurred.name(): rooted(space, tile(space, blurred.name(), (32, 8), (1, 2)))}
    info, nest_level = space.dag.funcs[expensive.name()], NestLevel(blurred.name(), 0, BLOCK)
    staged = cost(space, **host, **{expensive.name(): space.nest_levels.at(info, nest_level)})
    second = cost(space, **host, **{expensive.name(): INLINED})
    thread = cost(space, **host, **{expensive.name(): space.nest_levels.at(info, replace(nest_level, level=THREAD))})
    assert staged < second / 2
    assert staged < thread < second


def test_blocks_beyond_the_local_memory_are_refused() -> None:
    expensive, blurred = stencil()
    for device, runs in ((GENERIC, True), (replace(GENERIC, local_bytes=1024), False)):
        space = space_of(blurred, device=device)
        nest_level = NestLevel(blurred.name(), 0, BLOCK)
        placements = {
            blurred.name(): rooted(space, tile(space, blurred.name(), (32, 8))),
            expensive.name(): space.nest_levels.at(space.dag.funcs[expensive.name()], nest_level),
        }
        state = State({**space.start().placements, **placements})
        assert math.isfinite(space.evaluator.cost(state)) is runs
        assert bool(space.problems(state)) is not runs
        if not runs:
            assert "local memory, more than 1024" in space.problems(state)[0]
            assert state not in space.children(state, expensive.name())


def test_groups_beyond_the_device_are_refused() -> None:
    copy = hl.Func("copied")
    copy[x, y] = image()[x, y]
    space = space_of(copy, device=replace(GENERIC, max_threads=256))
    state = State({copy.name(): rooted(space, tile(space, copy.name(), (32, 16)))})
    assert "512 threads, more than 256" in space.problems(state)[0]


def test_one_thread_is_the_last_resort() -> None:
    total, r = hl.Func("total"), hl.RDom([(0, 1 << 16)], "r")
    total[x] = hl.f32(0)
    total[x] += image()[x, r.x]
    space = space_of(total, (4096,))
    pure = kernel_nest(space.dag.funcs[total.name()].stages[0], [0], {0: 64})
    update = space.dag.funcs[total.name()].stages[1]
    many = cost(space, **{total.name(): rooted(space, pure, kernel_nest(update, [0], {0: 64}))})
    one = cost(space, **{total.name(): rooted(space, pure, single_nest(update))})
    assert one > 100 * many


def test_local_memory_takes_room_from_other_blocks() -> None:
    expensive, blurred = stencil()
    nest_level = NestLevel(blurred.name(), 0, BLOCK)
    costs = []
    for room in (96 << 10, 8 << 10):
        space = space_of(blurred, device=replace(GENERIC, local_bytes_of_unit=room))
        host = {blurred.name(): rooted(space, tile(space, blurred.name(), (32, 8), (1, 4)))}
        costs.append(
            cost(
                space, **host, **{expensive.name(): space.nest_levels.at(space.dag.funcs[expensive.name()], nest_level)}
            )
        )
    assert costs[0] < costs[1]


@pytest.mark.parametrize(
    ("steps", "size", "expected"),
    [((1.0,), 4, 4), ((0.0,), 4, 1), ((8.0,), 4, 32), ((1.0,), 1, 1), ((2.0,), 2, 4), ((0.5,), 4, 2)],
)
def test_a_warp_asks_for_the_pieces_that_its_lanes_touch(steps: tuple[float, ...], size: int, expected: int) -> None:
    assert sectors((64,), steps, size, 32, 32) == expected


@pytest.mark.parametrize(("step", "expected"), [(1.0, 1), (0.0, 1), (2.0, 2), (32.0, 32), (33.0, 1)])
def test_words_of_one_bank_are_read_one_after_the_other(step: float, expected: int) -> None:
    assert conflicts((32,), (step,), 4, 32, 32) == expected


def test_a_warp_of_two_rows_touches_both() -> None:
    assert sectors((16, 4), (1.0, 1000.0), 4, 32, 32) == 4
    assert sectors((8, 4), (1.0, 1000.0), 4, 32, 32) == 4
    assert sectors((4, 8), (1.0, 1000.0), 4, 32, 32) == 8


def test_devices_go_by_their_names() -> None:
    assert device_of("server").bandwidth > device_of("generic").bandwidth > device_of("laptop").bandwidth
    with pytest.raises(ArgumentError, match="'cray'; there are generic, laptop, server"):
        device_of("cray")
