"""Limits of the values of Funcs, for coordinates that depend on data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pipec.autoschedule.dag.affine_forms import EVERYTHING, Form, Forms, Limits, limits_of_type
from pipec.func.functions.definition import FuncDef, PipelineDef, StageDef
from pipec.ir.expr import FuncCall, Undef

MAX_QUESTIONS = 500
NOTHING: Limits = (EVERYTHING[1], EVERYTHING[0])


class ValueLimits:
    """The limits of the values of Funcs where they are read; memoised."""

    def __init__(self, definition: PipelineDef, numbers: Mapping[str, float]) -> None:
        self._funcs, self._numbers = definition.funcs, numbers
        self._memo: dict[Any, Limits] = {}

    def __call__(self, call: Any, args: list[Form]) -> Limits:
        """The limits of a call with coordinates of these forms."""
        of_type = limits_of_type(call)
        func = self._funcs.get(call.name) if isinstance(call, FuncCall) else None
        if func is None or func.extern is not None:
            return of_type
        # Mostly it does not matter where a Func is read, and the answer for anywhere serves all calls.
        limits = self._memoized(func, call.value_index, (EVERYTHING,) * len(args), of_type)
        if math.isfinite(limits[1] - limits[0]) or len(self._memo) > MAX_QUESTIONS:
            return limits
        return self._memoized(func, call.value_index, tuple([(form.least, form.most) for form in args]), of_type)

    def _memoized(self, func: FuncDef, index: int, box: tuple[Limits, ...], of_type: Limits) -> Limits:
        key = func.name, index, box
        limits = self._memo.get(key)
        if limits is None:
            # The limits of its type, should a Func reach itself through another one.
            self._memo[key] = of_type
            low, high = self._of_func(func, index, box)
            limits = self._memo[key] = max(low, of_type[0]), min(high, of_type[1])
        return limits

    def _of_func(self, func: FuncDef, index: int, box: tuple[Limits, ...]) -> Limits:
        own: Limits = NOTHING
        for _ in range(3):
            before = own
            for number, stage in enumerate(func.stages):
                own = _joined(own, self._of_stage(func, number, stage, index, box, own))
            if own == before:
                return own
        return EVERYTHING

    def _of_stage(
        self, func: FuncDef, number: int, stage: StageDef, index: int, box: tuple[Limits, ...], own: Limits
    ) -> Limits:
        """`own`: what values of the Func itself can be."""
        value = stage.values[index]
        if isinstance(value, Undef):
            return NOTHING

        def call_limits(call: Any, args: list[Form]) -> Limits:
            if isinstance(call, FuncCall) and call.name == func.name:
                return own if call.value_index == index else limits_of_type(call)
            return self(call, args)

        # An update may store anywhere: only the pure definition knows where it is read.
        loops = dict(zip(func.args, box if number == 0 else (EVERYTHING,) * len(box), strict=True))
        outside = Forms({}, self._numbers)
        for loop in stage.rvars:
            low, extent = outside.of(loop.minimum), outside.of(loop.extent)
            loops[loop.name] = low.least, max(low.least, low.most + extent.most - 1)
        form = Forms(loops, self._numbers, call_limits).of(value)
        return form.least, form.most


def _joined(a: Limits, b: Limits) -> Limits:
    return min(a[0], b[0]), max(a[1], b[1])
