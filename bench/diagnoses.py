"""Whether advice makes pipelines faster: one slow pipeline for each kind of finding, before and after its mend.

python -m bench.diagnoses [KIND ...]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pipec as hl
from pipec.func.functions.handlers import Handlers
from pipec.inspect.diagnose import diagnose
from pipec.inspect.finding import Finding
from pipec.inspect.subject import Subject, subject_of
from pipec.ir.program import ProgramArgumentKind
from pipec.pipeline.calls.compiled import CompiledPipeline
from pipec.schedule.schedule import Schedule

SECONDS = 1.0
Build = Callable[[bool], hl.Func]


@dataclass(frozen=True)
class Case:
    """A pipeline with one defect. `build(True)`: as the advice says, where that is no change of the schedule alone.

    size: of the output, for the benchmark; small: for tests, where the finding shows too.
    """

    kind: str
    build: Build
    size: tuple[int, ...]
    small: tuple[int, ...]
    by_hand: bool = False


x, y, xi, yi = hl.vars("x y xi yi")
r = hl.RDom([(0, 4096)], "r")


def image(name: str = "image", dimensions: int = 2) -> Any:
    return hl.ImageParam(hl.Float(32), dimensions, name)


def stencil(producer: Any, dx: int = 0, dy: int = 0) -> Any:
    return (producer[x, y] + producer[x + dx, y + dy] + producer[x + 2 * dx, y + 2 * dy]) / 3


def recomputed(mended: bool) -> hl.Func:
    source, across, down = image(), hl.Func("across"), hl.Func("down")
    across[x, y] = hl.exp(stencil(source, 1))
    down[x, y] = stencil(across, 0, 1)
    down.tile(x, y, xi, yi, 128, 2).vectorize(xi, 16).parallel(y)
    across.compute_at(down, x).vectorize(x, 16)
    return down


def inlined(mended: bool) -> hl.Func:
    source, tone, around = image(), hl.Func("tone"), hl.Func("around")
    tone[x, y] = hl.pow(source[x, y], 0.45) * 1.1 + hl.exp(source[x, y])
    around[x, y] = stencil(tone, 1) + stencil(tone, 0, 1) + tone[x + 2, y + 2]
    around.split(y, y, yi, 32).parallel(y).vectorize(x, 16)
    return around


def scalar(mended: bool) -> hl.Func:
    source, root = image(), hl.Func("root")
    root[x, y] = hl.sqrt(source[x, y]) * source[x, y] + 1
    root.parallel(y)
    return root


def reduction(mended: bool) -> hl.Func:
    source, total = image(), hl.Func("total")
    total[y] = 0.0
    total[y] += source[r, y]
    total.parallel(y)
    total.update().parallel(y)
    if mended:
        total.update().atomic().vectorize(r.x, 16)
    return total


def serial(mended: bool) -> hl.Func:
    source, tone = image(), hl.Func("tone_s")
    tone[x, y] = hl.exp(source[x, y])
    tone.vectorize(x, 16)
    return tone


def few_tasks(mended: bool) -> hl.Func:
    source, tone = image("image", 2), hl.Func("tone_f")
    tone[x, y] = hl.exp(hl.sin(source[x, y]))
    tone.split(y, y, yi, 16 if mended else 400, hl.TailStrategy.GuardWithIf).parallel(y).vectorize(x, 16)
    return tone


def small_tasks(mended: bool) -> hl.Func:
    source, half = image(), hl.Func("half")
    half[x, y] = source[x, y] * 0.5
    half.vectorize(x, 16)
    if mended:
        half.split(y, y, yi, 512).parallel(y)
    else:
        half.parallel(y)
    return half


def cache(mended: bool) -> hl.Func:
    source, first, second = image(), hl.Func("first"), hl.Func("second")
    first[x, y] = stencil(source, 1)
    second[x, y] = stencil(first, 0, 1) + first[x + 1, y + 1]
    second.tile(x, y, xi, yi, 2048, 1024).vectorize(xi, 16).parallel(y)
    first.compute_at(second, x).vectorize(x, 16)
    return second


def memory(mended: bool) -> hl.Func:
    source, first, second = image(), hl.Func("before"), hl.Func("after")
    first[x, y] = source[x, y] * 2 + 1
    second[x, y] = stencil(first, 0, 1)
    second.split(y, y, yi, 32).parallel(y).vectorize(x, 16)
    first.compute_root().vectorize(x, 16).parallel(y)
    return second


def false_sharing(mended: bool) -> hl.Func:
    source, tone = image(), hl.Func("tone_c")
    tone[x, y] = source[x, y] * 0.5 + 1
    tone.reorder(y, x).parallel(x)
    if mended:
        tone.reorder(x, y).serial(x).parallel(y)
    return tone


def gather(mended: bool) -> hl.Func:
    source, half = image(), hl.Func("half_g")
    half[x, y] = source[x, y] * 0.5 + source[x + 1, y]
    if mended:
        half.vectorize(x, 16).parallel(y)
    else:
        half.split(x, x, xi, 64).reorder(y, xi, x).parallel(x).vectorize(y, 16)
    return half


def tail(mended: bool) -> hl.Func:
    source, tone = image(), hl.Func("tone_t")
    tone[x, y] = hl.exp(hl.sin(source[x, y]))
    tone.split(x, x, xi, 256).vectorize(xi, 16).parallel(y)
    return tone


def denormals(mended: bool) -> hl.Func:
    source, faint = image(), hl.Func("faint")
    value = source[x, y] * hl.f32(1e-39)
    for _ in range(8):
        value = value * hl.f32(0.99) + value * hl.f32(0.003)
    faint[x, y] = value if mended else hl.strict_float(value)
    faint.vectorize(x, 16).parallel(y)
    return faint


CASES: dict[str, Case] = {
    "recomputed": Case("recomputed", recomputed, (2048, 2048), (512, 64)),
    "inlined": Case("inlined", inlined, (1024, 1024), (256, 256)),
    "scalar": Case("scalar", scalar, (2048, 1024), (256, 64)),
    "reduction": Case("scalar", reduction, (2048,), (64,), by_hand=True),
    "serial": Case("serial", serial, (2048, 2048), (2048, 1024)),
    "few tasks": Case("few tasks", few_tasks, (2048, 1200), (256, 1200), by_hand=True),
    "small tasks": Case("small tasks", small_tasks, (64, 65536), (64, 65536), by_hand=True),
    "cache": Case("cache", cache, (4096, 4096), (2048, 1024)),
    "memory": Case("memory", memory, (2048, 32768), (2048, 6400)),
    "false sharing": Case("false sharing", false_sharing, (2048, 2048), (256, 256), by_hand=True),
    "gather": Case("gather", gather, (2048, 2048), (256, 256), by_hand=True),
    "tail": Case("tail", tail, (272, 4096), (272, 64)),
    "denormals": Case("denormals", denormals, (2048, 2048), (256, 64), by_hand=True),
}


def caller(subject: Subject, schedule: Schedule) -> Callable[[], None]:
    """Returns a run of the subject by a schedule."""
    compiled = CompiledPipeline(subject.definition, schedule, subject.target, Handlers(), is_variant=True)
    inputs, outputs = subject.task.inputs(), subject.task.outputs()
    values = [outputs[a.name] if a.kind is ProgramArgumentKind.OUTPUT else inputs[a.name] for a in compiled.arguments]
    return lambda: compiled(values)


def versions(
    case: Case, size: tuple[int, ...], measure: bool
) -> tuple[Finding, Callable[[], None], Callable[[], None]]:
    """Returns the finding about a case, the pipeline as it is, and as the advice says."""
    output = case.build(False)
    findings = diagnose([output.function], sizes=size, measure=measure).of_kind(case.kind)
    if not findings:
        raise SystemExit(f"{case.kind}: no such finding")
    subject = subject_of([output.function], sizes=size)
    before = caller(subject, subject.schedule)
    if case.by_hand:
        mended = subject_of([case.build(True).function], sizes=size)
        return findings[0], before, caller(mended, mended.schedule)
    assert findings[0].schedule is not None
    return findings[0], before, caller(subject, findings[0].schedule)


def fastest(calls: list[Callable[[], None]]) -> list[float]:
    """The least seconds of each, in turn."""
    times = [float("inf")] * len(calls)
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        for k, call in enumerate(calls):
            began = time.perf_counter()
            call()
            times[k] = min(times[k], time.perf_counter() - began)
    return times


def main(names: list[str]) -> int:
    """Prints times before and after; 1 where advice did not make a pipeline faster."""
    slower = 0
    print(f"{'finding':16}{'before ms':>11}{'after ms':>11}{'factor':>9}")
    for name in names or CASES:
        case = CASES[name]
        finding, before, after = versions(case, case.size, measure=True)
        old, new = fastest([before, after])
        slower += new >= old
        print(f"{name:16}{1e3 * old:11.3f}{1e3 * new:11.3f}{old / new:9.2f}  {finding.mend}")
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
