"""Statement nodes: loops, lets, stores, allocations; interned like expressions."""

from __future__ import annotations

import enum

from pipec.ir.expr import BufferView, Expr
from pipec.ir.node import Node
from pipec.ir.types import Type


class _HeldByNodes(enum.Enum):
    """An enum whose hash is no code of Python, which may not run at the end of a node (`pipec.endings`)."""

    __hash__ = object.__hash__


class LoopKind(_HeldByNodes):
    """The ways in which the iterations of a loop run.

    EXTERN: inside the function that computes an extern stage. Only schedules have such loops.
    """

    SERIAL = "for"
    PARALLEL = "parallel"
    VECTORIZED = "vectorized"
    UNROLLED = "unrolled"
    GPU_BLOCK = "gpu_block"
    GPU_THREAD = "gpu_thread"
    GPU_LANE = "gpu_lane"
    EXTERN = "extern"


# Loops over work-groups of a device, over work-items, and all loops whose iterations come in any order.
GPU_THREADS = (LoopKind.GPU_THREAD, LoopKind.GPU_LANE)
GPU_KINDS = (LoopKind.GPU_BLOCK, *GPU_THREADS)
THREADED = (LoopKind.PARALLEL, *GPU_KINDS)
CONCURRENT = (*THREADED, LoopKind.VECTORIZED)


class Partition(_HeldByNodes):
    """Whether a loop is divided into a prologue, a steady state without boundary tests and an epilogue."""

    Auto = 0
    Never = 1
    Always = 2


class MemoryType(_HeldByNodes):
    """Where a Func's values are stored."""

    Auto = "Auto"
    Heap = "Heap"
    Stack = "Stack"
    Register = "Register"
    GPUShared = "GPUShared"
    GPUTexture = "GPUTexture"
    LockedCache = "LockedCache"
    VTCM = "VTCM"
    AMXTile = "AMXTile"


class Stmt(Node):
    """Base of statements."""

    __slots__ = ()


class LetStmt(Stmt):
    """`name` stands for `value` inside `body`. Names are bound once in a whole program."""

    __slots__ = ("name", "value", "body")
    name: str
    value: Expr
    body: Stmt


class For(Stmt):
    """Runs `body` with int32 Variable `name` = minimum ... minimum + extent - 1; not at all when extent <= 0.

    `partition`: what the schedule says about partitioning the loop; Auto after the pass that does it.
    """

    __slots__ = ("name", "minimum", "extent", "kind", "body", "partition")
    name: str
    minimum: Expr
    extent: Expr
    kind: LoopKind
    body: Stmt
    partition: Partition

    def __new__(
        cls,
        name: str,
        minimum: Expr,
        extent: Expr,
        kind: LoopKind,
        body: Stmt,
        partition: Partition = Partition.Auto,
    ) -> For:
        """The loop with these fields."""
        return super().__new__(cls, name, minimum, extent, kind, body, partition)


class Provide(Stmt):
    """Stores `values` (one for each element of a Tuple) of Func `name` at `args` (before storage flattening)."""

    __slots__ = ("name", "values", "args")
    name: str
    values: tuple[Expr, ...]
    args: tuple[Expr, ...]


class Store(Stmt):
    """Writes `value` to a flat buffer at element `index`, in the lanes where `predicate` holds."""

    __slots__ = ("buffer", "value", "index", "predicate")
    buffer: str
    value: Expr
    index: Expr
    predicate: Expr


class AtomicUpdate(Stmt):
    """Runs `body`, a Provide or scalar Store that updates an element, atomically with respect to other threads."""

    __slots__ = ("body",)
    body: Stmt


class Realize(Stmt):
    """Storage of Func `name` for the box `bounds` = ((min, extent), ...) during `body` (before storage flattening).

    `types`: one for each element of a Tuple. `layout`: (dimension, alignment of its extent) pairs, innermost first; a
    dimension that stands twice is stored in tiles of as many elements as its alignment, the tile where it stands first.
    `folds`: for each dimension None, or the expression by which its coordinate is reduced modulo. `start`: the number
    of the first element (int64) in memory that an enclosing statement allocates for several storages.
    """

    __slots__ = ("name", "types", "memory", "bounds", "layout", "folds", "start", "body")
    name: str
    types: tuple[Type, ...]
    memory: MemoryType
    bounds: tuple[tuple[Expr, Expr], ...]
    layout: tuple[tuple[int, int], ...]
    folds: tuple[Expr | None, ...]
    start: Expr
    body: Stmt


class Allocate(Stmt):
    """A flat buffer `name` of `size` elements (an int64 expression) of `type` during `body`."""

    __slots__ = ("name", "type", "memory", "size", "body")
    name: str
    type: Type
    memory: MemoryType
    size: Expr
    body: Stmt


class ProducerConsumer(Stmt):
    """Marks the part of a program that computes (`produce`) or uses Func `name`."""

    __slots__ = ("name", "is_producer", "body")
    name: str
    is_producer: bool
    body: Stmt


class Block(Stmt):
    """Statements one after the other; never nested, never fewer than two (use `pipec.ir.build.block`)."""

    __slots__ = ("stmts",)
    stmts: tuple[Stmt, ...]


class IfThenElse(Stmt):
    """Runs `then` where `condition` holds, else `otherwise`, a Stmt or None.

    `speculatable`: also where the condition does not hold, the elements that `then` stores exist and are of no other
    iteration that may run at the same time, so that they may be loaded, and stored with the value that they have.
    """

    __slots__ = ("condition", "then", "otherwise", "speculatable")
    condition: Expr
    then: Stmt
    otherwise: Stmt | None
    speculatable: bool

    def __new__(cls, condition: Expr, then: Stmt, otherwise: Stmt | None, speculatable: bool = False) -> IfThenElse:
        """The branch with these fields."""
        return super().__new__(cls, condition, then, otherwise, speculatable)


class Assert(Stmt):
    """Ends the pipeline with error number `code` and int64 `values` when the condition is false."""

    __slots__ = ("condition", "code", "values")
    condition: Expr
    code: int
    values: tuple[Expr, ...]


class Report(Stmt):
    """Passes `values` to the caller, as Program.notices[code] says; `body` runs with the answer in int32 `name`.

    Values are scalars, or vectors of as many lanes as `predicate`, which says which lanes are reported.
    `name` is "" where the answer is not used.
    """

    __slots__ = ("code", "values", "predicate", "name", "body")
    code: int
    values: tuple[Expr, ...]
    predicate: Expr
    name: str
    body: Stmt


class CallExtern(Stmt):
    """Calls the C function `symbol`; another status than 0 ends the pipeline with error number `code`.

    `operands`: scalars and BufferViews. A bounds query stores the minimum and extent of each dimension of each view
    to the int32 buffer `results`, which is "" for the call that computes.
    """

    __slots__ = ("symbol", "operands", "results", "code")
    symbol: str
    operands: tuple[Expr, ...]
    results: str
    code: int

    def views(self) -> list[BufferView]:
        """The operands that describe buffers."""
        return [operand for operand in self.operands if isinstance(operand, BufferView)]

    def buffers(self) -> list[str]:
        """The buffers that the call may change."""
        return [view.name for view in self.views() if view.name] + ([self.results] if self.results else [])


class PrefetchLoad(Stmt):
    """Lets the cache fetch what `read` (a FuncCall, ImageCall or Load) reads, which may lie outside its buffer."""

    __slots__ = ("read",)
    read: Expr


class Fork(Stmt):
    """Runs `first` in another thread while `second` runs in this one; ends when both have ended.

    `name`: the semaphores by which they wait for each other; `counts`: their initial values (int64).
    """

    __slots__ = ("name", "counts", "first", "second")
    name: str
    counts: tuple[Expr, ...]
    first: Stmt
    second: Stmt


class Wait(Stmt):
    """Waits until semaphore `index` of Fork `name` is positive, and subtracts one from it.

    `buffers`: stores of the other thread to these are visible afterwards.
    """

    __slots__ = ("name", "index", "buffers")
    name: str
    index: int
    buffers: tuple[str, ...]


class Post(Stmt):
    """Adds one to semaphore `index` of Fork `name`."""

    __slots__ = ("name", "index")
    name: str
    index: int


class Evaluate(Stmt):
    """Evaluates an expression for its effect; `Evaluate(0)` does nothing."""

    __slots__ = ("value",)
    value: Expr
