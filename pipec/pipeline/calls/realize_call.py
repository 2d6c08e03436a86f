"""Prebuilt calls of `realize`, which run machine code for arguments like those of an earlier call.

A prebuilt call takes the argument of `realize` and gives what `realize` gives, or False when it has done nothing: for
arguments that need a closer look, and after changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.function import revision
from pipec.ir.program import ProgramArgumentKind
from pipec.pipeline.calls.runnable import Runnable, no_fast_call

RealizeCall = Callable[[Any], Any]

# The dictionary behind os.environ, whose own methods take longer than the rest of a call.
_VARIABLES: Any = getattr(os.environ, "_data", os.environ)
_JIT_TARGET: Any = "HL_JIT_TARGET" if _VARIABLES is os.environ else os.environ.encodekey("HL_JIT_TARGET")


def realize_call(run: Runnable) -> RealizeCall | None:
    """Returns the prebuilt call of a pipeline, valid as long as nothing changes that `run` depends on.

    None where each run has to be checked in Python, or reports to it.
    """
    if run.prebuilt is None or run.prebuilt_layouts != run.compiled.layouts:
        run.prebuilt_layouts = run.compiled.layouts
        run.prebuilt = _unconditional(run) or no_fast_call
    call = run.prebuilt
    if call is no_fast_call:
        return None
    count, target, state = revision.count, _VARIABLES.get(_JIT_TARGET), revision

    def current(dst: Any) -> Any:
        return call(dst) if state.count == count and _VARIABLES.get(_JIT_TARGET) == target else False

    return current


def _unconditional(run: Runnable) -> RealizeCall | None:
    images = [a.name for a in run.arguments if a.kind is not ProgramArgumentKind.OUTPUT]
    constants = {name: run.bindings[name] for name in images if isinstance(run.bindings[name], Buffer)}
    inputs = [run.bindings[name] for name in images if name not in constants]
    getters = [bound.buffer if bound.is_buffer() else bound.scalar for bound in inputs]
    # The builtin takes the values of Params and ImageParams, then the outputs; Buffers of the definitions are fixed.
    names = [*[name for name in images if name not in constants], *run.output_names]
    order = {name: at for at, name in enumerate([*names, *constants])}
    builtin = run.fast_call(len(names), [order[a.name] for a in run.arguments], tuple(constants.values()))
    if builtin is None:
        return None
    new_buffers = _new_buffers(run)

    def call(dst: Any) -> Any:
        values = [value() for value in getters]
        if type(dst) is not list:
            return None if builtin(*values, dst) else False
        if not dst or type(dst[0]) is not int:
            return None if builtin(*values, *dst) else False
        buffers = new_buffers(dst)
        # As arrays, since a builtin sees the shape of a Buffer only when that was part of a call before.
        if not buffers or not builtin(*values, *[buffer._memory.T for buffer in buffers]):
            return False
        return buffers[0] if len(buffers) == 1 else tuple(buffers)

    return call


def _new_buffers(run: Runnable) -> Callable[[list[Any]], list[Any]]:
    """Returns a function that allocates the outputs for a list of sizes; none where sizes need the slow path."""
    kinds = run.output_types
    counts = {len(run.definition.funcs[name].args) for name in run.definition.outputs}
    dimensions = counts.pop() if len(counts) == 1 else -1

    def allocate(sizes: list[Any]) -> list[Any]:
        if len(sizes) != dimensions or run.outputs_may_grow or run.output_parameters:
            return []
        for size in sizes:
            if type(size) is not int or size < 1:
                return []
        return [Buffer.dense(kind, sizes) for kind in kinds]

    return allocate
