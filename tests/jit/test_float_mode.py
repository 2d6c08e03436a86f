"""Results too small for a normal number are zero in machine code, and nowhere else; strict programs keep them."""

import ctypes
import signal

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.jit.llvm.emit import emit_module
from pipec.lower.lower import lower

x, y = hl.vars("x y")
SIZE = 16
# Their products by TINY have denormal numbers.
SMALL = np.array([1e-30, -1e-30, 2e-32, 3.0] * 4, np.float32)
TINY = np.float32(1e-9)
PRODUCTS = SMALL * TINY
FLUSHED = np.where(np.abs(PRODUCTS) < np.finfo(np.float32).tiny, np.float32(0), PRODUCTS)


def keeps_denormals():
    """Whether this thread's own arithmetic has denormal numbers."""
    return bool(np.float32(1e-39) * np.float32(1) != 0)


@pytest.fixture(autouse=True)
def process_keeps_denormals():
    assert keeps_denormals()
    yield
    assert keeps_denormals()


def products(mark=lambda e: e):
    f = hl.Func("products")
    f[x, y] = mark(hl.Buffer(SMALL)[x] * TINY)
    return f


SCHEDULES = {
    "scalar": lambda f: None,
    "vectors": lambda f: f.vectorize(x, 8),
    "tasks": lambda f: f.parallel(y),
    "tasks of tasks": lambda f: f.vectorize(x, 8).reorder(y, x).parallel(x).parallel(y),
}


def realized(f, target="host"):
    return np.asarray(f.realize([SIZE, 8], target=hl.Target(target)))


@pytest.mark.parametrize("name", SCHEDULES)
def test_results_too_small_for_a_normal_number_are_zero(name):
    f = products()
    SCHEDULES[name](f)
    assert (realized(f) == FLUSHED).all()


def test_signs_of_small_results_stay():
    assert (np.signbit(realized(products())) == np.signbit(PRODUCTS)).all()


def test_small_results_of_a_thread_of_its_own_are_zero():
    f, g = products(), hl.Func("consumer")
    g[x, y] = hl.select(f[x, y] == 0, 1, 0)
    f.compute_root().async_()
    assert (realized(g) == (FLUSHED == 0)).all()


def test_small_results_of_float64_are_zero():
    f = hl.Func("doubles")
    f[x] = hl.Buffer(np.array([1e-300, 1e-200, 1.0, 2.0]))[x] * 2.0**-40
    assert np.asarray(f.realize([4])).tolist() == [0, 1e-200 * 2.0**-40, 2.0**-40, 2.0**-39]


def test_small_results_of_float16_are_not_zero():
    f, values = hl.Func("halves"), np.array([6e-8, 1e-5, 6e-5, 1.0], np.float16)
    f[x] = hl.Buffer(values)[x] * hl.f16(0.5)
    np.testing.assert_array_equal(np.asarray(f.realize([4])), values * np.float16(0.5))


def test_small_values_of_functions_are_zero():
    f = hl.Func("exponentials")
    f[x] = hl.exp(-90.0 - hl.f32(x))
    f.vectorize(x, 8)
    assert (np.asarray(f.realize([8])) == 0).all()


def test_copies_keep_denormal_numbers():
    f = hl.Func("copied")
    f[x] = hl.Buffer(PRODUCTS)[x]
    f.vectorize(x, 8)
    assert (np.asarray(f.realize([SIZE])) == PRODUCTS).all()


@pytest.mark.parametrize("name", SCHEDULES)
def test_strict_floats_keep_denormal_numbers(name):
    f = products(hl.strict_float)
    SCHEDULES[name](f)
    assert (realized(f) == PRODUCTS).all()


def test_one_strict_operation_keeps_the_denormal_numbers_of_a_program():
    f, g = products(), hl.Func("offset")
    g[x, y] = f[x, y] + hl.strict_float(hl.f32(y) * 0.0)
    f.compute_root().parallel(y)
    assert (realized(g) == PRODUCTS).all()


@pytest.mark.parametrize("name", SCHEDULES)
def test_the_strict_target_feature_keeps_denormal_numbers(name):
    f = products()
    SCHEDULES[name](f)
    assert (realized(f, "host-strict_float") == PRODUCTS).all()


def test_the_mode_is_restored_after_an_error():
    image = hl.ImageParam(hl.Float(32), 1, "image")
    f = hl.Func("read_beyond")
    f[x] = image[x + 1] * TINY
    image.set(hl.Buffer(SMALL))
    with pytest.raises(hl.HalideError):
        f.realize([SIZE])
    assert keeps_denormals()


def test_the_mode_is_restored_after_an_error_in_a_task():
    f, g = hl.Func("index"), hl.Func("checked")
    f[x, y] = hl.f32(x) * TINY
    g[x, y] = f[x, y] + hl.require(y < 4, 1.0, "too far")
    g.parallel(y)
    with pytest.raises(hl.HalideError):
        g.realize([SIZE, 8])
    assert keeps_denormals()


@pytest.mark.parametrize("name", SCHEDULES)
def test_callbacks_run_in_the_mode_of_the_process(name):
    modes = []
    f = products(lambda value: hl.print(value, y))
    SCHEDULES[name](f)
    pipeline = hl.Pipeline(f)
    pipeline.set_custom_print(lambda text: modes.append(keeps_denormals()))
    assert (np.asarray(pipeline.realize([SIZE, 8])) == FLUSHED).all()
    assert len(modes) == SIZE * 8 and all(modes)


def test_an_exception_of_a_callback_restores_the_mode():
    def fail(text):
        raise ZeroDivisionError

    pipeline = hl.Pipeline(products(lambda value: hl.print(value, y)))
    pipeline.set_custom_print(fail)
    with pytest.raises(ZeroDivisionError):
        pipeline.realize([SIZE, 8])
    assert keeps_denormals()


@pytest.mark.parametrize("in_tasks", [False, True])
def test_extern_stages_run_in_the_mode_of_the_process(in_tasks):
    modes = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    def stage(source, result):
        modes.append(keeps_denormals())
        return 0

    f, extern, g = products(), hl.Func("extern"), hl.Func("after")
    extern.define_extern(stage, [hl.ExternFuncArgument(f)], hl.Float(32), [x, y])
    g[x, y] = extern[x, y] * 0.0 + f[x, y]
    f.compute_root()
    if in_tasks:
        extern.compute_at(g, y)
        g.parallel(y)
    else:
        extern.compute_root()
    g.realize([SIZE, 8])
    assert modes and all(modes)


def endless_sums():
    """A Func whose rows take minutes."""
    r, f = hl.RDom([(0, 1 << 30)]), hl.Func("sums")
    f[y] = 0.0
    f[y] = hl.sin(f[y]) + hl.f32(r)
    return f


@pytest.mark.parametrize("schedule", [lambda f: None, lambda f: f.update().parallel(y)], ids=["alone", "in tasks"])
def test_signal_handlers_run_in_the_mode_of_the_process(schedule):
    modes = []

    def handle(number, frame):
        modes.append(keeps_denormals())
        raise TimeoutError

    f = endless_sums()
    schedule(f)
    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(TimeoutError):
            f.realize([4])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert modes == [True] and keeps_denormals()


def test_a_process_that_flushes_gets_its_mode_back_and_strict_programs_do_not_depend_on_it():
    torch = pytest.importorskip("torch")
    assert torch.set_flush_denormal(True)
    try:
        plain, strict = realized(products()), realized(products(hl.strict_float))
        flushes = not keeps_denormals()
    finally:
        torch.set_flush_denormal(False)
    assert flushes and (plain == FLUSHED).all() and (strict == PRODUCTS).all()


def llvm_text(f, register):
    definition, _ = freeze([f.function], "moded")
    program = lower(definition, schedule_of([f.function]), hl.get_host_target())
    return emit_module(program, abilities=frozenset({"fma", register}))


def test_programs_of_integers_leave_the_mode_alone():
    f = hl.Func("integers")
    f[x] = x * 3
    assert "mxcsr" not in llvm_text(f, "mxcsr") and "mxcsr" in llvm_text(products(), "mxcsr")


def test_arm_sets_its_own_register(tmp_path):
    assert "@llvm.aarch64.set.fpcr" in llvm_text(products(), "fpcr")
    products().compile_to_object(tmp_path / "f.o", [], "f", hl.Target("arm-64-linux-no_runtime"))
    products().compile_to_assembly(tmp_path / "f.s", [], "f", hl.Target("arm-64-linux-no_runtime"))
    assert "FPCR" in (tmp_path / "f.s").read_text().upper()
