"""Random schedules in which stages share loops: one gets the other's loops and place, then is computed with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fuzz.schedules.generator import ScheduleGenerator

CHANGES = ("split", "tile", "fuse", "rename", "reorder", "vectorize", "unroll", "parallel")
PLACES = ("compute_root", "compute_at", "store_root", "store_at")
OUTERMOST = "__outermost"


def share_loops(g: ScheduleGenerator, chance: float) -> None:
    """For some Funcs an earlier one that neither needs nor feeds it: `g.companions`, and what their stages share."""
    names = [name for name in g.dims if (name, 0) in g.defined]
    needed_by = {name: _reached(g, name) for name in names}
    for at, name in enumerate(names):
        others = [other for other in names[:at] if name not in needed_by[other] and other not in needed_by[name]]
        if others and g.random.random() < chance:
            other = g.random.choice(others)
            g.companions[name] = other
            stages = [[key[1] for key in g.defined if key[0] == func] for func in (name, other)]
            for stage in stages[0]:
                if g.random.random() < 0.7:
                    share(g, (name, stage), (other, stage if stage in stages[1] else g.random.choice(stages[1])))


def _reached(g: ScheduleGenerator, name: str) -> set[str]:
    """The Funcs that need `name`."""
    result: set[str] = set()
    pending = list(g.users[name])
    while pending:
        user = pending.pop()
        if user not in result:
            result.add(user)
            pending += g.users[user]
    return result


def share(g: ScheduleGenerator, stage: tuple[str, int], other: tuple[str, int]) -> None:
    """`stage` gets the loops of `other` as far as they fit, and shares some of them."""
    loops = list(g.defined[stage])
    copied = []
    for directive in g.directives:
        if tuple(directive[:2]) == other and directive[2] in CHANGES:
            changed = after(loops, directive[2:])
            if changed is not None:
                loops = changed
                copied.append([*stage, *varied(g, directive[2:])])
    g.directives = [d for d in g.directives if not (tuple(d[:2]) == stage and d[2] in CHANGES)] + copied
    g.loops[stage] = loops
    theirs = g.loops[other]
    common = next((at for at in range(len(loops)) if loops[at:] == theirs[len(theirs) - len(loops) + at :]), len(loops))
    var = g.random.choice([*loops[common:], *loops[common:], OUTERMOST])
    align = g.random.choice(["AlignStart", "AlignEnd", "NoAlign", "Auto"])
    g.directives.append([*stage, "compute_with", list(other), var, align])


def varied(g: ScheduleGenerator, change: list[Any]) -> list[Any]:
    """A split may have another factor, or another tail: the loops are the same."""
    if change[0] not in ("split", "tile") or g.random.random() < 0.6:
        return change
    if isinstance(change[-2], int) and g.random.random() < 0.5:
        return [*change[:-2], g.random.choice([1, 2, 3, 4, 8]), change[-1]]
    return [*change[:-1], g.random.choice(["Auto", "RoundUp", "GuardWithIf", "ShiftInwards", "PredicateStores"])]


def after(loops: list[str], change: list[Any]) -> list[str] | None:
    """The loops after a change; None where it names loops that are not there."""
    method, *args = change
    if method == "tile":
        x, y, xo, yo, xi, yi = args[:6]
        steps = [["split", x, xo, xi], ["split", y, yo, yi], ["reorder", [xi, yi, xo, yo]]]
        for step in steps:
            changed = after(loops, step)
            if changed is None:
                return None
            loops = changed
        return loops
    used = {"split": args[:1], "fuse": args[:2], "rename": args[:1], "reorder": args[0]}.get(method, args[:1])
    if not set(used) <= set(loops):
        return None
    loops = list(loops)
    at = loops.index(used[0])
    if method == "split":
        loops[at : at + 1] = [args[2], args[1]]
    elif method == "rename":
        loops[at] = args[1]
    elif method == "fuse":
        loops[at] = args[2]
        loops.remove(args[1])
    elif method == "reorder":
        places = sorted([loops.index(name) for name in used])
        for place, name in zip(places, used, strict=True):
            loops[place] = name
    return loops


def place_in_same_way(g: ScheduleGenerator, name: str) -> bool:
    """Puts a Func where the one is whose loops it shares, if that has a place."""
    other = g.companions.get(name)
    places = [] if other is None else [d[1:] for d in g.directives if d[0] == other and d[1] in PLACES]
    if other in g.recipe["outputs"]:
        places = [["compute_root"]]
    g.directives += [[name, *place] for place in places]
    if places == [["compute_root"]]:
        g.rooted.add(name)
    return bool(places)
