"""The estimated cost of a state, stage by stage, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipec.autoschedule.dag.dag import Dag
from pipec.autoschedule.progress import milliseconds
from pipec.autoschedule.space.loop_tree import StageName
from pipec.autoschedule.space.state import FuncPlacement, Nest, State, Where

WORDS = {
    "bound": "",  # the longest of the others, reported by its own name
    "arithmetic": "arithmetic",
    "loads": "loads",
    "stores": "stores",
    "chain": "waiting for the result before",
    "instructions": "the number of instructions",
    "iterations": "turns of the innermost loop",
    "spills": "more values than registers",
    "stalls": "loads of what was just stored",
    "contested": "threads that write the same lines of memory",
    "outer": "outer loops",
    "entries": "starting inner loops",
    "windows": "moving sliding windows",
    "l2": "traffic with the second cache",
    "l3": "traffic with the last cache",
    "dram": "traffic with memory",
    "streamed": "stores past the caches",
    "jumps": "reading many separate pieces of memory",
    "tasks": "handing out parallel tasks",
    "launches": "starting parallel loops",
    "allocations": "allocating memory",
    "atomics": "atomic updates",
    "code": "code too long for the instruction cache",
}
# Stages below this share of the total share one line.
MIN_SHARE = 0.005


def explanation(
    dag: Dag, state: State, seconds: Mapping[StageName, float], parts: Mapping[StageName, dict[str, float]]
) -> str:
    """A line for each stage, the most expensive first: milliseconds, share, where it is computed, what costs most."""
    width = max([len(stage_text(dag, name)) for name in seconds], default=0)
    lines = [
        (own, f"{stage_text(dag, name):{width}}  {place_text(dag, state, name)}; {_reasons(parts[name])}")
        for name, own in seconds.items()
    ]
    return shares(lines, state, "in all", "stages")


def shares(lines: Sequence[tuple[float, str]], state: State, title: str, parts: str) -> str:
    """Texts with the seconds of each, most expensive first, with milliseconds and share; small `parts` share a line."""
    total = sum([seconds for seconds, _ in lines]) or 1e-12
    rows = [f"{milliseconds(total * 1e3)} {title}"]
    small = [seconds for seconds, _ in lines if seconds < MIN_SHARE * total]
    for seconds, text in sorted(lines, key=lambda line: -line[0]):
        if seconds >= MIN_SHARE * total:
            rows.append(f"{milliseconds(seconds * 1e3):>9} {seconds / total:4.0%}  {text}")
    if small:
        rows.append(f"{milliseconds(sum(small) * 1e3):>9} {sum(small) / total:4.0%}  {len(small)} smaller {parts}")
    inlined = [name for name, placement in state.placements.items() if placement.where is Where.INLINE]
    if inlined:
        rows.append(f"inlined: {', '.join(inlined)}")
    return "\n".join(rows)


def stage_text(dag: Dag, name: tuple[str, int]) -> str:
    """The name of a stage as users know it, and those of the stages that share its loops."""
    func, number = name
    names = [func, *dag.joint.get(func, ())]
    return ", ".join(names if number == 0 else [f"{name}.update({number - 1})" for name in names])


def _reasons(parts: dict[str, float]) -> str:
    """Names the most expensive terms. The bottleneck is reported by its own name."""
    seconds_of = {name: seconds for name, seconds in parts.items() if name != "bound" and seconds > 0}
    total = sum(parts.values())
    named = sorted(seconds_of, key=lambda name: -seconds_of[name])[:2]
    return "mostly " + " and ".join(map(WORDS.__getitem__, named)) if named and total > 0 else "next to nothing"


def place_text(dag: Dag, state: State, name: tuple[str, int]) -> str:
    """Where a stage is computed, and how its loops run."""
    func, number = name
    placement = state[func]
    if dag.funcs[func].fixed:
        return "as you scheduled it"
    where = _where(placement)
    if not placement.nests:
        return where
    nest = placement.nests[number]
    loops = dag.funcs[func].stages[number].loops
    return ", ".join([where, *_loops_text(nest, [loop.name for loop in loops])])


def _where(placement: FuncPlacement) -> str:
    if placement.compute is None:
        return "at root"
    at = f"in {placement.compute.func}"
    return f"{at}, sliding" if placement.store is not None else at


def _loops_text(nest: Nest, names: list[str]) -> list[str]:
    texts = []
    if nest.parallel:
        texts.append(f"parallel over {', '.join([_plain(names[d]) for d in nest.parallel])}")
    if nest.vector is not None and nest.lanes > 1:
        texts.append(f"{nest.lanes} lanes of {_plain(names[nest.vector])}")
    return texts


def _plain(name: str) -> str:
    return name.replace("$", ".")
