"""Accesses, the loads of a stage in groups of one Jacobian, and the boxes of producers that boxes of loops read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from pipec.autoschedule.dag.affine_forms import Form, Forms, Limits
from pipec.autoschedule.dag.dag import Access, FuncInfo, ImageInfo, LoopInfo
from pipec.bounds.conditions import clamp_parts, unmarked
from pipec.bounds.linear import linear
from pipec.ir.expr import Add, Expr, FuncCall, ImageCall, Sub
from pipec.ir.walk import free_variables, postorder
from pipec.records import replace

# Coordinates are sums of fractions; sums that should be whole are rounded.
ROUNDING = 1e-6
Box = tuple[tuple[int, ...], tuple[int, ...]]
"""The first and the last coordinate (inclusive) in each dimension."""
Terms = tuple[tuple[int, float], ...]
"""Loops and their coefficients."""


class Need:
    """The regions of one Func or image that some accesses of one stage touch, memoised."""

    __slots__ = (
        "_accesses",
        "_first",
        "_last",
        "_memo",
        "_moving",
        "_parts",
        "_places",
        "_rows",
        "_values",
        "_whole",
        "apart",
    )

    def __init__(self, accesses: Sequence[Access], producer: FuncInfo | ImageInfo) -> None:
        self._first = tuple(producer.minimum)
        self._last = tuple([m + e - 1 for m, e in zip(producer.minimum, producer.extent, strict=True)])
        self._memo: dict[Box, Box] = {}
        # For each dimension: the coefficients that are not zero (none where it is not affine), and the ends of all
        # accesses that share them.
        ends_of: list[dict[Terms, tuple[float, float]]] = [{} for _ in self._first]
        for access in accesses:
            for d, (row, low, high) in enumerate(zip(access.jacobian, access.low, access.high, strict=True)):
                terms = tuple([(j, c) for j, c in enumerate(row or ()) if c])
                start, end = ends_of[d].get(terms, (low, high))
                ends_of[d][terms] = min(start, low), max(end, high)
        self._parts = [list(ends.items()) for ends in ends_of]
        self._places = [_places(accesses, d) for d in range(len(self._first))]
        self._values = [_values(accesses, d) for d in range(len(self._first))]
        self._moving = [_moving(access) for access in accesses] if any(self._values) else []
        self._accesses = accesses
        self._rows: dict[int, tuple[int, tuple[int, ...]] | None] = {}
        # Dimensions that follow one loop step by step, as most do.
        self._whole = [_followed(parts) for parts in self._parts]
        kinds: dict[object, list[Access]] = {}
        for access in accesses:
            kinds.setdefault(access.jacobian, []).append(access)
        # What accesses touch that move otherwise, each kind by itself; empty where there is one kind.
        self.apart = [Need(group, producer) for group in kinds.values()] if len(kinds) > 1 else []

    def box(self, first: Sequence[int], last: Sequence[int]) -> Box:
        """The box that is read while loop j runs from first[j] to last[j]."""
        key = tuple(first), tuple(last)
        cached = self._memo.get(key)
        if cached is not None:
            return cached
        lows: list[int] = []
        highs: list[int] = []
        for least, most, followed, parts in zip(self._first, self._last, self._whole, self._parts, strict=True):
            if followed is not None:
                j, start, end = followed
                start += first[j]
                end += last[j]
                lows.append(least if start < least else most if start > most else start)
                highs.append(least if end < least else most if end > most else end)
                continue
            low, high = math.inf, -math.inf
            for terms, (begin, close) in parts:
                for j, c in terms:
                    begin += c * (first[j] if c > 0 else last[j])
                    close += c * (last[j] if c > 0 else first[j])
                low, high = min(low, begin), max(high, close)
            lows.append(_clipped(low, least, most))
            highs.append(_clipped(high, least, most))
        result = self._memo[key] = tuple(lows), tuple(highs)
        return result

    def scattered(self, first: Sequence[int], last: Sequence[int]) -> float:
        """The number of places anywhere in the box that are read, neighbouring ones being one place; infinite where the
        coordinates of all accesses are known."""
        if not self._moving:
            return math.inf
        return sum([n * math.prod([last[j] - first[j] + 1 for j in loops]) for n, loops in self._moving])

    def distinct(self, d: int, first: Sequence[int], last: Sequence[int]) -> float:
        """The number of coordinates of dimension `d` that are read at most: taps far apart leave out parts of a box."""
        if self._values[d]:
            return sum([n * math.prod([last[j] - first[j] + 1 for j in loops]) for n, loops in self._values[d]])
        if not self._places[d] or len(self._parts[d]) != 1:
            return math.inf
        ((terms, _),) = self._parts[d]
        span = sum([abs(c) * (last[j] - first[j]) for j, c in terms]) + 1
        return self._places[d] * min(span, math.prod([last[j] - first[j] + 1 for j, _ in terms]))

    def rows(self, along: int, first: Sequence[int], last: Sequence[int]) -> float:
        """The number of rows along a dimension that are read at most; infinite when unknown.

        A star of taps has few of the rows of its box."""
        if along not in self._rows:
            self._rows[along] = None if self.apart else _rows(self._accesses, along)
        rows = self._rows[along]
        if rows is None:
            return math.inf
        count, loops = rows
        return count * math.prod([last[j] - first[j] + 1 for j in loops])


def _rows(accesses: Sequence[Access], along: int) -> tuple[int, tuple[int, ...]] | None:
    """The number of different rows that accesses of one Jacobian read in one iteration, and the loops whose iterations
    read other rows; None where nothing is known of a coordinate."""
    if any([None in access.jacobian or not (access.offsets or access.values) for access in accesses]):
        return None
    others = [d for d in range(len(accesses[0].jacobian)) if d != along]
    moving = {j for d in others for j, c in enumerate(accesses[0].jacobian[d] or ()) if c}
    rows = [{offset[:along] + offset[along + 1 :] for offset in access.offsets} for access in accesses]
    if not any([access.values for access in accesses]):
        return len(set().union(*rows)), tuple(sorted(moving))
    moving.update(*[access.values[d] for access in accesses if access.values for d in others])
    count = sum([len(of_access) or access.count for of_access, access in zip(rows, accesses, strict=True)])
    return count, tuple(sorted(moving))


def _followed(parts: Sequence[tuple[Terms, tuple[float, float]]]) -> tuple[int, int, int] | None:
    """(j, a, b) where all that is read lies in v[j] + a .. v[j] + b, whole numbers."""
    if len(parts) != 1:
        return None
    terms, (low, high) = parts[0]
    if len(terms) != 1 or terms[0][1] != 1 or not (float(low).is_integer() and float(high).is_integer()):
        return None
    return terms[0][0], int(low), int(high)


def _places(accesses: Sequence[Access], d: int) -> int:
    """The number of places along dimension `d` at which the accesses begin; 0 when unknown."""
    if not all(access.offsets for access in accesses):
        return 0
    return len({offset[d] for access in accesses for offset in access.offsets})


def _values(accesses: Sequence[Access], d: int) -> list[tuple[int, frozenset[int]]]:
    """For each access how many places along dimension `d` it has and the loops that change them; nothing when all of
    them, or too few, are known."""
    if all(not access.values or not access.values[d] for access in accesses):
        return []
    if not all(access.values or access.offsets for access in accesses):
        return []
    places_of = []
    for access in accesses:
        moving = {j for j, c in enumerate(access.jacobian[d] or ()) if c}
        places = len({offset[d] for offset in access.offsets}) or access.count
        places_of.append((places, frozenset(moving).union(*access.values[d : d + 1])))
    return places_of


def _moving(access: Access) -> tuple[int, frozenset[int]]:
    """The number of places of an access, and the loops that change them.

    Places whose coordinates contain the same values are neighbours and count once."""
    moving = frozenset([j for row in access.jacobian for j, c in enumerate(row or ()) if c])
    return max(1, len(access.offsets)), moving.union(*access.values)


def _clipped(value: float, least: int, most: int) -> int:
    if value <= least:
        return least
    return most if value >= most else math.floor(value + ROUNDING)


def extents(box: Box) -> tuple[int, ...]:
    """Returns the extents of a box."""
    return tuple([last - first + 1 for first, last in zip(*box, strict=True)])


def union(boxes: Sequence[Box]) -> Box:
    """Returns the smallest box around several."""
    if len(boxes) == 1:
        return boxes[0]
    return (
        tuple([min(ends) for ends in zip(*(box[0] for box in boxes), strict=True)]),
        tuple([max(ends) for ends in zip(*(box[1] for box in boxes), strict=True)]),
    )


Jacobian = tuple[tuple[float, ...] | None, ...]
Limit = tuple[float, float]
"""The first and the last coordinate in one dimension; infinite when nothing is known."""
Base = tuple[frozenset[tuple[Expr, int]], ...]
"""Coordinates but for their constant parts."""


class _Group:
    """Loads with one Jacobian while they are collected."""

    def __init__(self, jacobian: Jacobian, dimensions: int) -> None:
        self.jacobian = jacobian
        self.low, self.high = [math.inf] * dimensions, [-math.inf] * dimensions
        self.offsets: dict[tuple[float, ...], None] = {}
        self.exact, self.scattered, self.estimated, self.count = True, False, False, 0
        self.clamped, self.unclamped = set[int](), set[int]()
        self.wrapped, self.mirrored = set[int](), set[int]()
        self.values = [frozenset[int]()] * dimensions
        # The constant parts of coordinates by all else; the same where the first one is clamped, without its limits.
        self.places: dict[Base, set[tuple[int, ...]]] = {}
        self.unlimited: dict[Base, set[tuple[int, ...]]] = {}

    def add(self, args: Sequence[Expr], forms: Sequence[Form], values: Sequence[frozenset[int]]) -> None:
        self.count += 1
        _add_place(self.places, args)
        clamp = clamp_parts(args[0]) if args else None
        if clamp is not None:
            _add_place(self.unlimited, (unmarked(clamp.place), *args[1:]))
        for d, (row, form) in enumerate(zip(self.jacobian, forms, strict=True)):
            self.low[d] = min(self.low[d], form.low if row is not None else form.least)
            self.high[d] = max(self.high[d], form.high if row is not None else form.most)
        self.exact = self.exact and all(form.exact for form in forms)
        for d, form in enumerate(forms):
            (self.clamped if form.boundary else self.unclamped).add(d)
            if form.wrapped:
                self.wrapped.add(d)
            if form.mirrored:
                self.mirrored.add(d)
        self.scattered = self.scattered or any(form.scattered for form in forms)
        self.values = [old | more for old, more in zip(self.values, values, strict=True)]
        self.offsets[tuple([form.low for form in forms])] = None

    def access(self, name: str) -> Access:
        offsets = tuple(self.offsets) if self.exact else ()
        low, high = tuple(self.low), tuple(self.high)
        values = () if self.exact else tuple(self.values)
        sides = frozenset(self.clamped), frozenset(self.unclamped)
        folds = frozenset(self.wrapped), frozenset(self.mirrored)
        # Two that are clamped each for itself share a base if one load reads them, and only then.
        joined = sum(map(_pairs, self.unlimited.values()))
        bases, pairs = len(self.places) - joined, joined + sum(map(_pairs, self.places.values()))
        return Access(
            name,
            self.jacobian,
            low,
            high,
            offsets,
            self.count,
            *sides,
            self.scattered,
            values,
            *folds,
            bases,
            pairs,
            self.estimated,
        )


def _add_place(places: dict[Base, set[tuple[int, ...]]], args: Sequence[Expr]) -> None:
    forms = [linear(arg) for arg in args]
    base = tuple([frozenset(form.terms.items()) for form in forms])
    places.setdefault(base, set()).add(tuple([form.constant for form in forms]))


def _pairs(places: set[tuple[int, ...]]) -> int:
    """Returns how many pairs of neighbours in dimension 0 there are, each place in one pair at most."""
    rest, count = set(places), 0
    for place in sorted(places):
        neighbour = (place[0] + 1, *place[1:]) if place else place
        if place in rest and neighbour in rest and neighbour != place:
            rest -= {place, neighbour}
            count += 1
    return count


def accesses(calls: Iterable[FuncCall | ImageCall], forms: Forms, loops: Sequence[str]) -> tuple[Access, ...]:
    """The distinct calls of a stage with the loops of these names, in groups of the same Func or image and Jacobian."""
    groups: dict[tuple[str, Jacobian, bool], _Group] = {}
    for call in calls:
        own = [forms.of(arg) for arg in call.args]
        jacobian = tuple([_row(form, loops) for form in own])
        key = call.name, jacobian, all(form.exact for form in own)
        group = groups.get(key)
        if group is None:
            group = groups[key] = _Group(jacobian, len(own))
        group.estimated |= any(forms.is_estimated(arg) for arg in call.args)
        group.add(call.args, own, [_changing(arg, forms, loops) for arg in call.args])
    return tuple([group.access(name) for (name, _, _), group in groups.items()])


def _row(form: Form, loops: Sequence[str]) -> tuple[float, ...] | None:
    return tuple([form.terms.get(name, 0.0) for name in loops]) if form.is_affine else None


def _changing(arg: Expr, forms: Forms, loops: Sequence[str]) -> frozenset[int]:
    """The loops that change what is not known of a coordinate."""
    names = frozenset[str]() if forms.of(arg).exact else _unknown(arg, forms)
    return frozenset([j for j, name in enumerate(loops) if name in names])


def _unknown(arg: Expr, forms: Forms) -> frozenset[str]:
    """The loops that change what is not known of a part of a coordinate: of a sum, those of its summands; otherwise
    those at which values in it are read, and those that its terms leave out, such as factors of values. Without
    values: all of it."""
    form = forms.of(arg)
    if form.exact and form.parts == 1:
        return frozenset()
    if isinstance(arg, Add | Sub):
        return _unknown(arg.a, forms) | _unknown(arg.b, forms)
    reads = [node for node in postorder(arg) if isinstance(node, FuncCall | ImageCall)]
    calls, (own, rvars) = [free_variables(node) for node in reads], forms.updated
    if any(node.name == own for node in reads if isinstance(node, FuncCall)):
        calls.append(rvars)
    names = free_variables(arg)
    return (names - form.terms.keys()).union(*calls) if calls else names


def store_access(name: str, args: Sequence[Expr], forms: Forms, loops: Sequence[str]) -> Access:
    """Returns the access that stores a point of a stage."""
    own = [forms.of(arg) for arg in args]
    group = _Group(tuple([_row(form, loops) for form in own]), len(own))
    group.add(args, own, [_changing(arg, forms, loops) for arg in args])
    return group.access(name)


def touched(coordinates: Iterable[Sequence[Expr]], forms: Forms) -> list[Limit]:
    """The smallest box around all that some coordinates can be, over the whole loops."""
    box: list[Limit] = []
    for args in coordinates:
        own = [(forms.of(arg).least, forms.of(arg).most) for arg in args]
        box = own if not box else [(min(a, c), max(b, d)) for (a, b), (c, d) in zip(box, own, strict=True)]
    return box


def clipped(access: Access, box: Mapping[str, Sequence[Limits]], loops: Sequence[LoopInfo]) -> Access:
    """The access within the box of what is read: coordinates that are not affine, and those without limits."""
    if all(row is not None for row in access.jacobian) and all(map(math.isfinite, (*access.low, *access.high))):
        return access
    low, high = list(access.low), list(access.high)
    for d, row in enumerate(access.jacobian):
        least, most = box[access.name][d]
        if row is None:
            low[d], high[d] = (float(math.floor(min(max(x, least), most))) for x in (low[d], high[d]))
        elif not math.isfinite(low[d]) or not math.isfinite(high[d]):
            ends = [(c * v.minimum, c * (v.minimum + v.extent - 1)) for c, v in zip(row, loops, strict=True)]
            low[d] = max(low[d], least - sum(map(max, ends)))
            high[d] = min(high[d], most - sum(map(min, ends)))
    return replace(access, low=tuple(low), high=tuple(high))
