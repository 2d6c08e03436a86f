"""Checks of the loops of a statement: constant extents of vectors and unrolled loops, nesting of GPU loops.

vectorized (x, 0, n)  -->  ScheduleError: Can only vectorize for loops over a constant extent. ...
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from pipec.diagnostics import warn
from pipec.errors import ScheduleError
from pipec.ir.build import constant
from pipec.ir.stmt import GPU_KINDS, GPU_THREADS, For, LetStmt, LoopKind, MemoryType, ProducerConsumer, Realize, Stmt
from pipec.ir.walk import statements
from pipec.lower.passes.partition_loops import original_name
from pipec.target import Target

# Iterations. LLVM aborts on vectors a few times longer than this, and compiles longer unrolled bodies for hours.
_MAX_EXTENTS = {LoopKind.VECTORIZED: 4096, LoopKind.UNROLLED: 16384}
_VERBS = {LoopKind.VECTORIZED: "vectorize", LoopKind.UNROLLED: "unroll"}


def check_extents(stmt: Stmt) -> None:
    """Raises a ScheduleError for a vectorized or unrolled loop whose extent is not constant, or too large.

    A loop whose extent is constant in the steady state may stay a loop in the prologue and the epilogue. With
    HL_PERMIT_FAILED_UNROLL=1 in the environment, unrolled loops of varying extents become serial, with a warning.
    """
    varying_loops: dict[str, For] = {}
    constant_loops: set[str] = set()
    for node in statements(stmt):
        if isinstance(node, For) and node.kind in _VERBS:
            name = original_name(node.name)
            extent = constant(node.extent)
            if extent is None:
                # In the steady state loops have their original names; one that is not there took a single iteration.
                if node.name == name:
                    varying_loops[name] = node
            else:
                constant_loops.add(name)
                _check_size(name, node.kind, int(extent))
    for name, loop in varying_loops.items():
        if name in constant_loops:
            continue
        if loop.kind is LoopKind.UNROLLED and os.environ.get("HL_PERMIT_FAILED_UNROLL") == "1":
            warn(
                "HL_PERMIT_FAILED_UNROLL is allowing us to unroll a non-constant loop into a serial loop. Did you mean "
                f"to do this? It is the loop over {name} of extent {loop.extent}."
            )
        else:
            verb = _VERBS[loop.kind]
            raise ScheduleError(
                f"Can only {verb} for loops over a constant extent. Loop over {name} has extent {loop.extent}. "
                f"Split the loop by a constant and {verb} the inner part, or give the variable a constant extent "
                f"with bound()."
            )


def _check_size(name: str, kind: LoopKind, extent: int) -> None:
    if extent > _MAX_EXTENTS[kind]:
        verb = _VERBS[kind]
        raise ScheduleError(
            f"Can't {verb} the loop over {name} of extent {extent}: the most is {_MAX_EXTENTS[kind]}. "
            f"Split the loop by a smaller factor and {verb} the inner part."
        )


# The dimensions of grids and of work-groups.
_MAX_DIMENSIONS = 3


def check_gpu_loops(stmt: Stmt, target: Target) -> None:
    """Raises a ScheduleError for a loop over blocks or threads that no kernel can have."""
    loops = [node for node in statements(stmt) if isinstance(node, For) and node.kind in GPU_KINDS]
    if loops and not target.has_gpu_feature():
        raise ScheduleError(
            f"Error: The schedule runs the loop over {loops[0].name} on a GPU, but the target {target} has no GPU"
            ' feature. Compile for one that has: realize(..., target=hl.Target("host-opencl")), or set'
            " HL_JIT_TARGET=host-opencl."
        )
    _walk(stmt)


def _walk(root: Stmt) -> None:
    work: list[tuple[Stmt, tuple[For, ...], bool]] = [(root, (), False)]
    while work:
        # `direct`: nothing but lets stands between this statement and the loop over blocks around it.
        stmt, around, direct = work.pop()
        if isinstance(stmt, For):
            _check(stmt, around, direct)
            around = (*around, stmt)
            direct = stmt.kind is LoopKind.GPU_BLOCK
        elif isinstance(stmt, Realize):
            _check_memory(stmt, around)
            direct = False
        elif not isinstance(stmt, (LetStmt, ProducerConsumer)):
            direct = False
        work += [(child, around, direct) for child in stmt.children() if isinstance(child, Stmt)]


def _check(loop: For, around: Sequence[For], direct: bool) -> None:
    blocks = [other for other in around if other.kind is LoopKind.GPU_BLOCK]
    threads = [other for other in around if other.kind in GPU_THREADS]
    if loop.kind in GPU_THREADS:
        if not blocks:
            raise _error(loop, around, f"GPU thread loop over {loop.name} must be inside a GPU block loop.")
        if len(threads) == _MAX_DIMENSIONS:
            raise _error(loop, around, f"GPU thread loop over {loop.name} is the 4th: a block has {_MAX_DIMENSIONS}.")
        if threads and threads[-1].kind is LoopKind.GPU_LANE:
            raise _error(loop, around, f"GPU loop over {loop.name} is inside GPU lanes, which are innermost.")
    elif loop.kind is LoopKind.GPU_BLOCK:
        if threads:
            raise _error(loop, around, f"GPU block loop over {loop.name} is inside the GPU threads of a block.")
        if blocks and not direct:
            raise _error(
                loop,
                around,
                f"GPU block loop over {loop.name} must be directly inside the block loop over {blocks[-1].name}: no"
                " other loop, Func or condition may be between.",
            )
        if len(blocks) == _MAX_DIMENSIONS:
            raise _error(loop, around, f"GPU block loop over {loop.name} is the 4th: a grid has {_MAX_DIMENSIONS}.")
    elif loop.kind is LoopKind.PARALLEL and blocks:
        raise _error(loop, around, f"The parallel loop over {loop.name} is inside a GPU kernel: use gpu_threads there.")


def _check_memory(node: Realize, around: Sequence[For]) -> None:
    if node.memory is MemoryType.GPUShared and not any(loop.kind is LoopKind.GPU_BLOCK for loop in around):
        raise ScheduleError(
            f"Error: Func {node.name} is stored in GPUShared memory, which blocks of a GPU have, but outside of all"
            f" loops over blocks. Compute it at one of them: {node.name}.compute_at(consumer, block variable)."
        )
    if node.memory in (MemoryType.GPUTexture, MemoryType.LockedCache, MemoryType.VTCM, MemoryType.AMXTile) and around:
        if any(loop.kind in GPU_KINDS for loop in around):
            raise ScheduleError(f"Error: Func {node.name} cannot be stored in {node.memory.value} inside a kernel.")


def _error(loop: For, around: Sequence[For], text: str) -> ScheduleError:
    nest = "".join(f"{'  ' * depth}{one.kind.value} {one.name}:\n" for depth, one in enumerate((*around, loop)))
    return ScheduleError(f"Error: {text} The loop nest is:\n{nest}")
