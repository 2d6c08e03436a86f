"""The directives that random schedules are made of: lists of makers with their chances.

A maker takes the ScheduleGenerator and what the directive is about, and appends to `generator.directives`. It may
propose what is illegal. To cover a new directive, write a maker, put it into one of the lists at the end, and its
arguments into `directives.FORMS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fuzz.schedules.generator import ScheduleGenerator

TAILS = ["Auto", "RoundUp", "GuardWithIf", "ShiftInwards", "Predicate", "PredicateLoads", "PredicateStores"]
TAILS += ["ShiftInwardsAndBlend", "RoundUpAndBlend"]


Place = int | list[Any]
"""The number of a stage, or a list of it and of the conditions that lead to one of its specialisations."""


def number_of(stage: Place) -> int:
    return stage if isinstance(stage, int) else int(stage[0])


# Changes of a stage's loops: (generator, func, stage, loops), loops innermost first and kept up to date


def split(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    r = g.random
    old, factor = r.choice(loops), r.choice([1, 2, 3, 4, 4, 5, 8, 16, 16, 32])
    at = loops.index(old)
    others = loops[:at] + loops[at + 1 :]
    outer = g.name(old, others)
    inner = g.name(old, [*others, outer])
    loops[at : at + 1] = [inner, outer]
    if "n0" in g.recipe["params"] and r.random() < 0.15:
        g.directives.append([func, stage, "split", old, outer, inner, "n0", r.choice(TAILS)])
        return
    g.directives.append([func, stage, "split", old, outer, inner, factor, r.choice(TAILS)])
    g.split_by[inner] = factor


def tile(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    r = g.random
    if len(loops) < 2:
        split(g, func, stage, loops)
        return
    x, y = r.sample(loops, 2)
    names: list[str] = []
    for old in (x, y, x, y):
        names.append(g.name(old, [name for name in [*loops, *names] if name != old or name in names]))
    factors = [r.choice([2, 3, 4, 8]), r.choice([1, 2, 4])]
    g.directives.append([func, stage, "tile", x, y, *names, *factors, r.choice(TAILS)])
    xo, yo, xi, yi = names
    # A tile is two splits and a reorder of all four loops.
    for old, outer, inner in ((x, xo, xi), (y, yo, yi)):
        at = loops.index(old)
        loops[at : at + 1] = [inner, outer]
    places = sorted([loops.index(name) for name in names])
    for place, name in zip(places, [xi, yi, xo, yo], strict=True):
        loops[place] = name
    g.split_by.update({xi: factors[0], yi: factors[1]})


def fuse(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    if len(loops) < 2:
        return
    at = g.random.randrange(len(loops) - 1)
    inner, outer = loops[at], loops[at + 1]
    both = inner.startswith("r") and outer.startswith("r")
    like = outer if inner.startswith("r") and not both else inner
    fused = g.name(like, loops[:at] + loops[at + 2 :])
    g.directives.append([func, stage, "fuse", inner, outer, fused])
    loops[at : at + 2] = [fused]


def rename(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    at = g.random.randrange(len(loops))
    new = g.name(loops[at])
    g.directives.append([func, stage, "rename", loops[at], new])
    if loops[at] in g.split_by:
        g.split_by[new] = g.split_by[loops[at]]
    loops[at] = new


def reorder(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    if len(loops) < 2:
        return
    order = g.random.sample(loops, g.random.randint(2, len(loops)))
    g.directives.append([func, stage, "reorder", order])
    places = sorted([loops.index(name) for name in order])
    for place, name in zip(places, order, strict=True):
        loops[place] = name


def rfactor(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    """The outermost loops over RVars most often: only these do when the order counts."""
    r = g.random
    rvars = [name for name in loops if name.startswith("r")]
    # Sums of floats depend on their order.
    if not isinstance(stage, int) or stage == 0 or not rvars or g.floating(func):
        return
    count = r.randint(1, len(rvars))
    chosen_rvars = rvars[-count:] if r.random() < 0.6 else r.sample(rvars, count)
    pairs = [[name, g.name("x")] for name in chosen_rvars]
    built = g.new_func()
    g.directives.append([func, stage, "rfactor", pairs, built])
    g.add_factored(func, stage, pairs, built)
    for key in ((built, 0), (built, 1)):
        if r.random() < 0.6:
            g.schedule_stage(*key)


def specialize(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    """A version with changes of its own for where a condition holds that is true for some sizes and Params."""
    r = g.random
    if isinstance(stage, list) and len(stage) > 2:
        # What is computed inside is compiled once for each version: their number must not explode.
        return
    condition = g.condition()
    g.directives.append([func, stage, "specialize", condition])
    version = [*(stage if isinstance(stage, list) else [stage]), condition]
    own = list(loops)
    weights, makers = zip(*LOOP_CHANGES, strict=True)
    for _ in range(r.choice([0, 0, 1, 2])):
        if own:
            r.choices(makers, weights)[0](g, func, version, own)
    chosen(g, [(chance, maker) for chance, maker in LOOP_MARKS if maker is not rfactor], func, version, own)
    g.versions.setdefault((func, number_of(stage)), []).append(own)


# Marks of loops: the same arguments; the loops stay


def vectorize(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    constant = [name for name in loops if name in g.split_by]
    if constant:
        var = constant[0] if g.random.random() < 0.7 else g.random.choice(constant)
        g.directives.append([func, stage, "vectorize", var])


def unroll(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    constant = [name for name in loops if name in g.split_by]
    if constant:
        g.directives.append([func, stage, "unroll", g.random.choice(constant)])


def atomic(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    # Sums of floats depend on their order, which is free then.
    if number_of(stage) > 0 and not g.floating(func):
        g.directives.append([func, stage, "atomic"])


def parallel(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    if loops:
        var = loops[-1] if g.random.random() < 0.7 else g.random.choice(loops)
        g.directives.append([func, stage, "parallel", var])


def serial(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    if loops:
        g.directives.append([func, stage, "serial", g.random.choice(loops)])


def allow_race_conditions(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    # Where iterations depend on each other the result would be undefined.
    if not any(name.startswith("r") for name in loops):
        g.directives.append([func, stage, "allow_race_conditions"])


def partition(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    r = g.random
    if not loops or r.random() < 0.5:
        g.directives.append([func, stage, r.choice(["never_partition_all", "always_partition_all"])])
    else:
        g.directives.append([func, stage, "partition", r.choice(loops), r.choice(["Auto", "Never", "Always"])])


def unscheduled(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    if number_of(stage) > 0:
        g.directives.append([func, stage, "unscheduled"])


def specialize_fail(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    """For what no version of the stage is for; where there is none nothing could run."""
    if (func, number_of(stage)) in g.versions:
        g.directives.append([func, stage, "specialize_fail", "no version"])


def prefetch(g: ScheduleGenerator, func: str, stage: Place, loops: list[str]) -> None:
    r = g.random
    sources = [name for name, users in g.users.items() if func in users and name in g.rooted]
    if loops and sources:
        at = r.randrange(len(loops))
        names = r.choice(sources), loops[at], r.choice(loops[at:])
        g.directives.append([func, stage, "prefetch", *names, r.randint(0, 3)])


# Storage and bounds of a Func that is not inlined: (generator, func, dims)


def reorder_storage(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    if len(dims) > 1:
        g.directives.append([func, "reorder_storage", dims[::-1]])


def align_storage(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, "align_storage", g.random.choice(dims), g.random.choice([2, 4, 8])])


def tile_storage(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, "tile_storage", g.random.choice(dims), g.random.choice([2, 4, 8])])


def align_bounds(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    modulus = g.random.choice([2, 4, 5])
    g.directives.append([func, "align_bounds", g.random.choice(dims), modulus, g.random.randrange(modulus)])


def align_extent(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    modulus = "n0" if "n0" in g.recipe["params"] and g.random.random() < 0.2 else g.random.choice([2, 3, 4, 8])
    g.directives.append([func, "align_extent", g.random.choice(dims), modulus])


def expect_bounds(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, "expect_bounds", g.random.choice(dims), 0, g.random.choice([1, 2, 3, 8, 16])])


def bound_storage(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, "bound_storage", g.random.choice(dims), g.random.choice([8, 16, 32, 50])])


def store_in(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, "store_in", g.random.choice(["Stack", "Heap", "Register"])])


def fold_storage(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, "fold_storage", g.random.choice(dims), g.random.choice([2, 4, 8])])


def ring_buffer(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    if func not in g.rooted:
        g.directives += [[func, "hoist_storage_root"], [func, "ring_buffer", g.random.randint(1, 3)]]


def bound(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    """Bounds that are wide enough for most sizes."""
    g.directives.append([func, "bound", g.random.choice(dims), g.random.choice([-8, 0]), g.random.choice([16, 40])])


def bound_extent(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, "bound_extent", g.random.choice(dims), g.random.choice([4, 8, 16])])


def set_estimate(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, "set_estimate", g.random.choice(dims), 0, g.random.choice([1, 8, 100])])


def memoize(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, "memoize"])


def stream_stores(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, "stream_stores", g.random.random() < 0.7])


def trace(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, g.random.choice(["trace_stores", "trace_loads", "trace_realizations"])])
    if g.random.random() < 0.3:
        g.directives.append([func, "add_trace_tag", "tag"])


def async_(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    g.directives.append([func, "async_"])


def hoist_storage_root(g: ScheduleGenerator, func: str, dims: list[str]) -> None:
    if func not in g.rooted:
        g.directives.append([func, "hoist_storage_root"])


# Changes of the program itself: (generator, func); they run before all others


def stand_in(method: str) -> Callable[[ScheduleGenerator, str], None]:
    """in_ or clone_in for some of the consumers."""

    def make(g: ScheduleGenerator, func: str) -> None:
        users = g.direct_users(func)
        if not users:
            return
        some = sorted(g.random.sample(users, g.random.randint(1, len(users))))
        built = g.new_func()
        g.directives.append([func, method, some, built])
        g.add_stand_in(func, some, built, clone=method == "clone_in")

    return make


StageMaker = Callable[["ScheduleGenerator", str, Any, list[str]], None]
FuncMaker = Callable[["ScheduleGenerator", str, list[str]], None]
ProgramMaker = Callable[["ScheduleGenerator", str], None]

# (weight, maker): one to three of these for each stage that is scheduled.
LOOP_CHANGES: list[tuple[float, StageMaker]] = [(3, split), (1, tile), (1, fuse), (1, rename)]
# (chance, maker): each of these in turn, after the changes.
LOOP_MARKS: list[tuple[float, StageMaker]] = [
    (0.15, rfactor),
    (0.2, specialize),
    (0.5, reorder),
    (0.7, vectorize),
    (0.3, unroll),
    (0.2, atomic),
    (0.4, parallel),
]
# (chance, maker): for each Func that has storage.
STORAGE: list[tuple[float, FuncMaker]] = [
    (0.1, reorder_storage),
    (0.1, align_storage),
    (0.06, tile_storage),
    (0.1, align_bounds),
    (0.08, align_extent),
    (0.06, expect_bounds),
    (0.08, bound_storage),
    (0.1, store_in),
    (0.06, fold_storage),
    (0.07, hoist_storage_root),
    (0.07, ring_buffer),
    (0.08, async_),
    (0.03, bound),
    (0.02, bound_extent),
    (0.03, set_estimate),
    (0.06, memoize),
    (0.06, stream_stores),
    (0.02, trace),
]
# (chance, maker): for every stage, scheduled or not, when all Funcs have their places.
HINTS: list[tuple[float, StageMaker]] = [
    (0.1, partition),
    (0.25, prefetch),
    (0.03, serial),
    (0.03, allow_race_conditions),
    (0.02, unscheduled),
    (0.1, specialize_fail),
]
# (chance, maker): for every Func, before everything else.
PROGRAM: list[tuple[float, ProgramMaker]] = [(0.06, stand_in("in_")), (0.05, stand_in("clone_in"))]


def chosen(g: ScheduleGenerator, makers: list[tuple[float, Any]], *about: Any, effort: float = 1.0) -> None:
    """Run each maker with its chance."""
    for chance, maker in makers:
        if g.random.random() < chance * effort:
            maker(g, *about)
