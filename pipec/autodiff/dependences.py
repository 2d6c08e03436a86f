"""Whether an update reads an element of its own Func before or after it writes it."""

from __future__ import annotations

from enum import Enum

from pipec.autodiff.solve import independent_rows
from pipec.autodiff.stages import StageView
from pipec.autodiff.terms import affine, interval_over, is_gather
from pipec.bounds.box import Box
from pipec.bounds.linear import linear
from pipec.bounds.simplify import simplify
from pipec.ir.build import constant, sub
from pipec.ir.expr import Expr, FuncCall
from pipec.ir.walk import free_variables


class When(Enum):
    """NEVER: the update does not write the element. BEFORE: it writes it later or at the same time. AFTER: earlier."""

    NEVER = "never"
    BEFORE = "before"
    AFTER = "after"
    UNKNOWN = "unknown"


def places_differ(view: StageView) -> bool:
    """Whether no iteration stores two values in one element."""
    places = [args for args, _ in view.stores]
    return all(
        any(constant(simplify(sub(p, q))) for p, q in zip(one, other, strict=True))
        for at, one in enumerate(places)
        for other in places[:at]
    )


def writes_once(view: StageView) -> bool:
    """Whether no two iterations write the same element: each place belongs to one iteration."""
    names = view.names
    loops = [dim.variable for dim in view.loops]
    (args, _), *others = view.stores
    if not loops:
        return places_differ(view)
    if others:
        return False
    rows = []
    for arg in args:
        form = affine(arg, names)
        if form is not None and not is_gather(arg):
            rows.append([form.terms.get(loop, 0) for loop in loops])
    return len(independent_rows(rows, range(len(loops)))) == len(loops)


def when(view: StageView, call: FuncCall, box: Box) -> When:
    """Returns when the same update writes the element that an own call reads."""
    if not view.loops:
        return When.BEFORE
    times = {_when_stored(view, place, call, box) for place, _ in view.stores} - {When.NEVER}
    if not times:
        return When.NEVER
    return times.pop() if len(times) == 1 else When.UNKNOWN


def _when_stored(view: StageView, place: tuple[Expr, ...], call: FuncCall, box: Box) -> When:
    # For each loop the iterations from the read of an element to its write; negative when the write comes first.
    distance: dict[str, int] = {}
    loops = {dim.name: dim for dim in view.loops}
    for written, read in zip(place, call.args, strict=True):
        row = _row(view, written, read, box)
        if row is None:
            continue
        name, steps = row
        if not name or distance.get(name, steps) != steps:
            return When.NEVER
        size = loops[name].size
        if size is not None and abs(steps) >= size:
            return When.NEVER
        distance[name] = steps
    if len(distance) < len(loops):
        return When.UNKNOWN
    for dim in reversed(view.loops):
        if distance[dim.name]:
            return When.AFTER if distance[dim.name] < 0 else When.BEFORE
    return When.BEFORE


def _row(view: StageView, written: Expr, read: Expr, box: Box) -> tuple[str, int] | None:
    """The distance in one dimension: ("", 0) if elements always differ, (loop, iterations), or None if unknown."""
    loops = {dim.name for dim in view.loops}
    involved = (free_variables(written) | free_variables(read)) & loops
    if not involved:
        gap = constant(simplify(sub(written, read)))
        return ("", 0) if gap else None
    if len(involved) == 1 and not is_gather(written) and not is_gather(read):
        (name,) = involved
        variable = next(dim.variable for dim in view.loops if dim.name == name)
        mine, theirs = affine(written, {name}), affine(read, {name})
        if mine is not None and theirs is not None:
            factor = mine.terms.get(variable, 0)
            rest = theirs.plus(mine, -1)
            if factor and theirs.terms.get(variable, 0) == factor and rest.is_constant:
                return ("", 0) if rest.constant % factor else (name, rest.constant // factor)
    return ("", 0) if _are_disjoint(view, written, read, box) else None


def _are_disjoint(view: StageView, written: Expr, read: Expr, box: Box) -> bool:
    """Whether the written and the read coordinates lie in disjoint intervals."""
    dims = [dim for dim in view.dims_over(box) if dim is not None]
    a, b = interval_over(dims, written), interval_over(dims, read)
    for high, low in ((a.high, b.low), (b.high, a.low)):
        if high is not None and low is not None:
            gap = linear(low).plus(linear(high), -1)
            if gap.is_constant and gap.constant > 0:
                return True
    return False
