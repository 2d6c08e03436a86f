"""Floats are added to in one step where the device can, whatever the text of the kernels says besides."""

from types import SimpleNamespace

import pytest

import pipec as hl
from pipec.jit.opencl.device import OpenCLDevice, _has_version_3
from tests.gpu.gpu import kernel_text, same_on_gpu

x, y, xi = hl.vars("x y xi")
R = hl.RDom([(0, 24)], "r")
SPACES = "global", "local"


def sums(kind):
    """Rows of sums and of differences of whole numbers, read once they are there."""
    f, g = hl.Func("sums"), hl.Func("reader")
    f[x, y] = hl.cast(kind, y)
    f[R % 3, y] += hl.cast(kind, R * y)
    f[R % 2, y] -= hl.cast(kind, R)
    g[x, y] = f[x, y]
    return [f, g]


def schedule(funcs, space):
    f, g = funcs
    g.bound(x, 0, 3).gpu_blocks(y).gpu_threads(x)
    if space == "local":
        f.compute_at(g, y).gpu_threads(x)
    else:
        f.compute_root().gpu_blocks(y).gpu_threads(x)
    for number in range(2):
        update = f.update(number).atomic()
        update.gpu_threads(R.x) if space == "local" else update.gpu_blocks(y).gpu_threads(R.x)


@pytest.mark.opencl
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("kind", [hl.Float(32), hl.Float(64)])
@pytest.mark.part(2)
def test_terms_of_all_threads_arrive(kind, space):
    same_on_gpu(lambda: sums(kind), lambda funcs: schedule(funcs, space), ((3, 5),))


@pytest.mark.parametrize("space", SPACES)
def test_the_text_has_one_step_and_a_loop_for_other_devices(space):
    funcs = sums(hl.Float(32))
    schedule(funcs, space)
    text = kernel_text(funcs[1])
    function = text[text.index(f"static inline void atomic_add_{space}_float32(") :].partition("\n}")[0]
    assert f"#if defined(__opencl_c_ext_fp32_{space}_atomic_add)\n    atomic_fetch_add_explicit(" in function
    assert "#else" in function and "atomic_cmpxchg" in function
    assert ("atom.global.add.f32" in function) == (space == "global")
    assert text.count(f"atomic_add_{space}_float32(") == 3, "the function and two calls"


def described(extensions, versions):
    """A device as the driver tells about it."""
    built = OpenCLDevice.__new__(OpenCLDevice)
    built._build_options, built.extensions = ["-plain"], frozenset(extensions.split())
    handle = SimpleNamespace(version="OpenCL 3.0 described", opencl_c_all_versions=versions)
    built.has_version_3 = _has_version_3(handle)
    return built


def test_only_devices_that_gain_compile_a_later_version():
    version_1, version_3 = SimpleNamespace(version=1 << 22 | 2 << 12), SimpleNamespace(version=3 << 22)
    funcs = sums(hl.Float(32))
    schedule(funcs, "global")
    text, able = kernel_text(funcs[1]), described("cl_khr_fp64 cl_ext_float_atomics", [version_1, version_3])
    assert able.build_options(text) == ["-plain", "-cl-std=CL3.0"]
    assert able.build_options("__kernel void f() {}") == ["-plain"]
    assert described("cl_khr_fp64", [version_1, version_3]).build_options(text) == ["-plain"]
    assert described("cl_ext_float_atomics", [version_1]).build_options(text) == ["-plain"]
