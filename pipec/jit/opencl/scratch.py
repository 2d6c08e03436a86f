"""Global memory that each block of a kernel, or each of its threads, has for itself.

It holds what store_in(MemoryType.Heap) asks for, and what has no constant size.

All parts lie in one buffer, a parameter of the kernel, which the host allocates around the launch:

    gpu_block b: allocate rows[n] in Heap: ...
    -->
    __global float *const rows = rows_of_all + get_group_id(0) * n;
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pipec.errors import NotSupportedError
from pipec.ir.build import cast, mul
from pipec.ir.expr import Const, Expr, Load
from pipec.ir.node import kinds_of
from pipec.ir.stmt import Allocate, MemoryType, Stmt
from pipec.ir.types import INT64
from pipec.ir.walk import free_variables, postorder, rewrite, statements, substitute
from pipec.jit.opencl.work_group import WorkGroup
from pipec.records import dataclass

_BLOCK = "get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2))"


@dataclass(frozen=True)
class Scratch:
    """Storage with a part for each block, and in it for each thread in some dimensions of the block."""

    node: Allocate
    axes: tuple[int, ...]

    @property
    def whole(self) -> str:
        """The name of the buffer that holds all parts."""
        return f"{self.node.name}.of_all"

    def elements(
        self, grid: Sequence[Expr], group: WorkGroup, let_values: Mapping[str, Expr], own: Collection[str]
    ) -> Expr:
        """The number of elements of all parts. `let_values`: the lets of the kernel; `own`: its other names."""
        count = substitute(self.node.size, let_values)
        if not free_variables(count).isdisjoint(own) or any(isinstance(node, Load) for node in postorder(count)):
            raise NotSupportedError(
                f"Error: Func {self.node.name.partition('$')[0]} is stored in the Heap memory of GPU blocks, but its"
                f" size {self.node.size} differs between them. Split the loops over blocks by constants, or bound it"
                " with bound_storage()."
            )
        for factor in (*grid, *[group.sizes[axis] for axis in self.axes]):
            count = mul(count, cast(INT64, factor))
        return count

    def part(self, group: WorkGroup, size: str, whole: str) -> str:
        """The address of a thread's part, for parts of a size."""
        number = f"({_BLOCK})"
        for axis in self.axes:
            threads = group.constant(axis)
            if threads != 1:
                count = f"get_local_size({axis})" if threads is None else str(threads)
                number = f"({number} * {count} + get_local_id({axis}))"
        return f"{whole} + {number} * {size}"


def with_scratch(body: Stmt) -> Stmt:
    """The body of a kernel with storage of no constant size in the Heap, unless store_in() says otherwise."""

    def change(node: Any) -> Any:
        if isinstance(node, Allocate) and node.memory is MemoryType.Auto and not isinstance(node.size, Const):
            return Allocate(node.name, node.type, MemoryType.Heap, node.size, node.body)
        return node

    return rewrite(body, change, kinds=kinds_of(Allocate))


def scratch_of(body: Stmt) -> dict[str, Allocate]:
    """The storage in the Heap inside a kernel, by the name of the buffer that holds all parts."""
    allocations = [node for node in statements(body) if isinstance(node, Allocate) and node.memory is MemoryType.Heap]
    return {Scratch(node, ()).whole: node for node in allocations}
