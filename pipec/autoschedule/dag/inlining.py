"""Stages with some Funcs inlined: what a point of them computes and loads then.

The Jacobians of loads are multiplied along the way, as in Adams et al., Learning to Optimize Halide with Tree Search
and Random Programs, SIGGRAPH 2019; constant parts are followed too, so that distinct evaluations can be counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

from pipec.autoschedule.dag.dag import Access, Dag, FuncInfo, ImageInfo, StageInfo
from pipec.autoschedule.dag.operations import summed
from pipec.autoschedule.dag.phases import MAX_MODULUS
from pipec.records import replace

# More places than these are only counted.
MAX_OFFSETS = 512
# Denominators that are looked for in fractions.
MAX_PARTS = 64


class Evaluation(NamedTuple):
    """An inlined Func in a stage: where it is evaluated for one point, as if it were loaded there."""

    func: str
    access: Access


class InlinedStages:
    """The stages of a Dag as they are with Funcs inlined. Memoised."""

    def __init__(self, dag: Dag) -> None:
        self.dag = dag
        self._memo: dict[tuple[str, int, frozenset[str]], tuple[StageInfo, tuple[Evaluation, ...]]] = {}
        self._producers_first = tuple(list(dag.funcs)[::-1])
        self._reach: dict[tuple[str, int], frozenset[str]] = {}
        for name in self._producers_first:
            for number in range(len(dag.funcs[name].stages)):
                self._reach[name, number] = self._reachable(name, number)

    def stage(self, func: str, number: int, inlined: Set[str]) -> StageInfo:
        """The stage with all calls to Funcs in `inlined` replaced by what those compute (others are loads)."""
        return self._memoized(func, number, inlined)[0]

    def evaluations(self, func: str, number: int, inlined: Set[str]) -> tuple[Evaluation, ...]:
        """All evaluations of inlined Funcs in the stage, those inlined in inlined ones among them.

        A Func may come several times, with different Jacobians; then its places differ.
        """
        return self._memoized(func, number, inlined)[1]

    def _memoized(self, func: str, number: int, inlined: Set[str]) -> tuple[StageInfo, tuple[Evaluation, ...]]:
        # Only those inlined Funcs matter that calls of the stage lead to.
        key = func, number, self._reach[func, number] & inlined
        cached = self._memo.get(key)
        if cached is None:
            if len(key[2]) > 1:
                # Producers first, so that long chains of them need no deep recursion.
                for name in self._producers_first:
                    if name in key[2]:
                        self._memoized(name, 0, key[2])
            cached = self._memo[key] = self._inlined(*key)
        return cached

    def _reachable(self, func: str, number: int) -> frozenset[str]:
        """The Funcs that calls lead to if all of them are inlined."""
        names: set[str] = set()
        for load in self.dag.funcs[func].stages[number].loads:
            if load.name in self.dag.funcs:
                names.add(load.name)
                names |= self._reach[load.name, 0]
        return frozenset(names)

    def _inlined(self, func: str, number: int, inlined: frozenset[str]) -> tuple[StageInfo, tuple[Evaluation, ...]]:
        stage = self.dag.funcs[func].stages[number]
        calls = [load for load in stage.loads if load.name in inlined]
        if not calls:
            return stage, ()
        loads = [load for load in stage.loads if load.name not in inlined]
        parts = [(stage.operations, 1)]
        evaluations: list[Evaluation] = []
        moduli, loops = stage.moduli, len(stage.loops)
        producers = [self._memoized(call.name, 0, inlined)[0] for call in calls]
        for call in calls:
            producer, inner = self._memoized(call.name, 0, inlined)
            times = max(1, len(call.offsets) or call.count // len(self.dag.funcs[call.name].types))
            evaluations.append(Evaluation(call.name, replace(call, count=times)))
            evaluations += [Evaluation(e.func, self._composed(call, e.access, loops)) for e in inner]
            loads += [self._composed(call, load, loops) for load in producer.loads]
            moduli = _moduli(moduli, call, producer.moduli)
        evaluations = _merged_evaluations(evaluations)
        for e in evaluations:
            parts.append((self.dag.funcs[e.func].stages[0].operations, e.access.count))
        result = replace(
            stage,
            operations=summed(parts),
            loads=merged(loads),
            moduli=moduli,
            depth=stage.depth + max([producer.depth for producer in producers]),
            constants=stage.constants.union(*[producer.constants for producer in producers]),
        )
        return result, tuple(evaluations)

    def _composed(self, outer: Access, inner: Access, loops: int) -> Access:
        middle = self.dag.funcs[outer.name]
        accessed: FuncInfo | ImageInfo = self.dag.funcs.get(inner.name) or self.dag.images[inner.name]
        return composed(outer, inner, middle, accessed, loops)


def composed(outer: Access, inner: Access, middle: FuncInfo, accessed: FuncInfo | ImageInfo, loops: int) -> Access:
    """Returns the access of a stage with `loops` loops that reads `middle` by `outer`, which reads by `inner`."""
    rows = [_row(outer, inner, d, middle, accessed, loops) for d in range(len(inner.jacobian))]
    exact = all(row.exact for row in rows) and bool(inner.offsets) and bool(outer.offsets)
    pairs = len(outer.offsets) * len(inner.offsets)
    offsets: tuple[tuple[float, ...], ...] = ()
    if exact and pairs <= MAX_OFFSETS:
        offsets = _sums(outer.offsets, inner)
    low, high = tuple([row.low for row in rows]), tuple([row.high for row in rows])
    times = max(1, len(outer.offsets) or outer.count)
    per_place = inner.count / max(1, len(inner.offsets))
    places = len(offsets) or min(times * max(1, len(inner.offsets)), _places(low, high) if exact else math.inf)
    count = max(1, round(places * per_place))
    jacobian = tuple([row.terms for row in rows])
    values = () if exact else tuple([_values(outer, inner, d, loops) for d in range(len(rows))])
    clamped, unclamped, wrapped, mirrored = _sides(outer, inner)
    scattered = outer.scattered or inner.scattered
    bases = min(count, _bases(outer, inner, times, count))
    pairs = min(max(times * inner.pairs, outer.pairs * max(1, len(inner.offsets))), count // 2)
    return Access(
        inner.name,
        jacobian,
        low,
        high,
        offsets,
        count,
        clamped,
        unclamped,
        scattered,
        values,
        wrapped,
        mirrored,
        bases,
        pairs,
        outer.estimated or inner.estimated,
    )


def _bases(outer: Access, inner: Access, times: int, count: int) -> int:
    """Returns how many bases (see Access) the `count` loads of an access have that is evaluated at `times` places."""
    if not inner.offsets or not all(_in_steps(row) for row in inner.jacobian):
        return times * inner.bases
    # What is clamped is no longer at a constant distance from its neighbours.
    return count if inner.clamped else outer.bases


def _in_steps(row: tuple[float, ...] | None) -> bool:
    """Whether a coordinate is moved by whole numbers with the loops."""
    return row is not None and all(c == int(c) for c in row)


def _sides(outer: Access, inner: Access) -> tuple[frozenset[int], frozenset[int], frozenset[int], frozenset[int]]:
    """The dimensions in which some loads are clamped, by this access or the one around it, those where not, those where
    they wrap around, and those where they are mirrored."""
    of = [[k for k, factor in enumerate(row or ()) if factor] for row in inner.jacobian]
    clamped = [d for d, used in enumerate(of) if d in inner.clamped or any(k in outer.clamped for k in used)]
    unclamped = [d for d, used in enumerate(of) if d in inner.unclamped and all(k in outer.unclamped for k in used)]
    wrapped = [d for d, used in enumerate(of) if d in inner.wrapped or any(k in outer.wrapped for k in used)]
    mirrored = [d for d, used in enumerate(of) if d in inner.mirrored or any(k in outer.mirrored for k in used)]
    return frozenset(clamped), frozenset(unclamped), frozenset(wrapped), frozenset(mirrored)


def _values(outer: Access, inner: Access, d: int, loops: int) -> frozenset[int]:
    """The loops that change what is not known of a composed coordinate."""
    changing = set[int]()
    row = inner.jacobian[d]
    for k, steps in enumerate(outer.jacobian):
        unknown = outer.values[k] if outer.values else frozenset(range(loops) if steps is None else ())
        if k in inner.values[d] if inner.values else row is None:
            changing |= unknown | {j for j, c in enumerate(steps or ()) if c}
        elif row is not None and row[k]:
            changing |= unknown
    return frozenset(changing)


def _places(low: Sequence[float], high: Sequence[float]) -> int:
    """The whole points in a box."""
    return math.prod([math.floor(last) - math.floor(first) + 1 for first, last in zip(low, high, strict=True)])


class _Row(NamedTuple):
    """One coordinate of a composed access."""

    terms: tuple[float, ...] | None
    low: float
    high: float
    exact: bool


def _row(outer: Access, inner: Access, d: int, middle: FuncInfo, accessed: FuncInfo | ImageInfo, loops: int) -> _Row:
    own = inner.jacobian[d]
    if own is None:
        return _Row(None, inner.low[d], inner.high[d], False)
    used = [(k, c) for k, c in enumerate(own) if c]
    if any(outer.jacobian[k] is None for k, _ in used):
        return _Row(None, *_whole_range(outer, inner, d, used, middle, accessed), False)
    terms, low, high, exact = [0.0] * loops, inner.low[d], inner.high[d], True
    for k, c in used:
        row = outer.jacobian[k]
        assert row is not None
        slack = 0.0 if _takes_fractions(used, inner, d) else _slack(row, outer, k)
        exact = exact and slack == 0
        ends = c * (outer.low[k] - slack), c * outer.high[k]
        low, high = low + min(ends), high + max(ends)
        for j, factor in enumerate(row):
            terms[j] += c * factor
    return _Row(tuple([_whole(x) for x in terms]), _whole(low), _whole(high), exact)


def _takes_fractions(used: Sequence[tuple[int, float]], inner: Access, d: int) -> bool:
    """Whether rounding down can wait until after the division: (x + k) / n of one coordinate x."""
    if len(used) != 1:
        return not used
    factor = used[0][1]
    inverse = 1 / factor
    whole = abs(inverse - round(inverse)) < 1e-9 and factor > 0
    ends = [offset[d] for offset in inner.offsets] or [inner.low[d], inner.high[d]]
    return whole and all(abs(x * inverse - round(x * inverse)) < 1e-9 for x in ends)


def _slack(row: Iterable[float], access: Access, k: int) -> float:
    """Returns how much rounding down can subtract from a coordinate."""
    numbers = [*row, *([offset[k] for offset in access.offsets] or [access.low[k], access.high[k]])]
    if all(x == int(x) for x in numbers):
        return 0.0
    for parts in range(2, MAX_PARTS + 1):
        if all(abs(x * parts - round(x * parts)) < 1e-9 for x in numbers):
            return (parts - 1) / parts
    return 1.0


def _whole_range(
    outer: Access,
    inner: Access,
    d: int,
    used: Sequence[tuple[int, float]],
    middle: FuncInfo,
    accessed: FuncInfo | ImageInfo,
) -> tuple[float, float]:
    """The limits of a coordinate that follows one which is not affine: over all that can be read of `middle`."""
    low, high = inner.low[d], inner.high[d]
    for k, c in used:
        first, last = float(middle.minimum[k]), float(middle.minimum[k] + middle.extent[k] - 1)
        if outer.jacobian[k] is None:
            first, last = max(first, outer.low[k]), min(last, outer.high[k])
        low, high = low + min(c * first, c * last), high + max(c * first, c * last)
    least, most = accessed.minimum[d], accessed.minimum[d] + accessed.extent[d] - 1
    return float(math.floor(min(max(low, least), most))), float(math.floor(min(max(high, least), most)))


def _sums(outer: tuple[tuple[float, ...], ...], inner: Access) -> tuple[tuple[float, ...], ...]:
    """inner.jacobian * o + p for all constant parts o and p, each once."""
    matrix = [[(k, c) for k, c in enumerate(row or ()) if c] for row in inner.jacobian]
    sums: dict[tuple[float, ...], None] = {}
    for o in outer:
        moved = [sum([c * o[k] for k, c in row]) for row in matrix]
        for p in inner.offsets:
            sums[tuple([_whole(a + b) for a, b in zip(moved, p, strict=True)])] = None
    return tuple(sums)


def _whole(value: float) -> float:
    """A number that is whole but for rounding errors, whole."""
    nearest = round(value)
    return nearest if abs(value - nearest) < 1e-9 else value


def merged(loads: Iterable[Access]) -> tuple[Access, ...]:
    """Accesses of one Func or image with one Jacobian as one; each place is read once."""
    groups: dict[tuple[str, tuple[tuple[float, ...] | None, ...], bool], Access] = {}
    for load in loads:
        key = load.name, load.jacobian, bool(load.offsets)
        other = groups.get(key)
        groups[key] = load if other is None else _joined(other, load)
    return tuple(groups.values())


def _joined(a: Access, b: Access) -> Access:
    offsets = tuple(dict.fromkeys((*a.offsets, *b.offsets)))
    per_place = max(a.count / max(1, len(a.offsets)), b.count / max(1, len(b.offsets)))
    count = round(len(offsets) * per_place) if offsets else a.count + b.count
    low = tuple([min(x, y) for x, y in zip(a.low, b.low, strict=True)])
    high = tuple([max(x, y) for x, y in zip(a.high, b.high, strict=True)])
    sides, scattered = (a.clamped | b.clamped, a.unclamped | b.unclamped), a.scattered or b.scattered
    values = tuple([x | y for x, y in zip(a.values, b.values, strict=False)])
    folds = a.wrapped | b.wrapped, a.mirrored | b.mirrored
    bases, pairs = min(count, a.bases + b.bases), min(count // 2, a.pairs + b.pairs)
    joined = Access(a.name, a.jacobian, low, high, offsets, count, *sides, scattered, values, *folds, bases, pairs)
    return replace(joined, estimated=True) if a.estimated or b.estimated else joined


def _merged_evaluations(evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    return [Evaluation(access.name, access) for access in merged([e.access for e in evaluations])]


def _moduli(own: tuple[int, ...], call: Access, inner: tuple[int, ...]) -> tuple[int, ...]:
    """The patterns of the loops, with those of an inlined Func seen through its coordinates."""
    periods = list(own)
    for row, modulus in zip(call.jacobian, inner, strict=True):
        if row is None or modulus == 1:
            continue
        for j, c in enumerate(row):
            if c and c == int(c):
                period = math.lcm(periods[j], modulus // math.gcd(int(c), modulus))
                periods[j] = period if period <= MAX_MODULUS else periods[j]
    return tuple(periods)
