"""Samples of threads as timelines, in the formats of Chrome's tracing, Perfetto and speedscope."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pipec.inspect.execution import LoopTreeNode
from pipec.pipeline.observation.profile import Profile


class Slice(NamedTuple):
    """What a thread computed in successive samples: the Funcs from the outermost to the one itself; () for nothing."""

    start: float
    seconds: float
    stack: tuple[str, ...]


def stacks(root: LoopTreeNode) -> dict[str, tuple[str, ...]]:
    """For each Func those in whose loops it is computed, outermost first, and itself."""
    result: dict[str, tuple[str, ...]] = {}
    pending: list[tuple[LoopTreeNode, tuple[str, ...]]] = [(root, ())]
    while pending:
        node, inside = pending.pop()
        if node.kind == "loop" and (not inside or inside[-1] != node.func):
            inside = (*inside, node.func) if node.func not in inside else inside
        if node.kind == "produce" and node.func not in result:
            result[node.func] = (*inside, node.func) if node.func not in inside else inside
        pending += [(child, inside) for child in node.children]
    return result


def slices(profile: Profile, root: LoopTreeNode) -> list[list[Slice]]:
    """For each thread its slices; the time starts with the first sample, and pauses between runs are left out."""
    samples = profile.samples or ()
    stack_of = stacks(root)
    threads = max([len(sample.funcs) for sample in samples], default=0)
    result: list[list[Slice]] = [[] for _ in range(threads)]
    now = 0.0
    for sample in samples:
        for thread in range(threads):
            name = sample.funcs[thread] if thread < len(sample.funcs) else ""
            stack = stack_of.get(name, (name,)) if name else ()
            line = result[thread]
            if line and line[-1].stack == stack:
                line[-1] = line[-1]._replace(seconds=now + sample.duration - line[-1].start)
            else:
                line.append(Slice(now, sample.duration, stack))
        now += sample.duration
    return result


def chrome_trace(name: str, profile: Profile, root: LoopTreeNode) -> dict[str, Any]:
    """Nested slices for each thread, times in microseconds."""
    events: list[dict[str, Any]] = [{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": name}}]
    for thread, line in enumerate(slices(profile, root)):
        title = "caller" if thread == 0 else f"worker {thread}"
        events.append({"ph": "M", "pid": 1, "tid": thread, "name": "thread_name", "args": {"name": title}})
        for depth in range(max([len(part.stack) for part in line], default=0)):
            events += _events_at(line, depth, thread)
    if profile.device is not None:
        events += _kernel_events(profile)
    return {"traceEvents": events, "displayTimeUnit": "ms"}


def _events_at(line: list[Slice], depth: int, thread: int) -> Iterator[dict[str, Any]]:
    """Complete events of one depth of the stacks; slices that share the outer Funcs are joined."""
    joined: list[Slice] = []
    for part in line:
        stack = part.stack[: depth + 1]
        if len(stack) <= depth:
            continue
        last = joined[-1] if joined else None
        if last is not None and last.stack == stack and abs(last.start + last.seconds - part.start) < 1e-9:
            joined[-1] = last._replace(seconds=part.start + part.seconds - last.start)
        else:
            joined.append(Slice(part.start, part.seconds, stack))
    for part in joined:
        times = {"ts": round(1e6 * part.start, 3), "dur": round(1e6 * part.seconds, 3)}
        yield {"ph": "X", "pid": 1, "tid": thread, "name": part.stack[-1], "cat": "Func", **times}


def _kernel_events(profile: Profile) -> Iterator[dict[str, Any]]:
    """The sums of the kernels' times, one after the other: a device reports no moments."""
    assert profile.device is not None
    yield {"ph": "M", "pid": 2, "name": "process_name", "args": {"name": f"{profile.device.device}: sums of kernels"}}
    start = 0.0
    for kernel in profile.device.kernels:
        times = {"ts": 1e6 * start, "dur": 1e6 * kernel.seconds}
        yield {"ph": "X", "pid": 2, "tid": 0, "name": kernel.name, "args": {"launches": kernel.launches}, **times}
        start += kernel.seconds


def speedscope(name: str, profile: Profile, root: LoopTreeNode) -> dict[str, Any]:
    """A profile of each thread, sampled, weights in seconds."""
    frames: dict[str, int] = {}
    profiles = []
    for thread, line in enumerate(slices(profile, root)):
        stack_numbers = [[frames.setdefault(func, len(frames)) for func in part.stack] for part in line]
        weights = [round(part.seconds, 9) for part in line]
        title = "caller" if thread == 0 else f"worker {thread}"
        profiles.append(
            {
                "type": "sampled",
                "name": title,
                "unit": "seconds",
                "startValue": 0,
                "endValue": sum(weights),
                "samples": stack_numbers,
                "weights": weights,
            }
        )
    return {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "name": name,
        "exporter": "pipec",
        "shared": {"frames": [{"name": func} for func in frames]},
        "profiles": profiles,
    }
