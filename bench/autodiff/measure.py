"""`python -m bench.autodiff.measure FILTER`: times of a filter, forward and with its gradients, as JSON.

All contestants run in turn on the same inputs. In torch, pipec included, a step is a call and `backward()`; against the
wheel it is the forward pipeline and the pipeline of all gradients, called with arrays.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from bench.autodiff import filters, torch_filters

LEAST_RUNS = 5
# The gradients of all compilers agree so far: sums of many floats in different orders.
TOLERANCE = 2e-2
Call = Callable[[], Any]
Runs = dict[str, list[float]]


class Contest:
    """The ways to compute one filter and its gradients, after their first calls; failures in words."""

    def __init__(self, name: str, wheel: bool, compile_torch: bool) -> None:
        self.name = name
        self.inputs = torch_filters.example(name)
        self.learned = [tensor for tensor in self.inputs if tensor.requires_grad]
        eager = torch_filters.FILTERS[name]
        self.expected = eager(*self.inputs).detach()
        self.seed = torch.rand(self.expected.shape, generator=torch.Generator().manual_seed(1))
        self.gradients: list[torch.Tensor] = []
        self.forward: dict[str, Call] = {}
        self.both: dict[str, Call] = {}
        self.failures: dict[str, str] = {}
        self._add("torch", eager)
        self._add("pipec", self._layer())
        if compile_torch:
            self._try("compiled", lambda: self._add("compiled", torch.compile(eager)))
        if wheel:
            import halide

            import pipec

            self._try("halide pipelines", lambda: self._add_pipelines("halide pipelines", halide))
            self._try("pipec pipelines", lambda: self._add_pipelines("pipec pipelines", pipec))

    def _try(self, who: str, add: Call) -> None:
        try:
            add()
        except Exception as error:
            self.failures[who] = str(error).strip().splitlines()[0] if str(error) else type(error).__name__

    def _layer(self) -> Callable[..., Any]:
        import pipec

        f, inputs = filters.FILTERS[self.name](pipec)
        return f.as_torch(inputs, list(reversed(self.expected.shape)))

    def _add(self, who: str, f: Callable[..., Any]) -> None:
        def forward() -> Any:
            return f(*self.inputs)

        def both() -> list[torch.Tensor]:
            return list(torch.autograd.grad(f(*self.inputs), self.learned, self.seed))

        self._agree(forward().detach(), both())
        self.forward[who], self.both[who] = forward, both

    def _agree(self, output: torch.Tensor, gradients: list[torch.Tensor]) -> None:
        self.gradients = self.gradients or gradients
        for a, b in zip([output, *gradients], [self.expected, *self.gradients], strict=True):
            # The mean: at kinks one pixel may go either way.
            error = float((a - b).abs().mean() / b.abs().mean())
            if not error < TOLERANCE:
                raise ArithmeticError(f"values differ by {error:.1e} of their size")

    def _add_pipelines(self, who: str, hl: ModuleType) -> None:
        """The forward pipeline and that of all gradients as functions of arrays."""
        arrays = [tensor.detach().numpy() for tensor in self.inputs]
        output = torch.empty_like(self.expected)
        gradients = [torch.empty_like(tensor) for tensor in self.learned]
        given = [hl.Buffer(array) for array in (*arrays, self.seed.numpy())]
        forward, backward = pipelines(hl, self, given)
        outputs = [hl.Buffer(tensor.numpy()) for tensor in (output, *gradients)]

        def run() -> None:
            forward(outputs[0])
            backward(*outputs[1:])

        run()
        self._agree(output, gradients)
        self.forward[who] = lambda: forward(outputs[0])
        self.both[who] = run


def pipelines(hl: ModuleType, contest: Contest, given: list[Any]) -> tuple[Any, Any]:
    """Forward and backward as callables: by the default schedule of gradients, or by the wheel's Li2018."""
    *images, seed = given
    f, inputs = filters.FILTERS[contest.name](filters.Given(hl, images))
    size = list(reversed(contest.expected.shape))
    learned = [k for k, tensor in enumerate(contest.inputs) if tensor.requires_grad]
    adjoint, place = hl.Func("adjoint"), tuple([hl.Var(f"v{at}") for at in range(len(size))])
    adjoint[place] = seed[place]
    pair: Any = hl.Range if hl.__name__ == "halide" else lambda *ends: ends
    d = hl.propagate_adjoints(f, adjoint, [pair(0, extent) for extent in size])
    adjoints = [d[inputs[k]] for k in learned]
    forward = scheduled(hl, [f], [size])
    backward = scheduled(hl, adjoints, [list(reversed(contest.inputs[k].shape)) for k in learned])
    return forward.compile_to_callable([]), backward.compile_to_callable([])


def scheduled(hl: ModuleType, funcs: list[Any], sizes: list[list[int]]) -> Any:
    if hl.__name__ == "pipec":
        from pipec.autodiff.copies import unscheduled
        from pipec.autodiff.default_schedule import default_schedule

        funcs = unscheduled(funcs)
        boxes = {func.name(): [(0, extent) for extent in size] for func, size in zip(funcs, sizes, strict=True)}
        for func, size in zip(funcs, sizes, strict=True):
            for var, extent in zip(func.args(), size, strict=True):
                func.bound(var, 0, extent)
        default_schedule(funcs, boxes, int(os.environ["PIPEC_NUM_THREADS"]))
        return hl.Pipeline(funcs)
    for func, size in zip(funcs, sizes, strict=True):
        func.set_estimates([hl.Range(0, extent) for extent in size])
    pipeline = hl.Pipeline(funcs)
    hl.load_plugin(str(Path(str(hl.__file__)).parent / "lib64" / "libautoschedule_li2018.so"))
    parameters = {"parallelism": os.environ["HL_NUM_THREADS"]}
    pipeline.apply_autoscheduler(hl.get_host_target(), hl.AutoschedulerParams("Li2018", parameters))
    return pipeline


def timed(calls: dict[str, Call], seconds: float) -> Runs:
    """Seconds of single runs. Next is always who has run for the shortest time: the slow have fewer turns."""
    runs: Runs = {name: [] for name in calls}
    gc.collect()
    while waiting := [n for n, times in runs.items() if sum(times) < seconds or len(times) < LEAST_RUNS]:
        name = min(waiting, key=lambda n: sum(runs[n]))
        calls[name]()  # not counted: whose data lie in the cache should not depend on who ran before
        started = time.perf_counter()
        calls[name]()
        runs[name].append(time.perf_counter() - started)
    return runs


def peak_bytes(call: Call) -> int | None:
    """What a call needs of memory beyond what was there before; None where the system does not tell."""
    status, reset = Path("/proc/self/status"), Path("/proc/self/clear_refs")
    try:
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        reset.write_text("5")
        before = int(re.search(r"VmRSS:\s+(\d+)", status.read_text())[1])  # type: ignore[index]
        call()
        after = int(re.search(r"VmHWM:\s+(\d+)", status.read_text())[1])  # type: ignore[index]
    except (OSError, AttributeError, TypeError):
        return None
    return (after - before) << 10


def measured(name: str, seconds: float, wheel: bool = True) -> dict[str, Any]:
    torch.set_num_threads(int(os.environ["PIPEC_NUM_THREADS"]))
    contest = Contest(name, wheel, shutil.which("g++") is not None or shutil.which("clang++") is not None)
    return {
        "forward": timed(contest.forward, seconds / 2),
        "both": timed(contest.both, seconds),
        "peak": {who: peak_bytes(call) for who, call in contest.both.items()},
        "failures": contest.failures,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autodiff.measure", description=__doc__)
    parser.add_argument("filter", choices=filters.FILTERS)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each runs")
    options = parser.parse_args()
    print(json.dumps(measured(options.filter, options.seconds)))


if __name__ == "__main__":
    main()
