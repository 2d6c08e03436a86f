"""The code of one work-item in OpenCL C: the statements of C99, loops over threads, atomic updates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from pipec.errors import NotSupportedError
from pipec.ir import stmt as s
from pipec.ir.build import constant
from pipec.ir.expr import Const
from pipec.ir.intrinsics import Absent
from pipec.jit.c import intrinsics as c
from pipec.jit.c.expr import SUM, UNARY
from pipec.jit.c.intrinsics import Rule
from pipec.jit.c.stmt import CStatements, indented
from pipec.jit.c.types import storage_type
from pipec.jit.opencl.atomic import emit_atomic, is_exchanged_in_words
from pipec.jit.opencl.helpers import KernelHelpers
from pipec.jit.opencl.scratch import Scratch
from pipec.jit.opencl.vectors import vector_store
from pipec.jit.opencl.work_group import AXES, WorkGroup

# As in C99, but for the names of functions (`helpers.py`).
INTRINSICS: dict[str, Rule] = c.INTRINSICS | {
    "address_of": Absent("the host computes the addresses that a kernel is given"),
}
# The private memory of a thread.
MAX_PRIVATE_BYTES = 64 << 10


class ThreadStatements(CStatements):
    """Writes what a thread does by itself. `spaces`: the address space of each buffer of the kernel."""

    intrinsics = INTRINSICS

    def __init__(
        self,
        helpers: KernelHelpers,
        name_of: Callable[[str], str],
        fresh: Callable[[str], str],
        used: Collection[str],
        group: WorkGroup,
        spaces: dict[str, str],
    ) -> None:
        super().__init__(helpers, name_of, fresh, (), (), True, used)
        self.group, self.spaces = group, spaces
        # Local arrays, declared at the head of the kernel: declarations and bytes.
        self.arrays: list[str] = []
        self.local_bytes = 0
        self.scratch: list[Scratch] = []

    def _plain(self, node: s.Stmt) -> list[str]:
        if isinstance(node, s.AtomicUpdate):
            assert isinstance(node.body, s.Store)
            # What is a thread's own, no other one updates.
            own = self.spaces.get(node.body.buffer) == "__private"
            return self._store(node.body) if own else emit_atomic(self, node)
        if isinstance(node, s.Assert | s.Report | s.CallExtern | s.Fork | s.Wait | s.Post):
            raise NotSupportedError(
                f"Error: a GPU kernel can't check, print, trace or call C functions, but the loops over blocks hold: "
                f"{str(node).strip().splitlines()[0]}\nRun that stage on the CPU."
            )
        return super()._plain(node)

    def _store(self, node: s.Store) -> list[str]:
        return vector_store(self, node) or super()._store(node)

    def _for(self, node: s.For) -> list[str]:
        return self.thread_loop(node) if node.kind in s.GPU_THREADS else super()._for(node)

    def thread_loop(self, node: s.For) -> list[str]:
        """The iterations of a loop over threads that fall to this one."""
        axis = self.group.axis(node)
        size, extent = self.group.constant(axis), constant(node.extent)
        x = self._expressions(node.minimum, node.extent)
        name, minimum = self.name_of(node.name), x.scalar(node.minimum, True)
        own = added(minimum, f"get_local_id({axis})")
        if extent is not None and size is not None and extent <= size:
            lines = [*x.frame.lines, f"const int32_t {name} = {own};", *self.lines(node.body)]
            return lines if extent == size else [f"if (get_local_id({axis}) < {int(extent)}) {{", *indented(lines), "}"]
        stop = f"{minimum} + {x.scalar(node.extent, True, SUM)}"
        step = f"get_local_size({axis})" if size is None else str(size)
        head = f"for (int32_t {name} = {own}; {name} < {stop}; {name} += {step}) {{"
        return [*x.frame.lines, head, *indented(self.lines(node.body)), "}"]

    def _allocate(self, node: s.Allocate) -> list[str]:
        if node.memory is s.MemoryType.Heap:
            return [*self.in_heap(node, range(AXES)), *self.lines(node.body)]
        if not isinstance(node.size, Const):
            raise NotSupportedError(
                f"Error: Func {func_of(node.name)} is stored inside a GPU thread, but its size {node.size} is not"
                " constant. Give the loops around it constant extents (split them by constants), or store it in the"
                " block: compute_at a loop over blocks."
            )
        count = max(int(node.size.value), 1)
        if node.memory is s.MemoryType.GPUShared:
            return [*self.shared(node, count, range(AXES)), *self.lines(node.body)]
        if count * node.type.bytes() > MAX_PRIVATE_BYTES:
            raise NotSupportedError(
                f"Error: Func {func_of(node.name)} is stored inside a GPU thread and needs {count} elements of"
                f" {node.type} in each, more than the {MAX_PRIVATE_BYTES >> 10} KiB that a thread may have. Compute it"
                " in smaller pieces, or at a loop over blocks."
            )
        self.spaces[node.name] = "__private"
        return [f"{storage_type(node.type)} {self.name_of(node.name)}[{count}];", *self.lines(node.body)]

    def shared(self, node: s.Allocate, count: int, axes: Iterable[int]) -> list[str]:
        """Local memory with room for each thread in some dimensions of the block; what declares a thread's own part."""
        kind, name = storage_type(node.type), self.name_of(node.name)
        slices, place = 1, "0"
        for axis in sorted(axes):
            size = self.group.constant(axis)
            if size is None:
                raise NotSupportedError(
                    f"Error: Func {func_of(node.name)} has a part of the local memory for each GPU thread, but the"
                    " number of threads is not constant: split the loops over threads by constants."
                )
            if size > 1:
                place = f"get_local_id({axis})" if slices == 1 else f"{place} + {slices} * get_local_id({axis})"
                slices *= size
        self.spaces[node.name] = "__local"
        aligned = ""
        if is_exchanged_in_words(node.name, node.body, node.type):
            count, aligned = -(-count // 4) * 4, " __attribute__((aligned(4)))"
        self.local_bytes += slices * count * node.type.bytes()
        if slices == 1:
            self.arrays.append(f"__local {kind} {name}[{count}]{aligned};")
            return []
        whole = self.fresh(f"{name}_of_all")
        self.arrays.append(f"__local {kind} {whole}[{slices * count}]{aligned};")
        return [f"__local {kind} *const {name} = {whole} + ({place}) * {count};"]

    def in_heap(self, node: s.Allocate, axes: Iterable[int]) -> list[str]:
        """Returns the declaration of a part of global memory private to the block, or to threads in some dimensions."""
        part = Scratch(node, tuple(sorted(axes)))
        self.scratch.append(part)
        self.spaces[node.name] = "__global"
        x = self._expressions(node.size)
        size = x.scalar(node.size, True, UNARY)
        place = part.part(self.group, size, self.name_of(part.whole))
        return [*x.frame.lines, f"__global {storage_type(node.type)} *const {self.name_of(node.name)} = {place};"]


def added(text: str, other: str) -> str:
    """The sum of two texts."""
    return f"(int32_t){other}" if text == "0" else f"{text} + (int32_t){other}"


def func_of(name: str) -> str:
    """The name that a user knows a buffer of the program by."""
    return name.partition("$")[0]
