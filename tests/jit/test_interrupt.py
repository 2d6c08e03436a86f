"""Ctrl-C ends machine code that runs long: the call raises KeyboardInterrupt, and the process goes on."""

import os
import signal
import threading

import numpy as np
import pytest

import pipec as hl

x, y, z, xo = hl.vars("x y z xo")
SIZE = 64
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent")


def endless(name):
    """A Func whose elements each take minutes, unless its Param says otherwise."""
    rounds = hl.Param(hl.Int(32), "rounds", 1 << 30)
    r = hl.RDom([(0, 64), (0, rounds)], "r")
    f = hl.Func(name)
    f[x, y] = 0
    f[x, y] = f[x, y] * 5 + r.x * r.y + x
    return rounds, f


def serial():
    rounds, f = endless("serial")
    return rounds, f


def parallel():
    rounds, f = endless("in_tasks")
    f.parallel(y)
    f.update().parallel(y)
    return rounds, f


def with_allocations():
    rounds, f = endless("inner")
    g = hl.Func("outer")
    g[x, y] = f[x, y] + f[x, y + 1]
    f.compute_at(g, y).store_in(hl.MemoryType.Heap)
    g.parallel(y)
    return rounds, g


def in_async():
    rounds, f = endless("producer")
    g = hl.Func("consumer")
    g[x, y] = f[x, y] + 1
    f.store_root().compute_at(g, y).async_()
    return rounds, g


def in_one_loop():
    """The innermost loop is the only long one."""
    rounds = hl.Param(hl.Int(32), "rounds", 1 << 30)
    r = hl.RDom([(0, rounds)], "r")
    f = hl.Func("one_loop")
    f[x, y] = hl.f32(0)
    f[x, y] = hl.sin(f[x, y]) + x
    f[x, y] = hl.sin(f[x, y]) + r.x
    return rounds, f


def interrupt_soon(seconds=0.2):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.part(2)
@pytest.mark.parametrize("make", [serial, parallel, with_allocations, in_async, in_one_loop])
def test_a_long_call_is_interrupted_and_the_next_one_works(make):
    rounds, f = make()
    rounds.set(1)
    expected = np.asarray(f.realize([SIZE, SIZE]))
    rounds.set(1 << 30)
    for _ in range(2):
        timer = interrupt_soon()
        with pytest.raises(KeyboardInterrupt):
            f.realize([SIZE, SIZE])
        timer.join()
    rounds.set(1)
    np.testing.assert_array_equal(np.asarray(f.realize([SIZE, SIZE])), expected)


@pytest.mark.parametrize("extent", [1, 65535, 65536, 65537, 81920, 100000])
def test_long_loops_in_blocks_run_each_iteration_once(extent):
    r, f, count = hl.RDom([(3, extent)], "r"), hl.Func("summed"), hl.Param(hl.Int(32), "count", extent)
    f[()] = hl.i64(0)
    f[()] = f[()] + r.x * (f[()] % 2 + 1)
    q, g, h = hl.RDom([(3, count)], "q"), hl.Func("counted"), hl.Func("line")
    g[()] = hl.i64(0)
    g[()] = g[()] + q.x * (g[()] % 2 + 1)
    h[x] = x * 3
    total = 0
    for value in range(3, extent + 3):
        total += value * (total % 2 + 1)
    assert f.realize()[()] == g.realize()[()] == total
    np.testing.assert_array_equal(np.asarray(h.realize([extent])), np.arange(extent) * 3)


def test_prebuilt_calls_are_interrupted():
    rounds, f = endless("prebuilt")
    run, out = f.compile_to_callable([rounds]), np.zeros((SIZE, SIZE), np.int32)
    run(1, out)
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        run(1 << 30, out)
    timer.join()
    run(1, out)


@hl.generator("slow")
class Slow:
    rounds = hl.InputScalar(hl.Int(32))
    output = hl.OutputBuffer(hl.Int(32), 2)

    def generate(self):
        r = hl.RDom([(0, 64), (0, self.rounds)], "r")
        f = self.output
        f[x, y] = 0
        f[x, y] = f[x, y] * 5 + r.x * r.y + x


def test_generators_are_interrupted():
    out = np.zeros((SIZE, SIZE), np.int32)
    with hl.GeneratorContext(hl.get_host_target()):
        run = Slow().compile_to_callable()
    run(1, out)
    expected = out.copy()
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        run(1 << 30, out)
    timer.join()
    run(1, out)
    np.testing.assert_array_equal(out, expected)


def test_layers_of_torch_are_interrupted():
    torch = pytest.importorskip("torch")
    image, rounds, f = hl.ImageParam(hl.Float(32), 2, "image"), hl.ImageParam(hl.Int(32), 1, "rounds"), hl.Func("waves")
    count = hl.clamp(rounds.width(), 0, 1 << 30)
    r = hl.RDom([(0, count), (0, count)], "r")
    f[x, y] = 0.0
    f[x, y] += image[x, y] * hl.sin(hl.f32(r.y) * image[x, y])
    layer = f.as_torch([image, rounds], [image.width(), image.height()])
    few, many = torch.zeros(1, dtype=torch.int32), torch.zeros(1 << 20, dtype=torch.int32)
    tensor = torch.rand((2, 2), requires_grad=True)
    result = layer(tensor, few).sum()
    (gradient,) = torch.autograd.grad(result, tensor, retain_graph=True)
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        layer(tensor, many)
    timer.join()
    assert torch.equal(torch.autograd.grad(result, tensor)[0], gradient)


def test_handlers_of_the_program_run_meanwhile_and_decide():
    rounds, f = endless("handled")
    seen = []

    def handle(number, frame):
        seen.append(np.asarray(small.realize([4])).tolist())
        if len(seen) == 2:
            raise TimeoutError

    small = hl.Func("small")
    small[x] = x * 2
    small.parallel(x)
    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)
        with pytest.raises(TimeoutError):
            f.realize([SIZE, SIZE])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert seen == [[0, 2, 4, 6]] * 2


def test_calls_of_other_threads_go_on():
    rounds, f = endless("elsewhere")
    rounds.set(1 << 17)
    f.parallel(y)
    f.update().parallel(y)
    run, results = f.compile_to_callable([rounds]), []

    def work():
        out = np.zeros((4, 8), np.int32)
        run(1 << 17, out)
        results.append(out)

    thread = threading.Thread(target=work)
    thread.start()
    own_rounds, own = endless("interrupted")
    own.update().parallel(y)
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        own.realize([SIZE, SIZE])
    timer.join()
    thread.join()
    repeated = np.zeros((4, 8), np.int32)
    run(1 << 17, repeated)
    np.testing.assert_array_equal(results[0], repeated)


def test_a_child_of_a_fork_is_interrupted():
    rounds, f = endless("before_fork")
    rounds.set(1)
    f.realize([SIZE, SIZE])
    rounds.set(1 << 30)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            interrupt_soon()
            f.realize([SIZE, SIZE])
        except KeyboardInterrupt:
            code = 7
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_llvm_runs_where_no_handler_of_a_signal_does(monkeypatch):
    # Between the release of memory by llvmlite and its note of that, an exception would release the memory twice.
    from llvmlite.binding import ffi

    functions = {}
    original = ffi._lib_fn_wrapper.__call__

    def call(self, *arguments):
        functions.setdefault(threading.current_thread(), []).append(self._cfn.__name__)
        return original(self, *arguments)

    monkeypatch.setattr(ffi._lib_fn_wrapper, "__call__", call)
    f = hl.Func("compiled_here")
    f[x, y] = x * 7919 + y * int.from_bytes(os.urandom(2), "little")
    f.realize([8, 8])
    hl.Pipeline(f).compile_to_llvm_assembly(os.devnull, [], "compiled_here")
    here = functions.pop(threading.main_thread(), [])
    assert functions
    # Python ends an object once.
    assert [name for name in here if "Dispose" not in name] == []
