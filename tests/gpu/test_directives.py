"""GPU directives: their forms, what they print, and what is refused."""

import random

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.interp import Image, run
from pipec.lower.lower import lower
from pipec.schedule.schedule import Schedule
from tests.gpu.gpu import TARGET

x, y, z, c, bx, by, bz, tx, ty, tz, xo, xi = hl.vars("x y z c bx by bz tx ty tz xo xi")


def func(*args):
    f = hl.Func("f")
    f[args] = sum(args[1:], args[0])
    return f


def schedule(f):
    return schedule_of([f.function])


TILES = {
    "1": ((x,), lambda f: f.gpu_tile(x, bx, tx, 8), lambda f: f.split(x, bx, tx, 8).gpu_blocks(bx).gpu_threads(tx)),
    "1 without blocks": (
        (x,),
        lambda f: f.gpu_tile(x, tx, 8, hl.TailStrategy.GuardWithIf, hl.DeviceAPI.OpenCL),
        lambda f: f.split(x, x, tx, 8, hl.TailStrategy.GuardWithIf).gpu_blocks(x).gpu_threads(tx),
    ),
    "2": (
        (x, y),
        lambda f: f.gpu_tile(x, y, bx, by, tx, ty, 8, 4),
        lambda f: f.tile(x, y, bx, by, tx, ty, 8, 4).gpu(bx, by, tx, ty),
    ),
    "2 by names": (
        (x, y),
        lambda f: f.gpu_tile(x, y, tx=tx, ty=ty, x_size=8, y_size=4, device_api=hl.DeviceAPI.Default_GPU),
        lambda f: f.tile(x, y, tx, ty, 8, 4).gpu_blocks(x, y).gpu_threads(tx, ty),
    ),
    "3": (
        (x, y, z),
        lambda f: f.gpu_tile(x, y, z, bx, by, bz, tx, ty, tz, 8, 4, 2),
        lambda f: f.tile([x, y, z], [bx, by, bz], [tx, ty, tz], [8, 4, 2]).gpu(bx, by, bz, tx, ty, tz),
    ),
    "3 without blocks": (
        (x, y, z),
        lambda f: f.gpu_tile(x, y, z, tx, ty, tz, 8, 4, 2),
        lambda f: f.tile([x, y, z], [tx, ty, tz], [8, 4, 2]).gpu_blocks(x, y, z).gpu_threads(tx, ty, tz),
    ),
}


@pytest.mark.parametrize("form", TILES)
def test_forms_of_gpu_tile(form):
    args, tiled, spelled = TILES[form]
    f, g = func(*args), func(*args)
    tiled(f)
    spelled(g)
    other = schedule(g).to_json().replace(g.name(), f.name())
    assert schedule(f).to_json() == other
    assert Schedule.from_json(schedule(f).to_json()) == schedule(f)


def test_python_text_gives_the_schedule_again():
    f = func(x, y)
    f.gpu_tile(x, y, bx, by, tx, ty, 8, 4)
    text = schedule(f).to_python()
    assert ".gpu_blocks(bx)" in text and ".gpu_threads(tx)" in text
    g = func(x, y)
    exec(text, {"hl": hl, next(line for line in text.splitlines() if ".tile" in line).split(".")[0]: g})
    assert schedule(g).to_json().replace(g.name(), f.name()) == schedule(f).to_json()


def test_single_thread_is_a_block_of_one():
    f = func(x)
    f.split(x, xo, xi, 4).gpu_single_thread()
    assert ".gpu_single_thread()" in schedule(f).to_python()
    kinds = [(loop.kind.value, loop.name) for loop in f._shape().loops(f.function.schedule).loops]
    assert kinds[-2:] == [("gpu_thread", "single_thread"), ("gpu_block", "single_block")]


@pytest.mark.opencl
def test_single_thread_runs():
    f, g = hl.Func("f"), hl.Func("g")
    r = hl.RDom([(1, 20)])
    f[x] = x
    f[r] += f[r - 1]
    g[()] = f[20]
    f.compute_root().gpu_single_thread()
    f.update(0).gpu_single_thread()
    g.gpu_single_thread()
    assert int(np.asarray(g.realize([], target=TARGET))) == 210


def refused(prepare, match, error=hl.HalideError):
    f = func(x, y)
    with pytest.raises(error, match=match):
        prepare(f)
        f.realize([16, 16], target=TARGET)


def test_what_is_refused():
    refused(lambda f: f.gpu_threads(x), "GPU thread loop over f.*s0.x must be inside a GPU block loop")
    inside = "GPU block loop over .* is inside the GPU threads of a block"
    refused(lambda f: f.split(y, xo, xi, 4).gpu_blocks(xo, x).gpu_threads(xi), inside)
    refused(lambda f: f.split(y, xo, xi, 4).gpu_blocks(xo, x), "directly inside")
    refused(lambda f: f.gpu_blocks(y).parallel(x), "parallel loop over .* is inside a GPU kernel")
    refused(lambda f: f.gpu_blocks(x, device_api=hl.DeviceAPI.CUDA), "OpenCL only, not for DeviceAPI.CUDA")
    refused(lambda f: f.gpu_tile(x, 3), "The forms are", TypeError)
    refused(lambda f: f.gpu_blocks(), "1 to 3 variables", TypeError)


def test_kernels_need_a_target_with_a_gpu():
    f = func(x).gpu_blocks(x)
    with pytest.raises(hl.HalideError, match='has no GPU feature.*hl.Target."host-opencl".'):
        f.realize([4])


def test_races_over_blocks_are_refused():
    f = hl.Func("f")
    r = hl.RDom([(0, 10)])
    f[x] = 0
    f[0] += r
    with pytest.raises(hl.HalideError, match="may introduce a race condition"):
        f.update(0).gpu_blocks(r)


def test_inlined_funcs_have_no_loops():
    f, g = func(x), hl.Func("g")
    g[x] = f[x]
    f.gpu_blocks(x)
    with pytest.raises(hl.HalideError, match="Cannot distribute over GPU blocks dimension x of function f"):
        g.realize([4], target=TARGET)


@pytest.mark.parametrize("seed", range(3))
def test_the_interpreter_runs_blocks_and_threads_in_any_order(seed):
    f, g = hl.Func("f"), hl.Func("g")
    g[x, y] = x * x + y
    f[x, y] = g[x, y] + g[x + 1, y + 1]
    f.gpu_tile(x, y, bx, by, tx, ty, 4, 4)
    g.compute_at(f, bx).gpu_threads(x, y)
    definition, _ = freeze([f.function])
    program = lower(definition, schedule(f), TARGET)
    name = program.arguments[0].name
    result = run(program, {name: Image(np.zeros((9, 7), np.int32))}, order=random.Random(seed), strict=False)
    rows, columns = np.mgrid[0:9, 0:7]
    np.testing.assert_array_equal(result[name], rows**2 + columns + (rows + 1) ** 2 + columns + 1)


def test_copies_happen_where_the_schedule_says():
    z, w = hl.vars("z w")
    for arguments in ((x,), (x, y), (x, y, z, w)):
        f, g, h = hl.funcs("f g h")
        f[arguments] = sum(arguments)
        g[arguments] = f[arguments] * 2
        h[arguments] = g[arguments] + 1
        f.compute_root()
        g.compute_root().gpu_tile(x, xo, xi, 4)
        f.in_(g).compute_root().copy_to_device()
        g.in_(h).compute_root().copy_to_host()
        size = (5, 4, 3, 2)[: len(arguments)]
        indices = np.indices(size[::-1]).sum(axis=0)
        np.testing.assert_array_equal(np.asarray(h.realize(list(size), target=TARGET)), 2 * indices + 1)


def test_only_copies_are_copied():
    f = hl.Func("f")
    f[x] = x + 1
    for copy in (f.copy_to_device, f.copy_to_host):
        with pytest.raises(hl.ScheduleError, match=r"Func f is more than that.*f\.in_\(consumer\)"):
            copy()
