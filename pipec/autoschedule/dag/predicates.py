"""The share of the iterations of RVars that is left when affine conditions of a predicate become bounds of loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pipec.autoschedule.dag.affine_forms import Form, Forms, added, number, scaled
from pipec.autoschedule.dag.dag import LoopInfo
from pipec.autoschedule.dag.operations import ends_loops
from pipec.bounds.conditions import plain_conjuncts
from pipec.ir import expr as e

POINTS = 512
"""Points of the other loops at which iterations of an RVar are counted."""
Values = Mapping[str, NDArray[np.float64]]


def iterated_share(predicate: e.Expr, forms: Forms, loops: Sequence[LoopInfo]) -> float:
    """Returns iterations that satisfy the affine conditions of a predicate by all iterations, estimated at points drawn
    from a fixed seed; 1 where no condition mentions an RVar."""
    gaps = [gap for part in plain_conjuncts(predicate) if ends_loops(part, forms) for gap in _gaps(part, forms)]
    rng = np.random.default_rng(0)
    values = {loop.name: loop.minimum + np.floor(rng.random(POINTS) * loop.extent) for loop in loops}
    share = 1.0
    for rvar in [loop for loop in loops if loop.reduction]:
        bounding = [gap for gap in gaps if gap.terms.get(rvar.name)]
        gaps = [gap for gap in gaps if gap not in bounding]
        if bounding:
            share *= float(_counts(rvar, bounding, values).mean()) / rvar.extent
    return max(share, 1.0 / max([1, *[loop.extent for loop in loops]])) if share < 1 else 1.0


def _gaps(condition: e.Expr, forms: Forms) -> list[Form]:
    """Forms that are all >= 0 exactly when a comparison of integers holds; none for `!=`."""
    assert isinstance(condition, e.Compare)
    gap = added(forms.of(condition.b), scaled(forms.of(condition.a), -1))
    match condition:
        case e.EQ():
            return [gap, scaled(gap, -1)]
        case e.LT():
            return [added(gap, number(-1))]
        case e.LE():
            return [gap]
        case e.GT():
            return [added(scaled(gap, -1), number(-1))]
        case e.GE():
            return [scaled(gap, -1)]
    return []


def _counts(rvar: LoopInfo, gaps: Sequence[Form], values: Values) -> NDArray[np.float64]:
    """The iterations of an RVar at each point of the other loops."""
    first = np.full(POINTS, float(rvar.minimum))
    last = first + rvar.extent - 1
    for gap in gaps:
        rest = gap.low + sum([c * values[name] for name, c in gap.terms.items() if name != rvar.name])
        limit = -rest / gap.terms[rvar.name]
        if gap.terms[rvar.name] > 0:
            first = np.maximum(first, np.ceil(limit - 1e-9))
        else:
            last = np.minimum(last, np.floor(limit + 1e-9))
    return np.asarray(np.maximum(0.0, last - first + 1))
