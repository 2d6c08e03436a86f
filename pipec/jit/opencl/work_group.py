"""The work-group of a kernel: the dimensions of its loops over threads, and its size."""

from __future__ import annotations

from collections.abc import Mapping

from pipec.ir.build import constant, div, max_, min_
from pipec.ir.expr import Expr, const
from pipec.ir.stmt import GPU_THREADS, For, IfThenElse, LetStmt, ProducerConsumer, Stmt
from pipec.ir.walk import free_variables, statements, substitute

# The threads of a group if no extent is constant: every device allows as many.
MAX_THREADS = 256
# The sizes for extents that the host cannot compute.
UNKNOWN_EXTENT = (64, 4, 1)
AXES = 3

Sizes = tuple[Expr, Expr, Expr]


class WorkGroup:
    """The dimension of each thread loop of a kernel: 0 for the innermost, and the size of the group."""

    def __init__(self, body: Stmt, unknown: frozenset[str], outside: Mapping[str, Expr] | None = None) -> None:
        """`unknown`: variables without a value on the host at the launch; `outside`: the lets around the kernel."""
        self.depths: dict[Stmt, int] = {}
        self._measure(body)
        self.loops = [node for node in statements(body) if isinstance(node, For) and node.kind in GPU_THREADS]
        self.sizes: Sizes = self._sizes(values_of_lets(body, outside or {}), unknown)

    def _measure(self, root: Stmt) -> None:
        for node in statements(root):
            inside = max([self.depths[child] for child in node.children() if isinstance(child, Stmt)], default=0)
            own = isinstance(node, For) and node.kind in GPU_THREADS
            self.depths[node] = inside + own

    def has_threads(self, stmt: Stmt) -> bool:
        """Whether there are loops over threads in a statement."""
        return self.depths[stmt] > 0

    def axis(self, loop: For) -> int:
        """The dimension of the group that a loop runs over."""
        return self.depths[loop] - 1

    def constant(self, axis: int) -> int | None:
        """The size of the group in a dimension, where it is constant."""
        size = constant(self.sizes[axis])
        return None if size is None else int(size)

    def is_single(self) -> bool:
        """Whether the group has a single thread."""
        return all(constant(size) == 1 for size in self.sizes)

    def _sizes(self, values: Mapping[str, Expr], unknown: frozenset[str]) -> Sizes:
        sizes: list[Expr | None] = []
        open_extents: list[list[Expr]] = []
        for axis in range(AXES):
            extents = [substitute(loop.extent, values) for loop in self.loops if self.axis(loop) == axis]
            constants = [int(extent) for extent in map(constant, extents) if extent is not None]
            sizes.append(const(max(1, *constants)) if constants else None if extents else const(1))
            open_extents.append([extent for extent in extents if free_variables(extent).isdisjoint(unknown)])
        threads = 1
        for size in sizes:
            threads *= 1 if size is None else int(constant(size) or 1)
        left: Expr = const(max(1, MAX_THREADS // threads))
        for axis in range(AXES):
            if sizes[axis] is None:
                sizes[axis] = _open_size(open_extents[axis], left, axis)
                left = max_(div(left, sizes[axis] or const(1)), 1)
        return sizes[0] or const(1), sizes[1] or const(1), sizes[2] or const(1)


def _open_size(extents: list[Expr], left: Expr, axis: int) -> Expr:
    largest: Expr | None = None
    for extent in extents:
        largest = extent if largest is None else max_(largest, extent)
    return max_(min_(const(UNKNOWN_EXTENT[axis]) if largest is None else largest, left), 1)


def values_of_lets(body: Stmt, outside: Mapping[str, Expr]) -> Mapping[str, Expr]:
    """The values of all lets in terms of variables from outside."""
    values = dict(outside)
    work = [body]
    while work:
        node = work.pop()
        if isinstance(node, LetStmt):
            values[node.name] = substitute(node.value, values)
        work += [child for child in node.children() if isinstance(child, Stmt)]
    return values


def is_plain_nest(loop: For, group: WorkGroup) -> bool:
    """Whether all threads can run a loop from end to end: no thread loop in it waits for another one."""
    body: Stmt = loop
    while group.has_threads(body):
        if isinstance(body, LetStmt | ProducerConsumer) or (isinstance(body, For) and body.kind in GPU_THREADS):
            body = body.body
        elif isinstance(body, IfThenElse) and body.otherwise is None:
            body = body.then
        else:
            return False
    return True
