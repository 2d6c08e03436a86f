"""Whether the loops over GPU blocks and threads lie where a device can run them, in words."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.errors import ScheduleError
from pipec.ir.stmt import GPU_KINDS, GPU_THREADS, For, LetStmt, LoopKind, MemoryType, ProducerConsumer, Realize, Stmt
from pipec.ir.walk import statements
from pipec.target import Target

# How many dimensions grids and work-groups have.
_MOST = 3


def check_gpu_loops(stmt: Stmt, target: Target) -> None:
    """Raises a ScheduleError for a loop over blocks or threads that no kernel can have. Before the passes."""
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
        if len(threads) == _MOST:
            raise _error(loop, around, f"GPU thread loop over {loop.name} is the {_MOST + 1}th: a block has {_MOST}.")
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
        if len(blocks) == _MOST:
            raise _error(loop, around, f"GPU block loop over {loop.name} is the {_MOST + 1}th: a grid has {_MOST}.")
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
